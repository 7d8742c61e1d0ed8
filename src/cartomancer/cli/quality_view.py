"""How the quality metrics look in a terminal: a line each, then what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cartomancer.cli import output

if TYPE_CHECKING:
    from cartomancer.lab.measures.metrics import Quality
    from cartomancer.lab.measures.verdicts import Metric

STYLES: Final = {"healthy": "green", "low": "yellow", "high": "yellow"}
SEVERE: Final = "red"


def percents(bounds: Sequence[float], digits: int = 1) -> str:
    """The interval of a share."""
    return output.interval([100 * end for end in bounds], digits)


def print_quality(console: Console, measured: Quality) -> None:
    """The five metrics in a table, what each and all together say, and the win rate in a sentence."""
    from cartomancer.lab.measures.metrics import METRICS

    console.print(quality_table(measured))
    for key, metric in measured.metrics.items():
        if metric is not None:
            shown = METRICS[key]
            said = (f"{shown.word} ", "bold"), (f"({shown.what}): ", "dim"), metric.reading
            output.line(console, Text.assemble(*said))
    output.line(console, Text.assemble(("wins: ", "bold"), measured.win_rate.reading))
    for one in measured.readings:
        output.line(console, Text.assemble((f"{one.title[0].upper()}{one.title[1:]}. ", "bold"), one.reading))


def quality_table(measured: Quality) -> Table:
    """Name, value with interval, healthy range and verdict of each metric."""
    from cartomancer.lab.measures.metrics import METRICS

    table = output.named_table("quality", "metric", "value", "95 % interval", "healthy", "verdict")
    for column in table.columns[:-1]:
        column.no_wrap = True
    table.columns[-1].justify = "left"
    for key, metric in measured.metrics.items():
        shown = METRICS[key]
        if metric is None:
            table.add_row(shown.word, "–", "–", "–", Text(shown.applies, "dim"))
            continue
        value = "–" if metric.value is None else f"{metric.value:.{shown.digits}f}{shown.sign}"
        bounds = "–" if metric.interval is None else output.interval(metric.interval, shown.digits)
        low, high = metric.healthy
        table.add_row(shown.word, value, bounds, f"{low:g} … {high:g}", verdict(metric))
    return table


def verdict(metric: Metric) -> Text:
    """The verdict, what is severe about it, and whether more runs might change it."""
    if metric.verdict is None:
        return Text("nothing to judge", "dim")
    words = metric.verdict if metric.severe is None else f"{metric.verdict}: {metric.severe}"
    said = Text(words, SEVERE if metric.severe else STYLES[metric.verdict])
    return said if metric.certain else said.append(", not sure yet", "dim")
