"""The lines of a batch: a reply on each line of the input, a result on each line of the output."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define

from .. import Dialect, parse_llm_response, write_compact
from .reading import Refusal, refusal_lines, reply_of_line

__all__ = ["Line", "Result", "Tally", "numbered", "result_of_line", "went_well"]

#: The number of a line of the input, counted from 1, and the line.
Line = tuple[int, bytes]

#: Whether a reply was accepted, and its line of the output without the end of the line.
Result = tuple[bool, str]

_RESULT_START = re.compile(rb'\{"line": ([0-9]+), "(value|problems)": ')


@define
class Tally:
    """How many replies went which way, and how many of them in the runs that this one goes on from."""

    accepted: int = 0
    refused: int = 0
    resumed: int = 0

    def add(self, *, accepted: bool) -> None:
        """Count one more reply."""
        self.accepted += accepted
        self.refused += not accepted

    def __str__(self) -> str:
        replies = self.accepted + self.refused
        noun = "reply" if replies == 1 else "replies"
        before = f" ({self.resumed} of them in earlier runs)" if self.resumed else ""
        return f"{replies} {noun}: {self.accepted} accepted, {self.refused} refused{before}"


def numbered(stream: Iterable[bytes]) -> Iterator[Line]:
    """Yield the lines of *stream* that hold a reply, with their numbers: blank lines are counted as well."""
    return ((number, line) for number, line in enumerate(stream, start=1) if line.strip())


def result_of_line(number: int, line: bytes, target: Any, dialect: Dialect) -> Result:
    """Read the reply on a line, and return the result."""
    try:
        value = write_compact(parse_llm_response(reply_of_line(line), target, dialect=dialect))
    except Refusal as error:
        problems = json.dumps(refusal_lines(error), ensure_ascii=False)
        return False, f'{{"line": {number}, "problems": {problems}}}'
    return True, f'{{"line": {number}, "value": {value}}}'


def went_well(number: int, result: bytes) -> bool | None:
    """Return whether *result* says that line *number* was accepted; None if it is no result of it."""
    match = _RESULT_START.match(result)
    if match is None or match[1] != b"%d" % number:
        return None
    return match[2] == b"value"
