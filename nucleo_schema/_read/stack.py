"""Reading on where the stack runs out: what is nested deeply goes on in a thread with a stack of its own."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import Any

from .modes import ReadMode

__all__ = ["TooDeepError", "on_fresh_stack"]

#: How many threads may wait for one another: each has room for Python's own limit of frames.
_MOST_THREADS = 4
#: What starting a thread needs, in frames, with some to spare.
_FRAMES_TO_START = 40

_threads: contextvars.ContextVar[int] = contextvars.ContextVar("nucleo_schema_read_threads", default=0)


class TooDeepError(RecursionError):
    """A value is nested more deeply than is read."""


def on_fresh_stack(read: Callable[[Any, ReadMode], Any], value: Any, mode: ReadMode) -> Any:
    """
    Return what *read* makes of *value* in a thread of its own, which sees the same context variables.

    Raises:
        TooDeepError: If the threads that wait for this one are as many as may be.
        RecursionError: If the stack has no room to start one; a caller further up has.
    """
    if _threads.get() >= _MOST_THREADS:
        raise TooDeepError
    _descend(_FRAMES_TO_START)
    results: list[Any] = []
    failures: list[BaseException] = []

    def work() -> None:
        _threads.set(_threads.get() + 1)
        try:
            results.append(read(value, mode))
        except BaseException as error:  # noqa: BLE001  raised below, where somebody waits for it
            failures.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True)
    try:
        thread.start()
    except RuntimeError as error:  # the system has none left
        raise TooDeepError from error
    thread.join()
    if failures:
        raise failures[0]
    return results[0]


def _descend(frames: int) -> None:
    if frames:
        _descend(frames - 1)
