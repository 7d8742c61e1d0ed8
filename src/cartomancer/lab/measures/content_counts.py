"""What the content shows as a whole, over all its scenarios: its cards, and the characters of its profiles. `lab
fidelity` gathers it for sets that are about them."""

from __future__ import annotations

from typing import Final

from cartomancer.lab.measures.measure import COUNT, Family

UNPLAYED, ALWAYS_PLAYED, HOMELESS = "cards.unplayed", "cards.always_played", "cards.homeless"
CARD_COUNTS: Final = (UNPLAYED, ALWAYS_PLAYED, HOMELESS)


def differ_name(one: str, other: str) -> str:
    """The measure of a pair of profiles."""
    return f"differ.{one}.{other}"


FAMILIES: Final = (
    Family(
        ", ".join(CARD_COUNTS),
        "cards that are played in less than 3 % of the runs of every scenario they are in; that are played in more "
        "than 95 % of the turns in which they could be, Energy aside; that are in no scenario; a lair is one",
        lambda context: [],
        "all cards",
        unit=COUNT,
        names=CARD_COUNTS,
    ),
    Family(
        "differ.PROFILE.PROFILE",
        "unforced decisions in which two profiles of a side would choose differently, in the scenario where they "
        "differ most; of one that betrays and the one it courts like, those from the trust on from which Offers bind",
        lambda context: [],
        "all profiles",
        head="differ",
    ),
)
