"""What the tuner is asked: which scenarios, the bands of each, and the levers it may turn. Refused with every fault.

>>> from cartomancer.content.codex import load_codex
>>> only_auto_effects = TunerSettings(groups=["auto_effects"])
>>> asked = read_request(load_codex(), ["boar", "moth"], "boar:kill=50..65, moth:survive=42..50", only_auto_effects)
>>> [(one.scenario, str(one.targets[0])) for one in asked.wanted]
[('boar', 'kill=50..65'), ('moth', 'survive=42..50')]
>>> [lever.id for lever in asked.levers][:2]
['root_hollow.vitality', 'root_hollow.nerve']

Rooms and decks are shared by scenarios, so a lever turned for one moves the others: those that shall stay where they
are, or get where they should be at the same time, are named together. A target then says whose it is,
`SCENARIO:NAME=BAND`. A scenario without targets has those of the content's target sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Final

from cartomancer.content.codex import Codex
from cartomancer.encounters.packing import pack
from cartomancer.errors import MOST_LISTED, CartomancerError, Fault, FaultyError
from cartomancer.lab.measures.bands import FORMS, Target, read_targets, shipped_bands
from cartomancer.lab.measures.context import ScenarioContext
from cartomancer.lab.refusals import Refusals
from cartomancer.lab.tuner.levers import GROUPS, USUAL_GROUPS, Lever, groups_from, levers_of_all
from cartomancer.players.policies import PlayerSpec

BUDGET: Final = 800
RUNS: Final = 2_000
MOST_BUDGET: Final = 100_000


@dataclass(frozen=True)
class TunerSettings:
    """How to search: which levers, how long, and how candidates are played."""

    groups: str | Sequence[str] | None = None  # of levers; the usual ones without it
    only: Sequence[str] = ()  # patterns of lever ids: no others
    without: Sequence[str] = ()  # … and none of these
    budget: int = BUDGET  # the most candidates
    runs: int = RUNS  # of each
    seed: int = 0
    dungeon: PlayerSpec | None = None
    visitor: PlayerSpec | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.budget <= MOST_BUDGET:
            raise CartomancerError(f"a budget of {self.budget}: 1 to {MOST_BUDGET:,} evaluations are possible")


@dataclass(frozen=True)
class ScenarioTargets:
    """What is wanted of one scenario."""

    scenario: str
    context: ScenarioContext
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Request:
    """Everything the search needs to know."""

    wanted: tuple[ScenarioTargets, ...]
    groups: tuple[str, ...]
    levers: tuple[Lever, ...]  # of all scenarios, narrowest scope first


def read_request(
    codex: Codex, scenarios: Sequence[str], targets: str | None = None, settings: TunerSettings | None = None
) -> Request:
    """The request, refused with everything that is wrong with it; what is named twice counts once."""
    names, refusals, how = list(dict.fromkeys(scenarios)), Refusals(), settings or TunerSettings()
    if not names:
        raise CartomancerError("no scenario to tune: name one or more")
    contexts = {name: found for name in names if (found := refusals.heard(_context, codex, name)) is not None}
    texts, strange = split_targets(targets, names) if targets is not None else ({}, [])
    refusals.told("targets", strange)
    wanted = [
        refusals.heard(_wanted, codex, name, context, texts, len(names) == 1) for name, context in contexts.items()
    ]
    groups = how.groups
    named = groups.split(",") if isinstance(groups, str) else USUAL_GROUPS if groups is None else groups
    known = {group for name in named for group in refusals.heard(groups_from, name) or ()}
    levers = levers_of_all(codex, list(contexts), list(known))
    if len(contexts) == len(names) and known:
        levers = refusals.heard(chosen, levers, how.only, how.without) or []
    refusals.settle()
    return Request(tuple(one for one in wanted if one), tuple(name for name in GROUPS if name in known), tuple(levers))


def _context(codex: Codex, name: str) -> ScenarioContext:
    return ScenarioContext.of(pack(name, codex), codex)


# --- targets ----------------------------------------------------------------------------------------------------------


def split_targets(text: str, names: Sequence[str]) -> tuple[dict[str, str], list[Fault]]:
    """The targets of each scenario that has some, and those that are nobody's; of a single scenario all are.

    >>> split_targets("kill=1..2, boar:panic=3..", ["boar"])
    ({'boar': 'kill=1..2, panic=3..'}, [])
    """
    found: dict[str, list[str]] = {}
    faults = list[Fault]()
    longest_first = sorted(names, key=len, reverse=True)
    for part in (part.strip() for part in text.split(",")):
        owner = next((name for name in longest_first if part.startswith(f"{name}:")), None)
        stranger, colon, _ = part.partition("=")[0].rpartition(":")
        if owner is not None:
            found.setdefault(owner, []).append(part.removeprefix(f"{owner}:").strip())
        elif colon:
            faults.append(Fault("target", part, f"speaks of '{stranger}', which is not tuned here", ", ".join(names)))
        elif len(names) == 1:
            found.setdefault(names[0], []).append(part)
        elif part:
            faults.append(Fault("target", part, "does not say whose it is", f"{names[0]}:{part}"))
        else:
            faults.append(Fault("target", text, "has an empty part", FORMS))
    return {name: ", ".join(parts) for name, parts in found.items()}, faults


def _wanted(
    codex: Codex, name: str, context: ScenarioContext, texts: Mapping[str, str], alone: bool
) -> ScenarioTargets:
    """The scenario's own targets, else those that the content ships."""
    text = texts[name] if name in texts else shipped_bands(codex, name)
    if not text:
        right = "--target NAME=BAND" if alone else f"--target {name}:NAME=BAND"
        raise FaultyError("no targets", [Fault("scenario", name, "has no bands in the content's target sets", right)])
    try:
        return ScenarioTargets(name, context, read_targets(text, context))
    except FaultyError as error:
        faults = [replace(fault, where="" if alone else name) for fault in error.faults]
        raise FaultyError(error.headline, faults) from None


# --- levers -----------------------------------------------------------------------------------------------------------


def chosen(levers: Sequence[Lever], only: Sequence[str], without: Sequence[str]) -> list[Lever]:
    """The levers whose id fits one of the first patterns, if there are some, and none of the second (`*` and `?`)."""
    ids = [lever.id for lever in levers]
    faults = [*_strange("only", only, ids), *_strange("without", without, ids)]
    found = [lever for lever in levers if (not only or _fits(lever, only)) and not _fits(lever, without)]
    if levers and not found and not faults:
        patterns = ", ".join([*only, *without])
        faults.append(Fault("only, without", patterns, "leave no lever to turn", "patterns that leave some"))
    if faults:
        raise FaultyError(f"{len(faults)} fault(s) in the choice of levers", faults)
    return found


def _fits(lever: Lever, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(lever.id, pattern) for pattern in patterns)


def _strange(field: str, patterns: Sequence[str], ids: Sequence[str]) -> Iterator[Fault]:
    """Patterns that no lever fits: a slip, which would otherwise pass for a choice."""
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in ids):
            close = get_close_matches(pattern, ids, n=1)
            entries = list(dict.fromkeys(f"{name.partition('.')[0]}.*" for name in ids))
            listed = [*entries[:MOST_LISTED], *(["…"] if len(entries) > MOST_LISTED else [])]
            yield Fault(field, pattern, "fits no lever of these groups", ", ".join(close or listed))
