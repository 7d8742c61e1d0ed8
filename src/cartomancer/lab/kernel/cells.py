"""The runs of a matrix's cells, counted: every cell's numbers are sums over its runs, so that pieces add up."""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import DUNGEON, NOBODY, NONE, REDUCERS, SEATS, VISITOR
from cartomancer.encounters.kernel.layout import MOST_ROOMS
from cartomancer.jit import kernel, whole
from cartomancer.rng import scramble

LEAD_BINS = 4  # 0, 1, 2, 3 or more lead changes [GDD 18.2.1]
MOST_PERCENT = 127  # what a stored percent can be

CELL = np.dtype(
    [
        ("party", np.int64),
        ("dungeon", np.int64),
        ("first", np.int64),  # the index of the first run
        ("games", np.int64),
        ("dungeon_wins", np.int64),
        ("visitor_wins", np.int64),
        ("outcomes", np.int64, codes.OUTCOMES),
        ("lead_changes", np.int64),
        ("lead_changes_squared", np.int64),
        ("lead_bins", np.int64, LEAD_BINS),
        ("rounds", np.int64),
        ("decisions", np.int64),
        ("first_down", np.int64, SEATS),  # by seat
        ("knockout_runs", np.int64),
        ("closeness", np.int64),  # % of the loser's nearest resource, summed …
        ("closeness_runs", np.int64),  # … over the runs with a loser that has one
        ("reached", np.int64, MOST_ROOMS),  # runs that entered their k-th room
        ("entries", np.int64, (MOST_ROOMS, REDUCERS)),  # % of its starting values a visitor entered it with, summed
        ("block_hash", np.uint64),
    ],
    align=True,
)


@kernel
def reduce_cells(rows, first, cells):
    """Add the rows to the cells: as many rows for each cell, cell after cell, the first of each with index `first`."""
    count = rows.shape[0] // max(1, cells.shape[0])
    for at in range(cells.shape[0]):
        cell = cells[at]
        for k in range(count):
            _add_run(rows[at * count + k], whole(first + k), cell)


@kernel
def _add_run(row, index, cell):
    """Add one run to its cell."""
    cell.games += 1
    cell.outcomes[row.outcome] += 1
    loser = whole(codes.LOSER_OF[row.outcome])
    if loser == VISITOR:
        cell.dungeon_wins += 1
    elif loser == DUNGEON:
        cell.visitor_wins += 1
    changes = whole(row.lead_changes)
    cell.lead_changes += changes
    cell.lead_changes_squared += changes * changes
    cell.lead_bins[min(changes, whole(LEAD_BINS - 1))] += 1
    cell.rounds += row.rounds
    cell.decisions += row.decisions
    if row.first_down >= 0:
        cell.first_down[row.first_down] += 1
        cell.knockout_runs += 1
    for k in range(row.rooms_entered):
        cell.reached[k] += 1
        for r in range(REDUCERS):
            cell.entries[k, r] += _percent(whole(row.entries[k, r]))
    nearest = _closeness(row, loser)
    if nearest > 0:
        cell.closeness += _percent(nearest)
        cell.closeness_runs += 1
    cell.block_hash += scramble(row.state_hash ^ scramble(np.uint64(index + 1)))


@kernel
def _closeness(row, loser):
    """Thousandths left of the loser's lowest reducer that was not depleted; 0 if there is none [GDD 18.2.2]."""
    if loser == NOBODY:
        return NONE
    depleted = whole(codes.DEPLETED_OF[row.outcome])  # no alternative, even if a party has some vitality left
    lowest = NONE
    for r in range(REDUCERS):
        left = whole(row.ends[loser, r])
        if left > 0 and r != depleted and (lowest == 0 or left < lowest):
            lowest = left
    return lowest


@kernel
def _percent(thousandths):
    """Percents of thousandths, rounded half up, as far as a stored byte goes."""
    return max(whole(-100), min(whole(MOST_PERCENT), (thousandths + 5) // 10))
