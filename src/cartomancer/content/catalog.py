"""The catalog: every content entry that is rolled with a map, validated one by one and against each other.

>>> catalog = load_catalog()
>>> catalog.trials["frenzy"].text()
'Enemies gain 1 tempo for the first 2 turns.'
>>> [item.id for item in catalog.counters_to(["venomous"])]
['antivenom', 'silver_charm', 'leech_needle', 'boiled_gorget']
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from cartomancer.content.models.base import Entry, digest_of
from cartomancer.content.models.bestiary import EncounterTuning, Enemy, Guardian
from cartomancer.content.models.stakes import Bundle, Hook, Intrusion, Item, Modifier, StakesTuning, Trait, Trial
from cartomancer.content.toml_files import DATA, faults_of, read_toml, shown_path
from cartomancer.errors import ContentError, Fault

STAKES: Final = "tuning/stakes.toml"
ENCOUNTERS: Final = "tuning/encounters.toml"

AnyEntry = TypeVar("AnyEntry", bound=Entry)
AnyModel = TypeVar("AnyModel", bound=BaseModel)


@dataclass(frozen=True)
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

    def entry_ids(self) -> list[str]:
        """Every entry as kind:id."""
        kinds = ("hooks", "traits", "items", "trials", "bundles", "intrusions", "enemies", "guardians")
        return [f"{kind}:{entry}" for kind in kinds for entry in getattr(self, kind)]

    def digest(self) -> str:
        """A short hash of everything that decides what is rolled: the entries without names and prose."""
        kinds = (
            *(self.hooks, self.traits, self.items, self.trials),
            *(self.bundles, self.intrusions, self.enemies, self.guardians),
        )
        entries = [
            [entry.model_dump(mode="json", exclude={"title", "summary"}) for entry in kind.values()] for kind in kinds
        ]
        return digest_of([entries, self.stakes.model_dump(mode="json"), self.encounters.model_dump(mode="json")])


def load_catalog(folder: Path | None = None) -> Catalog:
    """The shipped catalog, read once; or the catalog in a folder, refused with every fault at once."""
    return _shipped() if folder is None else _Reader(folder).catalog()


@cache
def _shipped() -> Catalog:
    return _Reader(DATA).catalog()


class _Reader:
    """Reads all files of a folder and collects what is wrong instead of stopping at the first fault."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults: list[Fault] = []
        self.named: dict[str, list[str]] = {}

    def catalog(self) -> Catalog:
        hooks = self.entries("hooks", Hook)
        traits = self.entries("traits", Trait)
        items = self.entries("items", Item)
        trials = self.entries("trials", Trial)
        bundles = self.entries("bundles", Bundle)
        intrusions = self.entries("intrusions", Intrusion)
        enemies = self.entries("enemies", Enemy)
        guardians = self.entries("guardians", Guardian)
        stakes = self.single(STAKES, StakesTuning)
        encounters = self.single(ENCOUNTERS, EncounterTuning)
        for kind, texts in (("traits", traits), ("items", items), ("trials", trials), ("intrusions", intrusions)):
            self.distinct_texts(kind, texts)
        self.distinct_texts("bundles", bundles)
        self.check_items(items)
        self.check_hooks(hooks)
        self.check_intrusions(intrusions, stakes)
        if stakes is not None:
            self.check_stock(stakes, items)
        if encounters is not None:
            self.check_bestiary(encounters, enemies, guardians)
        if self.faults or stakes is None or encounters is None:
            where = shown_path(self.folder) if self.folder != DATA else "shipped content"
            raise ContentError(f"{where}: {len(self.faults)} fault(s) in the catalog", self.faults)
        return Catalog(hooks, traits, items, trials, bundles, intrusions, enemies, guardians, stakes, encounters)

    # --- reading ----------------------------------------------------------------------------------------------------

    def place(self, name: str, entry_id: str = "") -> str:
        """Where a fault is: the file, and the entry in it."""
        return shown_path(self.folder / name) + (f": {entry_id}" if entry_id else "")

    def tables(self, name: str) -> dict[str, Any]:
        try:
            return read_toml(self.folder / name)
        except ContentError as error:
            self.faults.extend(error.faults)
            return {}

    def validated(self, model: type[AnyModel], data: Any, where: str) -> AnyModel | None:
        try:
            return model.model_validate(data)
        except ValidationError as error:
            self.faults.extend(faults_of(error, where, model))
            return None

    def single(self, name: str, model: type[AnyModel]) -> AnyModel | None:
        """A file that is one entry."""
        known = len(self.faults)
        data = self.tables(name)
        # an unreadable file is one fault, not one more for every field it should have had
        return self.validated(model, data, self.place(name)) if len(self.faults) == known else None

    def entries(self, kind: str, model: type[AnyEntry]) -> dict[str, AnyEntry]:
        """A file that is an array of tables named after its kind."""
        name = f"{kind}.toml"
        known = len(self.faults)
        data = self.tables(name)
        self.named[kind] = []
        for key in data:
            if key != kind:
                self.fault(name, "", key, None, "is not what this file holds", expected=f"[[{kind}]]")
        rows = data.get(kind, [])
        if len(self.faults) == known and (not isinstance(rows, list) or not rows):
            self.fault(name, "", kind, None, "holds no entries", expected=f"at least one [[{kind}]]")
        found: dict[str, AnyEntry] = {}
        for number, row in enumerate(rows if isinstance(rows, list) else [], 1):
            given = row.get("id") if isinstance(row, dict) else None
            label = given if isinstance(given, str) else f"{kind}[{number}]"
            if label in self.named[kind]:
                self.fault(name, label, "id", label, "is used twice", expected="an id of its own")
            # a faulty entry still counts as named, so that what refers to it is not reported as well
            self.named[kind].append(label)
            entry = self.validated(model, row, self.place(name, label))
            if entry is not None:
                found[entry.id] = entry
        return found

    # --- checking entries against each other --------------------------------------------------------------------------

    def fault(self, name: str, entry_id: str, field: str, value: Any, problem: str, *, expected: str) -> None:
        self.faults.append(Fault(field, value, problem, expected, where=self.place(name, entry_id)))

    def known(
        self, what: str, names: Iterable[str], known: Sequence[str], *, name: str, entry_id: str, field: str
    ) -> None:
        """Every name must be known; the nearest valid one is what would be right."""
        for given in names:
            if given not in known:
                close = difflib.get_close_matches(given, known, n=1)
                right = close[0] if close else ", ".join(known)
                self.fault(name, entry_id, field, given, f"is not a known {what}", expected=right)

    def distinct_texts(self, kind: str, entries: Mapping[str, Modifier] | Mapping[str, Bundle]) -> None:
        """Within a kind no two generated texts may be equal [GDD 13.1]."""
        seen: dict[str, str] = {}
        for entry in entries.values():
            first = seen.setdefault(entry.text(), entry.id)
            if first != entry.id:
                problem = f"reads exactly like '{first}'"
                self.fault(f"{kind}.toml", entry.id, "text", entry.text(), problem, expected="an effect of its own")

    def check_items(self, items: Mapping[str, Item]) -> None:
        """Items name traits and hooks that exist."""
        for item in items.values():
            self.known(
                "trait", item.counters, self.named["traits"], name="items.toml", entry_id=item.id, field="counters"
            )
            self.known("hook", item.treats, self.named["hooks"], name="items.toml", entry_id=item.id, field="treats")

    def check_hooks(self, hooks: Mapping[str, Hook]) -> None:
        """A trap leaves a hook [Contracts 3], so one must be possible."""
        if hooks and not any(hook.trap_weight for hook in hooks.values()):
            self.fault("hooks.toml", "", "trap_weight", 0, "is 0 in every hook", expected="a hook that traps leave")

    def check_intrusions(self, intrusions: Mapping[str, Intrusion], stakes: StakesTuning | None) -> None:
        """Intrusions name states and hooks that exist, and every state has one that can happen."""
        name, hooks = "intrusions.toml", self.named["hooks"]
        for entry in intrusions.values():
            self.known("hook", entry.hook_bonus, hooks, name=name, entry_id=entry.id, field="hook_bonus")
            if entry.leaves is not None:
                self.known("hook", [entry.leaves], hooks, name=name, entry_id=entry.id, field="leaves")
            if stakes is not None:
                self.known(
                    "rival state", entry.weights, stakes.rival_states, name=name, entry_id=entry.id, field="weights"
                )
        for state in stakes.rival_states if stakes is not None and intrusions else []:
            if not any(entry.weights.get(state) for entry in intrusions.values()):
                self.fault(name, "", f"weights.{state}", None, "is 0 in every intrusion", expected="a weight above 0")

    def check_stock(self, stakes: StakesTuning, items: Mapping[str, Item]) -> None:
        """Normal stock can fill a whole shop, a boss can show its traits, and every trait can be countered."""
        normal = sum(item.pool == "normal" for item in items.values())
        if normal < stakes.shop_slots:
            problem = "is more than normal stock can fill without repeating an item"
            self.fault(
                STAKES, "", "shop_slots", stakes.shop_slots, problem, expected=f"at most {normal}, or more items"
            )
        traits = self.named["traits"]
        if len(traits) < stakes.boss_traits:
            self.fault(STAKES, "", "boss_traits", stakes.boss_traits, "is too large", expected=f"at most {len(traits)}")
        for trait in traits:
            count = sum(trait in item.counters for item in items.values())
            if count < stakes.counters_per_trait:
                expected = f"at least {stakes.counters_per_trait} items with this trait in counters"
                self.fault("traits.toml", trait, "counters", count, "is too small", expected=expected)

    def check_bestiary(
        self, tuning: EncounterTuning, enemies: Mapping[str, Enemy], guardians: Mapping[str, Guardian]
    ) -> None:
        """Themes exist, each has enemies of both tiers that its budgets can pay, and the portal has its guardian."""
        for entry in enemies.values():
            self.known("theme", [entry.theme], tuning.themes, name="enemies.toml", entry_id=entry.id, field="theme")
        for guardian in guardians.values():
            self.known(
                "theme", [guardian.theme], tuning.themes, name="guardians.toml", entry_id=guardian.id, field="theme"
            )
        portal, guardian_ids = [tuning.portal_guardian], self.named["guardians"]
        self.known("guardian", portal, guardian_ids, name=ENCOUNTERS, entry_id="", field="portal_guardian")
        needs = (
            ("basic", "combat_budget", tuning.combat_enemies_most, tuning.combat_budget),
            ("elite", "elite_budget", tuning.elite_count, tuning.elite_budget),
            ("basic", "escort_budget", tuning.escort_count, tuning.escort_budget),
        )
        for theme in tuning.themes:
            for tier, field, counts, budgets in needs:
                costs = [enemy.cost for enemy in enemies.values() if (enemy.theme, enemy.tier) == (theme, tier)]
                if not costs and field != "escort_budget":
                    problem = f"has no {tier} enemy of the theme '{theme}'"
                    self.fault("enemies.toml", "", "enemies", None, problem, expected="at least one")
                for players, (count, budget) in enumerate(zip(counts, budgets, strict=True), 1):
                    if costs and min(costs) * count > budget:
                        problem = f"cannot pay {count} of the cheapest {tier} enemies of the theme '{theme}'"
                        right = f"{min(costs) * count} or more"
                        self.fault(ENCOUNTERS, "", f"{field}[{players}]", budget, problem, expected=right)


__all__ = ["Catalog", "load_catalog"]
