"""A run as one row of a table: what the lab stores, queries and measures.

Everything is a small integer, so that a hundred million runs fit on a disk and a query over them takes seconds. Where
there is nothing to say the value is `NOTHING`. Shares are percents of starting values.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cartomancer.encounters import names
from cartomancer.encounters.encounter import winner_of
from cartomancer.encounters.kernel.codes import DEPLETED_OF, LOSER_OF, Outcome
from cartomancer.tables import table_beside

NOTHING: Final = -1
ROOMS: Final = 4  # most rooms of a run
SIDES: Final = ("dungeon", "visitor")

COLUMNS: Final = {
    name.format(k=k, resource=resource): what.format(k=k, resource=resource)
    for name, what in table_beside(__file__, "columns.toml").items()
    for k in range(1, ROOMS + 1)
    for resource in names.RESOURCES[1]
    if k > 1 or "{resource}" not in name
}

# every way to end with its code, and the codes of each winner's; a Bond is both sides' win, a retreat nobody's (E17)
OUTCOME_CODES: Final = {name: code for code, name in enumerate(names.OUTCOMES) if name != "undecided"}
WON_BY: Final = {
    winner: [code for name, code in OUTCOME_CODES.items() if winner_of(name) == winner]
    for winner in (*SIDES, "both", "nobody")
}
LOSERS: Final = LOSER_OF.astype(np.int8)
# what it means when a side's resources are depleted, in their order [GDD 3.4]
DEPLETED: Final = {
    side: tuple(outcome.word for outcome in Outcome if outcome.loser == side and outcome.depleted >= 0)
    for side in range(len(SIDES))
}
# the loser's resource that an outcome stands for: it is no alternative, even if a party has some vitality left
SPENT: Final = DEPLETED_OF.astype(np.int8)
# what a run's record has already, by the smallest integer that holds it
TAKEN: Final[dict[Any, tuple[str, ...]]] = {
    np.uint8: ("outcome", "rounds", "lead_changes", "knockouts", "trust_peak", "betrayals"),
    np.uint16: ("decisions",),
    np.int8: ("first_down", "betrayed_at"),
}


def columns_of(rows: Any, first: int = 0) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of consecutive runs, the first of which has this index."""
    count = len(rows)
    entered = rows["rooms_entered"]
    found: dict[str, np.ndarray[Any, Any]] = {"run": np.arange(first, first + count, dtype=np.uint64)}
    found |= {name: rows[name].astype(word) for word, fields in TAKEN.items() for name in fields}
    found["rooms"] = entered.astype(np.uint8)
    after = np.concatenate([rows["changes_at"][:, 1:], rows["lead_changes"][:, None]], axis=1)
    leaders = np.concatenate([rows["lead_at"][:, 1:], rows["lead"][:, None]], axis=1)
    for k in range(ROOMS):
        here, last = entered > k, entered == k + 1
        found[f"room_{k + 1}"] = _where(here, rows["room_path"][:, k])
        found[f"outcome_{k + 1}"] = _where(here, rows["room_outcomes"][:, k])
        found[f"rounds_{k + 1}"] = _where(here, rows["room_rounds"][:, k])
        changes = np.where(last, rows["lead_changes"], after[:, k]) - rows["changes_at"][:, k]
        found[f"lead_changes_{k + 1}"] = _where(here, changes)
        found[f"leader_{k + 1}"] = _where(here, np.where(last, rows["lead"], leaders[:, k]) - 1)
        if k:
            for r, resource in enumerate(names.RESOURCES[1]):
                found[f"{resource}_{k + 1}"] = _where(here, _percent(rows["entries"][:, k, r]))
    found |= _closeness(rows) | {"fallen": _order(rows["fallen"]), "margin": _percent(rows["margin"])}
    return {name: found[name] for name in COLUMNS}


def _where(here: Any, values: Any) -> np.ndarray[Any, Any]:
    return np.where(here, values, NOTHING).astype(np.int8)


def _percent(thousandths: Any) -> np.ndarray[Any, Any]:
    """Percents of thousandths, rounded half up, as far as a byte goes."""
    return np.asarray(np.clip((thousandths.astype(np.int32) + 5) // 10, -100, 127), np.int8)


def _closeness(rows: Any) -> dict[str, np.ndarray[Any, Any]]:
    """The loser's lowest resource that is not depleted [GDD 18.2.2]."""
    loser = LOSERS[rows["outcome"]]
    ends = rows["ends"].astype(np.int32)
    left = np.where((loser == 1)[:, None], ends[:, 1], ends[:, 0])
    spent = SPENT[rows["outcome"]][:, None] == np.arange(left.shape[1])
    left = np.where((left > 0) & ~spent, left, np.iinfo(np.int32).max)
    nearest = left.argmin(axis=1)
    share = left[np.arange(len(rows)), nearest]
    known = (loser != NOTHING) & (share < np.iinfo(np.int32).max)
    return {
        "loser": loser,
        "closeness": _where(known, _percent(np.where(known, share, 0))),
        "nearest": _where(known, nearest),
    }


def _order(fallen: Any) -> np.ndarray[Any, Any]:
    """Who fell in which order, in one number."""
    order = np.zeros(len(fallen), np.int16)
    for k in range(fallen.shape[1]):
        order = np.where(fallen[:, k] >= 0, order * 10 + fallen[:, k] + 1, order).astype(np.int16)
    return order
