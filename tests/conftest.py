"""What all tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Kernels may compile inside an example: no deadline. Failing examples are printed with the seed that found them.
settings.register_profile("house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
