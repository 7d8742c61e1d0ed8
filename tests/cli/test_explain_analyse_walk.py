"""`map explain`, `map analyse`, `map walk`: one map looked at closely."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cartomancer.content import load_preset
from cartomancer.maps import families
from tests.cli.conftest import Run

RunJson = Callable[..., Any]


@pytest.mark.parametrize("family", families.names())
def test_every_node_of_a_map_is_explained_up_to_its_type(run_json: RunJson, family: str) -> None:
    drawn = run_json("map", "new", family, "--seed", "42")
    for node in drawn["nodes"]:
        found = run_json("map", "explain", family, "--seed", "42", "--node", str(node["id"]))
        assert (found["type"], found["row"], found["column"]) == (node["type"], node["row"], node["column"])
        assert found["fixed_by"] or found["weights"]
        stood = [roll["type"] for roll in found["rolls"] if roll["stood"]]
        forced = [entry["type"] for entry in found["forced_by"]]
        if not (found["fixed_by"] or found["searched"] or found["retyped_for"]):
            assert [*stood, found["narrowed_to"], *forced][-1] in (node["type"], None)
            assert node["type"] in {*stood, *forced, found["narrowed_to"]}
        assert not set(stood) & set(found["banned"])


@pytest.mark.parametrize(
    ("step", "lane", "weights"),
    [
        (3, 0, {"combat": 70, "event": 30}),
        (2, 1, {"combat": 30, "cache": 25, "elite": 20, "event": 15, "rest": 5, "shop": 5}),  # with a clamp on elites
    ],
)
def test_weights_are_those_of_the_presets_file(
    run: Run, run_json: RunJson, step: int, lane: int, weights: dict[str, int]
) -> None:
    tables = list(load_preset("contract", "short").written_lanes(step).values())  # type: ignore[attr-defined]
    found = run_json("map", "explain", "contract:short:7", "--node", f"r{step}c{lane + 1}")
    assert found["weights"] == tables[lane] == weights
    shares = {choice["type"]: choice["share"] for choice in found["choices"]}
    assert sum(shares.values()) == pytest.approx(1)
    said = run("map", "explain", "contract:short:7", "--node", f"r{step}c{lane + 1}").stdout
    assert ("clamp" in said) is ("elite" in weights)
    if "elite" in weights:
        assert shares["elite"] == pytest.approx(0.10)


def test_the_analysis_of_a_guardian_map_tells_minutes_of_play(run: Run, run_json: RunJson) -> None:
    minutes = run_json("map", "analyse", "guardian:composition:42")["minutes"]
    assert 20 < minutes["quickest"] <= minutes["mean"] <= minutes["longest"] < 40
    told = "minutes of play: {quickest:.1f} to {longest:.1f}, {mean:.1f} over all routes".format(**minutes)
    assert told in run("map", "analyse", "guardian:composition:42").stdout
    assert "minutes" not in run("map", "analyse", "voyage:guide:42").stdout


def test_a_ban_names_its_rule_and_the_node_behind_it(run_json: RunJson) -> None:
    source = ["--preset", "brutal", "--seed", "42"]
    reasons: dict[str, str] = {}
    for node in run_json("map", "new", "voyage", *source)["nodes"]:
        if not node["locked"]:
            found = run_json("map", "explain", "voyage", *source, "--node", str(node["id"]))
            reasons |= {entry["banned_by"]: entry["because"] for entry in found["choices"] if entry["banned_by"]}
    assert {"voyage.elite-unlock", "voyage.split-unique", "voyage.no-repeat", "voyage.row-ban"} <= set(reasons)
    assert "node " in reasons["voyage.split-unique"]
    assert "node " in reasons["voyage.no-repeat"]


def test_a_node_may_be_named_by_its_place_and_the_map_by_notation_or_file(
    run: Run, map_file: Callable[..., Path]
) -> None:
    node = json.loads(map_file("voyage").read_text())["nodes"][10]
    place = f"r{node['row']}c{node['column']}"
    by_id = run("map", "explain", "voyage", "--seed", "5", "--node", "10")
    assert by_id.exit_code == 0
    for source in (["voyage", "--seed", "5"], ["voyage:guide:5"], [str(map_file("voyage"))]):
        assert run("map", "explain", *source, "--node", place).stdout == by_id.stdout


@pytest.mark.parametrize("node", ["999", "-1", "r1c99", "boss", "²", "--5", "", "9" * 5000])
def test_a_node_that_does_not_exist_is_wrong_usage(run: Run, node: str) -> None:
    result = run("map", "explain", "voyage", "--seed", "1", f"--node={node}")
    assert result.exit_code == 2
    assert "node" in result.stderr
    assert len(result.stderr) < 6000


def test_explaining_a_family_needs_a_seed(run: Run) -> None:
    result = run("map", "explain", "voyage", "--node", "1")
    assert result.exit_code == 2
    assert "--seed" in result.stderr


def test_an_edited_node_is_explained_as_edited(run_json: RunJson, map_file: Callable[..., Path]) -> None:
    path = map_file("voyage", change=lambda data: data["nodes"][10].update(type="event"))
    original = run_json("map", "explain", "voyage", "--seed", "5", "--node", "10")["type"]
    assert original != "event"
    assert run_json("map", "explain", str(path), "--node", "10")["drawn_as"] == original


def test_a_file_may_number_its_nodes_as_it_likes(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    """A retyped neighbour is named by its place in the file, whatever ids the file gives its nodes."""
    bands = 'bands=[{"name":"all","until_percent":100,"odds":{"monster":50,"unknown":50,"elite":3}}]'
    options = ["--seed", "386", "--paths", "8", "--columns", "5", "--set", bands]
    data = run_json("map", "new", "voyage", *options)
    for node in data["nodes"]:
        node["id"] += 1000
    data["edges"] = [[source + 1000, target + 1000] for source, target in data["edges"]]
    data["paths"] = [[node + 1000 for node in path] for path in data["paths"]]
    path = tmp_path / "renumbered.json"
    path.write_text(json.dumps(data))
    for node in data["nodes"]:
        assert run("map", "explain", str(path), "--node", str(node["id"])).exit_code == 0


def routes_of(drawn: dict[str, Any]) -> list[list[int]]:
    """Every route, walked one by one: what the analysis must agree with."""
    onward: dict[int, list[int]] = {node["id"]: [] for node in drawn["nodes"]}
    for source, target in drawn["edges"]:
        onward[source].append(target)
    last = max(node["row"] for node in drawn["nodes"])
    row = {node["id"]: node["row"] for node in drawn["nodes"]}
    routes = [[node["id"]] for node in drawn["nodes"] if node["row"] == 1]
    while any(row[route[-1]] < last for route in routes):
        routes = [[*route, target] for route in routes for target in onward[route[-1]]]
    return routes


@pytest.mark.parametrize("notation", ["voyage:guide[rows=9]:3", "contract:standard:3", "guardian:slice:3"])
def test_the_analysis_agrees_with_walking_every_route(run_json: RunJson, notation: str) -> None:
    drawn, found = run_json("map", "new", notation), run_json("map", "analyse", notation)
    routes = routes_of(drawn)
    kind = {node["id"]: node["type"] for node in drawn["nodes"]}
    danger = drawn["ruleset"]["fields"]["danger"]
    assert found["routes"] == len(routes)
    assert set(found["forced_nodes"]) == set.intersection(*(set(route) for route in routes))
    costs = [sum(danger[kind[node]] for node in route) for route in routes]
    for name, value in (("safest", min(costs)), ("riskiest", max(costs))):
        route = found[name]["nodes"]
        assert found[name]["danger"] == value == sum(danger[kind[node]] for node in route)
        assert route in routes
    assert (found["minutes"] is not None) is (drawn["family"] == "guardian")
    for name in set(kind.values()):
        counts = [sum(kind[node] == name for node in route) for route in routes]
        entry = found["types"][name]
        assert (entry["least"], entry["most"]) == (min(counts), max(counts))
        assert entry["distribution"] == {str(value): counts.count(value) for value in sorted(set(counts))}
        assert entry["first_row"] == min(node["row"] for node in drawn["nodes"] if node["type"] == name)


def test_a_walk_starts_anywhere_on_the_first_row_and_follows_edges(run_json: RunJson) -> None:
    drawn = run_json("map", "new", "voyage", "--seed", "42")
    start = run_json("map", "walk", "voyage:guide:42")
    assert start["available"] == [node["id"] for node in drawn["nodes"] if node["row"] == 1]
    first = start["available"][0]
    after = run_json("map", "walk", "voyage:guide:42", "--choose", str(first))
    assert sorted(after["available"]) == sorted(target for source, target in drawn["edges"] if source == first)


def test_a_sampled_walk_reaches_the_boss_and_is_the_same_every_time(run_json: RunJson) -> None:
    drawn = run_json("map", "new", "guardian", "--seed", "42")
    one = run_json("map", "walk", "guardian:three_acts:42", "--sample", "9")
    assert one == run_json("map", "walk", "guardian:three_acts:42", "--sample", "9")
    assert one["over"]
    assert one["available"] == []
    edges = {tuple(edge) for edge in drawn["edges"]}
    assert all(step in edges for step in pairwise(one["visited"]))


def test_entering_an_unconnected_node_is_refused_and_names_both_nodes(run: Run) -> None:
    result = run("map", "walk", "voyage:guide:42", "--choose", "0,50")
    assert result.exit_code == 2
    assert "node 0" in result.stderr
    assert "node 50" in result.stderr
    early = run("map", "walk", "voyage:guide:42", "--choose", "50")
    assert early.exit_code == 2
    assert "node 50" in early.stderr
    assert "start" in early.stderr


def test_a_walk_tells_what_its_unknowns_became(run: Run, run_json: RunJson) -> None:
    walk = ("map", "walk", "voyage:guide:42", "--sample", "3")
    resolved, said = run_json(*walk)["resolved"], run(*walk).stdout
    assert resolved
    assert all(f"unknown: {outcome} ({node})" in said for node, outcome in resolved.items())


@pytest.mark.parametrize("options", [["--seed", "7"], ["--preset", "brutal"], ["--rows", "20"], ["--set", "rows=20"]])
def test_options_that_would_change_a_given_map_are_refused(
    run: Run, map_file: Callable[..., Path], options: list[str]
) -> None:
    for source in ("voyage:guide:5", str(map_file("voyage"))):
        result = run("map", "explain", source, "--node", "3", *options)
        assert result.exit_code == 2
        assert "says it all" in result.stderr
        assert result.stdout == ""


def test_a_walk_that_has_not_begun_shows_the_first_row_as_open(run: Run) -> None:
    result = run("map", "walk", "contract:standard:7")
    first = next(line for line in result.stdout.splitlines() if line.startswith("  1  "))
    assert first.count("(") == 2


def test_a_walk_goes_on_from_its_save_whatever_the_map_was_made_into(
    run: Run, run_json: RunJson, map_file: Callable[..., Path], tmp_path: Path
) -> None:
    path = map_file("voyage", change=lambda data: data["nodes"][10].update(type="event"))
    save = tmp_path / "walk.json"
    save.write_text(json.dumps(run_json("map", "walk", str(path), "--choose", "0")), encoding="utf-8")
    resumed = run("map", "walk", str(save), "--json")
    assert json.loads(resumed.stdout) == json.loads(save.read_text())
    assert "node 10" in resumed.stderr
    assert json.loads(resumed.stdout)["map"]["nodes"][10]["type"] == "event"
    assert run_json("map", "walk", str(save), "--sample", "3")["over"]
    save.write_text(json.dumps({**json.loads(save.read_text()), "host": "nobody"}), encoding="utf-8")
    refused = run("map", "walk", str(save))
    assert refused.exit_code == 1
    assert f"{save}: host = 'nobody'" in refused.stderr


def test_the_public_half_of_a_map_is_not_walked_or_explained(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "public.json"
    assert run("map", "new", "voyage", "--seed", "5", "--public", "--output", str(path)).exit_code == 0
    assert run("map", "show", str(path)).exit_code == 0
    for command in (["walk"], ["walk", "--sample", "1"], ["explain", "--node", "1"], ["repair"]):
        for source in (str(path), "voyage:guide:hidden"):
            result = run("map", command[0], source, *command[1:])
            assert result.exit_code == 2
            assert "hides its seed" in result.stderr


def test_what_players_may_know_of_a_walk(run_json: RunJson) -> None:
    seen = run_json("map", "walk", "guardian:slice:7", "--choose", "0", "--public")
    assert (seen["public"], seen["visited"]) == (True, [0])
    assert ["encounter" in node for node in seen["nodes"][:3]] == [True, False, False]
    by_new = run_json("map", "new", "guardian:slice:7", "--visited", "0", "--public")
    assert by_new == {key: value for key, value in seen.items() if key not in ("available", "over")}


# --- acts, forced Unknowns, telemetry ---------------------------------------------------------------------------------


def test_a_walk_goes_on_through_acts(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    notation = "voyage:guide[unknown.pity_scope=per_run]:11"
    whole = run_json("map", "walk", notation, "--sample", "1", "--acts", "3", "--telemetry")
    assert (whole["over"], len(whole["earlier"]), whole["unknowns"]["act"]) == (True, 2, 3)
    resolves = [found for act in whole["telemetry"] for found in act["resolves"]]
    assert [found["visit"] for found in resolves] == list(range(1, len(resolves) + 1))
    for before, after in pairwise(resolves):
        assert after["pity_before"] == before["pity_after"]
    one = run_json("map", "walk", notation, "--sample", "1")
    assert one["visited"] == whole["earlier"][0]["visited"]
    save = tmp_path / "walk.json"
    save.write_text(json.dumps(one), encoding="utf-8")
    begun = run_json("map", "walk", str(save), "--acts", "2")
    assert (begun["visited"], begun["over"], begun["map"]) == ([], False, whole["earlier"][1]["map"])
    said = run("map", "walk", notation, "--sample", "1", "--acts", "2").stdout
    assert f"act 1, {one['map']['notation']}: monster (" in said
    save.write_text(json.dumps(whole), encoding="utf-8")
    too_few = run("map", "walk", str(save), "--acts", "2")
    assert too_few.exit_code == 2
    assert "in act 3 already" in too_few.stderr


def test_nodes_are_chosen_on_the_map_of_their_act(run_json: RunJson) -> None:
    first = run_json("map", "walk", "voyage:guide:11", "--sample", "1")
    way = ",".join(map(str, first["visited"]))
    second = run_json("map", "walk", "voyage:guide:11", "--acts", "2", "--choose", way)
    starts = [node for node in second["map"]["nodes"] if node["row"] == 1]
    assert second["available"] == [node["id"] for node in starts]
    place = f"r1c{starts[-1]['column']}"
    third = run_json("map", "walk", "voyage:guide:11", "--acts", "2", "--choose", f"{way},{place}")
    assert third["visited"] == [starts[-1]["id"]]


@pytest.mark.parametrize("outcome", ["battle", "treasure", "shop", "event"])
def test_the_next_unknown_of_a_walk_is_forced_and_its_save_tells(
    run: Run, run_json: RunJson, tmp_path: Path, outcome: str
) -> None:
    walk = ("map", "walk", "voyage:guide:42", "--sample", "3", "--force-next", outcome)
    found = run_json(*walk, "--telemetry")
    node, came = next(iter(found["resolved"].items()))
    assert (came, found["forced"], found["unknowns"]["forced"]) == (outcome, [int(node)], None)
    assert [one["forced"] for one in found["telemetry"][0]["resolves"]] == [True] + [False] * (
        len(found["resolved"]) - 1
    )
    assert f"unknown: {outcome}, forced ({node})" in run(*walk).stdout
    save = tmp_path / "walk.json"
    save.write_text(json.dumps(found), encoding="utf-8")
    assert run_json("map", "walk", str(save), "--telemetry") == found


def test_what_is_forced_waits_in_the_save(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    waiting = ("map", "walk", "voyage:guide:42", "--force-next", "treasure")
    assert "the next Unknown is forced: treasure" in run(*waiting).stdout
    assert "treasure" not in run(*waiting, "--public").stdout.rpartition("way so far")[2]
    save = tmp_path / "walk.json"
    save.write_text(json.dumps(run_json(*waiting)), encoding="utf-8")
    assert next(iter(run_json("map", "walk", str(save), "--sample", "3")["resolved"].values())) == "treasure"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["voyage:guide:42", "--force-next", "boat"], "battle, treasure, shop, event"),
        (["guardian:slice:7", "--force-next", "shop"], "guardian maps have no Unknowns"),
        (["guardian:slice:7", "--sample", "1", "--acts", "2"], "only voyages go on through acts"),
        (["voyage:guide:42", "--telemetry", "--public"], "take one of them"),
    ],
)
def test_what_cannot_be_on_a_walk_is_wrong_usage(run: Run, arguments: list[str], said: str) -> None:
    result = run("map", "walk", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_public_walk_through_acts_tells_no_seed(run: Run, run_json: RunJson) -> None:
    walk = ("map", "walk", "voyage:guide:1234567890123", "--sample", "1", "--acts", "2")
    seeds = ["1234567890123", str(run_json(*walk)["map"]["seed"])]
    for shown in (run(*walk, "--public").stdout, json.dumps(run_json(*walk, "--public"))):
        assert not any(seed in shown for seed in seeds)
