"""One source, three ways to run: the `kernel` decorator and the records kernels work on.

A kernel function is plain Python over flat NumPy state. It runs

- interpreted: how every process begins. Numba is not even imported, so a single map or fight starts at once;
- compiled for the CPU: from the first batch on (`prefer_compiled`), or as soon as that is ready
  (`compile_in_background`), for everything the process does;
- compiled for CUDA: called from the entries in the `device` modules (`device_entry`).

All three give the same bits. `NUMBA_DISABLE_JIT=1` keeps batches interpreted too, for debuggers and coverage.

A kernel calls other kernels by their names. So for each way to run there is a copy of every kernel function whose
global names mean the other copies of the same way: inside, nothing is looked up or decided.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import threading
import types
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import numpy as np

_PACKAGE: Final = Path(__file__).parent
_KEPT_CACHES: Final = 3
_building: Final = threading.RLock()  # copies are made once, whichever thread asks first


# --- which way --------------------------------------------------------------------------------------------------------


class _Way(threading.local):
    """Whether kernels run compiled: in the whole process, or so far in one thread only."""

    everywhere = False
    compiled = property(lambda self: _Way.everywhere or self.here)

    def __init__(self) -> None:
        self.here = False


_way: Final = _Way()


def is_compiled() -> bool:
    """Whether kernels run compiled from here on."""
    return bool(_way.compiled)


def _may_compile() -> bool:
    return os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def prefer_compiled() -> None:
    """What a batch says before it begins: from here on kernels run compiled, unless numba is told not to compile."""
    if not _Way.everywhere and _may_compile():
        _compiler()
        _Way.everywhere = True


def compile_in_background(warm_up: Callable[[], object]) -> threading.Thread | None:
    """Let somebody begin at once, interpreted, and go on compiled as soon as what `warm_up` calls has been compiled."""
    if _Way.everywhere or not _may_compile():
        return None

    def work() -> None:
        _compiler()
        _way.here = True
        warm_up()
        _Way.everywhere = True

    thread = threading.Thread(target=work, name="compiling kernels", daemon=True)
    thread.start()
    return thread


class Kernel:
    """A kernel function, called the way this process runs its kernels."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._copies: dict[str, Callable[..., Any]] = {}
        self._whole: dict[str, Callable[..., Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        return (self.compiled if _way.compiled else self.interpreted)(*arguments)

    def copy(self, way: str) -> Callable[..., Any]:
        """The function the way it runs; made once. Its names may still be filled in by whoever holds the lock."""
        with _building:
            names = _names(self.py_func, way)  # of its module, whose kernels are copied with it: this one, too
            if way not in self._copies:
                copied: Any = _copied(self.py_func, names)
                self._copies[way] = _compiler()(copied) if way == "compiled" else copied
            return self._copies[way]

    def _whole_copy(self, way: str) -> Callable[..., Any]:
        """The copy once everything it calls is there too: another thread must not meet it half made."""
        if way not in self._whole:
            self._whole[way] = self.copy(way)
        return self._whole[way]

    @property
    def interpreted(self) -> Callable[..., Any]:
        """The function as Python runs it."""
        return self._whole_copy("interpreted")

    @property
    def compiled(self) -> Callable[..., Any]:
        """The function as numba compiles it; that happens when it is first called."""
        return self._whole_copy("compiled")

    @property
    def on_device(self) -> Callable[..., Any]:
        """The function as a CUDA entry calls it; numba's simulator of a device is interpreted."""
        return self.interpreted if is_simulated() else self.compiled


class _Whole(Kernel):
    """A number read from a record, as the 64-bit integer that kernels reckon in.

    Compiled, `int` would keep the record's small or unsigned type, and unsigned met with signed turns into a float;
    interpreted, NumPy's scalars would wrap.
    """

    def copy(self, way: str) -> Callable[..., Any]:
        return np.int64 if way == "compiled" else int


kernel: Final[Callable[[Any], Any]] = Kernel
whole: Final[Any] = _Whole(int)


def _copied(function: Callable[..., Any], names: dict[str, Any], title: str | None = None) -> types.FunctionType:
    """A function with other global names."""
    found = types.FunctionType(function.__code__, names, title or function.__name__, function.__defaults__)
    found.__qualname__ = title or function.__qualname__
    found.__module__, found.__doc__ = function.__module__, function.__doc__
    return found


_names_of_modules: Final[dict[tuple[str, str], dict[str, Any]]] = {}


def _names(function: Callable[..., Any], way: str) -> dict[str, Any]:
    """The global names of a kernel's module, kernels among them as they run that way."""
    key = (function.__module__, way)
    if key not in _names_of_modules:
        found = _names_of_modules[key] = dict(function.__globals__)
        for name, value in function.__globals__.items():
            if isinstance(value, Kernel):  # its module may be in the midst of this: the dictionary is there already
                found[name] = value.copy(way)
    return _names_of_modules[key]


# --- on a device ------------------------------------------------------------------------------------------------------


def cuda_target() -> Any:
    """Numba's CUDA target."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # some numba-cuda releases still ask for it
    from numba import cuda

    return cuda


def is_simulated() -> bool:
    """Whether the device is numba's simulator, which runs Python threads."""
    return bool(_settings().ENABLE_CUDASIM)


def device_entry(
    function: Callable[..., Any], title: str | None = None, limits: Mapping[str, int] | None = None, **names: Any
) -> Any:
    """A function of a `device` module as the entry that is launched: its names mean what a device calls, some may
    be given another meaning. It is kept on disk under its title, so that the next process need not compile it."""
    meant = {**function.__globals__, **names}
    found = {name: value.on_device if isinstance(value, Kernel) else value for name, value in meant.items()}
    kept = {} if is_simulated() else {"cache": is_cache_writable()}
    return cuda_target().jit(**(limits or {}), **kept)(_copied(function, found, title))


# --- compiling --------------------------------------------------------------------------------------------------------


def kernel_sources() -> list[Path]:
    """Every file whose text can change what a kernel does."""
    shared = [_PACKAGE / name for name in ("codes.py", "jit.py", "rng.py")]
    return shared + sorted(path for path in _PACKAGE.glob("*/kernel/*.py") if path.name != "device.py")


def _digest(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def kernel_digest() -> str:
    """A short hash of all kernel sources: results of equal digests may be put together."""
    return _digest(kernel_sources())


def cache_root() -> Path:
    """Where compiled kernels are kept: `CARTOMANCER_CACHE_DIR`, else the user's cache folder."""
    chosen = os.environ.get("CARTOMANCER_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "cartomancer"


def cache_folder() -> Path:
    """The cache folder of exactly these sources, the devices' among them.

    Numba's own cache does not notice an edit in another module's callee, so each state of the sources has its own.
    """
    return cache_root() / f"kernels-{_digest(kernel_sources() + sorted(_PACKAGE.glob('*/kernel/device.py')))}"


def is_compiled_cached() -> bool:
    """Whether these kernels have been compiled on this machine before."""
    return any(cache_folder().rglob("*.nbc"))


def _forget_old_caches(current: Path) -> None:
    folders = [path for path in current.parent.glob("kernels-*") if path != current]
    folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in folders[_KEPT_CACHES:]:
        shutil.rmtree(path, ignore_errors=True)


@functools.cache
def is_cache_writable() -> bool:
    """Whether compiled kernels can be kept; a read-only home costs a compile, not the command."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old_caches(folder)
        return os.access(folder, os.W_OK)
    except OSError:
        return False


def _settings() -> Any:
    """Numba's own settings."""
    from numba.core import config

    return config


@functools.cache
def _compiler() -> Callable[[Any], Any]:
    """Numba's compiler with this project's settings."""
    folder = str(cache_folder())
    os.environ["NUMBA_CACHE_DIR"] = folder
    # Lower optimisation and no vectorisers: a quarter less compile time, no visible run-time cost on integer rules.
    os.environ.setdefault("NUMBA_OPT", "1")
    os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
    os.environ.setdefault("NUMBA_SLP_VECTORIZE", "0")
    import numba

    _settings().reload_config()  # somebody may have imported it before
    _settings().CACHE_DIR = folder
    found: Callable[[Any], Any] = numba.njit(cache=is_cache_writable(), nogil=True, error_model="numpy")
    return found


# --- records ----------------------------------------------------------------------------------------------------------


def attribute_view(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same bytes with fields readable as attributes, for interpreted runs; to compiled code they are the same."""
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
    parts = {"names": list(dtype.names), "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize}
    return np.dtype((np.record, np.dtype(parts, align=dtype.isalignedstruct)))  # type: ignore[call-overload]


def records(count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """`count` zeroed kernel records. Kernels read their fields as attributes, everybody else as items.

    What was made before the first batch stays usable after it; compiled calls are a little quicker with the plain ones.
    """
    array = np.zeros(count, dtype)
    return array if _way.compiled else array.view(attribute_view(dtype))


def wrapping() -> AbstractContextManager[Any]:
    """uint64 arithmetic wraps on purpose; interpreted NumPy would warn about it."""
    return np.errstate(over="ignore")
