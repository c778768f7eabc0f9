"""Declaring: metadata, descriptions, required-ness, wire names, and what stays off the wire."""

# Both spellings of Optional and of unions are declared here on purpose, and test classes need no docstrings.

import collections
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
import types
import typing
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, NewType, Optional, TypeVar, Union

import attr
import pendulum
import pytest
from attrs import Factory, define, field, fields, frozen, make_class, validators
from jsonschema import Draft202012Validator

from nucleo_schema import (
    Int32,
    Int64,
    MappingError,
    NucleoError,
    ResponseContract,
    SchemaError,
    Summarizable,
    SummarySize,
    convert,
    converter,
    describe,
    described,
    is_composite,
    json_schema,
    llm_schema,
    meta,
    parse,
    write,
    write_compact,
)

T = TypeVar("T")
Label = NewType("Label", str)
MaybeLabel = NewType("MaybeLabel", Optional[str])
_numbers = itertools.count()


def module_of(source):
    """Return a new module made from *source*, where the annotations of its classes are resolved."""
    module = types.ModuleType(f"declared_{next(_numbers)}")
    sys.modules[module.__name__] = module
    exec(compile(textwrap.dedent(source), module.__name__, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    return module


def holder(annotation, **arguments):
    """Return a class whose one attribute, ``value``, has *annotation*."""
    return make_class("Holder", {"value": field(type=annotation, **arguments)})


def only(cls):
    """Return the one descriptor of *cls*."""
    (descriptor,) = describe(cls).fields.values()
    return descriptor


def wire_names(cls):
    """Return the wire names of *cls* in order, which both renderings share."""
    names = list(describe(cls).fields)
    assert list(json_schema(cls)["properties"]) == names
    assert list(llm_schema(cls)["@fields"]) == names
    return names


# --- meta -----------------------------------------------------------------------------------------------


def test_meta_is_a_mapping_for_the_metadata_of_attrs():
    """What meta returns is metadata, and attrs.field takes it as it is."""
    assert isinstance(meta("Words"), Mapping)
    assert only(holder(str, metadata=meta("Words"))).description.startswith("Words")


@pytest.mark.parametrize(
    "merge", [lambda m: {**m, "mine": 1}, lambda m: {"mine": 1, **m}, lambda m: dict(m, mine=1)]
)
def test_meta_merges_with_the_metadata_of_a_host(merge):
    """A host adds its own keys before or after, and neither side loses anything."""
    cls = holder(str, metadata=merge(meta("Words", examples=["a"])))

    assert fields(cls).value.metadata["mine"] == 1
    assert json_schema(cls)["properties"]["value"]["description"] == "Words"
    assert json_schema(cls)["properties"]["value"]["examples"] == ["a"]


HOST_KEYS = [
    "description",
    "required",
    "examples",
    "name",
    "ignore",
    "summarizable",
    "context_ignore",
    "type_alias",
]


@pytest.mark.parametrize("key", HOST_KEYS)
def test_plain_keys_of_a_host_are_not_ours(key):
    """A host's own key that is called like one of our parameters means nothing to us."""
    cls = holder(str, metadata={key: "host"})

    assert json_schema(cls) == json_schema(holder(str))


def test_plain_keys_of_a_host_do_not_overwrite_ours():
    """Our entries do not live under the plain names of the parameters."""
    cls = holder(str, metadata={**meta("Words"), "description": "host", "required": False})

    assert json_schema(cls)["properties"]["value"]["description"] == "Words"
    assert json_schema(cls)["required"] == ["value"]


def test_metadata_of_other_key_types_is_left_alone():
    """Hosts use objects as keys of metadata."""
    key = object()

    assert fields(holder(int, metadata={**meta("Words"), key: 1})).value.metadata[key] == 1


def test_meta_without_arguments_changes_nothing():
    """An empty meta is the same as none."""
    assert json_schema(holder(str, metadata=meta())) == json_schema(holder(str))


@pytest.mark.parametrize("arguments", [("Words", True), ("Words", True, ())])
def test_all_but_the_description_is_keyword_only(arguments):
    """Only the description is given by place."""
    with pytest.raises(TypeError):
        meta(*arguments)


def test_an_unknown_parameter_is_refused():
    """A misspelled parameter is an error and not metadata."""
    with pytest.raises(TypeError):
        meta("Words", requried=True)


def test_examples_may_come_from_any_iterable():
    """Examples are an iterable, read once."""
    cls = holder(str, metadata=meta(examples=(word for word in ["a", "b"])))

    assert json_schema(cls)["properties"]["value"]["examples"] == ["a", "b"]
    assert json_schema(cls)["properties"]["value"]["examples"] == ["a", "b"]


def test_a_lone_text_is_not_taken_apart_into_examples():
    """A text given for the examples is one example or a mistake, never a list of letters."""
    try:
        cls = holder(str, metadata=meta(examples="A-1007"))
        examples = json_schema(cls)["properties"]["value"]["examples"]
    except (NucleoError, TypeError):
        return
    assert examples == ["A-1007"]


def test_changing_the_list_of_examples_later_changes_nothing():
    """A declaration is fixed when it is made."""
    examples = ["a"]
    cls = holder(str, metadata=meta(examples=examples))
    examples.append("b")

    assert json_schema(cls)["properties"]["value"]["examples"] == ["a"]


@pytest.mark.parametrize("form", [json_schema, llm_schema, describe])
def test_a_class_declared_with_meta_is_described_in_every_form(form):
    """The example at the start of the contract is described."""
    assert form(OrderAnswer)


@described("What the customer is told")
@define
class OrderAnswer:
    reply: str = field(metadata=meta("The reply to the customer, with each order's status"))
    orders_looked_up: list[str] = field(metadata=meta("Numbers of the orders looked up", examples=["A-1007"]))
    internal_trace: str | None = field(default=None, metadata=meta("Trace id", context_ignore=True))
    page: str | None = field(
        default=None, metadata=meta("The page", summarizable=Summarizable("web page content"))
    )


def test_the_example_of_the_contract_is_described_as_it_says():
    """Names, words, required-ness, examples and keywords come from the one declaration."""
    schema = json_schema(OrderAnswer)

    assert schema["title"] == "OrderAnswer"
    assert schema["description"] == "What the customer is told"
    assert schema["required"] == ["reply", "orders_looked_up"]
    assert schema["properties"]["orders_looked_up"] == {
        "type": "array",
        "description": "Numbers of the orders looked up",
        "items": {"type": "string", "examples": ["A-1007"]},
    }
    assert schema["properties"]["internal_trace"] == {
        "type": "string",
        "description": "Trace id",
        "x-nucleo-context-ignore": True,
    }


# --- descriptions ---------------------------------------------------------------------------------------


@define
class Documented:
    """Own words."""

    value: int


@define
class InheritsDocumented(Documented):
    other: int = 0


@described("Stated words")
@define
class Stated:
    """Own words."""

    value: int


@define
class InheritsStated(Stated):
    other: int = 0


@define
class InheritsStatedWithDocstring(Stated):
    """Words of the child."""


@define
@described("Below define")
class Below:
    value: int


@dataclasses.dataclass
class PlainDataclass:
    value: int


@dataclasses.dataclass
class DocumentedDataclass:
    """Words of a dataclass."""

    value: int


@described("Stated dataclass")
@dataclasses.dataclass
class StatedDataclass:
    value: int


@dataclasses.dataclass
class DataclassChild(DocumentedDataclass):
    other: int = 0


@described("Slotted")
@dataclasses.dataclass(slots=True)
class SlottedDataclass:
    value: int


@define(slots=False)
class DictClass:
    """Without slots."""

    value: int


@frozen
class FrozenClass:
    """Frozen."""

    value: int


@define
class GenericClass(Generic[T]):
    value: T


@described("A generic class")
@define
class DescribedGeneric(Generic[T]):
    value: T


@define
class BindsGeneric(DescribedGeneric[int]):
    pass


@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (Documented, "Own words."),
        (InheritsDocumented, "Schema of InheritsDocumented"),
        (Stated, "Stated words"),
        (InheritsStated, "Schema of InheritsStated"),
        (InheritsStatedWithDocstring, "Words of the child."),
        (Below, "Below define"),
        (PlainDataclass, "Schema of PlainDataclass"),
        (DocumentedDataclass, "Words of a dataclass."),
        (StatedDataclass, "Stated dataclass"),
        (DataclassChild, "Schema of DataclassChild"),
        (SlottedDataclass, "Slotted"),
        (DictClass, "Without slots."),
        (FrozenClass, "Frozen."),
        (GenericClass, "Schema of GenericClass"),
        (DescribedGeneric, "A generic class"),
        (BindsGeneric, "Schema of BindsGeneric"),
    ],
)
def test_a_class_is_described_by_described_else_by_its_own_docstring(cls, words):
    """Stated words first, then the class's own docstring, then its name; nothing is inherited."""
    assert describe(cls).description == words
    assert json_schema(cls)["description"] == words
    assert llm_schema(cls)["@description"] == words


def test_a_docstring_of_several_lines_loses_its_indentation():
    """The indentation of the source is no part of the words."""

    @define
    class Long:
        """
        First line.

        Second line.
        """

        value: int

    assert describe(Long).description == "First line.\n\nSecond line."


@pytest.mark.parametrize("blank", ["", "   ", "\n\t\n"])
def test_a_blank_docstring_describes_nothing(blank):
    """Blank words are no words."""
    cls = make_class("Blank", {"value": field(type=int)})
    cls.__doc__ = blank

    assert describe(cls).description == "Schema of Blank"


def test_described_returns_the_very_class():
    """The decorator adds words and makes no new class."""
    cls = make_class("Same", {"value": field(type=int)})

    assert described("Words")(cls) is cls


def test_described_classes_pickle():
    """A described class is still an ordinary class."""
    assert pickle.loads(pickle.dumps(Stated(3))) == Stated(3)


@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (holder(int), "Field value"),
        (holder(int, metadata=meta("Words")), "Words"),
        (holder(int, metadata=meta(name="renamed")), "Field renamed"),
        (make_class("Camel", {"firstName": field(type=int)}), "Field first_name"),
        (make_class("Private", {"_secret": field(type=int)}), "Field secret"),
    ],
)
def test_a_field_without_words_is_described_by_its_wire_name(cls, words):
    """A field without a description is Field and its wire name."""
    (schema,) = json_schema(cls)["properties"].values()
    (notation,) = llm_schema(cls)["@fields"].values()

    assert schema["description"] == notation["@description"] == words
    assert only(cls).description == f"{words} (REQUIRED)"


def test_words_of_any_kind_are_published_as_they_are():
    """Quotes, newlines, braces and letters beyond ASCII are carried unchanged in both renderings."""
    words = 'Größe „x“ {a} [b] "c" \\d\n<e> \u2028 %s $ref 🙂'
    cls = described(words)(holder(int, metadata=meta(words)))

    assert json_schema(cls)["description"] == json_schema(cls)["properties"]["value"]["description"] == words
    assert llm_schema(cls)["@description"] == llm_schema(cls)["@fields"]["value"]["@description"] == words


# --- kinds of classes -----------------------------------------------------------------------------------


@attr.s
class Classic:
    value = attr.ib(type=int)
    more = attr.ib(type=str, default="", metadata=meta("More"))


@attr.s(auto_attribs=True)
class ClassicAuto:
    value: int
    more: str = attr.ib(default="", metadata=meta("More"))


@attr.dataclass
class AttrDataclass:
    value: int
    more: str = attr.ib(default="", metadata=meta("More"))


@define(kw_only=True)
class KeywordOnly:
    more: str = field(default="", metadata=meta("More"))
    value: int = field()


@frozen(slots=False)
class FrozenDict:
    value: int
    more: str = field(default="", metadata=meta("More"))


@dataclasses.dataclass
class Data:
    value: int
    more: str = dataclasses.field(default="", metadata=meta("More"))


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class StrictData:
    value: int
    more: str = dataclasses.field(default="", metadata=meta("More"))


KINDS = [Classic, ClassicAuto, AttrDataclass, KeywordOnly, FrozenDict, Data, StrictData]


@pytest.mark.parametrize("cls", KINDS)
def test_every_kind_of_class_is_described(cls):
    """Old attrs, new attrs and dataclasses are composites alike."""
    assert is_composite(cls)
    assert json_schema(cls)["properties"]["more"] == {"type": "string", "description": "More"}
    assert json_schema(cls)["required"] == ["value"]


@pytest.mark.parametrize("cls", KINDS)
def test_every_kind_of_class_is_read_and_written(cls):
    """What is written reads back equal for every kind of class."""
    instance = cls(value=3, more="x")

    assert json.loads(write(instance)) == {"value": 3, "more": "x"}
    assert parse('{"value": 3, "more": "x"}', cls) == instance


def test_class_variables_are_no_fields():
    """A ClassVar is off the wire in attrs classes and dataclasses."""

    @define
    class WithAttrs:
        value: int
        count: ClassVar[int] = 0

    @dataclasses.dataclass
    class WithData:
        value: int
        count: ClassVar[int] = 0

    assert wire_names(WithAttrs) == wire_names(WithData) == ["value"]


def test_plain_attributes_and_properties_are_no_fields():
    """Only what attrs knows is on the wire."""

    @define
    class Extra:
        value: int
        CONSTANT = 3

        @property
        def double(self):
            return 2 * self.value

    assert wire_names(Extra) == ["value"]
    assert write_compact(Extra(1)) == '{"value":1}'


def test_a_class_without_fields_is_an_empty_object():
    """A class with nothing to say is described, read and written."""

    @define
    class Empty:
        pass

    assert json_schema(Empty)["type"] == "object"
    assert json_schema(Empty)["properties"] == {}
    assert json_schema(Empty).get("required", []) == []
    assert parse("{}", Empty) == Empty()
    assert write_compact(Empty()) == "{}"


def test_a_class_without_required_members_has_no_required_array_or_an_empty_one():
    """Nothing is required where every field has a default."""
    assert json_schema(holder(int, default=3)).get("required", []) == []


def test_inherited_fields_come_first():
    """Fields of the base count, and they stand before those of the class itself."""
    assert wire_names(InheritsDocumented) == ["value", "other"]


def test_an_overridden_field_speaks_for_itself():
    """A field that is declared again has the annotation and the words of the subclass."""

    @define
    class Base:
        value: int = field(metadata=meta("Old"))
        rest: int

    @define
    class Child(Base):
        value: str = field(metadata=meta("New"))

    assert json_schema(Child)["properties"]["value"] == {"type": "string", "description": "New"}
    assert json_schema(Base)["properties"]["value"]["description"] == "Old"


def test_fields_of_several_bases_count():
    """Multiple inheritance brings the fields of every base."""

    @define(slots=False)
    class Left:
        left: int

    @define(slots=False)
    class Right:
        right: int

    @define(slots=False)
    class Both(Left, Right):
        own: int

    assert set(wire_names(Both)) == {"left", "right", "own"}


def test_a_plain_subclass_of_a_composite_is_described_by_its_own_name():
    """A subclass that is not decorated is still an attrs class."""

    class Plain(Documented):
        pass

    assert json_schema(Plain)["title"] == "Plain"
    assert wire_names(Plain) == ["value"]


class Hue(enum.Enum):
    RED = "red"


class Pair(NamedTuple):
    a: int
    b: int


class NotDecorated:
    value: int = 0


@pytest.mark.parametrize(
    ("form", "composite"),
    [
        *((cls, True) for cls in [*KINDS, OrderAnswer, GenericClass]),
        *(
            (leaf, False)
            for leaf in [
                *(str, int, float, bool, bytes, type(None), object, Any, list, dict, set, frozenset, tuple),
                *(list[int], dict[str, OrderAnswer], Optional[int], Union[int, str], Literal["a"], Hue),
                *(dt.date, dt.datetime, dt.time, dt.timedelta, uuid.UUID, decimal.Decimal, pathlib.Path),
                *(pendulum.DateTime, pendulum.Date, pendulum.Duration, Int32, Int64, Label),
                *(collections.deque, collections.OrderedDict, NotDecorated, "text", 3, None, T),
            ]
        ),
    ],
)
def test_a_composite_is_an_attrs_class_or_a_dataclass(form, composite):
    """The one leaf test: attrs classes and dataclasses are composites, everything else is a leaf."""
    assert is_composite(form) is composite


def test_an_instance_is_no_composite():
    """The leaf test is about classes."""
    assert is_composite(Documented(1)) is False


# --- required -------------------------------------------------------------------------------------------

NO_DEFAULT = object()

REQUIRED = [
    # annotation, default, stated, required
    (str, NO_DEFAULT, None, True),
    (str, "x", None, False),
    (str, None, None, False),
    (Optional[str], NO_DEFAULT, None, False),
    (Optional[str], None, None, False),
    (Optional[str], "x", None, False),
    (Union[int, str, None], NO_DEFAULT, None, False),
    (Union[int, str], NO_DEFAULT, None, True),
    (Annotated[Optional[str], "note"], NO_DEFAULT, None, False),
    (Optional[Annotated[str, "note"]], NO_DEFAULT, None, False),
    (MaybeLabel, NO_DEFAULT, None, False),
    (Label, NO_DEFAULT, None, True),
    (Literal["a", None], NO_DEFAULT, None, False),
    (Literal["a"], NO_DEFAULT, None, True),
    (list[Optional[str]], NO_DEFAULT, None, True),
    (Optional[list[str]], NO_DEFAULT, None, False),
    (list[str], Factory(list), None, False),
    (dict[str, int], NO_DEFAULT, None, True),
    (Hue, NO_DEFAULT, None, True),
    (Documented, NO_DEFAULT, None, True),
    (Optional[Documented], NO_DEFAULT, None, False),
    (bool, False, None, False),
    (int, 0, None, False),
    ("int", NO_DEFAULT, None, True),
    ("int | None", NO_DEFAULT, None, False),
    *((annotation, default, True, True) for annotation, default in [(str, NO_DEFAULT), (str, "x")]),
    *((annotation, default, False, False) for annotation, default in [(str, NO_DEFAULT), (str, "x")]),
    (Optional[str], NO_DEFAULT, True, True),
    (Optional[str], None, True, True),
    (Optional[str], None, False, False),
    (list[str], Factory(list), True, True),
]


@pytest.mark.parametrize(("annotation", "default", "stated", "required"), REQUIRED)
def test_required_is_what_is_stated_else_what_the_class_cannot_do_without(
    annotation, default, stated, required
):
    """Left out, a field is required exactly when it has no default and its type is not Optional."""
    arguments = {} if default is NO_DEFAULT else {"default": default}
    cls = holder(annotation, metadata=meta(required=stated), **arguments)

    assert only(cls).required is required
    assert json_schema(cls).get("required", []) == (["value"] if required else [])
    assert llm_schema(cls)["@fields"]["value"].get("@required", False) is required
    assert ("(REQUIRED)" in only(cls).description) is required


@pytest.mark.parametrize("kind", ["default", "default_factory"])
def test_a_dataclass_field_with_a_default_is_not_required(kind):
    """Both ways of giving a dataclass field a default count."""
    default = {"default": ()} if kind == "default" else {"default_factory": tuple}
    cls = dataclasses.make_dataclass("D", [("value", tuple[int, ...], dataclasses.field(**default))])

    assert only(cls).required is False


def test_a_default_that_takes_the_instance_counts():
    """A factory with takes_self and the default decorator are defaults."""

    @define
    class Derived:
        a: int
        b: int = Factory(lambda self: self.a + 1, takes_self=True)
        c: int = field()

        @c.default
        def _c(self):
            return self.b + 1

    assert json_schema(Derived)["required"] == ["a"]
    assert parse('{"a": 1}', Derived) == Derived(1, 2, 3)


@pytest.mark.parametrize(
    "words", ["This is (REQUIRED) only in words", "(REQUIRED)", "Ends so (REQUIRED)", "@required"]
)
def test_required_ness_is_never_a_piece_of_text(words):
    """A description that contains the token makes nothing required and keeps its words."""
    cls = holder(str, default="", metadata=meta(words))

    assert only(cls).required is False
    assert "required" not in json_schema(cls) or json_schema(cls)["required"] == []
    assert json_schema(cls)["properties"]["value"]["description"] == words
    assert llm_schema(cls)["@fields"]["value"] == {"@type": "string", "@description": words}


def test_a_required_field_keeps_the_token_that_its_words_contain():
    """Only the token that the library adds leaves the description."""
    cls = holder(str, metadata=meta("Write (REQUIRED) here (REQUIRED)"))

    assert json_schema(cls)["properties"]["value"]["description"] == "Write (REQUIRED) here (REQUIRED)"
    assert only(cls).description == "Write (REQUIRED) here (REQUIRED) (REQUIRED)"


def test_an_examples_suffix_that_the_author_wrote_stays():
    """Words that look like the suffix are words."""
    cls = holder(str, metadata=meta("Ends in [Examples: no, none]", examples=["yes"]))

    assert json_schema(cls)["properties"]["value"]["description"] == "Ends in [Examples: no, none]"
    assert json_schema(cls)["properties"]["value"]["examples"] == ["yes"]


@pytest.mark.parametrize(
    ("annotation", "zero"),
    [
        (int, 0),
        (float, 0.0),
        (bool, False),
        (Int32, 0),
        (Int64, 0),
        (str, None),
        (list[int], None),
        (Hue, None),
    ],
)
@pytest.mark.parametrize("reply", ["{}", '{"value": null}'])
def test_what_is_declared_not_required_reads_as_the_zero_of_its_type(annotation, zero, reply):
    """Absent or null without a default: the zero of its type, otherwise None."""
    value = parse(reply, holder(annotation, metadata=meta(required=False))).value

    assert value == zero
    assert type(value) is type(zero)


@pytest.mark.parametrize("reply", ["{}", '{"value": null}'])
def test_a_missing_required_field_is_a_problem(reply):
    """A str attribute is never None behind its author's back."""
    with pytest.raises(MappingError, match="value: missing, expected string") as caught:
        parse(reply, holder(str))
    assert [problem.path for problem in caught.value.problems] == ["value"]


def test_a_required_field_with_a_default_is_read_and_reported_by_validation():
    """What is required although it has a default is for validation to report."""
    cls = holder(Optional[str], default=None, metadata=meta(required=True))

    assert parse("{}", cls).value is None
    assert len(ResponseContract(cls).validation_errors(cls())) == 1


# --- wire names -----------------------------------------------------------------------------------------

NAMES = [
    ("first_name", "first_name"),
    ("firstName", "first_name"),
    ("FirstName", "first_name"),
    ("x", "x"),
    ("X", "x"),
    ("_x", "x"),
    ("_firstName", "first_name"),
    ("__x", "x"),
    ("HTTPServer", "http_server"),
    ("parseHTTPResponse", "parse_http_response"),
    ("userID", "user_id"),
    ("URL", "url"),
    ("aB", "a_b"),
    ("getX", "get_x"),
    ("line_1", "line_1"),
    ("camelCaseWithManyWords", "camel_case_with_many_words"),
    ("Snake_Case", "snake_case"),
    ("größeInCm", "größe_in_cm"),
    ("a__b", "a__b"),
]


@pytest.mark.parametrize(("attribute", "wire"), NAMES)
def test_a_wire_name_is_the_attribute_in_snake_case(attribute, wire):
    """Words are lower case and joined by underscores; leading underscores are no part of the name."""
    cls = make_class("Named", {attribute: field(type=int)})

    assert wire_names(cls) == [wire]
    assert only(cls).name == attribute
    assert only(cls).wire_name == wire


@pytest.mark.parametrize(
    "attribute", ["line2", "x1y2", "sha256Hash", "HTTP2Server", "value2D", "md5", "a1B2", "utf8", "area51X"]
)
def test_a_wire_name_with_digits_is_stable(attribute):
    """Digits stay, the name is lower case, and naming a wire name again changes nothing."""
    (wire,) = wire_names(make_class("Named", {attribute: field(type=int)}))

    assert wire == wire.lower()
    assert wire.replace("_", "") == attribute.lower()
    assert wire_names(make_class("Named", {wire: field(type=int)})) == [wire]


@pytest.mark.parametrize("attribute", ["line2", "x1y2", "md5", "utf8"])
def test_lower_case_words_with_digits_stay_one_word(attribute):
    """An attribute that is in snake_case already is its own wire name."""
    assert wire_names(make_class("Named", {attribute: field(type=int)})) == [attribute]


@pytest.mark.parametrize("attribute", [name for name, _ in NAMES] + ["line2", "HTTP2Server", "class_"])
def test_every_attribute_is_written_and_read_under_its_wire_name(attribute):
    """Both ways and both renderings use the one name."""
    cls = make_class("Named", {attribute: field(type=int)})
    (wire,) = wire_names(cls)
    instance = cls(3)

    assert json.loads(write(instance)) == {wire: 3}
    assert parse(json.dumps({wire: 3}), cls) == instance


def test_the_init_alias_of_attrs_is_not_the_wire_name():
    """Attrs' alias names the argument of the constructor only."""
    cls = holder(int, alias="argument")

    assert wire_names(cls) == ["value"]
    assert parse('{"value": 3}', cls) == cls(argument=3)


@pytest.mark.parametrize(
    "name",
    [
        "other",
        "With Space",
        "x-nucleo-foo",
        "$ref",
        "a/b~c",
        "größe",
        "1st",
        'quo"te',
        "UPPER",
        "camelCase",
        "@id",
    ],
)
def test_a_stated_name_is_used_as_it_is(name):
    """The name is published, read and written exactly as stated."""
    cls = holder(int, metadata=meta(name=name))

    assert wire_names(cls) == [name]
    assert json_schema(cls)["required"] == [name]
    assert json.loads(write(cls(3))) == {name: 3}
    assert parse(json.dumps({name: 3}), cls) == cls(3)


@pytest.mark.parametrize("name", ["", " ", "\n"])
def test_a_blank_name_is_refused(name):
    """A member has a name that can be seen."""
    with pytest.raises(SchemaError, match=r"meta\(name=\.\.\.\): found .*, expected the name of a member"):
        meta(name=name)


def test_the_attribute_name_is_not_read_once_a_name_is_stated():
    """A renamed member is missing when only the attribute's name is given."""
    with pytest.raises(MappingError, match="renamed"):
        parse('{"value": 3}', holder(int, metadata=meta(name="renamed")))


CLASHES = [
    {"firstName": field(type=int), "first_name": field(type=int)},
    {"a": field(type=int), "b": field(type=int, metadata=meta(name="a"))},
    {"a": field(type=int, metadata=meta(name="x")), "b": field(type=int, metadata=meta(name="x"))},
    {"_x": field(type=int, alias="private"), "x": field(type=int)},
    {"URL": field(type=int), "url": field(type=int)},
]


@pytest.mark.parametrize("attributes", CLASHES)
@pytest.mark.parametrize(
    "use", [describe, json_schema, llm_schema, ResponseContract, lambda c: parse("{}", c)]
)
def test_two_fields_with_one_wire_name_are_refused(attributes, use):
    """The refusal names the class, both attributes and the name they share."""
    cls = make_class("Clashing", attributes)

    with pytest.raises(SchemaError) as caught:
        use(cls)
    assert "Clashing" in str(caught.value)
    assert all(name in str(caught.value) for name in attributes)


def test_a_clash_with_an_inherited_field_is_refused():
    """Inherited fields take part."""

    @define
    class Base:
        firstName: str  # noqa: N815

    @define
    class Child(Base):
        first_name: str

    with pytest.raises(SchemaError, match="first_name"):
        describe(Child)
    assert wire_names(Base) == ["first_name"]


def test_a_field_that_is_off_the_wire_clashes_with_nothing():
    """An ignored field leaves its name to another."""

    @define
    class Quiet:
        a: int
        hidden: int = field(default=0, metadata=meta(name="a", ignore=True))
        derived: int = field(default=0, init=False, metadata=meta(name="a"))

    assert wire_names(Quiet) == ["a"]
    assert parse('{"a": 3}', Quiet) == Quiet(3)


def test_a_clash_inside_a_nested_class_is_refused():
    """The walk reaches every class."""
    inner = make_class("Clashing", CLASHES[0])

    with pytest.raises(SchemaError, match="Clashing"):
        describe(holder(list[inner]))


# --- off the wire ---------------------------------------------------------------------------------------


@define
class Secretive:
    shown: int
    hidden: str = field(default="secret", metadata=meta("Hidden", ignore=True))
    derived: int = field(default=7, init=False)
    kept: int = field(default=8, init=False, metadata=meta("Kept", ignore=False))


@pytest.mark.parametrize("form", [lambda c: json_schema(c)["properties"], lambda c: llm_schema(c)["@fields"]])
def test_ignored_and_init_false_fields_are_in_no_schema(form):
    """Neither rendering shows them, unless the field says otherwise."""
    assert list(form(Secretive)) == ["shown", "kept"]


def test_ignored_and_init_false_fields_are_not_written():
    """They are off the wire on the way out."""
    assert json.loads(write(Secretive(1))) == {"shown": 1, "kept": 8}


def test_ignored_and_init_false_fields_are_not_read():
    """What a reply says about them is an unknown property."""
    read = parse('{"shown": 1, "hidden": "planted", "derived": 99}', Secretive)

    assert (read.hidden, read.derived) == ("secret", 7)


def test_an_init_false_field_that_is_kept_is_read():
    """ignore=False puts an init=False field on the wire both ways."""
    read = parse('{"shown": 1, "kept": "9"}', Secretive)

    assert read.kept == 9
    assert parse(write(read), Secretive) == read


def test_an_ignored_field_is_not_read_by_the_converter_either():
    """One rule for every way of reading and writing."""
    assert convert({"shown": 1, "hidden": "planted"}, Secretive).hidden == "secret"
    assert converter.structure({"shown": 1, "hidden": "planted"}, Secretive).hidden == "secret"
    assert converter.unstructure(Secretive(1)) == {"shown": 1, "kept": 8}


def test_an_ignored_field_may_have_a_type_that_cannot_be_described():
    """What is off the wire is not walked."""

    @define
    class Live:
        value: int
        socket: complex = field(default=1j, metadata=meta(ignore=True))
        cache: "Unknown" = field(default=None, init=False)  # noqa: F821

    assert wire_names(Live) == ["value"]
    assert parse('{"value": 1}', Live) == Live(1)
    assert write_compact(Live(1)) == '{"value":1}'


def test_a_dataclass_field_without_init_is_off_the_wire():
    """The same rule holds for dataclasses."""

    @dataclasses.dataclass
    class Counting:
        value: int
        count: int = dataclasses.field(default=3, init=False)

    assert wire_names(Counting) == ["value"]
    assert parse('{"value": 1, "count": 9}', Counting).count == 3
    assert write_compact(Counting(1)) == '{"value":1}'


def test_an_ignored_field_without_a_default_is_never_filled_from_a_reply():
    """A class that cannot be built without an ignored field is refused, whatever the reply says."""
    cls = make_class("Stuck", {"value": field(type=int), "x": field(type=int, metadata=meta(ignore=True))})

    with pytest.raises(NucleoError):
        parse('{"value": 1, "x": 2}', cls)


def test_ignore_false_leaves_an_ordinary_field_on_the_wire():
    """Stating the default changes nothing."""
    assert wire_names(holder(int, metadata=meta(ignore=False))) == ["value"]


def test_context_ignore_stays_in_the_schema_and_in_what_is_written():
    """Only the prompt form leaves the field out."""
    cls = holder(str, metadata=meta("Words", context_ignore=True))

    assert json_schema(cls)["properties"]["value"]["x-nucleo-context-ignore"] is True
    assert llm_schema(cls)["@fields"]["value"] == {
        "@type": "string",
        "@required": True,
        "@description": "Words",
    }
    assert write_compact(cls("x")) == '{"value":"x"}'
    assert parse('{"value": "x"}', cls).value == "x"


def test_a_field_that_is_not_context_ignored_carries_no_keyword():
    """The keyword is true or absent."""
    assert json_schema(holder(str))["properties"]["value"] == {"type": "string", "description": "Field value"}


# --- Summarizable ---------------------------------------------------------------------------------------


def test_summarizable_has_the_defaults_of_the_contract():
    """Short, 8000 characters, safe, nothing pre-made."""
    s = Summarizable()

    assert (s.hint, s.size, s.threshold) == ("", SummarySize.SHORT, 8000)
    assert (s.llm_safe, s.pre_summarized, s.static_summary) == (True, False, "")


def test_there_are_three_sizes():
    """BRIEF, SHORT and PARAGRAPHS."""
    assert [size.name for size in SummarySize] == ["BRIEF", "SHORT", "PARAGRAPHS"]


def test_only_the_hint_of_summarizable_is_given_by_place():
    """The rest is keyword-only."""
    assert Summarizable("pages").hint == "pages"
    with pytest.raises(TypeError):
        Summarizable("pages", SummarySize.BRIEF)


def test_summarizable_is_a_value():
    """Equal when equally declared, usable as a key."""
    assert Summarizable("a") == Summarizable("a") != Summarizable("b")
    assert len({Summarizable("a"), Summarizable("a")}) == 1
    assert pickle.loads(pickle.dumps(Summarizable("a"))) == Summarizable("a")


@pytest.mark.parametrize("size", list(SummarySize))
def test_the_keyword_says_what_was_declared(size):
    """All six parts are published, in camelCase."""
    stated = Summarizable(
        "h", size=size, threshold=5, llm_safe=False, pre_summarized=True, static_summary="s"
    )
    keyword = json_schema(holder(str, metadata=meta(summarizable=stated)))["properties"]["value"][
        "x-nucleo-summarizable"
    ]

    assert keyword == {
        "hint": "h",
        "size": size.name,
        "threshold": 5,
        "llmSafe": False,
        "preSummarized": True,
        "staticSummary": "s",
    }


def test_the_keyword_states_the_defaults_too():
    """Nothing is left for a consumer to know."""
    keyword = json_schema(holder(str, metadata=meta(summarizable=Summarizable())))["properties"]["value"][
        "x-nucleo-summarizable"
    ]

    assert keyword == {
        "hint": "",
        "size": "SHORT",
        "threshold": 8000,
        "llmSafe": True,
        "preSummarized": False,
        "staticSummary": "",
    }


def test_keywords_never_reach_the_notation():
    """They appear in the JSON Schema only."""
    cls = holder(
        str, metadata=meta("W", summarizable=Summarizable("h"), context_ignore=True, type_alias="link")
    )

    assert "x-nucleo" not in json.dumps(llm_schema(cls))
    assert "h" not in llm_schema(cls)["@fields"]["value"].values()


# --- widths ---------------------------------------------------------------------------------------------

WIDTHS = [
    (int, -(2**53 - 1), 2**53 - 1, "integer"),
    (Int32, -(2**31), 2**31 - 1, "integer"),
    (Int64, -(2**63), 2**63 - 1, "long"),
]


@pytest.mark.parametrize(("annotation", "low", "high", "label"), WIDTHS)
def test_an_integer_publishes_its_width(annotation, low, high, label):
    """The bounds are inclusive, and the notation names the width."""
    cls = holder(annotation, metadata=meta("W"))

    assert json_schema(cls)["properties"]["value"] == {
        "type": "integer",
        "description": "W",
        "minimum": low,
        "maximum": high,
    }
    assert llm_schema(cls)["@fields"]["value"]["@type"] == label
    assert only(cls).type_label == label


@pytest.mark.parametrize(("annotation", "low", "high"), [row[:3] for row in WIDTHS[1:]])
def test_a_width_is_enforced_on_reading(annotation, low, high):
    """The outermost values are read, one more is refused at its path."""
    cls = holder(annotation)

    assert parse(f'{{"value": {low}}}', cls).value == low
    assert parse(f'{{"value": "{high}"}}', cls).value == high
    for beyond in (low - 1, high + 1):
        with pytest.raises(MappingError) as caught:
            parse(f'{{"value": {beyond}}}', cls)
        assert [problem.path for problem in caught.value.problems] == ["value"]
        assert str(beyond) in str(caught.value)


@pytest.mark.parametrize("number", [2**53, 2**64, -(2**200), 10**400])
def test_a_plain_int_reads_any_exact_integer(number):
    """What is published is what every reader shares; what is read is exact at any size."""
    assert parse(f'{{"value": {number}}}', holder(int)).value == number
    assert json.loads(write(holder(int)(number))) == {"value": number}


@pytest.mark.parametrize(
    "wrap", [lambda t: Optional[t], lambda t: list[t], lambda t: dict[str, t], lambda t: tuple[t, ...]]
)
def test_a_width_is_kept_inside_other_shapes(wrap):
    """The width is not lost in containers or Optional."""
    assert '"maximum": 2147483647' in json.dumps(json_schema(holder(wrap(Int32))))


def test_a_width_inside_a_list_is_enforced():
    """The path names the element."""
    with pytest.raises(MappingError) as caught:
        parse('{"value": [1, 4294967296]}', holder(list[Int32]))
    assert [problem.path for problem in caught.value.problems] == ["value[1]"]


def test_a_newtype_of_a_width_keeps_it():
    """A NewType is what it is made of."""
    assert json_schema(holder(NewType("Small", Int32)))["properties"]["value"]["maximum"] == 2**31 - 1


def test_the_widths_are_ints_for_a_constructor():
    """An Int32 attribute holds a plain int."""
    assert type(parse('{"value": 3}', holder(Int32)).value) is int


# --- annotations as text --------------------------------------------------------------------------------

FUTURE = """
from __future__ import annotations
import datetime
import dataclasses
from typing import Any, Generic, TypeVar
from attrs import define, field
from nucleo_schema import meta, Int32

T = TypeVar("T")

@define
class Outer:
    inner: Inner
    many: list[Inner] | None = None
    day: datetime.date | None = None
    small: Int32 = 0
    again: Outer | None = None
    data: dict[str, list[Data]] = field(factory=dict, metadata=meta("Data"))

@define
class Inner:
    x: int = field(metadata=meta("The x"))

@dataclasses.dataclass
class Data:
    inner: Inner
    back: Outer | None = None
    more: list[Data] = dataclasses.field(default_factory=list)

@define
class Box(Generic[T]):
    item: T
    items: list[T] = field(factory=list)

@define
class Boxes(Box[Inner]):
    boxed: Box[int] | None = None
"""


def test_postponed_annotations_are_resolved():
    """Names that are defined later in the module are found."""
    outer = module_of(FUTURE).Outer
    properties = json_schema(outer)["properties"]

    assert properties["inner"]["title"] == "Inner"
    assert properties["many"]["items"]["title"] == "Inner"
    assert properties["day"]["format"] == "date"
    assert properties["small"]["maximum"] == 2**31 - 1
    assert properties["again"] == {"$ref": "#/$defs/Outer", "description": "Field again"}
    Draft202012Validator.check_schema(json_schema(outer))


def test_postponed_annotations_are_read_and_written():
    """Reading and writing see the same types as describing."""
    module = module_of(FUTURE)
    text = (
        '{"inner": {"x": 1}, "many": [{"x": "2"}], "day": "2024-12-31", "data": {"k": [{"inner": {"x": 3}}]}}'
    )
    read = parse(text, module.Outer)

    assert read.many == [module.Inner(2)]
    assert read.day == dt.date(2024, 12, 31)
    assert read.data["k"][0] == module.Data(module.Inner(3))
    assert parse(write(read), module.Outer) == read


def test_postponed_annotations_of_generics_are_bound():
    """The subclass binds the variable wherever it stands."""
    properties = json_schema(module_of(FUTURE).Boxes)["properties"]

    assert properties["item"]["title"] == "Inner"
    assert properties["items"]["items"]["title"] == "Inner"
    assert properties["boxed"]["title"] == "Box_int"


def test_a_subclass_in_another_module_resolves_inherited_names_where_they_were_written():
    """An inherited annotation belongs to the module of the base."""
    base = module_of(
        """
        from __future__ import annotations
        from attrs import define
        @define
        class Local:
            x: int
        @define
        class Base:
            value: Local
            values: list[Local] | None = None
        """
    )
    child = module_of(
        f"""
        from __future__ import annotations
        from attrs import define
        from {base.__name__} import Base
        @define
        class Child(Base):
            own: int = 0
        """
    ).Child

    assert json_schema(child)["properties"]["value"]["title"] == "Local"
    assert parse('{"value": {"x": 1}, "values": [{"x": 2}]}', child).values == [base.Local(2)]


def test_a_name_shared_by_two_modules_is_resolved_in_each():
    """An inherited annotation never becomes a class of the same name in the subclass's module."""
    base = module_of(
        """
        from __future__ import annotations
        from attrs import define
        @define
        class Item:
            old: int
        @define
        class Base:
            item: Item
        """
    )
    child = module_of(
        f"""
        from __future__ import annotations
        from attrs import define
        from {base.__name__} import Base
        class Item: ...
        @define
        class Child(Base):
            own: int = 0
        """
    ).Child

    assert list(json_schema(child)["properties"]["item"]["properties"]) == ["old"]
    assert parse('{"item": {"old": 1}}', child).item == base.Item(1)


@pytest.mark.parametrize("annotation", ["Missing", "list[Missing]", "Missing | None", "1 +", ""])
def test_an_annotation_that_cannot_be_resolved_is_refused(annotation):
    """The refusal names the class and the field, for describing and for reading."""
    cls = holder(annotation)

    for use in (describe, lambda c: parse('{"value": 1}', c)):
        with pytest.raises(SchemaError) as caught:
            use(cls)
        assert "Holder" in str(caught.value)
        assert "value" in str(caught.value)


@pytest.mark.parametrize("future", ["from __future__ import annotations", ""])
def test_a_field_may_be_called_like_its_type(future):
    """An annotation means the name of the module, not the attribute of the class that is called alike."""
    module = module_of(
        f"""
        {future}
        from datetime import date
        from enum import Enum
        from attrs import define, field
        class status(Enum):
            NEW = "new"
        @define
        class Event:
            date: "date | None" = None
            status: "status | None" = None
        @define
        class Bare:
            date: "date"
            status: "list[status]"
        @define
        class Child(Event):
            until: "date | None" = None
        """
    )

    for cls in (module.Event, module.Bare, module.Child):
        assert json_schema(cls)["properties"]["date"]["format"] == "date"
    assert json_schema(module.Bare)["properties"]["status"]["items"]["enum"] == ["new"]
    assert json_schema(module.Child)["properties"]["until"]["format"] == "date"
    assert parse('{"date": "2024-12-31"}', module.Event).date == dt.date(2024, 12, 31)
    assert parse(write(module.Event(dt.date(2024, 12, 31))), module.Event).date == dt.date(2024, 12, 31)


@pytest.mark.parametrize("flag", ["required", "ignore", "context_ignore"])
def test_a_flag_that_is_no_boolean_is_refused(flag):
    """A text such as "no" is never taken for true."""
    with pytest.raises((NucleoError, TypeError)):
        describe(holder(int, metadata=meta(**{flag: "no"})))


def test_string_annotations_inside_containers_are_resolved():
    """A forward reference may stand inside a type."""
    module = module_of(
        """
        from typing import List, Optional, Dict, Union
        from attrs import define
        @define
        class Outer:
            a: List["Inner"]
            b: Optional["Inner"] = None
            c: Dict[str, "Inner"] = None
            d: Union["Inner", "Other", None] = None
            e: list["Inner"] = None
            f: 'dict[str, "Inner"]' = None
        @define
        class Inner:
            x: int
        @define
        class Other:
            y: int
        """
    )
    properties = json_schema(module.Outer)["properties"]

    assert properties["a"]["items"]["title"] == "Inner"
    assert properties["b"]["title"] == "Inner"
    assert properties["e"]["items"]["title"] == "Inner"
    assert "Inner" in json.dumps(properties["c"])
    assert "Inner" in json.dumps(properties["f"])
    assert [alternative["title"] for alternative in properties["d"]["anyOf"]] == ["Inner", "Other"]


def test_names_under_type_checking_are_refused_by_name():
    """What does not exist when the program runs cannot be described, and the refusal says where."""
    module = module_of(
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        from attrs import define
        if TYPE_CHECKING:
            from decimal import Decimal
        @define
        class Lazy:
            price: Decimal
        """
    )

    with pytest.raises(SchemaError, match=r"Lazy.*price|price.*Lazy"):
        describe(module.Lazy)


def test_a_class_declared_inside_a_function_is_described():
    """Local classes with real annotations need no module."""

    @define
    class Inner:
        x: int

    @define
    class Outer:
        inner: Inner
        more: list[Inner]

    assert json_schema(Outer)["properties"]["inner"]["title"] == "Inner"


def test_a_local_class_may_refer_to_itself_by_name():
    """A class knows its own name even where no module does."""

    @define
    class LocalNode:
        children: "list[LocalNode]"

    assert json_schema(LocalNode)["properties"]["children"]["items"] == {"$ref": "#/$defs/LocalNode"}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is new in 3.12")
def test_type_aliases_and_type_parameters_of_pep_695_are_understood():
    """An alias is what it stands for, a generic alias with its arguments too."""
    module = module_of(
        """
        from attrs import define, field
        from nucleo_schema import meta
        type Name = str
        type Names = list[Name]
        type Maybe[T] = T | None
        type Table[K, V] = dict[K, list[V]]
        @define
        class Point:
            x: int
        @define
        class Box[T]:
            item: T
            items: list[T]
        @define
        class IntBox(Box[int]):
            pass
        @define
        class Uses:
            name: Name
            names: Names
            maybe: Maybe[Point]
            table: Table[str, Point]
            box: Box[Point]
        """
    )
    properties = json_schema(module.Uses)["properties"]

    assert properties["name"]["type"] == "string"
    assert properties["names"]["items"]["type"] == "string"
    assert properties["maybe"]["title"] == "Point"
    assert properties["table"]["additionalProperties"]["items"]["title"] == "Point"
    assert properties["box"]["title"] == "Box_Point"
    assert json_schema(module.Uses)["required"] == ["name", "names", "table", "box"]
    assert json_schema(module.IntBox)["properties"]["items"]["items"]["type"] == "integer"
    assert parse('{"item": "3", "items": [4]}', module.IntBox) == module.IntBox(3, [4])


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is new in 3.12")
def test_a_recursive_type_alias_ends():
    """An alias that contains itself is described or refused, and never walked for ever."""
    module = module_of(
        """
        from attrs import define
        type Json = dict[str, Json] | list[Json] | str
        @define
        class Uses:
            data: Json
        """
    )

    try:
        Draft202012Validator.check_schema(json_schema(module.Uses))
    except SchemaError as error:
        assert "Uses" in str(error)
        assert "data" in str(error)


# --- converters and validators --------------------------------------------------------------------------


def test_a_validator_is_not_described_and_its_complaint_is_a_problem():
    """Attrs validators run on reading, at their field."""
    cls = holder(int, validator=validators.ge(0))

    assert json_schema(cls) == json_schema(holder(int))
    with pytest.raises(MappingError) as caught:
        parse('{"value": -1}', cls)
    assert [problem.path for problem in caught.value.problems] == ["value"]


def test_a_converter_of_attrs_runs_on_what_was_read():
    """The declared type is read, and the class's own converter sees it."""
    cls = holder(str, converter=str.upper)

    assert parse('{"value": "a"}', cls).value == "A"


def test_an_attribute_without_an_annotation_is_any():
    """attr.ib without a type admits any value."""

    @attr.s
    class Untyped:
        value = attr.ib()

    assert only(Untyped).type_label == "any"
    assert parse('{"value": [1, {"@id": 2}]}', Untyped).value == [1, {"@id": 2}]


@pytest.mark.parametrize("spelling", ["Value", "VALUE", "_value"])
def test_the_wire_name_itself_is_read_first(spelling):
    """A member in the wire name is never displaced by another spelling."""
    assert parse(json.dumps({"value": 1, spelling: 5}), holder(int)).value == 1
    assert parse(json.dumps({spelling: 5, "value": 1}), holder(int)).value == 1


@pytest.mark.parametrize("spelling", ["ordersLookedUp", "OrdersLookedUp", "orders_looked_up"])
def test_one_member_whose_name_becomes_the_wire_name_stands_in(spelling):
    """Models write camelCase where the schema says snake_case."""
    cls = make_class("Looked", {"orders_looked_up": field(type=list[str])})

    assert parse(json.dumps({spelling: ["a"]}), cls) == cls(["a"])


def test_two_members_that_could_stand_in_are_a_problem():
    """Which of two was meant would be a guess."""
    cls = make_class("Looked", {"orders_looked_up": field(type=list[str])})

    with pytest.raises(MappingError):
        parse('{"ordersLookedUp": ["a"], "OrdersLookedUp": ["b"]}', cls)


NESTED = {"value": 1}


@pytest.mark.parametrize(
    ("annotation", "plain", "value"),
    [
        (Annotated[Documented, {}], Documented, NESTED),
        (Annotated[Documented, {}, "note"], Documented, NESTED),
        (list[Annotated[Documented, {}]], list[Documented], [NESTED]),
        (typing.List[Annotated[Documented, []]], list[Documented], [NESTED]),  # noqa: UP006
        (dict[str, Annotated[Documented, {}]], dict[str, Documented], {"a": NESTED}),
        (tuple[Annotated[Documented, {}], ...], tuple[Documented, ...], [NESTED]),
        (Annotated[list[Annotated[int, {}]], {}], list[int], [1]),
        (list[list[Annotated[int, {}]]], list[list[int]], [[1]]),
    ],
)
def test_metadata_of_any_kind_beside_a_type_is_no_matter(annotation, plain, value):
    """Notes that cannot be hashed are another library's, wherever they stand."""
    described = json_schema(holder(annotation))

    assert described == json_schema(holder(plain))
    assert convert(value, annotation) == convert(value, plain)
