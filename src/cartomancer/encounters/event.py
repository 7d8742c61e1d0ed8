"""One thing that happened, in names and plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

HIDDEN: Final = "hidden"  # what a field reads that the viewer may not see
PUBLIC: Final = "public"  # the viewer who sees what both sides may see


@dataclass(frozen=True)
class Event:
    """One thing that happened: its kind, whose side it concerns, and named fields that read as attributes.

    >>> Event("hurt", "visitor", {"reducer": "nerve", "points": 2}).points
    2
    """

    kind: str
    side: str
    fields: Mapping[str, Any]
    secret: str = ""  # the side that alone knows the card it names, while the other has not seen it

    def __getattr__(self, name: str) -> Any:
        fields: Mapping[str, Any] = self.__dict__.get("fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"{self.__dict__.get('kind', 'an event')} has no field '{name}'")

    def having(self, **fields: Any) -> Event:
        """The same with other values in some fields."""
        return replace(self, fields={**self.fields, **fields})

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"kind": self.kind, "side": self.side, **self.fields}
