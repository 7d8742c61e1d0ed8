"""A game in the terminal: one side is the person's, the other plays by itself; quitting loses nothing."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from cartomancer.cli import board_view, glossary, output, play_aids, review_view
from cartomancer.cli.arguments import FIRST
from cartomancer.cli.play_keys import GIVEN_UP, Keys, Menu
from cartomancer.cli.seats import PERSON, full_name, opponent
from cartomancer.content.models.vocabulary import OTHER_SIDE
from cartomancer.encounters import Encounter, Event, Narrator, notation, observe, record, redacted
from cartomancer.encounters.actions import parse, verb_of
from cartomancer.encounters.narration import Line
from cartomancer.encounters.takeback import why_final
from cartomancer.encounters.whys import whys
from cartomancer.errors import CartomancerError, IllegalActionError, UnknownNameError
from cartomancer.files import write_file
from cartomancer.players import player_spec
from cartomancer.players.conjecture import decided

HELP: Final = """\
A key, or a choice as it is written, takes that choice. A key means the same card or choice for the whole turn.
  activate    which cards can be discarded for energy; activate 3, a 3, discards the one with key 3
  restrain    the same for Strikes that are held back for trust
  undo        take your last decision back, until dice, a draw, a hidden card or the other side has spoken
  hint        what a computer player would do in your place, and why
  odds        the odds of every Strike and React, tier by tier
  why         what happened since your last decision: rolls, causes, the rules behind them, and what the other
              side could have done instead, as far as you may know
  card NAME   a card: its cost, type and text
  discard     what lies open in both discard piles
  deck        your draw pile, the other side's deck, what it may hold
  room        the room: its pressure, its limit, what else is in force
  rules       the rules in short
  glossary W  what a word means: glossary drain
  log         the story so far
  board       the board again
  quit        save and stop; Ctrl-C and the end of the input do the same
  help, ?     this list"""
NO_NEWS: Final = "Nothing has happened since your last decision."
OPTIONS: Final = "What the other side could have done, as far as you may know:"
CONFIRMED: Final = {  # verbs that are asked about once more
    "activate": "Discard {} for 1 energy?",
    "restrain": "Discard {} for trust, without striking?",
    "retreat": "Retreat? It ends the run.",
}


# --- the game ---------------------------------------------------------------------------------------------------------


def default_save(encounter: Encounter) -> Path:
    """A save's name in the current folder: the scenario and the seed, and a number where that is taken."""
    name = re.sub(r"[^\w+@.-]+", "_", encounter.packed.name.rpartition("/")[2].replace(".toml", ""))
    names = (f"{name}-{encounter.seed}{more}.save.json" for more in ("", *(f"-{n}" for n in range(2, 10_000))))
    return next(path for path in map(Path, names) if not path.exists())


def read_line(prompt: str) -> str:
    """A line the person typed."""
    return input(prompt)


def is_yes(answer: str) -> bool:
    """Whether a person agrees."""
    return answer.strip().lower() in {"y", "yes"}


class Game:
    """An encounter, the story of it as one side knows it, and what the person has to say."""

    def __init__(self, start: Encounter, side: str, against: str, save: Path | None = None) -> None:
        self.side, self.other, self.save_to = side, str(OTHER_SIDE[side]), save
        self.against = full_name(against, self.other)
        self.choose = opponent(against, self.other, start.packed)
        self.console = output.screen()
        self.begin(start, start.actions)

    def begin(self, start: Encounter, actions: Sequence[int]) -> None:
        """The game as it is after some actions."""
        self.encounter, self.keys = Encounter(start.packed, start.seed), Keys(self.side)
        self.narrator = Narrator(start.packed, self.side)
        self.titles = self.narrator.titles
        self.story: list[Line] = self.narrator.lines(self.encounter.opening)
        self.news = list(self.story)  # since the person's last decision
        self.happened = [redacted(event, self.side) for event in self.encounter.opening]  # the same as events
        self.asked = self.encounter.copy()  # the person's last decision
        self.deeds: list[tuple[Encounter, Event]] = []  # what the other side has decided since, and where
        self.loose = 0  # decisions that can be taken back
        self.final = "nothing has been decided"  # why no more can
        for action in actions:
            self.advance(action)

    def advance(self, action: int) -> None:
        """Take an action of whoever is asked."""
        before, decision = self.encounter.copy(), self.encounter.decision
        mine = decision is not None and decision.side == self.side
        if mine:
            self.keys.menu(before)  # keys are given in the order in which choices came up, also when a game is resumed
            self.news, self.happened, self.asked, self.deeds = [], [], before, []
        events = self.encounter.apply(action)
        seen = [redacted(event, self.side) for event in events]
        self.happened += seen
        if not mine:
            self.deeds += [(before, event) for event in seen if decided(event, self.side)][:1]
        lines = self.narrator.lines(events)
        self.story += lines
        self.news += lines
        reason = why_final(before, self.encounter) if mine else "the other side has decided since"
        self.loose, self.final = (0, reason) if reason else (self.loose + 1, self.final)

    def undo(self) -> None:
        """Take the last decision back, if nothing was rolled or learnt since."""
        if not self.loose:
            self.say(f"Nothing can be taken back: {self.final}.")
            return
        self.begin(self.encounter, self.encounter.actions[:-1])
        self.save(self.save_to)
        self.show()

    def play(self) -> bool:
        """Play until the run is over or the person quits; whether it is over."""
        while (decision := self.encounter.decision) is not None:
            mine = decision.side == self.side
            action = self.ask() if mine else self.choose(self.encounter)
            if action is None:
                return False
            self.advance(action)
            if mine:
                self.save(self.save_to)
        self.finish()
        return True

    def finish(self) -> None:
        """The end of the run: the last of the story, the outcome, the notation."""
        self.console.print()
        board_view.print_story(self.console, self.news)
        outcome = self.encounter.outcome
        if outcome is not None:
            self.console.print()
            self.console.print(board_view.outcome_words(outcome, self.titles), style="bold", markup=False)
        self.save(self.save_to)
        output.say(notation(self.encounter))
        self.look_back()

    def look_back(self) -> None:
        """The post-mortem, if the person wants one: it lays all cards open and takes some seconds."""
        try:
            wanted = is_yes(read_line("Look back: where it turned, and what smart would have done? yes or no > "))
        except EOFError:
            wanted = False
        if wanted:
            players = {} if self.against == FIRST else {self.other: player_spec(self.against, self.other)}
            found = review_view.looked_back(self.encounter, self.side, players)
            self.console.print()
            review_view.print_review(self.console, found, self.titles)

    # --- the person's decisions ---------------------------------------------------------------------------------------

    @property
    def view(self) -> dict[str, Any]:
        """What the person may know."""
        return observe(self.encounter, self.side)

    @property
    def menu(self) -> Menu:
        """What the person may choose."""
        return self.keys.menu(self.encounter)

    def show(self) -> None:
        """The board, what happened, the hand, the question."""
        view, menu = self.view, self.menu
        self.console.print()
        self.console.print(board_view.board(view, self.titles))
        board_view.print_apart(self.console, play_aids.goal(self.encounter, self.side, self.titles))
        board_view.print_story(self.console, self.news)
        self.console.print()
        board_view.print_apart(self.console, board_view.hand(view, self.titles, menu.cards))
        for line in play_aids.odds_lines(self.encounter, menu, self.side):
            output.line(self.console, Text(line, style="dim"), 1)
        self.console.print(board_view.question(view, self.titles))
        self.console.print(board_view.choice_list(menu))

    def ask(self) -> int | None:
        """The person's choice; nothing to quit."""
        self.show()
        while True:
            typed = " ".join(read_line("> ").split())
            word, _, rest = typed.partition(" ")
            if word == "quit":
                return None
            if word in COMMANDS:
                self.obey(word, rest)
                continue
            try:
                action = self.meant(typed)
            except CartomancerError as error:
                self.say(str(error))
            else:
                if action is not None and self.confirmed(action):
                    return action

    def obey(self, word: str, rest: str) -> None:
        """Commands that are no decisions."""
        COMMANDS[word](self, rest)

    def explain_word(self, word: str) -> None:
        """A word of the game; all of them where none is named."""
        try:
            for one in [word] if word else glossary.WORDS:
                self.say(glossary.meaning(one, self.titles.codex))
        except UnknownNameError as error:
            self.say(str(error))

    def explain(self) -> None:
        """What happened since the person's last decision and why, and what the other side could have done instead."""
        options = [
            *play_aids.unanswered(self.asked, self.side, self.happened, self.titles),
            *play_aids.options_of(self.titles, self.side, self.deeds),
        ]
        self.say(*whys(self.titles, self.happened) or [NO_NEWS])
        self.say(*([OPTIONS, *options] if options else []))

    def say(self, *lines: str) -> None:
        """Something to the person that is not part of the game."""
        for text in lines:
            self.console.print(text, markup=False)

    def confirmed(self, action: int) -> bool:
        """Whether the person means what cannot be meant lightly: giving up a card, or the run."""
        asked = CONFIRMED.get(verb_of(action))
        if asked is None:
            return True
        name = self.encounter.text_of(action).partition(" ")[2]
        sure = is_yes(read_line(asked.format(self.titles.card(name) if name else "") + " yes or no > "))
        if not sure:
            self.say("Nothing was done.")
        return sure

    def meant(self, typed: str) -> int | None:
        """The action that a key or a text means; nothing where a list of cards was asked for."""
        menu, (word, _, rest) = self.menu, typed.partition(" ")
        verb = next((verb for verb in GIVEN_UP if word in {verb, verb[0]}), None)
        if verb is not None and not rest:
            self.console.print(board_view.given_up_list(verb, menu.given_up.get(verb, {})))
            return None
        choices = menu.actions if verb is None else menu.given_up.get(verb, {})
        key = typed if verb is None else rest
        if re.fullmatch(r"[0-9]{1,9}", key):
            if int(key) not in choices:
                raise IllegalActionError(self.missing(menu, int(key), verb))
            return choices[int(key)][0]
        text = typed if verb is None else f"{verb} {rest}"
        forms = {form: action for _, action, form in menu.choices()}
        if text in forms:
            return forms[text]
        try:
            return parse(self.encounter.packed, self.encounter.state, text)
        except IllegalActionError as error:
            if str(error).startswith("unknown action"):
                raise UnknownNameError("choice", text, [*forms]) from None
            raise

    def missing(self, menu: Menu, key: int, verb: str | None) -> str:
        """Why a key means nothing that can be chosen now."""
        if key not in menu.names:
            return f"there is no choice {key}: take one of {', '.join(map(str, menu.actions))}, or ask for help"
        name = menu.names[key]
        if name not in {card for card, _ in menu.cards}:
            return f"{key} is {name}, which is not to be had now"
        try:
            parse(self.encounter.packed, self.encounter.state, f"{verb or 'play'} {name}")
        except IllegalActionError as error:
            return f"{key} is {self.titles.card(name)}: {error}"
        return f"{key} is {self.titles.card(name)}, which is not to be had now"

    def show_card(self, name: str) -> None:
        """A card of one's own deck, or one that the opponent has shown."""
        view, wanted = self.view, name.lower()
        mine, theirs = view["me"], view["opponent"]
        known = {*mine["hand"], *mine["draw"], *mine["discard"], *mine["exhausted"], *mine["laid"]}
        known |= {*theirs["discard"], *theirs["exhausted"]}
        known |= {view[key]["card"] for key in ("offer", "strike") if key in view}
        known.discard("hidden")
        for card in self.titles.packed.cards:
            if card.id in known and wanted in {card.id, card.title.lower()}:
                self.console.print(board_view.card_view(card))
                return
        self.say(str(UnknownNameError("card", name, sorted(known))))

    # --- saves --------------------------------------------------------------------------------------------------------

    def save(self, path: Path | None) -> None:
        """Write the game so far where it is kept, in a way that leaves the old file or the new one."""
        if path is None:
            return
        replay = record(self.encounter, {self.side: PERSON, self.other: self.against})
        write_file(path, replay.to_json().encode(), parents=True)

    def quit(self) -> None:
        """Save, and say where and how to go on; where nothing can be written, the notation is the save."""
        path = self.save_to or default_save(self.encounter)
        # a move that was interrupted half-way is not in the list of actions: it leaves no trace in the game played anew
        self.encounter = Encounter(self.encounter.packed, self.encounter.seed).play(self.encounter.actions)
        try:
            self.save(path)
        except CartomancerError:
            self.say("")
            output.note("not saved; the game so far:")
            output.say(notation(self.encounter))
            raise
        self.say(f"saved: {path}")
        again = ["--resume", str(path), "--as", self.side, "--against", self.against]
        self.say(f"go on: cartomancer encounter play {shlex.join(again)}")


# commands that are no decisions, besides quit; an empty line says nothing
COMMANDS: Final[Mapping[str, Callable[[Game, str], None]]] = {
    **dict.fromkeys(("help", "?"), lambda game, rest: game.say(HELP)),
    "log": lambda game, rest: board_view.print_story(game.console, game.story),
    "board": lambda game, rest: game.show(),
    "card": Game.show_card,
    "undo": lambda game, rest: game.undo(),
    "hint": lambda game, rest: game.say(play_aids.hint(game.encounter, game.menu)),
    "odds": lambda game, rest: game.console.print(play_aids.odds_table(game.encounter, game.menu)),
    "why": lambda game, rest: game.explain(),
    "discard": lambda game, rest: game.say(*play_aids.discards(game.view, game.titles)),
    "deck": lambda game, rest: game.say(*play_aids.deck(game.encounter, game.view, game.titles)),
    "room": lambda game, rest: game.say(*play_aids.room(game.encounter, game.titles)),
    "rules": lambda game, rest: game.say(glossary.rules_in_short(game.titles.codex)),
    "glossary": Game.explain_word,
    "": lambda game, rest: None,
}


def run_game(game: Game) -> int:
    """Play; the exit code."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # what is not text must not stop the game
    try:
        if not game.play():
            game.quit()
    except (EOFError, KeyboardInterrupt) as stop:
        game.say("")
        game.quit()
        return output.STOPPED if isinstance(stop, KeyboardInterrupt) else output.OK
    return output.OK
