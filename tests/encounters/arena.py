"""A bare arena for rule tests: hand-written cards, chosen hands, scripted dice.

    arena = Arena(dungeon=[strike("claw", power=3)], visitor=[])
    arena.turn("dungeon", hand=["claw"], energy=3)
    arena.dice("strong")                # the coming contested rolls, by tier, in order
    arena.act("strike claw")
    assert arena.reducer("vitality") == 17
    arena.dice_used()                   # every scripted roll was drawn, and no other

Both sides have attribute 0, the visitor is a creature of 20/20/20 unless `party` says otherwise, the dungeon is
20/20/20, the room has no auto-effects and a limit of 40 rounds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.cards import CARD
from cartomancer.content.models.effects import Effect
from cartomancer.content.models.encounter import Creature, Deck, Dungeon, PartyClass, Room, Scenario
from cartomancer.content.models.stakes import Trial
from cartomancer.encounters import names
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import Event
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.layout import number_of
from cartomancer.encounters.kernel.resolution import PLAIN, contest_roll, tier_of
from cartomancer.encounters.packing import pack_scenario
from cartomancer.jit import wrapping
from cartomancer.rng import scramble

FILLER = 8  # Energy cards that make every opening hand legal


def card(category: str, name: str, side: str, **fields: Any) -> dict[str, Any]:
    """A card's data with defaults for what a test does not care about."""
    base: dict[str, Any] = {"id": name, "title": name.replace("_", " ").title(), "side": side, "category": category}
    if category != "energy":
        base |= {"type": "physical", "cost": 0}
    return base | fields


def strike(name: str = "claw", side: str = "dungeon", **fields: Any) -> dict[str, Any]:
    """A Strike of power 3 at the opponent's primary reducer."""
    target = "vitality" if side == "dungeon" else "structure"
    return card("strike", name, side, **({"target": target, "power": 3} | fields))


def offer(name: str = "gift", side: str = "dungeon", **fields: Any) -> dict[str, Any]:
    """An Offer: 3 nerve (presence) for 1 resolve (veil) at once, and 1 trust."""
    healed, paid = ("nerve", "resolve") if side == "dungeon" else ("presence", "veil")
    base = {"benefit": {"resource": healed, "amount": 3}, "price": {"type": "flat", "resource": paid, "amount": 1}}
    return card("offer", name, side, **(base | fields))


class Arena:
    """An encounter whose state tests may arrange."""

    def __init__(
        self,
        dungeon: list[dict[str, Any]] | None = None,
        visitor: list[dict[str, Any]] | None = None,
        *,
        party: list[list[dict[str, Any]]] | None = None,
        vitality: tuple[int, ...] = (20,),
        resolve: int = 20,
        nerve: int = 20,
        trust: int = 0,
        structure: int = 20,
        veil: int = 20,
        presence: int = 20,
        auto: list[dict[str, Any]] | None = None,
        rooms: list[dict[str, Any]] | None = None,
        round_limit: int = 40,
        retreat: bool = False,
        effects: list[dict[str, Any]] | None = None,
        modifiers: list[str] | None = None,
        equipment: dict[str, int] | None = None,
        targeted_seat: int = 1,
        rules: dict[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.codex = _codex(dungeon or [], visitor or [], party, vitality, resolve, nerve, trust)
        changed: dict[str, Any] = {
            "dungeons": {"pit": Dungeon(id="pit", title="Pit", structure=structure, veil=veil, presence=presence)},
            "rooms": {
                name: Room.model_validate(
                    {"id": name, "title": name, "deck": "pit", "round_limit": round_limit, "auto_effects": auto or []}
                )
                for name in ("one", "two", "three", "four")
            },
        }
        if rules:
            changed["rules"] = self.codex.rules.model_copy(update=rules)
        used = list(modifiers or [])
        if effects:
            trial = Trial(id="tried", title="Tried", effects=[Effect.model_validate(effect) for effect in effects])
            catalog = replace(self.codex.catalog, trials={**self.codex.catalog.trials, "tried": trial})
            changed["catalog"] = catalog
            used.append("tried")
        self.codex = replace(self.codex, **changed)
        scenario = Scenario.model_validate(
            {
                "id": "arena",
                "title": "Arena",
                "dungeon": "pit",
                "rooms": rooms or [{"room": "one"}],
                "retreat": retreat,
                "modifiers": used,
                "equipment": equipment or {},
                "targeted_seat": targeted_seat,
            }
            | ({"creature": "guest"} if party is None else {"members": ["a", "b", "c", "d"]})
        )
        self.encounter = Encounter(pack_scenario(self.codex, scenario), seed)
        self.events: list[Event] = list(self.encounter.opening)
        self._dice_end: np.uint64 | None = None
        self.settle()

    @classmethod
    def shipped(cls, room: str, **visitor: Any) -> Arena:
        """A shipped room as it is, with a shipped creature=, party= or members= in it."""
        arena = object.__new__(cls)
        arena.codex = load_codex()
        named = {"id": "arena", "title": "Arena", "dungeon": "verdant_maw", "rooms": [{"room": room}]}
        scenario = Scenario.model_validate(named | visitor)
        arena.encounter = Encounter(pack_scenario(arena.codex, scenario), 0)
        arena.events, arena._dice_end = list(arena.encounter.opening), None
        arena.settle()
        return arena

    def twin(self) -> Arena:
        """An arena that goes on from here by itself."""
        arena = object.__new__(type(self))
        arena.codex, arena.encounter = self.codex, self.encounter.copy()
        arena.events, arena._dice_end = list(self.events), self._dice_end
        return arena

    # --- arranging ----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.encounter.state

    def side(self, side: str) -> Any:
        """A side's record; assign to its fields by name."""
        return self.state["sides"][names.side_code(side)]

    def member(self, seat: int) -> Any:
        """A member's record, by seat 0 to 3."""
        return self.state["members"][seat]

    def settle(self) -> None:
        """Keep the opening hands, if anybody is asked."""
        while self.encounter.decision is not None and self.encounter.decision.kind == "mulligan":
            self.act("keep")

    def turn(
        self, side: str, hand: list[str] | None = None, energy: int = 9, other_hand: list[str] | None = None
    ) -> None:
        """Make it this side's turn, with exactly these cards in hand, and nothing but Energy in the other's."""
        if self.encounter.decision is None:
            raise AssertionError("the run is over")
        code = names.side_code(side)
        while (int(self.state["turn"]), int(self.state["awaiting"])) != (code, int(codes.AWAIT_TURN)):
            self.act("end")
        self.hold(side, hand or [])
        self.hold("dungeon" if side == "visitor" else "visitor", other_hand or [])
        for name in names.SIDES:
            self.side(name)["energy"] = energy

    def hold(self, side: str, hand: list[str]) -> None:
        """Put exactly these cards into a side's hand; all others of it into the draw pile."""
        code, record = names.side_code(side), self.side(side)
        size = self._deck_size(code)
        wanted, left = [], list(range(size))
        for name in hand:
            instance = next(k for k in left if self._card(code, k) == name)
            wanted.append(instance)
            left.remove(instance)
        left = [k for k in left if k not in record["traps"][: record["trap_count"]]]
        record["hand"][: len(wanted)] = wanted
        record["hand_size"] = len(wanted)
        record["draw"][: len(left)] = left
        record["draw_size"] = len(left)
        record["discard_size"] = 0

    def _deck_size(self, code: int) -> int:
        tables = self.encounter.packed.tables
        if code == codes.VISITOR:
            return int(tables["visitor"]["deck_size"])
        return int(tables["dungeon"]["rooms"][int(self.state["room"])]["deck_size"])

    def _card(self, code: int, instance: int) -> str:
        packed = self.encounter.packed
        return packed.cards[int(number_of(packed.tables, self.state, code, instance))].id

    def set(self, **values: int) -> None:
        """Set reducers by name, or trust in points."""
        for name, value in values.items():
            if name == "trust":
                self.state["trust"] = int(2 * value)
                continue
            code = 0 if name in names.RESOURCES[0] else 1
            r = names.RESOURCES[code].index(name)
            self.state["sides"][code]["reducers"][r] = value
            if name == "vitality":
                self.state["members"][0]["vitality"] = value

    def members(self, *vitality: int) -> None:
        """Set the members' vitality, seat by seat; the side's is their sum."""
        for seat, points in enumerate(vitality):
            self.member(seat)["vitality"] = points
        self.side("visitor")["reducers"][0] = sum(vitality)

    def dice(self, *tiers: str) -> None:
        """Script the coming contested rolls (all plain, or the mode given as 'strong/advantage'), by tier."""
        wanted = [tier.partition("/") for tier in tiers]
        modes = {"": 0, "advantage": 1, "disadvantage": 2}
        order = [tier.id for tier in self.codex.resolution.tiers]
        margins = np.array([tier.least_margin for tier in self.codex.resolution.tiers], np.int64)
        stream = np.zeros(1, np.uint64)
        for start in range(1, 2_000_000):
            with wrapping():
                stream[0] = scramble(np.uint64(start))
            first = stream[0]
            for tier, _, mode in wanted:
                with wrapping():
                    mine = contest_roll(stream, 0, np.int64(modes[mode]))
                    theirs = contest_roll(stream, 0, PLAIN)
                if order[int(tier_of(mine - theirs, margins, np.int64(len(order))))] != tier:
                    break
            else:
                self.state["streams"][codes.DICE] = first
                self._dice_end = stream[0]
                return
        raise AssertionError(f"no dice for {tiers}")

    def dice_by_mode(self, **tiers: str) -> None:
        """Script one contested roll by the tier of each of the striker's modes: plain=, advantage=, disadvantage=."""
        order = [tier.id for tier in self.codex.resolution.tiers]
        margins = np.array([tier.least_margin for tier in self.codex.resolution.tiers], np.int64)
        modes = {"plain": 0, "advantage": 1, "disadvantage": 2}
        stream = np.zeros(1, np.uint64)
        for start in range(1, 200_000):
            found = {}
            for mode in tiers:
                with wrapping():
                    first = stream[0] = scramble(np.uint64(start))
                    margin = contest_roll(stream, 0, np.int64(modes[mode])) - contest_roll(stream, 0, PLAIN)
                found[mode] = order[int(tier_of(margin, margins, np.int64(len(order))))]
            if found == tiers:
                self.state["streams"][codes.DICE] = first
                self._dice_end = stream[0]
                return
        raise AssertionError(f"no dice for {tiers}")

    def dice_used(self) -> None:
        """Every scripted roll was drawn, and no other."""
        assert self._dice_end == self.state["streams"][codes.DICE]

    # --- acting and looking -------------------------------------------------------------------------------------------

    def act(self, *actions: str) -> list[Event]:
        """Take actions by their readable form; the events of the last."""
        found: list[Event] = []
        for action in actions:
            found = self.encounter.apply(action)
            self.events += found
        return found

    def end_round(self) -> None:
        """Both sides end their turns until the next round's first turn (or the end)."""
        now = self.encounter.round
        while self.encounter.decision is not None and self.encounter.round == now:
            self.act("end")

    def reducer(self, name: str) -> int:
        """A reducer's points."""
        code = 0 if name in names.RESOURCES[0] else 1
        return int(self.state["sides"][code]["reducers"][names.RESOURCES[code].index(name)])

    def trust(self) -> float:
        """Trust, halves included."""
        return int(self.state["trust"]) / 2

    def legal(self) -> list[str]:
        return self.encounter.legal_texts()

    def happened(self, kind: str) -> list[Event]:
        """The events of a kind so far."""
        return [found for found in self.events if found.kind == kind]

    @property
    def outcome(self) -> str | None:
        found = self.encounter.outcome
        return None if found is None else found.kind


def _codex(
    dungeon: list[dict[str, Any]],
    visitor: list[dict[str, Any]],
    party: list[list[dict[str, Any]]] | None,
    vitality: tuple[int, ...],
    resolve: int,
    nerve: int,
    trust: int,
) -> Codex:
    """The shipped codex with the arena's own cards, decks and visitor."""
    energy = {
        side: card("energy", f"{side}_energy", side, kind="standard", title=f"{side} energy") for side in names.SIDES
    }
    idle = {side: card("empower", f"{side}_idle", side, power=1) for side in names.SIDES}
    kits = party or []
    data = [*dungeon, *visitor, *(entry for kit in kits for entry in kit), *energy.values(), *idle.values()]
    cards = {entry["id"]: CARD.validate_python(entry) for entry in data}

    def deck(own: list[dict[str, Any]], side: str, filler: int) -> dict[str, int]:
        found: dict[str, int] = {}
        for entry in own:
            found[entry["id"]] = found.get(entry["id"], 0) + 1
        return found | {f"{side}_energy": filler, f"{side}_idle": filler}

    decks = {
        "pit": Deck.model_construct(id="pit", title="Pit", cards=deck(dungeon, "dungeon", FILLER)),
        "guest": Deck.model_construct(id="guest", title="Guest", cards=deck(visitor, "visitor", FILLER)),
    }
    base = load_codex()
    creature = Creature(
        id="guest", title="Guest", vitality=vitality[0], resolve=resolve, nerve=nerve, trust=trust, deck="guest"
    )
    classes = {}
    for seat, kit in enumerate(kits):
        name = "abcd"[seat]
        classes[name] = PartyClass.model_construct(
            id=name,
            title=name,
            role="any",
            focus="dual",
            vitality=vitality[seat],
            resolve=resolve // 4,
            nerve=nerve // 4,
            cards=deck(kit, "visitor", 3),
            attributes=Creature.model_fields["attributes"].default,
        )
    return replace(base, cards=cards, decks=decks, creatures={"guest": creature}, classes=classes, scenarios={})


__all__ = ["Arena", "card", "offer", "strike"]
