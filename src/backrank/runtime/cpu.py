"""The processors that this process may use."""

from __future__ import annotations

import os


def available_threads() -> int:
    """Return the number of threads that this process can run at a time.

    Examples
    --------
    >>> available_threads() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
