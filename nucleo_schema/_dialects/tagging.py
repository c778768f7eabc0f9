"""Tags: the properties that tell the objects of a union apart, and are stated whatever their default is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .definitions import Definitions
from .nodes import Node, children, kind_of, normalized

__all__ = ["find_tags"]


def find_tags(known: Definitions) -> set[int]:
    """
    Return the ids of the nodes of properties that are tags: of all objects of a union each holds one text.

    Null for such a property would say nothing about which of the objects is meant.
    """
    tags: set[int] = set()
    root = known.root
    waiting: list[Any] = [root, *root.get("$defs", {}).values(), *root.get("definitions", {}).values()]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            waiting += children(current)
            if "anyOf" in current or "oneOf" in current:
                tags.update(map(id, _tags_of(current, known)))
    return tags


def _tags_of(union: Node, known: Definitions) -> Iterator[Any]:
    """Yield the nodes of the properties that tell the objects of a union apart."""
    objects = [node.get("properties", {}) for node in _objects_in(union, known)]
    for name in objects[0] if len(objects) > 1 else ():
        nodes = [properties.get(name) for properties in objects]
        values = [_only_choice(node) for node in nodes]
        if None not in values and len({*values}) == len(values):
            yield from nodes


def _objects_in(union: Node, known: Definitions) -> list[Node]:
    """Return the objects among the alternatives of a union, those of unions within it too."""
    objects: dict[int, Node] = {}
    seen: set[int] = set()
    waiting: list[Any] = [union]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict) and id(current) not in seen:
            seen.add(id(current))
            target = known.target(current.get("$ref"))
            node = normalized(current)
            if target is not None:
                waiting.append(target)
            elif kind_of(node) == "object":
                objects[id(current)] = node
            waiting += node.get("anyOf", ())
    return [*objects.values()]


def _only_choice(schema: Any) -> Any:
    """Return the only text that a property holds; None where there is none."""
    choices: list[Any] = normalized(schema).get("enum", []) if isinstance(schema, dict) else []
    return choices[0] if len(choices) == 1 and isinstance(choices[0], str) else None
