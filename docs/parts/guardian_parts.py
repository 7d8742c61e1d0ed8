"""Generated parts of the guardian page."""

from __future__ import annotations

from cartomancer.content import load_preset, preset_ids
from cartomancer.content.catalog import load_catalog
from cartomancer.content.models.bestiary import MOST_PLAYERS
from cartomancer.content.models.guardian import GuardianRules
from parts.markdown import code, table, weights


def guardian_acts() -> str:
    """Acts, floors and weights of every guardian preset."""
    rows = []
    for name in preset_ids("guardian"):
        rules = load_preset("guardian", name)
        assert isinstance(rules, GuardianRules)
        for number, act in enumerate(rules.acts, 1):
            floors = " · ".join(rules.floors_of(act))
            rows.append((code(name), number, act.title, code(act.guardian), floors, weights(rules.weights_of(act))))
    return table(("preset", "act", "title", "guardian", "floors", "weights of random nodes"), rows)


def guardian_caps() -> str:
    """Caps and knobs as each preset sets them."""
    names = (
        *("nodes_per_layer_min", "nodes_per_layer_max", "edges_per_node_max"),
        *("elite_cap", "elite_cap_per_act", "rest_cap", "shop_cap", "quiet_layers", "rest_heal_percent"),
        "distinct_siblings",
    )
    loaded = [load_preset("guardian", name) for name in preset_ids("guardian")]
    rows = [(code(name), *(getattr(rules, name) for rules in loaded)) for name in names]
    rows.append(("layers", *(len(rules.layers()) for rules in loaded if isinstance(rules, GuardianRules))))
    return table(("field", *(code(rules.id) for rules in loaded)), rows)


def encounter_scaling() -> str:
    """How encounters grow with the party."""
    tuning = load_catalog().encounters
    names = [name for name, value in tuning if isinstance(value, list) and name != "themes"]
    described = type(tuning).model_json_schema()["properties"]
    rows = [(code(name), described[name]["description"], *getattr(tuning, name)) for name in names]
    return table(("tuning entry", "meaning", *(f"{n} player(s)" for n in range(1, MOST_PLAYERS + 1))), rows)


def guardians() -> str:
    """The guardians and their health."""
    catalog = load_catalog()
    growth = catalog.encounters.guardian_health_percent
    rows = (
        (code(g.id), g.title, g.theme, *(max(1, g.health * percent // 100) for percent in growth))
        for g in catalog.guardians.values()
    )
    return table(("guardian", "title", "theme", *(f"health, {n}" for n in range(1, MOST_PLAYERS + 1))), rows)


def enemies() -> str:
    """The enemies of the acts' themes."""
    catalog = load_catalog()
    met = [enemy for enemy in catalog.enemies.values() if enemy.theme in catalog.encounters.themes]
    rows = ((code(e.id), e.theme, e.tier, e.health, e.cost) for e in met)
    return table(("enemy", "theme", "tier", "health", "cost"), rows)
