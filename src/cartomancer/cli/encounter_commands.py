"""Commands about encounters: play, log, record, replay, show, legal, apply, scenarios, odds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option

from cartomancer import content, encounters, files
from cartomancer.cli import arguments, output, terminal
from cartomancer.cli.arguments import DEFAULT_PLAYER, AiDungeon, AiVisitor, AsJson, Parents, Seed, Side, position_from
from cartomancer.encounters.event import PUBLIC
from cartomancer.errors import CartomancerError
from cartomancer.figures import percent

ScenarioName = Annotated[
    str | None,
    arguments.scenario_argument(
        "A scenario, also with modifiers (boar+frenzy); its file; a notation to go on from; or a run of a batch "
        "(boar@7:123: seed 7, run 123)."
    ),
]
Position = Annotated[
    str,
    arguments.scenario_argument(
        "A notation (encounter:…), a replay or save file, or the start of a run: a scenario with --seed, or a "
        "run of a batch (boar@7:123).",
        metavar="POSITION",
    ),
]
BothPlayers = Annotated[
    str,
    arguments.player_option(
        "--players",
        "Who plays both sides: heuristic, smart, smart@100, montecarlo@12, random, first (the first legal action).",
    ),
]
AsSide = Annotated[Side | None, Option("--as", help="Whose eyes: dungeon or visitor.")]
Public = Annotated[bool, Option("--public", help="Leave out what only one side may know.")]
ReplaySource = Annotated[
    str,
    Argument(metavar="FILE|RUN", help="A replay or save file; or a run of a batch: boar@7:123 is seed 7, run 123."),
]


# --- playing ----------------------------------------------------------------------------------------------------------


def play(
    scenario: ScenarioName = None,
    side: Annotated[Side | None, Option("--as", help="Your side: dungeon or visitor. A saved game knows it.")] = None,
    seed: Seed = None,
    against: Annotated[
        str | None,
        arguments.player_option(
            "--against",
            "Who plays the other side: heuristic (the default), smart, smart@100 (rollouts), a profile such as "
            "nurturing, random, first (the first legal action). A saved game goes on with the one it had.",
        ),
    ] = None,
    save: Annotated[
        Path | None, Option(help="Keep the game in this new file, up to date after each of your decisions.")
    ] = None,
    resume: Annotated[Path | None, Option(help="Go on with a saved game.")] = None,
) -> None:
    """Play a scenario in the terminal. Type ? for help; quitting saves the game.

    cartomancer encounter play boar --as visitor
    """
    same_file = save is not None and resume is not None and save.resolve() == resume.resolve()
    if save is not None and save.exists() and not same_file:
        raise CartomancerError(f"{save}: is there already: go on with --resume {save}, or choose another name")
    saved = None if resume is None else encounters.load_replay(resume)
    mine, opponent = terminal.sides_of(saved, side and side.value, against)
    start = _opened(scenario, seed, resume, saved)
    game = terminal.Game(start, mine, opponent, save or resume)
    game.save(game.save_to)
    game.say(f"{start.packed.name}, seed {start.seed}: you are the {mine}; {game.against} plays the {game.other}.")
    raise Exit(terminal.run_game(game))


def _opened(
    scenario: str | None, seed: str | None, resume: Path | None, saved: encounters.Replay | None
) -> encounters.Encounter:
    """The game to play: a new one, or a saved one that is what was asked for."""
    from cartomancer.rng import seed_from

    if saved is None:
        if scenario is None:
            raise CartomancerError("which scenario? `cartomancer encounter scenarios` lists them; or --resume a save")
        return position_from(scenario, seed)
    found = encounters.play_replay(saved)
    if scenario not in (None, found.packed.name):
        raise CartomancerError(f"{resume} is a game of {found.packed.name}, not of {scenario}")
    if seed is not None and seed_from(seed) != found.seed:
        raise CartomancerError(f"{resume} is a game with seed {found.seed}, not {seed}")
    return found


# --- telling ----------------------------------------------------------------------------------------------------------


def log(
    scenario: ScenarioName = None,
    seed: Seed = None,
    players: BothPlayers = DEFAULT_PLAYER,
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    replay: Annotated[Path | None, Option(help="Tell the fight in this file instead.")] = None,
    moves: Annotated[bool, Option("--moves", help="Show every decision before what it led to.")] = False,
    side: AsSide = None,
    public: Public = False,
    as_json: AsJson = False,
) -> None:
    """Tell a fight as a story with numbers: rooms, rounds, turns, the outcome, the notation.

    What a side or the public is told has no seed, no notation, and none of the other side's decisions.

    cartomancer encounter log boar --seed 42
    """
    viewer = _viewer(side, public)
    if (scenario is None) == (replay is None):
        raise CartomancerError("give either a scenario or --replay FILE")
    if replay is not None:
        _decided(str(replay), ai_dungeon, ai_visitor)
        run = encounters.play_replay(encounters.load_replay(replay))
    else:
        run = _played_out(str(scenario), seed, _both_players(players, ai_dungeon, ai_visitor))
    _tell(run, moves, as_json, viewer)


def _viewer(side: Side | None, public: bool) -> str | None:
    """Whose eyes: a side's, the public's, or nobody's, who sees everything."""
    if side is not None and public:
        raise CartomancerError("--as shows what one side may know, --public what both may: give one of them")
    return PUBLIC if public else side and side.value


def _both_players(both: str, dungeon: str | None, visitor: str | None) -> dict[str, str]:
    """Who plays each side, by full names."""
    asked = {"dungeon": dungeon, "visitor": visitor}
    return {side: terminal.full_name(both if player is None else player, side) for side, player in asked.items()}


def _played_out(source: str, seed: str | None, players: dict[str, str]) -> encounters.Encounter:
    """A whole run, played to its end by players."""
    start = position_from(source, seed)
    with output.progress_bar(start.packed.name, 1):
        return terminal.play_out(start, players)


def _tell(run: encounters.Encounter, moves: bool, as_json: bool, viewer: str | None = None) -> None:
    """A run as a story, or for programs."""
    if as_json:
        output.print_json(terminal.log_json(run, viewer))
    else:
        terminal.print_log(run, moves, viewer)


# --- recording and replaying ------------------------------------------------------------------------------------------


def record(
    scenario: ScenarioName,
    out: Annotated[Path, Option("--out", "-o", help="Where the replay goes.")],
    seed: Seed = None,
    players: BothPlayers = DEFAULT_PLAYER,
    ai_dungeon: AiDungeon = None,
    ai_visitor: AiVisitor = None,
    force: Annotated[bool, Option("--force", help="Write over a file that is there.")] = False,
    parents: Parents = False,
) -> None:
    """Let players finish a fight and write its replay file."""
    if out.exists() and not force:
        raise CartomancerError(f"{out}: is there already: nothing was written (--force writes over it)")
    files.refuse_homeless(out, parents)
    both = _both_players(players, ai_dungeon, ai_visitor)
    run = _played_out(str(scenario), seed, both)
    files.write_file(out, encounters.record(run, both).to_json().encode(), parents)
    output.note(f"{run.packed.name}, seed {run.seed}: {terminal.standing(run)} → {out}", whole=True)


def replay(
    source: ReplaySource, ai_dungeon: AiDungeon = None, ai_visitor: AiVisitor = None, as_json: AsJson = False
) -> None:
    """Play a replay file again and say whether it comes out as recorded. Exit code 1 if it does not.

    Or play a run of a batch again, with the players that `simulate` was given, and tell it like `encounter log`:

    cartomancer encounter replay boar@7:123
    """
    if Path(source).suffix != ".json" and arguments.run_of_batch(source):
        _tell(_played_out(source, None, _both_players(DEFAULT_PLAYER, ai_dungeon, ai_visitor)), False, as_json)
        return
    _decided(source, ai_dungeon, ai_visitor)
    recorded = encounters.load_replay(Path(source))
    run = encounters.play_replay(recorded)
    if as_json:
        head = {"reproduced": True, "scenario": run.packed.name, "seed": str(run.seed), "actions": len(run.actions)}
        outcome, awaiting = map(terminal.told, (run.outcome, run.decision))
        end = {"outcome": outcome, "players": recorded.players, "awaiting": awaiting}
        raise output.answered({**head, **end, "final_hash": run.state_hash()})
    output.say(f"{run.packed.name}, seed {run.seed}, {len(run.actions)} actions. {terminal.standing(run)}")
    output.say(f"final hash {run.state_hash()}: reproduced")


def _decided(source: str, *players: str | None) -> None:
    """Refuse players for what is decided already."""
    if any(player is not None for player in players):
        raise CartomancerError(f"{source} has its decisions: leave out --ai-dungeon and --ai-visitor")


# --- driving the protocol ---------------------------------------------------------------------------------------------


def show(
    position: Position, side: AsSide = None, public: Public = False, seed: Seed = None, as_json: AsJson = False
) -> None:
    """Show the board at a position as one side sees it, or as everybody may. It does not name the position: seed and
    actions of both sides are in a notation."""
    viewer = _viewer(side, public)
    if viewer is None:
        raise CartomancerError("whose eyes? --as dungeon, --as visitor or --public")
    encounter = position_from(position, seed)
    view = encounters.public_view(encounter) if public else encounters.observe(encounter, viewer)
    if as_json:
        raise output.answered({**view, "outcome": terminal.told(encounter.outcome)})
    console, titles = output.screen(), encounters.Titles(encounter.packed)
    terminal.print_apart(console, terminal.board(view, titles))
    menu = terminal.Keys(viewer).menu(encounter) if "legal" in view else None
    if not public:
        terminal.print_apart(console, terminal.hand(view, titles, menu.cards if menu else None))
    if menu is not None:
        console.print(terminal.question(view, titles))
        console.print(terminal.choice_list(menu))
    else:
        console.print(terminal.standing(encounter, viewer), markup=False)


def legal(position: Position, seed: Seed = None, as_json: AsJson = False) -> None:
    """List what the pending side may do: the number and the readable form of every legal action."""
    encounter = position_from(position, seed)
    options = [{"action": action, "text": encounter.text_of(action)} for action in encounter.legal()]
    if as_json:
        awaiting, outcome = map(terminal.told, (encounter.decision, encounter.outcome))
        found = {"awaiting": awaiting, "legal": options, "outcome": outcome}
        raise output.answered({"notation": encounters.notation(encounter), **found})
    output.say(*(f"{option['action']:>4}  {option['text']}" for option in options))
    output.note(terminal.standing(encounter))
    output.note(encounters.notation(encounter), whole=True)


def apply(
    position: Position,
    actions: Annotated[
        list[str],
        Argument(
            metavar="ACTION", help="Numbers or readable forms, in order: keep, 'strike gore', 'target rogue', 64."
        ),
    ],
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Take actions at a position: the new notation on stdout, what happened on stderr.

    position=$(cartomancer encounter apply boar keep keep --seed 42)
    """
    encounter = position_from(position, seed)
    narrator = encounters.Narrator(encounter.packed)
    for _, happened in terminal.steps(encounter):
        narrator.lines(happened)  # a narrator must hear a run from its start
    told: list[str] = []
    for action in actions:
        told += narrator.sentences(encounter.apply(int(action) if action.isdecimal() and len(action) < 6 else action))
    if as_json:
        awaiting, outcome = map(terminal.told, (encounter.decision, encounter.outcome))
        found = {"sentences": told, "awaiting": awaiting, "outcome": outcome}
        raise output.answered({"notation": encounters.notation(encounter), **found, "hash": encounter.state_hash()})
    output.note(*told)
    output.say(encounters.notation(encounter))


# --- reference --------------------------------------------------------------------------------------------------------


def scenarios(as_json: AsJson = False) -> None:
    """List the shipped scenarios: rooms, visitor, what they are about."""
    codex = content.load_codex()
    rows: list[dict[str, Any]] = []
    for entry in codex.scenarios.values():
        visitor = codex.creatures[entry.creature].title if entry.creature else ""
        visitor = visitor or ", ".join(member.title for member in codex.members_of(entry))
        rooms = [codex.place(stop.room).title for stop in entry.rooms]
        found = {"id": entry.id, "title": entry.title, "rooms": rooms, "visitor": visitor}
        rows.append({**found, "retreat": entry.retreat, "summary": entry.summary})
    if as_json:
        raise output.answered(rows)
    listed = output.word_table("", ("scenario", "what it is", "rooms", "visitor"))
    listed.columns[2].max_width = listed.columns[3].max_width = 16
    for row in rows:
        what = f"[bold]{row['title']}[/bold]\n{row['summary']}"
        listed.add_row(row["id"], what, "\n".join(row["rooms"]), row["visitor"], end_section=True)
    output.show(listed)


def odds(
    bonus: Annotated[int, Option(min=-20, max=20, help="The attacker's attribute minus the defender's.")] = 0,
    attacker: Annotated[str, Option(help="How the attacker rolls: plain, advantage, disadvantage.")] = "plain",
    defender: Annotated[str, Option(help="How the defender rolls.")] = "plain",
    power: Annotated[int, Option(min=0, max=100, help="The power of the Strike.")] = 4,
    as_json: AsJson = False,
) -> None:
    """Exact odds of a Strike: every tier, the damage it deals and the damage it costs."""
    found = encounters.contest_odds(bonus, attacker, defender, power)
    if as_json:
        raise output.answered(found.as_dict())
    tiers = [(tier, percent(float(share), 2)) for tier, share in found.tiers.items()]
    title = f"bonus {bonus:+d}, attacker {attacker}, defender {defender}"
    output.show(output.table(title, ("tier", "chance"), tiers))
    output.say(
        f"hits cleanly {percent(float(found.hit), 2)}; a Strike of power {power} deals {float(found.dealt):.3f} "
        f"and costs {float(found.taken):.3f} on average"
    )
