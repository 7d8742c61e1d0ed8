"""The catalog: every content entry that is rolled with a map, validated one by one and against each other.

>>> catalog = load_catalog()
>>> catalog.trials["frenzy"].text()
'Enemies gain 1 tempo for the first 2 turns.'
>>> [item.id for item in catalog.counters_to(["venomous"])]
['antivenom', 'silver_charm', 'leech_needle', 'boiled_gorget']
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from cartomancer.content.models.base import deciding
from cartomancer.content.models.bestiary import EncounterTuning, Enemy, Guardian
from cartomancer.content.models.stakes import Bundle, Hook, Intrusion, Item, StakesTuning, Trait, Trial
from cartomancer.content.reader import Reader, kinds_in
from cartomancer.content.toml_files import DATA
from cartomancer.seals import digest_of

ENCOUNTERS: Final = "tuning/encounters.toml"
# of numbers that decide nothing any more: without them every notation written so far would be refused as outdated
RETIRED_TUNING: Final = {"unknown_guardian_health": 150}
BEINGS: Final = ("enemies", "guardians")
MODIFIER_KINDS: Final = ("trials", "intrusions", "traits", "items")  # what a scenario may put in force


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Every entry by its id, in the order of its file, and the tuning numbers."""

    hooks: Mapping[str, Hook]
    traits: Mapping[str, Trait]
    items: Mapping[str, Item]
    trials: Mapping[str, Trial]
    bundles: Mapping[str, Bundle]
    intrusions: Mapping[str, Intrusion]
    enemies: Mapping[str, Enemy]
    guardians: Mapping[str, Guardian]
    stakes: StakesTuning
    encounters: EncounterTuning

    def counters_to(self, traits: Collection[str]) -> list[Item]:
        """The items that counter one of these traits."""
        return [item for item in self.items.values() if not set(traits).isdisjoint(item.counters)]

    def of_pool(self, pool: str) -> list[Item]:
        """The items of one shop pool."""
        return [item for item in self.items.values() if item.pool == pool]

    def enemies_of(self, theme: str, tier: str) -> list[Enemy]:
        """The enemies of a theme and tier."""
        return [enemy for enemy in self.enemies.values() if (enemy.theme, enemy.tier) == (theme, tier)]

    def digest(self, named: Collection[str] = ()) -> str:
        """A short hash of everything that decides what is rolled: the entries without names and prose.

        Of guardians it is theme and health, and only theirs who guard an act or are named by the rules of a map; of
        enemies it is what encounters are composed by, and only of those whose theme an act may have.
        """
        stakes = [kind for kind in CATALOG_KINDS if kind not in BEINGS]
        entries = [[deciding(entry) for entry in getattr(self, kind).values()] for kind in stakes]
        rolled = [entry for entry in self.enemies.values() if entry.theme in self.encounters.themes]
        entries.append([entry.model_dump(include={"id", "theme", "tier", "health", "cost"}) for entry in rolled])
        met = {self.encounters.portal_guardian, *named}
        guardians = [entry for entry in self.guardians.values() if entry.act is not None or entry.id in met]
        entries.append([entry.model_dump(include={"id", "theme", "health"}) for entry in guardians])
        encounters = deciding(self.encounters) | RETIRED_TUNING
        return digest_of([entries, deciding(self.stakes), encounters])


CATALOG_KINDS: Final = tuple(kinds_in(Catalog))


_in_use: Final = cache(lambda: load_catalog(DATA))


def load_catalog(folder: Path | None = None) -> Catalog:
    """The catalog in use, read once; or the catalog in a folder, refused with every fault at once."""
    return _in_use() if folder is None else Reader(folder).complete(read_catalog, "catalog")


def read_catalog(reader: Reader) -> Catalog | None:
    """The catalog in the reader's folder, or nothing if it is faulty: the reader has the faults."""
    found = reader.record(Catalog)
    draft = Catalog(**found)  # whose numbers may be missing
    for kind in (*MODIFIER_KINDS, "bundles"):
        reader.distinct_texts(kind, found[kind], lambda entry: entry.text())
    _check_stakes(reader, draft)
    if found["stakes"] is not None:
        _check_stock(reader, draft)
    if found["encounters"] is not None:
        _check_bestiary(reader, draft)
    return None if reader.faults else draft


def _check_stakes(reader: Reader, draft: Catalog) -> None:
    """Items name traits and hooks that exist, intrusions hooks and a rival's states. A trap leaves a hook
    [Contracts 3], so one must be possible; and every state has an intrusion that can happen."""
    hooks, states = reader.named["hooks"], draft.stakes.rival_states if draft.stakes else []
    for item in draft.items.values():
        where = reader.home("items", item.id)
        reader.known("trait", item.counters, reader.named["traits"], where=where, field="counters")
        reader.known("hook", item.treats, hooks, where=where, field="treats")
    if draft.hooks and not any(hook.trap_weight for hook in draft.hooks.values()):
        where = reader.place("hooks.toml")
        reader.fault(where, "trap_weight", 0, "is 0 in every hook", expected="a hook that traps leave")
    for entry in draft.intrusions.values():
        where = reader.home("intrusions", entry.id)
        reader.known("hook", entry.hook_bonus, hooks, where=where, field="hook_bonus")
        reader.known("hook", [entry.leaves], hooks, where=where, field="leaves")
        reader.known("rival state", entry.weights if states else (), states, where=where, field="weights")
    for state in states if draft.intrusions else ():
        if not any(entry.weights.get(state) for entry in draft.intrusions.values()):
            where = reader.place("intrusions.toml")
            reader.fault(where, f"weights.{state}", None, "is 0 in every intrusion", expected="a weight above 0")


def _check_stock(reader: Reader, draft: Catalog) -> None:
    """Normal stock can fill a whole shop, a boss can show its traits, and every trait can be countered."""
    where, stakes, normal = reader.place("tuning/stakes.toml"), draft.stakes, len(draft.of_pool("normal"))
    if normal < stakes.shop_slots:
        problem = "is more than normal stock can fill without repeating an item"
        reader.fault(where, "shop_slots", stakes.shop_slots, problem, expected=f"at most {normal}, or more items")
    traits = reader.named["traits"]
    if len(traits) < stakes.boss_traits:
        reader.fault(where, "boss_traits", stakes.boss_traits, "is too large", expected=f"at most {len(traits)}")
    for trait in traits:
        count = len(draft.counters_to([trait]))
        if count < stakes.counters_per_trait:
            expected = f"at least {stakes.counters_per_trait} items with this trait in counters"
            reader.fault(reader.home("traits", trait), "counters", count, "is too small", expected=expected)


def _check_bestiary(reader: Reader, draft: Catalog) -> None:
    """The themes of acts have a guardian each and enemies of both tiers that their budgets can pay; so has the portal.
    Enemies and guardians carry traits that exist."""
    tuning, where = draft.encounters, reader.place(ENCOUNTERS)
    for kind in BEINGS:
        for being in getattr(draft, kind).values():
            where_it_is = reader.home(kind, being.id)
            reader.known("trait", being.traits, reader.named["traits"], where=where_it_is, field="traits")
    portal, guardian_ids = [tuning.portal_guardian], reader.named["guardians"]
    reader.known("guardian", portal, guardian_ids, where=where, field="portal_guardian")
    _check_guardians(reader, tuning.themes, draft.guardians)
    needs = (
        ("basic", "combat_budget", tuning.combat_enemies_most, tuning.combat_budget),
        ("elite", "elite_budget", tuning.elite_count, tuning.elite_budget),
        ("basic", "escort_budget", tuning.escort_count, tuning.escort_budget),
    )
    for theme in tuning.themes:
        for tier, field, counts, budgets in needs:
            costs = [enemy.cost for enemy in draft.enemies_of(theme, tier)]
            if not costs and field != "escort_budget":
                problem = f"has no {tier} enemy of the theme '{theme}'"
                reader.fault(reader.place("enemies.toml"), "enemies", None, problem, expected="at least one")
            for players, (count, budget) in enumerate(zip(counts, budgets, strict=True), 1):
                if costs and min(costs) * count > budget:
                    problem = f"cannot pay {count} of the cheapest {tier} enemies of the theme '{theme}'"
                    right = f"{min(costs) * count} or more"
                    reader.fault(where, f"{field}[{players}]", budget, problem, expected=right)


def _check_guardians(reader: Reader, themes: Collection[str], guardians: Mapping[str, Guardian]) -> None:
    """Guardians of acts stand in the order of the acts, one for every theme."""
    if len(guardians) < len(reader.named["guardians"]):
        return  # a faulty one may be the one that is missing
    acts = [guardian for guardian in guardians.values() if guardian.act is not None]
    for place, guardian in enumerate(acts, 1):
        if guardian.act != place:
            problem = "is not its place among the guardians of acts"
            reader.fault(reader.home("guardians", guardian.id), "act", guardian.act, problem, expected=str(place))
    for theme in themes:
        if theme not in {guardian.theme for guardian in acts}:
            where = reader.place(ENCOUNTERS)
            reader.fault(where, "themes", theme, "has no guardian", expected="an act's guardian of this theme")
