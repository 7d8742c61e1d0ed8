"""Sentences: every event has one, numbers are right, nothing hidden is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cartomancer.encounters import names
from cartomancer.encounters.agents import AGENTS
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.events import FIELDS, TABLE, Row, read
from cartomancer.encounters.kernel.causes import Cause
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


def loss(
    reducer: str, points: int, side: str = "visitor", kind: str = "hurt", cause: str = "strike", **more: Any
) -> Event:
    return event(kind, side, reducer=reducer, points=points, cause=cause, **more)


def gore(reducer: str, points: int, side: str = "visitor", **more: Any) -> Event:
    return loss(reducer, points, side, source="gore", **more)


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


def test_every_cause_has_words() -> None:
    assert set(AGENTS) == {cause.word for cause in Cause}


def sample(row: Row, side: int = VISITOR) -> Event:
    """The event the kernel's numbers (1, 1, 1) mean, by no special cause."""
    return read(pack("company-gauntlet"), [int(row.happening), side, 1, 1, 1, 41, -1, -1])


@pytest.mark.parametrize("kind", sorted(TABLE))
@pytest.mark.parametrize("viewer", [None, "dungeon", "visitor"])
def test_every_event_is_a_sentence(kind: str, viewer: str | None) -> None:
    happened = [sample(TABLE[kind])]
    if kind in {"energy_changed", "resized"}:
        happened = [happened[0].having(cause="modifier", source="frenzy")]
    if TABLE[kind].told is Kind.CAUSE:
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
        assert not any("hidden" in line.text or "course of the game" in line.text for line in story)
        assert story[0].kind is Kind.ROOM
        assert story[-1].text.startswith("The run ends: ")


# --- numbers and grouping ---------------------------------------------------------------------------------------------


def test_a_strike_is_one_line_with_its_roll_and_its_damage() -> None:
    happened = (
        event("card_played", card="gore", paid=1),
        event("strike_rolled", attack=9, defence=6, tier="strong"),
        gore("structure", 3, "dungeon"),
    )
    line = "The Thornback Boar strikes with Gore: 9 against 6, a strong hit. It takes 3 structure from the Verdant Maw."
    assert told("boar", *happened) == [line]


def test_the_line_of_a_strike_that_was_declared_before_names_it_again() -> None:
    narrator = Narrator(pack("boar"))
    assert narrator.sentences([event("card_played", card="gore", paid=1)]) == ["The Thornback Boar strikes with Gore."]
    rolled = [event("strike_rolled", attack=4, defence=9, tier="reversal")]
    assert narrator.sentences(rolled) == ["Gore: 4 against 9, a reversal."]
    back = gore("vitality", 3, cause="reversal", seat=0)
    assert narrator.sentences([back]) == ["Gore lands. The backlash takes 3 vitality from the Thornback Boar."]


@pytest.mark.parametrize("viewer", ["visitor", "dungeon", "public"])
def test_a_side_hears_of_a_hit_in_the_same_words_whether_or_not_it_could_be_answered(viewer: str) -> None:
    happened = (
        event("card_played", card="gore", paid=1),
        event("strike_rolled", attack=9, defence=6, tier="strong"),
        gore("structure", 3, "dungeon"),
    )
    lines = [
        "The Thornback Boar strikes with Gore: 9 against 6, a strong hit.",
        "Gore lands. It takes 3 structure from the Verdant Maw.",
    ]
    assert told("boar", *happened, viewer=viewer) == lines
    narrator = Narrator(pack("boar"), viewer)
    assert narrator.sentences(happened[:2]) + narrator.sentences(happened[2:]) == lines


def test_nobody_can_answer_a_reversal_and_its_line_goes_on() -> None:
    rolled = event("strike_rolled", attack=4, defence=9, tier="reversal")
    line = ["Gore: 4 against 9, a reversal. The backlash takes 3 vitality from the Thornback Boar."]
    narrator = Narrator(pack("boar"), "visitor")
    narrator.lines([event("card_played", card="gore", paid=1)])
    assert narrator.sentences([rolled, gore("vitality", 3, cause="reversal", seat=0)]) == line


def test_losses_of_nothing_are_silent_and_so_is_their_cause() -> None:
    assert told("boar", loss("veil", 0, "dungeon")) == []
    assert told("boar", event("auto_effect", reducer="vitality", points=-1), loss("vitality", 0, cause="room")) == []
    assert told("boar", loss("resolve", 0, kind="healed")) == []
    spilled = told("boar", event("spilled", "dungeon", reducer="veil", points=2), loss("veil", 0, "dungeon"))
    assert spilled == []


def test_what_one_thing_takes_is_told_in_one_breath_owner_by_owner() -> None:
    losses = [
        loss(reducer, 2, side, cause="escalation")
        for side, row in zip(names.SIDES, names.RESOURCES, strict=True)
        for reducer in row
    ]
    line = (
        "The escalation takes 2 structure, 2 veil and 2 presence from the Verdant Maw "
        "and 2 vitality, 2 resolve and 2 nerve from the Thornback Boar."
    )
    assert told("boar", event("escalated", "dungeon", points=2), *losses) == [line]


def test_the_pressure_of_a_room_is_one_line() -> None:
    happened = [
        *(event("auto_effect", reducer="vitality", points=-1), loss("vitality", 1, seat=0, cause="room")),
        *(event("auto_effect", reducer="nerve", points=-2), loss("nerve", 2, cause="room")),
    ]
    assert told("boar", *happened) == ["The room takes 1 vitality and 2 nerve from the Thornback Boar."]


def test_members_are_named_where_their_vitality_falls() -> None:
    happened = [
        event("knocked_out", seat=3, cards=9),
        event("morale_cascade", points=3),
        *(loss(reducer, 3, cause="cascade") for reducer in ("resolve", "nerve")),
        loss("vitality", 3, seat=0, cause="room"),
    ]
    fall = "The Rogue is knocked out, and 9 of its cards leave the piles."
    shock = "The shock takes 3 resolve and 3 nerve from the party. The room takes 3 vitality from the Knight."
    assert told("standard-company", *happened) == [f"{fall} {shock}"]


def test_a_strike_names_what_each_part_of_it_takes_and_gives() -> None:
    happened = [
        event("card_played", card="gore", paid=1),
        event("strike_rolled", attack=9, defence=6, tier="partial"),
        gore("vitality", 1, cause="reversal", seat=0),
        gore("structure", 3, "dungeon"),
        gore("vitality", 2, kind="healed", cause="drain", seat=0),
        gore("nerve", 1, kind="healed", cause="rally"),
        event("rallied"),
    ]
    (line,) = told("boar", *happened)
    assert line == (
        "The Thornback Boar strikes with Gore: 9 against 6, a partial hit. "
        "The backlash takes 1 vitality from the Thornback Boar. Gore takes 3 structure from the Verdant Maw. "
        "Drain gives back 2 vitality to the Thornback Boar. The rally gives back 1 nerve to the Thornback Boar."
    )


def test_an_answer_does_not_take_the_blame_for_the_strike() -> None:
    narrator = Narrator(pack("boar"))
    narrator.lines([event("card_played", card="gore", paid=1)])
    happened = [
        event("reacted", "dungeon", card="buckling_vault", points=1, tier="partial"),
        gore("structure", 3, "dungeon"),
    ]
    line = "The Verdant Maw answers with Buckling Vault: a partial defence prevents 1."
    assert narrator.sentences(happened) == [f"{line} Gore takes 3 structure from the Verdant Maw."]


def test_erode_is_told_with_the_card_that_laid_it_and_only_once() -> None:
    narrator = Narrator(pack("boar"))
    laid = event("erode_laid", reducer="nerve", points=1, cause="strike", source="tremor_slam")
    assert narrator.sentences([laid]) == ["The Thornback Boar's nerve will erode by 1 next round."]
    acts = [event("eroded", reducer="nerve", points=1), loss("nerve", 1, cause="erode")]
    assert narrator.sentences(acts) == ["Tremor Slam's Erode takes 1 nerve from the Thornback Boar."]
    assert narrator.sentences(acts) == ["Erode takes 1 nerve from the Thornback Boar."]


def test_thorns_and_bindings_name_the_cards_that_laid_them() -> None:
    narrator = Narrator(pack("boar"))
    narrator.lines([event("disrupted", thorns=2, handicaps=[], cause="disrupt", source="bramble_curtain")])
    met = [event("thorns", reducer="vitality", points=2), loss("vitality", 2, cause="thorns", seat=0)]
    assert narrator.sentences(met) == ["The thorns of Bramble Curtain take 2 vitality from the Thornback Boar."]
    narrator = Narrator(pack("symbiote"))
    named = {"cause": "binding_cost", "source": "mossy_rest"}
    narrator.lines([event("binding_laid", reducer="resolve", points=2, rounds=2, **named)])
    due = [event("bound", reducer="resolve", points=2), loss("resolve", 2, cause="binding_cost")]
    assert narrator.sentences(due) == ["The binding of Mossy Rest takes 2 resolve from the Drift Symbiote."]


def test_cards_that_are_shown_or_lost_name_what_made_them() -> None:
    pried = {"cause": "counter", "source": "shake_it_off"}
    shown = [event("revealed", "dungeon", card=name, **pried) for name in ("deadfall", "deep_root")]
    lost = event("card_lost", "dungeon", card="root_snare", **pried)
    line = "Shake It Off makes the Verdant Maw show Deadfall and Deep Root. "
    assert told("boar", *shown, lost) == [line + "Shake It Off makes the Verdant Maw discard Root Snare."]


def test_a_card_draws_for_its_side() -> None:
    happened = event("card_played", card="gore", paid=1), event("drew", cards=2, cause="strike", source="gore")
    (line,) = told("boar", *happened)
    assert line.endswith("strikes with Gore. It lets the Thornback Boar draw 2 cards.")


def test_trust_names_what_moved_it_in_half_points() -> None:
    rise = event("trust_changed", "dungeon", trust=3.5, change=0.5, cause="refusal")
    assert told("boar", rise) == ["The good will shown raises trust by ½ to 3½."]
    fall = event("trust_changed", "dungeon", trust=0.0, change=-2.5, cause="betrayal")
    assert told("boar", fall) == ["The betrayal lowers trust by 2½ to 0."]


@pytest.mark.parametrize(
    ("card_id", "fields", "line"),
    [
        ("deep_root", {"points": 1, "pool": 2, "temporary": 0}, "Its energy pool grows to 2."),
        ("deep_root", {"points": 0, "pool": 10, "temporary": 0}, "Its energy pool stays at 10."),
        (
            "stone_memory",
            {"points": 1, "pool": 2, "temporary": 0},
            "Its energy pool grows to 2, and its next Physical card costs 1 less.",
        ),
        ("throttled_spring", {"points": 1, "pool": 3, "temporary": 0}, "Its energy pool grows to 3."),
    ],
)
def test_energy_says_what_it_does(card_id: str, fields: dict[str, int], line: str) -> None:
    gained = event("energy_changed", "dungeon", cause="energy", source=card_id, **fields)
    (said,) = told("boar", event("card_played", "dungeon", card=card_id, paid=0), gained)
    assert said.endswith(f". {line}")


def test_energy_that_is_taken_names_who_took_it() -> None:
    lost = event("energy_changed", "dungeon", points=-1, pool=3, temporary=0, cause="strike", source="gore")
    assert told("boar", lost) == ["Gore takes 1 energy from the Verdant Maw."]


def test_drawing_an_opening_hand_is_told_once() -> None:
    happened = [event("drew", cards=7), event("drew", cards=7), event("hand_dealt", cards=7, mulligans=1)]
    assert told("boar", *happened) == ["The Thornback Boar is dealt 7 cards after 1 mulligan."]


def test_whoever_acts_becomes_it_until_somebody_else_is_spoken_of() -> None:
    happened = [
        event("card_played", "dungeon", card="deep_root", paid=0),
        event("ward_gained", "dungeon", points=1),
        event("ward_gained", points=2),
        event("ward_gained", "dungeon", points=3),
    ]
    line = "The Verdant Maw plays Deep Root. It has Ward 1. The Thornback Boar has Ward 2. The Verdant Maw has Ward 3."
    assert told("boar", *happened) == [line]


def test_the_draws_of_a_round_have_a_line_of_their_own() -> None:
    drawn = [event("drew", side, cards=2, cause="round") for side in names.SIDES]
    lines = [
        "The Thornback Boar ends its turn.",
        "The round is over. The Verdant Maw draws 2 cards. The Thornback Boar draws 2 cards.",
    ]
    assert told("boar", event("turn_ended"), *drawn) == lines


def test_a_played_fight_has_the_numbers_of_its_state() -> None:
    arena = Arena(dungeon=[strike("claw", power=3)], rules={"reversal_base": 3})
    arena.turn("dungeon", hand=["claw"])
    arena.dice("partial")
    sentences = Narrator(arena.encounter.packed, codex=arena.codex).sentences(arena.act("strike claw"))
    assert len(sentences) == 1
    assert sentences[0].startswith("The Pit strikes with Claw: ")
    hit = "a partial hit. The backlash takes 2 structure from the Pit. Claw takes 2 vitality from the Guest."
    assert sentences[0].endswith(f", {hit}")


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
    given = "It gives back 3 nerve to the Guest. Its price takes 2 resolve from the Guest."
    assert f"The Guest accepts Soft Bed. {given}" in accepted


def test_a_binding_offer_is_named_because_it_was_accepted() -> None:
    line = "The Pit makes an Offer and veils its price. The Guest accepts Soft Bed, bound by its trust."
    assert offered(6, None, "visitor").startswith(line)


def test_a_narrator_that_saw_no_offer_does_not_name_it() -> None:
    refused = event("offer_refused", secret="dungeon", card="mossy_rest", unheard=False)
    assert told("symbiote", refused, viewer="visitor") == ["The Drift Symbiote refuses the veiled Offer."]


def test_cards_that_leave_a_hand_with_the_fallen_are_not_shown_to_the_dungeon() -> None:
    dropped = [event("discarded", card=name) for name in ("runed_edge", "forked_bolt")]
    assert told("standard-company", *dropped, viewer="dungeon") == ["The party's hand loses 2 cards with the fallen."]
    assert told("standard-company", *dropped) == ["The party's hand loses Runed Edge and Forked Bolt with the fallen."]


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
