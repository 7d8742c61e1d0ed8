"""Rewrite the golden maps and show what changed: `make goldens`.

A golden is a whole map of a preset and seed as JSON, one line a node. When one differs, either the change was meant,
and this script records it, or a seed has stopped meaning what it meant.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "maps"
SEED = 42
SPECIAL = [
    "voyage:guide[columns=9,paths=8,rows=40]:7",
    "voyage:sparse[rows=6]:7",
    "contract:standard[guarantee_scope=path,lane_switching=false]:7",
    "contract:rival_extended[heat=high,hooks=injury+stress,rival=vengeful]:7",
    "guardian:three_acts[defy_the_gods=true,players=4]:7",
]


def cases() -> list[str]:
    """The notations of all golden maps: every preset, and some special rules."""
    from cartomancer.codes import FAMILY_NAMES
    from cartomancer.content import preset_ids

    return [f"{family}:{preset}:{SEED}" for family in FAMILY_NAMES for preset in preset_ids(family)] + SPECIAL


def golden_text(notation: str) -> str:
    """The golden of a notation: the map without its rules, and how its first Unknowns resolve."""
    from cartomancer import maps

    drawn = maps.read_notation(notation)
    data = maps.to_dict(drawn)
    nodes, edges = data.pop("nodes"), data.pop("edges")
    data["ruleset"] = data["ruleset"]["digest"]
    if drawn.family == "voyage":
        resolver = maps.UnknownResolver(drawn.seed, drawn.rules.unknown)
        data["unknowns"] = [resolver.visit().outcome for _ in range(12)]
    lines = [json.dumps({key: value}, ensure_ascii=False) for key, value in data.items()]
    lines += [json.dumps(node, ensure_ascii=False) for node in nodes]
    return "\n".join([*lines, json.dumps({"edges": edges})]) + "\n"


def golden_path(notation: str) -> Path:
    return FOLDER / (notation.replace(":", "-").replace("/", "_") + ".jsonl")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = {golden_path(notation): golden_text(notation) for notation in cases()}
    changed = 0
    for path in sorted({*wanted, *FOLDER.glob("*.jsonl")}):
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        new = wanted.get(path, "")
        if old != new:
            changed += 1
            sys.stdout.writelines(
                difflib.unified_diff(
                    old.splitlines(True), new.splitlines(True), f"old {path.name}", f"new {path.name}", n=0
                )
            )
            path.write_text(new, encoding="utf-8") if new else path.unlink()
    print(f"{changed} of {len(wanted)} goldens changed")


if __name__ == "__main__":
    os.environ.setdefault("CARTOMANCER_KERNEL", "interpreted")
    main()
