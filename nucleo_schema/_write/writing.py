"""Writing with one session: JSON text, by orjson where it can, exactly in any case."""

from __future__ import annotations

import json
from typing import Any

import orjson

from ..errors import SerializationError
from .failure import UnwritableError, serialization_error
from .session import Session, plain, ready

__all__ = ["to_text", "to_tree"]

#: What `ready` gives holds none of these; what it might overlook is not for orjson to guess.
_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
_PRETTY = _OPTIONS | orjson.OPT_INDENT_2


def to_text(obj: Any, session: Session, *, pretty: bool) -> str:
    """
    Return *obj* as JSON text.

    Raises:
        SerializationError: If something in it cannot be written.
    """
    try:
        tree = ready(obj, session)
    except Exception as error:  # noqa: BLE001  hooks and summarizers raise anything
        tree = _carefully(obj, session, error)
    try:
        return orjson.dumps(tree, option=_PRETTY if pretty else _OPTIONS).decode()
    except orjson.JSONEncodeError:  # an integer beyond 64 bits, a deep nesting, half of a surrogate pair
        pass
    try:
        text = json.dumps(
            tree,
            default=lambda value: plain(value, session),  # a day, a moment or a UUID, left for orjson
            ensure_ascii=False,
            allow_nan=False,
            indent=2 if pretty else None,
            separators=None if pretty else (",", ":"),
        )
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        broken = UnwritableError("a text holds half of a surrogate pair, which no encoding has")
        raise serialization_error(obj, broken) from error
    except Exception as error:
        raise serialization_error(obj, error) from error
    return text


def to_tree(obj: Any, session: Session) -> Any:
    """
    Return *obj* as plain JSON data.

    Raises:
        SerializationError: If something in it cannot be written.
    """
    try:
        return ready(obj, session)
    except Exception as error:  # noqa: BLE001  hooks raise anything
        return _carefully(obj, session, error)


def _carefully(obj: Any, session: Session, error: Exception) -> Any:
    """
    Return *obj* as plain JSON data after the quick way raised *error*.

    Only what the careful way says better, or can do after all, is tried again: hooks have run already.

    Raises:
        SerializationError: If something in it cannot be written.
    """
    if isinstance(error, (UnwritableError, RecursionError)):
        try:
            return plain(obj, session)
        except Exception as again:  # noqa: BLE001  hooks raise anything
            error = again
    raise serialization_error(obj, error) from _cause(error)


def _cause(error: Exception) -> Exception:
    """Return the error to chain: what a SerializationError itself was caused by, if it was."""
    inner = error.__cause__
    return inner if isinstance(error, SerializationError) and isinstance(inner, Exception) else error
