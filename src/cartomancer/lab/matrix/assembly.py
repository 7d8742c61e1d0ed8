"""A cell's tables put together from pieces: one for every party, one for every dungeon.

Packing a match reads all its content; a matrix has hundreds of thousands of cells between a few hundred parties and a
few thousand dungeons. So each party is packed once (against any dungeon) and each dungeon once (against any party), and
a cell takes the visitor's part of one and the dungeon's part of the other. Only card numbers must be given again: the
rooms' cards come first, then whatever the visitor has besides, as `pack_scenario` numbers them. The result is what
packing the match itself gives, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from cartomancer.encounters.kernel.codes import VISITOR
from cartomancer.encounters.kernel.layout import CARD, MOST_CARDS, MOST_INSTANCES, MOST_ROOMS, NUMBER, TABLES
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.jit import records
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.players.kernel.layout import POLICIES
from cartomancer.players.policies import PlayerSpec, Policies, pack_policies

Cell = tuple[int, int]  # a party's number, a dungeon's number
VISITORS_OWN: Final = (
    "member_count",
    "kill_at",
    "start_trust",
    "member_start",
    "member_attributes",
    "owner",
    "visitor_deck_size",
)
EVERY_ROOM: Final = ("profiles", "reacts", "react_cards")  # of a side, room by room
MEMBERS_OWN: Final = ("healers", "threats")
DECK_AT: Final = TABLES.fields["visitor_deck"][1] // np.dtype(NUMBER).itemsize if TABLES.fields else 0
CARDS_AT: Final = TABLES.fields["cards"][1] // np.dtype(NUMBER).itemsize if TABLES.fields else 0
CARD_WORDS: Final = CARD.itemsize // np.dtype(NUMBER).itemsize


@dataclass(frozen=True)
class PartyPiece:
    """What a party brings to any dungeon."""

    table: Any  # its words of a table, as `_table_words` lists them
    policies: tuple[Any, ...]  # its bytes of policies, by the number of rooms, as `_policy_bytes` lists them
    cards: Any  # its different cards, as places in the codex, in the order they first come
    card_words: Any  # a row for each of them
    deck: Any  # each instance as a place among them


@dataclass(frozen=True)
class DungeonPiece:
    """What a dungeon brings against any party."""

    table: Any  # words
    policy: Any  # bytes
    numbers: Any  # by place in the codex: the number of a card, -1 where it has none
    used: int  # cards of the rooms
    rooms: int


class Assembly:
    """Tables and policies for the cells of a codex's compositions."""

    def __init__(
        self, space: Compositions, dungeon: PlayerSpec | None = None, visitor: PlayerSpec | None = None
    ) -> None:
        self.space, self.specs = space, (dungeon or PlayerSpec(), visitor or PlayerSpec())
        self._places = {card: place for place, card in enumerate(space.codex.cards)}
        self._parties: dict[int, PartyPiece] = {}
        self._dungeons: dict[int, DungeonPiece] = {}

    def packed(self, party: int, dungeon: int) -> tuple[Packed, Policies]:
        """A cell packed from its content."""
        packed = pack(self.space.name(party, dungeon), self.space.codex)
        return packed, pack_policies(packed, *self.specs, self.space.codex)

    def tables(self, cells: Sequence[Cell]) -> tuple[Any, Any]:
        """The tables and policies of some cells."""
        tables, policies = records(len(cells), TABLES), records(len(cells), POLICIES)
        words, workspace = _rows(tables, np.int16), _rows(policies, np.uint8)
        for k, (party, dungeon) in enumerate(cells):
            _assemble(self._party(party), self._dungeon(dungeon), words[k], workspace[k])
        return tables, policies

    def _party(self, index: int) -> PartyPiece:
        if index not in self._parties:
            packed, policies = self.packed(index, 0)
            deck = np.array(packed.decks[1])
            _, firsts, inverse = np.unique(deck, return_index=True, return_inverse=True)
            order = np.argsort(firsts)
            numbers = deck[firsts[order]]
            everywhere = _alone(policies.table, POLICIES)
            for field in EVERY_ROOM:  # it is the same in every room
                everywhere[field][0, VISITOR] = everywhere[field][0, VISITOR, 0]
            workspace = _rows(everywhere, np.uint8)[0]
            self._parties[index] = PartyPiece(
                table=_rows(_alone(packed.tables, TABLES), np.int16)[0, _table_words()],
                policies=tuple(workspace[_policy_bytes(rooms)] for rooms in range(MOST_ROOMS + 1)),
                cards=np.array([self._places[packed.cards[number].id] for number in numbers]),
                card_words=_rows(np.ascontiguousarray(packed.tables["cards"][numbers]), np.int16),
                deck=np.argsort(order)[inverse],
            )
        return self._parties[index]

    def _dungeon(self, index: int) -> DungeonPiece:
        if index not in self._dungeons:
            packed, policies = self.packed(0, index)
            used = 1 + max(number for deck in packed.decks[0] for number in deck)
            numbers = np.full(len(self._places), -1, np.int16)
            for number, card in enumerate(packed.cards[:used]):
                numbers[self._places[card.id]] = number
            words = _rows(_alone(packed.tables, TABLES), np.int16)[0]
            words[CARDS_AT + used * CARD_WORDS :] = 0
            words[DECK_AT : DECK_AT + MOST_INSTANCES] = 0
            policy = _rows(_alone(policies.table, POLICIES), np.uint8)[0]
            self._dungeons[index] = DungeonPiece(words, policy, numbers, used, len(packed.rooms))
        return self._dungeons[index]


def _assemble(party: PartyPiece, dungeon: DungeonPiece, words: Any, workspace: Any) -> None:
    """The dungeon's tables with the party's part in its place."""
    numbers = dungeon.numbers[party.cards]
    fresh = numbers < 0
    end = dungeon.used + int(np.count_nonzero(fresh))
    if end > MOST_CARDS:
        raise CartomancerError(f"{end} different cards are more than a match can hold: at most {MOST_CARDS}")
    numbers[fresh] = np.arange(dungeon.used, end)
    words[:] = dungeon.table
    words[_table_words()] = party.table
    words[DECK_AT : DECK_AT + len(party.deck)] = numbers[party.deck]
    words[CARDS_AT + dungeon.used * CARD_WORDS : CARDS_AT + end * CARD_WORDS] = party.card_words[fresh].ravel()
    workspace[:] = dungeon.policy
    workspace[_policy_bytes(dungeon.rooms)] = party.policies[dungeon.rooms]


def _alone(record: Any, dtype: Any) -> Any:
    """A copy of a record as an array of one."""
    found = np.zeros(1, dtype)
    found[0] = record
    return found


def _rows(array: Any, word: Any) -> Any:
    """An array of records as words, a row for each record; writing there writes into the records."""
    return array.view(word).reshape(len(array), -1)


@cache
def _table_words() -> Any:
    """The places of the visitor's words in a table, but for its deck and its cards, which depend on the dungeon's."""
    marked = np.zeros(1, TABLES)
    for field in VISITORS_OWN:
        marked[field] = 1
    marked["start"][0, VISITOR] = 1
    return np.flatnonzero(_rows(marked, np.int16)[0])


@cache
def _policy_bytes(rooms: int) -> Any:
    """The places of the visitor's bytes in policies for so many rooms."""
    marked = np.zeros(1, POLICIES)
    for field in EVERY_ROOM:
        marked[field][0, VISITOR, :rooms].view(np.uint8)[...] = 1
    for field in MEMBERS_OWN:
        marked[field][0].view(np.uint8)[...] = 1
    return np.flatnonzero(_rows(marked, np.uint8)[0])
