"""How every kernel is compiled, said once: cached on disk, free of the interpreter lock, typed for the caller.

The logger `backrank.kernels` tells what happens: `compiling …` and `compiled …` (INFO, with a `stage` in the record,
`begin` or `end`), and what is wrong with the cache (WARNING).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

LOGGER = logging.getLogger("backrank.kernels")
LOGGER.addHandler(logging.NullHandler())  # nothing is printed unless the program says where to

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile a function at its first call; the caller sees the type that is written down.

    Overflow wraps silently, so a kernel says why its numbers stay below 2^63. Unsigned and signed 64-bit numbers
    must not meet in one expression: numba makes a float or a signed number of them.
    """
    return _compiled(function)


def jit_inside(function: F) -> F:
    """Compile a function that only kernels call.

    It counts no references to the arrays it is handed: its caller holds them. A dozen arrays counted up and
    down at every call (atomically) made the searches four times slower. So it must not make arrays, nor keep any.
    """
    return _compiled(function, _nrt=False)


def jit_inlined(function: F) -> F:
    """As :func:`jit_inside`, copied into its callers: where handing over the arrays costs more than the work."""
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: F, **options: bool) -> F:
    njit: Any = numba.njit  # not all of its options are typed
    kernel: Any = njit(nogil=True, **options)(function)
    if kernel is not function:  # it is with NUMBA_DISABLE_JIT=1
        kernel._cache = _cache_of(function)  # numba offers no other way to a cache of one's own
    return cast("F", kernel)


def _cache_of(function: Callable[..., Any]) -> Any:
    """Return where a kernel is kept; nowhere if that is impossible, or if numba's interior has changed."""
    name = function.__name__

    def compiled() -> None:
        LOGGER.info("compiled %s", name, extra={"stage": "end"})

    try:
        from backrank.runtime.kernel_cache_jit import CheckedCache  # noqa: PLC0415 - whatever fails there

        return CheckedCache(function, compiled, tell_uncached)
    except Exception as error:  # RuntimeError if there is no folder, anything if numba has changed
        return _NoCache(compiled, str(error))


def tell_uncached(why: str) -> None:
    """Log that compiled kernels cannot be kept."""
    LOGGER.warning("%s: kernels are compiled at every start; NUMBA_CACHE_DIR=FOLDER keeps them in a folder", why)


class _NoCache:
    """What numba asks in place of a cache: it keeps nothing."""

    cache_path = None

    def __init__(self, compiled: Callable[[], None], why: str) -> None:
        self._compiled = compiled
        self._why = why

    def load_overload(self, sig: object, target_context: object) -> None:
        """Return nothing: it is to be compiled."""
        del sig, target_context

    def save_overload(self, sig: object, cres: object) -> None:
        """Log that it will have to be compiled again."""
        del sig, cres
        tell_uncached(self._why)
        self._compiled()

    def flush(self) -> None:
        """Do nothing: nothing is kept."""

    enable = disable = flush


class _Compiling(event.Listener):
    """Logs that something is compiled, for those who wait for it."""

    def on_start(self, event: Any) -> None:
        """Log the name of the kernel."""
        name = getattr(event.data.get("dispatcher"), "__name__", "a kernel")
        LOGGER.info("compiling %s", name, extra={"stage": "begin"})

    def on_end(self, event: Any) -> None:
        """Do nothing: the end is logged when the kernel has been saved."""


_register: Any = event.register  # not typed
_register("numba:compile", _Compiling())
