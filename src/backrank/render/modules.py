"""ES modules joined into one script, for pages that are one file.

A page opened from a file cannot import modules, so those of an exported page are written one after the other, each
after those that it imports, into the scope of one module. That takes three rules, and a module that breaks one is
refused: an import is one line, `import { a, b } from "./c.js";`, without renaming; an export stands before the
declaration that it exports; and no two modules declare the same name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import \{ (\w+(?:, \w+)*) \} from "(\.{1,2}/[\w./-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function\*?|const|let|class) )", re.MULTILINE)
_DECLARED = re.compile(r"^(?:export )?(?:async function|function\*?|const|let|class) (\w+)", re.MULTILINE)
_DOCUMENTATION = re.compile(r"/\*\*.*?\*/ ?\n?", re.DOTALL)
_LEFT = re.compile(r"^(?:import|export)\b.*|\bimport[.(].*", re.MULTILINE)


def joined(entry: str, read: Callable[[str], str]) -> str:
    r"""Return a module and all that it imports as one script, without its documentation.

    Parameters
    ----------
    entry : str
        The path of the module that runs.
    read : callable
        Returns the text of a module by its path.

    Raises
    ------
    ValueError
        If a module does not keep to the rules, or two import each other.

    Examples
    --------
    >>> modules = {"a.js": 'import { two } from "./b.js";\nalert(two);\n', "b.js": "export const two = 2;\n"}
    >>> print(joined("a.js", modules.__getitem__), end="")
    const two = 2;
    alert(two);
    """
    parts: dict[str, str] = {}
    owners: dict[str, str] = {}
    _join(entry, read, parts, owners, ())
    return "".join(parts.values())


def declared(text: str) -> list[str]:
    r"""Return the names that a module declares at its top level.

    Examples
    --------
    >>> declared("export const SIDE = 8;\nfunction* squares() {\n  const inner = 0;\n}\n")
    ['SIDE', 'squares']
    """
    return _DECLARED.findall(text)


def _join(
    path: str, read: Callable[[str], str], parts: dict[str, str], owners: dict[str, str], above: tuple[str, ...]
) -> None:
    """Add a module to the parts, after those that it imports."""
    if path in above:
        raise ValueError(f"modules import each other: {' → '.join((*above, path))}")
    if path in parts:
        return
    text = _DOCUMENTATION.sub("", read(path))
    for names, source in _IMPORT.findall(text):
        imported = normpath(join(dirname(path), source))
        _join(imported, read, parts, owners, (*above, path))
        for name in names.split(", "):
            if owners.get(name) != imported:
                raise ValueError(f"{path} imports {name}, which {imported} does not declare")
    for name in declared(text):
        if name in owners:
            raise ValueError(f"{path} and {owners[name]} both declare {name}")
        owners[name] = path
    text = _EXPORT.sub("", _IMPORT.sub("", text)).lstrip("\n")
    if left := _LEFT.search(text):
        raise ValueError(f"{path} has an import or export that cannot be joined: {left[0]}")
    parts[path] = text
