"""Maps of three families: generate, check, repair, explain, analyse, audit, search, draw, export."""

from cartomancer.maps.generation import generate, generate_from
from cartomancer.maps.model import Map, Node

__all__ = ["Map", "Node", "generate", "generate_from"]
