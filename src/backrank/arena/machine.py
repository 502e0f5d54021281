"""Describe a machine as far as times depend on it: processor, cores, memory, versions; no host name, no paths."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from backrank.runtime.cpu import available_threads

_CPU = Path("/proc/cpuinfo")
_MARKS = re.compile(r"\((?:R|TM|C)\)|\b(?:CPU|Processor)\b|@.*", re.IGNORECASE)


def machine() -> dict[str, str]:
    """Describe this machine.

    Examples
    --------
    >>> sorted(machine())
    ['cores', 'memory', 'numba', 'numpy', 'processor', 'python', 'system']
    """
    import psutil  # noqa: PLC0415 - loaded when something is measured

    memory = psutil.virtual_memory().total / 2**30
    return {
        "processor": processor(),
        "cores": str(available_threads()),
        "memory": f"{memory:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": _version("numpy"),
        "numba": _version("numba"),
    }


def processor() -> str:
    """Return the model of the processor, or `unknown`."""
    try:
        lines = _CPU.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    told = next((line.partition(":")[2] for line in lines if line.startswith("model name")), "")
    return " ".join(_MARKS.sub(" ", told or platform.processor() or platform.machine()).split()) or "unknown"


def slug(described: dict[str, str]) -> str:
    """Return a part of a file name for a machine.

    Examples
    --------
    >>> slug({"processor": "AMD EPYC 9R14", "cores": "2"})
    'amd-epyc-9r14-2-cores'
    """
    words = f"{described.get('processor', 'unknown')} {described.get('cores', '?')} cores"
    return "-".join(re.findall(r"[a-z0-9]+", words.lower()))


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Return the differences of two machines in words; memory is left out.

    Examples
    --------
    >>> differences({"cores": "2", "numba": "0.61"}, {"cores": "4", "numba": "0.61"})
    ['cores 2, then 4']
    """
    names = [name for name in {**one, **other} if name != "memory"]
    return [
        f"{name} {one.get(name, '?')}, then {other.get(name, '?')}"
        for name in names
        if one.get(name) != other.get(name)
    ]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
