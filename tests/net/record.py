"""Record what the lines of the net do: `python tests/net/record.py`.

Without options, the lines that have no recording yet; `--all`, every line; `--update WORDS`, those that contain a
text. Recordings of lines that are gone are dropped. `--times` also prints the lines that take long.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from net.case import Case, cases
from net.play import Forks, play
from net.recordings import read, write

LONG = 0.4  # seconds


def main() -> None:
    """Record the lines that are chosen by the options."""
    parser = argparse.ArgumentParser(description="Record what the lines of the net do.")
    parser.add_argument("--all", action="store_true", help="record every line anew")
    parser.add_argument("--update", metavar="WORDS", action="append", default=[], help="record lines with this in them")
    parser.add_argument("--times", action="store_true", help="print the lines that take long")
    options = parser.parse_args()
    known, all_cases = read(), cases()
    chosen = [
        case
        for case in all_cases
        if options.all or case.text not in known or any(words in case.text for words in options.update)
    ]
    records = {case.text: known[case.text] for case in all_cases if case.text in known}
    with Forks() as runner:
        for case in chosen:
            began = time.monotonic()
            records[case.text] = _played(case, runner)
            seconds = time.monotonic() - began
            if options.times and seconds > LONG and not case.is_deep:
                sys.stdout.write(f"{seconds:.1f} s: {case.text}\n")
    write(all_cases, records)
    sys.stdout.write(f"{len(chosen)} of {len(all_cases)} lines recorded\n")


def _played(case: Case, runner: Forks) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        return play(case, Path(folder).resolve(), runner)


if __name__ == "__main__":
    main()
