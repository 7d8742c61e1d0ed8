"""Changes: the one form in which rewards, events and mishaps alter a party between its fights.

A change's words are generated from its fields, so that what is shown is what will happen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from cartomancer.content.models.base import Complaints, Identifier, Strict, setting
from cartomancer.content.models.vocabulary import WORDS


class ChangeRule(Strict):
    """A change in words, and what content must say about it."""

    phrase: str
    loss: str = setting("", "The phrase where the amount is below 0; without it, it cannot be.")
    needs: list[str] = setting(list, "Fields it reads and cannot do without.")
    may: list[str] = setting(list, "Fields it reads if they are there.")


CHANGES: Final = {kind: ChangeRule(**row) for kind, row in WORDS["changes"].items()}
if TYPE_CHECKING:
    ChangeKind = str
else:
    ChangeKind = Literal[tuple(CHANGES)]
Who = Literal["all", "random", "weakest", "strongest"]
WHO: Final[dict[str, str]] = {
    "all": "everybody",
    "random": "somebody",
    "weakest": "whoever is hurt most",
    "strongest": "whoever is hurt least",
}
READ_BY_SOME: Final = ("hook", "modifier", "item", "fights")


class Change(Strict):
    """One change to a party: part of a reward, of what a choice leads to, of a mishap."""

    kind: ChangeKind = Field(description="What changes.")
    amount: int = Field(ge=-1000, le=1000, description="How much of it; losses are negative.")
    chance_percent: int = setting(100, "How likely it is.", ge=1, le=100)
    who: Who = setting("all", "hurt, heal_percent, hook: whom of the party it meets.")
    hook: Identifier | None = setting(None, "hook, treat: which hook.")
    modifier: Identifier | None = setting(None, "modifier: the trait, trial or item in force in the coming fights.")
    item: Identifier | None = setting(None, "item: which; without it, one drawn at random.")
    fights: int = setting(0, "modifier: for how many fights.", ge=0, le=9)

    def complaints(self) -> Complaints:
        rule = CHANGES[self.kind]
        yield "amount", not self.amount, "amount must not be 0: nothing would change"
        yield "amount", self.amount < 0 and not rule.loss, f"{self.kind} cannot be lost: amount must be above 0"
        for field in READ_BY_SOME:
            given = bool(getattr(self, field))
            yield field, field in rule.needs and not given, f"{field} is needed with kind {self.kind}"
            yield field, given and field not in rule.needs + rule.may, f"{field} means nothing with kind {self.kind}"

    def phrase(self) -> str:
        """The change in words.

        >>> Change(kind="gold", amount=-5).phrase()
        '5 gold lost'
        >>> Change(kind="treat", amount=1, hook="stress", chance_percent=50).phrase()
        'a 50% chance of stress eased by 1 step'
        """
        rule, size = CHANGES[self.kind], abs(self.amount)
        words = (rule.loss if self.amount < 0 else rule.phrase).format(
            n=size,
            p="" if size == 1 else "s",
            ies="y" if size == 1 else "ies",
            who=WHO[self.who],
            hook=(self.hook or "").replace("_", " "),
            modifier=(self.modifier or "").replace("_", " "),
            item=(self.item or "item").replace("_", " "),
            fights="the next fight" if self.fights == 1 else f"the next {self.fights} fights",
        )
        return words if self.chance_percent == 100 else f"a {self.chance_percent}% chance of {words}"


def listed_changes(changes: list[Change]) -> str:
    """Several changes in words; none is nothing."""
    return "; ".join(change.phrase() for change in changes) or "nothing"
