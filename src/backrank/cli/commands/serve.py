"""`backrank serve`: the app in the browser."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from backrank.cli.interrupts import interruptible
from backrank.cli.options import LedgerOption
from backrank.cli.output import remark
from backrank.errors import BackrankError, InvalidPuzzle

if TYPE_CHECKING:
    from backrank.web.counts.keeping import Place

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
NoLedgerOption = Annotated[
    bool, typer.Option("--no-ledger", help="Keep nothing: counts that are not done end with the server.")
]


class MissingExtra(BackrankError):
    """A part of the program that has not been installed."""


def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = PORT,
    browse: OpenOption = None,
    ledger: LedgerOption = None,
    no_ledger: NoLedgerOption = False,
) -> None:
    """Open the app in the browser: watch, play, solve, count. Everything stays on this machine, and works offline.

    The address is printed on standard output; Ctrl-C or SIGTERM stops, with exit code 0. Counts are kept in the ledger,
    that of the command line: they are there again, and can go on, when the server starts again.

    Examples: backrank serve;  backrank serve --port 0 --no-open;  backrank serve --ledger counts.sqlite
    """
    if ledger is not None and no_ledger:
        raise InvalidPuzzle("--ledger says where to keep counts, and --no-ledger to keep none; choose one of the two")
    if missing := [name for name in PARTS if find_spec(name) is None]:
        them = "it" if len(missing) == 1 else "them"
        raise MissingExtra(
            f"the web app needs {' and '.join(missing)}; install {them} with: pip install 'backrank[web]'"
        )
    from backrank.web.server import opened, serve

    where = opened(host, port)
    try:
        place = None if no_ledger else _place(ledger)
    except BaseException:
        where.socket.close()
        raise
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

    with interruptible() as is_stopped:
        serve(where, started=started, place=place, is_stopped=is_stopped)
    remark("stopped")


def _place(ledger: str | None) -> Place | None:
    """Return where counts are kept; None, after a remark, if there is no such place and none was named."""
    from backrank.jobs import LedgerError, LedgerUnwritable
    from backrank.jobs.storage import is_there
    from backrank.web.counts.keeping import Place

    try:
        place = Place.of(ledger)
    except LedgerError as error:
        remark(f"{error}; counts go on, but are not kept")
        return None
    try:
        place.try_out()
    except LedgerError as error:
        if not place.named:
            remark(f"{error}; counts go on, but are not kept")
        elif isinstance(error, LedgerUnwritable) and is_there(place.path):
            remark(f"{error}; its counts are listed, and no new ones can be begun")
        else:
            raise
    return place
