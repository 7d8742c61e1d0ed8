"""Rules as objects: sampler, validator, repair, explanation and docs all mean the same rule by the same id.

A family's own rules stand in its module; here are what a rule is, and the rules of every map.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.maps.kernel import events
from cartomancer.tables import table_beside

Code = int | np.signedinteger[Any]  # kernels' own codes are NumPy integers
_STATED: Final = table_beside(__file__, "rules.toml")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a map family."""

    code: Code  # what kernels call it
    id: str
    statement: str  # in general, as the docs show it
    cite: str
    filled: Callable[[Any], str] | None = None  # the statement with the numbers of the rules in force
    of_graph: bool = False  # about nodes and edges, which no retyping can mend

    @property
    def title(self) -> str:
        """Its name without its family, as headings have it."""
        return self.id.split(".")[1].replace("-", " ").capitalize()

    def says(self, rules: Any) -> str:
        """What the rule demands under these rules: "No Elite before row 5." """
        return self.filled(rules) if self.filled else self.statement


def rule(code: Code, id: str, cite: str, of_graph: bool = False) -> Callable[[Callable[[Any], str]], Rule]:
    """A rule from a function: its docstring states it in general, its result with the numbers in force."""
    return lambda filled: Rule(code, id, filled.__doc__ or "", cite, filled, of_graph)


def stated(code: Code, id: str) -> Rule:
    """A rule that says the same whatever the rules in force; it stands in `rules.toml`."""
    return Rule(code, id, **_STATED[id])


DETAILS: Final = stated(events.RULE_DETAILS, "map.details")
MAP_RULES: Final = (
    stated(events.RULE_REACHABLE, "map.reachable"),
    stated(events.RULE_ONWARD, "map.onward"),
    stated(events.RULE_ONE_BOSS, "map.one-boss"),
    DETAILS,
)
