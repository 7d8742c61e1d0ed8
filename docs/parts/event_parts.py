"""Generated parts of the page about events."""

from __future__ import annotations

from typing import Final

from cartomancer.content.codex import load_codex
from cartomancer.content.models.changes import CHANGES, ChangeRule
from parts.markdown import code, table

SHOWN: Final = {
    "n": "N",
    "p": "s",
    "ies": "ies",
    "who": "WHO",
    "hook": "HOOK",
    "item": "ITEM",
    "modifier": "MODIFIER",
    "fights": "the next FIGHTS fights",
}


def changes() -> str:
    """Every kind of change: how it is told, and what it reads besides its amount."""
    rows = [
        (code(kind), _told(rule.phrase), _told(rule.loss) or "never", _reads(rule)) for kind, rule in CHANGES.items()
    ]
    return table(("kind", "told as", "below 0", "reads"), rows)


def _told(phrase: str) -> str:
    return phrase.format(**SHOWN)


def _reads(rule: ChangeRule) -> str:
    """The fields a kind of change reads: those it needs, those it may have, whom it meets."""
    who = ["`who`"] if "{who}" in rule.phrase else []
    return ", ".join([*map(code, rule.needs), *(f"{code(field)} if given" for field in rule.may), *who]) or "—"


def events() -> str:
    """The shipped events by where they are met."""
    codex = load_codex()
    plain = [event for event in codex.events.values() if not event.rival]
    groups = {theme.title: [event for event in plain if name in event.themes] for name, theme in codex.themes.items()}
    groups["every theme"] = [event for event in plain if not event.themes]
    groups["Rival contracts"] = [event for event in codex.events.values() if event.rival]
    rows = [(place, len(found), " · ".join(event.title for event in found)) for place, found in groups.items()]
    return table(("met in", "events", "which"), rows)
