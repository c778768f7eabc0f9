"""Snapshots: a registry as text, and back as objects of the classes that its references name."""

import copy
import datetime as dt
import json
import logging
import sys
import tracemalloc
import uuid
from decimal import Decimal
from typing import Any

import pytest
from attrs import define, field
from hypothesis import given, strategies as st

from nucleo_schema import (
    Artifact,
    MappingError,
    ReferenceConflictError,
    SerializationError,
    aliases,
    meta,
    type_alias,
)
from nucleo_schema._artifacts.lists import ListArtifact
from nucleo_schema._artifacts.registry import ArtifactRegistry
from nucleo_schema._artifacts.shapes import CitationArtifact, LinkArtifact


@type_alias("snap-record")
@define
class Record(Artifact):
    """An artifact with fields of many kinds."""

    number: int
    price: Decimal | None = None
    day: dt.date | None = None
    best: LinkArtifact | None = None
    anything: Any = None
    others: list[Artifact] = field(factory=list)


def restored(registry):
    """Return what another process would rebuild."""
    return ArtifactRegistry.from_snapshot(registry.to_snapshot())


def test_a_registry_comes_back_equal():
    """Top level, order, classes, contents and reachable artifacts are the same."""
    registry = ArtifactRegistry()
    registry.register(Record(2**70, Decimal("1.10"), dt.date(2024, 12, 31), CitationArtifact(doi="10.1/x")))
    registry.register(ListArtifact([LinkArtifact("a"), CitationArtifact(year=2024)]))

    again = restored(registry)

    assert list(again.artifacts.items()) == list(registry.artifacts.items())
    assert dict(again.artifacts_including_reachable) == dict(registry.artifacts_including_reachable)


def test_an_empty_registry_comes_back_empty():
    """There is nothing in it."""
    assert len(restored(ArtifactRegistry())) == 0


links = st.builds(LinkArtifact, st.none() | st.text(), st.none() | st.text())
records = st.recursive(
    links,
    lambda inner: (
        st.builds(Record, st.integers(), others=st.lists(inner, max_size=3))
        | st.builds(ListArtifact, st.lists(inner, max_size=3))
    ),
    max_leaves=8,
)


@given(st.lists(records, max_size=4))
def test_every_registry_comes_back_equal(artifacts):
    """Whatever is registered is restored under the same references."""
    registry = ArtifactRegistry()
    for artifact in artifacts:
        registry.register(artifact)

    again = restored(registry)

    assert dict(again.artifacts) == dict(registry.artifacts)
    assert dict(again.artifacts_including_reachable) == dict(registry.artifacts_including_reachable)


def test_the_nearest_known_ancestor_is_rebuilt():
    """A process that lacks the class gets a useful object under the same reference."""
    registry = ArtifactRegistry()
    key = registry.register(CitationArtifact(title="T", doi="10.1/x"))
    text = registry.to_snapshot().replace("link:cite", "link:cite:unheard-of")

    [artifact] = ArtifactRegistry.from_snapshot(text).artifacts.values()

    assert type(artifact) is CitationArtifact
    assert artifact.artifact_ref == key.replace("link:cite", "link:cite:unheard-of")


UNKNOWN = {
    "itself": {"artifact_ref": "«artifact:nowhere~aaaaaa»", "title": "lost"},
    "inside": {
        "artifact_ref": "«artifact:snap-record~bbbbbb»",
        "number": 1,
        "others": [{"artifact_ref": "«artifact:nowhere~aaaaaa»"}],
    },
    "in a list": {
        "artifact_ref": "«artifact:list~cccccc»",
        "iterands": [{"artifact_ref": "link~dddddd"}, {"artifact_ref": "«artifact:nowhere~aaaaaa»"}],
    },
}


@pytest.mark.parametrize("entry", UNKNOWN.values(), ids=UNKNOWN)
def test_an_entry_of_an_unknown_kind_is_skipped_whole(entry, caplog):
    """A warning names what is not known, and the rest survives; nothing is shortened."""
    known = {"artifact_ref": "«artifact:link~eeeeee»", "title": "kept"}
    text = json.dumps({"artifacts": [entry, known]})

    with caplog.at_level(logging.WARNING, logger="nucleo_schema.artifacts"):
        registry = ArtifactRegistry.from_snapshot(text)

    assert list(registry.artifacts_including_reachable) == ["«artifact:link~eeeeee»"]
    assert "nowhere~aaaaaa" in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        *("", "nonsense", "[]", "{}", '{"artifacts": {}}', '{"artifacts": [5]}', b"\xff"),
        *('{"artifacts": [], "reachable": 5}', '{"artifacts": [], "reachable": [[]]}'),
    ],
)
def test_text_that_is_no_snapshot_is_refused(text):
    """The error is the one of reading, in words of what the caller knows."""
    with pytest.raises(MappingError, match="Failed to parse JSON to ArtifactRegistry") as caught:
        ArtifactRegistry.from_snapshot(text)

    assert caught.value.target is ArtifactRegistry
    assert "Snapshot" not in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({"artifact_ref": "snap-record~aaaaaa", "number": "many"}, r"artifacts\[1\].number: "),
        ({"title": "no reference"}, r"artifacts\[1\]: "),
    ],
)
def test_an_entry_that_does_not_fit_is_refused_with_its_place(entry, place):
    """What cannot be read is not left out in silence."""
    text = json.dumps({"artifacts": [{"artifact_ref": "link~bbbbbb"}, entry]})

    with pytest.raises(MappingError, match=place):
        ArtifactRegistry.from_snapshot(text)


def test_two_entries_under_one_reference_are_a_conflict():
    """Neither is preferred."""
    entries = [{"artifact_ref": "link~aaaaaa", "title": title} for title in "ab"]

    with pytest.raises(ReferenceConflictError):
        ArtifactRegistry.from_snapshot(json.dumps({"artifacts": entries}))


def test_an_artifact_that_two_others_hold_comes_back_under_its_reference():
    """It is written with each of them, and they agree."""
    shared = LinkArtifact("shared")
    registry = ArtifactRegistry()
    registry.register(Record(1, best=shared))
    registry.register(Record(2, best=shared))

    assert restored(registry).get(shared.artifact_ref) == shared


@define
class Bag:
    """A class that is no artifact."""

    anything: Any = None


@define
class FullBag(Bag):
    """A class that an annotation does not know."""

    best: LinkArtifact | None = None


@type_alias("snap-holder")
@define
class Holder(Artifact):
    """An artifact with places of many kinds."""

    data: Any = None
    by_name: dict[str, Any] = field(factory=dict)
    rows: list[Any] = field(factory=list)
    pair: tuple[Any, ...] = ()
    bag: Bag | None = None
    bags: tuple[Bag, ...] = ()
    links: dict[str, list[LinkArtifact]] = field(factory=dict)
    number: uuid.UUID | None = None
    hidden: Any = field(default=None, metadata=meta(ignore=True))


@define
class Strange:
    """A class that no schema can tell of."""

    firstName: int = 0  # noqa: N815  one wire name
    first_name: int = 0
    best: Any = None


UNTYPED = {
    "Any": Holder,
    "a map": lambda link: Holder(by_name={"deep": [{"k": link}]}),
    "a list": lambda link: Holder(rows=[1, [link]]),
    "an object in a place": lambda link: Holder(bag=Bag({"a": link})),
    "an object in a tuple": lambda link: Holder(bags=(Bag(link),)),
    "an artifact in untyped data": lambda link: Holder([Holder([link, "x"])]),
    "a list of artifacts": lambda link: ListArtifact([Holder(link)]),
    "two places": lambda link: Holder([link, link]),
}


@pytest.mark.parametrize("place", UNTYPED.values(), ids=UNTYPED)
def test_an_artifact_in_untyped_data_comes_back_in_its_place(place):
    """It is the artifact again, under its reference, also when the snapshot is taken anew."""
    registry = ArtifactRegistry()
    key = registry.register(place(CitationArtifact("T", year=2**70)))

    again = restored(restored(registry))

    assert dict(again.artifacts) == dict(registry.artifacts)
    assert dict(again.artifacts_including_reachable) == dict(registry.artifacts_including_reachable)
    assert set(again.filter([key]).artifacts_including_reachable) == set(again.artifacts_including_reachable)


LEFT_DATA = {
    "a typed place too": lambda link: Holder({"k": link}, links={"here": [link]}),
    "a tuple": lambda link: Holder(pair=(link,)),
    "an object in untyped data": lambda link: Holder(FullBag(best=link)),
    "an object of a class below": lambda link: Holder(bag=FullBag(best=link)),
    "off the wire": lambda link: Holder(hidden=[link]),
}


@pytest.mark.parametrize("place", LEFT_DATA.values(), ids=LEFT_DATA)
@pytest.mark.parametrize("times", [1, 3])
def test_every_artifact_that_was_found_is_found_again(place, times):
    """Also where reading makes something else of its holder, and however often that happens."""
    registry = ArtifactRegistry()
    registry.register(place(CitationArtifact("T", doi="10.1/x")))
    registry.register(LinkArtifact("other"))

    again = registry
    for _ in range(times):
        again = restored(again)

    found, before = again.artifacts_including_reachable, registry.artifacts_including_reachable
    assert found.keys() == before.keys()
    assert [found[key] for key in before if "link" in key] == [before[key] for key in before if "link" in key]
    assert list(again.artifacts) == list(registry.artifacts)


@pytest.mark.parametrize("place", LEFT_DATA.values(), ids=LEFT_DATA)
def test_what_an_artifact_held_is_handed_on_with_it(place):
    """Wherever it stands after the snapshot: what is conveyed is what the artifact held."""
    registry = ArtifactRegistry()
    link = CitationArtifact("T")
    key = registry.register(place(link))

    handed_on = restored(restored(registry).filter([key]))

    assert handed_on.get(link.artifact_ref) == link


@type_alias("snap-typed")
@define
class Typed(Artifact):
    """An artifact with places of every form that reading finds artifacts in."""

    maybe: list[LinkArtifact | None] = field(factory=list)
    pair: tuple[int, LinkArtifact] | None = None
    either: list[int | LinkArtifact] = field(factory=list)
    counts: dict[str, tuple[int, ...]] = field(factory=dict)


def test_what_reading_finds_in_places_of_every_form_is_written_where_it_is():
    """Nothing of it is loose."""
    registry = ArtifactRegistry()
    links = [LinkArtifact(title) for title in "abc"]
    key = registry.register(Typed([links[0], None], (1, links[1]), [5, links[2]], {"a": (1,)}))

    text = registry.to_snapshot()

    assert json.loads(text).keys() == {"artifacts"}
    assert restored(registry).get(key) == registry.get(key)


def test_a_class_that_cannot_be_described_hides_no_artifact():
    """The snapshot is refused with the class, and nothing is lost in silence."""
    registry = ArtifactRegistry()
    holder = Holder(hidden=Strange(best=[LinkArtifact("L")]))
    registry.register(holder)

    assert restored(registry).get(holder.hidden.best[0].artifact_ref) == holder.hidden.best[0]


def test_an_object_that_is_held_twice_is_looked_into_once():
    """Whatever it holds is held by its holder once."""
    registry = ArtifactRegistry()
    shared = [LinkArtifact("L")]
    key = registry.register(Holder(data=[shared, shared]))

    assert json.loads(registry.to_snapshot())["held"] == {key: [shared[0].artifact_ref]}


def test_data_beside_an_artifact_that_names_it_too_stays_data():
    """Only what was written of the artifact is the artifact."""
    registry = ArtifactRegistry()
    link = LinkArtifact("L")
    key = registry.register(Holder([link]))
    registry.get(key).data.append({"artifact_ref": link.artifact_ref})

    assert restored(registry).get(key).data == [link, {"artifact_ref": link.artifact_ref}]


def test_two_artifacts_of_the_top_level_come_back_in_their_places():
    """One stands in untyped data of the other; neither is written by itself."""
    registry = ArtifactRegistry()
    link = CitationArtifact("T")
    key = registry.register(Holder([link]))
    registry.register(link)

    again = restored(registry)

    assert again.get(key).data[0] is again.get(link.artifact_ref)
    assert "reachable" not in json.loads(registry.to_snapshot())


def test_an_artifact_that_came_in_late_is_no_hindrance():
    """Its holder was registered before, so it has no reference; what it holds is found all the same."""
    registry = ArtifactRegistry()
    link = CitationArtifact("T")
    holder = Holder([])
    registry.register(holder)
    late = Holder([link], links={"a": [link]})
    holder.data += [late, late]
    registry.index_reachable(link)

    assert restored(registry).get(link.artifact_ref) == link


def test_nothing_is_held_any_more_in_a_cleared_registry():
    """What a snapshot brought is let go of, too."""
    registry = ArtifactRegistry()
    holder, link = Holder(hidden=[]), CitationArtifact("T")
    holder.hidden.append(link)
    registry.register(holder)
    again = restored(registry)
    kept = again.get(holder.artifact_ref)
    again.clear()

    again.register(kept)

    assert restored(again).get(link.artifact_ref) is None


@pytest.mark.parametrize("held", ["x", [1], {"link~aaaaaa": "link~bbbbbb"}])
def test_a_snapshot_whose_holders_are_no_lists_of_references_is_refused(held):
    """With the place in it."""
    with pytest.raises(MappingError, match="held"):
        ArtifactRegistry.from_snapshot(json.dumps({"artifacts": [], "held": held}))


def test_holders_and_artifacts_that_are_not_there_are_passed_over():
    """An entry of an unknown kind was skipped, and with it what named it."""
    link = {"artifact_ref": "«artifact:link~aaaaaa»"}
    held = {"link~aaaaaa": ["none~bbbbbb"], "none~bbbbbb": ["link~aaaaaa"]}

    again = ArtifactRegistry.from_snapshot(json.dumps({"artifacts": [link], "held": held}))

    assert list(again.artifacts) == ["«artifact:link~aaaaaa»"]


def test_untyped_data_that_only_looks_like_an_artifact_stays_data():
    """What names one, and is not what was written of it, is the host's."""
    link = CitationArtifact("T")
    registry = ArtifactRegistry()
    registry.register(Holder([link]))
    data = [{"artifact_ref": link.artifact_ref}, {"artifact_ref": "link~zzzzzz"}, {"artifact_ref": 5}]
    key = registry.register(Holder(data))

    assert restored(registry).get(key).data == data


def test_what_nothing_on_the_top_level_holds_is_not_in_a_snapshot():
    """A snapshot holds the top level with what it contains."""
    registry = ArtifactRegistry()
    registry.register(Holder(CitationArtifact("held")))
    registry.index_reachable(LinkArtifact("only indexed"))

    assert len(restored(registry).artifacts_including_reachable) == 2


def test_what_is_found_by_reading_is_written_once():
    """Only what would be lost is written by itself."""
    registry = ArtifactRegistry()
    holder = Holder(links={"a": [LinkArtifact("L")]}, number=uuid.uuid4())
    registry.register(ListArtifact([Record(1, best=CitationArtifact("T")), holder]))

    assert "reachable" not in json.loads(registry.to_snapshot())


def test_an_artifact_of_a_class_that_is_not_known_here_is_no_fault_of_the_snapshot():
    """It is read as what its place declares, although its alias belongs to another class."""
    text = '{"artifacts": [{"artifact_ref": "snap-holder~aaaaaa", "links": {"a": [{"artifact_ref": "%s"}]}}]}'

    again = ArtifactRegistry.from_snapshot(text % "person~bbbbbb")

    assert type(again.get("person~bbbbbb")) is LinkArtifact


def test_an_artifact_that_contains_itself_cannot_be_written():
    """JSON has no form for it, and the error says so."""
    record = Record(1)
    record.others.append(record)
    registry = ArtifactRegistry()
    registry.register(record)

    with pytest.raises(SerializationError, match="contains itself"):
        registry.to_snapshot()


def test_nothing_is_imported_because_of_data():
    """An alias that looks like a module stays an alias."""
    text = '{"artifacts": [{"artifact_ref": "«artifact:antigravity~aaaaaa»"}]}'

    ArtifactRegistry.from_snapshot(text)

    assert "antigravity" not in sys.modules


@pytest.mark.parametrize("count", [1000, 4000])
def test_memory_is_proportional_to_the_text(count):
    """Neither writing nor reading takes more than a fixed multiple of it, however much there is."""
    registry = ArtifactRegistry()
    for number in range(count):
        registry.register(CitationArtifact(title=f"Title {number}", doi=f"10.1/{number}" * 5, year=2024))
    text = registry.to_snapshot()
    tracemalloc.start()

    copied = registry.to_snapshot()
    peak_writing = tracemalloc.get_traced_memory()[1] - sys.getsizeof(copied)
    tracemalloc.reset_peak()
    again = ArtifactRegistry.from_snapshot(text)
    peak_reading = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert len(again) == count
    assert peak_writing < 3 * len(text)
    assert peak_reading < 30 * len(text)


def test_references_keep_their_meaning_across_processes():
    """What a restored registry hands on is accepted by the first one."""
    registry = ArtifactRegistry()
    key = registry.register(CitationArtifact(doi="10.1/x"))
    original = copy.copy(registry.get(key))

    handed_on = restored(registry).filter([key])

    assert registry.register(handed_on.get(key)) == key
    assert registry.get(key) == original


def test_a_reference_in_an_artifact_that_is_none_is_refused():
    """With the error that a snapshot is refused with, whatever garbled it."""

    @type_alias("snapshots:shelf")
    @define
    class Shelf(Artifact):
        links: list[LinkArtifact]

    aliases.register(Shelf)
    text = (
        '{"artifacts": [{"artifact_ref": "«artifact:snapshots:shelf~aaaaaa»", "links": '
        '[{"artifact_ref": "«artifact:li\\u0000k~aaaaaa»"}]}]}'
    )

    with pytest.raises(MappingError, match="artifact_ref"):
        ArtifactRegistry.from_snapshot(text)
