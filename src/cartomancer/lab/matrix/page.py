"""The matrix as one HTML page: a heat map, sortable tables, the rules.

Every cell names its scenario and the command that plays its first run again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from cartomancer.lab.matrix.bounds import Numbers
from cartomancer.lab.matrix.matchups import Matrix
from cartomancer.pages import (
    Block,
    Details,
    Items,
    Note,
    Page,
    Section,
    Span,
    Table,
    Text,
    Words,
    column,
    html,
    ordered,
)
from cartomancer.pages.charts import Layer, Raster

Facts = Mapping[str, Any]

MOST_LISTED: Final = 60  # cells of a list of evidence
RULES: Final = {
    "no_domination": "No composition wins 70 % or more against every opponent",
    "good_and_bad_matchups": "Every composition has a favourable and an unfavourable matchup",
    "agency_in_lopsided_cells": "Lopsided matchups keep agency",
}
TONES: Final = {"broken": "bad", "open": "open", "kept": "good"}


def matrix_html(matrix: Matrix, facts: Facts) -> str:
    """The page of a matrix; `facts` is its summary."""
    players = facts["players"]
    lead = (
        f"{facts['cells']:,} cells, {facts['games']:,} games, seed {facts['seed']}; {players['dungeon']} plays the "
        f"dungeon, {players['visitor']} the party. A Bond is half a win for each. Intervals: {facts['intervals']}. "
        f"Result hash {facts['result_hash']}."
    )
    blocks: list[Block] = [_rule(name, facts["rules"][name]) for name in RULES]
    blocks.append(_heat(matrix, facts))
    if facts["structure"] is not None:
        blocks.append(Section("structure", "Strength, matchups, the meta", list(_structure(facts["structure"]))))
    blocks += [_compositions(title, facts[title.lower()]) for title in ("Dungeons", "Parties")]
    headline = f"Matchup matrix: {len(matrix.dungeons)} dungeons, {len(matrix.parties)} parties"
    return html(Page(headline, lead, blocks))


# --- the heat map -----------------------------------------------------------------------------------------------------


def _orders(matrix: Matrix, facts: Facts) -> tuple[Numbers, Numbers]:
    """Rows from the strongest dungeon down, columns from the strongest party on."""
    ranks = [{one["name"]: k for k, one in enumerate(facts[side])} for side in ("dungeons", "parties")]
    rows = np.argsort([ranks[0][matrix.dungeon_name(int(k))] for k in matrix.dungeons], kind="stable")
    columns = np.argsort([ranks[1][matrix.party_name(int(k))] for k in matrix.parties], kind="stable")
    return rows, columns


def _heat(matrix: Matrix, facts: Facts) -> Section:
    rows, columns = _orders(matrix, facts)
    settings = matrix.settings
    options = (("dungeon", settings.dungeon), ("visitor", settings.visitor))
    players = "".join(f" --ai-{side} {spec}" for side, spec in options if str(spec) != "heuristic")
    counts = "; ".join(f"{label}: {times:,}" for label, times in facts["bands"]["counts"].items())

    def grid(values: Numbers) -> Numbers:
        return matrix.grid(values)[rows][:, columns]

    low, high = matrix.bounds()
    raster = Raster(
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
    how = (
        "Rows are dungeons from the strongest down, columns parties from the strongest on. Point at a cell, or move "
        "with the arrow keys; a click holds it."
    )
    return Section("cells", "Who beats whom", [Text(how, "quiet"), raster])


# --- words and tables -------------------------------------------------------------------------------------------------


def _rule(name: str, found: Facts) -> Note:
    lines: list[Words] = list(_evidence(name, found))
    if len(lines) > MOST_LISTED:
        lines[MOST_LISTED:] = [f"… and {len(lines) - MOST_LISTED} more"]
    verdict = Span(f"{RULES[name]}: {found['verdict']}.", "strong")
    evidence = [Details("Which", [Items(lines)])] if lines else []
    return Note([verdict, f" {rule_words(name, found)}"], TONES[found["verdict"]], evidence)


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


def _structure(found: Facts) -> Iterator[Block]:
    yield Text(
        f"Strength alone explains {found['transitive']:.0%} of the differences between cells (in weighted logits), "
        f"matchup {found['matchup']:.0%}, chance {found['noise']:.0%}."
    )
    for at, one in enumerate(found["components"], 1):
        if one["beyond_noise"]:
            yield Text(
                f"Matchup pattern {at} ({one['share_of_rest']:.0%} of what strength leaves): "
                f"{', '.join(one['dungeons']['positive'])} do better than their strength against "
                f"{', '.join(one['parties']['positive'])}, worse against {', '.join(one['parties']['negative'])}."
            )
    meta = found["meta"]
    if meta["value"] is not None:
        cells = meta["guessed_cells"]
        guessed = f" {cells} cells that were not played are guessed from strength." if cells else ""
        yield Text(f"Well-advised players would leave the dungeon {meta['value']:.1%}.{guessed}")
        rows = [
            [column(side), column(one["name"]), ordered(f"{one['weight']:.1%}", one["weight"])]
            for side in ("dungeons", "parties")
            for one in meta[side]
        ]
        yield Table("What they would bring", ("side", "composition", "how often"), rows, sortable=True)


def _compositions(title: str, found: Sequence[Facts]) -> Section:
    heads = ("composition", "share", "95 % interval", "best opponent", "share there", "worst opponent", "share there")
    rows = []
    for one in found:
        mean, (low, high) = one["share"]["mean"], one["share"]["interval"]
        ends = [
            cell
            for end in (one["best"], one["worst"])
            for cell in (column(end["opponent"]), ordered(f"{end['share']:.1%}", end["share"]))
        ]
        shape = [ordered(f"{one[key]:.2f}", one[key]) for key in ("agency", "diversity")]
        interval = ordered(f"{low:.1%} … {high:.1%}", low)
        rows.append([column(one["name"]), ordered(f"{mean:.1%}", mean), interval, *ends, *shape])
    caption = f"{len(found)} {title.lower()}; a heading sorts"
    return Section(title.lower(), title, [Table(caption, (*heads, "agency", "diversity"), rows, sortable=True)])
