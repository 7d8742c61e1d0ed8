"""How the telemetry of a map looks in a terminal: how it was drawn, then how its Unknowns resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cartomancer import maps
from cartomancer.cli import output
from cartomancer.figures import percent

COLUMNS: Final = ("visit", "node", "row", "outcome", "battle", "treasure", "shop", "before", "after", "note")


def print_telemetry(acts: Sequence[maps.MapTelemetry]) -> None:
    """The telemetry of each act."""
    for told in acts:
        output.say(f"telemetry of act {told.act}, {told.notation}", style="bold")
        starts = ", ".join(f"{name} {state}" for name, state in told.streams.items())
        output.say(f"seeds: map {told.seed}, Unknowns {told.unknown_seed}; streams begin at {starts}")
        output.say(f"nodes: {', '.join(f'{count} {kind}' for kind, count in told.counts.items())}")
        output.say(
            f"typing: {told.rolled_nodes} nodes rolled, {told.rerolls} of {told.rolls} rolls banned and rolled again "
            f"({percent(told.reroll_rate)}), {told.narrowed} narrowed, {told.searches} searched"
        )
        output.say(f"rules: {len(told.violations)} violation(s), {len(told.waivers)} waiver(s)")
        output.say(*(f"✗ {violation}" for violation in told.violations))
        if told.resolves:
            shown = output.table("Unknowns, with pity before and after", COLUMNS, left=(3, 9))
            for node, found in told.resolves:
                place = (str(found.visit), str(node.id), str(node.row))
                pity = ("/".join(map(str, counters)) for counters in (found.pity_before, found.pity_after))
                notes = [*(["forced"] if found.forced else []), *(f"no {candidate}" for candidate in found.banned)]
                shown.add_row(*place, found.outcome, *map(percent, found.chances), *pity, ", ".join(notes))
            output.show(shown)
