"""Who is right: answers are compared with the published value, or, where there is none, with each other.

A wrong answer has no time. Where nothing is published, the answer that most give is taken for right; if two are given
by equally many, nobody is: all of them are marked, for somebody to look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from backrank.arena.cases import Series
from backrank.arena.timing import DONE, WRONG, Timing
from backrank.published.values import published_values


def judged(timings: Iterable[Timing], series: Sequence[Series]) -> tuple[Timing, ...]:
    """Return the timings with wrong answers marked as such.

    Examples
    --------
    >>> from backrank.arena.cases import read_series
    >>> entries = [Timing("queens-count", "8", 8, name, answer=answer) for name, answer in (("a", "92"), ("b", "93"))]
    >>> [(timing.status, timing.note) for timing in judged(entries, read_series(["queens-count"]))]
    [('done', ''), ('wrong', '93, but 92 is published')]
    """
    timings = tuple(timings)
    known = {each.name: published_values(each.published) if each.published else {} for each in series}
    given: dict[tuple[str, str], list[str]] = {}
    for timing in timings:
        if timing.status in (DONE, WRONG):
            given.setdefault((timing.series, timing.case), []).append(timing.answer)
    right = {key: _right(answers, known.get(key[0], {}).get(key[1])) for key, answers in given.items()}
    return tuple(_marked(timing, right) for timing in timings)


Verdict = tuple[str | None, str]
"""The right answer, or None if nobody knows, and why it is right."""


def _right(answers: list[str], published: int | None) -> Verdict:
    if published is not None:
        return str(published), "is published"
    votes = Counter(answers).most_common()
    if len(votes) > 1 and votes[0][1] == votes[1][1]:
        return None, ""
    return votes[0][0], "is what the others say"


def _marked(timing: Timing, right: Mapping[tuple[str, str], Verdict]) -> Timing:
    if timing.status not in (DONE, WRONG):
        return timing
    answer, why = right[timing.series, timing.case]
    # The first words of a list are its length, which is what is published of it.
    is_right = answer is not None and (timing.answer == answer or timing.answer.partition(",")[0] == answer)
    if timing.answer.startswith("not valid"):
        return replace(timing, status=WRONG, note=timing.answer)
    if is_right:
        return replace(timing, status=DONE, note="")
    told = f"{timing.answer}, but {answer} {why}" if answer is not None else f"{timing.answer}; others disagree"
    return replace(timing, status=WRONG, note=told)
