"""Rooms in sequence: entering, what carries over, per-room Bonds, the end of a run [GDD 5.3; Bond 4.4, 5.2], E8, E9."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.codes import DUNGEON, FIRST, NOBODY, NONE, REDUCERS, VISITOR
from cartomancer.encounters.kernel.energy import held_energy, note_energy
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.handicaps import clear_disrupt
from cartomancer.encounters.kernel.layout import DEBT_SLOTS
from cartomancer.encounters.kernel.modifiers import forget_room_reducers, open_modifiers, sum_modifiers
from cartomancer.encounters.kernel.offers import gain_insight
from cartomancer.encounters.kernel.party import restore_member
from cartomancer.encounters.kernel.piles import (
    draw_cards,
    gather_deck,
    is_opening_hand,
    mend_opening_hand,
    put_aside,
    strikes_held,
)
from cartomancer.encounters.kernel.resolution import PLAIN, contest_roll, scaled
from cartomancer.encounters.kernel.rounds import note_round_end
from cartomancer.encounters.kernel.tactics import clear_empower
from cartomancer.encounters.kernel.trust import points_of_trust
from cartomancer.jit import kernel, whole


@kernel
def enter_room(tables, state, log):
    """A room begins: the dungeon is whole, what does not carry over is gone, hands are dealt, initiative rolled."""
    room = whole(state.next_room)
    state.room = room
    state.room_path[state.rooms_entered] = room
    state.rooms_entered += 1
    state.round_no = 0
    state.trust_risen = state.rounds
    state.turn = NOBODY
    state.rescued = 0
    note(log, events.ROOM_ENTERED, DUNGEON, room, NONE, NONE, NONE)
    dungeon = state.sides[DUNGEON]
    dungeon.gone = 0
    for r in range(REDUCERS):
        dungeon.starts[r] = max(1, whole(tables.dungeon.start[r]) - whole(dungeon.given_up[r]))
        dungeon.reducers[r] = dungeon.starts[r]
    for seat in range(tables.visitor.member_count):
        member = state.members[seat]
        member.pierced = 0
        member.threat = 0
        member.weakness = 0
        member.bounty = 0
    for p in range(2):
        _wipe(tables, state, log, whole(p))
    forget_room_reducers(tables, state)
    sum_modifiers(tables, state, log)
    open_modifiers(tables, state, log)
    deal_opening_hand(tables, state, log, DUNGEON, causes.DEAL)
    goes_on = state.rooms_entered > 1 and tables.visitor.member_count > 1
    if goes_on or tables.visitor.worn:
        refill_hand(tables, state, log)
    else:
        deal_opening_hand(tables, state, log, VISITOR, causes.DEAL)
    for p in range(2):
        state.sides[p].initiative = contest_roll(state.streams, codes.DICE, PLAIN)
    mine = whole(state.sides[DUNGEON].initiative)
    theirs = whole(state.sides[VISITOR].initiative)
    note(log, events.INITIATIVE, DUNGEON, mine, theirs, NONE, NONE)
    state.awaiting = codes.STEP_ASK_MULLIGAN
    state.actor = DUNGEON


@kernel
def ask_mulligan(tables, state):
    """Dungeon, then visitor may deal again; nobody is asked to keep a hand that cannot be changed."""
    if state.sides[state.actor].mulligans < tables.rules.mulligans:
        state.awaiting = codes.AWAIT_MULLIGAN
    else:
        keep_hand(state)


@kernel
def keep_hand(state):
    """The hand stays; the visitor is asked next, then the first round begins."""
    state.awaiting = codes.STEP_ASK_MULLIGAN if state.actor == DUNGEON else codes.STEP_BEGIN_ROUND
    state.actor = VISITOR


@kernel
def _wipe(tables, state, log, p):
    """Erode, guards, Empower, Disrupt, traps, debts, conditions and temporary energy do not carry over (E9).

    Who was betrayed goes on refusing Offers for the rest of the run (E42).
    """
    side = state.sides[p]
    held = held_energy(side)
    for r in range(REDUCERS):
        side.erode[r] = 0
        side.venom[r] = 0
        side.pressed[r] = 0
        side.fortify[r] = 0
        side.fortify_rounds[r] = 0
    for kind in range(codes.TYPES):
        side.attuned[kind] = 0
        side.typed_energy[kind] = 0
        side.exposure[kind] = 0
    for k in range(DEBT_SLOTS):
        side.binding[k] = 0
        side.dependency[k] = 0
    clear_empower(side)
    clear_disrupt(side)
    side.locked = 0
    side.mulligans = 0
    side.pool = tables.rules.energy_pool + side.energy_next
    side.energy_next = 0
    side.energy = side.pool
    side.temporary = 0
    note_energy(side, log, p, whole(side.energy) - held, causes.PASSAGE)
    side.entangled = 0
    side.held = 0
    side.ward = 0
    side.ward_rounds = 0
    side.armour = 0
    side.calm = 0
    side.last_type = -1
    side.strikes = 0
    side.struck = 0
    side.restrained = 0
    side.trust_gained = 0
    side.betrayed = 0
    side.scorned = 0
    side.hits_taken = 0
    side.attacks_met = 0
    side.skills_played = 0
    side.shed = 0
    side.hex_guard = 0
    side.banish = 0
    side.adds = 0
    side.back_adds = 0
    side.panic_immunity = 0


@kernel
def opening_size(tables, state, p):
    """How many cards side p opens a room with."""
    rules = tables.rules
    size = whole(rules.opening_hand) + whole(state.sides[p].mods[codes.MOD_SUPPLIES])
    return max(whole(rules.opening_energy) + whole(rules.opening_actions), min(size, whole(rules.hand_cap)))


@kernel
def refill_hand(tables, state, log):
    """A party goes on with the deck it has: its hand is filled up to its opening size, nothing is shuffled, nothing
    dealt again [GDD 16.5], E9."""
    side = state.sides[VISITOR]
    for k in range(side.trap_count):
        put_aside(tables, state, VISITOR, whole(side.traps[k]), NONE)
    side.trap_count = 0
    draw_cards(tables, state, log, VISITOR, opening_size(tables, state, VISITOR) - whole(side.hand_size), causes.DEAL)
    mend_opening_hand(tables, state, VISITOR)
    strikes = strikes_held(tables, state, log, VISITOR, NONE)
    note(log, events.HAND_DEALT, VISITOR, whole(side.hand_size), NONE, strikes, causes.PASSAGE)
    side.mulligans = tables.rules.mulligans


@kernel
def deal_opening_hand(tables, state, log, p, cause):
    """Deal until the hand has its Energy and action cards; when no mulligan is left, swap in what is missing."""
    side = state.sides[p]
    rules = tables.rules
    size = opening_size(tables, state, p)
    gather_deck(tables, state, p)
    draw_cards(tables, state, log, p, size, cause)
    while not is_opening_hand(tables, state, p):
        if side.mulligans >= rules.mulligans:
            mend_opening_hand(tables, state, p)
            break
        side.mulligans += 1
        gather_deck(tables, state, p)
        draw_cards(tables, state, log, p, size, causes.MULLIGAN)
    strikes = strikes_held(tables, state, log, p, NONE)
    note(log, events.HAND_DEALT, p, whole(side.hand_size), whole(side.mulligans), strikes, cause)


@kernel
def close_room(tables, state, log):
    """A room has ended: the run ends with it, or the outcome leads to the next room."""
    outcome = whole(state.result)
    _write_down(state, outcome)
    note_round_end(state, log)
    note(log, events.ROOM_ENDED, DUNGEON, outcome, whole(state.room), NONE, NONE)
    onward = whole(tables.dungeon.rooms[state.room].onward[outcome])
    if onward < 0:
        _end_run(state, log, outcome)
        return
    if outcome == codes.BOND:
        bond_effects(tables, state, log)
    else:
        _guard_comes_up(tables, state, log)
    for seat in range(tables.visitor.member_count):
        if state.members[seat].down:
            vitality = scaled(whole(state.members[seat].start), whole(tables.rules.room_restore_percent))
            restore_member(tables, state, log, whole(seat), vitality, events.MEMBER_RETURNED, causes.PASSAGE)
    state.next_room = onward
    state.awaiting = codes.STEP_ENTER_ROOM


@kernel
def bond_effects(tables, state, log):
    """A Bond in a room that is not the last: the visitor recovers, the dungeon learns, trust is kept [Bond 5.2]."""
    later = 0 if state.rooms_entered == 1 else 1
    percent = whole(tables.rules.bond_recovery_percent[later])
    gain_insight(state, whole(tables.rules.bond_insight[later]))
    note(log, events.BOND_EFFECTS, DUNGEON, percent, whole(state.insight), NONE, NONE)
    side = state.sides[VISITOR]
    for r in range(1, REDUCERS):
        won = min(scaled(whole(side.starts[r]), percent), whole(side.starts[r]) - whole(side.reducers[r]))
        side.reducers[r] += won
        note(log, events.HEALED, VISITOR, whole(r), won, NOBODY, causes.BOND)
    for seat in range(tables.visitor.member_count):
        member = state.members[seat]
        if not member.down:
            won = min(scaled(whole(member.start), percent), whole(member.start) - whole(member.vitality))
            member.vitality += won
            side.reducers[FIRST] += won
            note(log, events.HEALED, VISITOR, FIRST, won, whole(seat), causes.BOND)


@kernel
def _guard_comes_up(tables, state, log):
    """Between rooms trust falls by 2; of 3 or more, 1 is left at least [Bond 4.4]."""
    rules = tables.rules
    floor = 2 * whole(rules.room_trust_floor) if points_of_trust(state) >= rules.room_trust_floor_from else NONE
    now = max(floor, whole(state.trust) - 2 * whole(rules.room_trust_decay))
    if now < state.trust:
        note(log, events.TRUST_CHANGED, VISITOR, now, now - whole(state.trust), NONE, causes.PASSAGE)
        state.trust = now


@kernel
def flee(state, log):
    """The visitor retreats: the run ends there, and nobody has won it (E7)."""
    note_round_end(state, log)
    note(log, events.RETREATED, VISITOR, NONE, NONE, NONE, NONE)
    _write_down(state, codes.FLED)
    _end_run(state, log, codes.FLED)


@kernel
def _write_down(state, outcome):
    """How this room ended, and after how many rounds."""
    state.room_outcomes[state.rooms_entered - 1] = outcome
    state.room_rounds[state.rooms_entered - 1] = state.round_no


@kernel
def _end_run(state, log, outcome):
    """Nobody is asked any more."""
    state.awaiting = codes.OVER
    state.actor = NOBODY
    state.outcome = outcome
    note(log, events.RUN_ENDED, DUNGEON, outcome, NONE, NONE, NONE)
