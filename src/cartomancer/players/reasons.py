"""Why a computer player chose what it chose: every option with its score, the parts of the score, the plan of the turn.

>>> from cartomancer.encounters import Encounter
>>> from cartomancer.players.player import Player
>>> fight = Encounter("boar", seed=42).play(["keep", "keep"])
>>> player = Player("heuristic")
>>> found = explain(player, fight)
>>> found.kind, found.chosen.action == player.choose(fight)
('turn', True)

Scores, parts and the numbers of formulas are thousandths of a point, chances thousandths: as the players reckon. An
explanation says what the asked side may know and no more: the price of a veiled Offer is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.rules_text import counted, listed
from cartomancer.encounters import names
from cartomancer.encounters.actions import WITH_CARD, seat_names, split
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.kernel import codes
from cartomancer.encounters.kernel.energy import cost_of
from cartomancer.encounters.kernel.layout import numbered_card
from cartomancer.encounters.kernel.offers import is_veiled
from cartomancer.figures import chance, points
from cartomancer.players.explanation import Explanation, Option
from cartomancer.players.kernel.bargains import benefit_score, low_share
from cartomancer.players.kernel.heuristic import MOST_ENERGY_KEPT
from cartomancer.players.kernel.player_codes import Kind, Mode, Part
from cartomancer.players.kernel.reading import low_reducers
from cartomancer.players.kernel.sequencer import gain_of_source, grows_pool, price_of_source
from cartomancer.players.player import Player, Players
from cartomancer.players.policies import profiles_of
from cartomancer.players.trace import EMPTIES, GROWS, KEPT, PLAYED, Arm, Step, Trace, gives, plan_of, saves_for_covenant
from cartomancer.players.tracker import track

DEEDS: Final[dict[int, str]] = {  # what a player does by its verb; {} is what it is done with or to
    int(codes.END_TURN): "ends the turn",
    int(codes.PLAY): "plays {}",
    int(codes.ACTIVATE): "activates {}",
    int(codes.RESTRAIN): "discards {} in restraint",
    int(codes.RETREAT): "retreats",
    int(codes.KEEP): "keeps the hand",
    int(codes.MULLIGAN): "deals again",
    int(codes.HIT_RESOURCE): "strikes at {}",
    int(codes.HIT_SEAT): "strikes at the {}",
    int(codes.ANSWER): "answers with {}",
    int(codes.TAKE_HIT): "takes the hit",
    int(codes.ACCEPT): "accepts {}",
    int(codes.REFUSE): "refuses {}",
    int(codes.COOPERATE): "cooperates",
    int(codes.DEFECT): "defects",
}
SCORED: Final = [part.name.lower() for part in Part if part not in {Part.VALUE, Part.COST}]
# every part a score may have, as tables show them: also what a source or a React costs, what an Offer must pass
PARTS: Final = (*SCORED, "kept", "price", "threshold", "risk", "scepticism")


def explain(players: Players | Player, encounter: Encounter, codex: Codex | None = None) -> Explanation:
    """Why the player of the asked side chooses what it chooses; the encounter stays as it is."""
    trace = Trace(players.at(encounter) if isinstance(players, Player) else players, encounter)
    if len(trace.legal) == 1:
        found = _told(trace, [_option(trace, trace.chosen)], "nothing else is possible")
    elif trace.player is Kind.RANDOM:
        options = [_option(trace, action) for action in trace.legal]
        found = _told(trace, options, f"any of {len(options)}, each as likely")
    elif trace.habit:
        found = _told(trace, [_option(trace, action) for action in trace.legal], f"a habit: {trace.habit}")
    elif trace.player is Kind.SMART and trace.growth is None:
        found = _by_rollouts(trace)
    elif trace.player is Kind.MONTECARLO and trace.decision.kind in {"react", "resource", "member"}:
        found = _reply_by_rollouts(trace)
    else:
        found = ACCOUNTS[trace.decision.kind](trace)
    if trace.player is Kind.RANDOM:
        return found
    spec = trace.players.policies.of(trace.decision.side)
    profile = profiles_of(codex or load_codex(), trace.players.packed, trace.p, spec)[int(trace.state["room"])]
    return replace(
        found,
        profile=profile.id,
        plays_as=profile.courts_like if trace.courting and profile.courts_like else profile.id,
        stance=trace.stance.name.lower(),
        mode=Mode(int(trace.workspace["mode"])).name.lower(),
        chance=int(trace.workspace["chance"]),
        tracker=track(encounter, trace.decision.side) if trace.has_rollouts else None,
    )


def _told(
    trace: Trace,
    options: list[Option],
    reason: str,
    formula: Mapping[str, int | bool] | None = None,
    plan: tuple[Step, ...] = (),
) -> Explanation:
    """What one kind of decision has to say for itself."""
    side, kind = trace.decision.side, trace.decision.kind
    player = str(trace.players.policies.of(side))
    return Explanation(
        side=side,
        kind=kind,
        player=player,
        options=tuple(options),
        plan=plan,
        formula=formula or {},
        deed=_deed(trace),
        reason=reason,
    )


def _option(trace: Trace, action: int, parts: Mapping[str, int] | None = None, **known: Any) -> Option:
    """An option with what is known of it."""
    told = {name: part for name, part in (parts or {}).items() if part}
    return Option(action, trace.encounter.text_of(action), parts=told, chosen=action == trace.chosen, **known)


def _chosen(options: list[Option]) -> Option:
    return next(option for option in options if option.chosen)


def _scored(option: Option) -> str:
    """A score with its parts, the weightiest first."""
    parts = sorted(option.parts.items(), key=lambda part: -abs(part[1]))
    shown = ", ".join(f"{name} {points(part)}" for name, part in parts)
    return f"worth {points(option.score or 0)}" + (f" ({shown})" if shown else "")


def _deed(trace: Trace) -> str:
    """What the player does, in words."""
    verb, argument = split(trace.chosen)
    what = ""
    if verb in WITH_CARD:
        what = trace.title(argument)
    elif verb == codes.HIT_RESOURCE:
        what = names.RESOURCES[1 - trace.p][argument]
    elif verb == codes.HIT_SEAT:
        what = seat_names(trace.players.packed)[argument]
    elif verb in {codes.ACCEPT, codes.REFUSE}:
        what = (
            "a veiled Offer" if _is_veiled(trace) else trace.players.packed.cards[trace.state["flight"]["card"]].title
        )
    return DEEDS[verb].format(what)


# --- turns ------------------------------------------------------------------------------------------------------------


def _turn(trace: Trace) -> Explanation:
    """A turn: what each card is worth, which of them are planned, what pays for them."""
    plan = () if trace.flees else plan_of(trace)
    planned = {step.action for step in plan}
    options = [_turn_option(trace, action, action in planned) for action in trace.legal]
    return _told(trace, options, _why_turn(trace, options, plan), plan=plan)


def _turn_option(trace: Trace, action: int, planned: bool) -> Option:
    """One option of a turn."""
    verb, instance = split(action)
    if verb == codes.END_TURN:
        idle = int(trace.workspace["idle"]) if trace.workspace["rolled_out"] else None
        return _option(trace, action, score=0, worth=idle, note="what a plan must beat")
    if verb == codes.RETREAT:
        least = int(trace.weights["retreats_below"])
        return _option(trace, action, note=f"only below {chance(least)} to win" if least else "never")
    if verb == codes.RESTRAIN:
        willing = trace.courting and int(trace.weights["restraint"]) > 0
        return _option(trace, action, note="for trust, if no plan is left" if willing else "not in this stance")
    energy = trace.category(instance) == codes.ENERGY
    if energy and grows_pool(trace.tables, trace.state, trace.p, trace.card(instance)):
        return _option(trace, action, cost=0, planned=planned, note=GROWS)
    if energy or verb == codes.ACTIVATE:
        return _source(trace, action, planned)
    return _card_option(trace, action, planned)


def _card_option(trace: Trace, action: int, planned: bool) -> Option:
    """Playing a card: its score. Of one by rollouts the parts are what they end better by than after ending the turn,
    and what trust adds; else trust is as its category's weight counts it, and `mode` what weight and mode do to the
    rest."""
    _, instance = split(action)
    place, card, limit = trace.hand.index(instance), trace.card(instance), int(trace.weights["strikes_below"])
    row, rolled_out = trace.row(place), int(trace.workspace["rolled_out"]) >> place & 1
    if rolled_out:
        parts = {"gain": row["gain"], "trust": row["trust"] if trace.courting else 0}
    else:
        weight = int(trace.weights["categories"][int(card["category"])])
        parts = _parts(row) | {"trust": row["trust"] * weight // 1000}
    return _option(
        trace,
        action,
        parts,
        score=row["value"],
        cost=int(cost_of(trace.state, trace.p, card)),
        worth=row["chance"] if rolled_out else None,
        planned=planned,
        note=f"no Strikes from trust {limit} on" if card["category"] == codes.STRIKE and trace.trust >= limit else "",
    )


def _parts(row: Mapping[str, int]) -> dict[str, int]:
    """The parts of a score in a row of the scores."""
    return {name: row[name] for name in SCORED}


def _source(trace: Trace, action: int, planned: bool) -> Option:
    """An option that is there to give energy: what using it up costs."""
    _, instance = split(action)
    card, place = trace.card(instance), trace.hand.index(instance)
    saving = saves_for_covenant(trace)
    price = int(price_of_source(trace.thinking, trace.workspace, card, place, saving, trace.courting))
    note = gives(int(gain_of_source(card)))
    return _option(trace, action, parts={"kept": -price}, score=-price, planned=planned, note=note)


def _why_turn(trace: Trace, options: list[Option], plan: tuple[Step, ...]) -> str:
    """The reason for a turn's choice."""
    chosen = _chosen(options)
    verb, _ = split(chosen.action)
    if verb == codes.RETREAT:
        return f"it fights on from {chance(int(trace.weights['retreats_below']))} only"
    if verb == codes.RESTRAIN:
        return "nothing is worth playing, and a Strike left undone earns trust"
    if verb == codes.END_TURN:
        kept = _titles(trace, plan, KEPT)
        return f"what energy is left is for {listed(kept)}" if kept else "nothing in hand is worth playing"
    if chosen.note == GROWS:
        return "it grows the pool, and that comes before everything else"
    if any(step.role == EMPTIES for step in plan):
        return "nothing has a use for it, and an empty hand is dealt a card more"
    played = _titles(trace, plan, PLAYED)
    if any(step.action == chosen.action and step.role != PLAYED for step in plan):
        return f"it {chosen.note} to pay for {listed(played)}"
    reason = _scored(chosen)
    if chosen.worth is not None:
        idle = next(option.worth for option in options if split(option.action)[0] == codes.END_TURN)
        reason += f"; rollouts end at {points(chosen.worth)}, after ending the turn at {points(idle or 0)}"
    return f"{reason}; {listed(played[1:])} to follow" if len(played) > 1 else reason


def _titles(trace: Trace, plan: tuple[Step, ...], role: str) -> list[str]:
    """The cards that have a role in the plan."""
    return [trace.title(split(step.action)[1]) for step in plan if step.role == role]


# --- replies ----------------------------------------------------------------------------------------------------------


def _by_rollouts(trace: Trace) -> Explanation:
    """A smart player's choice: what runs were worth after each option, and by how much they beat the default's."""
    arms = trace.arms
    options = [_tried(trace, action, arms.get(action)) for action in trace.legal]
    default, chosen = next(iter(arms)), arms[trace.chosen]
    reason = f"nothing is clearly better than what a heuristic player does; it is worth {chance(chosen.worth)}"
    if trace.chosen != default:
        more, instead = points(10 * chosen.lead), trace.encounter.text_of(default)
        reason = f"runs after it are worth {chance(chosen.worth)}, {more} points more than after '{instead}'"
    return _told(trace, options, reason)


def _tried(trace: Trace, action: int, arm: Arm | None) -> Option:
    if arm is None:
        return _option(trace, action, note="not tried: too many options")
    note = counted(arm.rollouts, "rollout")
    return _option(trace, action, {"gain": arm.lead}, score=arm.lead, worth=arm.worth, note=note)


def _reply_by_rollouts(trace: Trace) -> Explanation:
    """A Monte Carlo player's React or target: the mean worth of the rollouts after each."""
    worths = [(action, row["value"]) for action, row in trace.rows()]
    options = [_option(trace, action, {"chance": worth}, score=worth, worth=worth) for action, worth in worths]
    rollouts = counted(int(trace.policies["sides"][trace.p]["rollouts"]), "rollout")
    return _told(trace, options, f"of {rollouts} each, its own end best, at {points(_chosen(options).score or 0)}")


def _react(trace: Trace) -> Explanation:
    """A React: what it saves, against what its card and its energy are worth."""
    options = [_option(trace, trace.legal[0], score=0, note="what a React must beat")]
    for action, row in trace.rows()[1:]:
        parts = _parts(row) | {"price": -row["cost"]}
        cost = int(cost_of(trace.state, trace.p, trace.card(split(action)[1])))
        options.append(_option(trace, action, parts, score=row["value"], cost=cost))
    best = _chosen(options)
    return _told(trace, options, _scored(best) if best.score else "no React is worth its card and energy")


def _resource(trace: Trace) -> Explanation:
    """The reducer a Strike in flight aims at."""
    options = [_option(trace, action, _parts(row), score=row["value"]) for action, row in trace.rows()]
    return _told(trace, options, _scored(_chosen(options)))


def _member(trace: Trace) -> Explanation:
    """The member a Strike in flight aims at."""
    return _drawn(trace, {"total": sum(row["chance"] for _, row in trace.rows())})


def _covenant(trace: Trace) -> Explanation:
    """Accepting a Covenant: trust, need and memory give a chance [Bond 6.2]."""
    low = int(low_reducers(trace.workspace["shares"], trace.p, int(trace.thinking["low_percent"])))
    struck = bool(trace.state["sides"][1 - trace.p]["strikes"] > 0)
    chances = {"chance": trace.row(0)["chance"], "trust": trace.trust}
    return _drawn(trace, {**chances, "low_reducers": low, "was_struck": struck})


def _test(trace: Trace) -> Explanation:
    """Cooperating in a Test: trust gives a chance (E3)."""
    return _drawn(trace, {"chance": trace.row(0)["chance"], "trust": trace.trust})


def _drawn(trace: Trace, formula: Mapping[str, int | bool]) -> Explanation:
    """A choice by chance, weighted."""
    weights = [(action, row["chance"]) for action, row in trace.rows()]
    total = max(1, sum(weight for _, weight in weights))
    options = [
        _option(trace, action, {"chance": weight}, score=weight, note=chance(1000 * weight // total))
        for action, weight in weights
    ]
    return _told(trace, options, f"drawn by chance, {_chosen(options).note} for it", formula)


def _mulligan(trace: Trace) -> Explanation:
    """Keeping a hand: one that is mostly Energy is dealt again."""
    energy = [trace.category(instance) for instance in trace.hand].count(int(codes.ENERGY))
    reason = f"{energy} of its {len(trace.hand)} cards are Energy, and it keeps up to {MOST_ENERGY_KEPT}"
    formula = {"energy_in_hand": energy, "most_energy_kept": MOST_ENERGY_KEPT}
    return _told(trace, [_option(trace, action) for action in trace.legal], reason, formula)


# --- bargains ---------------------------------------------------------------------------------------------------------


def _offered(trace: Trace) -> Any:
    """The Offer in question."""
    return numbered_card(trace.tables, trace.state["flight"]["card"])


def _is_veiled(trace: Trace) -> bool:
    """Whether the asked side does not see the price."""
    offerer = int(trace.state["flight"]["striker"])
    return bool(is_veiled(trace.tables, trace.state, offerer, _offered(trace)))


def _offer(trace: Trace) -> Explanation:
    """An Offer: what accepting brings against what it must pass, which is what refusing counts for [Bond 3.5].

    A transparent trade brings its net; a veiled one as much of its good as trust makes believable. Need lowers the bar.
    """
    card, thinking, veiled = _offered(trace), trace.thinking, _is_veiled(trace)
    (accept, brings), (refuse, needed) = trace.rows()
    gains = {name: brings[name] for name in ("gain", "trust", "backlash")}
    scepticism = int(trace.weights["scepticism"])
    bar = {"risk" if veiled else "threshold": needed["value"] - scepticism, "scepticism": scepticism}
    options = [
        _option(trace, accept, gains, score=brings["value"], note="must be more than refusing"),
        _option(trace, refuse, bar, score=needed["value"]),
    ]
    formula = {
        "veiled": veiled,
        "benefit": int(benefit_score(trace.state, trace.p, card)),
        "goodwill": int(trace.weights["openness"]) * int(card["trust"]),
        "pressure": int(low_share(thinking, trace.workspace["shares"], trace.p)),
    }
    if veiled:
        formula["belief"] = int(thinking["trust_factor"]) + int(thinking["trust_factor_step"]) * trace.trust
    else:
        formula["cost"] = -brings["backlash"]
    formula |= {**bar, "brings": brings["value"], "needed": needed["value"]}
    reason = f"it brings {points(brings['value'])}, and more than {points(needed['value'])} would do"
    return _told(trace, options, reason, formula)


ACCOUNTS: Final[dict[str, Callable[[Trace], Explanation]]] = {
    "mulligan": _mulligan,
    "turn": _turn,
    "resource": _resource,
    "member": _member,
    "react": _react,
    "offer": _offer,
    "covenant": _covenant,
    "test": _test,
}
