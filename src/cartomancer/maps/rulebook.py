"""Rules as objects: sampler, validator, repair, explanation and docs all mean the same rule by the same id.

A family's own rules stand in its module; here are what a rule is, and the rules of every map.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.maps.kernel import events

Code = int | np.signedinteger[Any]  # kernels' own codes are NumPy integers


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
    def family(self) -> str:
        return self.id.split(".")[0]

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


DETAILS: Final = Rule(
    events.RULE_DETAILS,
    "map.details",
    "What a map says of itself is what its rules could have produced: what follows from a node's place and type "
    "(lane, layer, act, guardian, lock) is right, what was rolled (enemies, traps, stock, trials, traits) is a "
    "possible roll, and a preset that is named has these rules.",
    "[Guardian: acceptance criterion 10]",
)
MAP_RULES: Final = (
    Rule(
        events.RULE_REACHABLE,
        "map.reachable",
        "An edge leads to every node that is not on the first row.",
        "[Voyage P4], [Guardian: acceptance criterion 3]",
        of_graph=True,
    ),
    Rule(
        events.RULE_ONWARD,
        "map.onward",
        "Every node before the last row leads on, so every start reaches the boss.",
        "[Voyage P4]",
        of_graph=True,
    ),
    Rule(
        events.RULE_ONE_BOSS,
        "map.one-boss",
        "The last row is one boss node.",
        "[Voyage P1], [Contracts 0], [Guardian]",
        of_graph=True,
    ),
    DETAILS,
)
