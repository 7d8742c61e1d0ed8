"""Auditing: thousands or millions of maps counted into one table of facts, each with its interval.

>>> from cartomancer.content import load_preset
>>> result = audit(load_preset("contract", "short"), "short", maps=200)
>>> result["violations"]["total"], result["types"]["boss"]["mean"]
(0, 1.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from cartomancer.batches import chunks, in_order, threads_here
from cartomancer.codes import KIND_CODES
from cartomancer.content.kept_files import refuse_damaged
from cartomancer.content.models.base import Preset
from cartomancer.errors import CartomancerError
from cartomancer.intervals import mean_interval, wilson
from cartomancer.jit import is_compiled, prefer_compiled
from cartomancer.maps import families, generation
from cartomancer.maps.audit_files import AN_AUDIT, FORMAT, Audit
from cartomancer.maps.kernel.audit import DANGER_BIN, RANGE_BINS, TALLY, VISITS
from cartomancer.maps.stake_counts import count_stakes, stake_shares
from cartomancer.maps.unknowns import OUTCOMES
from cartomancer.seals import sealed

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
    """The facts of many maps, as plain data with a digest: what `map audit --json` prints."""
    if maps < 1:
        raise CartomancerError(f"an audit needs at least one map, not {maps}")
    record = take_tally(rules, maps, first_seed, progress)
    tally: Facts = {name: record[name].tolist() for name in record.dtype.names}
    count = tally["maps"]
    if not count:
        raise CartomancerError(f"none of the {maps} seeds from {first_seed} on gave a map")
    family = families.of(rules.family)
    kinds = {name: KIND_CODES[name] for name in family.kinds}
    met = {name: kind for name, kind in kinds.items() if tally["kinds"][kind]}
    rows, slots = family.size(rules)
    cell_shares = (record["cell_kind"][:rows, :slots] / count).round(6)
    facts = {
        "format": FORMAT,
        "family": rules.family,
        "preset": preset,
        "ruleset": generation.ruleset_digest(rules),
        "first_seed": first_seed,
        "maps": count,
        "asked_for": maps,
        "notes": family.notes(rules),
        "types": {name: _type_facts(tally, kind) for name, kind in kinds.items()},
        "rolled": _rolled(tally, kinds),
        "rows": [
            {
                "row": row + 1,
                "nodes": sum(tally["cell"][row]) / count,
                "types": {name: there[kind] / sum(there) for name, kind in kinds.items() if there[kind]},
            }
            for row, there in enumerate(tally["row_kind"][:rows])
        ],
        "cells": (record["cell"][:rows, :slots] / count).round(6).tolist(),
        "cell_types": {name: cell_shares[:, :, kind].tolist() for name, kind in met.items()},
        "typing": _typing(tally),
        "violations": {
            "total": tally["violations"],
            "maps": tally["bad_maps"],
            "rate_interval": wilson(tally["bad_maps"], count),
            "first_bad_seed": tally["first_bad_seed"] if tally["bad_maps"] else None,
            "by_rule": {rule.id: times for rule in family.rules if (times := tally["by_rule"][rule.code])},
        },
        "routes": {
            "mean": tally["routes_sum"] / count,
            "log2": _histogram(tally["routes_log2"]),
            "disjoint": _histogram(tally["disjoint"]),
            "forced_nodes": _histogram(tally["forced_nodes"]),
            "nodes": tally["nodes"] / count,
            "edges": tally["edges"] / count,
            "types": {name: _on_routes(tally, kind) for name, kind in met.items()},
            # of play: of the quickest, the mean and the longest route of a map, over all maps (M29)
            "minutes": _thousandths(tally, "quickest", "minutes", "longest") if rules.seconds_by_type() else None,
        },
        "expressive_range": {
            **_thousandths(tally, "linearity", "danger"),
            "linearity_bins": [index / RANGE_BINS for index in range(RANGE_BINS + 1)],
            "danger_bins": [index * DANGER_BIN / 1000 for index in range(RANGE_BINS + 1)],
            "maps": tally["range"],
        },
        "unknown": _unknown(tally),
        **({"stakes": stakes} if (stakes := count_stakes(rules, count + tally["failed"], first_seed)) else {}),
    }
    return sealed(facts)


def _type_facts(tally: Facts, kind: int) -> Facts:
    total, with_it, count = tally["kinds"][kind], tally["kind_maps"][kind], tally["maps"]
    mean, interval = mean_interval(total, tally["kinds_squared"][kind], count)
    return {
        "total": total,
        "mean": mean,
        "interval": interval,
        "share": total / tally["nodes"] if tally["nodes"] else 0.0,
        "maps_with": with_it / count,
        "maps_with_interval": wilson(with_it, count),
    }


def _rolled(tally: Facts, kinds: dict[str, int]) -> dict[str, Facts]:
    """Types of rolled nodes against what the odds and bans of each roll implied."""
    total = sum(tally["rolled"])
    found = {}
    for name, kind in kinds.items():
        rolled, implied = tally["rolled"][kind], tally["implied"][kind]
        if total and (rolled or implied):
            found[name] = {
                "observed": rolled / total,
                "interval": wilson(rolled, total),
                "implied": implied / 1e6 / tally["rolled_nodes"],
            }
    return found


def _typing(tally: Facts) -> Facts:
    count, rolled, rerolled = tally["maps"], tally["rolled_nodes"], tally["rerolled_nodes"]
    return {
        "rolled_nodes": rolled / count,
        "rerolls": tally["rerolls"] / count,
        "reroll_rate": rerolled / rolled if rolled else 0.0,
        "reroll_rate_interval": wilson(rerolled, rolled),
        "searches": tally["searches"],
        "waivers": tally["waivers"],
        "waiver_rate": tally["waived_maps"] / count,  # maps with a waiver
        "waiver_rate_interval": wilson(tally["waived_maps"], count),
        "forced_per_map": tally["forced"] / count,
        "failed_seeds": tally["failed"],
    }


def _thousandths(tally: Facts, *names: str) -> Facts:
    """Means that kernels keep in thousandths, with their intervals."""
    found: Facts = {}
    for name in names:
        mean, bounds = mean_interval(tally[f"{name}_sum"], tally[f"{name}_squares"], tally["maps"])
        found |= {f"{name}_mean": mean / 1000, f"{name}_interval": bounds and [bound / 1000 for bound in bounds]}
    return found


def _histogram(counts: list[int]) -> dict[str, int]:
    return {str(index): count for index, count in enumerate(counts) if count}


def _on_routes(tally: Facts, kind: int) -> Facts:
    """The fewest and the most of a type that a route can meet, and its first row, over all maps."""
    found: Facts = {}
    for name in ("least", "most"):
        counts = tally[name][kind]
        found[name] = _histogram(counts)
        found[f"{name}_mean"] = sum(index * count for index, count in enumerate(counts)) / (sum(counts) or 1)
    return {**found, "first_row": _histogram(tally["first_row"][kind])}


def _unknown(tally: Facts) -> list[Facts]:
    """Outcomes and pity at the first, second, … Unknown of a random route."""
    visits = zip(tally["visits"], tally["outcomes"], tally["pity"], strict=True)
    return [
        {
            "visit": visit if visit < VISITS else f"{VISITS}+",
            "times": times,
            "outcomes": {name: came / times for name, came in zip(OUTCOMES, outcomes, strict=True)},
            "pity": [waited / times for waited in pity],
        }
        for visit, (times, outcomes, pity) in enumerate(visits, 1)
        if times
    ]


def compare(one: Facts, two: Facts) -> list[Facts]:
    """Every headline number of two audits side by side; `differs` when the 95 % intervals do not overlap."""
    for facts, where in ((one, "the first audit"), (two, "the second audit")):
        refuse_damaged(facts, Audit, AN_AUDIT, where)
    if one["family"] != two["family"]:
        raise CartomancerError(f"cannot compare a {one['family']} audit with a {two['family']} audit")
    before, after = ({name: told for name, *told in _headlines(facts)} for facts in (one, two))
    found = [_compared(name, *before[name], *after[name]) for name in before if name in after]
    return found + [
        _compared(name, a["share"], a["interval"], b["share"], b["interval"]) for name, (a, b) in stake_shares(one, two)
    ]


def _compared(name: str, a: float, a_range: Any, b: float, b_range: Any) -> Facts:
    apart = bool(a_range and b_range) and (a_range[1] < b_range[0] or b_range[1] < a_range[0])
    sides = {"one": a, "one_interval": a_range, "two": b, "two_interval": b_range}
    return {"metric": name, **sides, "difference": b - a, "differs": apart}


def sides(one: Facts, two: Facts) -> tuple[str, str]:
    """What two audits are called side by side: by preset, and where that is the same by what else differs."""
    names = [[f"{facts.get('family')}:{facts.get('preset')}"] for facts in (one, two)]
    for what in ("ruleset", "first_seed", "maps"):
        if names[0] == names[1]:
            for name, facts in zip(names, (one, two), strict=True):
                name.append(f"{what.replace('_', ' ')} {facts.get(what)}")
    if names[0] == names[1]:
        names[0].append("once")
        names[1].append("again")
    return ", ".join(names[0]), ", ".join(names[1])


def _headlines(facts: Facts) -> Iterator[tuple[str, float, Any]]:
    """The numbers of an audit that are compared, each with its interval, if it has one."""
    kinds, on_routes, maps = families.of(facts["family"]).kinds, facts["routes"]["types"], facts["maps"]
    for kind in kinds:
        entry = facts["types"][kind]
        yield f"{kind} per map", entry["mean"], entry["interval"]
        # as wide, for its size, as that of the mean: the number of nodes hardly varies beside it
        bounds = entry["interval"] and [entry["share"] * bound / (entry["mean"] or 1) for bound in entry["interval"]]
        yield f"share of {kind}", entry["share"], bounds
        yield f"maps with {kind}", entry["maps_with"], entry["maps_with_interval"]
        for name, words in (("least", "fewest"), ("most", "most")):
            yield f"{words} {kind} on a route", *_spread(on_routes[kind][name] if kind in on_routes else {"0": maps})
    for name, words in (("disjoint", "routes that share no node"), ("forced_nodes", "nodes on every route")):
        yield words, *_spread(facts["routes"][name])
    yield "routes per map, in doublings", *_spread(facts["routes"]["log2"])
    if minutes := facts["routes"].get("minutes"):  # which older audits do not tell
        for name, words in (("quickest", "quickest route"), ("minutes", "mean route"), ("longest", "longest route")):
            yield f"minutes of the {words}", minutes[f"{name}_mean"], minutes[f"{name}_interval"]
    if "unknown" in kinds:
        times = sum(visit["times"] for visit in facts["unknown"])
        for outcome in OUTCOMES:
            came = sum(visit["times"] * visit["outcomes"][outcome] for visit in facts["unknown"])
            yield f"share of Unknowns that become {outcome}", came / (times or 1), wilson(came, times)
    spread, typing = facts["expressive_range"], facts["typing"]
    yield "linearity", spread["linearity_mean"], spread["linearity_interval"]
    yield "danger a row", spread["danger_mean"], spread["danger_interval"]
    yield "reroll rate", typing["reroll_rate"], typing["reroll_rate_interval"]
    yield "waiver rate", typing["waiver_rate"], typing["waiver_rate_interval"]


def _spread(counts: dict[str, int]) -> tuple[float, list[float] | None]:
    """The mean of a histogram with its interval."""
    total, squares = (sum(int(at) ** power * times for at, times in counts.items()) for power in (1, 2))
    return mean_interval(total, squares, sum(counts.values()) or 1)
