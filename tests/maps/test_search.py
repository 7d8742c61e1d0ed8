"""Queries and the search for them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.errors import CartomancerError, KeptFileError, QueryError, UnknownNameError
from cartomancer.maps import searching
from cartomancer.maps.analysis import measured
from cartomancer.maps.kernel.query import STACK_DEPTH, distance_of
from cartomancer.maps.queries import NUMBERS, PER_TYPE, compile_query, known_names, most_of_each

GUIDE = load_preset("voyage", "guide")
EXAMPLE = "max_path(elite) >= 4 and first_row(shop) <= 4"


def distance(text: str, drawn: maps.Map) -> float:
    query = compile_query(text, drawn.family)
    found = distance_of(query.program, measured(drawn)[0], np.zeros(STACK_DEPTH + 1, np.int64))
    return int(found) / query.scale


@pytest.fixture(scope="module")
def drawn() -> maps.Map:
    return maps.generate("voyage", "guide", 42)


def test_queries_are_true_exactly_when_python_says_so(drawn: maps.Map) -> None:
    found = maps.analyse(drawn)
    elite = found.types["elite"]
    values = {"routes": found.routes, "most": elite.most, "count": elite.count, "linearity": found.linearity}
    for text in (
        "{routes} >= 250",
        "{routes} < 250 or {most} == 2",
        "not ({count} > 2 and {most} <= 2)",
        "not not {count} != 3",
        "1 <= {most} < 3 <= {count}",
        "{count} * 2 + 1 - {most} == 5",
        "-{count} < 0",
        "{linearity} > 0.7 and {linearity} < 0.72",
        "{count} >= 2.5",
        "{linearity} + {count} * 2 >= 6.7",
    ):
        names = {"routes": "routes", "most": "max_path(elite)", "count": "count(elite)", "linearity": "linearity"}
        truth = eval(text.format(**values))
        assert (distance(text.format(**names), drawn) == 0) is truth, text


def test_distances_say_how_far_a_map_is(drawn: maps.Map) -> None:
    found = maps.analyse(drawn)
    elites, routes = found.types["elite"].count, found.routes
    assert distance(f"count(elite) >= {elites + 2}", drawn) == 2
    assert distance(f"count(elite) >= {elites + 2} and routes <= {routes - 10}", drawn) == 12
    assert distance(f"count(elite) >= {elites + 2} or routes <= {routes - 10}", drawn) == 2
    assert distance("linearity <= 0.5", drawn) == pytest.approx(maps.analyse(drawn).linearity - 0.5, abs=0.001)


@given(
    st.recursive(
        st.sampled_from(["count(elite) >= 3", "routes < 200", "min_path(port) == 1", "linearity > 0.7"]),
        lambda inner: st.one_of(
            st.builds("not ({})".format, inner),
            st.builds("({}) and ({})".format, inner, inner),
            st.builds("({}) or ({})".format, inner, inner),
        ),
        max_leaves=12,
    )
)
def test_any_nesting_means_what_it_says(text: str) -> None:
    drawn = maps.generate("voyage", "guide", 42)
    found = maps.analyse(drawn)
    plain = text.replace("count(elite)", str(found.types["elite"].count))
    plain = plain.replace("min_path(port)", str(found.types["port"].least))
    plain = plain.replace("routes", str(found.routes)).replace("linearity", str(found.linearity))
    assert (distance(text, drawn) == 0) is eval(plain)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("max_path(elit) >= 1", UnknownNameError, "did you mean 'elite'"),
        ("max_pth(elite) >= 1", UnknownNameError, "max_path"),
        ("rutes > 3", UnknownNameError, "did you mean 'routes'"),
        ("routes", QueryError, "is a value, not a condition"),
        ("max_path >= 1", QueryError, "needs a type"),
        ("max_path(elite, shop) >= 1", QueryError, "exactly one type"),
        ("routes / 2 > 1", QueryError, "use \\+ - \\*"),
        ("(routes > 1) + 1 > 1", QueryError, "is a condition, not a number"),
        ("routes >", QueryError, "is not an expression"),
        ("routes in [1]", QueryError, "comparison"),
        ("__import__('os').system('true') == 0", UnknownNameError, "unknown name"),
        ("'a' < 1", QueryError, "not something"),
        ("linearity * routes > 1", QueryError, "whole number"),
        ("linearity * True > 1", QueryError, "whole number"),
        ("linearity * 10000000000000 > 1", QueryError, "beyond ±1,000,000,000,000"),
        ("count(elite) * 1000000000000 * 1000000000000 > 5", QueryError, "27 digits.*beyond the ±9,223"),
        ("0 - count(elite) * 1000000000000 * 100000 != 5", QueryError, "beyond the ±9,223"),
        ("routes * routes * routes * routes > 1", QueryError, "could reach"),
        (" or ".join(f"count(elite) * 1000000000000 * {k} > 5" for k in (9, 99_999_999)), QueryError, "could reach"),
    ],
)
def test_what_is_no_query_is_refused(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        compile_query(text, "voyage")


@pytest.mark.parametrize(
    ("family", "preset"), [(f, p) for f in ("voyage", "contract", "guardian") for p in preset_ids(f)]
)
def test_no_map_has_more_of_anything_than_its_rules_allow(family: str, preset: str) -> None:
    """What queries are bounded by: were it too little, a search could still wrap around."""
    rules = load_preset(family, preset)
    most = most_of_each(rules)
    for seed in range(40):
        found = measured(maps.generate_from(rules, preset, seed))[0]
        assert all(0 <= found[index] <= bound for index, bound in most.items())


def test_the_longest_voyage_can_be_searched_by_routes_and_decimals() -> None:
    rules = load_preset("voyage", "guide", {"rows": 40, "columns": 9, "paths": 8})
    assert compile_query("routes >= 1000000 and linearity > 0.5", "voyage", rules).scale == 1000
    with pytest.raises(QueryError, match="on a map of these rules"):
        compile_query("routes * routes > 1", "voyage", rules)
    assert compile_query("routes * routes > 1", "voyage", GUIDE).scale == 1


def test_minutes_of_play_are_searched_where_the_rules_tell_them() -> None:
    rules = load_preset("guardian", "composition")
    (seed,) = maps.search(rules, "composition", "max_minutes <= 26.5 and min_minutes < mean_minutes", 500, 1).state.hits
    minutes = maps.analyse(maps.generate("guardian", "composition", seed)).minutes
    assert minutes is not None
    assert minutes.longest <= 26.5
    with pytest.raises(QueryError, match="the rules of voyage maps do not say"):
        compile_query("max_minutes <= 30", "voyage")
    assert any(line.startswith("max_minutes") for line in known_names("guardian"))
    assert not any("minutes" in line for line in known_names("voyage"))


def test_types_of_another_family_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="contract type 'monster'"):
        compile_query("count(monster) > 1", "contract")


def test_every_name_is_listed_with_its_meaning() -> None:
    listed = "\n".join(known_names("guardian"))
    assert all(name in listed for name in [*NUMBERS, *PER_TYPE])


def test_hits_fit_the_query_and_no_seed_between_them_does() -> None:
    result = maps.search(GUIDE, "guide", EXAMPLE, seeds=200_000, limit=3)
    hits = result.state.hits
    assert len(hits) == 3
    for seed in range(hits[-1] + 1):
        found = maps.analyse(maps.generate("voyage", "guide", seed)).types
        elite, shop = found.get("elite"), found.get("shop")
        fits = elite is not None and shop is not None and elite.most >= 4 and shop.first_row <= 4
        assert fits == (seed in hits)


def test_the_search_finds_the_same_seeds_whatever_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    first = maps.search(GUIDE, "guide", EXAMPLE, seeds=30_000, limit=40).state
    monkeypatch.setitem(searching.CHUNKS, "thread", 777)
    second = maps.search(GUIDE, "guide", EXAMPLE, seeds=30_000, limit=40).state
    assert first.hits == second.hits


def test_a_search_without_a_hit_tells_the_closest_miss() -> None:
    result = maps.search(GUIDE, "guide", "count(elite) >= 90", seeds=5_000).as_dict()
    assert result["hits"] == []
    assert result["looked_at"] == 5_000
    miss = result["closest_miss"]
    elites = maps.analyse(maps.generate("voyage", "guide", miss["seed"])).types["elite"].count
    assert miss["distance"] == 90 - elites


def test_seeds_wrap_around_the_end_of_64_bits() -> None:
    result = maps.search(GUIDE, "guide", "nodes >= 1", seeds=4, limit=4, start=2**64 - 2)
    assert result.state.hits == [2**64 - 2, 2**64 - 1, 0, 1]


def test_a_checkpoint_is_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(searching.CHUNKS, "thread", 1_000)
    path = tmp_path / "search.json"

    def stop_early(state: searching.SearchState) -> None:
        if state.looked_at >= 3_000:
            raise KeyboardInterrupt

    first = maps.search(GUIDE, "guide", EXAMPLE, 20_000, 50, checkpoint=path, progress=stop_early)
    assert not first.finished
    assert json.loads(path.read_text())["looked_at"] == first.state.looked_at < 20_000
    second = maps.search(GUIDE, "guide", EXAMPLE, 20_000, 50, checkpoint=path)
    whole = maps.search(GUIDE, "guide", EXAMPLE, 20_000, 50)
    assert second.finished
    assert second.state.hits == whole.state.hits
    assert second.state.looked_at == whole.state.looked_at


def test_a_checkpoint_of_another_search_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    maps.search(GUIDE, "guide", "routes > 1", 100, 1, checkpoint=path)
    before = path.read_text()
    with pytest.raises(CartomancerError, match="another search"):
        maps.search(GUIDE, "guide", "routes > 2", 100, 1, checkpoint=path)
    assert path.read_text() == before
    path.write_text("{")
    with pytest.raises(KeptFileError, match="not a search checkpoint"):
        maps.search(GUIDE, "guide", "routes > 1", 100, 1, checkpoint=path)


def test_a_damaged_checkpoint_is_refused_with_every_fault_and_an_old_one_read(tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    query = (GUIDE, "guide", "routes > 1", 64, 1)
    hits = maps.search(*query, checkpoint=path).state.hits
    written = json.loads(path.read_text())
    path.write_text(json.dumps({key: value for key, value in written.items() if key != "digest"}))
    assert maps.search(*query, checkpoint=path).state.hits == hits
    for change, fields in (
        ({"hits": [9]}, {"digest"}),
        ({"looked_at": 0}, {"hits", "closest_seed", "digest"}),
        ({"start": -1, "closest_seed": "5"}, {"start", "closest_seed", "digest"}),
        ({"hits": None, "more": 1}, {"hits", "more", "digest"}),
    ):
        path.write_text(json.dumps(written | change))
        with pytest.raises(KeptFileError, match="not a search checkpoint") as caught:
            maps.search(*query, checkpoint=path)
        assert {fault.field for fault in caught.value.faults} == fields


def test_a_checkpoint_of_a_query_on_several_lines_is_gone_on_from(tmp_path: Path) -> None:
    query = (GUIDE, "guide", "(routes > 1\n\tand nodes > 1)", 64, 1)
    assert maps.search(*query, checkpoint=tmp_path / "a").seeds == maps.search(*query, checkpoint=tmp_path / "a").seeds
