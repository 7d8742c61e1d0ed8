"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Kernels may compile inside an example: no deadline. Failing examples are printed with the seed that found them.
settings.register_profile("house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
# A gate must answer the same question every time; new examples are looked for on developers' machines.
settings.register_profile("gate", settings.get_profile("house"), derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "house")
