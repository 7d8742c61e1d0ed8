"""A matrix in plain numbers: each composition, the ecosystem's rules, the structure, the meta [GDD 18.5].

Cells of a matrix share their seeds, so their errors go together to an unknown degree. The interval of a mean over cells
is therefore the mean of the cells' intervals: right if they go together entirely, wider than needed otherwise.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cartomancer.encounters import names
from cartomancer.errors import CartomancerError
from cartomancer.lab.matrix.bounds import Numbers
from cartomancer.lab.matrix.decomposition import Component, Structure, equilibrium, structure
from cartomancer.lab.matrix.ecosystem import SIDES, rules
from cartomancer.lab.matrix.matchups import Matrix
from cartomancer.lab.measures.estimates import evenness

EXTREMES: Final = 4  # compositions named at each end of a component
MOST_META: Final = 2_000_000  # cells of a meta game that is solved in reasonable time


def summary(matrix: Matrix, with_cells: bool = False) -> dict[str, Any]:
    """Everything a report needs."""
    cells = matrix.cells
    found: dict[str, Any] = {
        "cells": len(cells),
        "games": int(cells["games"].sum()),
        "seed": matrix.settings.seed,
        "players": {"dungeon": str(matrix.settings.dungeon), "visitor": str(matrix.settings.visitor)},
        "intervals": "confidence sequences, 95 % at all times" if matrix.peeked else "Wilson, 95 %",
        "dungeon_share": _mean(matrix, np.arange(len(cells)), "dungeon"),
        "bands": bands(matrix),
        "agency": float(matrix.agency.mean()),
        "result_hash": matrix.result_hash,
        "dungeons": compositions(matrix, "dungeon"),
        "parties": compositions(matrix, "party"),
        "rules": rules(matrix),
        "structure": _structure(matrix),
    }
    return found | ({"cell_list": [cell(matrix, k) for k in range(len(cells))]} if with_cells else {})


def bands(matrix: Matrix) -> dict[str, Any]:
    """How many cells lie where among 30, 50 and 70 %, and how many of these verdicts are settled."""
    from cartomancer.lab.matrix.adaptive import MARKS, Verdicts

    low, high = matrix.bounds()
    settled = Verdicts(low, high).settled
    labels = ("party 70 % or more", "party favoured", "dungeon favoured", "dungeon 70 % or more")
    band = np.searchsorted(MARKS, matrix.share, side="right")
    counts = {label: int((band == k).sum()) for k, label in enumerate(labels)}
    return {"counts": counts, "settled": int(settled.sum())}


def cell(matrix: Matrix, k: int) -> dict[str, Any]:
    """One cell."""
    low, high = matrix.bounds()
    record = matrix.cells[k]
    outcomes = dict(zip(names.OUTCOMES, record["outcomes"].tolist(), strict=True))
    return {
        "scenario": matrix.name(k),
        "games": int(record["games"]),
        "dungeon_share": float(matrix.share[k]),
        "interval": [float(low[k]), float(high[k])],
        "agency": float(matrix.agency[k]),
        "diversity": diversity(record["outcomes"]),
        "outcomes": {name: times for name, times in outcomes.items() if name != "undecided"},
    }


def diversity(outcomes: Numbers) -> float:
    """How evenly counted outcomes are spread [GDD 18.2.3]."""
    return evenness([int(times) for times in outcomes[1:]]).value or 0.0


def compositions(matrix: Matrix, side: str) -> list[dict[str, Any]]:
    """Each composition of a side: its share, its best and worst opponent, agency, diversity; the strongest first."""
    field, other = ("dungeon", "party") if side == "dungeon" else ("party", "dungeon")
    name = {"dungeon": matrix.dungeon_name, "party": matrix.party_name}
    found = []
    for index in matrix.dungeons if side == "dungeon" else matrix.parties:
        mine = np.flatnonzero(matrix.cells[field] == index)
        share = matrix.share[mine] if side == "dungeon" else 1 - matrix.share[mine]
        best, worst = mine[share.argmax()], mine[share.argmin()]
        pooled = matrix.cells["outcomes"][mine].sum(axis=0)
        found.append(
            {
                "name": name[side](int(index)),
                "opponents": len(mine),
                "share": _mean(matrix, mine, side),
                "best": {"opponent": name[other](int(matrix.cells[other][best])), "share": float(share.max())},
                "worst": {"opponent": name[other](int(matrix.cells[other][worst])), "share": float(share.min())},
                "agency": float(matrix.agency[mine].mean()),
                "diversity": diversity(pooled),
            }
        )
    return sorted(found, key=lambda one: (-one["share"]["mean"], one["name"]))


def _mean(matrix: Matrix, mine: Numbers, side: str) -> dict[str, Any]:
    low, high = matrix.bounds()
    means = [float(values[mine].mean()) for values in (matrix.share, low, high)]
    if side == "party":
        means = [1 - means[0], 1 - means[2], 1 - means[1]]
    return {"mean": means[0], "interval": means[1:]}


def _structure(matrix: Matrix) -> dict[str, Any] | None:
    """Strength, matchups and the meta; nothing where one side has a single composition."""
    points, games = matrix.grid(matrix.points, 0.0), matrix.grid(matrix.cells["games"], 0.0)
    if min(points.shape) < 2:
        return None
    found = structure(points, games)
    share = matrix.grid(matrix.share)
    empty = np.isnan(share)
    return {
        "grand_mean": float(1 / (1 + np.exp(-found.mean))),
        "transitive": found.transitive,
        "matchup": found.matchup,
        "noise": found.noise,
        "components": [_component(matrix, one) for one in found.components],
        "meta": _meta(matrix, np.where(empty, found.predicted(), share)) | {"guessed_cells": int(empty.sum())},
        "strength": _strength(matrix, found),
    }


def _strength(matrix: Matrix, found: Structure) -> dict[str, dict[str, float]]:
    """Effects in logits, each in favour of its own side."""
    return {
        "dungeons": {
            matrix.dungeon_name(int(k)): float(e) for k, e in zip(matrix.dungeons, found.dungeons, strict=True)
        },
        "parties": {matrix.party_name(int(k)): float(-e) for k, e in zip(matrix.parties, found.parties, strict=True)},
    }


def _component(matrix: Matrix, one: Component) -> dict[str, Any]:
    def ends(loadings: Numbers, name: Any, keys: Numbers) -> dict[str, list[str]]:
        order = np.argsort(loadings)
        lowest = [name(int(keys[k])) for k in order[:EXTREMES] if loadings[k] < 0]
        highest = [name(int(keys[k])) for k in order[::-1][:EXTREMES] if loadings[k] > 0]
        return {"positive": highest, "negative": lowest}

    return {
        "share_of_rest": one.share,
        "beyond_noise": one.beyond_noise,
        "dungeons": ends(one.dungeons, matrix.dungeon_name, matrix.dungeons),
        "parties": ends(one.parties, matrix.party_name, matrix.parties),
    }


def _meta(matrix: Matrix, share: Numbers) -> dict[str, Any]:
    if share.size > MOST_META:
        return {"value": None, "dungeons": [], "parties": [], "note": f"not solved: more than {MOST_META:,} cells"}
    try:
        found = equilibrium(share)
    except CartomancerError as error:
        return {"value": None, "dungeons": [], "parties": [], "note": str(error)}
    sides = dict(zip(SIDES, ((matrix.dungeons, matrix.dungeon_name), (matrix.parties, matrix.party_name)), strict=True))
    support = {
        side: [{"name": name(int(keys[k])), "weight": weight} for k, weight in found.support(side)]
        for side, (keys, name) in sides.items()
    }
    return {"value": found.value, "dungeons": support["dungeon"], "parties": support["party"]}
