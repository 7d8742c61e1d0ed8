"""Commands about the compiled kernels."""

from __future__ import annotations

import typer

from cartomancer.cli import output
from cartomancer.cli.arguments import AsJson

kernels_app = typer.Typer(no_args_is_help=True, help="Compile the kernels ahead of time, or see where they are kept.")


@kernels_app.command("compile")
def compile_() -> None:
    """Compile everything batches need, so that the first audit, search or fight starts at once."""
    from cartomancer import jit
    from cartomancer.content import load_preset
    from cartomancer.encounters import Encounter, random_playouts
    from cartomancer.lab.report.survey import survey
    from cartomancer.maps import families
    from cartomancer.maps.auditing import take_tally
    from cartomancer.maps.queries import compile_query
    from cartomancer.players.simulation import simulate

    jit.prefer_compiled()
    if not jit.is_compiled():
        output.stderr().print("kernels run interpreted here: nothing to compile")
        return
    rules = load_preset("voyage")
    with output.progress_bar("kernels", 6) as done:
        take_tally(rules, 1)
        done(1)
        query = compile_query("count(elite) >= 1", "voyage")
        families.of("voyage").scan(rules, query.program, query.wanted)(0, 1)
        done(2)
        random_playouts("boar", 1)
        done(3)
        Encounter("boar").legal()
        done(4)
        simulate("boar", 1)
        done(5)
        survey("boar", 1)
        done(6)
    output.stdout().print(f"kernels ready in {jit.cache_folder()}", markup=False)


@kernels_app.command()
def info(as_json: AsJson = False) -> None:
    """Say which kernels these are, whether they are compiled, and where."""
    from cartomancer import jit

    facts = {"digest": jit.kernel_digest(), "folder": str(jit.cache_folder()), "compiled": jit.is_compiled_cached()}
    if as_json:
        output.print_json(facts)
    else:
        for key, value in facts.items():
            output.stdout().print(f"{key}: {value}", markup=False)
