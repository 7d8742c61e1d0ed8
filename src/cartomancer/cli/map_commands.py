"""Commands about one map: new, show, check, repair, explain, analyse, walk."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option, echo

from cartomancer import files, maps
from cartomancer.cli import arguments, output
from cartomancer.errors import Fault, MapFileError, NotationError
from cartomancer.figures import percent

# what a map can be written as
Format = StrEnum("Format", ["text", "json", "svg", "png", "dot", "mermaid", "graphml", "godot", "tres", "unity"])
SUFFIXES = {f".{name}.json": Format(name) for name in ("godot", "unity")}  # before .json alone
SUFFIXES |= {f".{name}": Format(name) for name in ("json", "svg", "png", "dot", "graphml", "tres", "mermaid")}
SUFFIXES |= {".gv": Format.dot, ".mmd": Format.mermaid, ".txt": Format.text}
TELLS_SEED = "telemetry tells the seed, which --public hides: take one of them"
FormatOption = Annotated[
    Format | None,
    Option("--format", "-f", help="Output format; without it, by the output file's suffix, else text."),
]
OutputOption = Annotated[Path | None, Option("--output", "-o", help="Write here instead of to the terminal.")]
VisitedOption = Annotated[str | None, Option("--visited", help="Nodes already visited, in order: 2,7,11 or r1c3,r2c3.")]
TelemetryOption = Annotated[
    bool,
    Option(
        "--telemetry",
        help="Also tell seeds, counts by type, re-rolls, violations, and the pity at each Unknown entered.",
    ),
]
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


def _deliver(
    drawn: maps.Map, format: Format | None, target: Path | None, visited: str | None, theme: str, parents: bool
) -> None:
    """Write the map to the file or the terminal."""
    colour, chosen = target is None and sys.stdout.isatty(), format or Format.text
    if target is not None and format is None:
        suffix = next((suffix for suffix in SUFFIXES if target.name.lower().endswith(suffix)), None)
        if suffix is None:
            known = ", ".join(SUFFIXES)
            raise NotationError(f"{target}: no format has this suffix: use one of {known}, or say --format")
        chosen = SUFFIXES[suffix]
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
    telemetry: TelemetryOption = False,
    parents: arguments.Parents = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Generate one map.

    cartomancer map new voyage --seed 42 --format svg --output map.svg
    """
    chosen = Format.json if as_json else format
    if telemetry and public:
        raise NotationError(TELLS_SEED)
    if telemetry and output_file is None and chosen not in (None, Format.text, Format.json):
        raise NotationError(f"telemetry is no part of a {chosen} file: add --output FILE for the map")
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
    output.note(*(f"note: {note}" for note in maps.family(drawn.family).notes(drawn.rules)), whole=True)
    told = maps.telemetry(_walked(drawn, visited)) if telemetry else ()
    if public:
        drawn = _walked(drawn, visited).client_view() if visited is not None else maps.public_view(drawn)
    if told and output_file is None and chosen is Format.json:
        shown = drawn if visited is None else maps.marked(drawn, arguments.ids_from(drawn, visited))
        raise output.answered({"map": maps.to_dict(shown), "telemetry": told[0].as_dict()})
    _deliver(drawn, chosen, output_file, visited, theme, parents)
    if told:
        output.answer(as_json, told[0].as_dict(), lambda: _print_telemetry(told))


def _walked(drawn: maps.Map, visited: str | None) -> maps.Journey:
    """The journey along these nodes."""
    journey = maps.Journey(drawn)
    for choice in arguments.ids_from(drawn, visited):
        journey = journey.select(journey.host, choice)
    return journey


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
    attempts: Annotated[
        int | None,
        Option(min=1, max=1_000, help="Attempts before the last resort; as the map's repair_attempts without it."),
    ] = None,
    parents: arguments.Parents = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Retype the offending, unlocked nodes of a map file, roll contents that cannot be anew, and say what changed.

    Exit code 1 if something is left.
    """
    result = maps.repair(maps.read_map(source), attempts)
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
        mended = f"{retyped} node(s) retyped, {others} other change(s), {left} left after {result.attempts} attempt(s)"
        output.say(mended + where)
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
        raise output.answered(result.as_dict())
    output.say(f"{drawn.notation}: {result.node.place}")
    if result.choices:
        choices = output.table("", ("type", "weight", "chance", "banned by"), left=(0, 3))
        for choice in result.choices:
            banned = f"{choice.banned_by}: {choice.because}" if choice.banned_by else ""
            choices.add_row(choice.type, str(choice.weight), percent(choice.share), banned)
        output.show(choices)
    output.say(*(f"• {sentence}" for sentence in result.sentences()))


def analyse(source: arguments.MapSource, as_json: arguments.AsJson = False) -> None:
    """Say what all routes of a map are like: counts, extremes, forced nodes, safest and riskiest route, minutes."""
    drawn = maps.read_map(source)
    found = maps.analyse(drawn)
    if as_json:
        raise output.answered({"map": drawn.notation, **found.as_dict()})
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
    if (time := found.minutes) is not None:
        output.say(f"minutes of play: {time.quickest:.1f} to {time.longest:.1f}, {time.mean:.1f} over all routes")


def walk(
    source: Annotated[str, Argument(help="A map file, a notation such as voyage:guide:42, or a saved walk.")],
    choose: Annotated[str | None, Option("--choose", help="Nodes to enter, in order: 2,7,11 or r1c3,r2c3.")] = None,
    sample: Annotated[str | None, Option("--sample", help="Walk one random route to the end, from this seed.")] = None,
    acts: Annotated[
        int | None,
        Option("--acts", min=1, max=100, help="Voyage: acts of the run; when one is over, the next one's map follows."),
    ] = None,
    force_next: Annotated[
        str | None,
        Option("--force-next", help="What the next Unknown becomes (for debugging): battle, treasure, shop or event."),
    ] = None,
    telemetry: TelemetryOption = False,
    public: Annotated[
        bool, Option("--public", help="Show what players may know: the map, and what was entered.")
    ] = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Walk a map: enter nodes one by one, see where the party may go next. Its JSON is a save, to be walked on.

    cartomancer map walk voyage:guide:42 --sample 1 --acts 3 --force-next shop --telemetry
    """
    from cartomancer.codes import STREAM_WALK
    from cartomancer.rng import Stream

    if telemetry and public:
        raise NotationError(TELLS_SEED)
    journey = maps.read_journey(source)
    last_act = journey.act if acts is None else acts
    if last_act < journey.act:
        raise NotationError(f"{source} is in act {journey.act} already: --acts {acts} is too few")
    for difference in journey.differences():
        echo(f"note: {difference}", err=True)
    if force_next is not None:
        journey = journey.force_next(force_next)
    journey = _onward(journey, last_act)
    for choice in arguments.parts_of(choose):
        journey = _onward(journey.select(journey.host, arguments.node_from(journey.map, choice)), last_act)
    if sample is not None:
        stream = Stream(arguments.seed_or_random(sample), STREAM_WALK)
        while not journey.over:
            journey = _onward(journey.select(journey.host, stream.pick(journey.available()).id), last_act)
    ways = journey.available()
    shown = journey.client_view() if public else maps.marked(journey.map, journey.visited)
    found = maps.telemetry(journey) if telemetry else ()
    if as_json:
        told = maps.to_dict(shown) if public else journey.save()
        told |= {"telemetry": [act.as_dict() for act in found]} if telemetry else {}
        raise output.answered({**told, "available": [node.id for node in ways], "over": journey.over})
    sys.stdout.write(maps.to_text(shown, colour=sys.stdout.isatty()))
    for act, way in enumerate(journey.earlier, 1):
        output.say(f"act {act}{'' if public else f', {way.map.notation}'}: {_told(way)}")
    output.say(f"{f'act {journey.act}, ' if journey.earlier else ''}way so far: {_told(journey.ways[-1])}")
    if not public and journey.unknowns and (waiting := journey.unknowns["forced"]):
        output.say(f"the next Unknown is forced: {waiting}")
    open_ways = ", ".join(f"{node.id} {node.type} (r{node.row}c{node.column})" for node in ways)
    output.say(f"may enter: {open_ways or 'nothing, the run is over'}")
    _print_telemetry(found)


def _onward(journey: maps.Journey, last_act: int) -> maps.Journey:
    """The journey, in its next act if one is over and another follows."""
    return journey.next_act() if journey.over and journey.act < last_act else journey


def _told(way: maps.Way) -> str:
    """The nodes of a way, with what Unknowns became."""
    became = {node: f": {outcome}{', forced' * (node in way.forced)}" for node, outcome in way.resolved.items()}
    steps = (f"{way.map.node(node).type}{became.get(node, '')} ({node})" for node in way.visited)
    return " → ".join(steps) or "not started"


def _print_telemetry(acts: Sequence[maps.MapTelemetry]) -> None:
    """The telemetry of each act: how its map was drawn, then how its Unknowns resolved."""
    columns = ("visit", "node", "row", "outcome", "battle", "treasure", "shop", "before", "after", "note")
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
            shown = output.table("Unknowns, with pity before and after", columns, left=(3, 9))
            for node, found in told.resolves:
                place = (str(found.visit), str(node.id), str(node.row))
                pity = ("/".join(map(str, counters)) for counters in (found.pity_before, found.pity_after))
                notes = [*(["forced"] if found.forced else []), *(f"no {candidate}" for candidate in found.banned)]
                shown.add_row(*place, found.outcome, *map(percent, found.chances), *pity, ", ".join(notes))
            output.show(shown)
