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
    (r"(?<=, )\d+\.\d{1,2} s$", "<seconds> s"),
    (r"(?<=^work: )\d+\.\d s(?=,)", "<seconds> s"),
    (r"(?<= calls and )\d+\.\d s(?=[,:])", "<seconds> s"),
    (r'("(?:seconds|wall|cpu)": )[\d.e-]+', r"\1<seconds>"),
    # The same in the tables of compare, and in its CSV.
    (r"^(\S+ +\d+ of \d+ .* )\d+\.\d\d$", r"\1<seconds>"),
    (r"^(\S+,\S+,[01],[01],\d+,\d+,)\d+\.\d{6}$", r"\1<seconds>"),
    # How long a count would take here: that depends on the machine.
    (r"(?<=would take about )[\d,.]+ \w+ on \d+ threads?", "<time> on <number> threads"),
    # The version of the package.
    (r"(?<=\bbackrank )\d+\.\d+\.\d+\S*?(?=[\s,;)]|$)", "<version>"),
    (r'("(?:package|backrank)": ")\d[^"]*', r"\1<version>"),
    # When a job was begun and changed, and when a count was made.
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\dZ", "<time>"),
    (r"(?<=counted on )\d{4}-\d\d-\d\d", "<day>"),
    # Who did the units of a job: the machine and the process.
    (r"(?<=; units by )\S+:\d+(?= )", "<worker>"),
    (r'(?<="workers": \{")[^":]+:\d+(?=": )', "<worker>"),
    # The random part of the name of a file that is not yet whole.
    (r"\.[a-z0-9_]{8}\.part\b", ".<random>.part"),
)
_COMPILED = [(re.compile(pattern, re.MULTILINE), instead) for pattern, instead in RULES]
_NUMBER = re.compile(r"\d[\d.,]*(?: (?:ns|µs|ms|s|min|kB|MB|GB))?(?![\d\w])")
_MACHINE = re.compile(r"(?<= on )[^,\n]+, \d+ cores?, .*")


def plain(text: str, places: Places) -> str:
    """Return a text without what differs from run to run."""
    for path, name in ((places.work, "<work>"), (places.state, "<state>")):
        text = text.replace(str(path), name)
    for pattern, instead in _COMPILED:
        text = pattern.sub(instead, text)
    return text


def words_of(text: str) -> str:
    """Return what a text of measurements says without its numbers, the name of the machine, and its layout."""
    return re.sub(" +", " ", _NUMBER.sub("<number>", _MACHINE.sub("<machine>", text)))
