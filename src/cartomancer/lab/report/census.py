"""A census of cards: where each is, how often it is played, and whether playing it is a choice [GDD 13, 18.6].

>>> from cartomancer.content.codex import load_codex
>>> found = census(load_codex(), runs=10, scenarios=["boar"])
>>> found.of("gore").scenarios, found.of("gore").played > 0.5
(('boar',), True)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cartomancer.content.codex import Codex
from cartomancer.encounters.packing import pack
from cartomancer.lab.report.survey import survey
from cartomancer.players.simulation import Progress, going_on

LEAST_PLAYED: Final = 0.03  # of the runs of some scenario
MOST_TAKEN: Final = 0.95  # of the turns in which a card could be played
LEAST_CHANCES: Final = 20  # with fewer nothing can be said


@dataclass
class CardRecord:
    """What is known of a card over all scenarios."""

    card: str
    category: str
    played: float = 0.0  # the greatest share of a scenario's runs in which it was played
    chances: int = 0  # turns in which it could be played …
    taken: int = 0  # … and in which it was
    scenarios: tuple[str, ...] = ()

    @property
    def is_unplayed(self) -> bool:
        """Whether it is in a scenario and hardly played in any."""
        return bool(self.scenarios) and self.played < LEAST_PLAYED

    @property
    def is_always_played(self) -> bool:
        """Whether it is played whenever it can be, which is no choice; Energy is meant to be."""
        return self.category != "energy" and self.chances >= LEAST_CHANCES and self.taken > MOST_TAKEN * self.chances


@dataclass(frozen=True)
class Census:
    """Every card of the content."""

    cards: tuple[CardRecord, ...]
    runs: int  # of each scenario

    def of(self, card: str) -> CardRecord:
        """One card."""
        return next(record for record in self.cards if record.card == card)


def census(
    codex: Codex,
    runs: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = lambda done: None,
    scenarios: Iterable[str] | None = None,
) -> Census:
    """Survey the first runs of every scenario of the content, guardians' lairs among them, or of some."""
    records = {card.id: CardRecord(card.id, card.category) for card in codex.cards.values()}
    names = list(codex.fights if scenarios is None else scenarios)
    for done, name in enumerate(names):
        packed = pack(name, codex)
        found = survey(packed, runs, seed, threads=threads, progress=going_on(progress, done * runs), codex=codex)
        if found.runs < runs:
            raise KeyboardInterrupt  # part of a census says nothing of the rest
        played = (found.watched["plays"] > 0).mean(axis=0)
        for number, card in enumerate(packed.cards):
            record = records[card.id]
            record.played = max(record.played, float(played[number]))
            record.chances += int(found.tally["chances"][number])
            record.taken += int(found.tally["used"][number])
            record.scenarios += (name,)
    return Census(tuple(records.values()), runs)
