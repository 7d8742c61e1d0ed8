"""Reading a folder of content files: what is wrong is collected, so that one look shows every fault at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from cartomancer.content.models.base import Entry, Strict
from cartomancer.content.models.cards import CARD_MODELS
from cartomancer.content.toml_files import SHIPPED, Shape, Tagged, nearest, read_toml, shown_path, validated
from cartomancer.errors import CartomancerError, ContentError, Fault

AnyEntry = TypeVar("AnyEntry", bound=Entry)
AnyModel = TypeVar("AnyModel", bound=BaseModel)
Whole = TypeVar("Whole")
Tables = Mapping[str, Any]
Row = tuple[str, str, Tables]  # where an entry stands, its id, its fields

CARDS: Final[Tagged[Any]] = Tagged("category", CARD_MODELS)
FOLDERS: Final = ("cards",)  # kinds whose entries lie in several files
ENTRY_FILES: Final = ("profiles", "scenarios", "targets")  # one entry a file, which has its name
TUNING_FILES: Final = {"rules": "card_game"}  # the others are called as what they tune


def kinds_in(record: type) -> dict[str, Shape[Any]]:
    """The kinds of entries that a record of content holds, each with the shape of one: its fields by id."""
    held = {name: hint for name, hint in get_type_hints(record).items() if get_origin(hint) is Mapping}
    return {name: CARDS if name == "cards" else get_args(hint)[1] for name, hint in held.items()}


def unknown_names(what: str, names: Iterable[str | None], known: Sequence[str], field: str) -> Iterator[Fault]:
    """A fault for every name that is given and not known; the nearest valid one is what would be right."""
    for given in names:
        if given and given not in known:
            yield Fault(field, given, f"is not a known {what}", nearest(given, known))


def repeated(
    names: Iterable[str], field: str, expected: str = "each once", problem: str = "is listed twice"
) -> Iterator[Fault]:
    """A fault for every name that is there more than once."""
    for name, times in Counter(names).items():
        if times > 1:
            yield Fault(field, name, problem, expected)


class Reader:
    """Reads the files of a folder, and files laid over it, whose entries replace the folder's of the same id.

    A faulty entry still counts as named, so that what refers to it is not reported as well.
    """

    def __init__(self, folder: Path, laid_over: Mapping[Path, Tables] | None = None) -> None:
        if not folder.is_dir():
            raise CartomancerError(f"no folder of content: '{folder}' (`cartomancer content copy DIR` makes one)")
        self.folder = folder
        self.laid_over = laid_over or {}
        self.faults: list[Fault] = []
        self.named: dict[str, list[str]] = {}
        self._homes: dict[tuple[str, str], str] = {}

    # --- reading ----------------------------------------------------------------------------------------------------

    def record(self, record: type) -> dict[str, Any]:
        """The fields of a record of content: the entries of its kinds, and its numbers, None where faulty."""
        found: dict[str, Any] = {kind: self.entries(kind, shape) for kind, shape in kinds_in(record).items()}
        for name, model in get_type_hints(record).items():
            if isinstance(model, type) and issubclass(model, Strict):
                file = f"tuning/{TUNING_FILES.get(name, name)}.toml"
                tables = self.tables(file)
                # an unreadable file is one fault, not one more for every field it should have had
                found[name] = None if tables is None else self.validated(model, tables, self.place(file))
        return found

    def entries(self, kind: str, shape: Shape[AnyEntry]) -> dict[str, AnyEntry]:
        """The entries of a kind: an array of tables named after it, in `kind.toml` or in every file of its folder; or a
        folder with a file for each."""
        self.named[kind] = []
        found: dict[str, AnyEntry] = {}
        for where, name, row in self._files(kind) if kind in ENTRY_FILES else self._arrays(kind):
            if name not in self.named[kind]:
                self.named[kind].append(name)
            self._homes[kind, name] = where
            entry = self.validated(shape, row, where)
            if entry is not None:
                found[name] = entry
        return found

    def _files(self, kind: str) -> Iterator[Row]:
        """One entry in each file of the folder `kind`, with the file's name as its id."""
        files = {self.place(name): self.tables(name) for name in self._names(kind)}
        files |= {shown_path(path): rows[0] for path, tables in self.laid_over.items() if (rows := tables.get(kind))}
        for place, tables in files.items():
            if tables is not None:
                stem = Path(place).stem
                if tables.get("id", stem) != stem:
                    self.fault(place, "id", tables["id"], "is not the name of its file", expected=stem)
                yield place, stem, tables

    def _arrays(self, kind: str) -> Iterator[Row]:
        """The rows of the arrays called `kind`: the folder's have ids of their own, and so have those laid over it."""
        seen: set[str] = set()
        for name in self._names(kind) if kind in FOLDERS else [f"{kind}.toml"]:
            tables = self.tables(name)
            if tables is None:
                continue
            for key in tables:
                if key != kind:
                    self.fault(self.place(name), key, None, "is not what this file holds", expected=f"[[{kind}]]")
            if not tables or tables.get(kind, [{}]) == []:
                self.fault(self.place(name), kind, None, "holds no entries", expected=f"at least one [[{kind}]]")
            yield from self._rows(kind, self.place(name), tables, seen)
        seen = set()
        for path, tables in self.laid_over.items():
            yield from self._rows(kind, shown_path(path), tables, seen)

    def _rows(self, kind: str, place: str, tables: Tables, seen: set[str]) -> Iterator[Row]:
        rows = tables.get(kind, [])
        if not isinstance(rows, list):
            self.fault(place, kind, rows, "is not an array of tables", expected=f"[[{kind}]]")
            return
        for number, row in enumerate(rows, 1):
            given = row.get("id") if isinstance(row, dict) else None
            label = given if isinstance(given, str) else f"{kind}[{number}]"
            where = f"{place}: {label}"
            if label in seen:
                self.fault(where, "id", label, "is used twice", expected="an id of its own")
            seen.add(label)
            yield where, label, row

    def _names(self, kind: str) -> list[str]:
        """The files of a kind's folder; only targets need none."""
        names = sorted(f"{kind}/{path.name}" for path in (self.folder / kind).glob("*.toml"))
        if kind != "targets" and not names:
            self.fault(self.place(kind), "folder", None, "holds no files", expected=f"at least one {kind}/*.toml")
        return names

    def tables(self, name: str) -> Tables | None:
        """The tables of a file in the folder, or nothing if it cannot be read."""
        return self._tried(read_toml, self.folder / name)

    def validated(self, shape: Shape[AnyModel], data: Any, where: str) -> AnyModel | None:
        """The data as a model, or nothing if it is faulty."""
        return self._tried(validated, shape, data, where)

    def _tried(self, read: Callable[..., Whole], *given: Any) -> Whole | None:
        try:
            return read(*given)
        except ContentError as error:
            self.faults.extend(error.faults)
            return None

    # --- checking entries against each other --------------------------------------------------------------------------

    def place(self, name: str) -> str:
        """A file of the folder as faults name it."""
        return shown_path(self.folder / name)

    def home(self, kind: str, entry_id: str) -> str:
        """An entry as faults name it: its file, and its id in it."""
        return self._homes.get((kind, entry_id), f"{self.place(kind)}: {entry_id}")

    def fault(self, where: str, field: str, value: Any, problem: str, *, expected: str) -> None:
        """Remember one fault."""
        self.faults.append(Fault(field, value, problem, expected, where=where))

    def faults_at(self, where: str, faults: Iterable[Fault]) -> None:
        """Remember the faults that a rule found in one entry."""
        self.faults.extend(replace(fault, where=where) for fault in faults)

    def known(self, what: str, names: Iterable[str | None], known: Sequence[str], *, where: str, field: str) -> None:
        """Every name that is given must be known."""
        self.faults_at(where, unknown_names(what, names, known, field))

    def distinct_texts(self, kind: str, entries: Mapping[str, AnyEntry], text: Callable[[AnyEntry], str]) -> None:
        """Within a kind no two generated texts may be equal [GDD 13.1]."""
        seen: dict[str, AnyEntry] = {}
        for entry in entries.values():
            first = seen.setdefault(text(entry), entry)
            if first is not entry:
                problem = f"reads exactly like '{first.id}'"
                self.fault(self.home(kind, entry.id), "text", text(entry), problem, expected="an effect of its own")

    def complete(self, read: Callable[[Reader], Whole | None], what: str) -> Whole:
        """What is read, or the refusal that says all that is wrong."""
        if (found := read(self)) is not None:
            return found
        where = "shipped content" if self.folder == SHIPPED else str(self.folder)
        raise ContentError(f"{where}: {len(self.faults)} fault(s) in the {what}", self.faults)
