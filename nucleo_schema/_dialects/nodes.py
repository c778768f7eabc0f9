"""The nodes of a finished schema: what kind each is, however its keywords spell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

__all__ = [
    "ALL_TYPES",
    "ENUM_KINDS",
    "HOLDERS",
    "MAX_NODES",
    "SCALARS",
    "STRUCTURE",
    "Node",
    "children",
    "conflicts",
    "kind_of",
    "normalized",
    "resolved",
]

Node = dict[str, Any]

ALL_TYPES: Final = ("string", "number", "integer", "boolean", "object", "array", "null")
#: The JSON type of a value by its Python type.
ENUM_KINDS: Final = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
#: The Python type of the instances of a kind of holder, in the canonical form.
HOLDERS: Final[dict[str, type[Any]]] = {"map": dict, "object": dict, "array": list, "tuple": list}
#: The JSON types, by ENUM_KINDS, of what the instances of a scalar kind may be.
SCALARS: Final[dict[str, tuple[str, ...]]] = {
    "string": ("string",),
    "integer": ("integer",),
    "number": ("number", "integer"),
    "boolean": ("boolean",),
    "null": ("null",),
    "choice": tuple(ENUM_KINDS.values()),
}
#: A schema of more nodes is refused: what references share is written out at each place.
MAX_NODES: Final = 200_000

#: The keywords that a node is made of; a refinement is what else it says.
STRUCTURE = frozenset(
    {
        *("$ref", "type", "description", "anyOf", "enum", "properties", "required", "additionalProperties"),
        *("items", "prefixItems"),
    }
)

_BY_TYPE = {
    "object": frozenset({"properties", "required", "additionalProperties", "minProperties", "maxProperties"}),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}),
    "string": frozenset({"format", "pattern", "minLength", "maxLength", "contentEncoding"}),
    "null": frozenset[str](),
}
_NUMERIC = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_PARTS = frozenset({"properties", "additionalProperties", "items", "prefixItems", "enum"})
_WORDS = frozenset({"title", "description", "examples", "default"})


def normalized(schema: Any) -> Node:
    """
    Return a node in the one spelling that the rest knows: ``anyOf``, ``enum`` and a single type.

    That of ``false``, which nothing fills, is a choice of nothing.
    """
    node: Node = dict(schema) if isinstance(schema, dict) else {} if schema else {"enum": []}
    if "const" in node:
        node["enum"] = [node.pop("const")]
    if "oneOf" in node and "anyOf" not in node:
        node["anyOf"] = node.pop("oneOf")
    if len(node.get("allOf", ())) == 1:
        only = normalized(node["allOf"][0])
        if not conflicts(node, only, are_merged=True):
            del node["allOf"]
            return normalized({**only, **node})
    types = None if "$ref" in node else node.get("type")
    if "enum" in node and types is not None:
        named = types if isinstance(types, list) else [types]
        node["enum"] = [value for value in node["enum"] if _is_of(value, named)]
    return _with_one_type(node) if isinstance(types, list) else node


def conflicts(node: Node, other: Node, *, are_merged: bool) -> list[str]:
    """
    Return the keywords that make one node of other things than the *other*.

    Args:
        node: Says something about the same instances as the other.
        other: The node beside it.
        are_merged: Whether what the other does not say at all is no conflict, for both become one node.
    """
    parts = node.keys() & (STRUCTURE - {"description"})
    return [key for key in parts if (key in other or not are_merged) and other.get(key) != node[key]]


def _is_of(value: Any, types: list[str]) -> bool:
    """Return whether a choice is of one of *types*; what is no scalar is, for others to refuse."""
    kind = ENUM_KINDS.get(type(value))
    is_whole = kind == "integer" or (kind == "number" and value.is_integer())
    return kind is None or kind in types or (is_whole and ("number" in types or "integer" in types))


def _with_one_type(node: Node) -> Node:
    types = node["type"]
    if set(types) >= set(ALL_TYPES) - {"integer"} and not node.keys() & _PARTS:
        del node["type"]
        return node
    if len(types) == 1 or "enum" in node:  # the values under enum tell their types themselves
        return (
            {**node, "type": types[0]} if len(types) == 1 else {k: v for k, v in node.items() if k != "type"}
        )
    shared = {key: value for key, value in node.items() if key in _WORDS}
    return {**shared, "anyOf": [_of_type(node, name) for name in types]}


def _of_type(node: Node, name: str) -> Node:
    own = _BY_TYPE.get(name, _NUMERIC if name in ("integer", "number") else frozenset())
    return {"type": name, **{key: value for key, value in node.items() if key in own}}


def kind_of(node: Node) -> str:
    """Return what a normalized node stands for: a kind of holder, a scalar type, or ``untyped``."""
    if "$ref" in node:
        return "reference"
    if "anyOf" in node:
        return "union"
    if "enum" in node:
        return "choice"
    kind = node.get("type")
    if kind == "object" or (kind is None and "properties" in node):
        is_open = node.get("additionalProperties", "properties" not in node) is not False
        return "map" if is_open and not node.get("properties") else "object"
    if kind == "array" or (kind is None and ("items" in node or "prefixItems" in node)):
        return "tuple" if "prefixItems" in node else "array"
    return kind if isinstance(kind, str) else "untyped"


def children(node: Node) -> Iterator[Any]:
    """Yield the schemas of what a node holds; its definitions are not among them."""
    yield from node.get("properties", {}).values()
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield node[key]
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        yield from node.get(key, ())


def resolved(root: Node, reference: Any) -> Node | None:
    """Return the definition that a reference within *root* names, or None."""
    if reference == "#":
        return root
    for holder in ("$defs", "definitions"):
        prefix = f"#/{holder}/"
        if isinstance(reference, str) and reference.startswith(prefix):
            name = unquote(reference[len(prefix) :]).replace("~1", "/").replace("~0", "~")
            target = root.get(holder, {}).get(name)
            return target if isinstance(target, dict) else None
    return None
