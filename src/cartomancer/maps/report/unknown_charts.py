"""Charts of Unknowns: outcomes and pity, visit by visit."""

from __future__ import annotations

from cartomancer.intervals import wilson
from cartomancer.maps.report.type_charts import Facts, hue
from cartomancer.pages import Figure
from cartomancer.pages.charts import Lines, Series
from cartomancer.pages.numbers import exact, label, number, share


def unknown_outcomes(facts: Facts) -> Figure:
    """What the first, second, … Unknown of a route turned out to be."""
    visits = facts["unknown"]
    series = [Series("Times", [exact(visit["times"], number(visit["times"])) for visit in visits], shape="")]
    for name in visits[0]["outcomes"]:
        found = [(visit["outcomes"][name], visit["times"]) for visit in visits]
        shares = [share(part, wilson(part * times, times), 1) for part, times in found]
        series.append(Series(label(name), shares, hue(name), "line"))
    return Figure(
        "What Unknowns turn out to be",
        "Outcome shares by visit along one random route per map. Whiskers are 95 % intervals; late visits are rare.",
        Lines(
            "Outcome shares by visit number; the table below has the same numbers.",
            "Unknowns visited on the route",
            [str(visit["visit"]) for visit in visits],
            series,
            top=1.0,
        ),
    )


def unknown_pity(facts: Facts) -> Figure:
    """How much pity had built up before each visit."""
    visits = facts["unknown"]
    candidates = list(visits[0]["outcomes"])[: len(visits[0]["pity"])]
    return Figure(
        "Pity before the visit",
        "Mean visits since the last outcome of each kind: the higher, the likelier it becomes.",
        Lines(
            "Mean pity of each outcome by visit number; the table below has the same numbers.",
            "Unknowns visited on the route",
            [str(visit["visit"]) for visit in visits],
            [
                Series(
                    f"{label(name)} pity",
                    [exact(visit["pity"][at], number(visit["pity"][at], 2)) for visit in visits],
                    hue(name),
                    "line",
                )
                for at, name in enumerate(candidates)
            ],
            form=number,
        ),
    )
