"""Cartomancer: maps and card encounters of roguelike deckbuilders, and the proof that they are good.

>>> import cartomancer as cm
>>> cm.check(cm.generate_map("voyage", seed=42)).ok
True
>>> fight = cm.play_out(cm.Encounter("boar", seed=42), cm.Player("heuristic"), cm.Player("random"))
>>> fight.outcome.winner in {"dungeon", "visitor", "both"}
True

Everything a toolsmith or a researcher needs is here by an obvious name. Names are loaded when they are first used.
"""

from cartomancer.lazy import lazily

__version__ = "0.1.0"
__getattr__, __dir__ = lazily(__name__, __file__)
