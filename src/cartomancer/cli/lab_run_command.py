"""`cartomancer lab run` and `lab query`: batches in files, and questions to them."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter  # noqa: TID251  a clock for whoever waits; nothing that is played sees it
from typing import Annotated, Any

from rich.measure import Measurement
from rich.text import Text
from typer import Argument, Option

from cartomancer import backends, lab, players
from cartomancer.cli import arguments, output
from cartomancer.cli.quality_view import print_quality
from cartomancer.errors import CartomancerError

MOST_SHOWN = 200  # rows of a table
WIDEST = 100_000  # characters: a table is measured as if it had all the room it wants

_tell = partial(output.note, whole=True)


def run(
    scenarios: arguments.Scenarios,
    runs: arguments.RunsOfEach = 100_000,
    seed: arguments.BatchSeed = "0",
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    results: arguments.Results = Path("results"),
    backend: arguments.BackendName = None,
    cluster: arguments.ClusterAddress = None,
    workers: arguments.ClusterWorkers = None,
    threads: arguments.Threads = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Play batches into files that `lab query` and the reports read. What is there already is not played again.

    Stopped, killed or out of disk, it loses only what was under way: the same command goes on.

    cartomancer lab run boar moth -n 200000 --seed 7
    """
    chosen = backends.backend_of(backend, threads=threads, address=cluster, workers=workers)
    number = arguments.seed_or_random(seed)
    dungeon, visitor = arguments.specs_of(ai_dungeon, ai_visitor)
    jobs = lab.each_of(dict.fromkeys(scenarios), lambda scenario: lab.job_of(scenario, number, dungeon, visitor))
    for job in jobs:
        job.ranges(runs)  # refuses before anything is played
    told, done = [], 0
    with output.progress_bar("runs", runs * len(jobs)) as moved:

        def progress(played: int) -> None:
            nonlocal done
            done += played
            moved(done)

        if chosen.name == "threads":
            players.simulate(jobs[0].packed, 1, threads=1)  # compiles or loads the kernels: not measured
            moved(0)
        for job in jobs:
            started = perf_counter()
            ran = lab.run_job(lab.Results(results, _tell), job, runs, chosen, progress)
            seconds = perf_counter() - started
            if ran.result_hash is None:
                break
            told.append(_measured(ran, seconds))
    if as_json:
        output.print_json([facts | measured.as_dict() for facts, measured in told])
    else:
        for facts, measured in told:
            _print_batch(facts, measured)
    if len(told) < len(jobs):
        safe = f"{ran.stored:,} of {runs:,} runs of {ran.job.packed.name} are safe"
        raise output.stopped(f"stopped: {safe}; the same command goes on")


def _measured(ran: lab.Ran, seconds: float) -> tuple[dict[str, Any], lab.Quality]:
    """What was stored and how the runs ended, and their five quality metrics."""
    context, played = lab.ScenarioContext.of(ran.job.packed), ran.runs - ran.found
    every = lab.RunTable.over(ran.files, context, first_runs=ran.runs)
    some = lab.RunTable.over(ran.files, context, most_runs=lab.QUICK, first_runs=ran.runs)
    facts = {
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
    return facts | lab.stored_summary(every), lab.quality(some)


def _print_batch(facts: Mapping[str, Any], measured: lab.Quality) -> None:
    output.say(f"{facts['scenario']}: {facts['n']:,} runs, seed {facts['seed']}", style="bold")
    output.say(f"{facts['dungeon']} plays the dungeon, {facts['visitor']} the visitor")
    wins = {f"{side} wins": facts[f"{side}_win"] for side in arguments.Side}
    ends, won = (
        [(name, *output.rate(rate, 2), f"{rate['runs']:,}") for name, rate in rates.items()]
        for rates in (facts["outcomes"], wins)
    )
    output.show(output.table("", ("outcome", "share", "95 % interval", "runs"), [*ends, None, *won]))
    for key in ("rounds", "lead_changes"):
        mean, bounds = facts[f"{key}_mean"], output.interval(facts[f"{key}_interval"])
        output.say(f"{key.replace('_', ' ')} a run: {mean:.2f} ({bounds})")
    print_quality(measured)
    if measured.measured_runs < facts["n"]:
        output.say(f"the metrics are of {measured.measured_runs:,} of the runs, evenly spread")
    speed = f" in {facts['seconds']:.2f} s ({facts['runs_per_second']:,.0f} a second)" if facts["played"] else ""
    files = "1 file" if facts["files"] == 1 else f"{facts['files']:,} files"
    output.say(
        f"{facts['found']:,} runs were there, {facts['played']:,} were played{speed}",
        f"result hash {facts['result_hash']}",
        f"{facts['folder']}: {files}, {facts['bytes'] / 1e6:,.1f} MB",
    )


def query(
    question: Annotated[str, Argument(metavar="SQL", help="One SELECT; `describe runs` lists the columns.")],
    results: arguments.Results = Path("results"),
    any_content: Annotated[
        bool, Option("--any-content", help="Also runs of other content and rules: see the column `content`.")
    ] = False,
    memory: Annotated[
        int, Option("--limit-memory", metavar="MIB", min=64, max=2**20, help="The memory that the question may take.")
    ] = 2_048,
    seconds: Annotated[
        float, Option("--timeout", metavar="SECONDS", min=0.001, max=1e6, help="How long it may work on an answer.")
    ] = 60.0,
    as_csv: Annotated[bool, Option("--csv", help="Print all rows as CSV.")] = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Ask the stored runs, in SQL: the view `runs` has a row for each, the table `causes` says what took and gave the
    points of every reducer in the first thousand of each job. Nothing can be changed by it.

    cartomancer lab query "select outcome_name, count(*) as runs from runs group by all order by all"
    cartomancer lab query "select reducer, cause, lost, gained, last_points from causes where side = 'visitor'"
    """
    if as_csv and as_json:
        raise CartomancerError("--csv or --json, not both")
    connection = lab.connect(results, any_content, notice=_tell, memory=memory)
    if lab.asks_for_causes(question):
        lab.add_causes(connection, notice=_tell)
    answer = lab.ask(connection, question, seconds)
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
    texts = [index for index in range(len(columns)) if any(isinstance(row[index], str) for row in rows)]
    shown = output.table("", columns, ([Text(_shown(value)) for value in row] for row in rows), left=texts)
    if Measurement.get(console, console.options.update_width(WIDEST), shown).minimum <= console.width:
        console.print(shown)
        return
    width = max(map(len, columns))
    for number, row in enumerate(rows, 1):
        output.say(f"row {number}", style="bold")
        output.say(*(f"{name:{width}}  {_shown(value)}" for name, value in zip(columns, row, strict=True)))


def _shown(value: Any) -> str:
    return "–" if value is None else str(value)
