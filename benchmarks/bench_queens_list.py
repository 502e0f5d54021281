"""How fast placements of queens are listed: into arrays, one of each class, and as text.

    python benchmarks/bench_queens_list.py [--sides 12 13 14 15] [--text 14] [--first 28 30] [--repeat 5]

Rates are placements a second of processor time on one core, kernels compiled, the best of several runs: into arrays
with the tables for the last rows made anew, and with them kept from the run before. Ratios are to the bit-parallel
kernel that counts the same board in the same run, which goes through half of it and writes nothing down.
"""

from __future__ import annotations

from functools import partial
from itertools import islice

from backrank import Queens
from backrank.queens.backtracking import tails
from backrank.queens.listing import text as lines
from backrank.queens.listing.arrays import Columns
from backrank.queens.listing.text import BlockWriter
from harness import Namespace, Report, Script, Table, fail, measure_call, option, time_call
from queens_bits_jit import count_queens

MARK = (14, 5.0)  # queens, millions of placements a second
LONG = 60.0  # seconds: more than all the runs of a line take


def listed(side: int, *, fundamental: bool = False, anew: bool = False) -> int:
    """List a board into arrays, and count them."""
    if anew:
        tails.forget()
    return sum(len(array) for array in Queens(side).iter_arrays(fundamental=fundamental))


def arrays(report: Report, table: Table, side: int, repeat: int) -> None:
    """Print a line for a board."""
    bits, expected = measure_call(lambda: int(count_queens(side)), most=repeat, share=LONG)
    anew, number = measure_call(lambda: listed(side, anew=True), most=repeat, share=LONG)
    kept, again = measure_call(lambda: listed(side), most=repeat, share=LONG)
    least, classes = measure_call(lambda: listed(side, fundamental=True), most=repeat, share=LONG)
    if not expected == number == again:
        fail(f"n = {side}: {expected}, {number} and {again} are not the same")
    rates = [number / taken.best_cpu / 1e6 for taken in (anew, kept)]
    name = f"{side} queens, millions a second"
    after = report.mark(name, rates[1], MARK[1], least=True, unit=" million/s") if side == MARK[0] else ""
    table.row(side, number, *rates, bits.best_cpu / kept.best_cpu, classes, least.best_cpu, after=after)


def written(columns: list[Columns], block: BlockWriter) -> int:
    """Return how many bytes all lines have."""
    return sum(len(block(array, 1)) for array in columns)


def text(report: Report, side: int, repeat: int) -> None:
    """Print how fast the lines are made."""
    columns = list(Queens(side).iter_arrays())
    number = sum(map(len, columns))
    writers = {"columns": lines.columns_block, "csv": lines.table_writer(Queens(side).board)}
    table = report.table("text:<8", "M/s:8.2f", "MB/s:8.0f")
    for name, block in writers.items():
        taken, size = measure_call(partial(written, columns, block), most=repeat, share=LONG)
        table.row(name, number / taken.best_cpu / 1e6, size / taken.best_cpu / 1e6)


def first(report: Report, sides: list[int]) -> None:
    """Print how long it takes to reach the first placement in lexicographic order."""
    table = report.table("first of:8d", "seconds:9.2f", "columns:<30")
    for side in sides:
        taken, found = time_call(lambda n=side: next(iter(Queens(n))))  # type: ignore[misc]  # the side of this turn
        table.row(side, taken.cpu, f"{' '.join(map(str, found.columns[:10]))} ...")


def run(report: Report, options: Namespace) -> None:
    """Print all tables."""
    repeat = options.repeat or report.sized(quick=2, normal=5)
    count_queens(6)
    for side in (8, 17):  # compiles for words of both sizes
        list(islice(Queens(side).iter_arrays(chunk=10, fundamental=True), 1))
    report.note("millions of placements a second: tables made anew, tables kept; ratio to the bit kernel that counts")
    table = report.table(
        "n:3d", "placements:11,d", "anew:8.2f", "kept:8.2f", "ratio:7.2f", "classes:10,d", "seconds:9.3f"
    )
    for side in options.sides or report.sized(quick=[10], normal=[12, 13, 14, 15]):
        arrays(report, table, side, repeat)
    text(report, options.text or report.sized(quick=10, normal=14), repeat)
    first(report, options.first or report.sized(quick=[16], normal=[28, 30, 32]))


SCRIPT = Script(
    __doc__,
    run,
    (
        option("--sides", type=int, nargs="*", help="boards that are listed"),
        option("--text", type=int, help="board that is written as text"),
        option("--first", type=int, nargs="*", help="boards whose first placement is looked for"),
        option("--repeat", type=int, help="runs of which the best is taken"),
    ),
)

if __name__ == "__main__":
    SCRIPT.main()
