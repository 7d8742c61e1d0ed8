"""What a kind of node is: what happens when it is entered, and the stops it makes there (one module a kind)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cartomancer.campaign.expedition.run import Run, Stop


@dataclass(frozen=True)
class Option:
    """One answer to a stop: how it is written, what it is, what is at stake."""

    action: str
    label: str
    stakes: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {"action": self.action, "label": self.label, "stakes": self.stakes}


@dataclass(frozen=True)
class StopKind:
    """A kind of stop: its question, its options, what each does."""

    ask: Callable[[Run, Stop], str]
    options: Callable[[Run, Stop], list[Option]]
    choose: Callable[[Run, Stop, str], None]


@dataclass(frozen=True)
class NodeKind:
    """What entering does, by the node's type, and the stops of this kind by name."""

    entered: Mapping[str, Callable[[Run], None]] = field(default_factory=dict)
    stops: Mapping[str, StopKind] = field(default_factory=dict)


def percent_of(share: int, amount: int) -> int:
    """A share of an amount, rounded half up."""
    return (amount * share + 50) // 100
