"""Random valid content: cards of every category with random fields, decks of them, and random scenarios.

Only what the models accept counts, so the generator proposes and pydantic disposes. One seed gives one scenario.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

from pydantic import ValidationError

from cartomancer.codes import STREAM_COSMETIC
from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models import vocabulary as models
from cartomancer.content.models.cards import CARD
from cartomancer.content.models.encounter import Creature, Deck, Dungeon, PartyClass, Room, Scenario
from cartomancer.content.models.vocabulary import OTHER_SIDE, RESOURCES, TYPES
from cartomancer.encounters.packing import Packed, pack_scenario
from cartomancer.rng import Stream

KEYWORDS = get_args(models.Keyword)
CONDITIONS = get_args(models.ConditionName)
OCCASIONS = get_args(models.Occasion)
ACTIONS = ("strike", "offer", "test", "trap", "reshape", "empower", "disrupt", "counter", "react")


class Maker:
    """Random content from one stream."""

    def __init__(self, seed: int) -> None:
        self.stream = Stream(seed, STREAM_COSMETIC, 7)

    def chance(self, percent: int) -> bool:
        return self.stream.chance(percent, 100)

    def number(self, least: int, most: int) -> int:
        return least + self.stream.below(most - least + 1)

    def some(self, items: Any, most: int) -> list[Any]:
        return self.stream.sample(list(items), self.stream.below(most + 1))

    def own(self, side: str) -> str:
        return self.stream.pick(RESOURCES[side])

    def other(self, side: str) -> str:
        return self.stream.pick(RESOURCES[OTHER_SIDE[side]])

    def loss(self, resource: str, most: int = 3) -> dict[str, Any]:
        return {"resource": resource, "amount": self.number(1, most)}

    def condition(self, side: str) -> dict[str, Any]:
        when = self.stream.pick(CONDITIONS)
        found: dict[str, Any] = {"when": when}
        if models.CONDITIONS[when].asks == "share":
            found["value"] = self.number(10, 90)
            if self.chance(70):
                found["resource"] = self.own(side) if when.startswith("self") else self.other(side)
        elif models.CONDITIONS[when].asks == "count":
            found["value"] = self.number(0, 8)
        return found

    def trigger(self, side: str, plain: bool = False) -> dict[str, Any]:
        found = self.condition(side) | {"power": self.number(1, 3)}
        return found if plain else found | {"keywords": self.some(KEYWORDS, 2), "advantage": self.chance(30)}

    def fields(self, category: str, side: str) -> dict[str, Any]:
        """Random fields of one category; not all combinations are allowed."""
        optional: dict[str, Any] = {}
        match category:
            case "strike":
                target = "chosen" if self.chance(15) else self.other(side)
                optional = {"target": target, "power": self.number(1, 5), "keywords": self.some(KEYWORDS, 3)}
                if self.chance(40):
                    optional["trigger"] = self.trigger(side)
                if self.chance(20):
                    optional["self_cost"] = self.loss(self.own(side), 2)
                if self.chance(20):
                    optional |= {"erode": self.other(side)} if self.chance(50) else {"drain_to": self.own(side)}
                if self.chance(30):
                    optional |= self.riders(side) | self.prying()
            case "empower":
                optional = {"power": self.number(0, 3), "advantage": self.chance(40), "ward": self.number(0, 2)}
                optional["keywords"] = self.some(KEYWORDS, 2)
                if self.chance(30):
                    optional["trigger"] = self.trigger(side)
            case "disrupt":
                optional = {name: self.chance(40) for name in ("disadvantage", "strip", "randomise")} | self.prying()
                if self.chance(40):
                    optional["thorns"] = self.loss(self.other(side))
            case "counter":
                optional = {name: self.chance(40) for name in ("steal", "entangle", "disarm")} | self.prying()
                if self.chance(60):
                    optional |= {"chip": self.loss(self.other(side), 2), "punish": self.number(0, 2)}
                if self.chance(30):
                    optional["fortify"] = self.loss(self.own(side), 2) | {"rounds": self.number(1, 2)}
            case "react":
                optional = {"power": self.number(0, 5), "reflect": self.chance(30)}
                if self.chance(40):
                    optional["absorb"] = self.loss(self.own(side), 2) | {"rounds": self.number(1, 2)}
                if self.chance(40):
                    optional["trigger"] = self.trigger(side, plain=True)
            case "trap":
                optional = {"springs": self.stream.pick(OCCASIONS), "target": self.other(side)}
                optional |= {"power": self.number(0, 4), "entangle": self.chance(30), "disadvantage": self.chance(30)}
                optional["energy_loss"] = self.number(0, 2)
                if self.chance(30):
                    optional["erode"] = self.other(side)
            case "reshape":
                optional = {"ward": self.number(0, 2), "calm": self.number(0, 2), "draw": self.number(0, 2)}
                optional |= {"cleanse": self.chance(30), "disarm": self.chance(30)} | self.prying()
                if self.chance(70):
                    where = "weakest" if self.chance(30) else self.own(side)
                    optional["heal"] = {"resource": where, "amount": self.number(1, 4)}
                    if self.chance(30):
                        optional["trigger"] = self.trigger(side, plain=True)
                if self.chance(30):
                    optional["fortify"] = self.loss(self.own(side), 2)
                if side == "visitor" and self.chance(20):
                    optional |= {"restore": self.number(1, 4), "cost": 3}
            case "offer":
                optional = self.offer(side)
            case "test":
                optional = {"exposure": self.loss(self.own(side), 2)}
        return optional

    def riders(self, side: str) -> dict[str, Any]:
        """What a Strike may bring on a hit."""
        found: dict[str, Any] = {name: self.chance(30) for name in ("disadvantage", "strip", "randomise")}
        found |= {"energy_loss": self.number(0, 2), "ward": self.number(0, 2), "draw": self.number(0, 2)}
        if self.chance(30):
            found["thorns"] = self.loss(self.other(side))
        if self.chance(30):
            found["fortify"] = self.loss(self.own(side), 2) | {"rounds": self.number(1, 2)}
        return found

    def prying(self) -> dict[str, Any]:
        """What a card may look at or take away, now and then."""
        if not self.chance(30):
            return {}
        return {"reveal": self.number(0, 3), "peek": self.chance(40), "discard": self.number(0, 2)}

    def rules(self) -> dict[str, Any]:
        """The tuning entries that are other readings of the rules."""
        return {
            "reversal_base": self.number(0, 3),
            "escalation_scope": self.stream.pick(("primary", "weakest", "all")),
            "source_percent": self.stream.pick((0, 0, 50, 90)),
            "binding_percent": self.stream.pick((100, 150, 200)),
        }

    def offer(self, side: str) -> dict[str, Any]:
        benefit: dict[str, Any] = {"resource": self.other(side), "amount": self.number(1, 5)}
        if self.chance(20):
            benefit = {"resource": "weakest", "full_restore": True}
        if self.chance(20):
            benefit["ward"] = self.number(1, 2)
        kind = self.stream.pick(("flat", "binding", "exposure", "extraction", "dependency"))
        price: dict[str, Any] = {"type": kind}
        if kind in {"flat", "binding"}:
            price |= {"resource": self.other(side), "amount": self.number(1, 3)}
        if kind == "binding":
            price["rounds"] = self.number(1, 3)
        if kind == "exposure":
            price |= {"amount": self.number(1, 3), "strike_type": self.stream.pick(TYPES)}
        if kind == "extraction":
            price |= {"amount": 1, "effect": self.stream.pick(("energy", "insight", self.own(side)))}
        covenant = side == "dungeon" and self.chance(30)
        found = {"benefit": benefit, "price": price, "trust": self.number(0, 3), "covenant": covenant}
        return found | ({"weakens": self.loss(self.own(side), 2)} if covenant and self.chance(50) else {})

    def card(self, name: str, category: str, side: str) -> Any:
        """A random valid card."""
        while True:
            data = {"id": name, "title": name, "side": side, "category": category}
            if category == "energy":
                kind = self.stream.pick(("standard", "standard", "surge", "attune", "siphon"))
                data |= {"kind": kind}
                if kind == "surge":
                    data["amount"] = self.number(1, 3)
                if kind == "attune" or (kind == "surge" and self.chance(30)):
                    data["for_type"] = self.stream.pick(TYPES)
                if kind == "siphon":
                    data["condition"] = self.condition(side)
            else:
                data |= {"type": self.stream.pick(TYPES), "cost": self.number(0, 2), "exhaust": self.chance(15)}
                data |= self.fields(category, side)
            try:
                return CARD.validate_python(data)
            except ValidationError:
                continue

    def cards(self, prefix: str, side: str, count: int) -> dict[str, Any]:
        """Random cards: a third of them Energy."""
        found = {}
        for k in range(count):
            category = "energy" if k % 3 == 0 else self.stream.pick(ACTIONS)
            found[f"{prefix}_{k}"] = self.card(f"{prefix}_{k}", category, side)
        return found


def random_packed(seed: int) -> Packed:
    """A random scenario over random content."""
    make, base = Maker(seed), load_codex()
    rooms = [f"room_{k}" for k in range(make.number(1, 4))]
    cards: dict[str, Any] = {}
    decks, found_rooms, classes = {}, {}, {}
    for name in rooms:
        kit = make.cards(name, "dungeon", make.number(15, 18))
        cards |= kit
        decks[name] = Deck(id=name, title=name, side="dungeon", identity="tactical", cards=dict.fromkeys(kit, 1))
        effects = [
            {
                "resource": make.stream.pick((*RESOURCES["dungeon"], *RESOURCES["visitor"])),
                "change": make.stream.pick((-2, -1, -1, 1)),
                "every": make.number(1, 3),
            }
            for _ in range(make.number(0, 4))
        ]
        fields = {"auto_effects": effects, "round_limit": make.number(4, 14)}
        fields["attributes"] = {kind: make.number(-1, 1) for kind in make.some(TYPES, 2)}
        found_rooms[name] = Room.model_validate({"id": name, "title": name, "deck": name} | fields)
    data: dict[str, Any] = {"id": f"random_{seed}", "title": "Random", "dungeon": "pit", "retreat": make.chance(40)}
    data["rooms"] = [{"room": name} for name in rooms]
    if make.chance(50):
        kit = make.cards("guest", "visitor", 15)
        cards |= kit
        decks["guest"] = Deck(id="guest", title="g", side="visitor", identity="visitor", cards=dict.fromkeys(kit, 1))
        data["creature"] = "guest"
    else:
        for k in range(4):
            kit = make.cards(f"class_{k}", "visitor", make.number(8, 12))
            cards |= kit
            classes[f"class_{k}"] = PartyClass(
                id=f"class_{k}",
                title="c",
                role="flex",
                focus="dual",
                vitality=make.number(4, 12),
                resolve=make.number(2, 6),
                nerve=make.number(2, 6),
                cards=dict.fromkeys(kit, 1),
            )
        data["members"] = [make.stream.pick(list(classes)) for _ in range(4)]
    modifiers = [*base.catalog.trials, *base.catalog.intrusions, *base.catalog.traits, *base.catalog.items]
    data["modifiers"] = make.some(modifiers, 4)
    data["equipment"] = dict.fromkeys(make.some(base.equipment, 1), 1)
    codex: Codex = replace(
        base,
        rules=base.rules.model_copy(update=make.rules()),
        cards=cards,
        decks=decks,
        rooms=found_rooms,
        classes=classes,
        creatures={"guest": Creature(id="guest", title="g", vitality=20, resolve=14, nerve=14, trust=3, deck="guest")},
        dungeons={"pit": Dungeon(id="pit", title="p", structure=16, veil=14, presence=12)},
    )
    return pack_scenario(codex, Scenario.model_validate(data))
