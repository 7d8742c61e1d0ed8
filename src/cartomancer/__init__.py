"""Cartomancer: maps and card encounters of roguelike deckbuilders, and the proof that they are good."""

__version__ = "0.1.0"
