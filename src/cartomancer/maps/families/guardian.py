"""Guardian maps: acts of floors, guardians, pre-rolled encounters [Guardian], M12, M13, M27."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from cartomancer import codes
from cartomancer.codes import KIND_CODES
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.guardian import GuardianRules
from cartomancer.maps.drafts import kind_mask, write
from cartomancer.maps.families.base import SCHEMAS, Act
from cartomancer.maps.families.compiled import CompiledFamily
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.rules import NO_CAP
from cartomancer.maps.model import Map, Node
from cartomancer.maps.prerolled import furnish_guardian_map, impossible_encounter, theme_of
from cartomancer.maps.rulebook import Rule, rule, stated

FLOOR_KINDS: Final = {
    "entrance": codes.COMBAT,
    "random": codes.NONE,
    "memory": codes.MEMORY_SHRINE,
    "boss": codes.BOSS,
}
FLOOR_PLAN: Final = stated(events.RULE_FLOOR_PLAN, "guardian.floor-plan")
ACT_TABLE: Final = stated(events.RULE_ACT_TABLE, "guardian.act-table")


@rule(events.RULE_RUN_CAP, "guardian.run-cap", "[Guardian], M12")
def run_cap(rules: GuardianRules) -> str:
    """No more elites, rests and shops in a run than their caps."""
    return f"No more than {rules.elite_cap} elite(s), {rules.rest_cap} rest(s) and {rules.shop_cap} shop(s) in a run."


@rule(events.RULE_ACT_CAP, "guardian.act-cap", "[Guardian], M12")
def act_cap(rules: GuardianRules) -> str:
    """No more elites in an act than its cap."""
    return f"No more than {rules.elite_cap_per_act} elite(s) in an act."


@rule(events.RULE_QUIET_LAYERS, "guardian.quiet-layers", "[Guardian: acceptance criterion 7], M12")
def quiet_layers(rules: GuardianRules) -> str:
    """The first layers hold neither elites nor rests."""
    if not rules.quiet_layers:
        return "Elites and rests may come on every layer."
    return f"The first {rules.quiet_layers} layer(s) hold neither elites nor rests."


@rule(events.RULE_LAYER_SIZE, "guardian.layer-size", "[Guardian], M12", of_graph=True)
def layer_size(rules: GuardianRules) -> str:
    """A random floor has as many nodes as the knobs allow, every other floor one."""
    least, most = rules.nodes_per_layer_min, rules.nodes_per_layer_max
    return f"A random floor has {least} to {most} nodes, every other floor one."


@rule(events.RULE_EDGE_COUNT, "guardian.edge-count", "[Guardian]", of_graph=True)
def edge_count(rules: GuardianRules) -> str:
    """No node has more ways onward than the knob allows."""
    return f"No node has more than {rules.edges_per_node_max} way(s) onward."


@rule(events.RULE_DISTINCT_SIBLINGS, "guardian.distinct-siblings", "[Guardian: player fantasy], M27")
def distinct_siblings(rules: GuardianRules) -> str:
    """With `distinct_siblings` the nodes of a floor differ in type while the weights and caps leave another one."""
    if not rules.distinct_siblings:
        return "Nodes of a floor may have the same type."
    return "Nodes of a floor differ in type while the weights and caps leave another one."


class GuardianFamily(CompiledFamily[GuardianRules]):
    """Acts of floors, each act with its guardian at the end."""

    code = codes.GUARDIAN
    model = GuardianRules
    kinds = ("combat", "elite", "rest", "shop", "shrine", "memory_shrine", "event", "trap", "boss")
    own_rules = (FLOOR_PLAN, ACT_TABLE, run_cap, act_cap, quiet_layers, distinct_siblings, layer_size, edge_count)
    ban_rules = (run_cap.id, quiet_layers.id, distinct_siblings.id)
    enum_order = ("combat", "elite", "rest", "boss", "shop", "shrine", "memory_shrine", "event", "trap")  # M32
    row_word = "floor"
    details_by_place = ("layer", "floor", "act", "is_guardian", "guardian_id", "portal", "memory_id")
    node_schema = SCHEMAS["guardian"]["nodes"]
    always = ("layer", "floor", "act", "guardian_id", "memory_id")

    def _layers(self, rules: GuardianRules) -> list[tuple[int, int]]:
        """Every layer as its act and the kind its floor is made of, if it is not random; the portal last."""
        portal = [(len(rules.acts) - 1, codes.BOSS)] if rules.defy_the_gods else []
        return [(act, FLOOR_KINDS[floor]) for act, floor in rules.layers()] + portal

    def size(self, rules: GuardianRules) -> tuple[int, int]:
        return len(self._layers(rules)), rules.nodes_per_layer_max

    def most_routes(self, rules: GuardianRules) -> int:
        """A node leads on in no more ways than the knob allows, and in one to a floor with one node."""
        free = sum(not kind for _, kind in self._layers(rules))
        return int(rules.nodes_per_layer_max * min(rules.nodes_per_layer_max, rules.edges_per_node_max) ** free)

    def fill(self, rules: GuardianRules, record: Any) -> None:
        packed = record["guardian"]
        for index, layer in enumerate(self._layers(rules)):
            packed["act"][index], packed["fixed"][index] = layer
        for index, entry in enumerate(rules.acts):
            for name, weight in rules.weights_of(entry).items():
                packed["weights"][index, KIND_CODES[name]] = weight
        least, most = rules.nodes_per_layer_min, rules.nodes_per_layer_max
        write(packed, nodes_least=least, nodes_most=most, edges_most=rules.edges_per_node_max)
        write(packed, quiet_layers=rules.quiet_layers, quiet_kinds=kind_mask(["elite", "rest"]))
        write(packed, distinct_siblings=rules.distinct_siblings)
        write(packed, run_cap=NO_CAP, act_cap=NO_CAP)
        packed["run_cap"][[codes.ELITE, codes.REST, codes.SHOP]] = rules.elite_cap, rules.rest_cap, rules.shop_cap
        packed["act_cap"][codes.ELITE] = rules.elite_cap_per_act

    def catalog_digest(self, rules: GuardianRules) -> str:
        """Of guardians only those count that may be met."""
        return load_catalog().digest([act.guardian for act in rules.acts])

    def furnish(self, drawn: Map, situation: object) -> Map:
        assert isinstance(drawn.rules, GuardianRules)
        return furnish_guardian_map(drawn, drawn.rules)

    def fixes(self, rules: GuardianRules, node: Node) -> bool:
        return self._layers(rules)[node.row - 1][1] != codes.NONE

    def impossible_rolls(self, drawn: Map, node: Node, right: Map) -> Iterator[str]:
        if "encounter" in node.details:
            assert isinstance(drawn.rules, GuardianRules)
            true = right.by_id[node.id].details
            theme = theme_of(true["act"] - 1, drawn.rules)
            yield from impossible_encounter(node.details["encounter"], true["encounter"], theme, drawn.rules.players)

    def ban(self, drawn: Map, node: Node, kind: str, rule: Rule) -> tuple[Rule, str]:
        if rule is run_cap:
            in_act = sum(n.type == kind and n.details.get("act") == node.details.get("act") for n in drawn.nodes)
            if in_act >= getattr(drawn.rules, f"{kind}_cap_per_act", 99):
                rule = act_cap
        return super().ban(drawn, node, kind, rule)

    def acts(self, drawn: Map) -> list[Act]:
        """The acts in order, the portal to RNG as one more."""
        rules = drawn.rules
        assert isinstance(rules, GuardianRules)
        found: list[Act] = []
        row = 1
        for number, act in enumerate(rules.acts, 1):
            last = min(row + len(rules.floors_of(act)) - 1, drawn.rows)
            if row <= last:
                found.append(Act(number, act.title, act.guardian, row, last))
            row = last + 1
        if row <= drawn.rows:
            guardian = load_catalog().encounters.portal_guardian
            found.append(Act(len(found) + 1, "The Portal", guardian, row, drawn.rows, portal=True))
        return found


GUARDIAN: Final = GuardianFamily()
