"""The numbers behind a run: what it starts with, what nodes pay and cost, how dangerous they are (C1–C12)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cartomancer.content.models.base import Complaints, Identifier, Percent, Strict, exactly
from cartomancer.content.models.bestiary import Tier as EnemyTier
from cartomancer.content.models.effects import Tier

Gold = Annotated[int, Field(ge=0, le=1000)]
Danger = Annotated[int, Field(ge=1, le=5)]
HOOK_STEPS = 3
MapFamily = Literal["voyage", "contract", "guardian"]


class DangerRule(Strict):
    """How danger grows along a map: from the first row to the last before the boss, and by the kind of node (C12)."""

    first: Danger = Field(description="Danger of combats in the first row.")
    last: Danger = Field(description="Danger of combats in the last rows.")
    elite: int = Field(ge=0, le=3, description="Danger an elite node adds.")


class ExpeditionTuning(Strict):
    """What a run starts with, what its nodes pay and ask."""

    gold: Gold = Field(description="Gold at the start.")
    supplies: int = Field(ge=0, le=20, description="Supplies at the start: each feeds the party through a fight.")
    most_supplies: int = Field(ge=1, le=50, description="The most that can be carried.")
    rewards: dict[Identifier, Gold] = Field(description="Gold for a node that is won, by its kind.")
    reward_per_danger: Gold = Field(description="Gold on top for each point of danger.")
    survive_percent: Percent = Field(description="The share of the reward for a fight that is only outlasted (C3).")
    bond_percent: Percent = Field(description="The share of the reward for a Bond; it heals as well (C3).")
    broken_percent: Percent = Field(description="The share of the gold that a broken party keeps (C3).")
    rest_heal_percent: Percent = Field(description="Share of its maximum a member heals at a rest (C4).")
    recover_percent: Percent = Field(description="Share of missing resolve and nerve that returns after a node (C2).")
    return_percent: Percent = Field(description="Share of its maximum, beside 1, a fallen member returns with (C2).")
    injury_vitality: int = Field(ge=0, le=5, description="Maximum vitality an injury takes, a step (C5).")
    stress_nerve: int = Field(ge=0, le=5, description="Nerve that stress takes at the start of fights, a step (C5).")
    training_price: Gold = Field(description="What a shop asks for training a card.")
    flex_price: Gold = Field(description="What a shop asks for a generic card in a flex slot.")
    gear_prices: dict[Tier, Gold] = Field(description="What equipment costs, by its tier.")
    sell_percent: Percent = Field(description="What a shop pays for equipment and items, as a share of their price.")
    discount_percent: Percent = Field(description="What a discount token takes off a price.")
    shop_gear: int = Field(ge=0, le=4, description="Pieces of equipment a shop offers.")
    shop_cards: int = Field(ge=0, le=6, description="Generic cards a shop offers for flex slots.")
    treasures: int = Field(ge=1, le=6, description="Items a treasure lets the party choose from (C10).")
    training_choices: int = Field(ge=1, le=8, description="Cards an upgrade lets the party choose from.")
    cache_gold: Gold = Field(description="Gold in a clean cache.")
    cache_supplies: int = Field(ge=0, le=10, description="Supplies in a clean cache.")
    blessing_fights: int = Field(ge=1, le=9, description="Fights a shrine's blessing lasts (C10).")
    blessings: list[Identifier] = Field(min_length=3, description="Items whose effects a shrine may grant.")
    trial_percent: Percent = Field(description="How likely an elite offers a trial where no contract says so (C8).")
    danger: dict[MapFamily, DangerRule] = Field(description="How danger grows on the maps of a family.")
    themes: dict[MapFamily, list[Identifier]] = Field(description="The themes of a family's acts; empty: the map says.")
    rolled_vigour_percent: dict[EnemyTier, int] = Field(
        description="Vigour of packs that guardian maps roll, by the tier of the encounter."
    )
    vigour_by_players: Annotated[list[Percent], exactly(4, "Vigour of bosses against 1 to 4 players.")]
    boss_vigour_percent: dict[Identifier, int] = Field(
        description="Vigour of bosses by their profile, as a share of what their guardian has at the end of a map."
    )
    heat_high: int = Field(ge=0, le=10, description="Heat from which the rival is hot (C6).")

    def complaints(self) -> Complaints:
        yield "themes", not self.themes.get("voyage"), "voyages need a theme"
        yield "themes", not self.themes.get("contract"), "contracts need a theme"
        for family in ("voyage", "contract", "guardian"):
            yield "danger", family not in self.danger, f"danger.{family} is missing"
