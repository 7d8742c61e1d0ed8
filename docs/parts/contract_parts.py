"""Generated parts of the contract page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartomancer import maps
from cartomancer.content import load_preset, preset_ids
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.contract import ContractRules
from parts.markdown import code, console, shares, table


def contracts() -> list[ContractRules]:
    """Every contract template, the default first."""
    loaded = [load_preset("contract", name) for name in preset_ids("contract")]
    return [rules for rules in loaded if isinstance(rules, ContractRules)]


def lane_tables() -> str:
    """The lane biases, and what the Short contract's clamp makes of them."""
    short = load_preset("contract", "short")
    assert isinstance(short, ContractRules)
    safe, risk = short.lanes(2).values()
    rows = [
        ("safe", shares(short.safe_lane), shares(safe)),
        ("risk", shares(short.risk_lane), shares(risk)),
    ]
    return table(("lane", "bias", "step 2 of `short`, Elite clamped to 10 %"), rows)


def contract_steps() -> str:
    """The steps of every template."""
    parts = []
    for rules in contracts():
        rows: list[Sequence[Any]] = []
        for number, _ in enumerate(rules.steps, 1):
            safe, *risk = rules.lanes(number).values()
            if not risk:
                rows.append((number, shares(safe), "← lanes meet"))
            else:
                rows.append((number, shares(safe), "← the same" if risk == [safe] else shares(risk[0])))
        parts += [f"#### `{rules.id}`: {rules.title}", table(("step", "safe lane", "risk lane"), rows)]
        parts.append("\n".join(f"- {line}" for line in _demands(rules)))
    return "\n\n".join(parts)


def _demands(rules: ContractRules) -> list[str]:
    """Caps, requirements, guarantees and relief in words."""
    lines = [f"cap: {kind} in at most {most} step(s)" for kind, most in rules.at_most.items()]
    for want in rules.requirements:
        where = f" in steps {want.steps[0]} to {want.steps[1]}" if want.steps else ""
        what = "different types of" if want.distinct else "step(s) with"
        lines.append(f"requirement: at least {want.at_least} {what} {' / '.join(want.types)}{where}")
    for entry in rules.guarantees:
        lanes = ("both lanes", "become") if entry.lane == "both" else (f"the {entry.lane} lane", "becomes")
        lines.append(
            f"guarantee: fewer than {entry.at_least} step(s) with {' / '.join(entry.types)} in steps "
            f"{entry.steps[0]} to {entry.steps[1]} → {lanes[0]} of step {entry.then_step} {lanes[1]} {entry.becomes}"
        )
    if rules.relief:
        r = rules.relief
        lines.append(
            f"relief: {r.after} in step {r.after_step} → step {r.step} is {' or '.join(r.types)} in every lane"
        )
    return lines or ["no caps, requirements or guarantees"]


def example_m8() -> str:
    """The first Standard map on which both guarantees force step 4."""
    for seed in range(1000):
        drawn = maps.generate("contract", "standard", seed)
        safe, risk = drawn.row_nodes(4)
        told = [maps.explain(drawn, node.id) for node in (safe, risk)]
        if [len(entry.forced_by) for entry in told] == [2, 1]:
            early = "; ".join(
                f"step {step}: {' and '.join(node.type for node in drawn.row_nodes(step))}" for step in (1, 2, 3)
            )
            rolled = " (safe) and ".join(entry.rolls[-1][0] for entry in told) + " (risk)"
            return (
                f"Standard contract, seed {seed}. {early[0].upper() + early[1:]}; no event. Step 4 was rolled "
                f"{rolled}. The first guarantee turns both nodes of step 4 into events. Now there is no rest by step "
                f"4, so the second guarantee fires too and takes the safe lane. Result: {safe.type} on the safe lane, "
                f"{risk.type} on the risk lane.\n\n"
                + "\n\n".join(
                    console(f"map explain contract:standard:{seed} --node r4c{lane}", entry.sentences())
                    for lane, entry in enumerate(told, 1)
                )
            )
    raise AssertionError("no map needed both guarantees")


def example_m9() -> str:
    """The first Standard map on which a requirement without a guarantee is forced."""
    for seed in range(1000):
        drawn = maps.generate("contract", "standard", seed)
        forced = [node for node in drawn.nodes if node.forced == "contract.requirement"]
        if len(forced) == 1:
            node = forced[0]
            told = maps.explain(drawn, node.id)
            steps = sorted({other.row for other in drawn.nodes if other.type == node.type} - {node.row})
            return (
                f"Standard contract, seed {seed}: {node.type} had come in steps {', '.join(map(str, steps))} only, and "
                f"three are required. The last step where one helps is {node.row}; the {told.rolls[-1][0]} that was "
                f"rolled on its {node.details['lane']} lane becomes {node.type}.\n\n"
                + console(f"map explain contract:standard:{seed} --node {node.id}", told.sentences())
            )
    raise AssertionError("no map needed a forced requirement")


def contract_stakes() -> str:
    """Traps, trials and bosses by template."""
    rows = (
        (
            code(rules.id),
            rules.contract_class,
            len(rules.steps),
            f"{rules.cache_trap_percent} %",
            f"{rules.cache_trap_percent_high_heat} %",
            f"{rules.trial_percent} %",
            rules.boss_profile,
        )
        for rules in contracts()
    )
    return table(("template", "class", "steps", "trapped caches", "at high heat", "elites with a trial", "boss"), rows)


def hooks() -> str:
    """The hooks and how often a trap leaves them."""
    entries = load_catalog().hooks.values()
    total = sum(hook.trap_weight for hook in entries)
    rows = ((code(h.id), h.summary, f"{100 * h.trap_weight / total:.4g} %" if h.trap_weight else "–") for h in entries)
    return table(("hook", "what it means", "left by a trap"), rows)


def traits() -> str:
    """Boss traits and what answers them."""
    catalog = load_catalog()
    rows = (
        (code(trait.id), trait.text(), ", ".join(code(item.id) for item in catalog.counters_to([trait.id])))
        for trait in catalog.traits.values()
    )
    return table(("trait", "does", "countered by"), rows)


def items() -> str:
    """What shops sell."""
    rows = (
        (
            code(item.id),
            item.pool,
            item.price,
            item.text() + (" Used up." if item.consumable else ""),
            ", ".join(code(name) for name in [*item.counters, *item.treats]) or "–",
        )
        for item in load_catalog().items.values()
    )
    return table(("item", "pool", "gold", "does", "counters or treats"), rows)


def trials() -> str:
    """The trials."""
    return table(("trial", "does"), ((code(t.id), t.text()) for t in load_catalog().trials.values()))


def bundles() -> str:
    """The reward bundles."""
    return table(("bundle", "holds"), ((code(b.id), b.text()) for b in load_catalog().bundles.values()))


def intrusions() -> str:
    """The rival's intrusions with their weights."""
    catalog = load_catalog()
    states = catalog.stakes.rival_states
    rows = (
        (
            code(entry.id),
            entry.text(),
            *(entry.weights.get(state, 0) for state in states),
            ", ".join(f"{code(hook)} +{bonus}" for hook, bonus in entry.hook_bonus.items()) or "–",
        )
        for entry in catalog.intrusions.values()
    )
    return table(("intrusion", "does", *states, "hooks add"), rows)
