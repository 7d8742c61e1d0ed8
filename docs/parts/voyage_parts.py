"""Generated parts of the voyage page."""

from __future__ import annotations

from typing import Final

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.content.models.voyage import UnknownRules, VoyageRules
from cartomancer.maps.forecasting import forecast
from cartomancer.maps.unknowns import OUTCOMES
from parts.markdown import code, console, table, weights

ANCHOR_ROWS: Final = (3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40)


def anchors() -> str:
    """Where the fixed rows lie for several numbers of rows."""
    rows = []
    for count in ANCHOR_ROWS:
        rules = load_preset("voyage", "guide", {"rows": count})
        assert isinstance(rules, VoyageRules)
        ban = count - 2
        rows.append(
            (
                count,
                1,
                rules.elite_unlock_row,
                rules.treasure_row or "none",
                ban if rules.fixed_type(ban) is None else f"{ban} (a fixed row anyway)",
                count - 1,
                count,
            )
        )
    return table(("R", "Monsters", "Elites from", "Treasures", "no Port", "Ports", "Boss"), rows)


def bands() -> str:
    """The odds of every voyage preset, band by band, with the free rows each band rules."""
    rows = []
    for name in preset_ids("voyage"):
        rules = load_preset("voyage", name)
        assert isinstance(rules, VoyageRules)
        for band in rules.bands:
            free = [
                row
                for row in range(1, rules.rows + 1)
                if rules.fixed_type(row) is None and rules.band_of(row).name == band.name
            ]
            span = f"{free[0]}–{free[-1]}" if free else "none"
            rows.append((code(name), band.name, span, weights(band.odds.model_dump())))
    return table(("preset", "band", "free rows", "weights"), rows)


def unknown_forecast() -> str:
    """What the default Unknown rules give on the first visits."""
    rows = []
    for visit, step in enumerate(forecast(UnknownRules(), visits=10), 1):
        cells = [f"{100 * step[name]:.2f} % ({100 * step[f'{name}_by_now']:.1f} %)" for name in OUTCOMES]
        rows.append((visit, *cells))
    return table(("visit", *OUTCOMES), rows)


def example_rerolls() -> str:
    """The first map with a node whose type took at least three re-rolls, explained."""
    for seed in range(1000):
        drawn = maps.generate("voyage", "guide", seed)
        for node in drawn.nodes:
            if node.locked or node.row > 4:  # explaining draws the map again: look where re-rolls are common
                continue
            told = maps.explain(drawn, node.id)
            allowed = {choice.type: choice.weight for choice in told.choices if not choice.banned_by}
            if told.rerolls < 3 or told.narrowed_to or len(allowed) < 2:
                continue
            banned = [f"{choice.type} ({choice.banned_by})" for choice in told.choices if choice.banned_by]
            total = sum(allowed.values())
            share = 100 * allowed[node.type] / total
            return (
                f"Seed {seed} shows the re-roll flow at work:\n\n"
                + console(f"map explain voyage:guide:{seed} --node {node.id}", told.sentences())
                + f"\n\nBanned were {', '.join(banned)}. Left were {weights(allowed)}, {total} together, so "
                f"{node.type} came with {allowed[node.type]}/{total} = {share:.1f} %."
            )
    raise AssertionError("no node took three re-rolls")
