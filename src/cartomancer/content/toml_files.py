"""Reading content files: TOML in, validated models out, every fault at once."""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError

from cartomancer.errors import ContentError, Fault

SHIPPED: Final = Path(__file__).parent / "data"
# The content in use: the shipped one, or a folder of one's own (`cartomancer content copy` makes one to begin with).
DATA: Final = Path(os.environ.get("CARTOMANCER_CONTENT") or SHIPPED)

Model = TypeVar("Model", bound=BaseModel)

# What pydantic calls a fault: what is wrong, what would be right.
OUR_WORDS: Final[dict[str, tuple[str, str]]] = {
    "missing": ("is missing", "give it a value"),
    "greater_than_equal": ("is too small", "at least {ge}"),
    "less_than_equal": ("is too large", "at most {le}"),
    "string_pattern_mismatch": ("is not a name", "lower-case letters, {signs}, beginning with a letter"),
    "literal_error": ("is not one of the choices", "{expected}"),
}


@dataclass(frozen=True)
class Tagged(Generic[Model]):
    """One of several models, told apart by the value of one field."""

    field: str
    models: Mapping[str, type[BaseModel]]


Shape = type[Model] | Tagged[Model]


def shown_path(path: Path) -> str:
    """A path as messages show it: shipped content without the installation's folder."""
    return str(path.relative_to(DATA)) if path.is_relative_to(DATA) else str(path)


def read_toml(path: Path) -> dict[str, Any]:
    """The file's tables, or a ContentError that says what is wrong with the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        headline, problem = "no such file", "does not exist"
    except (OSError, UnicodeDecodeError) as error:
        headline, problem = "cannot be read", str(error)
    except (ValueError, RecursionError) as error:
        headline, problem = "not valid TOML", str(error)
    where = shown_path(path)
    raise ContentError(f"{where}: {headline}", [Fault("file", None, problem, where=where)])


def toml_value(value: Any) -> str:
    """A value as TOML writes it on one line.

    >>> toml_value({"when": "trust_at_least", "value": 3})
    '{ when = "trust_at_least", value = 3 }'
    """
    if isinstance(value, dict):
        inside = ", ".join(f"{key} = {toml_value(inner)}" for key, inner in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(toml_value(inner) for inner in value)}]"
    return json.dumps(value, ensure_ascii=False)


def validated(shape: Shape[Model], data: Any, where: str) -> Model:
    """The data as a model, or a ContentError with all its faults."""
    model = _meant(shape, data, where) if isinstance(shape, Tagged) else shape
    try:
        return cast("Model", model.model_validate(data))
    except ValidationError as error:
        raise ContentError(f"{where}: {error.error_count()} fault(s)", faults_of(error, where, model)) from None


def _meant(shape: Tagged[Any], data: Any, where: str) -> type[BaseModel]:
    """The model that the tag names."""
    if not isinstance(data, Mapping):
        fault = Fault("entry", data, "is not a table", where=where)
    elif shape.field not in data:
        fault = Fault(shape.field, None, "is missing", f"one of {', '.join(shape.models)}", where)
    elif data[shape.field] in list(shape.models):
        return shape.models[data[shape.field]]
    else:
        tag = data[shape.field]
        fault = Fault(shape.field, tag, "is not one of the choices", nearest(str(tag), list(shape.models)), where)
    raise ContentError(f"{where}: 1 fault(s)", [fault])


def nearest(name: str, known: Sequence[str]) -> str:
    """The known name that was probably meant, or all of them."""
    close = difflib.get_close_matches(name, known, n=1)
    return close[0] if close else ", ".join(known)


def faults_of(error: ValidationError, where: str, model: type[BaseModel]) -> list[Fault]:
    """Pydantic's complaints in our words."""
    faults = []
    for entry in error.errors(include_url=False):
        field = _field_name(entry["loc"])
        value = None if entry["type"] in {"missing", "extra_forbidden"} else entry["input"]
        if not field and isinstance(value, Mapping):
            value = None  # the entry as a whole: its id says which
        faults.append(Fault(field or model.__name__, value, *_in_our_words(entry, model), where=where))
    return faults


def _field_name(location: tuple[int | str, ...]) -> str:
    parts = [f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in location if part != "[key]"]
    return "".join(parts).removeprefix(".")


def _in_our_words(entry: Any, model: type[BaseModel]) -> tuple[str, str]:
    """(what is wrong, what would be right)"""
    context = entry.get("ctx", {})
    if entry["type"] == "extra_forbidden":
        return "is not a known field", nearest(str(entry["loc"][-1]), _known_fields(model, entry["loc"]))
    if entry["type"] in OUR_WORDS:
        problem, right = OUR_WORDS[entry["type"]]
        signs = "digits, _ and -" if "-]" in str(context.get("pattern")) else "digits and _"
        return problem, right.format(**context, signs=signs)
    return str(entry["msg"]).removeprefix("Value error, "), ""


def _known_fields(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The fields of the (nested) model that the location points into, as far as it can be followed."""
    found = model
    for part in location[:-1]:
        if isinstance(part, str) and part in found.model_fields:
            inner = next(_models_in(found.model_fields[part].annotation), None)
            if inner is None:
                return []
            found = inner
    return list(found.model_fields)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that a field's type speaks of: itself, or what it holds."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in getattr(annotation, "__args__", ()):
        yield from _models_in(argument)
