"""An address at which something other than a Dask scheduler listens is told in one line, soon, whatever it is."""

from __future__ import annotations

import re
import ssl
import threading
import time
import tracemalloc
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import distributed  # noqa: F401 - not while memory is measured
import pytest

import listeners
from backrank.jobs import Cluster, NoScheduler
from backrank.jobs.executors.handshake import require_scheduler
from listeners import listening

SECONDS = 1.0
REMEDY = r"; start one with 'dask scheduler', and give the address that it prints$"

KINDS: dict[str, tuple[Callable[[], AbstractContextManager[str]], str]] = {
    "refused": (lambda: nullcontext(listeners.unused()), r"no scheduler answers at .*\(connection refused\)" + REMEDY),
    "silent": (lambda: listening(listeners.SILENT), r"accepts connections and sends nothing\)" + REMEDY),
    "full queue": (listeners.full, r"no scheduler answers at .*" + REMEDY),
    "closes": (lambda: listening(b"", closes=True), r"closes connections at once\)" + REMEDY),
    "ssh": (lambda: listening(listeners.SSH), r"does not speak Dask's protocol \(it sent 'SSH-2\.0-OpenSSH_9\.2p1"),
    "short": (lambda: listening(b"220 x"), r"does not speak Dask's protocol \(it sent '220 x'\)" + REMEDY),
    "web": (
        lambda: listening(b"", answer=listeners.BAD_REQUEST),
        r"a web server answers at .* \('HTTP/1\.0 400 Bad request'\), not a scheduler; .*dashboard$",
    ),
    "web that speaks first": (lambda: listening(listeners.BAD_REQUEST, closes=True), "a web server answers at"),
    "huge": (lambda: listening(listeners.HUGE), r"does not speak Dask's protocol \(it sent bytes 00 00 00 00 00 01"),
    "small": (lambda: listening(listeners.SMALL), "does not speak Dask's protocol"),
    "random": (lambda: listening(listeners.RANDOM, closes=True), r"\(it sent bytes 9c 1f 3a d2 77 8e 01 b4\)"),
    "endless": (lambda: listening(b"\x30\0\0\0\0\0\0\0" + b"\xff" * 10_000), "does not speak Dask's protocol"),
    "TLS": (lambda: listening(b"", answer=b"\x15\x03\x03\0\2\2\x32"), r"speaks TLS; write tls://127\.0\.0\.1:\d+$"),
    "no such host": (lambda: nullcontext("tcp://no-such-host.invalid:8786"), r"host 'no-such-host\.invalid' of .* is"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_listens_instead_of_a_scheduler_is_told(kind: str) -> None:
    made, told = KINDS[kind]
    with made() as address:
        threads, began = threading.active_count(), time.monotonic()
        tracemalloc.start()
        with pytest.raises(NoScheduler, match=told) as caught:
            Cluster.connect(address, answer_seconds=SECONDS)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert time.monotonic() - began < 10
        assert peak < 50 << 20
        assert threading.active_count() <= threads + 1, "only the listener's thread for this connection"
    assert "\n" not in str(caught.value)
    assert address.rpartition("/")[2] in str(caught.value)


def test_tls_against_a_listener_without_it() -> None:
    context = ssl.create_default_context()
    for listener in (listening(listeners.SSH), listening(b""), listening(b"", closes=True)):
        with listener as address, pytest.raises(NoScheduler, match=r"no TLS connection to .*write tcp://127") as caught:
            require_scheduler(re.sub("tcp", "tls", address), SECONDS, context)
        assert "\n" not in str(caught.value)
