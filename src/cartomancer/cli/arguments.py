"""What commands share: options declared once, and what they mean: rules, seeds, nodes, players, positions."""

from __future__ import annotations

import os
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Option, echo

from cartomancer import content, encounters, maps, players
from cartomancer.cli import output
from cartomancer.errors import NotationError

DEFAULT_PLAYER, RANDOM, FIRST = "heuristic", "random", "first"


class Side(StrEnum):
    """Who is who."""

    dungeon = "dungeon"
    visitor = "visitor"


# --- what a shell completes -------------------------------------------------------------------------------------------


def _presets(ctx: Context) -> list[str]:
    family = ctx.params.get("family")
    return [name for known in maps.family_names() if family in (known, None) for name in content.preset_ids(known)]


def scenario_names() -> list[str]:
    """The shipped scenarios."""
    return list(content.load_codex().scenarios)


def player_names() -> list[str]:
    """Kinds of players and profiles."""
    return [*players.KINDS, *content.load_codex().profiles]


def scenario_argument(help: str, metavar: str | None = "SCENARIO") -> Any:
    """An argument that names scenarios."""
    return Argument(metavar=metavar, help=help, autocompletion=scenario_names)


def player_option(name: str, help: str) -> Any:
    """An option that names a player."""
    return Option(name, metavar="PLAYER", help=help, autocompletion=player_names)


# --- options ----------------------------------------------------------------------------------------------------------

# of maps
Family = Annotated[str, Argument(help="voyage, contract or guardian.", autocompletion=lambda: [*maps.family_names()])]
PresetName = Annotated[
    str | None,
    Option("--preset", "-p", help="A shipped preset or a path to your own TOML file.", autocompletion=_presets),
]
Overrides = Annotated[
    list[str] | None, Option("--set", help="Override one rule field: --set treasure=single. May be repeated.")
]
Rows = Annotated[int | None, Option("--rows", help="Voyage: how many rows.")]
Columns = Annotated[int | None, Option("--columns", help="Voyage: how many columns.")]
Paths = Annotated[int | None, Option("--paths", help="Voyage: how many paths.")]
MapSource = Annotated[str, Argument(help="A map file, or a notation such as voyage:guide:42.")]
FirstSeed = Annotated[int, Option("--start", min=0, max=2**64 - 1, help="The first seed.")]

# of fights and who plays them
Scenario = Annotated[str, scenario_argument("A scenario, also with modifiers (boar+frenzy); or its file.")]
Scenarios = Annotated[list[str], scenario_argument("Scenarios, also with modifiers (boar+frenzy); or their files.")]
AiDungeon = Annotated[
    str | None,
    player_option(
        "--ai-dungeon",
        "Who plays the dungeon: heuristic (the default), smart, smart@100 (rollouts), montecarlo@12, random, a profile "
        "such as nurturing, smart@100:PROFILE, or a simple player such as never-strike or turtle.",
    ),
]
AiVisitor = Annotated[str | None, player_option("--ai-visitor", "Who plays the visitor, likewise.")]

# of seeds, places and forms
Seed = Annotated[
    str | None,
    Option("--seed", "-s", help="Any number from 0 to 2**64 − 1, or any text (it is hashed). Random without it."),
]
BatchSeed = Annotated[str, Option("--seed", "-s", help="Any number from 0 to 2**64 − 1, or any text (it is hashed).")]
RunsOfEach = Annotated[int, Option("--runs", "-n", min=1, help="How many runs of each.")]
BackendName = Annotated[
    str | None,
    Option(
        "--backend",
        help="threads (the default); cuda, with the extra \\[cuda]; cluster, with the extra \\[cluster]. "
        "It changes no result.",
    ),
]
ClusterAddress = Annotated[
    str | None,
    Option("--cluster", metavar="ADDRESS", help="A dask scheduler, tcp://host:8786: the backend cluster."),
]
ClusterWorkers = Annotated[
    int | None, Option("--workers", min=1, help="Cluster: so many worker processes on this machine.")
]
Threads = Annotated[int | None, Option("--threads", min=1, help="All cores without it. It changes no result.")]
Results = Annotated[Path, Option("--results", metavar="DIR", help="The folder of results.")]
Content = Annotated[
    Path | None, Option("--content", metavar="DIR", help="A content folder; the content in use without it.")
]
Html = Annotated[Path | None, Option("--html", help="Write one offline HTML page here.")]
Parents = Annotated[bool, Option("--parents", help="Make the folders of the output file that are not there.")]
AsJson = Annotated[bool, Option("--json", help="Print JSON for programs.", callback=output.speak_json)]


# --- what they mean ---------------------------------------------------------------------------------------------------


def specs_of(
    dungeon: str | None, visitor: str | None, codex: content.Codex | None = None
) -> tuple[players.PlayerSpec, players.PlayerSpec]:
    """Who plays both sides of a batch, as options say it."""
    names = [DEFAULT_PLAYER if name is None else name for name in (dungeon, visitor)]
    return players.player_spec(names[0], "dungeon", codex), players.player_spec(names[1], "visitor", codex)


def overrides_from(pairs: list[str] | None, **named: Any) -> dict[str, Any]:
    """The rule fields that options override."""
    found = dict(maps.parse_override(pair) for pair in pairs or [])
    return maps.nested(found | {key: value for key, value in named.items() if value is not None})


def seed_or_random(seed: str | None) -> int:
    """The seed asked for, or a fresh one of the system's 64 bits; either way it is shown with the map.

    With fewer a player could find the seed of a public map by search, and with it all that is hidden (M14).
    """
    from cartomancer.rng import seed_from

    if seed is None:
        return int.from_bytes(os.urandom(8), "big")
    number = seed_from(seed)
    if str(number) != seed.strip():
        echo(f"seed '{seed}' is {number}", err=True)
    return number


def rules_for(family: str, preset: str | None, overrides: dict[str, Any]) -> tuple[content.Preset, str]:
    """The rules and the preset's name as notations write it."""
    default = maps.family(family).model.default_preset
    return content.load_preset(family, preset, overrides), maps.preset_name(preset or default, overrides)


def node_from(drawn: maps.Map, text: str) -> int:
    """A node by its id, or by its place: r5c3."""
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return drawn.node(int(text)).id
    places = {f"r{node.row}c{node.column}": node.id for node in drawn.nodes}
    if text.lower() not in places:
        raise NotationError(
            f"'{text[:40]}' is no node: give an id from 0 to {len(drawn.nodes) - 1}, or a place such as r5c3"
        )
    return places[text.lower()]


def ids_from(drawn: maps.Map, text: str | None) -> list[int]:
    """Comma-separated nodes."""
    return [node_from(drawn, part) for part in parts_of(text)]


def parts_of(text: str | None) -> list[str]:
    """What commas separate."""
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def position_from(source: str, seed: str | None = None) -> encounters.Encounter:
    """The encounter of a notation or a replay file, or the start of a run: of a batch's, or of a scenario's."""
    written, recorded = source.startswith("encounter:"), Path(source).suffix == ".json"
    of_batch = None if written or recorded else run_of_batch(source)
    if (written or recorded or of_batch) and seed is not None:
        raise NotationError(f"{source} has its seed: leave out --seed")
    if written:
        return encounters.from_notation(source)
    if recorded:
        return encounters.play_replay(encounters.load_replay(Path(source)))
    return encounters.Encounter(*(of_batch or (source, seed_or_random(seed))))


def run_of_batch(source: str) -> tuple[str, int] | None:
    """Scenario and seed of a run that is named as part of a batch: boar@7:123."""
    named = players.read_run_name(source) if "@" in source else None
    return named and (named[0], players.run_seed(*named[1:]))
