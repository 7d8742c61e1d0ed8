"""Fights: combats, elites, traps and bosses; what their ends mean for the run (C1–C3, C8)."""

from __future__ import annotations

from typing import Any, Final

from cartomancer.campaign.expedition.fights import WON, carry_out, fights_of, outcome_of
from cartomancer.campaign.expedition.meetings import Meeting, meeting_at
from cartomancer.campaign.expedition.nodes.kind import NodeKind, Option, StopKind, percent_of
from cartomancer.campaign.expedition.run import Purpose, Run, Stop
from cartomancer.encounters import Packed

SETTLE: Final = "settle"
FIGHT: Final = "fight"
USE: Final = "use "
KINDS: Final = ("combat", "monster", "elite", "trap", "boss")
FORBIDDING: Final = "no_consumables"


def enter(run: Run) -> None:
    """Whoever waits here bars the way; an elite may offer a trial first (C8)."""
    run.push("fight", kind=run.kind)
    if run.kind == "elite" and (trial := trial_at(run)):
        run.push("trial", trial=trial)


def meeting_of(run: Run, stop: Stop) -> Meeting:
    """Who is met in this fight; the same every time one asks."""
    if "meeting" not in stop.data:
        meeting = meeting_at(run, stop.data["kind"], stop.data.get("danger"))
        stop.data["meeting"] = meeting.as_dict()
        stop.data.setdefault("used", [])
        run.note("fight", title=meeting.title)
    return Meeting.from_dict(stop.data["meeting"])


def modifiers_of(run: Run, stop: Stop) -> list[str]:
    """What is in force beside the traits of whoever is met: the trial, the rival's work, blessings, items, hooks."""
    standing = [item for item in run.items if not run.codex.catalog.items[item].consumable]
    trial = [stop.data["trial"]] if stop.data.get("trial") else []
    intrusion = [run.intrusion] if run.intrusion else []
    lasting = [str(name) for name, _ in run.modifiers]
    found = dict.fromkeys([*trial, *intrusion, *lasting, *standing, *stop.data.get("used", [])])
    return [name for name in found if any(effect.code not in BETWEEN for effect in run.codex.modifiers[name].effects)]


BETWEEN: Final = ("injury", "stress", "supplies")  # effects on a party between its fights


def packed_fight(run: Run, stop: Stop) -> Packed:
    """The fight as the party enters it now."""
    return fights_of(run.codex).packed(run, meeting_of(run, stop), modifiers_of(run, stop))


# --- before the fight -------------------------------------------------------------------------------------------------


def _ask(run: Run, stop: Stop) -> str:
    meeting = meeting_of(run, stop)
    return f"{meeting.title} (danger {meeting.danger}) bars the way."


def _options(run: Run, stop: Stop) -> list[Option]:
    meeting_of(run, stop)
    found = [
        Option(FIGHT, "fight, card by card"),
        Option(SETTLE, "let the party fight by its profile, to the end"),
    ]
    forbidden = run.low_supplies or any(
        effect.code == FORBIDDING for name in modifiers_of(run, stop) for effect in run.codex.modifiers[name].effects
    )
    for item in dict.fromkeys(run.items) if not forbidden else ():
        entry = run.codex.catalog.items[item]
        if entry.consumable and item not in stop.data["used"] and not entry.treats:
            found.append(Option(USE + item, f"use {entry.title}", entry.text()))
    return found


def _choose(run: Run, stop: Stop, action: str) -> None:
    if action.startswith(USE):
        item = action.removeprefix(USE)
        run.items.remove(item)
        stop.data["used"].append(item)
        run.note("used", title=run.title("items", item), text=run.codex.catalog.items[item].text())
        return
    packed = packed_fight(run, stop)
    if action == SETTLE:
        finish(run, stop, packed, fights_of(run.codex).fought(run, packed))
    else:
        run.begin_fight(packed)


# --- after it (C3) ----------------------------------------------------------------------------------------------------

ENDINGS: Final = {"kill": "killed", "break": "broken", "panic": "routed", "survive": "escaped", "fled": "escaped"}


def finish(run: Run, stop: Stop, packed: Packed, state: Any) -> None:
    """The party comes out of the fight: what its end means, who fell, what returns."""
    meeting, outcome = meeting_of(run, stop), outcome_of(state)
    run.stops.remove(stop)
    run.intrusion = None
    run.modifiers = [[name, left - 1] for name, left in run.modifiers if left > 1]
    fallen = carry_out(run, packed, state)
    run.note("ended", outcome=outcome, rounds=int(state["rounds"]))
    kind = stop.data["kind"]
    if outcome in {"kill", "break"} or (kind == "boss" and outcome in ENDINGS):
        _end(run, outcome)
        return
    _come_round(run, fallen)
    _pay(run, stop, meeting, outcome)
    for reducer, won in run.party.recover(run.codex, run.codex.expedition.recover_percent).items():
        if won:
            run.note(reducer, points=won, cause="a breath between fights")


def _end(run: Run, outcome: str) -> None:
    """Kill, Break, and whatever a boss is not beaten by, end the run (C3)."""
    tuning = run.codex.expedition
    if outcome == "kill":
        run.earn(-run.gold, "the fallen carry nothing home")
    elif outcome == "break":
        run.earn(percent_of(tuning.broken_percent, run.gold) - run.gold, "left behind by a broken party")
    run.finish(ENDINGS[outcome])


def _come_round(run: Run, fallen: list[int]) -> None:
    """Who fell returns with 1 and a quarter, hurt; whoever has a price on the head costs gold (C2, C5)."""
    for seat in fallen:
        member, tuning = run.party.members[seat], run.codex.expedition
        run.worsen("injury", "knocked out", seat)
        most = run.party.most_vitality(run.codex, seat)
        member.vitality = min(most, 1 + most * tuning.return_percent // 100)
        run.note("returned", who=run.name_of(seat), points=member.vitality)
        if member.bounty:
            run.earn(-10 * member.bounty, "the bounty was collected")
            run.worsen("bounty", "the bounty was collected", seat)


def _pay(run: Run, stop: Stop, meeting: Meeting, outcome: str) -> None:
    """The reward for how it ended, with its reason (C3)."""
    tuning, kind = run.codex.expedition, stop.data["kind"]
    full = tuning.rewards[kind] + tuning.reward_per_danger * meeting.danger
    if outcome == "panic":
        run.worsen("stress", "the party fled in panic")
        run.supply(-1, "dropped in flight")
    elif outcome == "fled":
        run.note("passed", text="The party slips away with what it has.")
    elif outcome == "bond":
        run.earn(percent_of(tuning.bond_percent, full), f"given freely, after a {kind} of danger {meeting.danger}")
        run.heal(tuning.rest_heal_percent, "a night among new friends")
    elif outcome == "survive":
        run.earn(percent_of(tuning.survive_percent, full), f"half of a {kind}'s, for outlasting it")
    else:
        run.earn(full, f"a {kind} of danger {meeting.danger}, won by {outcome}")
    if outcome in WON and kind in {"elite", "boss"}:
        run.push("treasure")
    if outcome in WON and stop.data.get("trial"):
        run.push("bundle")


# --- trials (C8) ------------------------------------------------------------------------------------------------------


def trial_at(run: Run) -> str | None:
    """The trial the elite here offers, if it does: the map's word, else the odds of the tuning."""
    details = run.node.details
    if "trial" in details:
        return details["trial"] or None
    stream = run.stream(Purpose.TRIAL)
    offered = stream.chance(run.codex.expedition.trial_percent, 100)
    return stream.pick([*run.codex.catalog.trials]) if offered else None


def _ask_trial(run: Run, stop: Stop) -> str:
    entry = run.codex.catalog.trials[stop.data["trial"]]
    return f"A trial: {entry.title}. {entry.text()} For this node only; whoever wins picks a bundle."


def _trial_options(run: Run, stop: Stop) -> list[Option]:
    bundles = "; or ".join(bundle.text().rstrip(".") for bundle in run.codex.catalog.bundles.values())
    return [Option("accept", "accept the trial", f"one of: {bundles}"), Option("decline", "decline it")]


def _choose_trial(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    title = run.codex.catalog.trials[stop.data["trial"]].title
    if action == "accept":
        run.stops[-1].data["trial"] = stop.data["trial"]
    run.note("accepted" if action == "accept" else "declined", title=title)


NODE: Final = NodeKind(
    entered=dict.fromkeys(KINDS, enter),
    stops={
        "fight": StopKind(_ask, _options, _choose),
        "trial": StopKind(_ask_trial, _trial_options, _choose_trial),
    },
)
