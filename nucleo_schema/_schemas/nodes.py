"""The nodes of a schema of any origin: where they stand, and what refers to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeGuard
from urllib.parse import unquote

__all__ = [
    "ALTERNATIVES",
    "APPLICATORS",
    "DEFINITIONS",
    "Node",
    "is_list",
    "is_object",
    "iter_definitions",
    "iter_schemas",
    "prune",
    "slots",
    "steps_of",
    "target_of",
]

Node = dict[str, Any]

DEFINITIONS = frozenset({"$defs", "definitions"})
ALTERNATIVES = frozenset({"anyOf", "oneOf", "allOf"})

#: Keywords whose value is an object with a schema under each name.
_NAMED = DEFINITIONS | {"properties", "patternProperties", "dependentSchemas", "dependencies"}

#: Keywords whose value is a schema or a list of schemas.
_UNNAMED = ALTERNATIVES | {
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
}
APPLICATORS = _NAMED | _UNNAMED


def slots(node: Node, keys: frozenset[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the places under *keys* where a schema stands: the dict or list, and the key or index in it."""
    for key in [key for key in node if key in keys]:
        value = node[key]
        if key in _NAMED:
            names = list(value) if is_object(value) else []
            yield from ((value, name) for name in names)
        elif is_list(value):
            yield from ((value, index) for index in range(len(value)))
        else:
            yield node, key


def iter_schemas(root: Any, keys: frozenset[str] = APPLICATORS) -> Iterator[Node]:
    """Yield *root* and the nodes below it at which a schema stands; a boolean schema is no node."""
    pending = [root]
    while pending:
        node = pending.pop()
        if is_object(node):
            yield node
            pending.extend(holder[key] for holder, key in slots(node, keys))


def iter_definitions(nodes: Iterable[Node]) -> Iterator[Any]:
    """Yield the definitions that stand on *nodes*."""
    for node in nodes:
        yield from (holder[key] for holder, key in slots(node, DEFINITIONS))


def target_of(root: Node, node: Node) -> Any:
    """Return what the ``$ref`` of *node* leads to, or None."""
    steps = steps_of(root, node.get("$ref"))
    return steps[-1] if steps else None


def steps_of(root: Node, ref: Any) -> list[Any]:
    """Return what a reference passes on its way from the root, its target last; nothing if it dangles."""
    if not isinstance(ref, str) or not ref.startswith("#"):
        return []
    first, *tokens = unquote(ref[1:]).split("/")
    steps: list[Any] = [root]
    try:
        for token in tokens:
            steps.append(_step(steps[-1], token.replace("~1", "/").replace("~0", "~")))
    except (LookupError, ValueError):
        return []
    return [] if first else steps


def _step(holder: Any, token: str) -> Any:
    """Return the member or the item of *holder* that a token of a pointer names."""
    if is_object(holder):
        return holder[token]
    if is_list(holder) and token.isdecimal():
        return holder[int(token)]
    raise LookupError(token)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def prune(root: Node) -> None:
    """Remove the definitions that the root does not refer to, directly or through others."""
    nodes = list(iter_schemas(root))
    unused = {id(entry) for entry in iter_definitions(nodes)}
    pending: list[Any] = [root]
    while pending:
        for node in iter_schemas(pending.pop(), APPLICATORS - DEFINITIONS):
            used = [step for step in steps_of(root, node.get("$ref")) if id(step) in unused]
            unused.difference_update(map(id, used))
            pending.extend(used)
    for node in nodes:
        for key in DEFINITIONS & node.keys():
            _drop_unused(node, key, unused)


def _drop_unused(node: Node, key: str, unused: set[int]) -> None:
    entries = node[key]
    if is_object(entries):
        for name in [name for name, entry in entries.items() if id(entry) in unused]:
            del entries[name]
    if not entries or not is_object(entries):
        del node[key]
