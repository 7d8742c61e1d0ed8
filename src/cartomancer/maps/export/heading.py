"""What the engine formats say first about a map."""

from __future__ import annotations

from cartomancer.maps.model import Map


def heading(drawn: Map, format: str) -> dict[str, str]:
    """Which format and which map this is; the seed as text, as engines keep 64-bit numbers only so."""
    return {
        "format": format,
        "family": drawn.family,
        "preset": drawn.preset,
        "seed": str(drawn.seed),
        "notation": drawn.notation,
    }
