"""The classes of the benchmarks in attrs: what this library, msgspec and plain cattrs read and write."""

from __future__ import annotations

import datetime as dt

from attrs import define, field

from nucleo_schema import Summarizable, described, meta

from .vocabulary import Kind

__all__ = ["Answer", "Citation", "Page", "Reasoning"]


@described("A publication that supports the answer")
@define
class Citation:
    """Twelve fields: texts, lists of texts, a date, a float, an enumeration, a boolean, an integer."""

    title: str = field(metadata=meta("The title, as published"))
    authors: list[str] = field(metadata=meta("Family name and initials of each author"))
    journal: str = field(metadata=meta("Where it was published"))
    abstract: str = field(
        metadata=meta("The abstract", summarizable=Summarizable("abstract of a publication"))
    )
    doi: str | None = field(
        default=None, kw_only=True, metadata=meta("The DOI, if it has one", examples=["10.1000/182"])
    )
    published: dt.date = field(metadata=meta("The day of publication"))
    relevance: float = field(metadata=meta("How relevant it is, from 0 to 1"))
    kind: Kind = field(metadata=meta("What sort of publication it is"))
    peer_reviewed: bool = field(metadata=meta("Whether it was peer reviewed"))
    cited_by: int = field(metadata=meta("How many publications cite it"))
    keywords: list[str] = field(metadata=meta("The author's keywords"))
    url: str = field(metadata=meta("Where it can be read"))


@described("One page of search results")
@define
class Page:
    """The larger document."""

    query: str = field(metadata=meta("What was searched for"))
    total: int = field(metadata=meta("How many publications were found"))
    citations: list[Citation] = field(metadata=meta("The publications of this page"))


@described("Why the answer is what it is")
@define
class Reasoning:
    """The nested object of a small answer."""

    approach: str = field(metadata=meta("How the question was approached"))
    steps: list[str] = field(metadata=meta("What was done, in order"))
    confidence: float | None = field(default=None, metadata=meta("From 0 to 1"))


@described("The answer to a user's question")
@define
class Answer:
    """The small document."""

    reply: str = field(metadata=meta("The reply, in full sentences"))
    reasoning: Reasoning = field(metadata=meta("Why"))
    citations: list[Citation] = field(metadata=meta("What supports it"))
    follow_up: str | None = field(default=None, metadata=meta("A question back, if one is needed"))
    complete: bool = field(default=True, metadata=meta("Whether the reply covers the whole question"))
