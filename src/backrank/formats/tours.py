"""Reading tours in every form in which people write them, and writing them in six.

The forms are a grid of numbers from 1 or from 0, a list of names, a list of coordinates, JSON, and CSV. The
reader finds out by itself which one it has: brackets and headers give JSON and CSV away, letters
give names away, round brackets coordinates, and what remains is a grid. A text may hold several tours.

The JSON of a tour, whose fields keep their names and meaning in all versions::

    {"kind": "tour",
     "board": {"rows": 3, "cols": 4, "holes": [], "wrap": "none"},
     "piece": "knight",
     "closed": false,
     "start": "a3", "end": "d1",
     "squares": ["a3", "c2", …],          names in the order of the visits
     "cells": [[0, 0], [1, 2], …]}        the same as [row, col], from 0, row 0 on top

Read back, `squares` or `cells` or `grid` is enough; the rest may be missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from backrank.errors import InvalidSquare, InvalidText, UnknownName
from backrank.formats.claims import TourClaim, without_return
from backrank.formats.grids import ROW_WORD, NumberGrid, grid_of_rows, read_grids, split_fields
from backrank.formats.objects import (
    board_at,
    board_object,
    complain,
    flag_at,
    is_flat_numbers,
    json_values,
    list_at,
    marks_at,
    number_at,
    require_same,
)
from backrank.formats.reading import TextLine, blocks_of, lines_of, unbracketed
from backrank.formats.squares import (
    Mark,
    Span,
    cells_of,
    grouped,
    has_names,
    has_pairs,
    read_names,
    read_pairs,
    require_within_reach,
    span_of,
)
from backrank.formats.tables import Entry, has_header, read_tables
from backrank.geometry.board import Board
from backrank.geometry.pieces import KNIGHT, Piece, piece_named
from backrank.render.text import numbered_board

TOUR_FORMS = ("grid", "grid0", "names", "coordinates", "json", "csv")
MAX_SQUARES = 4_000_000
_FROM_ONE = "coordinates taken as counted from 1: none is 0 and they fill the board"
_DEEPEST = 4


def parse_tours(text: str, *, board: Board | None = None, form: str | None = None) -> list[TourClaim]:
    r"""Read the tours that a text claims.

    Parameters
    ----------
    text : str
        One or several tours, in any of the forms. Lines that begin with `#` are comments.
    board : Board, optional
        The board; inferred from the text if not given, up to 10,000 squares or 16 times as many as are listed.
    form : str, optional
        One of `TOUR_FORMS`; found out if not given.

    Returns
    -------
    list of TourClaim
        At least one.

    Raises
    ------
    InvalidText
        If the text is in none of the forms; the message says where it stops making sense.
    InvalidBoard
        If the board that the text asks for cannot be, has more than four million squares, or, if none is given, is out
        of proportion to the squares listed.
    UnknownName
        If `form`, or a piece in the text, is unknown.

    Examples
    --------
    >>> [claim] = parse_tours(" 1 4 7 10\n 8 11 2 5\n 3 6 9 12")
    >>> claim.board, claim.faults()
    (Board(3, 4), [])
    >>> parse_tours("a1 b3")[0].notes
    ('board taken as 3x2 from the squares',)
    """
    if form is not None and form not in TOUR_FORMS:
        raise UnknownName("format", form, TOUR_FORMS)
    if board is not None:
        board.require_at_most(MAX_SQUARES, "reading a tour")
    return list(map(without_return, _claims(text, board, form)))


def _claims(text: str, board: Board | None, form: str | None) -> list[TourClaim]:
    lines = lines_of(text, ROW_WORD)
    if form in (None, "json"):
        values = json_values(text, required=form == "json")
        if values is not None:
            return [claim for value in values for claim in _claims_of_value(value, board)]
    if has_header(lines) and form in (None, "csv"):
        return [_claim_of_table(entries, board) for entries in read_tables(lines)]
    lines = unbracketed(lines)
    if form is None:
        form = _form_of(lines, board)
    if form == "names":
        return _claims_of_list(lines, read_names, board)
    if form == "coordinates":
        return _claims_of_list(lines, read_pairs, board)
    return [_claim_of_grid(grid, board, 0 if form == "grid0" else grid.first) for grid in read_grids(lines)]


def format_tour(board: Board, squares: Sequence[int], form: str, *, closed: bool = False, piece: Piece = KNIGHT) -> str:
    """Return a tour in one of the forms, without a line end after the last line.

    Parameters
    ----------
    board : Board
    squares : sequence of int
        The squares in the order of the visits.
    form : {"grid", "grid0", "names", "coordinates", "json", "csv"}
        A grid of numbers from 1, or from 0; names or coordinates on one line; JSON on one line;
        CSV with a header. Only JSON tells glued edges; names, coordinates and CSV do not tell holes either.
    closed, piece
        What JSON says of the tour.

    Examples
    --------
    >>> tour = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]
    >>> print(format_tour(Board(3, 4), tour, "names"))
    a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1
    >>> print(format_tour(Board(3, 4), tour, "grid0"))
     0  3  6  9
     7 10  1  4
     2  5  8 11
    """
    if form in ("grid", "grid0"):
        return numbered_board(board, squares, first=int(form == "grid"))
    squares = [board.square(square) for square in squares]
    if form == "names":
        return " ".join(map(board.name, squares))
    if form == "coordinates":
        return " ".join(f"({row},{col})" for row, col in map(board.cell, squares))
    if form == "csv":
        rows = (f"{step},{','.join(map(str, board.cell(at)))},{board.name(at)}" for step, at in enumerate(squares, 1))
        return "\n".join(("step,row,col,name", *rows))
    if form == "json":
        return json.dumps(_tour_object(board, squares, closed, piece))
    raise UnknownName("format", form, TOUR_FORMS)


def _tour_object(board: Board, squares: Sequence[int], closed: bool, piece: Piece) -> dict[str, object]:
    names = [board.name(square) for square in squares]
    return {
        "kind": "tour",
        "board": board_object(board),
        "piece": piece.name,
        "closed": closed,
        "start": names[0] if names else None,
        "end": names[-1] if names else None,
        "squares": names,
        "cells": [list(board.cell(square)) for square in squares],
    }


def _form_of(lines: Sequence[TextLine], board: Board | None) -> str:
    content = [line for line in lines if line.text]
    if has_pairs(content):
        return "coordinates"
    if has_names(content):
        return "names"
    if not all(len(split_fields(line.text)) == 2 for line in content):
        return "grid"
    if board is not None and (board.rows, board.cols) == (len(content), 2):
        return "grid"
    # Two numbers on each line: a grid of two columns holds each number once, a list of cells does not.
    try:
        grids = read_grids(lines)
    except InvalidText:
        return "grid"
    return "grid" if all(map(_is_numbering, (grid.rows for grid in grids))) else "coordinates"


def _is_numbering(rows: Sequence[Sequence[int | None]]) -> bool:
    """Whether the numbers of these rows are 0, 1, 2, … or 1, 2, 3, …, each once, perhaps with holes."""
    numbers = [number for row in rows for number in row if number is not None]
    lowest = min(numbers, default=0)
    return lowest in (0, 1) and sorted(numbers) == list(range(lowest, lowest + len(numbers)))


def _claim_of_grid(grid: NumberGrid, board: Board | None, first: int) -> TourClaim:
    notes = []
    if board is None:
        board = grid.board()
        notes.append(f"board taken as {board} from the grid")
    if first == 0:
        notes.append("steps taken as numbered from 0")
    return TourClaim(board, grid=grid.rows, first=first, notes=tuple(notes))


def _claims_of_list(
    lines: Sequence[TextLine], read: Callable[[TextLine], list[Mark]], board: Board | None
) -> list[TourClaim]:
    blocks = [[marks for line in block if (marks := read(line))] for block in blocks_of(lines)]
    by_line = [marks for block in blocks for marks in block]
    by_block = [[mark for marks in block for mark in marks] for block in blocks if block]
    span = span_of(mark for marks in by_line for mark in marks)
    if not by_line:
        raise InvalidText("the text lists no square; write names such as a1 b3, or coordinates such as (0,0) (1,2)")
    if board is not None:
        needs = [len(board)]
    else:
        # Counted from 1, the cells of a board with n rows reach to n, which is read as n + 1 rows.
        needs = [(span.rows - 1) * (span.cols - 1)] if span.lowest > 0 and not span.has_names else []
        needs.append(span.rows * span.cols)
    groups = grouped(by_line, by_block, needs)
    base = _base(span, board, {len(group) - _returns(group) for group in groups})
    board, notes = _settled(span, board, base, sum(map(len, groups)))
    return [TourClaim(board, cells_of(group, board.rows, base), notes=notes) for group in groups]


def _returns(marks: Sequence[Mark]) -> bool:
    """Whether the last square is the first again."""
    return len(marks) > 3 and marks[0] == marks[-1]


def _base(span: Span, board: Board | None, lengths: set[int]) -> int:
    """Return 1 if coordinates are counted from 1 beyond doubt, else 0."""
    if span.has_names or span.lowest < 1:
        return 0
    rows, cols = span.rows - 1, span.cols - 1
    if board is not None:
        return int((rows, cols) == (board.rows, board.cols))
    return int(lengths == {rows * cols})


def _settled(span: Span, board: Board | None, base: int, marks: int) -> tuple[Board, tuple[str, ...]]:
    notes = (_FROM_ONE,) if base else ()
    if board is not None:
        return board, notes
    board = Board(max(span.rows - base, 1), max(span.cols - base, 1))
    board.require_at_most(MAX_SQUARES, "reading a tour")
    require_within_reach(board, marks)
    return board, (f"board taken as {board} from the squares", *notes)


def _claim_of_marks(marks: Sequence[Mark], board: Board | None) -> TourClaim:
    span = span_of(marks)
    base = _base(span, board, {len(marks) - _returns(marks)})
    board, notes = _settled(span, board, base, len(marks))
    return TourClaim(board, cells_of(marks, board.rows, base), notes=notes)


def _claim_of_table(entries: Sequence[Entry], board: Board | None) -> TourClaim:
    names = [entry.name for entry in entries if entry.name]
    pairs = [entry.pair for entry in entries if entry.pair]
    claim = _claim_of_marks(names or pairs, board)
    if names and pairs:
        base = int(min(min(pair[:2]) for pair in pairs) > 0 and cells_of(pairs[:1], 0, 0) != claim.cells[:1])
        require_same(claim.cells, cells_of(pairs, claim.board.rows, base), ("name", "row,col"))
    return claim


def _claims_of_value(value: object, board: Board | None, depth: int = 1) -> list[TourClaim]:
    """Return the tours of any JSON value: an object, a list of squares, a grid, or a list of these."""
    if isinstance(value, dict):
        inner = value.get("tours", value.get("answer"))  # the latter is what `solve --json` prints
        if isinstance(inner, dict | list) and depth < _DEEPEST:
            return _claims_of_value(inner, board, depth + 1)
        return [_claim_of_object(value, board)]
    items = list_at(value, "JSON", "a tour: an object, a list of names or pairs, or rows of numbers")
    if all(is_flat_numbers(item) for item in items):
        rows = [
            [None if n is None else number_at(n, f"row {i + 1}") for n in _list(item)] for i, item in enumerate(items)
        ]
        if {len(row) for row in rows} != {2} or _is_numbering(rows):
            grid = grid_of_rows(rows)
            return [_claim_of_grid(grid, board, grid.first)]
        return [_claim_of_marks(marks_at(items, board, "JSON"), board)]
    if all(isinstance(item, dict | list) for item in items) and depth < _DEEPEST:
        return [claim for item in items for claim in _claims_of_value(item, board, depth + 1)]
    return [_claim_of_marks(marks_at(items, board, "JSON"), board)]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _claim_of_object(value: dict[str, object], given: Board | None) -> TourClaim:
    kind = value.get("kind", "tour")
    if kind != "tour":
        complain("kind", kind, '"tour"')
    named = board_at(value.get("board"))
    board = given or named
    if board is not None:
        board.require_at_most(MAX_SQUARES, "reading a tour")
    claim = _path_of_object(value, board)
    if given is None:
        require_within_reach(claim.board, len(claim.cells) + sum(map(len, claim.grid or ())))
    notes = list(claim.notes)
    if given and named and given != named:
        notes.append(f"the text says {named}, but the board was given as {given}")
    ends: dict[str, int | None] = {key: _end_at(value.get(key), claim.board, key) for key in ("start", "end")}
    return TourClaim(
        claim.board,
        claim.cells,
        claim.grid,
        claim.first,
        flag_at(value.get("closed"), "closed"),
        ends["start"],
        ends["end"],
        _piece_at(value.get("piece")),
        tuple(notes),
    )


def _path_of_object(value: dict[str, object], board: Board | None) -> TourClaim:
    if value.get("squares") is not None:
        squares = list_at(value["squares"], "squares", "a list of names")
        claim = _claim_of_marks(marks_at(squares, board, "squares"), board)
        if value.get("cells") is not None:
            cells = marks_at(list_at(value["cells"], "cells", "a list of pairs [row, col]"), board, "cells")
            require_same(claim.cells, cells_of(cells, claim.board.rows, 0), ("squares", "cells"))
        return claim
    if value.get("cells") is not None:
        return _claim_of_marks(
            marks_at(list_at(value["cells"], "cells", "a list of pairs [row, col]"), board, "cells"), board
        )
    if value.get("grid") is None:
        raise InvalidText('the JSON object has no squares; give "squares", "cells" or "grid"')
    rows: list[list[int | None]] = []
    for number, row in enumerate(list_at(value["grid"], "grid", "rows of numbers")):
        where = f"grid[{number}]"
        items = list_at(row, where, "a list of numbers")
        rows.append([None if item is None else number_at(item, where) for item in items])
    grid = grid_of_rows(rows)
    return _claim_of_grid(grid, board, grid.first)


def _end_at(value: object, board: Board, where: str) -> int | None:
    if value is None:
        return None
    [cell] = cells_of(marks_at([value], board, where), board.rows, 0)
    try:
        return board.square(cell)
    except InvalidSquare as error:
        raise InvalidText(f"{where}: {error}") from None


def _piece_at(value: object) -> Piece | None:
    if value is None:
        return None
    if not isinstance(value, str):
        complain("piece", value, 'the name of a piece such as "knight"')
    piece = piece_named(value.removesuffix("-leaper"))
    if piece.slides:
        raise InvalidText(f"piece: a tour is made by a leaper such as the knight, not by a {piece}")
    return piece
