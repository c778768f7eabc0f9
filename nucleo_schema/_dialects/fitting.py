"""Whether a value in the form of a dialect is an instance of a node, or near to one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .nodes import ENUM_KINDS, HOLDERS, SCALARS, Node, kind_of, normalized, resolved
from .record import Dialect

__all__ = ["ENTRY", "Fitting"]

#: The members of an entry of a map.
ENTRY: Final = frozenset({"key", "value"})


class Fitting:
    """What fits the nodes of one schema in one dialect; what only narrows a node down does not count."""

    def __init__(self, root: Node, dialect: Dialect) -> None:
        self.root = root
        self.dialect = dialect
        self._by_kind: dict[str, Callable[[Any, Node], bool]] = {
            "union": self._fits_union,
            "choice": self._fits_choice,
            "object": self._fits_object,
            "map": self._fits_map,
            "array": self._fits_array,
            "tuple": self._fits_tuple,
        }

    def fits(self, value: Any, schema: Any) -> bool:
        """Return whether *value* is what a model was told to write for *schema*, all through."""
        node = self._node(schema)
        kind = kind_of(node)
        if kind in self._by_kind:
            return self._by_kind[kind](value, node)
        return isinstance(value, str) if self._is_text(kind) else self._is_scalar(value, kind)

    def is_near(self, value: Any, schema: Any) -> bool:
        """Return whether *value* is of the JSON type of *schema*, in the dialect or canonically."""
        node = self._node(schema)
        kind = kind_of(node)
        if kind == "union":
            return any(self.is_near(value, member) for member in node["anyOf"])
        if kind == "map" and self.dialect.maps == "entries":
            return isinstance(value, (dict, list))
        if kind in HOLDERS:
            return isinstance(value, HOLDERS[kind])
        return isinstance(value, str) if self._is_text(kind) else self._is_scalar(value, kind)

    def _node(self, schema: Any) -> Node:
        node = normalized(schema)
        return self._node(resolved(self.root, node["$ref"]) or {}) if "$ref" in node else node

    def _is_text(self, kind: str) -> bool:
        return kind == "untyped" and self.dialect.untyped == "text"

    def _is_scalar(self, value: Any, kind: str) -> bool:
        """Return whether *value* is of a scalar type; of what has no type anything is."""
        return kind not in SCALARS or ENUM_KINDS.get(type(value)) in SCALARS[kind]

    def _fits_union(self, value: Any, node: Node) -> bool:
        return any(self.fits(value, member) for member in node["anyOf"])

    def _fits_choice(self, value: Any, node: Node) -> bool:
        return any(type(choice) is type(value) and choice == value for choice in node["enum"])

    def _fits_object(self, value: Any, node: Node) -> bool:
        properties, required = node.get("properties", {}), set(node.get("required", ()))
        if not isinstance(value, dict) or not required <= value.keys() <= properties.keys():
            return False
        return all(
            self.fits(item, properties[name])
            or (item is None and self.dialect.all_required and name not in required)
            for name, item in value.items()
        )

    def _fits_map(self, value: Any, node: Node) -> bool:
        inner = node.get("additionalProperties", True)
        if self.dialect.maps == "objects":
            return isinstance(value, dict) and all(self.fits(item, inner) for item in value.values())
        return isinstance(value, list) and all(
            isinstance(entry, dict)
            and entry.keys() == ENTRY
            and isinstance(entry["key"], str)
            and self.fits(entry["value"], inner)
            for entry in value
        )

    def _fits_array(self, value: Any, node: Node) -> bool:
        items = node.get("items", True)
        return isinstance(value, list) and all(self.fits(item, items) for item in value)

    def _fits_tuple(self, value: Any, node: Node) -> bool:
        places = node["prefixItems"]
        if not isinstance(value, list) or len(value) != len(places):
            return False
        return all(self.fits(item, place) for item, place in zip(value, places, strict=True))
