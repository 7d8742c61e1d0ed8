"""The map file: JSON in the format cartomancer.map/1. Reading lists every fault of a damaged file at once."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.base import Preset
from cartomancer.content.presets import preset_ids, rules_from
from cartomancer.errors import Fault, FaultyError, MapFileError, SelectionError, UnknownNameError
from cartomancer.input_files import InputFileError, read_input, text_faults
from cartomancer.maps import families
from cartomancer.maps.generation import ruleset_digest
from cartomancer.maps.kernel.graph import MAX_PATHS
from cartomancer.maps.model import Map, Node
from cartomancer.maps.notation import is_notation, notation_of, read
from cartomancer.maps.positions import positions
from cartomancer.maps.public import HIDDEN_SEED
from cartomancer.maps.stakes import Situation
from cartomancer.maps.unknowns import OUTCOMES
from cartomancer.maps.ways import walked

# what every map file holds; families add to it (`map_schema`)
SCHEMA: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("map_schema.json").read_text(encoding="utf-8"))
PRESET_NAME: Final = re.compile("[a-z][a-z0-9_]*")
FORMAT: Final[str] = SCHEMA["title"]
MAP_FIELDS: Final = SCHEMA["properties"].keys() - {"public", "visited"}
NODE_FIELDS: Final = [name for name in SCHEMA["$defs"]["node"]["properties"] if name != "position"]


def map_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the format: what all maps hold, and what each family adds.

    `docs/schema/cartomancer.map-1.json` is this, written out.
    """
    known = [families.of(name) for name in families.names()]
    fields = {**SCHEMA["properties"], "family": {"enum": [family.name for family in known]}}
    public = fields.pop("public")
    of_family = []  # what holds for the nodes of each
    for family in known:
        fields |= family.map_schema
        own = {"type": {"enum": list(family.kinds)}, **family.node_schema}
        nodes = {"items": {"required": list(family.always), "properties": own}}
        asked = {"properties": {"family": {"const": family.name}}}
        of_family.append({"if": asked, "then": {"properties": {"nodes": nodes}}})
    return {**SCHEMA, "properties": {**fields, "public": public}, "allOf": of_family}


def to_dict(drawn: Map) -> dict[str, Any]:
    """The map as plain data."""
    places = positions(drawn, by_column=True)
    nodes = []
    for node in drawn.nodes:
        x, y = places[node.id]
        fields = {name: getattr(node, name) for name in NODE_FIELDS}
        nodes.append({**fields, "position": {"x": round(x, 1), "y": round(y, 1)}, **node.details})
    return {
        "format": FORMAT,
        "family": drawn.family,
        "preset": drawn.preset,
        **({} if drawn.is_public else {"seed": drawn.seed}),
        **({"notation": name} if (name := notation_of(drawn)) else {}),
        "ruleset": {
            "digest": drawn.ruleset,
            "catalog": drawn.catalog,
            "fields": drawn.rules.written_fields(),
        },
        "nodes": nodes,
        "edges": [list(edge) for edge in drawn.edges],
        "paths": [list(path) for path in drawn.paths],
        **drawn.details,
    }


def to_json(drawn: Map) -> str:
    """The map as a JSON document."""
    return json.dumps(to_dict(drawn), indent=1, ensure_ascii=False) + "\n"


def read_file(path: str | Path) -> Map:
    """The map in a file."""
    return from_dict(read_data(path), str(path))


def read_data(path: str | Path) -> Any:
    """The plain data in a JSON file."""
    where = str(path)
    try:
        text = read_input(Path(path))
    except InputFileError as error:
        raise MapFileError(f"{where}: cannot be read", [Fault("file", None, str(error), where=where)]) from None
    return _parsed(text, where)


def read_map(source: str | Path) -> Map:
    """The map in a file, or of a notation such as voyage:guide:42.

    >>> read_map("voyage:guide:42").seed
    42
    """
    text = str(source)
    return read(text) if is_notation(text) and not Path(text).exists() else read_file(text)


def from_json(text: str, where: str = "map") -> Map:
    """The map in a JSON document."""
    return from_dict(_parsed(text, where), where)


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text, parse_constant=str)  # NaN is a word here: no field takes it for a number
    except (ValueError, RecursionError) as error:
        raise MapFileError(f"{where}: not valid JSON", [Fault("file", None, str(error), where=where)]) from None


def from_dict(data: Any, where: str = "map") -> Map:
    """The map in plain data, or a MapFileError with every fault."""
    reader = _Reader(where)
    drawn = reader.read(data)
    reader.faults += [replace(fault, where=where) for fault in text_faults(data)]
    if reader.faults or drawn is None:
        refusal = MapFileError(f"{where}: not a readable map: {len(reader.faults)} fault(s)", reader.faults)
        refusal.readable = drawn
        raise refusal
    return drawn


@dataclass
class _Reader:
    """Collects faults while it reads, so that one look names them all."""

    where: str
    faults: list[Fault] = field(default_factory=list)
    named: set[str] = field(default_factory=set)  # ids of all nodes, also of those that cannot be read

    def fault(self, name: str, value: Any, problem: str, expected: str = "") -> None:
        self.faults.append(Fault(name, value, problem, expected, self.where))

    def read(self, data: Any) -> Map | None:
        if not isinstance(data, dict):
            self.fault("file", data, "is not a JSON object", "an object with format, nodes, edges, …")
            return None
        if data.get("format") != FORMAT:
            self.fault("format", data.get("format"), "is not a format this version reads", FORMAT)
        name = data.get("family")
        if not isinstance(name, str) or not families.known(name):
            self.fault("family", name, "is not a map family", ", ".join(families.names()))
            return None
        family = families.of(name)
        if not isinstance(data.get("public", False), bool):
            self.fault("public", data["public"], "is not true or false", "true on the public half of a map")
        public = data.get("public") is True
        seed = data.get("seed", HIDDEN_SEED if public else None)
        if public and seed != HIDDEN_SEED:
            self.fault("seed", seed, "stands on the public half of a map, which hides its seed", "nothing")
            seed = HIDDEN_SEED
        elif not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**64:
            self.fault("seed", seed, "is not a seed", "a whole number from 0 to 2**64 − 1")
            seed = 0
        preset = self.preset(name, data.get("preset"))
        rules = self.rules(name, data.get("ruleset"))
        if rules is None:
            return None
        before = len(self.faults)
        rows, columns = family.size(rules)
        nodes = self.nodes(family, rows, columns, data.get("nodes"))
        whole = len(self.faults) == before
        edges = self.edges(nodes, data.get("edges"))
        paths = self.paths(nodes, rows, data.get("paths", []))
        if family.situated:
            whole &= self.situation(
                data.get("situation"), family.catalog_digest(rules) == data["ruleset"].get("catalog")
            )
        if not whole:
            return None
        drawn = Map(
            family=name,
            preset=preset,
            seed=seed,
            ruleset=str(data["ruleset"].get("digest")),
            nodes=tuple(nodes.values()),
            edges=tuple(edges),
            paths=tuple(paths),
            rules=rules,
            catalog=str(data["ruleset"].get("catalog", "")),
            details={key: value for key, value in data.items() if key not in MAP_FIELDS},
        )
        return drawn if self.way(drawn, data.get("visited")) else None

    def way(self, drawn: Map, visited: Any) -> bool:
        """Whether the way marked on the map, if there is one, follows its edges."""
        if visited is None:
            return True
        if not isinstance(visited, list) or not all(type(node) is int for node in visited):
            self.fault("visited", visited, "is not a list of node ids", "ids in the order they were entered")
            return False
        try:
            walked(drawn, visited)
        except SelectionError as error:
            self.fault("visited", visited, f"is no way: {error}", "one node a row, from the first, along edges")
            return False
        return True

    def preset(self, family: str, given: Any) -> str:
        """A preset's name or a designer's own file, with overrides; nothing if it is neither. Whether a preset of this
        name is there is for the check to say: a save outlives its presets."""
        name = given.partition("[")[0] if isinstance(given, str) else ""
        if PRESET_NAME.fullmatch(name) or (name.endswith(".toml") and name.isprintable()):
            return str(given)
        right = f"{', '.join(preset_ids(family))}, or a designer's own .toml file"
        self.fault("preset", given, f"is not a preset of {family} maps", right)
        return ""

    def rules(self, family: str, ruleset: Any) -> Preset | None:
        if not isinstance(ruleset, dict) or not isinstance(ruleset.get("fields"), dict):
            self.fault("ruleset", None, "is missing or has no fields", '{"digest": …, "fields": {…}}')
            return None
        try:
            rules = rules_from(family, ruleset["fields"], f"{self.where}: ruleset")
        except FaultyError as error:
            self.faults.extend(error.faults)
            return None
        digest = ruleset_digest(rules, str(ruleset.get("catalog", "")))
        if digest != ruleset.get("digest"):
            problem = "does not belong to the ruleset's fields: one of them was changed"
            self.fault("ruleset.digest", ruleset.get("digest"), problem, digest)
        return rules

    def situation(self, data: Any, of_today: bool) -> bool:
        """Whether the situation is one that the catalog knows; a map of another catalog may know other names."""
        before = len(self.faults)
        try:
            situation = Situation.from_dict(data)
            if of_today:
                situation.check(load_catalog())
        except MapFileError as error:
            self.faults.extend(replace(fault, where=self.where) for fault in error.faults)
        except UnknownNameError as error:
            field_name = {"hook": "hooks"}.get(error.what, error.what.replace(" ", "_"))
            self.fault(f"situation.{field_name}", error.name, "is not known", ", ".join(error.known))
        return len(self.faults) == before

    def nodes(self, family: families.Family[Any], rows: int, columns: int, entries: Any) -> dict[int, Node]:
        found: dict[int, Node] = {}
        if not isinstance(entries, list) or not entries:
            self.fault("nodes", None, "is missing or empty", "a list of nodes")
            return found
        cells: dict[tuple[int, int], int] = {}
        for index, entry in enumerate(entries):
            node = self.node(f"nodes[{index}]", family, rows, columns, entry)
            if isinstance(entry, dict):
                self.named.add(str(entry.get("id")))
            if node is None:
                continue
            if node.id in found:
                self.fault(f"nodes[{index}].id", node.id, "is used twice", "an id of its own")
            elif (node.row, node.column) in cells:
                other = cells[node.row, node.column]
                self.fault(f"nodes[{index}]", node.id, f"stands where node {other} stands", "a cell of its own")
            else:
                found[node.id] = node
                cells[node.row, node.column] = node.id
        for row in sorted(set(range(1, rows + 1)) - {row for row, _ in cells}):
            self.fault("nodes", None, f"has no node on row {row}", f"at least one on each of {rows} rows")
        return found

    def node(self, name: str, family: families.Family[Any], rows: int, columns: int, entry: Any) -> Node | None:
        if not isinstance(entry, dict):
            self.fault(name, entry, "is not an object", "{id, row, column, type, locked}")
            return None
        before = len(self.faults)
        for key, most in (("id", 2**31), ("row", rows), ("column", columns)):
            least = 0 if key == "id" else 1
            value = entry.get(key)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                self.fault(f"{name}.{key}", value, "is not in range", f"a whole number from {least} to {most}")
        if entry.get("type") not in family.kinds:
            self.fault(f"{name}.type", entry.get("type"), f"is not a {family.name} type", ", ".join(family.kinds))
        for key in ("locked", "waived"):
            if not isinstance(entry.get(key, False), bool):
                self.fault(f"{name}.{key}", entry[key], "is not true or false", "true or false")
        excusable = entry.get("type") == family.last_resort and entry.get("locked", False) is False
        if entry.get("waived") is True and not excusable:
            self.fault(f"{name}.waived", True, "excuses only an unlocked node of its family's last resort", "false")
        forced = entry.get("forced")
        if forced is not None and not (isinstance(forced, str) and forced in family.rule_by_id):
            self.fault(f"{name}.forced", forced, f"is not a rule of {family.name} maps", ", ".join(family.rule_by_id))
        if "resolved" in entry and not (entry.get("type") == "unknown" and entry["resolved"] in OUTCOMES):
            right = f"on Unknowns only, one of {', '.join(OUTCOMES)}"
            self.fault(f"{name}.resolved", entry["resolved"], "is not what this node can have become", right)
        if len(self.faults) > before:
            return None
        fields = {name: entry[name] for name in NODE_FIELDS if name in entry}
        details = {key: value for key, value in entry.items() if key not in SCHEMA["$defs"]["node"]["properties"]}
        return Node(**fields, details=details)

    def edges(self, nodes: dict[int, Node], entries: Any) -> list[tuple[int, int]]:
        if not isinstance(entries, list):
            self.fault("edges", None, "is missing", "a list of [from, to]")
            return []
        found: dict[tuple[int, int], None] = {}
        for index, entry in enumerate(entries):
            name = f"edges[{index}]"
            whole = isinstance(entry, list) and len(entry) == 2 and all(type(end) is int for end in entry)
            if not whole:
                self.fault(name, entry, "is not a pair of node ids", "[from, to]")
                continue
            source, target = entry
            missing = [end for end in (source, target) if str(end) not in self.named]
            if missing:
                self.fault(name, entry, f"names nodes that do not exist: {missing}", "ids of nodes")
            elif source not in nodes or target not in nodes:
                continue  # the node itself has been named as faulty
            elif nodes[target].row != nodes[source].row + 1:
                problem = f"leads from row {nodes[source].row} to row {nodes[target].row}"
                self.fault(name, entry, problem, "an edge to the next row")
            elif (source, target) in found:
                self.fault(name, entry, "is there twice", "each edge once")
            else:
                found[source, target] = None
        return list(found)

    def paths(self, nodes: dict[int, Node], rows: int, entries: Any) -> list[tuple[int, ...]]:
        if not isinstance(entries, list) or len(entries) > MAX_PATHS:
            self.fault("paths", None, "is not a list of paths", f"at most {MAX_PATHS} lists of node ids")
            return []
        found = []
        for index, path in enumerate(entries):
            known = isinstance(path, list) and all(type(node) is int and str(node) in self.named for node in path)
            if not known:
                self.fault(f"paths[{index}]", path, "is not a list of node ids", "one node a row, in order")
            elif all(node in nodes for node in path):
                if [nodes[node].row for node in path] == list(range(1, rows + 1)):
                    found.append(tuple(path))
                else:
                    self.fault(
                        f"paths[{index}]", path, "does not lead from the first row to the last", "one node a row"
                    )
        return found
