"""Saves of runs: everything a run is, sealed; read strictly, with every fault at once.

A save holds its map and the digests of what was packed, so it loads after presets or content have changed: what differs
is named. A fight that is being fought is kept as its actions; where its tables differ now, it begins anew.

>>> from cartomancer.campaign.expedition.expedition import Expedition
>>> run = Expedition("contract:short:7", "standard_company").play(["go 0"])
>>> again, told = load(save(run))
>>> again.observe() == run.observe(), told
(True, [])
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from cartomancer.campaign.expedition.expedition import Expedition
from cartomancer.campaign.expedition.nodes import STOPS
from cartomancer.campaign.expedition.nodes.fight import packed_fight
from cartomancer.campaign.expedition.party import MOST_MEMBERS, PILES, Member, Party
from cartomancer.campaign.expedition.run import Rival, Run, Stop
from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.models.base import Complaints, Strict
from cartomancer.content.models.expedition import HOOK_STEPS
from cartomancer.content.toml_files import nearest, validated
from cartomancer.errors import CartomancerError, ContentError, Fault, ReplayError
from cartomancer.files import write_file
from cartomancer.input_files import InputFileError, read_input
from cartomancer.maps import Journey
from cartomancer.seals import DAMAGED, SEAL, seal_faults, sealed

FORMAT: Final = "cartomancer.run/1"
Step = Annotated[int, Field(ge=0, le=HOOK_STEPS)]
Count = Annotated[int, Field(ge=0, le=100_000)]
Mask = Annotated[int, Field(ge=0, lt=1 << 48)]


class SavedMember(Strict):
    """A member as it is saved."""

    kind: str
    cards: list[str]
    vitality: Count
    injury: Step
    bounty: Step


class SavedParty(Strict):
    """A party as it is saved."""

    members: Annotated[list[SavedMember], Field(min_length=1, max_length=MOST_MEMBERS)]
    resolve: Count
    nerve: Count
    conflict: Step
    quarrel: list[int]
    stress: Step
    held: Mask
    discarded: Mask
    gone: Mask

    def complaints(self) -> Complaints:
        whole = (1 << sum(len(member.cards) for member in self.members)) - 1
        for pile in PILES:
            yield pile, getattr(self, pile) & ~whole, f"{pile} names cards that the party does not have"
        doubled = self.held & self.discarded | self.held & self.gone | self.discarded & self.gone
        yield "held", doubled, "a card lies in two piles"


class SavedRival(Strict):
    """The rival as it is saved."""

    state: str
    heat: Annotated[int, Field(ge=0, le=10)]


class SavedStop(Strict):
    """Something that waits, as it is saved."""

    kind: str
    data: dict[str, Any]


class SavedRun(Strict):
    """The fields of a save beside its journey."""

    format: str
    digest: str
    content: str
    acts: Annotated[int, Field(ge=1, le=20)]
    party: SavedParty
    gold: Count
    supplies: Count
    low_supplies: Step
    items: list[str]
    gear: dict[str, Annotated[int, Field(ge=0, lt=MOST_MEMBERS)]]
    tokens: dict[str, Count]
    modifiers: list[Annotated[tuple[str, int], Field(strict=False)]]  # which files write as lists
    fragments: list[int]
    rival: SavedRival
    intrusion: str | None
    targeted: Annotated[int, Field(ge=0, lt=MOST_MEMBERS)]
    stops: list[SavedStop]
    ending: str
    defied: bool
    fight: dict[str, Any] | None
    actions: list[str]


PLAIN: Final = (
    "gold",
    "supplies",
    "low_supplies",
    "items",
    "gear",
    "tokens",
    "fragments",
    "intrusion",
    "targeted",
    "ending",
    "defied",
)


def save(expedition: Expedition) -> dict[str, Any]:
    """A run as plain data, sealed."""
    run, fight = expedition.run, expedition.fight
    return sealed(
        {
            "format": FORMAT,
            "content": run.codex.catalog.digest(),
            "acts": expedition.acts,
            "journey": run.journey.save(),
            "party": asdict(run.party),
            **{name: getattr(run, name) for name in PLAIN},
            "modifiers": [list(row) for row in run.modifiers],
            "rival": asdict(run.rival),
            "stops": [asdict(stop) for stop in run.stops],
            "fight": None if fight is None else {"tables": fight.packed.digest, "actions": list(fight.actions)},
            "actions": list(expedition.actions),
        }
    )


def write(expedition: Expedition, path: Path) -> None:
    """Write a save whole or not at all."""
    write_file(path, (json.dumps(save(expedition), ensure_ascii=False) + "\n").encode())


def load(data: Any, where: str = "save", codex: Codex | None = None) -> tuple[Expedition, list[str]]:
    """The run as it was saved, and what differs in today's content; or a ReplayError with every fault."""
    codex = codex or load_codex()
    body = _sealed_body(data, where)
    journey = Journey.load(body["journey"], where)
    fields = {name: value for name, value in body.items() if name != "journey"}
    saved = _validated(fields, where)
    ReplayError.refuse(where, "not a run that can go on: {n} fault(s)", _unknown(saved, codex, where))
    expedition = Expedition.resumed(_run(saved, journey, codex), saved.acts, saved.actions)
    told = [f"the map differs: {line}" for line in journey.differences()]
    if saved.content != codex.catalog.digest():
        told.append(f"the catalog has changed since ({saved.content}, now {codex.catalog.digest()})")
    if saved.fight is not None:
        told += _resume(expedition, saved.fight)
    return expedition, told


def read(path: Path, codex: Codex | None = None) -> tuple[Expedition, list[str]]:
    """The run in a file."""
    try:
        data = json.loads(read_input(path))
    except InputFileError as error:
        raise ReplayError(f"{path}: cannot be read", [Fault("file", None, str(error), "a save", str(path))]) from None
    except (ValueError, RecursionError) as error:
        fault = Fault("file", None, f"is not JSON: {error}", "a whole save", str(path))
        raise ReplayError(f"{path}: damaged or cut off", [fault]) from None
    return load(data, str(path), codex)


def _sealed_body(data: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, dict) else type(data).__name__
        raise ReplayError(
            f"{where}: not a saved run", [Fault("format", found, "is not one this version reads", FORMAT, where)]
        )
    faults = seal_faults(data) if SEAL in data else [Fault(SEAL, None, DAMAGED)]
    if "journey" not in data:
        faults.append(Fault("journey", None, "is missing", "the way so far"))
    ReplayError.refuse(where, "not a run that can go on: {n} fault(s)", faults)
    return data


def _validated(fields: Mapping[str, Any], where: str) -> SavedRun:
    try:
        return validated(SavedRun, fields, where)
    except ContentError as error:
        raise ReplayError(f"{where}: not a run that can go on: {len(error.faults)} fault(s)", error.faults) from None


def _unknown(saved: SavedRun, codex: Codex, where: str) -> list[Fault]:
    """What the save names and the content does not have any more."""
    found = []

    def known(field: str, name: str, names: list[str]) -> None:
        if name not in names:
            found.append(Fault(field, name, "is not in the content", nearest(name, names), where))

    for seat, member in enumerate(saved.party.members, 1):
        known(f"party.members[{seat}].kind", member.kind, list(codex.classes))
        for card in member.cards:
            known(f"party.members[{seat}].cards", card.removesuffix("+"), list(codex.cards))
    for item in saved.items:
        known("items", item, list(codex.catalog.items))
    for piece in saved.gear:
        known("gear", piece, list(codex.equipment))
    for modifier, _ in saved.modifiers:
        known("modifiers", modifier, list(codex.modifiers))
    for stop in saved.stops:
        known("stops.kind", stop.kind, list(STOPS))
    known("rival.state", saved.rival.state, list(codex.catalog.stakes.rival_states))
    return found


def _run(saved: SavedRun, journey: Journey, codex: Codex) -> Run:
    party = saved.party.model_dump()
    members = [Member(**member) for member in party.pop("members")]
    run = Run(codex, journey, Party(members, **party), **{name: _own(getattr(saved, name)) for name in PLAIN})
    run.modifiers = [list(row) for row in saved.modifiers]
    run.rival = Rival(**saved.rival.model_dump())
    run.stops = [Stop(stop.kind, dict(stop.data)) for stop in saved.stops]
    return run


def _own(value: Any) -> Any:
    """A copy that the run may change."""
    return type(value)(value) if isinstance(value, list | dict) else value


def _resume(expedition: Expedition, fight: Mapping[str, Any]) -> list[str]:
    """The fight that was being fought, at the decision it had come to."""
    run = expedition.run
    packed = packed_fight(run, run.stops[-1])
    run.begin_fight(packed)
    run.happened = []
    if packed.digest != fight["tables"]:
        return ["the fight begins anew: its cards or rules have changed"]
    assert run.encounter is not None
    try:
        run.encounter.play(fight["actions"])
    except CartomancerError as error:
        run.begin_fight(packed)
        return [f"the fight begins anew: its actions do not fit ({error})"]
    return []
