"""`encounter play`, `log`, `record`, `replay`, `show`, `legal`, `apply`, `scenarios`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from cartomancer.cli import output, play_command, seats
from cartomancer.content.codex import load_codex
from cartomancer.encounters.encounter import Encounter
from cartomancer.encounters.observation import observe
from cartomancer.encounters.replay import from_notation, load_replay, notation
from cartomancer.players.simulation import run_seed
from tests.cli.conftest import Play, Run

RunJson = Callable[..., Any]
COMMANDS = ["play", "log", "record", "replay", "show", "legal", "apply", "scenarios", "odds"]
NOTATION = re.compile(r"^encounter:\S+$", re.MULTILINE)
SOME_GAME = [*(["2", "1", "3"] * 40), *(["1"] * 150)]  # choices that are not there are told and passed over


def visitors_turn(scenario: str = "boar") -> str:
    """A position in which the visitor has the turn."""
    fight = Encounter(scenario, 3)
    while fight.decision is not None and (fight.decision.kind, fight.decision.side) != ("turn", "visitor"):
        fight.apply(fight.legal()[0])
    return notation(fight)


def last_notation(result: Result) -> str:
    return NOTATION.findall(result.stdout)[-1]


# --- playing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["dungeon", "visitor"])
@pytest.mark.parametrize("scenario", ["boar", "symbiote", "company-gauntlet"])
def test_a_whole_game_by_numbers(play: Play, scenario: str, side: str) -> None:
    result = play(scenario, "--as", side, "--seed", "5", typed=SOME_GAME)
    fight = from_notation(last_notation(result))
    assert fight.outcome is not None
    assert f"{scenario}, seed 5: you are the {side}" in result.stdout
    assert f"{fight.outcome.kind.capitalize()}" in result.stdout
    assert "saved" not in result.stdout


@pytest.mark.parametrize("against", ["random", "first", "heuristic", "nurturing"])
def test_quitting_and_resuming_changes_nothing(play: Play, tmp_path: Path, against: str) -> None:
    options = ("--as", "visitor", "--against", against)
    through = play("symbiote", "--seed", "9", "--save", "whole.json", *options, typed=SOME_GAME)
    for first, second in ((1, 5), (11, 20)):
        name = f"{first}.json"
        play("symbiote", "--seed", "9", "--save", name, *options, typed=[*SOME_GAME[:first], "quit"])
        said = play("--resume", name, *options, typed=[*SOME_GAME[first:second], "quit"]).stdout
        assert f"saved: {name}" in said
        rest = play("symbiote", "--resume", name, *options, typed=SOME_GAME[second:])
        assert last_notation(rest) == last_notation(through)
        assert load_replay(tmp_path / name).final_hash == load_replay(tmp_path / "whole.json").final_hash


def test_a_save_remembers_who_played(play: Play, tmp_path: Path) -> None:
    """A resumed game goes on with the same opponent and side, unless told otherwise."""
    options = ("symbiote", "--as", "visitor", "--seed", "9", "--against", "nurturing")
    through = play(*options, "--save", "whole.json", typed=SOME_GAME)
    play(*options, "--save", "game.json", typed=[*SOME_GAME[:17], "quit"])
    assert load_replay(tmp_path / "game.json").players == {"dungeon": "heuristic:nurturing", "visitor": "person"}
    rest = play("--resume", "game.json", typed=SOME_GAME[17:])
    assert "you are the visitor; heuristic:nurturing plays the dungeon" in rest.stdout
    assert last_notation(rest) == last_notation(through)
    play("--resume", "game.json", "--against", "first", typed=[])
    assert load_replay(tmp_path / "game.json").players == {"dungeon": "first", "visitor": "person"}
    changed = play("--resume", "game.json", "--as", "dungeon", typed=["quit"]).stdout
    assert "you are the dungeon; heuristic plays the visitor" in changed


def test_saves_that_do_not_say_who_played_go_on_as_they_did(play: Play, tmp_path: Path) -> None:
    """Before saves kept the players, chance played unless somebody else was asked for."""
    options = ("--as", "visitor", "--against", "random")
    through = play("boar", "--seed", "9", "--save", "whole.json", *options, typed=SOME_GAME)
    play("boar", "--seed", "9", "--save", "old.json", *options, typed=[*SOME_GAME[:17], "quit"])
    data = json.loads((tmp_path / "old.json").read_text())
    del data["players"]
    (tmp_path / "old.json").write_text(json.dumps(data))
    rewritten(tmp_path / "old.json", True)
    assert play("--resume", "old.json", typed=[], code=2).stderr  # whose side is it?
    rest = play("--resume", "old.json", "--as", "visitor", typed=SOME_GAME[17:])
    assert "random plays the dungeon" in rest.stdout
    assert last_notation(rest) == last_notation(through)


def test_an_opponent_is_named_with_its_rollouts(play: Play) -> None:
    said = play("boar", "--as", "dungeon", "--seed", "3", "--against", "montecarlo@1", typed=["1", "1", "quit"]).stdout
    assert "montecarlo@1 plays the visitor" in said
    assert "--as dungeon --against montecarlo@1" in " ".join(said.split())
    assert "montecarlo@1 plays the visitor" in play("--resume", "boar-3.save.json", typed=["quit"]).stdout


def test_a_game_against_a_montecarlo_player_begins_at_once_and_goes_on_compiled(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm_ups: list[Callable[[], Encounter]] = []
    monkeypatch.setattr(seats, "compile_in_background", warm_ups.append)
    monkeypatch.setattr(output, "progress_bar", None)  # nobody waits
    play("boar", "--as", "dungeon", "--seed", "3", "--against", "heuristic", typed=["quit"])
    assert not warm_ups
    play("boar", "--as", "dungeon", "--seed", "3", "--against", "montecarlo@48", "--save", "new.json", typed=["quit"])
    play("--resume", "new.json", typed=["quit"])
    assert len(warm_ups) == 2
    warmed = warm_ups[0]()
    assert (warmed.packed.name, warmed.decision) == ("boar", None)  # a fight to its end: everything has been called


def test_every_own_decision_is_saved_at_once(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is killed loses nothing: the file is looked at whenever the person is asked."""
    kept: list[int] = []
    answers = iter(["1", "1", "2", "1", "2"])

    def read_line(prompt: str) -> str:
        kept.append(len(load_replay(tmp_path / "game.json").actions))
        return next(answers, "quit")

    monkeypatch.setattr(play_command, "read_line", read_line)
    play("boar", "--as", "visitor", "--seed", "1", "--save", "game.json", typed=[])
    assert kept == sorted(set(kept))
    assert len(kept) == 6


def test_a_game_without_a_seed_is_new_each_time_and_says_its_seed(play: Play) -> None:
    said = [play("boar", "--as", "dungeon", typed=["quit"]).stdout for _ in range(2)]
    seeds = [re.findall(r"boar, seed (\d+):", text)[0] for text in said]
    assert seeds[0] != seeds[1]
    assert all(f"saved: boar-{seed}.save.json" in text for seed, text in zip(seeds, said, strict=True))


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("0", "there is no choice 0: take one of 1, 2, or"),
        ("99", "there is no choice 99"),
        ("9" * 5000, "unknown choice"),
        ("nonsense", "unknown choice 'nonsense'"),
        ("keap", "did you mean 'keep'?"),
        ("strike nothing_like_it", "unknown card in hand 'nothing_like_it'"),
        ("card", "unknown card ''"),
        ("card goar", "did you mean 'gore'?"),
        ("card Gore", "Physical Strike, costs 0"),
        ("?", "quit        save and stop"),
        ("help", "card NAME"),
        ("log", "Initiative: the Verdant Maw rolls"),
        ("board", "opening hands"),
        ("[bold]", "unknown choice '[bold]'"),
    ],
)
def test_whatever_is_typed_is_answered_and_the_game_waits(play: Play, typed: str, answer: str) -> None:
    result = play("boar", "--as", "visitor", "--seed", "6", typed=[typed, "quit"])
    shown, _, said = result.stdout.partition("> ")
    assert answer in " ".join(said.split()) or answer in said
    assert "Keep this hand, or deal again?" in shown
    assert not load_replay(Path("boar-6.save.json")).actions[1:]


def test_a_card_cannot_be_played_before_its_time(play: Play) -> None:
    card = observe(Encounter("boar", 6), "visitor")["me"]["hand"][0]
    said = play("boar", "--as", "visitor", "--seed", "6", typed=[f"play {card}", "quit"]).stdout
    assert f"'play {card}' is not allowed: the visitor is asked to" in " ".join(said.split())


def test_choices_are_also_taken_as_they_are_written(play: Play) -> None:
    play("boar", "--as", "visitor", "--seed", "3", "--against", "first", typed=["keep", "quit"])
    fight = Encounter("boar", 3).play(load_replay(Path("boar-3.save.json")).actions)
    assert fight.round == 1
    choice = next(text for text in fight.legal_texts() if text.startswith("energy "))
    written = (choice, choice.replace("energy ", "play "))
    for number, text in enumerate(written):
        save = f"{number}.json"
        play(
            "boar", "--as", "visitor", "--seed", "3", "--against", "first", "--save", save, typed=["keep", text, "quit"]
        )
        assert len(load_replay(Path(save)).actions) == len(fight.actions) + 1


def test_the_end_of_the_input_saves_like_quit(play: Play) -> None:
    said = play("boar", "--as", "dungeon", "--seed", "4", typed=["1", "1"]).stdout
    assert "saved: boar-4.save.json" in said
    assert "--resume boar-4.save.json --as dungeon --against heuristic" in " ".join(said.split())
    assert len(load_replay(Path("boar-4.save.json")).actions) > 2


def test_ctrl_c_saves_like_quit(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["1", "2"])

    def read_line(prompt: str) -> str:
        found = next(answers, None)
        if found is None:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(play_command, "read_line", read_line)
    said = play("boar", "--as", "dungeon", "--seed", "4", typed=[], code=130).stdout
    assert "saved: boar-4.save.json" in said
    assert play("--resume", "boar-4.save.json", "--as", "dungeon", typed=[], code=130).stdout


def test_a_save_never_writes_over_another_game(play: Play) -> None:
    play("boar", "--as", "dungeon", "--seed", "4", typed=["1", "1", "quit"])
    before = Path("boar-4.save.json").read_text()
    assert "saved: boar-4-2.save.json" in play("boar", "--as", "dungeon", "--seed", "4", typed=["quit"]).stdout
    result = play("boar", "--as", "dungeon", "--save", "boar-4.save.json", typed=[], code=2)
    assert "is there already" in result.stderr
    assert Path("boar-4.save.json").read_text() == before


def test_a_save_that_cannot_be_written_is_told_before_the_game(play: Play) -> None:
    Path("file").write_text("")
    result = play("boar", "--as", "dungeon", "--save", "file/game.json", typed=["1"], code=2)
    assert "cannot be written" in result.stderr
    assert "Keep this hand" not in result.stdout


def test_where_nothing_can_be_written_the_notation_is_the_save(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("")
    monkeypatch.setattr(play_command, "default_save", lambda encounter: Path("file/game.json"))
    result = play("boar", "--as", "dungeon", "--seed", "2", typed=["1", "quit"], code=2)
    assert from_notation(last_notation(result)).actions


@pytest.mark.parametrize(
    "arguments",
    [
        ("--as", "dungeon"),
        ("boar",),
        ("boar", "--as", "nobody"),
        ("boar", "--as", "dungeon", "--against", "somebody"),
        ("boar", "--as", "dungeon", "--seed", ""),
        ("symbiote", "--as", "dungeon", "--resume", "saved.json"),
        ("boar", "--as", "dungeon", "--seed", "8", "--resume", "saved.json"),
    ],
)
def test_a_game_that_makes_no_sense_is_wrong_usage(play: Play, arguments: tuple[str, ...]) -> None:
    play("boar", "--as", "visitor", "--seed", "1", "--save", "saved.json", typed=["quit"])
    assert play(*arguments, typed=[], code=2).stderr


def test_the_board_shows_what_the_side_may_know_and_nothing_else(play: Play) -> None:
    said = play("boar", "--as", "dungeon", "--seed", "3", typed=["log", "quit"]).stdout
    fight = Encounter("boar", 3).play(load_replay(Path("boar-3.save.json")).actions)
    view, cards = observe(fight, "dungeon"), load_codex().cards
    own = {cards[name].title for name in (*view["me"]["hand"], *view["me"]["discard"])}
    hidden = {cards[name].title for name in observe(fight, "visitor")["me"]["hand"]}
    assert own
    assert hidden - own
    assert all(title in said for title in own)
    assert not any(title in said for title in hidden - own)


# --- stories ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", ["heuristic", "random", "first"])
def test_a_log_is_a_story_that_ends_with_its_notation(run: Run, players: str) -> None:
    said = run("encounter", "log", "boar", "--seed", "42", "--players", players).stdout
    lines = said.splitlines()
    assert lines[0] == f"{load_codex().scenarios['boar'].title} (boar, seed 42)"
    assert "The Thornback Boar enters Root Hollow" in lines
    assert {"Round 1", "Round 2"} <= set(lines)
    assert any(line.startswith("  The Verdant Maw's turn: ") for line in lines)
    fight = from_notation(lines[-1])
    assert fight.outcome is not None
    assert lines[-2].startswith(f"{fight.outcome.kind.capitalize()}: ")
    assert "»" not in said


def test_a_log_with_moves_shows_every_decision(run: Run, run_json: RunJson) -> None:
    said = run("encounter", "log", "symbiote", "--seed", "1", "--moves").stdout
    actions = run_json("encounter", "log", "symbiote", "--seed", "1")["actions"]
    shown = [line.strip() for line in said.splitlines() if line.strip().startswith("»")]
    assert shown == [f"» {one['number']} {one['side']}: {one['text']}" for one in actions]


def test_a_log_for_programs_has_actions_events_and_outcome(run_json: RunJson) -> None:
    found = run_json("encounter", "log", "company-gauntlet", "--seed", "3")
    fight = from_notation(found["notation"])
    assert [one["action"] for one in found["actions"]] == fight.actions
    assert found["final_hash"] == fight.state_hash()
    assert found["outcome"]["kind"] == fight.outcome.kind if fight.outcome else False
    assert found["events"][0] == {"after": 0, "kind": "room_entered", "side": "dungeon", "room": fight.packed.rooms[0]}
    assert found["events"][-1]["kind"] == "run_ended"
    struck = next(one for one in found["events"] if one.get("cause") == "strike")
    assert {"after", "kind", "side", "reducer", "points", "cause", "source"} <= set(struck)
    assert found["story"][-1]["text"].startswith("The run ends")
    assert [one["after"] for one in found["events"]] == sorted(one["after"] for one in found["events"])


def test_a_replay_file_is_told_like_the_fight_it_recorded(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "fight.json")
    run("encounter", "record", "boar", "--seed", "42", "--out", path)
    assert run("encounter", "log", "--replay", path).stdout == run("encounter", "log", "boar", "--seed", "42").stdout
    assert run("encounter", "log", "boar", "--replay", path).exit_code == 2
    assert run("encounter", "log").exit_code == 2


def test_an_unfinished_game_is_told_as_far_as_it_went(play: Play, run: Run) -> None:
    play("boar", "--as", "visitor", "--seed", "3", typed=["1", "quit"])
    lines = run("encounter", "log", "--replay", "boar-3.save.json").stdout.splitlines()
    assert lines[-2] == "Unfinished: the visitor is asked (turn)."


# --- replays ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def recorded(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "fight.json"
    result = run("encounter", "record", "symbiote", "--seed", "7", "--players", "random", "--out", str(path))
    assert result.exit_code == 0
    assert "symbiote, seed 7: " in result.stderr
    return path


def rewritten(path: Path, sealed: bool, **changes: Any) -> str:
    """The file with changes; sealed: as if its digest had been made for them."""
    data = json.loads(path.read_text()) | changes
    if sealed:
        body = {key: value for key, value in data.items() if key != "digest"}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"))
        data["digest"] = hashlib.sha256(text.encode()).hexdigest()[:32]
    path.write_text(json.dumps(data))
    return str(path)


def test_a_recorded_fight_is_reproduced(run: Run, run_json: RunJson, recorded: Path) -> None:
    found = run_json("encounter", "replay", str(recorded))
    assert found["reproduced"]
    assert found["final_hash"] == load_replay(recorded).final_hash
    said = run("encounter", "replay", str(recorded)).stdout
    assert said.endswith(f"final hash {found['final_hash']}: reproduced\n")
    assert found["outcome"]["kind"].capitalize() in said


def test_a_recording_is_written_over_only_by_force(run: Run, recorded: Path) -> None:
    before = recorded.read_text()
    again = ("encounter", "record", "boar", "--seed", "1", "--out", str(recorded))
    result = run(*again)
    assert result.exit_code == 2
    assert "is there already" in result.stderr
    assert recorded.read_text() == before
    assert run(*again, "--force").exit_code == 0
    assert load_replay(recorded).scenario == "boar"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": "8"}, "it was damaged or edited"),
        ({"actions": []}, "trace"),
        ({"actions": ["x"], "seed": -1, "more": 1}, "actions"),
        ({"players": {"dungeon": "first"}}, "players"),
        ({"players": None, "seed": 3}, "players"),
        ({"format": "something"}, "format"),
        ({"version": 99}, "version"),
    ],
)
def test_a_tampered_file_is_refused_with_every_fault(
    run: Run, recorded: Path, change: dict[str, Any], said: str
) -> None:
    result = run("encounter", "replay", rewritten(recorded, False, **change))
    assert (result.exit_code, result.stdout) == (1, "")
    assert said in result.stderr
    if len(change) > 1:
        assert all(field in result.stderr for field in change)


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00", "null"])
def test_a_file_that_is_no_replay_is_refused(run: Run, tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    for command in ("replay", "legal"):
        result = run("encounter", command, str(path))
        assert (result.exit_code, result.stdout) == (1, "")
    assert run("encounter", "replay", str(tmp_path / "none.json")).exit_code == 1


def test_a_trace_that_does_not_fit_says_where_and_why(run: Run, recorded: Path) -> None:
    trace = load_replay(recorded).trace
    wrong = f"{trace[:16]}{'0000' if trace[16:20] != '0000' else '1111'}{trace[20:]}"
    result = run("encounter", "replay", rewritten(recorded, True, trace=wrong))
    assert (result.exit_code, result.stdout) == (1, "")
    said = " ".join(result.stderr.split())
    assert "the replay diverges at decision 5: neither rules nor content changed" in said


PLAY = ["play", "--as", "visitor", "--against", "random", "--resume"]


@pytest.mark.parametrize("change", [{"ruleset": 0}, {"scenario_digest": "0" * 12}], ids=["rules", "content"])
@pytest.mark.parametrize("command", [["replay"], ["legal"], ["log", "--replay"], PLAY], ids=" ".join)
def test_a_replay_of_other_rules_or_content_is_refused_like_a_notation(
    run: Run, recorded: Path, command: list[str], change: dict[str, Any]
) -> None:
    before = rewritten(recorded, True, **change)
    kept = recorded.read_text()
    result = run("encounter", *command, before)
    assert (result.exit_code, result.stdout) == (1, "")
    said = " ".join(result.stderr.split())
    assert "the replay was written with other rules or content: r" in said
    assert f"{next(iter(change))} = {next(iter(change.values()))!r} is not that of today" in said
    assert recorded.read_text() == kept


def test_a_notation_of_other_rules_or_content_is_refused_in_the_same_words(run: Run) -> None:
    refused = run("encounter", "legal", "encounter:boar|r1.000000000000|1|")
    assert refused.exit_code == 2
    assert "the position was written with other rules or content: r1.000000000000" in " ".join(refused.stderr.split())


def test_an_illegal_action_in_a_sealed_file_diverges(run: Run, recorded: Path) -> None:
    actions = list(load_replay(recorded).actions)
    actions[3] = 9_999
    said = run("encounter", "replay", rewritten(recorded, True, actions=actions)).stderr
    assert "diverges at decision 4: action 9999 is not allowed" in " ".join(said.split())


# --- runs of batches --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["boar", "standard-company+iron_shield@2"])
def test_a_run_of_a_batch_is_told_and_recorded_by_its_name(run: Run, tmp_path: Path, scenario: str) -> None:
    name, path = f"{scenario}@7:3", tmp_path / "run.json"
    told = run("encounter", "replay", name).stdout
    assert told == run("encounter", "log", name).stdout
    fight = from_notation(told.splitlines()[-1])
    assert (fight.packed.name, fight.seed) == (scenario, run_seed(7, 3))
    assert fight.outcome is not None
    assert run("encounter", "record", name, "--out", str(path)).exit_code == 0
    assert load_replay(path).final_hash == fight.state_hash()
    assert load_replay(path).players == {"dungeon": "heuristic", "visitor": "heuristic"}


def test_a_run_of_a_batch_can_be_played_by_hand(play: Play) -> None:
    said = play("boar@7:3", "--as", "dungeon", typed=["quit"]).stdout
    assert f"boar, seed {run_seed(7, 3)}: you are the dungeon" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", "boar@7:1000000000000"),
        ("replay", f"boar@{2**64}:1"),
        ("replay", "baor@7:1"),
        ("replay", "boar@7:1", "--ai-dungeon", "nobody"),
        ("replay", "boar@7:1", "--ai-dungeon", ""),
        ("replay", "boar@7:1", "--ai-visitor", "nurturing"),
        ("replay", "fight.json", "--ai-visitor", "random"),
        ("log", "--replay", "fight.json", "--ai-visitor", "random"),
        ("log", "boar@7:1", "--seed", "2"),
        ("log", "boar", "--players", "nobody"),
        ("legal", "boar@7:1", "--seed", "2"),
    ],
)
def test_a_run_that_cannot_be_is_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("encounter", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


# --- positions --------------------------------------------------------------------------------------------------------


def test_a_shell_can_drive_a_whole_run(run: Run, run_json: RunJson) -> None:
    position = run("encounter", "apply", "boar", "keep", "--seed", "3").stdout.strip()
    for _ in range(200):
        found = run_json("encounter", "legal", position)
        if not found["legal"]:
            break
        choice = found["legal"][min(1, len(found["legal"]) - 1)]
        result = run("encounter", "apply", position, str(choice["action"]))
        assert result.stderr
        position = result.stdout.strip()
    fight = from_notation(position)
    assert fight.outcome is not None
    assert found["outcome"]["kind"] == fight.outcome.kind


def test_legal_lists_numbers_and_texts_that_apply_takes(run: Run, run_json: RunJson) -> None:
    position = visitors_turn()
    shown = run("encounter", "legal", position).stdout
    options = run_json("encounter", "legal", position)["legal"]
    assert [line.split(maxsplit=1) for line in shown.splitlines()] == [[str(o["action"]), o["text"]] for o in options]
    by_number = run("encounter", "apply", position, str(options[1]["action"])).stdout
    assert by_number == run("encounter", "apply", position, options[1]["text"]).stdout


def test_apply_tells_what_happened(run: Run, run_json: RunJson) -> None:
    position = visitors_turn()
    energy = next(text for text in from_notation(position).legal_texts() if text.startswith("energy "))
    result = run("encounter", "apply", position, energy, "end")
    title = load_codex().cards[energy.split()[1]].title
    assert f"The Thornback Boar plays {title}. Its energy pool grows to " in result.stderr
    assert NOTATION.fullmatch(result.stdout.strip())
    found = run_json("encounter", "apply", position, energy, "end")
    assert found["notation"] == result.stdout.strip()
    assert found["sentences"] == result.stderr.splitlines()
    assert found["awaiting"] == {"kind": "turn", "side": "dungeon"}


@pytest.mark.parametrize("action", ["nonsense", "99", "strike no_card", "123456789012345678901234567890", "²", ""])
def test_an_illegal_action_is_refused_and_nothing_printed(run: Run, action: str) -> None:
    position = visitors_turn()
    result = run("encounter", "apply", position, "end", action)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_show_is_the_board_of_one_side(run: Run, run_json: RunJson, recorded: Path) -> None:
    position = visitors_turn("company-gauntlet")
    said = run("encounter", "show", position, "--as", "visitor").stdout
    assert "Standard Adventuring Company (you)" in said
    assert all(member in said for member in ("Knight", "Battlemage", "Cleric", "Rogue"))
    found = run_json("encounter", "show", position, "--as", "dungeon")
    assert found["side"] == "dungeon"
    assert "hand" not in found["opponent"]
    over = run_json("encounter", "show", str(recorded), "--as", "dungeon")
    assert over["outcome"]


@pytest.mark.parametrize("viewer", [("--as", "dungeon"), ("--as", "visitor"), ("--public",)])
def test_no_view_names_the_position(run: Run, viewer: tuple[str, ...], recorded: Path) -> None:
    """A notation has the seed and the actions of both sides in it."""
    seed = "7771234567"
    position = notation(Encounter("boar", int(seed)).play(["keep", "keep"]))
    for told in (("show", position), ("log", position), ("log", position, "--moves")):
        for form in ((), ("--json",)):
            said = run("encounter", *told, *viewer, *form)
            assert said.exit_code == 0
            assert seed not in said.output
            assert "encounter:" not in said.output


def test_a_view_is_of_one_side_or_public(run: Run, run_json: RunJson) -> None:
    position = visitors_turn()
    assert run_json("encounter", "show", position, "--public")["public"] is True
    said = run("encounter", "show", position, "--public").stdout
    assert "Verdant Maw" in said
    assert "(you)" not in said
    assert "is asked" not in said
    for wrong in (("show", position), ("show", position, "--public", "--as", "visitor")):
        result = run("encounter", *wrong)
        assert (result.exit_code, result.stdout) == (2, "")
    assert run("encounter", "log", "boar", "--public", "--as", "visitor").exit_code == 2


@pytest.mark.parametrize("side", ["dungeon", "visitor"])
def test_a_sides_log_has_its_own_decisions_and_what_it_may_see(run_json: RunJson, side: str) -> None:
    whole = run_json("encounter", "log", "boar", "--seed", "42")
    found = run_json("encounter", "log", "boar", "--seed", "42", "--as", side)
    own = [one for one in whole["actions"] if one["side"] == side]
    assert [one | {"number": 0} for one in found["actions"]] == [one | {"number": 0} for one in own]
    assert [one["number"] for one in found["actions"]] == list(range(1, len(own) + 1))
    assert {one["after"] for one in found["events"]} <= set(range(len(own) + 1))
    traps = [one for one in found["events"] if one["kind"] == "trap_laid"]
    assert all((one["card"] == "hidden") is (one["side"] != side) for one in traps)
    everybody = run_json("encounter", "log", "boar", "--seed", "42", "--public")
    assert (everybody["actions"], {one["after"] for one in everybody["events"]}) == ([], {0})
    assert [one["kind"] for one in everybody["events"]] == [one["kind"] for one in whole["events"]]
    assert traps
    assert all(one["card"] == "hidden" for one in everybody["events"] if one["kind"] == "trap_laid")


@pytest.mark.parametrize(
    "position",
    ["encounter:boar", "encounter:boar|r1.000000000000|1|", "encounter:|r1.000000000000|1|", "encounter:boar|x|1|zz"],
)
def test_a_position_that_cannot_be_read_is_wrong_usage(run: Run, position: str) -> None:
    result = run("encounter", "show", position, "--as", "dungeon")
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_position_has_its_seed(run: Run, recorded: Path) -> None:
    assert run("encounter", "legal", str(recorded), "--seed", "1").exit_code == 2


# --- the rest ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [("log", "baor"), ("record", "baor", "--out", "x.json"), ("play", "baor", "--as", "dungeon"), ("legal", "baor")],
)
def test_an_unknown_scenario_names_the_nearest(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("encounter", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean 'boar'?" in result.stderr


def test_scenarios_are_listed_with_rooms_and_visitor(run: Run, run_json: RunJson) -> None:
    found = {row["id"]: row for row in run_json("encounter", "scenarios")}
    assert set(found) == set(load_codex().scenarios)
    assert found["company-gauntlet"]["rooms"] == ["Living Root Sanctuary", "Root Hollow"]
    assert found["boar"]["visitor"] == "Thornback Boar"
    said = run("encounter", "scenarios").stdout
    assert all(name in said for name in found)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    assert command in run("encounter", "--help").stdout
    assert "Usage" in run("encounter", command, "--help").stdout


def test_modifiers_come_along_in_notations_and_files(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "fight.json"
    run("encounter", "record", "boar+frenzy", "--seed", "2", "--out", str(path))
    assert run_json("encounter", "replay", str(path))["scenario"] == "boar+frenzy"
    assert run_json("encounter", "log", "boar+frenzy", "--seed", "2")["notation"].startswith("encounter:boar+frenzy|")
