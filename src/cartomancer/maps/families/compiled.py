"""Families whose generator is a kernel: the same calls whatever the family, as the rules record says which it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from cartomancer.content.models.voyage import UnknownRules
from cartomancer.jit import records, wrapping
from cartomancer.maps.drafts import Draft
from cartomancer.maps.families.base import Counter, Family, Numbers, Rules, Scan
from cartomancer.maps.kernel import audit, features, generate, graph, query
from cartomancer.maps.model import Node
from cartomancer.maps.unknowns import banned_candidates, odds_table


class CompiledFamily(Family[Rules]):
    """A family that the compiled generator knows by its code."""

    def generate(self, draft: Draft, rules: Rules, seed: int) -> bool:
        with wrapping():
            return bool(generate.generate(draft.graph, draft.packed, np.uint64(seed), draft.log))

    def violations(self, draft: Draft, rules: Rules) -> int:
        return int(generate.violations(draft.graph, draft.packed, draft.log))

    def retype(self, draft: Draft, rules: Rules, row: int, column: int) -> bool:
        with wrapping():
            return bool(generate.retype(draft.graph, draft.packed, row - 1, column - 1, draft.log))

    def complete(self, draft: Draft) -> None:
        generate.complete(draft.graph, draft.packed, draft.log)

    def forces(self, rules: Rules, node: Node) -> bool:
        return False

    def counter(self, rules: Rules) -> Counter:
        packed = self.pack(rules)
        unknown = self.unknown_rules(rules) or UnknownRules()
        odds, wanted = odds_table(unknown), features.every_feature()
        banned = np.zeros(graph.MAX_ROWS, np.int64)  # what an Unknown may not become on each row (M5)
        for row in range(1, int(packed["rows"]) + 1):
            banned[row - 1] = banned_candidates(unknown, self.banned_types(rules, row))

        def run(first: int, count: int) -> Any:
            graphs, scratches, walks = records(1, graph.GRAPH), records(1, features.SCRATCH), records(1, audit.WALK)
            found, log = np.zeros((1, features.FEATURES), np.int64), graph.new_log(audit.AUDIT_LOG)
            seed, tally = np.uint64(first), records(1, audit.TALLY)
            with wrapping():
                audit.audit(graphs, scratches, packed, seed, count, wanted, found, odds, banned, walks, log, tally)
            return tally[0]

        return run

    def scan(self, rules: Rules, program: Numbers, wanted: Numbers) -> Scan:
        packed = self.pack(rules)

        def run(first: int, count: int) -> np.ndarray[Any, np.dtype[np.int32]]:
            graphs, scratches = records(1, graph.GRAPH), records(1, features.SCRATCH)
            found, stack = np.zeros((1, features.FEATURES), np.int64), np.zeros((1, query.STACK_DEPTH + 1), np.int64)
            seed, silent, distances = np.uint64(first), graph.new_log(0), np.zeros(count, np.int32)
            with wrapping():
                query.scan(graphs, scratches, packed, seed, program, wanted, found, stack, silent, distances)
            return distances

        return run
