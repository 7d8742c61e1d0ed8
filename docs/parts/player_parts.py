"""Generated parts about computer players: profiles, weights, who plays what, acceptance in numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from cartomancer.content.codex import load_codex
from cartomancer.content.models.cards import Offer, Strike
from cartomancer.content.models.profile import CategoryWeights, MemberWeights, Profile, ThinkingTuning
from cartomancer.content.models.vocabulary import RESOURCES, Ending
from cartomancer.content.rules_text import card_text
from cartomancer.encounters import contest_odds
from cartomancer.players.kernel.player_codes import Mode
from cartomancer.players.policies import HEALER_ROLE, KINDS, SIMPLE, THREAT_ROLE
from parts.markdown import code, table

# The groups of shared weights: each begins with this field and ends where the next begins.
GROUPS: Final = {
    "strikes": "lethal",
    "support": "advantage",
    "turn": "surge_kept",
    "bargains": "low_percent",
    "rollouts": "horizon",
    "smart": "doubt",
}
EXAMPLE_OFFER: Final = "mossy_rest"
VEILED_TRUST: Final = (3, 4, 5)
COVENANT_TRUST: Final = (9, 10, 12)
TEST_TRUST: Final = (0, 2, 4, 6, 8, 9, 12)
LOW: Final = range(4)


def _of_side(side: str) -> list[Profile]:
    return [profile for profile in load_codex().profiles.values() if profile.side == side]


def profiles() -> str:
    """The shipped profiles: whose they are, what they want, whom they play for."""
    codex = load_codex()
    rows = []
    for profile in (*_of_side("dungeon"), *_of_side("visitor")):
        owners = [
            entry.title
            for kind in (codex.dungeons, codex.creatures)
            for entry in kind.values()
            if entry.profile == profile.id
        ]
        parties = sum(party.profile == profile.id for party in codex.parties.values())
        named = ", ".join([*owners, *([f"{parties} parties"] if parties else [])])
        rows.append((code(profile.id), profile.side, _goal(profile), _strikes(profile), named or "–", profile.summary))
    return table(("profile", "side", "goal", "strikes", "plays unasked for", "what it is"), rows)


def _goal(profile: Profile) -> str:
    if profile.goal == "betray":
        return f"`betray` at trust {profile.betrays_at}, courts like {code(profile.courts_like)}"
    if profile.goal == "adapt":
        return f"`adapt` from trust {profile.courts_from}, courts like {code(profile.courts_like)}"
    return code(profile.goal)


def _strikes(profile: Profile) -> str:
    if profile.strikes_below == 0:
        return "never"
    if profile.courts_like:
        return "while it fights"
    return "always" if profile.strikes_below == 99 else f"below trust {profile.strikes_below}"


def profile_weights() -> str:
    """Every weight of every profile, side by side."""
    parts = []
    for side in ("dungeon", "visitor"):
        shown = _of_side(side)
        rows: list[tuple[object, ...]] = []
        rows += [(code(name), *(getattr(p.weights, name) for p in shown)) for name in CategoryWeights.model_fields]
        theirs = RESOURCES["visitor" if side == "dungeon" else "dungeon"]
        rows += [(code(f"targets.{name}"), *(p.targets[name] for p in shown)) for name in theirs]  # type: ignore[index]
        if side == "dungeon":
            rows += [
                (code(f"members.{n}"), *(getattr(p.members, n) for p in shown)) for n in MemberWeights.model_fields
            ]
        rows += [(code(n), *(getattr(p, n) for p in shown)) for n in ("caution", "openness", "scepticism")]
        if side == "visitor":
            rows.append((code("retreats_below"), *(p.retreats_below for p in shown)))
        parts.append(table((f"{side}s", *(code(p.id) for p in shown)), rows))
    return "\n\n".join(parts)


def who_plays() -> str:
    """Who plays each scenario, room by room."""
    codex = load_codex()
    rows = []
    for scenario in codex.scenarios.values():
        rooms = [profile.title for profile in codex.dungeon_profiles(scenario)]
        dungeon = rooms[0] if len(set(rooms)) == 1 else " → ".join(rooms)
        rows.append((code(scenario.id), dungeon, codex.visitor_profile(scenario).title))
    return table(("scenario", "the dungeon plays", "the visitor plays"), rows)


def thinking(group: str) -> str:
    """The shared weights of one group with their values."""
    names = list(ThinkingTuning.model_fields)
    starts = [names.index(first) for first in GROUPS.values()]
    at = list(GROUPS).index(group)
    end = starts[at + 1] if at + 1 < len(starts) else len(names)
    values = load_codex().thinking
    rows = []
    for name in names[starts[at] : end]:
        value = getattr(values, name)
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        rows.append((code(name), shown, ThinkingTuning.model_fields[name].description or ""))
    return table(("weight", "value", "what it weighs"), rows)


def endings() -> str:
    """What each ending is worth to whom."""
    tuning = load_codex().endings
    worths = {
        "a visitor": tuning.of_visitor(hunts=False),
        "a visitor that hunts a pack": tuning.of_visitor(hunts=True),
        **{f"a dungeon that wants {code(goal)}": w for goal, w in tuning.dungeon.items()},
    }
    rows = [(ending, *(each[ending] for each in worths.values())) for ending in get_args(Ending)]
    return table(("ending", *worths), rows)


def simple_players() -> str:
    """The simple players and what each does."""
    return table(("player", "plays"), [(code(name), KINDS[name].summary) for name in SIMPLE])


def modes() -> str:
    """The strategic modes: from which chance of winning, and what they make of each kind of card."""
    values = load_codex().thinking
    first, *_, last = values.mode_from
    spans = [f"from {first} on", *(f"from {least}" for least in values.mode_from[1:]), f"below {last}"]
    rows = [
        (
            mode.name.lower(),
            span,
            *(_times(weights[mode]) for weights in (values.mode_attack, values.mode_guard, values.mode_scheme)),
        )
        for mode, span in zip(Mode, spans, strict=True)
    ]
    columns = (
        "Strike, Empower (`mode_attack`)",
        "React, Reshape, Counter, Disrupt (`mode_guard`)",
        "Trap, Offer, Test (`mode_scheme`)",
    )
    return table(("mode", "chance of winning (`mode_from`)", *columns), rows)


def _times(thousandths: int) -> str:
    return f"× {thousandths / 1000:g}"


# --- scores in numbers ------------------------------------------------------------------------------------------------


def example_strike() -> str:
    """What a triggered Strike is worth, step by step: Crushing Grip at an Entangled boar with half its resolve."""
    codex = load_codex()
    card, profile, values = codex.cards["crushing_grip"], codex.profiles["tactical"], codex.thinking
    assert isinstance(card, Strike)
    assert card.trigger is not None
    start = codex.creatures["thornback_boar"].resolve
    mean = round(float(contest_odds(power=1000).dealt))
    lost = 1000 - (start // 2) * 1000 // start
    urgency = profile.targets["resolve"] * (1000 + values.near * lost // 1000) // 1000
    damage = card.power * mean * urgency // 1000
    bonus = damage * card.trigger.power // card.power * values.trigger // 1000
    return (
        f"> *Example.* {card.title}, power {card.power}, at an Entangled boar with resolve {start // 2} of {start}; "
        f"Tactical, nothing in the way.\n"
        f"> Mean damage {card.power} × {mean / 1000:g} = {_points(card.power * mean)}. Urgency "
        f"{_points(profile.targets['resolve'])} × (1 + {_points(values.near)} × {_points(lost)}) = {_points(urgency)}. "
        f"Damage {_points(damage)}.\n"
        f"> The trigger's +{card.trigger.power} are worth {_points(damage)} × {card.trigger.power}/{card.power} × "
        f"{_points(values.trigger)} = {_points(bonus)} more. So what Entangles goes first."
    )


def example_member() -> str:
    """Whom a Strike of power 3 picks among the Standard Company, as the Tactical profile weighs it."""
    codex, power = load_codex(), 3
    weights = codex.profiles["tactical"].members
    found: dict[str, tuple[str, int]] = {}
    for name, vitality in (("knight", 10), ("battlemage", 7), ("cleric", 5), ("rogue", 2)):
        kit = codex.classes[name]
        parts = [weights.plain]
        parts += [weights.healer] if kit.role == HEALER_ROLE else []
        parts += [weights.threat] if kit.role == THREAT_ROLE else []
        parts += [weights.wounded * (1000 - vitality * 1000 // kit.vitality) // 1000] if vitality < kit.vitality else []
        parts += [weights.lethal] if power >= vitality else []
        shown = " + ".join(map(str, parts)) + (f" = {sum(parts)}" if len(parts) > 1 else "")
        found[kit.title] = (f"{kit.title} ({kit.role}) {vitality} of {kit.vitality}: {shown}", sum(parts))
    total = sum(weight for _, weight in found.values())
    shares = [f"the {title} {100 * weight / total:.0f} %" for title, (_, weight) in found.items()]
    counted = ".\n> ".join(text for text, _ in found.values())
    return f"> *Example.* Tactical strikes with power {power}.\n> {counted}.\n> Chances: {', '.join(shares)}."


# --- acceptance in numbers --------------------------------------------------------------------------------------------


def _points(thousandths: int) -> str:
    return f"{round(thousandths / 1000, 2):g}".replace("-", "−")


def _example_offer() -> Offer:
    card = load_codex().cards[EXAMPLE_OFFER]
    assert isinstance(card, Offer)
    return card


def _benefit(card: Offer, profile: Profile) -> int:
    """What the example gives to an acceptor that misses all of it."""
    return 1000 * (card.benefit.amount + card.benefit.ward + card.benefit.draw) + profile.openness * card.trust


def _sum(card: Offer, profile: Profile) -> str:
    given = card.benefit.amount + card.benefit.ward + card.benefit.draw
    sign = "−" if profile.openness < 0 else "+"
    return f"{given} {sign} {_points(abs(profile.openness * card.trust))}"


def _verdict(value: int, least: int) -> str:
    return f"{_points(value)} > {_points(least)}: yes" if value > least else f"{_points(value)} ≤ {_points(least)}: no"


def open_offer() -> str:
    """The formula of a transparent Offer, worked out for every visitor and every number of low reducers [Bond 3.5]."""
    card, values = _example_offer(), load_codex().thinking
    price = 1000 * card.price.amount * card.price.rounds
    rows = []
    for profile in _of_side("visitor"):
        cells = []
        for low in LOW:
            relief = values.threshold_relief * (low * 1000 // 3) // 1000
            least = max(0, values.threshold - relief) + profile.scepticism
            cells.append(_verdict(_benefit(card, profile) - price, least))
        rows.append((profile.title, f"{_sum(card, profile)} − {_points(price)}", *cells))
    head = f"*{card.title}*: {card_text(card)}"
    return f"{head}\n\n{table(('visitor', 'net', *_low_columns()), rows)}"


def veiled_offer() -> str:
    """The formula of a veiled Offer, worked out for every visitor at the trust of tier 1 [Bond 3.5]."""
    card, values = _example_offer(), load_codex().thinking
    rows = []
    for profile in _of_side("visitor"):
        cells = []
        for trust in VEILED_TRUST:
            belief = values.trust_factor + values.trust_factor_step * trust
            cells.append(_verdict(_benefit(card, profile) * belief // 1000, values.risk + profile.scepticism))
        rows.append((profile.title, _sum(card, profile), *cells))
    beliefs = (f"trust {t}: × {_points(values.trust_factor + values.trust_factor_step * t)}" for t in VEILED_TRUST)
    return table(("visitor", "benefit", *beliefs), rows)


def _low_columns() -> Iterable[str]:
    return (f"{low} reducers low" if low != 1 else "1 reducer low" for low in LOW)


def covenant_chances() -> str:
    """How likely a Covenant is accepted [Bond 6.2]."""
    values = load_codex().thinking
    rows = []
    for trust in COVENANT_TRUST:
        for struck in (False, True):
            cells = []
            for low in LOW:
                chance = values.covenant_factor + values.covenant_factor_step * trust
                chance = chance * (1000 + values.covenant_desperation * low) // 1000
                chance = chance * values.covenant_suspicion // 1000 if struck else chance
                cells.append(f"{min(1000, chance) / 10:g} %")
            rows.append((trust, "yes" if struck else "no", *cells))
    return table(("trust", "the dungeon has struck in this room", *_low_columns()), rows)


def cooperation_chances() -> str:
    """How likely a computer player cooperates in a Test (E3)."""
    values = load_codex().thinking
    chances = [min(values.cooperation_most, values.cooperation + values.cooperation_step * t) for t in TEST_TRUST]
    return table(("trust", *map(str, TEST_TRUST)), [("cooperates", *(f"{chance / 10:g} %" for chance in chances))])
