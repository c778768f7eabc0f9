"""The verbs: reading and writing with the library's own converter."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from ._converter import converter
from ._dialects.decoding import check_written
from ._dialects.record import STANDARD, Dialect, checked
from ._read.modes import PLAIN, undoing
from ._read.reading import REPLY, read_json, read_reply, read_value
from ._write.modes import SUMMARIZED, WHOLE, WITH_REFS
from ._write.session import Session
from ._write.summaries import OncePerText, Summarizer, TruncatingSummarizer
from ._write.writing import to_text, to_tree

__all__ = [
    "convert",
    "parse",
    "parse_llm_response",
    "read_tree",
    "value_to_tree",
    "write",
    "write_compact",
    "write_summarized",
    "write_summarized_compact",
]

T = TypeVar("T")
_TREE = Session(converter)
_WHOLE = Session(converter, WHOLE)


@overload
def parse_llm_response(raw: str | bytes, target: type[T], *, dialect: Dialect = ...) -> T:
    """Return an instance of a class."""


@overload
def parse_llm_response(raw: str | bytes, target: Any, *, dialect: Dialect = ...) -> Any:
    """Return an instance of any typing form."""


def parse_llm_response(raw: str | bytes, target: Any, *, dialect: Dialect = STANDARD) -> Any:
    """
    Return the answer in a model's raw reply as an instance of *target*.

    The last top-level JSON object or array is the answer; reasoning, fences and prose around it are
    dropped, lenient syntax is read, and echoes of the schema are unwrapped.

    Args:
        raw: The reply, as the model wrote it.
        target: A class or any typing form, such as ``list[Answer]`` or ``A | B``.
        dialect: That of the schema which the model was given; what it changed in the answer is undone.

    Raises:
        ExtractionError: If the reply holds no whole answer: none at all, one that was cut, or a broken one.
        MappingError: If the answer does not fit; it lists all the problems with their paths.
        SchemaError: If nothing can be read as *target*.
    """
    return read_reply(converter, raw, target, undoing(REPLY, checked(dialect)))


@overload
def parse(text: str | bytes, target: type[T]) -> T:
    """Return an instance of a class."""


@overload
def parse(text: str | bytes, target: Any) -> Any:
    """Return an instance of any typing form."""


def parse(text: str | bytes, target: Any) -> Any:
    """
    Return JSON text as an instance of *target*.

    Clean JSON is read as it is; text that does not parse is repaired once, as the lenient syntax has it.

    Args:
        text: One JSON value and nothing else, in text or UTF-8 bytes.
        target: A class or any typing form, such as ``list[Answer]`` or ``A | B``.

    Raises:
        MappingError: If the text is empty or no JSON, or its value does not fit.
        SchemaError: If nothing can be read as *target*.
    """
    return read_json(converter, text, target)


@overload
def convert(value: object, target: type[T], *, dialect: Dialect = ...) -> T:
    """Return an instance of a class."""


@overload
def convert(value: object, target: Any, *, dialect: Dialect = ...) -> Any:
    """Return an instance of any typing form."""


def convert(value: object, target: Any, *, dialect: Dialect = STANDARD) -> Any:
    """
    Return *value*, a tree of JSON values or an object of any class, as an instance of *target*.

    Args:
        value: What to convert, such as the arguments of a call of a tool.
        target: A class or any typing form, such as ``list[Answer]`` or ``A | B``.
        dialect: That of the schema which the model was given; what it changed in the arguments is undone.
            In a dialect that changes any, *value* is the tree of JSON values that the model wrote.

    Raises:
        MappingError: If it does not fit.
        InvalidInputError: If *value* holds anything but JSON values where a dialect is to be undone.
        SerializationError: If *value* is no JSON value and cannot be written as one.
        SchemaError: If nothing can be read as *target*.
    """
    mode = undoing(PLAIN, checked(dialect))
    if mode.dialect is not None:
        check_written(value, mode.dialect)
    return read_value(converter, to_tree(value, _TREE), target, mode)


def read_tree(text: str | bytes) -> Any:
    """
    Return JSON text as dicts, lists and scalars; integers of any size are exact.

    Raises:
        MappingError: If the text is empty or no JSON.
    """
    return read_json(converter, text, Any)


def value_to_tree(obj: object) -> Any:
    """
    Return *obj* as dicts, lists and scalars, by the wire rules.

    Raises:
        SerializationError: If something in it cannot be written.
    """
    return to_tree(obj, _TREE)


def write(obj: object) -> str:
    """
    Return *obj* as JSON text, indented by two spaces.

    Raises:
        SerializationError: If something in it cannot be written; the message describes it by size.
    """
    return to_text(obj, _WHOLE, pretty=True)


def write_compact(obj: object) -> str:
    """
    Return *obj* as JSON text without white space between its tokens.

    Raises:
        SerializationError: If something in it cannot be written; the message describes it by size.
    """
    return to_text(obj, _WHOLE, pretty=False)


def write_summarized(obj: object, summarizer: Summarizer | None = None) -> str:
    """
    Return *obj* as indented JSON text with long summarizable texts shortened.

    Args:
        obj: What to write.
        summarizer: Who shortens; ``TruncatingSummarizer`` when left out. An artifact caches each summary.

    Raises:
        SerializationError: If something cannot be written, or the summarizer fails.
    """
    return to_text(obj, _summarized(summarizer), pretty=True)


def write_summarized_compact(obj: object, summarizer: Summarizer | None = None) -> str:
    """Return what ``write_summarized`` does, without white space between tokens."""
    return to_text(obj, _summarized(summarizer), pretty=False)


def _summarized(summarizer: Summarizer | None) -> Session:
    return Session(converter, SUMMARIZED, OncePerText(summarizer or TruncatingSummarizer()))


def write_with_references(obj: object, reference_of: Any, summarizer: Summarizer | None = None) -> str:
    """Return *obj* as indented text in the form for prompts, artifacts given way to *reference_of* them."""
    once = OncePerText(summarizer or TruncatingSummarizer())
    return to_text(obj, Session(converter, WITH_REFS, once, reference_of), pretty=True)
