"""Several questions at once: answered together, or refused together with every reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec, TypeVar

from cartomancer.content.toml_files import nearest
from cartomancer.errors import CartomancerError, Fault, FaultyError, UnknownNameError

Asked = TypeVar("Asked")
Given = TypeVar("Given")
Arguments = ParamSpec("Arguments")


class Refusals:
    """Hears several readers, each of which may refuse, and keeps all their reasons."""

    def __init__(self) -> None:
        self.refused: list[CartomancerError] = []

    def heard(self, read: Callable[Arguments, Given], *args: Arguments.args, **named: Arguments.kwargs) -> Given | None:
        """What the reader gives, or nothing where it refuses."""
        try:
            return read(*args, **named)
        except CartomancerError as error:
            self.refused.append(error)
            return None

    def told(self, what: str, faults: Sequence[Fault]) -> None:
        """Faults that were found elsewhere."""
        if faults:
            self.refused.append(FaultyError(f"{len(faults)} fault(s) in the {what}", faults))

    def settle(self) -> None:
        """A single refusal passes as it is; several are told together, fault by fault."""
        if len(self.refused) == 1:
            raise self.refused[0]
        if self.refused:
            faults = [fault for error in self.refused for fault in _faults(error)]
            raise FaultyError(f"{len(faults)} faults in the request", faults)


def _faults(error: CartomancerError) -> Sequence[Fault]:
    if isinstance(error, UnknownNameError):
        return [Fault(error.what, error.name, "is not known", nearest(error.name, error.known))]
    return error.faults or [Fault("request", None, f"is refused: {error}")]


def each_of(asked: Iterable[Asked], answer: Callable[[Asked], Given]) -> list[Given]:
    """What is given for every question; one refusal passes as it is, several are told together in their own words.

    >>> each_of(["2", "3"], int)
    [2, 3]
    """
    refusals = Refusals()
    found = [refusals.heard(answer, one) for one in asked]
    if len(refusals.refused) > 1:
        lines = (f"  - {error}" for error in refusals.refused)
        raise CartomancerError("\n".join([f"{len(refusals.refused)} faults", *lines]))
    refusals.settle()
    return [one for one in found if one is not None]
