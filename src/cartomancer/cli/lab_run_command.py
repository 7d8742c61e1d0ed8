"""`cartomancer lab run` and `lab query`: batches in files, and questions to them."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter  # noqa: TID251  a clock for whoever waits; nothing that is played sees it
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.measure import Measurement
from rich.text import Text

from cartomancer.cli import output
from cartomancer.cli.arguments import (
    AiDungeon,
    AiVisitor,
    AsJson,
    BatchSeed,
    Scenarios,
    Threads,
    seed_or_random,
    specs_of,
)
from cartomancer.cli.backend_options import BackendName, ClusterAddress, ClusterWorkers
from cartomancer.cli.quality_view import percents, print_quality
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

if TYPE_CHECKING:
    from cartomancer.lab.measures.metrics import Quality
    from cartomancer.lab.runs.running import Ran

MOST_SHOWN = 200  # rows of a table
WIDEST = 100_000  # characters: a table is measured as if it had all the room it wants
ResultsFolder = Annotated[Path, typer.Option("--results", metavar="DIR", help="The folder of results.")]


def run(
    scenarios: Scenarios,
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="How many runs of each.")] = 100_000,
    seed: BatchSeed = "0",
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    results: ResultsFolder = Path("results"),
    backend: BackendName = None,
    cluster: ClusterAddress = None,
    workers: ClusterWorkers = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Play batches into files that `lab query` and the reports read. What is there already is not played again.

    Stopped, killed or out of disk, it loses only what was under way: the same command goes on.

    cartomancer lab run boar moth -n 200000 --seed 7
    """
    from cartomancer.backends.choice import backend_of
    from cartomancer.lab.refusals import each_of
    from cartomancer.lab.runs.jobs import job_of
    from cartomancer.lab.runs.run_store import Results
    from cartomancer.lab.runs.running import run_job
    from cartomancer.players.simulation import simulate

    chosen = backend_of(backend, threads=threads, address=cluster, workers=workers)
    number = seed_or_random(seed)
    dungeon, visitor = specs_of(ai_dungeon, ai_visitor)
    jobs = each_of(dict.fromkeys(scenarios), lambda scenario: job_of(scenario, number, dungeon, visitor))
    for job in jobs:
        job.ranges(runs)  # refuses before anything is played
    told, done = [], 0
    with output.progress_bar("runs", runs * len(jobs)) as moved:

        def progress(played: int) -> None:
            nonlocal done
            done += played
            moved(done)

        if chosen.name == "threads":
            simulate(jobs[0].packed, 1, threads=1)  # compiles or loads the kernels: no part of the measured time
            moved(0)
        for job in jobs:
            started = perf_counter()
            ran = run_job(Results(results, _tell), job, runs, chosen, progress)
            seconds = perf_counter() - started
            if ran.result_hash is None:
                break
            summary, measured = _measured(ran)
            told.append((_facts(ran, seconds) | summary, measured))
    if as_json:
        output.print_json([facts | measured.as_dict() for facts, measured in told])
    else:
        for facts, measured in told:
            _print_batch(facts, measured)
    if len(told) < len(jobs):
        safe = f"{ran.stored:,} of {runs:,} runs of {ran.job.packed.name} are safe"
        output.stderr().print(f"stopped: {safe}; the same command goes on", markup=False)
        raise typer.Exit(output.STOPPED)


def _measured(ran: Ran) -> tuple[dict[str, Any], Quality]:
    """How the stored runs ended, and their five quality metrics."""
    from cartomancer.lab.measures.batch import stored_summary
    from cartomancer.lab.measures.context import ScenarioContext
    from cartomancer.lab.measures.metrics import quality
    from cartomancer.lab.measures.run_table import QUICK, RunTable

    context = ScenarioContext.of(ran.job.packed)
    every = RunTable.over(ran.files, context, first_runs=ran.runs)
    some = RunTable.over(ran.files, context, most_runs=QUICK, first_runs=ran.runs)
    return stored_summary(every), quality(some)


def _tell(text: str) -> None:
    output.stderr().print(text, markup=False, soft_wrap=True)


def _facts(ran: Ran, seconds: float) -> dict[str, Any]:
    played = ran.runs - ran.found
    return {
        **ran.job.describe(),
        "found": ran.found,
        "played": played,
        "seconds": seconds,
        "runs_per_second": played / seconds,
        "result_hash": ran.result_hash,
        "folder": str(ran.folder),
        "files": len(ran.files),
        "bytes": sum(path.stat().st_size for path in ran.files),
    }


def _print_batch(facts: Mapping[str, Any], measured: Quality) -> None:
    console = output.stdout()
    console.print(f"{facts['scenario']}: {facts['n']:,} runs, seed {facts['seed']}", style="bold", markup=False)
    console.print(f"{facts['dungeon']} plays the dungeon, {facts['visitor']} the visitor", markup=False)
    shown = output.table("", "outcome", "share", "95 % interval", "runs")
    for name, rate in facts["outcomes"].items():
        shown.add_row(name, *_cells(rate))
    shown.add_section()
    for side in ("dungeon", "visitor"):
        shown.add_row(f"{side} wins", *_cells(facts[f"{side}_win"]))
    console.print(shown)
    for key, words in (("rounds", "rounds"), ("lead_changes", "lead changes")):
        mean, bounds = facts[f"{key}_mean"], output.interval(facts[f"{key}_interval"])
        console.print(f"{words} a run: {mean:.2f} ({bounds})", markup=False)
    print_quality(console, measured)
    if measured.measured_runs < facts["n"]:
        console.print(f"the metrics are of {measured.measured_runs:,} of the runs, evenly spread", markup=False)
    speed = f" in {facts['seconds']:.2f} s ({facts['runs_per_second']:,.0f} a second)" if facts["played"] else ""
    console.print(f"{facts['found']:,} runs were there, {facts['played']:,} were played{speed}", markup=False)
    console.print(f"result hash {facts['result_hash']}", markup=False)
    files = "1 file" if facts["files"] == 1 else f"{facts['files']:,} files"
    size = f"{files}, {facts['bytes'] / 1e6:,.1f} MB"
    console.print(f"{facts['folder']}: {size}", markup=False)


def _cells(rate: Mapping[str, Any]) -> tuple[str, str, str]:
    return percent(rate["rate"], 2), percents((rate["low"], rate["high"]), 2), f"{rate['runs']:,}"


def query(
    question: Annotated[str, typer.Argument(metavar="SQL", help="One SELECT; `describe runs` lists the columns.")],
    results: ResultsFolder = Path("results"),
    any_content: Annotated[
        bool, typer.Option("--any-content", help="Also runs of other content and rules: see the column `content`.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print all rows as CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ask the stored runs, in SQL: the view `runs` has a row for each, the table `causes` says what took and gave the
    points of every reducer in the first thousand of each job. Nothing can be changed by it.

    cartomancer lab query "select outcome_name, count(*) as runs from runs group by all order by all"
    cartomancer lab query "select reducer, cause, lost, gained, last_points from causes where side = 'visitor'"
    """
    from cartomancer.lab.report.causes import add_causes, asks_for_causes
    from cartomancer.lab.runs.sql import ask, connect

    if as_csv and as_json:
        raise CartomancerError("--csv or --json, not both")
    connection = connect(results, any_content, notice=_tell)
    if asks_for_causes(question):
        add_causes(connection, notice=_tell)
    answer = ask(connection, question)
    rows = answer.rows()
    if as_json:
        output.print_json([dict(zip(answer.columns, row, strict=True)) for row in rows])
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(answer.columns)
        writer.writerows(rows)
    else:
        _print_table(answer.columns, list(islice(rows, MOST_SHOWN)))
        if next(rows, None) is not None:
            _tell(f"these are the first {MOST_SHOWN} rows: --csv prints all of them")


def _print_table(columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Texts to the left, numbers to the right. What is too wide for that comes a value a line."""
    console = output.stdout()
    shown = output.table("", *columns)
    for index, column in enumerate(shown.columns):
        column.justify = "left" if any(isinstance(row[index], str) for row in rows) else "right"
    for row in rows:
        shown.add_row(*(Text(_shown(value)) for value in row))
    if Measurement.get(console, console.options.update_width(WIDEST), shown).minimum <= console.width:
        console.print(shown)
        return
    width = max(map(len, columns))
    for number, row in enumerate(rows, 1):
        console.print(f"row {number}", style="bold")
        for name, value in zip(columns, row, strict=True):
            console.print(f"{name:{width}}  {_shown(value)}", markup=False)


def _shown(value: Any) -> str:
    return "–" if value is None else str(value)
