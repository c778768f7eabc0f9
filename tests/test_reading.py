"""What the model wrote becomes an instance of the class, or a refusal that names everything wrong with it."""

import contextlib
import dataclasses
import json
import pickle
import threading
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, ClassVar, Generic, Literal, Optional, TypeVar, Union

import attr
import attrs
import pytest
from attrs import Factory, define, field, frozen, validators

import nucleo_schema as ns
from nucleo_schema import SchemaError, meta

T = TypeVar("T")
U = TypeVar("U")


class Status(Enum):
    PLACED = "placed"
    IN_TRANSIT = "in transit"


@define
class Order:
    number: str
    quantity: int = 1


@define
class Answer:
    reply: str
    orders: list[Order] = field(factory=list)
    main: Order | None = None
    by_day: dict[str, Order] = field(factory=dict)
    extra: Any = None
    tags: dict[str, Any] = field(factory=dict)


@define
class Node:
    name: str = ""
    child: Optional["Node"] = None
    children: list["Node"] = field(factory=list)
    by_name: dict[str, "Node"] = field(factory=dict)


ORDER = {"number": "A-1", "quantity": 2}

READERS = {
    "quick": lambda tree, target: ns.parse(json.dumps(tree), target),
    "careful": lambda tree, target: ns.parse("/* messy */" + json.dumps(tree), target),
    "bytes": lambda tree, target: ns.parse(json.dumps(tree, ensure_ascii=False).encode(), target),
    "reply": lambda tree, target: ns.parse_llm_response("So: " + json.dumps(tree) + " (done)", target),
    "messy reply": lambda tree, target: ns.parse_llm_response(
        "It's # " + json.dumps(tree, indent=1) + "//", target
    ),
    "convert": ns.convert,
}

every_reader = pytest.mark.parametrize("read", READERS.values(), ids=READERS)


def reply(tree, target):
    """Read *tree* as a model would have written it."""
    return ns.parse_llm_response("Here: " + json.dumps(tree), target)


def refusal(read, *arguments):
    """Return the paths and messages of what was refused."""
    with pytest.raises(ns.MappingError) as caught:
        read(*arguments)
    return {problem.path: problem.message for problem in caught.value.problems}


# --- echoes -------------------------------------------------------------------------------------------------

ECHOES = {
    "the name of the class": {"Order": ORDER},
    "the schema's shape": {"@fields": ORDER},
    "the whole notation": {"@type": "Order", "@description": "One order", "@fields": ORDER},
    "the notation under the name": {"Order": {"@type": "Order", "@fields": ORDER}},
    "notation among the members": {"@type": "Order", "number": "A-1", "@required": True, "quantity": 2},
    "unknown members beside the fields": {"note": "x", "@fields": ORDER},
    "members beside the fields": {"number": "B-9", "quantity": 7, "@fields": ORDER},
}


@pytest.mark.parametrize("tree", ECHOES.values(), ids=ECHOES)
def test_an_echo_is_read_as_the_instance(tree):
    """One key with the class's name, or the members under @fields."""
    assert reply(tree, Order) == Order("A-1", 2)


@pytest.mark.parametrize("tree", ECHOES.values(), ids=ECHOES)
@pytest.mark.parametrize(
    ("wrap", "unwrap"),
    [
        (lambda tree: {"reply": "x", "main": tree}, lambda answer: answer.main),
        (lambda tree: {"reply": "x", "orders": [tree]}, lambda answer: answer.orders[0]),
        (lambda tree: {"reply": "x", "by_day": {"mon": tree}}, lambda answer: answer.by_day["mon"]),
        (lambda tree: {"@fields": {"reply": "x", "main": tree}}, lambda answer: answer.main),
        (
            lambda tree: {"Answer": {"@fields": {"reply": "x", "orders": [ORDER, tree]}}},
            lambda answer: answer.orders[1],
        ),
    ],
    ids=["field", "list", "map", "echo in an echo", "echo in a named echo"],
)
def test_an_echo_is_read_at_every_depth(tree, wrap, unwrap):
    """Wherever a composite is expected, elements of containers too."""
    assert unwrap(reply(wrap(tree), Answer)) == Order("A-1", 2)


@pytest.mark.parametrize("tree", [{"Order": ORDER}, {"@fields": ORDER}], ids=["name", "fields"])
@pytest.mark.parametrize("read", [READERS["quick"], READERS["careful"], READERS["convert"]])
def test_echoes_are_for_replies_only(read, tree):
    """Clean JSON has no echoes: the number is missing there."""
    assert set(refusal(read, tree, Order)) == {"number"}


def test_a_list_of_echoes_is_read():
    """The elements of a list that is the target itself are composites too."""
    assert reply([{"Order": ORDER}, {"@fields": ORDER}], list[Order]) == [Order("A-1", 2)] * 2


@define
class Title:
    title: str = "none"
    other: int = 0


@define
class Envelope:
    Envelope: dict[str, Any]


@define
class Named:
    named: dict[str, Any] = field(factory=dict)
    x: int = 0


@define
class Renamed:
    inner: dict[str, Any] = field(factory=dict, metadata=meta(name="Renamed"))
    x: int = 0


def test_a_key_that_is_a_member_is_no_echo():
    """The class's name as the name of one of its members is that member."""
    assert reply({"Renamed": {"x": 1}}, Renamed) == Renamed({"x": 1}, 0)


def test_a_key_that_stands_in_for_a_member_is_no_echo():
    """A key that becomes a member's name by the rule of names is that member."""
    assert reply({"Named": {"x": 1}}, Named) == Named({"x": 1}, 0)


@pytest.mark.parametrize(
    "tree",
    [
        {"Order": ORDER, "x": 1},
        {"order": ORDER},
        {"ORDER": ORDER},
        {"Orders": ORDER},
        {"Order": "A-1"},
        {"Order": [ORDER]},
    ],
)
def test_what_is_nearly_an_echo_is_none(tree):
    """Two keys, another spelling, or no object under it: the number is missing, and nothing is taken for it."""
    assert "number" in refusal(reply, tree, Order)


@pytest.mark.parametrize("fields", [None, 5, "x", [], [{"a": 1}], True, "not json"])
def test_fields_that_are_no_object_leave_no_default_instance(fields):
    """Where @fields stands, it is the instance: a class that can do without all its members is refused too."""
    assert refusal(reply, {"@fields": fields}, Defaults)
    assert refusal(reply, {"@type": "Defaults", "@fields": fields}, Defaults)
    assert refusal(reply, [{"@fields": fields}], list[Defaults])


def test_fields_in_a_text_that_is_their_json_are_read_or_refused():
    """A twice encoded instance under @fields is not dropped in silence."""
    try:
        value = reply({"@fields": '{"a": 1}'}, Defaults)
    except ns.MappingError:
        return
    assert value == Defaults(1)


def test_an_echo_is_unwrapped_once():
    """A name inside a name is an unknown member."""
    assert "number" in refusal(reply, {"Order": {"Order": {"Order": ORDER}}}, Order)


@pytest.mark.parametrize("fields", [None, 5, "x", [ORDER], True])
def test_fields_that_are_no_object_are_no_instance(fields):
    """Under @fields stands an object, and anything else is refused."""
    assert refusal(reply, {"@fields": fields}, Order)


def test_notation_in_untyped_data_is_data():
    """Keys such as @id and @fields survive where anything is expected."""
    data = {"@id": 1, "@fields": {"@type": "x"}, "@ref": "y", "Order": {"@fields": {}}}
    answer = reply({"reply": "x", "extra": data, "tags": data}, Answer)

    assert answer.extra == data
    assert answer.tags == data
    assert reply(data, Any) == data
    assert reply(data, dict[str, Any]) == data
    assert reply([data], list[dict[str, Any]]) == [data]


def test_keys_of_a_map_are_no_notation():
    """The keys of a map are data, whatever they look like."""
    assert reply({"@fields": 1, "@type": 2}, dict[str, int]) == {"@fields": 1, "@type": 2}
    assert reply({"reply": "x", "by_day": {"@monday": ORDER}}, Answer).by_day == {"@monday": Order("A-1", 2)}


def test_problems_inside_an_echo_are_at_the_wire_paths():
    """The path is that of the instance, without the wrapping."""
    tree = {
        "Answer": {"@fields": {"reply": "x", "orders": [{"@fields": {"number": "1", "quantity": "two"}}]}}
    }

    assert set(refusal(reply, tree, Answer)) == {"orders[0].quantity"}


# --- names --------------------------------------------------------------------------------------------------


@define
class Names:
    orders_looked_up: list[str] = field(factory=list)
    score: int | None = None
    second: int | None = field(default=None, metadata=meta(name="Second"))
    _private: int = 0
    aliased: int = field(default=0, alias="other")


@every_reader
@pytest.mark.parametrize("name", ["orders_looked_up", "ordersLookedUp", "OrdersLookedUp"])
def test_a_member_stands_in_for_the_name_it_becomes(read, name):
    """A name in another case is the declared one."""
    assert read({name: ["A"]}, Names) == Names(["A"])


@every_reader
def test_a_capital_stands_in_too(read):
    """Score is score."""
    assert read({"Score": 5}, Names).score == 5


@every_reader
def test_the_declared_name_wins_over_a_stand_in(read):
    """Where the member itself is there, the other one is unknown and ignored, in either order."""
    assert read({"ordersLookedUp": ["B"], "orders_looked_up": ["A"]}, Names).orders_looked_up == ["A"]
    assert read({"orders_looked_up": ["A"], "ordersLookedUp": ["B"]}, Names).orders_looked_up == ["A"]
    assert read({"orders_looked_up": ["A"], "ordersLookedUp": 7}, Names).orders_looked_up == ["A"]


@every_reader
def test_two_stand_ins_are_a_problem(read):
    """Which of two is meant is not guessed."""
    assert list(refusal(read, {"ordersLookedUp": ["A"], "OrdersLookedUp": ["B"]}, Names)) == [
        "orders_looked_up"
    ]


@every_reader
def test_a_null_stand_in_is_null(read):
    """A stand-in that is null is a null member."""
    assert read({"OrdersLookedUp": None, "Score": None}, Names) == Names()


@every_reader
def test_a_private_attribute_travels_without_its_underscore(read):
    """_private is private on the wire, and an alias for the constructor changes nothing there."""
    names = read({"private": 3, "aliased": 4}, Names)

    assert (names._private, names.aliased) == (3, 4)
    assert read({"_other": 3, "other": 4}, Names) == Names()


@every_reader
def test_a_stated_name_is_the_name(read):
    """meta(name=...) is the wire name as it is."""
    assert read({"Second": 2}, Names).second == 2


@define
class Confusable:
    a_b: int = 0
    other: int = field(default=0, metadata=meta(name="aB"))


@every_reader
def test_a_declared_member_stands_in_for_no_other(read):
    """A member that a field declares under exactly that name is its own."""
    assert read({"aB": 1}, Confusable) == Confusable(0, 1)


@every_reader
def test_the_path_of_a_stand_in_is_a_name_of_the_field(read):
    """What is wrong with a stand-in is found under its field."""
    assert len(refusal(read, {"Score": "many"}, Names)) == 1


WORDS = [
    "cls",
    "value",
    "values",
    "data",
    "instance",
    "result",
    "res",
    "errors",
    "error",
    "problems",
    "path",
    "key",
    "converter",
    "name",
    "type",
    "mapping",
    "tree",
    "obj",
    "o",
    "e",
    "d",
    "f",
    "get",
    "append",
    "int",
    "str",
    "list",
    "dict",
    "set",
    "tuple",
    "bool",
    "float",
    "len",
    "isinstance",
    "None_",
    "Any",
    "default",
    "defaults",
    "missing",
    "reader",
    "readers",
    "hook",
    "hooks",
    "structure",
    "target",
    "field",
    "fields",
    "kwargs",
    "args",
    "init",
    "object",
    "id",
    "hash",
    "items",
    "keys",
    "copy",
    "update",
    "x0",
    "v0",
    "f0",
    "c0",
    "m0",
    "s0",
    "k0",
    "r0",
    "t0",
    "n0",
    "p0",
    "i0",
    "exc",
    "Exception",
    "TypeError",
    "KeyError",
    "ValueError",
    "attrs",
    "attr",
    "re",
    "json",
]


def test_no_attribute_name_disturbs_reading_or_writing():
    """Whatever the attributes are called, each holds its own value."""
    plain = attrs.make_class("Plain", {name: attrs.field(type=int) for name in WORDS})
    defaulted = attrs.make_class("Defaulted", {name: attrs.field(type=int, default=7) for name in WORDS})
    for cls in (plain, defaulted):
        wire = [definition.wire_name for definition in ns.describe(cls).fields.values()]
        tree = {name: index for index, name in enumerate(wire)}
        for read in READERS.values():
            assert list(attrs.asdict(read(tree, cls)).values()) == list(tree.values())
        assert json.loads(ns.write(ns.convert(tree, cls))) == tree
        refused = refusal(ns.convert, dict.fromkeys(wire, "x"), cls)
        assert set(refused) == set(wire)


HOSTILE_NAMES = [
    *('a"b', "a'b", "a\\", "a\nb", "a\r", "{a}", "%s", "a.b", "a[0]", "a b", "é", "名", "😀", "\x00"),
    *(
        "'''",
        '"""',
        "\\'",
        "{0}",
        "__class__",
        "__init__",
        "__dict__",
        "import os",
        "class",
        "None",
        "True",
        "a" * 5_000,
    ),
    *("@x", "$ref", "#", "//", "/*", "-", "1"),
]


@every_reader
@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=lambda name: ascii(name)[:20])
def test_any_text_is_a_wire_name(read, name):
    """A stated name is data and never code."""
    cls = attrs.make_class("Hostile", {"inside": attrs.field(type=int, default=0, metadata=meta(name=name))})

    if not name.startswith("@") or read not in (READERS["reply"], READERS["messy reply"]):
        assert read({name: 5}, cls).inside == 5
    assert json.loads(ns.write(cls(5))) == {name: 5}
    assert len(refusal(read, {name: "five"}, cls)) == 1 or name.startswith("@")


def test_a_declared_member_that_looks_like_notation_is_not_lost():
    """A class may declare a member with such a name, and what stands there is not dropped in silence."""
    cls = attrs.make_class("Linked", {"id": attrs.field(type=int, default=0, metadata=meta(name="@id"))})
    try:
        value = reply({"@id": 5}, cls)
    except ns.NucleoError:
        return
    assert value.id == 5


# --- absent, null, default ----------------------------------------------------------------------------------


def holder(annotation, **arguments):
    """Return a class with one field, v."""
    return attrs.make_class("Holder", {"v": attrs.field(type=annotation, **arguments)})


ABSENT = {
    "a default": (holder(int, default=5), 5, 5),
    "a falsy default": (holder(int, default=0), 0, 0),
    "a default factory": (holder(list[int], factory=list), [], []),
    "a factory that takes the instance": (
        holder(list[int], default=Factory(lambda _: [1], takes_self=True)),
        [1],
        [1],
    ),
    "a default of None": (holder(int, default=None), None, None),
    "optional": (holder(Optional[int]), None, None),
    "optional with a default of None": (holder(Optional[int], default=None), None, None),
    "optional with another default": (holder(Optional[int], default=5), 5, None),
    "optional with a factory": (holder(Optional[list[int]], factory=list), [], None),
    "any": (holder(Any, default=5), 5, None),
    "a union with None": (holder(Union[int, str, None]), None, None),
    "an integer not required": (holder(int, metadata=meta(required=False)), 0, 0),
    "a number not required": (holder(float, metadata=meta(required=False)), 0.0, 0.0),
    "a boolean not required": (holder(bool, metadata=meta(required=False)), False, False),
    "a width not required": (holder(ns.Int32, metadata=meta(required=False)), 0, 0),
    "a text not required": (holder(str, metadata=meta(required=False)), None, None),
    "a list not required": (holder(list[int], metadata=meta(required=False)), None, None),
    "a map not required": (holder(dict[str, int], metadata=meta(required=False)), None, None),
    "a date not required": (holder(date, metadata=meta(required=False)), None, None),
    "an enum not required": (holder(Status, metadata=meta(required=False)), None, None),
    "a class not required": (holder(Order, metadata=meta(required=False)), None, None),
    "a decimal not required": (holder(Decimal, metadata=meta(required=False)), None, None),
    "an optional not required": (holder(Optional[int], metadata=meta(required=False)), None, None),
    "a default not required": (holder(int, default=5, metadata=meta(required=False)), 5, 5),
    "a required default": (holder(int, default=5, metadata=meta(required=True)), 5, 5),
    "a required default of None": (
        holder(Optional[str], default=None, metadata=meta(required=True)),
        None,
        None,
    ),
    "a required text with a default": (holder(str, default="x", metadata=meta(required=True)), "x", "x"),
}


@every_reader
@pytest.mark.parametrize(("cls", "absent", "null"), ABSENT.values(), ids=ABSENT)
def test_absent_and_null_are_what_the_declaration_says(read, cls, absent, null):
    """A default stays, an optional is None, what is not required is the zero of its type."""
    for tree, expected in (({}, absent), ({"v": None}, null), ({"other": 1}, absent)):
        value = read(tree, cls).v
        assert value == expected
        assert type(value) is type(expected)


@every_reader
@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, "integer"),
        (str, "string"),
        (float, "number"),
        (bool, "boolean"),
        (list[int], "array"),
        (dict[str, int], "object"),
        (Order, "Order"),
        (date, "date"),
        (Status, "placed"),
        (Union[int, str], ""),
        (Decimal, ""),
    ],
    ids=str,
)
@pytest.mark.parametrize("tree", [{}, {"v": None}], ids=["absent", "null"])
def test_what_cannot_be_done_without_is_a_problem(read, annotation, expected, tree):
    """No default, not optional, not declared as not required: the text says that it is missing."""
    for arguments in ({}, {"metadata": meta(required=True)}):
        refused = refusal(read, tree, holder(annotation, **arguments))
        assert list(refused) == ["v"]
        assert expected in refused["v"]
        if not tree:
            assert refused["v"].startswith("missing, expected ")


@every_reader
def test_a_missing_text_is_said_to_be_missing(read):
    """The words of the contract."""
    assert refusal(read, {}, attrs.make_class("Book", {"title": attrs.field(type=str)})) == {
        "title": "missing, expected string"
    }


@every_reader
@pytest.mark.parametrize("annotation", [int, float, ns.Int64, date, datetime])
def test_empty_text_is_null(read, annotation):
    """An empty text for a number or a date is as null: default, None, zero, or missing."""
    zero = 0 if annotation in (int, ns.Int64) else 0.0 if annotation is float else None
    one = ns.convert("2024-12-31" if annotation in (date, datetime) else 1, annotation)

    assert read({"v": ""}, holder(annotation, default=one)).v == one
    assert read({"v": ""}, holder(Optional[annotation], default=one)).v is None
    assert read({"v": ""}, holder(annotation, metadata=meta(required=False))).v == zero
    assert list(refusal(read, {"v": ""}, holder(annotation))) == ["v"]
    assert list(refusal(read, {"v": [""]}, holder(list[annotation]))) == ["v[0]"]
    assert read({"v": [""]}, holder(list[Optional[annotation]])).v == [None]


@every_reader
def test_a_field_off_the_wire_is_not_read(read):
    """ignore=True and init=False keep a field at what its class gives it."""

    @define
    class Hidden:
        shown: int = 0
        hidden: int = field(default=1, metadata=meta(ignore=True))
        computed: int = field(default=2, init=False)

    hidden = read({"shown": 5, "hidden": 6, "computed": 7, "Hidden": 8}, Hidden)
    assert (hidden.shown, hidden.hidden, hidden.computed) == (5, 1, 2)


@every_reader
def test_a_field_off_the_wire_with_a_bad_value_is_no_problem(read):
    """What is not read cannot be wrong."""

    @define
    class Hidden:
        shown: int = 0
        hidden: int = field(default=1, metadata=meta(ignore=True))

    assert read({"hidden": "x"}, Hidden) == Hidden()


@every_reader
def test_mutable_defaults_are_not_shared(read):
    """Each instance has a list of its own."""
    first, second = read({"reply": "a"}, Answer), read({"reply": "b"}, Answer)
    first.orders.append(1)

    assert second.orders == []


# --- kinds of classes ---------------------------------------------------------------------------------------


@frozen
class Frozen:
    x: int
    y: list[int] = field(factory=list)


@define(kw_only=True)
class KeywordOnly:
    x: int = 0
    y: list[int] = field(factory=list)


@define(slots=False)
class Dict:
    x: int
    y: list[int] = field(factory=list)


@attr.s(auto_attribs=True)
class Old:
    x: int
    y: list[int] = attr.ib(factory=list)


@attr.s
class Older:
    x = attr.ib(type=int)
    y = attr.ib(type=list[int], factory=list)


@define(order=True)
class Ordered:
    x: int
    y: list[int] = field(factory=list)


@define(eq=False)
class NoEq:
    x: int
    y: list[int] = field(factory=list)


@dataclasses.dataclass
class Data:
    x: int
    y: list[int] = dataclasses.field(default_factory=list)
    z: ClassVar[int] = 9


@dataclasses.dataclass(frozen=True)
class FrozenData:
    x: int
    y: list[int] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True, kw_only=True)
class SlotsData:
    y: list[int] = dataclasses.field(default_factory=list)
    x: int


@define
class Base:
    x: int


@define
class Derived(Base):
    y: list[int] = field(factory=list)


@define(init=False)
class OwnInit:
    x: int
    y: list[int] = field(factory=list)

    def __init__(self, x, y=()):
        self.__attrs_init__(x, list(y))


@define
class KeepsState:
    x: int
    y: list[int] = field(factory=list)
    total: int = field(init=False)

    def __attrs_post_init__(self):
        self.total = self.x + sum(self.y)


CLASSES = [
    *(
        Frozen,
        KeywordOnly,
        Dict,
        Old,
        Older,
        Ordered,
        NoEq,
        Data,
        FrozenData,
        SlotsData,
        Derived,
        OwnInit,
        KeepsState,
    ),
]


@every_reader
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_kind_of_class_is_read(read, cls):
    """Attrs old and new, dataclasses, frozen, with slots, keyword-only, derived, with a constructor of its own."""
    instance = read({"x": "1", "y": [2.0]}, cls)

    assert type(instance) is cls
    assert (instance.x, instance.y) == (1, [2])
    assert (read({"x": 1}, cls).y) == []
    assert set(refusal(read, {"x": "one", "y": [1, "two"]}, cls)) == {"x", "y[1]"}


@dataclasses.dataclass
class NeedsInitVar:
    x: int
    scale: dataclasses.InitVar[int]


@define
class NeedsArgument:
    x: int

    def __init__(self, x, scale):
        self.__attrs_init__(x * scale)


@define
class NeedsKeyword:
    x: int
    scale: int = field(init=False, default=1)

    def __init__(self, x, *, scale):
        self.__attrs_init__(x * scale)


@every_reader
@pytest.mark.parametrize("cls", [NeedsInitVar, NeedsArgument, NeedsKeyword])
def test_a_constructor_that_needs_what_is_no_field_is_a_fault_of_the_class(read, cls):
    """No data could fill it, so no data is refused for it."""
    with pytest.raises(
        SchemaError, match=rf"{cls.__name__}\.__init__: found the argument scale, which is no field"
    ):
        read({"x": 1}, cls)


@dataclasses.dataclass
class HasInitVar:
    x: int
    scale: dataclasses.InitVar[int] = 2

    def __post_init__(self, scale):
        self.x *= scale


@define
class TakesAnything:
    x: int

    def __init__(self, *args, scale=2, **kwargs):
        self.__attrs_init__(*args, **{name: value * scale for name, value in kwargs.items()})


@every_reader
@pytest.mark.parametrize("cls", [HasInitVar, TakesAnything])
def test_a_constructor_may_take_what_it_can_do_without(read, cls):
    """What is no field keeps its default."""
    assert read({"x": 1}, cls).x == 2


def test_what_the_class_computes_is_computed():
    """__attrs_post_init__ runs once with the values that were read."""
    assert ns.parse('{"x": 1, "y": [2, 3]}', KeepsState).total == 6


@define
class Converted:
    word: str = field(converter=str.upper)
    number: int = field(default="5", converter=int)
    items: list[str] = field(factory=list, converter=lambda items: [item.strip() for item in items])
    maybe: int | None = field(default=None, converter=attrs.converters.optional(lambda value: value + 1))


@every_reader
def test_converters_run_on_what_was_read(read):
    """Attrs converters get the value of the declared type, and defaults go through them too."""
    converted = read({"word": "a", "items": [" b "], "maybe": "1"}, Converted)

    assert converted == Converted("a", items=[" b "], maybe=1)
    assert (converted.word, converted.number, converted.items, converted.maybe) == ("A", 5, ["b"], 2)


def refuse(*_):
    """Raise what a validator raises."""
    raise ValueError("no good")


def explode(*_):
    """Raise what a bug raises."""
    raise ZeroDivisionError("division by zero")


@define
class Checked:
    a: int = field(default=1, validator=validators.ge(0))
    b: str = field(default="b", validator=[validators.max_len(3), validators.matches_re("b+")])
    c: list[int] = field(factory=list, validator=validators.deep_iterable(validators.lt(10)))
    d: int | None = field(default=None, converter=attrs.converters.optional(lambda value: 10 // value))


@every_reader
def test_all_validators_report(read):
    """Every field that its validator refuses is a problem at its path, and so is a converter's failure."""
    assert read({"a": 0, "b": "bb", "c": [1], "d": 5}, Checked) == Checked(0, "bb", [1], 5)
    assert set(refusal(read, {"a": -1, "b": "x", "c": [11], "d": 0}, Checked)) >= {"a", "b", "d"}
    assert set(refusal(read, {"a": -1, "b": "x", "c": [11]}, Checked)) == {"a", "b", "c"}


@every_reader
def test_validators_report_beside_what_cannot_be_read(read):
    """A value of the wrong type in one field does not hide what is wrong in another."""
    assert set(refusal(read, [{"a": "x"}, {"a": -1}, {"b": 5}], list[Checked])) == {"[0].a", "[1].a", "[2].b"}


@every_reader
def test_validators_that_attrs_has_switched_off_report_nothing(read):
    """They are off for a value that is refused for something else, too."""
    with validators.disabled():
        assert read({"a": -1, "b": "x"}, Checked) == Checked(-1, "x")
        assert set(refusal(read, {"a": -1, "b": "x", "c": "q"}, Checked)) == {"c"}


@every_reader
def test_the_message_of_a_validator_is_short(read):
    """Attrs prints the whole value: the problem does not."""
    with pytest.raises(ns.MappingError) as caught:
        read({"b": "x" * 1_000_000}, Checked)

    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize(
    "error", [ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError, RuntimeError, OSError]
)
@every_reader
def test_what_post_init_raises_is_a_problem(read, error):
    """Whatever the class says against its values is a problem at the place of the object."""

    @define
    class Strict:
        x: int

        def __attrs_post_init__(self):
            if self.x < 0:
                raise error("negative")

    assert set(refusal(read, {"x": -1}, Strict)) == {""}
    assert set(refusal(read, [{"x": 1}, {"x": -1}], list[Strict])) == {"[1]"}
    assert set(refusal(read, {"k": {"x": -1}}, dict[str, Strict])) == {"k"}


@every_reader
def test_what_a_dataclass_raises_is_a_problem(read):
    """The same for __post_init__ of a dataclass."""

    @dataclasses.dataclass
    class Strict:
        x: int

        def __post_init__(self):
            if self.x < 0:
                raise ValueError("negative")

    assert set(refusal(read, {"x": -1}, Strict)) == {""}


def test_an_interrupt_is_no_problem_of_the_data():
    """What is no Exception passes through."""

    @define
    class Interrupted:
        x: int

        def __attrs_post_init__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ns.parse('{"x": 1}', Interrupted)


# --- generics -----------------------------------------------------------------------------------------------


@define
class Box(Generic[T]):
    item: T
    more: list[T] = field(factory=list)


@define
class Pair(Generic[T, U]):
    left: Box[T]
    right: dict[str, U] = field(factory=dict)


@define
class OrderBox(Box[Order]):
    note: str = ""


@define
class Middle(Box[U], Generic[U]):
    size: int = 0


@define
class Last(Middle[int]):
    pass


@define
class Shelf:
    boxes: list[Box[Order]] = field(factory=list)
    numbers: Box[int] | None = None


@every_reader
def test_generics_are_read_by_what_binds_them(read):
    """Arguments, subclasses and subclasses of those bind the variables."""
    assert read({"item": "1", "more": ["2"]}, Box[int]) == Box(1, [2])
    assert read({"item": ORDER}, Box[Order]) == Box(Order("A-1", 2))
    assert read({"item": ORDER, "note": "n"}, OrderBox) == OrderBox(Order("A-1", 2), note="n")
    assert read({"item": "1", "more": ["2"], "size": "3"}, Last) == Last(1, [2], 3)
    assert read({"left": {"item": "1"}, "right": {"a": "2.5"}}, Pair[int, float]) == Pair(Box(1), {"a": 2.5})
    assert read({"boxes": [{"item": ORDER}], "numbers": {"item": "5"}}, Shelf) == Shelf(
        [Box(Order("A-1", 2))], Box(5)
    )
    assert read({"item": {"item": "1"}}, Box[Box[int]]) == Box(Box(1))
    assert read({"item": None}, Box[Optional[int]]) == Box(None)


@every_reader
def test_an_unbound_variable_is_anything(read):
    """Without arguments the value is untyped data."""
    assert read({"item": {"@id": "1"}, "more": [1, "2"]}, Box) == Box({"@id": "1"}, [1, "2"])


@every_reader
def test_the_arguments_of_a_generic_do_not_leak(read):
    """Two parametrizations of one class are read by themselves, in any order."""
    for _ in range(2):
        assert read({"item": "1"}, Box[int]).item == 1
        assert read({"item": "1"}, Box[str]).item == "1"
        assert read({"item": "1"}, Box[float]).item == 1.0
        assert read({"item": "1"}, Box).item == "1"


def test_a_generic_is_echoed_under_its_name():
    """The name that the schema prints is the name of the echo."""
    assert reply({"Box_Order": {"item": ORDER}}, Box[Order]) == Box(Order("A-1", 2))


@every_reader
def test_problems_in_a_generic_have_their_paths(read):
    """Paths go through type variables."""
    tree = {"left": {"item": "one", "more": [1, "two"]}, "right": {"a": "x"}}

    assert set(refusal(read, tree, Pair[int, float])) == {"left.item", "left.more[1]", "right.a"}


# --- unions -------------------------------------------------------------------------------------------------

SCALAR_UNIONS = [
    (int | str, 5, 5),
    (int | str, "5", "5"),
    (int | str, True, "true"),
    (str | int, 5, 5),
    (str | int, "", ""),
    (int | str, 1.5, "1.5"),
    (int | float, 5, 5),
    (int | float, 5.0, 5.0),
    (float | int, 5, 5),
    (float | str, 5, 5.0),
    (int | float, 2**64, 2**64),
    (float | int, -(2**70), -(2**70)),
    (int | float | str, 10**30, 10**30),
    (int | float | None, "", None),
    (float | str, "5", "5"),
    (int | bool, True, True),
    (int | bool, 1, 1),
    (int | bool, 0, 0),
    (int | bool, "yes", True),
    (int | bool, "7", 7),
    (bool | str, "yes", "yes"),
    (bool | str, True, True),
    (bool | None, "no", False),
    (int | list[int], [1], [1]),
    (int | list[int], 1, 1),
    (int | list[int], "1", 1),
    (int | list[int], "[1]", [1]),
    (str | list[str], "a", "a"),
    (str | list[str], ["a"], ["a"]),
    (str | dict[str, int], {"a": 1}, {"a": 1}),
    (list[int] | dict[str, int], [1], [1]),
    (list[int] | dict[str, int], {"a": 1}, {"a": 1}),
    (int | str | None, None, None),
    (int | None, "", None),
    (date | int, "2024-12-31", date(2024, 12, 31)),
    (date | int, 5, 5),
    (Order | str, "A-1", "A-1"),
    (Order | str, ORDER, Order("A-1", 2)),
    (Order | list[Order], [ORDER], [Order("A-1", 2)]),
    (Order | list[Order], ORDER, Order("A-1", 2)),
    (Order | int | None, None, None),
    (Literal["a", 1] | None, 1, 1),
    (Status | int, "placed", Status.PLACED),
    (Status | int, 5, 5),
]


@every_reader
@pytest.mark.parametrize(("form", "tree", "expected"), SCALAR_UNIONS, ids=lambda value: str(value)[:40])
def test_a_union_is_the_member_of_the_value_s_kind(read, form, tree, expected):
    """Exactly the kind first, else the only member that a coercion leads to; inside containers as well."""
    for value, result in (
        (read([tree], list[form])[0], expected),
        (read({"v": tree}, holder(form)).v, expected),
    ):
        assert value == result
        assert type(value) is type(result)


@every_reader
@pytest.mark.parametrize(
    ("form", "tree"),
    [
        (int | bool, "1"),
        (int | bool, "maybe"),
        (int | bool, 1.5),
        (int | float, "five"),
        (int | float, True),
        (int | date, "soon"),
        (int | list[int], "x"),
        (int | list[int], {}),
        (int | str, None),
        (int | str, []),
        (int | str, {}),
        (list[int] | list[str], {}),
        (Status | int, "shipped"),
        (Order | int, {"quantity": 2}),
    ],
    ids=str,
)
def test_a_union_that_no_single_member_fits_is_refused(read, form, tree):
    """None or several: never the first that happens to do."""
    assert {path.split(".")[0] for path in refusal(read, [tree], list[form])} == {"[0]"}


@define
class Cat:
    kind: Literal["cat"]
    name: str
    lives: int = 9


@define
class Dog:
    kind: Literal["dog"]
    name: str
    tricks: list[str] = field(factory=list)


@define
class Bird:
    kind: Literal["bird", "parrot"] = "bird"
    name: str = ""


Pet = Cat | Dog | Bird


@every_reader
def test_a_tag_decides(read):
    """The member whose Literal names the tag, and no other."""
    assert read({"kind": "dog", "name": "x", "lives": 3}, Pet) == Dog("dog", "x")
    assert read([{"kind": "parrot"}, {"kind": "cat", "name": "y"}], list[Pet]) == [
        Bird("parrot"),
        Cat("cat", "y"),
    ]


@every_reader
def test_the_problems_are_those_of_the_tagged_member(read):
    """Where the tag names a member, what is wrong is said of that member."""
    assert set(refusal(read, {"kind": "dog", "tricks": "roll"}, Pet)) == {"name", "tricks"}


@every_reader
def test_an_unknown_tag_is_refused(read):
    """A tag of no member is a problem, also where a member could do without it."""
    assert refusal(read, {"kind": "fish", "name": "x"}, Pet)
    assert refusal(read, {"kind": 5, "name": "x"}, Pet)
    assert refusal(read, {"kind": None, "name": "x", "lives": 4}, Cat | Dog)


@define
class Small:
    x: int


@define
class Large:
    x: int
    y: int


@define
class Wide:
    x: int
    y: int = 0
    z: int = 0


@define
class Same:
    x: int


@define
class Texted:
    x: str


@every_reader
def test_the_member_that_declares_most_of_the_value_is_meant(read):
    """Of those that read without problems, the one that knows most of what is there."""
    assert read({"x": 1}, Small | Large) == Small(1)
    assert read({"x": 1, "y": 2}, Small | Large) == Large(1, 2)
    assert read({"x": 1, "y": 2, "z": 3}, Small | Large | Wide) == Wide(1, 2, 3)
    assert read({"x": 1, "q": 2}, Small | Large) == Small(1)
    assert read({"x": 1, "y": "2"}, Small | Large) == Large(1, 2)


@every_reader
def test_a_union_that_several_members_fit_is_refused(read):
    """Two members that declare equally much of the value: no guess."""
    assert refusal(read, {"x": 1}, Small | Same)
    assert refusal(read, {"x": 1}, Small | Wide)
    assert refusal(read, {"x": 1, "y": 2}, Large | Wide)
    assert refusal(read, [{"x": 1}], list[Small | Same])


@every_reader
def test_the_order_of_a_union_changes_nothing(read):
    """A | B is B | A."""
    for tree in (
        {"x": 1},
        {"x": 1, "y": 2},
        {"x": 1, "y": 2, "z": 3},
        {"x": "a"},
        {"y": 1},
        {"x": 1, "y": "b"},
        {},
    ):
        results = []
        for form in (Small | Large | Texted, Texted | Large | Small, Large | Small | Texted):
            try:
                results.append(read(tree, form))
            except ns.MappingError:
                results.append(None)
        assert results[0] == results[1] == results[2]


@every_reader
def test_the_nearest_member_gives_the_problems(read):
    """Where no member fits, the one with the fewest problems is told."""
    assert set(refusal(read, {"name": "x", "kind": "cat", "lives": "many"}, Cat | Order)) == {"lives"}


@define
class Counted:
    items: list[Small | Large]
    count: int


@define
class Spelled:
    items: list[Small | Large]
    word: int


@every_reader
@pytest.mark.parametrize("bad", [5, "x", None, True, ""])
def test_equal_values_in_a_union_have_problems_of_their_own(read, bad):
    """Each of two equal values that do not fit is a problem at its own path, inside another union too."""
    refused = refusal(read, [{"items": [bad, bad, {"x": 1}, bad], "count": 1}], list[Counted | Spelled])

    assert set(refused) == {"[0].items[0]", "[0].items[1]", "[0].items[3]"}


@every_reader
def test_a_union_is_read_from_text_that_is_its_json(read):
    """Twice encoded composites of a union are read as well."""
    assert read([json.dumps({"x": 1, "y": 2})], list[Small | Large]) == [Large(1, 2)]


def test_a_union_is_read_from_an_echo():
    """The echo of a member says which one it is."""
    assert reply({"@type": "Large", "@fields": {"x": 1, "y": 2}}, Small | Large) == Large(1, 2)
    assert reply([{"Large": {"x": 1, "y": 2}}], list[Small | Large]) == [Large(1, 2)]
    assert reply({"Same": {"x": 1}}, Small | Same) in (Same(1), None)


@define
class Defaults:
    a: int = 0


@define
class OtherDefaults:
    b: int = 0


def test_the_echo_of_one_member_is_not_another():
    """A member that only ignores what it does not know is not the one that is named."""
    assert reply({"OtherDefaults": {"b": 1}}, Defaults | OtherDefaults) == OtherDefaults(1)
    assert reply({"@fields": {"b": 1}}, Defaults | OtherDefaults) == OtherDefaults(1)


@define
class Tree:
    left: Optional[Union["Tree", "Leaf", "Twig"]] = None
    right: Optional[Union["Tree", "Leaf", "Twig"]] = None


@define
class Leaf:
    left: Optional[Union[Tree, "Leaf", "Twig"]] = None
    value: str = ""


@define
class Twig:
    left: Optional[Union[Tree, Leaf, "Twig"]] = None
    other: int = 0


def _resolve():
    for cls in (Tree, Leaf, Twig):
        attrs.resolve_types(cls)


_resolve()


@pytest.mark.parametrize(
    "last", [{"right": None, "left": None}, {"value": "x"}, {"other": "bad"}, {}, "text", 5]
)
@pytest.mark.parametrize("read", [READERS["quick"], READERS["careful"], READERS["reply"], READERS["convert"]])
def test_nested_unions_are_read_in_one_go(read, last):
    """Trying members inside members does not multiply: two to the power of 60 would never end."""
    tree = last
    for _ in range(60):
        tree = {"left": tree}
    try:
        read(tree, Tree)
    except ns.NucleoError as error:
        assert len(str(error)) < 5_000


# --- maps ---------------------------------------------------------------------------------------------------


@every_reader
def test_keys_of_a_map_are_typed(read):
    """Keys are read by the coercions of their type, and a bad one is a problem at its key."""
    assert read({"1": "a", "2": "b"}, dict[int, str]) == {1: "a", 2: "b"}
    assert read({"placed": 1, "in_transit": 2}, dict[Status, int]) == {Status.PLACED: 1, Status.IN_TRANSIT: 2}
    assert read({"2024-12-31": 1}, dict[date, int]) == {date(2024, 12, 31): 1}
    assert read({"a": 1, "b": 2}, dict[Literal["a", "b"], int]) == {"a": 1, "b": 2}
    assert list(refusal(read, {"1": "a", "two": "b"}, dict[int, str])) == ["two"]
    assert list(refusal(read, {"placed": "x"}, dict[Status, int])) == ["placed"]


@every_reader
@pytest.mark.parametrize(
    ("tree", "form"),
    [
        ({"1": 10, "1.0": 20}, dict[int, int]),
        ({"placed": 10, "PLACED": 20}, dict[Status, int]),
        ({"2024-12-31": 10, "31.12.2024": 20}, dict[date, int]),
        ({"true": 10, "yes": 20}, dict[bool, int]),
    ],
    ids=str,
)
def test_two_keys_that_become_one_are_not_lost_in_silence(read, tree, form):
    """Two members of the value never become one entry: which of both would be a guess."""
    assert refusal(read, tree, form)


@every_reader
def test_keys_of_any_kind_are_data(read):
    """Names that mean something to Python mean nothing here."""
    tree = {"__class__": 1, "__init__": 2, "__proto__": 3, "": 4, "\x00": 5, "a.b": 6, "{0}": 7, "%s": 8}

    assert read(tree, dict[str, int]) == tree
    assert read({"number": "A", "__class__": "x", "__dict__": {}, "self": 1}, Order) == Order("A")


@every_reader
def test_elements_that_cannot_be_in_a_set_are_a_problem(read):
    """A class without a hash in a set is refused by the library's error."""
    assert refusal(read, [ORDER], set[Order])


# --- twice encoded ------------------------------------------------------------------------------------------


@every_reader
def test_a_member_that_is_json_in_text_is_read(read):
    """Models encode twice, at any depth."""
    tree = {"reply": "x", "orders": json.dumps([json.dumps(ORDER)]), "main": json.dumps(ORDER)}

    assert read(tree, Answer) == Answer("x", [Order("A-1", 2)], Order("A-1", 2))


@every_reader
def test_untyped_text_is_not_decoded(read):
    """Where anything is expected, text is text."""
    assert read({"reply": "[1]", "extra": "[1]", "tags": {"a": "{}"}}, Answer) == Answer(
        "[1]", extra="[1]", tags={"a": "{}"}
    )


@every_reader
@pytest.mark.parametrize("levels", [2, 10, 18])
def test_text_in_text_in_text_is_read_or_refused(read, levels):
    """Text of text of an object is read or refused, without work that multiplies."""
    text = json.dumps(ORDER)
    for _ in range(levels):
        text = json.dumps(text)
    try:
        assert read([json.loads(text)], list[Order]) == [Order("A-1", 2)]
    except ns.MappingError as error:
        assert len(str(error)) < 1_000


@define
class Wrapped:
    inner: Optional["Wrapped"] = None
    items: list["Wrapped"] = field(factory=list)
    value: int = 0


def test_text_nested_in_text_takes_bounded_time():
    """A twice encoded member that holds a twice encoded member, many times."""
    tree: Any = {"value": "x"}
    for _ in range(16):
        tree = {"inner": json.dumps(tree)}

    assert len(refusal(ns.convert, tree, Wrapped)) == 1


def _six_of_a_kind():
    """Return the union of six new classes, each of which holds a list of it."""
    kinds = [
        attrs.make_class(
            f"Kind{number}",
            {
                "items": attrs.field(type="list[Kind]", factory=list),
                f"f{number}": attrs.field(type=int, default=0),
            },
        )
        for number in range(6)
    ]
    union = Union[tuple(kinds)]
    for kind in kinds:
        attrs.resolve_types(kind, {"Kind": union, "list": list, "int": int})
    return union


@pytest.mark.parametrize("last", [{"f3": 1}, {"f3": "x"}], ids=["good", "bad"])
def test_text_nested_in_text_in_a_union_takes_time_in_proportion(last):
    """A list of a union in a text, in a list of a union in a text: each text is taken apart once."""
    union, tree = _six_of_a_kind(), last
    for _ in range(5):
        tree = {"items": json.dumps([tree])}
    with contextlib.suppress(ns.MappingError):
        ns.parse(json.dumps([tree]), list[union])


# --- everything at once -------------------------------------------------------------------------------------

MANY = {
    "orders": [ORDER, {"number": ["x"], "quantity": "two"}, 5, None, {"quantity": 1}],
    "main": {"quantity": 2},
    "by_day": {"mon": {"number": "x", "quantity": 1.5}, "a.b": {"number": {}}, "tue": "x"},
    "tags": [],
}


@every_reader
def test_all_problems_come_at_once_at_their_wire_paths(read):
    """Every place that does not fit is named, and none twice."""
    with pytest.raises(ns.MappingError) as caught:
        read(MANY, Answer)
    paths = [problem.path for problem in caught.value.problems]

    assert sorted(paths) == sorted(set(paths))
    assert set(paths) >= {
        *("reply", "orders[1].number", "orders[1].quantity", "orders[2]", "orders[3]", "orders[4].number"),
        *("main.number", "by_day.mon.quantity", "by_day.tue", "tags"),
    }
    assert len(paths) == 11
    assert caught.value.target is Answer
    assert str(caught.value).startswith("Failed to parse JSON to Answer: ")
    assert isinstance(caught.value, ValueError)


@every_reader
def test_a_message_says_where_what_was_found_and_what_was_expected(read):
    """Path, kind and value, expectation."""
    with pytest.raises(ns.MappingError) as caught:
        read({"reply": "x", "orders": [{"number": "1", "quantity": "next spring"}]}, Answer)

    assert "orders[0].quantity" in str(caught.value)
    assert 'string "next spring"' in str(caught.value)
    assert "integer" in str(caught.value)


class Choice(Enum):
    ONE = "one"


@define
class Expecting:
    number: int
    kind: Literal["x", Choice.ONE, 3, True]
    long: ns.Int64
    either: Order | Answer | None = field(metadata=meta(required=True))
    mixed: list[int] | list[str] | int | dict[str, int]
    box: "Boxed[int]"
    anything: Any
    place: tuple[int, int]


@define
class Boxed(Generic[T]):
    value: T


@every_reader
def test_what_is_expected_is_said_in_the_words_of_json(read):
    """A model knows no typing: true is true, and a class has its simple name."""
    assert refusal(read, {}, Expecting) == {
        "number": "missing, expected integer",
        "kind": "missing, expected one of x, one, 3, true",
        "long": "missing, expected integer",
        "mixed": "missing, expected array or integer or object",
        "box": "missing, expected Boxed_int",
        "anything": "missing, expected a value",
        "place": "missing, expected array",
    }
    assert refusal(read, [3], list[Literal[True, "x"]])["[0]"].endswith("expected one of true, x")
    assert refusal(read, ["x"], list[Order | Boxed[int]])["[0]"].endswith("expected Order or Boxed_int")


@define
class Either:
    either: Order | Boxed[int]


@every_reader
def test_a_missing_union_is_named_by_its_members(read):
    """Each by its simple name, without its module."""
    expected = "missing, expected Order or Boxed_int"

    assert refusal(read, {}, Either) == {"either": expected}
    assert refusal(read, {"either": None}, Either) == {"either": f"{expected} (found null)"}
    with pytest.raises(ns.MappingError, match="Failed to parse JSON to Order or Either: "):
        read({}, Order | Either)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.0000000000000000000001", "integer, without a fraction"),
        ("3.5", "integer, without a fraction"),
        ("1e-400", "integer, without a fraction"),
        ("1e30", "integer (a number with a fraction or an exponent is exact up to 2**53 only)"),
        ("1e99999999999999999999", "integer (a number with a fraction or an exponent is exact up to"),
        ("9" * 5000, "integer of at most 4300 digits"),
        ("NaN", "integer"),
    ],
)
def test_a_number_that_is_no_integer_is_told_what_is_wrong_with_it(text, expected):
    """A fraction however small, an exponent, or too many digits."""
    with pytest.raises(ns.MappingError) as caught:
        ns.parse(f'{{"number": "1", "quantity": {text}}}', Order)

    assert f", expected {expected}" in caught.value.problems[0].message


@every_reader
def test_what_a_model_or_a_validator_says_stays_on_one_printable_line(read):
    """Line breaks, controls and halves of surrogate pairs are escaped in a message."""

    @define
    class Picky:
        x: int = field(default=0, validator=lambda *_: explode_with("no\nway \udcff"))
        y: str = field(metadata=meta(required=True), kw_only=True)

    assert refusal(read, {"x": 1, "y": "y"}, Picky) == {"x": "no\\nway \\udcff"}
    assert "unknown members: a\\nb" in refusal(read, {"a\nb": 1}, Picky)["y"]


def explode_with(text):
    """Raise an error of this text."""
    raise ValueError(text)


@every_reader
def test_an_error_of_many_problems_is_short(read):
    """Five thousand problems are all there as data, and the sentence stays short."""
    with pytest.raises(ns.MappingError) as caught:
        read([{"number": "1", "quantity": "x"}] * 5_000, list[Order])

    assert len(caught.value.problems) == 5_000
    assert len(str(caught.value)) < 10_000
    assert len(repr(caught.value.problems[0])) < 500


@every_reader
@pytest.mark.parametrize(
    ("tree", "form"),
    [
        (["x" * 10_000_000], list[int]),
        ({"k" * 10_000_000: "x"}, dict[str, int]),
        ({"k" * 1_000_000: 1}, dict[int, int]),
        ([[0] * 100_000], list[int]),
        ([{str(index): 0 for index in range(100_000)}], list[int]),
        ({"number": ["x" * 1_000_000]}, Order),
        (["\\" * 1_000_000], list[Status]),
        (["\x00" * 1_000_000], list[date]),
    ],
    ids=["text", "key", "typed key", "list", "object", "text in a list", "backslashes", "control characters"],
)
def test_a_large_value_makes_no_large_message(read, tree, form):
    """Values are cut and collections are counted, in the text and in every part of the error."""
    with pytest.raises(ns.MappingError) as caught:
        read(tree, form)

    assert len(str(caught.value)) < 1_000
    assert len(repr(caught.value)) < 5_000
    assert all(len(problem.message) < 500 for problem in caught.value.problems)


def test_an_error_pickles():
    """Errors cross processes whole."""
    with pytest.raises(ns.MappingError) as caught:
        ns.convert(MANY, Answer)
    again = pickle.loads(pickle.dumps(caught.value))

    assert again.problems == caught.value.problems
    assert again.target is Answer
    assert str(again) == str(caught.value)


@every_reader
def test_a_problem_at_the_root_has_no_path(read):
    """The root's path is empty."""
    assert list(refusal(read, [1], tuple[int, str])) == [""]


# --- depth --------------------------------------------------------------------------------------------------


def _nested(depth, last):
    """Return a tree of *depth* levels for Node, its last level included."""
    tree = last
    for _ in range(depth - 1):
        tree = {"child": tree}
    return tree


def _nested_lists(depth, last):
    tree = last
    for _ in range((depth - 1) // 2):
        tree = {"children": [tree]}
    return tree


@define
class Branch:
    child: Optional[Union["Branch", str]] = None
    children: list[Union["Branch", int, None]] = field(factory=list)
    either: Optional[Union["Branch", "Fork"]] = None
    by_name: dict[str, Union["Branch", list["Branch"]]] = field(factory=dict)
    end: int = 0


@define
class Fork:
    either: Optional[Union[Branch, "Fork"]] = None
    prong: int = 0


for _cls in (Branch, Fork):
    attrs.resolve_types(_cls)

UNION_NESTERS = {
    "with text": lambda tree: {"child": tree},
    "in a list": lambda tree: {"children": [tree]},
    "of classes": lambda tree: {"either": tree},
    "in a map": lambda tree: {"by_name": {"k": tree}},
}


DEEP_READERS = {**READERS, "curly": lambda tree, target: ns.parse(json.dumps(tree).replace('"', "'"), target)}


@pytest.mark.parametrize("nest", [_nested, _nested_lists])
@pytest.mark.parametrize("read", DEEP_READERS.values(), ids=DEEP_READERS)
def test_two_hundred_levels_of_classes_are_read(read, nest):
    """Nesting of 200 levels reads on every path, and so does a problem at the bottom."""
    node, levels = read(nest(200, {"name": "x"}), Node), 0
    while node is not None and node.name != "x":
        node, levels = node.child or node.children[0], levels + 1

    assert node.name == "x"
    assert levels >= 99
    (path,) = refusal(read, nest(200, {"name": ["x"]}), Node)
    assert path.endswith(".name")


@pytest.mark.parametrize(
    "wrap", [lambda tree: {"@fields": tree}, lambda tree: {"Node": tree}], ids=["fields", "name"]
)
def test_two_hundred_levels_of_echoes_are_read(wrap):
    """Echoes count as levels."""
    tree = wrap({"name": "x"})
    for _ in range(98):
        tree = wrap({"child": tree})

    node = reply(tree, Node)
    while node.child is not None:
        node = node.child
    assert node.name == "x"


@pytest.mark.parametrize("depth", [201, 400, 1_000, 10_000])
@pytest.mark.parametrize("kind", ["child", "children", "by_name", "unknown"])
def test_deeper_classes_are_read_or_an_error_of_ours(depth, kind):
    """Never an error of the interpreter."""
    opener = {
        "child": '{"child":',
        "children": '{"children":[',
        "by_name": '{"by_name":{"k":',
        "unknown": '{"zzz":',
    }[kind]
    closer = {"child": "}", "children": "]}", "by_name": "}}", "unknown": "}"}[kind]
    for last in ("{}", '{"name": []}', "5"):
        for prefix in ("", "/* */", "so "):
            raw = prefix + opener * depth + last + closer * depth
            read = ns.parse_llm_response if prefix == "so " else ns.parse
            try:
                read(raw, Node)
            except ns.NucleoError as error:
                assert len(str(error)) < 20_000


@pytest.mark.parametrize("depth", [150, 500, 5_000])
def test_a_value_in_python_may_be_as_deep(depth):
    """The same for what convert is given, and for a value that holds itself."""
    try:
        ns.convert(_nested(depth, {}), Node)
    except ns.NucleoError as error:
        assert depth > 200
        assert len(str(error)) < 2_000


def test_a_value_that_holds_itself_is_refused():
    """A cycle in what is converted ends in an error of ours."""
    tree: dict[str, Any] = {}
    tree["child"] = tree
    items: list[Any] = []
    items.append(items)

    for value, target in (
        (tree, Node),
        (items, list[Any]),
        (tree, Any),
        ({"reply": "x", "extra": items}, Answer),
    ):
        with pytest.raises(ns.NucleoError):
            ns.convert(value, target)


# --- convert ------------------------------------------------------------------------------------------------


def test_an_instance_converts_to_another_class():
    """What is written of the one is read as the other."""
    assert ns.convert(Large(1, 2), Small) == Small(1)
    assert ns.convert(Large(1, 2), dict[str, int]) == {"x": 1, "y": 2}
    assert ns.convert([Large(1, 2)], list[Wide]) == [Wide(1, 2)]
    assert ns.convert({"x": date(2024, 12, 31)}, dict[str, date]) == {"x": date(2024, 12, 31)}
    assert ns.convert({"main": Order("A")}, dict[str, Order]) == {"main": Order("A")}


def test_the_tree_of_a_value_is_plain_data():
    """value_to_tree gives what read_tree gives of the written text."""
    answer = Answer(
        "x", [Order("A")], Order("B"), {"d": Order("C")}, {"k": [date(2024, 12, 31), Status.PLACED]}
    )

    assert ns.value_to_tree(answer) == ns.read_tree(ns.write(answer))
    assert ns.convert(ns.value_to_tree(answer), Answer).orders == [Order("A")]


def test_converting_does_not_change_what_it_is_given():
    """The tree stays as it was."""
    tree = {"Reply": "x", "orders": json.dumps([ORDER]), "extra": {"a": [1]}}
    before = json.dumps(tree)
    answer = ns.convert(tree, Answer)
    answer.extra["a"].append(2)

    assert json.dumps({**tree, "extra": {"a": [1]}}) == before


# --- threads ------------------------------------------------------------------------------------------------


def test_threads_read_classes_that_were_never_seen():
    """Many threads that read new classes at once read what one thread reads."""
    for round_number in range(5):
        leaf = attrs.make_class(
            f"Leaf{round_number}", {"a": attrs.field(type=int), "b": attrs.field(type=str, default="x")}
        )
        other = attrs.make_class(
            f"Other{round_number}", {"a": attrs.field(type=int), "c": attrs.field(type=str, default="x")}
        )
        top = attrs.make_class(
            f"Top{round_number}",
            {"items": attrs.field(type=list[leaf | other]), "main": attrs.field(type=leaf)},
        )
        text = '{"items": [{"a": "1", "b": "y"}, {"a": 2, "c": "z"}], "main": {"a": 3.0}}'
        expected = top([leaf(1, "y"), other(2, "z")], leaf(3))
        results: list[Any] = []
        barrier = threading.Barrier(12)

        def work(barrier=barrier, results=results, text=text, top=top):
            barrier.wait()
            try:
                results.append(ns.parse(text, top))
                results.append(ns.parse_llm_response("so " + text, top))
                results.append(ns.parse(ns.write(results[-1]), top))
            except BaseException as error:  # noqa: BLE001
                results.append(error)

        threads = [threading.Thread(target=work) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [expected] * 36


def test_threads_read_unions_of_different_values():
    """What one thread tries in a union is nothing to another."""
    trees = [{"x": 1}, {"x": 2, "y": 3}, {"x": 3}, {"x": 4, "y": 5}]
    expected = [Small(1), Large(2, 3), Small(3), Large(4, 5)]
    wrong: list[Any] = []

    def work(index):
        for _ in range(300):
            value = ns.parse("[" + json.dumps(trees[index]) + "]", list[Small | Large])
            if value != [expected[index]]:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(index % 4,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


_TWINS = """
from attrs import define, field
import attrs
from typing import Any, Optional

@define
class First:
    second: Optional["Second"] = None
{fields}

@define
class Second:
    first: Optional[First] = None
    x: int = 0

attrs.resolve_types(First, globals(), locals())
attrs.resolve_types(Second, globals(), locals())
"""


def _twins(fields):
    """Return two new classes that hold each other."""
    namespace = {"__name__": "twins"}
    exec(_TWINS.format(fields=fields), namespace)  # noqa: S102  text of our own
    return namespace["First"], namespace["Second"]


def test_a_class_that_could_not_be_read_is_not_read_as_untyped_data_later():
    """A refused class stays refused, also where another class that was met on the way holds it."""
    first, second = _twins("    bad: complex = 0")
    with pytest.raises(ns.SchemaError):
        ns.parse('{"second": {}}', first)

    for raw in ('{"first": {"junk": 1}, "x": 1}', '{"first": 5}', '{"first": {"second": {"x": "1"}}}'):
        with pytest.raises(ns.SchemaError):
            ns.parse(raw, second)
    with pytest.raises(ns.SchemaError):
        ns.parse('{"second": {}}', first)


# --- attributes that the constructor does not take ------------------------------------------------------------


@define
class Late:
    """A class whose attributes are set from the wire and not by its constructor."""

    needed: int = field(init=False, metadata=meta(ignore=False))
    optional: int | None = field(init=False, metadata=meta(ignore=False))
    zero: int = field(init=False, metadata=meta(ignore=False, required=False))


@define
class SetsItself:
    start: int = 1
    end: int = field(init=False, metadata=meta(ignore=False))

    def __attrs_post_init__(self):
        self.end = self.start + 1


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_an_attribute_that_nobody_sets_is_what_an_absent_member_is(read):
    """None when it is Optional, the zero of its type when it is not required."""
    late = read({"needed": 1}, Late)

    assert (late.needed, late.optional, late.zero) == (1, None, 0)
    assert ns.parse(ns.write(late), Late) == late


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("tree", [{}, {"needed": None}])
def test_an_attribute_that_nobody_sets_is_a_problem(read, tree):
    """No instance is half made."""
    with pytest.raises(ns.MappingError) as raised:
        read(tree, Late)

    assert [(problem.path, problem.message) for problem in raised.value.problems] == [
        ("needed", "missing, expected integer")
    ]


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_what_a_class_sets_itself_stands_where_the_member_is_absent(read):
    """Its own rule is its default."""
    assert read({"start": 3}, SetsItself).end == 4
    assert read({"start": 3, "end": 9}, SetsItself).end == 9


@define
class Nothing:
    literal: Literal[None]
    plain: None


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("tree", [{}, {"literal": None, "plain": None}])
def test_a_member_that_can_only_be_null_may_be_absent(read, tree):
    """Its schema, its reading and its writing agree."""
    nothing = read(tree, Nothing)

    assert nothing == Nothing(None, None)
    assert "required" not in ns.json_schema(Nothing)
    assert ns.write_compact(nothing) == "{}"


class Undecorated:
    number: int = 0


@pytest.mark.parametrize("target", [Undecorated, list[Undecorated], dict[str, Undecorated]])
def test_a_class_without_a_decorator_is_told_what_it_lacks(target):
    """That is what a beginner forgets, and no reply is to blame."""
    with pytest.raises(ns.SchemaError, match=r"^target: found .*Undecorated"):
        ns.parse("{}", target)
    with pytest.raises(ns.SchemaError, match=r"decorate it with attrs\.define, or register a hook for it"):
        ns.parse("{}", Undecorated)


def test_a_type_of_python_s_own_is_not_to_be_decorated():
    """The reason is the converter's."""
    with pytest.raises(ns.SchemaError, match=r"found complex, expected .* \(Unsupported type"):
        ns.parse("{}", complex)
