"""Guardian rules: acts, floors, guardians, caps and the knobs with their safe ranges [Guardian], M12, M13, M27, M29."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from cartomancer.content.models.base import (
    LATER,
    Complaints,
    DangerPoints,
    Identifier,
    Preset,
    Seconds,
    Strict,
    Weight,
    setting,
)
from cartomancer.errors import Fault

RandomKind = Literal["combat", "elite", "rest", "shop", "shrine", "event", "trap"]
Floor = Literal["entrance", "random", "memory", "boss"]
Table = dict[RandomKind, Weight]
SHORT_RUN: Final = 3  # acts of a run whose guardians fall sooner


class Act(Strict):
    """One act: its floors, its guardian, its weights."""

    title: str = Field(description="What players call the act.")
    guardian: Identifier = Field(description="The guardian on its last floor.")
    floors: list[Floor] | None = setting(
        None, "The plan of its floors; without it: entrance, random floors, boss, layer_count long."
    )
    weights: Table = Field(description="Weights of random nodes in this act.")


class Danger(Strict):
    """How dangerous a node of each type counts as, for routes and the expressive range."""

    combat: DangerPoints = 3
    elite: DangerPoints = 8
    rest: DangerPoints = 0
    shop: DangerPoints = 0
    shrine: DangerPoints = 0
    memory_shrine: DangerPoints = 0
    event: DangerPoints = 1
    trap: DangerPoints = 4
    boss: DangerPoints = 10


class Pacing(Strict):
    """How many seconds a node of each type and a choice between ways take [Guardian: run pacing], M29."""

    combat: Seconds = 120
    elite: Seconds = 240
    rest: Seconds = 30
    shop: Seconds = 30
    shrine: Seconds = 30
    memory_shrine: Seconds = 30
    event: Seconds = 30
    trap: Seconds = 30
    boss: Seconds = 180
    boss_of_long_run: int = setting(300, "Seconds that a boss takes in a run of more than three acts.", ge=0, le=3600)
    choice: int = setting(15, "Seconds that choosing takes where more than one way leads on.", ge=0, le=3600)


class GuardianRules(Preset):
    """Acts of floors that end in guardians; random floors hold a few nodes, each with one or two ways onward."""

    default_preset: ClassVar = "three_acts"

    family: Literal["guardian"] = "guardian"
    acts: list[Act] = Field(min_length=1, max_length=5, description="The acts in order.")
    layer_count: int = setting(8, "Layers of an act that has no plan of floors: run length.", ge=5, le=12)
    nodes_per_layer_min: int = setting(1, "The fewest nodes on a random floor.", ge=1, le=2)
    nodes_per_layer_max: int = setting(3, "The most nodes on a random floor.", ge=2, le=4)
    edges_per_node_max: int = setting(2, "The most ways onward from a node.", ge=1, le=3)
    elite_cap: int = setting(2, "Elites in a run.", ge=0, le=3)
    elite_cap_per_act: int = setting(1, "Elites in an act.", ge=0, le=3)
    rest_cap: int = setting(2, "Rests in a run: how often the party can heal.", ge=0, le=3)
    shop_cap: int = setting(2, "Shops in a run.", ge=0, le=3)
    combat_weight: int | None = setting(None, "Overrides every act's weight of combat.", ge=40, le=70)
    elite_weight: int | None = setting(None, "Overrides every act's weight of elites.", ge=5, le=25)
    rest_weight: int | None = setting(None, "Overrides every act's weight of rests.", ge=15, le=40)
    rest_heal_percent: float = setting(
        0.30, "Share of health that a rest gives back: read by the game, not by the generator.", ge=0.15, le=0.50
    )
    quiet_layers: int = setting(0, "First layers without elites and rests.", ge=0, le=5)
    players: int = setting(1, "Party size the encounters are rolled for.", ge=1, le=4)
    defy_the_gods: bool = setting(False, "The last guardian is followed by the portal to RNG (M13).")
    danger: Danger = setting(Danger(), "Danger points by type.")
    distinct_siblings: Annotated[bool, LATER] = setting(
        False, "Nodes of a floor differ in type while the weights and caps leave another one (M27)."
    )
    pacing: Annotated[Pacing, LATER] = setting(Pacing(), "Seconds of play by type (M29).")

    def complaints(self) -> Complaints:
        too_many = self.nodes_per_layer_min > self.nodes_per_layer_max
        yield "nodes_per_layer_min", too_many, "nodes_per_layer_min must not exceed nodes_per_layer_max"

    def seconds_by_type(self) -> dict[str, int]:
        seconds: dict[str, int] = self.pacing.model_dump(exclude={"boss_of_long_run", "choice"})
        return seconds | ({"boss": self.pacing.boss_of_long_run} if len(self.acts) > SHORT_RUN else {})

    @property
    def choice_seconds(self) -> int:
        return self.pacing.choice

    def floors_of(self, act: Act) -> list[Floor]:
        """The plan of an act's floors."""
        if act.floors is not None:
            return act.floors
        between: list[Floor] = ["random"] * (self.layer_count - 2)
        return ["entrance", *between, "boss"]

    def layers(self) -> list[tuple[int, Floor]]:
        """Every layer as (act index, floor), without the portal."""
        return [(index, floor) for index, act in enumerate(self.acts) for floor in self.floors_of(act)]

    def weights_of(self, act: Act) -> Table:
        """An act's weights with the knobs applied."""
        knobs = {kind: getattr(self, f"{kind}_weight", None) for kind in act.weights}
        return act.weights | {kind: weight for kind, weight in knobs.items() if weight is not None}

    def idle_fields(self) -> dict[str, str]:
        planned = all(act.floors is not None for act in self.acts)
        return {"layer_count": "every act has a plan of its floors"} if planned else {}

    def entries_named(self) -> dict[str, tuple[str, str]]:
        return {f"acts[{number}].guardian": ("guardians", act.guardian) for number, act in enumerate(self.acts, 1)}

    def impossibilities(self) -> Iterator[Fault]:
        layers, most = len(self.layers()), 16 - self.defy_the_gods
        if layers > most:
            yield Fault("acts", layers, "make too many layers", f"at most {most}")
        for index, act in enumerate(self.acts, 1):
            floors, weights = self.floors_of(act), self.weights_of(act)
            if floors[:1] != ["entrance"] or floors[-1:] != ["boss"] or "boss" in floors[:-1] or len(floors) < 2:
                problem, right = "must start with an entrance and end with its only boss", '["entrance", …, "boss"]'
                yield Fault(f"acts[{index}].floors", floors, problem, right, rule="guardian.floor-plan")
            if not any(weight for kind, weight in weights.items() if kind not in {"elite", "rest", "shop"}):
                problem = "can run dry: every type in it is capped"
                right = "a weight above 0 for combat, shrine, event or trap"
                yield Fault(f"acts[{index}].weights", weights, problem, right, rule="guardian.run-cap")
        fewest, edges = self.nodes_per_layer_min, self.edges_per_node_max
        if fewest > edges:
            problem = f"cannot all be reached from a single entrance with edges_per_node_max = {edges}"
            right = f"at most {edges}, or more edges a node"
            yield Fault("nodes_per_layer_min", fewest, problem, right, rule="map.reachable")
        if self.defy_the_gods and self.acts[-1].guardian == "rng":
            yield Fault("defy_the_gods", True, "leads to RNG, who already is the last guardian", "false")
