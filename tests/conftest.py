"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from cartomancer.jit import prefer_compiled

# Kernels may compile inside an example: no deadline. Failing examples are printed with the seed that found them.
settings.register_profile("local", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
# A gate must answer the same question every time; new examples are looked for on developers' machines.
settings.register_profile("gate", settings.get_profile("local"), derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "local")
# Single fights and maps would run interpreted until the first batch: thousands of them are a batch.
prefer_compiled()
