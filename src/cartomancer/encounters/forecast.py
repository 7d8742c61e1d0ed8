"""What a Strike or a React would come to, before its dice are rolled: exact odds from what its side may know.

>>> fight = Encounter("boar", seed=809).play(["keep", "keep", "energy deep_root"])
>>> strike = forecast(fight, "strike tremor_slam")
>>> strike.power, round(float(strike.lands), 2), round(float(strike.mean), 2), round(float(strike.back), 2)
(7, 0.9, 6.24, 0.57)

Face-down Traps and the answers of the other side are in no forecast. Damage is what the guards of the struck resource
let through; where it is still to be chosen, or chance will choose it, only guards of the whole side count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from cartomancer.encounters import names
from cartomancer.encounters.actions import parse, split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import Verb
from cartomancer.encounters.kernel.conditions import is_triggered
from cartomancer.encounters.kernel.contest import contest_bonus
from cartomancer.encounters.kernel.guards import built
from cartomancer.encounters.kernel.layout import card_of, numbered_card
from cartomancer.encounters.kernel.protocol import take
from cartomancer.encounters.kernel.resolution import PLAIN, scaled
from cartomancer.encounters.odds import contest_shares
from cartomancer.jit import wrapping

STRIKING = {Verb.PLAY, Verb.HIT_RESOURCE, Verb.HIT_SEAT}


@dataclass(frozen=True)
class Forecast:
    """The odds of a contested roll that a choice leads to, and what comes of it."""

    kind: str  # strike, react
    power: int
    tiers: Mapping[str, Fraction]  # the chance of each
    points: Mapping[str, int]  # what each deals through guards, or prevents
    mean: Fraction  # of those
    lands: Fraction  # the chance that they are any
    whole: Fraction  # the chance that a React prevents everything
    back: Fraction  # the mean that comes back at a striker
    target: str = ""  # the reducer that is hit; empty where it is still to be chosen, or chance chooses
    price: int = 0  # what a Strike costs its own side before the roll: its own price, thorns, a counterstrike

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        shares = {tier: float(share) for tier, share in self.tiers.items()}
        means = {name: float(getattr(self, name)) for name in ("mean", "lands", "whole", "back")}
        head = {"kind": self.kind, "power": self.power, "target": self.target or None, "price": self.price}
        return {**head, "tiers": shares, "points": dict(self.points), **means}


def forecast(encounter: Encounter, action: int | str) -> Forecast | None:
    """The odds of an action of the side that is asked; nothing for one that rolls no dice of its own."""
    number = parse(encounter.packed, encounter.state, action) if isinstance(action, str) else action
    verb, argument = split(number)
    with wrapping():
        if verb == Verb.ANSWER:
            return _react(encounter, argument)
        side = int(encounter.state["actor"])
        if verb not in STRIKING or (
            verb == Verb.PLAY
            and card_of(encounter.packed.tables, encounter.state, side, argument)["category"] != codes.STRIKE
        ):
            return None
        return _strike(encounter, number)


def _strike(encounter: Encounter, action: int) -> Forecast:
    """A Strike as the rules gather it; the cards of the other side that lie face-down are left out."""
    twin, tables = encounter.copy(), encounter.packed.tables
    state, side = twin.state, int(twin.state["actor"])
    state["sides"][1 - side]["trap_count"] = 0
    mine = state["sides"][side]["reducers"]
    whole = int(mine.sum())
    take(tables, state, None, action)
    flight, rules, price = state["flight"], tables["rules"], whole - int(mine.sum())
    power, seat = int(flight["power"]), int(flight["seat"])
    if side == codes.DUNGEON and seat >= 0 and state["members"][seat]["threat"]:
        power += int(rules["threat_power"])
    target = -1 if flight["random_target"] or flight["target"] == codes.CHOSEN else int(flight["target"])
    stopped = _guards(state, side, target)
    shares = _shares(twin, side, int(numbered_card(tables, flight["card"])["card_type"]), int(flight["mode"]))
    dealt = [int(scaled(power, int(percent))) for percent in _percents(twin, "tier_attacker")]
    exposed = int(flight["exposed"])
    dealt = [max(0, points + exposed - stopped) if points > 0 else 0 for points in dealt]
    thrown = int(rules["reversal_base"]) or power
    back = [int(scaled(thrown, int(percent))) for percent in _percents(twin, "tier_defender")]
    found = _told(twin, "strike", power, shares, dealt, back=back)
    return replace(found, target=names.RESOURCES[1 - side][target] if target >= 0 else "", price=price)


def _guards(state: Any, side: int, target: int) -> int:
    """What the struck side's guards would stop of one hit (E23)."""
    them = state["sides"][1 - side]
    stopped = int(them["mods"][codes.MOD_GUARD]) + int(them["ward"])
    stopped += int(them["mods"][codes.MOD_FIRST_HIT_GUARD]) if not them["hits_taken"] else 0
    stopped += max(0, int(them["armour"]) - int(state["sides"][side]["mods"][codes.MOD_ARMOUR_PIERCE]))
    return stopped + (int(them["fortify"][target]) if target >= 0 else 0)


def _react(encounter: Encounter, instance: int) -> Forecast:
    """A React: its own contested roll decides how much it prevents [GDD 4.3]."""
    state, tables = encounter.state, encounter.packed.tables
    side = int(state["actor"])
    card, coming = card_of(tables, state, side, instance), int(state["flight"]["damage"])
    power = int(card["power"]) + (int(card["bonus"]) if is_triggered(tables, state, side, card) else 0)
    power = int(built(state, side, power))
    shares = _shares(encounter, side, int(card["card_type"]), int(PLAIN))
    prevented = [min(coming, int(scaled(power, int(percent)))) for percent in _percents(encounter, "tier_attacker")]
    found = _told(encounter, "react", power, shares, prevented, coming)
    return replace(found, target=names.RESOURCES[side][int(state["flight"]["target"])])


def _shares(encounter: Encounter, side: int, card_type: int, mode: int) -> list[Fraction]:
    """The chance of every tier for a roll of this side's against the other."""
    state, tables = encounter.state, encounter.packed.tables
    bonus = int(contest_bonus(tables, state, side, card_type)) - int(contest_bonus(tables, state, 1 - side, card_type))
    return contest_shares(tuple(map(int, _percents(encounter, "tier_margin"))), bonus, mode, int(PLAIN))


def _percents(encounter: Encounter, field: str) -> Any:
    """A field of the tiers, best first."""
    rules = encounter.packed.tables["rules"]
    return rules[field][: int(rules["tier_count"])]


def _told(
    encounter: Encounter,
    kind: str,
    power: int,
    shares: list[Fraction],
    points: list[int],
    coming: int = 0,
    back: list[int] | None = None,
) -> Forecast:
    def mean(values: list[int]) -> Fraction:
        return sum((share * value for share, value in zip(shares, values, strict=True)), Fraction(0))

    return Forecast(
        kind=kind,
        power=power,
        tiers=dict(zip(encounter.packed.tiers, shares, strict=True)),
        points=dict(zip(encounter.packed.tiers, points, strict=True)),
        mean=mean(points),
        lands=mean([int(value > 0) for value in points]),
        whole=mean([int(0 < coming <= value) for value in points]),
        back=mean(back or [0] * len(shares)),
    )
