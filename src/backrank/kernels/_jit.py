"""How every kernel is compiled, said once: cached on disk, free of the interpreter lock, typed for the caller."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

LOGGER = logging.getLogger("backrank.kernels")

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
    try:
        return cast("F", njit(cache=True, nogil=True, **options)(function))
    except RuntimeError:  # no place to cache in: a read-only installation of a user without a home
        return cast("F", njit(nogil=True, **options)(function))


class _Compiling(event.Listener):
    """Logs that something is compiled: whoever waits for it may want to know."""

    def on_start(self, event: Any) -> None:
        """Tell what."""
        LOGGER.info("compiling %s", getattr(event.data.get("dispatcher"), "__name__", "a kernel"))

    def on_end(self, event: Any) -> None:
        """Say nothing."""


_register: Any = event.register  # not typed
_register("numba:compile", _Compiling())
