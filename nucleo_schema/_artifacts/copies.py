"""Copies of what cannot be altered: frozen classes and tuples, made without their constructors."""

from __future__ import annotations

import functools
import types
from typing import Any

import attrs

from .._declare.classes import forget_hash

__all__ = ["copied", "is_frozen_class", "tuple_like"]


@functools.cache
def is_frozen_class(cls: Any) -> bool:
    """Return whether attrs or dataclasses keep the instances of *cls* from being altered."""
    if attrs.has(cls):
        return getattr(cls.__setattr__, "__name__", "") == "_frozen_setattrs"
    params = getattr(cls, "__dataclass_params__", None)
    return bool(params is not None and params.frozen)


def copied(obj: Any) -> Any:
    """Return a copy of a composite with all its state, made without its constructor."""
    cls: Any = type(obj)
    copy = object.__new__(cls)
    for slot in _slots(cls).values():
        try:
            slot.__set__(copy, slot.__get__(obj))
        except AttributeError:  # noqa: PERF203  nothing was set there
            continue
    _copy_dict(obj, copy)
    return copy


def _copy_dict(obj: Any, copy: Any) -> None:
    state = getattr(obj, "__dict__", {})
    for name, value in state.items():
        object.__setattr__(copy, name, value)
    forget_hash(copy)  # what is rebuilt has another


@functools.cache
def _slots(cls: Any) -> dict[str, types.MemberDescriptorType]:
    return {
        name: member
        for base in cls.__mro__
        for name, member in base.__dict__.items()
        if isinstance(member, types.MemberDescriptorType)
    }


def tuple_like(obj: Any, items: list[Any]) -> Any:
    """Return a tuple of the class of *obj*, a named one too."""
    copy = tuple.__new__(type(obj), items)
    _copy_dict(obj, copy)
    return copy
