"""`map rules`, `map presets`, `map schema`, `content check`, `map unknown`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cartomancer.content import preset_ids
from cartomancer.maps import families
from tests.cli.conftest import Run

RunJson = Callable[..., Any]
OUTCOMES = ("battle", "treasure", "shop", "event")


@pytest.mark.parametrize("family", families.names())
def test_the_inspector_schema_has_title_tooltip_default_and_range_for_every_field(run: Run, family: str) -> None:
    schema = json.loads(run("map", "rules", family, "--schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    required = set(schema.get("required", ()))
    for name, field in schema["properties"].items():
        if name in ("id", "title", "family"):
            continue
        assert field.get("title"), name
        assert field.get("description"), name
        assert name in required or "default" in field, name
        if field.get("type") in ("integer", "number"):
            assert {"minimum", "maximum"} <= set(field), name


@pytest.mark.parametrize("family", families.names())
def test_the_rules_of_every_preset_fit_the_schema_and_name_their_sources(run_json: RunJson, family: str) -> None:
    for preset in preset_ids(family):
        found = run_json("map", "rules", family, "--preset", preset)
        assert found["rules"]
        assert all(rule["id"] and rule["statement"] and rule["cite"] for rule in found["rules"])
        digest = run_json("map", "new", family, "--preset", preset, "--seed", "1")["ruleset"]["digest"]
        assert found["digest"] == digest


def test_the_rules_in_words_name_every_rule_and_field(run: Run, run_json: RunJson) -> None:
    for family in families.names():
        found, said = run_json("map", "rules", family), run("map", "rules", family).stdout
        assert all(rule["id"] in said for rule in found["rules"])
        assert all(field in said for field in found["fields"])


def test_the_rules_show_whole_tables(run: Run) -> None:
    said = run("map", "rules", "contract").stdout
    assert "4: { both = { rest = 50, shop = 25, event = 15, cache = 10 } }" in said
    assert 'becomes = "rest", lane = "both" }' in said
    assert "…" not in said.partition("\nsteps\n")[2]
    none = run(
        "map", "rules", "voyage", "--set", 'bands=[{"name":"all","until_percent":100,"odds":{"elite":0,"monster":5}}]'
    )
    assert "elite = 0" in none.stdout


def test_overrides_show_in_the_rules(run_json: RunJson) -> None:
    found = run_json("map", "rules", "voyage", "--set", "rows=20", "--set", "unknown.base_shop=0.5")
    assert (found["fields"]["rows"], found["fields"]["unknown"]["base_shop"]) == (20, 0.5)


def test_the_presets_are_listed_with_what_they_are(run_json: RunJson) -> None:
    listed = run_json("map", "presets")
    assert {(entry["family"], entry["id"]) for entry in listed} == {
        (family, preset) for family in families.names() for preset in preset_ids(family)
    }
    assert all(entry["summary"] for entry in listed)


@pytest.mark.parametrize("family", families.names())
def test_every_map_fits_the_published_schema(run: Run, run_json: RunJson, family: str) -> None:
    schema = json.loads(run("map", "schema").stdout)
    for preset in preset_ids(family):
        jsonschema.validate(run_json("map", "new", family, "--preset", preset, "--seed", "8"), schema)


def test_shipped_content_has_no_fault(run_json: RunJson) -> None:
    found = run_json("content", "check")
    assert found["ok"]
    assert found["faults"] == []


def test_a_faulty_file_gets_every_fault_and_exit_code_1(run: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('id = "good"\nfamily = "voyage"\ntitle = "Good"\nextends = "guide"\nrows = 12\n')
    bad.write_text('id = "bad"\nfamily = "voyage"\ntitle = "Bad"\nextends = "guide"\nrows = 99\ncolumn = 5\n')
    assert run("content", "check", str(good)).exit_code == 0
    result = run("content", "check", str(good), str(bad))
    assert result.exit_code == 1
    assert "rows" in result.stdout
    assert "columns" in result.stdout


def test_the_same_seed_and_visits_give_the_same_outcomes(run_json: RunJson) -> None:
    one = run_json("map", "unknown", "--seed", "42", "--visits", "50")
    assert one == run_json("map", "unknown", "--seed", "42", "--visits", "50")
    assert one["outcomes"] == [visit["outcome"] for visit in one["visits"]]
    longer = run_json("map", "unknown", "--seed", "42", "--visits", "60")
    assert longer["outcomes"][:50] == one["outcomes"]


def test_pity_rises_by_one_and_returns_to_zero_for_what_came(run_json: RunJson) -> None:
    before = [0, 0, 0]
    for visit in run_json("map", "unknown", "--seed", "7", "--visits", "200")["visits"]:
        assert visit["pity_before"] == before
        steps = zip((0.10, 0.02, 0.03), before, strict=True)
        assert visit["chances"] == pytest.approx([min(1, base * (1 + pity)) for base, pity in steps])
        before = [0 if visit["outcome"] == name else pity + 1 for name, pity in zip(OUTCOMES, before, strict=False)]
        assert visit["pity_after"] == before


def test_a_forced_visit_comes_as_told_and_shifts_no_roll_of_a_later_one(run_json: RunJson) -> None:
    forced = run_json("map", "unknown", "--seed", "42", "--visits", "10", "--force", "shop@3")
    assert forced["outcomes"][2] == "shop"
    assert forced["visits"][2]["forced"]
    assert [visit["forced"] for visit in forced["visits"]].count(True) == 1
    plain = run_json("map", "unknown", "--seed", "42", "--visits", "10")
    assert forced["outcomes"][:2] == plain["outcomes"][:2]


@pytest.mark.parametrize(
    "force", ["shop", "inn@3", "shop@0", "shop@11", "shop@x", "shop@²", "@3", "shop@" + "9" * 5000]
)
def test_a_force_that_cannot_be_is_wrong_usage(run: Run, force: str) -> None:
    result = run("map", "unknown", "--seed", "1", "--visits", "10", "--force", force)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize("pity", ["", "1,2", "1,2,3,4", "a,b,c", "-1,0,0", "²,0,0", "99999999999999,0,0"])
def test_pity_that_cannot_be_is_wrong_usage(run: Run, pity: str) -> None:
    result = run("map", "unknown", "--seed", "1", f"--pity={pity}")
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize("row", ["0", "-3", "99"])
def test_a_row_that_does_not_exist_is_wrong_usage(run: Run, row: str) -> None:
    assert run("map", "unknown", "--seed", "1", f"--row={row}").exit_code == 2


def test_the_forecast_is_exact_for_the_first_two_visits(run_json: RunJson) -> None:
    """M4: 10 / 1.8 / 2.646 / 85.554 %; then a Battle has 20 % unless one has just come."""
    first, second = run_json("map", "unknown", "--forecast", "--visits", "2")["visits"]
    assert [first[name] for name in OUTCOMES] == pytest.approx([0.1, 0.018, 0.02646, 0.85554])
    assert second["battle"] == pytest.approx(0.1 * 0.1 + 0.9 * 0.2)
    for step in (first, second):
        assert sum(step[name] for name in OUTCOMES) == pytest.approx(1)


def test_visits_whose_forecast_looks_the_same_share_a_row(run: Run) -> None:
    shown = run("map", "unknown", "--forecast", "--visits", "10000").stdout
    assert "–10000" in shown
    assert len(shown.splitlines()) < 120


def test_a_forecast_from_certain_pity_is_certain(run_json: RunJson) -> None:
    [first] = run_json("map", "unknown", "--forecast", "--visits", "1", "--pity", "9,0,0")["visits"]
    assert first["battle"] == 1


def test_a_banned_outcome_is_skipped_and_its_pity_still_rises(run_json: RunJson) -> None:
    ban = 'row_bans=[{"types":["monster"],"first":3,"last":3}]'
    found = run_json("map", "unknown", "--seed", "3", "--visits", "30", "--row", "3", "--set", ban)
    assert "battle" not in found["outcomes"]
    assert found["visits"][-1]["pity_after"][0] == 30


@pytest.mark.parametrize(("scope", "pity"), [("per_act", [0, 0, 0]), ("per_run", [3, 3, 3])])
def test_visits_may_go_through_acts(run: Run, run_json: RunJson, scope: str, pity: list[int]) -> None:
    visits = ("map", "unknown", "--seed", "42", "--visits", "6", "--visits-per-act", "3", "--set")
    forced = [part for visit in (1, 2, 3) for part in ("--force", f"event@{visit}")]
    found = run_json(*visits, f"unknown.pity_scope={scope}", *forced)
    assert [visit["act"] for visit in found["visits"]] == [1, 1, 1, 2, 2, 2]
    assert found["visits"][3]["pity_before"] == pity
    assert found["resolver"]["act"] == 2
    assert " act  visit" in run(*visits, f"unknown.pity_scope={scope}").stdout
    first, *_, fourth = run_json(*visits, f"unknown.pity_scope={scope}", "--forecast")["visits"][:4]
    assert (first["battle"] == fourth["battle"]) == (scope == "per_act")


def test_neighbours_count_when_the_rules_heed_them(run: Run, run_json: RunJson) -> None:
    beside = ("map", "unknown", "--seed", "3", "--visits", "30", "--beside", "monster")
    heeding = ("--set", "unknown.ignore_adjacency=false")
    found = run_json(*beside, *heeding)
    assert "battle" not in found["outcomes"]
    assert found["visits"][-1]["pity_after"][0] == 30
    assert run_json(*beside, *heeding, "--forecast")["visits"][0]["battle"] == 0
    for wrong, said in ((beside, "has no effect"), ((*beside, *heeding, "--beside", "port"), "port")):
        result = run(*wrong)
        assert (result.exit_code, result.stdout) == (2, "")
        assert said in result.stderr
