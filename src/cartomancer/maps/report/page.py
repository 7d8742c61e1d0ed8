"""The audit report: one page over one or more audits.

>>> page = audit_html([])
>>> page.startswith("<!doctype html>"), "No audits" in page
(True, True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cartomancer.maps import families
from cartomancer.maps.report import route_charts, type_charts, unknown_charts
from cartomancer.pages import Figure, render

Audit = dict[str, Any]


def audit_html(
    audits: Sequence[Audit], pictures: Mapping[str, str] | None = None, comparison: Sequence[Audit] = ()
) -> str:
    """One offline page: an index, a section for every audit, and the comparison if there is one.

    `pictures` maps "family:preset" to the SVG of an example map; `comparison` is what `auditing.compare` returns
    for the first two audits.
    """
    names = [f"{facts['family']}:{facts['preset']}" for facts in audits]
    sides = names[:2] if len(names) >= 2 else ["One", "Two"]
    if sides[0] == sides[1]:
        sides = [f"{name} ({facts['ruleset']})" for name, facts in zip(sides, audits, strict=False)]
    return render(
        __name__,
        "audit.html",
        audits=audits,
        names=names,
        pictures=pictures or {},
        comparison=comparison,
        sides=sides,
        rules={
            rule.id: f"{rule.title} – {rule.statement}"
            for family in {facts["family"] for facts in audits}
            for rule in families.of(family).rules
        },
        groups=_groups,
        hue=type_charts.hue,
    )


def _groups(facts: Audit) -> dict[str, list[Figure]]:
    """All figures of an audit under their headings."""
    places = (type_charts.row_types, type_charts.cells, type_charts.first_rows, route_charts.on_a_route)
    routes = (route_charts.route_counts, route_charts.disjoint_routes, route_charts.forced_nodes)
    found = {
        "Types": [type_charts.rolled_types(facts)] if facts["rolled"] else [],
        "Where things are": [chart(facts) for chart in places],
        "Routes and range": [chart(facts) for chart in (*routes, type_charts.expressive_range)],
    }
    unknowns = [unknown_charts.unknown_outcomes, unknown_charts.unknown_pity]
    return found | ({"Unknowns": [chart(facts) for chart in unknowns]} if facts["unknown"] else {})
