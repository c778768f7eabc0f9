"""Validation: the required members that an instance leaves empty, at every depth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set as AbstractSet
from typing import Any

from .._declare.artifact import Artifact
from .._declare.classes import class_spec
from .._declare.forms import enum_wire_form, is_composite
from .._read.composites import expected_of
from .._wording import join_path
from .._write.leaves import key_text

__all__ = ["missing_members"]


def missing_members(instance: Any) -> list[str]:
    """
    Return a line for each required member that is None or a blank text, named by its path.

    An empty collection is a valid "nothing found". Artifacts are not entered: they are a tool's.
    """
    lines: list[str] = []
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [("", instance)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Artifact) or id(value) in seen:
            continue
        if is_composite(type(value)):
            seen.add(id(value))
            lines += _empty_members(path, value)
        waiting += reversed(list(_parts(path, value, seen)))
    return lines


def _empty_members(path: str, value: Any) -> Iterator[str]:
    for field in class_spec(type(value)).fields:
        if field.required:
            member = getattr(value, field.name)
            if member is None or (isinstance(member, str) and not member.strip()):
                what = "missing" if member is None else "blank"
                place = join_path(path, field.wire_name)
                yield f"{place}: required but {what}, expected {expected_of(field)}"


def _parts(path: str, value: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if is_composite(type(value)):
        for field in class_spec(type(value)).fields:
            yield join_path(path, field.wire_name), getattr(value, field.name)
    elif isinstance(value, Mapping) and id(value) not in seen:
        seen.add(id(value))
        for key, item in value.items():
            yield join_path(path, _key(key)), item
    elif isinstance(value, (list, tuple, AbstractSet)) and id(value) not in seen:
        seen.add(id(value))
        for index, item in enumerate(value):
            yield join_path(path, index), item


def _key(key: Any) -> str:
    import enum  # noqa: PLC0415

    return key_text(enum_wire_form(key) if isinstance(key, enum.Enum) else key) or str(key)
