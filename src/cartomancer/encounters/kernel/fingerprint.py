"""A hash of a state that CPU and GPU compute alike: every field is stirred in, whatever the record's padding holds."""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.kernel.codes import MODS, NONE, REDUCERS, SEATS, STREAMS, TYPES
from cartomancer.encounters.kernel.layout import DEBT_SLOTS, MOST_ROOMS
from cartomancer.jit import kernel, whole
from cartomancer.rng import GOLDEN, scramble

BASE = 4096  # larger than any number in a state


@kernel
def _mix(digest, value):
    return scramble(digest ^ (np.uint64(np.int64(value)) + GOLDEN))


@kernel
def _three(a, b, c):
    """Three small numbers as one."""
    return (whole(a) * BASE + whole(b)) * BASE + whole(c)


@kernel
def state_hash(state):
    """64 bits that differ when two states differ."""
    digest = _mix(_mix(np.uint64(0), whole(state.applied)), whole(state.rescued))
    for k in range(STREAMS):
        digest = scramble(digest ^ state.streams[k])
    for p in range(2):
        side = state.sides[p]
        digest = _hash_piles(digest, side)
        digest = _hash_lists(digest, side)
        digest = _hash_side(digest, side)
    for seat in range(SEATS):
        member = state.members[seat]
        digest = _mix(digest, _three(member.vitality, member.start, member.down))
        digest = _mix(digest, _three(member.pierced, member.threat, member.weakness))
        digest = _mix(digest, _three(member.bounty, member.rising, NONE))
    for k in range(MOST_ROOMS):
        digest = _mix(digest, _three(state.room_path[k], state.room_outcomes[k], state.room_rounds[k]))
    flight = state.flight
    digest = _mix(digest, _three(flight.striker, flight.instance, flight.card))
    digest = _mix(digest, _three(flight.power, flight.mode, flight.keywords))
    digest = _mix(digest, _three(flight.target, flight.random_target, flight.seat))
    digest = _mix(digest, _three(flight.tier, flight.damage, flight.back))
    digest = _mix(digest, whole(flight.exposed))
    digest = _mix(digest, _three(state.awaiting, state.actor, state.first))
    digest = _mix(digest, _three(state.turn, state.round_no, state.room))
    digest = _mix(digest, _three(state.rooms_entered, state.trust, state.insight))
    digest = _mix(digest, _three(state.next_room, state.result, state.result))
    digest = _mix(digest, _three(state.downs, state.knockouts, state.first_down))
    digest = _mix(digest, _three(state.outcome, state.decisions, state.trust_risen))
    digest = _mix(digest, _three(state.rounds, state.lead, state.lead_changes))
    return _mix(digest, _three(state.betrayals, state.scorns, state.trust_peak))


@kernel
def _hash_piles(digest, side):
    for k in range(side.hand_size):
        digest = _mix(digest, whole(side.hand[k]))
    for k in range(side.draw_size):
        digest = _mix(digest, whole(side.draw[k]))
    for k in range(side.discard_size):
        digest = _mix(digest, whole(side.discard[k]))
    for k in range(side.trap_count):
        digest = _mix(digest, whole(side.traps[k]))
    digest = _mix(digest, whole(side.gone))
    digest = _mix(digest, whole(side.known))
    digest = _mix(digest, whole(side.locked))
    digest = _mix(digest, _three(side.hand_size, side.draw_size, side.discard_size))
    return _mix(digest, _three(side.trap_count, side.mulligans, side.pool))


@kernel
def _hash_lists(digest, side):
    for r in range(REDUCERS):
        digest = _mix(digest, _three(side.reducers[r], side.starts[r], side.given_up[r]))
        digest = _mix(digest, _three(side.erode[r], side.fortify[r], side.fortify_rounds[r]))
        digest = _mix(digest, _three(side.thorns[r], side.venom[r], side.pressed[r]))
    for k in range(TYPES):
        digest = _mix(digest, _three(side.attuned[k], side.typed_energy[k], side.exposure[k]))
    for k in range(DEBT_SLOTS):
        digest = _mix(digest, _three(side.binding_at[k], side.binding[k], side.binding_rounds[k]))
        digest = _mix(digest, _three(side.dependency_at[k], side.dependency[k], side.dependency_trust[k]))
    for k in range(MODS):
        digest = _mix(digest, whole(side.mods[k]))
    return digest


@kernel
def _hash_side(digest, side):
    digest = _mix(digest, _three(side.energy, side.temporary, side.energy_next))
    digest = _mix(digest, _three(side.entangled, side.held, side.ward))
    digest = _mix(digest, _three(side.ward_rounds, side.armour, side.calm))
    digest = _mix(digest, _three(side.empowered, side.empower_power, side.empower_advantage))
    digest = _mix(digest, _three(side.empower_keywords, side.disadvantage, side.strip))
    digest = _mix(digest, _three(side.randomise, side.last_type, side.strikes))
    digest = _mix(digest, _three(side.struck, side.restrained, side.trust_gained))
    digest = _mix(digest, _three(side.betrayed, side.refuses, side.scorned))
    digest = _mix(digest, _three(side.initiative, side.hits_taken, side.attacks_met))
    digest = _mix(digest, _three(side.skills_played, side.shed, side.hex_guard))
    digest = _mix(digest, _three(side.banish, side.adds, side.back_adds))
    return _mix(digest, whole(side.panic_immunity))
