"""The players' words: goals, stances, modes, kinds of players, and the parts a score is made of.

Each enumeration is the one source of its codes and, in small letters, of the names that people read. Kernels use NumPy
integers: numba would compile a function anew for every literal it is called with.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from cartomancer.encounters.kernel.codes import Category

Goal = IntEnum("Goal", "HARM BOND BETRAY ADAPT", start=0)  # what a profile is after [Bond 8]
# towards the other side, with weights for each in a profile; scheming courts and lays what an accepted Offer springs
Stance = IntEnum("Stance", "FIGHTING COURTING SCHEMING", start=0)
Mode = IntEnum("Mode", "AGGRESSIVE BALANCED DEFENSIVE DESPERATE", start=0)  # strategic modes [GDD 7.1]
Kind = IntEnum("Kind", "RANDOM HEURISTIC MONTECARLO SMART", start=0)  # of computer players
# what a simple player does instead of thinking, where it is asked about that; in everything else it is heuristic
Habit = IntEnum("Habit", "NO_HABIT PASS DUMP FLEE MULLIGAN COOPERATE DEFECT ACCEPT REFUSE", start=0)


class Part(IntEnum):
    """Columns of the scores: each card in hand or option has a row, each part of its score a column."""

    VALUE = 0  # the sum of the parts
    COST = 1
    DAMAGE = 2  # expected damage to the target, as this profile values that target
    LETHAL = 3
    KEYWORDS = 4
    TRIGGER = 5
    BACKLASH = 6  # what comes back, self-cost, what a card is held for
    TRUST = 7
    GUARD = 8  # damage prevented: heal, ward, fortify, disrupt, counter
    GAIN = 9  # cards, traps, buffs
    CHANCE = 10  # of a reply: the weight or probability it is chosen with
    MODE = 11  # what mode and category weight made of the parts


ROWS = 16  # of the scores

HARM, BOND, BETRAY, ADAPT = map(np.int64, Goal)
FIGHTING, COURTING, SCHEMING = map(np.int64, Stance)
AGGRESSIVE, BALANCED, DEFENSIVE, DESPERATE = map(np.int64, Mode)
RANDOM, HEURISTIC, MONTECARLO, SMART = map(np.int64, Kind)
NO_HABIT, PASS, DUMP, FLEE, MULLIGAN, COOPERATE, DEFECT, ACCEPT, REFUSE = map(np.int64, Habit)
EVERY_CATEGORY = np.int64((1 << len(Category)) - 1)  # a bit for each category of cards that a player plays
VALUE, COST, DAMAGE, LETHAL, KEYWORDS, TRIGGER, BACKLASH, TRUST, GUARD, GAIN, CHANCE, MODE = map(np.int64, Part)
COLUMNS = len(Part)
