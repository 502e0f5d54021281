"""Whoever waits for a first compilation is told so."""

from __future__ import annotations

import logging
import sys
from typing import Any

import numba
import pytest

import backrank.runtime._jit  # noqa: F401 - it listens from then on
from backrank.cli.command import KERNELS
from backrank.cli.progress import ProgressLine


def test_compiling_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def successor(number: int) -> int:
        return number + 1

    with caplog.at_level(logging.INFO, logger=KERNELS):
        compiled: Any = numba.njit(successor)
        assert compiled(1) == 2
    assert "compiling successor" in caplog.text


@pytest.mark.parametrize("quiet", [False, True])
def test_a_terminal_is_told(quiet: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    before = list(logging.getLogger(KERNELS).handlers)
    with ProgressLine("counting", quiet=quiet):
        logging.getLogger(KERNELS).info("compiling a kernel")
    assert ("counting: compiling, once on this machine" in capfd.readouterr().err) is not quiet
    assert logging.getLogger(KERNELS).handlers == before
