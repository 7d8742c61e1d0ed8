"""The map families. Each is an object, registered under its name; everything above iterates or asks the registry.

>>> from cartomancer.maps import families
>>> families.names()
['voyage', 'contract', 'guardian']
>>> families.of("contract").kinds[:3]
('combat', 'elite', 'event')

A family from outside is registered with `register`, or found by the entry point that an installed package declares in
the group `cartomancer.map_families` and that names its `Family` object.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from cartomancer.codes import KIND_CODES
from cartomancer.content.presets import MODELS
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.maps.drafts import Draft
from cartomancer.maps.families.base import Act, Family, Spacing
from cartomancer.maps.families.contract import CONTRACT
from cartomancer.maps.families.drawn import DrawnFamily
from cartomancer.maps.families.guardian import GUARDIAN
from cartomancer.maps.families.voyage import VOYAGE
from cartomancer.maps.kernel.events import RULE_CODES, RULE_OUTSIDE
from cartomancer.maps.rulebook import Rule, rule

ENTRY_POINTS: Final = "cartomancer.map_families"
FAMILIES: Final[dict[str, Family[Any]]] = {}


def register(family: Family[Any]) -> None:
    """Make a family known: its presets, its notation, and every command."""
    if FAMILIES.get(family.name, family) is not family:
        raise CartomancerError(f"there already is a map family '{family.name}'")
    if unknown := [kind for kind in family.kinds if kind not in KIND_CODES]:
        raise UnknownNameError("node type", unknown[0], list(KIND_CODES))
    taken = [int(rule.code) for rule in family.rules]
    if len(set(taken)) < len(taken) or not all(0 < code < RULE_CODES for code in taken):
        own = f"a number of its own from {RULE_OUTSIDE} to {RULE_CODES - 1}"
        raise CartomancerError(f"the map family '{family.name}' must give each of its rules {own}")
    FAMILIES[family.name] = family
    MODELS[family.name] = family.model


def names() -> list[str]:
    """The names of all families, those that come with the package first."""
    _register_installed()
    return list(FAMILIES)


def known(name: str) -> bool:
    """Whether there is a family of this name."""
    # what is installed is looked through only if need be: it takes longer than drawing a map
    return name in FAMILIES or name in names()


def of(name: str) -> Family[Any]:
    """The family of this name."""
    if not known(name):
        raise UnknownNameError("map family", name, names())
    return FAMILIES[name]


@cache
def _register_installed() -> None:
    """Register the families that installed packages declare. One that cannot be loaded takes no other with it."""
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            register(entry.load())
        except Exception as error:
            warnings.warn(f"the map family '{entry.name}' of {entry.value} cannot be loaded: {error}", stacklevel=2)


for _shipped in (VOYAGE, CONTRACT, GUARDIAN):
    register(_shipped)

__all__ = ["Act", "Draft", "DrawnFamily", "Family", "Rule", "Spacing", "known", "names", "of", "register", "rule"]
