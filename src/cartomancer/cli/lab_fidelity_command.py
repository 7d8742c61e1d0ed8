"""`cartomancer lab fidelity`: does the game play as its documents say?"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AsJson, BatchSeed, Threads, seed_or_random

if TYPE_CHECKING:
    from cartomancer.content.codex import Codex
    from cartomancer.lab.fidelity.rows import Fidelity, Row

RUNS, QUICK_RUNS = 10_000, 2_000
STYLES = {"met": "green", "explained": "yellow", "missed": "red", "unknown": "magenta"}


def _set_names(incomplete: str) -> list[str]:
    from cartomancer.content.codex import load_codex

    sets = load_codex().targets
    names = dict.fromkeys([*sets, *(asked.scenario for asked in sets.values() if asked.scenario)])
    return [name for name in names if name.startswith(incomplete)]


def fidelity(
    sets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SET",
            help="Sets of targets, or scenarios: all of their sets. Everything without any; "
            "`cartomancer content list target` lists them.",
            autocompletion=_set_names,
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option("--runs", "-n", min=1, help=f"Runs of each batch: {RUNS:,}, or {QUICK_RUNS:,} with --quick."),
    ] = None,
    seed: BatchSeed = "0",
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Leave out what takes minutes (contrasts, matrices); widen bands by the sampling error."
        ),
    ] = False,
    threads: Threads = None,
    content: Annotated[
        Path | None, typer.Option("--content", metavar="DIR", help="A content folder; the content in use without it.")
    ] = None,
    results: Annotated[
        Path, typer.Option("--results", metavar="DIR", help="The folder of results: cells of a matrix are kept there.")
    ] = Path("results"),
    as_json: AsJson = False,
) -> None:
    """Measure the game against its targets: every row with its band, what was measured (95 % interval) and a verdict.

    A row is met, missed, explained (missed, and its set says why) or unknown (nothing happened that could be measured,
    or a matrix that more games would have to decide). Exit code 0 if all are met or explained, 1 otherwise. Stopped,
    it shows the sets that are whole.

    cartomancer lab fidelity boar moth
    """
    from cartomancer.content.codex import load_codex
    from cartomancer.lab.fidelity.measuring import FidelitySettings, measured, total_runs
    from cartomancer.lab.fidelity.target_sets import chosen

    number, codex = seed_or_random(seed), load_codex(content)
    wanted = chosen(codex, sets or (), quick)
    count = runs or (QUICK_RUNS if quick else RUNS)
    settings = FidelitySettings(runs=count, seed=number, threads=threads, quick=quick, results=results)
    with output.progress_bar("fidelity", total_runs(wanted, count, codex)) as done:
        found = measured(wanted, settings, codex, done)
    if as_json:
        output.print_json(found.as_dict())
    else:
        print_fidelity(found, codex)
    if found.left_out:
        output.stderr().print(f"stopped; not measured: {', '.join(found.left_out)}", markup=False)
        raise typer.Exit(output.STOPPED)
    raise typer.Exit(output.OK if found.holds else output.BAD)


# --- the report -------------------------------------------------------------------------------------------------------


def print_fidelity(found: Fidelity, codex: Codex) -> None:
    """A table for each set, what is to be said of its rows, and how many rows have which verdict."""
    console, counts = output.stdout(), found.counts
    for name, rows in groupby(found.rows, key=lambda row: row.set):
        mine, asked = list(rows), codex.targets[name]
        console.print(_table(f"{asked.title} ({name}) [{asked.source}]", mine, bool(asked.parties)))
        for row in mine:
            for line in _remarks(row):
                console.print(f"  {row.name}: {line}", markup=False)
        console.print()
    tally = f"{counts['met']} of {len(found.rows)} met, {counts['explained']} explained, {counts['missed']} missed"
    unknown = f", {counts['unknown']} unknown" if counts["unknown"] else ""
    widened = "; bands are widened by the sampling error" if found.quick else ""
    console.print(
        f"{tally}{unknown} (batches of {found.runs:,} runs, seed {found.seed}{widened})", style="bold", markup=False
    )


def _table(title: str, rows: list[Row], by_party: bool) -> Any:
    """The rows of a set; those of parties in a section for each."""
    from rich.markup import escape

    shown = output.named_table(escape(title), "measure", "target", "measured", "95 % interval", "verdict")
    shown.columns[-1].justify = "left"
    for before, row in zip([rows[0], *rows], rows, strict=False):
        if by_party and before.name.partition(".")[0] != row.name.partition(".")[0]:
            shown.add_section()
        style = STYLES[row.verdict]
        shown.add_row(row.name, row.target, _shown(row, row.value), _interval(row), f"[{style}]{row.verdict}[/]")
    return shown


def _shown(row: Row, value: float | None) -> str:
    """A value in its unit."""
    if value is None:
        return "–"
    forms = {"percent": f"{value:.1f} %", "points": f"{value:+.1f}", "count": f"{value:.0f}"}
    return forms.get(row.unit, f"{value:.2f}")


def _interval(row: Row) -> str:
    """Its interval; of a count, how many there may be."""
    if row.low is None or row.high is None:
        return ""
    if row.unit == "count":
        return f"at most {row.high:.0f}" if row.high > row.low else ""
    signed, digits = ("+" if row.unit == "points" else ""), 2 if row.unit == "number" else 1
    return f"{row.low:{signed}.{digits}f} … {row.high:{signed}.{digits}f}"


def _remarks(row: Row) -> list[str]:
    """What stands behind a row that is not simply met."""
    note = [row.note] if row.note and (row.verdict != "met" or row.unit == "points") else []
    return [*note, *([row.reason] if row.verdict == "explained" else [])]
