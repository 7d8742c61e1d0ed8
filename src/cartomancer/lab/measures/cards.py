"""Cards and combo lines: what is played, and what comes together [GDD 4.4, 8.2]. Of the runs that could show it: a
dungeon's card can be played only where its deck has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.measure import Evidence, Family, Measure, RateMeasure


def could_column(name: str) -> str:
    """The column that says which runs entered a room in which a card or a line has its deck."""
    return f"could.{name}"


def _rate(name: str) -> Measure:
    """The share of the runs that could show it in which it happened."""
    return RateMeasure(
        name,
        (name, could_column(name)),
        lambda counts: counts[name] > 0,
        among=lambda counts: counts[could_column(name)] > 0,
        evidence=Evidence.SURVEY,
    )


def played_name(card: str) -> str:
    """The measure of a card."""
    return f"played.{card}"


def line_name(line: str) -> str:
    """The measure of a combo line, by its deck and its own name."""
    return f"line.{line}"


def _played(context: ScenarioContext) -> Iterator[Measure]:
    return (_rate(played_name(card)) for card in context.cards)


def _lines(context: ScenarioContext) -> Iterator[Measure]:
    return (_rate(line_name(line.name)) for line in context.lines)


FAMILIES: Final = (
    Family(
        "played.CARD",
        "of the runs that enter a room with the card's deck, those in which it is played",
        _played,
        head="played",
        evidence=Evidence.SURVEY,
    ),
    Family(
        "line.DECK.LINE",
        "of the runs that enter a room with the deck, those in which all steps of its combo line are done in order",
        _lines,
        "decks with lines",
        head="line",
        evidence=Evidence.SURVEY,
    ),
)
