"""Contents of map files: everything a map says is checked against what its rules could have produced."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from cartomancer import maps
from cartomancer.errors import MapFileError
from cartomancer.maps.public import public_view

Forge = Callable[[dict[str, Any]], Any]
GUARDIAN = maps.to_dict(maps.generate("guardian", "three_acts", 7))
RIVAL = maps.to_dict(
    next(
        drawn
        for drawn in (maps.generate("contract", "rival_standard", seed) for seed in range(200))
        if {"shop", "cache", "elite"} <= {node.type for node in drawn.nodes}
    )
)
VOYAGE = maps.to_dict(maps.generate("voyage", "guide", 42))


def first(data: dict[str, Any], kind: str) -> dict[str, Any]:
    node: dict[str, Any] = next(node for node in data["nodes"] if node["type"] == kind)
    return node


def unlock(data: dict[str, Any]) -> None:
    for node in data["nodes"]:
        node["locked"] = False


def enemy(data: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = first(data, kind)["encounter"]["enemies"][0]
    return found


FORGED: dict[str, tuple[dict[str, Any], Forge, str]] = {
    "an enemy nobody knows": (GUARDIAN, lambda d: enemy(d, "combat").update(id="dragon"), "enemies[0].id is 'dragon'"),
    "an enemy of no name": (GUARDIAN, lambda d: enemy(d, "combat").update(id=[]), "enemies[0].id is []"),
    "a guardian in a combat": (GUARDIAN, lambda d: enemy(d, "combat").update(id="rng"), "enemies[0].id is 'rng'"),
    "negative health": (GUARDIAN, lambda d: enemy(d, "combat").update(health=-5), "enemies[0].health is -5"),
    "endless health": (GUARDIAN, lambda d: enemy(d, "combat").update(health=10**9), "enemies[0].health is 1000000000"),
    "a weak guardian": (GUARDIAN, lambda d: enemy(d, "boss").update(health=1), "'health': 1}"),
    "an empty fight": (GUARDIAN, lambda d: first(d, "combat")["encounter"].update(enemies=[]), "has 0 enemies"),
    "a fight in a rest": (
        GUARDIAN,
        lambda d: first(d, "memory_shrine").update(encounter=first(d, "combat")["encounter"]),
        "encounter is {'tier': 'basic'",
    ),
    "a guardian that is none": (GUARDIAN, lambda d: first(d, "boss").update(is_guardian=False), "is_guardian is False"),
    "a guardian by number": (GUARDIAN, lambda d: first(d, "boss").update(is_guardian=1), "is_guardian is 1, not True"),
    "no word of the guardian": (GUARDIAN, lambda d: first(d, "boss").pop("is_guardian"), "is_guardian is missing"),
    "a portal": (GUARDIAN, lambda d: first(d, "boss").update(portal=True), "portal is True, not False"),
    "an unknown trial": (RIVAL, lambda d: first(d, "elite").update(trial="nap"), "trial is 'nap'"),
    "bundles of another": (RIVAL, lambda d: first(d, "elite").update(bundles=["all"]), "bundles is ['all']"),
    "unknown traits": (RIVAL, lambda d: first(d, "boss").update(traits=["kind"]), "traits is ['kind']"),
    "traits unlike the boss's": (
        RIVAL,
        lambda d: d.update(boss_traits=d["boss_traits"][::-1]),
        "traits is",
    ),
    "boss traits nobody knows": (RIVAL, lambda d: d.update(boss_traits=["kind"]), "the map: boss_traits is ['kind']"),
    "another profile": (RIVAL, lambda d: first(d, "boss").update(profile="friend"), "profile is 'friend'"),
    "empty stock": (RIVAL, lambda d: first(d, "shop").update(stock=[]), "stock is [], not 6 items"),
    "no stock": (RIVAL, lambda d: first(d, "shop").pop("stock"), "stock is missing"),
    "stock in a fight": (RIVAL, lambda d: first(d, "combat").update(stock=[]), "has none"),
    "one item twice": (
        RIVAL,
        lambda d: first(d, "shop")["stock"].__setitem__(1, first(d, "shop")["stock"][0]),
        "stock[1].item is",
    ),
    "an item of another pool": (RIVAL, lambda d: first(d, "shop")["stock"][0].update(pool="gift"), "stock[0].pool is"),
    "a trap without a hook": (RIVAL, lambda d: first(d, "cache").update(trapped=True, hook=None), "hook is None"),
    "a trap that is text": (RIVAL, lambda d: first(d, "cache").update(trapped="no", hook=None), "trapped is 'no'"),
    "an unknown intrusion": (
        RIVAL,
        lambda d: first(d, "rival_intrusion").update(intrusion="tea"),
        "intrusion is 'tea'",
    ),
    "an intrusion far away": (RIVAL, lambda d: first(d, "rival_intrusion").update(target_step=1), "target_step is 1"),
    "a hotter rival": (RIVAL, lambda d: d["situation"].update(rival_heat="high"), "the map's situation is another"),
    "forced by nothing": (RIVAL, lambda d: first(d, "boss").update(forced="contract.guarantee"), "forced is"),
    "all locks off on a guardian map": (GUARDIAN, unlock, "locked is False, not True"),
    "all locks off on a contract": (RIVAL, unlock, "locked is False, not True"),
    "all locks off on a voyage": (VOYAGE, unlock, "locked is False, not True"),
    "a lock of no rule": (VOYAGE, lambda d: d["nodes"][9].update(locked=True), "locked is True, not False"),
    "another preset": (VOYAGE, lambda d: d.update(preset="spire"), "the map: preset is 'spire'"),
    "a preset that cannot be": (VOYAGE, lambda d: d.update(preset="guide[rows=2]"), "which no map has"),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_forged_contents_are_violations(forgery: str) -> None:
    whole, forge, word = FORGED[forgery]
    data = json.loads(json.dumps(whole))
    assert maps.check(maps.from_json(json.dumps(data))).ok
    forge(data)
    told = [str(violation) for violation in maps.check(maps.from_json(json.dumps(data))).violations]
    assert any(word in line and line.endswith("[map.details]") for line in told), told


@pytest.mark.parametrize("preset", [{"name": "guide"}, ["guide"], 7, None, "../../etc/passwd", "/dev/zero", "x\n.toml"])
def test_a_preset_is_the_name_of_one(preset: Any) -> None:
    with pytest.raises(MapFileError, match="preset"):
        maps.from_json(json.dumps({**VOYAGE, "preset": preset}))


def test_a_designers_own_preset_is_a_toml_file_and_not_looked_for() -> None:
    drawn = maps.from_json(json.dumps({**VOYAGE, "preset": "frozen_reach.toml[rows=15]"}))
    assert maps.check(drawn).ok


def test_contents_that_could_have_been_rolled_pass() -> None:
    """Another roll of the same node is a designer's choice, and so are details that no family knows."""
    other = maps.to_dict(maps.generate("guardian", "three_acts", 8))
    data = json.loads(json.dumps(GUARDIAN))
    assert data["nodes"][0]["encounter"] != other["nodes"][0]["encounter"]
    data["nodes"][0].update(encounter=other["nodes"][0]["encounter"], music="drums")
    assert maps.check(maps.from_json(json.dumps(data))).ok


@pytest.mark.parametrize("whole", [GUARDIAN, RIVAL, VOYAGE], ids=["guardian", "contract", "voyage"])
def test_what_a_public_map_hides_is_not_asked_and_what_it_shows_is(whole: dict[str, Any]) -> None:
    drawn = maps.from_json(json.dumps(whole))
    assert maps.check(public_view(drawn)).ok
    assert maps.check(public_view(drawn, entered=[node.id for node in drawn.nodes])).ok
    data = maps.to_dict(public_view(drawn))
    unlock(data)
    assert not maps.check(maps.from_json(json.dumps(data))).ok
