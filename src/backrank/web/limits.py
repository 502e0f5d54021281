"""What one request, and all of them together, may cost: said once, shown by `/api/meta`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server.

    Attributes
    ----------
    watch_squares, play_squares, solve_squares, count_squares : int
        The most squares of a board, holes included, that these verbs take.
    window, levels : int
        The most events of one window, and levels of one call stack.
    watch_seconds : float
        How long a moment may be sought before the answer is to use the stream.
    stream_seconds : float
        How long one stream of a search may last.
    solve_seconds, outlook_seconds, task_seconds : float
        The most that may be asked for; the last is for everything without a limit of its own.
    workers, count_workers : int
        Processes for short work, and how many counts run at once; others wait.
    waiting_seconds : float
        How long a request waits for a worker before it is refused.
    count_jobs, kept_jobs : int
        Counts that are not finished, and finished ones that are remembered.
    count_seconds : float
        The most that a count may be asked to take at most; one without a limit runs until it is cancelled.
    body_bytes, body_seconds : int, float
        The size of a request, and how long its body may take to arrive.
    connections : int
        How many connections may be open at once; fewer if the process may not open enough files.
    head_seconds : float
        How long a connection may take until the head of a request has arrived.
    idle_seconds : int
        How long a connection may be idle after an answer.
    unread_seconds : float
        How long an answer may wait for its client to read some of it.
    requests, streams, searches : int
        How many requests, event streams, and streams of searches may be open at once.
    traces_bytes : int
        Memory for the runs that are kept to save time.
    worker_bytes : int
        Memory of a worker.
    claims, faults : int
        How many claims of a text are checked, and faults of each told.
    told_entries : int
        How many squares, numbers and holes the claims of an answer may hold together; the first claim is always told.
    """

    watch_squares: int = 10_000
    play_squares: int = 10_000
    solve_squares: int = 250_000
    count_squares: int = 10_000
    window: int = 2_000
    levels: int = 1_000
    watch_seconds: float = 2.0
    stream_seconds: float = 3_600.0
    solve_seconds: float = 30.0
    outlook_seconds: float = 10.0
    task_seconds: float = 20.0
    workers: int = 2
    count_workers: int = 2
    waiting_seconds: float = 5.0
    count_jobs: int = 32
    kept_jobs: int = 100
    count_seconds: float = 31_536_000.0
    body_bytes: int = 2 * 1024**2
    body_seconds: float = 10.0
    connections: int = 512
    head_seconds: float = 10.0
    idle_seconds: int = 30
    unread_seconds: float = 30.0
    requests: int = 200
    streams: int = 64
    searches: int = 8
    traces_bytes: int = 256 * 1024**2
    worker_bytes: int = 4 * 1024**3
    claims: int = 100
    faults: int = 1_000
    told_entries: int = 200_000
