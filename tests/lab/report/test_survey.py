"""The survey: the same runs as `simulate`, watched; what it counts, against runs replayed decision by decision."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.encounters.arena import Arena, card, offer, strike

from cartomancer.encounters import actions as forms
from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import Event
from cartomancer.encounters.events import TABLE, read
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.events import new_log
from cartomancer.encounters.kernel.layout import MOST_CARDS, STATE, TABLES
from cartomancer.encounters.kernel.protocol import advance, apply, is_moving, set_up, take
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import CartomancerError
from cartomancer.jit import records, wrapping
from cartomancer.lab.kernel.counting import NOTES, TALLY, count_events
from cartomancer.lab.kernel.facts import FACTS
from cartomancer.lab.kernel.lines import MOST_LINES, MOST_STEPS
from cartomancer.lab.measures.losses import GROUPS
from cartomancer.lab.report import survey as module
from cartomancer.lab.report.card_usage import contribution
from cartomancer.lab.report.survey import CauseShare, Survey, survey
from cartomancer.players.policies import PlayerSpec
from cartomancer.players.simulation import run_of, run_seed, simulate
from cartomancer.rng import Stream

PLAYED = set(names.CATEGORIES)  # how the words of an action that plays a card begin


@pytest.fixture(scope="module")
def boar() -> Survey:
    """Six runs of a creature through three rooms."""
    return survey("boar", 6, seed=3)


# --- the same runs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "runs", "dungeon", "visitor"),
    [
        ("boar", 300, None, None),
        ("symbiote", 300, None, None),
        ("company-gauntlet", 300, None, None),
        ("deceptive", 300, None, None),
        ("boar", 40, PlayerSpec("random"), PlayerSpec("random")),
        ("boar", 4, PlayerSpec("montecarlo", rollouts=1), None),
    ],
)
def test_a_survey_plays_the_runs_of_the_batch(
    scenario: str, runs: int, dungeon: PlayerSpec | None, visitor: PlayerSpec | None
) -> None:
    watched = survey(scenario, runs, 7, dungeon, visitor)
    plain = simulate(scenario, runs, 7, dungeon, visitor)
    assert watched.simulation.result_hash == plain.result_hash
    assert (watched.simulation.rows == plain.rows).all()
    assert int(watched.tally["overflows"]) == 0
    wins = [plain.wins("dungeon"), plain.wins("visitor"), plain.count("bond"), plain.count("fled")]
    assert watched.tally["runs"].tolist() == wins


def test_threads_change_no_number() -> None:
    one, two = (survey("company-gauntlet", 120, 7, threads=threads) for threads in (1, 2))
    assert one.tally.tobytes() == two.tally.tobytes()


def test_interpreted_kernels_count_the_same() -> None:
    told = (
        "import hashlib; from cartomancer.lab.report.survey import survey; t = survey('company-gauntlet', 4, 7).tally"
    )
    script = f"{told}\nprint(hashlib.sha256(t.tobytes()).hexdigest())"
    interpreted = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    found = subprocess.run([sys.executable, "-c", script], env=interpreted, capture_output=True, text=True, check=True)
    here = survey("company-gauntlet", 4, 7).tally
    assert found.stdout.strip() == hashlib.sha256(here.tobytes()).hexdigest()


@pytest.mark.parametrize(("runs", "threads"), [(0, None), (10**9, None), (5, 0)])
def test_impossible_surveys_are_refused(runs: int, threads: int | None) -> None:
    with pytest.raises(CartomancerError):
        survey("boar", runs, threads=threads)


def test_an_interrupt_keeps_the_leading_runs() -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    found = survey("boar", 200, 7, threads=1, progress=stop)
    assert 0 < found.runs < 200
    assert found.tally["runs"].sum() == found.runs
    assert found.tally.tobytes() == survey("boar", found.runs, 7).tally.tobytes()


# --- momentum ---------------------------------------------------------------------------------------------------------


def shares_by_round(fight: Encounter) -> list[list[list[int]]]:
    """Both sides' shares in thousandths at every round's end, from the steps of a run taken one by one."""
    tables, state, log = fight.packed.tables, records(1, STATE)[0], new_log()
    found: list[list[list[int]]] = []
    left = list(fight.actions)
    with wrapping():
        set_up(tables, state, np.uint64(fight.seed))
        while int(state["awaiting"]) != codes.OVER or len(found) < int(state["rounds"]):
            ending = int(state["awaiting"]) in {codes.STEP_FINISH_ROUND, codes.STEP_CLOSE_ROOM, codes.OVER}
            if ending and len(found) < int(state["rounds"]):
                found.append(
                    [
                        [
                            max(0, int(now)) * 1000 // int(start)
                            for now, start in zip(s["reducers"], s["starts"], strict=True)
                        ]
                        for s in state["sides"]
                    ]
                )
            elif is_moving(state):
                advance(tables, state, log)
            else:
                take(tables, state, log, left.pop(0))
    return found


def test_momentum_is_the_mean_share_at_each_rounds_end(boar: Survey) -> None:
    batch = boar.simulation
    fights = [run_of(batch.packed, batch.policies, batch.seed, index) for index in range(batch.runs)]
    curves = [shares_by_round(fight) for fight in fights]
    rounds = boar.momentum()
    assert len(rounds) == max(len(curve) for curve in curves)
    for at, row in enumerate(rounds):
        there = [k for k, curve in enumerate(curves) if len(curve) > at]
        assert row["round"] == at + 1
        assert row["reached"] == len(there)
        assert row["share_of_runs"] == pytest.approx(len(there) / batch.runs)
        for p, side in enumerate(names.SIDES):
            means = [sum(curves[k][at][p]) / 3000 for k in there]
            assert row[side]["mean"] == pytest.approx(np.mean(means))
            interval = row[side]["interval"]
            assert (interval is None) == (len(there) == 1)
            if interval is not None:
                assert sum(interval) / 2 == pytest.approx(np.mean(means), abs=1e-12)
                # squared, as sums of squares give it: what rounding leaves of runs all alike has a root of about 1e-8
                half = stats.t(len(means) - 1).ppf(0.975) * np.std(means, ddof=1) / len(means) ** 0.5
                assert ((interval[1] - interval[0]) / 2) ** 2 == pytest.approx(half**2, rel=1e-9, abs=1e-15)
            each = {
                name: np.mean([curves[k][at][p][r] for k in there]) / 1000 for r, name in enumerate(names.RESOURCES[p])
            }
            assert row[side]["shares"] == pytest.approx(each)
            for winner in names.SIDES:
                won = [sum(curves[k][at][p]) / 3000 for k in there if fights[k].outcome.winner == winner]  # type: ignore[union-attr]
                told = row[side]["when"][winner]
                assert (told is None) if not won else told["mean"] == pytest.approx(np.mean(won))


def test_everybody_reaches_the_first_round_and_fewer_each_later_one() -> None:
    reached = [row["reached"] for row in survey("moth", 200, 1).momentum()]
    assert reached[0] == 200
    assert reached == sorted(reached, reverse=True)


# --- cards ------------------------------------------------------------------------------------------------------------


def cards_played(fight: Encounter) -> Counter[tuple[str, str]]:
    """(side, card) of a finished run, from the words of its actions."""
    again, found = Encounter(fight.packed, fight.seed), Counter[tuple[str, str]]()
    for action in fight.actions:
        verb, *rest = again.text_of(action).split()
        if verb in PLAYED and again.decision is not None:
            found[again.decision.side, rest[0]] += 1
        again.apply(action)
    return found


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "company-gauntlet"])
def test_cards_are_counted_as_they_are_played(scenario: str) -> None:
    found = survey(scenario, 8, 3)
    batch = found.simulation
    runs = [cards_played(run_of(batch.packed, batch.policies, batch.seed, index)) for index in range(8)]
    total = sum(runs, Counter())
    uses = {(use.side, use.card): use for use in found.card_usage()}
    assert set(total) <= set(uses)
    for key, use in uses.items():
        assert use.plays == total[key], key
        assert use.plays_a_run == pytest.approx(total[key] / 8)
        assert use.runs == pytest.approx(sum(run[key] > 0 for run in runs) / 8)
    assert sum(total.values()) > 100


def test_a_card_is_compared_only_among_runs_alike() -> None:
    """Equal rounds, and for a room's own card equal rounds in that room: counted again from the rows."""
    found = survey("boar", 150, 7)
    batch, tally = found.simulation, found.tally
    packed = batch.packed
    first_room = next(card for card in packed.decks[0][0] if all(card not in deck for deck in packed.decks[0][1:]))
    expected = Counter[tuple[int, int, int]]()
    for row in batch.rows:
        won = int(names.OUTCOMES[int(row["outcome"])] in {"kill", "break", "panic", "bond"})
        spent = sum(
            int(r) for room, r in zip(row["room_path"], row["room_rounds"], strict=True) if int(room) == 0 and r
        )
        expected[won, int(row["rounds"]) - 1, min(spent, 15)] += 1
    every = tally["alike"][..., 0, first_room]
    assert {tuple(int(i) for i in at): int(every[tuple(at)]) for at in np.argwhere(every)} == expected
    visitors = tally["alike"][..., 1, packed.decks[1][0]]
    by_rooms = Counter(int(row["rooms_entered"]) for row in batch.rows)
    assert {k: int(visitors[:, :, k].sum()) for k in by_rooms} == by_rooms


# --- win contribution -------------------------------------------------------------------------------------------------


def test_contribution_by_hand() -> None:
    """Two strata: 60 % against 50 % of 100 and 100, 30 % against 10 % of 50 and 150.

    Weights 50 and 37.5; difference (50 · 0.1 + 37.5 · 0.2) / 87.5 = 1/7. Variance by Greenland and Robins:
    (50² (0.24/100 + 0.25/100) + 37.5² (0.21/50 + 0.09/150)) / 87.5². The test: excess 60 − 55 + 15 − 7.5 = 12.5; spread
    100·100·110·90/(200²·199) + 50·150·30·170/(200²·199).
    """
    found = contribution([(60, 100, 50, 100), (15, 50, 15, 150)])
    assert found is not None
    assert found.difference == pytest.approx(1 / 7)
    half = 1.959963984540054 * (2500 * 0.0049 + 1406.25 * (0.0042 + 0.0006)) ** 0.5 / 87.5
    assert found.interval == pytest.approx((1 / 7 - half, 1 / 7 + half))
    spread = (100 * 100 * 110 * 90 + 50 * 150 * 30 * 170) / (200**2 * 199)
    from scipy import stats

    assert found.p_value == pytest.approx(float(stats.chi2.sf(12.5**2 / spread, 1)))
    assert found.compared == 400


def test_strata_with_fewer_than_ten_runs_on_a_side_are_left_out() -> None:
    assert contribution([(9, 9, 0, 1000)]) is None
    assert contribution([(1000, 1000, 0, 9)]) is None
    thin = contribution([(5, 10, 5, 10), (9, 9, 0, 1000)])
    assert thin is not None
    assert (thin.difference, thin.compared) == (0.0, 20)


def test_a_card_of_long_runs_gains_nothing_from_their_length() -> None:
    """Long runs are won and show the card; within runs of a length it makes no difference: the crude rates mislead."""
    short, long = (10, 100, 90, 900), (720, 900, 80, 100)
    crude = (10 + 720) / 1000 - (90 + 80) / 1000
    found = contribution([short, long])
    assert crude > 0.5
    assert found is not None
    assert found.difference == pytest.approx(0.0)
    assert found.p_value == pytest.approx(1.0)


def test_everybody_winning_says_nothing_and_does_not_claim_to_know() -> None:
    """Agresti and Caffo: 21 of 22 on both sides."""
    found = contribution([(20, 20, 20, 20)])
    assert found is not None
    assert (found.difference, found.p_value) == (0.0, 1.0)
    half = 1.959963984540054 * (2 * (21 / 22) * (1 / 22) / 22) ** 0.5
    assert found.interval == pytest.approx((-half, half))


def test_a_group_that_always_wins_does_not_make_the_interval_contradict_the_test() -> None:
    found = contribution([(985, 1000, 50, 50)])
    assert found is not None
    assert found.difference == pytest.approx(-0.015)
    assert found.p_value > 0.05
    assert found.interval[0] < 0 < found.interval[1]


def test_a_card_that_wins_the_game_is_found_and_idle_ones_are_not() -> None:
    """A planted card: one Strike of great power beside idle ones, both sides at random."""
    idle = [strike(f"tap_{k}", power=1) for k in range(4)]
    arena = Arena(dungeon=[strike("doom", power=9, target="vitality"), *idle], visitor=[], round_limit=3, vitality=(8,))
    found = survey(arena.encounter.packed, 6000, 5, PlayerSpec("random"), PlayerSpec("random"), codex=arena.codex)
    uses = {use.card: use.contribution for use in found.card_usage()}
    doom = uses["doom"]
    assert doom is not None
    assert doom.difference > 0.1
    assert doom.interval[0] > 0.1
    assert doom.q_value < 1e-6
    for k in range(4):
        tap = uses[f"tap_{k}"]
        assert tap is not None
        assert abs(tap.difference) < doom.difference / 3


# --- keywords, triggers and the rest ----------------------------------------------------------------------------------


def counted(arena: Arena, *moves: str) -> dict[str, tuple[int, int]]:
    """What these actions count as: (dungeon, visitor) of everything that is not zero. The arena itself stays."""
    packed = arena.encounter.packed
    states, notes, tally = records(1, STATE), records(1, NOTES), records(1, TALLY)
    states[0] = arena.state
    log, no_lines = new_log(), np.zeros((MOST_LINES, MOST_STEPS, MOST_CARDS), np.int8)
    with wrapping():
        for move in moves:
            log[0, 0] = 0
            apply(packed.tables, states[0], log, forms.parse(packed, states[0], move))
            count_events(packed.tables, no_lines, log, notes[0], tally[0])
    fired = notes[0]["fired"]
    return {fact.name: (int(fired[k, 0]), int(fired[k, 1])) for k, fact in enumerate(FACTS) if fired[k].any()}


def struck(
    claw: dict[str, Any], tier: str = "strong", arrange: Any = None, **options: Any
) -> dict[str, tuple[int, int]]:
    """What a dungeon's Strike counts as."""
    arena = Arena(dungeon=[claw], **({"rules": {"rally": 0}} | options))
    arena.turn("dungeon", hand=[claw["id"]])
    arena.dice(tier)
    if arrange:
        arrange(arena)
    return counted(arena, f"strike {claw['id']}")


@pytest.mark.parametrize("keyword", ["entangle", "erode", "drain", "overwhelm", "piercing"])
def test_a_keyword_counts_when_its_strike_lands_and_not_when_it_misses(keyword: str) -> None:
    target = {"overwhelm": "nerve", "piercing": "vitality"}.get(keyword, "resolve")
    claw = strike("claw", keywords=[keyword], target=target)

    def wound(arena: Arena) -> None:
        arena.set(structure=15, nerve=1)

    assert struck(claw, arrange=wound) == {keyword: (1, 0)}
    assert struck(claw, "reversal", arrange=wound) == {}


def test_a_plain_strike_fires_nothing_and_a_drain_without_wounds_heals_nothing() -> None:
    assert struck(strike("claw")) == {}
    assert struck(strike("claw", keywords=["drain"])) == {}


def test_the_rally_is_not_taken_for_drain() -> None:
    def wound(arena: Arena) -> None:
        arena.set(structure=10)

    rallied = struck(strike("claw"), arrange=wound, rules={"rally": 1})
    both = struck(strike("claw", keywords=["drain"]), arrange=wound, rules={"rally": 1})
    assert rallied == {"rally": (1, 0)}
    assert both == {"rally": (1, 0), "drain": (1, 0)}


def test_erode_under_the_rooms_pressure_counts_as_suppressed() -> None:
    claw = strike("claw", target="nerve", keywords=["erode"])
    arena = Arena(dungeon=[claw], rules={"rally": 0}, auto=[{"resource": "nerve", "change": -1, "every": 1}])
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    assert counted(arena, "strike claw") == {"erode": (1, 0)}
    assert counted(arena, "strike claw", "end", "end") == {"erode": (1, 0), "erode_suppressed": (1, 0)}


def test_venom_is_not_taken_for_erode() -> None:
    venom = [{"code": "poison", "side": "enemies", "value": 1}]
    assert struck(strike("claw"), effects=venom) == {}
    assert struck(strike("claw", keywords=["erode"]), effects=venom) == {"erode": (1, 0)}


def test_cleave_and_focused_count_among_several_members_only() -> None:
    four = {"party": [[], [], [], []], "vitality": (10, 9, 8, 7)}
    assert struck(strike("claw", keywords=["cleave"]), **four) == {"cleave": (1, 0)}
    assert struck(strike("claw", keywords=["focused"]), **four) == {"focused": (1, 0)}
    assert struck(strike("claw", keywords=["focused"])) == {}
    assert struck(strike("claw", keywords=["cleave"])) == {}


def test_resonate_counts_when_the_last_card_was_of_its_type() -> None:
    arena = Arena(dungeon=[strike("one"), strike("two", keywords=["resonate"])], rules={"rally": 0})
    arena.turn("dungeon", hand=["one", "two"])
    arena.dice("strong", "strong")
    assert counted(arena, "strike two") == {}
    assert counted(arena, "strike one", "strike two") == {"resonate": (1, 0)}


def test_a_trigger_counts_when_it_changes_what_the_card_does() -> None:
    claw = strike("claw", trigger={"when": "opponent_entangled", "power": 2})
    assert struck(claw) == {}
    assert struck(claw, arrange=lambda arena: arena.side("visitor").__setitem__("entangled", 1)) == {"trigger": (1, 0)}


def test_an_offers_answers_belong_to_whoever_gives_them() -> None:
    arena = Arena(dungeon=[offer("gift")])
    arena.turn("dungeon", hand=["gift"])
    assert counted(arena, "offer gift", "accept") == {"offer_made": (1, 0), "offer_accepted": (0, 1)}
    assert counted(arena, "offer gift", "refuse") == {"offer_made": (1, 0), "offer_refused": (0, 1)}


def test_a_betrayal_is_the_strikers_doing() -> None:
    arena = Arena(dungeon=[strike("claw")], trust=6, rules={"rally": 0})
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    assert counted(arena, "strike claw") == {"betrayal": (1, 0)}


def test_a_sprung_trap_is_its_layers() -> None:
    snare = card("trap", "snare", "dungeon", springs="energy", target="nerve", power=1, entangle=True)
    arena = Arena(dungeon=[snare], visitor=[])
    arena.turn("dungeon", hand=["snare"])
    assert counted(arena, "trap snare") == {"trap_laid": (1, 0)}
    arena.act("trap snare")
    arena.turn("visitor", hand=["visitor_energy"])
    assert counted(arena, "energy visitor_energy") == {"trap_sprung": (1, 0), "entangle": (1, 0)}


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "company-gauntlet", "deceptive"])
def test_counts_agree_with_the_events_of_the_runs(scenario: str) -> None:
    """Everything counted, against the events of replayed runs."""
    found = survey(scenario, 6, 11)
    batch = found.simulation
    runs = [happenings(found, index) for index in range(6)]
    seen = [Counter((e.fields.get("keyword", e.kind), e.side) for e in run) for run in runs]
    rates = {row["name"]: row for row in found.keyword_rates()}
    assert list(rates) == [fact.name for fact in FACTS]
    assert {row["name"] for row in rates.values() if row["keyword"]} == set(names.KEYWORDS)
    for fact in FACTS:
        kind = fact.name if fact.keyword else fact.event.word
        for p, side in enumerate(names.SIDES):
            times = [one[kind, names.SIDES[1 - p] if fact.suffered else side] for one in seen]
            assert rates[fact.name][side]["times"] == sum(times), (fact.name, side)
            assert rates[fact.name][side]["a_run"] == pytest.approx(sum(times) / 6)
            assert rates[fact.name][side]["runs"]["rate"] == pytest.approx(sum(t > 0 for t in times) / 6)
    assert batch.runs == 6


def happenings(found: Survey, index: int) -> list[Event]:
    """The events of a surveyed run, played again."""
    batch = found.simulation
    again = Encounter(batch.packed, run_seed(batch.seed, index))
    happened = list(again.opening)
    for action in run_of(batch.packed, batch.policies, batch.seed, index).actions:
        happened += again.apply(action)
    return happened


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "company-gauntlet", "deceptive"])
def test_a_trigger_is_told_exactly_when_the_card_would_have_done_something_else_without_it(scenario: str) -> None:
    """The oracle plays every card a second time in a world whose triggers give nothing."""
    packed = pack(scenario)
    plain = records(1, TABLES)
    plain[0] = packed.tables
    for field in ("bonus", "bonus_keywords", "bonus_advantage"):
        for side in ("dungeon", "visitor"):
            plain[side]["cards"][field] = 0
    told = 0
    for seed in range(12):
        fight, chooser = Encounter(packed, seed), Stream(seed, 5)
        while fight.decision is not None:
            action = chooser.pick(fight.legal())
            shadow, real, log = records(1, STATE), records(1, STATE), new_log()
            shadow[0] = real[0] = fight.state
            with wrapping():
                take(plain[0], shadow[0], log, action)
                take(packed.tables, real[0], log, action)
            happened = fight.apply(action)
            fired = sum(event.kind == "triggered" for event in happened)
            assert fired == (shadow.tobytes() != real.tobytes()), (seed, len(fight.actions))
            told += fired
    assert told


def test_venom_beside_an_erode_that_was_shed_is_not_taken_for_erode() -> None:
    venom = [{"code": "poison", "side": "enemies", "value": 1}, {"code": "shed_debuff", "side": "party", "value": 1}]
    assert struck(strike("claw", keywords=["erode"]), effects=venom) == {}


# --- causes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["boar", "symbiote+venomous", "company-gauntlet"])
def test_causes_are_the_points_of_the_runs(scenario: str) -> None:
    found = survey(scenario, 5, 11)
    lost, gained, last = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    depleted = {"break": "resolve", "panic": "nerve", "overcome": "structure", "inert": "veil", "dominate": "presence"}
    for index in range(5):
        run = happenings(found, index)
        for event in run:
            if event.kind == "hurt":
                lost[event.reducer, event.cause] += event.points
            elif "reducer" in event.fields and "seat" in TABLE[event.kind].fields:  # healed, rescued, restored, resized
                (gained if event.points > 0 else lost)[event.reducer, event.cause] += abs(event.points)
        outcome = run[-1].outcome
        if outcome == "kill":
            last["vitality", [event.cause for event in run if event.kind == "knocked_out"][-1]] += 1
        elif outcome in depleted:
            struck = [e.cause for e in run if e.kind == "hurt" and e.reducer == depleted[outcome] and e.points]
            last[depleted[outcome], struck[-1]] += 1
    shares = found.causes()
    assert all(isinstance(share, CauseShare) and share.runs == 5 for share in shares)
    for told, counter in (("lost", lost), ("gained", gained), ("last_points", last)):
        assert {(s.reducer, s.cause): getattr(s, told) for s in shares if getattr(s, told)} == {
            key: count for key, count in counter.items() if count
        }
    assert {s.side for s in shares} == set(names.SIDES)


def test_every_run_that_ends_by_depletion_has_somebody_who_took_the_last_point() -> None:
    found = survey("boar", 200, 3)
    ended = sum(found.simulation.count(name) for name in ("kill", "break", "panic", "overcome", "inert", "dominate"))
    assert ended > 0
    assert sum(share.last_points for share in found.causes()) == ended
    assert not any(share.last_points for share in found.causes() if share.cause == "nothing")


# --- what is kept of every run ----------------------------------------------------------------------------------------


def strikes_in(packed: Packed, state: Any, p: int) -> Counter[int]:
    """The Strikes in a hand, by their instances."""
    side, deck = state["sides"][p], packed.decks[1] if p else packed.decks[0][int(state["room"])]
    hand = [int(instance) for instance in side["hand"][: int(side["hand_size"])]]
    return Counter(one for one in hand if packed.cards[deck[one]].category == "strike")


def strikes_drawn(fight: Encounter) -> list[int]:
    """How many Strikes came into each hand, from the hands before and after every step of a run: what a round's end
    draws may be gone when the next decision comes, for the room has ended."""
    packed, state, log = fight.packed, records(1, STATE)[0], new_log()
    left, held, drawn = list(fight.actions), [Counter[int](), Counter[int]()], [0, 0]
    with wrapping():
        set_up(packed.tables, state, np.uint64(fight.seed))
        while int(state["awaiting"]) != codes.OVER:
            log[0, 0] = 0
            if is_moving(state):
                advance(packed.tables, state, log)
            else:
                take(packed.tables, state, log, left.pop(0))
            happened = [read(packed, row.tolist()) for row in log[1 : int(log[0, 0]) + 1]]
            for p, side in enumerate(names.SIDES):
                dealt = [event.cause for event in happened if event.kind == "hand_dealt" and event.side == side]
                now = strikes_in(packed, state, p)
                if not dealt:
                    drawn[p] += (now - held[p]).total()
                else:
                    drawn[p] += now.total() - (held[p].total() if dealt == ["mulligan"] else 0)
                held[p] = now
    return drawn


@pytest.mark.parametrize("scenario", ["boar", "symbiote", "company-gauntlet", "deceptive"])
def test_a_run_is_kept_as_it_was_played(scenario: str) -> None:
    found = survey(scenario, 5, 11)
    packed, columns = found.simulation.packed, found.columns
    category = {card.id: card.category for card in packed.cards}
    for index in range(5):
        run, fight = happenings(found, index), run_of(packed, found.simulation.policies, 11, index)
        cards, drawn = cards_played(fight), strikes_drawn(fight)
        for p, side in enumerate(names.SIDES):
            mine = {name: int(columns[f"{name}_{side}"][index]) for name in ("turns", "cards", "strikes")}
            plays = Counter({card: times for (whose, card), times in cards.items() if whose == side})
            assert mine == {
                "turns": sum(event.kind == "turn_began" and event.side == side for event in run),
                "cards": sum(times for card, times in plays.items() if category[card] != "react"),
                "strikes": sum(times for card, times in plays.items() if category[card] == "strike"),
            }
            assert int(columns[f"strikes_drawn_{side}"][index]) == drawn[p]
            assert int(columns[f"rounds_{side}"][index]) == fight.outcome.rounds  # type: ignore[union-attr]


def test_a_hand_that_is_dealt_again_was_never_drawn() -> None:
    """A player that takes every mulligan it may."""
    found = survey("boar", 6, 3, visitor=PlayerSpec("mulligan"))
    fights = [run_of(found.simulation.packed, found.simulation.policies, 3, index) for index in range(6)]
    assert found.columns["strikes_drawn_visitor"].tolist() == [strikes_drawn(fight)[1] for fight in fights]


def test_losses_and_last_points_of_runs_add_up_to_the_causes() -> None:
    """A creature's: what a party's cascade takes goes to what set it off (`test_counting.py`)."""
    found = survey("boar", 30, 5)
    shares, columns = found.causes(), found.columns
    for side in names.SIDES:
        mine = [share for share in shares if share.side == side]
        for group, causes in GROUPS.items():
            words = {cause.word for cause in causes}
            lost, last = (
                sum(getattr(share, told) for share in mine if share.cause in words) for told in ("lost", "last_points")
            )
            assert int(columns[f"lost_to_{group}_{side}"].sum()) == lost
            assert int(columns[f"last_point_to_{group}_{side}"].sum()) == last
        assert int(columns[f"lost_{side}"].sum()) == sum(share.lost for share in mine)
        assert int(columns[f"depleted_{side}"].sum()) == sum(share.last_points for share in mine)


def test_a_survey_refuses_to_lose_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RUN_EVENTS", 50)
    with pytest.raises(CartomancerError, match="more events"):
        survey("boar", 2, 3)


def test_offers_are_answered_once_each() -> None:
    rates = {row["name"]: row for row in survey("symbiote", 200, 7).keyword_rates()}
    for side, other in (("dungeon", "visitor"), ("visitor", "dungeon")):
        answers = sum(rates[name][other]["times"] for name in ("offer_accepted", "offer_refused", "covenant_refused"))
        assert answers == rates["offer_made"][side]["times"]
