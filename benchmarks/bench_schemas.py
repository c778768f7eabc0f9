"""Describing a class, warm."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from nucleo_schema import json_schema, llm_schema

from .attrs_classes import Answer
from .peers import OURS
from .subjects import Competitors, Result, Subject, Target, Work

__all__ = ["schema_subjects"]

_TARGETS = (Target("pydantic", at_least=5.0),)


def schema_subjects(competitors: Competitors) -> Iterator[Subject]:
    """Yield the subjects of both renderings, each beside Pydantic's ``model_json_schema``."""
    for describe, members in ((json_schema, "properties"), (llm_schema, "@fields")):
        works: dict[str, Work] = {OURS: partial(describe, Answer)}
        results: dict[str, Result] = {OURS: partial(_members, works[OURS], members)}
        if competitors.get("pydantic") is not None:
            works["pydantic"] = _pydantic_work()
            results["pydantic"] = partial(_members, works["pydantic"], "properties")
        yield Subject(
            name=f"{describe.__name__}, small answer", works=works, targets=_TARGETS, results=results
        )


def _pydantic_work() -> Work:
    from .peers import pydantic_models  # noqa: PLC0415  only when it is installed

    return pydantic_models.Answer.model_json_schema


def _members(work: Any, keyword: str) -> list[str]:
    """Return the names of the root's members: all that two schemas of different kinds have in common."""
    return sorted(work()[keyword])
