"""One source, three ways to run: the `kernel` decorator and the records kernels work on.

A kernel function is plain Python over flat NumPy state. It runs

- compiled for the CPU (the default),
- interpreted, when `CARTOMANCER_KERNEL=interpreted` or `NUMBA_DISABLE_JIT=1` is set before the import: numba is then
  not even imported, which makes one-map commands start faster than a warm compiled cache could,
- compiled for CUDA, called from the entries in `cartomancer.maps.kernel.device`.

All three give the same bits. Numba's own cache does not notice an edit in another module's callee, so the cache lives
in a folder named by a hash of every kernel source.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED: Final = (
    os.environ.get("CARTOMANCER_KERNEL") == "interpreted" or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
)
_PACKAGE: Final = Path(__file__).parent
_KEPT_CACHES: Final = 3


def kernel_sources() -> list[Path]:
    """Every file whose text can change what a kernel compiled for the CPU does."""
    shared = [_PACKAGE / name for name in ("codes.py", "jit.py", "rng.py")]
    return shared + sorted(path for path in _PACKAGE.glob("*/kernel/*.py") if path.name != "device.py")


def kernel_digest() -> str:
    """A short hash of all kernel sources."""
    digest = hashlib.sha256()
    for path in kernel_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where compiled kernels are kept: `CARTOMANCER_CACHE_DIR`, else the user's cache folder."""
    chosen = os.environ.get("CARTOMANCER_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "cartomancer"


def cache_folder() -> Path:
    """The cache folder of exactly these kernel sources."""
    return cache_root() / f"kernels-{kernel_digest()}"


def _forget_old_caches(current: Path) -> None:
    folders = [path for path in current.parent.glob("kernels-*") if path != current]
    folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in folders[_KEPT_CACHES:]:
        shutil.rmtree(path, ignore_errors=True)


def _compiler() -> Callable[[Function], Function]:
    folder = cache_folder()
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    # Lower optimisation and no vectorisers: a quarter less compile time, no visible run-time cost on integer rules.
    os.environ.setdefault("NUMBA_OPT", "1")
    os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
    os.environ.setdefault("NUMBA_SLP_VECTORIZE", "0")
    import numba

    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old_caches(folder)
        cached = os.access(folder, os.W_OK)
    except OSError:
        cached = False  # a read-only home costs a compile, not the command
    compiled: Any = numba.njit(cache=cached, nogil=True, error_model="numpy")
    return cast(Callable[[Function], Function], compiled)


def _as_it_is(function: Function) -> Function:
    return function


kernel: Final[Callable[[Any], Any]] = _as_it_is if INTERPRETED else _compiler()

# A number read from a record, as the 64-bit integer that kernels reckon in. Compiled, `int` would keep the record's
# small or unsigned type, and unsigned met with signed turns into a float; interpreted, NumPy's scalars would wrap.
whole: Final[Any] = int if INTERPRETED else np.int64


def is_compiled_cached() -> bool:
    """Whether these kernels have been compiled on this machine before."""
    return any(cache_folder().rglob("*.nbc"))


def attribute_view(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same bytes with fields readable as attributes, for interpreted runs."""
    if dtype.names is None or dtype.fields is None:
        return dtype
    formats: list[Any] = []
    offsets: list[int] = []
    for name in dtype.names:
        if hasattr(np.record, name):
            raise TypeError(f"field '{name}' is an attribute of every NumPy record: choose another name")
        field, offset = dtype.fields[name][:2]
        base, shape = field.subdtype or (field, ())
        formats.append((attribute_view(base), shape) if shape else attribute_view(base))
        offsets.append(offset)
    plain = np.dtype({"names": list(dtype.names), "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize})
    return np.dtype((np.record, plain))


def records(count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """`count` zeroed kernel records. Kernels read their fields as attributes, everybody else as items."""
    array = np.zeros(count, dtype)
    return array.view(attribute_view(dtype)) if INTERPRETED else array


def wrapping() -> AbstractContextManager[Any]:
    """uint64 arithmetic wraps on purpose; interpreted NumPy would warn about it."""
    return np.errstate(over="ignore")
