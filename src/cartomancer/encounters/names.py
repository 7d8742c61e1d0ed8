"""The kernel's codes and the names people use for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from cartomancer.content.models import vocabulary
from cartomancer.content.models.vocabulary import TYPES
from cartomancer.encounters.kernel import codes

# Content names these in the order of their codes: adding one means adding it last, and its code.
SIDES: Final[tuple[str, ...]] = get_args(vocabulary.SideName)
RESOURCES: Final = tuple(vocabulary.RESOURCES[side] for side in SIDES)
CATEGORIES: Final[tuple[str, ...]] = get_args(vocabulary.Category)
CARD_TYPES: Final = TYPES
KEYWORDS: Final[dict[str, int]] = {name: int(getattr(codes, name.upper())) for name in get_args(vocabulary.Keyword)}
ENERGY_KINDS: Final = ("standard", "surge", "attune", "siphon")
COST_TYPES: Final[tuple[str, ...]] = get_args(vocabulary.CostType)
OCCASIONS: Final[tuple[str, ...]] = get_args(vocabulary.Occasion)
CONDITIONS: Final[tuple[str, ...]] = ("always", *get_args(vocabulary.ConditionName))
OUTCOMES: Final = ("undecided", "kill", "break", "panic", "bond", "overcome", "inert", "dominate", "survive")
TIER_NAMES: Final = ("strangers", "familiar", "entrusted", "covenant")

DECISIONS: Final = ("over", "mulligan", "turn", "resource", "member", "react", "offer", "covenant", "test")
VERBS: Final = (
    *("end", "play", "activate", "restrain", "retreat", "keep", "mulligan", "hit", "hit"),
    *("react", "take", "accept", "refuse", "cooperate", "defect"),
)

# a modifier's code by the name of its effect
MODIFIERS: Final[dict[str, int]] = {
    name.removeprefix("MOD_").lower(): int(getattr(codes, name))
    for name in dir(codes)
    if name.startswith("MOD_") and name not in {"MOD_EXECUTE_BELOW", "MOD_RESCUE_BELOW", "MOD_KEYWORDS"}
} | {"grant_keyword": int(codes.MOD_KEYWORDS)}


def side_code(name: str) -> int:
    """The code of a side."""
    return SIDES.index(name)


def resource_code(name: str) -> int:
    """A resource's place among its side's reducers; a Strike's choice and the weakest reducer have codes too."""
    if name == "chosen":
        return int(codes.CHOSEN)
    if name == "weakest":
        return int(codes.WEAKEST)
    return next(row.index(name) for row in RESOURCES if name in row)


def keyword_mask(names: Iterable[str]) -> int:
    """Keywords as bits."""
    return sum(KEYWORDS[name] for name in set(names))


def keyword_names(mask: int) -> list[str]:
    """The keywords in a mask."""
    return [name for name, bit in KEYWORDS.items() if mask & bit]
