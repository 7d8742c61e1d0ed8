"""A party on its way through a map: who decides, what Unknowns became, and saves [Guardian: core rules].

>>> from cartomancer import maps
>>> journey = maps.Journey(maps.generate("guardian", "slice", seed=7)).select("host", 0)
>>> maps.Journey.load(journey.save()) == journey
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from cartomancer.errors import CartomancerError, Fault, FaultyError, HostOnlyError, ReplayError, SelectionError
from cartomancer.maps import families, json_format
from cartomancer.maps.model import Map, Node
from cartomancer.maps.notation import differences, is_notation, read
from cartomancer.maps.public import public_view
from cartomancer.maps.unknowns import OUTCOMES, UnknownResolver
from cartomancer.maps.ways import START, available, select

FORMAT: Final = "cartomancer.journey/2"
BY_NOTATION: Final = "cartomancer.journey/1"  # read, no longer written: its map is a notation, and it lists no `forced`


@dataclass(frozen=True)
class Journey:
    """A party on its way through a map: the server's whole state of a run on it.

    Unknowns resolve as they are entered, and their pity travels along (M5). A public half cannot be walked: what its
    Unknowns become is the server's to say (M14); `client_view` is what it may tell.
    """

    map: Map
    players: tuple[str, ...] = ("host",)
    host: str = "host"
    visited: tuple[int, ...] = ()
    resolved: Mapping[int, str] = field(default_factory=dict)  # Unknown nodes entered → what they turned out to be
    forced: tuple[int, ...] = ()  # those of them that a debug command decided
    unknowns: Mapping[str, Any] | None = None  # the saved resolver; none before the first Unknown

    def __post_init__(self) -> None:
        self.map.refuse_public("walked")
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
        found = resolver.visit(families.of(self.map.family).banned_types(self.map.rules, node.row))
        return replace(
            moved,
            resolved={**self.resolved, node.id: found.outcome},
            forced=(*self.forced, node.id) if found.forced else self.forced,
            unknowns=resolver.save(),
        )

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

    def client_view(self) -> Map:
        """What the players' programs may know: the public half of the map joined with the way, what the nodes entered
        held, and what their Unknowns became (M14)."""
        return public_view(self.map, entered=self.visited, resolved=self.resolved, on_the_way=True)

    def differences(self) -> list[str]:
        """How the map differs from the one its notation gives today, in words: by edits or changed content."""
        return differences(self.map)

    def save(self) -> dict[str, Any]:
        """Everything needed to go on later, whatever becomes of the content: the map itself, the way, the Unknowns."""
        return {
            "format": FORMAT,
            "map": json_format.to_dict(self.map),
            "players": list(self.players),
            "host": self.host,
            "visited": list(self.visited),
            "resolved": {str(node): outcome for node, outcome in self.resolved.items()},
            "forced": list(self.forced),
            "unknowns": dict(self.unknowns) if self.unknowns is not None else None,
        }

    @classmethod
    def load(cls, data: Any, where: str = "save") -> Journey:
        """The journey as it was saved, or a ReplayError with every fault.

        The way is walked again, and whatever the file says of it must come out of that.
        """
        reader = _Reader(where)
        journey = reader.read(data)
        if reader.faults or journey is None:
            raise ReplayError(f"{where}: not a saved journey: {len(reader.faults)} fault(s)", reader.faults)
        return journey


def read_journey(source: str | Path) -> Journey:
    """The journey of a save file; or the start of one, on the map of a file or a notation.

    >>> read_journey("voyage:guide:42").visited
    ()
    """
    text = str(source)
    if is_notation(text) and not Path(text).exists():
        return Journey(read(text))
    data = json_format.read_data(text)
    if isinstance(data, dict) and str(data.get("format")).startswith("cartomancer.journey/"):
        return Journey.load(data, text)
    return Journey(json_format.from_dict(data, text))


@dataclass
class _Reader:
    """Reads a save: first what each field holds, then whether the way gives what the file says."""

    where: str
    faults: list[Fault] = field(default_factory=list)

    def fault(self, name: str, value: Any, problem: str, expected: str = "") -> None:
        self.faults.append(Fault(name, value, problem, expected, self.where))

    def within(self, name: str, error: CartomancerError) -> None:
        """Take over what is wrong inside a field."""
        found = error.faults if isinstance(error, FaultyError) else ()
        self.faults += [replace(fault, field=f"{name}.{fault.field}", where=self.where) for fault in found]
        if not found:
            self.fault(name, None, f"cannot be read: {error}")

    def read(self, data: Any) -> Journey | None:
        if not isinstance(data, dict):
            self.fault("file", data, "is not a JSON object", "an object with format, map, visited, …")
            return None
        if data.get("format") not in (FORMAT, BY_NOTATION):
            self.fault("format", data.get("format"), "is not a format this version reads", FORMAT)
        drawn = self.map(data.get("map"))
        players, host = self.players(data.get("players"), data.get("host"))
        visited = self.ids("visited", data.get("visited"))
        resolved = self.resolved(data.get("resolved"))
        guess = "forced" not in data and data.get("format") == BY_NOTATION
        forced = () if guess else self.ids("forced", data.get("forced"))
        resolver = self.resolver(data.get("unknowns"))
        if self.faults or drawn is None:
            return None
        journey = Journey(drawn, players, host)
        for step, choice in enumerate(visited):
            try:
                journey = self.entered(journey, choice, resolved, forced, guess=guess)
            except SelectionError as error:
                self.fault(f"visited[{step}]", choice, f"is no way: {error}")
                return None
        self.compare(journey, resolved, () if guess else forced)
        return self.with_unknowns(journey, resolver)

    def map(self, found: Any) -> Map | None:
        try:
            drawn = read(found) if isinstance(found, str) else json_format.from_dict(found, self.where)
            drawn.refuse_public("walked")
            return drawn
        except CartomancerError as error:
            self.within("map", error)
            return None

    def players(self, names: Any, host: Any) -> tuple[tuple[str, ...], str]:
        good = isinstance(names, list) and all(isinstance(name, str) and name for name in names)
        if not good or not names or len(set(names)) < len(names):
            self.fault("players", names, "is not a list of players", "at least one name, each of them once")
            return (), ""
        if host not in names:
            self.fault("host", host, "is not one of the players", ", ".join(names))
        return tuple(names), str(host)

    def ids(self, name: str, found: Any) -> tuple[int, ...]:
        if not isinstance(found, list) or not all(type(node) is int for node in found):
            self.fault(name, found, "is not a list of nodes", "ids of nodes, in the order they were entered")
            return ()
        return tuple(found)

    def resolved(self, found: Any) -> dict[int, str]:
        if not isinstance(found, dict):
            self.fault(
                "resolved", found, "is not a table of Unknowns", 'what each became by its id, such as {"7": "shop"}'
            )
            return {}
        outcomes = {}
        for node, outcome in found.items():
            if not (isinstance(node, str) and node.isascii() and node.isdecimal() and len(node) < 12):
                self.fault(f"resolved.{node}", outcome, "does not belong to a node", "the id of a node")
            elif outcome not in OUTCOMES:
                self.fault(f"resolved.{node}", outcome, "is not what an Unknown can become", ", ".join(OUTCOMES))
            else:
                outcomes[int(node)] = outcome
        return outcomes

    def resolver(self, found: Any) -> UnknownResolver | None:
        try:
            return None if found is None else UnknownResolver.load(found)
        except CartomancerError as error:
            self.within("unknowns", error)
            return None

    def entered(
        self, journey: Journey, choice: int, resolved: Mapping[int, str], forced: tuple[int, ...], *, guess: bool
    ) -> Journey:
        """The journey one node further. Where a save does not list what was forced, it is believed."""
        moved = journey.select(journey.host, choice)
        outcome = resolved.get(choice)
        unlike = guess and moved.resolved.get(choice) != outcome
        if choice in moved.resolved and outcome is not None and (choice in forced or unlike):
            return journey.force_next(outcome).select(journey.host, choice)
        return moved

    def compare(self, journey: Journey, resolved: Mapping[int, str], forced: tuple[int, ...]) -> None:
        """Whether the Unknowns on the way became what the file says."""
        for node in {**resolved, **journey.resolved}:
            if resolved.get(node) != journey.resolved.get(node):
                right = journey.resolved.get(node, "nothing: it is no Unknown on the way")
                self.fault(f"resolved.{node}", resolved.get(node), "is not what comes of this map and way", right)
        for node in forced:
            if node not in journey.forced:
                self.fault("forced", node, "is no Unknown on the way", "ids of Unknowns that were entered")

    def with_unknowns(self, journey: Journey, resolver: UnknownResolver | None) -> Journey | None:
        """The journey with what is forced for its next Unknown, if the resolver stands where the way has led it."""
        told = resolver.save() if resolver is not None else None
        if told is not None and told["forced"] is not None:
            try:
                journey = journey.force_next(told["forced"])
            except SelectionError as error:
                self.fault("unknowns", None, f"cannot be: {error}", "null")
                return None
        if told is None or journey.unknowns is None:
            if told != journey.unknowns:
                right = "null" if told is not None else "the resolver with its pity"
                self.fault("unknowns", None, "is not what comes of this map and way", right)
            return journey
        for name, right in journey.unknowns.items():
            if told[name] != right:
                self.fault(f"unknowns.{name}", told[name], "is not what comes of this map and way", str(right))
        return journey
