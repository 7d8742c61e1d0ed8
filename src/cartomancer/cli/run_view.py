"""A run on the screen: the party at a glance, the way ahead, what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cartomancer import maps
from cartomancer.campaign import expedition as expeditions

BAR: int = 10


def bar(now: int, most: int) -> str:
    """A share as a bar of ten."""
    full = round(BAR * now / most) if most else 0
    return "█" * full + "░" * (BAR - full)


def party_lines(run: expeditions.Run) -> Iterator[str]:
    """Members with their vitality and what ails them; what they share."""
    party, codex = run.party, run.codex
    for seat, member in enumerate(party.members):
        most = party.most_vitality(codex, seat)
        ails = [f"injury {member.injury}"] * bool(member.injury) + [f"bounty {member.bounty}"] * bool(member.bounty)
        worn = [run.title("equipment", name) for name, at in run.gear.items() if at == seat]
        tail = "  ".join([*ails, *worn])
        yield f"{run.name_of(seat):<14} {bar(member.vitality, most)} {member.vitality:>2}/{most:<2} {tail}".rstrip()
    for reducer in ("resolve", "nerve"):
        now, most = getattr(party, reducer), party.most(codex, reducer)
        yield f"{reducer.capitalize():<14} {bar(now, most)} {now:>2}/{most}"
    hooks = {name: step for name, step in run.hooks().items() if name not in {"injury", "bounty"}}
    yield f"Gold {run.gold}   Supplies {run.supplies}   " + "   ".join(
        f"{name.replace('_', ' ')} {step}" for name, step in hooks.items()
    )
    if run.items:
        yield "Carries " + ", ".join(run.title("items", name) for name in run.items)
    if run.modifiers:
        lasting = [f"{run.codex.modifiers[str(name)].title} ({left} fights)" for name, left in run.modifiers]
        yield "In force: " + ", ".join(lasting)


def map_text(run: expeditions.Run, colour: bool = False) -> str:
    """The map with where the party is and where it has been; what is hidden stays hidden (M14)."""
    return maps.to_text(run.journey.client_view(), colour, run.journey.visited)


def choice_lines(options: Sequence[expeditions.Option]) -> Iterator[str]:
    """The options by their keys, with what is at stake."""
    for key, option in enumerate(options, 1):
        yield f" {key:>2}  {option.label}"
        if option.stakes:
            yield f"     {option.stakes}"


def status_line(expedition: expeditions.Expedition) -> str:
    """Where the run is, in a line."""
    run = expedition.run
    if run.ending:
        return f"over: {run.ending}"
    place = run.node.place if run.journey.visited else "before the first node"
    return f"act {run.journey.act}, {place} of {run.journey.map.rows} rows"


def way_label(run: expeditions.Run, option: expeditions.Option) -> expeditions.Option:
    """A way with what it leads to, as far as the map says."""
    if not option.action.startswith(expeditions.GO):
        return option
    node = run.journey.map.node(int(option.action.removeprefix(expeditions.GO)))
    ahead = [run.journey.map.by_id[target].type for target in run.journey.map.onward[node.id]]
    onward = f"then {' or '.join(dict.fromkeys(kind.replace('_', ' ') for kind in ahead))}" if ahead else "the end"
    return expeditions.Option(option.action, f"{node.type.replace('_', ' ')}, column {node.column}", onward)


def shown_options(expedition: expeditions.Expedition) -> list[expeditions.Option]:
    """The options as a person reads them."""
    return [way_label(expedition.run, option) for option in expedition.legal()]
