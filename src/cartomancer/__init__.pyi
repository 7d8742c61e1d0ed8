from cartomancer.campaign.expedition.expedition import Expedition as Expedition
from cartomancer.campaign.expedition.explorers import explore as explore
from cartomancer.campaign.expedition.explorers import explorer as explorer
from cartomancer.campaign.expedition.saves import load as _load_run
from cartomancer.campaign.expedition.saves import save as _save_run
from cartomancer.content.check import load_content as load_content
from cartomancer.encounters.encounter import Decision as Decision
from cartomancer.encounters.encounter import Encounter as Encounter
from cartomancer.encounters.encounter import Outcome as Outcome
from cartomancer.encounters.event import Event as Event
from cartomancer.encounters.narration import Narrator as Narrator
from cartomancer.encounters.observation import observe as observe
from cartomancer.encounters.replay import Replay as Replay
from cartomancer.encounters.replay import from_notation as from_notation
from cartomancer.encounters.replay import load_replay as load_replay
from cartomancer.encounters.replay import notation as notation
from cartomancer.encounters.replay import play_replay as play_replay
from cartomancer.encounters.replay import record as record
from cartomancer.errors import CartomancerError as CartomancerError
from cartomancer.errors import IllegalActionError as IllegalActionError
from cartomancer.lab.expeditions import ExpeditionBatch as ExpeditionBatch
from cartomancer.lab.expeditions import simulate_runs as simulate_runs
from cartomancer.lab.matrix.cell_store import Settings as _MatrixSettings
from cartomancer.lab.matrix.matchups import Matrix as Matrix
from cartomancer.lab.matrix.matchups import matrix as matrix
from cartomancer.lab.measures.metrics import Quality as Quality
from cartomancer.lab.measures.metrics import quality as quality
from cartomancer.lab.report.survey import survey as survey
from cartomancer.lab.tuner.request import TunerSettings as TunerSettings
from cartomancer.lab.tuner.tuner import tune as tune
from cartomancer.maps.analysis import analyse as analyse
from cartomancer.maps.auditing import audit as audit
from cartomancer.maps.checking import check as check
from cartomancer.maps.draw_svg import draw_svg as draw_svg
from cartomancer.maps.draw_text import draw_text as draw_text
from cartomancer.maps.generation import generate as _generate
from cartomancer.maps.journey import Journey as Journey
from cartomancer.maps.json_format import read_map as read_map
from cartomancer.maps.model import Map as Map
from cartomancer.maps.model import Node as Node
from cartomancer.maps.repairing import repair as repair
from cartomancer.maps.searching import search_maps as search_maps
from cartomancer.players.duels import duel as duel
from cartomancer.players.duels import ladder as ladder
from cartomancer.players.player import Chooser as Chooser
from cartomancer.players.player import Player as Player
from cartomancer.players.player import play_out as play_out
from cartomancer.players.postmortem import Review as Review
from cartomancer.players.postmortem import review as review
from cartomancer.players.reasons import explain as explain
from cartomancer.players.simulation import Simulation as Simulation
from cartomancer.players.simulation import run_of as run_of
from cartomancer.players.simulation import simulate as simulate

__version__: str
generate_map = _generate
MatrixSettings = _MatrixSettings
load_run = _load_run
save_run = _save_run
