"""Kernels on disk: whatever has become of a file, the kernel gives the right number, and its cache is made anew."""

from __future__ import annotations

import errno
import importlib.util
import logging
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from numba.core import caching
from numba.core import config as untyped

import backrank
from backrank.cli.command import KERNELS
from backrank.runtime import kernel_cache_jit
from backrank.runtime.kernel_cache_jit import DamagedError, read_checked, stamp, write_checked
from damage import damage

INNER = (
    "from backrank.runtime._jit import jit_inside\nSTEP = 3\n"
    "@jit_inside\ndef added(number):\n    return number + STEP\n"
)
OUTER = (
    "from {inner} import added\nfrom backrank.runtime._jit import jit\n"
    "@jit\ndef total(number):\n    return added(number) * 2\n"
    "@jit\ndef other(number):\n    return added(number) * 5\n"
)
config: Any = untyped
IDENTITY = b"a kernel"
_numbers = count()

Run = Callable[..., subprocess.CompletedProcess[str]]


class Kernels:
    """A module of kernels that calls one of another module, and the folder of their caches."""

    def __init__(self, folder: Path) -> None:
        self.sources = folder
        self.name = f"kernels{next(_numbers)}"
        self.write(INNER)
        (folder / f"{self.name}_outer.py").write_text(OUTER.format(inner=f"{self.name}_inner"), encoding="utf-8")

    def write(self, inner: str) -> None:
        """Write the module whose kernel is called."""
        (self.sources / f"{self.name}_inner.py").write_text(inner, encoding="utf-8")

    def load(self) -> ModuleType:
        """Load both modules as a new process does: nothing is compiled."""
        module = None
        for part in ("inner", "outer"):
            name = f"{self.name}_{part}"
            spec = importlib.util.spec_from_file_location(name, self.sources / f"{name}.py")
            assert spec is not None
            assert spec.loader is not None
            module = sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        assert module is not None
        return module

    def files(self, what: str = "*") -> list[Path]:
        """The files of the caches."""
        return sorted(Path(config.CACHE_DIR).rglob(f"{self.name}{what}"))

    def one(self, kernel: str) -> Path:
        """The file of one kernel."""
        (path,) = self.files(f"_outer.{kernel}.*")
        return path


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernels]:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "sources").mkdir()
    own = Kernels(tmp_path / "sources")
    yield own
    for name in [name for name in sys.modules if name.startswith(own.name)]:
        del sys.modules[name]


def hits(kernel: Any) -> int:
    """How often a kernel has come from its cache in this process."""
    return sum(kernel.stats.cache_hits.values())


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


# --- what is fine -----------------------------------------------------------------------------------


def test_a_kernel_is_kept_and_comes_back(kernels: Kernels, caplog: pytest.LogCaptureFixture) -> None:
    first = kernels.load()
    assert (first.total(4), hits(first.total)) == (14, 0)
    assert [path.suffix for path in kernels.files()] == [".kernel", ".kernel"], "the inner one, and the outer one"
    again = kernels.load()
    assert (again.total(4), hits(again.total)) == (14, 1)
    assert not warnings(caplog)


def test_each_signature_has_a_file(kernels: Kernels) -> None:
    module = kernels.load()
    assert (module.total(4), module.total(0.5)) == (14, 7.0)
    again = kernels.load()
    assert (again.total(4), again.total(0.5), hits(again.total)) == (14, 7.0, 2)


def test_a_kernel_that_it_calls_from_another_module_counts(kernels: Kernels) -> None:
    """Numba looks at the module of the kernel itself only, and would go on with the old number."""
    assert kernels.load().total(4) == 14
    kernels.write(INNER.replace("STEP = 3", "STEP = 5"))
    changed = kernels.load()
    assert (changed.total(4), hits(changed.total)) == (18, 0)
    assert len(kernels.files()) == 2, "what is outdated is removed"


def test_another_version_does_not_read_it(kernels: Kernels, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kernels.load().total(4) == 14
    monkeypatch.setattr(kernel_cache_jit, "_VERSIONS", ("another",))
    later = kernels.load()
    assert (later.total(4), hits(later.total)) == (14, 0)


def test_the_stamp_covers_all_that_is_imported(tmp_path: Path) -> None:
    for name, text in {
        "one": "from two import x\nfrom elsewhere import y\n",
        "two": "from three import (\n    x,\n)\n",
        "three": "from one import z\n",
        "four": "",
    }.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    before = stamp(tmp_path / "one.py")
    (tmp_path / "four.py").write_text("x = 1\n", encoding="utf-8")
    assert stamp(tmp_path / "one.py") == before
    for name in ("one", "two", "three"):
        with (tmp_path / f"{name}.py").open("a", encoding="utf-8") as file:
            file.write("x = 1\n")
        after = stamp(tmp_path / "one.py")
        assert after != before, name
        before = after


def test_kernels_import_each_other_in_the_way_that_the_stamp_sees() -> None:
    """`import` of a module, or of a module from its package, would be overlooked."""
    package = Path(backrank.__file__).parent
    for path in package.rglob("*_jit.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if "backrank" in line and line.startswith(("from", "import")):
                found = kernel_cache_jit._IMPORT.match(line)
                assert found, (path.name, line)
                assert package.parent.joinpath(*found[1].split(".")).with_suffix(".py").is_file(), (path.name, line)


# --- damage -----------------------------------------------------------------------------------------


def cut(length: int) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, length)


def overwrite(data: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(data)

    return write


def zeroed(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def flipped(place: int) -> Callable[[Path], None]:
    def flip(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[place] ^= 1
        path.write_bytes(data)

    return flip


DAMAGES = {
    "emptied": cut(0),
    "a byte": cut(1),
    "the head": cut(48),
    "half": cut(4000),
    "zeros": zeroed,
    "noise": overwrite(Random(1).randbytes(9000)),  # noqa: S311 - no secret
    "magic": flipped(3),
    "digest": flipped(20),
    "payload": flipped(48),
    "the middle": flipped(5000),
    "the last byte": flipped(-1),
    "a pickle": overwrite(pickle.dumps(("0.61", {}))),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_file_is_made_anew(how: str, kernels: Kernels, caplog: pytest.LogCaptureFixture) -> None:
    assert kernels.load().total(4) == 14
    path = kernels.one("total")
    good = path.read_bytes()
    DAMAGES[how](path)
    assert path.read_bytes() != good
    with caplog.at_level(logging.WARNING, KERNELS):
        module = kernels.load()
        assert (module.total(4), hits(module.total)) == (14, 0)
    (warning,) = warnings(caplog)
    assert str(path) in warning
    assert "compiled again" in warning
    again = kernels.load()
    assert (again.total(4), hits(again.total)) == (14, 1)
    assert len(warnings(caplog)) == 1


def test_a_removed_file_is_nothing_to_tell(kernels: Kernels, caplog: pytest.LogCaptureFixture) -> None:
    assert kernels.load().total(4) == 14
    kernels.one("total").unlink()
    assert kernels.load().total(4) == 14
    assert not warnings(caplog)
    assert kernels.one("total").is_file()


def test_swapped_files_are_noticed(kernels: Kernels, caplog: pytest.LogCaptureFixture) -> None:
    module = kernels.load()
    assert (module.total(4), module.other(4)) == (14, 35)
    one, two = kernels.one("total"), kernels.one("other")
    data = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(data)
    again = kernels.load()
    assert (again.total(4), again.other(4)) == (14, 35)
    assert len(warnings(caplog)) == 2


def test_what_cannot_be_rebuilt_is_compiled(
    kernels: Kernels, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its checksum is right, but it names what is not there any more."""
    assert kernels.load().total(4) == 14

    def missing(*_: object) -> None:
        raise AttributeError("Can't get attribute 'Room'")

    with monkeypatch.context() as patch:
        patch.setattr(kernel_cache_jit._Placed, "rebuild", missing)
        assert kernels.load().total(4) == 14
    assert ["Room" in warning for warning in warnings(caplog)] == [True, True], "the inner one as well"


def test_a_folder_in_place_of_the_file(kernels: Kernels, caplog: pytest.LogCaptureFixture) -> None:
    assert kernels.load().total(4) == 14
    path = kernels.one("total")
    path.unlink()
    (path / "mine").mkdir(parents=True)
    for _ in range(2):
        assert kernels.load().total(4) == 14
    assert (path / "mine").is_dir(), "it may be of use to somebody"
    assert any("compiled at every start" in warning for warning in warnings(caplog))
    assert not kernels.files("*.part")


# --- where nothing can be kept ----------------------------------------------------------------------


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO, errno.EDQUOT])
@pytest.mark.parametrize("where", ["mkstemp", "fsync", "replace"])
def test_a_kernel_that_cannot_be_saved_runs(
    where: str, code: int, kernels: Kernels, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    owner = {"mkstemp": tempfile, "fsync": os, "replace": Path}[where]
    monkeypatch.setattr(owner, where, fail)
    assert kernels.load().total(4) == 14
    assert os.strerror(code).lower() in warnings(caplog)[0]
    assert not kernels.files(), "nothing is left half-way"


def test_a_file_that_cannot_be_read_is_compiled(
    kernels: Kernels, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kernels.load().total(4) == 14

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    module = _without_stamps(kernels, monkeypatch)
    assert module.total(4) == 14
    assert "permission denied" in warnings(caplog)[0]


def _without_stamps(kernels: Kernels, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(kernel_cache_jit, "stamp", str)
    return kernels.load()


@pytest.mark.parametrize("error", [RuntimeError("no locator available"), AttributeError("numba is another one")])
def test_without_a_place_for_a_cache(
    error: Exception, kernels: Kernels, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No folder can be written to, or numba has changed inside: kernels run all the same."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(kernel_cache_jit.CheckedCache, "__init__", fail)
    module = kernels.load()
    assert (module.total(4), module.total(5)) == (14, 16)
    assert str(error) in warnings(caplog)[0]
    assert not kernels.files()


def test_without_a_home_no_folder_is_made_where_one_stands(
    kernels: Kernels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`~` stays `~` for a user whom the system does not know, and numba takes it for the name of a folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(caching.InTreeCacheLocator, "from_function", classmethod(lambda *_: None))
    assert kernels.load().total(4) == 14
    assert not (tmp_path / "~").exists()


def test_an_interrupted_save_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def press(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "one.kernel"
    write_checked(path, IDENTITY, b"before")
    monkeypatch.setattr(os, "fsync", press)
    with pytest.raises(KeyboardInterrupt):
        write_checked(path, IDENTITY, b"after")
    assert read_checked(path, IDENTITY) == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_compilation_leaves_nothing(kernels: Kernels, monkeypatch: pytest.MonkeyPatch) -> None:
    module = kernels.load()

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module.total._compiler, "compile", press)
        with pytest.raises(KeyboardInterrupt):
            module.total(4)
    assert not kernels.files()
    assert module.total(4) == 14


def test_what_a_killed_process_has_left_is_removed(kernels: Kernels) -> None:
    assert kernels.load().total(4) == 14
    path = kernels.one("total")
    old, new = path.with_name(f"{path.name}.old.part"), path.with_name(f"{path.name}.new.part")
    for part in (old, new):
        part.write_bytes(b"half")
    os.utime(old, (0, 0))
    zeroed(path)
    assert kernels.load().total(4) == 14
    assert (old.exists(), new.exists()) == (False, True), "another process may be writing the new one"


def test_two_that_write_at_the_same_time_are_no_hindrance(tmp_path: Path) -> None:
    """A reader sees one of them, whole."""
    path = tmp_path / "one.kernel"
    payloads = [bytes([number]) * 200_000 for number in range(4)]
    with ThreadPoolExecutor(len(payloads)) as threads:
        writers = [threads.submit(write_checked, path, IDENTITY, each) for each in payloads for _ in range(5)]
        seen = [read_checked(path, IDENTITY) for _ in range(100)]
    for writer in writers:
        writer.result()
    seen.append(read_checked(path, IDENTITY))
    assert set(seen) - {None} <= set(payloads)
    assert seen[-1] is not None
    assert list(tmp_path.iterdir()) == [path]


# --- many damages -----------------------------------------------------------------------------------


def passes(path: Path) -> bool:
    try:
        read_checked(path, IDENTITY)
    except DamagedError:
        return False
    return True


def test_no_damage_passes_the_checksum(tmp_path: Path) -> None:
    payload, rng = Random(7).randbytes(3000), Random(11)  # noqa: S311 - no secret
    path = tmp_path / "one.kernel"
    for _ in range(300):
        write_checked(path, IDENTITY, payload)
        assert read_checked(path, IDENTITY) == payload
        what = damage(path, rng)
        assert not passes(path), what
    write_checked(path, IDENTITY, payload)
    with pytest.raises(DamagedError):
        read_checked(path, b"another kernel")
    for length in range(0, len(payload) + 48, 37):
        write_checked(path, IDENTITY, payload)
        os.truncate(path, length)
        with pytest.raises(DamagedError):
            read_checked(path, IDENTITY)


@pytest.mark.deep
def test_a_campaign_of_damages(kernels: Kernels, caplog: pytest.LogCaptureFixture) -> None:
    """The right number after each. The file of the inner kernel is read only when the outer one is compiled."""
    rng, is_inner_damaged = Random(2026), False  # noqa: S311 - no secret
    assert kernels.load().total(4) == 14
    for number in range(400):
        caplog.clear()
        path = rng.choice(kernels.files())
        what = damage(path, rng)
        is_outer = "_outer" in path.name
        assert kernels.load().total(4) == 14, what
        assert len(warnings(caplog)) == is_outer * (1 + is_inner_damaged), (number, what)
        is_inner_damaged = not is_outer


# --- the command ------------------------------------------------------------------------------------


def damaged(folder: Path, how: Callable[[Path], None]) -> None:
    """Damage all caches of a folder."""
    files = list(folder.rglob("*.kernel"))
    assert files
    for path in files:
        how(path)


def test_a_command_with_a_damaged_cache(backrank: Run, tmp_path: Path) -> None:
    folder, tour = tmp_path / "caches", tmp_path / "tour.npy"

    def solved(*more: str) -> tuple[int, str, bytes]:
        done = backrank("solve", "tour", "200x200", "-o", str(tour), "--force", *more, NUMBA_CACHE_DIR=str(folder))
        return done.returncode, done.stderr, tour.read_bytes()

    code, remarks, answer = solved()
    assert (code, remarks.count("\n")) == (0, 1)
    damaged(folder, flipped(-9))
    code, remarks, again = solved()
    assert (code, again, remarks.count("\n")) == (0, answer, 2)
    assert "cannot be used (its checksum does not match); it is compiled again" in remarks
    damaged(folder, zeroed)
    assert solved("-q") == (0, "", answer)


@pytest.mark.deep
@pytest.mark.parametrize("more", [(), ("--executor", "processes", "--workers", "2", "--ledger", "ledger.sqlite")])
def test_a_count_with_damaged_caches(more: tuple[str, ...], backrank: Run, tmp_path: Path) -> None:
    """One remark for a dozen kernels; also where other processes load them."""
    folder = tmp_path / "caches"

    def counted(*quiet: str) -> tuple[int, str, str]:
        again = ("--again",) if more else ()
        words = ("count", "queens", "13", *more, *again, *quiet)
        done = backrank(*words, cwd=tmp_path, NUMBA_CACHE_DIR=str(folder))
        return done.returncode, done.stdout, done.stderr

    answer = "73712 placements of 13 queens on 13x13\n"
    assert counted()[:2] == (0, answer)
    for how in (flipped(-9), zeroed, cut(100), cut(0)):
        damaged(folder, how)
        code, shown, remarks = counted()
        assert (code, shown, remarks.count("cannot be used")) == (0, answer, 1)
    damaged(folder, flipped(60))
    assert counted("-q") == (0, "73712\n", "")
    shutil.rmtree(folder)
    folder.write_bytes(b"")
    assert counted()[:2] == (0, answer), "elsewhere, or without a cache"
