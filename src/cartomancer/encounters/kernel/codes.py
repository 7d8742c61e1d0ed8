"""The encounter kernels' words: sides, resources, cards, keywords, conditions, modifiers, verbs, outcomes.

They are NumPy integers, not Python ones: numba would compile a function anew for every literal it is called with. A
code never changes its meaning once released: saves and replays depend on it.
"""

from __future__ import annotations

import numpy as np

NOBODY = np.int64(-1)
NONE = np.int64(0)
ONE = np.int64(1)

# --- sides and their reducers -----------------------------------------------------------------------------------------
DUNGEON = np.int64(0)
VISITOR = np.int64(1)
FIRST = np.int64(0)  # Structure, Vitality: the primary reducer, which takes reversal damage
SECOND = np.int64(1)  # Veil, Resolve
THIRD = np.int64(2)  # Presence, Nerve
CHOSEN = np.int64(3)  # the striker chooses the reducer
WEAKEST = np.int64(4)  # the reducer with the lowest share of its starting value
UNSET = np.int64(-1)
REDUCERS = 3
SEATS = 4
TYPES = 4

# --- card categories --------------------------------------------------------------------------------------------------
STRIKE = np.int64(0)
OFFER = np.int64(1)
TEST = np.int64(2)
TRAP = np.int64(3)
RESHAPE = np.int64(4)
EMPOWER = np.int64(5)
DISRUPT = np.int64(6)
COUNTER = np.int64(7)
REACT = np.int64(8)
ENERGY = np.int64(9)

# --- keywords: bits ---------------------------------------------------------------------------------------------------
ENTANGLE = np.int64(1)
ERODE = np.int64(2)
DRAIN = np.int64(4)
OVERWHELM = np.int64(8)
RESONATE = np.int64(16)
CLEAVE = np.int64(32)
FOCUSED = np.int64(64)
PIERCING = np.int64(128)
OVERWHELM_TWICE = np.int64(256)  # Overwhelm granted to a Strike that has it already

# --- kinds of energy --------------------------------------------------------------------------------------------------
STANDARD = np.int64(0)
SURGE = np.int64(1)
ATTUNE = np.int64(2)
SIPHON = np.int64(3)

# --- what an Offer costs its acceptor ---------------------------------------------------------------------------------
FLAT = np.int64(0)
BINDING = np.int64(1)
EXPOSURE = np.int64(2)
EXTRACTION = np.int64(3)
DEPENDENCY = np.int64(4)
EXTRACT_ENERGY = np.int64(3)  # extraction effects 0 … 2 heal the offerer's reducers
EXTRACT_INSIGHT = np.int64(4)

# --- occasions that spring Traps --------------------------------------------------------------------------------------
ON_STRIKE = np.int64(0)
ON_OFFER_ACCEPTED = np.int64(1)
ON_OFFER = np.int64(2)
ON_TEST = np.int64(3)
ON_EMPOWER = np.int64(4)
ON_DISRUPT = np.int64(5)
ON_COUNTER = np.int64(6)
ON_RESHAPE = np.int64(7)
ON_ENERGY = np.int64(8)

# --- conditions of triggers, Siphons and conditional modifiers --------------------------------------------------------
ALWAYS = np.int64(0)
OPPONENT_ENTANGLED = np.int64(1)
OPPONENT_ERODED = np.int64(2)
OPPONENT_DISRUPTED = np.int64(3)
OPPONENT_EMPOWERED = np.int64(4)
OPPONENT_GUARDED = np.int64(5)
OPPONENT_EXPOSED = np.int64(6)
SELF_ENTANGLED = np.int64(7)
SELF_DISRUPTED = np.int64(8)
SELF_EMPOWERED = np.int64(9)
SELF_GUARDED = np.int64(10)
SELF_BETRAYED = np.int64(11)
SELF_BELOW = np.int64(12)
SELF_ABOVE = np.int64(13)
OPPONENT_BELOW = np.int64(14)
OPPONENT_ABOVE = np.int64(15)
DISCARD_AT_LEAST = np.int64(16)
HAND_AT_LEAST = np.int64(17)
HAND_AT_MOST = np.int64(18)
OPPONENT_HAND_AT_LEAST = np.int64(19)
OPPONENT_HAND_AT_MOST = np.int64(20)
TRUST_AT_LEAST = np.int64(21)
TRUST_AT_MOST = np.int64(22)
ROUND_AT_LEAST = np.int64(23)
TRAP_SET = np.int64(24)
MEMBER_DOWN = np.int64(25)

# --- modifiers: the standing ones are summed into state.mods each round and read by the rules -------------------------
MOD_ARMOUR_PIERCE = np.int64(0)
MOD_BLOCK_PERCENT = np.int64(1)
MOD_GUARD = np.int64(2)
MOD_FIRST_HIT_GUARD = np.int64(3)
MOD_DAMAGE = np.int64(4)
MOD_EXECUTE_PERCENT = np.int64(5)
MOD_EXECUTE_BELOW = np.int64(6)
MOD_TEMPO = np.int64(7)
MOD_DRAW = np.int64(8)
MOD_HEALING_PERCENT = np.int64(9)
MOD_REGENERATION = np.int64(10)
MOD_POISON = np.int64(11)
MOD_POISON_GUARD = np.int64(12)
MOD_HEX = np.int64(13)
MOD_LOCKED_CARDS = np.int64(14)
MOD_COUNTER = np.int64(15)
MOD_SKILL_TAX = np.int64(16)
MOD_NO_RETREAT = np.int64(17)
MOD_NO_CONSUMABLES = np.int64(18)
MOD_REINFORCEMENTS = np.int64(19)
MOD_HAZARD = np.int64(20)
MOD_KEYWORDS = np.int64(21)
MOD_CONTEST = np.int64(22)
MOD_RESCUE = np.int64(23)
MOD_RESCUE_BELOW = np.int64(24)
MOD_SUPPLIES = np.int64(25)
MODS = 26
# growing ones: they add to the standing code beside them
MOD_DAMAGE_GROWTH = np.int64(32)
MOD_TEMPO_GROWTH = np.int64(33)
# opening ones: they act once, when a room begins
MOD_ARMOUR = np.int64(40)
MOD_HEALTH = np.int64(41)
MOD_OPENING_STRIKE = np.int64(42)
MOD_ALERTNESS = np.int64(43)
MOD_STRESS = np.int64(44)
MOD_INJURY = np.int64(45)
MOD_WEAKNESS = np.int64(46)
MOD_THREAT = np.int64(47)
MOD_BOUNTY = np.int64(48)
MOD_SHED_DEBUFF = np.int64(49)
MOD_STRIP_WARD = np.int64(50)
MOD_HEX_GUARD = np.int64(51)
MOD_BANISH = np.int64(52)
MOD_BACKLINE_ADDS = np.int64(53)
MOD_PANIC_IMMUNITY = np.int64(54)
# the others are looked up where they matter
MOD_REDUCER = np.int64(60)
MOD_SPLASH = np.int64(61)
EVERY_SEAT = np.int64(-1)
RANDOM_SEAT = np.int64(-2)
EVERY_ROOM = np.int64(-1)

# --- what an encounter is waiting for ---------------------------------------------------------------------------------
OVER = np.int64(0)
AWAIT_MULLIGAN = np.int64(1)
AWAIT_TURN = np.int64(2)
AWAIT_RESOURCE = np.int64(3)
AWAIT_SEAT = np.int64(4)
AWAIT_REACT = np.int64(5)
AWAIT_OFFER = np.int64(6)
AWAIT_COVENANT = np.int64(7)
AWAIT_TEST = np.int64(8)
# steps the encounter takes by itself: a rule names the next one instead of calling it, so that each rule's code exists
# once, compiles quickly, and threads of a GPU that are at the same step run it together
FIRST_STEP = np.int64(16)
STEP_ENTER_ROOM = np.int64(16)
STEP_ASK_MULLIGAN = np.int64(17)
STEP_BEGIN_ROUND = np.int64(18)
STEP_BEGIN_TURN = np.int64(19)
STEP_FINISH_ROUND = np.int64(20)
STEP_CLOSE_ROOM = np.int64(21)
STEP_AIM = np.int64(22)
STEP_ROLL = np.int64(23)
STEP_FINISH_STRIKE = np.int64(24)
STEP_ACCEPT = np.int64(25)

# --- verbs: an action is verb · 64 + argument -------------------------------------------------------------------------
VERB_SPAN = np.int64(64)
END_TURN = np.int64(0)
PLAY = np.int64(1)  # a card instance
ACTIVATE = np.int64(2)  # a card instance
RESTRAIN = np.int64(3)  # a Strike's instance
RETREAT = np.int64(4)
KEEP = np.int64(5)
MULLIGAN = np.int64(6)
HIT_RESOURCE = np.int64(7)  # a reducer
HIT_SEAT = np.int64(8)  # a party member
ANSWER = np.int64(9)  # a React's instance
TAKE_HIT = np.int64(10)
ACCEPT = np.int64(11)
REFUSE = np.int64(12)
COOPERATE = np.int64(13)
DEFECT = np.int64(14)
VERBS = 15

# --- outcomes ---------------------------------------------------------------------------------------------------------
UNDECIDED = np.int64(0)
KILL = np.int64(1)
BREAK = np.int64(2)
PANIC = np.int64(3)
BOND = np.int64(4)
OVERCOME = np.int64(5)
INERT = np.int64(6)
DOMINATE = np.int64(7)
SURVIVE = np.int64(8)
OUTCOMES = 9

# --- streams ----------------------------------------------------------------------------------------------------------
DICE = np.int64(0)
DECK = np.int64(1)  # the dungeon's; the visitor's is the next
CHANCE = np.int64(3)  # random targets, random members, locked cards
STREAMS = 4
