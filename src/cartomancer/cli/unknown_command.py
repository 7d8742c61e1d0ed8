"""The command that resolves Unknowns outside a game."""

from __future__ import annotations

import re
from typing import Annotated, cast

import typer

from cartomancer.cli import arguments, output
from cartomancer.errors import NotationError
from cartomancer.figures import percent


def unknown(
    seed: arguments.Seed = None,
    visits: Annotated[
        int, typer.Option("--visits", "-k", min=1, max=100_000, help="How many Unknowns are entered.")
    ] = 10,
    force: Annotated[
        list[str] | None, typer.Option("--force", help="Force one visit's outcome: shop@3. May be repeated.")
    ] = None,
    row: Annotated[int | None, typer.Option("--row", help="The row they lie on: its bans count.")] = None,
    pity: Annotated[str, typer.Option("--pity", help="Pity to start from: battle,treasure,shop.")] = "0,0,0",
    forecast: Annotated[
        bool, typer.Option("--forecast", help="Exact probabilities of the coming visits instead of one story.")
    ] = False,
    preset: arguments.PresetName = None,
    set_: arguments.Overrides = None,
    as_json: arguments.AsJson = False,
) -> None:
    """Resolve Unknowns in order, with pity: Battle, Treasure, Shop, else Event.

    cartomancer map unknown --seed 42 --visits 10 --force shop@3
    """
    from cartomancer.content.models.voyage import VoyageRules
    from cartomancer.maps.unknowns import OUTCOMES, UnknownResolver
    from cartomancer.maps.unknowns import forecast as forecast_of

    rules = cast(VoyageRules, arguments.rules_for("voyage", preset, arguments.overrides_from(set_))[0])
    if row is not None and not (1 <= row <= rules.rows and rules.fixed_type(row) is None):
        raise NotationError(f"row {row} can hold no Unknown: it is not one of the free rows of these rules")
    banned = rules.banned_types(row) if row is not None else {}
    start = _pity(pity)
    if forecast:
        steps = forecast_of(rules.unknown, visits, start, banned)
        if as_json:
            output.print_json({"pity": list(start), "visits": [{"visit": k, **s} for k, s in enumerate(steps, 1)]})
            return
        shown = output.table("chance of each outcome at the visit (by then at least once)", "visit", *OUTCOMES)
        for k, step in enumerate(steps, 1):
            cells = [f"{percent(step[n], 2)} ({percent(step[f'{n}_by_now'])})" for n in OUTCOMES]
            shown.add_row(str(k), *cells)
        output.stdout().print(shown)
        return
    forced = dict(_forced(entry, visits) for entry in force or [])
    resolver = UnknownResolver(arguments.seed_or_random(seed), rules.unknown, start)
    results = []
    for visit in range(1, visits + 1):
        if visit in forced:
            resolver.force_next(forced[visit])
        results.append(resolver.visit(banned))
    counts = {name: sum(result.outcome == name for result in results) for name in OUTCOMES}
    if as_json:
        output.print_json(
            {
                "seed": resolver.seed,
                "visits": [result.as_dict() for result in results],
                "outcomes": [result.outcome for result in results],
                "counts": counts,
                "resolver": resolver.save(),
            }
        )
        return
    console = output.stdout()
    if visits <= 200:
        shown = output.table(f"seed {resolver.seed}", "visit", "outcome", "battle", "treasure", "shop", "pity after")
        for result in results:
            chances = [percent(value) for value in result.chances]
            mark = " (forced)" if result.forced else ""
            shown.add_row(str(result.visit), result.outcome + mark, *chances, "/".join(map(str, result.pity_after)))
        console.print(shown)
    console.print(", ".join(f"{name} {count} ({percent(count / visits, 2)})" for name, count in counts.items()))


def _pity(text: str) -> tuple[int, int, int]:
    parts = text.split(",")
    if len(parts) != 3 or not all(re.fullmatch("[0-9]{1,6}", part.strip()) for part in parts):
        raise NotationError(
            f"pity '{text}' should be three counters below a million: battle,treasure,shop, for example 3,0,1"
        )
    battle, treasure, shop = (int(part) for part in parts)
    return battle, treasure, shop


def _forced(text: str, visits: int) -> tuple[int, str]:
    outcome, at, visit = text.partition("@")
    if not at or not re.fullmatch("[0-9]{1,6}", visit) or not 1 <= int(visit) <= visits:
        raise NotationError(f"force '{text}' should be outcome@visit with a visit from 1 to {visits}: shop@3")
    return int(visit), outcome
