"""Temperaments: who never strikes, who never betrays, who only seems kind, whom they strike, when they leave."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cartomancer.content.models.encounter import Scenario
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.packing import pack_scenario
from cartomancer.players.kernel import player_codes
from cartomancer.players.kernel.player_codes import Goal
from cartomancer.players.policies import pack_policies, player_spec
from cartomancer.players.simulation import simulate
from tests.encounters.arena import Arena, card, offer, strike
from tests.players.positions import (
    CODEX,
    SCENARIOS,
    at,
    at_random,
    chosen,
    decisions,
    is_strike,
    players_of,
    rest_of_turn,
    traced,
    turn_of,
    with_profile,
    worths,
)

CLAW = strike("claw", cost=1, power=3)
BITE = strike("bite", "visitor", cost=1, power=3)
DUE = CODEX.profiles["deceptive"].betrays_at
GREED = CODEX.profiles["deceptive"].greed
RIPE = DUE + GREED  # it waits no longer, whether the betrayal decides or not
PATIENCE = CODEX.profiles["deceptive"].patience
ENTRUSTED = CODEX.rules.trust_tiers[1]


def trust_of(fight: Encounter) -> int:
    return int(fight.state["trust"]) // 2


# --- Nurturing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("player", ["nurturing", "montecarlo@2:nurturing"])
def test_nurturing_never_strikes(scenario: str, player: str) -> None:
    asked = 0
    for seed in range(3):
        fight = Encounter(scenario, seed)
        for action in decisions(fight, players_of(fight, player)):
            if fight.state["actor"] == codes.DUNGEON:
                asked += 1
                assert not is_strike(fight, action)
    assert asked > 20


def test_nurturing_does_not_strike_even_to_kill() -> None:
    arena = turn_of("dungeon", CLAW)
    arena.set(vitality=1)
    assert chosen(arena, dungeon="nurturing") == "end"


def test_nurturing_proposes_the_covenant_at_the_first_opportunity() -> None:
    pact = offer("pact", covenant=True, benefit={"resource": "weakest", "full_restore": True}, trust=3, cost=4)
    arena = turn_of("dungeon", pact, offer("gift"), energy=4)
    arena.set(trust=9, nerve=8)
    assert chosen(arena, dungeon="nurturing") == "offer pact"


# --- Deceptive --------------------------------------------------------------------------------------------------------


def stalled(fight: Encounter) -> bool:
    """Whether trust has not risen for too long, or the room ends too soon for it to matter (D1)."""
    state = fight.state
    limit = int(fight.packed.tables["dungeon"]["rooms"][int(state["room"])]["round_limit"])
    return int(state["rounds"]) - int(state["trust_risen"]) >= PATIENCE or limit - int(state["round_no"]) < PATIENCE


def wears_its_mask(fight: Encounter) -> bool:
    """Whether a Deceptive dungeon has to look like a Nurturing one."""
    return trust_of(fight) < ENTRUSTED and not stalled(fight) and not fight.state["sides"][1]["refuses"]


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("kind", ["", "montecarlo@2:"])
def test_deceptive_chooses_as_nurturing_below_trust_six_while_trust_grows(scenario: str, kind: str) -> None:
    same = 0
    for seed in (1, 2):
        fight = Encounter(scenario, seed)
        kind_one, false_one = players_of(fight, f"{kind}nurturing"), players_of(fight, f"{kind}deceptive")
        for action in decisions(fight, false_one):
            if fight.state["actor"] == codes.DUNGEON and wears_its_mask(fight):
                same += 1
                assert kind_one.choose(fight) == action
    assert same > 10


@pytest.mark.parametrize("scenario", ["symbiote", "boar", "deceptive-host"])
def test_deceptive_chooses_as_nurturing_in_any_position_random_play_leads_to(scenario: str) -> None:
    same = 0
    for seed in range(1, 7):
        players = None
        for fight in at_random(scenario, seed):
            players = players or (players_of(fight, "nurturing"), players_of(fight, "deceptive"))
            if fight.state["actor"] == codes.DUNGEON and wears_its_mask(fight):
                same += 1
                assert players[0].choose(fight) == players[1].choose(fight)
    assert same > 10


def stance_of(arena: Arena, dungeon: str = "deceptive") -> int:
    return int(traced(arena, dungeon=dungeon).workspace["stance"])


@pytest.mark.parametrize("trust", range(12))
def test_deceptive_betrays_once_the_trust_is_worth_it(trust: int) -> None:
    arena = turn_of("dungeon", CLAW)
    arena.set(trust=trust)
    assert (chosen(arena, dungeon="deceptive") == "strike claw") is (trust >= RIPE)
    arena = turn_of("dungeon", CLAW, energy=0)  # it cannot pay: its face stays kind
    arena.set(trust=trust)
    assert stance_of(arena) == (player_codes.SCHEMING if trust >= ENTRUSTED else player_codes.COURTING)


@pytest.mark.parametrize(("nerve", "strikes"), [(DUE, True), (DUE + 1, False)])
def test_a_betrayal_that_is_due_waits_until_it_would_decide(nerve: int, strikes: bool) -> None:
    """[Bond 7.3]: trust is spent where it depletes."""
    arena = turn_of("dungeon", CLAW)
    arena.set(trust=DUE, nerve=nerve)
    assert (chosen(arena, dungeon="deceptive") == "strike claw") is strikes
    arena.set(trust=DUE - 1)
    assert chosen(arena, dungeon="deceptive") == "end"  # not due yet, whatever it would do


@pytest.mark.parametrize(("members", "strikes"), [((9, 3, 9, 4), True), ((9, 3, 9, 5), False), ((9, 8, 9, 9), False)])
def test_against_a_party_it_counts_the_members_that_the_betrayal_would_fell(
    members: tuple[int, ...], strikes: bool
) -> None:
    assert DUE == 7
    arena = turn_of("dungeon", CLAW, party=[[], [], [], []], vitality=(30, 30, 30, 30))
    arena.set(trust=DUE)
    arena.members(*members)
    assert (chosen(arena, dungeon="deceptive") == "strike claw") is strikes


def test_who_schemes_proposes_no_covenant_with_a_strike_in_hand() -> None:
    """[Bond 6.4]: it could, and strikes instead."""
    pact = offer("pact", covenant=True, benefit={"resource": "weakest", "full_restore": True}, trust=3, cost=4)
    arena = turn_of("dungeon", pact, CLAW)
    arena.set(trust=9, nerve=19)
    assert stance_of(arena) == player_codes.SCHEMING
    assert chosen(arena, dungeon="deceptive") == "end"
    arena = turn_of("dungeon", pact)
    arena.set(trust=9, nerve=19)
    assert chosen(arena, dungeon="deceptive") == "offer pact"


def test_who_has_betrayed_strikes_whenever_it_can_pay() -> None:
    """D1: at full strength, to the end of the run, however little a Strike is worth."""
    arena = turn_of("dungeon", CLAW | {"power": 1, "self_cost": {"resource": "veil", "amount": 3}})
    arena.set(structure=1, veil=4)
    assert chosen(arena, dungeon="deceptive") == "end"
    arena.side("visitor")["refuses"] = 1
    assert chosen(arena, dungeon="deceptive") == "strike claw"


def waiting(number: int, **options: Any) -> Arena:
    """The dungeon's turn in this round of the room, with a Strike in hand; nobody has done anything."""
    arena = turn_of("dungeon", CLAW, **options)
    while arena.encounter.round < number:
        arena.end_round()
    arena.turn("dungeon", hand=["claw"])
    assert arena.encounter.round == number
    return arena


@pytest.mark.parametrize("number", range(1, PATIENCE + 3))
def test_deceptive_drops_the_mask_when_trust_stalls(number: int) -> None:
    arena = waiting(number)
    assert (chosen(arena, dungeon="deceptive") == "strike claw") is (number >= PATIENCE)
    assert (chosen(arena, dungeon="nurturing") == "strike claw") is False


@pytest.mark.parametrize("later", range(PATIENCE + 2))
def test_more_trust_buys_more_patience(later: int) -> None:
    arena = turn_of("dungeon", CLAW, offer("gift"))
    while arena.encounter.round < PATIENCE - 1:
        arena.end_round()
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift", "accept")
    for _ in range(later):
        arena.end_round()
    arena.turn("dungeon", hand=["claw"])
    assert (chosen(arena, dungeon="deceptive") == "strike claw") is (later >= PATIENCE)


def test_trust_that_only_falls_stalls_as_well() -> None:
    arena = waiting(PATIENCE - 1)
    arena.set(trust=3)
    assert stance_of(arena) == player_codes.COURTING
    arena.end_round()
    arena.turn("dungeon", hand=["claw"])
    arena.set(trust=1)
    assert stance_of(arena) == player_codes.FIGHTING


@pytest.mark.parametrize("left", range(PATIENCE + 2))
def test_deceptive_drops_the_mask_when_the_room_is_nearly_over(left: int) -> None:
    arena = turn_of("dungeon", CLAW, round_limit=20)
    arena.state["round_no"] = 20 - left
    assert stance_of(arena) == (player_codes.FIGHTING if left < PATIENCE else player_codes.COURTING)


def test_patience_is_a_matter_of_the_profile() -> None:
    arena = waiting(2)
    with_profile(arena, "deceptive", patience=2)
    assert stance_of(arena) == player_codes.FIGHTING
    with_profile(arena, "deceptive", patience=3)
    assert stance_of(arena) == player_codes.COURTING


def test_a_new_room_begins_with_new_patience() -> None:
    arena = waiting(PATIENCE, rooms=[{"room": "one", "round_limit": PATIENCE + 8}, {"room": "two"}])
    assert stance_of(arena) == player_codes.FIGHTING
    while arena.encounter.room == "one":
        arena.act("end")
    arena.settle()
    arena.turn("dungeon", hand=["claw"])
    assert stance_of(arena) == player_codes.COURTING


SNARE = card("trap", "snare", "dungeon", springs="offer_accepted", target="vitality", power=3)


@pytest.mark.parametrize("trust", [ENTRUSTED - 1, ENTRUSTED])
def test_entrusted_a_deceptive_dungeon_lays_what_an_accepted_offer_springs(trust: int) -> None:
    for dungeon in ("deceptive", "nurturing"):
        arena = turn_of("dungeon", SNARE, offer("gift", trust=0))
        arena.set(trust=trust, nerve=10)
        laid = "trap snare" in rest_of_turn(arena, dungeon=dungeon)
        assert laid is (dungeon == "deceptive" and trust >= ENTRUSTED)


def test_a_schemer_lays_no_trap_that_anything_else_would_spring() -> None:
    arena = turn_of("dungeon", SNARE | {"springs": "strike"}, offer("gift"))
    arena.set(trust=ENTRUSTED, nerve=10)
    assert rest_of_turn(arena, dungeon="deceptive") == ["offer gift"]


@pytest.mark.parametrize(
    "price",
    [
        {"type": "exposure", "strike_type": "physical", "amount": 3},
        {"type": "binding", "resource": "resolve", "amount": 1, "rounds": 3},
    ],
    ids=["exposure", "binding"],
)
def test_a_schemer_prefers_offers_that_expose_or_bind(price: dict[str, Any]) -> None:
    flat = offer("plain", price={"type": "flat", "resource": "resolve", "amount": 3})
    arena = turn_of("dungeon", flat, offer("snug", price=price))
    gained = {}
    for trust in (ENTRUSTED - 1, ENTRUSTED):
        arena.set(trust=trust, nerve=10)
        found = {name: worths(arena, dungeon=name) for name in ("deceptive", "nurturing")}
        gained[trust] = found["deceptive"]["snug"]["value"] - found["nurturing"]["snug"]["value"]
        assert found["deceptive"]["plain"]["value"] == found["nurturing"]["plain"]["value"]
    assert gained[ENTRUSTED - 1] == 0 < gained[ENTRUSTED]


def test_a_betrayal_is_made_with_the_strike_of_the_highest_effective_power() -> None:
    weak, strong = strike("claw", power=3), strike("dread", target="nerve", power=5)
    arena = turn_of("dungeon", weak, strong)
    with_profile(arena, "deceptive", targets={"vitality": 3000, "resolve": 1000, "nerve": 300})
    arena.set(trust=RIPE)
    assert chosen(arena, dungeon="deceptive") == "strike dread"  # though the other would be worth more to it
    arena.set(trust=0)
    arena.side("visitor")["refuses"] = 1  # in an open fight worth decides
    assert chosen(arena, dungeon="deceptive") == "strike claw"


def test_an_active_trigger_counts_in_a_betrayals_power_and_a_dormant_one_does_not() -> None:
    grip = strike("grip", power=2, trigger={"when": "opponent_entangled", "power": 4})
    for entangled in (0, 1):
        arena = turn_of("dungeon", grip, strike("claw", power=4))
        arena.set(trust=RIPE)
        arena.side("visitor")["entangled"] = entangled
        assert chosen(arena, dungeon="deceptive") == ("strike grip" if entangled else "strike claw")


def test_a_betrayal_is_made_with_what_can_be_paid() -> None:
    arena = turn_of("dungeon", strike("claw", power=3, cost=1), strike("maul", power=9, cost=3), energy=1)
    arena.set(trust=RIPE)
    assert chosen(arena, dungeon="deceptive") == "strike claw"


def test_of_two_equal_strikes_the_one_that_deals_more_betrays() -> None:
    for dearer in ("vitality", "nerve"):
        arena = turn_of("dungeon", strike("claw", power=4), strike("dread", target="nerve", power=4))
        targets = {"vitality": 500, "resolve": 1000, "nerve": 500} | {dearer: 2000}
        with_profile(arena, "deceptive", targets=targets)
        arena.set(trust=RIPE)
        assert chosen(arena, dungeon="deceptive") == ("strike claw" if dearer == "vitality" else "strike dread")


def test_deceptive_stays_kind_while_its_only_strike_is_locked() -> None:
    arena = turn_of("dungeon", CLAW, offer("gift"))
    arena.set(trust=RIPE, nerve=10)
    side = arena.side("dungeon")
    side["locked"] = 1 << int(side["hand"][0])
    assert chosen(arena, dungeon="deceptive") == chosen(arena, dungeon="nurturing")


def test_after_a_betrayal_deceptive_fights_in_every_room_of_the_run() -> None:
    arena = turn_of("dungeon", CLAW, rooms=[{"room": "one", "round_limit": 1}, {"room": "two"}], round_limit=40)
    arena.set(trust=RIPE)
    arena.dice("strong")
    arena.act("strike claw")
    while arena.encounter.room == "one":
        arena.act("end")
    arena.settle()
    arena.turn("dungeon", hand=["claw"])
    assert stance_of(arena) == player_codes.FIGHTING


def test_deceptive_goes_on_fighting_after_its_betrayal() -> None:
    arena = turn_of("dungeon", CLAW, CLAW | {"id": "fang", "title": "Fang"}, offer("gift"))
    arena.set(trust=RIPE)
    arena.dice("strong", "strong")
    found = rest_of_turn(arena, dungeon="deceptive")
    assert int(arena.state["betrayals"]) == 1
    assert sorted(found) == ["strike claw", "strike fang"]


def test_deceptive_does_betray() -> None:
    rows = simulate("symbiote-deceptive", 1000, 3).rows
    assert (rows["betrayals"] > 0).mean() > 0.2
    peaks = rows["trust_peak"][rows["betrayals"] > 0]
    assert (peaks >= 2 * CODEX.rules.betrayal_min_trust).all()  # where trust stalled it may be less than it wanted
    assert (peaks >= 2 * DUE).mean() > 0.5


# --- Tactical ---------------------------------------------------------------------------------------------------------


def test_tactical_never_betrays_in_thousands_of_games() -> None:
    courted = 0
    for scenario in SCENARIOS:
        rows = simulate(scenario, 400, 8, player_spec("tactical", "dungeon")).rows
        assert rows["betrayals"].sum() == 0
        courted += int((rows["trust_peak"] >= 8).sum())
    assert courted > 500  # there was something to betray


def test_not_even_a_montecarlo_tactical_player_betrays() -> None:
    for scenario in ("symbiote", "deceptive", "boar"):
        assert simulate(scenario, 40, 8, player_spec("montecarlo@2:tactical", "dungeon")).rows["betrayals"].sum() == 0


@pytest.mark.parametrize(
    ("trust", "strikes", "stance"),
    [
        *(
            (0, 0, player_codes.FIGHTING),
            (2, 0, player_codes.FIGHTING),
            (3, 0, player_codes.COURTING),
            (3, 3, player_codes.COURTING),
        ),
        *((3, 4, player_codes.FIGHTING), (4, 9, player_codes.COURTING), (9, 0, player_codes.COURTING)),
    ],
)
def test_tactical_courts_while_the_visitor_cooperates(trust: int, strikes: int, stance: int) -> None:
    arena = turn_of("dungeon", CLAW)
    arena.set(trust=trust)
    arena.side("visitor")["strikes"] = strikes
    assert int(traced(arena, dungeon="tactical").workspace["stance"]) == stance
    assert (chosen(arena, dungeon="tactical") == "strike claw") is bool(stance == player_codes.FIGHTING)


@pytest.mark.parametrize("profile", ["tactical", "deceptive"])
def test_nobody_courts_who_refuses(profile: str) -> None:
    arena = turn_of("dungeon", CLAW)
    arena.set(trust=3)
    arena.side("visitor")["refuses"] = 1
    assert chosen(arena, dungeon=profile) == "strike claw"


# --- who plays where --------------------------------------------------------------------------------------------------


def test_a_room_may_have_a_profile_of_its_own() -> None:
    scenario = Scenario.model_validate(
        {
            "id": "mixed",
            "title": "Mixed",
            "dungeon": "verdant_maw",
            "creature": "drift_symbiote",
            "dungeon_profile": "aggressive",
            "rooms": [
                {"room": "living_root_sanctuary", "profile": "nurturing"},
                {"room": "root_hollow"},
                {"room": "veil_breach", "profile": "deceptive"},
            ],
        }
    )
    packed = pack_scenario(CODEX, scenario)
    usual = pack_policies(packed).table["sides"][0]["profiles"][:3]
    goals = [Goal(int(policy["goal"])).name.lower() for policy in usual]
    assert goals == ["bond", "harm", "betray"]
    everywhere = pack_policies(packed, player_spec("tactical", "dungeon")).table["sides"][0]["profiles"][:3]
    assert [Goal(int(policy["goal"])).name.lower() for policy in everywhere] == ["adapt"] * 3
    struck = Counter[str]()
    for seed in range(12):
        fight = Encounter(packed, seed)
        for action in decisions(fight, players_of(fight)):
            if fight.state["actor"] == codes.DUNGEON and is_strike(fight, action):
                struck[fight.room] += 1
    assert struck["living_root_sanctuary"] == 0 < struck["root_hollow"]


def test_a_scenarios_profiles_go_before_those_of_its_dungeon_and_creature() -> None:
    for scenario in CODEX.scenarios.values():
        usual = scenario.dungeon_profile or CODEX.dungeon_of(scenario).profile
        profiles = pack_policies(pack_scenario(CODEX, scenario)).table["sides"][0]["profiles"]
        for room, stop in enumerate(scenario.rooms):
            assert Goal(int(profiles[room]["goal"])).name.lower() == CODEX.profiles[stop.profile or usual].goal


# --- whom they strike -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["aggressive", "tactical"])
def test_no_member_is_nearly_always_or_never_the_first_to_fall(profile: str) -> None:
    for scenario in ("standard-company", "standard-gauntlet"):
        first = simulate(scenario, 800, 6, player_spec(profile, "dungeon")).rows["first_down"]
        fallen = Counter(int(seat) for seat in first if seat >= 0)
        assert fallen.total() > 100
        assert set(fallen) == {0, 1, 2, 3}
        assert max(fallen.values()) < 0.8 * fallen.total()


def picked(arena: Arena, profile: str) -> Counter[str]:
    """Whom a profile picks, over seeds."""
    players, found = at(arena, dungeon=profile), Counter[str]()
    for seed in range(600):
        arena.encounter.seed = seed
        found[arena.encounter.text_of(players.choose(arena.encounter))] += 1
    return found


def aiming(*vitality: int) -> Arena:
    arena = turn_of("dungeon", CLAW, party=[[], [], [], []], vitality=(10, 10, 10, 10))
    arena.members(*vitality)
    arena.act("strike claw")
    return arena


@pytest.mark.parametrize("profile", ["aggressive", "tactical", "deceptive", "nurturing"])
def test_equals_are_struck_alike(profile: str) -> None:
    found = picked(aiming(10, 10, 10, 10), profile)
    assert len(found) == 4
    assert max(found.values()) < 0.4 * 600


@pytest.mark.parametrize("profile", ["aggressive", "tactical"])
@pytest.mark.parametrize("seat", range(4))
def test_whom_the_strike_would_fell_is_struck_most_often_but_not_always(profile: str, seat: int) -> None:
    vitality = [10, 10, 10, 10]
    vitality[seat] = 3
    found = picked(aiming(*vitality), profile)
    assert found.most_common(1)[0][0] == f"→ {'abcd'[seat]}"
    assert 0.5 * 600 < found.most_common(1)[0][1] < 600


def test_the_weaker_a_member_the_likelier() -> None:
    found = picked(aiming(10, 8, 6, 4), "tactical")
    assert found["→ a"] < found["→ c"] < found["→ d"]


@pytest.mark.parametrize("turns", [0, 1, 3])
def test_a_betrayed_visitor_plays_aggressively_while_its_fury_lasts(turns: int) -> None:
    arena = turn_of("visitor", BITE)
    arena.set(vitality=5, resolve=5, nerve=5)  # it would be defensive, or worse
    arena.side("visitor")["betrayed"] = turns
    found = int(traced(arena, visitor="cautious_explorer").workspace["mode"])
    assert bool(found == player_codes.AGGRESSIVE) is (turns > 0)


# --- visitors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visitor", ["cooperative", "cautious_explorer", "party_balanced"])
@pytest.mark.parametrize("kind", ["", "montecarlo@2:"])
def test_a_visitor_does_not_strike_from_its_threshold_on(visitor: str, kind: str) -> None:
    limit = CODEX.profiles[visitor].strikes_below
    below = above = 0
    for scenario in ("symbiote", "patient-nurturer", "boar"):
        for seed in range(3):
            fight = Encounter(scenario, seed)
            for action in decisions(fight, players_of(fight, "nurturing", f"{kind}{visitor}")):
                if fight.state["actor"] == codes.VISITOR:
                    may = any(text.startswith("strike ") for text in fight.legal_texts())
                    above += may and trust_of(fight) >= limit
                    below += is_strike(fight, action)
                    assert not (is_strike(fight, action) and trust_of(fight) >= limit)
    assert above > 10
    assert below > 0


@pytest.mark.parametrize("trust", range(12))
def test_suppression_is_hard(trust: int) -> None:
    """Not for a kill either [GDD 7.3]."""
    arena = turn_of("visitor", BITE)
    arena.set(structure=1, trust=trust)
    for visitor in ("cooperative", "cautious_explorer", "party_balanced", "feral_aggressive"):
        worth = worths(arena, visitor=visitor)["bite"]["value"]
        assert (worth == 0) is (trust >= CODEX.profiles[visitor].strikes_below)


def test_a_courting_player_without_anything_to_say_shows_restraint() -> None:
    arena = turn_of("dungeon", CLAW, CLAW | {"id": "fang", "title": "Fang", "power": 2})
    arena.set(trust=2)
    assert chosen(arena, dungeon="nurturing") == "restrain fang"  # the weaker one
    assert chosen(arena, dungeon="aggressive") != "restrain fang"


def hopeless(retreat: bool = True, **points: int) -> Arena:
    """A visitor's turn in round 3, nearly gone."""
    arena = turn_of(
        "visitor", card("reshape", "rest", "visitor", heal={"resource": "nerve", "amount": 1}), retreat=retreat
    )
    arena.state["round_no"] = 3
    arena.set(**({"vitality": 1, "resolve": 1, "nerve": 1} | points))
    return arena


@pytest.mark.parametrize(
    ("visitor", "flees"),
    [("cautious_explorer", True), ("party_balanced", True), ("feral_aggressive", False), ("cooperative", False)],
)
def test_who_retreats_when_all_is_lost(visitor: str, flees: bool) -> None:
    arena = hopeless()
    assert "retreat" in arena.legal()
    assert (chosen(arena, visitor=visitor) == "retreat") is flees


def test_nobody_retreats_where_it_is_not_allowed_or_there_is_hope() -> None:
    assert chosen(hopeless(retreat=False), visitor="cautious_explorer") != "retreat"
    assert chosen(hopeless(vitality=18, resolve=18, nerve=18), visitor="cautious_explorer") != "retreat"
    held = hopeless()
    held.side("visitor")["held"] = 1
    assert chosen(held, visitor="cautious_explorer") != "retreat"


def test_a_visitor_flees_exactly_below_its_threshold() -> None:
    least = CODEX.profiles["cautious_explorer"].retreats_below
    arena = hopeless()
    for vitality in range(1, 21):
        arena.set(vitality=vitality, resolve=vitality, nerve=vitality)
        trace = traced(arena, visitor="cautious_explorer")
        fled = arena.encounter.text_of(trace.chosen) == "retreat"
        assert fled is (int(trace.workspace["chance"]) < least)


def test_in_whole_games_only_scenarios_with_a_way_out_see_anybody_flee() -> None:
    for scenario in SCENARIOS:
        fled = simulate(scenario, 150, 4, None, player_spec("cautious_explorer", "visitor")).count("fled")
        assert fled == 0 or CODEX.scenarios[scenario].retreat


def test_a_profile_that_never_weighs_a_target_still_plays() -> None:
    arena = turn_of("dungeon", CLAW)
    with_profile(arena, "tactical", targets={"vitality": 0, "resolve": 0, "nerve": 0})
    assert chosen(arena) == "end"
