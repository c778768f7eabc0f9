"""Reading artifacts: by the reference that a model wrote, in any place and under any name for the class."""

import json
from typing import Annotated, Any, Generic, NewType, TypeVar

import pytest
from attrs import define

from nucleo_schema import (
    Artifact,
    DuplicateAliasError,
    MappingError,
    aliases,
    describe,
    make_converter,
    parse,
    type_alias,
    write,
)
from nucleo_schema._artifacts.shapes import CitationArtifact, CodeArtifact, LinkArtifact, PersonArtifact
from nucleo_schema._declare import classes

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


# What a reference means does not depend on what was registered before


@type_alias("read-own:one")
@define
class One(Artifact):
    """A class that nobody has registered."""

    text: str = ""


@type_alias("read-own:one:below")
@define
class Below(One):
    """A class below it, which only references name."""

    extra: int = 0


@type_alias("read-own:two")
@define
class Two(Artifact):
    """Another class that nobody has registered."""


@define
class Owner:
    """A class with a place for each."""

    one: One | None = None
    either: One | Two | None = None


@pytest.fixture
def fresh(monkeypatch):
    """Return a converter of a process that has only imported its classes: none has been looked at."""
    monkeypatch.setattr(aliases, "_REGISTRY", aliases._Registry())
    monkeypatch.setattr(classes, "_class_spec", classes._class_spec.__wrapped__)
    return make_converter()


def test_reading_registers_the_class_and_those_below_it(fresh):
    """A subclass in a place of its base loses nothing, in a process that only reads."""
    owner = Owner(one=Below(artifact_ref="«artifact:read-own:one:below~abc123»", extra=7))

    assert fresh.structure(json.loads(write(owner)), Owner) == owner


def test_a_union_knows_its_members_by_their_own_aliases(fresh):
    """Whoever declared them need not have registered them, nor the classes below them."""
    for alias, cls in {"two": Two, "one": One, "one:below": Below, "two:unheard-of": Two}.items():
        read = fresh.structure({"either": f"read-own:{alias}~abc123"}, Owner)
        assert type(read.either) is cls


def test_a_class_that_was_loaded_after_the_reader_was_made_is_known():
    """A plugin that arrives late is no exception."""
    assert type(parse('"read-own:one:late~abc123"', One)) is One

    @type_alias("read-own:one:late")
    @define
    class Late(One):
        pass

    assert type(parse('"read-own:one:late~abc123"', One)) is Late
    assert type(parse('"read-own:one:late~abc123"', One | Two)) is Late


@pytest.mark.usefixtures("fresh")
def test_describing_registers_too():
    """An alias that was shown to a model resolves."""

    @type_alias("read-own:shown")
    @define
    class Shown(Artifact):
        pass

    assert aliases.resolve_alias("read-own:shown") is None

    describe(Shown)

    assert aliases.resolve_alias("read-own:shown") is Shown


def test_a_second_class_under_an_alias_is_left_out_in_silence(fresh):
    """Reading is not refused for it: the first stays, and registering the second says why."""
    aliases.register(Below)

    @type_alias("read-own:one:below")
    @define
    class Twin(One):
        pass

    assert type(fresh.structure("read-own:one:below~abc123", One)) is Below
    assert type(fresh.structure("read-own:one:below~abc123", Twin)) is Twin
    with pytest.raises(DuplicateAliasError):
        aliases.register(Twin)


def test_of_a_class_that_a_decorator_made_again_the_last_is_known(fresh):
    """``@define`` makes a new class of one that declared its alias before."""

    @define
    @type_alias("read-own:two:again")
    class Again(Two):
        pass

    assert type(fresh.structure("read-own:two:again~abc123", Two)) is Again
