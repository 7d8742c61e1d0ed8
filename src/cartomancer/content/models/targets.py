"""Sets of targets: how the game shall play, as bands of what a batch of runs shows [GDD 5.5, 10, 18].

>>> band_ends("55.3±4"), band_ends("20.."), band_ends("about 20")
((51.3, 59.3), (20.0, None), None)
"""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from cartomancer.content.models.base import Complaints, Entry, Identifier, Strict, setting
from cartomancer.content.models.encounter import ScenarioName

NUMBER: Final = r"-?[0-9]+(?:\.[0-9]+)?"
BAND: Final = re.compile(rf"(?P<low>{NUMBER})?\.\.(?P<high>{NUMBER})?")
AROUND: Final = re.compile(rf"(?P<middle>{NUMBER})(?:±|\+-|\+/-)(?P<off>[0-9]+(?:\.[0-9]+)?)")
BAND_FORMS: Final = "low..high, low.., ..high or x±t"
DIGITS: Final = 9  # of an end; sums of decimals such as 55.3 − 4 are not exact

Ends = tuple[float | None, float | None]


def band_ends(text: str) -> Ends | None:
    """Both ends of a band as it is written, or nothing where it is none."""
    if match := AROUND.fullmatch(text):
        middle, off = float(match["middle"]), float(match["off"])
        return round(middle - off, DIGITS), round(middle + off, DIGITS)
    match = BAND.fullmatch(text)
    if match is None or (match["low"] is None and match["high"] is None):
        return None
    low, high = (None if end is None else float(end) for end in (match["low"], match["high"]))
    return low, high


def _is_band(text: str) -> str:
    ends = band_ends(text)
    if ends is None:
        raise ValueError(f"is not a band: {BAND_FORMS}")
    low, high = ends
    if low is not None and high is not None and low > high:
        raise ValueError("is empty: its low end is above its high end")
    return text


Band = Annotated[str, AfterValidator(_is_band)]
MeasureName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$")]
Sentence = Annotated[str, Field(min_length=1)]
Notation = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_:/+@=-]*$")]  # of a scenario, as commands take it


class MatrixAsked(Strict):
    """Which cells of the matchup matrix are played [GDD 18.5]; as `lab matrix` takes it."""

    parties: str = setting("all", "all, named, or parties separated by commas.")
    rooms: str = setting("2", "How many rooms a dungeon has: 2, 3, 4, 2-3 …; or dungeons.")
    games: int = setting(200, "Runs of each cell.", ge=1, le=100_000)


class TargetSet(Entry):
    """Targets of a scenario, of a contrast between players, of the matchups of several parties, of the matrix, of all
    cards, or of all profiles."""

    id: ScenarioName = Field(description="The name commands use, and the name of its file.")
    source: Sentence = Field(description="Where the targets come from.")
    scenario: Notation | None = setting(
        None, "The scenario that is played, as commands take it: boar, match:thornback_boar/root_hollow …"
    )
    matrix: MatrixAsked | None = setting(None, "… or cells of the matchup matrix.")
    about: Literal["cards", "profiles"] | None = setting(None, "… or all cards, or all profiles, over all scenarios.")
    dungeon_profile: Identifier | None = setting(None, "How the dungeon plays, instead of the scenario's own way.")
    contrast: str | None = setting(
        None,
        "A player of both sides, such as montecarlo@12: bands are of what it shows less what heuristic does.",
        min_length=1,
    )
    runs: int | None = setting(None, "Most runs of a contrast's player; 1,000 without it.", ge=1, le=10_000_000)
    parties: list[Identifier] = setting(
        list, "Each plays the scenario in place of its visitor; the bands are the ranges of tuning/quality.toml."
    )
    targets: dict[MeasureName, Band] = setting(dict, f"Measures and their bands: {BAND_FORMS}; rates are percents.")
    exceptions: dict[MeasureName, Sentence] = setting(dict, "Rows that may miss their band, each with the reason.")

    def complaints(self) -> Complaints:
        own, contrast = bool(self.targets), self.contrast
        played = self.parties or contrast or self.dungeon_profile
        subjects = [one for one in (self.scenario, self.matrix, self.about) if one is not None]
        yield "scenario", len(subjects) != 1, "give a scenario, a matrix or what it is about, one of them"
        apart = self.scenario is None and played
        yield "scenario", apart, "parties, contrast and dungeon_profile belong to a set with a scenario"
        yield "contrast", self.parties and contrast, "give parties or a contrast, not both"
        alone = self.runs is not None and contrast is None
        yield "runs", alone, "runs belongs to a contrast; the others are played as often as the command says"
        listed = own == bool(self.parties)
        yield "targets", listed, "give targets; a set with parties has none, its ranges are in tuning/quality.toml"
