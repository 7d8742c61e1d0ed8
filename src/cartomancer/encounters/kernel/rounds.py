"""The round: environment, Erode, escalation, win check, two turns each with a win check, draw and refresh [GDD 5.1]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.causes import because, by_modifier, source_of
from cartomancer.encounters.kernel.codes import DUNGEON, EVERY_SEAT, FIRST, NOBODY, NONE, ONE, REDUCERS, UNSET, VISITOR
from cartomancer.encounters.kernel.energy import forget_temporary, note_energy, refresh
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import wear_off_guards
from cartomancer.encounters.kernel.keywords import acts_in
from cartomancer.encounters.kernel.layout import DEBT_SLOTS
from cartomancer.encounters.kernel.modifiers import sum_modifiers
from cartomancer.encounters.kernel.outcome import room_outcome
from cartomancer.encounters.kernel.party import finish_restorations
from cartomancer.encounters.kernel.piles import bit, draw_cards, drop_cards_of_fallen
from cartomancer.encounters.kernel.reducers import heal, lose, share_of, weakest_reducer
from cartomancer.jit import kernel, whole
from cartomancer.rng import below


@kernel
def begin_round(tables, state, log):
    """Steps 1 to 5: environment, Erode, escalation, win check, then the first side's turn."""
    state.round_no += 1
    state.rounds += 1
    state.turn = NOBODY
    note(log, events.ROUND_BEGAN, DUNGEON, whole(state.round_no), NONE, NONE, NONE)
    sum_modifiers(tables, state, log)
    for p in range(2):
        side = state.sides[p]
        side.trust_gained = 0
        side.hits_taken = 0
        side.attacks_met = 0
        side.skills_played = 0
    environment(tables, state, log)
    for p in range(2):
        _erode(tables, state, log, whole(p))
    escalate(tables, state, log)
    state.first = acts_first(state)
    state.actor = state.first
    _check(tables, state, log, DUNGEON, codes.STEP_BEGIN_TURN)


@kernel
def _check(tables, state, log, culprit, onward):
    """A win check: the room closes, or the encounter goes on with the next step."""
    state.result = room_outcome(tables, state, log, culprit)
    state.awaiting = onward if state.result == codes.UNDECIDED else codes.STEP_CLOSE_ROOM


@kernel
def acts_first(state):
    """Initiative and tempo; the visitor acts first on ties (E12)."""
    dungeon = state.sides[DUNGEON]
    visitor = state.sides[VISITOR]
    lead = whole(dungeon.initiative) + whole(dungeon.mods[codes.MOD_TEMPO])
    lead -= whole(visitor.initiative) + whole(visitor.mods[codes.MOD_TEMPO])
    return DUNGEON if lead > 0 else VISITOR


@kernel
def environment(tables, state, log):
    """Step 1: the room's auto-effects at their intervals, bindings, and what modifiers put into the room."""
    room = tables.dungeon.rooms[state.room]
    cause = because(causes.ROOM, whole(state.room))
    for p in range(2):
        for r in range(REDUCERS):
            state.sides[p].pressed[r] = 0
    for k in range(room.auto_count):
        effect = room.auto[k]
        p = whole(effect.side)
        if acts_in(tables, state, effect, whole(state.round_no)) and state.sides[p].calm == 0:
            change = whole(effect.change)
            if change < 0:
                state.sides[p].pressed[effect.resource] = ONE
            note(log, events.AUTO_EFFECT, p, whole(effect.resource), change, NONE, NONE)
            if change < 0:
                lose(tables, state, log, p, whole(effect.resource), -change, EVERY_SEAT, cause)
            else:
                heal(tables, state, log, p, whole(effect.resource), change, EVERY_SEAT, cause)
    for p in range(2):
        side = state.sides[p]
        if side.calm > 0:
            side.calm -= 1
        _bind(tables, state, log, whole(p))
        _modified_environment(tables, state, log, whole(p))


@kernel
def _bind(tables, state, log, p):
    """Bindings take their due each round until they run out [Bond 3.4]."""
    side = state.sides[p]
    for k in range(DEBT_SLOTS):
        if side.binding[k] > 0:
            r = whole(side.binding_at[k])
            note(log, events.BOUND, p, r, whole(side.binding[k]), NONE, NONE)
            lose(tables, state, log, p, r, whole(side.binding[k]), EVERY_SEAT, causes.BINDING_COST)
            side.binding_rounds[k] -= 1
            if side.binding_rounds[k] <= 0:
                side.binding[k] = 0


@kernel
def _modified_environment(tables, state, log, p):
    """Hazards, regeneration, and reinforcements that arrive and bite the other side."""
    side = state.sides[p]
    hazard = whole(side.mods[codes.MOD_HAZARD])
    if hazard > 0:
        cause = by_modifier(tables, log, causes.HAZARD, p, codes.MOD_HAZARD)
        note(log, events.HAZARD, p, hazard, NONE, NONE, NONE)
        lose(tables, state, log, p, FIRST, hazard, EVERY_SEAT, cause)
    regrown = whole(side.mods[codes.MOD_REGENERATION])
    if regrown > 0:
        cause = by_modifier(tables, log, causes.REGENERATION, p, codes.MOD_REGENERATION)
        note(log, events.REGENERATED, p, NONE, NONE, NONE, NONE)
        heal(tables, state, log, p, weakest_reducer(state, p, UNSET), regrown, EVERY_SEAT, cause)
    arriving = whole(side.mods[codes.MOD_REINFORCEMENTS])
    if arriving > 0:
        turned_away = min(arriving, whole(side.banish))
        side.banish -= turned_away
        side.adds = min(whole(side.adds) + arriving - turned_away, whole(tables.rules.most_adds))
        note(log, events.REINFORCED, p, whole(side.adds), NONE, NONE, NONE)
    bite = whole(tables.rules.add_damage)
    if side.adds + side.back_adds > 0:
        note(log, events.ADDS_BITE, p, whole(side.adds), whole(side.back_adds), NONE, NONE)
    front = by_modifier(tables, log, causes.REINFORCEMENTS, p, codes.MOD_REINFORCEMENTS)
    lose(tables, state, log, 1 - p, FIRST, whole(side.adds) * bite, EVERY_SEAT, front)
    behind = by_modifier(tables, log, causes.REINFORCEMENTS, p, codes.MOD_BACKLINE_ADDS)
    lose(tables, state, log, 1 - p, FIRST, whole(side.back_adds) * bite, back_line(tables, state), behind)


@kernel
def back_line(tables, state):
    """The standing member with the least vitality to start with."""
    found = NOBODY
    for seat in range(tables.visitor.member_count):
        if not state.members[seat].down:
            if found == NOBODY or state.members[seat].start < state.members[found].start:
                found = whole(seat)
    return found


@kernel
def _erode(tables, state, log, p):
    """Step 2: Erode takes its points and is gone; where the room has pressed this very round it takes none [GDD 9].

    Venom is a modifier's and bites whatever the room does.
    """
    side = state.sides[p]
    room = because(causes.ROOM, whole(state.room))
    for r in range(REDUCERS):
        if side.erode[r] > 0 and side.pressed[r]:
            note(log, events.ERODE_SUPPRESSED, p, whole(r), whole(side.erode[r]), NONE, room)
            side.erode[r] = 0
        points = whole(side.erode[r]) + whole(side.venom[r])
        side.erode[r] = 0
        side.venom[r] = 0
        if points > 0:
            note(log, events.ERODED, p, whole(r), points, NONE, NONE)
            lose(tables, state, log, p, whole(r), points, EVERY_SEAT, causes.ERODE)


@kernel
def escalate(tables, state, log):
    """Step 3: from round 9 both sides suffer, more every two rounds: their primary reducers, by default (E15)."""
    since = whole(state.round_no) - whole(tables.rules.escalation_from)
    if since < 0:
        return
    points = 1 + since // whole(tables.rules.escalation_every)
    scope = whole(tables.rules.escalation_scope)
    note(log, events.ESCALATED, DUNGEON, points, NONE, NONE, NONE)
    for p in range(2):
        first = weakest_reducer(state, whole(p), UNSET) if scope == codes.SCOPE_WEAKEST else FIRST
        last = whole(REDUCERS) if scope == codes.SCOPE_ALL else first + 1
        for r in range(first, last):
            lose(tables, state, log, whole(p), whole(r), points, EVERY_SEAT, causes.ESCALATION)


@kernel
def begin_turn(tables, state, log):
    """A side's turn: Entangle turns into being held, guards age, tempo gives energy, some cards may be locked."""
    p = whole(state.actor)
    side = state.sides[p]
    state.turn = p
    side.held = side.entangled
    side.entangled = 0
    side.struck = 0
    side.restrained = 0
    wear_off_guards(state, p)
    if p == VISITOR:
        finish_restorations(tables, state, log)
    tempo = max(NONE, whole(side.mods[codes.MOD_TEMPO]))
    side.temporary += tempo
    if tempo > 0:
        cause = by_modifier(tables, log, causes.MODIFIER, p, codes.MOD_TEMPO)
        if source_of(cause) == NOBODY:
            cause = by_modifier(tables, log, causes.MODIFIER, p, codes.MOD_TEMPO_GROWTH)
        note_energy(side, log, p, tempo, cause)
    _lock_cards(tables, state, log, p)
    note(log, events.TURN_BEGAN, p, whole(side.energy) + whole(side.temporary), whole(side.hand_size), NONE, NONE)
    state.awaiting = codes.AWAIT_TURN


@kernel
def _lock_cards(tables, state, log, p):
    """False orders and hexes lock random cards of the hand for this round; some hexes are warded off."""
    side = state.sides[p]
    side.locked = 0
    hexes = max(NONE, whole(state.sides[1 - p].mods[codes.MOD_HEX]))
    warded = min(hexes, whole(side.hex_guard))
    side.hex_guard -= warded
    wanted = min(whole(side.mods[codes.MOD_LOCKED_CARDS]) + hexes - warded, whole(side.hand_size))
    for done in range(wanted):
        rest = below(state.streams, codes.CHANCE, whole(side.hand_size) - done)
        for k in range(side.hand_size):
            mask = bit(whole(side.hand[k]))
            if not side.locked & mask:
                if rest == 0:
                    side.locked |= mask
                    break
                rest -= 1
    if wanted > 0:
        note(log, events.LOCKED, p, wanted, NONE, NONE, NONE)


@kernel
def end_turn(tables, state, log):
    """Steps 6 to 8: the win check after a turn, then the other side's turn or the end of the round."""
    p = whole(state.turn)
    side = state.sides[p]
    note(log, events.TURN_ENDED, p, NONE, NONE, NONE, NONE)
    forget_temporary(state, log, p)
    side.held = 0
    if side.betrayed > 0:
        side.betrayed -= 1
    if side.scorned > 0:
        side.scorned -= 1
    if p == VISITOR:
        drop_cards_of_fallen(tables, state, log)
        for seat in range(tables.visitor.member_count):
            if state.members[seat].weakness > 0:
                state.members[seat].weakness -= 1
    state.actor = 1 - p
    _check(tables, state, log, p, codes.STEP_BEGIN_TURN if p == state.first else codes.STEP_FINISH_ROUND)


@kernel
def finish_round(tables, state, log):
    """Step 9: cards and energy for both; a round limit that is reached clears the room (E8)."""
    state.turn = NOBODY
    _sample_lead(state)
    if state.round_no >= tables.dungeon.rooms[state.room].round_limit:
        state.result = codes.SURVIVE
        state.awaiting = codes.STEP_CLOSE_ROOM
        return
    for p in range(2):
        side = state.sides[p]
        count = max(NONE, whole(tables.rules.draw) + whole(side.mods[codes.MOD_DRAW]))
        count = max(count, whole(tables.rules.least_hand) - whole(side.hand_size))
        draw_cards(tables, state, log, whole(p), count, causes.ROUND)
        refresh(state, log, whole(p))
    note_round_end(state, log)
    state.awaiting = codes.STEP_BEGIN_ROUND


@kernel
def note_round_end(state, log):
    """What both sides have left when a round is over; the end of a room or of the run ends its round."""
    for p in range(2):
        side = state.sides[p]
        first = share_of(side.reducers[FIRST], side.starts[FIRST])
        second = share_of(side.reducers[codes.SECOND], side.starts[codes.SECOND])
        third = share_of(side.reducers[codes.THIRD], side.starts[codes.THIRD])
        note(log, events.ROUND_ENDED, whole(p), first, second, third, NONE)


@kernel
def standing_share(side, unit):
    """The sum of a side's reducers as shares of their starting values; `unit` is a multiple of all of these."""
    total = NONE
    for r in range(REDUCERS):
        total += whole(side.reducers[r]) * (unit // whole(side.starts[r]))
    return total


@kernel
def _sample_lead(state):
    """Who leads at the round's end: the higher mean share; a tie keeps the last leader (E19)."""
    unit = ONE
    for p in range(2):
        for r in range(REDUCERS):
            unit *= whole(state.sides[p].starts[r])
    ahead = standing_share(state.sides[DUNGEON], unit) - standing_share(state.sides[VISITOR], unit)
    if ahead != 0:
        leader = DUNGEON + ONE if ahead > 0 else VISITOR + ONE
        if state.lead != NONE and state.lead != leader:
            state.lead_changes += 1
        state.lead = leader
