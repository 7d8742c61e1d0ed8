"""Telemetry of a map and of the way through it: what QA needs to reproduce a run and its decisions [Voyage P6].

>>> from cartomancer import maps
>>> (told,) = telemetry(maps.Journey(maps.generate("voyage", "guide", seed=42)))
>>> told.seed, told.counts["boss"], told.violations, told.resolves
(42, 1, (), ())
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.codes import STREAM_SKELETON, STREAM_TREASURE, STREAM_TYPES
from cartomancer.maps import families, graphs
from cartomancer.maps.checking import Violation, check
from cartomancer.maps.journey import Journey
from cartomancer.maps.kernel import events
from cartomancer.maps.model import Map, Node
from cartomancer.maps.unknowns import Resolution
from cartomancer.rng import Stream

STREAMS: Final = {"skeleton": STREAM_SKELETON, "types": STREAM_TYPES, "treasure": STREAM_TREASURE}


@dataclass(frozen=True)
class MapTelemetry:
    """What happened while the seed of a map was drawn, what stands on the map, and how its Unknowns resolved."""

    act: int
    notation: str
    seed: int
    streams: dict[str, int]  # where the random streams of the drawing begin
    unknown_seed: int  # of the resolver: that of the run's first map
    counts: dict[str, int]  # nodes by type
    rolled_nodes: int  # nodes that dice typed
    rolls: int
    rerolls: int  # rolls that a ban undid
    narrowed: int  # nodes drawn among what was left after all re-rolls
    searches: int  # neighbourhoods retyped together
    violations: tuple[Violation, ...]
    waivers: tuple[Node, ...]
    resolves: tuple[tuple[Node, Resolution], ...]

    @property
    def reroll_rate(self) -> float:
        """The share of rolls that a ban undid."""
        return self.rerolls / self.rolls if self.rolls else 0.0

    def as_dict(self) -> dict[str, Any]:
        return {
            **vars(self),
            "reroll_rate": self.reroll_rate,
            "violations": [violation.as_dict() for violation in self.violations],
            "waivers": [node.id for node in self.waivers],
            "resolves": [{"node": node.id, "row": node.row, **found.as_dict()} for node, found in self.resolves],
        }


def telemetry(journey: Journey) -> tuple[MapTelemetry, ...]:
    """The telemetry of each act of a journey: the seeds are drawn again with a log, the way is walked again."""
    resolves = list(journey.resolutions())
    seed = journey.ways[0].map.seed
    return tuple(
        _of_map(act, way.map, seed, tuple(entry for entry in resolves if entry[1].act == act))
        for act, way in enumerate(journey.ways, 1)
    )


def _of_map(act: int, drawn: Map, unknown_seed: int, resolves: tuple[tuple[Node, Resolution], ...]) -> MapTelemetry:
    log = graphs.draw_graph(drawn.rules, drawn.seed, logged=True).events.tolist()
    happened = Counter(event for event, *_ in log)
    rolls = [stood for event, _, _, _, stood, _ in log if event == events.EVENT_ROLLED]
    report, counts = check(drawn), Counter(node.type for node in drawn.nodes)
    return MapTelemetry(
        act=act,
        notation=drawn.notation,
        seed=drawn.seed,
        streams={name: Stream(drawn.seed, stream).state for name, stream in STREAMS.items()},
        unknown_seed=unknown_seed,
        counts={kind: counts[kind] for kind in families.of(drawn.family).kinds if counts[kind]},
        rolled_nodes=happened[events.EVENT_WEIGHED],
        rolls=len(rolls),
        rerolls=rolls.count(0),
        narrowed=happened[events.EVENT_NARROWED],
        searches=happened[events.EVENT_SEARCHED],
        violations=report.violations,
        waivers=report.waivers,
        resolves=resolves,
    )
