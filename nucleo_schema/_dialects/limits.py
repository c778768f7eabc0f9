"""The limits of a dialect, held against a schema in its terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn

from attrs import define

from ..errors import SchemaError
from .nodes import Node, resolved
from .places import Place
from .record import Dialect

__all__ = ["check_limits"]

#: From more values than this on, the characters of an enum are limited by themselves.
_LONG_ENUM = 250


def check_limits(schema: Node, dialect: Dialect) -> None:
    """
    Refuse a schema that goes beyond what *dialect* says that its reader takes.

    Raises:
        SchemaError: At the first place that does; the message names its class and field, and the limit.
    """
    check = _Check(dialect)
    owner = Place(schema.get("title", "schema"))
    check.visit(schema, owner, 0)
    for key, definition in schema.get("$defs", {}).items():
        check.visit(definition, Place(definition.get("title", key)), 0)
    if dialect.recursion == "optional":
        _refuse_endless(schema, dialect)


@define
class _Check:
    """What has been counted so far; definitions count once each, like what stands in the root."""

    dialect: Dialect
    properties: int = 0
    optional: int = 0
    unions: int = 0
    enum_values: int = 0
    chars: int = 0

    def visit(self, node: Node, place: Place, depth: int) -> None:
        """Count a node and what it holds."""
        if "enum" in node:
            self._count_enum(node["enum"], place)
        if "properties" in node:
            depth += 1
            self._hold(depth, self.dialect.max_depth, place, "objects within objects", _FLATTEN)
            self._visit_properties(node, place.inside(node.get("title")), depth)
        for child in _held(node):
            self.visit(child, place, depth)

    def _visit_properties(self, node: Node, place: Place, depth: int) -> None:
        required = node.get("required", ())
        for name, child in node["properties"].items():
            here = place.at(name)
            self._check_name(name, here)
            self.properties += 1
            self._hold(self.properties, self.dialect.max_properties, here, "properties", _SPLIT)
            self._count_chars(len(name), here)
            if name not in required:
                self.optional += 1
                self._hold(self.optional, self.dialect.max_optional, here, "optional properties", _REQUIRE)
            if "anyOf" in child:
                self.unions += 1
                self._hold(self.unions, self.dialect.max_unions, here, "properties with alternatives", _SPLIT)
            self.visit(child, here, depth)

    def _check_name(self, name: str, place: Place) -> None:
        pattern = self.dialect.property_names
        if pattern is not None and not re.fullmatch(pattern, name):
            msg = (
                f"{place}: found the name {name!r}, expected one that matches {pattern} for "
                f"{self.dialect.name}. Give the field another with meta(name=...)."
            )
            raise SchemaError(msg)

    def _count_enum(self, values: list[Any], place: Place) -> None:
        self.enum_values += len(values)
        self._hold(self.enum_values, self.dialect.max_enum_values, place, "values of choices", _TEXT)
        chars = sum(len(value) for value in values if isinstance(value, str))
        if len(values) > _LONG_ENUM:
            self._hold(chars, self.dialect.max_enum_chars, place, "characters in one choice", _TEXT)
        self._count_chars(chars, place)

    def _count_chars(self, chars: int, place: Place) -> None:
        self.chars += chars
        self._hold(self.chars, self.dialect.max_chars, place, "characters of names and choices", _SPLIT)

    def _hold(self, count: int, limit: int | None, place: Place, what: str, advice: str) -> None:
        if limit is not None and count > limit:
            msg = f"{place}: found more than {limit} {what}, the limit of {self.dialect.name}. {advice}"
            raise SchemaError(msg)


_SPLIT = "Ask for less at once, or use a dialect without strict."
_REQUIRE = "Require some of them, ask for less at once, or use a dialect without strict."
_FLATTEN = "Make the class flatter, or use a dialect without strict."
_TEXT = "Declare a text, or fewer choices."


def _held(node: Node) -> Iterator[Node]:
    """Yield the schemas that a node holds beside those of its properties."""
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield node[key]
    yield from node.get("anyOf", ())


def _refuse_endless(schema: Node, dialect: Dialect) -> None:
    """Refuse a cycle of references that runs through no optional property."""
    done: set[str] = set()
    path: list[str] = []

    def enter(node: Node, place: Place) -> None:
        reference = node.get("$ref")
        if reference in path:
            _refuse_cycle(place, dialect)
        if reference is not None and reference not in done:
            path.append(reference)
            target = resolved(schema, reference) or {}
            enter(target, Place(target.get("title", place.owner)))
            done.add(path.pop())
        inside = place.inside(node.get("title"))
        for name in node.get("required", ()):
            enter(node["properties"][name], inside.at(name))
        for child in _held(node):
            enter(child, place)

    enter(schema, Place(schema.get("title", "schema")))
    for key in schema.get("$defs", {}):
        enter({"$ref": f"#/$defs/{key}"}, Place(key))


def _refuse_cycle(place: Place, dialect: Dialect) -> NoReturn:
    msg = (
        f"{place}: found a reference back through required properties only, expected an optional property on "
        f"the way for {dialect.name}. Give a field of the cycle a default."
    )
    raise SchemaError(msg)
