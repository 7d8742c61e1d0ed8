"""What each answer to a stop is worth to a party as it is, in gold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cartomancer.campaign.expedition.explorers import valuation
from cartomancer.campaign.expedition.explorers.valuation import CARD, ITEM, Standing, Temper
from cartomancer.campaign.expedition.nodes import Option
from cartomancer.campaign.expedition.nodes.fight import SETTLE, USE
from cartomancer.campaign.expedition.nodes.rest import HEAL, TRAIN, TREAT, heals
from cartomancer.campaign.expedition.nodes.treasure import trap_percent
from cartomancer.campaign.expedition.run import Stop

Worths = Callable[[Standing, Stop, str, Temper], float]


def worths(at: Standing, stop: Stop, options: list[Option], temper: Temper) -> list[float]:
    """What each option of a stop is worth."""
    rule = RULES[stop.kind]
    return [rule(at, stop, option.action, temper) for option in options]


def _fight(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    """Consumables are for bosses, elites, and whoever is badly hurt."""
    if action == SETTLE:
        return 1.0
    dire = stop.data["kind"] in {"boss", "elite"} or at.health < 0.5
    return 2.0 if action.startswith(USE) and dire else 0.0


def _trial(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    return 25.0 * temper.greed - 35.0 * temper.fear * (1.2 - at.health) if action == "accept" else 0.0


def _bundle(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    bundle = at.run.codex.catalog.bundles[action.removeprefix("bundle ")]
    return valuation.of_changes(at, bundle.gains, temper)


def _rest(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    if action == HEAL:
        return temper.fear * at.healing(heals(at.run))
    return CARD if action == TRAIN else at.hook_eased(action.removeprefix(TREAT))


def _shop(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    kind, _, name = action.partition(" ")
    match kind:
        case "buy":
            return _item(at, name, temper)
        case "gear":
            return 0.9 * temper.greed
        case "train":
            return 0.8
        case "card" | "sell":
            return -1.0
    return 0.0  # leave


def _item(at: Standing, name: str, temper: Temper) -> float:
    """An item is wanted for what it treats, against the traits of the boss, or because it lasts."""
    item = at.run.codex.catalog.items[name]
    if item.treats:
        return max(at.hook_eased(hook) for hook in item.treats) / 10 - 0.2
    shown = at.run.journey.map.boss.details.get("traits", ())
    if not set(item.counters).isdisjoint(shown):
        return 1.5
    return 0.5 if not item.consumable else -0.5


def _training(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    if not action.startswith("train "):
        return 0.0
    card = at.run.codex.cards[action.split(" ")[2]]
    return {"strike": 3.0, "react": 2.0, "reshape": 2.0}.get(card.category, 1.0)


def _treasure(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    name = action.removeprefix("take ")
    return 10 * _item(at, name, temper) + ITEM * at.run.codex.catalog.items[name].price


def _cache(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    if action != "open":
        return 0.0
    trapped, tuning = trap_percent(at.run) / 100, at.run.codex.expedition
    return temper.greed * tuning.cache_gold * (1 - trapped / 2) - temper.fear * trapped * 14.0


def _event(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    choice = at.run.codex.events[stop.data["event"]].choices[int(action.removeprefix("choose ")) - 1]
    whole = sum(outcome.weight for outcome in choice.outcomes)
    return sum(
        outcome.weight / whole * valuation.of_changes(at, outcome.changes, temper) for outcome in choice.outcomes
    )


def _shrine(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    if action.startswith("atone "):
        return at.hook_eased(action.removeprefix("atone "))
    return CARD if action == "upgrade" else 2 * valuation.MODIFIER


def _defy(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    return temper.greed * at.health if action == "defy" else 0.75 * temper.fear


def _wearer(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    """Whoever wears nothing there yet."""
    seat = int(action.split(" ")[1]) - 1
    return -float(sum(at == seat for at in at.run.gear.values()))


def _flex(at: Standing, stop: Stop, action: str, temper: Temper) -> float:
    return 1.0 if action == "keep" else 0.0


RULES: Final[dict[str, Worths]] = {
    "fight": _fight,
    "trial": _trial,
    "bundle": _bundle,
    "rest": _rest,
    "shop": _shop,
    "training": _training,
    "treasure": _treasure,
    "cache": _cache,
    "event": _event,
    "shrine": _shrine,
    "defy": _defy,
    "wearer": _wearer,
    "flex": _flex,
}
