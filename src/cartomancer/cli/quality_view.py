"""How the quality metrics look in a terminal: a line each, then what they mean."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from cartomancer import lab
from cartomancer.cli import output

STYLES: Final = {"healthy": "green", "low": "yellow", "high": "yellow"}
SEVERE: Final = "red"


def print_quality(measured: lab.Quality) -> None:
    """The five metrics in a table, what each and all together say, and the win rate in a sentence."""
    console, readings = output.stdout(), []
    columns = ("metric", "value", "95 % interval", "healthy", "verdict")
    table = output.table("quality", columns, left=(0, 4), whole=range(4))
    for key, metric in measured.metrics.items():
        shown = lab.METRICS[key]
        if metric is None:
            table.add_row(shown.word, "–", "–", "–", Text(shown.applies, "dim"))
            continue
        value = "–" if metric.value is None else f"{metric.value:.{shown.digits}f}{shown.sign}"
        low, high = metric.healthy
        bounds = output.interval(metric.interval, shown.digits), f"{low:g} … {high:g}"
        table.add_row(shown.word, value, *bounds, _verdict(metric))
        readings.append(Text.assemble((f"{shown.word} ", "bold"), (f"({shown.what}): ", "dim"), metric.reading))
    console.print(table)
    for reading in readings:
        output.line(console, reading)
    output.line(console, Text.assemble(("wins: ", "bold"), measured.win_rate.reading))
    for one in measured.readings:
        output.line(console, Text.assemble((f"{one.title[0].upper()}{one.title[1:]}. ", "bold"), one.reading))


def _verdict(metric: lab.Metric) -> Text:
    """The verdict, what is severe about it, and whether more runs might change it."""
    if metric.verdict is None:
        return Text("nothing to judge", "dim")
    words = metric.verdict if metric.severe is None else f"{metric.verdict}: {metric.severe}"
    said = Text(words, SEVERE if metric.severe else STYLES[metric.verdict])
    return said if metric.certain else said.append(", not sure yet", "dim")
