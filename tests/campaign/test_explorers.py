"""Explorers: each has a character, and none knows what a party does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cartomancer import maps
from cartomancer.campaign.expedition import Expedition, explore, explorer
from cartomancer.errors import CartomancerError, UnknownNameError
from tests.campaign.conftest import COMPANY, drawn, settled


def other_behind(map_: maps.Map) -> maps.Map:
    """The same map to whoever has not entered its nodes: another seed, and every trap where there was none."""
    nodes = [
        replace(node, details={**node.details, "trapped": not node.details["trapped"], "hook": "injury"})
        if "trapped" in node.details
        else node
        for node in map_.nodes
    ]
    return replace(map_, seed=map_.seed + 1, nodes=tuple(nodes))


@pytest.mark.parametrize("name", ["contract:power", "voyage:guide"])
@pytest.mark.parametrize("who", ["careful", "balanced", "greedy", "planner@1"])
def test_nobody_knows_what_nodes_hide(name: str, who: str) -> None:
    one = drawn(name, 5)
    first, second = (explorer(who).weigh(Expedition(map_, COMPANY)) for map_ in (one, other_behind(one)))
    assert first == second


def test_a_box_is_opened_or_left_whatever_is_in_it() -> None:
    for seed in range(30):
        map_ = drawn("contract:power", seed)
        caches = [node for node in map_.nodes if node.type == "cache" and node.row == 2]
        if caches:
            break
    weighed = []
    for behind in (map_, other_behind(map_)):
        expedition = Expedition(behind, COMPANY)
        start = next(node for node in map_.starts if caches[0].id in map_.onward[node.id])
        expedition.run.journey = expedition.run.journey.select("host", start.id)
        expedition._options = None
        expedition.apply(f"go {caches[0].id}")
        weighed.append(explorer("planner@1").weigh(expedition))
    assert weighed[0] == weighed[1]


def test_the_fearful_meet_fewer_elites_than_the_greedy() -> None:
    """On voyages, where one chooses: over the same maps."""
    met = {}
    for who in ("careful", "greedy"):
        runs = [explore(Expedition(drawn("voyage:guide", seed), COMPANY), explorer(who)) for seed in range(12)]
        met[who] = sum(
            run.run.journey.map.node(node).type == "elite" for run in runs for node in run.run.journey.visited
        )
    assert met["careful"] < met["greedy"]


def test_a_badly_hurt_party_rests_and_a_healthy_one_trains() -> None:
    expedition = settled(Expedition(drawn("voyage:guide", 3), COMPANY).play(["go 0"]))
    run = expedition.run
    run.stops = []
    run.push("rest")
    expedition._options = None
    for member in run.party.members:
        member.vitality = 1
    assert explorer("balanced").weigh(expedition)[0].option.action == "heal"
    for seat, member in enumerate(run.party.members):
        member.vitality = run.party.most_vitality(run.codex, seat)
    assert explorer("balanced").weigh(expedition)[0].option.action == "train"


def test_a_planner_beats_whoever_goes_at_random() -> None:
    won = {}
    for who in ("planner@2", "random"):
        runs = [explore(Expedition(drawn("contract:short", seed), COMPANY), explorer(who)) for seed in range(8)]
        won[who] = sum(run.run.ending == "victory" for run in runs)
    assert won["planner@2"] >= won["random"]


def test_misspelt_explorers_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown explorer 'bold'"):
        explorer("bold")
    with pytest.raises(CartomancerError, match="1 to 1000 rollouts"):
        explorer("planner@0")
