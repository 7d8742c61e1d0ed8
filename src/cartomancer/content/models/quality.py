"""Quality tuning: from where to where a matchup makes good games [GDD 18.2]."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cartomancer.content.models.base import Complaints, Pair, Strict, setting

Share = Annotated[float, Field(ge=0, le=1)]
Number = Annotated[float, Field(ge=0)]


class Span(Strict):
    """A healthy range, and the bounds beyond which a value is a fault of the design."""

    healthy: Pair[Number] = Field(description="From where to where all is well, both ends included.")
    severe_below: Number | None = setting(None, "Below this something is wrong.")
    severe_above: Number | None = setting(None, "Above this something is wrong.")

    def complaints(self) -> Complaints:
        low, high = self.healthy
        below = low if self.severe_below is None else self.severe_below
        above = high if self.severe_above is None else self.severe_above
        yield "healthy", low >= high, f"healthy must rise, not go from {low:g} to {high:g}"
        yield "severe_below", below > low, f"severe_below must be at most {low:g}, not {below:g}"
        yield "severe_above", above < high, f"severe_above must be at least {high:g}, not {above:g}"

    @property
    def floor(self) -> float:
        """Below this a value is a fault of the design: the severe bound, or where health begins if there is none."""
        return self.healthy[0] if self.severe_below is None else self.severe_below


class KnockoutSpan(Span):
    """How varied the first knock-outs are [GDD 18.2.4]."""

    one_member: Share = Field(description="From this share of first knock-outs on, one member is always the victim.")


class EntrySpan(Span):
    """How worn a visitor enters a room [GDD 18.2.5]."""

    room: int = Field(ge=2, le=4, description="The place of the room in the run.")


class AttritionTuning(Strict):
    """What a run's later rooms must be to count [GDD 18.2.5]."""

    effective: Share = Field(description="The share of runs entering a room that must find it open.")
    realistic: Share = Field(description="How often a side must win from a like entry to have a realistic path.")
    band_runs: int = Field(ge=1, le=100_000, description="Entries are likened in bands of at least so many runs.")
    entry: list[EntrySpan] = Field(max_length=3, description="Healthy entries, room by room.")

    def complaints(self) -> Complaints:
        rooms = [span.room for span in self.entry]
        yield "entry", rooms != sorted(set(rooms)), f"every room once and in order, not {rooms}"


class TierSpans(Strict):
    """A range for parties, and one for creatures, which are content and no players [GDD 14.1, 18.7]."""

    party: Span
    creature: Span

    def of(self, is_party: bool) -> Span:
        """The visitor's own."""
        return self.party if is_party else self.creature


class QualityTuning(Strict):
    """The healthy ranges of the five quality metrics."""

    agency: Span = Field(description="Mean lead changes of a run [GDD 18.2.1].")
    closeness: Span = Field(description="Percent left of what the loser was next to lose [GDD 18.2.2].")
    diversity: TierSpans = Field(description="Normalised entropy of the outcomes [GDD 18.2.3].")
    knockout_spread: KnockoutSpan = Field(description="Normalised entropy of the first knock-outs [GDD 18.2.4].")
    attrition: AttritionTuning
    dungeon_wins: TierSpans = Field(description="How often the dungeon usually wins: a description [GDD 14.1].")

    def party_measures(self, rooms: int) -> list[str]:
        """The measures with a healthy range that a party's run through so many rooms has [GDD 18.2]."""
        later = range(2, rooms + 1)
        entries = [f"entry.{span.room}" for span in self.attrition.entry if span.room in later]
        effective = [f"effective.{place}" for place in later]
        return ["agency", "closeness", "diversity", "knockout_spread", *entries, *effective]
