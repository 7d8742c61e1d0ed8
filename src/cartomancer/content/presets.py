"""Map presets: shipped ones by name, designers' own ones by path; each may extend another.

>>> load_preset("voyage", "guide").rows
15
>>> load_preset("voyage", "guide", {"rows": 20}).treasure_row
12
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.base import Preset, titled
from cartomancer.content.models.contract import ContractRules
from cartomancer.content.models.guardian import GuardianRules
from cartomancer.content.models.voyage import VoyageRules
from cartomancer.content.reader import unknown_names
from cartomancer.content.toml_files import DATA, read_toml, shown_path, validated
from cartomancer.errors import ContentError, Fault, RulesError, UnknownNameError

MODELS: Final[dict[str, type[Preset]]] = {
    model.family_name(): model for model in (VoyageRules, ContractRules, GuardianRules)
}


def preset_model(family: str) -> type[Preset]:
    """The rules model of a family."""
    if family not in MODELS:
        raise UnknownNameError("map family", family, list(MODELS))
    return MODELS[family]


def preset_schema(family: str) -> dict[str, Any]:
    """The JSON Schema of a family's rules, with a title on every field: what an inspector shows."""
    return titled(preset_model(family).model_json_schema())


def preset_ids(family: str, base: Path = DATA) -> list[str]:
    """The presets of a family in the content in use, or in a folder of content, the default first."""
    default = preset_model(family).default_preset
    found = (path.stem for path in _folder(family, base).glob("*.toml"))
    return sorted(found, key=lambda name: (name != default, name))


def _folder(family: str, base: Path) -> Path:
    return preset_model(family).preset_folder or base / "maps" / family


def find_preset(family: str, name: str, base: Path = DATA) -> Path:
    """The file of a preset: one of the content's by its name, or a path to a designer's own file."""
    if name.endswith(".toml") or "/" in name:
        return Path(name)
    if name not in preset_ids(family, base):
        raise UnknownNameError(f"{family} preset", name, preset_ids(family, base))
    return _folder(family, base) / f"{name}.toml"


def load_preset(
    family: str, name: str | None = None, overrides: Mapping[str, Any] | None = None, base: Path = DATA
) -> Preset:
    """A preset's rules, with some fields overridden, refused if they are faulty or cannot be satisfied, and where what
    the file itself or an override sets has no effect."""
    model = preset_model(family)
    path = find_preset(family, name or model.default_preset, base)
    where = shown_path(path)
    data, own = _with_parents(family, path, (), base)
    if overrides:
        data = _merged(data, overrides)
        where += " with overrides"
        if "extends" in overrides:
            problem = "cannot be overridden: it has been read when overrides come"
            right = "another preset, or a file that extends it"
            ContentError.refuse(where, "{n} fault(s)", [Fault("extends", overrides["extends"], problem, right)])
    rules = validated(model, data, where)
    given = {**own, **(overrides or {})}
    idle = {field: why for field, why in rules.idle_fields().items() if field in given}
    faults = (Fault(field, given[field], f"has no effect: {why}", "leave it out") for field, why in idle.items())
    ContentError.refuse(where, "{n} setting(s) without effect", faults)
    return _possible(rules, where)


def rules_from(family: str, fields: Mapping[str, Any], where: str) -> Preset:
    """Rules from the fields a map file carries."""
    names = {"id": "from_file", "title": "from a map file"}
    return _possible(validated(preset_model(family), {**names, **fields}, where), where)


def _possible(rules: Preset, where: str) -> Preset:
    """The rules, refused if nothing could satisfy them, or if they name an entry that the catalog does not have."""
    known = vars(load_catalog()) if rules.entries_named() else {}
    faults = [*rules.impossibilities(), *undescribed(rules, known)]
    RulesError.refuse(where, "these rules cannot be satisfied", faults)
    return rules


def undescribed(rules: Preset, known: Mapping[str, Collection[str]]) -> Iterator[Fault]:
    """The entries that rules name and nobody describes: an act's guardian must be there to be fought."""
    for field, (kind, entry) in rules.entries_named().items():
        yield from unknown_names(kind.removesuffix("s"), [entry], list(known[kind]), field)


def _with_parents(family: str, path: Path, seen: tuple[Path, ...], base: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The file's fields over those of the preset it extends; and its own."""
    path = path if path.is_relative_to(DATA) else path.resolve()
    where = shown_path(path)
    if path in seen:
        chain = " → ".join(shown_path(step) for step in (*seen, path))
        raise ContentError(f"{where}: extends itself", [Fault("extends", chain, "goes round in a circle")])
    data = read_toml(path)
    if data.get("family", family) != family:
        fault = Fault("family", data["family"], "is not the family asked for", family, where)
        raise ContentError(f"{where}: wrong family", [fault])
    parent = data.get("extends")
    if not isinstance(parent, str):
        return data, data
    try:
        parent_path = path.parent / parent if parent.endswith(".toml") else find_preset(family, parent, base)
    except UnknownNameError as error:
        fault = Fault("extends", parent, "is not a preset of the family", ", ".join(error.known), where)
        raise ContentError(f"{where}: extends nothing known", [fault]) from None
    inherited, _ = _with_parents(family, parent_path, (*seen, path), base)
    return _merged({key: value for key, value in inherited.items() if key != "extends"}, data), data


def _merged(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The base with the change's fields; tables are merged, everything else is replaced."""
    result = dict(base)
    for key, value in change.items():
        old = result.get(key)
        result[key] = _merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return result
