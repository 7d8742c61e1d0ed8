"""Families drawn in Python: four methods over a draft, and everything else works as for the compiled ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from cartomancer.codes import KIND_CODES, OUTSIDE, STREAM_REPAIR, STREAM_TYPES
from cartomancer.jit import records
from cartomancer.maps.drafts import Draft
from cartomancer.maps.families.base import Counter, Family, Numbers, Rules, Scan
from cartomancer.maps.kernel import audit, features, query, structure
from cartomancer.maps.model import Node

SEEDS = 2**64


class DrawnFamily(Family[Rules]):
    """A family that is drawn in Python, such as one from outside the package."""

    code = OUTSIDE
    compiled = False

    @abstractmethod
    def draw(self, draft: Draft, rules: Rules) -> bool:
        """Place, join and type the nodes of a map; False when bounded attempts ran out."""

    @abstractmethod
    def check(self, draft: Draft, rules: Rules) -> None:
        """Note every broken rule of the family's own; those of every map are looked after."""

    @abstractmethod
    def type_node(self, draft: Draft, rules: Rules, row: int, column: int, stream: int = STREAM_TYPES) -> bool:
        """Type one node, by rule or by dice; False when nothing is left for it."""

    @abstractmethod
    def weights(self, rules: Rules, row: int) -> Mapping[str, int]:
        """The weights of a row's types before any ban; nothing where a rule decides, which locks the node."""

    def fill(self, rules: Rules, record: Any) -> None:
        for row in range(1, int(record["rows"]) + 1):
            for kind, weight in self.weights(rules, row).items():
                record["odds"][row - 1, KIND_CODES[kind]] = weight

    def generate(self, draft: Draft, rules: Rules, seed: int) -> bool:
        draft.clear(seed)
        return self.draw(draft, rules)

    def violations(self, draft: Draft, rules: Rules) -> int:
        before = len(draft.events)
        structure.shared_violations(draft.graph, draft.log)
        self.check(draft, rules)
        return len(draft.events) - before

    def retype(self, draft: Draft, rules: Rules, row: int, column: int) -> bool:
        return self.type_node(draft, rules, row, column, STREAM_REPAIR)

    def fixes(self, rules: Rules, node: Node) -> bool:
        return not self.weights(rules, node.row)

    def counter(self, rules: Rules) -> Counter:
        packed = self.pack(rules)

        def run(first: int, count: int) -> Any:
            draft, scratch = Draft.empty(packed, audit.AUDIT_LOG), records(1, features.SCRATCH)[0]
            graph, found, tally = draft.graph, np.zeros(features.FEATURES, np.int64), records(1, audit.TALLY)[0]
            for seed in (np.uint64((first + k) % SEEDS) for k in range(count)):
                if not self.generate(draft, rules, int(seed)):
                    tally["failed"] += 1
                    continue
                tally["maps"] += 1
                audit.tally_log(graph, packed, draft.log, tally)
                graph["logged"] = 0
                audit.tally_violations(graph, seed, self.violations(draft, rules), draft.log, tally)
                features.measure(graph, packed, scratch, features.every_feature(), found)
                audit.tally_cells(graph, tally)
                audit.tally_routes(graph, found, tally)
            return tally

        return run

    def scan(self, rules: Rules, program: Numbers, wanted: Numbers) -> Scan:
        packed = self.pack(rules)

        def run(first: int, count: int) -> np.ndarray[Any, np.dtype[np.int32]]:
            draft, scratch = Draft.empty(packed), records(1, features.SCRATCH)[0]
            found, stack = np.zeros(features.FEATURES, np.int64), np.zeros(query.STACK_DEPTH + 1, np.int64)
            distances = np.full(count, query.FAR_AWAY, np.int32)
            for k in range(count):
                if self.generate(draft, rules, (first + k) % SEEDS):
                    features.measure(draft.graph, packed, scratch, wanted, found)
                    distances[k] = query.distance_of(program, found, stack)
            return distances

        return run
