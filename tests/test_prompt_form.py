"""The form for prompts: every artifact gives way to its reference, wherever it stands."""

import json
from typing import Any

import pytest
from attrs import define, field, frozen

from nucleo_schema import Artifact, SerializationError, meta, type_alias
from nucleo_schema._artifacts.lists import ListArtifact
from nucleo_schema._artifacts.prompt_form import write_summarized_with_refs
from nucleo_schema._artifacts.registry import ArtifactRegistry
from nucleo_schema._artifacts.shapes import CitationArtifact, LinkArtifact


@type_alias("prompt-mark")
@frozen
class Mark(Artifact):
    """An artifact that can stand in a set."""

    text: str = ""


@define
class Result:
    """What a tool gives."""

    best: CitationArtifact | None = None
    many: list[CitationArtifact] = field(factory=list)
    by_topic: dict[str, CitationArtifact] = field(factory=dict)
    pair: tuple[int, Artifact] | None = None
    marks: frozenset[Mark] = frozenset()
    anything: Any = None
    trace: str | None = field(default=None, metadata=meta(context_ignore=True))


def written(obj, registry):
    """Return the form for prompts as data."""
    return json.loads(write_summarized_with_refs(obj, registry))


@pytest.mark.parametrize(
    "place",
    [
        lambda cite: cite,
        lambda cite: [cite],
        lambda cite: {"key": (cite,)},
        lambda cite: Result(best=cite),
        lambda cite: Result(many=[cite]),
        lambda cite: Result(by_topic={"crispr": cite}),
        lambda cite: Result(pair=(1, cite)),
        lambda cite: Result(anything={"deep": [cite]}),
        lambda cite: Result(anything=Result(best=cite)),
    ],
)
def test_an_artifact_gives_way_to_its_reference(place):
    """Only the reference is written, and the artifact is registered."""
    registry, cite = ArtifactRegistry(), CitationArtifact(doi="10.1/secret")

    text = write_summarized_with_refs(place(cite), registry)

    assert "10.1/secret" not in text
    assert json.dumps({"@ref": cite.artifact_ref}, ensure_ascii=False)[1:-1] in text
    assert registry.artifacts == {cite.artifact_ref: cite}


def test_an_artifact_in_a_set_gives_way_to_its_reference():
    """Every element of a set does."""
    registry, marks = ArtifactRegistry(), [Mark("a"), Mark("b")]

    refs = written(Result(marks=frozenset(marks)), registry)["marks"]

    assert sorted(ref["@ref"] for ref in refs) == sorted(mark.artifact_ref for mark in marks)


def test_artifacts_are_registered_in_document_order():
    """The section that follows shows them as they were met."""
    registry = ArtifactRegistry()
    cites = [CitationArtifact(year=year) for year in (2001, 2002, 2003)]

    written(Result(cites[0], [cites[1]], {"a": cites[2]}), registry)

    assert list(registry.artifacts.values()) == cites


def test_a_list_artifact_is_a_reference_too():
    """Its digest belongs into the registry's section."""
    registry = ArtifactRegistry()

    assert list(written([ListArtifact([LinkArtifact()])], registry)[0]) == ["@ref"]


def test_fields_that_are_no_context_are_left_out():
    """They do not go into prompts."""
    assert "trace" not in written(Result(trace="t-1"), ArtifactRegistry())


def test_without_a_registry_the_references_that_there_are_serve():
    """They are written in canonical form."""
    cite = CitationArtifact(artifact_ref="link:cite~A7F3B2")

    assert written({"best": cite}, None) == {"best": {"@ref": "«artifact:link:cite~a7f3b2»"}}


@pytest.mark.parametrize("reference", [None, "nonsense"])
def test_without_registry_and_reference_writing_fails(reference):
    """The cause names the class of the artifact, and the message its place."""
    with pytest.raises(SerializationError, match=r"many\[0\]") as caught:
        write_summarized_with_refs(Result(many=[CitationArtifact(artifact_ref=reference)]), None)

    assert "CitationArtifact" in str(caught.value.__cause__)


def test_an_empty_registry_is_a_registry():
    """It is falsy, and still the one to register in."""
    registry = ArtifactRegistry()

    write_summarized_with_refs(LinkArtifact(), registry)

    assert len(registry) == 1
