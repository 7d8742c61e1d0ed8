"""Writing Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [_line(columns), _line(["---"] * len(columns))]
    return "\n".join([*lines, *(_line(row) for row in rows)])


def _line(cells: Sequence[Any]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def weights(entries: Mapping[str, int]) -> str:
    """Weights as a designer writes them, the heaviest first."""
    ordered = sorted(entries.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {weight}" for name, weight in ordered if weight)


def shares(entries: Mapping[str, int]) -> str:
    """Weights as percentages of their sum."""
    total = sum(entries.values())
    ordered = sorted(entries.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {100 * weight / total:.4g} %" for name, weight in ordered if weight)


def code(value: Any) -> str:
    """A value in code marks, or a dash for nothing."""
    return f"`{value}`" if value not in ("", None) else "–"


def console(command: str, lines: Iterable[str]) -> str:
    shown = "\n".join(f"• {line}" for line in lines)
    return f"```console\n$ cartomancer {command}\n{shown}\n```"
