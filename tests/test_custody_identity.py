"""Custody keeps objects apart: those that hold themselves, and those that live for a moment only."""

from typing import Any

import pytest
from attrs import define, field, frozen

from nucleo_schema import Artifact, MappingError, meta, parse, type_alias
from nucleo_schema._artifacts.registry import ArtifactRegistry
from nucleo_schema._artifacts.shapes import CitationArtifact

CITE, OTHER = "«artifact:link:cite~aaaaaa»", "«artifact:link:cite~bbbbbb»"


@frozen
class Shelf:
    """A frozen holder of anything."""

    inside: Any


@type_alias("identity-plain")
@define
class Plain(Artifact):
    """An artifact that cannot be hashed, which says what it was read from."""

    title: str = field(metadata=meta("The title"))
    notes: list[str] = field(factory=list, metadata=meta("Notes"))
    rank: int = field(default=7, metadata=meta("The rank"))
    label: str = field(metadata=meta("The label"))

    @label.default
    def _label(self):
        return f"rank {self.rank}"


@pytest.fixture
def registry():
    """Return a registry with two artifacts."""
    registry = ArtifactRegistry()
    for reference in (CITE, OTHER):
        registry.register(CitationArtifact("the tool's", artifact_ref=reference))
    return registry


def wrote(reference):
    """Return an artifact as a model wrote it."""
    return CitationArtifact("the model's", artifact_ref=reference)


def test_a_tuple_that_holds_itself_through_a_frozen_object_is_rebuilt_with_its_circle(registry):
    """Both are rebuilt once, and the new ones hold each other."""
    shelf = Shelf(None)
    row = (shelf, wrote(CITE))
    object.__setattr__(shelf, "inside", row)

    violations = []
    result = registry.held(row, violations)

    assert violations == []
    assert result[1] is registry.get(CITE)
    assert result[0].inside is result
    assert result[0] is not shelf
    assert shelf.inside is row


class Lazy(list):
    """A list that makes its items when it is asked for them."""

    def __iter__(self):
        return (Shelf(wrote(reference)) for reference in super().__iter__())


def test_an_object_that_is_gone_lends_its_place_to_no_other(registry):
    """An address that is used again is another object's."""
    lists = [Lazy([CITE] * 20), Lazy([OTHER] * 20)]

    registry.held(lists, [])

    for reference, one in zip((CITE, OTHER), lists, strict=True):
        assert all(list.__getitem__(one, index).inside is registry.get(reference) for index in range(20))


def test_an_artifact_that_cannot_be_hashed_is_left_out_of_a_set_in_words():
    """A registry may hold under a reference what no set can take."""

    @type_alias("identity-hashed")
    @frozen
    class Hashed(Artifact):
        pass

    @type_alias("identity-hashed:not")
    @define(eq=True, unsafe_hash=False)
    class Unhashed(Hashed):
        __hash__ = None

    registry = ArtifactRegistry()
    reference = registry.register(Unhashed())
    violations = []

    assert registry.held({Hashed(artifact_ref=reference)}, violations, set[Hashed]) == set()
    (violation,) = violations
    assert "found the reference of an artifact that no set or key can hold, expected" in violation


@pytest.mark.parametrize("text", ["the first of them", "identity-plain", "«artifact:identity-plain»"])
def test_text_that_is_no_reference_is_refused_where_an_artifact_is_declared(text):
    """The refusal says what would be one."""
    with pytest.raises(MappingError) as refused:
        parse(f'"{text}"', Plain)

    (problem,) = refused.value.problems
    assert problem.message == (
        f'found string "{text}", expected the reference of Plain, or an object with artifact_ref'
    )


def test_content_without_a_reference_is_refused_where_any_artifact_is_declared():
    """Nothing tells its class."""
    with pytest.raises(MappingError) as refused:
        parse('{"title": "Tea"}', Artifact)

    (problem,) = refused.value.problems
    assert problem.message.endswith("expected the reference of an artifact under artifact_ref")


def test_a_reference_with_part_of_the_content_reads_that_part():
    """What is there is read, null is absent, and the rest has its default or None."""
    reference = "«artifact:identity-plain~cccccc»"

    plain = parse(f'{{"artifact_ref": "{reference}", "title": null, "rank": "3"}}', Plain)
    other = parse(f'{{"artifact_ref": "{reference}", "rank": null, "notes": ["a"]}}', Plain)

    assert (plain.artifact_ref, plain.title, plain.rank, plain.label) == (reference, None, 3, "rank 3")
    assert (other.rank, other.notes) == (7, ["a"])
    assert plain.notes == []
    assert plain.notes is not other.notes


def test_all_that_is_wrong_with_part_of_the_content_is_told():
    """Each problem has its path."""
    with pytest.raises(MappingError) as refused:
        parse('{"artifact_ref": "«artifact:identity-plain~cccccc»", "rank": "many", "notes": 1}', Plain)

    assert sorted(problem.path for problem in refused.value.problems) == ["notes", "rank"]
