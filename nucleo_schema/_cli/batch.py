"""``nucleo-schema read --jsonl``: a reply on each line, a result for each reply, in the same order."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from attrs import frozen

from .. import Dialect
from .console import Progress
from .lines import Line, Result, Tally, numbered, result_of_line
from .output import opened_output, skip_finished
from .reading import ACCEPTED, REFUSED, opened_source
from .signals import received_interrupts
from .workers import results_of_workers

__all__ = ["Batch", "read_batch"]


@frozen
class Batch:
    """
    What to read, how, and where to.

    Attributes:
        target: The class, or other typing form.
        target_name: The same as TARGET names it.
        source: The file of the replies, or ``-``.
        output: The file that the results are added to; None for standard output.
        resume: Whether to go on where *output* ends.
        workers: How many processes read; 1 for this one alone.
        dialect: That of the schema which the model was given.
    """

    target: Any
    target_name: str
    source: str
    output: Path | None
    resume: bool
    workers: int
    dialect: Dialect


def read_batch(batch: Batch) -> int:
    """
    Write one result for each line of the source that holds a reply, and a tally on standard error.

    In memory are one line, or one chunk of lines for each worker. Whatever ends the batch early, the
    output ends with a whole line unless the process was killed or the output cannot take it.
    """
    tally = Tally()
    with (
        opened_source(batch.source) as source,
        opened_output(batch.output, resume=batch.resume) as output,
        received_interrupts() as interrupts,
        closing(Progress()) as progress,
    ):
        lines = numbered(source)
        if batch.output and batch.resume:
            lines = skip_finished(lines, batch.output, output, tally)
        with closing(_results(lines, batch)) as results:
            for accepted, text in results:
                with interrupts.held():
                    print(text, file=output, flush=True)
                tally.add(accepted=accepted)
                progress.show(str(tally))
    print(tally, file=sys.stderr)
    return REFUSED if tally.refused else ACCEPTED


def _results(lines: Iterator[Line], batch: Batch) -> Generator[Result, None, None]:
    if batch.workers > 1:
        return results_of_workers(lines, batch.target_name, batch.workers, batch.dialect)
    return (result_of_line(number, line, batch.target, batch.dialect) for number, line in lines)
