"""What a contract puts at stake: hooks, boss traits, items, trials, bundles, intrusions [Contracts 3, 4, libraries].

Entries hold structured effects; their rules text is generated from them, so text and behaviour cannot drift. An effect
also reads as (code, side, value) triples, the form in which encounters take modifiers.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from cartomancer.content.models.base import Entry, Identifier, Percent, Strict, Weight

Side = Literal["party", "enemies"]
Target = Literal["all", "random", "targeted", "boss"]
Pool = Literal["normal", "counter", "condition"]
Triple = tuple[str, str, int]

EffectCode = Literal[
    "alertness",
    "armour",
    "armour_pierce",
    "backline_adds",
    "banish",
    "block_percent",
    "bounty",
    "counter",
    "damage",
    "damage_growth",
    "draw",
    "execute_percent",
    "first_hit_guard",
    "guard",
    "hazard",
    "healing_percent",
    "health",
    "hex",
    "hex_guard",
    "injury",
    "locked_cards",
    "no_consumables",
    "no_retreat",
    "opening_strike",
    "poison",
    "poison_guard",
    "regeneration",
    "reinforcements",
    "shed_debuff",
    "skill_tax",
    "stress",
    "strip_ward",
    "supplies",
    "tempo",
    "tempo_growth",
    "threat",
    "weakness",
]
GainKind = Literal[
    "card_upgrade",
    "reroll",
    "rare_mod",
    "link_token",
    "gold",
    "supplies",
    "shop_discount_token",
    "heal_percent",
    "injury",
]

PHRASES: Final[dict[EffectCode, str]] = {
    "alertness": "{who} see{s} the {first} surprise strike{p} coming",
    "armour": "{who} start{s} with {n} {more} armour",
    "armour_pierce": "{who} ignore{s} {n} armour with every attack",
    "backline_adds": "{n} more foe{p} hunt{ps} the party's back line",
    "banish": "the {first} reinforcement{p} of {who} never arrive{ps}",
    "block_percent": "{who} build{s} {n}% {more} block and armour",
    "bounty": "a price lies on {who}: every fall costs {n} more than the last",
    "counter": "{who} strike{s} back at the {first} attack{p} of each round",
    "damage": "{who} deal{s} {n} {more} damage with every attack",
    "damage_growth": "{who} deal{s} {n} {more} damage with each turn that passes",
    "draw": "{who} draw{s} {n} {fewer} card{p} a turn",
    "execute_percent": "{who} deal{s} {n}% {more} damage to targets below {below}% health",
    "first_hit_guard": "the first damage {who} take{s} each round shrinks by {n}",
    "guard": "{who} take{s} {n} less damage from every hit",
    "hazard": "the ground deals {n} damage to {who} each turn",
    "healing_percent": "healing on {who} works {n}% {better}",
    "health": "{who} {regain}{s} {n} health",
    "hex": "{who} curse{s} {n} card{p} in hand each turn",
    "hex_guard": "the {first} curse{p} laid on {who} fail{ps}",
    "injury": "an injury in {who} {worsens} by {n} step{p}",
    "locked_cards": "{n} random card{p} held by {who} cannot be played",
    "no_consumables": "{who} cannot use consumables",
    "no_retreat": "{who} cannot retreat",
    "opening_strike": "{who} open{s} the fight with a free strike for {n}",
    "poison": "{who} poison{s} for {n} with every hit",
    "poison_guard": "poison on {who} bites {n} less",
    "regeneration": "{who} {regain}{s} {n} health each turn",
    "reinforcements": "every {every} turns the enemies are reinforced by {n}",
    "shed_debuff": "{who} shrug{s} off the {first} debuff{p}",
    "skill_tax": "the first skill {who} play{s} each round costs {n} {more}",
    "stress": "{who} {gain}{s} {n} stress",
    "strip_ward": "{who} start{s} stripped of {n} ward{p}",
    "supplies": "{who} {gain}{s} {n} supplies",
    "tempo": "{who} {gain}{s} {n} tempo",
    "tempo_growth": "{who} {gain}{s} {n} tempo with each turn that passes",
    "threat": "{who} {gain}{s} {n} threat until cleansed",
    "weakness": "{who} start{s} with {n} weakness",
}
GAINS: Final[dict[GainKind, str]] = {
    "card_upgrade": "a choice of {n} card upgrade{p}",
    "reroll": "{n} extra reroll{p}",
    "rare_mod": "{n} rare mod{p}",
    "link_token": "{n} link unlock token{p}",
    "gold": "{n} gold",
    "supplies": "{n} supplies",
    "shop_discount_token": "{n} shop discount token{p}",
    "heal_percent": "healing for {n}% of health",
    "injury": "an injury eased by {n} step{p}",
}
NOUNS: Final[dict[tuple[Side, Target], str]] = {
    ("enemies", "all"): "enemies",
    ("enemies", "random"): "a random enemy",
    ("enemies", "targeted"): "one chosen enemy",
    ("enemies", "boss"): "the boss",
    ("party", "all"): "the party",
    ("party", "random"): "a random teammate",
    ("party", "targeted"): "one chosen teammate",
}


class Effect(Strict):
    """One change to the coming fight or to the party's state."""

    code: EffectCode = Field(description="Which rule reads it.")
    side: Side = Field(description="Whose side it belongs to.")
    value: int = Field(ge=-100, le=100, description="How strong it is; switches have the value 1.")
    target: Target = Field(default="all", description="Who on that side.")
    turns: int = Field(default=0, ge=0, le=20, description="For how many first turns; 0 is the whole node.")
    from_turn: int = Field(default=0, ge=0, le=20, description="The turn it starts to count from; 0 is at once.")
    every: int = Field(default=0, ge=0, le=20, description="How many turns lie between two occurrences.")
    below_percent: Percent = Field(default=0, description="The share of health below which a target counts as low.")

    @model_validator(mode="after")
    def _says_something(self) -> Effect:
        phrase = PHRASES[self.code]
        if not self.value:
            raise ValueError("value must not be 0: the effect would do nothing")
        if (self.side, self.target) not in NOUNS:
            raise ValueError("the boss is on the side of the enemies")
        if self.turns and self.from_turn:
            raise ValueError("give turns or from_turn, not both")
        if ("{every}" in phrase) != bool(self.every):
            raise ValueError(f"every {'is needed' if '{every}' in phrase else 'means nothing'} with code {self.code}")
        if ("{below}" in phrase) != bool(self.below_percent):
            need = "is needed" if "{below}" in phrase else "means nothing"
            raise ValueError(f"below_percent {need} with code {self.code}")
        return self

    def triples(self) -> list[Triple]:
        """The effect as (code, side, value): its strength first, then what limits it, each under a code of its own.

        >>> Effect(code="tempo", side="enemies", value=1, turns=2).triples()
        [('tempo', 'enemies', 1), ('tempo_turns', 'enemies', 2)]
        """
        limits = {
            "turns": self.turns,
            "from_turn": self.from_turn,
            "every": self.every,
            "below_percent": self.below_percent,
        }
        found: list[Triple] = [(self.code, self.side, self.value)]
        if self.target != "all":
            found.append((f"{self.code}_{self.target}", self.side, 1))
        return found + [(f"{self.code}_{name}", self.side, value) for name, value in limits.items() if value]

    def phrase(self) -> str:
        """The effect in words, without a full stop.

        >>> Effect(code="draw", side="party", value=-1, turns=3).phrase()
        'the party draws 1 fewer card a turn for the first 3 turns'
        """
        size, up = abs(self.value), self.value > 0
        words = PHRASES[self.code].format(
            who=NOUNS[self.side, self.target],
            s="" if (self.side, self.target) == ("enemies", "all") else "s",
            n=size,
            p="" if size == 1 else "s",
            ps="s" if size == 1 else "",
            first="first" if size == 1 else f"first {size}",
            more="more" if up else "less",
            fewer="more" if up else "fewer",
            better="better" if up else "worse",
            gain="gain" if up else "lose",
            regain="regain" if up else "lose",
            worsens="worsens" if up else "eases",
            every=self.every,
            below=self.below_percent,
        )
        if self.turns:
            words += " in the first turn" if self.turns == 1 else f" for the first {self.turns} turns"
        if self.from_turn:
            words += f" from turn {self.from_turn} on"
        return words


Effects = Annotated[list[Effect], Field(min_length=1, description="What it does.")]


def sentence(parts: list[str], lead: str = "") -> str:
    """The phrases as one sentence."""
    text = lead + "; ".join(parts)
    return text[:1].upper() + text[1:] + "."


class Modifier(Entry):
    """An entry that works through effects."""

    effects: Effects

    def triples(self) -> list[Triple]:
        """Everything it does as (code, side, value)."""
        return [triple for effect in self.effects for triple in effect.triples()]

    def text(self) -> str:
        """Its rules text, generated from its effects."""
        return sentence([effect.phrase() for effect in self.effects])


class Hook(Entry):
    """Something unresolved that a party carries on: an injury, stress, a quarrel, want, a price on a head."""

    trap_weight: Weight = Field(default=0, description="How often a trapped cache leaves it, against the others.")


class Trait(Modifier):
    """What makes a boss different, shown before the contract is taken [Contracts 4]."""


class Item(Modifier):
    """Something a shop sells: normal stock, a counter to boss traits, or help for the party's condition."""

    pool: Pool = Field(description="Which of the three pools of a shop it belongs to.")
    price: int = Field(ge=1, le=1000, description="Its price in gold.")
    consumable: bool = Field(default=False, description="Whether it is used up.")
    counters: list[Identifier] = Field(default_factory=list, description="The boss traits it counters.")
    treats: list[Identifier] = Field(default_factory=list, description="The hooks it treats.")

    @model_validator(mode="after")
    def _fits_its_pool(self) -> Item:
        if bool(self.counters) != (self.pool == "counter"):
            raise ValueError("an item lists counters exactly when its pool is counter")
        if bool(self.treats) != (self.pool == "condition"):
            raise ValueError("an item lists what it treats exactly when its pool is condition")
        return self


class Trial(Modifier):
    """A handicap an elite offers; whoever accepts it picks one reward bundle [Contracts, trial library]."""


class Gain(Strict):
    """One part of a reward."""

    kind: GainKind = Field(description="What is given.")
    amount: int = Field(ge=1, le=1000, description="How much of it.")
    chance_percent: int = Field(default=100, ge=1, le=100, description="How likely it is to be given.")

    def phrase(self) -> str:
        """The gain in words."""
        words = GAINS[self.kind].format(n=self.amount, p="" if self.amount == 1 else "s")
        return words if self.chance_percent == 100 else f"a {self.chance_percent}% chance of {words}"


class Bundle(Entry):
    """A reward for an accepted trial [Contracts, trial rewards]."""

    gains: list[Gain] = Field(min_length=1, description="What it holds.")

    def text(self) -> str:
        """What the bundle holds, generated from its gains."""
        return sentence([gain.phrase() for gain in self.gains])


class Intrusion(Modifier):
    """What a rival does at the step where the lanes meet [Contracts, intrusion library]."""

    weights: dict[Identifier, Weight] = Field(description="How likely it is in each state of the rival.")
    hook_bonus: dict[Identifier, Weight] = Field(
        default_factory=dict, description="Weight added for each of these hooks that the party carries."
    )
    leaves: Identifier | None = Field(default=None, description="The hook it may leave behind.")
    affects_next_node: bool = Field(default=True, description="Whether it changes the next node, or the party at once.")

    def text(self) -> str:
        """What the rival did, generated from its effects."""
        parts = [effect.phrase() for effect in self.effects]
        if self.leaves is not None:
            parts.append(f"it may leave the hook '{self.leaves.replace('_', ' ')}'")
        return sentence(parts, "in the next node " if self.affects_next_node else "at once ")


class StakesTuning(Strict):
    """The numbers behind a contract's stakes."""

    boss_traits: int = Field(ge=1, le=4, description="How many traits a boss shows.")
    shop_slots: int = Field(ge=1, le=12, description="How many items a shop offers.")
    shop_pools: dict[Pool, Weight] = Field(description="Weights of the pools each slot is rolled from [Contracts 4].")
    counters_per_trait: int = Field(ge=0, le=20, description="The fewest items that must counter each trait.")
    rival_states: list[Identifier] = Field(min_length=1, description="The states a rival can be in, the default first.")

    @model_validator(mode="after")
    def _can_be_rolled(self) -> StakesTuning:
        if not sum(self.shop_pools.values()):
            raise ValueError("shop_pools needs a weight above 0")
        return self
