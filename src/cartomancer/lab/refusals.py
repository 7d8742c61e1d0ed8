"""Several wishes at once: granted together, or refused together with every reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from cartomancer.errors import CartomancerError

Wish = TypeVar("Wish")
Granted = TypeVar("Granted")


def each_of(wishes: Iterable[Wish], grant: Callable[[Wish], Granted]) -> list[Granted]:
    """What is granted for every wish; one refusal passes as it is, several are told together.

    >>> each_of(["2", "3"], int)
    [2, 3]
    """
    granted, refused = [], list[CartomancerError]()
    for wish in wishes:
        try:
            granted.append(grant(wish))
        except CartomancerError as error:
            refused.append(error)
    if len(refused) == 1:
        raise refused[0]
    if refused:
        raise CartomancerError("\n".join([f"{len(refused)} faults", *(f"  - {error}" for error in refused)]))
    return granted
