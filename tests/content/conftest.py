"""What tests of content share: each has its own `folder`, a copy of shipped content that it may break."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Change = Callable[[str, str, str], None]


@pytest.fixture
def change(folder: Path) -> Change:
    """Replace a text that must be there, once."""

    def replace(name: str, old: str, new: str) -> None:
        text = (folder / name).read_text()
        assert old in text, f"{old!r} is no longer in {name}"
        (folder / name).write_text(text.replace(old, new, 1))

    return replace
