"""Several scenarios tuned at once: all bands hold together, and what a change does not touch is not replayed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from plain_tuning import tune

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.encounter import AutoEffect
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.measure import LONG
from cartomancer.lab.measures.registry import evidence_of, measured
from cartomancer.lab.report.survey import survey
from cartomancer.lab.tuner import report as tune_report
from cartomancer.lab.tuner.evaluator import Evaluator
from cartomancer.lab.tuner.levers import GROUPS, levers_of, levers_of_all, turned
from cartomancer.lab.tuner.patch import patch_files, patched_codex, write_patch
from cartomancer.lab.tuner.request import TunerSettings, read_request
from cartomancer.lab.tuner.result import Tuning
from cartomancer.lab.tuner.turn_sets import TurnSets
from cartomancer.players.policies import player_spec
from cartomancer.players.simulation import simulate

BOTH = ["boar", "moth"]


@pytest.fixture(scope="module")
def codex() -> Codex:
    """The shipped content, with a Root Hollow whose pressure is known: it frays the nerves of all who enter."""
    shipped = load_codex()
    effects = [
        AutoEffect(resource="vitality", change=-1),
        AutoEffect(resource="nerve", change=-1, every=2),
        AutoEffect(resource="structure", change=-1, every=2),
    ]
    hollow = shipped.rooms["root_hollow"].model_copy(update={"auto_effects": effects})
    return replace(shipped, rooms={**shipped.rooms, "root_hollow": hollow})


def percent(codex: Codex, scenario: str, outcome: str, steps: Mapping[str, int], runs: int = 2_000) -> float:
    levers = levers_of_all(codex, BOTH, GROUPS)
    return 100 * simulate(scenario, runs, 12, codex=turned(codex, levers, steps)).rate(outcome)


@pytest.fixture(scope="module")
def wanted(codex: Codex) -> str:
    """A Boar that panics as often as with two points of nerve less, and a Moth that stays as it is."""
    more = percent(codex, "boar", "panic", {"thornback_boar.nerve": -2})
    stays, goes = (percent(codex, "moth", "survive", steps) for steps in ({}, {"root_hollow.nerve": 1}))
    assert goes < stays - 3
    return f"boar:panic={more - 2:.1f}.., moth:survive={stays - (stays - goes) / 2:.1f}.."


@pytest.fixture(scope="module")
def together(codex: Codex, wanted: str) -> Tuning:
    groups = ["auto_effects", "visitor_stats"]
    return tune(BOTH, wanted, groups, 60, 1_000, seed=5, codex=codex, only=["root_hollow.nerve", "*_boar.nerve"])


def test_both_scenarios_reach_their_bands_at_once(codex: Codex, together: Tuning) -> None:
    assert together.reached
    assert together.changes
    assert [(reading.scenario, reading.target.name) for reading in together.readings] == [
        ("boar", "panic"),
        ("moth", "survive"),
    ]
    held_before = [reading.target.holds(reading.before.value) for reading in together.readings]
    assert held_before == [False, True]
    for scenario in BOTH:
        again = simulate(scenario, together.held_out_runs, together.held_out_seed, codex=together.codex)
        assert again.result_hash == together.after[scenario].result_hash


def test_a_lever_that_mends_one_and_breaks_the_other_is_not_chosen(codex: Codex, wanted: str, together: Tuning) -> None:
    """The room's pressure is the cheaper lever for the Boar alone, but the Moth enters the same room."""
    groups, only = ["auto_effects", "visitor_stats"], ["root_hollow.nerve", "*_boar.nerve"]
    alone = tune("boar", wanted.partition(",")[0], groups, 60, 1_000, seed=5, codex=codex, only=only)
    assert alone.reached
    assert set(alone.steps) == {"root_hollow.nerve"}
    (reading,) = (one for one in together.readings if one.scenario == "moth")
    assert not reading.target.holds(percent(alone.codex, "moth", "survive", {}, 10_000))
    assert set(together.steps) == {"thornback_boar.nerve"}


def test_a_change_that_both_need_is_found_once(codex: Codex) -> None:
    """A Root Hollow that has lost its pressure is given it back: one change, both scenarios."""
    without = codex.rooms["root_hollow"].model_copy(update={"auto_effects": []})
    gone = replace(codex, rooms={**codex.rooms, "root_hollow": without})
    goals = {name: percent(gone, name, "kill", {"root_hollow.vitality": 4}) for name in BOTH}
    wanted = ", ".join(f"{name}:kill={max(goal - 5, 0):.1f}..{goal + 5:.1f}" for name, goal in goals.items())
    found = tune(BOTH, wanted, ["auto_effects"], 300, 400, seed=2, codex=gone)
    assert found.reached
    assert any(lever.entry == "root_hollow" for lever, _ in found.changes)


@pytest.mark.parametrize(
    ("steps", "played"),
    [
        ({"root_hollow.nerve": 1}, 2),
        ({"thornback_boar.nerve": -1}, 1),
        ({"moth.root_hollow.round_limit": 1}, 1),
        ({"thornback_boar.nerve": -1, "moth.root_hollow.round_limit": 1}, 2),
        ({"tactical.weights.strike": 1}, 2),
    ],
)
def test_only_what_a_change_touches_is_played_again(codex: Codex, steps: dict[str, int], played: int) -> None:
    asked = read_request(codex, BOTH, "boar:kill=1..2, moth:rounds=1..2", TunerSettings(groups=GROUPS))
    evaluator = Evaluator(codex, asked.wanted, asked.levers, TunerSettings(runs=100, seed=3))
    evaluator.try_out({})
    assert evaluator.batches == 2
    found = evaluator.try_out(steps)
    assert evaluator.batches == 2 + played
    assert found is not None
    for (_, estimate), wish in zip(found.found, asked.wanted, strict=True):
        batch = simulate(wish.scenario, 100, 3, codex=turned(codex, asked.levers, steps))
        assert estimate == measured([wish.targets[0].name], batch.rows, wish.context)[wish.targets[0].name]


def test_what_is_remembered_is_what_playing_shows(codex: Codex) -> None:
    """Candidates on one evaluator, in any order, show what each shows on a evaluator of its own."""
    asked = read_request(
        codex, BOTH, "boar:kill=1..2, boar:agency=1.., moth:survive=1..2", TunerSettings(groups=GROUPS)
    )
    candidates: list[dict[str, int]] = [
        {},
        {"thornback_boar.nerve": -1},
        {"thornback_boar.nerve": -1, "root_hollow.nerve": 1},
        {"root_hollow.nerve": 1},
        {"moth.root_hollow.round_limit": 1, "root_hollow.nerve": 1},
    ]
    shared = Evaluator(codex, asked.wanted, asked.levers, TunerSettings(runs=100, seed=3))
    for steps in candidates:
        own = Evaluator(codex, asked.wanted, asked.levers, TunerSettings(runs=100, seed=3))
        assert shared.try_out(steps) == own.try_out(steps)
    assert shared.batches < 2 * shared.evaluations


def test_a_profile_that_another_courts_like_is_no_stranger(codex: Codex) -> None:
    """The tactical dungeon courts as the nurturing one does: no lever of the Boar's, and yet it moves the Boar."""
    asked = read_request(
        codex, ["symbiote", "boar"], "symbiote:bond=1..2, boar:kill=1..2", TunerSettings(groups=["dungeon_profile"])
    )
    name = "nurturing.weights.offer"
    assert name not in {lever.id for lever in levers_of(codex, "boar", GROUPS)}
    evaluator = Evaluator(codex, asked.wanted, asked.levers, TunerSettings(runs=100, seed=3))
    evaluator.try_out({})
    evaluator.try_out({name: -3})
    assert evaluator.batches == 4


def test_a_seat_that_was_given_a_profile_plays_by_it(codex: Codex) -> None:
    asked = read_request(
        codex, ["symbiote", "moth"], "symbiote:bond=1..2, moth:kill=1..2", TunerSettings(groups=["dungeon_profile"])
    )
    settings = TunerSettings(runs=100, seed=3, dungeon=player_spec("nurturing", "dungeon", codex))
    evaluator = Evaluator(codex, asked.wanted, asked.levers, settings)
    evaluator.try_out({})
    evaluator.try_out({"tactical.weights.strike": 2})
    assert evaluator.batches == 2  # nobody plays by it
    evaluator.try_out({"nurturing.weights.offer": -2})
    assert evaluator.batches == 4


def test_predictions_add_up_what_turns_do_alone(codex: Codex) -> None:
    asked = read_request(codex, BOTH, "boar:kill=90.., moth:kill=90..", TunerSettings(groups=["auto_effects"]))
    evaluator = Evaluator(codex, asked.wanted, asked.levers, TunerSettings(runs=100, seed=3))
    for steps in ({}, {"root_hollow.nerve": -3}, {"root_hollow.vitality": 1}, {"veil_breach.vitality": 1}):
        evaluator.try_out(steps)
    sets = TurnSets(evaluator, asked.levers)
    assert sets.larger(10) == []
    pairs = [turns for turns in evaluator.tried if len(turns) == 2]
    assert len(pairs) == 3
    assert sets.larger(10) == []
    assert len([turns for turns in evaluator.tried if len(turns) == 3]) == 1
    values = evaluator.by_worth()[0].found
    assert [target.violation(found.value) for target, found in values] == pytest.approx(
        [max(90 - (found.value or 0), 0) / 5 for _, found in values]
    )


def test_sets_build_on_what_was_found_before(codex: Codex) -> None:
    """A stage that begins grows the best sets of earlier ones, not only single turns."""
    asked = read_request(codex, BOTH, "boar:kill=90.., moth:kill=90..", TunerSettings(groups=["auto_effects"]))
    evaluator = Evaluator(codex, asked.wanted, asked.levers, TunerSettings(runs=100, seed=3))
    best = {"root_hollow.vitality": 2, "whispering_gallery.vitality": 3, "veil_breach.vitality": 3}
    for steps in ({}, {"root_hollow.nerve": -3}, best):
        evaluator.try_out(steps)
    TurnSets(evaluator, asked.levers).larger(5)
    assert tuple(sorted({**best, "root_hollow.nerve": -3}.items())) in evaluator.tried


def test_the_report_says_whose_each_target_is(together: Tuning) -> None:
    facts = tune_report.as_dict(together)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts["scenarios"] == BOTH
    assert "scenario" not in facts
    assert [(row["scenario"], row["target"]) for row in facts["targets"]] == [("boar", "panic"), ("moth", "survive")]
    assert facts["batches"] == together.batches
    for scenario in BOTH:
        assert facts["held_out"]["scenarios"][scenario]["after"]["result_hash"] == together.after[scenario].result_hash
    text = tune_report.markdown(together)
    assert text.startswith("# Tuning boar, moth\n")
    for part in ("| boar:panic |", "| moth:survive |", "| boar, before |", "| moth, after |"):
        assert part in text


def test_a_miss_says_whose_it_is(codex: Codex) -> None:
    found = tune(BOTH, "boar:bond=90.., moth:kill=..100", ["pacing"], 5, 100, codex=codex)
    assert tune_report.misses(found) == ["boar:bond: 90.00 points below its band"]


def test_one_scenario_is_reported_as_ever(codex: Codex) -> None:
    facts = tune_report.as_dict(tune(["boar", "boar"], "kill=..100", ["pacing"], 5, 100, codex=codex))
    assert facts["scenario"] == "boar"
    assert not {"scenarios", "batches"} & set(facts)
    assert "scenario" not in facts["targets"][0]
    assert set(facts["held_out"]) == {"seed", "runs", "before", "after"}


def test_a_patch_for_several_is_played_as_it_lies(together: Tuning, tmp_path_factory: pytest.TempPathFactory) -> None:
    shipped, folder = load_codex(), tmp_path_factory.mktemp("patch") / "both"
    write_patch(folder, patch_files(shipped, together.codex))
    patched = patched_codex(folder)
    for scenario in BOTH:
        again = simulate(scenario, together.held_out_runs, together.held_out_seed, codex=patched)
        assert again.result_hash == together.after[scenario].result_hash


def test_without_targets_the_contents_own_bands_are_meant(codex: Codex) -> None:
    found = tune(BOTH, "moth:kill=..100", ["auto_effects"], budget=1, runs=100, codex=codex)
    sets = [codex.targets[name] for name in ("boar-causes", "boar-character", "boar-lines", "boar-stakes")]
    names = [reading.target.name for reading in found.readings if reading.scenario == "boar"]
    wanted = [name for asked in sets for name in asked.targets if name not in asked.exceptions]
    assert names == [name for name in wanted if evidence_of(name) not in LONG]  # minutes for every candidate
    assert {"decision_spread", "smart_gain.visitor"} <= set(wanted) - set(names)
    assert [one.target.name for one in found.readings if one.scenario == "moth"] == ["kill"]
    assert ScenarioContext.of(found.after["boar"].packed, codex) == found.wanted[0].context


def test_bands_that_need_a_survey_are_tuned_too(codex: Codex) -> None:
    asked = read_request(codex, ["boar"], "kill=1..99, cards_per_turn.visitor=1.6..2.6", TunerSettings(groups=GROUPS))
    found = Evaluator(codex, asked.wanted, asked.levers, TunerSettings(runs=30, seed=3)).try_out({})
    assert found is not None
    seen = survey("boar", 30, 3, codex=codex)
    values = {target.name: estimate for target, estimate in found.found}
    assert values["cards_per_turn.visitor"] == seen.measures()["cards_per_turn.visitor"]
    assert values["kill"].value == pytest.approx(100 * seen.simulation.rate("kill"))
