"""What a side cannot know changes nothing in what it is shown [Bond 3.2]: re-dealt, bit by bit, and through veils."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import asdict
from functools import cache
from itertools import chain, islice
from typing import Any, get_args

import numpy as np
import pytest

from cartomancer.content.codex import load_codex
from cartomancer.content.models import vocabulary
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import PUBLIC
from cartomancer.encounters.events import redacted
from cartomancer.encounters.kernel.layout import STATE
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.narration import Narrator
from cartomancer.encounters.observation import observe, public_view, veiled
from cartomancer.jit import wrapping
from cartomancer.rng import below, stream_start
from tests.encounters.arena import Arena, card, offer, strike

SCENARIOS = sorted(load_codex().scenarios)
SEEDS = (1, 2, 3)
EVERY = 7  # decisions between two positions that are looked at
MOST = 14  # positions of one run
HITS = 6  # hits of each scenario whose defender could have answered
CHOOSER = 50  # a random stream of the tests' own
COVENANTS = [entry.id for entry in load_codex().cards.values() if getattr(entry, "covenant", False)]


class Chance:
    """Random numbers of a test's own."""

    def __init__(self, seed: int) -> None:
        with wrapping():
            self.stream = np.array([stream_start(np.uint64(seed), CHOOSER, 0)], np.uint64)

    def below(self, count: int) -> int:
        with wrapping():
            return int(below(self.stream, 0, count))

    def shuffled(self, things: list[int]) -> list[int]:
        left, found = list(things), []
        while left:
            found.append(left.pop(self.below(len(left))))
        return found


@cache
def positions(scenario: str) -> tuple[Encounter, ...]:
    """Positions that random play reaches in a scenario; not to be changed, but copied."""
    found = []
    for seed in SEEDS:
        fight, chance, kinds = Encounter(scenario, seed=seed), Chance(seed), Counter[str]()
        while fight.decision is not None:
            kind = fight.decision.kind
            rare = kind not in {"turn", "mulligan"} and kinds[kind] < 3
            if rare or (len(fight.actions) % EVERY == 0 and kinds["turn"] < MOST):
                found.append(fight.copy())
                kinds[kind] += 1
            options = fight.legal()
            fight.apply(options[chance.below(len(options))])
        found.append(fight.copy())
    return tuple(found)


def leaves(dtype: np.dtype[Any], name: str = "", base: int = 0) -> Iterator[tuple[str, int, int]]:
    """Every plain field of a record: (name, offset, bytes); the elements of an array of records one by one."""
    if dtype.subdtype is not None:
        inner, shape = dtype.subdtype
        if inner.names is None:
            yield name, base, dtype.itemsize
        else:
            for k in range(int(np.prod(shape))):
                yield from leaves(inner, f"{name}[{k}]", base + k * inner.itemsize)
    elif dtype.names is not None and dtype.fields is not None:
        for field in dtype.names:
            inner, offset = dtype.fields[field][:2]
            yield from leaves(inner, f"{name}.{field}" if name else field, base + offset)
    else:
        yield name, base, dtype.itemsize


def told(fight: Encounter, viewer: int) -> bytes:
    """The veiled record's fields; the gaps between them hold anything."""
    record = veiled(fight.state, viewer)
    whole = record.tobytes()
    return b"".join(whole[offset : offset + size] for _, offset, size in leaves(record.dtype))


def pile(record: Any, name: str) -> list[int]:
    count = "trap_count" if name == "traps" else f"{name}_size"
    return [int(instance) for instance in record[name][: int(record[count])]]


def redealt(fight: Encounter, viewer: int, chance: Chance) -> Encounter:
    """The same position with everything changed that a side cannot see."""
    twin = fight.copy()
    mine, theirs = twin.state["sides"][viewer], twin.state["sides"][1 - viewer]
    known = int(theirs["known"])
    in_flight = int(twin.state["flight"]["instance"]) if _answers_an_offer(fight, viewer) else -1
    unseen = [
        k for k, instance in enumerate(pile(theirs, "discard")) if not known >> instance & 1 and instance != in_flight
    ]
    places = [
        (name, k)
        for name in ("hand", "draw", "traps")
        for k, instance in enumerate(pile(theirs, name))
        if not known >> instance & 1
    ]
    places += [("discard", k) for k in unseen]
    for (name, k), instance in zip(places, chance.shuffled([int(theirs[n][k]) for n, k in places]), strict=True):
        theirs[name][k] = instance
    theirs["locked"] = chance.below(2**40)
    theirs["gone"] = int(theirs["gone"]) ^ (chance.below(2**40) & ~known)
    mine["draw"][: len(pile(mine, "draw"))] = chance.shuffled(pile(mine, "draw"))
    for record in (mine, theirs):
        for name in ("hand", "draw", "discard", "traps"):
            end = len(pile(record, name))
            record[name][end:] = [chance.below(40) for _ in range(len(record[name]) - end)]
    for k in range(len(twin.state["streams"])):
        twin.state["streams"][k] = np.uint64(chance.below(2**62))
    return twin


def _answers_an_offer(fight: Encounter, viewer: int) -> bool:
    decision = fight.decision
    return decision is not None and decision.kind in {"offer", "covenant"} and decision.side == SIDES[viewer]


# --- re-dealing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_side_sees_no_difference_when_everything_hidden_is_dealt_anew(scenario: str, side: str) -> None:
    chance, viewer = Chance(9), SIDES.index(side)
    for fight in positions(scenario):
        shown, seen = observe(fight, side), told(fight, viewer)
        for _ in range(2):
            twin = redealt(fight, viewer, chance)
            assert observe(twin, side) == shown
            assert told(twin, viewer) == seen


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_other_side_sees_that_its_own_cards_were_dealt_anew(scenario: str) -> None:
    chance, changed = Chance(9), 0
    for fight in positions(scenario):
        twin = redealt(fight, 0, chance)
        changed += observe(twin, "visitor") != observe(fight, "visitor")
    assert changed > len(positions(scenario)) // 2


def test_the_positions_are_worth_looking_at() -> None:
    found = dict.fromkeys(("turn", "react", "offer", "member", "mulligan", "test"), 0)
    traps = hidden = exhausted = 0
    for scenario in SCENARIOS:
        for fight in positions(scenario):
            if fight.decision is not None:
                found[fight.decision.kind] = found.get(fight.decision.kind, 0) + 1
            for side in SIDES:
                opponent = observe(fight, side)["opponent"]
                traps += opponent["traps"]
                hidden += opponent["discard"].count("hidden")
                exhausted += len(opponent["exhausted"])
    assert min(found.values()) > 0, found
    assert min(traps, hidden, exhausted) > 0


def test_looking_changes_nothing() -> None:
    for fight in positions(SCENARIOS[0])[:6]:
        before = fight.state_hash()
        observe(fight, "dungeon")
        observe(fight, "visitor")
        assert fight.state_hash() == before


# --- bit by bit -------------------------------------------------------------------------------------------------------


def raw(fight: Encounter) -> Any:
    """The state's bytes, to be changed in place."""
    return fight._states.view(np.uint8).reshape(-1)


def test_the_hash_of_a_state_is_that_of_its_fields() -> None:
    fight, twin = Encounter("boar", seed=1), Encounter("boar", seed=1)
    assert twin.state_hash() == fight.state_hash()
    fields = {byte for _, offset, size in leaves(twin.state.dtype) for byte in range(offset, offset + size)}
    for byte in set(range(twin.state.dtype.itemsize)) - fields:
        raw(twin)[byte] = 0xFF  # as it is after copy(), where NumPy leaves the gaps as it found them
    assert twin.state_hash() == fight.state_hash()


def hidden_bytes(fight: Encounter, viewer: int) -> list[int]:
    """The offsets of all bytes that this side may not know anything of: cards that were turned over are left out."""
    theirs = fight.state["sides"][1 - viewer]
    whole = {"streams", *(f"sides[{1 - viewer}].{name}" for name in ("hand", "draw", "traps", "locked"))}
    known = int(theirs["known"])
    shown = {
        f"sides[{1 - viewer}].{name}": [k for k, instance in enumerate(pile(theirs, name)) if known >> instance & 1]
        for name in ("hand", "traps")
    }
    found = []
    for name, offset, size in leaves(fight.state.dtype):
        if name in whole:
            width = STATE["sides"].base["hand"].base.itemsize
            seen = {offset + k * width + byte for k in shown.get(name, ()) for byte in range(width)}
            found += [place for place in range(offset, offset + size) if place not in seen]
        for p in range(2):  # behind the end of a pile lies nothing but history
            for field in ("hand", "draw", "discard", "traps"):
                if name == f"sides[{p}].{field}":
                    found += range(offset + len(pile(fight.state["sides"][p], field)), offset + size)
    return sorted(set(found))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_flipping_any_hidden_byte_shows_nothing(scenario: str, side: str) -> None:
    viewer = SIDES.index(side)
    fights = positions(scenario)
    for fight in (fights[len(fights) // 3], fights[2 * len(fights) // 3]):
        shown, seen = observe(fight, side), told(fight, viewer)
        places = hidden_bytes(fight, viewer)
        assert len(places) >= 32 + 12 + 48 + 4 + 8
        for k, place in enumerate(places):
            twin = fight.copy()
            raw(twin)[place] ^= 0xFF
            assert told(twin, viewer) == seen
            if k % 5 == 0:  # the slower look, at every fifth
                assert observe(twin, side) == shown


@pytest.mark.parametrize("side", SIDES)
def test_the_order_of_ones_own_draw_pile_shows_nothing(side: str) -> None:
    viewer = SIDES.index(side)
    for scenario in SCENARIOS:
        fight = positions(scenario)[2]
        shown = observe(fight, side)
        twin = fight.copy()
        size = len(pile(twin.state["sides"][viewer], "draw"))
        twin.state["sides"][viewer]["draw"][:size] = twin.state["sides"][viewer]["draw"][:size][::-1].copy()
        assert size > 1
        assert observe(twin, side) == shown
        assert told(twin, viewer) == told(fight, viewer)


OF_A_SIDE = (
    *("reducers", "starts", "erode", "venom", "fortify", "typed_energy", "attuned", "exposure"),
    *("binding", "dependency", "pool", "energy", "temporary", "hand_size", "draw_size", "discard_size", "trap_count"),
    *("entangled", "held", "ward", "armour", "calm", "betrayed", "refuses", "scorned", "shed", "adds", "back_adds"),
    *("empowered", "disadvantage", "thorns", "strip", "randomise"),
)
OF_THE_RUN = ("trust", "insight", "round_no", "rooms_entered")
OF_MEMBERS = ("vitality", "start", "down", "rising", "pierced", "threat", "weakness", "bounty")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("field", OF_A_SIDE)
def test_a_public_field_of_either_side_shows(field: str, side: str) -> None:
    fight = positions("standard-company")[3]
    for p in range(2):
        twin = fight.copy()
        record = twin.state["sides"][p]
        if record[field].shape:
            record[field][0] ^= 1
        else:
            record[field] = int(record[field]) ^ 1
        assert observe(twin, side) != observe(fight, side), (field, p)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("field", [*OF_THE_RUN, *OF_MEMBERS])
def test_a_public_field_of_the_run_or_a_member_shows(field: str, side: str) -> None:
    fight = positions("standard-company")[3]
    twin = fight.copy()
    record = twin.state["members"][2] if field in OF_MEMBERS else twin.state
    record[field] = int(record[field]) ^ 1
    assert observe(twin, side) != observe(fight, side)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("where", ["hand", "draw"])
def test_ones_own_cards_show_and_the_opponents_do_not(side: str, where: str) -> None:
    fight = positions("standard-company")[3]
    for p in range(2):
        twin = fight.copy()
        record = twin.state["sides"][p]
        here = pile(record, where)[0]
        number = fight.packed.decks[0][0] if p == 0 else fight.packed.decks[1]
        known = int(record["known"])
        other = next(k for k in range(len(number)) if number[k] != number[here] and not known >> k & 1)
        record[where][0] = other
        assert (observe(twin, side) != observe(fight, side)) is (p == SIDES.index(side))


CATEGORIES = set(get_args(vocabulary.Category))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_of_the_other_sides_deck_only_the_composition_by_category_and_the_covenant_are_known(
    scenario: str, side: str
) -> None:
    fight, viewer = positions(scenario)[0], SIDES.index(side)
    decks = [fight.packed.decks[0][int(fight.state["room"])], fight.packed.decks[1]]
    cards = [[fight.packed.cards[number] for number in deck] for deck in decks]
    shown = observe(fight, side)
    assert shown["me"]["deck"] == dict(Counter(card.id for card in cards[viewer]))
    theirs = shown["opponent"]["deck"]
    covenants = [card.id for card in cards[1 - viewer] if getattr(card, "covenant", False)]
    assert set(theirs) - CATEGORIES == set(covenants)  # a Covenant in the deck is announced
    assert sum(theirs.values()) == len(cards[1 - viewer])
    counts = Counter(card.category for card in cards[1 - viewer])
    assert theirs.get("strike", 0) == counts["strike"]
    assert theirs.get("offer", 0) == counts["offer"] - len(covenants)


@pytest.mark.parametrize("side", SIDES)
def test_two_decks_of_one_composition_look_the_same_from_the_other_side(side: str) -> None:
    """Which cards are in a deck is learned by seeing them [GDD 7.2], E49."""
    other, shown = SIDES[1 - SIDES.index(side)], []
    for name, power in (("claw", 3), ("fang", 5)):
        cards = [strike(name, other, power=power)]
        arena = Arena(dungeon=cards) if other == "dungeon" else Arena(visitor=cards)
        shown.append(observe(arena.encounter, side)["opponent"]["deck"])
    assert shown[0] == shown[1] == {"energy": 8, "empower": 8, "strike": 1}


def test_an_opponent_is_shown_by_counts_alone() -> None:
    for side in SIDES:
        for fight in positions("boar")[:8]:
            opponent = observe(fight, side)["opponent"]
            assert {"hand_size", "draw_size", "traps", "discard"} <= set(opponent)
            assert not {"hand", "draw", "laid", "locked"} & set(opponent)
            assert isinstance(opponent["traps"], int)
            assert set(opponent["deck"]) <= CATEGORIES | set(COVENANTS)


# --- what the other side is asked -------------------------------------------------------------------------------------


def hits(scenario: str, seed: int) -> Iterator[tuple[Encounter, int, list[Narrator]]]:
    """The moments of a random game before a hit that its defender is asked about: the position, the striker's action,
    and narrators of striker and public who have heard everything so far."""
    fight, chance = Encounter(scenario, seed), Chance(seed)
    viewers = (*SIDES, PUBLIC)
    narrators = {viewer: Narrator(fight.packed, viewer) for viewer in viewers}
    for narrator in narrators.values():
        narrator.lines(fight.opening)
    while fight.decision is not None:
        options, side = fight.legal(), fight.decision.side
        action, before = options[chance.below(len(options))], fight.copy()
        tellers = [copy(narrators[side]), copy(narrators[PUBLIC])] if is_aimed(fight, action) else []
        happened = fight.apply(action)
        if tellers and fight.decision is not None and fight.decision.kind == "react":
            yield before, action, tellers
        for narrator in narrators.values():
            narrator.lines(happened)


def is_aimed(fight: Encounter, action: int) -> bool:
    """Whether the action strikes, or says at what."""
    return fight.text_of(action).startswith(("strike ", "→ "))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_striker_cannot_tell_whether_the_defender_could_have_answered(scenario: str) -> None:
    """With every card of the defender locked, which no striker sees, nobody is asked; else the hit is taken unanswered:
    events, story, view and record are the same to the striker and to everybody else."""
    met = 0
    for before, action, tellers in islice(chain.from_iterable(hits(scenario, seed) for seed in range(60)), HITS):
        striker = SIDES.index(before.decision.side)  # type: ignore[union-attr]
        asked, unasked = before.copy(), before.copy()
        unasked.state["sides"][1 - striker]["locked"] = 2**48 - 1
        parts, whole = [asked.apply(action), asked.apply("take")], unasked.apply(action)
        for narrator in tellers:
            seen = [[redacted(event, narrator.viewer) for event in part] for part in (*parts, whole)]
            assert seen[0] + seen[1] == seen[2]
            split, joined = copy(narrator), copy(narrator)
            assert [line for part in parts for line in split.lines(part)] == joined.lines(whole)
        assert told(asked, striker) == told(unasked, striker)
        assert observe(asked, SIDES[striker]) == observe(unasked, SIDES[striker])
        assert public_view(asked) == public_view(unasked)
        met += 1
    assert met == HITS


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_only_the_asked_side_is_told_what_it_is_asked(scenario: str) -> None:
    for fight in positions(scenario):
        for side in SIDES:
            own = fight.decision is not None and fight.decision.side == side
            shown, record = observe(fight, side), veiled(fight.state, SIDES.index(side))
            assert shown["awaiting"] == (asdict(fight.decision) if own and fight.decision else None)
            assert ("legal" in shown) is own
            if fight.decision is not None:
                assert (int(record["awaiting"]) == -1, int(record["actor"]) == -1) == (not own, not own)
        assert "awaiting" not in public_view(fight)


def test_whose_turn_it_is_is_no_secret() -> None:
    fight = Encounter("boar", seed=809)
    assert [observe(fight, side)["turn"] for side in SIDES] == [None, None]
    fight.play(["keep", "keep"])
    assert [observe(fight, side)["turn"] for side in SIDES] == ["dungeon", "dungeon"]
    assert public_view(fight.play(["end"]))["turn"] == "visitor"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_everybody_may_see_what_both_sides_may(scenario: str) -> None:
    chance = Chance(9)
    for fight in positions(scenario):
        shown = public_view(fight)
        assert shown["public"] is True
        for viewer, side in enumerate(SIDES):
            assert public_view(redealt(fight, viewer, chance)) == shown
            assert shown[side] == observe(fight, SIDES[1 - viewer])["opponent"]
            theirs = observe(fight, SIDES[1 - viewer])
            assert {name: theirs[name] for name in shown if name in theirs} == {
                name: value for name, value in shown.items() if name in theirs
            }


# --- veiled Offers ----------------------------------------------------------------------------------------------------

FAIR = offer("fair", price={"type": "flat", "resource": "resolve", "amount": 1})
FOUL = offer("foul", price={"type": "binding", "resource": "resolve", "amount": 2, "rounds": 5})


def offering(name: str, trust: int, *actions: str, **fields: Any) -> Arena:
    """The dungeon makes one of two Offers that promise the same; then what follows."""
    arena = Arena(dungeon=[FAIR | fields, FOUL | fields], trust=trust)
    arena.turn("dungeon", hand=[name])
    arena.act(f"offer {name}", *actions)
    return arena


def shown_to(side: str, arena: Arena) -> dict[str, Any]:
    """What a side is shown, without its own hand and draw pile: they differ by the card played."""
    found = observe(arena.encounter, side)
    if side == "dungeon":
        found["me"] = {key: value for key, value in found["me"].items() if key not in {"hand", "draw"}}
    return found


@pytest.mark.parametrize("trust", [3, 5])
def test_a_veiled_offer_in_flight_shows_benefit_and_trust_alone(trust: int) -> None:
    fair, foul = (shown_to("visitor", offering(name, trust)) for name in ("fair", "foul"))
    assert fair == foul
    assert fair["offer"] == {
        "benefit": {"resource": "nerve", "amount": 3},
        "trust": 1,
        "covenant": False,
        "card": "hidden",
        "cost": "hidden",
    }
    assert fair["opponent"]["discard"] == ["hidden"]


def test_a_refused_veiled_offer_stays_face_down() -> None:
    fair, foul = (shown_to("visitor", offering(name, 3, "refuse")) for name in ("fair", "foul"))
    assert fair == foul
    assert fair["opponent"]["discard"] == ["hidden"]


def test_a_refused_veiled_offer_stays_face_down_in_later_rounds() -> None:
    shown = []
    for name in ("fair", "foul"):
        arena = offering(name, 3, "refuse")
        for side in ("dungeon", "visitor"):  # what is drawn now must not depend on which of the two was played
            arena.side(side)["draw_size"] = 0
        arena.act("end")
        shown.append(shown_to("visitor", arena)["opponent"]["discard"])
    assert shown[0] == shown[1]


def test_an_open_offer_shows_everything() -> None:
    fair, foul = (shown_to("visitor", offering(name, 0)) for name in ("fair", "foul"))
    assert (fair["offer"]["card"], foul["offer"]["card"]) == ("fair", "foul")
    assert fair["offer"]["cost"] != foul["offer"]["cost"]
    assert shown_to("visitor", offering("fair", 0, "refuse"))["opponent"]["discard"] == ["fair"]


def test_an_accepted_offer_is_turned_over_and_its_debt_is_seen() -> None:
    shown = shown_to("visitor", offering("foul", 3, "accept"))
    assert shown["opponent"]["discard"] == ["foul"]
    assert shown["me"]["conditions"]["bindings"] == [{"resource": "resolve", "amount": 2, "rounds": 5}]


def test_the_offerer_sees_its_own_cards() -> None:
    assert shown_to("dungeon", offering("foul", 3))["me"]["discard"] == ["foul"]
    assert shown_to("dungeon", offering("foul", 3, "refuse"))["me"]["discard"] == ["foul"]


def test_an_exhausted_veiled_offer_shows_only_when_it_was_accepted() -> None:
    for name in ("fair", "foul"):
        refused = shown_to("visitor", offering(name, 3, "refuse", exhaust=True))
        assert (refused["opponent"]["exhausted"], refused["opponent"]["discard"]) == ([], [])
        accepted = shown_to("visitor", offering(name, 3, "accept", exhaust=True))
        assert accepted["opponent"]["exhausted"] == [name]


def test_an_offer_that_was_turned_over_is_hidden_again_once_it_is_shuffled_in() -> None:
    arena = offering("fair", 3, "accept")
    side = arena.side("dungeon")
    side["draw_size"] = 0
    arena.end_round()  # drawing takes the discards
    assert side["discard_size"] == 0
    arena.hold("dungeon", ["fair"])
    arena.turn("dungeon", hand=["fair"])
    arena.act("offer fair")
    assert shown_to("visitor", arena)["offer"]["card"] == "hidden"


# --- Traps ------------------------------------------------------------------------------------------------------------


def laying(name: str) -> Arena:
    """The dungeon lays one of two Traps."""
    traps = [
        card("trap", "pit", "dungeon", springs="strike", target="vitality", power=2),
        card("trap", "whisper", "dungeon", springs="offer_accepted", target="nerve", power=3, type="mystical"),
    ]
    arena = Arena(dungeon=traps)
    arena.turn("dungeon", hand=[name])
    arena.act(f"trap {name}")
    return arena


def test_a_face_down_trap_is_a_count_to_the_opponent_and_a_card_to_its_owner() -> None:
    pit, whisper = (laying(name) for name in ("pit", "whisper"))
    assert shown_to("visitor", pit) == shown_to("visitor", whisper)
    assert shown_to("visitor", pit)["opponent"]["traps"] == 1
    assert observe(pit.encounter, "dungeon")["me"]["laid"] == ["pit"]
    assert observe(whisper.encounter, "dungeon")["me"]["laid"] == ["whisper"]


def test_a_sprung_trap_is_turned_over() -> None:
    arena = Arena(
        dungeon=[card("trap", "pit", "dungeon", springs="energy", target="vitality", power=2)],
    )
    arena.turn("dungeon", hand=["pit"])
    arena.act("trap pit")
    arena.turn("visitor", hand=["visitor_energy"])
    arena.act("energy visitor_energy")
    assert observe(arena.encounter, "visitor")["opponent"]["discard"] == ["pit"]


@pytest.mark.parametrize("what", ["trap", "offer"])
def test_the_veiled_record_does_not_tell_the_type_of_a_face_down_card(what: str) -> None:
    if what == "trap":
        arenas = [laying(name) for name in ("pit", "whisper")]
    else:
        arenas = [Arena(dungeon=[offer("gift", type=kind)], trust=3) for kind in ("physical", "mystical")]
        for arena in arenas:
            arena.turn("dungeon", hand=["gift"])
            arena.act("offer gift")
    assert told(arenas[0].encounter, 1) == told(arenas[1].encounter, 1)
