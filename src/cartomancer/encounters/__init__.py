"""The card game: encounters between a dungeon and its visitor, played decision by decision.

`kernel` holds the rules on flat state; everything here is the readable face above it. Start with `Encounter`.
"""

from cartomancer.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
