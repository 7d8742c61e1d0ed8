"""Commands about many maps: audit, compare, search, tour."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option

from cartomancer import backends, content, files, maps
from cartomancer.cli import arguments, output
from cartomancer.figures import percent
from cartomancer.seals import sealed, with_check

Facts = dict[str, Any]
DIFFERS = {False: "", True: "[bold red]≠[/bold red]"}


def audit(
    family: arguments.Family,
    preset: arguments.PresetName = None,
    count: Annotated[int, Option("--maps", "-n", min=1, help="How many maps to audit.")] = 10_000,
    start: arguments.FirstSeed = 0,
    rows: arguments.Rows = None,
    columns: arguments.Columns = None,
    paths: arguments.Paths = None,
    set_: arguments.Overrides = None,
    html: Annotated[Path | None, Option("--html", help="Write one offline HTML report here.")] = None,
    against: Annotated[
        Path | None, Option("--against", help="Compare with an earlier audit, saved with --json.")
    ] = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Audit many maps: types, heat by row, re-rolls, waivers, violations, routes, pity, with intervals.

    cartomancer map audit voyage --preset guide --maps 100000 --html report.html
    """
    overrides = arguments.overrides_from(set_, rows=rows, columns=columns, paths=paths)
    rules, name = arguments.rules_for(family, preset, overrides)
    earlier = maps.read_audit(against) if against else None
    with output.progress_bar(f"{family}:{name}", count) as done:
        facts = maps.audit(rules, name, count, start, done)
    compared = maps.compare(earlier, facts) if earlier is not None else []
    sides = maps.audit_sides(earlier, facts) if earlier is not None else ("", "")
    if html:
        _write_report(html, [(rules, facts)], compared, sides)
    if as_json:
        output.print_json(sealed({**facts, "comparison": compared}) if against else facts)
    else:
        _print_audit(facts)
        if compared:
            _print_comparison(compared, sides)
    if facts["maps"] + facts["typing"]["failed_seeds"] < count:
        output.note(f"stopped after {facts['maps']:,} of {count:,} maps: the numbers are of those")
    raise Exit(output.BAD if facts["violations"]["total"] else output.OK)


def compare(
    one: Annotated[Path, Argument(help="An audit saved with `map audit … --json > one.json`.")],
    two: Annotated[Path, Argument(help="Another one of the same family.")],
    as_json: arguments.AsJson = False,
) -> None:
    """Compare two saved audits: which numbers moved beyond their intervals."""
    first, second = maps.read_audit(one), maps.read_audit(two)
    found = maps.compare(first, second)
    output.answer(as_json, found, lambda: _print_comparison(found, maps.audit_sides(first, second)))


def search(
    family: arguments.Family,
    where: Annotated[str, Option("--where", "-w", help="The query: max_path(elite) >= 4 and first_row(shop) <= 4")],
    preset: arguments.PresetName = None,
    seeds: Annotated[int, Option("--seeds", min=1, help="How many seeds to look at.")] = 1_000_000,
    limit: Annotated[int, Option("--limit", min=1, help="Stop after this many hits.")] = 5,
    start: arguments.FirstSeed = 0,
    rows: arguments.Rows = None,
    columns: arguments.Columns = None,
    paths: arguments.Paths = None,
    set_: arguments.Overrides = None,
    checkpoint: Annotated[Path | None, Option(help="Keep progress here; the same command goes on from it.")] = None,
    backend: arguments.BackendName = None,
    cluster: arguments.ClusterAddress = None,
    workers: arguments.ClusterWorkers = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Find seeds whose maps fit a query. Exit code 1 if none does.

    cartomancer map search voyage --where "max_path(elite) >= 4 and first_row(shop) <= 4" --seeds 10000000 --limit 5
    """
    chosen = backends.backend_of(backend, address=cluster, workers=workers)
    overrides = arguments.overrides_from(set_, rows=rows, columns=columns, paths=paths)
    rules, name = arguments.rules_for(family, preset, overrides)
    with output.progress_bar("seeds", seeds) as done:
        result = maps.search(
            rules, name, where, seeds, limit, start, checkpoint, chosen, lambda state: done(state.looked_at)
        )
    state, of = result.state, f"{family}:{name}"
    if as_json:
        output.print_json({"family": family, "preset": name, **result.as_dict()})
    elif state.hits:
        digest = maps.ruleset_digest(rules)
        output.say(*(with_check(f"{of}:{seed}:{digest}") for seed in state.hits))
        output.note(f"{len(state.hits)} hit(s) among {state.looked_at:,} seeds")
    elif state.closest_seed is None:
        output.note(f"none of {state.looked_at:,} seeds fits, and none comes near")
    else:
        miss = f"{of}:{state.closest_seed}, off by {state.closest_distance / result.query.scale:g}"
        output.note(f"none of {state.looked_at:,} seeds fits; the closest miss is {miss}")
    if not (as_json or result.finished):
        onward = f"--checkpoint {checkpoint}" if checkpoint else f"--start {state.start + state.looked_at}"
        output.note(f"stopped; the same command with {onward} goes on")
    raise Exit(output.OK if state.hits else output.BAD)


def tour(
    count: Annotated[int, Option("--maps", "-n", min=1, help="How many maps of each family to audit.")] = 10_000,
    seed: Annotated[int, Option("--seed", "-s", min=0, help="The seed of the maps that are drawn.")] = 42,
    html: Annotated[Path, Option("--html", help="Where the report goes.")] = Path("build/atlas.html"),
) -> None:
    """Draw one map of each family, audit many of each, write one HTML report."""
    for family in maps.family_names():
        drawn = maps.generate(family, seed=seed)
        sys.stdout.write(maps.to_text(drawn, colour=sys.stdout.isatty()) + "\n")
    audits = []
    for family in maps.family_names():
        rules = content.load_preset(family)
        with output.progress_bar(f"auditing {family}:{rules.id}", count) as done:
            audits.append((rules, maps.audit(rules, rules.id, count, progress=done)))
    columns = ("map", "maps", "broken", "waived", "nodes", "routes", "rerolled", "forced")
    summary = output.named_table("audits", columns)
    for _, facts in audits:
        typing, routes = facts["typing"], facts["routes"]
        name = f"{facts['family']}:{facts['preset']}".replace("[", "\\[")
        counts = f"{facts['maps']:,}", str(facts["violations"]["total"]), str(typing["waivers"])
        size = f"{routes['nodes']:.1f}", f"{routes['mean']:,.1f}"
        summary.add_row(name, *counts, *size, percent(typing["reroll_rate"]), f"{typing['forced_per_map']:.2f}")
    output.show(summary)
    _write_report(html, audits)
    raise Exit(output.BAD if any(facts["violations"]["total"] for _, facts in audits) else output.OK)


# --- files ------------------------------------------------------------------------------------------------------------


def _write_report(
    path: Path,
    audits: list[tuple[content.Preset, Facts]],
    comparison: Sequence[Facts] = (),
    sides: Sequence[str] = ("", ""),
) -> None:
    pictures = {}
    for rules, facts in audits:
        drawn = maps.generate_from(rules, facts["preset"], facts["first_seed"])
        pictures[f"{facts['family']}:{facts['preset']}"] = maps.to_svg(drawn)
    page = maps.audit_html([facts for _, facts in audits], pictures, comparison, sides)
    files.write_file(path, page.encode("utf-8", "backslashreplace"), parents=True)
    output.note(f"report written to {path}")


# --- the terminal -----------------------------------------------------------------------------------------------------


def _print_audit(facts: Facts) -> None:
    """One audit: verdict, types, heat by row, rolls against odds, routes, pity."""
    output.say(f"{facts['maps']:,} maps of {facts['family']}:{facts['preset']}", style="bold")
    output.say(*(f"note: {note}" for note in facts["notes"]), _verdict(facts))
    types = []
    for name, one in facts["types"].items():
        bounds = output.interval(one["interval"], 3)
        types.append((name, f"{one['mean']:.3f}", bounds, percent(one["share"]), percent(one["maps_with"])))
    output.show(output.table("types", ("type", "per map", "95 % interval", "share of nodes", "maps with it"), types))
    if facts["rolled"]:
        title = "rolled nodes: what came against what odds and bans imply"
        rolled = (
            (name, percent(one["observed"], 2), output.percents(one["interval"], 2), percent(one["implied"], 2))
            for name, one in facts["rolled"].items()
        )
        output.show(output.table(title, ("type", "came", "95 % interval", "implied"), rolled))
    names = [name for name, entry in facts["types"].items() if entry["total"]]
    by_row = (
        (str(row["row"]), f"{row['nodes']:.2f}", *(_heat(row["types"].get(name, 0.0)) for name in names))
        for row in reversed(facts["rows"])
    )
    output.show(output.table("share of each type by row", ("row", "nodes", *names), by_row))
    routes, expressed = facts["routes"], facts["expressive_range"]
    output.say(
        f"routes per map: {routes['mean']:,.1f}; nodes {routes['nodes']:.1f}, edges {routes['edges']:.1f}; "
        f"linearity {expressed['linearity_mean']:.2f}, danger a row {expressed['danger_mean']:.2f}"
    )
    if minutes := routes["minutes"]:
        quickest, mean, longest = (minutes[f"{name}_mean"] for name in ("quickest", "minutes", "longest"))
        output.say(f"minutes of play: {quickest:.1f} to {longest:.1f}, {mean:.1f} over all routes (means over maps)")
    spread = []
    for name, one in routes["types"].items():
        first = max(one["first_row"], key=one["first_row"].get, default="–")
        spread.append((name, f"{one['least_mean']:.2f}", f"{one['most_mean']:.2f}", first))
    output.show(output.table("on a route", ("type", "fewest, mean", "most, mean", "first row, most often"), spread))
    if facts["unknown"]:
        columns = ("visit", "times", "battle", "treasure", "shop", "event", "mean pity before")
        unknowns = output.table("Unknowns on a random route", columns)
        for entry in facts["unknown"]:
            pity = " / ".join(f"{value:.2f}" for value in entry["pity"])
            unknowns.add_row(
                str(entry["visit"]), f"{entry['times']:,}", *map(percent, entry["outcomes"].values()), pity
            )
        output.show(unknowns)
    if "stakes" in facts:
        output.show(_stakes(facts["stakes"]))


def _verdict(facts: Facts) -> str:
    typing, broken = facts["typing"], facts["violations"]
    said = f"violations: {broken['total']}"
    if broken["total"]:
        said += f" on {broken['maps']} maps, first seed {broken['first_bad_seed']}: {broken['by_rule']}"
    said += f"; waivers: {typing['waivers']}; searches: {typing['searches']}"
    if typing["rerolls"]:
        bounds = output.percents(typing["reroll_rate_interval"], 2)
        said += f"; re-rolled nodes: {percent(typing['reroll_rate'])} ({bounds})"
    if typing["forced_per_map"]:
        said += f"; forced nodes per map: {typing['forced_per_map']:.2f}"
    if typing["failed_seeds"]:
        said += f"; seeds without a map: {typing['failed_seeds']}"
    return said


def _heat(share: float) -> str:
    if not share:
        return "[dim]·[/dim]"
    style = "bold" if share >= 0.5 else "none" if share >= 0.1 else "dim"
    return f"[{style}]{100 * share:.1f}[/{style}]"


def _stakes(found: Facts) -> Any:
    """A row for every kind of stake: the nodes that roll it, and the share of them on which each outcome came."""
    rows = (
        (kind, f"{one['nodes']:,}", ", ".join(f"{came['title']} {percent(came['share'])}" for came in one["outcomes"]))
        for kind, one in found["kinds"].items()
    )
    title = f"stakes on the first {found['maps']:,} maps: share of the nodes that roll them"
    return output.table(title, ("stake", "nodes", "what came"), rows, left=(0, 2))


def _print_comparison(rows: list[Facts], sides: Sequence[str]) -> None:
    """Two audits side by side, under their names."""
    cells = (
        (row["metric"], f"{row['one']:.4f}", f"{row['two']:.4f}", f"{row['difference']:+.4f}", DIFFERS[row["differs"]])
        for row in rows
        if row["one"] or row["two"]
    )
    title = "compared (≠: the 95 % intervals do not overlap)"
    names = (side.replace("[", "\\[") for side in sides)
    output.show(output.table(title, ("metric", *names, "difference", ""), cells))
