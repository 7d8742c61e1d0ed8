"""What a tuning found, in words, in Markdown and in plain numbers."""

from __future__ import annotations

from typing import Any

from cartomancer.lab.tuning.targets import Estimate, Target
from cartomancer.lab.tuning.trials import LONGER
from cartomancer.lab.tuning.tuner import Stage, Tuning


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


def misses(found: Tuning) -> list[str]:
    """Which targets stay off, and by how much."""
    said = []
    for reading in found.readings:
        off = reading.target.shortfall(reading.after.value)
        if off is None:
            said.append(f"{reading.target.name}: never happened, so it has no value")
        elif off:
            side = "below" if off < 0 else "above"
            amount = f"{abs(off):.2f} points" if reading.target.percent else f"{abs(off):.3f}"
            said.append(f"{reading.target.name}: {amount} {side} its band")
    return said


def changes(found: Tuning) -> list[str]:
    """Every change in words."""
    return [lever.change(step) for lever, step in found.changes]


def tried(stage: Stage) -> str:
    """What a stage tried, in words."""
    if not stage.levers:
        return "no levers here"
    parts = [
        f"{stage.levers} levers",
        f"{stage.singles} single changes",
        f"{stage.sets} sets",
        f"{stage.cma} by CMA-ES",
    ]
    parts += [f"{stage.refused} refused as content"] if stage.refused else []
    parts += [f"{stage.verified} verified"] if stage.verified else []
    return ", ".join(parts)


def shown_value(target: Target, estimate: Estimate) -> str:
    """A value with its interval."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    digits, unit = (1, " %") if target.percent else (2, "")
    return f"{estimate.value:.{digits}f}{unit} ({estimate.low:.{digits}f} … {estimate.high:.{digits}f})"


def as_dict(found: Tuning) -> dict[str, Any]:
    """Everything in plain numbers."""
    return {
        "scenario": found.scenario,
        "reached": found.reached,
        "stopped": found.stopped,
        "verdict": verdict(found),
        "targets": [reading.as_dict() for reading in found.readings],
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
        "stages": [stage.as_dict() for stage in found.stages],
        "evaluations": found.evaluations,
        "seed": found.seed,
        "runs": found.runs,
        "players": {"dungeon": str(found.after.minds.dungeon), "visitor": str(found.after.minds.visitor)},
        "held_out": {
            "seed": found.held_out_seed,
            "runs": found.held_out_runs,
            **{
                when: {"content_digest": batch.packed.digest, "result_hash": batch.result_hash}
                for when, batch in (("before", found.before), ("after", found.after))
            },
        },
    }


def markdown(found: Tuning) -> str:
    """The report that lies beside a patch."""
    lines = [f"# Tuning {found.scenario}", "", f"{verdict(found)[0].upper()}{verdict(found)[1:]}.", ""]
    lines += ["## Changes", "", *(f"- {change}" for change in changes(found) or ["none"]), ""]
    lines += ["## Targets", "", "| target | band | before | after | holds |", "| --- | --- | --- | --- | --- |"]
    for reading in found.readings:
        target = reading.target
        before, after = (shown_value(target, one) for one in (reading.before, reading.after))
        lines.append(f"| {target.name} | {target.band()} | {before} | {after} | {'yes' if reading.holds else 'no'} |")
    lines += ["", *(f"- {miss}" for miss in misses(found))]
    lines += [
        "",
        f"Measured on {found.held_out_runs:,} runs of seed {found.held_out_seed}, which the search has not seen; in "
        "brackets 95 % intervals. Before and after play the same seeds.",
        "",
        "## What was tried",
        "",
        *(f"- {stage.group}: {tried(stage)}" for stage in found.stages),
        "",
        f"{found.evaluations} evaluations of {found.runs:,} runs on seed {found.seed}; promising ones played "
        f"{LONGER} times as many.",
        "",
        "| | content | result hash |",
        "| --- | --- | --- |",
        f"| before | {found.before.packed.digest} | {found.before.result_hash} |",
        f"| after | {found.after.packed.digest} | {found.after.result_hash} |",
        "",
    ]
    return "\n".join(lines)
