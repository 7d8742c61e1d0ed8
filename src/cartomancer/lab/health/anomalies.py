"""Anomalies: the outliers of a matchup matrix, each with its evidence and a run to look at [GDD 18.6, phase 3].

Six kinds: a class that falls first whatever its company, an order of rooms that never shows an outcome, a card in
winners beyond chance, a composition that beats everybody, a matchup without agency, a player that does not play the
game and does well. A finding passes two tests: the effect is as large as the document says, and chance would seldom
make it look so large. Each kind is one family of questions with its own false-discovery rate.

Cells of a matrix are played on the same seeds. Runs of one cell are independent, but run 17 of one cell and run 17 of
another saw the same shuffles. So where cells are pooled, J of them count as J / (1 + (J − 1) · `SEED_CORRELATION`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from scipy import special

from cartomancer.encounters import names
from cartomancer.encounters.encounter import winner_of
from cartomancer.intervals import Z95, mean_interval, wilson, wilson_bounds
from cartomancer.lab.health.cell_table import Array, CellTable
from cartomancer.lab.health.findings import ExampleRun, Finding
from cartomancer.lab.matrix.bounds import log_mixture, sequence_bounds
from cartomancer.lab.measures import evidence
from cartomancer.lab.panel.panel import MOST_GAIN, Panel

if TYPE_CHECKING:
    from cartomancer.lab.report.survey import Survey

Asked = TypeVar("Asked")  # what a kind of question is put to

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
    "exploit": "a player that does not play the game and does well",
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
    name = found.simulation.packed.name
    return [
        CardEvidence(name, use.side, use.card, one.compared, use.runs, one.difference, one.interval, one.p_value)
        for use in found.card_usage()
        if (one := use.contribution) is not None
    ]


def find_anomalies(table: CellTable, cards: Iterable[CardEvidence] = (), panels: Iterable[Panel] = ()) -> list[Finding]:
    """Every anomaly of a matrix, of the cards surveyed and of the panels of some cells, the worst first."""
    found = [
        *falling_first(table),
        *missing_outcomes(table),
        *winning_cards(cards),
        *dominating(table),
        *without_agency(table),
        *exploits(panels),
    ]
    return sorted(found, key=lambda finding: (-finding.severity, finding.q, finding.subject))


Question = Finding | float  # what is found if the effect is large, else only how likely chance answers it so


def _family(ask: Callable[[Asked], Iterator[Question]]) -> Callable[[Asked], list[Finding]]:
    """Questions of one kind: what is found that chance does not explain, given all that were asked."""

    @wraps(ask)
    def confirmed(asked: Asked) -> list[Finding]:
        answers = list(ask(asked))
        adjusted = evidence.false_discovery([one.p if isinstance(one, Finding) else one for one in answers])
        return [
            replace(one, q=q)
            for one, q in zip(answers, adjusted, strict=True)
            if isinstance(one, Finding) and q <= evidence.FALSE_DISCOVERIES
        ]

    return confirmed


def pooled_cells(cells: int) -> float:
    """By how much pooled cells on the same seeds tell less than as many independent ones.

    >>> pooled_cells(1), pooled_cells(6)
    (1.0, 2.0)
    """
    return 1 + (cells - 1) * SEED_CORRELATION


# --- who falls first --------------------------------------------------------------------------------------------------


@_family
def falling_first(table: CellTable) -> Iterator[Question]:
    """Classes that fall first in more than 80 % of the runs with a knock-out, whatever the company [GDD 18.2.4].

    Parties in which the class sits once: with two or three seats of four it would fall first often by its number alone.
    All such cells pooled must be over 80 % beyond chance, and nine of ten companies must be over 80 % each.
    """
    for name in sorted({name for party in table.parties for name in party}):
        seats = np.array([party.index(name) if party.count(name) == 1 else -1 for party in table.parties])
        cells = np.flatnonzero((seats[table.party] >= 0) & (table.knockouts > 0))
        if not len(cells):
            continue
        falls = table.first_down[cells, seats[table.party[cells]]]
        runs = table.knockouts[cells]
        less = pooled_cells(len(cells))
        p = float(evidence.rate_beyond(falls.sum() / less, runs.sum() / less, table.one_member))
        total, found = (np.bincount(table.party[cells], counts) for counts in (runs, falls))
        rates = {int(party): float(found[party] / total[party]) for party in np.flatnonzero(total >= LEAST_KNOCKOUTS)}
        over = sum(rate > table.one_member for rate in rates.values())
        if len(rates) < 2 or over < NEARLY_ALL * len(rates):
            yield p
            continue
        rate = float(falls.sum() / runs.sum())
        low, high = wilson(falls.sum() / less, runs.sum() / less)
        lowest = min(rates, key=lambda party: rates[party])
        company = "-".join(other for other in table.parties[lowest] if other != name)
        told = int(cells[np.argmax(falls)])
        yield Finding(
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


# --- orders of rooms --------------------------------------------------------------------------------------------------


@_family
def missing_outcomes(table: CellTable) -> Iterator[Question]:
    """Orders of rooms that never end in a way in which the same rooms in other orders do end [GDD 18.6].

    Compared party by party, so that it does not matter who met which order how often. Only an empty count can be a
    finding; how likely it is, given the other orders' counts, is Fisher's exact probability.
    """
    orders: dict[Any, list[int]] = defaultdict(list)
    for number, (rooms, profile) in enumerate(zip(table.dungeons, table.profiles, strict=True)):
        orders[frozenset(rooms), profile].append(number)
    for group in orders.values():
        cells = np.full((len(table.parties), len(group)), -1)  # by party and order; -1 where the two did not meet
        for place, dungeon in enumerate(group):
            here = np.flatnonzero(table.dungeon == dungeon)
            cells[table.party[here], place] = here
        for place in range(len(group)):
            met = cells[(cells[:, place] >= 0) & ((cells >= 0).sum(axis=1) > 1)]  # by parties that met another one too
            counts = np.where((met >= 0)[..., None], table.outcomes[met], 0)
            for code in range(1, len(names.OUTCOMES)):
                if counts[:, place, code].any():
                    yield 1.0
                elif counts[..., code].any():
                    suspect = _missing(table, met, place, code)
                    yield suspect if suspect.severity >= SHOWN_ELSEWHERE else suspect.p


def _missing(table: CellTable, cells: Array, place: int, code: int) -> Finding:
    """One order of rooms beside the others, by party and order, for an outcome that it does not show."""
    played = np.where(cells >= 0, table.games[cells], 0)
    elsewhere = np.where(cells >= 0, table.outcomes[cells, code], 0).sum(axis=1)
    own, tries, less = played[:, place], played.sum(axis=1) - played[:, place], pooled_cells(len(cells))
    games, outcome = int(own.sum()), names.OUTCOMES[code]
    rate = float(elsewhere.sum() / tries.sum())
    low, high = wilson(elsewhere.sum() / less, tries.sum() / less)
    most = wilson(0, games / less)[1]
    party = cells[int(np.argmax(elsewhere))]
    cell, shown = int(party[place]), max(party[party >= 0], key=lambda other: int(table.outcomes[other, code]))
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
        p=evidence.none_by_chance(own, elsewhere, tries, less),
        severity=low,
        scenario=table.scenario(cell),
        example=ExampleRun(table.scenario(int(shown)), "outcome", (code,)),
    )


# --- cards ------------------------------------------------------------------------------------------------------------


@_family
def winning_cards(cards: Iterable[CardEvidence]) -> Iterator[Question]:
    """Cards whose owner wins at least 15 points more often where they were played, in runs of equal length: so that a
    card which is merely seen in long runs, or seen because its owner survived, is none [GDD 18.6]."""
    for use in cards:
        if use.interval[0] <= CARD_EFFECT:
            yield use.p
            continue
        yield Finding(
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


# --- compositions that beat everybody ---------------------------------------------------------------------------------


@_family
def dominating(table: CellTable) -> Iterator[Question]:
    """Parties and dungeons whose share is 70 % or more against every opponent they met [GDD 18.5].

    A Bond is half a win. The p value is that of the opponent who speaks most against it: everybody must be beaten, so
    no correction for the number of opponents is needed (an intersection–union test). Where games were spent by looking
    at results, it is the one that holds at all times (`bounds`).
    """
    bounded = sequence_bounds if table.peeked else wilson_bounds
    for side, own, points in (
        ("visitor", table.party, table.games - table.points),
        ("dungeon", table.dungeon, table.points),
    ):
        shares = points / table.games
        lows, highs = bounded(points, table.games)
        p_values = evidence.rate_beyond(points, table.games, BEATS_EVERYBODY)
        if table.peeked:
            likelier = np.exp(-np.maximum(log_mixture(points, table.games, np.array(BEATS_EVERYBODY)), 0.0))
            p_values = np.where(shares > BEATS_EVERYBODY, likelier, 1.0)
        for number in np.unique(own):
            cells = np.flatnonzero(own == number)
            if len(cells) < LEAST_OPPONENTS:
                continue
            hardest = int(cells[np.argmax(p_values[cells])])
            p = float(p_values[hardest])
            if shares[cells].min() < BEATS_EVERYBODY:
                yield p
                continue
            party = "-".join(table.labels[table.party[hardest]])
            rooms = "-".join(table.dungeons[table.dungeon[hardest]])
            who, other = (party, rooms) if side == "visitor" else (rooms, party)
            share, low, high = (float(values[hardest]) for values in (shares, lows, highs))
            yield Finding(
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
                p=p,
                severity=_beyond(low, BEATS_EVERYBODY, 1.0),
                scenario=table.scenario(hardest),
                example=ExampleRun(table.scenario(hardest), "outcome", _won_by(side)),
            )


# --- matchups without agency ------------------------------------------------------------------------------------------


@_family
def without_agency(table: CellTable) -> Iterator[Question]:
    """Matchups whose mean number of lead changes is below 1.0, with the whole interval [GDD 18.2.1, 18.6]."""
    sums, squares = table.lead_changes, table.lead_changes_squared
    p_values = evidence.mean_below(sums, squares, table.games, table.least_agency)
    for cell, p in enumerate(p_values.tolist()):
        games = int(table.games[cell])
        mean, interval = mean_interval(float(sums[cell]), float(squares[cell]), games)
        if p > evidence.FALSE_DISCOVERIES or interval is None or interval[1] >= table.least_agency:
            yield p
            continue
        low, high = interval
        party, rooms = "-".join(table.parties[table.party[cell]]), "-".join(table.dungeons[table.dungeon[cell]])
        yield Finding(
            kind="no_agency",
            subject=f"{party}/{rooms}",
            sentence=(
                f"{_words(party).capitalize()} against {_words(rooms)}: the lead changes "
                f"{mean:.2f} times a run ({low:.2f} to {high:.2f})."
            ),
            value=mean,
            interval=(low, high),
            bound=table.least_agency,
            runs=games,
            p=p,
            severity=_beyond(high, table.least_agency, 0.0),
            scenario=table.scenario(cell),
            example=ExampleRun(table.scenario(cell), "lead_changes", (0,)),
        )


# --- exploits ---------------------------------------------------------------------------------------------------------


@_family
def exploits(panels: Iterable[Panel]) -> Iterator[Question]:
    """Simple players whose runs are worth more than 2 points more than the heuristic's in the same seat."""
    for panel in panels:
        for side, one in ((seat.side, member) for seat in panel.seats for member in seat.members):
            low, high = one.interval or (-1.0, 1.0)
            p = float(special.ndtr((MOST_GAIN - one.gain) * 2 * Z95 / max(high - low, 1e-9)))
            if low <= MOST_GAIN:
                yield p
                continue
            yield Finding(
                kind="exploit",
                subject=f"{one.player}/{panel.scenario}",
                sentence=(
                    f"{panel.scenario}: as the {side}, {one.player} gains {100 * one.gain:.1f} points on the "
                    f"heuristic ({100 * low:.1f} to {100 * high:.1f})."
                ),
                value=one.gain,
                interval=(low, high),
                bound=MOST_GAIN,
                runs=one.runs,
                p=p,
                severity=_beyond(low, MOST_GAIN, 1.0),
                scenario=panel.scenario,
                example=ExampleRun(panel.scenario, "outcome", _won_by(side)),
                replay=one.replay or "",
            )


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
