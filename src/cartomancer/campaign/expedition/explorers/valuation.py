"""What things are worth to a party, in gold: healing when it is hurt, supplies when it has none, hooks by their step.

One scale for rewards, events, shops and routes, so that a reason can be given in one number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
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
BLOOD: Final = 3.0  # what a point of danger costs in wounds
STAKE: Final = 160.0  # what the rest of a run is worth
TROPHY: Final = 25.0  # what an elite or a boss leaves beside its gold


@dataclass(frozen=True)
class Temper:
    """How an explorer weighs danger against gain."""

    fear: float  # what a point of danger counts, against what it costs on average
    greed: float  # what a point of gain counts


CAREFUL: Final = Temper(fear=1.8, greed=0.7)
BALANCED: Final = Temper(fear=1.0, greed=1.0)
GREEDY: Final = Temper(fear=0.4, greed=1.5)


class Standing:
    """How a party stands when it is asked: read off once, for everything that is weighed."""

    def __init__(self, run: Run) -> None:
        self.run = run
        party, codex = run.party, run.codex
        self.hooks = run.hooks()
        self.most = [party.most_vitality(codex, seat) for seat in range(len(party.members))]
        self.reducers: dict[str, tuple[int, int]] = {
            name: (getattr(party, name), party.most(codex, name)) for name in ("resolve", "nerve")
        }

    @cached_property
    def health(self) -> float:
        """The share of its vitality, resolve and nerve that the party has: the least of the three counts half."""
        vitality = sum(member.vitality for member in self.run.party.members) / sum(self.most)
        shares = [vitality, *(now / most for now, most in self.reducers.values())]
        return (min(shares) + sum(shares) / 3) / 2

    @cached_property
    def point(self) -> float:
        """What one more point of vitality is worth: the more, the fewer there are."""
        return float(VITALITY * (1 + 2 * (1 - self.health)))

    def healing(self, percent: int) -> float:
        """What healing everybody by a share of their maximum is worth now."""
        members = zip(self.most, self.run.party.members, strict=True)
        return self.point * sum(min(most - member.vitality, most * percent // 100) for most, member in members)

    def hook_eased(self, hook: str) -> float:
        """What a step less of a hook is worth; nothing where there is none."""
        step = self.hooks.get(hook, 0)
        return HOOKS[hook] * (1 + 0.5 * (step - 1)) if step else 0.0

    def hook_worsened(self, hook: str) -> float:
        """What a step more of a hook costs."""
        step = self.hooks.get(hook, 0)
        return 0.0 if step >= HOOK_STEPS else HOOKS[hook] * (1 + 0.5 * step)


def of_changes(at: Standing, changes: Iterable[Change], temper: Temper) -> float:
    """What these changes are worth together, as far as they are likely."""
    return sum(of_change(at, change, temper) * change.chance_percent / 100 for change in changes)


def of_change(at: Standing, change: Change, temper: Temper) -> float:
    """What one change is worth."""
    run, amount, members = at.run, change.amount, len(at.most)
    if change.kind in TOKENS:
        return TOKENS[change.kind] * amount * temper.greed
    match change.kind:
        case "gold":
            return max(amount, -run.gold) * (temper.greed if amount > 0 else 1.0)
        case "supplies":
            spare = run.codex.expedition.most_supplies - run.supplies
            return SUPPLY * min(amount, spare) if amount > 0 else SUPPLY * amount
        case "heal_percent":
            return at.healing(amount) / (1 if change.who == "all" else members)
        case "hurt":
            return -temper.fear * amount * at.point * (members if change.who == "all" else 1)
        case "resolve" | "nerve":
            now, most = at.reducers[change.kind]
            points = min(amount, most - now)
            return points * at.point * (temper.fear if points < 0 else 1.0)
        case "hook":
            return -temper.fear * amount * at.hook_worsened(change.hook or "injury")
        case "treat" | "injury":
            return amount * at.hook_eased(change.hook or "injury")
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
            return of_fight(at, "monster", amount, temper)
    return 0.0


def of_fight(at: Standing, kind: str, danger: int, temper: Temper) -> float:
    """What a fight is worth: its reward, less the blood it takes and the risk that it is the last."""
    tuning = at.run.codex.expedition
    reward = float(tuning.rewards[kind] + tuning.reward_per_danger * danger)
    if kind in {"elite", "boss"}:
        reward += TROPHY
    blood = BLOOD * danger * (2 if kind == "elite" else 1)
    return temper.greed * reward - temper.fear * (blood + STAKE * risk_of(kind, danger, at.health))


def risk_of(kind: str, danger: int, health: float) -> float:
    """How likely a fight ends the run, about: the more, the more dangerous it is and the more worn the party."""
    base = {"elite": 0.06, "boss": 0.12}.get(kind, 0.01)
    return min(0.9, base + 0.01 * danger + (0.1 + 0.05 * danger) * (1 - health) ** 2)
