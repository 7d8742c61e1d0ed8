"""Commands about rules: rules, presets, schema, and how Unknowns are resolved outside a game."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import Annotated, Any, cast

from rich.markup import escape
from typer import Option

from cartomancer import content, maps
from cartomancer.cli import arguments, output
from cartomancer.errors import NotationError
from cartomancer.figures import percent

SHORT = 40  # characters of a value that stand beside its field
LONGEST_STORY = 200  # visits that are shown one by one


def rules(
    family: arguments.Family,
    preset: arguments.PresetName = None,
    set_: arguments.Overrides = None,
    schema: Annotated[
        bool,
        Option("--schema", help="Print the JSON Schema of the rule fields: titles, tooltips, ranges, defaults."),
    ] = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Show the rules of a family: what they say, where they come from, and the fields a preset may turn."""
    known = maps.family(family)
    if schema:
        raise output.answered(content.preset_schema(family))
    loaded, name = arguments.rules_for(family, preset, arguments.overrides_from(set_))
    digest, notes = maps.ruleset_digest(loaded), known.notes(loaded)
    if as_json:
        said = [{"id": r.id, "title": r.title, "statement": r.says(loaded), "cite": r.cite} for r in known.rules]
        head = {"family": family, "preset": name, "digest": digest}
        raise output.answered({**head, "notes": notes, "rules": said, "fields": loaded.rule_fields()})
    output.stdout().print(f"[bold]{loaded.title}[/bold] ({family}:{name}, digest {digest})")
    output.say(loaded.summary, *(f"note: {note}" for note in notes))
    statements = [(rule.id, rule.says(loaded), escape(rule.cite)) for rule in known.rules]
    output.show(output.word_table("rules", ("id", "what it says", "from"), statements))
    described = content.preset_schema(family)["properties"]
    given = loaded.rule_fields()
    tables = {field: value for field, value in given.items() if len(str(value)) > SHORT}
    fields = []
    for field, value in given.items():
        shown, about = "below" if field in tables else str(value), described[field]
        fields.append((field, escape(shown), _range(about), about.get("description", "")))
    output.show(output.word_table("fields", ("field", "value", "range", "meaning"), fields))
    for field, value in tables.items():
        output.say(field, style="bold")
        output.say(*(f"  {line}" for line in _lines(value)))


def _lines(value: Any) -> list[str]:
    """A table or list as a file would have it, an entry a line; what is not set is left out."""
    if isinstance(value, dict):
        return [f"{name} = {_inline(inner)}" for name, inner in value.items() if inner is not None]
    entries = value if isinstance(value, list) else [value]
    return [f"{number}: {_inline(entry)}" for number, entry in enumerate(entries, 1)]


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        silent = [name for name, inner in value.items() if inner is None or inner is False or inner == {}]
        return f"{{ {', '.join(f'{name} = {_inline(value[name])}' for name in value if name not in silent)} }}"
    return f"[{', '.join(map(_inline, value))}]" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)


def _range(entry: dict[str, Any]) -> str:
    choices = entry.get("enum")
    if choices:
        return " | ".join(str(choice) for choice in choices)
    bounds = [entry.get("minimum"), entry.get("maximum")]
    for option in entry.get("anyOf", []):
        bounds = [bounds[0] or option.get("minimum"), bounds[1] or option.get("maximum")]
    return "" if bounds == [None, None] else f"{bounds[0]} … {bounds[1]}"


def presets(as_json: arguments.AsJson = False) -> None:
    """List the shipped presets of every family, the default first."""
    found = [content.load_preset(family, name) for family in maps.family_names() for name in content.preset_ids(family)]
    if as_json:
        told = ({"family": p.family, "id": p.id, "title": p.title, "summary": p.summary} for p in found)
        raise output.answered([{**one, "digest": maps.ruleset_digest(p)} for one, p in zip(told, found, strict=True)])
    listed = [(preset.family, preset.id, preset.summary) for preset in found]
    output.show(output.word_table("presets", ("family", "preset", "what it is"), listed))


def schema() -> None:
    """Print the JSON Schema of map files (format cartomancer.map/1)."""
    output.print_json(maps.file_schema())


# --- Unknowns ---------------------------------------------------------------------------------------------------------


def unknown(
    seed: arguments.Seed = None,
    visits: Annotated[int, Option("--visits", "-k", min=1, max=100_000, help="How many Unknowns are entered.")] = 10,
    force: Annotated[list[str] | None, Option(help="Force one visit's outcome: shop@3. May be repeated.")] = None,
    row: Annotated[int | None, Option("--row", help="The row they lie on: its bans count.")] = None,
    beside: Annotated[
        str,
        Option("--beside", help="Types neighbours forbid there, with unknown.ignore_adjacency=false: shop,monster."),
    ] = "",
    visits_per_act: Annotated[
        int | None, Option("--visits-per-act", min=1, help="A new act begins after so many; pity_scope counts then.")
    ] = None,
    pity: Annotated[str, Option("--pity", help="Pity to start from: battle,treasure,shop.")] = "0,0,0",
    forecast: Annotated[
        bool, Option("--forecast", help="Exact probabilities of the coming visits instead of one story.")
    ] = False,
    preset: arguments.PresetName = None,
    set_: arguments.Overrides = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Resolve Unknowns in order, with pity: Battle, Treasure, Shop, else Event.

    cartomancer map unknown --seed 42 --visits 10 --force shop@3
    """
    outcomes = maps.UNKNOWN_OUTCOMES
    rules = cast("content.VoyageRules", arguments.rules_for("voyage", preset, arguments.overrides_from(set_))[0])
    if row is not None and not (1 <= row <= rules.rows and rules.fixed_type(row) is None):
        raise NotationError(f"row {row} can hold no Unknown: it is not one of the free rows of these rules")
    banned = rules.banned_types(row) if row is not None else {}
    start, near = _pity(pity), _beside(beside, rules.unknown)
    if forecast:
        steps = list(enumerate(maps.forecast(rules.unknown, visits, start, banned, near, visits_per_act), 1))
        if as_json:
            raise output.answered({"pity": list(start), "visits": [{"visit": visit, **step} for visit, step in steps]})
        title = "chance of each outcome at the visit (percent: by then at least once)"
        shown = output.table(title, ("visit", *outcomes))
        cells = ([f"{percent(step[n], 2)} ({100 * step[f'{n}_by_now']:.1f})" for n in outcomes] for _, step in steps)
        first = 1
        for alike, group in groupby(cells):  # visits whose numbers look the same share a row
            last = first + len(list(group)) - 1
            shown.add_row(f"{first}" if first == last else f"{first}–{last}", *alike)
            first = last + 1
        output.show(shown)
        return
    forced = dict(_forced(entry, visits) for entry in force or [])
    resolver = maps.UnknownResolver(arguments.seed_or_random(seed), rules.unknown, start)
    results = []
    for visit in range(1, visits + 1):
        if visit in forced:
            resolver.force_next(forced[visit])
        resolver.enter_act(1 + (visit - 1) // (visits_per_act or visits))
        results.append(resolver.visit(banned, near))
    came = [result.outcome for result in results]
    counts = {name: came.count(name) for name in outcomes}
    if as_json:
        told = {"visits": [result.as_dict() for result in results], "outcomes": came, "counts": counts}
        raise output.answered({"seed": resolver.seed, **told, "resolver": resolver.save()})
    if visits <= LONGEST_STORY:
        columns = ("visit", "outcome", "battle", "treasure", "shop", "pity after")
        shown = output.table(f"seed {resolver.seed}", columns if visits_per_act is None else ("act", *columns))
        for result in results:
            outcome = f"{result.outcome} (forced)" if result.forced else result.outcome
            act = () if visits_per_act is None else (str(result.act),)
            pity_after = "/".join(map(str, result.pity_after))
            shown.add_row(*act, str(result.visit), outcome, *map(percent, result.chances), pity_after)
        output.show(shown)
    output.say(", ".join(f"{name} {count} ({percent(count / visits, 2)})" for name, count in counts.items()))


def _pity(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if len(parts) != 3 or not all(re.fullmatch("[0-9]{1,6}", part.strip()) for part in parts):
        raise NotationError(
            f"pity '{text}' should be three counters below a million: battle,treasure,shop, for example 3,0,1"
        )
    return tuple(map(int, parts))


def _beside(text: str, rules: content.UnknownRules) -> list[str]:
    known, types = maps.UNKNOWN_CANDIDATES, arguments.parts_of(text)
    if strange := [name for name in types if name not in known]:
        raise NotationError(f"beside '{strange[0]}' should be types an Unknown can become: {', '.join(known)}")
    if types and rules.ignore_adjacency:
        raise NotationError("--beside has no effect: add --set unknown.ignore_adjacency=false")
    return types


def _forced(text: str, visits: int) -> tuple[int, str]:
    outcome, at, visit = text.partition("@")
    if not at or not re.fullmatch("[0-9]{1,6}", visit) or not 1 <= int(visit) <= visits:
        raise NotationError(f"force '{text}' should be outcome@visit with a visit from 1 to {visits}: shop@3")
    return int(visit), outcome
