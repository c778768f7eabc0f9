"""Alternatives in the terms of a dialect: null beside a node, what differs, and what each is called."""

from __future__ import annotations

from typing import Final

from .nodes import Node

__all__ = ["distinct", "label", "nullable"]

_NULL: Final[Node] = {"type": "null"}


def nullable(node: Node) -> Node:
    """Return a node that null fills as well, with its description outside."""
    if not node.keys() - {"description", "title"} or "null" in node.get("type", ()):
        return node
    if "anyOf" in node:
        known = _NULL in node["anyOf"]
        return node if known else {**node, "anyOf": [*node["anyOf"], dict(_NULL)]}
    inner = {key: value for key, value in node.items() if key != "description"}
    outer: Node = {"anyOf": [inner, dict(_NULL)]}
    return {"description": node["description"], **outer} if "description" in node else outer


def distinct(nodes: list[Node]) -> list[Node]:
    """Return the alternatives that differ, those of bare unions among them."""
    result: list[Node] = []
    for node in nodes:
        inner: list[Node] = node["anyOf"] if set(node) == {"anyOf"} else [node]
        result += [alternative for alternative in inner if alternative not in result]
    return result


def label(node: Node) -> str:
    """Return the words for what stands at a place of an array."""
    if "anyOf" in node:
        return " or ".join(label(alternative) for alternative in node["anyOf"])
    if "$ref" in node:
        return str(node["$ref"]).rpartition("/")[2]
    kind = node.get("title") or node.get("type", "any value")
    return kind if isinstance(kind, str) else "any value"
