"""Write a player of your own, and see how it does against the others.

python examples/own_player.py
"""

import cartomancer as cm


class Brute:
    """Strikes whenever it can."""

    def choose(self, encounter: cm.Encounter) -> int:
        """The first Strike there is, else the first thing that is not ending the turn, else that."""
        options = {encounter.text_of(action): action for action in encounter.legal()}
        strikes = [action for form, action in options.items() if form.startswith("strike")]
        others = [action for form, action in options.items() if form != "end"]
        return (strikes or others or list(options.values()))[0]

    def __str__(self) -> str:
        return "brute"


print(cm.duel("boar", Brute(), cm.Player("random"), pairs=10).sentence())
print(cm.duel("boar", Brute(), cm.Player("heuristic"), pairs=10).sentence())
