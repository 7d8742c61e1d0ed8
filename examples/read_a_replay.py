"""Record a run, write it to a file, read it again, and look for what took the last point.

python examples/read_a_replay.py
"""

import tempfile
from pathlib import Path

import cartomancer as cm

fight = cm.play_out(cm.Encounter("boar", seed=3), cm.Player("heuristic"))
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "boar.replay.json")
    path.write_text(cm.record(fight).to_json())
    replay = cm.load_replay(path)

again = cm.Encounter(replay.scenario, replay.seed)
events = list(again.opening)
for action in replay.actions:
    events += again.apply(action)
hurts = [event for event in events if event.kind == "hurt" and event.points and event.side == "visitor"]
print(fight.outcome.kind, "after", fight.outcome.rounds, "rounds,", len(events), "events")
print("the last point was taken by", hurts[-1].cause, hurts[-1].source)
