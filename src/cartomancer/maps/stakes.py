"""What is at stake on a contract map: traps, boss traits, shop stock, trials, intrusions [Contracts 3, 4, libraries].

Each kind of stake is rolled from its own stream, started anew for every node, so that no roll can shift another.

>>> from cartomancer import maps
>>> drawn = maps.generate("contract", "standard", seed=7)
>>> len(drawn.details["boss_traits"]), drawn.boss.details["profile"]
(2, 'boss')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, cast, get_args

from cartomancer import codes
from cartomancer.content.catalog import Catalog, load_catalog
from cartomancer.content.models.contract import ContractRules
from cartomancer.content.models.stakes import Item
from cartomancer.errors import Fault, MapFileError, UnknownNameError, shown
from cartomancer.maps.model import Map, Node, same
from cartomancer.rng import Stream

LANES: Final = ("safe", "risk")
Heat = Literal["low", "high"]
HEATS: Final[tuple[str, ...]] = get_args(Heat)
USUAL: Final = {"heat": "low", "rival": "wary", "hooks": ""}  # a situation as notations write it


@dataclass(frozen=True)
class Situation:
    """What the campaign brings to a contract: how the rival stands, and the hooks the party carries."""

    rival_heat: Heat = "low"
    rival_state: str = "wary"
    hooks: tuple[str, ...] = ()

    def check(self, catalog: Catalog) -> None:
        """Refuse a heat, a state or a hook that does not exist."""
        states, hooks = catalog.stakes.rival_states, list(catalog.hooks)
        asked = [("rival heat", self.rival_heat, HEATS), ("rival state", self.rival_state, states)]
        for what, name, known in [*asked, *(("hook", hook, hooks) for hook in self.hooks)]:
            if name not in known:
                raise UnknownNameError(what, name, known)

    @classmethod
    def from_dict(cls, data: Any) -> Situation:
        """The situation that a map file carries; its names are checked when stakes are rolled."""
        fields = data if isinstance(data, Mapping) else {}
        heat, state, hooks = (fields.get(name) for name in ("rival_heat", "rival_state", "hooks"))
        faults = [
            Fault(f"situation.{name}", value, "is not what a situation holds", expected=right)
            for name, value, good, right in (
                ("rival_heat", heat, heat in HEATS, ", ".join(HEATS)),
                ("rival_state", state, isinstance(state, str), "the name of a rival state"),
                ("hooks", hooks, _is_names(hooks), "a list of hook names"),
            )
            if not good
        ]
        if faults:
            raise MapFileError("the map's situation cannot be read", faults)
        return cls(fields["rival_heat"], fields["rival_state"], tuple(fields["hooks"]))

    def overrides(self) -> dict[str, str]:
        """What differs from the default, as notations write it beside the overridden rule fields."""
        written = {"heat": self.rival_heat, "rival": self.rival_state, "hooks": "+".join(self.hooks)}
        return {key: value for key, value in written.items() if value != USUAL[key]}

    @classmethod
    def from_overrides(cls, overrides: dict[str, Any]) -> Situation:
        """Take the situation out of a notation's overrides."""
        heat, rival, hooks = (str(overrides.pop(key, usual)) for key, usual in USUAL.items())
        return cls(cast(Heat, heat), rival, tuple(hook for hook in hooks.split("+") if hook))

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for map files."""
        return {"rival_heat": self.rival_heat, "rival_state": self.rival_state, "hooks": list(self.hooks)}


def _is_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


def roll_stakes(
    drawn: Map,
    rules: ContractRules,
    situation: Situation,
    catalog: Catalog | None = None,
    *,
    traits: list[str] | None = None,
) -> Map:
    """The contract map with its lanes and everything that is rolled with it; the boss may have its traits already."""
    catalog = catalog or load_catalog()
    situation.check(catalog)
    traits = traits or roll_traits(drawn.seed, drawn.boss.id, catalog)
    nodes = []
    for node in drawn.nodes:
        details: dict[str, Any] = {"lane": lane_of(drawn, node)}
        match node.type:
            case "boss":
                details |= {"traits": list(traits), "profile": rules.boss_profile}
            case "cache":
                details |= roll_cache(rules, drawn.seed, node.id, situation.rival_heat, catalog)
            case "shop":
                details |= {"stock": roll_shop(drawn.seed, node.id, traits, situation.hooks, catalog)}
            case "elite":
                details |= roll_trial(rules, drawn.seed, node.id, catalog)
            case "rival_intrusion":
                intrusion = roll_intrusion(drawn.seed, node.id, situation.rival_state, situation.hooks, catalog)
                details |= {"intrusion": intrusion, "target_step": node.row + 1}
        nodes.append(replace(node, details=details))
    told = {"boss_traits": traits, "situation": situation.as_dict()}
    return replace(drawn, nodes=tuple(nodes), details={**drawn.details, **told})


def lane_of(drawn: Map, node: Node) -> str:
    """The lane a node lies in: safe or risk, or both where the lanes meet (M7)."""
    return "both" if len(drawn.row_nodes(node.row)) == 1 else LANES[node.column - 1]


def roll_cache(
    rules: ContractRules, seed: int, node_id: int, heat: Heat = "low", catalog: Catalog | None = None
) -> dict[str, Any]:
    """Whether a cache is trapped, by class and heat, and the hook a trap leaves [Contracts 3], M11."""
    catalog = catalog or load_catalog()
    stream = Stream(seed, codes.STREAM_CACHE, node_id)
    if not stream.chance(_trap_percent(rules, heat), 100):
        return {"trapped": False, "hook": None}
    hooks = list(catalog.hooks.values())
    return {"trapped": True, "hook": hooks[stream.weighted([hook.trap_weight for hook in hooks])].id}


def _trap_percent(rules: ContractRules, heat: Heat) -> int:
    return rules.cache_trap_percent_high_heat if heat == "high" else rules.cache_trap_percent


def roll_traits(seed: int, node_id: int, catalog: Catalog | None = None) -> list[str]:
    """The traits the boss shows before the contract is taken [Contracts 4]."""
    catalog = catalog or load_catalog()
    return Stream(seed, codes.STREAM_TRAITS, node_id).sample(list(catalog.traits), catalog.stakes.boss_traits)


def roll_shop(
    seed: int, node_id: int, traits: Sequence[str], hooks: Sequence[str], catalog: Catalog | None = None
) -> list[dict[str, str]]:
    """A shop's stock: each slot rolls its pool, then an item of it that is not on the shelf yet [Contracts 4]."""
    catalog = catalog or load_catalog()
    stream = Stream(seed, codes.STREAM_SHOP, node_id)
    pools, weights = list(catalog.stakes.shop_pools), list(catalog.stakes.shop_pools.values())
    stock: list[dict[str, str]] = []
    for _ in range(catalog.stakes.shop_slots):
        sold = {slot["item"] for slot in stock}
        item = stream.pick(_choice(pools[stream.weighted(weights)], sold, traits, hooks, catalog))
        stock.append({"item": item.id, "pool": item.pool})
    return stock


def _choice(pool: str, sold: set[str], traits: Sequence[str], hooks: Sequence[str], catalog: Catalog) -> list[Item]:
    """What a slot may hold: counters answer the shown traits; what treats the party's hooks goes before the rest.

    A pool that has run dry leaves its slot to normal stock.
    """
    items = catalog.counters_to(traits) if pool == "counter" else catalog.of_pool(pool)
    left = [item for item in items if item.id not in sold]
    if not left and pool != "normal":
        return _choice("normal", sold, traits, hooks, catalog)
    return [item for item in left if not set(hooks).isdisjoint(item.treats)] or left


def roll_trial(rules: ContractRules, seed: int, node_id: int, catalog: Catalog | None = None) -> dict[str, Any]:
    """The trial an elite offers, by class, and the bundles one of which rewards it [Contracts, trial library], M11."""
    catalog = catalog or load_catalog()
    stream = Stream(seed, codes.STREAM_TRIAL, node_id)
    if not stream.chance(rules.trial_percent, 100):
        return {"trial": None, "bundles": []}
    return {"trial": stream.pick(list(catalog.trials)), "bundles": list(catalog.bundles)}


def roll_intrusion(
    seed: int, node_id: int, state: str, hooks: Sequence[str] = (), catalog: Catalog | None = None
) -> str:
    """What the rival does, weighed by its state and the party's hooks [Contracts, intrusion library]."""
    catalog = catalog or load_catalog()
    if state not in catalog.stakes.rival_states:
        raise UnknownNameError("rival state", state, catalog.stakes.rival_states)
    weights = _intrusion_weights(state, hooks, catalog)
    return list(weights)[Stream(seed, codes.STREAM_INTRUSION, node_id).weighted(list(weights.values()))]


def _intrusion_weights(state: str, hooks: Sequence[str], catalog: Catalog) -> dict[str, int]:
    return {
        entry.id: entry.weights.get(state, 0) + sum(entry.hook_bonus.get(hook, 0) for hook in set(hooks))
        for entry in catalog.intrusions.values()
    }


# --- what could not have been rolled ----------------------------------------------------------------------------------


def could_be_traits(given: Any) -> bool:
    """Whether a boss may show these: as many different traits as it shows, all of them known."""
    catalog = load_catalog()
    known = _is_names(given) and all(name in catalog.traits for name in given)
    return known and len(set(given)) == len(given) == catalog.stakes.boss_traits


def impossible_stakes(node: Node, rules: ContractRules, situation: Situation, traits: Sequence[str]) -> Iterator[str]:
    """What a node says it holds and could not have rolled; what the public half of a map hides is not asked."""
    catalog, details = load_catalog(), node.details
    if "trapped" in details and node.type == "cache":
        trapped, percent = details["trapped"], _trap_percent(rules, situation.rival_heat)
        yield from _not_among("trapped", trapped, [True] * (percent > 0) + [False] * (percent < 100))
        left = [hook.id for hook in catalog.hooks.values() if hook.trap_weight] if trapped is True else [None]
        yield from _not_among("hook", details.get("hook"), left)
    if "stock" in details and node.type == "shop":
        yield from _impossible_stock(details["stock"], traits, situation.hooks, catalog)
    if "trial" in details and node.type == "elite":
        trial, percent = details["trial"], rules.trial_percent
        yield from _not_among("trial", trial, list(catalog.trials) * (percent > 0) + [None] * (percent < 100))
        yield from _not_among("bundles", details.get("bundles"), [list(catalog.bundles) if trial is not None else []])
    if "intrusion" in details and node.type == "rival_intrusion":
        weights = _intrusion_weights(situation.rival_state, situation.hooks, catalog)
        yield from _not_among("intrusion", details["intrusion"], [name for name, weight in weights.items() if weight])


def _not_among(name: str, given: Any, possible: Sequence[Any]) -> Iterator[str]:
    """A complaint where a value is none of these."""
    if not any(same(given, value) for value in possible):
        yield f"{name} is {shown(given)}, not {' or '.join(map(str, possible))}"


def _impossible_stock(given: Any, traits: Sequence[str], hooks: Sequence[str], catalog: Catalog) -> Iterator[str]:
    """Slot by slot: a pool that has a weight, and of it what it could hold with what is on the shelf before."""
    slots = catalog.stakes.shop_slots
    if not isinstance(given, list) or len(given) != slots:
        yield f"stock is {shown(given)}, not {slots} items"
        return
    pools = [pool for pool, weight in catalog.stakes.shop_pools.items() if weight]
    sold: set[str] = set()
    for place, slot in enumerate(given):
        possible = {item.id: item for pool in pools for item in _choice(pool, sold, traits, hooks, catalog)}
        name = slot.get("item") if isinstance(slot, Mapping) else slot
        if not isinstance(slot, Mapping) or not isinstance(name, str) or name not in possible:
            yield f"stock[{place}].item is {shown(name)}, which this shop cannot sell there"
            continue
        yield from _not_among(f"stock[{place}].pool", slot.get("pool"), [possible[name].pool])
        sold.add(name)
