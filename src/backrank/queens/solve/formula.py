"""One placement without any search: a formula for every board but 2×2 and 3×3.

Go down the rows by knight's moves: columns 1, 3, 5, … and then 0, 2, 4, …. That is a solution of n × n unless n
leaves 2 or 3 when divided by 6, or n - 1 does for odd n; those need a little change at the seam. The
version here follows E. J. Hoffman, J. C. Loessi and R. C. Moore, "Constructions for the solution of the m queens
problem", Mathematics Magazine 42 (1969). A rectangle with more columns than rows takes the first rows of a square one
that has as many columns.

Two rungs: :func:`columns` makes a list, and :func:`columns_array` the same as an array, ten million in a blink.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def columns(rows: int, cols: int) -> list[int] | None:
    """Return a column for the queen of each row on a plain board with rows ≤ cols; None if there is no placement.

    Cost: proportional to `cols`.

    Examples
    --------
    >>> columns(8, 8), columns(3, 3), columns(2, 3)
    ([1, 3, 5, 7, 2, 0, 6, 4], None, [0, 2])
    """
    if cols >= 4 or cols == 1:
        return _square(cols)[:rows]
    if rows == 1:
        return [0]
    return [0, 2] if (rows, cols) == (2, 3) else None


def _square(side: int) -> list[int]:
    """Return a placement on a square board of side 1 or at least 4."""
    even, odd = list(range(1, side, 2)), list(range(0, side, 2))
    rest = side % 6
    if rest == 2:
        # 0 and 2 change places, 4 goes last: 2 0 6 8 … 4.
        odd[:2] = odd[1::-1]
        odd.append(odd.pop(2))
    elif rest == 3:
        even.append(even.pop(0))
        odd += [odd.pop(0), odd.pop(0)]
    return even + odd


def columns_array(rows: int, cols: int) -> npt.NDArray[np.int32] | None:
    """Return the same as :func:`columns` as an array.

    Cost: proportional to `cols`; 4 bytes a column, made in place.

    Examples
    --------
    >>> columns_array(8, 8), columns_array(3, 3)
    (array([1, 3, 5, 7, 2, 0, 6, 4], dtype=int32), None)
    """
    import numpy as np  # noqa: PLC0415 - kept from who does not need it

    if cols < 4 and cols != 1:
        small = columns(rows, cols)
        return None if small is None else np.array(small, np.int32)
    half = cols // 2
    array = np.arange(cols, dtype=np.int32)
    array += array
    array[:half] += 1  # 1 3 5 ...
    array[half:] -= 2 * half  # 0 2 4 ...
    rest = cols % 6
    odd = array[half:]
    if rest == 2:
        odd[:2] = 2, 0
        odd[2:-1], odd[-1] = odd[3:].copy(), 4
    elif rest == 3:
        array[: half - 1], array[half - 1] = array[1:half].copy(), 1
        odd[:-2], odd[-2:] = odd[2:].copy(), (0, 2)
    return array[:rows]
