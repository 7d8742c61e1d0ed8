"""Compositions: their numbers, their order, fair samples, neighbours, legality."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement, permutations
from math import comb

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.lab.matrix.compositions import (
    Compositions,
    DungeonComposition,
    Dungeons,
    Parties,
    sample,
    sampled_cells,
)

SPACE = Compositions.of(load_codex())
PARTIES, DUNGEONS = SPACE.parties, SPACE.dungeons


def test_there_are_as_many_as_the_formulas_say() -> None:
    assert len(PARTIES) == comb(8 + 3, 4) == 330
    assert len(Parties(tuple("abcdefghi"))) == 495
    assert DUNGEONS.sequences == 9 * 8 + 9 * 8 * 7 + 9 * 8 * 7 * 6
    assert len(DUNGEONS) == DUNGEONS.sequences * (1 + 4)


@pytest.mark.parametrize("classes", [1, 2, 5, 8])
def test_parties_come_in_the_order_of_their_classes(classes: int) -> None:
    space = Parties(tuple("abcdefgh"[:classes]))
    expected = list(combinations_with_replacement(space.classes, 4))
    assert [space.members(index) for index in range(len(space))] == expected
    assert [space.index(reversed(members)) for members in expected] == list(range(len(space)))


def test_dungeons_come_short_ones_first_then_by_profile() -> None:
    space = Dungeons(tuple("abcde"), ("kind", "cruel"))
    orders = [order for length in (2, 3, 4) for order in permutations(space.rooms, length)]
    expected = [DungeonComposition(order, way) for way in (None, "kind", "cruel") for order in orders]
    assert [space[index] for index in range(len(space))] == expected
    assert [space.index(one) for one in expected] == list(range(len(space)))


def test_dungeons_of_a_length_are_a_range() -> None:
    assert {len(DUNGEONS[index].rooms) for index in DUNGEONS.of_length(3)} == {3}
    assert len(DUNGEONS.of_length(2, 3)) == 72 + 504
    under = [DUNGEONS[index] for index in DUNGEONS.of_length(2, profile="aggressive")]
    assert len(under) == 72
    assert {one.profile for one in under} == {"aggressive"}
    with pytest.raises(CartomancerError, match="5 rooms"):
        DUNGEONS.of_length(5)


def test_named_parties_follow_and_keep_their_seats() -> None:
    index = PARTIES.find("standard_company")
    assert index >= len(PARTIES)
    assert list(PARTIES.members(index)) == SPACE.codex.parties["standard_company"].members
    assert SPACE.name(index, 0).startswith("match:standard_company/")


def test_every_cell_is_a_scenario() -> None:
    for party, dungeon in sampled_cells(range(len(PARTIES)), range(len(DUNGEONS)), 40, seed=3):
        scenario = SPACE.codex.scenario(SPACE.name(party, dungeon))
        assert tuple(scenario.members) == PARTIES.members(party)
        assert tuple(stop.room for stop in scenario.rooms) == DUNGEONS[dungeon].rooms
        assert scenario.dungeon_profile == DUNGEONS[dungeon].profile


def test_unknown_names_are_refused_with_those_that_exist() -> None:
    with pytest.raises(UnknownNameError, match="unknown class 'knigt'"):
        PARTIES.find("knigt-knight-cleric-rogue")
    with pytest.raises(UnknownNameError, match="unknown party 'standard_compny': did you mean 'standard_company'"):
        PARTIES.find("standard_compny")
    with pytest.raises(CartomancerError, match="a party has 4 members, not 3"):
        PARTIES.find("knight-cleric-rogue")
    with pytest.raises(UnknownNameError, match="unknown room"):
        DUNGEONS.find("root_hollow-veil_beach")
    with pytest.raises(CartomancerError, match="different rooms"):
        DUNGEONS.find("root_hollow-root_hollow")
    with pytest.raises(UnknownNameError, match="unknown profile"):
        DUNGEONS.find("root_hollow-veil_breach/cooperative")


# --- samples ----------------------------------------------------------------------------------------------------------


def test_a_sample_has_different_numbers_and_depends_on_its_seed_alone() -> None:
    found = sample(1000, 100, seed=5)
    assert len(set(found)) == 100
    assert found == sorted(found) == sample(1000, 100, seed=5)
    assert found != sample(1000, 100, seed=6)
    assert sample(20, 20, seed=1) == list(range(20))
    assert sample(5, 0, seed=1) == []
    with pytest.raises(CartomancerError, match="6 of 5"):
        sample(5, 6, seed=1)


def test_every_subset_is_as_likely() -> None:
    """20,000 samples of 2 out of 5: ten subsets. Chi-squared with 9 degrees of freedom exceeds 50 once in 10^7."""
    drawn = Counter(tuple(sample(5, 2, seed)) for seed in range(20_000))
    assert len(drawn) == 10
    assert sum((times - 2000) ** 2 / 2000 for times in drawn.values()) < 50


# --- targeted probing -------------------------------------------------------------------------------------------------


def test_a_partys_neighbours_differ_in_one_member() -> None:
    index = PARTIES.find("knight-knight-cleric-rogue")
    mine = Counter(PARTIES.members(index))
    expected = [
        other
        for other in range(len(PARTIES))
        if (Counter(PARTIES.members(other)) - mine).total() == 1 == (mine - Counter(PARTIES.members(other))).total()
    ]
    assert PARTIES.neighbours(index) == expected
    assert len(expected) == 3 * 7  # three classes to give up, seven others for each


def test_a_dungeons_neighbours_differ_in_a_room_in_the_order_or_in_the_profile() -> None:
    index = DUNGEONS.find("root_hollow-veil_breach-lamp_orchard")
    found = [DUNGEONS[one] for one in DUNGEONS.neighbours(index)]
    assert len(found) == len(set(found)) == 3 * 6 + 3 + 4
    assert DungeonComposition(("lamp_orchard", "veil_breach", "root_hollow")) in found
    assert DungeonComposition(("root_hollow", "bell_foundry", "lamp_orchard")) in found
    assert DungeonComposition(("root_hollow", "veil_breach", "lamp_orchard"), "nurturing") in found
    assert DUNGEONS[index] not in found


def test_probing_varies_one_side_at_a_time() -> None:
    party, dungeon = PARTIES.find("iron_column"), DUNGEONS.find("root_hollow-veil_breach/tactical")
    cells = SPACE.probe(party, dungeon)
    assert all((one == party) != (other == dungeon) for one, other in cells)
    assert (party, DUNGEONS.find("root_hollow-veil_breach")) in cells


# --- legality ---------------------------------------------------------------------------------------------------------


def test_all_shipped_compositions_may_play() -> None:
    legal, illegal = SPACE.legal(range(len(PARTIES) + len(PARTIES.named)))
    assert len(legal) == 338
    assert illegal == {}


def test_parties_with_too_large_a_deck_are_named_and_left_out() -> None:
    codex = load_codex()
    knight = codex.classes["knight"]
    more = codex.classes["bard"].cards | codex.classes["druid"].cards
    grown = knight.model_copy(update={"cards": {**knight.cards, **more}})
    space = Compositions.of(replace(codex, classes={**codex.classes, "knight": grown}))
    legal, illegal = space.legal(range(len(space.parties)))
    assert len(legal) + len(illegal) == 330
    doubled = space.parties.find("knight-knight-cleric-rogue")
    assert doubled in illegal
    assert "is too many (right would be: 32 to 48 cards together)" in str(illegal[doubled][0])
    assert space.parties.find("bard-bard-cleric-rogue") in legal
