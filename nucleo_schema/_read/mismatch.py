"""The one exception of coercions: a value that is not what a place expects."""

from __future__ import annotations

from typing import Any

from .._wording import found

__all__ = ["Mismatch", "mismatch"]


class Mismatch(ValueError):  # noqa: N818  internal: always translated into a Problem
    """A value does not fit; the text says what was found and what was expected, without a path."""


def mismatch(value: Any, expected: str) -> Mismatch:
    """Return the exception for *value* where *expected* was wanted."""
    return Mismatch(f"found {found(value)}, expected {expected}")
