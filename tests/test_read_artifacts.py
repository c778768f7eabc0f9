"""Reading artifacts: by the reference that a model wrote, in any place and under any name for the class."""

import enum
import json
from typing import Annotated, Any, Generic, NewType, TypeVar

import pytest
from attrs import Factory, converters, define, field, frozen
from cattrs.errors import ClassValidationError

from nucleo_schema import (
    Artifact,
    DuplicateAliasError,
    MappingError,
    aliases,
    describe,
    make_converter,
    meta,
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


# The content beside a reference

PARCEL = "«artifact:read-parcel~abc123»"


class Level(enum.Enum):
    """What a converter makes of a text."""

    LOW = "low"
    HIGH = "high"


@type_alias("read-parcel")
@define
class Parcel(Artifact):
    """A class that cannot do without some of its members, and converts others."""

    order_number: str
    weight_g: int
    count: int = field(metadata=meta(required=False))
    data: Any
    floor: int | None = 5
    level: Level = field(default="low", converter=Level)
    tags: tuple[str, ...] = field(default=(), converter=sorted)
    label: str = Factory(lambda self: self.order_number.upper(), takes_self=True)
    seen: list[str] = field(default="ab", converter=list, init=False)


def parcel(given, target=Parcel):
    """Return what is read of an object with the reference of a parcel."""
    return parse(json.dumps({"artifact_ref": PARCEL, **given}), target)


@pytest.mark.parametrize("name", ["artifact_ref", "@ref", "artifactRef"])
def test_content_is_read_under_other_spellings_beside_any_spelling_of_the_reference(name):
    """What stands in for an absent member is content, whether the rest is there or not."""
    part = parse(json.dumps({name: PARCEL, "orderNumber": "A-1"}), Parcel)
    whole = parse(json.dumps({name: PARCEL, "orderNumber": "A-1", "WeightG": 3, "data": 1}), Parcel)

    assert (part.order_number, whole.order_number, whole.weight_g) == ("A-1", "A-1", 3)


def test_two_spellings_of_one_member_are_a_problem_beside_a_reference_too():
    """Which one was meant cannot be told."""
    with pytest.raises(MappingError, match="found members orderNumber, OrderNumber, expected order_number"):
        parcel({"orderNumber": "A-1", "OrderNumber": "A-2"})
    with pytest.raises(MappingError, match="found members artifactRef, ArtifactRef, expected artifact_ref"):
        parse(json.dumps({"artifactRef": PARCEL, "ArtifactRef": PARCEL}), Parcel)


@pytest.mark.parametrize("nothing", [{}, {"weight_g": None}, {"weight_g": ""}, {"weightG": " "}])
def test_an_artifact_with_a_reference_is_never_refused_for_what_it_lacks(nothing):
    """Absent, null or blank, it is None; what the class can do without takes its usual value."""
    read = parcel({"order_number": "A-1", **nothing})

    assert (read.weight_g, read.data, read.count, read.floor) == (None, None, 0, 5)


@pytest.mark.parametrize("rest", [{}, {"order_number": "A-1", "weight_g": 3, "data": 1}])
def test_null_means_the_same_whether_the_content_is_complete_or_not(rest):
    """None where the type is Optional, and the default where it is not."""
    read = parcel({"floor": None, "level": None, "count": None, **rest})

    assert (read.floor, read.level, read.count) == (None, Level.LOW, 0)


def test_converters_run_on_incomplete_content():
    """On what is there, and on defaults; a member that is lacking is None and nothing is made of it."""
    read = parcel({"tags": ["z", "a"]})

    assert (read.tags, read.level, read.seen) == (["a", "z"], Level.LOW, ["a", "b"])
    assert (read.order_number, read.label) == (None, None)


def test_all_that_is_wrong_with_incomplete_content_is_said():
    """Each with its path; what is lacking is no problem."""
    with pytest.raises(MappingError) as caught:
        parcel({"order_number": [], "tags": 5})

    assert [problem.path for problem in caught.value.problems] == ["order_number", "tags"]


def test_what_a_converter_refuses_in_incomplete_content_is_a_problem():
    """All that is wrong is said, each with its path."""

    @type_alias("read-strict")
    @define
    class Strict(Artifact):
        number: int
        level: str = field(converter=lambda text: Level(text).value)
        other: str = field(converter=converters.pipe(Level))

    with pytest.raises(MappingError) as caught:
        parse('{"artifact_ref": "read-strict~abc123", "level": "x", "other": "y"}', Strict)

    assert [problem.path for problem in caught.value.problems] == ["level", "other"]


@pytest.mark.parametrize("slots", [True, False])
def test_an_artifact_that_keeps_its_hash_can_stand_in_a_set(slots):
    """A bare one too, which no constructor made."""

    @type_alias(f"read-hash-{slots}")
    @frozen(cache_hash=True, slots=slots)
    class Kept(Artifact):
        number: int

    assert len(parse(f'["read-hash-{slots}~abc123", "read-hash-{slots}~def456"]', set[Kept])) == 2


@pytest.mark.parametrize(
    "given", [{"@ref": PARCEL}, {"@ref": PARCEL, "order_number": "A", "weight_g": 1, "data": 1}]
)
def test_a_converter_that_forbids_unknown_members_knows_the_reference(given):
    """However it is spelled, and whether the content is complete or not; a stranger is refused."""
    strict = make_converter(forbid_extra_keys=True)

    assert strict.structure(given, Parcel).artifact_ref == PARCEL
    with pytest.raises(ClassValidationError):
        strict.structure({**given, "stranger": 1}, Parcel)
