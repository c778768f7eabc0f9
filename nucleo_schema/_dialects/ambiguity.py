"""Ambiguity: alternatives that a dialect makes look alike, so that no reader tells which was meant."""

from __future__ import annotations

from typing import Any

from .nodes import Node, children, kind_of, normalized, resolved
from .record import Dialect

__all__ = ["Ambiguity"]

_ARRAYS = ("array", "tuple")
#: What is read from texts as well, so that a text may be any of them.
_SCALARS = ("string", "integer", "number", "boolean", "choice")


class Ambiguity:
    """What can be told apart in one dialect, of the nodes of one schema."""

    def __init__(self, root: Node, dialect: Dialect) -> None:
        self.root = root
        self.dialect = dialect

    def is_between(self, one: Any, other: Any) -> bool:
        """
        Return whether an instance may be of both alternatives in the dialect, and of two values beneath it.

        Objects among themselves are none of its business: their members tell them apart, or are refused when
        they are read.
        """
        return self._differ(one, other, frozenset())

    def _differ(self, one: Any, other: Any, above: frozenset[tuple[int, int]]) -> bool:
        found = [self._resolved(one), self._resolved(other)]
        key = (id(found[0]), id(found[1]))
        if key in above:  # what comes back differs where it differed before, or not at all
            return False
        above |= {key}
        nodes = [normalized(node) for node in found]
        for mine, theirs in ((nodes[0], found[1]), (nodes[1], found[0])):
            if self._kind(mine) == "union":
                return any(self._differ(member, theirs, above) for member in mine["anyOf"])
        kinds = [self._kind(node) for node in nodes]
        if "untyped" in kinds or "text" in kinds:
            return self._differs_from_untyped(nodes, kinds)
        if self.dialect.maps == "entries" and "map" in kinds and {*kinds} & {*_ARRAYS}:
            return True  # no item at all is one of both
        if {*kinds} == {"map", "object"} and self.dialect.maps == "objects":
            whole, mapping = nodes if kinds[0] == "object" else nodes[::-1]
            return self._differs_from_map(whole, mapping, above)
        return any(self._differ(mine, theirs, above) for mine, theirs in self._pairs(nodes, kinds))

    def _pairs(self, nodes: list[Node], kinds: list[str]) -> list[tuple[Any, Any]]:
        """Return the pairs of what two nodes hold in the same places, where one instance may be of both."""
        if kinds[0] == kinds[1] == "map":
            values = [node.get("additionalProperties", True) for node in nodes]
            return [(values[0], values[1])]
        if kinds[0] not in _ARRAYS or kinds[1] not in _ARRAYS:
            return []
        pairs = _places(nodes)
        may_be_both = "tuple" not in kinds or all(self._may_both_be(*pair) for pair in pairs)
        return pairs if may_be_both else []

    def _differs_from_map(self, whole: Node, mapping: Node, above: frozenset[tuple[int, int]]) -> bool:
        """Return the same of an object and a map that is one too: null may be absence, or a value."""
        properties, values = whole.get("properties", {}), mapping.get("additionalProperties", True)
        required = set(whole.get("required", ())) & properties.keys()
        if not all(self._may_both_be(properties[name], values) for name in required):
            return False
        types = self._types(values)
        may_lack = self.dialect.all_required and required < properties.keys()
        if may_lack and (not types or "null" in types):
            return True
        return any(self._differ(schema, values, above) for schema in properties.values())

    def _differs_from_untyped(self, nodes: list[Node], kinds: list[str]) -> bool:
        if kinds[0] == kinds[1]:
            return False
        if "text" not in kinds:
            return any(self._is_changed(node) for node in nodes)
        return kinds[kinds.index("text") - 1] in _SCALARS

    def _may_both_be(self, one: Any, other: Any) -> bool:
        """Return whether one instance in the dialect may be read as both: of scalars any as any other."""
        mine, theirs = self._types(one), self._types(other)
        return not mine or not theirs or bool(mine & theirs)

    def _types(self, schema: Any) -> frozenset[str]:
        """Return the JSON types of a node's instances in the dialect; nothing where it may be any."""
        node = normalized(self._resolved(schema))
        kind = self._kind(node)
        if kind == "union":
            parts = [self._types(member) for member in node["anyOf"]]
            return frozenset().union(*parts) if all(parts) else frozenset()
        if kind == "untyped":
            return frozenset()
        if kind in _ARRAYS or (kind == "map" and self.dialect.maps == "entries"):
            return frozenset(("array",))
        return frozenset(("scalar" if kind == "text" or kind in _SCALARS else kind,))

    def _is_changed(self, schema: Any) -> bool:
        """Return whether instances of a node are other ones in the dialect."""
        seen: set[int] = set()
        waiting = [schema]
        while waiting:
            current = self._resolved(waiting.pop())
            if id(current) in seen:
                continue
            seen.add(id(current))
            node = normalized(current)
            kind = self._kind(node)
            is_open = kind == "object" and set(node.get("properties", ())) > set(node.get("required", ()))
            is_map = kind == "map" and self.dialect.maps == "entries"
            if kind == "text" or is_map or (is_open and self.dialect.all_required):
                return True
            waiting += children(node)
        return False

    def _kind(self, node: Node) -> str:
        kind = kind_of(normalized(node))
        return "text" if kind == "untyped" and self.dialect.untyped == "text" else kind

    def _resolved(self, schema: Any) -> Node:
        """Return the node itself, or the one behind its reference."""
        node: Node = schema if isinstance(schema, dict) else {}
        seen: set[int] = set()
        while "$ref" in node and id(node) not in seen:
            seen.add(id(node))
            node = resolved(self.root, node["$ref"]) or {}
        return node


def _places(nodes: list[Node]) -> list[tuple[Any, Any]]:
    """Return the pairs of what two arrays hold at their places; nothing where no instance is of both."""
    places = [normalized(node).get("prefixItems") for node in nodes]
    items = [normalized(node).get("items", True) for node in nodes]
    if places[0] is None and places[1] is None:
        return [(items[0], items[1])]
    if places[0] is not None and places[1] is not None:
        return list(zip(*places, strict=True)) if len(places[0]) == len(places[1]) else []
    given = places[0] if places[0] is not None else places[1]
    return [(place, items[0] if places[0] is None else items[1]) for place in given or ()]
