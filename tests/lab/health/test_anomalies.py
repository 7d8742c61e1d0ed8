"""Planted anomalies are found, in made-up matrices and in the real game; clean matrices raise no more than stated."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cartomancer.content.codex import Codex, load_codex
from cartomancer.encounters import names
from cartomancer.lab.health import anomalies
from cartomancer.lab.health.anomalies import CardEvidence, card_evidence, find_anomalies
from cartomancer.lab.health.cell_table import CellTable
from cartomancer.lab.health.findings import Finding, with_replays
from cartomancer.lab.matrix.cell_store import Settings
from cartomancer.lab.matrix.compositions import Compositions
from cartomancer.lab.matrix.matchups import Matrix, run_matrix
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES
from cartomancer.lab.panel.panel import Member, Panel, Seat
from cartomancer.players.policies import PlayerSpec, player_spec
from cartomancer.players.simulation import read_run_name, simulate

Array = np.ndarray[Any, Any]
CLASSES = ("knight", "cleric", "rogue", "bard", "druid")
ROOMS = ("hollow", "gallery", "breach", "cradle")
PARTIES = tuple(itertools.combinations_with_replacement(CLASSES, 4))
DUNGEONS = tuple(itertools.permutations(ROOMS, 2))
KILL, BREAK, BOND, SURVIVE = (names.OUTCOMES.index(name) for name in ("kill", "break", "bond", "survive"))
REPLICATIONS = 1000
ONCE_IN_A_MILLION = int(stats.binom.isf(1e-6, REPLICATIONS, FALSE_DISCOVERIES))


def uniforms(seed: int, *shape: int) -> Array:
    """Numbers in [0, 1) by SplitMix64, one for every place."""
    with np.errstate(over="ignore"):
        z = np.arange(int(np.prod(shape)), dtype=np.uint64) + np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15)
        for _ in range(2):
            z = (z + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)).astype(np.float64).reshape(shape) / 2.0**53


def shared(seed: int, cells: int, games: int, correlation: float) -> Array:
    """Numbers by cell and game; in two cells the same game has the same number with this probability."""
    own, common = uniforms(3 * seed, cells, games), uniforms(3 * seed + 1, games)
    takes_common = uniforms(3 * seed + 2, cells, games) < np.sqrt(correlation)
    return np.where(takes_common, common, own)


def table(
    seed: int = 1,
    games: int = 100,
    parties: tuple[tuple[str, ...], ...] = PARTIES,
    outcomes: tuple[float, ...] = (0, 0.3, 0.1, 0.1, 0.2, 0.1, 0.1, 0.09, 0.01, 0),
    leads: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1),
    falls: tuple[float, ...] = (0.25, 0.25, 0.25, 0.25),
    correlation: float = 0.0,
) -> CellTable:
    """A matrix of all these parties against all dungeons, every run drawn from the same distributions."""
    cells = len(parties) * len(DUNGEONS)
    party, dungeon = np.divmod(np.arange(cells), len(DUNGEONS))

    def counted(stream: int, shares: tuple[float, ...]) -> Array:
        drawn = np.searchsorted(np.cumsum(shares)[:-1], shared(10 * seed + stream, cells, games, correlation), "right")
        return np.stack([(drawn == code).sum(axis=1) for code in range(len(shares))], axis=1)

    ended, changed = counted(0, outcomes), counted(1, leads)
    return CellTable(
        parties=parties,
        labels=parties,
        dungeons=DUNGEONS,
        profiles=[None] * len(DUNGEONS),
        seed=seed,
        party=party,
        dungeon=dungeon,
        games=np.full(cells, games),
        points=ended[:, 1:4].sum(axis=1) + ended[:, BOND] / 2,
        outcomes=ended,
        lead_changes=changed @ np.arange(len(leads)),
        lead_changes_squared=changed @ np.arange(len(leads)) ** 2,
        first_down=counted(2, falls),
        one_member=0.8,
        least_agency=1.0,
    )


def of_kind(found: list[Finding], kind: str) -> list[Finding]:
    return [finding for finding in found if finding.kind == kind]


# --- clean matrices ---------------------------------------------------------------------------------------------------


def test_a_healthy_matrix_raises_nothing() -> None:
    assert find_anomalies(table(leads=(0.2, 0.3, 0.3, 0.2))) == []


def alarms(make: Callable[[int], list[Finding]]) -> int:
    return sum(bool(make(seed)) for seed in range(1, REPLICATIONS + 1))


def test_lead_changes_of_exactly_one_seldom_raise_an_alarm() -> None:
    """120 cells at the very bound: all findings would be false, so at most 5 % of the matrices may have any."""
    leads = (0.4, 0.3, 0.2, 0.1)
    assert sum(k * share for k, share in enumerate(leads)) == pytest.approx(1.0)
    few = PARTIES[:10]
    assert alarms(lambda seed: anomalies.without_agency(table(seed, 100, few))) <= ONCE_IN_A_MILLION


@pytest.mark.parametrize("correlation", [0.0, 0.15])
def test_a_class_that_falls_first_in_exactly_80_percent_seldom_raises_an_alarm(correlation: float) -> None:
    """Also where the cells' runs depend on one another through their seeds, as strongly as was measured."""
    parties = tuple(("cleric", *company) for company in itertools.combinations_with_replacement(CLASSES[2:], 3))
    falls = (0.8, 0.1, 0.05, 0.05)

    def found(seed: int) -> list[Finding]:
        return anomalies.falling_first(table(seed, 60, parties, falls=falls, correlation=correlation))

    assert alarms(found) <= ONCE_IN_A_MILLION


@pytest.mark.parametrize("correlation", [0.0, 0.15])
def test_outcomes_as_rare_in_every_order_seldom_raise_an_alarm(correlation: float) -> None:
    """Survive in 2 % of the runs of every order: zeros come by chance."""
    shares = (0, 0.4, 0.2, 0.1, 0.2, 0.04, 0.02, 0.02, 0.02, 0)

    def found(seed: int) -> list[Finding]:
        return anomalies.missing_outcomes(table(seed, 25, PARTIES[:6], outcomes=shares, correlation=correlation))

    assert alarms(found) <= ONCE_IN_A_MILLION


def test_winning_exactly_70_percent_against_everybody_seldom_raises_an_alarm() -> None:
    shares = (0, 0.7, 0, 0, 0, 0.3, 0, 0, 0)
    found = alarms(lambda seed: anomalies.dominating(table(seed, 50, PARTIES[:6], outcomes=shares)))
    assert found <= ONCE_IN_A_MILLION


def test_cards_without_effect_seldom_raise_an_alarm() -> None:
    """A hundred cards whose true contribution is nothing, with wide intervals: significance and size both guard."""

    def found(seed: int) -> list[Finding]:
        z = stats.norm.ppf(np.clip(uniforms(seed, 100), 1e-12, None))
        cards = [
            CardEvidence("boar", "visitor", f"card_{k}", 500, 0.5, 0.1 * v, (0.1 * v - 0.196, 0.1 * v + 0.196), p)
            for k, (v, p) in enumerate(zip(z, 2 * stats.norm.sf(abs(z)), strict=True))
        ]
        return anomalies.winning_cards(cards)

    assert alarms(found) <= ONCE_IN_A_MILLION


# --- planted anomalies ------------------------------------------------------------------------------------------------


def test_a_class_that_always_falls_first_is_found() -> None:
    clean = table()
    falls = clean.first_down.copy()
    for cell, number in enumerate(clean.party):
        if "cleric" in PARTIES[number]:
            falls[cell] = 3
            falls[cell, PARTIES[number].index("cleric")] = 91
    found = of_kind(find_anomalies(replace(clean, first_down=falls)), "falls_first")
    assert [finding.subject for finding in found] == ["cleric"]
    assert found[0].value == pytest.approx(0.91)
    assert found[0].interval[0] > 0.8
    assert found[0].q <= 0.05
    assert "Cleric falls first in 91 %" in found[0].sentence
    assert "whatever the company: over 80 % in 20 of 20" in found[0].sentence
    assert "cleric" in found[0].scenario


def test_falling_first_in_some_companies_only_is_no_anomaly() -> None:
    """Beside a knight the cleric is safe: pooled it is over 80 %, but not whatever the company."""
    clean = table()
    falls = clean.first_down.copy()
    for cell, number in enumerate(clean.party):
        if "cleric" in PARTIES[number]:
            falls[cell] = 0 if "knight" not in PARTIES[number] else 15
            falls[cell, PARTIES[number].index("cleric")] = 100 if "knight" not in PARTIES[number] else 55
    assert falls[:, :].sum() > 0
    assert not of_kind(find_anomalies(replace(clean, first_down=falls)), "falls_first")


def test_a_class_with_several_seats_does_not_fall_first_by_its_number() -> None:
    """Three clerics of four members fall first in most runs; that says nothing of clerics."""
    parties = (("knight", "cleric", "cleric", "cleric"), ("cleric", "cleric", "cleric", "rogue"))
    assert not anomalies.falling_first(table(parties=parties, falls=(0.3, 0.3, 0.3, 0.1)))


def test_an_order_that_never_shows_an_outcome_is_found() -> None:
    clean = table()
    ended = clean.outcomes.copy()
    dungeon = DUNGEONS.index(("breach", "hollow"))
    ended[clean.dungeon == dungeon, KILL] += ended[clean.dungeon == dungeon, BREAK]
    ended[clean.dungeon == dungeon, BREAK] = 0
    found = of_kind(find_anomalies(replace(clean, outcomes=ended)), "missing_outcome")
    assert [finding.subject for finding in found] == ["breach-hollow: break"]
    assert found[0].runs == 100 * len(PARTIES)
    assert found[0].bound == pytest.approx(0.1, abs=0.02)
    assert found[0].scenario.endswith("/breach-hollow")
    assert found[0].example.scenario.endswith("/hollow-breach")
    assert found[0].example.values == (BREAK,)


def test_an_outcome_that_no_order_of_the_rooms_shows_is_no_anomaly_of_an_order() -> None:
    clean = table()
    ended = clean.outcomes.copy()
    for rooms in (("breach", "hollow"), ("hollow", "breach")):
        ended[clean.dungeon == DUNGEONS.index(rooms), BREAK] = 0
    assert not of_kind(find_anomalies(replace(clean, outcomes=ended)), "missing_outcome")


def test_orders_are_compared_party_by_party() -> None:
    """One order met only parties that never bond, the other only parties that do: that is the parties' doing."""
    clean = table(parties=PARTIES[:2])
    one, other = DUNGEONS.index(("breach", "hollow")), DUNGEONS.index(("hollow", "breach"))
    ended = clean.outcomes.copy()
    ended[(clean.party == 0), BOND] = 0
    kept = ~(((clean.party == 0) & (clean.dungeon == other)) | ((clean.party == 1) & (clean.dungeon == one)))
    columns = ("party", "dungeon", "games", "points", "lead_changes", "lead_changes_squared")
    cut = {name: getattr(clean, name)[kept] for name in columns}
    thinner = replace(clean, **cut, outcomes=ended[kept], first_down=clean.first_down[kept])
    assert not anomalies.missing_outcomes(thinner)


def test_a_party_and_a_dungeon_that_beat_everybody_are_found() -> None:
    clean = table(leads=(0.2, 0.3, 0.3, 0.2))
    strong, terrible = clean.party == 4, clean.dungeon == 7
    wins_but_one = np.where(strong & ~terrible, 8, clean.points)
    assert of_kind(find_anomalies(replace(clean, points=wins_but_one)), "domination") == []
    found = of_kind(find_anomalies(replace(clean, points=np.where(strong, 8, clean.points))), "domination")
    assert [finding.subject for finding in found] == ["-".join(PARTIES[4])]
    assert "wins 70 % or more against all 12 opponents" in found[0].sentence
    assert found[0].value == pytest.approx(0.92)
    found = of_kind(find_anomalies(replace(clean, points=np.where(terrible, 92, clean.points))), "domination")
    assert [finding.subject for finding in found] == ["-".join(DUNGEONS[7])]


def test_peeking_asks_for_more() -> None:
    """82 of 100 everywhere: enough where the number of games was fixed, not where it was decided by looking."""
    clean = table(parties=PARTIES[:6])
    fixed = replace(clean, points=np.full(len(clean.party), 82))
    assert len(anomalies.dominating(fixed)) == len(DUNGEONS)
    assert anomalies.dominating(replace(fixed, peeked=True)) == []
    sure = replace(clean, points=np.full(len(clean.party), 97), peeked=True)
    assert len(anomalies.dominating(sure)) == len(DUNGEONS)


def test_nobody_dominates_who_met_too_few() -> None:
    """Every dungeon wins every game, but each met only a handful of parties."""
    everything = (0, 1, 0, 0, 0, 0, 0, 0, 0)
    handful = anomalies.LEAST_OPPONENTS
    assert anomalies.dominating(table(parties=PARTIES[: handful - 1], outcomes=everything)) == []
    assert len(anomalies.dominating(table(parties=PARTIES[:handful], outcomes=everything))) == len(DUNGEONS)


def test_a_matchup_without_agency_is_found() -> None:
    clean = table(leads=(0.2, 0.3, 0.3, 0.2))
    sums, squares = clean.lead_changes.copy(), clean.lead_changes_squared.copy()
    sums[17], squares[17] = 20, 20
    found = find_anomalies(replace(clean, lead_changes=sums, lead_changes_squared=squares))
    assert [(finding.kind, finding.value, finding.scenario) for finding in found] == [
        ("no_agency", 0.2, clean.scenario(17))
    ]
    assert found[0].interval[1] < 1.0
    assert found[0].severity == pytest.approx(1 - found[0].interval[1])


def test_a_card_in_winners_beyond_chance_is_found() -> None:
    strong = CardEvidence("boar", "dungeon", "doom_root", 5000, 0.4, 0.35, (0.31, 0.39), 1e-30)
    certain_but_small = replace(strong, card="nice_root", contribution=0.08, interval=(0.05, 0.11), p=1e-9)
    large_but_uncertain = replace(strong, card="rare_root", contribution=0.5, interval=(0.21, 0.79), p=0.04)
    harmful = replace(strong, card="bad_root", contribution=-0.35, interval=(-0.39, -0.31))
    found = anomalies.winning_cards([strong, certain_but_small, large_but_uncertain, harmful])
    assert [finding.subject for finding in found] == ["doom_root"]
    assert "wins 35 points more often (31 to 39)" in found[0].sentence


def attack(gain: float, low: float, high: float, player: str = "turtle") -> Panel:
    """A panel of one player in the visitor's seat."""
    verdict = "exploit" if low > 0.02 else "fair"
    member = Member(
        player, 0.5, "heuristic", gain, (low, high), 0.4, 400, verdict, "cartomancer encounter replay x@1:2"
    )
    return Panel("boar", 1, (Seat("visitor", "heuristic", {"heuristic": 0.4}, (member,)),))


def test_a_player_that_surely_does_too_well_without_playing_is_found_with_its_own_replay() -> None:
    small, unsure, sure = attack(0.015, 0.01, 0.02), attack(0.05, -0.01, 0.11), attack(0.09, 0.06, 0.12, "pass")
    (found,) = anomalies.exploits([small, unsure, sure])
    assert (found.kind, found.subject, found.bound) == ("exploit", "pass/boar", 0.02)
    assert found.sentence == "boar: as the visitor, pass gains 9.0 points on the heuristic (6.0 to 12.0)."
    half = stats.norm.isf(0.025)
    assert found.p == pytest.approx(stats.norm.sf((0.09 - 0.02) / (0.03 / half)), rel=1e-6)
    (told,) = with_replays([found], 10, 1, PlayerSpec(), PlayerSpec())
    assert told.replay == "cartomancer encounter replay x@1:2"
    assert [one.kind for one in find_anomalies(table(), panels=[sure])] == ["exploit"]


def test_the_worst_comes_first() -> None:
    clean = table(leads=(0.2, 0.3, 0.3, 0.2))
    sums, squares = clean.lead_changes.copy(), clean.lead_changes_squared.copy()
    sums[[17, 40]], squares[[17, 40]] = (20, 5), (20, 5)
    found = find_anomalies(replace(clean, lead_changes=sums, lead_changes_squared=squares))
    assert [finding.scenario for finding in found] == [clean.scenario(40), clean.scenario(17)]


# --- the real game ----------------------------------------------------------------------------------------------------


def played(codex: Codex, parties: tuple[str, ...], dungeons: tuple[str, ...], games: int) -> Matrix:
    space = Compositions.of(codex)
    cells = [(space.parties.find(party), space.dungeons.find(rooms)) for party in parties for rooms in dungeons]
    return run_matrix(space, cells, games, Settings(seed=5))


def test_a_class_with_one_point_of_vitality_is_found_and_its_replay_shows_it_fall() -> None:
    codex = load_codex()
    frail = codex.classes["cleric"].model_copy(update={"vitality": 1})
    edited = replace(codex, classes={**codex.classes, "cleric": frail})
    parties = ("knight-battlemage-cleric-rogue", "knight-knight-cleric-druid", "cleric-rogue-ranger-bard")
    dungeons = ("root_hollow-veil_breach", "bell_foundry-root_hollow", "thousand_drawers-root_hollow")
    clean, planted = (CellTable.of(played(one, parties, dungeons, 150)) for one in (codex, edited))
    assert anomalies.falling_first(clean) == []
    found = anomalies.falling_first(planted)
    assert [finding.subject for finding in found] == ["cleric"]
    (shown,) = with_replays(found, 150, planted.seed, PlayerSpec(), PlayerSpec(), edited)
    assert shown.replay.startswith("cartomancer encounter replay match:")
    named = read_run_name(shown.replay.split()[-1])
    assert named is not None
    scenario, seed, index = named
    assert (scenario, seed) == (shown.scenario, 5)
    row = simulate(scenario, index + 1, seed, codex=edited).rows[index]
    assert scenario.split(":")[1].split("/")[0].split("-")[row["first_down"]] == "cleric"


def test_a_card_of_absurd_power_is_found() -> None:
    from cartomancer.lab.report.survey import survey

    codex = load_codex()
    absurd = codex.cards["sappers_swing"].model_copy(update={"power": 20})
    edited = replace(codex, cards={**codex.cards, "sappers_swing": absurd})
    clean, planted = (card_evidence(survey("loud-rooms", 1500, 7, codex=one)) for one in (codex, edited))
    assert anomalies.winning_cards(clean) == []
    assert "sappers_swing" in {finding.subject for finding in anomalies.winning_cards(planted)}


def test_a_dungeon_that_nobody_survives_dominates() -> None:
    """The pools of every class at one: each dungeon beats each party."""
    codex = load_codex()
    weak = {
        name: entry.model_copy(update={"vitality": 1, "resolve": 1, "nerve": 1})
        for name, entry in codex.classes.items()
    }
    parties = tuple(party for party in codex.parties)[:5]
    table = CellTable.of(played(replace(codex, classes=weak), parties, ("root_hollow-veil_breach",), 60))
    assert [finding.subject for finding in anomalies.dominating(table)] == ["root_hollow-veil_breach"]


def test_cells_on_the_same_seeds_depend_on_one_another_less_than_is_allowed_for() -> None:
    """Who falls first and how it ends, in cells that share half their party or their rooms, run by run."""
    members = ("knight-battlemage-cleric-rogue", "knight-knight-cleric-druid", "cleric-rogue-ranger-bard")
    cells = [f"match:{party}/root_hollow-veil_breach" for party in members]
    rows = {name: simulate(name, 1500, 5).rows for name in cells}
    cleric = [
        rows[name]["first_down"] == party.split("-").index("cleric") for name, party in zip(cells, members, strict=True)
    ]
    lost = [np.isin(rows[name]["outcome"], (1, 2, 3)) for name in cells]
    for facts in (cleric, lost):
        related = np.corrcoef(np.array(facts, np.float64))[np.triu_indices(len(facts), 1)]
        assert related.mean() < anomalies.SEED_CORRELATION


def test_a_replay_says_who_played() -> None:
    table_of_one = played(load_codex(), ("standard_company",), ("root_hollow-veil_breach",), 30)
    name = table_of_one.name(0)
    example = anomalies.ExampleRun(name, "outcome", (1, 2, 3))
    finding = Finding("domination", "x", "x", 1, (1, 1), 1, 30, 0, 1, name, example)
    (shown,) = with_replays([finding], 30, 5, player_spec("nurturing", "dungeon"), PlayerSpec())
    assert shown.replay.endswith("--ai-dungeon heuristic:nurturing")
