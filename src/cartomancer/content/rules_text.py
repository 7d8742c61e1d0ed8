"""Rules text: what a card does, written from its data alone [GDD 4.3, Description Test].

Cost, type, category and title stand elsewhere on a card. Everything else that changes what it does is in its text, so
two cards of a category with the same text are the same card.

>>> from cartomancer.content.models.cards import CARD
>>> named = {"id": "grip", "title": "Grip", "side": "dungeon", "category": "strike", "type": "physical", "cost": 2}
>>> bonus = {"when": "opponent_entangled", "power": 2}
>>> grip = {**named, "target": "vitality", "power": 3, "keywords": ["entangle"], "trigger": bonus}
>>> card_text(CARD.validate_python(grip))
'Strike vitality for 3. On a hit: Entangle. If the visitor is Entangled: +2 power.'
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import singledispatch
from typing import Final, get_args

from cartomancer.content.models import cards
from cartomancer.content.models.cards import Card
from cartomancer.content.models.vocabulary import OTHER_SIDE, WORDS, Fortify, Keyword, Loss, Trigger

# What springs a Trap.
OCCASIONS: Final[dict[str, str]] = WORDS["occasions"]

KEYWORDS: Final[tuple[str, ...]] = get_args(Keyword)
ON_HIT: Final = frozenset({"entangle", "erode", "drain", "overwhelm"})
Details = Mapping[str, str]  # what a keyword aims at
NO_DETAILS: Final[Details] = {}


def card_text(card: Card) -> str:
    """The rules text of a card: a few short sentences that say all it does."""
    return _joined(card, _sentences(card))


def offered_text(card: cards.Offer) -> str:
    """An Offer as its acceptor reads it: `card_text` says "you" to whoever plays the card."""
    return _joined(card, _offer(card, f"the {card.side}", "s"))


def _joined(card: Card, sentences: list[str]) -> str:
    exhaust = ["Exhaust"] if getattr(card, "exhaust", False) else []
    return " ".join(f"{sentence}." for sentence in [*sentences, *exhaust])


# --- one category each ----------------------------------------------------------------------------------------------


@singledispatch
def _sentences(card: Card) -> list[str]:
    """What a card of its category does."""
    raise TypeError(f"{type(card).__name__} is not one of the ten categories")


@_sentences.register
def _(card: cards.Strike) -> list[str]:
    """Damage, how it strikes, what a hit does, when it does more, what it costs the striker."""
    aims = {"erode": ("", card.erode), "drain": ("to ", card.drain_to), "overwhelm": ("into ", card.spill_to)}
    details = {keyword: f" {word}{resource}" for keyword, (word, resource) in aims.items() if resource}
    target = "a resource of your choice" if card.target == "chosen" else card.target
    on_hit = listed(_keywords(ON_HIT.intersection(card.keywords), details))
    hinders = listed(
        _said(
            card.disadvantage and "roll with disadvantage",
            card.strip and "lose all keywords",
            card.randomise and "hit a random resource",
            card.thorns and f"cost it {_points(card.thorns)}",
        )
    )
    gains = listed(
        _said(
            card.ward and f"Ward {card.ward}",
            card.fortify and _fortify(card.fortify),
            card.draw and counted(card.draw, "card"),
        )
    )
    return _said(
        f"Strike {target} for {card.power}",
        listed(_keywords(set(card.keywords) - ON_HIT)),
        on_hit and f"On a hit: {on_hit}",
        hinders and f"A hit makes {_foe(card)}'s next Strike {hinders}",
        gains and f"A hit gives you {gains}",
        card.energy_loss and f"A hit costs {_foe(card)} {card.energy_loss} energy",
        _prying(card, "On a hit, "),
        _trigger(card.trigger, card.side, details=details),
        card.self_cost and f"You lose {_points(card.self_cost)}",
    )


@_sentences.register
def _(card: cards.Empower) -> list[str]:
    gains = listed(_gains(card.power, "power", card.advantage, card.keywords))
    return _said(
        gains and f"Your next Strike has {gains}",
        card.ward and f"Gain Ward {card.ward}",
        _trigger(card.trigger, card.side),
    )


@_sentences.register
def _(card: cards.Disrupt) -> list[str]:
    effects = _said(
        card.disadvantage and "rolls with disadvantage",
        card.strip and "loses all keywords",
        card.randomise and "hits a random resource",
        card.thorns and f"costs the striker {_points(card.thorns)}",
    )
    return [f"{_sentence_case(_foe(card))}'s next Strike {listed(effects)}", *_said(_prying(card))]


@_sentences.register
def _(card: cards.Counter) -> list[str]:
    """What is removed, then what follows in any case, then what follows a removal."""
    foe = _foe(card)
    removal = f"Steal {foe}'s Empower, or else remove" if card.steal else f"Remove {foe}'s Empower, or else"
    more = f", {card.punish} more if an Empower was removed" if card.punish else ""
    follow_up = listed(_said(card.entangle and "Entangle", card.fortify and _fortify(card.fortify)))
    return _said(
        f"{removal} the Disrupt on you",
        card.chip and f"{_sentence_case(foe)} loses {_points(card.chip)}{more}",
        follow_up and f"If anything was removed: {follow_up}",
        card.disarm and f"Remove {foe}'s oldest Trap",
        _prying(card),
    )


@_sentences.register
def _(card: cards.React) -> list[str]:
    return _said(
        f"When a Strike hits you, {f'prevent {card.power} damage' if card.power else 'defend'}",
        card.absorb and f"{_fortify(card.absorb)} either way",
        card.reflect and "A devastating defence throws back what it prevents",
        _trigger(card.trigger, card.side, number="prevented"),
    )


@_sentences.register
def _(card: cards.Trap) -> list[str]:
    losses = listed(
        _said(card.power and f"{card.power} {card.target}", card.energy_loss and f"{card.energy_loss} energy")
    )
    effects = _said(
        losses and f"loses {losses}",
        card.entangle and "is Entangled",
        card.erode and f"suffers Erode {card.erode}",
        card.disadvantage and "rolls its next Strike with disadvantage",
    )
    return [f"When {_foe(card)} {OCCASIONS[card.springs]}, it {listed(effects)}"]


@_sentences.register
def _(card: cards.Reshape) -> list[str]:
    healed = card.heal and ("your weakest resource" if card.heal.resource == "weakest" else card.heal.resource)
    guards = listed(_said(card.fortify and _fortify(card.fortify), card.ward and f"Ward {card.ward}"))
    return _said(
        card.heal and f"Heal {healed} by {card.heal.amount}",
        _trigger(card.trigger, card.side, number="healing"),
        guards and f"Gain {guards}",
        card.restore and f"Needs a knocked-out member, who returns next turn with {card.restore} vitality",
        card.calm and f"The room spares you for {counted(card.calm, 'round')}",
        card.cleanse and "Shed Disrupt, Erode, Entangle, weakness and threat",
        card.disarm and f"Remove {_foe(card)}'s oldest Trap",
        card.draw and f"Draw {counted(card.draw, 'card')}",
        _prying(card),
    )


@_sentences.register
def _offer(card: cards.Offer, offerer: str = "you", s: str = "") -> list[str]:
    """Benefit, price, investment [Bond 3.2]; a Covenant says what it gives up and what it seals [Bond 6.1]."""
    seals = listed(_said(card.trust and f"trust +{card.trust}", card.covenant and "the room ends in a Bond"))
    return _said(
        f"If {_foe(card)} accepts, it {_benefit(card.benefit)}",
        f"In return {_price(card.price, offerer, s)}",
        card.weakens and f"{_sentence_case(offerer)} give{s} up {_points(card.weakens)} for the whole run",
        seals and _sentence_case(seals),
    )


@_sentences.register
def _(card: cards.Test) -> list[str]:
    return [
        f"{_sentence_case(_foe(card))} cooperates or defects",
        f"Cooperation raises trust and costs you {_points(card.exposure)}",
        "Defection halves trust and empowers its next Strike",
    ]


@_sentences.register
def _(card: cards.Energy) -> list[str]:
    """Energy names its side where nothing else does: the plain card of each would otherwise read the same."""
    kind = f"{card.for_type.capitalize()} card" if card.for_type else ""
    if card.condition:
        return [f"If {card.condition.phrase(card.side)}: energy pool +1", "Otherwise: 1 energy this turn"]
    if card.kind == "surge":
        return [f"The {card.side} gains {card.amount} energy this turn" + (f", for {kind}s only" if kind else "")]
    return [f"The {card.side}'s energy pool grows by 1"] + ([f"Its next {kind} costs 1 less"] if kind else [])


# --- parts of sentences ---------------------------------------------------------------------------------------------


def _said(*parts: object) -> list[str]:
    """The parts there is something to say for: those that are texts."""
    return [part for part in parts if part and isinstance(part, str)]


def _trigger(trigger: Trigger | None, side: str, number: str = "power", details: Details = NO_DETAILS) -> str:
    """The sentence of a trigger, if there is one; `number` is what its power adds to."""
    if trigger is None:
        return ""
    gains = _gains(trigger.power, number, trigger.advantage, trigger.keywords, details)
    return f"If {trigger.phrase(side)}: {listed(gains)}"


def _gains(
    power: int, number: str, advantage: bool, keywords: Collection[str], details: Details = NO_DETAILS
) -> list[str]:
    return [*_said(power and f"+{power} {number}", advantage and "advantage"), *_keywords(keywords, details)]


def _keywords(keywords: Collection[str], details: Details = NO_DETAILS) -> list[str]:
    """Keywords in the order of the rules, each with what it aims at where the card says so."""
    return [keyword.capitalize() + details.get(keyword, "") for keyword in KEYWORDS if keyword in keywords]


def _benefit(benefit: cards.Benefit) -> str:
    resource = "its weakest resource" if benefit.resource == "weakest" else benefit.resource
    gains = _said(
        resource and f"heals {resource} {'in full' if benefit.full_restore else f'by {benefit.amount}'}",
        benefit.ward and f"gains Ward {benefit.ward}",
        benefit.draw and f"draws {counted(benefit.draw, 'card')}",
    )
    return listed(gains)


def _price(price: cards.Cost, offerer: str, s: str) -> str:
    """One of the five kinds of cost [Bond 3.4], to follow "in return"."""
    match price.type:
        case "flat":
            return f"it loses {price.amount} {price.resource}"
        case "binding":
            return f"it loses {price.amount} {price.resource} a round for {counted(price.rounds, 'round')}"
        case "exposure":
            return f"the next {str(price.strike_type).capitalize()} Strike against it deals {price.amount} more"
        case "extraction":
            gained = "Insight" if price.effect == "insight" else price.effect
            since = "from the next room on" if price.effect == "energy" else "for good"
            return f"{offerer} gain{s} {price.amount} {gained} {since}"
        case "dependency":
            return "it loses twice that if trust falls"


def _prying(card: cards.Prying, when: str = "") -> str:
    """What a card turns over or takes away of what the opponent holds."""
    deeds = listed(
        _said(
            card.peek and "shows its Traps",
            card.reveal and f"shows {counted(card.reveal, 'card')} of its hand",
            card.discard and f"discards {counted(card.discard, 'random card')}",
        )
    )
    return deeds and _sentence_case(f"{when}{_foe(card)} {deeds}")


def _fortify(fortify: Fortify) -> str:
    return f"Fortify {fortify.resource} {fortify.amount} for {counted(fortify.rounds, 'round')}"


def _points(loss: Loss) -> str:
    return f"{loss.amount} {loss.resource}"


def _foe(card: Card) -> str:
    return f"the {OTHER_SIDE[card.side]}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 card, 2 cards."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Parts as people list them: a, b and c.

    >>> listed(["elite", "shop", "port"], "or"), listed(["shop"])
    ('elite, shop or port', 'shop')
    """
    return f" {last} ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def _sentence_case(phrase: str) -> str:
    return phrase[0].upper() + phrase[1:]
