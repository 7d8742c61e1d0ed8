"""Every change has a cause: events account for all points, trust and energy, and name what made them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import HIDDEN, Event
from cartomancer.encounters.events import TABLE, redacted
from cartomancer.encounters.kernel.causes import Cause, because, code_of, secret_of, secretly, source_of
from cartomancer.encounters.kernel.events import CHANGE_OF
from cartomancer.encounters.kernel.layout import number_of
from cartomancer.encounters.packing import Packed, pack
from cartomancer.rng import Stream
from tests.encounters.arena import Arena, card, offer, strike
from tests.encounters.random_content import random_packed
from tests.encounters.traces import SCENARIOS

CASES = [*SCENARIOS, *range(6)]


def steps(packed: Packed, seed: int) -> Iterator[tuple[Encounter, list[Event]]]:
    """A random run, decision by decision, with what each led to."""
    fight = Encounter(packed, seed)
    yield fight, fight.opening
    while fight.decision is not None:
        yield fight, fight.apply(Stream(seed, 77, len(fight.actions)).pick(fight.legal()))


def packed_case(case: str | int) -> Packed:
    return random_packed(case) if isinstance(case, int) else pack(case)


class Ledger:
    """What both sides have, from nothing but the events."""

    def __init__(self, packed: Packed) -> None:
        self.start = [list(packed.tables[side]["start"]) for side in ("dungeon", "visitor")]
        self.points = {name: int(self.start[p][r]) for p in range(2) for r, name in enumerate(names.RESOURCES[p])}
        self.energy = dict.fromkeys(names.SIDES, 0)
        self.trust = float(packed.tables["visitor"]["start_trust"])
        self.given_up = dict.fromkeys(names.RESOURCES[0], 0)

    def book(self, event: Event) -> None:
        row = TABLE[event.kind]
        if event.kind == "room_entered":  # the dungeon is whole, but for what it gave up or won for good
            for r, name in enumerate(names.RESOURCES[0]):
                self.points[name] = max(1, int(self.start[0][r]) - self.given_up[name])
        if event.kind == "weakened":
            self.given_up[event.reducer] += event.points
        if event.kind == "extracted" and event.gain in self.given_up and event.side == "dungeon":
            self.given_up[event.gain] -= event.points
        if CHANGE_OF[row.happening]:
            self.points[event.reducer] += int(CHANGE_OF[row.happening]) * event.points
        if event.kind == "trust_changed":
            self.trust += event.change
            assert self.trust == event.trust
        if event.kind == "energy_changed":
            self.energy[event.side] += event.points


@pytest.mark.parametrize("case", CASES)
def test_events_account_for_every_point_of_reducers_trust_and_energy(case: str | int) -> None:
    packed = packed_case(case)
    for seed in range(3):
        ledger = Ledger(packed)
        for fight, happened in steps(packed, seed):
            for event in happened:
                ledger.book(event)
            state = fight.state
            for p, side in enumerate(names.SIDES):
                record = state["sides"][p]
                for r, name in enumerate(names.RESOURCES[p]):
                    assert ledger.points[name] == int(record["reducers"][r]), (name, len(fight.actions))
                held = int(record["energy"]) + int(record["temporary"]) + int(record["typed_energy"].sum())
                assert ledger.energy[side] == held, (side, len(fight.actions))
            assert ledger.trust == int(state["trust"]) / 2


@pytest.mark.parametrize("case", CASES)
def test_every_change_names_its_cause_and_where_it_can_its_source(case: str | int) -> None:
    packed = packed_case(case)
    sources = {"card": {one.id for one in packed.cards}, "modifier": set(packed.modifiers), "room": set(packed.rooms)}
    # when a debt is due, or a member stands again, nobody remembers the card
    forgotten = {
        *((debt, kind) for debt in ("binding_cost", "dependency_cost") for kind in ("hurt", "knocked_out")),
        ("restoration", "restored"),
    }
    for seed in range(3):
        for _, happened in steps(packed, seed):
            for event in happened:
                if not TABLE[event.kind].caused:
                    assert "cause" not in event.fields
                    continue
                cause = Cause[event.cause.upper()]
                assert cause != Cause.NOTHING
                if cause.source and (event.cause, event.kind) not in forgotten:
                    assert event.source in sources[cause.source], event
                elif not cause.source:
                    assert "source" not in event.fields


@pytest.mark.parametrize("case", CASES)
def test_no_side_sees_a_card_in_an_event_before_it_may_know_it(case: str | int) -> None:
    """What a side has seen is in the kernel's own books, which the redactor does not read."""
    packed = packed_case(case)
    numbers = {one.id: number for number, one in enumerate(packed.cards)}
    for seed, viewer in [(0, 1), (1, 0), (2, 1), (3, 0)]:
        seen = set[int]()
        theirs = {number for number, one in enumerate(packed.cards) if names.side_code(one.side) != viewer}
        for fight, happened in steps(packed, seed):
            side = fight.state["sides"][1 - viewer]
            known = (k for k in range(48) if int(side["known"]) >> k & 1)
            seen |= {int(number_of(packed.tables, fight.state, 1 - viewer, k)) for k in known}
            # played openly, though it may have been shuffled away since
            seen |= {numbers[event.card] for event in happened if event.kind == "card_played"}
            if any(event.kind == "room_entered" for event in happened):
                continue  # the books of the last room are closed
            views = [redacted(event, names.SIDES[viewer]) for event in happened]
            named = {value for event in views for value in event.fields.values() if isinstance(value, str)}
            assert {numbers[name] for name in named if name in numbers} & theirs <= seen


# --- one cause at a time ----------------------------------------------------------------------------------------------


def causes(happened: list[Event], kind: str = "hurt") -> list[tuple[Any, ...]]:
    return [(e.reducer, e.points, e.cause, e.fields.get("source")) for e in happened if e.kind == kind]


def struck(claw: dict[str, Any], tier: str = "strong", trust: int = 0, **options: Any) -> list[Event]:
    arena = Arena(dungeon=[claw], **({"rules": {"rally": 0}} | options))
    arena.set(trust=trust, structure=15)
    arena.turn("dungeon", hand=[claw["id"]])
    arena.dice(tier)
    return arena.act(f"strike {claw['id']}")


def test_a_strike_its_reversal_and_its_self_cost() -> None:
    assert causes(struck(strike("claw"))) == [("vitality", 3, "strike", "claw")]
    assert causes(struck(strike("claw"), "reversal")) == [("structure", 3, "reversal", "claw")]
    own = {"rally": 0, "reversal_base": 0}
    assert causes(struck(strike("claw"), "reversal", rules=own)) == [("structure", 5, "reversal", "claw")]
    costly = strike("claw", self_cost={"resource": "veil", "amount": 2})
    assert causes(struck(costly))[0] == ("veil", 2, "self_cost", "claw")


def test_drain_rally_overwhelm_and_betrayal() -> None:
    drained = struck(strike("claw", keywords=["drain"]))
    assert causes(drained, "healed") == [("structure", 2, "drain", "claw")]
    rallied = struck(strike("claw"), rules={"rally": 1})
    assert causes(rallied, "healed") == [("structure", 1, "rally", "claw")]
    spilled = struck(strike("claw", target="nerve", keywords=["overwhelm"], spill_to="resolve"), nerve=1)
    assert causes(spilled) == [("nerve", 1, "strike", "claw"), ("resolve", 2, "overwhelm", "claw")]
    betrayed = struck(strike("claw"), trust=6)
    assert causes(betrayed)[-1][1:] == (6, "betrayal", "claw")
    assert [(e.change, e.cause) for e in betrayed if e.kind == "trust_changed"] == [(-6.0, "betrayal")]


def test_cleave_is_told_from_a_single_hit() -> None:
    four = {"party": [[], [], [], []], "vitality": (10, 9, 8, 7)}
    happened = struck(strike("claw", keywords=["cleave"]), **four)
    assert {cause for _, _, cause, _ in causes(happened)} == {"cleave"}
    assert [e.seat for e in happened if e.kind == "hurt"] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("price", "lost"),
    [
        ({"type": "flat", "resource": "resolve", "amount": 2}, [("resolve", 2, "flat_cost", "gift")]),
        ({"type": "exposure", "strike_type": "physical", "amount": 2}, []),
    ],
)
def test_an_offer_gives_and_takes(price: dict[str, Any], lost: list[tuple[Any, ...]]) -> None:
    arena = Arena(dungeon=[offer("gift", price=price)])
    arena.set(nerve=10)
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift")
    happened = arena.act("accept")
    assert causes(happened, "healed") == [("nerve", 3, "offer", "gift")]
    assert causes(happened) == lost
    assert [(e.cause, e.source) for e in happened if e.kind == "trust_changed"] == [("offer", "gift")]


def test_a_binding_a_room_erode_and_escalation_take_their_points_each_round() -> None:
    binding = {"type": "binding", "resource": "resolve", "amount": 1, "rounds": 2}
    arena = Arena(
        dungeon=[offer("gift", price=binding)],
        auto=[{"resource": "nerve", "change": -1, "every": 1}],
        rules={"escalation_from": 2},
    )
    arena.turn("dungeon", hand=["gift"])
    arena.act("offer gift", "accept")
    arena.side("visitor")["erode"][0] = 2
    start = len(arena.events)
    arena.end_round()
    told = {(cause, reducer) for reducer, _, cause, _ in causes(arena.events[start:])}
    assert {("room", "nerve"), ("binding_cost", "resolve"), ("erode", "vitality"), ("escalation", "structure")} <= told
    assert causes(arena.events[start:])[0] == ("nerve", 1, "room", "one")


def test_a_trap_takes_points_and_energy_and_a_fall_costs_morale() -> None:
    snare = card("trap", "snare", "dungeon", springs="energy", target="vitality", power=3, energy_loss=1)
    arena = Arena(dungeon=[snare], party=[[], [], [], []], vitality=(3, 20, 20, 20))
    arena.turn("dungeon", hand=["snare"])
    arena.act("trap snare")
    arena.turn("visitor", hand=["visitor_energy"])
    happened = arena.act("energy visitor_energy")
    assert causes(happened) == [
        ("vitality", 3, "trap", "snare"),
        *((name, 3, "cascade", None) for name in ("resolve", "nerve")),
    ]
    knocked = next(e for e in happened if e.kind == "knocked_out")
    assert (knocked.seat, knocked.cause, knocked.source) == (0, "trap", "snare")
    assert [(e.points, e.cause, e.source) for e in happened if e.kind == "energy_changed"] == [
        (-1, "trap", "snare"),
        (1, "energy", "visitor_energy"),
    ]


def test_a_modifier_is_named() -> None:
    happened = struck(strike("claw"), effects=[{"code": "opening_strike", "side": "party", "value": 2}])
    arena = Arena(effects=[{"code": "opening_strike", "side": "party", "value": 2}])
    assert causes(arena.encounter.opening) == [("structure", 2, "opening_strike", "tried")]
    assert causes(happened) == [("vitality", 3, "strike", "claw")]


# --- the redactor -----------------------------------------------------------------------------------------------------


def test_a_veiled_offer_is_hidden_with_everything_that_comes_of_it() -> None:
    arena = Arena(dungeon=[offer("gift", cost=1)])
    arena.set(trust=3)
    arena.turn("dungeon", hand=["gift"])
    happened = arena.act("offer gift") + arena.act("refuse")
    assert {e.kind for e in happened} == {"energy_changed", "offered", "offer_refused"}
    for event in happened:
        hidden = [name for name, value in redacted(event, "visitor").fields.items() if value == HIDDEN]
        assert hidden == (["card"] if "card" in event.fields else ["source"])
        assert redacted(event, "dungeon") == redacted(event, None) == event


def test_an_open_offer_is_seen_by_everybody() -> None:
    arena = Arena(dungeon=[offer("gift", cost=1)])
    arena.turn("dungeon", hand=["gift"])
    for event in arena.act("offer gift") + arena.act("refuse"):
        assert redacted(event, "visitor") == event


# --- packing ----------------------------------------------------------------------------------------------------------


def test_a_cause_keeps_its_source_and_its_secret() -> None:
    for cause in Cause:
        for source in (-1, 0, 127):
            packed = because(int(cause), source)
            assert (code_of(packed), source_of(packed), secret_of(packed)) == (cause, source, -1)
            for side in (0, 1):
                hidden = secretly(packed, side)
                assert (code_of(hidden), source_of(hidden), secret_of(hidden)) == (cause, source, side)
