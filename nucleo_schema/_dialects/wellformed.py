"""The form of a finished schema: what its keywords hold, so that nothing after this need look."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from .._wording import found
from ..errors import SchemaError
from .nodes import ALL_TYPES, Node
from .places import Place

__all__ = ["check_form"]


def check_form(schema: Node) -> None:
    """
    Refuse a schema in which a keyword holds what it cannot hold.

    Raises:
        SchemaError: At the first place that does; it names the keyword, and what was expected.
    """
    title = schema.get("title")
    waiting: list[tuple[Any, Place]] = [(schema, Place(title if isinstance(title, str) else "schema"))]
    while waiting:
        node, place = waiting.pop()
        if isinstance(node, bool):
            continue
        if not isinstance(node, dict):
            raise _refused(place, node, "", "a schema: an object, true or false")
        for keyword, value in node.items():
            if not isinstance(keyword, str):
                raise _refused(place, keyword, " for a keyword", "text")
            kind = _KINDS.get(keyword, _ANYTHING)
            if not kind.holds(value):
                raise _refused(place, value, f" under {keyword}", kind.expected)
            if kind.inside is _nothing:
                for stranger in _strangers(value):
                    raise _refused(place, stranger, f" under {keyword}", "values of JSON")
            waiting += kind.inside(value, place)


def _strangers(value: Any) -> Iterator[Any]:
    """Yield what is no value of JSON in *value*: it holds none of itself, for the schema is a copy."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, list):
            waiting += current
        elif isinstance(current, dict):
            waiting += current.values()
            yield from (name for name in current if not isinstance(name, str))
        elif not (current is None or isinstance(current, (str, int)) or _is_number(current)):
            yield current


def _refused(place: Place, value: Any, under: str, expected: str) -> SchemaError:
    return SchemaError(f"{place}: found {found(value)}{under}, expected {expected}")


def _nothing(_value: Any, _place: Place) -> Iterator[tuple[Any, Place]]:
    return iter(())


@frozen
class _Kind:
    """What a keyword holds, and the schemas in that."""

    expected: str
    holds: Callable[[Any], bool]
    inside: Callable[[Any, Place], Iterator[tuple[Any, Place]]] = _nothing


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_types(value: Any) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in ALL_TYPES for name in names)


_SCHEMA = _Kind("a schema", lambda _value: True, lambda value, place: iter([(value, place)]))
_SCHEMAS = _Kind(
    "a list of schemas",
    lambda value: isinstance(value, list) and bool(value),
    lambda value, place: ((item, place) for item in value),
)
_NAMED_SCHEMAS = _Kind(
    "an object of schemas by name",
    lambda value: isinstance(value, dict) and all(isinstance(name, str) for name in value),
    lambda value, place: ((item, place.at(name)) for name, item in value.items()),
)
_FLAG = _Kind("true or false", lambda value: isinstance(value, bool))
_TEXT = _Kind("text", lambda value: isinstance(value, str))
_TEXTS = _Kind("a list of texts", _are_texts)
_VALUES = _Kind("a list of values", lambda value: isinstance(value, list))
_NUMBER = _Kind("a number", _is_number)
_COUNT = _Kind("a whole number from 0", _is_count)
_ANYTHING = _Kind("a value", lambda _value: True)
_TYPES = _Kind(f"one of {', '.join(ALL_TYPES)}, or a list of them", _are_types)

_KINDS: dict[str, _Kind] = {
    **dict.fromkeys(("properties", "$defs", "definitions"), _NAMED_SCHEMAS),
    **dict.fromkeys(("items", "additionalProperties"), _SCHEMA),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), _SCHEMAS),
    **dict.fromkeys(("title", "description", "format", "pattern", "contentEncoding", "$ref"), _TEXT),
    "required": _TEXTS,
    "uniqueItems": _FLAG,
    **dict.fromkeys(("enum", "examples"), _VALUES),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        _NUMBER,
    ),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _COUNT
    ),
    "type": _TYPES,
}
