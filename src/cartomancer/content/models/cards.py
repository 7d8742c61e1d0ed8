"""Cards: ten categories, one model each, told apart by `category` [GDD 4.1–4.3, Bond 3].

A card belongs to one side. Resources are named, so a card that strikes its own side or heals the other is refused
here, not discovered in a fight.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter, model_validator

from cartomancer.content.models.base import Entry, Strict
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


class Card(Entry):
    """What every card has."""

    side: SideName = Field(description="Who plays it.")

    def resource_faults(self) -> list[str]:
        """Resources named on the wrong side."""
        return []

    @model_validator(mode="after")
    def _names_the_right_resources(self) -> Card:
        faults = self.resource_faults()
        if faults:
            raise ValueError("; ".join(faults))
        return self

    def owned(self, field: str, resource: str | None) -> list[str]:
        """A fault if the resource is not the card's own side's."""
        return self._belongs(field, resource, self.side)

    def opposed(self, field: str, resource: str | None) -> list[str]:
        """A fault if the resource is not the other side's."""
        return self._belongs(field, resource, OTHER_SIDE[self.side])

    def keyword_faults(self, keywords: list[Keyword], trigger: Trigger | None) -> list[str]:
        """What is wrong with the keywords a card has or grants."""
        faults = []
        granted = set(keywords) | set(trigger.keywords if trigger else ())
        if self.side == "visitor" and granted & {"cleave", "focused"}:
            faults.append("cleave and focused choose among party members: only the dungeon strikes those")
        if {"cleave", "focused"} <= granted:
            faults.append("cleave hits every member, focused one: a card cannot have both")
        if len(set(keywords)) != len(keywords):
            faults.append("a keyword is listed twice")
        return faults

    def _belongs(self, field: str, resource: str | None, side: str) -> list[str]:
        if resource is None or resource in RESOURCES[side] or resource in {"chosen", "weakest"}:
            return []
        return [f"{field} = {resource} must be one of the {side}'s: {', '.join(RESOURCES[side])}"]


class ActionCard(Card):
    """A card with a type and a cost; it can be activated instead of played [GDD 8.4]."""

    type: CardType = Field(description="Its alignment: attributes, Attune, Resonate and Exposure go by it (E10).")
    cost: int = Field(ge=0, le=3, description="Energy to play it.")
    exhaust: bool = Field(default=False, description="Removed from the run after use [GDD 9].")


class Strike(ActionCard):
    """Damage to one resource through a contested roll [GDD 4.9]."""

    category: Literal["strike"]
    target: Resource | Literal["chosen"] = Field(description="What it hits; 'chosen' asks the player.")
    power: int = Field(ge=1, le=9, description="Damage of a clean hit.")
    keywords: list[Keyword] = Field(default_factory=list, description="What a hit does beyond damage [GDD 9].")
    erode: Resource | None = Field(default=None, description="What Erode gnaws at; without it, the target.")
    drain_to: Resource | None = Field(default=None, description="What Drain heals; without it, the weakest reducer.")
    spill_to: Resource | None = Field(
        default=None, description="Where Overwhelm spills; without it, the weakest other."
    )
    trigger: Trigger | None = Field(default=None, description="A bonus while a condition holds.")
    self_cost: Loss | None = Field(default=None, description="What the striker loses to play it.")

    def resource_faults(self) -> list[str]:
        faults = self.opposed("target", self.target) + self.opposed("erode", self.erode)
        faults += self.opposed("spill_to", self.spill_to) + self.owned("drain_to", self.drain_to)
        faults += self.owned("self_cost.resource", self.self_cost.resource if self.self_cost else None)
        granted = set(self.keywords) | set(self.trigger.keywords if self.trigger else ())
        for field, keyword in (("erode", "erode"), ("drain_to", "drain"), ("spill_to", "overwhelm")):
            if getattr(self, field) is not None and keyword not in granted:
                faults.append(f"{field} means nothing without the keyword {keyword}")
        faults += self.keyword_faults(self.keywords, self.trigger)
        return faults + (self.trigger.faults_for(self.side) if self.trigger else [])


class Empower(ActionCard):
    """A buff on one's own next Strike, kept until it is used [GDD 4.1, 4.3]."""

    category: Literal["empower"]
    power: Power = Field(default=0, description="Power the next Strike gains.")
    advantage: bool = Field(default=False, description="The next Strike rolls with advantage.")
    keywords: list[Keyword] = Field(default_factory=list, description="Keywords the next Strike gains.")
    ward: Power = Field(default=0, description="Ward for oneself at once.")
    trigger: Trigger | None = Field(default=None, description="More of it while a condition holds.")

    def resource_faults(self) -> list[str]:
        faults = self.trigger.faults_for(self.side) if self.trigger else []
        if not (self.power or self.advantage or self.keywords or self.ward):
            faults.append("an Empower must give power, advantage, keywords or ward")
        return faults + self.keyword_faults(self.keywords, self.trigger)


class Disrupt(ActionCard):
    """A debuff on the opponent's next Strike, kept until it is used up [GDD 4.1, 9]."""

    category: Literal["disrupt"]
    disadvantage: bool = Field(default=False, description="That Strike rolls with disadvantage.")
    thorns: Loss | None = Field(default=None, description="What the striker loses when striking.")
    strip: bool = Field(default=False, description="That Strike loses all keywords.")
    randomise: bool = Field(default=False, description="That Strike hits a random resource.")

    def resource_faults(self) -> list[str]:
        faults = self.opposed("thorns.resource", self.thorns.resource if self.thorns else None)
        if not (self.disadvantage or self.thorns or self.strip or self.randomise):
            faults.append("a Disrupt must do at least one of disadvantage, thorns, strip, randomise")
        return faults


class Counter(ActionCard):
    """Removes the opponent's Empower, or else the Disrupt it laid on us, with a secondary effect [GDD 4.3]."""

    category: Literal["counter"]
    chip: Loss | None = Field(default=None, description="Damage it always deals.")
    punish: Power = Field(default=0, description="More chip damage when an Empower was removed.")
    steal: bool = Field(default=False, description="The removed Empower becomes ours.")
    entangle: bool = Field(default=False, description="Entangles the opponent when something was removed.")
    fortify: Fortify | None = Field(default=None, description="Fortifies us when something was removed.")
    disarm: bool = Field(default=False, description="Also removes the opponent's oldest face-down Trap.")

    def resource_faults(self) -> list[str]:
        faults = self.opposed("chip.resource", self.chip.resource if self.chip else None)
        faults += self.owned("fortify.resource", self.fortify.resource if self.fortify else None)
        if self.punish and self.chip is None:
            faults.append("punish raises the chip: give chip as well")
        return faults


class React(ActionCard):
    """Mitigates a Strike that hits, through a contested roll [GDD 4.3]."""

    category: Literal["react"]
    power: int = Field(ge=0, le=9, description="Damage a clean defence prevents.")
    absorb: Fortify | None = Field(default=None, description="Fortify gained whether the defence succeeds or not.")
    reflect: bool = Field(default=False, description="A devastating defence throws back what it prevented.")
    trigger: Trigger | None = Field(default=None, description="More power while a condition holds: desperate defence.")

    def resource_faults(self) -> list[str]:
        faults = self.owned("absorb.resource", self.absorb.resource if self.absorb else None)
        if not (self.power or self.absorb):
            faults.append("a React must have power or absorb")
        if self.trigger and (self.trigger.keywords or self.trigger.advantage):
            faults.append("the trigger of a React gives power only: it strikes nobody")
        return faults + (self.trigger.faults_for(self.side) if self.trigger else [])


class Trap(ActionCard):
    """Laid face-down; springs by itself when its occasion comes [GDD 4.1]."""

    category: Literal["trap"]
    springs: Occasion = Field(description="What the opponent does to spring it.")
    target: Resource = Field(description="What it hurts.")
    power: Power = Field(default=0, description="The damage, without a roll.")
    entangle: bool = Field(default=False, description="Entangles whoever springs it.")
    erode: Resource | None = Field(default=None, description="Erodes this resource of whoever springs it.")
    disadvantage: bool = Field(default=False, description="The springer's next Strike rolls with disadvantage.")
    energy_loss: int = Field(default=0, ge=0, le=3, description="Energy the springer loses at once.")

    def resource_faults(self) -> list[str]:
        faults = self.opposed("target", self.target) + self.opposed("erode", self.erode)
        if not (self.power or self.entangle or self.erode or self.disadvantage or self.energy_loss):
            faults.append("a Trap must do something when it springs")
        return faults


class Reshape(ActionCard):
    """Changes the encounter without a contest: healing, fortification, adaptation [GDD 4.1]."""

    category: Literal["reshape"]
    heal: Heal | None = Field(default=None, description="Points won back.")
    fortify: Fortify | None = Field(default=None, description="Reduced damage to one resource.")
    ward: Power = Field(default=0, description="Reduces the next incoming damage.")
    restore: Power = Field(default=0, description="Brings a knocked-out member back with this vitality [GDD 16.8].")
    calm: int = Field(default=0, ge=0, le=4, description="Rounds in which the room's auto-effects spare our side.")
    cleanse: bool = Field(default=False, description="Sheds Disrupt, Erode, Entangle, weakness and threat.")
    disarm: bool = Field(default=False, description="Removes the opponent's oldest face-down Trap.")
    draw: int = Field(default=0, ge=0, le=3, description="Cards drawn.")
    trigger: Trigger | None = Field(default=None, description="More healing while a condition holds.")

    def resource_faults(self) -> list[str]:
        faults = self.owned("heal.resource", self.heal.resource if self.heal else None)
        faults += self.owned("fortify.resource", self.fortify.resource if self.fortify else None)
        if not (
            self.heal
            or self.fortify
            or self.ward
            or self.restore
            or self.calm
            or self.cleanse
            or self.disarm
            or self.draw
        ):
            faults.append("a Reshape must change something")
        if self.restore and (self.side != "visitor" or self.cost < 3):
            faults.append("restore belongs to visitors and costs 3 [GDD 16.8]")
        if self.trigger and not self.heal:
            faults.append("the trigger of a Reshape raises its heal: give heal as well")
        if self.trigger and (self.trigger.keywords or self.trigger.advantage):
            faults.append("the trigger of a Reshape gives power only: it strikes nobody")
        return faults + (self.trigger.faults_for(self.side) if self.trigger else [])


class Benefit(Strict):
    """What the acceptor of an Offer gains [Bond 3.2]."""

    resource: Resource | Literal["weakest"] | None = Field(default=None, description="What is healed.")
    amount: int = Field(default=0, ge=0, le=12, description="By how much.")
    full_restore: bool = Field(default=False, description="Heals the resource to its starting value.")
    ward: Power = Field(default=0, description="Ward for the acceptor.")
    draw: int = Field(default=0, ge=0, le=3, description="Cards the acceptor draws.")

    @model_validator(mode="after")
    def _gives_something(self) -> Benefit:
        heals = bool(self.amount or self.full_restore)
        if heals != (self.resource is not None):
            raise ValueError("a heal needs resource together with amount or full_restore")
        if self.amount and self.full_restore:
            raise ValueError("give amount or full_restore, not both")
        if not (heals or self.ward or self.draw):
            raise ValueError("a benefit must heal, ward or draw")
        return self


class Cost(Strict):
    """What the acceptor of an Offer pays [Bond 3.4]."""

    type: CostType = Field(description="Which of the five kinds.")
    resource: Resource | None = Field(default=None, description="Flat and binding: what is lost.")
    amount: int = Field(default=0, ge=0, le=12, description="How much; dependency takes twice the heal instead.")
    rounds: int = Field(default=0, ge=0, le=5, description="Binding: for how many rounds.")
    strike_type: CardType | None = Field(
        default=None, description="Exposure: the next Strike of this type hits harder."
    )
    effect: Extraction | None = Field(default=None, description="Extraction: what the offerer gains for good.")

    @model_validator(mode="after")
    def _fits_its_type(self) -> Cost:
        needed = {
            "flat": {"resource", "amount"},
            "binding": {"resource", "amount", "rounds"},
            "exposure": {"amount", "strike_type"},
            "extraction": {"amount", "effect"},
            "dependency": set(),
        }[self.type]
        given = {name for name in ("resource", "amount", "rounds", "strike_type", "effect") if getattr(self, name)}
        if given != needed:
            raise ValueError(f"a {self.type} cost takes exactly: {', '.join(sorted(needed)) or 'nothing else'}")
        return self


class Offer(ActionCard):
    """A transaction the opponent may accept: benefit, cost, investment [Bond 3]. A Covenant seals a Bond [Bond 6]."""

    category: Literal["offer"]
    cost: int = Field(ge=0, le=4, description="Energy to play it; only Covenants may cost 4 (E6).")
    benefit: Benefit = Field(description="What the acceptor gains.")
    price: Cost = Field(description="What the acceptor pays.")
    trust: int = Field(default=1, ge=0, le=3, description="The investment: trust on acceptance.")
    covenant: bool = Field(default=False, description="Playable from trust 9 on; accepted, it ends the room in a Bond.")
    weakens: Loss | None = Field(default=None, description="Covenant: what the dungeon gives up for the whole run.")

    def resource_faults(self) -> list[str]:
        faults = self.opposed("benefit.resource", self.benefit.resource) + self.opposed(
            "price.resource", self.price.resource
        )
        effect = self.price.effect
        if effect is not None and effect not in {"energy", "insight"}:
            faults += self.owned("price.effect", effect)
        if effect == "insight" and self.side != "dungeon":
            faults.append("insight belongs to the dungeon [Bond 5.2]")
        if self.price.type == "dependency" and not self.benefit.amount:
            faults.append("a dependency takes back twice the heal: the benefit must heal an amount")
        if self.price.type == "dependency" and self.benefit.resource == "weakest":
            faults.append("a dependency must know its resource: name it in the benefit")
        if self.covenant and self.side != "dungeon":
            faults.append("only the dungeon proposes a Covenant [Bond 6.1]")
        if self.cost == 4 and not self.covenant:
            faults.append("cost 4 is for Covenants only (E6)")
        if self.weakens is not None:
            faults += [] if self.covenant else ["weakens belongs to Covenants"]
            faults += self.owned("weakens.resource", self.weakens.resource)
        return faults


class Test(ActionCard):
    """A prisoner's dilemma put to the opponent (E3) [GDD 4.5]."""

    __test__ = False  # not a test case, whatever its name says

    category: Literal["test"]
    exposure: Loss = Field(description="What the giver pays when the opponent cooperates.")

    def resource_faults(self) -> list[str]:
        return self.owned("exposure.resource", self.exposure.resource)


class Energy(Card):
    """Energy: standard, surge, attune or siphon [GDD 4.2]."""

    category: Literal["energy"]
    kind: Literal["standard", "surge", "attune", "siphon"] = Field(description="Which of the four.")
    amount: int = Field(default=1, ge=1, le=3, description="Surge: how much temporary energy.")
    for_type: CardType | None = Field(
        default=None, description="Attune: the type that gets cheaper. Surge: the only type it pays for."
    )
    condition: Condition | None = Field(default=None, description="Siphon: when it grows the pool.")

    def resource_faults(self) -> list[str]:
        faults = []
        if (self.condition is not None) != (self.kind == "siphon"):
            faults.append("a Siphon, and only a Siphon, has a condition")
        if self.kind == "attune" and self.for_type is None:
            faults.append("an Attune needs for_type")
        if self.for_type is not None and self.kind not in {"attune", "surge"}:
            faults.append(f"for_type means nothing with kind = {self.kind}")
        if self.amount != 1 and self.kind != "surge":
            faults.append("amount is the Surge's alone")
        return faults + (self.condition.faults_for(self.side) if self.condition else [])


AnyCard = Annotated[
    Strike | Offer | Test | Trap | Reshape | Empower | Disrupt | Counter | React | Energy,
    Field(discriminator="category"),
]
CARD: Final[TypeAdapter[Any]] = TypeAdapter(AnyCard)
CARD_MODELS: Final[dict[str, type[Card]]] = {
    "strike": Strike,
    "offer": Offer,
    "test": Test,
    "trap": Trap,
    "reshape": Reshape,
    "empower": Empower,
    "disrupt": Disrupt,
    "counter": Counter,
    "react": React,
    "energy": Energy,
}
