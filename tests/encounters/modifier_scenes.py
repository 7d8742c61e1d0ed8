"""Scenes that modifiers show in: the same short fight with and without them, given back as numbers.

Every probe plays from the same seed and with the same dice; whatever is in force is named by its id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.encounters.arena import Arena, card, strike

Probe = Callable[..., Any]

CLAW = strike("claw")
BITE = strike("bite", "visitor")
KICK = strike("kick", "visitor")
COMPANY: dict[str, Any] = {"party": [[], [], [], []], "vitality": (10, 7, 8, 6)}


# --- scenes: what a side deals, takes, draws, may do ------------------------------------------------------------------


def visitor_strikes(*modifiers: str, rounds: int = 1, power: int = 3, low: int = 40, **options: Any) -> list[int]:
    """What two clean visitor Strikes a round take from structure, Strike by Strike."""
    bites = [strike(name, "visitor", power=power) for name in ("bite", "kick")]
    arena = Arena(visitor=bites, structure=40, modifiers=list(modifiers), **options)
    arena.set(structure=low)
    found = []
    for _ in range(rounds):
        arena.turn("visitor", hand=["bite", "kick"])
        arena.dice("strong", "strong")
        for name in ("bite", "kick"):
            before = arena.reducer("structure")
            arena.act(f"strike {name}")
            found.append(before - arena.reducer("structure"))
        arena.end_round()
    return found


def dungeon_strikes(*modifiers: str, rounds: int = 1, power: int = 3, low: int = 40, **options: Any) -> list[int]:
    """What one clean dungeon Strike a round takes from a visitor's 40 vitality (or fewer)."""
    arena = Arena(dungeon=[strike("claw", power=power)], vitality=(40,), modifiers=list(modifiers), **options)
    arena.set(vitality=low)
    found = []
    for _ in range(rounds):
        arena.turn("dungeon", hand=["claw"])
        before = arena.reducer("vitality")
        arena.dice("strong")
        arena.act("strike claw")
        found.append(before - arena.reducer("vitality"))
        arena.end_round()
    return found


def struck_back(*modifiers: str, side: str = "visitor") -> int:
    """What two clean Strikes of a side in one round cost its primary reducer."""
    arena = Arena(dungeon=[CLAW, strike("fang")], visitor=[BITE, KICK], modifiers=list(modifiers))
    names = ["bite", "kick"] if side == "visitor" else ["claw", "fang"]
    primary = "vitality" if side == "visitor" else "structure"
    arena.turn(side, hand=names)
    arena.set(nerve=5, presence=5)  # a clean hit rallies the weakest reducer, not the primary one
    before = arena.reducer(primary)
    arena.dice("strong", "strong")
    arena.act(*(f"strike {name}" for name in names))
    return before - arena.reducer(primary)


def energy_at_turn_start(*modifiers: str, side: str = "dungeon", rounds: int = 3) -> list[int]:
    """The energy a side's turns begin with; the pool stays 1."""
    arena = Arena(modifiers=list(modifiers))
    for _ in range(rounds - 1):
        arena.end_round()
    arena.turn(side)
    return [event.energy for event in arena.happened("turn_began") if event.side == side][:rounds]


def first_to_act(*modifiers: str, ahead: int, rounds: int = 4) -> str:
    """Who acts first in rounds 2 to 4, d or v, when the dungeon's initiative is this far ahead."""
    arena = Arena(modifiers=list(modifiers))
    arena.side("visitor")["initiative"], arena.side("dungeon")["initiative"] = 7, 7 + ahead
    found = ""
    for _ in range(rounds - 1):
        arena.end_round()
        found += "dv"[int(arena.state["first"])]
    return found


def visitor_draws(*modifiers: str, rounds: int = 4) -> list[int]:
    """How many cards the visitor draws at the end of each round, holding three."""
    arena = Arena(modifiers=list(modifiers))
    found = []
    for _ in range(rounds):
        arena.turn("visitor", hand=["visitor_energy"] * 3)
        arena.end_round()
        found.append(int(arena.side("visitor")["hand_size"]) - 3)
        arena.hold("visitor", ["visitor_energy"] * 3)
    return found


def opening_hand(*modifiers: str) -> int:
    """The cards the visitor is dealt."""
    dealt = Arena(modifiers=list(modifiers)).happened("hand_dealt")
    return next(event.cards for event in dealt if event.side == "visitor")


def healed(*modifiers: str, side: str = "visitor") -> int:
    """What a Reshape that heals 4 gives back."""
    resource = "resolve" if side == "visitor" else "veil"
    salve = card("reshape", "salve", side, heal={"resource": resource, "amount": 4})
    arena = Arena(**{side: [salve]}, modifiers=list(modifiers))
    arena.turn(side, hand=["salve"])
    arena.set(**{resource: 5})
    arena.act("reshape salve")
    return arena.reducer(resource) - 5


def warded(*modifiers: str) -> tuple[int, int]:
    """The Ward and the Fortify a visitor builds with cards of 5 and 3."""
    cards = [
        card("reshape", "veil", "visitor", ward=5),
        card("reshape", "wall", "visitor", fortify={"resource": "nerve", "amount": 3}),
    ]
    arena = Arena(visitor=cards, modifiers=list(modifiers))
    arena.turn("visitor", hand=["veil", "wall"])
    arena.act("reshape veil", "reshape wall")
    return int(arena.side("visitor")["ward"]), int(arena.side("visitor")["fortify"][2])


def vitality_by_round(*modifiers: str, rounds: int = 6, **options: Any) -> list[int]:
    """A creature's vitality at the start of each round, if nobody does anything."""
    arena = Arena(modifiers=list(modifiers), vitality=(40,), **options)
    found = [arena.reducer("vitality")]
    for _ in range(rounds - 1):
        arena.end_round()
        found.append(arena.reducer("vitality"))
    return found


def skill_costs(*modifiers: str) -> list[int]:
    """What two skills and a Strike of cost 0 cost the visitor in this round, and a skill in the next."""
    skills = [card("empower", name, "visitor", power=1) for name in ("roar", "glare")]
    arena = Arena(visitor=[*skills, BITE], modifiers=list(modifiers))
    found = []
    for names in (["bite", "roar", "glare"], ["roar"]):
        arena.turn("visitor", hand=names)
        for name in names:
            before = int(arena.side("visitor")["energy"])
            arena.act(f"play {name}")
            found.append(before - int(arena.side("visitor")["energy"]))
        arena.end_round()
    return found


def debuffs_that_stick(*modifiers: str) -> list[int]:
    """Whether the dungeon is disrupted after each of three Disrupts, each cleared before the next."""
    glare = card("disrupt", "glare", "visitor", disadvantage=True)
    arena = Arena(visitor=[glare] * 3, modifiers=list(modifiers))
    arena.turn("visitor", hand=["glare"] * 3)
    found = []
    for _ in range(3):
        arena.act("disrupt glare")
        found.append(int(arena.side("dungeon")["disadvantage"]))
        arena.side("dungeon")["disadvantage"] = 0
    return found


def may_retreat(*modifiers: str) -> bool:
    """Whether the visitor may retreat in round 3."""
    arena = Arena(modifiers=list(modifiers), retreat=True)
    arena.end_round()
    arena.end_round()
    arena.turn("visitor")
    return "retreat" in arena.legal()


def locked_cards(*modifiers: str, rounds: int = 4) -> list[int]:
    """How many cards of the visitor's hand are locked in each of its turns."""
    arena = Arena(modifiers=list(modifiers))
    found = []
    for _ in range(rounds):
        while arena.state["turn"] != 1:
            arena.act("end")
        found.append(int(arena.side("visitor")["locked"]).bit_count())
        arena.act("end")
    return found


def poisoned(*modifiers: str) -> int:
    """What a visitor loses at the start of the round after a clean hit."""
    arena = Arena(dungeon=[CLAW], modifiers=list(modifiers))
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    before = arena.reducer("vitality")
    arena.end_round()
    return before - arena.reducer("vitality")


def regenerated(*modifiers: str) -> list[int]:
    """The dungeon's reducers a round after all were wounded, veil most."""
    arena = Arena(modifiers=list(modifiers))
    arena.set(structure=10, veil=5, presence=15)
    arena.end_round()
    return [arena.reducer(name) for name in ("structure", "veil", "presence")]


def structure_at_first(*modifiers: str, **options: Any) -> int:
    """Structure when the first round begins."""
    return Arena(modifiers=list(modifiers), **options).reducer("structure")


def visitor_at_first(*modifiers: str, **options: Any) -> list[int]:
    """The visitor's reducers when the first round begins."""
    arena = Arena(modifiers=list(modifiers), **options)
    return [arena.reducer(name) for name in ("vitality", "resolve", "nerve")]


def hand_and_nerve(*modifiers: str) -> tuple[int, int]:
    """The cards the visitor is dealt, and the nerve it begins with."""
    return opening_hand(*modifiers), visitor_at_first(*modifiers)[2]


def member_vitality(arena: Arena) -> list[int]:
    return [int(arena.member(seat)["vitality"]) for seat in range(4)]


def whom_the_room_hurts(*modifiers: str, seed: int = 0) -> list[int]:
    """The members' vitality after a round in a room that takes 1 vitality; b is the weakest, then a (all 10 of 10)."""
    auto = [{"resource": "vitality", "change": -1}]
    arena = Arena(
        party=[[], [], [], []],
        vitality=(10, 10, 10, 10),
        auto=auto,
        modifiers=list(modifiers),
        seed=seed,
        targeted_seat=2,
    )
    arena.members(6, 5, 9, 9)
    arena.end_round()
    return member_vitality(arena)


def whoever_the_room_hurts(*modifiers: str) -> set[int]:
    """The seats that the room finds in a dozen fights; b is the weakest in all of them."""
    found = [whom_the_room_hurts(*modifiers, seed=seed) for seed in range(12)]
    return {seat for after in found for seat in range(4) if after[seat] < (6, 5, 9, 9)[seat]}


def bounty_paid(*modifiers: str) -> list[int]:
    """What morale loses when b falls first, and what it loses when b falls again."""
    axe = strike("axe", power=9)
    arena = Arena(dungeon=[axe], **COMPANY, modifiers=list(modifiers), targeted_seat=2)
    found = []
    for _ in range(2):
        arena.turn("dungeon", hand=["axe"])
        arena.dice("strong")
        before = arena.reducer("nerve")
        arena.act("strike axe", "→ b")
        found.append(before - arena.reducer("nerve"))
        member = arena.member(1)
        member["down"], member["vitality"], arena.state["downs"] = 0, 1, 0
    return found


def weakened_strikes(*modifiers: str) -> list[int]:
    """What one Strike a turn of member b deals, three turns long, and then one of member a."""
    kits = [[strike("jab", "visitor")], [BITE], [], []]
    arena = Arena(party=kits, vitality=(10, 10, 10, 10), structure=40, modifiers=list(modifiers), targeted_seat=2)
    found = []
    for names in (["bite", "jab"], ["bite"], ["bite"]):
        arena.turn("visitor", hand=names)
        arena.dice(*["strong"] * len(names))
        for name in names:
            before = arena.reducer("structure")
            arena.act(f"strike {name}")
            found.append(before - arena.reducer("structure"))
        arena.act("end")
    return found


def member_losses(*modifiers: str) -> list[int]:
    """The members' vitality in round 3, if nobody does anything."""
    arena = Arena(**COMPANY, modifiers=list(modifiers))
    arena.end_round()
    arena.end_round()
    return member_vitality(arena)


def armour_left(*modifiers: str) -> list[int]:
    """What three clean Strikes of 3 take from structure, and the armour left after each."""
    names = ["bite", "kick", "gore"]
    arena = Arena(visitor=[strike(name, "visitor") for name in names], structure=40, modifiers=list(modifiers))
    arena.turn("visitor", hand=names)
    arena.dice("strong", "strong", "strong")
    found = []
    for name in names:
        before = arena.reducer("structure")
        arena.act(f"strike {name}")
        found += [before - arena.reducer("structure"), int(arena.side("dungeon")["armour"])]
    return found


def contested(side: str, **options: Any) -> tuple[int, int]:
    """The striker's and the defender's totals of one Strike; always the same dice."""
    arena = Arena(dungeon=[CLAW], visitor=[BITE], **options)
    name = "claw" if side == "dungeon" else "bite"
    arena.turn(side, hand=[name])
    arena.dice("partial")
    arena.act(f"strike {name}")
    rolled = arena.happened("strike_rolled")[-1]
    return rolled.attack, rolled.defence
