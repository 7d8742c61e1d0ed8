"""The pictures of a report, drawn as SVG inside the page: nothing to load, sharp in print, readable without colour.

Colours are classes, so that the page's style decides them for light, dark and paper. Sides differ in shape as well:
the dungeon's line is solid, the visitor's dashed. Every picture has its numbers in words or in a table beside it.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any, Final

from cartomancer.content.rules_text import counted
from cartomancer.encounters.encounter import winner_of
from cartomancer.encounters.names import RESOURCES, SIDES

WIDTH: Final = 560
Facts = dict[str, Any]
Points = Sequence[tuple[float, float]]
Scale = Callable[[float], float]


def text(value: object) -> str:
    """Text inside markup."""
    return html.escape(str(value))


def percent(share: float, digits: int = 1) -> str:
    """A share as people read it."""
    return f"{100 * share:.{digits}f} %"


def _svg(height: float, spoken: str, parts: Sequence[str], width: int = WIDTH) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height:g}" role="img" aria-label="{text(spoken)}">'
        f"<title>{text(spoken)}</title>{''.join(parts)}</svg>\n"
    )


def _line(x1: float, y1: float, x2: float, y2: float, look: str) -> str:
    return f'<line class="{look}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _rect(x: float, y: float, width: float, height: float, look: str, hint: str = "") -> str:
    title = f"<title>{text(hint)}</title>" if hint else ""
    return (
        f'<rect class="{look}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}">'
        f"{title}</rect>"
    )


def _word(x: float, y: float, words: object, look: str = "", anchor: str = "start") -> str:
    return f'<text class="{look}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text(words)}</text>'


def _path(points: Points, look: str) -> str:
    steps = " ".join(f"{'L' if k else 'M'}{x:.1f} {y:.1f}" for k, (x, y) in enumerate(points))
    return f'<path class="{look}" d="{steps}"/>'


def _area(upper: Points, lower: Points, look: str) -> str:
    steps = " ".join(f"{'L' if k else 'M'}{x:.1f} {y:.1f}" for k, (x, y) in enumerate([*upper, *reversed(lower)]))
    return f'<path class="{look}" d="{steps}Z"/>'


def _point(x: float, y: float, radius: int, look: str, hint: str) -> str:
    title = f"<title>{text(hint)}</title>"
    return f'<circle class="{look}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}">{title}</circle>'


def _spanned(share: float, low: float, high: float) -> str:
    """A share with its interval, in percents."""
    return f"{percent(share)} ({100 * low:.1f} – {100 * high:.1f})"


def _whisker(y: float, left: float, right: float) -> str:
    ends = "".join(_line(x, y - 3, x, y + 3, "whisker") for x in (left, right))
    return _line(left, y, right, y, "whisker") + ends


def _upright_whisker(x: float, top: float, bottom: float) -> str:
    ends = "".join(_line(x - 3, y, x + 3, y, "whisker") for y in (top, bottom))
    return _line(x, top, x, bottom, "whisker") + ends


# --- how runs end -----------------------------------------------------------------------------------------------------


def outcome_bars(facts: Facts) -> str:
    """All eight outcomes with 95 % intervals, coloured by whose win they are."""
    rates = facts["outcomes"]
    left, step, most = 84, 27, max(rate["high"] for rate in rates.values())
    scale = (WIDTH - left - 150) / (most or 1)
    parts = []
    for k, (name, rate) in enumerate(rates.items()):
        y = 4 + k * step
        shown = _spanned(rate["rate"], rate["low"], rate["high"])
        parts.append(_word(left - 8, y + 15, name.capitalize(), anchor="end"))
        parts.append(_rect(left, y + 2, scale * rate["rate"], 18, winner_of(name), f"{name}: {shown}"))
        if rate["rate"]:
            parts.append(_whisker(y + 11, left + scale * rate["low"], left + scale * rate["high"]))
        end = left + scale * (rate["high"] if rate["rate"] else 0)
        parts.append(_word(end + 8, y + 15, shown if rate["rate"] else "never", "quiet"))
    parts.append(_line(left, 2, left, 4 + len(rates) * step, "axis"))
    commonest = max(rates, key=lambda name: float(rates[name]["rate"]))
    spoken = f"Outcomes: the commonest is {commonest} with {percent(rates[commonest]['rate'])} of the runs."
    return _svg(8 + len(rates) * step, spoken, parts)


# --- how they go ------------------------------------------------------------------------------------------------------


def momentum_curves(rounds: Sequence[Facts]) -> str:
    """Both sides' mean shares at every round's end; the band lies between the runs a side won and those it lost."""
    left, right, top, bottom, foot = 46, WIDTH - 70, 12, 236, 292
    last = max(int(rounds[-1]["round"]), 2)

    def x(number: float) -> float:
        return left + (right - left) * (number - 1) / (last - 1)

    def y(share: float) -> float:
        return bottom - (bottom - top) * share

    parts = [_line(left, y(k / 4), right, y(k / 4), "grid") for k in range(5)]
    parts += [_word(left - 6, y(k / 4) + 4, f"{25 * k} %", "quiet", "end") for k in range(5)]
    for side, other in (SIDES, reversed(SIDES)):
        won, lost = _band(rounds, side, other, x, y)
        parts += [_area(won, lost, f"band {side}")] if won else []
    ends = []
    for side in SIDES:
        points = [(x(row["round"]), y(row[side]["mean"])) for row in rounds]
        parts.append(_path(points, f"curve {side}"))
        ends.append((points[-1][1], side))
        for row, (at_x, at_y) in zip(rounds, points, strict=True):
            each = ", ".join(f"{name} {percent(share, 0)}" for name, share in row[side]["shares"].items())
            shown = _spanned(row[side]["mean"], *row[side]["interval"])
            parts.append(_point(at_x, at_y, 3, f"point {side}", f"round {row['round']}, {side}: {shown}; {each}"))
    parts += [_word(right + 6, at, side, f"name {side}") for at, side in _apart(ends, 15)]
    parts += _still_going(rounds, x, bottom + 26, foot)
    every = max(1, last // 12)
    parts += [_word(x(n), foot + 16, n, "quiet", "middle") for n in range(1, last + 1) if n % every == 0 or n == 1]
    parts.append(_word((left + right) / 2, foot + 32, "round of the run", "quiet", "middle"))
    told = [f"{side} from {_ends(rounds, side)}" for side in SIDES]
    return _svg(foot + 38, f"Mean share left at each round's end: {'; '.join(told)}", parts)


def _ends(rounds: Sequence[Facts], side: str) -> str:
    first, last = rounds[0], rounds[-1]
    return f"{percent(first[side]['mean'], 0)} to {percent(last[side]['mean'], 0)} in round {last['round']}"


def _band(rounds: Sequence[Facts], side: str, other: str, x: Scale, y: Scale) -> tuple[Points, Points]:
    """The mean share of a side in the runs it won, and in those it lost, where there are both."""
    both = [row for row in rounds if row[side]["when"][side] and row[side]["when"][other]]
    won, lost = ([(x(row["round"]), y(row[side]["when"][who]["mean"])) for row in both] for who in (side, other))
    return won, lost


def _apart(ends: Sequence[tuple[float, str]], least: float) -> list[tuple[float, str]]:
    """Labels at the ends of two curves, moved apart if they would overlap."""
    (one, first), (two, second) = sorted(ends)
    gap = max(0.0, least - (two - one)) / 2
    return [(one - gap + 4, first), (two + gap + 4, second)]


def _still_going(rounds: Sequence[Facts], x: Scale, top: float, foot: float) -> list[str]:
    """A strip below the curves: the share of runs that got so far."""
    upper = [(x(row["round"]), foot - (foot - top) * row["share_of_runs"]) for row in rounds]
    lower = [(at, foot) for at, _ in upper]
    name = _word(upper[-1][0] + 6, foot - 14, "runs", "quiet") + _word(upper[-1][0] + 6, foot, "so long", "quiet")
    return [_area(upper, lower, "strip"), _line(upper[0][0], foot, upper[-1][0], foot, "axis"), name]


def lead_histogram(found: Facts) -> str:
    """The share of runs for every number of lead changes."""
    bars = found["distribution"]
    left, right, top, bottom = 46, WIDTH - 10, 22, 210
    most = max(bar["high"] for bar in bars)
    step = min(80.0, (right - left) / len(bars))
    parts = [_line(left, bottom, left + step * len(bars), bottom, "axis")]
    for k, bar in enumerate(bars):
        x, height = left + step * (k + 0.5), (bottom - top) * bar["rate"] / most
        shown = _spanned(bar["rate"], bar["low"], bar["high"])
        parts.append(
            _rect(
                x - step * 0.35, bottom - height, step * 0.7, height, "plain", f"{bar['changes']} lead changes: {shown}"
            )
        )
        high, low = (bottom - (bottom - top) * bar[end] / most for end in ("high", "low"))
        parts.append(_upright_whisker(x, high, low))
        parts.append(_word(x, high - 6, percent(bar["rate"]), "quiet", "middle"))
        parts.append(_word(x, bottom + 17, bar["changes"], "", "middle"))
    parts.append(_word(left + step * len(bars) / 2, bottom + 34, "lead changes in a run", "quiet", "middle"))
    low, high = found["interval"]
    mean = f"{found['mean']:.2f} a run ({low:.2f} to {high:.2f})"
    return _svg(bottom + 40, f"Lead changes: {mean}; none in {percent(bars[0]['rate'])} of the runs.", parts)


def attrition_curve(rooms: Sequence[Facts]) -> str:
    """What the visitor had left when it entered each room, against the healthy ranges [GDD 18.2.5]."""
    left, right, top, bottom = 46, WIDTH - 96, 12, 210
    step = (right - left) / max(len(rooms) - 1, 1)

    def y(percents: float) -> float:
        return bottom - (bottom - top) * percents / 100

    parts = [_line(left, y(25 * k), right, y(25 * k), "grid") for k in range(5)]
    parts += [_word(left - 6, y(25 * k) + 4, f"{25 * k} %", "quiet", "end") for k in range(5)]
    for k, room in enumerate(rooms):
        if room["healthy"]:
            low, high = room["healthy"]
            hint = f"healthy: {low:g} to {high:g} %"
            parts.append(_rect(left + step * k - 16, y(high), 32, y(low) - y(high), "healthy", hint))
    ends = []
    for name in (*RESOURCES[1], "mean"):
        shares = [room["entry"]["mean"] if name == "mean" else room["entry"][name]["mean"] for room in rooms]
        points = [(left + step * k, y(share)) for k, share in enumerate(shares)]
        parts.append(_path(points, "curve visitor solid" if name == "mean" else "thin"))
        ends.append((points[-1][1], name))
    for k, room in enumerate(rooms):
        mean, (low, high) = room["entry"]["mean"], room["entry"]["interval"]
        at, reached = left + step * k, room["entered"] / rooms[0]["entered"]
        hint = f"room {room['place']}: {mean:.1f} % ({low:.1f} – {high:.1f})"
        parts.append(_point(at, y(mean), 4, "point visitor", hint))
        parts.append(_word(at, bottom + 18, f"room {room['place']}", "", "middle"))
        parts.append(_word(at, bottom + 33, f"{percent(reached, 0)} of runs", "quiet", "middle"))
    looks = {"mean": "name visitor"}
    parts += [_word(right + 22, at, name, looks.get(name, "quiet")) for at, name in _spread(ends, 14)]
    told = ", ".join(f"room {room['place']} {room['entry']['mean']:.0f} %" for room in rooms)
    return _svg(bottom + 40, f"The visitor's mean share at each room's entry: {told}", parts)


def _spread(ends: Sequence[tuple[float, str]], least: float) -> list[tuple[float, str]]:
    """Labels at the ends of curves, from the top, each at least so far below the one before."""
    found: list[tuple[float, str]] = []
    for at, name in sorted(ends):
        found.append((max(at + 4, found[-1][0] + least) if found else at + 4, name))
    return found


# --- keywords and cards -----------------------------------------------------------------------------------------------


def firing_bars(rows: Sequence[Facts]) -> str:
    """How often something happened a run, for both sides."""
    left, step = 136, 36
    most = max((row[side]["a_run"] for row in rows for side in SIDES), default=0.0) or 1.0
    scale = (WIDTH - left - 140) / most
    parts = []
    for k, row in enumerate(rows):
        y = 2 + k * step
        parts.append(_word(left - 8, y + 20, row["name"].replace("_", " ").capitalize(), "", "end"))
        for p, side in enumerate(SIDES):
            times, runs = row[side]["a_run"], row[side]["runs"]
            hint = f"{side}: {times:.2f} a run; in {percent(runs['rate'])} of the runs"
            parts.append(_rect(left, y + 2 + 14 * p, scale * times, 12, side, hint))
            shown = f"{times:.2f} a run, {percent(runs['rate'], 0)} of runs" if times else "–"
            parts.append(_word(left + scale * times + 6, y + 12 + 14 * p, shown, "small quiet"))
    parts.append(_line(left, 0, left, 2 + len(rows) * step, "axis"))
    spoken = f"How often {counted(len(rows), 'thing')} happened a run, for both sides; the table has the numbers."
    return _svg(4 + len(rows) * step, spoken, parts)


def difference_mark(difference: float, interval: Sequence[float], most: float) -> str:
    """A dot with its interval on a line around zero: for a table's cell."""
    width, y, middle = 130, 8, 65

    def x(value: float) -> float:
        return middle + max(-1.0, min(1.0, value / most)) * (middle - 4)

    look = "plain" if interval[0] <= 0 <= interval[1] else "good" if difference > 0 else "bad"
    parts = [
        _line(middle, 0, middle, 16, "axis"),
        _line(x(interval[0]), y, x(interval[1]), y, f"stroke {look}"),
        f'<circle class="{look}" cx="{x(difference):.1f}" cy="{y}" r="4"/>',
    ]
    return f'<svg class="mark" viewBox="0 0 {width} 16" aria-hidden="true">{"".join(parts)}</svg>'
