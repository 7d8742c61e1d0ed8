"""What a tuning found: in words, in Markdown, as a page and in plain numbers.

Where several scenarios were tuned every target says whose it is.
"""

from __future__ import annotations

from typing import Any

from cartomancer.lab.measures.bands import Target
from cartomancer.lab.measures.estimates import Estimate
from cartomancer.lab.results import plain
from cartomancer.lab.tuner.evaluator import LONGER
from cartomancer.lab.tuner.result import Reading, Stage, Tuning
from cartomancer.pages import render


def verdict(found: Tuning) -> str:
    """The result in one sentence."""
    count = len(found.changes)
    changes = "one change" if count == 1 else f"{count} changes"
    if found.reached:
        return f"reached with {changes}" if count else "nothing to change: all targets hold"
    best = f"the best found has {changes}" if count else "the best found is what there is"
    if found.stopped:
        return f"stopped after {found.evaluations} evaluations, not reached: {best}"
    levers = ", ".join(found.groups)
    return f"not reachable with these levers ({levers}), as far as {found.evaluations} evaluations show: {best}"


def _several(found: Tuning) -> bool:
    return len(found.scenarios) > 1


def title(found: Tuning) -> str:
    """What was tuned."""
    return ", ".join(found.scenarios)


def _name(found: Tuning, reading: Reading) -> str:
    """A target's name as it was asked for: kill, or boar:kill among several scenarios."""
    return f"{reading.scenario}:{reading.target.name}" if _several(found) else reading.target.name


def rows(found: Tuning) -> list[tuple[str, ...]]:
    """Every target: its name, its band, before, after, whether it holds."""
    return [
        (
            _name(found, one),
            one.target.band(),
            *(_shown(one.target, estimate) for estimate in (one.before, one.after)),
            "yes" if one.holds else "no",
        )
        for one in found.readings
    ]


def _shown(target: Target, estimate: Estimate) -> str:
    """A value with its interval."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    digits, unit = (1, " %") if target.percent else (2, "")
    return f"{estimate.value:.{digits}f}{unit} ({estimate.low:.{digits}f} … {estimate.high:.{digits}f})"


def played(found: Tuning) -> str:
    """What the search played."""
    batches = f" ({found.batches} batches; what a change does not touch is not replayed)" if _several(found) else ""
    return f"{found.evaluations} evaluations{batches} of {found.runs:,} runs on seed {found.seed}"


def hashes(found: Tuning) -> str:
    """What identifies the verified batches."""
    if not _several(found):
        return f"result hash {found.after[found.scenarios[0]].result_hash}"
    return "result hashes " + ", ".join(f"{name} {batch.result_hash}" for name, batch in found.after.items())


def misses(found: Tuning) -> list[str]:
    """Which targets stay off, and by how much."""
    said = []
    for reading in found.readings:
        off = reading.target.shortfall(reading.after.value)
        if off is None:
            said.append(f"{_name(found, reading)}: never happened, so it has no value")
        elif off:
            side = "below" if off < 0 else "above"
            amount = f"{abs(off):.2f} points" if reading.target.percent else f"{abs(off):.3f}"
            said.append(f"{_name(found, reading)}: {amount} {side} its band")
    return said


def changes(found: Tuning) -> list[str]:
    """Every change in words."""
    return [lever.change(step) for lever, step in found.changes]


def tried(stage: Stage) -> str:
    """What a stage tried, in words."""
    if not stage.levers:
        return "no levers here"
    refused = f", {stage.refused} refused as content" if stage.refused else ""
    verified = f", {stage.verified} verified" if stage.verified else ""
    tries = f"{stage.singles} single changes, {stage.sets} sets, {stage.descent} by descent"
    return f"{stage.levers} levers, {tries}{refused}{verified}"


def as_dict(found: Tuning) -> dict[str, Any]:
    """Everything in plain numbers."""
    many = _several(found)
    batches = {name: _batches(found, name) for name in found.scenarios}
    first = found.after[found.scenarios[0]]
    return {
        **({"scenarios": list(found.scenarios)} if many else {"scenario": found.scenarios[0]}),
        "reached": found.reached,
        "stopped": found.stopped,
        "verdict": verdict(found),
        "targets": [({"scenario": one.scenario} if many else {}) | one.as_dict() for one in found.readings],
        "changes": [
            {
                "lever": lever.id,
                "group": lever.group,
                "entry": f"{lever.kind}:{lever.entry}",
                "field": ".".join(str(part) for part in lever.path),
                "steps": step,
                "before": lever.value(0),
                "after": lever.value(step),
                "words": lever.change(step),
            }
            for lever, step in found.changes
        ],
        "groups": list(found.groups),
        "stages": plain(found.stages),
        "evaluations": found.evaluations,
        **({"batches": found.batches} if many else {}),
        "seed": found.seed,
        "runs": found.runs,
        "players": {"dungeon": str(first.policies.dungeon), "visitor": str(first.policies.visitor)},
        "held_out": {
            "seed": found.held_out_seed,
            "runs": found.held_out_runs,
            **({"scenarios": batches} if many else batches[found.scenarios[0]]),
        },
    }


def _batches(found: Tuning, scenario: str) -> dict[str, Any]:
    pair = (("before", found.before[scenario]), ("after", found.after[scenario]))
    return {when: {"content_digest": one.packed.digest, "result_hash": one.result_hash} for when, one in pair}


def markdown(found: Tuning) -> str:
    """The report that lies beside a patch."""
    return render(__name__, "tuning.md", **_model(found))


def page(found: Tuning) -> str:
    """The same as an HTML page."""
    return render(__name__, "tuning.html", **_model(found))


def _model(found: Tuning) -> dict[str, Any]:
    """What a report says, part by part."""
    return {
        "title": title(found),
        "reached": found.reached,
        "verdict": f"{verdict(found)[0].upper()}{verdict(found)[1:]}",
        "changes": changes(found),
        "targets": rows(found),
        "misses": misses(found),
        "measured": f"Measured on {found.held_out_runs:,} runs of seed {found.held_out_seed}, which the search has not "
        "seen; in brackets 95 % intervals. Before and after play the same seeds.",
        "tried": [(stage.group, tried(stage)) for stage in found.stages],
        "played": f"{played(found)}; promising ones played {LONGER} times as many.",
        "batches": [
            (f"{name}, {when}" if _several(found) else when, *facts.values())
            for name in found.scenarios
            for when, facts in _batches(found, name).items()
        ],
    }
