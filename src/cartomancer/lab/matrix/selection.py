"""Which cells to play, as people write it: parties, rooms, profiles, a sample, the surroundings of one match."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from cartomancer.content.matches import MATCH, read_match
from cartomancer.errors import CartomancerError, FaultyError, UnknownNameError
from cartomancer.input_files import InputFileError, read_input
from cartomancer.lab.matrix.assembly import Cell
from cartomancer.lab.matrix.compositions import LENGTHS, Compositions, sample, sampled_cells
from cartomancer.lab.refusals import each_of
from cartomancer.lab.results import Notice

ALL, NAMED, OWN, SAMPLE = "all", "named", "own", "sample:"
KINDS = ("parties", "creatures", "classes", "rooms")  # what a match names


@dataclass(frozen=True)
class Selection:
    """What was asked for."""

    parties: str = NAMED  # all, named, sample:K, a file, or parties separated by commas
    rooms: str = "2"  # 2, 3, 4, 2-3 … rooms, or dungeons separated by commas
    profiles: str = OWN  # own, all, or profiles separated by commas; a dungeon written with its profile keeps it
    sample: int | None = None  # so many of the cells
    around: str | None = None  # instead: a match, and what differs from it in one thing
    seed: int = 0  # of samples


def chosen_cells(space: Compositions, asked: Selection, notice: Notice) -> list[Cell]:
    """The cells asked for; parties that may not play are told."""
    cells, left_out = select(space, asked)
    for line in left_out:
        notice(f"left out: {line}")
    return cells


def select(space: Compositions, asked: Selection) -> tuple[list[Cell], list[str]]:
    """The cells asked for, and a sentence for each party that is left out because it may not play."""
    if asked.around is not None:
        here = cell_of(space, asked.around)
        return sorted([here, *space.probe(*here)]), []
    parties, illegal = space.legal(_parties(space, asked))
    dungeons = _dungeons(space, asked)
    left_out = ["-".join(space.parties.label(k)) + f": {faults[0]}" for k, faults in illegal.items()]
    if not parties:
        raise CartomancerError("no party that may play:\n" + "\n".join(left_out))
    if asked.sample is None:
        return [(party, dungeon) for party in parties for dungeon in dungeons], left_out
    return list(sampled_cells(parties, dungeons, asked.sample, asked.seed)), left_out


def cell_of(space: Compositions, name: str) -> Cell:
    """The cell of a match; four classes in any order are one composition."""
    match = read_match(name if name.startswith(MATCH) else MATCH + name)
    faults = list(match.faults({kind: list(space.codex.of_kind(kind)) for kind in KINDS}))
    if faults:
        raise FaultyError(f"{name}: {len(faults)} fault(s)", faults)
    return space.cell(match)


def _parties(space: Compositions, asked: Selection) -> list[int]:
    text, known = asked.parties.strip(), space.parties
    if text == ALL:
        return list(range(len(known)))
    if text == NAMED:
        return list(range(len(known), len(known) + len(known.named)))
    if text.startswith(SAMPLE):
        number = text.removeprefix(SAMPLE)
        if not number.isdigit() or not int(number):
            raise CartomancerError(f"'{text}': how many? right would be: sample:20")
        return sample(len(known), int(number), asked.seed)
    if Path(text).suffix or "/" in text:
        return _listed(space, Path(text))
    return list(dict.fromkeys(each_of(_names(text), known.find)))


def _listed(space: Compositions, path: Path) -> list[int]:
    """The parties in a file, one a line; lines that begin with # are remarks. Every fault is named."""
    try:
        lines = read_input(path).splitlines()
    except InputFileError as error:
        raise CartomancerError(f"{path}: cannot be read: {error}") from None
    found, faults = [], []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.strip().startswith("#"):
            try:
                found.append(space.parties.find(line.strip()))
            except CartomancerError as error:
                faults.append(f"  line {number}: {error}")
    if faults or not found:
        raise CartomancerError(
            "\n".join([f"{path}: " + ("not a list of parties" if faults else "names none"), *faults])
        )
    return list(dict.fromkeys(found))


def _dungeons(space: Compositions, asked: Selection) -> list[int]:
    span = re.fullmatch(r"([0-9])(?:-([0-9]))?", asked.rooms.strip())
    if span is None:
        named = [space.dungeons[k] for k in each_of(_names(asked.rooms), space.dungeons.find)]
        ways = _ways(space, asked)
        played = [one if one.profile else replace(one, profile=way) for one in named for way in ways]
        return list(dict.fromkeys(map(space.dungeons.index, played)))
    first, last = int(span[1]), int(span[2] or span[1])
    if not LENGTHS[0] <= first <= last <= LENGTHS[-1]:
        raise CartomancerError(f"'{asked.rooms}' rooms: right would be: 2, 3, 4, 2-3, 2-4 or 3-4 [GDD 18.4]")
    return [k for way in _ways(space, asked) for k in space.dungeons.of_length(first, last, profile=way)]


def _ways(space: Compositions, asked: Selection) -> list[str | None]:
    """The profiles of the dungeon; none is its own."""
    ways: dict[str, list[str | None]] = {OWN: [None], ALL: [*space.dungeons.profiles]}
    ways |= {name: [name] for name in space.dungeons.profiles}

    def named(name: str) -> list[str | None]:
        if name not in ways:
            raise UnknownNameError("profile of the dungeon", name, [*ways])
        return ways[name]

    return list(dict.fromkeys(way for found in each_of(_names(asked.profiles), named) for way in found))


def _names(text: str) -> list[str]:
    """What is separated by commas."""
    return [name.strip() for name in text.split(",")]
