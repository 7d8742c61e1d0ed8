"""The words of the card game's content: sides, types, resources, keywords; conditions, and points of a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

from pydantic import Field

from cartomancer.content.models.base import Complaints, Strict, setting
from cartomancer.tables import table_beside

SideName = Literal["dungeon", "visitor"]
CardType = Literal["physical", "social", "mystical", "environmental"]
Resource = Literal["structure", "veil", "presence", "vitality", "resolve", "nerve"]
Category = Literal["strike", "offer", "test", "trap", "reshape", "empower", "disrupt", "counter", "react", "energy"]
Keyword = Literal["entangle", "erode", "drain", "overwhelm", "resonate", "cleave", "focused", "piercing"]
Occasion = Literal["strike", "offer_accepted", "offer", "test", "empower", "disrupt", "counter", "reshape", "energy"]
# what a card can do for a combo line [GDD 4.4]; what each means is in `lab/kernel/deeds.py`
Deed = Literal[
    "played", "landed", "empowered", "triggered", "entangled", "eroded", "drained", "spilled", "stole", "scrambled",
    "stripped", "warded", "cooperated", "accepted", "sprung",
]  # fmt: skip
CostType = Literal["flat", "binding", "exposure", "extraction", "dependency"]
Outcome = Literal["kill", "break", "panic", "bond", "overcome", "inert", "dominate", "survive"]  # of a room [GDD 3.4]
Ending = Literal["kill", "break", "panic", "bond", "overcome", "inert", "dominate", "survive", "fled"]  # of a run
Extraction = Literal["energy", "insight", "structure", "veil", "presence", "vitality", "resolve", "nerve"]

Milli = Annotated[int, Field(ge=0, le=30_000)]  # thousandths
RESOURCES: Final[dict[str, tuple[str, str, str]]] = {
    "dungeon": ("structure", "veil", "presence"),
    "visitor": ("vitality", "resolve", "nerve"),
}
OTHER_SIDE: Final[dict[str, str]] = {"dungeon": "visitor", "visitor": "dungeon"}
TYPES: Final[tuple[str, ...]] = ("physical", "social", "mystical", "environmental")
AMONG_MEMBERS: Final = frozenset({"cleave", "focused"})
# what content is said to do, from which texts are generated
WORDS: Final = table_beside(__file__, "words.toml")
NO_MEMBERS: Final = "cleave and focused choose among party members: only the dungeon strikes those"


class ConditionRule(NamedTuple):
    """A condition in words ({foe} is the other side, {n} the value) and what its value is."""

    phrase: str
    asks: Literal["", "share", "count"] = ""  # a share of a reducer's start in percent, a count, or nothing


# The board states a trigger, a Siphon or a conditional modifier can ask about.
CONDITIONS: Final = {name: ConditionRule(**row) for name, row in WORDS["conditions"].items()}

if TYPE_CHECKING:
    ConditionName = str
else:
    ConditionName = Literal[tuple(CONDITIONS)]

Points = Annotated[int, Field(ge=1, le=12)]
Power = Annotated[int, Field(ge=0, le=9)]


class Condition(Strict):
    """A board state that holds or does not [GDD 9, Trigger System]."""

    when: ConditionName = Field(description="What must hold.")
    resource: Resource | None = setting(
        None, "For shares: the resource; without one, any of that side's three reducers."
    )
    value: int = setting(0, "Percent of the starting value, or a count.", ge=0, le=100)

    def complaints(self) -> Complaints:
        asks = CONDITIONS[self.when].asks
        yield "resource", self.resource and asks != "share", f"resource means nothing with when = {self.when}"
        yield "value", asks and "value" not in self.model_fields_set, f"value is needed with when = {self.when}"
        yield "value", self.value and not asks, f"value means nothing with when = {self.when}"

    def phrase(self, side: str) -> str:
        """It as a card of this side sees it, to follow "if" or "while".

        >>> Condition(when="opponent_entangled").phrase("dungeon")
        'the visitor is Entangled'
        >>> Condition(when="self_below", resource="vitality", value=50).phrase("visitor")
        'your vitality is below 50 %'
        >>> Condition(when="opponent_above", value=75).phrase("visitor")
        "any of the dungeon's reducers is above 75 %"
        """
        foe = f"the {OTHER_SIDE[side]}"
        owner = "your" if self.when.startswith("self") else f"{foe}'s"
        whose = f"{owner} {self.resource}" if self.resource else f"any of {owner} reducers"
        return CONDITIONS[self.when].phrase.format(foe=foe, whose=whose, n=self.value)

    def complaints_of(self, side: str) -> Complaints:
        """What does not fit a card of this side."""
        owner, downed = side if self.when.startswith("self") else OTHER_SIDE[side], self.when == "member_down"
        yield "when", downed and side != "visitor", "member_down asks about one's own members: only visitors have any"
        foreign = self.resource and self.resource not in RESOURCES[owner]
        yield "resource", foreign, f"{self.when} asks about the {owner}, which has no {self.resource}"


class Trigger(Condition):
    """A bonus while a condition holds [GDD 4.3]."""

    power: Power = setting(0, "Added to the card's number.")
    keywords: list[Keyword] = setting(list, "Keywords the Strike gains.")
    advantage: bool = setting(False, "The Strike rolls with advantage.")

    def complaints(self) -> Complaints:
        yield from super().complaints()
        gives = self.power or self.keywords or self.advantage
        yield "", not gives, "a trigger must give power, keywords or advantage"
        yield "keywords", len(set(self.keywords)) != len(self.keywords), "a keyword is listed twice"


class Loss(Strict):
    """Points of one resource."""

    resource: Resource = Field(description="Which resource.")
    amount: Points = Field(description="How many points.")


class Fortify(Loss):
    """Incoming damage to one resource is reduced for some rounds [GDD 9]."""

    rounds: int = setting(1, "For how many rounds.", ge=1, le=2)


class Heal(Strict):
    """Points won back."""

    resource: Resource | Literal["weakest"] = Field(description="Which resource; the weakest by share of its start.")
    amount: Points = Field(description="How many points.")
