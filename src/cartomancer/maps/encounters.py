"""Guardian details."""

from __future__ import annotations

from cartomancer.content.models.guardian import GuardianRules
from cartomancer.maps.model import Map


def furnish_guardian_map(drawn: Map, rules: GuardianRules) -> Map:
    return drawn
