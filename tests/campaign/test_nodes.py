"""What each kind of node does to a party (C1 to C11)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cartomancer.campaign.expedition import Expedition
from cartomancer.campaign.expedition.nodes import ENTERED
from cartomancer.campaign.expedition.nodes.intrusion import intrusion_at
from cartomancer.campaign.expedition.run import Run
from cartomancer.content.codex import load_codex
from tests.campaign.conftest import COMPANY, AtNode, drawn, settled, way_to


def reseed(run: Run, seed: int) -> None:
    """Let whatever is rolled on the way come out otherwise."""
    run.journey = replace(run.journey, map=replace(run.journey.map, seed=seed))


# --- fights (C1 to C3) ------------------------------------------------------------------------------------------------


def test_a_fight_that_is_won_pays_and_says_why(at_node: AtNode) -> None:
    expedition = at_node("monster")
    gold = expedition.run.gold
    while expedition.run.stops:
        expedition.apply("settle")
    won = [one for one in expedition.run.happened if one.kind == "gold"]
    assert won
    assert expedition.run.gold == gold + won[0].fields["points"]
    assert "won by" in won[0].fields["cause"] or "outlasting" in won[0].fields["cause"]


def test_the_wounds_of_a_fight_are_carried_on(at_node: AtNode) -> None:
    """C2: vitality stays as it is; of missing resolve and nerve a third returns, rounded up."""
    expedition = at_node("monster", seed=4)
    expedition.run.party.resolve, expedition.run.party.nerve = 8, 16
    expedition.apply("settle")
    again = Expedition(expedition.run.journey, COMPANY)
    assert sum(member.vitality for member in expedition.run.party.members) <= sum(
        member.vitality for member in again.run.party.members
    )
    assert not expedition.run.party.rested


def test_the_deck_lies_as_the_fight_left_it_until_a_rest(at_node: AtNode) -> None:
    expedition = at_node("monster")
    expedition.apply("settle")
    party = expedition.run.party
    assert party.held or party.discarded
    expedition.run.push("rest")
    expedition._options = None
    expedition.apply("heal")
    assert (party.held, party.discarded, party.gone, party.rested) == (0, 0, 0, True)


def test_a_worn_party_begins_its_fight_worn() -> None:
    """What it has left, its hand and its piles are what the kernel begins with."""
    expedition = Expedition(drawn("voyage:guide", 3), COMPANY).play(["go 0", "settle"])
    party = expedition.run.party
    way = next(option.action for option in expedition.legal() if option.action.startswith("go "))
    expedition.apply(way)
    while expedition.decision is not None and expedition.decision.kind != "fight":
        settled(expedition)
        expedition.apply(next(option.action for option in expedition.legal() if option.action.startswith("go ")))
    before = ([member.vitality for member in party.members], party.resolve, party.gone)
    expedition.apply("fight")
    assert expedition.fight is not None
    state = expedition.fight.state
    assert [int(state["members"][seat]["vitality"]) for seat in range(4)] == before[0]
    assert int(state["sides"][1]["reducers"][1]) == before[1]
    assert int(state["sides"][1]["gone"]) == before[2]


def _ended(at_node: AtNode, monkeypatch: pytest.MonkeyPatch, outcome: str, kind: str = "monster") -> Expedition:
    """A run after a fight that ended so."""
    from cartomancer.campaign.expedition.nodes import fight

    expedition = at_node(kind)
    monkeypatch.setattr(fight, "outcome_of", lambda state: outcome)
    expedition.apply("settle")
    return expedition


def test_a_kill_ends_the_run_and_takes_the_gold(at_node: AtNode, monkeypatch: pytest.MonkeyPatch) -> None:
    over = _ended(at_node, monkeypatch, "kill").outcome
    assert over is not None
    assert (over.ending, over.gold) == ("killed", 0)


def test_a_broken_party_keeps_half_its_gold(at_node: AtNode, monkeypatch: pytest.MonkeyPatch) -> None:
    over = _ended(at_node, monkeypatch, "break").outcome
    assert over is not None
    assert (over.ending, over.gold) == ("broken", 20)


def test_a_panic_costs_a_supply_and_leaves_stress(at_node: AtNode, monkeypatch: pytest.MonkeyPatch) -> None:
    run = _ended(at_node, monkeypatch, "panic").run
    assert run.ending == ""
    assert run.party.stress == 1
    assert run.supplies == 3
    assert run.gold == 40


def test_outlasting_pays_half(at_node: AtNode, monkeypatch: pytest.MonkeyPatch) -> None:
    full = _ended(at_node, monkeypatch, "overcome").run.gold - 40
    half = _ended(at_node, monkeypatch, "survive").run.gold - 40
    assert half == (full + 1) // 2


@pytest.mark.parametrize(("outcome", "ending"), [("survive", "escaped"), ("panic", "routed"), ("kill", "killed")])
def test_a_boss_that_is_not_beaten_ends_the_run(
    at_node: AtNode, monkeypatch: pytest.MonkeyPatch, outcome: str, ending: str
) -> None:
    assert _ended(at_node, monkeypatch, outcome, "boss").run.ending == ending


def test_a_boss_that_is_beaten_is_a_victory(at_node: AtNode, monkeypatch: pytest.MonkeyPatch) -> None:
    expedition = settled(_ended(at_node, monkeypatch, "overcome", "boss"))
    assert expedition.run.ending == "victory"


def test_who_fell_returns_hurt_and_injured() -> None:
    from cartomancer.campaign.expedition.nodes import fight

    expedition = Expedition(drawn("voyage:guide", 3), COMPANY)
    run = expedition.run
    run.party.members[0].vitality = 0
    fight._come_round(run, [0])
    member = run.party.members[0]
    assert member.injury == 1
    assert member.vitality == 1 + 8 * 25 // 100  # the Knight's ten less two for the injury (C5)


# --- rests (C4) -------------------------------------------------------------------------------------------------------


def test_a_rest_heals_thirty_percent_rounded_down(at_node: AtNode) -> None:
    expedition = at_node("port")
    expedition.run.party.members[0].vitality = 2
    expedition.apply("heal")
    assert expedition.run.party.members[0].vitality == 2 + 3
    assert expedition.run.supplies == 3


def test_a_rest_without_supplies_heals_half(at_node: AtNode) -> None:
    expedition = at_node("port")
    expedition.run.supplies = 0
    expedition.run.party.members[0].vitality = 2
    expedition._options = None
    expedition.apply("heal")
    assert expedition.run.party.members[0].vitality == 2 + 1


def test_a_rest_treats_one_hook_by_one_step(at_node: AtNode) -> None:
    expedition = at_node("port")
    expedition.run.party.stress = 2
    expedition._options = None
    expedition.apply("treat stress")
    assert expedition.run.party.stress == 1


def test_nobody_trains_under_stress(at_node: AtNode) -> None:
    expedition = at_node("port")
    expedition._options = None
    assert "train" in [option.action for option in expedition.legal()]
    expedition.run.party.stress = 1
    expedition._options = None
    assert "train" not in [option.action for option in expedition.legal()]


def test_training_makes_a_card_better_and_keeps_the_piles(at_node: AtNode) -> None:
    expedition = at_node("port")
    expedition.apply("train")
    choice = expedition.legal()[0].action
    _, seat, card = choice.split(" ")
    expedition.apply(choice)
    assert f"{card}+" in expedition.run.party.members[int(seat) - 1].cards


def test_a_port_trades_after_the_rest(at_node: AtNode) -> None:
    expedition = at_node("port")
    expedition.apply("heal")
    assert expedition.decision is not None
    assert expedition.decision.kind == "shop"


def test_a_remedy_treats_on_the_way_and_mends_whoever_is_hurt_most(at_node: AtNode) -> None:
    """Clean bandages ease an injury by a step and give back four vitality."""
    expedition = at_node("monster")
    run = expedition.run
    run.stops, run.items = [], ["clean_bandages"]
    run.party.members[2].injury, run.party.members[2].vitality = 2, 1
    expedition._options = None
    expedition.apply("use clean_bandages")
    assert run.party.members[2].injury == 1
    assert run.party.members[2].vitality == 1 + 4
    assert run.items == []


# --- shops ------------------------------------------------------------------------------------------------------------


def test_a_shop_sells_what_the_map_has_in_stock(at_node: AtNode) -> None:
    expedition = at_node("shop", "contract:standard")
    stock = [slot["item"] for slot in expedition.run.node.details["stock"]]
    assert expedition.run.stops[-1].data["items"] == stock


def test_buying_pays_and_packs(at_node: AtNode) -> None:
    expedition = at_node("shop")
    expedition.run.gold = 200
    expedition._options = None
    action = next(option.action for option in expedition.legal() if option.action.startswith("buy "))
    item = action.removeprefix("buy ")
    expedition.apply(action)
    assert expedition.run.items == [item]
    assert expedition.run.gold == 200 - load_codex().catalog.items[item].price


def test_a_discount_token_halves_the_next_price(at_node: AtNode) -> None:
    expedition = at_node("shop")
    expedition.run.gold, expedition.run.tokens = 200, {"shop_discount_token": 1}
    expedition._options = None
    action = next(option.action for option in expedition.legal() if option.action.startswith("buy "))
    price = load_codex().catalog.items[action.removeprefix("buy ")].price
    expedition.apply(action)
    assert expedition.run.gold == 200 - (price - (price + 1) // 2)
    assert expedition.run.tokens["shop_discount_token"] == 0


def test_what_cannot_be_paid_is_not_offered(at_node: AtNode) -> None:
    expedition = at_node("shop")
    expedition.run.gold = 0
    expedition._options = None
    assert [option.action for option in expedition.legal()] == ["leave"]


# --- caches, treasures (C9, C10) --------------------------------------------------------------------------------------


@pytest.mark.parametrize("trapped", [False, True])
def test_a_cache_pays_and_a_trap_takes_half_and_leaves_a_hook(at_node: AtNode, trapped: bool) -> None:
    for seed in range(60):
        expedition = at_node("cache", "contract:power", seed)
        if expedition.run.node.details["trapped"] == trapped:
            break
    gold = expedition.run.gold
    expedition.apply("open")
    assert expedition.run.gold - gold == (13 if trapped else 25)
    assert bool(expedition.run.hooks()) == trapped


def test_a_cache_shows_its_chance_and_not_its_flag(at_node: AtNode) -> None:
    expedition = at_node("cache", "contract:power")
    assert expedition.decision is not None
    assert "25 of 100" in expedition.decision.question
    told = f"{expedition.decision} {expedition.legal()}"
    assert "trapped=" not in told


def test_a_treasure_is_one_of_three_items(at_node: AtNode) -> None:
    expedition = at_node("treasure")
    options = expedition.legal()
    assert len(options) == 3
    expedition.apply(options[1].action)
    assert expedition.run.items == [options[1].action.removeprefix("take ")]


# --- events, shrines, memories ----------------------------------------------------------------------------------------


def test_an_event_offers_only_what_the_party_can_meet(at_node: AtNode) -> None:
    expedition = at_node("event")
    event = load_codex().events[expedition.run.stops[-1].data["event"]]
    expedition.run.gold = expedition.run.supplies = 0
    expedition._options = None
    offered = {option.action for option in expedition.legal()}
    for number, choice in enumerate(event.choices, 1):
        if choice.needs.gold or choice.needs.supplies:
            assert f"choose {number}" not in offered


def test_a_shrine_blesses_the_next_two_fights(at_node: AtNode) -> None:
    expedition = at_node("shrine", "guardian:three_acts")
    expedition.apply("blessing")
    assert [left for _, left in expedition.run.modifiers] == [2]


def test_a_memory_shrine_gives_its_fragment(at_node: AtNode) -> None:
    expedition = at_node("memory_shrine", "guardian:three_acts")
    assert expedition.run.fragments == [expedition.run.node.details["memory_id"]]


def test_both_fragments_name_the_last_guardian_and_lift_one_of_its_traits() -> None:
    from cartomancer.campaign.expedition.meetings import meeting_at

    expedition = Expedition(drawn("guardian:three_acts", 3), COMPANY)
    run = expedition.run
    guardian = load_codex().catalog.guardians["shadow_kraken"]
    assert expedition.observe()["boss_traits"] is None
    last = next(node for node in run.journey.map.nodes if node.details["guardian_id"] == guardian.id)
    for node in way_to(run.journey.map, last.id)[1:]:
        run.journey = run.journey.select("host", node)
    assert meeting_at(run, "boss").traits is None
    run.fragments = [1, 2]
    assert expedition.observe()["boss_traits"] == guardian.traits[:-1]
    assert meeting_at(run, "boss").traits == tuple(guardian.traits[:-1])


# --- the rival (C6) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("intrusion", "hook"), [("stolen_supplies", "low_supplies"), ("bounty_tag", "bounty"), ("panic_spike", "stress")]
)
def test_an_intrusion_leaves_its_hook(
    at_node: AtNode, monkeypatch: pytest.MonkeyPatch, intrusion: str, hook: str
) -> None:
    from cartomancer.campaign.expedition.nodes import intrusion as module

    monkeypatch.setattr(module, "intrusion_at", lambda run: load_codex().catalog.intrusions[intrusion])
    expedition = at_node("rival_intrusion", "contract:rival_standard")
    assert expedition.run.hooks().get(hook, 0) >= 1


@pytest.mark.parametrize("intrusion", ["targeted_weakness", "false_orders", "split_focus", "rigged_field"])
def test_an_intrusion_changes_the_next_fight(at_node: AtNode, monkeypatch: pytest.MonkeyPatch, intrusion: str) -> None:
    from cartomancer.campaign.expedition.nodes import fight
    from cartomancer.campaign.expedition.nodes import intrusion as module

    monkeypatch.setattr(module, "intrusion_at", lambda run: load_codex().catalog.intrusions[intrusion])
    run = at_node("rival_intrusion", "contract:rival_standard").run
    assert run.intrusion == intrusion
    run.push("fight", kind="combat")
    packed = fight.packed_fight(run, run.stops[-1])
    assert intrusion in packed.modifiers
    assert packed.scenario.targeted_seat == run.targeted + 1


def test_the_rivals_choice_depends_on_its_state_and_the_partys_hooks(at_node: AtNode) -> None:
    run = at_node("rival_intrusion", "contract:rival_standard").run
    found = set()
    for state in ("wary", "bold", "vengeful"):
        run.rival.state = state
        for seed in range(60):
            reseed(run, seed)
            found.add((state, intrusion_at(run).id))
    assert {name for _, name in found} == set(load_codex().catalog.intrusions)


# --- trials (C8) ------------------------------------------------------------------------------------------------------


def test_a_trial_is_shown_accepted_and_in_force_for_its_node_only(at_node: AtNode) -> None:
    from cartomancer.campaign.expedition.nodes import fight

    for seed in range(0, 600, 60):
        expedition = at_node("elite", "contract:power", seed)
        if expedition.run.node.details.get("trial"):
            break
    run = expedition.run
    trial = run.node.details["trial"]
    assert expedition.decision is not None
    assert expedition.decision.kind == "trial"
    expedition.apply("accept")
    assert trial in fight.modifiers_of(run, run.stops[-1])
    run.stops = []
    run.push("fight", kind="combat")
    assert trial not in fight.modifiers_of(run, run.stops[-1])


@pytest.mark.parametrize("bundle", load_codex().catalog.bundles)
def test_a_bundle_gives_what_it_says(at_node: AtNode, bundle: str) -> None:
    expedition = at_node("port")
    run = expedition.run
    run.stops, run.party.members[0].injury = [], 1
    run.push("bundle")
    expedition._options = None
    for member in run.party.members:
        member.vitality = 3
    before = (run.gold, run.supplies, dict(run.tokens), [member.vitality for member in run.party.members])
    for seed in range(40):  # what is left to chance comes sooner or later
        reseed(run, seed)
        run.stops = []
        run.push("bundle")
        expedition._options = None
        expedition.apply(f"bundle {bundle}")
    after = (run.gold, run.supplies, dict(run.tokens), [member.vitality for member in run.party.members])
    assert after != before


def test_every_kind_of_node_of_every_family_can_be_entered() -> None:
    names = ("voyage:guide", "contract:rival_extended", "guardian:three_acts", "guardian:five_acts")
    kinds = {node.type for name in names for seed in range(30) for node in drawn(name, seed).nodes}
    assert kinds - {"unknown"} <= set(ENTERED)
