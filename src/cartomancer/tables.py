"""Tables that lie beside modules: what is data and no code, in TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def table_beside(module: str, name: str) -> dict[str, Any]:
    """The table in a file beside a module, which is named by its `__file__`."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))
