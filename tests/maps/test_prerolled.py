"""Guardian maps furnished: acts, guardians, memories, encounters that match their node and grow with the party."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartomancer import maps
from cartomancer.content import load_preset
from cartomancer.content.catalog import load_catalog
from cartomancer.errors import MapFileError, RulesError
from cartomancer.maps.model import Map
from cartomancer.maps.prerolled import draw_pack, guardian_encounter, roll_encounter
from cartomancer.maps.public import public_view
from cartomancer.rng import Stream, codes

PRESETS = ("three_acts", "slice", "five_acts")
THEMES = load_catalog().encounters.themes
SEEDS = range(40)


def generate(preset: str, seed: int, **overrides: Any) -> Map:
    return maps.generate("guardian", preset, seed=seed, overrides=overrides)


def tier_of(enemy: str) -> str:
    catalog = load_catalog()
    return "guardian" if enemy in catalog.guardians else catalog.enemies[enemy].tier


def tiers(encounter: dict[str, Any]) -> list[str]:
    return [tier_of(enemy["id"]) for enemy in encounter["enemies"]]


def total_health(encounter: dict[str, Any]) -> int:
    return sum(enemy["health"] for enemy in encounter["enemies"])


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_encounter_matches_the_node_type(preset: str, players: int) -> None:
    for seed in SEEDS:
        for node in generate(preset, seed, players=players).nodes:
            encounter = node.details["encounter"]
            match node.type:
                case "combat":
                    assert encounter["tier"] == "basic"
                    assert set(tiers(encounter)) == {"basic"}
                case "elite":
                    assert encounter["tier"] == "elite"
                    assert "elite" in tiers(encounter)
                    assert "guardian" not in tiers(encounter)
                case "boss":
                    assert encounter["tier"] == "guardian"
                    assert [enemy["id"] for enemy in encounter["enemies"]] == [node.details["guardian_id"]]
                case _:
                    assert encounter is None


@pytest.mark.parametrize("preset", PRESETS)
def test_enemies_belong_to_the_theme_of_their_act(preset: str) -> None:
    catalog = load_catalog()
    for seed in SEEDS:
        for node in generate(preset, seed, players=4).nodes:
            if node.type in ("combat", "elite"):
                themes = {catalog.enemies[enemy["id"]].theme for enemy in node.details["encounter"]["enemies"]}
                assert themes == {THEMES[node.details["act"] - 1]}


@pytest.mark.parametrize(
    ("preset", "guardians"),
    [
        ("slice", ["beholder"]),
        ("three_acts", ["beholder", "house", "shadow_kraken"]),
        ("five_acts", ["beholder", "house", "shadow_kraken", "dealer", "rng"]),
    ],
)
def test_guardians_stand_in_order_at_the_end_of_their_acts(preset: str, guardians: list[str]) -> None:
    for seed in SEEDS:
        drawn = generate(preset, seed)
        bosses = [node for node in drawn.nodes if node.details["is_guardian"]]
        assert bosses == [node for node in drawn.nodes if node.type == "boss"]
        assert [node.details["guardian_id"] for node in bosses] == guardians
        assert [node.details["act"] for node in bosses] == list(range(1, len(guardians) + 1))
        assert not any(node.details["portal"] for node in drawn.nodes)
        assert all(node.details["guardian_id"] is None for node in drawn.nodes if node.type != "boss")


def test_layers_floors_and_acts_count_as_the_document_counts() -> None:
    for node in generate("three_acts", 3).nodes:
        assert node.details["layer"] == node.row - 1
        assert node.details["floor"] == node.row
        assert node.details["act"] == (node.row - 1) // 5 + 1


def test_memory_shrines_carry_the_number_of_their_act() -> None:
    for seed in SEEDS:
        drawn = generate("three_acts", seed)
        memories = [node.details["memory_id"] for node in drawn.nodes if node.type == "memory_shrine"]
        assert memories == [1, 2]
        assert {node.details["memory_id"] for node in drawn.nodes if node.type != "memory_shrine"} == {None}


def test_the_portal_beyond_the_last_guardian_leads_to_rng() -> None:
    drawn = generate("three_acts", 7, defy_the_gods=True)
    portal = drawn.boss
    assert portal.row == 16
    assert (portal.details["portal"], portal.details["guardian_id"], portal.details["is_guardian"]) == (
        True,
        "rng",
        True,
    )
    assert portal.details["act"] == 3
    assert [enemy["id"] for enemy in portal.details["encounter"]["enemies"]] == ["rng"]
    assert [node.id for node in drawn.nodes if node.details["portal"]] == [portal.id]
    assert drawn.row_nodes(15)[0].details["guardian_id"] == "shadow_kraken"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("tier", ["basic", "elite"])
def test_more_players_meet_more_health(theme: str, tier: str) -> None:
    means = [
        sum(total_health(roll_encounter(seed, 2, tier, theme, players)) for seed in range(400)) / 400
        for players in (1, 2, 3, 4)
    ]
    for fewer, more in pairwise(means):
        assert more > 1.15 * fewer


@given(seed=st.integers(0, 2**64 - 1), theme=st.sampled_from(THEMES), players=st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_encounters_keep_their_counts_budgets_and_health(seed: int, theme: str, players: int) -> None:
    catalog, size = load_catalog(), players - 1
    tuning = catalog.encounters
    combat, elite = (roll_encounter(seed, 2, tier, theme, players) for tier in ("basic", "elite"))
    assert tuning.combat_enemies_least[size] <= len(combat["enemies"]) <= tuning.combat_enemies_most[size]
    assert sum(catalog.enemies[enemy["id"]].cost for enemy in combat["enemies"]) <= tuning.combat_budget[size]
    assert tiers(elite) == ["elite"] * tuning.elite_count[size] + ["basic"] * tuning.escort_count[size]
    for enemy in combat["enemies"] + elite["enemies"]:
        entry = catalog.enemies[enemy["id"]]
        shares = tuning.basic_health_percent if entry.tier == "basic" else tuning.elite_health_percent
        base = entry.health * shares[size] / 100
        spread = tuning.health_spread_percent / 100
        assert base * (1 - spread) - 1 < enemy["health"] <= base * (1 + spread)


@pytest.mark.parametrize("theme", THEMES)
def test_every_enemy_of_a_theme_appears(theme: str) -> None:
    catalog = load_catalog()
    met = {enemy["id"] for seed in range(300) for enemy in roll_encounter(seed, 2, "basic", theme, 2)["enemies"]}
    assert met == {enemy.id for enemy in catalog.enemies_of(theme, "basic")}
    met = {enemy["id"] for seed in range(300) for enemy in roll_encounter(seed, 2, "elite", theme, 4)["enemies"]}
    assert {enemy.id for enemy in catalog.enemies_of(theme, "elite")} <= met


@pytest.mark.parametrize("guardian", list(load_catalog().guardians))
def test_a_guardian_has_more_health_against_more_players(guardian: str) -> None:
    health = [total_health(guardian_encounter(guardian, players)) for players in (1, 2, 3, 4)]
    assert health[0] == load_catalog().guardians[guardian].health
    assert health == sorted(set(health))


def test_a_pack_spends_no_more_than_it_has_and_comes_complete() -> None:
    basics = load_catalog().enemies_of("graveyard", "basic")
    for index in range(300):
        pack = draw_pack(Stream(1, codes.STREAM_ENCOUNTER, index), basics, 3, 3)
        assert [enemy.cost for enemy in pack] == [1, 1, 1]


def acts_of(*guardians: str) -> list[dict[str, Any]]:
    plan = {"floors": ["entrance", "boss"], "weights": {"combat": 1}}
    return [{"title": "Here", "guardian": guardian, **plan} for guardian in guardians]


def test_misspelt_guardians_are_faults_with_the_nearest_name() -> None:
    with pytest.raises(RulesError) as caught:
        generate("three_acts", 3, acts=acts_of("beholdr", "house", "shadow_krakn"))
    assert [(fault.field, fault.value, fault.expected) for fault in caught.value.faults] == [
        ("acts[1].guardian", "beholdr", "beholder"),
        ("acts[3].guardian", "shadow_krakn", "shadow_kraken"),
    ]


def test_a_misspelt_guardian_is_a_fault_in_a_preset_file_and_in_a_map_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'family = "guardian"\nid = "mine"\ntitle = "Mine"\nextends = "slice"\n'
        '[[acts]]\ntitle = "Here"\nguardian = "beholdr"\nweights = { combat = 1 }\n'
    )
    with pytest.raises(RulesError, match=r"acts\[1\].guardian = 'beholdr' is not a known guardian.*beholder"):
        load_preset("guardian", str(path))
    data = maps.to_dict(generate("slice", 3))
    data["ruleset"]["fields"]["acts"][0]["guardian"] = "beholdr"
    with pytest.raises(MapFileError, match=r"acts\[1\].guardian = 'beholdr' is not a known guardian"):
        maps.from_json(json.dumps(data))


def test_the_theme_of_an_act_is_its_guardians_wherever_it_stands() -> None:
    drawn = generate("three_acts", 3, acts=acts_of("rng", "beholder"))
    catalog = load_catalog()
    entrances = [drawn.row_nodes(row)[0].details["encounter"]["enemies"][0]["id"] for row in (1, 3)]
    wanted = [catalog.guardians[guardian].theme for guardian in ("rng", "beholder")]
    assert [catalog.enemies[enemy].theme for enemy in entrances] == wanted


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_gives_the_same_encounters_in_plain_values(preset: str) -> None:
    for seed in SEEDS:
        drawn = generate(preset, seed, players=2)
        assert drawn == generate(preset, seed, players=2)
        for node in drawn.nodes:
            assert json.loads(json.dumps(node.details)) == node.details


def test_the_size_of_the_party_does_not_move_the_map() -> None:
    for seed in SEEDS:
        alone, four = generate("three_acts", seed), generate("three_acts", seed, players=4)
        assert alone.edges == four.edges
        assert [node.type for node in alone.nodes] == [node.type for node in four.nodes]


def test_the_public_half_hides_encounters_and_nothing_else() -> None:
    drawn = generate("three_acts", 7, defy_the_gods=True)
    seen = public_view(drawn)
    assert (seen.seed, seen.details) == (0, {"public": True})
    for node, public in zip(drawn.nodes, seen.nodes, strict=True):
        assert "encounter" not in public.details
        assert {**public.details, "encounter": node.details["encounter"]} == dict(node.details)
    assert public_view(drawn, entered=[0]).node(0) == drawn.node(0)
