"""What is at stake at the nodes of a contract map, for people: in drawings and tooltips, and counted in audits.

>>> from cartomancer import maps
>>> boss = maps.generate("contract", "standard", seed=7).boss
>>> stake_words(stakes_at(boss))
['traits (Hexer, Armoured)']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from cartomancer.content.catalog import load_catalog
from cartomancer.maps.model import Node


@dataclass(frozen=True, slots=True)
class Stake:
    """One thing at stake: an entry of the catalog, or nothing where the roll gave none."""

    kind: str
    outcome: str | None
    title: str


def stakes_at(node: Node) -> list[Stake]:
    """The stakes that a node tells; the public half of a map does not tell all of them (M14)."""
    told: Mapping[str, Any] = node.details
    found = [*_listed("traits", "traits", told.get("traits") if node.type == "boss" else None)]
    if "trapped" in told:
        found += _one("trap", "hooks", told.get("hook") if told["trapped"] is True else None)
    if "trial" in told:
        found += _one("trial", "trials", told["trial"])
    stock = told.get("stock")
    slots = stock if isinstance(stock, list) else []
    found += _listed("stock", "items", [slot.get("item") for slot in slots if isinstance(slot, Mapping)])
    if "intrusion" in told:
        found += _one("intrusion", "intrusions", told["intrusion"])
    return found


def _listed(kind: str, entries: str, names: Any) -> Iterator[Stake]:
    known = getattr(load_catalog(), entries)
    for name in map(str, names if isinstance(names, list | tuple) else ()):  # a file may say anything
        yield Stake(kind, name, known[name].title if name in known else name.replace("_", " ").title())


def _one(kind: str, entries: str, name: Any) -> list[Stake]:
    return [Stake(kind, None, f"no {kind}")] if name is None else [*_listed(kind, entries, [name])]


def stake_words(stakes: Iterable[Stake]) -> list[str]:
    """The stakes of a node in words, those of a kind together."""
    return [_told(kind, list(group)) for kind, group in groupby(stakes, key=lambda stake: stake.kind)]


def _told(kind: str, stakes: Sequence[Stake]) -> str:
    if stakes[0].outcome is None:
        return stakes[0].title
    return f"{kind} ({', '.join(stake.title for stake in stakes)})"


def stake_lines(stakes: Sequence[Stake]) -> list[str]:
    """The stakes of a node in short lines, for a caption beside an icon that says what most of them are."""
    return [_told(stake.kind, [stake]) if stake.kind in ("trap", "trial") else stake.title for stake in stakes]
