"""`cartomancer encounter explain`: why a computer player does what it does at a decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Annotated, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer import Option

from cartomancer import encounters, players
from cartomancer.cli import arguments, output
from cartomancer.cli.arguments import Side
from cartomancer.cli.games import GameArgument, opened
from cartomancer.errors import CartomancerError
from cartomancer.figures import chance, percent, points

CHANCES: Final = {"chance", "pressure", "belief"}  # numbers of formulas that are shares
COUNTS: Final = {"trust", "low_reducers", "energy_in_hand", "most_energy_kept"}


def explain(
    game: GameArgument,
    at: Annotated[
        int | None,
        Option("--at", min=1, help="Before which action: 1 is the first. The last decision without it."),
    ] = None,
    side: Annotated[
        Side | None, Option("--side", help="The last decision of this side up to there: dungeon or visitor.")
    ] = None,
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Explain what a computer player does at a decision: every option, its score and what the score is made of, the
    plan of the turn. Players are those of the file or the batch, unless told otherwise.

    cartomancer encounter explain boar@7:123 --at 20
    """
    run, choosers, _ = opened(game, ai_dungeon, ai_visitor)
    number, position = _decision(run, at, side and side.value)
    found = players.explain(choosers, position)
    played = position.text_of(run.actions[number - 1]) if number <= len(run.actions) else None
    if as_json:
        head = {"notation": encounters.notation(position), "number": number, "round": position.round, "played": played}
        raise output.answered(head | found.as_dict())
    console, when = output.screen(), f", round {position.round}" if position.round else ""
    output.line(console, Text(found.sentence(), style="bold"))
    output.line(console, Text(f"Before action {number} ({found.kind}{when}).", style="dim"))
    console.print(_options(found, console))
    for said in _remarks(found, played):
        output.line(console, Text(said))
    output.say(encounters.notation(position))


# --- which decision ---------------------------------------------------------------------------------------------------


def _decision(run: encounters.Encounter, at: int | None, side: str | None) -> tuple[int, encounters.Encounter]:
    """The last decision up to the one asked for (of a side): the number of its action, and the position."""
    decisions = len(run.actions) + (run.decision is not None)
    if at is not None and at > decisions:
        raise CartomancerError(f"the game has {decisions} decisions: --at goes from 1 to {decisions}")
    again, found = encounters.Encounter(run.packed, run.seed), None
    for number in range(1, (at or decisions) + 1):
        if again.decision is not None and side in (None, again.decision.side):
            found = number, again.copy()
        if number <= len(run.actions):
            again.apply(run.actions[number - 1])
    if found is None:
        raise CartomancerError(f"the {side} has not been asked by then")
    return found


# --- the report -------------------------------------------------------------------------------------------------------


def _remarks(found: players.Explanation, played: str | None) -> Iterator[str]:
    """What else there is to say: the plan, the numbers reckoned with, what the opponent may hold, what was played."""
    if found.plan:
        yield "plan: " + " → ".join(f"{step.text} ({step.role})" for step in found.plan)
    if found.formula:
        numbers = [f"{name.replace('_', ' ')} {_number(name, value)}" for name, value in found.formula.items()]
        yield f"reckoned with: {', '.join(numbers)}"
    if found.tracker is not None:
        yield known(found.tracker)
    if played is not None and played != found.chosen.text:
        yield f"In the game the {found.side} chose otherwise: {played}"


def known(tracker: players.DeckTracker) -> str:
    """What the deck tracker says of the opponent's hand, the likeliest first."""
    held = {name: tracker.chance_held(name) for name in tracker.unseen}
    likely = [f"{name} {percent(held[name], 0)}" for name in sorted(held, key=lambda n: -held[n]) if held[name]]
    depleted = f"; none left of {', '.join(tracker.depleted)}" if tracker.depleted else ""
    return f"the opponent holds, of {tracker.hidden_hand} hidden cards: {', '.join(likely) or 'nothing'}{depleted}"


def _number(name: str, value: int | bool) -> str:
    """A number of a formula as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in COUNTS:
        return str(value)
    return chance(value) if name in CHANCES else points(value)


def _options(found: players.Explanation, console: Console) -> Table:
    """The options by score: what is chosen marked, what is planned numbered, copies of a card together. The parts of
    the scores have columns of their own where the terminal is wide enough; a score's only part is the score."""
    from cartomancer.players.reasons import PARTS

    several = {name for option in found.options if len(option.parts) > 1 for name in option.parts}
    wide = _table(found, [name for name in PARTS if name in several])
    return wide if console.measure(wide).maximum < console.width else _table(found, None)


def _table(found: players.Explanation, parts: list[str] | None) -> Table:
    """The table, with parts in columns or all of them in words."""
    plan = {step.action: str(place) for place, step in enumerate(found.plan, 1)}
    heads = [head for head, read in NUMBERS.items() if any(read(option) for option in found.options)]
    if any(option.action in plan for option in found.options):
        heads.insert(0, "plan")
    columns = ("", "option", *heads, *(parts or []), "")
    shown = output.table("", columns, left=(0, 1, -1), whole=range(len(columns) - 1))
    rows: Counter[tuple[str, ...]] = Counter()
    for option in found.ranked():
        numbers = [plan.get(option.action, "") if head == "plan" else NUMBERS[head](option) for head in heads]
        numbers += [_points(option.parts.get(name)) for name in parts or []]
        words = _words(option) if parts is None else option.note
        rows["▸" if option.chosen else "", option.text, *numbers, words] += 1
    for (mark, text, *cells), copies in rows.items():
        shown.add_row(mark, f"{text} ×{copies}" if copies > 1 else text, *cells, style="bold" if mark else None)
    return shown


def _words(option: players.Option) -> str:
    """The parts of a score and what else there is to say, in words."""
    told = [f"{name} {_points(part)}" for name, part in option.parts.items()] if len(option.parts) > 1 else []
    return ", ".join(told + ([option.note] if option.note else []))


def _points(value: int | None) -> str:
    return "" if value is None else points(value)


NUMBERS: Final[dict[str, Callable[[players.Option], str]]] = {
    "score": lambda option: _points(option.score),
    "rollouts": lambda option: _points(option.worth),
    "cost": lambda option: "" if option.cost is None else str(option.cost),
}
