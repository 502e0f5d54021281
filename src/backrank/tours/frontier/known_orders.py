"""Orders of elimination for common boards, found once: a search every time would cost more than it tells.

Up to 6x8 they are, of some two hundred orders by all images and many seeds, those with the fewest states when the
tours were counted; the closed ones on boards with an even number of squares, else the open ones. From 7x7 on they are
those that :func:`backrank.tours.frontier.sweeps.route_of` finds itself. They hold for closed and open tours, and for
the board on its side.
"""

from __future__ import annotations

from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT
from backrank.geometry.symmetry import Symmetry
from backrank.tours.frontier.transitions import Route
from backrank.tours.spec import TourSpec

IMAGES = {
    "": None,
    "rows": Symmetry(flip_rows=True),
    "cols": Symmetry(flip_cols=True),
    "turn": Symmetry(flip_rows=True, flip_cols=True),
    "diagonal": Symmetry(transpose=True),
}

# By board: the image under which states are merged, and the squares in the order of their turns.
ORDERS = {
    "5x5": (
        "diagonal",
        "0 24 4 20 6 3 15 14 22 19 23 13 17 7 11 8 16 1 5 9 21 2 10 12 18",
    ),
    "5x6": (
        "",
        "0 24 28 4 26 11 7 18 22 3 5 9 1 20 12 25 17 29 21 13 10 23 16 15 27 8 6 14 2 19",
    ),
    "6x6": (
        "diagonal",
        "35 7 11 31 3 18 22 27 5 30 29 34 23 33 10 25 1 6 14 2 12 16 26 9 19 21 4 24 17 32 15 20 28 8 13 0",
    ),
    "5x8": (
        "turn",
        (
            "35 4 25 14 8 31 0 39 2 37 27 12 33 6 10 29 32 7 16 23 1 38 11 28 17 22 34 5 24 15 19 20 3 36 26 13 9 "
            "30 18 21"
        ),
    ),
    "6x7": (
        "cols",
        (
            "38 29 33 1 5 14 20 10 0 6 9 11 7 13 2 4 24 28 34 37 39 15 19 35 41 22 26 30 32 16 18 8 12 17 3 23 25 "
            "36 40 21 27 31"
        ),
    ),
    "6x8": (
        "rows",
        (
            "0 40 8 32 17 25 2 42 1 41 16 24 9 33 18 26 10 34 3 43 19 27 4 44 14 38 6 46 23 31 12 36 11 35 20 28 "
            "15 39 5 45 21 29 22 30 13 37 7 47"
        ),
    ),
    "7x7": (
        "rows",
        (
            "0 42 14 28 1 43 15 29 7 35 22 2 44 24 6 48 10 38 20 34 11 39 5 47 9 37 19 33 4 46 13 41 26 16 30 18 "
            "32 8 36 21 23 3 45 12 40 17 31 25 27"
        ),
    ),
    "7x8": (
        "rows",
        (
            "0 48 16 32 1 49 17 33 8 40 25 2 50 24 9 41 18 34 26 3 51 10 42 19 35 27 4 52 14 46 31 11 43 20 36 15 "
            "47 30 5 53 28 12 44 21 37 6 54 23 39 29 13 45 7 55 22 38"
        ),
    ),
    "8x8": (
        "rows",
        (
            "0 56 1 57 16 40 8 48 2 58 25 33 17 41 24 32 9 49 18 42 26 34 3 59 10 50 19 43 27 35 4 60 11 51 14 54 "
            "20 44 28 36 31 39 5 61 15 55 12 52 21 45 6 62 23 47 29 37 30 38 7 63 13 53 22 46"
        ),
    ),
    "8x9": (
        "rows",
        (
            "0 63 1 64 18 45 9 54 2 65 28 37 19 46 27 36 10 55 20 47 29 38 3 66 11 56 21 48 30 39 4 67 12 57 22 "
            "49 31 40 5 68 13 58 16 61 23 50 32 41 35 44 6 69 17 62 14 59 24 51 7 70 26 53 33 42 34 43 8 71 15 60 "
            "25 52"
        ),
    ),
    "8x10": (
        "rows",
        (
            "0 70 1 71 20 50 10 60 2 72 31 41 21 51 30 40 11 61 22 52 32 42 3 73 12 62 23 53 33 43 4 74 13 63 24 "
            "54 34 44 5 75 14 64 25 55 35 45 6 76 15 65 18 68 26 56 36 46 39 49 7 77 19 69 16 66 27 57 8 78 29 59 "
            "37 47 38 48 9 79 17 67 28 58"
        ),
    ),
}


def known_order(spec: TourSpec) -> Route | None:
    """Return the route that is known for a puzzle, or None.

    It must be about the knight on a plain board; and given ends must be each other's images, or their own.
    """
    board = spec.board
    across, along = sorted((board.rows, board.cols))
    found = ORDERS.get(f"{across}x{along}")
    if found is None or spec.piece != KNIGHT or board.holes or board.wrap != "none":
        return None
    kind, squares = found
    order, symmetry = [int(square) for square in squares.split()], IMAGES[kind]
    image = None if symmetry is None else symmetry.permutation(Board(across, along))
    if board.rows > board.cols:  # on its side
        turned = [column * across + row for row in range(across) for column in range(along)]
        order = [turned[square] for square in order]
        if image is not None:
            before = sorted(range(board.size), key=lambda square: turned[square])
            image = tuple(turned[image[before[square]]] for square in range(board.size))
    ends = {square for _, square in spec.ends()}
    if image is not None and {image[square] for square in ends} != ends:
        return None
    return Route(tuple(order), image)
