"""What meets whom: decks, pools, rooms, dungeons, creatures, classes, parties, scenarios [GDD 3, 5, 8, 16]."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Final, Literal

from pydantic import Field

from cartomancer.content.models.base import Complaints, Entry, Identifier, Strict, exactly, setting
from cartomancer.content.models.vocabulary import Category, Deed, Ending, Milli, Outcome, Resource, SideName

Identity = Literal["aggressive", "tactical", "nurturing", "deceptive", "visitor"]
Focus = Literal["primary", "dual", "utility"]
Role = Literal["tank", "damage", "support", "flex"]
EscalationScope = Literal["primary", "weakest", "all"]
Stat = Annotated[int, Field(ge=1, le=60)]
Swaps = dict[Identifier, Identifier]
ScenarioName = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9_-]*$", description="Lower-case name, words joined by _ or -; its file's name.")
]
MOST_ROOMS: Final = 4
PARTY_SIZE: Final = 4
PARTY_PROFILE: Final = "party_balanced"
MOST_ENEMIES: Final = 6
MOST_COPIES: Final = 4
MOST_STEPS: Final = 3
Copies = Annotated[int, Field(ge=1, le=MOST_COPIES)]


class Attributes(Strict):
    """Bonuses to contested rolls by the type of the Strike (E10)."""

    physical: int = setting(0, "Added when a Physical Strike is contested.", ge=-3, le=3)
    social: int = setting(0, "Added when a Social Strike is contested.", ge=-3, le=3)
    mystical: int = setting(0, "Added when a Mystical Strike is contested.", ge=-3, le=3)
    environmental: int = setting(0, "Added when an Environmental Strike is contested.", ge=-3, le=3)


class LineStep(Strict):
    """One step of a combo line."""

    card: Identifier | None = setting(None, "The card that must do it; without one, any of the deck.")
    deed: Deed = Field(description="What it must do.")


ComboLine = Annotated[list[LineStep], Field(min_length=1, max_length=MOST_STEPS)]


class Deck(Entry):
    """The cards one side brings to a room [GDD 8]."""

    side: SideName = Field(description="Who plays it.")
    identity: Identity = Field(description="Which row of the composition table it follows [GDD 8.1].")
    cards: dict[Identifier, Copies] = Field(min_length=1, description="Cards and copies.")
    core: list[Identifier] = setting(list, "Locked cards; the others are flex slots [GDD 8.5].")
    waived: list[Category] = setting(
        list, "Categories in which it departs from the table on purpose; say why in summary."
    )
    lines: dict[Identifier, ComboLine] = setting(
        dict, "Combo lines: what its cards shall do, step after step in one run [GDD 4.4, 8.2]. The lab counts them."
    )

    def size(self) -> int:
        """How many cards it holds."""
        return sum(self.cards.values())


class Pool(Entry):
    """Generic cards of one side for flex slots: complete but modest, of no room's own [GDD 8.5, 15.5]."""

    side: SideName = Field(description="Who may swap them in.")
    cards: list[Identifier] = Field(min_length=1, description="Its cards; none a Covenant, none that sets others up.")


class AutoEffect(Strict):
    """Pressure of the room itself [GDD 5.2]."""

    resource: Resource = Field(description="What it changes.")
    change: int = Field(ge=-5, le=5, description="By how much; losses are negative.")
    every: int = setting(1, "Every how many rounds: 2 is every other round.", ge=1, le=6)

    def complaints(self) -> Complaints:
        yield "change", not self.change, "change must not be 0"


class Place(Entry):
    """Where one fights: its pressure and how long a fight lasts there [GDD 5.2]."""

    auto_effects: list[AutoEffect] = setting(list, "Pressure each round.", max_length=6)
    round_limit: int = setting(12, "Outlasting it clears the room (E8).", ge=1, le=40)
    attributes: Attributes = setting(Attributes(), "What the dungeon is good at here, beside its own attributes.")


class Room(Place):
    """An encounter room: its deck and its pressure [GDD 5.2, 8.5]."""

    deck: Identifier = Field(description="The deck the dungeon plays here.")


class Theme(Place):
    """What the enemies of a stretch of map have in common, and the open ground on which their packs are met (C1)."""


class Dungeon(Entry):
    """The dungeon's own values, the same in every room [GDD 3.2]."""

    structure: Stat = Field(description="Physical integrity; at 0 it is Overcome.")
    veil: Stat = Field(description="Magical energy; at 0 it is Inert.")
    presence: Stat = Field(description="Authority; at 0 it is Dominated.")
    attributes: Attributes = setting(Attributes(), "Bonuses to contested rolls.")
    profile: Identifier = setting("tactical", "How it plays, unless a scenario says otherwise.")


class Creature(Entry):
    """A solo visitor [GDD 3.3]."""

    vitality: Stat = Field(description="Health; at 0 it is a Kill.")
    resolve: Stat = Field(description="Willpower; at 0 it is a Break.")
    nerve: Stat = Field(description="Courage; at 0 it is a Panic.")
    trust: int = setting(0, "Trust it enters with.", ge=0, le=12)
    deck: Identifier = Field(description="Its deck, the same in every room.")
    attributes: Attributes = setting(Attributes(), "Bonuses to contested rolls.")
    profile: Identifier = setting("feral_aggressive", "How it plays.")


class PartyClass(Entry):
    """A class a party member can have [GDD 16.2, 16.13]."""

    role: Role = Field(description="What the party needs it for; players hunt and shield members by it [GDD 16.9].")
    focus: Focus = Field(description="How narrow its kit is [GDD 16.4].")
    vitality: Stat = Field(description="The member's own health.")
    resolve: Stat = Field(description="What it adds to the party's resolve.")
    nerve: Stat = Field(description="What it adds to the party's nerve.")
    cards: dict[Identifier, Copies] = Field(min_length=1, description="Cards and copies.")
    flex: list[Identifier] = setting(list, "Two or three cards that may be swapped; without it, none [GDD 16.5].")
    attributes: Attributes = setting(Attributes(), "The best of the standing members counts.")

    def size(self) -> int:
        """How many cards it brings."""
        return sum(self.cards.values())


class Party(Entry):
    """Four members; a class may appear more than once [GDD 16.2]."""

    members: list[Identifier] = exactly(PARTY_SIZE, "Classes, seat by seat.")
    profile: Identifier = setting(PARTY_PROFILE, "How it plays.")


class ScenarioRoom(Strict):
    """One stop of a run."""

    room: Identifier = Field(description="Which room.")
    round_limit: int | None = setting(None, "Instead of the room's own limit.", ge=1, le=40)
    items: list[Identifier] = setting(list, "Room items installed here [GDD 17.7].")
    next: dict[Outcome, Identifier | Literal["end"]] = setting(
        dict, "Where an outcome leads instead of the next room in the list [GDD 5.3]."
    )
    profile: Identifier | None = setting(None, "How the dungeon plays in this room.")

    def wrong_turns(self, later: Collection[str]) -> Iterator[tuple[str, str]]:
        """Outcomes that lead nowhere, back or on from the end of the run; each with what is wrong."""
        for outcome, goal in self.next.items():
            if goal != "end" and goal not in later:
                yield outcome, f"must name a later room of the scenario or 'end', not '{goal}'"
            elif outcome in {"kill", "break", "panic"}:
                yield outcome, f"leads on, but {outcome} ends the run"


class Scenario(Entry):
    """A dungeon and its rooms in order, a guardian in its lair, or a pack on open ground; and who walks in."""

    id: ScenarioName = Field(description="The name commands use, and the name of its file.")
    dungeon: str = setting("", "The dungeon, or a guardian as one.", pattern=r"^([a-z][a-z0-9_]*)?$")
    rooms: list[ScenarioRoom] = setting(list, "One to four different rooms.", max_length=MOST_ROOMS)
    guardian: Identifier | None = setting(
        None, "Instead of dungeon and rooms: a guardian in its lair, with its traits and cards."
    )
    enemies: list[Identifier] = setting(
        list, "Or instead of them: a pack's enemies, its leader first (C1).", max_length=MOST_ENEMIES
    )
    vigour_percent: int = setting(100, "What whoever is met has of its own values (C12).", ge=10, le=400)
    creature: Identifier | None = setting(None, "The visitor, if it is a creature …")
    party: Identifier | None = setting(None, "… or a named party …")
    members: list[Identifier] = setting(list, "… or four classes, seat by seat.", max_length=PARTY_SIZE)
    dungeon_profile: Identifier | None = setting(None, "How the dungeon plays in this scenario.")
    visitor_profile: Identifier | None = setting(None, "How the visitor plays in this scenario.")
    endings: dict[SideName, dict[Ending, Milli]] = setting(
        dict, "Worths of endings that differ from tuning/endings.toml, by side: what smart players play for."
    )
    retreat: bool = setting(False, "Whether the visitor may retreat (E7).")
    modifiers: list[Identifier] = setting(list, "Trials, intrusions, traits and items in force.", max_length=12)
    equipment: dict[Identifier, int] = setting(
        dict, "Equipment and the seat (1 to 4) that wears it; a creature has seat 1."
    )
    targeted_seat: int = setting(1, "The seat that 'targeted' effects mean.", ge=1, le=PARTY_SIZE)
    swaps: dict[Identifier, Swaps] = setting(
        dict, "By room, creature or class: flex cards and the generic cards that take their places [GDD 8.5]."
    )

    def complaints(self) -> Complaints:
        place, size = (bool(self.dungeon), bool(self.rooms)), len(self.members)
        others = bool(self.guardian) + bool(self.enemies)
        placeless = any(place) if others == 1 else others > 1 or not all(place)
        yield "guardian", placeless, "give a guardian, or enemies, or a dungeon with its rooms"
        visitors = [who for who in (self.creature, self.party, self.members) if who]
        yield "", len(visitors) != 1, "give exactly one of creature, party, members"
        yield "members", size not in {0, PARTY_SIZE}, f"a party has {PARTY_SIZE} members, not {size}"
        names = [stop.room for stop in self.rooms]
        doubled = sorted({name for name in names if names.count(name) > 1})
        yield "rooms", doubled, f"rooms must be different [GDD 18.4]; more than once: {', '.join(doubled)}"
        for number, stop in enumerate(self.rooms, 1):
            for outcome, sentence in stop.wrong_turns(names[number:]):
                field = f"rooms[{number}].next.{outcome}"
                yield field, True, f"{field} {sentence}"


class EncounterRules(Strict):
    """The numbers of the card game that a designer may turn."""

    opening_hand: int = Field(ge=3, le=10, description="Cards dealt at the start of a room [GDD 8.3].")
    opening_energy: int = Field(ge=0, le=5, description="Energy cards it must hold.")
    opening_actions: int = Field(ge=0, le=5, description="Action cards it must hold.")
    mulligans: int = Field(ge=0, le=5, description="How often a side may deal again.")
    draw: int = Field(ge=0, le=5, description="Cards drawn each round [GDD 4.2].")
    least_hand: int = Field(ge=0, le=7, description="Drawing fills the hand up to this.")
    hand_cap: int = Field(ge=5, le=10, description="The most cards a hand holds (E12).")
    energy_pool: int = Field(ge=0, le=5, description="The pool at the start of a room (E12).")
    energy_cap: int = Field(ge=1, le=20, description="The largest pool.")
    trap_slots: int = Field(ge=1, le=4, description="Face-down Traps a side may have.")
    reversal_base: int = setting(
        0, "Power that a failed Strike throws back, whatever its own; 0 throws back the Strike's own.", ge=0, le=9
    )
    rally: int = Field(ge=0, le=5, description="Points a clean hit gives back to the striker's weakest reducer.")
    drain_cap: int = Field(ge=0, le=9, description="The most a Drain heals [GDD 9].")
    resonate: int = Field(ge=0, le=5, description="Power Resonate adds.")
    erode: int = Field(ge=1, le=5, description="Points Erode takes in the next round.")
    cleave_percent: int = Field(ge=0, le=100, description="Share of the damage Cleave deals to each standing member.")
    ward_rounds: int = Field(ge=1, le=5, description="How long Ward waits for damage.")
    escalation_from: int = Field(ge=1, le=100, description="The first round with escalation (E15).")
    escalation_every: int = Field(ge=1, le=10, description="Rounds until it grows by one.")
    escalation_scope: EscalationScope = setting(
        "primary", "What escalation hurts: each side's primary reducer, its weakest, or all three (E15)."
    )
    source_percent: int = setting(
        0,
        "A room's pressure on a visitor's reducer pauses while the dungeon's reducer of the same place is below this "
        "share of its start; 0 never pauses.",
        ge=0,
        le=100,
    )
    retreat_from: int = Field(ge=1, le=100, description="The first round a visitor may retreat in (E7).")
    trust_tiers: list[int] = exactly(3, "Trust that reaches tier 1, 2 and 3 [Bond 4.1].")
    trust_cap_per_round: int = Field(ge=0, le=12, description="Trust a side may add in a round (E2).")
    refused_offer_halves: int = Field(ge=0, le=4, description="Half points of trust for a refused Offer [Bond 4.2].")
    binding_percent: int = setting(
        100,
        "How strong benefit and cost of a binding Offer are, against what its card says [Bond 4.1].",
        ge=100,
        le=300,
    )
    cooperation_trust: int = Field(ge=0, le=6, description="Trust from a Test met with cooperation (E3).")
    defection_power: int = Field(ge=0, le=6, description="What the defector's next Strike gains (E3).")
    restraint_trust: int = Field(ge=0, le=3, description="Trust from discarding a Strike [GDD 4.8].")
    betrayal_min_trust: int = Field(ge=1, le=13, description="Trust from which a Strike is a betrayal (E4).")
    strike_decay: int = Field(ge=0, le=6, description="Trust lost by a dungeon's Strike [Bond 4.3].")
    strike_decay_deep: int = Field(ge=0, le=6, description="The same from tier 2 on (E4).")
    betrayed_rounds: int = Field(ge=0, le=9, description="How long Betrayed lasts [Bond 7.2].")
    betrayed_power: int = Field(ge=0, le=6, description="Power of all Strikes while Betrayed.")
    scorned_rounds: int = Field(ge=0, le=9, description="How long Scorned lasts [Bond 7.4].")
    scorned_bonus: int = Field(ge=0, le=6, description="Bonus to contested rolls while Scorned.")
    room_trust_decay: int = Field(ge=0, le=6, description="Trust lost between rooms [Bond 4.4].")
    room_trust_floor: int = Field(ge=0, le=6, description="What is left at least …")
    room_trust_floor_from: int = Field(ge=0, le=12, description="… when there was this much.")
    bond_recovery_percent: list[int] = exactly(2, "Recovery: first room, later rooms.")
    bond_insight: list[int] = exactly(2, "Insight: first room, later rooms.")
    kill_at: int = Field(ge=1, le=PARTY_SIZE, description="Knock-outs of a party that are a Kill [GDD 16.7].")
    cascade: list[int] = exactly(2, "Morale lost: first knock-out, later ones.")
    room_restore_percent: int = Field(
        ge=1, le=100, description="Vitality a member returns with between rooms [GDD 16.8]."
    )
    match_rounds: list[Annotated[int, Field(ge=1, le=40)]] = exactly(
        MOST_ROOMS, "How long each room of a match lasts, by how many rooms it has: one, two, three, four (L22)."
    )
    counter_damage: int = Field(ge=0, le=6, description="What striking back deals (Counterstance).")
    add_damage: int = Field(ge=0, le=6, description="What each reinforcement bites for each round.")
    most_adds: int = Field(ge=0, le=9, description="The most reinforcements at once.")
    threat_power: int = Field(ge=0, le=6, description="Power of Strikes against a marked member.")

    def complaints(self) -> Complaints:
        hand, needed = self.opening_hand, self.opening_energy + self.opening_actions
        yield "trust_tiers", self.trust_tiers != sorted(set(self.trust_tiers)), "trust_tiers must rise"
        yield "opening_hand", needed > hand, "opening_energy and opening_actions must fit into opening_hand"
        overfull = max(hand, self.least_hand) > self.hand_cap
        yield "hand_cap", overfull, "opening_hand and least_hand must not exceed hand_cap"
