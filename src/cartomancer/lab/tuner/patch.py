"""A content patch: the entries that a tuning changed, as files that are laid over the shipped content.

`patch.toml` holds changed rooms, cards, creatures and classes; a changed scenario or profile is a file of its own, as
everywhere. An entry is a copy of its source with the changed values put in, so comments survive; where that cannot be
done the entry is written anew. Either way it is read again and compared with what was meant before it is kept.
`content.diff` is the same change to the content folder itself, for `patch -p1` or `git apply`; there is none where the
source of a changed entry cannot be found.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from cartomancer.content.check import load_content
from cartomancer.content.codex import Codex
from cartomancer.content.entries import CODEX_KINDS
from cartomancer.content.kinds import FILES, kind_named
from cartomancer.content.models.base import Entry
from cartomancer.content.toml_files import DATA, validated
from cartomancer.errors import CartomancerError, ContentError
from cartomancer.files import new_folder
from cartomancer.files import refuse_taken as refuse_taken_folder

ENTRIES: Final = "patch.toml"
DIFF: Final = "content.diff"
REPORT: Final = "tuning-report"
HEADER: Final = re.compile(r"^\[\[?(?P<name>[a-z_.]+)\]?\]\s*$")


@dataclass(frozen=True)
class Source:
    """Where an entry is written: its file, and its lines in it."""

    path: Path
    first: int
    last: int

    def text(self) -> str:
        """Its lines."""
        return "\n".join(self.path.read_text(encoding="utf-8").split("\n")[self.first : self.last]) + "\n"


def changed_between(before: Codex, after: Codex) -> dict[str, list[Entry]]:
    """The entries of the card game that differ, by kind."""
    found: dict[str, list[Entry]] = {}
    for kind in CODEX_KINDS:
        old = before.of_kind(kind)
        for name, entry in after.of_kind(kind).items():
            if entry is not old.get(name) and entry.model_dump() != old[name].model_dump():
                found.setdefault(kind, []).append(entry)
    return found


def patch_files(before: Codex, after: Codex, folder: Path = DATA) -> dict[str, str]:
    """The files of the patch by name; none where nothing changed."""
    entries: list[str] = []
    files: dict[str, str] = {}
    edits: dict[Path, dict[Source, str]] = {}
    found_all = True  # a difference without some of the changes would be taken for all of them
    for kind, changed in changed_between(before, after).items():
        for entry in changed:
            source = find_source(kind, entry.id, folder)
            text = (edited_text(kind, entry, source.text()) if source else None) or written_text(kind, entry)
            if _has_own_file(kind):
                files[f"{entry.id}.toml"] = text
            else:
                entries.append(text)
            if source is not None:
                edits.setdefault(source.path, {})[source] = text
            else:
                found_all = False
    if entries:
        files[ENTRIES] = "\n".join(entries)
    if edits and found_all:
        files[DIFF] = "".join(_difference(path, changes, folder) for path, changes in sorted(edits.items()))
    return files


def _has_own_file(kind: str) -> bool:
    return kind_named(kind).name in FILES


def _difference(path: Path, changes: Mapping[Source, str], folder: Path) -> str:
    name, text = path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for source in sorted(changes, key=lambda source: -source.first):  # the last first: the others' lines stay theirs
        lines[source.first : source.last] = changes[source].rstrip("\n").split("\n")
    after = "\n".join(lines).splitlines(keepends=True)
    return "".join(difflib.unified_diff(text.splitlines(keepends=True), after, f"a/{name}", f"b/{name}"))


# --- the text of an entry ---------------------------------------------------------------------------------------------


def find_source(kind: str, name: str, folder: Path = DATA) -> Source | None:
    """Where an entry is written in a content folder, if it is."""
    if _has_own_file(kind):
        path = folder / kind / f"{name}.toml"
        return Source(path, 0, path.read_text(encoding="utf-8").rstrip("\n").count("\n") + 1) if path.exists() else None
    for path in [folder / f"{kind}.toml", *sorted((folder / kind).glob("*.toml"))]:
        lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
        starts = [k for k, line in enumerate(lines) if re.match(rf"\s*\[\[\s*{kind}\s*\]\]", line)]
        for start, following in pairwise([*starts, len(lines)]):
            block = lines[start:following]
            if any(re.match(rf"\s*id\s*=\s*[\"']{re.escape(name)}[\"']", line) for line in block):
                while not block[-1].strip() or block[-1].startswith("#"):
                    block.pop()  # blank lines and comments before the next entry are the next one's
                return Source(path, start, start + len(block))
    return None


def edited_text(kind: str, entry: Entry, text: str) -> str | None:
    """The source of an entry with the changed values put in, or nothing where that does not give what was meant."""
    lines = text.rstrip("\n").split("\n")
    try:
        old = _told(kind, text)
        for key, value in plain(entry).items():
            if old.get(key) != value:
                _edit(lines, "" if _has_own_file(kind) else kind, key, old.get(key), value)
        edited = "\n".join(lines) + "\n"
        read = validated(kind_named(kind).shape, _told(kind, edited), entry.id)
    except (ValueError, LookupError, ContentError, TypeError):  # tomllib's complaints are values' too
        return None
    return edited if read.model_dump() == entry.model_dump() else None


def _told(kind: str, text: str) -> dict[str, Any]:
    """The fields in the text of one entry."""
    found = tomllib.loads(text)
    fields: dict[str, Any] = found if _has_own_file(kind) else found[kind][0]
    return fields


def _edit(lines: list[str], kind: str, key: str, old: Any, new: Any) -> None:
    """Change one field: in sections of its own where it has some, else where it is written."""
    named = f"{kind}.{key}" if kind else key
    sections = [k for k, line in enumerate(lines) if (head := HEADER.match(line)) and head["name"] == named]
    if not sections:
        _set(lines, 1 if kind else 0, key, new)
        return
    olds, news = ([old], [new]) if isinstance(new, Mapping) else (old, new)
    for start, was, now in zip(sections, olds, news, strict=True):
        for inner, value in now.items():
            if was.get(inner) != value:
                _set(lines, start + 1, inner, value)


def _set(lines: list[str], start: int, key: str, value: Any) -> None:
    """Replace a value in the section that starts here, over as many lines as it has."""
    for at in range(start, len(lines)):
        if HEADER.match(lines[at]):
            break
        if re.match(rf"{key}\s*=", lines[at]):
            end = at + 1
            while end <= len(lines) and not _is_whole("\n".join(lines[at:end])):
                end += 1
            lines[at:end] = _field(key, value).split("\n")
            return
    raise LookupError(key)


def _is_whole(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def written_text(kind: str, entry: Entry) -> str:
    """An entry written anew."""
    lines = [] if _has_own_file(kind) else [f"[[{kind}]]"]
    return "\n".join([*lines, *(_field(key, value) for key, value in plain(entry).items())]) + "\n"


def plain(entry: Entry) -> dict[str, Any]:
    """An entry's fields as a file has them, in the order of its model."""
    fields = entry.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    for effect in fields.get("auto_effects", ()):
        if effect.get("every") == 1:
            del effect["every"]
    return {key: fields[key] for key in type(entry).model_fields if key in fields}


def _field(key: str, value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "\n".join([f"{key} = [", *(f"  {toml_value(row)}," for row in value), "]"])
    return f"{key} = {toml_value(value)}"


def toml_value(value: Any) -> str:
    """A value as TOML writes it.

    >>> toml_value({"resource": "nerve", "change": -1, "calm": True})
    '{ resource = "nerve", change = -1, calm = true }'
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(inner) for inner in value) + "]"
    return json.dumps(value, ensure_ascii=False)


# --- on the disk ------------------------------------------------------------------------------------------------------


def refuse_taken(folder: Path) -> None:
    """A patch is a new folder: what is there already is never overwritten."""
    if folder.suffix == ".toml":
        raise CartomancerError(f"{folder}: a patch is a folder of files: give a name without .toml")
    refuse_taken_folder(folder)


def write_patch(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Write the files into a new folder, all or none."""
    refuse_taken(folder)
    with new_folder(folder) as made:
        for name, text in files.items():
            (made / name).write_bytes(text.encode("utf-8"))
    return [folder / name for name in files]


def patched_codex(folder: Path, base: Path = DATA) -> Codex:
    """The content of a folder, the shipped one's as a rule, with a patch laid over it; refused with every fault."""
    if not folder.is_dir():
        raise CartomancerError(f"{folder}: no such folder")
    return load_content(*sorted(folder.glob("*.toml")), base=base)
