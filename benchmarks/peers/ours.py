"""This library."""

from __future__ import annotations

from functools import partial

from nucleo_schema import MappingError, parse, parse_llm_response, write_compact

from ..attrs_classes import Answer, Page
from . import ANSWER, PAGE, Competitor

__all__ = ["COMPETITOR"]

COMPETITOR = Competitor(
    packages=("nucleo-schema", "attrs", "cattrs", "orjson", "pyjson5"),
    read={ANSWER: partial(parse, target=Answer), PAGE: partial(parse, target=Page)},
    read_reply={
        ANSWER: partial(parse_llm_response, target=Answer),
        PAGE: partial(parse_llm_response, target=Page),
    },
    write=write_compact,
    refusal=(MappingError,),
)
