"""Commands about the compiled kernels."""

from __future__ import annotations

from collections.abc import Callable

from cartomancer import content, encounters, lab, maps, players
from cartomancer.cli import arguments, output


def compile_() -> None:
    """Compile everything batches need, so that the first audit, search or fight starts at once."""
    from cartomancer import jit

    jit.prefer_compiled()
    if not jit.is_compiled():
        output.note("kernels run interpreted here: nothing to compile")
        return
    rules, query = content.load_preset("voyage"), maps.compile_query("count(elite) >= 1", "voyage")
    steps: tuple[Callable[[], object], ...] = (
        lambda: maps.take_tally(rules, 1),
        lambda: maps.family("voyage").scan(rules, query.program, query.wanted)(0, 1),
        lambda: encounters.random_playouts("boar", 1),
        lambda: encounters.Encounter("boar").legal(),
        lambda: players.simulate("boar", 1),
        lambda: lab.survey("boar", 1),
        lambda: lab.study("boar", 1, rollouts=1),
        lambda: lab.choices("boar", "visitor", ["feral_aggressive", "cooperative"], 1),
    )
    with output.progress_bar("kernels", len(steps)) as done:
        for number, step in enumerate(steps, 1):
            step()
            done(number)
    output.say(f"kernels ready in {jit.cache_folder()}")


def info(as_json: arguments.AsJson = False) -> None:
    """Say which kernels these are, whether they are compiled, and where."""
    from cartomancer import jit

    facts = {"digest": jit.kernel_digest(), "folder": str(jit.cache_folder()), "compiled": jit.is_compiled_cached()}
    output.answer(as_json, facts, lambda: output.say(*(f"{key}: {value}" for key, value in facts.items())))
