"""What all tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from cartomancer.jit import prefer_compiled

# Kernels may compile inside an example: no deadline. Failing examples are printed with the seed that found them.
settings.register_profile("local", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
# A gate must answer the same question every time; new examples are looked for on developers' machines.
settings.register_profile("gate", settings.get_profile("local"), derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "local")
# Single fights and maps would run interpreted until the first batch: thousands of them are a batch.
prefer_compiled()
# A suite run in the background inherits interrupts that are ignored, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def delve(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example of a family from outside the package, registered for one test."""
    from cartomancer import maps
    from cartomancer.content.presets import MODELS
    from cartomancer.maps.families import FAMILIES

    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "examples" / "delve")
    for registry in (FAMILIES, MODELS):  # as they are now, when the test is over
        monkeypatch.setitem(registry, "delve", None)
        monkeypatch.delitem(registry, "delve")
    from delve import DELVE

    maps.register_family(DELVE)
    return DELVE
