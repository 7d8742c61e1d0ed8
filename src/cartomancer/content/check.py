"""Checking content: every file, every fault."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cartomancer.content.catalog import load_catalog
from cartomancer.content.presets import MODELS, load_preset, preset_ids
from cartomancer.content.toml_files import read_toml, shown_path
from cartomancer.content.tuning import load_resolution
from cartomancer.errors import CartomancerError, ContentError, Fault


def check_everything() -> tuple[list[str], list[Fault]]:
    """All shipped content: what was checked, and every fault."""
    checked: list[str] = []
    faults: list[Fault] = []
    for family in MODELS:
        for name in preset_ids(family):
            checked.append(f"{family}:{name}")
            faults.extend(_preset_faults(family, name))
    try:
        load_resolution()
        checked.append("tuning:resolution")
    except ContentError as error:
        faults.extend(error.faults)
    try:
        catalog = load_catalog()
        checked.extend(catalog.entry_ids())
    except ContentError as error:
        faults.extend(error.faults)
    return checked, faults


def check_files(files: Iterable[Path]) -> tuple[list[str], list[Fault]]:
    """Designers' preset files: what was checked, and every fault."""
    checked: list[str] = []
    faults: list[Fault] = []
    for path in files:
        checked.append(str(path))
        try:
            family = read_toml(path).get("family")
        except ContentError as error:
            faults.extend(error.faults)
            continue
        if not isinstance(family, str) or family not in MODELS:
            faults.append(Fault("family", family, "is not a map family", ", ".join(MODELS), shown_path(path)))
            continue
        faults.extend(_preset_faults(family, str(path) if path.suffix == ".toml" else f"{path.parent}/{path.name}"))
    return checked, faults


def _preset_faults(family: str, name: str) -> list[Fault]:
    try:
        load_preset(family, name)
    except CartomancerError as error:
        return list(error.faults) or [Fault("preset", name, str(error))]
    return []
