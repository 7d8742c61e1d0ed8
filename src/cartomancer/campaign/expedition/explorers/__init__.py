"""Computer explorers: who plays a whole run. They see what a party sees.

>>> from cartomancer.campaign.expedition.expedition import Expedition
>>> run = explore(Expedition("contract:short:7", "standard_company"), explorer("balanced"))
>>> run.outcome is not None
True
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from cartomancer.campaign.expedition.expedition import GO, Expedition
from cartomancer.campaign.expedition.explorers import answers
from cartomancer.campaign.expedition.explorers.routes import promises
from cartomancer.campaign.expedition.explorers.valuation import BALANCED, CAREFUL, GREEDY, Standing, Temper
from cartomancer.campaign.expedition.nodes import Option
from cartomancer.campaign.expedition.nodes.fight import FIGHT
from cartomancer.codes import STREAM_EXPLORER
from cartomancer.errors import CartomancerError, UnknownNameError
from cartomancer.maps import Journey
from cartomancer.maps.public import HIDDEN_DETAILS
from cartomancer.rng import Stream


@dataclass(frozen=True)
class Promise:
    """An option, and what it promised in gold."""

    option: Option
    value: float


class Explorer(Protocol):
    """Who chooses for a party."""

    def weigh(self, expedition: Expedition) -> list[Promise]:
        """What each option promises, best first; the first is taken."""


@dataclass(frozen=True)
class Weighing:
    """An explorer that takes what promises most: routes by dynamic programming, everything else by its worth now."""

    temper: Temper

    def weigh(self, expedition: Expedition) -> list[Promise]:
        """What each option promises, best first."""
        run, options = expedition.run, playable(expedition)
        if len(options) == 1:
            return [Promise(options[0], 0.0)]
        at = Standing(run)
        if run.stops:
            found = answers.worths(at, run.stops[-1], options, self.temper)
        else:
            ahead = promises(at, self.temper)
            worths = [ahead[int(one.action.removeprefix(GO))] if one.action.startswith(GO) else 1e6 for one in options]
            found = worths  # a remedy for a hook is used before the way goes on
        ranked = sorted(range(len(options)), key=lambda k: (-found[k], k))
        return [Promise(options[k], found[k]) for k in ranked]


@dataclass(frozen=True)
class Wandering:
    """An explorer that chooses at random."""

    def weigh(self, expedition: Expedition) -> list[Promise]:
        """The options in random order."""
        run, options = expedition.run, playable(expedition)
        stream = Stream(run.journey.ways[0].map.seed, STREAM_EXPLORER, len(expedition.actions))
        return [Promise(option, 0.0) for option in stream.sample(options, len(options))]


@dataclass(frozen=True)
class Planner:
    """An explorer that plays the rest of the run from each option several times, with fast fights."""

    rollouts: int = 8
    beyond: Explorer = Weighing(BALANCED)

    def weigh(self, expedition: Expedition) -> list[Promise]:
        """The mean worth of the runs after each option."""
        options = playable(expedition)
        if len(options) == 1:
            return [Promise(options[0], 0.0)]
        found = []
        for option in options:
            total = 0.0
            for number in range(self.rollouts):
                twin = imagined(expedition, number)
                twin.apply(option.action)
                total += worth(explore(twin, self.beyond))
            found.append(Promise(option, total / self.rollouts))
        return sorted(found, key=lambda one: -one.value)


def imagined(expedition: Expedition, number: int) -> Expedition:
    """The run as it might go on: whatever the party does not know is rolled anew, from what it does know (M14)."""
    run, seed = expedition.run, Stream(number, STREAM_EXPLORER, len(expedition.actions)).below(1 << 30)
    own = ("party", "items", "gear", "tokens", "modifiers", "fragments", "rival", "stops")
    parts = {name: copy.deepcopy(getattr(run, name)) for name in own}
    twin = replace(run, **parts, happened=[], journey=_dreamt(run.journey, seed))
    return Expedition.resumed(twin, expedition.acts, expedition.actions)


def _dreamt(journey: Journey, seed: int) -> Journey:
    """The journey over the same public maps, with another seed behind them."""
    nodes = tuple(
        replace(node, details={name: held for name, held in node.details.items() if name not in HIDDEN_DETAILS})
        for node in journey.map.nodes
    )
    return replace(
        journey,
        map=replace(journey.map, seed=seed, nodes=nodes),
        earlier=tuple(replace(way, map=replace(way.map, seed=seed)) for way in journey.earlier),
        unknowns={**journey.unknowns, "seed": seed} if journey.unknowns else None,
    )


def worth(expedition: Expedition) -> float:
    """What a run that is over was worth, from 0 to 1: how far it came, whether it won, a little for its gold."""
    outcome = expedition.outcome
    assert outcome is not None
    won = outcome.ending == "victory"
    rows = expedition.run.journey.map.rows
    return 0.9 * (1.0 if won else 0.5 * outcome.row / rows) + 0.1 * min(1.0, outcome.gold / 300)


def playable(expedition: Expedition) -> list[Option]:
    """The options without the one to fight card by card: explorers let the party fight by its profile."""
    return [option for option in expedition.legal() if option.action != FIGHT or expedition.fight is not None]


EXPLORERS: Final[dict[str, Callable[[], Explorer]]] = {
    "careful": lambda: Weighing(CAREFUL),
    "balanced": lambda: Weighing(BALANCED),
    "greedy": lambda: Weighing(GREEDY),
    "random": Wandering,
}
PLANNER: Final = "planner"


def explorer(text: str = "balanced") -> Explorer:
    """An explorer as written: careful, balanced, greedy, random, planner@8."""
    name, _, rollouts = text.partition("@")
    if name == PLANNER:
        if rollouts and (not rollouts.isdigit() or not 1 <= int(rollouts) <= 1_000):
            raise CartomancerError(f"'{text}': a planner has 1 to 1000 rollouts: planner@8")
        return Planner(int(rollouts or 8))
    if name not in EXPLORERS or rollouts:
        raise UnknownNameError("explorer", text, [*EXPLORERS, f"{PLANNER}@8"])
    return EXPLORERS[name]()


def explore(expedition: Expedition, who: Explorer) -> Expedition:
    """Let an explorer finish a run."""
    while expedition.decision is not None:
        if expedition.fight is not None:
            raise CartomancerError(
                "a fight is being fought card by card: finish it, or let it be settled before it begins"
            )
        expedition.apply(who.weigh(expedition)[0].option.action)
    return expedition


__all__ = ["EXPLORERS", "Explorer", "Planner", "Promise", "Wandering", "Weighing", "explore", "explorer"]
