"""Who is met on a node: a pack by danger and theme, or a guardian; the same however one comes there (C1, C12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.campaign.expedition.run import Purpose, Run
from cartomancer.content.codex import Codex
from cartomancer.content.models.bestiary import Pack
from cartomancer.content.models.encounter import Scenario, ScenarioRoom
from cartomancer.content.models.expedition import DangerRule
from cartomancer.maps.model import Map, Node

DRAFT: Final = Scenario(id="node", title="-", enemies=["nobody"], members=["a", "b", "c", "d"], retreat=True)
ELITE_KINDS = ("elite",)
MOST_DANGER = 5
FRAGMENTS = 2


@dataclass(frozen=True)
class Meeting:
    """Who bars the way: a pack's enemies or a guardian, how strong, and under which traits of their own."""

    title: str
    danger: int
    enemies: tuple[str, ...] = ()
    guardian: str | None = None
    vigour_percent: int = 100
    traits: tuple[str, ...] | None = None  # in force instead of a guardian's own

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for saves and observers."""
        return {
            "title": self.title,
            "danger": self.danger,
            "enemies": list(self.enemies),
            "guardian": self.guardian,
            "vigour_percent": self.vigour_percent,
            "traits": None if self.traits is None else list(self.traits),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Meeting:
        """The meeting of these values."""
        traits = data["traits"]
        return cls(**{**data, "enemies": tuple(data["enemies"]), "traits": None if traits is None else tuple(traits)})

    def scenario(
        self,
        codex: Codex,
        members: list[str],
        profile: str,
        modifiers: list[str],
        gear: Mapping[str, int],
        targeted: int = 0,
    ) -> Scenario:
        """The fight with it, for a party of these classes. A boss whose traits were shown has those and no others."""
        fields: dict[str, Any] = {"enemies": list(self.enemies)}
        traits = list(self.traits or ())
        if self.guardian:
            guardian = codex.catalog.guardians[self.guardian]
            traits = guardian.traits if self.traits is None else traits
            fields = {
                "enemies": [],
                "dungeon": guardian.id,
                "rooms": [ScenarioRoom(room=guardian.room)],
                "swaps": {guardian.room: guardian.swaps},
            }
        return DRAFT.model_copy(
            update=fields
            | {
                "title": self.title,
                "vigour_percent": self.vigour_percent,
                "members": members,
                "visitor_profile": profile,
                "modifiers": list(dict.fromkeys([*traits, *modifiers])),
                "equipment": dict(gear),
                "targeted_seat": targeted + 1,
            }
        )


def danger_of(drawn: Map, node: Node, kind: str, rule: DangerRule) -> int:
    """How dangerous a fight on a node is, from 1 to 5: by how far the way has led, and by what kind it is (C12)."""
    last = max(1, drawn.rows - 2)
    share = min(1.0, (node.row - 1) / last)
    danger = rule.first + round(share * (rule.last - rule.first)) + (rule.elite if kind in ELITE_KINDS else 0)
    return max(1, min(MOST_DANGER, danger))


def theme_at(run: Run, node: Node) -> str:
    """The theme of a node: its act's on guardian maps, else that of the family and act."""
    act = node.details.get("act")
    themes = run.codex.expedition.themes[run.journey.map.family]  # type: ignore[index]  # a family's name
    if themes:
        return themes[min(run.journey.act, len(themes)) - 1]
    guards = [one for one in run.codex.catalog.guardians.values() if one.act is not None]
    return guards[min(int(act or 1), len(guards)) - 1].theme


def meeting_at(run: Run, kind: str, danger: int | None = None) -> Meeting:
    """Who is met on the node the party stands on."""
    node, players = run.node, len(run.party.members)
    if kind == "boss":
        return _boss(run, node, players)
    rule = run.codex.expedition.danger[run.journey.map.family]  # type: ignore[index]
    danger = danger or danger_of(run.journey.map, node, kind, rule)
    rolled = node.details.get("encounter")
    if rolled and kind in {"combat", "elite"}:
        return _rolled(run, rolled, danger)
    tier = "elite" if kind in ELITE_KINDS else "basic"
    pack = run.stream(Purpose.PACK).pick(packs_for(run, theme_at(run, node), tier, danger, players))
    return Meeting(pack.title, danger, tuple(pack.enemies))


def packs_for(run: Run, theme: str, tier: str, danger: int, players: int) -> list[Pack]:
    """The packs that may be met: of the theme and tier, for no more players, as near the danger as there are."""
    fitting = [pack for pack in run.codex.packs.values() if pack.tier == tier and pack.players <= players]
    themed = [pack for pack in fitting if pack.theme == theme] or fitting or [*run.codex.packs.values()]
    nearest = min(abs(pack.danger - danger) for pack in themed)
    return [pack for pack in themed if abs(pack.danger - danger) == nearest]


def _rolled(run: Run, rolled: Mapping[str, Any], danger: int) -> Meeting:
    """The encounter that the map has rolled: its enemies' health, against what it usually is, is the pack's vigour."""
    known, tuning = run.codex.catalog.enemies, run.codex.catalog.encounters
    players = int(getattr(run.journey.map.rules, "players", len(run.party.members)))
    met = [known[enemy["id"]] for enemy in rolled["enemies"]]
    shares = {"basic": tuning.basic_health_percent, "elite": tuning.elite_health_percent}
    usual = sum(enemy.health * shares[enemy.tier][players - 1] for enemy in met)
    health = sum(enemy["health"] for enemy in rolled["enemies"])
    counted = {enemy.title: sum(other is enemy for other in met) for enemy in met}
    title = ", ".join(name if times == 1 else f"{times} × {name}" for name, times in counted.items())
    share = run.codex.expedition.rolled_vigour_percent[rolled["tier"]]
    return Meeting(title, danger, tuple(enemy.id for enemy in met), vigour_percent=round(100 * share * health / usual))


def _boss(run: Run, node: Node, players: int) -> Meeting:
    """The guardian at the end: the map's own, or one that the run has waiting, with the traits that were shown."""
    guardians, tuning = run.codex.catalog.guardians, run.codex.expedition
    name = node.details.get("guardian_id") or run.stream(Purpose.GUARDIAN).pick([*guardians])
    shown = node.details.get("traits")
    profile = str(node.details.get("profile", "boss"))
    share = tuning.boss_vigour_percent[profile] * tuning.vigour_by_players[players - 1]
    vigour = max(10, guardians[name].vigour_percent * share // 10_000)
    traits = tuple(shown) if shown else None
    if traits is None and knows_all(run) and is_last_guardian(run, node):
        traits = tuple(guardians[name].traits[:-1])
    return Meeting(guardians[name].title, MOST_DANGER, guardian=name, vigour_percent=vigour, traits=traits)


def knows_all(run: Run) -> bool:
    """Whether the party has both fragments: it knows the last guardian, and one of its traits is lifted (C10)."""
    return len(run.fragments) >= FRAGMENTS


def is_last_guardian(run: Run, node: Node) -> bool:
    """Whether behind a boss there is nothing but perhaps the portal."""
    drawn = run.journey.map
    return all(drawn.by_id[target].details.get("portal") for target in drawn.onward[node.id])


def known_boss(run: Run) -> list[str] | None:
    """The traits of the boss at the end, where the party knows them: from the contract, or from both fragments."""
    boss, guardians = run.journey.map.boss, run.codex.catalog.guardians
    if shown := boss.details.get("traits"):
        return list(shown)
    last = next((node for node in run.journey.map.nodes if node.type == "boss" and is_last_guardian(run, node)), None)
    name = last.details.get("guardian_id") if last else None
    return list(guardians[name].traits[:-1]) if name and knows_all(run) else None
