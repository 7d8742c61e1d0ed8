"""Draw a map, check and analyse it, and search ten thousand seeds for one with many elites and an early shop.

python examples/draw_and_search_maps.py
"""

import cartomancer as cm

drawn = cm.generate_map("voyage", seed=42)
print(cm.draw_text(drawn))
print("rules broken:", len(cm.check(drawn).violations))

found = cm.search_maps("voyage", "max_path(elite) >= 4 and first_row(shop) <= 4", seeds=10_000, limit=3)
print(f"{found.state.looked_at:,} seeds looked at, found:", *found.state.hits)
for seed in found.state.hits[:1]:
    again = cm.generate_map("voyage", seed=seed)
    print(f"seed {seed}: {len(again.nodes)} nodes, {sum(node.type == 'elite' for node in again.nodes)} elites")
