"""One run over one map: who walks, what is met, what it costs; loaded when it is first used."""

from cartomancer.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
