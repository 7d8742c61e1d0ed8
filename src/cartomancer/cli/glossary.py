"""The words of the game in a sentence each, and its rules in a few: the numbers are those of the rules in force."""

from __future__ import annotations

from typing import Any, Final

from cartomancer.content.codex import Codex
from cartomancer.errors import UnknownNameError

WORDS: Final = {
    "activate": "discard an action card of the hand for 1 energy this turn.",
    "adds": "reinforcements: each bites the other side's first resource for {add_damage} a round.",
    "advantage": "three dice are rolled and the highest two count; disadvantage counts the lowest two.",
    "armour": "a store that stops damage and is used up by it.",
    "backlash": "what comes back at the striker's structure or vitality when a Strike fails, shares of a base of "
    "{reversal_base}: {back}.",
    "betrayed": "the visitor's Strikes have +{betrayed_power} power for {betrayed_rounds} of its turns, and it "
    "hears no Offer: the dungeon has struck at trust {betrayal_min_trust} or more.",
    "binding": "points that are lost each round for some rounds: the price of an Offer.",
    "bond": "both sides win: a Covenant was accepted.",
    "cleave": "every standing member takes {cleave_percent} % of the damage.",
    "covenant": "an Offer to end the room in a Bond; it needs trust {trust_tiers[2]}.",
    "dependency": "points at stake: they are lost if trust falls.",
    "discard": "cards used or given up; they are shuffled when the draw pile is empty.",
    "drain": "a hit gives the striker back what it dealt, at most {drain_cap}.",
    "entangle": "the victim cannot retreat in its next turn, and triggers see it.",
    "erode": "the victim loses {erode} of the resource at the start of the next round.",
    "escalation": "from round {escalation_from} on structure and vitality lose 1 each round, one more every "
    "{escalation_every} rounds.",
    "exhaust": "the card leaves the run when it is used.",
    "exposed": "the next Strike of a type at this side deals more.",
    "focused": "the standing member with the least vitality is hit.",
    "fortify": "stops so much of every hit at one resource, for a round or two.",
    "hit": "a Strike of which at least one point gets through React and guards; keywords act on it.",
    "insight": "a dungeon's bonus to contested rolls, won by Bonds and bargains.",
    "kill": "vitality at 0; of a party, {kill_at} members down at the same time.",
    "morale": "a party loses {cascade[0]} resolve and nerve when a member falls, {cascade[1]} for each later one.",
    "offer": "a bargain: the other side may accept its benefit with its price, and trust rises; refused by a "
    "stranger, a little.",
    "overwhelm": "damage beyond the last point spills over to another resource.",
    "piercing": "the member it harms cannot be healed in this room.",
    "pool": "the energy a side has each round; Energy cards make it grow, to at most {energy_cap}.",
    "rally": "after a strong or devastating hit the striker's weakest resource regains {rally}.",
    "react": "a card that answers a Strike after its roll: a roll of its own says how much it prevents.",
    "resonate": "+{resonate} power if this side's last action card had the same type.",
    "restrain": "once a turn, before any Strike, discard a Strike for {restraint_trust} trust if there is some.",
    "retreat": "the visitor leaves, from round {retreat_from} on where it may: nobody has won such a run.",
    "scorned": "+{scorned_bonus} to contested rolls for {scorned_rounds} turns: a visitor's Strike threw trust away.",
    "strike": "damage by a contested roll: two dice and the attribute on each side, the margin picks the tier.",
    "test": "the other side cooperates, for trust, or defects, for power.",
    "tier": "what a contested roll came to, by the margin: {tiers}.",
    "trap": "lies face-down, at most {trap_slots} a side, and springs when the other side does what it waits for.",
    "trust": "what both sides built; {trust_tiers[0]}, {trust_tiers[1]} and {trust_tiers[2]} are its tiers.",
    "veiled": "an Offer that shows its benefit and hides its name and price.",
    "ward": "stops so much of the next hit.",
}
RULES: Final = """\
A side loses when one of its three resources is found at 0; a Covenant accepted lets both win.
A round: the room's pressure, Erode, escalation, then a turn each; both draw {draw}, at least up to {least_hand}, at \
most up to {hand_cap}.
A turn: play what energy allows in any order, activate cards for 1 energy each, hold Strikes back, end it.
A Strike: both roll two dice and add their attribute; the margin says what hits and what comes back. The struck side \
may answer a hit with one React.
Energy: the pool starts at {energy_pool} and grows by Energy cards; it is full again each round.
Escalation: from round {escalation_from} on structure and vitality lose 1 a round, one more every \
{escalation_every} rounds.
The round limit: when the last round is over the visitor has outlasted the room.
glossary WORD explains a word: {words}."""


def meaning(word: str, codex: Codex) -> str:
    """A word of the game in a sentence."""
    wanted = word.lower()
    if wanted not in WORDS:
        raise UnknownNameError("word", word, sorted(WORDS))
    return f"{wanted}: {WORDS[wanted].format_map(_numbers(codex))}"


def rules_in_short(codex: Codex) -> str:
    """The rules in a few lines."""
    return RULES.format_map(_numbers(codex))


def _numbers(codex: Codex) -> dict[str, Any]:
    """What the sentences name."""
    tiers = codex.resolution.tiers
    found = {
        "tiers": ", ".join(f"{tier.id} from {tier.least_margin:+d}" for tier in tiers[:-1]) + f", else {tiers[-1].id}",
        "back": ", ".join(f"{tier.id} {tier.defender_percent} %" for tier in tiers if tier.defender_percent),
        "words": ", ".join(WORDS),
    }
    return {**codex.rules.model_dump(), **found}
