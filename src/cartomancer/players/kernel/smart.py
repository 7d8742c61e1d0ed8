"""The smart player: every option is played to the end of the run, by the heuristic on both sides, and judged by how
the run ends.

A rollout deals what is hidden anew, takes the option and lets heuristic players finish. Rollout n deals and rolls alike
for every option, so options are compared under the same luck. Sequential halving spends the rollouts: all options get a
few, the better half gets more, until two are left. The heuristic's own choice is the default and stays to the end;
another replaces it only where its lead is more than noise. The budget is a number of rollouts, never a time, so that
the player plays the same everywhere.
"""

from __future__ import annotations

import numpy as np

from cartomancer.codes import STREAM_PLAYER
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.batch import MOST_STEPS
from cartomancer.encounters.kernel.codes import NONE, ONE
from cartomancer.encounters.kernel.legal import legal_actions
from cartomancer.encounters.kernel.protocol import advance, is_moving, take
from cartomancer.jit import kernel, whole
from cartomancer.players.kernel.determinizing import determinize
from cartomancer.players.kernel.heuristic import heuristic_reply, heuristic_turn
from cartomancer.players.kernel.layout import MOST_ARMS
from cartomancer.players.kernel.player_codes import EVERY_CATEGORY
from cartomancer.players.kernel.sequencer import NO_ACTION, growth
from cartomancer.rng import GOLDEN, draw64, scramble, stream_start

TENTHS = 10  # of a standard error, in which doubt is measured


@kernel
def heuristic_choice(tables, policies, state, options, workspace, seed, taken):
    """What a heuristic player with the side's profile would do."""
    chosen = heuristic_reply(tables, policies, state, options, workspace, seed, taken)
    if chosen != NO_ACTION:
        return chosen
    return heuristic_turn(tables, policies, state, workspace, EVERY_CATEGORY)


@kernel
def ending_worth(policies, state, p):
    """What the end of a run is worth to a side, in thousandths: its profile's goal decides."""
    return whole(policies.sides[p].profiles[state.room].endings[state.outcome])


@kernel
def roll_out(tables, policies, states, place, spare, p, chosen, luck, mind):
    """What the run is worth to side p after an action, if heuristic players finish it under this luck."""
    states[spare] = states[place]
    state = states[spare]
    workspace = mind.rollout
    workspace.dice[0] = scramble(luck)
    seed = draw64(workspace.dice, 0)
    determinize(tables, state, p, workspace.dice)
    take(tables, state, None, chosen)
    taken = NONE
    for _ in range(MOST_STEPS):
        if state.awaiting == codes.OVER:
            break
        if is_moving(state):
            advance(tables, state, None)
        else:
            answer = heuristic_choice(tables, policies, state, workspace.options, workspace, seed, taken)
            take(tables, state, None, answer)
            taken += 1
    return ending_worth(policies, state, p)


@kernel
def open_arms(tables, state, options, default, mind):
    """One arm for every option, the default first. Returns the count."""
    count = legal_actions(tables, state, options)
    _open_arm(mind, NONE, default)
    arms = ONE
    for k in range(count):
        if arms < MOST_ARMS and options[k] != default:
            _open_arm(mind, arms, whole(options[k]))
            arms += 1
    mind.arm_count = arms
    return arms


@kernel
def _open_arm(mind, k, chosen):
    """An arm nobody has tried."""
    arm = mind.arms[k]
    arm.action = chosen
    arm.rollouts = 0
    arm.total = 0
    arm.gain = 0
    arm.squares = 0


@kernel
def try_arms(tables, policies, states, place, spare, p, base, first, last, alive, mind):
    """Rollouts `first` to `last` of the arms that are alive; the default, which is one of them, goes first."""
    for n in range(first, last):
        luck = base + GOLDEN * np.uint64(n + 1)
        standard = NONE
        for k in range(mind.arm_count):
            if alive >> k & 1:
                arm = mind.arms[k]
                worth = roll_out(tables, policies, states, place, spare, p, whole(arm.action), luck, mind)
                if k == 0:
                    standard = worth
                arm.rollouts += 1
                arm.total += worth
                arm.gain += worth - standard
                arm.squares += (worth - standard) * (worth - standard)


@kernel
def compare_options(tables, policies, states, place, spare, p, base, budget, mind):
    """Sequential halving over the open arms: spend about `budget` rollouts, most of them on the best."""
    arms = whole(mind.arm_count)
    alive = (ONE << arms) - 1
    left, halvings = arms, ONE
    while ONE << halvings < arms:
        halvings += 1
    done = NONE
    for _ in range(halvings):
        more = max(ONE, budget // (halvings * left))
        try_arms(tables, policies, states, place, spare, p, base, done, done + more, alive, mind)
        done += more
        keep = max(whole(2), (left + 1) // 2)
        while left > keep:
            alive &= ~(ONE << _worst(mind, alive))
            left -= 1
    mind.alive = alive


@kernel
def _worst(mind, alive):
    """The arm with the least gain among those alive; never the default."""
    found, least = NONE, NONE
    for k in range(1, mind.arm_count):
        if alive >> k & 1 and (found == 0 or mind.arms[k].gain < least):
            found, least = whole(k), whole(mind.arms[k].gain)
    return found


@kernel
def is_clear(arm, doubt):
    """Whether an arm is better than the default by more than `doubt` tenths of the gain's standard error."""
    n = whole(arm.rollouts)
    if arm.gain <= 0 or n < 2:
        return False
    square_of_mean = whole(arm.gain) * whole(arm.gain) // n
    noise = max(NONE, whole(arm.squares) - square_of_mean)
    return TENTHS * TENTHS * square_of_mean * (n - 1) > doubt * doubt * noise


@kernel
def best_arm(mind, doubt):
    """The arm with the largest gain of those that stayed, if it is clearly better than the default."""
    found, best = NONE, NONE
    for k in range(1, mind.arm_count):
        arm = mind.arms[k]
        if whole(mind.alive) >> k & 1 and arm.gain > best and is_clear(arm, doubt):
            found, best = whole(k), whole(arm.gain)
    return found


@kernel
def smart_choice(tables, policies, states, place, spare, options, mind, seed, taken):
    """The option whose rollouts end best; Energy that grows the pool needs none."""
    state = states[place]
    p = whole(state.actor)
    mind.arm_count = 0
    if state.awaiting == codes.AWAIT_TURN:
        grown = growth(tables, state, p)
        if grown != NO_ACTION:
            return grown
    default = heuristic_choice(tables, policies, state, options, mind.decision, seed, taken)
    if open_arms(tables, state, options, default, mind) > 1:
        mind.decision.luck[0] = stream_start(seed, STREAM_PLAYER, taken)
        base = draw64(mind.decision.luck, 0)
        policy = policies.sides[p]
        compare_options(tables, policies, states, place, spare, p, base, whole(policy.rollouts), mind)
        return whole(mind.arms[best_arm(mind, whole(policy.doubt))].action)
    return default
