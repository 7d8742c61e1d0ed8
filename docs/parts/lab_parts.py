"""Generated parts about the lab: the columns of a stored run, and every measure."""

from __future__ import annotations

import re

from cartomancer.content.codex import load_codex
from cartomancer.content.models.quality import Span, TierSpans
from cartomancer.lab.columns import COLUMNS
from cartomancer.lab.measures.measure import Evidence, Family
from cartomancer.lab.measures.registry import FAMILIES
from parts.markdown import code, table

NUMBERED = re.compile(r"(?P<stem>[a-z_]+)_(?P<place>[1-4])")


def run_columns() -> str:
    """Every column of a run; those there is one of for each room in one line."""
    rows, told = [], set()
    for name, what in COLUMNS.items():
        numbered = NUMBERED.fullmatch(name)
        if numbered is None:
            rows.append((code(name), what))
        elif numbered["stem"] not in told:
            told.add(numbered["stem"])
            last = [other for other in COLUMNS if re.fullmatch(f"{numbered['stem']}_[1-4]", other)][-1]
            rows.append((f"{code(name)} … {code(last)}", what.replace(f"{numbered['place']}. room", "k-th room")))
    return table(("column", "what"), rows)


def lab_measures() -> str:
    """Every family of measures: names, meaning, unit, healthy range, where it applies, what it needs beside runs."""
    rows = [
        (
            ", ".join(code(name) for name in family.pattern.split(", ")),
            family.title,
            {"percent": "%"}.get(family.unit.name, family.unit.name),
            f"{family.unit.step:g}",
            _healthy(family),
            family.applies,
            "" if family.evidence == Evidence.RUNS else family.evidence,
        )
        for family in FAMILIES
    ]
    return table(("measure", "what", "unit", "unit of distance", "healthy", "only", "needs"), rows)


def _healthy(family: Family) -> str:
    """The content's range of a measure; where there are several, each with what it is of."""
    found = load_codex().quality
    for field in family.healthy.split(".") if family.healthy else ():
        found = getattr(found, field)
    if isinstance(found, Span):
        return _range(found)
    if isinstance(found, TierSpans):
        return f"party {_range(found.party)}, creature {_range(found.creature)}"
    if isinstance(found, list):
        return ", ".join(f"room {span.room}: {_range(span)}" for span in found)
    return f"{100 * found:g} or more" if isinstance(found, float) else ""


def _range(span: Span) -> str:
    low, high = span.healthy
    return f"{low:g} … {high:g}"
