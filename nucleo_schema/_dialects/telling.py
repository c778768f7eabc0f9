"""Telling: of what narrows a node down a dialect keeps what it takes, and its description tells the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from .encoding import encoded
from .nodes import STRUCTURE, Node
from .record import Dialect

__all__ = ["Body", "finished", "shown"]

#: Bounds that say no more than the width of an integer.
_WIDTHS = frozenset((-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)) | {
    (1 - 2**53, 2**53 - 1)
}
#: A bound beyond this is no number that every JSON reader holds.
_MAX_BOUND = 2**53 - 1
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})

#: Keywords that say nothing to a model.
_SILENT = frozenset(
    {
        *(
            "$schema",
            "$id",
            "$anchor",
            "$comment",
            "$defs",
            "definitions",
            "deprecated",
            "readOnly",
            "writeOnly",
        ),
        *("propertyOrdering", "$vocabulary", "$dynamicAnchor"),
    }
)
#: How a description tells a keyword that may not stay; any other is told as it is spelled.
_TOLD: dict[str, str] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} members",
    "maxProperties": "at most {} members",
    "uniqueItems": "no two items alike",
    "contentEncoding": "in {}",
    "format": "format {}",
    "pattern": "pattern {}",
    "default": "default {}",
}
#: What in a pattern no automaton has: groups other than plain ones, references back, and ends of words.
_NOT_REGULAR = re.compile(r"\\(?:[1-9kbB])|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|\(\?(?!:)", re.DOTALL)


@frozen
class Body:
    """What a node becomes: its structure, and what its description must tell beside."""

    node: Node
    notes: tuple[str, ...] = ()


def finished(node: Node, body: Body, root: Node, dialect: Dialect) -> Node:
    """
    Return a node with its words and with the refinements that the dialect takes.

    Args:
        node: The node as it was.
        body: What it becomes.
        root: The schema that the references in it point into.
        dialect: In whose terms it is.
    """
    kept: Node = {}
    notes = list(body.notes)
    for key, value in node.items():
        if key not in STRUCTURE and key not in _SILENT and not key.startswith("x-"):
            told = _refined(key, value, node, root, dialect)
            if told is None:
                kept[key] = value
            else:
                notes += told
    if "examples" in kept:
        kept["examples"] = list(_encoded_all(kept["examples"], node, root, dialect))
    made = dict(body.node)
    head: Node = {key: made.pop(key) for key in ("type", "title") if key in made}
    inner = made.pop("description", None)
    title = kept.pop("title", None)
    if title is not None:
        head["title"] = title
    words = [text for text in (node.get("description", inner), _bracketed(notes)) if text]
    if words:
        head["description"] = " ".join(words)
    return {**head, **made, **kept}


def _refined(key: str, value: Any, node: Node, root: Node, dialect: Dialect) -> list[str] | None:
    """Return what is told of one refinement, nothing where it says nothing; None where it stays."""
    if key == "examples":
        value = list(_encoded_all(value, node, root, dialect))
        if not value:
            return []
    elif key == "default":
        value = next(_encoded_all([value], node, root, dialect), value)
    elif key in ("minimum", "maximum") and _is_width(key, node, dialect):
        return []
    if _stays(key, value, dialect):
        return None
    if key == "examples":
        return [f"examples: {shown(value)}"]
    if key == "title" or (value is False and key != "default"):
        return []
    text = value if isinstance(value, str) and key != "default" else _json(value)
    return [_TOLD[key].format(text) if key in _TOLD else f"{key}: {text}"]


def _stays(key: str, value: Any, dialect: Dialect) -> bool:
    if key not in dialect.keywords or (key in _BOUNDS and abs(value) > _MAX_BOUND):
        return False
    if key == "format":
        return value in dialect.formats
    if key == "pattern":
        return dialect.lookaround or _is_regular(value)
    return key != "minItems" or dialect.max_min_items is None or value <= dialect.max_min_items


def _is_regular(pattern: str) -> bool:
    """Return whether a pattern neither looks around nor back, so that an automaton can follow it."""
    tokens = _NOT_REGULAR.findall(pattern)
    return not any(token[0] == "(" or token[1:] in _ASSERTING for token in tokens)


_ASSERTING = frozenset("123456789kbB")


def _is_width(key: str, node: Node, dialect: Dialect) -> bool:
    """Return whether a bound says only how wide an integer is, where that need not be said."""
    pair = (node.get("minimum"), node.get("maximum"))
    return pair in _WIDTHS and (key not in dialect.keywords or abs(node[key]) > _MAX_BOUND)


def _encoded_all(values: list[Any], node: Node, root: Node, dialect: Dialect) -> Iterator[Any]:
    for value in values:
        try:
            yield encoded(value, node, root, dialect)
        except LookupError:  # noqa: PERF203  it fits several alternatives, or none
            continue


def _bracketed(notes: list[str]) -> str:
    return f"[{'; '.join(notes)}]" if notes else ""


def shown(values: list[Any]) -> str:
    """Return the words for a few values."""
    return ", ".join(value if isinstance(value, str) else _json(value) for value in values)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
