"""The five quality metrics of a batch, their healthy ranges and what they mean together [GDD 18.2, 18.3]."""
