"""The scripts in `examples/` run, and say what they promise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
SAYS = {
    "draw_and_search_maps": ("rules broken: 0", "10,000 seeds looked at, found: 250"),
    "play_a_fight": ("strikes with", "refused: unknown card in hand 'no_such_card'"),
    "own_player": ("Brute has the better of random", "Brute has the better of heuristic"),
    "batch_and_metrics": ("bond", "agency", "the first Bond took"),
    "new_card": ("Salt Crust in the place of Knitting Roots", "kill"),
    "read_a_replay": ("rounds,", "the last point was taken by"),
}


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs(name: str) -> None:
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    assert [text for text in SAYS[name] if text not in ran.stdout] == []


def test_every_script_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(SAYS)
