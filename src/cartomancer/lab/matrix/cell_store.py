"""Stored cells of matrices: one folder for each content, pair of players and seed; Parquet files of finished cells.

    results/matrix-<content digest>-<settings digest>/matrix.json
    results/matrix-<content digest>-<settings digest>/cells-<checksum>.parquet

A file holds some cells with the indices of the runs they are of. Whatever was played stays: asking for more games or
for other cells goes on from what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from pydantic import Field

from cartomancer.content.codex import Codex
from cartomancer.content.kept_files import kept_data, refuse_damaged
from cartomancer.content.matches import MATCH_DUNGEON
from cartomancer.content.models.base import Strict, deciding
from cartomancer.encounters.encounter import RULESET
from cartomancer.errors import CartomancerError, Fault
from cartomancer.jit import kernel_digest
from cartomancer.lab.kernel.cells import CELL
from cartomancer.lab.matrix.cells import cells_of_columns, columns_of_cells, joined
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.parquet import checksum, keep_columns, prepare_folder, quoted
from cartomancer.lab.results import Notice
from cartomancer.players.policies import PlayerSpec, player_spec
from cartomancer.seals import DAMAGED, digest_of

FORMAT: Final = 1  # goes up when cells are counted otherwise
DESCRIPTION: Final = "matrix.json"
FILE_NAME: Final = re.compile(r"cells-(?P<checksum>[0-9a-f]{8})\.parquet")
HEURISTIC: Final = PlayerSpec()


@dataclass(frozen=True)
class Settings:
    """What decides a cell besides who meets whom."""

    seed: int = 0
    dungeon: PlayerSpec = HEURISTIC
    visitor: PlayerSpec = HEURISTIC

    def as_dict(self) -> dict[str, Any]:
        return {"seed": str(self.seed), "dungeon": str(self.dungeon), "visitor": str(self.visitor)}


def content_digest(space: Compositions) -> str:
    """Twelve hex digits of all that can decide a cell: classes, rooms, decks, cards, profiles, rules and their code."""
    codex: Codex = space.codex
    rooms, decks = [*codex.rooms.values()], [codex.decks[room.deck] for room in codex.rooms.values()]
    kits = [*(deck.cards for deck in decks), *(kind.cards for kind in codex.classes.values())]
    dungeon = codex.dungeons[MATCH_DUNGEON]
    entries = [
        *(dungeon, *rooms, *decks, *codex.classes.values(), *codex.profiles.values()),
        *(codex.cards[name] for name in sorted({name for kit in kits for name in kit})),
        *(codex.rules, codex.resolution, codex.thinking, codex.endings),
    ]
    named = [[party.id, party.members, party.profile] for party in codex.parties.values()]
    decided = [dungeon.profile, named, [deciding(entry) for entry in entries]]
    return digest_of([RULESET, FORMAT, kernel_digest(), *decided], digits=12)


class Description(Strict):
    """The shape of what lies beside the cells of a matrix."""

    format: Literal[1]
    content_digest: str
    seed: str = Field(pattern="^[0-9]{1,20}$")
    dungeon: str
    visitor: str
    digest: str


def _seal_faults(facts: Mapping[str, Any]) -> Iterator[Fault]:
    settings = {name: facts.get(name) for name in Settings().as_dict()}
    if digest_of([str(facts.get("content_digest")), settings], digits=12) != facts.get("digest"):
        yield Fault("digest", facts.get("digest"), DAMAGED)


class MatrixStore:
    """The cells of one content and settings in a results folder."""

    def __init__(
        self, results: Path, space: Compositions, settings: Settings, notice: Notice = lambda text: None
    ) -> None:
        self.space, self.settings, self.notice = space, settings, notice
        self.content = content_digest(space)
        self.digest = digest_of([self.content, settings.as_dict()], digits=12)
        self.folder = results / f"matrix-{self.content}-{self.digest}"

    def prepare(self) -> None:
        """Make the folder ready: described, and without what dead processes left."""
        facts = {"format": FORMAT, "content_digest": self.content, **self.settings.as_dict(), "digest": self.digest}
        prepare_folder(self.folder / DESCRIPTION, facts)

    def keep(self, cells: Any) -> None:
        """Write finished cells as a file: it is whole or not there."""
        columns = {"matrix": np.full(len(cells), int(self.digest, 16), np.uint64), **columns_of_cells(cells)}
        keep_columns(self.folder, "cells", columns)

    def cells(self) -> Any:
        """Every stored cell with all its consecutive runs from run 0 on; damaged files are named and set aside."""
        found = [*self._files()]
        if not found:
            return np.zeros(0, CELL)
        columns = _read(found)
        foreign = columns.pop("matrix") != int(self.digest, 16)
        if foreign.any():
            raise CartomancerError(
                f"{self.folder}: {int(foreign.sum())} cells there are of another matrix; move them out"
            )
        return joined(cells_of_columns(columns))

    def _files(self) -> list[Path]:
        good = []
        for path in sorted(self.folder.glob("cells-*.parquet")):
            name = FILE_NAME.fullmatch(path.name)
            if name and name["checksum"] == checksum(path):
                good.append(path)
            elif name:
                path.replace(path.with_name(path.name + ".damaged"))
                self.notice(f"{path}: damaged: set aside as {path.name}.damaged, its cells are played again")
        return good


def stored_matrix(folder: Path, space: Compositions, notice: Notice = lambda text: None) -> MatrixStore:
    """The store in a matrix's folder; refused if it was made with other content than there is now."""
    path, what = folder / DESCRIPTION, "the description of a matrix"
    facts = kept_data(path, what)
    refuse_damaged(facts, Description, what, str(path), _seal_faults)
    specs = [player_spec(facts[side], side, space.codex) for side in ("dungeon", "visitor")]
    store = MatrixStore(folder.parent, space, Settings(int(facts["seed"]), *specs), notice)
    if store.content != (content := facts["content_digest"]):
        raise CartomancerError(f"{folder}: made with other content ({content}; here it is {store.content}): not mixed")
    store.folder = folder
    return store


def matrices(results: Path) -> list[Path]:
    """The folders of matrices in a results folder; the folder itself if it is one."""
    if (results / DESCRIPTION).is_file():
        return [results]
    return sorted(path.parent for path in results.glob(f"matrix-*/{DESCRIPTION}"))


def _read(paths: list[Path]) -> dict[str, Any]:
    """All columns of some Parquet files."""
    import duckdb

    listed = ", ".join(quoted(str(path)) for path in paths)
    with duckdb.connect() as connection:
        found: dict[str, Any] = connection.execute(f"SELECT * FROM read_parquet([{listed}])").fetchnumpy()
    return found
