"""Errors as problem details (RFC 9457): the words are the command line's, type and code tell programs what it was."""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from backrank.errors import BackrankError, BudgetExceeded, UnknownName, one_line, visible
from backrank.web.sayings import with_code

MEDIA_TYPE = "application/problem+json"
# What the system says when it has no more descriptors, processes or memory to give.
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.EAGAIN)
_INNER = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SHOWN_ERRORS, _MOST_TOLD = 10, 200

# The errors that are not about what was asked for, but about what it takes.
STATUS = {
    "budget-exceeded": 504,
    "out-of-memory": 507,
    "forbidden": 403,
    "unauthorized": 401,
    "body-too-large": 413,
    "wrong-media-type": 415,
    "too-slow": 408,
    "too-many": 429,
    "busy": 503,
    "internal": 500,
    "not-found": 404,
    "method-not-allowed": 405,
    "bad-request": 400,
}
INVALID = 422
_BY_STATUS = {status: name for name, status in STATUS.items()}


class Trouble(Exception):
    """A problem that is not an error of the library, or came from another process; raised to be sent."""

    def __init__(self, problem: dict[str, Any], headers: Mapping[str, str] | None = None) -> None:
        super().__init__(problem["detail"])
        self.problem, self.headers = problem, dict(headers or {})


def trouble(name: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any) -> Trouble:
    """Return a problem to raise.

    Examples
    --------
    >>> trouble("busy", "all workers are at work; try again in a moment").problem["status"]
    503
    """
    return Trouble(problem(name, detail, **more), headers)


def problem(name: str, detail: str, **more: Any) -> dict[str, Any]:
    """Return problem details; the code is that of the sentence, or the kind of problem if it is not a known one.

    Examples
    --------
    >>> told = problem("invalid-board", "no squares")
    >>> told["type"], told["status"], told["code"]
    ('/problems/invalid-board', 422, 'invalid-board')
    >>> problem("invalid-board", "every square of the 2x2 board is a hole; leave at least one")["params"]
    {'board': '2x2'}
    """
    title = name.replace("-", " ").capitalize()
    status = STATUS.get(name, INVALID)
    detail = one_line(detail)
    told = {"type": f"/problems/{name}", "title": title, "status": status, "detail": detail}
    return {**told, **with_code(detail, name), **more}


def problem_of(error: BaseException) -> dict[str, Any]:
    """Return the problem details of an error of the library; anything else is `internal` and tells nothing.

    Examples
    --------
    >>> from backrank.errors import InvalidSquare
    >>> problem_of(InvalidSquare("z9 is not on the 8x8 board"))["type"]
    '/problems/invalid-square'
    """
    if isinstance(error, Trouble):
        return error.problem
    if isinstance(error, MemoryError):
        return problem("out-of-memory", "out of memory; choose a smaller board")
    if isinstance(error, BudgetExceeded):
        reached = {key: value for key, value in asdict(error.reached).items() if key in ("seconds", "calls", "found")}
        return problem("budget-exceeded", str(error), reached=reached)
    if isinstance(error, BackrankError):
        name = _INNER.sub("-", type(error).__name__).lower()
        more = {"known": list(error.known)} if isinstance(error, UnknownName) else {}
        return problem(name, str(error), **more)
    if isinstance(error, OSError) and error.errno in EXHAUSTED:
        return problem("busy", "the server is out of files, processes or memory; try again in a moment")
    return problem("internal", "something went wrong inside; please report what you did")


def response(
    told: Mapping[str, Any], instance: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """Return problem details as an answer."""
    content = dict(told) if instance is None else {**told, "instance": visible(instance)}
    return JSONResponse(content, told["status"], headers=dict(headers or {}), media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Make an app answer every error with problem details."""
    app.add_exception_handler(BackrankError, _library)
    app.add_exception_handler(MemoryError, _library)
    app.add_exception_handler(Trouble, _library)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _library)


def _library(request: Request, error: Exception) -> Response:
    return response(problem_of(error), request.url.path, getattr(error, "headers", None))


def _http(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    detail = str(getattr(error, "detail", error))
    name = _BY_STATUS.get(status, "bad-request")
    if name == "not-found" and detail == "Not Found":
        detail = f"there is nothing at {visible(request.url.path)}; /docs tells what there is"
    headers = getattr(error, "headers", None)
    return response({**problem(name, detail), "status": status}, request.url.path, headers)


def _invalid(request: Request, error: Exception) -> Response:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    errors = [
        {"where": visible(_where(each["loc"])), "message": one_line(str(each["msg"]), _MOST_TOLD)}
        for each in found[:_SHOWN_ERRORS]
    ]
    first = f"{errors[0]['where']}: {errors[0]['message']}" if errors else "the request cannot be read"
    return response(problem("invalid-request", first, errors=errors), request.url.path)


def _where(location: tuple[Any, ...]) -> str:
    """Return a place in a request as people write it, such as `puzzle.board`."""
    before = ("", *location)
    # Which of the two kinds of puzzle was tried is not part of the request.
    kinds = [part in ("tour", "queens") and last == "puzzle" for last, part in zip(before, location, strict=False)]
    parts = [
        str(part)
        for number, (part, is_kind) in enumerate(zip(location, kinds, strict=True))
        if not is_kind and not (number == 0 and part in ("body", "query", "path", "header"))
    ]
    return ".".join(parts) or "the body"
