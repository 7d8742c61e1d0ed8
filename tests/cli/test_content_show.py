"""`content show` as boxes, and `content stats`: what is drawn, at which width, and the same as data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartomancer.cli.content_view import pressure
from cartomancer.content.codex import load_codex
from cartomancer.content.deck_rules import CATEGORIES
from cartomancer.content.deck_stats import all_deck_stats, keywords_of, stats_named
from cartomancer.content.models.encounter import AutoEffect
from cartomancer.content.rules_text import card_text
from tests.cli.conftest import Run

RunJson = Callable[..., Any]
WIDTHS = [40, 80, 140]


@pytest.fixture(params=WIDTHS)
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How wide the terminal is."""
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


def boxes_in(shown: str) -> list[str]:
    """The lines that are part of boxes."""
    return [line for line in shown.splitlines() if line[:1] in "╭│╰" and line]


def words_in(shown: str) -> str:
    """The words of boxes one above the other, without borders and line breaks."""
    return " ".join(shown.translate(str.maketrans("╭╮╰╯─│", " " * 6)).split())


# --- cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_card_is_a_box_with_all_that_is_printed_on_it(run: Run, width: int, category: str) -> None:
    cards = [card for card in load_codex().cards.values() if card.category == category]
    for card in cards[:2]:
        shown = run("content", "show", f"card:{card.id}").stdout
        box = boxes_in(shown)
        assert all(len(line) == min(50, width) for line in box)
        assert card.title in box[0]
        said = words_in("\n".join(box))
        for part in (card_text(card), card.summary, *(name.capitalize() for name in keywords_of(card))):
            assert part in said
        assert (f"cost {getattr(card, 'cost', '')}" in said) == (category != "energy")


def test_a_card_is_told_as_data(run_json: RunJson) -> None:
    data = run_json("content", "show", "card:entombing_grasp")
    card = load_codex().cards["entombing_grasp"]
    assert data["keywords"] == keywords_of(card)
    assert (data["cost"], data["type"], data["power"]) == (card.cost, card.type, card.power)
    assert data["held_by"]["deck:root_hollow"] == load_codex().decks["root_hollow"].cards[card.id]
    assert data["summary"] == card.summary


def test_a_card_of_no_deck_names_its_pools_and_its_guardian(run: Run, run_json: RunJson) -> None:
    assert run_json("content", "show", "card:thick_wall")["held_by"] == {"pool:dungeon_pool": 1}
    assert run_json("content", "show", "card:rolled_again")["held_by"] == {"guardian:rng": 1}
    assert "in: pool dungeon_pool" in run("content", "show", "card:thick_wall").stdout
    assert "in: guardian rng" in run("content", "show", "card:rolled_again").stdout
    assert "pool:dungeon_pool" in run_json("content", "show", "card:deep_root")["held_by"]


# --- scenarios --------------------------------------------------------------------------------------------------------


def test_a_scenario_tells_its_swaps_and_who_plays(run: Run, run_json: RunJson) -> None:
    swapped = "standard-company+shifting_stone=thick_wall+hold_the_door=bandaging"
    shown = run("content", "show", swapped).stdout
    assert "swaps of root_hollow: shifting_stone → thick_wall" in shown
    assert "swaps of knight: hold_the_door → bandaging" in shown
    codex = load_codex()
    scenario = codex.scenario("standard-company")
    dungeon, visitor = codex.dungeon_profiles(scenario)[0].id, codex.visitor_profile(scenario).id
    assert f"dungeon plays: {dungeon}\n" in shown
    assert f"visitor plays: {visitor}\n" in shown
    assert run_json("content", "show", swapped)["profiles"] == {"dungeon": [dungeon], "visitor": visitor}


def test_profiles_that_change_from_room_to_room_are_told_by_room(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two-faces.toml"
    path.write_text(
        'id = "two-faces"\ntitle = "Two"\ndungeon = "verdant_maw"\ncreature = "thornback_boar"\n'
        '[[rooms]]\nroom = "living_root_sanctuary"\nprofile = "nurturing"\n'
        '[[rooms]]\nroom = "root_hollow"\nprofile = "aggressive"\n'
    )
    shown = run("content", "show", str(path)).stdout
    assert "dungeon plays: nurturing in room 1, aggressive in room 2\n" in shown


# --- decks and what has one -------------------------------------------------------------------------------------------


def test_a_deck_is_a_grid_of_boxes_that_fits_the_terminal(run: Run, width: int) -> None:
    shown = run("content", "show", "deck:root_hollow").stdout
    across = max(1, width // 35)
    tops = [line for line in shown.splitlines() if line.startswith("╭")]
    assert all(len(line) == width // across * line.count("╭") for line in tops)
    assert all(line.count("╭") == across for line in tops[:-1])
    assert sum(line.count("╭") for line in tops) == len(load_codex().decks["root_hollow"].cards)


def test_core_cards_and_copies_are_marked_and_categories_stay_together(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    codex = load_codex()
    deck = codex.decks["root_hollow"]
    shown = run("content", "show", "deck:root_hollow").stdout
    boxes = shown.split("╭")[1:]
    titles = {card.title: card for card in (codex.cards[name] for name in deck.cards)}
    order = []
    for box in boxes:
        card = next(card for title, card in titles.items() if box.startswith(f"─ {title} ─"))
        foot = box.splitlines()[-1]
        assert ("core" in foot) == (card.id in deck.core)
        assert (f"×{deck.cards[card.id]}" in foot) == (deck.cards[card.id] > 1)
        order.append(CATEGORIES.index(card.category))
    assert order == sorted(order)
    assert len(boxes) == len(deck.cards)


def test_a_deck_is_told_as_data(run_json: RunJson) -> None:
    data = run_json("content", "show", "deck:root_hollow")
    deck = load_codex().decks["root_hollow"]
    assert {card["id"]: card["copies"] for card in data["cards"]} == deck.cards
    assert {card["id"] for card in data["cards"] if card["core"]} == set(deck.core)
    assert all(
        {"title", "category", "type", "cost", "power", "keywords", "text", "summary"} <= card.keys()
        for card in data["cards"]
    )


def test_a_room_tells_its_pressure_in_words_and_shows_its_deck(run: Run, run_json: RunJson) -> None:
    room = load_codex().rooms["root_hollow"]
    shown = run("content", "show", "room:root_hollow").stdout
    data = run_json("content", "show", "room:root_hollow")
    assert data["pressure"] == [pressure(effect) for effect in room.auto_effects]
    assert f"  pressure: {'; '.join(data['pressure'])}\n" in shown
    assert f"  cleared after: {room.round_limit} rounds\n" in shown
    assert data["deck"] == run_json("content", "show", "deck:root_hollow")
    assert run("content", "show", "deck:root_hollow").stdout in shown


def test_pressure_is_told_in_words() -> None:
    assert pressure(AutoEffect(resource="nerve", change=-2)) == "the visitor loses 2 nerve each round"
    assert pressure(AutoEffect(resource="veil", change=1, every=3)) == "the dungeon gains 1 veil every 3 rounds"


def test_a_creature_shows_its_deck(run: Run, run_json: RunJson) -> None:
    boar = load_codex().creatures["thornback_boar"]
    shown = run("content", "show", "creature:thornback_boar").stdout
    assert f"{boar.vitality} vitality" in shown
    assert "(deck thornback_boar)" in shown
    assert run_json("content", "show", "creature:thornback_boar")["deck"]["id"] == "thornback_boar"


def test_a_class_tells_role_focus_and_pools_and_shows_its_kit(run: Run, run_json: RunJson) -> None:
    kit = load_codex().classes["knight"]
    shown = run("content", "show", "class:knight").stdout
    for line in (f"role: {kit.role}", f"focus: {kit.focus}", f"{kit.vitality} vitality, {kit.resolve} resolve"):
        assert line in shown
    assert shown.count("╭") == len(kit.cards)
    assert len(run_json("content", "show", "class:knight")["cards"]) == len(kit.cards)


def test_a_party_tells_its_seats_and_what_they_have_together(run: Run, run_json: RunJson) -> None:
    shown = run("content", "show", "party:standard_company").stdout
    assert "  seat 1: Knight (tank, primary): " in shown
    data = run_json("content", "show", "party:standard_company")
    assert f"{data['pools']['vitality']} vitality" in shown
    assert f"  deck: {data['size']} cards" in shown
    for category, count in data["categories"].items():
        assert f"{category.capitalize()} {count}" in shown


# --- stats ------------------------------------------------------------------------------------------------------------


def test_stats_without_names_are_of_all_decks(run: Run, run_json: RunJson, width: int) -> None:
    codex = load_codex()
    assert [one["id"] for one in run_json("content", "stats")] == list(codex.decks)
    result = run("content", "stats")
    assert result.exit_code == 0
    for heading in ("energy curve", "categories", "Strike power by target", "keywords and conditions", "asked about"):
        assert heading in result.stdout
    if width >= 80:
        assert all(f" {name} " in result.stdout for name in codex.decks)
        assert all(len(line) <= width for line in result.stdout.splitlines())


def test_the_overview_holds_decks_against_their_row_and_marks_what_is_waived(run: Run) -> None:
    lines = run("content", "stats").stdout.splitlines()
    (row,) = (number for number, line in enumerate(lines) if line.startswith(" tactical "))
    assert lines[row].split() == ["tactical", "2–3", "2–3", "0", "1–2", "1–2", "1", "1–2", "1–2", "2", "3–4"]
    (hollow,) = (line.split() for line in lines[row:] if line.startswith("   root_hollow "))
    found = stats_named(load_codex(), "root_hollow").categories.values()
    assert hollow[1:] == [f"{one.count}*" if one.verdict == "waived" else str(one.count) for one in found]
    assert any("* waived" in line for line in lines)


@pytest.mark.parametrize("name", ["root_hollow", "class:knight", "standard_company"])
def test_the_numbers_of_one_are_shown_and_told(run: Run, run_json: RunJson, width: int, name: str) -> None:
    stats = stats_named(load_codex(), name)
    (data,) = run_json("content", "stats", name)
    assert data["curve"] == list(stats.curve)
    assert data["strike_power"] == stats.strike_power
    assert data["categories"]["strike"]["count"] == stats.categories["strike"].count
    shown = run("content", "stats", name).stdout
    assert shown.startswith(f"{stats.title} ({stats.kind} {stats.id})\n")
    assert f"mean cost {stats.mean_cost:.2f}" in shown
    said = " ".join(shown.split())
    for word, number in {**stats.keywords, **stats.strike_power}.items():
        assert f"{word} {number}" in said
    if stats.identity and width >= 80:
        strikes = stats.categories["strike"]
        assert f"strike {strikes.count} 2–3 {strikes.verdict}" in said


def test_several_can_be_asked_for_at_once(run: Run, run_json: RunJson) -> None:
    names = [stats.id for stats in all_deck_stats(load_codex())[:2]]
    assert [one["id"] for one in run_json("content", "stats", *names)] == names
    shown = run("content", "stats", *names).stdout
    assert all(f"(deck {name})" in shown for name in names)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("root_holow", "did you mean 'root_hollow'"),
        ("knigt", "did you mean 'knight'"),
        ("room:root_hollow", "did you mean 'deck:root_hollow'"),
        ("dek:root_hollow", "did you mean 'deck'"),
    ],
)
def test_an_unknown_deck_is_refused_with_the_nearest(run: Run, name: str, hint: str) -> None:
    result = run("content", "stats", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert hint in " ".join(result.stderr.split())
