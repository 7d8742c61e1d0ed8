"""Charts of types: what was rolled, where it stands, how maps spread."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from cartomancer.maps.icons import LOOKS
from cartomancer.pages import Figure
from cartomancer.pages.charts import Bars, Heat, Series
from cartomancer.pages.numbers import digits_for, exact, label, number, percent, share

Facts = Mapping[str, Any]

COLUMN_NAMES: Final[dict[str, tuple[str, ...]]] = {"contract": ("safe", "risk")}
# the hues of the drawn maps
HUES: Final = {"battle": LOOKS["monster"].hue} | {kind: look.hue for kind, look in LOOKS.items()}


def hue(name: str) -> str:
    """The hue of a node type or Unknown outcome, the same on every chart."""
    return HUES.get(name, "plain")


def rolled_types(facts: Facts) -> Figure:
    """Rolled types as observed, against what odds and bans implied."""
    rolled = facts["rolled"]
    observed = [share(entry["observed"], entry["interval"]) for entry in rolled.values()]
    implied = [
        exact(entry["implied"], percent(entry["implied"], digits_for(entry["interval"], 100)))
        for entry in rolled.values()
    ]
    inside = sum(seen.low <= due.value <= seen.high for seen, due in zip(observed, implied, strict=True))
    return Figure(
        "Rolled types: observed and implied",
        "Bars: what was rolled, with 95 % intervals. Black lines: what the odds and the bans of each roll imply.",
        Bars(
            f"The implied share lies inside the observed 95 % interval for {inside} of {len(rolled)} types.",
            "Type",
            [label(name) for name in rolled],
            [Series("Observed", observed, [hue(name) for name in rolled]), Series("Implied", implied, "ink", "tick")],
        ),
    )


def row_types(facts: Facts) -> Figure:
    """The types of every row."""
    names = [name for name, entry in facts["types"].items() if entry["total"]]
    rows = facts["rows"]
    return Figure(
        "Types by row",
        "How the nodes of each row divide among the types; the boss is on top. Blank: never there.",
        Heat(
            f"A heat map of {len(rows)} rows by {len(names)} types; the table below has the same numbers.",
            across="Type",
            up="Row",
            columns=[label(name) for name in names],
            rows=[f"{row['row']}" for row in rows],
            values=[[float(row["types"].get(name, 0.0)) for name in names] for row in rows],
            what="of the row's nodes",
            beside=("Nodes per map", [number(row["nodes"], 2) for row in rows]),
        ),
    )


def cells(facts: Facts) -> Figure:
    """Where nodes stand, all of them or those of one type."""
    grids = {"All nodes": facts["cells"], **{label(name): grid for name, grid in facts["cell_types"].items()}}
    rows, columns = len(facts["cells"]), len(facts["cells"][0])
    names = COLUMN_NAMES.get(facts["family"], ())
    across = [label(names[index]) if index < len(names) else str(index + 1) for index in range(columns)]
    meeting = " A node where the lanes meet counts as safe." if names else ""
    return Figure(
        "Where nodes stand",
        f"The share of maps with a node at each place; the menu picks a type. Each type has its own scale.{meeting}",
        [
            (
                name,
                Heat(
                    f"{name}: a heat map of {rows} rows by {columns} columns.",
                    across="Lane" if names else "Column",
                    up="Row",
                    columns=across,
                    rows=[str(row + 1) for row in range(rows)],
                    values=grid,
                    what="of maps",
                ),
            )
            for name, grid in grids.items()
        ],
    )


def first_rows(facts: Facts) -> Figure:
    """On which row a map shows each type for the first time."""
    types = facts["routes"]["types"]
    rows = [row["row"] for row in facts["rows"]]
    maps = facts["maps"] - facts["typing"]["failed_seeds"] or 1
    shares = [[entry["first_row"].get(str(row), 0) / maps for entry in types.values()] for row in rows]
    never = [max(0.0, 1 - sum(entry["first_row"].values()) / maps) for entry in types.values()]
    return Figure(
        "First row of each type",
        "Where a map first shows a type. The top line is the maps that never do.",
        Heat(
            f"A heat map of {len(rows)} rows by {len(types)} types; the table below has the same numbers.",
            across="Type",
            up="First row",
            columns=[label(name) for name in types],
            rows=[*map(str, rows), "Never"],
            values=[*shares, never],
            what="of maps",
            top=1.0,
        ),
    )


def expressive_range(facts: Facts) -> Figure:
    """How linear and how dangerous the maps are, on the same axes for every preset."""
    found = facts["expressive_range"]
    total = sum(map(sum, found["maps"])) or 1
    across, up = found["linearity_bins"], found["danger_bins"]
    linear, danger = found["linearity_mean"], found["danger_mean"]
    words = f"Mean linearity {percent(linear, 1)}, mean danger {number(danger, 2)} points per row"
    return Figure(
        "Expressive range",
        f"{words} (the diamond). The axes are the same for every audit; the top bin also holds whatever lies above it.",
        Heat(
            f"A heat map of linearity and danger. {words}.",
            across="Linearity (share of nodes with one way onward)",
            up="Danger (points per row)",
            columns=[f"{low:.0%}–{high:.0%}" for low, high in pairwise(across)],
            rows=[f"{low:g}–{high:g}" for low, high in pairwise(up)],
            values=[[count / total for count in line] for line in found["maps"]],
            what="of maps",
            fine=True,
            cross=(linear / (across[1] - across[0]), min(danger / (up[1] - up[0]), len(up) - 1), words),
        ),
    )
