"""The classes of the benchmarks as data classes with mashumaro's mixin."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from mashumaro.config import BaseConfig
from mashumaro.mixins.orjson import DataClassORJSONMixin

from ..vocabulary import Kind

__all__ = ["Answer", "Citation", "Page", "Reasoning"]


class _Document(DataClassORJSONMixin):
    class Config(BaseConfig):
        omit_none = True


@dataclass(slots=True)
class Citation(_Document):
    """A publication that supports the answer."""

    title: str
    authors: list[str]
    journal: str
    abstract: str
    published: dt.date
    relevance: float
    kind: Kind
    peer_reviewed: bool
    cited_by: int
    keywords: list[str]
    url: str
    doi: str | None = None


@dataclass(slots=True)
class Page(_Document):
    """One page of search results."""

    query: str
    total: int
    citations: list[Citation]


@dataclass(slots=True)
class Reasoning(_Document):
    """Why the answer is what it is."""

    approach: str
    steps: list[str]
    confidence: float | None = None


@dataclass(slots=True)
class Answer(_Document):
    """The answer to a user's question."""

    reply: str
    reasoning: Reasoning
    citations: list[Citation]
    follow_up: str | None = None
    complete: bool = True
