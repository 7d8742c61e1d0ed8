"""A run in the terminal: the party, the way, one question after another; every choice is saved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from cartomancer.campaign.expedition import Expedition, explorer, tell, write_run
from cartomancer.cli import output, run_view
from cartomancer.cli.play_command import Game, read_line
from cartomancer.errors import CartomancerError

HELP: Final = """\
A number, or an option as it is written (go 7), takes it. Besides:
  map      the whole map, where you are and where you have been
  party    the party again
  deck     everybody's cards
  log      what has happened so far
  hint     what a computer explorer would do here, and what it thinks each option is worth
  quit     stop; everything is saved already
  ? N      more about option N"""


class RunGame:
    """A run that a person walks; fights are played card by card, or settled."""

    def __init__(self, expedition: Expedition, save_to: Path, side: str = "visitor") -> None:
        self.expedition, self.save_to, self.side = expedition, save_to, side
        self.story: list[str] = []

    def play(self) -> bool:
        """Until the run is over or the person quits; whether it is over."""
        self.save()
        while self.expedition.decision is not None:
            if self.expedition.fight is not None:
                if not self.fight():
                    return False
                continue
            action = self.ask()
            if action is None:
                return False
            self.take(action)
        outcome = self.expedition.outcome
        if outcome is not None:
            output.say("", f"The run is over: {outcome.ending}, in row {outcome.row}, with {outcome.gold} gold.")
        return True

    def take(self, action: str) -> None:
        """Take an action, tell what happened, save."""
        for happening in self.expedition.apply(action):
            line = tell(happening)
            self.story.append(line)
            output.say(f"  {line}")
        self.save()

    def save(self) -> None:
        """Write the run where it is kept."""
        write_run(self.expedition, self.save_to)

    def fight(self) -> bool:
        """The nested fight, card by card; whether it was finished."""
        fight = self.expedition.fight
        assert fight is not None
        game = _Nested(self, fight, self.side, "heuristic")
        return game.play()

    def ask(self) -> str | None:
        """The person's choice; nothing to quit."""
        expedition, asked = self.expedition, self.expedition.decision
        assert asked is not None
        options = run_view.shown_options(expedition)
        output.say("", run_view.status_line(expedition), *run_view.party_lines(expedition.run), "")
        output.say(asked.question, *run_view.choice_lines(options))
        while True:
            typed = " ".join(read_line("> ").split())
            word, _, rest = typed.partition(" ")
            if word == "quit":
                return None
            if word in {"help", "?"} and not rest:
                output.say(HELP)
            elif word == "?":
                key = int(rest) if rest.isdigit() else 0
                known = 1 <= key <= len(options)
                output.say(options[key - 1].stakes or options[key - 1].label if known else f"there is no option {rest}")
            elif word == "map":
                output.say(run_view.map_text(expedition.run, colour=sys.stdout.isatty()))
            elif word == "party":
                output.say(*run_view.party_lines(expedition.run))
            elif word == "deck":
                for seat, member in enumerate(expedition.run.party.members):
                    cards = ", ".join(expedition.run.codex.card(card).title for card in member.cards)
                    output.say(f"{expedition.run.name_of(seat)}: {cards}")
            elif word == "log":
                output.say(*(self.story or ["Nothing has happened yet."]))
            elif word == "hint":
                self.hint()
            elif typed.isdigit() and 1 <= int(typed) <= len(options):
                return options[int(typed) - 1].action
            elif typed in {option.action for option in options}:
                return typed
            elif typed:
                output.say(f"'{typed}' is no option here: 1 to {len(options)}, or ask for help")

    def hint(self) -> None:
        """What the balanced explorer would do, and what it thinks each option is worth."""
        labels = {option.action: option.label for option in run_view.shown_options(self.expedition)}
        for number, promise in enumerate(explorer("balanced").weigh(self.expedition)):
            mark = "→" if not number else " "
            output.say(f" {mark} {promise.value:7.1f}  {labels[promise.option.action]}")


class _Nested(Game):
    """A fight of a run: every decision goes through the run, and is saved with it."""

    def __init__(self, run: RunGame, fight: object, side: str, against: str) -> None:
        self.run = None
        super().__init__(fight, side, against)  # type: ignore[arg-type]
        self.run = run

    def advance(self, action: int) -> None:
        """Take an action, in the run too."""
        text = self.encounter.text_of(action)
        super().advance(action)
        if self.run is not None:
            self.run.take(text)

    def undo(self) -> None:
        """In a run a decision is saved as it is taken, and stands."""
        self.say("Nothing can be taken back: in a run every decision is saved as it is taken.")

    def look_back(self) -> None:
        """The run goes on."""


def run_game(game: RunGame) -> int:
    """Play; the exit code."""
    try:
        game.play()
    except (EOFError, KeyboardInterrupt) as stop:
        output.say("")
        output.note(f"saved: {game.save_to}", f"go on: cartomancer run play {game.save_to}")
        return output.STOPPED if isinstance(stop, KeyboardInterrupt) else output.OK
    except CartomancerError:
        game.save()
        raise
    output.note(f"saved: {game.save_to}")
    return output.OK
