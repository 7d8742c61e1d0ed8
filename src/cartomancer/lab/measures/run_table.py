"""Runs as a table that SQL can count: a batch in memory, or the files of a stored one.

>>> from cartomancer.players.simulation import simulate
>>> table = RunTable.of(simulate("symbiote", runs=50, seed=7))
>>> table.runs, table.context.is_party
(50, False)
>>> found = table.counts("outcome")
>>> int(found["runs"].sum())
50

All that is measured is measured on counts of equal rows, which are few however many runs there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import duckdb
import numpy as np

from cartomancer.content.codex import Codex
from cartomancer.errors import CartomancerError
from cartomancer.lab.columns import columns_of
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Counts
from cartomancer.lab.parquet import quoted
from cartomancer.players.simulation import Simulation

QUICK: Final = 20_000_000  # runs that a report over stored runs reads at most


def _reading(files: Sequence[Path | str], first_runs: int | None) -> str:
    read = f"read_parquet([{', '.join(quoted(str(file)) for file in files)}])"
    return read if first_runs is None else f"(select * from {read} where run < {first_runs})"


class RunTable:
    """The runs of one batch, with the columns of `lab.columns`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, context: ScenarioContext, relation: str = "runs") -> None:
        self.connection, self.context, self.relation = connection, context, relation

    @classmethod
    def of(cls, simulation: Simulation, codex: Codex | None = None) -> RunTable:
        """The runs of a batch in memory."""
        return cls.of_columns(columns_of(simulation.rows), ScenarioContext.of(simulation.packed, codex))

    @classmethod
    def of_columns(cls, columns: Mapping[str, np.ndarray[Any, Any]], context: ScenarioContext) -> RunTable:
        """Runs as columns in memory."""
        connection = duckdb.connect()
        connection.register("runs", dict(columns))
        return cls(connection, context)

    @classmethod
    def over(
        cls,
        files: Sequence[Path | str],
        context: ScenarioContext,
        most_runs: int | None = None,
        first_runs: int | None = None,
    ) -> RunTable:
        """The runs in Parquet files, all of one batch, or only its first ones; if there are more than wanted, those in
        every second, third, … of the files.

        Runs do not depend on each other, so any files are a fair sample, and the intervals are those of the runs
        that are read. This is for reports that must be quick: of 20 million runs, rates are good to a fiftieth of a
        percent.
        """
        if not files:
            raise CartomancerError(f"{context.scenario}: no runs are stored")
        connection = duckdb.connect()
        connection.execute("set parquet_metadata_cache = true")  # several queries read the same files
        table = cls(connection, context, _reading(files, first_runs))
        step = 1 if most_runs is None else -(-table.runs // max(1, most_runs))
        return table if step <= 1 else cls(connection, context, _reading(files[::step], first_runs))

    @cached_property
    def runs(self) -> int:
        """How many runs there are."""
        return int(self._fetch("count(*) as runs")["runs"][0])

    def counts(self, *columns: str, where: str = "true") -> Counts:
        """How often each combination of values of these columns occurs, in the order of the values."""
        keys = ", ".join(columns)
        found = self._fetch(f"{keys}, count(*) as runs", f"where {where} group by {keys} order by {keys}")
        return {name: np.asarray(values).astype(np.int64) for name, values in found.items()}

    def _fetch(self, what: str, how: str = "") -> dict[str, Any]:
        try:
            return self.connection.execute(f"select {what} from {self.relation} {how}").fetchnumpy()
        except duckdb.Error as error:
            reason = str(error).strip().splitlines()[0]
            raise CartomancerError(f"{self.context.scenario}: these runs cannot be read: {reason}") from None
