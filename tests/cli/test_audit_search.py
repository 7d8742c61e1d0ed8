"""`map audit`, `map compare`, `map search`, `map tour`: many maps, and what stops them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer import maps
from cartomancer.maps import families
from tests.cli.conftest import COMMAND, Run, strict_json

RunJson = Callable[..., Any]
EXAMPLE = "max_path(elite) >= 4 and first_row(shop) <= 4"


@pytest.mark.parametrize("family", families.names())
def test_an_audit_tells_types_rows_routes_and_violations_with_intervals(run_json: RunJson, family: str) -> None:
    facts = run_json("map", "audit", family, "--maps", "300")
    assert (facts["maps"], facts["violations"]["total"], facts["typing"]["waivers"]) == (300, 0, 0)
    assert set(facts["types"]) == set(families.of(family).kinds)
    for entry in facts["types"].values():
        assert entry["interval"][0] <= entry["mean"] <= entry["interval"][1]
    assert [row["row"] for row in facts["rows"]] == list(range(1, len(facts["rows"]) + 1))
    assert facts["routes"]["mean"] > 1


def test_an_audit_agrees_with_the_maps_one_by_one(run_json: RunJson) -> None:
    facts = run_json("map", "audit", "voyage", "--maps", "50", "--start", "1000")
    drawn = [maps.generate("voyage", "guide", seed) for seed in range(1000, 1050)]
    elites = sum(node.type == "elite" for one in drawn for node in one.nodes)
    assert facts["types"]["elite"]["total"] == elites
    assert facts["routes"]["mean"] == pytest.approx(sum(maps.analyse(one).routes for one in drawn) / 50)


@pytest.mark.parametrize("rows", ["3", "4"])
def test_an_audit_of_few_rows_says_that_there_is_no_treasure_row(run: Run, run_json: RunJson, rows: str) -> None:
    facts = run_json("map", "audit", "voyage", "--rows", rows, "--maps", "50")
    assert facts["types"]["treasure"]["total"] == 0
    assert "No Treasure row" in " ".join(facts["notes"])
    assert "No Treasure row" in run("map", "audit", "voyage", "--rows", rows, "--maps", "50").stdout


def test_an_audit_resolves_unknowns_under_the_bans_of_their_rows(run_json: RunJson) -> None:
    ban = 'row_bans=[{"types":["shop"],"first":1,"last":40}]'
    facts = run_json("map", "audit", "voyage", "--maps", "500", "--set", ban)
    assert all(visit["outcomes"]["shop"] == 0 for visit in facts["unknown"])


def test_the_html_report_is_one_offline_file(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "reports" / "audit.html"
    result = run("map", "audit", "voyage", "--maps", "100", "--html", str(target), "--json")
    assert result.exit_code == 0
    strict_json(result.stdout)
    page = target.read_text(encoding="utf-8")
    assert "<svg" in page
    loaded = re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(https?:[^"]+)', page)
    assert loaded == []


def test_a_report_with_list_overrides_is_written(run: Run, tmp_path: Path) -> None:
    ban = 'row_bans=[{"types":["port"],"first":1,"last":5}]'
    target = tmp_path / "audit.html"
    result = run("map", "audit", "voyage", "--maps", "20", "--set", ban, "--html", str(target))
    assert result.exit_code == 0, result.stderr
    assert target.exists()


def test_a_report_that_cannot_be_written_is_refused_without_a_traceback(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    result = run("map", "audit", "voyage", "--maps", "10", "--html", str(tmp_path / "file" / "audit.html"))
    assert result.exit_code in (1, 2)
    assert "audit.html" in result.stderr.replace("\n", "")


def test_two_audits_are_compared_and_real_differences_marked(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    for preset in ("gentle", "brutal"):
        saved = run("map", "audit", "voyage", "--preset", preset, "--maps", "300", "--json").stdout
        (tmp_path / f"{preset}.json").write_text(saved)
    one, two = str(tmp_path / "gentle.json"), str(tmp_path / "brutal.json")
    rows = {row["metric"]: row for row in run_json("map", "compare", one, two)}
    assert rows["elite per map"]["differs"]
    assert rows["elite per map"]["difference"] > 0
    assert re.search("voyage:gentle +voyage:brutal +difference", run("map", "compare", one, two).stdout)
    assert not any(row["differs"] for row in run_json("map", "compare", one, one))
    against = run_json("map", "audit", "voyage", "--preset", "brutal", "--maps", "300", "--against", one)
    assert {row["metric"]: row for row in against["comparison"]} == rows


@pytest.mark.parametrize("text", ["{}", "[]", "nonsense", '{"format": "cartomancer.audit/1"}', "null"])
def test_a_file_that_is_no_audit_is_refused(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "audit.json"
    path.write_text(text)
    for command in (["compare", str(path), str(path)], ["audit", "voyage", "--maps", "10", "--against", str(path)]):
        result = run("map", *command)
        assert result.exit_code in (1, 2)
        assert "audit" in result.stderr


def test_audits_of_two_families_cannot_be_compared(run: Run, tmp_path: Path) -> None:
    for family in ("voyage", "contract"):
        (tmp_path / family).write_text(run("map", "audit", family, "--maps", "20", "--json").stdout)
    result = run("map", "compare", str(tmp_path / "voyage"), str(tmp_path / "contract"))
    assert result.exit_code == 2
    assert "voyage" in result.stderr
    assert "contract" in result.stderr


def test_the_tour_draws_every_family_audits_it_and_says_where_the_report_is(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "atlas.html"
    result = run("map", "tour", "--maps", "50", "--html", str(target))
    assert result.exit_code == 0
    assert all(family in result.stdout for family in families.names())
    assert str(target) in result.output.replace("\n", "")
    assert target.exists()


def test_the_first_seed_of_an_audit_or_search_must_be_a_seed(run: Run) -> None:
    for command in (["audit", "voyage"], ["search", "voyage", "--where", "nodes > 1", "--seeds", "10"]):
        assert run("map", *command, "--start", str(2**64)).exit_code == 2


def test_a_search_finds_exactly_the_seeds_whose_maps_fit(run: Run, run_json: RunJson) -> None:
    found = run_json("map", "search", "voyage", "--where", EXAMPLE, "--seeds", "500", "--limit", "500")
    expected = []
    for seed in range(500):
        types = maps.analyse(maps.generate("voyage", "guide", seed)).types
        if "elite" in types and types["elite"].most >= 4 and "shop" in types and (types["shop"].first_row or 99) <= 4:
            expected.append(seed)
    assert found["hits"] == expected
    assert expected


def test_the_notations_a_search_prints_can_be_shown(run: Run) -> None:
    for family, where in (("voyage", EXAMPLE), ("contract", "count(elite) >= 1"), ("guardian", "count(trap) >= 1")):
        result = run("map", "search", family, "--where", where, "--seeds", "20000", "--limit", "2")
        assert result.exit_code == 0
        for notation in result.stdout.split():
            assert run("map", "show", notation).exit_code == 0, notation


def test_a_search_that_finds_nothing_says_how_many_it_saw_and_the_closest_miss(run: Run, run_json: RunJson) -> None:
    result = run("map", "search", "voyage", "--where", "count(elite) >= 99", "--seeds", "200")
    assert result.exit_code == 1
    miss = run_json("map", "search", "voyage", "--where", "count(elite) >= 99", "--seeds", "200", code=1)
    seed, distance = miss["closest_miss"]["seed"], miss["closest_miss"]["distance"]
    assert result.stdout == ""
    assert "200 seeds" in result.stderr
    assert f"voyage:guide:{seed}" in result.stderr
    best = [sum(node.type == "elite" for node in maps.generate("voyage", "guide", s).nodes) for s in range(200)]
    assert 99 - distance == max(best) == best[seed]


def test_a_query_out_of_all_reach_still_names_a_closest_miss(run: Run) -> None:
    result = run("map", "search", "voyage", "--where", "count(elite) >= 9999999999", "--seeds", "10")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "None" not in result.stderr


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("max_pth(elite) > 1", ["max_path", "first_row", "routes"]),
        ("rooms > 1", ["nodes", "routes", "linearity", "max_path(TYPE)"]),
        ("max_path(elit) > 1", ["elite", "monster", "boss"]),
        ("max_path > 1", ["max_path(elite)"]),
        ("max_path(elite, shop) > 1", ["one type"]),
        ("nodes", ["compare"]),
        ("nodes > 'many'", ["many"]),
        ("nodes in (1, 2)", [">="]),
        ("nodes / 2 > 1", ["+ - *"]),
        ("__import__('os').system('true') > 0", ["known"]),
        ("(lambda: 1)() > 0", ["known"]),
        ("nodes > 1 and", ["expression"]),
        ("", ["expression"]),
        ("nodes >= 99999999999999999999", ["99999999999999999999"]),
        ("nodes >= 1e400", ["1e400"]),
        ("not " * 5000 + "nodes > 1", ["nested"]),
        ("+".join(["nodes"] * 5000) + " > 1", [""]),
    ],
)
def test_a_query_that_cannot_be_read_is_wrong_usage_and_says_what_is_known(
    run: Run, query: str, words: list[str]
) -> None:
    result = run("map", "search", "voyage", "--where", query, "--seeds", "10")
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(word in result.stderr for word in words), result.stderr[:500]


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("not (count(elite) < 5 or linearity > 0.7)", "count(elite) >= 5 and linearity <= 0.7"),
        ("not not (count(elite) == 5)", "5 <= count(elite) <= 5"),
        ("not (3 <= count(elite) <= 5)", "count(elite) < 3 or count(elite) > 5"),
        ("count(elite) > 4.5", "count(elite) >= 5"),
        ("count(shop) + count(elite) - 1 >= 9", "count(shop) + count(elite) >= 10"),
    ],
)
def test_queries_that_mean_the_same_find_the_same(run_json: RunJson, query: str, same: str) -> None:
    options = ["--seeds", "400", "--limit", "400"]
    hits = [run_json("map", "search", "voyage", "--where", text, *options)["hits"] for text in (query, same)]
    assert hits[0] == hits[1]
    assert 0 < len(hits[0]) < 400


def test_a_type_that_a_map_lacks_has_no_last_row(run_json: RunJson) -> None:
    """`last_row(shop) >= 14`: row 14 is all Ports, so no map can fit, least of all one without Shops."""
    found = run_json("map", "search", "voyage", "--where", "last_row(shop) >= 14", "--seeds", "2000", code=1)
    assert found["hits"] == []


def test_a_search_goes_on_from_its_checkpoint_and_finds_the_same(run_json: RunJson, tmp_path: Path) -> None:
    query = ["map", "search", "voyage", "--where", EXAMPLE, "--limit", "1000000"]
    whole = run_json(*query, "--seeds", "150000")
    path = str(tmp_path / "checkpoint.json")
    for seeds in ("5000", "60000", "100001", "150000"):
        result = run_json(*query, "--seeds", seeds, "--checkpoint", path)
    assert result["hits"] == whole["hits"]
    assert result["looked_at"] == whole["looked_at"] == 150000
    assert len(set(result["hits"])) == len(result["hits"]) > 0


def test_a_finished_search_run_again_looks_at_nothing_more(run_json: RunJson, tmp_path: Path) -> None:
    query = ["map", "search", "voyage", "--where", EXAMPLE, "--limit", "2", "--seeds", "200000"]
    path = str(tmp_path / "checkpoint.json")
    first = run_json(*query, "--checkpoint", path)
    assert run_json(*query, "--checkpoint", path) == first


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"job": 5, "start": "x"}', '{"job": "another search", "start": 0}', "null"]
)
def test_a_checkpoint_of_something_else_is_refused(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "checkpoint.json"
    path.write_text(text)
    result = run("map", "search", "voyage", "--where", EXAMPLE, "--seeds", "10", "--checkpoint", str(path))
    assert result.exit_code == 2
    assert "checkpoint.json" in result.stderr.replace("\n", "")
    assert path.read_text() == text


def test_a_checkpoint_that_cannot_be_written_is_refused_before_searching(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "no such folder" / "checkpoint.json"
    result = run("map", "search", "voyage", "--where", EXAMPLE, "--seeds", "10", "--checkpoint", str(path))
    assert result.exit_code in (0, 1, 2)
    assert path.exists() or result.exit_code == 2


def started(*arguments: str) -> subprocess.Popen[str]:
    """A batch with interpreted kernels: chunks are small, so an interrupt meets it between two of them."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    return subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def test_ctrl_c_ends_a_search_with_its_hits_and_the_checkpoint_goes_on(run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
    query = ["map", "search", "voyage", "--where", "count(elite) >= 6", "--limit", "100000", "--json"]
    process = started(*query, "--seeds", "1000000", "--checkpoint", str(path))
    while process.poll() is None and not (path.exists() and json.loads(path.read_text())["looked_at"]):
        pass  # the first chunk is not done yet
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert "Traceback" not in stderr
    stopped = strict_json(stdout)
    assert not stopped["finished"]
    assert 0 < stopped["looked_at"] < 1_000_000
    saved = json.loads(path.read_text())
    assert saved["looked_at"] == stopped["looked_at"]
    seeds = str(stopped["looked_at"] + 5000)
    resumed = run_json(*query[:-1], "--seeds", seeds, "--checkpoint", str(path))
    assert resumed == run_json(*query[:-1], "--seeds", seeds)


def test_ctrl_c_ends_an_audit_with_the_numbers_so_far() -> None:
    process = started("map", "audit", "contract", "--preset", "short", "--maps", "50000000", "--json")
    # an interrupt before the first chunk has nothing to tell, so wait until the audit has used some processor time
    while process.poll() is None and _processor_seconds(process.pid) < 5:
        pass
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert "Traceback" not in stderr
    assert process.returncode == 0, stderr
    facts = strict_json(stdout)
    assert 0 < facts["maps"] < facts["asked_for"] == 50_000_000
    assert "stopped after" in stderr


def _processor_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
