"""Traps and Reshapes [GDD 4.1], E45."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from cartomancer.content.models.vocabulary import Occasion
from cartomancer.encounters.events import redacted
from cartomancer.errors import IllegalActionError
from tests.encounters.arena import Arena, card, strike

NO_RALLY = {"rally": 0}

# what a visitor plays on each occasion that springs a dungeon's Trap
BAIT: dict[str, dict[str, Any]] = {
    "strike": strike("bait", "visitor"),
    "offer": card(
        "offer",
        "bait",
        "visitor",
        benefit={"resource": "veil", "amount": 1},
        price={"type": "flat", "resource": "veil", "amount": 1},
    ),
    "test": card("test", "bait", "visitor", exposure={"resource": "resolve", "amount": 1}),
    "empower": card("empower", "bait", "visitor", power=1),
    "disrupt": card("disrupt", "bait", "visitor", strip=True),
    "counter": card("counter", "bait", "visitor", chip={"resource": "veil", "amount": 1}),
    "reshape": card("reshape", "bait", "visitor", fortify={"resource": "vitality", "amount": 1}),
    "energy": card("energy", "bait", "visitor", kind="standard"),
}


def snare(name: str = "snare", springs: str = "empower", **fields: Any) -> dict[str, Any]:
    """A dungeon's Trap that hurts nerve by 2."""
    return card("trap", name, "dungeon", **({"springs": springs, "target": "nerve", "power": 2} | fields))


def laid(*traps: dict[str, Any], bait: dict[str, Any], **options: Any) -> Arena:
    """The dungeon has laid these Traps in this order; the visitor holds the bait."""
    arena = Arena(dungeon=list(traps), visitor=[bait], **({"rules": NO_RALLY} | options))
    arena.turn("dungeon", hand=[trap["id"] for trap in traps])
    arena.act(*(f"trap {trap['id']}" for trap in traps))
    arena.turn("visitor", hand=["bait"])
    return arena


def take(arena: Arena, bait: dict[str, Any]) -> None:
    if bait["category"] == "strike":
        arena.dice("strong")
    arena.act(f"{bait['category']} bait")


# --- Traps: occasions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("occasion", BAIT)
def test_a_trap_springs_on_its_occasion_and_no_other(occasion: str) -> None:
    for waits_for in get_args(Occasion):
        arena = laid(snare(springs=waits_for), bait=BAIT[occasion])
        take(arena, BAIT[occasion])
        sprung = waits_for == occasion
        assert (20 - arena.reducer("nerve"), int(arena.side("dungeon")["trap_count"])) == ((2, 0) if sprung else (0, 1))


@pytest.mark.parametrize(("answer", "lost"), [("accept", 2), ("refuse", 0)])
def test_a_trap_behind_an_offer_springs_on_acceptance(answer: str, lost: int) -> None:
    gift = card(
        "offer",
        "gift",
        "dungeon",
        benefit={"resource": "vitality", "amount": 1},
        price={"type": "flat", "resource": "resolve", "amount": 1},
    )
    arena = Arena(dungeon=[snare(springs="offer_accepted"), gift])
    arena.turn("dungeon", hand=["snare", "gift"])
    arena.act("trap snare", "offer gift", answer)
    assert 20 - arena.reducer("nerve") == lost
    if lost:
        order = [event.kind for event in arena.events if event.kind in ("offer_accepted", "trap_sprung")]
        assert order == ["offer_accepted", "trap_sprung"]


def test_a_visitors_trap_springs_on_the_dungeon() -> None:
    pit = card("trap", "pitfall", "visitor", springs="strike", target="presence", power=3)
    arena = Arena(dungeon=[strike("claw")], visitor=[pit], rules=NO_RALLY)
    arena.turn("visitor", hand=["pitfall"])
    arena.act("trap pitfall")
    arena.turn("dungeon", hand=["claw"])
    arena.dice("strong")
    arena.act("strike claw")
    assert arena.reducer("presence") == 17


def test_a_trap_does_not_spring_on_its_own_side() -> None:
    arena = Arena(dungeon=[snare(springs="empower"), card("empower", "roar", "dungeon", power=1)])
    arena.turn("dungeon", hand=["snare", "roar"])
    arena.act("trap snare", "empower roar")
    assert int(arena.side("dungeon")["trap_count"]) == 1


def test_an_activated_card_springs_nothing() -> None:
    arena = laid(snare(springs="empower"), bait=BAIT["empower"])
    arena.act("activate bait")
    assert int(arena.side("dungeon")["trap_count"]) == 1


def test_the_oldest_trap_that_waits_for_the_occasion_springs_and_only_that() -> None:
    traps = [snare("other", springs="test"), snare("old", power=1), snare("new", power=4)]
    arena = laid(*traps, bait=BAIT["empower"])
    arena.act("empower bait")
    dungeon = arena.side("dungeon")
    assert arena.reducer("nerve") == 19
    assert [arena._card(0, int(k)) for k in dungeon["traps"][: dungeon["trap_count"]]] == ["other", "new"]


ACTED = {
    "strike": "strike_rolled",
    "offer": "offer_refused",
    "test": "cooperated",
    "empower": "empowered",
    "disrupt": "disrupted",
    "counter": "hurt",
    "reshape": "fortify_gained",
    "energy": "energy_changed",
}


@pytest.mark.parametrize("occasion", BAIT)
def test_a_trap_springs_before_the_action_resolves(occasion: str) -> None:
    trap = snare(springs=occasion, power=0, energy_loss=1)
    arena = laid(trap, bait=BAIT[occasion])
    take(arena, BAIT[occasion])
    answers = {"offer": ["refuse"], "test": ["cooperate"]}
    arena.act(*answers.get(occasion, []))
    told = [event for event in arena.events if event.kind != "energy_changed" or event.cause == "energy"]
    order = [event.kind for event in told if event.kind in ("trap_sprung", ACTED[occasion])]
    assert order == ["trap_sprung", ACTED[occasion]]


def test_a_trap_that_takes_energy_finds_only_what_was_there_before_the_energy_card() -> None:
    arena = laid(snare(springs="energy", power=0, energy_loss=2), bait=BAIT["energy"])
    arena.side("visitor")["energy"] = 0
    arena.act("energy bait")
    assert int(arena.side("visitor")["energy"]) == 1


def test_the_ward_of_a_reshape_comes_too_late_for_the_trap_it_springs() -> None:
    arena = laid(snare(springs="reshape"), bait=card("reshape", "bait", "visitor", ward=1))
    arena.act("reshape bait")
    assert (arena.reducer("nerve"), int(arena.side("visitor")["ward"])) == (18, 1)


# --- Traps: on the table ---------------------------------------------------------------------------------------------


def test_a_laid_trap_lies_face_down_and_in_no_pile() -> None:
    arena = Arena(dungeon=[snare(cost=1)])
    arena.turn("dungeon", hand=["snare"], energy=2)
    heard = arena.act("trap snare")
    dungeon = arena.side("dungeon")
    assert (int(dungeon["trap_count"]), int(dungeon["hand_size"]), int(dungeon["discard_size"])) == (1, 0, 0)
    assert int(dungeon["energy"]) == 1
    assert [event.kind for event in heard] == ["energy_changed", "trap_laid"]
    for viewer, named in (("dungeon", "snare"), ("visitor", "hidden")):  # the other side does not hear which card
        paid, trap = (redacted(event, viewer) for event in heard)
        assert (paid.source, trap.card) == (named, named)


def test_a_sprung_trap_is_discarded_or_exhausted() -> None:
    for exhaust, discards in ((False, 1), (True, 0)):
        arena = laid(snare(exhaust=exhaust), bait=BAIT["empower"])
        arena.act("empower bait")
        assert int(arena.side("dungeon")["discard_size"]) == discards
        assert bool(arena.side("dungeon")["gone"]) == exhaust


def test_at_most_three_traps_lie_at_once() -> None:
    arena = Arena(dungeon=[snare()] * 4)
    arena.turn("dungeon", hand=["snare"] * 4)
    arena.act("trap snare", "trap snare", "trap snare")
    assert int(arena.side("dungeon")["trap_count"]) == 3
    with pytest.raises(IllegalActionError, match="3 Traps are laid already"):
        arena.act("trap snare")
    assert arena.legal() == ["end", "activate snare"]


def test_traps_wait_over_rounds_and_leave_with_the_room() -> None:
    arena = laid(snare(), bait=BAIT["empower"], rooms=[{"room": "one"}, {"room": "two"}])
    arena.end_round()
    arena.end_round()
    assert int(arena.side("dungeon")["trap_count"]) == 1
    arena.set(structure=0)
    arena.act("end")
    assert (arena.encounter.room, int(arena.side("dungeon")["trap_count"])) == ("two", 0)


# --- Traps: effects --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["vitality", "resolve", "nerve"])
def test_a_trap_deals_its_power_without_a_roll(target: str) -> None:
    arena = laid(snare(target=target, power=3), bait=BAIT["empower"])
    arena.dice()
    arena.act("empower bait")
    assert arena.reducer(target) == 17
    arena.dice_used()


def test_guards_meet_a_traps_damage() -> None:
    arena = laid(snare(power=3), bait=BAIT["empower"])
    arena.side("visitor")["fortify"][2] = 2
    arena.act("empower bait")
    assert arena.reducer("nerve") == 19


def test_a_trap_entangles() -> None:
    arena = laid(snare(power=0, entangle=True), bait=BAIT["empower"])
    arena.act("empower bait")
    assert int(arena.side("visitor")["entangled"]) == 1
    arena.turn("dungeon")
    arena.turn("visitor")
    assert int(arena.side("visitor")["held"]) == 1


def test_a_trap_erodes_the_resource_it_names() -> None:
    arena = laid(snare(power=0, erode="resolve"), bait=BAIT["empower"])
    arena.act("empower bait")
    arena.end_round()
    assert [arena.reducer(name) for name in ("vitality", "resolve", "nerve")] == [20, 19, 20]


@pytest.mark.parametrize(("every", "suppressed"), [(1, True), (6, False)])
def test_a_traps_erode_is_suppressed_in_a_round_in_which_the_room_presses(every: int, suppressed: bool) -> None:
    pressed = [{"resource": "resolve", "change": -1, "every": every}]
    arena = laid(snare(power=0, erode="resolve"), bait=BAIT["empower"], auto=pressed)
    arena.act("empower bait")
    assert list(arena.side("visitor")["erode"]) == [0, 1, 0]
    before = arena.reducer("resolve")
    arena.end_round()
    assert before - arena.reducer("resolve") == 1  # the room's point, or the Erode's
    assert bool(arena.happened("erode_suppressed")) is suppressed


def test_a_trap_gives_the_springers_next_strike_disadvantage() -> None:
    tusk = strike("tusk", "visitor", power=3)
    arena = Arena(dungeon=[snare(power=0, disadvantage=True)], visitor=[BAIT["empower"], tusk], rules=NO_RALLY)
    arena.turn("dungeon", hand=["snare"])
    arena.act("trap snare")
    arena.turn("visitor", hand=["bait", "tusk"])
    arena.act("empower bait")
    arena.dice_by_mode(plain="strong", disadvantage="stalemate")
    arena.act("strike tusk")
    assert arena.reducer("structure") == 20


@pytest.mark.parametrize(
    ("temporary", "energy", "after"), [(0, 5, (0, 3)), (1, 5, (0, 4)), (3, 5, (1, 5)), (0, 1, (0, 0))]
)
def test_a_trap_takes_energy_temporary_first_and_never_below_zero(
    temporary: int, energy: int, after: tuple[int, int]
) -> None:
    arena = laid(snare(power=0, energy_loss=2), bait=BAIT["empower"])
    visitor = arena.side("visitor")
    visitor["temporary"], visitor["energy"] = temporary, energy
    arena.act("empower bait")
    assert (int(visitor["temporary"]), int(visitor["energy"])) == after


# --- Reshape ---------------------------------------------------------------------------------------------------------


def reshaping(**fields: Any) -> Arena:
    """The visitor's turn with one Reshape in hand."""
    options = fields.pop("options", {})
    arena = Arena(visitor=[card("reshape", "shift", "visitor", **fields)], **options)
    arena.turn("visitor", hand=["shift"])
    return arena


@pytest.mark.parametrize(("before", "after"), [(10, 13), (18, 20), (20, 20)])
@pytest.mark.parametrize("resource", ["vitality", "resolve", "nerve"])
def test_a_reshape_heals_its_resource_up_to_the_start(resource: str, before: int, after: int) -> None:
    arena = reshaping(heal={"resource": resource, "amount": 3})
    arena.set(**{resource: before})
    arena.dice()
    arena.act("reshape shift")
    assert arena.reducer(resource) == after
    arena.dice_used()  # no contest


def test_a_reshape_heals_the_weakest_reducer_by_share() -> None:
    arena = reshaping(heal={"resource": "weakest", "amount": 3}, options={"nerve": 10})
    arena.set(vitality=9, nerve=5)  # 45 % of 20, 50 % of 10
    arena.act("reshape shift")
    assert (arena.reducer("vitality"), arena.reducer("nerve")) == (12, 5)


@pytest.mark.parametrize(("nerve", "healed"), [(9, 5), (10, 2)])
def test_a_reshapes_trigger_heals_more_while_it_holds(nerve: int, healed: int) -> None:
    trigger = {"when": "self_below", "resource": "nerve", "value": 50, "power": 3}
    arena = reshaping(heal={"resource": "nerve", "amount": 2}, trigger=trigger)
    arena.set(nerve=nerve)
    arena.act("reshape shift")
    assert arena.reducer("nerve") == nerve + healed


def test_a_reshape_fortifies_one_resource() -> None:
    arena = reshaping(fortify={"resource": "nerve", "amount": 2, "rounds": 2})
    arena.act("reshape shift")
    visitor = arena.side("visitor")
    assert (list(visitor["fortify"]), list(visitor["fortify_rounds"])) == ([0, 0, 2], [0, 0, 2])


def test_a_reshape_wards() -> None:
    arena = reshaping(ward=3)
    arena.act("reshape shift")
    assert int(arena.side("visitor")["ward"]) == 3


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_calm_spares_its_own_side_from_auto_effects_for_some_rounds(rounds: int) -> None:
    auto = [{"resource": "nerve", "change": -1}, {"resource": "veil", "change": -1}]
    arena = reshaping(calm=rounds, options={"auto": auto})
    arena.act("reshape shift")
    arena.set(nerve=20, veil=20)
    lost = []
    for _ in range(3):
        arena.end_round()
        lost.append((20 - arena.reducer("nerve"), 20 - arena.reducer("veil")))
    assert lost == {1: [(0, 1), (1, 2), (2, 3)], 2: [(0, 1), (0, 2), (1, 3)]}[rounds]


def test_a_cleanse_sheds_disrupt_erode_and_entangle() -> None:
    arena = reshaping(cleanse=True, options={"retreat": True})
    arena.state["round_no"] = 3
    visitor = arena.side("visitor")
    for field in ("disadvantage", "thorns", "strip", "randomise", "entangled", "held"):
        visitor[field] = 1
    visitor["erode"] = [1, 2, 3]
    visitor["empowered"] = 1
    arena.act("reshape shift")
    left = [
        bool(visitor[field].any()) for field in ("disadvantage", "thorns", "strip", "randomise", "entangled", "held")
    ]
    assert (left, list(visitor["erode"]), int(visitor["empowered"])) == ([False] * 6, [0, 0, 0], 1)
    assert "retreat" in arena.legal()


def test_a_cleanse_sheds_weakness_and_threat() -> None:
    arena = reshaping(cleanse=True)
    arena.member(0)["weakness"], arena.member(0)["threat"] = 2, 1
    arena.act("reshape shift")
    assert (int(arena.member(0)["weakness"]), int(arena.member(0)["threat"])) == (0, 0)


def test_a_disarming_reshape_removes_the_oldest_trap_unsprung() -> None:
    probe = card("reshape", "bait", "visitor", disarm=True)
    arena = laid(snare("old", springs="test"), snare("new", springs="test"), bait=probe)
    arena.act("reshape bait")
    dungeon = arena.side("dungeon")
    assert [arena._card(0, int(k)) for k in dungeon["traps"][: dungeon["trap_count"]]] == ["new"]
    assert (arena.reducer("nerve"), int(dungeon["discard_size"])) == (20, 1)


@pytest.mark.parametrize(("held", "drawn"), [(0, 3), (8, 2), (9, 1)])
def test_a_reshape_draws_cards_up_to_the_hand_cap(held: int, drawn: int) -> None:
    arena = reshaping(draw=3)
    arena.hold("visitor", ["shift"] + ["visitor_idle"] * min(held, 8) + ["visitor_energy"] * (held - min(held, 8)))
    arena.act("reshape shift")
    assert int(arena.side("visitor")["hand_size"]) == held + drawn


def test_a_reshape_does_everything_it_lists() -> None:
    arena = reshaping(
        heal={"resource": "nerve", "amount": 1},
        fortify={"resource": "vitality", "amount": 1},
        ward=1,
        calm=1,
        cleanse=True,
        draw=1,
    )
    arena.set(nerve=10)
    visitor = arena.side("visitor")
    visitor["strip"] = 1
    arena.act("reshape shift")
    done = [int(visitor[field]) for field in ("ward", "calm", "strip", "hand_size")]
    assert (arena.reducer("nerve"), int(visitor["fortify"][0]), done) == (11, 1, [1, 1, 0, 1])
