"""How often each stake comes up, counted over the first maps of an audit.

>>> from cartomancer.content import load_preset
>>> count_stakes(load_preset("contract", "short"), 20)["kinds"]["traits"]["nodes"]
20
>>> count_stakes(load_preset("voyage"), 20)
{}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from cartomancer.content.models.base import Preset
from cartomancer.intervals import wilson
from cartomancer.maps import families, graphs
from cartomancer.maps.drafts import Draft
from cartomancer.maps.model import Map
from cartomancer.maps.stake_words import Stake
from cartomancer.maps.stakes import Situation

MOST_MAPS: Final = 2_000  # stakes are rolled in Python, far slower than kernels draw: more would delay every audit
Facts = dict[str, Any]


def count_stakes(rules: Preset, maps: int, first_seed: int = 0) -> Facts:
    """For every kind of stake the nodes that rolled it, and the share of them on which each outcome came.

    In the usual situation: low heat, a wary rival, no hooks. Nothing for families without stakes.
    """
    family, situation = families.of(rules.family), Situation()
    if not family.situated:
        return {}
    seen: dict[str, Counter[Stake]] = {}
    nodes: Counter[str] = Counter()
    drawn_maps = 0
    draft = Draft.empty(family.pack(rules))
    for seed in (number % 2**64 for number in range(first_seed, first_seed + min(maps, MOST_MAPS))):
        if not family.generate(draft, rules, seed):
            continue
        drawn_maps += 1
        nodes_there = graphs.nodes_of(draft, rules.family)
        # nobody asks this map for its name: packing rules and digesting catalogs for each would take most of the time
        for node in family.furnish(Map(rules.family, rules.id, seed, "", nodes_there, (), rules), situation).nodes:
            stakes = dict.fromkeys(family.stakes(node))
            nodes.update({stake.kind for stake in stakes})
            for stake in stakes:
                seen.setdefault(stake.kind, Counter())[stake] += 1
    return {
        "maps": drawn_maps,
        "situation": situation.as_dict(),
        "kinds": {
            kind: {"nodes": nodes[kind], "outcomes": [_outcome(stake, came, nodes[kind]) for stake, came in ranked]}
            for kind, ranked in ((kind, counts.most_common()) for kind, counts in seen.items())
        },
    }


def _outcome(stake: Stake, came: int, of: int) -> Facts:
    share = {"share": came / of, "interval": wilson(came, of)}
    return {"outcome": stake.outcome, "title": stake.title, "nodes": came, **share}


def stake_shares(one: Facts, two: Facts) -> Iterator[tuple[str, list[Facts]]]:
    """Every outcome that either of two audits met, under its name, with its share in both."""
    both = [facts.get("stakes", {}).get("kinds", {}) for facts in (one, two)]
    if not all(both):
        return
    for kind in dict.fromkeys(name for kinds in both for name in kinds):
        counts = [kinds.get(kind, {"nodes": 0, "outcomes": []}) for kinds in both]
        told = [{entry["title"]: entry for entry in count["outcomes"]} for count in counts]
        for title in dict.fromkeys(name for entries in told for name in entries):
            missing = [{"share": 0.0, "interval": wilson(0, count["nodes"])} for count in counts]
            shares = [entries.get(title, none) for entries, none in zip(told, missing, strict=True)]
            yield f"share of {kind}: {title}", shares
