"""The fuzz targets hold on their seeds and on everything that was ever found, without the fuzzer."""

from __future__ import annotations

from pathlib import Path

import pytest

from .targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
INPUTS = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_target_holds_on_its_seeds(path: Path) -> None:
    """A folder is a target, and a file in it an input."""
    TARGETS[path.parent.name](path.read_bytes())


def test_every_target_has_seeds() -> None:
    """And every folder has a target."""
    assert {path.parent.name for path in INPUTS} == set(TARGETS)
