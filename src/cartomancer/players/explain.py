"""Why a computer player chose what it chose: every option with its score, the parts of the score, the plan of the turn.

>>> from cartomancer.encounters import Encounter
>>> from cartomancer.players.player import seat
>>> fight = Encounter("boar", seed=42).play(["keep", "keep"])
>>> players = seat(fight.packed)
>>> found = explain(players, fight)
>>> found.kind, found.chosen.action == players.choose(fight)
('turn', True)

Scores, parts and the numbers of formulas are thousandths of a point, chances thousandths: as the players reckon. An
explanation says what the asked side may know and no more: the price of a veiled Offer is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters import names
from cartomancer.encounters.actions import WITH_CARD, seat_names, split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes as rules
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.offers import is_veiled
from cartomancer.errors import CartomancerError
from cartomancer.players.explanation import Explanation, Option, percent, points
from cartomancer.players.kernel import codes
from cartomancer.players.kernel.bargains import benefit_score, cost_score, low_share
from cartomancer.players.kernel.heuristic import score_hand
from cartomancer.players.kernel.reading import low_reducers
from cartomancer.players.kernel.replies import MOST_ENERGY_KEPT
from cartomancer.players.kernel.sequencer import gain_of_source, grows_pool, price_of_source
from cartomancer.players.minds import Seating, profiles_of
from cartomancer.players.player import Players
from cartomancer.players.sheet import Sheet, think
from cartomancer.players.tracker import track
from cartomancer.players.turn_plan import GROWS, KEPT, PLAYED, Step, gives, plan_of, saves_for_covenant

FACES: Final = ("fighting", "courting")  # in the order of their codes, as all of these
MODES: Final = ("aggressive", "balanced", "defensive", "desperate")
DEEDS: Final = (  # {} is what it is done with or to
    *("ends the turn", "plays {}", "activates {}", "discards {} in restraint", "retreats", "keeps the hand"),
    *("deals again", "strikes at {}", "strikes at the {}", "answers with {}", "takes the hit", "accepts {}"),
    *("refuses {}", "cooperates", "defects"),
)
UNSCORED: Final = {"value", "cost"}  # columns of the desk that are no parts of a score
# every part a score may have: the desk's, what using up a source or a React costs, what an Offer must pass
PARTS: Final = (
    *(name for name in codes.PARTS if name not in UNSCORED),
    *("kept", "price", "threshold", "risk", "scepticism"),
)


@dataclass(frozen=True)
class _Account:
    """What one kind of decision has to say for itself."""

    options: list[Option]
    reason: str
    formula: Mapping[str, int | bool] = field(default_factory=dict)
    plan: tuple[Step, ...] = ()


def explain(players: Players, encounter: Encounter, codex: Codex | None = None) -> Explanation:
    """Why the player of the asked side chooses what it chooses; the encounter stays as it is."""
    decision = encounter.decision
    if decision is None:
        raise CartomancerError("the run is over: nobody is asked")
    sheet = think(players, encounter)
    account = _account_of(sheet, decision.kind)
    seated = (players.minds.dungeon, players.minds.visitor)[sheet.p]
    profile = plays_as = face = mode = chance = None
    if sheet.player != codes.RANDOM:
        profile, plays_as = _profiles(sheet, seated, codex or load_codex())
        face, mode = FACES[int(sheet.thoughts["stance"])], MODES[int(sheet.thoughts["mode"])]
        chance = int(sheet.thoughts["chance"])
    return Explanation(
        *(decision.side, decision.kind, str(seated), profile, plays_as, face, mode, chance),
        *(tuple(account.options), account.plan, account.formula, _deed(sheet), account.reason),
        tracker=track(encounter, decision.side) if sheet.is_smart else None,
    )


def _profiles(sheet: Sheet, seated: Seating, codex: Codex) -> tuple[str, str]:
    """The profile of the side here, and the one whose weights it uses with this face."""
    profile = profiles_of(codex, sheet.players.packed, sheet.p, seated)[int(sheet.state["room"])]
    return profile.id, profile.courts_like if sheet.courting and profile.courts_like else profile.id


def _account_of(sheet: Sheet, kind: str) -> _Account:
    if len(sheet.legal) == 1:
        return _Account([_option(sheet, sheet.chosen)], "nothing else is possible")
    if sheet.player == codes.RANDOM:
        options = [_option(sheet, action) for action in sheet.legal]
        return _Account(options, f"any of {len(options)}, each as likely")
    if sheet.is_smart and kind in {"react", "resource", "member"}:
        return _imagined_reply(sheet)
    return ACCOUNTS[kind](sheet)


def _option(sheet: Sheet, action: int, parts: Mapping[str, int] | None = None, **known: Any) -> Option:
    """An option with what is known of it."""
    told = {name: part for name, part in (parts or {}).items() if part}
    return Option(action, sheet.encounter.text_of(action), parts=told, chosen=action == sheet.chosen, **known)


def _chosen(options: list[Option]) -> Option:
    return next(option for option in options if option.chosen)


def _scored(option: Option) -> str:
    """A score with its parts, the weightiest first."""
    parts = sorted(option.parts.items(), key=lambda part: -abs(part[1]))
    shown = ", ".join(f"{name} {points(part)}" for name, part in parts)
    return f"worth {points(option.score or 0)}" + (f" ({shown})" if shown else "")


def _deed(sheet: Sheet) -> str:
    """What the player does, in words."""
    verb, argument = split(sheet.chosen)
    what = ""
    if verb in WITH_CARD:
        what = sheet.title(argument)
    elif verb == rules.HIT_RESOURCE:
        what = names.RESOURCES[1 - sheet.p][argument]
    elif verb == rules.HIT_SEAT:
        what = seat_names(sheet.players.packed)[argument]
    elif verb in {rules.ACCEPT, rules.REFUSE}:
        what = "a veiled Offer" if _is_veiled(sheet) else sheet.players.packed.cards[_offered(sheet)].title
    return DEEDS[verb].format(what)


# --- turns ------------------------------------------------------------------------------------------------------------


def _turn(sheet: Sheet) -> _Account:
    """A turn: what each card is worth, which of them are planned, what pays for them."""
    flees = split(sheet.chosen)[0] == rules.RETREAT
    plan = () if flees else plan_of(sheet)
    imagined = set() if flees else _imagined_rows(sheet)
    planned = {step.action for step in plan}
    options = [_turn_option(sheet, action, imagined, action in planned) for action in sheet.legal]
    return _Account(options, _why_turn(sheet, options, plan), plan=plan)


def _imagined_rows(sheet: Sheet) -> set[int]:
    """Places in hand that a smart player scores by playouts: of what it can play, what is worth a thought."""
    if not sheet.is_smart or sheet.growth is not None:
        return set()
    paper = sheet.paper()
    score_hand(sheet.tables, sheet.minds, sheet.face, sheet.state, sheet.p, paper, sheet.courting)
    playable = [split(action)[1] for action in sheet.legal if split(action)[0] == rules.PLAY]
    rows = [sheet.hand.index(instance) for instance in playable]
    return {row for row in rows if paper["desk"][row][int(codes.VALUE)]}


def _turn_option(sheet: Sheet, action: int, imagined: set[int], planned: bool) -> Option:
    """One option of a turn."""
    verb, instance = split(action)
    if verb == rules.END_TURN:
        return _option(sheet, action, score=0, worth=_idle_worth(sheet, imagined), note="what a plan must beat")
    if verb == rules.RETREAT:
        least = int(sheet.face["retreats_below"])
        return _option(sheet, action, note=f"only below {percent(least)} to win" if least else "never")
    if verb == rules.RESTRAIN:
        willing = sheet.courting and int(sheet.face["restraint"]) > 0
        return _option(sheet, action, note="for trust, if no plan is left" if willing else "not with this face")
    energy = sheet.category(instance) == rules.ENERGY
    if energy and grows_pool(sheet.tables, sheet.state, sheet.p, sheet.card(instance)):
        return _option(sheet, action, cost=0, planned=planned, note=GROWS)
    if energy or verb == rules.ACTIVATE:
        return _source(sheet, action, planned)
    return _card_option(sheet, action, sheet.hand.index(instance) in imagined, planned)


def _card_option(sheet: Sheet, action: int, imagined: bool, planned: bool) -> Option:
    """Playing a card: its score, by playouts if they were asked."""
    _, instance = split(action)
    row, card = sheet.row(sheet.hand.index(instance)), sheet.card(instance)
    return _option(
        sheet,
        action,
        parts=_imagined_parts(sheet, row) if imagined else _card_parts(sheet, card, row),
        score=row["value"],
        cost=int(cost_of(sheet.state, sheet.p, card)),
        worth=row["chance"] if imagined else None,
        planned=planned,
        note=_why_worthless(sheet, card),
    )


def _card_parts(sheet: Sheet, card: Any, row: Mapping[str, int]) -> dict[str, int]:
    """The parts of a card's score: trust as its category's weight counts it, in `mode` what weight and mode do to the
    rest."""
    parts = {name: part for name, part in row.items() if name not in UNSCORED}
    return parts | {"trust": row["trust"] * int(sheet.face["weights"][int(card["category"])]) // 1000}


def _imagined_parts(sheet: Sheet, row: Mapping[str, int]) -> dict[str, int]:
    """The parts of a score by playouts: what they end better by than after ending the turn, and what trust adds."""
    return {"gain": row["gain"], "trust": row["trust"] if sheet.courting else 0}


def _idle_worth(sheet: Sheet, imagined: set[int]) -> int | None:
    """How playouts end after ending the turn at once."""
    scale = int(sheet.thinking["imagination"])
    if not imagined or not scale:
        return None
    row = sheet.row(min(imagined))
    return row["chance"] - row["gain"] // scale


def _why_worthless(sheet: Sheet, card: Any) -> str:
    """Why a card is worth nothing, whatever it does."""
    limit = int(sheet.face["strikes_below"])
    return f"no Strikes from trust {limit} on" if card["category"] == rules.STRIKE and sheet.trust >= limit else ""


def _source(sheet: Sheet, action: int, planned: bool) -> Option:
    """An option that is there to give energy: what using it up costs."""
    _, instance = split(action)
    card, place = sheet.card(instance), sheet.hand.index(instance)
    saving = saves_for_covenant(sheet)
    price = int(price_of_source(sheet.thinking, sheet.thoughts, card, place, saving, sheet.courting))
    note = gives(int(gain_of_source(card)))
    return _option(sheet, action, parts={"kept": -price}, score=-price, planned=planned, note=note)


def _why_turn(sheet: Sheet, options: list[Option], plan: tuple[Step, ...]) -> str:
    """The reason for a turn's choice."""
    chosen = _chosen(options)
    verb, _ = split(chosen.action)
    if verb == rules.RETREAT:
        return f"it fights on from {percent(int(sheet.face['retreats_below']))} only"
    if verb == rules.RESTRAIN:
        return "nothing is worth playing, and a Strike left undone earns trust"
    if verb == rules.END_TURN:
        kept = _titles(sheet, plan, KEPT)
        return f"what energy is left is for {listed(kept)}" if kept else "nothing in hand is worth playing"
    if chosen.note == GROWS:
        return "it grows the pool, and that comes before everything else"
    played = _titles(sheet, plan, PLAYED)
    if any(step.action == chosen.action and step.role != PLAYED for step in plan):
        return f"it {chosen.note} to pay for {listed(played)}"
    reason = _scored(chosen)
    if chosen.worth is not None:
        idle = next(option.worth for option in options if split(option.action)[0] == rules.END_TURN)
        reason += f"; playouts end at {points(chosen.worth)}, after ending the turn at {points(idle or 0)}"
    return f"{reason}; {listed(played[1:])} to follow" if len(played) > 1 else reason


def _titles(sheet: Sheet, plan: tuple[Step, ...], role: str) -> list[str]:
    """The cards that have a role in the plan."""
    return [sheet.title(split(step.action)[1]) for step in plan if step.role == role]


# --- replies ----------------------------------------------------------------------------------------------------------


def _imagined_reply(sheet: Sheet) -> _Account:
    """A smart player's React or target: the mean worth of the playouts after each."""
    options = []
    for number, action in enumerate(sheet.legal):
        worth = sheet.row(number)["value"]
        options.append(_option(sheet, action, parts={"chance": worth}, score=worth, worth=worth))
    playouts = counted(int(sheet.minds["playouts"][sheet.p]), "playout")
    return _Account(options, f"of {playouts} each, its own end best, at {points(_chosen(options).score or 0)}")


def _react(sheet: Sheet) -> _Account:
    """A React: what it saves, against what its card and its energy are worth."""
    options = [_option(sheet, sheet.legal[0], score=0, note="what a React must beat")]
    for number, action in enumerate(sheet.legal[1:], 1):
        row = sheet.row(number)
        parts = {name: part for name, part in row.items() if name not in UNSCORED} | {"price": -row["cost"]}
        cost = int(cost_of(sheet.state, sheet.p, sheet.card(split(action)[1])))
        options.append(_option(sheet, action, parts, score=row["value"], cost=cost))
    best = _chosen(options)
    return _Account(options, _scored(best) if best.score else "no React is worth its card and energy")


def _resource(sheet: Sheet) -> _Account:
    """The reducer a Strike in flight aims at."""
    options = []
    for number, action in enumerate(sheet.legal):
        row = sheet.row(number)
        parts = {name: part for name, part in row.items() if name not in UNSCORED}
        options.append(_option(sheet, action, parts, score=row["value"]))
    return _Account(options, _scored(_chosen(options)))


def _member(sheet: Sheet) -> _Account:
    """The member a Strike in flight aims at."""
    weights = [sheet.row(number)["chance"] for number in range(len(sheet.legal))]
    return _drawn(sheet, weights, {"total": sum(weights)})


def _covenant(sheet: Sheet) -> _Account:
    """Accepting a Covenant: trust, need and memory give a chance [Bond 6.2]."""
    chances = [sheet.row(number)["chance"] for number in range(2)]
    low = int(low_reducers(sheet.thoughts["shares"], sheet.p, int(sheet.thinking["low_percent"])))
    struck = bool(sheet.state["sides"][1 - sheet.p]["strikes"] > 0)
    why: dict[str, int | bool] = {"chance": chances[0], "trust": sheet.trust, "low_reducers": low, "was_struck": struck}
    return _drawn(sheet, chances, why)


def _test(sheet: Sheet) -> _Account:
    """Cooperating in a Test: trust gives a chance (E3)."""
    chances = [sheet.row(number)["chance"] for number in range(2)]
    return _drawn(sheet, chances, {"chance": chances[0], "trust": sheet.trust})


def _drawn(sheet: Sheet, weights: list[int], formula: Mapping[str, int | bool]) -> _Account:
    """A choice by chance, weighted."""
    total = max(1, sum(weights))
    options = [
        _option(sheet, action, parts={"chance": weight}, score=weight, note=percent(1000 * weight // total))
        for action, weight in zip(sheet.legal, weights, strict=True)
    ]
    return _Account(options, f"drawn by chance, {_chosen(options).note} for it", formula)


def _mulligan(sheet: Sheet) -> _Account:
    """Keeping a hand: one that is mostly Energy is dealt again."""
    energy = [sheet.category(instance) for instance in sheet.hand].count(int(rules.ENERGY))
    reason = f"{energy} of its {len(sheet.hand)} cards are Energy, and it keeps up to {MOST_ENERGY_KEPT}"
    formula = {"energy_in_hand": energy, "most_energy_kept": MOST_ENERGY_KEPT}
    return _Account([_option(sheet, action) for action in sheet.legal], reason, formula)


# --- bargains ---------------------------------------------------------------------------------------------------------


def _offered(sheet: Sheet) -> int:
    """The number of the Offer in question."""
    return int(sheet.state["flight"]["card"])


def _is_veiled(sheet: Sheet) -> bool:
    """Whether the asked side does not see the price."""
    offerer = int(sheet.state["flight"]["striker"])
    return bool(is_veiled(sheet.tables, sheet.state, offerer, sheet.tables["cards"][_offered(sheet)]))


def _offer(sheet: Sheet) -> _Account:
    """An Offer: what accepting brings against what it must pass, which is what refusing counts for [Bond 3.5]."""
    card = sheet.tables["cards"][_offered(sheet)]
    benefit = int(benefit_score(sheet.tables, sheet.state, sheet.p, card))
    goodwill = int(sheet.face["openness"]) * int(card["trust"])
    pressure = int(low_share(sheet.thinking, sheet.thoughts["shares"], sheet.p))
    veiled = _is_veiled(sheet)
    gains, bar, more = (_veiled_terms if veiled else _open_terms)(sheet, benefit, goodwill, pressure)
    bar["scepticism"] = int(sheet.face["scepticism"])
    brings, needed = sum(gains.values()), sum(bar.values())
    accept, refuse = sheet.legal
    options = [
        _option(sheet, accept, gains, score=brings, note="must be more than refusing"),
        _option(sheet, refuse, bar, score=needed),
    ]
    formula = {"veiled": veiled, "benefit": benefit, "goodwill": goodwill, "pressure": pressure, **more, **bar}
    formula |= {"brings": brings, "needed": needed}
    return _Account(options, f"it brings {points(brings)}, and more than {points(needed)} would do", formula)


Terms = tuple[dict[str, int], dict[str, int], dict[str, int]]  # what is gained, what it must pass, further numbers


def _open_terms(sheet: Sheet, benefit: int, goodwill: int, pressure: int) -> Terms:
    """A transparent trade: its net, against a threshold that need lowers."""
    cost = int(cost_score(sheet.tables, sheet.state, sheet.p, sheet.tables["cards"][_offered(sheet)]))
    relief = int(sheet.thinking["threshold_relief"]) * pressure // 1000
    threshold = max(0, int(sheet.thinking["threshold"]) - relief)
    return {"gain": benefit, "trust": goodwill, "backlash": -cost}, {"threshold": threshold}, {"cost": cost}


def _veiled_terms(sheet: Sheet, benefit: int, goodwill: int, pressure: int) -> Terms:
    """A veiled one: as much of its good as trust makes believable, against a risk that need lowers."""
    belief = int(sheet.thinking["trust_factor"]) + int(sheet.thinking["trust_factor_step"]) * sheet.trust
    risk = int(sheet.thinking["risk"]) - int(sheet.thinking["risk_relief"]) * pressure // 1000
    believed = benefit * belief // 1000
    trusted = (benefit + goodwill) * belief // 1000 - believed
    return {"gain": believed, "trust": trusted}, {"risk": risk}, {"belief": belief}


ACCOUNTS: Final[dict[str, Callable[[Sheet], _Account]]] = {
    "mulligan": _mulligan,
    "turn": _turn,
    "resource": _resource,
    "member": _member,
    "react": _react,
    "offer": _offer,
    "covenant": _covenant,
    "test": _test,
}
