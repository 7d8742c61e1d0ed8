"""Resolving an Unknown on entry: Battle, Treasure, Shop tried in order, else Event, with pity [Voyage P3], M4, M5."""

from __future__ import annotations

from cartomancer.jit import kernel, whole
from cartomancer.rng import below

CANDIDATES = 3  # battle, treasure, shop, in this order
EVENT = 3
MILLION = 1_000_000


@kernel
def chance(base, step, pity):
    """A candidate's chance in millionths: base + pity · step, at most 1."""
    return min(whole(base) + whole(step) * whole(pity), MILLION)


@kernel
def resolve(streams, k, base, step, pity, banned):
    """Roll the candidates in order and stop at the first success; a banned one is skipped. Updates the pity."""
    outcome = EVENT
    for candidate in range(CANDIDATES):
        if (banned >> candidate) & 1:
            continue
        if below(streams, k, MILLION) < chance(base[candidate], step[candidate], pity[candidate]):
            outcome = candidate
            break
    update_pity(pity, outcome)
    return outcome


@kernel
def update_pity(pity, outcome):
    """The chosen type's counter returns to 0, the others rise by one; an Event raises all three."""
    for candidate in range(CANDIDATES):
        pity[candidate] = 0 if candidate == outcome else whole(pity[candidate]) + 1
