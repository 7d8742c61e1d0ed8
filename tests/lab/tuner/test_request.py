"""What the tuner is asked: whose targets, which levers; refused with everything that is wrong with it."""

from __future__ import annotations

import pytest

from cartomancer.content.codex import Codex
from cartomancer.errors import CartomancerError, FaultyError, UnknownNameError
from cartomancer.lab.tuner.levers import GROUPS, USUAL_GROUPS, levers_of
from cartomancer.lab.tuner.request import Request, TunerSettings, read_request, split_targets

BOTH = "boar:kill=50..65, moth:survive=42..50"


def bands(asked: Request) -> dict[str, list[str]]:
    return {one.scenario: [str(target) for target in one.targets] for one in asked.wanted}


def refused(codex: Codex, scenarios: list[str], targets: str | None = None, *levers: list[str]) -> list[str]:
    with pytest.raises(FaultyError) as error:
        read_request(codex, scenarios, targets, TunerSettings(*levers))
    return [str(fault) for fault in error.value.faults]


def test_a_target_says_whose_it_is(codex: Codex) -> None:
    asked = read_request(codex, ["boar", "moth"], f"{BOTH},boar: rounds = 13.8±1.5")
    assert bands(asked) == {"boar": ["kill=50..65", "rounds=12.3..15.3"], "moth": ["survive=42..50"]}
    assert asked.groups == USUAL_GROUPS


def test_of_a_single_scenario_it_need_not(codex: Codex) -> None:
    plain, named = (read_request(codex, ["boar"], text) for text in ("kill=50..65", "boar:kill=50..65"))
    assert bands(plain) == bands(named) == {"boar": ["kill=50..65"]}


def test_the_longest_name_owns_a_target() -> None:
    names = ["boar", "boar+frenzy", "guardian:rng", "boar+shifting_stone=thick_wall"]
    text = "boar+frenzy:kill=1..2, boar:kill=3.., guardian:rng:kill=4.., boar+shifting_stone=thick_wall:kill=5.."
    found, faults = split_targets(text, names)
    assert not faults
    assert found == {
        "boar+frenzy": "kill=1..2",
        "boar": "kill=3..",
        "guardian:rng": "kill=4..",
        "boar+shifting_stone=thick_wall": "kill=5..",
    }


def test_levers_are_those_of_all_scenarios_each_once(codex: Codex) -> None:
    asked = read_request(codex, ["boar", "moth"], BOTH, TunerSettings(groups=GROUPS))
    own = {name: {lever.id for lever in levers_of(codex, name, GROUPS)} for name in ("boar", "moth")}
    ids = [lever.id for lever in asked.levers]
    assert len(set(ids)) == len(ids)
    assert set(ids) == own["boar"] | own["moth"]
    assert own["boar"] & own["moth"]
    order = [GROUPS.index(lever.group) for lever in asked.levers]
    assert order == sorted(order)


def test_patterns_choose_and_freeze_levers(codex: Codex) -> None:
    def ids(only: list[str], without: list[str]) -> set[str]:
        asked = read_request(codex, ["boar"], "kill=1..2", TunerSettings(["auto_effects"], only, without))
        return {lever.id for lever in asked.levers}

    everything = ids([], [])
    assert ids(["root_hollow.*"], []) == {name for name in everything if name.startswith("root_hollow.")}
    assert ids([], ["root_hollow.*", "*.veil"]) == {
        name for name in everything if not name.startswith("root_hollow.") and not name.endswith(".veil")
    }
    assert ids(["*.nerve", "root_hollow.veil"], ["veil_breach.?erve"]) == {
        "root_hollow.nerve",
        "whispering_gallery.nerve",
        "root_hollow.veil",
    }


def test_a_pattern_that_fits_nothing_is_a_slip(codex: Codex) -> None:
    only, without = refused(codex, ["boar"], "kill=1..2", ["auto_effects"], ["soul_leech.*"], ["roothollow.nerve"])
    assert only.startswith("only = 'soul_leech.*' fits no lever")
    assert "root_hollow.*, whispering_gallery.*, veil_breach.*" in only
    assert without.endswith("(right would be: root_hollow.nerve)")
    (nothing,) = refused(codex, ["boar"], "kill=1..2", ["auto_effects"], ["root*"], ["*.?*"])
    assert "leave no lever" in nothing


def test_everything_that_is_wrong_is_said_at_once(codex: Codex) -> None:
    text = "kill=50..65, moth:brake=3..4, symbiote:bond=40.., moth:survive=42..41,"
    faults = refused(codex, ["bore", "moth"], text, ["auto_effect", "pacing", "luck"])
    for said in (
        "scenario = 'bore' is not known (right would be: boar)",
        "target = 'kill=50..65' does not say whose it is",
        "target = 'symbiote:bond=40..' speaks of 'symbiote', which is not tuned here (right would be: bore, moth)",
        "has an empty part",
        "moth: target = 'brake' is not known (right would be: break)",
        "moth: survive = '42..41' is empty",
        "lever group = 'auto_effect' is not known (right would be: auto_effects)",
        "lever group = 'luck' is not known",
    ):
        assert sum(said in fault for fault in faults) == 1, said
    assert len(faults) == 8


def test_a_single_refusal_is_told_as_it_is(codex: Codex) -> None:
    with pytest.raises(UnknownNameError, match="unknown scenario 'bore': did you mean 'boar'"):
        read_request(codex, ["bore", "moth"], "bore:kill=1..2, moth:kill=1..2")
    with pytest.raises(FaultyError, match=r"^1 fault\(s\) in the targets\n  - kill = '2..1' is empty"):
        read_request(codex, ["boar"], "kill=2..1")
    with pytest.raises(CartomancerError, match="no scenario"):
        read_request(codex, [], "kill=1..2")


def test_a_scenario_without_bands_needs_some(codex: Codex) -> None:
    assert refused(codex, ["boar+frenzy"]) == [
        "scenario = 'boar+frenzy' has no bands in the content's target sets (right would be: --target NAME=BAND)"
    ]
    (fault,) = refused(codex, ["boar", "boar+frenzy"], "boar:kill=1..2")
    assert "--target boar+frenzy:NAME=BAND" in fault
