"""What every content entry shares: strictness, an id, a title, a digest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from cartomancer.errors import Fault

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", description="Lower-case name, words joined by _.")]
Percent = Annotated[int, Field(ge=0, le=100)]
Weight = Annotated[int, Field(ge=0, le=10_000)]
DangerPoints = Annotated[Weight, Field(description="Danger points of one such node on a route.")]
Seconds = Annotated[int, Field(ge=0, le=3600, description="Seconds of play that one such node takes.")]


# The field that is meant, or none where it is the whole entry; whether something is wrong; the sentence that says so.
Complaints = Iterator[tuple[str, object, str]]
One = TypeVar("One")
Pair = Annotated[tuple[One, One], Field(strict=False)]  # which files write as a list
COMPLAINTS: Final = "complaints"  # the type of the error that carries them
NAMES: Final = {"id", "title", "summary", "extends"}  # what a preset is called and comes from: it decides nothing
LATER: Final = "later"  # marks a rules field that came after maps had been written: see `Preset.written_fields`


def setting(default: Any, description: str, **limits: Any) -> Any:
    """A field that a file may leave out; a type stands for a new list or table of its own."""
    silent = {"default_factory" if isinstance(default, type) else "default": default}
    return Field(**silent, description=description, **limits)


def exactly(count: int, description: str) -> Any:
    """A field that lists so many values."""
    return Field(min_length=count, max_length=count, description=description)


class Strict(BaseModel):
    """A frozen model that refuses fields it does not know, fields that do not go together, and values of another type:
    3.0, "3" and true are no whole numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, strict=True, allow_inf_nan=False)

    def complaints(self) -> Complaints:
        """What may be wrong between fields that are right one by one."""
        return iter(())

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        if found := [(field, sentence) for field, wrong, sentence in self.complaints() if wrong]:
            told = "; ".join(sentence for _, sentence in found)
            raise PydanticCustomError(COMPLAINTS, "{sentences}", {"found": found, "sentences": told})
        return self


class Entry(Strict):
    """A content entry with a name of its own."""

    id: Identifier = Field(description="The name other files, commands and notations use.")
    title: str = Field(min_length=1, description="The name people see.")
    summary: str = setting("", "One or two sentences for lists and tooltips.")


class Preset(Entry):
    """A ruleset of one map family. It may name another preset of the family and change only some of its fields."""

    default_preset: ClassVar[str]  # the preset that is meant where none is named
    preset_folder: ClassVar[Path | None] = None  # where the presets lie that do not come with the content

    family: str
    extends: str | None = setting(None, "A preset whose fields count where this file is silent.")
    repair_attempts: Annotated[int, LATER] = setting(
        64, "Attempts of a repair to retype what offends before its last resort.", ge=1, le=1_000
    )

    @classmethod
    def family_name(cls) -> str:
        """The family whose rules these are."""
        return str(cls.model_fields["family"].default)

    def impossibilities(self) -> Iterable[Fault]:
        """Rules that are well-formed but cannot be satisfied."""
        return ()

    def idle_fields(self) -> dict[str, str]:
        """Fields that decide nothing under these rules, each with the reason."""
        return {}

    def entries_named(self) -> dict[str, tuple[str, str]]:
        """The catalog's entries that the rules name: (kind, id) by field."""
        return {}

    def danger_by_type(self) -> dict[str, int]:
        """The danger points of a node of each type, for routes and the expressive range."""
        points: dict[str, int] = self.model_dump(include={"danger"})["danger"]
        return points

    def seconds_by_type(self) -> dict[str, int]:
        """The seconds of play that a node of each type takes; nothing where no document says."""
        return {}

    @property
    def choice_seconds(self) -> int:
        """The seconds that it takes to choose between ways."""
        return 0

    def rule_fields(self) -> dict[str, Any]:
        """Everything that decides what is generated: the fields without names and prose."""
        return self.model_dump(mode="json", exclude=NAMES)

    def written_fields(self) -> dict[str, Any]:
        """The rule fields as map files and digests hold them. Those marked LATER are left out while they stand at their
        default, so that a new field changes no digest, notation or file of rules that do not use it."""
        return self.model_dump(mode="json", exclude={**dict.fromkeys(NAMES, True), **_unused_later(self)})


def _unused_later(value: Any) -> dict[Any, Any]:
    """The fields marked LATER that stand at their default, however deep, as `model_dump` excludes them."""
    if not isinstance(value, BaseModel):
        inner = enumerate(value) if isinstance(value, list | tuple) else ()
        return {place: found for place, entry in inner if (found := _unused_later(entry))}
    unused: dict[Any, Any] = {}
    for name, field in type(value).model_fields.items():
        own = getattr(value, name)
        if LATER in field.metadata and own == field.get_default(call_default_factory=True):
            unused[name] = True
        elif found := _unused_later(own):
            unused[name] = found
    return unused


def titled(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON Schema with a title on every field: what an inspector shows."""
    for model in (schema, *schema.get("$defs", {}).values()):
        for name, field in model.get("properties", {}).items():
            field.setdefault("title", name.replace("_", " ").capitalize())
    return schema


UNDECISIVE: Final = {"title", "summary", "profile", "dungeon_profile", "visitor_profile", "endings", "lines"}


def deciding(entry: BaseModel) -> dict[str, Any]:
    """What an entry decides: its fields without names, prose, who plays and what the lab looks for. A field at its
    default is left out, so that a field added later changes no digest of entries that do not use it."""
    found: dict[str, Any] = _without(entry.model_dump(mode="json", exclude_defaults=True), UNDECISIVE)
    return found


def _without(value: Any, names: set[str]) -> Any:
    """The value without the fields of these names, however deep."""
    if isinstance(value, dict):
        return {name: _without(inner, names) for name, inner in value.items() if name not in names}
    return [_without(inner, names) for inner in value] if isinstance(value, list) else value
