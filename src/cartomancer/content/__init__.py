"""Content: TOML files, validated into frozen models, with every fault reported at once."""

from cartomancer.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
