"""`cartomancer encounter review`: where a game turned, and what its decisions cost."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from cartomancer import encounters
from cartomancer.cli import arguments, output, terminal
from cartomancer.cli.arguments import Side
from cartomancer.cli.games import GameArgument, opened


def review(
    game: GameArgument,
    side: Annotated[
        Side | None,
        Option("--side", help="What mattered to this side, and its decisions alone. A person's, in a saved game."),
    ] = None,
    rollouts: Annotated[
        int,
        Option(
            min=1,
            max=5000,
            help="For each position; twice as many for a smart player's decision, four times for what is told.",
        ),
    ] = 200,
    ai_dungeon: arguments.AiDungeon = None,
    ai_visitor: arguments.AiVisitor = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Look back upon a game: where it turned, by dice or by a decision, and which decisions a smart player would have
    taken otherwise, with what they cost. It shows what was hidden. The same game and rollouts give the same review.

    cartomancer encounter review boar@7:123
    """
    run, choosers, kept = opened(game, ai_dungeon, ai_visitor)
    person = next((name for name, player in kept.items() if player == terminal.PERSON), None)
    specs = {name: choosers.policies.of(name) for name in ("dungeon", "visitor")}
    found = terminal.looked_back(run, side.value if side else person, specs, rollouts)
    if as_json:
        output.print_json({"notation": encounters.notation(run), **found.as_dict()})
        return
    console, titles = output.screen(), encounters.Titles(run.packed)
    console.print(f"{run.packed.scenario.title} ({run.packed.name}, seed {run.seed})", style="bold", markup=False)
    terminal.print_apart(console, terminal.standing(run))
    terminal.print_review(console, found, titles)
    output.say("", encounters.notation(run))
