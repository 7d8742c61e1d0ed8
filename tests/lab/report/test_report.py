"""Reports: notable runs, lead changes, sparklines, and the page that loads nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from cartomancer.lab.columns import COLUMNS, columns_of
from cartomancer.lab.report import reports
from cartomancer.lab.report.notable import notable_runs, replay_command
from cartomancer.lab.report.page import report_html
from cartomancer.lab.report.reports import Report, lead_changes, look_at
from cartomancer.lab.report.sparklines import sparkline
from cartomancer.pages.numbers import THIN
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import read_run_name, run_of, simulate

MOST = 1_500_000  # bytes of a report with twenty charts
VOID = {"meta", "br", "img", "input", "line", "path", "rect", "circle"}


@pytest.fixture(scope="module")
def three() -> list[Report]:
    """A creature, a party and a bargain."""
    return [look_at(name, 400, 7) for name in ("boar", "company-gauntlet", "symbiote")]


@pytest.fixture(scope="module")
def page(three: list[Report]) -> str:
    return report_html(three)


# --- notable runs -----------------------------------------------------------------------------------------------------


def batch(**columns: list[int]) -> dict[str, np.ndarray[Any, Any]]:
    """Columns of hand-made runs."""
    count = len(next(iter(columns.values())))
    zeros = {name: np.zeros(count, np.int8) for name in COLUMNS}
    return zeros | {"run": np.arange(count)} | {name: np.array(values, np.int8) for name, values in columns.items()}


def chosen(columns: dict[str, np.ndarray[Any, Any]]) -> dict[str, int]:
    return {run.kind: run.index for run in notable_runs(columns, "boar", 7)}


def test_notable_runs_by_hand() -> None:
    """Medians: 7.5 rounds and a margin of 9.5. Runs 0, 1 and 4 are 1.5 rounds away; run 0's margin is nearest."""
    found = batch(
        rounds=[9, 6, 12, 5, 6, 12],
        closeness=[30, 4, -1, 4, 90, 50],
        margin=[10, -60, 0, 20, 11, 9],
        outcome=[1, 1, 4, 2, 3, 8],
    )
    assert chosen(found) == {"longest": 2, "closest": 3, "most lopsided": 1, "median": 0}


def test_the_closest_of_equally_close_runs_has_the_smaller_margin() -> None:
    found = batch(rounds=[5, 5, 5], closeness=[4, 4, 7], margin=[-30, 12, 1])
    assert chosen(found)["closest"] == 1


def test_nothing_but_bonds_has_no_closest_run() -> None:
    found = batch(rounds=[5, 6], closeness=[-1, -1], margin=[3, 4])
    assert set(chosen(found)) == {"longest", "most lopsided", "median"}


def test_a_notable_run_is_the_run_its_name_and_command_say() -> None:
    found = simulate("boar", 300, 7, visitor=PlayerSpec("random"))
    for run in notable_runs(columns_of(found.rows), "boar", 7, visitor=PlayerSpec("random")):
        assert read_run_name(run.run) == ("boar", 7, run.index)
        assert run.command == f"cartomancer encounter replay boar@7:{run.index} --ai-visitor random"
        outcome = run_of(found.packed, found.policies, 7, run.index).outcome
        assert outcome is not None
        assert (outcome.kind, outcome.rounds) == (run.outcome, run.rounds)


def test_default_players_need_no_words() -> None:
    assert replay_command("boar@7:1", PlayerSpec(), PlayerSpec()) == "cartomancer encounter replay boar@7:1"


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_the_lead_change_histogram_adds_up() -> None:
    found = simulate("boar", 500, 7)
    told = lead_changes(found)
    assert told["mean"] == pytest.approx(float(found.rows["lead_changes"].mean()))
    assert sum(bar["rate"] for bar in told["distribution"]) == pytest.approx(1.0)
    assert told["distribution"][0]["rate"] == pytest.approx(float((found.rows["lead_changes"] == 0).mean()))
    assert all(bar["low"] - 1e-12 <= bar["rate"] <= bar["high"] for bar in told["distribution"])


def test_a_large_batch_is_surveyed_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MOST_SURVEYED", 60)
    found = look_at("boar", 150, 7)
    assert (found.simulation.runs, found.surveyed) == (150, 60)
    assert found.facts["n"] == 150
    assert found.facts["survey"]["n"] == 60
    assert found.simulation.result_hash == simulate("boar", 150, 7).result_hash
    assert "the first 60 of them" in report_html([found])


def test_a_small_batch_is_surveyed_whole(three: list[Report]) -> None:
    assert all(one.surveyed == one.simulation.runs == 400 for one in three)
    assert "are of all of them" in report_html(three[:1])


def test_rounds_that_hardly_any_run_reached_have_no_point_on_the_curve(three: list[Report]) -> None:
    for one in three:
        assert all(row["reached"] >= 4 for row in one.momentum())


@pytest.mark.parametrize(
    ("values", "options", "drawn"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], {}, "▁▂▃▄▅▆▇█"),
        ([0, 0], {}, "▁▁"),
        ([-5, 50, 500], {"high": 100.0}, "▁▄█"),
        ([3], {}, "█"),
    ],
)
def test_sparklines(values: list[float], options: dict[str, float], drawn: str) -> None:
    assert sparkline(values, **options) == drawn


# --- the page ---------------------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Checks that tags nest, and keeps what a reader of the page needs."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.tables: list[int] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.attributes += list(found.items())
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def test_the_page_is_well_formed_and_its_links_lead_somewhere(page: str) -> None:
    read = Reader(page)
    assert read.open == []
    assert len(read.ids) == len(set(read.ids))
    assert set(read.links) <= {f"#{name}" for name in read.ids}
    assert not re.search(r"\b(nan|inf|None)\b", re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.S))


def test_the_page_loads_nothing_and_is_small(page: str) -> None:
    assert page.count('<svg class="chart"') > 15
    assert len(page.encode()) < MOST
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|url\(|@import|<link|<img|<iframe|fetch\(|XMLHttp", page)
    read = Reader(page)
    assert not [name for name, _ in read.attributes if name in {"src", "srcset", "data", "poster"}]


def test_every_picture_and_table_has_words(page: str) -> None:
    pictures = re.findall(r"<svg [^>]*>", page)
    assert len(pictures) > 15
    assert all('aria-label="' in one or 'aria-hidden="true"' in one for one in pictures)
    assert page.count("<table") == page.count("<caption>")
    assert '<th scope="col">' in page
    assert '<th scope="row"' in page


def test_the_page_says_what_the_numbers_say(three: list[Report], page: str) -> None:
    for one in three:
        facts = one.facts
        assert f"{100 * facts['dungeon_win']:.1f}{THIN}%" in page
        assert facts["result_hash"] in page
        for run in one.notable:
            assert run.command in page
        for use in one.survey.card_usage():
            assert use.title.replace("'", "&#39;") in page
    assert page.count('<table class="sortable"') == 4  # cards of three scenarios, and the overview


def test_only_several_rooms_have_an_attrition_curve(three: list[Report]) -> None:
    with_rooms = [one.name for one in three if "<h4>Attrition</h4>" in report_html([one])]
    assert with_rooms == [one.name for one in three if len(one.simulation.packed.rooms) > 1]
    assert "boar" in with_rooms


def test_the_story_of_a_notable_run_is_told_to_its_end(three: list[Report]) -> None:
    boar = three[0]
    longest = next(run for run in boar.notable if run.kind == "longest")
    told = [line.text for line in boar.story(longest)]
    assert told[0].startswith("The Thornback Boar enters")
    assert any(f"Round {1}" in text for text in told)
    assert len(told) > 50


def test_one_run_makes_a_report() -> None:
    found = look_at("boar", 1, 7)
    assert report_html([found]).startswith("<!doctype html>")
    assert found.telling_cards() == []
