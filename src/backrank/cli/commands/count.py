"""`backrank count`: exact numbers, and which number it is."""

from __future__ import annotations

from backrank.cli.commands.count_queens import queens
from backrank.cli.commands.count_tours import tours

__all__ = ["queens", "tours"]
