"""Play a fight by hand: look at the decision, take an action, read what happened.

python examples/play_a_fight.py
"""

import cartomancer as cm

fight = cm.Encounter("boar", seed=42)
narrator = cm.Narrator(fight.packed, viewer="visitor")
opponent = cm.Player("heuristic")

for _ in range(12):
    if fight.decision is None:
        break
    if fight.decision.side == "visitor":
        forms = [fight.text_of(action) for action in fight.legal()]
        chosen = next((form for form in forms if form.startswith("strike")), forms[0])
        print(f"> {chosen}    (of {len(forms)})")
    else:
        chosen = opponent.choose(fight)
    for sentence in narrator.sentences(fight.apply(chosen)):
        print(sentence)

try:
    fight.apply("strike no_such_card")
except cm.IllegalActionError as refusal:
    print("refused:", refusal)
