"""Maps: generate, check, repair, explain, analyse, audit, search, draw, export.

>>> from cartomancer import maps
>>> drawn = maps.generate("voyage", "guide", seed=42)
>>> maps.check(drawn).ok, maps.from_json(maps.to_json(drawn)) == drawn
(True, True)
"""

from cartomancer.maps.analysis import analyse
from cartomancer.maps.auditing import audit, compare
from cartomancer.maps.checking import check
from cartomancer.maps.explaining import explain
from cartomancer.maps.families import Family
from cartomancer.maps.families import register as register_family
from cartomancer.maps.generation import generate, generate_from
from cartomancer.maps.journey import START, Journey, available, select
from cartomancer.maps.json_format import from_json, read_file, to_dict, to_json
from cartomancer.maps.model import Map, Node
from cartomancer.maps.notation import read as read_notation
from cartomancer.maps.repairing import repair
from cartomancer.maps.searching import search
from cartomancer.maps.stakes import Situation
from cartomancer.maps.unknowns import UnknownResolver, forecast

__all__ = [
    "START",
    "Family",
    "Journey",
    "Map",
    "Node",
    "Situation",
    "UnknownResolver",
    "analyse",
    "audit",
    "available",
    "check",
    "compare",
    "explain",
    "forecast",
    "from_json",
    "generate",
    "generate_from",
    "read_file",
    "read_notation",
    "register_family",
    "repair",
    "search",
    "select",
    "to_dict",
    "to_json",
]
