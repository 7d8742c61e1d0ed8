"""Checking content: every file, every fault."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from cartomancer.content.codex import load_codex, read_codex
from cartomancer.content.kinds import KINDS
from cartomancer.content.presets import MODELS, load_preset, preset_ids
from cartomancer.content.reader import Reader
from cartomancer.content.toml_files import DATA, nearest, read_toml, shown_path
from cartomancer.errors import CartomancerError, ContentError, Fault

ARRAYS: Final = [kind.plural for kind in KINDS if kind.name != "scenario"]
SCENARIO_KEYS: Final = frozenset({"dungeon", "creature", "party", "members"})
HOLDS: Final = f"family (a preset), dungeon and rooms (a scenario), or entries: [[{']], [['.join(ARRAYS)}]]"


def check_everything() -> tuple[list[str], list[Fault]]:
    """All shipped content: what was checked, and every fault."""
    checked: list[str] = []
    faults: list[Fault] = []
    for family in MODELS:
        for name in preset_ids(family):
            checked.append(f"{family}:{name}")
            faults.extend(_preset_faults(family, name))
    try:
        codex = load_codex()
        checked += ["tuning:resolution", "tuning:card_game", *codex.catalog.entry_ids(), *codex.entry_ids()]
    except ContentError as error:
        faults.extend(error.faults)
    return checked, faults


def check_files(files: Iterable[Path]) -> tuple[list[str], list[Fault]]:
    """Designers' files: what was checked, and every fault.

    A preset is checked by itself. Entries and scenarios are laid over the shipped content, all files together: they
    may refer to it and to each other, and an entry with a shipped id takes its place.
    """
    checked: list[str] = []
    faults: list[Fault] = []
    laid_over: dict[Path, dict[str, Any]] = {}
    for path in files:
        checked.append(str(path))
        try:
            tables = read_toml(path)
        except ContentError as error:
            faults.extend(error.faults)
            continue
        if "family" in tables:
            faults.extend(_preset_file_faults(path, tables["family"]))
        elif not SCENARIO_KEYS.isdisjoint(tables):
            laid_over[path] = {"scenarios": [tables]}
        elif set(tables).isdisjoint(ARRAYS):
            faults.append(Fault("file", None, "holds nothing that can be checked", HOLDS, shown_path(path)))
        else:
            laid_over[path] = tables
            others = [key for key in tables if key not in ARRAYS]
            faults.extend(
                Fault(key, None, "is not a kind of entry", nearest(key, ARRAYS), shown_path(path)) for key in others
            )
    if laid_over:
        reader = Reader(DATA, laid_over)
        read_codex(reader)
        faults.extend(reader.faults)
    return checked, faults


def _preset_file_faults(path: Path, family: Any) -> list[Fault]:
    if not isinstance(family, str) or family not in MODELS:
        return [Fault("family", family, "is not a map family", ", ".join(MODELS), shown_path(path))]
    return _preset_faults(family, str(path) if path.suffix == ".toml" else f"{path.parent}/{path.name}")


def _preset_faults(family: str, name: str) -> list[Fault]:
    try:
        load_preset(family, name)
    except CartomancerError as error:
        return list(error.faults) or [Fault("preset", name, str(error))]
    return []
