"""How much memory there is: large answers are refused before they are begun, not when the machine is on its knees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from backrank.errors import BoardTooLarge

_CGROUP = Path("/sys/fs/cgroup")
_SPARE = 0.9
_LITTLE = 2**24  # what every machine has, and what is not worth loading a library to ask for


def available_bytes() -> int:
    """Return how many bytes can be taken without swapping, as far as the system and its containers tell."""
    import psutil  # noqa: PLC0415 - only large answers ask

    free = int(psutil.virtual_memory().available)
    try:
        limit = (_CGROUP / "memory.max").read_text(encoding="ascii").strip()
        if limit != "max":
            free = min(free, int(limit) - int((_CGROUP / "memory.current").read_text(encoding="ascii")))
    except (OSError, ValueError):
        pass  # no such limits here
    memory = psutil.Process().memory_info()
    used = {"RLIMIT_DATA": getattr(memory, "data", 0), "RLIMIT_AS": memory.vms}
    return max(0, min([free, *(limit - used[name] for name, limit in _process_limits(used))]))


def _process_limits(names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield what this process may have at most, by the names of the limits that are set."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    for name in names:
        soft, _ = resource.getrlimit(getattr(resource, name))
        if soft != resource.RLIM_INFINITY:
            yield name, soft


def require_bytes(needed: int, what: str) -> None:
    """Refuse what would not fit.

    Raises
    ------
    BoardTooLarge
        If fewer bytes are free than needed, with a tenth to spare.

    Examples
    --------
    >>> require_bytes(10**18, "a tour")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    backrank.errors.BoardTooLarge: a tour needs 1,000,000,000,000,000,000 bytes of memory; ... are free
    """
    if needed <= _LITTLE:
        return
    free = available_bytes()
    if needed > free * _SPARE:
        raise BoardTooLarge(f"{what} needs {needed:,} bytes of memory; {free:,} are free")
