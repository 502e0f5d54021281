"""A recorded run as one self-contained, animated HTML page."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from backrank import render
from backrank.errors import InvalidPuzzle
from backrank.search.cursor import Stats
from backrank.search.events import Event
from backrank.search.spaces import Space, TourSpace
from backrank.search.strategies.names import Strategy

MAX_PAGE_EVENTS = 200_000


def run_page(
    space: Space, strategy: Strategy, events: Sequence[Event], stats: Stats, *, finished: bool, language: str = "en"
) -> str:
    """Return a page that plays the first events of a run, forwards and backwards.

    Parameters
    ----------
    space, strategy
        What is searched, and how.
    events : sequence of Event
        The events from the first one on, at most 200,000.
    stats : Stats
        The counters after them.
    finished : bool
        Whether the run has no further events.
    language : {"en", "zh"}

    Raises
    ------
    InvalidPuzzle
        If there are too many events.
    """
    if len(events) > MAX_PAGE_EVENTS:
        raise InvalidPuzzle(f"a page holds at most {MAX_PAGE_EVENTS:,} events, not {len(events):,}")
    tour = space if isinstance(space, TourSpace) else None
    return render.run_html(
        space.board,
        rows(events, space),
        kind=space.kind,
        piece_name=tour.piece.name if tour else None,
        strategy=strategy.name,
        totals={"events": stats.events, "calls": stats.calls, "solutions": stats.solutions},
        truncated=not finished,
        closed=tour is not None and tour.closed,
        title=f"{space}, {strategy}",
        language=language,
    )


def rows(events: Iterable[Event], space: Space) -> Iterable[tuple[str, int, int, str]]:
    """Yield events as plain rows: kind, square, depth, reason in words."""
    for event in events:
        yield str(event.kind), event.square, event.depth, event.why(space.board)


def framed(page: str) -> str:
    """Return a whole page as an element of another one, such as a notebook."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:640px;border:0" '
        'sandbox="allow-scripts" title="animated search"></iframe>'
    )
