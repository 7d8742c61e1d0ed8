"""Pages: what they allow, what they escape, what their charts draw and say."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jinja2 import UndefinedError

import cartomancer
from cartomancer.maps.report import audit_html
from cartomancer.pages import render
from cartomancer.pages.charts import Bars, Chart, Heat, Layer, Lines, Raster, Series
from cartomancer.pages.charts.marks import Mark
from cartomancer.pages.numbers import Estimate, exact, mean, share
from cartomancer.pages.rendering import _templates

SOURCES = Path(cartomancer.__file__).parent


def shares(*values: float) -> list[Estimate | None]:
    return [exact(value, f"{value:.0%}") for value in values]


BARS = Bars("Spoken.", "Type", ["a", "b"], [Series("Share", shares(0.25, 0.5), "red")])
STACK = Bars(
    "Spoken.",
    "Type",
    ["a", "b"],
    [Series("One", shares(1, 2), "red"), Series("Two", [None, exact(2, "2")], "sea")],
    stacked=True,
    totals=("1", "4"),
)
LINES = Lines("Spoken.", "Round", ["1", "2", "3"], [Series("One", shares(0.2, 0.4, 0.6), "sea", "line")], top=1.0)
HEAT = Heat(
    "Spoken.", across="Column", up="Row", columns=["x", "y"], rows=["1", "2"], values=[[0, 1], [0.5, 0.004]], what="of"
)


def drawn(chart: Chart, look: str) -> list[Mark]:
    return [mark for mark in chart.marks() if mark.hint and look in mark.look.split()]


def place(mark: Mark, name: str) -> float:
    return float(mark.attributes[name])


# --- what a page allows -----------------------------------------------------------------------------------------------


def test_the_policy_allows_the_page_its_own_style_and_script_and_nothing_else() -> None:
    page = audit_html([])
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["img-src"] == "data:"
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        found = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{found}'"


@pytest.mark.parametrize("asset", ["style.css", "script.js"])
def test_assets_ask_nothing_of_a_network_and_end_no_element(asset: str) -> None:
    text = (SOURCES / "pages" / "assets" / asset).read_text(encoding="utf-8")
    assert not re.search(r"https?:|//\w+\.|url\(|@import|fetch\(|XMLHttp|import\(|eval\(|innerHTML", text)
    assert not re.search(r"</|<!--", text)
    assert all(len(line) <= 120 for line in text.splitlines())


def test_templates_have_no_inline_style_or_handler_and_never_trust_their_input() -> None:
    templates = list(SOURCES.rglob("templates/*.html"))
    assert len(templates) >= 5
    for path in templates:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|\son\w+=|\|\s*safe\b|autoescape", text), path


def test_markup_is_written_in_templates_only() -> None:
    """Except for the drawn maps, which are pictures."""
    tag = re.compile(r"</?(html|head|body|div|span|p|table|tr|td|th|ul|li|svg|rect|details|section|h\d)[ >]")
    for path in SOURCES.rglob("*.py"):
        if path.name != "draw_svg.py" and "pages" not in path.relative_to(SOURCES).parts:
            assert not tag.search(path.read_text(encoding="utf-8")), path


def test_a_model_without_what_its_template_needs_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        render("cartomancer.maps.report", "audit.html", audits=[])


# --- charts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chart", [BARS, STACK, LINES, HEAT])
def test_marks_stay_inside_the_drawing(chart: Chart) -> None:
    for mark in chart.marks():
        places = {name: float(value) for name, value in mark.attributes.items() if re.fullmatch(r"-?[\d.]+", value)}
        across = places.get("x", 0) + places.get("width", 0)
        up = places.get("y", 0) + places.get("height", 0)
        assert 0 <= places.get("x", 0) <= across <= 400
        assert 0 <= places.get("y", 0) <= up <= chart.height + 0.5


def test_bars_are_as_long_as_their_values() -> None:
    short, long = drawn(BARS, "red")
    assert place(long, "width") == pytest.approx(2 * place(short, "width"), abs=0.2)
    assert [mark.hint for mark in (short, long)] == ["a, Share: 25%", "b, Share: 50%"]
    assert {"25%", "50%"} <= {mark.text for mark in BARS.marks()}


def test_an_interval_is_drawn_from_end_to_end_and_told() -> None:
    chart = Bars("Spoken.", "Type", ["a"], [Series("Share", [share(0.5, [0.4, 0.6])], "red")])
    (bar,) = drawn(chart, "red")
    assert bar.hint == "a, Share: 50\u202f% (40 – 60\u202f%)"
    (whisker,) = (mark for mark in chart.marks() if mark.look == "whisker")
    start, end = (float(x) for x in re.findall(r"[ML]([\d.]+) ", whisker.attributes["d"])[:2])
    tip = place(bar, "x") + place(bar, "width")
    assert (start + end) / 2 == pytest.approx(tip, abs=0.2)
    assert (end - start) / place(bar, "width") == pytest.approx(0.4, abs=0.01)


def test_stacked_bars_lie_end_to_end_on_one_scale() -> None:
    first, second = drawn(STACK, "red")
    (third,) = drawn(STACK, "sea")
    assert place(third, "x") == pytest.approx(place(second, "x") + place(second, "width"), abs=0.2)
    assert place(second, "width") == pytest.approx(2 * place(first, "width"), abs=0.2)
    assert place(first, "y") < place(second, "y") == place(third, "y")


def test_lines_rise_with_their_values() -> None:
    points = drawn(LINES, "sea")
    heights = [place(point, "cy") for point in points]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=0.2)
    assert heights[0] > heights[2]
    assert points[1].hint == "Round 2, One: 40%"


def test_a_heat_map_is_stronger_where_there_is_more_and_blank_where_there_is_nothing() -> None:
    cells = drawn(HEAT, "heat")
    assert [cell.hint.split(":")[0] for cell in cells] == ["Row 1, y", "Row 2, x", "Row 2, y"]
    strong, half, faint = (float(cell.attributes["fill-opacity"]) for cell in cells)
    assert strong > half > faint > 0
    assert place(cells[0], "y") > place(cells[1], "y"), "rows go up"
    assert [mark.text for mark in HEAT.marks() if mark.look == "small"] == ["100%", "50%", "<1%"]


def test_every_chart_has_its_numbers() -> None:
    assert BARS.numbers() == (["Type", "Share"], [("a", "25%"), ("b", "50%")])
    assert STACK.numbers()[1] == [("a", "100%", "–"), ("b", "200%", "2")]
    assert HEAT.numbers() == (("Row", "x", "y"), [("1", "–", "100.0\u202f%"), ("2", "50.0\u202f%", "0.4\u202f%")])
    with_interval = Bars("", "Type", ["a"], [Series("Mean", [mean(2.0, [1.0, 3.0])])])
    assert with_interval.numbers() == (["Type", "Mean", "95 % interval"], [("a", "2.0", "1.0 – 3.0")])
    told = Bars("", "Type", ["a"], [Series("Maps", shares(3), shape=""), Series("Share", shares(1), "sea")])
    assert told.numbers()[0] == ["Type", "Maps", "Share"]
    assert len(drawn(told, "plain")) == 0, "a series without a shape is told, not drawn"


def test_a_figure_of_several_charts_has_the_numbers_of_the_first_unless_told() -> None:
    figure: Any = _templates("cartomancer.pages").get_template("parts.html").module
    several = figure.figure("Title", "", [("One", BARS), ("Two", HEAT)])
    assert several.count("<svg") == 2
    assert re.findall("<th scope=.row.>(.*?)</th><td>(.*?)</td>", several) == BARS.numbers()[1]
    told = figure.figure("Title", "", BARS, (("Head", "More"), [("cell", "1")]))
    assert re.findall("<th scope=.row.>(.*?)</th><td>(.*?)</td>", told) == [("cell", "1")]


def test_a_raster_keeps_a_byte_a_cell() -> None:
    values = np.array([[0.0, 50.0, 99.9], [np.nan, 12.3, 100.0]])
    layers = {"share": Layer(values, 0.5, 1, " %"), "games": Layer(values * 100, wide=True)}
    found = Raster(["a", "b", "c"], ["x", "y"], layers, [("Cell", "{row}")]).data
    assert found["shade"] == "share"
    assert list(base64.b64decode(found["layers"]["share"]["data"])) == [0, 100, 200, 255, 25, 200]
    games = np.frombuffer(base64.b64decode(found["layers"]["games"]["data"]), "<u4")
    assert list(games[[0, 1, 2, 4, 5]]) == [0, 5000, 9990, 1230, 10000]
