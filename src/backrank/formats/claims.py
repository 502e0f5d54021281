"""What a text claims to be a tour: nothing is believed yet, and nothing that was written is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backrank.errors import InvalidText
from backrank.formats.grids import Row
from backrank.geometry.board import Board, Cell
from backrank.geometry.pieces import KNIGHT, Piece
from backrank.geometry.verify import Fault, grid_faults, queens_faults, tour_faults

RETURNS = "the last square repeats the first: read as a closed tour"


@dataclass(frozen=True, slots=True)
class TourClaim:
    r"""A tour as somebody wrote it down.

    Attributes
    ----------
    board : Board
        The board given, named in the text, or inferred from it.
    cells : tuple of (row, col)
        The squares in the order of the visits, 0-based, perhaps off the board; empty if a grid was written.
    grid : tuple of rows of (int or None), or None
        The numbers printed on the board, if it was written so.
    first : int
        The number of the first step in the grid, 1 or 0.
    closed : bool or None
        Whether the text says that the tour is closed; None if it says nothing.
    start, end : int or None
        The squares on which the text says that the tour begins and ends.
    piece : Piece or None
        The piece that the text names.
    notes : tuple of str
        What had to be assumed to read the text.

    Examples
    --------
    >>> claim = TourClaim(Board(1, 3), cells=((0, 0), (0, 2)))
    >>> print(*claim.faults(), sep="\n")
    not a move: step 1 to 2, a1 to c1, is not a knight move
    missing squares: 1 of 3 squares is never visited: b1
    """

    board: Board
    cells: tuple[Cell, ...] = ()
    grid: tuple[Row, ...] | None = None
    first: int = 1
    closed: bool | None = None
    start: int | None = None
    end: int | None = None
    piece: Piece | None = None
    notes: tuple[str, ...] = ()

    def faults(
        self, *, closed: bool = False, start: int | None = None, end: int | None = None, piece: Piece | None = None
    ) -> list[Fault]:
        """Return all faults of the claim; none means that it is a tour.

        What the text itself says (closed, start, end, piece) is required too; an argument goes before it.

        Parameters
        ----------
        closed : bool
            Whether the tour must be closed, even if the text does not say so.
        start, end : int, optional
            Squares on which it must begin and end.
        piece : Piece, optional
            The piece; if not given the one that the text names, else the knight.

        Examples
        --------
        >>> [str(fault) for fault in TourClaim(Board(1), grid=((1,),)).faults(closed=True)]
        ['not closed: a closed tour has at least 3 squares, not 1']
        """
        closed = closed or bool(self.closed)
        start = self.start if start is None else start
        end = self.end if end is None else end
        piece = piece or self.piece or KNIGHT
        if self.grid is None:
            return tour_faults(self.board, self.cells, closed=closed, start=start, end=end, piece=piece)
        return grid_faults(self.board, self.grid, closed=closed, start=start, end=end, piece=piece, first=self.first)

    def on(self, board: Board) -> TourClaim:
        """Return the same claim on another board of its shape."""
        return replace(self, board=board)

    def squares(self) -> tuple[int, ...]:
        """Return the squares in the order of the visits.

        Whether each step is a move is not looked at: a wrong tour can be drawn too.

        Raises
        ------
        InvalidSquare
            If a step lies off the board or on a hole.
        InvalidText
            If the grid has another shape than the board, or its numbers are not each there once.

        Examples
        --------
        >>> TourClaim(Board(1, 3), grid=((2, 3, 1),)).squares()
        (2, 0, 1)
        """
        if self.grid is None:
            return tuple(map(self.board.square, self.cells))
        shape = {len(row) for row in self.grid}
        if len(self.grid) != self.board.rows or shape != {self.board.cols}:
            raise InvalidText(f"the grid does not have the shape of the {self.board} board; see its faults")
        where: dict[int, int] = {}
        numbers = (number for row in self.grid for number in row)
        for square, number in enumerate(numbers):
            if number is not None:
                if number in where:
                    raise InvalidText(f"the grid holds {number} twice, so the order of the squares cannot be read")
                where[number] = self.board.square(square)
        ordered = sorted(where)
        if ordered != list(range(self.first, self.first + len(ordered))):
            raise InvalidText(f"the grid skips numbers between {self.first} and {ordered[-1]}; see its faults")
        return tuple(where[number] for number in ordered)


def without_return(claim: TourClaim) -> TourClaim:
    """Return a claim whose list of squares comes back to its first one as the closed tour that it is, without that.

    Only a list with one square more than the board has is taken so; of any other, a square that comes twice is a fault.

    Examples
    --------
    >>> claim = without_return(TourClaim(Board(1, 3), cells=((0, 0), (0, 2), (0, 1), (0, 0))))
    >>> claim.cells, claim.closed, claim.notes
    (((0, 0), (0, 2), (0, 1)), True, ('the last square repeats the first: read as a closed tour',))
    """
    cells = claim.cells
    if claim.closed is False or len(cells) < 4 or len(cells) != len(claim.board) + 1 or cells[0] != cells[-1]:
        return claim
    end = None if claim.end is not None and claim.board.cell(claim.end) == cells[0] else claim.end
    return replace(claim, cells=cells[:-1], closed=True, end=end, notes=(*claim.notes, RETURNS))


@dataclass(frozen=True, slots=True)
class PlacementClaim:
    """A placement of queens as somebody wrote it down.

    Attributes
    ----------
    board : Board
        The board given, named in the text, or inferred from it.
    cells : tuple of (row, col)
        Where the queens stand, 0-based, perhaps off the board.
    queens : int or None
        How many queens the text says there must be.
    notes : tuple of str
        What had to be assumed to read the text.
    piece : str or None
        The piece that the text names: queen or amazon.

    Examples
    --------
    >>> print(*PlacementClaim(Board(2), ((0, 0), (1, 1))).faults())
    same diagonal: a2, b1 stand on one diagonal
    """

    board: Board
    cells: tuple[Cell, ...]
    queens: int | None = None
    notes: tuple[str, ...] = ()
    piece: str | None = None

    def faults(self, *, queens: int | None = None, piece: str | None = None) -> list[Fault]:
        """Return all faults; none means that no two queens attack each other and that none is missing.

        Parameters
        ----------
        queens : int, optional
            How many there must be; if not given what the text says, else the shorter side of the board.
        piece : {"queen", "amazon"}, optional
            If not given the one that the text names, else the queen.

        Examples
        --------
        >>> PlacementClaim(Board(4), ((0, 1), (1, 3), (2, 0), (3, 2))).faults()
        []
        """
        wanted = self.queens if queens is None else queens
        return queens_faults(self.board, self.cells, queens=wanted, piece=piece or self.piece or "queen")

    def squares(self) -> tuple[int, ...]:
        """Return the squares on which the queens stand, in the order in which they were written.

        Raises
        ------
        InvalidSquare
            If one lies off the board or on a hole.

        Examples
        --------
        >>> PlacementClaim(Board(2), ((0, 0), (1, 1))).squares()
        (0, 3)
        """
        return tuple(map(self.board.square, self.cells))

    @property
    def standing(self) -> int:
        """How many queens stand on the board, or off it."""
        return len(self.cells)
