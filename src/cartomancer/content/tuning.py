"""The tuning entries of the encounter rules, read from content.

>>> [tier.id for tier in load_resolution().tiers]
['devastating', 'strong', 'partial', 'stalemate', 'reversal']
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cartomancer.content.models.tuning import ResolutionTuning
from cartomancer.content.toml_files import DATA, read_toml, shown_path, validated

RESOLUTION: Final = DATA / "tuning" / "resolution.toml"


def load_resolution(path: Path = RESOLUTION) -> ResolutionTuning:
    """The tiers in use, without the rest of the content; refused with every fault if the file is not valid."""
    return validated(ResolutionTuning, read_toml(path), shown_path(path))
