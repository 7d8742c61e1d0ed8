"""Contract maps: every guarantee of [Contracts] as a named test, counted on the maps themselves."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.content.models.contract import ContractRules, can_be_met, clamped, demands
from cartomancer.errors import RulesError
from cartomancer.rng import Stream

MAPS = 600


@cache
def drawn_maps(preset: str, scope: str = "map", switching: bool = True) -> tuple[maps.Map, ...]:
    rules = load_preset("contract", preset, {"guarantee_scope": scope, "lane_switching": switching})
    name = f"{preset}[guarantee_scope={scope},lane_switching={switching}]".lower()
    return tuple(maps.generate_from(rules, name, seed) for seed in range(MAPS))


def steps_with(drawn: maps.Map, *kinds: str, first: int = 1, last: int = 8) -> int:
    """Steps in which either lane holds one of the kinds (M7)."""
    return len({node.row for node in drawn.nodes if node.type in kinds and first <= node.row <= last})


def step_types(drawn: maps.Map, step: int) -> list[str]:
    return [node.type for node in drawn.row_nodes(step)]


# --- global rules ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", preset_ids("contract"))
def test_the_boss_is_the_final_node(preset: str) -> None:
    for drawn in drawn_maps(preset):
        assert step_types(drawn, drawn.rows) == ["boss"]
        assert steps_with(drawn, "boss") == 1


@pytest.mark.parametrize(
    ("preset", "steps"),
    [
        ("short", 5),
        ("standard", 7),
        ("power", 7),
        ("recovery_short", 5),
        ("recovery_standard", 7),
        ("rival_standard", 7),
        ("rival_extended", 8),
    ],
)
def test_node_counts_by_class(preset: str, steps: int) -> None:
    assert {drawn.rows for drawn in drawn_maps(preset)} == {steps}


@pytest.mark.parametrize("preset", ["standard", "power", "rival_standard", "rival_extended"])
def test_standard_power_and_rival_contain_an_event(preset: str) -> None:
    assert all(steps_with(drawn, "event") >= 1 for drawn in drawn_maps(preset))


@pytest.mark.parametrize("preset", ["standard", "rival_standard", "rival_extended"])
def test_standard_and_rival_contain_a_rest_or_shop(preset: str) -> None:
    assert all(steps_with(drawn, "rest", "shop") >= 1 for drawn in drawn_maps(preset))


@pytest.mark.parametrize("preset", ["recovery_short", "recovery_standard"])
def test_recovery_contains_no_elite(preset: str) -> None:
    assert all(steps_with(drawn, "elite") == 0 for drawn in drawn_maps(preset))


@pytest.mark.parametrize("preset", preset_ids("contract"))
def test_every_node_comes_from_its_step_and_lane_table(preset: str) -> None:
    for drawn in drawn_maps(preset):
        for node in drawn.nodes:
            lanes = drawn.rules.lanes(node.row)
            table = lanes["risk" if node.details["lane"] == "risk" else "safe"]
            assert table[node.type] > 0


# --- short ----------------------------------------------------------------------------------------------------------


def test_short_has_two_combats() -> None:
    assert all(steps_with(drawn, "combat") >= 2 for drawn in drawn_maps("short"))


def test_short_has_event_rest_or_shop_in_steps_two_to_four() -> None:
    assert all(steps_with(drawn, "event", "rest", "shop", first=2, last=4) >= 1 for drawn in drawn_maps("short"))


def test_short_clamps_elites_to_ten_percent_of_the_risk_lane() -> None:
    """M11: clamped, then renormalised around the clamp: exactly 10 %."""
    risk = load_preset("contract", "short").lanes(2)["risk"]
    assert risk["elite"] * 10 == sum(risk.values())
    assert risk["combat"] / risk["cache"] == 30 / 25


def test_a_clamp_leaves_smaller_shares_alone() -> None:
    assert clamped({"combat": 95, "elite": 5}, {"elite": 10}) == {"combat": 19, "elite": 1}


def test_clamps_hold_together() -> None:
    """Holding combat down lifts the others, which must not lift them over their own clamps."""
    table = {"combat": 100, "elite": 5, "event": 5, "rest": 5}
    assert clamped(table, {"combat": 50, "elite": 1, "event": 1}) == {"combat": 50, "elite": 1, "event": 1, "rest": 48}


# --- standard -------------------------------------------------------------------------------------------------------


def test_standard_has_three_combats_and_at_most_one_elite() -> None:
    for drawn in drawn_maps("standard"):
        assert steps_with(drawn, "combat") >= 3
        assert steps_with(drawn, "elite") <= 1


def test_standard_without_event_by_step_three_has_one_on_step_four() -> None:
    hit = 0
    for drawn in drawn_maps("standard"):
        if not steps_with(drawn, "event", last=3):
            hit += 1
            assert "event" in step_types(drawn, 4)
    assert hit


def test_standard_has_a_rest_by_step_four() -> None:
    assert all(steps_with(drawn, "rest", last=4) >= 1 for drawn in drawn_maps("standard"))


def test_standard_with_both_forced_has_a_safe_rest_and_a_risky_event() -> None:
    """M8: neither event by step 3 nor rest by step 4: the safe lane becomes the rest, the risk lane the event."""
    hit = 0
    for drawn in drawn_maps("standard"):
        if not steps_with(drawn, "event", last=3) and not steps_with(drawn, "rest", last=3):
            safe, risk = drawn.row_nodes(4)
            assert (safe.type, risk.type) == ("rest", "event")
            assert safe.forced == risk.forced == "contract.guarantee"
            hit += 1
    assert hit


# --- power ----------------------------------------------------------------------------------------------------------


def test_power_has_two_elites_two_combats_and_an_event() -> None:
    for drawn in drawn_maps("power"):
        assert steps_with(drawn, "elite") >= 2
        assert steps_with(drawn, "combat") >= 2
        assert steps_with(drawn, "event") >= 1


def test_power_has_two_elites_by_step_five() -> None:
    assert all(steps_with(drawn, "elite", last=5) >= 2 for drawn in drawn_maps("power"))


def test_power_has_an_event_by_step_four_forced_into_the_safe_lane() -> None:
    forced = 0
    for drawn in drawn_maps("power"):
        assert steps_with(drawn, "event", last=4) >= 1
        for node in drawn.row_nodes(4):
            if node.forced == "contract.guarantee" and node.type == "event":
                assert node.details["lane"] == "safe"
                forced += 1
    assert forced


# --- recovery and rival ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "last"), [("recovery_short", 4), ("recovery_standard", 6)])
def test_recovery_has_two_of_rest_shop_and_event(preset: str, last: int) -> None:
    for drawn in drawn_maps(preset):
        soft = {node.type for node in drawn.nodes if 2 <= node.row <= last} & {"rest", "shop", "event"}
        assert len(soft) >= 2


@pytest.mark.parametrize("preset", ["rival_standard", "rival_extended"])
def test_rival_has_one_intrusion_on_step_four_where_the_lanes_meet(preset: str) -> None:
    for drawn in drawn_maps(preset):
        assert step_types(drawn, 4) == ["rival_intrusion"]
        assert drawn.row_nodes(4)[0].details["lane"] == "both"
        assert steps_with(drawn, "rival_intrusion") == 1
        assert steps_with(drawn, "combat") >= 3


def test_rival_extended_follows_an_elite_with_rest_or_shop() -> None:
    elites = 0
    for drawn in drawn_maps("rival_extended"):
        if "elite" in step_types(drawn, 6):
            elites += 1
            assert set(step_types(drawn, 7)) <= {"rest", "shop"}
    assert elites


# --- forcing, scope, lanes ------------------------------------------------------------------------------------------


def test_forced_nodes_name_the_rule_that_forced_them() -> None:
    rules = Counter(node.forced for preset in preset_ids("contract") for d in drawn_maps(preset) for node in d.nodes)
    assert set(rules) == {None, "contract.requirement", "contract.guarantee"}


def test_missing_combats_are_forced_at_the_last_step_that_allows_them_safe_lane_first() -> None:
    """M9: a standard map short of combats gets one on step 6's safe lane, or step 5's where step 6 has one anyway."""
    places = Counter[int]()
    for drawn in drawn_maps("standard"):
        for node in drawn.nodes:
            if (node.forced, node.type) == ("contract.requirement", "combat"):
                assert node.details["lane"] == "safe"
                assert node.row == 6 or (node.row == 5 and "combat" in step_types(drawn, 6))
                places[node.row] += 1
    assert places[6] > 0


def fewest(drawn: maps.Map, *kinds: str) -> int:
    """The fewest nodes of these kinds on any route, by walking all of them."""

    def ahead(node: int) -> int:
        here = int(drawn.by_id[node].type in kinds)
        return here + min((ahead(after) for after in drawn.onward[node]), default=0)

    return min(ahead(start.id) for start in drawn.starts)


@pytest.mark.parametrize("switching", [True, False])
def test_path_scope_guarantees_hold_on_every_path(switching: bool) -> None:
    for drawn in drawn_maps("standard", "path", switching)[:200]:
        assert fewest(drawn, "event") >= 1
        assert fewest(drawn, "rest") >= 1
        assert fewest(drawn, "combat") >= 3
        assert maps.check(drawn).ok
    for drawn in drawn_maps("power", "path", switching)[:200]:
        assert fewest(drawn, "elite") >= 2


@pytest.mark.parametrize("scope", ["map", "path"])
@pytest.mark.parametrize("preset", preset_ids("contract"))
def test_no_template_breaks_a_rule_in_twenty_thousand_maps(preset: str, scope: str) -> None:
    for switching in (True, False):
        rules = load_preset("contract", preset, {"guarantee_scope": scope, "lane_switching": switching})
        assert maps.audit(rules, preset, 20_000)["violations"]["by_rule"] == {}


def test_lanes_may_be_switched_or_locked_until_they_meet() -> None:
    free = drawn_maps("rival_standard")[0]
    locked = drawn_maps("rival_standard", "map", False)[0]
    assert {len(ways) for ways in free.onward.values()} == {0, 1, 2}
    for source, target in locked.edges:
        lanes = locked.by_id[source].details["lane"], locked.by_id[target].details["lane"]
        assert "both" in lanes or lanes[0] == lanes[1]


def test_caps_that_contradict_guarantees_are_refused() -> None:
    with pytest.raises(RulesError, match=r"requirements\[1\].*can never be met.*allow 1"):
        load_preset("contract", "power", {"at_most": {"elite": 1}})


def test_requirements_that_no_table_allows_are_refused() -> None:
    with pytest.raises(RulesError, match="allow 0"):
        load_preset("contract", "short", {"requirements": [{"types": ["rival_intrusion"], "at_least": 1}]})


# --- demands that must be met together --------------------------------------------------------------------------------


def one_step(kind: str, step: int) -> dict[str, object]:
    return {"types": [kind], "at_least": 1, "steps": [step, step]}


def test_requirements_that_need_the_same_step_are_refused_as_a_set() -> None:
    asked = [{"types": ["combat"], "at_least": 2}, one_step("combat", 2), one_step("event", 2), one_step("rest", 2)]
    with pytest.raises(RulesError) as refused:
        load_preset("contract", "short", {"requirements": asked})
    [fault] = refused.value.faults
    assert fault.field == "requirements[2], requirements[3], requirements[4]"
    assert "cannot be met together on one map" in fault.problem
    assert "no requirements[3]" in fault.expected
    assert "guarantee_scope" not in fault.expected
    load_preset("contract", "short", {"requirements": asked[:3]})


def test_what_every_path_needs_may_be_possible_on_the_map_alone_and_the_advice_says_so() -> None:
    asked = {"requirements": [one_step("combat", 2), one_step("event", 2)]}
    load_preset("contract", "short", asked)
    with pytest.raises(RulesError) as refused:
        load_preset("contract", "short", {**asked, "guarantee_scope": "path"})
    [fault] = refused.value.faults
    assert "cannot be met together on every path" in fault.problem
    assert 'guarantee_scope = "map"' in fault.expected


def test_a_cap_in_the_way_is_named_with_the_value_that_would_do() -> None:
    """Three steps of two types, each of which may come once."""
    asked = [{"types": ["event", "rest"], "at_least": 3}]
    with pytest.raises(RulesError) as refused:
        load_preset("contract", "recovery_short", {"requirements": asked, "at_most": {"event": 1, "rest": 1}})
    fault = next(fault for fault in refused.value.faults if fault.field == "requirements[1]")
    assert "at_most.event" in fault.problem
    assert "requirements[1].at_least = 2" in fault.expected
    assert "at_most.event = 2" in fault.expected


KINDS = ("combat", "elite", "event", "rest")


def random_rules(dice: Stream) -> ContractRules:
    """A contract of four steps with few types, as likely as not impossible."""

    def table() -> dict[str, int]:
        return dict.fromkeys(dice.sample(KINDS, dice.pick((1, 2, 2, 3))), 10)

    def steps() -> tuple[int, int]:
        return (first := 1 + dice.below(3)), first + dice.below(4 - first)

    def step() -> dict[str, object]:
        return dice.pick(({"both": table()}, {"safe": table(), "risk": table()}, {"meet": table()}))

    asked = [
        {"types": dice.sample(KINDS, (n := dice.pick((1, 1, 2, 3)))), "at_least": 1, "steps": steps()}
        | ({"distinct": True, "at_least": n} if dice.chance(300) else {"at_least": dice.pick((1, 1, 2))})
        for _ in range(1 + dice.below(3))
    ]
    relief = {"after_step": 1, "after": dice.pick(KINDS), "step": dice.pick((2, 3)), "types": dice.sample(KINDS, 2)}
    return ContractRules.model_validate(
        {
            **load_preset("contract", "short").model_dump(include={"id", "title", "contract_class", "trial_percent"}),
            "cache_trap_percent": 0,
            "cache_trap_percent_high_heat": 0,
            "steps": [*(step() for _ in range(3)), {"meet": {"boss": 1}}],
            "at_most": {kind: 1 + dice.below(2) for kind in KINDS if dice.chance(300)},
            "requirements": asked,
            "relief": relief if dice.chance(400) else None,
            "guarantee_scope": dice.pick(("map", "path")),
            "lane_switching": dice.chance(500),
        }
    )


def some_map_fits(rules: ContractRules) -> bool:
    """Every map of the rules, one after the other: does one keep them all?"""
    tables = [[sorted(table) for table in rules.lanes(step).values()] for step in range(1, 5)]
    return any(fits(rules, laid) for laid in product(*(list(product(*lanes)) for lanes in tables)))


def fits(rules: ContractRules, laid: tuple[tuple[str, ...], ...]) -> bool:
    if any(sum(kind in pair for pair in laid) > most for kind, most in rules.at_most.items()):
        return False
    soft = rules.relief
    if soft and soft.after in laid[soft.after_step - 1] and not set(laid[soft.step - 1]) <= set(soft.types):
        return False
    ways = [way for way in product((0, 1), repeat=4) if all(lane < len(p) for lane, p in zip(way, laid, strict=True))]
    if not rules.lane_switching:
        met = [len(pair) == 1 for pair in laid]
        ways = [way for way in ways if all(way[k] == way[k + 1] or met[k] or met[k + 1] for k in range(3))]
    paths = [[{pair[lane]} for lane, pair in zip(way, laid, strict=True)] for way in ways]
    seen = paths if rules.guarantee_scope == "path" else [[set(pair) for pair in laid]]
    for want in rules.requirements:
        assert want.steps is not None
        first, last = want.steps
        if want.distinct:
            everywhere = [
                kind for kind in want.types if all(any(kind in s for s in path[first - 1 : last]) for path in seen)
            ]
            if len(everywhere) < want.at_least:
                return False
        elif any(sum(bool(s & set(want.types)) for s in path[first - 1 : last]) < want.at_least for path in seen):
            return False
    return True


def test_the_search_over_steps_agrees_with_trying_every_map() -> None:
    dice = Stream(14, 0)
    verdicts = Counter[bool]()
    for _ in range(400):
        rules = random_rules(dice)
        verdict = can_be_met(rules, demands(rules))
        assert verdict is some_map_fits(rules), rules.rule_fields()
        verdicts[verdict] += 1
    assert min(verdicts.values()) > 80
