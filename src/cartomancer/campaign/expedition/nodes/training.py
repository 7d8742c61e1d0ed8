"""Training: some cards to choose from, one of them gets better; a reroll shows others (C4)."""

from __future__ import annotations

from typing import Final

from cartomancer.campaign.expedition.nodes.kind import NodeKind, Option, StopKind
from cartomancer.campaign.expedition.run import Purpose, Run, Stop
from cartomancer.content.rules_text import card_text
from cartomancer.content.training import TRAINED, can_be_trained

REROLL: Final = "reroll"
SKIP: Final = "skip"


def shown(run: Run, stop: Stop) -> list[tuple[int, int]]:
    """The cards to choose from, as seat and place: some of those that can still be trained."""
    fitting = [
        (seat, place)
        for seat, member in enumerate(run.party.members)
        for place, card in enumerate(member.cards)
        if can_be_trained(run.codex.card(card)) and card not in member.cards[:place]
    ]
    trained = sum(card.endswith(TRAINED) for member in run.party.members for card in member.cards)
    stream = run.stream(Purpose.TRAINING)
    for _ in range(trained + stop.data.get("rerolled", 0)):
        stream.below(2)
    return stream.sample(fitting, run.codex.expedition.training_choices)


def _ask(run: Run, stop: Stop) -> str:
    return f"A card can be trained: {stop.data['cause']}."


def _options(run: Run, stop: Stop) -> list[Option]:
    found = []
    for seat, place in shown(run, stop):
        card = run.codex.card(run.party.members[seat].cards[place])
        better = run.codex.card(card.id + TRAINED)
        cost, now = getattr(better, "cost", None), getattr(card, "cost", None)
        cheaper = f" Costs {cost} instead of {now}." if cost != now else ""
        label = f"{run.name_of(seat)}: {card.title}"
        found.append(Option(f"train {seat + 1} {card.id}", label, f"{card_text(better)}{cheaper}"))
    if run.tokens.get("reroll"):
        found.append(Option(REROLL, "look at others", f"uses 1 of {run.tokens['reroll']} rerolls"))
    return [*found, Option(SKIP, "leave the cards as they are")]


def _choose(run: Run, stop: Stop, action: str) -> None:
    if action == REROLL:
        run.tokens["reroll"] -= 1
        stop.data["rerolled"] = stop.data.get("rerolled", 0) + 1
        return
    if action != SKIP:
        _, seat, card = action.split(" ")
        at = int(seat) - 1
        run.party.change_card(at, run.party.members[at].cards.index(card), card + TRAINED)
        run.note("trained", who=run.name_of(at), title=run.codex.cards[card].title)
    stop.data["left"] -= 1
    if stop.data["left"] < 1:
        run.stops.remove(stop)


NODE: Final = NodeKind(stops={"training": StopKind(_ask, _options, _choose)})
