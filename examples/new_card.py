"""Add a card of your own, put it into a deck, and see what it does to the matchup on the same seeds.

python examples/new_card.py
"""

import tempfile
from pathlib import Path

import cartomancer as cm

CARD = """
[[cards]]
id = "salt_crust"
title = "Salt Crust"
summary = "It grows back overnight, one grain at a time."
side = "dungeon"
category = "reshape"
type = "environmental"
cost = 1
heal = { resource = "weakest", amount = 1 }
fortify = { resource = "veil", amount = 1, rounds = 2 }

[[pools]]
id = "salt_pool"
title = "Salt"
summary = "What a dry cellar finds on its own walls."
side = "dungeon"
cards = ["salt_crust"]
"""

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "salt_crust.toml")
    path.write_text(CARD)
    content = cm.load_content(path)
    before = cm.simulate("boar", runs=1_000, seed=7)
    after = cm.simulate("boar+knitting_roots=salt_crust", runs=1_000, seed=7, codex=content)
    print(content.cards["salt_crust"].title, "in the place of Knitting Roots:")
    for outcome in ("kill", "panic", "survive"):
        print(f"{outcome:8} {100 * before.rate(outcome):5.1f} % → {100 * after.rate(outcome):5.1f} %")
