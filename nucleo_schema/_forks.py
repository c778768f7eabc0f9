"""Processes that are forked: a lock that another thread holds at that moment would be held there for ever."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["fork_safe", "in_forked_children"]

L = TypeVar("L")

_register: Any = getattr(os, "register_at_fork", lambda **_: None)  # not on every system


def in_forked_children(renew: Callable[[], None]) -> None:
    """Call *renew* in each process that is forked from this one, before anything else runs there."""
    _register(after_in_child=renew)


def fork_safe(lock: L) -> L:
    """Return *lock*, which lives as long as the process, and which nobody holds in a forked child."""
    made: Any = lock
    in_forked_children(made._at_fork_reinit)  # noqa: SLF001  what the standard library does for its own
    return lock
