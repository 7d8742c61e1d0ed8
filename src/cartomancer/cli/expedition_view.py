"""Batches of whole runs on the screen."""

from __future__ import annotations

from time import perf_counter  # noqa: TID251  a clock for whoever waits; nothing that is played sees it
from typing import Any

from cartomancer import lab
from cartomancer.cli import output
from cartomancer.figures import percent

FIGHT_ENDS = ("overcome", "inert", "dominate", "survive", "bond", "fled", "panic", "break", "kill")


def simulate(preset: str, runs: int, seed: int, party: str, explorer: str, as_json: bool) -> None:
    """Play whole runs and print what came of them."""
    with output.progress_bar(preset, runs) as done:
        lab.simulate_runs(preset, 1, seed, party, explorer)  # loads the kernels: no part of the measured time
        started = perf_counter()
        found = lab.simulate_runs(preset, runs, seed, party, explorer, done)
        seconds = perf_counter() - started
    facts: dict[str, Any] = found.as_dict() | {"seconds": seconds, "runs_per_second": found.runs / seconds}
    if as_json:
        output.print_json(facts)
    else:
        _print(facts)
    if found.runs < runs:
        raise output.stopped(f"stopped after {found.runs:,} of {runs:,} runs: the numbers are of those")


def _print(facts: dict[str, Any]) -> None:
    output.say(f"{facts['preset']}: {facts['n']:,} runs of {facts['party']}, seed {facts['seed']}", style="bold")
    output.say(f"{facts['explorer']} explores; heuristic players fight")
    endings = output.table("endings", ("ending", "share", "95 % interval", "runs"), left=(0,))
    for name, found in facts["endings"].items():
        endings.add_row(name, percent(found["rate"]), output.percents(found["interval"]), f"{found['runs']:,}")
    fights = output.table("fights, in %", ("on", "fights", "won", *FIGHT_ENDS), left=(0,))
    for kind, ends in facts["fights"].items():
        total = sum(count for name, count in ends.items() if name != "won")
        shares = [f"{100 * ends[name] / total:.0f}" if ends.get(name) else "·" for name in FIGHT_ENDS]
        fights.add_row(kind, f"{total:,}", f"{100 * ends['won']:.0f}", *shares)
    chosen = output.table("nodes", ("kind", "entered", "could have been", "share"), left=(0,))
    for kind, one in facts["chosen"].items():
        share = "–" if one["share"] is None else percent(one["share"])
        chosen.add_row(kind, f"{one['entered']:,}", f"{one['offered']:,}", share)
    output.show(endings, fights, chosen)
    rows = facts["reached_row"]
    shown = [row for row in rows if int(row) % 3 == 0 or row == list(rows)[-1]]
    output.say("reached: " + ", ".join(f"row {row} {percent(rows[row])}" for row in shown))
    gold = f"{facts['gold_mean']:.1f} ({output.interval(facts['gold_interval'])})"
    output.say(
        f"gold at the end: {gold}; knocked out a run: {facts['fallen_mean']:.2f}",
        f"{facts['seconds']:.2f} s, {facts['runs_per_second']:,.1f} runs per second",
        f"result hash {facts['result_hash']}",
    )
    if facts["minutes_mean"]:
        output.say(f"minutes of play by the pacing table: {facts['minutes_mean']:.1f}")
