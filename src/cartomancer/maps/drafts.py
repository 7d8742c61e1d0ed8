"""A draft: a map as kernels see it, with the names that families drawn in Python use for it.

The record below counts rows and slots from 0 and knows codes; a draft counts rows and columns from 1 and knows names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cartomancer.codes import KIND_CODES, KIND_NAMES, STREAM_SKELETON, STREAM_TYPES
from cartomancer.jit import records, wrapping
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.graph import GRAPH, clear, new_log
from cartomancer.maps.rulebook import Code, Rule
from cartomancer.rng import below

LOG_LENGTH: Final = 40_000


def kind_mask(names: Collection[str]) -> int:
    """The kinds as a bit mask."""
    return sum(1 << KIND_CODES[name] for name in set(names))


def write(record: Any, **fields: Any) -> None:
    """Write these fields of a kernel's record."""
    for name, value in fields.items():
        record[name] = value


@dataclass(frozen=True)
class Draft:
    """A graph with the rules it is drawn by and, if asked for, the log of how."""

    graph: Any
    packed: Any
    log: np.ndarray[Any, Any]

    @classmethod
    def empty(cls, packed: Any, log_length: int = 0) -> Draft:
        """Nothing drawn yet."""
        return cls(records(1, GRAPH)[0], packed, new_log(log_length))

    @property
    def events(self) -> np.ndarray[Any, Any]:
        """The events written so far, one row each."""
        return self.log[: int(self.graph["logged"])]

    @property
    def rows(self) -> int:
        return int(self.graph["rows"])

    @property
    def columns(self) -> int:
        return int(self.graph["slots"])

    # --- looking --------------------------------------------------------------------------------------------------

    def has(self, row: int, column: int) -> bool:
        """Whether a node stands there."""
        return bool(int(self.graph["present"][row - 1]) >> (column - 1) & 1)

    def cells(self) -> list[tuple[int, int]]:
        """The row and column of every node in reading order: a node's id is its place in this list."""
        across = range(1, self.columns + 1)
        return [(row, column) for row in range(1, self.rows + 1) for column in across if self.has(row, column)]

    def row(self, row: int) -> list[int]:
        """The columns of a row that hold a node."""
        return [column for column in range(1, self.columns + 1) if self.has(row, column)]

    def onward(self, row: int, column: int) -> list[int]:
        """The columns of the next row that a node leads to."""
        return self._slots(int(self.graph["out"][row - 1, column - 1]))

    def back(self, row: int, column: int) -> list[int]:
        """The columns of the row before that lead to a node."""
        return self._slots(int(self.graph["into"][row - 1, column - 1]))

    def _slots(self, mask: int) -> list[int]:
        return [slot + 1 for slot in range(self.columns) if mask >> slot & 1]

    def type(self, row: int, column: int) -> str:
        """A node's type; "none" before it has one."""
        return KIND_NAMES[int(self.graph["kind"][row - 1, column - 1])]

    def marked(self, row: int, column: int, mark: Code) -> bool:
        """Whether a node is marked as locked, forced or waived."""
        return bool(int(self.graph["marks"][row - 1, column - 1]) & mark)

    # --- drawing --------------------------------------------------------------------------------------------------

    def clear(self, seed: int) -> None:
        """Take everything off, and start the random streams from the seed."""
        with wrapping():
            clear(self.graph, self.packed["rows"], self.packed["slots"], np.uint64(seed))

    def below(self, n: int, stream: int = STREAM_SKELETON) -> int:
        """A random number in 0 … n−1."""
        with wrapping():
            return int(below(self.graph["streams"], stream, n))

    def place(self, row: int, column: int) -> None:
        """Put an untyped node there."""
        self.graph["present"][row - 1] |= 1 << (column - 1)

    def join(self, row: int, column: int, target: int) -> None:
        """Draw the edge to a column of the next row."""
        self.graph["out"][row - 1, column - 1] |= 1 << (target - 1)
        self.graph["into"][row, target - 1] |= 1 << (column - 1)

    def set_type(self, row: int, column: int, kind: str, mark: Code = 0, rule: Rule | None = None) -> None:
        """Give a node its type, and a mark with the rule behind it."""
        self.graph["kind"][row - 1, column - 1] = KIND_CODES[kind]
        self.graph["marks"][row - 1, column - 1] |= int(mark)
        if rule is not None:
            self.graph["reason"][row - 1, column - 1] = rule.code

    def fix(self, row: int, column: int, kind: str, rule: Rule) -> None:
        """Type a node by rule rather than by dice, and lock it."""
        self.set_type(row, column, kind, events.LOCKED, rule)
        self.note(events.EVENT_FIXED, row, column, KIND_CODES[kind], rule.code, 0)

    def roll(
        self,
        row: int,
        column: int,
        weights: Mapping[str, int],
        bans: Sequence[Collection[str]] = (),
        stream: int = STREAM_TYPES,
    ) -> bool:
        """Type a node by weight among what is not banned, in the order of kinds; False when nothing is left.

        `bans` are at most three sets of kinds, in the order of the family's `ban_rules`.
        """
        masks = [kind_mask(kinds) for kinds in bans] + [0] * (3 - len(bans))
        forbidden = masks[0] | masks[1] | masks[2]
        left = [(KIND_CODES[kind], weight) for kind, weight in weights.items() if not forbidden >> KIND_CODES[kind] & 1]
        total = sum(weight for _, weight in left)
        self.note(events.EVENT_WEIGHED, row, column, *masks)
        if not total:
            return False
        rest = self.below(total, stream)
        for kind, weight in sorted(left):
            rest -= weight
            if rest < 0:
                self.set_type(row, column, KIND_NAMES[kind])
                self.note(events.EVENT_ROLLED, row, column, kind, 1, 0)
                return True
        raise AssertionError("unreachable: below(total) is smaller than the total")

    def breaks(self, rule: Rule, row: int, column: int = 0, other: tuple[int, int] = (0, 0)) -> None:
        """Note that a node breaks a rule, perhaps together with another one; without a column, that a row does."""
        self.note(events.EVENT_VIOLATION, row, column, rule.code, other[0] - 1, other[1] - 1)

    def note(self, event: Code, row: int, column: int, a: Code, b: Code, c: int) -> None:
        """Write one event, if somebody is listening."""
        at = int(self.graph["logged"])
        if at < self.log.shape[0]:
            self.log[at] = (event, row - 1, column - 1, a, b, c)
            self.graph["logged"] = at + 1
