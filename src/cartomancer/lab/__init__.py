"""Is it a good game? Batches, quality metrics, reports, the matchup matrix, anomalies, the tuner [GDD 14, 18]."""
