"""The classes of the benchmarks as Pydantic models, described alike."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, Field

from ..vocabulary import Kind

__all__ = ["Answer", "Citation", "Page", "Reasoning"]


class Citation(BaseModel):
    """A publication that supports the answer."""

    title: str = Field(description="The title, as published")
    authors: list[str] = Field(description="Family name and initials of each author")
    journal: str = Field(description="Where it was published")
    abstract: str = Field(description="The abstract")
    doi: str | None = Field(default=None, description="The DOI, if it has one", examples=["10.1000/182"])
    published: dt.date = Field(description="The day of publication")
    relevance: float = Field(description="How relevant it is, from 0 to 1")
    kind: Kind = Field(description="What sort of publication it is")
    peer_reviewed: bool = Field(description="Whether it was peer reviewed")
    cited_by: int = Field(description="How many publications cite it")
    keywords: list[str] = Field(description="The author's keywords")
    url: str = Field(description="Where it can be read")


class Page(BaseModel):
    """One page of search results."""

    query: str = Field(description="What was searched for")
    total: int = Field(description="How many publications were found")
    citations: list[Citation] = Field(description="The publications of this page")


class Reasoning(BaseModel):
    """Why the answer is what it is."""

    approach: str = Field(description="How the question was approached")
    steps: list[str] = Field(description="What was done, in order")
    confidence: float | None = Field(default=None, description="From 0 to 1")


class Answer(BaseModel):
    """The answer to a user's question."""

    reply: str = Field(description="The reply, in full sentences")
    reasoning: Reasoning = Field(description="Why")
    citations: list[Citation] = Field(description="What supports it")
    follow_up: str | None = Field(default=None, description="A question back, if one is needed")
    complete: bool = Field(default=True, description="Whether the reply covers the whole question")
