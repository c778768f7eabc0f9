"""Where the results of a batch go, and how a batch that was stopped goes on from them."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import TextIO

from .console import UsageError
from .lines import Line, Tally, went_well

__all__ = ["opened_output", "skip_finished"]


@contextmanager
def opened_output(path: Path | None, *, resume: bool) -> Generator[TextIO, None, None]:
    """
    Open the file at *path* to add lines at its end; without one, give standard output.

    Raises:
        UsageError: If the file holds something and *resume* is false, if it is not an ordinary file and
            *resume* is true, or if another process is writing to it.
    """
    if path is None:
        yield sys.stdout
        return
    with path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
        if path.is_file():
            _lock(stream, path)
        elif resume:
            raise UsageError(f"{path} is not an ordinary file: there is nothing in it to go on from.")
        if path.stat().st_size and not resume:
            raise UsageError(f"{path} is not empty; add --resume to go on where it ends, or remove it.")
        yield stream


def _lock(stream: TextIO, path: Path) -> None:
    """Keep other runs off *stream* for as long as it is open."""
    with suppress(ModuleNotFoundError):  # Windows has no such locks
        import fcntl  # noqa: PLC0415  only some systems have it

        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{path} is being written to by another process.") from None


def skip_finished(lines: Iterator[Line], path: Path, output: TextIO, tally: Tally) -> Iterator[Line]:
    """
    Return those of *lines* whose results are not yet in *output*, the file at *path*, opened.

    The results in it are counted in *tally*; one at its end that is half written is cut off.

    Raises:
        UsageError: If the file holds anything but the results of the first of *lines*. It stays as it is.
    """
    finished_bytes = 0
    with path.open("rb") as results:
        for position, result in enumerate(results, start=1):
            line = next(lines, None)
            if line is None:
                raise _unlike(path, position, "has no reply: there are no more")
            number, _ = line
            if not result.endswith(b"\n") and _may_become_result(number, result):
                lines = chain([line], lines)
                break
            accepted = went_well(number, result)
            if accepted is None:
                raise _unlike(path, position, f"is not the result of line {number} of the replies")
            finished_bytes += len(result)
            tally.add(accepted=accepted)
    output.truncate(finished_bytes)
    tally.resumed = tally.accepted + tally.refused
    return lines


def _may_become_result(number: int, part: bytes) -> bool:
    """Return whether the result of line *number* may start with *part*."""
    start = b'{"line": %d, "' % number
    return part[: len(start)] == start[: len(part)]


def _unlike(path: Path, position: int, why: str) -> UsageError:
    return UsageError(
        f"line {position} of {path} {why}; --resume goes on from the output of a run over the same replies."
    )
