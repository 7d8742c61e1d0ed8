"""What lies ahead of both sides for all to see: how the room is won, what the next round takes, when it escalates.

>>> ahead = outlook(Encounter("boar", seed=42).play(["keep", "keep"]))
>>> ahead.round_limit, ahead.kill_at, ahead.escalates_from
(8, 1, 9)
>>> ahead.pressure[:2]
(('visitor', 'vitality', -1), ('visitor', 'nerve', -1))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel.keywords import acts_in
from cartomancer.encounters.kernel.trust import trust_tier


@dataclass(frozen=True)
class Outlook:
    """The terms of the room that is played, and what the next round brings by itself."""

    round_limit: int
    members: int  # 1 for a creature
    kill_at: int  # members down at the same time that are a Kill (E14)
    down: int
    covenant_trust: int  # from which a Covenant may be proposed
    last_room: bool  # whether nothing follows when the visitor outlasts it
    pressure: tuple[tuple[str, str, int], ...]  # of the next round: side, reducer, change
    eroding: tuple[tuple[str, str, int], ...]  # the same of Erode and bindings
    escalates_from: int
    escalation: int  # what it takes of every reducer in the next round
    retreat_from: int | None  # the first round the visitor may leave in, if it may


def outlook(encounter: Encounter) -> Outlook:
    """What everybody can tell of the room and its next round."""
    state, tables = encounter.state, encounter.packed.tables
    room, rules = tables["dungeon"]["rooms"][int(state["room"])], tables["rules"]
    coming = int(state["round_no"]) + 1
    since = coming - int(rules["escalation_from"])
    members = state["members"][: len(encounter.packed.members)]
    return Outlook(
        round_limit=int(room["round_limit"]),
        members=len(members),
        kill_at=int(tables["visitor"]["kill_at"]),
        down=sum(bool(member["down"]) for member in members),
        covenant_trust=int(rules["trust_tiers"][2]),
        last_room=int(room["onward"][names.OUTCOMES.index("survive")]) < 0,
        pressure=tuple(_pressure(encounter, coming)),
        eroding=tuple(_eroding(encounter, coming)),
        escalates_from=int(rules["escalation_from"]),
        escalation=1 + since // int(rules["escalation_every"]) if since >= 0 else 0,
        retreat_from=int(rules["retreat_from"]) if encounter.packed.scenario.retreat else None,
    )


def _pressure(encounter: Encounter, coming: int) -> Iterator[tuple[str, str, int]]:
    """The room's auto-effects of a round; a side that is spared is left alone (E44)."""
    state = encounter.state
    room = encounter.packed.tables["dungeon"]["rooms"][int(state["room"])]
    for effect in room["auto"][: int(room["auto_count"])]:
        side = int(effect["side"])
        if acts_in(encounter.packed.tables, state, effect, coming) and not state["sides"][side]["calm"]:
            yield names.SIDES[side], names.RESOURCES[side][int(effect["resource"])], int(effect["change"])


def _eroding(encounter: Encounter, coming: int) -> Iterator[tuple[str, str, int]]:
    """What Erode that the room does not suppress, venom and bindings will take."""
    pressed = {(side, name) for side, name, change in _pressure(encounter, coming) if change < 0}
    for number, side in enumerate(names.SIDES):
        record, resources = encounter.state["sides"][number], names.RESOURCES[number]
        laid = zip(resources, record["erode"], strict=True)
        gnawed = [0 if (side, name) in pressed else int(points) for name, points in laid]
        for place, points in (
            *enumerate(a + int(b) for a, b in zip(gnawed, record["venom"], strict=True)),
            *zip(record["binding_at"], record["binding"], strict=True),
        ):
            if points:
                yield side, resources[int(place)], -int(points)


def trust_struck(encounter: Encounter, side: str) -> tuple[str, float]:
    """What a Strike of a side would do to trust as it stands: betrayal, scorn or mere decay, and by how many points it
    would fall [Bond 4.3, 7], E4."""
    rules, trust = encounter.packed.tables["rules"], int(encounter.state["trust"]) / 2
    dungeon = side == names.SIDES[0]
    if trust >= int(rules["betrayal_min_trust"]):
        return "betrayal" if dungeon else "scorn", trust
    deep = int(trust_tier(encounter.packed.tables, encounter.state)) >= 2
    decay = int(rules["strike_decay_deep" if deep else "strike_decay"])
    return "", min(trust, decay) if dungeon else 0
