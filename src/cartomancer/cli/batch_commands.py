"""Commands about many maps: audit, compare, search, tour."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cartomancer.cli import arguments, output
from cartomancer.cli.backend_options import BackendName, ClusterAddress, ClusterWorkers
from cartomancer.errors import CartomancerError

if TYPE_CHECKING:
    from cartomancer.content.models.base import Preset

HtmlOption = Annotated[Path | None, typer.Option("--html", help="Write one offline HTML report here.")]


def audit(
    family: arguments.Family,
    preset: arguments.PresetName = None,
    maps: Annotated[int, typer.Option("--maps", "-n", min=1, help="How many maps to audit.")] = 10_000,
    start: Annotated[int, typer.Option("--start", min=0, max=2**64 - 1, help="The first seed.")] = 0,
    rows: arguments.Rows = None,
    columns: arguments.Columns = None,
    paths: arguments.Paths = None,
    set_: arguments.Overrides = None,
    html: HtmlOption = None,
    against: Annotated[
        Path | None, typer.Option("--against", help="Compare with an earlier audit, saved with --json.")
    ] = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Audit many maps: types, heat by row, re-rolls, waivers, violations, routes, pity, with intervals.

    cartomancer map audit voyage --preset guide --maps 100000 --html report.html
    """
    from cartomancer import maps as m
    from cartomancer.cli.audit_tables import print_audit, print_comparison

    rules, name = arguments.rules_for(
        family, preset, arguments.overrides_from(set_, rows=rows, columns=columns, paths=paths)
    )
    earlier = _read_audit(against) if against else None
    with output.progress_bar(f"{family}:{name}", maps) as done:
        facts = m.audit(rules, name, maps, start, done)
    rows_compared = m.compare(earlier, facts) if earlier is not None else []
    if html:
        _write_report(html, [(rules, facts)], rows_compared)
    if as_json:
        output.print_json({**facts, "comparison": rows_compared} if against else facts)
    else:
        print_audit(facts)
        if rows_compared:
            print_comparison(rows_compared)
    if facts["maps"] + facts["typing"]["failed_seeds"] < maps:
        output.stderr().print(f"stopped after {facts['maps']:,} of {maps:,} maps: the numbers are of those")
    raise typer.Exit(output.BAD if facts["violations"]["total"] else output.OK)


def compare(
    one: Annotated[Path, typer.Argument(help="An audit saved with `map audit … --json > one.json`.")],
    two: Annotated[Path, typer.Argument(help="Another one of the same family.")],
    as_json: arguments.AsJson = False,
) -> None:
    """Compare two saved audits: which numbers moved beyond their intervals."""
    from cartomancer import maps as m
    from cartomancer.cli.audit_tables import print_comparison

    found = m.compare(_read_audit(one), _read_audit(two))
    if as_json:
        output.print_json(found)
    else:
        print_comparison(found)


def search(
    family: arguments.Family,
    where: Annotated[
        str, typer.Option("--where", "-w", help="The query: max_path(elite) >= 4 and first_row(shop) <= 4")
    ],
    preset: arguments.PresetName = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="How many seeds to look at.")] = 1_000_000,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Stop after this many hits.")] = 5,
    start: Annotated[int, typer.Option("--start", min=0, max=2**64 - 1, help="The first seed.")] = 0,
    rows: arguments.Rows = None,
    columns: arguments.Columns = None,
    paths: arguments.Paths = None,
    set_: arguments.Overrides = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="Keep progress here; the same command goes on from it.")
    ] = None,
    backend: BackendName = None,
    cluster: ClusterAddress = None,
    workers: ClusterWorkers = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Find seeds whose maps fit a query. Exit code 1 if none does.

    cartomancer map search voyage --where "max_path(elite) >= 4 and first_row(shop) <= 4" --seeds 10000000 --limit 5
    """
    from cartomancer import maps as m
    from cartomancer.backends.choice import backend_of
    from cartomancer.maps.generation import ruleset_digest

    chosen = backend_of(backend, address=cluster, workers=workers)
    rules, name = arguments.rules_for(
        family, preset, arguments.overrides_from(set_, rows=rows, columns=columns, paths=paths)
    )
    with output.progress_bar("seeds", seeds) as done:
        result = m.search(
            rules, name, where, seeds, limit, start, checkpoint, chosen, lambda state: done(state.looked_at)
        )
    if as_json:
        output.print_json({"family": family, "preset": name, **result.as_dict()})
    else:
        _print_search(result, family, name, ruleset_digest(rules), checkpoint)
    raise typer.Exit(output.OK if result.state.hits else output.BAD)


def _print_search(result: Any, family: str, name: str, digest: str, checkpoint: Path | None) -> None:
    console, state = output.stdout(), result.state
    for seed in state.hits:
        console.print(f"{family}:{name}:{seed}:{digest}", markup=False)
    if state.hits:
        output.stderr().print(f"{len(state.hits)} hit(s) among {state.looked_at:,} seeds")
    elif state.closest_seed is None:
        console.print(f"none of {state.looked_at:,} seeds fits, and none comes near", markup=False)
    else:
        distance = f"{state.closest_distance / result.query.scale:g}"
        console.print(
            f"none of {state.looked_at:,} seeds fits; the closest miss is {family}:{name}:{state.closest_seed}, "
            f"off by {distance}",
            markup=False,
        )
    if not result.finished:
        onward = f"--checkpoint {checkpoint}" if checkpoint else f"--start {state.start + state.looked_at}"
        output.stderr().print(f"stopped; the same command with {onward} goes on", markup=False)


def tour(
    maps: Annotated[int, typer.Option("--maps", "-n", min=1, help="How many maps of each family to audit.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", "-s", min=0, help="The seed of the maps that are drawn.")] = 42,
    html: Annotated[Path, typer.Option("--html", help="Where the report goes.")] = Path("build/atlas.html"),
) -> None:
    """Draw one map of each family, audit many of each, write one HTML report."""
    import sys

    from cartomancer import maps as m
    from cartomancer.cli.audit_tables import print_summary
    from cartomancer.content import load_preset
    from cartomancer.maps import families
    from cartomancer.maps.draw_text import draw_text

    audits = []
    for family in families.names():
        drawn = m.generate(family, seed=seed)
        sys.stdout.write(draw_text(drawn, colour=sys.stdout.isatty()) + "\n")
    for family in families.names():
        rules = load_preset(family)
        with output.progress_bar(f"auditing {family}:{rules.id}", maps) as done:
            audits.append((rules, m.audit(rules, rules.id, maps, progress=done)))
    print_summary([facts for _, facts in audits])
    _write_report(html, audits, [])
    raise typer.Exit(output.BAD if any(facts["violations"]["total"] for _, facts in audits) else output.OK)


def _read_audit(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CartomancerError(f"{path}: not a saved audit ({error})") from None
    if not isinstance(data, dict):
        raise CartomancerError(f"{path}: not a saved audit")
    return data


def _write_report(path: Path, audits: list[tuple[Preset, dict[str, Any]]], comparison: list[dict[str, Any]]) -> None:
    from cartomancer.maps.draw_svg import draw_svg
    from cartomancer.maps.generation import generate_from
    from cartomancer.maps.report import audit_html

    pictures = {}
    for rules, facts in audits:
        drawn = generate_from(rules, facts["preset"], facts["first_seed"])
        pictures[f"{facts['family']}:{facts['preset']}"] = draw_svg(drawn)
    page = audit_html([facts for _, facts in audits], pictures, comparison)
    output.write_file(path, page.encode("utf-8", "backslashreplace"))
    output.stderr().print(f"report written to {path}", markup=False)
