"""This library."""

from __future__ import annotations

from nucleo_schema import MappingError, parse, parse_llm_response, write_compact

from ..attrs_classes import Answer, Page
from . import ANSWER, PAGE, Competitor

__all__ = ["COMPETITOR"]


def _read_answer(text: str) -> Answer:
    return parse(text, Answer)


def _read_page(text: str) -> Page:
    return parse(text, Page)


def _reply_answer(reply: str) -> Answer:
    return parse_llm_response(reply, Answer)


def _reply_page(reply: str) -> Page:
    return parse_llm_response(reply, Page)


COMPETITOR = Competitor(
    packages=("nucleo-schema", "attrs", "cattrs", "orjson", "pyjson5"),
    read={ANSWER: _read_answer, PAGE: _read_page},
    read_reply={
        ANSWER: _reply_answer,
        PAGE: _reply_page,
    },
    write=write_compact,
    refusal=(MappingError,),
)
