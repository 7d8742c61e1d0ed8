"""Reading content files: TOML in, validated models out, every fault at once."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from cartomancer.errors import ContentError, Fault

DATA: Final = Path(__file__).parent / "data"

Model = TypeVar("Model", bound=BaseModel)


def shown_path(path: Path) -> str:
    """A path as messages show it: shipped content without the installation's folder."""
    return str(path.relative_to(DATA)) if path.is_relative_to(DATA) else str(path)


def read_toml(path: Path) -> dict[str, Any]:
    """The file's tables, or a ContentError that says what is wrong with the file."""
    where = shown_path(path)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ContentError(f"{where}: no such file", [Fault("file", None, "does not exist", where=where)]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError(f"{where}: cannot be read", [Fault("file", None, str(error), where=where)]) from None
    except (ValueError, RecursionError) as error:
        raise ContentError(f"{where}: not valid TOML", [Fault("file", None, str(error), where=where)]) from None


def validated(model: type[Model], data: dict[str, Any], where: str) -> Model:
    """The data as a model, or a ContentError with all its faults."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ContentError(f"{where}: {error.error_count()} fault(s)", faults_of(error, where, model)) from None


def faults_of(error: ValidationError, where: str, model: type[BaseModel]) -> list[Fault]:
    """Pydantic's complaints in our words."""
    faults = []
    for entry in error.errors(include_url=False):
        field = _field_name(entry["loc"])
        value = None if entry["type"] in {"missing", "extra_forbidden"} else entry["input"]
        faults.append(Fault(field or model.__name__, value, *_in_our_words(entry, model), where=where))
    return faults


def _field_name(location: tuple[int | str, ...]) -> str:
    name = ""
    for part in location:
        if isinstance(part, int):
            name += f"[{part + 1}]"
        elif part != "[key]":
            name += f".{part}" if name else part
    return name


def _in_our_words(entry: Any, model: type[BaseModel]) -> tuple[str, str]:
    """(what is wrong, what would be right)"""
    context = entry.get("ctx", {})
    match entry["type"]:
        case "missing":
            return "is missing", "give it a value"
        case "extra_forbidden":
            import difflib

            last = str(entry["loc"][-1])
            known = _known_fields(model, entry["loc"])
            close = difflib.get_close_matches(last, known, n=1)
            return "is not a known field", close[0] if close else ", ".join(known)
        case "greater_than_equal":
            return "is too small", f"at least {context['ge']}"
        case "less_than_equal":
            return "is too large", f"at most {context['le']}"
        case "string_pattern_mismatch":
            return "is not a name", "lower-case letters, digits and _, beginning with a letter"
        case "literal_error":
            return "is not one of the choices", str(context["expected"])
        case _:
            return str(entry["msg"]).removeprefix("Value error, "), ""


def _known_fields(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The fields of the (nested) model that the location points into, as far as it can be followed."""
    found: Any = model
    for part in location[:-1]:
        if (
            isinstance(part, str)
            and isinstance(found, type)
            and issubclass(found, BaseModel)
            and part in found.model_fields
        ):
            found = found.model_fields[part].annotation
            arguments = [a for a in getattr(found, "__args__", ()) if isinstance(a, type) and issubclass(a, BaseModel)]
            found = arguments[0] if arguments else found
    return list(found.model_fields) if isinstance(found, type) and issubclass(found, BaseModel) else []
