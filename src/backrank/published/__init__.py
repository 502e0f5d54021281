"""Published counts with their sources, and their reader."""

from typing import TYPE_CHECKING

from backrank.runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from backrank.published.values import Published, read_published

_HOMES = {"Published": "values", "read_published": "values"}

__getattr__ = lazy_exports(__name__, _HOMES, globals())

__all__ = ["Published", "read_published"]
