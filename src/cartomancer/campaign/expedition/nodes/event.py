"""Events: a text, choices with visible stakes, an outcome (C10)."""

from __future__ import annotations

from typing import Final

from cartomancer.campaign.expedition.changes import apply_changes
from cartomancer.campaign.expedition.meetings import theme_at
from cartomancer.campaign.expedition.nodes.kind import NodeKind, Option, StopKind
from cartomancer.campaign.expedition.run import Purpose, Run, Stop
from cartomancer.content.models.events import Event, EventChoice, Needs


def enter(run: Run) -> None:
    """Something is met: of the theme, and about the rival where the contract is."""
    run.push("event", event=event_at(run).id)


def event_at(run: Run) -> Event:
    """The event of the node the party stands on."""
    theme, rules = theme_at(run, run.node), run.journey.map.rules
    rival = getattr(rules, "boss_profile", "") == "rival_boss"
    fitting = [
        event
        for event in run.codex.events.values()
        if event.rival == rival and (rival or not event.themes or theme in event.themes)
    ]
    return run.stream(Purpose.EVENT).pick(fitting or [*run.codex.events.values()])


def meets(run: Run, needs: Needs) -> bool:
    """Whether the party has what a choice asks for."""
    roles = {run.codex.classes[member.kind].role for member in run.party.members}
    return (
        run.gold >= needs.gold
        and run.supplies >= needs.supplies
        and (needs.hook is None or needs.hook in run.hooks())
        and (needs.role is None or needs.role in roles)
    )


def _ask(run: Run, stop: Stop) -> str:
    event = run.codex.events[stop.data["event"]]
    return f"{event.title}. {event.summary}"


def _choices(run: Run, stop: Stop) -> list[tuple[int, EventChoice]]:
    event = run.codex.events[stop.data["event"]]
    return [(number, one) for number, one in enumerate(event.choices, 1) if meets(run, one.needs)]


def _options(run: Run, stop: Stop) -> list[Option]:
    return [Option(f"choose {number}", one.label, one.stakes()) for number, one in _choices(run, stop)]


def _choose(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    event = run.codex.events[stop.data["event"]]
    choice = event.choices[int(action.removeprefix("choose ")) - 1]
    outcome = choice.outcomes[run.stream(Purpose.OUTCOME).weighted([one.weight for one in choice.outcomes])]
    run.note("told", text=outcome.text)
    apply_changes(run, outcome.changes, event.title)


NODE: Final = NodeKind(entered={"event": enter}, stops={"event": StopKind(_ask, _options, _choose)})
