"""Is there a tour at all? Answered by theorem or by a simple count where one applies, with the reason in words.

The arguments, from cheap to dear: too few squares; the colours of the board (a knight changes colour with every
step, so a tour alternates); theorems for whole rectangles; squares with too few neighbours; parts of the board
that do not hang together, or hang together by one square only. What none of them settles is `unknown`,
and left to a search.

Sources: A. J. Schwenk, "Which rectangular chessboards have a knight's tour?", Mathematics Magazine 64 (1991), for
closed tours; for open tours P. Cull and J. De Curtins, "Knight's tour revisited", Fibonacci Quarterly 16 (1978); for
tours with given ends :mod:`backrank.tours.theorems.endpoints`.
"""

from __future__ import annotations

from collections.abc import Sequence

from backrank.geometry.board import Board
from backrank.geometry.existence import UNKNOWN, Existence
from backrank.geometry.pieces import KNIGHT, Piece, move_graph
from backrank.geometry.verify import is_closing
from backrank.tours.spec import TourSpec
from backrank.tours.theorems.endpoints import why_not_between, why_not_from

MAX_CONNECTED_SQUARES = 20_000


def existence(
    board: Board, piece: Piece = KNIGHT, *, closed: bool = False, start: int | None = None, end: int | None = None
) -> Existence:
    """Say whether a tour exists, as far as theorems and counts tell.

    A single square is an open tour of itself; a closed tour needs at least three squares.

    For knights on plain boards the answer is always yes or no.

    Cost: none to speak of for knights on plain boards; else linear in the number of moves, and
    quadratic (to find squares that hold the board together) up to 400 squares.

    Examples
    --------
    >>> print(existence(Board(4, 6), closed=True).reason)
    no 4xn board has a closed tour (Schwenk 1991)
    >>> existence(Board(8), start=0, end=63).reason
    'a tour of 64 squares alternates colours, so it ends on the other colour; a8 and h1 are of one'
    """
    spec = TourSpec(board, piece, closed, start, end)
    if start is not None and start == end and len(board) > 1:
        return Existence("no", f"start and end are both {board.name(start)}; a tour of several squares has two ends")
    if len(board) == 1:
        return _one_square(closed=closed)
    if closed and len(board) < 3:
        return Existence("no", f"a closed tour needs at least 3 squares; this board has {len(board)}")
    for rule in (_closing_ends, _colours, _rectangle, _connections):
        verdict = rule(spec)
        if verdict is not None:
            return verdict
    return Existence("unknown", UNKNOWN)


def _one_square(*, closed: bool) -> Existence:
    if closed:
        return Existence("no", "a closed tour needs at least 3 squares; this board has 1")
    return Existence("yes", "one square is a tour of itself")


def _closing_ends(spec: TourSpec) -> Existence | None:
    board, start, end = spec.board, spec.start, spec.end
    if not spec.closed or start is None or end is None:
        return None
    if is_closing(board, spec.piece, board.cell(start), board.cell(end)):
        return None
    reason = f"a closed tour ends one move from its start; {board.name(end)} is not one from {board.name(start)}"
    return Existence("no", reason)


def _a(piece: Piece) -> str:
    return f"{'an' if piece.name[0] in 'aeiou' else 'a'} {piece}"


def _two_coloured(board: Board, piece: Piece) -> bool | None:
    """Return True if every move changes the colour, False if none does, None if it depends."""
    axes = {"none": (), "cylinder": (board.cols,), "torus": (board.cols, board.rows)}[board.wrap]
    return None if any(length % 2 for length in axes) else piece.changes_colour


def _colours(spec: TourSpec) -> Existence | None:
    board = spec.board
    changes = _two_coloured(board, spec.piece)
    if changes is None:
        return None
    of_colour = _colour_counts(board)
    if not changes:
        if 0 in of_colour:
            return None
        return Existence("no", f"{_a(spec.piece)} never leaves its colour, and the board has squares of both")
    low, high = sorted(of_colour)
    if spec.closed and low != high:
        reason = f"a closed tour alternates colours, but {high} squares are of one colour and {low} of the other"
        return Existence("no", reason)
    if high - low > 1:
        reason = f"a tour alternates colours, but {high} squares are of one colour and only {low} of the other"
        return Existence("no", reason)
    return _coloured_ends(spec, of_colour)


def _colour_counts(board: Board) -> tuple[int, int]:
    light = (board.size + 1) // 2 - sum(not board.colour(hole) for hole in board.holes)
    return light, len(board) - light


def _coloured_ends(spec: TourSpec, of_colour: tuple[int, int]) -> Existence | None:
    board, ends = spec.board, spec.ends()
    low, high = sorted(of_colour)
    if low != high:
        frequent = of_colour.index(high)
        example = next(square for square in board if board.colour(square) == frequent)
        for noun, square in ends:
            if board.colour(square) != frequent:
                reason = (
                    f"an open tour of {len(board)} squares alternates colours, so it must {noun} on a square of "
                    f"the more frequent colour ({high} to {low}), such as {board.name(example)}; {board.name(square)} "
                    "is of the other colour"
                )
                return Existence("no", reason)
    elif len(ends) == 2 and board.colour(ends[0][1]) == board.colour(ends[1][1]):
        names = " and ".join(board.name(square) for _, square in ends)
        reason = (
            f"a tour of {len(board)} squares alternates colours, so it ends on the other colour; {names} are of one"
        )
        return Existence("no", reason)
    return None


def _rectangle(spec: TourSpec) -> Existence | None:
    """Theorems for knights on plain rectangles, the colours being right already: they settle everything."""
    board, ends = spec.board, spec.ends()
    if not board.is_plain or spec.piece.name != "knight":
        return None
    short, long = sorted((board.rows, board.cols))
    if spec.closed:
        if reason := _schwenk(short, long):
            return Existence("no", reason)
        if len(ends) < 2:
            return Existence("yes", "the board has a closed tour (Schwenk 1991), and it passes through every square")
    elif short <= 2 or (short == 3 and long in (3, 5, 6)) or (short == long == 4):
        name = f"{short}xn" if short <= 2 else f"{short}x{long}"
        but = " but 1x1" if short == 1 else ""
        need = "of several squares they need 3x4, 3x7 or 4x5 at least"
        return Existence("no", f"no {name} board{but} has an open tour ({need})")
    if not ends:
        return Existence("yes", "the board is large enough for an open tour (Cull and De Curtins 1978)")
    return _rectangle_ends(spec)


def _schwenk(short: int, long: int) -> str | None:
    """Return why a rectangle with an even number of squares has no closed tour, if it has none."""
    if short in (1, 2, 4):
        return f"no {short}xn board has a closed tour (Schwenk 1991)"
    if short == 3 and long < 10:
        return f"no 3x{long} board has a closed tour; 3xn boards have one from 3x10 on (Schwenk 1991)"
    return None


def _rectangle_ends(spec: TourSpec) -> Existence:
    """Tours of a large enough rectangle with one or both ends given; a closed one is an open one that can be closed."""
    board, squares = spec.board, [square for _, square in spec.ends()]
    names = " and ".join(map(board.name, squares))
    if len(squares) == 1:
        reason, claim = why_not_from(board, squares[0]), f"{names} can be an end of a tour"
    else:
        reason, claim = why_not_between(board, *squares), f"{names} can be the ends of a tour"
    return Existence("no", reason) if reason else Existence("yes", f"{claim} ({_established(board)})")


def _established(board: Board) -> str:
    """Return how it is known which squares can be the ends of a tour."""
    short = min(board.rows, board.cols)
    if short <= 4:
        return f"sweep over all {short}xn boards"
    if short == 5:
        return "exhaustive search up to 5x12, tours built of blocks beyond"
    return "from 6x6 on the right colours are enough: exhaustive search up to 8x8, tours built of blocks beyond"


def _connections(spec: TourSpec) -> Existence | None:
    """Look for squares with too few neighbours, separate parts, and squares whose loss separates too many."""
    board, piece = spec.board, spec.piece
    if len(board) > MAX_CONNECTED_SQUARES:
        return None
    adjacency = move_graph(board, piece).adjacency()
    squares = list(board)
    lonely = [square for square in squares if not adjacency[square]]
    if lonely:
        return Existence("no", f"no {piece} move leads to {board.name(lonely[0])}")
    poor = [square for square in squares if len(adjacency[square]) == 1]
    verdict = _poor_squares(spec, poor)
    if verdict is not None:
        return verdict
    return _held_together(spec, adjacency, squares)


def _held_together(spec: TourSpec, adjacency: Sequence[tuple[int, ...]], squares: Sequence[int]) -> Existence | None:
    """Look for separate parts, and for squares without which there are too many."""
    board = spec.board
    parts, loose = _loosened(adjacency, squares)
    if parts > 1:
        return Existence("no", f"the board falls into {parts} parts that no {spec.piece} move connects")
    kind, allowed = ("a closed", 1) if spec.closed else ("an open", 2)
    square = next((square for square in squares if loose.get(square, 1) > allowed), None)
    if square is None:
        return None
    reason = f"without {board.name(square)} the board falls into {loose[square]} parts; {kind} tour allows {allowed}"
    return Existence("no", reason)


def _poor_squares(spec: TourSpec, poor: list[int]) -> Existence | None:
    board, piece = spec.board, spec.piece
    if spec.closed and poor:
        return Existence("no", f"{board.name(poor[0])} has only one {piece} move, and a closed tour needs two")
    if len(poor) > 2:
        names = ", ".join(board.name(square) for square in poor[:3])
        return Existence("no", f"{names} have only one {piece} move each, and a tour has only two ends")
    ends = {square for _, square in spec.ends()}
    if poor and len(ends | set(poor)) > 2:
        square = next(square for square in poor if square not in ends)
        reason = f"{board.name(square)} has only one {piece} move, so it must be an end, but both ends are taken"
        return Existence("no", reason)
    return None


def _loosened(adjacency: Sequence[tuple[int, ...]], squares: Sequence[int]) -> tuple[int, dict[int, int]]:
    """Return the number of connected parts, and for squares without which one part falls apart, into how many.

    Depth first: a branch below a square from which no move leads above it hangs on that square alone (J. Hopcroft and
    R. Tarjan, 1973).
    """
    number: dict[int, int] = {}
    highest: dict[int, int] = {}
    hanging: dict[int, int] = {}
    roots = []
    for root in squares:
        if root in number:
            continue
        roots.append(root)
        number[root] = highest[root] = len(number)
        stack = [(root, iter(adjacency[root]))]
        while stack:
            square, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    highest[above] = min(highest[above], highest[square])
                    if highest[square] >= number[above]:
                        hanging[above] = hanging.get(above, 0) + 1
            elif target in number:
                highest[square] = min(highest[square], number[target])
            else:
                number[target] = highest[target] = len(number)
                stack.append((target, iter(adjacency[target])))
    return len(roots), {square: count + (square not in roots) for square, count in hanging.items()}
