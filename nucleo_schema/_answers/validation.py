"""Validation: the required members that an instance leaves empty, at every depth."""

from __future__ import annotations

import collections
import enum
from collections.abc import Iterable, Iterator, Mapping, Set as AbstractSet
from typing import Any

from .._declare.artifact import Artifact
from .._declare.classes import class_spec
from .._declare.forms import enum_wire_form, is_composite
from .._read.composites import refuse_empty
from .._read.mismatch import Mismatch
from .._read.modes import PLAIN, ReadMode
from .._wording import join_path, path_ends
from .._write.leaves import key_text
from ..errors import Problem

__all__ = ["as_entries", "missing_members"]

#: An instance that holds one object in many places could name it without end.
_MAX_PROBLEMS = 10_000


def missing_members(instance: Any, mode: ReadMode = PLAIN) -> list[Problem]:
    """
    Return a problem for each required member that is None or a blank text, at its path.

    An empty collection is a valid "nothing found". Artifacts are not entered: they are a tool's. What is
    expected is told in the terms in which the instance was read.
    """
    problems: list[Problem] = []
    for path, value in _iter_parts(instance):
        if is_composite(type(value)):
            problems += _empty_members(path, value, mode)
        if len(problems) >= _MAX_PROBLEMS:
            break
    return problems


def as_entries(problems: Iterable[Problem], instance: Any) -> Iterator[Problem]:
    """Yield the problems of an instance, each by the path of the entries that a model wrote for its maps."""
    entries: dict[str, str] = {}
    for path, value in _iter_parts(instance):
        if isinstance(value, Mapping):
            for index, key in enumerate(value):
                entries[join_path(path, _key(key))] = join_path(join_path(path, index), "value")
    for problem in problems:
        path = problem.path
        for end in reversed(path_ends(path)):
            path = entries.get(path[:end], path[:end]) + path[end:]  # the innermost first
        yield Problem(path, problem.message)


def _iter_parts(instance: Any) -> Iterator[tuple[str, Any]]:
    """Yield an instance and everything in it, each part before what is in that, with its path."""
    on_path: set[int] = set()
    waiting: list[tuple[str | None, Any]] = [("", instance)]
    while waiting:
        path, value = waiting.pop()
        if path is None:  # everything inside has been looked at
            on_path.discard(id(value))
        elif id(value) not in on_path and not isinstance(value, Artifact):
            yield path, value
            parts = list(_parts(path, value))
            if parts:
                on_path.add(id(value))
                waiting += [(None, value), *reversed(parts)]


def _empty_members(path: str, value: Any, mode: ReadMode) -> Iterator[Problem]:
    for field in class_spec(type(value)).fields:
        if field.required:
            try:
                refuse_empty(field, getattr(value, field.name), mode)
            except Mismatch as error:
                yield Problem(join_path(path, field.wire_name), str(error))


def _parts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if is_composite(type(value)):
        for field in class_spec(type(value)).fields:
            yield join_path(path, field.wire_name), getattr(value, field.name)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield join_path(path, _key(key)), item
    elif isinstance(value, (list, tuple, collections.deque, AbstractSet)):
        for index, item in enumerate(value):
            yield join_path(path, index), item


def _key(key: Any) -> str:
    return key_text(enum_wire_form(key) if isinstance(key, enum.Enum) else key) or str(key)
