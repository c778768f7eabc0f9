"""Object graphs: what an object holds, read from its fields and items and from nothing else."""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import datetime as dt
import decimal
import enum
import functools
import itertools
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from .._declare.artifact import Artifact

__all__ = [
    "COLLECTIONS",
    "LEAVES",
    "children",
    "field_names",
    "field_value",
    "is_leaf_class",
    "iter_artifacts",
]

#: Types whose values hold nothing; they are most of any graph.
LEAVES = frozenset(
    (str, int, float, bool, bytes, type(None), decimal.Decimal, dt.date, dt.datetime, dt.time, dt.timedelta)
)
#: What is looked into item by item, besides maps.
COLLECTIONS = (list, tuple, collections.abc.Set, collections.abc.MutableSequence)
_OPAQUE = (str, bytes, bytearray, enum.Enum, type)
#: What an artifact holds of its own accord: no other artifact is found there.
_OWN_FIELDS = frozenset(attribute.name for attribute in attrs.fields(Artifact))

_MISSING = object()


@functools.cache
def field_names(cls: Any) -> tuple[str, ...]:
    """
    Return the names of the fields of an attrs class or dataclass, on the wire or not; () for other classes.

    A field that the class covers with a property is left out: reading it would run the host's code.
    """
    declaring: Any = cls
    if attrs.has(declaring):
        declared: Iterable[str] = [attribute.name for attribute in attrs.fields(declaring)]
    elif dataclasses.is_dataclass(declaring):
        declared = [field.name for field in dataclasses.fields(declaring)]
    else:
        return ()
    own = _OWN_FIELDS if issubclass(cls, Artifact) else frozenset()
    return tuple(name for name in declared if name not in own and not _is_computed(cls, name))


def _is_computed(cls: type[Any], name: str) -> bool:
    for base in cls.__mro__:
        if name in base.__dict__:
            found = base.__dict__[name]
            return hasattr(type(found), "__set__") and not isinstance(found, types.MemberDescriptorType)
    return False


def field_value(obj: Any, name: str) -> Any:
    """Return what a field holds, without running any code of the host's; None where nothing was set."""
    try:
        return object.__getattribute__(obj, name)
    except AttributeError:
        return None


@functools.cache
def is_leaf_class(cls: Any) -> bool:
    """Return whether the instances of *cls* hold nothing that can be looked into."""
    return issubclass(cls, _OPAQUE) or not (field_names(cls) or issubclass(cls, (*COLLECTIONS, Mapping)))


def children(obj: Any) -> Iterator[Any]:
    """Yield what *obj* holds, in the order in which it is written."""
    cls: Any = type(obj)
    for name in field_names(cls):
        yield field_value(obj, name)
    if isinstance(obj, Mapping):
        yield from itertools.chain.from_iterable(obj.items())
    elif isinstance(obj, COLLECTIONS):
        yield from obj


def iter_artifacts(
    root: Any,
    *,
    instead: Callable[[Artifact], Artifact | None] = lambda artifact: artifact,
    besides: Callable[[Artifact], Iterable[Artifact]] = lambda _artifact: (),
) -> Iterator[Artifact]:
    """
    Yield the artifacts in an object graph, *root* first, each before what it holds.

    Cycles are fine, no nesting is too deep, and the time is linear in the graph.

    Args:
        root: Where to begin: any object.
        instead: Gives the artifact to meet in place of one that was met, in the end that itself, or None
            to pass over it with all that it holds.
        besides: Gives what an artifact holds besides what is found in it.
    """
    seen: dict[int, Any] = {}  # the objects too: an id is theirs while they live
    waiting = [root]
    while waiting:
        obj = waiting.pop()
        cls: Any = type(obj)
        if cls in LEAVES or id(obj) in seen:
            continue
        seen[id(obj)] = obj
        if isinstance(obj, Artifact):
            entered = instead(obj)
            if entered is not obj:
                waiting += [] if entered is None else [entered]
                continue
            yield obj
            waiting += besides(obj)
        if not is_leaf_class(cls):
            waiting += reversed([child for child in children(obj) if type(child) not in LEAVES])
