"""Which way to sweep a board: the order of its squares, and the symmetry by which states are merged.

A free order may be the cheapest (:mod:`backrank.tours.frontier.vertex_order`); but one that takes every square together
with its image under a symmetry of the board needs only half the states of its layers. So all mirror images and half
turns of the puzzle are tried, and the cheapest route is taken.

On long boards there are too many squares for that search. There the sweep goes along the board, and what is searched
for is how far each row is ahead of the others, on a short piece of the board: the same for every column, so that the
states repeat with the columns. On six rows that saves one of 13 active squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, product

from backrank.geometry.board import Board
from backrank.geometry.pieces import Piece, move_graph
from backrank.geometry.symmetry import Symmetry, symmetries
from backrank.tours.frontier.forecast import MIRROR
from backrank.tours.frontier.known_orders import known_order
from backrank.tours.frontier.transitions import Net, Route
from backrank.tours.frontier.vertex_order import EFFORT, GROWTH, find_vertex_order, profile
from backrank.tours.spec import TourSpec

MAX_IMAGES = 12
MAX_EFFORT = 300_000  # of the search for an order with one image
LONG = 3  # times as long as wide: swept along
_WIDTHS = range(2, 9)  # of boards that are swept along
_PIECE = 14  # columns on which a sweep is tried
_AHEAD = (0, 4, 8, 12, 16, 20)  # how far a row may be ahead, in twelfths of a column
_MOST = 300
_THRIFT = 300  # a count takes about as long as this part of its cost in looks at sets


def net_of(spec: TourSpec) -> Net:
    """Return the graph whose cycles or paths are the tours of a puzzle.

    Closed tours by a given last step are the paths between its squares.
    """
    board = spec.board
    cycles = Net.of(move_graph(board, spec.piece).adjacency(), list(board))
    if spec.closed and spec.end is None:
        return cycles
    given = frozenset(square for _, square in spec.ends())
    return Net(cycles.near, given, 2 - len(given))


def cost(net: Net, order: Sequence[int], *, mirrored: bool = False) -> float:
    """Return what an order costs: the states that the active squares could have."""
    table = [net.near.get(square, ()) for square in range(max(order, default=-1) + 1)]
    states = sum(GROWTH ** min(width, _MOST) for width in profile(table, order))
    return states * MIRROR if mirrored else states


@lru_cache(maxsize=64)
def route_of(spec: TourSpec, *, seed: int = 0) -> Route:
    """Return the cheapest route that is found for a puzzle; the same seed finds the same.

    Another seed is for a second, independent count: it takes an order of its own, and no symmetry.

    Examples
    --------
    >>> from backrank.geometry.board import Board
    >>> from backrank.geometry.pieces import KNIGHT
    >>> route = route_of(TourSpec(Board(6, 8), KNIGHT, True, None, None))
    >>> route.order[:4], route.mirror[:6]
    ((0, 40, 8, 32), (40, 41, 42, 43, 44, 45))
    """
    net = net_of(spec)
    if seed:
        return simple_route(spec, seed=seed)
    if (known := known_order(spec)) is not None:
        return known
    best = simple_route(spec)
    least = cost(net, best.order)
    effort = min(MAX_EFFORT, int(least / _THRIFT))
    for image in islice(images_of(spec), MAX_IMAGES):
        order = _order(spec, net, 0, image, effort)
        price = cost(net, order, mirrored=True)
        if price < least:
            best, least = Route(order, image), price
    return best


@lru_cache(maxsize=64)
def simple_route(spec: TourSpec, *, seed: int = 0) -> Route:
    """Return the cheapest order that is found without any symmetry."""
    return Route(_order(spec, net_of(spec), seed, None))


def images_of(spec: TourSpec) -> Iterator[tuple[int, ...]]:
    """Yield the mirror images and half turns of a board that change nothing about the puzzle.

    On boards that are swept along, only the one that keeps columns: others bring squares together that are far apart.
    """
    board, ends = spec.board, {square for _, square in spec.ends()}
    upright = Symmetry(flip_rows=board.rows <= board.cols, flip_cols=board.rows > board.cols)
    for symmetry in involutions(board):
        image = symmetry.permutation(board)
        if {image[square] for square in ends} == ends and (not _is_long(board) or symmetry == upright):
            yield image


def _is_long(board: Board) -> bool:
    across, along = sorted((board.rows, board.cols))
    return across in _WIDTHS and along >= LONG * across


def involutions(board: Board) -> Iterator[Symmetry]:
    """Yield the symmetries of a board that undo themselves, but not the one that does nothing."""
    for symmetry in symmetries(board):
        image = symmetry.permutation(board)
        if any(image[square] != square for square in board) and all(image[image[square]] == square for square in board):
            yield symmetry


def _order(spec: TourSpec, net: Net, seed: int, image: tuple[int, ...] | None, effort: int = EFFORT) -> tuple[int, ...]:
    """Return an order of the squares of the net: of a search, or a sweep if that is cheaper."""
    board = spec.board
    adjacency = move_graph(board, spec.piece).adjacency()
    orders = [find_vertex_order(adjacency, seed=seed, effort=effort, mirror=image)]
    if _is_long(board):
        orders.append(_swept(board, spec.piece, image, backwards=seed > 0))
    inside = [tuple(square for square in order if square in net.near) for order in orders]
    return min(inside, key=lambda order: cost(net, order))


def _swept(board: Board, piece: Piece, image: tuple[int, ...] | None, *, backwards: bool) -> list[int]:
    """Return the sweep along a board, every square followed by its image if there is one, in its column."""
    wide = board.rows <= board.cols
    across, along = (board.rows, board.cols) if wide else (board.cols, board.rows)
    ahead = _ahead(across, piece, symmetric=image is not None)
    cells = sorted((12 * column - ahead[row], row, column) for row in range(across) for column in range(along))
    if backwards:
        cells = [(turn, row, along - 1 - column) for turn, row, column in cells]
    order = [row * board.cols + column if wide else column * board.cols + row for _, row, column in cells]
    if image is None:
        return order
    return list(dict.fromkeys(each for square in order for each in (square, image[square])))


@lru_cache(maxsize=32)
def _ahead(rows: int, piece: Piece, *, symmetric: bool) -> tuple[int, ...]:
    """Return how far each row is ahead in the cheapest sweep of a short piece of the board, in twelfths of a column."""
    board = Board(rows, _PIECE)
    adjacency = move_graph(board, piece).adjacency()

    def price(ahead: Sequence[int]) -> float:
        order = sorted(board, key=lambda square: (12 * (square % _PIECE) - ahead[square // _PIECE], square // _PIECE))
        if symmetric:
            order = list(dict.fromkeys(each for square in order for each in (square, mirrored[square])))
        return sum(GROWTH**width for width in profile(adjacency, order)[5 * rows : 8 * rows])

    mirrored = [(rows - 1 - square // _PIECE) * _PIECE + square % _PIECE for square in board]
    halves = product(_AHEAD, repeat=(rows + 1) // 2)
    best = min(((*half, *half[: rows // 2][::-1]) for half in halves), key=price)
    if symmetric:
        return best
    for row in range(rows):
        best = min(((*best[:row], ahead, *best[row + 1 :]) for ahead in (best[row], *_AHEAD)), key=price)
    return best
