"""Evidence is gathered as far as it is asked for, and whole."""

from __future__ import annotations

import pytest

from cartomancer.encounters.packing import pack
from cartomancer.lab import gathering
from cartomancer.lab.gathering import Gathering
from cartomancer.lab.measures.measure import Evidence
from cartomancer.players.simulation import simulate


@pytest.mark.parametrize("most", [3, 8, 50])
def test_runs_are_those_of_the_batch_however_many_are_surveyed(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "MOST_SURVEYED", most)
    asked = Gathering({Evidence.RUNS, Evidence.SURVEY}, runs=8, seed=3)
    told = [0]
    found = asked.of(pack("symbiote"), progress=told.append)
    assert found.simulation.result_hash == simulate("symbiote", 8, 3).result_hash
    assert len(found.further[Evidence.SURVEY]["runs"]) == min(8, most)
    assert told[-1] == asked.total_runs == (8 if most >= 8 else 8 + most)
    assert told == sorted(told)


def test_a_study_has_at_most_as_many_decisions_as_runs() -> None:
    asked = Gathering({Evidence.DECISIONS}, runs=2, decisions=5, rollouts=1)
    found = asked.of(pack("symbiote"))
    assert (found.batch, asked.total_runs) == (None, 2)
    assert len(found.further[Evidence.DECISIONS]["runs"]) == 2


@pytest.mark.parametrize("kind", list(Evidence))
def test_an_interrupt_leaves_no_half_of_it(kind: Evidence) -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Gathering({kind}, runs=200, decisions=20, rollouts=1, threads=1).of(pack("symbiote"), progress=stop)
