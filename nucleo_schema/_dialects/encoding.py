"""
Instances of a schema in the form of a dialect, from the canonical one.

By the schema alone: this is for what a schema itself holds, such as examples. What a class of ours holds is
written by its declaration.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .nodes import ENUM_KINDS, HOLDERS, SCALARS, Node, kind_of, normalized, resolved
from .record import Dialect

__all__ = ["encoded"]


def encoded(value: Any, schema: Any, root: Node, dialect: Dialect) -> Any:
    """
    Return a canonical instance of *schema* as *dialect* has it.

    Raises:
        LookupError: If it fits no alternative, or several that the dialect treats differently.
    """
    node = normalized(schema)
    kind = kind_of(node)
    if kind in HOLDERS and not isinstance(value, HOLDERS[kind]):
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
        if kind in SCALARS and ENUM_KINDS.get(type(value)) not in SCALARS[kind]:
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


_ENCODERS: dict[str, Callable[[Any, Node, Node, Dialect], Any]] = {
    "reference": _reference,
    "untyped": _untyped,
    "map": _map,
    "object": _object,
    "array": _array,
    "tuple": _tuple,
    "union": _union,
}
