"""Where points came from and went, of runs that are stored: the table `causes` beside the view `runs`.

Stored rows do not say why a run went as it did; the first runs of each job are surveyed for that when somebody asks.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Final

from cartomancer.encounters.packing import pack
from cartomancer.lab.report.survey import CauseShare, survey
from cartomancer.lab.results import Notice
from cartomancer.players.policies import player_spec

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_RUNS: Final = 1_000  # of a batch that are surveyed for their causes
JOB: Final = {"scenario": "VARCHAR", "dungeon": "VARCHAR", "visitor": "VARCHAR", "batch_seed": "UBIGINT"}
SHARE: Final = {field.name: "VARCHAR" if field.type == "str" else "BIGINT" for field in fields(CauseShare)}


def asks_for_causes(question: str) -> bool:
    """Whether a question in SQL mentions the table.

    >>> asks_for_causes("select * from causes"), asks_for_causes("select because from runs")
    (True, False)
    """
    return re.search(r"\bcauses\b", question, re.IGNORECASE) is not None


def add_causes(connection: DuckDBPyConnection, notice: Notice = lambda text: None) -> None:
    """Add the table: a row for every side, reducer and cause of every stored job whose content is here."""
    jobs = connection.execute(f"SELECT {', '.join(JOB)}, content, count(*) FROM runs GROUP BY ALL ORDER BY ALL")
    rows: list[tuple[object, ...]] = []
    for scenario, dungeon, visitor, seed, content, runs in jobs.fetchall():
        packed = pack(scenario)
        if packed.digest != content:
            notice(f"causes of {scenario} with seed {seed} are left out: its content {content} is not here")
            continue
        players = player_spec(dungeon, "dungeon"), player_spec(visitor, "visitor")
        found = survey(packed, min(runs, MOST_RUNS), seed, *players)
        rows += [(scenario, dungeon, visitor, seed, *row.values()) for row in found.causes_table()]
    columns = JOB | SHARE
    connection.execute(f"CREATE TABLE causes ({', '.join(f'{name} {kind}' for name, kind in columns.items())})")
    if rows:
        connection.executemany(f"INSERT INTO causes VALUES ({', '.join('?' * len(columns))})", rows)
