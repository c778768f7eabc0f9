"""What the command line shows a person: messages, colours and progress, the last two on a terminal only."""

from __future__ import annotations

import io
import os
import sys
import time
from typing import TextIO

__all__ = [
    "PROGRAM",
    "Progress",
    "UsageError",
    "flush_output",
    "is_terminal",
    "paint",
    "report",
    "use_utf8",
]

PROGRAM = "nucleo-schema"

#: Seconds between two drawings of the progress line.
PROGRESS_INTERVAL_S = 0.1

_STYLES = {"bold": "1", "red": "31", "green": "32"}
_ERASE_LINE = "\r\x1b[K"


class UsageError(Exception):
    """The command cannot be carried out as it was given; the text says why, on one line."""


def use_utf8() -> None:
    """
    Make standard output UTF-8 whatever the locale says: JSON text always is.

    What UTF-8 cannot hold, half a surrogate pair, becomes the escape that JSON has for it.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def flush_output() -> None:
    """
    Write out what standard output holds back.

    Raises:
        OSError: If that fails. Standard output then points at nothing, or Python would try again at exit.
    """
    try:
        print(end="", flush=True)
    except OSError:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)
        raise


def is_terminal(stream: TextIO) -> bool:
    """Return whether a person watches *stream*."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str, stream: TextIO) -> str:
    """Return *text* in *style*, or as it is unless *stream* is a terminal that wants colours."""
    if os.environ.get("NO_COLOR") or not is_terminal(stream):
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def report(message: str) -> None:
    """Print an error of the command line as one line on standard error."""
    line = " ".join(message.split())
    print(f"{PROGRAM}: {paint('error', 'red', sys.stderr)}: {line}", file=sys.stderr)


class Progress:
    """A line on standard error that is drawn again and again, when standard error is a terminal."""

    def __init__(self) -> None:
        self._shown = is_terminal(sys.stderr)
        self._next_s = time.monotonic()

    def show(self, text: str) -> None:
        """Draw *text* over the last one, unless that was drawn a moment ago."""
        if self._shown and time.monotonic() >= self._next_s:
            print(f"{_ERASE_LINE}{text}", end="", file=sys.stderr, flush=True)
            self._next_s = time.monotonic() + PROGRESS_INTERVAL_S

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            print(_ERASE_LINE, end="", file=sys.stderr, flush=True)
