"""Unknown resolution: order, pity, bans, scope, saves, and the exact forecast."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartomancer.content.models.voyage import UnknownRules
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.maps import forecasting
from cartomancer.maps.forecasting import forecast
from cartomancer.maps.unknowns import OUTCOMES, UnknownResolver

PITY = st.tuples(st.integers(0, 12), st.integers(0, 60), st.integers(0, 40))


def resolver_at(seed: int, pity: tuple[int, int, int], rules: UnknownRules | None = None) -> UnknownResolver:
    return UnknownResolver(seed, rules, pity)


def test_candidates_are_tried_in_order_battle_treasure_shop() -> None:
    certain = UnknownRules(base_battle=0, pity_battle=0, base_treasure=1, base_shop=1)
    assert UnknownResolver(1, certain).visit().outcome == "treasure"


def test_a_banned_candidate_is_skipped_and_its_pity_still_rises() -> None:
    rules = UnknownRules(base_battle=1)
    resolver = UnknownResolver(1, rules)
    result = resolver.visit(["monster"])
    assert result.outcome != "battle"
    assert result.banned == ("battle",)
    assert resolver.pity[0] == 1


def test_bans_can_be_switched_off() -> None:
    assert (
        UnknownResolver(1, UnknownRules(base_battle=1, respect_row_bans=False)).visit(["monster"]).outcome == "battle"
    )


@given(PITY, st.integers(0, 1000))
def test_the_chosen_type_resets_and_the_others_rise(pity: tuple[int, int, int], seed: int) -> None:
    result = resolver_at(seed, pity).visit()
    expected = [0 if name == result.outcome else count + 1 for name, count in zip(OUTCOMES, pity, strict=False)]
    assert list(result.pity_after) == expected


def test_chances_are_capped_at_one() -> None:
    assert resolver_at(1, (500, 500, 500)).chances() == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("scope", "pity"), [("per_act", (0, 0, 0)), ("per_run", (2, 2, 2))])
def test_pity_scope(scope: str, pity: tuple[int, int, int]) -> None:
    resolver = UnknownResolver(1, UnknownRules(pity_scope=scope))
    for _ in range(2):
        resolver.force_next("event")
        resolver.visit()
    resolver.enter_act(2)
    assert resolver.pity == pity


def test_forcing_one_visit_changes_no_later_dice() -> None:
    """Each visit has its own stream: with pity switched off, only the forced visit differs."""
    rules = UnknownRules(pity_battle=0, pity_treasure=0, pity_shop=0)
    plain, forced = UnknownResolver(8, rules), UnknownResolver(8, rules)
    for visit in range(50):
        if visit == 3:
            forced.force_next("shop")
        a, b = plain.visit().outcome, forced.visit().outcome
        assert (b == "shop") if visit == 3 else (a == b)


@given(st.integers(0, 2**64 - 1), st.integers(0, 30))
def test_a_saved_resolver_goes_on_as_if_it_had_never_stopped(seed: int, before: int) -> None:
    whole = UnknownResolver(seed)
    story = [whole.visit().outcome for _ in range(before + 10)]
    first = UnknownResolver(seed)
    for _ in range(before):
        first.visit()
    second = UnknownResolver.load(json.loads(json.dumps(first.save())))
    assert [second.visit().outcome for _ in range(10)] == story[before:]


@pytest.mark.parametrize("damage", [{"format": "x"}, {"pity": [1]}, {"rules": {"base_shop": 7}}, {"forced": "boat"}])
def test_a_damaged_save_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises(CartomancerError):
        UnknownResolver.load({**UnknownResolver(1).save(), **damage})


def test_an_unknown_outcome_cannot_be_forced() -> None:
    with pytest.raises(UnknownNameError, match="battle, treasure, shop, event"):
        UnknownResolver(1).force_next("port")


def test_the_first_visit_has_the_sequential_odds() -> None:
    first = forecast(UnknownRules(), 1)[0]
    assert [first[name] for name in OUTCOMES] == pytest.approx([0.10, 0.018, 0.02646, 0.85554])


@given(PITY, st.integers(1, 12))
def test_forecasts_add_up(pity: tuple[int, int, int], visits: int) -> None:
    for step in forecast(UnknownRules(), visits, pity):
        assert sum(step[name] for name in OUTCOMES) == pytest.approx(1)


@pytest.mark.parametrize(("pity", "banned"), [((0, 0, 0), ()), ((5, 20, 9), ()), ((2, 2, 2), ("shop",))])
def test_the_forecast_agrees_with_monte_carlo(pity: tuple[int, int, int], banned: tuple[str, ...]) -> None:
    """20,000 stories of six visits; a rate is off by five standard errors once in 1.7 million."""
    stories, visits = 20_000, 6
    counts = [Counter[str]() for _ in range(visits)]
    seen = [Counter[str]() for _ in range(visits)]
    for seed in range(stories):
        resolver, had = resolver_at(seed, pity), set()
        for k in range(visits):
            outcome = resolver.visit(banned).outcome
            had.add(outcome)
            counts[k][outcome] += 1
            seen[k].update(had)
    for k, step in enumerate(forecast(UnknownRules(), visits, pity, banned)):
        for name in OUTCOMES:
            for expected, got in ((step[name], counts[k][name]), (step[f"{name}_by_now"], seen[k][name])):
                error = 5 * (max(expected * (1 - expected), 0) / stories) ** 0.5 + 1e-9
                assert abs(got / stories - expected) <= error


def walked(rules: UnknownRules, visits: int, pity: tuple[int, int, int]) -> list[dict[str, float]]:
    """The forecast by a plain walk over every pity vector and what has come: exact, and slow."""
    states = {(*pity, frozenset[str]()): 1.0}
    steps = []
    for _ in range(visits):
        after: dict[tuple[int, int, int, frozenset[str]], float] = defaultdict(float)
        step = dict.fromkeys(OUTCOMES, 0.0)
        for (*counters, had), probability in states.items():
            left = probability
            for k, chance in enumerate((*UnknownResolver(0, rules, counters).chances(), 1.0)):
                step[OUTCOMES[k]] += left * chance
                moved = [0 if k == other else count + 1 for other, count in enumerate(counters)]
                after[(*moved, had | {OUTCOMES[k]})] += left * chance
                left *= 1 - chance
        states = after
        step |= {f"{name}_by_now": sum(p for (*_, had), p in states.items() if name in had) for name in OUTCOMES}
        steps.append(step)
    return steps


@pytest.mark.parametrize("pity", [(0, 0, 0), (3, 40, 30), (0, 900_000, 5)])
@pytest.mark.parametrize(
    "odds",
    [
        {},
        {"pity_battle": 0},
        {"base_battle": 0, "pity_battle": 0.5},
        {"base_battle": 0, "pity_battle": 1, "base_shop": 0, "pity_shop": 0},
        {"pity_treasure": 0.000001},
    ],
)
def test_the_forecast_is_that_of_every_pity_vector(odds: dict[str, float], pity: tuple[int, int, int]) -> None:
    rules = UnknownRules(**odds)
    for found, due in zip(forecast(rules, 8, pity), walked(rules, 8, pity), strict=True):
        assert found == pytest.approx(due, abs=1e-12)


def test_a_forecast_of_ten_thousand_visits_is_done_once_the_distribution_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under a second: a move over 17,000 pity vectors takes a tenth of a millisecond, and a few hundred are enough."""
    moves = Counter[str]()
    move = forecasting.PityWalk.visit

    def counted(walk: Any, mass: Any, unless: int) -> Any:
        moves["all"] += 1
        return move(walk, mass, unless)

    monkeypatch.setattr(forecasting.PityWalk, "visit", counted)
    steps = forecast(UnknownRules(), 10_000)
    assert moves["all"] < 1_000
    assert len(steps) == 10_000
    assert sum(steps[-1][name] for name in OUTCOMES) == pytest.approx(1)
    # in the long run a Battle comes once in the mean number of visits between two of them
    still, mean = 1.0, 0.0
    for waited in range(10):
        mean += still
        still *= 1 - (waited + 1) / 10
    assert steps[-1]["battle"] == pytest.approx(1 / mean)


def test_certain_outcomes_go_round_for_ever() -> None:
    """An Event raises Battle to certainty, a Battle takes it back to nothing."""
    rules = UnknownRules(base_battle=0, pity_battle=1, base_treasure=0, pity_treasure=0, base_shop=0, pity_shop=0)
    steps = forecast(rules, 1_001)
    assert [step["battle"] for step in steps] == [visit % 2 for visit in range(1_001)]


def test_a_forecast_over_too_many_pity_vectors_is_refused() -> None:
    tiny = UnknownRules(pity_battle=0.000001, pity_treasure=0.000001, pity_shop=0.000001)
    assert len(forecast(tiny, 20)) == 20
    with pytest.raises(CartomancerError, match=r"10,000 visits would follow .* pity vectors.*larger pity steps"):
        forecast(tiny, 10_000)


# --- adjacency, acts -------------------------------------------------------------------------------------------------


def test_neighbours_are_heeded_only_by_rules_that_do_not_ignore_adjacency() -> None:
    """[Voyage P3], M30: a type forbidden beside them is skipped as a banned one is, whatever becomes of row bans."""
    for respect in (True, False):
        sure = {"base_shop": 1.0, "base_battle": 0.0, "base_treasure": 0.0, "respect_row_bans": respect}
        assert UnknownResolver(1, UnknownRules(**sure)).visit(beside=["shop"]).outcome == "shop"
        heeding = UnknownResolver(1, UnknownRules(**sure, ignore_adjacency=False))
        result = heeding.visit(beside=["shop", "elite"])
        assert (result.outcome, result.banned, result.pity_after) == ("event", ("shop",), (1, 1, 1))
        assert heeding.visit(["shop"]).outcome == ("event" if respect else "shop")


def test_a_forecast_heeds_neighbours_as_the_resolver_does() -> None:
    rules = UnknownRules(ignore_adjacency=False)
    assert forecast(rules, 5, beside=["shop"]) == forecast(rules, 5, banned_types=["shop"])
    assert forecast(UnknownRules(), 5, beside=["shop"]) == forecast(UnknownRules(), 5)


def test_an_act_may_have_rules_of_its_own() -> None:
    resolver = UnknownResolver(1, UnknownRules(pity_scope="per_run"))
    resolver.visit()
    resolver.enter_act(2, UnknownRules(pity_scope="per_run", base_battle=1.0))
    assert (resolver.visit().outcome, resolver.visits, resolver.act) == ("battle", 2, 2)


@pytest.mark.parametrize("scope", ["per_act", "per_run"])
@pytest.mark.parametrize("pity", [(0, 0, 0), (4, 10, 7)])
def test_a_forecast_through_acts_agrees_with_stories_through_acts(scope: str, pity: tuple[int, int, int]) -> None:
    """20,000 stories of two whole acts of three visits and one begun; five standard errors."""
    rules, stories, visits = UnknownRules(pity_scope=scope), 20_000, 7
    counts, seen = ([Counter[str]() for _ in range(visits)] for _ in range(2))
    for seed in range(stories):
        resolver, had = resolver_at(seed, pity, rules), set()
        for k in range(visits):
            resolver.enter_act(1 + k // 3)
            had.add(outcome := resolver.visit().outcome)
            counts[k][outcome] += 1
            seen[k].update(had)
    for k, step in enumerate(forecast(rules, visits, pity, visits_per_act=3)):
        for name in OUTCOMES:
            for expected, got in ((step[name], counts[k][name]), (step[f"{name}_by_now"], seen[k][name])):
                error = 5 * (max(expected * (1 - expected), 0) / stories) ** 0.5 + 1e-9
                assert abs(got / stories - expected) <= error
