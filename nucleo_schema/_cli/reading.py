"""``nucleo-schema read``: raw replies to normalized JSON, one reply or one for each line."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, cast

from .. import ExtractionError, MappingError, SerializationError, parse_llm_response, write, write_compact
from .console import Progress, UsageError, paint

__all__ = [
    "ACCEPTED",
    "REFUSED",
    "STANDARD_INPUT",
    "read_lines",
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


def read_reply(target: Any, source: str) -> int:
    """Print the reply in *source* as normalized JSON, or on standard error why it was refused."""
    with _opened(source) as stream:
        raw = stream.read()
    try:
        print(write(parse_llm_response(raw, target)))
    except Refusal as error:
        for line in refusal_lines(error):
            print(paint(line, "red", sys.stderr), file=sys.stderr)
        return REFUSED
    return ACCEPTED


def read_lines(target: Any, source: str) -> int:
    """
    Print one result for each line of *source* that holds a reply, and a tally on standard error.

    A line is in memory no longer than it takes to read it, and its result is printed before the next one.
    """
    accepted = refused = 0
    with _opened(source) as stream, closing(Progress()) as progress:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            status, result = _result_of_line(line, target)
            print(f'{{"line": {number}, {result}}}', flush=True)
            accepted += status == ACCEPTED
            refused += status == REFUSED
            progress.show(_tally(accepted, refused))
    print(_tally(accepted, refused), file=sys.stderr)
    return REFUSED if refused else ACCEPTED


def _result_of_line(line: bytes, target: Any) -> tuple[int, str]:
    """Return how reading a line went, and the member of its result that tells it, as JSON text."""
    try:
        value = write_compact(parse_llm_response(reply_of_line(line), target))
    except Refusal as error:
        return REFUSED, f'"problems": {json.dumps(refusal_lines(error), ensure_ascii=False)}'
    return ACCEPTED, f'"value": {value}'


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


def _tally(accepted: int, refused: int) -> str:
    replies = accepted + refused
    noun = "reply" if replies == 1 else "replies"
    return f"{replies} {noun}: {accepted} accepted, {refused} refused"


def _opened(source: str) -> AbstractContextManager[BinaryIO]:
    """Return the bytes of the file *source*, or of standard input."""
    if source != STANDARD_INPUT:
        return Path(source).open("rb")
    if sys.stdin is None:
        raise UsageError("there is no standard input; name a FILE.")
    return nullcontext(sys.stdin.buffer)
