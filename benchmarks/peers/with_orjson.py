"""orjson alone: no classes, no checks; the limit of everything that is built on it."""

from __future__ import annotations

import orjson

from . import ANSWER, PAGE, Competitor

__all__ = ["COMPETITOR"]


def _write(obj: object) -> str:
    return orjson.dumps(obj).decode()


COMPETITOR = Competitor(
    packages=("orjson",),
    read={ANSWER: orjson.loads, PAGE: orjson.loads},
    write=_write,
)
