"""What a failed writing says: the class, the cause, and the fields by their size, never the object itself."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Set as AbstractSet
from typing import Any

import attrs

from .._declare.forms import is_composite
from .._declare.metadata import field_info
from .._wording import counted, cut, found, join_path, printable, type_name
from ..errors import SerializationError

__all__ = ["UnwritableError", "serialization_error"]

_MAX_PREFIX_CHARS = 200
_MAX_FIELDS_SHOWN = 40
_MAX_STEPS_SHOWN = 20


class UnwritableError(TypeError):
    """A value has no JSON form; on its way up it collects the steps that lead to it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.steps: list[str] = []

    def at(self, step: str) -> UnwritableError:
        """Return the error with the step from the value that holds its place."""
        self.steps.append(step)
        return self

    @property
    def path(self) -> str:
        """The place, like ``lines[3].price``."""
        steps = [
            *self.steps[-1 : -_MAX_STEPS_SHOWN - 1 : -1],
            *(["..."] if len(self.steps) > _MAX_STEPS_SHOWN else []),
        ]
        return functools.reduce(_joined, steps, "")


def _joined(path: str, step: str) -> str:
    return path + step if step.startswith("[") else join_path(path, step)


def serialization_error(obj: Any, error: BaseException) -> SerializationError:
    """Return the error for *obj*, which could not be written because of *error*."""
    message = f"Could not write {type(obj).__name__}: {_cause(error)}"
    fields = _fields(obj)
    return SerializationError(f"{message}. Its fields: {fields}" if fields else message)


def _cause(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "it contains itself or is nested too deeply"
    if isinstance(error, UnwritableError):
        return f"{error.path}: {error}" if error.path else str(error)
    if isinstance(error, SerializationError):
        return cut(str(error), 1000)
    text = _text_of(error)
    if isinstance(error, ValueError) and "integer string conversion" in text:
        return "it holds an integer of more digits than Python prints (sys.set_int_max_str_digits)"
    return f"{type_name(type(error))}: {cut(text, _MAX_PREFIX_CHARS)}"


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  its text is the host's code
        return "no text"


def _fields(obj: Any) -> str:
    if not is_composite(type(obj)):
        return ""
    declared = attrs.fields(type(obj)) if attrs.has(type(obj)) else dataclasses.fields(obj)
    names = [attribute.name for attribute in declared if not field_info(attribute.metadata).ignore]
    shown = [f"{name}: {_field_size(obj, name)}" for name in names[:_MAX_FIELDS_SHOWN]]
    if len(names) > _MAX_FIELDS_SHOWN:
        shown.append(f"and {len(names) - _MAX_FIELDS_SHOWN} more")
    return "; ".join(shown)


def _field_size(obj: Any, name: str) -> str:
    try:
        return _sized(getattr(obj, name))
    except Exception as error:  # noqa: BLE001  a property or descriptor is the host's code
        return f"unreadable ({type_name(type(error))})"


def _sized(value: Any) -> str:
    """Return *value* by its size: no collection is printed, and no more than a prefix of a text."""
    if isinstance(value, str):
        rest = "..." if len(value) > _MAX_PREFIX_CHARS else ""
        return f'string of {counted(len(value), "character")} "{printable(value[:_MAX_PREFIX_CHARS])}{rest}"'
    if isinstance(value, (Mapping, list, tuple, AbstractSet, bytes, bytearray)):
        return f"{type(value).__name__} of {len(value)}"
    if value is None or isinstance(value, (bool, int, float)):
        return found(value)
    if is_composite(type(value)) or hasattr(value, "__len__") or hasattr(value, "__iter__"):
        return f"an instance of {type(value).__name__}"
    return cut(repr(value), _MAX_PREFIX_CHARS)
