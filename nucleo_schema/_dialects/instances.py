"""
Instances of a schema, from the canonical form into that of a dialect and back.

Both ways go by the schema alone. The answers to a class of ours are read by its declaration instead; this
is for what a schema alone describes: examples, and the types of a host's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from .._wording import found
from ..errors import InvalidInputError
from .nodes import ENUM_KINDS, Node, kind_of, normalized, resolved
from .record import Dialect

__all__ = ["check_written", "decoded", "encoded"]


def check_written(value: Any, dialect: Dialect) -> None:
    """
    Refuse what no model wrote: an object of a host's is in the canonical form, and nothing in it is undone.

    Raises:
        InvalidInputError: If *value* holds anything but JSON values.
    """
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Mapping):
            waiting += current.values()
        elif isinstance(current, list):
            waiting += current
        elif isinstance(current, Enum) or not isinstance(current, _JSON_SCALARS):
            msg = (
                f"value: found {found(current)}, expected nothing but JSON values, as a model writes them "
                f"for {dialect.name}; what is in the canonical form is converted without a dialect"
            )
            raise InvalidInputError(msg)


_JSON_SCALARS = (str, int, float, type(None))


def encoded(value: Any, schema: Any, root: Node, dialect: Dialect) -> Any:
    """
    Return a canonical instance of *schema* as *dialect* has it.

    Raises:
        LookupError: If it fits no alternative, or several that the dialect treats differently.
    """
    node = normalized(schema)
    kind = kind_of(node)
    if kind in _HOLDERS and not isinstance(value, _HOLDERS[kind]):
        raise LookupError
    if kind == "choice" and not _is_among(value, node["enum"]):
        raise LookupError
    way = _ENCODERS.get(kind)
    return value if way is None else way(value, node, root, dialect)


def _is_among(value: Any, choices: list[Any]) -> bool:
    return any(type(choice) is type(value) and choice == value for choice in choices)


def _reference(value: Any, node: Node, root: Node, dialect: Dialect) -> Any:
    return encoded(value, resolved(root, node["$ref"]) or {}, root, dialect)


def _untyped(value: Any, _node: Node, _root: Node, dialect: Dialect) -> Any:
    return json.dumps(value, ensure_ascii=False) if dialect.untyped == "text" else value


def _map(value: Any, node: Node, root: Node, dialect: Dialect) -> Any:
    schema = node.get("additionalProperties", True)
    members = {name: encoded(item, schema, root, dialect) for name, item in value.items()}
    if dialect.maps == "objects":
        return members
    return [{"key": name, "value": item} for name, item in members.items()]


def _object(value: Any, node: Node, root: Node, dialect: Dialect) -> Any:
    properties = node.get("properties", {})
    if not value.keys() <= properties.keys():
        raise LookupError
    return {
        name: encoded(value[name], schema, root, dialect) if name in value else None
        for name, schema in properties.items()
        if name in value or dialect.all_required
    }


def _array(value: Any, node: Node, root: Node, dialect: Dialect) -> Any:
    return [encoded(item, node.get("items", True), root, dialect) for item in value]


def _tuple(value: Any, node: Node, root: Node, dialect: Dialect) -> Any:
    places = node["prefixItems"]
    if len(value) != len(places):
        raise LookupError
    return [encoded(item, place, root, dialect) for item, place in zip(value, places, strict=True)]


def _union(value: Any, node: Node, root: Node, dialect: Dialect) -> Any:
    """Return what the alternatives that fit make of a value, where they agree."""
    results: list[Any] = []
    for alternative in node["anyOf"]:
        kind = kind_of(normalized(alternative))
        if kind in _SCALARS and ENUM_KINDS.get(type(value)) not in _SCALARS[kind]:
            continue
        try:
            result = encoded(value, alternative, root, dialect)
        except LookupError:
            continue
        if result not in results:
            results.append(result)
    if len(results) != 1:
        raise LookupError
    return results[0]


_HOLDERS: dict[str, type[Any]] = {"map": dict, "object": dict, "array": list, "tuple": list}
_SCALARS: dict[str, tuple[str, ...]] = {
    "string": ("string",),
    "integer": ("integer",),
    "number": ("number", "integer"),
    "boolean": ("boolean",),
    "null": ("null",),
    "choice": tuple(ENUM_KINDS.values()),
}
_ENCODERS: dict[str, Callable[[Any, Node, Node, Dialect], Any]] = {
    "reference": _reference,
    "untyped": _untyped,
    "map": _map,
    "object": _object,
    "array": _array,
    "tuple": _tuple,
    "union": _union,
}


def decoded(value: Any, schema: Any, root: Node, dialect: Dialect, text_value: Callable[[str], Any]) -> Any:
    """
    Return the canonical form of an instance of *schema* in *dialect*; what is none of one stays as it is.

    Args:
        value: The instance.
        schema: What it is an instance of.
        root: The schema that the references in it point into.
        dialect: In whose form the instance is.
        text_value: Gives what a JSON text holds.

    Raises:
        LookupError: If it fits several alternatives alike that the dialect treats differently.
    """
    return _Decoding(root, dialect, text_value).value(value, schema)


class _Decoding:
    def __init__(self, root: Node, dialect: Dialect, text_value: Callable[[str], Any]) -> None:
        self.root = root
        self.dialect = dialect
        self.text_value = text_value

    def value(self, value: Any, schema: Any) -> Any:
        node = normalized(schema)
        if "$ref" in node:
            return self.value(value, resolved(self.root, node["$ref"]) or {})
        kind = kind_of(node)
        if kind == "union":
            return self._of_union(value, node)
        if kind == "untyped" and self.dialect.untyped == "text" and isinstance(value, str):
            return self.text_value(value)
        if kind == "map" and self.dialect.maps == "entries" and isinstance(value, list):
            value = _of_entries(value)
        if isinstance(value, dict):
            return self._of_members(value, node, kind)
        return self._of_items(value, node, kind) if isinstance(value, list) else value

    def _of_members(self, value: Node, node: Node, kind: str) -> Node:
        if kind == "map":
            inner = node.get("additionalProperties", True)
            return {name: self.value(item, inner) for name, item in value.items()}
        properties = node.get("properties", {})
        return {
            name: self.value(item, properties.get(name, True)) if name in properties else item
            for name, item in value.items()
            if item is not None or not self._is_absent(name, node)
        }

    def _is_absent(self, name: str, node: Node) -> bool:
        """Return whether null under *name* says that the member was left out."""
        schema = node.get("properties", {}).get(name)
        if not self.dialect.all_required or schema is None or name in node.get("required", ()):
            return False
        return not self._admits_null(schema)

    def _admits_null(self, schema: Any) -> bool:
        node = normalized(schema)
        if kind_of(node) == "untyped":
            return self.dialect.untyped != "text"
        return any(normalized(member).get("type") == "null" for member in node.get("anyOf", [node]))

    def _of_items(self, value: list[Any], node: Node, kind: str) -> list[Any]:
        if kind == "array":
            return [self.value(item, node.get("items", True)) for item in value]
        places = node.get("prefixItems", ())
        read = [self.value(item, place) for item, place in zip(value, places, strict=False)]
        return read + value[len(read) :]

    def _of_union(self, value: Any, node: Node) -> Any:
        members = [member for member in node["anyOf"] if self._may_be(value, member)]
        results: list[Any] = []
        for member in members:
            result = self.value(value, member)
            if result not in results:
                results.append(result)
        if len(results) > 1:
            raise LookupError
        return results[0] if results else value

    def _may_be(self, value: Any, schema: Any) -> bool:
        """Return whether an instance in the dialect's form is of the JSON type of *schema* in that form."""
        node = normalized(schema)
        if "$ref" in node:
            return self._may_be(value, resolved(self.root, node["$ref"]) or {})
        kind = kind_of(node)
        if kind == "union":
            return any(self._may_be(value, member) for member in node["anyOf"])
        if kind == "object":
            known, required = node.get("properties", {}).keys(), set(node.get("required", ()))
            return isinstance(value, dict) and required <= value.keys() <= known
        if kind in _SCALARS:
            return ENUM_KINDS.get(type(value)) in _SCALARS[kind]
        return isinstance(value, self._holder_of(kind))

    def _holder_of(self, kind: str) -> type[Any]:
        """Return the Python type of what instances of a kind are in the dialect's form."""
        if kind == "untyped":
            return str if self.dialect.untyped == "text" else object
        return list if kind == "map" and self.dialect.maps == "entries" else _HOLDERS[kind]


def _of_entries(entries: list[Any]) -> Any:
    """Return the object that entries spell, or *entries* where they spell none."""
    whole = [entry for entry in entries if isinstance(entry, dict) and entry.keys() == {"key", "value"}]
    pairs = [(entry["key"], entry["value"]) for entry in whole]
    members = {name: value for name, value in pairs if isinstance(name, str)}
    return members if len(members) == len(entries) else entries
