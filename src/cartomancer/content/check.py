"""Checking content: every file, every fault."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cartomancer.content.catalog import CATALOG_KINDS
from cartomancer.content.codex import Codex, load_codex, read_codex
from cartomancer.content.kinds import FILES, KINDS
from cartomancer.content.models.base import Preset
from cartomancer.content.presets import MODELS, find_preset, load_preset, preset_ids, undescribed
from cartomancer.content.reader import Reader, kinds_in
from cartomancer.content.toml_files import DATA, nearest, read_toml, shown_path
from cartomancer.errors import CartomancerError, ContentError, Fault

ARRAYS: Final = [kind.plural for kind in KINDS if kind.name not in FILES]
# What a file with a single entry is told by. Two have targets and two have members, so these come in this order.
SIGNS: Final[dict[str, frozenset[str]]] = {
    "targets": frozenset({"source", "scenario", "matrix", "contrast", "exceptions"}),
    "profiles": frozenset({"goal", "weights", "targets", "courts_like"}),
    "scenarios": frozenset({"dungeon", "guardian", "creature", "party", "members"}),
}
TUNING: Final = ("tuning:resolution", "tuning:card_game", "tuning:thinking", "tuning:endings", "tuning:quality")
HOLDS: Final = (
    "family (a preset), dungeon and rooms (a scenario), goal and weights (a profile), "
    "source and targets (a set of targets), "
    f"or entries: [[{']], [['.join(ARRAYS)}]]"
)


Further = Callable[[Codex], Iterable[Fault]]  # what others know of a codex whose entries fit together
Checked = tuple[list[str], list[Fault]]  # what was checked, and every fault


def check_everything(base: Path = DATA, further: Further = lambda codex: ()) -> Checked:
    """All content in use, or in a folder: what was checked, and every fault."""
    names = [(family, name) for family in MODELS for name in preset_ids(family, base)]
    presets = {(family, name): _preset_faults(family, name, base) for family, name in names}
    checked = [f"{family}:{name}" for family, name in presets]
    faults = [fault for found in presets.values() for fault in found]
    try:
        codex = load_codex(base)
        for (family, name), found in presets.items():
            faults.extend(unknown_entries(family, name, vars(codex.catalog), base) if not found else ())
        faults.extend(further(codex))
        kinds = (*CATALOG_KINDS, *kinds_in(Codex))
        checked += [*TUNING, *(f"{kind}:{name}" for kind in kinds for name in codex.of_kind(kind))]
    except ContentError as error:
        faults.extend(error.faults)
    return checked, faults


def check_files(files: Iterable[Path], base: Path = DATA, further: Further = lambda codex: ()) -> Checked:
    """Designers' files: what was checked, and every fault.

    A preset is checked by itself. Everything else is laid over the content in use, or over a folder's, all files
    together: they may refer to it and to each other, and an entry with an id of its takes that one's place.
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
        family, laid, where = tables.get("family"), by_kind(tables), shown_path(path)
        if "family" in tables:
            known = isinstance(family, str) and family in MODELS
            unknown = Fault("family", family, "is not a map family", ", ".join(MODELS), where)
            faults += _preset_faults(str(family), _asked_for(path), base) if known else [unknown]
        elif laid is tables and set(tables).isdisjoint(ARRAYS):
            faults.append(Fault("file", None, "holds nothing that can be checked", HOLDS, where))
        else:
            laid_over[path] = laid
            strange = [key for key in tables if key not in ARRAYS] if laid is tables else []
            faults += [Fault(key, None, "is not a kind of entry", nearest(key, ARRAYS), where) for key in strange]
    if laid_over:
        reader = Reader(base, laid_over)
        codex = read_codex(reader)
        faults.extend(reader.faults if codex is None else further(codex))
    return checked, faults


def sound_presets(files: Iterable[Path] | None = None, base: Path = DATA) -> Iterator[tuple[str, Preset]]:
    """The presets without a fault among designers' files, or of the content in use or a folder, by their names."""
    named = [(f"{family}:{name}", family, name) for family in MODELS for name in preset_ids(family, base)]
    for name, family, preset in named if not files else map(_named_in, files):
        try:
            yield name, load_preset(family, preset, base=base)
        except CartomancerError:
            continue


def _named_in(path: Path) -> tuple[str, str, str]:
    """What a file is called, its family, and how its preset is asked for."""
    try:
        family = str(read_toml(path).get("family"))
    except ContentError:
        family = ""
    return str(path), family, _asked_for(path)


def load_content(*files: Path | str, base: Path | None = None) -> Codex:
    """The content in use with files of one's own laid over it: entries replace those of the same id.

    Refused with every fault at once.
    """
    laid_over = {Path(file): by_kind(read_toml(Path(file))) for file in files}
    return Reader(base or DATA, laid_over).complete(read_codex, "content")


def by_kind(tables: dict[str, Any]) -> dict[str, Any]:
    """A file's entries by their kind: a scenario or profile, which is a whole file, is the only one of its."""
    kinds = (kind for kind, signs in SIGNS.items() if not signs.isdisjoint(tables))
    return next(({kind: [tables]} for kind in kinds), tables)


def unknown_entries(
    family: str, preset: str, known: Mapping[str, Collection[str]], base: Path = DATA
) -> Iterator[Fault]:
    """The entries that a shipped preset names and that are not among these."""
    where = shown_path(find_preset(family, preset, base))
    yield from (replace(fault, where=where) for fault in undescribed(load_preset(family, preset, base=base), known))


def _asked_for(path: Path) -> str:
    return str(path) if path.suffix == ".toml" else f"{path.parent}/{path.name}"


def _preset_faults(family: str, name: str, base: Path) -> list[Fault]:
    try:
        load_preset(family, name, base=base)
    except CartomancerError as error:
        return list(error.faults) or [Fault("preset", name, str(error))]
    return []
