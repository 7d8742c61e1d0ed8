"""What a scenario may name: everything in it exists, and gear fits whoever wears it [GDD 17.7, 18.4]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cartomancer.content.models.bestiary import Guardian
from cartomancer.content.models.encounter import PARTY_SIZE, Scenario, ScenarioRoom
from cartomancer.content.reader import repeated, unknown_names
from cartomancer.errors import Fault

MODIFIER_KINDS: Final = ("trials", "intrusions", "traits", "items")


def scenario_faults(
    scenario: Scenario, named: Mapping[str, Sequence[str]], slots: Mapping[str, str]
) -> Iterator[Fault]:
    """What is wrong with a scenario, given the ids of every kind and the slot of every piece of equipment."""
    yield from unknown_names("guardian", [scenario.guardian], named["guardians"], "guardian")
    if scenario.guardian is None:  # else it would be spelled out: a guardian may be the dungeon
        yield from unknown_names("dungeon", [scenario.dungeon], [*named["dungeons"], *named["guardians"]], "dungeon")
    for number, stop in enumerate(scenario.rooms, 1):
        yield from unknown_names("room", [stop.room], named["rooms"], f"rooms[{number}].room")
        yield from unknown_names("room item", stop.items, named["room_items"], f"rooms[{number}].items")
        yield from repeated(stop.items, f"rooms[{number}].items")
    yield from unknown_names("creature", [scenario.creature], named["creatures"], "creature")
    yield from unknown_names("party", [scenario.party], named["parties"], "party")
    yield from unknown_names("class", scenario.members, named["classes"], "members")
    modifiers = [name for kind in MODIFIER_KINDS for name in named[kind]]
    yield from unknown_names("modifier", scenario.modifiers, modifiers, "modifiers")
    yield from repeated(scenario.modifiers, "modifiers")
    yield from unknown_names("equipment", scenario.equipment, named["equipment"], "equipment")
    yield from _seats(scenario, slots)


def in_its_lair(scenario: Scenario, guardian: Guardian) -> Scenario:
    """A scenario that names a guardian, spelled out: its lair is the only room, its values are the dungeon's, its
    traits are in force and its signature cards in the deck. What the scenario swaps itself comes on top."""
    swaps = {**scenario.swaps, guardian.room: {**guardian.swaps, **scenario.swaps.get(guardian.room, {})}}
    return scenario.model_copy(
        update={
            "guardian": None,
            "dungeon": guardian.id,
            "rooms": [ScenarioRoom(room=guardian.room)],
            "modifiers": [*guardian.traits, *scenario.modifiers],
            "swaps": swaps,
        }
    )


def _seats(scenario: Scenario, slots: Mapping[str, str]) -> Iterator[Fault]:
    """A creature has seat 1 only; nobody wears two things in one slot."""
    seats = 1 if scenario.creature is not None else PARTY_SIZE
    right = "1: a creature has one seat" if seats == 1 else f"1 to {seats}"
    if scenario.targeted_seat > seats:
        yield Fault("targeted_seat", scenario.targeted_seat, "is not a seat", right)
    worn: dict[tuple[int, str], str] = {}
    for name, seat in scenario.equipment.items():
        if not 1 <= seat <= seats:
            yield Fault(f"equipment.{name}", seat, "is not a seat", right)
        elif name in slots:
            first = worn.setdefault((seat, slots[name]), name)
            if first != name:
                problem = f"is where '{first}' is worn already ({slots[name]})"
                yield Fault(f"equipment.{name}", seat, problem, "one piece for each slot of a seat")
