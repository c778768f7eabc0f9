"""The shipped shapes: their aliases, their fields, and what a model is told about them."""

import attrs
import pytest

from nucleo_schema import Summarizable, SummarySize, aliases, json_schema, parse, write
from nucleo_schema._artifacts.shapes import (
    CitationArtifact,
    CodeArtifact,
    LinkArtifact,
    PersonArtifact,
    WebPageArtifact,
)
from nucleo_schema._declare.classes import class_spec

LINK = ["title", "url"]
FIELDS = {
    LinkArtifact: ("link", LINK),
    WebPageArtifact: ("link:page", [*LINK, "description", "source", "content", "relevance"]),
    CitationArtifact: (
        "link:cite",
        [*LINK, "first_author", "authors", "year", "journal", "doi", "abstract_text", "source", "relevance"],
    ),
    CodeArtifact: (
        "code",
        [
            *("language", "content", "description", "file_name", "is_complete", "line_range"),
            *("dependencies", "code_type"),
        ],
    ),
    PersonArtifact: (
        "person",
        ["name", "title", "affiliation", "email", "orcid", "expertise_areas", "role"],
    ),
}


@pytest.mark.parametrize("cls", FIELDS, ids=lambda cls: cls.__name__)
def test_a_shape_has_its_alias_and_its_fields(cls):
    """The alias is registered, so that a reference finds the class in a fresh process."""
    alias, names = FIELDS[cls]

    assert aliases.resolve_alias(alias) is cls
    assert [field.wire_name for field in class_spec(cls).fields] == ["artifact_ref", *names]


@pytest.mark.parametrize("cls", FIELDS, ids=lambda cls: cls.__name__)
def test_every_field_is_described_and_optional(cls):
    """A shape can be made of nothing, and reads back equal."""
    properties = json_schema(cls)["properties"]

    assert all(not text["description"].startswith("Field ") for text in properties.values())
    assert "required" not in json_schema(cls)
    assert parse(write(cls()), cls) == cls()


@pytest.mark.parametrize("cls", [WebPageArtifact, CitationArtifact])
def test_pages_and_citations_are_links(cls):
    """The classes follow their aliases."""
    assert issubclass(cls, LinkArtifact)


@pytest.mark.parametrize(
    ("cls", "name", "summarizable"),
    [
        (WebPageArtifact, "content", Summarizable("web page content", size=SummarySize.BRIEF)),
        (CitationArtifact, "abstract_text", Summarizable("abstract of a publication")),
        (CodeArtifact, "content", Summarizable("source code", static_summary="source code")),
    ],
)
def test_long_texts_are_summarizable(cls, name, summarizable):
    """Exactly these fields are."""
    marked = {
        field.name: field.info.summarizable for field in class_spec(cls).fields if field.info.summarizable
    }

    assert marked == {name: summarizable}


@pytest.mark.parametrize("cls", FIELDS, ids=lambda cls: cls.__name__)
def test_a_shape_with_everything_reads_back_equal(cls):
    """Each field holds what its annotation says."""
    values = {str: "text", int: 3, bool: False, list[str]: ["a", "b"]}
    spec = class_spec(cls)
    given = {field.name: values[attrs.evolve(field.form).inner.annotation] for field in spec.fields[1:]}

    assert parse(write(cls(**given)), cls) == cls(**given)
