"""What the rules say of themselves: the numbers in force, wherever there is a map."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cartomancer import maps
from cartomancer.content import load_preset
from cartomancer.maps import families


def said(family: str, preset: str | None = None, **overrides: Any) -> dict[str, str]:
    rules = load_preset(family, preset, overrides)
    return {rule.id: rule.says(rules) for rule in families.of(family).rules}


@pytest.mark.parametrize(
    ("overrides", "rule", "words"),
    [
        ({"rows": 20}, "voyage.elite-unlock", "No Elite before row 7."),
        ({"rows": 5, "elite_unlock_percent": 0}, "voyage.elite-unlock", "No Elite before row 2."),
        ({"rows": 20}, "voyage.treasure-row", "Every node of row 12 is a Treasure."),
        ({"treasure": "none"}, "voyage.treasure-row", "No whole row is made of Treasures."),
        ({"rows": 20}, "voyage.pre-boss-ports", "Every node of row 19 is a Port."),
        ({"rows": 20}, "voyage.boss-row", "Row 20 is the Boss, and no other row holds one."),
        ({"rows": 20}, "voyage.row-ban", "No Port on row 18."),
        (
            {"row_bans": [{"types": ["shop", "event"], "first": 2, "last": 4}]},
            "voyage.row-ban",
            "No Port on row 13; no Shop or Event on rows 2 to 4.",
        ),
        ({"ban_port_before_ports": False}, "voyage.row-ban", "No row bans a type."),
        ({"no_repeat": ["elite"]}, "voyage.no-repeat", "Along an edge no Elite follows an Elite."),
        ({"no_repeat": []}, "voyage.no-repeat", "Any type may follow itself along an edge."),
        ({"split_unique": False}, "voyage.split-unique", "Ways that part at a node may lead to equal types."),
        (
            {"treasure": "single", "treasure_window": [4, 6]},
            "voyage.single-treasure",
            "Exactly one locked Treasure lies on a path, on row 4, 5 or 6.",
        ),
        ({}, "voyage.single-treasure", "No single Treasure is placed."),
        ({"paths": 3}, "voyage.paths", "3 different paths follow the edges, and every node lies on one."),
    ],
)
def test_a_voyage_says_its_numbers(overrides: dict[str, Any], rule: str, words: str) -> None:
    assert said("voyage", "guide", **overrides)[rule] == words


def test_a_contract_says_its_demands() -> None:
    rules = said("contract", "standard", guarantee_scope="path", lane_switching=False)
    assert rules["contract.cap"] == "Steps that may hold a type: elite in at most 1."
    assert rules["contract.requirement"].startswith(
        "On every path: all steps together need at least 1 step(s) of event"
    )
    assert "If steps 1 to 4 hold fewer than 1 of rest, step 4 is forced to be rest." in rules["contract.guarantee"]
    assert rules["contract.lanes"] == "Edges stay in their lane until the lanes meet."
    assert rules["contract.relief"] == "No step calls for relief."
    extended = said("contract", "rival_extended")
    assert extended["contract.relief"] == "If elite appears in step 6, every node of step 7 is rest or shop."


def test_a_guardian_map_says_its_caps() -> None:
    rules = said("guardian", "three_acts", elite_cap=3, quiet_layers=2, edges_per_node_max=3, nodes_per_layer_max=4)
    assert rules["guardian.run-cap"] == "No more than 3 elite(s), 2 rest(s) and 2 shop(s) in a run."
    assert rules["guardian.act-cap"] == "No more than 1 elite(s) in an act."
    assert rules["guardian.quiet-layers"] == "The first 2 layer(s) hold neither elites nor rests."
    assert rules["guardian.layer-size"] == "A random floor has 1 to 4 nodes, every other floor one."
    assert rules["guardian.edge-count"] == "No node has more than 3 way(s) onward."


def test_violations_say_what_the_rules_in_force_demand() -> None:
    drawn = maps.generate("voyage", "guide", 42, {"rows": 20})
    early = drawn.row_nodes(2)[0]
    spoilt = replace(drawn, nodes=tuple(replace(n, type="elite") if n is early else n for n in drawn.nodes))
    told = [str(violation) for violation in maps.check(spoilt).violations]
    assert f"{early.place} elite: No Elite before row 7. [voyage.elite-unlock]" in told


def test_explanations_say_what_the_rules_in_force_demand() -> None:
    drawn = maps.generate("voyage", "guide", 42, {"rows": 20, "elite_unlock_percent": 60})
    assert maps.explain(drawn, drawn.boss.id).sentences()[0].startswith("Fixed as boss: Row 20 is the Boss")
    (elite,) = [choice for choice in maps.explain(drawn, drawn.row_nodes(10)[0].id).choices if choice.type == "elite"]
    assert (elite.banned_by, elite.because) == ("voyage.elite-unlock", "No Elite before row 12.")
