"""Targets: what may be asked for, what contradicts itself, and how far a batch is from it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from cartomancer import codes
from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.targets import MatrixAsked, TargetSet
from cartomancer.encounters import names
from cartomancer.encounters.packing import pack
from cartomancer.errors import FaultyError
from cartomancer.intervals import Z95, wilson
from cartomancer.jit import records
from cartomancer.lab.measures.attrition import attrition_curve, entry_counts
from cartomancer.lab.measures.bands import UNKNOWN_VIOLATION, Target, distance, read_targets, shipped_bands
from cartomancer.lab.measures.batch import summary_of
from cartomancer.lab.measures.composition_counts import COUNTS
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.measures.knockouts import fall_counts, knockout_patterns
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.measures.registry import measured, measures_of, unit_of
from cartomancer.lab.measures.run_table import RunTable
from cartomancer.players.kernel.layout import RUN
from cartomancer.players.simulation import simulate
from cartomancer.rng import Stream

BOAR = ScenarioContext(("root_hollow", "whispering_gallery", "veil_breach"), ("thornback_boar",))
COMPANY = ScenarioContext(("root_hollow",), ("knight", "battlemage", "cleric", "rogue"))


def faults(text: str, context: ScenarioContext = BOAR) -> list[str]:
    with pytest.raises(FaultyError) as caught:
        read_targets(text, context)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("written", "low", "high"),
    [
        ("kill=50..65", 50, 65),
        ("agency = 1.5..", 1.5, None),
        ("panic=..25", None, 25),
        ("break=10±2.5", 7.5, 12.5),
        ("break=10+-2.5", 7.5, 12.5),
        ("break=2±5", 0, 7),
        ("break=98±5", 93, 100),
        ("diversity=0.9±0.2", 0.7, 1),
        ("root_hollow.kill=1..2", 1, 2),
        ("reached.veil_breach=40..", 40, None),
        ("entry.2=55..75", 55, 75),
    ],
)
def test_a_band_is_written_in_four_ways(written: str, low: float | None, high: float | None) -> None:
    (target,) = read_targets(written, BOAR)
    assert (target.low, target.high) == (low, high)
    assert read_targets(str(target), BOAR) == (target,)


def test_every_fault_is_named_at_once() -> None:
    found = faults("kill=60..50, brake=1..2, panic=5..6, panic=7..8, rounds, diversity=0.5..1.5, veil.kill=3..")
    assert len(found) == 6
    for part in (
        "kill = '60..50' is empty",
        "'brake' is not known (right would be: break)",
        "panic = '7..8' is given twice",
        "'rounds' is not a band",
        "diversity = '1.5' is outside",
        "'veil', which is no room of this scenario (right would be: root_hollow, whispering_gallery, veil_breach)",
    ):
        assert any(part in fault for fault in found), part


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kill=60.., survive=50..", "outcomes = '110' is the sum of the least shares"),
        ("kill=60.., dungeon_win=..50", "its outcomes are 60 % at least"),
        ("kill=..10, break=..10, panic=..10, dungeon_win=40..", "its outcomes may be 30 % at most"),
        ("dungeon_win=60.., visitor_win=60..", "is the sum of the least shares"),
        (
            "dungeon_win=..30, visitor_win=..30, bond=..30, fled=..0",
            "outcomes = '90' is the sum of the greatest shares",
        ),
        ("veil_breach.panic=70.., veil_breach.survive=40..", "veil_breach.outcomes = '110'"),
        ("kill=101..", "outside the measure's range (right would be: 0 to 100)"),
        ("first_down.cleric=20..", "this visitor is alone"),
        ("reached.root_hollow=50..", "is not known"),
        ("entry.4=50..", "is not known"),
        ("kill=1..2,,", "has an empty part"),
        ("kill=..", "is not a band"),
        ("kill=-5..5", "kill = '-5' is outside the measure's range"),
        ("", "has an empty part"),
    ],
)
def test_contradictions_are_refused(text: str, problem: str) -> None:
    assert any(problem in fault for fault in faults(text))


def test_all_outcomes_must_leave_room_for_all_runs() -> None:
    every = ["kill", "break", "panic", "bond", "overcome", "inert", "dominate", "survive", "fled"]
    assert any("sum of the greatest" in fault for fault in faults(", ".join(f"{name}=..11" for name in every)))
    assert len(read_targets(", ".join(f"{name}=..12" for name in every), BOAR)) == 9


def test_first_knockouts_of_a_party_add_up() -> None:
    assert read_targets("first_down.cleric=35..50", COMPANY)
    assert "first_down = '110'" in faults("first_down.cleric=60.., first_down.rogue=50..", COMPANY)[0]


def test_violation_counts_units_outside_the_band() -> None:
    band = Target("kill", 50, 65)
    assert [band.violation(value) for value in (45, 50, 60, 65, 75)] == [1, 0, 0, 0, 2]
    assert Target("agency", 1.5, None).violation(1.0) == 1
    assert Target("diversity", None, 0.8).violation(0.9) == pytest.approx(1)
    assert band.violation(None) == UNKNOWN_VIOLATION
    assert [band.shortfall(value) for value in (45, 60, 66, None)] == [-5, 0, 1, None]


def test_a_margin_shrinks_a_band_by_a_quarter_at_most() -> None:
    band = Target("kill", 50, 60)
    assert band.margin(1.0) == 1.0
    assert band.margin(9.0) == 2.5
    assert band.violation(50.5, 1.0) == pytest.approx(0.1)
    assert Target("kill", 0, 100).violation(100.0, 3.0) == 0  # no share lies beyond these ends


def test_distance_is_the_sum_of_violations() -> None:
    wanted = (Target("kill", 50, 65), Target("panic", None, 20))
    found = {"kill": Estimate(45.0, 43.0, 47.0), "panic": Estimate(30.0, 28.0, 32.0)}
    assert distance(wanted, found) == 3
    margin = 2 / Z95
    assert distance(wanted, found, careful=True) == pytest.approx(3 + 2 * margin / 5)


def four_runs() -> Any:
    """Kill, Kill, Break, Survive: the first three end in the first room, the last goes through two."""
    rows = records(4, RUN)
    rows["outcome"] = [names.OUTCOMES.index(name) for name in ("kill", "kill", "break", "survive")]
    rows["rooms_entered"] = [1, 1, 1, 2]
    rows["room_outcomes"][:, 0] = [1, 1, 2, 8]
    rows["room_path"][3, 1] = 1
    rows["room_outcomes"][3, 1] = 8
    rows["entries"][3, 1] = (500, 700, 900)
    rows["lead_changes"] = [0, 1, 2, 5]
    rows["rounds"] = [4, 6, 8, 14]
    rows["betrayals"] = [0, 0, 3, 0]
    rows["first_down"] = [2, 1, 2, -1]
    rows["ends"][:2, 1] = (0, 200, 400)  # the visitor lost: its nearest other resource is at 20 %
    rows["ends"][2, 1] = (200, 0, 400)
    rows["ends"][3, 0] = (600, 300, 0)
    return rows


def test_measures_of_four_runs_by_hand() -> None:
    context = ScenarioContext(("root_hollow", "veil_breach"), ("knight", "battlemage", "cleric", "cleric"))
    found = measured(measures_of(context, Evidence.RUNS), four_runs(), context)
    by_hand = {
        "kill": 50,
        "break": 25,
        "panic": 0,
        "dungeon_win": 75,
        "visitor_win": 25,
        "betrayal": 25,
        "rounds": 8,
        "agency": 2,
        "closeness": (20 + 20 + 20 + 30) / 4,
        "diversity": 1.5 / 3,  # ½·1 + ¼·2 + ¼·2 bits of three
        "root_hollow.kill": 50,
        "root_hollow.survive": 25,
        "veil_breach.survive": 100,
        "reached.veil_breach": 25,
        "entry.2": 70,
        "first_down.cleric": 200 / 3,
        "first_down.knight": 0,
    }
    assert {name: found[name].value for name in by_hand} == pytest.approx(by_hand)
    assert [found["kill"].low, found["kill"].high] == pytest.approx([100 * end for end in wilson(2, 4)])


def test_what_never_happens_has_no_value() -> None:
    context = ScenarioContext(("root_hollow", "veil_breach"), ("knight", "battlemage", "cleric", "rogue"))
    rows = four_runs()[:3]
    rows["first_down"] = -1
    found = measured(["veil_breach.panic", "entry.2", "first_down.rogue"], rows, context)
    assert all(estimate == Estimate(None) for estimate in found.values())


def test_the_interval_of_diversity_covers_the_truth_as_often_as_it_says() -> None:
    shares = {1: 50, 2: 25, 3: 15, 8: 10}
    truth = -sum(p / 100 * math.log2(p / 100) for p in shares.values()) / 3
    stream, outcomes, weights = Stream(1, codes.STREAM_COSMETIC), list(shares), list(shares.values())
    covered = 0
    for _ in range(400):
        rows = records(200, RUN)
        rows["outcome"] = [outcomes[stream.weighted(weights)] for _ in range(200)]
        found = measured(["diversity"], rows, BOAR)["diversity"]
        covered += found.low <= truth <= found.high
    assert 355 <= covered < 400  # 380 are due; fewer than 355, or all, come less than once in 10⁶ (binomial)


def test_measures_agree_with_the_simulation() -> None:
    batch = simulate("boar", 400, seed=3)
    context = ScenarioContext.of(batch.packed)
    found, facts = measured(measures_of(context, Evidence.RUNS), batch.rows, context), summary_of(batch).as_dict()
    assert found["kill"].value == pytest.approx(100 * facts["outcomes"]["kill"]["rate"])
    assert found["dungeon_win"].value == pytest.approx(100 * facts["dungeon_win"])
    assert found["rounds"].value == pytest.approx(facts["rounds_mean"])
    for room in facts["rooms"]:
        for outcome, rate in room["outcomes"].items():
            assert found[f"{room['room']}.{outcome}"].value == pytest.approx(100 * rate["rate"])


# --- trust, betrayal, Bonds, rooms, knock-outs ------------------------------------------------------------------------


def test_a_tier_is_reached_where_the_peak_of_trust_is_its_points() -> None:
    context = ScenarioContext(("root_hollow",), ("drift_symbiote",), tiers=(4, 8, 12))
    rows = four_runs()
    rows["trust_peak"] = [0, 15, 16, 24]  # half points: 0, 7½, 8 and 12 points of trust
    found = measured(["tier.1", "tier.2", "tier.3"], rows, context)
    assert [found[name].value for name in found] == [75, 50, 25]


def test_a_betrayal_decides_if_the_visitor_is_lost_within_two_rounds() -> None:
    context = ScenarioContext(("root_hollow", "veil_breach"), ("drift_symbiote",))
    rows = four_runs()  # Kill, Kill, Break, Survive after 4, 6, 8 and 14 rounds
    rows["betrayed_at"] = [2, 3, -1, 13]  # soon; a round too early; never; soon, but the visitor survives
    assert measured(["betrayal_decides"], rows, context)["betrayal_decides"].value == pytest.approx(100 / 3)
    rows["betrayed_at"] = -1
    assert measured(["betrayal_decides"], rows, context)["betrayal_decides"] == Estimate(None)


def test_a_full_bond_is_one_in_every_room() -> None:
    context = ScenarioContext(("root_hollow", "veil_breach"), ("drift_symbiote",))
    bond, survive = names.OUTCOMES.index("bond"), names.OUTCOMES.index("survive")
    rows = records(4, RUN)
    rows["outcome"] = [bond, bond, survive, bond]
    rows["rooms_entered"] = [2, 2, 2, 1]  # the last bonds in its only room, which is not all there are
    rows["room_outcomes"][:, 0] = [bond, survive, bond, bond]
    rows["room_outcomes"][:, 1] = [bond, bond, survive, bond]
    assert measured(["full_bond"], rows, context)["full_bond"].value == 25


def test_later_rooms_and_knockouts_are_measured_as_the_quality_metrics_do() -> None:
    batch = simulate("standard-gauntlet", 600, seed=3)
    codex, table = load_codex(), RunTable.of(batch)
    context = ScenarioContext.of(batch.packed)
    found = measured(["effective.2", "effective.3", "entry.2", "entry.3", "knockout_spread"], batch.rows, context)
    counts = entry_counts(table, table.counts("outcome", "outcome_1"))
    rooms = attrition_curve(counts, table.context, codex.quality.attrition).as_dict()["rooms"]
    for place in (2, 3):
        assert found[f"effective.{place}"].value == pytest.approx(100 * rooms[place - 1]["effective"]["rate"])
        assert found[f"entry.{place}"].value == pytest.approx(rooms[place - 1]["entry"]["mean"])
    falls = knockout_patterns(fall_counts(table), table.context.seats, codex.quality.knockout_spread)
    assert found["knockout_spread"].value == pytest.approx(falls.value)


def test_knockouts_are_as_varied_as_their_entropy_says() -> None:
    context = ScenarioContext(("root_hollow",), ("knight", "battlemage", "cleric", "rogue"))
    rows = four_runs()
    rows["first_down"] = [0, 0, 2, -1]  # two thirds and a third of those that fell
    bits = -(2 / 3 * math.log2(2 / 3) + 1 / 3 * math.log2(1 / 3))
    assert measured(["knockout_spread"], rows, context)["knockout_spread"].value == pytest.approx(
        bits / 2
    )  # log2 4 at most
    assert any("0 to 1" in fault for fault in faults("knockout_spread=0.5..1.5", COMPANY))


# --- differences and counts -------------------------------------------------------------------------------------------


def test_a_difference_may_be_negative_and_need_not_add_up() -> None:
    text = "kill=-3.4±5, survive=-90..-60, panic=..0, break=0.., rounds=-1..1"
    found = {target.name: target for target in read_targets(text, BOAR, difference=True)}
    assert (found["kill"].low, found["kill"].high) == (-8.4, 1.6)
    assert [found["kill"].holds(value) for value in (-8.5, -8.4, 1.6, 1.7)] == [False, True, True, False]
    assert [found["break"].holds(value) for value in (-1.0, 0.0)] == [False, True]
    assert [found["panic"].holds(value) for value in (0.0, 1.0)] == [True, False]
    with pytest.raises(FaultyError, match="right would be: -100 to 100"):
        read_targets("kill=-101..0", BOAR, difference=True)


def test_nothing_but_a_difference_lies_below_zero() -> None:
    assert Target("kill", 0, 10).violation(0.0, 3.0) == 0  # a margin asks for nothing that cannot be
    assert Target("kill", 0, 10, difference=True).violation(-5.0) == 1


def test_a_negative_margin_widens_a_band() -> None:
    band = Target("kill", 50, 60)
    assert [band.violation(value, -3.0) for value in (47.0, 63.0)] == [0, 0]
    assert band.violation(46.0, -3.0) == pytest.approx(0.2)


def test_a_count_of_compositions_has_no_upper_end() -> None:
    for name in (name for name in COUNTS if unit_of(name).name == "count"):
        assert not Target(name, None, 100).holds(101)


# --- what is shipped --------------------------------------------------------------------------------------------------


def with_sets(*sets: TargetSet) -> Codex:
    return Codex(**{**vars(load_codex()), "targets": {one.id: one for one in sets}})


def test_shipped_bands_are_those_of_the_scenario_as_it_is_played() -> None:
    plain = TargetSet(
        id="plain", title="T", source="S", scenario="boar", targets={"kill": "50±5", "panic": "10..", "break": "..9"}
    )
    codex = with_sets(
        plain.model_copy(update={"exceptions": {"panic": "It cannot be."}}),
        TargetSet(id="more", title="T", source="S", scenario="boar", targets={"rounds": "10..15"}),
        TargetSet(
            id="smart", title="T", source="S", scenario="boar", contrast="montecarlo@12", targets={"kill": "-3±5"}
        ),
        TargetSet(
            id="other", title="T", source="S", scenario="boar", dungeon_profile="nurturing", targets={"bond": "1.."}
        ),
        TargetSet(id="many", title="T", source="S", scenario="boar", parties=["iron_column"]),
        TargetSet(id="moth", title="T", source="S", scenario="moth", targets={"survive": "40.."}),
        TargetSet(id="grid", title="T", source="S", matrix=MatrixAsked(), targets={"party.dominating": "..0"}),
    )
    assert shipped_bands(codex, "boar") == "kill=50±5, break=..9, rounds=10..15"
    assert shipped_bands(codex, "symbiote") == shipped_bands(codex, "boar+frenzy") == ""


def test_every_shipped_band_can_be_read() -> None:
    codex = load_codex()
    for scenario in codex.scenarios:
        if text := shipped_bands(codex, scenario):
            assert read_targets(text, ScenarioContext.of(pack(scenario)))
