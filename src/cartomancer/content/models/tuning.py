"""How contested rolls resolve: numbers a designer may turn."""

from __future__ import annotations

from pydantic import Field

from cartomancer.content.models.base import Complaints, Identifier, Strict


class Tier(Strict):
    """One tier of a contested roll [GDD 4.9]."""

    id: Identifier = Field(description="Its name.")
    least_margin: int = Field(
        ge=-20, le=20, description="The smallest margin, attacker minus defender, that reaches it."
    )
    attacker_percent: int = Field(ge=0, le=300, description="Share of the power that hits the defender.")
    defender_percent: int = Field(ge=0, le=300, description="Share of the power that comes back to the attacker.")


class ResolutionTuning(Strict):
    """How contested rolls resolve: the tiers, from the best for the attacker to the worst."""

    tiers: list[Tier] = Field(
        min_length=2, max_length=8, description="The last one takes every margin below the others."
    )

    def complaints(self) -> Complaints:
        margins = [tier.least_margin for tier in self.tiers]
        falling = margins == sorted(set(margins), reverse=True)
        yield "tiers", not falling, f"least_margin must fall from tier to tier, not {margins}"
        yield "tiers", len({tier.id for tier in self.tiers}) != len(self.tiers), "every tier needs an id of its own"
