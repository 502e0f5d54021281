"""One set of modules draws boards, on the page of the app and on exported pages."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import backrank
from backrank.render.html import ENTRY
from backrank.render.modules import declared, joined
from backrank.web.files import found

PACKAGE = Path(backrank.__file__).parent
EXPORTED, APP = PACKAGE / "render" / "static", PACKAGE / "web" / "static"
MODULES = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.js")}
DRAWS = re.compile(r'getContext\("2d"\)|\bnew Path2D|\bs\("(?:rect|circle|text|path|g)"')
FUNCTION = re.compile(
    r"^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+) = (?:async )?(?:\([^)]*\)|\w+) =>)", re.MULTILINE
)
# Icons, the sign of the app, and the profile of depths, which are no boards.
OTHER_DRAWINGS = {"web/static/widgets/icons.js", "web/static/main.js", "render/static/page.js"}


def functions(text: str) -> list[str]:
    """The functions that a module declares at its top level, in either form."""
    return [match[1] or match[2] for match in FUNCTION.finditer(text)]


def test_functions_of_both_forms_are_found() -> None:
    text = "export function* a() {\n  function inner() {}\n}\n"
    text += "const b = ([x]) => x;\nexport const c = x => x;\nlet d = 3;\n"
    assert functions(text) == ["a", "b", "c"]


def test_no_function_is_defined_twice() -> None:
    assert len(MODULES) > 40
    counted = Counter(name for text in MODULES.values() for name in functions(text))
    assert counted["cellOf"] == counted["createView"] == counted["makeTexts"] == 1
    assert {name for name, times in counted.items() if times > 1} == set()


def test_every_picture_of_a_board_is_made_by_the_shared_modules() -> None:
    drawing = {name for name, text in MODULES.items() if DRAWS.search(text)}
    assert {name for name in drawing if not name.startswith("render/static/board/")} == OTHER_DRAWINGS
    assert {name for name, text in MODULES.items() if re.search(r"\bcreate(Svg|Canvas)View\(", text)} == {
        f"render/static/board/{name}.js" for name in ("svg", "canvas", "view")
    }
    users = {name for name, text in MODULES.items() if "createView(" in text and not name.endswith("board/view.js")}
    assert users == {"render/static/player.js", "web/static/widgets/board.js"}


def test_shared_modules_know_nothing_of_the_pages_around_them() -> None:
    for name, text in MODULES.items():
        if name.startswith("render/static/board/"):
            assert all(source.startswith("./") for source in re.findall(r'from "([^"]+)"', text)), name
    assert not (APP / "board").exists()


def test_the_server_has_the_shared_files_and_no_others_of_exported_pages() -> None:
    for path in (EXPORTED / "board").iterdir():
        file = found(f"board/{path.name}")
        assert file is not None
        assert file.read_bytes() == path.read_bytes()
    for name in ("player.js", "page.js", "run.js", "player.html", "texts.json", "board/../player.js", "board"):
        assert found(name) is None


def test_exported_pages_carry_the_shared_modules_whole() -> None:
    script = joined(ENTRY, lambda name: (EXPORTED / name).read_text(encoding="utf-8"))
    carried = set(declared(script))
    for name, text in MODULES.items():
        if name.startswith("render/static/"):
            assert set(declared(text)) <= carried, name
    assert "/**" not in script
    assert "</" not in script
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)


@pytest.mark.parametrize(
    ("modules", "fault"),
    [
        ({"a.js": 'import { b as c } from "./b.js";\n'}, "cannot be joined"),
        ({"a.js": 'import * as b from "./b.js";\n'}, "cannot be joined"),
        ({"a.js": 'import {\n  b,\n} from "./b.js";\n'}, "cannot be joined"),
        ({"a.js": "const a = 1;\nexport { a };\n"}, "cannot be joined"),
        ({"a.js": "export default 1;\n"}, "cannot be joined"),
        ({"a.js": 'const b = await import("./b.js");\n'}, "cannot be joined"),
        ({"a.js": 'import { b } from "./b.js";\n', "b.js": "export const c = 1;\n"}, "which b.js does not declare"),
        (
            {"a.js": 'import { b } from "./b.js";\nconst c = 2;\n', "b.js": "export const b = 1;\nconst c = 1;\n"},
            "both",
        ),
        ({"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}, "import each other"),
    ],
)
def test_modules_that_cannot_be_joined_are_refused(modules: dict[str, str], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        joined("a.js", modules.__getitem__)


def test_a_module_that_two_import_is_there_once_and_before_them() -> None:
    modules = {
        "a.js": 'import { b } from "./lib/b.js";\nimport { c } from "./c.js";\nb(c);\n',
        "lib/b.js": '/**\n * Text.\n */\nimport { c } from "../c.js";\n\nexport function b() {\n  return c;\n}\n',
        "c.js": "export const c = /** @type {number} */ (1);\n",
    }
    assert joined("a.js", modules.__getitem__) == "const c = (1);\nfunction b() {\n  return c;\n}\nb(c);\n"
