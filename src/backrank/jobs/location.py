"""Where the ledger is, if nobody says: in the folder that the system has for the data of a user's programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from backrank.jobs.errors import LedgerError

VARIABLE = "BACKRANK_LEDGER"
NAME = "ledger.sqlite"


def ledger_path(
    environment: Mapping[str, str] | None = None, platform: str = sys.platform, home: Path | None = None
) -> Path:
    """Return the path of the ledger that is used if none is named.

    `BACKRANK_LEDGER` if it is set; else `ledger.sqlite` in the folder `backrank` of `XDG_DATA_HOME` (which must be
    absolute, as its standard wants it), of `~/Library/Application Support` on macOS, of `LOCALAPPDATA` on Windows, and
    of `~/.local/share` elsewhere.

    Raises
    ------
    LedgerError
        If there is no home folder.

    Examples
    --------
    >>> ledger_path({"XDG_DATA_HOME": "/data"}, "linux").as_posix()
    '/data/backrank/ledger.sqlite'
    >>> ledger_path({"XDG_DATA_HOME": "data"}, "linux", Path("/ada")).as_posix()
    '/ada/.local/share/backrank/ledger.sqlite'
    """
    variables = os.environ if environment is None else environment
    if variables.get(VARIABLE):
        return Path(variables[VARIABLE])
    return _data_folder(variables, platform, home) / "backrank" / NAME


def is_told() -> bool:
    """Whether somebody has said by the environment where the ledger is."""
    return bool(os.environ.get(VARIABLE))


def _data_folder(variables: Mapping[str, str], platform: str, home: Path | None) -> Path:
    named = variables.get("XDG_DATA_HOME", "")
    if Path(named).is_absolute():
        return Path(named)
    if platform == "win32" and variables.get("LOCALAPPDATA"):
        return Path(variables["LOCALAPPDATA"])
    try:
        home = home or Path.home()
    except RuntimeError:
        raise LedgerError(f"there is no home folder for a ledger; name a file with --ledger or {VARIABLE}") from None
    if platform == "darwin":
        return home / "Library" / "Application Support"
    return home / "AppData" / "Local" if platform == "win32" else home / ".local" / "share"
