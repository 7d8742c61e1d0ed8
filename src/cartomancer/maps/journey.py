"""Walking a map: which nodes may be entered next, and who decides [Guardian: core rules, node selection].

>>> from cartomancer import maps
>>> drawn = maps.generate("guardian", seed=7)
>>> [node.type for node in available(drawn, START)]
['combat']
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from cartomancer.errors import CartomancerError, HostOnlyError, SelectionError
from cartomancer.maps.model import Map, Node

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
    """A party on its way through a map: the server's whole state of a run on it."""

    map: Map
    players: tuple[str, ...] = ("host",)
    host: str = "host"
    visited: tuple[int, ...] = ()

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
        return not available(self.map, self.current)

    def available(self) -> list[Node]:
        """The nodes the host may choose from."""
        return available(self.map, self.current)

    def select(self, player: str, choice: int) -> Journey:
        """The journey after the host's choice; anybody else is refused."""
        if player != self.host:
            raise HostOnlyError(f"only the host '{self.host}' selects the next node, not '{player}'")
        node = select(self.map, self.current, choice)
        return replace(self, visited=(*self.visited, node.id))

    def pass_host(self, player: str) -> Journey:
        """The journey with a new host, after the old one has left."""
        return replace(self, host=player)

    def save(self) -> dict[str, Any]:
        """Everything needed to go on later: the map by its notation, the way so far."""
        return {
            "format": "cartomancer.journey/1",
            "map": self.map.notation,
            "players": list(self.players),
            "host": self.host,
            "visited": list(self.visited),
        }

    @classmethod
    def load(cls, data: dict[str, Any]) -> Journey:
        """The journey as it was saved; a way that the map does not allow is refused."""
        from cartomancer.maps.notation import read

        try:
            if data["format"] != "cartomancer.journey/1":
                raise SelectionError(f"format {data['format']!r} is not cartomancer.journey/1")
            journey = cls(read(data["map"]), tuple(data["players"]), data["host"])
            for choice in data["visited"]:
                journey = journey.select(journey.host, choice)
        except (KeyError, TypeError) as error:
            raise CartomancerError(f"not a saved journey: {error!r}") from None
        return journey
