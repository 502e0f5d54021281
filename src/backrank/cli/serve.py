"""`backrank serve`: the app in the browser."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import Annotated

import typer

from backrank.cli.output import remark
from backrank.errors import BackrankError

PORT = 8642
PARTS = ("fastapi", "uvicorn")

HostOption = Annotated[
    str,
    typer.Option("--host", metavar="HOST", help="Where to listen; beyond this machine, a token is asked for."),
]
PortOption = Annotated[int, typer.Option("--port", metavar="PORT", help="0 takes any that is free.")]
OpenOption = Annotated[
    bool | None,
    typer.Option(
        "--open/--no-open", help="Open a browser; if not given, only when run in a terminal.", show_default=False
    ),
]


class MissingExtra(BackrankError):
    """A part of the program that has not been installed."""


def serve(host: HostOption = "127.0.0.1", port: PortOption = PORT, browse: OpenOption = None) -> None:
    """Open the app in the browser: watch, play, solve, count. Everything stays on this machine, and works offline.

    The address is printed on standard output; Ctrl-C stops.

    Examples: backrank serve;  backrank serve --port 0 --no-open
    """
    if missing := [name for name in PARTS if find_spec(name) is None]:
        them = "it" if len(missing) == 1 else "them"
        raise MissingExtra(
            f"the web app needs {' and '.join(missing)}; install {them} with: pip install 'backrank[web]'"
        )
    from backrank.web.server import opened, serve

    where = opened(host, port)
    if where.is_public:
        remark(
            f"warning: everybody who can reach {host} can use this server, if they know the address with its token; "
            "what is sent is not encrypted"
        )
    wanted = sys.stdout.isatty() if browse is None else browse

    def started() -> None:
        sys.stdout.write(where.url + "\n")
        sys.stdout.flush()
        remark("Ctrl-C stops")
        if wanted:
            import webbrowser

            webbrowser.open(where.url)

    with suppress(KeyboardInterrupt):
        serve(where, started=started)
    remark("stopped")
