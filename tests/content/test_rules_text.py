"""Rules text: every category and variant in words, and nothing that changes a card left out of its text."""

from __future__ import annotations

import contextlib
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel, ValidationError

from cartomancer.content.models.cards import CARD, CARD_MODELS, Card, Trap
from cartomancer.content.models.vocabulary import RESOURCES, Condition, ConditionName, Occasion
from cartomancer.content.rules_text import OCCASIONS, card_text
from cartomancer.content.toml_files import DATA

# Shown elsewhere on a card, or no rule at all.
NOT_IN_THE_TEXT = {"id", "title", "summary", "side", "category", "type", "cost"}


def card(category: str, side: str = "dungeon", **fields: Any) -> Card:
    """A card with a name, and a type and a cost where its category has them."""
    named: dict[str, Any] = {"id": "sample", "title": "Sample", "side": side, "category": category}
    if category != "energy":
        named |= {"type": "physical", "cost": 1}
    found: Card = CARD.validate_python(named | fields)
    return found


# --- every category and variant in words ----------------------------------------------------------------------------

ENTANGLED = {"when": "opponent_entangled"}
WOUNDED = {"when": "self_below", "value": 50}
NOURISHED = {"resource": "nerve", "amount": 3}
FLAT = {"type": "flat", "resource": "resolve", "amount": 2}

WORDED: list[tuple[Card, str]] = [
    # strikes
    (card("strike", target="nerve", power=2), "Strike nerve for 2."),
    (card("strike", "visitor", target="chosen", power=2), "Strike a resource of your choice for 2."),
    (
        card("strike", target="vitality", power=3, keywords=["entangle"], trigger=ENTANGLED | {"power": 2}),
        "Strike vitality for 3. On a hit: Entangle. If the visitor is Entangled: +2 power.",
    ),
    (
        card("strike", target="vitality", power=2, keywords=["piercing", "cleave"], exhaust=True),
        "Strike vitality for 2. Cleave and Piercing. Exhaust.",
    ),
    (
        card("strike", target="nerve", power=2, keywords=["overwhelm", "drain", "erode"]),
        "Strike nerve for 2. On a hit: Erode, Drain and Overwhelm.",
    ),
    (
        card(
            "strike",
            target="nerve",
            power=2,
            keywords=["erode", "drain", "overwhelm"],
            erode="resolve",
            drain_to="veil",
            spill_to="vitality",
        ),
        "Strike nerve for 2. On a hit: Erode resolve, Drain to veil and Overwhelm into vitality.",
    ),
    (
        card("strike", target="nerve", power=2, erode="resolve", trigger=WOUNDED | {"keywords": ["erode"]}),
        "Strike nerve for 2. If any of your reducers is below 50 %: Erode resolve.",
    ),
    (
        card("strike", "visitor", target="veil", power=4, self_cost={"resource": "nerve", "amount": 2}),
        "Strike veil for 4. You lose 2 nerve.",
    ),
    (
        card("strike", target="nerve", power=2, disadvantage=True, thorns={"resource": "resolve", "amount": 2}),
        "Strike nerve for 2. A hit makes the visitor's next Strike roll with disadvantage and cost it 2 resolve.",
    ),
    (
        card("strike", target="nerve", power=2, keywords=["erode"], strip=True, randomise=True, energy_loss=1),
        "Strike nerve for 2. On a hit: Erode. A hit makes the visitor's next Strike lose all keywords and "
        "hit a random resource. A hit costs the visitor 1 energy.",
    ),
    (
        card(
            *("strike", "visitor"),
            target="veil",
            power=2,
            ward=2,
            fortify={"resource": "nerve", "amount": 1, "rounds": 2},
            draw=1,
        ),
        "Strike veil for 2. A hit gives you Ward 2, Fortify nerve 1 for 2 rounds and 1 card.",
    ),
    (
        card("strike", "visitor", target="veil", power=2, reveal=2, peek=True, discard=1),
        "Strike veil for 2. On a hit, the dungeon shows its Traps, shows 2 cards of its hand and "
        "discards 1 random card.",
    ),
    # cards that pry
    (
        card("disrupt", disadvantage=True, reveal=1),
        "The visitor's next Strike rolls with disadvantage. The visitor shows 1 card of its hand.",
    ),
    (
        card("disrupt", "visitor", strip=True, peek=True, discard=2),
        "The dungeon's next Strike loses all keywords. The dungeon shows its Traps and discards 2 random cards.",
    ),
    (
        card("counter", "visitor", discard=1, peek=True),
        "Remove the dungeon's Empower, or else the Disrupt on you. "
        "The dungeon shows its Traps and discards 1 random card.",
    ),
    (
        card("counter", reveal=3),
        "Remove the visitor's Empower, or else the Disrupt on you. The visitor shows 3 cards of its hand.",
    ),
    (card("reshape", peek=True), "The visitor shows its Traps."),
    (
        card("reshape", "visitor", reveal=1, discard=1, draw=1),
        "Draw 1 card. The dungeon shows 1 card of its hand and discards 1 random card.",
    ),
    # empowers
    (
        card("empower", power=2, advantage=True, keywords=["overwhelm"]),
        "Your next Strike has +2 power, advantage and Overwhelm.",
    ),
    (card("empower", ward=3), "Gain Ward 3."),
    (
        card("empower", power=1, trigger=WOUNDED | {"advantage": True}),
        "Your next Strike has +1 power. If any of your reducers is below 50 %: advantage.",
    ),
    # disrupts
    (card("disrupt", disadvantage=True), "The visitor's next Strike rolls with disadvantage."),
    (card("disrupt", "visitor", strip=True), "The dungeon's next Strike loses all keywords."),
    (
        card("disrupt", randomise=True, thorns={"resource": "nerve", "amount": 2}),
        "The visitor's next Strike hits a random resource and costs the striker 2 nerve.",
    ),
    # counters
    (card("counter"), "Remove the visitor's Empower, or else the Disrupt on you."),
    (card("counter", "visitor", steal=True), "Steal the dungeon's Empower, or else remove the Disrupt on you."),
    (
        card("counter", chip={"resource": "nerve", "amount": 1}, punish=2),
        "Remove the visitor's Empower, or else the Disrupt on you. "
        "The visitor loses 1 nerve, 2 more if an Empower was removed.",
    ),
    (
        card("counter", entangle=True, fortify={"resource": "veil", "amount": 2}),
        "Remove the visitor's Empower, or else the Disrupt on you. "
        "If anything was removed: Entangle and Fortify veil 2 for 1 round.",
    ),
    (
        card("counter", "visitor", disarm=True),
        "Remove the dungeon's Empower, or else the Disrupt on you. Remove the dungeon's oldest Trap.",
    ),
    # reacts
    (card("react", power=3), "When a Strike hits you, prevent 3 damage."),
    (
        card("react", power=0, absorb={"resource": "structure", "amount": 1, "rounds": 2}),
        "When a Strike hits you, defend. Fortify structure 1 for 2 rounds either way.",
    ),
    (
        card("react", power=2, reflect=True),
        "When a Strike hits you, prevent 2 damage. A devastating defence throws back what it prevents.",
    ),
    (
        card("react", power=1, trigger=WOUNDED | {"resource": "structure", "power": 2}),
        "When a Strike hits you, prevent 1 damage. If your structure is below 50 %: +2 prevented.",
    ),
    # traps
    (
        card("trap", springs="strike", target="vitality", power=2, entangle=True, energy_loss=1),
        "When the visitor strikes, it loses 2 vitality and 1 energy and is Entangled.",
    ),
    (
        card("trap", "visitor", springs="offer_accepted", target="veil", erode="veil", disadvantage=True),
        "When the dungeon accepts an Offer, it suffers Erode veil and rolls its next Strike with disadvantage.",
    ),
    # reshapes
    (
        card("reshape", heal={"resource": "veil", "amount": 2}, trigger=WOUNDED | {"power": 2}),
        "Heal veil by 2. If any of your reducers is below 50 %: +2 healing.",
    ),
    (
        card("reshape", fortify={"resource": "veil", "amount": 1, "rounds": 2}, ward=2),
        "Gain Fortify veil 1 for 2 rounds and Ward 2.",
    ),
    (
        card("reshape", "visitor", restore=3, cost=3),
        "Needs a knocked-out member, who returns next turn with 3 vitality.",
    ),
    (
        card("reshape", heal={"resource": "weakest", "amount": 1}, calm=1, draw=1),
        "Heal your weakest resource by 1. The room spares you for 1 round. Draw 1 card.",
    ),
    (
        card("reshape", cleanse=True, disarm=True),
        "Shed Disrupt, Erode, Entangle, weakness and threat. Remove the visitor's oldest Trap.",
    ),
    # offers
    (
        card("offer", benefit=NOURISHED, price=FLAT),
        "If the visitor accepts, it heals nerve by 3. In return it loses 2 resolve. Trust +1.",
    ),
    (
        card(
            "offer",
            benefit={"ward": 2, "draw": 1},
            price={"type": "binding", "resource": "resolve", "amount": 1, "rounds": 2},
            trust=0,
        ),
        "If the visitor accepts, it gains Ward 2 and draws 1 card. In return it loses 1 resolve a round for 2 rounds.",
    ),
    (
        card("offer", benefit=NOURISHED, price={"type": "exposure", "amount": 2, "strike_type": "mystical"}),
        "If the visitor accepts, it heals nerve by 3. "
        "In return the next Mystical Strike against it deals 2 more. Trust +1.",
    ),
    (
        card("offer", benefit=NOURISHED, price={"type": "extraction", "amount": 1, "effect": "energy"}),
        "If the visitor accepts, it heals nerve by 3. In return you gain 1 energy from the next room on. Trust +1.",
    ),
    (
        card("offer", benefit=NOURISHED, price={"type": "dependency"}, trust=2),
        "If the visitor accepts, it heals nerve by 3. In return it loses twice that if trust falls. Trust +2.",
    ),
    (
        card(
            "offer",
            cost=4,
            covenant=True,
            benefit={"resource": "weakest", "full_restore": True},
            price={"type": "extraction", "amount": 2, "effect": "insight"},
            trust=3,
            weakens={"resource": "structure", "amount": 2},
        ),
        "If the visitor accepts, it heals its weakest resource in full. In return you gain 2 Insight for good. "
        "You give up 2 structure for the whole run. Trust +3 and the room ends in a Bond.",
    ),
    # tests
    (
        card("test", "visitor", exposure={"resource": "vitality", "amount": 1}),
        "The dungeon cooperates or defects. Cooperation raises trust and costs you 1 vitality. "
        "Defection halves trust and empowers its next Strike.",
    ),
    # energy
    (card("energy", kind="standard"), "The dungeon's energy pool grows by 1."),
    (card("energy", "visitor", kind="surge", amount=2), "The visitor gains 2 energy this turn."),
    (
        card("energy", "visitor", kind="surge", amount=2, for_type="mystical"),
        "The visitor gains 2 energy this turn, for Mystical cards only.",
    ),
    (
        card("energy", kind="attune", for_type="social"),
        "The dungeon's energy pool grows by 1. Its next Social card costs 1 less.",
    ),
    (
        card("energy", kind="siphon", condition=ENTANGLED),
        "If the visitor is Entangled: energy pool +1. Otherwise: 1 energy this turn.",
    ),
]


@pytest.mark.parametrize(("found", "text"), WORDED, ids=lambda value: value if isinstance(value, str) else "")
def test_a_card_in_words(found: Card, text: str) -> None:
    assert card_text(found) == text


def test_the_samples_have_every_category() -> None:
    assert {type(sample) for sample, _ in WORDED} == set(CARD_MODELS.values())


def test_a_card_without_a_category_has_no_text() -> None:
    with pytest.raises(TypeError, match="not one of the ten categories"):
        card_text(Card(id="blank", title="Blank", side="dungeon"))


def test_every_occasion_has_words() -> None:
    assert set(OCCASIONS) == set(get_args(Occasion))


@pytest.mark.parametrize("side", list(RESOURCES))
def test_every_condition_reads_differently(side: str) -> None:
    phrases = []
    for name in get_args(ConditionName):
        try:
            condition = Condition(when=name)
        except ValidationError:
            condition = Condition(when=name, value=4)
            assert "4" in condition.phrase(side)
        phrases.append(condition.phrase(side))
    assert len(set(phrases)) == len(phrases)
    assert not any(phrase.startswith("if ") or phrase.endswith(".") for phrase in phrases)


# --- nothing that changes a card is left out ------------------------------------------------------------------------


def other_values(annotation: Any, now: Any) -> Iterator[Any]:
    """Other values a field might take; some will not fit the rest of the card."""
    if isinstance(now, bool):
        yield not now
    elif isinstance(now, int):
        yield from (now - 1, now + 1)
    elif isinstance(now, list):
        yield from (sorted({*now} ^ {word}) for word in words_of(annotation))
    else:
        yield from words_of(annotation)
    if type(None) in get_args(annotation):
        yield None


def words_of(annotation: Any) -> list[Any]:
    """Every word that the Literals in a type allow."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [word for part in get_args(annotation) for word in words_of(part)]


def changes(part: BaseModel) -> Iterator[tuple[str, dict[str, Any]]]:
    """The data of a card, or of a part of it, with one field changed, and the name of that field."""
    data = part.model_dump(exclude_unset=True)
    for name, field in type(part).model_fields.items():
        now = getattr(part, name)
        if name in NOT_IN_THE_TEXT and isinstance(part, Card):
            continue
        if isinstance(now, BaseModel):
            yield from ((f"{name}.{inner}", data | {name: changed}) for inner, changed in changes(now))
        yield from ((name, data | {name: value}) for value in other_values(field.annotation, now) if value != now)


def changed_cards(sample: Card) -> Iterator[tuple[str, Card]]:
    """Every valid card that differs from the sample in one field."""
    for name, data in changes(sample):
        with contextlib.suppress(ValidationError):
            yield name, CARD.validate_python(data)


def rule_fields(model: type[BaseModel]) -> Iterator[str]:
    """The names of every field that changes what a card does, those of its parts included."""
    for name, field in model.model_fields.items():
        if name in NOT_IN_THE_TEXT and issubclass(model, Card):
            continue
        kinds = (field.annotation, *get_args(field.annotation))
        parts = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        yield from [f"{name}.{inner}" for part in parts for inner in rule_fields(part)] or [name]


def behaviour(found: Card) -> str:
    """All a card does, apart from cost and type. A Trap without damage hurts nothing, so its target is no rule."""
    idle = {"target"} if isinstance(found, Trap) and not found.power else set()
    return found.model_dump_json(exclude=NOT_IN_THE_TEXT | idle)


def shipped_cards() -> list[Card]:
    """Every card in the content."""
    files = sorted((DATA / "cards").glob("*.toml"))
    return [CARD.validate_python(entry) for file in files for entry in tomllib.loads(file.read_text())["cards"]]


SAMPLES = [sample for sample, _ in WORDED] + shipped_cards()
# Fields that no card can change alone: others must change with them, or the category refuses them.
NEVER_ALONE = {
    "offer": {"price.type", "benefit.full_restore"},
    "react": {"trigger.keywords", "trigger.advantage"},
    "reshape": {"trigger.keywords", "trigger.advantage"},
}


@pytest.mark.parametrize("category", list(CARD_MODELS))
def test_changing_any_rule_of_a_card_changes_its_text(category: str) -> None:
    seen = set()
    for sample in SAMPLES:
        if isinstance(sample, CARD_MODELS[category]):
            for name, changed in changed_cards(sample):
                if behaviour(changed) != behaviour(sample):
                    assert card_text(changed) != card_text(sample), f"{name} of {sample.id}"
                    seen.add(name)
    assert {*rule_fields(CARD_MODELS[category])} - seen == NEVER_ALONE.get(category, set())


def test_cards_with_one_text_are_one_card() -> None:
    behaviours: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for sample in SAMPLES:
        for found in (sample, *(changed for _, changed in changed_cards(sample))):
            behaviours[type(found).__name__, found.side, card_text(found)].add(behaviour(found))
    assert {text: found for text, found in behaviours.items() if len(found) > 1} == {}
