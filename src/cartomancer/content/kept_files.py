"""Files that one command keeps for another, such as baselines and checkpoints: plain data with a digest in JSON.

What is read was checked: a damaged file is refused with every fault. Files from before there were digests are read too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from cartomancer.content.models.base import Strict
from cartomancer.content.toml_files import validated
from cartomancer.errors import ContentError, Fault, KeptFileError
from cartomancer.input_files import MOST_BYTES, InputFileError, read_input
from cartomancer.seals import seal_faults, sealed

Count = Annotated[int, Field(ge=0)]
Sealing = Callable[[Mapping[str, Any]], Iterable[Fault]]


class Kept(Strict):
    """The shape of a kept file."""

    digest: str | None = None


class Part(Strict):
    """The shape of a part of a kept file; what nobody reads of it may be anything."""

    model_config = ConfigDict(extra="ignore")


def kept_bytes(data: Mapping[str, Any]) -> bytes:
    """The file of plain data, with its digest."""
    return (json.dumps(sealed(data), ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8")


def read_kept(path: Path, shape: type[BaseModel], what: str, most: int = MOST_BYTES) -> dict[str, Any]:
    """The plain data of a kept file that has a shape and fits its digest."""
    data = kept_data(path, what, most)
    refuse_damaged(data, shape, what, str(path))
    return data


def kept_data(path: Path, what: str, most: int = MOST_BYTES) -> dict[str, Any]:
    """The plain data of a file, whatever it says."""
    problem = "is not a JSON object"
    try:
        data = json.loads(read_input(path, most), parse_constant=str)  # NaN is a word here: no number's field takes it
        if isinstance(data, dict):
            return data
    except InputFileError as error:
        problem = str(error)
    except (ValueError, RecursionError) as error:
        problem = f"is not valid JSON: {error}"
    raise KeptFileError(f"{path}: not {what}, or a damaged one", [Fault("file", None, problem, where=str(path))])


def refuse_damaged(
    data: Mapping[str, Any], shape: type[BaseModel], what: str, where: str, seals: Sealing = seal_faults
) -> None:
    """Raises for data that does not have the shape or does not fit its digest, with every fault."""
    faults: list[Fault] = []
    try:
        validated(shape, data, where)
    except ContentError as error:
        faults += error.faults
    with suppress(RecursionError):  # what lies too deep has been named
        faults += seals(data)
    KeptFileError.refuse(where, f"not {what}, or a damaged one: {{n}} fault(s)", faults)
