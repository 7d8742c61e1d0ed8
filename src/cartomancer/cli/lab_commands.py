"""`cartomancer lab`: batches, reports, the matchup matrix, anomalies, the tuner."""

from __future__ import annotations

import typer

lab_app = typer.Typer(
    no_args_is_help=True,
    help="Is it a good game? Store batches, measure quality, run the matchup matrix, find what is broken, tune it.",
)
