"""Reading and writing clean JSON, in three sizes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import orjson

from .data import LARGE_CITATIONS, answer_tree, compact, page_tree
from .peers import ANSWER, PAGE, Competitor
from .subjects import Competitors, Result, Subject, Target, Work, installed

__all__ = ["document_subjects", "large_subjects"]

_READ_PAGE = (
    Target("pydantic", at_least=1.05),
    Target("mashumaro", at_least=1.7),
    Target("cattrs", at_least=3.0),
    Target("msgspec", at_most=2.2),
)
_WRITE_PAGE = (
    Target("pydantic", at_least=1.4),
    Target("mashumaro", at_least=1.0),
    Target("cattrs", at_least=1.3),
    Target("msgspec", at_most=2.2),
)
_READ_ANSWER = (Target("pydantic", at_least=1.0), Target("mashumaro", at_least=1.0))
_WRITE_ANSWER = (Target("pydantic", at_least=1.0),)


def document_subjects(competitors: Competitors) -> Iterator[Subject]:
    """Yield the subjects of the small answer and of the page."""
    answer, page = compact(answer_tree()), compact(page_tree())
    yield _reading("parse, small answer", ANSWER, answer, competitors, _READ_ANSWER)
    yield _writing("write_compact, small answer", ANSWER, answer, competitors, _WRITE_ANSWER)
    yield _reading("parse, page of 50 citations", PAGE, page, competitors, _READ_PAGE)
    yield _writing("write_compact, page of 50 citations", PAGE, page, competitors, _WRITE_PAGE)


def large_subjects(competitors: Competitors) -> Iterator[Subject]:
    """Yield the subjects of the 5 MB document."""
    large = compact(page_tree(LARGE_CITATIONS))
    yield _reading("parse, 5 MB", PAGE, large, competitors, ())
    yield _writing("write_compact, 5 MB", PAGE, large, competitors, ())


def _reading(
    name: str, kind: str, text: str, competitors: Competitors, targets: tuple[Target, ...]
) -> Subject:
    works: dict[str, Work] = {}
    results: dict[str, Result] = {}
    for title, competitor in installed(competitors):
        if kind in competitor.read:
            works[title] = partial(competitor.read[kind], text)
            results[title] = partial(_read_back, competitor, works[title])
    return Subject(name=name, works=works, targets=targets, results=results)


def _writing(
    name: str, kind: str, text: str, competitors: Competitors, targets: tuple[Target, ...]
) -> Subject:
    works: dict[str, Work] = {}
    results: dict[str, Result] = {}
    for title, competitor in installed(competitors):
        if kind in competitor.read:
            obj = competitor.read[kind](text)
            works[title] = partial(competitor.write, obj)
            results[title] = partial(_written, competitor, obj)
    return Subject(name=name, works=works, targets=targets, results=results)


def _read_back(competitor: Competitor, work: Work) -> Any:
    """Return what was read as a tree, by the competitor's own writing."""
    return _written(competitor, work())


def _written(competitor: Competitor, obj: object) -> Any:
    return orjson.loads(competitor.write(obj))
