"""Generated parts about the lab: the columns of a stored run."""

from __future__ import annotations

import re

from cartomancer.lab.columns import COLUMNS
from parts.markdown import code, table

NUMBERED = re.compile(r"(?P<stem>[a-z_]+)_(?P<place>[1-4])")


def run_columns() -> str:
    """Every column of a run; those there is one of for each room in one line."""
    rows, told = [], set()
    for name, what in COLUMNS.items():
        numbered = NUMBERED.fullmatch(name)
        if numbered is None:
            rows.append((code(name), what))
        elif numbered["stem"] not in told:
            told.add(numbered["stem"])
            last = [other for other in COLUMNS if re.fullmatch(f"{numbered['stem']}_[1-4]", other)][-1]
            rows.append((f"{code(name)} … {code(last)}", what.replace(f"{numbered['place']}. room", "k-th room")))
    return table(("column", "what"), rows)
