"""Sentences: every event has one, numbers are right, nothing hidden is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter, Event
from cartomancer.encounters.kernel import events
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.narration import Narrator
from cartomancer.encounters.packing import pack
from cartomancer.encounters.sentences import CLAUSES, EVENT_NAMES, Kind
from cartomancer.rng import Stream
from tests.encounters.arena import Arena, card, strike

SCENARIOS = ("boar", "symbiote", "standard-company", "company-gauntlet", "bond-then-betray")
DUNGEON, VISITOR = 0, 1


def event(code: int, side: int = VISITOR, a: int = 0, b: int = 0, c: int = -1) -> Event:
    return Event(int(code), side, a, b, c)


def told(scenario: str, *happened: Event, viewer: str | None = None) -> list[str]:
    return Narrator(pack(scenario), viewer).sentences(happened)


def number_of(scenario: str, name: str) -> int:
    return [one.id for one in pack(scenario).cards].index(name)


def random_run(scenario: str, seed: int, most: int = 400) -> Iterator[tuple[Encounter, list[Event]]]:
    """A random run, decision by decision, with what each led to."""
    fight = Encounter(scenario, seed)
    yield fight, fight.opening
    while fight.decision is not None and len(fight.actions) < most:
        yield fight, fight.apply(Stream(seed, 77, len(fight.actions)).pick(fight.legal()))


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "name"),
    [
        ("boar", "the Verdant Maw"),
        ("guardian:rng", "RNG"),
        ("guardian:house", "the House"),
        ("guardian:grandmother_moss", "Grandmother Moss"),
    ],
)
def test_a_dungeon_is_called_by_its_title_and_a_guardian_by_its_name(scenario: str, name: str) -> None:
    rolled = event(events.INITIATIVE, DUNGEON, 7, 5)
    assert told(scenario, rolled)[0].startswith(f"Initiative: {name} rolls 7, ")
    assert told(scenario, event(events.TURN_ENDED, DUNGEON)) == [f"{name[0].upper()}{name[1:]} ends its turn."]


# --- every event ------------------------------------------------------------------------------------------------------


def test_every_event_has_a_clause() -> None:
    assert set(CLAUSES) == set(EVENT_NAMES)
    assert len(EVENT_NAMES) == 81


@pytest.mark.parametrize("code", sorted(EVENT_NAMES), ids=EVENT_NAMES.get)
@pytest.mark.parametrize("viewer", [None, "dungeon", "visitor"])
def test_every_event_is_a_sentence(code: int, viewer: str | None) -> None:
    happened = [event(code, VISITOR, 1, 1, 1)]
    if CLAUSES[code][0] in {Kind.CAUSE, Kind.PREFIX}:
        happened.append(event(events.HURT, VISITOR, 1, 2))
    sentences = told("company-gauntlet", *happened, viewer=viewer)
    assert len(sentences) == 1
    assert sentences[0][0].isupper() or sentences[0][0].isdigit()
    assert sentences[0].endswith(".")
    assert not set(sentences[0]) & set("{}_")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_whole_fights_are_told_in_clean_sentences(scenario: str) -> None:
    for seed in range(3):
        narrator = Narrator(pack(scenario))
        story = [line for _, happened in random_run(scenario, seed) for line in narrator.lines(happened)]
        assert all(line.text[0].isupper() or line.text[0].isdigit() for line in story)
        assert all(line.text.endswith(".") and "_" not in line.text and " by 0" not in line.text for line in story)
        assert [line.text for line in story if line.kind is Kind.ROUND][:2] == ["Round 1.", "Round 2."]
        assert story[0].kind is Kind.ROOM
        assert story[-1].text.startswith("The run ends: ")


# --- numbers and grouping ---------------------------------------------------------------------------------------------


def test_a_strike_is_one_line_with_its_roll_and_its_damage() -> None:
    gore = number_of("boar", "gore")
    happened = (
        event(events.CARD_PLAYED, VISITOR, gore, 1),
        event(events.STRIKE_ROLLED, VISITOR, 9, 6, 1),
        event(events.HURT, DUNGEON, 0, 3),
    )
    line = "The Thornback Boar strikes with Gore: 9 against 6, a strong hit. Structure falls by 3."
    assert told("boar", *happened) == [line]


def test_the_line_of_a_strike_that_was_declared_before_names_it_again() -> None:
    narrator = Narrator(pack("boar"))
    gore = number_of("boar", "gore")
    assert narrator.sentences([event(events.CARD_PLAYED, VISITOR, gore, 1)]) == [
        "The Thornback Boar strikes with Gore."
    ]
    rolled = [event(events.STRIKE_ROLLED, VISITOR, 4, 9, 4)]
    assert narrator.sentences(rolled) == ["Gore: 4 against 9, a reversal."]
    assert narrator.sentences([event(events.HURT, VISITOR, 0, 3, 0)]) == ["Gore lands. Vitality falls by 3."]


def test_losses_of_nothing_are_silent_and_so_is_their_cause() -> None:
    assert told("boar", event(events.HURT, DUNGEON, 1, 0)) == []
    assert told("boar", event(events.AUTO_EFFECT, VISITOR, 0, -1), event(events.HURT, VISITOR, 0, 0)) == []
    assert told("boar", event(events.HEALED, VISITOR, 1, 0)) == []
    spilled = told("boar", event(events.SPILLED, DUNGEON, 1, 2), event(events.HURT, DUNGEON, 1, 0))
    assert spilled == []


def test_equal_losses_are_told_in_one_breath() -> None:
    losses = [event(events.HURT, side, reducer, 2) for side in (DUNGEON, VISITOR) for reducer in range(3)]
    line = "The fight escalates: structure, veil, presence, vitality, resolve and nerve fall by 2."
    assert told("boar", event(events.ESCALATED, DUNGEON, 2), *losses) == [line]


def test_the_pressure_of_a_room_is_one_line() -> None:
    happened = [
        *(event(events.AUTO_EFFECT, VISITOR, 0, -1), event(events.HURT, VISITOR, 0, 1, 0)),
        *(event(events.AUTO_EFFECT, VISITOR, 2, -2), event(events.HURT, VISITOR, 2, 2)),
    ]
    assert told("boar", *happened) == ["The room presses: vitality falls by 1. Nerve falls by 2."]


def test_members_are_named_where_their_vitality_falls() -> None:
    happened = [
        event(events.KNOCKED_OUT, VISITOR, 3, 9),
        event(events.MORALE_CASCADE, VISITOR, 3),
        *(event(events.HURT, VISITOR, reducer, 3) for reducer in (1, 2)),
        event(events.HURT, VISITOR, 0, 3, 0),
    ]
    line = "The Rogue is knocked out, and 9 cards with it. Morale cracks: resolve and nerve fall by 3."
    assert told("standard-company", *happened) == [f"{line} The Knight's vitality falls by 3."]


def test_a_rally_names_what_it_gives_back() -> None:
    happened = [event(events.HURT, DUNGEON, 0, 3), event(events.HEALED, VISITOR, 2, 1), event(events.RALLIED, VISITOR)]
    assert told("boar", *happened) == ["Structure falls by 3. The Thornback Boar rallies: nerve rises by 1."]


def test_trust_is_told_in_half_points() -> None:
    assert told("boar", event(events.TRUST_CHANGED, DUNGEON, 7, 1)) == ["Trust rises by ½ to 3½."]
    assert told("boar", event(events.TRUST_CHANGED, DUNGEON, 0, -5)) == ["Trust falls by 2½ to 0."]


def test_drawing_an_opening_hand_is_told_once() -> None:
    happened = [event(events.DREW, VISITOR, 7), event(events.DREW, VISITOR, 7), event(events.HAND_DEALT, VISITOR, 7, 1)]
    assert told("boar", *happened) == ["The Thornback Boar is dealt 7 cards after 1 mulligan."]


def test_whoever_acts_becomes_it_until_somebody_else_is_spoken_of() -> None:
    happened = [event(events.TURN_ENDED, DUNGEON), event(events.DREW, DUNGEON, 2), event(events.DREW, VISITOR, 1)]
    line = "The Verdant Maw ends its turn. It draws 2 cards. The Thornback Boar draws 1 card."
    assert told("boar", *happened) == [line]


def test_a_played_fight_has_the_numbers_of_its_state() -> None:
    arena = Arena(dungeon=[strike("claw", power=3)])
    arena.turn("dungeon", hand=["claw"])
    arena.dice("partial")
    sentences = Narrator(arena.encounter.packed, codex=arena.codex).sentences(arena.act("strike claw"))
    assert len(sentences) == 1
    assert sentences[0].startswith("The Pit strikes with Claw: ")
    assert sentences[0].endswith(", a partial hit. Structure and vitality fall by 2.")


# --- what is hidden ---------------------------------------------------------------------------------------------------


def offer(**fields: object) -> dict[str, object]:
    price = {"type": "flat", "resource": "resolve", "amount": 2}
    base = {"benefit": {"resource": "nerve", "amount": 3}, "price": price, "trust": 1}
    return card("offer", "soft_bed", "dungeon", **(base | fields))


def offered(trust: int, answer: str | None, viewer: str | None) -> str:
    """What is told of one Offer and its answer."""
    arena = Arena(dungeon=[offer()])
    arena.set(trust=trust, nerve=10)
    arena.turn("dungeon", hand=["soft_bed"])
    narrator = Narrator(arena.encounter.packed, viewer, arena.codex)
    sentences = narrator.sentences(arena.act("offer soft_bed"))
    if answer is not None:
        sentences += narrator.sentences(arena.act(answer))
    return " ".join(sentences)


def test_a_stranger_sees_the_whole_offer() -> None:
    assert offered(0, "refuse", "visitor").startswith("The Pit makes an Offer: Soft Bed. The Guest refuses Soft Bed.")


def test_a_veiled_offer_keeps_its_name_until_it_is_accepted() -> None:
    refused = offered(3, "refuse", "visitor")
    assert "Soft Bed" not in refused
    assert refused.startswith("The Pit makes an Offer and veils its price. The Guest refuses the veiled Offer.")
    assert "Soft Bed" in offered(3, "refuse", None)
    assert "Soft Bed" in offered(3, "refuse", "dungeon")
    accepted = offered(3, "accept", "visitor")
    assert "The Guest accepts Soft Bed. Nerve rises by 3. Resolve falls by 2." in accepted


def test_a_binding_offer_is_named_because_it_was_accepted() -> None:
    line = "The Pit makes an Offer and veils its price. The Guest accepts Soft Bed, bound by its trust."
    assert offered(6, None, "visitor").startswith(line)


def test_a_narrator_that_saw_no_offer_does_not_name_it() -> None:
    bed = number_of("symbiote", "mossy_rest")
    assert told("symbiote", event(events.OFFER_REFUSED, VISITOR, bed), viewer="visitor") == [
        "The Drift Symbiote refuses the veiled Offer."
    ]


def test_cards_that_leave_a_hand_with_the_fallen_are_not_shown_to_the_dungeon() -> None:
    dropped = [
        event(events.DISCARDED, VISITOR, number_of("standard-company", name)) for name in ("runed_edge", "forked_bolt")
    ]
    assert told("standard-company", *dropped, viewer="dungeon") == ["2 cards leave the hand with the fallen."]
    assert told("standard-company", *dropped) == ["Runed Edge and Forked Bolt leave the hand with the fallen."]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_side_hears_of_a_card_it_has_not_seen(scenario: str) -> None:
    """What a side has seen is in the kernel's own books, which the narrator does not read."""
    packed = pack(scenario)
    titles = {one.title: number for number, one in enumerate(packed.cards)}
    for seed, viewer in [(0, VISITOR), (1, DUNGEON), (2, VISITOR), (3, DUNGEON)]:
        narrator, seen = Narrator(packed, names.SIDES[viewer]), set[int]()
        theirs = {number for number, one in enumerate(packed.cards) if names.side_code(one.side) != viewer}
        for fight, happened in random_run(scenario, seed):
            side = fight.state["sides"][1 - viewer]
            known = (k for k in range(48) if int(side["known"]) >> k & 1)
            seen |= {int(card_of(packed.tables, fight.state, 1 - viewer, k)) for k in known}
            named = {number for title, number in titles.items() if title in " ".join(narrator.sentences(happened))}
            if any(one.code == events.ROOM_ENTERED for one in happened):
                continue  # the books of the last room are closed
            assert named & theirs <= seen
