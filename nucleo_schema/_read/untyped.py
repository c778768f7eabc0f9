"""Untyped data, and data that a host's hook reads: as it is, once what a dialect did to it is undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from .._declare.analysis import analyze
from .._declare.classes import class_spec
from .._declare.forms import (
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
    UnsupportedAnnotationError,
)
from .._dialects.decoding import UndecodableError, decoded
from .._dialects.nodes import Node
from .choices import wire_choices
from .mismatch import Mismatch, mismatch
from .modes import PLAIN, NumberTextNeeded, ReadMode
from .reader import Reader
from .scalars import read_untyped
from .syntax import decode_whole

__all__ = ["foreign_reader", "read_any"]

_LOOSE = ReadMode(loose=True, json_integers=True)
#: How JSON begins, or a fence around it, where something is meant that is more than a text.
_OPENINGS = ("{", "[", '"', "```")


def read_any(value: Any, mode: ReadMode) -> Any:
    """Return untyped data as it is, or what the JSON text holds that a dialect had written for it."""
    kind = type(value)
    if mode.dialect is not None and mode.has_texts:
        if kind is str:
            return _text_value(value)
        if mode.asked:
            raise mismatch(value, "JSON text")
    return value if kind is str or kind is int else read_untyped(value, mode)


def _text_value(text: str) -> Any:
    """
    Return what a JSON text holds, in the lenient syntax too.

    A text that is none, and does not even begin like one, can only mean itself.
    """
    try:
        return read_untyped(orjson.loads(text), _LOOSE)
    except (NumberTextNeeded, orjson.JSONDecodeError):
        pass
    span = decode_whole(text)
    if not isinstance(span, str) and not span.fault:
        return read_untyped(span.value, PLAIN)
    if text.lstrip().startswith(_OPENINGS):
        raise mismatch(text, "JSON text")
    return text


def foreign_reader(hook: Any, annotation: Any) -> Reader:
    """Return the reader over a hook that a host registered: it is given the canonical form in any dialect."""
    schemas: list[Node] = []  # made for the first answer in a dialect

    def read(value: Any, mode: ReadMode) -> Any:
        value = read_untyped(value, mode)  # numbers exact and of plain types
        if mode.dialect is not None:
            schemas.extend([] if schemas else [_schema_of(annotation)])
            try:
                value = decoded(value, schemas[0], schemas[0], mode.dialect, _text_value)
            except UndecodableError as error:
                raise Mismatch(str(error)) from None
        return hook(value, annotation)

    return Reader(read, read)


def _schema_of(annotation: Any) -> Node:
    """Return as much of the schema of an annotation as tells what a dialect does to its instances."""
    definitions: Node = {}
    try:
        node = _node_of(analyze(annotation), definitions)
    except UnsupportedAnnotationError:
        return {}
    return {**node, "$defs": definitions}


def _node_of(form: Form, definitions: Node) -> Node:
    make = _NODES.get(type(form))
    return {} if make is None else make(form, definitions)


def _nullable_node(form: NullableForm, definitions: Node) -> Node:
    inner = _node_of(form.inner, definitions)
    return {"anyOf": [*inner.get("anyOf", [inner]), {"type": "null"}]} if inner else inner


def _tuple_node(form: TupleForm, definitions: Node) -> Node:
    return {"type": "array", "prefixItems": [_node_of(item, definitions) for item in form.items]}


def _composite_node(form: CompositeForm, definitions: Node) -> Node:
    spec = class_spec(form.annotation)
    if spec.name not in definitions:
        definition: Node = {"type": "object", "properties": {}, "required": []}
        definitions[spec.name] = definition
        for field in spec.fields:
            node = {} if field.form is None else _node_of(field.form, definitions)
            definition["properties"][field.wire_name] = node
            if field.required:
                definition["required"].append(field.wire_name)
    return {"$ref": f"#/$defs/{spec.name}"}


#: How much of its schema each form has; the rest is untyped.
_NODES: dict[type[Any], Callable[[Any, Node], Node]] = {
    ScalarForm: lambda form, _: dict(form.leaf.json_schema),
    EnumForm: lambda form, _: {"enum": list(wire_choices(form))},
    LiteralForm: lambda form, _: {"enum": list(wire_choices(form))},
    ArrayForm: lambda form, known: {"type": "array", "items": _node_of(form.item, known)},
    TupleForm: _tuple_node,
    MapForm: lambda form, known: {"type": "object", "additionalProperties": _node_of(form.value, known)},
    NullableForm: _nullable_node,
    UnionForm: lambda form, known: {"anyOf": [_node_of(member, known) for member in form.members]},
    CompositeForm: _composite_node,
}
