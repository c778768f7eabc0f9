"""The shipped artifact shapes: data classes to use as they are or to extend."""

from __future__ import annotations

from attrs import define, field

from .._declare.artifact import Artifact
from .._declare.metadata import Summarizable, SummarySize, described, meta, type_alias

__all__ = ["CitationArtifact", "CodeArtifact", "LinkArtifact", "PersonArtifact", "WebPageArtifact"]


@described("A link to something on the web")
@type_alias("link")
@define
class LinkArtifact(Artifact):
    """A titled address."""

    title: str | None = field(default=None, metadata=meta("The title of what the link leads to"))
    url: str | None = field(default=None, metadata=meta("The address", examples=["https://example.org/page"]))


@described("A page of the web, with its text")
@type_alias("link:page")
@define
class WebPageArtifact(LinkArtifact):
    """A page that was fetched."""

    description: str | None = field(default=None, metadata=meta("What the page is about, in short"))
    source: str | None = field(default=None, metadata=meta("The site or the search that the page came from"))
    content: str | None = field(
        default=None,
        metadata=meta(
            "The text of the page", summarizable=Summarizable("web page content", size=SummarySize.BRIEF)
        ),
    )
    relevance: str | None = field(default=None, metadata=meta("Why the page matters for the question"))


@described("A publication, as it is cited")
@type_alias("link:cite")
@define
class CitationArtifact(LinkArtifact):
    """A bibliographic record."""

    first_author: str | None = field(
        default=None, metadata=meta("The author named first", examples=["Smith, J."])
    )
    authors: list[str] | None = field(
        default=None, metadata=meta("All authors, in the order of the publication")
    )
    year: int | None = field(default=None, metadata=meta("The year of publication", examples=[2024]))
    journal: str | None = field(default=None, metadata=meta("The journal or the publisher"))
    doi: str | None = field(
        default=None, metadata=meta("The digital object identifier", examples=["10.1000/182"])
    )
    abstract_text: str | None = field(
        default=None,
        metadata=meta("The abstract", summarizable=Summarizable("abstract of a publication")),
    )
    source: str | None = field(default=None, metadata=meta("The database that the record came from"))
    relevance: str | None = field(default=None, metadata=meta("Why the publication matters for the question"))


@described("A piece of source code")
@type_alias("code")
@define
class CodeArtifact(Artifact):
    """Source code with what is known about it."""

    language: str | None = field(default=None, metadata=meta("The programming language", examples=["python"]))
    content: str | None = field(
        default=None,
        metadata=meta(
            "The code itself", summarizable=Summarizable("source code", static_summary="source code")
        ),
    )
    description: str | None = field(default=None, metadata=meta("What the code does"))
    file_name: str | None = field(default=None, metadata=meta("The file that the code stands in"))
    is_complete: bool | None = field(
        default=None, metadata=meta("Whether this is the whole file and not an excerpt")
    )
    line_range: str | None = field(
        default=None, metadata=meta("The lines of the file that are shown", examples=["10-42"])
    )
    dependencies: list[str] | None = field(default=None, metadata=meta("The packages that the code needs"))
    code_type: str | None = field(
        default=None, metadata=meta("The part that the code plays", examples=["function", "test"])
    )


@described("A person")
@type_alias("person")
@define
class PersonArtifact(Artifact):
    """A person, with where and as what they work."""

    name: str | None = field(default=None, metadata=meta("The full name"))
    title: str | None = field(default=None, metadata=meta("The academic or professional title"))
    affiliation: str | None = field(default=None, metadata=meta("The institution that they work for"))
    email: str | None = field(default=None, metadata=meta("The e-mail address"))
    orcid: str | None = field(default=None, metadata=meta("The ORCID iD", examples=["0000-0002-1825-0097"]))
    expertise_areas: list[str] | None = field(default=None, metadata=meta("The fields that they know well"))
    role: str | None = field(default=None, metadata=meta("Their part in the matter at hand"))
