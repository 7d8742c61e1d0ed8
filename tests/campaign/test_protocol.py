"""The protocol of a run, and the criteria of node selection end to end [Guardian, 8 to 10]."""

from __future__ import annotations

import pytest

from cartomancer import maps
from cartomancer.campaign.expedition import Expedition, explore, explorer
from cartomancer.errors import HostOnlyError, IllegalActionError, PublicMapError, SelectionError, UnknownNameError
from tests.campaign.conftest import COMPANY, FAMILIES, drawn


def test_a_lone_first_node_is_entered_by_itself() -> None:
    run = Expedition(drawn("guardian:three_acts", 7), COMPANY)
    assert run.run.journey.visited == (0,)
    assert run.decision is not None
    assert run.decision.kind == "fight"


def test_before_the_first_choice_the_party_stands_nowhere() -> None:
    run = Expedition(drawn("voyage:guide", 7), COMPANY)
    assert run.run.journey.current == -1
    assert run.decision is not None
    assert run.decision.kind == "way"
    assert [option.action for option in run.legal()] == [f"go {node.id}" for node in run.run.journey.map.starts]


def test_only_connected_nodes_can_be_chosen() -> None:
    run = Expedition(drawn("voyage:guide", 7), COMPANY)
    boss = run.run.journey.map.boss.id
    with pytest.raises(IllegalActionError, match=f"'go {boss}' cannot be chosen now"):
        run.apply(f"go {boss}")
    assert run.run.journey.current == -1
    assert run.actions == []


def test_only_the_host_chooses() -> None:
    run = Expedition(drawn("voyage:guide", 7), COMPANY)
    before = run.observe()
    with pytest.raises(HostOnlyError, match="only the host 'host' chooses, not 'guest'"):
        run.apply(run.legal()[0].action, "guest")
    assert run.observe() == before
    run.apply(run.legal()[0].action, "host")
    assert len(run.run.journey.visited) == 1


def test_when_the_host_leaves_another_chooses_and_the_map_stays() -> None:
    map_ = drawn("voyage:guide", 7)
    run = Expedition(maps.Journey(map_, players=("ann", "bob"), host="ann"), COMPANY)
    run.run.journey = run.run.journey.pass_host("bob")
    with pytest.raises(HostOnlyError):
        run.apply(run.legal()[0].action, "ann")
    run.apply(run.legal()[0].action, "bob")
    assert run.run.journey.map == map_


def test_a_node_is_met_with_what_was_rolled_for_it() -> None:
    """Acceptance 10: combats hold basic enemies, elites an elite one, bosses a guardian; entering rolls nothing."""
    map_ = drawn("guardian:three_acts", 3)
    run = Expedition(map_, COMPANY)
    met = run.run.stops[-1]
    run.legal()
    rolled = map_.node(0).details["encounter"]
    assert met.data["meeting"]["enemies"] == [enemy["id"] for enemy in rolled["enemies"]]
    again = Expedition(map_, COMPANY)
    again.legal()
    assert again.run.stops[-1].data["meeting"] == met.data["meeting"]


def test_a_public_map_cannot_be_walked() -> None:
    public = maps.public_view(drawn("voyage:guide", 7))
    with pytest.raises(PublicMapError):
        Expedition(public, COMPANY)


def test_what_is_hidden_stays_hidden() -> None:
    """An observer sees types, edges, positions; neither the seed nor what nodes hold before they are entered (M14)."""
    run = Expedition(drawn("contract:rival_standard", 7), COMPANY)
    seen = maps.to_dict(run.observe()["map"])
    assert seen.get("seed") in (None, "hidden")
    for node in seen["nodes"]:
        assert "trapped" not in node.get("details", {})
        assert "intrusion" not in node.get("details", {})


def test_an_impossible_party_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown party or class 'paladin'"):
        Expedition(drawn("voyage:guide", 7), ["knight", "paladin"])
    with pytest.raises(ValueError, match="1 to 4 members, not 5"):
        Expedition(drawn("voyage:guide", 7), [*COMPANY, "bard"])


def test_a_run_that_is_over_takes_no_choice() -> None:
    run = explore(Expedition(drawn("contract:short", 7), COMPANY), explorer("balanced"))
    assert run.decision is None
    assert run.legal() == []
    with pytest.raises(IllegalActionError, match="the run is over"):
        run.apply("go 0")


def test_a_way_that_no_edge_allows_is_refused_by_the_map_too() -> None:
    run = Expedition(drawn("voyage:guide", 7), COMPANY)
    with pytest.raises(SelectionError):
        run.run.journey.select("host", run.run.journey.map.boss.id)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_same_choices_lead_to_the_same_run(name: str) -> None:
    first = explore(Expedition(drawn(name, 11), COMPANY), explorer("balanced"))
    again = Expedition(drawn(name, 11), COMPANY).play(first.actions)
    assert again.outcome == first.outcome
    assert again.observe() == first.observe()


def test_a_fight_is_the_same_card_by_card_as_settled() -> None:
    """Settling lets the heuristic players of both sides play; whoever plays like them ends where they end."""
    from cartomancer.players import Player

    settled = Expedition(drawn("voyage:guide", 5), COMPANY).play(["go 0", "settle"])
    by_hand = Expedition(drawn("voyage:guide", 5), COMPANY).play(["go 0", "fight"])
    player = Player("heuristic")
    while (fight := by_hand.fight) is not None:
        by_hand.apply(fight.text_of(player.choose(fight)))
    for one in (settled, by_hand):
        one.actions = []
    assert by_hand.run.party == settled.run.party
    assert by_hand.run.gold == settled.run.gold
