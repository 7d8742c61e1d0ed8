"""Characters: profiles asked at the same decisions, against players that are asked one by one."""

from __future__ import annotations

import numpy as np
import pytest

from cartomancer.content.codex import load_codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.packing import pack
from cartomancer.errors import CartomancerError
from cartomancer.jit import wrapping
from cartomancer.lab.panel.characters import Characters, Choices, characters, choices
from cartomancer.players.kernel.sequencer import NO_ACTION, growth
from cartomancer.players.player import make_players
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import run_seed


def grows(fight: Encounter) -> bool:
    """Whether Energy that grows the pool is there to be played: that is no decision."""
    with wrapping():
        waits = int(fight.state["awaiting"]) == codes.AWAIT_TURN
        return waits and int(growth(fight.packed.tables, fight.state, np.int64(fight.state["actor"]))) != NO_ACTION


@pytest.mark.parametrize(("scenario", "side"), [("boar", "visitor"), ("deceptive-host", "dungeon")])
def test_profiles_are_asked_at_every_free_decision_of_their_side(scenario: str, side: str) -> None:
    profiles = [one.id for one in load_codex().profiles.values() if one.side == side]
    found, packed = choices(scenario, side, profiles, 2, seed=5), pack(scenario)
    own = make_players(packed)
    asked = [make_players(packed, **{side: PlayerSpec("heuristic", profile)}) for profile in profiles]
    for index in range(2):
        fight, decisions = Encounter(packed, run_seed(5, index)), 0
        differ = np.zeros((len(profiles), len(profiles)), int)
        while (decision := fight.decision) is not None:
            if decision.side == side and len(fight.legal_texts()) > 1 and not grows(fight):
                decisions += 1
                texts = [fight.text_of(player.choose(fight)) for player in asked]
                differ += [[first != second for second in texts] for first in texts]
            fight.apply(own.choose(fight))
        row = found.rows[index]
        assert int(row["decisions"].sum()) == decisions
        count = len(profiles)
        assert row["differ"].sum(axis=0)[:count, :count].tolist() == np.triu(differ).tolist()


def test_of_a_mask_only_what_lies_beyond_it_counts() -> None:
    rows = np.zeros(1, [("decisions", np.int16, 2), ("differ", np.int16, (2, 8, 8))])
    rows["decisions"][0] = (900, 100)
    rows["differ"][0, :, 0, 1] = (9, 40)
    masked = Choices(("deceptive", "nurturing"), rows, frozenset({frozenset({"deceptive", "nurturing"})}))
    plain = Choices(("deceptive", "nurturing"), rows, frozenset())
    assert masked.share("nurturing", "deceptive").value == pytest.approx(40)
    assert plain.share("nurturing", "deceptive").value == pytest.approx(4.9)
    rows["decisions"][0] = (900, 49)
    assert masked.share("nurturing", "deceptive").value is None  # too few to say anything


def test_two_profiles_are_shown_where_they_differ_most() -> None:
    found = characters(load_codex(), runs=4, seed=5)
    scenario, estimate = found.widest("cautious_explorer", "cooperative")
    shares = {
        name: one.share("cautious_explorer", "cooperative").value
        for (name, side), one in found.seats.items()
        if side == "visitor"
    }
    assert estimate.value == shares[scenario] == max(value for value in shares.values() if value is not None)
    assert Characters({}).widest("a", "b")[1].value is None


def test_one_profile_has_nobody_to_differ_from() -> None:
    with pytest.raises(CartomancerError, match="2 to 8"):
        choices("boar", "visitor", ["cooperative"], 5)
