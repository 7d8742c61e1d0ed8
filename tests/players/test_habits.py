"""Simple players: what they never do and what they always do, in whole games; in everything else they are heuristic."""

from __future__ import annotations

from collections import Counter

import pytest

from cartomancer.encounters.actions import split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import card_of
from cartomancer.encounters.names import CATEGORIES
from cartomancer.players.policies import KINDS, SIMPLE
from tests.players.positions import players_of

GAMES = (("boar", 3), ("standard-company", 5), ("symbiote", 7), ("company-gauntlet", 9))
Verbs = Counter[tuple[int, str]]  # what a player did, with a card of which category


def done_by(kind: str, side: str, games: tuple[tuple[str, int], ...] = GAMES) -> tuple[Verbs, Verbs]:
    """What a simple player did in some games, and what it could have done."""
    done, possible = Verbs(), Verbs()
    for scenario, seed in games:
        fight = Encounter(scenario, seed)
        players = players_of(fight, **{side: kind})
        while (decision := fight.decision) is not None:
            action = players.choose(fight)
            if decision.side == side:
                done[_deed(fight, action)] += 1
                possible.update({_deed(fight, option) for option in fight.legal()})
            fight.apply(action)
    return done, possible


def _deed(fight: Encounter, action: int) -> tuple[int, str]:
    verb, instance = split(action)
    if verb not in {codes.PLAY, codes.ANSWER}:
        return verb, ""
    card = card_of(fight.packed.tables, fight.state, int(fight.state["actor"]), instance)
    return verb, CATEGORIES[int(card["category"])]


def played(done: Verbs) -> set[str]:
    return {category for (verb, category), count in done.items() if category and count}


@pytest.mark.parametrize("side", ["dungeon", "visitor"])
@pytest.mark.parametrize("kind", ["never-strike", "strike-only", "turtle"])
def test_some_players_play_some_categories_only(kind: str, side: str) -> None:
    done, possible = done_by(kind, side)
    assert played(done) <= set(KINDS[kind].played)
    assert played(possible) - set(KINDS[kind].played), "nothing else could have been played"
    assert len(played(done)) > 1


@pytest.mark.parametrize("side", ["dungeon", "visitor"])
def test_who_passes_plays_nothing(side: str) -> None:
    done, possible = done_by("pass", side)
    assert not played(done)
    assert len(played(possible)) > 5
    assert not done[int(codes.ACTIVATE), ""]


def test_who_dumps_ends_no_turn_with_a_card_it_could_play() -> None:
    fight = Encounter("standard-company", 7)
    players = players_of(fight, visitor="dump")
    ended = 0
    while (decision := fight.decision) is not None:
        action = players.choose(fight)
        if decision.side == "visitor" and split(action)[0] == codes.END_TURN:
            assert not any(split(option)[0] == codes.PLAY for option in fight.legal())
            ended += 1
        fight.apply(action)
    assert ended > 3


def test_who_flees_leaves_as_soon_as_it_may() -> None:
    fight = Encounter("company-gauntlet", 9)
    players = players_of(fight, visitor="flee")
    while (decision := fight.decision) is not None:
        may = decision.side == "visitor" and "retreat" in fight.legal_texts()
        action = players.choose(fight)
        assert (fight.text_of(action) == "retreat") is may
        fight.apply(action)
    assert fight.outcome is not None
    assert fight.outcome.kind == "fled"


@pytest.mark.parametrize(
    ("kind", "verb", "other"),
    [
        ("mulligan", codes.MULLIGAN, codes.KEEP),
        ("cooperate", codes.COOPERATE, codes.DEFECT),
        ("defect", codes.DEFECT, codes.COOPERATE),
        ("accept", codes.ACCEPT, codes.REFUSE),
        ("refuse", codes.REFUSE, codes.ACCEPT),
    ],
)
def test_who_has_a_habit_keeps_it(kind: str, verb: int, other: int) -> None:
    """Unless there is nothing else: a hand that was dealt again often enough is kept."""
    games = tuple((scenario, seed) for scenario in ("symbiote", "nurturing-company") for seed in range(6))
    done, possible = done_by(kind, "visitor", games)
    assert done[int(verb), ""] == possible[int(verb), ""] > 0
    assert possible[int(other), ""] >= done[int(verb), ""]


def test_every_simple_player_is_tried_here() -> None:
    assert set(SIMPLE) == {
        *("never-strike", "strike-only", "turtle", "pass", "dump", "flee"),
        *("mulligan", "cooperate", "defect", "accept", "refuse"),
    }


@pytest.mark.parametrize("kind", ["mulligan", "flee"])
def test_where_its_habit_is_not_asked_for_a_simple_player_is_heuristic(kind: str) -> None:
    fight, same = Encounter("boar", 11), 0
    simple, heuristic = players_of(fight, visitor=kind), players_of(fight)
    while (decision := fight.decision) is not None:
        action = simple.choose(fight)
        if decision.kind != "mulligan":
            assert action == heuristic.choose(fight)
            same += decision.side == "visitor"
        fight.apply(action)
    assert same > 10
