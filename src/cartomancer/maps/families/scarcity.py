"""Where the odds of a voyage force waivers: so few types are left on a row that no map can keep its rules (M6)."""

from __future__ import annotations

from cartomancer.content.models.voyage import VoyageRules
from cartomancer.content.rules_text import listed

MOST_WAYS = 3  # from a node onward: no edge goes further than one column aside (M3)
WHERE = ("every node", "where two ways part, one node", "where three ways part, one node")


def forced_waivers(rules: VoyageRules) -> list[str]:
    """A sentence for the rows whose odds and bans cannot fill the ways that part before them, whatever else is rolled.

    >>> from cartomancer.content import load_preset
    >>> bands = [{"name": "all", "until_percent": 100, "odds": {"monster": 1, "unknown": 1}}]
    >>> forced_waivers(load_preset("voyage", "guide", {"bands": bands}))
    ['The odds force waivers on rows 2 to 8 and 10 to 13, which may hold only monster or unknown: where three ways \
part, one node becomes a Monster against the rules (M6).']
    """
    needed = min(MOST_WAYS, rules.paths) if rules.split_unique else 1
    short: dict[tuple[str, int], list[int]] = {}
    waived = False
    for row in range(2, rules.rows - 1):
        if rules.fixed_type(row) is not None:
            waived = False
            continue
        here, before = _possible(rules, row), _possible(rules, row - 1) | ({"monster"} if waived else set())
        after, unlike = rules.fixed_type(row + 1), {*rules.no_repeat}
        # so many ways can lead from one node of the row before to different types of this row
        enough = max(len(here - ({kind, after} & unlike)) for kind in before)
        waived = enough < needed
        if waived:
            short.setdefault((listed(sorted(here), "or"), enough), []).append(row)
    return [
        f"The odds force waivers on {_rows(rows)}, which may hold only {kinds}: {WHERE[enough]} becomes a Monster "
        "against the rules (M6)."
        for (kinds, enough), rows in short.items()
    ]


def _possible(rules: VoyageRules, row: int) -> set[str]:
    """The types that a row may hold."""
    if fixed := rules.fixed_type(row):
        return {fixed}
    banned = rules.banned_types(row)
    return {kind for kind, weight in rules.band_of(row).odds.model_dump().items() if weight and kind not in banned}


def _rows(rows: list[int]) -> str:
    """Rows in words, those in sequence together."""
    starts = [row for row in rows if row - 1 not in rows]
    ends = [row for row in rows if row + 1 not in rows]
    spans = [str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    return f"row{'s' if len(rows) > 1 else ''} {listed(spans, 'and')}"
