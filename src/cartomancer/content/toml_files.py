"""Reading content files: TOML in, validated models out, every fault at once."""

from __future__ import annotations

import difflib
import json
import math
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError

from cartomancer.content.models.base import COMPLAINTS
from cartomancer.errors import ContentError, Fault
from cartomancer.input_files import InputFileError, read_input, text_faults
from cartomancer.tables import table_beside

SHIPPED: Final = Path(__file__).parent / "data"
# The content in use: the shipped one, or a folder of one's own (`cartomancer content copy` makes one to begin with).
DATA: Final = Path(os.environ.get("CARTOMANCER_CONTENT") or SHIPPED)

Model = TypeVar("Model", bound=BaseModel)
ENTRY: Final = "entry"  # the field of a fault that is the whole entry's

MOST_TOML: Final = 2 * 2**20  # bytes of a file: a hundred times the largest shipped one, and a second's work
LONGEST_KEY: Final = 32
# Names with dots between them, however they are quoted: the parser's time grows with the square of their number.
LONG_KEY: Final = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{LONGEST_KEY + 1}}}"""
)

# What pydantic calls a fault: what is wrong, what would be right.
OUR_WORDS: Final = table_beside(__file__, "faults.toml")
MOST_NAMED: Final = 30  # names that a message lists: all the fields of a model, not all cards
NOT_A_NUMBER: Final = ("is NaN, which is not a number", "a number")


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
        text = read_input(path, MOST_TOML)
        if LONG_KEY.search(text):
            raise ValueError(f"a key has more than {LONGEST_KEY} dots")
        return tomllib.loads(text)
    except InputFileError as error:
        headline, problem = ("no such file", "does not exist") if error.missing else ("cannot be read", str(error))
    except (ValueError, RecursionError) as error:
        headline, problem = "not valid TOML", f"is not valid TOML: {error}"
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
    faults = list(text_faults(data))
    try:
        entry = cast("Model", model.model_validate(data))
    except ValidationError as error:
        faults += faults_of(error, where, model)
        faults += _hidden(error, model, data, where, {fault.field for fault in faults})
    ContentError.refuse(where, "{n} fault(s)", faults)
    return entry


def _hidden(error: ValidationError, model: type[BaseModel], data: Any, where: str, told: set[str]) -> list[Fault]:
    """What does not go together in an entry some of whose fields are faulty by themselves.

    Such fields are looked at together only when each is right: the faulty ones give way to the nearest bound, or to
    what holds without them; what is then said of them is not told, nor anything if that does not help.
    """
    mended = deepcopy(data)
    for entry in error.errors(include_url=False):
        *way, last = entry["loc"] or ("",)
        place = mended
        for part in way:
            inside = place if isinstance(place, dict) else dict(enumerate(place)) if isinstance(place, list) else {}
            place = inside.get(part)
        bounds = [entry.get("ctx", {}).get(name) for name in ("ge", "le")]
        if isinstance(place, dict) and last in place:
            del place[last]
            for bound in bounds:
                if bound is not None:
                    place[last] = bound
    try:
        model.model_validate(mended)
    except ValidationError as left:
        found = faults_of(left, where, model) if {one["type"] for one in left.errors()} == {COMPLAINTS} else []
        # nor is anything said of a table in which a field gave way
        around = {name[:end] for name in told for end, sign in enumerate(name) if sign in ".["} | told
        return [fault for fault in found if fault.field not in around]
    return []


def _meant(shape: Tagged[Any], data: Any, where: str) -> type[BaseModel]:
    """The model that the tag names."""
    if not isinstance(data, Mapping):
        fault = Fault(ENTRY, data, "is not a table", where=where)
    elif shape.field not in data:
        fault = Fault(shape.field, None, "is missing", f"one of {', '.join(shape.models)}", where)
    elif data[shape.field] in list(shape.models):
        return shape.models[data[shape.field]]
    else:
        tag = data[shape.field]
        fault = Fault(shape.field, tag, "is not one of the choices", nearest(str(tag), list(shape.models)), where)
    raise ContentError(f"{where}: 1 fault(s)", [fault])


def nearest(name: str, known: Sequence[str]) -> str:
    """The known name that was probably meant, or those there are, as far as anybody would read them."""
    close = difflib.get_close_matches(name, known, n=1)
    if close or len(known) <= MOST_NAMED:
        return close[0] if close else ", ".join(known)
    return f"{', '.join(known[:MOST_NAMED])} … {len(known)} in all"


def faults_of(error: ValidationError, where: str, model: type[BaseModel]) -> list[Fault]:
    """Pydantic's complaints in our words."""
    faults = []
    for entry in error.errors(include_url=False):
        parts = [f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in entry["loc"] if part != "[key]"]
        field = "".join(parts).removeprefix(".")
        if entry["type"] == COMPLAINTS:
            faults += [_complaint(field, own, told, entry["input"], where) for own, told in entry["ctx"]["found"]]
            continue
        value = None if entry["type"] in {"missing", "extra_forbidden"} else entry["input"]
        faults.append(Fault(field or ENTRY, value, *_in_our_words(entry, model), where=where))
    return faults


def _complaint(place: str, field: str, sentence: str, entry: Any, where: str) -> Fault:
    """What does not go together, said of the field that is meant, or of the whole entry."""
    value = entry
    for name in re.findall(r"\w+", field):
        try:
            value = value[int(name) - 1 if isinstance(value, list) else name]
        except (LookupError, TypeError, ValueError):
            value = None
    full = ".".join(part for part in (place, field) if part)
    said = sentence.removeprefix(f"{field} ")
    problem = said if said != sentence else f"does not fit: {sentence}"
    return Fault(full or ENTRY, value if field else None, problem, where=where)


def _in_our_words(entry: Any, model: type[BaseModel]) -> tuple[str, str]:
    """(what is wrong, what would be right)"""
    context = entry.get("ctx", {})
    if isinstance(entry["input"], float) and math.isnan(entry["input"]):
        return NOT_A_NUMBER
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
