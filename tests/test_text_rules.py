"""Files of the project name no package index and no folder of one developer's machine, and are the project's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = (
    *("src", "tests", "docs", "benchmarks", "examples", ".ci"),
    *("README.md", "CHANGELOG.md", "Makefile", "pyproject.toml", "constraints.txt", "mkdocs.yml"),
)
# Made by tools beside the files of the project, and ignored by version control.
MADE = {"__pycache__", "node_modules", "htmlcov", "site", "build", "dist"}

INDEX = re.compile(rb"https?://[^ \"]+/(simple|packages)/")
HOME = re.compile(rb"(?<![\w.])(/(home|Users)/[\w.-]+/|/root/[\w.-]+|[A-Za-z]:\\\\?Users\\\\?[\w.-]+)")
# Results of releases grow by a line for each measured case.
LARGE = re.compile(r"benchmarks/results/.+\.json|tests/net/recorded/.+\.json")
MAX_BYTES = 200_000
BUILT = re.compile(r"\.min\.\w+$|\.(whl|zip|tar\.\w+|so|dll|exe|woff2?)$")


def here(root: Path) -> re.Pattern[bytes]:
    """Matches the absolute path of a folder, and of what is in it."""
    return re.compile(rb"(?<![\w./-])" + re.escape(str(root).encode()) + rb"(?![\w-])")


def files(root: Path) -> Iterator[Path]:
    """All files of the project, those that tools leave there left out."""
    for place in PLACES:
        top = root / place
        inner = [top] if top.is_file() else sorted(path for path in top.rglob("*") if path.is_file())
        for path in inner:
            folders = path.relative_to(top).parts[:-1]
            if not any(name in MADE or name.startswith(".") or name.endswith(".egg-info") for name in folders):
                yield path


def offences(root: Path) -> list[str]:
    """Every line that breaks a rule, as `file:line: what`."""
    rules = [("a package index", INDEX), ("a home folder", HOME)]
    # A repository right below the root of the file system has a name that may well be a word of some text.
    if len(root.parts) > 2:
        rules.append(("where the repository is", here(root)))
    return [
        f"{path.relative_to(root)}:{number}: {what}"
        for path in files(root)
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1)
        for what, rule in rules
        if rule.search(line)
    ]


def foreign(root: Path) -> list[str]:
    """Every file that is too large to be written by hand, or that a tool built, by its path."""
    return [
        path
        for path, size in ((found.relative_to(root).as_posix(), found.stat().st_size) for found in files(root))
        if BUILT.search(path) or (size > MAX_BYTES and not LARGE.fullmatch(path))
    ]


def test_files_are_written_here() -> None:
    assert foreign(ROOT) == []


def test_large_and_built_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "tests" / "assets").mkdir(parents=True)
    (tmp_path / "tests" / "assets" / "small.min.js").write_text("0;")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "large.js").write_bytes(b" " * (MAX_BYTES + 1))
    (tmp_path / "src" / "small.js").write_bytes(b" " * MAX_BYTES)
    assert foreign(tmp_path) == ["src/large.js", "tests/assets/small.min.js"]


def test_files_name_no_index_and_no_machine() -> None:
    assert offences(ROOT) == []


def test_the_files_looked_at_are_those_of_the_project() -> None:
    found = {str(path.relative_to(ROOT)) for path in files(ROOT)}
    assert found >= {"README.md", "pyproject.toml", "src/backrank/geometry/board.py", "tests/test_text_rules.py"}
    assert "tests/data/queens.counts" in found
    assert not any("__pycache__" in name or name.endswith(".pyc") for name in found)


BAD = [
    "https:" + "//example.org/simple/",
    "--index-url http:" + "//10.0.0.1:8080/root/pypi/" + "simple/",
    "https:" + "//files.example.org/packages/ab/cd/x.whl",
    "/ho" + "me/ada/board.txt",
    "see '/Us" + "ers/ada/x'",
    "C:" + "\\Users\\ada",
    "C:" + "\\\\Users\\\\ada",
    "/ro" + "ot/.cache",
]


@pytest.mark.parametrize("text", BAD)
@pytest.mark.parametrize(
    "name", ["README.md", "src/backrank/geometry/board.py", "docs/deep/er/page.md", ".ci/run", "tests/x.bin"]
)
def test_bad_lines_are_found(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\xff\xfe first\n" + text.encode() + b"\nlast\n")
    assert [offence.partition(": ")[0] for offence in offences(tmp_path)] == [f"{name}:2"]


def test_the_place_of_the_repository_is_found(tmp_path: Path) -> None:
    for number, text in enumerate([f"{tmp_path}/src", f'cd "{tmp_path}"', f"root={tmp_path}\n"]):
        (tmp_path / "README.md").write_text(text, encoding="utf-8")
        assert "README.md:1: where the repository is" in offences(tmp_path), number


@pytest.mark.parametrize(
    "text",
    [
        "https://oeis.org/A000170",
        "https://example.org/a-simple/thing and packages/ here",
        "import backrank.formats",
        "from https://example.org to src/simple/ one",
        "docs/home/page.md",
        "GET /home",
        "~/backrank",
    ],
)
def test_good_lines_pass(tmp_path: Path, text: str) -> None:
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    assert offences(tmp_path) == []


def test_what_tools_leave_is_not_looked_at(tmp_path: Path) -> None:
    for name in ("src/__pycache__", "docs/.cache", "src/x.egg-info", "benchmarks/node_modules/y"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file.txt").write_text(BAD[0], encoding="utf-8")
    assert offences(tmp_path) == []
