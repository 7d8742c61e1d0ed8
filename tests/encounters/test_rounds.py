"""The round, its win checks, pressure and pace; how rooms and runs end [GDD 3.4, 5.1–5.4], E7, E8, E15–E21, E44."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter, winner_of
from cartomancer.encounters.kernel import codes
from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, card, strike

NO_RALLY = {"rally": 0}
REDUCERS = (*names.RESOURCES[0], *names.RESOURCES[1])
ROOT_HOLLOW = [
    {"resource": "vitality", "change": -1},
    {"resource": "nerve", "change": -1, "every": 2},
    {"resource": "structure", "change": -1, "every": 2},
]


def kinds_since(arena: Arena, start: int, wanted: tuple[str, ...]) -> list[str]:
    return [event.kind for event in arena.events[start:] if event.kind in wanted]


def first(arena: Arena, side: str) -> None:
    """This side acts first from the next round on."""
    arena.side(side)["initiative"] = 12
    arena.side("dungeon" if side == "visitor" else "visitor")["initiative"] = 2


# --- the sequence ----------------------------------------------------------------------------------------------------


def test_a_round_has_nine_steps_in_order() -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -1}])
    first(arena, "visitor")
    arena.state["round_no"] = 8
    arena.side("visitor")["erode"][0] = 1
    arena.side("dungeon")["energy"] = 0
    arena.end_round()
    start = max(k for k, event in enumerate(arena.events) if event.kind == "round_began")
    hand = [int(arena.side(side)["hand_size"]) for side in names.SIDES]
    arena.end_round()
    steps = (
        "round_began",
        "auto_effect",  # 1
        "eroded",  # 2
        "escalated",  # 3, then the win check, 4
        "turn_began",  # 5
        "turn_ended",  # 6: the check
        "turn_began",  # 7
        "turn_ended",  # 8: the check
        "drew",  # 9
        "drew",
        "round_began",
    )
    found = [event for event in arena.events[start:] if event.kind in steps]
    assert [event.kind for event in found[: len(steps)]] == list(steps)
    assert [event.side for event in found if event.kind == "turn_began"][:2] == ["visitor", "dungeon"]
    assert [int(arena.side(side)["hand_size"]) for side in names.SIDES] == [min(10, size + 2) for size in hand]


def test_auto_effects_come_before_erode_and_erode_before_escalation() -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -2}])
    arena.state["round_no"] = 8
    arena.side("visitor")["erode"][1] = 3
    arena.end_round()
    start = max(k for k, event in enumerate(arena.events) if event.kind == "round_began")
    lost = [(e.reducer, e.points) for e in arena.events[start:] if e.kind == "hurt" and e.side == "visitor"]
    assert lost == [("nerve", 2), ("resolve", 3), ("vitality", 1)]


@pytest.mark.parametrize(
    ("dungeon", "visitor", "leads"), [(8, 7, "dungeon"), (7, 8, "visitor"), (7, 7, "visitor"), (2, 12, "visitor")]
)
def test_initiative_decides_who_acts_first_and_the_visitor_wins_ties(dungeon: int, visitor: int, leads: str) -> None:
    arena = Arena()
    arena.side("dungeon")["initiative"], arena.side("visitor")["initiative"] = dungeon, visitor
    for _ in range(2):
        arena.end_round()
        decision = arena.encounter.decision
        assert decision is not None
        assert decision.side == leads
        arena.act("end")
        assert arena.encounter.decision is not None
        assert arena.encounter.decision.side != leads


def test_initiative_is_a_roll_of_two_dice_for_each_side() -> None:
    packed = Arena().encounter.packed
    rolls: list[int] = []
    for seed in range(400):
        fight = Encounter(packed, seed)
        event = next(event for event in fight.opening if event.kind == "initiative")
        assert [event.dungeon_roll, event.visitor_roll] == [
            int(fight.state["sides"][side]["initiative"]) for side in (0, 1)
        ]
        rolls += [event.dungeon_roll, event.visitor_roll]
    assert set(rolls) == set(range(2, 13))
    assert abs(sum(rolls) / 800 - 7) < 0.26  # three standard deviations


def test_initiative_is_rolled_once_a_room() -> None:
    arena = Arena(rooms=[{"room": "one", "round_limit": 3}, {"room": "two"}])
    while arena.encounter.room == "one":
        arena.act("end")
    arena.settle()
    arena.end_round()
    assert len(arena.happened("initiative")) == 2


# --- auto-effects ----------------------------------------------------------------------------------------------------


def test_root_hollow_presses_every_round_and_every_other_round_on_both_sides() -> None:
    arena = Arena(auto=ROOT_HOLLOW)
    lost = []
    for _ in range(6):
        lost.append(tuple(20 - arena.reducer(name) for name in ("vitality", "nerve", "structure")))
        arena.end_round()
    assert lost == [(1, 0, 0), (2, 1, 1), (3, 1, 1), (4, 2, 2), (5, 2, 2), (6, 3, 3)]


def test_an_interval_acts_in_the_rounds_it_divides() -> None:
    arena = Arena(auto=[{"resource": "veil", "change": -1, "every": 3}])
    lost = []
    for _ in range(7):
        lost.append(20 - arena.reducer("veil"))
        arena.end_round()
    assert lost == [0, 0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize("resource", REDUCERS)
def test_positive_auto_effects_heal_up_to_the_start(resource: str) -> None:
    arena = Arena(auto=[{"resource": resource, "change": 2}])
    arena.set(**{resource: 17})
    points = []
    for _ in range(3):
        arena.end_round()
        points.append(arena.reducer(resource))
    assert points == [19, 20, 20]


@pytest.mark.parametrize(("percent", "veil", "lost"), [(50, 10, 1), (50, 9, 0), (0, 1, 1), (100, 19, 0), (100, 20, 1)])
def test_pressure_pauses_while_its_source_is_low(percent: int, veil: int, lost: int) -> None:
    """Resolve is pressed by the dungeon's reducer of the same place: its veil."""
    pressure = [{"resource": "resolve", "change": -1}]
    arena = Arena(auto=pressure, rules={"source_percent": percent})
    arena.set(veil=veil, structure=1, presence=1, resolve=20)  # the other two do not matter
    arena.end_round()
    assert 20 - arena.reducer("resolve") == lost


def test_pressure_goes_on_once_its_source_has_recovered() -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -1}], rules={"source_percent": 50})
    arena.set(presence=5, nerve=20)
    arena.end_round()
    assert arena.reducer("nerve") == 20
    arena.set(presence=15)
    arena.end_round()
    assert arena.reducer("nerve") == 19


def test_only_pressure_on_the_visitor_has_a_source() -> None:
    effects = [{"resource": "veil", "change": -1}, {"resource": "resolve", "change": 1}]
    arena = Arena(auto=effects, rules={"source_percent": 100})
    arena.set(veil=10, resolve=10)
    arena.end_round()
    assert (arena.reducer("veil"), arena.reducer("resolve")) == (9, 11)


def test_where_pressure_pauses_erode_bites() -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -1}], rules={"source_percent": 50})
    arena.set(presence=5, nerve=20)
    arena.side("visitor")["erode"][2] = 2
    arena.end_round()
    assert arena.reducer("nerve") == 18


# --- escalation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "points"), [(1, 0), (8, 0), (9, 1), (10, 1), (11, 2), (12, 2), (13, 3), (14, 3), (15, 4)]
)
def test_escalation_starts_in_round_nine_and_grows_every_two_rounds(number: int, points: int) -> None:
    arena = Arena()
    arena.state["round_no"] = number - 1
    arena.end_round()
    assert arena.encounter.round == number
    assert [20 - arena.reducer(name) for name in REDUCERS] == [points, 0, 0, points, 0, 0]


@pytest.mark.parametrize(
    ("scope", "lost"),
    [
        (codes.SCOPE_PRIMARY, [2, 0, 0, 2, 0, 0]),
        (codes.SCOPE_WEAKEST, [0, 0, 2, 0, 2, 0]),
        (codes.SCOPE_ALL, [2, 2, 2, 2, 2, 2]),
    ],
    ids=["primary", "weakest", "all"],
)
def test_escalation_hurts_what_its_scope_says_and_by_default_the_primary_reducers(scope: int, lost: list[int]) -> None:
    word = codes.EscalationScope(int(scope)).word
    arena = Arena(rules={"escalation_scope": word})
    points = {"structure": 15, "veil": 15, "presence": 9, "vitality": 15, "resolve": 9, "nerve": 15}
    arena.set(**points)
    arena.state["round_no"] = 10
    arena.end_round()
    assert [points[name] - arena.reducer(name) for name in REDUCERS] == lost
    assert Arena().codex.rules.escalation_scope == "primary"


# --- win checks ------------------------------------------------------------------------------------------------------


def test_the_room_may_end_the_fight_before_anybody_acts() -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -1}])
    arena.set(nerve=1)
    before = len(arena.happened("turn_began"))
    start = arena.encounter.round
    while arena.encounter.round == start and arena.encounter.decision is not None:
        arena.act("end")
    assert (arena.outcome, arena.encounter.round) == ("panic", start + 1)
    assert len(arena.happened("turn_began")) - before <= 1  # the other turn of the round before, none after


@pytest.mark.parametrize(("side", "target", "outcome"), [("visitor", "veil", "inert"), ("dungeon", "nerve", "panic")])
def test_a_fight_won_in_the_first_turn_ends_before_the_second(side: str, target: str, outcome: str) -> None:
    claw = strike("claw", side, target=target)
    arena = Arena(**{side: [claw]})  # type: ignore[arg-type]
    first(arena, side)
    arena.end_round()
    arena.turn(side, hand=["claw"])
    arena.set(**{target: 1})
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.outcome is None
    start = len(arena.events)
    arena.act("end")
    assert arena.outcome == outcome
    assert kinds_since(arena, start, ("turn_began", "drew", "round_began")) == []


def test_a_fight_won_in_the_second_turn_ends_before_cards_are_drawn() -> None:
    arena = Arena(dungeon=[strike("claw", target="nerve")])
    first(arena, "visitor")
    arena.end_round()
    arena.turn("dungeon", hand=["claw"])
    arena.set(nerve=1)
    arena.dice("strong")
    arena.act("strike claw")
    start = len(arena.events)
    arena.act("end")
    assert arena.outcome == "panic"
    assert kinds_since(arena, start, ("drew", "round_began")) == []


def test_a_side_may_play_on_after_a_reducer_is_depleted() -> None:
    arena = Arena(dungeon=[strike("dread", target="nerve"), strike("claw")])
    arena.turn("dungeon", hand=["dread", "claw"])
    arena.set(nerve=1)
    arena.dice("strong", "strong")
    arena.act("strike dread")
    assert (arena.reducer("nerve"), arena.outcome) == (0, None)
    arena.act("strike claw")
    assert (arena.reducer("vitality"), arena.outcome) == (17, None)
    arena.act("end")
    assert arena.outcome == "panic"


def test_what_is_healed_before_the_check_does_not_count() -> None:
    mend = card("reshape", "mend", "dungeon", heal={"resource": "structure", "amount": 1})
    arena = Arena(dungeon=[strike("claw"), mend])
    arena.turn("dungeon", hand=["claw", "mend"])
    arena.set(structure=2)
    arena.dice("stalemate")
    arena.act("strike claw")
    assert arena.reducer("structure") == 0
    arena.act("reshape mend", "end")
    assert (arena.reducer("structure"), arena.outcome) == (1, None)


@pytest.mark.parametrize("base", [0, 2])
def test_a_creature_that_falls_in_its_own_turn_acts_no_more(base: int) -> None:
    salve = card("reshape", "salve", "visitor", heal={"resource": "vitality", "amount": 5})
    arena = Arena(visitor=[strike("tusk", "visitor"), salve], rules={"reversal_base": base})
    arena.turn("visitor", hand=["tusk", "salve"])
    arena.set(vitality=2)
    arena.dice("stalemate")
    start = len(arena.events)
    arena.act("strike tusk")
    assert (arena.outcome, arena.reducer("vitality")) == ("kill", 0)
    assert kinds_since(arena, start, ("turn_ended", "turn_began", "room_ended")) == ["turn_ended", "room_ended"]


def test_a_creature_that_falls_together_with_the_wall_has_overcome_it() -> None:
    arena = Arena(visitor=[strike("tusk", "visitor", power=4)], rules={"reversal_base": 4})
    arena.turn("visitor", hand=["tusk"])
    arena.set(vitality=2, structure=2)
    arena.dice("partial")
    arena.act("strike tusk")
    assert arena.outcome == "overcome"


def test_only_a_kill_ends_a_turn_before_its_time() -> None:
    salve = card("reshape", "salve", "visitor", heal={"resource": "nerve", "amount": 5})
    dread = strike("dread", "visitor", self_cost={"resource": "nerve", "amount": 1})
    arena = Arena(visitor=[dread, salve])
    arena.turn("visitor", hand=["dread", "salve"])
    arena.side("visitor")["reducers"][2] = 0
    arena.act("reshape salve")
    assert (arena.outcome, arena.reducer("nerve")) == (None, 5)
    arena.act("end")
    assert arena.outcome is None


def test_the_dungeons_turn_goes_on_though_the_visitor_has_fallen() -> None:
    arena = Arena(dungeon=[strike("claw"), strike("dread", target="nerve")])
    arena.turn("dungeon", hand=["claw", "dread"])
    arena.set(vitality=1)
    arena.dice("strong", "strong")
    arena.act("strike claw")
    assert arena.outcome is None
    arena.act("strike dread")
    assert arena.reducer("nerve") == 17
    arena.act("end")
    assert arena.outcome == "kill"


# --- simultaneous depletion ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("depleted", "outcome"),
    [
        (("resolve", "nerve"), "break"),
        (("nerve", "structure", "veil", "presence"), "panic"),
        (("structure", "veil", "presence"), "overcome"),
        (("veil", "presence"), "inert"),
    ],
)
def test_after_the_dungeons_turn_the_visitors_fall_counts_first(depleted: tuple[str, ...], outcome: str) -> None:
    arena = Arena()
    arena.turn("dungeon")
    arena.set(**dict.fromkeys(depleted, 0))
    arena.act("end")
    assert arena.outcome == outcome


@pytest.mark.parametrize(
    ("depleted", "outcome"),
    [
        (("structure", "veil", "presence", "resolve", "nerve"), "overcome"),
        (("veil", "presence", "resolve"), "inert"),
        (("presence", "nerve"), "dominate"),
        (("resolve", "nerve"), "break"),
    ],
)
def test_after_the_visitors_turn_the_dungeons_fall_counts_first(depleted: tuple[str, ...], outcome: str) -> None:
    arena = Arena()
    arena.turn("visitor")
    arena.set(**dict.fromkeys(depleted, 0))
    arena.act("end")
    assert arena.outcome == outcome


@pytest.mark.parametrize(
    ("last", "outcome"),
    [
        (REDUCERS, "kill"),
        (("structure", "veil", "presence", "resolve", "nerve"), "break"),
        (("structure", "veil", "presence", "nerve"), "panic"),
        (("structure", "veil", "presence"), "overcome"),
        (("veil", "presence"), "inert"),
        (("presence",), "dominate"),
    ],
)
def test_when_the_room_depletes_several_the_visitors_fall_counts_first(last: tuple[str, ...], outcome: str) -> None:
    arena = Arena(rules={"escalation_scope": "all"})
    arena.state["round_no"] = 8
    arena.set(**dict.fromkeys(last, 1))
    arena.end_round()
    assert (arena.outcome, arena.encounter.round) == (outcome, 9)


def test_when_escalation_takes_both_primary_reducers_it_is_a_kill() -> None:
    arena = Arena()
    arena.state["round_no"] = 8
    arena.set(structure=1, vitality=1)
    arena.end_round()
    assert (arena.outcome, arena.encounter.round) == ("kill", 9)


def test_kill_counts_before_break_and_panic() -> None:
    arena = Arena(dungeon=[strike("claw")])
    arena.turn("dungeon", hand=["claw"])
    arena.set(vitality=1, resolve=0, nerve=0)
    arena.dice("strong")
    arena.act("strike claw", "end")
    assert arena.outcome == "kill"


# --- nine outcomes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "outcome", "winner"),
    [
        ("vitality", "kill", "dungeon"),
        ("resolve", "break", "dungeon"),
        ("nerve", "panic", "dungeon"),
        ("structure", "overcome", "visitor"),
        ("veil", "inert", "visitor"),
        ("presence", "dominate", "visitor"),
    ],
)
def test_a_depleted_reducer_ends_the_run(target: str, outcome: str, winner: str) -> None:
    side = "dungeon" if winner == "dungeon" else "visitor"
    arena = Arena(**{side: [strike("claw", side, target=target, power=3)]})  # type: ignore[arg-type]
    arena.turn(side, hand=["claw"])
    arena.set(**{target: 3})
    arena.dice("strong")
    number = arena.encounter.round
    arena.act("strike claw", "end")
    found = arena.encounter.outcome
    assert found is not None
    assert (found.kind, found.winner) == (outcome, winner)
    assert found.rooms == (("one", outcome, number),)
    assert arena.encounter.decision is None


def test_one_point_left_is_enough_to_go_on() -> None:
    arena = Arena()
    arena.set(**dict.fromkeys(REDUCERS, 1))
    arena.end_round()
    assert arena.outcome is None


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_outlasting_the_round_limit_of_the_last_room_is_survive(limit: int) -> None:
    arena = Arena(round_limit=limit)
    for _ in range(limit):
        assert arena.outcome is None
        arena.end_round()
    found = arena.encounter.outcome
    assert found is not None
    assert (found.kind, found.winner, found.rounds) == ("survive", "visitor", limit)


def test_outlasting_a_room_that_is_not_the_last_leads_on() -> None:
    arena = Arena(rooms=[{"room": "one", "round_limit": 2}, {"room": "two", "round_limit": 1}])
    arena.end_round()
    arena.act("end", "end")
    assert (arena.encounter.room, arena.outcome) == ("two", None)
    arena.settle()
    arena.act("end", "end")
    found = arena.encounter.outcome
    assert found is not None
    assert found.rooms == (("one", "survive", 2), ("two", "survive", 1))
    assert (found.kind, found.rounds) == ("survive", 3)


def test_a_depletion_in_the_last_turn_of_the_limit_counts_before_the_limit() -> None:
    arena = Arena(round_limit=1)
    arena.act("end")
    arena.set(nerve=0)
    arena.act("end")
    assert arena.outcome == "panic"


def covenant() -> dict[str, Any]:
    return card(
        *("offer", "covenant", "dungeon"),
        cost=4,
        covenant=True,
        benefit={"resource": "vitality", "amount": 1},
        price={"type": "flat", "resource": "resolve", "amount": 1},
    )


def test_an_accepted_covenant_is_a_bond_and_ends_the_room_at_once() -> None:
    arena = Arena(dungeon=[covenant()])
    arena.turn("dungeon", hand=["covenant"])
    arena.set(trust=9)
    arena.act("offer covenant", "accept")
    found = arena.encounter.outcome
    assert found is not None
    assert (found.kind, found.winner) == ("bond", "both")


def test_a_refused_covenant_is_no_bond() -> None:
    arena = Arena(dungeon=[covenant()])
    arena.turn("dungeon", hand=["covenant"])
    arena.set(trust=9)
    arena.act("offer covenant", "refuse")
    assert (arena.outcome, arena.trust()) == (None, 4)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_visitor_may_retreat_from_round_three_on(number: int) -> None:
    arena = Arena(retreat=True)
    arena.turn("visitor")
    arena.state["round_no"] = number
    assert ("retreat" in arena.legal()) == (number >= 3)
    if number >= 3:
        arena.act("retreat")
        found = arena.encounter.outcome
        assert found is not None
        assert (found.kind, found.winner) == ("fled", "nobody")


def test_a_retreat_ends_the_whole_run_and_nobody_wins_it() -> None:
    arena = Arena(retreat=True, rooms=[{"room": "one"}, {"room": "two"}])
    arena.turn("visitor")
    arena.state["round_no"] = 3
    arena.act("retreat")
    found = arena.encounter.outcome
    assert found is not None
    assert (found.kind, found.winner, found.rooms) == ("fled", "nobody", (("one", "fled", 3),))


def test_nobody_retreats_where_the_scenario_forbids_it_and_the_dungeon_never_does() -> None:
    for allowed, side in ((False, "visitor"), (True, "dungeon")):
        arena = Arena(retreat=allowed)
        arena.turn(side)
        arena.state["round_no"] = 5
        assert "retreat" not in arena.legal()
        with pytest.raises(IllegalActionError):
            arena.act("retreat")


@pytest.mark.parametrize(
    ("outcome", "winner"),
    [(name, "dungeon") for name in ("kill", "break", "panic")]
    + [(name, "visitor") for name in ("overcome", "inert", "dominate", "survive")]
    + [("bond", "both"), ("fled", "nobody")],
)
def test_each_outcome_but_a_retreat_is_somebodys_win(outcome: str, winner: str) -> None:
    assert winner_of(outcome) == winner


def test_kill_ends_the_run_in_any_room() -> None:
    arena = Arena(dungeon=[strike("claw")], rooms=[{"room": "one"}, {"room": "two"}])
    arena.turn("dungeon", hand=["claw"])
    arena.set(vitality=1)
    arena.dice("strong")
    arena.act("strike claw", "end")
    assert arena.outcome == "kill"


# --- lead ------------------------------------------------------------------------------------------------------------


def leads(arena: Arena, **points: int) -> tuple[int, int]:
    """Set the board, end the round: (who leads: 0 nobody, 1 dungeon, 2 visitor; how often the lead changed)."""
    arena.set(**(dict.fromkeys(REDUCERS, 20) | points))
    arena.end_round()
    return int(arena.state["lead"]), int(arena.state["lead_changes"])


def test_the_higher_mean_share_leads_and_a_tie_keeps_the_last_leader() -> None:
    arena = Arena()
    assert leads(arena) == (0, 0)  # a tie from the start: nobody
    assert leads(arena, nerve=19) == (1, 0)
    assert leads(arena) == (1, 0)
    assert leads(arena, veil=19, nerve=19) == (1, 0)
    assert leads(arena, veil=18, nerve=19) == (2, 1)
    assert leads(arena, structure=10, vitality=1) == (1, 2)


def test_the_lead_goes_by_shares_not_by_points() -> None:
    arena = Arena(veil=10)
    assert leads(arena, veil=10, nerve=19) == (1, 0)  # 50 of 50 against 59 of 60
    assert leads(arena, veil=9, nerve=18) == (1, 0)  # 10 % against 10 %: a tie
    assert leads(arena, veil=8, nerve=17) == (2, 1)  # 20 % against 15 %


def test_thirds_and_halves_that_add_up_to_the_same_are_a_tie() -> None:
    arena = Arena(structure=15, veil=15)
    # 1/3 + 2/3 + 1 against 1/2 + 1/2 + 1
    assert leads(arena, structure=5, veil=10, vitality=10, resolve=10) == (0, 0)


def test_the_lead_is_sampled_at_the_rounds_end_only() -> None:
    arena = Arena(dungeon=[strike("claw")])
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert int(arena.state["lead"]) == 0
    arena.end_round()
    assert int(arena.state["lead"]) == 1


# --- decisions -------------------------------------------------------------------------------------------------------


def decided(arena: Arena, *actions: str) -> int:
    """By how much these actions raise the count of decisions."""
    before = int(arena.state["decisions"])
    arena.act(*actions)
    return int(arena.state["decisions"]) - before


def test_cards_activations_targets_and_responses_are_decisions() -> None:
    arena = Arena(
        dungeon=[
            strike("claw", target="chosen"),
            card("trap", "snare", "dungeon", springs="test", target="nerve", power=1),
            card("test", "parley", "dungeon", exposure={"resource": "veil", "amount": 1}),
            card(
                *("offer", "gift", "dungeon"),
                benefit={"resource": "nerve", "amount": 1},
                price={"type": "flat", "resource": "resolve", "amount": 1},
            ),
        ],
        visitor=[card("react", "brace", "visitor", power=1)],
    )
    arena.turn(
        "dungeon",
        hand=["claw", "snare", "parley", "gift", "dungeon_energy", "dungeon_idle"],
        other_hand=["brace"],
    )
    arena.dice("strong", "strong")
    assert decided(arena, "energy dungeon_energy") == 1
    assert decided(arena, "activate dungeon_idle") == 1
    assert decided(arena, "trap snare") == 1
    assert decided(arena, "strike claw", "→ nerve", "react brace") == 3
    assert decided(arena, "test parley", "cooperate") == 2
    assert decided(arena, "offer gift", "refuse") == 2


def test_the_choice_of_a_member_is_a_decision() -> None:
    arena = Arena(dungeon=[strike("claw")], party=[[], [], [], []], vitality=(10, 10, 10, 10))
    arena.turn("dungeon", hand=["claw"])
    assert decided(arena, "strike claw", "→ c") == 2


def test_declining_a_react_is_a_response_and_counts() -> None:
    arena = Arena(dungeon=[strike("claw")], visitor=[card("react", "brace", "visitor", power=1)])
    arena.turn("dungeon", hand=["claw"], other_hand=["brace"])
    arena.dice("strong")
    assert decided(arena, "strike claw", "take") == 2


def test_ending_a_turn_and_keeping_a_hand_are_no_decisions() -> None:
    arena = Arena()
    assert int(arena.state["decisions"]) == 0  # both hands were kept
    arena.turn("dungeon")
    assert decided(arena, "end") == 0


def test_a_target_that_nobody_chooses_is_no_decision() -> None:
    arena = Arena(dungeon=[strike("claw")])  # at the only member a creature has
    arena.turn("dungeon", hand=["claw"])
    assert decided(arena, "strike claw") == 1


def test_the_outcome_reports_decisions_and_rounds_of_the_whole_run() -> None:
    arena = Arena(rooms=[{"room": "one", "round_limit": 1}, {"room": "two", "round_limit": 2}])
    arena.turn("visitor", hand=["visitor_energy"])
    arena.act("energy visitor_energy")
    while arena.encounter.decision is not None:
        arena.settle()
        arena.act("end")
    found = arena.encounter.outcome
    assert found is not None
    assert (found.decisions, found.rounds) == (1, 3)
