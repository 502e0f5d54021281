"""One closed tour for every shape of block that `construct` lays side by side.

A block is joined to its neighbours by *ports*: one edge of its tour on each side, at the same place in blocks of
every size, so that any two neighbours fit. With cells relative to the nearest corner of the block, they are

    top     (0, 0) - (1, 2)                 bottom  (h-2, 1) - (h-1, 3)
    left    (0, 0) - (2, 1)                 right   (1, w-2) - (3, w-1)

Between a block and the one below it, the first square of `bottom` is one move from the first of `top`, and the second
from the second: take both edges out, put these two moves in, and two cycles are one. So it is with `right` and `left`.
The top and left ports are in every closed tour, since a corner has two moves only; the others had to be found.

A walk that comes in through one port and leaves through the opposite one meets the latter's squares in some order. In
each tour here that is the same order as at the port where it came in, so that all blocks of a row or a
column look alike and a step can be found without walking there.

Found by random search; nothing of it is believed: a test checks every tour and port. Boards of 5 rows take
blocks of 10 columns and more, because no closed tour of 5x6 fits; 5x6 and 5x8 stand alone and have no ports.
"""

from __future__ import annotations

from functools import lru_cache

from backrank.geometry.board import Cell
from backrank.geometry.pieces import KNIGHT

# From the top left corner, the moves as positions in KNIGHT.steps; shapes with more rows than columns are transposed.
_MOVES = {
    (5, 6): "565302450673501474213541762410",
    (5, 8): "5473530277104750147126046530277203772410",
    (5, 10): "56035562401535367221574221546014653135641176242410",
    (5, 12): "535357424240153655314147501456203604562372401465140353662410",
    (5, 14): "5353537624062421363742037730365501723560367242424015515537424114264410",
    (5, 16): "53535357424215724240413714267351175532053672027265351063242456205624140353662410",
    (5, 18): "535354045335360662420354055154057513603672424224506203762136601575351171574213762424242410",
    (6, 6): "763035474171024763372403067530145042",
    (6, 7): "765151042675172263530142451750426715501242",
    (6, 8): "735462355104750127142467353230424506751542413142",
    (6, 9): "714763535063230447105364035474027104671451453510242632",
    (6, 10): "765171024557226317324601355067510475012714242675353263104242",
    (6, 11): "714565144172321555542273530145066006046735117710244750037750124242",
    (7, 8): "75124765351240146750133646403375403650106324267635310242",
    (7, 10): "7673503633026226506750104765172413753211723605674172362004156306730242",
    (8, 8): "7632172353767424054172154510574132772362015127142465305502674012",
    (8, 9): "763376336420232353541740245176460155064535100366302426765063535063026002",
    (8, 10): "76753262101535367641112673064636030466010353744140573026453742635351450630104242",
    (8, 11): "7675045063502015353723676420206513265721553027772021763276517241263060124767353510124242",
    (9, 10): "714767515413246415023354510654245553010245156764171010622463550066504671453363501014242632",
    (10, 10): "7676506327333021271536767405422275311304156767240053541762400531424147532621035371762410566212712632",
    (
        10,
        11,
    ): "76765101315367272621024767635353065012304226774601157651111244747273115104242676753531471264110306457240215142",
}


def shapes() -> list[tuple[int, int]]:
    """Return the shapes, rows × columns, of which a closed tour is kept, both ways up."""
    return sorted({*_MOVES, *((cols, rows) for rows, cols in _MOVES)})


@lru_cache(maxsize=64)
def closed_walk(rows: int, cols: int) -> tuple[Cell, ...]:
    """Return a closed tour of a block as its cells in order, from the top left corner.

    Examples
    --------
    >>> closed_walk(6, 6)[:3], closed_walk(6, 6)[-1]
    (((0, 0), (2, 1), (4, 0)), (1, 2))
    """
    if rows > cols:
        return tuple((row, col) for col, row in closed_walk(cols, rows))
    row = col = 0
    cells = []
    for digit in _MOVES[rows, cols]:
        cells.append((row, col))
        down, right = KNIGHT.steps[int(digit)]
        row, col = row + down, col + right
    return tuple(cells)
