"""How values fit forms: of the very JSON kind, of the kind of container, or as they would be written."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Mapping, Sequence, Set as AbstractSet
from decimal import Decimal
from pathlib import PurePath
from typing import Any
from uuid import UUID

from .._declare.forms import (
    AnyForm,
    ArrayForm,
    CompositeForm,
    EnumForm,
    Form,
    LiteralForm,
    MapForm,
    NullableForm,
    ScalarForm,
    TupleForm,
    UnionForm,
)
from .choices import wire_choices
from .modes import ReadMode

__all__ = ["closeness", "is_as_asked", "is_as_written", "is_container", "is_exactly"]


def is_exactly(form: Form, value: Any) -> bool:
    """Return whether *value* is of the very JSON kind that *form* stands for."""
    if isinstance(form, (LiteralForm, EnumForm)):
        return any(type(wire) is _json_type(value) and wire == value for wire in wire_choices(form))
    if isinstance(form, ScalarForm):
        kind = _json_type(value)
        if form.leaf.type is float:
            return kind in (int, float)
        return kind is form.leaf.type or type(value) is form.leaf.type
    return False


def closeness(form: Form) -> int:
    """Return how closely a form fits what it fits exactly; the lowest is the closest."""
    if isinstance(form, (LiteralForm, EnumForm)):
        return 0
    return 2 if isinstance(form, ScalarForm) and form.leaf.type is float else 1


def _json_type(value: Any) -> type[Any]:
    return next((kind for kind in (str, bool, int, float) if isinstance(value, kind)), type(value))


def is_as_written(result: Any, value: Any) -> bool:
    """Return whether *result* is *value* as it stands, or what would be written as that."""
    if isinstance(value, list):
        if not isinstance(result, (Sequence, AbstractSet)) or len(result) != len(value):
            return False
        if isinstance(result, AbstractSet):
            return all(any(is_as_written(item, element) for item in result) for element in value)
        return all(map(is_as_written, result, value))
    if isinstance(value, Mapping):
        return (
            type(result) is dict
            and result.keys() == value.keys()
            and all(is_as_written(result[key], element) for key, element in value.items())
        )
    if isinstance(value, str) and not isinstance(result, str):
        return _is_text_of(result, value)
    return type(result) is _json_type(value) and bool(result == value)


def is_as_asked(form: Form, result: Any, value: Any, mode: ReadMode) -> bool:
    """Return the same of what *form* made of *value* where a dialect says how that is to be written."""
    if isinstance(form, NullableForm):
        return result is None or is_as_asked(form.inner, result, value, mode)
    if isinstance(form, UnionForm):
        return any(is_as_asked(member, result, value, mode) for member in form.members)
    if isinstance(form, AnyForm) and mode.has_texts and isinstance(value, str):
        return True
    if isinstance(form, MapForm) and isinstance(result, Mapping):
        pairs = _pairs_in(value, mode)
        return len(pairs) == len(result) and all(
            is_as_written(key, name) and is_as_asked(form.value, item, element, mode)
            for (key, item), (name, element) in zip(result.items(), pairs, strict=True)
        )
    if isinstance(form, (ArrayForm, TupleForm)) and isinstance(result, Sequence) and isinstance(value, list):
        forms = form.items if isinstance(form, TupleForm) else itertools.repeat(form.item)
        return all(is_as_asked(*parts, mode) for parts in zip(forms, result, value, strict=False))
    return is_as_written(result, value)


def _pairs_in(value: Any, mode: ReadMode) -> list[tuple[Any, Any]]:
    """Return the names and the values in what was read as a map: in entries, or in the object that it is."""
    if isinstance(value, Mapping):
        return list(value.items())
    entries = value if mode.has_entries and isinstance(value, list) else []
    return [(entry["key"], entry["value"]) for entry in entries if isinstance(entry, Mapping)]


def _is_text_of(result: Any, text: str) -> bool:
    """Return whether *text* is how a value of the standard library is written, or all that it says."""
    if isinstance(result, dt.datetime):
        has_time = result.tzinfo is not None or result.time() != dt.time.min
        return has_time or result.isoformat() == text
    if isinstance(result, (dt.date, dt.time)):
        return result.isoformat() == text
    return isinstance(result, (Decimal, UUID, PurePath)) and str(result) == text


def is_container(form: Form, value: Any, *, entries: bool) -> bool:
    """Return whether *form* holds the JSON kind of *value*; with *entries* a map is an array as well."""
    if isinstance(value, Mapping):
        return isinstance(form, (MapForm, CompositeForm))
    arrays = (ArrayForm, TupleForm, MapForm) if entries else (ArrayForm, TupleForm)
    return isinstance(value, (list, tuple)) and isinstance(form, arrays)
