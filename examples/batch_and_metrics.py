"""Play a batch, see how it ends and whether it is a good game, and open one of its runs.

python examples/batch_and_metrics.py
"""

import cartomancer as cm

batch = cm.simulate("symbiote", runs=2_000, seed=7)
for outcome in ("bond", "kill", "break", "panic", "survive"):
    print(f"{outcome:8} {100 * batch.rate(outcome):5.1f} %")

found = cm.quality(batch)
print("agency", found.agency_score.value, found.agency_score.verdict)
print("diversity", found.outcome_diversity.value, found.outcome_diversity.verdict)

run = cm.run_of(batch.packed, batch.policies, batch.seed, index=batch.first("bond"))
print("the first Bond took", run.outcome.rounds, "rounds:", cm.notation(run)[:60], "…")
