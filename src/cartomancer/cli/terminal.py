"""What is shown and played in a terminal, loaded when it is first used: boards and stories, games, content, decks."""

from cartomancer.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
