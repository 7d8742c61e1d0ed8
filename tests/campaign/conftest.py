"""Runs to start from: short ones on real maps, and runs put down on a node of a given kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartomancer import maps
from cartomancer.campaign.expedition import Expedition
from cartomancer.campaign.expedition.run import Run

COMPANY = ["knight", "battlemage", "cleric", "rogue"]
FAMILIES = ("voyage:guide", "contract:rival_standard", "guardian:three_acts")
AtNode = Callable[..., Expedition]


def drawn(name: str, seed: int) -> maps.Map:
    """The map of a preset."""
    family, preset = name.split(":")
    return maps.generate(family, preset, seed)


def way_to(map_: maps.Map, node: int) -> list[int]:
    """Nodes from the first row to this one."""
    way = [node]
    while map_.back[way[0]]:
        way.insert(0, map_.back[way[0]][0])
    return way


def settled(expedition: Expedition) -> Expedition:
    """Answer whatever is asked, one way or another, until the way goes on or the run is over."""
    while expedition.decision is not None and expedition.decision.kind != "way":
        options = [option.action for option in expedition.legal()]
        for last in ("settle", "leave", "skip", "home"):
            if last in options:
                expedition.apply(last)
                break
        else:
            expedition.apply(options[0])
    return expedition


@pytest.fixture
def at_node() -> AtNode:
    """A run whose party has just entered a node of this kind."""

    def put(kind: str, name: str = "voyage:guide", seed: int = 0, party: list[str] | str = COMPANY) -> Expedition:
        for offset in range(60):
            map_ = drawn(name, seed + offset)
            found = [node for node in map_.nodes if node.type == kind]
            if found:
                expedition = Expedition(map_, party)
                expedition.run.stops = []
                for node in way_to(map_, found[0].id)[len(expedition.run.journey.visited) : -1]:
                    expedition.run.journey = expedition.run.journey.select("host", node)
                expedition._options = None
                expedition.apply(f"go {found[0].id}")
                return expedition
        raise AssertionError(f"no {kind} on sixty maps of {name}")

    return put


def strong(run: Run) -> Run:
    """A party that hardly anything can fell."""
    for member in run.party.members:
        member.vitality = 40
    run.party.resolve = run.party.nerve = 60
    return run
