"""The recordings of the lines: a JSON file for each file of lines, one line of output in one line of it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from net.case import HERE, Case

RECORDED = HERE / "recorded"


def read() -> dict[str, dict[str, Any]]:
    """Return what is recorded, by the texts of the lines."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(RECORDED.glob("*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def write(cases: Sequence[Case], records: Mapping[str, Any]) -> None:
    """Write the recordings, in the order of the lines."""
    for group in dict.fromkeys(case.group for case in cases):
        mine = {case.text: records[case.text] for case in cases if case.group == group}
        (RECORDED / f"{group}.json").write_text(dumped(mine) + "\n", encoding="utf-8")


def dumped(record: object) -> str:
    """Return a record as it stands in a file."""
    return json.dumps(record, ensure_ascii=False, indent=1)


def difference(recorded: object, played: object) -> str:
    """Return a unified diff between two records; empty if they are equal."""
    before, after = dumped(recorded).splitlines(), dumped(played).splitlines()
    return "\n".join(difflib.unified_diff(before, after, "recorded", "now", lineterm="", n=6))
