"""Every backend by its name, with the options it takes.

>>> backend_of("threads", threads=2)
Threads(threads=2, name='threads', grain='thread')
>>> backend_of(None, address="tcp://here:8786").name
'cluster'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cartomancer.backends.cluster import Cluster
from cartomancer.backends.local import Device, Threads
from cartomancer.backends.tasks import Backend
from cartomancer.errors import CartomancerError, UnknownNameError

BACKENDS: Final[dict[str, Callable[..., Backend]]] = {"threads": Threads, "cuda": Device, "cluster": Cluster}
# whose each option is, and how it is spoken of
OPTIONS: Final = {
    "threads": ("threads", "a number of threads is"),
    "address": ("cluster", "a cluster's address and workers are"),
    "workers": ("cluster", "a cluster's address and workers are"),
}


def backend_of(
    name: str | None = None, threads: int | None = None, address: str | None = None, workers: int | None = None
) -> Backend:
    """A backend by its name, refused with options of another; without a name an address means a cluster."""
    chosen = name or ("threads" if address is None else "cluster")
    if chosen not in BACKENDS:
        raise UnknownNameError("backend", chosen, list(BACKENDS))
    asked: dict[str, Any] = {"threads": threads, "address": address, "workers": workers}
    given = {option: value for option, value in asked.items() if value is not None}
    for option in given:
        owner, spoken = OPTIONS[option]
        if owner != chosen:
            raise CartomancerError(f"{spoken} not for the backend '{chosen}'")
    return BACKENDS[chosen](**given)
