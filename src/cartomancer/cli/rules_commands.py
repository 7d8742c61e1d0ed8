"""Commands about rules: rules, presets, schema."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AsJson, Family, Overrides, PresetName, overrides_from, rules_for


def rules(
    family: Family,
    preset: PresetName = None,
    set_: Overrides = None,
    schema: Annotated[
        bool,
        typer.Option("--schema", help="Print the JSON Schema of the rule fields: titles, tooltips, ranges, defaults."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the rules of a family: what they say, where they come from, and the fields a preset may turn."""
    from cartomancer.content import preset_schema
    from cartomancer.maps import families
    from cartomancer.maps.generation import ruleset_digest

    known = families.of(family)
    if schema:
        output.print_json(preset_schema(family))
        return
    loaded, name = rules_for(family, preset, overrides_from(set_))
    if as_json:
        output.print_json(
            {
                "family": family,
                "preset": name,
                "digest": ruleset_digest(loaded),
                "rules": [
                    {"id": rule.id, "title": rule.title, "statement": rule.says(loaded), "cite": rule.cite}
                    for rule in known.rules
                ],
                "fields": loaded.rule_fields(),
            }
        )
        return
    console = output.stdout()
    console.print(f"[bold]{loaded.title}[/bold] ({family}:{name}, digest {ruleset_digest(loaded)})")
    console.print(loaded.summary, markup=False)
    said = output.word_table("rules", "id", "what it says", "from")
    for rule in known.rules:
        said.add_row(rule.id, rule.says(loaded), rule.cite.replace("[", "\\["))
    console.print(said)
    fields = output.word_table("fields", "field", "value", "range", "meaning")
    described = preset_schema(family)["properties"]
    for field, value in loaded.rule_fields().items():
        entry = described[field]
        fields.add_row(field, _short(value), _range(entry), entry.get("description", ""))
    console.print(fields)


def _short(value: Any) -> str:
    text = str(value)
    return (text if len(text) <= 40 else text[:37] + "…").replace("[", "\\[")


def _range(entry: dict[str, Any]) -> str:
    choices = entry.get("enum")
    if choices:
        return " | ".join(str(choice) for choice in choices)
    bounds = [entry.get("minimum"), entry.get("maximum")]
    for option in entry.get("anyOf", []):
        bounds = [bounds[0] or option.get("minimum"), bounds[1] or option.get("maximum")]
    return "" if bounds == [None, None] else f"{bounds[0]} … {bounds[1]}"


def presets(as_json: AsJson = False) -> None:
    """List the shipped presets of every family, the default first."""
    from cartomancer.content import load_preset, preset_ids
    from cartomancer.maps import families
    from cartomancer.maps.generation import ruleset_digest

    found = [load_preset(family, name) for family in families.names() for name in preset_ids(family)]
    if as_json:
        output.print_json(
            [
                {"family": p.family, "id": p.id, "title": p.title, "summary": p.summary, "digest": ruleset_digest(p)}
                for p in found
            ]
        )
        return
    listed = output.word_table("presets", "family", "preset", "what it is")
    for preset in found:
        listed.add_row(preset.family, preset.id, preset.summary)
    output.stdout().print(listed)


def schema() -> None:
    """Print the JSON Schema of map files (format cartomancer.map/1)."""
    from cartomancer.maps.map_schema import map_schema

    output.print_json(map_schema())
