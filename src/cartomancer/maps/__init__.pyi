from cartomancer.maps.analysis import analyse as analyse
from cartomancer.maps.auditing import audit as audit
from cartomancer.maps.auditing import compare as compare
from cartomancer.maps.checking import check as check
from cartomancer.maps.explaining import explain as explain
from cartomancer.maps.families import Family as Family
from cartomancer.maps.families import register as _register
from cartomancer.maps.generation import generate as generate
from cartomancer.maps.generation import generate_from as generate_from
from cartomancer.maps.journey import START as START
from cartomancer.maps.journey import Journey as Journey
from cartomancer.maps.journey import available as available
from cartomancer.maps.journey import select as select
from cartomancer.maps.json_format import from_json as from_json
from cartomancer.maps.json_format import read_file as read_file
from cartomancer.maps.json_format import to_dict as to_dict
from cartomancer.maps.json_format import to_json as to_json
from cartomancer.maps.model import Map as Map
from cartomancer.maps.model import Node as Node
from cartomancer.maps.notation import read as _read
from cartomancer.maps.notation import read_map as read_map
from cartomancer.maps.repairing import repair as repair
from cartomancer.maps.searching import search as search
from cartomancer.maps.searching import search_maps as search_maps
from cartomancer.maps.stakes import Situation as Situation
from cartomancer.maps.unknowns import UnknownResolver as UnknownResolver
from cartomancer.maps.unknowns import forecast as forecast

read_notation = _read
register_family = _register
