"""Stakes of contract maps: rates by class, streams that never shift each other, stock, trials, intrusions.

Rates are held to six standard deviations of 10,000 or more rolls, at most three points: a right rule fails by luck, and
the rate of a neighbouring class passes by luck, less than once in 10⁶.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from math import sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartomancer import maps
from cartomancer.content import load_preset
from cartomancer.content.catalog import Catalog, load_catalog
from cartomancer.content.models.contract import ContractRules
from cartomancer.errors import MapFileError, UnknownNameError
from cartomancer.maps.model import Map
from cartomancer.maps.public import public_view
from cartomancer.maps.stakes import (
    Situation,
    roll_cache,
    roll_intrusion,
    roll_shop,
    roll_stakes,
    roll_traits,
    roll_trial,
)

SAMPLES = 10_000
PRESETS = ("short", "standard", "power", "recovery_short", "recovery_standard", "rival_standard", "rival_extended")


def contract(name: str) -> ContractRules:
    rules = load_preset("contract", name)
    assert isinstance(rules, ContractRules)
    return rules


def is_rate(hits: int, out_of: int, percent: float) -> bool:
    """Whether the hits are within six standard deviations of the rate."""
    share = percent / 100
    return abs(hits / out_of - share) <= 6 * sqrt(share * (1 - share) / out_of)


def of_type(drawn: Map, kind: str) -> list[dict[str, Any]]:
    return [dict(node.details) for node in drawn.nodes if node.type == kind]


def many_maps(preset: str, situation: Situation | None = None) -> Iterable[Map]:
    return (maps.generate("contract", preset, seed=seed, situation=situation) for seed in range(60))


# --- caches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "heat", "percent"),
    [
        ("recovery_short", "low", 5),
        ("recovery_standard", "high", 5),
        ("short", "low", 10),
        ("standard", "low", 15),
        ("standard", "high", 15),
        ("power", "low", 25),
        ("rival_standard", "low", 30),
        ("rival_standard", "high", 40),
        ("rival_extended", "high", 40),
    ],
)
def test_caches_are_trapped_at_the_rate_of_their_class(preset: str, heat: Any, percent: int) -> None:
    rules = contract(preset)
    trapped = sum(roll_cache(rules, 1, node, heat)["trapped"] for node in range(SAMPLES))
    assert is_rate(trapped, SAMPLES, percent)


def test_a_trap_leaves_a_hook_and_a_clean_cache_none() -> None:
    rolls = [roll_cache(contract("power"), seed, 3) for seed in range(2_000)]
    assert {roll["hook"] for roll in rolls if roll["trapped"]} == {"injury", "stress", "conflict"}
    assert {roll["hook"] for roll in rolls if not roll["trapped"]} == {None}


def test_high_heat_only_adds_traps() -> None:
    rules = contract("rival_standard")
    for seed in range(1_000):
        assert roll_cache(rules, seed, 3, "low")["trapped"] <= roll_cache(rules, seed, 3, "high")["trapped"]


# --- boss traits and shops ------------------------------------------------------------------------------------------


def test_a_boss_shows_two_different_traits_each_as_likely() -> None:
    seen: Counter[str] = Counter()
    for seed in range(SAMPLES):
        traits = roll_traits(seed, 11)
        assert len(set(traits)) == 2
        seen.update(traits)
    assert all(is_rate(seen[trait], SAMPLES, 20) for trait in load_catalog().traits)


def test_shop_slots_are_half_normal_three_tenths_counters_two_tenths_condition() -> None:
    pools: Counter[str] = Counter()
    for seed in range(SAMPLES // 2):
        pools.update(slot["pool"] for slot in roll_shop(seed, 9, roll_traits(seed, 11), ["injury"]))
    slots = 6 * (SAMPLES // 2)
    assert pools.total() == slots
    for pool, percent in (("normal", 50), ("counter", 30), ("condition", 20)):
        assert is_rate(pools[pool], slots, percent), pools


@given(seed=st.integers(0, 2**64 - 1), hooks=st.lists(st.sampled_from(list(load_catalog().hooks)), max_size=3))
@settings(max_examples=200, deadline=None)
def test_a_shop_sells_six_different_items_that_fit_their_pools(seed: int, hooks: list[str]) -> None:
    catalog = load_catalog()
    traits = roll_traits(seed, 11)
    stock = roll_shop(seed, 9, traits, hooks)
    assert len({slot["item"] for slot in stock}) == 6
    for slot in stock:
        item = catalog.items[slot["item"]]
        assert item.pool == slot["pool"]
        if item.pool == "counter":
            assert set(item.counters) & set(traits)
    condition = [catalog.items[slot["item"]] for slot in stock if slot["pool"] == "condition"]
    wanted = [bool(set(item.treats) & set(hooks)) for item in condition]
    assert wanted == sorted(wanted, reverse=True), "what treats the party's hooks goes before the rest"


def test_a_pool_that_runs_dry_leaves_its_slots_to_normal_stock() -> None:
    catalog = load_catalog()
    few = replace(catalog, items={key: item for key, item in catalog.items.items() if item.pool == "normal"})
    stock = roll_shop(5, 9, ["swift"], [], few)
    assert [slot["pool"] for slot in stock] == ["normal"] * 6


# --- trials ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "percent"),
    [
        ("recovery_short", 0),
        ("recovery_standard", 0),
        ("short", 5),
        ("standard", 20),
        ("power", 80),
        ("rival_standard", 40),
        ("rival_extended", 40),
    ],
)
def test_elites_offer_trials_at_the_rate_of_their_class(preset: str, percent: int) -> None:
    rules = contract(preset)
    offered = sum(roll_trial(rules, 2, node)["trial"] is not None for node in range(SAMPLES))
    assert is_rate(offered, SAMPLES, percent)


def test_all_trials_are_offered_each_as_likely_with_all_four_bundles() -> None:
    rules = contract("power")
    rolls = [roll_trial(rules, seed, 4) for seed in range(2 * SAMPLES)]
    trials = Counter(roll["trial"] for roll in rolls if roll["trial"])
    assert set(trials) == set(load_catalog().trials)
    assert all(is_rate(count, trials.total(), 100 / 15) for count in trials.values())
    for roll in rolls:
        assert roll["bundles"] == (["upgrade", "rare", "economy", "recovery"] if roll["trial"] else [])


# --- intrusions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["wary", "bold", "vengeful"])
@pytest.mark.parametrize("hooks", [(), ("stress",), ("conflict", "bounty")])
def test_an_intrusion_is_as_likely_as_its_weight_for_the_state_and_the_hooks(
    state: str, hooks: tuple[str, ...]
) -> None:
    choices = load_catalog().intrusions.values()
    weights = {
        entry.id: entry.weights[state] + sum(entry.hook_bonus.get(hook, 0) for hook in hooks) for entry in choices
    }
    rolled = Counter(roll_intrusion(seed, 6, state, hooks) for seed in range(SAMPLES))
    for name, weight in weights.items():
        assert is_rate(rolled[name], SAMPLES, 100 * weight / sum(weights.values())), name


def test_a_hook_named_twice_counts_once() -> None:
    for seed in range(200):
        assert roll_intrusion(seed, 6, "bold", ["stress"]) == roll_intrusion(seed, 6, "bold", ["stress", "stress"])


def test_an_intrusion_aims_at_the_next_step() -> None:
    for drawn in many_maps("rival_standard"):
        (node,) = [node for node in drawn.nodes if node.type == "rival_intrusion"]
        assert node.details["target_step"] == node.row + 1 == 5
        assert node.details["intrusion"] in load_catalog().intrusions


# --- whole maps -----------------------------------------------------------------------------------------------------


EXPECTED = {
    "cache": {"lane", "trapped", "hook"},
    "shop": {"lane", "stock"},
    "elite": {"lane", "trial", "bundles"},
    "rival_intrusion": {"lane", "intrusion", "target_step"},
    "boss": {"lane", "traits", "profile"},
}


@pytest.mark.parametrize("preset", PRESETS)
def test_each_type_carries_its_stakes_in_plain_values(preset: str) -> None:
    situation = Situation("high", "vengeful", ("stress", "bounty"))
    for drawn in many_maps(preset, situation):
        for node in drawn.nodes:
            assert set(node.details) == EXPECTED.get(node.type, {"lane"})
            assert json.loads(json.dumps(node.details)) == node.details
        assert drawn.boss.details["traits"] == drawn.details["boss_traits"]
        assert drawn.boss.details["profile"] == contract(preset).boss_profile
        assert drawn.details["situation"] == {
            "rival_heat": "high",
            "rival_state": "vengeful",
            "hooks": ["stress", "bounty"],
        }
        assert Situation.from_dict(json.loads(json.dumps(drawn.details["situation"]))) == situation


def test_lanes_are_named_and_meet() -> None:
    for drawn in many_maps("rival_standard"):
        for node in drawn.nodes:
            alone = len(drawn.row_nodes(node.row)) == 1
            assert node.details["lane"] == ("both" if alone else {1: "safe", 2: "risk"}[node.column])


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_and_situation_give_the_same_stakes(preset: str) -> None:
    for drawn, again in zip(many_maps(preset), many_maps(preset), strict=True):
        assert drawn == again


def with_stakes(**changes: Any) -> Catalog:
    catalog = load_catalog()
    return replace(catalog, stakes=catalog.stakes.model_copy(update=changes))


def test_no_stake_shifts_another() -> None:
    """Changing how one kind is rolled leaves every other kind as it was."""
    changed_kinds = {
        "shop": {"catalog": with_stakes(shop_slots=3)},
        "cache": {"rules": {"cache_trap_percent": 100}},
        "elite": {"rules": {"trial_percent": 100}},
        "rival_intrusion": {"situation": Situation(rival_state="vengeful")},
    }
    moved = Counter[str]()
    for preset in ("power", "rival_standard"):
        for drawn in many_maps(preset):
            rules = contract(preset)
            for kind, change in changed_kinds.items():
                altered: Any = change
                other = roll_stakes(
                    drawn,
                    rules.model_copy(update=altered.get("rules", {})),
                    altered.get("situation", Situation()),
                    altered.get("catalog"),
                )
                moved[kind] += of_type(drawn, kind) != of_type(other, kind)
                for same in set(EXPECTED) - {kind}:
                    assert of_type(drawn, same) == of_type(other, same), (kind, same)
    assert all(moved[kind] for kind in changed_kinds), "every change must have changed its own kind"


def test_boss_traits_do_not_move_when_their_number_grows() -> None:
    more = with_stakes(boss_traits=3)
    for seed in range(200):
        assert roll_traits(seed, 9, more)[:2] == roll_traits(seed, 9)


@pytest.mark.parametrize(
    ("situation", "hint"),
    [
        (Situation(rival_heat="warm"), "unknown rival heat 'warm'"),  # type: ignore[arg-type]
        (Situation(rival_state="vengful"), "did you mean 'vengeful'"),
        (Situation(hooks=("stress", "injry")), "did you mean 'injury'"),
    ],
)
def test_an_unknown_situation_is_refused_with_what_is_known(situation: Situation, hint: str) -> None:
    with pytest.raises(UnknownNameError, match=hint):
        maps.generate("contract", "short", seed=1, situation=situation)


def test_an_unknown_state_is_refused_by_the_roll_itself() -> None:
    with pytest.raises(UnknownNameError, match="rival state"):
        roll_intrusion(1, 6, "asleep")


@pytest.mark.parametrize("data", [None, {}, {"rival_heat": 3, "rival_state": [], "hooks": "stress"}])
def test_a_damaged_situation_is_refused_with_every_fault(data: Any) -> None:
    with pytest.raises(MapFileError) as caught:
        Situation.from_dict(data)
    assert [fault.field for fault in caught.value.faults] == [
        "situation.rival_heat",
        "situation.rival_state",
        "situation.hooks",
    ]


# --- the public half ------------------------------------------------------------------------------------------------


def test_the_public_half_hides_traps_stock_intrusions_and_the_seed() -> None:
    hidden = {"trapped", "hook", "stock", "intrusion"}
    for preset in PRESETS:
        for drawn in many_maps(preset):
            seen = public_view(drawn)
            assert (seen.seed, seen.details["public"]) == (0, True)
            assert seen.edges == drawn.edges
            for node, public in zip(drawn.nodes, seen.nodes, strict=True):
                assert replace(public, details={}) == replace(node, details={})
                assert public.details == {key: value for key, value in node.details.items() if key not in hidden}
            assert seen.boss.details["traits"] == drawn.details["boss_traits"]


def test_entered_nodes_hide_nothing() -> None:
    drawn = next(drawn for drawn in many_maps("power") if of_type(drawn, "cache"))
    cache = next(node for node in drawn.nodes if node.type == "cache")
    assert public_view(drawn, entered=[cache.id]).node(cache.id) == cache


def test_two_maps_that_differ_only_in_hidden_rolls_look_the_same() -> None:
    for drawn in many_maps("power"):
        trapped = roll_stakes(
            drawn,
            contract("power").model_copy(update={"cache_trap_percent": 100}),
            Situation(),
            with_stakes(shop_slots=2),
        )
        assert public_view(drawn) == public_view(trapped)
