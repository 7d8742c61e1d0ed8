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
from typing import Final, get_args

from cartomancer.content.models.cards import (
    ActionCard,
    Benefit,
    Card,
    Cost,
    Counter,
    Disrupt,
    Empower,
    Energy,
    Offer,
    React,
    Reshape,
    Strike,
    Test,
    Trap,
)
from cartomancer.content.models.vocabulary import (
    OTHER_SIDE,
    Fortify,
    Heal,
    Keyword,
    Loss,
    Trigger,
)

# What springs a Trap.
OCCASIONS: Final[dict[str, str]] = {
    "strike": "strikes",
    "offer_accepted": "accepts an Offer",
    "offer": "makes an Offer",
    "test": "poses a Test",
    "empower": "plays an Empower",
    "disrupt": "plays a Disrupt",
    "counter": "plays a Counter",
    "reshape": "plays a Reshape",
    "energy": "plays an Energy card",
}

KEYWORDS: Final[tuple[str, ...]] = get_args(Keyword)
ON_HIT: Final = frozenset({"entangle", "erode", "drain", "overwhelm"})
NO_DETAILS: Final[Mapping[str, str]] = {}


def card_text(card: Card) -> str:
    """The rules text of a card: a few short sentences that say all it does."""
    match card:
        case Strike():
            sentences = _strike(card)
        case Empower():
            sentences = _empower(card)
        case Disrupt():
            sentences = _disrupt(card)
        case Counter():
            sentences = _counter(card)
        case React():
            sentences = _react(card)
        case Trap():
            sentences = _trap(card)
        case Reshape():
            sentences = _reshape(card)
        case Offer():
            sentences = _offer(card)
        case Test():
            sentences = _test(card)
        case Energy():
            sentences = _energy(card)
        case _:
            raise TypeError(f"{type(card).__name__} is not one of the ten categories")
    return _joined(card, sentences)


def offered_text(card: Offer) -> str:
    """An Offer as its acceptor reads it: `card_text` says "you" to whoever plays the card."""
    return _joined(card, _offer(card, f"the {card.side}", "s"))


def _joined(card: Card, sentences: list[str]) -> str:
    exhaust = ["Exhaust"] if isinstance(card, ActionCard) and card.exhaust else []
    return " ".join(f"{sentence}." for sentence in [*sentences, *exhaust])


# --- one category each ----------------------------------------------------------------------------------------------


def _strike(card: Strike) -> list[str]:
    """Damage, how it strikes, what a hit does, when it does more, what it costs the striker."""
    aims = {"erode": ("", card.erode), "drain": ("to ", card.drain_to), "overwhelm": ("into ", card.spill_to)}
    details = {keyword: f" {word}{resource}" for keyword, (word, resource) in aims.items() if resource}
    target = "a resource of your choice" if card.target == "chosen" else card.target
    manner = _keywords([keyword for keyword in card.keywords if keyword not in ON_HIT])
    on_hit = _keywords([keyword for keyword in card.keywords if keyword in ON_HIT], details)
    sentences = [f"Strike {target} for {card.power}"]
    if manner:
        sentences.append(listed(manner))
    if on_hit:
        sentences.append(f"On a hit: {listed(on_hit)}")
    sentences += _trigger(card.trigger, card.side, details=details)
    if card.self_cost:
        sentences.append(f"You lose {_points(card.self_cost)}")
    return sentences


def _empower(card: Empower) -> list[str]:
    gains = _gains(card.power, "power", card.advantage, card.keywords)
    sentences = [f"Your next Strike has {listed(gains)}"] if gains else []
    if card.ward:
        sentences.append(f"Gain Ward {card.ward}")
    return sentences + _trigger(card.trigger, card.side)


def _disrupt(card: Disrupt) -> list[str]:
    effects = ["rolls with disadvantage"] if card.disadvantage else []
    if card.strip:
        effects.append("loses all keywords")
    if card.randomise:
        effects.append("hits a random resource")
    if card.thorns:
        effects.append(f"costs the striker {_points(card.thorns)}")
    return [f"{_sentence_case(_foe(card.side))}'s next Strike {listed(effects)}"]


def _counter(card: Counter) -> list[str]:
    """What is removed, then what follows in any case, then what follows a removal."""
    foe = _foe(card.side)
    removal = f"Steal {foe}'s Empower, or else remove" if card.steal else f"Remove {foe}'s Empower, or else"
    sentences = [f"{removal} the Disrupt on you"]
    if card.chip:
        more = f", {card.punish} more if an Empower was removed" if card.punish else ""
        sentences.append(f"{_sentence_case(foe)} loses {_points(card.chip)}{more}")
    follow_up = ["Entangle"] if card.entangle else []
    if card.fortify:
        follow_up.append(_fortify(card.fortify))
    if follow_up:
        sentences.append(f"If anything was removed: {listed(follow_up)}")
    if card.disarm:
        sentences.append(f"Remove {_foe(card.side)}'s oldest Trap")
    return sentences


def _react(card: React) -> list[str]:
    defence = f"prevent {card.power} damage" if card.power else "defend"
    sentences = [f"When a Strike hits you, {defence}"]
    if card.absorb:
        sentences.append(f"{_fortify(card.absorb)} either way")
    if card.reflect:
        sentences.append("A devastating defence throws back what it prevents")
    return sentences + _trigger(card.trigger, card.side, number="prevented")


def _trap(card: Trap) -> list[str]:
    losses = [f"{card.power} {card.target}"] if card.power else []
    if card.energy_loss:
        losses.append(f"{card.energy_loss} energy")
    effects = [f"loses {listed(losses)}"] if losses else []
    if card.entangle:
        effects.append("is Entangled")
    if card.erode:
        effects.append(f"suffers Erode {card.erode}")
    if card.disadvantage:
        effects.append("rolls its next Strike with disadvantage")
    return [f"When {_foe(card.side)} {OCCASIONS[card.springs]}, it {listed(effects)}"]


def _reshape(card: Reshape) -> list[str]:
    sentences = [_heal(card.heal)] if card.heal else []
    sentences += _trigger(card.trigger, card.side, number="healing")
    guards = [_fortify(card.fortify)] if card.fortify else []
    if card.ward:
        guards.append(f"Ward {card.ward}")
    if guards:
        sentences.append(f"Gain {listed(guards)}")
    if card.restore:
        sentences.append(f"Needs a knocked-out member, who returns with {card.restore} vitality")
    if card.calm:
        sentences.append(f"The room spares you for {counted(card.calm, 'round')}")
    if card.cleanse:
        sentences.append("Shed Disrupt, Erode, Entangle, weakness and threat")
    if card.disarm:
        sentences.append(f"Remove {_foe(card.side)}'s oldest Trap")
    if card.draw:
        sentences.append(f"Draw {counted(card.draw, 'card')}")
    return sentences


def _offer(card: Offer, offerer: str = "you", s: str = "") -> list[str]:
    """Benefit, price, investment [Bond 3.2]; a Covenant says what it gives up and what it seals [Bond 6.1]."""
    price = _price(card.price, offerer, s)
    sentences = [f"If {_foe(card.side)} accepts, it {_benefit(card.benefit)}", f"In return {price}"]
    if card.weakens:
        sentences.append(f"{_sentence_case(offerer)} give{s} up {_points(card.weakens)} for the whole run")
    seals = [f"trust +{card.trust}"] if card.trust else []
    if card.covenant:
        seals.append("the room ends in a Bond")
    if seals:
        sentences.append(_sentence_case(listed(seals)))
    return sentences


def _test(card: Test) -> list[str]:
    return [
        f"{_sentence_case(_foe(card.side))} cooperates or defects",
        f"Cooperation raises trust and costs you {_points(card.exposure)}",
        "Defection halves trust and empowers its next Strike",
    ]


def _energy(card: Energy) -> list[str]:
    """Energy names its side where nothing else does: the plain card of each would otherwise read the same."""
    kind = f"{card.for_type.capitalize()} card" if card.for_type else ""
    if card.condition:
        return [f"If {card.condition.phrase(card.side)}: energy pool +1", "Otherwise: 1 energy this turn"]
    if card.kind == "surge":
        return [f"The {card.side} gains {card.amount} energy this turn" + (f", for {kind}s only" if kind else "")]
    return [f"The {card.side}'s energy pool grows by 1"] + ([f"Its next {kind} costs 1 less"] if kind else [])


# --- parts of sentences ---------------------------------------------------------------------------------------------


def _trigger(
    trigger: Trigger | None, side: str, number: str = "power", details: Mapping[str, str] = NO_DETAILS
) -> list[str]:
    """The sentence of a trigger, if there is one; `number` is what its power adds to."""
    if trigger is None:
        return []
    gains = _gains(trigger.power, number, trigger.advantage, trigger.keywords, details)
    return [f"If {trigger.phrase(side)}: {listed(gains)}"]


def _gains(
    power: int, number: str, advantage: bool, keywords: Collection[str], details: Mapping[str, str] = NO_DETAILS
) -> list[str]:
    gains = [f"+{power} {number}"] if power else []
    return gains + (["advantage"] if advantage else []) + _keywords(keywords, details)


def _keywords(keywords: Collection[str], details: Mapping[str, str] = NO_DETAILS) -> list[str]:
    """Keywords in the order of the rules, each with what it aims at where the card says so."""
    return [keyword.capitalize() + details.get(keyword, "") for keyword in KEYWORDS if keyword in keywords]


def _benefit(benefit: Benefit) -> str:
    gains = []
    if benefit.resource:
        resource = "its weakest resource" if benefit.resource == "weakest" else benefit.resource
        gains.append(f"heals {resource} {'in full' if benefit.full_restore else f'by {benefit.amount}'}")
    if benefit.ward:
        gains.append(f"gains Ward {benefit.ward}")
    if benefit.draw:
        gains.append(f"draws {counted(benefit.draw, 'card')}")
    return listed(gains)


def _price(price: Cost, offerer: str, s: str) -> str:
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


def _heal(heal: Heal) -> str:
    resource = "your weakest resource" if heal.resource == "weakest" else heal.resource
    return f"Heal {resource} by {heal.amount}"


def _fortify(fortify: Fortify) -> str:
    return f"Fortify {fortify.resource} {fortify.amount} for {counted(fortify.rounds, 'round')}"


def _points(loss: Loss) -> str:
    return f"{loss.amount} {loss.resource}"


def _foe(side: str) -> str:
    return f"the {OTHER_SIDE[side]}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 card, 2 cards."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(parts: Sequence[str]) -> str:
    """Parts as people list them: a, b and c."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else ""


def _sentence_case(phrase: str) -> str:
    return phrase[0].upper() + phrase[1:]
