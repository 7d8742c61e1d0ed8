"""Packages that offer names from their modules and load a module when one of its names is first used.

__getattr__, __dir__ = lazily(__name__, {"duels": ("Duel", "duel"), "player": ("Player",)})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, modules: Mapping[str, Iterable[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__getattr__` and `__dir__` for the names that each of its modules offers."""
    homes = {name: module for module, names in modules.items() for name in names}

    def loaded(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return loaded, lambda: sorted(homes)
