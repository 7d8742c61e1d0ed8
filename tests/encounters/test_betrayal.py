"""What Strikes do to trust: decay, betrayal and its conversion, scorn [Bond 4.3, 7], E4, E5, E42."""

from __future__ import annotations

from typing import Any

import pytest

from tests.encounters.arena import Arena, card, offer, strike

GRIP = strike("grip", power=3, target="resolve")


def arena_at(trust: float, *cards: dict[str, Any], **options: Any) -> Arena:
    """It is the dungeon's turn, with these Strikes in hand, or one at resolve."""
    held = cards or (GRIP,)
    arena = Arena(dungeon=list(held), **options)
    arena.turn("dungeon", hand=[entry["id"] for entry in held])
    arena.set(trust=trust)
    return arena


def betrayed(trust: float = 4, tier: str = "strong", **options: Any) -> Arena:
    """The dungeon has just betrayed this much trust with a Strike of 3 at resolve."""
    arena = arena_at(trust, **options)
    arena.dice(tier)
    arena.act("strike grip")
    return arena


def visitor_points(arena: Arena) -> tuple[int, int, int]:
    return arena.reducer("vitality"), arena.reducer("resolve"), arena.reducer("nerve")


# --- decay ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trust", "left"), [(0, 0), (0.5, 0), (1, 0), (2, 1), (3, 2), (3.5, 2.5)])
def test_a_dungeons_strike_below_trust_four_wears_one_point_down(trust: float, left: float) -> None:
    arena = arena_at(trust)
    arena.dice("strong")
    arena.act("strike grip")
    assert arena.trust() == left
    assert visitor_points(arena) == (20, 17, 20)
    assert (arena.side("visitor")["betrayed"], arena.state["betrayals"]) == (0, 0)


@pytest.mark.parametrize("tier", ["partial", "stalemate", "reversal"])
def test_a_strike_that_misses_wears_trust_down_as_well(tier: str) -> None:
    arena = arena_at(3)
    arena.dice(tier)
    arena.act("strike grip")
    assert arena.trust() == 2


def test_every_strike_of_a_turn_wears_trust_down() -> None:
    arena = arena_at(3, GRIP, strike("claw"))
    arena.dice("strong", "strong")
    arena.act("strike grip", "strike claw")
    assert arena.trust() == 1


@pytest.mark.parametrize("trust", [1, 3, 3.5])
def test_a_visitors_strike_below_trust_four_changes_no_trust(trust: float) -> None:
    arena = Arena(visitor=[strike("bite", "visitor")])
    arena.turn("visitor", hand=["bite"])
    arena.set(trust=trust)
    arena.dice("strong")
    arena.act("strike bite")
    assert (arena.trust(), arena.side("dungeon")["scorned"]) == (trust, 0)


@pytest.mark.parametrize(("trust", "left"), [(4, 3), (5, 4), (5.5, 4.5), (6, 4), (8, 6), (12, 10)])
def test_with_a_raised_threshold_deep_trust_loses_two(trust: float, left: float) -> None:
    arena = arena_at(trust, rules={"betrayal_min_trust": 13})
    arena.dice("strong")
    arena.act("strike grip")
    assert arena.trust() == left
    assert visitor_points(arena) == (20, 17, 20)


# --- betrayal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trust", [4, 6, 8, 10])
def test_every_point_of_betrayed_trust_is_a_point_of_damage(trust: int) -> None:
    arena = arena_at(trust)
    arena.set(nerve=15)
    arena.dice("strong")
    arena.act("strike grip")
    assert visitor_points(arena) == (20, 17, 15 - trust)
    assert (arena.trust(), arena.state["betrayals"]) == (0, 1)


def test_trust_eight_panics_a_visitor_with_five_nerve() -> None:
    arena = arena_at(8)
    arena.set(nerve=5)
    arena.dice("strong")
    arena.act("strike grip")
    assert visitor_points(arena) == (20, 17, 0)
    arena.act("end")
    assert arena.outcome == "panic"


def test_half_a_point_does_no_damage() -> None:
    arena = arena_at(4.5)
    arena.set(nerve=15)
    arena.dice("strong")
    arena.act("strike grip")
    assert (arena.reducer("nerve"), arena.trust()) == (11, 0)


@pytest.mark.parametrize(
    ("base", "tier", "dealt", "back"),
    [
        *((2, "devastating", 5, 0), (2, "partial", 2, 1), (2, "stalemate", 0, 2), (2, "reversal", 0, 3)),
        *((0, "devastating", 5, 0), (0, "partial", 2, 2), (0, "stalemate", 0, 3), (0, "reversal", 0, 5)),
    ],
)
def test_a_betraying_strike_resolves_as_ever_and_betrays_even_when_it_misses(
    base: int, tier: str, dealt: int, back: int
) -> None:
    arena = arena_at(4, rules={"reversal_base": base})
    arena.set(nerve=10)
    arena.dice(tier)
    arena.act("strike grip")
    assert visitor_points(arena) == (20, 20 - dealt, 6)
    assert arena.reducer("structure") == 20 - back


def test_the_conversion_looks_for_the_weakest_after_the_strike_has_resolved() -> None:
    arena = arena_at(4, strike("fright", power=3, target="nerve"))
    arena.set(resolve=10, nerve=12)  # the Strike makes nerve the weaker of the two
    arena.dice("strong")
    arena.act("strike fright")
    assert visitor_points(arena) == (20, 10, 5)


def test_the_conversion_goes_by_share_not_by_points() -> None:
    arena = arena_at(4, vitality=(40,))
    arena.set(vitality=16, nerve=10)
    arena.dice("strong")
    arena.act("strike grip")
    assert visitor_points(arena) == (12, 17, 10)


def test_the_conversion_goes_past_every_guard() -> None:
    arena = arena_at(4)
    arena.set(nerve=10)
    arena.side("visitor")["fortify"][2] = 5
    arena.dice("stalemate")
    arena.side("visitor")["ward"] = 5
    arena.act("strike grip")
    assert arena.reducer("nerve") == 6
    assert arena.side("visitor")["ward"] == 5


def test_a_second_strike_finds_no_trust_to_betray() -> None:
    arena = arena_at(6, GRIP, strike("claw"))
    arena.set(nerve=15)
    arena.dice("strong", "strong")
    arena.act("strike grip", "strike claw")
    assert visitor_points(arena) == (17, 17, 9)
    assert arena.state["betrayals"] == 1


def test_a_dependency_breaks_on_betrayal() -> None:
    gift = offer("gift", price={"type": "dependency"}, trust=0)
    arena = arena_at(5, gift, GRIP)
    arena.set(nerve=10, vitality=5)
    arena.act("offer gift", "accept")
    arena.dice("strong")
    arena.act("strike grip")
    assert visitor_points(arena) == (0, 17, 13 - 2 * 3)


def test_an_exposure_serves_the_betraying_strike() -> None:
    gift = offer("gift", price={"type": "exposure", "amount": 2, "strike_type": "physical"}, trust=0)
    arena = arena_at(6, gift, GRIP, rules={"binding_percent": 100})
    arena.set(nerve=10)
    arena.act("offer gift")
    arena.dice("strong")
    arena.act("strike grip")
    assert visitor_points(arena) == (20, 15, 13 - 6)


def test_a_binding_exposure_serves_the_betraying_strike_half_as_much_again() -> None:
    gift = offer("gift", price={"type": "exposure", "amount": 2, "strike_type": "physical"}, trust=0)
    arena = arena_at(6, gift, GRIP)
    arena.set(nerve=8)
    arena.act("offer gift")
    assert arena.reducer("nerve") == 8 + 5
    arena.dice("strong")
    arena.act("strike grip")
    assert visitor_points(arena) == (20, 20 - 3 - 3, 13 - 6)


def test_a_run_remembers_the_most_trust_there_was() -> None:
    arena = arena_at(3, offer("gift", trust=2), GRIP)
    arena.act("offer gift", "accept")
    arena.dice("strong")
    arena.act("strike grip")
    assert (arena.trust(), arena.state["trust_peak"]) == (0, 2 * 5)


# --- in a party -------------------------------------------------------------------------------------------------------


def test_in_a_party_the_weakest_standing_member_pays_for_the_vitality() -> None:
    arena = arena_at(4, party=[[], [], [], []], vitality=(20, 20, 10, 10))
    arena.members(15, 12, 8, 7)  # shares 75, 60, 80, 70 %: all together the weakest reducer
    arena.dice("stalemate")
    arena.act("strike grip")
    assert [int(arena.member(seat)["vitality"]) for seat in range(4)] == [15, 8, 8, 7]
    assert arena.reducer("vitality") == 38


def test_what_the_weakest_has_not_left_to_lose_falls_on_the_next() -> None:
    arena = arena_at(8, party=[[], [], [], []], vitality=(9, 9, 9, 9), rules={"kill_at": 3})
    arena.members(7, 3, 4, 8)
    arena.dice("stalemate")
    arena.act("strike grip")
    assert [int(arena.member(seat)["vitality"]) for seat in range(4)] == [6, 0, 0, 8]
    assert sum(event.points for event in arena.happened("hurt") if event.cause == "betrayal") == 8


def test_the_conversion_passes_over_whoever_is_down() -> None:
    arena = arena_at(4, strike("claw", power=9), GRIP, party=[[], [], [], []], vitality=(9, 9, 9, 9))
    arena.dice("strong", "stalemate")
    arena.set(trust=0)
    arena.act("strike claw", "→ b")
    arena.set(trust=4)
    arena.set(resolve=20, nerve=20)
    arena.members(9, 0, 6, 9)
    arena.act("strike grip")
    assert [int(arena.member(seat)["vitality"]) for seat in range(4)] == [9, 0, 2, 9]


def test_in_a_party_collective_reducers_pay_for_the_whole_party() -> None:
    arena = arena_at(6, party=[[], [], [], []], vitality=(9, 9, 9, 9))
    arena.set(nerve=10)
    arena.dice("stalemate")
    arena.act("strike grip")
    assert arena.reducer("nerve") == 4
    assert arena.reducer("vitality") == 36


# --- Betrayed ---------------------------------------------------------------------------------------------------------


def test_betrayed_means_two_more_power_for_three_of_the_visitors_turns() -> None:
    arena = Arena(dungeon=[GRIP], visitor=[strike("bite", "visitor")], structure=60, trust=4)
    arena.turn("dungeon", hand=["grip"])
    arena.dice("strong")
    arena.act("strike grip")
    dealt = []
    for _ in range(4):
        arena.turn("visitor", hand=["bite"])
        before = arena.reducer("structure")
        arena.dice("strong")
        arena.act("strike bite")
        dealt.append(before - arena.reducer("structure"))
        arena.act("end")
    assert dealt == [5, 5, 5, 3]


def test_betrayed_strengthens_every_strike_of_a_turn() -> None:
    bites = [strike(name, "visitor") for name in ("bite", "kick")]
    arena = Arena(dungeon=[GRIP], visitor=bites, trust=4)
    arena.turn("dungeon", hand=["grip"])
    arena.dice("strong")
    arena.act("strike grip")
    arena.turn("visitor", hand=["bite", "kick"])
    arena.dice("strong", "strong")
    arena.act("strike bite", "strike kick")
    assert arena.reducer("structure") == 10


def test_a_betrayed_visitor_refuses_every_offer_however_long_the_room_lasts() -> None:
    arena = arena_at(4, GRIP, offer("gift"))
    arena.dice("strong")
    arena.act("strike grip")
    for _ in range(5):  # longer than Betrayed itself
        arena.end_round()
        arena.turn("dungeon", hand=["gift"])
        arena.act("offer gift")
        assert arena.encounter.decision is not None
        assert arena.encounter.decision.kind == "turn"
    assert arena.side("visitor")["betrayed"] == 0
    assert (arena.trust(), len(arena.happened("offer_accepted"))) == (0, 0)


def test_a_betrayed_visitor_refuses_all_offers_for_the_rest_of_the_run() -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two", "round_limit": 1}, {"room": "three"}]
    arena = Arena(dungeon=[GRIP, offer("gift")], trust=4, rooms=rooms)
    arena.turn("dungeon", hand=["grip"])
    arena.dice("strong")
    arena.act("strike grip")
    for room in ("two", "three"):
        arena.end_round()
        arena.settle()
        assert arena.encounter.room == room
        arena.turn("dungeon", hand=["gift"])
        arena.act("offer gift")
        assert arena.legal()[0] == "end"  # it is not even asked
    assert (len(arena.happened("offer_accepted")), arena.trust()) == (0, 0)
    arena.turn("visitor", hand=[])
    assert arena.side("visitor")["refuses"] == 1


def test_what_betrayal_adds_to_strikes_stays_behind_in_its_room() -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    arena = Arena(dungeon=[GRIP], visitor=[strike("bite", "visitor")], trust=4, rooms=rooms)
    arena.turn("dungeon", hand=["grip"])
    arena.dice("strong")
    arena.act("strike grip")
    assert arena.side("visitor")["betrayed"] > 0
    arena.end_round()
    arena.settle()
    arena.turn("visitor", hand=["bite"])
    arena.dice("strong")
    arena.act("strike bite")
    assert (arena.side("visitor")["betrayed"], arena.reducer("structure")) == (0, 17)


# --- scorn ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trust", [4, 6, 10])
def test_a_visitors_strike_at_trust_four_scorns_the_dungeon_without_conversion(trust: int) -> None:
    arena = Arena(visitor=[strike("bite", "visitor")], trust=trust)
    arena.turn("visitor", hand=["bite"])
    arena.set(veil=10)
    arena.dice("strong")
    arena.act("strike bite")
    assert (arena.trust(), arena.state["scorns"], arena.state["betrayals"]) == (0, 1, 0)
    assert [arena.reducer(name) for name in ("structure", "veil", "presence")] == [17, 10, 20]
    assert visitor_points(arena) == (20, 20, 20)
    assert arena.side("visitor")["refuses"] == 0


def rolls_after_a_strike(trust: int) -> list[tuple[int, int]]:
    """Both totals in four Strikes of the dungeon after one of the visitor's; always the same dice."""
    claws = [strike("claw", power=1)]
    arena = Arena(dungeon=claws, visitor=[strike("bite", "visitor", power=1)], trust=trust)
    arena.turn("visitor", hand=["bite"])
    arena.dice("partial")
    arena.act("strike bite")
    found = []
    for _ in range(4):
        arena.turn("dungeon", hand=["claw"])
        arena.dice("partial")
        arena.act("strike claw")
        rolled = arena.happened("strike_rolled")[-1]
        found.append((rolled.attack, rolled.defence))
        arena.act("end")
    return found


def test_scorned_means_one_more_on_contested_rolls_for_three_of_the_dungeons_turns() -> None:
    calm, scorned = rolls_after_a_strike(3), rolls_after_a_strike(4)
    assert len(set(calm)) == 1
    assert [mine - calm[0][0] for mine, _ in scorned] == [1, 1, 1, 0]
    assert [theirs for _, theirs in scorned] == [theirs for _, theirs in calm]


def test_scorned_helps_the_dungeon_defend_itself() -> None:
    totals = []
    for trust in (3, 4):
        bites = [strike("bite", "visitor"), strike("kick", "visitor")]
        arena = Arena(visitor=bites, trust=trust)
        arena.turn("visitor", hand=["bite", "kick"])
        arena.dice("partial", "partial")
        arena.act("strike bite", "strike kick")
        totals.append([(rolled.attack, rolled.defence) for rolled in arena.happened("strike_rolled")])
    calm, scorned = totals
    assert scorned[0] == calm[0]  # the Strike that scorns is contested as before
    assert scorned[1] == (calm[1][0], calm[1][1] + 1)


def test_scorn_breaks_dependencies() -> None:
    gift = offer("gift", price={"type": "dependency"}, trust=0)
    arena = Arena(dungeon=[gift], visitor=[strike("bite", "visitor")], trust=5)
    arena.turn("dungeon", hand=["gift"])
    arena.set(nerve=10)
    arena.act("offer gift", "accept")
    arena.turn("visitor", hand=["bite"])
    arena.dice("stalemate")
    arena.act("strike bite")
    assert arena.reducer("nerve") == 7


def test_scorn_ends_with_the_room() -> None:
    rooms = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    arena = Arena(visitor=[strike("bite", "visitor")], trust=4, rooms=rooms)
    arena.turn("visitor", hand=["bite"])
    arena.dice("strong")
    arena.act("strike bite")
    arena.end_round()
    arena.settle()
    assert (arena.encounter.room, arena.side("dungeon")["scorned"]) == ("two", 0)


# --- what is no Strike ------------------------------------------------------------------------------------------------


def test_traps_and_disrupts_betray_nobody() -> None:
    snare = card("trap", "snare", "dungeon", springs="energy", target="vitality", power=2)
    thorns = card("disrupt", "thorns", "dungeon", thorns={"resource": "vitality", "amount": 1})
    arena = arena_at(8, snare, thorns)
    arena.act("trap snare", "disrupt thorns")
    arena.turn("visitor", hand=["visitor_energy"])
    arena.act("energy visitor_energy")
    assert (arena.trust(), arena.reducer("vitality")) == (8, 18)
