"""Contests of a seat: gains are the differences of worths on the same seeds, as the side's own profile counts them."""

from __future__ import annotations

import numpy as np
import pytest

from cartomancer.encounters.packing import pack
from cartomancer.lab.gathering import Gathering
from cartomancer.lab.measures.exploits import gain_column, profile_column
from cartomancer.lab.measures.measure import Evidence
from cartomancer.lab.panel import contests
from cartomancer.lab.panel.contests import profile_gains, thinking_gains, thinking_runs
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import Simulation, simulate


def test_another_profiles_runs_are_worth_what_the_own_profile_says() -> None:
    """A nurturing dungeon's worths of an aggressive one's runs: a Kill is not what it wants."""
    found = profile_gains(pack("symbiote"), 60, seed=5)
    own = simulate("symbiote", 60, 5)
    harm = simulate("symbiote", 60, 5, dungeon=PlayerSpec("heuristic", "aggressive"))
    meant = Simulation(harm.packed, own.policies, 5, harm.rows).worths("dungeon") - own.worths("dungeon")
    assert found[profile_column("aggressive", "dungeon")].tolist() == np.rint(1000 * meant).astype(int).tolist()
    assert harm.worths("dungeon").mean() > harm.worths("dungeon").mean() + meant.mean()
    assert profile_column("nurturing", "dungeon") not in found
    assert profile_column("cooperative", "visitor") not in found


def test_the_best_other_profile_is_the_measure() -> None:
    gathered = Gathering({Evidence.PROFILES}, 80, 5).of(pack("boar"))
    columns = gathered.further[Evidence.PROFILES]
    means = {name: values.mean() / 10 for name, values in columns.items() if name.endswith("visitor")}
    found = gathered.measured(["better_profile.visitor"])["better_profile.visitor"]
    assert len(means) == 3
    assert found.value == pytest.approx(max(means.values()))


def test_thinkers_are_measured_by_the_one_before_on_the_same_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = (PlayerSpec("heuristic"), PlayerSpec("smart", rollouts=8), PlayerSpec("exploiter", rollouts=8))
    monkeypatch.setattr(contests, "LADDER", quick)
    told: list[int] = []
    found = thinking_gains(pack("symbiote"), 4, 5, progress=told.append)
    worths = [simulate("symbiote", 4, 5, dungeon=player).worths("dungeon") for player in quick]
    assert found[gain_column("smart", "dungeon")].tolist() == pytest.approx(1000 * (worths[1] - worths[0]))
    assert found[gain_column("exploiter", "dungeon")].tolist() == pytest.approx(1000 * (worths[2] - worths[1]))
    assert max(told) == thinking_runs(4) == 4 * 5  # the heuristic's runs are both seats'
    gathered = Gathering({Evidence.THINKING}, 3, 5).of(pack("symbiote"))
    assert gathered.measured(["smart_gain.visitor"])["smart_gain.visitor"].value is not None
