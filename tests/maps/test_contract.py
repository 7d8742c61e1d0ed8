"""Contract maps: every guarantee of [Contracts] as a named test, counted on the maps themselves."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.content.models.contract import clamped
from cartomancer.errors import RulesError

MAPS = 600


@cache
def drawn_maps(preset: str, scope: str = "map", switching: bool = True) -> tuple[maps.Map, ...]:
    rules = load_preset("contract", preset, {"guarantee_scope": scope, "lane_switching": switching})
    return tuple(maps.generate_from(rules, preset, seed) for seed in range(MAPS))


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
            safe, risk = drawn.rules.tables(node.row)
            table = risk if node.details["lane"] == "risk" else safe
            assert table[node.type] > 0


# --- short ----------------------------------------------------------------------------------------------------------


def test_short_has_two_combats() -> None:
    assert all(steps_with(drawn, "combat") >= 2 for drawn in drawn_maps("short"))


def test_short_has_event_rest_or_shop_in_steps_two_to_four() -> None:
    assert all(steps_with(drawn, "event", "rest", "shop", first=2, last=4) >= 1 for drawn in drawn_maps("short"))


def test_short_clamps_elites_to_ten_percent_of_the_risk_lane() -> None:
    """M11: clamped, then renormalised around the clamp: exactly 10 %."""
    _, risk = load_preset("contract", "short").tables(2)
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
