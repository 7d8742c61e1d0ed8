"""The contract every map family must keep, whatever its rules: one suite over every preset."""

from __future__ import annotations

import json

import jsonschema
import pytest

from cartomancer import maps
from cartomancer.content import preset_ids, preset_schema
from cartomancer.maps import families
from cartomancer.maps.json_format import map_schema

OUTSIDE = "delve"  # the example of a family from outside the package
PRESETS = [(family, preset) for family in families.names() for preset in preset_ids(family)]
PRESETS += [(OUTSIDE, "shaft"), (OUTSIDE, "abyss")]
SEEDS = [0, 1, 42, 987654321, 2**64 - 1]


@pytest.fixture(params=PRESETS, ids=[":".join(preset) for preset in PRESETS])
def drawn_maps(request: pytest.FixtureRequest) -> list[maps.Map]:
    if request.param[0] == OUTSIDE:
        request.getfixturevalue("delve")
    return [maps.generate(*request.param, seed=seed) for seed in SEEDS]


def test_the_same_seed_gives_the_same_map(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        assert maps.generate(drawn.family, drawn.preset, drawn.seed) == drawn


def test_different_seeds_give_different_maps(drawn_maps: list[maps.Map]) -> None:
    assert len({(drawn.edges, tuple(node.type for node in drawn.nodes)) for drawn in drawn_maps}) > 1


def test_ids_count_in_reading_order_and_types_belong_to_the_family(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        places = [(node.row, node.column) for node in drawn.nodes]
        assert [node.id for node in drawn.nodes] == list(range(len(places)))
        assert places == sorted(set(places))
        assert {node.type for node in drawn.nodes} <= set(families.of(drawn.family).kinds)


def test_edges_lead_to_the_next_row_and_every_start_reaches_the_one_boss(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        assert len(drawn.row_nodes(drawn.rows)) == 1
        assert drawn.boss.type == "boss"
        for source, target in drawn.edges:
            assert drawn.by_id[target].row == drawn.by_id[source].row + 1
        for node in drawn.nodes:
            assert node is drawn.boss or drawn.onward[node.id]
            assert node.row == 1 or drawn.back[node.id]


def test_no_rule_is_broken(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        assert maps.check(drawn).as_dict() == {"ok": True, "violations": [], "waivers": []}


def test_a_sound_map_is_left_alone_by_repair(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        result = maps.repair(drawn)
        assert result.map == drawn
        assert result.changes == ()


def test_json_gives_back_an_equal_map(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        assert maps.from_json(maps.to_json(drawn)) == drawn


def test_json_has_the_published_shape(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        data = json.loads(maps.to_json(drawn))
        jsonschema.validate(data, map_schema())
        assert data["format"] == "cartomancer.map/1"


def test_the_schema_refuses_what_is_no_map(drawn_maps: list[maps.Map]) -> None:
    data = json.loads(maps.to_json(drawn_maps[0]))
    data["nodes"][0]["type"] = "swamp"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, map_schema())


def test_the_notation_regenerates_the_map(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        assert maps.read_notation(drawn.notation) == drawn


def test_every_node_can_be_explained_and_the_explanation_ends_with_its_type(drawn_maps: list[maps.Map]) -> None:
    drawn = drawn_maps[2]
    for node in drawn.nodes:
        told = maps.explain(drawn, node.id)
        assert told.drawn_as is None
        assert f"It is {node.type}" in told.sentences()[-1]
        if told.fixed_by:
            assert not told.choices
        else:
            assert sum(choice.share for choice in told.choices) == pytest.approx(1)
            final = told.forced_by[-1].type if told.forced_by else told.rolls[-1][0]
            assert node.type in (final, told.narrowed_to) or told.searched or told.retyped_for


def test_a_party_can_walk_any_map_to_its_end(drawn_maps: list[maps.Map]) -> None:
    for drawn in drawn_maps:
        journey = maps.Journey(drawn)
        while not journey.over:
            journey = journey.select("host", journey.available()[-1].id)
        assert len(journey.visited) == drawn.rows
        assert maps.Journey.load(json.loads(json.dumps(journey.save()))) == journey


@pytest.mark.usefixtures("delve")
def test_every_rule_of_the_family_can_be_named() -> None:
    for family in map(families.of, families.names()):
        rules = family.rules
        assert len({rule.id for rule in rules}) == len({rule.code for rule in rules}) == len(rules)
        assert {rule.id.split(".")[0] for rule in rules} == {family.name, "map"}


@pytest.mark.usefixtures("delve")
@pytest.mark.parametrize("family", [*families.names(), OUTSIDE])
def test_the_inspector_schema_has_title_tooltip_and_default_or_requirement_for_every_field(family: str) -> None:
    schema = preset_schema(family)
    for model in (schema, *schema["$defs"].values()):
        for name, field in model.get("properties", {}).items():
            if name not in {"family", "extends"}:
                assert field.get("title"), name
                assert field.get("description"), name
                assert "default" in field or name in model["required"], name


def test_every_rule_is_stated_with_the_numbers_in_force(drawn_maps: list[maps.Map]) -> None:
    """No formula of the general form is left: ⌈0.35·R⌉, R−1."""
    rules = drawn_maps[0].rules
    for rule in families.of(rules.family).rules:
        said = rule.says(rules)
        assert said.endswith(".")
        assert not set("⌈⌉·{}") & set(said)
        assert "R−" not in said
        assert "Row R " not in said
