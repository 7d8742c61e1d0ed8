"""Offers as transactions: benefit, cost, investment; tiers and what they hide; debts; Traps [Bond 3, 4]."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.encounters.observation import observe
from tests.encounters.arena import Arena, card, offer, strike


def arena_with(*cards: dict[str, Any], **options: Any) -> Arena:
    """It is the dungeon's turn, with exactly these cards in hand; the visitor has lost a little of everything."""
    arena = Arena(dungeon=list(cards), **options)
    arena.turn("dungeon", hand=[entry["id"] for entry in cards])
    arena.set(vitality=10, resolve=10, nerve=10)
    return arena


def reducers(arena: Arena) -> tuple[int, int, int]:
    return arena.reducer("vitality"), arena.reducer("resolve"), arena.reducer("nerve")


# --- benefit, cost, investment ----------------------------------------------------------------------------------------


def test_an_accepted_offer_heals_charges_and_builds_trust() -> None:
    arena = arena_with(offer("gift"))
    arena.act("offer gift", "accept")
    assert reducers(arena) == (10, 9, 13)
    assert arena.trust() == 1
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("turn", "dungeon")


def test_a_refused_offer_neither_heals_nor_charges() -> None:
    arena = arena_with(offer("gift"))
    arena.act("offer gift", "refuse")
    assert reducers(arena) == (10, 10, 10)


def test_an_offer_waits_for_the_other_side() -> None:
    arena = arena_with(offer("gift"))
    arena.act("offer gift")
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("offer", "visitor")
    assert arena.legal() == ["accept", "refuse"]
    assert reducers(arena) == (10, 10, 10)


@pytest.mark.parametrize(("energy", "playable"), [(1, False), (2, True)])
def test_an_offer_costs_the_offerer_energy(energy: int, playable: bool) -> None:
    arena = arena_with(offer("gift", cost=2))
    arena.side("dungeon")["energy"] = energy
    assert ("offer gift" in arena.legal()) is playable
    if playable:
        arena.act("offer gift", "refuse")
        assert arena.side("dungeon")["energy"] == 0


def test_a_benefit_never_heals_beyond_the_start() -> None:
    arena = arena_with(offer("gift"))
    arena.set(nerve=19)
    arena.act("offer gift", "accept")
    assert arena.reducer("nerve") == 20


def test_a_benefit_for_the_weakest_goes_by_share() -> None:
    arena = arena_with(offer("gift", benefit={"resource": "weakest", "amount": 3}), vitality=(40,))
    arena.set(vitality=15, resolve=10, nerve=12)
    arena.act("offer gift", "accept")
    assert reducers(arena) == (18, 9, 12)


def test_a_benefit_may_be_ward_and_cards() -> None:
    arena = arena_with(offer("gift", benefit={"ward": 3, "draw": 2}))
    held = int(arena.side("visitor")["hand_size"])
    arena.act("offer gift", "accept")
    assert arena.side("visitor")["ward"] == 3
    assert arena.side("visitor")["hand_size"] == held + 2


@pytest.mark.parametrize("trust", [0, 1, 2])
def test_the_investment_is_the_trust_on_the_card(trust: int) -> None:
    arena = arena_with(offer("gift", trust=trust))
    arena.act("offer gift", "accept")
    assert arena.trust() == trust


# --- the five costs ---------------------------------------------------------------------------------------------------


def test_a_flat_cost_is_taken_at_once_and_past_every_guard() -> None:
    arena = arena_with(offer("gift", price={"type": "flat", "resource": "resolve", "amount": 2}))
    arena.side("visitor")["ward"] = 5
    arena.side("visitor")["fortify"][1] = 5
    arena.act("offer gift", "accept")
    assert arena.reducer("resolve") == 8
    assert arena.side("visitor")["ward"] == 5
    arena.end_round()
    assert arena.reducer("resolve") == 8


def test_mossy_rest_binds_one_resolve_for_two_rounds_and_is_gone() -> None:
    rest = offer("mossy_rest", price={"type": "binding", "resource": "resolve", "amount": 1, "rounds": 2})
    arena = arena_with(rest)
    arena.act("offer mossy_rest", "accept")
    found = [arena.reducer("resolve")]
    for _ in range(4):
        arena.end_round()
        found.append(arena.reducer("resolve"))
    assert found == [10, 9, 8, 8, 8]
    assert arena.reducer("nerve") == 13


def test_two_bindings_are_due_together() -> None:
    price = {"type": "binding", "resource": "resolve", "amount": 2, "rounds": 3}
    arena = arena_with(offer("one", price=price), offer("two", price=price | {"amount": 1, "rounds": 1}))
    arena.act("offer one", "accept", "offer two", "accept")
    found = []
    for _ in range(4):
        arena.end_round()
        found.append(arena.reducer("resolve"))
    assert found == [7, 5, 3, 3]


def test_exposure_adds_to_the_next_strike_of_its_type_only() -> None:
    gift = offer("gift", price={"type": "exposure", "amount": 2, "strike_type": "physical"})
    blow, word = strike("blow", power=3), strike("word", power=3, type="social", target="resolve")
    arena = arena_with(gift, word, blow, strike("kick", power=3))
    arena.act("offer gift", "accept")
    assert reducers(arena) == (10, 10, 13)
    arena.dice("strong", "strong", "strong")
    arena.act("strike word")
    assert arena.reducer("resolve") == 7
    arena.act("strike blow")
    assert arena.reducer("vitality") == 5
    arena.act("strike kick")
    assert arena.reducer("vitality") == 2
    arena.dice_used()


def test_a_missed_strike_uses_the_exposure_up() -> None:
    gift = offer("gift", price={"type": "exposure", "amount": 2, "strike_type": "physical"})
    arena = arena_with(gift, strike("blow", power=3), strike("kick", power=3))
    arena.act("offer gift", "accept")
    arena.dice("stalemate", "strong")
    arena.act("strike blow", "strike kick")
    assert arena.reducer("vitality") == 7


@pytest.mark.parametrize(("tier", "back"), [("partial", 1), ("stalemate", 2), ("reversal", 3)])
@pytest.mark.parametrize("base", [2, 0])
def test_an_exposure_does_not_make_a_reversal_worse(base: int, tier: str, back: int) -> None:
    gift = offer("gift", price={"type": "exposure", "amount": 4, "strike_type": "physical"})
    for given in (False, True):
        arena = arena_with(gift, strike("blow", power=2), rules={"reversal_base": base})
        if given:
            arena.act("offer gift", "accept")
        arena.dice(tier)
        arena.act("strike blow")
        assert 20 - arena.reducer("structure") == back


@pytest.mark.parametrize(("tier", "dealt"), [("devastating", 5 + 2), ("strong", 3 + 2), ("partial", 2 + 2)])
def test_an_exposure_adds_to_the_damage_and_not_to_the_power(tier: str, dealt: int) -> None:
    gift = offer("gift", price={"type": "exposure", "amount": 2, "strike_type": "physical"})
    arena = arena_with(gift, strike("blow", power=3))
    arena.act("offer gift", "accept")
    arena.dice(tier)
    arena.act("strike blow")
    assert 10 - arena.reducer("vitality") == dealt


def test_exposures_of_one_type_add_up() -> None:
    price = {"type": "exposure", "amount": 2, "strike_type": "physical"}
    arena = arena_with(offer("one", price=price), offer("two", price=price), strike("blow", power=3))
    arena.act("offer one", "accept", "offer two", "accept")
    arena.dice("strong")
    arena.act("strike blow")
    assert arena.reducer("vitality") == 3


def test_extracted_insight_counts_from_the_next_roll_on() -> None:
    gift = offer("gift", price={"type": "extraction", "amount": 2, "effect": "insight"})
    totals = []
    for answer in ("refuse", "accept"):
        arena = arena_with(gift, strike("claw"))
        arena.act("offer gift", answer)
        arena.dice("strong")
        arena.act("strike claw")
        totals.append(arena.happened("strike_rolled")[-1])
    assert totals[1].attack == totals[0].attack + 2
    assert totals[1].defence == totals[0].defence


def test_an_extracted_reducer_and_its_start_grow() -> None:
    arena = arena_with(offer("gift", price={"type": "extraction", "amount": 2, "effect": "structure"}))
    arena.set(structure=11)
    arena.act("offer gift", "accept")
    assert arena.reducer("structure") == 13
    assert arena.side("dungeon")["starts"][0] == 22
    assert reducers(arena) == (10, 10, 13)


def test_extracted_energy_is_not_for_this_room() -> None:
    arena = arena_with(offer("gift", price={"type": "extraction", "amount": 1, "effect": "energy"}))
    before = int(arena.side("dungeon")["pool"]), int(arena.side("dungeon")["energy"])
    arena.act("offer gift", "accept")
    assert (arena.side("dungeon")["pool"], arena.side("dungeon")["energy"]) == before
    arena.end_round()
    assert arena.side("dungeon")["pool"] == before[0]


def test_vitality_a_visitor_extracts_belongs_to_a_member() -> None:
    gift = offer("gift", "visitor", price={"type": "extraction", "amount": 2, "effect": "vitality"})
    arena = Arena(visitor=[gift])
    arena.turn("visitor", hand=["gift"])
    arena.act("offer gift", "accept")
    assert arena.reducer("vitality") == 22
    assert (arena.member(0)["vitality"], arena.member(0)["start"]) == (22, 22)


def test_vitality_a_party_extracts_belongs_to_its_weakest_member() -> None:
    gift = offer("gift", "visitor", price={"type": "extraction", "amount": 2, "effect": "vitality"})
    arena = Arena(party=[[gift], [], [], []], vitality=(10, 10, 10, 10))
    arena.turn("visitor", hand=["gift"])
    arena.members(10, 10, 4, 10)
    arena.act("offer gift", "accept")
    assert [int(arena.member(seat)["vitality"]) for seat in range(4)] == [10, 10, 6, 10]
    assert [int(arena.member(seat)["start"]) for seat in range(4)] == [10, 10, 12, 10]
    assert (arena.reducer("vitality"), arena.side("visitor")["starts"][0]) == (36, 42)


DEPENDENCY = {"type": "dependency"}


def test_a_dependency_takes_twice_the_heal_when_trust_falls_below_what_it_was() -> None:
    arena = arena_with(offer("gift", price=DEPENDENCY), strike("claw"), strike("fang"), trust=2)
    arena.act("offer gift", "accept")
    assert (arena.reducer("nerve"), arena.trust()) == (13, 3)
    arena.dice("strong", "strong")
    arena.act("strike claw")
    assert (arena.reducer("nerve"), arena.trust()) == (13, 2)
    arena.act("strike fang")
    assert (arena.reducer("nerve"), arena.trust()) == (7, 1)


@pytest.mark.parametrize(("nerve", "healed"), [(17, 3), (18, 2), (19, 1)])
def test_a_dependency_stakes_twice_what_was_really_healed(nerve: int, healed: int) -> None:
    arena = arena_with(offer("gift", price=DEPENDENCY, trust=0), strike("claw"), trust=1)
    arena.set(nerve=nerve)
    arena.act("offer gift", "accept")
    assert arena.reducer("nerve") == nerve + healed
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("nerve") == nerve + healed - 2 * healed


def test_a_dependency_that_healed_nothing_is_no_debt() -> None:
    arena = arena_with(offer("gift", price=DEPENDENCY, trust=0), strike("claw"), trust=1)
    arena.set(nerve=20)
    arena.act("offer gift", "accept")
    assert arena.happened("dependency_laid") == []
    arena.dice("strong")
    arena.act("strike claw")
    assert (arena.reducer("nerve"), arena.happened("dependency_broke")) == (20, [])


def test_a_dependency_breaks_once() -> None:
    strikes = [strike(name) for name in ("claw", "fang", "tail")]
    arena = arena_with(offer("gift", price=DEPENDENCY, trust=0), *strikes, trust=3)
    arena.act("offer gift", "accept")
    arena.dice("strong", "strong", "strong")
    arena.act("strike claw", "strike fang", "strike tail")
    assert arena.trust() == 0
    assert arena.reducer("nerve") == 7
    assert len(arena.happened("dependency_broke")) == 1


def test_a_dependency_rests_while_trust_holds() -> None:
    arena = arena_with(offer("gift", price=DEPENDENCY), trust=2)
    arena.act("offer gift", "accept")
    for _ in range(3):
        arena.end_round()
    assert (arena.reducer("nerve"), arena.trust()) == (13, 3)


def test_a_dependency_of_the_dungeon_breaks_too() -> None:
    gift = offer("gift", "visitor", price=DEPENDENCY, trust=0)
    arena = Arena(dungeon=[strike("claw")], visitor=[gift], trust=2)
    arena.turn("visitor", hand=["gift"])
    arena.set(presence=10)
    arena.act("offer gift", "accept")
    assert arena.reducer("presence") == 13
    arena.turn("dungeon", hand=["claw"])
    arena.dice("stalemate")
    arena.act("strike claw")
    assert arena.reducer("presence") == 7


# --- tiers ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trust", "tier"),
    [(0, 0), (2, 0), (2.5, 0), (3, 1), (5, 1), (5.5, 1), (6, 2), (8, 2), (8.5, 2), (9, 3), (12, 3)],
)
def test_trust_three_six_and_nine_begin_new_tiers(trust: float, tier: int) -> None:
    arena = arena_with()
    arena.set(trust=trust)
    assert observe(arena.encounter, "visitor")["trust_tier"] == tier


@pytest.mark.parametrize("trust", [0, 2])
def test_strangers_see_benefit_cost_and_investment(trust: int) -> None:
    arena = arena_with(offer("gift", price={"type": "flat", "resource": "resolve", "amount": 2}), trust=trust)
    arena.act("offer gift")
    shown = observe(arena.encounter, "visitor")["offer"]
    assert shown["benefit"] == {"resource": "nerve", "amount": 3}
    assert shown["cost"] == {"type": "flat", "resource": "resolve", "amount": 2}
    assert (shown["card"], shown["trust"]) == ("gift", 1)


@pytest.mark.parametrize("trust", [3, 5])
def test_the_familiar_see_benefit_and_investment_but_no_cost(trust: int) -> None:
    arena = arena_with(offer("gift", price={"type": "flat", "resource": "resolve", "amount": 2}), trust=trust)
    arena.act("offer gift")
    assert arena.encounter.decision is not None
    assert arena.encounter.decision.kind == "offer"
    shown = observe(arena.encounter, "visitor")["offer"]
    assert shown["benefit"] == {"resource": "nerve", "amount": 3}
    assert shown["trust"] == 1
    assert (shown["card"], shown["cost"]) == ("hidden", "hidden")
    assert "text" not in shown


@pytest.mark.parametrize("trust", [6, 8, 9, 12])
def test_from_trust_six_on_offers_are_accepted_unasked(trust: int) -> None:
    arena = arena_with(offer("gift"), trust=trust)
    arena.act("offer gift")
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("turn", "dungeon")
    assert reducers(arena) == (10, 8, 15)  # 3 for 1, and half as much again: 4.5 and 1.5, rounded half up
    assert arena.trust() == trust + 1
    assert arena.happened("offer_accepted")[-1].bound is True


@pytest.mark.parametrize(("percent", "healed", "paid"), [(100, 3, 2), (150, 5, 3), (200, 6, 4), (300, 9, 6)])
def test_what_binds_is_stronger_in_both_directions(percent: int, healed: int, paid: int) -> None:
    gift = offer("gift", price={"type": "flat", "resource": "resolve", "amount": 2})
    for trust, (more, less) in ((5, (3, 2)), (6, (healed, paid))):
        arena = arena_with(gift, trust=trust, rules={"binding_percent": percent})
        arena.act("offer gift")
        if trust == 5:
            arena.act("accept")
        assert reducers(arena) == (10, 10 - less, 10 + more)


def test_binding_scales_every_kind_of_benefit_and_cost_but_cards_and_rounds() -> None:
    def bound(price: dict[str, Any], **benefit: Any) -> Arena:
        arena = arena_with(offer("gift", benefit=benefit or {"draw": 2}, price=price), trust=6)
        held = int(arena.side("visitor")["hand_size"])
        arena.act("offer gift")
        assert int(arena.side("visitor")["hand_size"]) - held == (0 if benefit else 2)
        return arena

    exposure = {"type": "exposure", "amount": 2, "strike_type": "physical"}
    assert int(bound(exposure).side("visitor")["exposure"][0]) == 3
    assert int(bound(exposure, ward=2).side("visitor")["ward"]) == 3
    extraction = {"type": "extraction", "amount": 2, "effect": "veil"}
    assert int(bound(extraction).side("dungeon")["starts"][1]) == 23
    arena = bound({"type": "binding", "resource": "resolve", "amount": 2, "rounds": 2})
    lost = []
    for _ in range(3):
        arena.end_round()
        lost.append(10 - arena.reducer("resolve"))
    assert lost == [3, 6, 6]


def test_a_binding_dependency_stakes_twice_what_it_really_healed() -> None:
    arena = arena_with(offer("gift", price=DEPENDENCY, trust=0), strike("claw"), trust=6)
    arena.act("offer gift")
    assert arena.reducer("nerve") == 15
    arena.set(resolve=2)  # where the betrayal goes
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("nerve") == 15 - 2 * 5


def test_neither_a_covenant_nor_a_visitors_offer_is_stronger_for_being_trusted() -> None:
    pact = offer("pact", covenant=True, price={"type": "flat", "resource": "resolve", "amount": 2})
    arena = arena_with(pact, trust=9)
    arena.act("offer pact", "accept")
    assert [(e.reducer, e.points) for e in arena.happened("hurt")[-1:]] == [("resolve", 2)]
    assert [(e.reducer, e.points) for e in arena.happened("healed")[-1:]] == [("nerve", 3)]
    arena = Arena(visitor=[offer("alms", "visitor")], trust=9)
    arena.turn("visitor", hand=["alms"])
    arena.set(presence=10, veil=10)
    arena.act("offer alms", "accept")
    assert (arena.reducer("presence"), arena.reducer("veil")) == (13, 9)


@pytest.mark.parametrize("trust", [0, 5])
def test_below_trust_six_offers_can_be_refused(trust: int) -> None:
    arena = arena_with(offer("gift"), trust=trust)
    arena.act("offer gift")
    assert arena.legal() == ["accept", "refuse"]


def test_an_accepted_veiled_offer_is_turned_over() -> None:
    arena = arena_with(offer("gift"), trust=3)
    arena.act("offer gift", "accept")
    assert observe(arena.encounter, "visitor")["opponent"]["discard"] == ["gift"]


@pytest.mark.parametrize("trust", [0, 3, 6, 9])
def test_a_visitors_offer_is_open_and_asked_at_every_tier(trust: int) -> None:
    arena = Arena(visitor=[offer("alms", "visitor")], trust=trust)
    arena.turn("visitor", hand=["alms"])
    arena.act("offer alms")
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("offer", "dungeon")
    shown = observe(arena.encounter, "dungeon")["offer"]
    assert shown["card"] == "alms"
    assert shown["cost"] == {"type": "flat", "resource": "veil", "amount": 1}


def test_a_visitors_offer_heals_and_charges_the_dungeon() -> None:
    arena = Arena(visitor=[offer("alms", "visitor")])
    arena.turn("visitor", hand=["alms"])
    arena.set(presence=10, veil=10)
    arena.act("offer alms", "accept")
    assert (arena.reducer("presence"), arena.reducer("veil"), arena.trust()) == (13, 9, 1)


# --- trust from refusals, and its cap ---------------------------------------------------------------------------------


def test_two_refusals_make_one_point_of_trust() -> None:
    arena = arena_with(offer("one"), offer("two"))
    arena.act("offer one", "refuse")
    assert arena.trust() == 0.5
    arena.act("offer two", "refuse")
    assert arena.trust() == 1


@pytest.mark.parametrize(("trust", "gain"), [(0, 0.5), (2.5, 0.5), (3, 0), (5.5, 0)])
def test_a_refused_offer_from_a_familiar_dungeon_gives_no_trust(trust: float, gain: float) -> None:
    arena = arena_with(offer("gift"))
    arena.set(trust=trust)
    arena.act("offer gift", "refuse")
    assert arena.trust() == trust + gain


@pytest.mark.parametrize(("trust", "gain"), [(0, 0.5), (2, 0.5), (3, 0), (6, 0), (9, 0)])
def test_a_visitors_refused_offer_gives_half_a_point_among_strangers_alone(trust: float, gain: float) -> None:
    arena = Arena(visitor=[offer("alms", "visitor")])
    arena.turn("visitor", hand=["alms"])
    arena.set(trust=trust)
    arena.act("offer alms", "refuse")
    assert arena.trust() == trust + gain


def test_half_points_lift_trust_into_the_next_tier() -> None:
    arena = arena_with(offer("one"), offer("two"), offer("three"), trust=2)
    arena.act("offer one", "refuse", "offer two", "refuse")
    assert arena.trust() == 3
    arena.act("offer three")
    assert observe(arena.encounter, "visitor")["offer"]["cost"] == "hidden"


def test_a_betrayed_visitor_refuses_unasked_and_trust_stays_down() -> None:
    arena = arena_with(strike("claw"), offer("gift"), trust=4)
    arena.dice("strong")
    arena.act("strike claw")
    before = reducers(arena)
    arena.act("offer gift")
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("turn", "dungeon")
    assert arena.happened("offer_refused")[-1].unheard is True
    assert (reducers(arena), arena.trust()) == (before, 0)


def test_a_side_adds_at_most_two_trust_a_round() -> None:
    arena = arena_with(*(offer(name) for name in ("one", "two", "three")))
    arena.act("offer one", "accept", "offer two", "accept", "offer three", "accept")
    assert arena.trust() == 2
    arena.end_round()
    arena.turn("dungeon", hand=["one"])
    arena.act("offer one", "accept")
    assert arena.trust() == 3


def test_the_cap_counts_half_points() -> None:
    arena = arena_with(offer("one"), offer("two", trust=2))
    arena.act("offer one", "refuse", "offer two", "accept")
    assert arena.trust() == 2


def test_each_side_has_a_cap_of_its_own() -> None:
    arena = Arena(dungeon=[offer("gift", trust=3)], visitor=[offer("alms", "visitor", trust=3)])
    arena.side("visitor")["initiative"], arena.side("dungeon")["initiative"] = 12, 2
    arena.end_round()
    arena.turn("visitor", hand=["alms"])
    arena.act("offer alms", "accept")
    assert (arena.trust(), arena.encounter.round) == (2, 2)
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift", "accept")
    assert (arena.trust(), arena.encounter.round) == (4, 2)


# --- debts that find no place -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "price",
    [{"type": "binding", "resource": "resolve", "amount": 1, "rounds": 2}, DEPENDENCY],
    ids=["binding", "dependency"],
)
def test_a_fifth_lasting_debt_cannot_be_offered(price: dict[str, Any]) -> None:
    lasting = [offer(f"debt_{k}", price=price, trust=0) for k in range(5)]
    arena = arena_with(*lasting, offer("gift"))
    for k in range(4):
        arena.act(f"offer debt_{k}", "accept")
    assert "offer debt_4" not in arena.legal()
    assert "offer gift" in arena.legal()
    with pytest.raises(Exception, match="lasting debts"):
        arena.act("offer debt_4")


def test_bindings_and_dependencies_have_places_of_their_own() -> None:
    price = {"type": "binding", "resource": "resolve", "amount": 1, "rounds": 2}
    arena = arena_with(*(offer(f"debt_{k}", price=price) for k in range(4)), offer("other", price=DEPENDENCY))
    for k in range(4):
        arena.act(f"offer debt_{k}", "accept")
    assert "offer other" in arena.legal()


def test_a_binding_that_ran_out_makes_room() -> None:
    price = {"type": "binding", "resource": "resolve", "amount": 1, "rounds": 1}
    arena = arena_with(*(offer(f"debt_{k}", price=price) for k in range(5)))
    for k in range(4):
        arena.act(f"offer debt_{k}", "accept")
    arena.end_round()
    arena.turn("dungeon", hand=["debt_4"])
    assert "offer debt_4" in arena.legal()


# --- Traps ------------------------------------------------------------------------------------------------------------

SNARE = card("trap", "snare", "dungeon", springs="offer_accepted", target="vitality", power=2)


def test_accepting_an_offer_springs_the_offerers_trap() -> None:
    arena = arena_with(SNARE, offer("gift"))
    arena.act("trap snare", "offer gift", "accept")
    assert reducers(arena) == (8, 9, 13)
    assert arena.side("dungeon")["trap_count"] == 0


def test_refusing_an_offer_leaves_the_trap_laid() -> None:
    arena = arena_with(SNARE, offer("gift"))
    arena.act("trap snare", "offer gift", "refuse")
    assert reducers(arena) == (10, 10, 10)
    assert arena.side("dungeon")["trap_count"] == 1


def test_a_binding_offer_springs_the_trap_as_well() -> None:
    arena = arena_with(SNARE, offer("gift"), trust=6)
    arena.act("trap snare", "offer gift")
    assert reducers(arena) == (8, 8, 15)  # the Offer is half as much again, the Trap is as it is


def test_the_benefit_comes_before_the_trap() -> None:
    ward = offer("gift", benefit={"ward": 2}, price={"type": "flat", "resource": "resolve", "amount": 1})
    arena = arena_with(SNARE, ward)
    arena.act("trap snare", "offer gift", "accept")
    assert arena.reducer("vitality") == 10
    assert arena.side("visitor")["ward"] == 0


def test_a_trap_against_offers_springs_before_the_answer() -> None:
    snare = card("trap", "wary", "visitor", springs="offer", target="structure", power=2)
    arena = Arena(dungeon=[offer("gift")], visitor=[snare])
    arena.turn("visitor", hand=["wary"])
    arena.act("trap wary")
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift")
    assert arena.reducer("structure") == 18
    assert arena.legal() == ["accept", "refuse"]
