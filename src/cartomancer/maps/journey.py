"""A party on its way through one map or several acts: who decides, what Unknowns became, saves [Guardian: core rules].

>>> from cartomancer import maps
>>> journey = maps.Journey(maps.generate("guardian", "slice", seed=7)).select("host", 0)
>>> maps.Journey.load(journey.save()) == journey
True
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from cartomancer.errors import CartomancerError, Fault, HostOnlyError, ReplayError, SelectionError
from cartomancer.maps import families, graphs, json_format
from cartomancer.maps.generation import generate_from
from cartomancer.maps.model import Map, Node
from cartomancer.maps.notation import differences, is_notation, read
from cartomancer.maps.public import public_view
from cartomancer.maps.unknowns import MAP_TYPES, OUTCOMES, Resolution, UnknownResolver
from cartomancer.maps.ways import START, available, select
from cartomancer.rng import seed_from

Found = TypeVar("Found")

FORMAT: Final = "cartomancer.journey/3"
OF_ONE_ACT: Final = "cartomancer.journey/2"  # read, no longer written: it knows no `earlier` acts
BY_NOTATION: Final = "cartomancer.journey/1"  # likewise: its map is a notation, and it lists no `forced`


@dataclass(frozen=True)
class Way:
    """The way through the map of one act."""

    map: Map
    visited: tuple[int, ...]
    resolved: Mapping[int, str]
    forced: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "map": json_format.to_dict(self.map),
            "visited": list(self.visited),
            "resolved": {str(node): outcome for node, outcome in self.resolved.items()},
            "forced": list(self.forced),
        }


@dataclass(frozen=True)
class Journey:
    """A party on its way through a map: the server's whole state of a run on it.

    Unknowns resolve as they are entered, and their pity travels along (M5), into further acts if the rules say so
    (M31). A public half cannot be walked: what its Unknowns become is the server's to say (M14); `client_view` is what
    it may tell.
    """

    map: Map
    players: tuple[str, ...] = ("host",)
    host: str = "host"
    visited: tuple[int, ...] = ()
    resolved: Mapping[int, str] = field(default_factory=dict)  # Unknown nodes entered → what they turned out to be
    forced: tuple[int, ...] = ()  # those of them that a debug command decided
    unknowns: Mapping[str, Any] | None = None  # the saved resolver; none before the first Unknown
    earlier: tuple[Way, ...] = ()  # the acts that are over

    def __post_init__(self) -> None:
        self.map.refuse_public("walked")
        if self.host not in self.players:
            raise SelectionError(f"host '{self.host}' is not one of the players: {', '.join(self.players)}")

    @property
    def act(self) -> int:
        """The number of the act the party is in."""
        return len(self.earlier) + 1

    @property
    def ways(self) -> tuple[Way, ...]:
        """The way through each act so far."""
        return (*self.earlier, Way(self.map, self.visited, self.resolved, self.forced))

    @property
    def current(self) -> int:
        """Where the party stands: a node id, or −1 before the first choice."""
        return self.visited[-1] if self.visited else START

    @property
    def over(self) -> bool:
        """Whether the last node of the map has been entered."""
        return not self.available()

    def available(self) -> list[Node]:
        """The nodes the host may choose from."""
        return available(self.map, self.current)

    def select(self, player: str, choice: int) -> Journey:
        """The journey after the host's choice; anybody else is refused. An Unknown resolves at once."""
        if player != self.host:
            raise HostOnlyError(f"only the host '{self.host}' selects the next node, not '{player}'")
        return self._entered(choice)[0]

    def _entered(self, choice: int) -> tuple[Journey, Resolution | None]:
        """The journey in the next node, and how it resolved if it is an Unknown."""
        node = select(self.map, self.current, choice)
        moved = replace(self, visited=(*self.visited, node.id))
        if node.type != "unknown":
            return moved, None
        resolver, family = self._resolver(), families.of(self.map.family)
        beside = () if resolver.rules.ignore_adjacency else self._types_beside(node)
        found = resolver.visit(family.banned_types(self.map.rules, node.row), beside)
        resolved = replace(
            moved,
            resolved={**self.resolved, node.id: found.outcome},
            forced=(*self.forced, node.id) if found.forced else self.forced,
            unknowns=resolver.save(),
        )
        return resolved, found

    def _types_beside(self, node: Node) -> Collection[str]:
        """What a node may not be because of its neighbours; Unknowns that were entered are what they became (M30)."""
        draft = graphs.graph_of(self.map)
        for entered, outcome in self.resolved.items():
            place = self.map.node(entered)
            draft.set_type(place.row, place.column, MAP_TYPES[OUTCOMES.index(outcome)])
        return families.of(self.map.family).types_beside(draft, node.row, node.column)

    def _resolver(self) -> UnknownResolver:
        rules = families.of(self.map.family).unknown_rules(self.map.rules)
        if rules is None:
            raise SelectionError(f"{self.map.family} maps have no Unknowns")
        if self.unknowns:
            return UnknownResolver.load(dict(self.unknowns))
        resolver = UnknownResolver(self.ways[0].map.seed, rules)
        resolver.enter_act(self.act)
        return resolver

    def next_act(self, drawn: Map | None = None) -> Journey:
        """The journey before the first choice of its next act, once the boss has been entered (M31).

        Its map is drawn by the same rules, from the text seed "SEED act NUMBER" of the run's seed; or it is given, then
        its own rules count. One resolver goes on through all acts: `pity_scope` says whether pity does.
        """
        if families.of(self.map.family).unknown_rules(self.map.rules) is None:
            raise SelectionError(f"a run on a {self.map.family} map is over with it: only voyages go on through acts")
        if not self.over:
            raise SelectionError(f"act {self.act} is not over: its boss, {self.map.boss.place}, has not been entered")
        if drawn is None:
            seed = seed_from(f"{self.ways[0].map.seed} act {self.act + 1}")
            drawn = generate_from(self.map.rules, self.map.preset, seed)
        if drawn.family != self.map.family:
            raise SelectionError(f"no act on a {drawn.family} map follows one on a {self.map.family} map")
        moved = replace(self, map=drawn, visited=(), resolved={}, forced=(), earlier=self.ways)
        if self.unknowns is None:
            return moved
        resolver = self._resolver()
        resolver.enter_act(moved.act, families.of(drawn.family).unknown_rules(drawn.rules))
        return replace(moved, unknowns=resolver.save())

    def resolutions(self) -> Iterator[tuple[Node, Resolution]]:
        """Every Unknown that was entered, act by act, with all that decided it: the way is walked again."""
        journey = Journey(self.ways[0].map)
        for number, way in enumerate(self.ways):
            journey = journey.next_act(way.map) if number else journey
            for node in way.visited:
                if node in way.forced:
                    journey = journey.force_next(way.resolved[node])
                journey, found = journey._entered(node)
                if found is not None:
                    yield way.map.node(node), found

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
        """Everything needed to go on later, whatever becomes of the content: maps, ways, the Unknowns."""
        return {
            "format": FORMAT,
            "players": list(self.players),
            "host": self.host,
            **self.ways[-1].as_dict(),
            "unknowns": dict(self.unknowns) if self.unknowns is not None else None,
            "earlier": [way.as_dict() for way in self.earlier],
        }

    @classmethod
    def load(cls, data: Any, where: str = "save") -> Journey:
        """The journey as it was saved, or a ReplayError with every fault.

        The way is walked again, and whatever the file says of it must come out of that.
        """
        return _Reader(where).journey(data)


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
    part: str = ""  # the act that is read, as it stands before its fields: "earlier[0]."
    guess: bool = False  # whether the save does not list what was forced: then it is believed

    def fault(self, name: str, value: Any, problem: str, expected: str = "") -> None:
        self.faults.append(Fault(self.part + name, value, problem, expected, self.where))

    def refuse(self) -> NoReturn:
        """Raises for all faults so far."""
        raise ReplayError(f"{self.where}: not a saved journey: {len(self.faults)} fault(s)", self.faults) from None

    @contextmanager
    def possible(self, name: str, value: Any, problem: str, expected: str = "") -> Iterator[None]:
        """A step that what a field says asks for: without it there is nothing to go on with."""
        try:
            yield
        except SelectionError as error:
            self.fault(name, value, f"{problem}: {error}", expected)
            self.refuse()

    def tried(self, name: str, read: Callable[[Any], Found], found: Any) -> Found | None:
        """What is read of a field; what is wrong inside it is taken over."""
        try:
            return read(found)
        except CartomancerError as error:
            if not error.faults:
                self.fault(name, None, f"cannot be read: {error}")
            inside = f"{self.part}{name}."
            self.faults += [replace(fault, field=inside + fault.field, where=self.where) for fault in error.faults]
            return None

    def journey(self, data: Any) -> Journey:
        if not isinstance(data, dict):
            self.fault("file", data, "is not a JSON object", "an object with format, map, visited, …")
            self.refuse()
        form = data.get("format")
        if form not in (FORMAT, OF_ONE_ACT, BY_NOTATION):
            self.fault("format", form, "is not a format this version reads", FORMAT)
        players, host = self.players(data.get("players"), data.get("host"))
        unknowns = data.get("unknowns")
        resolver = None if unknowns is None else self.tried("unknowns", UnknownResolver.load, unknowns)
        self.guess = "forced" not in data and form == BY_NOTATION
        earlier = data.get("earlier") if form == FORMAT else []
        if not isinstance(earlier, list) or not all(isinstance(act, dict) for act in earlier):
            self.fault("earlier", earlier, "is not a list of acts", "a map, visited, resolved and forced for each")
            earlier = []
        acts = {**{f"earlier[{number}].": act for number, act in enumerate(earlier)}, "": data}
        ways: dict[str, Way] = {}
        for self.part, act in acts.items():
            if way := self.way(act):
                ways[self.part] = way
        if self.faults:
            self.refuse()
        journey: Journey | None = None
        for self.part, way in ways.items():
            with self.possible("map", None, "does not follow"):
                journey = journey.next_act(way.map) if journey else Journey(way.map, players, host)
            journey = self.walked(journey, way)
            self.compare(journey, way)
        assert journey is not None
        journey = self.with_unknowns(journey, resolver.save() if resolver else None)
        if self.faults:
            self.refuse()
        return journey

    def way(self, data: dict[str, Any]) -> Way | None:
        """What the file says of one act."""
        drawn = self.tried("map", self.map, data.get("map"))
        visited = self.ids("visited", data.get("visited"))
        resolved = self.resolved(data.get("resolved"))
        forced = () if self.guess else self.ids("forced", data.get("forced"))
        return Way(drawn, visited, resolved, forced) if drawn else None

    def map(self, found: Any) -> Map:
        drawn = read(found) if isinstance(found, str) else json_format.from_dict(found, self.where)
        drawn.refuse_public("walked")
        return drawn

    def walked(self, journey: Journey, way: Way) -> Journey:
        """The journey at the end of the act's way, which is walked again."""
        for step, choice in enumerate(way.visited):
            with self.possible(f"visited[{step}]", choice, "is no way"):
                moved, outcome = journey.select(journey.host, choice), way.resolved.get(choice)
                believed = choice in way.forced or (self.guess and moved.resolved.get(choice) != outcome)
                if believed and choice in moved.resolved and outcome is not None:
                    moved = journey.force_next(outcome).select(journey.host, choice)
            journey = moved
        return journey

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

    def compare(self, journey: Journey, way: Way) -> None:
        """Whether the Unknowns on the way became what the file says."""
        for node in {**way.resolved, **journey.resolved}:
            if way.resolved.get(node) != journey.resolved.get(node):
                right = journey.resolved.get(node, "nothing: it is no Unknown on the way")
                self.fault(f"resolved.{node}", way.resolved.get(node), "is not what comes of this map and way", right)
        for node in way.forced:
            if node not in journey.forced:
                self.fault("forced", node, "is no Unknown on the way", "ids of Unknowns that were entered")

    def with_unknowns(self, journey: Journey, told: Mapping[str, Any] | None) -> Journey:
        """The journey with what is forced for its next Unknown, if the resolver stands where the way has led it."""
        if told and told["forced"] is not None:
            with self.possible("unknowns", None, "cannot be", "null"):
                journey = journey.force_next(told["forced"])
        if told is None or journey.unknowns is None:
            if told != journey.unknowns:
                right = "null" if told is not None else "the resolver with its pity"
                self.fault("unknowns", None, "is not what comes of this map and way", right)
            return journey
        for name, right in journey.unknowns.items():
            if told[name] != right:
                self.fault(f"unknowns.{name}", told[name], "is not what comes of this map and way", str(right))
        return journey
