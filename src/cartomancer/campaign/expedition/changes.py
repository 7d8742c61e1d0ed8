"""What a reward, an event or a mishap does to a party: one rule for each kind of change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from cartomancer.campaign.expedition.run import Purpose, Run
from cartomancer.content.models.changes import Change
from cartomancer.rng import Stream

TOKENS: Final = ("reroll", "rare_mod", "link_token", "shop_discount_token")


def apply_changes(run: Run, changes: Iterable[Change], cause: str) -> None:
    """Each change in turn; what is left to chance has a stream of its own at this node."""
    stream = run.stream(Purpose.CHANGE)
    for change in changes:
        if change.chance_percent == 100 or stream.chance(change.chance_percent, 100):
            apply_change(run, change, cause, stream)


def apply_change(run: Run, change: Change, cause: str, stream: Stream) -> None:
    """One change."""
    if change.kind in TOKENS:
        run.tokens[change.kind] = run.tokens.get(change.kind, 0) + change.amount
        run.note("token", points=change.amount, token=change.kind.replace("_", " "), cause=cause)
    else:
        RULES[change.kind](run, change, cause, stream)


def seats_meant(run: Run, change: Change, stream: Stream) -> list[int]:
    """Whom of the party a change meets."""
    share = run.party.shares(run.codex)
    match change.who:
        case "random":
            return [stream.below(len(share))]
        case "weakest":
            return [share.index(min(share))]
        case "strongest":
            return [share.index(max(share))]
    return list(range(len(share)))


def _hurt(run: Run, change: Change, cause: str, stream: Stream) -> None:
    run.hurt(change.amount, seats_meant(run, change, stream), cause)


def _heal(run: Run, change: Change, cause: str, stream: Stream) -> None:
    run.heal(change.amount, cause, seats_meant(run, change, stream))


def _reducer(run: Run, change: Change, cause: str, stream: Stream) -> None:
    now, most = getattr(run.party, change.kind), run.party.most(run.codex, change.kind)
    after = max(1, min(most, now + change.amount))
    setattr(run.party, change.kind, after)
    if after != now:
        run.note(change.kind, points=after - now, cause=cause)


def _hook(run: Run, change: Change, cause: str, stream: Stream) -> None:
    assert change.hook is not None
    seat = None if change.who == "all" else seats_meant(run, change, stream)[0]
    run.worsen(change.hook, cause, seat, change.amount)


def _treat(run: Run, change: Change, cause: str, stream: Stream) -> None:
    run.ease(change.hook or "injury", cause, change.amount)


def _item(run: Run, change: Change, cause: str, stream: Stream) -> None:
    for _ in range(change.amount):
        gain_item(run, change.item or stream.pick(list(run.codex.catalog.items)), cause)


def gain_item(run: Run, name: str, cause: str) -> None:
    """An item joins the packs."""
    run.items.append(name)
    run.note("item", title=run.title("items", name), cause=cause)


def _modifier(run: Run, change: Change, cause: str, stream: Stream) -> None:
    assert change.modifier is not None
    run.put_in_force(change.modifier, change.fights, cause)


def _heat(run: Run, change: Change, cause: str, stream: Stream) -> None:
    before = run.rival.heat
    run.rival.heat = max(0, min(10, before + change.amount))
    if run.rival.heat != before:
        run.note("heat", points=run.rival.heat - before, cause=cause)


RULES: Final[dict[str, Callable[[Run, Change, str, Stream], None]]] = {
    "gold": lambda run, change, cause, stream: run.earn(change.amount, cause),
    "supplies": lambda run, change, cause, stream: run.supply(change.amount, cause),
    "heal_percent": _heal,
    "hurt": _hurt,
    "resolve": _reducer,
    "nerve": _reducer,
    "hook": _hook,
    "treat": _treat,
    "injury": _treat,
    "item": _item,
    "modifier": _modifier,
    "heat": _heat,
    "card_upgrade": lambda run, change, cause, stream: run.push("training", left=change.amount, cause=cause),
    "fight": lambda run, change, cause, stream: run.push("fight", danger=change.amount, kind="monster"),
}
