"""What tells damage from what was written: digests of plain data, and check letters at the end of one-line notations.

>>> kept = sealed({"seed": 7})
>>> seal_faults(kept), [str(fault) for fault in seal_faults(kept | {"seed": 8})]
([], ["digest = 'beced1fe696351bb996169a4f1987ca1' does not fit the file: it was damaged or edited"])
>>> with_check("voyage:guide:250:37d0b58c")
'voyage:guide:250:37d0b58c~AI'
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from cartomancer.errors import Fault, NotationError

SEAL: Final = "digest"
DAMAGED: Final = "does not fit the file: it was damaged or edited"
CHECK: Final = "~"  # stands before the check letters


def digest_of(value: Any, digits: int = 8) -> str:
    """Hex digits that change when the value does."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def sealed(body: Mapping[str, Any]) -> dict[str, Any]:
    """The plain data of a file with the digest of everything else in it."""
    bare = {key: value for key, value in body.items() if key != SEAL}
    return bare | {SEAL: digest_of(bare, digits=32)}


def seal_faults(data: Mapping[str, Any]) -> list[Fault]:
    """A fault if the data does not fit its digest; what was written before files had one has none to fit."""
    given = data.get(SEAL)
    return [Fault(SEAL, given, DAMAGED)] if SEAL in data and given != sealed(data)[SEAL] else []


def with_check(notation: str) -> str:
    """The notation with its two check letters."""
    return f"{notation}{CHECK}{check_letters(notation)}"


def without_check(text: str) -> str:
    """A notation without its check letters, if it has any; mistyped ones are refused."""
    notation, sign, letters = text.rpartition(CHECK)
    if not sign:
        return text
    if letters != (right := check_letters(notation)):
        raise NotationError(
            f"'{text}' is mistyped: its check letters are {letters or 'missing'}, but what stands before them has "
            f"{right} (if it was changed on purpose, leave out {CHECK}{letters})"
        )
    return notation


def check_letters(text: str) -> str:
    """Two letters that every change of one character changes, and every exchange of two neighbours: ISO 7064's MOD
    661-26, over the bytes of the text."""
    rest = 0
    for byte in text.encode("utf-8", "surrogatepass"):
        rest = (rest + byte) * 26 % 661
    first, second = divmod((1 - rest * 26) % 661, 26)
    return f"{chr(ord('A') + first)}{chr(ord('A') + second)}"
