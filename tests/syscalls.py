"""Kill a process at each of its system calls in turn, and look at what it leaves.

A child is forked from a warm process, lets itself be traced, and does its work; it is killed with SIGKILL just before
its n-th system call. What the n-th kill leaves on the disk is what any kill between the calls n - 1 and n leaves. Linux
only. Run as a script, in a process without threads: forking is safe there.

    python syscalls.py folder|count FOLDER
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

TRACE_ME, TRACE_SYSCALL, TRACE_KILL_WITH_TRACER = 0, 24, 0x10_0000
SET_OPTIONS = 0x4200
_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_LIBC.ptrace.restype = ctypes.c_long

Work = Callable[[Callable[[int], None]], None]


def kills(work: Work, *, first: int = 1, step: int = 1) -> Iterator[tuple[int, int]]:
    """Do some work, killed before its n-th system call, for n = first, first + step, ... until it ends by itself.

    Parameters
    ----------
    work : callable
        Handed a function that it calls with the number of each step that is done.

    Yields
    ------
    int, int
        n, and the last step that was done.
    """
    number = first
    while True:
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            _be_killed(work, reader, writer)
        os.close(writer)
        was_killed = _kill_before(child, number)
        with os.fdopen(reader, "rb") as stream:
            told = stream.read()
        yield number, told[-1] if told else 0
        if not was_killed:
            return
        number += step


def _be_killed(work: Work, reader: int, writer: int) -> None:
    """Be the child: do the work, and leave without whatever the parent has to do at its end."""
    code = 1
    try:
        os.close(reader)
        _ptrace(TRACE_ME, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)

        def tell(done: int) -> None:
            os.write(writer, bytes([done]))

        work(tell)
        code = 0
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        os._exit(code)


def _kill_before(child: int, number: int) -> bool:
    """Kill a traced child before its n-th system call; return False if it has ended before."""
    os.waitpid(child, 0)
    _ptrace(SET_OPTIONS, child, TRACE_KILL_WITH_TRACER)
    for _ in range(2 * number - 1):  # it stops at the beginning and at the end of each
        _ptrace(TRACE_SYSCALL, child, 0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            assert os.waitstatus_to_exitcode(status) == 0, f"the work has failed: {status}"
            return False
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _ptrace(request: int, process: int, data: int) -> None:
    if _LIBC.ptrace(request, process, None, data) == -1:
        raise OSError(ctypes.get_errno(), f"tracing is not possible: {os.strerror(ctypes.get_errno())}")


# --- what is done, and what must be left ------------------------------------------------------------


def _folder(path: Path) -> tuple[Work, Callable[[int], None]]:
    """Return a count that keeps three layers, its answer, and is released; and what every kill must leave."""
    import numpy as np

    from backrank.errors import InvalidText
    from backrank.tours.counting.folder import LayerFolder, release
    from backrank.tours.counting.layers import Layer

    folder, answer = LayerFolder(path, "key", "tours"), 2**70

    def layer(depth: int) -> Layer:
        parts = [np.arange(1, 2 * depth + 1, dtype=np.uint64)]
        return Layer(depth, parts, 1, sum(range(2, 2 * depth + 1, 2)))

    def work(done: Callable[[int], None]) -> None:
        with folder.held():
            folder.load()
            done(1)
            for depth in (3, 4, 9):
                folder.save(layer(depth))
                done(depth)
            folder.finish(answer)
            done(10)
        release(path)
        done(11)

    def look(done: int) -> None:
        with folder.held():
            found = folder.answer()
            if found is not None:
                assert found == answer
                assert done in (9, 10), done
            elif done < 10:
                depths = [0, 0, 3, 4, 9]
                kept = folder.load()
                assert kept.depth in depths[depths.index(done if done > 1 else 0) :][:3], (kept.depth, done)
                assert kept.depth >= (done if done > 1 else 0), (kept.depth, done)
                again = layer(kept.depth) if kept.depth else Layer.first()
                assert kept.entries() == again.entries()
            folder.clear()
        assert not path.exists()

    def checked(done: int) -> None:
        try:
            look(done)
        except InvalidText as error:
            raise AssertionError(f"a kill after step {done} has left a folder that is refused: {error}") from None

    return work, checked


def _count(path: Path) -> tuple[Work, Callable[[int], None]]:
    """Return a whole command with a work folder; and what the same command must answer after a kill."""
    import io

    from backrank.cli.main import main
    from backrank.tours.counting.folder import LayerFolder

    words = ["count", "tours", "3x4", "--method", "layers", "--threads", "1", "--folder", str(path), "-q"]
    LayerFolder.keeper = lambda folder, **_: folder.save  # type: ignore[method-assign] # every layer

    def command() -> str:
        printed, code = io.BytesIO(), None
        sys.stdout = stream = io.TextIOWrapper(printed, encoding="utf-8", write_through=True)
        try:
            main(words)
        except SystemExit as left:
            code = left.code
        finally:
            sys.stdout = sys.__stdout__
        stream.detach()  # or it would close what it writes to
        assert code == 0, (code, printed.getvalue())
        return printed.getvalue().decode()

    def work(done: Callable[[int], None]) -> None:
        assert command() == "16\n"
        done(1)

    def look(done: int) -> None:
        del done
        assert command() == "16\n"
        assert not path.exists()

    look(0)  # everything is loaded and compiled now
    return work, look


def main_of_script(kind: str, path: str, step: str = "1") -> None:
    """Kill some work at each of its system calls, and look at what that leaves; print how often it was killed."""
    work, look = {"folder": _folder, "count": _count}[kind](Path(path))
    times = 0
    for _, done in kills(work, step=int(step)):
        look(done)
        times += 1
    sys.stdout.write(f"{times - 1}\n")


if __name__ == "__main__":
    main_of_script(*sys.argv[1:])
