"""Who decides in a fight: computer players, many runs between them, why they choose, who is stronger.

>>> from cartomancer.players import Player, duel
>>> duel("boar", Player("heuristic"), Player("random"), pairs=10).share > 0.5
True

One's own player is any object with `choose(encounter)`. Names are loaded when they are first used.
"""

from cartomancer.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
