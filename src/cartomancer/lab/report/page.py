"""The report as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartomancer.encounters.names import SIDES
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES
from cartomancer.lab.measures.metrics import METRICS
from cartomancer.lab.report import charts
from cartomancer.lab.report.notable import KINDS
from cartomancer.lab.report.reports import Report
from cartomancer.pages import render


def report_html(reports: Sequence[Report]) -> str:
    """One page: an overview if there are several scenarios, then a section for each."""
    return render(
        __name__,
        "report.html",
        reports=reports,
        sides=SIDES,
        metrics=METRICS,
        kinds=KINDS,
        charts=charts,
        fired=_fired,
        level=FALSE_DISCOVERIES,
    )


def _fired(report: Report, keyword: bool) -> list[Any]:
    """What happened at all, keywords or everything else."""
    rows = report.facts["survey"]["keywords"]
    return [row for row in rows if row["keyword"] == keyword and any(row[side]["times"] for side in SIDES)]
