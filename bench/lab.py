"""The lab's pipeline: what storing costs on top of playing, bytes a row, seconds of a question to two million rows.

    make bench
    python bench/lab.py

Seconds are of this machine at this moment; the best of several tries is taken.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.metrics import quality
from cartomancer.lab.measures.run_table import QUICK, RunTable
from cartomancer.lab.runs.jobs import job_of
from cartomancer.lab.runs.run_store import Results
from cartomancer.lab.runs.running import run_job
from cartomancer.lab.runs.sql import ask, connect
from cartomancer.players.simulation import simulate

SCENARIO, SEED = "boar", 7
OVERHEAD_FLOOR = 0.15
QUESTIONS = (
    "select outcome_name, count(*), avg(rounds), avg(lead_changes) from runs group by 1",
    "select room_name_1, outcome_name_1, count(*), avg(rounds_1) from runs group by all",
    "select run_name, seed from runs order by margin, run limit 5",
)


def seconds(work: Callable[..., Any], *given: Any) -> tuple[float, float]:
    """Of the clock, and of all cores together."""
    before, cores = time.perf_counter(), time.process_time()
    work(*given)
    return time.perf_counter() - before, time.process_time() - cores


def overhead(runs: int, tries: int) -> dict[str, float]:
    """Playing and storing against playing alone, turn by turn; and the cores' time that storing takes by itself."""
    simulate(SCENARIO, 100)
    job = job_of(SCENARIO, SEED)
    alone, stored, storing, size = [], [], [], 0
    for _ in range(tries):
        alone.append(seconds(simulate, SCENARIO, runs, SEED))
        with tempfile.TemporaryDirectory() as folder:
            stored.append(seconds(run_job, Results(folder), job, runs))
            size = sum(path.stat().st_size for path in Path(folder).rglob("*.parquet"))
    rows = simulate(SCENARIO, job.chunk, SEED).rows
    with tempfile.TemporaryDirectory() as folder:
        kept = Results(folder).prepare(job)
        storing = [seconds(kept.store, 0, rows) for _ in range(5)]
    clock = [min(took[0] for took in kind) for kind in (alone, stored)]
    cores = min(took[1] for took in storing) / job.chunk, min(took[1] for took in alone) / runs
    return {
        "runs": runs,
        "seconds_alone": clock[0],
        "seconds_stored": clock[1],
        "overhead": clock[1] / clock[0] - 1,
        "overhead_of_cores": cores[0] / cores[1],
        "bytes_a_row": size / runs,
    }


def answer(connection: Any, question: str) -> list[Any]:
    """All rows of the answer."""
    return list(ask(connection, question).rows())


def questions(rows: int) -> list[dict[str, Any]]:
    """A few questions to a folder with so many rows: a chunk of real runs, over and over under other numbers."""
    job = job_of(SCENARIO, SEED)
    played = simulate(SCENARIO, job.chunk, SEED).rows
    found = []
    with tempfile.TemporaryDirectory() as folder:
        stored = Results(folder).prepare(job)
        for first in range(0, rows, job.chunk):
            stored.store(first, played)
        opening, _ = seconds(lambda: connect(folder).close())
        found.append({"question": "opening the folder, all checksums checked", "seconds": opening})
        files, context = [chunk.path for chunk in stored.chunks()], ScenarioContext.of(job.packed)
        took = min(seconds(lambda: quality(RunTable.over(files, context, most_runs=QUICK)))[0] for _ in range(3))
        found.append({"question": "the five quality metrics, as `lab run` prints them", "seconds": took})
        with connect(folder) as connection:
            for question in QUESTIONS:
                took = min(seconds(answer, connection, question)[0] for _ in range(3))
                found.append({"question": question, "seconds": took})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100_000, help="runs played for the overhead")
    parser.add_argument("--tries", type=int, default=2, help="how often they are played")
    parser.add_argument("--rows", type=int, default=2_000_000, help="rows the questions are put to")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    cost, answers = overhead(asked.runs, asked.tries), questions(asked.rows)
    if asked.json:
        print(json.dumps({"overhead": cost, "questions": answers}, indent=1))
        return
    print(
        f"{SCENARIO}, {asked.runs:,} runs: played in {cost['seconds_alone']:.2f} s, played and stored in "
        f"{cost['seconds_stored']:.2f} s, overhead {cost['overhead']:.1%} (floor {OVERHEAD_FLOOR:.0%}); storing takes "
        f"{cost['overhead_of_cores']:.1%} of the cores' time of playing; {cost['bytes_a_row']:.2f} bytes a row"
    )
    for told in answers:
        print(f"{asked.rows:,} rows, {told['seconds']:.3f} s: {told['question']}")


if __name__ == "__main__":
    main()
