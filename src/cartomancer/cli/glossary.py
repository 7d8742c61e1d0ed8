"""The words of the game in a sentence each, and its rules in a few: the numbers are those of the rules in force."""

from __future__ import annotations

from typing import Any, Final

from cartomancer.content.codex import Codex
from cartomancer.errors import UnknownNameError
from cartomancer.tables import table_beside

_DECLARED: Final = table_beside(__file__, "glossary.toml")
WORDS: Final[dict[str, str]] = _DECLARED["words"]
RULES: Final[str] = _DECLARED["rules"]


def meaning(word: str, codex: Codex) -> str:
    """A word of the game in a sentence."""
    wanted = word.lower()
    if wanted not in WORDS:
        raise UnknownNameError("word", word, sorted(WORDS))
    return f"{wanted}: {WORDS[wanted].format_map(_numbers(codex))}"


def rules_in_short(codex: Codex) -> str:
    """The rules in a few lines."""
    return RULES.format_map(_numbers(codex))


def _numbers(codex: Codex) -> dict[str, Any]:
    """What the sentences name."""
    tiers = codex.resolution.tiers
    found = {
        "tiers": ", ".join(f"{tier.id} from {tier.least_margin:+d}" for tier in tiers[:-1]) + f", else {tiers[-1].id}",
        "back": ", ".join(f"{tier.id} {tier.defender_percent} %" for tier in tiers if tier.defender_percent),
        "words": ", ".join(WORDS),
    }
    return {**codex.rules.model_dump(), **found}
