"""Computer players on a CUDA device: the same functions as on the CPU, in the encounter kernels' entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from cartomancer.encounters.kernel.device import compiled_entry, device_runner, require_device
from cartomancer.encounters.kernel.layout import TABLES
from cartomancer.jit import records
from cartomancer.players.kernel import matches
from cartomancer.players.kernel.layout import MIND, POLICIES, RUN, WORKSPACE
from cartomancer.players.kernel.player_codes import MONTECARLO


def device_matches(packed: Sequence[Any], policies: Sequence[Any]) -> Callable[[int, int, int], Any]:
    """A function (batch seed, first run, count) that plays runs of each scenario on the device: one row for each."""
    require_device()
    tables, thinking = records(len(packed), TABLES), records(len(packed), POLICIES)
    for k, (table, policy) in enumerate(zip(packed, policies, strict=True)):
        tables[k], thinking[k] = table, policy
    return device_runner(tables, thinking, match_entry(bool((thinking["sides"]["kind"] >= MONTECARLO).any())), RUN)


@cache
def match_entry(with_rollouts: bool) -> Any:
    """The entry for computer players; where none plays rollouts, half the code is enough."""
    rows = {"open_row": matches.open_row, "watch_run": matches.watch_run, "note_run": matches.note_run}
    title, memory = "heuristic_entry", WORKSPACE
    players = {"reply": matches.quick_reply, "plan_turn": matches.quick_turn}
    if with_rollouts:
        title, memory = "rollout_entry", MIND
        players = {"reply": matches.reply, "plan_turn": matches.plan_turn}
    return compiled_entry(title, memory, seed_of=matches.seed_of_run, **players, **rows)
