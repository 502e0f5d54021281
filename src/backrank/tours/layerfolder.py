"""A layer of a count, kept in a folder: so that a count that was killed goes on from there.

The folder holds one layer as a NumPy file, and a manifest in JSON that says what is counted, how far it has come, and
the checksum of all that and of the layer. Both are written under other names first and then renamed, the manifest last:
whenever the work is killed, the manifest tells of a layer that is whole. A folder that holds anything else is never
written to, and of two processes that would count there only one may.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EACCES, EAGAIN
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from backrank.errors import InvalidText
from backrank.tours.layers import Layer
from backrank.tours.slots import Net, Route
from backrank.tours.spill import FOLDER, disk_told

if sys.platform != "win32":
    import fcntl

MANIFEST = "manifest.json"
FORMAT = "backrank layer 3"
_LAYER = re.compile(r"(layer-\d+\.npy|manifest\.json)\.new|layer-\d+\.npy")
_UNFINISHED = {"layer-0.npy.new", MANIFEST + ".new"}  # what a count leaves that is killed before its first manifest
_READ = 1 << 18  # entries at a time
_RARELY = 9  # times as long at work as at keeping
_FIELDS = {"format", "key", "about", "depth", "limbs", "words", "total", "size", "file", "checksum"}


def key_of(net: Net, route: Route, modulus: int = 0) -> str:
    """Return what tells a count from others: its net, its route, and its modulus."""
    near = [[square, sorted(others)] for square, others in sorted(net.near.items())]
    told = json.dumps([near, sorted(net.given), net.free, route.order, route.mirror, modulus])
    return blake2b(told.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class LayerFolder:
    """A folder for the layers of one count.

    Attributes
    ----------
    path : Path
    key : str
        See :func:`key_of`.
    about : str
        What is counted, for people who find the folder.
    words : int
        Of a state.
    """

    path: Path
    key: str
    about: str = ""
    words: int = 1

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder, and keep other processes from counting there meanwhile.

        The system lets go of it when the process ends, however it ends. Where folders cannot be locked, nothing is.

        Raises
        ------
        InvalidText
            As for :meth:`load`; or if another process has it.
        DiskError
            If it cannot be made.
        """
        self._manifest()
        with disk_told(self.path / MANIFEST):
            self.path.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            yield
            return
        handle = os.open(self.path, os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in (EACCES, EAGAIN):
                    raise self._unusable("another process is counting there") from None
            try:
                yield
            finally:
                with suppress(OSError):  # it is not empty: what is kept there is to stay
                    self.path.rmdir()
        finally:
            os.close(handle)

    def load(self) -> Layer:
        """Return the layer that was kept last: the first one, which is kept then, if the folder is empty or not there.

        Raises
        ------
        InvalidText
            If the folder holds anything else, another count, or a damaged layer. Nothing is changed then.
        """
        manifest = self._manifest()
        if manifest is None:
            self.save(Layer.first(self.words))
            return Layer.first(self.words)
        file = self.path / str(manifest["file"])
        try:
            words = np.load(file, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            told = getattr(error, "strerror", None)
            why = told.lower() if told else "it is no whole NumPy file"
            raise self._unusable(f"its layer {file.name} cannot be read ({why})") from None
        stride = manifest["words"] + manifest["limbs"]
        if words.dtype != np.uint64 or words.ndim != 1 or words.size != manifest["size"] * stride:
            raise self._unusable(f"its layer {file.name} is not of the size that the manifest tells")
        parts = np.split(words, range(_READ * stride, words.size, _READ * stride))
        digest = _digest_of(manifest)
        for part in parts:
            digest.update(part.data)
        if digest.hexdigest() != manifest["checksum"]:
            raise self._unusable(f"its layer {file.name} or its manifest is damaged: the checksum differs")
        return Layer(manifest["depth"], parts, manifest["limbs"], int(manifest["total"]), manifest["words"])

    def save(self, layer: Layer) -> None:
        """Keep a layer, and let go of the one before.

        Raises
        ------
        InvalidText
            As for :meth:`load`.
        DiskError
            If it cannot be written.
        """
        before = self._manifest()
        with disk_told(self.path / MANIFEST):
            file = self._written(layer)
            if before is not None and before["file"] != file.name:
                (self.path / before["file"]).unlink(missing_ok=True)

    def _written(self, layer: Layer) -> Path:
        """Write a layer, and the manifest that tells of it; return the file of the layer."""
        self.path.mkdir(parents=True, exist_ok=True)
        file = self.path / f"layer-{layer.depth}.npy"
        header = {"descr": "<u8", "fortran_order": False, "shape": (len(layer) * layer.stride,)}
        manifest = {
            "format": FORMAT,
            "key": self.key,
            "about": self.about,
            "depth": layer.depth,
            "limbs": layer.limbs,
            "words": layer.words,
            "total": str(layer.total),
            "size": len(layer),
            "file": file.name,
        }
        digest = _digest_of(manifest)
        with _replacing(file) as stream:
            np.lib.format.write_array_header_1_0(stream, header)
            for part in layer.parts:
                stream.write(part.data)
                digest.update(part.data)
        with _replacing(self.path / MANIFEST) as stream:
            stream.write(json.dumps({**manifest, "checksum": digest.hexdigest()}).encode())
        return file

    def clear(self) -> None:
        """Remove what was kept, and the folder if nothing else is in it."""
        if self._manifest() is not None:
            (self.path / MANIFEST).unlink()
            for file in list(self.path.iterdir()):  # those of counts that were killed while they kept a layer as well
                if _LAYER.fullmatch(file.name):
                    file.unlink(missing_ok=True)
        if self.path.is_dir() and not any(self.path.iterdir()):
            self.path.rmdir()

    def keeper(self, *, seconds: float = 60.0) -> Callable[[Layer], None]:
        """Return what keeps a layer now and then: to be handed to a count as `watch`.

        Layers are kept when so many seconds have passed, and no more than a tenth of the time is spent on it.
        """
        due = time.monotonic() + seconds

        def watch(layer: Layer) -> None:
            nonlocal due
            began = time.monotonic()
            if began >= due:
                self.save(layer)
                ended = time.monotonic()
                due = ended + max(seconds, _RARELY * (ended - began))

        return watch

    def _manifest(self) -> dict[str, Any] | None:
        """Return the manifest, checked; None if there is nothing."""
        path = self.path / MANIFEST
        try:
            if not path.exists():
                self._require_nothing()
                return None
            manifest = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise self._unusable(f"it cannot be read ({(error.strerror or str(error)).lower()})") from None
        except (UnicodeDecodeError, json.JSONDecodeError):
            raise self._unusable("its manifest cannot be read (it is no JSON)") from None
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise self._unusable("its manifest is not that of a count")
        if not _is_sound(manifest):
            raise self._unusable("its manifest is damaged")
        if manifest["key"] != self.key:
            raise self._unusable(f"it belongs to another count ({manifest['about'] or 'of an unknown board'})")
        return manifest

    def _require_nothing(self) -> None:
        """Refuse a folder with anything in it that no count has left there."""
        if self.path.exists() and not self.path.is_dir():
            raise self._unusable("it is a file, not a folder")
        if self.path.exists() and not all(map(_is_left_over, self.path.iterdir())):
            raise self._unusable("it is not empty, and has no manifest of a count")

    def _unusable(self, why: str) -> InvalidText:
        return InvalidText(f"the work folder {self.path} is left alone: {why}; choose another folder, or an empty one")


def _is_sound(manifest: dict[str, Any]) -> bool:
    """Whether a manifest has all its fields, each of its kind."""
    if manifest.keys() != _FIELDS or not str(manifest["total"]).isdecimal():
        return False
    numbers = (manifest["depth"], manifest["limbs"], manifest["words"], manifest["size"])
    texts = (manifest["key"], manifest["about"], manifest["file"], manifest["checksum"])
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        return False
    return all(isinstance(text, str) for text in texts) and manifest["file"] == f"layer-{manifest['depth']}.npy"


def _is_left_over(path: Path) -> bool:
    """Whether something is what a count leaves that is killed when nothing is kept yet."""
    if path.name == FOLDER and path.is_dir():
        return all(re.fullmatch(r"run-\d+\.npy", file.name) for file in path.iterdir())
    return path.name in _UNFINISHED


def _digest_of(manifest: dict[str, Any]) -> blake2b:
    """Return the beginning of a checksum: that of what a manifest tells, to which the layer is to be added."""
    told = {name: value for name, value in sorted(manifest.items()) if name != "checksum"}
    return blake2b(json.dumps(told).encode(), digest_size=16)


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """Write a file under another name, and give it its own when it is whole."""
    beside = path.with_name(path.name + ".new")
    try:
        with beside.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
