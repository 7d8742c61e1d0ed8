"""Packages that offer names from their modules, or whole modules, and load a module when it is first used.

What a package offers stands once, in its stub `__init__.pyi`, as imports: type checkers read them there, and so does

    __getattr__, __dir__ = lazily(__name__, __file__)
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@cache
def offered(stub: Path) -> dict[str, tuple[str, str]]:
    """Every name a stub offers, with its module and what it is called there.

    A name that is called otherwise here is imported under a private name and given its own: `generate_map = _generate`.
    """
    found: dict[str, tuple[str, str]] = {}
    for line in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.ImportFrom):
            found |= {one.asname or one.name: (str(line.module), one.name) for one in line.names}
        elif (
            isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and isinstance(line.value, ast.Name)
        ):
            found[line.targets[0].id] = found[line.value.id]
    return {name: home for name, home in found.items() if not name.startswith("_")}


def lazily(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__getattr__` and `__dir__` for the names that its stub offers."""
    stub = Path(file).with_suffix(".pyi")

    def loaded(name: str) -> Any:
        names = offered(stub)
        if name == "__all__":
            return list(names)
        if name not in names:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        home, found = names[name]
        module = import_module(home)
        return getattr(module, found) if hasattr(module, found) else import_module(f"{home}.{found}")

    return loaded, lambda: sorted(offered(stub))
