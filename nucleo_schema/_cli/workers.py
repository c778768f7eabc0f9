"""A batch on several processes: each reads a chunk of lines at a time, and the results keep their order."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection

from .. import Dialect, NucleoError
from ..dialects import STANDARD
from .console import UsageError
from .lines import Line, Result, result_of_line
from .signals import ignore_interrupts, ignored_interrupts
from .targets import load_target

__all__ = ["results_of_workers", "serve"]

#: A chunk ends with the line that makes it this long: reading it then takes far longer than moving it.
CHUNK_LINES = 256
CHUNK_BYTES = 1_000_000

#: Nothing that this process has open, has changed or has under way gets into a process that is started anew.
_PROCESSES = get_context("spawn")

_Chunk = list[Line]


def results_of_workers(
    lines: Iterator[Line], target: str, workers: int, dialect: Dialect
) -> Generator[Result, None, None]:
    """
    Yield the result of each of *lines*, in their order; *workers* processes read them.

    The workers take turns, and each has one chunk at a time: memory holds as many chunks as there are
    workers, however many lines there are. They end with the iterator, and by themselves after this
    process was killed.

    Args:
        lines: The lines that hold a reply.
        target: The class as TARGET names it; each worker imports it.
        workers: How many processes to start at most: there is none without a chunk to read.
        dialect: That of the schema which the model was given.

    Raises:
        UsageError: If a worker ends too early. The results of all lines before its chunk were yielded.
    """
    chunks = _chunks(lines)
    first = list(islice(chunks, workers))
    started: deque[_Worker] = deque()
    try:
        for _ in first:
            started.append(_Worker(target, dialect))
        for worker, chunk in zip(started, first, strict=True):
            worker.give(chunk)
        for chunk in chunks:
            results = started[0].take()
            started[0].give(chunk)
            started.rotate(-1)
            yield from results
        for worker in started:
            yield from worker.take()
        for worker in started:
            worker.dismiss()
    finally:
        for worker in started:
            worker.kill()


def _chunks(lines: Iterator[Line]) -> Iterator[_Chunk]:
    chunk: _Chunk = []
    size_bytes = 0
    for line in lines:
        chunk.append(line)
        size_bytes += len(line[1])
        if len(chunk) == CHUNK_LINES or size_bytes >= CHUNK_BYTES:
            yield chunk
            chunk, size_bytes = [], 0
    if chunk:
        yield chunk


class _Worker:
    """A process that reads chunks, as its owner sees it."""

    def __init__(self, target: str, dialect: Dialect) -> None:
        self._connection, theirs = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=_work, args=(theirs, target, dialect))
        with ignored_interrupts():
            self._process.start()
        theirs.close()  # or the end of the process would not be seen
        self._numbers = (0, 0)

    def give(self, chunk: _Chunk) -> None:
        """Hand it a chunk."""
        self._numbers = (chunk[0][0], chunk[-1][0])
        with suppress(OSError):  # it has ended, and taking the results will tell
            self._connection.send(chunk)

    def take(self) -> list[Result]:
        """Wait for the results of its chunk and return them."""
        try:
            results: list[Result] | Exception = self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            first, last = self._numbers
            raise UsageError(
                f"a worker process {_ending(self._process.exitcode)} while it read lines {first} to {last}; "
                "the results end before them."
            ) from None
        if isinstance(results, Exception):
            raise results
        return results

    def dismiss(self) -> None:
        """Wait for its end, after it has given all it has."""
        self._connection.close()
        self._process.join()

    def kill(self) -> None:
        """End it, whatever it does; nothing if it has ended."""
        self._process.kill()
        self._process.join()


def _ending(status: int | None) -> str:
    if status is not None and status < 0:
        return f"was killed by signal {-status}"
    return f"ended with status {status}"


def _work(connection: Connection, target: str, dialect: Dialect) -> None:
    ignore_interrupts()
    sys.stdout = sys.stderr  # what the module of the class prints must not get between the results
    serve(connection, target, dialect)


def serve(connection: Connection, target: str, dialect: Dialect = STANDARD) -> None:
    """Answer each chunk with its results, or with what ends the batch, until the other end is gone."""
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(_results(connection.recv(), target, dialect))


def _results(chunk: _Chunk, target: str, dialect: Dialect) -> list[Result] | Exception:
    try:
        loaded = load_target(target)
        return [result_of_line(number, line, loaded, dialect) for number, line in chunk]
    except (UsageError, NucleoError) as error:
        return error
