"""Reading placements of queens in every form in which people write them, and writing them in seven.

The forms are a list of columns (one queen per row, from the top), a board drawn with `Q` or `♛`, a list
of names or of coordinates, JSON, and CSV. A text may hold several placements: one list of columns
per line, or drawn boards with empty lines between.

The JSON of a placement, whose fields keep their names and meaning in all versions::

    {"kind": "placement",
     "board": {"rows": 4, "cols": 4, "holes": [], "wrap": "none"},
     "piece": "queen",                     or "amazon", which moves as a knight too
     "queens": 4,                          how many there must be, or null
     "squares": ["b4", "d3", "a2", "c1"],
     "cells": [[0, 1], [1, 3], [2, 0], [3, 2]]}     the same as [row, col], from 0, row 0 on top

Read back, `squares` or `cells` or `columns` is enough; the rest may be missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from backrank.errors import InvalidPuzzle, InvalidText, UnknownName
from backrank.formats.claims import PlacementClaim
from backrank.formats.drawings import ROW_WORD, Drawing, is_drawing, looks_drawn, read_drawings
from backrank.formats.grids import numbers_of, split_fields
from backrank.formats.objects import (
    board_at,
    board_object,
    complain,
    is_flat_numbers,
    json_values,
    list_at,
    marks_at,
    number_at,
    require_same,
)
from backrank.formats.reading import TextLine, blocks_of, is_rule, lines_of, require_text, unbracketed
from backrank.formats.squares import (
    Mark,
    cells_of,
    has_names,
    has_pairs,
    read_names,
    read_pairs,
    require_within_reach,
    span_of,
)
from backrank.formats.tables import has_header, read_tables
from backrank.geometry.board import Board, Cell
from backrank.geometry.verify import PLACED_PIECES
from backrank.render.text import queens_board

PLACEMENT_FORMS = ("columns", "board", "unicode", "names", "coordinates", "json", "csv")
_FROM_ONE = "columns taken as counted from 1: none is 0 and one is the last"
_HINT = "write the columns (0 4 7 5 2 6 1 3), a board of Q and ., or squares (a8 e7 …)"
_DEEPEST = 4

_TUPLE = re.compile(r"^[ \t]*\(([0-9]+(?:[ \t]*,[ \t]*[0-9]+){2,})[ \t]*\)[ \t]*$", re.MULTILINE)


def parse_placements(text: str, *, board: Board | None = None, form: str | None = None) -> list[PlacementClaim]:
    r"""Read the placements of queens that a text claims.

    Parameters
    ----------
    text : str
        One or several placements, in any of the forms. Lines that begin with `#` are comments.
    board : Board, optional
        The board; inferred from the text if not given, up to 100x100 or sides of 8 times the number of squares listed.
    form : str, optional
        One of `PLACEMENT_FORMS`; found out if not given.

    Returns
    -------
    list of PlacementClaim
        At least one.

    Raises
    ------
    InvalidText
        If the text is in none of the forms; the message says where it stops making sense.
    InvalidBoard
        If the board that the text asks for cannot be.
    UnknownName
        If `form` is unknown.

    Examples
    --------
    >>> [claim] = parse_placements("1 3 0 2")
    >>> claim.board, claim.cells, claim.faults()
    (Board(4, 4), ((0, 1), (1, 3), (2, 0), (3, 2)), [])
    >>> [len(claim.faults()) for claim in parse_placements(".Q..\n...Q\nQ...\n..Q.\n\nQ.\n.Q")]
    [0, 1]
    """
    if form is not None and form not in PLACEMENT_FORMS:
        raise UnknownName("format", form, PLACEMENT_FORMS)
    text = _from_python(require_text(text))
    lines = lines_of(text, ROW_WORD)
    if form in (None, "json"):
        values = json_values(text, required=form == "json")
        if values is not None:
            return [claim for value in values for claim in _claims_of_value(value, board)]
    if form == "csv" or (form is None and has_header(lines)):
        return _claims_of_tables(lines, board)
    lines = unbracketed(lines)
    if form is None:
        form = _form_of(lines, board)
    if form in ("board", "unicode"):
        return [_claim_of_drawing(drawing, board) for drawing in read_drawings(lines)]
    if form == "columns":
        return _claims_of_columns(lines, board)
    return _claims_of_list(lines, read_names if form == "names" else read_pairs, board)


def format_placement(
    board: Board, squares: Sequence[int], form: str, *, wanted: int | None = None, piece: str = "queen"
) -> str:
    """Return a placement in one of the forms, without a line end after the last line.

    Parameters
    ----------
    board : Board
    squares : sequence of int
        Where the queens stand.
    form : {"columns", "board", "unicode", "names", "coordinates", "json", "csv"}
        The columns of the queens, from 0, row by row; a board of Q and full stops, or of ♛ and ·; names
        or coordinates on one line; JSON on one line; CSV with a header. Only JSON tells glued edges, only
        JSON and the drawn boards tell holes.
    wanted : int, optional
        How many queens there must be, for JSON.
    piece : {"queen", "amazon"}
        What they are, for JSON.

    Raises
    ------
    InvalidPuzzle
        If `form` is "columns" and the queens do not stand one in each row.

    Examples
    --------
    >>> format_placement(Board(4), [1, 7, 8, 14], "columns")
    '1 3 0 2'
    >>> print(format_placement(Board(4), [1, 7, 8, 14], "board"))
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    """
    if form in ("board", "unicode"):
        return queens_board(board, squares, unicode=form == "unicode")
    squares = [board.square(square) for square in squares]
    cells = [board.cell(square) for square in squares]
    if form == "columns":
        return _columns(board, cells)
    if form == "names":
        return " ".join(map(board.name, squares))
    if form == "coordinates":
        return " ".join(f"({row},{col})" for row, col in cells)
    if form == "csv":
        rows = (f"{row},{col},{board.name(at)}" for at, (row, col) in zip(squares, cells, strict=True))
        return "\n".join(("row,col,name", *rows))
    if form == "json":
        return json.dumps(
            {
                "kind": "placement",
                "board": board_object(board),
                "piece": piece,
                "queens": wanted,
                "squares": [board.name(square) for square in squares],
                "cells": [list(cell) for cell in cells],
            }
        )
    raise UnknownName("format", form, PLACEMENT_FORMS)


def _from_python(text: str) -> str:
    """Return what Python prints of lists and tuples as one writes them elsewhere: `['.Q', ...]`, `(1, 3, 0, 2)`."""
    if text.lstrip()[:1] == "[" and text.count("[") == 1 and '"' not in text:
        text = text.replace("'", '"')
    return _TUPLE.sub(r"\1", text)


def _columns(board: Board, cells: Sequence[Cell]) -> str:
    if sorted(row for row, _ in cells) != list(range(board.rows)):
        raise InvalidPuzzle(
            "a list of columns needs one queen in every row of the board; use the form 'names' or 'board'"
        )
    return " ".join(str(col) for _, col in sorted(cells))


def _form_of(lines: Sequence[TextLine], board: Board | None) -> str:
    if is_drawing(lines, board):
        return "board"
    content = [line for line in lines if line.text]
    if has_pairs(content):
        return "coordinates"
    if has_names(content):
        return "names"
    words = [split_fields(line.text) for line in content]
    if words and all(len(pair) == 2 for pair in words) and not _are_columns_of_two(words, board):
        return "coordinates"
    # A line of marks among others is a drawing gone wrong; its reader says which mark.
    return "board" if looks_drawn(content) else "columns"


def _are_columns_of_two(words: Sequence[Sequence[str]], board: Board | None) -> bool:
    """Whether lines of two numbers each are columns on a board of two rows, rather than rows and columns."""
    if board is not None:
        return board.rows == 2
    return len(words) == 1 or all(word in ("0", "1", "2") for pair in words for word in pair)


def _claim_of_drawing(drawing: Drawing, board: Board | None) -> PlacementClaim:
    if board is not None:
        if (drawing.rows, drawing.cols) != (board.rows, board.cols):
            raise InvalidText(
                f"the drawn board has {drawing.rows} rows of {drawing.cols} squares, "
                f"but the board is {board.rows}x{board.cols}; draw one mark per square"
            )
        return PlacementClaim(board, drawing.queens)
    board = Board(drawing.rows, drawing.cols, holes=drawing.holes)
    return PlacementClaim(board, drawing.queens, notes=(f"board taken as {board} from the drawing",))


def _claims_of_columns(lines: Sequence[TextLine], board: Board | None) -> list[PlacementClaim]:
    rows: list[list[int]] = []
    for line in lines:
        if line.text and not is_rule(line.text):
            words = split_fields(line.text)
            if len(words) > 1 and not words[-1]:
                words.pop()
            rows.append(numbers_of(words, line.number, _HINT))
    if not rows:
        raise InvalidText(f"the text lists no queens; {_HINT}")
    is_upright = len(rows) > 1 and all(len(row) == 1 for row in rows) and (board is None or board.rows > 1)
    if is_upright:
        rows = [[row[0] for row in rows]]
    return [_claim_of_columns(row, board) for row in rows]


def _claim_of_columns(columns: Sequence[int], board: Board | None) -> PlacementClaim:
    notes = []
    if board is None:
        board = Board(len(columns))
        notes.append(f"board taken as {board} from the number of columns listed")
    base = int(0 not in columns and board.cols in columns)
    if base:
        notes.append(_FROM_ONE)
    cells = tuple((row, col - base) for row, col in enumerate(columns))
    return PlacementClaim(board, cells, notes=tuple(notes))


def _claims_of_list(
    lines: Sequence[TextLine], read: Callable[[TextLine], list[Mark]], board: Board | None
) -> list[PlacementClaim]:
    blocks = [[marks for line in block if (marks := read(line))] for block in blocks_of(lines)]
    by_line = [marks for block in blocks for marks in block]
    if not by_line:
        raise InvalidText(f"the text lists no queens; {_HINT}")
    lengths = {len(marks) for marks in by_line}
    if len(by_line) > 1 and lengths != {1} and len(lengths) == 1:
        groups = by_line
    else:
        groups = [[mark for marks in block for mark in marks] for block in blocks if block]
    return [_claim_of_marks(group, board) for group in groups]


def _claim_of_marks(marks: Sequence[Mark], board: Board | None) -> PlacementClaim:
    """Return the queens of a list; n of them and no board given: n x n, or larger if they reach farther."""
    span = span_of(marks)
    may_count_from_one = not span.has_names and span.lowest > 0
    notes: tuple[str, ...] = ()
    if board is None:
        base = int(may_count_from_one and max(span.rows, span.cols) - 1 == len(marks))
        board = Board(max(span.rows - base, span.cols - base, len(marks)))
        require_within_reach(board, len(marks), wide=True)
        notes = (f"board taken as {board} from the squares",)
    else:
        rows, cols = span.rows - 1, span.cols - 1
        fits = rows <= board.rows and cols <= board.cols
        base = int(may_count_from_one and fits and (rows == board.rows or cols == board.cols))
    if base:
        notes += ("coordinates taken as counted from 1: none is 0 and one is the last",)
    return PlacementClaim(board, cells_of(marks, board.rows, base), notes=notes)


def _claims_of_tables(lines: Sequence[TextLine], board: Board | None) -> list[PlacementClaim]:
    if not has_header(lines):
        raise InvalidText("the CSV has no header; its first line must be row,col,name or one of row,col and name")
    claims = []
    for entries in read_tables(lines):
        names = [entry.name for entry in entries if entry.name]
        pairs = [entry.pair for entry in entries if entry.pair]
        claim = _claim_of_marks(names or pairs, board)
        if names and pairs:
            if board is None:
                # Names count from the bottom, pairs from the top: together they tell the number of rows.
                claim = _claim_of_marks(names, Board(max(names[0].row + pairs[0].row, 1), claim.board.cols))
                require_within_reach(claim.board, len(names), wide=True)
            require_same(claim.cells, cells_of(pairs, claim.board.rows, 0), ("name", "row,col"))
        claims.append(claim)
    return claims


def _claims_of_value(value: object, board: Board | None, depth: int = 1) -> list[PlacementClaim]:
    """Return the placements of any JSON value: an object, a list of columns or squares, or a list of these."""
    if isinstance(value, dict):
        inner = value.get("placements", value.get("answer"))  # the latter is what `solve --json` prints
        if isinstance(inner, dict | list) and depth < _DEEPEST:
            return _claims_of_value(inner, board, depth + 1)
        return [_claim_of_object(value, board)]
    items = list_at(value, "JSON", "a placement: an object, or a list of columns, names or pairs")
    if is_flat_numbers(items[:1]):
        return [_claim_of_columns([number_at(item, f"JSON[{i}]") for i, item in enumerate(items)], board)]
    drawing = _drawing_of_items(items, board)
    if drawing is not None:
        return [_claim_of_drawing(drawing, board)]
    are_pairs = all(isinstance(item, list) and is_flat_numbers(item) and len(item) == 2 for item in items)
    if not are_pairs and depth < _DEEPEST and all(isinstance(item, dict | list) for item in items):
        return [claim for item in items for claim in _claims_of_value(item, board, depth + 1)]
    return [_claim_of_marks(marks_at(items, board, "JSON"), board)]


def _drawing_of_items(items: Sequence[object], board: Board | None) -> Drawing | None:
    """Return the board drawn by a list of strings (`[".Q", ".."]`) or by a matrix of 0 and 1, if it is one."""
    rows = []
    for item in items:
        if isinstance(item, str):
            rows.append(item.strip())
        elif isinstance(item, list) and is_flat_numbers(item) and set(item) <= {0, 1}:
            rows.append("".join(map(str, item)))
        else:
            return None
    lines = [TextLine(number, row) for number, row in enumerate(rows, 1)]
    if "" in rows or not is_drawing(lines, board):
        return None
    return read_drawings(lines)[0]


def _claim_of_object(value: dict[str, object], given: Board | None) -> PlacementClaim:
    kind = value.get("kind", "placement")
    if kind != "placement":
        complain("kind", kind, '"placement"')
    named = board_at(value.get("board"))
    board = given or named
    claim = _queens_of_object(value, board)
    if given is None:
        require_within_reach(claim.board, len(claim.cells), wide=True)
    notes = list(claim.notes)
    if given and named and given != named:
        notes.append(f"the text says {named}, but the board was given as {given}")
    wanted = None if value.get("queens") is None else number_at(value["queens"], "queens")
    piece = value.get("piece")
    if piece is not None and piece not in PLACED_PIECES:
        complain("piece", piece, '"queen" or "amazon"')
    return PlacementClaim(claim.board, claim.cells, wanted, tuple(notes), None if piece is None else str(piece))


def _queens_of_object(value: dict[str, object], board: Board | None) -> PlacementClaim:
    if value.get("columns") is not None:
        columns = list_at(value["columns"], "columns", "a list of columns")
        return _claim_of_columns([number_at(item, f"columns[{i}]") for i, item in enumerate(columns)], board)
    keys = [key for key in ("squares", "cells") if value.get(key) is not None]
    if not keys:
        raise InvalidText('the JSON object has no queens; give "squares", "cells" or "columns"')
    if board is not None and all(value[key] == [] for key in keys):
        return PlacementClaim(board, ())
    lists = [marks_at(list_at(value[key], key, "a list of squares"), board, key) for key in keys]
    claim = _claim_of_marks(lists[0], board)
    if len(lists) == 2:
        require_same(claim.cells, cells_of(lists[1], claim.board.rows, 0), ("squares", "cells"))
    return claim
