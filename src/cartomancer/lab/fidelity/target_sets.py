"""Sets of targets: which are meant, and what each asks for, refused with every fault at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from cartomancer.content.codex import Codex
from cartomancer.content.models.targets import TargetSet, band_ends
from cartomancer.content.reader import unknown_names
from cartomancer.encounters.packing import pack_scenario
from cartomancer.errors import CartomancerError, Fault, FaultyError, UnknownNameError
from cartomancer.lab.columns import SIDES
from cartomancer.lab.matrix.assembly import Cell
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.selection import Selection, select
from cartomancer.lab.measures.bands import Target, read_targets
from cartomancer.lab.measures.composition_counts import COUNTS
from cartomancer.lab.measures.content_counts import CARD_COUNTS, differ_name
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.measures.measure import LONG
from cartomancer.lab.measures.registry import evidence_of
from cartomancer.lab.refusals import each_of
from cartomancer.players.policies import player_spec


def is_long(asked: TargetSet) -> bool:
    """Whether it takes minutes: players that think, decisions that are studied, and the matrix."""
    thinks = not LONG.isdisjoint(map(evidence_of, asked.targets))
    return thinks or asked.contrast is not None or asked.matrix is not None


def chosen(codex: Codex, names: Sequence[str] = (), quick: bool = False) -> list[TargetSet]:
    """The sets of these names, all without any, the short ones first; a scenario's name means all of its sets.

    Quick leaves out the long ones.
    """
    known = codex.targets
    scenarios = [asked.scenario for asked in known.values() if asked.scenario is not None]

    def meant(name: str) -> list[str]:
        found = [name] if name in known else [key for key, asked in known.items() if asked.scenario == name]
        if not found:
            raise UnknownNameError("set of targets", name, [*known, *dict.fromkeys(scenarios)])
        return found

    wanted = dict.fromkeys(key for keys in each_of(names, meant) for key in keys) if names else known
    found = [known[key] for key in wanted if not (quick and is_long(known[key]))]
    if not found:
        why = (
            "a quick look leaves out contrasts, matrices and studies of decisions"
            if wanted
            else "the content has no sets of targets"
        )
        raise CartomancerError(f"nothing to measure: {why}")
    return sorted(
        found, key=lambda asked: (asked.matrix is not None, is_long(asked), bool(asked.parties), asked.scenario is None)
    )


def read_sets(sets: Iterable[TargetSet], codex: Codex) -> dict[str, tuple[Target, ...]]:
    """The targets of every set by its id; those of parties have none of their own."""
    found: dict[str, tuple[Target, ...]] = {}
    faults: list[Fault] = []
    for asked in sets:
        try:
            found[asked.id] = _targets(asked, codex)
        except CartomancerError as error:
            own = error.faults or (Fault("set", asked.id, str(error)),)
            faults += [replace(fault, where=f"targets/{asked.id}.toml") for fault in own]
    if faults:
        raise FaultyError(f"{len(faults)} fault(s) in the sets of targets", faults)
    return found


def target_faults(codex: Codex) -> Sequence[Fault]:
    """What is wrong with the sets of targets of a codex: measures that are not, bands where a measure never lies."""
    try:
        read_sets(codex.targets.values(), codex)
    except FaultyError as error:
        return error.faults
    return ()


def _targets(asked: TargetSet, codex: Codex) -> tuple[Target, ...]:
    faults = list(_player_faults(asked, codex))
    if asked.scenario is None:
        what, known = known_rows(asked, codex)
        faults += [*unknown_names(what, asked.targets, known, "targets")]
        matrix_cells(asked, Compositions.of(codex))
    if faults:
        raise FaultyError(asked.id, faults)
    if asked.scenario is None:
        return tuple(Target(name, *(band_ends(band) or (None, None))) for name, band in asked.targets.items())
    if asked.parties:
        return ()
    context = ScenarioContext.of(pack_scenario(codex, codex.scenario(asked.scenario)), codex)
    text = ", ".join(f"{name}={band}" for name, band in asked.targets.items())
    return read_targets(text, context, difference=asked.contrast is not None)


def known_rows(asked: TargetSet, codex: Codex) -> tuple[str, Sequence[str]]:
    """What a set that plays no scenario of its own may ask for, and how one of it is called."""
    if asked.matrix is not None:
        return "count of a matrix", COUNTS
    if asked.about == "cards":
        return "count of cards", CARD_COUNTS
    return "pair of profiles", [differ_name(*pair) for pair in profile_pairs(codex)]


def profile_pairs(codex: Codex) -> Iterator[tuple[str, str]]:
    """Every two profiles of a side, either way round."""
    for one, other in permutations(codex.profiles.values(), 2):
        if one.side == other.side:
            yield one.id, other.id


def _player_faults(asked: TargetSet, codex: Codex) -> Iterator[Fault]:
    if asked.contrast is None:
        return
    try:
        each_of(SIDES, lambda side: player_spec(asked.contrast or "", side, codex))
    except CartomancerError as error:
        yield Fault("contrast", asked.contrast, f"is no player of both sides: {error}", "montecarlo@12")


def matrix_cells(asked: TargetSet, space: Compositions) -> list[Cell]:
    """The cells of a matrix that a set speaks of."""
    if asked.matrix is None:
        return []
    return select(space, Selection(asked.matrix.parties, asked.matrix.rooms))[0]
