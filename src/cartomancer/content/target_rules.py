"""What a set of targets may name: everything in it exists, and reasons are given for rows that are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cartomancer.content.codex_checks import profile_faults
from cartomancer.content.models.encounter import Scenario
from cartomancer.content.models.profile import Profile
from cartomancer.content.models.quality import QualityTuning
from cartomancer.content.models.targets import TargetSet
from cartomancer.content.reader import unknown_names
from cartomancer.errors import Fault


def target_faults(
    asked: TargetSet,
    named: Mapping[str, Sequence[str]],
    scenarios: Mapping[str, Scenario],
    profiles: Mapping[str, Profile],
    quality: QualityTuning | None,
) -> Iterator[Fault]:
    """What is wrong with a set, given the ids of every kind. Which measures a scenario has, the lab knows."""
    if asked.scenario is not None:
        yield from unknown_names("scenario", [asked.scenario], named["scenarios"], "scenario")
    if asked.dungeon_profile is not None:
        yield from profile_faults(asked.dungeon_profile, "dungeon", profiles, "dungeon_profile")
    yield from unknown_names("party", asked.parties, named["parties"], "parties")
    for party in dict.fromkeys(one for one in asked.parties if asked.parties.count(one) > 1):
        yield Fault("parties", party, "is listed twice", "each once")
    rows = list(asked.targets)
    if asked.parties:
        scenario = scenarios.get(asked.scenario or "")
        if scenario is None or quality is None:
            return  # its rows are not known
        measures = quality.party_measures(len(scenario.rooms))
        rows = [f"{party}.{measure}" for party in asked.parties for measure in measures]
    yield from unknown_names("row of this set", asked.exceptions, rows, "exceptions")
