"""Regression: what an edit of content changed, and which scenarios it moved beyond noise [GDD 18.6, phase 4].

Only scenarios whose fingerprint changed are played again, on the seeds of the baseline. All others are equal by
construction. A scenario moved where its numbers, run by run on equal seeds, changed more than chance would change them;
all questions about all retested scenarios are one family (`evidence.false_discovery`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from cartomancer.content.catalog import CATALOG_KINDS, MODIFIER_KINDS
from cartomancer.content.codex import Codex
from cartomancer.content.entries import CODEX_KINDS
from cartomancer.content.models.encounter import Scenario
from cartomancer.errors import CartomancerError
from cartomancer.jit import kernel_digest
from cartomancer.lab.health.baseline import (
    FACTS,
    TUNING,
    Baseline,
    Entries,
    Preparation,
    Prepared,
    play_prepared,
    snapshot,
)
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES, Change, false_discovery, paired_mean
from cartomancer.lab.measures.registry import paired_measures
from cartomancer.lab.results import IN_PLACE, Result
from cartomancer.players.simulation import Progress

PROSE: Final = {"title", "summary"}  # what people read and no rule does
THE_CODE: Final = "the rules' code"
KINDS: Final = (*CODEX_KINDS, *CATALOG_KINDS)
MEASURES: Final = paired_measures(FACTS)


@dataclass(frozen=True)
class FieldChange:
    """A field of an entry, before and after; nothing where it was not there."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class EntryChange:
    """An entry of the content that is not as it was."""

    entry: str  # kind:id
    what: str  # added, removed, edited
    fields: tuple[FieldChange, ...] = ()
    prose_only: bool = False  # whether only words for people changed


@dataclass(frozen=True)
class Touched:
    """A scenario that an edit touches, and the changed entries it uses."""

    scenario: str
    by: tuple[str, ...]


@dataclass(frozen=True)
class Move:
    """A number of a scenario that moved beyond noise."""

    scenario: str
    measure: str
    change: Change = field(metadata=IN_PLACE)
    q: float


@dataclass(frozen=True)
class Regression(Result):
    """What became of a baseline under other content."""

    baseline: str
    scenarios: int  # of the baseline
    runs: int  # of each
    seed: int
    changes: tuple[EntryChange, ...]
    touched: tuple[Touched, ...]
    gone: Mapping[str, str]  # scenarios that cannot be played any more, and why
    unused: list[str]  # changed entries, besides those that are gone, that no scenario uses: nothing tests them
    retested: tuple[str, ...]  # fewer than were touched if it was interrupted
    moved: list[str]  # scenarios, in the order of their strongest move
    moves: tuple[Move, ...]
    overall: Mapping[str, Change]  # every measure over all retested scenarios


# --- what changed -----------------------------------------------------------------------------------------------------


def content_changes(before: Entries, after: Entries) -> list[EntryChange]:
    """Entries added, removed and edited, the edited ones field by field."""
    found = []
    for entry in sorted({*before, *after}):
        if entry not in after:
            found.append(EntryChange(entry, "removed"))
        elif entry not in before:
            found.append(EntryChange(entry, "added"))
        elif before[entry] != after[entry]:
            fields = tuple(_field_changes(before[entry], after[entry], ""))
            prose = all(change.field.split(".")[-1] in PROSE for change in fields)
            found.append(EntryChange(entry, "edited", fields, prose))
        elif _order(before[entry]) != _order(after[entry]):
            found.append(EntryChange(entry, "edited", (FieldChange("order of fields", None, None),)))
    return found


def _field_changes(before: Any, after: Any, where: str) -> Iterator[FieldChange]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            inner = f"{where}.{name}" if where else name
            yield from _field_changes(before.get(name), after.get(name), inner)
    elif before != after:
        yield FieldChange(where, before, after)


def _order(value: Any) -> Any:
    """The order of names, however deep: a deck whose cards are listed in another order is shuffled differently."""
    if isinstance(value, dict):
        return [(name, _order(inner)) for name, inner in value.items()]
    return [_order(inner) for inner in value] if isinstance(value, list) else None


def entries_of(codex: Codex, scenario: Scenario) -> set[str]:
    """Every entry a scenario is played with, as kind:id."""
    profiles = [*codex.dungeon_profiles(scenario), codex.visitor_profile(scenario)]
    decks, members = codex.room_decks(scenario), codex.members_of(scenario)
    own_deck = codex.creature_deck(scenario)
    decks += [own_deck] if own_deck else []
    kits = (*(deck.cards for deck in decks), *(member.cards for member in members))
    used: dict[str, list[str | None]] = {
        "scenarios": [scenario.id],
        "dungeons": [scenario.dungeon],
        "guardians": [scenario.guardian, scenario.dungeon],
        "rooms": [stop.room for stop in scenario.rooms],
        "decks": [deck.id for deck in decks],
        "creatures": [scenario.creature],
        "parties": [scenario.party],
        "classes": [member.id for member in members],
        "profiles": [name for profile in profiles for name in (profile.id, profile.courts_like)],
        "cards": [card for kit in kits for card in kit],
        "equipment": list(scenario.equipment),
        "room_items": [item for stop in scenario.rooms for item in stop.items],
        **{kind: list(scenario.modifiers) for kind in MODIFIER_KINDS},
    }
    known = {kind: codex.of_kind(kind) for kind in KINDS}
    found = {f"{kind}:{name}" for kind, ids in used.items() for name in ids if name in known[kind]}
    return found | {f"tuning:{name}" for name in TUNING}


@dataclass(frozen=True)
class Retest:
    """What has to be played again, and why."""

    changes: list[EntryChange]
    again: list[Prepared]
    touched: list[Touched]  # the same scenarios, in the same order
    gone: dict[str, str]


def touched_scenarios(baseline: Baseline, codex: Codex) -> Retest:
    """The scenarios that must be played again, what touched each, and those that cannot be played any more."""
    changes = content_changes(baseline.entries, snapshot(codex))
    preparation = Preparation(codex, baseline.specs(codex))
    edited = {change.entry for change in changes if not change.prose_only}
    code = [THE_CODE] if kernel_digest() != baseline.kernel else []
    found = Retest(changes, [], [], {})
    for name, fingerprint in zip(baseline.scenarios, baseline.fingerprints, strict=True):
        try:
            scenario = preparation.prepare(name)
        except CartomancerError as error:
            found.gone[name] = str(error)
            continue
        if code or scenario.fingerprint != fingerprint:
            found.again.append(scenario)
            by = sorted(edited & entries_of(codex, codex.scenario(name)))
            found.touched.append(Touched(name, (*code, *by)))
    return found


# --- what moved -------------------------------------------------------------------------------------------------------


def retest(baseline: Baseline, codex: Codex, plan: Retest, progress: Progress = lambda done: None) -> Regression:
    """Play what is touched again and compare, run by run; an interrupt ends it early."""
    places = {name: place for place, name in enumerate(baseline.scenarios)}
    found: dict[str, dict[str, Change]] = {}
    sums = {measure.name: np.zeros((2, baseline.runs)) for measure in MEASURES}
    try:
        for scenario, after in play_prepared(iter(plan.again), baseline.runs, baseline.seed, baseline.specs(codex)):
            before = {fact: values[places[scenario.name]] for fact, values in baseline.facts.items()}
            found[scenario.name] = {}
            for measure in MEASURES:
                pair = measure.each(before), measure.each(after)
                found[scenario.name][measure.name] = measure.compared(*pair)
                sums[measure.name] += pair
            progress(len(found) * baseline.runs)
    except KeyboardInterrupt:
        if not found:
            raise
    # all scenarios share their seeds: seeds, not runs, are what is independent
    overall = {name: paired_mean(*(pair / len(found))) for name, pair in sums.items()} if found else {}
    used = {entry for touched in plan.touched for entry in touched.by}
    testable = [change.entry for change in plan.changes if change.what != "removed" and not change.prose_only]
    moves = tuple(beyond_noise(found))
    return Regression(
        baseline=baseline.name,
        scenarios=len(baseline.scenarios),
        runs=baseline.runs,
        seed=baseline.seed,
        changes=tuple(plan.changes),
        touched=tuple(plan.touched),
        gone=plan.gone,
        unused=[entry for entry in testable if entry not in used],
        retested=tuple(found),
        moved=list(dict.fromkeys(move.scenario for move in moves)),
        moves=moves,
        overall=overall,
    )


def beyond_noise(changes: Mapping[str, Mapping[str, Change]]) -> list[Move]:
    """What moved beyond noise, by scenario and measure, the most certain first."""
    asked = [(scenario, measure, one) for scenario, found in changes.items() for measure, one in found.items()]
    adjusted = false_discovery([one.p for _, _, one in asked])
    moves = [Move(*what, q) for what, q in zip(asked, adjusted, strict=True) if q <= FALSE_DISCOVERIES]
    return sorted(moves, key=lambda move: (move.change.p, -abs(move.change.difference)))
