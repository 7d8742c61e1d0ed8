"""Events: enough for every theme, every kind of change in use, and no choice that is right for everybody (C10)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, get_args

import pytest

from cartomancer.content.codex import load_codex
from cartomancer.content.models.changes import CHANGES, Change
from cartomancer.content.models.encounter import Role
from cartomancer.content.models.events import Event, EventChoice, EventOutcome, Needs

CODEX = load_codex()
EVENTS = CODEX.events
PLAIN = [event for event in EVENTS.values() if not event.rival]
every_event = pytest.mark.parametrize("event", EVENTS.values(), ids=list(EVENTS))


def outcomes(event: Event) -> Iterator[EventOutcome]:
    return (outcome for choice in event.choices for outcome in choice.outcomes)


def changes() -> Iterator[Change]:
    return (change for event in EVENTS.values() for outcome in outcomes(event) for change in outcome.changes)


# --- how many there are -----------------------------------------------------------------------------------------------


def test_there_are_events_for_every_theme_for_all_and_for_the_rival() -> None:
    themed = Counter(theme for event in PLAIN for theme in event.themes)
    assert set(themed) == set(CODEX.themes)
    assert min(themed.values()) >= 6
    assert sum(not event.themes for event in PLAIN) >= 4
    assert len(EVENTS) - len(PLAIN) >= 10
    assert len(EVENTS) >= 60


def test_every_kind_of_change_happens_somewhere() -> None:
    assert {change.kind for change in changes()} == set(CHANGES)


def test_every_hook_is_gained_somewhere_and_treated_somewhere() -> None:
    for kind in ("hook", "treat"):
        assert {change.hook for change in changes() if change.kind == kind} == set(CODEX.catalog.hooks)


def test_every_sort_of_need_is_asked_for_and_every_role_wanted() -> None:
    needs = [choice.needs for event in EVENTS.values() for choice in event.choices]
    asked = Counter(field for need in needs for field in Needs.model_fields if getattr(need, field))
    assert {field: asked[field] >= 6 for field in Needs.model_fields} == dict.fromkeys(Needs.model_fields, True)
    assert {need.role for need in needs if need.role} == set(get_args(Role))


# --- how they are written ---------------------------------------------------------------------------------------------


@every_event
def test_texts_are_short_enough_to_be_read_at_a_table(event: Event) -> None:
    assert len(event.title) <= 40
    assert len(event.summary) <= 400
    assert [outcome.text for outcome in outcomes(event) if len(outcome.text) > 200] == []


def test_no_text_is_told_twice() -> None:
    for told in (
        [event.title for event in EVENTS.values()],
        [event.summary for event in EVENTS.values()],
        [choice.label for event in EVENTS.values() for choice in event.choices],
        [outcome.text for event in EVENTS.values() for outcome in outcomes(event)],
    ):
        assert [text for text, times in Counter(told).items() if times > 1] == []


@every_event
def test_what_a_choice_takes_for_certain_it_asks_for(event: Event) -> None:
    """Nobody pays with what they do not have."""
    for choice in event.choices:
        for kind in ("gold", "supplies"):
            certain = min(_taken(outcome, kind) for outcome in choice.outcomes)
            assert getattr(choice.needs, kind) >= certain, f"{choice.label}: takes {certain} {kind}"


def _taken(outcome: EventOutcome, kind: str) -> int:
    return sum(-change.amount for change in outcome.changes if change.kind == kind and change.amount < 0)


@every_event
def test_an_injury_and_a_bounty_meet_one_member(event: Event) -> None:
    met = [change for outcome in outcomes(event) for change in outcome.changes if change.kind == "hook"]
    assert all(change.who != "all" for change in met if change.hook in {"injury", "bounty"})
    assert all(change.who == "all" for change in met if change.hook not in {"injury", "bounty"})


@every_event
def test_a_handicap_is_a_trial_and_a_help_an_item_that_fights(event: Event) -> None:
    """A boss trait would mean nothing where no boss stands, No Retreat is for elites only, a remedy is no weapon."""
    helps = {item.id for item in CODEX.catalog.items.values() if item.pool != "condition"}
    known = helps | set(CODEX.catalog.trials) - {"no_retreat"}
    assert {change.modifier for outcome in outcomes(event) for change in outcome.changes if change.modifier} <= known


@every_event
def test_only_an_event_about_the_rival_moves_its_heat(event: Event) -> None:
    moved = [change for outcome in outcomes(event) for change in outcome.changes if change.kind == "heat"]
    assert bool(moved) == event.rival or event.id == "fixers_ledger"  # whose trade is other people's quarrels


# --- what choices are worth -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Party:
    """What makes a party want one thing rather than another."""

    gold: int
    supplies: int
    hurt: bool  # short of vitality
    shaken: bool  # short of resolve and nerve
    hook: str | None  # at step 2
    heat: int
    full: bool  # everybody stands, or those whom choices ask for do not

    def may(self, choice: EventChoice) -> bool:
        needs = choice.needs
        paid = needs.gold <= self.gold and needs.supplies <= self.supplies
        return paid and needs.hook in {None, self.hook} and (needs.role is None or self.full)


PARTIES: Final = [
    Party(*state)
    for state in itertools.product(
        (6, 60), (1, 5), (False, True), (False, True), (None, *CODEX.catalog.hooks), (2, 8), (True, False)
    )
]

# In gold. A step of a hook costs about a rest; tokens are worth what shops and bundles make of them.
HOOK_STEP: Final = {"injury": 16, "stress": 14, "conflict": 14, "bounty": 14, "low_supplies": 12}
TOKENS: Final = {"card_upgrade": 40, "rare_mod": 25, "link_token": 18, "reroll": 7}
MEMBERS: Final = 4


def choice_worth(choice: EventChoice, party: Party) -> float:
    """What a choice is worth to a party, in gold, over its outcomes."""
    whole = sum(outcome.weight for outcome in choice.outcomes)
    return sum(outcome.weight * outcome_worth(outcome, party) for outcome in choice.outcomes) / whole


def outcome_worth(outcome: EventOutcome, party: Party) -> float:
    return sum(change.chance_percent / 100 * change_worth(change, party) for change in outcome.changes)


def change_worth(change: Change, party: Party) -> float:
    """Plain and rough: what is short is dear, what is full is worth little, what is not carried cannot be treated."""
    much = change.amount
    match change.kind:
        case "gold":
            return much * (1.5 if party.gold < 15 else 1)
        case "supplies":
            return much * (11 if party.supplies < 2 else 5)
        case "shop_discount_token":
            return much * (4 if party.gold < 15 else 14)
        case "heal_percent":
            return 0.3 * much * 2.5 if party.hurt else 4  # of about 30 vitality in all, half of which is gone
        case "hurt":
            return -much * (MEMBERS if change.who == "all" else 1) * (4 if party.hurt else 2)
        case "resolve" | "nerve":
            return much * (4 if party.shaken else 1.5)
        case "hook":
            return -much * HOOK_STEP[change.hook or ""] * (1.5 if change.hook == party.hook else 1)
        case "treat" | "injury":
            hook = change.hook or "injury"
            return min(much, 2) * HOOK_STEP[hook] if hook == party.hook else 0
        case "item":
            return much * item_worth(change.item, party)
        case "modifier":
            helps = change.modifier in CODEX.catalog.items
            return change.fights * (8 if helps else -8) * (1.5 if party.hurt else 1)
        case "heat":
            return -much * (6 if party.heat > 6 else 3)
        case "fight":
            reward = 8 + 4 * much
            return reward * (1.5 if party.gold < 15 else 1) - much * (12 if party.hurt else 4)
    return much * TOKENS[change.kind]


def item_worth(name: str | None, party: Party) -> float:
    """Less than its price, for nobody chose it; a remedy for what nobody has is worth what it fetches."""
    if name is None:
        return 24
    item = CODEX.catalog.items[name]
    wanted = item.pool != "condition" or party.hook in item.treats
    return item.price * (0.8 if wanted else 0.4)


def best_choice(event: Event, party: Party) -> str:
    open_to_it = [choice for choice in event.choices if party.may(choice)]
    return max(open_to_it, key=lambda choice: choice_worth(choice, party)).label


@every_event
@pytest.mark.parametrize("everybody", [True, False], ids=["everybody stands", "roles are missing"])
def test_no_choice_is_always_the_best(event: Event, everybody: bool) -> None:
    """Each of two choices at least is the best for somebody, and none for more than nine parties in ten."""
    parties = [party for party in PARTIES if party.full == everybody]
    chosen = Counter(best_choice(event, party) for party in parties)
    assert len(chosen) >= 2
    assert chosen.most_common(1)[0][1] <= 0.9 * len(parties), chosen


@every_event
def test_no_choice_is_dominated(event: Event) -> None:
    """Beside any other choice, each is the better one for some party, or the one that is left to it."""
    for choice, other in itertools.permutations(event.choices, 2):
        assert any(
            party.may(choice) and not (party.may(other) and choice_worth(other, party) >= choice_worth(choice, party))
            for party in PARTIES
        ), f"'{other.label}' is always better than '{choice.label}'"
