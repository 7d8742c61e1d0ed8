"""The `cartomancer` command."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from typing import Annotated, Any

from typer import Exit, Option, Typer, echo
from typer.core import TyperGroup

from cartomancer import __version__
from cartomancer.cli import output
from cartomancer.cli.audit_commands import audit, compare, search, tour
from cartomancer.cli.content_commands import content_app
from cartomancer.cli.encounter_commands import encounter_app
from cartomancer.cli.kernels_commands import kernels_app
from cartomancer.cli.lab_exploit_command import exploit
from cartomancer.cli.lab_health_commands import baseline_app, regress
from cartomancer.cli.lab_health_commands import compare as compare_batches
from cartomancer.cli.lab_matrix_commands import anomalies, compositions, matrix
from cartomancer.cli.lab_report_command import report
from cartomancer.cli.lab_run_command import query, run
from cartomancer.cli.lab_target_commands import fidelity, tune
from cartomancer.cli.map_commands import analyse, check, explain, new, repair, show, walk
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
map_app = Typer(no_args_is_help=True, help="Generate, check, explain, audit and search maps of three families.")
lab_app = Typer(
    no_args_is_help=True,
    help="Is it a good game? Store batches, measure quality, run the matchup matrix, find what is broken, tune it.",
)
COMMANDS: dict[Typer, tuple[Callable[..., None], ...]] = {
    app: (simulate, ladder),
    map_app: (
        *(new, show, check, repair, explain, analyse, walk),
        *(audit, compare, search, rules, presets, schema, unknown, tour),
    ),
    lab_app: (run, query, report, compare_batches, tune, fidelity, exploit, compositions, matrix, anomalies, regress),
}
for group, commands in COMMANDS.items():
    for command in commands:
        group.command()(command)
lab_app.add_typer(baseline_app, name="baseline")
app.add_typer(map_app, name="map")
app.add_typer(encounter_app, name="encounter")
app.add_typer(lab_app, name="lab")
app.add_typer(content_app, name="content")
app.add_typer(kernels_app, name="kernels")


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
