"""Whether the game plays as its documents say: sets of targets, measured and judged row by row."""
