"""File descriptors: how many this process may have, and how many of them can be connections."""

from __future__ import annotations

import os
from contextlib import suppress

from backrank.errors import BackrankError

_WANTED = 4_096
_NEEDED = 64
# Pipes of workers, the ledger and its neighbours, files that threads read, connections that are being turned away.
_RESERVE = 96
_ASSUMED_OPEN = 32


class TooFewDescriptors(BackrankError):
    """The process may not open enough files for a server."""


def raise_soft_limit() -> None:
    """Raise the soft limit of open files as far as a server has use for it and the hard limit allows."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def soft_limit() -> int | None:
    """Return how many files this process may have open, or None without a limit."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def open_now() -> int:
    """Return how many files this process has open, or a guess where the system does not say."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return len(os.listdir(folder))  # noqa: PTH208 - the names alone
    return _ASSUMED_OPEN


def most_connections(most: int, limit: int | None, in_use: int) -> int:
    """Return how many connections a server can have open at once.

    Parameters
    ----------
    most : int
        The configured limit.
    limit : int or None
        How many files the process may have open.
    in_use : int
        How many it has open before the first connection.

    Raises
    ------
    TooFewDescriptors
        If the process may not open enough files for a server.

    Examples
    --------
    >>> most_connections(512, None, 20), most_connections(512, 4096, 20), most_connections(512, 256, 20)
    (512, 512, 140)
    >>> most_connections(512, 128, 24)
    40
    """
    if limit is None:
        return most
    if limit < _NEEDED or (left := limit - in_use - min(_RESERVE, limit // 2)) < 1:
        raise TooFewDescriptors(
            f"the server needs at least {max(_NEEDED, 2 * in_use + 2)} file descriptors, and the limit is {limit}; "
            "raise it with: ulimit -n 1024"
        )
    return min(most, left)
