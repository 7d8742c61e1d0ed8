"""Guardian maps furnished: acts, floors, guardians, memories and pre-rolled encounters [Guardian], M12, M13.

Encounters are rolled when the map is, from a stream of their own for every node; entering one rolls nothing.

>>> from cartomancer import maps
>>> drawn = maps.generate("guardian", "three_acts", seed=7)
>>> [node.details["guardian_id"] for node in drawn.nodes if node.details["is_guardian"]]
['beholder', 'house', 'shadow_kraken']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cartomancer import codes
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.bestiary import Enemy
from cartomancer.content.models.guardian import GuardianRules
from cartomancer.maps.model import Map, Node
from cartomancer.rng import Stream


def furnish_guardian_map(drawn: Map, rules: GuardianRules) -> Map:
    """The guardian map with what each node knows of its act, and with its encounters."""
    layers = rules.layers()
    nodes = []
    for node in drawn.nodes:
        portal = node.row > len(layers)
        act = layers[min(node.row, len(layers)) - 1][0]
        guardian = guardian_of(node, act, portal, rules)
        details = {
            "layer": node.row - 1,
            "floor": node.row,
            "act": act + 1,
            "is_guardian": guardian is not None,
            "guardian_id": guardian,
            "portal": portal,
            "memory_id": act + 1 if node.type == "memory_shrine" else None,
            "encounter": _encounter_at(node, drawn.seed, guardian, theme_of(act, rules), rules.players),
        }
        nodes.append(replace(node, details=details))
    return replace(drawn, nodes=tuple(nodes))


def guardian_of(node: Node, act: int, portal: bool, rules: GuardianRules) -> str | None:
    """Who guards a node: its act's guardian on boss nodes, the portal's beyond the last layer (M13)."""
    if portal:
        return load_catalog().encounters.portal_guardian
    return rules.acts[act].guardian if node.type == "boss" else None


def theme_of(act: int, rules: GuardianRules) -> str:
    """The theme of an act from 0: its guardian's."""
    return load_catalog().guardians[rules.acts[act].guardian].theme


def _encounter_at(node: Node, seed: int, guardian: str | None, theme: str, players: int) -> dict[str, Any] | None:
    """The encounter that the node's type asks for [Guardian, acceptance 10]."""
    if guardian is not None:
        return guardian_encounter(guardian, players)
    if node.type == "combat":
        return roll_combat(seed, node.id, theme, players)
    if node.type == "elite":
        return roll_elite(seed, node.id, theme, players)
    return None


def roll_combat(seed: int, node_id: int, theme: str, players: int) -> dict[str, Any]:
    """A combat: basic enemies of the theme, more of them for more players, within a budget."""
    tuning, size = load_catalog().encounters, players - 1
    stream = Stream(seed, codes.STREAM_ENCOUNTER, node_id)
    least, most = tuning.combat_enemies_least[size], tuning.combat_enemies_most[size]
    count = least + stream.below(most - least + 1)
    return _rolled(stream, theme, players, ("basic", count, tuning.combat_budget[size]))


def roll_elite(seed: int, node_id: int, theme: str, players: int) -> dict[str, Any]:
    """An elite node: elite enemies of the theme, then their escort of basic ones."""
    tuning, size = load_catalog().encounters, players - 1
    elites = ("elite", tuning.elite_count[size], tuning.elite_budget[size])
    escort = ("basic", tuning.escort_count[size], tuning.escort_budget[size])
    return _rolled(Stream(seed, codes.STREAM_ENCOUNTER, node_id), theme, players, elites, escort)


def _rolled(stream: Stream, theme: str, players: int, *packs: tuple[str, int, int]) -> dict[str, Any]:
    """Packs of enemies, each of a tier, a number and a budget; their health is scaled for the party and varied."""
    tuning = load_catalog().encounters
    spread = tuning.health_spread_percent
    met = [
        enemy
        for tier, count, budget in packs
        for enemy in draw_pack(stream, load_catalog().enemies_of(theme, tier), count, budget)
    ]
    enemies = []
    for enemy in met:
        shares = tuning.basic_health_percent if enemy.tier == "basic" else tuning.elite_health_percent
        varied = 100 - spread + stream.below(2 * spread + 1)
        enemies.append({"id": enemy.id, "health": max(1, enemy.health * shares[players - 1] * varied // 10_000)})
    return {"tier": packs[0][0], "enemies": enemies}


def guardian_encounter(guardian: str, players: int) -> dict[str, Any]:
    """A guardian alone, with health for the number of players; nothing about it is left to chance."""
    share = load_catalog().encounters.guardian_health_percent[players - 1]
    health = load_catalog().guardians[guardian].health * share // 100
    return {"tier": "guardian", "enemies": [{"id": guardian, "health": max(1, health)}]}


def draw_pack(stream: Stream, choices: Sequence[Enemy], count: int, budget: int) -> list[Enemy]:
    """`count` enemies that cost no more than the budget together; each pick leaves enough for the cheapest others.

    The catalog refuses budgets that could not pay the cheapest pack, so there always is a pick.
    """
    pack: list[Enemy] = []
    for missing in range(count, 0, -1):
        spare = budget - (missing - 1) * min(enemy.cost for enemy in choices)
        pick = stream.pick([enemy for enemy in choices if enemy.cost <= spare])
        budget -= pick.cost
        pack.append(pick)
    return pack
