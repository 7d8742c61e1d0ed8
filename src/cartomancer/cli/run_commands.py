"""`cartomancer run`: a party on its way over a map, decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option

from cartomancer import content, maps
from cartomancer.campaign import expedition as expeditions
from cartomancer.cli import output, run_view
from cartomancer.cli.arguments import AsJson, seed_or_random
from cartomancer.errors import CartomancerError

SAVE = Annotated[Path, Argument(help="The file a run is kept in.")]
PARTY = Annotated[str, Option("--party", "-p", help="A named party, or classes: knight-cleric.")]
WHERE = Annotated[str, Argument(help="A map: voyage:guide, contract:power, a notation, a map file; or a saved run.")]
SEED = Annotated[str, Option("--seed", "-s", help="The seed of a new map: a number or any text.")]
OUT = Annotated[Path | None, Option("--out", "-o", help="Where the run is kept.")]


def drawn_map(where: str, party: str, seed: str) -> Any:
    """The map of a preset and a seed, for a party of that size; or that of a notation or a file."""
    parts = where.split(":")
    if len(parts) <= 2 and parts[0] in maps.family_names():
        preset = parts[1] if len(parts) > 1 else None
        members = expeditions.members_named(content.load_codex(), party)
        return expeditions.drawn_for(parts[0], preset, seed_or_random(seed), len(members))
    return maps.read_map(where)


def _fresh(where: str, party: str, seed: str, acts: int) -> expeditions.Expedition:
    return expeditions.Expedition(drawn_map(where, party, seed), party, acts=acts)


def _place(out: Path | None, expedition: expeditions.Expedition) -> Path:
    if out is not None:
        return out
    drawn = expedition.run.journey.map
    return Path(f"{drawn.family}-{drawn.preset}-{drawn.seed}.run.json")


def new(
    where: WHERE,
    party: PARTY = "standard_company",
    seed: SEED = "0",
    acts: Annotated[int, Option(help="Voyages: how many acts.", min=1, max=9)] = 1,
    out: OUT = None,
    force: Annotated[bool, Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Begin a run: draw the map, form the party, write the save."""
    expedition = _fresh(where, party, seed, acts)
    place = _place(out, expedition)
    if place.exists() and not force:
        raise CartomancerError(f"{place} is there already: --force replaces it, --out names another")
    expeditions.write_run(expedition, place)
    output.say(*_shown(expedition))
    output.note(f"saved: {place}", f"go on: cartomancer run play {place}")


def _read(path: Path) -> expeditions.Expedition:
    expedition, told = expeditions.read_run(path)
    output.note(*told)
    return expedition


def _shown(expedition: expeditions.Expedition) -> list[str]:
    asked = expedition.decision
    lines = [run_view.status_line(expedition), *run_view.party_lines(expedition.run)]
    if asked is not None:
        lines += ["", asked.question, *run_view.choice_lines(run_view.shown_options(expedition))]
    return lines


def _plain(expedition: expeditions.Expedition) -> dict[str, Any]:
    seen = expedition.observe()
    outcome = expedition.outcome
    return {**seen, "map": maps.to_dict(seen["map"]), "outcome": None if outcome is None else vars(outcome)}


def show(file: SAVE, as_json: AsJson = False) -> None:
    """Show a run: the map, the party, what is asked."""
    expedition = _read(file)
    if as_json:
        raise output.answered(_plain(expedition))
    output.say(run_view.map_text(expedition.run), "", *_shown(expedition))


def choose(
    file: SAVE,
    actions: Annotated[list[str], Argument(help="What is chosen, one after the other: 'go 3' settle heal.")],
    player: Annotated[str | None, Option(help="Who chooses: only the host may.")] = None,
    as_json: AsJson = False,
) -> None:
    """Take choices in a run, and save it. An illegal one is refused; those before it stand."""
    expedition = _read(file)
    happened = []
    try:
        for action in actions:
            happened += expedition.apply(action, player)
            expeditions.write_run(expedition, file)
    finally:
        if not as_json:
            output.say(*(expeditions.tell(one) for one in happened))
    if as_json:
        raise output.answered({**_plain(expedition), "happened": [one.as_dict() for one in happened]})
    output.say("", *_shown(expedition))


def play(
    where: WHERE = "voyage",
    party: PARTY = "standard_company",
    seed: SEED = "0",
    acts: Annotated[int, Option(help="Voyages: how many acts.", min=1, max=9)] = 1,
    out: OUT = None,
) -> None:
    """Play a run in the terminal. It is saved at every choice and goes on where it was left."""
    from cartomancer.cli.run_play import RunGame, run_game

    if Path(where).suffix == ".json" and Path(where).exists():
        expedition, place = _read(Path(where)), Path(where)
    else:
        expedition = _fresh(where, party, seed, acts)
        place = _place(out, expedition)
        if place.exists():
            expedition = _read(place)
            output.note(f"going on with {place}")
    raise Exit(run_game(RunGame(expedition, place)))


def log(file: SAVE, as_json: AsJson = False) -> None:
    """Tell a run from its beginning: its choices are taken again."""
    expedition = _read(file)
    first = _again(expedition)
    told: list[dict[str, Any]] = []
    for action in expedition.actions:
        told.append({"action": action, "happened": first.apply(action)})
    if as_json:
        raise output.answered([{**row, "happened": [one.as_dict() for one in row["happened"]]} for row in told])
    for row in told:
        output.say(f"> {row['action']}", *(f"  {expeditions.tell(one)}" for one in row["happened"]))


def _again(expedition: expeditions.Expedition) -> expeditions.Expedition:
    """The run at its beginning."""
    way = expedition.run.journey.ways[0]
    kinds = [member.kind for member in expedition.run.party.members]
    return expeditions.Expedition(way.map, kinds, codex=expedition.run.codex, acts=expedition.acts)


def replay(file: SAVE) -> None:
    """Take all choices of a run again: does it come out as it was saved?"""
    expedition = _read(file)
    again = _again(expedition).play(expedition.actions)
    kept, found = expeditions.save_run(expedition), expeditions.save_run(again)
    if kept != found:
        differs = ", ".join(name for name in kept if kept[name] != found.get(name) and name != "digest")
        output.say(f"differs: {differs}")
        raise Exit(output.BAD)
    output.say(f"the same: {len(expedition.actions)} choices, {run_view.status_line(again)}")


def explain(
    file: SAVE,
    who: Annotated[str, Option("--explorer", help="careful, balanced, greedy, random or planner@8.")] = "balanced",
    as_json: AsJson = False,
) -> None:
    """What an explorer would do here, and what each option promises, in gold."""
    expedition = _read(file)
    labels = {option.action: option.label for option in run_view.shown_options(expedition)}
    promises = expeditions.explorer(who).weigh(expedition)
    if as_json:
        raise output.answered([{**one.option.as_dict(), "promises": one.value} for one in promises])
    for one in promises:
        output.say(f"{one.value:8.1f}  {one.option.action:<24} {labels[one.option.action]}")


def explore(
    file: SAVE,
    who: Annotated[str, Option("--explorer", help="careful, balanced, greedy, random or planner@8.")] = "balanced",
) -> None:
    """Let a computer explorer finish a run, and save it."""
    expedition = expeditions.explore(_read(file), expeditions.explorer(who))
    expeditions.write_run(expedition, file)
    output.say(*_shown(expedition))
