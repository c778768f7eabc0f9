"""The JSON Schema rendering (draft 2020-12): a table from shape to one short function."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from .._schemas.names import TYPE_ALIAS
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
    alias_of,
    iter_shapes,
)

__all__ = ["JSON_SCHEMA_RENDERERS", "definition_key", "render_json_schema"]

Node = dict[str, Any]


def render_json_schema(definition: Described, descriptions: Mapping[str, str]) -> Node:
    """Return the schema of a class, with ``$defs`` for those that come back to themselves."""
    root = _object_node(definition, descriptions)
    names = _referenced(definition)
    if names:
        root["$defs"] = {
            definition_key(name): _object_node(definition.definitions[name], {}) for name in names
        }
    return root


def definition_key(name: str) -> str:
    """Return the key of a class under ``$defs``: its name, in characters that a reference need not escape."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)


def _referenced(definition: Described) -> list[str]:
    """Return the names that the schema refers to, also from one definition to another."""
    names: list[str] = []
    waiting, seen = [definition], {id(definition)}
    while waiting:
        for shape in _iter_all_shapes(waiting.pop(0)):
            if isinstance(shape, ReferenceShape) and shape.name not in names:
                names.append(shape.name)
                target = definition.definitions[shape.name]
                if id(target) not in seen:
                    seen.add(id(target))
                    waiting.append(target)
    return names


def _iter_all_shapes(definition: Described) -> list[Shape]:
    """Return every shape below a class, those of nested classes among them, in document order."""
    shapes: list[Shape] = []
    waiting = [definition]
    while waiting:
        current = waiting.pop()
        for field in current.fields.values():
            for shape in iter_shapes(field.shape):
                shapes.append(shape)
                if isinstance(shape, ObjectShape):
                    waiting.append(shape.definition)
    return shapes


def _object_node(definition: Described, descriptions: Mapping[str, str]) -> Node:
    node: Node = {"type": "object", "title": definition.name, "description": definition.description}
    node["properties"] = {
        name: _property_node(field, descriptions.get(name, field.prose))
        for name, field in definition.fields.items()
    }
    required = [name for name, field in definition.fields.items() if field.required]
    if required:
        node["required"] = required
    if definition.type_alias is not None:
        node[TYPE_ALIAS] = definition.type_alias
    return node


def _property_node(field: Member, description: str) -> Node:
    node = _render(field.shape)
    node.pop(TYPE_ALIAS, None)  # it is among the field's keywords, in its place
    head: Node = {key: node.pop(key) for key in ("$ref", "type", "title") if key in node}
    node.pop("description", None)
    return {**head, "description": description, **node, **field.keywords}


def _render(shape: Shape) -> Node:
    node = JSON_SCHEMA_RENDERERS[type(shape)](shape)
    if shape.examples:
        node["examples"] = list(shape.examples)
    return node


def _any(_shape: AnyShape) -> Node:
    return {}


def _scalar(shape: ScalarShape) -> Node:
    return dict(shape.json_schema)


def _choice(shape: ChoiceShape) -> Node:
    node: Node = {"enum": list(shape.values)}
    return node if shape.json_type is None else {"type": shape.json_type, **node}


def _array(shape: ArrayShape) -> Node:
    return {"type": "array", "items": _inside(shape.item)}


def _tuple(shape: TupleShape) -> Node:
    count = len(shape.items)
    node: Node = {"type": "array"}
    if count:
        node["prefixItems"] = [_render(item) for item in shape.items]
    return {**node, "minItems": count, "maxItems": count}


def _map(shape: MapShape) -> Node:
    free = isinstance(shape.value, AnyShape) and not shape.value.examples
    return {"type": "object", "additionalProperties": True if free else _inside(shape.value)}


def _inside(shape: Shape) -> Node:
    """Render what a holder carries the alias keyword for."""
    node = _render(shape)
    if alias_of(shape) is not None:
        node.pop(TYPE_ALIAS, None)
    return node


def _object(shape: ObjectShape) -> Node:
    return _object_node(shape.definition, {})


def _reference(shape: ReferenceShape) -> Node:
    node: Node = {"$ref": f"#/$defs/{definition_key(shape.name)}"}
    return node if shape.alias is None else {**node, TYPE_ALIAS: shape.alias}


def _nullable(shape: NullableShape) -> Node:
    if isinstance(shape.inner, AnyShape):
        return _render(shape.inner)
    inner = _render(shape.inner)
    alternatives = inner["anyOf"] if set(inner) == {"anyOf"} else [inner]
    return {"anyOf": [*alternatives, {"type": "null"}]}


def _union(shape: UnionShape) -> Node:
    return {"anyOf": [_marked(member) for member in shape.members]}


def _marked(shape: Shape) -> Node:
    """Render one alternative of a union, which carries its own alias keyword."""
    node, alias = _render(shape), alias_of(shape)
    return node if alias is None else {**node, TYPE_ALIAS: alias}


#: A shape cannot be added without deciding its rendering.
JSON_SCHEMA_RENDERERS: dict[type[Any], Callable[[Any], Node]] = cast(
    "dict[type[Any], Callable[[Any], Node]]",
    {
        AnyShape: _any,
        ScalarShape: _scalar,
        ChoiceShape: _choice,
        ArrayShape: _array,
        TupleShape: _tuple,
        MapShape: _map,
        ObjectShape: _object,
        ReferenceShape: _reference,
        NullableShape: _nullable,
        UnionShape: _union,
    },
)
