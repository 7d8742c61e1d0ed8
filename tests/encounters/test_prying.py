"""Reveal, peek, discard: what a card turns over or takes away of the other side's hidden cards [GDD 13], E62."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.events import redacted
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.observation import observe, public_view, veiled
from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, card, offer, strike
from tests.encounters.test_hidden_information import Chance, redealt, told

HELD = [strike(name, "visitor") for name in ("bite", "kick", "ram", "butt")]
PIT = card("trap", "pit", "visitor", springs="test", target="veil", power=2)
SNARE = card("trap", "snare", "visitor", springs="offer", target="veil", power=2)


def looking(category: str, **fields: Any) -> dict[str, Any]:
    """A card of the dungeon's that pries, of one of the four categories that may."""
    plain: dict[str, dict[str, Any]] = {
        "strike": {"target": "nerve", "power": 1},
        "disrupt": {"disadvantage": True},
        "counter": {},
        "reshape": {},
    }
    return card(category, "eye", "dungeon", **(plain[category] | fields))


def looked(category: str = "reshape", held: list[str] | None = None, tier: str = "strong", **fields: Any) -> Arena:
    """The dungeon has just played a card that pries at a hand of four Strikes."""
    arena = Arena(dungeon=[looking(category, **fields)], visitor=[*HELD, PIT, SNARE])
    hand = [entry["id"] for entry in HELD] if held is None else held
    arena.turn("dungeon", hand=["eye"], other_hand=hand)
    if category == "strike":
        arena.dice(tier)
    arena.act(f"{category} eye")
    return arena


def shown(arena: Arena, viewer: str = "dungeon") -> dict[str, Any]:
    found: dict[str, Any] = observe(arena.encounter, viewer)["opponent"]
    return found


PRYING = ("strike", "disrupt", "counter", "reshape")


# --- what they do -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("category", PRYING)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_reveal_shows_so_many_cards_of_the_opponents_hand(category: str, count: int) -> None:
    arena = looked(category, reveal=count)
    seen = [event.card for event in arena.happened("revealed")]
    assert len(seen) == len(set(seen)) == count  # never the same card twice
    assert shown(arena)["shown"] == sorted(seen)
    assert set(seen) <= {entry["id"] for entry in HELD}
    assert shown(arena)["hand_size"] == len(HELD)  # looking takes nothing away


def test_reveal_stops_where_everything_is_seen() -> None:
    arena = looked(reveal=3, held=["bite", "kick"])
    assert shown(arena)["shown"] == ["bite", "kick"]
    assert len(arena.happened("revealed")) == 2
    assert looked(reveal=2, held=[]).happened("revealed") == []


def test_a_second_look_falls_on_cards_that_were_not_seen() -> None:
    arena = Arena(dungeon=[looking("reshape", reveal=2), looking("reshape", reveal=2)], visitor=HELD)
    arena.turn("dungeon", hand=["eye", "eye"], other_hand=[entry["id"] for entry in HELD])
    arena.act("reshape eye", "reshape eye")
    assert shown(arena)["shown"] == sorted(entry["id"] for entry in HELD)


def test_every_card_of_a_hand_may_be_revealed() -> None:
    found = set()
    for start in range(1, 60):
        arena = Arena(dungeon=[looking("reshape", reveal=1)], visitor=HELD, seed=start)
        arena.turn("dungeon", hand=["eye"], other_hand=[entry["id"] for entry in HELD])
        arena.act("reshape eye")
        found |= set(shown(arena)["shown"])
    assert found == {entry["id"] for entry in HELD}


@pytest.mark.parametrize("category", PRYING)
def test_peek_shows_the_opponents_face_down_traps(category: str) -> None:
    arena = Arena(dungeon=[looking(category, peek=True)], visitor=[PIT, SNARE])
    arena.turn("visitor", hand=["pit", "snare"])
    arena.act("trap pit", "trap snare")
    arena.turn("dungeon", hand=["eye"])
    assert (shown(arena)["traps"], shown(arena)["shown_traps"]) == (2, [])
    arena.dice("strong")
    arena.act(f"{category} eye")
    assert (shown(arena)["traps"], shown(arena)["shown_traps"]) == (2, ["pit", "snare"])  # they lie there still
    assert [event.card for event in arena.happened("revealed")] == ["pit", "snare"]


@pytest.mark.parametrize("category", PRYING)
@pytest.mark.parametrize("count", [1, 2])
def test_discard_takes_random_cards_out_of_the_opponents_hand(category: str, count: int) -> None:
    arena = looked(category, discard=count)
    lost = [event.card for event in arena.happened("card_lost")]
    assert len(lost) == count
    assert (shown(arena)["hand_size"], shown(arena)["discard"]) == (len(HELD) - count, lost)  # openly
    assert observe(arena.encounter, "visitor")["me"]["discard"] == lost


def test_a_discard_from_an_empty_hand_takes_nothing() -> None:
    arena = looked(discard=2, held=["bite"])
    assert [event.card for event in arena.happened("card_lost")] == ["bite"]
    assert shown(arena)["hand_size"] == 0


def test_a_card_that_must_be_discarded_is_not_exhausted() -> None:
    meteor = strike("meteor", "visitor", exhaust=True)
    arena = Arena(dungeon=[looking("reshape", discard=1)], visitor=[meteor])
    arena.turn("dungeon", hand=["eye"], other_hand=["meteor"])
    arena.act("reshape eye")
    assert (shown(arena)["discard"], shown(arena)["exhausted"]) == (["meteor"], [])


@pytest.mark.parametrize("tier", ["stalemate", "reversal"])
def test_a_strike_pries_only_on_a_hit(tier: str) -> None:
    arena = looked("strike", tier=tier, reveal=2, peek=True, discard=1)
    assert arena.happened("revealed") == arena.happened("card_lost") == []
    assert (shown(arena)["shown"], shown(arena)["hand_size"]) == ([], len(HELD))


def test_a_strike_that_guards_swallow_pries_at_nothing() -> None:
    arena = Arena(dungeon=[looking("strike", reveal=2, discard=1)], visitor=HELD)
    arena.turn("dungeon", hand=["eye"], other_hand=["bite", "kick"])
    arena.side("visitor")["ward"] = 5
    arena.dice("strong")
    arena.act("strike eye")
    assert arena.happened("revealed") == arena.happened("card_lost") == []


def test_a_counter_that_pries_can_be_played_without_anything_to_counter() -> None:
    arena = Arena(dungeon=[looking("counter", reveal=1), card("counter", "calm_word", "dungeon")], visitor=HELD)
    arena.turn("dungeon", hand=["eye", "calm_word"], other_hand=["bite"])
    with pytest.raises(IllegalActionError, match="nothing to counter"):
        arena.act("counter calm_word")
    arena.act("counter eye")
    assert shown(arena)["shown"] == ["bite"]


# --- who knows it -----------------------------------------------------------------------------------------------------


def test_what_is_revealed_shows_to_the_other_side_and_nothing_else_does() -> None:
    arena = looked(reveal=2)
    seen = shown(arena)["shown"]
    rest = {entry["id"] for entry in HELD} - set(seen)
    assert "hand" not in shown(arena)
    told_of = str(observe(arena.encounter, "dungeon")["opponent"])
    assert not any(name in told_of for name in rest)
    assert "shown" not in observe(arena.encounter, "visitor")["me"]  # its own hand it sees anyway
    assert shown(arena, "visitor")["shown"] == []  # and it has learned nothing of the dungeon's
    assert public_view(arena.encounter)["visitor"]["shown"] == seen


def test_a_veiled_record_keeps_the_places_of_revealed_cards_alone() -> None:
    arena = looked(reveal=2)
    record = veiled(arena.state, 0)["sides"][1]
    hand = [int(k) for k in record["hand"][: len(HELD)]]
    own = [int(k) for k in arena.side("visitor")["hand"][: len(HELD)]]
    known = int(arena.side("visitor")["known"])
    assert hand == [k if known >> k & 1 else -1 for k in own]
    assert sum(k >= 0 for k in hand) == 2


@pytest.mark.parametrize("viewer", SIDES)
def test_everything_that_was_not_revealed_may_be_dealt_anew(viewer: str) -> None:
    arena = Arena(dungeon=[looking("reshape", reveal=2, peek=True, discard=1)], visitor=[*HELD, PIT, SNARE])
    arena.turn("visitor", hand=["pit"])
    arena.act("trap pit")
    arena.turn("dungeon", hand=["eye"], other_hand=["bite", "kick", "ram", "snare"])
    arena.act("reshape eye")
    fight, chance, side = arena.encounter, Chance(3), SIDES.index(viewer)
    before, seen = observe(fight, viewer), told(fight, side)
    for _ in range(10):
        twin = redealt(fight, side, chance)
        assert (observe(twin, viewer), told(twin, side)) == (before, seen)


def test_only_the_very_card_that_was_revealed_shows() -> None:
    arena = looked(reveal=1, held=["bite"])
    twin = arena.encounter.copy()
    number = next(k for k in range(20) if k != int(twin.state["sides"][1]["hand"][0]))
    twin.state["sides"][1]["hand"][0] = number  # another card in its place is no longer the one that was seen
    assert observe(twin, "dungeon")["opponent"]["shown"] == []
    assert shown(arena)["shown"] == ["bite"]


def test_a_revealed_card_stays_known_until_it_is_played_or_shuffled_away() -> None:
    arena = looked(reveal=3, held=["bite", "kick"])
    arena.turn("visitor", hand=["bite", "kick"])
    arena.dice("strong")
    arena.act("strike bite")
    assert (shown(arena)["shown"], shown(arena)["discard"]) == (["kick"], ["bite"])
    arena.act("end")
    assert shown(arena)["shown"] == ["kick"]


def test_a_discarded_card_is_hidden_again_once_it_is_shuffled_in() -> None:
    arena = looked(discard=1, held=["bite"])
    side = arena.side("visitor")
    side["draw_size"] = 0
    arena.end_round()  # drawing takes the discards
    assert side["discard_size"] == 0
    arena.hold("visitor", ["bite"])
    assert shown(arena)["shown"] == []


def test_a_revealed_trap_lies_face_down_in_vain() -> None:
    arena = looked(reveal=1, held=["pit"])
    arena.turn("visitor", hand=["pit", "snare"])
    arena.act("trap pit", "trap snare")
    assert (shown(arena)["traps"], shown(arena)["shown_traps"]) == (2, ["pit"])


def test_an_offer_that_was_revealed_is_veiled_no_more_to_whoever_saw_it() -> None:
    arena = Arena(dungeon=[offer("gift")], visitor=[card("reshape", "eye", "visitor", reveal=1)], trust=3)
    arena.turn("visitor", hand=["eye"], other_hand=["gift"])
    arena.act("reshape eye")
    assert shown(arena, "visitor")["shown"] == ["gift"]
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift")
    made = observe(arena.encounter, "visitor")["offer"]
    assert (made["card"], made["cost"]["type"]) == ("gift", "flat")
    (event,) = arena.happened("offered")
    assert redacted(event, "visitor") == event


@pytest.mark.parametrize("viewer", [*SIDES, None])
def test_looks_and_discards_are_told_to_everybody(viewer: str | None) -> None:
    arena = looked(reveal=1, discard=1)
    for kind in ("revealed", "card_lost"):
        (event,) = arena.happened(kind)
        assert redacted(event, viewer) == event
        assert (event.side, event.cause, event.source) == ("visitor", "reshape", "eye")


def test_a_new_room_begins_with_nothing_known_of_a_creatures_hand() -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    arena = Arena(dungeon=[looking("reshape", reveal=3)], visitor=HELD, rooms=rooms)
    arena.turn("dungeon", hand=["eye"], other_hand=["bite", "kick"])
    arena.act("reshape eye")
    while arena.encounter.room == "one":
        arena.act("end")
    assert shown(arena)["shown"] == []


def test_a_revealed_card_that_goes_back_to_the_draw_pile_at_the_door_is_hidden_again() -> None:
    """What is swapped out of a party's hand for the opening guarantee is drawn again unseen."""
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    kits: list[list[dict[str, Any]]] = [HELD * 2, [], [], []]
    arena = Arena(
        dungeon=[looking("reshape", reveal=3)] * 3,
        party=kits,
        vitality=(20,) * 4,
        rooms=rooms,
        rules={"draw": 0, "least_hand": 0},
    )
    hand = ["bite", "bite", "kick", "kick", "ram", "ram", "butt"]
    arena.turn("dungeon", hand=["eye"] * 3, other_hand=hand)
    arena.act("reshape eye", "reshape eye", "reshape eye")
    assert len(shown(arena)["shown"]) == 7
    while arena.encounter.room == "one":
        arena.act("end")
    side = arena.side("visitor")
    drawn = [int(k) for k in side["draw"][: int(side["draw_size"])]]
    assert not any(int(side["known"]) >> k & 1 for k in drawn)
    assert len(shown(arena)["shown"]) == 5  # two had to make room for Energy


def test_an_ordinary_fight_shows_nothing_of_a_hand() -> None:
    fight = Encounter("boar", seed=3).play(["keep", "keep"])
    for side in SIDES:
        opponent = observe(fight, side)["opponent"]
        assert (opponent["shown"], opponent["shown_traps"]) == ([], [])
