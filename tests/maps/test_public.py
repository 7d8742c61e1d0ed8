"""The public half of a map: what it says in every format, what it refuses, and what joins it on the way (M14)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import networkx
import pytest

from cartomancer import maps
from cartomancer.errors import MapFileError, NotationError, PublicMapError
from cartomancer.maps import families
from cartomancer.maps.json_format import map_schema
from cartomancer.maps.model import Map

SEED = 9_876_543_210_123


@pytest.fixture(params=families.names())
def seen(request: pytest.FixtureRequest) -> Map:
    return maps.public_view(maps.generate(request.param, seed=SEED))


REFUSED: dict[str, Callable[[Map], Any]] = {
    "walked": maps.Journey,
    "explained": lambda seen: maps.explain(seen, 0),
    "repaired": maps.repair,
    "compared": maps.differences,
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_the_seed_is_refused(seen: Map, what: str) -> None:
    with pytest.raises(PublicMapError, match=f"hides its seed: it cannot be {what}"):
        REFUSED[what](seen)


def test_the_notation_of_a_public_half_regenerates_nothing(seen: Map) -> None:
    assert seen.notation.endswith(":hidden")
    with pytest.raises(NotationError, match="hides its seed"):
        maps.read_map(seen.notation)


def test_a_public_half_says_so_in_every_format_and_never_a_seed(seen: Map) -> None:
    written = json.loads(maps.to_json(seen))
    assert written["public"] is True
    assert "seed" not in written
    for format in ("godot", "unity"):
        data = json.loads(maps.FORMATS[format](seen))
        assert (data["public"], data["seed"]) == (True, "")
    graph = networkx.read_graphml(io.BytesIO(maps.FORMATS["graphml"](seen).encode())).graph
    assert (graph["public"], graph["seed"]) == (True, "")
    assert "public=true" in maps.FORMATS["dot"](seen)
    assert "\npublic: true\n---\n" in maps.FORMATS["mermaid"](seen)
    picture = maps.to_svg(seen)
    assert 'data-public="true"' in picture
    assert "public: true" in picture
    assert "public: true" in maps.to_text(seen)
    for text in (picture, maps.to_text(seen), *(write(seen) for write in maps.FORMATS.values())):
        assert "seed 0" not in text
        assert str(SEED) not in text


def test_a_whole_map_says_that_it_is_not_public() -> None:
    drawn = maps.generate("guardian", seed=SEED)
    for format in ("godot", "unity"):
        data = json.loads(maps.FORMATS[format](drawn))
        assert (data["public"], data["seed"]) == (False, str(SEED))
    assert "public" not in maps.to_svg(drawn)
    assert "public" not in maps.to_dict(drawn)


def test_a_public_file_reads_back_with_or_without_the_nought_of_older_files(seen: Map) -> None:
    written = maps.to_dict(seen)
    jsonschema.validate(written, map_schema())
    for data in (written, {**written, "seed": 0}):
        assert maps.from_json(json.dumps(data)) == seen


@pytest.mark.parametrize("change", [{"seed": 7}, {"public": "yes"}, {"public": False}])
def test_a_file_that_is_neither_half_is_refused(change: dict[str, Any]) -> None:
    seen = maps.public_view(maps.generate("voyage", seed=SEED))
    with pytest.raises(MapFileError):
        maps.from_json(json.dumps({**maps.to_dict(seen), **change}))


# --- the client's view ------------------------------------------------------------------------------------------------


def test_the_client_sees_the_public_half_and_what_was_entered() -> None:
    for family in families.names():
        journey = maps.Journey(maps.generate(family, seed=SEED))
        while not journey.over:
            view = journey.client_view()
            assert view.is_public
            assert view.visited == journey.visited
            for node, shown in zip(journey.map.nodes, view.nodes, strict=True):
                hidden = maps.public_view(journey.map).node(node.id)
                became = {"resolved": journey.resolved[node.id]} if node.id in journey.resolved else {}
                entered = node.id in journey.visited
                assert shown.details == ({**node.details, **became} if entered else hidden.details)
            assert maps.from_json(maps.to_json(view)) == view
            jsonschema.validate(maps.to_dict(view), map_schema())
            journey = journey.select(journey.host, journey.available()[-1].id)


def test_what_an_unknown_became_stands_in_its_title() -> None:
    journey = maps.Journey(maps.generate("voyage", seed=5)).force_next("shop")
    while not journey.resolved:
        journey = journey.select(journey.host, journey.available()[0].id)
    assert "unknown (shop)" in maps.to_svg(journey.client_view())


@pytest.mark.parametrize("outcome", ["dragon", None, ["shop"]])
def test_a_file_in_which_an_unknown_became_something_else_is_refused(outcome: object) -> None:
    data = maps.to_dict(maps.public_view(maps.generate("voyage", seed=5)))
    next(node for node in data["nodes"] if node["type"] == "unknown")["resolved"] = outcome
    with pytest.raises(MapFileError, match="resolved"):
        maps.from_json(json.dumps(data))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, map_schema())
