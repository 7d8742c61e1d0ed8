"""How the quality metrics look in a terminal: a line each, then what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cartomancer.cli import output

Facts = Mapping[str, Any]

STYLES: Final = {"healthy": "green", "low": "yellow", "high": "yellow"}
SEVERE: Final = "red"


@dataclass(frozen=True)
class Line:
    """How a metric is shown: its short name, what its value is, and how that is written."""

    name: str
    what: str
    digits: int
    sign: str = ""


LINES: Final = {
    "agency_score": Line("agency", "lead changes a run", 2),
    "closeness_at_resolution": Line("closeness", "left of the loser's nearest resource", 1, " %"),
    "outcome_diversity": Line("diversity", "entropy of the outcomes, at most 1", 3),
    "knockout_patterns": Line("knock-outs", "entropy of who falls first, at most 1", 3),
    "attrition_curve": Line("attrition", "left of the visitor on entering room 2", 1, " %"),
}
ABSENT: Final = {"knockout_patterns": "parties only", "attrition_curve": "several rooms only"}


def print_quality(console: Console, measured: Facts) -> None:
    """The five metrics in a table, what each and all together say, and the win rate in a sentence."""
    console.print(quality_table(measured))
    for key, line in LINES.items():
        if measured[key] is not None:
            said = (f"{line.name} ", "bold"), (f"({line.what}): ", "dim"), measured[key]["reading"]
            output.line(console, Text.assemble(*said))
    output.line(console, Text.assemble(("wins: ", "bold"), measured["win_rate"]["reading"]))
    for reading in measured["readings"]:
        title: str = reading["title"]
        output.line(console, Text.assemble((f"{title[0].upper()}{title[1:]}. ", "bold"), reading["reading"]))


def quality_table(measured: Facts) -> Table:
    """Name, value with interval, healthy range and verdict of each metric."""
    shown = output.named_table("quality", "metric", "value", "95 % interval", "healthy", "verdict")
    for column in shown.columns[:-1]:
        column.no_wrap = True
    shown.columns[-1].justify = "left"
    for key, line in LINES.items():
        metric = measured[key]
        if metric is None:
            shown.add_row(line.name, "–", "–", "–", Text(ABSENT[key], "dim"))
            continue
        value = "–" if metric["value"] is None else f"{metric['value']:.{line.digits}f}{line.sign}"
        bounds = "–" if metric["interval"] is None else output.interval(metric["interval"], line.digits)
        low, high = metric["healthy"]
        shown.add_row(line.name, value, bounds, f"{low:g} … {high:g}", verdict(metric))
    return shown


def verdict(metric: Facts) -> Text:
    """The verdict, what is severe about it, and whether more runs might change it."""
    if metric["verdict"] is None:
        return Text("nothing to judge", "dim")
    words = metric["verdict"] if metric["severe"] is None else f"{metric['verdict']}: {metric['severe']}"
    said = Text(words, SEVERE if metric["severe"] else STYLES[metric["verdict"]])
    return said if metric["certain"] else said.append(", not sure yet", "dim")
