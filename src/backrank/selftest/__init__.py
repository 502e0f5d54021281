"""Count published values again, each by algorithms that share no code."""

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.selftest.recounts import CheckedValue, Verdict, checks, run_checks

_HOMES = dict.fromkeys(("CheckedValue", "Verdict", "checks", "run_checks"), "recounts")

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = ["CheckedValue", "Verdict", "checks", "run_checks"]
