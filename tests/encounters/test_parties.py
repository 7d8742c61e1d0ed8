"""Parties: vitality of their own, morale in common, knock-outs, Kill, restoration [GDD 16], E13–E15, E28, E35, E36."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from cartomancer.content.codex import load_codex
from cartomancer.content.models.cards import CARD
from cartomancer.content.models.encounter import Scenario
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.observation import observe
from cartomancer.encounters.packing import pack_scenario
from tests.encounters.arena import Arena, card, strike

AXE = strike("axe", power=9)
FEAR = strike("fear", power=3, target="nerve")
CALL = card("reshape", "call", "visitor", restore=3, cost=3)
SALVE = card("reshape", "salve", "visitor", heal={"resource": "vitality", "amount": 4})


def company(
    *cards: dict[str, Any],
    kits: tuple[list[dict[str, Any]], ...] = ([], [], [], []),
    vitality: tuple[int, ...] = (9, 8, 7, 6),
    **options: Any,
) -> Arena:
    """Four members a, b, c, d against a dungeon with these cards; resolve and nerve 20."""
    return Arena(dungeon=list(cards), party=list(kits), vitality=vitality, **options)


def knock_out(arena: Arena, *members: str) -> None:
    """In the dungeon's turn: an axe for each of these members."""
    arena.turn("dungeon", hand=["axe"] * len(members))
    arena.dice(*["strong"] * len(members))
    for member in members:
        arena.act("strike axe", f"→ {member}")


def vitality(arena: Arena) -> list[int]:
    return [int(arena.member(seat)["vitality"]) for seat in range(4)]


def owned(arena: Arena, seat: int, *piles: str) -> int:
    """How many cards of a member lie in these piles."""
    side, owner = arena.side("visitor"), arena.encounter.packed.tables["visitor"]["owner"]
    return sum(int(owner[instance]) == seat for pile in piles for instance in side[pile][: int(side[f"{pile}_size"])])


# --- what a party has -------------------------------------------------------------------------------------------------


def test_the_standard_company_has_thirty_vitality_fourteen_resolve_sixteen_nerve_and_forty_cards() -> None:
    fight = Encounter("standard-company")
    side, tables = fight.state["sides"][1], fight.packed.tables
    assert fight.packed.members == ("knight", "battlemage", "cleric", "rogue")
    assert [int(points) for points in side["reducers"]] == [30, 14, 16]
    assert [int(fight.state["members"][seat]["vitality"]) for seat in range(4)] == [10, 7, 7, 6]
    assert tables["visitor"]["deck_size"] == 40
    assert [int((tables["visitor"]["owner"][:40] == seat).sum()) for seat in range(4)] == [10, 10, 10, 10]
    assert tables["visitor"]["kill_at"] == 2


@pytest.fixture
def pairs() -> Encounter:
    """Two Knights and two Rogues."""
    fields = {"id": "pairs", "title": "Pairs", "dungeon": "verdant_maw", "rooms": [{"room": "root_hollow"}]}
    scenario = Scenario.model_validate(fields | {"members": ["knight", "rogue", "knight", "rogue"]})
    return Encounter(pack_scenario(load_codex(), scenario))


def test_a_class_may_sit_twice_and_brings_everything_twice(pairs: Encounter) -> None:
    assert [int(pairs.state["members"][seat]["vitality"]) for seat in range(4)] == [10, 6, 10, 6]
    assert [int(points) for points in pairs.state["sides"][1]["reducers"]] == [32, 14, 16]
    assert pairs.packed.tables["visitor"]["deck_size"] == 40
    assert [int((pairs.packed.tables["visitor"]["owner"][:40] == seat).sum()) for seat in range(4)] == [10, 10, 10, 10]


def test_members_of_one_class_are_told_apart_by_their_seats(pairs: Encounter) -> None:
    targets = [pairs.text_of(int(codes.HIT_SEAT * codes.VERB_SPAN) + seat) for seat in range(4)]
    assert targets == ["→ knight@1", "→ rogue@2", "→ knight@3", "→ rogue@4"]


def test_resolve_and_nerve_are_what_the_members_bring_together() -> None:
    arena = company(resolve=24, nerve=16)
    assert (arena.reducer("vitality"), arena.reducer("resolve"), arena.reducer("nerve")) == (30, 24, 16)
    assert vitality(arena) == [9, 8, 7, 6]


def test_a_contested_roll_takes_the_best_attribute_of_whoever_stands() -> None:
    totals = []
    for down in (False, True):
        arena = company(AXE, FEAR)
        if down:
            knock_out(arena, "b")
        arena.encounter.packed.tables["visitor"]["member_attributes"][1] = 2
        arena.encounter.packed.tables["visitor"]["member_attributes"][2] = 1
        arena.turn("dungeon", hand=["fear"])
        arena.dice("stalemate")
        arena.act("strike fear")
        totals.append(arena.happened("strike_rolled")[-1].defence)
    assert totals[1] == totals[0] - 1


# --- targets ----------------------------------------------------------------------------------------------------------


def test_a_strike_at_vitality_asks_for_a_member_and_hurts_only_that_one() -> None:
    arena = company(strike("claw", power=3))
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("member", "dungeon")
    assert arena.legal() == ["→ a", "→ b", "→ c", "→ d"]
    arena.act("→ b")
    assert vitality(arena) == [9, 5, 7, 6]
    assert (arena.reducer("vitality"), arena.reducer("resolve"), arena.reducer("nerve")) == (27, 20, 20)


@pytest.mark.parametrize("target", ["resolve", "nerve"])
def test_a_strike_at_morale_asks_for_nobody(target: str) -> None:
    arena = company(strike("word", power=3, target=target))
    arena.turn("dungeon", hand=["word"])
    arena.dice("strong")
    arena.act("strike word")
    assert arena.reducer(target) == 17
    assert vitality(arena) == [9, 8, 7, 6]


def test_whoever_is_down_cannot_be_struck() -> None:
    arena = company(AXE, AXE)
    knock_out(arena, "b")
    arena.turn("dungeon", hand=["axe"])
    arena.act("strike axe")
    assert arena.legal() == ["→ a", "→ c", "→ d"]


def test_the_last_one_standing_is_struck_without_a_question() -> None:
    arena = company(AXE, AXE, AXE, strike("claw", power=3))
    arena.turn("dungeon", hand=["axe", "axe", "axe", "claw"])
    arena.dice("strong", "strong", "strong", "strong")
    for member in ("a", "b", "d"):
        arena.act("strike axe", f"→ {member}")
    arena.act("strike claw")
    assert vitality(arena) == [0, 0, 4, 0]
    assert arena.encounter.decision is not None
    assert arena.encounter.decision.kind == "turn"


def test_excess_damage_to_a_member_hurts_nobody_else() -> None:
    arena = company(AXE)
    knock_out(arena, "d")
    assert vitality(arena) == [9, 8, 7, 0]
    assert arena.reducer("vitality") == 24


def test_a_strike_at_a_creature_asks_for_nobody() -> None:
    arena = Arena(dungeon=[strike("claw", power=3)])
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("vitality") == 17


# --- knock-outs -------------------------------------------------------------------------------------------------------


def test_a_knocked_out_members_cards_leave_draw_and_discard_pile() -> None:
    arena = company(AXE, kits=([], [SALVE], [SALVE], []))
    arena.turn("dungeon", hand=["axe"])
    side, owner = arena.side("visitor"), arena.encounter.packed.tables["visitor"]["owner"]
    drawn = [int(k) for k in side["draw"][: int(side["draw_size"])]]
    used = [k for k in drawn if owner[k] in (1, 2)][1:]  # one card of b stays in the draw pile
    rest = [k for k in drawn if k not in used]
    side["discard"][: len(used)], side["discard_size"] = used, len(used)
    side["draw"][: len(rest)], side["draw_size"] = rest, len(rest)
    assert (owned(arena, 1, "draw"), owned(arena, 1, "discard")) == (1, 6)
    arena.dice("strong")
    arena.act("strike axe", "→ b")
    assert owned(arena, 1, "draw", "discard", "hand") == 0
    assert [owned(arena, seat, "draw") for seat in (0, 2, 3)] == [6, 0, 6]
    assert owned(arena, 2, "discard") == 7
    assert arena.happened("knocked_out")[-1].cards == 7


def test_cards_in_hand_can_be_played_in_the_partys_next_turn_and_are_gone_then() -> None:
    bite = strike("bite", "visitor")
    arena = company(AXE, kits=([], [bite, SALVE], [], []))
    arena.turn("dungeon", hand=["axe"], other_hand=["bite", "salve", "visitor_energy"])
    arena.dice("strong")
    arena.act("strike axe", "→ b")
    assert owned(arena, 1, "hand") == 2
    while arena.state["turn"] != 1:
        arena.act("end")
    assert "strike bite" in arena.legal()
    arena.dice("strong")
    arena.act("strike bite")
    assert arena.reducer("structure") == 17
    assert owned(arena, 1, "discard") == 0
    arena.act("end")
    assert owned(arena, 1, "hand", "draw", "discard") == 0
    assert len(arena.happened("discarded")) == 1


def test_the_fallens_cards_stay_out_when_the_discards_are_shuffled_in() -> None:
    arena = company(AXE)
    knock_out(arena, "b")
    arena.side("visitor")["draw_size"] = 0
    for _ in range(6):
        arena.end_round()
    assert owned(arena, 1, "hand", "draw", "discard") == 0


# --- morale and Kill --------------------------------------------------------------------------------------------------


def test_the_first_knock_out_costs_three_resolve_and_three_nerve() -> None:
    arena = company(AXE)
    knock_out(arena, "a")
    assert (arena.reducer("resolve"), arena.reducer("nerve")) == (17, 17)
    arena.act("end")
    assert arena.outcome is None


def test_the_second_knock_out_costs_five_of_each_and_is_a_kill() -> None:
    arena = company(AXE, AXE)
    knock_out(arena, "a", "c")
    assert (arena.reducer("resolve"), arena.reducer("nerve")) == (12, 12)
    assert [event.points for event in arena.happened("morale_cascade")] == [3, 5]
    assert arena.outcome is None
    arena.act("end")
    assert arena.outcome == "kill"
    assert (arena.state["first_down"], arena.state["knockouts"]) == (0, 2)


@pytest.mark.parametrize("reducer", ["resolve", "nerve"])
def test_a_kill_comes_before_the_break_or_panic_its_cascade_would_be(reducer: str) -> None:
    arena = company(AXE, AXE)
    arena.set(**{reducer: 8})
    knock_out(arena, "a", "b")
    assert arena.reducer(reducer) == 0
    assert [event.points for event in arena.happened("morale_cascade")] == [3, 5]
    arena.act("end")
    assert arena.outcome == "kill"


@pytest.mark.parametrize(("reducer", "outcome"), [("resolve", "break"), ("nerve", "panic")])
def test_the_first_cascade_can_break_or_panic_a_party(reducer: str, outcome: str) -> None:
    arena = company(AXE)
    arena.set(**{reducer: 3})
    knock_out(arena, "d")
    arena.act("end")
    assert arena.outcome == outcome


def test_the_cascade_goes_past_every_guard() -> None:
    arena = company(AXE)
    arena.side("visitor")["fortify"][1:] = 5
    knock_out(arena, "d")
    assert (arena.reducer("resolve"), arena.reducer("nerve")) == (17, 17)


def test_a_creature_is_killed_by_its_first_knock_out_and_knows_no_cascade() -> None:
    arena = Arena(dungeon=[AXE], vitality=(9,))
    arena.turn("dungeon", hand=["axe"])
    arena.dice("strong")
    arena.act("strike axe")
    assert (arena.reducer("resolve"), arena.reducer("nerve")) == (20, 20)
    arena.act("end")
    assert arena.outcome == "kill"


# --- restoration ------------------------------------------------------------------------------------------------------


def fallen(**options: Any) -> Arena:
    """Member b is down, and it is the party's turn with a restoring card of member c in hand."""
    arena = company(AXE, AXE, kits=([], [SALVE], [CALL], []), **options)
    knock_out(arena, "b")
    arena.act("end")
    while arena.state["turn"] != 1:
        arena.act("end")
    side, packed = arena.side("visitor"), arena.encounter.packed
    owner = packed.tables["visitor"]["owner"]
    call = next(k for k, number in enumerate(packed.decks[1]) if packed.cards[number].id == "call")
    rest = [k for k in range(len(packed.decks[1])) if k != call and owner[k] != 1]
    side["hand"][0], side["hand_size"], side["discard_size"] = call, 1, 0
    side["draw"][: len(rest)], side["draw_size"] = rest, len(rest)
    side["energy"] = 9
    return arena


def next_turn(arena: Arena) -> None:
    """On to the party's next turn, without a card played."""
    arena.act("end")
    while arena.state["turn"] != 1:
        arena.act("end")


def test_a_restored_member_stands_again_at_the_start_of_its_sides_next_turn() -> None:
    arena = fallen()
    start = len(arena.events)
    arena.act("reshape call")
    assert vitality(arena) == [9, 0, 7, 6]
    assert (arena.member(1)["down"], arena.member(1)["rising"], arena.state["downs"]) == (1, 3, 1)
    begun = next(event for event in arena.events[start:] if event.kind == "restoration_begun")
    assert (begun.seat, begun.value, begun.cause, begun.source) == (1, 3, "restoration", "call")
    assert arena.happened("restored") == []
    next_turn(arena)
    assert vitality(arena) == [9, 3, 7, 6]
    assert (arena.member(1)["down"], arena.member(1)["rising"], arena.state["downs"]) == (0, 0, 0)
    assert [(event.seat, event.points) for event in arena.happened("restored")] == [(1, 3)]


def test_a_restored_member_returns_with_the_cards_vitality_and_its_own_cards() -> None:
    arena = fallen()
    arena.act("reshape call")
    next_turn(arena)
    assert vitality(arena) == [9, 3, 7, 6]
    assert arena.reducer("vitality") == 25
    assert owned(arena, 1, "discard") == 7
    assert owned(arena, 1, "draw", "hand") == 0


def test_a_restored_member_has_at_most_its_start() -> None:
    arena = fallen(vitality=(9, 2, 7, 6))
    arena.act("reshape call")
    next_turn(arena)
    assert vitality(arena) == [9, 2, 7, 6]


JINX = card("disrupt", "jinx", "dungeon", disadvantage=True)
HUSH = card("counter", "hush", "dungeon", entangle=True, fortify={"resource": "veil", "amount": 1, "rounds": 2})
ROAR = card("empower", "roar", "visitor", power=2)


def rising(*cards: dict[str, Any], kit: tuple[dict[str, Any], ...] = (), **options: Any) -> Arena:
    """Member b is getting up, and it is the dungeon's turn with these cards in hand."""
    arena = company(AXE, *cards, kits=([], [], [CALL, *kit], []), **options)
    knock_out(arena, "b")
    arena.act("end")
    arena.turn("visitor", hand=["call", *(entry["id"] for entry in kit)])
    arena.act("reshape call", *(f"empower {entry['id']}" for entry in kit))
    arena.turn("dungeon", hand=[entry["id"] for entry in cards])
    assert int(arena.member(1)["rising"]) == 3
    return arena


@pytest.mark.parametrize(("stopper", "category"), [(JINX, "disrupt"), (HUSH, "counter")])
def test_a_disrupt_or_a_counter_stops_a_restoration(stopper: dict[str, Any], category: str) -> None:
    arena = rising(stopper)
    name = stopper["id"]
    arena.act(f"{category} {name}")
    (stopped,) = arena.happened("restoration_stopped")
    assert (stopped.seat, stopped.cause, stopped.source) == (1, category, name)
    next_turn(arena)
    assert (vitality(arena), int(arena.member(1)["down"])) == ([9, 0, 7, 6], 1)
    assert arena.happened("restored") == []


def test_a_disrupt_that_stops_a_restoration_hinders_the_next_strike_as_well() -> None:
    arena = rising(JINX)
    arena.act("disrupt jinx")
    assert int(arena.side("visitor")["disadvantage"]) == 1


def test_a_counter_stops_a_restoration_before_it_looks_for_an_empower() -> None:
    arena = rising(HUSH, kit=(ROAR,))
    assert "counter hush" in arena.legal()
    arena.act("counter hush")
    assert (len(arena.happened("restoration_stopped")), arena.happened("buff_removed")) == (1, [])
    assert int(arena.side("visitor")["empower_power"]) == 2  # it has done one thing
    assert (int(arena.side("visitor")["entangled"]), int(arena.side("dungeon")["fortify"][1])) == (1, 1)


def test_a_counter_may_be_played_against_a_restoration_alone() -> None:
    arena = rising(HUSH)
    assert "counter hush" in arena.legal()
    arena.act("counter hush")
    arena.turn("dungeon", hand=["hush"])
    assert "counter hush" not in arena.legal()


def test_a_counter_that_stops_a_restoration_neither_steals_nor_punishes() -> None:
    chip = {"resource": "nerve", "amount": 1}
    arena = rising(card("counter", "slap", "dungeon", chip=chip, punish=4, steal=True), kit=(ROAR,))
    nerve = arena.reducer("nerve")
    arena.act("counter slap")
    assert nerve - arena.reducer("nerve") == 1
    assert int(arena.side("dungeon")["empowered"]) == 0


def test_a_strike_that_hinders_on_a_hit_stops_no_restoration() -> None:
    arena = rising(strike("spit", target="nerve", power=1, disadvantage=True))
    arena.dice("strong")
    arena.act("strike spit")
    assert arena.happened("restoration_stopped") == []
    next_turn(arena)
    assert vitality(arena) == [9, 3, 7, 6]


def test_a_partys_own_disrupt_does_not_stop_its_restoration() -> None:
    arena = company(AXE, kits=([], [], [CALL, card("disrupt", "glare", "visitor", strip=True)], []))
    knock_out(arena, "b")
    arena.act("end")
    arena.turn("visitor", hand=["call", "glare"])
    arena.act("reshape call", "disrupt glare")
    next_turn(arena)
    assert vitality(arena) == [9, 3, 7, 6]


def test_a_stopped_restoration_may_be_begun_again() -> None:
    arena = rising(JINX)
    arena.act("disrupt jinx")
    arena.turn("visitor", hand=["call"])
    arena.act("reshape call")
    next_turn(arena)
    assert vitality(arena) == [9, 3, 7, 6]


def test_nobody_is_called_back_twice() -> None:
    arena = company(AXE, kits=([], [], [CALL, CALL], []))
    knock_out(arena, "b")
    arena.act("end")
    arena.turn("visitor", hand=["call", "call"])
    arena.act("reshape call")
    assert "reshape call" not in arena.legal()


def test_whoever_is_getting_up_is_still_down_and_a_second_fall_is_a_kill() -> None:
    arena = rising(AXE)
    arena.dice("strong")
    arena.act("strike axe")
    assert arena.legal() == ["→ a", "→ c", "→ d"]
    arena.act("→ a", "end")
    assert arena.outcome == "kill"


def test_whoever_is_getting_up_when_the_room_ends_returns_like_all_the_fallen() -> None:
    arena = rising(rooms=[{"room": "one"}, {"room": "two"}])
    arena.state["first"], arena.state["round_no"] = codes.VISITOR, 40  # the dungeon's is the last turn of the room
    arena.act("end")
    assert arena.encounter.room == "two"
    assert (vitality(arena), int(arena.member(1)["rising"])) == ([9, 4, 7, 6], 0)
    arena.settle()
    arena.turn("visitor")
    assert (vitality(arena), arena.happened("restored")) == ([9, 4, 7, 6], [])


def test_the_dungeon_sees_who_is_getting_up() -> None:
    arena = rising(JINX)
    shown = observe(arena.encounter, "dungeon")["opponent"]["members"]
    assert [member["rising"] for member in shown] == [0, 3, 0, 0]


@pytest.mark.parametrize(("energy", "playable"), [(2, False), (3, True)])
def test_restoration_costs_three(energy: int, playable: bool) -> None:
    arena = fallen()
    arena.side("visitor")["energy"] = energy
    arena.side("visitor")["temporary"] = 0
    assert ("reshape call" in arena.legal()) is playable


def test_a_cheaper_restoration_is_refused() -> None:
    with pytest.raises(ValidationError, match="restore belongs to visitors and costs 3"):
        CARD.validate_python(CALL | {"cost": 2})


def test_nobody_can_be_restored_when_all_stand() -> None:
    arena = company(AXE, kits=([], [], [CALL], []))
    arena.turn("visitor", hand=["call"])
    assert "reshape call" not in arena.legal()
    with pytest.raises(Exception, match="nobody can be restored"):
        arena.act("reshape call")


def test_a_kill_counts_who_is_down_at_once_and_the_cascade_every_knock_out() -> None:
    arena = fallen()
    arena.act("reshape call")
    next_turn(arena)
    knock_out(arena, "a")
    assert [event.points for event in arena.happened("morale_cascade")] == [3, 5]
    arena.act("end")
    assert arena.outcome is None


def test_a_restored_member_can_be_struck_again() -> None:
    arena = fallen()
    arena.act("reshape call")
    next_turn(arena)
    arena.turn("dungeon", hand=["axe"])
    arena.act("strike axe")
    assert arena.legal() == ["→ a", "→ b", "→ c", "→ d"]


def test_cards_in_hand_leave_with_the_turn_and_come_back_with_their_member() -> None:
    arena = company(AXE, kits=([], [SALVE], [CALL], []))
    arena.turn("dungeon", hand=["axe"], other_hand=["call", "salve"])
    arena.dice("strong")
    arena.act("strike axe", "→ b")
    while arena.state["turn"] != 1:
        arena.act("end")
    arena.side("visitor")["energy"] = 9
    arena.act("reshape call")
    assert owned(arena, 1, "hand") >= 1  # they can still be played in this turn
    arena.act("end")
    assert owned(arena, 1, "hand", "draw", "discard") == 0
    while arena.state["turn"] != 1:
        arena.act("end")
    assert owned(arena, 1, "discard") == 7


# --- untargeted harm and healing --------------------------------------------------------------------------------------


def test_auto_effects_find_the_standing_member_with_the_lowest_share() -> None:
    arena = company(AXE, vitality=(10, 9, 6, 10), auto=[{"resource": "vitality", "change": -1}])
    knock_out(arena, "b")
    arena.members(9, 0, 5, 8)  # 90, down, 83, 80 %
    arena.end_round()
    assert vitality(arena) == [9, 0, 5, 7]


def test_auto_effects_find_the_first_seat_among_equals() -> None:
    arena = company(vitality=(10, 10, 10, 10), auto=[{"resource": "vitality", "change": -1}])
    assert arena.encounter.round == 1
    assert vitality(arena) == [9, 10, 10, 10]
    arena.members(10, 5, 5, 10)
    arena.end_round()
    assert vitality(arena) == [10, 4, 5, 10]


def test_auto_effects_on_morale_hit_the_common_pool() -> None:
    arena = company(auto=[{"resource": "nerve", "change": -2}])
    assert arena.reducer("nerve") == 18
    assert vitality(arena) == [9, 8, 7, 6]


def test_escalation_takes_its_vitality_from_the_weakest_member() -> None:
    arena = company(vitality=(10, 10, 10, 10), rules={"escalation_from": 2})
    arena.members(10, 10, 4, 10)
    arena.end_round()
    assert vitality(arena) == [10, 10, 3, 10]
    assert (arena.reducer("resolve"), arena.reducer("nerve")) == (20, 20)
    assert [arena.reducer(name) for name in ("structure", "veil", "presence")] == [19, 20, 20]


def test_healing_finds_the_wounded_standing_member_with_the_lowest_share() -> None:
    arena = company(AXE, kits=([SALVE], [], [], []), vitality=(10, 9, 10, 10))
    knock_out(arena, "b")
    arena.turn("visitor", hand=["salve"])
    arena.members(10, 0, 7, 3)
    arena.act("reshape salve")
    assert vitality(arena) == [10, 0, 7, 7]


def test_what_the_weakest_does_not_need_of_a_healing_goes_to_the_next() -> None:
    arena = company(AXE, kits=([SALVE], [], [], []), vitality=(10, 9, 10, 10))
    knock_out(arena, "b")
    arena.turn("visitor", hand=["salve"])
    arena.members(7, 0, 9, 9)
    before = int(arena.side("visitor")["reducers"][0])
    arena.act("reshape salve")  # 4 points
    assert (vitality(arena), int(arena.side("visitor")["reducers"][0])) == ([10, 0, 10, 9], before + 4)


@pytest.mark.parametrize(
    ("base", "tier", "lost"),
    [
        *((2, "partial", 1), (2, "stalemate", 2), (2, "reversal", 3)),
        *((0, "partial", 2), (0, "stalemate", 3), (0, "reversal", 5)),
    ],
)
def test_reversal_damage_falls_on_the_member_whose_card_it_was(base: int, tier: str, lost: int) -> None:
    kits: tuple[list[dict[str, Any]], ...] = ([], [], [strike("bite", "visitor")], [])
    arena = company(kits=kits, vitality=(9, 9, 9, 9), rules={"reversal_base": base})
    arena.turn("visitor", hand=["bite"])
    arena.members(9, 5, 9, 9)
    arena.dice(tier)
    arena.act("strike bite")
    assert vitality(arena) == [9, 5, 9 - lost, 9]


def test_reversal_damage_for_a_fallen_members_card_finds_the_weakest() -> None:
    arena = company(AXE, kits=([], [], [strike("bite", "visitor")], []), vitality=(9, 9, 9, 9))
    arena.turn("dungeon", hand=["axe"], other_hand=["bite"])
    arena.dice("strong")
    arena.act("strike axe", "→ c")
    while arena.state["turn"] != 1:
        arena.act("end")
    arena.members(9, 9, 0, 7)
    arena.dice("stalemate")
    arena.act("strike bite")
    assert vitality(arena) == [9, 9, 0, 5]


@pytest.mark.parametrize(("base", "left"), [(2, 2), (0, 6)])
def test_reversal_damage_can_knock_its_owner_out(base: int, left: int) -> None:
    arena = company(kits=([], [], [], [strike("bite", "visitor", power=6)]), rules={"reversal_base": base})
    arena.turn("visitor", hand=["bite"])
    arena.members(9, 8, 7, left)
    arena.dice("stalemate")
    arena.act("strike bite")
    assert vitality(arena) == [9, 8, 7, 0]
    assert (arena.reducer("resolve"), arena.reducer("nerve")) == (17, 17)
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("turn", "visitor")  # one is not enough


def test_a_party_with_two_down_in_its_own_turn_acts_no_more() -> None:
    bites = [strike(name, "visitor") for name in ("bite", "kick")]
    arena = company(kits=([bites[0]], [bites[1]], [CALL], []))
    arena.turn("visitor", hand=["bite", "kick", "call"])
    arena.members(1, 1, 7, 6)
    arena.dice("stalemate", "stalemate")
    arena.act("strike bite")
    assert arena.outcome is None
    arena.act("strike kick")  # nobody may call either of them back now
    assert arena.outcome == "kill"


def test_the_dungeon_sees_every_members_vitality() -> None:
    arena = company(AXE)
    knock_out(arena, "c")
    shown = observe(arena.encounter, "dungeon")["opponent"]["members"]
    assert [(member["name"], member["vitality"], member["down"]) for member in shown] == [
        ("a", 9, 0),
        ("b", 8, 0),
        ("c", 0, 1),
        ("d", 6, 0),
    ]
