"""Effects: the one form in which trials, intrusions, traits, items, equipment and room items change a fight.

An effect's words are generated from its fields, so text and behaviour cannot drift; encounters pack the same fields
into the rows their kernel reads.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field

from cartomancer.content.models import vocabulary as terms
from cartomancer.content.models.base import Complaints, Entry, Percent, Strict, setting

Side = Literal["party", "enemies"]
Target = Literal["all", "random", "targeted", "boss"]
Tier = Literal["common", "uncommon", "rare", "epic", "legendary"]


class EffectRule(Strict):
    """An effect in words, and what content must say about it; the rule that reads it is the kernel's of its name."""

    phrase: str
    needs: list[str] = setting(list, "Fields it reads and cannot do without.")
    may: list[str] = setting(list, "Fields it reads if they are there.")
    sign: Literal["any", "gift", "switch"] = setting("any", "Its value is more or less, above 0, or 1.")
    sides: list[Side] = setting(["party", "enemies"], "Whose it can be.")
    whole_side: bool = setting(False, "It cannot be aimed at one of a side.")
    speaks_of_dungeon: bool = setting(False, "In the card game's terms: 'the dungeon', not 'enemies'.")


EFFECTS: Final = {code: EffectRule(**row) for code, row in terms.WORDS["effects"].items()}
if TYPE_CHECKING:
    EffectCode = str
else:
    EffectCode = Literal[tuple(EFFECTS)]

NOUNS: Final = {(side, who): noun for side, nouns in terms.WORDS["nouns"].items() for who, noun in nouns.items()}
# The fields that only some effects read.
READ_BY_SOME: Final = ("every", "below_percent", "resource", "type", "keyword", "condition")
# Whose cards and resources a side means in the card game.
PLAYED_BY: Final[dict[Side, Literal["dungeon", "visitor"]]] = {"party": "visitor", "enemies": "dungeon"}
# Cards address whoever plays them; effects speak of a side, or of one of the party.
YOU: Final = re.compile(r"\byou (are|have|hold)\b|\byour\b")
THIRD_PERSON: Final = {"are": "is", "have": "has", "hold": "holds"}


class Effect(Strict):
    """One change to the coming fight or to the party's state."""

    code: EffectCode = Field(description="Which rule reads it.")
    side: Side = Field(description="Whose side it belongs to.")
    value: int = Field(ge=-100, le=100, description="How strong it is; switches have the value 1.")
    target: Target = setting("all", "Who on that side.")
    turns: int = setting(0, "For how many first turns; 0 is the whole node.", ge=0, le=20)
    from_turn: int = setting(0, "The turn it starts to count from; 0 is at once.", ge=0, le=20)
    every: int = setting(0, "How many turns lie between two occurrences.", ge=0, le=20)
    below_percent: Percent = setting(0, "The share of health below which a target counts as low.")
    resource: terms.Resource | None = setting(
        None, "reducer: what its side has more of. splash: what the other side loses as well."
    )
    type: terms.CardType | None = setting(None, "splash: only Strikes of this type; without it, all.")
    keyword: terms.Keyword | None = setting(None, "grant_keyword: what the Strikes gain.")
    condition: terms.Condition | None = setting(None, "reducer: it counts only while this holds.")

    def complaints(self) -> Complaints:
        rule, code, own = EFFECTS[self.code], self.code, PLAYED_BY[self.side]
        yield "value", not self.value, "value must not be 0: the effect would do nothing"
        yield "target", (self.side, self.target) not in NOUNS, "the boss is on the side of the enemies"
        yield "from_turn", self.turns and self.from_turn, "give turns or from_turn, not both"
        for field in READ_BY_SOME:
            given = bool(getattr(self, field))
            yield field, field in rule.needs and not given, f"{field} is needed with code {code}"
            yield field, given and field not in rule.needs + rule.may, f"{field} means nothing with code {code}"
        yield "value", rule.sign == "switch" and self.value != 1, f"{code} is a switch: its value is 1"
        yield "value", rule.sign == "gift" and self.value < 0, f"value must be above 0 with code {code}"
        yield "target", rule.whole_side and self.target != "all", f"{code} is for a whole side: leave target out"
        yield "side", self.side not in rule.sides, f"{code} belongs to the {rule.sides[0]}"
        owner, whose = (terms.OTHER_SIDE[own], "the other") if code == "splash" else (own, "its own")
        fitting = terms.RESOURCES[owner]
        right = f"{whose} side's resources ({', '.join(fitting)})"
        yield "resource", self.resource and self.resource not in fitting, f"{code} takes {right}, not {self.resource}"
        if code == "reducer":
            shared = self.target != "all" and self.resource != "vitality"
            yield "target", shared, f"{self.resource} belongs to a whole side: leave target out"
            yield "target", self.target == "random", "reducer cannot be random: name the seat, or leave target out"
        yield "keyword", self.keyword in terms.AMONG_MEMBERS and own == "visitor", terms.NO_MEMBERS
        if self.condition:
            for field, wrong, sentence in self.condition.complaints_of(own):
                yield f"condition.{field}", wrong, sentence

    def phrase(self, who: str = "") -> str:
        """The effect in words, without a full stop; `who` is a better name for its side, in the singular.

        >>> Effect(code="draw", side="party", value=-1, turns=3).phrase()
        'the party draws 1 fewer card a turn for the first 3 turns'
        >>> brave = terms.Condition(when="self_above", resource="nerve", value=50)
        >>> Effect(code="reducer", side="party", value=2, resource="vitality", condition=brave).phrase()
        'the party gains 2 vitality while its nerve is above 50 %'
        """
        size, up = abs(self.value), self.value > 0
        if not who and self.side == "enemies" and EFFECTS[self.code].speaks_of_dungeon:
            who = "the dungeon"
        noun = who or NOUNS[self.side, self.target]
        words = EFFECTS[self.code].phrase.format(
            who=noun,
            s="" if noun == "enemies" else "s",
            n=size,
            p="" if size == 1 else "s",
            ps="s" if size == 1 else "",
            first="first" if size == 1 else f"first {size}",
            more="more" if up else "less",
            fewer="more" if up else "fewer",
            better="better" if up else "worse",
            higher="higher" if up else "lower",
            gain="gain" if up else "lose",
            regain="regain" if up else "lose",
            worsens="worsens" if up else "eases",
            every=self.every,
            below=self.below_percent,
            resource=self.resource,
            type=f"{self.type.capitalize()} " if self.type else "",
            keyword=self.keyword.capitalize() if self.keyword else "",
        )
        if self.turns:
            words += " in the first turn" if self.turns == 1 else f" for the first {self.turns} turns"
        if self.from_turn:
            words += f" from turn {self.from_turn} on"
        if self.condition is not None:
            said = self.condition.phrase(PLAYED_BY[self.side])
            it, its = ("it", "its") if noun in {"the party", "the dungeon"} else ("the party", "the party's")
            words += " while " + YOU.sub(lambda you: f"{it} {THIRD_PERSON[you[1]]}" if you[1] else its, said)
        return words


Effects = Annotated[list[Effect], Field(min_length=1, description="What it does.")]


def sentence(parts: list[str], lead: str = "") -> str:
    """The phrases as one sentence."""
    text = lead + "; ".join(parts)
    return text[:1].upper() + text[1:] + "."


class Modifier(Entry):
    """An entry that works through effects."""

    effects: Effects

    def text(self) -> str:
        """Its rules text, generated from its effects."""
        return sentence([effect.phrase() for effect in self.effects])


# --- what either side prepares before a run: gear for visitors, fittings for rooms [GDD 17.7] ------------------------


class Equipment(Modifier):
    """Gear that one visitor wears; each has one slot of every kind."""

    tier: Tier = Field(description="How rare it is; rarer gear changes more than a number.")
    slot: Literal["weapon", "armour", "accessory"] = Field(description="Where it is worn.")

    def text(self) -> str:
        """Its rules text: vitality and what Strikes splash are the wearer's own, everything else the whole party's."""
        own = (effect.code == "splash" or effect.resource == "vitality" for effect in self.effects)
        return sentence([one.phrase("the wearer" if its else "") for one, its in zip(self.effects, own, strict=True)])


class RoomItem(Modifier):
    """Something installed in a room; it works there and nowhere else."""

    tier: Tier = Field(description="How rare it is.")

    def text(self) -> str:
        """Its rules text, with the dungeon as the side it strengthens."""
        phrases = [effect.phrase("the dungeon" if effect.side == "enemies" else "") for effect in self.effects]
        return sentence(phrases, "in this room ")
