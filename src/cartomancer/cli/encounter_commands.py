"""Commands about encounters."""

from __future__ import annotations

from typing import Annotated

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AsJson, one_map

encounter_app = typer.Typer(no_args_is_help=True, help="The card game: for now, the exact odds of its contested rolls.")


@encounter_app.command()
def odds(
    bonus: Annotated[int, typer.Option(min=-20, max=20, help="The attacker's attribute minus the defender's.")] = 0,
    attacker: Annotated[str, typer.Option(help="How the attacker rolls: plain, advantage, disadvantage.")] = "plain",
    defender: Annotated[str, typer.Option(help="How the defender rolls.")] = "plain",
    power: Annotated[int, typer.Option(min=0, max=100, help="The power of the Strike.")] = 4,
    as_json: AsJson = False,
) -> None:
    """Exact odds of a Strike: every tier, the damage it deals and the damage it costs."""
    one_map()
    output.speak_json(as_json)
    from cartomancer.encounters import contest_odds

    found = contest_odds(bonus, attacker, defender, power)
    if as_json:
        output.print_json(found.as_dict())
        return
    shown = output.table(f"bonus {bonus:+d}, attacker {attacker}, defender {defender}", "tier", "chance")
    for tier, share in found.tiers.items():
        shown.add_row(tier, output.percent(float(share), 2))
    console = output.stdout()
    console.print(shown)
    console.print(
        f"hits cleanly {output.percent(float(found.hit), 2)}; a Strike of power {power} deals {float(found.dealt):.3f} "
        f"and costs {float(found.taken):.3f} on average",
        markup=False,
    )
