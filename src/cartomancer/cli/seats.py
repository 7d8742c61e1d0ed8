"""Who sits where at a game in the terminal: a person, computer players, simple ones for the other side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cartomancer.cli import output
from cartomancer.cli.arguments import DEFAULT_PLAYER, FIRST, RANDOM
from cartomancer.codes import STREAM_OPPONENT
from cartomancer.content.models.vocabulary import OTHER_SIDE
from cartomancer.encounters import Encounter, Packed, Replay
from cartomancer.encounters.names import SIDES
from cartomancer.errors import CartomancerError
from cartomancer.jit import compile_in_background
from cartomancer.players import Player, make_players, player_spec
from cartomancer.rng import Stream

Choose = Callable[[Encounter], int]
PERSON: Final = "person"  # who plays a side by hand, in saves
QUICK: Final = "montecarlo@1"  # plays all that players with rollouts do, with as little thought as possible
UNRECORDED: Final = RANDOM  # who went on with saves that do not say who plays


def by_chance(encounter: Encounter) -> int:
    """Any legal action. It depends on the seed and on how many decisions went before, so a game that was saved goes on
    as it would have gone."""
    return Stream(encounter.seed, STREAM_OPPONENT, len(encounter.actions)).pick(encounter.legal())


def the_first(encounter: Encounter) -> int:
    """The first legal action that is not ending the turn."""
    options = encounter.legal()
    return next((action for action in options if encounter.text_of(action) != "end"), options[0])


def full_name(player: str, side: str) -> str:
    """A player as saves name it, with everything that decides how it plays: smart is smart@400."""
    return FIRST if player == FIRST else str(player_spec(player, side))


def opponent(player: str, side: str, packed: Packed) -> Choose:
    """Who plays one side of a game with a person."""
    if player == FIRST:
        return the_first
    spec = player_spec(player, side)
    if spec.kind == RANDOM:
        return by_chance
    if spec.kind == "montecarlo":  # it thinks long: the game begins at once, and goes on compiled
        compile_in_background(lambda: play_out(Encounter(packed), dict.fromkeys(SIDES, QUICK)))
    elif spec.rollouts:  # interpreted, it would think for minutes
        with output.progress_bar("kernels", 1) as done:
            play_out(Encounter(packed), dict.fromkeys(SIDES, QUICK))
            done(1)
    return Player(player).choose


def play_out(encounter: Encounter, players: Mapping[str, str]) -> Encounter:
    """Let both sides play by themselves until the run is over, each decision as in a batch."""
    specs = {side: player_spec(player, side) for side, player in players.items() if player != FIRST}
    computer = make_players(encounter.packed, specs.get("dungeon"), specs.get("visitor"))
    while (decision := encounter.decision) is not None:
        encounter.apply(computer.choose(encounter) if decision.side in specs else the_first(encounter))
    return encounter


def sides_of(saved: Replay | None, side: str | None, against: str | None) -> tuple[str, str]:
    """The person's side and who plays the other: as asked for, else as the save has it."""
    players = dict(saved.players or {}) if saved else {}
    mine = side or next((name for name, player in players.items() if player == PERSON), None)
    if mine is None:
        raise CartomancerError("which side is yours? --as dungeon or --as visitor")
    kept = players.get(OTHER_SIDE[mine], DEFAULT_PLAYER if saved is None else UNRECORDED)
    return mine, against if against is not None else DEFAULT_PLAYER if kept == PERSON else kept
