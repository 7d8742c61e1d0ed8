"""The rival strikes where the lanes meet: rolled on entry from its state, its heat and the party's hooks (C6)."""

from __future__ import annotations

from typing import Final

from cartomancer.campaign.expedition.nodes.kind import NodeKind
from cartomancer.campaign.expedition.run import Purpose, Run
from cartomancer.content.models.stakes import Intrusion


def enter(run: Run) -> None:
    """One intrusion: what it leaves, it leaves at once; what it changes, it changes in the next fight."""
    found = intrusion_at(run)
    run.note("rival", title=found.title, text=found.text())
    seat = run.targeted = run.stream(Purpose.INTRUSION).below(len(run.party.members))
    for effect in found.effects:
        if effect.code == "supplies":
            run.supply(effect.value, f"{found.title}")
        elif effect.code == "stress":
            run.worsen("stress", found.title)
    if found.leaves and found.leaves != "stress":
        run.worsen(found.leaves, found.title, seat)
    if found.affects_next_node:
        run.intrusion = found.id


def intrusion_at(run: Run) -> Intrusion:
    """Which of them: weights by the rival's state, more for the hooks the party carries now."""
    hooks, state = run.hooks(), run.rival.state
    known = list(run.codex.catalog.intrusions.values())
    weights = [
        one.weights.get(state, 0) + sum(more for hook, more in one.hook_bonus.items() if hook in hooks) for one in known
    ]
    stream = run.stream(Purpose.INTRUSION)
    stream.below(2)
    return known[stream.weighted(weights)]


NODE: Final = NodeKind(entered={"rival_intrusion": enter})
