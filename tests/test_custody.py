"""Custody: after ``held``, every artifact in what a model wrote is the registry's own object, or refused."""

import collections
import copy
import dataclasses
import datetime as dt
import enum
import json
from collections import Counter
from types import MappingProxyType
from typing import Annotated, Any, Generic, NamedTuple, NewType, Optional, TypeVar

import attrs
import pytest
from attrs import define, field, frozen
from hypothesis import given, strategies as st

from nucleo_schema import Artifact, MappingError, meta, parse, parse_llm_response, type_alias, write_compact
from nucleo_schema._artifacts.lists import ListArtifact
from nucleo_schema._artifacts.registry import ArtifactRegistry
from nucleo_schema._artifacts.shapes import CitationArtifact, CodeArtifact, LinkArtifact
from nucleo_schema.references import normalize_to_key

T = TypeVar("T")
CITE, LINK, CODE = "«artifact:link:cite~aaaaaa»", "«artifact:link~bbbbbb»", "«artifact:code~cccccc»"
MARK, OTHER_MARK = "«artifact:held-mark~dddddd»", "«artifact:held-mark~eeeeee»"
CITES, CODES = "«artifact:list~ffffff»", "«artifact:list~gggggg»"
UNKNOWN = "«artifact:link:cite~zzzzzz»"
NEVER = "smuggled"  # what a model writes beside references


@type_alias("held-mark")
@frozen
class Mark(Artifact):
    """An artifact that can stand in a set."""

    text: str = ""


@type_alias("held-mark:heavy")
@define(eq=True, unsafe_hash=False)
class Holder(Artifact):
    """An artifact that holds whatever it is given."""

    inside: Any = None


@pytest.fixture
def registry():
    """Return a registry with an artifact under each of the references above."""
    return make_registry()


def make_registry():
    """Return a registry with an artifact under each of the references above."""
    registry = ArtifactRegistry()
    for artifact in (
        CitationArtifact("the tool's", artifact_ref=CITE),
        LinkArtifact("the tool's", artifact_ref=LINK),
        CodeArtifact(content="the tool's", artifact_ref=CODE),
        Mark("the tool's", artifact_ref=MARK),
        Mark("the tool's", artifact_ref=OTHER_MARK),
        ListArtifact([CitationArtifact("the tool's")], artifact_ref=CITES),
        ListArtifact([CodeArtifact(content="the tool's")], artifact_ref=CODES),
    ):
        registry.register(artifact)
    return registry


def written(reference=CITE, cls=CitationArtifact):
    """Return an artifact as a model wrote it, with content of its own."""
    if cls is Mark:
        return Mark(NEVER, artifact_ref=reference)
    return cls(title=NEVER, artifact_ref=reference)


def settled(registry, obj, declared=None):
    """Return what becomes of *obj*, which must be without violations."""
    violations: list[str] = []
    result = registry.held(obj, violations, declared)
    assert violations == []
    return result


def refused(registry, obj, declared=None):
    """Return what becomes of *obj*, and the violations."""
    violations: list[str] = []
    return registry.held(obj, violations, declared), violations


# Places


@define
class Verdict:
    """An answer with artifacts in many places."""

    best: CitationArtifact | None = None
    cited: list[LinkArtifact] = field(factory=list)
    by_topic: dict[str, LinkArtifact] = field(factory=dict)
    pair: tuple[str, LinkArtifact] | None = None
    row: tuple[LinkArtifact, ...] = ()
    marks: set[Mark] = field(factory=set)
    cold_marks: frozenset[Mark] = frozenset()
    either: CitationArtifact | CodeArtifact | None = None
    any_kind: Artifact | None = None
    data: Any = None
    renamed: LinkArtifact | None = field(default=None, metadata=meta(name="other_name"))


def only(collection):
    """Return the one element of a collection."""
    [element] = collection
    return element


PLACES = {
    "field": (lambda: Verdict(written()), lambda it: it.best),
    "list": (lambda: Verdict(cited=[written()]), lambda it: it.cited[0]),
    "map": (lambda: Verdict(by_topic={"crispr": written()}), lambda it: it.by_topic["crispr"]),
    "fixed tuple": (lambda: Verdict(pair=("a", written())), lambda it: it.pair[1]),
    "variable tuple": (lambda: Verdict(row=(written(),)), lambda it: it.row[0]),
    "set": (lambda: Verdict(marks={written(MARK, Mark)}), lambda it: only(it.marks)),
    "frozenset": (
        lambda: Verdict(cold_marks=frozenset([written(MARK, Mark)])),
        lambda it: only(it.cold_marks),
    ),
    "union": (lambda: Verdict(either=written()), lambda it: it.either),
    "base class": (lambda: Verdict(any_kind=written()), lambda it: it.any_kind),
    "untyped": (lambda: Verdict(data=written()), lambda it: it.data),
    "deep in untyped": (lambda: Verdict(data={"a": [(written(),)]}), lambda it: it.data["a"][0][0]),
    "object in untyped": (lambda: Verdict(data=Verdict(written())), lambda it: it.data.best),
    "root": (written, lambda it: it),
    "list as root": (lambda: [written()], lambda it: it[0]),
}


@pytest.mark.parametrize(("make", "look"), PLACES.values(), ids=PLACES)
def test_an_artifact_gives_way_to_the_registrys_own(registry, make, look):
    """In every place, whatever the model wrote beside the reference."""
    own = look(settled(registry, make()))

    assert own is registry.get(own.artifact_ref)
    assert NEVER not in str(own.artifact_ref)


def test_a_reference_is_understood_in_any_spelling(registry):
    """A model may lose the guillemets."""
    assert settled(registry, [written("link:cite ~ AAAAAA")])[0] is registry.get(CITE)


HOLDERS = {
    "slots": define(type("Slots", (), {"__annotations__": {"item": Any}})),
    "dict": define(type("Dict", (), {"__annotations__": {"item": Any}}), slots=False),
    "frozen slots": frozen(type("FrozenSlots", (), {"__annotations__": {"item": Any}})),
    "frozen dict": frozen(type("FrozenDict", (), {"__annotations__": {"item": Any}}), slots=False),
    "cached hash": frozen(type("CachedHash", (), {"__annotations__": {"item": Any}}), cache_hash=True),
    "cached hash in dict": frozen(
        type("CachedHashDict", (), {"__annotations__": {"item": Any}}), cache_hash=True, slots=False
    ),
    "dataclass": dataclasses.make_dataclass("Data", ["item"]),
    "frozen dataclass": dataclasses.make_dataclass("FrozenData", ["item"], frozen=True),
}


@pytest.mark.parametrize("cls", HOLDERS.values(), ids=HOLDERS)
def test_every_kind_of_class_is_entered(registry, cls):
    """Frozen ones are rebuilt and equal what the registry's object would have made."""
    result = settled(registry, cls(written(MARK, Mark)))

    assert result.item is registry.get(MARK)
    assert result == cls(registry.get(MARK))


@pytest.mark.parametrize("name", ["cached hash", "cached hash in dict"])
def test_a_rebuilt_object_has_a_hash_of_its_own(registry, name):
    """One that was computed before belongs to what the model wrote."""
    cls = HOLDERS[name]
    answer = cls(written(MARK, Mark))
    hash(answer)

    assert hash(settled(registry, answer)) == hash(cls(registry.get(MARK)))


class Pair(NamedTuple):
    """A named tuple."""

    left: Any
    right: Any


class Marked(tuple):  # noqa: SLOT001  it is to have a dict
    """A tuple with attributes."""


CONTAINERS = {
    "named tuple": lambda it: Pair(1, it),
    "deque": lambda it: collections.deque([it, 2], maxlen=2),
    "user list": lambda it: collections.UserList([it]),
    "ordered dict": lambda it: collections.OrderedDict(a=1, b=it, c=3),
    "default dict": lambda it: collections.defaultdict(list, {"a": it}),
    "read-only map": lambda it: MappingProxyType({"a": it}),
    "key": lambda it: {"a": 1, it: 2, "c": 3},
    "tuple as key": lambda it: {(it, 1): 2},
    "frozen class as key": lambda it: {HOLDERS["frozen slots"](it): 2},
    "frozen class in set": lambda it: {HOLDERS["frozen slots"](it)},
    "tuple in frozenset": lambda it: frozenset([(1, it), "b"]),
}


@pytest.mark.parametrize("contain", CONTAINERS.values(), ids=CONTAINERS)
def test_every_kind_of_container_keeps_its_class_and_order(registry, contain):
    """It equals what the registry's object would have made."""
    result = settled(registry, contain(written(MARK, Mark)))
    expected = contain(registry.get(MARK))

    assert result == expected
    assert type(result) is type(expected)
    assert [str(item) for item in result] == [str(item) for item in expected] or isinstance(result, frozenset)


def test_a_tuple_keeps_the_attributes_of_its_class(registry):
    """A subclass of tuple may have some."""
    row = Marked([written()])
    row.label = "mine"

    assert settled(registry, row).label == "mine"


def test_an_attrs_class_that_is_a_collection_is_entered_both_ways(registry):
    """Its fields and its items are walked."""

    @define(slots=False, eq=False)
    class Shelf(collections.UserDict):
        best: Any = None

    shelf = Shelf(written())
    shelf.data = {"a": written()}

    result = settled(registry, shelf)

    assert result.best is result["a"] is registry.get(CITE)


def test_a_mutable_object_in_a_set_is_found_there_again(registry):
    """Its hash follows what it holds, so the set is made anew."""

    @define(unsafe_hash=True)
    class Wheel:
        mark: Mark

    wheel = Wheel(written(MARK, Mark))
    result = settled(registry, {"set": {wheel}, "map": {wheel: 1}})

    assert wheel in result["set"]
    assert wheel in result["map"]


def test_an_artifact_is_not_entered(registry):
    """What the registry's object holds is the tool's business."""
    inner = CitationArtifact(artifact_ref=UNKNOWN)
    holder = Holder([inner])
    registry.register(holder)

    assert settled(registry, [Holder(artifact_ref=holder.artifact_ref)]) == [holder]
    assert holder.inside == [inner]


def test_data_that_looks_like_a_reference_stays_data(registry):
    """Untyped data is the model's own."""
    data = {"artifact_ref": UNKNOWN, "@ref": CITE, "text": CITE}

    assert settled(registry, Verdict(data=copy.deepcopy(data))).data == data


def test_an_object_without_artifacts_is_kept(registry):
    """It, and every part of it, is the very same."""
    parts = [(1, ("a",)), frozenset([(2,)]), HOLDERS["frozen slots"]({"a": (1,)}), MappingProxyType({})]
    answer = Verdict(data=list(parts))

    result = settled(registry, answer)

    assert result is answer
    assert all(one is other for one, other in zip(result.data, parts, strict=True))


def test_validators_converters_and_hooks_do_not_run_again(registry):
    """What was read is altered in nothing but its artifacts."""
    calls = []

    @frozen
    class Checked:
        best: CitationArtifact = field(validator=lambda *args: calls.append(args))
        note: str = field(converter=lambda text: text + "!")

    result = settled(registry, Checked(written(), "once"))

    assert result.note == "once!"
    assert len(calls) == 1


def test_fields_off_the_wire_are_entered_too(registry):
    """No attribute is a hiding place."""

    @frozen
    class Hiding:
        hidden: Any = field(init=False, metadata=meta(ignore=True))

    hiding = Hiding()
    object.__setattr__(hiding, "hidden", written())

    assert settled(registry, hiding).hidden is registry.get(CITE)


def test_a_field_that_was_never_set_stays_so(registry):
    """A slot without a value is copied as such."""

    @frozen
    class Late:
        item: Any
        later: Any = field(init=False)

    with pytest.raises(AttributeError):
        settled(registry, Late(written())).later  # noqa: B018  reading it is the test


def test_plain_objects_and_scalars_are_left_alone(registry):
    """Only attrs classes, dataclasses and collections are looked into."""
    thing = object()

    assert settled(registry, [thing, "text", 1, None, dt.date(2024, 1, 1)])[0] is thing


# Sharing and cycles


def test_a_shared_object_stays_shared(registry):
    """Mutable or rebuilt, both places hold the same."""
    row, box = (written(),), HOLDERS["frozen slots"](written())

    result = settled(registry, [row, row, box, box])

    assert result[0] is result[1] is not row
    assert result[2] is result[3] is not box


@pytest.mark.parametrize("name", HOLDERS)
def test_an_object_that_contains_itself_is_settled(registry, name):
    """Through a list, or directly."""
    around = []
    answer = HOLDERS[name]([written(), around])
    around.append(answer)

    result = settled(registry, answer)

    assert result.item[0] is registry.get(CITE)
    assert result.item[1][0] is result


def test_a_frozen_object_may_hold_itself(registry):
    """Somebody set it past its class."""
    answer = HOLDERS["frozen slots"](None)
    object.__setattr__(answer, "item", (answer, written()))

    result = settled(registry, answer)

    assert result.item[0] is result
    assert result.item[1] is registry.get(CITE)


@pytest.mark.parametrize(
    "close", [tuple, lambda items: Pair(*items), lambda items: MappingProxyType(dict(enumerate(items)))]
)
def test_a_tuple_that_contains_itself_through_a_list_is_settled(registry, close):
    """The list holds the rebuilt tuple, also where another tuple stands between."""
    around = []
    row = close([around, written()])
    around += [row, (row,)]

    result = settled(registry, {"root": row})["root"]

    assert result[1] is registry.get(CITE)
    assert result[0][0] is result
    assert result[0][1][0] is result


def test_no_nesting_is_too_deep(registry):
    """The walk does not recurse."""
    answer: Any = written()
    for _ in range(50_000):
        answer = [(answer,)]

    result = settled(registry, answer)

    while isinstance(result, (list, tuple)):
        result = result[0]
    assert result is registry.get(CITE)


# Violations


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        (None, "found an artifact without a reference"),
        ("", "found an artifact without a reference"),
        (UNKNOWN, "found a reference that names nothing in the registry"),
        ("made up", "found a reference that names nothing in the registry"),
        (CODE, "found a reference to another kind of artifact"),
        (LINK, "found a reference to another kind of artifact"),
    ],
)
def test_a_violation_says_what_is_wrong_and_what_was_expected(registry, reference, words):
    """One line, with the place first."""
    _, violations = refused(registry, Verdict(written(reference)))

    assert violations == [f"best: {words}, expected the artifact_ref of CitationArtifact from the registry"]


BAD_PLACES = {
    "best": Verdict(written(UNKNOWN)),
    "cited[1]": Verdict(cited=[written(), written(UNKNOWN)]),
    "by_topic.crispr": Verdict(by_topic={"crispr": written(UNKNOWN)}),
    "pair[1]": Verdict(pair=("a", written(UNKNOWN))),
    "row[0]": Verdict(row=(written(UNKNOWN),)),
    "marks[0]": Verdict(marks={written(UNKNOWN, Mark)}),
    "cold_marks[*]": Verdict(cold_marks=frozenset([written(UNKNOWN, Mark), written(MARK, Mark)])),
    "either": Verdict(either=written(UNKNOWN)),
    "other_name": Verdict(renamed=written(UNKNOWN)),
    "data.a[0].best": Verdict(data={"a": [Verdict(written(UNKNOWN))]}),
    "data.2024-12-31": Verdict(data={dt.date(2024, 12, 31): written(UNKNOWN)}),
    "data.7": Verdict(data={7: written(UNKNOWN)}),
    "data[*]": Verdict(data={(1, 2): written(UNKNOWN)}),
    "the answer": written(UNKNOWN),
    "[0]": [written(UNKNOWN)],
}


@pytest.mark.parametrize(("place", "answer"), BAD_PLACES.items(), ids=BAD_PLACES)
def test_a_violation_names_the_place_by_its_wire_path(registry, place, answer):
    """As the model knows it; the order of a set is not known any more."""
    _, [line] = refused(registry, copy.deepcopy(answer))

    assert line.startswith(f"{place}: found ")


class Topic(enum.Enum):
    """An enumeration."""

    GENES = 1


def test_a_key_is_named_in_its_wire_form(registry):
    """A member of an enumeration by its name here, and None by nothing."""
    _, violations = refused(registry, {Topic.GENES: written(UNKNOWN), None: written(UNKNOWN)})

    assert [line.partition(":")[0] for line in violations] == ["GENES", "[*]"]


def test_every_violation_is_reported(registry):
    """Not only the first, in document order."""
    answer = Verdict(written(None), cited=[written(UNKNOWN), written(), written(None)])

    _, violations = refused(registry, answer)

    assert [line.partition(":")[0] for line in violations] == ["best", "cited[0]", "cited[2]"]


def test_a_violation_never_repeats_what_the_model_wrote(registry):
    """Neither the content nor the reference."""
    _, violations = refused(registry, [written(reference) for reference in (None, UNKNOWN, "made up")])

    assert not any(word in line for line in violations for word in (NEVER, "zzzzzz", "made up"))


def test_a_refused_place_is_left_empty(registry):
    """None, or no element and no entry: no content of the model's stays anywhere."""
    answer = Verdict(
        best=written(UNKNOWN),
        cited=[written(UNKNOWN), written()],
        by_topic={"a": written(UNKNOWN)},
        pair=("a", written(UNKNOWN)),
        marks={written(UNKNOWN, Mark), written(MARK, Mark)},
        data={written(UNKNOWN, Mark): 1, "kept": 2},
    )

    result, violations = refused(registry, answer)

    assert len(violations) == 6
    assert (result.best, result.cited[0], result.by_topic, result.pair) == (
        None,
        None,
        {"a": None},
        ("a", None),
    )
    assert result.marks == {registry.get(MARK)}
    assert result.data == {"kept": 2}


def test_a_refused_root_is_none(registry):
    """There is nothing to use."""
    assert refused(registry, written(UNKNOWN))[0] is None


def test_a_refused_key_does_not_hide_its_value(registry):
    """Both are looked at."""
    _, violations = refused(registry, {written(UNKNOWN, Mark): written(UNKNOWN)})

    assert [line.partition(":")[0] for line in violations] == ["[*]", "[*]"]


def test_an_artifact_that_cannot_be_hashed_is_refused_in_a_set(registry):
    """The registry's object may be of a class that no set can hold."""
    holder = Holder(artifact_ref="held-mark:heavy~aaaaaa")
    registry.register(holder)
    mark = written(holder.artifact_ref, Mark)

    result, violations = refused(registry, {"set": {mark}, "frozen": frozenset([(mark,)]), "map": {mark: 1}})

    assert result == {"set": set(), "frozen": frozenset(), "map": {}}
    assert [line.partition(":")[0] for line in violations] == ["set[0]", "frozen[0]", "map[*]"]


# What places declare


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Verdict(either=written(LINK)), "of CitationArtifact or CodeArtifact from"),
        (Verdict(cited=[written(CODE)]), "of LinkArtifact from"),
        (Verdict(any_kind=written(UNKNOWN)), "of an artifact from"),
        (Verdict(data=written(UNKNOWN)), "of an artifact from"),
        (Verdict(by_topic={"a": written(CODE)}), "of LinkArtifact from"),
        (Verdict(pair=("a", written(CODE))), "of LinkArtifact from"),
        (Verdict(row=(written(CODE),)), "of LinkArtifact from"),
    ],
)
def test_what_a_place_declares_is_what_a_violation_expects(registry, answer, words):
    """Items, values and members of unions have declarations of their own."""
    _, [line] = refused(registry, copy.deepcopy(answer))

    assert words in line


def test_a_subclass_of_what_is_declared_fits(registry):
    """A citation is a link."""
    assert settled(registry, Verdict(cited=[written(CITE, LinkArtifact)])).cited == [registry.get(CITE)]


@define
class Box(Generic[T]):
    """A generic class."""

    item: T
    more: list[T] = field(factory=list)


@define
class CiteBox(Box[CitationArtifact]):
    """A class that binds one."""


@define
class OpenBox(Box[T]):
    """A class that leaves one open."""


Named = NewType("Named", LinkArtifact)


@pytest.mark.parametrize(
    ("answer", "declared"),
    [
        (Box(written(CODE)), Box[CitationArtifact]),
        (Box("x", [written(CODE)]), Box[CitationArtifact] | None),
        (OpenBox(written(CODE)), Box[CitationArtifact]),
        (CiteBox(written(CODE)), None),
        ([written(CODE)], list[CitationArtifact]),
        ({"a": [written(CODE)]}, dict[str, list[CitationArtifact | None]]),
        ([written(CODE)], list[Named]),
        ([written(CODE)], list[Annotated[LinkArtifact, "note"]]),
        (written(CODE, LinkArtifact), None),
        ([{"a": written(CODE)}], list[dict[str, LinkArtifact] | list[CodeArtifact]]),
    ],
)
def test_what_was_asked_for_can_be_told(registry, answer, declared):
    """The class of a generic does not tell what it was bound to."""
    assert len(refused(registry, copy.deepcopy(answer), declared)[1]) == 1


@pytest.mark.parametrize(
    ("answer", "declared"),
    [
        (Box(written(CODE)), None),
        (Box(written(CODE)), Box[CitationArtifact] | Box[CodeArtifact]),
        ([written(CODE)], None),
        ((written(), written(CODE)), tuple[CitationArtifact]),
        ({"a": written(CODE)}, str),
        ([written(CODE)], complex),
        ([written(CODE)], list[str]),
    ],
)
def test_a_place_that_declares_no_class_takes_any_artifact(registry, answer, declared):
    """Where there is no telling, the registry's own object stands all the same."""
    settled(registry, copy.deepcopy(answer), declared)


def test_a_list_artifact_must_hold_what_its_place_declares(registry):
    """A list of code is no list of citations; an untyped place takes both."""
    lists = [ListArtifact(artifact_ref=CITES), ListArtifact(artifact_ref=CODES)]

    _, violations = refused(registry, list(lists), list[ListArtifact[CitationArtifact]])

    assert [line.partition(":")[0] for line in violations] == ["[1]"]
    assert settled(registry, list(lists), list[ListArtifact]) == [registry.get(CITES), registry.get(CODES)]


def test_a_class_that_cannot_be_described_is_entered_all_the_same(registry):
    """It may stand in untyped data; its attributes are named by the general rule."""

    @define
    class Odd:
        firstOne: "Nowhere"  # noqa: F821, N815

    result, [line] = refused(registry, [Odd(written(UNKNOWN)), Odd(written())])

    assert line.startswith("[0].first_one: ")
    assert result[1].firstOne is registry.get(CITE)


def test_a_shared_list_is_held_against_every_place_that_it_stands_in(registry):
    """One of them may declare something else."""
    links = [written(LINK, LinkArtifact)]

    @define
    class Twice:
        wide: list[LinkArtifact]
        narrow: list[CitationArtifact]

    result, [line] = refused(registry, Twice(links, links))

    assert line.startswith("narrow[0]: ")
    assert result.wide is result.narrow == [None]


# The whole way


def test_a_reply_ends_in_the_registrys_objects(registry):
    """However the model spells its references, and whatever it writes beside them."""
    reply = f"""
    I think so. {{"best": {{"@ref": "{CITE}", "title": "{NEVER}"}},
    "cited": ["link~bbbbbb", {{"artifact_ref": "{CITE}"}}],
    "either": "{CODE}", "marks": ["{MARK}", "{OTHER_MARK}"]}}
    """

    result = settled(registry, parse_llm_response(reply, Verdict))

    assert result.best is registry.get(CITE)
    assert result.cited == [registry.get(LINK), registry.get(CITE)]
    assert result.either is registry.get(CODE)
    assert {id(mark) for mark in result.marks} == {id(registry.get(MARK)), id(registry.get(OTHER_MARK))}


# The law

REFERENCES = st.sampled_from(
    [CITE, LINK, CODE, MARK, OTHER_MARK, CITES, CODES, UNKNOWN, "link:cite~AAAAAA", "artifact:code~cccccc"]
)
BY_REFERENCE = REFERENCES | st.one_of(
    st.fixed_dictionaries({name: REFERENCES}, optional={"title": st.just(NEVER), "text": st.just(NEVER)})
    for name in ("artifact_ref", "@ref", "artifactRef")
)
WRITTEN = BY_REFERENCE | st.just({"title": NEVER}) | st.just({"artifact_ref": None, "text": NEVER})
DATA = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.fixed_dictionaries({"artifact_ref": REFERENCES}),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
KEYS = st.sampled_from(["crispr", "a b", "Ä", "x.y"])
ARTIFACTS = [LinkArtifact, CitationArtifact, CodeArtifact, Mark, ListArtifact, ListArtifact[CitationArtifact]]

#: A place: its annotation, and what a model may write there.
leaf_places = st.one_of(
    *(st.just((cls, WRITTEN)) for cls in ARTIFACTS),
    st.just((Artifact, BY_REFERENCE)),
    st.just((CitationArtifact | CodeArtifact, BY_REFERENCE)),
    st.just((frozenset[Mark], st.lists(REFERENCES, max_size=3))),
    st.just((set[Mark], st.lists(REFERENCES, max_size=3))),
    st.just((Any, DATA)),
    st.just((str, st.text(max_size=5))),
)


def make_class(annotations, kind):
    """Return a new class with these fields."""
    fields = {f"field_{number}": annotation for number, annotation in enumerate(annotations)}
    if "dataclass" in kind:
        return dataclasses.make_dataclass("Part", list(fields.items()), frozen="frozen" in kind)
    attributes = {name: attrs.field(type=annotation) for name, annotation in fields.items()}
    return attrs.make_class("Part", attributes, frozen="frozen" in kind, slots="slots" in kind)


@st.composite
def class_places(draw, inner):
    """Return a place for a new class of any kind."""
    parts = draw(st.lists(inner, min_size=1, max_size=3))
    cls = make_class([annotation for annotation, _ in parts], draw(st.sampled_from(sorted(HOLDERS))))
    return cls, st.fixed_dictionaries({f"field_{n}": values for n, (_, values) in enumerate(parts)})


def deeper_places(inner):
    """Return places that hold *inner*."""
    return st.one_of(
        class_places(inner),
        inner.map(lambda place: (list[place[0]], st.lists(place[1], max_size=3))),
        inner.map(lambda place: (tuple[place[0], ...], st.lists(place[1], max_size=3))),
        st.tuples(inner, inner).map(
            lambda pair: (tuple[pair[0][0], pair[1][0]], st.tuples(pair[0][1], pair[1][1]).map(list))
        ),
        inner.map(lambda place: (dict[str, place[0]], st.dictionaries(KEYS, place[1], max_size=3))),
        inner.map(lambda place: (Optional[place[0]], st.none() | place[1])),
        inner.map(
            lambda place: (
                Box[place[0]],
                st.fixed_dictionaries({"item": place[1], "more": st.lists(place[1], max_size=2)}),
            )
        ),
    )


answers_and_replies = class_places(st.recursive(leaf_places, deeper_places, max_leaves=6)).flatmap(
    lambda place: st.tuples(st.just(place[0]), place[1])
)


def artifacts_in(obj, path=""):
    """Yield each artifact outside artifacts with its path, found in another way than the library does."""
    if isinstance(obj, Artifact):
        yield path, obj
        return
    for step, part in parts_of(obj):
        yield from artifacts_in(part, f"{path}{step}".lstrip("."))


def parts_of(obj):
    """Yield what an object holds, with the step to each part."""
    if attrs.has(type(obj)):
        yield from ((f".{field.name}", getattr(obj, field.name)) for field in attrs.fields(type(obj)))
    elif dataclasses.is_dataclass(obj):
        yield from ((f".{field.name}", getattr(obj, field.name)) for field in dataclasses.fields(obj))
    elif isinstance(obj, dict):
        yield from ((f".{key}", value) for key, value in obj.items())
    elif isinstance(obj, (set, frozenset)):
        yield from ((f"[{0 if len(obj) == 1 else '*'}]", item) for item in obj)
    elif isinstance(obj, (list, tuple)):
        yield from ((f"[{index}]", item) for index, item in enumerate(obj))


@given(answers_and_replies)
def test_every_artifact_is_the_registrys_own_or_a_violation_names_its_place(answer_and_reply):
    """For any class and any reply that reads: nothing that a model wrote takes an artifact's place."""
    cls, reply = answer_and_reply
    registry = make_registry()
    try:
        answer = parse(json.dumps(reply), cls)
    except MappingError:
        return
    before = [(path, artifact.artifact_ref) for path, artifact in artifacts_in(answer)]

    result, violations = refused(registry, answer, cls)

    after = list(artifacts_in(result))
    assert all(artifact is registry.get(artifact.artifact_ref) for _, artifact in after)
    kept = Counter(path.replace("[*]", "[0]") for path, _ in after)
    lines = Counter(line.partition(": found")[0].replace("[*]", "[0]") for line in violations)
    for path, reference in before:
        place = path.replace("[*]", "[0]")
        known = reference and (path, normalize_to_key(reference)) in [
            (at, it.artifact_ref) for at, it in after
        ]
        assert known or kept[place] or lines[place], path
    assert sum(lines.values()) <= len(before)
    assert NEVER not in write_compact(result)
    assert not any(NEVER in line for line in violations)
