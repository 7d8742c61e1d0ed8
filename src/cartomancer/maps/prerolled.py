"""Guardian maps furnished: acts, floors, guardians, memories and pre-rolled encounters [Guardian], M12, M13.

Encounters are rolled when the map is, from a stream of their own for every node; entering one rolls nothing.

>>> from cartomancer import maps
>>> drawn = maps.generate("guardian", "three_acts", seed=7)
>>> [node.details["guardian_id"] for node in drawn.nodes if node.details["is_guardian"]]
['beholder', 'house', 'shadow_kraken']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cartomancer import codes
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.bestiary import Enemy, Guardian
from cartomancer.content.models.guardian import GuardianRules
from cartomancer.errors import shown
from cartomancer.maps.model import Map, Node, same
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
    tier = {"combat": "basic", "elite": "elite"}.get(node.type)
    return roll_encounter(seed, node.id, tier, theme, players) if tier else None


class Pack(NamedTuple):
    """Enemies of one tier in an encounter: how many there may be, and what they may cost together."""

    tier: str
    least: int
    most: int
    budget: int


def packs_of(tier: str, players: int) -> list[Pack]:
    """What an encounter of a tier is made of; only the size of a combat is left to chance."""
    tuning, size = load_catalog().encounters, players - 1
    if tier == "basic":
        least, most = tuning.combat_enemies_least[size], tuning.combat_enemies_most[size]
        return [Pack("basic", least, most, tuning.combat_budget[size])]
    elites, escort = tuning.elite_count[size], tuning.escort_count[size]
    return [
        Pack("elite", elites, elites, tuning.elite_budget[size]),
        Pack("basic", escort, escort, tuning.escort_budget[size]),
    ]


def roll_encounter(seed: int, node_id: int, tier: str, theme: str, players: int) -> dict[str, Any]:
    """A combat of basic enemies of the theme, more of them for more players; or elite ones, then their escort. Both are
    within a budget, and health is scaled for the party and varied."""
    stream, catalog, met = Stream(seed, codes.STREAM_ENCOUNTER, node_id), load_catalog(), list[Enemy]()
    for pack in packs_of(tier, players):
        count = pack.least + stream.below(pack.most - pack.least + 1) if tier == "basic" else pack.most
        met += draw_pack(stream, catalog.enemies_of(theme, pack.tier), count, pack.budget)
    spread = catalog.encounters.health_spread_percent
    varied = [100 - spread + stream.below(2 * spread + 1) for _ in met]
    enemies = [_met(enemy, enemy.tier, players, by) for enemy, by in zip(met, varied, strict=True)]
    return {"tier": tier, "enemies": enemies}


def _met(being: Enemy | Guardian, tier: str, players: int, varied: int = 100) -> dict[str, Any]:
    shares = getattr(load_catalog().encounters, f"{tier}_health_percent")
    return {"id": being.id, "health": max(1, being.health * shares[players - 1] * varied // 10_000)}


def guardian_encounter(guardian: str, players: int) -> dict[str, Any]:
    """A guardian alone, with health for the number of players; nothing about it is left to chance."""
    return {"tier": "guardian", "enemies": [_met(load_catalog().guardians[guardian], "guardian", players)]}


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


def impossible_encounter(given: Any, rolled: Any, theme: str, players: int) -> Iterator[str]:
    """Why an encounter could not have been rolled where this one was: what is not left to chance differs, enemies do
    not belong there, are too many or too dear, or have a health that none of their kind has."""
    if rolled is None or rolled["tier"] == "guardian":
        if not same(given, rolled):
            yield f"encounter is {shown(given)}, not {shown(rolled)}"
        return
    tier, enemies = (given.get("tier"), given.get("enemies")) if isinstance(given, Mapping) else (given, None)
    if tier != rolled["tier"]:
        yield f"encounter is {shown(tier)}, not {shown(rolled['tier'])}"
        return
    if not isinstance(enemies, list):
        yield f"encounter.enemies is {shown(enemies)}, not a list of enemies"
        return
    packs = packs_of(rolled["tier"], players)
    least, most = sum(pack.least for pack in packs), sum(pack.most for pack in packs)
    if not least <= len(enemies) <= most:
        yield f"encounter has {len(enemies)} enemies, not {least} to {most}"
        return
    for number, pack in enumerate(packs):
        first = sum(before.most for before in packs[:number])
        yield from _impossible_pack(enemies[first : first + pack.most], first, pack, theme, players)


def _impossible_pack(enemies: list[Any], first: int, pack: Pack, theme: str, players: int) -> Iterator[str]:
    spread = load_catalog().encounters.health_spread_percent
    known = {enemy.id: enemy for enemy in load_catalog().enemies_of(theme, pack.tier)}
    cost = 0
    for place, given in enumerate(enemies, first):
        name = given.get("id") if isinstance(given, Mapping) else given
        if not isinstance(given, Mapping) or not isinstance(name, str) or name not in known:
            right = f"a {pack.tier} enemy of the {theme}: {', '.join(known)}"
            yield f"encounter.enemies[{place}].id is {shown(name)}, not {right}"
            continue
        health, enemy = given.get("health"), known[name]
        could_be = {_met(enemy, pack.tier, players, by)["health"] for by in range(100 - spread, 101 + spread)}
        if type(health) is not int or health not in could_be:
            right = f"{min(could_be)} to {max(could_be)}"
            yield f"encounter.enemies[{place}].health is {shown(health)}, where {name} has {right}"
        cost += enemy.cost
    if cost > pack.budget:
        yield f"encounter's {pack.tier} enemies cost {cost} together, where {pack.budget} is the most"
