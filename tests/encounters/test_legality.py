"""What may be done is listed completely and exactly; anything else is refused with a reason and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.encounters import actions as forms
from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.codes import Refusal, Verb
from cartomancer.encounters.kernel.legal import refusal
from cartomancer.errors import IllegalActionError
from cartomancer.jit import wrapping
from cartomancer.rng import Stream
from tests.encounters.arena import Arena, card, strike

SCENARIOS = sorted(load_codex().scenarios)
GAMES = max(10, 400 // len(SCENARIOS))
RETREAT = int(codes.RETREAT)
DECISIONS = {
    int(verb)
    for verb in (
        *(codes.PLAY, codes.ACTIVATE, codes.HIT_RESOURCE, codes.HIT_SEAT, codes.ANSWER, codes.TAKE_HIT),
        *(codes.ACCEPT, codes.REFUSE, codes.COOPERATE, codes.DEFECT),
    )
}


def positions(scenario: str, seeds: range) -> Iterator[tuple[Encounter, Stream]]:
    """Every position of games in which both sides choose at random."""
    for seed in seeds:
        fight, chooser = Encounter(scenario, seed), Stream(seed, 99)
        while fight.decision is not None:
            yield fight, chooser
            fight.apply(chooser.pick(fight.legal()))


def sampled(scenario: str, seeds: range, one_in: int) -> Iterator[Encounter]:
    """Some of these positions."""
    for fight, chooser in positions(scenario, seeds):
        if chooser.below(one_in) == 0:
            yield fight


# --- listed actions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_play_by_the_list_always_ends_in_one_of_nine_outcomes(scenario: str) -> None:
    for seed in range(GAMES):
        fight, chooser, decisions = Encounter(scenario, seed), Stream(seed, 99), 0
        while fight.decision is not None:
            legal = fight.legal()
            assert len(set(legal)) == len(legal)
            chosen = chooser.pick(legal)
            if chosen // forms.SPAN in DECISIONS:
                assert len(legal) > 1  # nobody is asked where there is no choice (E18)
                decisions += 1
            fight.apply(chosen)
        assert fight.outcome is not None
        assert fight.outcome.kind in names.OUTCOMES[1:]
        assert fight.outcome.decisions == decisions
        assert fight.legal() == []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_listed_action_applies(scenario: str) -> None:
    seen: set[int] = set()
    for fight in sampled(scenario, range(2 * GAMES), 4):
        before = fight.state.tobytes()
        for action in fight.legal():
            twin = fight.copy()
            twin.apply(action)
            assert twin.state.tobytes() != before
            seen.add(action // forms.SPAN)
        assert fight.state.tobytes() == before  # a twin goes on by itself
    common = (codes.END_TURN, codes.PLAY, codes.ACTIVATE, codes.KEEP, codes.MULLIGAN, codes.TAKE_HIT, codes.ANSWER)
    assert {int(verb) for verb in common} <= seen


def out_of_place(fight: Encounter, side: int) -> str:
    """What is wrong with a side's piles; nothing if every card is in exactly one place."""
    state, tables = fight.state, fight.packed.tables
    record = state["sides"][side]
    deck = fight.packed.decks[1] if side else fight.packed.decks[0][int(state["room"])]
    piles = (("hand", "hand_size"), ("draw", "draw_size"), ("discard", "discard_size"), ("traps", "trap_count"))
    found = [int(k) for pile, size in piles for k in record[pile][: record[size]]]
    if len(set(found)) != len(found):
        return f"doubled: {sorted(found)}"
    for instance in set(range(len(deck))) - set(found):
        exhausted = int(record["gone"]) >> instance & 1
        if not exhausted and not (side and state["members"][tables["visitor"]["owner"][instance]]["down"]):
            return f"lost: {instance}"
    return ""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_play_loses_no_card_and_no_point(scenario: str) -> None:
    rules = load_codex().rules
    for fight, _ in positions(scenario, range(1000, 1000 + GAMES // 3)):
        state = fight.state
        for side in (0, 1):
            record = state["sides"][side]
            assert out_of_place(fight, side) == ""
            assert all(0 <= record["reducers"][r] <= record["starts"][r] for r in range(3))
            assert record["hand_size"] <= rules.hand_cap
            assert record["trap_count"] <= rules.trap_slots
            assert record["energy"] >= 0
            assert record["temporary"] >= 0
        members = state["members"][: len(fight.packed.members)]
        assert sum(int(member["vitality"]) for member in members) == int(state["sides"][1]["reducers"][0])
        assert all(bool(member["down"]) == (member["vitality"] <= 0) for member in members)


# --- refused actions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_other_number_is_refused_with_a_reason_and_changes_nothing(scenario: str) -> None:
    checked = 0
    for fight in sampled(scenario, range(50, 50 + max(8, 40 // len(SCENARIOS))), 15):
        legal, before = set(fight.legal()), fight.state.tobytes()
        taken = list(fight.actions)
        for action in range(-1, 1001):
            if action in legal:
                continue
            with pytest.raises(IllegalActionError, match=rf"^action {action} is not allowed: ['\w]"):
                fight.apply(action)
        assert fight.state.tobytes() == before
        assert fight.actions == taken
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_is_refused_exactly_when_it_is_listed(scenario: str) -> None:
    seen: set[Refusal] = set()
    for fight in sampled(scenario, range(20, 24), 6):
        legal = set(fight.legal())
        for action in range(-70, (len(Verb) + 1) * forms.SPAN):
            with wrapping():
                found = Refusal(int(refusal(fight.packed.tables, fight.state, action)))
            assert (found == Refusal.NONE) == (action in legal), (action, found)
            seen.add(found)
    assert len(seen) > 6


def test_a_refusal_has_a_name_and_a_sentence() -> None:
    arena = Arena(dungeon=[strike("claw", cost=2)])
    arena.turn("dungeon", hand=["claw"], energy=1)
    for action in ("strike claw", int(codes.PLAY) * forms.SPAN + int(arena.side("dungeon")["hand"][0])):
        with pytest.raises(IllegalActionError) as refused:
            arena.encounter.apply(action)
        assert refused.value.refusal == "too_dear"
        assert str(refused.value).endswith("is not allowed: Claw costs 2 energy, 1 left")
    with pytest.raises(IllegalActionError) as refused:
        arena.act("sing")
    assert refused.value.refusal == ""  # not understood, so not refused by the rules
    sentences = [reason.meaning for reason in Refusal]
    assert len(set(sentences)) == len(sentences)
    assert [reason for reason in Refusal if not reason.meaning] == [Refusal.NONE]


def test_whoever_fell_cannot_retreat_and_is_told_so() -> None:
    arena = Arena(retreat=True, vitality=(3,))
    arena.turn("visitor")
    arena.state["round_no"], arena.state["downs"] = 3, 1
    with pytest.raises(IllegalActionError, match="whoever has fallen cannot walk away"):
        arena.act("retreat")


def test_a_retreat_with_an_argument_is_refused() -> None:
    arena = Arena(retreat=True)
    arena.turn("visitor")
    arena.state["round_no"] = 3
    with pytest.raises(IllegalActionError):
        arena.encounter.apply(RETREAT * forms.SPAN + 5)


def test_a_mulligan_with_an_argument_is_not_refused_for_want_of_mulligans() -> None:
    fight = Encounter("boar", 1)
    assert "mulligan" in fight.legal_texts()
    with pytest.raises(IllegalActionError) as refused:
        fight.apply(int(codes.MULLIGAN) * forms.SPAN + 1)
    assert "no mulligan is left" not in str(refused.value)


def test_nothing_is_allowed_once_the_run_is_over() -> None:
    arena = Arena(round_limit=1)
    arena.end_round()
    before = arena.state.tobytes()
    for action in range(1001):
        with pytest.raises(IllegalActionError, match="the run is over"):
            arena.encounter.apply(action)
    assert (arena.legal(), arena.state.tobytes() == before) == ([], True)


def test_what_is_asked_is_named_when_something_else_is_answered() -> None:
    arena = Arena(dungeon=[strike("claw", target="chosen")], visitor=[card("react", "brace", "visitor", power=1)])
    arena.turn("dungeon", hand=["claw"], other_hand=["brace"])
    with pytest.raises(IllegalActionError, match="the dungeon is asked to play or activate a card or end the turn"):
        arena.encounter.apply(int(codes.ACCEPT) * forms.SPAN)
    arena.dice("strong", "strong")
    arena.act("strike claw")
    with pytest.raises(IllegalActionError, match="the dungeon is asked to name the resource the Strike hits"):
        arena.encounter.apply(0)
    arena.act("→ nerve")
    with pytest.raises(IllegalActionError, match="the visitor is asked to react or take the hit"):
        arena.encounter.apply(0)


# --- readable forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_readable_forms_parse_back_to_themselves(scenario: str) -> None:
    for fight in sampled(scenario, range(100, 100 + GAMES // 2), 6):
        legal, texts = fight.legal(), fight.legal_texts()
        for action, text in zip(legal, texts, strict=True):
            meant = forms.parse(fight.packed, fight.state, text)
            assert meant in legal
            assert fight.text_of(meant) == text
            assert meant // forms.SPAN == action // forms.SPAN
            if texts.count(text) == 1:
                assert meant == action


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("strike claw", "strike claw"),
        ("play claw", "strike claw"),
        ("  strike   claw ", "strike claw"),
        ("activate claw", "activate claw"),
        ("end", "end"),
    ],
)
def test_a_text_may_be_written_in_several_ways(text: str, form: str) -> None:
    arena = Arena(dungeon=[strike("claw")])
    arena.turn("dungeon", hand=["claw"])
    encounter = arena.encounter
    assert encounter.text_of(forms.parse(encounter.packed, encounter.state, text)) == form


@pytest.mark.parametrize("text", ["→ nerve", "→nerve", "-> nerve", "->nerve", "target nerve"])
def test_a_target_may_be_written_in_several_ways(text: str) -> None:
    arena = Arena(dungeon=[strike("claw", target="chosen")])
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw", text)
    assert arena.reducer("nerve") == 17


def test_two_copies_are_one_action_to_a_reader_and_the_first_is_meant() -> None:
    arena = Arena(dungeon=[strike("claw")] * 2)
    arena.turn("dungeon", hand=["claw", "claw"])
    hand = [int(k) for k in arena.side("dungeon")["hand"][:2]]
    assert arena.legal().count("strike claw") == 2
    arena.act("strike claw")
    assert int(arena.side("dungeon")["hand"][0]) == hand[1]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("strike clam", "claw"),
        ("play clw", "claw"),
        ("activate roarr", "roar"),
        ("ende", "end"),
        ("activte claw", "activate claw"),
        ("empower raor", "roar"),
    ],
)
def test_a_text_that_is_not_understood_names_the_nearest(text: str, nearest: str) -> None:
    arena = Arena(dungeon=[strike("claw"), card("empower", "roar", "dungeon", power=1)])
    arena.turn("dungeon", hand=["claw", "roar"])
    before = arena.state.tobytes()
    with pytest.raises(IllegalActionError, match=f"did you mean '{nearest}'"):
        arena.act(text)
    assert arena.state.tobytes() == before


def test_a_target_that_is_not_understood_names_the_nearest() -> None:
    arena = Arena(dungeon=[strike("claw", target="chosen")])
    arena.turn("dungeon", hand=["claw"])
    arena.act("strike claw")
    with pytest.raises(IllegalActionError, match="did you mean '→ vitality'"):
        arena.act("→ vitalty")


def test_a_card_is_not_played_under_another_category() -> None:
    arena = Arena(dungeon=[strike("claw")])
    arena.turn("dungeon", hand=["claw"])
    with pytest.raises(IllegalActionError, match="'offer claw' is not allowed: claw is no offer but strike"):
        arena.act("offer claw")


def test_a_card_that_is_held_but_not_playable_says_why() -> None:
    arena = Arena(dungeon=[strike("claw", cost=2)])
    arena.turn("dungeon", hand=["claw"], energy=1)
    with pytest.raises(IllegalActionError, match="'strike claw' is not allowed: Claw costs 2 energy, 1 left"):
        arena.act("strike claw")


@pytest.mark.parametrize("text", ["", "   ", "→", "0", "sing a song", "strike", "play", "activate"])
def test_nonsense_is_refused_and_changes_nothing(text: str) -> None:
    arena = Arena(dungeon=[strike("claw")])
    arena.turn("dungeon", hand=["claw"])
    before = arena.state.tobytes()
    with pytest.raises(IllegalActionError, match="unknown action"):
        arena.act(text)
    assert arena.state.tobytes() == before


def test_a_barred_retreat_says_why() -> None:
    arena = Arena(retreat=True)
    arena.turn("visitor")
    with pytest.raises(IllegalActionError, match="retreat is possible from round 3 on"):
        arena.act("retreat")
