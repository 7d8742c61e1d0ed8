"""What tests of the tuner share: the shipped content."""

from __future__ import annotations

import pytest

from cartomancer.content.codex import Codex, load_codex


@pytest.fixture(scope="module")
def codex() -> Codex:
    return load_codex()
