"""Runs through several rooms: what carries over, Bonds, routes, ends [GDD 5.3; Bond 4.4, 5.2], E7–E9, E39–E43."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from cartomancer.content.models.encounter import Scenario
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.observation import observe
from tests.encounters.arena import Arena, card, offer, strike

ROOMS = ("one", "two", "three", "four")
PACT = offer(
    "pact",
    cost=4,
    covenant=True,
    benefit={"ward": 1},
    price={"type": "exposure", "amount": 1, "strike_type": "social"},
    trust=0,
)
CLAW = strike("claw")
BITE = strike("bite", "visitor")


def gauntlet(
    *dungeon: dict[str, Any], rooms: int = 2, stops: list[dict[str, Any]] | None = None, **options: Any
) -> Arena:
    """A run through this many rooms, each outlasted after one round, or through these; with a bare Covenant as well."""
    short = [{"room": name, "round_limit": 1} for name in ROOMS[:rooms]]
    return Arena(dungeon=[PACT, *dungeon], rooms=stops or short, **options)


def outlast(arena: Arena) -> None:
    """Both sides wait until the room's limit."""
    arena.end_round()
    arena.settle()


def bond(arena: Arena) -> None:
    """The visitor accepts the Covenant; trust is 9."""
    arena.turn("dungeon", hand=["pact"])
    arena.set(trust=9)
    arena.act("offer pact", "accept")
    arena.settle()


def strike_down(arena: Arena, side: str, name: str, resource: str) -> None:
    """A clean hit takes the last point of a reducer, and the turn ends."""
    arena.turn(side, hand=[name])
    arena.set(**{resource: 1})
    arena.dice("strong")
    arena.act(f"strike {name}", "end")
    arena.settle()


def points(arena: Arena, side: str) -> list[int]:
    return [int(value) for value in arena.side(side)["reducers"]]


# --- what carries over ------------------------------------------------------------------------------------------------


def test_the_visitor_carries_its_wounds_and_the_dungeon_is_whole_again() -> None:
    arena = gauntlet()
    arena.set(vitality=11, resolve=12, nerve=13, structure=4, veil=5, presence=6)
    outlast(arena)
    assert (arena.encounter.room, arena.encounter.round) == ("two", 1)
    assert points(arena, "visitor") == [11, 12, 13]
    assert points(arena, "dungeon") == [20, 20, 20]
    assert [int(value) for value in arena.side("visitor")["starts"]] == [20, 20, 20]


@pytest.mark.parametrize(
    ("before", "after"),
    [(0, 0), (1, 0), (2, 0), (2.5, 0.5), (3, 1), (3.5, 1.5), (4, 2), (5, 3), (8, 6), (9, 7), (12, 10)],
)
def test_trust_falls_by_two_between_rooms_and_three_leave_one(before: float, after: float) -> None:
    arena = gauntlet()
    arena.set(trust=before)
    outlast(arena)
    assert arena.encounter.room == "two"
    assert arena.trust() == after


@pytest.mark.parametrize("trust", [9, 10, 12])
def test_a_bond_carries_trust_on_whole(trust: int) -> None:
    arena = gauntlet()
    arena.turn("dungeon", hand=["pact"])
    arena.set(trust=trust)
    arena.act("offer pact", "accept")
    assert (arena.encounter.room, arena.trust()) == ("two", trust)


def test_trust_falls_anew_at_every_threshold() -> None:
    arena = gauntlet(rooms=4)
    arena.set(trust=8)
    found = []
    for _ in range(3):
        outlast(arena)
        found.append(arena.trust())
    assert found == [6, 4, 2]


def test_conditions_guards_and_debts_stay_behind() -> None:
    arena = gauntlet()
    lasting = {
        **dict.fromkeys(("entangled", "held", "ward", "armour", "calm", "betrayed", "scorned"), 1),
        **dict.fromkeys(("empowered", "empower_power", "empower_advantage", "empower_keywords"), 1),
        **dict.fromkeys(("disadvantage", "strip", "randomise", "temporary", "struck", "strikes", "restrained"), 1),
        **dict.fromkeys(("shed", "hex_guard", "banish", "adds", "back_adds", "panic_immunity", "trap_count"), 1),
    }
    tables = ("erode", "venom", "fortify", "thorns", "attuned", "typed_energy", "exposure", "binding", "dependency")
    for side in ("dungeon", "visitor"):
        record = arena.side(side)
        for field, value in lasting.items():
            record[field] = value
        for field in tables:
            record[field][:] = 1
        record["fortify_rounds"][:] = 9
        record["binding_rounds"][:] = 9
        record["ward_rounds"] = 9
    arena.end_round()
    assert arena.encounter.room == "two"
    for side in ("dungeon", "visitor"):
        record = arena.side(side)
        assert {field: int(record[field]) for field in lasting} == dict.fromkeys(lasting, 0)
        assert [int(record[field].sum()) for field in tables] == [0] * len(tables)


def test_resonance_does_not_reach_into_the_next_room() -> None:
    hum = strike("hum", power=3, keywords=["resonate"])
    arena = gauntlet(CLAW, hum)
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    outlast(arena)
    arena.turn("dungeon", hand=["hum"])
    arena.dice("strong")
    arena.act("strike hum")
    assert arena.reducer("vitality") == 20 - 3 - 3


def test_initiative_and_a_creatures_mulligans_are_new_in_every_room() -> None:
    arena = gauntlet(rooms=3)
    for room in ("two", "three"):
        for side in ("dungeon", "visitor"):
            arena.side(side)["initiative"] = 99
        arena.end_round()
        assert arena.encounter.room == room
        assert all(2 <= arena.side(side)["initiative"] <= 12 for side in ("dungeon", "visitor"))
        for _ in range(3):
            assert arena.legal() == ["keep", "mulligan"]
            arena.act("mulligan")
        arena.settle()


def test_a_dependency_ends_with_the_room_instead_of_breaking() -> None:
    arena = gauntlet(offer("gift", price={"type": "dependency"}), trust=3)
    arena.turn("dungeon", hand=["gift"])
    arena.set(nerve=10)
    arena.act("offer gift", "accept")
    outlast(arena)
    assert (arena.encounter.room, arena.trust()) == ("two", 2)
    assert arena.reducer("nerve") == 13


def test_a_binding_ends_with_the_room() -> None:
    price = {"type": "binding", "resource": "resolve", "amount": 1, "rounds": 5}
    arena = gauntlet(offer("gift", price=price))
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift", "accept")
    outlast(arena)
    arena.turn("dungeon")
    assert arena.reducer("resolve") == 20


def test_the_energy_pool_starts_anew() -> None:
    arena = gauntlet()
    for side in ("dungeon", "visitor"):
        arena.side(side)["pool"] = 6
    arena.end_round()
    assert [int(arena.side(side)["pool"]) for side in ("dungeon", "visitor")] == [1, 1]


def test_extracted_energy_is_in_the_next_rooms_pool_and_only_there() -> None:
    arena = gauntlet(offer("gift", price={"type": "extraction", "amount": 2, "effect": "energy"}), rooms=3)
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift", "accept")
    pools = []
    for _ in range(2):
        arena.end_round()
        pools.append((int(arena.side("dungeon")["pool"]), int(arena.side("dungeon")["energy"])))
        arena.settle()
    assert pools == [(3, 3), (1, 1)]


def test_an_extracted_reducer_stays_larger_for_the_run() -> None:
    arena = gauntlet(offer("gift", price={"type": "extraction", "amount": 2, "effect": "veil"}), rooms=3)
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift", "accept")
    for _ in range(2):
        outlast(arena)
        assert points(arena, "dungeon") == [20, 22, 20]


def held(arena: Arena, side: str) -> list[str]:
    """The cards in a side's hand and draw pile."""
    record, code = arena.side(side), ("dungeon", "visitor").index(side)
    piles = [*record["hand"][: record["hand_size"]], *record["draw"][: record["draw_size"]]]
    return [arena._card(code, int(instance)) for instance in piles]


def test_a_visitors_exhausted_card_stays_out_and_the_dungeons_returns() -> None:
    once, burst = strike("once", "visitor", exhaust=True), strike("burst", exhaust=True)
    arena = gauntlet(burst, visitor=[once], stops=[{"room": "one", "round_limit": 4}, {"room": "two"}])
    for side, name in (("visitor", "once"), ("dungeon", "burst")):
        arena.turn(side, hand=[name])
        arena.dice("strong")
        arena.act(f"strike {name}")
        assert name not in held(arena, side)
    while arena.encounter.room == "one":
        arena.end_round()
    assert "once" not in held(arena, "visitor")
    assert "burst" in held(arena, "dungeon")


def test_a_creature_brings_a_fresh_deck_to_every_room() -> None:
    arena = gauntlet(visitor=[BITE])
    arena.turn("visitor", hand=["bite"])
    arena.dice("strong")
    arena.act("strike bite")
    outlast(arena)
    record = arena.side("visitor")
    assert record["hand_size"] + record["draw_size"] == arena.encounter.packed.tables["visitor"]["deck_size"]
    assert record["discard_size"] == 0


# --- parties on the way -----------------------------------------------------------------------------------------------

AXE = strike("axe", power=9)


def company(*dungeon: dict[str, Any], **options: Any) -> Arena:
    fields = {"party": [[], [], [], []], "vitality": (9, 7, 7, 6)}
    return gauntlet(AXE, *dungeon, **(fields | options))


def knock_out(arena: Arena, member: str) -> None:
    arena.turn("dungeon", hand=["axe"])
    arena.dice("strong")
    arena.act("strike axe", f"→ {member}")


@pytest.mark.parametrize(("member", "seat", "vitality"), [("a", 0, 5), ("b", 1, 4), ("d", 3, 3)])
def test_a_knocked_out_member_returns_between_rooms_with_half_its_vitality(
    member: str, seat: int, vitality: int
) -> None:
    arena = company()
    knock_out(arena, member)
    outlast(arena)
    assert arena.encounter.room == "two"
    assert (arena.member(seat)["vitality"], arena.member(seat)["down"], arena.state["downs"]) == (vitality, 0, 0)
    owner = arena.encounter.packed.tables["visitor"]["owner"]
    assert sum(int(owner[k]) == seat for name in PILES for k in pile(arena, name)) == 6
    assert all(int(owner[k]) != seat for k in pile(arena, "draw"))  # they join the discards, or are in hand still
    assert arena.reducer("vitality") == sum(int(arena.member(k)["vitality"]) for k in range(4))


# --- a party's deck on the way ----------------------------------------------------------------------------------------

PILES = ("hand", "draw", "discard")


def pile(arena: Arena, name: str) -> list[int]:
    """The instances in one of the party's piles."""
    record = arena.side("visitor")
    return [int(k) for k in record[name][: int(record[f"{name}_size"])]]


def arrange(arena: Arena, **piles: list[int]) -> None:
    """Put exactly these instances into the party's piles."""
    record = arena.side("visitor")
    for name in PILES:
        cards = piles.get(name, [])
        record[name][: len(cards)] = cards
        record[f"{name}_size"] = len(cards)


def at_the_door(**piles: int) -> tuple[Arena, dict[str, list[int]]]:
    """A party of twelve Energy and twelve action cards as the last turn of its first room ends, nobody drawing:
    so many cards in each pile, Energy and action cards by turns; `energy_hand`, say, stands for Energy alone."""
    arena = company(rules={"draw": 0, "least_hand": 0})
    arena.turn("visitor")
    packed = arena.encounter.packed
    left: dict[str, list[int]] = {"energy": [], "empower": []}
    for k in range(24):
        left[packed.cards[packed.decks[1][k]].category].append(k)
    found: dict[str, list[int]] = {name: [] for name in PILES}
    for name, count in piles.items():
        kind, _, where = name.rpartition("_")
        for n in range(count):
            found[where].append(left[kind or ("energy", "empower")[n % 2]].pop())
    arrange(arena, **found)
    while arena.encounter.room == "one":
        arena.act("end")
    return arena, found


def categories(arena: Arena, name: str) -> list[str]:
    packed = arena.encounter.packed
    return [packed.cards[packed.decks[1][k]].category for k in pile(arena, name)]


def test_a_party_keeps_its_discards_at_the_door() -> None:
    arena, before = at_the_door(hand=6, draw=8, discard=10)
    assert sorted(pile(arena, "discard")) == sorted(before["discard"])
    assert len(pile(arena, "draw")) == 8 - 1


def test_a_party_keeps_its_hand_at_the_door_and_fills_it_from_its_draw_pile() -> None:
    arena, before = at_the_door(hand=4, draw=10, discard=10)
    hand = pile(arena, "hand")
    assert hand[:4] == before["hand"]
    assert len(hand) == 7
    assert set(hand[4:]) <= set(before["draw"])
    assert sorted(hand[4:] + pile(arena, "draw")) == sorted(before["draw"])
    assert arena.happened("shuffled") == []


@pytest.mark.parametrize("size", [7, 8, 10])
def test_a_full_hand_is_neither_filled_nor_cut_at_the_door(size: int) -> None:
    arena, before = at_the_door(hand=size, draw=8)
    assert pile(arena, "hand") == before["hand"]
    assert sorted(pile(arena, "draw")) == sorted(before["draw"])


def test_nothing_is_shuffled_at_the_door_until_the_draw_pile_runs_out() -> None:
    arena, before = at_the_door(hand=4, draw=1, discard=12)
    hand = pile(arena, "hand")
    assert len(hand) == 7
    assert before["draw"][0] in hand
    assert [event.side for event in arena.happened("shuffled")] == ["visitor"]
    assert len(pile(arena, "draw")) == 12 - 2
    assert pile(arena, "discard") == []


def test_the_opening_guarantee_is_made_from_the_draw_pile_first() -> None:
    arena, before = at_the_door(empower_hand=7, energy_draw=3, empower_draw=3, energy_discard=4)
    found = categories(arena, "hand")
    assert (found.count("energy"), found.count("empower")) == (2, 5)
    assert sorted(pile(arena, "discard")) == sorted(before["discard"])  # not touched
    assert categories(arena, "draw").count("energy") == 1


def test_the_opening_guarantee_is_made_from_the_discards_where_the_draw_pile_has_nothing() -> None:
    arena, before = at_the_door(empower_hand=7, energy_draw=1, empower_draw=3, energy_discard=4)
    found = categories(arena, "hand")
    assert (found.count("energy"), found.count("empower")) == (2, 5)
    assert categories(arena, "discard").count("energy") == len(before["discard"]) - 1
    assert arena.happened("shuffled") == []
    every = [k for name in PILES for k in pile(arena, name)]
    assert sorted(every) == sorted(k for cards in before.values() for k in cards)  # no card is lost or doubled


def test_three_action_cards_are_guaranteed_as_well() -> None:
    arena, _ = at_the_door(energy_hand=7, energy_draw=1, empower_discard=5)
    assert categories(arena, "hand").count("empower") == 3


def test_a_party_has_no_mulligan_at_the_door() -> None:
    arena, _ = at_the_door(hand=6, draw=8, discard=10)
    asked = []
    while arena.encounter.decision is not None and arena.encounter.decision.kind == "mulligan":
        asked.append(arena.encounter.decision.side)
        arena.act("keep")
    assert asked == ["dungeon"]


def test_a_partys_laid_traps_go_to_the_discards_at_the_door() -> None:
    snare = card("trap", "snare", "visitor", springs="test", target="veil", power=1)
    arena = company(party=[[snare], [], [], []])
    arena.turn("visitor", hand=["snare"])
    arena.act("trap snare")
    while arena.encounter.room == "one":
        arena.act("end")
    packed = arena.encounter.packed
    laid = [k for k in pile(arena, "discard") if packed.cards[packed.decks[1][k]].id == "snare"]
    assert (len(laid), int(arena.side("visitor")["trap_count"])) == (1, 0)
    assert observe(arena.encounter, "dungeon")["opponent"]["discard"].count("snare") == 0  # it was never turned over


def test_every_card_of_a_party_is_somewhere_in_every_room() -> None:
    arena = company(rooms=4)
    for room in ("two", "three", "four"):
        while arena.encounter.room != room:
            arena.act("end")
        assert sorted(k for name in PILES for k in pile(arena, name)) == list(range(24))
        arena.settle()


def test_what_lies_on_a_member_stays_behind() -> None:
    arena = company()
    for field in ("pierced", "threat", "weakness", "bounty"):
        arena.member(1)[field] = 5
    arena.end_round()
    assert [int(arena.member(1)[field]) for field in ("pierced", "threat", "weakness", "bounty")] == [0, 0, 0, 0]


def test_morale_lost_to_a_knock_out_does_not_return() -> None:
    arena = company()
    knock_out(arena, "b")
    outlast(arena)
    assert points(arena, "visitor")[1:] == [17, 17]


def test_knock_outs_count_through_the_run_for_the_cascade_but_not_for_the_kill() -> None:
    arena = company()
    knock_out(arena, "b")
    outlast(arena)
    knock_out(arena, "c")
    assert [event.points for event in arena.happened("morale_cascade")] == [3, 5]
    arena.end_round()
    assert arena.outcome == "survive"


# --- Bonds on the way -------------------------------------------------------------------------------------------------


def test_a_bond_in_the_first_room_heals_thirty_percent_and_teaches_one_insight() -> None:
    arena = gauntlet(vitality=(28,), resolve=14, nerve=18)
    arena.set(vitality=5, resolve=5, nerve=5)
    bond(arena)
    assert arena.encounter.room == "two"
    assert points(arena, "visitor") == [5 + 8, 5 + 4, 5 + 5]  # 8.4, 4.2, 5.4
    assert arena.state["insight"] == 1


def test_a_bond_in_the_second_room_heals_twenty_percent_and_teaches_two() -> None:
    arena = gauntlet(rooms=3)
    outlast(arena)
    arena.set(vitality=5, resolve=5, nerve=5)
    bond(arena)
    assert arena.encounter.room == "three"
    assert points(arena, "visitor") == [9, 9, 9]
    assert arena.state["insight"] == 2


def test_a_bond_in_the_third_of_four_rooms_counts_like_the_second() -> None:
    arena = gauntlet(rooms=4)
    outlast(arena)
    outlast(arena)
    arena.set(vitality=5, resolve=5, nerve=5)
    bond(arena)
    assert (arena.encounter.room, arena.state["insight"]) == ("four", 2)
    assert points(arena, "visitor") == [9, 9, 9]


def test_insight_adds_up_over_bonds() -> None:
    arena = gauntlet(rooms=3)
    bond(arena)
    bond(arena)
    assert (arena.encounter.room, arena.state["insight"]) == ("three", 3)


def test_recovery_never_exceeds_the_start() -> None:
    arena = gauntlet()
    arena.set(vitality=19, resolve=20, nerve=17)
    bond(arena)
    assert points(arena, "visitor") == [20, 20, 20]


def test_every_standing_member_recovers_its_own_thirty_percent() -> None:
    arena = company(vitality=(9, 7, 10, 6))
    knock_out(arena, "b")
    arena.members(2, 0, 3, 6)
    bond(arena)
    assert arena.encounter.room == "two"
    assert [int(arena.member(seat)["vitality"]) for seat in range(4)] == [2 + 3, 4, 3 + 3, 6]
    assert arena.reducer("vitality") == 21


def test_a_bond_in_the_last_room_ends_the_run_in_a_bond() -> None:
    arena = gauntlet()
    outlast(arena)
    arena.set(vitality=5)
    bond(arena)
    outcome = arena.encounter.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.winner) == ("bond", "both")
    assert outcome.rooms == (("one", "survive", 1), ("two", "bond", 1))
    assert (arena.reducer("vitality"), arena.state["insight"]) == (5, 0)


def test_three_bonds_in_three_rooms_are_a_full_bond() -> None:
    arena = gauntlet(rooms=3)
    for _ in range(3):
        bond(arena)
    outcome = arena.encounter.outcome
    assert outcome is not None
    assert [found for _, found, _ in outcome.rooms] == ["bond", "bond", "bond"]
    assert outcome.kind == "bond"


def totals(bonds: int, side: str) -> tuple[int, int]:
    """The striker's and the defender's totals of one Strike in room three, after this many Bonds; the same dice."""
    arena = gauntlet(CLAW, rooms=3, visitor=[BITE])
    for k in range(2):
        bond(arena) if k < bonds else outlast(arena)
    arena.turn(side, hand=["claw" if side == "dungeon" else "bite"])
    arena.set(trust=0)
    arena.dice("partial")
    arena.act("strike claw" if side == "dungeon" else "strike bite")
    rolled = arena.happened("strike_rolled")[-1]
    return rolled.attack, rolled.defence


@pytest.mark.parametrize(("bonds", "insight"), [(1, 1), (2, 3)])
def test_each_insight_adds_one_to_the_dungeons_contested_rolls(bonds: int, insight: int) -> None:
    mine, theirs = totals(0, "dungeon")
    assert totals(bonds, "dungeon") == (mine + insight, theirs)
    mine, theirs = totals(0, "visitor")
    assert totals(bonds, "visitor") == (mine, theirs + insight)


def test_bond_then_betray_turns_all_trust_into_damage() -> None:
    arena = gauntlet(strike("grip", target="resolve"))
    arena.turn("dungeon", hand=["pact"])
    arena.set(trust=11, nerve=6)
    arena.act("offer pact", "accept")
    arena.settle()
    assert (arena.trust(), arena.reducer("nerve")) == (11, 12)
    arena.turn("dungeon", hand=["grip"])
    arena.dice("strong")
    arena.act("strike grip")
    assert points(arena, "visitor") == [20, 17, 1]
    assert arena.trust() == 0


def hold(fight: Encounter, name: str) -> None:
    """The dungeon's turn comes, and it holds exactly this card and enough energy."""
    while fight.decision is not None and (fight.decision.kind, fight.decision.side) != ("turn", "dungeon"):
        fight.apply("keep" if fight.decision.kind == "mulligan" else "end")
    side = fight.state["sides"][0]
    deck = fight.packed.decks[0][int(fight.state["room"])]
    instances = [k for k, number in enumerate(deck) if fight.packed.cards[number].id == name]
    rest = [k for k in range(len(deck)) if k != instances[0]]
    side["hand"][0], side["hand_size"], side["energy"] = instances[0], 1, 9
    side["draw"][: len(rest)], side["draw_size"], side["discard_size"] = rest, len(rest), 0


def strikes_at(fight: Encounter, resource: str) -> list[str]:
    """The Strikes of the room's deck that aim at this reducer."""
    deck = fight.packed.decks[0][int(fight.state["room"])]
    cards = [fight.packed.cards[number] for number in deck]
    return [found.id for found in cards if found.category == "strike" and found.target == resource]


def test_the_shipped_bond_then_betray_does_what_its_name_says() -> None:
    fight = Encounter("bond-then-betray", seed=3)
    hold(fight, "pact_of_living_stone")
    fight.state["trust"] = 18
    fight.apply("offer pact_of_living_stone")
    fight.apply("accept")
    assert (fight.room, int(fight.state["trust"]), int(fight.state["insight"])) == ("root_hollow", 22, 3)
    name = strikes_at(fight, "nerve")[0]
    hold(fight, name)
    found = fight.apply(f"strike {name}")
    while fight.decision is not None and fight.decision.kind == "react":
        found = fight.apply("take")
    assert (int(fight.state["trust"]), int(fight.state["betrayals"])) == (0, 1)
    assert [event.points for event in found if event.kind == "betrayed"] == [11]


def test_whoever_masters_the_shipped_sanctuary_by_force_leaves_by_its_gate() -> None:
    rooms = Encounter("bond-then-betray").packed.tables["dungeon"]["rooms"]
    onward = {name: int(rooms[0]["onward"][code]) for name, code in (("bond", codes.BOND), ("survive", codes.SURVIVE))}
    assert onward == {"bond": 1, "survive": 1}
    assert [int(rooms[0]["onward"][code]) for code in (codes.OVERCOME, codes.INERT, codes.DOMINATE)] == [-1, -1, -1]


# --- routes and ends --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "name", "resource", "room"),
    [
        ("visitor", "bite", "structure", "three"),
        ("visitor", "hex", "veil", "four"),
        ("visitor", "stare", "presence", "two"),
    ],
)
def test_an_outcome_leads_where_the_scenario_routes_it(side: str, name: str, resource: str, room: str) -> None:
    stops: list[dict[str, Any]] = [{"room": stop} for stop in ROOMS]
    stops[0]["next"] = {"overcome": "three", "inert": "four"}
    cards = [BITE, strike("hex", "visitor", target="veil"), strike("stare", "visitor", target="presence")]
    arena = gauntlet(visitor=cards, stops=stops)
    strike_down(arena, side, name, resource)
    assert arena.encounter.room == room
    assert points(arena, "dungeon") == [20, 20, 20]


def test_a_bond_may_be_routed_elsewhere() -> None:
    stops = [{"room": "one", "next": {"bond": "three"}}, {"room": "two"}, {"room": "three"}]
    arena = gauntlet(stops=stops)
    bond(arena)
    assert arena.encounter.room == "three"
    assert [int(arena.state["room_path"][k]) for k in range(2)] == [0, 2]


def test_a_route_may_end_the_run() -> None:
    stops = [{"room": "one", "next": {"overcome": "end"}}, {"room": "two"}]
    arena = gauntlet(visitor=[BITE], stops=stops)
    strike_down(arena, "visitor", "bite", "structure")
    outcome = arena.encounter.outcome
    assert outcome is not None
    assert (outcome.kind, [room for room, _, _ in outcome.rooms]) == ("overcome", ["one"])


def test_a_route_leads_forward_only() -> None:
    fields = {"id": "loop", "title": "Loop", "dungeon": "verdant_maw", "creature": "thornback_boar"}
    stops = [{"room": "root_hollow"}, {"room": "living_root_sanctuary", "next": {"bond": "root_hollow"}}]
    with pytest.raises(ValidationError, match="must name a later room"):
        Scenario.model_validate(fields | {"rooms": stops})


@pytest.mark.parametrize(("resource", "outcome"), [("vitality", "kill"), ("resolve", "break"), ("nerve", "panic")])
def test_kill_break_and_panic_end_the_run_in_any_room(resource: str, outcome: str) -> None:
    arena = gauntlet(strike("blow", target=resource), rooms=3)
    outlast(arena)
    strike_down(arena, "dungeon", "blow", resource)
    found = arena.encounter.outcome
    assert found is not None
    assert (found.kind, found.winner) == (outcome, "dungeon")
    assert [(room, how) for room, how, _ in found.rooms] == [("one", "survive"), ("two", outcome)]


@pytest.mark.parametrize("outcome", ["kill", "break", "panic"])
def test_no_route_leads_on_from_the_visitors_fall(outcome: str) -> None:
    fields = {"id": "on", "title": "On", "dungeon": "verdant_maw", "creature": "thornback_boar"}
    stops = [{"room": "root_hollow", "next": {outcome: "end"}}, {"room": "living_root_sanctuary"}]
    with pytest.raises(ValidationError, match="ends the run"):
        Scenario.model_validate(fields | {"rooms": stops})


def test_the_runs_outcome_is_the_last_rooms() -> None:
    arena = gauntlet(visitor=[BITE, strike("hex", "visitor", target="veil")])
    strike_down(arena, "visitor", "bite", "structure")
    assert arena.encounter.room == "two"
    strike_down(arena, "visitor", "hex", "veil")
    outcome = arena.encounter.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.winner) == ("inert", "visitor")
    assert [how for _, how, _ in outcome.rooms] == ["overcome", "inert"]


def test_outlasting_the_last_room_is_survive() -> None:
    arena = gauntlet(rooms=4)
    for room in ROOMS:
        assert arena.encounter.room == room
        outlast(arena)
    outcome = arena.encounter.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.winner) == ("survive", "visitor")
    assert outcome.rooms == tuple((room, "survive", 1) for room in ROOMS)
    assert outcome.rounds == 4


def test_a_room_is_outlasted_at_the_end_of_its_last_round() -> None:
    arena = gauntlet(stops=[{"room": "one", "round_limit": 3}, {"room": "two"}])
    for number in (1, 2, 3):
        assert (arena.encounter.room, arena.encounter.round) == ("one", number)
        arena.end_round()
    assert arena.encounter.room == "two"


@pytest.mark.parametrize("rooms", [0, 5])
def test_a_run_has_one_to_four_rooms(rooms: int) -> None:
    names = ["root_hollow", "living_root_sanctuary", "a_room", "b_room", "c_room"][:rooms]
    fields = {"id": "long", "title": "Long", "dungeon": "verdant_maw", "creature": "thornback_boar"}
    with pytest.raises(ValidationError, match="rooms"):
        Scenario.model_validate(fields | {"rooms": [{"room": name} for name in names]})


def test_rooms_of_a_run_are_all_different() -> None:
    fields = {"id": "twice", "title": "Twice", "dungeon": "verdant_maw", "creature": "thornback_boar"}
    with pytest.raises(ValidationError, match="rooms must be different"):
        Scenario.model_validate(fields | {"rooms": [{"room": "root_hollow"}, {"room": "root_hollow"}]})


def test_whoever_retreats_ends_the_run_as_fled_and_nobody_has_won_it() -> None:
    arena = gauntlet(retreat=True, stops=[{"room": "one"}, {"room": "two"}])
    arena.end_round()
    arena.turn("visitor")
    assert "retreat" not in arena.legal()
    arena.end_round()
    arena.turn("visitor")
    assert arena.encounter.round == 3
    arena.act("retreat")
    outcome = arena.encounter.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.winner, outcome.rooms) == ("fled", "nobody", (("one", "fled", 3),))


def test_without_the_scenarios_leave_nobody_retreats() -> None:
    arena = gauntlet(stops=[{"room": "one"}, {"room": "two"}])
    arena.end_round()
    arena.end_round()
    arena.turn("visitor")
    assert "retreat" not in arena.legal()


def test_an_entangled_visitor_cannot_retreat_in_its_next_turn() -> None:
    net = strike("net", power=1, keywords=["entangle"])
    arena = gauntlet(net, retreat=True, stops=[{"room": "one"}, {"room": "two"}])
    arena.state["round_no"] = 5
    arena.turn("dungeon", hand=["net"])
    arena.dice("strong")
    arena.act("strike net", "end")
    arena.turn("visitor")
    assert "retreat" not in arena.legal()
    arena.act("end")
    arena.turn("visitor")
    assert "retreat" in arena.legal()


def test_escalation_counts_the_rounds_of_each_room() -> None:
    arena = gauntlet(stops=[{"room": "one", "round_limit": 2}, {"room": "two"}], rules={"escalation_from": 2})
    arena.end_round()
    assert points(arena, "visitor") == [19, 20, 20]
    outlast(arena)
    assert (arena.encounter.room, points(arena, "visitor")) == ("two", [19, 20, 20])
    assert points(arena, "dungeon") == [20, 20, 20]


def test_every_room_begins_with_a_hand_of_seven() -> None:
    arena = gauntlet(visitor=[card("empower", "roar", "visitor", power=1)])
    arena.turn("visitor", hand=["roar"])
    arena.act("empower roar")
    arena.end_round()
    assert [int(arena.side(side)["hand_size"]) for side in ("dungeon", "visitor")] == [7, 7]
    assert [int(arena.side(side)["discard_size"]) for side in ("dungeon", "visitor")] == [0, 0]
