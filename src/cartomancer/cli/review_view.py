"""How a review looks in a terminal: the course of the game, where it turned, what decisions cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text

from cartomancer.cli import output
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters import Encounter, Titles
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.narration import sentence
from cartomancer.players import PlayerSpec, Review, review, review_steps
from cartomancer.players.postmortem import ROLLOUTS, Choice, Judged
from cartomancer.players.turning_points import Moment, Turn

CHANCE: Final = {"dice": "the dice", "cards": "the luck of the cards"}


def looked_back(
    run: Encounter,
    side: str | None,
    players: Mapping[str, PlayerSpec],
    rollouts: int | None = None,
) -> Review:
    """A review, with a bar for its progress; a side without a player has the scenario's profile."""
    dungeon, visitor = map(players.get, SIDES)
    with output.progress_bar("looking back", review_steps(run)) as progress:
        return review(run, side, rollouts or ROLLOUTS, dungeon, visitor, progress=progress)


def print_review(console: Console, found: Review, titles: Titles) -> None:
    """A review in words, worths in hundredths."""
    console.print(Text("What the ending was worth, in hundredths, as each round began", style="bold"))
    for side in SIDES:
        output.line(console, Text(f"{side}: {_course(found.course, side, titles)}"), 2)
    console.print()
    turned = "Where the game turned" if found.turning_points else "Nothing turned the game, beyond noise"
    console.print(Text(turned, style="bold"))
    for turn in found.turning_points:
        output.line(console, Text(f"{turn.number}  {_where(turn, titles)}: {_blame(turn, titles)}"), 2)
        for line in (*turn.story, *_drawn(turn, titles)):
            output.line(console, Text(line, style="dim"), 6)
        output.line(console, Text(_changes(turn)), 6)
    for judged in found.judged:
        console.print()
        console.print(Text(_verdict(judged, titles), style="bold"))
        dear = [choice for choice in judged.choices if choice.is_clear]
        if dear:
            console.print(_table(dear, titles))


def _course(course: Sequence[Moment], side: str, titles: Titles) -> str:
    """Worths at the start of every round, room by room, and at the end."""
    begun = [next(several) for _, several in groupby(course[:-1], key=lambda moment: (moment.room, moment.round))]
    rooms = [
        " ".join([titles.room(room), *(_hundredths(moment.worths.of(side)) for moment in rounds)])
        for room, rounds in groupby((moment for moment in begun if moment.round), key=lambda moment: moment.room)
    ]
    return f"{' · '.join(rooms)} → {_hundredths(course[-1].worths.of(side))}"


def _where(found: Turn | Choice, titles: Titles) -> str:
    return f"{titles.room(found.room)}, round {found.round}" if found.round else f"{titles.room(found.room)}, opening"


def _blame(turn: Turn, titles: Titles) -> str:
    """Who caused it."""
    decided = f"{titles.who(turn.side)} chose {_readable(turn.action)}"
    return decided if turn.cause == "decision" else f"{CHANCE[turn.cause]} after {decided}"


def _drawn(turn: Turn, titles: Titles) -> Iterator[str]:
    """What was drawn, now that nothing is hidden."""
    for side, cards in turn.drawn.items():
        if cards and turn.cause == "cards":
            yield sentence(f"{titles.who(side)} drew {listed([titles.card(name) for name in cards])}")


def _changes(turn: Turn) -> str:
    """What it changed for both sides."""
    moved = ((side, _hundredths(turn.before.of(side)), _hundredths(turn.after.of(side))) for side in SIDES)
    told = (f"{side} {before} → {after} ({_points(turn.change(side))})" for side, before, after in moved)
    return f"{', '.join(told)}; ± {100 * turn.error:.0f}"


def _verdict(judged: Judged, titles: Titles) -> str:
    """How a side decided."""
    alike = judged.decisions - len(judged.choices)
    who = sentence(titles.who(judged.side)).removesuffix(".")
    points = f"{_points(judged.cost).removeprefix('+')} ± {100 * judged.error:.0f} points"
    lost = f"the others cost it {points} in all"
    if judged.cost <= judged.error:
        lost = f"what the others cost in all is no more than noise ({points})"
    return f"{who} decided {counted(judged.decisions, 'time')}, {alike} of them as a smart player would have; {lost}"


def _table(choices: Sequence[Choice], titles: Titles) -> RenderableType:
    """What was dear beyond noise."""
    rows = [
        (
            *(str(one.number), _where(one, titles), _readable(one.played), _readable(one.smart)),
            f"{100 * one.cost:.1f} ± {100 * one.error:.1f}",
        )
        for one in choices
    ]
    return output.table("", ("action", "where", "chosen", "smart would have", "cost"), rows, left=(1, 2, 3))


def _readable(action: str) -> str:
    """An action as it may be typed."""
    return action.replace("→", "target")


def _hundredths(share: float) -> str:
    return f"{100 * share:.0f}"


def _points(share: float) -> str:
    return f"{round(100 * share):+d}".replace("-", "−")
