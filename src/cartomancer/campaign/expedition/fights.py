"""A node's fight: the party as it is goes in, and what is left of it comes out (C1–C3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from cartomancer.campaign.expedition.meetings import Meeting
from cartomancer.campaign.expedition.run import Run
from cartomancer.content.codex import Codex, spelled_out
from cartomancer.content.models.encounter import PARTY_PROFILE, Scenario
from cartomancer.encounters import Packed, names
from cartomancer.encounters.packing import PackedDungeon, arriving, pack_dungeon, pack_scenario
from cartomancer.players.policies import Policies, pack_policies
from cartomancer.players.simulation import last_state

# What a fight's end means for a run (C3).
WON = ("overcome", "inert", "dominate")
MOST_KEPT: Final = 2_000  # packed fights, dungeons, policies
Made = TypeVar("Made")


class Fights:
    """Packs the fights of one codex, and remembers what it has packed: many runs meet the same packs."""

    def __init__(self, codex: Codex) -> None:
        self.codex = codex
        self._dungeons: dict[Any, PackedDungeon] = {}
        self._packed: dict[Any, Packed] = {}
        self._policies: dict[Any, Policies] = {}

    def packed(self, run: Run, meeting: Meeting, modifiers: list[str]) -> Packed:
        """The fight with these, as the party enters it now."""
        return arriving(self._whole(run, meeting, modifiers), run.party.condition(run.codex.expedition))

    def _whole(self, run: Run, meeting: Meeting, modifiers: list[str]) -> Packed:
        party, codex = run.party, self.codex
        kinds = [member.kind for member in party.members]
        kits = tuple((member.kind, member.injury, tuple(member.cards)) for member in party.members)
        gear = {name: seat + 1 for name, seat in run.gear.items()}

        def pack() -> Packed:
            scenario = spelled_out(
                meeting.scenario(codex, kinds, PARTY_PROFILE, modifiers, gear, run.targeted), codex.catalog
            )
            dungeon = self._dungeon(meeting, scenario)
            return pack_scenario(codex, scenario, meeting.title, party.fighters(codex), dungeon)

        return _kept(self._packed, (meeting, tuple(modifiers), kits, tuple(gear.items()), run.targeted), pack)

    def _dungeon(self, meeting: Meeting, scenario: Scenario) -> PackedDungeon:
        key = (meeting.enemies, meeting.guardian, meeting.vigour_percent)
        return _kept(self._dungeons, key, lambda: pack_dungeon(self.codex, scenario))

    def policies(self, packed: Packed) -> Policies:
        """Heuristic players of both sides."""
        scenario = packed.scenario
        key = (tuple(scenario.enemies), scenario.dungeon, tuple(scenario.members), packed.decks[1])
        return _kept(self._policies, key, lambda: pack_policies(packed, codex=self.codex))

    def fought(self, run: Run, packed: Packed) -> Any:
        """The last state of the fight between heuristic players."""
        return last_state(packed, self.policies(packed), run.fight_seed())


def _kept(store: dict[Any, Made], key: Any, make: Callable[[], Made], most: int = MOST_KEPT) -> Made:
    """What was made before for this key, or is made now; a full store is emptied."""
    if key not in store:
        if len(store) >= most:
            store.clear()
        store[key] = make()
    return store[key]


_OF_CODEX: Final[dict[int, Fights]] = {}  # each holds its codex, so that no other can have its identity
MOST_CODICES: Final = 8


def fights_of(codex: Codex) -> Fights:
    """The fights of a codex, as far as they are packed already."""
    return _kept(_OF_CODEX, id(codex), lambda: Fights(codex), MOST_CODICES)


def carry_out(run: Run, packed: Packed, state: Any) -> list[int]:
    """What is left of the party after a fight: members, resolve, nerve, its deck as it lies. Returns who fell.

    Cards of the fallen and Traps that still lie go to the discard pile: their owners come round (C2).
    """
    party, side = run.party, state["sides"][1]
    for place, reducer in ((1, "resolve"), (2, "nerve")):  # what gear or items lent stays behind
        setattr(party, reducer, min(int(side["reducers"][place]), party.most(run.codex, reducer)))
    fallen = [seat for seat in range(len(party.members)) if int(state["members"][seat]["down"])]
    for seat, member in enumerate(party.members):
        left = int(state["members"][seat]["vitality"])
        member.vitality = 0 if seat in fallen else min(left, party.most_vitality(run.codex, seat))
    party.held = mask(side["hand"][: side["hand_size"]])
    drawable = mask(side["draw"][: side["draw_size"]])
    party.gone = int(side["gone"])
    size = int(packed.tables["visitor"]["deck_size"])
    party.discarded = ((1 << size) - 1) & ~(party.held | drawable | party.gone)
    return fallen


def mask(pile: Any) -> int:
    """A pile as a mask of instances."""
    return sum(1 << int(instance) for instance in pile)


def outcome_of(state: Any) -> str:
    """How a fight ended, in the words of the card game."""
    return names.OUTCOMES[int(state["outcome"])]
