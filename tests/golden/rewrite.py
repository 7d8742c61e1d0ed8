"""Rewrite the goldens and show what changed: `make goldens`.

A golden map is a whole map of a preset and seed as JSON, one line a node. A golden encounter is a whole run of a
scenario and seed in sentences, with a hash of the state after every decision: some with both sides choosing at random,
which only the rules and the cards can change, and one between heuristic players, which their weights change as well.
A golden expedition is a whole run over a map with every choice and everything that happened.
When one differs, either the change was meant, and this script records it, or a seed has stopped meaning what it meant.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
SEED = 42
RUNS = (("random", 1), ("random", 2), ("heuristic", 1))
SPECIAL = [
    "voyage:guide[columns=9,paths=8,rows=40]:7",
    "voyage:sparse[rows=6]:7",
    "contract:standard[guarantee_scope=path,lane_switching=false]:7",
    "contract:rival_extended[heat=high,hooks=injury+stress,rival=vengeful]:7",
    "guardian:three_acts[defy_the_gods=true,players=4]:7",
]


def cases() -> list[str]:
    """The notations of all golden maps: every preset, and some special rules."""
    from cartomancer.content import preset_ids
    from cartomancer.maps import families

    return [f"{family}:{preset}:{SEED}" for family in families.names() for preset in preset_ids(family)] + SPECIAL


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
    return FOLDER / "maps" / (notation.replace(":", "-").replace("/", "_") + ".jsonl")


def run_cases() -> list[tuple[str, str, int]]:
    """(scenario, players, seed) of all golden encounters: every scenario, some seeds."""
    from cartomancer.content.codex import load_codex

    return [(scenario, players, seed) for scenario in load_codex().scenarios for players, seed in RUNS]


def run_text(scenario: str, players: str, seed: int) -> str:
    """A whole run as a story: what was chosen, what came of it, and where the state stood."""
    from cartomancer.codes import STREAM_OPPONENT
    from cartomancer.encounters import Encounter, Narrator, notation
    from cartomancer.players.player import make_players
    from cartomancer.rng import Stream

    fight, chooser = Encounter(scenario, seed), Stream(seed, STREAM_OPPONENT)
    teller, seated = Narrator(fight.packed), make_players(fight.packed)
    lines = [f"{scenario} seed {seed} content {fight.packed.digest}", *teller.sentences(fight.opening)]
    while fight.decision is not None:
        options = fight.legal()
        chosen = options[chooser.below(len(options))] if players == "random" else seated.choose(fight)
        lines.append(f"> {fight.decision.side}: {fight.text_of(chosen)} (1 of {len(options)})")
        lines += teller.sentences(fight.apply(chosen))
        lines.append(f"  {fight.state_hash()}")
    return "\n".join([*lines, str(fight.outcome), notation(fight)]) + "\n"


def run_path(scenario: str, players: str, seed: int) -> Path:
    return FOLDER / "encounters" / f"{scenario}-{players}-{seed}.txt"


def expedition_cases() -> list[tuple[str, str]]:
    """(preset, explorer) of all golden expeditions: each family, each temper, one at random."""
    presets = ("voyage:guide", "contract:rival_extended", "guardian:three_acts")
    return [(preset, who) for preset in presets for who in ("careful", "greedy", "random")]


def expedition_text(preset: str, who: str) -> str:
    """A whole run over a map: what was chosen of how much, what happened, and what the party had at the end."""
    from cartomancer import maps
    from cartomancer.campaign.expedition import Expedition, explorer, save_run, tell

    family, _, name = preset.partition(":")
    run, chooser = Expedition(maps.generate(family, name, SEED), "standard_company"), explorer(who)
    lines = [f"{preset} seed {SEED} explored by {who}"]
    while (asked := run.decision) is not None:
        best, count = chooser.weigh(run)[0].option.action, len(run.legal())
        lines.append(f"> {asked.kind}: {best} (1 of {count})")
        lines += [f"  {tell(one)}" for one in run.apply(best)]
    return "\n".join([*lines, str(run.outcome), save_run(run)["digest"]]) + "\n"


def expedition_path(preset: str, who: str) -> Path:
    return FOLDER / "expeditions" / f"{preset.replace(':', '-')}-{who}.txt"


def kept() -> set[Path]:
    """Every golden file there is."""
    return {*FOLDER.glob("maps/*.jsonl"), *FOLDER.glob("encounters/*.txt"), *FOLDER.glob("expeditions/*.txt")}


def main() -> None:
    wanted = {golden_path(notation): golden_text(notation) for notation in cases()}
    wanted |= {run_path(*case): run_text(*case) for case in run_cases()}
    wanted |= {expedition_path(*case): expedition_text(*case) for case in expedition_cases()}
    changed = 0
    for path in sorted({*wanted, *kept()}):
        path.parent.mkdir(exist_ok=True)
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
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    main()
