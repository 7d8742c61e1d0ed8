"""Commands about content files: check, list, show, stats, new, copy."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option, echo

from cartomancer import content, lab, maps
from cartomancer.cli import arguments, output, terminal
from cartomancer.errors import CartomancerError
from cartomancer.files import new_folder, write_file


def check(
    files: Annotated[
        list[Path] | None,
        Argument(
            help="Presets, scenarios or files of cards, decks, rooms and so on, checked together on top of the content "
            "in use; without any, all of it."
        ),
    ] = None,
    folder: arguments.Content = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Check content files and report every fault at once. Exit code 1 if there are any."""
    maps.family_names()  # installed families have presets too
    base = folder or content.DATA
    if not base.is_dir():
        raise CartomancerError(f"no folder of content: '{base}' (`cartomancer content copy DIR` makes one)")
    further = lab.target_faults
    checked, faults = content.check_files(files, base, further) if files else content.check_everything(base, further)
    sound = content.sound_presets(files, base)
    notes = [f"{name}: {note}" for name, preset in sound for note in maps.family(preset.family).notes(preset)]
    if as_json:
        listed = [fault.as_dict() for fault in faults]
        output.print_json({"ok": not faults, "checked": checked, "faults": listed, "notes": notes})
    else:
        output.say(*(f"✗ {fault}" for fault in faults), *(f"note: {note}" for note in notes))
        output.say(f"checked: {len(checked)}, faults: {len(faults)}")
    raise Exit(output.BAD if faults else output.OK)


def list_(
    kind: Annotated[
        str | None,
        Argument(
            help="card, deck, room, scenario, trial …; without one, every kind.",
            autocompletion=lambda: [kind.name for kind in content.KINDS],
        ),
    ] = None,
    as_json: arguments.AsJson = False,
) -> None:
    """List the shipped entries of a kind with what they do, or all kinds with their entries."""
    codex = content.load_codex()
    kinds = [content.kind_named(kind)] if kind else list(content.KINDS)
    found = [content.Found(one, entry) for one in kinds for entry in one.of(codex).values()]
    if as_json:
        prose = [one.entry.model_dump(include={"id", "title", "summary"}) for one in found]
        output.print_json(
            [{"kind": one.kind.name, **told, "text": one.text()} for one, told in zip(found, prose, strict=True)]
        )
    elif kind:
        terminal.print_entries(found)
    else:
        terminal.print_kinds(codex)


def show(
    name: Annotated[
        str,
        Argument(
            help="An id; kind:id where kinds share it; a scenario also by its file, or with modifiers: boar+frenzy.",
            autocompletion=lambda: [name for kind in content.KINDS for name in kind.of(content.load_codex())],
        ),
    ],
    as_json: arguments.AsJson = False,
) -> None:
    """Show one entry: a card as a box, a deck, room, creature or class with its cards."""
    codex = content.load_codex()
    found = content.entry_named(codex, name)
    output.answer(as_json, terminal.entry_json(codex, found), lambda: terminal.print_entry(codex, found))


def stats(
    names: Annotated[
        list[str] | None,
        Argument(
            help="Decks, classes or parties; without any, all decks.",
            autocompletion=lambda: [one.entry.id for one in content.holder_names(content.load_codex()).values()],
        ),
    ] = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Count decks: energy curve, categories, keywords, Strike power by target, energy share."""
    codex = content.load_codex()
    found = [content.stats_named(codex, name) for name in names] if names else content.all_deck_stats(codex)
    if as_json:
        output.print_json([one.as_dict() for one in found])
    elif names:
        for one in found:
            terminal.print_stats(one)
    else:
        terminal.print_overview(found)


def new(
    kind: Annotated[
        str,
        Argument(
            help="What to start: a card by its category (strike, offer …), or deck, room, creature, class, party, "
            "dungeon, scenario, profile, equipment, room_item, trial …",
            autocompletion=lambda: list(content.STARTERS),
        ),
    ],
    name: Annotated[str, Argument(metavar="ID", help="Its id.")],
    out: Annotated[Path | None, Option("--out", "-o", help="Write it to this file, which must be new.")] = None,
    parents: arguments.Parents = False,
) -> None:
    """Start a new entry: commented TOML with every field, valid as it stands."""
    if out is not None and out.exists():
        raise CartomancerError(f"{out}: is there already: nothing was written")
    if out is not None and kind in content.FILES and out.name != f"{name}.toml":
        raise CartomancerError(f"{out}: a {kind}'s file has its name: {name}.toml")
    text = content.starter(kind, name)
    if out is None:
        echo(text, nl=False)
    else:
        write_file(out, text.encode(), parents)
        output.note(f"written: {out}")


def copy(
    folder: Annotated[Path, Argument(metavar="DIR", help="A folder that does not exist yet, or is empty.")],
) -> None:
    """Copy all content in use to a folder of your own. Commands use it where CARTOMANCER_CONTENT names it.

    cartomancer content copy my-game
    CARTOMANCER_CONTENT=my-game cartomancer simulate boar
    """
    copied = [path for path in content.DATA.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    with new_folder(folder) as made:
        for path in copied:
            target = made / path.relative_to(content.DATA)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    count = sum(path.suffix == ".toml" for path in copied)
    output.say(f"{count} files in {folder}; use them with CARTOMANCER_CONTENT={folder}")
