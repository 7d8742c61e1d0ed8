"""Accepting and cooperating: the documents' formulas and numbers [Bond 3.5, 6.2], E3, in choices and in frequencies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from tests.encounters.arena import Arena, card, offer
from tests.players.positions import CODEX, VISITORS, at, chosen, traced, turn_of

FALSE_ALARM = 1e-6
SEEDS = 3000
LOW, FINE = 7, 12  # of 20: below 40 %, and not
PACT = offer(
    "pact",
    covenant=True,
    benefit={"resource": "weakest", "full_restore": True},
    price={"type": "extraction", "amount": 2, "effect": "insight"},
    trust=3,
)
TRIAL = card("test", "trial", "dungeon", exposure={"resource": "presence", "amount": 1})


def gift(heal: int, price: int, trust: int = 1, **cost: Any) -> dict[str, Any]:
    """An Offer that heals nerve."""
    paid = cost or {"type": "flat", "resource": "resolve", "amount": price}
    return offer("gift", benefit={"resource": "nerve", "amount": heal}, price=paid, trust=trust)


def asked(entry: dict[str, Any], trust: int, low: int) -> Arena:
    """The visitor is asked about an Offer with so many reducers low; 8 nerve or more are missing."""
    arena = turn_of("dungeon", entry)
    arena.set(nerve=LOW if low > 0 else FINE, resolve=LOW if low > 1 else FINE, vitality=LOW if low > 2 else FINE)
    arena.set(trust=trust)
    arena.act(f"offer {entry['id']}")
    return arena


def own(visitor: str, entry: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """What a profile adds to the benefit, and to the threshold, in points."""
    profile = CODEX.profiles[visitor]
    return Fraction(profile.openness * entry["trust"], 1000), Fraction(profile.scepticism, 1000)


# --- Tier 0 and 1: by formula -----------------------------------------------------------------------------------------


@given(
    visitor=st.sampled_from(VISITORS),
    heal=st.integers(1, 8),
    price=st.integers(1, 6),
    low=st.integers(0, 3),
    trust=st.integers(0, 2),
    invested=st.integers(1, 2),
)
def test_a_transparent_trade_is_taken_if_its_net_passes_the_threshold_of_need(
    visitor: str, heal: int, price: int, low: int, trust: int, invested: int
) -> None:
    entry = gift(heal, price, invested)
    openness, scepticism = own(visitor, entry)
    threshold = max(Fraction(0), 2 - 3 * Fraction(low, 3)) + scepticism
    expected = "accept" if heal + openness - price > threshold else "refuse"
    assert chosen(asked(entry, trust, low), visitor=visitor) == expected


@given(
    visitor=st.sampled_from(VISITORS),
    heal=st.integers(1, 8),
    price=st.integers(1, 6),
    low=st.integers(0, 3),
    trust=st.integers(3, 5),
)
def test_a_veiled_offer_is_taken_if_its_benefit_times_belief_passes_the_risk(
    visitor: str, heal: int, price: int, low: int, trust: int
) -> None:
    entry = gift(heal, price)
    openness, scepticism = own(visitor, entry)
    belief = Fraction(30 + 8 * trust, 100)
    risk = Fraction(3, 2) - Fraction(low, 3) + scepticism
    expected = "accept" if (heal + openness) * belief > risk else "refuse"
    assert chosen(asked(entry, trust, low), visitor=visitor) == expected


@pytest.mark.parametrize(("trust", "belief"), [(3, 540), (4, 620), (5, 700)])
def test_belief_is_the_documents(trust: int, belief: int) -> None:
    """0.3 + 0.08 a point: the formula [Bond 3.5] gives 0.54 at trust 3, its prose says 0.4; both say 0.7 at 5."""
    thinking = CODEX.thinking
    assert thinking.trust_factor + thinking.trust_factor_step * trust == belief


@pytest.mark.parametrize("heal", [1, 2, 3, 4, 5])
def test_a_guest_whose_reducers_are_all_low_takes_any_trade_that_gains(heal: int) -> None:
    """Three resources low: the threshold is 0."""
    for price in range(1, 6):
        answer = chosen(asked(gift(heal, price), 0, 3), visitor="cautious_explorer")
        assert answer == ("accept" if heal > price else "refuse")


def test_a_benefit_counts_no_more_than_is_missing() -> None:
    arena = turn_of("dungeon", gift(8, 1))
    arena.set(nerve=18)
    arena.act("offer gift")
    assert chosen(arena, visitor="cautious_explorer") == "refuse"  # 2 − 1 is not more than 2
    arena = turn_of("dungeon", gift(8, 1))
    arena.set(nerve=16)
    arena.act("offer gift")
    assert chosen(arena, visitor="cautious_explorer") == "accept"


@pytest.mark.parametrize(
    ("cost", "most"),
    [
        ({"type": "binding", "resource": "resolve", "amount": 1, "rounds": 3}, 5),  # every round counts
        ({"type": "exposure", "amount": 4, "strike_type": "physical"}, 4),  # half
        ({"type": "extraction", "amount": 4, "effect": "insight"}, 4),
        ({"type": "dependency"}, 4),  # half the heal: 5 − 2.5 > 2, 4 − 2 is not
    ],
)
def test_prices_of_other_kinds_are_reckoned_in_points(cost: dict[str, Any], most: int) -> None:
    for heal in range(most - 1, most + 3):
        answer = chosen(asked(gift(heal, 0, **cost), 0, 0), visitor="cautious_explorer")
        assert answer == ("accept" if heal > most else "refuse"), heal


@pytest.mark.parametrize("trust", [6, 7, 8])
@pytest.mark.parametrize("visitor", VISITORS)
def test_a_binding_offer_is_not_asked_about(visitor: str, trust: int) -> None:
    arena = asked(gift(1, 6), trust, 0)
    assert arena.encounter.decision is not None
    assert (arena.encounter.decision.kind, arena.encounter.decision.side) == ("turn", "dungeon")
    assert arena.reducer("resolve") == FINE - 9  # a price of 6, and half as much again: it binds


def test_a_dungeon_weighs_a_visitors_offer_the_same_way_and_sees_its_price() -> None:
    for trust in (0, 4, 8):
        for price in (1, 4):
            arena = turn_of(
                "visitor", offer("alms", "visitor", price={"type": "flat", "resource": "veil", "amount": price})
            )
            arena.set(presence=15, trust=trust)
            arena.act("offer alms")
            assert chosen(arena, dungeon="aggressive") == "refuse"  # 3 − 1 trust − 1 is not more than 2.5
            assert chosen(arena, dungeon="nurturing") == ("accept" if price == 1 else "refuse")  # 4.5 − price > 2


# --- the Covenant -----------------------------------------------------------------------------------------------------


def proposed(trust: int, low: int, struck: bool) -> Arena:
    arena = asked(PACT, trust, low)
    arena.side("dungeon")["strikes"] = int(struck)
    return arena


def chance_of_first(arena: Arena) -> int:
    return traced(arena, visitor="cooperative").row(0)["chance"]


@pytest.mark.parametrize(
    ("trust", "low", "struck", "chance"),
    [
        *((9, 0, False, 860), (10, 0, False, 900), (11, 0, False, 940), (12, 0, False, 980), (13, 0, False, 1000)),
        *((9, 0, True, 602), (10, 0, True, 630), (9, 1, False, 1000), (9, 1, True, 782), (9, 2, True, 963)),
        *((9, 3, True, 1000), (9, 3, False, 1000)),
    ],
)
def test_the_chance_to_accept_a_covenant(trust: int, low: int, struck: bool, chance: int) -> None:
    """(0.5 + 0.04 · trust) · (1 + 0.3 · low) · 0.7 after a Strike [Bond 6.2]."""
    exact = (0.5 + 0.04 * trust) * (1 + 0.3 * low) * (0.7 if struck else 1)
    found = chance_of_first(proposed(trust, low, struck))
    assert found == chance
    assert abs(found - min(1000, 1000 * exact)) < 1


def frequency(arena: Arena, visitor: str = "cooperative") -> int:
    """How often the first answer is given, over seeds."""
    players, fight, hits = at(arena, visitor=visitor), arena.encounter, 0
    first = fight.legal()[0]
    for seed in range(SEEDS):
        fight.seed = seed
        hits += players.choose(fight) == first
    return hits


def is_likely(hits: int, chance: float) -> bool:
    """Whether so many hits are no surprise at all, by the exact binomial distribution."""
    return bool(min(binom.cdf(hits, SEEDS, chance), binom.sf(hits - 1, SEEDS, chance)) > FALSE_ALARM / 2)


@pytest.mark.parametrize(
    ("trust", "low", "struck", "chance"),
    [(9, 0, False, 0.86), (10, 0, False, 0.9), (9, 0, True, 0.602), (9, 1, True, 0.782)],
)
def test_covenants_are_accepted_as_often_as_that(trust: int, low: int, struck: bool, chance: float) -> None:
    hits = frequency(proposed(trust, low, struck))
    assert is_likely(hits, chance)
    assert not is_likely(hits, chance - 0.1)


def test_who_is_desperate_and_was_never_struck_always_accepts() -> None:
    assert frequency(proposed(9, 1, False)) == SEEDS


def test_every_visitor_accepts_covenants_alike() -> None:
    chances = {traced(proposed(9, 0, True), visitor=visitor).row(0)["chance"] for visitor in VISITORS}
    assert chances == {602}


def test_a_strike_in_this_room_is_remembered() -> None:
    arena = Arena(dungeon=[card("strike", "claw", "dungeon", target="vitality", power=2), PACT])
    arena.turn("dungeon", hand=["claw", "pact"])
    arena.act("strike claw")
    arena.set(trust=9, vitality=20, resolve=20, nerve=20)
    arena.act("offer pact")
    assert chance_of_first(arena) == 602


# --- Tests (E3) -------------------------------------------------------------------------------------------------------


def on_trial(trust: int) -> Arena:
    arena = turn_of("dungeon", TRIAL)
    arena.set(trust=trust)
    arena.act("test trial")
    return arena


@pytest.mark.parametrize("trust", range(14))
def test_the_chance_to_cooperate(trust: int) -> None:
    assert chance_of_first(on_trial(trust)) == min(850, 400 + 50 * trust)


@pytest.mark.parametrize("trust", [0, 4, 9, 12])
@pytest.mark.parametrize("visitor", ["cooperative", "feral_aggressive", "montecarlo@2"])
def test_tests_are_answered_as_often_as_that(trust: int, visitor: str) -> None:
    hits, chance = frequency(on_trial(trust), visitor), min(0.85, 0.4 + 0.05 * trust)
    assert is_likely(hits, chance)
    assert not is_likely(hits, chance + 0.1)


def test_half_a_point_of_trust_counts_for_nothing_yet() -> None:
    arena = on_trial(4)
    arena.state["trust"] = 9
    assert chance_of_first(arena) == 600
