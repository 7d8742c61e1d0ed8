"""One vocabulary: the words of content are the names of the kernel's codes, and its constants are their values."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from cartomancer.content.models import encounter, vocabulary
from cartomancer.content.models.cards import Energy
from cartomancer.content.models.effects import EffectCode
from cartomancer.encounters import names
from cartomancer.encounters.kernel import causes, codes, events
from cartomancer.lab.kernel import deeds

PREFIXES = {
    codes.Occasion: "ON_",
    codes.Guard: "BY_",
    codes.Handicap: "HANDICAP_",
    codes.Modifier: "MOD_",
    codes.Awaiting: "AWAIT_",
    codes.EscalationScope: "SCOPE_",
    codes.Refusal: "REFUSED_",
}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (vocabulary.SideName, codes.Side),
        (vocabulary.CardType, codes.CardType),
        (vocabulary.Resource, codes.Resource),
        (vocabulary.Category, codes.Category),
        (vocabulary.Keyword, codes.Keyword),
        (vocabulary.Occasion, codes.Occasion),
        (vocabulary.CostType, codes.CostType),
        (Energy.model_fields["kind"].annotation, codes.EnergyKind),
        (encounter.EscalationScope, codes.EscalationScope),
        (vocabulary.Deed, deeds.Deed),
    ],
)
def test_the_words_of_content_are_the_names_of_codes(words: object, kind: type[codes.Code]) -> None:
    assert set(get_args(words)) == {code.word for code in kind}


def test_conditions_and_effects_are_codes_too() -> None:
    assert {*get_args(vocabulary.ConditionName), "always"} == {code.word for code in codes.Condition}
    assert set(get_args(EffectCode)) == set(names.MODIFIERS)


@pytest.mark.parametrize("kind", codes.Code.__subclasses__(), ids=lambda kind: kind.__name__)
def test_kernels_read_the_same_numbers(kind: type[codes.Code]) -> None:
    module = {causes.Cause: causes, events.Happening: events, deeds.Deed: deeds}.get(kind, codes)
    exported = [getattr(module, PREFIXES.get(kind, "") + code.name, None) for code in kind]
    if kind in {codes.Resource, codes.CardType, codes.TrustTier}:
        return  # kernels reckon with places and tiers, not with these
    assert exported == list(kind)
    assert all(type(value) is np.int64 for value in exported)


def test_no_two_enumerations_share_a_constant() -> None:
    kinds = [kind for kind in codes.Code.__subclasses__() if kind.__module__ == codes.__name__]
    kinds = [kind for kind in kinds if kind not in {codes.Resource, codes.CardType, codes.TrustTier}]
    constants = [PREFIXES.get(kind, "") + code.name for kind in kinds for code in kind]
    assert len(set(constants)) == len(constants)


def test_every_decision_is_answered_and_every_verb_answers_one() -> None:
    answers = [verb for asked in codes.Awaiting for verb in asked.answers]
    assert set(answers) == set(codes.Verb)
    assert all(bool(asked.answers) == (asked != codes.Awaiting.OVER) for asked in codes.Awaiting)


@pytest.mark.parametrize(
    ("outcome", "winner"), [("kill", "dungeon"), ("bond", "both"), ("survive", "visitor"), ("fled", "nobody")]
)
def test_an_outcome_knows_its_winner(outcome: str, winner: str) -> None:
    assert codes.Outcome[outcome.upper()].winner == winner


@pytest.mark.parametrize("outcome", codes.Outcome, ids=lambda outcome: outcome.word)
def test_kernels_know_winners_and_losers_by_number(outcome: codes.Outcome) -> None:
    assert codes.WINNERS[int(codes.WINNER_OF[outcome])] == outcome.winner
    assert (int(codes.LOSER_OF[outcome]) == int(codes.NOBODY)) is (outcome.winner in {"both", "nobody"})
