"""mashumaro with orjson, which generates Python code for data classes."""

from __future__ import annotations

from mashumaro.exceptions import InvalidFieldValue, MissingField
from mashumaro.mixins.orjson import DataClassORJSONMixin

from . import ANSWER, PAGE, Competitor
from .mashumaro_classes import Answer, Page

__all__ = ["COMPETITOR"]


def _write(obj: DataClassORJSONMixin) -> str:
    return obj.to_json()


COMPETITOR = Competitor(
    packages=("mashumaro", "orjson"),
    read={ANSWER: Answer.from_json, PAGE: Page.from_json},
    write=_write,
    refusal=(InvalidFieldValue, MissingField),
)
