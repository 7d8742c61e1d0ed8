"""The report as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cartomancer.encounters.names import SIDES
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES
from cartomancer.lab.measures.metrics import METRICS
from cartomancer.lab.report import charts
from cartomancer.lab.report.notable import KINDS
from cartomancer.lab.report.reports import Report
from cartomancer.pages import Figure, render

Facts = dict[str, Any]


def report_html(reports: Sequence[Report]) -> str:
    """One page: an overview if there are several scenarios, then a section for each."""
    return render(
        __name__,
        "report.html",
        reports=reports,
        sides=SIDES,
        hues=charts.HUES,
        metrics=METRICS,
        kinds=KINDS,
        figures=_figures,
        others=_others,
        compared=_compared,
    )


def _figures(report: Report) -> Iterator[Figure]:
    yield Figure(
        "How runs end",
        "All outcomes. Orange: the dungeon wins; blue: the visitor; green: both; grey: nobody.",
        charts.outcome_bars(report.facts),
    )
    yield Figure(
        "Momentum",
        "What both sides had left at each round's end, as a mean share of their three resources, over the runs that "
        "lasted so long (the strip below). The band reaches from the runs a side lost to those it won. Every room has "
        "a dungeon that is whole.",
        charts.momentum_curves(report.momentum()),
    )
    yield Figure(
        "Lead changes",
        "How often the side with more left changed during a run.",
        charts.lead_histogram(report.facts["lead_changes"]),
    )
    if len(report.entries) > 1:
        yield Figure(
            "Attrition",
            "What the visitor had left of its starting values when it entered its first, second, … room. Grey boxes: "
            "the healthy range of the mean.",
            charts.attrition_curve(report.entries),
        )
    yield from charts.cause_figures(report.survey.causes())
    if keywords := _fired(report, True):
        told = "How often each keyword did something a run, by the side whose doing it was."
        yield Figure("Keywords", told, charts.firing_bars(keywords))


def _others(report: Report) -> Figure:
    bars = charts.firing_bars(_fired(report, False))
    return Figure("Triggers, Traps, answers and bargains", "The same for everything else.", bars)


def _fired(report: Report, keyword: bool) -> list[Facts]:
    """What happened at all, keywords or everything else."""
    rows: list[Facts] = report.facts["survey"]["keywords"]
    return [row for row in rows if row["keyword"] == keyword and any(row[side]["times"] for side in SIDES)]


def _compared(report: Report) -> Facts:
    """The cards, those that go with winning first, and how many can be told from chance."""
    uses = report.survey.card_usage()
    found = [use.contribution for use in uses if use.contribution]
    return {
        "uses": sorted(uses, key=lambda use: -use.contribution.difference if use.contribution else 9),
        "compared": len(found),
        "telling": sum(one.q_value <= FALSE_DISCOVERIES for one in found),
        "level": FALSE_DISCOVERIES,
        "most": max((abs(end) for one in found for end in one.interval), default=0.0) or 1.0,
    }
