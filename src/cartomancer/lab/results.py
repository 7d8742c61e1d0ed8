"""Results and their JSON: objects whose fields are its keys.

>>> from dataclasses import dataclass, field
>>> from cartomancer.intervals import Rate
>>> @dataclass(frozen=True)
... class Found(Result):
...     what: str
...     share: Rate = field(metadata=IN_PLACE)
>>> Found("kill", Rate(0, 0)).as_dict()
{'what': 'kill', 'rate': 0.0, 'low': 0.0, 'high': 1.0}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

IN_PLACE: Final = {"json": "in place"}  # metadata of a field: its own keys stand in its place
HIDDEN: Final = {"json": "hidden"}  # … it has no key

Notice = Callable[[str], None]  # told what a person should know


class Result:
    """What was found: a dataclass that says itself in plain numbers."""

    def as_dict(self) -> dict[str, Any]:
        """In plain numbers."""
        return _keyed(self)


def plain(value: Any) -> Any:
    """A value as JSON knows it: objects by their fields, unless they say it themselves."""
    if hasattr(value, "as_dict"):
        return value.as_dict()
    if is_dataclass(value):
        return _keyed(value)
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _keyed(result: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in fields(result):
        how, value = one.metadata.get("json"), getattr(result, one.name)
        if how != "hidden":
            found |= plain(value) if how == "in place" else {one.name: plain(value)}
    return found
