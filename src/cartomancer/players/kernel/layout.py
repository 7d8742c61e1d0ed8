"""The players' records: policies for both sides and every room, the workspace of a decision, what is kept of a run."""

from __future__ import annotations

import numpy as np

from cartomancer.content.models.profile import MemberWeights, ThinkingTuning
from cartomancer.encounters.kernel.codes import ENERGY, OUTCOMES, REDUCERS, SEATS, TYPES
from cartomancer.encounters.kernel.layout import MOST_OPTIONS, MOST_ROOMS
from cartomancer.players.kernel.player_codes import COLUMNS, ROWS, Mode, Stance

MOST_BONUS = 8  # contested rolls with a larger difference of bonuses are taken for this one
MOST_ARMS = 24  # options a smart player tries
MOST_CANDIDATES = 6  # cards a turn's plan weighs against each other
MOST_SOURCES = 4  # of more energy: Surges, Siphons, activations
TEMPERAMENT = ("strikes_below", "caution", "openness", "scepticism", "retreats_below")  # fields of a profile

WEIGHTS = np.dtype(  # of a profile in one stance
    [
        ("categories", np.int32, int(ENERGY)),  # by code of the category; Energy, the last of them, needs no weight
        ("restraint", np.int32),
        ("targets", np.int32, REDUCERS),
        *((name, np.int32) for name in (*MemberWeights.model_fields, *TEMPERAMENT)),
    ],
    align=True,
)

PROFILE = np.dtype(
    [
        ("goal", np.int32),
        ("betrays_at", np.int32),
        ("greed", np.int32),
        ("patience", np.int32),
        ("courts_from", np.int32),
        ("endings", np.int32, OUTCOMES),  # what a run that ends so is worth, in thousandths
        ("weights", WEIGHTS, len(Stance)),
    ],
    align=True,
)

_MODES = len(Mode)
_LISTS = {"mode_from": _MODES - 1, "mode_attack": _MODES, "mode_guard": _MODES, "mode_scheme": _MODES, "test_window": 2}
THINKING = np.dtype(
    [(name, np.int32, _LISTS[name]) if name in _LISTS else (name, np.int32) for name in ThinkingTuning.model_fields],
    align=True,
)

POLICY = np.dtype(  # of a side
    [
        ("kind", np.int32),  # what plays it
        ("habit", np.int32),  # of a simple player
        ("played", np.int32),  # the categories of cards it plays at all, as bits
        ("rollouts", np.int32),  # of a Monte Carlo player for each option, of a smart one for each decision
        ("doubt", np.int32),  # tenths of a standard error by which another option must beat a smart player's default
        ("react_cards", np.int64, MOST_ROOMS),  # the React cards of its deck: deck lists are public (E49)
        ("reacts", np.int32, MOST_ROOMS),  # how many they are
        ("profiles", PROFILE, MOST_ROOMS),
        ("healers", np.int32, SEATS),  # a party's members by role
        ("threats", np.int32, SEATS),
    ],
    align=True,
)

POLICIES = np.dtype(
    [
        ("sides", POLICY, 2),
        ("thinking", THINKING),
        ("dealt", np.int32, (3, 2 * MOST_BONUS + 1)),  # expected share of the power that hits, by mode and bonus
        ("back", np.int32, (3, 2 * MOST_BONUS + 1)),  # … and that comes back
        ("hits", np.int32, (3, 2 * MOST_BONUS + 1)),  # chance to hurt at all
        ("fails", np.int32, (3, 2 * MOST_BONUS + 1)),  # chance to take at least the whole power back
    ],
    align=True,
)

SOURCE = np.dtype([("place", np.int32), ("gain", np.int32), ("price", np.int32)], align=True)  # of more energy

WORKSPACE = np.dtype(  # what a player works out; nothing of it outlives a decision
    [
        ("scores", np.int32, (ROWS, COLUMNS)),
        ("places", np.int32, MOST_CANDIDATES),  # of the candidates in hand
        ("bonus", np.int32, (MOST_CANDIDATES, MOST_CANDIDATES)),  # what playing the first before the second adds
        ("mask_value", np.int32, 1 << MOST_CANDIDATES),
        ("mask_cost", np.int32, 1 << MOST_CANDIDATES),
        ("sources", SOURCE, MOST_SOURCES + 1),  # the last place is for one too many
        ("used_price", np.int32, 1 << MOST_SOURCES),  # of every subset of the sources
        ("used_gain", np.int32, 1 << MOST_SOURCES),
        ("used_cards", np.int32, 1 << MOST_SOURCES),  # candidates that would be used up
        ("candidates", np.int32),  # how many they are
        ("chosen_mask", np.int32),  # the set that is played
        ("chosen_sources", np.int32),  # the subset that pays for it
        ("mode", np.int32),
        ("stance", np.int32),
        ("chance", np.int32),
        ("answers", np.int32),  # React cards the opponent may still have
        ("triggered", np.int32),  # places of the hand whose trigger's condition holds, as bits
        ("rolled_out", np.int32),  # those that rollouts scored
        ("idle", np.int32),  # how rollouts end after ending the turn at once
        ("buffs", np.int32, ROWS),  # what an Empower gives the next Strike
        ("likely", np.int32, ROWS),  # the chance that an Offer is taken
        ("shares", np.int32, (2, REDUCERS)),  # what is left of both sides' reducers, in thousandths
        ("urgency", np.int32, REDUCERS),  # what a point of the opponent's reducers counts
        ("stopped", np.int32, REDUCERS),  # points of a hit that its guards stop
        ("left", np.int32, REDUCERS),  # points between its reducers and their depletion
        ("weakest", np.int32, 2),  # each side's weakest reducer
        ("odds", np.int32, TYPES),  # columns of the odds tables for contests of each type
        ("rollout_shares", np.int32, (2, REDUCERS)),
        ("options", np.int16, MOST_OPTIONS),  # in rollouts
        ("luck", np.uint64, 1),  # of this decision
        ("dice", np.uint64, 1),  # of a rollout
    ],
    align=True,
)

ARM = np.dtype(  # an option that rollouts try, and what came of them
    [
        ("gain", np.int64),  # the sum of what it was worth more than the default, in thousandths
        ("squares", np.int64),  # … and of the squares
        ("total", np.int64),  # of what it was worth
        ("rollouts", np.int32),
        ("action", np.int32),
    ],
    align=True,
)

MIND = np.dtype(  # what players with rollouts work with
    [
        ("decision", WORKSPACE),
        ("rollout", WORKSPACE),
        ("arms", ARM, MOST_ARMS),  # the default first
        ("arm_count", np.int32),
        ("alive", np.int32),  # the arms that were left in the end, as bits
    ],
    align=True,
)

RUN = np.dtype(  # what is kept of a run
    [
        ("state_hash", np.uint64),
        ("rounds", np.int16),
        ("decisions", np.int16),
        ("lead_changes", np.int16),
        ("trust_peak", np.int16),  # in half points
        ("entries", np.int16, (MOST_ROOMS, REDUCERS)),  # thousandths of its starting values a visitor entered with
        ("ends", np.int16, (2, REDUCERS)),  # what was left of both sides' reducers, in thousandths
        ("margin", np.int16),  # the dungeon's mean share at the end less the visitor's, in thousandths
        ("outcome", np.int8),
        ("rooms_entered", np.int8),
        ("room_path", np.int8, MOST_ROOMS),
        ("room_outcomes", np.int8, MOST_ROOMS),
        ("room_rounds", np.int8, MOST_ROOMS),
        ("lead_at", np.int8, MOST_ROOMS),  # who led when each room was entered: 0 nobody, 1 dungeon, 2 visitor
        ("changes_at", np.int8, MOST_ROOMS),  # lead changes before each room
        ("lead", np.int8),  # who led last
        ("betrayals", np.int8),
        ("betrayed_at", np.int8),  # rounds played when trust was first betrayed; -1 if it never was
        ("knockouts", np.int8),
        ("first_down", np.int8),
        ("fallen", np.int8, SEATS),  # members in the order of their first fall; -1 where nobody fell
    ],
    align=True,
)
