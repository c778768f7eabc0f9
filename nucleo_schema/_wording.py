"""Bounded wording of values, types and names for messages: nothing here grows with the data."""

from __future__ import annotations

import enum
import types
from collections.abc import Mapping, Set as AbstractSet
from typing import Annotated, Any, Union, get_args, get_origin

__all__ = [
    "MAX_VALUE_CHARS",
    "counted",
    "cut",
    "found",
    "join_path",
    "listed",
    "path_ends",
    "printable",
    "qualified_name",
    "type_name",
]

#: Text of a value beyond this many characters is cut, and its length given.
MAX_VALUE_CHARS = 100

#: Integers beyond this many bits are described by their size: printing them is slow or refused.
_MAX_PRINTED_BITS = 256

_UNIONS = (Union, types.UnionType)
#: Where the classes of typing forms live; what such an object prints is bounded and no code of the host's.
_TYPING_MODULES = ("typing", "typing_extensions", "types", "annotationlib")


def cut(text: str, max_chars: int = MAX_VALUE_CHARS) -> str:
    """Return *text* on one line, or its first *max_chars* characters and its length when it is longer."""
    if len(text) <= max_chars:
        return printable(text)
    return f"{printable(text[:max_chars])}... ({len(text)} characters)"


def printable(text: str) -> str:
    """Return *text* with escapes for what does not print: line breaks, controls, half surrogate pairs."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def found(value: Any) -> str:
    """Return the JSON kind of *value* with the value, or with its size when it is a collection."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean {'true' if value else 'false'}"
    if isinstance(value, str):
        return f'string "{cut(value)}"'
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


def type_name(target: Any) -> str:
    """Return the short name of a class or typing form, as messages show it; of anything else its kind."""
    return _type_text(target, qualified=False)


def qualified_name(cls: Any) -> str:
    """Return the module-qualified name of a class or typing form."""
    return _type_text(cls, qualified=True)


def _type_text(target: Any, *, qualified: bool) -> str:
    try:
        return cut(_form_text(target, qualified=qualified))
    except RecursionError:
        return "a very deep annotation"


def _form_text(target: Any, *, qualified: bool) -> str:
    origin, args = get_origin(target), get_args(target)
    if origin is Annotated:  # its notes are objects of the host's
        return _form_text(args[0], qualified=qualified)
    if origin in _UNIONS:
        return _parts_text(args, " or ", qualified=qualified)
    if args:
        return f"{_form_text(origin, qualified=qualified)}[{_parts_text(args, ', ', qualified=qualified)}]"
    return _plain_text(target, qualified=qualified)


def _parts_text(parts: Any, separator: str, *, qualified: bool) -> str:
    return separator.join(
        f"[{_parts_text(part, ', ', qualified=qualified)}]"  # the arguments of a callable
        if isinstance(part, list)
        else _form_text(part, qualified=qualified)
        for part in parts
    )


def _plain_text(target: Any, *, qualified: bool) -> str:
    if target is None or target is type(None):
        return "None"
    if isinstance(target, type):
        is_short = not qualified or target.__module__ == "builtins"
        return target.__name__ if is_short else f"{target.__module__}.{target.__qualname__}"
    if type(target).__module__ in _TYPING_MODULES:
        return str(getattr(target, "__name__", None) or getattr(target, "__forward_arg__", target))
    return "..." if target is ... else _literal_text(target)


def _literal_text(value: Any) -> str:
    """Return the text of a literal, of an annotation that is not resolved, or of what is no type at all."""
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, str):
        return value
    if type(value) in (bool, int) and value.bit_length() <= _MAX_PRINTED_BITS:
        return str(value)
    return found(value)


def join_path(parent: str, step: str | int) -> str:
    """Return *parent* followed by a member name or an array index, like ``cited[1].year``."""
    if isinstance(step, int):
        return f"{parent}[{step}]"
    step = cut(step)
    return f"{parent}.{step}" if parent else step


def path_ends(path: str) -> list[int]:
    """Return where the paths of the places around the one at *path* end in it, and where it ends itself."""
    return [index for index, char in enumerate(path) if char in ".["] + [len(path)]


def listed(words: Any, most: int = 20, separator: str = ", ") -> str:
    """Return *words* joined, booleans as JSON has them; beyond *most* words, how many more there are."""
    words = [str(word).lower() if isinstance(word, bool) else cut(str(word)) for word in words]
    if len(words) <= most:
        return separator.join(words)
    return f"{separator.join(words[:most])} and {len(words) - most} more"
