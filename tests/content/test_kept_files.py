"""Files that a command keeps for another are refused with every fault, and read without a digest where they are old."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cartomancer.content.kept_files import Count, Kept, kept_bytes, read_kept
from cartomancer.content.models.base import Complaints
from cartomancer.errors import KeptFileError


class Savings(Kept):
    """Something to keep."""

    coins: Count
    owner: str
    spent: Count = 0

    def complaints(self) -> Complaints:
        yield "spent", self.spent > self.coins, f"spent is more than the {self.coins} coins"


BODY: dict[str, Any] = {"coins": 3, "owner": "Mara"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "savings.json"


def refused(path: Path, text: str) -> dict[str, str]:
    """What is said of each field."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KeptFileError, match=r"savings\.json: not savings") as caught:
        read_kept(path, Savings, "savings")
    assert all(fault.where == str(path) for fault in caught.value.faults)
    return {fault.field: str(fault) for fault in caught.value.faults}


def test_what_is_kept_is_read_again_and_so_are_old_files_without_a_digest(path: Path) -> None:
    path.write_bytes(kept_bytes(BODY))
    found = read_kept(path, Savings, "savings")
    assert found == BODY | {"digest": found["digest"]}
    path.write_text(json.dumps(BODY))
    assert read_kept(path, Savings, "savings") == BODY


def test_every_fault_is_named_with_field_value_and_what_would_be_right(path: Path) -> None:
    whole = json.loads(kept_bytes(BODY))
    told = refused(path, json.dumps({**whole, "coins": "3", "spent": -1, "more": 1}))
    assert set(told) == {"coins", "spent", "more", "digest"}
    assert "coins = '3' is not a whole number" in told["coins"]
    assert "right would be: at least 0" in told["spent"]
    assert "does not fit the file: it was damaged or edited" in told["digest"]
    assert set(refused(path, "{}")) == {"coins", "owner"}
    assert set(refused(path, json.dumps({**BODY, "spent": 4}))) == {"spent"}


@pytest.mark.parametrize("change", [{"coins": 4}, {"owner": "Mira"}, {"spent": 1}, {"digest": "0" * 32}])
def test_a_value_that_could_be_right_is_told_by_the_digest(path: Path, change: dict[str, Any]) -> None:
    assert set(refused(path, json.dumps(json.loads(kept_bytes(BODY)) | change))) == {"digest"}


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 10_000, '{"coins": ' * 200 + "1" + "}" * 200])
def test_what_is_no_kept_file_is_refused(path: Path, text: str) -> None:
    assert refused(path, text)
