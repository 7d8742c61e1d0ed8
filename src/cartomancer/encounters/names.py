"""The kernel's codes and the names people use for them: the words of the enumerations in `kernel.codes`."""

from __future__ import annotations

from typing import Final

from cartomancer.encounters.kernel.codes import (
    CardType,
    Category,
    Handicap,
    Keyword,
    Modifier,
    Outcome,
    Resource,
    Side,
    TrustTier,
)

SIDES: Final = tuple(side.word for side in Side)
RESOURCES: Final = tuple(tuple(one.word for one in Resource if one.side == side) for side in Side)
CATEGORIES: Final = tuple(category.word for category in Category)
CARD_TYPES: Final = tuple(kind.word for kind in CardType)
KEYWORDS: Final = {keyword.word: int(keyword) for keyword in Keyword}
TRUST_TIERS: Final = tuple(tier.word for tier in TrustTier)
OUTCOMES: Final = tuple(outcome.word for outcome in Outcome)
# the modifiers that content can name: the other two are shares that go with them
MODIFIERS: Final = {
    one.word: int(one) for one in Modifier if one not in {Modifier.EXECUTE_BELOW, Modifier.RESCUE_BELOW}
}


def side_code(name: str) -> int:
    """The code of a side."""
    return SIDES.index(name)


def keyword_names(mask: int) -> list[str]:
    """The keywords in a mask."""
    return [keyword.word for keyword in Keyword if mask & keyword]


def handicap_names(mask: int) -> list[str]:
    """What a Disrupt does, in a mask."""
    return [handicap.word for handicap in Handicap if mask & handicap]
