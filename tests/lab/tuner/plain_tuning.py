"""The tuner with its settings as plain arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartomancer.content.codex import Codex
from cartomancer.lab.tuner import tuner
from cartomancer.lab.tuner.evaluator import Progress
from cartomancer.lab.tuner.request import BUDGET, RUNS, TunerSettings
from cartomancer.lab.tuner.result import Tuning


def tune(
    scenarios: str | Sequence[str],
    targets: str | None = None,
    groups: Sequence[str] | None = None,
    budget: int = BUDGET,
    runs: int = RUNS,
    codex: Codex | None = None,
    progress: Progress = lambda done: None,
    **settings: Any,
) -> Tuning:
    how = TunerSettings(groups=groups, budget=budget, runs=runs, **settings)
    return tuner.tune(scenarios, targets, how, codex, progress)
