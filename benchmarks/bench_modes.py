"""Writing summarized and with references, beside ``write_compact``, where nothing is long."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import orjson

from nucleo_schema import (
    ArtifactRegistry,
    parse,
    write_compact,
    write_summarized_compact,
    write_summarized_with_refs,
)

from .attrs_classes import Page
from .data import compact, page_tree
from .peers import OURS
from .subjects import Result, Subject, Target, Work

__all__ = ["mode_subjects"]

_WHOLE = "own write_compact"
_TARGETS = (Target(_WHOLE, at_most=1.5),)


def mode_subjects() -> Iterator[Subject]:
    """Yield the subjects of the modes for logs and prompts."""
    page = parse(compact(page_tree()), Page)
    yield _beside_whole("write_summarized_compact", partial(write_summarized_compact, page), page)
    with_refs = partial(write_summarized_with_refs, page, ArtifactRegistry())
    yield _beside_whole("write_summarized_with_refs (indented)", with_refs, page)


def _beside_whole(name: str, work: Work, page: Page) -> Subject:
    works: dict[str, Work] = {OURS: work, _WHOLE: partial(write_compact, page)}
    results: dict[str, Result] = {title: partial(_loaded, work) for title, work in works.items()}
    return Subject(name=f"{name}, page of 50 citations", works=works, targets=_TARGETS, results=results)


def _loaded(work: Any) -> Any:
    return orjson.loads(work())
