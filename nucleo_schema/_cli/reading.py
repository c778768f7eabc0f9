"""``nucleo-schema read``: a raw reply to normalized JSON, and what a line of many replies holds."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, cast

from .. import Dialect, ExtractionError, MappingError, SerializationError, parse_llm_response, write
from ..dialects import STANDARD
from .console import UsageError, paint

__all__ = [
    "ACCEPTED",
    "REFUSED",
    "STANDARD_INPUT",
    "Refusal",
    "opened_source",
    "read_reply",
    "refusal_lines",
    "reply_of_line",
]

ACCEPTED = 0
REFUSED = 1

#: The FILE that stands for standard input.
STANDARD_INPUT = "-"

#: What reading a reply and writing its instance back can refuse it with.
Refusal = (ExtractionError, MappingError, SerializationError)


def refusal_lines(error: Exception) -> list[str]:
    """Return what is wrong with a reply, one line for each problem."""
    if isinstance(error, MappingError):
        return [str(problem) for problem in error.problems]
    return [str(error)]


def read_reply(target: Any, source: str, dialect: Dialect = STANDARD) -> int:
    """Print the reply in *source* as normalized JSON, or on standard error why it was refused."""
    with opened_source(source) as stream:
        raw = stream.read()
    try:
        print(write(parse_llm_response(raw, target, dialect=dialect)))
    except Refusal as error:
        for line in refusal_lines(error):
            print(paint(line, "red", sys.stderr), file=sys.stderr)
        return REFUSED
    return ACCEPTED


def reply_of_line(line: bytes) -> str | bytes:
    """
    Return the raw reply that a line holds.

    A JSON string, and the ``text`` of a JSON object where that is a string, is a reply that was
    wrapped to fit on a line; any other line is the reply itself.
    """
    if line.lstrip()[:1] not in (b'"', b"{"):
        return line
    try:
        wrapped: object = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if isinstance(wrapped, dict):
        wrapped = cast("dict[str, object]", wrapped).get("text")
    return wrapped if isinstance(wrapped, str) else line


def opened_source(source: str) -> AbstractContextManager[BinaryIO]:
    """Return the bytes of the file *source*, or of standard input."""
    if source != STANDARD_INPUT:
        return Path(source).open("rb")
    if sys.stdin is None:
        raise UsageError("there is no standard input; name a FILE.")
    return nullcontext(sys.stdin.buffer)
