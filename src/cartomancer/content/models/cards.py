"""Cards: ten categories, one model each, told apart by `category` [GDD 4.1–4.3, Bond 3].

A card belongs to one side. Resources are named, so a card that strikes its own side or heals the other is refused
here, not discovered in a fight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field, TypeAdapter

from cartomancer.content.models.base import Entry, Strict, setting
from cartomancer.content.models.vocabulary import (
    OTHER_SIDE,
    RESOURCES,
    CardType,
    Condition,
    CostType,
    Extraction,
    Fortify,
    Heal,
    Keyword,
    Loss,
    Occasion,
    Power,
    Resource,
    SideName,
    Trigger,
)

NO_SIDES: Final = (None, "chosen", "weakest", "energy", "insight")  # what stands for a resource and is of no side


class Card(Entry):
    """What every card has."""

    own: ClassVar[tuple[str, ...]] = ()  # where it names resources of its own side …
    theirs: ClassVar[tuple[str, ...]] = ()  # … and of the other

    side: SideName = Field(description="Who plays it.")

    def complaints(self) -> Iterator[str]:
        for fields, side in ((self.theirs, OTHER_SIDE[self.side]), (self.own, self.side)):
            for field in fields:
                resource: Any = self
                for name in field.split("."):
                    resource = getattr(resource, name, None)
                if resource not in (*NO_SIDES, *RESOURCES[side]):
                    yield f"{field} = {resource} must be one of the {side}'s: {', '.join(RESOURCES[side])}"
        if asked := self.asks():
            yield from asked.faults_for(self.side)

    def asks(self) -> Condition | None:
        """The board state that its trigger asks about, or a Siphon."""
        return getattr(self, "trigger", None) or getattr(self, "condition", None)


class ActionCard(Card):
    """A card with a type and a cost; it can be activated instead of played [GDD 8.4]."""

    type: CardType = Field(description="Its alignment: attributes, Attune, Resonate and Exposure go by it (E10).")
    cost: int = Field(ge=0, le=3, description="Energy to play it.")
    exhaust: bool = setting(False, "Removed from the run after use [GDD 9].")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        keywords, trigger = getattr(self, "keywords", None), getattr(self, "trigger", None)
        granted = self.granted()
        if keywords is None:
            if trigger and (trigger.keywords or trigger.advantage):
                yield f"the trigger of a {type(self).__name__} gives power only: it strikes nobody"
            return
        if self.side == "visitor" and granted & {"cleave", "focused"}:
            yield "cleave and focused choose among party members: only the dungeon strikes those"
        if {"cleave", "focused"} <= granted:
            yield "cleave hits every member, focused one: a card cannot have both"
        if len(set(keywords)) != len(keywords):
            yield "a keyword is listed twice"

    def granted(self) -> set[str]:
        """The keywords it has or grants, some only while its trigger holds."""
        trigger = getattr(self, "trigger", None)
        return {*getattr(self, "keywords", ()), *(trigger.keywords if trigger else ())}


class Strike(ActionCard):
    """Damage to one resource through a contested roll [GDD 4.9]."""

    theirs: ClassVar = ("target", "erode", "spill_to")
    own: ClassVar = ("drain_to", "self_cost.resource")

    category: Literal["strike"]
    target: Resource | Literal["chosen"] = Field(description="What it hits; 'chosen' asks the player.")
    power: int = Field(ge=1, le=9, description="Damage of a clean hit.")
    keywords: list[Keyword] = setting(list, "What a hit does beyond damage [GDD 9].")
    erode: Resource | None = setting(None, "What Erode gnaws at; without it, the target.")
    drain_to: Resource | None = setting(None, "What Drain heals; without it, the weakest reducer.")
    spill_to: Resource | None = setting(None, "Where Overwhelm spills; without it, the weakest other.")
    trigger: Trigger | None = setting(None, "A bonus while a condition holds.")
    self_cost: Loss | None = setting(None, "What the striker loses to play it.")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        for field, keyword in (("erode", "erode"), ("drain_to", "drain"), ("spill_to", "overwhelm")):
            if getattr(self, field) is not None and keyword not in self.granted():
                yield f"{field} means nothing without the keyword {keyword}"


class Empower(ActionCard):
    """A buff on one's own next Strike, kept until it is used [GDD 4.1, 4.3]."""

    category: Literal["empower"]
    power: Power = setting(0, "Power the next Strike gains.")
    advantage: bool = setting(False, "The next Strike rolls with advantage.")
    keywords: list[Keyword] = setting(list, "Keywords the next Strike gains.")
    ward: Power = setting(0, "Ward for oneself at once.")
    trigger: Trigger | None = setting(None, "More of it while a condition holds.")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        if not (self.power or self.advantage or self.keywords or self.ward):
            yield "an Empower must give power, advantage, keywords or ward"


class Disrupt(ActionCard):
    """A debuff on the opponent's next Strike, kept until it is used up [GDD 4.1, 9]."""

    theirs: ClassVar = ("thorns.resource",)

    category: Literal["disrupt"]
    disadvantage: bool = setting(False, "That Strike rolls with disadvantage.")
    thorns: Loss | None = setting(None, "What the striker loses when striking.")
    strip: bool = setting(False, "That Strike loses all keywords.")
    randomise: bool = setting(False, "That Strike hits a random resource.")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        if not (self.disadvantage or self.thorns or self.strip or self.randomise):
            yield "a Disrupt must do at least one of disadvantage, thorns, strip, randomise"


class Counter(ActionCard):
    """Removes the opponent's Empower, or else the Disrupt it laid on us, with a secondary effect [GDD 4.3]."""

    theirs: ClassVar = ("chip.resource",)
    own: ClassVar = ("fortify.resource",)

    category: Literal["counter"]
    chip: Loss | None = setting(None, "Damage it always deals.")
    punish: Power = setting(0, "More chip damage when an Empower was removed.")
    steal: bool = setting(False, "The removed Empower becomes ours.")
    entangle: bool = setting(False, "Entangles the opponent when something was removed.")
    fortify: Fortify | None = setting(None, "Fortifies us when something was removed.")
    disarm: bool = setting(False, "Also removes the opponent's oldest face-down Trap.")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        if self.punish and self.chip is None:
            yield "punish raises the chip: give chip as well"


class React(ActionCard):
    """Mitigates a Strike that hits, through a contested roll [GDD 4.3]."""

    own: ClassVar = ("absorb.resource",)

    category: Literal["react"]
    power: int = Field(ge=0, le=9, description="Damage a clean defence prevents.")
    absorb: Fortify | None = setting(None, "Fortify gained whether the defence succeeds or not.")
    reflect: bool = setting(False, "A devastating defence throws back what it prevented.")
    trigger: Trigger | None = setting(None, "More power while a condition holds: desperate defence.")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        if not (self.power or self.absorb):
            yield "a React must have power or absorb"


class Trap(ActionCard):
    """Laid face-down; springs by itself when its occasion comes [GDD 4.1]."""

    theirs: ClassVar = ("target", "erode")

    category: Literal["trap"]
    springs: Occasion = Field(description="What the opponent does to spring it.")
    target: Resource = Field(description="What it hurts.")
    power: Power = setting(0, "The damage, without a roll.")
    entangle: bool = setting(False, "Entangles whoever springs it.")
    erode: Resource | None = setting(None, "Erodes this resource of whoever springs it.")
    disadvantage: bool = setting(False, "The springer's next Strike rolls with disadvantage.")
    energy_loss: int = setting(0, "Energy the springer loses at once.", ge=0, le=3)

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        if not (self.power or self.entangle or self.erode or self.disadvantage or self.energy_loss):
            yield "a Trap must do something when it springs"


class Reshape(ActionCard):
    """Changes the encounter without a contest: healing, fortification, adaptation [GDD 4.1]."""

    own: ClassVar = ("heal.resource", "fortify.resource")

    category: Literal["reshape"]
    heal: Heal | None = setting(None, "Points won back.")
    fortify: Fortify | None = setting(None, "Reduced damage to one resource.")
    ward: Power = setting(0, "Reduces the next incoming damage.")
    restore: Power = setting(0, "Brings a knocked-out member back with this vitality [GDD 16.8].")
    calm: int = setting(0, "Rounds in which the room's auto-effects spare our side.", ge=0, le=4)
    cleanse: bool = setting(False, "Sheds Disrupt, Erode, Entangle, weakness and threat.")
    disarm: bool = setting(False, "Removes the opponent's oldest face-down Trap.")
    draw: int = setting(0, "Cards drawn.", ge=0, le=3)
    trigger: Trigger | None = setting(None, "More healing while a condition holds.")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        lasting = (self.heal, self.fortify, self.ward, self.restore, self.calm)
        if not any((*lasting, self.cleanse, self.disarm, self.draw)):
            yield "a Reshape must change something"
        if self.restore and (self.side != "visitor" or self.cost < 3):
            yield "restore belongs to visitors and costs 3 [GDD 16.8]"
        if self.trigger and not self.heal:
            yield "the trigger of a Reshape raises its heal: give heal as well"


class Benefit(Strict):
    """What the acceptor of an Offer gains [Bond 3.2]."""

    resource: Resource | Literal["weakest"] | None = setting(None, "What is healed.")
    amount: int = setting(0, "By how much.", ge=0, le=12)
    full_restore: bool = setting(False, "Heals the resource to its starting value.")
    ward: Power = setting(0, "Ward for the acceptor.")
    draw: int = setting(0, "Cards the acceptor draws.", ge=0, le=3)

    def complaints(self) -> Iterator[str]:
        heals = bool(self.amount or self.full_restore)
        if heals != (self.resource is not None):
            yield "a heal needs resource together with amount or full_restore"
        elif self.amount and self.full_restore:
            yield "give amount or full_restore, not both"
        elif not (heals or self.ward or self.draw):
            yield "a benefit must heal, ward or draw"


# What each kind of cost is made of [Bond 3.4].
COSTS: Final[dict[CostType, set[str]]] = {
    "flat": {"resource", "amount"},
    "binding": {"resource", "amount", "rounds"},
    "exposure": {"amount", "strike_type"},
    "extraction": {"amount", "effect"},
    "dependency": set(),
}


class Cost(Strict):
    """What the acceptor of an Offer pays [Bond 3.4]."""

    type: CostType = Field(description="Which of the five kinds.")
    resource: Resource | None = setting(None, "Flat and binding: what is lost.")
    amount: int = setting(0, "How much; dependency takes twice the heal instead.", ge=0, le=12)
    rounds: int = setting(0, "Binding: for how many rounds.", ge=0, le=5)
    strike_type: CardType | None = setting(None, "Exposure: the next Strike of this type hits harder.")
    effect: Extraction | None = setting(None, "Extraction: what the offerer gains for good.")

    def complaints(self) -> Iterator[str]:
        needed = COSTS[self.type]
        given = {name for name in ("resource", "amount", "rounds", "strike_type", "effect") if getattr(self, name)}
        if given != needed:
            yield f"a {self.type} cost takes exactly: {', '.join(sorted(needed)) or 'nothing else'}"


class Offer(ActionCard):
    """A transaction the opponent may accept: benefit, cost, investment [Bond 3]. A Covenant seals a Bond [Bond 6]."""

    theirs: ClassVar = ("benefit.resource", "price.resource")
    own: ClassVar = ("price.effect", "weakens.resource")

    category: Literal["offer"]
    cost: int = Field(ge=0, le=4, description="Energy to play it; only Covenants may cost 4 (E6).")
    benefit: Benefit = Field(description="What the acceptor gains.")
    price: Cost = Field(description="What the acceptor pays.")
    trust: int = setting(1, "The investment: trust on acceptance.", ge=0, le=3)
    covenant: bool = setting(False, "Playable from trust 9 on; accepted, it ends the room in a Bond.")
    weakens: Loss | None = setting(None, "Covenant: what the dungeon gives up for the whole run.")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        if self.price.effect == "insight" and self.side != "dungeon":
            yield "insight belongs to the dungeon [Bond 5.2]"
        if self.price.type == "dependency" and not self.benefit.amount:
            yield "a dependency takes back twice the heal: the benefit must heal an amount"
        if self.price.type == "dependency" and self.benefit.resource == "weakest":
            yield "a dependency must know its resource: name it in the benefit"
        if self.covenant and self.side != "dungeon":
            yield "only the dungeon proposes a Covenant [Bond 6.1]"
        if self.cost == 4 and not self.covenant:
            yield "cost 4 is for Covenants only (E6)"
        if self.weakens is not None and not self.covenant:
            yield "weakens belongs to Covenants"


class Test(ActionCard):
    """A prisoner's dilemma put to the opponent (E3) [GDD 4.5]."""

    __test__ = False  # not a test case, whatever its name says

    own: ClassVar = ("exposure.resource",)

    category: Literal["test"]
    exposure: Loss = Field(description="What the giver pays when the opponent cooperates.")


class Energy(Card):
    """Energy: standard, surge, attune or siphon [GDD 4.2]."""

    category: Literal["energy"]
    kind: Literal["standard", "surge", "attune", "siphon"] = Field(description="Which of the four.")
    amount: int = setting(1, "Surge: how much temporary energy.", ge=1, le=3)
    for_type: CardType | None = setting(None, "Attune: the type that gets cheaper. Surge: the only type it pays for.")
    condition: Condition | None = setting(None, "Siphon: when it grows the pool.")

    def complaints(self) -> Iterator[str]:
        yield from super().complaints()
        if (self.condition is not None) != (self.kind == "siphon"):
            yield "a Siphon, and only a Siphon, has a condition"
        if self.kind == "attune" and self.for_type is None:
            yield "an Attune needs for_type"
        if self.for_type is not None and self.kind not in {"attune", "surge"}:
            yield f"for_type means nothing with kind = {self.kind}"
        if self.amount != 1 and self.kind != "surge":
            yield "amount is the Surge's alone"


CARD_MODELS: Final[dict[str, type[Card]]] = {
    model.__name__.lower(): model
    for model in (Strike, Offer, Test, Trap, Reshape, Empower, Disrupt, Counter, React, Energy)
}
AnyCard = Annotated[
    Strike | Offer | Test | Trap | Reshape | Empower | Disrupt | Counter | React | Energy,
    Field(discriminator="category"),
]
CARD: Final[TypeAdapter[Any]] = TypeAdapter(AnyCard)
