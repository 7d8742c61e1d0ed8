"""No module imports itself by way of others, and no part of a package does by way of its siblings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

ROOT = "cartomancer"


@cache
def imports() -> dict[str, set[str]]:
    """What each module imports, late imports too."""
    graph = grimp.build_graph(ROOT, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def packages() -> list[str]:
    return sorted({module.rpartition(".")[0] for module in imports() if "." in module})


def among_children(package: str) -> dict[str, set[str]]:
    """The imports of a package's own modules and subpackages among each other."""
    inside, depth = f"{package}.", package.count(".") + 2
    found: dict[str, set[str]] = {}
    for module, imported in imports().items():
        if module.startswith(inside):
            child = ".".join(module.split(".")[:depth])
            others = {".".join(other.split(".")[:depth]) for other in imported if other.startswith(inside)}
            found.setdefault(child, set()).update(others - {child})
    return found


def cycles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Cycles of a graph, until none is left; each is cut open once it was found."""
    left, found = {node: set(others) for node, others in graph.items()}, list[set[str]]()
    while True:
        try:
            TopologicalSorter(left).prepare()
            return found
        except CycleError as error:
            cycle = error.args[1]
            found.append(set(cycle))
            left[cycle[1]].discard(cycle[0])


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert cycles(imports()) == []


@pytest.mark.parametrize("package", packages())
def test_no_part_of_a_package_imports_itself_by_way_of_its_siblings(package: str) -> None:
    assert cycles(among_children(package)) == []


def test_cycles_are_found() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]
    assert cycles({"a": {"b"}, "b": {"a", "c"}, "c": {"b"}}) in ([{"a", "b"}, {"b", "c"}], [{"b", "c"}, {"a", "b"}])
    assert cycles({"a": {"b"}, "b": {"c"}, "c": set()}) == []
