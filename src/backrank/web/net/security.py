"""The door: who may ask, how much at a time, and what a browser may do with the answers.

A server on 127.0.0.1 can be reached by every page that the browser shows. A page from elsewhere is told by its Origin,
or by what the browser says about its site; one that has made its own name point to 127.0.0.1 (DNS
rebinding) is told by the Host. Beyond loopback there is a token besides: it comes once, in the address that the server
printed, and is a cookie from then on.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backrank.web import problems
from backrank.web.limits import Limits
from backrank.web.problems import Trouble, trouble

LOOPBACK = ("127.0.0.1", "localhost", "::1")
# The key of a scope under which the server finds whether the request was let in.
ADMITTED = "backrank.admitted"
COOKIE = "backrank_token"
COOKIE_SECONDS = 7 * 24 * 3600
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask.

    Attributes
    ----------
    hosts : tuple of str
        The names by which the server may be called, besides addresses if there is a token; without a port.
    token : str, optional
        What every request must bring along, as a cookie or as `Authorization: Bearer`.

    Examples
    --------
    >>> Access().allows_host("localhost:8000"), Access().allows_host("evil.example")
    (True, False)
    >>> Access(token="t").allows_host("192.168.1.5:8000")
    True
    """

    hosts: tuple[str, ...] = LOOPBACK
    token: str | None = None

    def allows_host(self, host: str) -> bool:
        """Whether this is one of the names of the server; any port, since a tunnel may change it."""
        name = host_name(host)
        return name in self.hosts or (self.token is not None and _is_address(name))


def host_name(host: str) -> str:
    """Return the name in a Host header, without its port.

    Examples
    --------
    >>> host_name("LOCALHOST:80"), host_name("[::1]:8000"), host_name("[::1")
    ('localhost', '::1', '')
    """
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        return name.lower() if bracket and (not port or port[1:].isdecimal()) else ""
    name, _, port = host.partition(":")
    return name.lower() if not port or port.isdecimal() else ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Door:
    """The outermost layer of the app: looks at a request before anything else does."""

    def __init__(self, app: ASGIApp, access: Access, limits: Limits) -> None:
        self._app, self._access, self._limits = app, access, limits
        self._inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        send = _guarded(send, is_private=scope["path"].startswith("/api/"))
        try:
            early = self._checked(scope)
            scope[ADMITTED] = early is None
            body = None if early else await self._body(scope, receive)
        except Trouble as error:
            early, body = problems.response(error.problem, scope["path"], error.headers), None
        except ClientDisconnect:
            return
        if early is not None:
            await early(scope, receive, send)
            return
        self._inside += 1
        try:
            await self._app(scope, _replayed(body, receive), send)
        finally:
            self._inside -= 1

    def _checked(self, scope: Scope) -> Response | None:
        """Return an answer instead of the app's, if there is one; refuse who may not ask."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._access.allows_host(hosts[0]):
            raise trouble("forbidden", "this server is not called so; use the address that it printed")
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"{scope['scheme']}://{hosts[0]}".lower():
            raise trouble("forbidden", "pages from elsewhere may not ask this server")
        site = headers.get("sec-fetch-site", "none")
        is_link = headers.get("sec-fetch-mode") == "navigate" and scope["method"] == "GET"
        if site not in ("none", "same-origin") and not (is_link and not scope["path"].startswith("/api/")):
            raise trouble("forbidden", "pages from elsewhere may not ask this server")
        if self._access.token is not None and (answer := self._identified(scope, headers)) is not None:
            return answer
        if self._inside >= self._limits.requests:
            raise trouble("busy", "too many requests at once; try again in a moment", {"Retry-After": "2"})
        return None

    def _identified(self, scope: Scope, headers: Headers) -> Response | None:
        """Return None if the request brings the token along; take it from the address into a cookie."""
        token = self._access.token or ""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = [bearer.strip()] if scheme.lower() == "bearer" else []
        if any(_same(each, token) for each in (*given, *_cookies(headers.getlist("cookie")))):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if any(_same(each, token) for each in query.pop("token", [])) and scope["method"] in ("GET", "HEAD"):
            rest = urlencode(query, doseq=True)
            answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="strict")
            return answer
        raise trouble(
            "unauthorized",
            "a token is needed; open the address that the server printed, with ?token=... in it",
            {"WWW-Authenticate": "Bearer"},
        )

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the whole body, if a request of this kind may have one."""
        headers, most = Headers(scope=scope), self._limits.body_bytes
        told = headers.get("content-length", "0")
        if not told.isdecimal() or int(told[:18]) > most:
            raise _too_large(most)
        if told == "0" and "transfer-encoding" not in headers:
            return None
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and kind != "application/json":
            raise trouble("wrong-media-type", "send JSON, with the header Content-Type: application/json")
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise ClientDisconnect
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise _too_large(most)
                    if not message.get("more_body"):
                        return bytes(body)
        except TimeoutError:
            raise trouble("too-slow", f"the request did not arrive within {self._limits.body_seconds:g} s") from None


def _too_large(most: int) -> Trouble:
    return trouble("body-too-large", f"a request may have {most // 1024**2} MiB; send less at a time")


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def _cookies(headers: Iterable[str]) -> list[str]:
    found = []
    for header in headers:
        try:
            cookie = SimpleCookie(header).get(COOKIE)
        except CookieError:
            continue
        if cookie is not None:
            found.append(cookie.value)
    return found


def _replayed(body: bytes | None, receive: Receive) -> Receive:
    """Return what hands the app the body that has been read, and then what comes after it."""
    if body is None:
        return receive
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _guarded(send: Send, *, is_private: bool) -> Send:
    """Return what adds the headers that every answer has."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if is_private:
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return guarded
