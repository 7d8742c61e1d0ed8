from cartomancer.campaign.expedition.expedition import GO as GO
from cartomancer.campaign.expedition.expedition import Expedition as Expedition
from cartomancer.campaign.expedition.expedition import RunDecision as RunDecision
from cartomancer.campaign.expedition.expedition import RunOutcome as RunOutcome
from cartomancer.campaign.expedition.expedition import drawn_for as drawn_for
from cartomancer.campaign.expedition.expedition import members_named as members_named
from cartomancer.campaign.expedition.explorers import EXPLORERS as EXPLORERS
from cartomancer.campaign.expedition.explorers import Promise as Promise
from cartomancer.campaign.expedition.explorers import explore as explore
from cartomancer.campaign.expedition.explorers import explorer as explorer
from cartomancer.campaign.expedition.fights import WON as WON
from cartomancer.campaign.expedition.happenings import Happening as Happening
from cartomancer.campaign.expedition.happenings import tell as tell
from cartomancer.campaign.expedition.nodes import Option as Option
from cartomancer.campaign.expedition.run import Run as Run
from cartomancer.campaign.expedition.saves import load as _load
from cartomancer.campaign.expedition.saves import read as _read
from cartomancer.campaign.expedition.saves import save as _save
from cartomancer.campaign.expedition.saves import write as _write

load_run = _load
read_run = _read
save_run = _save
write_run = _write
