"""Reading artifacts: by the reference that a model wrote, in any place and under any name for the class."""

from typing import Annotated, Any, Generic, NewType, TypeVar

import pytest
from attrs import define

from nucleo_schema import Artifact, MappingError, parse
from nucleo_schema._artifacts.shapes import CitationArtifact, CodeArtifact, LinkArtifact, PersonArtifact

CITE = "«artifact:link:cite~a7f3b2»"
A = TypeVar("A", bound=Artifact)
T = TypeVar("T")

SPELLINGS = [
    f'"{CITE}"',
    '"link:cite~a7f3b2"',
    f'{{"artifact_ref": "{CITE}"}}',
    f'{{"@ref": "{CITE}"}}',
    f'{{"artifactRef": "{CITE}"}}',
    f'{{"artifact_ref": null, "@ref": "{CITE}"}}',
]
TARGETS = [
    Artifact,
    LinkArtifact,
    CitationArtifact,
    LinkArtifact | CodeArtifact,
    CodeArtifact | CitationArtifact | LinkArtifact,
    Annotated[LinkArtifact, "note"],
    NewType("Source", LinkArtifact),
    NewType("Source", CitationArtifact) | CodeArtifact,
]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_a_reference_is_read_wherever_an_artifact_is_declared(target, spelling):
    """Its alias tells the class, and the reference is canonical."""
    artifact = parse(spelling, target)

    assert type(artifact) is CitationArtifact
    assert artifact.artifact_ref == CITE


@pytest.mark.parametrize("spelling", SPELLINGS[:4])
def test_a_union_of_artifacts_goes_by_the_reference_inside_containers_too(spelling):
    """As values of a map, and as items."""
    read = parse(f'{{"a": [{spelling}]}}', dict[str, list[CitationArtifact | LinkArtifact]])

    assert type(read["a"][0]) is CitationArtifact


def test_a_reference_to_none_of_the_members_is_refused():
    """A union takes only what it names."""
    with pytest.raises(MappingError, match="expected the reference of CodeArtifact, PersonArtifact"):
        parse(f'"{CITE}"', CodeArtifact | PersonArtifact)


def test_text_that_is_a_reference_stays_text_where_text_is_declared():
    """The member of exactly the value's kind comes first."""
    assert parse(f'"{CITE}"', str | CitationArtifact) == CITE


@define
class Holder(Generic[A]):
    """A class of artifacts that nobody need bind."""

    item: A
    items: list[A]


@define
class Open(Generic[T]):
    """A class of anything."""

    item: T


def test_a_type_variable_of_artifacts_stands_for_an_artifact():
    """Nobody bound it, and still only a reference may take its place."""
    read = parse(f'{{"item": "{CITE}", "items": ["{CITE}"]}}', Holder)

    assert type(read.item) is type(read.items[0]) is CitationArtifact


def test_any_other_type_variable_stands_for_anything():
    """What is read into it is data."""
    assert parse(f'{{"item": {{"artifact_ref": "{CITE}"}}}}', Open).item == {"artifact_ref": CITE}


@define
class Point:
    """A class that is no artifact."""

    x: int


Place = NewType("Place", Point)


@define
class Route:
    """A class that names another one in several ways."""

    start: Place
    end: Annotated[Point, "the last one"]
    stops: list[Place]
    label: Any = None


def test_a_class_is_read_under_any_name_for_it():
    """A new type, and an annotated one, are read as the class behind them."""
    read = parse('{"start": {"x": 1}, "end": {"x": 2}, "stops": [{"x": 3}]}', Route)

    assert read == Route(Point(1), Point(2), [Point(3)])
    assert parse('{"x": 4}', Place) == Point(4)
