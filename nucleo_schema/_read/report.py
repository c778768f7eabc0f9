"""Reports: from the exceptions that cattrs hooks raise to problems with wire paths."""

from __future__ import annotations

from typing import Any

from cattrs.errors import AttributeValidationNote, IterableValidationNote

from .._declare.classes import class_spec
from .._declare.forms import is_composite
from .._wording import cut, join_path
from ..errors import Problem
from .mismatch import Mismatch
from .tags import TagMismatchError

__all__ = ["problems_of"]

#: The notes of cattrs that tell a place.
_PLACES = (AttributeValidationNote, IterableValidationNote)


def problems_of(error: BaseException) -> tuple[Problem, ...]:
    """Return everything that *error* says is wrong, each with its path, in document order."""
    problems: list[Problem] = []
    waiting: list[tuple[BaseException, str]] = [(error, "")]
    while waiting:
        current, path = waiting.pop()
        inner = getattr(current, "exceptions", None)
        if inner is None:
            problems.append(_problem(current, path))
        else:
            cls = getattr(current, "cl", None)
            waiting += [(sub, _step(sub, cls, path)) for sub in reversed(inner)]
    return tuple(problems)


def _step(error: BaseException, cls: Any, path: str) -> str:
    """Return the path of *error*, which a group of *cls* at *path* holds."""
    notes = [note for note in getattr(error, "__notes__", ()) if isinstance(note, _PLACES)]
    if not notes:
        return path
    note = notes[-1]  # the outermost place was noted last
    if isinstance(note, AttributeValidationNote):
        return join_path(path, _wire_name(cls, note.name))
    return join_path(path, note.index if isinstance(note.index, int) else str(note.index))


def _wire_name(cls: Any, name: str) -> str:
    if not is_composite(cls):
        return name
    return next((spec.wire_name for spec in class_spec(cls).fields if spec.name == name), name)


def _problem(error: BaseException, path: str) -> Problem:
    if isinstance(error, TagMismatchError):
        return Problem(join_path(path, error.wire_name), error.message)
    if isinstance(error, Mismatch):
        return Problem(path, str(error))
    text = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
    return Problem(path, cut(text or type(error).__name__, 200))
