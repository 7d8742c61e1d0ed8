"""Rows of sets that are about more than a scenario: a matchup matrix, all cards, all profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from cartomancer.content.codex import Codex
from cartomancer.content.models.targets import TargetSet
from cartomancer.lab.fidelity.rows import Row, Slack, judged
from cartomancer.lab.matrix import ecosystem, standing
from cartomancer.lab.matrix.matchups import Matrix
from cartomancer.lab.measures.bands import Target
from cartomancer.lab.measures.composition_counts import DOMINATED, OUTCLASSED, RULES, SUPPORT, TRANSITIVE
from cartomancer.lab.measures.content_counts import ALWAYS_PLAYED, HOMELESS, UNPLAYED
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.panel.characters import RUNS, Characters
from cartomancer.lab.report.census import CardRecord, Census

NAMED: Final = 3  # compositions that a note names
NAMED_CARDS: Final = 40
MOST_CENSUS: Final = 1_000  # runs of each scenario

FAILING: Final[dict[str, Callable[[CardRecord], bool]]] = {
    UNPLAYED: lambda card: card.is_unplayed,
    ALWAYS_PLAYED: lambda card: card.is_always_played,
    HOMELESS: lambda card: not card.scenarios,
}


def census_runs(runs: int) -> int:
    """Runs of each scenario of a census."""
    return min(runs, MOST_CENSUS)


def about_runs(asked: TargetSet, runs: int, codex: Codex) -> int:
    """How many runs measuring takes of a set that is about all cards or all profiles."""
    if asked.about is None:
        return 0
    return census_runs(runs) * len(codex.fights) if asked.about == "cards" else 2 * RUNS * len(codex.scenarios)


# --- the matrix -------------------------------------------------------------------------------------------------------


def matrix_rows(asked: TargetSet, targets: Sequence[Target], matrix: Matrix) -> Iterator[Row]:
    """How many compositions break a rule of the ecosystem [GDD 18.5], the sure ones and those that may; and how they
    stand to each other."""
    compositions = ecosystem.judged(matrix)
    for target in targets:
        side, _, rule = target.name.partition(".")
        if rule not in RULES:
            estimate, note = _standing(matrix, side, rule)
            yield judged(asked, target.name, target, estimate, note=note)
            continue
        field, is_so = RULES[rule]
        mine = [one for one in compositions if one.side == side]
        sure = [one.name for one in mine if getattr(one, field) == is_so]
        maybe = [one.name for one in mine if getattr(one, field) == "open"]
        estimate = Estimate(len(sure), len(sure), len(sure) + len(maybe))
        yield judged(asked, target.name, target, estimate, note=_named(sure, maybe, len(mine)))


def _standing(matrix: Matrix, side: str, rule: str) -> tuple[Estimate, str]:
    """A measure of a matrix that goes by its shares alone, and who is meant."""
    if side == TRANSITIVE:
        return _exactly(100 * standing.transitive(matrix)), ""
    names = matrix.sides[side].names
    if rule == SUPPORT:
        meant = standing.support(matrix, side)
        return _exactly(len(meant)), _named(meant, [], len(names))
    find = {OUTCLASSED: standing.outclassed, DOMINATED: standing.dominated}[rule]
    hit = find(standing.grid_of(matrix, side))
    meant = [name for name, is_so in zip(names, hit, strict=True) if is_so]
    value = 100 * len(meant) / len(names) if rule == DOMINATED else len(meant)
    return _exactly(value), _named(meant, [], len(names))


def _exactly(value: float) -> Estimate:
    return Estimate(value, value, value)


def _named(sure: Sequence[str], maybe: Sequence[str], total: int) -> str:
    """Who is meant, as far as a line reaches."""
    doubt = f"; {len(maybe)} undecided" if maybe else ""
    return f"of {total}{doubt}{f': {_listed(sure, NAMED)}' if sure else ''}"


def _listed(names: Sequence[str], most: int) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


# --- cards and profiles -----------------------------------------------------------------------------------------------


def card_rows(asked: TargetSet, targets: Sequence[Target], found: Census) -> Iterator[Row]:
    """How many cards fail, and which."""
    for target in targets:
        failing = [one.card for one in found.cards if FAILING[target.name](one)]
        note = f"of {len(found.cards)}{f': {_listed(failing, NAMED_CARDS)}' if failing else ''}"
        yield judged(asked, target.name, target, _exactly(len(failing)), note=note)


def profile_rows(asked: TargetSet, targets: Sequence[Target], found: Characters, slack: Slack) -> Iterator[Row]:
    """How often two profiles differ where they differ most, and where that is."""
    for target in targets:
        _, one, other = target.name.split(".")
        scenario, estimate = found.widest(one, other)
        yield judged(asked, target.name, target, estimate, slack, note=f"in {scenario}" if scenario else "")
