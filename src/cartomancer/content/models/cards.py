"""Cards: ten categories, one model each, told apart by `category` [GDD 4.1–4.3, Bond 3].

A card belongs to one side. Resources are named, so a card that strikes its own side or heals the other is refused
here, not discovered in a fight.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from pydantic import Field, TypeAdapter

from cartomancer.content.models import vocabulary as terms
from cartomancer.content.models.base import Complaints, Entry, Strict, setting

NO_SIDES: Final = (None, "chosen", "weakest", "energy", "insight")  # what stands for a resource and is of no side
PRYING: Final = ("reveal", "peek", "discard")


class Card(Entry):
    """What every card has."""

    own: ClassVar[tuple[str, ...]] = ()  # where it names resources of its own side …
    theirs: ClassVar[tuple[str, ...]] = ()  # … and of the other
    does: ClassVar[tuple[str, ...]] = ()  # it does at least one of these …
    idle: ClassVar[str] = ""  # … or else this is said of it

    side: terms.SideName = Field(description="Who plays it.")

    def complaints(self) -> Complaints:
        """What only its category asks comes at the end."""
        idle = self.does and not any(getattr(self, field) for field in self.does)
        yield from (*self._wrong_sides(), *self._wrong_keywords(), ("", idle, self.idle), *self.misfits())

    def _wrong_sides(self) -> Complaints:
        for fields, side in ((self.theirs, terms.OTHER_SIDE[self.side]), (self.own, self.side)):
            theirs = terms.RESOURCES[side]
            for field in fields:
                resource: Any = self
                for name in field.split("."):
                    resource = getattr(resource, name, None)
                foreign = resource not in (*NO_SIDES, *theirs)
                yield field, foreign, f"{field} must be one of the {side}'s: {', '.join(theirs)}"
        if asked := self.asks():
            place = "trigger" if getattr(self, "trigger", None) else "condition"
            for field, wrong, sentence in asked.complaints_of(self.side):
                yield f"{place}.{field}", wrong, sentence

    def _wrong_keywords(self) -> Complaints:
        keywords, trigger = getattr(self, "keywords", None), getattr(self, "trigger", None)
        if keywords is None:
            strikes = trigger and (trigger.keywords or trigger.advantage)
            yield "trigger", strikes, f"the trigger of a {type(self).__name__} gives power only: it strikes nobody"
            return
        among = self.granted() & terms.AMONG_MEMBERS
        yield "keywords", among and self.side == "visitor", terms.NO_MEMBERS
        yield "keywords", among == terms.AMONG_MEMBERS, "cleave hits every member, focused one: a card cannot have both"
        yield "keywords", len(set(keywords)) != len(keywords), "a keyword is listed twice"

    def misfits(self) -> Complaints:
        """What else may be wrong with a card of its category."""
        return iter(())

    def asks(self) -> terms.Condition | None:
        """The board state that its trigger asks about, or a Siphon."""
        return getattr(self, "trigger", None) or getattr(self, "condition", None)

    def granted(self) -> set[str]:
        """The keywords it has or grants, some only while its trigger holds."""
        trigger = getattr(self, "trigger", None)
        return {*getattr(self, "keywords", ()), *(trigger.keywords if trigger else ())}


class ActionCard(Card):
    """A card with a type and a cost; it can be activated instead of played [GDD 8.4]."""

    type: terms.CardType = Field(description="Its alignment: attributes, Attune, Resonate and Exposure go by it (E10).")
    cost: int = Field(ge=0, le=3, description="Energy to play it.")
    exhaust: bool = setting(False, "Removed from the run after use [GDD 9].")


class Prying(ActionCard):
    """A card that may look at, or take away, what the opponent holds hidden [GDD 13 #8]."""

    reveal: int = setting(0, "Random cards of the opponent's hand that are shown.", ge=0, le=3)
    peek: bool = setting(False, "Shows the opponent's face-down Traps.")
    discard: int = setting(0, "Random cards the opponent must discard.", ge=0, le=2)


class Strike(Prying):
    """Damage to one resource through a contested roll [GDD 4.9]."""

    theirs: ClassVar = ("target", "erode", "spill_to", "thorns.resource")
    own: ClassVar = ("drain_to", "self_cost.resource", "fortify.resource")

    category: Literal["strike"]
    target: terms.Resource | Literal["chosen"] = Field(description="What it hits; 'chosen' asks the player.")
    power: int = Field(ge=1, le=9, description="Damage of a clean hit.")
    keywords: list[terms.Keyword] = setting(list, "What a hit does beyond damage [GDD 9].")
    erode: terms.Resource | None = setting(None, "What Erode gnaws at; without it, the target.")
    drain_to: terms.Resource | None = setting(None, "What Drain heals; without it, the weakest reducer.")
    spill_to: terms.Resource | None = setting(None, "Where Overwhelm spills; without it, the weakest other.")
    trigger: terms.Trigger | None = setting(None, "A bonus while a condition holds.")
    self_cost: terms.Loss | None = setting(None, "What the striker loses to play it.")
    disadvantage: bool = setting(False, "A hit makes the opponent's next Strike roll with disadvantage.")
    thorns: terms.Loss | None = setting(None, "A hit makes the opponent's next Strike cost it this much.")
    strip: bool = setting(False, "A hit makes the opponent's next Strike lose all keywords.")
    randomise: bool = setting(False, "A hit makes the opponent's next Strike hit a random resource.")
    energy_loss: int = setting(0, "Energy a hit takes from the opponent at once.", ge=0, le=3)
    ward: terms.Power = setting(0, "Ward for the striker on a hit.")
    fortify: terms.Fortify | None = setting(None, "Reduced damage to one of the striker's resources after a hit.")
    draw: int = setting(0, "Cards the striker draws on a hit.", ge=0, le=3)

    def misfits(self) -> Complaints:
        for field, keyword in (("erode", "erode"), ("drain_to", "drain"), ("spill_to", "overwhelm")):
            aimless = getattr(self, field) is not None and keyword not in self.granted()
            yield field, aimless, f"{field} means nothing without the keyword {keyword}"


class Empower(ActionCard):
    """A buff on one's own next Strike, kept until it is used [GDD 4.1, 4.3]."""

    does: ClassVar = ("power", "advantage", "keywords", "ward")
    idle: ClassVar = "an Empower must give power, advantage, keywords or ward"

    category: Literal["empower"]
    power: terms.Power = setting(0, "Power the next Strike gains.")
    advantage: bool = setting(False, "The next Strike rolls with advantage.")
    keywords: list[terms.Keyword] = setting(list, "Keywords the next Strike gains.")
    ward: terms.Power = setting(0, "Ward for oneself at once.")
    trigger: terms.Trigger | None = setting(None, "More of it while a condition holds.")


class Disrupt(Prying):
    """A debuff on the opponent's next Strike, kept until it is used up [GDD 4.1, 9]."""

    theirs: ClassVar = ("thorns.resource",)
    does: ClassVar = ("disadvantage", "thorns", "strip", "randomise")
    idle: ClassVar = "a Disrupt must do at least one of disadvantage, thorns, strip, randomise"

    category: Literal["disrupt"]
    disadvantage: bool = setting(False, "That Strike rolls with disadvantage.")
    thorns: terms.Loss | None = setting(None, "What the striker loses when striking.")
    strip: bool = setting(False, "That Strike loses all keywords.")
    randomise: bool = setting(False, "That Strike hits a random resource.")


class Counter(Prying):
    """Removes the opponent's Empower, or else the Disrupt it laid on us, with a secondary effect [GDD 4.3]."""

    theirs: ClassVar = ("chip.resource",)
    own: ClassVar = ("fortify.resource",)

    category: Literal["counter"]
    chip: terms.Loss | None = setting(None, "Damage it always deals.")
    punish: terms.Power = setting(0, "More chip damage when an Empower was removed.")
    steal: bool = setting(False, "The removed Empower becomes ours.")
    entangle: bool = setting(False, "Entangles the opponent when something was removed.")
    fortify: terms.Fortify | None = setting(None, "Fortifies us when something was removed.")
    disarm: bool = setting(False, "Also removes the opponent's oldest face-down Trap.")

    def misfits(self) -> Complaints:
        yield "chip", self.punish and self.chip is None, "punish raises the chip: give chip as well"


class React(ActionCard):
    """Mitigates a Strike that hits, through a contested roll [GDD 4.3]."""

    own: ClassVar = ("absorb.resource",)
    does: ClassVar = ("power", "absorb")
    idle: ClassVar = "a React must have power or absorb"

    category: Literal["react"]
    power: int = Field(ge=0, le=9, description="Damage a clean defence prevents.")
    absorb: terms.Fortify | None = setting(None, "Fortify gained whether the defence succeeds or not.")
    reflect: bool = setting(False, "A devastating defence throws back what it prevented.")
    trigger: terms.Trigger | None = setting(None, "More power while a condition holds: desperate defence.")


class Trap(ActionCard):
    """Laid face-down; springs by itself when its occasion comes [GDD 4.1]."""

    theirs: ClassVar = ("target", "erode")
    does: ClassVar = ("power", "entangle", "erode", "disadvantage", "energy_loss")
    idle: ClassVar = "a Trap must do something when it springs"

    category: Literal["trap"]
    springs: terms.Occasion = Field(description="What the opponent does to spring it.")
    target: terms.Resource = Field(description="What it hurts.")
    power: terms.Power = setting(0, "The damage, without a roll.")
    entangle: bool = setting(False, "Entangles whoever springs it.")
    erode: terms.Resource | None = setting(None, "Erodes this resource of whoever springs it.")
    disadvantage: bool = setting(False, "The springer's next Strike rolls with disadvantage.")
    energy_loss: int = setting(0, "Energy the springer loses at once.", ge=0, le=3)


class Reshape(Prying):
    """Changes the encounter without a contest: healing, fortification, adaptation [GDD 4.1]."""

    own: ClassVar = ("heal.resource", "fortify.resource")
    does: ClassVar = ("heal", "fortify", "ward", "restore", "calm", "cleanse", "disarm", "draw", *PRYING)
    idle: ClassVar = "a Reshape must change something"

    category: Literal["reshape"]
    heal: terms.Heal | None = setting(None, "Points won back.")
    fortify: terms.Fortify | None = setting(None, "Reduced damage to one resource.")
    ward: terms.Power = setting(0, "Reduces the next incoming damage.")
    restore: terms.Power = setting(0, "Brings a knocked-out member back with this vitality [GDD 16.8].")
    calm: int = setting(0, "Rounds in which the room's auto-effects spare our side.", ge=0, le=4)
    cleanse: bool = setting(False, "Sheds Disrupt, Erode, Entangle, weakness and threat.")
    disarm: bool = setting(False, "Removes the opponent's oldest face-down Trap.")
    draw: int = setting(0, "Cards drawn.", ge=0, le=3)
    trigger: terms.Trigger | None = setting(None, "More healing while a condition holds.")

    def misfits(self) -> Complaints:
        cheap = self.side != "visitor" or self.cost < 3
        yield "restore", self.restore and cheap, "restore belongs to visitors and costs 3 [GDD 16.8]"
        yield "trigger", self.trigger and not self.heal, "the trigger of a Reshape raises its heal: give heal as well"


class Benefit(Strict):
    """What the acceptor of an Offer gains [Bond 3.2]."""

    resource: terms.Resource | Literal["weakest"] | None = setting(None, "What is healed.")
    amount: int = setting(0, "By how much.", ge=0, le=12)
    full_restore: bool = setting(False, "Heals the resource to its starting value.")
    ward: terms.Power = setting(0, "Ward for the acceptor.")
    draw: int = setting(0, "Cards the acceptor draws.", ge=0, le=3)

    def complaints(self) -> Complaints:
        heals = bool(self.amount or self.full_restore)
        alone = heals != (self.resource is not None)
        yield "resource", alone, "a heal needs resource together with amount or full_restore"
        yield "amount", self.amount and self.full_restore, "give amount or full_restore, not both"
        yield "", not (heals or self.ward or self.draw), "a benefit must heal, ward or draw"


# What each kind of cost is made of [Bond 3.4].
COSTS: Final[dict[terms.CostType, set[str]]] = {
    "flat": {"resource", "amount"},
    "binding": {"resource", "amount", "rounds"},
    "exposure": {"amount", "strike_type"},
    "extraction": {"amount", "effect"},
    "dependency": set(),
}


class Cost(Strict):
    """What the acceptor of an Offer pays [Bond 3.4]."""

    type: terms.CostType = Field(description="Which of the five kinds.")
    resource: terms.Resource | None = setting(None, "Flat and binding: what is lost.")
    amount: int = setting(0, "How much; dependency takes twice the heal instead.", ge=0, le=12)
    rounds: int = setting(0, "Binding: for how many rounds.", ge=0, le=5)
    strike_type: terms.CardType | None = setting(None, "Exposure: the next Strike of this type hits harder.")
    effect: terms.Extraction | None = setting(None, "Extraction: what the offerer gains for good.")

    def complaints(self) -> Complaints:
        needed = COSTS[self.type]
        given = {name for name in ("resource", "amount", "rounds", "strike_type", "effect") if getattr(self, name)}
        yield "", given != needed, f"a {self.type} cost takes exactly: {', '.join(sorted(needed)) or 'nothing else'}"


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
    weakens: terms.Loss | None = setting(None, "Covenant: what the dungeon gives up for the whole run.")

    def misfits(self) -> Complaints:
        visitors, depends, heal = self.side == "visitor", self.price.type == "dependency", self.benefit
        yield "price.effect", visitors and self.price.effect == "insight", "insight belongs to the dungeon [Bond 5.2]"
        nothing, anything = depends and not heal.amount, depends and heal.resource == "weakest"
        yield "benefit.amount", nothing, "a dependency takes back twice the heal: the benefit must heal an amount"
        yield "benefit.resource", anything, "a dependency must know its resource: name it in the benefit"
        yield "covenant", visitors and self.covenant, "only the dungeon proposes a Covenant [Bond 6.1]"
        yield "cost", self.cost == 4 and not self.covenant, "cost 4 is for Covenants only (E6)"
        yield "weakens", self.weakens and not self.covenant, "weakens belongs to Covenants"


class Test(ActionCard):
    """A prisoner's dilemma put to the opponent (E3) [GDD 4.5]."""

    __test__ = False  # not a test case, whatever its name says

    own: ClassVar = ("exposure.resource",)

    category: Literal["test"]
    exposure: terms.Loss = Field(description="What the giver pays when the opponent cooperates.")


class Energy(Card):
    """Energy: standard, surge, attune or siphon [GDD 4.2]."""

    category: Literal["energy"]
    kind: Literal["standard", "surge", "attune", "siphon"] = Field(description="Which of the four.")
    amount: int = setting(1, "Surge: how much temporary energy.", ge=1, le=3)
    for_type: terms.CardType | None = setting(
        None, "Attune: the type that gets cheaper. Surge: the only type it pays for."
    )
    condition: terms.Condition | None = setting(None, "Siphon: when it grows the pool.")

    def misfits(self) -> Complaints:
        grows, kind = self.condition is not None, self.kind
        yield "condition", grows != (kind == "siphon"), "a Siphon, and only a Siphon, has a condition"
        yield "for_type", kind == "attune" and self.for_type is None, "an Attune needs for_type"
        idle = self.for_type and kind not in {"attune", "surge"}
        yield "for_type", idle, f"for_type means nothing with kind = {kind}"
        yield "amount", self.amount != 1 and kind != "surge", "amount is the Surge's alone"


OneCard = Strike | Offer | Test | Trap | Reshape | Empower | Disrupt | Counter | React | Energy
AnyCard = Annotated[OneCard, Field(discriminator="category")]
CARD_MODELS: Final[dict[str, type[Card]]] = {model.__name__.lower(): model for model in get_args(OneCard)}
CARD: Final[TypeAdapter[Any]] = TypeAdapter(AnyCard)
