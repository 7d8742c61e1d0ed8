"""Events: a text, two to four choices with visible stakes, and what comes of them (C10)."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from cartomancer.content.models.base import Complaints, Entry, Identifier, Strict, setting
from cartomancer.content.models.changes import Change, listed_changes
from cartomancer.content.models.encounter import Role

CHOICES: Final = (2, 4)


class EventOutcome(Strict):
    """One thing that may come of a choice."""

    weight: int = setting(1, "How likely it is, against the choice's others.", ge=1, le=100)
    text: str = Field(min_length=1, description="What happens, told once it has.")
    changes: list[Change] = setting(list, "What it changes; nothing without it.")


class Needs(Strict):
    """What a choice asks of the party before it can be taken."""

    gold: int = setting(0, "Gold in the purse.", ge=0, le=1000)
    supplies: int = setting(0, "Supplies in the packs.", ge=0, le=20)
    hook: Identifier | None = setting(None, "A hook the party carries.")
    role: Role | None = setting(None, "Somebody of this role who stands.")

    def phrase(self) -> str:
        """The needs in words; empty where there are none.

        >>> Needs(gold=10, hook="stress").phrase()
        'needs 10 gold, the hook stress'
        """
        asked = [
            self.gold and f"{self.gold} gold",
            self.supplies and f"{self.supplies} supplies",
            self.hook and f"the hook {self.hook.replace('_', ' ')}",
            self.role and f"a member whose role is {self.role}",
        ]
        found = [part for part in asked if part]
        return f"needs {', '.join(found)}" if found else ""


class EventChoice(Strict):
    """One answer to an event."""

    label: str = Field(min_length=1, max_length=60, description="What the party would do.")
    needs: Needs = setting(Needs(), "What it asks of the party.")
    outcomes: Annotated[list[EventOutcome], Field(min_length=1, max_length=4, description="What may come of it.")]

    def stakes(self) -> str:
        """What is at stake, with its odds, in words."""
        whole = sum(outcome.weight for outcome in self.outcomes)
        if len(self.outcomes) == 1:
            return listed_changes(self.outcomes[0].changes)
        return " | ".join(
            f"{round(100 * outcome.weight / whole)}%: {listed_changes(outcome.changes)}" for outcome in self.outcomes
        )


class Event(Entry):
    """Something met on the way: the summary is its text."""

    themes: list[Identifier] = setting(list, "The themes it belongs to; without any, all.")
    rival: bool = setting(False, "Whether it is about the rival: such events come on Rival contracts.")
    choices: list[EventChoice] = Field(min_length=CHOICES[0], max_length=CHOICES[1], description="Two to four.")

    def complaints(self) -> Complaints:
        labels = [choice.label for choice in self.choices]
        yield "choices", len(set(labels)) < len(labels), "two choices have the same label"
        yield "summary", not self.summary, "an event needs its text: give a summary"
        open_to_all = any(choice.needs == Needs() for choice in self.choices)
        yield "choices", not open_to_all, "at least one choice must need nothing: nobody may be stuck"
