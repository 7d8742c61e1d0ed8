"""What is broken, and what a change of content moved: anomalies, baselines, regression [GDD 18.6]."""
