"""Families whose generator is a kernel: the same calls whatever the family, as the rules record says which it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from cartomancer.content.models.voyage import UnknownRules
from cartomancer.jit import records, wrapping
from cartomancer.maps.drafts import Draft
from cartomancer.maps.families.base import Counter, Family, Numbers, Rules, Scan
from cartomancer.maps.kernel.audit import AUDIT_LOG, TALLY, WALK, audit
from cartomancer.maps.kernel.features import FEATURES, SCRATCH, every_feature
from cartomancer.maps.kernel.generate import complete, generate, retype, violations
from cartomancer.maps.kernel.graph import GRAPH, MAX_ROWS, new_log
from cartomancer.maps.kernel.query import STACK_DEPTH, scan
from cartomancer.maps.unknowns import banned_candidates, odds_table


class CompiledFamily(Family[Rules]):
    """A family that the compiled generator knows by its code."""

    def generate(self, draft: Draft, rules: Rules, seed: int) -> bool:
        with wrapping():
            return bool(generate(draft.graph, draft.packed, np.uint64(seed), draft.log))

    def violations(self, draft: Draft, rules: Rules) -> int:
        return int(violations(draft.graph, draft.packed, draft.log))

    def retype(self, draft: Draft, rules: Rules, row: int, column: int) -> bool:
        with wrapping():
            return bool(retype(draft.graph, draft.packed, row - 1, column - 1, draft.log))

    def complete(self, draft: Draft) -> None:
        complete(draft.graph, draft.packed, draft.log)

    def counter(self, rules: Rules) -> Counter:
        packed = self.pack(rules)
        unknown = self.unknown_rules(rules) or UnknownRules()
        odds = odds_table(unknown)
        banned = np.zeros(MAX_ROWS, np.int64)  # what an Unknown may not become on each row (M5)
        for row in range(1, int(packed["rows"]) + 1):
            banned[row - 1] = banned_candidates(unknown, self.banned_types(rules, row))

        def run(first: int, count: int) -> Any:
            tally = records(1, TALLY)
            graphs, scratches, walks = records(1, GRAPH), records(1, SCRATCH), records(1, WALK)
            seed, features, log = np.uint64(first), np.zeros((1, FEATURES), np.int64), new_log(AUDIT_LOG)
            with wrapping():
                audit(
                    graphs, scratches, packed, seed, count, every_feature(), features, odds, banned, walks, log, tally
                )
            return tally[0]

        return run

    def scan(self, rules: Rules, program: Numbers, wanted: Numbers) -> Scan:
        packed = self.pack(rules)

        def run(first: int, count: int) -> np.ndarray[Any, np.dtype[np.int32]]:
            distances = np.zeros(count, np.int32)
            graphs, scratches = records(1, GRAPH), records(1, SCRATCH)
            features, stack = np.zeros((1, FEATURES), np.int64), np.zeros((1, STACK_DEPTH + 1), np.int64)
            seed, silent = np.uint64(first), new_log(0)
            with wrapping():
                scan(graphs, scratches, packed, seed, program, wanted, features, stack, silent, distances)
            return distances

        return run
