"""What the arena makes of its measurements: growth, comparisons, pictures; and published values counted anew."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from backrank.arena.cases import Case, Series, folder, read_series
from backrank.arena.comparing import _newest, compared, newest_shipped, read_results
from backrank.arena.growth import fitted, memory_growth, time_growth
from backrank.arena.judging import judged
from backrank.arena.machine import differences, machine, slug
from backrank.arena.report import markdown, picture, table
from backrank.arena.timing import DONE, FORMAT, MISSING, OVER, SKIPPED, WRONG, Results, Timing
from backrank.errors import BudgetExceeded, InvalidPuzzle, InvalidText
from backrank.published.values import FOLDER, Published, published_values, read_published
from backrank.render.plot import Panel, PlotLine, line_plots_svg
from backrank.runtime.budget import Budget
from backrank.selftest import methods as ways
from backrank.selftest.methods import WAYS, Way
from backrank.selftest.recounts import Verdict, checks, not_recounted, run_checks
from counts import DATA, all_counts

SVG = "{http://www.w3.org/2000/svg}"
MACHINE = {"processor": "Abacus", "cores": "2", "python": "CPython 3.11.7", "numba": "0.61", "numpy": "2.0"}


def timing(size: int, cpu: float, entrant: str = "bits", **more: object) -> Timing:
    known = {"seconds": cpu, "cpu": cpu, "runs": 3, "yardstick": 0.001, "peak": 50_000_000, "held": 20_000_000}
    return Timing("queens-count", str(size), size, entrant, **{**known, **more})  # type: ignore[arg-type]  # by name


def results(*timings: Timing, **more: object) -> Results:
    known = {"version": "1.0", "machine": MACHINE, "limit": 1.0, "complete": True}
    return Results(**{**known, **more}, timings=timings)  # type: ignore[arg-type]  # by name


QUEENS = read_series(["queens-count"])


# --- growth ----------------------------------------------------------------------------------------


def test_a_factor_for_each_unit_is_found() -> None:
    law = time_growth([timing(n, 0.01 * 5.0**n) for n in range(4)], "linear")
    assert law is not None
    assert (round(law.factor, 9), law.points, str(law)) == (5.0, 4, "x 5.00")


def test_a_power_of_the_size_is_found() -> None:
    law = time_growth([timing(2**n, 0.01 * 2.0 ** (1.5 * n)) for n in range(1, 5)], "log")
    assert law is not None
    assert (round(law.factor, 9), str(law)) == (1.5, "size^1.5")


def test_trifles_do_not_bend_the_law() -> None:
    trifles = [timing(n, 0.0005) for n in range(4)]
    law = time_growth([*trifles, *(timing(n, 0.002 * 3.0 ** (n - 4)) for n in range(4, 8))], "linear")
    assert law is not None
    assert (round(law.factor, 9), law.points) == (3.0, 4)


def test_two_points_and_wrong_answers_are_no_law() -> None:
    assert time_growth([timing(n, 0.1 * n) for n in (1, 2)], "linear") is None
    assert time_growth([timing(n, 0.1 * n, status=WRONG) for n in (1, 2, 3)], "linear") is None
    assert fitted([], "linear") is None


def test_memory_grows_beyond_what_was_held() -> None:
    law = memory_growth([timing(n, 1.0, peak=20_000_000 + 3_000_000 * 2**n) for n in range(4)], "linear")
    assert law is not None
    assert round(law.factor, 9) == 2.0
    assert memory_growth([timing(n, 1.0, peak=20_500_000) for n in range(4)], "linear") is None


# --- comparing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "yardstick", "verdict"),
    [
        (0.1, 0.001, "same"),
        (0.2, 0.001, "slower"),
        (0.05, 0.001, "faster"),
        (0.2, 0.002, "same"),
        (0.1, 0.002, "faster"),
    ],
)
def test_changes_are_told_in_yardsticks(now: float, yardstick: float, verdict: str) -> None:
    beside = compared(results(timing(8, now, yardstick=yardstick)), results(timing(8, 0.1)), "old")
    assert [change.verdict for change in beside.changes] == [verdict]


def test_trifles_are_the_same_and_not_part_of_the_mean() -> None:
    now = results(timing(8, 0.00004), timing(9, 0.2))
    beside = compared(now, results(timing(8, 0.00001), timing(9, 0.1)), "old")
    assert [change.verdict for change in beside.changes] == ["same", "slower"]
    assert beside.mean == pytest.approx(2.0)
    assert compared(results(), results(), "old").mean is None


def test_only_what_both_have_timed_is_compared() -> None:
    now = results(timing(8, 0.1), timing(9, 0.1, status=WRONG), timing(10, 0.1), timing(11, 0.1))
    then = results(timing(8, 0.1), timing(9, 0.1), timing(10, 0.1, status=OVER, runs=0))
    assert [change.now.case for change in compared(now, then, "old").changes] == ["8"]


def test_another_machine_is_noted() -> None:
    beside = compared(results(), results(machine={**MACHINE, "python": "CPython 3.14.0"}), "old")
    assert beside.differs == ("python CPython 3.14.0, then CPython 3.11.7",)
    assert "not the same machine" in table(results(), QUEENS, beside)
    assert differences(MACHINE, {**MACHINE, "memory": "1 GiB"}) == []


def test_the_newest_release_of_such_a_machine_is_taken() -> None:
    names = ("0.9.0-abacus-2-cores", "0.10.0-sliderule-1-cores", "0.10.0-abacus-2-cores", "0.2.0-abacus-2-cores")
    paths = [Path(f"{name}.json") for name in names]
    assert _newest(paths, "abacus-2-cores") == paths[2]
    newest = _newest(paths, "quipu-9-cores")
    assert newest is not None
    assert newest.stem.startswith("0.10.0-")
    assert _newest([], "abacus") is None


def test_results_go_into_json_and_back(tmp_path: Path) -> None:
    before = results(timing(8, 0.125, answer="92"), timing(9, 0.0, status=SKIPPED, runs=0, note="after 8"))
    path = tmp_path / "old.json"
    path.write_text(json.dumps(before.to_dict()), encoding="utf-8")
    assert read_results(path) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "is not what 'backrank bench -o FILE' writes"),
        (json.dumps({"timings": [], "machine": {}, "format": 99}), f"this version reads {FORMAT}"),
        (json.dumps({"timings": [{}], "machine": {}, "format": FORMAT}), "is not what"),
    ],
)
def test_what_holds_no_results_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "old.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidText, match=message):
        read_results(path)
    with pytest.raises(InvalidText, match="cannot read"):
        read_results(tmp_path / "none.json")


def test_a_machine_is_described_without_its_name() -> None:
    import platform

    described = machine()
    assert int(described["cores"]) >= 1
    assert all(described.values())
    assert platform.node() not in json.dumps(described).split()
    assert slug(described).endswith(f"-{described['cores']}-cores")


# --- what is shipped -------------------------------------------------------------------------------


def test_results_of_a_release_are_shipped_and_right() -> None:
    path = newest_shipped(machine())
    assert path is not None
    found = read_results(path)
    assert found.complete
    assert found.wrong == ()
    assert path.stem == f"{found.version}-{slug(found.machine)}"
    assert found.timings == judged(found.timings, read_series())
    assert {entry.series for entry in found.timings} == {series.name for series in read_series()}


def test_the_published_values_are_those_of_the_tests() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.counts")) == sorted(path.name for path in DATA.glob("*.counts"))
    for path in DATA.glob("*.counts"):
        assert (FOLDER / path.name).read_bytes() == path.read_bytes()


def test_published_values_are_read_as_the_tests_read_them() -> None:
    mine = [(each.kind, each.size, each.value, each.source) for each in read_published()]
    assert mine == [(each.kind, each.size_text, each.value, each.source) for each in all_counts()]
    for each, other in zip(read_published(), all_counts(), strict=True):
        assert (each.rows, each.cols, each.queens, each.start) == other.size
    assert published_values("nothing") == {}


@pytest.mark.parametrize("line", ["queens.all 8", "queens.all 8 many A", "queens.all 8x 92 A000170"])
def test_lines_that_are_no_values_are_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.counts").write_text(f"# comment\n\n{line}\n", encoding="utf-8")
    with pytest.raises(InvalidText, match=r"a\.counts, line 3"):
        read_published(tmp_path)


# --- tables and pictures ---------------------------------------------------------------------------

MEASURED = results(
    *(timing(n, 0.001 * 4.0 ** (n - 6), peak=20_000_000 + 4_000_000 * 2 ** (n - 6)) for n in (6, 7, 8)),
    timing(6, 0.1, "lines"),
    timing(7, 0.0, "lines", status=OVER, runs=0, note="more than 1 s"),
    timing(8, 0.0, "lines", status=SKIPPED, runs=0, note="after 7"),
    timing(6, 0.05, "rows", seconds=0.025, peak=90_000_000),
    timing(7, 0.06, "rows", seconds=0.03, peak=95_000_000),
    timing(8, 0.0, "rows", status=WRONG, note="93, but 92 is published"),
    *(timing(n, 0.0, "tails", status=MISSING, runs=0, note="no such engine") for n in (6, 7, 8)),
)


def test_the_table_tells_times_limits_growth_and_what_is_wrong() -> None:
    lines = table(MEASURED, QUEENS).splitlines()
    assert lines[0] == "Counting all placements of n queens (queens-count)"
    assert lines[1].split() == ["queens", "6", "7", "8", "wall", "per", "queen", "memory"]
    assert lines[2].split()[:7] == ["bits", "1.0", "ms", "4.0", "ms", "16", "ms"]
    assert "x 4.00" in lines[2]
    assert "36 MB, x 2.00" in lines[2]
    assert lines[3].split()[:7] == ["lines", "100", "ms", ">", "1", "s", "–"]
    assert "WRONG" in lines[4]
    assert "30 ms" in lines[4]
    assert lines[5].split() == ["tails", "missing", "missing", "missing"]
    assert "WRONG: queens-count 8, rows: 93, but 92 is published" in lines
    assert "tails in queens-count: no such engine" in lines
    assert any("Abacus, 2 cores" in line for line in lines)


def test_the_table_tells_what_has_changed() -> None:
    then = results(timing(6, 0.001), timing(7, 0.002), timing(6, 0.1, "lines"), version="0.9")
    told = table(MEASURED, QUEENS, compared(MEASURED, then, "then.json"))
    assert "since 0.9" in told
    assert "7: 2.0 x slower" in told
    assert "as before" in told


def test_markdown_has_tables_and_ideas() -> None:
    text = markdown(MEASURED, QUEENS)
    assert "\n## Counting all placements of n queens\n\n| queens | 6 | 7 | 8 | wall |" in text
    assert "](" not in text
    assert "](plots/bench.svg)" in markdown(MEASURED, QUEENS, image="plots/bench.svg")
    assert "- `bits`: Count with one int for the attacked squares of a row, in Python." in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1


def test_the_picture_has_a_line_for_everybody_with_a_time() -> None:
    drawn = picture(MEASURED, QUEENS)
    root = ET.fromstring(drawn)  # noqa: S314 - we wrote it
    names = [str(text.text) for text in root.iter(f"{SVG}text") if "name" in (text.get("class") or "")]
    assert sorted(names) == ["bits", "bits", "lines", "rows", "rows"], "time and memory"
    assert len(list(root.iter(f"{SVG}polyline"))) == 4
    assert "prefers-color-scheme:dark" in drawn


def test_nothing_timed_is_nothing_drawn() -> None:
    with pytest.raises(InvalidPuzzle, match="nothing has been timed"):
        picture(results(), QUEENS)


def test_names_in_a_plot_do_not_lie_on_each_other() -> None:
    lines = [PlotLine(f"line {n}", [(1, 0.1), (2, 0.1 + n / 1e6)], n) for n in range(8)]
    root = ET.fromstring(  # noqa: S314 - we wrote it
        line_plots_svg([Panel("Close <together>", "n", "linear", lines, str)], title="Names & such")
    )
    names = [text for text in root.iter(f"{SVG}text") if "name" in (text.get("class") or "")]
    heights = sorted(float(text.get("y") or 0) for text in names)
    assert len(names) == 8
    assert all(after - before >= 13.9 for before, after in pairwise(heights))
    assert len({text.get("class") for text in names}) == 8


def test_a_plot_of_one_point_is_a_mark() -> None:
    for scale in ("linear", "log"):
        drawn = line_plots_svg([Panel("One", "n", scale, [PlotLine("a", [(8, 1.0)], 0)], str)], title="One")
        assert drawn.count('class="m s0"') == 1
        assert "nan" not in drawn


# --- published values, counted anew ----------------------------------------------------------------


def value(kind: str, size: str) -> Published:
    return next(each for each in read_published() if (each.kind, each.size) == (kind, size))


def test_every_way_counts_what_is_published() -> None:
    """The least value that each way reaches, so that no way goes untried."""
    for way in WAYS:
        reached = [each for each in read_published() if each.rows > 0 and way.reaches(each, deep=True)]
        assert reached, way.name
        if way.quick:
            least = min(reached, key=way.size)
            assert way.count(least, Budget()) == least.value, (way.name, least)


def test_every_check_has_two_ways_and_every_kind_is_counted_or_named() -> None:
    for deep in (False, True):
        found = checks(deep=deep)
        assert all(len({way.name for way in chosen}) >= 2 for _, chosen in found)
        assert {each.kind for each, _ in found} | set(not_recounted()) >= {way.kind for way in WAYS if way.quick}
    kinds = {each.kind for each in read_published()}
    assert kinds == {way.kind for way in WAYS} | set(not_recounted())
    assert len(checks()) > 200


def test_deep_checks_are_those_and_more() -> None:
    quick = {(each.kind, each.size) for each, _ in checks()}
    assert quick < {(each.kind, each.size) for each, _ in checks(deep=True)}


def test_who_disagrees_is_told() -> None:
    eight = value("queens.all", "8")
    liar = Way("liar", "queens.all", lambda published, _: published.value + 1, ways.side, 8, 8)
    (check,) = run_checks([(eight, [WAYS[0], liar])])
    assert not check.agrees
    assert str(check).startswith("WRONG  queens.all 8 = 92 (A000170): tutorial gave 92; liar gave 93")


def test_what_breaks_is_wrong_and_what_is_not_installed_is_not() -> None:
    def broken(_published: Published, _budget: Budget) -> int:
        raise RuntimeError("out of\nluck")

    def missing(_published: Published, _budget: Budget) -> int:
        raise ImportError("no module named 'engine'", name="engine")

    def torn(_published: Published, _budget: Budget) -> int:
        raise ImportError("cannot import", name="backrank.kernels.nothing")

    eight = value("queens.all", "8")
    for function, agrees, words in (
        (broken, False, "broken: RuntimeError: out of luck"),
        (missing, True, "not installed (no module named 'engine') alone"),
        (torn, False, "torn: ImportError"),
    ):
        way = Way(function.__name__, "queens.all", function, ways.side, 8, 8)
        (check,) = run_checks([(eight, [WAYS[0], way])])
        assert check.agrees is agrees
        assert words in str(check)
    (check,) = run_checks([(eight, [Way("missing", "queens.all", missing, ways.side, 8, 8)])])
    assert not check.agrees, "nobody counted it"


def test_checks_can_be_cancelled() -> None:
    budget = Budget(cancelled=lambda: True, interval=0)
    with pytest.raises(BudgetExceeded):
        list(run_checks([(value("queens.all", "10"), [way for way in WAYS if way.name == "bits"])], budget))


def test_a_verdict_is_passed_only_if_all_is_right() -> None:
    assert Verdict(3, 0, 1.0).passed
    assert not Verdict(3, 1, 1.0).passed
    assert not Verdict(0, 0, 1.0).passed
    assert not Verdict(3, 0, 1.0, complete=False).passed
    assert "1 of 3" in str(Verdict(3, 1, 1.0))


def test_the_files_of_the_arena_are_where_they_are_looked_for() -> None:
    assert (folder("cases") / "queens-count.json").is_file()
    assert isinstance(QUEENS[0], Series)
    assert isinstance(QUEENS[0].cases[0], Case)
    assert DONE == "done"


@pytest.mark.deep
def test_all_deep_checks_agree() -> None:
    wrong = [str(check) for check in run_checks(checks(deep=True)) if not check.agrees]
    assert wrong == []
