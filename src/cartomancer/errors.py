"""The error tree: small classes that carry the data a caller needs to show or mend the fault.

>>> fault = Fault("rows", 2, "is too small", expected="3 to 40", where="my-preset.toml")
>>> print(fault)
my-preset.toml: rows = 2 is too small (right would be: 3 to 40)
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where, which field, which value, what is wrong, what would be right."""

    field: str
    value: Any
    problem: str
    expected: str = ""
    where: str = ""
    rule: str = ""

    def __str__(self) -> str:
        head = f"{self.where}: " if self.where else ""
        value = "" if self.value is None else f" = {shown(self.value)}"
        tail = f" (right would be: {self.expected})" if self.expected else ""
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{head}{self.field}{value} {self.problem}{tail}{rule}"

    def as_dict(self) -> dict[str, Any]:
        names = ("where", "field", "value", "problem", "expected", "rule")
        found = {name: getattr(self, name) for name in names}
        try:
            json.dumps(self.value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            found["value"] = shown(self.value)  # its text, where JSON cannot say it
        return found


def shown(value: Any) -> str:
    """A value of a file as messages show it: short, and nothing in it that a terminal would obey."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= 80 else text[:77] + "..."


class CartomancerError(ValueError):
    """Anything Cartomancer refuses. `faults` lists every reason at once."""

    faults: tuple[Fault, ...] = ()


class FaultyError(CartomancerError):
    """A refusal with a list of faults behind it."""

    def __init__(self, headline: str, faults: Iterable[Fault]) -> None:
        self.headline = headline
        self.faults = tuple(faults)
        super().__init__("\n".join([headline, *(f"  - {fault}" for fault in self.faults)]))

    @classmethod
    def refuse(cls, where: str, headline: str, faults: Iterable[Fault]) -> None:
        """Raises for the faults of one place, if there are any; {n} in the headline is their number."""
        if found := [replace(fault, where=where) for fault in faults]:
            raise cls(f"{where}: {headline.format(n=len(found))}", found)


class ContentError(FaultyError):
    """A content file (preset, catalog entry) is not valid."""


class RulesError(FaultyError):
    """Rules that cannot be satisfied, refused before anything is generated."""


class MapFileError(FaultyError):
    """A map file that cannot be read as a map. `readable` is what could be read of it, if all its nodes could."""

    readable: Any = None


class ReplayError(FaultyError):
    """A replay or save (of an encounter, a journey, its Unknowns) that cannot be read: damaged, edited, or not one."""


class KeptFileError(FaultyError):
    """A file that a command kept (a baseline, an audit, a checkpoint, a job) and is damaged, edited, or not one."""


class DivergedError(CartomancerError):
    """A replay that does not come out as it was recorded."""

    def __init__(self, decision: int, reason: str) -> None:
        self.decision, self.reason = decision, reason
        super().__init__(f"the replay diverges at decision {decision}: {reason}")


class IllegalActionError(CartomancerError):
    """An action that may not be taken now, with the reason in words and, where the rules refuse it, as a name.

    The encounter is as it was.
    """

    def __init__(self, message: str, refusal: str = "") -> None:
        self.refusal = refusal
        super().__init__(message)


MOST_LISTED = 40


class UnknownNameError(CartomancerError):
    """A name that does not exist, with the names that do."""

    def __init__(self, what: str, name: str, known: Sequence[str]) -> None:
        self.what, self.name, self.known = what, name, tuple(known)
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        listed = ", ".join(known[:MOST_LISTED]) + (f", … ({len(known)} in all)" if len(known) > MOST_LISTED else "")
        super().__init__(f"unknown {what} '{name}': {hint}known: {listed}")


class NotationError(CartomancerError):
    """A one-line notation or a seed that cannot be read."""


class QueryError(CartomancerError):
    """A search expression that cannot be compiled."""


class SelectionError(CartomancerError):
    """A node that may not be entered from where the party stands."""


class PublicMapError(CartomancerError):
    """Something that needs the seed was asked of the public half of a map (M14)."""


class HostOnlyError(SelectionError):
    """Only the host chooses the way [Guardian, core rule 3]."""


class GenerationError(CartomancerError):
    """A generator used up its bounded attempts. It says so instead of looping or handing out a bad map."""
