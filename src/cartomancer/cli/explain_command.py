"""`cartomancer encounter explain`: why a computer player does what it does at a decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.text import Text

from cartomancer.cli import output
from cartomancer.cli.arguments import DEFAULT_PLAYER, FIRST, AiDungeon, AiVisitor, AsJson, scenario_names
from cartomancer.cli.positions import Side, position_from
from cartomancer.errors import CartomancerError, NotationError
from cartomancer.figures import chance, percent, points

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from cartomancer.encounters.encounter import Encounter
    from cartomancer.players.explanation import Explanation, Option
    from cartomancer.players.player import Players
    from cartomancer.players.tracker import DeckTracker

CHANCES: Final = {"chance", "pressure", "belief"}  # numbers of formulas that are shares
COUNTS: Final = {"trust", "low_reducers", "energy_in_hand", "most_energy_kept"}


def explain(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A notation (encounter:…), a replay or save file, or a run of a batch (boar@7:123: seed 7, run 123).",
            autocompletion=scenario_names,
        ),
    ],
    at: Annotated[
        int | None,
        typer.Option("--at", min=1, help="Before which action: 1 is the first. The last decision without it."),
    ] = None,
    side: Annotated[
        Side | None, typer.Option("--side", help="The last decision of this side up to there: dungeon or visitor.")
    ] = None,
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    as_json: AsJson = False,
) -> None:
    """Explain what a computer player does at a decision: every option, its score and what the score is made of, the
    plan of the turn. Players are those of the file or the batch, unless told otherwise.

    cartomancer encounter explain boar@7:123 --at 20
    """
    from cartomancer.encounters.replay import notation
    from cartomancer.players import explain as explained

    run, players = _opened(game, ai_dungeon, ai_visitor)
    number, position = _decision(run, at, side and side.value)
    found = explained(players, position)
    played = position.text_of(run.actions[number - 1]) if number <= len(run.actions) else None
    if as_json:
        head = {"notation": notation(position), "number": number, "round": position.round, "played": played}
        output.print_json(head | found.as_dict())
        return
    _print(found, position, number, played)
    output.stdout().print(notation(position), markup=False)


# --- which decision ---------------------------------------------------------------------------------------------------


def _is_recorded(game: str) -> bool:
    """Whether the game's decisions are written down, in a notation or a file."""
    return game.startswith("encounter:") or Path(game).suffix == ".json"


def _opened(game: str, dungeon: str | None, visitor: str | None) -> tuple[Encounter, Players]:
    """A game with all its decisions, and the players whose choices are explained."""
    from cartomancer.encounters.replay import load_replay, play_replay
    from cartomancer.players.player import play_out
    from cartomancer.players.simulation import read_run_name

    if Path(game).suffix == ".json":
        replay = load_replay(Path(game))
        run, kept = play_replay(replay), dict(replay.players or {})
        return run, _players_of(run, dungeon or kept.get("dungeon"), visitor or kept.get("visitor"))
    if not _is_recorded(game) and read_run_name(game) is None:
        raise NotationError(
            f"no game: '{game}' (right would be a notation, a replay or save file, or {game}@SEED:INDEX)"
        )
    run = position_from(game)
    players = _players_of(run, dungeon, visitor)
    if _is_recorded(game):
        return run, players
    with output.progress_bar(run.packed.name, 1):
        return play_out(run, players), players


def _players_of(run: Encounter, dungeon: str | None, visitor: str | None) -> Players:
    """The players as named; the default one in place of persons and of `first`."""
    from cartomancer.cli.play_command import PERSON
    from cartomancer.players.player import make_players
    from cartomancer.players.policies import player_spec

    names = [DEFAULT_PLAYER if name in {None, FIRST, PERSON} else str(name) for name in (dungeon, visitor)]
    return make_players(run.packed, player_spec(names[0], "dungeon"), player_spec(names[1], "visitor"))


def _decision(run: Encounter, at: int | None, side: str | None) -> tuple[int, Encounter]:
    """The last decision up to the one asked for (of a side): the number of its action, and the position."""
    from cartomancer.encounters.encounter import Encounter

    decisions = len(run.actions) + (run.decision is not None)
    if at is not None and at > decisions:
        raise CartomancerError(f"the game has {decisions} decisions: --at goes from 1 to {decisions}")
    again, found = Encounter(run.packed, run.seed), None
    for number in range(1, (at or decisions) + 1):
        if again.decision is not None and side in (None, again.decision.side):
            found = number, again.copy()
        if number <= len(run.actions):
            again.apply(run.actions[number - 1])
    if found is None:
        raise CartomancerError(f"the {side} has not been asked by then")
    return found


# --- the report -------------------------------------------------------------------------------------------------------


def _print(found: Explanation, position: Encounter, number: int, played: str | None) -> None:
    """An explanation for people."""
    console = output.screen()
    when = f", round {position.round}" if position.round else ""
    output.line(console, Text(found.sentence(), style="bold"))
    output.line(console, Text(f"Before action {number} ({found.kind}{when}).", style="dim"))
    console.print(_options(found, console))
    if found.plan:
        output.line(console, Text("plan: " + " → ".join(f"{step.text} ({step.role})" for step in found.plan)))
    if found.formula:
        numbers = [f"{name.replace('_', ' ')} {_number(name, value)}" for name, value in found.formula.items()]
        output.line(console, Text(f"reckoned with: {', '.join(numbers)}"))
    if found.tracker is not None:
        output.line(console, Text(_known(found.tracker)))
    if played is not None and played != found.chosen.text:
        output.line(console, Text(f"In the game the {found.side} chose otherwise: {played}"))


def _known(tracker: DeckTracker) -> str:
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


def _options(found: Explanation, console: Console) -> Table:
    """The options by score: what is chosen marked, what is planned numbered, copies of a card together. The parts of
    the scores have columns of their own where the terminal is wide enough."""
    wide = _table(found, _part_columns(found))
    return wide if console.measure(wide).maximum < console.width else _table(found, None)


def _part_columns(found: Explanation) -> list[str]:
    """The parts that any option has; a score's only part is the score."""
    from cartomancer.players.reasons import PARTS

    several = {name for option in found.options if len(option.parts) > 1 for name in option.parts}
    return [name for name in PARTS if name in several]


def _table(found: Explanation, parts: list[str] | None) -> Table:
    """The table, with parts in columns or all of them in words."""
    plan = {step.action: str(place) for place, step in enumerate(found.plan, 1)}
    heads = [head for head, read in NUMBERS.items() if any(read(option) for option in found.options)]
    if any(option.action in plan for option in found.options):
        heads.insert(0, "plan")
    shown = output.table("", "", "option", *heads, *(parts or []), "")
    shown.columns[1].justify = shown.columns[-1].justify = "left"
    for column in shown.columns[:-1]:
        column.no_wrap = True
    rows: Counter[tuple[str, ...]] = Counter()
    for option in found.ranked():
        numbers = [plan.get(option.action, "") if head == "plan" else NUMBERS[head](option) for head in heads]
        numbers += [_points(option.parts.get(name)) for name in parts or []]
        words = _words(option) if parts is None else option.note
        rows["▸" if option.chosen else "", option.text, *numbers, words] += 1
    for (mark, text, *cells), copies in rows.items():
        shown.add_row(mark, f"{text} ×{copies}" if copies > 1 else text, *cells, style="bold" if mark else None)
    return shown


def _words(option: Option) -> str:
    """The parts of a score and what else there is to say, in words."""
    told = [f"{name} {_points(part)}" for name, part in option.parts.items()] if len(option.parts) > 1 else []
    return ", ".join(told + ([option.note] if option.note else []))


def _points(value: int | None) -> str:
    return "" if value is None else points(value)


NUMBERS: Final[dict[str, Callable[[Option], str]]] = {
    "score": lambda option: _points(option.score),
    "rollouts": lambda option: _points(option.worth),
    "cost": lambda option: "" if option.cost is None else str(option.cost),
}
