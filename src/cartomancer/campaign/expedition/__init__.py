"""One run over one map: who walks, what is met, what it costs."""
