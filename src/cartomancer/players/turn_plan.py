"""The plan behind a turn's choice: what grows the pool, what gives more energy, which cards follow in which order.

The sequencer plans anew at every stop, so a plan holds as far as its player can tell: rolls, answers and face-down
Traps may change it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cartomancer.encounters.actions import SPAN, split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.players.kernel.sequencer import (
    NO_ACTION,
    best_plan,
    first_of,
    gather_candidates,
    gather_sources,
    is_saving,
)
from cartomancer.players.trace import Trace, growth_in, trace_decision

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


def plan_of(trace: Trace) -> tuple[Step, ...]:
    """The turn as the sequencer means to play it: growth, sources of energy, cards, and the Reacts it keeps."""
    steps, twin, after = list[Step](), trace.encounter.copy(), trace
    while (grown := growth_in(trace.players, twin)) is not None:
        steps.append(Step(grown, twin.text_of(grown), GROWS))
        _play_unharmed(twin, grown)
    if steps:
        after = trace_decision(trace.players, twin)
    if len(after.legal) == 1 or split(after.chosen)[0] == codes.RETREAT:
        return tuple(steps)
    return (*steps, *_set_in_order(after))


def saves_for_covenant(trace: Trace) -> bool:
    """Whether a Surge is kept for a Covenant in hand."""
    return trace.courting and bool(is_saving(trace.tables, trace.state, trace.p))


def _play_unharmed(twin: Encounter, action: int) -> None:
    """Play Energy in an encounter of one's own; face-down Traps are in nobody's plan."""
    theirs = twin.state["sides"][1 - int(twin.state["actor"])]
    laid = int(theirs["trap_count"])
    theirs["trap_count"] = 0
    twin.apply(action)
    theirs["trap_count"] = laid


def _set_in_order(trace: Trace) -> list[Step]:
    """Sources and cards of the chosen set, read off the workspace."""
    workspace, hand = trace.workspace_copy(), trace.hand
    candidates = int(gather_candidates(trace.tables, trace.state, trace.p, workspace))
    places = {hand[int(workspace["places"][k])]: k for k in range(candidates)}
    mask = int(workspace["chosen_mask"])
    reacts = [card for card, k in places.items() if mask >> k & 1 and trace.category(card) == codes.REACT]
    played = []
    while (found := int(first_of(trace.tables, trace.state, trace.p, workspace, candidates, mask))) != NO_ACTION:
        played.append(_step(trace, codes.PLAY, split(found)[1], PLAYED))
        mask &= ~(1 << places[split(found)[1]])
    sources = _sources(trace, workspace, candidates) if played else []
    return [*sources, *played, *(_step(trace, codes.ANSWER, card, KEPT) for card in reacts)]


def _step(trace: Trace, verb: Any, instance: int, role: str) -> Step:
    action = int(verb) * SPAN + instance
    return Step(action, trace.encounter.text_of(action), role)


def _sources(trace: Trace, workspace: Any, candidates: int) -> list[Step]:
    """What pays for the set beyond the energy at hand."""
    energy = int(trace.side["energy"]) + int(trace.side["temporary"])
    if int(workspace["mask_cost"][(1 << candidates) - 1]) <= energy:
        return []  # everything can be paid for
    here = (trace.tables, trace.policies, trace.state, trace.p, workspace)
    count = int(gather_sources(*here, saves_for_covenant(trace), trace.courting))
    used = int(best_plan(trace.tables, trace.state, trace.p, workspace, candidates, count)) // 64
    steps = []
    for k in range(count):
        if used >> k & 1:
            instance = trace.hand[int(workspace["source_place"][k])]
            verb = codes.PLAY if trace.category(instance) == codes.ENERGY else codes.ACTIVATE
            steps.append(_step(trace, verb, instance, gives(int(workspace["source_gain"][k]))))
    return steps
