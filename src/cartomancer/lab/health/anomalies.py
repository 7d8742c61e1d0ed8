"""Anomalies: the outliers of a matchup matrix, each with its evidence and a run to look at [GDD 18.6, phase 3].

Five kinds: a class that falls first whatever its company, an order of rooms that never shows an outcome, a card in
winners beyond chance, a composition that beats everybody, a matchup without agency. A finding passes two tests: the
effect is as large as the document says, and chance would seldom make it look so large. Each kind is one family of
questions and keeps its own false-discovery rate (`evidence.false_discovery`).

Cells of a matrix are played on the same seeds. Runs of one cell are independent, but run 17 of one cell and run 17 of
another saw the same shuffles. So where cells are pooled, J of them count as J / (1 + (J − 1) · `SEED_CORRELATION`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cartomancer.encounters import names
from cartomancer.encounters.encounter import winner_of
from cartomancer.intervals import mean_interval, wilson
from cartomancer.lab.health.cell_table import Array, CellTable
from cartomancer.lab.health.findings import ExampleRun, Finding
from cartomancer.lab.matrix.bounds import log_mixture, sequence_bounds, wilson_bounds
from cartomancer.lab.measures.evidence import (
    FALSE_DISCOVERIES,
    false_discovery,
    mean_below,
    none_by_chance,
    rate_beyond,
)

if TYPE_CHECKING:
    from cartomancer.lab.report.survey import Survey

BEATS_EVERYBODY: Final = 0.70  # [GDD 18.5, 18.6]
NEARLY_ALL: Final = 0.9  # of a class's companies, so that one odd company hides nothing
LEAST_KNOCKOUTS: Final = 20  # with fewer a company says nothing of its own
LEAST_OPPONENTS: Final = 5  # whoever met fewer has not met everybody
SHOWN_ELSEWHERE: Final = 0.01  # an outcome that other orders show less often is rare everywhere
CARD_EFFECT: Final = 0.15  # of the win rate; 99 of 100 cards of the shipped content stay below it
SEED_CORRELATION: Final = 0.2  # between runs of one seed in different cells; 0.00 to 0.15 was measured

KINDS: Final[dict[str, str]] = {
    "falls_first": "a class that falls first whatever the company",
    "missing_outcome": "an order of rooms that never shows an outcome its rooms show in other orders",
    "winning_card": "a card in winners beyond chance",
    "domination": "a composition that wins against everybody",
    "no_agency": "a matchup in which the lead hardly changes",
}


@dataclass(frozen=True)
class CardEvidence:
    """A card in the runs of one scenario: what its owner's win rate gains where it was played, in runs of the same
    length (Mantel–Haenszel: a long run shows more cards and is won by another side, whatever the cards)."""

    scenario: str
    side: str
    card: str
    runs: int
    share: float  # of the runs in which it was played
    contribution: float
    interval: tuple[float, float]
    p: float


def card_evidence(found: Survey) -> list[CardEvidence]:
    """What a survey says of the cards of one scenario; those with too few runs to compare say nothing."""
    return [
        CardEvidence(
            found.simulation.packed.name,
            use.side,
            use.card,
            use.contribution.compared,
            use.runs,
            use.contribution.difference,
            use.contribution.interval,
            use.contribution.p_value,
        )
        for use in found.card_usage()
        if use.contribution is not None
    ]


def find_anomalies(table: CellTable, cards: Iterable[CardEvidence] = ()) -> list[Finding]:
    """Every anomaly of a matrix and of the cards surveyed, the worst first."""
    found = [
        *falling_first(table),
        *missing_outcomes(table),
        *winning_cards(cards),
        *dominating(table),
        *without_agency(table),
    ]
    return sorted(found, key=lambda finding: (-finding.severity, finding.q, finding.subject))


def _confirmed(suspects: list[Finding], questions: Sequence[float] | None = None) -> Iterator[Finding]:
    """The suspects that chance does not explain, given all questions that were asked of this kind. The suspects' own
    p values are among the questions, in the same order, unless they are all."""
    asked = [suspect.p for suspect in suspects] if questions is None else questions
    adjusted = dict(zip(asked, false_discovery(asked), strict=True))  # equal p values have equal q values
    for suspect in suspects:
        if adjusted[suspect.p] <= FALSE_DISCOVERIES:
            yield replace(suspect, q=adjusted[suspect.p])


def pooled_cells(cells: int) -> float:
    """By how much pooled cells on the same seeds tell less than as many independent ones.

    >>> pooled_cells(1), pooled_cells(6)
    (1.0, 2.0)
    """
    return 1 + (cells - 1) * SEED_CORRELATION


# --- who falls first --------------------------------------------------------------------------------------------------


def falling_first(table: CellTable) -> list[Finding]:
    """Classes that fall first in more than 80 % of the runs with a knock-out, whatever the company [GDD 18.2.4].

    Parties in which the class sits once: with two or three seats of four it would fall first often by its number alone.
    All such cells pooled must be over 80 % beyond chance, and nine of ten companies must be over 80 % each.
    """
    suspects, questions = [], []
    for name in sorted({name for party in table.parties for name in party}):
        seats = np.array([party.index(name) if party.count(name) == 1 else -1 for party in table.parties])
        cells = np.flatnonzero((seats[table.party] >= 0) & (table.knockouts > 0))
        if not len(cells):
            continue
        falls = table.first_down[cells, seats[table.party[cells]]]
        runs = table.knockouts[cells]
        less = pooled_cells(len(cells))
        p = float(rate_beyond(falls.sum() / less, runs.sum() / less, table.one_member))
        questions.append(p)
        rates = _rates_by(table.party[cells], falls, runs)
        over = sum(rate > table.one_member for rate in rates.values())
        if len(rates) < 2 or over < NEARLY_ALL * len(rates):
            continue
        rate = float(falls.sum() / runs.sum())
        low, high = wilson(falls.sum() / less, runs.sum() / less)
        lowest = min(rates, key=lambda party: rates[party])
        company = "-".join(other for other in table.parties[lowest] if other != name)
        told = int(cells[np.argmax(falls)])
        suspects.append(
            Finding(
                kind="falls_first",
                subject=name,
                sentence=(
                    f"{_words(name).capitalize()} falls first in {_percent(rate)} of the runs with a knock-out "
                    f"({_percent(low)} to {_percent(high)}), whatever the company: over {_percent(table.one_member)} "
                    f"in {over} of {len(rates)}, least beside {_words(company)} ({_percent(rates[lowest])})."
                ),
                value=rate,
                interval=(low, high),
                bound=table.one_member,
                runs=int(runs.sum()),
                p=p,
                severity=_beyond(low, table.one_member, 1.0),
                scenario=table.scenario(told),
                example=ExampleRun(table.scenario(told), "first_down", (int(seats[table.party[told]]),)),
            )
        )
    return list(_confirmed(suspects, questions))


def _rates_by(groups: Array, hits: Array, tries: Array) -> dict[int, float]:
    """The rate of every group with enough tries."""
    total = np.bincount(groups, tries)
    found = np.bincount(groups, hits)
    return {int(group): float(found[group] / total[group]) for group in np.flatnonzero(total >= LEAST_KNOCKOUTS)}


# --- orders of rooms --------------------------------------------------------------------------------------------------


def missing_outcomes(table: CellTable) -> list[Finding]:
    """Orders of rooms that never end in a way in which the same rooms in other orders do end [GDD 18.6].

    Compared party by party, so that it does not matter who met which order how often. Only an empty count can be a
    finding; how likely it is, given the other orders' counts, is Fisher's exact probability.
    """
    orders: dict[Any, list[int]] = defaultdict(list)
    for number, (rooms, profile) in enumerate(zip(table.dungeons, table.profiles, strict=True)):
        orders[frozenset(rooms), profile].append(number)
    suspects, questions = [], []
    for group in orders.values():
        cells = _cells_of(table, group)
        games = np.where(cells >= 0, table.games[cells], 0)
        counts = np.where((cells >= 0)[..., None], table.outcomes[cells], 0)
        for place in range(len(group)):
            own, tries = games[:, place], games.sum(axis=1) - games[:, place]
            met = np.flatnonzero((own > 0) & (tries > 0))  # parties that met this order and another one
            elsewhere = counts.sum(axis=1) - counts[:, place]
            for code in range(1, len(names.OUTCOMES)):
                if counts[met, place, code].any():
                    questions.append(1.0)
                elif elsewhere[met, code].any():
                    compared = Orders(cells[met], place, own[met], elsewhere[met, code], tries[met])
                    suspect = _missing(table, compared, code)
                    questions.append(suspect.p)
                    suspects += [suspect] if suspect.severity >= SHOWN_ELSEWHERE else []
    return list(_confirmed(suspects, questions))


def _cells_of(table: CellTable, dungeons: list[int]) -> Array:
    """Cell numbers by party and dungeon; -1 where the two did not meet."""
    found = np.full((len(table.parties), len(dungeons)), -1)
    for place, dungeon in enumerate(dungeons):
        cells = np.flatnonzero(table.dungeon == dungeon)
        found[table.party[cells], place] = cells
    return found


@dataclass(frozen=True)
class Orders:
    """One order of rooms beside the others, party by party, for one outcome that it does not show."""

    cells: Array  # of every order
    place: int  # of this one
    games: Array
    elsewhere: Array  # how often the other orders showed it
    tries: Array  # in how many games


def _missing(table: CellTable, orders: Orders, code: int) -> Finding:
    less = pooled_cells(len(orders.cells))
    games, outcome = int(orders.games.sum()), names.OUTCOMES[code]
    rate = float(orders.elsewhere.sum() / orders.tries.sum())
    low, high = wilson(orders.elsewhere.sum() / less, orders.tries.sum() / less)
    most = wilson(0, games / less)[1]
    party = orders.cells[int(np.argmax(orders.elsewhere))]
    cell, shown = int(party[orders.place]), max(party[party >= 0], key=lambda other: int(table.outcomes[other, code]))
    rooms = table.dungeons[table.dungeon[cell]]
    return Finding(
        kind="missing_outcome",
        subject=f"{'-'.join(rooms)}: {outcome}",
        sentence=(
            f"{', then '.join(_words(room) for room in rooms).capitalize()}: none of {games:,} runs ends in {outcome} "
            f"(at most {_percent(most)}); the same rooms in other orders do in {_percent(rate)} "
            f"({_percent(low)} to {_percent(high)})."
        ),
        value=0.0,
        interval=(0.0, most),
        bound=rate,
        runs=games,
        p=none_by_chance(orders.games, orders.elsewhere, orders.tries, less),
        severity=low,
        scenario=table.scenario(cell),
        example=ExampleRun(table.scenario(int(shown)), "outcome", (code,)),
    )


# --- cards ------------------------------------------------------------------------------------------------------------


def winning_cards(cards: Iterable[CardEvidence]) -> list[Finding]:
    """Cards whose owner wins at least 15 points more often where they were played, in runs of equal length: so that a
    card which is merely seen in long runs, or seen because its owner survived, is none [GDD 18.6]."""
    uses = list(cards)
    suspects = [
        Finding(
            kind="winning_card",
            subject=use.card,
            sentence=(
                f"{_words(use.card).capitalize()} ({use.side}) is in winners beyond chance in {use.scenario}: where it "
                f"is played ({_percent(use.share)} of the runs) its side wins {100 * use.contribution:.0f} points more "
                f"often ({100 * use.interval[0]:.0f} to {100 * use.interval[1]:.0f}) than in runs of equal length."
            ),
            value=use.contribution,
            interval=use.interval,
            bound=CARD_EFFECT,
            runs=use.runs,
            p=use.p,
            severity=_beyond(use.interval[0], CARD_EFFECT, 1.0),
            scenario=use.scenario,
            example=ExampleRun(use.scenario, "outcome", _won_by(use.side)),
        )
        for use in uses
        if use.interval[0] > CARD_EFFECT
    ]
    return list(_confirmed(suspects, [use.p for use in uses]))


# --- compositions that beat everybody ---------------------------------------------------------------------------------


def dominating(table: CellTable) -> list[Finding]:
    """Parties and dungeons whose share is 70 % or more against every opponent they met [GDD 18.5].

    A Bond is half a win. The p value is that of the opponent who speaks most against it: everybody must be beaten, so
    no correction for the number of opponents is needed (an intersection–union test). Where games were spent by looking
    at results, it is the one that holds at all times (`bounds`).
    """
    suspects, questions = [], []
    bounded = sequence_bounds if table.peeked else wilson_bounds
    for side, own, points in (
        ("visitor", table.party, table.games - table.points),
        ("dungeon", table.dungeon, table.points),
    ):
        shares = points / table.games
        lows, highs = bounded(points, table.games)
        p_values = rate_beyond(points, table.games, BEATS_EVERYBODY)
        if table.peeked:
            likelier = np.exp(-np.maximum(log_mixture(points, table.games, np.array(BEATS_EVERYBODY)), 0.0))
            p_values = np.where(shares > BEATS_EVERYBODY, likelier, 1.0)
        for number in np.unique(own):
            cells = np.flatnonzero(own == number)
            if len(cells) < LEAST_OPPONENTS:
                continue
            hardest = int(cells[np.argmax(p_values[cells])])
            questions.append(float(p_values[hardest]))
            if shares[cells].min() < BEATS_EVERYBODY:
                continue
            party = "-".join(table.labels[table.party[hardest]])
            rooms = "-".join(table.dungeons[table.dungeon[hardest]])
            who, other = (party, rooms) if side == "visitor" else (rooms, party)
            share, low, high = (float(values[hardest]) for values in (shares, lows, highs))
            suspects.append(
                Finding(
                    kind="domination",
                    subject=who,
                    sentence=(
                        f"{_words(who).capitalize()} wins {_percent(BEATS_EVERYBODY)} or more against all {len(cells)} "
                        f"opponents; the hardest is {_words(other)} with {_percent(share)} "
                        f"({_percent(low)} to {_percent(high)})."
                    ),
                    value=share,
                    interval=(low, high),
                    bound=BEATS_EVERYBODY,
                    runs=int(table.games[cells].sum()),
                    p=float(p_values[hardest]),
                    severity=_beyond(low, BEATS_EVERYBODY, 1.0),
                    scenario=table.scenario(hardest),
                    example=ExampleRun(table.scenario(hardest), "outcome", _won_by(side)),
                )
            )
    return list(_confirmed(suspects, questions))


# --- matchups without agency ------------------------------------------------------------------------------------------


def without_agency(table: CellTable) -> list[Finding]:
    """Matchups whose mean number of lead changes is below 1.0, with the whole interval [GDD 18.2.1, 18.6]."""
    sums, squares = table.lead_changes, table.lead_changes_squared
    p_values = mean_below(sums, squares, table.games, table.least_agency)
    suspects = []
    for cell in np.flatnonzero(p_values <= FALSE_DISCOVERIES):
        games = int(table.games[cell])
        mean, (low, high) = mean_interval(float(sums[cell]), float(squares[cell]), games)
        if high >= table.least_agency:
            continue
        party, rooms = table.parties[table.party[cell]], table.dungeons[table.dungeon[cell]]
        suspects.append(
            Finding(
                kind="no_agency",
                subject=f"{'-'.join(party)}/{'-'.join(rooms)}",
                sentence=(
                    f"{_words('-'.join(party)).capitalize()} against {_words('-'.join(rooms))}: the lead changes "
                    f"{mean:.2f} times a run ({low:.2f} to {high:.2f})."
                ),
                value=mean,
                interval=(low, high),
                bound=table.least_agency,
                runs=games,
                p=float(p_values[cell]),
                severity=_beyond(high, table.least_agency, 0.0),
                scenario=table.scenario(int(cell)),
                example=ExampleRun(table.scenario(int(cell)), "lead_changes", (0,)),
            )
        )
    return list(_confirmed(suspects, [float(p) for p in p_values]))


# --- words ------------------------------------------------------------------------------------------------------------


def _beyond(value: float, bound: float, worst: float) -> float:
    """How far a value is on the way from its bound to the worst."""
    return min(1.0, max(0.0, (value - bound) / (worst - bound)))


def _won_by(side: str) -> tuple[int, ...]:
    return tuple(code for code, outcome in enumerate(names.OUTCOMES) if code and winner_of(outcome) == side)


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", ", ")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"
