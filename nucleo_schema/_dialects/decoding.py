"""
Instances of a schema in the canonical form, from that of a dialect.

By the schema alone: this is for what a host's hook reads. The answers to a class of ours are read by its
declaration instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from .._wording import found
from ..errors import InvalidInputError
from .fitting import ENTRY, Fitting
from .nodes import Node, kind_of, normalized, resolved
from .record import Dialect

__all__ = ["UndecodableError", "check_written", "decoded"]


def check_written(value: Any, dialect: Dialect) -> None:
    """
    Refuse what no model wrote: an object of a host's is in the canonical form, and nothing in it is undone.

    Raises:
        InvalidInputError: If *value* holds anything but JSON values.
    """
    waiting = [value]
    seen: dict[int, Any] = {}  # by identity, and kept: a part may stand in many places, and in itself
    while waiting:
        current = waiting.pop()
        if isinstance(current, (Mapping, list)):
            if id(current) not in seen:
                seen[id(current)] = current
                waiting += current.values() if isinstance(current, Mapping) else current
        elif isinstance(current, Enum) or not isinstance(current, _JSON_SCALARS):
            msg = (
                f"value: found {found(current)}, expected nothing but JSON values, as a model writes them "
                f"for {dialect.name}; what is in the canonical form is converted without a dialect"
            )
            raise InvalidInputError(msg)


_JSON_SCALARS = (str, int, float, type(None))


class UndecodableError(Exception):
    """What was written cannot be undone; the message says what was found and expected."""


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
        UndecodableError: If it fits several alternatives alike that the dialect treats differently, or if an
            array in the place of a map is no array of entries.
    """
    return _Decoding(root, dialect, text_value).value(value, schema)


class _Decoding:
    def __init__(self, root: Node, dialect: Dialect, text_value: Callable[[str], Any]) -> None:
        self.root = root
        self.dialect = dialect
        self.text_value = text_value
        self.fitting = Fitting(root, dialect)

    def value(self, value: Any, schema: Any) -> Any:
        node = normalized(schema)
        if "$ref" in node:
            return self.value(value, resolved(self.root, node["$ref"]) or {})
        kind = kind_of(node)
        if kind == "union":
            return self._of_union(value, node)
        if kind == "untyped" and self.dialect.untyped == "text" and isinstance(value, str):
            return self.text_value(value)
        if kind == "map" and self.dialect.maps == "entries" and isinstance(value, (list, dict)):
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
        """Return what the alternatives make of a value that it fits, else those that it is near to."""
        alternatives = node["anyOf"]
        fitting = [member for member in alternatives if self.fitting.fits(value, member)]
        near = fitting or [member for member in alternatives if self.fitting.is_near(value, member)]
        results: list[Any] = []
        faults: list[UndecodableError] = []
        for member in near:
            try:
                result = self.value(value, member)
            except UndecodableError as fault:
                faults.append(fault)
                continue
            if result not in results:
                results.append(result)
        if len(results) > 1:
            msg = "found what fits several alternatives alike, expected what tells them apart"
            raise UndecodableError(msg)
        if faults and not results:
            raise faults[0]
        return results[0] if results else value


def _of_entries(given: list[Any] | Node) -> Node:
    """
    Return the object that entries spell, or the one that a model kept to.

    Raises:
        UndecodableError: If it is neither; an object may be one entry.
    """
    if isinstance(given, dict) and given.keys() != ENTRY:
        return given
    entries = given if isinstance(given, list) else []
    whole = [entry for entry in entries if isinstance(entry, dict) and entry.keys() == ENTRY]
    members = {entry["key"]: entry["value"] for entry in whole if isinstance(entry["key"], str)}
    if isinstance(given, list) and len(members) == len(given):
        return members
    what = found(given) if isinstance(given, list) else "one entry"
    msg = f"found {what}, expected array of entries, each with a key and a value"
    raise UndecodableError(msg)
