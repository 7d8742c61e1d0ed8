"""What a set of targets may name: everything in it exists, and reasons are given for rows that are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cartomancer.content.codex_checks import profile_faults
from cartomancer.content.entries import Entries
from cartomancer.content.models.quality import QualityTuning
from cartomancer.content.models.targets import TargetSet
from cartomancer.content.reader import repeated, unknown_names
from cartomancer.errors import Fault


def matchup_measures(rooms: int, quality: QualityTuning) -> list[str]:
    """The measures of the five quality metrics of a party's run through so many rooms [GDD 18.2]."""
    later = range(2, rooms + 1)
    entries = [f"entry.{span.room}" for span in quality.attrition.entry if span.room in later]
    return ["agency", "closeness", "diversity", "knockouts", *entries, *(f"effective.{place}" for place in later)]


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
        measures = matchup_measures(len(scenario.rooms), found.quality)
        rows = [f"{party}.{measure}" for party in asked.parties for measure in measures]
    yield from unknown_names("row of this set", asked.exceptions, rows, "exceptions")
