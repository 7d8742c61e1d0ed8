"""Whether it is a good game: batches, quality metrics, reports, the matchup matrix, anomalies, the tuner [GDD 14, 18]."""
