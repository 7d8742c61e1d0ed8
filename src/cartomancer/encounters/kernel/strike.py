"""Strikes: power, aim, the contested roll, damage, keywords, rally, reversal damage [GDD 4.9, 9, 16.9]."""

from __future__ import annotations

from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.encounters.kernel.betrayal import after_strike
from cartomancer.encounters.kernel.causes import because, by_modifier
from cartomancer.encounters.kernel.codes import DUNGEON, EVERY_SEAT, FIRST, NOBODY, NONE, ONE, REDUCERS, UNSET, VISITOR
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.contest import contest_total, seat_of
from cartomancer.encounters.kernel.energy import lose_energy
from cartomancer.encounters.kernel.events import note
from cartomancer.encounters.kernel.guards import hurt, raise_fortify, raise_ward
from cartomancer.encounters.kernel.handicaps import clear_disrupt, handicap, hinders
from cartomancer.encounters.kernel.keywords import drain, entangle, fired, lay_erode, overwhelm, poison
from cartomancer.encounters.kernel.layout import numbered_card
from cartomancer.encounters.kernel.modifiers import is_in_force
from cartomancer.encounters.kernel.party import lowest_member, standing
from cartomancer.encounters.kernel.piles import draw_cards
from cartomancer.encounters.kernel.prying import pry
from cartomancer.encounters.kernel.reactions import has_answer
from cartomancer.encounters.kernel.reducers import heal, lose, weakest_reducer
from cartomancer.encounters.kernel.resolution import ADVANTAGE, DISADVANTAGE, PLAIN, scaled, tier_of
from cartomancer.encounters.kernel.tactics import clear_empower, merged, shares_empower
from cartomancer.encounters.kernel.traps import spring_traps
from cartomancer.jit import kernel, whole
from cartomancer.rng import below


@kernel
def begin_strike(tables, state, log, p, instance, found):
    """Declare a Strike: pay its self-cost, gather power and keywords, use up Empower and Disrupt, then aim."""
    card = numbered_card(tables, found)
    flight = state.flight
    flight.striker = p
    flight.instance = instance
    flight.card = found
    flight.seat = NOBODY
    if card.self_cost > 0:
        at = whole(card.self_cost_at)
        note(log, events.SELF_COST, p, at, whole(card.self_cost), NONE, NONE)
        cause = because(causes.SELF_COST, found)
        lose(tables, state, log, p, at, whole(card.self_cost), seat_of(tables, p, instance), cause)
    _gather(tables, state, log, p, instance, found)
    me = state.sides[p]
    me.strikes += 1
    me.struck = ONE
    me.last_type = card.card_type
    spring_traps(tables, state, log, 1 - p, codes.ON_STRIKE)
    _meet(tables, state, log, p)
    state.actor = p
    state.awaiting = codes.AWAIT_RESOURCE if flight.target == codes.CHOSEN else codes.STEP_AIM


@kernel
def _gather(tables, state, log, p, instance, found):
    """Power, keywords and way to roll, from the card, its trigger, Empower, Disrupt, conditions and modifiers."""
    card = numbered_card(tables, found)
    me = state.sides[p]
    them = state.sides[1 - p]
    flight = state.flight
    power = whole(card.power) + whole(me.mods[codes.MOD_DAMAGE])
    keywords = merged(whole(card.keywords), whole(me.mods[codes.MOD_GRANT_KEYWORD]))
    advantage = False
    shared = shares_empower(me, card)
    if shared:
        power += whole(me.empower_power)
        keywords = merged(
            merged(whole(card.keywords), whole(me.empower_keywords)), whole(me.mods[codes.MOD_GRANT_KEYWORD])
        )
        advantage = me.empower_advantage != 0
    bonus = NONE
    gains = False  # whether the trigger gives what the Strike would not have without it, besides power
    if is_triggered(tables, state, p, card):
        bonus = whole(card.bonus)
        more = merged(keywords, whole(card.bonus_keywords))
        gains = (more != keywords and not me.strip) or (card.bonus_advantage != 0 and not advantage)
        keywords = more
        advantage = advantage or card.bonus_advantage != 0
    if shared:
        clear_empower(me)
    if me.strip:
        keywords = NONE
        note(log, events.STRIPPED, p, NONE, NONE, NONE, NONE)
    if keywords & codes.RESONATE and me.last_type == card.card_type:
        power += whole(tables.rules.resonate)
        fired(log, p, codes.RESONATE, found)
    if me.betrayed > 0:
        power += whole(tables.rules.betrayed_power)
    if p == VISITOR:
        power -= whole(state.members[seat_of(tables, p, instance)].weakness)
    flight.exposed = them.exposure[card.card_type]
    them.exposure[card.card_type] = 0
    mode = PLAIN
    if advantage and not me.disadvantage:
        mode = ADVANTAGE
    elif me.disadvantage and not advantage:
        mode = DISADVANTAGE
    flight.power = max(ONE, power + bonus)
    if gains or flight.power > max(ONE, power):
        note(log, events.TRIGGERED, p, found, NONE, NONE, NONE)
    flight.keywords = keywords
    flight.mode = mode
    flight.target = card.target
    flight.random_target = me.randomise
    if me.randomise:
        flight.target = below(state.streams, codes.CHANCE, REDUCERS)
        note(log, events.TARGET_SCRAMBLED, p, whole(flight.target), NONE, NONE, NONE)
    for r in range(REDUCERS):
        if me.thorns[r] > 0:
            seat = seat_of(tables, p, instance)
            note(log, events.THORNS, p, whole(r), whole(me.thorns[r]), NONE, NONE)
            hurt(tables, state, log, p, whole(r), whole(me.thorns[r]), seat, NONE, causes.THORNS)
    clear_disrupt(me)


@kernel
def _meet(tables, state, log, p):
    """The struck side may strike back at the first attacks of a round (a modifier)."""
    them = state.sides[1 - p]
    if them.attacks_met < them.mods[codes.MOD_COUNTER]:
        damage = whole(tables.rules.counter_damage)
        seat = seat_of(tables, p, whole(state.flight.instance))
        cause = by_modifier(tables, log, causes.COUNTERSTRIKE, 1 - p, codes.MOD_COUNTER)
        note(log, events.STRUCK_BACK, 1 - p, damage, NONE, NONE, NONE)
        hurt(tables, state, log, p, FIRST, damage, seat, NONE, cause)
    them.attacks_met += 1


@kernel
def aim(tables, state, log):
    """A Strike at a party's vitality needs a member: asked for, unless a keyword, chance or number decides."""
    flight = state.flight
    if flight.striker == DUNGEON and flight.target == FIRST:
        count = standing(tables, state)
        if count == 1 or flight.keywords & codes.FOCUSED:
            flight.seat = lowest_member(tables, state)
            if count > 1:
                fired(log, DUNGEON, codes.FOCUSED, whole(flight.card))
        elif flight.keywords & codes.CLEAVE or count == 0:
            flight.seat = EVERY_SEAT
        elif flight.random_target:
            flight.seat = _random_standing(tables, state, count)
        else:
            state.awaiting = codes.AWAIT_MEMBER
            return
    state.awaiting = codes.STEP_ROLL


@kernel
def _random_standing(tables, state, count):
    """A standing member, each as likely."""
    rest = below(state.streams, codes.CHANCE, count)
    for seat in range(tables.visitor.member_count):
        if not state.members[seat].down:
            if rest == 0:
                return whole(seat)
            rest -= 1
    return NOBODY


@kernel
def roll_strike(tables, state, log):
    """The contested roll; the margin's tier scales the damage both ways. The victim may answer a hit.

    What comes back scales a base of the rules' own, or the Strike's power where they name none; what an Exposure adds
    is damage, not power, and never comes back [Bond 3.4].
    """
    flight = state.flight
    p = whole(flight.striker)
    victim = 1 - p
    rules = tables.rules
    card_type = whole(numbered_card(tables, flight.card).card_type)
    power = whole(flight.power)
    if p == DUNGEON and flight.seat >= 0 and state.members[flight.seat].threat > 0:
        power += whole(rules.threat_power)
    mine = contest_total(tables, state, p, card_type, whole(flight.mode))
    theirs = contest_total(tables, state, victim, card_type, PLAIN)
    tier = tier_of(mine - theirs, rules.tier_margin, whole(rules.tier_count))
    note(log, events.STRIKE_ROLLED, p, mine, theirs, tier, NONE)
    damage = scaled(power, whole(rules.tier_attacker[tier]))
    if damage > 0:
        damage += whole(flight.exposed)
    if _is_low(state, p):
        damage = scaled(damage, 100 + whole(state.sides[p].mods[codes.MOD_EXECUTE_PERCENT]))
    flight.tier = tier
    flight.damage = damage
    thrown = whole(rules.reversal_base)
    flight.back = scaled(thrown if thrown > 0 else power, whole(rules.tier_defender[tier]))
    state.awaiting = codes.STEP_FINISH_STRIKE
    if damage > 0 and has_answer(tables, state, victim):
        state.awaiting = codes.AWAIT_REACT
        state.actor = victim


@kernel
def _is_low(state, p):
    """Whether the struck reducer or member is below the share from which side p executes (a modifier)."""
    below_percent = whole(state.sides[p].mods[codes.MOD_EXECUTE_BELOW])
    if below_percent == 0:
        return False
    flight = state.flight
    if flight.seat >= 0:
        member = state.members[flight.seat]
        return whole(member.vitality) * 100 < whole(member.start) * below_percent
    side = state.sides[1 - p]
    return whole(side.reducers[flight.target]) * 100 < whole(side.starts[flight.target]) * below_percent


@kernel
def finish_strike(tables, state, log):
    """Damage falls on both, keywords act on a hit, a clean hit rallies, trust answers; the turn goes on."""
    flight = state.flight
    p = whole(flight.striker)
    rules = tables.rules
    owner = seat_of(tables, p, whole(flight.instance))
    found = whole(flight.card)
    if flight.back > 0:
        hurt(tables, state, log, p, FIRST, whole(flight.back), owner, NONE, because(causes.REVERSAL, found))
    landed = NONE
    if flight.damage > 0:
        landed = _land(tables, state, log, p, owner)
    tier = whole(flight.tier)
    if landed > 0 and rules.tier_defender[tier] == 0:
        cause = because(causes.RALLY, found)
        if heal(tables, state, log, p, weakest_reducer(state, p, UNSET), whole(rules.rally), EVERY_SEAT, cause) > 0:
            note(log, events.RALLIED, p, NONE, NONE, NONE, NONE)
        if tier == 0 and state.sides[1 - p].adds > 0:
            state.sides[1 - p].adds -= 1
            note(log, events.DRIVEN_OFF, 1 - p, whole(state.sides[1 - p].adds), NONE, NONE, NONE)
    after_strike(tables, state, log, p)
    state.awaiting = codes.AWAIT_TURN
    state.actor = p


@kernel
def _land(tables, state, log, p, owner):
    """Damage through the victim's guards, and what keywords and modifiers make of a hit.

    Returns the points that got through.
    """
    flight = state.flight
    victim = 1 - p
    r = whole(flight.target)
    keywords = whole(flight.keywords)
    me = state.sides[p]
    pierce = whole(me.mods[codes.MOD_ARMOUR_PIERCE])
    damage = whole(flight.damage)
    found = whole(flight.card)
    card = numbered_card(tables, found)
    cause = because(causes.STRIKE, found)
    before = NONE
    through = NONE
    cleaves = keywords & codes.CLEAVE != 0 and victim == VISITOR and r == FIRST and tables.visitor.member_count > 1
    if cleaves:
        part = scaled(damage, whole(tables.rules.cleave_percent))
        shared = because(causes.CLEAVE, found)
        for seat in range(tables.visitor.member_count):
            if not state.members[seat].down:
                through += _hit(tables, state, log, victim, r, part, whole(seat), pierce, keywords, shared)
        before = through  # each member takes its own share: nothing spills
    else:
        before = whole(state.sides[victim].reducers[r])
        if victim == VISITOR and r == FIRST and flight.seat >= 0:
            before = whole(state.members[flight.seat].vitality)
        through = _hit(tables, state, log, victim, r, damage, whole(flight.seat), pierce, keywords, cause)
    if through <= 0:
        return NONE
    if cleaves:
        fired(log, p, codes.CLEAVE, found)
    if keywords & codes.PIERCING and victim == VISITOR and r == FIRST and (cleaves or flight.seat >= 0):
        fired(log, p, codes.PIERCING, found)
    if keywords & codes.ENTANGLE:
        entangle(state, log, victim, cause)
    if keywords & codes.ERODE:
        at = whole(card.erode_at)
        lay_erode(state, log, victim, at if at >= 0 else r, whole(tables.rules.erode), cause)
    if me.mods[codes.MOD_POISON] > 0:
        venom = by_modifier(tables, log, causes.POISON, p, codes.MOD_POISON)
        poison(state, log, victim, r, whole(me.mods[codes.MOD_POISON]), venom)
    if keywords & codes.DRAIN:
        drain(tables, state, log, p, through, whole(card.drain_to), owner, found)
    if keywords & codes.OVERWHELM and through > before:
        excess = (through - before) * (2 if keywords & codes.OVERWHELM_TWICE else 1)
        overwhelm(tables, state, log, victim, r, excess, whole(card.spill_to), found)
    _riders(tables, state, log, p, card, found)
    _splash(tables, state, log, p, owner, whole(card.card_type))
    return through


@kernel
def _riders(tables, state, log, p, card, found):
    """What else a hit brings: handicaps and lost energy to the victim; guards, cards and a look to the striker."""
    cause = because(causes.STRIKE, found)
    if hinders(card):
        handicap(state, log, 1 - p, card, cause)
    if card.energy_loss > 0:
        lose_energy(state, log, 1 - p, whole(card.energy_loss), cause)
    if card.ward > 0:
        raise_ward(tables, state, log, p, whole(card.ward), cause)
    if card.fortify > 0:
        rounds = whole(card.fortify_rounds)
        raise_fortify(state, log, p, whole(card.fortify_at), whole(card.fortify), rounds, cause)
    if card.draws > 0:
        draw_cards(tables, state, log, p, whole(card.draws), cause)
    pry(tables, state, log, p, card, cause)


@kernel
def _hit(tables, state, log, victim, r, damage, seat, pierce, keywords, cause):
    """Damage to one reducer or member; whom Piercing harms cannot be healed, rescued or restored in this room."""
    if not keywords & codes.PIERCING or victim != VISITOR or r != FIRST or seat < 0:
        return hurt(tables, state, log, victim, r, damage, seat, pierce, cause)
    member = state.members[seat]
    before = member.pierced
    member.pierced = 1  # now, so that nobody rescues it from this very wound
    through = hurt(tables, state, log, victim, r, damage, seat, pierce, cause)
    if through <= 0:
        member.pierced = before
    return through


@kernel
def _splash(tables, state, log, p, owner, card_type):
    """Some weapons make hits of a type harm another reducer as well [GDD 17.7]."""
    for k in range(tables.modifier_count):
        modifier = tables.modifiers[k]
        if modifier.code == codes.MOD_SPLASH and modifier.side == p and is_in_force(tables, state, k):
            if modifier.card_type < 0 or modifier.card_type == card_type:
                if modifier.seat < 0 or modifier.seat == owner:
                    r = whole(modifier.resource)
                    note(log, events.SPLASHED, 1 - p, r, whole(modifier.value), NONE, NONE)
                    cause = because(causes.SPLASH, whole(k))
                    lose(tables, state, log, 1 - p, r, whole(modifier.value), EVERY_SEAT, cause)
