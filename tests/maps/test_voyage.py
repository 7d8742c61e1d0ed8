"""Voyage maps: the phase-7 list of [Voyage] as named tests, held against rules written again in `voyage_oracle`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartomancer import maps
from cartomancer.content import load_preset
from cartomancer.errors import ContentError, RulesError
from cartomancer.maps.unknowns import UnknownResolver
from tests.maps.voyage_oracle import broken_rules, elite_unlock, treasure_row

SEEDS = range(120)


def guides(rows: int = 15, seeds: range = SEEDS) -> list[maps.Map]:
    rules = load_preset("voyage", "guide", {"rows": rows})
    return [maps.generate_from(rules, "guide", seed) for seed in seeds]


# --- phase 7 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [3, 4, 5, 6, 7, 10, 15, 20, 40])
def test_1_fixed_rows(rows: int) -> None:
    for drawn in guides(rows, range(20)):
        assert {node.type for node in drawn.row_nodes(1)} == {"monster"}
        assert {node.type for node in drawn.row_nodes(rows - 1)} == {"port"}
        assert [node.type for node in drawn.row_nodes(rows)] == ["boss"]
        assert {source for source, target in drawn.edges if target == drawn.boss.id} == {
            node.id for node in drawn.row_nodes(rows - 1)
        }
        if treasure_row(rows) is not None:
            assert {node.type for node in drawn.row_nodes(treasure_row(rows))} == {"treasure"}


def test_1_fifteen_rows_have_their_treasure_on_row_nine() -> None:
    assert load_preset("voyage", "guide").treasure_row == 9
    assert load_preset("voyage", "guide", {"rows": 4}).treasure_row is None


def test_2_no_port_two_rows_before_the_boss() -> None:
    for drawn in guides():
        assert "port" not in {node.type for node in drawn.row_nodes(13)}


def test_3_adjacency_no_elite_shop_or_port_follows_itself() -> None:
    for drawn in guides():
        for source, target in drawn.edges:
            pair = {drawn.by_id[source].type, drawn.by_id[target].type}
            assert pair not in ({"elite"}, {"shop"}, {"port"})


def test_4_split_uniqueness_except_into_uniform_rows() -> None:
    uniform = {9, 14}
    seen_equal_in_uniform = False
    for drawn in guides():
        for source, targets in drawn.onward.items():
            kinds = [drawn.by_id[target].type for target in targets]
            if drawn.by_id[source].row + 1 in uniform:
                seen_equal_in_uniform |= len(kinds) > len(set(kinds))
            else:
                assert len(kinds) == len(set(kinds))
    assert seen_equal_in_uniform


@pytest.mark.parametrize("rows", [5, 10, 15, 21])
def test_5_elites_unlock(rows: int) -> None:
    first = min(
        (node.row for drawn in guides(rows, range(60)) for node in drawn.nodes if node.type == "elite"), default=99
    )
    assert first >= elite_unlock(rows)
    if rows == 15:
        assert first == 6


def test_6_unknown_baseline() -> None:
    """10,000 first visits: each rate within half a point of 10 / 1.8 / 2.646 / 85.554 (M4); seeds fixed."""
    counts: dict[str, int] = {}
    for seed in range(10_000):
        outcome = UnknownResolver(seed).visit().outcome
        counts[outcome] = counts.get(outcome, 0) + 1
    expected = {"battle": 10.0, "treasure": 1.8, "shop": 2.646, "event": 85.554}
    for outcome, percent in expected.items():
        assert abs(counts[outcome] / 100 - percent) < 0.5, outcome


def test_7_unknown_pity_rises_by_a_step_a_visit_and_resets_when_chosen() -> None:
    resolver = UnknownResolver(3)
    for visit in range(12):
        resolver.force_next("event")
        before = resolver.visit().chances
        assert before == pytest.approx((min(1, 0.1 + 0.1 * visit), 0.02 + 0.02 * visit, 0.03 + 0.03 * visit))
    assert resolver.visit().outcome == "battle", "its chance has reached 1"
    assert resolver.pity == (0, 13, 13)


def test_8_resolution_ignores_adjacency() -> None:
    """A Shop before an Unknown does not keep it from becoming a Shop."""
    drawn = next(
        drawn
        for drawn in guides(seeds=range(400))
        if any(drawn.by_id[a].type == "shop" and drawn.by_id[b].type == "unknown" for a, b in drawn.edges)
    )
    assert maps.check(drawn).ok
    outcomes = {UnknownResolver(seed).visit(drawn.rules.banned_types(7)).outcome for seed in range(400)}
    assert "shop" in outcomes


def test_9_determinism() -> None:
    assert guides(seeds=range(20)) == guides(seeds=range(20))
    assert [UnknownResolver(5).visit() for _ in range(3)] == [UnknownResolver(5).visit() for _ in range(3)]


# --- the whole space of rules ---------------------------------------------------------------------------------------


@given(
    rows=st.integers(3, 40),
    columns=st.integers(3, 9),
    paths=st.integers(2, 8),
    seed=st.integers(0, 2**64 - 1),
)
def test_every_size_gives_a_map_that_breaks_no_rule(rows: int, columns: int, paths: int, seed: int) -> None:
    overrides = {"rows": rows, "columns": columns, "paths": paths}
    if rows == 3 and paths > 2 * columns - 1:
        with pytest.raises(RulesError, match="paths"):
            load_preset("voyage", "guide", overrides)
        return
    drawn = maps.generate("voyage", "guide", seed, overrides)
    assert broken_rules(drawn) == []
    assert maps.check(drawn).ok
    assert not any(node.waived for node in drawn.nodes)


@pytest.mark.parametrize("preset", ["guide", "sparse", "spire", "gentle", "brutal"])
def test_no_preset_breaks_a_rule_in_twenty_thousand_maps(preset: str) -> None:
    facts = maps.audit(load_preset("voyage", preset), preset, 20_000)
    assert facts["violations"]["total"] == 0
    assert facts["typing"]["waivers"] == 0
    assert facts["typing"]["failed_seeds"] == 0


@pytest.mark.parametrize("rows", [3, 5, 9, 15, 30])
def test_sparse_maps_have_one_locked_treasure_in_the_window(rows: int) -> None:
    for seed in range(40):
        drawn = maps.generate("voyage", "sparse", seed, {"rows": rows})
        locked = [node for node in drawn.nodes if node.type == "treasure" and node.locked]
        window = range(4, min(6, rows - 2) + 1)
        assert [node.row in window for node in locked] == ([True] if window else [])


def test_spire_has_the_proportions_of_slay_the_spire() -> None:
    facts = maps.audit(load_preset("voyage", "spire"), "spire", 20_000)
    shares = {name: entry["observed"] for name, entry in facts["rolled"].items()}
    expected = {"shop": 0.05, "port": 0.12, "unknown": 0.22, "elite": 0.08}
    assert shares == pytest.approx({**expected, "monster": 0.53}, abs=0.01)
    for row in facts["rows"][:5]:
        assert not {"elite", "port"} & set(row["types"])


def test_the_treasure_row_can_be_rounded_half_up() -> None:
    assert load_preset("voyage", "guide", {"rows": 12}).treasure_row == 8
    assert load_preset("voyage", "guide", {"rows": 12, "treasure_rounding": "half_up"}).treasure_row == 7


# --- rules that cannot be ------------------------------------------------------------------------------------------


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(ContentError, match="rows = 2 is too small"):
        load_preset("voyage", "guide", {"rows": 2})


def test_odds_that_the_bans_leave_empty_are_refused_by_field_row_and_rule() -> None:
    bands = [{"name": "all", "until_percent": 100, "odds": {"elite": 5}}]
    with pytest.raises(RulesError) as refused:
        load_preset("voyage", "guide", {"bands": bands})
    (fault,) = refused.value.faults
    assert (fault.field, fault.value, fault.rule) == ("bands.all.odds", {"elite": 5}, "voyage.elite-unlock")
    assert "row(s) 2, 3, 4, 5:" in fault.problem
    assert fault.where.startswith("maps/voyage/guide.toml")


def test_when_two_types_cannot_fill_three_ways_the_waiver_is_logged() -> None:
    """With two types only, a split in three has no answer: Monster comes as a last resort, marked and reported."""
    bands = [{"name": "all", "until_percent": 100, "odds": {"monster": 1, "unknown": 1}}]
    waived = [
        (drawn, node)
        for drawn in (maps.generate("voyage", "guide", seed, {"bands": bands}) for seed in range(60))
        for node in drawn.nodes
        if node.waived
    ]
    assert waived
    drawn, node = waived[0]
    assert node.type == "monster"
    assert node in maps.check(drawn).waivers
    assert maps.check(drawn).ok
    assert "last resort" in " ".join(maps.explain(drawn, node.id).sentences())
