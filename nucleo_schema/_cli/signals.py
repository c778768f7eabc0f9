"""What ends a batch from outside: Ctrl-C and SIGTERM, which wait while a line is being written."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Interrupts", "Terminated", "ignore_interrupts", "ignored_interrupts", "received_interrupts"]


class Terminated(BaseException):
    """The process was asked to end, by SIGTERM; like ``KeyboardInterrupt``, it is no error."""


_RAISED: dict[int, type[BaseException]] = {signal.SIGINT: KeyboardInterrupt, signal.SIGTERM: Terminated}


class Interrupts:
    """The signals that end the process, as exceptions."""

    def __init__(self) -> None:
        self._held = False
        self._waiting: type[BaseException] | None = None

    def receive(self, number: int, _frame: FrameType | None) -> None:
        """Raise the exception of a signal, or keep it for the end of the block that holds it."""
        raised = _RAISED[number]
        if self._held and self._waiting is None:
            self._waiting = raised
        else:
            raise raised

    @contextmanager
    def held(self) -> Generator[None, None, None]:
        """
        Let a signal wait for the end of the block.

        A second one does not: the block may wait for a reader who never takes the rest of a line.
        """
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._waiting is not None:
            raise self._waiting


@contextmanager
def received_interrupts() -> Generator[Interrupts, None, None]:
    """Receive the signals in the block, but for those that the process was started to ignore."""
    interrupts = Interrupts()
    before = {number: signal.getsignal(number) for number in _RAISED}
    before = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}
    try:
        for number in before:
            signal.signal(number, interrupts.receive)
        yield interrupts
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def ignored_interrupts() -> Generator[None, None, None]:
    """Let the processes that are started in the block ignore Ctrl-C from the start: it reaches them too."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def ignore_interrupts() -> None:
    """Leave the signals to the process that started this one and ends it."""
    for number in _RAISED:
        signal.signal(number, signal.SIG_IGN)
