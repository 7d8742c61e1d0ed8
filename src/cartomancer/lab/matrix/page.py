"""The matrix as one HTML page: a heat map, sortable tables, the rules.

Every cell names its scenario and the command that plays its first run again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from cartomancer.lab.matrix.bounds import Numbers
from cartomancer.lab.matrix.matchups import Matrix
from cartomancer.pages import render
from cartomancer.pages.charts import Layer, Raster

Facts = Mapping[str, Any]

RULES: Final = {
    "no_domination": "No composition wins 70 % or more against every opponent",
    "good_and_bad_matchups": "Every composition has a favourable and an unfavourable matchup",
    "agency_in_lopsided_cells": "Lopsided matchups keep agency",
}


def matrix_html(matrix: Matrix, facts: Facts) -> str:
    """The page of a matrix; `facts` is its summary."""
    found = [(title, facts["rules"][name], name) for name, title in RULES.items()]
    return render(
        __name__,
        "matrix.html",
        facts=facts,
        rules=[(title, rule, rule_words(name, rule), list(_evidence(name, rule))) for title, rule, name in found],
        heat=_heat(matrix, facts),
    )


# --- the heat map -----------------------------------------------------------------------------------------------------


def _orders(matrix: Matrix, facts: Facts) -> tuple[Numbers, Numbers]:
    """Rows from the strongest dungeon down, columns from the strongest party on."""
    ranks = [{one["name"]: k for k, one in enumerate(facts[side])} for side in ("dungeons", "parties")]
    rows = np.argsort([ranks[0][matrix.dungeon_name(int(k))] for k in matrix.dungeons], kind="stable")
    columns = np.argsort([ranks[1][matrix.party_name(int(k))] for k in matrix.parties], kind="stable")
    return rows, columns


def _heat(matrix: Matrix, facts: Facts) -> Raster:
    rows, columns = _orders(matrix, facts)
    settings = matrix.settings
    options = (("dungeon", settings.dungeon), ("visitor", settings.visitor))
    players = "".join(f" --ai-{side} {spec}" for side, spec in options if str(spec) != "heuristic")
    counts = "; ".join(f"{label}: {times:,}" for label, times in facts["bands"]["counts"].items())

    def grid(values: Numbers) -> Numbers:
        return matrix.grid(values)[rows][:, columns]

    low, high = matrix.bounds()
    return Raster(
        f"Heat map of the dungeon's share in {len(matrix.cells)} cells. {counts}.",
        columns=[matrix.party_name(int(k)) for k in matrix.parties[columns]],
        rows=[matrix.dungeon_name(int(k)) for k in matrix.dungeons[rows]],
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
            ("First run:", f"cartomancer encounter replay match:{{column}}/{{row}}@{settings.seed}:0{players}"),
        ],
        low="the party wins",
        high="the dungeon wins",
        summary=f"{counts}; settled: {facts['bands']['settled']:,}",
    )


# --- the rules in words -----------------------------------------------------------------------------------------------


def rule_words(name: str, found: Facts) -> str:
    """What speaks for a rule's verdict, in a sentence."""
    if name == "no_domination":
        sides = [sum(one["side"] == side for one in found["dominating"]) for side in ("dungeon", "party")]
        return (
            f"{sides[0]} dungeons and {sides[1]} parties do, with every lower bound above 70 %; "
            f"{len(found['suspected'])} more would by their shares alone."
        )
    if name == "good_and_bad_matchups":
        return (
            f"{len(found['without_favourable'])} have no matchup over 55 %, {len(found['without_unfavourable'])} none "
            f"under 45 %; of {found['undecided']} more it is not certain."
        )
    return (
        f"{found['without_agency']:,} of {found['lopsided']:,} cells that a side surely wins 70 % of surely have fewer "
        f"than 1.0 lead changes a run; {found['suspected']:,} more have by their means alone."
    )


def _evidence(name: str, found: Facts) -> Iterator[str]:
    if name == "agency_in_lopsided_cells":
        for one in found["cells"]:
            yield f"{one['cell']}: {one['agency']:.2f} lead changes, dungeon {one['dungeon_share']:.0%}"
        return
    for key in ("dominating",) if name == "no_domination" else ("without_favourable", "without_unfavourable"):
        for one in found[key]:
            reach = f"{one['worst']:.0%} to {one['best']:.0%} against {one['opponents']} opponents"
            yield f"{one['side']} {one['name']}: {reach}"
