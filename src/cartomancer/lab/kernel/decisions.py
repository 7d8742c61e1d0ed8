"""What decisions are worth: one of each run, its options played to their ends.

A fifth of the luck says which options are best, second and worst; the rest says by how much. So no option looks good
only because it was lucky when it was picked.
"""

from __future__ import annotations

import numpy as np

from cartomancer.codes import STREAM_STUDY
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.batch import MOST_STEPS, start_run
from cartomancer.encounters.kernel.codes import NONE, ONE
from cartomancer.encounters.kernel.protocol import advance, is_moving, take
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.matches import decide, seed_of_run
from cartomancer.players.kernel.sequencer import NO_ACTION, growth
from cartomancer.players.kernel.smart import open_arms, roll_out
from cartomancer.rng import GOLDEN, below, draw64, stream_start

JUDGING = 4  # times as many rollouts judge an option as pick it

DECISION = np.dtype(  # one of a run's decisions; worths in thousandths
    [
        ("side", np.int16),
        ("awaiting", np.int16),
        ("round_no", np.int16),
        ("options", np.int16),  # different ones
        ("decisions", np.int16),  # of the run with more than one option, of both sides
        ("lead", np.int16),  # what the best option is worth more than the second best
        ("spread", np.int16),  # … than the worst
        ("regret", np.int16),  # … than what was chosen
    ],
    align=True,
)


@kernel
def study_decisions(tables, policies, blank, states, options, mind, batch_seed, first, rollouts, studied):
    """One decision of each of some consecutive runs of a batch, drawn evenly from those with more than one option."""
    for k in range(studied.shape[0]):
        seed = seed_of_run(batch_seed, first + k)
        start_run(tables[0], blank, states, NONE, seed)
        count = _play_to(tables[0], policies[0], states, options, mind[0], seed, whole(-1))
        studied[k].decisions = count
        if count > 0:
            mind[0].rollout.dice[0] = stream_start(seed, STREAM_STUDY, NONE)
            wanted = whole(below(mind[0].rollout.dice, 0, count))
            luck = draw64(mind[0].rollout.dice, 0)
            start_run(tables[0], blank, states, NONE, seed)
            _play_to(tables[0], policies[0], states, options, mind[0], seed, wanted)
            _judge(tables[0], policies[0], states, luck, rollouts, mind[0], studied[k])


@kernel
def _play_to(tables, policies, states, options, mind, seed, wanted):
    """Play a run up to the wanted decision with more than one option, whose arms are then open; else to its end.

    Returns the count of such decisions before it. Energy that grows the pool is no decision: everybody plays it.
    """
    state = states[0]
    taken, count = NONE, NONE
    for _ in range(MOST_STEPS):
        if state.awaiting == codes.OVER:
            break
        if is_moving(state):
            advance(tables, state, None)
            continue
        p = whole(state.actor)
        chosen = decide(tables, policies, states, NONE, ONE, options, mind, seed, taken)
        grows = state.awaiting == codes.AWAIT_TURN and growth(tables, state, p) != NO_ACTION
        if not grows and open_arms(tables, state, options, chosen, mind) > 1:
            if count == wanted:
                break
            count += 1
        take(tables, state, None, chosen)
        taken += 1
    return count


@kernel
def _judge(tables, policies, states, luck, rollouts, mind, decision):
    """Try every arm under a part of the luck, and the best, second, worst and chosen under all that is left."""
    state = states[0]
    p = whole(state.actor)
    arms = whole(mind.arm_count)
    decision.side = p
    decision.awaiting = state.awaiting
    decision.round_no = state.round_no
    decision.options = arms
    for k in range(arms):
        mind.arms[k].total = _total(tables, policies, states, p, k, luck, NONE, rollouts, mind)
    best, second, worst = NONE, whole(-1), NONE
    for k in range(1, arms):
        if mind.arms[k].total > mind.arms[best].total:
            best, second = whole(k), best
        elif second < 0 or mind.arms[k].total > mind.arms[second].total:
            second = whole(k)
        if mind.arms[k].total <= mind.arms[worst].total:
            worst = whole(k)
    last = (1 + JUDGING) * rollouts
    top = _total(tables, policies, states, p, best, luck, rollouts, last, mind)
    decision.lead = (top - _total(tables, policies, states, p, second, luck, rollouts, last, mind)) // (last - rollouts)
    decision.spread = (top - _total(tables, policies, states, p, worst, luck, rollouts, last, mind)) // (
        last - rollouts
    )
    decision.regret = (top - _total(tables, policies, states, p, NONE, luck, rollouts, last, mind)) // (last - rollouts)


@kernel
def _total(tables, policies, states, p, k, luck, first, last, mind):
    """What some rollouts of an arm are worth together."""
    total = NONE
    for n in range(first, last):
        chosen = whole(mind.arms[k].action)
        total += roll_out(tables, policies, states, NONE, ONE, p, chosen, luck + GOLDEN * np.uint64(n + 1), mind)
    return total
