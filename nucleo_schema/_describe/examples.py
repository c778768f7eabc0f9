"""Examples: in the form that a field reads, on the node that they fit."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from typing import Any

import attrs

from .._converter import converter
from .._declare.classes import class_spec
from .._declare.forms import ArrayForm, CompositeForm, Form, MapForm, NullableForm, ScalarForm
from .._read.reading import read_value
from .._wording import found
from .._write.annotated import iter_forms
from .._write.session import Session
from .._write.writing import to_tree
from ..errors import MappingError, SchemaError, SerializationError
from .described import Described
from .shapes import (
    AnyShape,
    ArrayShape,
    MapShape,
    NullableShape,
    ObjectShape,
    ScalarShape,
    Shape,
    TupleShape,
    UnionShape,
)

__all__ = ["place_examples"]

#: What a node of each JSON type holds; NaN and the infinities are no numbers, they travel as texts.
_JSON_KINDS: dict[Any, tuple[type[Any], ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "object": (dict,),
    "array": (list,),
}


_NULL = ScalarShape("null", {"type": "null"})


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
        wire = _wire_form(form, example)
    except (MappingError, SerializationError, SchemaError):
        pass
    else:
        if _is_valid(shape, wire):
            return attrs.evolve(shape, examples=(*shape.examples, wire)), wire
    if isinstance(form, NullableForm) and isinstance(shape, NullableShape):
        return _below(shape, "inner", _place(form.inner, shape.inner, example))
    if isinstance(form, ArrayForm) and isinstance(shape, ArrayShape):
        return _below(shape, "item", _place(form.item, shape.item, example))
    if isinstance(form, MapForm) and isinstance(shape, MapShape):
        return _below(shape, "value", _place(form.value, shape.value, example))
    return None


def _wire_form(form: Form, example: Any) -> Any:
    """
    Return what comes of writing an example, reading it and writing it again.

    The hooks for a leaf of a host's may be on a converter of theirs, and may come later: where ours does not
    read such a leaf, it is taken as the JSON data that it is.
    """
    tree = to_tree(example, Session(converter))
    try:
        return to_tree(read_value(converter, tree, form.annotation), Session(converter))
    except (MappingError, SerializationError, SchemaError):
        taught = _taught_leaves(form)
        if not taught:
            raise
    lenient = converter.copy()
    for cls in taught:
        lenient.register_structure_hook(cls, lambda value, _: value)
    return to_tree(read_value(lenient, tree, form.annotation), Session(lenient))


def _taught_leaves(form: Form) -> set[type[Any]]:
    """Return the leaves in *form*, at any depth, that a host taught with ``register_leaf``."""
    taught: set[type[Any]] = set()
    seen: set[Any] = set()
    waiting = [form]
    while waiting:
        for part in iter_forms(waiting.pop()):
            if isinstance(part, ScalarForm) and not part.leaf.shipped:
                taught.add(part.leaf.type)
            elif isinstance(part, CompositeForm) and part.annotation not in seen:
                seen.add(part.annotation)
                waiting += [field.form for field in class_spec(part.annotation).fields if field.form]
    return taught


def _below(shape: Shape, part: str, placed: tuple[Shape, Any] | None) -> tuple[Shape, Any] | None:
    if placed is None:
        return None
    changes: dict[str, Any] = {part: placed[0]}
    return attrs.evolve(shape, **changes), placed[1]


def _is_valid(shape: Shape, wire: Any) -> bool:
    """Return whether a wire form is valid for the JSON Schema that is published for *shape*."""
    if isinstance(shape, ScalarShape):
        return _is_valid_scalar(shape.json_schema, wire)
    if isinstance(shape, (NullableShape, UnionShape)):
        members = shape.members if isinstance(shape, UnionShape) else (shape.inner, _NULL)
        return any(_is_valid(member, wire) for member in members)
    if isinstance(shape, ObjectShape):
        return isinstance(wire, dict) and _is_valid_object(shape.definition, wire)
    if isinstance(shape, (ArrayShape, TupleShape, MapShape)):
        return _is_valid_collection(shape, wire)
    return wire is not None or isinstance(shape, AnyShape)


def _is_valid_collection(shape: ArrayShape | TupleShape | MapShape, wire: Any) -> bool:
    if isinstance(shape, MapShape):
        return isinstance(wire, dict) and all(_is_valid(shape.value, item) for item in wire.values())
    items = repeat(shape.item) if isinstance(shape, ArrayShape) else shape.items
    return isinstance(wire, list) and all(map(_is_valid, items, wire))


def _is_valid_object(definition: Described, wire: dict[str, Any]) -> bool:
    return all(
        _is_valid(field.shape, wire[name]) if name in wire else not field.required
        for name, field in definition.fields.items()
    )


def _is_valid_scalar(schema: Mapping[str, Any], wire: Any) -> bool:
    """Return whether a wire form is of the published type and within the published bounds."""
    stated = schema.get("type", ())
    names = stated if isinstance(stated, (list, tuple)) else [stated]
    kinds = tuple(kind for name in names for kind in _JSON_KINDS.get(name, ()))
    if kinds and (not isinstance(wire, kinds) or (isinstance(wire, bool) and bool not in kinds)):
        return False
    is_number = isinstance(wire, (int, float)) and not isinstance(wire, bool)
    return not is_number or bool(schema.get("minimum", wire) <= wire <= schema.get("maximum", wire))
