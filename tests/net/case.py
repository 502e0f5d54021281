"""The command lines of the net: what a line of `lines/*.txt` means.

A line is one command, or several with `&&` between them, without the word `backrank`; `< FILE` gives a command a
standard input. The files of `files/` that a line names lie in the folder in which it runs. `JOB` stands for the job
that an earlier command of the line has begun. Words that begin with a colon prepare something:

    :write FILE TEXT    write a text, with a newline at the end
    :cut FILE BYTES     cut a file off after so many bytes
    :flip FILE BYTE     change all bits of one byte
    :mkdir FOLDER       make a folder

Before the first command may stand, in brackets,

    deep       it takes long: only the deep tests replay it
    process    it is also replayed in a process of its own
    whole      files of any length are recorded as they are, not by their hash
    measured   the numbers in its output are measurements: only the words are recorded

A line that begins with # is a comment.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
LINES, FILES = HERE / "lines", HERE / "files"
_TAGS = re.compile(r"\[([a-z ]+)\]\s+")


@dataclass(frozen=True)
class Step:
    """One command, or one preparation."""

    words: tuple[str, ...]
    stdin: str | None = None


@dataclass(frozen=True)
class Case:
    """One line: how it is written, in which file of lines, and its tags."""

    text: str
    group: str
    tags: frozenset[str]

    @property
    def is_deep(self) -> bool:
        """Whether it takes long."""
        return "deep" in self.tags

    @property
    def steps(self) -> list[Step]:
        """The commands and preparations, in order."""
        steps, words, stdin = list[Step](), list[str](), None
        reader = iter([*shlex.split(self.text), "&&"])
        for word in reader:
            if word == "<":
                stdin = next(reader)
            elif word == "&&":
                steps.append(Step(tuple(words), stdin))
                words, stdin = [], None
            else:
                words.append(word)
        return steps

    @property
    def files(self) -> list[Path]:
        """The files that the line names."""
        named = {name.lstrip("@") for step in self.steps for name in (*step.words, step.stdin or "")}
        return sorted(path for path in FILES.iterdir() if path.name in named)


def cases() -> list[Case]:
    """Return all lines, in the order of their files."""
    found = list[Case]()
    for path in sorted(LINES.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            tags = _TAGS.match(line)
            text = line[tags.end() :] if tags else line
            found.append(Case(text.strip(), path.stem, frozenset(tags[1].split() if tags else ())))
    return found
