"""Strikes: tiers, reversal damage, rally, attributes, advantage, self-cost, exhaust, aim [GDD 4.9], E10–E11, E22."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cartomancer.content.models.encounter import Attributes, Scenario
from cartomancer.encounters.packing import pack_scenario
from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, card, strike

NO_RALLY = {"rally": 0}


@pytest.mark.parametrize(
    ("tier", "dealt", "taken", "own"),
    [
        ("devastating", 5, 0, 0),
        ("strong", 3, 0, 0),
        ("partial", 2, 1, 2),
        ("stalemate", 0, 2, 3),
        ("reversal", 0, 3, 5),
    ],
)
@pytest.mark.parametrize("base", [2, 0])
def test_a_strike_of_three_hurts_both_sides_by_its_tier(base: int, tier: str, dealt: int, taken: int, own: int) -> None:
    """What comes back scales the rules' own base of 2, or where they name none the Strike's power."""
    taken = taken if base else own
    arena = Arena(dungeon=[strike("claw", power=3)], rules={"reversal_base": base})
    arena.turn("dungeon", hand=["claw"])
    arena.dice(tier)
    arena.act("strike claw")
    assert (20 - arena.reducer("vitality"), 20 - arena.reducer("structure")) == (dealt, taken)
    arena.dice_used()


# --- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "devastating", "partial"),
    [(1, 2, 1), (2, 3, 1), (3, 5, 2), (4, 6, 2), (5, 8, 3), (9, 14, 5)],
)
def test_damage_rounds_half_up_and_is_at_least_one(power: int, devastating: int, partial: int) -> None:
    dealt = []
    for tier in ("devastating", "partial"):
        arena = Arena(dungeon=[strike("claw", power=power)])
        arena.turn("dungeon", hand=["claw"])
        arena.dice(tier)
        arena.act("strike claw")
        dealt.append(20 - arena.reducer("vitality"))
    assert dealt == [devastating, partial]


@pytest.mark.parametrize(("tier", "taken"), [("partial", 1), ("stalemate", 1), ("reversal", 2)])
@pytest.mark.parametrize(("base", "power"), [(0, 1), (1, 9)])
def test_reversal_damage_of_one_is_never_rounded_away(base: int, power: int, tier: str, taken: int) -> None:
    arena = Arena(dungeon=[strike("claw", power=power)], rules={"reversal_base": base})
    arena.turn("dungeon", hand=["claw"])
    arena.dice(tier)
    arena.act("strike claw")
    assert 20 - arena.reducer("structure") == taken


@pytest.mark.parametrize("target", ["vitality", "resolve", "nerve"])
def test_a_strike_hurts_the_resource_it_names_and_no_other(target: str) -> None:
    arena = Arena(dungeon=[strike("claw", target=target, power=4)])
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    left = {name: arena.reducer(name) for name in ("vitality", "resolve", "nerve")}
    assert left == {"vitality": 20, "resolve": 20, "nerve": 20} | {target: 16}


# --- reversal damage -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tier", "taken"), [("partial", 1), ("stalemate", 2), ("reversal", 3)])
@pytest.mark.parametrize("power", [1, 2, 9])
def test_a_strikes_own_power_does_not_come_back(power: int, tier: str, taken: int) -> None:
    roar = card("empower", "roar", "dungeon", power=3)
    arena = Arena(dungeon=[strike("claw", power=power), roar])
    assert arena.codex.rules.reversal_base == 2
    arena.turn("dungeon", hand=["claw", "roar"])
    arena.dice(tier)
    arena.act("empower roar", "strike claw")
    assert 20 - arena.reducer("structure") == taken


@pytest.mark.parametrize(
    ("base", "tier", "taken"),
    [
        *((2, "partial", 1), (2, "stalemate", 2), (2, "reversal", 3)),
        *((0, "partial", 2), (0, "stalemate", 3), (0, "reversal", 5)),
    ],
)
@pytest.mark.parametrize(
    ("side", "target", "own"),
    [("dungeon", "nerve", ("structure", "veil", "presence")), ("visitor", "veil", ("vitality", "resolve", "nerve"))],
)
def test_reversal_damage_hits_the_strikers_primary_reducer(
    side: str, target: str, own: tuple[str, str, str], base: int, tier: str, taken: int
) -> None:
    cards = {side: [strike("claw", side, target=target, power=3)]}
    arena = Arena(rules={"reversal_base": base}, **cards)  # type: ignore[arg-type]
    arena.turn(side, hand=["claw"])
    arena.dice(tier)
    arena.act("strike claw")
    assert [20 - arena.reducer(name) for name in own] == [taken, 0, 0]


# --- rally -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tier", "won"), [("devastating", 1), ("strong", 1), ("partial", 0), ("stalemate", 0), ("reversal", 0)]
)
def test_rally_gives_back_one_point_on_strong_and_devastating_hits_only(tier: str, won: int) -> None:
    arena = Arena(dungeon=[strike("claw")])
    arena.turn("dungeon", hand=["claw"])
    arena.set(presence=5)
    arena.dice(tier)
    arena.act("strike claw")
    assert arena.reducer("presence") == 5 + won
    assert len(arena.happened("rallied")) == won


def test_rally_finds_the_lowest_share_not_the_fewest_points() -> None:
    arena = Arena(dungeon=[strike("claw")], veil=10)
    arena.turn("dungeon", hand=["claw"])
    arena.set(structure=9, veil=5)  # 45 % of 20, 50 % of 10
    arena.dice("strong")
    arena.act("strike claw")
    assert (arena.reducer("structure"), arena.reducer("veil")) == (10, 5)


def test_rally_takes_the_first_of_equally_weak_reducers() -> None:
    arena = Arena(visitor=[strike("tusk", "visitor")])
    arena.turn("visitor", hand=["tusk"])
    arena.set(resolve=8, nerve=8)
    arena.dice("strong")
    arena.act("strike tusk")
    assert (arena.reducer("resolve"), arena.reducer("nerve")) == (9, 8)


def test_rally_never_heals_above_the_start() -> None:
    arena = Arena(dungeon=[strike("claw")])
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert [arena.reducer(name) for name in ("structure", "veil", "presence")] == [20, 20, 20]
    assert arena.happened("rallied") == []


def test_a_clean_roll_that_guards_stop_entirely_does_not_rally() -> None:
    arena = Arena(dungeon=[strike("claw", power=3)])
    arena.turn("dungeon", hand=["claw"])
    arena.set(presence=5)
    arena.side("visitor")["ward"] = 9
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("vitality") == 20
    assert arena.reducer("presence") == 5


# --- attributes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["physical", "social", "mystical", "environmental"])
@pytest.mark.parametrize(
    ("owner", "dealt"),
    [("dungeon", 5), ("visitor", 2)],  # strong (2 to 4) + 3 is devastating; strong − 3 is partial
)
def test_an_attribute_counts_in_contests_of_its_type(kind: str, owner: str, dealt: int) -> None:
    types = ("physical", "social", "mystical", "environmental")
    arena = Arena(dungeon=[strike(f"{name}_claw", type=name, power=3) for name in types])
    tables = arena.encounter.packed.tables
    here = tables["dungeon"]["rooms"][0]["attributes"]
    bonus = here if owner == "dungeon" else tables["visitor"]["member_attributes"][0]
    bonus[types.index(kind)] = 3
    for name in types:
        arena.turn("dungeon", hand=[f"{name}_claw"])
        arena.set(vitality=20)
        arena.dice("strong")
        arena.act(f"strike {name}_claw")
        assert 20 - arena.reducer("vitality") == (dealt if name == kind else 3)


def test_a_rooms_attributes_add_to_the_dungeons_own_and_end_at_its_door() -> None:
    codex = Arena(dungeon=[strike("claw")]).codex
    strong, weird = Attributes(physical=1, social=-1), Attributes(physical=2, mystical=3)
    codex = replace(
        codex,
        dungeons={"pit": codex.dungeons["pit"].model_copy(update={"attributes": strong})},
        rooms=codex.rooms | {"two": codex.rooms["two"].model_copy(update={"attributes": weird})},
    )
    stops = [{"room": "one", "round_limit": 1}, {"room": "two"}]
    fields = {"id": "arena", "title": "Arena", "dungeon": "pit", "creature": "guest", "rooms": stops}
    packed = pack_scenario(codex, Scenario.model_validate(fields))
    found = [[int(bonus) for bonus in packed.tables["dungeon"]["rooms"][k]["attributes"]] for k in range(2)]
    assert found == [[1, -1, 0, 0], [3, -1, 3, 0]]


# --- advantage and disadvantage --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("empowered", "disrupted", "dealt"),
    [(False, False, 2), (True, False, 3), (False, True, 0), (True, True, 2)],
    ids=["plain", "advantage", "disadvantage", "they cancel"],
)
def test_advantage_keeps_the_best_two_of_three_and_disadvantage_the_worst(
    empowered: bool, disrupted: bool, dealt: int
) -> None:
    arena = Arena(dungeon=[strike("claw", power=3)])
    arena.turn("dungeon", hand=["claw"])
    arena.side("dungeon")["empower_advantage"] = empowered
    arena.side("dungeon")["disadvantage"] = disrupted
    arena.dice_by_mode(plain="partial", advantage="strong", disadvantage="stalemate")
    arena.act("strike claw")
    assert 20 - arena.reducer("vitality") == dealt
    arena.dice_used()


def test_advantage_and_disadvantage_keep_two_of_three_dice() -> None:
    arena = Arena(dungeon=[strike("claw", power=3)] * 2)
    for field, tier in (("empower_advantage", "strong/advantage"), ("disadvantage", "strong/disadvantage")):
        arena.turn("dungeon", hand=["claw"])
        arena.set(vitality=20)
        arena.side("dungeon")[field] = 1
        arena.dice(tier)
        arena.act("strike claw")
        assert arena.reducer("vitality") == 17
        arena.dice_used()


# --- self-cost -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tier", ["devastating", "strong", "stalemate"])
def test_a_self_cost_is_paid_whether_the_strike_hits_or_not(tier: str) -> None:
    arena = Arena(dungeon=[strike("burst", self_cost={"resource": "veil", "amount": 2})], rules=NO_RALLY)
    arena.turn("dungeon", hand=["burst"])
    arena.dice(tier)
    arena.act("strike burst")
    assert arena.reducer("veil") == 18


@pytest.mark.parametrize(
    ("side", "resource"), [("dungeon", "structure"), ("dungeon", "veil"), ("visitor", "vitality"), ("visitor", "nerve")]
)
def test_a_self_cost_that_would_deplete_its_reducer_is_refused(side: str, resource: str) -> None:
    burst = strike("burst", side, self_cost={"resource": resource, "amount": 2})
    arena = Arena(dungeon=[burst]) if side == "dungeon" else Arena(visitor=[burst])
    arena.turn(side, hand=["burst"])
    arena.set(**{resource: 2})
    assert "strike burst" not in arena.legal()
    with pytest.raises(IllegalActionError, match="would cost the last of what it is paid with"):
        arena.act("strike burst")
    arena.set(**{resource: 3})
    assert "strike burst" in arena.legal()
    arena.dice("strong")
    arena.act("strike burst")
    assert arena.reducer(resource) == 2  # 3 − 2, and the rally


def test_no_guard_stops_a_self_cost() -> None:
    arena = Arena(dungeon=[strike("burst", self_cost={"resource": "veil", "amount": 2})], rules=NO_RALLY)
    arena.turn("dungeon", hand=["burst"])
    arena.side("dungeon")["ward"] = 5
    arena.side("dungeon")["fortify"][1] = 5
    arena.dice("strong")
    arena.act("strike burst")
    assert (arena.reducer("veil"), int(arena.side("dungeon")["ward"])) == (18, 5)


# --- exhaust ---------------------------------------------------------------------------------------------------------


def piles(arena: Arena, side: str) -> list[str]:
    """The ids of all cards in a side's hand, draw pile and discard pile."""
    record, code = arena.side(side), ("dungeon", "visitor").index(side)
    found = [*record["hand"][: record["hand_size"]], *record["draw"][: record["draw_size"]]]
    found += [*record["discard"][: record["discard_size"]]]
    return [arena._card(code, int(instance)) for instance in found]


@pytest.mark.parametrize("tier", ["strong", "reversal"])
def test_an_exhausted_strike_leaves_the_piles_whether_it_hits_or_not(tier: str) -> None:
    arena = Arena(visitor=[strike("last", "visitor", exhaust=True), strike("tusk", "visitor")])
    arena.turn("visitor", hand=["last", "tusk"])
    arena.dice(tier, tier)
    arena.act("strike last", "strike tusk")
    assert "last" not in piles(arena, "visitor")
    assert piles(arena, "visitor").count("tusk") == 1


def test_an_exhausted_card_is_not_recycled_with_the_discards() -> None:
    arena = Arena(dungeon=[strike("last", exhaust=True), strike("claw")])
    arena.turn("dungeon", hand=["last", "claw"])
    arena.dice("strong", "strong")
    arena.act("strike last", "strike claw")
    arena.side("dungeon")["draw_size"] = 0  # the next draw must take the discards
    arena.end_round()
    assert piles(arena, "dungeon") == ["claw"]


def test_an_exhausted_card_is_missing_in_the_next_room() -> None:
    arena = Arena(
        visitor=[strike("last", "visitor", exhaust=True), strike("tusk", "visitor")],
        rooms=[{"room": "one"}, {"room": "two"}],
    )
    arena.turn("visitor", hand=["last", "tusk"])
    arena.dice("strong", "strong")
    arena.act("strike last", "strike tusk")
    arena.set(structure=0)
    arena.act("end")
    arena.settle()
    assert arena.encounter.room == "two"
    assert "last" not in piles(arena, "visitor")
    assert piles(arena, "visitor").count("tusk") == 1


# --- aim -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "names"),
    [("dungeon", ("vitality", "resolve", "nerve")), ("visitor", ("structure", "veil", "presence"))],
)
def test_a_chosen_target_is_asked_for_before_the_roll(side: str, names: tuple[str, str, str]) -> None:
    claw = strike("claw", side, target="chosen", power=3)
    for aimed in names:
        arena = Arena(dungeon=[claw]) if side == "dungeon" else Arena(visitor=[claw])
        arena.turn(side, hand=["claw"])
        arena.dice("strong")
        arena.act("strike claw")
        decision = arena.encounter.decision
        assert decision is not None
        assert (decision.kind, decision.side) == ("resource", side)
        assert arena.legal() == [f"→ {name}" for name in names]
        assert arena.happened("strike_rolled") == []
        arena.act(f"→ {aimed}")
        assert [20 - arena.reducer(name) for name in names] == [3 if name == aimed else 0 for name in names]


def test_a_strike_costs_its_energy_and_is_discarded() -> None:
    arena = Arena(dungeon=[strike("claw", cost=2)])
    arena.turn("dungeon", hand=["claw"], energy=3)
    arena.dice("strong")
    arena.act("strike claw")
    record = arena.side("dungeon")
    assert (int(record["energy"]), int(record["hand_size"]), int(record["discard_size"])) == (1, 0, 1)


def test_a_side_may_strike_as_often_as_it_can_pay() -> None:
    arena = Arena(dungeon=[strike("claw", cost=1, power=2)] * 3 + [card("energy", "spark", "dungeon", kind="standard")])
    arena.turn("dungeon", hand=["claw", "claw", "claw"], energy=2)
    arena.dice("strong", "strong")
    arena.act("strike claw", "strike claw")
    assert arena.reducer("vitality") == 16
    with pytest.raises(IllegalActionError, match="costs 1 energy, 0 left"):
        arena.act("strike claw")
