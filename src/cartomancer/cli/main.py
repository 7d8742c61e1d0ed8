"""The `cartomancer` command."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from typing import Annotated, Any

from typer import Exit, Option, Typer, echo
from typer.core import TyperGroup

from cartomancer import __version__
from cartomancer.cli import content_commands as content
from cartomancer.cli import encounter_commands as encounter
from cartomancer.cli import kernels_commands as kernels
from cartomancer.cli import lab_health_commands as health
from cartomancer.cli import output
from cartomancer.cli import run_commands as runs
from cartomancer.cli.audit_commands import audit, compare, search, tour
from cartomancer.cli.explain_command import explain as explain_decision
from cartomancer.cli.lab_exploit_command import exploit
from cartomancer.cli.lab_matrix_commands import anomalies, compositions, matrix
from cartomancer.cli.lab_report_command import report
from cartomancer.cli.lab_run_command import query, run
from cartomancer.cli.lab_target_commands import fidelity, fit, tune
from cartomancer.cli.map_commands import analyse, check, explain, new, repair, show, walk
from cartomancer.cli.review_command import review
from cartomancer.cli.rules_commands import presets, rules, schema, unknown
from cartomancer.cli.simulate_commands import ladder, simulate
from cartomancer.errors import CartomancerError, DivergedError, MapFileError, ReplayError


class Refusing(TyperGroup):
    """Turns a refusal into its message and exit code: 1 when the thing asked about is bad, 2 for wrong usage."""

    def invoke(self, ctx: Any) -> Any:
        output.speak_json(False)
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # whoever read our output has seen enough
            what = f"{error.filename}: " if error.filename else ""
            output.print_error(CartomancerError(f"{what}{error.strerror or error}"))
            raise Exit(output.USAGE) from None
        except KeyboardInterrupt:
            raise output.stopped("stopped") from None
        except CartomancerError as error:
            output.print_error(error)
            bad = isinstance(error, (MapFileError, ReplayError, DivergedError))
            raise Exit(output.BAD if bad else output.USAGE) from None


app = Typer(
    name="cartomancer",
    cls=Refusing,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Maps and card encounters of roguelike deckbuilders, and the proof that they are good.",
    epilog="Start with: cartomancer map new voyage --seed 42",
)


def _group(help: str, *commands: Callable[..., None]) -> Typer:
    """Commands under one name. What ends with _ is named without it: it would hide a word of Python."""
    made = Typer(no_args_is_help=True, help=help)
    for command in commands:
        made.command(command.__name__.rstrip("_"))(command)
    return made


lab_group = _group(
    "Is it a good game? Store batches, measure quality, run the matchup matrix, find what is broken, tune it.",
    *(run, query, report, health.compare, tune, fit, fidelity, exploit),
    *(compositions, matrix, anomalies, health.regress),
)
baseline_help = "Keep how content plays today, to judge tomorrow's edits by."
lab_group.add_typer(_group(baseline_help, health.save, health.list_, health.show), name="baseline")
GROUPS = {
    "map": _group(
        "Generate, check, explain, audit and search maps of three families.",
        *(new, show, check, repair, explain, analyse, walk),
        *(audit, compare, search, rules, presets, schema, unknown, tour),
    ),
    "encounter": _group(
        "Play, tell, record and replay encounters of the card game; drive them from a shell; exact odds of its rolls.",
        *(encounter.play, encounter.log, encounter.record, encounter.replay, encounter.show),
        *(encounter.legal, encounter.apply, encounter.scenarios, encounter.odds, explain_decision, review),
    ),
    "run": _group(
        "Walk a map with a party: fights, rests, shops, events, a boss. Saved at every choice.",
        *(runs.new, runs.play, runs.show, runs.choose, runs.explain, runs.explore, runs.log, runs.replay),
    ),
    "lab": lab_group,
    "content": _group(
        "Check, list, show, count and start content: presets, catalog, cards.",
        *(content.check, content.list_, content.show, content.stats, content.new, content.copy),
    ),
    "kernels": _group("Compile the kernels ahead of time, or see where they are kept.", kernels.compile_, kernels.info),
}
for command in (simulate, ladder):
    app.command()(command)
for name, group in GROUPS.items():
    app.add_typer(group, name=name)


def _print_version(wanted: bool) -> None:
    if wanted:
        echo(f"cartomancer {__version__}")
        raise Exit


@app.callback()
def _root(
    version: Annotated[
        bool, Option("--version", callback=_print_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Options that come before a command."""


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name that is not text must not stop its own error message
    app()
