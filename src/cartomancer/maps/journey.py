"""A party on its way through one map or several acts: who decides, what Unknowns became, saves [Guardian: core rules].

>>> from cartomancer import maps
>>> journey = maps.Journey(maps.generate("guardian", "slice", seed=7)).select("host", 0)
>>> maps.Journey.load(journey.save()) == journey
True
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from cartomancer.errors import CartomancerError, Fault, FaultyError, HostOnlyError, ReplayError, SelectionError
from cartomancer.maps import families, graphs, json_format
from cartomancer.maps.generation import generate_from
from cartomancer.maps.model import Map, Node
from cartomancer.maps.notation import differences, is_notation, read
from cartomancer.maps.public import public_view
from cartomancer.maps.unknowns import MAP_TYPES, OUTCOMES, Resolution, UnknownResolver
from cartomancer.maps.ways import START, available, select
from cartomancer.rng import seed_from

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
    part: str = ""  # the act that is read, as it stands before its fields: "earlier[0]."

    def fault(self, name: str, value: Any, problem: str, expected: str = "") -> None:
        self.faults.append(Fault(self.part + name, value, problem, expected, self.where))

    def within(self, name: str, error: CartomancerError) -> None:
        """Take over what is wrong inside a field."""
        found = error.faults if isinstance(error, FaultyError) else ()
        self.faults += [replace(fault, field=f"{self.part}{name}.{fault.field}", where=self.where) for fault in found]
        if not found:
            self.fault(name, None, f"cannot be read: {error}")

    def read(self, data: Any) -> Journey | None:
        if not isinstance(data, dict):
            self.fault("file", data, "is not a JSON object", "an object with format, map, visited, …")
            return None
        form = data.get("format")
        if form not in (FORMAT, OF_ONE_ACT, BY_NOTATION):
            self.fault("format", form, "is not a format this version reads", FORMAT)
        players, host = self.players(data.get("players"), data.get("host"))
        resolver = self.resolver(data.get("unknowns"))
        guess = "forced" not in data and form == BY_NOTATION
        earlier = data.get("earlier") if form == FORMAT else []
        if not isinstance(earlier, list) or not all(isinstance(act, dict) for act in earlier):
            self.fault("earlier", earlier, "is not a list of acts", "a map, visited, resolved and forced for each")
            earlier = []
        acts = {**{f"earlier[{number}].": act for number, act in enumerate(earlier)}, "": data}
        ways = {part: way for part, act in acts.items() if (way := self.way(part, act, guess=guess))}
        if self.faults:
            return None
        journey: Journey | None = None
        for part, way in ways.items():
            self.part = part
            try:
                journey = Journey(way.map, players, host) if journey is None else journey.next_act(way.map)
            except SelectionError as error:
                self.fault("map", None, f"does not follow: {error}")
                return None
            journey = self.walked(journey, way, guess=guess)
            if journey is None:
                return None
        return self.with_unknowns(journey, resolver) if journey else None

    def way(self, part: str, data: dict[str, Any], *, guess: bool) -> Way | None:
        """What the file says of one act."""
        self.part = part
        drawn = self.map(data.get("map"))
        visited = self.ids("visited", data.get("visited"))
        resolved = self.resolved(data.get("resolved"))
        forced = () if guess else self.ids("forced", data.get("forced"))
        self.part = ""
        return Way(drawn, visited, resolved, forced) if drawn else None

    def walked(self, journey: Journey, way: Way, *, guess: bool) -> Journey | None:
        """The journey at the end of the act's way, which is walked again."""
        for step, choice in enumerate(way.visited):
            try:
                journey = self.entered(journey, choice, way.resolved, way.forced, guess=guess)
            except SelectionError as error:
                self.fault(f"visited[{step}]", choice, f"is no way: {error}")
                return None
        self.compare(journey, way.resolved, way.forced)
        return journey

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
