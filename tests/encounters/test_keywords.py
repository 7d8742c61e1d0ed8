"""Keywords and conditions, one by one, with what ends them [GDD 9], E20, E22–E25, E29–E31."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from cartomancer.encounters.kernel import codes
from cartomancer.errors import IllegalActionError
from cartomancer.jit import wrapping
from cartomancer.rng import scramble
from tests.encounters.arena import Arena, card, strike

NO_RALLY = {"rally": 0}
VISITOR_REDUCERS = ("vitality", "resolve", "nerve")


def struck(claw: dict[str, Any], tier: str = "strong", **options: Any) -> Arena:
    """An arena in which the dungeon has just struck with this card."""
    arena = Arena(dungeon=[claw], **({"rules": NO_RALLY} | options))
    arena.turn("dungeon", hand=[claw["id"]])
    arena.dice(tier)
    arena.act(f"strike {claw['id']}")
    return arena


def left(arena: Arena, names: tuple[str, ...] = VISITOR_REDUCERS) -> list[int]:
    return [arena.reducer(name) for name in names]


# --- Entangle --------------------------------------------------------------------------------------------------------


def test_entangle_clears_when_the_victims_turn_starts_and_holds_it_for_that_turn() -> None:
    arena = struck(strike("roots", keywords=["entangle"]))
    visitor = arena.side("visitor")
    assert (int(visitor["entangled"]), int(visitor["held"])) == (1, 0)
    arena.turn("visitor")
    assert (int(visitor["entangled"]), int(visitor["held"])) == (0, 1)
    arena.act("end")
    assert (int(visitor["entangled"]), int(visitor["held"])) == (0, 0)


def test_entangle_bars_retreat_for_exactly_one_turn() -> None:
    arena = Arena(dungeon=[strike("roots", keywords=["entangle"])], retreat=True)
    arena.state["round_no"] = 3
    arena.turn("dungeon", hand=["roots"])
    arena.dice("strong")
    arena.act("strike roots")
    arena.turn("visitor")
    assert "retreat" not in arena.legal()
    with pytest.raises(IllegalActionError, match="the visitor is Entangled"):
        arena.encounter.apply(int(codes.RETREAT * codes.VERB_SPAN))
    arena.turn("dungeon")
    arena.turn("visitor")
    assert "retreat" in arena.legal()


# --- Erode -----------------------------------------------------------------------------------------------------------


def test_erode_takes_one_point_next_round_and_never_again() -> None:
    arena = struck(strike("spores", target="nerve", power=2, keywords=["erode"]))
    assert arena.reducer("nerve") == 18
    arena.end_round()
    assert arena.reducer("nerve") == 17
    arena.end_round()
    assert arena.reducer("nerve") == 17


@pytest.mark.parametrize(
    ("aim", "after"), [({}, [17, 20, 20]), ({"erode": "nerve"}, [18, 20, 19])], ids=["the target", "aimed elsewhere"]
)
def test_erode_gnaws_at_the_target_unless_it_names_another_resource(aim: dict[str, str], after: list[int]) -> None:
    arena = struck(strike("slam", power=2, keywords=["erode"], **aim))
    arena.end_round()
    assert left(arena) == after


def test_erodes_on_one_reducer_add_up() -> None:
    arena = Arena(dungeon=[strike("slam", power=1, keywords=["erode"], erode="nerve")] * 3, rules=NO_RALLY)
    arena.turn("dungeon", hand=["slam"] * 3)
    arena.dice("strong", "strong", "strong")
    arena.act("strike slam", "strike slam", "strike slam")
    arena.end_round()
    assert arena.reducer("nerve") == 17


def eroded_in_round(laid: int, auto: list[dict[str, Any]], **options: Any) -> tuple[int, Arena]:
    """What a side's nerve loses at the start of the round after a Tremor Slam in that one, and the arena."""
    arena = Arena(dungeon=[strike("slam", keywords=["erode"], erode="nerve")], auto=auto, **options)
    while arena.encounter.round < laid:
        arena.act("end")
    arena.turn("dungeon", hand=["slam"])
    assert arena.encounter.round == laid
    arena.dice("strong")
    arena.act("strike slam")
    assert list(arena.side("visitor")["erode"]) == [0, 0, 1]
    before = arena.reducer("nerve")
    arena.end_round()
    assert list(arena.side("visitor")["erode"]) == [0, 0, 0]
    return before - arena.reducer("nerve"), arena


@pytest.mark.parametrize(
    ("every", "laid", "lost", "suppressed"),
    [(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 1), (2, 2, 1, 0), (3, 1, 1, 0), (3, 2, 1, 1), (5, 1, 1, 0)],
)
def test_erode_is_suppressed_only_in_a_round_in_which_the_room_really_presses(
    every: int, laid: int, lost: int, suppressed: int
) -> None:
    pressed = [{"resource": "nerve", "change": -1, "every": every}]
    taken, arena = eroded_in_round(laid, pressed)
    assert taken == lost  # the room's point, or the Erode's: never both
    assert [(e.side, e.reducer, e.points) for e in arena.happened("erode_suppressed")] == [
        ("visitor", "nerve", 1)
    ] * suppressed
    assert len(arena.happened("eroded")) == 1 - suppressed


def test_suppressed_erode_is_gone_and_does_not_wait_for_a_quiet_round() -> None:
    _, arena = eroded_in_round(1, [{"resource": "nerve", "change": -1, "every": 2}])
    nerve = arena.reducer("nerve")
    arena.end_round()
    assert (arena.encounter.round, arena.reducer("nerve")) == (3, nerve)


@pytest.mark.parametrize("auto", [{"resource": "nerve", "change": 1}, {"resource": "resolve", "change": -1}])
def test_erode_is_not_suppressed_where_the_room_heals_or_presses_something_else(auto: dict[str, Any]) -> None:
    arena = struck(strike("slam", keywords=["erode"], erode="nerve"), auto=[auto])
    arena.end_round()
    assert (len(arena.happened("eroded")), len(arena.happened("erode_suppressed"))) == (1, 0)


def test_erode_bites_whoever_the_room_spares() -> None:
    arena = Arena(
        dungeon=[strike("slam", keywords=["erode"], erode="nerve")],
        visitor=[card("reshape", "smoke", "visitor", calm=3)],
        auto=[{"resource": "nerve", "change": -1}],
    )
    arena.turn("visitor", hand=["smoke"])
    arena.act("reshape smoke")
    arena.turn("dungeon", hand=["slam"])
    arena.dice("strong")
    arena.act("strike slam")
    nerve = arena.reducer("nerve")
    arena.end_round()
    assert (arena.reducer("nerve"), len(arena.happened("eroded"))) == (nerve - 1, 1)


def test_venom_bites_whatever_the_room_does() -> None:
    venom = [{"code": "poison", "side": "enemies", "value": 2}]
    pressed = [{"resource": "nerve", "change": -1}]
    arena = Arena(dungeon=[strike("slam", target="nerve", keywords=["erode"])], auto=pressed, effects=venom)
    arena.turn("dungeon", hand=["slam"])
    arena.dice("strong")
    arena.act("strike slam")
    visitor = arena.side("visitor")
    assert (list(visitor["erode"]), list(visitor["venom"])) == ([0, 0, 1], [0, 0, 2])
    nerve = arena.reducer("nerve")
    arena.end_round()
    assert nerve - arena.reducer("nerve") == 1 + 2  # the room's point and the venom, not the Erode
    assert list(visitor["venom"]) == [0, 0, 0]
    assert [e.points for e in arena.happened("eroded")] == [2]


def test_erode_bypasses_every_guard() -> None:
    arena = struck(strike("slam", power=1, keywords=["erode"], erode="nerve"))
    visitor = arena.side("visitor")
    visitor["ward"] = visitor["ward_rounds"] = 5
    visitor["fortify"][2] = visitor["fortify_rounds"][2] = 5
    visitor["armour"] = 5
    arena.end_round()
    assert arena.reducer("nerve") == 19


# --- Drain -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "tier", "healed"), [(1, "strong", 1), (2, "strong", 2), (5, "strong", 2), (5, "devastating", 2)]
)
def test_drain_heals_what_it_deals_and_at_most_two(power: int, tier: str, healed: int) -> None:
    arena = Arena(dungeon=[strike("leech", power=power, keywords=["drain"])], rules=NO_RALLY)
    arena.turn("dungeon", hand=["leech"])
    arena.set(veil=10)
    arena.dice(tier)
    arena.act("strike leech")
    assert arena.reducer("veil") == 10 + healed


def test_veil_siphon_deals_two_veil_and_heals_two_vitality() -> None:
    siphon = strike("veil_siphon", "visitor", target="veil", power=2, keywords=["drain"], drain_to="vitality")
    arena = Arena(visitor=[siphon], rules=NO_RALLY)
    arena.turn("visitor", hand=["veil_siphon"])
    arena.set(vitality=10, nerve=1)  # nerve is weaker, but the card names vitality
    arena.dice("strong")
    arena.act("strike veil_siphon")
    assert (arena.reducer("veil"), left(arena)) == (18, [12, 20, 1])


def test_drain_finds_the_weakest_reducer_by_share() -> None:
    arena = Arena(dungeon=[strike("leech", power=2, keywords=["drain"])], veil=10, rules=NO_RALLY)
    arena.turn("dungeon", hand=["leech"])
    arena.set(structure=9, veil=5)
    arena.dice("strong")
    arena.act("strike leech")
    assert left(arena, ("structure", "veil", "presence")) == [11, 5, 20]


def test_drain_never_heals_above_the_start() -> None:
    arena = Arena(dungeon=[strike("leech", power=4, keywords=["drain"])], rules=NO_RALLY)
    arena.turn("dungeon", hand=["leech"])
    arena.set(veil=19)
    arena.dice("strong")
    arena.act("strike leech")
    assert left(arena, ("structure", "veil", "presence")) == [20, 20, 20]


def test_drain_heals_only_what_the_guards_let_through() -> None:
    arena = Arena(dungeon=[strike("leech", power=3, keywords=["drain"])], rules=NO_RALLY)
    arena.turn("dungeon", hand=["leech"])
    arena.set(veil=10)
    arena.side("visitor")["ward"] = 2
    arena.dice("strong")
    arena.act("strike leech")
    assert (arena.reducer("vitality"), arena.reducer("veil")) == (19, 11)


# --- Overwhelm -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nerve", "fields", "after"),
    [
        (1, {}, [20, 12, 0]),  # 4 − 1 spill to resolve, the weakest other
        (1, {"spill_to": "vitality"}, [17, 15, 0]),
        (4, {}, [20, 15, 0]),  # depleted exactly: nothing is left over
        (5, {}, [20, 15, 1]),
        (0, {}, [20, 11, 0]),  # depleted before: all of it
    ],
)
def test_overwhelm_spills_what_a_depleted_reducer_cannot_take(
    nerve: int, fields: dict[str, str], after: list[int]
) -> None:
    surge = strike("surge", target="nerve", power=4, keywords=["overwhelm"], **fields)
    arena = Arena(dungeon=[surge], rules=NO_RALLY)
    arena.turn("dungeon", hand=["surge"])
    arena.set(resolve=15, nerve=nerve)
    arena.dice("strong")
    arena.act("strike surge")
    assert left(arena) == after


def test_without_overwhelm_excess_damage_is_lost() -> None:
    arena = Arena(dungeon=[strike("surge", target="nerve", power=4)], rules=NO_RALLY)
    arena.turn("dungeon", hand=["surge"])
    arena.set(nerve=1)
    arena.dice("strong")
    arena.act("strike surge")
    assert left(arena) == [20, 20, 0]


def test_fear_resonance_on_nightmare_surge_doubles_the_spill() -> None:
    resonance = card("empower", "fear_resonance", "dungeon", power=2, keywords=["overwhelm"])
    surge = strike("nightmare_surge", target="nerve", power=3, keywords=["overwhelm"], spill_to="resolve")
    arena = Arena(dungeon=[resonance, surge], rules=NO_RALLY)
    arena.turn("dungeon", hand=["fear_resonance", "nightmare_surge"])
    arena.set(nerve=2)
    arena.dice("strong")
    arena.act("empower fear_resonance", "strike nightmare_surge")
    assert left(arena) == [20, 14, 0]  # (3 + 2 − 2) · 2


def test_overwhelm_granted_by_two_empowers_doubles_as_well() -> None:
    resonance = card("empower", "fear_resonance", "dungeon", keywords=["overwhelm"])
    arena = Arena(dungeon=[resonance, resonance, strike("dread", target="nerve", power=3)], rules=NO_RALLY)
    arena.turn("dungeon", hand=["fear_resonance", "fear_resonance", "dread"])
    arena.set(nerve=1, resolve=10)
    arena.dice("strong")
    arena.act("empower fear_resonance", "empower fear_resonance", "strike dread")
    assert left(arena) == [20, 6, 0]


def test_no_guard_stops_the_spill() -> None:
    arena = Arena(dungeon=[strike("surge", target="nerve", power=4, keywords=["overwhelm"])], rules=NO_RALLY)
    arena.turn("dungeon", hand=["surge"])
    arena.set(nerve=1, resolve=15)
    arena.side("visitor")["fortify"][1] = 5
    arena.dice("strong")
    arena.act("strike surge")
    assert left(arena) == [20, 12, 0]


# --- Resonate --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "dealt"),
    [([], 2), (["empower chant"], 3), (["empower shout"], 2), (["empower chant", "empower shout"], 2)],
    ids=["first card", "same type", "another type", "the last one counts"],
)
def test_resonate_adds_one_after_a_card_of_the_same_type(before: list[str], dealt: int) -> None:
    cards = [
        strike("echo", type="mystical", power=2, keywords=["resonate"]),
        card("empower", "chant", "dungeon", type="mystical", keywords=["erode"]),
        card("empower", "shout", "dungeon", type="social", keywords=["erode"]),
    ]
    arena = Arena(dungeon=cards, rules=NO_RALLY)
    arena.turn("dungeon", hand=["echo", "chant", "shout"])
    arena.dice("strong")
    arena.act(*before, "strike echo")
    assert 20 - arena.reducer("vitality") == dealt


def test_resonate_looks_past_energy_activations_and_the_opponents_cards() -> None:
    cards = [
        strike("echo", type="mystical", power=2, keywords=["resonate"]),
        card("empower", "chant", "dungeon", type="mystical", keywords=["erode"]),
        card("empower", "shout", "dungeon", type="social", keywords=["erode"]),
    ]
    arena = Arena(dungeon=cards, rules=NO_RALLY)
    arena.turn("dungeon", hand=["chant"])
    arena.act("empower chant")
    arena.turn("visitor", hand=["visitor_idle"])
    arena.act("empower visitor_idle")
    arena.turn("dungeon", hand=["echo", "shout", "dungeon_energy"])
    arena.dice("strong")
    arena.act("activate shout", "energy dungeon_energy", "strike echo")
    assert arena.reducer("vitality") == 17


def test_a_laid_trap_is_a_card_that_resonates() -> None:
    snare = card("trap", "snare", "dungeon", type="mystical", springs="test", target="nerve", power=1)
    arena = Arena(dungeon=[strike("echo", type="mystical", power=2, keywords=["resonate"]), snare], rules=NO_RALLY)
    arena.turn("dungeon", hand=["echo", "snare"])
    arena.dice("strong")
    arena.act("trap snare", "strike echo")
    assert arena.reducer("vitality") == 17


def test_a_react_neither_resonates_nor_breaks_resonance() -> None:
    for kind, dealt in (("mystical", 3), ("social", 2)):
        arena = Arena(
            dungeon=[strike("claw", power=3)],
            visitor=[
                card("empower", "chant", "visitor", type=kind, keywords=["erode"]),
                card("react", "shimmer", "visitor", type="social" if kind == "mystical" else "mystical", power=1),
                strike("echo", "visitor", type="mystical", power=2, keywords=["resonate"]),
            ],
            rules=NO_RALLY,
        )
        arena.turn("visitor", hand=["chant"])
        arena.act("empower chant")
        arena.turn("dungeon", hand=["claw"], other_hand=["shimmer"])
        arena.dice("strong", "strong")
        arena.act("strike claw", "react shimmer")
        arena.turn("visitor", hand=["echo"])
        arena.dice("strong")
        arena.act("strike echo")
        assert 20 - arena.reducer("structure") == dealt


def test_resonate_starts_anew_in_every_room() -> None:
    echo = strike("echo", "visitor", power=2, keywords=["resonate"])
    arena = Arena(visitor=[echo, echo], rooms=[{"room": "one"}, {"room": "two"}], rules=NO_RALLY)
    arena.turn("visitor", hand=["echo"])
    arena.dice("strong")
    arena.act("strike echo")
    arena.set(structure=0)
    arena.act("end")
    arena.settle()
    arena.turn("visitor", hand=["echo"])
    arena.dice("strong")
    arena.act("strike echo")
    assert (arena.encounter.room, arena.reducer("structure")) == ("two", 18)


# --- Ward ------------------------------------------------------------------------------------------------------------


def warded(amount: int, claws: int = 2) -> Arena:
    """The visitor has raised a Ward in its turn; the dungeon, which acts second, holds Strikes of 3."""
    ward = card("reshape", "ward", "visitor", ward=amount)
    arena = Arena(dungeon=[strike("claw", power=3)] * claws, visitor=[ward, ward], rules=NO_RALLY)
    arena.side("visitor")["initiative"], arena.side("dungeon")["initiative"] = 12, 2
    arena.end_round()
    arena.turn("visitor", hand=["ward"])
    arena.act("reshape ward")
    return arena


def test_ward_reduces_the_next_damage_and_is_gone() -> None:
    arena = warded(2)
    arena.turn("dungeon", hand=["claw", "claw"])
    arena.dice("strong", "strong")
    arena.act("strike claw")
    assert arena.reducer("vitality") == 19
    arena.act("strike claw")
    assert arena.reducer("vitality") == 16


def test_a_ward_larger_than_the_damage_is_used_up_all_the_same() -> None:
    arena = warded(5)
    arena.turn("dungeon", hand=["claw", "claw"])
    arena.dice("strong", "strong")
    arena.act("strike claw")
    assert arena.reducer("vitality") == 20
    arena.act("strike claw")
    assert arena.reducer("vitality") == 17


def test_ward_ends_when_its_owners_next_turn_starts() -> None:
    arena = warded(2)
    arena.turn("dungeon")
    assert int(arena.side("visitor")["ward"]) == 2
    arena.turn("visitor")
    assert int(arena.side("visitor")["ward"]) == 0


def test_the_larger_of_two_wards_counts() -> None:
    cards = [card("reshape", name, "visitor", ward=amount) for name, amount in (("thick", 3), ("thin", 1))]
    for order in (("thick", "thin"), ("thin", "thick")):
        arena = Arena(visitor=cards)
        arena.turn("visitor", hand=["thick", "thin"])
        arena.act(*(f"reshape {name}" for name in order))
        assert int(arena.side("visitor")["ward"]) == 3


@pytest.mark.parametrize(("base", "left"), [(2, 20), (3, 19), (0, 19)])
def test_ward_stops_reversal_damage(base: int, left: int) -> None:
    arena = Arena(dungeon=[strike("claw", power=3)], rules={"reversal_base": base})
    arena.turn("dungeon", hand=["claw"])
    arena.side("dungeon")["ward"] = 2
    arena.dice("stalemate")
    arena.act("strike claw")
    assert arena.reducer("structure") == left


def test_auto_effects_erode_and_escalation_go_past_ward_and_fortify() -> None:
    arena = Arena(auto=[{"resource": "nerve", "change": -2}], rules={"escalation_from": 2})
    visitor = arena.side("visitor")
    visitor["erode"][1] = 1
    visitor["ward"] = visitor["ward_rounds"] = 5
    arena.set(vitality=20, resolve=20, nerve=20)
    for r in range(3):
        visitor["fortify"][r] = visitor["fortify_rounds"][r] = 5
    arena.end_round()
    assert (arena.encounter.round, left(arena), int(visitor["ward"])) == (2, [19, 19, 18], 5)


# --- Fortify ---------------------------------------------------------------------------------------------------------


def test_fortify_protects_one_resource_against_every_hit() -> None:
    cards = [strike("claw", power=3), strike("claw", power=3), strike("dread", target="nerve", power=3)]
    bark = card("reshape", "bark", "visitor", fortify={"resource": "vitality", "amount": 2})
    arena = Arena(dungeon=cards, visitor=[bark], rules=NO_RALLY)
    arena.side("visitor")["initiative"], arena.side("dungeon")["initiative"] = 12, 2
    arena.end_round()
    arena.turn("visitor", hand=["bark"])
    arena.act("reshape bark")
    arena.turn("dungeon", hand=["claw", "claw", "dread"])
    arena.dice("strong", "strong", "strong")
    arena.act("strike claw", "strike claw", "strike dread")
    assert left(arena) == [18, 20, 17]


@pytest.mark.parametrize("rounds", [1, 2])
def test_fortify_raised_in_its_owners_turn_counts_the_owners_turn_starts(rounds: int) -> None:
    bark = card("reshape", "bark", "visitor", fortify={"resource": "vitality", "amount": 2, "rounds": rounds})
    arena = Arena(visitor=[bark])
    arena.turn("visitor", hand=["bark"])
    arena.act("reshape bark")
    seen = []
    for _ in range(3):
        arena.turn("dungeon")
        seen.append(int(arena.side("visitor")["fortify"][0]))
        arena.turn("visitor")
    assert seen == [2] * rounds + [0] * (3 - rounds)


@pytest.mark.parametrize("rounds", [1, 2])
def test_fortify_raised_in_the_opponents_turn_lasts_one_turn_start_longer(rounds: int) -> None:
    absorb = {"resource": "vitality", "amount": 2, "rounds": rounds}
    arena = Arena(
        dungeon=[strike("claw", power=1)], visitor=[card("react", "harden", "visitor", power=1, absorb=absorb)]
    )
    arena.turn("dungeon", hand=["claw"], other_hand=["harden"])
    arena.dice("strong", "strong")
    arena.act("strike claw", "react harden")
    seen = []
    for _ in range(3):
        arena.turn("visitor")
        arena.turn("dungeon")
        seen.append(int(arena.side("visitor")["fortify"][0]))
    assert seen == [2] * rounds + [0] * (3 - rounds)


@pytest.mark.parametrize(
    ("thick", "thin", "order", "lasts"),
    [
        ((3, 1), (1, 2), ("thick", "thin"), (3, 1)),  # the smaller is lost
        ((3, 1), (1, 2), ("thin", "thick"), (3, 1)),  # the larger comes with its own duration
        ((3, 2), (1, 1), ("thin", "thick"), (3, 2)),
        ((2, 1), (2, 2), ("thick", "thin"), (2, 2)),
    ],
)
def test_a_larger_fortify_takes_the_place_of_a_smaller_one_with_its_own_duration(
    thick: tuple[int, int], thin: tuple[int, int], order: tuple[str, str], lasts: tuple[int, int]
) -> None:
    cards = [
        card("reshape", name, "visitor", fortify={"resource": "nerve", "amount": amount, "rounds": rounds})
        for name, (amount, rounds) in (("thick", thick), ("thin", thin))
    ]
    arena = Arena(visitor=cards)
    arena.turn("visitor", hand=["thick", "thin"])
    arena.act(*(f"reshape {name}" for name in order))
    visitor = arena.side("visitor")
    assert (list(visitor["fortify"]), list(visitor["fortify_rounds"])) == ([0, 0, lasts[0]], [0, 0, lasts[1]])


def test_guards_meet_damage_in_order_armour_fortify_ward() -> None:
    arena = Arena(dungeon=[strike("claw", power=6)], rules=NO_RALLY)
    arena.turn("dungeon", hand=["claw"])
    visitor = arena.side("visitor")
    visitor["armour"], visitor["ward"], visitor["fortify"][0] = 1, 9, 2
    arena.dice("strong")
    arena.act("strike claw")
    stopped = [(event.points, event.guard) for event in arena.happened("guarded")]
    assert stopped == [(1, "armour"), (2, "fortify"), (3, "ward")]
    assert (arena.reducer("vitality"), int(visitor["armour"]), int(visitor["ward"])) == (20, 0, 0)


def test_ward_is_kept_when_fortify_stops_all_of_it() -> None:
    arena = Arena(dungeon=[strike("claw", power=2)], rules=NO_RALLY)
    arena.turn("dungeon", hand=["claw"])
    visitor = arena.side("visitor")
    visitor["ward"], visitor["fortify"][0] = 4, 2
    arena.dice("strong")
    arena.act("strike claw")
    assert (arena.reducer("vitality"), int(visitor["ward"])) == (20, 4)


# --- Exhaust ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "used",
    [
        strike("once", "visitor"),
        card("empower", "once", "visitor", power=1),
        card("disrupt", "once", "visitor", strip=True),
        card("counter", "once", "visitor", chip={"resource": "veil", "amount": 1}),
        card("reshape", "once", "visitor", ward=1),
    ],
    ids=lambda used: used["category"],
)
def test_exhaust_takes_a_card_of_any_category_out_of_the_run(used: dict[str, Any]) -> None:
    for exhaust, discarded in ((False, 1), (True, 0)):
        arena = Arena(visitor=[used | {"exhaust": exhaust}])
        arena.turn("visitor", hand=["once"])
        arena.act(f"{used['category']} once")
        assert int(arena.side("visitor")["discard_size"]) == discarded
        assert bool(arena.side("visitor")["gone"]) == exhaust


def test_an_activated_exhaust_card_was_not_used_and_stays_in_the_run() -> None:
    arena = Arena(visitor=[strike("once", "visitor", exhaust=True)])
    arena.turn("visitor", hand=["once"])
    arena.act("activate once")
    assert (int(arena.side("visitor")["discard_size"]), int(arena.side("visitor")["gone"])) == (1, 0)


# --- Cleave, Focused, Piercing ---------------------------------------------------------------------------------------


def party(claw: dict[str, Any], vitality: tuple[int, int, int, int] = (10, 10, 10, 10), **options: Any) -> Arena:
    """Four members against a dungeon that holds one Strike, in its turn."""
    kits: list[list[dict[str, Any]]] = options.pop("kits", [[], [], [], []])
    arena = Arena(dungeon=[claw], party=kits, vitality=vitality, rules=NO_RALLY, **options)
    arena.turn("dungeon", hand=[claw["id"]])
    return arena


def vitalities(arena: Arena) -> list[int]:
    return [int(arena.member(seat)["vitality"]) for seat in range(4)]


@pytest.mark.parametrize(("power", "tier", "each"), [(3, "strong", 2), (4, "strong", 2), (4, "devastating", 3)])
def test_cleave_deals_half_the_damage_to_every_standing_member(power: int, tier: str, each: int) -> None:
    arena = party(strike("sweep", power=power, keywords=["cleave"]))
    arena.dice(tier)
    arena.act("strike sweep")
    assert vitalities(arena) == [10 - each] * 4
    assert arena.reducer("vitality") == 40 - 4 * each


def test_cleave_passes_over_the_fallen() -> None:
    arena = party(strike("sweep", power=4, keywords=["cleave"]), vitality=(10, 2, 10, 10))
    arena.member(1)["down"], arena.member(1)["vitality"], arena.state["downs"] = 1, 0, 1
    arena.dice("strong")
    arena.act("strike sweep")
    assert vitalities(arena) == [8, 0, 8, 8]


def test_cleave_changes_nothing_against_a_creature_or_another_resource() -> None:
    arena = struck(strike("sweep", power=4, keywords=["cleave"]))
    assert arena.reducer("vitality") == 16
    arena = party(strike("howl", target="nerve", power=4, keywords=["cleave"]))
    arena.dice("strong")
    arena.act("strike howl")
    assert (arena.reducer("nerve"), vitalities(arena)) == (16, [10] * 4)


def test_focused_hits_the_member_with_the_least_vitality_and_asks_nobody() -> None:
    arena = party(strike("spear", power=3, keywords=["focused"]), vitality=(30, 6, 8, 7))
    arena.member(0)["vitality"] = 9  # the lowest share, but not the least vitality
    arena.dice("strong")
    arena.act("strike spear")
    assert vitalities(arena) == [9, 3, 8, 7]
    assert arena.encounter.decision is not None
    assert arena.encounter.decision.kind == "turn"


def test_without_focused_the_dungeon_chooses_the_member() -> None:
    arena = party(strike("spear", power=3), vitality=(9, 6, 8, 7))
    arena.dice("strong")
    arena.act("strike spear")
    assert arena.legal() == ["→ a", "→ b", "→ c", "→ d"]
    arena.act("→ c")
    assert vitalities(arena) == [9, 6, 5, 7]


def test_focused_changes_nothing_against_a_creature() -> None:
    assert left(struck(strike("spear", power=3, keywords=["focused"]))) == [17, 20, 20]


@pytest.mark.parametrize(("keywords", "after"), [([], 19), (["piercing"], 17)])
def test_piercing_bars_the_harmed_member_from_healing(keywords: list[str], after: int) -> None:
    salve = card("reshape", "salve", "visitor", heal={"resource": "vitality", "amount": 2})
    arena = Arena(dungeon=[strike("barb", power=3, keywords=keywords)], visitor=[salve], rules=NO_RALLY)
    arena.turn("dungeon", hand=["barb"])
    arena.dice("strong")
    arena.act("strike barb")
    arena.turn("visitor", hand=["salve"])
    arena.act("reshape salve")
    assert arena.reducer("vitality") == after


def test_piercing_marks_only_the_member_it_harms() -> None:
    salve = card("reshape", "salve", "visitor", heal={"resource": "vitality", "amount": 2})
    arena = party(strike("barb", power=3, keywords=["piercing"]), kits=[[salve], [], [], []])
    arena.dice("strong")
    arena.act("strike barb", "→ b")
    arena.member(2)["vitality"] -= 1
    arena.side("visitor")["reducers"][0] -= 1
    arena.turn("visitor", hand=["salve"])
    arena.act("reshape salve")
    assert vitalities(arena) == [10, 7, 10, 10]  # b has the lowest share, c is healed


def test_piercing_ends_with_the_room() -> None:
    salve = card("reshape", "salve", "visitor", heal={"resource": "vitality", "amount": 2})
    arena = Arena(
        dungeon=[strike("barb", power=3, keywords=["piercing"])],
        visitor=[salve],
        rooms=[{"room": "one"}, {"room": "two"}],
        rules=NO_RALLY,
    )
    arena.turn("dungeon", hand=["barb"])
    arena.dice("strong")
    arena.act("strike barb")
    arena.set(structure=0)
    arena.act("end")
    arena.settle()
    arena.turn("visitor", hand=["salve"])
    arena.act("reshape salve")
    assert (arena.encounter.room, arena.reducer("vitality")) == ("two", 19)


def test_a_piercing_strike_that_guards_stop_marks_nobody() -> None:
    arena = Arena(dungeon=[strike("barb", power=3, keywords=["piercing"])])
    arena.turn("dungeon", hand=["barb"])
    arena.side("visitor")["ward"] = 5
    arena.dice("strong")
    arena.act("strike barb")
    assert arena.reducer("vitality") == 20
    assert int(arena.member(0)["pierced"]) == 0


# --- on hits only ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tier", "ward"), [("stalemate", 0), ("reversal", 0), ("strong", 9)])
def test_keywords_act_only_when_a_point_of_damage_gets_through(tier: str, ward: int) -> None:
    claw = strike("claw", target="nerve", power=3, keywords=["entangle", "erode", "drain", "overwhelm"])
    arena = Arena(dungeon=[claw], rules=NO_RALLY)
    arena.turn("dungeon", hand=["claw"])
    arena.set(veil=10, nerve=1)
    visitor = arena.side("visitor")
    visitor["ward"] = ward
    arena.dice(tier)
    arena.act("strike claw")
    assert (int(visitor["entangled"]), list(visitor["erode"])) == (0, [0, 0, 0])
    assert (arena.reducer("veil"), left(arena)) == (10, [20, 20, 1])


# --- conditions: what a Disrupt lays ---------------------------------------------------------------------------------


def disrupted(disrupt: dict[str, Any], claws: list[dict[str, Any]], **options: Any) -> Arena:
    """The visitor has played a Disrupt; it is the dungeon's turn with these cards in hand."""
    jinx = card("disrupt", "jinx", "visitor", **disrupt)
    arena = Arena(dungeon=claws, visitor=[jinx], **({"rules": NO_RALLY} | options))
    arena.turn("visitor", hand=["jinx"])
    arena.act("disrupt jinx")
    arena.turn("dungeon", hand=[claw["id"] for claw in claws])
    return arena


def test_disadvantage_rolls_three_keeps_the_lowest_and_is_used_up() -> None:
    arena = disrupted({"disadvantage": True}, [strike("claw", power=3)] * 2)
    for dealt in (0, 3):
        arena.set(vitality=20)
        arena.dice_by_mode(plain="strong", disadvantage="stalemate")
        arena.act("strike claw")
        assert 20 - arena.reducer("vitality") == dealt
        arena.dice_used()


@pytest.mark.parametrize("tier", ["strong", "reversal"])
def test_thorns_cost_the_striker_its_resource_hit_or_miss_and_once(tier: str) -> None:
    thorns = {"thorns": {"resource": "presence", "amount": 2}}
    arena = disrupted(thorns, [strike("claw", power=1)] * 2)
    arena.dice(tier, "strong")
    arena.act("strike claw")
    assert arena.reducer("presence") == 18
    arena.act("strike claw")
    assert arena.reducer("presence") == 18


def test_guards_meet_thorns() -> None:
    arena = disrupted({"thorns": {"resource": "presence", "amount": 3}}, [strike("claw", power=1)])
    arena.side("dungeon")["fortify"][2] = 2
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("presence") == 19


def test_strip_takes_all_keywords_and_granted_ones_but_no_power() -> None:
    grant = card("empower", "grant", "dungeon", power=1, keywords=["erode"])
    trigger = {"when": "self_empowered", "power": 2, "keywords": ["drain"]}
    claw = strike("claw", power=2, keywords=["entangle"], trigger=trigger)
    arena = disrupted({"strip": True}, [grant, claw])
    arena.set(veil=10)
    arena.dice("strong")
    arena.act("empower grant", "strike claw")
    visitor = arena.side("visitor")
    assert arena.reducer("vitality") == 15  # 2, the Empower's 1, the trigger's 2
    assert (int(visitor["entangled"]), list(visitor["erode"]), arena.reducer("veil")) == (0, [0, 0, 0], 10)


def test_strip_is_used_up_by_one_strike() -> None:
    arena = disrupted({"strip": True}, [strike("roots", keywords=["entangle"])] * 2)
    arena.dice("strong", "strong")
    arena.act("strike roots")
    assert int(arena.side("visitor")["entangled"]) == 0
    arena.act("strike roots")
    assert int(arena.side("visitor")["entangled"]) == 1


def test_randomise_hits_each_resource_equally_often_instead_of_the_chosen_one() -> None:
    arena = disrupted({"randomise": True}, [strike("claw", target="chosen", power=3)])
    arena.dice("strong")
    hit: Counter[str] = Counter()
    for k in range(600):
        twin = arena.encounter.copy()
        with wrapping():
            twin.state["streams"][codes.CHANCE] = scramble(np.uint64(k + 1))
        twin.apply("strike claw")
        assert twin.decision is not None
        assert twin.decision.kind == "turn"  # nobody is asked
        lost = [20 - int(points) for points in twin.state["sides"][1]["reducers"]]
        assert sorted(lost) == [0, 0, 3]
        hit[VISITOR_REDUCERS[lost.index(3)]] += 1
    assert all(abs(hit[name] - 200) <= 35 for name in VISITOR_REDUCERS)  # three standard deviations


def test_randomise_is_used_up_by_one_strike() -> None:
    arena = disrupted({"randomise": True}, [strike("claw", target="nerve", power=1)] * 2)
    arena.dice("strong", "strong")
    arena.act("strike claw")
    before = arena.reducer("nerve")
    arena.act("strike claw")
    assert arena.reducer("nerve") == before - 1
    assert len(arena.happened("target_scrambled")) == 1


def test_conditions_wait_over_rounds_for_the_next_strike() -> None:
    arena = disrupted({"disadvantage": True, "strip": True, "randomise": True}, [strike("claw")])
    arena.end_round()
    arena.end_round()
    arena.turn("dungeon", hand=["claw"])
    dungeon = arena.side("dungeon")
    assert [int(dungeon[field]) for field in ("disadvantage", "strip", "randomise")] == [1, 1, 1]
    arena.act("strike claw")
    assert [int(dungeon[field]) for field in ("disadvantage", "strip", "randomise")] == [0, 0, 0]


def test_thorns_of_one_resource_add_up() -> None:
    jinx = card("disrupt", "jinx", "visitor", thorns={"resource": "veil", "amount": 2})
    arena = Arena(dungeon=[strike("claw", power=1)], visitor=[jinx, jinx], rules=NO_RALLY)
    arena.turn("visitor", hand=["jinx", "jinx"])
    arena.act("disrupt jinx", "disrupt jinx")
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("veil") == 16


def test_thorns_of_two_resources_each_hurt_their_own() -> None:
    jinxes = [
        card("disrupt", "nettle", "visitor", thorns={"resource": "veil", "amount": 2}),
        card("disrupt", "sneer", "visitor", thorns={"resource": "presence", "amount": 1}),
    ]
    arena = Arena(dungeon=[strike("claw", power=1)], visitor=jinxes, rules=NO_RALLY)
    arena.turn("visitor", hand=["nettle", "sneer"])
    arena.act("disrupt nettle", "disrupt sneer")
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert (arena.reducer("veil"), arena.reducer("presence")) == (18, 19)
