"""Holding: the artifacts that one artifact holds of itself, and which of them its text brings back."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from .._declare.artifact import Artifact
from .._declare.classes import class_spec
from .._declare.forms import AnyForm, ArrayForm, CompositeForm, Form, ScalarForm
from .._write.annotated import iter_forms
from ..errors import SchemaError
from .graph import COLLECTIONS, LEAVES, field_names, field_value, is_leaf_class
from .places import ANYTHING, Forms, entry_forms, forms_of, item_forms, places_in

__all__ = ["held_by"]

#: A part of an object: its value, what its place declares, and whether reading makes an object of it.
_Part = tuple[Any, Forms, bool]


def held_by(artifact: Artifact) -> tuple[list[Artifact], list[Artifact]]:
    """
    Return the artifacts that *artifact* holds, other than through another artifact.

    Returns:
        Those that reading its text brings back where they are, because an artifact is declared there; and
        all others, which stand in untyped data, in a key, in an object of a class that nothing declares,
        or off the wire.
    """
    read: list[Artifact] = []
    unread: list[Artifact] = []
    own: Any = type(artifact)
    if _is_closed(own):
        return read, unread
    seen: set[tuple[int, Forms, bool]] = set()
    waiting = [*_parts(artifact, forms_of(own), readable=True)][::-1]
    while waiting:
        obj, forms, readable = waiting.pop()
        cls: Any = type(obj)
        if cls in LEAVES or is_leaf_class(cls):
            continue
        readable = readable and _is_read_as(cls, forms)
        if isinstance(obj, Artifact):
            (read if readable else unread).append(obj)
            continue
        step = (id(obj), forms, readable)
        if step not in seen:
            seen.add(step)
            waiting += [*_parts(obj, forms, readable=readable)][::-1]
    return read, unread


@functools.cache
def _is_closed(cls: Any) -> bool:
    """Return whether no artifact of *cls* can hold another one."""
    return not (_open_places(cls, forms_of(cls)) or issubclass(cls, (Mapping, *COLLECTIONS)))


@functools.cache
def _is_read_as(cls: Any, forms: Forms) -> bool:
    """Return whether what is written of a *cls*, in a place of *forms*, is read as an object like it."""
    if any(isinstance(form, AnyForm) for form in forms):
        return False
    classes = tuple(form.cls for form in forms if isinstance(form, CompositeForm))
    if issubclass(cls, Artifact):
        return issubclass(cls, classes)
    return cls in classes or not field_names(cls)


def _parts(obj: Any, forms: Forms, *, readable: bool) -> Iterator[_Part]:
    """Yield what a composite or a collection holds; a composite is not read with items of its own."""
    cls: Any = type(obj)
    if field_names(cls):
        yield from _fields(obj, forms, readable=readable)
        readable = False
    if isinstance(obj, Mapping):
        values = entry_forms(forms)[1]
        for key, value in obj.items():
            yield key, ANYTHING, False
            yield value, values, readable
    elif isinstance(obj, COLLECTIONS):
        same = item_forms(forms, 0) if all(isinstance(form, ArrayForm) for form in forms) else None
        for index, item in enumerate(obj):
            if type(item) not in LEAVES:
                yield item, same or item_forms(forms, index), readable


def _fields(obj: Any, forms: Forms, *, readable: bool) -> Iterator[_Part]:
    cls: Any = type(obj)
    for name, inner, on_wire in _open_places(cls, forms):
        yield field_value(obj, name), inner, readable and on_wire


@functools.cache
def _open_places(cls: Any, forms: Forms) -> tuple[tuple[str, Forms, bool], ...]:
    """Return the fields that may hold an artifact, each with its forms and whether it is on the wire."""
    try:
        on_wire = {field.name for field in class_spec(cls).fields}
    except SchemaError:  # it stands in untyped data and cannot be described
        on_wire = set()
    places = [(name, inner, name in on_wire) for name, _, inner in places_in(cls, forms)]
    return tuple(
        (name, inner, is_on_wire)
        for name, inner, is_on_wire in places
        if not is_on_wire or any(map(_may_hold, inner))
    )


@functools.cache
def _may_hold(form: Form) -> bool:
    """Return whether an artifact may be held where *form* is declared; what breaks it is not read at all."""
    return any(
        isinstance(part, (AnyForm, CompositeForm)) or (isinstance(part, ScalarForm) and not part.leaf.shipped)
        for part in iter_forms(form)
    )
