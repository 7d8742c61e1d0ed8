"""A run from the first node to the boss, decision by decision: the same protocol as an encounter's.

>>> run = Expedition("contract:short:7", ["knight", "battlemage", "cleric", "rogue"])
>>> run.decision.kind, [option.action for option in run.legal()]
('way', ['go 0', 'go 1'])

It stops whenever somebody must choose and never chooses itself. A fight on a node is a nested decision of the same
kind: while one is fought, `decision.fight` is the encounter's own, and its actions are taken as they are written there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cartomancer.campaign.expedition.happenings import Happening
from cartomancer.campaign.expedition.meetings import known_boss, knows_all
from cartomancer.campaign.expedition.nodes import ENTERED, STOPS, Option
from cartomancer.campaign.expedition.nodes.fight import finish as finish_fight
from cartomancer.campaign.expedition.nodes.fight import meeting_of
from cartomancer.campaign.expedition.party import Party
from cartomancer.campaign.expedition.run import Run
from cartomancer.content.codex import Codex, load_codex
from cartomancer.content.presets import load_preset
from cartomancer.encounters import Decision, Encounter
from cartomancer.errors import HostOnlyError, IllegalActionError, UnknownNameError
from cartomancer.maps import Journey, Map, generate, read_journey

GO: Final = "go "
USE: Final = "use "
VICTORY: Final = "victory"


@dataclass(frozen=True)
class RunDecision:
    """What a run is waiting for: the kind of choice, the question, and the fight's own decision while one is fought."""

    kind: str
    question: str
    fight: Decision | None = None


@dataclass(frozen=True)
class RunOutcome:
    """How a run ended, and what was brought home."""

    ending: str
    act: int
    row: int
    nodes: int
    gold: int
    hooks: dict[str, int]


class Expedition:
    """A party on its way over a map."""

    def __init__(
        self,
        where: str | Map | Journey,
        party: str | Sequence[str],
        *,
        codex: Codex | None = None,
        acts: int = 1,
    ) -> None:
        codex = codex or load_codex()
        journey = (
            where if isinstance(where, Journey) else Journey(where) if isinstance(where, Map) else read_journey(where)
        )
        tuning = codex.expedition
        members = Party.formed(codex, members_named(codex, party))
        self.run = Run(codex, journey, members, gold=tuning.gold, supplies=tuning.supplies)
        self.acts = acts
        self.actions: list[str] = []
        self._options: list[Option] | None = None  # of the decision that is waited for
        starts = journey.available()
        if len(starts) == 1 and not journey.visited:
            self._enter(starts[0].id)  # a lone first node is entered by itself [Guardian]
            self._move_on()

    @classmethod
    def resumed(cls, run: Run, acts: int, actions: Iterable[str]) -> Expedition:
        """The expedition that has led to this state."""
        found = cls.__new__(cls)
        found.run, found.acts, found.actions, found._options = run, acts, list(actions), None
        return found

    # --- the protocol -------------------------------------------------------------------------------------------------

    @property
    def decision(self) -> RunDecision | None:
        """What is waited for; nothing once the run is over."""
        run = self.run
        if run.ending:
            return None
        if run.encounter is not None:
            return RunDecision("fight", "", run.encounter.decision)
        if run.stops:
            stop = run.stops[-1]
            return RunDecision(stop.kind, STOPS[stop.kind].ask(run, stop))
        return RunDecision("way", "Where to?")

    def legal(self) -> list[Option]:
        """The options of whoever is asked."""
        if self._options is None:
            self._options = self._found()
        return self._options

    def _found(self) -> list[Option]:
        run = self.run
        if run.ending:
            return []
        if run.encounter is not None:
            return [Option(text, text) for text in run.encounter.legal_texts()]
        if run.stops:
            stop = run.stops[-1]
            return STOPS[stop.kind].options(run, stop)
        ways = [Option(f"{GO}{node.id}", f"{node.type} in row {node.row}") for node in run.journey.available()]
        return ways + self._remedies()

    def _remedies(self) -> list[Option]:
        """Items that help between fights: what they treat, they treat at once (C5)."""
        items = self.run.codex.catalog.items
        carried = [items[name] for name in dict.fromkeys(self.run.items)]
        hooks = self.run.hooks()
        return [
            Option(f"{USE}{item.id}", f"use {item.title}", item.text())
            for item in carried
            if any(hook in hooks for hook in item.treats)
        ]

    def apply(self, action: str, player: str | None = None) -> list[Happening]:
        """Take an action; what happened. An illegal one is refused with the reason, and nothing changes."""
        run = self.run
        if player is not None and player != run.journey.host:
            raise HostOnlyError(f"only the host '{run.journey.host}' chooses, not '{player}'")
        if run.ending:
            raise IllegalActionError(f"the run is over: {run.ending}")
        run.happened = []
        if run.encounter is not None:
            run.encounter.apply(action)
        else:
            self._choose(action)
        self.actions.append(action)
        self._move_on()
        self._options = None
        return run.happened

    def _choose(self, action: str) -> None:
        run = self.run
        known = [option.action for option in self.legal()]
        if action not in known:
            asked = self.decision
            raise IllegalActionError(
                f"'{action}' cannot be chosen now ({asked.kind if asked else 'over'}): {', '.join(known)}"
            )
        if run.stops:
            stop = run.stops[-1]
            STOPS[stop.kind].choose(run, stop, action)
        elif action.startswith(GO):
            self._enter(int(action.removeprefix(GO)))
        else:
            self._use(action.removeprefix(USE))

    def _use(self, name: str) -> None:
        run, item = self.run, self.run.codex.catalog.items[name]
        for effect in item.effects:
            if effect.code in {"injury", "stress"} and effect.value < 0:
                run.ease(effect.code, item.title, -effect.value)
            elif effect.code == "supplies":
                run.supply(effect.value, item.title)
            elif effect.code == "health":
                run.mend(effect.value, item.title)
        for hook in item.treats:
            if hook not in {effect.code for effect in item.effects}:
                run.ease(hook, item.title)
        run.items.remove(name)
        run.note("used", title=item.title, text=item.text())

    def _enter(self, node: int) -> None:
        run = self.run
        run.journey = run.journey.select(run.journey.host, node)
        run.note("entered", place=run.node.place, title=run.node.type.replace("_", " "))
        if node in run.journey.resolved:
            run.note("resolved", outcome=run.journey.resolved[node])
        ENTERED[run.kind](run)

    def _move_on(self) -> None:
        """What follows by itself: a fight that is over is left, a map that is over is, too."""
        run = self.run
        if run.encounter is not None and run.encounter.decision is None:
            fight, run.encounter = run.encounter, None
            finish_fight(run, run.stops[-1], fight.packed, fight.state)
        if run.stops and run.stops[-1].kind == "fight":
            meeting_of(run, run.stops[-1])  # whoever bars the way is seen at once
        if run.ending or run.stops or run.encounter is not None:
            return
        ways = run.journey.available()
        if ways and self._portal_ahead():
            if run.defied:
                self._enter(ways[0].id)
            elif knows_all(run):
                run.push("defy")
            else:
                run.finish(VICTORY)
        elif not ways and run.journey.visited:
            if run.journey.act < self.acts:
                run.journey = run.journey.next_act()
            else:
                run.finish(VICTORY)

    def _portal_ahead(self) -> bool:
        ways = self.run.journey.available()
        return all(node.details.get("portal") for node in ways)

    # --- what it is ---------------------------------------------------------------------------------------------------

    @property
    def fight(self) -> Encounter | None:
        """The fight that is being fought."""
        return self.run.encounter

    @property
    def outcome(self) -> RunOutcome | None:
        """How it ended; nothing while it goes on."""
        run = self.run
        if not run.ending:
            return None
        nodes = sum(len(way.visited) for way in run.journey.ways)
        row = run.node.row if run.journey.visited else 0
        return RunOutcome(run.ending, run.journey.act, row, nodes, run.gold, run.hooks())

    def play(self, actions: Iterable[str]) -> Expedition:
        """Take several actions."""
        for action in actions:
            self.apply(action)
        return self

    def observe(self) -> dict[str, Any]:
        """What the party knows: the map as far as it is public, itself, what it carries, what is asked (M14)."""
        run, asked = self.run, self.decision
        return {
            "map": run.journey.client_view(),
            "act": run.journey.act,
            "current": run.journey.current,
            "gold": run.gold,
            "supplies": run.supplies,
            "party": party_view(run),
            "hooks": run.hooks(),
            "items": list(run.items),
            "gear": dict(run.gear),
            "tokens": {name: count for name, count in run.tokens.items() if count},
            "fragments": list(run.fragments),
            "boss_traits": known_boss(run),
            "decision": None if asked is None else {"kind": asked.kind, "question": asked.question},
            "options": [option.as_dict() for option in self.legal()],
        }


def party_view(run: Run) -> dict[str, Any]:
    """The party's condition."""
    party, codex = run.party, run.codex
    return {
        "members": [
            {
                "class": member.kind,
                "vitality": member.vitality,
                "most": party.most_vitality(codex, seat),
                "injury": member.injury,
                "cards": list(member.cards),
            }
            for seat, member in enumerate(party.members)
        ],
        "resolve": [party.resolve, party.most(codex, "resolve")],
        "nerve": [party.nerve, party.most(codex, "nerve")],
    }


def drawn_for(family: str, preset: str | None, seed: int, members: int) -> Map:
    """The map of a preset for a party of this size, where the size matters to it (C12)."""
    rules = load_preset(family, preset)
    sized = {"players": members} if "players" in type(rules).model_fields else {}
    return generate(family, preset, seed, sized)


def members_named(codex: Codex, party: str | Sequence[str]) -> list[str]:
    """The classes of a party by its name, or as they are listed: knight-cleric, or one by one."""
    if isinstance(party, str):
        if party in codex.parties:
            return list(codex.parties[party].members)
        party = party.split("-")
    for name in party:
        if name not in codex.classes:
            raise UnknownNameError("party or class", name, [*codex.parties, *codex.classes])
    return list(party)
