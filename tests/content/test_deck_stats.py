"""Counting decks: curve, categories against the composition table, keywords, Strikes, energy."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.deck_rules import COMPOSITION
from cartomancer.content.deck_stats import (
    KEYWORDS,
    all_deck_stats,
    by_category,
    card_facts,
    cards_of,
    holder_facts,
    holder_named,
    holders_of,
    keywords_of,
    pools_of,
    stats_named,
)
from cartomancer.content.models.cards import CARD, AnyCard
from cartomancer.content.models.encounter import Deck, Party, PartyClass
from cartomancer.errors import CartomancerError, UnknownNameError


def card(category: str, name: str = "mine", side: str = "dungeon", **fields: Any) -> AnyCard:
    action = {} if category == "energy" else {"type": "physical", "cost": 1}
    named = {"id": name, "title": name.capitalize(), "side": side, "category": category}
    made: AnyCard = CARD.validate_python({**named, **action, **fields})
    return made


NERVE, VEIL = {"resource": "nerve", "amount": 1}, {"resource": "veil", "amount": 1}
ROOT = card("energy", "root", kind="standard")
SIPHON = card("energy", "siphon", kind="siphon", condition={"when": "opponent_entangled"})
JAB = card("strike", "jab", cost=0, target="vitality", power=1, keywords=["entangle"])
GRIP = card(
    *("strike", "grip"), cost=3, target="nerve", power=4, trigger={"when": "opponent_entangled", "keywords": ["drain"]}
)
WILD = card("strike", "wild", cost=2, target="chosen", power=3, exhaust=True)
PACT = card(
    *("offer", "pact"), cost=4, covenant=True, benefit={"ward": 2}, price={"type": "binding", "rounds": 2, **NERVE}
)
CARDS = {one.id: one for one in (ROOT, SIPHON, JAB, GRIP, WILD, PACT)}


@pytest.fixture
def codex() -> Codex:
    """The shipped codex with a few cards, decks, classes and a party in the place of its own."""
    deck = Deck(
        id="few",
        title="Few",
        side="dungeon",
        identity="tactical",
        cards={"root": 2, "siphon": 1, "jab": 3, "grip": 1, "wild": 1, "pact": 2},
        waived=["strike"],
    )
    wanderers = deck.model_copy(update={"id": "pack", "side": "visitor", "identity": "visitor", "waived": []})
    fields = {"title": "T", "role": "flex", "focus": "dual", "resolve": 2, "nerve": 3}
    first = PartyClass(id="first", vitality=5, cards={"root": 1, "jab": 2}, **fields)
    second = PartyClass(id="second", vitality=7, cards={"root": 3, "wild": 1}, **fields)
    party = Party(id="four", title="Four", members=["first", "first", "second", "second"])
    return replace(
        load_codex(),
        cards=CARDS,
        decks={"few": deck, "pack": wanderers},
        classes={"first": first, "second": second},
        parties={"four": party},
    )


def test_the_curve_counts_copies_of_action_cards_by_cost(codex: Codex) -> None:
    stats = stats_named(codex, "few")
    assert (stats.size, stats.curve) == (10, (3, 0, 1, 1, 2))
    assert stats.mean_cost == round((2 + 3 + 2 * 4) / 7, 2)
    assert stats.energy_share == 0.3


def test_categories_are_held_against_the_row_of_the_identity(codex: Codex) -> None:
    found = stats_named(codex, "few").categories
    assert (found["strike"].count, found["strike"].allowed, found["strike"].verdict) == (5, (2, 3), "waived")
    assert (found["energy"].count, found["energy"].verdict) == (3, "in range")
    assert (found["offer"].count, found["offer"].allowed, found["offer"].verdict) == (2, (2, 3), "in range")
    assert (found["react"].count, found["react"].verdict) == (0, "out of range")


@pytest.mark.parametrize("name", ["pack", "first", "four"])
def test_visitors_have_no_row(codex: Codex, name: str) -> None:
    found = stats_named(codex, name).categories.values()
    assert all((one.allowed, one.verdict) == (None, None) for one in found)


def test_strike_power_is_summed_by_target(codex: Codex) -> None:
    assert stats_named(codex, "few").strike_power == {"vitality": 3, "resolve": 0, "nerve": 4, "chosen": 3}
    empty = codex.decks["few"].model_copy(update={"cards": {"root": 1}})
    bare = stats_named(replace(codex, decks={"few": empty}), "few")
    assert bare.strike_power == {"vitality": 0, "resolve": 0, "nerve": 0}
    assert (bare.mean_cost, bare.energy_share) == (0, 1)


def test_keywords_and_questions_are_counted_with_copies(codex: Codex) -> None:
    stats = stats_named(codex, "few")
    assert stats.keywords == {"entangle": 3, "drain": 1, "ward": 2, "exhaust": 1, "bound": 2}
    assert list(stats.keywords) == [name for name in KEYWORDS if name in stats.keywords]
    assert stats.asked == {"opponent_entangled": 2}


def test_a_party_is_its_members_decks_together(codex: Codex) -> None:
    party = codex.parties["four"]
    assert cards_of(codex, party) == {"root": 8, "jab": 4, "wild": 2}
    assert pools_of(codex, party) == {"vitality": 24, "resolve": 8, "nerve": 12}
    stats = stats_named(codex, "four")
    assert (stats.kind, stats.size, stats.curve) == ("party", 14, (4, 0, 2, 0, 0))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (ROOT, []),
        (
            card("empower", advantage=True, keywords=["piercing", "erode"], ward=1),
            ["erode", "piercing", "ward", "advantage"],
        ),
        (card("empower", power=1, trigger={"when": "trap_set", "advantage": True}), ["advantage"]),
        (
            card("disrupt", disadvantage=True, strip=True, randomise=True, thorns=NERVE),
            ["disadvantage", "thorns", "strip", "randomise"],
        ),
        (card("counter", entangle=True, fortify=VEIL), ["entangle", "fortify"]),
        (card("react", power=0, absorb=VEIL), ["fortify"]),
        (card("trap", springs="strike", target="nerve", erode="nerve", disadvantage=True), ["erode", "disadvantage"]),
        (card("reshape", ward=1, calm=2, fortify=VEIL, cleanse=True), ["ward", "fortify", "calm"]),
        (card("test", exposure=VEIL), []),
        (
            card("offer", benefit={"draw": 1}, price={"type": "exposure", "strike_type": "social", "amount": 1}),
            ["exposed"],
        ),
        (
            card("offer", benefit={"resource": "nerve", "amount": 1}, price={"type": "dependency"}),
            ["dependent"],
        ),
        (card("offer", benefit={"draw": 1}, price={"type": "flat", **NERVE}), []),
    ],
    ids=lambda value: value.category if hasattr(value, "category") else "",
)
def test_every_category_tells_its_keywords_and_conditions(made: AnyCard, expected: list[str]) -> None:
    assert keywords_of(made) == expected


def test_what_a_card_asks_about() -> None:
    assert {one.asks().when for one in (SIPHON, GRIP)} == {"opponent_entangled"}
    assert not any(one.asks() for one in (ROOT, JAB, card("test", exposure=VEIL)))


def test_the_facts_of_a_holder_list_its_cards_by_category(codex: Codex) -> None:
    deck = codex.decks["few"].model_copy(update={"core": ["jab"]})
    facts = holder_facts(codex, deck)
    assert [one["id"] for one in facts["cards"]] == ["jab", "wild", "grip", "pact", "root", "siphon"]
    assert [one["id"] for one in facts["cards"] if one["core"]] == ["jab"]
    assert facts["cards"][0]["copies"] == 3
    assert facts["categories"] == {"energy": 3, "strike": 5, "offer": 2}
    assert [one.id for one in by_category(codex, {"root": 1, "jab": 1})] == ["jab", "root"]


def test_the_facts_of_a_card_are_what_is_printed_on_it() -> None:
    facts = card_facts(WILD)
    assert (facts["type"], facts["cost"], facts["power"], facts["keywords"]) == ("physical", 2, 3, ["exhaust"])
    assert facts["text"].startswith("Strike a resource of your choice for 3.")
    assert (card_facts(ROOT)["cost"], card_facts(ROOT)["type"], card_facts(ROOT)["power"]) == (None, None, 0)


def test_holders_of_a_card_are_named_with_their_kind(codex: Codex) -> None:
    assert holders_of(codex, "jab") == {"deck:few": 3, "deck:pack": 3, "class:first": 2}


@pytest.mark.parametrize("name", ["few", "deck:few", "decks:few"])
def test_a_holder_is_found_by_id_or_kind_and_id(codex: Codex, name: str) -> None:
    found = holder_named(codex, name)
    assert (found.kind.name, found.entry.id) == ("deck", "few")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("fou", "did you mean 'four'"), ("deck:fewer", "did you mean 'deck:few'"), ("dek:few", "did you mean 'deck'")],
)
def test_an_unknown_holder_is_refused_with_the_nearest(codex: Codex, name: str, hint: str) -> None:
    with pytest.raises(UnknownNameError, match=hint):
        holder_named(codex, name)


def test_an_id_of_two_holders_must_be_told_apart(codex: Codex) -> None:
    two = replace(codex, classes={**codex.classes, "few": codex.classes["first"].model_copy(update={"id": "few"})})
    with pytest.raises(CartomancerError, match="say deck:few or class:few"):
        stats_named(two, "few")
    assert stats_named(two, "class:few").size == 3


# --- what is shipped --------------------------------------------------------------------------------------------------


def test_the_numbers_of_shipped_decks_add_up() -> None:
    codex = load_codex()
    for stats in all_deck_stats(codex):
        deck = codex.decks[stats.id]
        counts = {name: found.count for name, found in stats.categories.items()}
        assert stats.size == deck.size() == sum(counts.values()) == sum(stats.curve) + counts["energy"]
        assert stats.energy_share == pytest.approx(counts["energy"] / stats.size, abs=1e-4)
        verdicts = {name: found.verdict for name, found in stats.categories.items() if found.allowed}
        assert set(verdicts) == set(COMPOSITION.get(deck.identity, {}))
        assert {name for name, verdict in verdicts.items() if verdict != "in range"} == set(deck.waived)


def test_every_deck_is_counted() -> None:
    codex = load_codex()
    assert [stats.id for stats in all_deck_stats(codex)] == list(codex.decks)


def test_a_shipped_party_is_the_sum_of_its_classes() -> None:
    codex = load_codex()
    for party in codex.parties.values():
        together = stats_named(codex, f"party:{party.id}")
        members = [stats_named(codex, f"class:{name}") for name in party.members]
        assert together.size == sum(member.size for member in members)
        assert together.curve == tuple(map(sum, zip(*(member.curve for member in members), strict=True)))
        power = sum((Counter(member.strike_power) for member in members), Counter[str]())
        assert Counter(together.strike_power) == power
        keywords = sum((Counter(member.keywords) for member in members), Counter[str]())
        assert Counter(together.keywords) == keywords
