"""Examples: in the form that a field reads, on the node that they fit."""

from __future__ import annotations

from typing import Any

import attrs

from .._converter import converter
from .._declare.forms import ArrayForm, Form, MapForm, NullableForm
from .._read.reading import read_value
from .._wording import found
from .._write.session import Session
from .._write.writing import to_tree
from ..errors import MappingError, SchemaError, SerializationError
from .shapes import ArrayShape, MapShape, NullableShape, ScalarShape, Shape

__all__ = ["place_examples"]

_NUMBER_TYPES = ("integer", "number")


def place_examples(
    place: str, form: Form, shape: Shape, examples: tuple[Any, ...]
) -> tuple[Shape, tuple[Any, ...]]:
    """
    Return *shape* with the examples on its nodes, and the examples in wire form.

    An example of what a field holds, an array's item or a map's value, stands on that node.

    Raises:
        SchemaError: If the field can read an example neither itself nor as something it holds.
    """
    wires: list[Any] = []
    for example in examples:
        placed = _place(form, shape, example)
        if placed is None:
            msg = f"{place}: found the example {found(example)}, expected one that the field can read"
            raise SchemaError(msg)
        shape, wire = placed
        wires.append(wire)
    return shape, tuple(wires)


def _place(form: Form, shape: Shape, example: Any) -> tuple[Shape, Any] | None:
    """Return *shape* with one example on the node that it fits, and its wire form."""
    try:
        tree = to_tree(example, Session(converter))
        wire = to_tree(read_value(converter, tree, form.annotation), Session(converter))
    except (MappingError, SerializationError, SchemaError):
        pass
    else:
        if _is_valid(shape, wire):
            return attrs.evolve(shape, examples=(*shape.examples, wire)), wire
        return None
    if isinstance(form, NullableForm) and isinstance(shape, NullableShape):
        return _below(shape, "inner", _place(form.inner, shape.inner, example))
    if isinstance(form, ArrayForm) and isinstance(shape, ArrayShape):
        return _below(shape, "item", _place(form.item, shape.item, example))
    if isinstance(form, MapForm) and isinstance(shape, MapShape):
        return _below(shape, "value", _place(form.value, shape.value, example))
    return None


def _below(shape: Shape, part: str, placed: tuple[Shape, Any] | None) -> tuple[Shape, Any] | None:
    if placed is None:
        return None
    changes: dict[str, Any] = {part: placed[0]}
    return attrs.evolve(shape, **changes), placed[1]


def _is_valid(shape: Shape, wire: Any) -> bool:
    """Return whether a wire form is valid for a number's published type and bounds."""
    if not isinstance(shape, ScalarShape) or shape.json_schema.get("type") not in _NUMBER_TYPES:
        return True
    if isinstance(wire, str):  # NaN and the infinities
        return False
    low, high = shape.json_schema.get("minimum"), shape.json_schema.get("maximum")
    return (low is None or wire >= low) and (high is None or wire <= high)
