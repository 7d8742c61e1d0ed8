"""The kinds of content entries: what they are called, which model reads them, where they are found.

>>> kind_named("parties").name
'party'
>>> from cartomancer.content.codex import load_codex
>>> [found.kind.name for found in entries_named(load_codex(), "root_hollow")]
['deck', 'room']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.content.catalog import Catalog
from cartomancer.content.codex import GUARDIAN, Codex
from cartomancer.content.entries import Entries
from cartomancer.content.models.base import Entry, titled
from cartomancer.content.models.cards import CARD
from cartomancer.content.models.encounter import EncounterRules
from cartomancer.content.packs import PACK
from cartomancer.content.reader import CARDS, ENTRY_FILES, kinds_in
from cartomancer.content.rules_text import card_text
from cartomancer.content.toml_files import Shape, Tagged
from cartomancer.errors import CartomancerError, UnknownNameError


@dataclass(frozen=True)
class Kind:
    """A kind of entry: one is a `name`, a file's array of them is called `plural`."""

    name: str
    plural: str
    shape: Shape[Any]

    def of(self, codex: Codex) -> Mapping[str, Any]:
        """The entries of this kind."""
        return codex.of_kind(self.plural)


@dataclass(frozen=True)
class Found:
    """An entry and its kind."""

    kind: Kind
    entry: Entry

    def text(self) -> str:
        """Its generated rules text, if its kind has one."""
        if self.kind.shape is CARDS:
            return card_text(self.entry)  # type: ignore[arg-type]  # the kind says so
        return str(self.entry.text()) if hasattr(self.entry, "text") else ""


SHAPES: Final = kinds_in(Entries) | kinds_in(Catalog)
SINGULARS: Final = {"classes": "class", "parties": "party", "equipment": "equipment", "enemies": "enemy"}
KINDS: Final = tuple(
    Kind(SINGULARS.get(plural, plural.removesuffix("s")), plural, SHAPES[plural])
    for plural in (
        *("cards", "decks", "pools", "rooms", "profiles", "dungeons", "creatures", "classes", "parties", "scenarios"),
        *("targets", "equipment", "room_items", "trials", "intrusions", "traits", "items", "hooks", "bundles"),
        *("themes", "enemies", "packs", "guardians", "events"),
    )
)
FILES: Final = tuple(kind.name for kind in KINDS if kind.plural in ENTRY_FILES)  # the others share files
SCHEMAS: Final = (
    *("card", "deck", "pool", "room", "profile", "dungeon", "guardian", "creature", "class"),
    *("party", "scenario", "target", "equipment", "room_item", "theme", "enemy", "pack", "event", "card_game"),
)


def kind_named(name: str) -> Kind:
    """A kind by its name, in the singular or the plural."""
    for kind in KINDS:
        if name in {kind.name, kind.plural}:
            return kind
    raise UnknownNameError("kind of content", name, [kind.name for kind in KINDS])


def entries_named(codex: Codex, name: str) -> list[Found]:
    """Every entry of that id, or the one that `kind:id` means; refused if there is none."""
    first, colon, rest = name.partition(":")
    kinds = [kind_named(first)] if colon else list(KINDS)
    wanted = rest if colon else name
    found = [Found(kind, kind.of(codex)[wanted]) for kind in kinds if wanted in kind.of(codex)]
    if not found:
        known = dict.fromkeys(entry for kind in kinds for entry in kind.of(codex))
        raise UnknownNameError(kinds[0].name if colon else "entry", wanted, list(known))
    return found


def entry_named(codex: Codex, name: str) -> Found:
    """The one entry of that name; a scenario may be written with modifiers (boar+frenzy), or be a guardian's lair
    (scenario:guardian:rng) or a fight with a pack (scenario:pack:grave_watch)."""
    if "+" in name or name.endswith(".toml") or name.startswith((f"scenario:{GUARDIAN}", f"scenario:{PACK}")):
        return Found(kind_named("scenario"), codex.scenario(name.removeprefix("scenario:")))
    return only_one(entries_named(codex, name), name)


def only_one(found: Sequence[Found], name: str) -> Found:
    """The entry that was found; refused where the name means several."""
    if len(found) > 1:
        ways = " or ".join(f"{one.kind.name}:{one.entry.id}" for one in found)
        raise CartomancerError(f"'{name}' is the id of {len(found)} entries: say {ways}")
    return found[0]


def entry_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one entry of a kind, or of the card game's numbers."""
    if name == "card_game":
        return titled(EncounterRules.model_json_schema())
    shape = kind_named(name).shape
    return titled(CARD.json_schema() if isinstance(shape, Tagged) else shape.model_json_schema())
