"""What commands share: families, presets, overrides, seeds, map files; scenarios and who plays them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cartomancer.cli import output
from cartomancer.errors import NotationError

if TYPE_CHECKING:
    from cartomancer.content.codex import Codex
    from cartomancer.content.models.base import Preset
    from cartomancer.maps import Map
    from cartomancer.players.policies import PlayerSpec


def _families() -> list[str]:
    from cartomancer.maps import families

    return families.names()


def _presets(ctx: typer.Context) -> list[str]:
    from cartomancer.content import preset_ids

    family = ctx.params.get("family")
    return [name for known in _families() if family in (known, None) for name in preset_ids(known)]


def scenario_names() -> list[str]:
    """The shipped scenarios, for completion."""
    from cartomancer.content.codex import load_codex

    return list(load_codex().scenarios)


def player_names() -> list[str]:
    """Kinds of players and profiles, for completion."""
    from cartomancer.content.codex import load_codex

    return [DEFAULT_PLAYER, SMART, RANDOM, *load_codex().profiles]


DEFAULT_PLAYER, SMART, RANDOM, FIRST = "heuristic", "smart", "random", "first"
Family = Annotated[str, typer.Argument(help="voyage, contract or guardian.", autocompletion=_families)]
PresetName = Annotated[
    str | None,
    typer.Option("--preset", "-p", help="A shipped preset or a path to your own TOML file.", autocompletion=_presets),
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", "-s", help="Any number from 0 to 2**64 − 1, or any text (it is hashed). Random without it."),
]
Scenarios = Annotated[
    list[str],
    typer.Argument(
        metavar="SCENARIO",
        help="Scenarios, also with modifiers (boar+frenzy); or their files.",
        autocompletion=scenario_names,
    ),
]
BatchSeed = Annotated[
    str, typer.Option("--seed", "-s", help="Any number from 0 to 2**64 − 1, or any text (it is hashed).")
]
Threads = Annotated[int | None, typer.Option("--threads", min=1, help="All cores without it. It changes no result.")]
Overrides = Annotated[
    list[str] | None, typer.Option("--set", help="Override one rule field: --set treasure=single. May be repeated.")
]
Rows = Annotated[int | None, typer.Option("--rows", help="Voyage: how many rows.")]
Columns = Annotated[int | None, typer.Option("--columns", help="Voyage: how many columns.")]
Paths = Annotated[int | None, typer.Option("--paths", help="Voyage: how many paths.")]
Players = Annotated[int | None, typer.Option("--players", help="Guardian: party size the encounters are rolled for.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.", callback=output.speak_json)]
AiDungeon = Annotated[
    str | None,
    typer.Option(
        "--ai-dungeon",
        metavar="PLAYER",
        help="Who plays the dungeon: heuristic (the default), smart, smart@48 (rollouts), random, a profile such as "
        "nurturing, heuristic:PROFILE, smart@48:PROFILE.",
        autocompletion=player_names,
    ),
]
AiVisitor = Annotated[
    str | None,
    typer.Option(
        "--ai-visitor", metavar="PLAYER", help="Who plays the visitor, likewise.", autocompletion=player_names
    ),
]
BothPlayers = Annotated[
    str,
    typer.Option(
        "--players",
        metavar="PLAYER",
        help="Who plays both sides: heuristic, smart, smart@48, random, first (the first legal action).",
        autocompletion=player_names,
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="PLAYER",
        help="Who plays the other side: heuristic (the default), smart, smart@48 (rollouts), a profile such as "
        "nurturing, random, first (the first legal action). A saved game goes on with the one it had.",
        autocompletion=player_names,
    ),
]
MapSource = Annotated[str, typer.Argument(help="A map file, or a notation such as voyage:guide:42.")]


def specs_of(dungeon: str | None, visitor: str | None, codex: Codex | None = None) -> tuple[PlayerSpec, PlayerSpec]:
    """Who plays both sides of a batch, as options say it."""
    from cartomancer.players.policies import player_spec

    names = [DEFAULT_PLAYER if name is None else name for name in (dungeon, visitor)]
    return player_spec(names[0], "dungeon", codex), player_spec(names[1], "visitor", codex)


def overrides_from(pairs: list[str] | None, **named: Any) -> dict[str, Any]:
    """The rule fields that options override."""
    from cartomancer.maps.notation import nested, parse_override

    found = dict(parse_override(pair) for pair in pairs or [])
    found.update({key: value for key, value in named.items() if value is not None})
    return nested(found)


def seed_or_random(seed: str | None) -> int:
    """The seed asked for, or a fresh one; either way it is shown with the map."""
    from cartomancer.rng import seed_from

    if seed is None:
        return int.from_bytes(os.urandom(4), "big")
    number = seed_from(seed)
    if str(number) != seed.strip():
        typer.echo(f"seed '{seed}' is {number}", err=True)
    return number


def rules_for(family: str, preset: str | None, overrides: dict[str, Any]) -> tuple[Preset, str]:
    """The rules and the preset's name as notations write it."""
    from cartomancer.content import load_preset
    from cartomancer.maps import families
    from cartomancer.maps.generation import preset_name

    default = families.of(family).model.default_preset
    return load_preset(family, preset, overrides), preset_name(preset or default, overrides)


def node_from(drawn: Map, text: str) -> int:
    """A node by its id, or by its place: r5c3."""
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return drawn.node(int(text)).id
    places = {f"r{node.row}c{node.column}": node.id for node in drawn.nodes}
    if text.lower() not in places:
        raise NotationError(
            f"'{text[:40]}' is no node: give an id from 0 to {len(drawn.nodes) - 1}, or a place such as r5c3"
        )
    return places[text.lower()]


def ids_from(drawn: Map, text: str | None) -> list[int]:
    """Comma-separated nodes."""
    return [node_from(drawn, part.strip()) for part in text.split(",") if part.strip()] if text else []
