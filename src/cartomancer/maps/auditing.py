"""Auditing: thousands or millions of maps counted into one table of facts, each with its interval.

>>> from cartomancer.content import load_preset
>>> result = audit(load_preset("contract", "short"), "short", maps=200)
>>> result["violations"]["total"], result["types"]["boss"]["mean"]
(0, 1.0)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from cartomancer.batches import chunks, in_order, threads_here
from cartomancer.codes import KIND_CODES
from cartomancer.content.models.base import Preset
from cartomancer.errors import CartomancerError
from cartomancer.intervals import mean_interval, wilson
from cartomancer.jit import is_compiled, prefer_compiled
from cartomancer.maps import families
from cartomancer.maps.families import Family
from cartomancer.maps.generation import ruleset_digest
from cartomancer.maps.kernel.audit import DANGER_BIN, RANGE_BINS, TALLY, VISITS
from cartomancer.maps.unknowns import OUTCOMES

FORMAT: Final = "cartomancer.audit/1"
CHUNK: Final = 5_000
INTERPRETED_CHUNK: Final = 16

Progress = Callable[[int], None]
Facts = dict[str, Any]


def take_tally(rules: Preset, maps: int, first_seed: int = 0, progress: Progress = lambda done: None) -> Any:
    """Audit consecutive seeds on all threads into one tally."""
    prefer_compiled()
    family = families.of(rules.family)
    count = family.counter(rules)
    size = CHUNK if family.compiled and is_compiled() else INTERPRETED_CHUNK

    def run(chunk: tuple[int, int]) -> Any:
        return count((first_seed + chunk[0]) % 2**64, chunk[1])

    total = np.zeros(1, TALLY)[0]
    try:
        for _, tally in in_order(run, chunks(0, maps, size), threads_here()):
            total = _sum(total, tally)
            progress(int(total["maps"] + total["failed"]))
    except KeyboardInterrupt:
        if not total["maps"]:
            raise
    return total


def _sum(one: Any, two: Any) -> Any:
    """Two tallies as one. A new one, so that an interrupt never leaves half a chunk behind."""
    total = np.zeros(1, TALLY)[0]
    for name in total.dtype.names:
        total[name] = one[name] + two[name]
    total["first_bad_seed"] = one["first_bad_seed"] if one["bad_maps"] else two["first_bad_seed"]
    return total


def audit(rules: Preset, preset: str, maps: int, first_seed: int = 0, progress: Progress = lambda done: None) -> Facts:
    """The facts of many maps, as plain data: what `map audit --json` prints."""
    if maps < 1:
        raise CartomancerError(f"an audit needs at least one map, not {maps}")
    tally = take_tally(rules, maps, first_seed, progress)
    count = int(tally["maps"])
    if not count:
        raise CartomancerError(f"none of the {maps} seeds from {first_seed} on gave a map")
    family = families.of(rules.family)
    kinds = {name: KIND_CODES[name] for name in family.kinds}
    rows, slots = family.size(rules)
    return {
        "format": FORMAT,
        "family": rules.family,
        "preset": preset,
        "ruleset": ruleset_digest(rules),
        "first_seed": first_seed,
        "maps": count,
        "asked_for": maps,
        "notes": family.notes(rules),
        "types": {name: _type_facts(tally, kind, count) for name, kind in kinds.items()},
        "rolled": _rolled(tally, kinds),
        "rows": [
            {
                "row": row + 1,
                "nodes": int(tally["cell"][row].sum()) / count,
                "types": _shares(tally["row_kind"][row], kinds),
            }
            for row in range(rows)
        ],
        "cells": (tally["cell"][:rows, :slots] / count).round(6).tolist(),
        "cell_types": {
            name: (tally["cell_kind"][:rows, :slots, kind] / count).round(6).tolist()
            for name, kind in kinds.items()
            if tally["kinds"][kind]
        },
        "typing": _typing(tally, count),
        "violations": _violations(tally, family),
        "routes": _routes(tally, kinds, count),
        "expressive_range": {
            **_thousandths(tally, "linearity", count),
            **_thousandths(tally, "danger", count),
            "linearity_bins": [index / RANGE_BINS for index in range(RANGE_BINS + 1)],
            "danger_bins": [index * DANGER_BIN / 1000 for index in range(RANGE_BINS + 1)],
            "maps": tally["range"].tolist(),
        },
        "unknown": _unknown(tally),
    }


def _type_facts(tally: Any, kind: int, count: int) -> Facts:
    total = int(tally["kinds"][kind])
    mean, interval = mean_interval(total, int(tally["kinds_squared"][kind]), count)
    nodes = int(tally["nodes"])
    with_it = int(tally["kind_maps"][kind])
    return {
        "total": total,
        "mean": mean,
        "interval": interval,
        "share": total / nodes if nodes else 0.0,
        "maps_with": with_it / count,
        "maps_with_interval": wilson(with_it, count),
    }


def _shares(counts: Any, kinds: dict[str, int]) -> dict[str, float]:
    total = int(counts.sum())
    return {name: int(counts[kind]) / total for name, kind in kinds.items() if total and counts[kind]}


def _rolled(tally: Any, kinds: dict[str, int]) -> dict[str, Facts]:
    """Types of rolled nodes against what the odds and bans of each roll implied."""
    rolled = int(tally["rolled"].sum())
    weighed = int(tally["rolled_nodes"])
    if not rolled:
        return {}
    return {
        name: {
            "observed": int(tally["rolled"][kind]) / rolled,
            "interval": wilson(int(tally["rolled"][kind]), rolled),
            "implied": int(tally["implied"][kind]) / 1e6 / weighed,
        }
        for name, kind in kinds.items()
        if tally["rolled"][kind] or tally["implied"][kind]
    }


def _typing(tally: Any, count: int) -> Facts:
    rolled = int(tally["rolled_nodes"])
    rerolled = int(tally["rerolled_nodes"])
    waived = int(tally["waived_maps"])
    return {
        "rolled_nodes": rolled / count,
        "rerolls": int(tally["rerolls"]) / count,
        "reroll_rate": rerolled / rolled if rolled else 0.0,
        "reroll_rate_interval": wilson(rerolled, rolled),
        "searches": int(tally["searches"]),
        "waivers": int(tally["waivers"]),
        "waiver_rate": waived / count,  # maps with a waiver
        "waiver_rate_interval": wilson(waived, count),
        "forced_per_map": int(tally["forced"]) / count,
        "failed_seeds": int(tally["failed"]),
    }


def _thousandths(tally: Any, name: str, count: int) -> Facts:
    """A mean that kernels keep in thousandths, with its interval."""
    mean, bounds = mean_interval(int(tally[f"{name}_sum"]), int(tally[f"{name}_squares"]), count)
    return {f"{name}_mean": mean / 1000, f"{name}_interval": [bound / 1000 for bound in bounds]}


def _violations(tally: Any, family: Family[Any]) -> Facts:
    return {
        "total": int(tally["violations"]),
        "maps": int(tally["bad_maps"]),
        "rate_interval": wilson(int(tally["bad_maps"]), int(tally["maps"])),
        "first_bad_seed": int(tally["first_bad_seed"]) if tally["bad_maps"] else None,
        "by_rule": {rule.id: int(tally["by_rule"][rule.code]) for rule in family.rules if tally["by_rule"][rule.code]},
    }


def _histogram(counts: Any) -> dict[str, int]:
    return {str(index): int(value) for index, value in enumerate(counts) if value}


def _histogram_mean(counts: Any) -> float:
    total = int(counts.sum())
    return sum(index * int(value) for index, value in enumerate(counts)) / total if total else 0.0


def _routes(tally: Any, kinds: dict[str, int], count: int) -> Facts:
    return {
        "mean": int(tally["routes_sum"]) / count,
        "log2": _histogram(tally["routes_log2"]),
        "disjoint": _histogram(tally["disjoint"]),
        "forced_nodes": _histogram(tally["forced_nodes"]),
        "nodes": int(tally["nodes"]) / count,
        "edges": int(tally["edges"]) / count,
        "types": {
            name: {
                "least": _histogram(tally["least"][kind]),
                "least_mean": _histogram_mean(tally["least"][kind]),
                "most": _histogram(tally["most"][kind]),
                "most_mean": _histogram_mean(tally["most"][kind]),
                "first_row": _histogram(tally["first_row"][kind]),
            }
            for name, kind in kinds.items()
            if tally["kinds"][kind]
        },
    }


def _unknown(tally: Any) -> list[Facts]:
    """Outcomes and pity at the first, second, … Unknown of a random route."""
    found = []
    for visit in range(VISITS):
        times = int(tally["visits"][visit])
        if times:
            found.append(
                {
                    "visit": visit + 1 if visit < VISITS - 1 else f"{VISITS}+",
                    "times": times,
                    "outcomes": {
                        name: int(tally["outcomes"][visit, index]) / times for index, name in enumerate(OUTCOMES)
                    },
                    "pity": [int(value) / times for value in tally["pity"][visit]],
                }
            )
    return found


def compare(one: Facts, two: Facts) -> list[Facts]:
    """Every headline number of two audits side by side; `differs` when the 95 % intervals do not overlap."""
    for facts in (one, two):
        if facts.get("format") != FORMAT:
            raise CartomancerError(f"not an audit: format {facts.get('format')!r}, should be {FORMAT}")
    try:
        return _comparison(one, two)
    except (KeyError, TypeError) as error:
        raise CartomancerError(f"not a whole audit: {error!r} is missing or damaged") from None


def _comparison(one: Facts, two: Facts) -> list[Facts]:
    if one["family"] != two["family"]:
        raise CartomancerError(f"cannot compare a {one['family']} audit with a {two['family']} audit")
    rows = []
    for name in families.of(one["family"]).kinds:
        a, b = one["types"][name], two["types"][name]
        rows.append(_compared(f"{name} per map", a, b, "mean", "interval"))
        rows.append(_compared(f"maps with {name}", a, b, "maps_with", "maps_with_interval"))
    a, b = one["expressive_range"], two["expressive_range"]
    rows.append(_compared("linearity", a, b, "linearity_mean", "linearity_interval"))
    rows.append(_compared("danger a row", a, b, "danger_mean", "danger_interval"))
    for key in ("reroll_rate", "waiver_rate"):
        rows.append(_compared(key.replace("_", " "), one["typing"], two["typing"], key, f"{key}_interval"))
    return rows


def _compared(name: str, one: Facts, two: Facts, value: str, interval: str) -> Facts:
    """One number of both audits, with its interval in each."""
    a, a_range, b, b_range = one[value], one[interval], two[value], two[interval]
    return {
        "metric": name,
        "one": a,
        "one_interval": a_range,
        "two": b,
        "two_interval": b_range,
        "difference": b - a,
        "differs": a_range[1] < b_range[0] or b_range[1] < a_range[0],
    }
