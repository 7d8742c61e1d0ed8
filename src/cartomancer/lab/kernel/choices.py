"""What profiles would choose: each is asked at every decision of a side, and their choices are compared.

The run goes on as the scenario's own players would have it, so all profiles are asked at the same positions.
"""

from __future__ import annotations

import numpy as np

from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.batch import MOST_STEPS, start_run
from cartomancer.encounters.kernel.codes import NONE, ONE, VERB_SPAN
from cartomancer.encounters.kernel.layout import number_of
from cartomancer.encounters.kernel.legal import legal_actions
from cartomancer.encounters.kernel.protocol import advance, is_moving, take
from cartomancer.encounters.kernel.trust import BINDING_TIER, trust_tier
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.matches import decide, seed_of_run
from cartomancer.players.kernel.sequencer import NO_ACTION, growth

MOST_PROFILES = 8
_WITH_CARD = np.array([verb.argument == "card" for verb in codes.Verb], np.int8)

CHOICES = np.dtype(  # of a run; the first index says whether trust was high enough to bind
    [("decisions", np.int16, 2), ("differ", np.int16, (2, MOST_PROFILES, MOST_PROFILES))], align=True
)


@kernel
def compare_choices(tables, policies, blank, states, options, mind, batch_seed, first, p, compared):
    """The unforced decisions of side p in some consecutive runs of a batch, and how often two profiles differ in them.

    The first policies play; the others have a profile each.
    """
    state = states[0]
    for k in range(compared.shape[0]):
        seed = seed_of_run(batch_seed, first + k)
        start_run(tables[0], blank, states, NONE, seed)
        taken = NONE
        for _ in range(MOST_STEPS):
            if state.awaiting == codes.OVER:
                break
            if is_moving(state):
                advance(tables[0], state, None)
                continue
            chosen = decide(tables[0], policies[0], states, NONE, ONE, options, mind[0], seed, taken)
            if state.actor == p and _is_free(tables[0], state, options):
                _ask(tables[0], policies, states, options, mind[0], seed, taken, compared[k])
            take(tables[0], state, None, chosen)
            taken += 1


@kernel
def _is_free(tables, state, options):
    """Whether there is more than one option. Energy that grows the pool is no decision: everybody plays it."""
    if state.awaiting == codes.AWAIT_TURN and growth(tables, state, whole(state.actor)) != NO_ACTION:
        return False
    return legal_actions(tables, state, options) > 1


@kernel
def _ask(tables, policies, states, options, mind, seed, taken, choices):
    """Ask every profile."""
    state = states[0]
    binds = ONE if trust_tier(tables, state) >= BINDING_TIER else NONE
    choices.decisions[binds] += 1
    count = policies.shape[0] - 1
    for n in range(count):
        mind.arms[n].action = decide(tables, policies[n + 1], states, NONE, ONE, options, mind, seed, taken)
    for n in range(count):
        for m in range(n):
            if not _are_alike(tables, state, whole(mind.arms[n].action), whole(mind.arms[m].action)):
                choices.differ[binds, m, n] += 1


@kernel
def _are_alike(tables, state, one, other):
    """Whether two actions do the same: copies of a card are one."""
    verb = one // VERB_SPAN
    if verb != other // VERB_SPAN:
        return False
    if one == other or not _WITH_CARD[verb]:
        return one == other
    p = whole(state.actor)
    return number_of(tables, state, p, one % VERB_SPAN) == number_of(tables, state, p, other % VERB_SPAN)
