"""How an encounter looks in a terminal: the board as one side sees it, the hand, the choices, the story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Column, Table
from rich.text import Text

from cartomancer.cli import output
from cartomancer.cli.play_keys import GIVEN_UP, Choices, Menu
from cartomancer.content.models.cards import ActionCard, AnyCard, Offer
from cartomancer.content.rules_text import card_text, counted, listed, offered_text
from cartomancer.encounters import Decision, Encounter, Event, Narrator, Outcome, Titles, notation, redacted
from cartomancer.encounters.actions import seat_names
from cartomancer.encounters.event import PUBLIC
from cartomancer.encounters.names import RESOURCES, SIDES, TRUST_TIERS
from cartomancer.encounters.narration import Line
from cartomancer.encounters.sentences import Kind, halves, winner_words

BAR: Final = 16
QUESTIONS: Final = {
    "mulligan": "Keep this hand, or deal again?",
    "turn": "Your turn.",
    "resource": "Which resource does the Strike hit?",
    "member": "Which member does the Strike hit?",
    "react": "Answer the Strike, or take the hit?",
    "offer": "Accept the Offer?",
    "covenant": "Accept the Covenant? It ends the room in a Bond; refused, trust halves.",
    "test": "Cooperate or defect?",
}
# conditions that are a number, or just there; {n} is the number
PLAIN: Final = {
    "entangled": "Entangled",
    "held": "held: no retreat this turn",
    "ward": "Ward {n}",
    "armour": "armour {n}",
    "calm": "spared by the room ({n})",
    "betrayed": "Betrayed ({n})",
    "scorned": "Scorned ({n})",
    "shed": "sheds the next debuffs ({n})",
    "adds": "reinforcements {n}",
    "back_adds": "reinforcements behind the lines {n}",
    "disadvantage": "next Strike with disadvantage",
    "strip": "next Strike without keywords",
    "randomise": "next Strike at a random resource",
}


# --- the board --------------------------------------------------------------------------------------------------------


def board(view: Mapping[str, Any], titles: Titles) -> RenderableType:
    """Room, round, trust, and both sides: one's own first. The public has none of its own."""
    sides = Table.grid(Column(ratio=1), Column(ratio=1), expand=True, padding=(0, 2, 0, 0))
    if view.get(PUBLIC):
        sides.add_row(*(_side(view[side], number, titles, "") for number, side in enumerate(SIDES)))
    else:
        mine = SIDES.index(view["side"])
        sides.add_row(_side(view["me"], mine, titles, " (you)"), _side(view["opponent"], 1 - mine, titles, ""))
    return Group(Rule(Text(headline(view, titles), style="bold"), align="left", style="dim"), Padding(sides, (0, 1)))


def headline(view: Mapping[str, Any], titles: Titles) -> str:
    """Where the fight stands, in one line."""
    room = titles.room(view["room"])
    when = f"round {view['round']} of {view['round_limit']}" if view["round"] else "opening hands"
    if len(titles.packed.rooms) > 1:
        room = f"{room} (room {view['room_number']})"
    insight = [f"Insight {view['insight']}"] if view["insight"] else []
    return " · ".join([room, when, f"trust {halves(view['trust'])} ({TRUST_TIERS[view['trust_tier']]})", *insight])


def _side(side: Mapping[str, Any], number: int, titles: Titles, mark: str) -> RenderableType:
    """One side: reducers, members, what it has, what lies on it."""
    bars = Table.grid(padding=(0, 1, 0, 0))
    for name in RESOURCES[number]:
        now, start = side["reducers"][name]
        bars.add_row(name, _bar(now, start), f"{now}/{start}")
    members = side.get("members", [])
    if len(members) > 1:
        for seat, member in enumerate(members):
            state = "down" if member["down"] else f"{member['vitality']}/{member['start']}{_marks(member)}"
            bars.add_row(f"  {titles.member(seat)}", _bar(member["vitality"], member["start"]), state)
    title = (titles.dungeon, titles.visitor)[number].removeprefix("The ")
    lines = _stock(side)
    if side.get("laid"):
        lines.append(f"laid: {listed([titles.card(name) for name in side['laid']])}")
    words = condition_words(side["conditions"])
    if len(members) == 1 and _marks(members[0]):
        words.append(_marks(members[0]).strip(" ,"))
    if words:
        lines.append("; ".join(words))
    return Group(Text(title + mark, style="bold"), bars, *(Text(line) for line in lines))


def _bar(now: int, start: int) -> Text:
    filled = -(-BAR * max(0, now) // max(1, start))
    colour = "red" if now * 4 <= start else "yellow" if now * 2 <= start else "green"
    return Text.assemble(("█" * filled, colour), ("░" * (BAR - filled), "dim"))


def _marks(member: Mapping[str, int]) -> str:
    """What a member bears, after its vitality."""
    words = ["pierced"] if member["pierced"] else []
    words += [f"{name} {member[name]}" for name in ("threat", "weakness", "bounty") if member[name]]
    return "".join(f", {word}" for word in words)


def _stock(side: Mapping[str, Any]) -> list[str]:
    """Energy, hand, Traps, piles."""
    energy = f"energy {side['energy']}/{side['pool']}"
    energy += "".join(f" +{amount} for {name.capitalize()}" for name, amount in side["typed_energy"].items())
    counts = [energy, f"hand {side['hand_size']}", counted(side["traps"], "Trap")]
    piles = [f"draw {side['draw_size']}", f"discard {len(side['discard'])}", f"exhausted {len(side['exhausted'])}"]
    cheaper = [f"next {name.capitalize()} card costs 1 less" for name in side["attuned"]]
    return [" · ".join(counts), " · ".join(piles), *cheaper]


def condition_words(conditions: Mapping[str, Any]) -> list[str]:
    """What lies on a side, in words."""
    found = [text.format(n=conditions[name]) for name, text in PLAIN.items() if name in conditions]
    found += [f"{name} erodes by {n} next round" for name, n in conditions.get("erode", {}).items()]
    found += [f"{name} fortified by {n}" for name, n in conditions.get("fortify", {}).items()]
    if empower := conditions.get("empowered"):
        gains = [f"+{empower['power']} power"] if empower["power"] else []
        gains += ["advantage"] if empower["advantage"] else []
        gains += [name.capitalize() for name in empower["keywords"]]
        found.append(f"next Strike with {listed(gains)}")
    found += [f"next Strike costs it {n} {name}" for name, n in conditions.get("thorns", {}).items()]
    found += [f"next {name.capitalize()} Strike against it +{n}" for name, n in conditions.get("exposed", {}).items()]
    for debt in conditions.get("bindings", ()):
        found.append(f"bound: −{debt['amount']} {debt['resource']} a round ({debt['rounds']})")
    for debt in conditions.get("dependencies", ()):
        found.append(f"{debt['at_stake']} {debt['resource']} at stake below trust {halves(debt['trust'])}")
    return found


# --- cards and choices ------------------------------------------------------------------------------------------------


def kind_of(card: AnyCard) -> str:
    """Type and category: 'Physical Strike', 'Energy'."""
    category = card.category.capitalize()
    return f"{card.type.capitalize()} {category}" if isinstance(card, ActionCard) else category


def hand(view: Mapping[str, Any], titles: Titles, keys: Mapping[tuple[str, int], int] | None = None) -> RenderableType:
    """One's hand: the key in one's turn, the cost now, title, a party's owner, type and category, text; copies
    together."""
    held: list[str] = view["me"]["hand"]
    locked: list[str] = view["me"]["locked"]
    costs = dict(zip(held, view["me"]["costs"], strict=True))
    columns = Column(justify="right"), Column(justify="right"), Column(), Column(), Column(ratio=1)
    made = Table.grid(*columns, padding=(0, 2, 0, 0))
    for name in dict.fromkeys(held):
        key = "/".join(str(number) for (card_id, _), number in (keys or {}).items() if card_id == name)
        card, copies = titles.cards[name], held.count(name)
        title = card.title + (f" ×{copies}" if copies > 1 else "")
        barred = locked.count(name)
        text = card_text(card) + (f" Locked this round{f': {barred}' if copies > 1 else ''}." if barred else "")
        cost = str(costs[name]) if isinstance(card, ActionCard) else "–"
        head = Text.assemble((title, "bold"), _owners(name, view["me"], titles))
        made.add_row(key, cost, head, Text(kind_of(card), style="dim"), Text(text))
    return Padding(made, (0, 1)) if held else Padding(Text("no cards in hand", style="dim"), (0, 1))


def _owners(name: str, me: Mapping[str, Any], titles: Titles) -> str:
    """Whose card it is in a party: who falls takes the cards along."""
    if len(me.get("members", [])) < 2:
        return ""
    seats = dict.fromkeys(seat for card, seat in zip(me["hand"], me["owners"], strict=True) if card == name)
    return "\n" + ", ".join(titles.member(seat) for seat in seats)


def card_view(card: AnyCard) -> RenderableType:
    """One card."""
    cost = f", costs {card.cost}" if isinstance(card, ActionCard) else ""
    head = Text.assemble((card.title, "bold"), f" ({card.id}): {kind_of(card)}{cost}")
    return Group(head, *([Text(card.summary, style="italic")] if card.summary else []), Text(card_text(card)))


def choice_list(menu: Menu) -> RenderableType:
    """Choices by their keys, in as many columns as fit; giving up a card is one of them, whatever the card."""
    lines = [Text(f"{key:>2}  {text}") for key, (_, text) in menu.actions.items()]
    lines += [Text(f" {verb[0]}  {verb} …: {GIVEN_UP[verb]}") for verb in menu.given_up]
    return Padding(Columns(lines, padding=(0, 3), equal=True, column_first=True), (0, 1))


def given_up_list(verb: str, cards: Choices) -> RenderableType:
    """The cards that can be given up so, each as it is typed."""
    lines = [Text(f"{verb} {key}  {text.partition(' ')[2]}") for key, (_, text) in cards.items()]
    return Padding(Columns(lines or [Text(f"nothing to {verb}")], padding=(0, 3), equal=True), (0, 1))


def question(view: Mapping[str, Any], titles: Titles) -> RenderableType:
    """What one is asked, with what there is to know about it."""
    lines = [Text(QUESTIONS[view["awaiting"]["kind"]], style="bold")]
    if strike := view.get("strike"):
        lines.insert(0, Text(strike_words(strike, titles)))
    if offer := view.get("offer"):
        lines.insert(0, Text(offer_words(offer, titles)))
    if test := view.get("test"):
        lines.insert(0, Text(f"{titles.card(test['card'])}: {test['text']}"))
    return Group(*lines)


def strike_words(strike: Mapping[str, Any], titles: Titles) -> str:
    """A Strike that is about to land."""
    loss = f"{strike['damage']} {strike['target']}"
    if strike["member"] is not None:
        loss += f" from the {titles.member(seat_names(titles.packed).index(strike['member']))}"
    keywords = f", with {listed([name.capitalize() for name in strike['keywords']])}" if strike["keywords"] else ""
    return f"{titles.card(strike['card'])} will take {loss}{keywords}."


def offer_words(offer: Mapping[str, Any], titles: Titles) -> str:
    """An Offer as its acceptor sees it."""
    if offer["card"] != "hidden":
        card = titles.cards[offer["card"]]
        assert isinstance(card, Offer)
        return f"{card.title}: {offered_text(card)}"
    benefit = offer["benefit"]
    gains = []
    if "resource" in benefit:
        resource = "your weakest resource" if benefit["resource"] == "weakest" else benefit["resource"]
        gains.append(f"heals {resource} " + ("in full" if benefit.get("full_restore") else f"by {benefit['amount']}"))
    gains += [f"gives Ward {benefit['ward']}"] if benefit.get("ward") else []
    gains += [f"draws {counted(benefit['draw'], 'card')}"] if benefit.get("draw") else []
    return f"A veiled Offer: it {listed(gains)}, and trust rises by {offer['trust']}. Its price is hidden."


# --- the story --------------------------------------------------------------------------------------------------------

INDENTS: Final = {Kind.ROOM: 0, Kind.ROUND: 0, Kind.TURN: 2}
STYLES: Final = {Kind.ROOM: "bold underline", Kind.ROUND: "bold", Kind.TURN: "italic"}


def print_story(console: Console, story: Iterable[Line | str]) -> None:
    """A story with its headings: rooms, rounds, turns. Plain texts are decisions, told apart by a sign."""
    indent = 2
    for number, line in enumerate(story):
        if isinstance(line, str):
            output.line(console, Text(f"» {line}", style="dim"), indent)
        elif line.kind in INDENTS:
            indent = INDENTS[line.kind]
            if number and line.kind is not Kind.TURN:
                console.print()
            output.line(console, Text(line.text.removesuffix("."), style=STYLES[line.kind]), indent)
            indent += 2
        else:
            output.line(console, Text(line.text), indent)


def print_apart(console: Console, *things: RenderableType) -> None:
    """Each with an empty line below."""
    for thing in things:
        console.print(thing)
        console.print()


def outcome_words(outcome: Outcome, titles: Titles) -> str:
    """How a run ended, in one sentence."""
    wins = winner_words(outcome.winner, titles)
    length = f"{counted(outcome.rounds, 'round')}, {counted(outcome.decisions, 'decision')}"
    return f"{outcome.kind.capitalize()}: {wins} after {length}."


def standing(encounter: Encounter, viewer: str | None = None) -> str:
    """How the run ended, or what it waits for, in one sentence; a viewer hears only of what it is asked itself."""
    if encounter.outcome is not None:
        return outcome_words(encounter.outcome, Titles(encounter.packed))
    decision = encounter.decision
    if viewer is not None and (decision is None or decision.side != viewer):
        return "Unfinished."
    return f"Unfinished: the {decision.side} is asked ({decision.kind})." if decision else ""


# --- whole runs -------------------------------------------------------------------------------------------------------


def told(found: Decision | Outcome | None) -> dict[str, Any] | None:
    """What is waited for, or how the run ended, for programs."""
    return None if found is None else asdict(found)


def steps(run: Encounter, viewer: str | None = None) -> Iterator[tuple[dict[str, Any] | None, list[Event]]]:
    """A run once more, decision by decision, as a viewer may see it: (what was decided, what it led to). The opening
    has no decision. A side knows its own decisions and their numbers among its own, since others' tell what they could
    have done; the public knows none."""
    again, number = Encounter(run.packed, run.seed), 0
    yield None, [redacted(event, viewer) for event in again.opening]
    for action in run.actions:
        decided, decision = None, again.decision
        if decision is not None and viewer in (None, decision.side):
            number += 1
            decided = {"number": number, **asdict(decision), "action": action, "text": again.text_of(action)}
        yield decided, [redacted(event, viewer) for event in again.apply(action)]


def log_json(run: Encounter, viewer: str | None = None) -> dict[str, Any]:
    """A run for programs: actions, events and story lines, each with the number of actions before it. What only a
    spectator may see, the seed and what leads to it, is in no side's log and not in the public's."""
    actions, events, story = [], [], []
    narrator = Narrator(run.packed, viewer)
    for decided, happened in steps(run, viewer):
        if decided is not None:
            actions.append(decided)
        after = len(actions)
        events += [{"after": after, **event.as_dict()} for event in happened]
        story += [{"after": after, "kind": line.kind.value, "text": line.text} for line in narrator.lines(happened)]
    whole = {"seed": str(run.seed), "notation": notation(run)} if viewer is None else {"viewer": viewer}
    found = {"actions": actions, "events": events, "story": story, "outcome": told(run.outcome)}
    end = {"final_hash": run.state_hash()} if viewer is None else {}
    return {"scenario": run.packed.name, **whole, **found, **end}


def print_log(run: Encounter, moves: bool, viewer: str | None = None) -> None:
    """A run for people."""
    narrator = Narrator(run.packed, viewer)
    story: list[Line | str] = []
    for decided, happened in steps(run, viewer):
        if moves and decided is not None:
            story.append(f"{decided['number']} {decided['side']}: {decided['text']}")
        story += narrator.lines(happened)
    console = output.screen()
    how = f"seed {run.seed}" if viewer is None else f"as the {viewer} saw it"
    print_apart(console, Text(f"{run.packed.scenario.title} ({run.packed.name}, {how})", style="bold"))
    print_story(console, story)
    console.print()
    console.print(standing(run, viewer), style="bold", markup=False)
    if viewer is None:
        output.say(notation(run))
