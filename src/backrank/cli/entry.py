"""Where the command starts: so little that Ctrl-C is answered properly even while the rest is being loaded."""

from __future__ import annotations

import sys
from contextlib import suppress

from backrank.cli.interrupts import INTERRUPTED, Interrupts, leave


def run() -> None:
    """Run `backrank` with the words of the command line."""
    interrupts = Interrupts.installed()
    code = INTERRUPTED
    try:
        interrupts.release()
        from backrank.cli.main import main

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        with suppress(OSError):
            sys.stderr.write("backrank: stopped\n")
    interrupts.hold()
    leave(interrupts.code if code == INTERRUPTED else code, at_work=interrupts.first is not None)
