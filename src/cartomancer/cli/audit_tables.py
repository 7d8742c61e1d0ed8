"""Audits in the terminal."""

from __future__ import annotations

from typing import Any

from cartomancer.cli.output import interval, stdout, table
from cartomancer.figures import percent

Facts = dict[str, Any]


def print_audit(facts: Facts) -> None:
    """One audit: verdict, types, heat by row, rolls against odds, routes, pity."""
    console = stdout()
    console.print(f"[bold]{facts['maps']:,} maps of {facts['family']}:{_safe(facts['preset'])}[/bold]")
    for note in facts["notes"]:
        console.print(f"note: {note}", markup=False)
    console.print(_verdict(facts), markup=False)
    types = table("types", "type", "per map", "95 % interval", "share of nodes", "maps with it")
    for name, entry in facts["types"].items():
        cells = (f"{entry['mean']:.3f}", interval(entry["interval"], 3), percent(entry["share"]))
        types.add_row(name, *cells, percent(entry["maps_with"]))
    console.print(types)
    if facts["rolled"]:
        rolled = table(
            "rolled nodes: what came against what odds and bans imply", "type", "came", "95 % interval", "implied"
        )
        for name, entry in facts["rolled"].items():
            bounds = f"{100 * entry['interval'][0]:.2f} … {100 * entry['interval'][1]:.2f}"
            rolled.add_row(name, percent(entry["observed"], 2), bounds, percent(entry["implied"], 2))
        console.print(rolled)
    _print_rows(facts)
    _print_routes(facts)
    if facts["unknown"]:
        _print_unknown(facts)


def _safe(text: str) -> str:
    return text.replace("[", "\\[")


def _verdict(facts: Facts) -> str:
    typing, broken = facts["typing"], facts["violations"]
    said = f"violations: {broken['total']}"
    if broken["total"]:
        said += f" on {broken['maps']} maps, first seed {broken['first_bad_seed']}: {broken['by_rule']}"
    said += f"; waivers: {typing['waivers']}; searches: {typing['searches']}"
    if typing["rerolls"]:
        low, high = typing["reroll_rate_interval"]
        said += f"; re-rolled nodes: {percent(typing['reroll_rate'])} ({100 * low:.2f} … {100 * high:.2f})"
    if typing["forced_per_map"]:
        said += f"; forced nodes per map: {typing['forced_per_map']:.2f}"
    if typing["failed_seeds"]:
        said += f"; seeds without a map: {typing['failed_seeds']}"
    return said


def _print_rows(facts: Facts) -> None:
    names = [name for name, entry in facts["types"].items() if entry["total"]]
    heat = table("share of each type by row", "row", "nodes", *names)
    for row in reversed(facts["rows"]):
        shares = [_heat(row["types"].get(name, 0.0)) for name in names]
        heat.add_row(str(row["row"]), f"{row['nodes']:.2f}", *shares)
    stdout().print(heat)


def _heat(share: float) -> str:
    if not share:
        return "[dim]·[/dim]"
    style = "bold" if share >= 0.5 else "none" if share >= 0.1 else "dim"
    return f"[{style}]{100 * share:.1f}[/{style}]"


def _print_routes(facts: Facts) -> None:
    routes = facts["routes"]
    stdout().print(
        f"routes per map: {routes['mean']:,.1f}; nodes {routes['nodes']:.1f}, edges {routes['edges']:.1f}; "
        f"linearity {facts['expressive_range']['linearity_mean']:.2f}, "
        f"danger a row {facts['expressive_range']['danger_mean']:.2f}",
        markup=False,
    )
    spread = table("on a route", "type", "fewest, mean", "most, mean", "first row, most often")
    for name, entry in routes["types"].items():
        first = max(entry["first_row"].items(), key=lambda item: item[1])[0] if entry["first_row"] else "–"
        spread.add_row(name, f"{entry['least_mean']:.2f}", f"{entry['most_mean']:.2f}", first)
    stdout().print(spread)


def _print_unknown(facts: Facts) -> None:
    shown = table(
        "Unknowns on a random route", "visit", "times", "battle", "treasure", "shop", "event", "mean pity before"
    )
    for entry in facts["unknown"]:
        shares = [percent(value) for value in entry["outcomes"].values()]
        pity = " / ".join(f"{value:.2f}" for value in entry["pity"])
        shown.add_row(str(entry["visit"]), f"{entry['times']:,}", *shares, pity)
    stdout().print(shown)


def print_summary(audits: list[Facts]) -> None:
    """One line an audit."""
    summary = table("audits", "map", "maps", "broken", "waived", "nodes", "routes", "rerolled", "forced")
    summary.columns[0].no_wrap = True
    for facts in audits:
        typing = facts["typing"]
        summary.add_row(
            f"{facts['family']}:{_safe(facts['preset'])}",
            f"{facts['maps']:,}",
            str(facts["violations"]["total"]),
            str(typing["waivers"]),
            f"{facts['routes']['nodes']:.1f}",
            f"{facts['routes']['mean']:,.1f}",
            percent(typing["reroll_rate"]),
            f"{typing['forced_per_map']:.2f}",
        )
    stdout().print(summary)


def print_comparison(rows: list[Facts]) -> None:
    """Two audits side by side."""
    shown = table("compared (≠: the 95 % intervals do not overlap)", "metric", "one", "two", "difference", "")
    for row in rows:
        if row["one"] or row["two"]:
            mark = "[bold red]≠[/bold red]" if row["differs"] else ""
            shown.add_row(row["metric"], f"{row['one']:.4f}", f"{row['two']:.4f}", f"{row['difference']:+.4f}", mark)
    stdout().print(shown)
