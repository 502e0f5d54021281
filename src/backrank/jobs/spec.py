"""What a job is: which number is wanted, how it is counted, and into how many units it has been cut.

A specification is plain data that fits into a line of JSON. Any process that has this package can make the same units
of it, so a worker is sent the specification and the number of a unit, and nothing else. What identifies a count is its
:attr:`JobSpec.key`: the puzzle, the number, the method and the version of the algorithm, but not how it was cut.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from typing import Any, Literal

from backrank.errors import InvalidText

Kind = Literal["queens", "tours"]

PRIME = 2**61 - 1  # results are recorded together with their residue modulo this
# Raised whenever the units of a method change in what they mean: recorded ones can then no longer be added to new ones.
ALGORITHMS = {"columnsets": 1, "tails": 1, "rows": 1, "layers": 1}
MOST = 1 << 62
MOST_UNITS = 1_000_000


def _is_natural(part: object) -> bool:
    return type(part) is int and 0 <= part <= MOST


def _are_naturals(part: object) -> bool:
    return isinstance(part, list) and all(_is_natural(each) for each in part)


def _is_text(part: object) -> bool:
    return isinstance(part, str)


def _is_bool(part: object) -> bool:
    return isinstance(part, bool)


def _are_steps(part: object) -> bool:
    return isinstance(part, list) and all(
        isinstance(step, list) and len(step) == 2 and all(type(each) is int for each in step) for step in part
    )


def _or_none(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda part: part is None or fits(part)


_BOARD: dict[str, Callable[[object], bool]] = {
    "rows": _is_natural,
    "cols": _is_natural,
    "holes": _are_naturals,
    "wrap": _is_text,
    "piece": _is_text,
}
# What the puzzle of a job is made of, for each kind.
_ASKED = {
    "queens": {
        **_BOARD,
        "queens": _is_natural,
        "placed": _are_naturals,
        "symmetry": _or_none(_is_text),
        "up_to_symmetry": _is_bool,
    },
    "tours": {
        **_BOARD,
        "steps": _are_steps,
        "closed": _is_bool,
        "start": _or_none(_is_natural),
        "end": _or_none(_is_natural),
        "directed": _is_bool,
        "order": _are_naturals,
        "mirror": _or_none(_are_naturals),
    },
}


@dataclass(frozen=True, slots=True)
class JobSpec:
    """A count, cut into units.

    Attributes
    ----------
    kind : {"queens", "tours"}
    what : str
        What is counted, in words: a number and these make a sentence.
    asked : mapping
        The puzzle, and which number of it: JSON.
    method : str
    algorithm : int
        The version of the method.
    units : int
        How many units there are, numbered from 0.
    parts : int
        Into how many parts a search row by row was asked to be cut; every unit has some of them. 0 if it is not cut.
    divisor : int
        The answer is the sum of the results of all units, divided by this. (Tours: that of the last unit.)
    """

    kind: Kind
    what: str
    asked: Mapping[str, Any]
    method: str
    algorithm: int
    units: int
    parts: int = 0
    divisor: int = 1

    @property
    def key(self) -> str:
        """What tells this count from others, however it is cut.

        Examples
        --------
        >>> one = JobSpec("queens", "", {"rows": 8}, "columnsets", 1, units=10)
        >>> two = JobSpec("queens", "", {"rows": 8}, "columnsets", 1, units=99)
        >>> one.key == two.key, one.key == JobSpec("queens", "", {"rows": 9}, "columnsets", 1, units=10).key
        (True, False)
        """
        return digest(canonical([self.kind, self.asked, self.method, self.algorithm]))

    def to_json(self) -> str:
        """Return it as one line of JSON, the same for equal specifications."""
        return canonical(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> JobSpec:
        """Return what :meth:`to_json` wrote down.

        Raises
        ------
        InvalidText
            If it is anything else.
        """
        try:
            data = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            raise InvalidText("the specification of a job is not JSON") from None
        names = {field.name for field in fields(cls)}
        if not isinstance(data, dict) or data.keys() != names or not isinstance(data["asked"], dict):
            raise InvalidText("the specification of a job lacks fields, or has more than it should")
        if data["kind"] not in _ASKED or not isinstance(data["what"], str) or not isinstance(data["method"], str):
            raise InvalidText("the specification of a job is of an unknown kind")
        numbers = [data[name] for name in ("algorithm", "units", "parts", "divisor")]
        if not all(type(number) is int and 0 <= number <= MOST for number in numbers):
            raise InvalidText("the specification of a job has numbers that cannot be")
        if not 1 <= data["units"] <= MOST_UNITS or data["divisor"] < 1:
            raise InvalidText("the specification of a job has numbers that cannot be")
        fits = _ASKED[data["kind"]]
        if data["asked"].keys() != fits.keys() or not all(fits[name](part) for name, part in data["asked"].items()):
            raise InvalidText("the specification of a job has a puzzle that cannot be")
        return cls(**data)

    def answer(self, results: Sequence[int]) -> int | None:
        """Return the answer that the results of all units give, in their order; None if they cannot be right.

        Examples
        --------
        >>> spec = JobSpec("queens", "", {}, "rows", 1, units=3, divisor=4)
        >>> spec.answer([1, 5, 2]), spec.answer([1, 5, 3])
        (2, None)
        """
        answer, rest = divmod(results[-1] if self.kind == "tours" else sum(results), self.divisor)
        return None if rest else answer

    def require_current(self) -> None:
        """Refuse a job whose units were counted by another version of the algorithm.

        Raises
        ------
        InvalidText
            With both versions.
        """
        current = ALGORITHMS.get(self.method, 1)
        if self.algorithm != current:
            raise InvalidText(
                f"this job was begun with version {self.algorithm} of the method {self.method}, and this is version "
                f"{current}: their units do not add up; remove the job, and count anew"
            )


def canonical(data: object) -> str:
    """Return JSON that is the same for equal data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(text: str, size: int = 8) -> str:
    """Return a short hexadecimal digest."""
    return blake2b(text.encode(), digest_size=size).hexdigest()
