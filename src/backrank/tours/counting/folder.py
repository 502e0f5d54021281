"""A layer of a count, kept in a folder, so that a count that was killed goes on from there.

The folder holds a manifest in JSON and, except at the beginning and at the end, one layer as a NumPy file. The manifest
says what is counted, how far it has come, the checksum of each segment of the layer, and its own checksum. The order of
what is done makes every instant of a kill or of a power cut a good one:

| step | in the folder, when it is done |
|---|---|
| begin | a manifest that needs no layer: nothing has been counted |
| keep a layer | the layer; then a manifest that names it; then the layer before is removed |
| finish | a manifest that holds the answer; then the layer is removed |
| clear | nothing: the manifest is the last file to go |

Each file is written under another name, synced, and renamed (:mod:`backrank.runtime.durable`). So there is never a
layer without a manifest, and whatever the manifest names is whole. A folder that holds anything else is never written
to, and of two processes that would count there only one may.
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
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from backrank.errors import InvalidText
from backrank.runtime import durable
from backrank.tours.counting.layers import Layer
from backrank.tours.counting.spill import FOLDER, is_run
from backrank.tours.frontier.segments import DamagedFile, DiskError, Recounted, Segment, SegmentFile, disk_named
from backrank.tours.frontier.transitions import Net, Route

if sys.platform != "win32":
    import fcntl

MANIFEST = "manifest.json"
FORMAT = "backrank layer 4"
_FORMATS = re.compile(r"backrank layer \d+")
_LAYER = re.compile(r"layer-\d+\.npy(\.new)?")
_UNFINISHED = {
    MANIFEST + durable.SUFFIX,
    "layer-0.npy.new",
}  # what a count leaves that is killed before its first manifest
_RARELY = 9  # times as long at work as at keeping
_FIELDS = {"format", "key", "about", "depth", "limbs", "words", "total", "size", "segments", "answer", "checksum"}
_NUMBERS = ("depth", "limbs", "words", "size")
_TEXTS = ("key", "about", "checksum")


def key_of(net: Net, route: Route, modulus: int = 0) -> str:
    """Return what tells a count from others: a digest of its net, its route, and its modulus."""
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
        """Make the folder, and lock it against other processes while the block runs.

        The lock ends with the process, however it ends. Where folders cannot be locked (Windows), there is none.

        Raises
        ------
        InvalidText
            As for :meth:`load`; or if another process has locked it.
        DiskError
            If it cannot be made.
        """
        self._manifest()
        with disk_named(self.path / MANIFEST):
            durable.make_folder(self.path)
        if sys.platform == "win32":
            yield
            return
        handle = os.open(self.path, os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in (EACCES, EAGAIN):
                    raise _unusable(self.path, "another process is counting there") from None
            try:
                yield
            finally:
                with suppress(OSError):  # it is not empty: what is kept there is to stay
                    self.path.rmdir()
        finally:
            os.close(handle)

    def answer(self) -> int | None:
        """Return the answer of the count, if it is finished."""
        manifest = self._manifest()
        return None if manifest is None or manifest["answer"] is None else int(manifest["answer"])

    def load(self) -> Layer:
        """Return the layer that was kept last: the first one, which is kept then, if the folder is empty or not there.

        The layer is read from its file as it is used, and compared with its checksums once more.

        Raises
        ------
        InvalidText
            If the folder holds anything else, another count, or a damaged layer. Nothing is changed then.
        """
        manifest = self._manifest()
        if manifest is None:
            self._write(_manifest_of(Layer.first(self.words), []))
        if manifest is None or not manifest["segments"]:
            return Layer.first(self.words)
        file = self._file(manifest)
        layer = Layer(manifest["depth"], file, manifest["limbs"], int(manifest["total"]), manifest["words"])
        recounted = Recounted(file, layer.words)
        try:
            for _ in recounted:
                pass
            recounted.require(len(layer), layer.total)
        except DamagedFile as error:
            raise _unusable(self.path, f"its layer {file.path.name} is damaged: {error.why}") from None
        return layer

    def save(self, layer: Layer) -> None:
        """Keep a layer, and remove the one before.

        Raises
        ------
        InvalidText
            As for :meth:`load`.
        DiskError
            If it cannot be written.
        """
        before = self._manifest()
        if before is not None and before["depth"] == layer.depth and before["answer"] is None:
            return  # it is there already
        with disk_named(self.path / MANIFEST):
            if before is None or not layer.depth:
                self._write(_manifest_of(Layer.first(self.words), []))
            if layer.depth:
                self._write(_manifest_of(layer, self._written(layer)))
            self._remove_layers_but(layer.depth)

    def _written(self, layer: Layer) -> list[Segment]:
        """Write the file of a layer; return its segments."""
        segments = []
        with durable.replacing(self._layer_path(layer.depth)) as stream:
            stream.write(_header(len(layer) * layer.stride))
            for part in layer.parts:
                stream.write(part.data)
                segments.append(Segment.of(part))
        return segments

    def finish(self, answer: int) -> None:
        """Keep the answer of the count in place of its last layer.

        Raises
        ------
        DiskError
            If it cannot be written.
        """
        with disk_named(self.path / MANIFEST):
            self._write({**_manifest_of(Layer.first(self.words), []), "answer": str(answer)})
            self._remove_layers_but(None)

    def clear(self) -> None:
        """Remove what was kept, and the folder if nothing else is in it."""
        manifest = self._manifest()
        if manifest is not None:
            with disk_named(self.path / MANIFEST):
                if manifest["segments"]:
                    self._write(_manifest_of(Layer.first(self.words), []))
                self._remove_layers_but(None)
                durable.remove([self.path / (MANIFEST + durable.SUFFIX), self.path / MANIFEST])
        with suppress(OSError):  # something else is in it, or another process has removed it
            self.path.rmdir()

    def keeper(self, *, seconds: float = 60.0) -> Callable[[Layer], None]:
        """Return a function that keeps a layer now and then: to be handed to a count as `watch`.

        Layers are kept when `seconds` have passed, and no more than a tenth of the time is spent on it.
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

    # --- files -------------------------------------------------------------------------------------

    def _layer_path(self, depth: int) -> Path:
        return self.path / f"layer-{depth}.npy"

    def _file(self, manifest: dict[str, Any]) -> SegmentFile:
        """Return the file of the layer that a manifest names."""
        stride, segments = manifest["words"] + manifest["limbs"], [Segment(*each) for each in manifest["segments"]]
        start = len(_header(manifest["size"] * stride))
        return SegmentFile(self._layer_path(manifest["depth"]), stride, segments, start=start)

    def _remove_layers_but(self, depth: int | None) -> None:
        """Remove all layers but one: those before, and those of counts that were killed while they kept a layer."""
        kept = None if depth is None else self._layer_path(depth).name
        others = [each for each in self.path.iterdir() if _LAYER.fullmatch(each.name) and each.name != kept]
        durable.remove(others)

    def _write(self, manifest: dict[str, Any]) -> None:
        """Write the manifest, in place of the one before."""
        told = {"format": FORMAT, "key": self.key, "about": self.about, **manifest}
        with disk_named(self.path / MANIFEST):
            durable.make_folder(self.path)
            with durable.replacing(self.path / MANIFEST) as stream:
                stream.write(json.dumps({**told, "checksum": _checksum(told)}).encode())

    def _manifest(self) -> dict[str, Any] | None:
        """Return the manifest, checked; None if there is nothing."""
        manifest = _read_manifest(self.path)
        if manifest is not None and manifest["key"] != self.key:
            raise _unusable(self.path, f"it belongs to another count ({manifest['about'] or 'of an unknown board'})")
        return manifest


def release(path: Path) -> None:
    """Remove the answer that a finished count has left in a work folder, and the folder if nothing else is in it.

    A folder without a finished count is left as it is, and so is one on a disk that cannot be written to.
    """
    with suppress(InvalidText, DiskError):
        manifest = _read_manifest(path)
        if manifest is not None and manifest["answer"] is not None:
            LayerFolder(path, manifest["key"], manifest["about"], manifest["words"]).clear()


def _read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest in a folder, if it is whole; None if there is no folder, or nothing in it.

    Raises
    ------
    InvalidText
        If anything else is there.
    """
    path = folder / MANIFEST
    try:
        if not path.exists():
            _require_nothing(folder)
            return None
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _unusable(folder, f"it cannot be read ({(error.strerror or str(error)).lower()})") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise _unusable(folder, "its manifest cannot be read (it is not JSON)") from None
    if not isinstance(manifest, dict) or not _FORMATS.fullmatch(str(manifest.get("format"))):
        raise _unusable(folder, "its manifest is not that of a count")
    if manifest["format"] != FORMAT:
        raise _unusable(folder, f"another version of backrank has written it ({manifest['format']}; this is {FORMAT})")
    if not _is_sound(manifest):
        raise _unusable(folder, "its manifest is damaged")
    return manifest


def _require_nothing(folder: Path) -> None:
    """Raise InvalidText if a folder holds anything that no count has left there."""
    if folder.exists() and not folder.is_dir():
        raise _unusable(folder, "it is a file, not a folder")
    if folder.exists() and not all(map(_is_left_over, folder.iterdir())):
        raise _unusable(folder, "it is not empty, and has no manifest of a count")


def _unusable(folder: Path, why: str) -> InvalidText:
    return InvalidText(f"the work folder {folder} is left alone: {why}; choose another folder, or an empty one")


def _manifest_of(layer: Layer, segments: list[Segment]) -> dict[str, Any]:
    """Return what the manifest says of a layer."""
    return {
        "depth": layer.depth,
        "limbs": layer.limbs,
        "words": layer.words,
        "total": str(layer.total),
        "size": len(layer),
        "segments": [[segment.words, segment.checksum] for segment in segments],
        "answer": None,
    }


def _is_sound(manifest: dict[str, Any]) -> bool:
    """Whether a manifest has all its fields, each of its kind, and its own checksum."""
    if manifest.keys() != _FIELDS or manifest["checksum"] != _checksum(manifest):
        return False
    numbers, texts = [manifest[name] for name in _NUMBERS], [manifest[name] for name in _TEXTS]
    if not all(type(number) is int and number >= 0 for number in numbers):
        return False
    if not all(isinstance(text, str) for text in texts) or not _is_decimal(manifest["total"]):
        return False
    if manifest["answer"] is not None and not _is_decimal(manifest["answer"]):
        return False
    segments = manifest["segments"]
    if not isinstance(segments, list) or not all(map(_is_segment, segments)):
        return False
    return not segments or sum(words for words, _ in segments) == manifest["size"] * (
        manifest["words"] + manifest["limbs"]
    )


def _is_segment(each: object) -> bool:
    return isinstance(each, list) and [type(field) for field in each] == [int, str] and each[0] >= 0


def _is_decimal(text: object) -> bool:
    return isinstance(text, str) and text.isascii() and text.isdecimal()


def _is_left_over(path: Path) -> bool:
    """Whether a file or folder is what a count leaves that is killed when nothing is kept yet."""
    if path.name == FOLDER and path.is_dir():
        return all(map(is_run, path.iterdir()))
    return path.name in _UNFINISHED


def _checksum(manifest: dict[str, Any]) -> str:
    """Return the checksum of all that a manifest says."""
    told = {name: value for name, value in sorted(manifest.items()) if name != "checksum"}
    return blake2b(json.dumps(told).encode(), digest_size=16).hexdigest()


def _header(words: int) -> bytes:
    """Return the header of a NumPy file with `words` words."""
    stream = BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<u8", "fortran_order": False, "shape": (words,)})
    return stream.getvalue()
