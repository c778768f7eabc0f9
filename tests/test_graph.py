"""Object graphs: what is found in one, without running any code of the host's."""

import collections
import dataclasses
import enum
from types import MappingProxyType
from typing import Any

import pytest
from attrs import define, field, frozen

from nucleo_schema import Artifact, type_alias
from nucleo_schema._artifacts.graph import field_names, field_value, is_leaf_class, iter_artifacts


@type_alias("graph-note")
@define
class Note(Artifact):
    """An artifact that can hold others."""

    text: str | None = None
    inside: Any = None


@define
class Slotted:
    """A class with slots."""

    value: Any


@frozen(slots=False)
class Frozen:
    """A frozen class with a dict."""

    value: Any


@dataclasses.dataclass
class Data:
    """A dataclass."""

    value: Any


class Pair(collections.namedtuple("Pair", "left right")):  # noqa: PYI024, SLOT002
    """A named tuple."""


HOLDERS = {
    "slots": Slotted,
    "dict": Frozen,
    "dataclass": Data,
    "list": lambda value: [value],
    "tuple": lambda value: (1, value),
    "named tuple": lambda value: Pair("a", value),
    "deque": lambda value: collections.deque([value]),
    "user list": lambda value: collections.UserList([value]),
    "dict value": lambda value: {"key": value},
    "read-only map": lambda value: MappingProxyType({"key": value}),
    "ordered dict": lambda value: collections.OrderedDict(key=value),
}


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_an_artifact_is_found_in_every_kind_of_holder(hold):
    """Fields, items and values are walked, whatever holds them."""
    note = Note("here")

    assert list(iter_artifacts(hold(note))) == [note]


@type_alias("graph-mark")
@frozen
class Mark(Artifact):
    """An artifact that can stand in a set."""

    text: str = ""


@pytest.mark.parametrize("hold", [lambda it: {it}, lambda it: frozenset([it]), lambda it: {it: 1}])
def test_an_artifact_is_found_in_sets_and_as_a_key(hold):
    """Elements of sets and keys of maps are walked."""
    mark = Mark("here")

    assert list(iter_artifacts(hold(mark))) == [mark]


def test_artifacts_come_in_document_order():
    """Each comes before what it holds, fields in declaration order, items in theirs."""
    graph = Slotted([Note("1", [Note("2"), {"a": Note("3")}]), (Note("4"),)])

    assert [note.text for note in iter_artifacts(graph)] == ["1", "2", "3", "4"]


def test_an_object_that_is_met_twice_is_walked_once():
    """A shared artifact is yielded once."""
    note = Note("shared")

    assert list(iter_artifacts([note, note, (note,)])) == [note]


def test_a_cycle_comes_to_an_end():
    """An artifact that holds itself is yielded once."""
    note = Note("round")
    note.inside = [note]

    assert sum(1 for _ in iter_artifacts(note)) == 1


def test_no_nesting_is_too_deep():
    """The walk does not recurse."""
    graph: Any = Note("bottom")
    for _ in range(100_000):
        graph = [graph]

    assert [note.text for note in iter_artifacts(graph)] == ["bottom"]


def test_a_property_is_never_read():
    """A property that raises stands in nobody's way, even one that covers a field."""

    @define(slots=False)
    class Loud:
        quiet: Any = None

        @property
        def loud(self):
            raise AssertionError

    class Covered(Loud):
        @property
        def quiet(self):
            raise AssertionError

        @quiet.setter
        def quiet(self, value):
            self.__dict__["kept"] = value

    assert list(iter_artifacts([Loud(Note("in")), Covered(Note("out"))])) == [Note("in")]


def test_a_field_that_was_never_set_counts_as_none():
    """An attribute without a value is no error."""

    @define
    class Late:
        value: Any = field(init=False)

    assert field_value(Late(), "value") is None
    assert list(iter_artifacts(Late())) == []


@pytest.mark.parametrize("cls", [str, int, bytearray, enum.Enum, object, range, type])
def test_values_are_leaves(cls):
    """Scalars, enumerations, classes and plain objects are not looked into."""
    assert is_leaf_class(cls)


def test_the_reference_and_the_summaries_of_an_artifact_are_not_walked():
    """What every artifact has of its own is left out."""
    assert field_names(Note) == ("text", "inside")


def test_another_artifact_may_be_met_in_place_of_one():
    """The one that is given instead is walked, and one that is passed over is not."""
    stand_in, passed_over = Note("stand-in", Note("its own")), Note("passed over", Note("unseen"))

    def instead(note):
        return {"given": stand_in, "passed over": None}.get(note.text, note)

    found = iter_artifacts([Note("given", Note("lost")), passed_over], instead=instead)

    assert [note.text for note in found] == ["stand-in", "its own"]
