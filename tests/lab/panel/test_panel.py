"""The panel: who plays, on which seeds, and what the verdicts mean."""

from __future__ import annotations

import numpy as np
import pytest

from cartomancer.encounters.packing import pack
from cartomancer.errors import CartomancerError
from cartomancer.lab.panel.panel import PANEL, PanelSettings, exploit, panel_runs
from cartomancer.players.policies import SIMPLE
from cartomancer.players.simulation import read_run_name, run_of, simulate

QUICK = PanelSettings(runs=300, thinking_runs=4, panel=("never-strike", "pass", "flee"))


def test_every_simple_player_is_on_the_panel() -> None:
    assert set(PANEL) == {*SIMPLE, "random", "exploiter"}


def test_a_gain_is_what_a_member_has_more_on_the_same_seeds() -> None:
    """Worths and wins are recomputed here from the runs."""
    found = exploit("standard-company", QUICK)
    seat = next(seat for seat in found.seats if seat.side == "visitor")
    own = simulate("standard-company", 300, 0, visitor="never-strike")
    standard = simulate("standard-company", 300, 0)
    member = next(member for member in seat.members if member.player == "never-strike")
    gains = own.worths("visitor") - standard.worths("visitor")
    assert member.gain == pytest.approx(gains.mean())
    assert member.worth == pytest.approx(own.worths("visitor").mean())
    assert seat.standards["heuristic"] == pytest.approx(standard.worths("visitor").mean())
    assert member.wins == own.wins("visitor") / 300
    assert member.interval is not None
    low, high = member.interval
    assert low < member.gain < high
    assert high - low == pytest.approx(2 * 1.968 * gains.std(ddof=1) / 300**0.5, rel=0.01)


def test_a_member_that_surely_does_too_well_is_an_exploit_with_a_run_to_read() -> None:
    packed = pack("standard-company")
    found = exploit(packed, QUICK)
    for seat in found.seats:
        for member in seat.members:
            assert member.interval is not None
            sure, likely = member.interval[0] > 0.02, member.gain > 0.02
            assert member.verdict == ("exploit" if sure else "suspect" if likely else "fair")
            assert (member.replay is None) is (member.verdict == "fair")
            if member.replay:
                name = read_run_name(member.replay.split()[3])
                assert name is not None
                players = {seat.side: member.player}
                again = simulate(packed, name[2] + 1, name[1], **players)
                run = run_of(packed, again.policies, name[1], name[2])
                assert run.outcome is not None
                own, standard = again.worths(seat.side), simulate(packed, name[2] + 1, name[1]).worths(seat.side)
                assert int(np.argmax(own - standard)) == name[2]
    assert found.exploits == [(s, m) for s in found.seats for m in s.members if m.verdict == "exploit"]


def test_only_visitors_flee() -> None:
    found = exploit("boar", QUICK)
    by_side = {seat.side: {member.player for member in seat.members} for seat in found.seats}
    assert by_side == {"dungeon": {"never-strike", "pass"}, "visitor": {"never-strike", "pass", "flee"}}


def test_the_exploiter_is_measured_by_the_smart_player() -> None:
    asked = PanelSettings(runs=6, thinking_runs=2, panel=("exploiter@12", "pass"))
    found = exploit("boar", asked)
    for seat in found.seats:
        assert set(seat.standards) == {"smart", "heuristic"}
        standards = {member.player: (member.standard, member.runs) for member in seat.members}
        assert standards == {"exploiter@12": ("smart", 2), "pass": ("heuristic", 6)}


def test_progress_ends_at_the_number_of_runs_that_were_announced() -> None:
    told: list[int] = []
    exploit("boar", QUICK, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == panel_runs(QUICK)


def test_who_is_no_member_is_refused() -> None:
    with pytest.raises(CartomancerError, match="heuristic: no member of the panel"):
        exploit("boar", PanelSettings(panel=("heuristic",)))
