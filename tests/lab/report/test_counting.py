"""What a survey counts of a run: what cards did, step by step, what they could have done, who is behind a loss."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from tests.encounters.arena import Arena, card, offer, strike

from cartomancer.content.models.encounter import LineStep
from cartomancer.content.models.vocabulary import Deed as DeedWord
from cartomancer.encounters import actions as forms
from cartomancer.encounters import names
from cartomancer.encounters.kernel.causes import Cause
from cartomancer.encounters.kernel.events import new_log
from cartomancer.encounters.kernel.layout import MOST_CARDS, STATE
from cartomancer.encounters.kernel.protocol import apply
from cartomancer.errors import CartomancerError
from cartomancer.jit import records, wrapping
from cartomancer.lab.kernel.counting import NOTES, TALLY, count_events
from cartomancer.lab.kernel.deeds import Deed
from cartomancer.lab.kernel.lines import MOST_LINES, MOST_STEPS
from cartomancer.lab.kernel.occasions import look
from cartomancer.lab.measures import combo_lines
from cartomancer.lab.measures.combo_lines import lines_of, packed_lines
from cartomancer.lab.report.survey import survey

Step = tuple[str, str]  # a card and its deed


def noted(arena: Arena, *moves: str, lines: list[list[Step]] | None = None) -> Any:
    """The notes of these actions, and of the tally their losses. The arena itself stays."""
    packed = arena.encounter.packed
    numbers = {entry.id: number for number, entry in enumerate(packed.cards)}
    table = np.zeros((MOST_LINES, MOST_STEPS, MOST_CARDS), np.int8)
    for place, steps in enumerate(lines or []):
        for step, (name, deed) in enumerate(steps):
            table[place, step, numbers[name]] = Deed[deed.upper()]
    states, notes, tally, log = records(1, STATE), records(1, NOTES), records(1, TALLY), new_log()
    states[0] = arena.state
    with wrapping():
        for taken, move in enumerate(moves):
            log[0, 0] = 0
            chosen = np.int64(forms.parse(packed, states[0], move))
            look(packed.tables, states[0], chosen, np.int64(taken), notes[0])
            apply(packed.tables, states[0], log, chosen)
            count_events(packed.tables, table, log, notes[0], tally[0])
    return notes[0]


def steps_of(arena: Arena, *moves: str, lines: list[list[Step]]) -> list[int]:
    """How many steps of each line these actions do."""
    return [int(done) for done in noted(arena, *moves, lines=lines)["steps"][: len(lines)]]


def duel(*cards: dict[str, Any], theirs: tuple[dict[str, Any], ...] = (), dice: tuple[str, ...] = ("strong",)) -> Arena:
    """The dungeon's turn with these cards in hand, the first of a round; the visitor holds its own."""
    arena = Arena(dungeon=list(cards), visitor=list(theirs), rules={"rally": 0})
    arena.side("dungeon")["initiative"], arena.side("visitor")["initiative"] = 12, 2
    arena.end_round()
    arena.turn("dungeon", hand=[one["id"] for one in cards], other_hand=[one["id"] for one in theirs])
    if dice:
        arena.dice(*dice)
    return arena


# --- deeds ------------------------------------------------------------------------------------------------------------

CLAW = strike("claw")


def test_content_and_kernels_know_the_same_deeds() -> None:
    assert get_args(DeedWord) == tuple(deed.word for deed in Deed)
    assert LineStep(card="claw", deed="eroded").deed == Deed.ERODED.word


def test_a_card_is_played_and_lands_only_where_it_takes_points() -> None:
    lines: list[list[Step]] = [[("claw", "played")], [("claw", "landed")]]
    assert steps_of(duel(CLAW), "strike claw", lines=lines) == [1, 1]
    assert steps_of(duel(CLAW, dice=("reversal",)), "strike claw", lines=lines) == [1, 0]


def test_a_strike_is_empowered_by_what_waits_for_it_and_only_once() -> None:
    cards, line = (CLAW, strike("bite"), card("empower", "rage", "dungeon", power=1)), [("claw", "empowered")]
    moves = ("empower rage", "strike bite", "strike claw")
    assert steps_of(duel(*cards), "empower rage", "strike claw", lines=[line]) == [1]
    assert steps_of(duel(*cards, dice=("strong", "strong")), *moves, lines=[line]) == [0]
    assert steps_of(duel(*cards), "strike claw", lines=[line]) == [0]


def test_an_empower_that_was_removed_or_stolen_is_not_on_the_next_strike() -> None:
    rage, thief = card("empower", "rage", "dungeon", power=1), card("counter", "thief", "visitor", steal=True)
    hit = strike("hit", "visitor")
    arena = duel(CLAW, rage, theirs=(thief, hit), dice=("strong", "strong"))
    moves = ("empower rage", "end", "counter thief", "strike hit", "end")
    lines: list[list[Step]] = [[("thief", "stole")], [("hit", "empowered")], [("claw", "empowered")]]
    assert steps_of(arena, *moves, lines=lines) == [1, 1, 0]


def test_a_trigger_that_changes_something_is_a_deed() -> None:
    bold = strike("bold", trigger={"when": "self_below", "resource": "structure", "value": 50, "power": 2})
    arena = duel(bold)
    assert steps_of(arena, "strike bold", lines=[[("bold", "triggered")]]) == [0]
    arena.set(structure=5)
    assert steps_of(arena, "strike bold", lines=[[("bold", "triggered")]]) == [1]


@pytest.mark.parametrize(
    ("keyword", "deed"), [("entangle", "entangled"), ("drain", "drained"), ("overwhelm", "spilled")]
)
def test_keywords_are_deeds_where_they_do_something(keyword: str, deed: str) -> None:
    arena = duel(strike("claw", keywords=[keyword], target="nerve"))
    arena.set(structure=15, nerve=1)
    assert steps_of(arena, "strike claw", lines=[[("claw", deed)]]) == [1]
    missed = duel(strike("claw", keywords=[keyword], target="nerve"), dice=("reversal",))
    assert steps_of(missed, "strike claw", lines=[[("claw", deed)]]) == [0]


def test_erode_is_a_deed_of_the_card_that_laid_it_once_it_takes_its_point() -> None:
    fray, line = strike("fray", keywords=["erode"], target="nerve"), [[("fray", "eroded")]]
    found = noted(duel(fray), "strike fray", lines=line)
    assert (found["steps"][0], found["erode_laid"].tolist(), found["erode_acted"].tolist()) == (0, [1, 0], [0, 0])
    found = noted(duel(fray), "strike fray", "end", "end", lines=line)
    assert (found["steps"][0], found["erode_laid"].tolist(), found["erode_acted"].tolist()) == (1, [1, 0], [1, 0])


def test_erode_that_the_room_outruns_or_that_is_shaken_off_never_acts() -> None:
    fray = strike("fray", keywords=["erode"], target="nerve")
    pressed = Arena(dungeon=[fray], rules={"rally": 0}, auto=[{"resource": "nerve", "change": -1}])
    pressed.turn("dungeon", hand=["fray"])
    pressed.dice("strong")
    wash = card("reshape", "wash", "visitor", heal={"resource": "nerve", "amount": 1}, cleanse=True)
    washed = duel(fray, theirs=(wash,))
    for arena, moves in (
        (pressed, ("strike fray", "end", "end")),
        (washed, ("strike fray", "end", "reshape wash", "end")),
    ):
        found = noted(arena, *moves, lines=[[("fray", "eroded")]])
        assert (found["steps"][0], found["erode_laid"].tolist(), found["erode_acted"].tolist()) == (0, [1, 0], [0, 0])


def test_the_venom_of_a_modifier_is_no_erode_that_was_laid() -> None:
    venom = [{"code": "poison", "side": "enemies", "value": 1}]
    arena = Arena(dungeon=[CLAW], rules={"rally": 0}, effects=venom)
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    assert noted(arena, "strike claw", "end", "end")["erode_laid"].tolist() == [0, 0]


def spoiled(victim: dict[str, Any], deed: str, **spoils: Any) -> int:
    """Whether a visitor's Disrupt did this to the dungeon's Strike."""
    arena = Arena(dungeon=[victim], visitor=[card("disrupt", "dust", "visitor", **spoils)], rules={"rally": 0})
    arena.side("dungeon")["initiative"], arena.side("visitor")["initiative"] = 2, 12
    arena.end_round()
    arena.turn("visitor", hand=["dust"], other_hand=[victim["id"]])
    return steps_of(arena, "disrupt dust", "end", f"strike {victim['id']}", lines=[[("dust", deed)]])[0]


def test_stripping_is_a_deed_where_there_were_keywords_to_take() -> None:
    assert spoiled(strike("claw", keywords=["drain"]), "stripped", strip=True) == 1
    assert spoiled(strike("claw"), "stripped", strip=True) == 0


def test_scrambling_is_a_deed_where_the_blow_goes_elsewhere() -> None:
    found = {
        spoiled(strike(f"{target}_claw", target=target), "scrambled", randomise=True) for target in names.RESOURCES[1]
    }
    assert found == {0, 1}  # one roll of chance is one of the three targets


def test_a_ward_is_a_deed_of_its_giver_when_it_stops_points() -> None:
    calm, hit = card("empower", "calm", "dungeon", ward=2), strike("hit", "visitor")
    arena = duel(calm, theirs=(hit,))
    assert steps_of(arena, "empower calm", "end", "strike hit", lines=[[("calm", "warded")]]) == [1]
    assert steps_of(arena, "empower calm", "end", "end", lines=[[("calm", "warded")]]) == [0]


def test_tests_offers_and_traps_are_deeds_when_they_come_home() -> None:
    probe = card("test", "probe", "dungeon", exposure={"resource": "veil", "amount": 1})
    arena = duel(probe, offer("gift"), dice=())
    lines: list[list[Step]] = [[("probe", "cooperated")], [("gift", "accepted")]]
    assert steps_of(arena, "test probe", "cooperate", "offer gift", "accept", lines=lines) == [1, 1]
    assert steps_of(arena, "test probe", "defect", "offer gift", "refuse", lines=lines) == [0, 0]
    snare = card("trap", "snare", "dungeon", springs="offer_accepted", target="nerve", power=1)
    arena = duel(snare, offer("gift"), dice=())
    bait: list[list[Step]] = [[("gift", "accepted"), ("snare", "sprung")]]
    assert steps_of(arena, "trap snare", "offer gift", "accept", lines=bait) == [2]
    assert steps_of(arena, "trap snare", "offer gift", "refuse", lines=bait) == [0]


def test_the_steps_of_a_line_are_done_in_order() -> None:
    arena = duel(CLAW, strike("bite"), dice=("strong", "strong"))
    line: list[list[Step]] = [[("claw", "landed"), ("bite", "landed")]]
    assert steps_of(arena, "strike claw", "strike bite", lines=line) == [2]
    assert steps_of(arena, "strike bite", "strike claw", lines=line) == [1]


def test_a_step_without_a_card_is_any_of_its_deck() -> None:
    lines = {
        line.name: line
        for line in lines_of(Arena.shipped("honeyed_hollow", creature="drift_symbiote").encounter.packed)
    }
    packed = Arena.shipped("honeyed_hollow", creature="drift_symbiote").encounter.packed
    accepted, sprung = lines["honeyed_hollow.bait"].steps
    assert (accepted[1], sprung[1]) == (Deed.ACCEPTED, Deed.SPRUNG)
    assert set(sprung[0]) == set(packed.decks[0][0])
    table = packed_lines(tuple(lines.values()))
    assert int((table[0, 0] > 0).sum()) == len(set(packed.decks[0][0]))


def test_more_lines_than_a_survey_counts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combo_lines, "MOST_LINES", 2)
    with pytest.raises(CartomancerError, match="at most"):
        lines_of(Arena.shipped("root_hollow", creature="thornback_boar").encounter.packed)


# --- occasions --------------------------------------------------------------------------------------------------------


def chances(arena: Arena, *moves: str) -> dict[str, tuple[int, int]]:
    """Of each card, in how many turns it could be played and in how many it was."""
    found, cards = noted(arena, *moves), arena.encounter.packed.cards
    pairs = {one.id: (int(found["chances"][k]), int(found["used"][k])) for k, one in enumerate(cards)}
    return {name: pair for name, pair in pairs.items() if pair != (0, 0)}


def test_a_card_has_one_chance_in_a_turn_in_which_it_can_be_paid() -> None:
    arena = duel(strike("claw", cost=1), strike("maul", cost=3), strike("bite"), dice=("strong",))
    arena.side("dungeon")["energy"] = 1
    assert chances(arena, "strike bite", "end") == {"claw": (1, 0), "bite": (1, 1)}


def test_a_react_has_a_chance_whenever_it_could_answer() -> None:
    duck = card("react", "duck", "visitor", power=1)
    arena = duel(CLAW, strike("bite"), theirs=(duck,), dice=("strong", "strong", "strong"))
    assert chances(arena, "strike claw", "take", "strike bite", "react duck")["duck"] == (2, 1)


def test_strikes_in_trust_are_the_sides_that_played_them() -> None:
    arena = duel(CLAW, strike("bite"), dice=("strong", "strong"))
    arena.set(trust=1)
    assert noted(arena, "strike claw")["trusted_strikes"].tolist() == [1, 0]
    assert noted(arena, "strike claw", "strike bite")["trusted_strikes"].tolist() == [1, 0]  # the first took the trust
    arena.state["trust"] = 1  # half a point is none yet
    assert noted(arena, "strike claw")["trusted_strikes"].tolist() == [0, 0]


def test_a_turn_after_a_betrayal_that_leaves_a_strike_in_hand_spares_somebody() -> None:
    arena = duel(CLAW, strike("bite"), dice=("strong", "strong"))
    arena.set(trust=5)
    spared = noted(arena, "strike claw", "end")
    assert (int(spared["turns_betrayed"]), int(spared["turns_spared"])) == (1, 1)
    merciless = noted(arena, "strike claw", "strike bite", "end")
    assert (int(merciless["turns_betrayed"]), int(merciless["turns_spared"])) == (1, 0)
    arena.set(trust=0)
    assert int(noted(arena, "strike claw", "end")["turns_betrayed"]) == 0


# --- losses, leads, bargains ------------------------------------------------------------------------------------------


def test_a_cascade_is_the_doing_of_whatever_knocked_the_member_out() -> None:
    party: dict[str, Any] = {"party": [[], [], [], []], "vitality": (1, 9, 9, 9)}
    struck = Arena(dungeon=[CLAW], rules={"rally": 0}, **party)
    struck.turn("dungeon", hand=["claw"])
    struck.dice("strong")
    lost = noted(struck, "strike claw", "→ a")["lost"][1]
    assert lost[Cause.STRIKE] == 1 + 2 * 3  # the member's last point, and 3 resolve and 3 nerve with it
    assert lost[Cause.CASCADE] == 0
    pressed = Arena(dungeon=[], rules={"rally": 0}, auto=[{"resource": "vitality", "change": -1}], **party)
    lost = noted(pressed, "end", "end")["lost"][1]
    assert (lost[Cause.ROOM], lost[Cause.CASCADE]) in {(1, 0), (1 + 6, 0), (2 + 6, 0)}


def test_what_drain_gives_back_is_counted_by_reducer() -> None:
    arena = duel(strike("sip", keywords=["drain"], drain_to="veil"))
    arena.set(veil=10)
    assert noted(arena, "strike sip")["drained"].tolist() == [[0, 2, 0], [0, 0, 0]]


def test_a_tie_keeps_the_leader_that_was() -> None:
    arena = duel(CLAW, dice=("strong",))
    nobody, ahead = noted(arena, "end", "end"), noted(arena, "strike claw", "end", "end")
    assert nobody["led"].tolist() == [0, 0]
    assert ahead["led"].tolist() == [1, 0]


def test_offers_are_accepted_or_not_and_covenants_are_none() -> None:
    pact = offer("pact", covenant=True, cost=4)
    arena = Arena(dungeon=[offer("gift"), pact], visitor=[])
    arena.turn("dungeon", hand=["gift", "pact"])
    assert [
        noted(arena, "offer gift", reply)[field].tolist()
        for reply in ("accept", "refuse")
        for field in ("asked", "agreed")
    ] == [
        *([0, 1], [0, 1]),
        *([0, 1], [0, 0]),
    ]
    arena.set(trust=9)
    assert noted(arena, "offer pact", "refuse")["asked"].tolist() == [0, 0]


# --- whole runs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["boar", "company-gauntlet", "deceptive"])
def test_both_sides_decisions_are_the_runs(scenario: str) -> None:
    found = survey(scenario, 40, 3)
    assert found.watched["decisions"].sum(axis=1).tolist() == found.simulation.rows["decisions"].tolist()
    assert set(found.watched["began"].tolist()) == {0, 1}
    assert (found.watched["led"].sum(axis=1) <= found.simulation.rows["rounds"]).all()


def test_a_card_that_is_played_had_its_chance() -> None:
    tally = survey("company-gauntlet", 60, 3).tally
    assert (tally["used"] <= tally["chances"]).all()
    assert (tally["used"] <= tally["plays"].sum(axis=(0, 1))).all()
    assert ((tally["used"] > 0) == (tally["plays"].sum(axis=(0, 1)) > 0)).all()
