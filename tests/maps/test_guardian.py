"""Guardian maps: the ten acceptance criteria of [Guardian] as named tests, and what M12 and M13 add."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.errors import ContentError, HostOnlyError, RulesError, SelectionError
from cartomancer.maps.generation import furnish

SEEDS = range(150)
PRESETS = preset_ids("guardian")


def drawn_maps(preset: str, **overrides: object) -> list[maps.Map]:
    rules = load_preset("guardian", preset, overrides)
    changes = ",".join(f"{field}={str(value).lower()}" for field, value in overrides.items())
    return [maps.generate_from(rules, f"{preset}[{changes}]" if changes else preset, seed) for seed in SEEDS]


def counts(drawn: maps.Map) -> Counter[str]:
    return Counter(node.type for node in drawn.nodes)


# --- the ten criteria, on the slice they were written for ----------------------------------------------------------


def test_1_the_map_has_the_layers_asked_for() -> None:
    assert {drawn.rows for drawn in drawn_maps("slice")} == {8}
    assert {drawn.rows for drawn in drawn_maps("slice", layer_count=12)} == {12}


def test_2_layer_0_is_combat_and_the_last_layer_the_boss() -> None:
    for drawn in drawn_maps("slice"):
        assert [node.type for node in drawn.row_nodes(1)] == ["combat"]
        assert [node.type for node in drawn.row_nodes(8)] == ["boss"]


@pytest.mark.parametrize("preset", PRESETS)
def test_3_every_node_is_reachable_from_layer_0(preset: str) -> None:
    for drawn in drawn_maps(preset):
        reached, edge = set(), [drawn.starts[0].id]
        while edge:
            here = edge.pop()
            reached.add(here)
            edge += [node for node in drawn.onward[here] if node not in reached]
        assert reached == set(drawn.by_id)


def test_4_the_same_seed_gives_the_same_map() -> None:
    assert drawn_maps("slice") == drawn_maps("slice")


def test_5_the_elite_cap_is_respected() -> None:
    assert max(counts(drawn)["elite"] for drawn in drawn_maps("slice")) == 1
    assert max(counts(drawn)["elite"] for drawn in drawn_maps("slice", elite_cap=0)) == 0


def test_6_the_rest_cap_is_respected() -> None:
    assert max(counts(drawn)["rest"] for drawn in drawn_maps("slice")) == 2


def test_7_no_elite_or_rest_on_layers_0_and_1() -> None:
    for drawn in drawn_maps("slice"):
        assert not {"elite", "rest"} & {node.type for node in drawn.nodes if node.details["layer"] <= 1}


def test_8_only_connected_nodes_can_be_selected() -> None:
    drawn = next(d for d in drawn_maps("slice") if len(d.row_nodes(2)) > 1 and len(d.row_nodes(3)) > 1)
    assert maps.select(drawn, maps.START, 0).id == 0
    far = drawn.row_nodes(3)[0].id
    with pytest.raises(SelectionError, match=rf"node {far} .* cannot be entered from node 0 "):
        maps.select(drawn, 0, far)
    with pytest.raises(SelectionError, match="from the start"):
        maps.select(drawn, maps.START, far)


def test_9_only_the_host_selects() -> None:
    journey = maps.Journey(drawn_maps("slice")[0], players=("ann", "bob"), host="ann")
    with pytest.raises(HostOnlyError, match=r"ann.*bob"):
        journey.select("bob", 0)
    assert journey.select("ann", 0).visited == (0,)
    assert journey.pass_host("bob").select("bob", 0).visited == (0,)


def test_10_pre_rolled_encounters_match_the_node_type() -> None:
    tiers = {"combat": "basic", "elite": "elite", "boss": "guardian"}
    for drawn in drawn_maps("slice") + drawn_maps("three_acts"):
        for node in drawn.nodes:
            encounter = node.details["encounter"]
            assert (encounter["tier"] if encounter else None) == tiers.get(node.type)


# --- presets (M12, M13) ---------------------------------------------------------------------------------------------


def test_three_acts_of_five_floors() -> None:
    seen = Counter[str]()
    for drawn in drawn_maps("three_acts"):
        assert drawn.rows == 15
        for act, guardian in enumerate(("beholder", "house", "shadow_kraken")):
            base = 5 * act
            assert [node.type for node in drawn.row_nodes(base + 1)] == ["combat"]
            boss = drawn.row_nodes(base + 5)
            assert [(node.type, node.details["guardian_id"]) for node in boss] == [("boss", guardian)]
            shrine = [node.type for node in drawn.row_nodes(base + 4)]
            assert (shrine == ["memory_shrine"]) == (act < 2)
        kinds = counts(drawn)
        assert kinds["elite"] <= 2
        assert kinds["rest"] <= 2
        assert kinds["shop"] <= 2
        for act in (1, 2, 3):
            in_act = [node for node in drawn.nodes if node.details["act"] == act]
            assert sum(node.type == "elite" for node in in_act) <= 1
            if act == 1:
                assert not {"shop", "trap", "event"} & {node.type for node in in_act}
        seen.update(kinds)
        for node in drawn.nodes:
            assert node.details["layer"] == node.row - 1
            assert node.details["act"] == (node.details["floor"] - 1) // 5 + 1
    assert set(seen) == {"combat", "elite", "rest", "shop", "shrine", "memory_shrine", "event", "trap", "boss"}


def test_random_floors_hold_one_to_three_nodes_with_one_or_two_ways_onward() -> None:
    sizes = Counter[int]()
    for drawn in drawn_maps("three_acts"):
        for row in range(1, 16):
            sizes[len(drawn.row_nodes(row))] += 1
        for node in drawn.nodes:
            if node.row < 15:
                assert 1 <= len(drawn.onward[node.id]) <= 2
    assert set(sizes) == {1, 2, 3}


def test_memory_shrines_carry_their_memory() -> None:
    for drawn in drawn_maps("three_acts")[:20]:
        assert [node.details["memory_id"] for node in drawn.nodes if node.type == "memory_shrine"] == [1, 2]


def test_five_acts_of_three_floors() -> None:
    for drawn in drawn_maps("five_acts")[:40]:
        assert drawn.rows == 15
        guardians = [node.details["guardian_id"] for node in drawn.nodes if node.type == "boss"]
        assert guardians == ["beholder", "house", "shadow_kraken", "dealer", "rng"]


def test_defying_the_gods_opens_the_portal_after_the_last_boss() -> None:
    for drawn in drawn_maps("three_acts", defy_the_gods=True)[:40]:
        assert drawn.rows == 16
        assert drawn.boss.details["guardian_id"] == "rng"
        assert drawn.boss.details["portal"] is True
        assert drawn.back[drawn.boss.id] == [drawn.row_nodes(15)[0].id]
        assert maps.check(drawn).ok
    with pytest.raises(RulesError, match="defy_the_gods"):
        load_preset("guardian", "five_acts", {"defy_the_gods": True})


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_breaks_a_rule_in_fifty_thousand_maps(preset: str) -> None:
    assert maps.audit(load_preset("guardian", preset), preset, 50_000)["violations"]["by_rule"] == {}


# --- the expected composition (M27) ---------------------------------------------------------------------------------


def test_composition_has_the_expected_nodes_a_map() -> None:
    """[Guardian: expected map composition]; 2 is read as 2 ± 0.1: the caps allow no more than 2 on any map."""
    types = maps.audit(load_preset("guardian", "composition"), "composition", 2_000)["types"]
    assert 5 <= types["combat"]["mean"] <= 6
    assert (types["boss"]["mean"], types["memory_shrine"]["mean"]) == (3, 2)
    for kind in ("elite", "rest", "shop", "shrine"):
        assert types[kind]["mean"] == pytest.approx(2, abs=0.1), kind
    for kind in ("event", "trap"):
        assert 0 < types[kind]["mean"] < 1, "what comes less than once a map is not in the list"


def test_composition_keeps_the_floors_the_caps_and_the_types_of_three_acts() -> None:
    base, composed = (load_preset("guardian", name).rule_fields() for name in ("three_acts", "composition"))
    assert {field for field in base if base[field] != composed[field]} == {"acts", "distinct_siblings"}
    for old, new in zip(base["acts"], composed["acts"], strict=True):
        assert {**old, "weights": set(old["weights"])} == {**new, "weights": set(new["weights"])}


def siblings(drawn: maps.Map) -> list[list[str]]:
    return [[node.type for node in drawn.row_nodes(row)] for row in range(1, drawn.rows + 1)]


def test_siblings_differ_in_type_in_composition_and_not_in_three_acts() -> None:
    repeats = {
        preset: sum(len(set(row)) < len(row) for drawn in drawn_maps(preset) for row in siblings(drawn))
        for preset in ("composition", "three_acts")
    }
    assert repeats["composition"] == 0
    assert repeats["three_acts"] > 0


def test_siblings_repeat_a_type_only_where_weights_and_caps_leave_no_other() -> None:
    repeated = 0
    for drawn in drawn_maps("slice", distinct_siblings=True):
        assert maps.check(drawn).ok
        held = counts(drawn)
        left = {"combat"} | ({"elite"} if held["elite"] < 1 else set()) | ({"rest"} if held["rest"] < 2 else set())
        for row, types in enumerate(siblings(drawn), 1):
            if len(set(types)) < len(types):
                repeated += 1
                assert row <= 2 or left <= set(types), "the first two layers are quiet"
    assert repeated


def repeating(seed: int) -> tuple[maps.Map, int]:
    """A map of composition in which a node has been given the type of the sibling before it, and the node."""
    for drawn in (maps.generate("guardian", "composition", seed=at) for at in range(seed, seed + 99)):
        for row in range(1, drawn.rows + 1):
            nodes = drawn.row_nodes(row)
            if len(nodes) > 1 and nodes[0].type == "combat":
                changed = tuple(replace(node, type="combat") if node is nodes[1] else node for node in drawn.nodes)
                return furnish(replace(drawn, nodes=changed)), nodes[1].id
    raise AssertionError


@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_a_repeated_sibling_is_named_and_repaired(seed: int) -> None:
    drawn, node = repeating(seed)
    (violation,) = maps.check(drawn).violations
    assert (violation.rule.id, [n.id for n in violation.nodes]) == ("guardian.distinct-siblings", [node])
    assert "differ in type" in str(violation)
    mended = maps.repair(drawn)
    assert mended.ok
    assert {change.node for change in mended.changes} == {node}


def test_an_explanation_names_the_siblings_that_ban_a_type() -> None:
    drawn = maps.generate("guardian", "composition", seed=42)
    banned = 0
    for row in range(1, drawn.rows + 1):
        before: list[str] = []
        for node in drawn.row_nodes(row):
            for choice in maps.explain(drawn, node.id).choices:
                if choice.banned_by == "guardian.distinct-siblings":
                    assert choice.type in before
                    banned += 1
            before.append(node.type)
    assert banned


def test_fields_that_came_later_stay_out_of_older_digests() -> None:
    for preset in PRESETS:
        written = load_preset("guardian", preset).written_fields()
        assert ("distinct_siblings" in written) is (preset == "composition")
        assert "pacing" not in written


# --- pacing (M29) ---------------------------------------------------------------------------------------------------


def test_seconds_of_play_are_those_of_the_time_estimates() -> None:
    three, five = (load_preset("guardian", preset) for preset in ("three_acts", "five_acts"))
    expected = {"combat": 120, "elite": 240, "boss": 180} | dict.fromkeys(("rest", "shop", "shrine"), 30)
    assert {kind: three.seconds_by_type()[kind] for kind in expected} == expected
    assert five.seconds_by_type() == three.seconds_by_type() | {"boss": 300}
    assert three.choice_seconds == five.choice_seconds == 15


def test_the_typical_path_takes_about_25_minutes() -> None:
    """[Guardian: run pacing]: its own fifteen floors, with a choice before each of the seven random ones."""
    path = "combat combat rest memory_shrine boss combat shop elite memory_shrine boss combat rest shop combat boss"
    rules = load_preset("guardian", "three_acts")
    seconds = sum(rules.seconds_by_type()[kind] for kind in path.split()) + 7 * rules.choice_seconds
    assert seconds / 60 == 27.75


# --- knobs ----------------------------------------------------------------------------------------------------------

SAFE_RANGES = {
    "layer_count": (5, 12),
    "nodes_per_layer_min": (1, 2),
    "nodes_per_layer_max": (2, 4),
    "edges_per_node_max": (1, 3),
    "elite_cap": (0, 3),
    "rest_cap": (0, 3),
    "combat_weight": (40, 70),
    "elite_weight": (5, 25),
    "rest_weight": (15, 40),
    "rest_heal_percent": (0.15, 0.50),
}


@pytest.mark.parametrize("knob", SAFE_RANGES)
def test_knobs_work_at_both_ends_of_their_safe_range_and_nowhere_beyond(knob: str) -> None:
    low, high = SAFE_RANGES[knob]
    step = 1 if isinstance(low, int) else 0.01
    for value in (low, high):
        facts = maps.audit(load_preset("guardian", "slice", {knob: value}), "slice", 2_000)
        assert facts["violations"]["by_rule"] == {}
    for value in (low - step, high + step):
        with pytest.raises(ContentError, match=knob):
            load_preset("guardian", "slice", {knob: value})


def test_the_defaults_of_the_slice_are_those_of_the_knob_table() -> None:
    rules = load_preset("guardian", "slice")
    expected = (8, 1, 3, 2, 1, 2, 55, 15, 30, 0.30)
    assert tuple(getattr(rules, knob) for knob in SAFE_RANGES) == expected


def test_a_layer_that_its_edges_cannot_reach_is_refused() -> None:
    with pytest.raises(RulesError, match="nodes_per_layer_min"):
        load_preset("guardian", "slice", {"nodes_per_layer_min": 2, "edges_per_node_max": 1})
