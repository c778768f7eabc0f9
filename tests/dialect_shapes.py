"""
Annotations that nest whatever a dialect changes, each with values and what a model writes for them.

What is written is made here beside the value, by the rules of the documentation and by no code of the
library: so a test of both is no test of itself.
"""

from __future__ import annotations

import json
from datetime import date
from enum import Enum
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

import attrs
from attrs import define, field
from hypothesis import strategies as st

from nucleo_schema import register_leaf

__all__ = [
    "ABSENT",
    "Shape",
    "Written",
    "mandatory",
    "maybe",
    "register_hooks",
    "shapes",
    "written_object",
]


class Written(NamedTuple):
    """A value, the tree of JSON values that it is canonically, and the one that it is in a dialect."""

    value: Any
    canonical: Any
    tree: Any


class Shape(NamedTuple):
    """An annotation, and a function from a draw and a dialect to something ``Written``."""

    annotation: Any
    give: Any


NULL = Written(None, None, None)
ABSENT = Written(None, None, ...)  # nothing stands there
_TEXTS = st.text("ab1", max_size=2) | st.sampled_from(
    ["null", "[]", "{}", "true", '"a"', "1", "[1]", '{"a":1}']
)
_NAMES = st.text("ab1", min_size=1, max_size=2)
_DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | _TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAMES | st.just("key"), inner, max_size=2),
    max_leaves=4,
)


class Mood(Enum):
    GOOD = "good"
    BAD = "1"


T = TypeVar("T")


@define
class Pair:
    key: str
    value: int


@define
class Cat:
    kind: Literal["cat"] = "cat"
    lives: int = 9


@define
class Dog:
    kind: Literal["dog"] = "dog"
    lives: int = 1
    tricks: dict[str, Any] = field(factory=dict)


@define
class Noted:
    name: str
    notes: Any = None
    extra: Any = 3


@define
class Box(Generic[T]):
    item: T
    labelled: dict[str, T] = field(factory=dict)
    spare: T | None = None


@define
class Tree:
    name: str
    by_name: dict[str, Tree] = field(factory=dict)
    children: list[Tree] = field(factory=list)
    next: Tree | None = None
    data: Any = None


@attrs.frozen
class Parcel:
    """A host's own type, which keeps what its hook is handed."""

    data: Any


@define
class Crate:
    """A class of ours that a host reads itself."""

    name: str
    marks: dict[str, Any] = field(factory=dict)
    inner: Crate | None = None


#: Alternatives that a host reads itself.
HOSTED = Parcel | dict[str, Any] | None
PARCEL_SCHEMA = {
    "type": "object",
    "properties": {
        "size": {"type": "integer"},
        "marks": {"type": "object", "additionalProperties": {"type": "array"}},
        "note": {},
        "weight": {"anyOf": [{"type": "number"}, {"type": "object"}, {"type": "null"}]},
    },
    "required": ["size"],
}


def register_hooks(converter):
    """Read some of the types by hooks of a host, which keep what they are handed."""
    converter.register_structure_hook(Parcel, lambda data, _: Parcel({"size": data["size"], **data}))
    converter.register_structure_hook(Crate, lambda data, _: Parcel({"name": data["name"], **data}))
    converter.register_structure_hook(HOSTED, lambda data, _: Parcel(data))
    register_leaf(Parcel, "parcel", PARCEL_SCHEMA)


def _scalar(annotation, values, written=lambda value: value):
    def give(draw, _dialect):
        value = draw(values)
        return Written(value, written(value), written(value))

    return Shape(annotation, give)


def _untyped(draw, dialect):
    value = draw(_DATA)
    return Written(value, value, json.dumps(value) if dialect.untyped == "text" else value)


UNTYPED = Shape(Any, _untyped)


def written_object(make, dialect, **members):
    """Return an instance with its trees: what is ABSENT takes its default."""
    given = {name: member for name, member in members.items() if member is not ABSENT}
    needed = [] if make is dict else [at.name for at in attrs.fields(make) if at.default is attrs.NOTHING]
    values = {name: member.value for name, member in members.items() if name in {*given, *needed}}
    tree = {name: member.tree for name, member in given.items()}
    if dialect.all_required:
        tree = {name: tree.get(name) for name in members}
    return Written(make(**values), {name: member.canonical for name, member in given.items()}, tree)


def maybe(draw, dialect, shape):
    """Return what an optional member holds, which may be nothing."""
    return shape.give(draw, dialect) if draw(st.booleans()) else ABSENT


def mandatory(draw, dialect, shape):
    """Return what a member without a default holds: where it may be null, null and its absence are one."""
    given = shape.give(draw, dialect)
    return ABSENT if given.value is None and type(None) in get_args(shape.annotation) else given


NUMBER = _scalar(int, st.integers(0, 2))
NAME = _scalar(str, _TEXTS)


def _can_be_absent(dialect):
    """Return whether untyped data can be left out: null is data where it is not written as a text."""
    return not dialect.all_required or dialect.untyped == "text"


def _pair(draw, dialect):
    return written_object(Pair, dialect, key=NAME.give(draw, dialect), value=NUMBER.give(draw, dialect))


def _cat(draw, dialect):
    return written_object(Cat, dialect, kind=Written(*["cat"] * 3), lives=maybe(draw, dialect, NUMBER))


def _dog(draw, dialect):
    parts = {"lives": NUMBER, "tricks": _mapped(UNTYPED)}
    members = {name: maybe(draw, dialect, shape) for name, shape in parts.items()}
    return written_object(Dog, dialect, kind=Written(*["dog"] * 3), **members)


def _noted(draw, dialect):
    extra = (maybe if _can_be_absent(dialect) else mandatory)(draw, dialect, UNTYPED)
    notes = maybe(draw, dialect, UNTYPED)
    return written_object(Noted, dialect, name=NAME.give(draw, dialect), notes=notes, extra=extra)


def _tree(draw, dialect, depth=2):
    inner = Shape(Tree, lambda draw, dialect: _tree(draw, dialect, depth - 1))
    parts = {"by_name": _mapped(inner), "children": _listed(inner), "next": inner, "data": UNTYPED}
    members = {name: maybe(draw, dialect, shape) if depth else ABSENT for name, shape in parts.items()}
    return written_object(Tree, dialect, name=NAME.give(draw, dialect), **members)


def _handed(written):
    """Return what a hook of a host makes: it keeps the canonical form."""
    return written._replace(value=Parcel(written.canonical))


def _parcel(draw, dialect):
    weight = draw(st.sampled_from([NUMBER, _mapped(UNTYPED)]))
    parts = {"marks": _mapped(_listed(UNTYPED)), "note": UNTYPED, "weight": weight}
    choose = maybe if _can_be_absent(dialect) else mandatory
    members = {name: choose(draw, dialect, shape) for name, shape in parts.items()}
    if dialect.all_required and members["weight"] is ABSENT:
        members["weight"] = NULL  # it admits null, so null says nothing of its absence
    return _handed(written_object(dict, dialect, size=NUMBER.give(draw, dialect), **members))


def _crate(draw, dialect, depth=1):
    inner = Shape(Crate, lambda draw, dialect: _crate(draw, dialect, 0))
    members = {
        "marks": maybe(draw, dialect, _mapped(UNTYPED)),
        "inner": maybe(draw, dialect, inner) if depth else ABSENT,
    }
    if dialect.all_required and members["inner"] is ABSENT:
        members["inner"] = NULL
    return written_object(dict, dialect, name=NAME.give(draw, dialect), **members)


def _hosted(draw, dialect):
    alternatives = [_parcel, _mapped(UNTYPED).give, lambda *_: NULL]
    return _handed(draw(st.sampled_from(alternatives))(draw, dialect))


def _listed(inner):
    def give(draw, dialect):
        items = [inner.give(draw, dialect) for _ in range(draw(st.integers(0, 2)))]
        return Written(*([item[index] for item in items] for index in range(3)))

    return Shape(list[inner.annotation], give)


def _mapped(inner):
    def give(draw, dialect):
        items = {name: inner.give(draw, dialect) for name in draw(st.sets(_TEXTS, max_size=2))}
        value, canonical, tree = ({name: item[index] for name, item in items.items()} for index in range(3))
        if dialect.maps == "entries":
            return Written(value, canonical, [{"key": name, "value": item} for name, item in tree.items()])
        return Written(value, canonical, tree)

    return Shape(dict[str, inner.annotation], give)


def _paired(one, other):
    def give(draw, dialect):
        pair = one.give(draw, dialect), other.give(draw, dialect)
        value, canonical, tree = ([part[index] for part in pair] for index in range(3))
        return Written(tuple(value), canonical, tree)

    return Shape(tuple[one.annotation, other.annotation], give)


def _either(one, other):
    def give(draw, dialect):
        return draw(st.sampled_from([one, other])).give(draw, dialect)

    return Shape(one.annotation | other.annotation, give)


def _optional(inner):
    def give(draw, dialect):
        return inner.give(draw, dialect) if draw(st.booleans()) else NULL

    return Shape(inner.annotation | None, give)


def _boxed(inner):
    def give(draw, dialect):
        spare = ABSENT if inner.annotation is Any else maybe(draw, dialect, inner)
        members = {
            "item": mandatory(draw, dialect, inner),
            "labelled": maybe(draw, dialect, _mapped(inner)),
            "spare": ABSENT if spare.value is None else spare,
        }
        return written_object(Box, dialect, **members)

    return Shape(Box[inner.annotation], give)


_SIMPLE = [
    _scalar(int, st.integers(-2, 2)),
    _scalar(str, _TEXTS),
    _scalar(bool, st.booleans()),
    _scalar(float, st.sampled_from([0.5, -1.5])),
    _scalar(date, st.dates(), date.isoformat),
    _scalar(Mood, st.sampled_from(Mood), lambda mood: mood.value),
    _scalar(Literal["a", 1], st.sampled_from(["a", 1])),
    UNTYPED,
    Shape(Pair, _pair),
    _either(Shape(Cat, _cat), Shape(Dog, _dog)),
    Shape(Dog, _dog),
    Shape(Noted, _noted),
    Shape(Tree, _tree),
    Shape(Parcel, _parcel),
    Shape(Crate, lambda draw, dialect: _handed(_crate(draw, dialect))),
    Shape(HOSTED, _hosted),
]


@st.composite
def _twins(draw, inner):
    """Build alternatives that are alike but for what they hold."""
    hold = draw(
        st.sampled_from([_listed, _mapped, lambda shape: _paired(UNTYPED, shape), _optional_in_a_list])
    )
    one, other = draw(inner), draw(inner)
    if draw(st.booleans()):
        one, other = _listed(one), _listed(other)
    return _either(hold(one), hold(other))


def _optional_in_a_list(shape):
    return _listed(shape if shape.annotation is Any else _optional(shape))


def shapes(depth):
    """Build annotations that nest so deep, each with what gives its values."""
    simple = st.sampled_from(_SIMPLE)
    if not depth:
        return simple
    inner = shapes(depth - 1)
    typed = inner.filter(lambda shape: shape.annotation is not Any)
    return (
        simple
        | st.builds(_listed, inner)
        | st.builds(_mapped, inner)
        | st.builds(_paired, inner, inner)
        | st.builds(_either, typed, typed)
        | st.builds(_optional, typed)
        | st.builds(_boxed, inner)
        | _twins(inner)
    )
