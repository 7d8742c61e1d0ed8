"""The charts of a report. A side's hue is the same on all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from cartomancer.encounters.encounter import winner_of
from cartomancer.encounters.names import RESOURCES, SIDES
from cartomancer.lab.report.survey import CauseShare
from cartomancer.pages.charts import Bars, Lines, Numbers, Series
from cartomancer.pages.numbers import counted, exact, label, number, percent, share

Facts = dict[str, Any]
Count = Literal["lost", "gained", "last_points"]
HUES: Final = {"dungeon": "ember", "visitor": "sea", "both": "green", "nobody": "slate"}
CAUSE_HUES: Final = (
    *("ember", "sea", "green", "gold", "plum", "teal", "red", "sky", "brown", "violet", "leaf"),
    "slate",  # everything else together
)


def outcome_bars(facts: Facts) -> Bars:
    """All outcomes with 95 % intervals, coloured by whose win they are."""
    rates = facts["outcomes"]
    shares = [share(rate["rate"], (rate["low"], rate["high"]), 1) for rate in rates.values()]
    commonest, top = max(zip(rates, shares, strict=True), key=lambda one: one[1].value)
    return Bars(
        f"Outcomes: the commonest is {commonest} with {top.shown} of the runs.",
        "Outcome",
        [name.capitalize() for name in rates],
        [Series("Share of runs", shares, [HUES[winner_of(name)] for name in rates])],
    )


def momentum_curves(rounds: Sequence[Facts]) -> Lines:
    """Both sides' mean shares at every round's end; the band lies between the runs a side won and those it lost."""
    series, told = [], []
    for side, other in (SIDES, SIDES[::-1]):
        means, bands = [], []
        for row in rounds:
            found = row[side]
            each = ", ".join(f"{name} {percent(part, 0)}" for name, part in found["shares"].items())
            means.append(share(found["mean"], found["interval"], 1, each))
            won, lost = (found["when"][winner] for winner in (side, other))
            bands.append((won["mean"], lost["mean"]) if won and lost else None)
        series.append(Series(label(side), means, HUES[side], "line", band=bands))
        last = rounds[-1]["round"]
        told.append(f"{side} from {percent(means[0].value, 0)} to {percent(means[-1].value, 0)} in round {last}")
    shares = [exact(row["share_of_runs"], percent(row["share_of_runs"], 1)) for row in rounds]
    strip = Series("Runs that lasted so long", shares, "strip", "")
    spoken = f"Mean share left at each round's end: {'; '.join(told)}"
    labels = [str(row["round"]) for row in rounds]
    return Lines(spoken, "Round of the run", labels, [*series, strip], top=1.0, strip=strip)


def lead_histogram(found: Facts) -> Bars:
    """The share of runs for every number of lead changes."""
    bars = found["distribution"]
    shares = [share(bar["rate"], (bar["low"], bar["high"]), 1) for bar in bars]
    bounds = " to ".join(f"{end:.2f}" for end in found["interval"] or ()) or "–"
    mean = f"{found['mean']:.2f} a run ({bounds})"
    return Bars(
        f"Lead changes: {mean}; none in {shares[0].shown} of the runs.",
        "Lead changes in a run",
        [bar["changes"] for bar in bars],
        [Series("Share of runs", shares)],
    )


def attrition_curve(rooms: Sequence[Facts]) -> Lines:
    """What the visitor had left when it entered each room, against the healthy ranges [GDD 18.2.5]."""
    found = [(room["entry"]["mean"], room["entry"]["interval"]) for room in rooms]
    means = [share(mean / 100, interval and [end / 100 for end in interval], 1) for mean, interval in found]
    series = [Series("Mean", means, HUES["visitor"], "line")]
    for name in RESOURCES[1]:
        parts = [room["entry"][name]["mean"] / 100 for room in rooms]
        series.append(Series(label(name), [exact(part, percent(part, 1)) for part in parts], shape="thin"))
    entered = [room["entered"] / rooms[0]["entered"] for room in rooms]
    strip = Series("Runs that came so far", [exact(part, percent(part, 1)) for part in entered], "strip", "")
    told = ", ".join(f"room {room['place']} {room['entry']['mean']:.0f} %" for room in rooms)
    return Lines(
        f"The visitor's mean share at each room's entry: {told}",
        "Room entered",
        [f"{room['place']}" for room in rooms],
        [*series, strip],
        top=1.0,
        ranges=[(room["healthy"][0] / 100, room["healthy"][1] / 100) if room["healthy"] else None for room in rooms],
        strip=strip,
    )


def firing_bars(rows: Sequence[Facts]) -> Bars:
    """How often something happened a run, for both sides."""
    series = []
    for side in SIDES:
        values = []
        for row in rows:
            times, runs = row[side]["a_run"], row[side]["runs"]
            often = share(runs["rate"], (runs["low"], runs["high"]), 1).shown
            values.append(exact(times, number(times, 2), f"in {often} of the runs"))
        series.append(Series(f"{label(side)}, a run", values, HUES[side]))
    spoken = f"How often {counted(len(rows), 'thing')} happened a run, for both sides; the table has the numbers."
    return Bars(spoken, "What", [label(row["name"]) for row in rows], series)


# --- where points came from -------------------------------------------------------------------------------------------


def cause_bars(title: str, rows: Sequence[CauseShare], parts: Mapping[str, Count]) -> Bars | None:
    """A stacked bar for each part of every reducer, by cause; nothing where nothing was counted."""
    sides = Counter(reducer for _, reducer in {(row.side, row.reducer) for row in rows})
    bars: dict[str, Counter[str]] = {}
    for row in rows:
        whose = "" if sides[row.reducer] == 1 else f"{row.side} "
        for part, count in parts.items():
            bars.setdefault(f"{label(whose + row.reducer)} {part}".strip(), Counter())[row.cause] += getattr(row, count)
    bars = {name: +causes for name, causes in bars.items() if +causes}
    if not bars:
        return None
    largest = [cause for cause, _ in sum(bars.values(), Counter[str]()).most_common()]
    series = []
    for (name, causes), hue in zip(_groups(largest).items(), CAUSE_HUES, strict=False):
        counts = [(sum(found[cause] for cause in causes), found.total()) for found in bars.values()]
        values = [exact(count, number(count), percent(count / total, 1)) if count else None for count, total in counts]
        series.append(Series(name, values, hue))
    return Bars(
        f"{title}: the largest cause over all is {label(largest[0])}; the table has the numbers.",
        "Reducer",
        list(bars),
        series,
        stacked=True,
        totals=tuple(number(found.total()) for found in bars.values()),
    )


def _groups(largest: Sequence[str]) -> dict[str, Sequence[str]]:
    """Every cause by itself, as long as there are hues; those that remain are one."""
    named = largest if len(largest) <= len(CAUSE_HUES) else largest[: len(CAUSE_HUES) - 1]
    groups: dict[str, Sequence[str]] = {label(cause): [cause] for cause in named}
    return groups | ({"Other causes": largest[len(named) :]} if len(named) < len(largest) else {})


def cause_table(rows: Sequence[CauseShare]) -> Numbers:
    """What every cause did to every reducer, the largest first."""
    return ("Cause", "Side", "Reducer", "Lost", "Gained", "Last points"), [
        (label(row.cause), row.side, row.reducer, *(number(count) for count in (row.lost, row.gained, row.last_points)))
        for row in sorted(rows, key=lambda row: -row.lost - row.gained)
    ]
