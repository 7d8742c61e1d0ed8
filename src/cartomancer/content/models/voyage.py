"""Voyage rules: rows, fixed rows, odds by band, bans, Unknown resolution [Voyage P0], [Skeleton]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from cartomancer.content.models.base import (
    LATER,
    Complaints,
    DangerPoints,
    Pair,
    Percent,
    Preset,
    Strict,
    Weight,
    setting,
)
from cartomancer.errors import Fault

FreeKind = Literal["monster", "elite", "shop", "port", "treasure", "unknown", "event"]


class Odds(Strict):
    """How likely each type is on a free row, as weights against each other."""

    monster: Weight = setting(0, "Ordinary fights.")
    elite: Weight = setting(0, "Hard fights with better rewards; only from the elite unlock row on.")
    shop: Weight = setting(0, "Places to spend.")
    port: Weight = setting(0, "Places to rest.")
    treasure: Weight = setting(0, "Loot without a fight.")
    unknown: Weight = setting(0, "Resolved on entry, with pity.")
    event: Weight = setting(0, "Story choices.")


class Band(Strict):
    """A stretch of rows that shares one table of odds."""

    name: str = Field(description="What designers call this stretch.")
    until_percent: int = Field(
        ge=1, le=100, description="The band ends with the last row up to this share of all rows."
    )
    odds: Odds = Field(description="The weights of free rows in this band.")


class RowBan(Strict):
    """Types that may not stand on a stretch of rows, neither when drawn nor when an Unknown resolves there."""

    types: list[FreeKind] = Field(min_length=1, description="The banned types.")
    first: int = Field(ge=1, le=40, description="The first row of the ban, counted from 1.")
    last: int = Field(ge=1, le=40, description="The last row of the ban.")

    def complaints(self) -> Complaints:
        yield "first", self.first > self.last, f"first = {self.first} must not come after last = {self.last}"


class UnknownRules(Strict):
    """How an Unknown resolves on entry: Battle, Treasure, Shop tried in order, else Event [Voyage P3], M4, M5, M30."""

    base_battle: float = setting(0.10, "Chance of a Battle before pity.", ge=0, le=1)
    pity_battle: float = setting(0.10, "Added to it per visit that was no Battle.", ge=0, le=1)
    base_treasure: float = setting(0.02, "Chance of a Treasure, if no Battle came.", ge=0, le=1)
    pity_treasure: float = setting(0.02, "Added to it per visit that was no Treasure.", ge=0, le=1)
    base_shop: float = setting(0.03, "Chance of a Shop, if neither came.", ge=0, le=1)
    pity_shop: float = setting(0.03, "Added to it per visit that was no Shop.", ge=0, le=1)
    pity_scope: Literal["per_act", "per_run"] = setting("per_act", "Whether a new act starts the pity counters again.")
    respect_row_bans: bool = setting(True, "A type banned from the row is skipped; its pity still rises.")
    ignore_adjacency: Annotated[bool, LATER] = setting(
        True, "If not, a type that no_repeat or split_unique forbid beside its neighbours is skipped as well."
    )


class Danger(Strict):
    """How dangerous a node of each type counts as, for routes and the expressive range."""

    monster: DangerPoints = 3
    elite: DangerPoints = 8
    shop: DangerPoints = 0
    port: DangerPoints = 0
    treasure: DangerPoints = 0
    unknown: DangerPoints = 2
    event: DangerPoints = 1
    boss: DangerPoints = 10


class VoyageRules(Preset):
    """A row map grown from non-crossing paths, fixed rows first, the rest rolled by weight under the bans."""

    default_preset: ClassVar = "guide"

    family: Literal["voyage"] = "voyage"
    rows: int = setting(15, "Rows from the first fight to the boss.", ge=3, le=40)
    columns: int = setting(7, "Columns a path may use.", ge=3, le=9)
    paths: int = setting(6, "Different paths laid before anything is typed.", ge=2, le=8)
    treasure: Literal["row", "single", "none"] = setting(
        "row", "A whole row of Treasures, one Treasure in a window of rows, or neither."
    )
    treasure_percent: int = setting(60, "Where the Treasure row lies, in percent of all rows.", ge=1, le=99)
    treasure_rounding: Literal["ceil", "half_up"] = setting("ceil", "How that share becomes a row number.")
    treasure_window: Pair[int] = setting((4, 6), "The rows in which a single Treasure may lie.")
    elite_unlock_percent: Percent = setting(35, "Elites unlock at this share of the rows, rounded up, at least row 2.")
    ban_port_before_ports: bool = setting(True, "No Port two rows before the boss, so that no Port leads to a Port.")
    row_bans: list[RowBan] = setting([], "More types that some rows may not hold.")
    no_repeat: list[FreeKind] = setting(
        ["elite", "shop", "port"], "Types that may not follow themselves along an edge."
    )
    split_unique: bool = setting(True, "Ways that part lead to different types, except into a uniform row.")
    bands: list[Band] = Field(
        min_length=1, max_length=8, description="Odds by stretch of rows, from the first row to the last."
    )
    rerolls: int = setting(8, "Re-rolls of a banned type before drawing among the allowed ones.", ge=0, le=100)
    search_steps: int = setting(256, "Steps of one attempt to retype a neighbourhood.", ge=1, le=10_000)
    search_attempts: int = setting(32, "Attempts before Monster is taken as a last resort.", ge=0, le=1_000)
    unknown: UnknownRules = setting(UnknownRules(), "How Unknowns resolve on entry.")
    danger: Danger = setting(Danger(), "Danger points by type.")

    def complaints(self) -> Complaints:
        ends = [band.until_percent for band in self.bands]
        rising = ends == sorted(set(ends)) and ends[-1] == 100
        first, last = self.treasure_window
        yield "treasure_window", not 2 <= first <= last <= 40, "treasure_window must be two rows in order, from 2 to 40"
        yield "bands", not rising, f"bands: until_percent must rise and end with 100, not {ends}"

    def idle_fields(self) -> dict[str, str]:
        of_row = dict.fromkeys(("treasure_percent", "treasure_rounding"), 'it belongs to treasure = "row"')
        of_single = {"treasure_window": 'it belongs to treasure = "single"'}
        return (of_row if self.treasure != "row" else {}) | (of_single if self.treasure != "single" else {})

    # --- anchors [Voyage P1], ruling M1 -------------------------------------------------------------------------

    @property
    def treasure_row(self) -> int | None:
        """The row of Treasures: ⌈0.6R⌉ kept between 3 and R−2; none when no such row is free (M1)."""
        if self.treasure != "row" or self.rows < 5:
            return None
        share = self.treasure_percent * self.rows
        row = (share + 50) // 100 if self.treasure_rounding == "half_up" else -(-share // 100)
        return min(max(row, 3), self.rows - 2)

    @property
    def treasure_rows(self) -> list[int]:
        """The rows a single Treasure may lie on: free rows of the window that do not ban it; none is possible (M2)."""
        if self.treasure != "single":
            return []
        first, last = self.treasure_window
        rows = range(max(first, 2), min(last, self.rows - 2) + 1)
        return [row for row in rows if "treasure" not in self.banned_types(row)]

    @property
    def elite_unlock_row(self) -> int:
        """The first row that may hold an Elite: ⌈0.35R⌉, at least 2."""
        return max(2, -(-self.elite_unlock_percent * self.rows // 100))

    def band_of(self, row: int) -> Band:
        """The band whose odds count on this row."""
        return next(band for band in self.bands if row * 100 <= band.until_percent * self.rows)

    def fixed_type(self, row: int) -> str | None:
        """The type a whole row is made of, by precedence Boss, Port, Monster, Treasure (M1)."""
        fixed = {self.treasure_row: "treasure", 1: "monster", self.rows - 1: "port", self.rows: "boss"}
        return fixed.get(row)

    def banned_types(self, row: int) -> dict[str, str]:
        """The types a free row may not hold, each with the id of the rule that says so."""
        banned = {"boss": "voyage.boss-row"}
        if row < self.elite_unlock_row:
            banned["elite"] = "voyage.elite-unlock"
        if self.ban_port_before_ports and row == self.rows - 2:
            banned["port"] = "voyage.row-ban"
        for ban in self.row_bans:
            if ban.first <= row <= ban.last:
                banned.update(dict.fromkeys(ban.types, "voyage.row-ban"))
        return banned

    def impossibilities(self) -> Iterator[Fault]:
        free = range(2, self.rows - 1)
        window = set(free) & set(range(self.treasure_window[0], self.treasure_window[1] + 1))
        if self.treasure == "single" and window and not self.treasure_rows:
            problem = "lies on rows that ban Treasures"
            right = "a window with a free row that does not, or no such row ban"
            yield Fault("treasure_window", list(self.treasure_window), problem, right, rule="voyage.row-ban")
        most = 2 * self.columns - 1
        if self.rows == 3 and self.paths > most:
            carried = f"{self.columns} columns can carry over {self.rows} rows"
            problem = f"is more than {carried} without crossing or repeating"
            right = f"at most {most}, or more columns, or more rows"
            yield Fault("paths", self.paths, problem, right, rule="voyage.paths")
        for band in self.bands:
            odds = {kind: weight for kind, weight in band.odds.model_dump().items() if weight}
            empty = {
                row: {rule for kind, rule in self.banned_types(row).items() if kind in odds}
                for row in range(1, self.rows + 1)
                if self.fixed_type(row) is None
                and self.band_of(row) is band
                and not set(odds) - set(self.banned_types(row))
            }
            if empty:
                rows = ", ".join(str(row) for row in empty)
                rule = ", ".join(sorted(set().union(*empty.values()))) or "voyage.row-ban"
                problem = f"leaves no type for row(s) {rows}: everything with a weight is banned there"
                right = "a weight above 0 for a type that is not banned"
                yield Fault(f"bands.{band.name}.odds", odds, problem, right, rule=rule)
