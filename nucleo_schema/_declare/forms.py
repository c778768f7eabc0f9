"""Forms: the closed set that annotations come to, and that everything else works on."""

from __future__ import annotations

import dataclasses
import enum
from typing import (
    Any,
    TypeAlias,
    get_args,
    get_origin,
)

import attrs
from attrs import frozen

from .leaves import Leaf, find_leaf
from .metadata import Width

__all__ = [
    "AnyForm",
    "ArrayForm",
    "CompositeForm",
    "EnumForm",
    "Form",
    "LiteralForm",
    "MalformedAnnotationError",
    "MapForm",
    "NullableForm",
    "ScalarForm",
    "TupleForm",
    "UnionForm",
    "UnsupportedAnnotationError",
    "composite_class",
    "enum_wire_form",
    "is_composite",
    "is_null",
]


class UnsupportedAnnotationError(TypeError):
    """An annotation has no JSON form that we know; the text says why."""


class MalformedAnnotationError(UnsupportedAnnotationError):
    """An annotation means nothing, to us or to anybody else."""


@frozen(eq=False)
class AnyForm:
    """Untyped data."""

    annotation: Any


@frozen(eq=False)
class ScalarForm:
    """A leaf; *width* bounds an annotated integer."""

    annotation: Any
    leaf: Leaf
    width: Width | None = None


@frozen(eq=False)
class EnumForm:
    """A member of an enumeration, by its wire form."""

    annotation: Any
    cls: type[enum.Enum]


@frozen(eq=False)
class LiteralForm:
    """One of a few values; members of enumerations among them travel in their wire form."""

    annotation: Any
    values: tuple[Any, ...]


@frozen(eq=False)
class ArrayForm:
    """Any number of items in a *container*."""

    annotation: Any
    item: Form
    container: type[Any]


@frozen(eq=False)
class TupleForm:
    """As many items as there are places."""

    annotation: Any
    items: tuple[Form, ...]


@frozen(eq=False)
class MapForm:
    """Values under keys that travel as member names."""

    annotation: Any
    key: Form
    value: Form
    container: type[Any]


@frozen(eq=False)
class CompositeForm:
    """An attrs class or dataclass, possibly parametrized."""

    annotation: Any
    cls: type[Any]


@frozen(eq=False)
class NullableForm:
    """Another form, or null."""

    annotation: Any
    inner: Form


@frozen(eq=False)
class UnionForm:
    """One of several forms."""

    annotation: Any
    members: tuple[Form, ...]


Form: TypeAlias = (
    AnyForm
    | ScalarForm
    | EnumForm
    | LiteralForm
    | ArrayForm
    | TupleForm
    | MapForm
    | CompositeForm
    | NullableForm
    | UnionForm
)

_NONE = type(None)


def is_composite(cls: Any) -> bool:
    """
    Return whether *cls* is a class with members of its own: an attrs class or a dataclass.

    This is the one leaf test that describing, reading and writing share. Primitives, enumerations,
    containers and value types are leaves, and so is a type taught with ``register_leaf``. A parametrized
    generic counts as its class does. It never raises.
    """
    return composite_class(cls) is not None


def composite_class(cls: Any) -> type[Any] | None:
    """Return the class behind *cls*, plain or parametrized, when it is a composite."""
    origin = cls if isinstance(cls, type) and not get_args(cls) else get_origin(cls)
    if not isinstance(origin, type) or find_leaf(origin) is not None or issubclass(origin, enum.Enum):
        return None
    return origin if attrs.has(origin) or dataclasses.is_dataclass(origin) else None


def is_null(form: Any) -> bool:
    """Return whether None is the only value of *form*."""
    return isinstance(form, ScalarForm) and form.leaf.type is _NONE


def enum_wire_form(member: enum.Enum) -> str:
    """Return the wire form of *member*: its value when that is a string, otherwise its name."""
    return str.__str__(member.value) if isinstance(member.value, str) else member.name
