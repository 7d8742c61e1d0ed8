"""The protocol page: decisions, actions, refusals, events and causes, from the tables the engine itself reads."""

from __future__ import annotations

import json
from typing import Final

from cartomancer.encounters.actions import SPAN
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.event import Event
from cartomancer.encounters.events import FIELDS, ROWS, Row, Seen, clause_of, read
from cartomancer.encounters.kernel.causes import Cause
from cartomancer.encounters.kernel.codes import Awaiting, Refusal, Verb
from cartomancer.encounters.packing import pack
from cartomancer.encounters.sentences import Titles
from cartomancer.rng import Stream
from parts.markdown import code, table

# runs that are played at random for examples: (scenario, seed)
RUNS: Final = (
    *(("boar", 1), ("symbiote", 2), ("standard-company", 3), ("bond-then-betray", 4), ("company-gauntlet", 5)),
    *(("boar+frenzy+thick_hide+overtime", 6), ("standard-company+marked+bounty_tag+split_focus+hexed", 7)),
    *(("symbiote+venomous+summoner+cleanse_ward+false_orders", 8), ("deceptive-host", 9), ("moth", 10)),
)
STREAM: Final = 77
ARGUMENTS: Final = {"": "–", "card": "a card in hand", "reducer": "a reducer", "member": "a member"}


def decisions() -> str:
    """What may be asked."""
    rows = (
        (code(asked.word), asked.meaning, ", ".join(code(verb.word) for verb in asked.answers))
        for asked in Awaiting
        if asked.answers
    )
    return table(("decision", "the side is asked to", "answers"), rows)


def actions() -> str:
    """What may be answered."""
    forms = {Verb.PLAY: "strike crushing_grip", Verb.HIT_RESOURCE: "→ nerve", Verb.HIT_SEAT: "→ rogue"}
    rows = []
    for verb in Verb:
        form = forms.get(verb) or (f"{verb.word} crushing_grip" if verb.argument else verb.word)
        rows.append((code(form), ARGUMENTS[verb.argument], f"{int(verb)} · {SPAN} + argument", verb.meaning))
    return table(("written", "argument", "number", "what it does"), rows)


def refusals() -> str:
    """Why an action may be refused."""
    return table(("refusal", "in words"), ((code(one.word), one.meaning) for one in Refusal if one.meaning))


def causes() -> str:
    """Why something changed."""
    rows = ((code(one.word), one.source or "–", one.meaning) for one in Cause if one != Cause.NOTHING)
    return table(("cause", "source", "meaning"), rows)


def event_fields() -> str:
    """What the fields of events mean."""
    return table(("field", "meaning"), ((code(name), one.meaning) for name, one in FIELDS.items()))


def events() -> str:
    """Every event: its fields, an example, and how it is told."""
    found = _examples()
    parts = []
    for row in ROWS:
        event, told = found.get(row.kind) or _made_up(row)
        fields = ", ".join(_field(row, name) for name in (*row.fields, *(("cause", "source") if row.caused else ())))
        lines = [f"### {row.kind}", fields or "No fields of its own."]
        lines.append(f"```json\n{json.dumps(event.as_dict(), ensure_ascii=False)}\n```")
        lines.append(f"*{told[0].upper()}{told[1:]}.*" if told else "Not told in stories.")
        parts.append("\n\n".join(lines))
    return "\n\n".join(parts)


def _field(row: Row, name: str) -> str:
    seen = row.visibility(name)
    return code(name) + ("" if seen is Seen.EVERYBODY or name == "source" else f" (seen by {seen.value})")


def _examples() -> dict[str, tuple[Event, str]]:
    """The first event of each kind in some runs that says as much as any of them, with its clause."""
    found: dict[str, tuple[Event, str]] = {}
    for scenario, seed in RUNS:
        fight = Encounter(scenario, seed)
        titles, happened = Titles(fight.packed), list(fight.opening)
        while fight.decision is not None:
            happened += fight.apply(Stream(seed, STREAM, len(fight.actions)).pick(fight.legal()))
        for event in happened:
            told = clause_of(titles, event)
            said = (len(event.fields), bool(told))
            if event.kind not in found or said > (len(found[event.kind][0].fields), bool(found[event.kind][1])):
                found[event.kind] = event, told
    return found


def _made_up(row: Row) -> tuple[Event, str]:
    """What the event would look like; it is rare."""
    packed = pack("company-gauntlet")
    event = read(packed, [int(row.happening), 1, 1, 1, 1, int(Cause.RESHAPE if row.caused else 0), 1, -1])
    return event, clause_of(Titles(packed), event)


PAGE: Final = """# The protocol of an encounter

An encounter stops whenever somebody must choose, and never chooses itself: a **decision** says what is asked and of
whom, an **action** answers it, **events** tell what came of it. Terminal, computer players, the lab and every other
program drive this one protocol. `Encounter.decision`, `legal`, `apply` and `outcome` are its Python face, `observe` is
what one side may know of the position, `public_view` what everybody may, `cartomancer encounter
log --json` writes a whole run in the words of this page, and with `--as` or `--public` as a viewer may see it.

## Decisions

{decisions}

## Actions

An action is one integer and one text; either may be given to `apply`.

{actions}

## Refusals

An action that is not legal is refused, and the encounter is as it was. `IllegalActionError.refusal` is the name of the
reason, its text the sentence; a text that is not understood has no such name and says what would be.

{refusals}

## Events

Every event has a `kind` and a `side`, and named fields. A change of a reducer, of trust, of energy or of piles also has
a `cause`, and where a card, a modifier or a room is behind it, a `source`.

`redacted(event, viewer)` gives the event as a side may see it: a field that it may not see reads `hidden`. The source
of a cause is hidden like the card it names: while a Trap lies face-down, or an Offer is veiled, only its own side sees
it. The viewer `public` sees what both sides may see.

A decision is told to the side that is asked and to nobody else: `react` is only asked of a defender who holds a React
it can pay for. A hit that is taken has the same events, and a side is told of it in the same words, as one that could
not be answered. What is left is time: a service that hands a striker the roll at once and the hit later says that
somebody was asked, so it hands over everything that follows from an action together, or waits as long without a
question as with one.

### The fields

{event_fields}

{events}

## Causes

{causes}
"""


def protocol_page() -> str:
    """The whole page."""
    made = {part.__name__: part() for part in (decisions, actions, refusals, event_fields, events, causes)}
    text = PAGE
    for name, part in made.items():
        text = text.replace(f"{{{name}}}", part, 1)
    return text
