"""`cartomancer lab fidelity`: does the game play as its documents say?"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from rich.markup import escape
from typer import Argument, Exit, Option

from cartomancer import content, lab
from cartomancer.cli import arguments, output

RUNS, QUICK_RUNS = 10_000, 2_000
STYLES = {"met": "green", "explained": "yellow", "missed": "red", "unknown": "magenta"}


def _set_names() -> list[str]:
    sets = content.load_codex().targets
    return list(dict.fromkeys([*sets, *(asked.scenario for asked in sets.values() if asked.scenario)]))


def fidelity(
    sets: Annotated[
        list[str] | None,
        Argument(
            metavar="SET",
            help="Sets of targets, or scenarios: all of their sets. Everything without any; "
            "`cartomancer content list target` lists them.",
            autocompletion=_set_names,
        ),
    ] = None,
    runs: Annotated[
        int | None,
        Option("--runs", "-n", min=1, help=f"Runs of each batch: {RUNS:,}, or {QUICK_RUNS:,} with --quick."),
    ] = None,
    seed: arguments.BatchSeed = "0",
    quick: Annotated[
        bool,
        Option(
            "--quick", help="Leave out what takes minutes (contrasts, matrices); widen bands by the sampling error."
        ),
    ] = False,
    threads: arguments.Threads = None,
    folder: arguments.Content = None,
    results: Annotated[
        Path, Option("--results", metavar="DIR", help="The folder of results: cells of a matrix are kept there.")
    ] = Path("results"),
    as_json: arguments.AsJson = False,
) -> None:
    """Measure the game against its targets: every row with its band, what was measured (95 % interval) and a verdict.

    A row is met, missed, explained (missed, and its set says why) or unknown (nothing happened that could be measured,
    or a matrix that more games would have to decide). Exit code 0 if all are met or explained, 1 otherwise. Stopped,
    it shows the sets that are whole.

    cartomancer lab fidelity boar moth
    """
    number, codex = arguments.seed_or_random(seed), content.load_codex(folder)
    wanted = lab.chosen_targets(codex, sets or (), quick)
    count = runs or (QUICK_RUNS if quick else RUNS)
    settings = lab.FidelitySettings(runs=count, seed=number, threads=threads, quick=quick, results=results)
    with output.progress_bar("fidelity", lab.total_runs(wanted, count, codex)) as done:
        found = lab.fidelity_of(wanted, settings, codex, done)
    output.answer(as_json, found.as_dict(), lambda: _print_fidelity(found, codex))
    if found.left_out:
        raise output.stopped(f"stopped; not measured: {', '.join(found.left_out)}")
    raise Exit(output.OK if found.holds else output.BAD)


# --- the report -------------------------------------------------------------------------------------------------------


def _print_fidelity(found: lab.Fidelity, codex: content.Codex) -> None:
    """A table for each set, what is to be said of its rows, and how many rows have which verdict."""
    counts = found.counts
    for name, rows in groupby(found.rows, key=lambda row: row.set):
        mine, asked = list(rows), codex.targets[name]
        output.show(_table(f"{asked.title} ({name}) [{asked.source}]", mine, bool(asked.parties)))
        output.say(*(f"  {row.name}: {line}" for row in mine for line in _remarks(row)), "")
    tally = f"{counts['met']} of {len(found.rows)} met, {counts['explained']} explained, {counts['missed']} missed"
    unknown = f", {counts['unknown']} unknown" if counts["unknown"] else ""
    widened = "; bands are widened by the sampling error" if found.quick else ""
    output.say(f"{tally}{unknown} (batches of {found.runs:,} runs, seed {found.seed}{widened})", style="bold")


def _table(title: str, rows: list[lab.FidelityRow], by_party: bool) -> Any:
    """The rows of a set; those of parties in a section for each."""
    columns = ("measure", "target", "measured", "95 % interval", "verdict")
    shown = output.named_table(escape(title), columns, left=(0, 4))
    for before, row in zip([rows[0], *rows], rows, strict=False):
        if by_party and before.name.partition(".")[0] != row.name.partition(".")[0]:
            shown.add_section()
        style = STYLES[row.verdict]
        shown.add_row(row.name, row.target, _shown(row, row.value), _interval(row), f"[{style}]{row.verdict}[/]")
    return shown


def _shown(row: lab.FidelityRow, value: float | None) -> str:
    """A value in its unit."""
    if value is None:
        return "–"
    forms = {"percent": f"{value:.1f} %", "points": f"{value:+.1f}", "count": f"{value:.0f}"}
    return forms.get(row.unit, f"{value:.2f}")


def _interval(row: lab.FidelityRow) -> str:
    """Its interval; of a count, how many there may be."""
    if row.low is None or row.high is None:
        return ""
    if row.unit == "count":
        return f"at most {row.high:.0f}" if row.high > row.low else ""
    signed, digits = ("+" if row.unit == "points" else ""), 2 if row.unit == "number" else 1
    return f"{row.low:{signed}.{digits}f} … {row.high:{signed}.{digits}f}"


def _remarks(row: lab.FidelityRow) -> list[str]:
    """What stands behind a row that is not simply met."""
    note = [row.note] if row.note and (row.verdict != "met" or row.unit == "points") else []
    return [*note, *([row.reason] if row.verdict == "explained" else [])]
