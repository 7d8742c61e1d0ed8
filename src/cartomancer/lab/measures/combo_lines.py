"""The combo lines of a scenario's decks, as the survey counts them [GDD 4.4, 8.2].

>>> from cartomancer.encounters.packing import pack
>>> [(line.name, line.rooms) for line in lines_of(pack("boar"))][:2]
[('root_hollow.crush', (0,)), ('root_hollow.tremor', (0,))]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.encounter import Deck
from cartomancer.encounters.kernel.layout import MOST_CARDS
from cartomancer.encounters.packing import Packed
from cartomancer.errors import CartomancerError
from cartomancer.lab.kernel.deeds import Deed
from cartomancer.lab.kernel.lines import MOST_LINES, MOST_STEPS


@dataclass(frozen=True)
class CountedLine:
    """A line of a deck of the scenario."""

    name: str  # DECK.LINE
    steps: tuple[tuple[tuple[int, ...], int], ...]  # of each step, the numbers of the cards that count and their deed
    rooms: tuple[int, ...]  # where its deck is played, as places in the scenario: everywhere for a visitor's


def lines_of(packed: Packed, codex: Codex | None = None) -> tuple[CountedLine, ...]:
    """Every combo line of the scenario's decks, as they are played."""
    source, scenario = codex or load_codex(), packed.scenario
    decks = source.room_decks(scenario)
    found = [_counted(packed, deck, packed.decks[0][place], (place,)) for place, deck in enumerate(decks)]
    if (own := source.creature_deck(scenario)) is not None:
        found.append(_counted(packed, own, packed.decks[1], tuple(range(len(decks)))))
    lines = tuple(line for lines in found for line in lines)
    if len(lines) > MOST_LINES:
        raise CartomancerError(f"{packed.name}: {len(lines)} combo lines; a survey counts {MOST_LINES} at most")
    return lines


def _counted(packed: Packed, deck: Deck, numbers: tuple[int, ...], rooms: tuple[int, ...]) -> list[CountedLine]:
    places: dict[str | None, tuple[int, ...]] = {packed.cards[number].id: (number,) for number in numbers}
    places[None] = tuple(dict.fromkeys(numbers))
    return [
        CountedLine(
            f"{deck.id}.{name}",
            tuple((places.get(step.card, ()), Deed[step.deed.upper()]) for step in steps),
            rooms,
        )
        for name, steps in deck.lines.items()
    ]


def packed_lines(lines: tuple[CountedLine, ...]) -> Any:
    """The lines as the kernel reads them: of every line and step, the deed of each card that counts."""
    table = np.zeros((MOST_LINES, MOST_STEPS, MOST_CARDS), np.int8)
    for place, line in enumerate(lines):
        for step, (cards, deed) in enumerate(line.steps):
            table[place, step, list(cards)] = deed
    return table
