"""Contract stakes where designers meet them: in text, tooltips and pictures, and counted in audits and comparisons."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.content.catalog import load_catalog
from cartomancer.errors import KeptFileError
from cartomancer.intervals import wilson
from cartomancer.maps.auditing import audit, compare
from cartomancer.maps.export import to_dot
from cartomancer.maps.model import Map, Node
from cartomancer.maps.report import audit_html
from cartomancer.maps.stake_counts import MOST_MAPS, count_stakes
from cartomancer.maps.stake_words import stake_words, stakes_at

SVG = "{http://www.w3.org/2000/svg}"
CATALOG = load_catalog()


def titles_of(node: Node) -> list[str]:
    """By hand: the titles of everything that a node has rolled."""
    told = node.details
    found = [CATALOG.traits[name].title for name in told.get("traits", [])]
    found += [CATALOG.items[slot["item"]].title for slot in told.get("stock", [])]
    found += [CATALOG.hooks[told["hook"]].title] if told.get("trapped") else []
    found += [CATALOG.trials[told["trial"]].title] if told.get("trial") else []
    return found + ([CATALOG.intrusions[told["intrusion"]].title] if "intrusion" in told else [])


def some_maps() -> list[Map]:
    heated = maps.Situation("high", "vengeful", ("injury",))
    return [
        maps.generate("contract", preset, seed, {"cache_trap_percent_high_heat": 60, "trial_percent": 60}, heated)
        for preset in preset_ids("contract")
        for seed in range(8)
    ]


@pytest.fixture(scope="module")
def drawn_maps() -> list[Map]:
    found = some_maps()
    met = {stake.kind for drawn in found for node in drawn.nodes for stake in stakes_at(node)}
    assert met == {"traits", "trap", "trial", "stock", "intrusion"}
    return found


def test_every_stake_stands_beside_its_row_in_text(drawn_maps: list[Map]) -> None:
    for drawn in drawn_maps:
        lines = {line.split()[0]: line for line in maps.to_text(drawn).splitlines() if line.strip()}
        for node in drawn.nodes:
            assert all(title in lines[str(node.row)] for title in titles_of(node)), node
            assert ("no trap" in lines[str(node.row)]) >= (node.details.get("trapped") is False)


def test_every_stake_is_in_tooltips_and_pictures(drawn_maps: list[Map]) -> None:
    for drawn in drawn_maps:
        root = ET.fromstring(maps.to_svg(drawn))
        tooltips = {
            int(g.get("data-node", "")): g.findtext(f"{SVG}title", "")
            for g in root.iter(f"{SVG}g")
            if g.get("data-node")
        }
        captions = [text.text or "" for g in root.iter(f"{SVG}g") if g.get("class") == "stakes" for text in g]
        dots = {line.split()[0]: line for line in to_dot(drawn).splitlines() if "tooltip" in line}
        wanted = [title for node in drawn.nodes for title in titles_of(node)]
        for node in drawn.nodes:
            assert all(title in tooltips[node.id] and title in dots[f"n{node.id}"] for title in titles_of(node))
        assert all(any(title in caption for caption in captions) for title in wanted)


def test_captions_lie_on_the_page(drawn_maps: list[Map]) -> None:
    for drawn in drawn_maps:
        root = ET.fromstring(maps.to_svg(drawn))
        width = float(root.get("width", "0"))
        for group in (g for g in root.iter(f"{SVG}g") if g.get("class") == "stakes"):
            size, left = float(group.get("font-size", "0")), group.get("text-anchor") == "end"
            for text in group:
                x, long = float(text.get("x", "0")), 0.54 * size * len(text.text or "")
                assert x - long > 60 if left else x + long < width - 30


def test_the_public_half_shows_no_hidden_stake(drawn_maps: list[Map]) -> None:
    for drawn in drawn_maps:
        seen = maps.public_view(drawn)
        told = {stake.kind for node in seen.nodes for stake in stakes_at(node)}
        assert told <= {"traits", "trial"}
        assert "stock (" not in maps.to_text(seen) + maps.to_svg(seen)


@pytest.mark.parametrize("stock", [5, None, ["x"], [{"item": ["x"]}], [{}]])
def test_what_nobody_could_have_rolled_is_still_drawn(stock: Any) -> None:
    drawn = maps.generate("contract", "standard", seed=7)
    odd = {"stock": stock, "trapped": True, "hook": "no_such_hook", "trial": 7, "intrusion": None}
    shown = replace(drawn, nodes=tuple(replace(node, details={**node.details, **odd}) for node in drawn.nodes))
    assert "trap (No Such Hook)" in maps.to_text(shown)
    assert "trap (No Such Hook)" in maps.to_svg(shown)


def test_nothing_rolled_is_said_too() -> None:
    node = Node(0, 2, 1, "cache", details={"lane": "safe", "trapped": False, "hook": None})
    assert stake_words(stakes_at(node)) == ["no trap"]


def test_an_audit_counts_the_stakes_of_its_maps() -> None:
    rules = load_preset("contract", "rival_standard")
    found = audit(rules, "rival_standard", 40, first_seed=3)["stakes"]
    drawn = [maps.generate("contract", "rival_standard", seed) for seed in range(3, 43)]
    assert (found["maps"], found["situation"]["rival_state"]) == (40, "wary")
    by_hand: dict[str, Counter[str | None]] = {kind: Counter() for kind in found["kinds"]}
    for node in (node for one in drawn for node in one.nodes):
        for trait in node.details.get("traits", []):
            by_hand["traits"][trait] += 1
        for name in {slot["item"] for slot in node.details.get("stock", [])}:
            by_hand["stock"][name] += 1
        if "trapped" in node.details:
            by_hand["trap"][node.details["hook"]] += 1
        for kind in ("trial", "intrusion"):
            if kind in node.details:
                by_hand[kind][node.details[kind]] += 1
    nodes = Counter(node.type for one in drawn for node in one.nodes)
    holders = {"traits": "boss", "stock": "shop", "trap": "cache", "trial": "elite", "intrusion": "rival_intrusion"}
    for kind, one in found["kinds"].items():
        assert {entry["outcome"]: entry["nodes"] for entry in one["outcomes"]} == dict(by_hand[kind])
        assert one["nodes"] == nodes[holders[kind]]
        for entry in one["outcomes"]:
            assert entry["share"] == entry["nodes"] / one["nodes"]
            assert entry["interval"] == wilson(entry["nodes"], one["nodes"])


def test_an_audit_counts_no_more_stakes_than_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_MAPS == 2_000
    monkeypatch.setattr("cartomancer.maps.stake_counts.MOST_MAPS", 5)
    assert count_stakes(load_preset("contract", "short"), 20)["maps"] == 5
    assert "stakes" not in audit(load_preset("voyage"), "guide", 5)


def test_a_comparison_shows_that_traps_became_more() -> None:
    one, two = (
        audit(load_preset("contract", "standard", {"cache_trap_percent": percent}), "standard", 60)
        for percent in (0, 90)
    )
    rows = {row["metric"]: row for row in compare(one, two)}
    assert rows["share of trap: no trap"]["differs"]
    assert rows["share of trap: no trap"]["one"] == 1.0
    assert rows["share of trap: Injury"]["one"] == 0.0
    assert not rows["share of traits: Swift"]["differs"]
    # an audit from before stakes were counted is still compared
    del one["stakes"], one["digest"]
    assert not any(name.startswith("share of trap") for name in (row["metric"] for row in compare(one, two)))


@pytest.mark.parametrize("stakes", [5, [1], {"kinds": [1]}, {"kinds": {"trap": 1}}, {"kinds": {"trap": {"nodes": 1}}}])
def test_damaged_stakes_of_an_audit_are_named(stakes: Any) -> None:
    whole = audit(load_preset("contract", "short"), "short", 3)
    with pytest.raises(KeptFileError, match="not a saved audit") as caught:
        compare(whole, {**whole, "stakes": stakes})
    assert {fault.field.partition(".")[0] for fault in caught.value.faults} >= {"stakes", "digest"}


def test_the_report_charts_every_kind_of_stake() -> None:
    page = audit_html([audit(load_preset("contract", "rival_standard"), "rival_standard", 30)])
    assert "<h3>Stakes</h3>" in page
    for kind in ("Traits", "Trap", "Stock", "Intrusion"):
        assert f">{kind}<" in page
    assert "no trap" in page
