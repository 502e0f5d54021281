"""Where the command starts: so little that Ctrl-C is answered properly even while the rest is being loaded."""

from __future__ import annotations

import sys


def run() -> None:
    """Run `backrank` with the words of the command line."""
    try:
        from backrank.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("backrank: stopped\n")
        sys.exit(130)
