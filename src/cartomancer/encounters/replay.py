"""Replays and saves: scenario, seed and actions, with digests that tell what changed and where.

A replay file is JSON. `trace` holds four hex digits of the state hash after every decision, so that a replay which
comes out differently can say at which decision. `digest` covers everything else in the file: a damaged or edited file
is refused before anything is played. `players` says who played each side, where somebody kept it; it decides nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from cartomancer.content.codex import Codex
from cartomancer.encounters.encounter import RULESET, Encounter
from cartomancer.encounters.names import SIDES
from cartomancer.encounters.packing import Packed, pack
from cartomancer.errors import DivergedError, Fault, IllegalActionError, NotationError, ReplayError
from cartomancer.input_files import InputFileError, read_input, text_faults
from cartomancer.rng import MAX_SEED
from cartomancer.seals import SEAL, seal_faults, sealed, with_check, without_check

FORMAT: Final = "cartomancer-replay"
VERSION: Final = 1
TRACE_DIGITS: Final = 4
NOTATION: Final = re.compile(
    r"encounter:(?P<scenario>[^|]+)\|r(?P<ruleset>[0-9]{1,9})\.(?P<digest>[0-9a-f]{12})\|(?P<seed>[0-9]{1,20})\|(?P<actions>[0-9a-z]*)"
)
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Replay:
    """A recorded run, finished or not."""

    scenario: str
    ruleset: int
    scenario_digest: str
    seed: int
    actions: tuple[int, ...]
    trace: str
    final_hash: str
    players: Mapping[str, str] | None = None  # by side

    def as_dict(self) -> dict[str, Any]:
        body = {"format": FORMAT, "version": VERSION, "ruleset": self.ruleset, **asdict(self)}
        body |= {"seed": str(self.seed), "actions": list(self.actions)}
        if self.players is None:
            del body["players"]
        return sealed(body)

    def to_json(self) -> str:
        """The file's text."""
        return json.dumps(self.as_dict(), indent=1) + "\n"


def record(encounter: Encounter, players: Mapping[str, str] | None = None) -> Replay:
    """The encounter so far as a replay, with who played."""
    return Replay(
        scenario=encounter.packed.name,
        ruleset=RULESET,
        scenario_digest=encounter.packed.digest,
        seed=encounter.seed,
        actions=tuple(encounter.actions),
        trace="".join(found[:TRACE_DIGITS] for found in encounter.trace),
        final_hash=encounter.state_hash(),
        players=players,
    )


def read_replay(text: str, where: str = "replay") -> Replay:
    """A replay from the text of its file, or a ReplayError with every fault."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"{where}: not valid JSON", [Fault("file", None, str(error), where=where)]) from None
    ReplayError.refuse(where, "not a readable replay", text_faults(data))
    ReplayError.refuse(where, "not a readable replay", _shape_faults(data))
    ReplayError.refuse(where, "refused by its digest", seal_faults(data))
    for head in ("format", "version", SEAL):
        del data[head]
    return Replay(**data | {"seed": int(data["seed"]), "actions": tuple(data["actions"])})


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_seed(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[0-9]{1,20}", value)) and int(value) <= MAX_SEED


def _are_actions(value: Any) -> bool:
    return isinstance(value, list) and all(_is_count(action) and action < 10_000 for action in value)


def _are_players(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == set(SIDES) and all(map(_is_text, value.values()))


_A_TEXT: Final = (_is_text, "is not a text", "a text")
# the fields of a file: what holds of each, what is said where it does not, and what would be right
SHAPE: Final[dict[str, tuple[Callable[[Any], bool], str, str]]] = {
    "ruleset": (_is_count, "is not a number", "a ruleset version"),
    **dict.fromkeys(("scenario", "scenario_digest", "final_hash", "digest", "trace"), _A_TEXT),
    "seed": (_is_seed, "is not a seed", f"a number from 0 to {MAX_SEED}, as text"),
    "actions": (_are_actions, "is not a list of actions", "numbers"),
    "players": (_are_players, "does not name a player for each side", f"texts for {' and '.join(SIDES)}"),
}


def _shape_faults(data: Any) -> list[Fault]:
    """Everything that keeps the data from being a replay."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return [Fault("format", None, "is not a replay's", FORMAT)]
    if data.get("version") != VERSION:
        return [Fault("version", data.get("version"), "is not known here", str(VERSION))]
    wrong = {field: said for field, (holds, *said) in SHAPE.items() if not holds(data.get(field))}
    if "players" not in data:
        del wrong["players"]
    if not wrong.keys() & {"trace", "actions"} and len(data["trace"]) != TRACE_DIGITS * len(data["actions"]):
        digits = f"{TRACE_DIGITS * len(data['actions'])} hex digits"
        wrong["trace"] = ["does not have its four digits for every action", digits]
    strange = [field for field in data if field not in {"format", "version", *SHAPE}]
    wrong |= {field: ["is not a field of replays", "nothing"] for field in strange}
    return [Fault(field, data.get(field), problem, expected) for field, (problem, expected) in wrong.items()]


def load_replay(path: Path) -> Replay:
    """A replay from its file."""
    try:
        text = read_input(path)
    except InputFileError as error:
        raise ReplayError(f"{path}: cannot be read", [Fault("file", None, str(error), where=str(path))]) from None
    return read_replay(text, str(path))


def play_replay(replay: Replay, codex: Codex | None = None) -> Encounter:
    """Play a replay to its end, or say at which decision it comes out differently; refused if content or rules have
    changed."""
    packed = pack(replay.scenario, codex)
    written = {"ruleset": (replay.ruleset, RULESET), "scenario_digest": (replay.scenario_digest, packed.digest)}
    if other := _other_rules("replay", replay.ruleset, replay.scenario_digest, packed):
        differing = ((name, was, str(now)) for name, (was, now) in written.items() if was != now)
        raise ReplayError(other, [Fault(name, was, "is not that of today", now) for name, was, now in differing])
    reason = "neither rules nor content changed, so the trace was not made by this engine"
    encounter = Encounter(packed, replay.seed)
    for number, action in enumerate(replay.actions, 1):
        try:
            encounter.apply(action)
        except IllegalActionError as error:
            raise DivergedError(number, f"{error}; {reason}") from None
        start = (number - 1) * TRACE_DIGITS
        if encounter.trace[-1][:TRACE_DIGITS] != replay.trace[start : start + TRACE_DIGITS]:
            raise DivergedError(number, reason)
    if encounter.state_hash() != replay.final_hash:
        raise DivergedError(len(replay.actions), reason)
    return encounter


def _other_rules(what: str, ruleset: int, digest: str, packed: Packed) -> str:
    """The sentence that refuses what other rules or other content made; none where both are those of today."""
    if (ruleset, digest) == (RULESET, packed.digest):
        return ""
    today = f"r{RULESET}.{packed.digest}"
    return f"the {what} was written with other rules or content: r{ruleset}.{digest}, here they are {today}"


# --- one-line notation ------------------------------------------------------------------------------------------------


def notation(encounter: Encounter) -> str:
    """The position in one line: scenario, ruleset and content, seed, two characters for every action, check letters.

    >>> fight = Encounter("boar", seed=42).play(["keep", "keep"])
    >>> notation(fight).split("|")[2:]
    ['42', '8w8w~WL']
    """
    moves = "".join(DIGITS[action // 36] + DIGITS[action % 36] for action in encounter.actions)
    return with_check(
        f"encounter:{encounter.packed.name}|r{RULESET}.{encounter.packed.digest}|{encounter.seed}|{moves}"
    )


def from_notation(text: str, codex: Codex | None = None) -> Encounter:
    """The encounter at the position of a one-line notation; refused if mistyped, or if content or rules changed."""
    match = NOTATION.fullmatch(without_check(text.strip()))
    if match is None or len(match["actions"]) % 2 or int(match["seed"]) > MAX_SEED:
        form = "encounter:SCENARIO|rN.DIGEST|SEED|ACTIONS[~CHECK]"
        raise NotationError(f"not a position: '{text}' (right would be: {form})")
    packed = pack(match["scenario"], codex)
    if other := _other_rules("position", int(match["ruleset"]), match["digest"], packed):
        raise NotationError(other)
    moves = match["actions"]
    return Encounter(packed, int(match["seed"])).play(int(moves[at : at + 2], 36) for at in range(0, len(moves), 2))
