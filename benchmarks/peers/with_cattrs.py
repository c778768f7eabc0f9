"""cattrs with its preconfigured orjson converter, as it comes."""

from __future__ import annotations

from functools import partial

from cattrs.errors import BaseValidationError
from cattrs.preconf.orjson import make_converter

from ..attrs_classes import Answer, Page
from . import ANSWER, PAGE, Competitor

__all__ = ["COMPETITOR"]

_CONVERTER = make_converter()


def _write(obj: object) -> str:
    return _CONVERTER.dumps(obj).decode()


COMPETITOR = Competitor(
    packages=("cattrs", "orjson"),
    read={ANSWER: partial(_CONVERTER.loads, cl=Answer), PAGE: partial(_CONVERTER.loads, cl=Page)},
    write=_write,
    refusal=(BaseValidationError,),
)
