"""Describing: one walk over a class, and the two renderings of what it found."""

# Both spellings of Optional and of unions are declared here on purpose, and test classes need no docstrings.
# ruff: noqa: UP006, D403, F821, PIE796, PYI062, RUF041

import array
import collections
import collections.abc
import contextlib
import copy
import dataclasses
import datetime as dt
import decimal
import enum
import itertools
import json
import pathlib
import pickle
import sys
import textwrap
import threading
import types
import typing
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    Optional,
    TypedDict,
    TypeVar,
    Union,
    get_args,
)

import pendulum
import pytest
from attrs import Factory, define, field, make_class
from jsonschema import Draft202012Validator

from nucleo_schema import (
    SCHEMA_NOTATION_LEGEND,
    Artifact,
    ClassDefinition,
    FieldDescriptor,
    Int32,
    Int64,
    MappingError,
    NucleoError,
    ResponseContract,
    SchemaError,
    Summarizable,
    converter,
    describe,
    described,
    is_composite,
    json_schema,
    llm_schema,
    meta,
    parse,
    register_leaf,
    type_alias,
    write,
    write_compact,
)
from nucleo_schema._describe.json_schema import JSON_SCHEMA_RENDERERS
from nucleo_schema._describe.notation import NOTATION_RENDERERS
from nucleo_schema._describe.shapes import Shape
from nucleo_schema.keywords import CONTEXT_IGNORE, PREFIX, SUMMARIZABLE, TYPE_ALIAS, for_model, strip_from

T = TypeVar("T")
U = TypeVar("U")
Bounded = TypeVar("Bounded", bound=int)
_numbers = itertools.count()
BOUNDS = {"minimum": -(2**53 - 1), "maximum": 2**53 - 1}
INTEGER = {"type": "integer", **BOUNDS}
STRING = {"type": "string"}
NULL = {"type": "null"}


def module_of(source, name=None):
    """Return a new module made from *source*, where the annotations of its classes are resolved."""
    module = types.ModuleType(name or f"described_{next(_numbers)}")
    sys.modules[module.__name__] = module
    exec(compile(textwrap.dedent(source), module.__name__, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    return module


def holder(annotation, name="Holder", **arguments):
    """Return a class whose one attribute, ``value``, has *annotation* and the description "Words"."""
    arguments.setdefault("metadata", meta("Words"))
    return make_class(name, {"value": field(type=annotation, **arguments)})


def schema_of(annotation, **arguments):
    """Return the JSON Schema of a field with *annotation*, without its description."""
    schema = json_schema(holder(annotation, **arguments))
    Draft202012Validator.check_schema(schema)
    node = schema["properties"]["value"]
    assert node.pop("description") == "Words"
    return node


def notation_of(annotation, **arguments):
    """Return the notation of a field with *annotation*, without what does not depend on it."""
    node = llm_schema(holder(annotation, **arguments))["@fields"]["value"]
    assert node.pop("@description") == "Words"
    node.pop("@required", None)
    return node


def nodes(schema):
    """Yield every node of a JSON Schema."""
    if isinstance(schema, dict):
        yield schema
        for key, inner in schema.items():
            if key in ("properties", "$defs"):
                for node in inner.values():
                    yield from nodes(node)
            elif key in ("items", "additionalProperties", "propertyNames"):
                yield from nodes(inner)
            elif key in ("anyOf", "prefixItems"):
                for node in inner:
                    yield from nodes(node)


def notation_keys(node):
    """Yield every key that the notation of *node* uses for itself."""
    for key, inner in node.items():
        yield key
        if key == "@fields":
            for member in inner.values():
                yield from notation_keys(member)
        elif key in ("@any_of", "@items"):
            for member in inner:
                yield from notation_keys(member)


class Mood(enum.Enum):
    UP = "up"
    DOWN = "down"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    WORD = "word"
    NUMBER = 7
    NOTHING = None


class Worded(str, enum.Enum):
    NEW = "new"
    IN_PROGRESS = "in progress"


class Aliased(enum.Enum):
    FIRST = "first"
    PRIMARY = "first"
    SECOND = 2
    ALSO_SECOND = 2


@define
class Point:
    """A point."""

    x: int = field(metadata=meta("The x"))
    y: int = field(default=0, metadata=meta("The y"))


POINT = {
    "type": "object",
    "title": "Point",
    "description": "A point.",
    "properties": {
        "x": {"type": "integer", "description": "The x", **BOUNDS},
        "y": {"type": "integer", "description": "The y", **BOUNDS},
    },
    "required": ["x"],
}
POINT_FIELDS = {
    "x": {"@type": "integer", "@required": True, "@description": "The x"},
    "y": {"@type": "integer", "@description": "The y"},
}
#: A composite on a field: the field's words stand in place of the class's.
POINT_FIELD = {key: inner for key, inner in POINT.items() if key != "description"}


@define
class Circle:
    kind: Literal["circle"]
    radius: float


@define
class Square:
    kind: Literal["square"]
    side: float


@define
class Node:
    """A node."""

    name: str
    next: "Node | None" = field(default=None, metadata=meta("The next node"))
    children: "list[Node]" = field(factory=list, metadata=meta("The children"))


@define
class Box(Generic[T]):
    item: T
    items: list[T] = field(factory=list)


@define
class Both(Generic[T, U]):
    first: T
    second: "dict[str, list[U]]"


# --- the table ------------------------------------------------------------------------------------------

DATE = {"type": "string", "format": "date"}
DATE_TIME = {"type": "string", "format": "date-time"}
MOODS = {"type": "string", "enum": ["up", "down"]}

SCALARS = [
    # annotation, @type, JSON Schema
    (str, "string", STRING),
    (int, "integer", INTEGER),
    (Int32, "integer", {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}),
    (Int64, "long", {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}),
    (float, "number", {"type": "number"}),
    (bool, "boolean", {"type": "boolean"}),
    (dt.date, "date", DATE),
    (dt.datetime, "date-time", DATE_TIME),
    (pendulum.Date, "date", DATE),
    (pendulum.DateTime, "date-time", DATE_TIME),
    (Any, "any", {}),
    (object, "any", {}),
    (NewType("Label", str), "string", STRING),
    (NewType("Deep", NewType("Label", str)), "string", STRING),
    (Annotated[str, "note"], "string", STRING),
    (Annotated[int, 1, 2], "integer", INTEGER),
]

CONTAINERS = [
    *((form[str], "array of string", {"type": "array", "items": STRING}) for form in [list, typing.List]),
    (typing.Sequence[str], "array of string", {"type": "array", "items": STRING}),
    (collections.abc.Sequence[str], "array of string", {"type": "array", "items": STRING}),
    (tuple[str, ...], "array of string", {"type": "array", "items": STRING}),
    (list[Int64], "array of long", None),
    (list[Any], "array of any", None),
    (list[dt.date], "array of date", {"type": "array", "items": DATE}),
    (
        list[list[int]],
        "array of array of integer",
        {"type": "array", "items": {"type": "array", "items": INTEGER}},
    ),
    (dict[str, int], "map from string to integer", {"type": "object", "additionalProperties": INTEGER}),
    (
        typing.Dict[str, int],
        "map from string to integer",
        {"type": "object", "additionalProperties": INTEGER},
    ),
    (
        typing.Mapping[str, int],
        "map from string to integer",
        {"type": "object", "additionalProperties": INTEGER},
    ),
    (collections.abc.Mapping[str, bool], "map from string to boolean", None),
    (collections.abc.MutableMapping[str, bool], "map from string to boolean", None),
    (collections.OrderedDict[str, bool], "map from string to boolean", None),
    (dict[str, Any], "map from string to any", {"type": "object", "additionalProperties": True}),
    (dict[str, object], "map from string to any", {"type": "object", "additionalProperties": True}),
    (dict[str, list[Any]], "map from string to array of any", None),
    (dict[str, dict[str, int]], "map from string to map from string to integer", None),
    (list[dict[str, int]], "array of map from string to integer", None),
    (dict[str, list[int]], "map from string to array of integer", None),
]


@pytest.mark.parametrize(("annotation", "label", "expected"), [*SCALARS, *CONTAINERS])
def test_an_annotation_is_described_as_the_table_says(annotation, label, expected):
    """Both renderings of every row, and the label on the descriptor."""
    assert notation_of(annotation) == {"@type": label}
    assert describe(holder(annotation)).fields["value"].type_label == label
    if expected is not None:
        assert schema_of(annotation) == expected


@pytest.mark.parametrize(
    ("annotation", "label"),
    [
        (set[str], "array of string"),
        (frozenset[str], "array of string"),
        (typing.Set[str], "array of string"),
        (typing.FrozenSet[str], "array of string"),
        (collections.abc.Set[str], "array of string"),
        (collections.deque[str], "array of string"),
        (typing.Deque[str], "array of string"),
        (typing.Iterable[str], "array of string"),
        (collections.abc.Collection[str], "array of string"),
        (collections.abc.MutableSequence[str], "array of string"),
    ],
)
def test_every_collection_is_an_array(annotation, label):
    """Sets may say that their items are unique, and nothing else differs."""
    schema = schema_of(annotation)
    schema.pop("uniqueItems", None)

    assert schema == {"type": "array", "items": STRING}
    assert notation_of(annotation) == {"@type": label}


@pytest.mark.parametrize(
    "annotation", [list, tuple, set, frozenset, typing.List, typing.Sequence, collections.deque]
)
def test_a_bare_collection_holds_anything(annotation):
    """A collection without arguments is an array of any."""
    schema = schema_of(annotation)

    assert schema["type"] == "array"
    assert schema.get("items", {}) in ({}, True)
    assert notation_of(annotation)["@type"] == "array of any"


@pytest.mark.parametrize("annotation", [dict, typing.Dict, typing.Mapping, collections.OrderedDict])
def test_a_bare_map_holds_anything(annotation):
    """A map without arguments admits any value."""
    schema = schema_of(annotation)

    assert schema["type"] == "object"
    assert schema["additionalProperties"] is True


@pytest.mark.parametrize(
    ("annotation", "standard"),
    [
        (dt.time, {"format": "time"}),
        (dt.timedelta, {"format": "duration"}),
        (uuid.UUID, {"format": "uuid"}),
        (bytes, {"contentEncoding": "base64"}),
        (decimal.Decimal, {}),
        (pathlib.Path, {}),
        (pathlib.PurePath, {}),
        (pathlib.PurePosixPath, {}),
    ],
)
def test_other_values_are_strings_with_their_standard_format(annotation, standard):
    """A plain word in the notation; a string, with the format that the standard has for it."""
    schema = schema_of(annotation)
    label = notation_of(annotation)["@type"]

    assert schema["type"] == "string"
    assert standard.items() <= schema.items()
    assert label
    assert " " not in label
    assert "." not in label


@pytest.mark.parametrize("annotation", [Any, object])
def test_any_has_no_type_at_all(annotation):
    """An untyped value states only its description."""
    assert json_schema(holder(annotation))["properties"]["value"] == {"description": "Words"}


# --- enums and literals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "values"),
    [
        (Mood, ["up", "down"]),
        (Level, ["LOW", "HIGH"]),
        (Mixed, ["word", "NUMBER", "NOTHING"]),
        (Worded, ["new", "in progress"]),
        (Aliased, ["first", "SECOND"]),
        (enum.Enum("Functional", "A B"), ["A", "B"]),
        (enum.Enum("Texts", {"A": "a", "B": "b"}), ["a", "b"]),
        (enum.Enum("Empty text", {"A": "", "B": " b "}), ["", " b "]),
    ],
)
def test_an_enum_is_published_in_wire_form(annotation, values):
    """The wire form of a member is its value when that is a string, otherwise its name; aliases add none."""
    assert schema_of(annotation) == {"type": "string", "enum": values}
    assert notation_of(annotation) == {"@type": "enum", "@values": values}
    assert list(describe(holder(annotation)).fields["value"].enum_values) == values


class Crossed(enum.Enum):
    A = "B"
    B = 1


@pytest.mark.parametrize("annotation", [Crossed, Literal[Mood.UP, "up"], Literal[Crossed.A, "B"]])
def test_two_values_of_one_wire_form_are_refused_or_told_apart(annotation):
    """What is written reads back equal: two members that travel as one text cannot."""
    cls = holder(annotation)
    try:
        describe(cls)
    except SchemaError as error:
        assert "Holder" in str(error)
        return
    for value in annotation if isinstance(annotation, type) else typing.get_args(annotation):
        assert parse(write(cls(value)), cls) == cls(value)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="StrEnum is new in 3.11")
def test_a_strenum_is_published_by_its_values():
    """The values of a StrEnum are strings."""
    module = module_of(
        """
        import enum
        class Kind(enum.StrEnum):
            ONE = enum.auto()
            TWO = "2"
        """
    )

    assert schema_of(module.Kind) == {"type": "string", "enum": ["one", "2"]}


@pytest.mark.parametrize(
    ("annotation", "label", "extra"),
    [
        (list[Mood], "array of enum", "items"),
        (set[Mood], "array of enum", "items"),
        (tuple[Mood, ...], "array of enum", "items"),
        (dict[str, Mood], "map from string to enum", "additionalProperties"),
    ],
)
def test_an_enum_in_a_container_is_described(annotation, label, extra):
    """The values are never lost to a name."""
    assert schema_of(annotation)[extra] == MOODS
    assert notation_of(annotation) == {"@type": label, "@values": ["up", "down"]}
    assert list(describe(holder(annotation)).fields["value"].enum_values) == ["up", "down"]


def test_an_enum_deep_in_containers_is_described():
    """dict[str, list[Mood]] keeps the values."""
    assert schema_of(dict[str, list[Mood]]) == {
        "type": "object",
        "additionalProperties": {"type": "array", "items": MOODS},
    }
    assert notation_of(dict[str, list[Mood]]) == {
        "@type": "map from string to array of enum",
        "@values": ["up", "down"],
    }


def test_the_keys_of_a_map_may_be_an_enum():
    """The member names that are allowed are shown in both renderings."""
    schema = schema_of(dict[Mood, int])

    assert schema["additionalProperties"] == INTEGER
    assert Draft202012Validator(schema).is_valid({"up": 1})
    assert notation_of(dict[Mood, int])["@type"] == "map from enum to integer"
    assert "up" in json.dumps(notation_of(dict[Mood, int]))


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["only"], {"type": "string", "enum": ["only"]}),
        (Literal[1, 2, -3], {"type": "integer", "enum": [1, 2, -3]}),
        (Literal[True], {"type": "boolean", "enum": [True]}),
        (Literal[True, False], {"type": "boolean", "enum": [True, False]}),
        (Literal["one", 2], {"enum": ["one", 2]}),
        (Literal["3", 3], {"enum": ["3", 3]}),
        (Literal[True, "maybe"], {"enum": [True, "maybe"]}),
        (Literal["a", "a"], {"type": "string", "enum": ["a"]}),
        (Literal[Literal["a"], Literal["b", "c"]], {"type": "string", "enum": ["a", "b", "c"]}),
        (Literal[Mood.UP], {"type": "string", "enum": ["up"]}),
        (Literal[Level.LOW], {"type": "string", "enum": ["LOW"]}),
        (Literal[Mood.UP, "other"], {"type": "string", "enum": ["up", "other"]}),
        (Literal[Mood.UP, 3], {"enum": ["up", 3]}),
    ],
)
def test_a_literal_is_published_with_its_own_type(annotation, expected):
    """The values' own type, none for a mixture, and members of enums in wire form."""
    schema = schema_of(annotation)

    assert schema == expected
    assert [type(value) for value in schema["enum"]] == [type(value) for value in expected["enum"]]
    assert notation_of(annotation) == {"@type": "enum", "@values": expected["enum"]}


@pytest.mark.parametrize("values", [(True, 1, 0, False), (0, False), (1, True)])
def test_a_literal_of_equal_values_of_two_types_keeps_both(values):
    """True and 1 are equal in Python and different in JSON."""
    cls = holder(Literal[values])
    published = schema_of(Literal[values])["enum"]

    assert [(type(value), value) for value in published] == [(type(value), value) for value in values]
    for value in values:
        assert Draft202012Validator(json_schema(cls)).is_valid(json.loads(write(cls(value))))
        assert type(parse(write(cls(value)), cls).value) is type(value)


def test_none_inside_a_literal_is_optional():
    """Literal["a", None] is Literal["a"] that may be left out."""
    cls = holder(Literal["a", None], default=None)

    assert json_schema(cls)["properties"]["value"] == {
        "type": "string",
        "enum": ["a"],
        "description": "Words",
    }
    assert notation_of(Literal["a", None], default=None) == {"@type": "enum", "@values": ["a"]}
    assert parse('{"value": null}', cls).value is None


def test_none_inside_a_literal_with_another_default_is_nullable():
    """Null means something else than absence, so the schema admits it."""
    cls = holder(Literal["a", None], default="a")

    assert Draft202012Validator(json_schema(cls)).is_valid({"value": None})
    assert Draft202012Validator(json_schema(cls)).is_valid({"value": "a"})
    assert not Draft202012Validator(json_schema(cls)).is_valid({"value": "b"})
    assert parse('{"value": null}', cls).value is None


def test_a_list_of_literals_shows_its_values():
    """A literal inside a container keeps its values."""
    assert schema_of(list[Literal["a", 1]]) == {"type": "array", "items": {"enum": ["a", 1]}}
    assert notation_of(list[Literal["a", 1]]) == {"@type": "array of enum", "@values": ["a", 1]}


def test_bytes_in_a_literal_are_refused():
    """A literal that JSON has no word for is refused like any other annotation."""
    with pytest.raises(SchemaError, match=r"Holder.*value|value.*Holder"):
        describe(holder(Literal[b"x"]))


# --- composites and nesting -----------------------------------------------------------------------------


def test_a_composite_is_an_object_with_title_properties_and_required():
    """The root of a schema is the class, whole."""
    assert json_schema(Point) == POINT
    assert llm_schema(Point) == {"@type": "Point", "@description": "A point.", "@fields": POINT_FIELDS}


def test_a_composite_field_has_the_words_of_the_field():
    """The description beside a field is the field's."""
    assert schema_of(Point) == POINT_FIELD
    assert notation_of(Point) == {"@type": "Point", "@fields": POINT_FIELDS}


@pytest.mark.parametrize(
    ("annotation", "label", "expected"),
    [
        (list[Point], "array of Point", {"type": "array", "items": POINT}),
        (tuple[Point, ...], "array of Point", {"type": "array", "items": POINT}),
        (typing.Sequence[Point], "array of Point", {"type": "array", "items": POINT}),
        (
            list[list[Point]],
            "array of array of Point",
            {"type": "array", "items": {"type": "array", "items": POINT}},
        ),
        (Optional[list[Point]], "array of Point", {"type": "array", "items": POINT}),
        (list[Annotated[Point, 1]], "array of Point", {"type": "array", "items": POINT}),
        (list[NewType("P", Point)], "array of Point", {"type": "array", "items": POINT}),
    ],
)
def test_a_composite_in_collections_is_described(annotation, label, expected):
    """The members stand beside the label, however deep the collection is."""
    assert schema_of(annotation) == expected
    assert notation_of(annotation) == {"@type": label, "@fields": POINT_FIELDS}


def test_a_map_of_composites_shows_its_value():
    """The value of a map stands under @fields as the member "<key>"."""
    assert schema_of(dict[str, Point]) == {"type": "object", "additionalProperties": POINT}
    assert notation_of(dict[str, Point]) == {
        "@type": "map from string to Point",
        "@fields": {"<key>": {"@type": "Point", "@description": "A point.", "@fields": POINT_FIELDS}},
    }


@pytest.mark.parametrize(
    ("annotation", "label"),
    [
        (dict[str, list[Point]], "map from string to array of Point"),
        (dict[str, dict[str, Point]], "map from string to map from string to Point"),
        (list[dict[str, Point]], "array of map from string to Point"),
        (list[dict[str, list[Point]]], "array of map from string to array of Point"),
        (dict[str, Optional[Point]], None),
        (list[Optional[Point]], "array of Point or null"),
        (tuple[int, Point], None),
        (tuple[tuple[Point, int], ...], None),
        (list[tuple[Point, Mood]], None),
        (dict[str, tuple[int, Point]], None),
        (Union[Point, list[Point]], "Point or array of Point"),
        (Union[list[Point], dict[str, Point]], None),
        (collections.deque[Point], "array of Point"),
        (Optional[dict[str, Optional[list[Optional[Point]]]]], None),
    ],
)
def test_a_composite_in_any_nesting_is_described(annotation, label):
    """Never reduced to its name, in either rendering."""
    schema, notation = schema_of(annotation), notation_of(annotation)

    assert any(
        node.get("title") == "Point" and node["properties"] == POINT["properties"] for node in nodes(schema)
    )
    assert "The x" in json.dumps(notation)
    assert '"@fields"' in json.dumps(notation)
    if label:
        assert notation["@type"] == label


@pytest.mark.parametrize(
    "annotation",
    [list[dict[str, Mood]], dict[str, tuple[Mood, int]], list[Union[Mood, int]], list[Optional[Mood]]],
)
def test_an_enum_in_any_nesting_is_described(annotation):
    """Never reduced to its name, in either rendering."""
    assert any(node.get("enum") == ["up", "down"] for node in nodes(schema_of(annotation)))
    assert '"@values": ["up", "down"]' in json.dumps(notation_of(annotation))


def test_siblings_of_one_type_are_both_described_in_full():
    """Only a cycle becomes a reference."""
    cls = make_class("Pair", {"a": field(type=Point), "b": field(type=Point), "c": field(type=list[Point])})
    schema = json_schema(cls)

    assert "$defs" not in schema
    assert "$ref" not in json.dumps(schema)
    assert (
        schema["properties"]["a"]["properties"]
        == schema["properties"]["b"]["properties"]
        == POINT["properties"]
    )
    assert schema["properties"]["c"]["items"] == POINT
    assert all(llm_schema(cls)["@fields"][name]["@fields"] == POINT_FIELDS for name in ("a", "b", "c"))


def test_a_dataclass_nests_in_an_attrs_class_and_the_other_way():
    """The two kinds of composites mix."""

    @dataclasses.dataclass
    class Outer:
        point: Point

    inner = schema_of(Outer)
    assert inner["title"] == "Outer"
    assert inner["properties"]["point"]["title"] == "Point"


def test_every_object_with_members_has_the_title_that_the_notation_prints():
    """Title and @type are one name."""

    @define
    class Deep:
        a: Point
        b: list[dict[str, Point]]
        c: Union[Circle, Square]
        d: Box[Point]
        e: tuple[Point, int]

    schema = json_schema(Deep)
    titles = {node["title"] for node in nodes(schema) if "properties" in node}

    assert titles == {"Deep", "Point", "Circle", "Square", "Box_Point"}
    for title in titles:
        assert f'"@type": "{title}"' in json.dumps(llm_schema(Deep)) or title == "Point"


# --- tuples ---------------------------------------------------------------------------------------------


def test_a_fixed_tuple_has_prefix_items():
    """Every place has its own schema, and the length is fixed."""
    schema = schema_of(tuple[int, str])

    assert schema["type"] == "array"
    assert schema["prefixItems"] == [INTEGER, STRING]
    for instance, valid in [([1, "a"], True), ([1], False), ([1, "a", 2], False), (["a", 1], False)]:
        assert Draft202012Validator(schema).is_valid(instance) is valid
    assert notation_of(tuple[int, str])["@type"].startswith("array of")


def test_a_fixed_tuple_of_one_is_fixed():
    """One place is no open end."""
    schema = schema_of(tuple[int])

    assert schema["prefixItems"] == [INTEGER]
    assert not Draft202012Validator(schema).is_valid([1, 2])


def test_an_empty_tuple_is_described_validly():
    """prefixItems may not be empty in JSON Schema."""
    schema = schema_of(tuple[()])

    assert Draft202012Validator(schema).is_valid([])
    assert not Draft202012Validator(schema).is_valid([1])
    assert parse('{"value": []}', holder(tuple[()])).value == ()


def test_a_tuple_is_read_as_it_is_described():
    """A wrong length is refused where the schema refuses it."""
    assert parse('{"value": ["1", 2]}', holder(tuple[int, str])).value == (1, "2")
    for text in ("[1]", '[1, "a", 3]', "[]"):
        with pytest.raises(MappingError):
            parse(f'{{"value": {text}}}', holder(tuple[int, str]))


# --- Optional and null ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "annotation", [str, int, Mood, Point, list[Point], dict[str, int], Union[int, str], Any, Node]
)
def test_optional_is_described_as_what_it_wraps(annotation):
    """Optional[X] is described as X, only not required."""
    assert schema_of(Optional[annotation], default=None) == schema_of(annotation)
    assert notation_of(Optional[annotation], default=None) == notation_of(annotation)
    assert describe(holder(Optional[annotation])).fields["value"].required is False or annotation is Any


@pytest.mark.parametrize(
    ("annotation", "default", "good"),
    [
        (int, 3, 4),
        (str, "a", "b"),
        (Mood, Mood.UP, "down"),
        (Point, Point(1), {"x": 1}),
        (list[int], Factory(lambda: [1]), [2]),
        (dict[str, int], Factory(dict), {"a": 1}),
        (Union[Circle, Square], Circle("circle", 1.0), {"kind": "square", "side": 1}),
        (tuple[int, str], (1, "a"), [2, "b"]),
        (dt.date, dt.date(2020, 1, 1), "2021-01-01"),
        (Literal["a", 1], "a", 1),
    ],
)
def test_a_field_that_admits_none_and_has_another_default_is_nullable(annotation, default, good):
    """Null and absence differ, so the schema admits null and the notation says so."""
    cls = holder(Optional[annotation], default=default)
    schema = json_schema(cls)
    Draft202012Validator.check_schema(schema)

    assert Draft202012Validator(schema).is_valid({"value": None})
    assert Draft202012Validator(schema).is_valid({"value": good})
    assert Draft202012Validator(schema).is_valid({})
    assert llm_schema(cls)["@fields"]["value"]["@type"].endswith(" or null")
    assert schema["properties"]["value"]["description"] == "Words"
    assert parse('{"value": null}', cls).value is None
    assert Draft202012Validator(schema).is_valid(json.loads(write(cls(None))))


def test_a_nullable_reference_keeps_its_words():
    """Even a cycle with another default is a reference beside null."""
    module = module_of(
        """
        from attrs import define, field
        from nucleo_schema import meta
        @define
        class Ring:
            name: str = ""
            back: "Ring | None" = field(factory=lambda: None, metadata=meta("Back"))
        """
    )
    schema = json_schema(module.Ring)

    assert schema["properties"]["back"]["description"] == "Back"
    assert Draft202012Validator(schema).is_valid({"back": {"name": "x"}})


@pytest.mark.parametrize(
    ("annotation", "label", "where"),
    [
        (list[Optional[int]], "array of integer or null", "items"),
        (set[Optional[int]], "array of integer or null", "items"),
        (tuple[Optional[int], ...], "array of integer or null", "items"),
        (dict[str, Optional[int]], "map from string to integer or null", "additionalProperties"),
    ],
)
def test_optional_inside_a_container_is_described(annotation, label, where):
    """Null is data inside a container: anyOf of the type and null."""
    assert schema_of(annotation)[where] == {"anyOf": [INTEGER, NULL]}
    assert notation_of(annotation)["@type"] == label


def test_optional_composites_inside_a_container_are_described():
    """The composite is whole, beside null."""
    assert schema_of(list[Optional[Point]]) == {"type": "array", "items": {"anyOf": [POINT, NULL]}}


def test_an_optional_enum_inside_a_container_admits_null():
    """null is valid beside the values."""
    schema = schema_of(list[Optional[Mood]])

    assert Draft202012Validator(schema).is_valid(["up", None])
    assert not Draft202012Validator(schema).is_valid(["other"])


def test_none_alone_is_null():
    """A field of type None is described and read."""
    assert schema_of(None.__class__) == NULL
    assert parse('{"value": null}', holder(type(None))).value is None


# --- unions ---------------------------------------------------------------------------------------------


def test_a_union_of_composites_shows_every_alternative():
    """anyOf in the schema, @any_of in the notation, each alternative whole and with its own words."""
    schema, notation = schema_of(Union[Point, Circle]), notation_of(Union[Point, Circle])

    assert [alternative["title"] for alternative in schema["anyOf"]] == ["Point", "Circle"]
    assert schema["anyOf"][0] == POINT
    assert "type" not in schema
    assert notation["@type"] == "Point or Circle"
    assert [alternative["@type"] for alternative in notation["@any_of"]] == ["Point", "Circle"]
    assert notation["@any_of"][0]["@fields"] == POINT_FIELDS
    assert notation["@any_of"][0]["@description"] == "A point."


@pytest.mark.parametrize("annotation", [Union[Point, Circle], Point | Circle])
def test_both_spellings_of_a_union_are_described_alike(annotation):
    """Union[A, B] and A | B."""
    assert schema_of(annotation) == schema_of(Union[Point, Circle])


def test_a_union_of_three_names_all():
    """The label joins every alternative."""
    assert notation_of(Union[Point, Circle, Square])["@type"] == "Point or Circle or Square"
    assert len(schema_of(Union[Point, Circle, Square])["anyOf"]) == 3


@pytest.mark.parametrize(
    ("annotation", "label"),
    [
        (list[Union[Point, Circle]], "array of Point or Circle"),
        (Optional[Union[Point, Circle]], "Point or Circle"),
        (Optional[list[Union[Point, Circle]]], "array of Point or Circle"),
        (dict[str, Union[Point, Circle]], "map from string to Point or Circle"),
    ],
)
def test_a_union_in_a_container_is_described(annotation, label):
    """The alternatives are described wherever the union stands."""
    assert notation_of(annotation)["@type"] == label
    assert any("anyOf" in node for node in nodes(schema_of(annotation)))
    text = json.dumps(notation_of(annotation))
    assert "The x" in text
    assert "radius" in text


def test_a_union_of_scalars_is_described():
    """Scalars are alternatives too."""
    assert schema_of(Union[int, str]) == {"anyOf": [INTEGER, STRING]}
    assert notation_of(Union[int, str])["@type"] == "integer or string"


def test_a_union_with_an_enum_shows_its_values():
    """The enum among the alternatives is described."""
    assert {"type": "string", "enum": ["up", "down"]} in schema_of(Union[Point, Mood])["anyOf"]
    assert '"@values": ["up", "down"]' in json.dumps(notation_of(Union[Point, Mood]))


def test_a_union_with_any_is_any():
    """What admits anything admits anything."""
    schema = schema_of(Union[int, Any])

    assert Draft202012Validator(schema).is_valid({"a": []})


@pytest.mark.parametrize("twice", [Union[int, Annotated[int, "note"]], Union[int, NewType("Count", int)]])
def test_one_alternative_twice_is_described_once(twice):
    """An alternative that two spellings give is one alternative, and is read as one."""
    schema = schema_of(twice)

    assert schema == INTEGER or schema["anyOf"].count(INTEGER) == 1
    assert notation_of(twice)["@type"] == "integer"
    assert parse('{"value": 3}', holder(twice)).value == 3


def test_a_composite_named_by_two_spellings_in_a_union_is_one():
    """Two names for one class make no union to choose from."""
    twice = Union[Point, NewType("Place", Point)]

    assert parse('{"value": {"x": 1}}', holder(twice)).value == Point(1)
    assert notation_of(twice)["@type"] == "Point"


def test_the_definition_of_a_composite_hangs_on_its_descriptor():
    """definition is there for a nested class, in containers too, and None for a scalar."""
    for annotation in (Point, list[Point], Optional[Point], dict[str, Point]):
        definition = describe(holder(annotation)).fields["value"].definition
        assert isinstance(definition, ClassDefinition)
        assert (definition.name, list(definition.fields)) == ("Point", ["x", "y"])
    assert describe(holder(int)).fields["value"].definition is None


# --- definitions and descriptors ------------------------------------------------------------------------


def test_a_definition_holds_what_the_contract_names():
    """Name, description, fields by wire name, and whether it is an artifact."""
    definition = describe(Point)

    assert isinstance(definition, ClassDefinition)
    assert (definition.name, definition.description, definition.is_artifact) == ("Point", "A point.", False)
    assert list(definition.fields) == ["x", "y"]
    assert all(isinstance(descriptor, FieldDescriptor) for descriptor in definition.fields.values())


def test_a_descriptor_holds_what_the_contract_names():
    """Attribute name, wire name, label, flags, examples and keywords."""
    cls = make_class(
        "Holder",
        {"firstName": field(type=str, metadata=meta("First", examples=["Ada", "Bo"], context_ignore=True))},
    )
    descriptor = describe(cls).fields["first_name"]

    assert (descriptor.name, descriptor.wire_name) == ("firstName", "first_name")
    assert descriptor.description == "First (REQUIRED) [Examples: Ada, Bo]"
    assert (descriptor.type_label, descriptor.required) == ("string", True)
    assert list(descriptor.examples) == ["Ada", "Bo"]
    assert not descriptor.enum_values
    assert descriptor.definition is None
    assert descriptor.reference is None
    assert dict(descriptor.keywords) == {CONTEXT_IGNORE: True}


@pytest.mark.parametrize(
    ("required", "examples", "expected"),
    [
        (True, [], "Words (REQUIRED)"),
        (False, [], "Words"),
        (False, ["a"], "Words [Examples: a]"),
        (True, ["a", "b"], "Words (REQUIRED) [Examples: a, b]"),
    ],
)
def test_the_description_carries_the_token_and_the_examples(required, examples, expected):
    """The descriptor speaks to the model; the renderings have structure in its place."""
    cls = holder(str, metadata=meta("Words", required=required, examples=examples))

    assert describe(cls).fields["value"].description == expected
    assert json_schema(cls)["properties"]["value"]["description"] == "Words"
    assert llm_schema(cls)["@fields"]["value"]["@description"] == "Words"


def test_methods_and_functions_give_the_same():
    """The shortcuts are shortcuts, and the texts are the same as pretty JSON."""
    for cls in (Point, Node, holder(Union[Point, Mood]), Box[Point]):
        definition = describe(cls)
        assert definition.json_schema() == json_schema(cls) == json.loads(definition.to_json_schema())
        assert definition.llm_schema() == llm_schema(cls) == json.loads(definition.to_llm_schema())
        assert "\n  " in definition.to_json_schema()
        assert "\n  " in definition.to_llm_schema()
        assert list(json.loads(definition.to_json_schema())) == list(json_schema(cls))


def test_the_text_keeps_letters_as_they_are():
    """Pretty JSON text is for people and models: no escapes for letters."""
    assert "größe" in describe(described("größe")(holder(int))).to_json_schema()


# --- overriding descriptions ----------------------------------------------------------------------------


def test_root_descriptions_can_be_replaced():
    """The named field has the caller's words, in the dict and in the text."""
    schema = json_schema(Point, {"x": "Other words"})

    assert schema["properties"]["x"]["description"] == "Other words"
    assert schema["properties"]["y"]["description"] == "The y"
    assert schema["required"] == ["x"]
    assert describe(Point).json_schema({"x": "Other words"}) == schema
    assert describe(Point).json_schema(descriptions={"x": "Other words"}) == schema
    assert json.loads(describe(Point).to_json_schema(descriptions={"x": "Other words"})) == schema


def test_replacing_a_description_lasts_for_one_rendering():
    """The class is still described by its own words."""
    json_schema(Point, {"x": "Other words"})

    assert json_schema(Point) == POINT


def test_replacing_reaches_the_root_only():
    """A nested field of the same name keeps its words."""
    cls = make_class("Outer", {"x": field(type=int), "point": field(type=Point)})
    schema = json_schema(cls, {"x": "Other"})

    assert schema["properties"]["x"]["description"] == "Other"
    assert schema["properties"]["point"]["properties"]["x"]["description"] == "The x"


@pytest.mark.parametrize(
    "annotation", [list[Point], dict[str, Point], Union[Point, Circle], Optional[int], Mood, Node]
)
def test_a_replaced_description_stands_on_the_field_of_any_shape(annotation):
    """Only the description changes."""
    plain, replaced = json_schema(holder(annotation)), json_schema(holder(annotation), {"value": "Other"})

    assert replaced["properties"]["value"].pop("description") == "Other"
    assert plain["properties"]["value"].pop("description") == "Words"
    assert plain == replaced


def test_a_replaced_description_of_a_reference_stands_beside_it():
    """A field that comes back to the root can be described anew."""
    schema = json_schema(Node, {"next": "Other"})

    assert schema["properties"]["next"] == {"$ref": "#/$defs/Node", "description": "Other"}


@pytest.mark.parametrize("words", [None, 3, ["a"], b"x"])
def test_a_replacement_that_is_no_text_is_refused(words):
    """A description is text: nothing else makes a schema that is valid."""
    with pytest.raises((NucleoError, TypeError)):
        json_schema(Point, {"x": words})


def test_replacing_nothing_changes_nothing():
    """None and an empty mapping are no replacement."""
    assert json_schema(Point, None) == json_schema(Point, {}) == POINT


# --- cycles ---------------------------------------------------------------------------------------------


def test_a_class_that_contains_itself_refers_to_its_definition():
    """A reference in the schema, the bare name in the notation, each with its own words."""
    schema, notation = json_schema(Node), llm_schema(Node)

    assert schema["properties"]["next"] == {"$ref": "#/$defs/Node", "description": "The next node"}
    assert schema["properties"]["children"] == {
        "type": "array",
        "description": "The children",
        "items": {"$ref": "#/$defs/Node"},
    }
    assert list(schema["$defs"]) == ["Node"]
    assert notation["@fields"]["next"] == {"@type": "Node", "@description": "The next node"}
    assert notation["@fields"]["children"] == {"@type": "array of Node", "@description": "The children"}


@define
class Shelf(Generic[T]):
    """What pickles."""

    items: list[T] = field(factory=list, metadata=meta("Items", examples=[["a"]], context_ignore=True))
    text: str = field(
        default="", metadata=meta("Text", summarizable=Summarizable("a text"), examples=["b", "c"])
    )
    inner: Optional["Shelf[T]"] = None


@pytest.mark.parametrize("cls", [Shelf, Shelf[str], Node])
def test_a_description_pickles(cls):
    """So do the descriptors in it and a contract: they can go to another process."""
    definition = describe(cls)
    contract = ResponseContract(cls)

    assert pickle.loads(pickle.dumps(definition)).json_schema() == definition.json_schema()
    assert pickle.loads(pickle.dumps(contract)).instructions() == contract.instructions()
    assert copy.deepcopy(definition) is definition
    for name, descriptor in definition.fields.items():
        copied = pickle.loads(pickle.dumps(descriptor))
        assert copied.description == descriptor.description
        assert copied.keywords == descriptor.keywords
        assert copied.wire_name == name


def test_a_description_that_is_shared_cannot_be_changed():
    """What a caller does to what they were given shows nowhere else."""
    before = describe(Shelf[str])
    schemas = before.llm_schema(), before.json_schema()

    with pytest.raises(TypeError):
        before.definitions["x"] = before
    with pytest.raises(TypeError):
        before.fields["x"] = before.fields["text"]
    before.fields["items"].examples[0].append("z")
    before.fields["text"].keywords[SUMMARIZABLE]["hint"] = "z"
    before.fields["text"].keywords["z"] = 1
    after = describe(Shelf[str])

    assert after.fields["items"].examples == (["a"],)
    assert after.fields["text"].keywords == before.fields["text"].keywords
    assert (after.llm_schema(), after.json_schema({"text": "Text"})) == schemas


def test_a_definition_never_carries_definitions_of_its_own():
    """$defs stands on the root only, and the entry is the class."""
    schema = json_schema(Node)
    entry = schema["$defs"]["Node"]

    assert "$defs" not in entry
    assert entry == {key: node for key, node in schema.items() if key != "$defs"}
    assert sum("$defs" in node for node in nodes(schema)) == 1


def test_a_cycle_below_the_root_defines_at_the_root():
    """The root of the schema has the definitions, whoever needs them."""
    schema = json_schema(holder(list[Node]))

    assert list(schema["$defs"]) == ["Node"]
    assert sum("$defs" in node for node in nodes(schema)) == 1
    assert Draft202012Validator(schema).is_valid({"value": [{"name": "a", "next": {"name": "b"}}]})
    assert not Draft202012Validator(schema).is_valid({"value": [{"name": "a", "next": {"name": 3}}]})


def test_the_descriptor_of_a_reference_names_it():
    """reference is the name of the class that comes back, None elsewhere."""
    fields = describe(Node).fields

    assert fields["next"].reference == "Node"
    assert fields["children"].reference == "Node"
    assert fields["name"].reference is None
    assert fields["next"].type_label == "Node"
    assert fields["children"].type_label == "array of Node"


CYCLE_FORMS = [
    ("A | None", {"$ref": "#/$defs/A"}, "A"),
    ("Optional[A]", {"$ref": "#/$defs/A"}, "A"),
    ("list[A]", {"type": "array", "items": {"$ref": "#/$defs/A"}}, "array of A"),
    ("tuple[A, ...]", {"type": "array", "items": {"$ref": "#/$defs/A"}}, "array of A"),
    (
        "list[list[A]]",
        {"type": "array", "items": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
        "array of array of A",
    ),
    (
        "dict[str, A]",
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/A"}},
        "map from string to A",
    ),
    (
        "dict[str, list[A]]",
        {"type": "object", "additionalProperties": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
        "map from string to array of A",
    ),
    (
        "list[A | None]",
        {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/A"}, NULL]}},
        "array of A or null",
    ),
    ("list[A] | None", {"type": "array", "items": {"$ref": "#/$defs/A"}}, "array of A"),
    ("A | int", {"anyOf": [{"$ref": "#/$defs/A"}, INTEGER]}, "A or integer"),
    ("tuple[int, A] | None", None, None),
    ("list[A] | dict[str, A]", None, None),
    ("Annotated[A, 1] | None", {"$ref": "#/$defs/A"}, "A"),
]


@pytest.mark.parametrize(("form", "expected", "label"), CYCLE_FORMS)
def test_a_cycle_through_any_shape_becomes_a_reference(form, expected, label):
    """Only the type that comes back is replaced, the shape around it stays."""
    module = module_of(
        f"""
        from typing import Annotated, Optional
        from attrs import define, field
        from nucleo_schema import meta
        @define
        class A:
            again: "{form}" = field(metadata=meta("Again", context_ignore=True))
        """
    )
    schema = json_schema(module.A)
    Draft202012Validator.check_schema(schema)

    assert list(schema["$defs"]) == ["A"]
    assert schema["properties"]["again"]["description"] == "Again"
    assert schema["properties"]["again"][CONTEXT_IGNORE] is True
    if expected:
        assert schema["properties"]["again"] == {**expected, "description": "Again", CONTEXT_IGNORE: True}
    if label:
        assert llm_schema(module.A)["@fields"]["again"]["@type"] == label
    llm_text = json.dumps(llm_schema(module.A))
    assert llm_text.count("Again") == 1


def test_a_reference_keeps_examples_keywords_and_required():
    """Everything that the field says stands beside the reference."""
    module = module_of(
        """
        from attrs import define, field
        from nucleo_schema import Summarizable, meta
        @define
        class A:
            name: str = ""
            again: "A | None" = field(default=None, metadata=meta(
                "Again", required=True, context_ignore=True, examples=[{"name": "x"}],
                summarizable=Summarizable("h")))
        """
    )
    schema = json_schema(module.A)
    again = schema["properties"]["again"]

    assert again["$ref"] == "#/$defs/A"
    assert again["description"] == "Again"
    assert again["examples"] == [{"name": "x"}]
    assert again[CONTEXT_IGNORE] is True
    assert again[SUMMARIZABLE]["hint"] == "h"
    assert schema["required"] == ["again"]
    assert llm_schema(module.A)["@fields"]["again"] == {
        "@type": "A",
        "@required": True,
        "@description": "Again",
        "@examples": [{"name": "x"}],
    }


MUTUAL = """
from attrs import define, field
from nucleo_schema import meta
@define
class A:
    '''An A.'''
    b: "B | None" = field(default=None, metadata=meta("The b"))
    name: str = ""
@define
class B:
    '''A B.'''
    a: "A | None" = field(default=None, metadata=meta("The a"))
    more: "list[B]" = field(factory=list)
@define
class Root:
    a: A
    b: B
"""


def test_mutual_cycles_become_references():
    """A describes B in full, and B refers back to A."""
    module = module_of(MUTUAL)
    schema = json_schema(module.A)

    b = schema["properties"]["b"]
    assert b["title"] == "B"
    assert b["properties"]["a"] == {"$ref": "#/$defs/A", "description": "The a"}
    assert b["properties"]["more"]["items"] == {"$ref": "#/$defs/B"}
    assert set(schema["$defs"]) == {"A", "B"}
    assert llm_schema(module.A)["@fields"]["b"]["@fields"]["a"] == {"@type": "A", "@description": "The a"}


def test_every_reference_of_mutual_cycles_resolves():
    """Valid instances are valid and wrong ones are not, however deep."""
    module = module_of(MUTUAL)
    schema = json_schema(module.Root)
    Draft202012Validator.check_schema(schema)
    good = {"a": {"b": {"a": {"b": {"more": [{"a": {"name": "x"}}]}}}}, "b": {"a": {"b": {}}}}
    bad = copy.deepcopy(good)
    bad["a"]["b"]["a"]["b"]["more"][0]["a"]["name"] = 3

    assert Draft202012Validator(schema).is_valid(good)
    assert not Draft202012Validator(schema).is_valid(bad)
    assert sum("$defs" in node for node in nodes(schema)) == 1
    assert all("$defs" not in entry for entry in schema["$defs"].values())


def test_siblings_of_a_cyclic_type_are_both_described():
    """The path decides, not what was seen before."""
    cls = make_class("Pair", {"a": field(type=Node), "b": field(type=Node)})
    schema = json_schema(cls)

    assert schema["properties"]["a"]["properties"] == schema["properties"]["b"]["properties"]
    assert "$ref" not in schema["properties"]["b"]


def test_a_long_cycle_ends():
    """A cycle of fifty classes is described."""
    source = "from attrs import define\n" + "\n".join(
        f"@define\nclass C{n}:\n    next: 'C{(n + 1) % 50} | None' = None" for n in range(50)
    )
    schema = json_schema(module_of(source).C0)

    assert list(schema["$defs"]) == ["C0"]
    Draft202012Validator.check_schema(schema)


def test_a_cycle_through_a_generic_ends():
    """A generic class that contains itself refers to itself by its full name."""
    module = module_of(
        """
        from typing import Generic, TypeVar
        from attrs import define
        T = TypeVar("T")
        @define
        class Tree(Generic[T]):
            value: T
            children: "list[Tree[T]]"
        @define
        class IntTree(Tree[int]):
            pass
        """
    )
    schema = json_schema(module.Tree[int])

    assert schema["title"] == "Tree_int"
    assert schema["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree_int"}
    assert json_schema(module.IntTree)["properties"]["value"]["type"] == "integer"
    Draft202012Validator.check_schema(json_schema(module.IntTree))
    tree = parse('{"value": "1", "children": [{"value": 2, "children": []}]}', module.Tree[int])
    assert tree.children[0].value == 2


GROWING = """
from typing import Generic, TypeVar
from attrs import define
T = TypeVar("T")
U = TypeVar("U")
@define
class Grow(Generic[T]):
    value: T
    next: "Grow[list[T]] | None" = None
@define
class Twice(Generic[T]):
    left: "Twice[tuple[T, T]] | None" = None
    right: "Twice[dict[str, T]] | None" = None
@define
class Swap(Generic[T, U]):
    a: T
    b: U
    back: "Swap[U, T] | None" = None
@define
class Ping(Generic[T]):
    pong: "Pong[list[T]] | None" = None
@define
class Pong(Generic[T]):
    ping: "Ping[list[T]] | None" = None
"""


@pytest.mark.parametrize("name", ["Grow", "Twice", "Ping"])
@pytest.mark.parametrize("bound", [True, False])
def test_a_generic_that_grows_for_ever_ends(name, bound):
    """The walk terminates on every type graph: with a schema or with a refusal of ours."""
    cls = getattr(module_of(GROWING), name)
    try:
        schema = json_schema(cls[int] if bound else cls)
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        assert name in str(error)
        assert len(str(error)) < 2000


def test_a_generic_that_swaps_its_arguments_ends():
    """Two parametrizations that lead to each other are two types on the path."""
    schema = json_schema(module_of(GROWING).Swap[int, str])

    assert schema["title"] == "Swap_int_str"
    assert schema["properties"]["back"]["title"] == "Swap_str_int"
    assert schema["properties"]["back"]["properties"]["back"]["$ref"] == "#/$defs/Swap_int_str"


def test_a_wide_tree_of_classes_is_printed_whole():
    """A chain of classes is walked once per place that is printed."""
    classes = [make_class("C0", {"x": field(type=int)})]
    for n in range(1, 13):
        classes.append(
            make_class(f"C{n}", {"a": field(type=classes[-1]), "b": field(type=list[classes[-1]])})
        )

    schema = json_schema(classes[-1])

    assert sum(1 for node in nodes(schema) if "title" in node) == 2**13 - 1


@pytest.mark.parametrize("depth", [150, 250, 1500])
def test_a_very_deep_chain_of_classes_is_described_or_refused(depth):
    """A depth beyond the interpreter's stack is an error of ours."""
    cls = make_class("C0", {"x": field(type=int)})
    for n in range(1, depth):
        cls = make_class(f"C{n}", {"a": field(type=cls)})
    try:
        assert json_schema(cls)["title"] == f"C{depth - 1}"
        assert llm_schema(cls)["@type"] == f"C{depth - 1}"
    except SchemaError as error:
        assert "C" in str(error)


def test_a_very_deep_annotation_is_described_or_refused():
    """The same for a nesting of containers."""
    annotation = int
    for _ in range(1500):
        annotation = list[annotation]
    try:
        describe(holder(annotation)).to_json_schema()
    except SchemaError as error:
        assert len(str(error)) < 2000


# --- generics -------------------------------------------------------------------------------------------


@define
class IntBox(Box[int]):
    extra: str = ""


@define
class ListBox(Box[list[T]], Generic[T]):
    pass


@define
class MoodListBox(ListBox[Mood]):
    pass


@define
class SwapBoth(Both[U, T], Generic[T, U]):
    pass


@define
class BoundSwap(SwapBoth[int, Point]):
    pass


def test_a_generic_is_resolved_through_the_subclass_that_binds_it():
    """Inherited fields have the bound type."""
    properties = json_schema(IntBox)["properties"]

    assert properties["item"]["type"] == "integer"
    assert properties["items"]["items"] == INTEGER
    assert json_schema(IntBox)["title"] == "IntBox"
    assert parse('{"item": "3", "items": ["4"]}', IntBox) == IntBox(3, [4])


def test_a_generic_is_bound_through_several_levels():
    """Each level passes its argument on."""
    properties = json_schema(MoodListBox)["properties"]

    assert properties["item"] == {"type": "array", "description": "Field item", "items": MOODS}
    assert properties["items"]["items"] == {"type": "array", "items": MOODS}
    assert parse('{"item": ["up"], "items": [["down"]]}', MoodListBox) == MoodListBox(
        [Mood.UP], [[Mood.DOWN]]
    )


def test_arguments_that_change_places_are_followed():
    """A subclass may pass its variables on in another order."""
    properties = json_schema(BoundSwap)["properties"]

    assert properties["first"]["title"] == "Point"
    assert properties["second"]["additionalProperties"]["items"]["type"] == "integer"
    assert parse('{"first": {"x": 1}, "second": {"a": ["2"]}}', BoundSwap).second == {"a": [2]}


@pytest.mark.parametrize("annotation", [Box, Box[Any]])
def test_an_unbound_variable_is_any(annotation):
    """A generic class without arguments holds anything."""
    assert "type" not in json_schema(annotation)["properties"]["item"]
    assert llm_schema(annotation)["@fields"]["item"]["@type"] == "any"
    assert llm_schema(annotation)["@fields"]["items"]["@type"] == "array of any"
    assert parse('{"item": {"@id": 1}}', annotation).item == {"@id": 1}


def test_an_unbound_bounded_variable_is_described():
    """A variable with a bound is any or its bound."""

    @define
    class Small(Generic[Bounded]):
        value: Bounded

    assert llm_schema(Small)["@fields"]["value"]["@type"] in ("any", "integer")


@pytest.mark.parametrize(
    ("annotation", "name"),
    [
        (Box, "Box"),
        (Box[int], "Box_int"),
        (Box[str], "Box_str"),
        (Box[Point], "Box_Point"),
        (Box[Mood], "Box_Mood"),
        (Box[Box[Point]], "Box_Box_Point"),
        (Both[int, Point], "Both_int_Point"),
        (Box[dt.date], "Box_date"),
    ],
)
def test_a_parametrized_generic_is_named_with_its_arguments(annotation, name):
    """Box[Order] is Box_Order, as title, as @type and as the name of the definition."""
    assert json_schema(annotation)["title"] == name
    assert llm_schema(annotation)["@type"] == name
    assert describe(annotation).name == name
    assert schema_of(annotation)["title"] == name
    assert notation_of(list[annotation])["@type"] == f"array of {name}"


@pytest.mark.parametrize(
    "annotation",
    [
        Box[list[int]],
        Box[dict[str, Point]],
        Box[Optional[int]],
        Box[Union[int, str]],
        Box[Literal["a b/c", 1]],
    ],
)
def test_any_argument_gives_a_plain_name(annotation):
    """A name of a type is a word that a reference can hold."""
    name = json_schema(annotation)["title"]

    assert name.startswith("Box_")
    assert name.isidentifier()


def test_two_parametrizations_are_two_types():
    """Box[int] and Box[str] stand side by side."""
    cls = make_class("Shelf", {"a": field(type=Box[int]), "b": field(type=Box[str])})
    properties = json_schema(cls)["properties"]

    assert properties["a"]["properties"]["item"]["type"] == "integer"
    assert properties["b"]["properties"]["item"]["type"] == "string"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Box[list[int]], Box[tuple[int, ...]]),
        (Box[int], Box[Int32]),
        (Box[Literal["a"]], Box[Literal["b"]]),
        (Box[Optional[int]], Box[int]),
        (Box[Box[int]], Box[Box[str]]),
    ],
)
def test_different_parametrizations_never_share_a_name_in_silence(left, right):
    """Two types under one name are refused, or have two names."""
    cls = make_class("Shelf", {"a": field(type=left), "b": field(type=right)})
    try:
        schema = json_schema(cls)
    except SchemaError:
        return
    a, b = schema["properties"]["a"], schema["properties"]["b"]
    assert a["title"] != b["title"] or a["properties"] == b["properties"]


def test_generic_dataclasses_are_bound():
    """A dataclass may be generic too."""

    @dataclasses.dataclass
    class DataBox(Generic[T]):
        item: T

    assert json_schema(DataBox[int])["title"] == "DataBox_int"
    assert json_schema(DataBox[int])["properties"]["item"]["type"] == "integer"


def test_a_generic_field_of_a_generic_is_bound():
    """The argument of the outer class reaches the inner one."""

    @define
    class Outer(Generic[T]):
        boxes: list[Box[T]]

    items = json_schema(Outer[Point])["properties"]["boxes"]["items"]
    assert items["title"] == "Box_Point"
    assert items["properties"]["item"]["title"] == "Point"


# --- name clashes ---------------------------------------------------------------------------------------


def two_of_one_name():
    """Return two different classes that are both called Twin."""
    source = "from attrs import define\n@define\nclass Twin:\n    {}: int = 0"
    return module_of(source.format("a")).Twin, module_of(source.format("b")).Twin


@pytest.mark.parametrize(
    "wrap",
    [
        lambda a, b: (a, b),
        lambda a, b: (a, list[b]),
        lambda a, b: (dict[str, a], Optional[b]),
        lambda a, b: (Union[a, b], int),
        lambda a, b: (tuple[a, b], int),
        lambda a, b: (list[list[a]], dict[str, tuple[int, b]]),
        lambda a, b: (Box[a], Box[b]),
        lambda a, b: (holder(a, "Left"), holder(list[b], "Right")),
    ],
)
def test_two_classes_of_one_name_are_refused(wrap):
    """The refusal names both, with their modules."""
    twins = two_of_one_name()
    first, second = wrap(*twins)
    cls = make_class("Outer", {"first": field(type=first), "second": field(type=second)})

    for render in (describe, json_schema, llm_schema, ResponseContract):
        with pytest.raises(SchemaError) as caught:
            render(cls)
        for twin in twins:
            assert f"{twin.__module__}.Twin" in str(caught.value)


def test_a_class_that_holds_another_of_its_own_name_is_refused():
    """The root takes part."""
    inner, _ = two_of_one_name()
    outer = make_class("Twin", {"inner": field(type=inner)})

    with pytest.raises(SchemaError, match=inner.__module__):
        json_schema(outer)


def test_a_class_called_like_a_parametrized_generic_clashes_with_it():
    """Box_Point and Box[Point] would be one definition."""
    imitation = make_class("Box_Point", {"other": field(type=int)})
    cls = make_class("Shelf", {"a": field(type=Box[Point]), "b": field(type=imitation)})

    with pytest.raises(SchemaError, match="Box_Point"):
        json_schema(cls)


def test_classes_of_one_name_in_two_schemas_are_no_clash():
    """Names must differ inside one schema only."""
    first, second = two_of_one_name()

    assert list(json_schema(holder(first))["properties"]["value"]["properties"]) == ["a"]
    assert list(json_schema(holder(second))["properties"]["value"]["properties"]) == ["b"]


def test_classes_nested_in_classes_have_their_simple_name():
    """The title is the simple name, and two of one simple name clash."""

    @define
    class Left:
        @define
        class Inner:
            a: int

        inner: Inner

    @define
    class Right:
        @define
        class Inner:
            b: int

        inner: Inner

    assert json_schema(Left)["properties"]["inner"]["title"] == "Inner"
    with pytest.raises(SchemaError, match=r"Left\.Inner.*Right\.Inner"):
        json_schema(make_class("Outer", {"a": field(type=Left), "b": field(type=Right)}))


# --- refusals -------------------------------------------------------------------------------------------


class Flags(enum.Flag):
    A = 1
    B = 2


class IntFlags(enum.IntFlag):
    A = 1


class Typed(TypedDict):
    a: int


class Named(NamedTuple):
    a: int


class Plain:
    def __init__(self, a: int) -> None:
        self.a = a


class Proto(typing.Protocol):
    a: int


UNSUPPORTED = [
    *(
        complex,
        Flags,
        IntFlags,
        Typed,
        Named,
        Plain,
        Proto,
        type,
        type[int],
        range,
        slice,
        memoryview,
        Exception,
    ),
    *(
        typing.Callable[[int], int],
        typing.Callable,
        collections.abc.Iterator[int],
        typing.Generator[int, None, None],
    ),
    *(
        types.ModuleType,
        types.FunctionType,
        array.array,
        typing.Pattern[str],
        typing.NoReturn,
        threading.Thread,
    ),
]


def bare_name(annotation):
    """Return the last part of the name of *annotation*."""
    return getattr(annotation, "__name__", None) or str(annotation).rpartition(".")[2].partition("[")[0]


@pytest.mark.parametrize("annotation", UNSUPPORTED)
def test_a_type_that_cannot_be_described_is_refused(annotation):
    """The refusal names class, field and annotation, in every rendering."""
    for render in (describe, json_schema, llm_schema):
        with pytest.raises(SchemaError) as caught:
            render(holder(annotation))
        message = str(caught.value)
        assert "Holder" in message
        assert "value" in message
        assert bare_name(annotation) in message


@pytest.mark.parametrize(
    "wrap",
    [
        lambda t: list[t],
        lambda t: dict[str, t],
        lambda t: Optional[t],
        lambda t: Union[int, t],
        lambda t: tuple[int, t],
        lambda t: tuple[t, ...],
        lambda t: dict[str, list[Optional[t]]],
        lambda t: Annotated[t, 1],
        lambda t: NewType("complex_number", t),
        lambda t: dict[t, int],
        lambda t: Box[t],
        lambda t: Both[int, t],
    ],
)
def test_a_type_that_cannot_be_described_is_refused_inside_any_shape(wrap):
    """The refusal names the class, the field and the type, wherever the type stands."""
    with pytest.raises(SchemaError) as caught:
        describe(holder(wrap(complex)))
    assert "complex" in str(caught.value)


def test_the_refusal_names_the_class_that_declares_the_field():
    """A nested class is named, not the root alone."""
    inner = make_class("Inner", {"bad": field(type=set[complex])})

    with pytest.raises(SchemaError, match=r"Inner\.bad.*set\[complex\]"):
        describe(holder(list[inner]))


@pytest.mark.parametrize(
    "target", [int, str, list, Mood, complex, None, 3, "Point", Plain, Point(1), lambda: 0]
)
def test_what_is_no_class_to_describe_is_refused(target):
    """Describing takes a composite."""
    with pytest.raises(SchemaError):
        describe(target)


class Unprintable:
    """A host's class whose instances cannot be shown."""

    def __repr__(self):
        msg = "no repr"
        raise RuntimeError(msg)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (Unprintable(), "an instance of Unprintable"),
        ([Unprintable()] * 3, "array (3 items)"),
        (Annotated[int, Unprintable()], "int"),
        (Optional[Union[int, list[Point]]], "int or list[Point] or None"),
        (Literal["a", 3, True, Mood.UP], "Literal[a, 3, True, Mood.UP]"),
        (typing.Callable[[int], str], "Callable[[int], str]"),
        (tuple[int, ...], "tuple[int, ...]"),
        (typing.List, "List"),
        (T, "T"),
        (NewType("Name", str), "Name"),
        (typing.ForwardRef("Later"), "Later"),
        (Any, "Any"),
        (None, "None"),
        (10**400, "integer of 1329 bits"),
    ],
)
def test_what_is_refused_is_named_in_short(target, words):
    """A type without its module, anything else by its kind, and nothing by code of the host's."""
    with pytest.raises(SchemaError) as caught:
        describe(target)

    assert str(caught.value) == f"describe: found {words}, expected an attrs class or a dataclass"


@pytest.mark.parametrize("key", [list[int], Point, dict[str, int], Any, float, bytes])
def test_a_map_key_without_a_text_form_is_refused_or_read(key):
    """A key that is described is one that a reply can write."""
    cls = holder(dict[key, int])
    try:
        describe(cls)
    except SchemaError as error:
        assert "value" in str(error)
        return
    parse('{"value": {}}', cls)
    assert notation_of(dict[key, int])["@type"].startswith("map from ")


@pytest.mark.parametrize(
    ("key", "word"),
    [
        (int, "integer"),
        (dt.date, "date"),
        (Mood, "enum"),
        (Literal["a"], "enum"),
        (NewType("L", str), "string"),
        (Int64, "long"),
    ],
)
def test_the_key_of_a_map_is_in_its_label(key, word):
    """map from K to V."""
    assert notation_of(dict[key, int])["@type"] == f"map from {word} to integer"
    assert schema_of(dict[key, int])["additionalProperties"] == INTEGER


@pytest.mark.parametrize(
    "annotation", [dict[str], [int], {"a": int}, (int,), 3, list[3], dict[str, int, int]], ids=str
)
def test_an_annotation_that_means_nothing_is_refused(annotation):
    """Wrong use is a refusal that names class and field, and no traceback from inside."""
    for use in (describe, lambda cls: parse('{"value": {}}', cls)):
        with pytest.raises(SchemaError, match=r"Holder.*value|value.*Holder"):
            use(holder(annotation))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="TypeVarTuple is new in 3.11")
def test_a_variadic_generic_is_described_in_full_or_refused():
    """No argument of a parametrized class is dropped in silence."""
    module = module_of(
        """
        from typing import Generic, TypeVarTuple, Unpack
        from attrs import define
        Ts = TypeVarTuple("Ts")
        @define
        class Row(Generic[Unpack[Ts]]):
            cells: "tuple[Unpack[Ts]]"
        """
    )
    try:
        node = json_schema(module.Row[int, str])["properties"]["cells"]
    except SchemaError:
        return
    assert [cell["type"] for cell in node["prefixItems"]] == ["integer", "string"]


def test_a_huge_annotation_is_refused_in_few_words():
    """The message is bounded however large the annotation is."""
    annotation = Union[tuple(make_class(f"Class{n}", {"x": field(type=complex)}) for n in range(3000))]

    with pytest.raises(SchemaError) as caught:
        describe(holder(annotation))
    assert len(str(caught.value)) < 2000


# --- examples -------------------------------------------------------------------------------------------


def examples_of(annotation, *examples):
    """Return where the examples of a field with *annotation* stand, in both renderings."""
    cls = holder(annotation, metadata=meta("Words", examples=examples))
    schema = json_schema(cls)
    Draft202012Validator.check_schema(schema)
    node = schema["properties"]["value"]
    for inner in nodes(node):
        for example in inner.get("examples", []):
            assert Draft202012Validator({**inner, "$defs": schema.get("$defs", {})}).is_valid(example)
    return node, llm_schema(cls)["@fields"]["value"]


@pytest.mark.parametrize(
    ("annotation", "given", "published"),
    [
        (int, "3", 3),
        (int, 3, 3),
        (int, 3.0, 3),
        (str, "3", "3"),
        (str, 3, "3"),
        (str, "A-1007", "A-1007"),
        (str, "", ""),
        (float, "1.5", 1.5),
        (float, 2, 2),
        (bool, "yes", True),
        (bool, 0, False),
        (dt.date, "31.12.2024", "2024-12-31"),
        (dt.date, dt.date(2024, 12, 31), "2024-12-31"),
        (dt.datetime, "2024-12-31", "2024-12-31T00:00:00"),
        (Mood, "UP", "up"),
        (Mood, "Down", "down"),
        (Mood, Mood.UP, "up"),
        (Level, 2, "HIGH"),
        (Literal["a", "b"], "A", "a"),
        (Literal[1, 2], "2", 2),
        (Optional[int], "3", 3),
        (Int32, "7", 7),
        (Any, {"a": [1]}, {"a": [1]}),
        (Any, "3", "3"),
        (dict[str, int], {"a": "1"}, {"a": 1}),
        (tuple[int, str], [1, 2], [1, "2"]),
        (Point, {"x": "1"}, {"x": 1}),
        (Union[Circle, Square], {"kind": "circle", "radius": "1"}, {"kind": "circle", "radius": 1.0}),
        (uuid.UUID, "12345678-1234-5678-1234-56781234ABCD", "12345678-1234-5678-1234-56781234abcd"),
    ],
)
def test_an_example_is_published_in_the_form_that_the_field_reads(annotation, given, published):
    """Coerced as a reply would be, the same in both renderings."""
    node, notation = examples_of(annotation, given)
    (example,) = node["examples"]

    if isinstance(published, dict):
        assert published.items() <= example.items()
    elif isinstance(published, str) and annotation is dt.datetime:
        assert example.startswith(published[:16])
    else:
        assert example == published
        assert type(example) is type(published) or annotation is float
    assert notation["@examples"] == [example]


@pytest.mark.parametrize(
    ("annotation", "path"),
    [
        (list[int], ["items"]),
        (set[int], ["items"]),
        (tuple[int, ...], ["items"]),
        (Optional[list[int]], ["items"]),
        (list[list[int]], ["items", "items"]),
    ],
)
def test_an_example_of_an_element_stands_on_the_items(annotation, path):
    """On items in the schema, on the field in the notation."""
    node, notation = examples_of(annotation, "3", 4)
    for key in path:
        assert "examples" not in node
        node = node[key]

    assert node["examples"] == [3, 4]
    assert notation["@examples"] == [3, 4]


@pytest.mark.parametrize(
    ("annotation", "example", "published"), [(list[Mood], "UP", "up"), (list[Literal["a"]], "A", "a")]
)
def test_an_example_of_a_list_of_enums_stands_on_the_items(annotation, example, published):
    """In wire form."""
    node, notation = examples_of(annotation, example)

    assert node["items"]["examples"] == [published]
    assert notation["@examples"] == [published]


def test_an_example_of_a_whole_list_stands_on_the_list():
    """Each example stands on the node that it fits."""
    node, _ = examples_of(list[int], [1, "2"])

    assert node["examples"] == [[1, 2]]
    assert "examples" not in node["items"]


def test_examples_of_both_kinds_stand_on_both_nodes():
    """A whole list and an element beside each other."""
    node, notation = examples_of(list[str], ["a", "b"], "c")

    assert node["examples"] == [["a", "b"]]
    assert node["items"]["examples"] == ["c"]
    assert sorted(notation["@examples"], key=str) == ["c", ["a", "b"]] or len(notation["@examples"]) == 2


def test_a_composite_element_is_an_example_of_the_items():
    """An example of one element of a list of composites."""
    node, _ = examples_of(list[Point], {"x": 1})

    assert node["items"]["examples"][0]["x"] == 1


@pytest.mark.parametrize(
    ("annotation", "example"),
    [
        (int, "many"),
        (int, 1.5),
        (int, True),
        (int, [1]),
        (Int32, 2**40),
        (bool, "perhaps"),
        (float, "x"),
        (dt.date, "30 February 2024"),
        (dt.date, "03/04/2024"),
        (Mood, "sideways"),
        (Literal["a"], "b"),
        (list[int], "x"),
        (list[Mood], ["up", "x"]),
        (dict[str, int], {"a": "x"}),
        (dict[str, int], "x"),
        (Point, {"y": 1}),
        (Point, 3),
        (str, {"a": 1}),
        (tuple[int, str], [1]),
        (Union[Circle, Square], {"kind": "oval"}),
        (str, object()),
        (int, complex(1)),
        (Any, object()),
    ],
)
def test_an_example_that_the_field_cannot_read_is_refused(annotation, example):
    """The refusal names class, field and example, in every rendering."""
    cls = holder(annotation, metadata=meta("Words", examples=[example]))

    for render in (json_schema, llm_schema, describe):
        with pytest.raises(SchemaError, match=r"Holder.*value|value.*Holder"):
            render(cls)


@pytest.mark.parametrize(
    ("annotation", "example"),
    [
        *((int, 2**60), (float, "NaN"), (float, float("inf")), (float, "-Infinity"), (list[int], -(2**60))),
        *((Any, 10**400), (list[int], [2**60]), (dict[str, int], {"a": 2**60}), (dict[str, int], 2**60)),
        *(
            (list[float], ["NaN"]),
            (tuple[int, str], [2**60, "a"]),
            (Point, {"x": 2**60}),
            (Union[int, str], 2**60),
        ),
        *((Union[float, bool], "NaN"), (list[Point], [{"x": 2**60}]), (Optional[int], 2**60)),
    ],
)
def test_a_published_example_is_valid_where_it_stands(annotation, example):
    """An example that its own schema refuses is not published as one."""
    try:
        node, _ = examples_of(annotation, example)
    except SchemaError:
        return
    json.loads(json.dumps(node, allow_nan=False))


def test_an_example_without_a_required_member_is_not_published():
    """An example that lacks what its own schema requires is refused, or completed."""

    @define
    class Demanding:
        a: int
        note: Optional[str] = field(default=None, metadata=meta(required=True))

    try:
        examples_of(Demanding, {"a": 1})
    except SchemaError as error:
        assert "value" in str(error)


def test_a_nullable_field_has_examples_that_are_valid():
    """The bounds of the type hold beside null."""
    cls = holder(Optional[int], default=3, metadata=meta("Words", examples=[2**60]))
    try:
        node = json_schema(cls)["properties"]["value"]
    except SchemaError:
        return
    assert all(Draft202012Validator(node).is_valid(example) for example in node.get("examples", []))


def test_a_long_example_is_refused_in_few_words():
    """A megabyte of example is cut in the message."""
    with pytest.raises(SchemaError) as caught:
        describe(holder(int, metadata=meta("Words", examples=["x" * 10**6])))
    assert len(str(caught.value)) < 2000


def test_examples_in_the_description_are_in_their_published_form():
    """The suffix of the description shows the values that the schema shows."""
    cls = holder(int, metadata=meta("Words", examples=["3", 4]))

    assert describe(cls).fields["value"].description == "Words (REQUIRED) [Examples: 3, 4]"


def test_examples_run_no_side_effects_of_the_class():
    """Describing an example of a field does not need the whole class to be built."""
    built = []
    cls = make_class(
        "Holder",
        {
            "value": field(type=int, metadata=meta("Words", examples=[1])),
            "other": field(type=int, converter=lambda v: built.append(v) or v),
        },
    )
    json_schema(cls)

    assert built == []


# --- leaves of a host -----------------------------------------------------------------------------------


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __eq__(self, other):
        return isinstance(other, Money) and self.cents == other.cents

    def __hash__(self):
        return hash(self.cents)


MONEY = {"type": "string", "pattern": "^[0-9]+[.][0-9]{2}$"}


@pytest.fixture(scope="module", autouse=True)
def _money():
    register_leaf(Money, "money", MONEY)
    converter.register_structure_hook(Money, lambda text, _: Money(round(float(text) * 100)))
    converter.register_unstructure_hook(Money, lambda money: f"{money.cents / 100:.2f}")


def test_a_registered_leaf_is_described():
    """Its label and its schema, wherever it stands."""
    assert schema_of(Money) == MONEY
    assert notation_of(Money) == {"@type": "money"}
    assert schema_of(list[Money]) == {"type": "array", "items": MONEY}
    assert notation_of(dict[str, Money]) == {"@type": "map from string to money"}
    assert schema_of(Optional[Money], default=None) == MONEY
    assert is_composite(Money) is False


def test_a_registered_leaf_is_read_and_written_by_the_hooks_of_the_converter():
    """Its reading and writing are cattrs hooks."""
    cls = make_class("Bill", {"total": field(type=Money), "parts": field(type=list[Money])})
    bill = parse('{"total": "1.50", "parts": ["0.75"]}', cls)

    assert bill == cls(Money(150), [Money(75)])
    assert json.loads(write(bill)) == {"total": "1.50", "parts": ["0.75"]}
    assert Draft202012Validator(json_schema(cls)).is_valid(json.loads(write(bill)))


def test_a_hook_that_refuses_gives_a_problem_with_its_path():
    """What the hook of a host raises is a problem of the mapping."""
    with pytest.raises(MappingError) as caught:
        parse('{"value": ["1.00", "much"]}', holder(list[Money]))
    assert [problem.path for problem in caught.value.problems] == ["value[1]"]


def test_a_registered_leaf_has_examples():
    """Examples of a leaf are read by its hook and published as it writes them."""
    node, _ = examples_of(Money, "2.5", Money(325))

    assert node["examples"] == ["2.50", "3.25"]


class Fare:
    """What a host reads with a converter of its own."""


def test_an_example_of_a_leaf_is_checked_without_its_hooks():
    """They may be on another converter, or come later: it is JSON data of the published kind."""
    register_leaf(Fare, "fare", {"type": ["string", "array"]})
    cls = make_class(
        "Ride",
        {
            "fare": field(type=Fare, metadata=meta(examples=["3 EUR", ["3", "EUR"]])),
            "fares": field(type=list[Fare], metadata=meta(examples=["3 EUR", ["1 EUR", "2 EUR"]])),
            "count": field(type=int, default=1),
        },
    )
    tour = holder(Optional[cls], metadata=meta(examples=[{"fare": "3 EUR", "fares": [], "count": "2"}]))
    nodes = json_schema(cls)["properties"]

    assert nodes["fare"]["examples"] == ["3 EUR", ["3", "EUR"]]
    assert nodes["fares"]["examples"] == [["1 EUR", "2 EUR"]]
    assert nodes["fares"]["items"]["examples"] == ["3 EUR"]
    assert json_schema(tour)["properties"]["value"]["examples"] == [
        {"fare": "3 EUR", "fares": [], "count": 2}
    ]


@pytest.mark.parametrize("example", [3, True, None, {"fare": "3"}, object()])
def test_an_example_of_another_kind_than_the_leaf_is_refused(example):
    """The schema says what the leaf is on the wire."""
    register_leaf(Fare, "fare", {"type": "string"})

    with pytest.raises(SchemaError, match="expected one that the field can read"):
        json_schema(holder(Fare, metadata=meta(examples=[example])))


def test_the_kinds_of_a_leaf_are_those_that_its_schema_states():
    """Objects, arrays and numbers within their bounds; none where none is stated."""

    class Odd:
        pass

    for schema, fitting, other in (
        ({"type": "object"}, {"a": 1}, "a"),
        ({"type": "array"}, [1], {"a": 1}),
        ({"type": "number", "minimum": 2}, 2.5, 1),
        ({"type": ["integer", "null"], "maximum": 2}, 2, True),
    ):
        register_leaf(Odd, "odd", schema)
        node, _ = examples_of(Odd, fitting)
        assert node["examples"] == [fitting]
        with pytest.raises(SchemaError):
            examples_of(Odd, other)
    register_leaf(Odd, "odd", {})
    assert examples_of(Odd, [{"a": None}])[0]["examples"] == [[{"a": None}]]


def test_the_schema_of_a_leaf_is_copied():
    """Neither the host's dict nor a result is shared with the next rendering."""

    class Temperature:
        pass

    schema = {"type": "number", "minimum": 0, "tags": ["a"]}
    register_leaf(Temperature, "temperature", schema)
    schema["minimum"] = 5
    schema["tags"].append("b")
    first = schema_of(Temperature)
    assert first["minimum"] == 0
    assert first["tags"] == ["a"]
    first["tags"].append("c")

    assert schema_of(Temperature)["tags"] == ["a"]


def test_a_leaf_registered_after_a_refusal_is_described():
    """A refusal is not remembered."""

    class Late:
        pass

    cls = holder(Late)
    with pytest.raises(SchemaError):
        json_schema(cls)
    register_leaf(Late, "late", {"type": "string"})

    assert json_schema(cls)["properties"]["value"] == {"type": "string", "description": "Words"}


def test_an_attrs_class_may_be_registered_as_a_leaf():
    """A host may say that a composite of its own travels as one value."""
    cls = make_class("Version", {"major": field(type=int)})
    register_leaf(cls, "version", {"type": "string"})

    assert schema_of(cls) == STRING
    assert notation_of(cls) == {"@type": "version"}


def test_a_subclass_of_a_known_type_may_be_registered_as_a_leaf():
    """What the walker would refuse or take for something else can be taught."""
    kind = type("Cx", (complex,), {})
    register_leaf(kind, "complex", {"type": "string"})

    assert schema_of(list[kind]) == {"type": "array", "items": STRING}


# --- keywords -------------------------------------------------------------------------------------------


def test_keywords_stand_on_the_field_of_any_shape():
    """A collection carries the keyword itself, not its items."""
    for annotation in (str, list[str], dict[str, Point], Optional[Point], Union[Circle, Square]):
        metadata = meta("Words", context_ignore=True, summarizable=Summarizable("h"))
        node = json_schema(holder(annotation, metadata=metadata))["properties"]["value"]
        assert node[CONTEXT_IGNORE] is True
        assert node[SUMMARIZABLE]["hint"] == "h"
        assert sum(CONTEXT_IGNORE in inner for inner in nodes(node)) == 1


def test_stripping_a_schema_leaves_the_plain_one():
    """Without the keywords the schema is that of the same class without them."""
    metadata = meta("Words", context_ignore=True, summarizable=Summarizable("h"))

    assert strip_from(json_schema(holder(str, metadata=metadata))) == json_schema(holder(str))


# --- artifacts ------------------------------------------------------------------------------------------


@type_alias("describing:page")
@described("A page")
@define
class Page(Artifact):
    title: str = field(default="", metadata=meta("The title", examples=["HIDDEN"]))
    body: str = field(kw_only=True, metadata=meta("HIDDEN body", summarizable=Summarizable("page")))


@type_alias("describing:page:child")
@define
class ChildPage(Page):
    links: list[Page] = field(factory=list, metadata=meta("HIDDEN links"))


@define
class Unaliased(Artifact):
    body: str = field(default="", metadata=meta("HIDDEN body"))


@type_alias("describing:tree")
@define
class PageTree(Artifact):
    body: str = field(default="", metadata=meta("HIDDEN body"))
    children: "list[PageTree]" = field(factory=list, metadata=meta("HIDDEN children"))


ALIASES = [
    (Page, "describing:page"),
    (ChildPage, "describing:page:child"),
    (Unaliased, "artifact"),
    (Artifact, "artifact"),
    (PageTree, "describing:tree"),
]


@pytest.mark.parametrize(("cls", "alias"), ALIASES)
@pytest.mark.parametrize(
    "wrap",
    [lambda c: c, lambda c: Optional[c], lambda c: list[c], lambda c: tuple[c, ...], lambda c: dict[str, c]],
)
def test_an_artifact_carries_its_alias_on_the_property(cls, alias, wrap):
    """The alias of a field, of the elements of a collection, of the values of a map."""
    node = json_schema(holder(wrap(cls), default=None))["properties"]["value"]

    assert node[TYPE_ALIAS] == alias


@pytest.mark.parametrize(("cls", "alias"), ALIASES)
def test_an_artifact_carries_its_alias_on_the_root(cls, alias):
    """A root that is an artifact says so."""
    assert json_schema(cls)[TYPE_ALIAS] == alias
    assert describe(cls).is_artifact is True


def test_an_artifact_carries_its_alias_on_each_alternative_of_a_union():
    """Which alternatives are artifacts is said on each."""
    node = json_schema(holder(Union[Page, PageTree, Point]))["properties"]["value"]

    assert [alternative.get(TYPE_ALIAS) for alternative in node["anyOf"]] == [
        "describing:page",
        "describing:tree",
        None,
    ]


def test_an_artifact_offers_its_reference_in_the_schema():
    """artifact_ref is a property of the full schema too."""
    assert json_schema(Page)["properties"]["artifact_ref"]["type"] == "string"
    assert json_schema(Page)["title"] == "Page"
    assert json_schema(Page)["description"] == "A page"


def test_meta_states_an_alias_where_the_class_cannot():
    """type_alias on a field that is no artifact class."""
    node = json_schema(holder(dict[str, Any], metadata=meta("Words", type_alias="link:page")))["properties"][
        "value"
    ]

    assert node[TYPE_ALIAS] == "link:page"


def test_a_stated_alias_stands_before_that_of_the_class():
    """What the field states is more specific than its class."""
    node = json_schema(holder(Artifact, metadata=meta("Words", type_alias="link:page")))["properties"][
        "value"
    ]

    assert node[TYPE_ALIAS] == "link:page"


ARTIFACT_FORMS = [
    *(
        (wrap(Page))
        for wrap in [lambda c: c, lambda c: Optional[c], lambda c: list[c], lambda c: dict[str, c]]
    ),
    *(list[list[Page]], dict[str, list[Page]], list[dict[str, Page]], tuple[Page, int], tuple[Page, ...]),
    *(Union[Page, Point], Union[Page, PageTree], list[Union[Page, Point]], list[Optional[Page]], PageTree),
    *(list[PageTree], ChildPage, Unaliased, Optional[dict[str, Optional[Page]]], holder(Page, "Inner")),
    *(
        list[holder(list[Page], "Inner")],
        Box[Page],
        Box[list[Page]],
        set[Page],
        Union[list[Page], dict[str, Page]],
    ),
]


@pytest.mark.parametrize("annotation", ARTIFACT_FORMS)
def test_the_notation_offers_an_artifact_as_its_reference_alone(annotation):
    """No content of an artifact is in the notation."""
    text = json.dumps(llm_schema(holder(annotation)))

    assert "HIDDEN" not in text
    assert '"body"' not in text
    assert "artifact_ref" in text


@define
class Hidden:
    body: str = ""


#: Forms that a stated alias makes artifacts of, and the words for them.
STATED_FORMS = [
    (Any, "artifact"),
    (Optional[Any], "artifact or null"),
    (dict[str, Any], "map from string to artifact"),
    (list[Any], "array of artifact"),
    (list[dict[str, Any]], "array of map from string to artifact"),
    (dict[str, Hidden], "map from string to Hidden"),
    (Optional[Hidden], "Hidden or null"),
    (Union[Hidden, int], "Hidden or integer"),
    (tuple[int, Hidden, Any], "array of 3: integer, Hidden, artifact"),
]


@pytest.mark.parametrize(("annotation", "label"), STATED_FORMS)
def test_a_stated_alias_offers_the_reference_alone_in_both_renderings(annotation, label):
    """Where the keyword reduces the schema for a model, the notation is reduced alike."""
    cls = holder(annotation, default=1, metadata=meta("Words", type_alias="link:page"))
    node = llm_schema(cls)["@fields"]["value"]

    for text in (json.dumps(node), json.dumps(for_model(json_schema(cls)))):
        assert "artifact_ref" in text
        assert "body" not in text
    assert node["@type"] == label
    assert describe(cls).fields["value"].type_label == label
    assert "body" in json.dumps(json_schema(holder(Hidden, metadata=meta(type_alias="link:page"))))


@pytest.mark.parametrize("annotation", [str, int, list[str], Mood])
def test_a_stated_alias_leaves_scalars_alone(annotation):
    """They hold no content of an artifact, in either rendering."""
    cls = holder(
        annotation, metadata=meta("Words", type_alias="link:page", examples=["up"] * (annotation is str))
    )

    assert "artifact_ref" not in json.dumps(llm_schema(cls)) + json.dumps(for_model(json_schema(cls)))


def test_an_example_of_a_stated_artifact_is_not_shown():
    """It would show content."""
    cls = holder(dict[str, Any], metadata=meta("Words", type_alias="link:page", examples=[{"a": "HIDDEN"}]))

    assert "HIDDEN" not in json.dumps(llm_schema(cls)) + json.dumps(for_model(json_schema(cls)))


@pytest.mark.parametrize(
    "wrap", [lambda c: c, lambda c: list[c], lambda c: dict[str, c], lambda c: Optional[c]]
)
def test_an_example_of_an_artifact_shows_no_content_to_a_model(wrap):
    """An example of an artifact is an example of its reference in the notation."""
    example = {"artifact_ref": "«artifact:describing:page~abc123»", "title": "HIDDEN", "body": "HIDDEN"}
    cls = holder(wrap(Page), metadata=meta("Words", examples=[example]))

    assert "HIDDEN" not in json.dumps(llm_schema(cls))
    assert "HIDDEN" not in ResponseContract(cls).instructions()
    assert "HIDDEN" not in json.dumps(for_model(json_schema(cls)))


@pytest.mark.parametrize("annotation", ARTIFACT_FORMS)
def test_the_schema_for_a_model_offers_an_artifact_as_its_reference_alone(annotation):
    """No path of the result offers content or carries a keyword, and every reference resolves."""
    schema = for_model(json_schema(holder(annotation)))
    Draft202012Validator.check_schema(schema)
    text = json.dumps(schema)

    assert "HIDDEN" not in text
    assert '"body"' not in text
    assert PREFIX not in text
    assert "artifact_ref" in text
    for node in nodes(schema):
        if "$ref" in node:
            assert node["$ref"].removeprefix("#/$defs/") in schema["$defs"]


@pytest.mark.parametrize("cls", [Page, ChildPage, PageTree, Unaliased, Artifact])
def test_a_root_that_is_an_artifact_is_reduced(cls):
    """To an object whose one required property is the reference; title and words stay."""
    schema = for_model(json_schema(cls))

    assert schema["type"] == "object"
    assert list(schema["properties"]) == schema["required"] == ["artifact_ref"]
    assert schema["title"] == cls.__name__
    assert schema["description"] == describe(cls).description
    assert "$defs" not in schema
    assert list(llm_schema(cls)["@fields"]) == ["artifact_ref"]
    assert llm_schema(cls)["@type"] == cls.__name__


def test_an_artifact_property_is_reduced_and_keeps_its_words():
    """A node reduced by for_model keeps title and description."""
    node = for_model(json_schema(holder(Page)))["properties"]["value"]

    assert (node["title"], node["description"]) == ("Page", "Words")
    assert list(node["properties"]) == node["required"] == ["artifact_ref"]


def test_a_plain_class_with_artifacts_keeps_its_own_members():
    """Only the artifacts are reduced."""
    cls = make_class(
        "Verdict", {"reason": field(type=str), "best": field(type=Page), "at": field(type=Point)}
    )
    schema = for_model(json_schema(cls))

    assert list(schema["properties"]) == ["reason", "best", "at"]
    assert schema["properties"]["at"] == strip_from(json_schema(cls))["properties"]["at"]
    assert llm_schema(cls)["@fields"]["best"]["@fields"].keys() == {"artifact_ref"}


def test_an_artifact_inside_a_cycle_is_reduced():
    """A recursive plain class with an artifact keeps its definition without the content."""
    module = module_of(
        """
        from attrs import define, field
        from nucleo_schema import Artifact, meta, type_alias
        @type_alias("describing:leafpage")
        @define
        class LeafPage(Artifact):
            body: str = field(default="", metadata=meta("HIDDEN"))
        @define
        class Section:
            page: LeafPage | None = None
            sections: "list[Section]" = field(factory=list)
        """
    )
    schema = for_model(json_schema(module.Section))

    assert list(schema["$defs"]) == ["Section"]
    assert "HIDDEN" not in json.dumps(schema)
    assert "HIDDEN" not in json.dumps(llm_schema(module.Section))


def test_text_and_dict_of_the_schema_are_reduced_alike():
    """for_model takes the text of a definition too."""
    definition = describe(holder(list[Page]))

    assert json.loads(for_model(definition.to_json_schema())) == for_model(definition.json_schema())


# --- the legend -----------------------------------------------------------------------------------------


@define
class Everything:
    a: list[Mood] = field(metadata=meta("A", examples=["up"]))
    b: dict[Mood, Point]
    c: Union[Point, Circle]
    d: tuple[int, Point]
    e: dict[str, dict[str, Union[Point, list[Optional[Mood]]]]]
    f: Optional[int] = 3
    g: Optional[Page] = None
    h: "Everything | None" = None


def test_the_legend_explains_every_key_that_the_notation_uses():
    """Whatever the notation uses is in the legend."""
    used = {key for key in notation_keys(llm_schema(Everything)) if key.startswith("@")}

    assert {"@type", "@required", "@description", "@fields", "@values", "@any_of", "@examples"} <= used
    assert [key for key in sorted(used) if f'"{key}"' not in SCHEMA_NOTATION_LEGEND] == []
    assert "<key>" in SCHEMA_NOTATION_LEGEND
    assert "map from" in SCHEMA_NOTATION_LEGEND
    assert "array of" in SCHEMA_NOTATION_LEGEND


def test_the_notation_has_keys_of_its_own_only_with_an_at():
    """Every key of a node is notation, and members stand under @fields."""
    assert all(key.startswith("@") for key in notation_keys(llm_schema(Everything)))


def test_both_renderings_of_everything_agree_on_members_and_required():
    """The renderings come from one walk."""
    schema, notation = json_schema(Everything), llm_schema(Everything)
    Draft202012Validator.check_schema(schema)

    assert list(schema["properties"]) == list(notation["@fields"])
    assert schema["required"] == [n for n, node in notation["@fields"].items() if node.get("@required")]


# --- results are the caller's ---------------------------------------------------------------------------


def wreck(value):
    """Change every list and dict inside *value*."""
    if isinstance(value, dict):
        for inner in list(value.values()):
            wreck(inner)
        value["wrecked"] = True
    elif isinstance(value, list):
        for inner in value:
            wreck(inner)
        value.append("wrecked")


@pytest.mark.parametrize("render", [json_schema, llm_schema])
@pytest.mark.parametrize(
    "cls", [Point, Node, Everything, Page, holder(Any, metadata=meta(examples=[{"a": [1]}]))]
)
def test_a_result_is_the_callers_to_change(render, cls):
    """Changing a rendering changes no later one."""
    before = copy.deepcopy(render(cls))
    wreck(render(cls))
    definition = describe(cls)
    wreck(definition.json_schema())
    wreck(definition.llm_schema())

    assert render(cls) == before
    assert getattr(definition, render.__name__)() == before
    assert "wrecked" not in json.dumps(describe(cls).json_schema())


def test_no_two_places_of_a_result_share_an_object():
    """Changing one place of a rendering does not change another."""
    cls = make_class("Pair", {"a": field(type=Point), "b": field(type=Point)})
    for render, key in ((json_schema, "properties"), (llm_schema, "@fields")):
        result = render(cls)
        wreck(result[key]["a"])
        assert "wrecked" not in json.dumps(result[key]["b"])


def test_a_definition_cannot_be_changed_for_others():
    """A caller who changes what describe returned changes nothing for the next one."""
    cls = holder(str, metadata=meta("Words", context_ignore=True))
    before = json_schema(cls)
    for change in (
        lambda cls: describe(cls).fields["value"].keywords.clear(),
        lambda cls: describe(cls).fields["value"].keywords.update(x=1),
        lambda cls: setattr(describe(cls), "name", "Other"),
        lambda cls: setattr(describe(cls).fields["value"], "required", False),
        lambda cls: describe(cls).fields.clear(),
    ):
        fresh = holder(str, metadata=meta("Words", context_ignore=True))
        with contextlib.suppress(AttributeError, TypeError):
            change(fresh)
        assert json_schema(fresh) == before


def test_describing_is_safe_from_many_threads():
    """A class that many threads describe for the first time at once is described alike in all."""
    for _ in range(20):
        module = module_of(MUTUAL)
        barrier = threading.Barrier(8)

        def describe_it(_number, module=module, barrier=barrier):
            barrier.wait(timeout=10)
            return json_schema(module.Root), llm_schema(module.Root)

        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(describe_it, range(8)))
        assert all(result == results[0] for result in results)


def test_describing_twice_gives_the_same():
    """A description depends on the class only."""
    assert json_schema(Everything) == json_schema(Everything)
    assert describe(Everything).to_llm_schema() == describe(Everything).to_llm_schema()


# --- validity -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cls", [Point, Node, Everything, Page, ChildPage, PageTree, BoundSwap, Box[Point], MoodListBox, Circle]
)
def test_every_schema_is_valid_under_the_metaschema(cls):
    """Full, stripped and for a model."""
    schema = json_schema(cls)

    for form in (schema, strip_from(schema), for_model(schema)):
        Draft202012Validator.check_schema(form)
    json.dumps(schema, allow_nan=False)


@pytest.mark.parametrize(
    "instance",
    [
        Node("a", Node("b"), [Node("c", None, [Node("d")])]),
        IntBox(1, [2, 3], "x"),
        MoodListBox([Mood.UP], [[Mood.DOWN]]),
        BoundSwap(Point(1), {"a": [1]}),
        Everything(
            [Mood.UP], {Mood.UP: Point(1)}, Circle("circle", 1.5), (1, Point(2)), {"a": {"b": [None]}}, None
        ),
    ],
)
def test_what_is_written_satisfies_the_schema_of_its_class(instance):
    """Written text is valid against the schema, and reads back equal."""
    text = write(instance)

    Draft202012Validator(json_schema(type(instance))).validate(json.loads(text))
    assert parse(text, type(instance)) == instance


@pytest.mark.parametrize(
    "names",
    [
        ["type", "properties", "required", "items", "enum", "title", "description"],
        ["$ref", "$defs", "anyOf", "additionalProperties", "examples", "x-nucleo-foo"],
        ["@type", "@fields", "@required", "@ref", "<key>"],
    ],
)
def test_members_called_like_keywords_are_members(names):
    """A property may be called like any keyword of either rendering."""
    cls = make_class(
        "Odd", {f"a{n}": field(type=int, metadata=meta(name=name)) for n, name in enumerate(names)}
    )
    schema = json_schema(cls)
    Draft202012Validator.check_schema(schema)

    assert list(schema["properties"]) == schema["required"] == list(llm_schema(cls)["@fields"]) == names
    assert list(strip_from(schema)["properties"]) == names
    assert parse(write_compact(cls(*range(len(names)))), cls) == cls(*range(len(names)))


@pytest.mark.parametrize("name", ["Größe", "Éclair", "A_B", "x", "_Private", "日本"])
def test_a_class_of_any_name_can_be_referred_to(name):
    """The reference to a definition is escaped as a JSON Pointer in a URI asks, and resolves."""
    cls = make_class("Renamed", {"again": field(type=Optional["Self_"], default=None)})
    cls.__name__ = cls.__qualname__ = name
    module = module_of("")
    module.Self_ = cls
    cls.__module__ = module.__name__
    schema = json_schema(cls)
    Draft202012Validator.check_schema(schema)

    assert schema["title"] == name
    assert Draft202012Validator(schema).is_valid({"again": {"again": {}}})
    assert not Draft202012Validator(schema).is_valid({"again": {"again": 3}})


@pytest.mark.parametrize("renderers", [NOTATION_RENDERERS, JSON_SCHEMA_RENDERERS])
def test_every_shape_is_rendered_in_both_ways(renderers):
    """The set of shapes is closed, and neither table leaves one out."""
    assert set(renderers) == set(get_args(Shape))


@pytest.mark.parametrize(
    ("argument", "title"),
    [
        (Int32, "Held_Int32"),
        (Int64, "Held_Int64"),
        (Annotated[int, "a note"], "Held_int"),
        (dict[str, Annotated[int, "a note"]], "Held_dict_str_int"),
        (NewType("Number", str), "Held_Number"),
    ],
)
def test_a_generic_is_named_with_the_words_of_its_arguments(argument, title):
    """Notes and widths do not show what they are made of."""
    assert json_schema(Held[argument])["title"] == llm_schema(Held[argument])["@type"] == title


HeldT = TypeVar("HeldT")


@define
class Held(Generic[HeldT]):
    value: HeldT


@define
class Chained:
    """A class that comes back to itself in places that are declared to hold artifacts."""

    url: str
    next: "Chained | None" = field(default=None, metadata=meta(type_alias="link"))
    more: "list[Chained]" = field(factory=list, metadata=meta(type_alias="link"))
    by_name: "dict[str, Chained]" = field(factory=dict, metadata=meta(type_alias="link"))


def test_a_stated_alias_offers_a_class_that_comes_back_by_its_reference():
    """In every kind of place, as the schema for a model does."""
    fields = llm_schema(Chained)["@fields"]

    assert list(fields["next"]["@fields"]) == ["artifact_ref"]
    assert list(fields["more"]["@fields"]) == ["artifact_ref"]
    assert list(fields["by_name"]["@fields"]["<key>"]["@fields"]) == ["artifact_ref"]
