"""
Artifacts as text for people: formatters by class.

A formatter is a pure function from an artifact to its text: the same artifact gives the same text every
time. One that is registered for a base class covers its subclasses. The registry is one for the process and
safe for threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from ._artifacts.lists import ListArtifact, iterand_alias
from ._declare.artifact import Artifact
from ._forks import fork_safe
from ._verbs import write
from ._wording import found, type_name
from .errors import InvalidInputError, SerializationError

__all__ = ["Formatter", "find", "format", "register", "unregister"]

A = TypeVar("A", bound=Artifact)

#: What gives the text of an artifact.
Formatter = Callable[[Any], str]

_LOCK = fork_safe(threading.Lock())
_FORMATTERS: dict[type[Any], Formatter] = {}


def register(cls: type[A], formatter: Callable[[A], str]) -> None:
    """
    Register the formatter of an artifact class and its subclasses; an earlier one of that class gives way.

    Raises:
        InvalidInputError: If *cls* is no artifact class, or *formatter* cannot be called.
    """
    given: Any = cls
    if not (isinstance(given, type) and issubclass(given, Artifact)):
        what = f"class {type_name(given)}" if isinstance(given, type) else found(given)
        msg = f"cls: found {what}, expected an artifact class"
        raise InvalidInputError(msg)
    if not callable(formatter):
        msg = f"formatter: found {found(formatter)}, expected a function from an artifact to its text"
        raise InvalidInputError(msg)
    with _LOCK:
        _FORMATTERS[cls] = formatter


def unregister(cls: type[Any]) -> None:
    """Forget the formatter that was registered for *cls* itself, if one was; a built-in one stays."""
    with _LOCK:
        _FORMATTERS.pop(cls, None)


def find(cls: type[Any]) -> Formatter | None:
    """Return the formatter of *cls* or of its nearest ancestor that has one, or None."""
    for base in cls.__mro__:
        formatter = _FORMATTERS.get(base) or _BUILT_IN.get(base)
        if formatter is not None:
            return formatter
    return None


def format(artifact: Artifact) -> str:  # noqa: A001  the contract pins the name
    """
    Return the text of an artifact: from the formatter of its class, or else its JSON.

    Raises:
        InvalidInputError: If *artifact* is none, or its formatter gives no text.
        SerializationError: If it cannot be written, because it contains itself for example.
    """
    if not isinstance(artifact, Artifact):
        msg = f"artifact: found {found(artifact)}, expected an instance of an artifact class"
        raise InvalidInputError(msg)
    formatter = find(type(artifact))
    if formatter is None:
        return write(artifact)
    try:
        text = formatter(artifact)
    except RecursionError as error:
        msg = f"Could not format {type(artifact).__name__}: it contains itself or is nested too deeply"
        raise SerializationError(msg) from error
    if not isinstance(text, str):
        msg = f"the formatter of {type(artifact).__name__}: found {found(text)}, expected text"
        raise InvalidInputError(msg)
    return text


def _format_list(artifact: ListArtifact[Any]) -> str:
    """Return the count and the kind of what a list holds, then each of it, numbered."""
    count = len(artifact.iterands)
    alias = iterand_alias(artifact)
    words = [str(count), *([alias] if alias else []), "result" if count == 1 else "results"]
    lines = [f"{number}. {format(iterand)}" for number, iterand in enumerate(artifact.iterands, start=1)]
    return "\n".join([" ".join(words), *lines])


_BUILT_IN: dict[type[Any], Formatter] = {ListArtifact: _format_list}
