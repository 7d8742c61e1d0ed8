"""Audits: counts that add up, intervals that hold, comparisons that notice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from cartomancer import maps
from cartomancer.codes import STREAM_WALK
from cartomancer.content import load_preset
from cartomancer.errors import CartomancerError, KeptFileError
from cartomancer.intervals import wilson
from cartomancer.maps import families
from cartomancer.rng import Stream


@pytest.mark.parametrize("family", families.names())
def test_an_audit_counts_what_single_maps_hold(family: str) -> None:
    rules = load_preset(family)
    facts = maps.audit(rules, "x", 150, first_seed=1000)
    drawn = [maps.generate_from(rules, "x", seed) for seed in range(1000, 1150)]
    kinds = Counter(node.type for one in drawn for node in one.nodes)
    assert {name: entry["total"] for name, entry in facts["types"].items() if entry["total"]} == dict(kinds)
    for row in facts["rows"]:
        nodes = [node for one in drawn for node in one.row_nodes(row["row"])]
        assert row["nodes"] == pytest.approx(len(nodes) / 150)
        assert row["types"] == pytest.approx({k: n / len(nodes) for k, n in Counter(x.type for x in nodes).items()})
    analyses = [maps.analyse(one) for one in drawn]
    assert facts["routes"]["mean"] == pytest.approx(sum(found.routes for found in analyses) / 150)
    assert facts["routes"]["disjoint"] == {
        str(k): n for k, n in sorted(Counter(found.disjoint_routes for found in analyses).items())
    }
    assert sum(map(sum, facts["expressive_range"]["maps"])) == 150
    if minutes := facts["routes"]["minutes"]:
        for name, of_map in (("quickest", "quickest"), ("minutes", "mean"), ("longest", "longest")):
            told = [getattr(found.minutes, of_map) for found in analyses]
            assert minutes[f"{name}_mean"] == pytest.approx(sum(told) / 150)
    assert (minutes is not None) is (family == "guardian")
    assert facts["violations"] == {
        "total": 0,
        "maps": 0,
        "rate_interval": wilson(0, 150),
        "first_bad_seed": None,
        "by_rule": {},
    }


@pytest.mark.parametrize("preset", ["guide", "gentle", "brutal", "sparse"])
def test_rolled_types_come_as_odds_and_bans_imply(preset: str) -> None:
    """Within one point, on about 900,000 rolled nodes."""
    for entry in maps.audit(load_preset("voyage", preset), preset, 20_000)["rolled"].values():
        assert entry["observed"] == pytest.approx(entry["implied"], abs=0.01)


def test_the_implied_shares_of_a_roll_are_those_its_explanation_tells() -> None:
    rules = load_preset("voyage", "guide")
    facts = maps.audit(rules, "guide", 12)
    shares, rolled = Counter[str](), 0
    for seed in range(12):
        drawn = maps.generate_from(rules, "guide", seed)
        for node in drawn.nodes:
            told = maps.explain(drawn, node.id)
            rolled += bool(told.choices)
            for choice in told.choices:
                shares[choice.type] += choice.share
    for name, entry in facts["rolled"].items():
        assert entry["implied"] == pytest.approx(shares[name] / rolled, abs=1e-5)


def test_unknowns_on_a_route_follow_their_pity() -> None:
    visits = maps.audit(load_preset("voyage", "guide"), "guide", 20_000)["unknown"]
    first = visits[0]
    assert first["pity"] == [0, 0, 0]
    assert first["outcomes"]["battle"] == pytest.approx(0.10, abs=0.015)
    assert visits[1]["pity"][0] == pytest.approx(1 - first["outcomes"]["battle"], abs=0.02)
    for entry in visits:
        assert sum(entry["outcomes"].values()) == pytest.approx(1)


def test_small_maps_say_that_they_have_no_treasure_row() -> None:
    assert "No Treasure row" in " ".join(maps.audit(load_preset("voyage", "guide", {"rows": 4}), "x", 50)["notes"])
    assert "No single Treasure" in " ".join(maps.audit(load_preset("voyage", "sparse", {"rows": 5}), "x", 50)["notes"])
    assert maps.audit(load_preset("voyage", "guide"), "x", 50)["notes"] == []


def test_waivers_are_counted() -> None:
    bands = [{"name": "all", "until_percent": 100, "odds": {"monster": 1, "unknown": 1}}]
    typing = maps.audit(load_preset("voyage", "guide", {"bands": bands}), "two", 500)["typing"]
    assert typing["waivers"] > 0
    assert 0 < typing["waiver_rate"] <= 1
    assert typing["waiver_rate_interval"][0] < typing["waiver_rate"] < typing["waiver_rate_interval"][1]


def test_audits_of_the_same_rules_agree_and_of_other_rules_differ() -> None:
    one = maps.audit(load_preset("voyage", "guide"), "guide", 5_000)
    two = maps.audit(load_preset("voyage", "guide"), "guide", 5_000, first_seed=10**6)
    brutal = maps.audit(load_preset("voyage", "brutal"), "brutal", 5_000)
    same = [row for row in maps.compare(one, two) if row["differs"]]
    assert len(same) <= 1, "95 % intervals that do not overlap are rare between equal rules"
    changed = {row["metric"]: row for row in maps.compare(one, brutal) if row["differs"]}
    assert changed["elite per map"]["difference"] > 1
    assert "boss per map" not in changed


def test_minutes_are_compared_where_both_audits_tell_them() -> None:
    one, two = (maps.audit(load_preset("guardian", name), name, 500) for name in ("three_acts", "five_acts"))
    changed = {row["metric"] for row in maps.compare(one, two) if row["differs"]}
    assert {f"minutes of the {which} route" for which in ("quickest", "mean", "longest")} <= changed
    older = {**one, "routes": {name: value for name, value in one["routes"].items() if name != "minutes"}}
    del older["digest"]  # which they had not either
    assert not any("minutes" in row["metric"] for row in maps.compare(older, two))


def test_what_cannot_be_compared_is_refused() -> None:
    one = maps.audit(load_preset("voyage", "guide"), "guide", 10)
    two = maps.audit(load_preset("contract", "short"), "short", 10)
    with pytest.raises(CartomancerError, match="cannot compare a voyage audit with a contract audit"):
        maps.compare(one, two)
    with pytest.raises(KeptFileError, match="the second audit: not a saved audit"):
        maps.compare(one, {"format": "x"})


def test_wilson_intervals_are_those_of_the_textbook() -> None:
    assert wilson(50, 100) == pytest.approx([0.4038, 0.5962], abs=1e-4)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == pytest.approx(1)


@pytest.mark.parametrize("ignore", [True, False])
def test_an_audit_resolves_unknowns_as_a_journey_on_the_same_route_does(ignore: bool) -> None:
    """M30: neighbours count in audits as on the way, seed by seed."""
    overrides = {"unknown": {"ignore_adjacency": ignore, "base_shop": 0.4, "base_battle": 0.3}}
    rules, outcomes = load_preset("voyage", "guide", overrides), Counter[str]()
    for seed in range(60):
        journey, stream = maps.Journey(maps.generate_from(rules, "guide", seed)), Stream(seed, STREAM_WALK)
        while not journey.over:
            journey = journey.select("host", stream.pick(journey.available()).id)
        outcomes.update(journey.resolved.values())
    facts = maps.audit(rules, "guide", 60)["unknown"]
    counted = Counter[str]()
    for visit in facts:
        counted.update({name: round(share * visit["times"]) for name, share in visit["outcomes"].items()})
    assert +counted == outcomes


def test_a_damaged_audit_is_refused_with_every_fault(tmp_path: Path) -> None:
    path = tmp_path / "audit.json"
    facts = maps.audit(load_preset("contract", "short"), "short", 10)
    old = {key: value for key, value in facts.items() if key != "digest"}
    for readable in (facts, old):
        path.write_text(json.dumps(readable))
        assert maps.compare(maps.read_audit(path), facts)
    broken = {**facts, "maps": "many", "types": {**facts["types"], "boss": {}}, "unknown": None}
    path.write_text(json.dumps(broken))
    with pytest.raises(KeptFileError, match=r"audit\.json: not a saved audit") as caught:
        maps.read_audit(path)
    assert {fault.field.partition(".")[0] for fault in caught.value.faults} == {"maps", "types", "unknown", "digest"}
    for change in ({"family": "dungeon"}, {"types": {}}):
        with pytest.raises(KeptFileError, match=r"is not a map family|lack combat"):
            maps.compare({**old, **change}, facts)
