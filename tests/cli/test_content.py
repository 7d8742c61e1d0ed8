"""`content check`, `content list`, `content show`, `content new`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cartomancer.content.codex import load_codex, scenario_digest
from cartomancer.content.kinds import FILES, KINDS, SCHEMAS, entry_schema
from cartomancer.content.models.cards import CARD_MODELS
from cartomancer.content.starters import STARTERS
from cartomancer.content.toml_files import DATA
from tests.cli.conftest import Run

RunJson = Callable[..., Any]

STRIKE = """
[[cards]]
id = "{id}"
title = "Mine"
side = "dungeon"
category = "strike"
type = "physical"
cost = 1
target = "vitality"
power = 2
keywords = ["drain", "erode", "overwhelm"]
"""
SCENARIO = """
id = "{id}"
title = "Mine"
dungeon = "verdant_maw"
creature = "thornback_boar"
modifiers = ["{modifier}"]
[[rooms]]
room = "root_hollow"
"""


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str], str]:
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


# --- check ------------------------------------------------------------------------------------------------------------


def test_everything_shipped_is_checked(run_json: RunJson) -> None:
    found = run_json("content", "check")
    assert found["ok"]
    for name in ("voyage:guide", "tuning:card_game", "trials:frenzy", "cards:crushing_grip", "scenarios:boar"):
        assert name in found["checked"]


def test_cards_and_scenarios_in_files_of_ones_own_are_checked(run: Run, file: Callable[[str, str], str]) -> None:
    cards = file("cards.toml", STRIKE.format(id="mine"))
    scenario = file("my-hunt.toml", SCENARIO.format(id="my-hunt", modifier="frenzy"))
    result = run("content", "check", cards, scenario)
    assert (result.exit_code, result.stdout) == (0, "checked: 2, faults: 0\n")


def test_shipped_profiles_and_scenarios_are_told_apart_as_files(run: Run) -> None:
    files = sorted([*DATA.glob("profiles/*.toml"), *DATA.glob("scenarios/*.toml")])
    assert run("content", "check", *map(str, files)).stdout == f"checked: {len(files)}, faults: 0\n"


def test_a_profile_is_checked_by_its_own_rules(run: Run, file: Callable[[str, str], str]) -> None:
    text = (DATA / "profiles" / "tactical.toml").read_text(encoding="utf-8")
    grim = text.replace('"tactical"', '"grim"').replace("healer = ", "heeler = ").replace('"nurturing"', '"nurtured"')
    result = run("content", "check", file("grim.toml", grim), "--json")
    faults = json.loads(result.stdout)["faults"]
    assert {fault["field"] for fault in faults} == {"members.heeler", "members.healer"}
    misled = text.replace('"tactical"', '"grim"').replace('"nurturing"', '"nurtured"')
    result = run("content", "check", file("grim.toml", misled))
    assert "grim.toml: courts_like = 'nurtured' is not a known profile (right would be: nurturing)" in result.stdout
    many = run("content", "check", file("many.toml", "[[profiles]]\n[[cards]]\n"))
    assert "profiles is not a kind of entry" in many.stdout


def test_every_fault_of_every_file_is_named(
    run: Run, file: Callable[[str, str], str], preset_file: Callable[..., str]
) -> None:
    files = [
        file("cards.toml", STRIKE.format(id="mine").replace("power", "powr")),
        file(
            "decks.toml",
            '[[decks]]\nid = "thin"\ntitle = "T"\nside = "dungeon"\nidentity = "tactical"\n'
            "[decks.cards]\nmine = 1\nsoul_lech = 1\n",
        ),
        file("my-hunt.toml", SCENARIO.format(id="my-hunt", modifier="frenzi")),
        preset_file("rows = 99"),
        file("nothing.toml", "a = 1\n"),
        file("odd.toml", "[[cardz]]\n[[cards]]\n"),
        file("broken.toml", "a = [\n"),
    ]
    result = run("content", "check", *files, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["checked"] == files
    said = {
        (Path(fault["where"].partition(": ")[0]).name, fault["field"], fault["expected"]) for fault in told["faults"]
    }
    for name, field, expected in (
        ("cards.toml", "powr", "power"),
        ("decks.toml", "cards", "soul_leech"),
        ("my-hunt.toml", "modifiers", "frenzy"),
        ("mine.toml", "rows", "at most 40"),
        ("odd.toml", "cardz", "cards"),
        ("odd.toml", "category", "one of strike, offer, test, trap, reshape, empower, disrupt, counter, react, energy"),
        ("broken.toml", "file", ""),
    ):
        assert (name, field, expected) in said
    assert any(name == "nothing.toml" and "[[cards]]" in expected for name, _, expected in said)


def test_files_may_refer_to_each_other_and_replace_shipped_entries(run: Run, file: Callable[[str, str], str]) -> None:
    card = file("cards.toml", STRIKE.format(id="mine"))
    deck = load_codex().decks["living_root_sanctuary"]
    amounts = {name: copies for name, copies in deck.cards.items() if name != "reluctant_lash"} | {"mine": 1}
    lines = [
        f'id = "{deck.id}"',
        'title = "Other"',
        'side = "dungeon"',
        'identity = "nurturing"',
        f"core = {deck.core}",
    ]
    text = "\n".join(
        ["[[decks]]", *lines, "[decks.cards]", *(f"{name} = {copies}" for name, copies in amounts.items())]
    )
    text += "\n[decks.lines]"  # which the sets of targets ask about
    for name, steps in deck.lines.items():
        written = ", ".join(f'{{ deed = "{s.deed}"{f", card = {s.card!r}" if s.card else ""} }}' for s in steps)
        text += f"\n{name} = [{written}]"
    mine = file("decks.toml", text)
    assert run("content", "check", card, mine).exit_code == 0
    alone = run("content", "check", mine)
    assert alone.exit_code == 1
    assert "cards = 'mine' is not a known card" in alone.stdout


def test_a_card_that_reads_like_a_shipped_one_is_refused(run: Run, file: Callable[[str, str], str]) -> None:
    shipped = next(card for card in load_codex().cards.values() if card.category == "test")
    text = (
        f'[[cards]]\nid = "mine"\ntitle = "Mine"\nside = "{shipped.side}"\n'
        'category = "test"\ntype = "social"\ncost = 3\n'
        f'exposure = {{ resource = "{shipped.exposure.resource}", amount = {shipped.exposure.amount} }}\n'
    )
    result = run("content", "check", file("cards.toml", text))
    assert result.exit_code == 1
    assert f"reads exactly like '{shipped.id}'" in result.stdout


def test_an_unknown_family_is_still_named(run: Run, file: Callable[[str, str], str]) -> None:
    result = run("content", "check", file("mine.toml", 'family = "castle"\n'))
    assert result.exit_code == 1
    assert "family = 'castle' is not a map family (right would be: voyage, contract, guardian)" in result.stdout


# --- list and show ----------------------------------------------------------------------------------------------------


def unboxed(shown: str) -> str:
    """What is shown without borders and line breaks."""
    return " ".join(shown.translate(str.maketrans("╭╮╰╯─│", " " * 6)).split())


def test_the_list_names_every_kind(run: Run) -> None:
    shown = run("content", "list").stdout
    assert all(f" {kind.name} " in shown for kind in KINDS)


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_every_entry_is_listed_and_can_be_shown(run: Run, run_json: RunJson, kind: str) -> None:
    listed = run_json("content", "list", kind)
    assert listed
    assert run("content", "list", kind).exit_code == 0
    for entry in listed[:6]:
        name = f"{kind}:{entry['id']}"
        data = run_json("content", "show", name)
        assert (data["kind"], data["id"], data.get("text", "")) == (kind, entry["id"], entry["text"])
        shown = run("content", "show", name).stdout
        assert shown.startswith(f"{entry['title']} ({kind} {entry['id']})")
        assert entry["text"] in unboxed(shown)


def test_a_plural_names_its_kind(run_json: RunJson) -> None:
    assert run_json("content", "list", "classes") == run_json("content", "list", "class")
    assert len(run_json("content", "list")) > 200


def test_a_card_is_shown_with_its_text_cost_and_type(run: Run) -> None:
    shown = run("content", "show", "crushing_grip").stdout
    for line in ("Strike · Physical", "cost 2", "power 2", "in: root_hollow ×1"):
        assert line in shown
    assert "If the visitor is Entangled" in unboxed(shown)


def test_a_deck_is_shown_by_category_with_counts(run: Run, run_json: RunJson) -> None:
    data = run_json("content", "show", "deck:root_hollow")
    assert data["size"] == sum(data["categories"].values()) == 18
    shown = run("content", "show", "deck:root_hollow").stdout
    for category, count in data["categories"].items():
        assert f"{category.capitalize()} {count}" in shown


def test_a_scenario_is_shown_with_its_modifiers_and_digest(run: Run, run_json: RunJson) -> None:
    data = run_json("content", "show", "boar+frenzy")
    codex = load_codex()
    assert data["digest"] == scenario_digest(codex, codex.scenario("boar+frenzy"))
    assert "frenzy: Enemies gain 1 tempo" in run("content", "show", "boar+frenzy").stdout
    assert "overcome → end" in run("content", "show", "bond-then-betray").stdout


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["show", "crushing_gripp"], "did you mean 'crushing_grip'"),
        (["show", "deck:root_holow"], "did you mean 'root_hollow'"),
        (["show", "dek:root_hollow"], "did you mean 'deck'"),
        (["show", "root_hollow"], "say deck:root_hollow or room:root_hollow"),
        (["show", "boar+frenzi"], "did you mean 'frenzy'"),
        (["show", "none.toml"], "does not exist"),
        (["list", "cardz"], "did you mean 'card'"),
        (["new", "strik", "mine"], "did you mean 'strike'"),
        (["new", "deck", "Mine!"], "lower-case letters"),
        (["new", "deck", "root_hollow"], "is the id of a shipped deck"),
        (["new", "equipment", "frenzy"], "is already the id of one of the trials"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_could(run: Run, arguments: list[str], hint: str) -> None:
    result = run("content", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert hint in " ".join(result.stderr.split())


# --- new and schema ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", STARTERS)
def test_a_starter_is_valid_as_it_stands(run: Run, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "my_first.toml"
    assert run("content", "new", kind, "my_first", "--out", str(path)).exit_code == 0
    assert run("content", "new", kind, "my_first").stdout == path.read_text(encoding="utf-8")
    assert run("content", "check", str(path)).stdout == "checked: 1, faults: 0\n"


@pytest.mark.parametrize("kind", STARTERS)
def test_a_starter_shows_every_field_of_its_kind(run: Run, kind: str) -> None:
    shape = entry_schema("card")["$defs"][kind.capitalize()] if kind in CARD_MODELS else entry_schema(kind)
    text = run("content", "new", kind, "mine").stdout
    for field in shape["properties"]:
        assert f"\n{field} = " in text or f"\n# {field} = " in text or f"{field}]" in text, field


def test_a_starter_never_overwrites(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("precious\n")
    result = run("content", "new", "strike", "mine", "--out", str(path))
    assert result.exit_code == 2
    assert "nothing was written" in result.stderr
    assert path.read_text() == "precious\n"


@pytest.mark.parametrize("kind", FILES)
def test_a_new_scenario_or_profile_can_move_in_as_it_is(run: Run, tmp_path: Path, kind: str) -> None:
    folder = Path(shutil.copytree(DATA, tmp_path / "content"))
    assert run("content", "new", kind, "mine", "--out", str(folder / f"{kind}s" / "mine.toml")).exit_code == 0
    assert load_codex(folder).of_kind(f"{kind}s")["mine"].title == "Mine"


@pytest.mark.parametrize("kind", FILES)
def test_a_scenarios_or_profiles_file_has_its_name(run: Run, tmp_path: Path, kind: str) -> None:
    result = run("content", "new", kind, "mine", "--out", str(tmp_path / "other.toml"))
    assert result.exit_code == 2
    assert "mine.toml" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name not in {"card", "card_game"}])
def test_shipped_entries_fit_the_published_schema(name: str) -> None:
    (kind,) = (kind for kind in KINDS if kind.name == name)
    for entry in kind.of(load_codex()).values():
        jsonschema.validate(entry.model_dump(mode="json", exclude_unset=True), entry_schema(name))


def test_shipped_cards_and_numbers_fit_the_published_schemas() -> None:
    codex = load_codex()
    validator = jsonschema.Draft202012Validator(entry_schema("card"))
    for card in codex.cards.values():
        validator.validate(card.model_dump(mode="json", exclude_unset=True))
    assert not validator.is_valid(tomllib.loads(STRIKE.format(id="mine"))["cards"][0] | {"powr": 1})
    jsonschema.validate(codex.rules.model_dump(mode="json"), entry_schema("card_game"))


# --- content of one's own ---------------------------------------------------------------------------------------------


def with_content(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with the content of a folder."""
    environment = {**os.environ, "CARTOMANCER_CONTENT": str(folder), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", "from cartomancer.cli.main import main; main()", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_copy_of_the_content_is_used_where_the_environment_names_it(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert run("content", "copy", str(folder)).exit_code == 0
    boar = folder / "creatures.toml"
    boar.write_text(boar.read_text("utf-8").replace('title = "Thornback Boar"', 'title = "Bristleback"'), "utf-8")
    shown = with_content(folder, "content", "show", "creature:thornback_boar")
    assert "Bristleback" in shown.stdout
    assert "Bristleback" not in run("content", "show", "creature:thornback_boar").stdout


def test_content_is_not_copied_over_other_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep me", "utf-8")
    assert run("content", "copy", str(tmp_path / "mine")).exit_code == 2
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_folder_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    refused = with_content(tmp_path / "nowhere", "content", "list")
    assert refused.returncode == 2
    assert "nowhere" in refused.stderr
    assert "Traceback" not in refused.stderr
