"""What differs from run to run in the output of a line, and what is recorded instead. Each rule says what it is for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple


class Places(NamedTuple):
    """The folder in which a line runs, and the one where the program keeps its data."""

    work: Path
    state: Path


RULES: tuple[tuple[str, str], ...] = (
    # How long it took: at the end of a remark, at a limit, and in JSON.
    (r"(?<=, )\d+\.\d\d s$", "<seconds> s"),
    (r"(?<= calls and )\d+\.\d s(?=[,:])", "<seconds> s"),
    (r'("(?:seconds|wall|cpu)": )[\d.e-]+', r"\1<seconds>"),
    # How long a count would take here: that depends on the machine.
    (r"(?<=would take about )[\d,.]+ \w+ on \d+ threads?", "<time> on <number> threads"),
    # The version of the package.
    (r"(?<=\bbackrank )\d+\.\d+\.\d+\S*?(?=[\s,;)]|$)", "<version>"),
    (r'("(?:package|backrank)": ")\d[^"]*', r"\1<version>"),
    # When a job was begun and changed, and when a count was made.
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\dZ", "<time>"),
    (r"(?<=counted on )\d{4}-\d\d-\d\d", "<day>"),
    # The random part of the name of a file that is not yet whole.
    (r"\.[a-z0-9_]{8}\.part\b", ".<random>.part"),
)
_COMPILED = [(re.compile(pattern, re.MULTILINE), instead) for pattern, instead in RULES]
_JOB = re.compile(r'\bjob ([0-9a-f]{8,32})\b|"job": "([0-9a-f]{8,32})"|"id": "([0-9a-f]{8,32})"')


def plain(text: str, places: Places, jobs: list[str]) -> str:
    """Return a text without what differs from run to run; note the jobs that it names."""
    for match in _JOB.finditer(text):
        name = next(filter(None, match.groups()))
        if name not in jobs:
            jobs.append(name)
    for number, job in enumerate(jobs, 1):
        text = text.replace(job, "<job>" if number == 1 else f"<job {number}>")
    for path, name in ((places.work, "<work>"), (places.state, "<state>")):
        text = text.replace(str(path), name)
    for pattern, instead in _COMPILED:
        text = pattern.sub(instead, text)
    return text
