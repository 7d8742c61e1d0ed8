"""The reference of the Python face: every name `cartomancer` offers, with its signature and what it says of itself."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any, Final, Protocol

import cartomancer
from cartomancer.lazy import offered

WIDTH: Final = 100
STUB: Final = Path(cartomancer.__file__).with_suffix(".pyi")
GROUPS: Final = {
    "maps": "Maps",
    "encounters": "Encounters",
    "players": "Players",
    "campaign": "Expeditions",
    "lab": "The lab",
    "content": "Content",
    "errors": "Errors",
}


def api_page(head: str) -> str:
    """The page."""
    parts = [
        head,
        "# The Python face",
        "`import cartomancer as cm` offers what follows; nothing is loaded before it is used. What a name does is said "
        "by the function or class itself. The scripts in [examples](../examples) show most of it at work.",
    ]
    for package, title in GROUPS.items():
        names = [name for name, (module, _) in sorted(offered(STUB).items()) if module.split(".")[1] == package]
        parts += [f"## {title}", *(_entry(name) for name in names)] if names else []
    return "\n\n".join(parts) + "\n"


def _entry(name: str) -> str:
    """A function with its signature, a class with what it offers."""
    found = getattr(cartomancer, name)
    told = [f"### {name}", _signature(name, found), _prose(found)]
    if inspect.isclass(found) and not issubclass(found, BaseException):
        told.append("\n".join(filter(None, (_member(one, member) for one, member in vars(found).items()))))
    return "\n\n".join(part for part in told if part)


class _Bare(str):
    """An annotation as it is written, without quotes around it."""

    def __repr__(self) -> str:
        return str(self)


def _signature(name: str, found: Any) -> str:
    """How it is called; a long one with a line for each parameter."""
    if inspect.isclass(found) and issubclass(found, BaseException | Protocol):
        return ""
    signature = inspect.signature(found)
    parameters = [
        one.replace(annotation=_Bare(one.annotation), default=_default(one.default))
        for one in signature.parameters.values()
    ]
    returned = "" if inspect.isclass(found) else f" -> {signature.return_annotation}"
    shown = f"cm.{name}({', '.join(map(str, parameters))}){returned}"
    if len(shown) > WIDTH:
        lines = ",\n    ".join(map(str, parameters))
        shown = f"cm.{name}(\n    {lines},\n){returned}"
    return f"```text\n{shown}\n```"


def _default(value: Any) -> Any:
    """A default as people write it; what is made anew each time, or is a function, is only hinted at."""
    hidden = repr(value) == "<factory>" or (callable(value) and value is not inspect.Parameter.empty)
    return _Bare("…") if hidden else value


def _prose(found: Any) -> str:
    """A docstring without its examples, which run where they stand."""
    text = inspect.getdoc(found) or ""
    return re.split(r"\n\s*>>> |^>>> ", text)[0].strip()


def _member(name: str, member: Any) -> str:
    """A public method or property in one line."""
    function = (
        member.fget if isinstance(member, property) else getattr(member, "func", getattr(member, "__func__", member))
    )
    if name.startswith("_") or not callable(function) or not inspect.getdoc(function):
        return ""
    call = "" if isinstance(member, property) or hasattr(member, "func") else "()"
    return f"- `{name}{call}`: {_prose(function).splitlines()[0]}"
