"""What a set of targets may name: everything in it exists, and reasons are given for rows that are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cartomancer.content.codex_checks import profile_faults
from cartomancer.content.entries import Entries
from cartomancer.content.models.targets import TargetSet
from cartomancer.content.reader import repeated, unknown_names
from cartomancer.errors import Fault


def target_faults(asked: TargetSet, named: Mapping[str, Sequence[str]], found: Entries) -> Iterator[Fault]:
    """What is wrong with a set, given the ids of every kind. Which measures a scenario has, the lab knows."""
    yield from unknown_names("scenario", [asked.scenario], named["scenarios"], "scenario")
    yield from profile_faults(asked.dungeon_profile, "dungeon", found.profiles, "dungeon_profile")
    yield from unknown_names("party", asked.parties, named["parties"], "parties")
    yield from repeated(asked.parties, "parties")
    rows = list(asked.targets)
    if asked.parties:
        scenario = found.scenarios.get(asked.scenario or "")
        if scenario is None or found.quality is None:
            return  # its rows are not known
        measures = found.quality.party_measures(len(scenario.rooms))
        rows = [f"{party}.{measure}" for party in asked.parties for measure in measures]
    yield from unknown_names("row of this set", asked.exceptions, rows, "exceptions")
