"""Pydantic, which validates and serializes in Rust."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError

from . import ANSWER, PAGE, Competitor
from .pydantic_models import Answer, Page

__all__ = ["COMPETITOR"]


def _write(obj: BaseModel) -> str:
    return obj.model_dump_json(exclude_none=True)


COMPETITOR = Competitor(
    packages=("pydantic", "pydantic-core"),
    read={ANSWER: Answer.model_validate_json, PAGE: Page.model_validate_json},
    write=_write,
    refusal=(ValidationError,),
)
