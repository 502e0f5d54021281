"""The context of a piece of work: its budget, and what it reports to the server."""

from __future__ import annotations

import json
from typing import IO, Any

from backrank.runtime.budget import Budget
from backrank.runtime.progress import Progress


class WorkContext:
    """What a piece of work gets from its process: budgets that report to the server, and lines to the server."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def budget(self, seconds: float | None = None, calls: int | None = None) -> Budget:
        """Return a budget that reports to the server."""
        return Budget(seconds=seconds, calls=calls, progress=self._progress)

    def _progress(self, progress: Progress) -> None:
        fields = ("seconds", "calls", "depth", "total", "found")
        self.tell("progress", {field: getattr(progress, field) for field in fields})

    def tell(self, name: str, content: Any) -> None:
        """Write a line to the server."""
        self._out.write(json.dumps({name: content}, ensure_ascii=True, separators=(",", ":")) + "\n")
        self._out.flush()
