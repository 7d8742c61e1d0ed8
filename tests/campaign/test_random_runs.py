"""Random runs over all families: what must hold whatever is chosen."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartomancer.campaign.expedition import Expedition
from cartomancer.codes import STREAM_SAMPLE
from cartomancer.content.codex import load_codex
from cartomancer.rng import Stream
from tests.campaign.conftest import drawn

PRESETS = (
    "voyage:guide",
    "voyage:spire",
    "contract:power",
    "contract:rival_extended",
    "guardian:three_acts",
    "guardian:slice",
)
EXAMPLES = int(os.environ.get("CARTOMANCER_RUNS", "40"))
MOST_CHOICES = 600


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.sampled_from(PRESETS), st.integers(0, 2**32), st.integers(0, 2**32), st.sampled_from(list(load_codex().parties))
)
def test_a_random_run_keeps_its_books_and_ends(name: str, seed: int, luck: int, party: str) -> None:
    """Gold is never below nothing, cards are conserved, hooks have three steps, a node is entered once, it ends."""
    expedition, choices = Expedition(drawn(name, seed), party), Stream(luck, STREAM_SAMPLE)
    run = expedition.run
    deck = sum(len(member.cards) for member in run.party.members)
    for _ in range(MOST_CHOICES):
        if expedition.decision is None:
            break
        options = [option.action for option in expedition.legal() if option.action != "fight"]
        assert options
        expedition.apply(choices.pick(options))
        assert run.gold >= 0
        assert run.supplies >= 0
        assert sum(len(member.cards) for member in run.party.members) == deck
        piles = (run.party.held, run.party.discarded, run.party.gone)
        assert all(pile < 1 << deck for pile in piles)
        assert not piles[0] & piles[1]
        assert not piles[0] & piles[2]
        assert not piles[1] & piles[2]
        assert all(step in (1, 2, 3) for step in run.hooks().values())
        assert len(set(run.journey.visited)) == len(run.journey.visited)
        for seat, member in enumerate(run.party.members):
            assert run.ending or 1 <= member.vitality <= run.party.most_vitality(run.codex, seat)
    assert expedition.outcome is not None


@pytest.mark.slow
def test_twenty_thousand_random_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20_000):
        test_a_random_run_keeps_its_books_and_ends.hypothesis.inner_test(  # type: ignore[attr-defined]
            PRESETS[number % len(PRESETS)],
            number,
            number,
            list(load_codex().parties)[number % len(load_codex().parties)],
        )
