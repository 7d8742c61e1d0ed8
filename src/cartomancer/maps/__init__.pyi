from cartomancer.maps.analysis import analyse as analyse
from cartomancer.maps.audit_files import read_audit as read_audit
from cartomancer.maps.auditing import audit as audit
from cartomancer.maps.auditing import compare as compare
from cartomancer.maps.auditing import sides as _sides
from cartomancer.maps.auditing import take_tally as take_tally
from cartomancer.maps.checking import check as check
from cartomancer.maps.draw_svg import draw_png as _draw_png
from cartomancer.maps.draw_svg import draw_svg as _draw_svg
from cartomancer.maps.draw_text import draw_text as _draw_text
from cartomancer.maps.explaining import explain as explain
from cartomancer.maps.export import FORMATS as FORMATS
from cartomancer.maps.families import Family as Family
from cartomancer.maps.families import known as _known
from cartomancer.maps.families import names as _names
from cartomancer.maps.families import of as _of
from cartomancer.maps.families import register as _register
from cartomancer.maps.forecasting import forecast as forecast
from cartomancer.maps.generation import generate as generate
from cartomancer.maps.generation import generate_from as generate_from
from cartomancer.maps.generation import preset_name as preset_name
from cartomancer.maps.generation import ruleset_digest as ruleset_digest
from cartomancer.maps.journey import Journey as Journey
from cartomancer.maps.journey import Way as Way
from cartomancer.maps.journey import read_journey as read_journey
from cartomancer.maps.json_format import from_json as from_json
from cartomancer.maps.json_format import map_schema as _map_schema
from cartomancer.maps.json_format import read_file as read_file
from cartomancer.maps.json_format import read_map as read_map
from cartomancer.maps.json_format import to_dict as to_dict
from cartomancer.maps.json_format import to_json as to_json
from cartomancer.maps.map_telemetry import MapTelemetry as MapTelemetry
from cartomancer.maps.map_telemetry import telemetry as telemetry
from cartomancer.maps.model import Map as Map
from cartomancer.maps.model import Node as Node
from cartomancer.maps.notation import differences as differences
from cartomancer.maps.notation import is_notation as is_notation
from cartomancer.maps.notation import nested as nested
from cartomancer.maps.notation import notation_of as notation_of
from cartomancer.maps.notation import parse_override as parse_override
from cartomancer.maps.notation import read as _read
from cartomancer.maps.public import public_view as public_view
from cartomancer.maps.queries import compile_query as compile_query
from cartomancer.maps.repairing import repair as repair
from cartomancer.maps.report import audit_html as audit_html
from cartomancer.maps.searching import search as search
from cartomancer.maps.searching import search_maps as search_maps
from cartomancer.maps.stakes import Situation as Situation
from cartomancer.maps.unknowns import CANDIDATE_TYPES as _CANDIDATE_TYPES
from cartomancer.maps.unknowns import OUTCOMES as _OUTCOMES
from cartomancer.maps.unknowns import Resolution as Resolution
from cartomancer.maps.unknowns import UnknownResolver as UnknownResolver
from cartomancer.maps.ways import START as START
from cartomancer.maps.ways import available as available
from cartomancer.maps.ways import marked as marked
from cartomancer.maps.ways import select as select

read_notation = _read
audit_sides = _sides
register_family = _register
family = _of
family_names = _names
is_family = _known
to_png = _draw_png
to_svg = _draw_svg
to_text = _draw_text
file_schema = _map_schema
UNKNOWN_OUTCOMES = _OUTCOMES
UNKNOWN_CANDIDATES = _CANDIDATE_TYPES
