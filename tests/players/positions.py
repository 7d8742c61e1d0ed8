"""Players in positions for tests: what they score each card with, what they choose; hidden cards re-dealt.

arena = turn_of("dungeon", strike("claw", cost=1))
assert chosen(arena, dungeon="tactical") == "strike claw"
assert worths(arena, dungeon="tactical")["claw"]["damage"] > 0
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel.layout import number_of
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.observation import veiled
from cartomancer.players.player import Players, make_players
from cartomancer.players.policies import player_spec
from cartomancer.players.trace import Trace
from cartomancer.rng import Stream
from tests.encounters.arena import Arena

CODEX: Final = load_codex()
SCENARIOS: Final = sorted(CODEX.scenarios)
DUNGEONS: Final = sorted(name for name, profile in CODEX.profiles.items() if profile.side == "dungeon")
VISITORS: Final = sorted(name for name, profile in CODEX.profiles.items() if profile.side == "visitor")
CHOOSER: Final = 51  # a random stream of these tests' own


# --- who plays --------------------------------------------------------------------------------------------------------


def players_of(
    encounter: Encounter, dungeon: str = "heuristic", visitor: str = "heuristic", codex: Codex | None = None
) -> Players:
    """Players as `player_spec` reads them."""
    return make_players(
        encounter.packed, player_spec(dungeon, "dungeon", codex), player_spec(visitor, "visitor", codex), codex
    )


def at(arena: Arena, dungeon: str = "tactical", visitor: str = "party_balanced", **thinking: Any) -> Players:
    """Players of an arena; keywords change what all players weigh."""
    codex = replace(arena.codex, thinking=arena.codex.thinking.model_copy(update=thinking))
    return players_of(arena.encounter, dungeon, visitor, codex)


def with_profile(arena: Arena, name: str, **fields: Any) -> None:
    """Change a profile in an arena."""
    profile = arena.codex.profiles[name].model_copy(update=fields)
    arena.codex = replace(arena.codex, profiles={**arena.codex.profiles, name: profile})


def turn_of(side: str, *cards: dict[str, Any], energy: int = 9, hand: list[str] | None = None, **options: Any) -> Arena:
    """It is this side's turn, with exactly these cards in hand."""
    arena = Arena(**{side: list(cards)}, **options)  # type: ignore[arg-type]
    arena.turn(side, hand=[entry["id"] for entry in cards] if hand is None else hand, energy=energy)
    return arena


# --- asking -----------------------------------------------------------------------------------------------------------


def traced(arena: Arena, dungeon: str = "tactical", visitor: str = "party_balanced", **thinking: Any) -> Trace:
    """The trace of the pending decision."""
    return Trace(at(arena, dungeon, visitor, **thinking), arena.encounter)


def worths(
    arena: Arena, dungeon: str = "tactical", visitor: str = "party_balanced", **thinking: Any
) -> dict[str, dict[str, int]]:
    """The parts of each card's score in the hand of the side that is asked."""
    trace = traced(arena, dungeon, visitor, **thinking)
    cards = trace.players.packed.cards
    return {cards[trace.number_of(instance)].id: trace.row(k) for k, instance in enumerate(trace.hand)}


def chosen(arena: Arena, dungeon: str = "tactical", visitor: str = "party_balanced", **thinking: Any) -> str:
    """What the side that is asked does, readable."""
    return arena.encounter.text_of(at(arena, dungeon, visitor, **thinking).choose(arena.encounter))


def rest_of_turn(
    arena: Arena, dungeon: str = "tactical", visitor: str = "party_balanced", **thinking: Any
) -> list[str]:
    """What a side does until its turn ends; whoever is asked in between is played too, but not listed."""
    players, side, found = at(arena, dungeon, visitor, **thinking), int(arena.state["actor"]), list[str]()
    while arena.encounter.decision is not None:
        action = players.choose(arena.encounter)
        text = arena.encounter.text_of(action)
        if int(arena.state["actor"]) == side:
            if text == "end":
                break
            found.append(text)
        arena.encounter.apply(action)
    return found


def decisions(encounter: Encounter, players: Players, most: int = 100_000) -> Iterator[int]:
    """Play on; stops before every action with the action that comes next."""
    while encounter.decision is not None and len(encounter.actions) < most:
        action = players.choose(encounter)
        yield action
        encounter.apply(action)


def is_strike(encounter: Encounter, action: int) -> bool:
    """Whether an action of the pending side plays a Strike."""
    return encounter.text_of(action).startswith("strike ")


# --- dealing anew what a side cannot see ------------------------------------------------------------------------------


def _pile(record: Any, name: str) -> list[int]:
    return [int(k) for k in record[name][: int(record["trap_count" if name == "traps" else f"{name}_size"])]]


def _shuffled(things: list[int], chance: Stream) -> list[int]:
    left, found = list(things), []
    while left:
        found.append(left.pop(chance.below(len(left))))
    return found


def redealt(fight: Encounter, side: int, chance: Stream) -> Encounter:
    """The same position with everything changed that a side cannot see, as far as the other side's deck allows.

    The opponent's hidden cards change places, Traps with Traps; its locks and the type it played last, the order of the
    draw piles and all dice are others; a veiled Offer is another one with the same benefit and trust, if there is one.
    """
    twin = fight.copy()
    state = twin.state
    mine, theirs = state["sides"][side], state["sides"][1 - side]
    known, asked = int(theirs["known"]), int(state["actor"]) == side
    flight = state["flight"]
    veils = asked and fight.decision is not None and fight.decision.kind == "offer"
    in_flight = int(flight["instance"]) if veils and not known >> int(flight["instance"]) & 1 else -1
    hidden = {
        name: [k for k, card in enumerate(_pile(theirs, name)) if name == "draw" or not known >> card & 1]
        for name in ("traps", "hand", "draw", "discard")
    }
    if in_flight >= 0:
        hidden["discard"] = [k for k in hidden["discard"] if int(theirs["discard"][k]) != in_flight]

    def card(instance: int) -> Any:
        return fight.packed.cards[int(number_of(fight.packed.tables, state, 1 - side, instance))]

    places = [(name, k) for name in ("traps", "hand", "draw", "discard") for k in hidden[name]]
    loose = _shuffled([int(theirs[name][k]) for name, k in places], chance)
    for name, k in places:  # Traps come first, so there are enough of them
        found = next(c for c in loose if name != "traps" or card(c).category == "trap")
        loose.remove(found)
        theirs[name][k] = found
    if in_flight >= 0:
        _swap_offer(fight, state, side, in_flight, card, hidden)
    theirs["locked"] = chance.below(2**40)
    theirs["last_type"] = chance.below(5) - 1
    mine["draw"][: int(mine["draw_size"])] = _shuffled(_pile(mine, "draw"), chance)
    for k in range(len(state["streams"])):
        state["streams"][k] = np.uint64(chance.below(2**62))
    return twin


def _swap_offer(fight: Encounter, state: Any, side: int, in_flight: int, card: Any, hidden: Any) -> None:
    """Another Offer with the same face in the place of a veiled one."""
    theirs, flight, shown = state["sides"][1 - side], state["flight"], card(in_flight)
    for name in ("hand", "draw", "discard"):
        for k in hidden[name]:
            other = card(int(theirs[name][k]))
            if other.category == "offer" and not other.covenant and other.id != shown.id:
                if (other.benefit, other.trust) == (shown.benefit, shown.trust):
                    instance = int(theirs[name][k])
                    theirs[name][k] = in_flight
                    places = [j for j, c in enumerate(_pile(theirs, "discard")) if c == in_flight]
                    for j in places:
                        if name != "discard" or j != k:
                            theirs["discard"][j] = instance
                    flight["instance"] = instance
                    flight["card"] = int(number_of(fight.packed.tables, state, 1 - side, instance))
                    return


def told(fight: Encounter, side: int) -> bytes:
    """What a side may know of a position."""
    return bytes(veiled(fight.state, side).tobytes())


def betrayed_by(players: Any, fight: Encounter, chance: Stream, times: int = 2) -> bool:
    """Whether the choice changes when the hidden part of the position does: the player has peeked."""
    side = SIDES.index(fight.decision.side) if fight.decision else 0
    choice, seen = players.choose(fight), told(fight, side)
    for _ in range(times):
        twin = redealt(fight, side, chance)
        assert told(twin, side) == seen, "the re-dealt position must look the same"
        if players.choose(twin) != choice:
            return True
    return False


def at_random(scenario: str, seed: int) -> Iterator[Encounter]:
    """The positions of a random game in which somebody has a choice; not to be changed, but copied."""
    fight, chance = Encounter(scenario, seed), Stream(seed, CHOOSER, 0)
    while fight.decision is not None:
        options = fight.legal()
        if len(options) > 1:
            yield fight
        fight.apply(options[chance.below(len(options))])
