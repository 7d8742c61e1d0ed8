"""`cartomancer lab`: batches, reports, the matchup matrix, anomalies, the tuner."""

from __future__ import annotations

import typer

from cartomancer.cli.lab_anomalies_command import anomalies
from cartomancer.cli.lab_compare_command import compare
from cartomancer.cli.lab_fidelity_command import fidelity
from cartomancer.cli.lab_health_commands import baseline_app, regress
from cartomancer.cli.lab_matrix_commands import compositions, matrix
from cartomancer.cli.lab_report_command import report
from cartomancer.cli.lab_run_command import query, run
from cartomancer.cli.lab_tune_command import tune

lab_app = typer.Typer(
    no_args_is_help=True,
    help="Is it a good game? Store batches, measure quality, run the matchup matrix, find what is broken, tune it.",
)
lab_app.command()(run)
lab_app.command()(query)
lab_app.command()(report)
lab_app.command()(compare)
lab_app.command()(tune)
lab_app.command()(fidelity)
lab_app.command()(compositions)
lab_app.command()(matrix)
lab_app.command()(anomalies)
lab_app.command()(regress)
lab_app.add_typer(baseline_app, name="baseline")
