"""Computer players on a CUDA device: the same functions as on the CPU, in the encounter kernels' entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from cartomancer.encounters.kernel.device import device_runner, entry_for, local_type, require_device
from cartomancer.encounters.kernel.layout import TABLES
from cartomancer.jit import records
from cartomancer.players.kernel.codes import SMART
from cartomancer.players.kernel.layout import MINDS, RUN, THOUGHTS
from cartomancer.players.kernel.matches import (
    choose,
    choose_or_imagine,
    note_run,
    open_row,
    ponder,
    ponder_or_imagine,
    seed_of_run,
    watch_run,
)


def device_matches(packed: Sequence[Any], minds: Sequence[Any]) -> Callable[[int, int, int], Any]:
    """A function (batch seed, first run, count) that plays runs of each scenario on the device: one row for each."""
    require_device()
    tables, thinking = records(len(packed), TABLES), records(len(packed), MINDS)
    for k, (table, mind) in enumerate(zip(packed, minds, strict=True)):
        tables[k], thinking[k] = table, mind
    return device_runner(tables, thinking, match_entry(bool((thinking["kinds"] == SMART).any())), RUN)


@cache
def match_entry(imagining: bool) -> Any:
    """The entry for computer players, compiled once; where nobody imagines anything, half the code is enough."""
    deciding = (choose_or_imagine, ponder_or_imagine) if imagining else (choose, ponder)
    return entry_for(seed_of_run, *deciding, (open_row, watch_run, note_run), local_type(THOUGHTS))
