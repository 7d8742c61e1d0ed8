"""Rests and ports: heal, treat a hook, or train; ports trade as well (C4)."""

from __future__ import annotations

from typing import Final

from cartomancer.campaign.expedition.nodes.kind import NodeKind, Option, StopKind
from cartomancer.campaign.expedition.nodes.shop import enter as open_shop
from cartomancer.campaign.expedition.run import Run, Stop

HEAL: Final = "heal"
TRAIN: Final = "train"
TREAT: Final = "treat "


def enter(run: Run) -> None:
    """A night's rest."""
    run.push("rest")


def enter_port(run: Run) -> None:
    """A rest that also trades."""
    open_shop(run)
    run.push("rest")


def heals(run: Run) -> int:
    """The share of its maximum a member heals here: half of it without supplies, or low on them (C4, C5)."""
    percent = run.codex.expedition.rest_heal_percent
    return percent if run.supplies and not run.low_supplies else percent // 2


def _ask(run: Run, stop: Stop) -> str:
    return "A quiet place. One thing can be done before the night is over; the deck is shuffled anew."


def _options(run: Run, stop: Stop) -> list[Option]:
    eaten = "eats 1 of the supplies" if run.supplies else "there is nothing to eat: half as much"
    found = [Option(HEAL, f"rest: everybody regains {heals(run)} % of their vitality", eaten)]
    found += [
        Option(TREAT + hook, f"treat {hook.replace('_', ' ')}", f"from step {step} to {step - 1}")
        for hook, step in run.hooks().items()
    ]
    if not run.party.stress:
        found.append(Option(TRAIN, "train: upgrade a card", "not under stress"))
    return found


def _choose(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    if action == HEAL:
        percent, eats = heals(run), min(1, run.supplies)
        run.heal(percent, "a night's rest")
        if eats:
            run.supply(-eats, "eaten at the fire")
    elif action == TRAIN:
        run.push("training", left=1, cause="practice at the fire")
    else:
        run.ease(action.removeprefix(TREAT), "care at the fire")
    run.party.lay_out()
    run.note("rested")


NODE: Final = NodeKind(entered={"rest": enter, "port": enter_port}, stops={"rest": StopKind(_ask, _options, _choose)})
