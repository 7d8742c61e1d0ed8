"""Fitting a profile: it stays within its character, repeats itself, and its verdict comes from fresh seeds."""

from __future__ import annotations

import pytest

from cartomancer.content.codex import Codex
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.lab.tuner.fitting import FitSettings, fit, own_scenarios

QUICK = FitSettings(runs=100, trials=12, seed=3)


def test_weights_move_between_half_and_twice_and_what_is_never_done_is_not_learned(codex: Codex) -> None:
    found = fit("feral_aggressive", codex, ("boar",), QUICK)
    assert found.changes
    for name, before in found.before.items():
        assert before // 2 - 50 <= found.after[name] <= 2 * before
    assert "weights.offer" not in found.before
    assert found.interval is not None
    assert found.interval[0] <= found.gain <= found.interval[1]


def test_a_fit_repeats_itself_on_any_number_of_threads(codex: Codex) -> None:
    one, two = (
        fit("feral_aggressive", codex, ("boar",), FitSettings(runs=100, trials=12, seed=3, threads=threads))
        for threads in (1, 2)
    )
    assert one == two


def test_without_scenarios_a_profile_plays_its_own(codex: Codex) -> None:
    assert own_scenarios(codex, codex.profiles["feral_aggressive"]) == ["boar"]
    assert "symbiote" in own_scenarios(codex, codex.profiles["nurturing"])


def test_unknown_profiles_and_scenarios_are_refused_in_words(codex: Codex) -> None:
    with pytest.raises(UnknownNameError, match="feral_agressive"):
        fit("feral_agressive", codex)
    with pytest.raises(CartomancerError, match="bore"):
        fit("feral_aggressive", codex, ("bore",))
