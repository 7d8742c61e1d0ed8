"""The documentation under test: generated parts are fresh, links lead somewhere, examples work as shown."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

import cartomancer.jit  # noqa: F401  before the generator: this process decides how its kernels run
from cartomancer.cli.main import app
from cartomancer.content.check import check_files

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted([*DOCS.glob("*.md"), *DOCS.glob("rules/*.md")])]
LINKED = [*PAGES, ROOT / "CONTRIBUTING.md"]
FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")
NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")
EXITS = re.compile(r"\s+# exits (?P<code>\d)$")


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page as (info line, text)."""
    return [(found["info"].strip(), found["text"]) for found in FENCE.finditer(page.read_text(encoding="utf-8"))]


# --- generated parts --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    sys.path.insert(0, str(DOCS))  # as when it is run as a script
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_parts_are_fresh(generator: ModuleType) -> None:
    stale = [page_id(path) for path in generator.stale_files()]
    assert not stale, f"run `python docs/generate.py`: {', '.join(stale)} no longer say what the code says"


def test_a_changed_generated_part_is_noticed(generator: ModuleType, tmp_path: Path) -> None:
    for name, text in generator.wanted_texts().items():
        copy = tmp_path / name.relative_to(DOCS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    assert generator.stale_files(tmp_path) == []
    page = tmp_path / "rules" / "voyage.md"
    page.write_text(page.read_text("utf-8").replace("Every node of row 1 is a Monster.", "Anything goes."), "utf-8")
    (tmp_path / "cli.md").unlink()
    assert {path.name for path in generator.stale_files(tmp_path)} == {"voyage.md", "cli.md"}


def test_every_generated_part_is_used_somewhere(generator: ModuleType) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    used = {found["name"] for found in generator.PART.finditer(text)}
    assert used <= set(generator.PARTS)
    # the other families' queries have the same names: one table is enough
    assert set(generator.PARTS) - used <= {"queries-contract", "queries-guardian"}


@pytest.mark.parametrize("name", ["levers-voyage", "levers-contract", "levers-guardian"])
def test_measured_tables_still_hold(generator: ModuleType, name: str) -> None:
    """A tenth of the maps, so equal within 15 % and a quarter (three points for rates): far beyond six deviations."""
    text = (DOCS / "tuning-guide.md").read_text(encoding="utf-8")
    (told,) = (found["text"].strip() for found in generator.MEASURED_PART.finditer(text) if found["name"] == name)
    fresh = generator.MEASURED[name](generator.MEASURED_MAPS // 10)
    for line, again in zip(told.splitlines(), fresh.splitlines(), strict=True):
        label, *cells = line.strip("| ").split(" | ")
        assert again.startswith(f"| {label} |")
        for cell, new in zip(cells, again.strip("| ").split(" | ")[1:], strict=True):
            if NUMBER.match(cell):
                one, two = (float(NUMBER.match(value)[0]) for value in (cell, new))  # type: ignore[index]
                slack = 3.0 if "%" in cell else 0.25
                assert abs(one - two) <= 0.15 * max(one, two) + slack, f"{label}: {cell} is now {new}"


# --- links ------------------------------------------------------------------------------------------------------------


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as hosting sites make them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=page_id)
def test_relative_links_lead_somewhere(page: Path) -> None:
    broken = []
    for found in LINK.finditer(FENCE.sub("", page.read_text(encoding="utf-8"))):
        target, _, anchor = found["target"].partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        file = (page.parent / target).resolve() if target else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors_of(file)):
            broken.append(found["target"])
    assert not broken


# --- commands and content examples ------------------------------------------------------------------------------------


@dataclass
class Command:
    """One `$ cartomancer …` line and the lines shown below it."""

    line: str
    exit_code: int
    shown: list[str] = field(default_factory=list)

    @property
    def arguments(self) -> tuple[list[str], str | None]:
        """The arguments, and the file its output is redirected to."""
        words = shlex.split(self.line)[1:]
        return (words[:-2], words[-1]) if words[-2:-1] == [">"] else (words, None)


def commands_in(text: str) -> Iterator[Command]:
    current: Command | None = None
    for line in text.splitlines():
        if line.startswith("$ cartomancer"):
            if current:
                yield current
            exits = EXITS.search(line)
            current = Command(EXITS.sub("", line[2:]), int(exits["code"]) if exits else 0)
        elif line.startswith("$ "):
            raise AssertionError(f"only cartomancer commands are run here: {line}")
        elif current and line.strip():
            current.shown.append(line.rstrip())
    if current:
        yield current


def reads_like(shown: str, said: str) -> bool:
    """Whether two lines say the same: the same words, and numbers within 5 % (an audit's decimals may move)."""
    words = [" ".join(NUMBER.sub("#", line).split()) for line in (shown, said)]
    if words[0] != words[1]:
        return False
    numbers = [[float(number.replace(",", "")) for number in NUMBER.findall(line)] for line in (shown, said)]
    return all(abs(one - two) <= 0.05 * abs(one) + 0.02 for one, two in zip(*numbers, strict=True))


def write_examples(page: Path, folder: Path) -> dict[Path, bool]:
    """Write the page's TOML examples into the folder; True for those that are meant to be faulty."""
    written = {}
    for info, text in blocks(page):
        named = re.fullmatch(r'toml title="(?P<name>[\w-]+\.toml)"(?P<faulty> faulty)?', info)
        if named:
            (folder / named["name"]).write_text(text, encoding="utf-8")
            written[folder / named["name"]] = bool(named["faulty"])
    return written


@pytest.mark.parametrize("page", [page for page in PAGES if "```toml title" in page.read_text("utf-8")], ids=page_id)
def test_toml_examples_are_valid(page: Path, tmp_path: Path) -> None:
    for path, faulty in write_examples(page, tmp_path).items():
        _, faults = check_files([path])
        assert bool(faults) == faulty, [str(fault) for fault in faults]


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in page.read_text("utf-8")], ids=page_id)
def test_commands_work_as_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run in order in one folder; each line shown below one appears in its output, in the same order."""
    monkeypatch.chdir(tmp_path)
    write_examples(page, tmp_path)
    runner = CliRunner()
    for info, text in blocks(page):
        if info != "console":
            continue
        for command in commands_in(text):
            arguments, target = command.arguments
            result = runner.invoke(app, arguments, env={"COLUMNS": "100", "NO_COLOR": "1"}, prog_name="cartomancer")
            assert result.exit_code == command.exit_code, f"{command.line}\n{result.output}\n{result.exception!r}"
            if target:
                Path(target).write_text(result.stdout, encoding="utf-8")
            said = iter(result.output.splitlines())
            for line in command.shown:
                assert any(reads_like(line, other) for other in said), (
                    f"{command.line}\ndoes not show the line\n{line}\nbut\n{result.output}"
                )
