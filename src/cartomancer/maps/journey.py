"""Walking a map: which nodes may be entered next, and who decides [Guardian: core rules, node selection].

>>> from cartomancer import maps
>>> drawn = maps.generate("guardian", seed=7)
>>> [node.type for node in available(drawn, START)]
['combat']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cartomancer.errors import CartomancerError, HostOnlyError, SelectionError
from cartomancer.maps import families
from cartomancer.maps.model import Map, Node
from cartomancer.maps.unknowns import UnknownResolver

FORMAT: Final = "cartomancer.journey/1"
START: Final = -1


def available(drawn: Map, current: int) -> list[Node]:
    """The nodes that may be entered from here; before the first one (−1) those of the first row."""
    if current == START:
        return drawn.starts
    return [drawn.by_id[target] for target in drawn.onward[drawn.node(current).id]]


def select(drawn: Map, current: int, choice: int) -> Node:
    """Enter a node, if an edge leads there."""
    node = drawn.node(choice)
    ways = available(drawn, current)
    if node not in ways:
        here = "the start" if current == START else drawn.node(current).place
        raise SelectionError(
            f"{node.place} cannot be entered from {here}; from there lead: "
            + (", ".join(way.place for way in ways) or "nothing, the run is over")
        )
    return node


@dataclass(frozen=True)
class Journey:
    """A party on its way through a map: the server's whole state of a run on it.

    Unknowns resolve as they are entered, and their pity travels along (M5).
    """

    map: Map
    players: tuple[str, ...] = ("host",)
    host: str = "host"
    visited: tuple[int, ...] = ()
    resolved: Mapping[int, str] = field(default_factory=dict)  # Unknown nodes entered → what they turned out to be
    unknowns: Mapping[str, Any] | None = None  # the saved resolver; none before the first Unknown

    def __post_init__(self) -> None:
        if self.host not in self.players:
            raise SelectionError(f"host '{self.host}' is not one of the players: {', '.join(self.players)}")

    @property
    def current(self) -> int:
        """Where the party stands: a node id, or −1 before the first choice."""
        return self.visited[-1] if self.visited else START

    @property
    def over(self) -> bool:
        """Whether the last node has been entered."""
        return not self.available()

    def available(self) -> list[Node]:
        """The nodes the host may choose from."""
        return available(self.map, self.current)

    def select(self, player: str, choice: int) -> Journey:
        """The journey after the host's choice; anybody else is refused. An Unknown resolves at once."""
        if player != self.host:
            raise HostOnlyError(f"only the host '{self.host}' selects the next node, not '{player}'")
        node = select(self.map, self.current, choice)
        moved = replace(self, visited=(*self.visited, node.id))
        if node.type != "unknown":
            return moved
        resolver = self._resolver()
        outcome = resolver.visit(families.of(self.map.family).banned_types(self.map.rules, node.row)).outcome
        return replace(moved, resolved={**self.resolved, node.id: outcome}, unknowns=resolver.save())

    def _resolver(self) -> UnknownResolver:
        rules = families.of(self.map.family).unknown_rules(self.map.rules)
        if rules is None:
            raise SelectionError(f"{self.map.family} maps have no Unknowns")
        return UnknownResolver.load(dict(self.unknowns)) if self.unknowns else UnknownResolver(self.map.seed, rules)

    def force_next(self, outcome: str) -> Journey:
        """The journey in which the next Unknown resolves to this outcome (a debug command, [Voyage P6])."""
        resolver = self._resolver()
        resolver.force_next(outcome)
        return replace(self, unknowns=resolver.save())

    def pass_host(self, player: str) -> Journey:
        """The journey with a new host, after the old one has left."""
        return replace(self, host=player)

    def save(self) -> dict[str, Any]:
        """Everything needed to go on later: the map by its notation, the way so far, the Unknowns and their pity."""
        return {
            "format": FORMAT,
            "map": self.map.notation,
            "players": list(self.players),
            "host": self.host,
            "visited": list(self.visited),
            "resolved": {str(node): outcome for node, outcome in self.resolved.items()},
            "unknowns": dict(self.unknowns) if self.unknowns is not None else None,
        }

    @classmethod
    def load(cls, data: dict[str, Any]) -> Journey:
        """The journey as it was saved; a way that the map does not allow is refused."""
        from cartomancer.maps.notation import read

        try:
            if data["format"] != FORMAT:
                raise SelectionError(f"format {data['format']!r} is not {FORMAT}")
            drawn = read(data["map"])
            here = START
            for choice in data["visited"]:
                here = select(drawn, here, choice).id
            resolved = {int(node): str(outcome) for node, outcome in data["resolved"].items()}
            if data["unknowns"] is not None:
                UnknownResolver.load(data["unknowns"])
            visited = tuple(data["visited"])
            return cls(drawn, tuple(data["players"]), data["host"], visited, resolved, data["unknowns"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, CartomancerError):
                raise
            raise CartomancerError(f"not a saved journey: {error!r}") from None
