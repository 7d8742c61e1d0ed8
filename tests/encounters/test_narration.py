"""Sentences: every event has one, numbers are right, nothing hidden is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.events import FIELDS, TABLE, Row, read
from cartomancer.encounters.kernel.events import Happening
from cartomancer.encounters.kernel.layout import number_of
from cartomancer.encounters.narration import Narrator
from cartomancer.encounters.packing import pack
from cartomancer.encounters.sentences import Kind
from cartomancer.rng import Stream
from tests.encounters.arena import Arena, card, strike

SCENARIOS = ("boar", "symbiote", "standard-company", "company-gauntlet", "bond-then-betray")
DUNGEON, VISITOR = 0, 1


def event(kind: str, side: str = "visitor", secret: str = "", **fields: Any) -> Event:
    return Event(kind, side, fields, secret)


def loss(reducer: str, points: int, side: str = "visitor", kind: str = "hurt", **more: Any) -> Event:
    return event(kind, side, reducer=reducer, points=points, cause="strike", **more)


def told(scenario: str, *happened: Event, viewer: str | None = None) -> list[str]:
    return Narrator(pack(scenario), viewer).sentences(happened)


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
    rolled = event("initiative", "dungeon", dungeon_roll=7, visitor_roll=5)
    assert told(scenario, rolled)[0].startswith(f"Initiative: {name} rolls 7, ")
    assert told(scenario, event("turn_ended", "dungeon")) == [f"{name[0].upper()}{name[1:]} ends its turn."]


# --- every event ------------------------------------------------------------------------------------------------------


def test_every_event_is_a_row_of_the_table() -> None:
    assert {row.happening for row in TABLE.values()} == set(Happening)
    assert len(TABLE) == 88
    for row in TABLE.values():
        assert len(row.fields) <= 3  # as many as the kernel writes
        assert set(row.fields) <= set(FIELDS)
        assert set(row.seen) <= set(row.fields)
        assert set(row.seen) <= {"card"}


def sample(row: Row, side: int = VISITOR) -> Event:
    """The event the kernel's numbers (1, 1, 1) mean, by no special cause."""
    return read(pack("company-gauntlet"), [int(row.happening), side, 1, 1, 1, 41, -1, -1])


@pytest.mark.parametrize("kind", sorted(TABLE))
@pytest.mark.parametrize("viewer", [None, "dungeon", "visitor"])
def test_every_event_is_a_sentence(kind: str, viewer: str | None) -> None:
    happened = [sample(TABLE[kind])]
    if kind == "energy_changed":
        happened = [happened[0].having(cause="energy")]
    if TABLE[kind].told in {Kind.CAUSE, Kind.PREFIX}:
        happened.append(loss("resolve", 2))
    sentences = told("company-gauntlet", *happened, viewer=viewer)
    if TABLE[kind].told is Kind.SILENT:
        assert sentences == []
        return
    assert len(sentences) == 1
    assert sentences[0][0].isupper() or sentences[0][0].isdigit()
    assert sentences[0].endswith(".")
    assert not set(sentences[0]) & set("{}_")


@pytest.mark.parametrize("kind", sorted(kind for kind, row in TABLE.items() if "card" in row.seen))
def test_a_card_that_may_not_be_seen_is_not_named(kind: str) -> None:
    happened = sample(TABLE[kind])
    (sentence,) = told("company-gauntlet", happened.having(card=HIDDEN))
    assert HIDDEN not in sentence
    assert all(card.title not in sentence for card in pack("company-gauntlet").cards)


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
    happened = (
        event("card_played", card="gore", paid=1),
        event("strike_rolled", attack=9, defence=6, tier="strong"),
        loss("structure", 3, "dungeon"),
    )
    line = "The Thornback Boar strikes with Gore: 9 against 6, a strong hit. Structure falls by 3."
    assert told("boar", *happened) == [line]


def test_the_line_of_a_strike_that_was_declared_before_names_it_again() -> None:
    narrator = Narrator(pack("boar"))
    assert narrator.sentences([event("card_played", card="gore", paid=1)]) == ["The Thornback Boar strikes with Gore."]
    rolled = [event("strike_rolled", attack=4, defence=9, tier="reversal")]
    assert narrator.sentences(rolled) == ["Gore: 4 against 9, a reversal."]
    assert narrator.sentences([loss("vitality", 3, seat=0)]) == ["Gore lands. Vitality falls by 3."]


@pytest.mark.parametrize("viewer", ["visitor", "dungeon", "public"])
def test_a_side_hears_of_a_hit_in_the_same_words_whether_or_not_it_could_be_answered(viewer: str) -> None:
    happened = (
        event("card_played", card="gore", paid=1),
        event("strike_rolled", attack=9, defence=6, tier="strong"),
        loss("structure", 3, "dungeon"),
    )
    lines = ["The Thornback Boar strikes with Gore: 9 against 6, a strong hit.", "Gore lands. Structure falls by 3."]
    assert told("boar", *happened, viewer=viewer) == lines
    narrator = Narrator(pack("boar"), viewer)
    assert narrator.sentences(happened[:2]) + narrator.sentences(happened[2:]) == lines


def test_nobody_can_answer_a_reversal_and_its_line_goes_on() -> None:
    rolled = event("strike_rolled", attack=4, defence=9, tier="reversal")
    line = ["Gore: 4 against 9, a reversal. Vitality falls by 3."]
    narrator = Narrator(pack("boar"), "visitor")
    narrator.lines([event("card_played", card="gore", paid=1)])
    assert narrator.sentences([rolled, loss("vitality", 3, seat=0)]) == line


def test_losses_of_nothing_are_silent_and_so_is_their_cause() -> None:
    assert told("boar", loss("veil", 0, "dungeon")) == []
    assert told("boar", event("auto_effect", reducer="vitality", points=-1), loss("vitality", 0)) == []
    assert told("boar", loss("resolve", 0, kind="healed")) == []
    spilled = told("boar", event("spilled", "dungeon", reducer="veil", points=2), loss("veil", 0, "dungeon"))
    assert spilled == []


def test_equal_losses_are_told_in_one_breath() -> None:
    losses = [loss(reducer, 2, side) for side, row in zip(names.SIDES, names.RESOURCES, strict=True) for reducer in row]
    line = "The fight escalates: structure, veil, presence, vitality, resolve and nerve fall by 2."
    assert told("boar", event("escalated", "dungeon", points=2), *losses) == [line]


def test_the_pressure_of_a_room_is_one_line() -> None:
    happened = [
        *(event("auto_effect", reducer="vitality", points=-1), loss("vitality", 1, seat=0)),
        *(event("auto_effect", reducer="nerve", points=-2), loss("nerve", 2)),
    ]
    assert told("boar", *happened) == ["The room presses: vitality falls by 1. Nerve falls by 2."]


def test_members_are_named_where_their_vitality_falls() -> None:
    happened = [
        event("knocked_out", seat=3, cards=9),
        event("morale_cascade", points=3),
        *(loss(reducer, 3) for reducer in ("resolve", "nerve")),
        loss("vitality", 3, seat=0),
    ]
    line = "The Rogue is knocked out, and 9 cards with it. Morale cracks: resolve and nerve fall by 3."
    assert told("standard-company", *happened) == [f"{line} The Knight's vitality falls by 3."]


def test_a_rally_names_what_it_gives_back() -> None:
    happened = [loss("structure", 3, "dungeon"), loss("nerve", 1, kind="healed"), event("rallied")]
    assert told("boar", *happened) == ["Structure falls by 3. The Thornback Boar rallies: nerve rises by 1."]


def test_trust_is_told_in_half_points() -> None:
    assert told("boar", event("trust_changed", "dungeon", trust=3.5, change=0.5)) == ["Trust rises by ½ to 3½."]
    assert told("boar", event("trust_changed", "dungeon", trust=0.0, change=-2.5)) == ["Trust falls by 2½ to 0."]


def test_drawing_an_opening_hand_is_told_once() -> None:
    happened = [event("drew", cards=7), event("drew", cards=7), event("hand_dealt", cards=7, mulligans=1)]
    assert told("boar", *happened) == ["The Thornback Boar is dealt 7 cards after 1 mulligan."]


def test_whoever_acts_becomes_it_until_somebody_else_is_spoken_of() -> None:
    happened = [event("turn_ended", "dungeon"), event("drew", "dungeon", cards=2), event("drew", cards=1)]
    line = "The Verdant Maw ends its turn. It draws 2 cards. The Thornback Boar draws 1 card."
    assert told("boar", *happened) == [line]


def test_a_played_fight_has_the_numbers_of_its_state() -> None:
    arena = Arena(dungeon=[strike("claw", power=3)], rules={"reversal_base": 3})
    arena.turn("dungeon", hand=["claw"])
    arena.dice("partial")
    sentences = Narrator(arena.encounter.packed, codex=arena.codex).sentences(arena.act("strike claw"))
    assert len(sentences) == 1
    assert sentences[0].startswith("The Pit strikes with Claw: ")
    assert sentences[0].endswith(", a partial hit. Structure and vitality fall by 2.")


def test_who_retreats_is_told_to_have_left_nobody_the_winner() -> None:
    (line,) = told("boar", event("run_ended", "dungeon", outcome="fled"))
    assert line.endswith("nobody wins.")


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
    refused = event("offer_refused", secret="dungeon", card="mossy_rest", unheard=False)
    assert told("symbiote", refused, viewer="visitor") == ["The Drift Symbiote refuses the veiled Offer."]


def test_cards_that_leave_a_hand_with_the_fallen_are_not_shown_to_the_dungeon() -> None:
    dropped = [event("discarded", card=name) for name in ("runed_edge", "forked_bolt")]
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
            seen |= {int(number_of(packed.tables, fight.state, 1 - viewer, k)) for k in known}
            named = {number for title, number in titles.items() if title in " ".join(narrator.sentences(happened))}
            if any(one.kind == "room_entered" for one in happened):
                continue  # the books of the last room are closed
            assert named & theirs <= seen
