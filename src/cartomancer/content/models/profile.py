"""How a computer player thinks: a temperament for each profile, and the weights all of them share [GDD 7, Bond 8].

Weights are thousandths: 1000 is what one point of damage, or one point of a reducer, is worth.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from cartomancer.content.models.base import Complaints, Entry, Identifier, Strict, exactly, setting
from cartomancer.content.models.vocabulary import OTHER_SIDE, RESOURCES, Ending, Milli, Resource, SideName

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
    greed: Trust = setting(0, "betray: trust beyond betrays_at that it waits for, unless it decides at once.")
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


class ThinkingTuning(Strict):
    """The weights every profile shares, and the formulas of acceptance."""

    # modes, from the chance of winning [GDD 7.1]
    mode_from: list[int] = exactly(3, "Chance: aggressive, balanced, defensive.")
    mode_attack: list[Milli] = exactly(4, "Strike and Empower in each mode.")
    mode_guard: list[Milli] = exactly(4, "React, Reshape, Counter, Disrupt.")
    mode_scheme: list[Milli] = exactly(4, "Trap, Offer, Test.")

    # strikes
    lethal: Milli = Field(description="A hit that would deplete what it strikes.")
    near: Milli = Field(description="More for a reducer near depletion: this much when nothing is left of it.")
    pressure: Milli = Field(description="More for a reducer the room presses too.")
    pace: Milli = Field(description="Damage a visitor may hope for in a round: what is out of reach counts less.")
    entangle: Milli = Field(description="Entangle, when the opponent is not held already.")
    erode: Milli = Field(description="A point of Erode that the room does not suppress.")
    drain: Milli = Field(description="A point drained, times the share the striker has lost.")
    overwhelm: Milli = Field(description="A point that would spill over.")
    cleave: Milli = Field(description="A point that hits a further member.")
    trigger: Milli = Field(description="An active trigger's bonus counts so much [GDD 7.1].")
    trigger_kept: Milli = Field(description="A point of a trigger's bonus that playing the card now would forgo.")
    self_cost: Milli = Field(description="A point of one's own, dearer the less of it is left.")
    exhaust: Milli = Field(description="What an Exhaust card must be worth beyond this, unless it is lethal.")
    trap_feared: Milli = Field(description="Striking into a face-down Trap, dearer the worse off the striker is.")
    unanswered: Milli = Field(description="Strikes at an opponent that has no React left to see.")
    trust_spent: Milli = Field(description="A point of trust a Strike would cost a player that courts.")

    # what helps and hinders
    advantage: Milli = Field(description="Rolling with advantage, or the opponent with disadvantage.")
    empower_kept: Milli = Field(description="Share of an Empower's worth when its Strike comes only later.")
    thorns: Milli = Field(description="A point of thorns.")
    strip: Milli = Field(description="Keywords taken from the next Strike.")
    randomise: Milli = Field(description="A Strike that loses its aim.")
    buff: Milli = Field(description="An Empower taken from the opponent.")
    ward: Milli = Field(description="A point of Ward.")
    fortify: Milli = Field(description="A point of Fortify for a round.")
    heal: Milli = Field(description="A point won back, times need.")
    heal_wasted: Milli = Field(description="A point of healing for which nothing is missing: it could heal later.")
    restore: Milli = Field(description="A member brought back.")
    calm: Milli = Field(description="A round without the room's pressure, for each point of it.")
    cleanse: Milli = Field(description="Each burden shed.")
    disarm: Milli = Field(description="A face-down Trap removed.")
    draw: Milli = Field(description="A card drawn.")
    discard: Milli = Field(description="A card the opponent must discard.")
    reveal: Milli = Field(description="A card of the opponent's hand that is shown.")
    peek: Milli = Field(description="A face-down Trap of the opponent that is shown.")
    energy_loss: Milli = Field(description="A point of energy taken from the opponent.")
    trap: Milli = Field(description="Share of a Trap's harm that counts when it is laid.")
    support_kept: Milli = Field(description="A Disrupt, Counter, Trap or Reshape could be of more use later.")
    react_kept: Milli = Field(description="What answering costs beyond energy: the React cannot answer a later hit.")
    expected_strike: Milli = Field(description="Damage an opponent's Strike is expected to bring.")

    # the turn
    surge_kept: Milli = Field(description="What using up a Surge costs.")
    siphon_kept: Milli = Field(description="What using a Siphon for one temporary energy costs.")
    activation: Milli = Field(description="What activating a card costs beyond its own worth.")
    covenant_saving: Milli = Field(description="What a Surge costs while a Covenant waits for it.")
    covenant: Milli = Field(description="Sealing a Bond, to a player that wants one.")
    trust: Milli = Field(description="A point of trust, to a player that wants a Bond.")
    scheme: Milli = Field(description="An Exposure's or a Binding's cost, to whoever means to betray.")
    test_window: list[int] = exactly(2, "Chances of cooperation worth testing.")
    test_outside: Milli = Field(description="What is left of a Test's worth outside that window.")

    # acceptance [Bond 3.5, 6.2] and cooperation (E3)
    low_percent: int = Field(ge=0, le=100, description="A reducer below this share makes its side desperate.")
    threshold: Milli = Field(description="Tier 0: what a trade must bring beyond its cost …")
    threshold_relief: Milli = Field(description="… less this much times the share of low reducers.")
    trust_factor: Milli = Field(description="Tier 1: belief in an Offer with a hidden cost …")
    trust_factor_step: Milli = Field(description="… more for every point of trust.")
    risk: Milli = Field(description="Tier 1: what the believed benefit must pass …")
    risk_relief: Milli = Field(description="… less this much times the share of low reducers.")
    covenant_factor: Milli = Field(description="Covenant: trust's part …")
    covenant_factor_step: Milli = Field(description="… more for every point of trust.")
    covenant_desperation: Milli = Field(description="More for every low reducer.")
    covenant_suspicion: Milli = Field(description="What is left after the dungeon has struck in this room.")
    cooperation: Milli = Field(description="Chance to cooperate in a Test …")
    cooperation_step: Milli = Field(description="… more for every point of trust …")
    cooperation_most: Milli = Field(description="… at most.")

    # Monte Carlo [GDD 7.2]
    horizon: int = Field(ge=1, le=20, description="Rounds a rollout looks ahead.")
    rollout_scale: Milli = Field(description="What a thousandth of a rollout's worth counts in the plan of a turn.")
    rollout_bond: Milli = Field(description="A Bond in a rollout, to a player that does not want one.")
    health: Milli = Field(description="Evaluation: the mean shares of both sides.")
    vulnerability: Milli = Field(description="Evaluation: the lowest shares of both sides.")
    time: Milli = Field(description="Evaluation: rounds survived, to the visitor.")

    # smart players
    doubt: int = Field(
        ge=0,
        le=100,
        description="Tenths of a standard error by which another option must lead before it replaces the heuristic's.",
    )


Worths = dict[Ending, Milli]  # of endings to a side


class EndingsTuning(Strict):
    """What the endings of a run are worth: to a visitor, and to a dungeon by its profile's goal [GDD 17, Bond 9]."""

    visitor: Worths = Field(description="To a visitor.")
    hunter: Worths = setting(dict, "What differs to a visitor that hunts a pack.")
    dungeon: dict[Goal, Worths] = Field(description="To a dungeon with this goal.")

    def complaints(self) -> Complaints:
        for goal in get_args(Goal):
            yield "dungeon", goal not in self.dungeon, f"dungeon.{goal} is missing: every goal has its worths"
        for name, worths in {"visitor": self.visitor, **{f"dungeon.{g}": w for g, w in self.dungeon.items()}}.items():
            missing = [ending for ending in get_args(Ending) if ending not in worths]
            yield name, missing, f"{name} must have a worth of every ending; missing: {', '.join(missing)}"

    def of_visitor(self, hunts: bool) -> Worths:
        """What they are worth to a visitor: one that hunts a pack came to beat it, not to outlast it."""
        return self.visitor | self.hunter if hunts else self.visitor
