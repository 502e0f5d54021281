"""Durations and sizes in words."""

from __future__ import annotations

_YEAR = 365.25 * 86_400


def duration(seconds: float) -> str:
    """Say how long in words, roughly.

    Examples
    --------
    >>> duration(5), duration(86_400 * 3), duration(1e12), duration(1e30)
    ('about 5 seconds', 'about 3 days', 'about 32,000 years', 'more than a million million years')
    """
    if seconds > 1e12 * _YEAR:
        return "more than a million million years"
    for unit, length in (("years", _YEAR), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0), ("seconds", 1.0)):
        if seconds >= 2 * length or unit == "seconds":
            break
    number = seconds / length
    digits = max(0, len(str(int(number))) - 2)
    return f"about {round(number / 10**digits) * 10**digits:,} {unit}"


def size_of(count: float) -> str:
    """Return a number of bytes in words."""
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if count >= unit:
            return f"{count / unit:,.1f} {name}"
    return f"{count / 1e3:,.0f} kB"
