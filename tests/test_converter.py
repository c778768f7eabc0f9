"""The converter is a cattrs converter: what a host registers on it is honoured, and it fails as cattrs fails."""

# ruff: noqa: DTZ001  a text without an offset is a naive moment

import copy
import dataclasses
import json
import math
import pickle
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NewType, Optional, TypeVar, Union
from uuid import UUID

import attrs
import cattrs
import pytest
from attrs import define, field
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.preconf.json import make_converter as make_json_converter
from cattrs.preconf.orjson import make_converter as make_orjson_converter
from cattrs.strategies import configure_tagged_union, include_subclasses, use_class_methods

import nucleo_schema as ns
from nucleo_schema import meta
from nucleo_schema._read.reading import read_reply

T = TypeVar("T")


class Money:
    """A host's own type, which only the host knows how to read and write."""

    def __init__(self, cents):
        self.cents = cents

    def __eq__(self, other):
        return isinstance(other, Money) and self.cents == other.cents

    def __hash__(self):
        return hash(self.cents)

    def __repr__(self):
        return f"Money({self.cents})"


class Status(Enum):
    PLACED = "placed"
    LOST = "lost"


@define
class Point:
    x: int
    y: int = 0


@define
class Line:
    start: Point
    points: list[Point] = field(factory=list)
    by_name: dict[str, Point] = field(factory=dict)
    end: Point | None = None


@define
class Box(Generic[T]):
    item: T
    more: list[T] = field(factory=list)


@dataclasses.dataclass
class Data:
    price: Money
    points: list[Point] = dataclasses.field(default_factory=list)


CONVERTERS = {
    "made": ns.make_converter,
    "made without details": lambda: ns.make_converter(detailed_validation=False),
    "configured": lambda: _configured(cattrs.Converter()),
    "configured without details": lambda: _configured(cattrs.Converter(detailed_validation=False)),
    "a copy": lambda: ns.make_converter().copy(),
}


def _configured(converter):
    """Return *converter* with our hooks, whether configuring returns it or not."""
    ns.configure_converter(converter)
    return converter


@pytest.fixture(params=CONVERTERS.values(), ids=CONVERTERS)
def converter(request):
    """Return a fresh converter."""
    return request.param()


def read_money(value, _):
    """Read what write_money writes."""
    if not isinstance(value, str) or not value.startswith("$"):
        raise ValueError("no money")
    return Money(int(value[1:]))


def write_money(money):
    """Write money with a sign of our own."""
    return f"${money.cents}"


def holder(annotation):
    """Return a class with one field, v."""
    return attrs.make_class("Holder", {"v": attrs.field(type=annotation)})


# --- a host's own type --------------------------------------------------------------------------------------

REGISTRATIONS = {
    "hooks": lambda converter: (
        converter.register_structure_hook(Money, read_money),
        converter.register_unstructure_hook(Money, write_money),
    ),
    "predicates": lambda converter: (
        converter.register_structure_hook_func(lambda cls: cls is Money, read_money),
        converter.register_unstructure_hook_func(lambda cls: cls is Money, write_money),
    ),
    "factories": lambda converter: (
        converter.register_structure_hook_factory(lambda cls: cls is Money, lambda _: read_money),
        converter.register_unstructure_hook_factory(lambda cls: cls is Money, lambda _: write_money),
    ),
    "factories that take the converter": lambda converter: (
        converter.register_structure_hook_factory(
            lambda cls: cls is Money, lambda _cls, _converter: read_money
        ),
        converter.register_unstructure_hook_factory(
            lambda cls: cls is Money, lambda _cls, _converter: write_money
        ),
    ),
}

PLACES = [
    (Money, lambda value: value),
    (Optional[Money], lambda value: value),
    (list[Money], lambda value: [value, value]),
    (list[Optional[Money]], lambda value: [value, None]),
    (dict[str, Money], lambda value: {"a": value}),
    (dict[str, list[Money]], lambda value: {"a": [value]}),
    (tuple[Money, ...], lambda value: (value, value)),
    (tuple[Money, int], lambda value: (value, 1)),
    (frozenset[Money], lambda value: frozenset({value})),
    (set[Money], lambda value: {value}),
    (Box[Money], lambda value: Box(value, [value])),
    (list[Box[Money]], lambda value: [Box(value)]),
    (Data, Data),
    (Annotated[Money, "final"], lambda value: value),
    (Optional[list[dict[str, Optional[Money]]]], lambda value: [{"a": value, "b": None}]),
]


@pytest.mark.parametrize("register", REGISTRATIONS.values(), ids=REGISTRATIONS)
@pytest.mark.parametrize(("form", "wrap"), PLACES, ids=lambda value: str(value)[:40])
def test_a_host_s_type_is_read_and_written_at_any_depth(converter, register, form, wrap):
    """Hooks, predicates and factories: in a field, in every container, in generics and dataclasses."""
    register(converter)
    for target, value in ((form, wrap(Money(5))), (holder(form), None)):
        original = value if value is not None else target(wrap(Money(5)))
        tree = converter.unstructure(original)
        assert "$5" in json.dumps(tree)
        assert "Money" not in json.dumps(tree)
        assert converter.structure(tree, target) == original


@pytest.mark.parametrize("form", [Any, dict[str, Any], list[Any], object], ids=str)
def test_a_host_s_type_is_written_in_untyped_data(converter, form):
    """Untyped data is written by what it holds."""
    REGISTRATIONS["hooks"](converter)
    value = {dict[str, Any]: {"a": Money(5)}, list[Any]: [Money(5)]}.get(form, Money(5))

    assert "$5" in json.dumps(converter.unstructure(holder(form)(value)))
    assert "$5" in json.dumps(converter.unstructure({"a": [(value,)]}))


def test_a_host_s_key_type_is_read_and_written(converter):
    """Keys of a map go through the hooks of their type."""
    REGISTRATIONS["hooks"](converter)
    tree = converter.unstructure(holder(dict[Money, int])({Money(5): 1}))

    assert tree == {"v": {"$5": 1}}
    assert converter.structure(tree, dict[str, dict[Money, int]]) == {"v": {Money(5): 1}}


def test_a_host_s_type_without_hooks_is_refused(converter):
    """Nobody can read or write what nobody taught."""
    with pytest.raises(Exception, match=r"."):
        converter.structure({"v": "$5"}, holder(Money))


class Price:
    """A type for hooks on the converter of the module functions."""

    def __init__(self, cents):
        self.cents = cents

    def __eq__(self, other):
        return isinstance(other, Price) and self.cents == other.cents


@define
class Bill:
    total: Price
    parts: list[Price] = field(factory=list)
    by_name: dict[str, Price | None] = field(factory=dict)
    anything: Any = None


def test_hooks_on_the_module_s_converter_serve_the_module_s_functions():
    """parse, parse_llm_response, convert and every write mode use them."""

    def read(value, _):
        if not isinstance(value, str):
            raise TypeError("no price")
        return Price(int(value[1:]))

    ns.converter.register_structure_hook(Price, read)
    ns.converter.register_unstructure_hook(Price, lambda price: f"€{price.cents}")
    bill = Bill(Price(5), [Price(6)], {"a": Price(7), "b": None})
    text = ns.write(bill)

    assert json.loads(text) == {"total": "€5", "parts": ["€6"], "by_name": {"a": "€7", "b": None}}
    assert ns.parse(text, Bill) == bill
    assert ns.parse("/**/" + text, Bill) == bill
    assert ns.parse_llm_response("Well, " + text, Bill) == bill
    assert ns.convert(bill, Bill) == bill
    assert json.loads(ns.write_summarized(Bill(Price(1), anything=[Price(2)])))["anything"] == ["€2"]
    assert json.loads(ns.write_summarized_with_refs({"a": Price(3)}, ns.ArtifactRegistry())) == {"a": "€3"}
    with pytest.raises(ns.MappingError) as caught:
        ns.parse('{"total": 5, "parts": ["€x", "€1", 7]}', Bill)
    assert {problem.path for problem in caught.value.problems} == {"total", "parts[0]", "parts[2]"}


class Secret(str):
    """A text that a host never shows."""

    __slots__ = ()


class Labels(list):
    """A list that a host writes in a way of its own."""


class Counts(dict):
    """A dict that a host writes in a way of its own."""


class Cents(int):
    """A number that a host writes in a way of its own."""


class Colour(Enum):
    RED = "red"


#: A class, how a host writes it, and where its values stand: the declared form, what is there, what is written.
OWN_KINDS = [
    (
        Secret,
        lambda _: "***",
        [
            (list[str], [Secret("pw")], ["***"]),
            (tuple[str, ...], (Secret("pw"),), ["***"]),
            (dict[str, str], {"k": Secret("pw")}, {"k": "***"}),
            (Optional[list[str]], [Secret("pw")], ["***"]),
            (str | int, Secret("pw"), "***"),
            (str, Secret("pw"), "***"),
            (Any, [Secret("pw")], ["***"]),
        ],
    ),
    (
        Labels,
        ",".join,
        [
            (list[str], Labels(["a", "b"]), "a,b"),
            (list[list[str]], [Labels(["a", "b"])], ["a,b"]),
            (dict[str, list[str]], {"k": Labels(["a", "b"])}, {"k": "a,b"}),
            (Any, {"k": Labels(["a", "b"])}, {"k": "a,b"}),
        ],
    ),
    (
        Counts,
        sorted,
        [
            (dict[str, int], Counts(b=1, a=2), ["a", "b"]),
            (list[dict[str, int]], [Counts(b=1, a=2)], [["a", "b"]]),
            (Any, Counts(b=1, a=2), ["a", "b"]),
        ],
    ),
    (
        Cents,
        lambda value: f"{int(value)}c",
        [
            (int, Cents(5), "5c"),
            (list[int], [Cents(5)], ["5c"]),
            (dict[str, int], {"k": Cents(5)}, {"k": "5c"}),
            (int | str, Cents(5), "5c"),
            (list[Any], [Cents(5)], ["5c"]),
        ],
    ),
    (
        Colour,
        lambda _: "R",
        [
            (str, Colour.RED, "R"),
            (list[str], [Colour.RED], ["R"]),
            (dict[str, str], {"k": Colour.RED}, {"k": "R"}),
            (list[Colour], [Colour.RED], ["R"]),
            (Any, Colour.RED, "R"),
        ],
    ),
]


# --- a host's hooks for what we know too --------------------------------------------------------------------


def read_point(value, _):
    """Read a point from text of a host's own."""
    if isinstance(value, str):
        x, y = value.split(";")
        return Point(int(x), int(y))
    raise ValueError("no point")


def test_a_host_s_hook_for_a_composite_is_honoured(converter):
    """At the root and at any depth, reading and writing."""
    converter.register_structure_hook(Point, read_point)
    converter.register_unstructure_hook(Point, lambda point: f"{point.x};{point.y}")
    line = Line(Point(1, 2), [Point(3, 4)], {"a": Point(5, 6)}, Point(7, 8))
    tree = {"start": "1;2", "points": ["3;4"], "by_name": {"a": "5;6"}, "end": "7;8"}

    assert converter.unstructure(line) == tree
    assert converter.structure(tree, Line) == line
    assert converter.unstructure([Point(1, 2), {"a": Point(3, 4)}]) == ["1;2", {"a": "3;4"}]
    assert converter.structure(["1;2"], list[Point]) == [Point(1, 2)]
    assert converter.structure({"item": "1;2"}, Box[Point]) == Box(Point(1, 2))
    assert converter.structure("1;2", Optional[Point]) == Point(1, 2)
    assert converter.unstructure(holder(Any)({"k": [Point(1, 2)]})) == {"v": {"k": ["1;2"]}}


LEAVES = [
    (int, lambda value, _: int(value, 16), lambda value: f"{value:x}", 255, "ff"),
    (str, lambda value, _: value.upper(), lambda value: value.lower(), "AB", "ab"),
    (float, lambda value, _: float(value[1:]), lambda value: f"~{value}", 1.5, "~1.5"),
    (bool, lambda value, _: value == "on", lambda value: "on" if value else "off", True, "on"),
    (
        date,
        lambda value, _: date.fromordinal(value),
        lambda value: value.toordinal(),
        date(2024, 1, 1),
        738886,
    ),
    (
        datetime,
        lambda value, _: datetime(*value),
        lambda value: list(value.timetuple()[:6]),
        datetime(2024, 1, 1, 10),
        [2024, 1, 1, 10, 0, 0],
    ),
    (
        Decimal,
        lambda value, _: Decimal(value["d"]),
        lambda value: {"d": str(value)},
        Decimal("1.10"),
        {"d": "1.10"},
    ),
    (UUID, lambda value, _: UUID(int=value), lambda value: value.int, UUID(int=5), 5),
    (bytes, lambda value, _: bytes.fromhex(value), lambda value: value.hex(), b"\x01", "01"),
    (Path, lambda value, _: Path(*value), lambda value: list(value.parts), Path("a/b"), ["a", "b"]),
    (Status, lambda value, _: list(Status)[value], lambda value: list(Status).index(value), Status.LOST, 1),
]


@pytest.mark.parametrize(
    ("leaf", "read", "write", "value", "wire"), LEAVES, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_host_s_hook_for_a_leaf_is_honoured(converter, leaf, read, write, value, wire):
    """Even for the types that we read ourselves, in fields and in containers."""
    converter.register_structure_hook(leaf, read)
    converter.register_unstructure_hook(leaf, write)
    for form, wrap in (
        (leaf, lambda item: item),
        (Optional[leaf], lambda item: item),
        (list[leaf], lambda item: [item, item]),
        (tuple[leaf, ...], lambda item: [item]),
        (dict[str, leaf], lambda item: {"AB": item} if leaf is str else {"a": item}),
        (list[Optional[leaf]], lambda item: [item, None]),
    ):
        tree = {"v": wrap(wire)}
        instance = holder(form)(converter.structure(wrap(wire), form))
        assert converter.structure(tree, holder(form)).v == instance.v
        if leaf is not str or form != dict[str, leaf]:
            assert json.loads(json.dumps(converter.unstructure(instance))) == tree
    assert converter.structure({"v": wire}, holder(leaf)).v == value


def test_a_hook_that_is_registered_later_wins(converter):
    """Also after the class was read and written: nothing old stays behind."""
    line = Line(Point(1, 2), [Point(3, 4)])
    assert converter.structure(converter.unstructure(line), Line) == line

    converter.register_structure_hook(Point, read_point)
    converter.register_unstructure_hook(Point, lambda point: f"{point.x};{point.y}")
    assert converter.unstructure(line)["points"] == ["3;4"]
    assert converter.structure({"start": "1;2", "points": ["3;4"]}, Line) == line

    converter.register_structure_hook(Point, lambda *_: Point(0))
    converter.register_unstructure_hook(Point, lambda _: "point")
    assert converter.unstructure(line) == {"start": "point", "points": ["point"], "by_name": {}}
    assert converter.structure({"start": "1;2"}, Line) == Line(Point(0))


def test_a_hook_of_one_converter_is_nothing_to_another():
    """Converters share nothing."""
    first, second = ns.make_converter(), ns.make_converter()
    first.register_structure_hook(Point, read_point)
    first.register_unstructure_hook(Point, lambda _: "point")

    assert second.structure({"start": {"x": "1"}}, Line) == Line(Point(1))
    assert second.unstructure(Line(Point(1))) == {"start": {"x": 1, "y": 0}, "points": [], "by_name": {}}
    assert json.loads(ns.write(Point(1))) == {"x": 1, "y": 0}


Celsius = NewType("Celsius", float)


def test_a_hook_for_a_new_type_is_honoured(converter):
    """A NewType has hooks of its own and leaves its base alone."""
    converter.register_structure_hook(Celsius, lambda value, _: float(value.removesuffix("C")))

    assert converter.structure({"v": ["20C"]}, holder(list[Celsius])).v == [20.0]
    assert converter.structure({"v": "20"}, holder(float)).v == 20.0


def test_a_hook_for_a_union_is_honoured(converter):
    """A host decides what its union means."""
    form = Union[int, str]
    converter.register_structure_hook(form, lambda value, _: f"<{value}>")

    assert converter.structure({"v": 5}, holder(form)).v == "<5>"
    assert converter.structure([5], list[form]) == ["<5>"]


def test_a_hook_for_a_generic_is_honoured(converter):
    """One parametrization has a hook, the other has not."""
    converter.register_structure_hook_func(lambda cls: cls == Box[int], lambda value, _: Box(value * 2))

    assert converter.structure(5, Box[int]) == Box(10)
    assert converter.structure({"v": 5}, holder(Box[int])).v == Box(10)
    assert converter.structure({"item": "5"}, Box[str]) == Box("5")


def test_a_hook_for_the_class_of_a_generic_writes_it_with_any_arguments(converter):
    """An object is written by its own class, whatever the declaration says of it."""
    converter.register_unstructure_hook(Box, lambda box: f"<{box.item}>")

    assert converter.unstructure(holder(Box[int])(Box(5))) == {"v": "<5>"}
    assert converter.unstructure(holder(list[Box[int]])([Box(5)])) == {"v": ["<5>"]}


def test_a_predicate_of_a_host_goes_before_ours(converter):
    """A later predicate is asked first, as with every cattrs converter."""
    converter.register_structure_hook_func(attrs.has, lambda value, cls: (cls.__name__, value))
    converter.register_unstructure_hook_func(attrs.has, lambda value: type(value).__name__)

    assert converter.structure({"a": 1}, Point) == ("Point", {"a": 1})
    assert converter.unstructure(Line(Point(1))) == "Line"
    assert converter.unstructure([Point(1)]) == ["Point"]


def test_cattrs_functions_of_a_host_use_our_hooks_for_the_fields(converter):
    """make_dict_structure_fn with overrides: the fields are read and written by our coercions."""
    converter.register_structure_hook(
        Line, make_dict_structure_fn(Line, converter, start=override(rename="from"), end=override(omit=True))
    )
    converter.register_unstructure_hook(
        Line,
        make_dict_unstructure_fn(Line, converter, start=override(rename="from"), end=override(omit=True)),
    )

    assert converter.structure({"from": {"x": "1"}, "points": [{"x": 2.0}]}, Line) == Line(
        Point(1), [Point(2)]
    )
    assert converter.unstructure(Line(Point(1)))["from"] == {"x": 1, "y": 0}


def test_hooks_are_offered_as_cattrs_offers_them(converter):
    """get_structure_hook and get_unstructure_hook give what structures and unstructures."""
    assert converter.get_structure_hook(Point)({"x": "1"}, Point) == Point(1)
    assert converter.get_unstructure_hook(Point)(Point(1)) == {"x": 1, "y": 0}
    assert converter.get_structure_hook(list[Point])([{"x": "1"}], list[Point]) == [Point(1)]


def test_a_hook_may_call_the_hook_before_it(converter):
    """A host wraps what is there."""
    before = converter.get_structure_hook(Point)
    converter.register_structure_hook(Point, lambda value, cls: before({"x": value["x"], "y": 9}, cls))

    assert converter.structure({"start": {"x": "1"}}, Line) == Line(Point(1, 9))


# --- errors as cattrs raises them ---------------------------------------------------------------------------

BAD = {"start": {"y": 1}, "points": [{"x": "one"}, {"x": 1}, 5], "by_name": {"a": {"x": 1.5}}}


def test_structuring_raises_what_cattrs_raises_with_details():
    """Groups of cattrs, which cattrs.transform_error understands."""
    with pytest.raises(cattrs.ClassValidationError) as caught:
        ns.make_converter().structure(BAD, Line)
    lines = cattrs.transform_error(caught.value)

    for path in ("$.start", "$.points[0]", "$.points[2]", "$.by_name"):
        assert any(path in line for line in lines), lines
    assert len(lines) >= 4
    assert not isinstance(caught.value, ns.NucleoError)


def test_a_list_raises_what_cattrs_raises_with_details():
    """The group of an iterable."""
    with pytest.raises(cattrs.IterableValidationError) as caught:
        ns.make_converter().structure([1, "x", None], list[int])
    lines = cattrs.transform_error(caught.value)

    assert any("$[1]" in line for line in lines)
    assert any("$[2]" in line for line in lines)


def test_structuring_raises_the_bare_error_without_details():
    """Without detailed validation there are no groups."""
    converter = ns.make_converter(detailed_validation=False)
    for value, target in (
        (BAD, Line),
        (["x"], list[int]),
        ({"a": "x"}, dict[str, int]),
        ("x", int),
        ({}, Point),
    ):
        with pytest.raises(Exception, match=r".") as caught:
            converter.structure(value, target)
        assert not isinstance(caught.value, (cattrs.BaseValidationError, ns.NucleoError))


def test_an_error_of_a_host_s_hook_passes_through():
    """Without details, what the hook raises is what comes out."""

    class HostError(Exception):
        pass

    def fail(*_):
        raise HostError("host")

    converter = ns.make_converter(detailed_validation=False)
    converter.register_structure_hook(Money, fail)
    with pytest.raises(HostError):
        converter.structure({"v": [1]}, holder(list[Money]))

    detailed = ns.make_converter()
    detailed.register_structure_hook(Money, fail)
    with pytest.raises(cattrs.ClassValidationError) as caught:
        detailed.structure({"v": 1}, holder(Money))
    assert caught.group_contains(HostError)


def test_attribute_converters_are_preferred_where_the_host_says_so():
    """The same for prefer_attrib_converters."""

    @define
    class Converted:
        x: int = field(converter=lambda value: len(str(value)))

    assert ns.make_converter(prefer_attrib_converters=True).structure({"x": "12345"}, Converted) == Converted(
        "12345"
    )


# --- strategies ---------------------------------------------------------------------------------------------


@define
class Animal:
    name: str


@define
class Cat(Animal):
    lives: int


@define
class Dog(Animal):
    tricks: list[str]


@define
class Puppy(Dog):
    months: int


@define
class Home:
    pets: list[Animal] = field(factory=list)
    main: Optional[Animal] = None
    by_name: dict[str, Animal] = field(factory=dict)


HOME = Home(
    [Cat("a", 9), Dog("b", ["roll"]), Animal("c"), Puppy("d", [], 3)], Cat("e", 1), {"f": Dog("f", [])}
)


def test_subclasses_are_included(converter):
    """include_subclasses: what is declared as the base reads back as the subclass."""
    include_subclasses(Animal, converter)

    assert converter.structure(converter.unstructure(HOME), Home) == HOME
    assert converter.structure({"name": "x", "lives": "3"}, Animal) == Cat("x", 3)


def test_subclasses_are_included_with_a_tag(converter):
    """include_subclasses with a tagged union."""
    include_subclasses(Animal, converter, union_strategy=configure_tagged_union)
    tree = converter.unstructure(HOME)

    assert [pet["_type"] for pet in tree["pets"]] == ["Cat", "Dog", "Animal", "Puppy"]
    assert converter.structure(tree, Home) == HOME


@define
class Kennel:
    pet: Cat | Dog
    pets: list[Cat | Dog] = field(factory=list)


def test_a_union_is_tagged(converter):
    """configure_tagged_union: the tag is written and decides on reading."""
    configure_tagged_union(
        Cat | Dog, converter, tag_name="kind", tag_generator=lambda cls: cls.__name__.lower()
    )
    kennel = Kennel(Cat("a", 9), [Dog("b", ["x"]), Cat("c", 1)])
    tree = converter.unstructure(kennel)

    assert tree["pet"]["kind"] == "cat"
    assert [pet["kind"] for pet in tree["pets"]] == ["dog", "cat"]
    assert converter.structure(tree, Kennel) == kennel
    assert converter.structure({"kind": "cat", "name": "x", "lives": "2", "tricks": []}, Cat | Dog) == Cat(
        "x", 2
    )


@define
class Methodical:
    x: int

    @classmethod
    def _structure(cls, data):
        return cls(data["the_x"] + 1)

    def _unstructure(self):
        return {"the_x": self.x - 1}


def test_class_methods_are_used(converter):
    """use_class_methods: the methods read and write, at any depth."""
    use_class_methods(converter, "_structure", "_unstructure")
    held = holder(Methodical)
    for form, value in (
        (Methodical, Methodical(5)),
        (list[Methodical], [Methodical(5)]),
        (dict[str, Optional[Methodical]], {"a": Methodical(5), "b": None}),
        (held, held(Methodical(5))),
    ):
        tree = converter.unstructure(value)
        assert '{"the_x": 4}' in json.dumps(tree)
        assert converter.structure(tree, form) == value


@pytest.mark.parametrize("base", [make_json_converter, make_orjson_converter], ids=["json", "orjson"])
def test_a_preconfigured_converter_is_configured(base):
    """Our hooks on a host's preconfigured converter: our wire rules hold."""
    converter = base()
    ns.configure_converter(converter)
    line = Line(Point(1), [Point(2)], {"a": Point(3)})

    assert converter.loads(converter.dumps(line), Line) == line
    assert converter.structure({"start": {"x": "1"}}, Line) == Line(Point(1))


# --- unstructuring ------------------------------------------------------------------------------------------


@define
class Everything:
    when: datetime = datetime(2024, 1, 2, 3)
    day: date = date(2024, 1, 2)
    span: timedelta = timedelta(hours=1)
    price: Decimal = Decimal("1.10")
    key: UUID = UUID(int=5)
    raw: bytes = b"hi"
    path: Path = Path("a/b")
    status: Status = Status.LOST
    ratio: float = math.nan
    ratios: list[float] = field(factory=lambda: [math.inf, 1.5])
    words: frozenset[str] = frozenset({"b", "a"})
    pair: tuple[int, date] = (1, date(2024, 1, 2))
    by_day: dict[date, Status] = field(factory=lambda: {date(2024, 1, 2): Status.PLACED})
    anything: Any = field(
        factory=lambda: {"k": [date(2024, 1, 2), Status.LOST, math.nan, Point(1), {1, 2}, (3,)]}
    )
    nothing: int | None = None
    big: int = 2**100
    secret: str = field(default="s", metadata=meta(ignore=True))
    _private: int = 4
    named: int = field(default=5, metadata=meta(name="Named"))


def _check_plain(value):
    """Check that *value* is what json.dumps takes as it is, all the way down."""
    if type(value) is dict:
        for key, item in value.items():
            assert type(key) is str
            _check_plain(item)
    elif type(value) is list:
        for item in value:
            _check_plain(item)
    else:
        assert value is None or type(value) in (str, int, float, bool)
        assert not isinstance(value, float) or math.isfinite(value)


def test_unstructuring_gives_plain_data(converter):
    """Dicts with text keys, lists, text, numbers, booleans and None: ready for any JSON writer."""
    tree = converter.unstructure(Everything())
    _check_plain(tree)

    assert json.loads(json.dumps(tree, allow_nan=False)) == tree
    assert tree == ns.value_to_tree(Everything())
    assert tree == json.loads(ns.write(Everything()))
    assert "secret" not in tree
    assert "nothing" not in tree
    assert (tree["private"], tree["Named"], tree["ratio"]) == (4, 5, "NaN")


@pytest.mark.parametrize(
    "value",
    [
        [Everything()],
        {"a": Everything()},
        (Point(1), {Status.LOST: Point(2)}),
        {1, 2},
        math.nan,
        Status.LOST,
        date(2024, 1, 2),
        {date(2024, 1, 2): b"x"},
        {"a": {"b": [math.inf]}},
        frozenset({UUID(int=1)}),
    ],
    ids=lambda value: str(value)[:20],
)
def test_anything_is_unstructured_to_plain_data(converter, value):
    """Also what stands in no class."""
    _check_plain(converter.unstructure(value))


def test_unstructuring_as_a_base_loses_nothing(converter):
    """An object is written by its own class, not by the declared one."""
    cat = Cat("a", 9)

    assert converter.unstructure(cat, unstructure_as=Animal) == {"name": "a", "lives": 9}
    assert converter.unstructure([cat], unstructure_as=list[Animal]) == [{"name": "a", "lives": 9}]
    assert converter.unstructure({"k": cat}, unstructure_as=dict[str, Animal]) == {
        "k": {"name": "a", "lives": 9}
    }


def test_structuring_reads_by_the_rules_of_reading(converter):
    """Coercions, stand-in names, defaults."""
    tree = {"Start": {"X": "1.0"}, "points": '[{"x": 1}]', "by_name": None, "end": None}

    assert converter.structure(tree, Line) == Line(Point(1), [Point(1)])
    for target, value in (
        (int, True),
        (int, 1.5),
        (int, "x"),
        (str, []),
        (bool, 2),
        (list[str], "a"),
        (date, 5),
    ):
        with pytest.raises(Exception, match=r"."):
            converter.structure(value, target)


def test_structuring_leaves_echoes_to_the_replies(converter):
    """Echoes are for parse_llm_response only."""
    with pytest.raises(Exception, match=r"."):
        converter.structure({"@fields": {"x": 1}}, Point)


def test_what_the_converter_writes_it_reads(converter):
    """Round trip of everything typed, as with any cattrs converter."""
    everything = Everything(ratio=1.5, anything=None)

    assert converter.structure(converter.unstructure(everything), Everything) == everything


def test_plain_cattrs_converters_stay_as_they_are():
    """Nothing is registered on the converter that cattrs shares."""
    assert cattrs.structure({"x": 1.9}, Point) == Point(1)
    assert cattrs.unstructure(Everything())["when"] == datetime(2024, 1, 2, 3)


def test_configuring_twice_changes_nothing():
    """Hooks on hooks are the same hooks."""
    converter = ns.make_converter()
    ns.configure_converter(converter)

    assert converter.structure(converter.unstructure(Line(Point(1), [Point(2)])), Line) == Line(
        Point(1), [Point(2)]
    )


def test_two_hundred_levels_are_structured_and_unstructured(converter):
    """The converter by itself is as deep as the verbs."""

    @define
    class Nested:
        child: Any = None

    tree: Any = {}
    for _ in range(200):
        tree = {"child": tree}
    assert converter.unstructure(converter.structure(tree, Nested)) == tree


# --- processes and threads ----------------------------------------------------------------------------------


def test_instances_and_errors_pickle():
    """What was read crosses processes, and so does what was refused."""
    line = ns.parse('{"start": {"x": 1}, "points": [{"x": 2}]}', Line)
    assert pickle.loads(pickle.dumps(line)) == line

    errors = []
    for action in (
        lambda: ns.parse(json.dumps(BAD), Line),
        lambda: ns.parse("{", Line),
        lambda: ns.parse("", list[int]),
        lambda: ns.extract_json("nothing"),
        lambda: ns.write(Money(1)),
        lambda: ns.ResponseContract(Line).read("{}"),
        lambda: ns.ResponseContract(Line).read("nothing"),
        lambda: ns.describe(holder(complex)),
    ):
        with pytest.raises(ns.NucleoError) as caught:
            action()
        errors.append(caught.value)
    for error in errors:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(error, protocol))
            assert type(again) is type(error)
            assert str(again) == str(error)
            assert again.args == error.args
        assert str(copy.copy(error)) == str(error)


def test_threads_build_hooks_once_and_read_alike():
    """Classes that nobody has seen, read and written by many threads on one converter."""
    for number in range(8):
        leaf = attrs.make_class(
            f"Leaf{number}", {"a": attrs.field(type=int), "b": attrs.field(type=Optional[str], default=None)}
        )
        middle = attrs.make_class(
            f"Middle{number}", {"leaf": attrs.field(type=leaf), "leaves": attrs.field(type=list[leaf])}
        )
        top = attrs.make_class(
            f"Top{number}",
            {"middle": attrs.field(type=dict[str, middle]), "u": attrs.field(type=leaf | middle)},
        )
        converter = ns.make_converter()
        tree = {
            "middle": {"k": {"leaf": {"a": "1"}, "leaves": [{"a": 2.0, "b": "x"}]}},
            "u": {"leaf": {"a": 3}, "leaves": "[]"},
        }
        expected = top({"k": middle(leaf(1), [leaf(2, "x")])}, middle(leaf(3), []))
        barrier = threading.Barrier(10)

        def work(_, barrier=barrier, converter=converter, tree=tree, top=top):
            barrier.wait()
            value = converter.structure(tree, top)
            return value, converter.unstructure(value), json.dumps(ns.json_schema(top))

        with ThreadPoolExecutor(10) as pool:
            results = list(pool.map(work, range(10)))
        assert [value for value, _, _ in results] == [expected] * 10
        assert len({json.dumps(written) for _, written, _ in results}) == 1
        assert len({schema for _, _, schema in results}) == 1


def test_threads_that_register_hooks_do_not_disturb_threads_that_read():
    """A host may teach the converter a type while others use it."""
    converter = ns.make_converter()
    stop, wrong = threading.Event(), []

    def read():
        while not stop.is_set():
            try:
                if converter.structure({"start": {"x": "1"}, "points": [{"x": 2}]}, Line) != Line(
                    Point(1), [Point(2)]
                ):
                    wrong.append("value")
            except Exception as error:  # noqa: BLE001
                wrong.append(error)
                return

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(200):
        cls = type(f"Own{number}", (), {})
        converter.register_structure_hook(cls, lambda value, _: value)
        converter.register_unstructure_hook(cls, lambda value: value)
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


@define
class Tagged:
    kind: Literal["a", "b"]


def test_literals_are_structured_by_the_rules_of_reading(converter):
    """Wire form, in another case too, and nothing else."""
    assert converter.structure({"kind": "A"}, Tagged) == Tagged("a")
    with pytest.raises(Exception, match=r"."):
        converter.structure({"kind": "c"}, Tagged)


@define
class Shut:
    number: int
    long_name: int = 1


@define
class Shelf:
    shut: Shut
    more: list[Shut] = field(factory=list)


@pytest.mark.parametrize("detailed", [True, False])
def test_members_that_no_class_declares_are_refused_where_the_host_forbids_them(detailed):
    """With cattrs' own error; what stands in for a declared member is none of them."""
    converter = ns.make_converter(forbid_extra_keys=True, detailed_validation=detailed)

    read = converter.structure({"shut": {"number": 1, "longName": 2}}, Shelf)
    with pytest.raises(ForbiddenExtraKeysError) if not detailed else pytest.raises(ClassValidationError):
        converter.structure({"shut": {"number": 1, "nubmer": 2}}, Shelf)

    assert read == Shelf(Shut(1, 2))


def test_each_class_names_the_members_that_it_does_not_declare():
    """Beside all else that is wrong."""
    converter = ns.make_converter(forbid_extra_keys=True)
    value = {"shut": {"number": "x", "a": 1}, "more": [{"number": 1, "b": 2, "c": 3}], "d": 4}

    with pytest.raises(ClassValidationError) as raised:
        converter.structure(value, Shelf)

    told = [line.replace("(c, b)", "(b, c)") for line in cattrs.transform_error(raised.value)]
    assert sorted(told) == [  # the oldest cattrs that will do gives them in no order
        "extra fields found (a) @ $.shut",
        "extra fields found (b, c) @ $.more[0]",
        "extra fields found (d) @ $",
        "invalid value for type, expected int @ $.shut.number",
    ]


def test_notation_is_no_member_of_a_reply():
    """A model may repeat the notation of the schema beside its answer."""
    converter = ns.make_converter(forbid_extra_keys=True)
    reply = '{"shut": {"@type": "Shut", "number": 1}, "@description": "A shelf"}'

    assert read_reply(converter, reply, Shelf) == Shelf(Shut(1))
    with pytest.raises(ns.MappingError) as raised:
        read_reply(converter, '{"shut": {"number": 1, "a": 2}}', Shelf)
    (problem,) = raised.value.problems
    assert (problem.path, problem.message) == (
        "shut",
        "found unknown members a, expected only long_name, number",
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("omit_if_default", True),
        ("unstruct_strat", cattrs.UnstructureStrategy.AS_TUPLE),
        ("unstruct_collection_overrides", {set: list}),
        ("dict_factory", OrderedDict),
    ],
)
def test_an_option_that_the_wire_rules_overrule_is_refused(option, value):
    """Nothing that a host asks for is passed over in silence."""
    with pytest.raises(ns.InvalidInputError, match=f"found {option}="):
        ns.make_converter(**{option: value})


def test_an_option_at_its_default_is_as_good_as_left_out():
    """A host may spell it out."""
    converter = ns.make_converter(omit_if_default=False, detailed_validation=False)

    assert converter.structure({"x": 1}, Point) == Point(1)


def test_an_option_that_cattrs_does_not_know_is_refused_by_cattrs():
    """With the error that Python has for it."""
    with pytest.raises(TypeError, match="no_such_option"):
        ns.make_converter(no_such_option=1)


@define
class Dated:
    day: date
    moment: datetime | None = None
    tags: set[int] = field(factory=set)
    data: bytes = b""


@pytest.mark.parametrize("make", [make_json_converter, make_orjson_converter])
def test_a_preconfigured_converter_follows_our_rules_once_it_is_configured(make):
    """Its own hooks, which stand there before, give way."""
    converter = ns.configure_converter(make())

    read = converter.loads(
        '{"day": "31.12.2024", "moment": "Dec 31, 2024", "tags": [2, 1], "data": "YQ=="}', Dated
    )
    written = converter.dumps(read)

    assert read == Dated(date(2024, 12, 31), datetime(2024, 12, 31), {1, 2}, b"a")
    assert json.loads(written) == {
        "day": "2024-12-31",
        "moment": "2024-12-31T00:00:00",
        "tags": [1, 2],
        "data": "YQ==",
    }


def test_the_attribute_s_converter_is_given_what_the_reader_would_refuse():
    """Where the host prefers the converters of attributes, nothing is read before them."""

    @define
    class Converted:
        length: int = field(converter=len)

    converter = ns.make_converter(prefer_attrib_converters=True)

    assert converter.structure({"length": "many"}, Converted) == Converted("many")


def test_a_host_s_hook_for_text_reads_the_keys_of_maps_too():
    """A key is text like any other."""
    converter = ns.make_converter()
    converter.register_structure_hook(str, lambda value, _: value.upper())

    assert converter.structure({"a": "b"}, dict[str, str]) == {"A": "B"}


def test_only_what_is_needed_is_called_missing():
    """What has a default is not."""
    with pytest.raises(ValueError, match=r"missing day in") as raised:
        ns.make_converter(detailed_validation=False).structure({}, Dated)

    assert "moment" not in str(raised.value)
