"""The closed set of shapes that a description is made of, and their words in the notation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import attrs
from attrs import frozen

from .described import Described

__all__ = [
    "AnyShape",
    "ArrayShape",
    "ChoiceShape",
    "MapShape",
    "NullableShape",
    "ObjectShape",
    "ReferenceShape",
    "ScalarShape",
    "Shape",
    "TupleShape",
    "UnionShape",
    "alias_of",
    "by_reference",
    "child_shapes",
    "iter_shapes",
    "label_of",
]


@frozen(eq=False)
class AnyShape:
    """Untyped data; *is_artifact* where the declaration says that it is an artifact."""

    examples: tuple[Any, ...] = ()
    is_artifact: bool = False


@frozen(eq=False)
class ScalarShape:
    """A leaf, with its word and its JSON Schema node."""

    label: str
    json_schema: Mapping[str, Any]
    examples: tuple[Any, ...] = ()


@frozen(eq=False)
class ChoiceShape:
    """One of a few values, in wire form; *json_type* is None where they are of several types."""

    values: tuple[Any, ...]
    json_type: str | None
    examples: tuple[Any, ...] = ()


@frozen(eq=False)
class ArrayShape:
    """Any number of items."""

    item: Shape
    examples: tuple[Any, ...] = ()


@frozen(eq=False)
class TupleShape:
    """As many items as there are places."""

    items: tuple[Shape, ...]
    examples: tuple[Any, ...] = ()


@frozen(eq=False)
class MapShape:
    """Values under member names; *key* says what those spell."""

    key: Shape
    value: Shape
    examples: tuple[Any, ...] = ()


@frozen(eq=False)
class ObjectShape:
    """A composite, described in full."""

    definition: Described
    examples: tuple[Any, ...] = ()


@frozen(eq=False)
class ReferenceShape:
    """
    A composite on the path, by its name; *alias* is that of an artifact.

    *is_artifact* where the declaration of the place says that it holds an artifact.
    """

    name: str
    alias: str | None
    is_artifact: bool = False
    examples: tuple[Any, ...] = ()


@frozen(eq=False)
class NullableShape:
    """Another shape, or null."""

    inner: Shape
    examples: tuple[Any, ...] = ()


@frozen(eq=False)
class UnionShape:
    """One of several shapes."""

    members: tuple[Shape, ...]
    examples: tuple[Any, ...] = ()


Shape: TypeAlias = (
    AnyShape
    | ScalarShape
    | ChoiceShape
    | ArrayShape
    | TupleShape
    | MapShape
    | ObjectShape
    | ReferenceShape
    | NullableShape
    | UnionShape
)


def child_shapes(shape: Shape) -> tuple[Shape, ...]:
    """Return the shapes that *shape* is made of; the members of an object are not among them."""
    if isinstance(shape, ArrayShape):
        return (shape.item,)
    if isinstance(shape, MapShape):
        return (shape.key, shape.value)
    if isinstance(shape, NullableShape):
        return (shape.inner,)
    if isinstance(shape, TupleShape):
        return shape.items
    return shape.members if isinstance(shape, UnionShape) else ()


def iter_shapes(shape: Shape) -> Iterator[Shape]:
    """Yield *shape* and everything that it is made of, objects not entered."""
    yield shape
    for child in child_shapes(shape):
        yield from iter_shapes(child)


def by_reference(shape: Shape) -> Shape:
    """Return *shape* with an artifact wherever it holds an object or untyped data, as its alias says."""
    change = _BY_REFERENCE.get(type(shape))
    return shape if change is None else change(shape)


def _all_by_reference(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    return tuple(map(by_reference, shapes))


#: A scalar holds no artifact's content.
_BY_REFERENCE: dict[type[Any], Callable[[Any], Shape]] = {
    AnyShape: lambda shape: attrs.evolve(shape, is_artifact=True),
    ReferenceShape: lambda shape: attrs.evolve(shape, is_artifact=True),
    ObjectShape: lambda shape: attrs.evolve(
        shape, definition=attrs.evolve(shape.definition, is_artifact=True)
    ),
    ArrayShape: lambda shape: attrs.evolve(shape, item=by_reference(shape.item)),
    MapShape: lambda shape: attrs.evolve(shape, value=by_reference(shape.value)),
    NullableShape: lambda shape: attrs.evolve(shape, inner=by_reference(shape.inner)),
    TupleShape: lambda shape: attrs.evolve(shape, items=_all_by_reference(shape.items)),
    UnionShape: lambda shape: attrs.evolve(shape, members=_all_by_reference(shape.members)),
}


def label_of(shape: Shape) -> str:
    """Return the words for *shape* in the notation, like ``array of Line``."""
    return _LABELS[type(shape)](shape)


def _tuple_label(shape: TupleShape) -> str:
    return f"array of {len(shape.items)}: {', '.join(label_of(item) for item in shape.items)}"


_LABELS: dict[type[Any], Callable[[Any], str]] = {
    AnyShape: lambda shape: "artifact" if shape.is_artifact else "any",
    ScalarShape: lambda shape: shape.label,
    ChoiceShape: lambda _shape: "enum",
    ArrayShape: lambda shape: f"array of {label_of(shape.item)}",
    TupleShape: _tuple_label,
    MapShape: lambda shape: f"map from {label_of(shape.key)} to {label_of(shape.value)}",
    ObjectShape: lambda shape: shape.definition.name,
    ReferenceShape: lambda shape: shape.name,
    NullableShape: lambda shape: f"{label_of(shape.inner)} or null",
    UnionShape: lambda shape: " or ".join(label_of(member) for member in shape.members),
}


def alias_of(shape: Shape) -> str | None:
    """Return the alias of the artifact that *shape* is, or holds in its items or values; None for others."""
    if isinstance(shape, ObjectShape):
        return shape.definition.type_alias
    if isinstance(shape, ReferenceShape):
        return shape.alias
    if isinstance(shape, ArrayShape):
        return alias_of(shape.item)
    if isinstance(shape, MapShape):
        return alias_of(shape.value)
    return alias_of(shape.inner) if isinstance(shape, NullableShape) else None
