"""Where a command's work is done, as options say it: the same words for runs, matrices and searches."""

from __future__ import annotations

from typing import Annotated

import typer

BackendName = Annotated[
    str | None,
    typer.Option(
        "--backend",
        help="threads (the default); cuda, with the extra \\[cuda]; cluster, with the extra \\[cluster]. "
        "It changes no result.",
    ),
]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="A dask scheduler, tcp://host:8786: the backend cluster."),
]
ClusterWorkers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Cluster: so many worker processes on this machine.")
]
