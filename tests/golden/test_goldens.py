"""Seeds mean today what they meant when the goldens were written. `make goldens` records a change that was meant."""

from __future__ import annotations

import pytest

from tests.golden.rewrite import (
    cases,
    expedition_cases,
    expedition_path,
    expedition_text,
    golden_path,
    golden_text,
    kept,
    run_cases,
    run_path,
    run_text,
)


@pytest.mark.parametrize("notation", cases())
def test_a_seed_still_means_the_same_map(notation: str) -> None:
    assert golden_text(notation) == golden_path(notation).read_text(encoding="utf-8")


@pytest.mark.parametrize(("scenario", "players", "seed"), run_cases())
def test_a_seed_still_means_the_same_run(scenario: str, players: str, seed: int) -> None:
    assert run_text(scenario, players, seed) == run_path(scenario, players, seed).read_text(encoding="utf-8")


@pytest.mark.parametrize(("preset", "who"), expedition_cases())
def test_a_seed_still_means_the_same_expedition(preset: str, who: str) -> None:
    assert expedition_text(preset, who) == expedition_path(preset, who).read_text(encoding="utf-8")


def test_every_golden_file_is_a_case() -> None:
    runs = {run_path(*case) for case in run_cases()} | {expedition_path(*case) for case in expedition_cases()}
    assert {golden_path(notation) for notation in cases()} | runs == kept()
