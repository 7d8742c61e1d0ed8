"""Voyages: row maps grown from paths, fixed rows, weighted typing under bans, Unknowns [Voyage], [Skeleton], M1–M6."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import accumulate
from math import ceil, sqrt
from typing import Any, Final

from cartomancer import codes
from cartomancer.codes import KIND_CODES, KINDS
from cartomancer.content.models.voyage import UnknownRules, VoyageRules
from cartomancer.content.rules_text import listed
from cartomancer.maps.drafts import Draft, kind_mask, write
from cartomancer.maps.families.base import SCHEMAS, Spacing
from cartomancer.maps.families.compiled import CompiledFamily
from cartomancer.maps.families.scarcity import forced_waivers
from cartomancer.maps.kernel import events
from cartomancer.maps.kernel.voyage import bans, kinds_beside
from cartomancer.maps.model import Map, Node
from cartomancer.maps.rulebook import Rule, rule, stated
from cartomancer.maps.stakes import Situation

OUTCOMES: Final = SCHEMAS["voyage"]["nodes"]["resolved"]["enum"]
FIXED_ROW_RULES: Final = {
    "monster": events.RULE_FIRST_ROW,
    "treasure": events.RULE_TREASURE_ROW,
    "port": events.RULE_PRE_BOSS_PORTS,
    "boss": events.RULE_BOSS_ROW,
}


@rule(events.RULE_TREASURE_ROW, "voyage.treasure-row", "[Voyage P1], M1")
def treasure_row(rules: VoyageRules) -> str:
    """Every node of the treasure row, ⌈0.6·R⌉ kept between 3 and R−2, is a Treasure."""
    row = rules.treasure_row
    return f"Every node of row {row} is a Treasure." if row else "No whole row is made of Treasures."


@rule(events.RULE_PRE_BOSS_PORTS, "voyage.pre-boss-ports", "[Voyage P1]")
def pre_boss_ports(rules: VoyageRules) -> str:
    """Every node of row R−1 is a Port."""
    return f"Every node of row {rules.rows - 1} is a Port."


@rule(events.RULE_BOSS_ROW, "voyage.boss-row", "[Voyage P1]")
def boss_row(rules: VoyageRules) -> str:
    """Row R is the Boss, and no other row holds one."""
    return f"Row {rules.rows} is the Boss, and no other row holds one."


@rule(events.RULE_ROW_BAN, "voyage.row-ban", "[Voyage P1]")
def row_ban(rules: VoyageRules) -> str:
    """No Port on row R−2, and nothing that the preset's row_bans forbid on a row."""
    banned = [f"no Port on row {rules.rows - 2}"] if rules.ban_port_before_ports and rules.rows > 3 else []
    for ban in rules.row_bans:
        rows = f"row {ban.first}" if ban.first == ban.last else f"rows {ban.first} to {ban.last}"
        banned.append(f"no {listed([kind.title() for kind in ban.types], 'or')} on {rows}")
    text = "; ".join(banned)
    return f"{text[0].upper()}{text[1:]}." if text else "No row bans a type."


@rule(events.RULE_ELITE_UNLOCK, "voyage.elite-unlock", "[Voyage P1]")
def elite_unlock(rules: VoyageRules) -> str:
    """No Elite before row ⌈0.35·R⌉, and never on row 1."""
    return f"No Elite before row {rules.elite_unlock_row}."


@rule(events.RULE_NO_REPEAT, "voyage.no-repeat", "[Voyage P2]")
def no_repeat(rules: VoyageRules) -> str:
    """Along an edge no Elite follows an Elite, no Shop a Shop, no Port a Port."""
    named = [(kind.title(), "an" if kind[0] in "aeiou" else "a") for kind in rules.no_repeat]
    pairs = ", ".join(f"no {kind} follows {a} {kind}" for kind, a in named)
    return f"Along an edge {pairs}." if pairs else "Any type may follow itself along an edge."


@rule(events.RULE_SPLIT_UNIQUE, "voyage.split-unique", "[Voyage P2]")
def split_unique(rules: VoyageRules) -> str:
    """Ways that part at a node lead to different types, unless the row is uniform by design."""
    return split_unique.statement if rules.split_unique else "Ways that part at a node may lead to equal types."


@rule(events.RULE_SINGLE_TREASURE, "voyage.single-treasure", "[Skeleton B.1], M2")
def single_treasure(rules: VoyageRules) -> str:
    """Exactly one locked Treasure lies on a path within the window of rows."""
    rows = listed([str(row) for row in rules.treasure_rows], "or")
    return f"Exactly one locked Treasure lies on a path, on row {rows}." if rows else "No single Treasure is placed."


@rule(events.RULE_PATHS, "voyage.paths", "[Skeleton A], M3", of_graph=True)
def paths(rules: VoyageRules) -> str:
    """As many different paths as the rules ask for follow the edges, and every node lies on one."""
    return f"{rules.paths} different paths follow the edges, and every node lies on one."


FIRST_ROW: Final = stated(events.RULE_FIRST_ROW, "voyage.first-row")
STEP: Final = stated(events.RULE_STEP, "voyage.step")
NO_CROSSING: Final = stated(events.RULE_NO_CROSSING, "voyage.no-crossing")
TWO_STARTS: Final = stated(events.RULE_TWO_STARTS, "voyage.two-starts")


class VoyageFamily(CompiledFamily[VoyageRules]):
    """Row maps, drawn as sea charts are: nodes in their columns, a compass rose behind them."""

    code = codes.VOYAGE
    model = VoyageRules
    kinds = ("monster", "elite", "shop", "port", "treasure", "unknown", "event", "boss")
    own_rules = (
        *(FIRST_ROW, treasure_row, pre_boss_ports, boss_row, row_ban, elite_unlock, no_repeat, split_unique),
        *(single_treasure, STEP, NO_CROSSING, TWO_STARTS, paths),
    )
    ban_rules = (row_ban.id, no_repeat.id, split_unique.id)
    easier = "fewer paths or more columns"
    last_resort = "monster"
    spacing = Spacing("grid", row=100.0, column=108.0, drift=(17, 12), cells=3)
    compass = True
    node_schema = SCHEMAS["voyage"]["nodes"]

    def furnish(self, drawn: Map, situation: Situation | None) -> Map:
        """Nothing is rolled with a voyage; only the public half says what Unknowns that were entered became."""

        def told(node: Node) -> Node:
            became = node.details.get("resolved")
            if became is None or (drawn.is_public and node.type == "unknown" and became in OUTCOMES):
                return node
            return replace(node, details={name: value for name, value in node.details.items() if name != "resolved"})

        return replace(drawn, nodes=tuple(map(told, drawn.nodes)))

    def size(self, rules: VoyageRules) -> tuple[int, int]:
        return rules.rows, rules.columns

    def most_routes(self, rules: VoyageRules) -> int:
        """Edges between two rows do not cross, so they form caterpillars: trees of degree 3 whose largest eigenvalue is
        below 1 + √2. By so much routes can grow from row to row, from and to as many nodes as there are paths."""
        return ceil(rules.paths * (1 + sqrt(2)) ** (rules.rows - 2))

    def fill(self, rules: VoyageRules, record: Any) -> None:
        packed = record["voyage"]
        for name in ("paths", "rerolls", "search_steps", "search_attempts", "split_unique"):
            packed[name] = getattr(rules, name)
        packed["ignore_adjacency"] = rules.unknown.ignore_adjacency
        window = rules.treasure_rows or [1, 0]
        write(packed, no_repeat=kind_mask(rules.no_repeat), treasure_first=window[0] - 1, treasure_last=window[-1] - 1)
        for row in range(1, rules.rows + 1):
            fixed = rules.fixed_type(row)
            if fixed:
                code = FIXED_ROW_RULES[fixed]
                packed["fixed"][row - 1] = KIND_CODES[fixed]
                packed["fixed_rule"][row - 1] = code
                packed["banned"][row - 1] = 0xFFFF & ~(1 << KIND_CODES[fixed])
                packed["ban_rule"][row - 1] = code
                continue
            banned = rules.banned_types(row)
            packed["banned"][row - 1] = kind_mask(banned)
            for name, rule_id in banned.items():
                packed["ban_rule"][row - 1, KIND_CODES[name]] = self.rule_by_id[rule_id].code
            weights = [0] * KINDS
            for name, weight in rules.band_of(row).odds.model_dump().items():
                weights[KIND_CODES[name]] = 0 if name in banned else weight
            packed["cumulative"][row - 1] = list(accumulate(weights))

    def fixes(self, rules: VoyageRules, node: Node) -> bool | None:
        if node.type == "treasure" and node.row in rules.treasure_rows:
            return None  # `single-treasure` counts those that are locked
        return rules.fixed_type(node.row) is not None

    def unknown_rules(self, rules: VoyageRules) -> UnknownRules:
        return rules.unknown

    def banned_types(self, rules: VoyageRules, row: int) -> Collection[str]:
        return rules.banned_types(row)

    def types_beside(self, draft: Draft, row: int, column: int) -> Collection[str]:
        found = kinds_beside(bans(draft.graph, draft.packed["voyage"], row - 1, column - 1))
        return [kind for kind in self.kinds if found >> KIND_CODES[kind] & 1]

    def weight(self, rules: VoyageRules, packed: Any, node: Node, kind: str) -> int:
        """The band's odds: in the kernel's table the row's bans are already taken out."""
        odds: dict[str, int] = rules.band_of(node.row).odds.model_dump()
        return odds.get(kind, 0)

    def ban(self, drawn: Map, node: Node, kind: str, rule: Rule) -> tuple[Rule, str]:
        if rule is row_ban:
            assert isinstance(drawn.rules, VoyageRules)
            own = self.rule_by_id[drawn.rules.banned_types(node.row).get(kind, rule.id)]
            return own, own.says(drawn.rules)
        if rule is no_repeat:
            near = [*drawn.back[node.id], *(after for after in drawn.onward[node.id] if drawn.by_id[after].locked)]
        else:
            siblings = {other for parent in drawn.back[node.id] for other in drawn.onward[parent]} - {node.id}
            near = [n for n in sorted(siblings) if drawn.by_id[n].column < node.column or drawn.by_id[n].locked]
        places = [drawn.by_id[other].place for other in near if drawn.by_id[other].type == kind]
        return rule, f"because of {', '.join(places) or 'a neighbour'}"

    def notes(self, rules: VoyageRules) -> list[str]:
        found = []
        if rules.treasure == "row" and rules.treasure_row is None:
            found.append(f"No Treasure row: {rules.rows} rows leave no free row for it (M1).")
        if rules.treasure == "single" and not rules.treasure_rows:
            found.append(f"No single Treasure: its window {list(rules.treasure_window)} has no free row (M2).")
        if rules.elite_unlock_row > rules.rows - 2:
            found.append(f"No Elites: they unlock at row {rules.elite_unlock_row}, after the last free row.")
        return found + forced_waivers(rules)


VOYAGE: Final = VoyageFamily()
