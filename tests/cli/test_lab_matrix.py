"""`cartomancer lab matrix` and `lab compositions`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.lab.matrix import matchups as matrices
from tests.cli.conftest import Run

SMALL = ("--parties", "two_gates,iron_column", "--rooms", "veil_breach-honeyed_hollow,root_hollow-veil_breach")
Json = Callable[..., Any]


def test_compositions_are_counted(run: Run, run_json: Json) -> None:
    facts = run_json("lab", "compositions", "--rooms", "2-3")
    assert (facts["all_parties"], facts["dungeons"], facts["cells"]) == (330, 576, 330 * 576)
    assert "330 parties of four" in run("lab", "compositions").stdout


def test_samples_and_surroundings_are_scenarios_for_other_commands(run: Run, run_json: Json) -> None:
    drawn = run_json("lab", "compositions", "--sample", "3", "--seed", "5")["scenarios"]
    assert len(drawn) == 3
    assert run_json("simulate", drawn[0], "-n", "5")["scenario"] == drawn[0]
    around = run_json("lab", "compositions", "--around", "match:iron_column/root_hollow-veil_breach")["scenarios"]
    assert "match:iron_column/veil_breach-root_hollow" in around


def test_a_matrix_says_who_beats_whom(run: Run, tmp_path: Path) -> None:
    result = run("lab", "matrix", *SMALL, "--games", "40", "--seed", "3", "--results", str(tmp_path))
    assert result.exit_code == 0
    text = result.stdout
    assert "2 dungeons × 2 parties: 4 cells, 160 games, seed 3" in text
    for words in (
        "No composition wins 70 % or more",
        "Lopsided matchups keep agency",
        "strength",
        "the meta's dungeons",
    ):
        assert words in text
    replay = re.search(r"cartomancer (encounter replay match:\S+@3:0)", text)
    assert replay is not None
    assert run(*replay[1].split()).exit_code == 0


def test_the_same_numbers_come_as_json_and_from_what_is_stored(run_json: Json, tmp_path: Path) -> None:
    asked = ("lab", "matrix", *SMALL, "--games", "40", "--results", str(tmp_path), "--cells")
    first, again = run_json(*asked), run_json(*asked, "--threads", "1")
    for facts in (first, again):
        del facts["seconds"]
    assert first == again
    [cell] = [one for one in first["cell_list"] if one["scenario"] == "match:two_gates/veil_breach-honeyed_hollow"]
    batch = run_json("simulate", cell["scenario"], "-n", "40")
    bonds = batch["outcomes"]["bond"]["rate"]
    assert cell["dungeon_share"] == pytest.approx(batch["dungeon_win"] + bonds / 2)
    assert cell["agency"] == pytest.approx(sum_of_changes(cell["scenario"]) / 40)


def sum_of_changes(scenario: str) -> int:
    from cartomancer.players.simulation import simulate

    return int(simulate(scenario, 40).rows["lead_changes"].sum())


def test_an_adaptive_matrix_says_which_intervals_it_has(run_json: Json, tmp_path: Path) -> None:
    facts = run_json("lab", "matrix", *SMALL, "--games", "80", "--adaptive", "--results", str(tmp_path))
    assert facts["intervals"] == "confidence sequences, 95 % at all times"
    assert facts["games"] <= 4 * 80


def test_the_page_is_one_offline_file(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "matrix.html"
    run("lab", "matrix", *SMALL, "--games", "20", "--results", str(tmp_path), "--html", str(page))
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert not re.search(r"(?:src|href)=['\"]?(?:https?:)?//", text)
    assert "default-src 'none'" in text
    assert "two_gates" in text
    assert "veil_breach-honeyed_hollow" in text
    assert len(text) < 5_000_000


def test_an_interrupt_prints_what_is_finished_and_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, asked = matrices.play_cells, ("lab", "matrix", *SMALL, "--games", "20", "--results", str(tmp_path))

    def interrupted(assembly: Any, steps: Any, *more: Any) -> Any:
        for (first, count), cells in steps.items():
            yield from usual(assembly, {(first, count): cells[:2]}, *more)
            raise KeyboardInterrupt

    monkeypatch.setattr(matrices, "play_cells", interrupted)
    stopped = run(*asked)
    assert stopped.exit_code == 130
    assert "2 cells, 40 games" in stopped.stdout
    assert "the same command goes on" in stopped.stderr
    monkeypatch.undo()
    assert "4 cells, 80 games" in run(*asked).stdout


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--parties", "nobody"), "unknown party 'nobody'"),
        (("--rooms", "7"), "right would be: 2, 3, 4"),
        (("--profiles", "kind"), "unknown profile of the dungeon 'kind'"),
        (("--backend", "abacus"), "unknown backend 'abacus'"),
        (("--sample", "100000000"), "a sample cannot be larger"),
        (("--around", "match:nobody/root_hollow-veil_breach"), "is not a known party or creature"),
    ],
)
def test_bad_input_is_refused(run: Run, tmp_path: Path, options: tuple[str, ...], problem: str) -> None:
    result = run("lab", "matrix", "--results", str(tmp_path / "results"), *options)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert not (tmp_path / "results").exists()
