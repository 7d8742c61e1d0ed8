"""Who decides: heuristic profiles, the turn sequencer, Monte Carlo, chance."""
