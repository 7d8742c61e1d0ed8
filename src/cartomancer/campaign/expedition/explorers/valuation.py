"""What things are worth to a party, in gold: healing when it is hurt, supplies when it has none, hooks by their step.

One scale for rewards, events, shops and routes, so that a reason can be given in one number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cartomancer.campaign.expedition.run import Run
from cartomancer.content.models.changes import Change
from cartomancer.content.models.expedition import HOOK_STEPS

VITALITY: Final = 4.0  # a point of it, to a party in good health; up to three times as much to one that is badly hurt
HOOKS: Final = {"injury": 14.0, "stress": 12.0, "conflict": 8.0, "low_supplies": 10.0, "bounty": 8.0}
TOKENS: Final = {"reroll": 6.0, "rare_mod": 25.0, "link_token": 20.0, "shop_discount_token": 15.0}
CARD: Final = 30.0  # a trained card
ITEM: Final = 0.8  # of its price
SUPPLY: Final = 8.0
MODIFIER: Final = 6.0  # of an item in a fight; a trait or trial in force is as bad
HEAT: Final = 3.0


@dataclass(frozen=True)
class Temper:
    """How an explorer weighs danger against gain."""

    fear: float  # what a point of danger counts, against what it costs on average
    greed: float  # what a point of gain counts


CAREFUL: Final = Temper(fear=1.8, greed=0.7)
BALANCED: Final = Temper(fear=1.0, greed=1.0)
GREEDY: Final = Temper(fear=0.4, greed=1.5)


def health(run: Run) -> float:
    """The share of its vitality, resolve and nerve that the party has: the least of the three counts half."""
    party = run.party
    most = sum(party.most_vitality(run.codex, seat) for seat in range(len(party.members)))
    shares = [
        sum(member.vitality for member in party.members) / most,
        party.resolve / party.most(run.codex, "resolve"),
        party.nerve / party.most(run.codex, "nerve"),
    ]
    return (min(shares) + sum(shares) / 3) / 2


def point_of_vitality(run: Run) -> float:
    """What one more point of vitality is worth: the more, the fewer there are."""
    return VITALITY * (1 + 2 * (1 - health(run)))


def missing_vitality(run: Run) -> int:
    """How many points of vitality could be healed."""
    party = run.party
    return sum(party.most_vitality(run.codex, seat) - member.vitality for seat, member in enumerate(party.members))


def healing(run: Run, percent: int) -> float:
    """What healing everybody by a share of their maximum is worth now."""
    party = run.party
    points = 0
    for seat, member in enumerate(party.members):
        most = party.most_vitality(run.codex, seat)
        points += min(most - member.vitality, most * percent // 100)
    return points * point_of_vitality(run)


def hook_eased(run: Run, hook: str) -> float:
    """What a step less of a hook is worth; nothing where there is none."""
    step = run.hooks().get(hook, 0)
    return HOOKS.get(hook, 10.0) * (1 + 0.5 * (step - 1)) if step else 0.0


def hook_worsened(run: Run, hook: str) -> float:
    """What a step more of a hook costs."""
    step = run.hooks().get(hook, 0)
    return 0.0 if step >= HOOK_STEPS else HOOKS.get(hook, 10.0) * (1 + 0.5 * step)


def of_changes(run: Run, changes: Iterable[Change], temper: Temper) -> float:
    """What these changes are worth together, as far as they are likely."""
    return sum(of_change(run, change, temper) * change.chance_percent / 100 for change in changes)


def of_change(run: Run, change: Change, temper: Temper) -> float:
    """What one change is worth."""
    amount, members = change.amount, len(run.party.members)
    if change.kind in TOKENS:
        return TOKENS[change.kind] * amount * temper.greed
    match change.kind:
        case "gold":
            return max(amount, -run.gold) * (temper.greed if amount > 0 else 1.0)
        case "supplies":
            spare = run.codex.expedition.most_supplies - run.supplies
            return SUPPLY * min(amount, spare) if amount > 0 else SUPPLY * amount
        case "heal_percent":
            return healing(run, amount) / (1 if change.who == "all" else members)
        case "hurt":
            return -temper.fear * amount * point_of_vitality(run) * (members if change.who == "all" else 1)
        case "resolve" | "nerve":
            now, most = getattr(run.party, change.kind), run.party.most(run.codex, change.kind)
            points = min(amount, most - now)
            return points * point_of_vitality(run) * (temper.fear if points < 0 else 1.0)
        case "hook":
            return -temper.fear * amount * hook_worsened(run, change.hook or "")
        case "treat" | "injury":
            return amount * hook_eased(run, change.hook or "injury")
        case "item":
            items = run.codex.catalog.items
            known = [items[change.item]] if change.item else list(items.values())
            return temper.greed * ITEM * amount * sum(item.price for item in known) / len(known)
        case "modifier":
            helps = change.modifier in run.codex.catalog.items
            return (MODIFIER if helps else -MODIFIER * temper.fear) * change.fights
        case "heat":
            return -HEAT * amount
        case "card_upgrade":
            return CARD * amount
        case "fight":
            return of_fight(run, "monster", amount, temper)
    return 0.0


def of_fight(run: Run, kind: str, danger: int, temper: Temper) -> float:
    """What a fight is worth: its reward, less what it costs a party in this health."""
    tuning = run.codex.expedition
    reward = tuning.rewards[kind] + tuning.reward_per_danger * danger
    if kind in {"elite", "boss"}:
        reward += 25
    return temper.greed * reward - temper.fear * cost_of(danger, health(run))


def cost_of(danger: float, healthy: float) -> float:
    """What a fight costs on average: blood, and the run with a probability that grows as the party is worn."""
    return 5.0 * danger + 30.0 * danger * (1 - healthy) ** 2
