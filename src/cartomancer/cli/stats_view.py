"""How the numbers of decks look in a terminal: one deck in full, many in tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cartomancer.cli import output
from cartomancer.content.deck_rules import CATEGORIES, COMPOSITION, Range
from cartomancer.content.deck_stats import COSTS, CategoryCount, DeckStats
from cartomancer.content.models.vocabulary import RESOURCES
from cartomancer.figures import percent

BAR: Final = 14
WIDE: Final = 110  # from here on the ten categories fit a table in full
VERDICTS: Final = {"in range": "green", "waived": "yellow", "out of range": "red"}


def print_stats(stats: DeckStats) -> None:
    """The numbers of one deck, kit or party."""
    console, energy = output.screen(), stats.categories["energy"].count
    output.line(console, Text.assemble((stats.title, "bold"), (f" ({stats.kind} {stats.id})", "dim")))
    words = [f"{stats.size} cards", *([stats.identity] if stats.identity else [])]
    words += [f"Energy {energy} ({percent(stats.energy_share, 0)})", f"mean cost {stats.mean_cost:.2f}"]
    output.line(console, Text(" · ".join(words)), indent=2)
    costs = {f"{cost}": cards for cost, cards in zip(COSTS, stats.curve, strict=True)}
    parts = [
        _bars("energy curve", ("cost", "cards"), costs),
        _bars("Strike power", ("at", "power"), stats.strike_power),
        _category_table(stats),
        _tally("keywords", stats.keywords),
        _tally("asked about", stats.asked),
    ]
    _print_abreast(console, [part for part in parts if part.row_count])


def _print_abreast(console: Console, tables: Iterable[Table]) -> None:
    """Tables side by side, as many as fit."""
    rows: list[list[Table]] = [[]]
    for made in tables:
        taken = sum(console.measure(other).maximum + 1 for other in rows[-1])
        if rows[-1] and taken + console.measure(made).maximum > console.width:
            rows.append([])
        rows[-1].append(made)
    for row in rows:
        abreast = Table.grid(padding=(0, 1, 0, 0))
        abreast.add_row(*row)
        console.print(abreast)


def _bars(title: str, heads: tuple[str, str], numbers: Mapping[str, int]) -> Table:
    longest = max([*numbers.values(), 1])
    bars = (
        (name, str(number), Text("█" * round(BAR * number / longest), style="cyan")) for name, number in numbers.items()
    )
    return output.table(title, (*heads, ""), bars, left=(0, 2))


def _category_table(stats: DeckStats) -> Table:
    """Categories against the identity's row of the composition table."""
    ranged = stats.identity in COMPOSITION
    made = output.table("categories", ("category", "cards", *(["table", ""] if ranged else [])))
    for name, found in stats.categories.items():
        if found.allowed and found.verdict:
            verdict = Text(found.verdict, style=VERDICTS[found.verdict], justify="left")
            made.add_row(name, str(found.count), _range(found.allowed), verdict)
        elif found.count:
            made.add_row(name, str(found.count))
    return made


def _tally(title: str, numbers: Mapping[str, int]) -> Table:
    rows = ((name.replace("_", " "), str(number)) for name, number in numbers.items())
    return output.table(title, ("", "cards"), rows)


def print_overview(found: Sequence[DeckStats]) -> None:
    """The numbers of many decks, one line a deck, and where each keyword is."""
    console = output.screen()
    columns = ("deck", "cards", "Energy", "share", *map(str, COSTS), "mean cost")
    curves = output.named_table("energy curve: action cards by cost", columns)
    for stats in found:
        energy = [str(stats.categories["energy"].count), percent(stats.energy_share, 0)]
        curves.add_row(stats.id, str(stats.size), *energy, *map(str, stats.curve), f"{stats.mean_cost:.2f}")
    console.print(curves)
    console.print(_category_overview(found, console.width >= WIDE))
    _print_abreast(console, [_strike_overview(found, resources) for resources in RESOURCES.values()])
    console.print(_where("keywords and conditions", {stats.id: stats.keywords for stats in found}))
    console.print(_where("asked about", {stats.id: stats.asked for stats in found}))


def _category_overview(found: Sequence[DeckStats], wide: bool) -> Table:
    """Every identity's row of the composition table, and under it the decks that follow it [GDD 8.1]."""
    heads = [name.capitalize() if wide else name[:3].capitalize() for name in CATEGORIES]
    made = output.named_table("categories", ("deck", *heads))
    made.caption, made.caption_justify = " * waived: departs from the table on purpose\n", "left"
    present = {stats.identity for stats in found}
    for identity in (name for name in (*COMPOSITION, "visitor") if name in present):
        row = COMPOSITION.get(identity)
        ranges = [_range(row[name]) if row else "any" for name in CATEGORIES]
        made.add_row(identity, *ranges, style="dim")
        for stats in found:
            if stats.identity == identity:
                made.add_row(f"  {stats.id}", *map(_marked, stats.categories.values()))
    return made


def _strike_overview(found: Sequence[DeckStats], resources: Sequence[str]) -> Table:
    """The Strikes of those decks that hit these resources."""
    strikers = [stats for stats in found if stats.strike_power.keys() >= set(resources)]
    targets = [*resources, *(["chosen"] if any("chosen" in stats.strike_power for stats in strikers) else [])]
    rows = ((stats.id, *(str(stats.strike_power.get(target, 0)) for target in targets)) for stats in strikers)
    return output.named_table("Strike power by target", ("deck", *targets), rows)


def _where(title: str, numbers: Mapping[str, Mapping[str, int]]) -> Table:
    """How often each thing is there, and in which decks."""
    made = output.word_table(title, ("", "cards", "in"))
    total = sum(map(Counter, numbers.values()), Counter[str]())
    for name, cards in total.most_common():
        decks = ", ".join(f"{deck} {inside[name]}" for deck, inside in numbers.items() if name in inside)
        made.add_row(name.replace("_", " "), str(cards), decks)
    return made


def _marked(category: CategoryCount) -> Text:
    sign = {"waived": "*", "out of range": "!"}.get(category.verdict or "", "")
    return Text(f"{category.count}{sign}", style=VERDICTS[category.verdict] if category.verdict else "")


def _range(allowed: Range) -> str:
    return str(allowed[0]) if allowed[0] == allowed[1] else f"{allowed[0]}–{allowed[1]}"
