"""Is it a good game? Batches, quality metrics, reports, the matchup matrix, anomalies, the tuner [GDD 14, 18]."""

from cartomancer.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
