"""Commands about content files: check, list, show, stats, new, copy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AsJson
from cartomancer.errors import CartomancerError, Fault

content_app = typer.Typer(
    no_args_is_help=True, help="Check, list, show, count and start content: presets, catalog, cards."
)


def _kinds() -> list[str]:
    from cartomancer.content.kinds import KINDS

    return [kind.name for kind in KINDS]


def _names() -> list[str]:
    from cartomancer.content.codex import load_codex
    from cartomancer.content.kinds import KINDS

    return [name for kind in KINDS for name in kind.of(load_codex())]


def _holders() -> list[str]:
    from cartomancer.content.codex import load_codex
    from cartomancer.content.deck_stats import holder_names

    return [found.entry.id for found in holder_names(load_codex()).values()]


def _starters() -> list[str]:
    from cartomancer.content.starters import STARTERS

    return list(STARTERS)


@content_app.command()
def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Presets, scenarios or files of cards, decks, rooms and so on, checked together on top of the shipped "
            "content; without any, all shipped content."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check content files and report every fault at once. Exit code 1 if there are any."""
    from cartomancer.content.check import check_everything, check_files
    from cartomancer.maps import families

    families.names()  # installed families have presets too
    checked, faults = check_files(files) if files else check_everything()
    _report(checked, faults, as_json)


def _report(checked: list[str], faults: list[Fault], as_json: bool) -> None:
    if as_json:
        output.print_json({"ok": not faults, "checked": checked, "faults": [fault.as_dict() for fault in faults]})
    else:
        console = output.stdout()
        for fault in faults:
            console.print(f"✗ {fault}", markup=False)
        console.print(f"checked: {len(checked)}, faults: {len(faults)}")
    raise typer.Exit(output.BAD if faults else output.OK)


@content_app.command(name="list")
def list_(
    kind: Annotated[
        str | None,
        typer.Argument(help="card, deck, room, scenario, trial …; without one, every kind.", autocompletion=_kinds),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the shipped entries of a kind with what they do, or all kinds with their entries."""
    from cartomancer.cli.content_view import print_entries, print_kinds
    from cartomancer.content.codex import load_codex
    from cartomancer.content.kinds import KINDS, Found, kind_named

    codex = load_codex()
    kinds = [kind_named(kind)] if kind else list(KINDS)
    found = [Found(one, entry) for one in kinds for entry in one.of(codex).values()]
    if as_json:
        prose = [one.entry.model_dump(include={"id", "title", "summary"}) for one in found]
        output.print_json(
            [{"kind": one.kind.name, **told, "text": one.text()} for one, told in zip(found, prose, strict=True)]
        )
    elif kind:
        print_entries(found)
    else:
        print_kinds(codex)


@content_app.command()
def show(
    name: Annotated[
        str,
        typer.Argument(
            help="An id; kind:id where kinds share it; a scenario also by its file, or with modifiers: boar+frenzy.",
            autocompletion=_names,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Show one entry: a card as a box, a deck, room, creature or class with its cards."""
    from cartomancer.cli.content_view import entry_json, print_entry
    from cartomancer.content.codex import load_codex
    from cartomancer.content.kinds import entry_named

    codex = load_codex()
    found = entry_named(codex, name)
    if as_json:
        output.print_json(entry_json(codex, found))
    else:
        print_entry(codex, found)


@content_app.command()
def stats(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Decks, classes or parties; without any, all decks.", autocompletion=_holders),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count decks: energy curve, categories, keywords, Strike power by target, energy share."""
    from cartomancer.cli.stats_view import print_overview, print_stats
    from cartomancer.content.codex import load_codex
    from cartomancer.content.deck_stats import all_deck_stats, stats_named

    codex = load_codex()
    found = [stats_named(codex, name) for name in names] if names else all_deck_stats(codex)
    if as_json:
        output.print_json([one.as_dict() for one in found])
    elif names:
        for one in found:
            print_stats(one)
    else:
        print_overview(found)


@content_app.command()
def new(
    kind: Annotated[
        str,
        typer.Argument(
            help="What to start: a card by its category (strike, offer …), or deck, room, creature, class, party, "
            "dungeon, scenario, profile, equipment, room_item, trial …",
            autocompletion=_starters,
        ),
    ],
    name: Annotated[str, typer.Argument(metavar="ID", help="Its id.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write it to this file, which must be new.")] = None,
) -> None:
    """Start a new entry: commented TOML with every field, valid as it stands."""
    from cartomancer.content.kinds import FILES
    from cartomancer.content.starters import starter

    if out is not None and out.exists():
        raise CartomancerError(f"{out}: is there already: nothing was written")
    if out is not None and kind in FILES and out.name != f"{name}.toml":
        raise CartomancerError(f"{out}: a {kind}'s file has its name: {name}.toml")
    text = starter(kind, name)
    if out is None:
        typer.echo(text, nl=False)
    else:
        output.write_file(out, text.encode())
        output.stderr().print(f"written: {out}", markup=False)


@content_app.command()
def copy(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that does not exist yet, or is empty.")],
) -> None:
    """Copy all content in use to a folder of your own. Commands use it where CARTOMANCER_CONTENT names it.

    cartomancer content copy my-game
    CARTOMANCER_CONTENT=my-game cartomancer simulate boar
    """
    import shutil

    from cartomancer.content.toml_files import DATA

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CartomancerError(f"{folder}: is there already, and is not an empty folder")
    try:
        shutil.copytree(DATA, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    except shutil.Error as error:
        raise CartomancerError(f"{folder}: cannot be written: {error}") from None
    files = sum(1 for path in folder.rglob("*.toml"))
    output.stdout().print(f"{files} files in {folder}; use them with CARTOMANCER_CONTENT={folder}", markup=False)
