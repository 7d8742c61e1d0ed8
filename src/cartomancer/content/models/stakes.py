"""What a contract puts at stake: hooks, boss traits, items, trials, bundles, intrusions [Contracts 3, 4, libraries].

Entries hold structured effects; their rules text is generated from them, so text and behaviour cannot drift.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from cartomancer.content.models.base import Complaints, Entry, Identifier, Strict, Weight, setting
from cartomancer.content.models.changes import Change
from cartomancer.content.models.effects import Modifier, sentence

Pool = Literal["normal", "counter", "condition"]


class Hook(Entry):
    """Something unresolved that a party carries on: an injury, stress, a quarrel, want, a price on a head."""

    trap_weight: Weight = setting(0, "How often a trapped cache leaves it, against the others.")


class Trait(Modifier):
    """What makes a boss different, shown before the contract is taken [Contracts 4]."""


class Item(Modifier):
    """Something a shop sells: normal stock, a counter to boss traits, or help for the party's condition."""

    pool: Pool = Field(description="Which of the three pools of a shop it belongs to.")
    price: int = Field(ge=1, le=1000, description="Its price in gold.")
    consumable: bool = setting(False, "Whether it is used up.")
    counters: list[Identifier] = setting(list, "The boss traits it counters.")
    treats: list[Identifier] = setting(list, "The hooks it treats.")

    def complaints(self) -> Complaints:
        counters, treats = self.pool == "counter", self.pool == "condition"
        yield "counters", bool(self.counters) != counters, "an item lists counters exactly when its pool is counter"
        yield "treats", bool(self.treats) != treats, "an item lists what it treats exactly when its pool is condition"


class Trial(Modifier):
    """A handicap an elite offers; whoever accepts it picks one reward bundle [Contracts, trial library]."""


class Bundle(Entry):
    """A reward for an accepted trial [Contracts, trial rewards]."""

    gains: list[Change] = Field(min_length=1, description="What it holds.")

    def text(self) -> str:
        """What the bundle holds, generated from its gains."""
        return sentence([gain.phrase() for gain in self.gains])


class Intrusion(Modifier):
    """What a rival does at the step where the lanes meet [Contracts, intrusion library]."""

    weights: dict[Identifier, Weight] = Field(description="How likely it is in each state of the rival.")
    hook_bonus: dict[Identifier, Weight] = setting(dict, "Weight added for each of these hooks that the party carries.")
    leaves: Identifier | None = setting(None, "The hook it may leave behind.")
    affects_next_node: bool = setting(True, "Whether it changes the next node, or the party at once.")

    def text(self) -> str:
        """What the rival did, generated from its effects."""
        parts = [effect.phrase() for effect in self.effects]
        if self.leaves is not None:
            parts.append(f"it may leave the hook '{self.leaves.replace('_', ' ')}'")
        return sentence(parts, "in the next node " if self.affects_next_node else "at once ")


class StakesTuning(Strict):
    """The numbers behind a contract's stakes."""

    boss_traits: int = Field(ge=1, le=4, description="How many traits a boss shows.")
    shop_slots: int = Field(ge=1, le=12, description="How many items a shop offers.")
    shop_pools: dict[Pool, Weight] = Field(description="Weights of the pools each slot is rolled from [Contracts 4].")
    counters_per_trait: int = Field(ge=0, le=20, description="The fewest items that must counter each trait.")
    rival_states: list[Identifier] = Field(min_length=1, description="The states a rival can be in, the default first.")

    def complaints(self) -> Complaints:
        yield "shop_pools", not sum(self.shop_pools.values()), "shop_pools needs a weight above 0"
