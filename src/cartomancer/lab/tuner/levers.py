"""What the tuner may turn, ordered by how much else it moves [GDD 14.7].

>>> from cartomancer.content.codex import load_codex
>>> codex = load_codex()
>>> levers = levers_of(codex, "boar", ["auto_effects"])
>>> nerve = next(lever for lever in levers if lever.id == "root_hollow.nerve")
>>> nerve.words(-1), nerve.words(0)
('nerve −1 every 3 rounds', 'nerve −1 every 2 rounds')
>>> turned(codex, levers, {nerve.id: -1}).rooms["root_hollow"].auto_effects[1].every
3

A lever is one field of one entry with the values it may have, in order; it is turned by whole steps from the present
value. Turning levers gives a new codex in which the changed entries went through the same models and the same checks as
files do, so nothing that is not valid content comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from cartomancer.content.catalog import CATALOG_KINDS
from cartomancer.content.codex import Codex
from cartomancer.content.entries import CODEX_KINDS
from cartomancer.content.kinds import kind_named
from cartomancer.content.models.base import Entry
from cartomancer.content.models.cards import AnyCard
from cartomancer.content.models.encounter import AutoEffect, Deck, PartyClass, Place, Scenario
from cartomancer.content.models.profile import Profile
from cartomancer.content.models.vocabulary import OTHER_SIDE, RESOURCES, Resource
from cartomancer.content.reader import Reader
from cartomancer.content.toml_files import DATA, validated
from cartomancer.errors import ContentError, Fault, UnknownNameError
from cartomancer.lab.refusals import each_of

# Groups, narrowest scope first, and what a step costs: the broader a lever's scope, the dearer [GDD 14.7].
STEP_COSTS: Final[dict[str, float]] = {
    "auto_effects": 1.0,
    "pacing": 1.25,
    "dungeon_cards": 2.0,
    "visitor_cards": 4.0,
    "visitor_stats": 8.0,
    "dungeon_profile": 8.0,
    "visitor_profile": 8.0,
}
GROUPS: Final = tuple(STEP_COSTS)
USUAL_GROUPS: Final = ("auto_effects", "pacing", "dungeon_cards", "visitor_cards")
MOST_STEPS: Final = 3  # either way …
MOST_CARD_STEPS: Final = 2  # … but a card's strength no more than this, and its cost by one
STRENGTHS: Final = ((1, 4), (1, 3), (1, 2), (1, 1), (2, 1), (3, 1))  # an auto-effect's points, every so many rounds
PROFILE_STEP: Final = 100
# Every plain number of a card's effect, and its energy; what a category does not have is skipped.
CARD_NUMBERS: Final = (
    *(("power",), ("heal", "amount"), ("chip", "amount"), ("thorns", "amount"), ("cost",)),
    *(("trigger", "power"), ("self_cost", "amount"), ("punish",), ("energy_loss",), ("exposure", "amount")),
    *(("ward",), ("fortify", "amount"), ("fortify", "rounds"), ("absorb", "amount"), ("absorb", "rounds")),
    *(("restore",), ("calm",), ("draw",), ("reveal",), ("discard",), ("amount",), ("trust",), ("weakens", "amount")),
    *(("benefit", "amount"), ("benefit", "ward"), ("benefit", "draw"), ("price", "amount"), ("price", "rounds")),
)
FROM_NOTHING: Final = (("cost",), ("trust",))  # 0 is a value of these; any other effect of 0 is none, and none is made
STATS: Final = ("vitality", "resolve", "nerve")

Path = tuple[str | int, ...]
Steps = Mapping[str, int]  # by the lever's id; what is not named stays as it is


@dataclass(frozen=True)
class Lever:
    """One field of one entry and the values it may take."""

    id: str
    group: str
    kind: str  # the kind of the entry, in the plural
    entry: str
    title: str  # the entry as people know it
    path: Path
    options: tuple[Any, ...]  # in order; None: the field is not there
    present: int  # which option it has now
    shared_by: int = 1  # decks or kits that hold the card: changing it moves them all

    @property
    def least(self) -> int:
        """The farthest step down."""
        return -self.present

    @property
    def most(self) -> int:
        """The farthest step up."""
        return len(self.options) - 1 - self.present

    @property
    def steps(self) -> list[int]:
        """All steps but 0, small ones first."""
        return sorted((step for step in range(self.least, self.most + 1) if step), key=lambda step: (abs(step), step))

    def value(self, step: int) -> Any:
        """The value that many steps away."""
        return self.options[self.present + step]

    def cost(self, step: int) -> float:
        """What a change costs: once for making it, and for every step."""
        return STEP_COSTS[self.group] * self.shared_by * (1 + abs(step)) if step else 0.0

    def words(self, step: int) -> str:
        """The field with the value that many steps away, in words."""
        value = self.value(step)
        if self.path[0] == "auto_effects":
            return _pressure(value) if value else f"no {self.id.rpartition('.')[2]} effect"
        named = self.path[2:] if self.path[0] == "rooms" else self.path
        return f"{' '.join(str(part) for part in named).replace('_', ' ')} {value}"

    def change(self, step: int) -> str:
        """The change in words: Root Hollow: nerve −1 every 2 rounds (was: nerve −1 every 3 rounds)."""
        return f"{self.title}: {self.words(step)} (was: {self.words(0)})"


def _pressure(effect: Mapping[str, Any]) -> str:
    sign = "−" if effect["change"] < 0 else "+"
    rhythm = "every round" if effect["every"] == 1 else f"every {effect['every']} rounds"
    return f"{effect['resource']} {sign}{abs(effect['change'])} {rhythm}"


def cost(levers: Sequence[Lever], steps: Steps) -> float:
    """What all changes cost together."""
    return sum(lever.cost(steps.get(lever.id, 0)) for lever in levers)


# --- which levers there are -------------------------------------------------------------------------------------------


def groups_from(text: str | None) -> tuple[str, ...]:
    """The groups named in a list, narrowest scope first; without a list the usual ones."""
    if text is None:
        return USUAL_GROUPS

    def known(name: str) -> str:
        if name not in GROUPS:
            raise UnknownNameError("lever group", name, GROUPS)
        return name

    wanted = each_of([part.strip() for part in text.split(",")], known)
    return tuple(name for name in GROUPS if name in wanted)


def levers_of(codex: Codex, name: str, groups: Sequence[str]) -> list[Lever]:
    """The levers of a scenario in these groups, narrowest scope first."""
    scenario = codex.scenario(name)
    makers: dict[str, Callable[[Codex, Scenario], Iterator[Lever]]] = {
        "auto_effects": _auto_effects,
        "pacing": _pacing,
        "dungeon_cards": _dungeon_cards,
        "visitor_cards": _visitor_cards,
        "visitor_stats": _visitor_stats,
        "dungeon_profile": lambda codex, scenario: _profiles(codex.dungeon_profiles(scenario), "dungeon_profile"),
        "visitor_profile": lambda codex, scenario: _profiles([codex.visitor_profile(scenario)], "visitor_profile"),
    }
    found = [lever for group in GROUPS if group in groups for lever in makers[group](codex, scenario)]
    return [lever for lever in (_possible(codex, lever) for lever in found) if lever.steps]


def levers_of_all(codex: Codex, names: Sequence[str], groups: Sequence[str]) -> list[Lever]:
    """The levers of several scenarios, narrowest scope first: what they share is one lever."""
    found = {lever.id: lever for name in names for lever in levers_of(codex, name, groups)}
    return sorted(found.values(), key=lambda lever: GROUPS.index(lever.group))


def _possible(codex: Codex, lever: Lever) -> Lever:
    """The lever with the values that its entry's model allows, and with how many share its entry."""
    fitting = [step for step in range(lever.least, lever.most + 1) if not step or _fits(codex, lever, step)]
    options = tuple(lever.value(step) for step in fitting)
    holders: list[Deck | PartyClass] = [*codex.decks.values(), *codex.classes.values()]
    shared_by = sum(lever.entry in holder.cards for holder in holders) if lever.kind == "cards" else 1
    return replace(lever, options=options, present=fitting.index(0), shared_by=max(1, shared_by))


def _fits(codex: Codex, lever: Lever, step: int) -> bool:
    try:
        changed_entries(codex, [lever], {lever.id: step})
    except ContentError:
        return False
    return True


def _auto_effects(codex: Codex, scenario: Scenario) -> Iterator[Lever]:
    """Every effect of every room, stronger, weaker or gone; and pressure on what a room does not touch yet."""
    for stop in scenario.rooms:
        room, kind = codex.place(stop.room), codex.place_kind(stop.room)
        pressed = {effect.resource for effect in room.auto_effects}
        for slot, effect in enumerate(room.auto_effects):
            yield _effect_lever(kind, room, slot, effect.resource, effect)
        absent = [resource for resource in get_args(Resource) if resource not in pressed]
        for slot, resource in enumerate(absent, len(room.auto_effects)):
            yield _effect_lever(kind, room, slot, resource, None)


def _effect_lever(kind: str, room: Place, slot: int, resource: str, now: AutoEffect | None) -> Lever:
    own = [] if now is None else [(abs(now.change), now.every)]
    strengths = sorted({*STRENGTHS, *own}, key=lambda strength: (strength[0] / strength[1], strength[0]))
    sign = 1 if now is not None and now.change > 0 else -1
    options: list[dict[str, Any] | None] = [None]
    options += [{"resource": resource, "change": sign * points, "every": every} for points, every in strengths]
    present = 1 + strengths.index(own[0]) if own else 0
    first = max(0, present - MOST_STEPS)
    most = present + MOST_STEPS + (now is None)  # what is new may become as strong as once a round
    same = sum(effect.resource == resource for effect in room.auto_effects[:slot])
    path, fitting = ("auto_effects", slot), tuple(options[first : most + 1])
    lever = _lever("auto_effects", kind, room, path, fitting, present - first)
    return replace(lever, id=f"{room.id}.{resource}" + (f"_{same + 1}" if same else ""))


def _pacing(codex: Codex, scenario: Scenario) -> Iterator[Lever]:
    """How long a room lasts: the scenario's own word where it has one, else the room's."""
    for number, stop in enumerate(scenario.rooms):
        room, own = codex.place(stop.room), codex.scenarios.get(scenario.id)
        if stop.round_limit is None:
            yield _number("pacing", codex.place_kind(stop.room), room, ("round_limit",), room.round_limit)
        elif own is not None:
            lever = _number("pacing", "scenarios", own, ("rooms", number, "round_limit"), stop.round_limit)
            yield replace(lever, id=f"{own.id}.{room.id}.round_limit", title=f"{own.title}, {room.title}")


def _dungeon_cards(codex: Codex, scenario: Scenario) -> Iterator[Lever]:
    """Numbers, cost and target of what the rooms' decks hold."""
    for name in dict.fromkeys(card for deck in codex.room_decks(scenario) for card in deck.cards):
        card = codex.cards[name]
        yield from _card_numbers(card, "dungeon_cards")
        target = getattr(card, "target", None)
        reducers = RESOURCES[OTHER_SIDE[card.side]]
        if target in reducers:
            yield _lever("dungeon_cards", "cards", card, ("target",), reducers, reducers.index(target))


def _visitor_cards(codex: Codex, scenario: Scenario) -> Iterator[Lever]:
    """Numbers and cost of what the creature or the party's classes bring."""
    deck = codex.creature_deck(scenario)
    kits = [deck.cards] if deck else [member.cards for member in codex.members_of(scenario)]
    for name in dict.fromkeys(card for kit in kits for card in kit):
        yield from _card_numbers(codex.cards[name], "visitor_cards")


def _card_numbers(card: AnyCard, group: str) -> Iterator[Lever]:
    for path in CARD_NUMBERS:
        value: Any = card
        for part in path:
            value = getattr(value, part, None)
        if isinstance(value, int) and (value or path in FROM_NOTHING):
            least, reach = int(path not in FROM_NOTHING), 1 if path == ("cost",) else MOST_CARD_STEPS
            lever = _number(group, "cards", card, path, value, least, reach=reach)
            yield replace(lever, id=lever.id.removesuffix(".amount") if path[1:] else lever.id)


def _visitor_stats(codex: Codex, scenario: Scenario) -> Iterator[Lever]:
    """What visitors start with; these numbers are the documents' own and stay unless asked for [GDD 3.3, 16.13]."""
    kind = "creatures" if scenario.creature else "classes"
    names = [scenario.creature] if scenario.creature else [member.id for member in codex.members_of(scenario)]
    for owner in (codex.of_kind(kind)[name] for name in dict.fromkeys(names)):
        for stat in STATS:
            yield _number("visitor_stats", kind, owner, (stat,), getattr(owner, stat))


def _profiles(profiles: Sequence[Profile], group: str) -> Iterator[Lever]:
    """What a temperament thinks of cards and targets, in steps of a tenth."""
    for profile in {profile.id: profile for profile in profiles}.values():
        for part, weights in (("weights", profile.weights.model_dump()), ("targets", profile.targets)):
            for field, value in weights.items():
                yield _number(group, "profiles", profile, (part, str(field)), value, 0, PROFILE_STEP)


def _number(
    group: str, kind: str, entry: Entry, path: Path, now: int, least: int = 1, step: int = 1, reach: int = MOST_STEPS
) -> Lever:
    """A number that goes up and down."""
    values = [now + k * step for k in range(-reach, reach + 1)]
    options = tuple(value for value in values if value >= min(least, now))
    return _lever(group, kind, entry, path, options, options.index(now))


def _lever(group: str, kind: str, entry: Entry, path: Path, options: tuple[Any, ...], present: int) -> Lever:
    """The lever of one field, named by it."""
    name = ".".join(map(str, (entry.id, *path)))
    return Lever(name, group, kind, entry.id, entry.title, path, options, present)


# --- turning them -----------------------------------------------------------------------------------------------------


def turned(codex: Codex, levers: Sequence[Lever], steps: Steps) -> Codex:
    """The codex with these levers turned, refused with every fault if that is not valid content."""
    changed = changed_entries(codex, levers, steps)
    kinds: dict[str, Any] = {kind: {**codex.of_kind(kind), **entries} for kind, entries in changed.items()}
    found = replace(codex, **kinds)
    faults = content_faults(found, set(changed))
    if faults:
        raise ContentError(f"{len(faults)} fault(s) in the changed content", faults)
    return found


def changed_entries(codex: Codex, levers: Sequence[Lever], steps: Steps) -> dict[str, dict[str, Entry]]:
    """The entries that differ, by kind and id, validated by their models."""
    touched: dict[tuple[str, str], list[Lever]] = {}
    for lever in levers:
        if steps.get(lever.id, 0):
            touched.setdefault((lever.kind, lever.entry), []).append(lever)
    found: dict[str, dict[str, Entry]] = {}
    for (kind, name), own in touched.items():
        fields = codex.of_kind(kind)[name].model_dump(exclude_unset=True)
        for lever in own:
            _set(fields, lever.path, lever.value(steps[lever.id]))
        if kind == "rooms":
            fields["auto_effects"] = [effect for effect in fields.get("auto_effects", []) if effect]
        found.setdefault(kind, {})[name] = validated(kind_named(kind).shape, fields, f"{kind}: {name}")
    return found


def _set(fields: Any, path: Path, value: Any) -> None:
    for part in path[:-1]:
        fields = fields.setdefault(part, []) if isinstance(fields, dict) else fields[part]
    last = path[-1]
    if isinstance(fields, list) and isinstance(last, int):
        fields.extend([None] * (last + 1 - len(fields)))
    fields[last] = value


def content_faults(codex: Codex, kinds: set[str]) -> list[Fault]:
    """What the entries of a codex ask of each other, after entries of these kinds have changed: the checks of files, as
    far as those kinds can break them."""
    reader = Reader(DATA)
    reader.named = {kind: list(codex.of_kind(kind)) for kind in (*CODEX_KINDS, *CATALOG_KINDS)}
    if "cards" in kinds:
        codex.check_texts(reader)
        codex.check_decks(reader)
        codex.check_parties(reader)
    if kinds & {"cards", "rooms", "creatures"}:
        codex.check_owners(reader)
    if kinds & {"profiles", "creatures"}:
        codex.check_profiles(reader)
    return reader.faults
