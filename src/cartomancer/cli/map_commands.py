"""Commands about one map: new, show, check, repair, explain, analyse, walk."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option, echo

from cartomancer import files, maps
from cartomancer.cli import arguments, output
from cartomancer.errors import Fault, MapFileError, NotationError
from cartomancer.figures import percent

# what a map can be written as
Format = StrEnum("Format", ["text", "json", "svg", "png", "dot", "mermaid", "graphml", "godot", "unity"])
SUFFIXES = {f".{name}": Format(name) for name in ("json", "svg", "png", "dot")}
SUFFIXES |= {".gv": Format.dot, ".mmd": Format.mermaid, ".graphml": Format.graphml, ".txt": Format.text}
FormatOption = Annotated[
    Format | None,
    Option("--format", "-f", help="Output format; without it, by the output file's suffix, else text."),
]
OutputOption = Annotated[Path | None, Option("--output", "-o", help="Write here instead of to the terminal.")]
VisitedOption = Annotated[str | None, Option("--visited", help="Nodes already visited, in order: 2,7,11 or r1c3,r2c3.")]
ThemeOption = Annotated[str, Option("--theme", help="Of pictures: parchment or night.")]


def _rendered(drawn: maps.Map, format: Format, theme: str = "parchment", colour: bool = False) -> bytes:
    """The map in a format, with the way that is marked on it."""
    match format:
        case Format.text:
            text = maps.to_text(drawn, colour=colour)
        case Format.json:
            text = maps.to_json(drawn)
        case Format.svg:
            text = maps.to_svg(drawn, theme=theme)
        case Format.png:
            return maps.to_png(drawn, theme=theme)
        case _:
            text = maps.FORMATS[format.value](drawn)
    return (text if text.endswith("\n") else text + "\n").encode("utf-8", "backslashreplace")


def _format_of(target: Path) -> Format:
    """The format a file name asks for."""
    found = SUFFIXES.get(target.suffix.lower())
    if found is None:
        known = ", ".join(SUFFIXES)
        raise NotationError(f"{target}: no format has this suffix: use one of {known}, or say --format")
    return found


def _deliver(
    drawn: maps.Map, format: Format | None, target: Path | None, visited: str | None, theme: str, parents: bool
) -> None:
    """Write the map to the file or the terminal."""
    chosen = format or (_format_of(target) if target else Format.text)
    colour = target is None and sys.stdout.isatty()
    if visited is not None:
        drawn = maps.marked(drawn, arguments.ids_from(drawn, visited))
    data = _rendered(drawn, chosen, theme, colour)
    if target is not None:
        files.write_file(target, data, parents)
        echo(f"{drawn.notation} → {target}", err=True)
    elif chosen is Format.png and sys.stdout.isatty():
        raise NotationError("a PNG cannot be shown in the terminal: add --output map.png")
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def new(
    family: Annotated[str, Argument(help="voyage, contract or guardian; or a notation such as voyage:guide:42.")],
    preset: arguments.PresetName = None,
    seed: arguments.Seed = None,
    rows: arguments.Rows = None,
    columns: arguments.Columns = None,
    paths: arguments.Paths = None,
    players: Annotated[int | None, Option(help="Guardian: party size the encounters are rolled for.")] = None,
    set_: arguments.Overrides = None,
    heat: Annotated[str, Option(help="Contract: the rival's heat, low or high.")] = "low",
    rival: Annotated[str, Option(help="Contract: the rival's state, such as wary.")] = "wary",
    hooks: Annotated[str, Option(help="Contract: the party's current hooks: injury,stress.")] = "",
    format: FormatOption = None,
    output_file: OutputOption = None,
    visited: VisitedOption = None,
    theme: ThemeOption = "parchment",
    public: Annotated[bool, Option("--public", help="Leave out what players may not know yet.")] = False,
    parents: arguments.Parents = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Generate one map.

    cartomancer map new voyage --seed 42 --format svg --output map.svg
    """
    overrides = arguments.overrides_from(set_, rows=rows, columns=columns, paths=paths, players=players)
    in_the_contract = (heat, rival, hooks) != ("low", "wary", "")
    if maps.is_notation(family):
        if preset is not None or seed is not None or overrides or in_the_contract:
            raise NotationError(f"{family} says it all: leave out the options that would change it")
        drawn = maps.read_notation(family)
    else:
        if in_the_contract and not maps.family(family).situated:
            raise NotationError("--heat, --rival and --hooks are for contract maps")
        rules, name = arguments.rules_for(family, preset, overrides)
        situation = maps.Situation.from_overrides({"heat": heat, "rival": rival, "hooks": hooks.replace(",", "+")})
        drawn = maps.generate_from(rules, name, arguments.seed_or_random(seed), situation)
    if public:
        journey = maps.Journey(drawn)
        for choice in arguments.ids_from(drawn, visited):
            journey = journey.select(journey.host, choice)
        drawn = journey.client_view() if visited is not None else maps.public_view(drawn)
    _deliver(drawn, Format.json if as_json else format, output_file, visited, theme, parents)


def show(
    source: arguments.MapSource,
    format: FormatOption = None,
    output_file: OutputOption = None,
    visited: VisitedOption = None,
    theme: ThemeOption = "parchment",
    parents: arguments.Parents = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Draw or convert a map file or notation."""
    _deliver(maps.read_map(source), Format.json if as_json else format, output_file, visited, theme, parents)


def check(source: arguments.MapSource, as_json: arguments.AsJson = False) -> None:
    """Check a map file against its rules: every fault and violation, by coordinates. Exit code 1 if there are any."""
    faults: tuple[Fault, ...] = ()
    try:
        drawn = maps.read_map(source)
    except MapFileError as error:
        if error.readable is None:
            raise
        drawn, faults = error.readable, error.faults
    report = maps.check(drawn)
    if as_json:
        found = report.as_dict()
        listed = [fault.as_dict() for fault in faults]
        output.print_json({"map": drawn.notation, **found, "ok": report.ok and not faults, "faults": listed})
    else:
        output.say(*(f"✗ {fault}" for fault in (*faults, *report.violations)))
        output.say(*(f"! {node.place}: {node.type} as a last resort (waived)" for node in report.waivers))
        count = len(report.violations) + len(faults)
        verdict = f"{count} fault(s)" if count else "every rule holds"
        output.say(f"{drawn.notation}: {verdict}, {len(report.waivers)} waiver(s)")
    raise Exit(output.OK if report.ok and not faults else output.BAD)


def repair(
    source: arguments.MapSource,
    output_file: Annotated[
        Path | None, Option("--output", "-o", help="Where the repaired map goes; nothing is written without it.")
    ] = None,
    parents: arguments.Parents = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Retype the offending, unlocked nodes of a map file, roll contents that cannot be anew, and say what changed.

    Exit code 1 if something is left.
    """
    result = maps.repair(maps.read_map(source))
    if output_file is not None:
        files.write_file(output_file, _rendered(result.map, Format.json), parents)
    if as_json:
        output.print_json({**result.as_dict(), "map": maps.to_dict(result.map)})
    else:
        output.say(*(f"~ {change}" for change in result.changes))
        output.say(*(f"✗ not mended: {violation}" for violation in result.left.violations))
        where = f" → {output_file}" if output_file else " (nothing written: add --output FILE)"
        retyped = sum(change.field == "type" for change in result.changes)
        others, left = len(result.changes) - retyped, len(result.left.violations)
        output.say(f"{retyped} node(s) retyped, {others} other change(s), {left} left{where}")
    raise Exit(output.OK if result.ok else output.BAD)


def explain(
    source: Annotated[str, Argument(help="A family (with --seed and --preset), a notation, or a map file.")],
    node: Annotated[str, Option("--node", "-n", help="The node: its id, or its place such as r5c3.")],
    preset: arguments.PresetName = None,
    seed: arguments.Seed = None,
    rows: arguments.Rows = None,
    columns: arguments.Columns = None,
    paths: arguments.Paths = None,
    set_: arguments.Overrides = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Explain why a node is what it is: weights, bans and their rules, re-rolls, forcing."""
    overrides = arguments.overrides_from(set_, rows=rows, columns=columns, paths=paths)
    if maps.is_family(source):
        rules, name = arguments.rules_for(source, preset, overrides)
        if seed is None:
            raise NotationError("which map? give it with --seed")
        drawn = maps.generate_from(rules, name, arguments.seed_or_random(seed))
    else:
        if preset is not None or seed is not None or overrides:
            raise NotationError(f"{source} says it all: leave out the options that would change it")
        drawn = maps.read_map(source)
    result = maps.explain(drawn, arguments.node_from(drawn, node))
    if as_json:
        output.print_json(result.as_dict())
        return
    output.say(f"{drawn.notation}: {result.node.place}")
    if result.choices:
        choices = output.table("", ("type", "weight", "chance", "banned by"), left=(0, 3))
        for choice in result.choices:
            banned = f"{choice.banned_by}: {choice.because}" if choice.banned_by else ""
            choices.add_row(choice.type, str(choice.weight), percent(choice.share), banned)
        output.show(choices)
    output.say(*(f"• {sentence}" for sentence in result.sentences()))


def analyse(source: arguments.MapSource, as_json: arguments.AsJson = False) -> None:
    """Say what all routes of a map are like: counts, extremes, forced nodes, safest and riskiest route."""
    drawn = maps.read_map(source)
    found = maps.analyse(drawn)
    if as_json:
        output.print_json({"map": drawn.notation, **found.as_dict()})
        return
    output.say(
        f"{drawn.notation}: {found.routes:,} routes, {found.disjoint_routes} of them can share no node but the boss; "
        f"{len(found.forced_nodes)} node(s) lie on every route; linearity {found.linearity:.2f}"
    )
    types = output.table("types over all routes", ("type", "nodes", "fewest", "mean", "most", "first row", "last row"))
    for name, entry in found.types.items():
        cells = (entry.count, entry.least, f"{entry.mean:.2f}", entry.most, entry.first_row, entry.last_row)
        types.add_row(name, *map(str, cells))
    output.show(types)
    for label, route in (("safest", found.safest), ("riskiest", found.riskiest)):
        way = " → ".join(drawn.node(node).type for node in route.nodes)
        output.say(f"{label} route, danger {route.danger}: {way}")


def walk(
    source: Annotated[str, Argument(help="A map file, a notation such as voyage:guide:42, or a saved walk.")],
    choose: Annotated[str | None, Option("--choose", help="Nodes to enter, in order: 2,7,11 or r1c3,r2c3.")] = None,
    sample: Annotated[str | None, Option("--sample", help="Walk one random route to the end, from this seed.")] = None,
    public: Annotated[
        bool, Option("--public", help="Show what players may know: the map, and what was entered.")
    ] = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Walk a map: enter nodes one by one, see where the party may go next. Its JSON is a save, to be walked on."""
    from cartomancer.codes import STREAM_WALK
    from cartomancer.rng import Stream

    journey = maps.read_journey(source)
    drawn = journey.map
    for difference in journey.differences():
        echo(f"note: {difference}", err=True)
    for choice in arguments.ids_from(drawn, choose):
        journey = journey.select(journey.host, choice)
    if sample is not None:
        stream = Stream(arguments.seed_or_random(sample), STREAM_WALK)
        while not journey.over:
            journey = journey.select(journey.host, stream.pick(journey.available()).id)
    ways = journey.available()
    shown = journey.client_view() if public else maps.marked(drawn, journey.visited)
    if as_json:
        told = maps.to_dict(shown) if public else journey.save()
        output.print_json({**told, "available": [node.id for node in ways], "over": journey.over})
        return
    sys.stdout.write(maps.to_text(shown, colour=sys.stdout.isatty()))
    became = {node: f": {outcome}" for node, outcome in journey.resolved.items()}
    way = " → ".join(f"{drawn.node(node).type}{became.get(node, '')} ({node})" for node in journey.visited)
    output.say(f"way so far: {way or 'not started'}")
    open_ways = ", ".join(f"{node.id} {node.type} (r{node.row}c{node.column})" for node in ways)
    output.say(f"may enter: {open_ways or 'nothing, the run is over'}")
