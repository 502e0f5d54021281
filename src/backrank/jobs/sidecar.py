"""What lies beside a ledger: who is at work on its jobs, and the layers of those of tours.

Whoever works on a job holds a lock on a file of its name. The system lets go of it when the process ends, however it
ends: so a process that was killed is not taken for one that works, and no number of a process is mistaken for that of
another. Where there are no such locks, or no file can be made for one, the signs of life in the ledger have to do. The
file is removed by whoever is the last to leave; that of a process that was killed stays until the job is gone on with
or removed.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from backrank.jobs.errors import LedgerError

if sys.platform != "win32":
    import fcntl

GLANCE_SECONDS = 0.02  # whoever looks whether somebody is there holds the lock for a moment
PATIENCE_SECONDS = 1.0
_NAME = re.compile("[0-9a-f]{8}")
_LAYERS = ("manifest.json", "manifest.json.new", "layer-*.npy", "layer-*.npy.new", "spill/*")


def lock_path(ledger: Path, job: str) -> Path:
    """Return the file on which everybody has a lock who works on a job.

    Examples
    --------
    >>> lock_path(Path("ledger.sqlite"), "3f2a91c0").name
    'ledger.sqlite-3f2a91c0.lock'
    """
    return ledger.with_name(f"{ledger.name}-{job}.lock")


def layers_path(ledger: Path, job: str) -> Path:
    """Return the folder in which the layers of a job of tours are kept."""
    return ledger.with_name(f"{ledger.name}-layers") / job


@contextmanager
def at_work(ledger: Path, job: str, *, alone: bool = False) -> Iterator[bool]:
    """Let others see that this process works on a job.

    Parameters
    ----------
    ledger : Path
    job : str
    alone : bool
        Whether nobody else may.

    Yields
    ------
    bool
        False if it is to be done alone and somebody else is at it.
    """
    path = lock_path(ledger, job)
    try:
        descriptor = _taken(path, alone=alone)
    except BlockingIOError:
        yield False
        return
    except OSError:  # no such locks here, or no room for a file: signs of life have to do
        yield True
        return
    try:
        yield True
    except LedgerError:
        # It cannot be said in the ledger that nobody works there any more: the file does, on which nobody has a lock.
        os.close(descriptor)
        raise
    except BaseException:
        _leave(path, descriptor)
        raise
    _leave(path, descriptor)


def is_at_work(ledger: Path, job: str) -> bool | None:
    """Return whether anybody, here or in another process, works on a job; None if that cannot be told by locks."""
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(lock_path(ledger, job), os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return False


def forget(ledger: Path, job: str) -> None:
    """Remove what lies beside the ledger for a job, unless somebody is at work on it, who does so on leaving."""
    if _NAME.fullmatch(job) is None or is_at_work(ledger, job):
        return
    with suppress(OSError):
        lock_path(ledger, job).unlink(missing_ok=True)
    forget_layers(ledger, job)


def forget_layers(ledger: Path, job: str) -> None:
    """Remove the layers that are kept of a job, and nothing else that is in the folder."""
    folder = layers_path(ledger, job)
    with suppress(OSError):
        for pattern in _LAYERS:
            for file in folder.glob(pattern):
                file.unlink(missing_ok=True)
        for each in (folder / "spill", folder, folder.parent):
            if each.is_dir():
                each.rmdir()


def _taken(path: Path, *, alone: bool) -> int:
    """Return a descriptor of the file with the lock on it.

    Raises
    ------
    BlockingIOError
        If somebody else has it, who is not only looking.
    OSError
        If there can be no lock.
    """
    if sys.platform == "win32":
        raise OSError("no locks that any number of processes share")
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
            if _is_same(path, descriptor):  # and nobody has removed it meanwhile
                return descriptor
        except BlockingIOError:
            if time.monotonic() > until:
                os.close(descriptor)
                raise
            time.sleep(GLANCE_SECONDS)
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _leave(path: Path, descriptor: int) -> None:
    """Let go of the lock, and remove the file if nobody else has one."""
    if sys.platform != "win32":
        with suppress(OSError):
            # Let go of first: of two that leave at the same moment neither may wait for the other.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_same(path, descriptor):
                path.unlink()
    os.close(descriptor)


def _is_same(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
