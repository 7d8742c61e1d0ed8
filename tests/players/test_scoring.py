"""What cards are worth: every consideration the design asks for moves the score the way it should [GDD 7.1]."""

from __future__ import annotations

from typing import Any

import pytest

from cartomancer.content.models.vocabulary import RESOURCES
from cartomancer.encounters.names import KEYWORDS
from cartomancer.players.kernel import player_codes
from tests.encounters.arena import Arena, card, offer, strike
from tests.players.positions import CODEX, at, chosen, traced, turn_of, with_profile, worths

THINKING = CODEX.thinking
CLAW = strike("claw", cost=1, power=3)


def worth(arena: Arena, name: str = "claw", part: str = "value", **players: Any) -> int:
    return worths(arena, **players)[name][part]


# --- keywords ---------------------------------------------------------------------------------------------------------


def test_entangle_is_worth_something_to_an_opponent_that_is_not_entangled_yet() -> None:
    arena = turn_of("dungeon", CLAW | {"keywords": ["entangle"]})
    free = worth(arena, part="keywords")
    arena.side("visitor")["entangled"] = 1
    assert free > 0 == worth(arena, part="keywords")
    assert free == THINKING.entangle * _chance_to_hurt(arena) // 1000


def _chance_to_hurt(arena: Arena) -> int:
    """Between equals, without advantage."""
    return int(at(arena).policies.table["hits"][0][8])


def test_erode_is_pressure_unless_the_room_presses_in_the_next_round() -> None:
    entry = CLAW | {"keywords": ["erode"]}
    pressed = [{"resource": "vitality", "change": -1, "every": 2}]
    assert worth(turn_of("dungeon", entry), part="keywords") > 0
    arena = turn_of("dungeon", entry, auto=pressed)
    for number in (1, 2, 3):  # in every other round it would add nothing
        arena.state["round_no"] = number
        assert (worth(arena, part="keywords") > 0) is (number == 2)
    elsewhere = [{"resource": "nerve", "change": -1, "every": 2}]
    assert worth(turn_of("dungeon", entry, auto=elsewhere), part="keywords") > 0


RIDERS: dict[str, dict[str, Any]] = {
    "disadvantage": {"disadvantage": True},
    "thorns": {"thorns": {"resource": "nerve", "amount": 1}},
    "strip": {"strip": True},
    "randomise": {"randomise": True},
    "energy_loss": {"energy_loss": 1},
    "ward": {"ward": 2},
    "fortify": {"fortify": {"resource": "veil", "amount": 1, "rounds": 2}},
    "draw": {"draw": 1},
    "reveal": {"reveal": 1},
    "discard": {"discard": 1},
}


@pytest.mark.parametrize("rider", RIDERS)
def test_what_else_a_hit_brings_is_worth_something_by_the_chance_to_hurt(rider: str) -> None:
    arena = turn_of("dungeon", CLAW | RIDERS[rider])
    arena.set(veil=10)
    arena.hold("visitor", ["visitor_energy"] * 3)
    sure = {"thorns": 600, "energy_loss": 700, "discard": 900, "reveal": 200, "draw": 700}
    found = worth(arena, part="keywords", **{name: value for name, value in sure.items() if name == rider})
    assert found > 0
    if rider in sure:
        assert found == sure[rider] * _chance_to_hurt(arena) // 1000


def test_a_look_at_an_empty_hand_is_worth_nothing() -> None:
    arena = turn_of("dungeon", card("reshape", "eye", "dungeon", reveal=2, peek=True, discard=1))
    arena.hold("visitor", [])
    assert worth(arena, "eye", "gain") == 0
    arena.hold("visitor", ["visitor_energy"])
    assert worth(arena, "eye", "gain") > 0


def test_a_handicap_that_lies_there_already_is_worth_less_on_a_hit_as_well() -> None:
    arena = turn_of("dungeon", CLAW | {"disadvantage": True})
    before = worth(arena, part="keywords")
    arena.side("visitor")["disadvantage"] = 1
    assert before > 0 == worth(arena, part="keywords")


def test_stopping_a_restoration_is_worth_the_member_that_would_stand_again() -> None:
    for entry in (
        card("counter", "hush", "dungeon"),
        card("disrupt", "fog", "dungeon", thorns={"resource": "nerve", "amount": 1}),
    ):
        arena = turn_of("dungeon", entry, party=[[], [], [], []], vitality=(9, 9, 9, 9))
        before = worth(arena, entry["id"], "guard")
        arena.member(1)["down"], arena.member(1)["rising"] = 1, 3
        assert worth(arena, entry["id"], "guard") == before + THINKING.restore


def test_drain_is_worth_more_the_more_is_lost() -> None:
    arena = turn_of("dungeon", CLAW | {"keywords": ["drain"], "drain_to": "structure"})
    found = []
    for structure in (20, 15, 10, 5):
        arena.set(structure=structure)
        found.append(worth(arena, part="keywords"))
    assert found[0] == 0
    assert found == sorted(set(found))


def test_drain_counts_no_more_than_the_rules_let_it_heal() -> None:
    found = []
    for power in (1, 2, 3, 4):
        arena = turn_of("dungeon", CLAW | {"keywords": ["drain"], "drain_to": "structure", "power": power})
        arena.set(structure=10)
        found.append(worth(arena, part="keywords"))
    assert found[0] < found[1] == found[2] == found[3]


def test_overwhelm_is_worth_something_near_depletion() -> None:
    arena, found = turn_of("dungeon", CLAW | {"keywords": ["overwhelm"], "power": 5, "spill_to": "nerve"}), []
    for vitality in (20, 5, 4, 2):
        arena.set(vitality=vitality)
        found.append(worth(arena, part="keywords"))
    assert found[0] == found[1] == 0 < found[2] < found[3]


def test_a_disrupt_that_strips_keywords_takes_their_worth() -> None:
    arena = turn_of("dungeon", CLAW | {"keywords": ["entangle", "erode"]})
    assert worth(arena, part="keywords") > 0
    arena.side("dungeon")["strip"] = 1
    assert worth(arena, part="keywords") == 0


# --- triggers ---------------------------------------------------------------------------------------------------------


def test_an_active_trigger_counts_one_and_a_half_times_its_bonus() -> None:
    assert THINKING.trigger == 1500
    arena = turn_of("dungeon", CLAW | {"power": 2, "trigger": {"when": "opponent_entangled", "power": 2}})
    assert worth(arena, part="trigger") == 0
    arena.side("visitor")["entangled"] = 1
    parts = worths(arena)["claw"]
    assert parts["trigger"] == parts["damage"] * 3 // 2  # the bonus equals the power


def test_an_active_trigger_may_give_keywords_and_advantage() -> None:
    trigger = {"when": "opponent_entangled", "keywords": ["erode"], "advantage": True}
    arena = turn_of("dungeon", CLAW | {"trigger": trigger})
    idle = worths(arena)["claw"]
    arena.side("visitor")["entangled"] = 1
    active = worths(arena)["claw"]
    assert idle["keywords"] == 0 < active["keywords"]
    assert active["damage"] > idle["damage"]
    assert active["backlash"] > idle["backlash"]


# --- what a Strike costs its striker ----------------------------------------------------------------------------------


def test_a_self_cost_is_dearer_when_the_reducer_is_low() -> None:
    arena = turn_of("dungeon", CLAW | {"self_cost": {"resource": "veil", "amount": 2}})
    found = []
    for veil in (20, 12, 6, 3):
        arena.set(veil=veil)
        found.append(worth(arena, part="backlash"))
    assert found == sorted(set(found), reverse=True)
    plain = worth(turn_of("dungeon", CLAW), part="backlash")
    assert found[0] == plain - 2 * THINKING.self_cost


def test_an_exhaust_card_is_saved_unless_it_is_lethal() -> None:
    arena, plain = turn_of("dungeon", CLAW | {"exhaust": True}), turn_of("dungeon", CLAW)
    assert worth(arena, part="backlash") == worth(plain, part="backlash") - THINKING.exhaust
    for here in (arena, plain):
        here.set(vitality=3)
    assert worth(arena, part="backlash") == worth(plain, part="backlash")


def test_an_exhaust_strike_stays_in_hand_until_it_kills() -> None:
    arena = turn_of("dungeon", CLAW | {"exhaust": True, "power": 2})
    assert chosen(arena, exhaust=1500) == "end"
    arena.set(vitality=2)
    assert chosen(arena, exhaust=1500) == "strike claw"


def test_thorns_make_striking_dearer() -> None:
    arena = turn_of("dungeon", CLAW)
    before = worth(arena, part="backlash")
    arena.side("dungeon")["thorns"][0] = 2
    assert worth(arena, part="backlash") == before - 2 * CODEX.profiles["tactical"].caution


def test_what_comes_back_is_dearer_to_who_is_nearly_gone() -> None:
    arena, found = turn_of("dungeon", CLAW), []
    for structure in (20, 14, 8, 2):
        arena.set(structure=structure)
        found.append(worth(arena, part="backlash"))
    assert found == sorted(set(found), reverse=True)


@pytest.mark.parametrize(("base", "same"), [(2, True), (0, False)])
def test_what_comes_back_is_reckoned_from_the_rules_base(base: int, same: bool) -> None:
    weak, strong = (
        worth(turn_of("dungeon", CLAW | {"power": power}, rules={"reversal_base": base}), part="backlash")
        for power in (2, 6)
    )
    assert (weak == strong) is same


def test_an_exposure_adds_damage_and_nothing_that_comes_back() -> None:
    found = []
    for exposed in (0, 2):
        arena = turn_of("dungeon", CLAW, rules={"reversal_base": 0})
        arena.side("visitor")["exposure"][0] = exposed
        found.append(worths(arena)["claw"])
    assert found[1]["damage"] > found[0]["damage"]
    assert found[1]["backlash"] == found[0]["backlash"]


# --- targets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("vitality", "lethal"), [(20, False), (4, False), (3, True), (1, True)])
def test_a_lethal_strike_is_seen(vitality: int, lethal: bool) -> None:
    arena = turn_of("dungeon", CLAW)
    arena.set(vitality=vitality)
    assert worth(arena, part="lethal") == (THINKING.lethal * _chance_to_hurt(arena) // 1000 if lethal else 0)


def test_an_exposure_counts_for_lethality() -> None:
    arena = turn_of("dungeon", CLAW)
    arena.set(vitality=5)
    assert worth(arena, part="lethal") == 0
    arena.side("visitor")["exposure"][0] = 2
    assert worth(arena, part="lethal") > 0


def test_empowers_and_triggers_count_for_lethality() -> None:
    arena = turn_of("dungeon", CLAW | {"trigger": {"when": "opponent_entangled", "power": 1}})
    arena.set(vitality=5)
    assert worth(arena, part="lethal") == 0
    arena.side("visitor")["entangled"] = 1
    arena.side("dungeon")["empowered"] = 1
    arena.side("dungeon")["empower_power"] = 1
    assert worth(arena, part="lethal") > 0


@pytest.mark.parametrize("resource", RESOURCES["visitor"])
def test_a_preferred_target_is_worth_more(resource: str) -> None:
    arena, found = turn_of("dungeon", CLAW | {"target": resource}), []
    for weight in (500, 1000, 2000):
        with_profile(arena, "tactical", targets=dict.fromkeys(RESOURCES["visitor"], 1000) | {resource: weight})
        found.append(worth(arena, part="damage"))
    assert found[0] * 2 == pytest.approx(found[1], abs=2)
    assert found[1] * 2 == pytest.approx(found[2], abs=2)


@pytest.mark.parametrize("resource", RESOURCES["visitor"])
def test_a_chosen_target_is_the_preferred_one(resource: str) -> None:
    arena = turn_of("dungeon", CLAW | {"target": "chosen"})
    with_profile(arena, "tactical", targets=dict.fromkeys(RESOURCES["visitor"], 900) | {resource: 1300})
    arena.act("strike claw")
    assert chosen(arena) == f"→ {resource}"


@pytest.mark.parametrize("resource", RESOURCES["visitor"])
def test_a_chosen_target_that_would_be_depleted_goes_before_the_preferred_one(resource: str) -> None:
    arena = turn_of("dungeon", CLAW | {"target": "chosen"})
    arena.set(**{resource: 2})
    arena.act("strike claw")
    assert chosen(arena, dungeon="aggressive") == f"→ {resource}"


def test_pressure_whose_source_is_low_adds_no_urgency() -> None:
    pressed = [{"resource": "vitality", "change": -1}]
    found = []
    for structure in (20, 5):
        arena = turn_of("dungeon", CLAW, auto=pressed, rules={"source_percent": 50})
        arena.set(vitality=20, structure=structure)
        found.append(worth(arena, part="damage"))
    assert found[1] < found[0]


def test_a_reducer_that_the_room_presses_too_is_worth_more() -> None:
    pressed = [{"resource": "vitality", "change": -1, "every": 2}]
    plain = worth(turn_of("dungeon", CLAW), part="damage")
    assert worth(turn_of("dungeon", CLAW, auto=pressed), part="damage") == pytest.approx(
        plain * (1000 + THINKING.pressure) / 1000, abs=3
    )


def test_the_nearer_to_depletion_the_more_a_point_counts() -> None:
    arena, found = turn_of("dungeon", CLAW), []
    for vitality in (20, 15, 10, 5):
        arena.set(vitality=vitality)
        found.append(worth(arena, part="damage"))
    assert found == sorted(set(found))


def test_a_visitor_does_not_hope_for_what_it_cannot_reach_in_time() -> None:
    bite = strike("bite", "visitor", cost=1)
    late = [worth(turn_of("visitor", bite, round_limit=limit), "bite", "damage") for limit in (40, 4, 2)]
    assert late[0] > late[1] > late[2]


def test_guards_in_the_way_take_their_part_and_leave_a_tenth() -> None:
    arena, found = turn_of("dungeon", CLAW), []
    for ward in (0, 1, 2, 9):
        arena.side("visitor")["ward"] = ward
        found.append(worth(arena, part="damage"))
    assert found == sorted(set(found), reverse=True)
    assert found[-1] == pytest.approx(found[0] / 10, abs=2)


# --- the opponent -----------------------------------------------------------------------------------------------------


def test_strikes_count_more_once_every_react_of_the_opponent_lies_open() -> None:
    arena = Arena(dungeon=[CLAW], visitor=[card("react", "brace", "visitor", power=2)])
    arena.turn("dungeon", hand=["claw"])
    before = worth(arena, part="damage")
    side = arena.side("visitor")
    brace = next(k for k in range(17) if arena._card(1, k) == "brace")
    side["discard"][0], side["discard_size"] = brace, 1
    side["draw_size"] -= 1
    assert worth(arena, part="damage") == before  # face-down: it may be anything
    side["known"] = 1 << brace
    assert worth(arena, part="damage") == before * THINKING.unanswered // 1000


def test_an_exhausted_react_answers_nothing_any_more() -> None:
    arena = Arena(dungeon=[CLAW], visitor=[card("react", "brace", "visitor", power=2, exhaust=True)])
    arena.turn("dungeon", hand=["claw"])
    before = worth(arena, part="damage")
    side = arena.side("visitor")
    side["gone"] = side["known"] = 1 << next(k for k in range(17) if arena._card(1, k) == "brace")
    side["draw_size"] -= 1
    assert worth(arena, part="damage") == before * THINKING.unanswered // 1000


def test_a_counter_needs_a_buff_and_is_worth_more_against_a_larger_one() -> None:
    arena = turn_of("dungeon", card("counter", "hush", "dungeon", chip={"resource": "nerve", "amount": 1}))
    found = []
    for power in (0, 1, 3):
        arena.side("visitor")["empowered"] = int(power > 0)
        arena.side("visitor")["empower_power"] = power
        found.append(worth(arena, "hush", "guard"))
    assert found[0] == 0
    assert found == sorted(set(found))


def test_a_disrupt_is_worth_more_against_a_buff_and_less_on_top_of_another() -> None:
    arena = turn_of("dungeon", card("disrupt", "fog", "dungeon", thorns={"resource": "nerve", "amount": 1}))
    plain = worth(arena, "fog", "guard")
    arena.side("visitor")["empowered"] = 1
    assert worth(arena, "fog", "guard") == plain * 3 // 2
    arena.side("visitor")["empowered"] = 0
    arena.side("visitor")["strip"] = 1
    assert worth(arena, "fog", "guard") == plain // 2


def test_healing_counts_what_is_missing_and_more_where_less_is_left() -> None:
    arena, found = turn_of("dungeon", card("reshape", "moss", "dungeon", heal={"resource": "veil", "amount": 3})), []
    for veil in (20, 19, 17, 10, 4):
        arena.set(veil=veil)
        found.append(worth(arena, "moss", "guard"))
    assert found[0] == -3 * THINKING.heal_wasted  # it could heal later
    assert found == sorted(set(found))


def test_a_partys_healing_counts_the_wounds_of_all_who_stand() -> None:
    dressing = card("reshape", "dressing", "visitor", heal={"resource": "vitality", "amount": 6})
    arena = turn_of("visitor", hand=["dressing"], party=[[dressing], [], [], []], vitality=(8, 8, 8, 8))
    found = []
    for wounds in ((8, 8, 8, 6), (6, 8, 8, 6), (6, 6, 8, 6)):
        arena.members(*wounds)
        found.append(worth(arena, "dressing", "guard"))
    assert found == sorted(set(found))


def test_a_strike_fears_a_face_down_trap_more_the_worse_off_it_is() -> None:
    found = []
    for nerve, traps in ((20, 0), (20, 1), (5, 1)):
        arena = turn_of("visitor", strike("jab", side="visitor", target="veil", power=3))
        arena.set(nerve=nerve)
        arena.state["sides"][0]["trap_count"] = traps
        found.append(worth(arena, "jab", "backlash"))
    assert found[0] > found[1] > found[2]


def test_thorns_that_would_deplete_are_not_struck_into() -> None:
    arena = turn_of("visitor", strike("jab", side="visitor", target="veil", power=3))
    arena.state["sides"][1]["thorns"][2] = 3
    arena.set(nerve=4)
    bearable = worth(arena, "jab", "backlash")
    arena.set(nerve=3)
    assert worth(arena, "jab", "backlash") < bearable - THINKING.lethal // 2


def test_a_trap_that_waits_for_strikes_is_the_likelier_one() -> None:
    found = {}
    for springs in ("strike", "energy"):
        trap = card("trap", "pit", "dungeon", springs=springs, target="vitality", power=3)
        found[springs] = worth(turn_of("dungeon", trap), "pit", "gain")
    assert found["strike"] == pytest.approx(found["energy"] * 1.5, abs=2)


# --- trust ------------------------------------------------------------------------------------------------------------


def test_an_offer_is_trust_to_who_courts_and_a_bait_to_who_fights() -> None:
    arena = turn_of("dungeon", offer("gift"))
    arena.set(nerve=10)
    courting, fighting = worths(arena, dungeon="nurturing")["gift"], worths(arena, dungeon="aggressive")["gift"]
    assert courting["trust"] > 0 == fighting["trust"]
    assert courting["backlash"] == 0 > fighting["backlash"]
    assert courting["value"] > fighting["value"]


def test_who_fights_proposes_no_covenant_and_who_courts_thinks_of_nothing_else() -> None:
    pact = offer("pact", covenant=True, benefit={"resource": "weakest", "full_restore": True}, trust=3)
    arena = turn_of("dungeon", pact, card("reshape", "moss", "dungeon", heal={"resource": "veil", "amount": 4}))
    arena.set(trust=9, veil=3)
    assert worth(arena, "pact", dungeon="aggressive") == 0
    assert worth(arena, "pact", "trust", dungeon="nurturing") == THINKING.covenant


def test_a_test_is_best_put_where_cooperation_is_neither_doubtful_nor_sure() -> None:
    trial = card("test", "trial", "dungeon", exposure={"resource": "presence", "amount": 1})
    arena = turn_of("dungeon", trial)
    inside = {trust: 500 <= min(850, 400 + 50 * trust) <= 800 for trust in range(10)}
    for trust, fits in inside.items():
        arena.set(trust=trust)
        kept = worth(arena, "trial", "trust", dungeon="nurturing", test_outside=1000)
        found = worth(arena, "trial", "trust", dungeon="nurturing")
        assert found == (kept if fits else max(1, kept * THINKING.test_outside // 1000))


# --- modes ------------------------------------------------------------------------------------------------------------


def test_modes_follow_the_chance_of_winning() -> None:
    arena, found = turn_of("dungeon", CLAW), []
    for points in range(1, 21):
        arena.set(structure=points, veil=points, presence=points, vitality=12, resolve=12, nerve=12)
        workspace = traced(arena).workspace
        found.append((int(workspace["chance"]), int(workspace["mode"])))
    chances, modes = [chance for chance, _ in found], [mode for _, mode in found]
    assert chances == sorted(chances)
    assert modes == sorted(modes, reverse=True)  # desperate is the last code
    assert set(modes) == {
        player_codes.AGGRESSIVE,
        player_codes.BALANCED,
        player_codes.DEFENSIVE,
        player_codes.DESPERATE,
    }
    for chance, mode in found:
        assert mode == sum(chance < least for least in THINKING.mode_from)


def test_the_clock_is_the_visitors() -> None:
    arena, chances = turn_of("dungeon", CLAW, round_limit=10), []
    for number in range(1, 11):
        arena.state["round_no"] = number
        chances.append(int(traced(arena).workspace["chance"]))
    assert chances == sorted(set(chances), reverse=True)


@pytest.mark.parametrize("mode", range(4))
def test_a_mode_weighs_attack_guard_and_scheme(mode: int) -> None:
    moss = card("reshape", "moss", "dungeon", heal={"resource": "veil", "amount": 3})
    pit = card("trap", "pit", "dungeon", springs="energy", target="vitality", power=3)
    arena = turn_of("dungeon", CLAW, moss, pit)
    arena.set(veil=10)
    plain_weights = {"strike": 1000, "reshape": 1000, "trap": 1000}
    with_profile(arena, "tactical", weights=arena.codex.profiles["tactical"].weights.model_copy(update=plain_weights))
    least = [[0, 0, 0], [1001, 0, 0], [1001, 1001, 0], [1001, 1001, 1001]][mode]
    found = worths(arena, mode_from=least)
    for name, weights in (("claw", THINKING.mode_attack), ("moss", THINKING.mode_guard), ("pit", THINKING.mode_scheme)):
        parts = found[name]
        plain = sum(parts[part] for part in ("damage", "lethal", "keywords", "trigger", "guard", "gain"))
        assert parts["value"] - parts["backlash"] - parts["trust"] == plain * weights[mode] // 1000


def test_the_more_cautious_the_dearer_is_what_comes_back() -> None:
    arena, found = turn_of("dungeon", CLAW), []
    for caution in (0, 500, 1000):
        with_profile(arena, "tactical", caution=caution)
        found.append(worth(arena, part="backlash"))
    assert found[0] == 0
    assert found[2] == pytest.approx(2 * found[1], abs=3)


def test_every_keyword_that_can_be_written_on_a_strike_can_be_scored() -> None:
    for keyword in KEYWORDS:
        entry = CLAW | {"keywords": [keyword]}
        arena = turn_of("dungeon", entry, party=[[], [], [], []], vitality=(8, 8, 8, 8))
        arena.set(structure=10)
        arena.members(2, 8, 8, 8)
        assert worth(arena) > 0
