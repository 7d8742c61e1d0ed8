"""An edit is traced to its field, only what it touches is played again, and only real moves are reported."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from scipy import stats

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.cards import Strike
from cartomancer.content.toml_files import DATA
from cartomancer.lab.health import baseline as bl
from cartomancer.lab.health import regression as rg
from cartomancer.lab.health.baseline import Baseline
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES

NAMES = ("boar", "symbiote", "nurturing-company", "match:standard_company/veil_breach-thousand_drawers")
Edit = Callable[..., Codex]


@pytest.fixture(scope="module")
def baseline() -> Baseline:
    return bl.played(bl.plan("mine", load_codex(), NAMES, 400, seed=3), load_codex())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the content."""
    return Path(shutil.copytree(DATA, tmp_path / "data"))


@pytest.fixture
def edit(folder: Path) -> Edit:
    """The content with a text replaced inside an entry."""

    def change(file: str, entry: str, old: str, new: str) -> Codex:
        path = folder / file
        text = path.read_text()
        start = text.index(f'id = "{entry}"')
        at = text.index(old, start)
        path.write_text(text[:at] + new + text[at + len(old) :])
        return load_codex(folder)

    return change


@pytest.fixture(scope="module")
def strike() -> Strike:
    """A Strike at the core of the Root Hollow's deck."""
    codex = load_codex()
    cards = (codex.cards[name] for name in codex.decks["root_hollow"].core)
    return next(card for card in cards if isinstance(card, Strike))


def regress(baseline: Baseline, codex: Codex, *progress: Callable[[int], None]) -> rg.Regression:
    return rg.retest(baseline, codex, rg.touched_scenarios(baseline, codex), *progress)


def test_nothing_changed_touches_nothing(baseline: Baseline) -> None:
    found = regress(baseline, load_codex())
    assert (found.changes, found.touched, found.retested, found.moves, found.gone) == ((), (), (), (), {})


def test_a_new_title_is_named_and_touches_nothing(baseline: Baseline, edit: Edit, strike: Strike) -> None:
    codex = edit("cards/root_hollow.toml", strike.id, f'title = "{strike.title}"', 'title = "By Another Name"')
    found = regress(baseline, codex)
    assert [(change.entry, change.what, change.prose_only) for change in found.changes] == [
        (f"cards:{strike.id}", "edited", True)
    ]
    assert found.changes[0].fields == (rg.FieldChange("title", strike.title, "By Another Name"),)
    assert (found.touched, found.retested) == ((), ())


def test_only_scenarios_with_the_edited_card_are_played_again(baseline: Baseline, edit: Edit, strike: Strike) -> None:
    """The card is in the Root Hollow's deck, and only the boar goes there."""
    power = strike.power
    codex = edit("cards/root_hollow.toml", strike.id, f"power = {power}", f"power = {power + 1}")
    used = [name for name in NAMES if f"cards:{strike.id}" in rg.entries_of(codex, codex.scenario(name))]
    found = regress(baseline, codex)
    assert 0 < len(used) < len(NAMES)
    assert list(found.retested) == used
    assert [touched.by for touched in found.touched] == [(f"cards:{strike.id}",)] * len(used)
    assert found.changes[0].fields == (rg.FieldChange("power", power, power + 1),)


def test_a_strong_edit_is_flagged_with_before_and_after(baseline: Baseline, edit: Edit) -> None:
    codex = edit("creatures.toml", "thornback_boar", "vitality = 28", "vitality = 1")
    found = regress(baseline, codex)
    assert found.moved == ["boar"]
    kill = next(move for move in found.moves if move.measure == "kill")
    assert kill.change.after > kill.change.before + 0.1
    assert kill.change.interval[0] > 0
    assert kill.q <= FALSE_DISCOVERIES
    place = NAMES.index("boar")
    assert kill.change.before == pytest.approx(float((baseline.facts["outcome"][place] == 1).mean()))
    assert found.overall["kill"].difference == pytest.approx(kill.change.difference)


def test_a_profile_touches_who_is_played_by_it(baseline: Baseline, edit: Edit) -> None:
    profile = load_codex().profiles["feral_aggressive"]
    old, new = (f"strike = {profile.weights.strike + more}" for more in (0, 1))
    found = regress(baseline, edit("profiles/feral_aggressive.toml", "feral_aggressive", old, new))
    assert found.retested == ("boar",)
    assert [field.field for change in found.changes for field in change.fields] == ["weights.strike"]


def test_a_deck_in_another_order_is_an_edit(baseline: Baseline) -> None:
    """The cards are the same, but shuffles start from another order: the runs differ."""
    entries = bl.snapshot(load_codex())
    deck = next(name for name in entries if name.startswith("decks:"))
    turned = {**entries[deck], "cards": dict(reversed(entries[deck]["cards"].items()))}
    found = rg.content_changes(entries, {**entries, deck: turned})
    assert [(change.entry, change.what) for change in found] == [(deck, "edited")]


def test_added_and_removed_entries_are_named_and_lost_scenarios_reported(baseline: Baseline, folder: Path) -> None:
    boar = folder / "scenarios" / "boar.toml"
    (folder / "scenarios" / "hog.toml").write_text(boar.read_text().replace('id = "boar"', 'id = "hog"'))
    boar.unlink()
    shutil.rmtree(folder / "targets")  # some are of the boar
    found = regress(baseline, load_codex(folder))
    assert [(change.entry, change.what) for change in found.changes] == [
        ("scenarios:boar", "removed"),
        ("scenarios:hog", "added"),
    ]
    assert list(found.gone) == ["boar"]
    assert found.unused == ["scenarios:hog"]
    assert "unknown scenario 'boar'" in found.gone["boar"]
    assert found.retested == ()


def test_other_code_touches_everything(baseline: Baseline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rg, "kernel_digest", lambda: "0" * 16)
    found = regress(baseline, load_codex())
    assert found.retested == NAMES
    assert {touched.by for touched in found.touched} == {(rg.THE_CODE,)}
    assert found.moves == ()  # the same code in truth: every run ends as it did


def test_an_interrupt_keeps_what_was_retested(baseline: Baseline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rg, "kernel_digest", lambda: "0" * 16)

    def interrupt(done: int) -> None:
        if done >= 800:
            raise KeyboardInterrupt

    found = regress(baseline, load_codex(), interrupt)
    assert found.retested == NAMES[:2]
    assert len(found.touched) == len(NAMES)


def test_other_seeds_of_the_same_content_seldom_count_as_moves() -> None:
    """Five scenarios before and after, nothing changed but luck: false moves in at most 5 % of the trials."""
    trials, scenarios, runs = 40, 5, 50
    planned = bl.plan("many", load_codex(), ("boar",), trials * 2 * scenarios * runs, seed=11)
    pool = bl.played(planned, load_codex())
    facts = {fact: values[0].reshape(trials, 2, scenarios, runs) for fact, values in pool.facts.items()}
    alarms = 0
    for trial in range(trials):
        compared = {}
        for place in range(scenarios):
            before, after = ({fact: values[trial, k, place] for fact, values in facts.items()} for k in (0, 1))
            compared[str(place)] = {
                measure.name: measure.compared(measure.each(before), measure.each(after)) for measure in rg.MEASURES
            }
        alarms += bool(rg.beyond_noise(compared))
    assert alarms <= stats.binom.isf(1e-6, trials, FALSE_DISCOVERIES)
