"""The @-notation: the rendering for prompts, a table from shape to one short function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..references import REF_FIELD
from .described import Described, Member
from .shapes import (
    AnyShape,
    ArrayShape,
    ChoiceShape,
    MapShape,
    NullableShape,
    ObjectShape,
    ReferenceShape,
    ScalarShape,
    Shape,
    TupleShape,
    UnionShape,
    iter_shapes,
    label_of,
)

__all__ = ["NOTATION_RENDERERS", "SCHEMA_NOTATION_LEGEND", "render_notation"]

Node = dict[str, Any]

#: How the notation speaks of the values of a map: as one member that stands for all.
ANY_KEY = "<key>"

SCHEMA_NOTATION_LEGEND = """\
How to read the schema:
- "@type" is what a value is: a JSON type, a date, or the name of an object. "array of X" is a JSON array of
  X, "map from K to V" an object whose member names are K and whose values are V, "A or B" either of the two.
- "@fields" lists the members of an object by name; under "<key>" stands what every value of a map looks like.
- "@required": true means that the member must be given. Leave out other members that you do not know.
- "@description" says what to write. "@examples" shows values in the right form; do not copy them.
- "@values" lists all the values that are allowed, "@keys" all the member names of a map.
- "@any_of" describes each alternative of a type, "@items" each place of an array of fixed length.
- The keys that begin with @ belong to the schema alone: your answer has the members only.
For example, the schema
  {"@type": "City", "@fields": {"name": {"@type": "string", "@required": true}, "size": {"@type": "enum",
   "@values": ["small", "large"]}, "founded": {"@type": "date"}, "twins": {"@type": "array of City"}}}
is answered with
  {"name": "Bremen", "size": "large", "twins": [{"name": "Izmir"}]}"""


def render_notation(definition: Described) -> Node:
    """Return the description of a class in the notation."""
    return {"@type": definition.name, "@description": definition.description, **_members(definition)}


def _members(definition: Described) -> Node:
    if definition.is_artifact:
        return _reference_members()
    return {"@fields": {name: _field_node(field) for name, field in definition.fields.items()}}


def _reference_members() -> Node:
    reference: Node = {
        "@type": "string",
        "@required": True,
        "@description": "The reference of an artifact from the registry, copied exactly",
    }
    return {"@fields": {REF_FIELD: reference}}


def _field_node(field: Member) -> Node:
    shape = field.offered
    node: Node = {"@type": label_of(shape)}
    if field.required:
        node["@required"] = True
    node["@description"] = field.prose
    if field.examples and not any(map(_is_artifact, iter_shapes(shape))):
        node["@examples"] = list(field.examples)
    return {**node, **_details(shape)}


def _is_artifact(shape: Shape) -> bool:
    """Return whether *shape* is an artifact, whose content no example may show."""
    if isinstance(shape, ObjectShape):
        return shape.definition.is_artifact
    if isinstance(shape, AnyShape):
        return shape.is_artifact
    return isinstance(shape, ReferenceShape) and (shape.is_artifact or shape.alias is not None)


def _details(shape: Shape) -> Node:
    """Return what the label of *shape* leaves out."""
    return NOTATION_RENDERERS[type(shape)](shape)


def _node(shape: Shape, details: Node | None = None) -> Node:
    """Return the whole description of a shape that is no member of a class."""
    node: Node = {"@type": label_of(shape)}
    if isinstance(shape, ObjectShape):
        node["@description"] = shape.definition.description
    return {**node, **(_details(shape) if details is None else details)}


def _as_declared(shape: AnyShape | ReferenceShape) -> Node:
    return _reference_members() if shape.is_artifact else {}


def _nothing(_shape: Shape) -> Node:
    return {}


def _choice(shape: ChoiceShape) -> Node:
    return {"@values": list(shape.values)}


def _array(shape: ArrayShape) -> Node:
    return _details(shape.item)


def _tuple(shape: TupleShape) -> Node:
    details = [_details(item) for item in shape.items]
    return {"@items": list(map(_node, shape.items, details))} if any(details) else {}


def _map(shape: MapShape) -> Node:
    keys = {"@keys": list(shape.key.values)} if isinstance(shape.key, ChoiceShape) else {}
    details = _details(shape.value)
    if set(details) <= {"@values"}:
        return {**keys, **details}
    return {**keys, "@fields": {ANY_KEY: _node(shape.value, details)}}


def _object(shape: ObjectShape) -> Node:
    return _members(shape.definition)


def _nullable(shape: NullableShape) -> Node:
    return _details(shape.inner)


def _union(shape: UnionShape) -> Node:
    details = [_details(member) for member in shape.members]
    if not any(details) and not any(isinstance(member, ReferenceShape) for member in shape.members):
        return {}
    return {"@any_of": list(map(_node, shape.members, details))}


#: A shape cannot be added without deciding its rendering.
NOTATION_RENDERERS: dict[type[Any], Callable[[Any], Node]] = cast(
    "dict[type[Any], Callable[[Any], Node]]",
    {
        AnyShape: _as_declared,
        ScalarShape: _nothing,
        ChoiceShape: _choice,
        ArrayShape: _array,
        TupleShape: _tuple,
        MapShape: _map,
        ObjectShape: _object,
        ReferenceShape: _as_declared,
        NullableShape: _nullable,
        UnionShape: _union,
    },
)
