"""Bounded wording of values, types and names for messages: nothing here grows with the data."""

from __future__ import annotations

from collections.abc import Mapping, Set as AbstractSet
from typing import Any

__all__ = ["MAX_VALUE_CHARS", "counted", "cut", "found", "join_path", "listed", "qualified_name", "type_name"]

#: Text of a value beyond this many characters is cut, and its length given.
MAX_VALUE_CHARS = 100

#: Integers beyond this many bits are described by their size: printing them is slow or refused.
_MAX_PRINTED_BITS = 256


def cut(text: str, max_chars: int = MAX_VALUE_CHARS) -> str:
    """Return *text*, or its first *max_chars* characters and its length when it is longer."""
    if len(text) <= max_chars:
        return text
    return f"{text[:max_chars]}... ({len(text)} characters)"


def found(value: Any) -> str:
    """Return the JSON kind of *value* with the value, or with its size when it is a collection."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean {'true' if value else 'false'}"
    if isinstance(value, str):
        return f'string "{_printable(value)}"'
    if isinstance(value, int):
        return _found_integer(value)
    if isinstance(value, float):
        return f"number {cut(getattr(value, 'text', None) or repr(float(value)))}"
    return _found_collection(value)


def _found_integer(value: int) -> str:
    text = getattr(value, "text", None)
    if text is not None:
        return f"integer {cut(text)}"
    if value.bit_length() > _MAX_PRINTED_BITS:
        return f"integer of {value.bit_length()} bits"
    return f"integer {int(value)}"


def _found_collection(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"object ({counted(len(value), 'member')})"
    if isinstance(value, (list, tuple, AbstractSet)):
        return f"array ({counted(len(value), 'item')})"
    if isinstance(value, (bytes, bytearray)):
        return f"bytes ({counted(len(value), 'byte')})"
    return f"an instance of {type(value).__name__}"


def counted(number: int, noun: str) -> str:
    """Return *number* and the *noun*, in the plural where there is not one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _printable(text: str) -> str:
    """Return *text* on one line: cut, with its length then, and with escapes for what does not print."""
    kept = "".join(char if char.isprintable() else _escaped(char) for char in text[:MAX_VALUE_CHARS])
    return kept if len(text) <= MAX_VALUE_CHARS else f"{kept}... ({len(text)} characters)"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def type_name(target: Any) -> str:
    """Return the short name of a class or typing form, as messages show it."""
    if isinstance(target, type) and not getattr(target, "__args__", None):
        return "None" if target is type(None) else cut(target.__name__)
    try:
        return cut(str(target).replace("typing.", "").replace("<class '", "").replace("'>", ""))
    except RecursionError:
        return "a very deep annotation"


def qualified_name(cls: Any) -> str:
    """Return the module-qualified name of *cls*."""
    return cut(f"{cls.__module__}.{cls.__qualname__}") if isinstance(cls, type) else type_name(cls)


def join_path(parent: str, step: str | int) -> str:
    """Return *parent* followed by a member name or an array index, like ``cited[1].year``."""
    if isinstance(step, int):
        return f"{parent}[{step}]"
    step = _printable(step)
    return f"{parent}.{step}" if parent else step


def listed(words: Any, most: int = 20) -> str:
    """Return *words* joined by commas; beyond *most* of them, how many more there are."""
    words = [cut(str(word)) for word in words]
    if len(words) <= most:
        return ", ".join(words)
    return f"{', '.join(words[:most])} and {len(words) - most} more"
