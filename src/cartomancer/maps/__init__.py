"""Maps: generate, check, repair, explain, analyse, audit, search, draw, export.

>>> from cartomancer import maps
>>> drawn = maps.generate("voyage", "guide", seed=42)
>>> maps.check(drawn).ok, maps.from_json(maps.to_json(drawn)) == drawn
(True, True)
"""

from cartomancer.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
