"""The files of the page: read from the package, wherever it is installed, and from nowhere else.

What draws boards, `/static/board/`, belongs to `backrank.render`, whose exported pages carry the same modules.
"""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import APIRouter, Request
from fastapi.responses import Response

from backrank.web.problems import trouble

router = APIRouter(include_in_schema=False)

_PART = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
_DEEPEST = 8
SHARED = "board"
_UTF8 = "; charset=utf-8"
TYPES = {
    "html": f"text/html{_UTF8}",
    "css": f"text/css{_UTF8}",
    "js": f"text/javascript{_UTF8}",
    "mjs": f"text/javascript{_UTF8}",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
    "webmanifest": "application/manifest+json",
    "txt": f"text/plain{_UTF8}",
}


def root(folder: str) -> Traversable:
    """Return the folder in which a folder of the page is: `board` is shared with exported pages."""
    return files("backrank.render" if folder == SHARED else "backrank.web").joinpath("static")


def found(path: str) -> Traversable | None:
    """Return a file of the page by its path below `/static/`, or None.

    A path consists of plain names: no `..`, no hidden files, nothing that a file system could take for something else.

    Examples
    --------
    >>> found("../security.py") is None, found("/etc/passwd") is None
    (True, True)
    """
    parts = path.split("/")
    if len(parts) > _DEEPEST or not all(map(_PART.fullmatch, parts)) or parts[-1].rpartition(".")[2] not in TYPES:
        return None
    file = root(parts[0])
    for part in parts:
        file = file.joinpath(part)
    return file if file.is_file() else None


@router.api_route("/", methods=["GET", "HEAD"])
def index(request: Request) -> Response:
    """Return the page."""
    return _sent("index.html", request)


@router.api_route("/favicon.ico", methods=["GET", "HEAD"])
def icon(request: Request) -> Response:
    """Return the icon, which browsers ask for under this name."""
    return _sent("favicon.ico" if found("favicon.ico") else "favicon.svg", request)


@router.api_route("/static/{path:path}", methods=["GET", "HEAD"])
def static(path: str, request: Request) -> Response:
    """Return a file of the page."""
    return _sent(path, request)


def _sent(path: str, request: Request) -> Response:
    file = found(path)
    if file is None:
        raise trouble("not-found", f"there is nothing at {request.url.path}")
    return tagged(file.read_bytes(), TYPES[path.rpartition(".")[2]], request)


def tagged(data: bytes, media_type: str, request: Request) -> Response:
    """Return a file with its tag; only the tag if the browser has the file already."""
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=media_type, headers=headers)
