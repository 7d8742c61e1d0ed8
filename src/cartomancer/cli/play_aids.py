"""What a person at the table may ask or is told: the goal, odds, hints, reasons, piles, the room, rules.

Nothing here says more than the side may know: everything comes from its view, its events and public terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from cartomancer.cli import output
from cartomancer.cli.content_view import pressure
from cartomancer.cli.explain_command import known
from cartomancer.cli.play_keys import Menu
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters import Encounter, Event, Titles
from cartomancer.encounters.events import clause_of
from cartomancer.encounters.forecast import Forecast, forecast
from cartomancer.encounters.names import RESOURCES, SIDES
from cartomancer.encounters.narration import sentence
from cartomancer.encounters.outlook import Outlook, outlook, trust_struck
from cartomancer.encounters.sentences import halves
from cartomancer.figures import percent
from cartomancer.jit import is_compiled
from cartomancer.players import Player, explain
from cartomancer.players.conjecture import Conjecture, conjecture
from cartomancer.players.tracker import track

QUICK_HINT, DEEP_HINT = "heuristic", "smart@100"  # the second where rollouts take no minutes: compiled


# --- the goal ---------------------------------------------------------------------------------------------------------


def goal(encounter: Encounter, side: str, titles: Titles) -> RenderableType:
    """How one wins and loses, what the next round takes; in a room before the last only the dungeon can end the run."""
    ahead, (dungeon, _) = outlook(encounter), SIDES
    mine = SIDES.index(side)
    whose = ["your" if number == mine else f"{titles.sides[number]}'s" for number in range(2)]
    mastery, ruin = (f"{owner} {listed(names, 'or')} at 0" for owner, names in zip(whose, RESOURCES, strict=True))
    there = "you" if mine else titles.sides[1]
    mastery += f", or {there} still there when round {ahead.round_limit} is over"
    win, lose = ("you win", "you lose") if side == dungeon else ("you lose", "you win")
    lines = [
        f"{win}: {ruin}",
        f"{lose if ahead.last_room else 'the room is cleared and the run goes on'}: {mastery}",
        f"both win: a Covenant, possible from trust {ahead.covenant_trust} on, that is accepted",
        _coming(encounter, ahead, mine, titles),
    ]
    if ahead.members > 1:  # when a party's vitality is at an end (E14)
        down = f"{ahead.down or 'none'} {'is' if ahead.down == 1 else 'are'} down now"
        kill = f"{ahead.kill_at} of {ahead.members} members down at the same time; {down}"
        lines.insert(2, f"vitality at 0 is a Kill of the party, and so are {kill}")
    return Padding(Group(*(Text(line, style="dim") for line in map(sentence, lines))), (0, 1))


def _coming(encounter: Encounter, ahead: Outlook, mine: int, titles: Titles) -> str:
    """The next round's pressure, side by side, and escalation."""
    if encounter.round >= ahead.round_limit:
        return "this is the last round of the room"
    changes = [(side, f"{_signed(change)} {name}") for side, name, change in ahead.pressure]
    changes += [(side, f"{_signed(change)} {name} (Erode or binding)") for side, name, change in ahead.eroding]
    if ahead.escalation:
        changes += [
            (side, f"−{ahead.escalation} {names[0]} (escalation)") for side, names in zip(SIDES, RESOURCES, strict=True)
        ]
    told = []
    for number in (mine, 1 - mine):
        its = [change for side, change in changes if side == SIDES[number]]
        told += [f"{'you' if number == mine else titles.sides[number]} {', '.join(its)}"] if its else []
    when = "" if ahead.escalation else f"; escalation from round {ahead.escalates_from} on"
    return f"round {encounter.round + 1} brings: {'; '.join(told) or 'nothing by itself'}{when}"


def _signed(change: int) -> str:
    return f"{change:+d}".replace("-", "−")


# --- odds -------------------------------------------------------------------------------------------------------------


def odds_lines(encounter: Encounter, menu: Menu, side: str) -> list[str]:
    """The odds of every Strike and React that can be chosen, one line each."""
    found = ((key, text, forecast(encounter, action)) for key, (action, text) in menu.actions.items())
    rolled = [(key, text, odds) for key, text, odds in found if odds is not None]
    lines = [f"{key:>2}  {text}: {_odds_words(odds, side)}" for key, text, odds in rolled]
    what, fall = trust_struck(encounter, side)
    if fall and any(odds.kind == "strike" for *_, odds in rolled):
        lines.append(f"    A Strike now lowers trust by {halves(fall)}{f': {what}' if what else ''}.")
    return lines


def _odds_words(odds: Forecast, side: str) -> str:
    if odds.kind == "react":
        return (
            f"prevents {float(odds.mean):.1f} {odds.target} on average, something in {percent(float(odds.lands), 0)}, "
            f"all of it in {percent(float(odds.whole), 0)}"
        )
    own = RESOURCES[SIDES.index(side)][0]
    price = f", {counted(odds.price, 'point')} before the roll" if odds.price else ""
    hurts = f"power {odds.power}, hurts in {percent(float(odds.lands), 0)}"
    takes = f"takes {float(odds.mean):.1f} {odds.target or 'points'} on average"
    return f"{hurts}, {takes}; backlash {float(odds.back):.1f} {own}{price}"


def odds_table(encounter: Encounter, menu: Menu) -> RenderableType:
    """The same with every tier of the roll and what it deals or prevents: a column for each choice."""
    found = ((f"{key} {text}", forecast(encounter, action)) for key, (action, text) in menu.actions.items())
    rolled = [(choice, odds) for choice, odds in found if odds is not None]
    if not rolled:
        return Text("Nothing that can be chosen now rolls dice.")
    forecasts = [odds for _, odds in rolled]
    rows = [
        (tier, *(f"{percent(float(odds.tiers[tier]), 0)} → {odds.points[tier]}" for odds in forecasts))
        for tier in forecasts[0].tiers
    ]
    rows.append(("average", *(f"{float(odds.mean):.2f} {odds.target}".rstrip() for odds in forecasts)))
    rows.append(("backlash", *(f"{float(odds.back):.2f}" for odds in forecasts)))
    rows.append(("before the roll", *(str(odds.price) for odds in forecasts)))
    return output.table("", ("", *(choice for choice, _ in rolled)), rows, whole=(0,))


# --- hints and reasons ------------------------------------------------------------------------------------------------


def hint(encounter: Encounter, menu: Menu) -> str:
    """What a computer player in this seat would do, and why."""
    found = explain(Player(DEEP_HINT if is_compiled() else QUICK_HINT), encounter)
    key = next((typed for typed, action, _ in menu.choices() if action == found.chosen.action), "")
    return f"{found.player.partition(':')[0]} would take {key}, {found.chosen.text}: {found.reason}."


def options_of(titles: Titles, side: str, deeds: Iterable[tuple[Encounter, Event]]) -> Iterator[str]:
    """What the other side could have chosen at each of its decisions that were seen, as far as a side may know."""
    for before, event in deeds:
        found = conjecture(before, side, event)
        deed = sentence(clause_of(titles, event)).removesuffix(".")
        having = f"{found.energy} energy and {counted(found.hand, 'card')} in hand"
        yield f"{deed}, having {having}. Otherwise: {'; '.join(_otherwise(found, titles))}."


def _otherwise(found: Conjecture, titles: Titles) -> Iterator[str]:
    if found.besides:
        yield listed(found.besides, "or")
    if found.seen:
        yield f"play what you have seen in its hand, {listed([titles.card(name) for name in found.seen], 'or')}"
    if found.may_hold:
        likely = sorted(found.may_hold.items(), key=lambda held: -held[1])
        yield f"play what it may have held, {', '.join(f'{name} {percent(chance, 0)}' for name, chance in likely)}"


def unanswered(before: Encounter, side: str, happened: Iterable[Event], titles: Titles) -> Iterator[str]:
    """Of a Strike of one's own that hit and met no React: that the other side may have had one. Nobody is told."""
    kinds = {event.kind: event for event in happened if event.side == side or event.kind == "reacted"}
    rolled = kinds.get("strike_rolled")
    if rolled is not None and titles.is_hit(rolled.tier) and "reacted" not in kinds:
        held = track(before, side).chance_held("react")
        yield f"Your Strike met no React. Whether it could have is hidden: one was held in {percent(held, 0)}."


# --- piles ------------------------------------------------------------------------------------------------------------


def discards(view: Mapping[str, Any], titles: Titles) -> list[str]:
    """What lies open: both discard piles and what is out of the run."""
    piles = {
        f"{whose} {word}": view[side][pile]
        for side, whose in (("me", "your"), ("opponent", "the other side's"))
        for pile, word in (("discard", "discards"), ("exhausted", "cards out of the run"))
    }
    return [sentence(f"{name}: {_counts(cards, titles)}") for name, cards in piles.items()]


def deck(encounter: Encounter, view: Mapping[str, Any], titles: Titles) -> list[str]:
    """One's draw pile, whose order nobody knows, the other side's deck by category (E49), and what it may hold."""
    theirs = ", ".join(
        f"{titles.card(name) if name in titles.cards else name} ×{copies}"
        for name, copies in sorted(view["opponent"]["deck"].items())
    )
    return [
        sentence(f"your draw pile, in no order: {_counts(view['me']['draw'], titles)}"),
        sentence(f"the other side's deck: {theirs}"),
        sentence(known(track(encounter, view["side"]))),
    ]


def _counts(cards: Iterable[str], titles: Titles) -> str:
    """Cards by title, copies together, those that were not seen last."""
    found = Counter("unseen" if name == "hidden" else titles.card(name) for name in cards)
    named = [f"{title} ×{copies}" if copies > 1 else title for title, copies in sorted(found.items())]
    return ", ".join(named) or "nothing"


# --- the room and the rules -------------------------------------------------------------------------------------------


def room(encounter: Encounter, titles: Titles) -> Iterator[str]:
    """The room: its pressure, its limit, what else acts in the run."""
    entry, ahead = titles.codex.place(encounter.room), outlook(encounter)
    yield f"{entry.title}: {entry.summary}" if entry.summary else entry.title
    yield from (sentence(pressure(effect)) for effect in entry.auto_effects)
    yield f"Cleared when round {ahead.round_limit} is over and nobody has fallen."
    if ahead.retreat_from is not None:
        yield f"The visitor may retreat from round {ahead.retreat_from} on, unless it is held."
    rooms = encounter.packed.rooms
    if len(rooms) > 1:
        yield f"The run leads through {listed([titles.room(name) for name in dict.fromkeys(rooms)])}."
    if encounter.packed.modifiers:
        acting = sorted({name.replace("_", " ") for name in encounter.packed.modifiers})
        yield f"{counted(len(acting), 'modifier')} in force: {', '.join(acting)}."
