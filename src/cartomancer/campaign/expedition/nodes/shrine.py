"""Shrines, memory shrines and the portal: blessings, fragments, and defying the gods (C10, C11)."""

from __future__ import annotations

from typing import Final

from cartomancer.campaign.expedition.nodes.kind import NodeKind, Option, StopKind
from cartomancer.campaign.expedition.run import Purpose, Run, Stop


def enter(run: Run) -> None:
    """A shrine grants one thing."""
    blessing = run.stream(Purpose.TREASURE).pick(run.codex.expedition.blessings)
    run.push("shrine", blessing=blessing)


def _ask(run: Run, stop: Stop) -> str:
    return "A shrine. It grants one thing."


def _options(run: Run, stop: Stop) -> list[Option]:
    entry, fights = run.codex.catalog.items[stop.data["blessing"]], run.codex.expedition.blessing_fights
    found = [Option("blessing", f"a blessing for the next {fights} fights", entry.text())]
    found.append(Option("upgrade", "an upgrade: train a card"))
    found += [
        Option(f"atone {hook}", f"atonement: {hook.replace('_', ' ')} eases", f"from step {step} to {step - 1}")
        for hook, step in run.hooks().items()
    ]
    return found


def _choose(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    if action == "blessing":
        run.put_in_force(stop.data["blessing"], run.codex.expedition.blessing_fights, "a shrine's blessing")
    elif action == "upgrade":
        run.push("training", left=1, cause="a shrine's gift")
    else:
        run.ease(action.removeprefix("atone "), "atonement at a shrine")


def enter_memory(run: Run) -> None:
    """A fragment of memory is there for the taking; with both, the last guardian is known (C10)."""
    number = int(run.node.details.get("memory_id") or len(run.fragments) + 1)
    if number not in run.fragments:
        run.fragments.append(number)
        run.note("fragment", points=number)


# --- defying the gods (C11) -------------------------------------------------------------------------------------------


def _ask_defy(run: Run, stop: Stop) -> str:
    return "The last guardian has fallen, and with both fragments of memory one sees a portal behind it."


def _defy_options(run: Run, stop: Stop) -> list[Option]:
    return [
        Option("defy", "defy the gods: step through", "one more guardian; all that was won is at stake"),
        Option("home", "go home with what was won"),
    ]


def _defy(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    if action == "home":
        run.finish("victory")
    else:
        run.defied = True


NODE: Final = NodeKind(
    entered={"shrine": enter, "memory_shrine": enter_memory},
    stops={
        "shrine": StopKind(_ask, _options, _choose),
        "defy": StopKind(_ask_defy, _defy_options, _defy),
    },
)
