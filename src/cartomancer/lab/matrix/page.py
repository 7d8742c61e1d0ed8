"""The matrix as one HTML page: a heat map, sortable tables, the rules.

Every cell names its scenario and the command that plays its first run again.
"""

from __future__ import annotations

from cartomancer.intervals import Numbers
from cartomancer.lab.matrix.matchups import Matrix
from cartomancer.lab.matrix.summary import Summary
from cartomancer.pages import render
from cartomancer.pages.charts import Layer, Raster
from cartomancer.players.simulation import replay_command


def matrix_html(matrix: Matrix, facts: Summary) -> str:
    """The page of a matrix; `facts` is its summary."""
    return render(__name__, "matrix.html", facts=facts, heat=_heat(matrix, facts))


def _heat(matrix: Matrix, facts: Summary) -> Raster:
    """Rows from the strongest dungeon down, columns from the strongest party on."""
    orders = []
    for side, ranked in zip(matrix.sides.values(), (facts.dungeons, facts.parties), strict=True):
        places = {name: place for place, name in enumerate(side.names)}
        orders.append([places[one.name] for one in ranked])
    rows, columns = orders
    settings = matrix.settings
    run = f"match:{{column}}/{{row}}@{settings.seed}:0"

    def grid(values: Numbers) -> Numbers:
        return matrix.grid(values)[rows][:, columns]

    low, high = matrix.bounds()
    return Raster(
        columns=[one.name for one in facts.parties],
        rows=[one.name for one in facts.dungeons],
        layers={
            "share": Layer(grid(100 * matrix.share), 0.5, 1, " %"),
            "low": Layer(grid(100 * low), 0.5, 1, " %"),
            "high": Layer(grid(100 * high), 0.5, 1, " %"),
            "agency": Layer(grid(matrix.agency), 0.1, 1),
            "games": Layer(grid(matrix.cells["games"]), wide=True),
        },
        lines=[
            ("Party", "{column}"),
            ("Dungeon", "{row}"),
            ("Dungeon wins", "{share} ({low} … {high}) of {games} games; {agency} lead changes"),
            ("Scenario:", "match:{column}/{row}"),
            ("First run:", replay_command("RUN", settings.dungeon, settings.visitor).replace("RUN", run)),
        ],
    )
