"""How a computer player thinks: a temperament for each profile, and the weights all of them share [GDD 7, Bond 8].

Weights are thousandths: 1000 is what one point of damage, or one point of a reducer, is worth.
"""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import Field, create_model

from cartomancer.content.models.base import Complaints, Entry, Identifier, Strict, exactly, setting
from cartomancer.content.models.vocabulary import OTHER_SIDE, RESOURCES, Ending, Milli, Resource, SideName
from cartomancer.tables import table_beside

Goal = Literal["harm", "bond", "betray", "adapt"]
Trust = Annotated[int, Field(ge=0, le=99)]


class CategoryWeights(Strict):
    """What a card of each category is worth to this temperament; 1000 is plain."""

    strike: Milli = Field(description="Strikes.")
    empower: Milli = Field(description="Empowers.")
    disrupt: Milli = Field(description="Disrupts.")
    counter: Milli = Field(description="Counters.")
    react: Milli = Field(description="Reacts, and the energy kept for them.")
    trap: Milli = Field(description="Traps.")
    reshape: Milli = Field(description="Reshapes.")
    offer: Milli = Field(description="Offers.")
    test: Milli = Field(description="Tests.")
    restraint: Milli = Field(description="Discarding a Strike for trust [GDD 4.8].")


class MemberWeights(Strict):
    """Whom a Strike at a party picks [GDD 16.9]: a choice by chance, weighted with these."""

    plain: Milli = Field(description="Every standing member.")
    healer: Milli = Field(description="More for the member in the support role.")
    threat: Milli = Field(description="More for the one in the damage role.")
    wounded: Milli = Field(description="More, the less of its vitality is left.")
    lethal: Milli = Field(description="More when the Strike would knock it out.")


class Profile(Entry):
    """A temperament [GDD 7.1]."""

    side: SideName = Field(description="Whose temperament it is.")
    goal: Goal = Field(description="harm, bond, betray (court, then strike), adapt (court while it works).")
    weights: CategoryWeights
    targets: dict[Resource, Milli] = Field(description="The opponent's reducers: how gladly each is attacked.")
    members: MemberWeights
    courts_like: Identifier | None = setting(
        None, "The profile it plays as while it courts: betray and adapt need one [Bond 8.2, 8.3]."
    )
    strikes_below: Trust = Field(description="Trust from which it does not strike at all [GDD 7.3].")
    betrays_at: Trust = setting(99, "betray: the trust that is spent [Bond 8.2].")
    patience: int = setting(
        4, "betray: rounds without more trust, or left in the room, after which it drops the mask (D1).", ge=1, le=20
    )
    courts_from: Trust = setting(99, "adapt: the trust from which a Bond looks possible.")
    caution: Milli = Field(description="A point its own Strikes cost it: what comes back, thorns.")
    openness: int = Field(ge=-9000, le=9000, description="Added to an Offer's benefit for each point of trust in it.")
    scepticism: int = Field(ge=-9000, le=9000, description="Added to the threshold an Offer must pass [Bond 8.4].")
    retreats_below: int = Field(ge=0, le=1000, description="Chance of winning below which a visitor would flee.")

    def complaints(self) -> Complaints:
        theirs = RESOURCES[OTHER_SIDE[self.side]]
        unfit = (self.goal in {"betray", "adapt"}) != bool(self.courts_like)
        others = set(self.targets) != set(theirs)
        yield "targets", others, f"targets must weigh exactly the opponent's reducers: {', '.join(theirs)}"
        yield "courts_like", unfit, "courts_like belongs to the goals betray and adapt, and they need it"


def _weight(row: Any) -> Any:
    """A row of `thinking.toml` as a field."""
    told: dict[str, Any] = {"description": row} if isinstance(row, str) else row
    kind: Any = Annotated[int, Field(ge=told["least"], le=told["most"])] if "most" in told else Milli
    if "count" not in told:
        return kind, Field(description=told["description"])
    return GenericAlias(list, int if "whole" in told else kind), exactly(told["count"], told["description"])


if TYPE_CHECKING:

    class ThinkingTuning(Strict):
        """The weights every profile shares, and the formulas of acceptance."""

        doubt: int  # the others are read by the kernels alone, by their names

else:
    _ROWS = table_beside(__file__, "thinking.toml")
    _FIELDS = {name: _weight(row) for name, row in _ROWS.items()}
    _ABOUT = "The weights every profile shares, and the formulas of acceptance."
    ThinkingTuning = create_model("ThinkingTuning", __base__=Strict, __doc__=_ABOUT, __module__=__name__, **_FIELDS)


Worths = dict[Ending, Milli]  # of endings to a side


class EndingsTuning(Strict):
    """What the endings of a run are worth: to a visitor, and to a dungeon by its profile's goal [GDD 17, Bond 9]."""

    visitor: Worths = Field(description="To a visitor.")
    dungeon: dict[Goal, Worths] = Field(description="To a dungeon with this goal.")

    def complaints(self) -> Complaints:
        for goal in get_args(Goal):
            yield "dungeon", goal not in self.dungeon, f"dungeon.{goal} is missing: every goal has its worths"
        for name, worths in {"visitor": self.visitor, **{f"dungeon.{g}": w for g, w in self.dungeon.items()}}.items():
            missing = [ending for ending in get_args(Ending) if ending not in worths]
            yield name, missing, f"{name} must have a worth of every ending; missing: {', '.join(missing)}"
