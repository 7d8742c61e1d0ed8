"""The audit report: complete, escaped, and silent towards every network."""

from __future__ import annotations

import base64
import copy
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from cartomancer import maps
from cartomancer.content import load_preset
from cartomancer.maps.auditing import audit, compare, sides
from cartomancer.maps.report import audit_html, breakable, quantile
from cartomancer.pages.numbers import THIN, mean, number, percent, share
from cartomancer.seals import sealed

PRESETS = {"voyage": "guide", "contract": "standard", "guardian": "three_acts"}
VOID = {"meta", "img", "br", "link", "input", "hr"}
SVG = '<svg viewBox="0 0 10 10"><title>Seed 1</title><circle id="a" r="4"/></svg>'


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, text outside scripts, and whether tags balance."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.styles: list[str] = []
        self.marked: list[str] = []
        self.in_marked = False
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.in_marked = dict(attrs).get("class") == "differs"
            if self.in_marked:
                self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.in_marked = self.in_marked and tag != "tr"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.styles.append(data)
        elif not self.open or self.open[-1] != "script":
            self.words.append(data)
            if self.in_marked:
                self.marked[-1] += f"{data}|"

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@cache
def small(family: str) -> dict[str, Any]:
    return audit(load_preset(family, PRESETS[family]), PRESETS[family], 50)


def hand_made() -> dict[str, Any]:
    """Two maps of two rows, with numbers that appear nowhere by chance."""

    def of_type(total: int, mean: float) -> dict[str, Any]:
        return {
            "total": total,
            "mean": mean,
            "interval": [mean - 0.5, mean + 0.5],
            "share": 0.613,
            "maps_with": 0.731,
            "maps_with_interval": [0.64, 0.82],
        }

    def on_routes(first: str) -> dict[str, Any]:
        return {
            "least": {"0": 1, "1": 1},
            "least_mean": 0.57,
            "most": {"1": 1, "4": 1},
            "most_mean": 2.59,
            "first_row": {first: 2},
        }

    return {
        "format": "cartomancer.audit/1",
        "family": "voyage",
        "preset": 'by <hand> & "quote" \'n</script>',
        "ruleset": "abcd<1234",
        "first_seed": 7000,
        "maps": 12345,
        "asked_for": 23456,
        "notes": ["Mind <the> & gap."],
        "types": {"monster": of_type(4, 17.31), "boss": of_type(2, 6.17), "elite": of_type(0, 0.0)},
        "rolled": {"monster": {"observed": 0.418, "interval": [0.33, 0.51], "implied": 0.427}},
        "rows": [
            {"row": 1, "nodes": 2.25, "types": {"monster": 1.0}},
            {"row": 2, "nodes": 1.0, "types": {"boss": 0.863, "monster": 0.137}},
        ],
        "cells": [[0.291, 0.383], [0.0, 0.479]],
        "cell_types": {"monster": [[0.1, 0.2], [0.0, 0.0]], "boss": [[0.0, 0.0], [0.0, 1.0]]},
        "typing": {
            "rolled_nodes": 43.2,
            "rerolls": 7.19,
            "reroll_rate": 0.0987,
            "reroll_rate_interval": [0.09, 0.11],
            "searches": 88,
            "waivers": 66,
            "waiver_rate": 0.053,
            "waiver_rate_interval": [0.043, 0.063],
            "forced_per_map": 0.37,
            "failed_seeds": 3,
        },
        "violations": {
            "total": 4321,
            "maps": 987,
            "rate_interval": [0.07, 0.09],
            "first_bad_seed": 7042,
            "by_rule": {"voyage.no-repeat": 4300, "made.up<rule": 21},
        },
        "routes": {
            "mean": 329.5,
            "log2": {"0": 1, "10": 3},
            "disjoint": {"2": 5, "4": 3},
            "forced_nodes": {"1": 8},
            "nodes": 57.2,
            "edges": 70.4,
            "types": {"monster": on_routes("1"), "boss": on_routes("2")},
        },
        "expressive_range": {
            "linearity_mean": 0.752,
            "danger_mean": 2.56,
            "linearity_bins": [0.0, 0.5, 1.0],
            "danger_bins": [0.0, 0.25, 0.5],
            "maps": [[1, 0], [0, 1]],
        },
        "unknown": [
            {
                "visit": 1,
                "times": 1907,
                "outcomes": {"battle": 0.108, "treasure": 0.021, "shop": 0.034, "event": 0.837},
                "pity": [0.0, 1.23, 4.56],
            },
            {
                "visit": "12+",
                "times": 3,
                "outcomes": {"battle": 0.0, "treasure": 0.0, "shop": 1.0, "event": 0.0},
                "pity": [2.34, 3.45, 5.67],
            },
        ],
    }


@cache
def three_families() -> str:
    rows = compare(small("voyage"), small("voyage"))
    return audit_html([small(family) for family in PRESETS], {"voyage:guide": SVG}, rows)


def test_nothing_is_asked_of_a_network() -> None:
    page = Page(three_families())
    for _, attributes in page.elements:
        for name in ("src", "href", "srcset", "action", "data", "poster"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))
        assert "url(" not in (attributes.get("style") or "")
    assert not page.all("link")
    assert not page.all("iframe")
    assert not re.search(r"@import|url\(|https?:", "".join(page.styles))
    policies = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1
    assert (policies[0] or "").startswith("default-src 'none'")


def test_the_atlas_is_small() -> None:
    """Three families, some forty charts: below the 1.5 MB a report may have."""
    source = three_families()
    assert source.count('<svg class="chart"') >= 40
    assert len(source.encode()) < 1_500_000
    assert not Page(source).open


def test_the_largest_report_is_small() -> None:
    """The longest and widest map, every cell of every type met, with its picture and a comparison: below 1.5 MB."""
    size = {"rows": 40, "columns": 9, "paths": 8}
    rules = load_preset("voyage", "guide", size)
    facts = audit(rules, "guide", 5)
    full = [[0.123456] * 9 for _ in range(40)]
    facts["cells"], facts["cell_types"] = full, dict.fromkeys(facts["types"], full)
    for row in facts["rows"]:
        row["types"] = dict.fromkeys(facts["types"], 0.123456)
    spread = facts["expressive_range"]["maps"]
    spread[:] = [[12_345] * len(line) for line in spread]
    for entry in facts["routes"]["types"].values():
        entry["first_row"] = {str(row): 12_345 for row in range(1, 41)}
    picture = {"voyage:guide": maps.to_svg(maps.generate_from(rules, "guide", 0))}
    facts = sealed(facts)
    source = audit_html([facts], picture, compare(facts, facts), sides(facts, facts))
    assert 800_000 < len(source.encode()) < 1_500_000


def test_a_page_is_no_wider_than_a_narrow_screen() -> None:
    """What is wider scrolls by itself and keeps the names of its rows; both sides of a comparison stand beside them."""
    source = three_families()
    page = Page(source)
    assert any(meta.get("content") == "width=device-width, initial-scale=1" for meta in page.all("meta"))
    tables = len(page.all("table"))
    assert tables == len(re.findall(r'<div class="scroll"[^>]*>\s*<table', source))
    style = "".join(page.styles)
    assert re.search(r"\.scroll \{[^}]*overflow-x: auto", style)
    assert re.search(r"th:first-child \{[^}]*position: sticky; left: 0", style)
    head = source[source.index('id="comparison"') :].partition("</thead>")[0]
    assert re.findall(r'<th scope="col">([^<]*)</th>', head) == ["Number", "One", "Two", "Difference", "Differs"]


def test_names_of_columns_break_after_their_parts() -> None:
    assert breakable("voyage:guide[rows=20]").split("\u200b") == ["voyage:", "guide[", "rows=", "20]", ""]
    page = audit_html([small("voyage")], comparison=compare(small("voyage"), small("voyage")), sides=("a:b_c", "d"))
    assert "a:\u200bb_\u200bc</th>" in page


@pytest.mark.parametrize("family", PRESETS)
def test_each_family_has_its_section(family: str) -> None:
    page = Page(audit_html([small(family)]))
    assert not page.open
    for words in (
        f"{family}:{PRESETS[family]}",
        "No map broke a rule.",
        "Maps surveyed",
        "Nodes of each type",
        "Rolled types: observed and implied",
        "Types by row",
        "Where nodes stand",
        "First row of each type",
        "Fewest and most of a type on a route",
        "Routes per map",
        "Disjoint routes per map",
        "Forced nodes per map",
        "Expressive range",
    ):
        assert words in page.text
    assert ("What Unknowns turn out to be" in page.text) == (family == "voyage")
    assert ("Pity before the visit" in page.text) == (family == "voyage")
    assert "Comparison" not in page.text


def test_index_links_lead_to_sections() -> None:
    page = Page(three_families())
    ids = [attributes["id"] for _, attributes in page.elements if attributes.get("id")]
    assert len(ids) == len(set(ids))
    links = [(link["href"] or "")[1:] for link in page.all("a")]
    assert links == ["content", "comparison", "audit-1", "audit-2", "audit-3"]
    assert set(links) <= set(ids)


def test_page_is_accessible() -> None:
    page = Page(three_families())
    names = [tag for tag, _ in page.elements]
    assert {"header", "main", "nav", "footer"} <= set(names)
    levels = [int(name[1]) for name in names if re.fullmatch(r"h[1-6]", name)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all(head.get("scope") in {"col", "row"} for head in page.all("th"))
    assert all(image.get("alt") for image in page.all("img"))
    charts = [drawing for drawing in page.all("svg") if drawing.get("class") == "chart"]
    assert charts
    assert all(drawing["role"] == "img" and drawing["aria-label"] and drawing["tabindex"] == "0" for drawing in charts)
    figures = [figure for figure in page.all("figure") if figure.get("class") != "picture"]
    assert len(figures) == names.count("h4") == page.text.count("Numbers")
    assert len(page.all("figcaption")) == len(page.all("figure"))
    assert len(page.all("table")) == len(page.all("caption"))


def test_special_characters_are_escaped() -> None:
    facts = hand_made()
    name = f"voyage:{facts['preset']}"
    source = audit_html([facts, small("contract")], {name: SVG})
    page = Page(source)
    assert not page.open
    assert not [tag for tag, _ in page.elements if tag in {"hand", "the", "rule"}]
    assert name in page.text
    assert "abcd<1234" in page.text
    assert "Mind <the> & gap." in page.text
    assert "made.up<rule" in page.text
    assert "<hand>" not in source


def test_names_of_types_are_escaped_in_charts() -> None:
    facts = hand_made()
    for part in (facts["types"], facts["rolled"], facts["cell_types"], facts["routes"]["types"]):
        part["<a href='http://x'>"] = part.pop("monster")
    source = audit_html([facts])
    page = Page(source)
    assert not page.open
    assert "<a href='http" not in source.lower()
    assert {link["href"] for link in page.all("a")} == {"#content", "#audit-1"}
    assert page.text.count("<a href='http://x'>") > 5


def test_every_number_of_an_audit_appears() -> None:
    text = Page(audit_html([hand_made()])).text.replace(THIN, " ")
    for shown in (
        *("12 345", "of 23 456 asked for", "Seeds 7 000 to 19 344"),
        *(
            "4 321 violations in 987 maps",
            "8.0 % (7.0 – 9.0 %)",
            "4 300 times",
            "21 times",
            ":7042",
            "3 seeds gave no map",
        ),
        *("66", "4.3 – 6.3 % per map; 88 searches", "9.9 %", "9.0 – 11.0 % of rolled nodes"),
        *("330", "57.2 / 70.4", "43.2", "with 7.19 re-rolls per map", "0.370"),
        *("17.31", "16.81 – 17.81", "6.17", "61.3 %", "73.1 %", "64.0 – 82.0 %"),
        *("41.8 %", "33.0 – 51.0 %", "42.7 %"),
        *("2.25", "86.3 %", "13.7 %", "29.1 %", "38.3 %", "47.9 %"),
        *("1 024–2 047", "75.2 %", "2.56 points per row"),
        *("0.57", "0–1", "2.59", "1–4"),
        *("1 907", "10.8 %", "2.1 %", "3.4 %", "83.7 %", "12+", "1.23", "4.56", "2.34", "3.45", "5.67"),
    ):
        assert shown in text, shown


def test_broken_rules_are_named_worst_first() -> None:
    text = Page(audit_html([hand_made()])).text
    assert "No map broke a rule" not in text
    assert text.index("voyage.no-repeat") < text.index("made.up<rule")
    assert "no Elite follows an Elite" in text


def test_comparison_highlights_what_differs() -> None:
    one = small("voyage")
    two = copy.deepcopy(one) | {"ruleset": "other"}
    two["types"]["elite"] |= {"mean": 55.5, "interval": [55.0, 56.0]}
    two["typing"] |= {"reroll_rate": 0.9, "reroll_rate_interval": [0.89, 0.91]}
    two = sealed(two)
    rows = compare(one, two)
    page = Page(audit_html([one, two], comparison=rows, sides=sides(one, two)))
    assert [line.split("|")[0] for line in page.marked] == ["Elite per map", "Reroll rate"]
    assert all(line.endswith("|Yes|") for line in page.marked)
    assert f"2 of {len(rows)} numbers differ" in page.text
    assert "voyage:guide, ruleset other" in page.text
    assert " points" in page.marked[1]


def test_comparison_of_equals_highlights_nothing() -> None:
    page = Page(three_families())
    assert page.marked == []
    assert "0 of 51 numbers differ" in page.text


def test_the_comparison_comes_before_the_audits() -> None:
    page = three_families()
    assert page.index('id="comparison"') < page.index('id="audit-1"')


def test_a_comparison_has_shares_routes_and_what_unknowns_become() -> None:
    one = small("voyage")
    rows = {row["metric"]: row for row in compare(one, one)}
    elite, visits = one["routes"]["types"]["elite"], one["unknown"]
    assert rows["most elite on a route"]["one"] == pytest.approx(elite["most_mean"])
    assert rows["fewest elite on a route"]["one"] == pytest.approx(elite["least_mean"])
    assert rows["share of elite"]["one"] == one["types"]["elite"]["share"]
    times = sum(visit["times"] for visit in visits)
    shops = sum(visit["times"] * visit["outcomes"]["shop"] for visit in visits)
    assert rows["share of Unknowns that become shop"]["one"] == pytest.approx(shops / times)
    for row in rows.values():
        assert row["one_interval"][0] - 1e-9 <= row["one"] <= row["one_interval"][1] + 1e-9


def test_sides_are_named_by_what_differs() -> None:
    one = small("voyage")
    assert sides(one, one | {"preset": "brutal"}) == ("voyage:guide", "voyage:brutal")
    first, second = sides(one, one | {"first_seed": 7})
    assert first.endswith(f"ruleset {one['ruleset']}, first seed 0")
    assert second.endswith("first seed 7")
    assert len(set(sides(one, one))) == 2


def test_picture_is_an_image_of_its_own() -> None:
    (image,) = Page(audit_html([small("voyage")], {"voyage:guide": SVG, "voyage:other": SVG})).all("img")
    kind, data = (image["src"] or "").split(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data).decode() == SVG.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
    assert image["alt"] == "An example map of voyage:guide"


def test_same_audits_give_the_same_page() -> None:
    assert audit_html([small("contract")]) == audit_html([small("contract")])


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0"), (1234567, "1 234 567"), (0.00123, "0.00123"), (-4.5, "−4.50"), (999.6, "1 000")]
)
def test_numbers_for_people(value: float, shown: str) -> None:
    assert number(value).replace(THIN, " ") == shown


def test_digits_follow_the_interval() -> None:
    known, certain, rare = mean(21.5065, [21.4601, 21.5529]), mean(1.0, [1.0, 1.0]), share(0.0, [0.0, 0.00019])
    assert (known.shown, known.ends) == ("21.506", "21.460 – 21.553")
    assert (certain.shown, certain.ends) == ("1", "exact")
    assert (rare.shown, rare.ends) == (f"0{THIN}%", f"0 – 0.0190{THIN}%")
    assert percent(1 / 3) == f"33.3{THIN}%"


def test_quantiles_of_a_histogram() -> None:
    assert [quantile({"0": 5, "2": 90, "10": 5}, share) for share in (0.05, 0.5, 0.95, 1.0)] == [0, 2, 2, 10]
    assert quantile({}, 0.5) == 0
