"""Treasures and caches: one of three items; or a box that may be trapped (C9, C10, [Contracts 3])."""

from __future__ import annotations

from typing import Final

from cartomancer.campaign.expedition.changes import apply_changes, gain_item
from cartomancer.campaign.expedition.nodes.kind import NodeKind, Option, StopKind, percent_of
from cartomancer.campaign.expedition.run import Purpose, Run, Stop

HALF: Final = 50


def enter(run: Run) -> None:
    """Some items, of which one can be taken."""
    run.push("treasure")


def found_here(run: Run, stop: Stop) -> list[str]:
    """The items to choose from."""
    if "items" not in stop.data:
        stop.data["items"] = run.stream(Purpose.TREASURE).sample(
            [*run.codex.catalog.items], run.codex.expedition.treasures
        )
    return list(stop.data["items"])


def _ask(run: Run, stop: Stop) -> str:
    return "There is more than can be carried: one of these."


def _options(run: Run, stop: Stop) -> list[Option]:
    items = run.codex.catalog.items
    return [Option(f"take {name}", items[name].title, items[name].text()) for name in found_here(run, stop)]


def _choose(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    gain_item(run, action.removeprefix("take "), "found")


# --- caches (C9) ------------------------------------------------------------------------------------------------------


def enter_cache(run: Run) -> None:
    """A box by the wayside."""
    run.push("cache")


def trap_percent(run: Run) -> int:
    """How likely it is trapped: that is shown, whether it is is not."""
    rules = run.journey.map.rules
    high = run.rival.heat >= run.codex.expedition.heat_high
    return int(getattr(rules, "cache_trap_percent_high_heat" if high else "cache_trap_percent", 0))


def _ask_cache(run: Run, stop: Stop) -> str:
    return f"A cache. Trapped in {trap_percent(run)} of 100 cases."


def _cache_options(run: Run, stop: Stop) -> list[Option]:
    tuning = run.codex.expedition
    held = f"{tuning.cache_gold} gold and {tuning.cache_supplies} supplies; half of it and a hook if it is trapped"
    return [Option("open", "open it", held), Option("pass", "leave it alone")]


def _open(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    if action == "pass":
        return
    tuning, details, stream = run.codex.expedition, run.node.details, run.stream(Purpose.TRAP)
    hooks = list(run.codex.catalog.hooks.values())
    drawn = hooks[stream.weighted([hook.trap_weight for hook in hooks])].id
    trapped = details["trapped"] if "trapped" in details else stream.chance(trap_percent(run), 100)
    run.earn(percent_of(HALF, tuning.cache_gold) if trapped else tuning.cache_gold, "in the cache")
    if trapped:
        run.worsen(details.get("hook") or drawn, "the cache was trapped", stream.below(len(run.party.members)))
    else:
        run.supply(tuning.cache_supplies, "in the cache")


# --- bundles (C8) -----------------------------------------------------------------------------------------------------


def _ask_bundle(run: Run, stop: Stop) -> str:
    return "The trial is won: one bundle."


def _bundles(run: Run, stop: Stop) -> list[Option]:
    return [Option(f"bundle {name}", one.title, one.text()) for name, one in run.codex.catalog.bundles.items()]


def _take_bundle(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    bundle = run.codex.catalog.bundles[action.removeprefix("bundle ")]
    apply_changes(run, bundle.gains, f"the {bundle.title}")


NODE: Final = NodeKind(
    entered={"treasure": enter, "cache": enter_cache},
    stops={
        "treasure": StopKind(_ask, _options, _choose),
        "cache": StopKind(_ask_cache, _cache_options, _open),
        "bundle": StopKind(_ask_bundle, _bundles, _take_bundle),
    },
)
