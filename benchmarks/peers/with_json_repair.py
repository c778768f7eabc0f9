"""json_repair, which reads what models write, and Pydantic, which makes instances of it."""

from __future__ import annotations

from typing import Any

import json_repair
from pydantic import ValidationError

from . import ANSWER, PAGE, Competitor
from .pydantic_models import Answer, Page
from .with_pydantic import COMPETITOR as PYDANTIC

__all__ = ["COMPETITOR"]


def _read_answer(reply: str) -> Answer:
    tree: Any = json_repair.loads(reply)
    return Answer.model_validate(tree)


def _read_page(reply: str) -> Page:
    tree: Any = json_repair.loads(reply)
    return Page.model_validate(tree)


COMPETITOR = Competitor(
    packages=("json_repair", "pydantic"),
    write=PYDANTIC.write,
    read_reply={ANSWER: _read_answer, PAGE: _read_page},
    refusal=(ValidationError,),
)
