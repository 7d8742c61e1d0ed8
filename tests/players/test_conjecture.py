"""What the other side could have chosen: right as far as it goes, and blind to what is hidden."""

from __future__ import annotations

import pytest

from cartomancer.encounters.event import Event
from cartomancer.encounters.events import redacted
from cartomancer.encounters.names import SIDES
from cartomancer.players.conjecture import DEEDS, conjecture, decided
from cartomancer.rng import Stream
from tests.encounters.arena import Arena, card, offer, strike
from tests.players.positions import at_random, redealt, told

SCENARIOS = ("boar", "symbiote", "standard-company", "company-gauntlet")
ENDED = Event("turn_ended", "visitor", {})


def visitors_turn(*cards: dict[str, object], energy: int = 2, known: bool = False, **options: object) -> Arena:
    """It is the visitor's turn, with these cards in hand; the dungeon looks on."""
    arena = Arena(visitor=list(cards), **options)  # type: ignore[arg-type]
    arena.turn("visitor", hand=[str(entry["id"]) for entry in cards], energy=energy)
    if known:
        arena.side("visitor")["known"] = 2**48 - 1
    return arena


# --- what it says -----------------------------------------------------------------------------------------------------


def test_cards_that_were_seen_are_options_if_they_can_be_paid_for() -> None:
    cards = strike("claw", side="visitor", cost=1), strike("maul", side="visitor", cost=3)
    arena = visitors_turn(*cards, known=True)
    assert conjecture(arena.encounter, "dungeon", ENDED).seen == ("claw",)
    arena = visitors_turn(*cards)
    assert conjecture(arena.encounter, "dungeon", ENDED).seen == ()


def test_what_was_chosen_is_not_among_the_rest() -> None:
    arena = visitors_turn(strike("claw", side="visitor"))
    assert "end its turn" not in conjecture(arena.encounter, "dungeon", ENDED).besides
    given_up = Event("card_activated", "visitor", {"card": "claw"})
    assert conjecture(arena.encounter, "dungeon", given_up).besides == ("end its turn",)


def test_a_react_is_no_option_of_a_turn_and_nothing_else_answers_a_strike() -> None:
    arena = visitors_turn(card("react", "shell", "visitor", power=2), strike("claw", side="visitor"))
    assert "react" not in conjecture(arena.encounter, "dungeon", ENDED).may_hold
    answered = conjecture(arena.encounter, "dungeon", Event("reacted", "visitor", {"card": "shell"}))
    assert set(answered.may_hold) == {"react"}
    assert answered.besides == ("take the hit",)


def test_who_was_not_asked_has_decided_nothing() -> None:
    assert decided(Event("offer_accepted", "visitor", {"card": "gift", "bound": True}), "dungeon") is None
    assert decided(Event("offer_refused", "visitor", {"card": "gift", "unheard": True}), "dungeon") is None
    assert decided(Event("offer_refused", "visitor", {"card": "gift", "unheard": False}), "dungeon") == "offer"
    assert decided(Event("offer_refused", "visitor", {"card": "gift", "unheard": False}), "visitor") is None


def test_an_offer_is_answered_with_yes_or_no() -> None:
    arena = Arena(dungeon=[offer("gift")])
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift")
    found = conjecture(arena.encounter, "dungeon", Event("offer_refused", "visitor", {"card": "gift"}))
    assert (found.besides, found.may_hold, found.seen) == (("accept",), {}, ())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_was_really_played_was_thought_possible(scenario: str) -> None:
    """Whatever a side sees played from the hand, it had thought possible: seen, or of a category that may be held."""
    met = 0
    for number, fight in enumerate(at_random(scenario, 7)):
        if number % 3 or fight.decision is None:
            continue
        viewer = SIDES[1 - SIDES.index(fight.decision.side)]
        chance = Stream(9, 53, number)
        after = fight.copy()
        shown = [redacted(event, viewer) for event in after.apply(chance.pick(fight.legal()))]
        deed = next((event for event in shown if decided(event, viewer)), None)
        if deed is None or deed.kind not in {"card_played", "reacted"}:
            continue
        met += 1
        found = conjecture(fight, viewer, deed)
        played = next(one for one in fight.packed.cards if one.id == deed.card)
        assert played.id in found.seen or found.may_hold.get(played.category, 0) > 0
    assert met > 3


# --- what it does not say ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_hidden_cards_dealt_anew_change_no_conjecture(scenario: str) -> None:
    chance = Stream(11, 54, 0)
    for number, fight in enumerate(at_random(scenario, 6)):
        if number % 5 or fight.decision is None:
            continue
        side = 1 - SIDES.index(fight.decision.side)
        twin = redealt(fight, side, chance)
        assert told(twin, side) == told(fight, side)
        for kind in DEEDS:
            deed = Event(kind, fight.decision.side, {})
            assert conjecture(twin, SIDES[side], deed) == conjecture(fight, SIDES[side], deed)
