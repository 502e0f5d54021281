"""The public names, their signatures, methods, fields and members are those that are recorded."""

from __future__ import annotations

import difflib

from net.signatures import PACKAGES, RECORDED, described


def test_public_signatures() -> None:
    before, now = RECORDED.read_text(encoding="utf-8").splitlines(), described()
    change = "\n".join(difflib.unified_diff(before, now, "recorded", "now", lineterm="", n=1))
    assert not change, f"python tests/net/signatures.py records anew\n{change}"


def test_every_package_is_recorded() -> None:
    text = RECORDED.read_text(encoding="utf-8")
    for package in PACKAGES:
        assert f"{package}." in text
    assert "backrank.KnightTours.count(" in text
    assert "backrank.FaultKind." in text
