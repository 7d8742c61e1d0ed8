"""Compositions and the matchup matrix: every party against every dungeon [GDD 18.4, 18.5]."""
