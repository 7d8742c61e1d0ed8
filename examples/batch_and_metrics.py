"""Play a batch, see how it ends and whether it is a good game, and open one of its runs.

python examples/batch_and_metrics.py
"""

import cartomancer as cm

batch = cm.simulate("symbiote", runs=2_000, seed=7)
for outcome in ("bond", "kill", "break", "panic", "survive"):
    print(f"{outcome:8} {100 * batch.rate(outcome):5.1f} %")

found = cm.quality(batch)
print(f"agency {found.agency.value:.2f}: {found.agency.reading}")
print(f"diversity {found.diversity.value:.2f}: {found.diversity.verdict}")

run = cm.run_of(batch.packed, batch.policies, batch.seed, index=batch.first("bond"))
print("the first Bond took", run.outcome.rounds, "rounds:", cm.notation(run)[:60], "…")
