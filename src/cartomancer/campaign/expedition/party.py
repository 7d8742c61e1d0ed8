"""A party on the way: its members, what they have left, and its deck as it lies between fights (C2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from cartomancer.content.codex import Codex
from cartomancer.content.models.encounter import PartyClass
from cartomancer.content.models.expedition import ExpeditionTuning
from cartomancer.encounters.packing import Condition
from cartomancer.errors import CartomancerError

PILES = ("held", "discarded", "gone")
MOST_MEMBERS = 4


@dataclass
class Member:
    """One of the party."""

    kind: str  # the class's id
    cards: list[str]  # its kit, copy by copy; trained cards end with a plus sign
    vitality: int
    injury: int = 0  # steps of the hook (C5)
    bounty: int = 0


@dataclass
class Party:
    """Everybody who walks, and what they share."""

    members: list[Member]
    resolve: int
    nerve: int
    conflict: int = 0  # steps of a quarrel between two members …
    quarrel: list[int] = field(default_factory=list)  # … in these seats
    stress: int = 0
    held: int = 0  # the deck as the last fight left it: masks of its cards by their places
    discarded: int = 0
    gone: int = 0

    @classmethod
    def formed(cls, codex: Codex, kinds: Sequence[str]) -> Party:
        """A party of one to four classes, fresh."""
        if not 1 <= len(kinds) <= MOST_MEMBERS:
            raise CartomancerError(f"a party has 1 to {MOST_MEMBERS} members, not {len(kinds)}")
        found = [codex.classes[kind] for kind in kinds]
        members = [Member(one.id, kit_of(one), one.vitality) for one in found]
        return cls(members, sum(one.resolve for one in found), sum(one.nerve for one in found))

    # --- the most there can be ----------------------------------------------------------------------------------------

    def most_vitality(self, codex: Codex, seat: int) -> int:
        """A member's maximum: an injury lowers it, but never below 1 (C5)."""
        member = self.members[seat]
        return max(1, codex.classes[member.kind].vitality - codex.expedition.injury_vitality * member.injury)

    def shares(self, codex: Codex) -> list[float]:
        """What each member has left of the maximum."""
        return [member.vitality / self.most_vitality(codex, seat) for seat, member in enumerate(self.members)]

    def most(self, codex: Codex, reducer: str) -> int:
        """What the members bring of resolve or nerve together."""
        return sum(getattr(codex.classes[member.kind], reducer) for member in self.members)

    # --- into a fight and out of it -----------------------------------------------------------------------------------

    def fighters(self, codex: Codex) -> list[PartyClass]:
        """The members as a fight packs them: their kits as they are, their maxima as injuries leave them."""
        return [
            codex.classes[member.kind].model_copy(
                update={"cards": dict(Counter(member.cards)), "vitality": self.most_vitality(codex, seat)}
            )
            for seat, member in enumerate(self.members)
        ]

    def condition(self, tuning: ExpeditionTuning) -> Condition:
        """How it enters the next fight: stress gnaws at its nerve, but never takes the last of it (C5)."""
        nerve = max(1, self.nerve - tuning.stress_nerve * self.stress)
        vitality = tuple(member.vitality for member in self.members)
        return Condition(
            vitality,
            max(1, self.resolve),
            nerve,
            *(self.held, self.discarded, self.gone),
            tuple(self.quarrel),
            self.conflict,
        )

    def lay_out(self) -> None:
        """The whole deck is shuffled again, what was exhausted too: at a rest only (C2)."""
        self.held = self.discarded = self.gone = 0

    @property
    def rested(self) -> bool:
        """Whether the whole deck can be drawn, as after a rest."""
        return not (self.held or self.discarded or self.gone)

    # --- between fights -----------------------------------------------------------------------------------------------

    def heal(self, codex: Codex, percent: int, seats: Sequence[int] | None = None) -> list[int]:
        """Every member regains a share of its maximum, rounded down [Guardian, REST]. Returns the points by seat."""
        won = [0] * len(self.members)
        for seat in seats if seats is not None else range(len(self.members)):
            most = self.most_vitality(codex, seat)
            won[seat] = min(most - self.members[seat].vitality, most * percent // 100)
            self.members[seat].vitality += won[seat]
        return won

    def recover(self, codex: Codex, percent: int) -> dict[str, int]:
        """A share of the missing resolve and nerve returns, rounded up (C2)."""
        won = {}
        for reducer in ("resolve", "nerve"):
            missing = max(0, self.most(codex, reducer) - getattr(self, reducer))
            won[reducer] = -(-missing * percent // 100)
            setattr(self, reducer, getattr(self, reducer) + won[reducer])
        return won

    def change_card(self, seat: int, place: int, card: str) -> None:
        """A member's card becomes another; the piles of all others stay as they lie."""
        before = [(mine, at) for mine, member in enumerate(self.members) for at in range(len(member.cards))]
        cards = self.members[seat].cards
        cards[place] = card
        order = sorted(range(len(cards)), key=lambda at: cards.index(cards[at]))  # copies lie side by side
        self.members[seat].cards = [cards[at] for at in order]
        after = [(mine, at) if mine != seat else (mine, order[at]) for mine, at in before]
        moved = {old: new for new, old in enumerate(after)}
        for pile in PILES:
            mask = getattr(self, pile)
            there = sum(1 << moved[place_of] for k, place_of in enumerate(before) if mask >> k & 1)
            setattr(self, pile, there)


def kit_of(found: PartyClass) -> list[str]:
    """A class's cards, copy by copy."""
    return [card for card, copies in found.cards.items() for _ in range(copies)]
