"""The plan behind a turn's choice: what grows the pool, what gives more energy, which cards follow in which order.

The sequencer plans anew at every stop, so a plan holds as far as its player can tell: rolls, answers and face-down
Traps may change it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from cartomancer.encounters.actions import SPAN, split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes as rules
from cartomancer.players.kernel.sequencer import (
    NO_ACTION,
    best_plan,
    first_of,
    gather_candidates,
    gather_sources,
    is_saving,
)
from cartomancer.players.sheet import Sheet, think

GROWS: Final = "grows the pool"
PLAYED: Final = "played"
KEPT: Final = "kept to answer with"


@dataclass(frozen=True)
class Step:
    """One step of a plan."""

    action: int
    text: str
    role: str  # grows the pool, gives n energy, played, kept to answer with


def gives(energy: int) -> str:
    """The role of a source of energy."""
    return f"gives {energy} energy"


def plan_of(sheet: Sheet) -> tuple[Step, ...]:
    """The turn as the sequencer means to play it: growth, sources of energy, cards, and the Reacts it keeps."""
    steps = []
    after = replace(sheet, encounter=sheet.encounter.copy())
    while (grown := after.growth) is not None:
        steps.append(Step(grown, after.encounter.text_of(grown), GROWS))
        _play_unharmed(after.encounter, grown)
    if steps:
        after = think(sheet.players, after.encounter)
    if len(after.legal) == 1 or split(after.chosen)[0] == rules.RETREAT:
        return tuple(steps)
    return (*steps, *_set_in_order(after))


def saves_for_covenant(sheet: Sheet) -> bool:
    """Whether a Surge is kept for a Covenant in hand."""
    return sheet.courting and bool(is_saving(sheet.tables, sheet.state, sheet.p))


def _play_unharmed(twin: Encounter, action: int) -> None:
    """Play Energy in an encounter of one's own; face-down Traps are in nobody's plan."""
    theirs = twin.state["sides"][1 - int(twin.state["actor"])]
    laid = int(theirs["trap_count"])
    theirs["trap_count"] = 0
    twin.apply(action)
    theirs["trap_count"] = laid


def _set_in_order(sheet: Sheet) -> list[Step]:
    """Sources and cards of the chosen set, read off the scratch paper."""
    thoughts, hand = sheet.paper(), sheet.hand
    candidates = int(gather_candidates(sheet.tables, sheet.state, sheet.p, thoughts))
    places = {hand[int(thoughts["places"][k])]: k for k in range(candidates)}
    mask = int(thoughts["chosen_mask"])
    reacts = [card for card, k in places.items() if mask >> k & 1 and sheet.category(card) == rules.REACT]
    played = []
    while (found := int(first_of(sheet.tables, sheet.state, sheet.p, thoughts, candidates, mask))) != NO_ACTION:
        played.append(_step(sheet, rules.PLAY, split(found)[1], PLAYED))
        mask &= ~(1 << places[split(found)[1]])
    sources = _sources(sheet, thoughts, candidates) if played else []
    return [*sources, *played, *(_step(sheet, rules.ANSWER, card, KEPT) for card in reacts)]


def _step(sheet: Sheet, verb: Any, instance: int, role: str) -> Step:
    action = int(verb) * SPAN + instance
    return Step(action, sheet.encounter.text_of(action), role)


def _sources(sheet: Sheet, thoughts: Any, candidates: int) -> list[Step]:
    """What pays for the set beyond the energy at hand."""
    energy = int(sheet.side["energy"]) + int(sheet.side["temporary"])
    if int(thoughts["mask_cost"][(1 << candidates) - 1]) <= energy:
        return []  # everything can be paid for
    here = (sheet.tables, sheet.minds, sheet.state, sheet.p, thoughts)
    count = int(gather_sources(*here, saves_for_covenant(sheet), sheet.courting))
    used = int(best_plan(sheet.tables, sheet.state, sheet.p, thoughts, candidates, count)) // 64
    steps = []
    for k in range(count):
        if used >> k & 1:
            instance = sheet.hand[int(thoughts["source_place"][k])]
            verb = rules.PLAY if sheet.category(instance) == rules.ENERGY else rules.ACTIVATE
            steps.append(_step(sheet, verb, instance, gives(int(thoughts["source_gain"][k]))))
    return steps
