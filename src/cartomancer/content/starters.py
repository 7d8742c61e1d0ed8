"""Starters: a new entry of any kind as commented TOML that passes `content check`, to be changed from there.

Fields, comments, choices and ranges come from the models. The values of entries that others build on (decks, rooms,
classes …) are those of the first shipped one; entries whose text must be their own start from a seed (`starters.toml`),
turned until nobody else reads the same.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from cartomancer.content.codex import Codex, load_codex, read_codex
from cartomancer.content.kinds import FILES, KINDS, Found, Kind, kind_named
from cartomancer.content.models.cards import CARD_MODELS
from cartomancer.content.reader import Reader
from cartomancer.content.toml_files import DATA, Tagged, toml_value, validated
from cartomancer.errors import CartomancerError, ContentError, UnknownNameError

WIDTH: Final = 118
FIRST: Final = ("id", "title", "category")
SEEDS: Final = Path(__file__).with_name("starters.toml").read_text(encoding="utf-8")
# A trait alone would be refused: items that counter it must come with it.
STARTERS: Final = (*CARD_MODELS, *(kind.name for kind in KINDS if kind.name not in {"card", "trait"}))


def starter(name: str, entry_id: str) -> str:
    """A new entry of a kind (a card by its category) as commented TOML, refused if the id cannot be used."""
    if name not in STARTERS:
        raise UnknownNameError("starter", name, STARTERS)
    kind = kind_named("card" if name in CARD_MODELS else name)
    codex = load_codex()
    if entry_id in kind.of(codex):
        raise CartomancerError(f"'{entry_id}' is the id of a shipped {kind.name}: choose another")
    tag = {"category": name} if name in CARD_MODELS else {}
    named = {"id": entry_id, "title": entry_id.replace("_", " ").replace("-", " ").title(), **tag}
    fields = _unlike_others(codex, kind, [named | values for values in _values(codex, kind, name)])
    reader = Reader(DATA, {Path(f"{entry_id}.toml"): {kind.plural: [fields]}})
    read_codex(reader)  # it must pass what `content check` asks of it
    if reader.faults:
        raise ContentError(f"'{entry_id}' cannot be the id of a {kind.name}", reader.faults)
    model = kind.shape.models[name] if isinstance(kind.shape, Tagged) else kind.shape
    return "\n".join(_toml(kind, model, fields)) + "\n"


def _values(codex: Codex, kind: Kind, name: str) -> list[dict[str, Any]]:
    """Values to try: the seed, turned; or those of the first shipped entry."""
    if name in _seeds(1):
        return [_seeds(turn)[name] for turn in range(1, 100)]
    first = next(iter(kind.of(codex).values()))
    # an act has one guardian, and the first entry is one
    return [first.model_dump(mode="json", exclude_defaults=True, exclude={"id", "title", "summary", "act"})]


def _seeds(turn: int) -> dict[str, Any]:
    """The seeds at this turn."""
    return tomllib.loads(re.sub('"@([0-9]*)"', lambda at: str(1 + turn % int(at[1]) if at[1] else turn), SEEDS))


def _unlike_others(codex: Codex, kind: Kind, tries: list[dict[str, Any]]) -> dict[str, Any]:
    """The first that no shipped entry reads like; the last, if every one does."""
    texts = {Found(kind, entry).text() for entry in kind.of(codex).values()} - {""}
    reads = ((fields, Found(kind, validated(kind.shape, fields, kind.name)).text()) for fields in tries)
    return next((fields for fields, text in reads if text not in texts), tries[-1])


# --- writing ----------------------------------------------------------------------------------------------------------


def _toml(kind: Kind, model: type[BaseModel], fields: Mapping[str, Any]) -> Iterator[str]:
    """The entry's lines: every field with what it means, those at their default commented out, tables last."""
    flat = kind.name in FILES
    yield from _comment((model.__doc__ or "").strip().splitlines()[0])
    if not flat:
        yield f"[[{kind.plural}]]"
    schema = model.model_json_schema()
    late = [field for field in fields if _is_table(fields[field])]
    for field in sorted(model.model_fields, key=lambda name: name not in FIRST):
        if field in late:
            continue
        described = schema["properties"][field]
        yield ""
        yield from _comment(" ".join(filter(None, (described.get("description"), _choices(described)))))
        if field in fields:
            yield from _lines(f"{field} = ", fields[field])
        else:
            default = described.get("default")
            yield f"# {field} = {_form(described, schema) if default is None else toml_value(default)}"
    for field in late:
        yield ""
        yield from _comment(schema["properties"][field].get("description", ""))
        yield from _table(field if flat else f"{kind.plural}.{field}", fields[field])


def _lines(head: str, value: Any) -> list[str]:
    """A field on one line, or a long list with one value a line."""
    line = head + toml_value(value)
    if len(line) <= WIDTH or not isinstance(value, list):
        return [line]
    return [f"{head}[", *(f"  {toml_value(inner)}," for inner in value), "]"]


def _is_table(value: Any) -> bool:
    """Whether a value is too long for one line: many entries, or a list of stops or choices."""
    if isinstance(value, dict):
        return len(value) > 4
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and bool({"room", "label"} & set(first))


def _table(name: str, value: Any) -> Iterator[str]:
    for part in value if isinstance(value, list) else [value]:
        yield f"[[{name}]]" if isinstance(value, list) else f"[{name}]"
        yield from (f"{key} = {toml_value(inner)}" for key, inner in part.items())


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, WIDTH)]


def _choices(field: Mapping[str, Any]) -> str:
    """The choices or the range of a field, as its schema gives them.

    >>> _choices({"anyOf": [{"enum": ["a", "b"]}, {"const": "c"}, {"type": "null"}]})
    '(a, b, c)'
    >>> _choices({"minimum": 0, "maximum": 3})
    '(0 to 3)'
    """
    options = [field, *field.get("anyOf", ()), field.get("items", {})]
    named = [name for option in options for name in option.get("enum", [option["const"]] if "const" in option else [])]
    ranges = [
        f"{option['minimum']} to {option['maximum']}" for option in options if {"minimum", "maximum"} <= set(option)
    ]
    said = ", ".join(map(str, named)) if len(named) > 1 else "".join(ranges)
    return f"({said})" if said else ""


def _form(field: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """The shape of a value that has no default: a table with its fields, a list, a table of names, or one value."""
    options = [field, *field.get("anyOf", ())]
    for option in options:
        if "$ref" in option:
            inner = schema["$defs"][option["$ref"].rpartition("/")[2]]
            return f"{{ {', '.join(f'{name} = …' for name in inner['properties'])} }}"
    kinds = {option.get("type") for option in options}
    return "[]" if "array" in kinds else "{}" if "object" in kinds else "…"
