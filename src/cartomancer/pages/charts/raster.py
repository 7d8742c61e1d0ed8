"""Heat maps of very many cells: one byte a cell, drawn by the page's script on a canvas."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

EMPTY: Final = 255


@dataclass(frozen=True)
class Layer:
    """A number for every cell, NaN where there is none: kept in `step`s, shown with some digits."""

    values: np.ndarray[Any, Any]
    step: float = 1.0
    digits: int = 0
    unit: str = ""
    wide: bool = False  # needs four bytes

    def packed(self) -> dict[str, Any]:
        """As the script reads it."""
        most, kind = (2**32 - 2, "<u4") if self.wide else (EMPTY - 1, "u1")
        steps = np.minimum(np.rint(self.values / self.step), most)
        data = np.nan_to_num(steps, nan=EMPTY).astype(kind).tobytes()
        return {
            "data": base64.b64encode(data).decode(),
            "bytes": 4 if self.wide else 1,
            "step": self.step,
            "digits": self.digits,
            "unit": self.unit,
        }


@dataclass(frozen=True)
class Raster:
    """A cell for every row and column, coloured by the first layer from 0 to 100 around an even 50.

    `lines` say what is told of a cell: names, and words in which {row}, {column} and the names of layers stand for its
    own. A line whose name ends with ":" is code.
    """

    columns: Sequence[str]
    rows: Sequence[str]
    layers: Mapping[str, Layer]
    lines: Sequence[tuple[str, str]]

    @property
    def data(self) -> dict[str, Any]:
        """All the script needs."""
        return {
            "columns": self.columns,
            "rows": self.rows,
            "lines": self.lines,
            "shade": next(iter(self.layers)),
            "layers": {name: layer.packed() for name, layer in self.layers.items()},
        }
