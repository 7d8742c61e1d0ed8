"""Damaged content, queries, overrides, targets and questions are refused in words; what is read is what it says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from cartomancer import content, maps
from cartomancer.content.codex import load_codex
from cartomancer.content.presets import rules_from
from cartomancer.content.toml_files import DATA
from cartomancer.encounters.packing import pack
from cartomancer.lab.measures.bands import read_targets
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.runs import sql
from cartomancer.lab.runs.jobs import job_of
from cartomancer.lab.runs.run_store import Results
from cartomancer.lab.runs.running import run_job
from cartomancer.lab.tuner.request import split_targets
from cartomancer.maps.notation import nested, parse, parse_override
from cartomancer.maps.queries import compile_query
from tests.fuzz.mutations import EXAMPLES, damaged_data, damaged_texts, fuzzed, refused_in_words

FAMILIES = ("voyage", "contract", "guardian")
PRESETS = [path.read_text(encoding="utf-8") for family in FAMILIES for path in (DATA / "maps" / family).glob("s*.toml")]
ENTRIES = [content.starter(kind, "mine") for kind in ("strike", "deck", "room", "creature", "scenario", "trial")]
SETTINGS = ["rows=20", "unknown.base_shop=0.05", "treasure=single", "paths=6", 'weights={"shop": 3}', "columns=[7]"]
QUERIES = [
    "max_path(elite) >= 4 and first_row(shop) <= 4",
    "2 <= min_path(port) and not (routes < 100 or linearity > 0.7)",
    "count(shop) * 3 - count(port) + 2 != 9",
]
TARGETS = ["kill=10..20, panic=..30", "agency=2±0.5, dungeon_win=55±4", "boar:rounds=6.."]
QUESTIONS = [
    "select outcome, count(*) from runs group by all order by 2",
    "with a as (from runs) select seed, rounds / lead_changes from a where rounds > 3",
]


@fuzzed
@given(damaged_texts(PRESETS))
def test_a_damaged_preset_is_refused_or_has_the_rules_it_says(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    refused_in_words(lambda: content.check_files([path]))
    for family in FAMILIES:
        rules = refused_in_words(lambda family=family: content.load_preset(family, str(path)))  # type: ignore[misc]
        assert rules is None or rules_from(family, rules.rule_fields(), "again").rule_fields() == rules.rule_fields()


@fuzzed
@given(damaged_data([content.load_preset(family).rule_fields() for family in FAMILIES]))
def test_damaged_rules_are_refused_or_are_what_they_say(fields: Any) -> None:
    for family in FAMILIES:
        rules = refused_in_words(lambda family=family: rules_from(family, fields, "rules"))  # type: ignore[misc]
        assert rules is None or rules_from(family, rules.rule_fields(), "again") == rules


@settings(fuzzed, max_examples=max(EXAMPLES // 5, 1))  # each reads all content
@given(damaged_texts(ENTRIES))
def test_a_damaged_entry_is_refused_or_is_content(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    refused_in_words(lambda: content.check_files([path]))


@fuzzed
@given(damaged_texts(SETTINGS))
def test_a_damaged_override_is_refused_or_is_written_as_it_was_read(text: str) -> None:
    def read() -> tuple[dict[str, Any], maps.Map]:
        overrides = nested(dict([parse_override(text)]))
        return overrides, maps.generate("voyage", "guide", 1, overrides)

    if found := refused_in_words(read):
        overrides, drawn = found
        assert nested(parse(drawn.notation).overrides) == overrides
        assert maps.read_notation(drawn.notation) == drawn


@fuzzed
@given(damaged_texts(QUERIES))
def test_a_damaged_query_is_refused_or_compiles_to_the_same_again(text: str) -> None:
    query = refused_in_words(lambda: compile_query(text, "voyage"))
    assert query is None or np.array_equal(compile_query(query.text, "voyage").program, query.program)


@fuzzed
@given(damaged_texts(TARGETS))
def test_damaged_targets_are_refused_or_have_ends_that_are_numbers(text: str) -> None:
    codex = load_codex()
    context = ScenarioContext.of(pack("boar", codex), codex)
    asked, _ = split_targets(text, ["boar"])
    for part in asked.values():
        for target in refused_in_words(lambda part=part: read_targets(part, context)) or ():  # type: ignore[misc]
            ends = [end for end in (target.low, target.high) if end is not None]
            assert ends == sorted(ends)
            assert all(map(math.isfinite, ends))
            assert read_targets(f"{target.name}={target.band()}", context) == (target,)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("results")
    run_job(Results(folder), job_of("boar", 7), 3)
    with sql.connect(folder) as connection:
        yield connection


@fuzzed
@given(damaged_texts(QUESTIONS))
def test_a_damaged_question_is_refused_or_answered(runs: Any, text: str) -> None:
    answer = refused_in_words(lambda: [*sql.ask(runs, text, seconds=2).rows()])
    assert answer is None or all(isinstance(row, tuple) for row in answer)
