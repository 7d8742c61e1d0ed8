"""A misspelt field of a record fails before anything is compiled: the check that `make lint` runs."""

from __future__ import annotations

import pytest

from tests.kernel_fields import FIGHT, KERNELS, SOURCE, faults, faults_in


def test_kernels_use_the_fields_their_records_have() -> None:
    assert list(faults()) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("return state.actr", "'state' has no field 'actr'"),
        ("state.trst = 3", "'state' has no field 'trst'"),
        ("return state.sides[p].reducer[0]", "'state.sides[p]' has no field 'reducer'"),
        ("return tables.dungeon.rooms[p].auto[0].chang", "'tables.dungeon.rooms[p].auto[0]' has no field 'chang'"),
        ("them = state.sides[1 - p]; return them.hand_siz", "'them' has no field 'hand_siz'"),
        ("return codes.NONE if state.flight.seats else 0", "'state.flight' has no field 'seats'"),
        ("return pile.hand", "'pile' is not known to be a record"),
        ("return state.trust.half", "'state.trust' is not known to be a record"),
        ("state = whole(p); return state.actor", "'state' is not known to be a record"),
    ],
)
def test_a_misspelt_field_is_named(line: str, said: str) -> None:
    source = f"@kernel\ndef rule(tables, state, p, pile):\n    {line}\n"
    assert list(faults_in(source, "rules.py", FIGHT)) == [f"rules.py:3: rule: {said}"]


def test_numbers_arrays_and_modules_are_let_pass() -> None:
    source = "@kernel\ndef rule(state, pile):\n    return pile.shape[0] + codes.NONE + state.sides[0].hand.shape[0]\n"
    assert list(faults_in(source, "rules.py", FIGHT)) == []


def test_every_kernel_is_read() -> None:
    """No field is left unread: every module with kernels marks them alike."""
    for package in KERNELS:
        for path in (SOURCE / package / "kernel").glob("*.py"):
            text = path.read_text()
            assert text.count("@kernel\n") == text.count("\n@kernel\ndef ")
