"""The catalog: complete, generated texts that differ, and every fault of broken content named at once."""

from __future__ import annotations

import itertools
import re
import shutil
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.changes import CHANGES, ChangeKind
from cartomancer.content.models.effects import EFFECTS, Effect, EffectCode
from cartomancer.content.toml_files import DATA
from cartomancer.errors import ContentError
from tests.content.conftest import Change

KINDS = ("hooks", "traits", "items", "trials", "bundles", "intrusions", "enemies", "guardians")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped catalog that a test may break."""
    (tmp_path / "tuning").mkdir()
    for name in (*(f"{kind}.toml" for kind in KINDS), "tuning/stakes.toml", "tuning/encounters.toml"):
        shutil.copy(DATA / name, tmp_path / name)
    return tmp_path


def faults_in(folder: Path) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load_catalog(folder)
    return [str(fault) for fault in caught.value.faults]


# --- what is shipped ------------------------------------------------------------------------------------------------


def test_the_fifteen_trials_are_there() -> None:
    assert list(load_catalog().trials) == [
        "reinforced",
        "frenzy",
        "thick_hide",
        "blood_price",
        "attrition",
        "overtime",
        "marked",
        "sunder",
        "swarm",
        "counterstance",
        "hexed",
        "cleanse_ward",
        "no_retreat",
        "shattered_supplies",
        "executioner",
    ]


def test_the_numbers_the_trial_library_fixes_are_kept() -> None:
    trials = load_catalog().trials
    assert trials["frenzy"].effects == [Effect(code="tempo", side="enemies", value=1, turns=2)]
    assert trials["blood_price"].effects == [Effect(code="healing_percent", side="party", value=-50)]
    assert trials["attrition"].effects == [Effect(code="draw", side="party", value=-1, turns=3)]
    assert trials["hexed"].effects == [Effect(code="skill_tax", side="party", value=1)]
    assert trials["marked"].effects == [Effect(code="threat", side="party", value=3, target="random")]


def test_the_seven_intrusions_are_there() -> None:
    assert set(load_catalog().intrusions) == {
        "targeted_weakness",
        "stolen_supplies",
        "false_orders",
        "split_focus",
        "rigged_field",
        "bounty_tag",
        "panic_spike",
    }


def test_intrusions_leave_the_hooks_of_their_library() -> None:
    leaves = {entry.id: entry.leaves for entry in load_catalog().intrusions.values() if entry.leaves}
    assert leaves == {"stolen_supplies": "low_supplies", "bounty_tag": "bounty", "panic_spike": "stress"}


def test_the_four_bundles_are_there() -> None:
    assert list(load_catalog().bundles) == ["upgrade", "rare", "economy", "recovery"]


def test_the_guardians_stand_in_the_order_of_their_acts() -> None:
    catalog = load_catalog()
    acts = [entry for entry in catalog.guardians.values() if entry.act is not None]
    assert [entry.id for entry in acts] == ["beholder", "house", "shadow_kraken", "dealer", "rng"]
    assert [entry.theme for entry in acts] == catalog.encounters.themes


@pytest.mark.parametrize("theme", load_catalog().encounters.themes)
def test_every_theme_has_basic_and_elite_enemies(theme: str) -> None:
    assert len(load_catalog().enemies_of(theme, "basic")) >= 4
    assert len(load_catalog().enemies_of(theme, "elite")) >= 1


def test_every_trait_has_two_counters() -> None:
    catalog = load_catalog()
    for trait in catalog.traits:
        assert len(catalog.counters_to([trait])) >= 2, trait


def test_any_two_traits_have_enough_counters_for_a_whole_shop() -> None:
    catalog = load_catalog()
    for pair in itertools.combinations(catalog.traits, catalog.stakes.boss_traits):
        assert len(catalog.counters_to(pair)) >= catalog.stakes.shop_slots, pair
    for pool in ("normal", "condition"):
        assert len(catalog.of_pool(pool)) >= catalog.stakes.shop_slots


def test_condition_items_treat_injury_stress_and_supplies() -> None:
    treated = {hook for item in load_catalog().items.values() for hook in item.treats}
    assert treated == {"injury", "stress", "low_supplies"}


def test_traps_leave_injury_stress_or_conflict() -> None:
    assert {hook.id for hook in load_catalog().hooks.values() if hook.trap_weight} == {"injury", "stress", "conflict"}


@pytest.mark.parametrize("kind", ["traits", "items", "trials", "bundles", "intrusions"])
def test_generated_texts_are_sentences_and_distinct(kind: str) -> None:
    texts = [entry.text() for entry in getattr(load_catalog(), kind).values()]
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert re.fullmatch(r"[A-Z0-9][^{}]*\.", text), text


def test_a_text_follows_its_data() -> None:
    frenzy = load_catalog().trials["frenzy"]
    slower = frenzy.model_copy(update={"effects": [Effect(code="tempo", side="enemies", value=-2, turns=1)]})
    assert frenzy.text() == "Enemies gain 1 tempo for the first 2 turns."
    assert slower.text() == "Enemies lose 2 tempo in the first turn."


def test_every_effect_and_gain_has_words() -> None:
    assert set(EFFECTS) == set(get_args(EffectCode))
    assert set(CHANGES) == set(get_args(ChangeKind))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"code": "tempo", "side": "party", "value": 0}, "would do nothing"),
        ({"code": "tempo", "side": "party", "value": 1, "target": "boss"}, "on the side of the enemies"),
        ({"code": "tempo", "side": "party", "value": 1, "turns": 1, "from_turn": 2}, "not both"),
        ({"code": "reinforcements", "side": "enemies", "value": 1}, "every is needed"),
        ({"code": "tempo", "side": "party", "value": 1, "every": 2}, "every means nothing"),
        ({"code": "execute_percent", "side": "party", "value": 1}, "below_percent is needed"),
        ({"code": "tempo", "side": "party", "value": 1, "below_percent": 9}, "below_percent means nothing"),
    ],
)
def test_an_effect_that_says_nothing_is_refused(fields: dict[str, object], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        Effect.model_validate(fields)


def test_the_catalog_is_read_once() -> None:
    assert load_catalog() is load_catalog()


def test_the_digest_follows_what_is_rolled_and_ignores_names(folder: Path, change: Change) -> None:
    assert load_catalog(folder).digest() == load_catalog().digest()
    change("trials.toml", 'title = "Frenzy"', 'title = "Fury"')
    assert load_catalog(folder).digest() == load_catalog().digest()
    change("trials.toml", "turns = 2", "turns = 3")
    assert load_catalog(folder).digest() != load_catalog().digest()


# --- what is refused ------------------------------------------------------------------------------------------------


def test_every_fault_is_named_at_once(folder: Path, change: Change) -> None:
    change("items.toml", '"armoured", "regenerating"', '"armored", "regenerating"')
    change("items.toml", 'treats = ["injury"]', 'treats = ["injry"]')
    change("intrusions.toml", 'leaves = "bounty"', 'leaves = "bountyy"')
    change("intrusions.toml", "hook_bonus = { stress = 25 }", "hook_bonus = { stres = 25 }")
    change("enemies.toml", 'traits = ["brute"]', 'traits = ["brut"]')
    change("trials.toml", 'code = "healing_percent"', 'code = "healing"')
    change("bundles.toml", "amount = 40", "amount = 0")
    change("guardians.toml", "health = 130", "healh = 130")
    change("tuning/stakes.toml", "shop_slots = 6", "shop_slots = 99")
    (folder / "hooks.toml").write_text(
        (folder / "hooks.toml").read_text() + '\n[[hooks]]\nid = "stress"\ntitle = "Again"\n'
    )
    faults = faults_in(folder)
    for name, *parts in (
        ("items.toml: acid_flask", "counters = 'armored' is not a known trait", "armoured"),
        ("items.toml: splint", "treats = 'injry' is not a known hook", "injury"),
        ("intrusions.toml: bounty_tag", "leaves = 'bountyy' is not a known hook", "bounty"),
        ("intrusions.toml: panic_spike", "hook_bonus = 'stres' is not a known hook", "stress"),
        ("enemies.toml: sexton", "traits = 'brut' is not a known trait", "brute"),
        ("trials.toml: blood_price", "effects[1].code = 'healing' is not one of the choices", "healing_percent"),
        ("bundles.toml: economy", "gains[1].amount = 0 must not be 0"),
        ("guardians.toml: house", "health is missing"),
        ("guardians.toml: house", "healh is not a known field", "health"),
        ("hooks.toml: stress", "id = 'stress' is used twice"),
        ("tuning/stakes.toml", "shop_slots = 99 is too large", "at most 12"),
    ):
        found = [fault for fault in faults if name in fault and parts[0] in fault]
        assert found, (name, parts, faults)
        assert all(part in found[0] for part in parts)
    assert len(faults) == 11


def test_an_unknown_rival_state_is_named(folder: Path, change: Change) -> None:
    change("intrusions.toml", "bold = 10, vengeful = 20", "bald = 10, vengeful = 20")
    (fault,) = faults_in(folder)
    assert "panic_spike: weights = 'bald' is not a known rival state (right would be: bold)" in fault


def test_a_faulty_entry_is_not_reported_again_by_what_refers_to_it(folder: Path, change: Change) -> None:
    change("traits.toml", 'title = "Swift"', 'title = ""')
    (fault,) = faults_in(folder)
    assert "traits.toml: swift" in fault


def test_missing_and_broken_files_are_faults_beside_the_others(folder: Path, change: Change) -> None:
    (folder / "bundles.toml").unlink()
    (folder / "tuning/encounters.toml").write_text("themes = [")
    (folder / "trials.toml").write_text("[[trails]]\n")
    faults = faults_in(folder)
    assert len(faults) == 3
    assert any("bundles.toml" in fault and "does not exist" in fault for fault in faults)
    assert any("encounters.toml" in fault for fault in faults)
    assert any("trails is not what this file holds (right would be: [[trials]])" in fault for fault in faults)


def test_an_empty_kind_is_refused(folder: Path) -> None:
    (folder / "trials.toml").write_text("")
    assert any("trials holds no entries" in fault for fault in faults_in(folder))


def test_two_entries_that_read_alike_are_refused(folder: Path, change: Change) -> None:
    change("trials.toml", 'code = "no_retreat"', 'code = "no_consumables"')
    (fault,) = faults_in(folder)
    assert "shattered_supplies" in fault
    assert "reads exactly like 'no_retreat'" in fault


def test_a_trait_without_counters_is_refused(folder: Path) -> None:
    text = (folder / "items.toml").read_text()
    (folder / "items.toml").write_text(text.replace('"swift", ', ""))
    (fault,) = faults_in(folder)
    assert "traits.toml: swift: counters = 0 is too small" in fault


def test_a_budget_that_cannot_pay_its_enemies_is_refused(folder: Path, change: Change) -> None:
    change("tuning/encounters.toml", "combat_budget = [3, 5, 7, 9]", "combat_budget = [3, 5, 7, 4]")
    faults = faults_in(folder)
    assert len(faults) == len(load_catalog().encounters.themes)
    assert all("combat_budget[4] = 4 cannot pay 5" in fault for fault in faults)


def test_a_theme_without_elites_is_refused(folder: Path) -> None:
    text = (folder / "enemies.toml").read_text()
    head, tail = text.split('id = "collision"')
    (folder / "enemies.toml").write_text(head + 'id = "collision"' + tail.replace('tier = "elite"', 'tier = "basic"'))
    (fault,) = faults_in(folder)
    assert "has no elite enemy of the theme 'seed'" in fault


def test_an_unknown_portal_guardian_is_refused(folder: Path, change: Change) -> None:
    change("tuning/encounters.toml", 'portal_guardian = "rng"', 'portal_guardian = "rgn"')
    (fault,) = faults_in(folder)
    assert "portal_guardian = 'rgn' is not a known guardian (right would be: rng)" in fault


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "combat_enemies_least = [1,",
            "combat_enemies_least = [0,",
            "combat_enemies_least = [0, 2, 3, 4] must be at least 1",
        ),
        ("elite_count = [1,", "elite_count = [0,", "elite_count = [0, 1, 2, 2] must be at least 1"),
        (
            "escort_count = [0, 1, 1, 2]",
            "escort_count = [0, 1]",
            "escort_count = [0, 1] holds too few (right would be: at least 4)",
        ),
    ],
)
def test_encounter_numbers_that_do_not_hold_together_are_refused(
    folder: Path, change: Change, old: str, new: str, reason: str
) -> None:
    change("tuning/encounters.toml", old, new)
    assert any(reason in fault for fault in faults_in(folder))


@pytest.mark.parametrize(
    "case",
    [
        ("items.toml", 'pool = "normal"', 'pool = "counter"', "exactly when its pool is counter"),
        ("items.toml", 'pool = "normal"', 'pool = "condition"', "exactly when its pool is condition"),
        ("tuning/stakes.toml", "{ normal = 50, counter = 30, condition = 20 }", "{ normal = 0 }", "weight above 0"),
        ("tuning/stakes.toml", '"vengeful"]', '"vengeful", "idle"]', "weights.idle is 0 in every intrusion"),
        (
            "tuning/stakes.toml",
            "shop_slots = 6",
            "shop_slots = 12",
            "shop_slots = 12 is more than normal stock can fill",
        ),
    ],
)
def test_stakes_that_could_not_be_rolled_are_refused(folder: Path, change: Change, case: tuple[str, ...]) -> None:
    name, old, new, reason = case
    change(name, old, new)
    assert any(reason in fault for fault in faults_in(folder))


def test_hooks_that_no_trap_leaves_are_refused(folder: Path) -> None:
    text = (folder / "hooks.toml").read_text()
    (folder / "hooks.toml").write_text(re.sub(r"trap_weight = \d+", "trap_weight = 0", text))
    assert any("is 0 in every hook" in fault for fault in faults_in(folder))
