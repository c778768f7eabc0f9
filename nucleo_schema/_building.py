"""Building: what is made for a class is made once, however many threads ask for it at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ._forks import fork_safe

__all__ = ["LOCK", "Epoch", "made_once"]

#: Held while anything is made; what is made already is found without it.
LOCK = fork_safe(threading.RLock())


class Epoch:
    """
    What was made since cattrs last forgot its hooks, as it does whenever a host registers one.

    It is asked for like the hook of a class, so that cattrs keeps it with its hooks and forgets it with them.
    """

    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}


def made_once(get_hook: Callable[[Any], Any], annotation: Any, make: Callable[[], Any]) -> Any:
    """
    Return the hook that *make* gives for an annotation, or gave to a thread that asked at the same time.

    Args:
        get_hook: The converter's own way to a hook, through what it keeps.
        annotation: What the hook is for.
        make: Makes it; called under the lock.
    """
    if annotation is Epoch:
        return Epoch()
    with LOCK:
        epoch = get_hook(Epoch)
        made = epoch.made if type(epoch) is Epoch else {}  # a host's hook is for everything
        if annotation not in made:
            made[annotation] = make()
        return made[annotation]
