"""Schemas as text and as copies: nothing is lost on the way, and no nesting is too deep to be refused."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn, cast

import orjson

from .._wording import found
from ..errors import InvalidInputError
from .nodes import Node, is_object

__all__ = ["MAX_NESTING", "copied", "dumped", "loaded", "refuse_nesting"]

#: Levels of nesting beyond which a schema is refused; one that contains itself is refused by the same count.
MAX_NESTING = 1_000


def copied(root: Node) -> Node:
    """Return a copy that shares no dict and no list with the original, nor one part of it with another."""
    copy: Node = {}
    pending: list[tuple[Any, Any, int]] = [(root, copy, 1)]
    while pending:
        source, target, level = pending.pop()
        if level > MAX_NESTING:
            refuse_nesting()
        for key, value in source.items() if is_object(source) else enumerate(source):
            if is_object(value):
                target[key] = {}
                pending.append((value, target[key], level + 1))
            elif isinstance(value, (list, tuple)):
                items = list(cast("list[Any]", value))
                target[key] = items
                pending.append((items, items, level + 1))
            else:
                target[key] = value
    return copy


def loaded(text: str) -> Any:
    """Return what a JSON text says, integers of any size exactly."""
    try:
        return json.loads(text, parse_constant=_refuse_number, parse_float=_finite)
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInputError(
            f"schema: found {found(text)}, which does not read as JSON{where}, expected an object as text."
        ) from None


def _finite(text: str) -> float:
    """Return the number that *text* spells, if a float can hold it."""
    number = float(text)
    return number if math.isfinite(number) else _refuse_number(text)


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(text)


def dumped(root: Any) -> str:
    """Return a schema as text with an indent of two spaces."""
    try:
        return orjson.dumps(root, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # an integer beyond 64 bits, half a surrogate pair, or more levels than orjson takes
        return json.dumps(root, indent=2)


def refuse_nesting() -> NoReturn:
    raise InvalidInputError(
        f"schema: nested too deeply, or within itself; expected at most {MAX_NESTING} levels."
    ) from None
