"""Dialects: a schema in the terms of a provider, and the reading that undoes them."""

from __future__ import annotations

import importlib.util
import json
import math
import pickle
import sys
from datetime import date, timedelta
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

import attrs
import pytest
from attrs import define, field

import nucleo_schema as ns
from nucleo_schema import (
    Artifact,
    ArtifactRegistry,
    Int32,
    Int64,
    InvalidInputError,
    MappingError,
    ResponseContract,
    ResponseRefused,
    SchemaError,
    SerializationError,
    answer_format,
    convert,
    json_schema,
    keywords,
    meta,
    parse_llm_response,
    register_leaf,
    tool_definition,
    type_alias,
)
from nucleo_schema._cli.main import main
from nucleo_schema._declare.classes import ABSENT
from nucleo_schema._dialects.nodes import ALL_TYPES
from nucleo_schema.dialects import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    DIALECTS,
    GEMINI,
    OPENAI,
    OPENAI_STRICT,
    PORTABLE,
    STANDARD,
)

MODEL_FACING = [dialect for dialect in DIALECTS.values() if dialect is not STANDARD]
STRICT = [OPENAI_STRICT, ANTHROPIC_STRICT]

every = pytest.mark.parametrize("dialect", MODEL_FACING, ids=lambda dialect: dialect.name)
strict = pytest.mark.parametrize("dialect", STRICT, ids=lambda dialect: dialect.name)


def class_of(annotation, **arguments):
    """Return a class with one member ``it``."""
    return attrs.make_class("Holder", {"it": attrs.field(type=annotation, **arguments)})


def node_of(annotation, dialect, **arguments):
    """Return the schema of a member ``it`` in a dialect, without the words that every member has."""
    cls = class_of(annotation, **arguments)
    node = json_schema(cls, dialect=dialect)["properties"]["it"]
    words = node.pop("description").removeprefix("Field it").strip()
    return {"description": words, **node} if words else node


def rewritten(schema, dialect=PORTABLE):
    """Return what a finished schema is in a dialect, as the member of an object."""
    whole = {"type": "object", "title": "Whole", "properties": {"it": schema}, "required": ["it"]}
    return keywords.for_model(whole, dialect=dialect)["properties"]["it"]


def refusal(schema, dialect=PORTABLE):
    """Return the message with which a dialect refuses a finished schema."""
    with pytest.raises(SchemaError) as caught:
        rewritten(schema, dialect)
    return str(caught.value)


def problems(dialect, annotation, value):
    """Return what is wrong with the value of a member ``it``."""
    with pytest.raises(MappingError) as caught:
        convert({"it": value}, class_of(annotation), dialect=dialect)
    return [str(problem) for problem in caught.value.problems]


def read(dialect, annotation, value, **arguments):
    """Return the member ``it`` as it is read."""
    tree = {"it": value}
    cls = class_of(annotation, **arguments)
    first = parse_llm_response(json.dumps(tree), cls, dialect=dialect).it
    assert convert(tree, cls, dialect=dialect).it == first
    return first


@define
class Pair:
    key: str
    value: int


# --- the record -------------------------------------------------------------------------------------------


def test_a_host_derives_a_dialect_of_its_own():
    """A dialect is a value, and a new one is a value with something changed."""
    own = attrs.evolve(OPENAI_STRICT, name="OWN", maps="objects", max_depth=None)

    assert node_of(dict[str, int], own)["type"] == "object"
    assert repr(own) == "Dialect(name='OWN')"
    assert own == pickle.loads(pickle.dumps(own))
    assert hash(own) != hash(OPENAI_STRICT)


@pytest.mark.parametrize(
    "change",
    [
        *({"maps": "lists"}, {"untyped": "any"}, {"recursion": "never"}, {"api": "post"}, {"maps": []}),
        *({"name": 5}, {"name": ""}, {"strict": "yes"}, {"lookaround": 1}, {"model_facing": None}),
        *({"keywords": ["title"]}, {"formats": None}, {"enum_types": "string"}, {"open_map": "object"}),
        *({"max_depth": "ten"}, {"max_chars": -1}, {"max_unions": True}, {"max_optional": 1.5}),
        *({"property_names": 5}, {"property_names": "("}, {"open_map": {1: 2}}),
    ],
)
def test_a_dialect_of_unknown_ways_is_refused(change):
    """A misspelled way would be no way at all."""
    [(name, _)] = change.items()
    with pytest.raises(InvalidInputError, match=rf"^Dialect\.{name}: found .*, expected "):
        attrs.evolve(PORTABLE, **change)


@pytest.mark.parametrize("change", [{"maps": "entries"}, {"untyped": "text"}, {"all_required": True}])
def test_a_dialect_for_programs_changes_no_answers(change):
    """Its schema is the canonical one, so there is nothing to undo."""
    with pytest.raises(InvalidInputError, match=r"^Dialect\.model_facing: found False for STANDARD"):
        attrs.evolve(STANDARD, **change)


@pytest.mark.parametrize(
    "call",
    [
        lambda cls: json_schema(cls, dialect="PORTABLE"),
        lambda cls: parse_llm_response("{}", cls, dialect="PORTABLE"),
        lambda cls: convert({}, cls, dialect=None),
        lambda cls: ResponseContract(cls, dialect="PORTABLE"),
        lambda _cls: keywords.for_model({}, dialect="PORTABLE"),
        lambda cls: tool_definition(cls, "take", "Take it", "PORTABLE"),
        lambda cls: answer_format(cls, "take", "PORTABLE"),
    ],
)
def test_a_dialect_is_no_name(call):
    """A dialect is a value of its class, and the message says where to find some."""
    with pytest.raises(InvalidInputError, match=r"dialect: found .*, expected a Dialect"):
        call(class_of(int))


def test_a_schema_in_a_dialect_is_the_callers_to_change():
    """Renderings are made once and copied."""
    cls = class_of(int)
    json_schema(cls, dialect=PORTABLE)["properties"].clear()

    assert json_schema(cls, dialect=PORTABLE)["properties"]


def test_descriptions_are_replaced_in_a_dialect_too():
    """The words of a caller stand in place of those of the class."""
    cls = class_of(Any, metadata=meta("Of the class"))
    schema = ns.describe(cls).json_schema({"it": "Of the caller"}, dialect=OPENAI_STRICT)

    assert schema["properties"]["it"]["description"] == "Of the caller [written as JSON text]"
    assert json_schema(cls, dialect=PORTABLE)["properties"]["it"]["description"] == "Of the class"


# --- what becomes of a class ------------------------------------------------------------------------------


@define
class Leaf:
    name: str
    size: int = 3


@define
class Tree:
    name: str
    parent: Tree | None = None
    children: list[Tree] = field(factory=list)


@define
class Twins:
    pair: tuple[Twins, Any] | None = None


@define
class Endless:
    name: str
    next: Endless


@define
class Knot:
    loose: Loop | None = None


@define
class Loop:
    inner: Held


@define
class Held:
    loops: list[Loop]


def test_the_portable_dialect_closes_objects_and_puts_required_properties_first():
    """No reader invents members then, and all keep to one order."""
    cls = attrs.make_class(
        "Mixed",
        {"spare": attrs.field(type=str, default=""), "needed": attrs.field(type=int, kw_only=True)},
    )
    schema = json_schema(cls, dialect=PORTABLE)

    assert list(schema["properties"]) == ["needed", "spare"]
    assert schema["required"] == ["needed"]
    assert schema["additionalProperties"] is False


def test_required_is_left_out_when_it_would_be_empty():
    """Only a dialect that requires everything states that nothing is required."""
    empty = attrs.make_class("Empty", {})

    assert "required" not in json_schema(empty, dialect=PORTABLE)
    assert json_schema(empty, dialect=OPENAI_STRICT)["required"] == []
    assert json_schema(empty, dialect=OPENAI_STRICT)["properties"] == {}


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (PORTABLE, {"type": ["string", "number", "integer", "boolean", "object", "array", "null"]}),
        (OPENAI, {}),
        (GEMINI, {}),
        (ANTHROPIC_STRICT, {"type": "string", "description": "[written as JSON text]"}),
    ],
)
def test_untyped_data(dialect, expected):
    """Each type by name, no type at all, or JSON text."""
    assert node_of(Any, dialect) == expected
    assert node_of(list[Any], dialect) == {"type": "array", "items": expected}


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (PORTABLE, {"type": "object"}),
        (OPENAI, {"type": "object", "properties": {}, "additionalProperties": True}),
        (GEMINI, {"type": "object"}),
    ],
)
def test_a_map_of_untyped_values(dialect, expected):
    """The spelling that no reader takes amiss."""
    assert node_of(dict[str, Any], dialect) == expected


def test_a_map_stays_an_object_where_maps_are_taken():
    """Its values are typed as they were."""
    node = node_of(dict[str, list[bool]], PORTABLE)

    assert node == {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "boolean"}},
    }


@strict
def test_a_map_is_an_array_of_entries_in_a_strict_dialect(dialect):
    """A strict reader would make of a map an object that can only be empty."""
    node = node_of(dict[str, bool], dialect)

    assert node == {
        "type": "array",
        "description": "[written as an array of entries, each with a key and a value]",
        "items": {
            "type": "object",
            "properties": {"key": {"type": "string"}, "value": {"type": "boolean"}},
            "required": ["key", "value"],
            "additionalProperties": False,
        },
    }


def test_a_property_that_may_be_left_out_may_be_null_where_all_are_required():
    """Null is added to what there was, once, and the description stays outside."""
    assert node_of(bool, OPENAI_STRICT, default=True) == {"anyOf": [{"type": "boolean"}, {"type": "null"}]}
    assert node_of(bool | None, OPENAI_STRICT, default=True) == {
        "anyOf": [{"type": "boolean"}, {"type": "null"}]
    }
    assert node_of(type(None), OPENAI_STRICT, default=None) == {"type": "null"}
    assert node_of(bool, ANTHROPIC_STRICT, default=True) == {"type": "boolean"}


def test_nothing_stands_beside_a_reference():
    """A description stands beside the union of one that holds it."""
    schema = json_schema(Tree, dialect=PORTABLE)["$defs"]["Tree"]["properties"]

    assert schema["parent"] == {"anyOf": [{"$ref": "#/$defs/Tree"}], "description": "Field parent"}
    assert schema["children"]["items"] == {"$ref": "#/$defs/Tree"}
    strictly = json_schema(Tree, dialect=OPENAI_STRICT)["properties"]["parent"]
    assert strictly["anyOf"] == [{"$ref": "#/$defs/Tree"}, {"type": "null"}]


def test_bounds_that_only_say_a_width_go_where_they_break_a_reader():
    """64 bits are beyond what JavaScript and some decoders hold; 32 bits are harmless."""
    assert node_of(Int64, PORTABLE) == {"type": "integer"}
    assert node_of(Int32, PORTABLE) == {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}
    assert node_of(Int32, ANTHROPIC_STRICT) == {"type": "integer"}
    assert node_of(int, ANTHROPIC_STRICT) == {"type": "integer"}
    assert node_of(int, PORTABLE)["maximum"] == 2**53 - 1


@pytest.mark.parametrize(
    ("refinement", "words"),
    [
        ({"minimum": 0, "exclusiveMaximum": 2**60}, "less than 1152921504606846976"),
        ({"maximum": 10**300}, f"at most {10**300}"),
        ({"default": False}, "default false"),
        ({"default": {"a": 1}, "type": "object"}, 'default [{"key": "a", "value": "1"}]'),
        ({"default": [1], "type": "object"}, "default [1]"),
        ({"uniqueItems": False}, None),
    ],
)
def test_what_no_reader_takes_is_told_and_not_lost(refinement, words):
    """Nothing that narrows a value down goes in silence, and a default is told as it would be written."""
    told = rewritten({"type": "integer", **refinement}, OPENAI_STRICT).get("description", "")

    assert (words or "") in told
    assert "exclusiveMaximum" not in rewritten({"type": "integer", **refinement}, OPENAI_STRICT)
    assert bool(told) is (words is not None)


def test_what_narrows_a_value_down_is_told_where_it_may_not_stay():
    """A refinement stands as a keyword, or in the description in words."""
    schema = {"type": "integer", "minimum": 1, "maximum": 5, "multipleOf": 2}

    assert rewritten(schema) == schema
    told = rewritten({**schema, "description": "How many"}, ANTHROPIC_STRICT)
    assert told == {"type": "integer", "description": "How many [at least 1; at most 5; a multiple of 2]"}


@pytest.mark.parametrize(
    ("annotation", "dialect", "expected"),
    [
        (date, ANTHROPIC_STRICT, {"type": "string", "format": "date"}),
        (timedelta, OPENAI_STRICT, {"type": "string", "format": "duration"}),
        (timedelta, PORTABLE, {"type": "string", "description": "[format duration]"}),
        (bytes, PORTABLE, {"type": "string", "contentEncoding": "base64"}),
        (bytes, OPENAI_STRICT, {"type": "string", "description": "[in base64]"}),
    ],
)
def test_formats(annotation, dialect, expected):
    """A format stays where it is known."""
    assert node_of(annotation, dialect) == expected


def test_a_pattern_that_looks_around_is_told():
    """Strict readers compile patterns with less than a whole engine."""
    plain, around = {"type": "string", "pattern": "^a+$"}, {"type": "string", "pattern": "^(?=a)"}

    assert rewritten(plain, OPENAI_STRICT) == plain
    assert rewritten(around) == around
    assert rewritten(around, OPENAI_STRICT) == {"type": "string", "description": "[pattern ^(?=a)]"}


@pytest.mark.parametrize(
    ("pattern", "stays"),
    [
        ("^(?:a|b)+$", True),
        (r"^\(?\d+\)?$", True),
        (r"[(?=]", True),
        (r"[^]\]]\\b", True),
        ("[(?=", True),
        *((pattern, False) for pattern in (r"(a)\1", r"\bword\b", "(?!a)b", "(?<=a)b", "(?P<n>a)", "(?i)a")),
    ],
)
def test_a_pattern_stays_where_an_automaton_can_follow_it(pattern, stays):
    """It looks neither around nor back; what is escaped, or one of a set, is only a character."""
    node = rewritten({"type": "string", "pattern": pattern}, OPENAI_STRICT)

    assert node.get("pattern") == (pattern if stays else None)
    assert ("description" in node) is not stays


def test_counts_of_items():
    """One dialect knows only whether there are any."""
    schema = {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 9}

    assert rewritten(schema) == schema
    told = rewritten(schema, ANTHROPIC_STRICT)
    assert told["minItems"] == 1
    assert told["description"] == "[at most 9 items]"
    assert rewritten({**schema, "minItems": 2}, ANTHROPIC_STRICT)["description"] == (
        "[at least 2 items; at most 9 items]"
    )


def test_the_places_of_a_tuple_are_told():
    """No reader agrees with another on prefixItems: any item may stand anywhere, and words give the order."""
    node = node_of(tuple[bool, str, bool], PORTABLE)

    assert node == {
        "type": "array",
        "description": "[in this order: boolean, string, boolean]",
        "items": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
        "minItems": 3,
        "maxItems": 3,
    }
    assert node_of(tuple[bool, bool], PORTABLE)["items"] == {"type": "boolean"}


def test_the_places_of_a_tuple_are_named_by_what_stands_there():
    """Classes by their names, alternatives one by one."""
    words = node_of(tuple[Leaf, bool | None, Any], PORTABLE)["description"]

    assert words == "[in this order: Leaf, boolean or null, any value]"
    schema = json_schema(Twins, dialect=OPENAI)
    assert "Twins, any value" in schema["properties"]["pair"]["description"]


def test_choices_of_several_types_are_told_apart():
    """Every list of values has one type."""
    node = node_of(Literal["a", 2, True], PORTABLE)

    assert node["anyOf"] == [
        {"type": "string", "enum": ["a"]},
        {"type": "integer", "enum": [2]},
        {"type": "boolean", "enum": [True]},
    ]


@define
class Cat:
    kind: Literal["cat"] = "cat"
    lives: int = 9


@define
class Dog:
    kind: Literal["dog"] = field(default="dog", metadata=meta("What it is"))
    lives: int = 1


def test_a_tag_with_a_default_is_stated_where_every_property_is_required():
    """Null would say nothing about which of the classes is meant."""
    cats, dogs = node_of(Cat | Dog, OPENAI_STRICT)["anyOf"]

    assert cats["properties"]["kind"] == {"type": "string", "description": "Field kind", "enum": ["cat"]}
    assert dogs["properties"]["kind"] == {"type": "string", "description": "What it is", "enum": ["dog"]}
    assert cats["properties"]["lives"]["anyOf"][1] == {"type": "null"}
    assert read(OPENAI_STRICT, Cat | Dog, {"kind": "dog", "lives": None}) == Dog()


@define
class Branch:
    kind: Literal["branch"] = "branch"
    parts: list[Branch | Twig] = field(factory=list)


@define
class Twig:
    kind: Literal["twig"] = "twig"
    leaves: int = 0


def test_a_tag_of_a_class_that_comes_back_is_stated_too():
    """It stands in a definition, which every place shares."""
    schema = json_schema(Branch, dialect=OPENAI_STRICT)

    branch, twig = schema["properties"]["parts"]["anyOf"][0]["items"]["anyOf"]
    assert branch == {"$ref": "#/$defs/Branch"}
    assert schema["$defs"]["Branch"]["properties"]["kind"]["enum"] == ["branch"]
    assert twig["properties"]["kind"]["enum"] == ["twig"]
    assert schema["properties"]["kind"]["anyOf"][1] == {
        "type": "null"
    }  # of the root, which is no alternative


def test_a_tag_is_stated_in_whatever_way_the_alternatives_are_nested():
    """Alternatives within alternatives are all alternatives, and one that comes back is not lost."""

    def tagged(name):
        return {"type": "object", "title": name, "properties": {"kind": {"const": name}}}

    inner = {"oneOf": [tagged("b"), {"$ref": "#/$defs/c"}, {"type": "string"}, False]}
    whole = {
        "type": "object",
        "properties": {"it": {"items": {"anyOf": [tagged("a"), inner]}}},
        "$defs": {
            "c": {**tagged("c"), "properties": {"kind": {"const": "c"}, "next": {"$ref": "#/$defs/c"}}}
        },
    }

    result = keywords.for_model(whole, dialect=OPENAI_STRICT)
    nodes = json.dumps(result).split('"kind": ')[1:]

    assert len(nodes) == 3
    assert all(node.startswith('{"type": "string", "enum"') for node in nodes)


def test_what_is_no_tag_may_be_null_where_every_property_is_required():
    """One class needs none, and a value that two classes share tells nothing."""
    lone = json_schema(Cat, dialect=OPENAI_STRICT)["properties"]
    shared = attrs.make_class("Tom", {"kind": attrs.field(type=Literal["cat"], default="cat")})

    assert lone["kind"]["anyOf"][1] == {"type": "null"}
    for node in node_of(Cat | shared, OPENAI_STRICT)["anyOf"]:
        assert node["properties"]["kind"]["anyOf"][1] == {"type": "null"}


def test_choices_of_zero_and_one_are_no_booleans():
    """Where numbers may not be listed, they are told."""
    own = attrs.evolve(PORTABLE, enum_types=frozenset({"string"}))

    assert node_of(Literal[0, 1], own) == {"description": "[only 0, 1]", "type": "integer"}
    assert node_of(Literal[True, False], own) == {"type": "boolean"}


def test_choices_of_a_type_that_may_not_be_listed_are_told():
    """Gemini lists texts and numbers."""
    assert node_of(Literal[True], GEMINI) == {"type": "boolean", "description": "[only true]"}
    assert node_of(Literal[True, False], GEMINI) == {"type": "boolean"}
    assert rewritten({"enum": ["a", None]}, GEMINI)["anyOf"] == [
        {"type": "string", "enum": ["a"]},
        {"type": "null"},
    ]


def test_gemini_lists_its_properties_in_order():
    """Older models keep to no other order."""
    assert json_schema(Leaf, dialect=GEMINI)["propertyOrdering"] == ["name", "size"]


@pytest.mark.parametrize(
    ("annotation", "example", "words"),
    [
        (str, "A-1", "[examples: A-1]"),
        (dict[str, int], {"a": 1}, '[{"key": "a", "value": 1}]'),
        (dict[str, Any], {"a": [1]}, '[{"key": "a", "value": "[1]"}]'),
        (list[dict[str, int]], [{"a": 1}], '[[{"key": "a", "value": 1}]]'),
        (tuple[Any, int], [{}, 1], '["{}", 1]'),
        (Leaf, Leaf("x"), '{"name": "x", "size": 3}'),
        (Any, {"b": None}, '"{\\"b\\": null}"'),
        (dict[str, int] | str, "plain", "[examples: plain]"),
        (dict[str, int] | str, {"a": 1}, '[{"key": "a", "value": 1}]'),
        (float | str, 2, "[examples: 2.0]"),
    ],
)
def test_examples_are_told_as_the_model_is_to_write_them(annotation, example, words):
    """An example in another form than the schema's would mislead."""
    node = node_of(annotation, OPENAI_STRICT, metadata=meta("", examples=[example]))

    expected = (
        words
        if words.startswith("[examples")
        else f"examples: {json.loads(words) if annotation is Any else words}"
    )
    assert expected in node["description"]


def test_examples_stay_where_they_are_taken():
    """They are part of the schema for most."""
    node = node_of(dict[str, bool], PORTABLE, metadata=meta("", examples=[{"a": True}]))

    assert node["examples"] == [{"a": True}]


def test_an_example_of_a_recursive_class_is_told_at_no_reference():
    """Beside a reference nothing may stand, and its own class tells what it is."""
    spare = attrs.field(type=Tree, metadata=meta("A tree", examples=[Tree("x", children=[Tree("y")])]))
    schema = json_schema(attrs.make_class("Garden", {"tree": spare}), dialect=OPENAI_STRICT)

    assert '"children": [{"name": "y"' in schema["properties"]["tree"]["description"]


@type_alias("dialect-page")
@define
class WebPage(Artifact):
    url: str
    parts: dict[str, Any] = field(factory=dict)


@every
def test_artifacts_are_references(dialect):
    """A dialect is for models, and a model chooses an artifact and never writes one."""
    schema = json_schema(class_of(WebPage), dialect=dialect)

    assert list(schema["properties"]["it"]["properties"]) == ["artifact_ref"]
    assert "x-nucleo" not in json.dumps(schema)


@every
def test_the_keywords_of_the_host_are_gone(dialect):
    """No model is told them, whatever the dialect."""
    secret = attrs.field(type=str, metadata=meta("Secret", context_ignore=True))
    schema = json_schema(attrs.make_class("Secretive", {"it": secret}), dialect=dialect)

    assert "x-nucleo" not in json.dumps(schema)


# --- what a dialect cannot express ------------------------------------------------------------------------


def nested(levels):
    """Return a class with so many objects within each other."""
    cls = attrs.make_class(f"Level{levels}", {"it": attrs.field(type=str)})
    for level in range(levels - 1, 0, -1):
        cls = attrs.make_class(f"Level{level}", {"inner": attrs.field(type=cls)})
    return cls


def test_objects_within_objects_have_a_limit():
    """Ten levels are taken, the eleventh is named with its field."""
    assert json_schema(nested(10), dialect=OPENAI_STRICT)
    with pytest.raises(SchemaError) as caught:
        json_schema(nested(11), dialect=OPENAI_STRICT)

    assert str(caught.value) == (
        "Level10.inner: found more than 10 objects within objects, the limit of OPENAI_STRICT. "
        "Make the class flatter, or use a dialect without strict."
    )


def test_entries_count_as_objects_within_objects():
    """What a dialect makes counts, for its reader counts it."""
    cls = attrs.make_class("Map", {"it": attrs.field(type=dict[str, nested(9)])})

    with pytest.raises(SchemaError, match="found more than 10 objects"):
        json_schema(cls, dialect=OPENAI_STRICT)


@pytest.mark.parametrize(
    ("change", "annotation", "message"),
    [
        ({"max_properties": 1}, Leaf, "Leaf.name: found more than 1 properties"),
        ({"max_optional": 0}, Leaf, "Leaf.size: found more than 0 optional properties"),
        ({"max_unions": 0}, int | str, "Holder.it: found more than 0 properties with alternatives"),
        ({"max_enum_values": 2}, Literal[1, 2, 3], "Holder.it: found more than 2 values of choices"),
        ({"max_chars": 3}, Literal["a", "b"], "Holder.it: found more than 3 characters of names"),
    ],
)
def test_what_is_counted_has_a_limit(change, annotation, message):
    """The message names the class and the field at which the limit is passed."""
    with pytest.raises(SchemaError, match=message):
        json_schema(class_of(annotation), dialect=attrs.evolve(PORTABLE, **change))


def test_one_choice_of_many_has_a_limit_of_its_own():
    """Only beyond 250 values."""
    long = {"type": "string", "enum": [f"{number:060}" for number in range(251)]}

    assert "more than 15000 characters in one choice" in refusal(long, OPENAI_STRICT)
    assert rewritten({**long, "enum": long["enum"][:250]}, OPENAI_STRICT)


def test_optional_properties_have_a_limit():
    """24 in a strict request."""
    spare = {f"f{number}": attrs.field(type=int, default=0) for number in range(25)}

    with pytest.raises(
        SchemaError, match=r"Wide\.f24: found more than 24 optional properties, .*Require some"
    ):
        json_schema(attrs.make_class("Wide", spare), dialect=ANTHROPIC_STRICT)
    assert json_schema(attrs.make_class("Wide", spare), dialect=ANTHROPIC)


@pytest.mark.parametrize("name", ["größe", "with space", "$ref", "1st", "x" * 65])
@every
def test_names_outside_the_safe_set_are_refused(dialect, name):
    """The message says how to give the field another name."""
    named = attrs.field(type=int, metadata=meta("", name=name))

    with pytest.raises(SchemaError, match=r"Odd\..*: found the name .*Give the field another with meta"):
        json_schema(attrs.make_class("Odd", {"it": named}), dialect=dialect)


def test_recursion_is_refused_where_there_is_none():
    """The message names the field through which it comes back."""
    with pytest.raises(
        SchemaError, match=r"Tree\.parent: found a reference back to Tree, expected no recursion"
    ):
        json_schema(Tree, dialect=ANTHROPIC_STRICT)


@pytest.mark.parametrize(
    ("cls", "place"), [(Endless, "Endless.next"), (Knot, "Held.loops"), (Loop, "Held.loops")]
)
def test_recursion_through_required_properties_is_refused_where_it_must_end(cls, place):
    """Also behind an optional property, and through an array."""
    with pytest.raises(
        SchemaError, match=f"{place}: found a reference back through required properties only"
    ):
        json_schema(cls, dialect=GEMINI)
    assert json_schema(cls, dialect=OPENAI_STRICT)
    assert json_schema(Tree, dialect=GEMINI)


@strict
def test_alternatives_that_would_look_alike_are_refused(dialect):
    """A map and an array are both arrays then, and no reader could tell which was meant."""
    with pytest.raises(SchemaError, match=r"Holder\.it: found a map or an array, expected one of them"):
        json_schema(class_of(dict[str, int] | list[Pair]), dialect=dialect)
    assert "untyped data or something else" in refusal({"anyOf": [{}, {"type": "string"}]}, dialect)
    assert rewritten({"anyOf": [{}, {"type": "null"}]}, dialect)
    assert node_of(dict[str, int] | str, dialect)


class Mood(Enum):
    GOOD = "good"


LOOK_ALIKE = [
    list[Any] | list[str],
    list[Any] | list[date],
    list[Any] | list[Mood],
    list[Any] | list[int],
    list[Any] | list[Literal[1]],
    tuple[int, Any] | tuple[str, str],
    list[list[Any]] | list[list[str]],
    list[Any] | list[int | str],
    list[Any] | list[str] | None,
    list[list[Any] | list[str]],
    list[list[Any]] | list[tuple[str, str]],
    dict[str, Any] | dict[str, str],
    dict[str, list[Any]] | dict[str, list[str]],
    list[dict[str, int]] | list[list[int]],
    tuple[int, Any] | tuple[int, str],
]
TOLD_APART = [
    list[Any] | list[Pair],
    list[dict[str, Any]] | list[Pair],
    list[int] | list[str],
    dict[str, int] | dict[str, str],
    tuple[int, Any] | tuple[list[str], str],
    tuple[int, Any] | tuple[int, str, str],
    Pair | list[Any] | str,
]


@strict
@pytest.mark.parametrize("annotation", LOOK_ALIKE, ids=str)
def test_alternatives_that_look_alike_further_in_are_refused(dialect, annotation):
    """One text may be a text or JSON, wherever it stands: it would be read as one of them in silence."""
    with pytest.raises(SchemaError, match=rf"Holder\.it: found .*, expected one of them: for {dialect.name}"):
        json_schema(class_of(annotation), dialect=dialect)
    assert json_schema(class_of(annotation), dialect=PORTABLE)


@strict
@pytest.mark.parametrize("annotation", TOLD_APART, ids=str)
def test_alternatives_that_can_be_told_apart_are_kept(dialect, annotation):
    """Their JSON types differ in the dialect, or what is read is the same."""
    assert json_schema(class_of(annotation), dialect=dialect)


RECURSIVE = {
    "type": "object",
    "properties": {"it": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}},
    "$defs": {
        "a": {"type": "array", "items": {"$ref": "#/$defs/a"}},
        "b": {"type": "array", "items": {"$ref": "#/$defs/b"}},
        "loop": {"$ref": "#/$defs/loop"},
    },
}


def test_arrays_of_themselves_are_told_apart_in_the_end():
    """Nothing in them is written otherwise."""
    assert keywords.for_model(RECURSIVE, dialect=OPENAI_STRICT)["$defs"]


def test_untyped_items_are_alike_and_so_is_what_they_mean():
    """Whichever of two such arrays is meant, the same is read."""
    assert rewritten({"anyOf": [{"type": "array"}, {"type": "array", "minItems": 1}]}, OPENAI_STRICT)


def test_objects_that_come_back_to_themselves_are_looked_at_once():
    """Nothing in them is written otherwise where every member is required anyway."""
    own = attrs.evolve(OPENAI_STRICT, name="OWN", untyped="open")
    loop = {"type": "object", "properties": {"next": {"$ref": "#/$defs/loop"}}, "required": ["next"]}
    items = {"type": "array", "items": {"$ref": "#/$defs/loop"}}
    whole = {
        "type": "object",
        "properties": {"it": {"anyOf": [{"type": "array"}, items]}},
        "$defs": {"loop": loop},
    }

    assert keywords.for_model(whole, dialect=own)["$defs"]


@pytest.mark.parametrize(
    ("one", "other", "is_refused"),
    [
        ({"type": "array"}, {"type": "array", "items": {"type": "object", "properties": {"a": {}}}}, True),
        ({"type": "array"}, {"type": "array", "items": {"type": "object"}}, True),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}, False),
        ({"type": "array"}, {"type": "array", "items": {"anyOf": [{"type": "object"}, {}]}}, True),
    ],
)
def test_untyped_data_that_stays_open_is_told_from_what_the_dialect_changes(one, other, is_refused):
    """Whatever is an entry or a null of the dialect may be data as well."""
    own = attrs.evolve(OPENAI_STRICT, name="OWN", untyped="open")
    schema = {"anyOf": [one, other]}

    if is_refused:
        assert "alternatives that look alike" in refusal(schema, own)
    else:
        assert rewritten(schema, own)


AS_OBJECTS = attrs.evolve(OPENAI_STRICT, name="OBJECTS", maps="objects", untyped="types")
AS_TEXTS = attrs.evolve(PORTABLE, name="TEXTS", untyped="text")


@pytest.mark.parametrize(
    ("dialect", "property_node", "values", "is_refused"),
    [
        (AS_TEXTS, {"type": "string"}, True, True),  # a text, or the JSON of something else
        (AS_TEXTS, {"type": "array"}, True, False),  # no text, so no value of the map
        (AS_TEXTS, {"type": "string"}, {"type": "integer"}, False),
        (AS_TEXTS, {"type": "array"}, {"type": "array", "items": {"type": "string"}}, True),
        (AS_OBJECTS, {"type": "string"}, True, False),
        (PORTABLE, {"type": "string"}, True, False),
    ],
)
def test_an_object_is_told_from_a_map_that_stays_an_object(dialect, property_node, values, is_refused):
    """What is a member of the one may be a value of the other, and mean something else."""
    whole = {"type": "object", "properties": {"a": property_node}, "required": ["a"]}
    alternatives = [whole, {"type": "object", "additionalProperties": values}]

    for schema in ({"anyOf": alternatives}, {"anyOf": [{"anyOf": alternatives[::-1]}, {"type": "null"}]}):
        if is_refused:
            assert "alternatives that look alike" in refusal(schema, dialect)
        else:
            assert rewritten(schema, dialect)


@pytest.mark.parametrize(
    ("values", "is_refused"),
    [(True, True), ({"type": ["integer", "null"]}, True), ({"type": "integer"}, False)],
)
def test_null_for_a_property_left_out_is_told_from_null_in_a_map(values, is_refused):
    """Where every property is required, and a map stays an object."""
    whole = {"type": "object", "properties": {"a": {"type": "integer"}}}
    schema = {"anyOf": [whole, {"type": "object", "additionalProperties": values}]}

    if is_refused:
        assert "alternatives that look alike" in refusal(schema, AS_OBJECTS)
    else:
        assert rewritten(schema, AS_OBJECTS)


def test_alternatives_within_alternatives_are_compared_as_well():
    """However deep the union stands that makes them one."""
    texts, anything = {"type": "array", "items": {"type": "string"}}, {"type": "array"}
    inner = {"anyOf": [{"type": "integer"}, texts]}

    assert "alternatives that look alike" in refusal({"anyOf": [inner, anything]}, OPENAI_STRICT)
    assert "alternatives that look alike" in refusal({"anyOf": [anything, inner]}, OPENAI_STRICT)
    assert rewritten({"anyOf": [{"anyOf": [{"type": "integer"}, {"type": "null"}]}, anything]}, OPENAI_STRICT)


def test_a_schema_beyond_all_measure_is_refused():
    """References that share a lot are written out at each place: that has an end."""
    definitions = {"d0": {"type": "string"}}
    for number in range(1, 19):
        inner = {"$ref": f"#/$defs/d{number - 1}"}
        definitions[f"d{number}"] = {"type": "object", "properties": {"a": inner, "b": inner}}
    schema = {"type": "object", "properties": {"it": {"$ref": "#/$defs/d18"}}, "$defs": definitions}

    with pytest.raises(SchemaError, match="found a schema of more than"):
        keywords.for_model(schema, dialect=attrs.evolve(PORTABLE, property_names=None))


def test_a_schema_nested_too_deeply_is_refused():
    """A thousand levels are a schema, and more than this walk takes."""
    schema = {"type": "string"}
    for _ in range(900):
        schema = {"type": "array", "items": schema}

    assert "nested too deeply for PORTABLE" in refusal(schema)


# --- finished schemas of others' making -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"const": 3}, {"type": "integer", "enum": [3]}),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"allOf": [{"type": "string"}], "title": "T"}, {"type": "string", "title": "T"}),
        ({"type": ["string"]}, {"type": "string"}),
        (
            {"type": ["string", "integer"], "minLength": 1, "minimum": 0, "description": "D"},
            {
                "description": "D",
                "anyOf": [{"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}],
            },
        ),
        ({"type": ["string", "null"], "enum": ["a"]}, {"type": "string", "enum": ["a"]}),
        ({"type": "string", "enum": ["a", 1, None, "a"]}, {"type": "string", "enum": ["a"]}),
        ({"type": "integer", "enum": [1, 2.0, 2.5]}, {"anyOf": [{"type": "integer", "enum": [1]}, {"type": "number", "enum": [2.0]}]}),
        ({"type": "number", "enum": [1, 2.5]}, {"anyOf": [{"type": "integer", "enum": [1]}, {"type": "number", "enum": [2.5]}]}),
        ({"type": "array"}, {"type": "array", "items": {"type": list(ALL_TYPES)}}),
        ({"type": list(ALL_TYPES)}, {"type": list(ALL_TYPES)}),
        (True, {"type": list(ALL_TYPES)}),
        ({"properties": {}}, {"type": "object", "properties": {}, "additionalProperties": False}),
        (
            {"type": "object", "additionalProperties": False},
            {"type": "object", "properties": {}, "additionalProperties": False},
        ),
        ({"type": "object", "properties": {}, "additionalProperties": True}, {"type": "object"}),
        ({"items": {"type": "null"}}, {"type": "array", "items": {"type": "null"}}),
        ({"anyOf": [{"type": "string"}, {"type": "string"}], "$comment": "c"}, {"type": "string"}),
        ({"anyOf": [{"type": "string"}, False]}, {"type": "string"}),
        (
            {"description": "Outer", "anyOf": [{"type": "string", "description": "Inner"}]},
            {"description": "Outer", "anyOf": [{"type": "string", "description": "Inner"}]},
        ),
        ({"type": "string", "default": "x", "deprecated": True}, {"type": "string", "description": '[default "x"]'}),
        ({"type": "array", "items": {"type": "null"}, "uniqueItems": True}, {"type": "array", "description": "[no two items alike]", "items": {"type": "null"}}),
        ({"type": "array", "items": {"type": "null"}, "uniqueItems": False}, {"type": "array", "items": {"type": "null"}}),
        ({"type": "string", "not": {"enum": ["x"]}}, {"type": "string", "description": '[not: {"enum": ["x"]}]'}),
        (
            {"prefixItems": [{"type": "null"}], "items": {"type": "string"}},
            {"type": "array", "description": "[in this order: null]", "items": {"anyOf": [{"type": "null"}, {"type": "string"}]}},
        ),
        ({"allOf": [True], "type": "string"}, {"type": "string"}),
    ],
)  # fmt: skip
def test_other_spellings_are_brought_to_one(schema, expected):
    """A schema that arrived, or the leaf of a host's, may say the same in other words."""
    assert rewritten(schema) == expected


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {}}, "examples": [{"b": 1}]},
        {"prefixItems": [{}, {}], "examples": [[1]]},
        {"type": "object", "examples": [5]},
        {"anyOf": [{"type": "object"}, {"type": "integer"}], "examples": ["neither"]},
        {
            "anyOf": [{"type": "object"}, {"type": "object", "properties": {"a": {"type": "integer"}}}],
            "examples": [{"a": 1}],
        },
        {"anyOf": [{"type": "object", "properties": {"a": {}}}], "examples": [{"b": 1}]},
        {"anyOf": [False, {"type": "string"}], "examples": [5]},
        {"enum": ["a", 1], "examples": ["b", True]},
    ],
)
def test_an_example_that_fits_nothing_or_several_places_alike_is_left_out(schema):
    """There is no telling how the model would write it."""
    assert "examples" not in json.dumps(rewritten(schema, OPENAI_STRICT))


def test_a_schema_in_the_portable_dialect_stays_what_it_is():
    """What another server made portable is rewritten to itself, and to any other dialect as from the source."""
    portable = json_schema(Shelf, dialect=attrs.evolve(PORTABLE, keywords=PORTABLE.keywords - {"examples"}))
    portable["properties"].pop("pair")  # its places are told in words already
    portable["$defs"]["Shelf"]["properties"].pop("pair")

    assert keywords.for_model(portable, dialect=PORTABLE) == portable
    strictly = keywords.for_model(portable, dialect=OPENAI_STRICT)["properties"]
    assert strictly["books"] == json_schema(Shelf, dialect=OPENAI_STRICT)["properties"]["books"]


def test_a_reference_that_does_not_come_back_is_written_out():
    """Not every reader follows references."""
    schema = {
        "type": "object",
        "properties": {"it": {"$ref": "#/definitions/A~1B", "description": "Mine"}},
        "definitions": {"A/B": {"type": "string", "description": "Its own"}},
    }

    assert keywords.for_model(schema, dialect=PORTABLE)["properties"] == {
        "it": {"type": "string", "description": "Mine"}
    }


def test_a_reference_to_the_root_is_one_to_a_definition():
    """Some readers know no other reference than to a definition, and names that need no escape."""
    schema = {"type": "object", "title": "A node", "properties": {"next": {"$ref": "#"}, "any": True}}
    result = keywords.for_model(schema, dialect=PORTABLE)

    assert result["properties"]["next"] == {"$ref": "#/$defs/A_node"}
    assert result["$defs"]["A_node"]["properties"]["next"] == {"$ref": "#/$defs/A_node"}


def test_definitions_of_one_title_have_names_of_their_own():
    """A title is no key."""
    schema = {
        "$ref": "#/$defs/x",
        "$defs": {
            "x": {"type": "object", "title": "Same", "properties": {"y": {"$ref": "#/$defs/y"}}},
            "y": {"type": "object", "title": "Same", "properties": {"x": {"$ref": "#/$defs/x"}}},
        },
    }

    assert list(keywords.for_model(schema, dialect=PORTABLE)["$defs"]) == ["Same", "Same_2"]


def test_an_untitled_object_is_named_by_the_way_to_it():
    """The message says where, whatever the schema calls itself."""
    inner = {"type": "object", "properties": {"a b": {"type": "string"}}}

    assert refusal(inner).startswith("Whole.it.a b: found the name 'a b'")


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (5, "found integer 5, expected a schema"),
        ({"type": "integer", "minimum": None}, "found null under minimum, expected a number"),
        ({"maximum": True}, "found boolean true under maximum, expected a number"),
        ({"minItems": -1}, "found integer -1 under minItems, expected a whole number from 0"),
        ({"maxLength": 1.5}, "found number 1.5 under maxLength, expected a whole number from 0"),
        ({"type": "strange"}, 'found string "strange" under type, expected one of string, number'),
        ({"type": []}, "found array (0 items) under type, expected one of string"),
        ({"properties": []}, "found array (0 items) under properties, expected an object of schemas by name"),
        ({"anyOf": []}, "found array (0 items) under anyOf, expected a list of schemas"),
        ({"items": [{}]}, "found array (1 item), expected a schema: an object, true or false"),
        ({"required": [1]}, "found array (1 item) under required, expected a list of texts"),
        ({"enum": "a"}, 'found string "a" under enum, expected a list of values'),
        ({"examples": "none"}, 'found string "none" under examples, expected a list of values'),
        ({"pattern": 5}, "found integer 5 under pattern, expected text"),
        ({"$ref": 5}, "found integer 5 under $ref, expected text"),
        ({"uniqueItems": 5}, "found integer 5 under uniqueItems, expected true or false"),
        ({"minimum": math.nan}, "found number nan under minimum, expected a number"),
        ({"minItems": math.inf}, "found number inf under minItems, expected a whole number from 0"),
        ({"const": math.inf}, "found number inf under const, expected values of JSON"),
        ({"examples": [{"a": {1, 2}}]}, "found array (2 items) under examples, expected values of JSON"),
        ({"default": {1: "a"}}, "found integer 1 under default, expected values of JSON"),
        ({"strange": date(2024, 1, 1)}, "found an instance of date under strange, expected values of JSON"),
        ({1: 2}, "found integer 1 for a keyword, expected text"),
    ],
)
def test_a_keyword_that_holds_what_it_cannot_is_refused(schema, expected):
    """A schema that arrived may be anything; the message names the place and the keyword."""
    assert refusal(schema).startswith(f"Whole.it: {expected}")


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"title": 5, "type": "object", "properties": {}}, "schema"),
        ({"title": "T", "type": "object", "properties": {}, "$defs": {"d": {"items": 5}}}, "T.d"),
    ],
)
def test_a_keyword_of_the_root_or_of_a_definition_is_looked_at_too(schema, place):
    """By the name that there is."""
    with pytest.raises(SchemaError, match=f"^{place}: found integer 5"):
        keywords.for_model(schema, dialect=PORTABLE)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (False, "a place that nothing can fill"),
        ({"$ref": "#/$defs/none"}, "found a reference to string"),
        ({"$ref": "other.json"}, "found a reference to string"),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "found allOf beside other schemas"),
        ({"enum": []}, "found no choices"),
        ({"allOf": [False]}, "found no choices"),
        ({"enum": [[1]]}, "found a choice of array"),
        ({"type": "object", "patternProperties": {}}, "found patternProperties"),
        (
            {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"}},
            "found an object with properties and open members",
        ),
        ({"type": "string", "anyOf": [{"minLength": 1}]}, "found alternatives beside a type"),
        ({"type": "integer", "enum": ["a"]}, "found no choices"),
        ({"type": "object", "properties": {"a": {}}, "required": ["a", "b"]}, "found b required"),
        ({"type": "object", "required": ["b"]}, "found b required"),
        ({"$ref": "#/properties/it"}, "found a reference to string"),
    ],
)
def test_what_no_dialect_can_express_is_refused(schema, message):
    """Nothing is dropped in silence."""
    assert message in refusal(schema)


LOOP = {"type": "object", "title": "Loop", "properties": {"next": {"$ref": "#/$defs/loop"}}}
FLAT = {"type": "object", "title": "Flat", "properties": {"a": {"type": "string"}}}


def among_definitions(schema):
    """Return a finished schema with a member, and definitions of which one comes back."""
    definitions = {"loop": LOOP, "flat": FLAT}
    return {"type": "object", "title": "Whole", "properties": {"it": schema}, "$defs": definitions}


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ({"$ref": "#/$defs/loop", "properties": {"a": {}}}, "properties"),
        ({"$ref": "#/$defs/loop", "type": ["object", "null"], "required": ["next"]}, "required, type"),
        ({"$ref": "#/$defs/flat", "type": ["object", "null"]}, "type"),
        ({"$ref": "#/$defs/flat", "properties": {"b": {}}}, "properties"),
        ({"allOf": [{"$ref": "#/$defs/flat"}], "properties": {"b": {}}}, "properties"),
    ],
)
def test_what_a_node_is_made_of_beside_a_reference_is_not_dropped(schema, names):
    """Both count in the standard; here a reference is written out, or stands alone."""
    with pytest.raises(SchemaError, match=rf"^Whole\.it: found {names} beside a reference, expected"):
        keywords.for_model(among_definitions(schema), dialect=PORTABLE)


def test_what_says_the_same_beside_a_reference_is_said_once():
    """The type of an object is often repeated."""

    def written(schema):
        return keywords.for_model(among_definitions(schema), dialect=PORTABLE)["properties"]["it"]

    assert written({"$ref": "#/$defs/loop", "type": "object"}) == {"$ref": "#/$defs/Loop"}
    flat = {"$ref": "#/$defs/flat", "type": "object", "required": ["a"]}
    assert written(flat) == {**FLAT, "required": ["a"], "additionalProperties": False}


def test_the_only_schema_of_all_is_merged_unless_it_says_something_else():
    """Nothing of either is dropped."""
    one = {"type": "object", "properties": {"a": {}}}
    other = {"allOf": [one], "properties": {"b": {}}}

    assert "found allOf beside other schemas" in refusal(other)
    assert rewritten({"allOf": [one], "required": ["a"]})["required"] == ["a"]


@pytest.mark.parametrize(
    "definition",
    [
        {"$ref": "#/$defs/a"},
        {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "string"}]},
        {"allOf": [{"oneOf": [{"$ref": "#/$defs/b"}]}]},
    ],
)
def test_a_reference_that_comes_down_to_itself_is_refused(definition):
    """It says nothing, and a decoder would follow it without end."""
    schema = {
        "type": "object",
        "title": "Whole",
        "properties": {"it": {"$ref": "#/$defs/a"}},
        "$defs": {"a": definition, "b": {"$ref": "#/$defs/a"}},
    }

    with pytest.raises(SchemaError, match=r"^Whole\.it: found a reference to .*, which comes down to itself"):
        keywords.for_model(schema, dialect=PORTABLE)


def test_a_root_that_is_no_object_is_refused():
    """Arguments and answers are objects."""
    with pytest.raises(SchemaError, match="found a root that is no object with properties"):
        keywords.for_model({"type": "array"}, dialect=PORTABLE)
    for schema in (True, "false"):
        with pytest.raises(
            SchemaError, match=r"^schema: found boolean .*, expected an object with properties"
        ):
            keywords.for_model(schema, dialect=PORTABLE)


# --- reading back -----------------------------------------------------------------------------------------


class Color(Enum):
    RED = "red"
    BLUE = 2


@strict
def test_a_map_is_read_from_its_entries(dialect):
    """By the declared type: of keys, of values, at any depth."""
    entries = [{"key": "1", "value": [{"key": "RED", "value": "2024-05-06"}]}, {"key": "-2", "value": []}]

    assert read(dialect, dict[int, dict[Literal["RED"], date]], entries) == {
        1: {"RED": date(2024, 5, 6)},
        -2: {},
    }
    assert read(dialect, dict[Color, int | None], [{"key": "red", "value": None}]) == {Color.RED: None}
    assert read(dialect, dict[str, Any], [{"key": "a", "value": "[1, 2]"}]) == {"a": [1, 2]}
    assert read(dialect, dict[int, int], [{"key": 5, "value": 1}]) == {5: 1}


@strict
def test_a_list_of_objects_with_key_and_value_stays(dialect):
    """Undoing is driven by the declared type, never by looks."""
    entries = [{"key": "a", "value": 1}]

    assert read(dialect, list[Pair], entries) == [Pair("a", 1)]
    assert read(dialect, Any, json.dumps(entries)) == entries
    assert read(dialect, Any, entries) == entries


@strict
def test_an_object_in_the_place_of_a_map_is_the_map(dialect):
    """A model may keep to the usual form, and an object can mean nothing else there."""
    assert read(dialect, dict[str, int], {"a": 1, "b": 2}) == {"a": 1, "b": 2}
    assert read(dialect, dict[str, int], '{"a": 1}') == {"a": 1}
    assert read(dialect, dict[str, int], '[{"key": "a", "value": 1}]') == {"a": 1}
    assert read(dialect, dict[str, int], {"key": 1}) == {"key": 1}


@strict
@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (
            {"key": "a", "value": "b"},
            "it: found one entry, expected array of entries, each with a key and a value",
        ),
        ("no map", 'it: found string "no map", expected array of entries, each with a key and a value'),
        ([1], "it[0]: found integer 1, expected entry with a key and a value"),
        ([{"key": "a"}], "it[0]: found object (1 member), expected entry with a key and a value"),
        ([{"key": None, "value": "b"}], "it[0]: found null, expected a key"),
        (
            [{"key": "a", "value": "b"}, {"key": "a", "value": "c"}],
            'it[1]: found the key string "a" once more, expected different keys',
        ),
        ([{"key": "a", "value": []}], "it[0].value: found array (0 items), expected string"),
        (
            [{"key": "a", "value": "b", "more": 1}],
            "it[0]: found an entry with more besides, expected entry with a key and a value",
        ),
    ],
)
def test_entries_that_are_none_are_refused(dialect, value, problem):
    """By the path that the model knows: the index of the entry, and the member in it."""
    assert problems(dialect, dict[str, str], value) == [problem]


def test_all_the_entries_that_are_none_are_named():
    """One correction for all of them."""
    assert len(problems(OPENAI_STRICT, dict[str, int], [1, {"key": "a", "value": 1}, 2])) == 2


@strict
def test_the_keys_and_values_of_entries_have_the_paths_that_the_model_knows(dialect):
    """A key that cannot be read is in an entry too; where an object was written, it is its member."""
    value = [{"key": "2024-01-01", "value": "x"}, {"key": "soon", "value": 1}]

    assert problems(dialect, dict[date, int], value) == [
        'it[0].value: found string "x", expected integer',
        'it[1].key: found string "soon", expected date',
    ]
    assert problems(dialect, dict[str, int], {"a": "x"}) == ['it.a: found string "x", expected integer']


@strict
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        ("null", None),
        ("2.50", 2.5),
        ('"5"', "5"),
        ("12345678901234567890123", 12345678901234567890123),
        ("  [true] ", [True]),
        ("Berlin", "Berlin"),
        ("5 apples", "5 apples"),
        ("+49 30", "+49 30"),
        ("", ""),
        ("{a: 1,}", {"a": 1}),
        ("'tis", "'tis"),
        ("'a'", "a"),
        ("True", True),
        ("None", None),
        ("-Infinity", float("-inf")),
        ("+5", 5),
        ("tru", "tru"),
    ],
)
def test_untyped_data_is_read_from_its_text(dialect, text, value):
    """JSON is what it says; a text that does not begin like JSON can only mean itself."""
    found = read(dialect, list[Any], [text])

    assert found == [value]
    assert type(found[0]) is type(value)


@strict
@pytest.mark.parametrize("text", ["{broken", '"open', "[1, 2", "```json\n{}\n```"])
def test_broken_json_text_is_refused(dialect, text):
    """It is not taken for a text, for that is not what it was meant to be."""
    [problem] = problems(dialect, dict[str, Any], [{"key": "a", "value": text}])

    assert problem.startswith("it[0].value: found string")
    assert problem.endswith("expected JSON text")


@every
def test_untyped_data_that_is_no_text_is_as_it_is(dialect):
    """Where the model wrote the data itself, there is nothing to undo."""
    assert read(dialect, Any, {"a": 1}) == {"a": 1}
    assert read(dialect, dict[str, Any], {"a": {"b": None}}) == {"a": {"b": None}}


@pytest.mark.parametrize("dialect", [STANDARD, PORTABLE, OPENAI, ANTHROPIC, GEMINI])
def test_a_text_stays_a_text_where_untyped_data_is_written_as_it_is(dialect):
    """JSON in a text is undone only where the dialect asked for it."""
    assert read(dialect, Any, '{"a": 1}') == '{"a": 1}'
    assert problems(dialect, dict[str, int], [{"key": "a", "value": 1}])


def test_null_is_absence_where_every_property_is_required():
    """The default comes in its place, unless null is among what the type means."""
    assert read(OPENAI_STRICT, int, None, default=7) == 7
    assert read(OPENAI_STRICT, list[int], None, factory=list) == []
    assert read(OPENAI_STRICT, dict[str, int], None, factory=dict) == {}
    assert read(OPENAI_STRICT, int | None, None, default=7) is None
    assert read(OPENAI_STRICT, str | None, None, default=None) is None
    assert problems(OPENAI_STRICT, int, None) == ["it: missing, expected integer (found null)"]


def test_null_is_absence_of_untyped_data_whose_null_is_a_text():
    """Both are said apart: one is null, the other is the text of null."""
    assert read(OPENAI_STRICT, Any, None, default=3) == 3
    assert read(OPENAI_STRICT, Any | None, None, default=3) == 3
    assert read(OPENAI_STRICT, Any, None, factory=list) == []
    assert read(OPENAI_STRICT, Any, "null", default=3) is None
    assert read(OPENAI_STRICT, Any, None) is None
    assert read(ANTHROPIC_STRICT, Any, None, default=3) is None
    assert read(STANDARD, Any, None, default=3) is None


@pytest.mark.parametrize("untyped", ["open", "types"])
def test_null_is_null_of_untyped_data_that_is_written_as_it_is(untyped):
    """There is nothing else that null could be said with, and whatever is absent has to be stated."""
    own = attrs.evolve(OPENAI_STRICT, name="OWN", untyped=untyped)
    cls = class_of(Any, default=3)

    assert read(own, Any, None, default=3) is None
    assert read(own, Any, 3, default=3) == 3
    assert "anyOf" not in json_schema(cls, dialect=own)["properties"]["it"]


def test_null_is_absence_in_the_careful_way_too():
    """Another member's problem changes nothing about this one."""
    cls = attrs.make_class("Two", {"a": attrs.field(type=int), "b": attrs.field(type=Any, default=3)})

    with pytest.raises(MappingError) as caught:
        convert({"a": "x", "b": None}, cls, dialect=OPENAI_STRICT)
    assert [problem.path for problem in caught.value.problems] == ["a"]


@define
class Priced:
    kind: Literal["priced"]
    prices: dict[str, int]


@define
class Noted:
    kind: Literal["noted"]
    notes: Any = None


@strict
def test_alternatives_are_told_apart_as_ever(dialect):
    """By tags and by types, and each is read in the dialect."""
    priced = {"kind": "priced", "prices": [{"key": "a", "value": 1}]}

    assert read(dialect, Priced | Noted, priced) == Priced("priced", {"a": 1})
    assert read(dialect, Priced | Noted, {"kind": "noted", "notes": "[1]"}) == Noted("noted", [1])
    assert read(dialect, dict[str, int] | str, [{"key": "a", "value": 1}]) == {"a": 1}
    assert read(dialect, dict[str, int] | str, "a") == "a"
    assert read(dialect, dict[str, int] | int, {"a": 1}) == {"a": 1}


T = TypeVar("T")


@define
class Box(Generic[T]):
    item: T
    labelled: dict[str, T] = field(factory=dict)


@strict
def test_generic_classes_are_read_as_they_are_bound(dialect):
    """An unbound variable is untyped data."""
    entries = [{"key": "a", "value": "[2]"}]

    assert read(dialect, Box[Any], {"item": "{}", "labelled": entries}) == Box({}, {"a": [2]})
    assert read(dialect, Box[str], {"item": "{}", "labelled": entries}) == Box("{}", {"a": "[2]"})


@strict
def test_echoes_are_unwrapped_in_a_dialect(dialect):
    """What models do to replies they do in any dialect."""
    cls = class_of(dict[str, int])
    reply = 'Here: {"@type": "Holder", "@fields": {"it": [{"key": "a", "value": "1"}]}}'

    assert parse_llm_response(reply, cls, dialect=dialect) == cls({"a": 1})
    assert parse_llm_response('{"Holder": {"It": [{"key": "a", "value": 1,}]}}', cls, dialect=dialect) == cls(
        {"a": 1}
    )


@strict
def test_an_artifact_is_read_by_its_reference(dialect):
    """And one that came with its content is read in the dialect."""
    by_reference = read(dialect, WebPage, {"artifact_ref": "dialect-page~a1"})
    whole = read(dialect, WebPage, {"url": "u", "parts": [{"key": "a", "value": "1"}]})

    assert by_reference.artifact_ref == "dialect-page~a1"
    assert whole.parts == {"a": 1}


def test_a_contract_asks_and_reads_in_a_dialect():
    """Its instructions show the schema that the reading undoes."""
    cls = class_of(dict[str, Any])
    contract = ResponseContract(cls, dialect=OPENAI_STRICT)

    assert json.dumps(json_schema(cls, dialect=OPENAI_STRICT), indent=2) in contract.instructions(legend=True)
    assert contract.dialect is OPENAI_STRICT
    assert contract.read('{"it": [{"key": "a", "value": "[1]"}]}') == cls({"a": [1]})
    with pytest.raises(ResponseRefused, match=r"it\[0\]: found integer 1"):
        contract.read('{"it": [1]}')
    with pytest.raises(SchemaError, match="expected no recursion"):
        ResponseContract(Tree, dialect=ANTHROPIC_STRICT)


def test_a_contract_takes_artifacts_from_a_registry_in_a_dialect():
    """The reference is the same in any form."""
    page = WebPage(url="u")
    registry = ArtifactRegistry()
    reference = registry.register(page)
    cls = class_of(dict[str, WebPage])
    reply = json.dumps({"it": [{"key": "a", "value": {"artifact_ref": str(reference)}}]})

    answer = ResponseContract(cls, dialect=OPENAI_STRICT).read(reply, registry)

    assert answer.it["a"] is page


@strict
@pytest.mark.parametrize(
    "value",
    [
        Pair("a", 1),
        {"it": Pair("a", 1)},
        {"it": (1, 2)},
        {"it": date(2024, 1, 1)},
        {"it": [Mood.GOOD]},
    ],
)
def test_what_no_model_wrote_is_not_converted_in_a_dialect(dialect, value):
    """A host's data is in the canonical form; to undo anything in it would spoil it."""
    with pytest.raises(InvalidInputError, match=r"^value: found .*, expected nothing but JSON values"):
        convert(value, class_of(Any), dialect=dialect)
    assert convert(value, Any, dialect=PORTABLE) is not None


@strict
def test_what_holds_itself_is_looked_at_once_before_it_is_refused(dialect):
    """A tree has an end, and parts that stand in several places are the same parts."""
    shared = part = [1]
    for _ in range(40):
        part = [part, part]
    circle = {}
    circle["it"] = [circle]

    with pytest.raises(SerializationError, match="it contains itself"):
        convert(circle, Any, dialect=dialect)
    shared.append(date(2024, 1, 1))
    with pytest.raises(InvalidInputError, match=r"^value: found an instance of date"):
        convert(part, Any, dialect=dialect)


@strict
@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (dict[str, int], None, "missing, expected array of entries, each with a key and a value (found null)"),
        (dict[str, int] | int, "x", 'found string "x", expected int or array of entries, each with a key and a value'),
        (dict[str, int] | dict[str, bool] | int, None, "missing, expected integer or array of entries, each with a key and a value (found null)"),
        (Any, ABSENT, "missing, expected JSON text"),
        (dict[str, date] | dict[str, bool], [{"key": "a", "value": "x"}], "found array (1 item), expected array of entries, each with a key and a value"),
    ],
    ids=str,
)  # fmt: skip
def test_what_was_expected_is_told_in_the_terms_of_the_dialect(dialect, annotation, value, expected):
    """The model corrects its answer from this, and knows no other form."""
    tree = {} if value is ABSENT else {"it": value}
    with pytest.raises(MappingError) as caught:
        convert(tree, class_of(annotation), dialect=dialect)

    assert [str(problem) for problem in caught.value.problems] == [f"it: {expected}"]


@define
class Named:
    name: str
    inner: list[dict[str, Named]] = field(factory=list)


def test_a_contract_names_the_places_in_maps_as_the_model_wrote_them():
    """What is blank is found in the instance, and told by the entry."""
    inner = [{"key": "a.b", "value": {"name": " ", "inner": None}}]
    written = [
        {"key": "x", "value": {"name": "n", "inner": None}},
        {"key": "y", "value": {"name": "n", "inner": [[], inner]}},
    ]
    contract = ResponseContract(class_of(dict[str, Named]), dialect=OPENAI_STRICT)

    with pytest.raises(ResponseRefused) as caught:
        contract.read(json.dumps({"it": written}))
    assert caught.value.violations == (
        "it[1].value.inner[1][0].value.name: required but blank, expected string",
    )


@strict
def test_a_contract_names_an_unknown_artifact_by_its_entry(dialect):
    """The model is told where it wrote the reference."""
    written = [{"key": "a", "value": {"artifact_ref": "table-page~zzzzzz"}}]
    contract = ResponseContract(class_of(dict[str, WebPage]), dialect=dialect)

    with pytest.raises(ResponseRefused) as caught:
        contract.read(json.dumps({"it": written}), ArtifactRegistry())
    assert [violation.partition(": ")[0] for violation in caught.value.violations] == ["it[0].value"]


@strict
@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (list[dict[str, Any]] | list[Pair], [{"key": "k", "value": 1}], [Pair("k", 1)]),
        (list[dict[str, Any]] | list[Pair], [[{"key": "k", "value": "1"}]], [{"k": 1}]),
        (Pair | dict[str, str], [{"key": "k", "value": "v"}], {"k": "v"}),
        (Pair | dict[str, str], {"key": "k", "value": 1}, Pair("k", 1)),
        (dict[str, int] | dict[str, str], [{"key": "k", "value": "v"}], {"k": "v"}),
        (dict[str, int] | str, [{"key": "k", "value": 1}], {"k": 1}),
        (dict[str, int] | str, {"k": 1}, {"k": 1}),
        (list[Any] | list[Pair], [{"key": "k", "value": 1}], [Pair("k", 1)]),
        (tuple[int, Any] | tuple[list[str], str], [["a"], "1"], (["a"], "1")),
        (tuple[int, Any] | tuple[list[str], str], [1, "1"], (1, 1)),
        (int | dict[str, dict[str, Any]], [{"key": "a", "value": [{"key": "b", "value": "[]"}]}], {"a": {"b": []}}),
        (list[dict[str, str]] | list[dict[str, int]], [[{"key": "k", "value": 1}]], [{"k": 1}]),
        (list[dict[str, str]] | list[dict[str, int]], [[{"key": "k", "value": "1"}]], [{"k": "1"}]),
        (dict[str, list[str]] | dict[str, list[int]], [{"key": "k", "value": [1]}], {"k": [1]}),
        (dict[str, str] | dict[str, int], {"k": 1}, {"k": 1}),
        (dict[int, str] | dict[str, str], [{"key": "1", "value": "v"}], {"1": "v"}),
        (tuple[Any, str] | tuple[Any, int], ["null", 0], (None, 0)),
        (list[str | None] | list[int | bool], [1, True], [1, True]),
        (list[str | None] | list[int | None], [None, 1], [None, 1]),
        (set[str] | set[int], [1], {1}),
    ],
    ids=str,
)  # fmt: skip
def test_the_alternative_is_meant_whose_form_in_the_dialect_was_written(dialect, annotation, value, expected):
    """The canonical form is taken only where nothing was written as it was asked for."""
    assert read(dialect, annotation, value) == expected


@strict
def test_what_is_written_as_neither_alternative_is_refused(dialect):
    """A map in a text could be either, and nothing is guessed."""
    (problem,) = problems(dialect, dict[str, str] | dict[str, int], '{"k": 1}')

    assert problem.startswith('it: found string "{"k": 1}", which could be array of entries, each with')


@strict
def test_an_object_with_a_fault_is_not_taken_for_a_map(dialect):
    """The dialect has maps in another form, so the class was meant."""
    assert problems(dialect, Pair | dict[str, str], {"key": "k", "value": "x"}) == [
        'it.value: found string "x", expected integer'
    ]


@strict
def test_entries_with_a_fault_are_those_of_the_map(dialect):
    """An array can be nothing else among the alternatives."""
    assert problems(dialect, Pair | dict[str, int], [{"key": "k", "value": "x"}]) == [
        'it[0].value: found string "x", expected integer'
    ]


@strict
def test_entries_may_be_the_whole_answer(dialect):
    """The target of a reply is a map as well as a class."""
    raw = 'The prices: [{"key": "tea", "value": 4.5}]'

    assert parse_llm_response(raw, dict[str, float], dialect=dialect) == {"tea": 4.5}
    assert parse_llm_response(raw, dict[str, float] | None, dialect=dialect) == {"tea": 4.5}
    assert parse_llm_response('{"tea": 4.5}', dict[str, float], dialect=dialect) == {"tea": 4.5}
    assert parse_llm_response('See [1]. {"tea": 4.5}', dict[str, float]) == {"tea": 4.5}


# --- a host's own types -----------------------------------------------------------------------------------


@attrs.frozen
class Money:
    data: Any


@pytest.fixture
def money(monkeypatch):
    """Return a function that teaches ``Money`` with a schema; its hook keeps what it is given."""
    from nucleo_schema._declare import leaves  # noqa: PLC0415

    monkeypatch.setattr(leaves, "LEAVES", dict(leaves.LEAVES))
    own = ns.make_converter()
    own.register_structure_hook(Money, lambda value, _: Money(value))
    monkeypatch.setattr("nucleo_schema._verbs.converter", own)

    def teach(schema):
        register_leaf(Money, "money", schema)
        return class_of(Money)

    return teach


@strict
@pytest.mark.parametrize(
    ("annotation", "canonical", "written"),
    [
        (Money | dict[str, Any], {"a": 1}, [{"key": "a", "value": "1"}]),
        (Money | dict[str, Any] | None, {"a": 1}, [{"key": "a", "value": "1"}]),
        (Pair | dict[str, int] | None, {"a": 1}, [{"key": "a", "value": 1}]),
        (Pair | dict[str, int] | None, {"key": "k", "value": 1}, {"key": "k", "value": 1}),
        (Pair | list[Any] | None, ["x", 1], ['"x"', "1"]),
    ],
    ids=str,
)
def test_a_hook_of_a_host_for_alternatives_is_handed_the_canonical_form(
    monkeypatch, money, dialect, annotation, canonical, written
):
    """Null may be one of them."""
    money({"type": "string"})
    own = ns.make_converter()
    own.register_structure_hook(annotation, lambda value, _: ("handed", value))
    monkeypatch.setattr("nucleo_schema._verbs.converter", own)

    assert read(dialect, annotation, written) == ("handed", canonical)


@pytest.mark.parametrize(
    ("schema", "written", "given"),
    [
        ({}, '{"a": 1}', {"a": 1}),
        ({"type": "string"}, "[1]", "[1]"),
        ({"type": "object"}, [{"key": "a", "value": "[1]"}], {"a": [1]}),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, [{"key": "a", "value": 1}], {"a": 1}),
        ({"type": "object"}, {"a": "[1]"}, {"a": [1]}),
        ({"type": "object"}, [], {}),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "integer"}, "b": {}, "c": {"type": ["string", "null"]}},
                "required": ["a"],
            },
            {"a": 1, "b": None, "c": None},
            {"a": 1, "c": None},
        ),
        ({"type": "object", "properties": {"a": {}}, "required": ["a"]}, {"a": "1", "z": 2}, {"a": 1, "z": 2}),
        ({"type": "object", "properties": {"a": {}}, "required": ["a"]}, {"a": None}, {"a": None}),
        ({"type": "array"}, ["1", "x"], [1, "x"]),
        ({"prefixItems": [{}, {"type": "string"}]}, ["1", "2", "3"], [1, "2", "3"]),
        ({"anyOf": [{"type": "object"}, {"type": "integer"}]}, [{"key": "a", "value": "1"}], {"a": 1}),
        ({"anyOf": [{"type": "object"}, {"type": "integer"}]}, 5, 5),
        ({"anyOf": [{"type": "string"}, {"enum": [1]}, {"type": "number"}]}, 2, 2),
        ({"anyOf": [{"type": "integer"}]}, "x", "x"),
        (
            {"anyOf": [{"anyOf": [{"type": "object"}, {"type": "integer"}]}, {"type": "null"}]},
            [{"key": "a", "value": "1"}],
            {"a": 1},
        ),
        ({"anyOf": [{}, {"type": "object", "properties": {"a": {}}, "required": ["a"]}]}, "[1]", [1]),
        ({"enum": ["a"]}, "a", "a"),
        (
            {"anyOf": [{"anyOf": [{"type": "object"}, {"type": "integer"}]}, {"type": "null"}]},
            {"a": "1"},
            {"a": 1},
        ),
        (
            {"anyOf": [{"prefixItems": [{}, {"type": "integer"}]}, {"prefixItems": [{"type": "string"}, {"type": "string"}]}]},
            ["1", 2],
            [1, 2],
        ),
        ({"anyOf": [{"prefixItems": [{}]}, {"items": {"type": "string"}}]}, ["1", "2"], ["1", "2"]),
        ({"anyOf": [{"prefixItems": [{}]}, {"type": "null"}]}, ["1", "2"], [1, "2"]),
        (
            {
                "anyOf": [
                    {"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}, "required": ["a"]},
                    {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
                ]
            },
            {"a": "1", "b": 2},
            {"a": 1, "b": 2},
        ),
        (
            {
                "type": "object",
                "additionalProperties": {"anyOf": [{"type": "array"}, {"type": "object"}]},
            },
            [{"key": "a", "value": [{"key": "b", "value": "1"}]}, {"key": "c", "value": ["1"]}],
            {"a": {"b": 1}, "c": [1]},
        ),
    ],
)  # fmt: skip
def test_the_type_of_a_host_is_undone_by_its_schema(money, schema, written, given):
    """Its hook is handed the canonical form, whatever the model was told to write."""
    cls = money(schema)

    assert convert({"it": written}, cls, dialect=OPENAI_STRICT).it == Money(given)


def test_an_object_among_alternatives_of_a_host_is_the_one_that_it_fits(money):
    """By its members: required ones are there, and no others."""
    first = {"type": "object", "properties": {"a": {}}, "required": ["a"]}
    second = {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"]}
    cls = money({"anyOf": [first, second]})

    assert convert({"it": {"a": "1"}}, cls, dialect=OPENAI_STRICT).it == Money({"a": 1})
    assert convert({"it": {"a": "1", "b": "2"}}, cls, dialect=OPENAI_STRICT).it == Money({"a": "1", "b": 2})
    assert convert({"it": {"c": "1"}}, cls, dialect=OPENAI_STRICT).it == Money({"c": "1"})


@pytest.mark.parametrize(
    ("schema", "written", "what"),
    [
        ({"type": "object"}, [{"key": "a", "value": "1", "more": 2}], "array (1 item)"),
        ({"type": "object"}, [{"key": "a"}, 5], "array (2 items)"),
        ({"type": "object"}, [{"key": "a", "value": "1"}, {"key": "a", "value": "2"}], "array (2 items)"),
        ({"type": "object"}, {"key": "a", "value": "1"}, "one entry"),
        ({"anyOf": [{"type": "object"}, {"type": "string"}]}, [5], "array (1 item)"),
    ],
)
def test_entries_that_are_none_reach_no_hook_of_a_host(money, schema, written, what):
    """It would be handed what only the dialect knows."""
    expected = f"it: found {what}, expected array of entries, each with a key and a value"

    with pytest.raises(MappingError) as caught:
        convert({"it": written}, money(schema), dialect=OPENAI_STRICT)
    assert list(map(str, caught.value.problems)) == [expected]


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ({"a": "[1]", "more": 2}, {"a": [1], "more": 2}),
        ({"b": [{"key": "k", "value": "1"}]}, {"b": {"k": 1}}),
        ([{"key": "a", "value": "[1]"}], {"a": [1]}),
    ],
)
def test_alternatives_of_a_host_are_undone_where_the_model_was_not_exact(money, written, given):
    """What lacks a member, or has one besides, is near to the only alternative that it can be."""
    exact = {"type": "object", "properties": {"a": {}, "b": {"type": "object"}}, "required": ["a"]}
    cls = money({"anyOf": [exact if isinstance(written, dict) else {"type": "object"}, {"type": "null"}]})

    assert convert({"it": written}, cls, dialect=OPENAI_STRICT).it == Money(given)


def test_a_map_of_a_host_among_alternatives_may_be_the_object_that_it_is(money):
    """A model that kept to the canonical form is understood there, too."""
    cls = money({"anyOf": [{"type": "object"}, {"type": "null"}]})

    assert convert({"it": {"a": "[1]"}}, cls, dialect=OPENAI_STRICT).it == Money({"a": [1]})


def test_a_map_of_a_host_that_stays_an_object_is_one_of_alternatives_too(money):
    """Its values are told from those of another by what a model was to write."""
    numbers = {"type": "object", "additionalProperties": {"type": "integer"}}
    cls = money({"anyOf": [{"type": "object"}, numbers]})

    assert convert({"it": {"a": "[1]"}}, cls, dialect=AS_TEXTS).it == Money({"a": [1]})
    assert convert({"it": {"a": 1}}, cls, dialect=AS_TEXTS).it == Money({"a": 1})


def test_an_array_that_is_no_entries_is_another_alternative_of_a_host(money):
    """A fault in one of them is none where another fits."""
    cls = money({"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "integer"}}]})

    assert convert({"it": [5]}, cls, dialect=OPENAI_STRICT).it == Money([5])


def test_alternatives_of_a_host_that_cannot_be_told_apart_are_refused(money):
    """Nothing is guessed."""
    texts = {"type": "array", "items": {"type": "string"}}
    cls = money({"anyOf": [texts, {"type": "array"}]})

    with pytest.raises(MappingError, match="it: found what fits several alternatives alike"):
        convert({"it": ["1"]}, cls, dialect=OPENAI_STRICT)


@define
class Shelf:
    name: str
    books: dict[str, Annotated[Any, 1]]
    pair: tuple[Any, int] = (None, 0)
    kind: Literal["a", "b"] | None = None
    color: Color = Color.RED
    inner: Shelf | None = None
    either: dict[str, int] | str = ""
    later: list[Any] = field(factory=list)


def test_a_hook_of_a_host_for_a_class_of_ours_is_handed_the_canonical_form(monkeypatch):
    """The members inside are undone as well, for the hook knows nothing of dialects."""
    own = ns.make_converter()
    seen = []
    own.register_structure_hook(Shelf, lambda value, _: seen.append(value))
    monkeypatch.setattr("nucleo_schema._verbs.converter", own)
    inner = {"name": "i", "books": [], "inner": None, "color": None, "kind": None, "pair": None}
    written = {
        "name": "n",
        "books": [{"key": "a", "value": "[1]"}],
        "pair": ["2", 3],
        "kind": None,
        "color": "red",
        "inner": inner,
        "either": [{"key": "a", "value": 1}],
        "later": ["null"],
    }

    convert({"it": written}, class_of(Shelf), dialect=OPENAI_STRICT)

    assert seen == [
        {
            "name": "n",
            "books": {"a": [1]},
            "pair": [2, 3],
            "kind": None,
            "color": "red",
            "inner": {"name": "i", "books": {}, "inner": None, "kind": None},
            "either": {"a": 1},
            "later": [None],
        }
    ]


def test_a_type_that_only_the_hooks_of_a_host_know_is_as_it_is(monkeypatch):
    """There is no schema of it, so no dialect could have changed it but as untyped data."""
    own = ns.make_converter()
    own.register_structure_hook(complex, lambda value, _: complex(*value))
    monkeypatch.setattr("nucleo_schema._verbs.converter", own)

    assert convert([1, 2], complex, dialect=OPENAI_STRICT) == 1 + 2j
    assert convert("[1, 2]", complex, dialect=OPENAI_STRICT) == 1 + 2j


# --- the objects of the interfaces ------------------------------------------------------------------------


def test_a_tool_for_each_interface():
    """Exactly what it takes; strict is stated where it means something."""

    def schema(dialect):
        return json_schema(Leaf, dialect=dialect)

    words = {"name": "take", "description": "Take it"}
    assert tool_definition(Leaf, "take", "Take it") == {**words, "inputSchema": json_schema(Leaf)}
    assert tool_definition(Leaf, "take", "Take it", PORTABLE) == {**words, "inputSchema": schema(PORTABLE)}
    assert tool_definition(Leaf, "take", "Take it", OPENAI) == {
        "type": "function",
        "function": {**words, "strict": False, "parameters": schema(OPENAI)},
    }
    assert tool_definition(Leaf, "take", "Take it", OPENAI_STRICT, api="responses") == {
        "type": "function",
        **words,
        "strict": True,
        "parameters": schema(OPENAI_STRICT),
    }
    assert tool_definition(Leaf, "take", "Take it", ANTHROPIC) == {**words, "input_schema": schema(ANTHROPIC)}
    assert tool_definition(Leaf, "take", "Take it", ANTHROPIC_STRICT) == {
        **words,
        "input_schema": schema(ANTHROPIC_STRICT),
        "strict": True,
    }
    assert tool_definition(Leaf, "take", "Take it", GEMINI) == {
        **words,
        "parametersJsonSchema": schema(GEMINI),
    }


def test_a_local_server_takes_the_portable_dialect_in_the_form_of_another():
    """The interface is that of the dialect unless another is named."""
    tool = tool_definition(Leaf, "take", "Take it", PORTABLE, api="chat")

    assert tool["function"]["parameters"] == json_schema(Leaf, dialect=PORTABLE)
    assert tool["function"]["strict"] is False


def test_an_answer_for_each_interface():
    """Exactly what it takes, to be put where it takes it."""
    schema = json_schema(Leaf, dialect=OPENAI_STRICT)
    assert answer_format(Leaf, "leaf", OPENAI_STRICT) == {
        "type": "json_schema",
        "json_schema": {"name": "leaf", "strict": True, "schema": schema},
    }
    assert answer_format(Leaf, "leaf", OPENAI_STRICT, api="responses") == {
        "format": {"type": "json_schema", "name": "leaf", "strict": True, "schema": schema}
    }
    assert answer_format(Leaf, "leaf", ANTHROPIC_STRICT) == {
        "format": {"type": "json_schema", "schema": json_schema(Leaf, dialect=ANTHROPIC_STRICT)}
    }
    assert answer_format(Leaf, "leaf", GEMINI) == {
        "responseMimeType": "application/json",
        "responseJsonSchema": json_schema(Leaf, dialect=GEMINI),
    }


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (lambda: answer_format(Leaf, "leaf", STANDARD, api="chat"), "STANDARD"),
        (lambda: tool_definition(Leaf, "leaf", "A leaf", STANDARD, api="gemini"), "STANDARD"),
        (lambda: answer_format(Leaf, "leaf", ANTHROPIC), "ANTHROPIC"),
    ],
)
def test_a_provider_is_not_sent_what_it_does_not_take(call, found):
    """What only programs are told is for none of them, and some answers are strict or nothing."""
    with pytest.raises(InvalidInputError, match=f"^dialect: found {found}, expected .*, such as"):
        call()


def test_a_tool_without_words_is_refused():
    """The model chooses it by them."""
    with pytest.raises(InvalidInputError, match=r"^description: found null, expected text$"):
        tool_definition(Pair, "look_up", None, OPENAI)


def test_an_interface_without_answers_has_no_object_for_one():
    """An answer over MCP is the result of a tool."""
    with pytest.raises(InvalidInputError, match=r'api: found string "mcp", .*expected "?chat'):
        answer_format(Leaf, "leaf", PORTABLE)


def test_an_unknown_interface_is_refused():
    """The message lists those there are."""
    with pytest.raises(InvalidInputError, match=r'api: found string "smoke", expected one of .*gemini'):
        tool_definition(Leaf, "take", "Take it", api="smoke")


@pytest.mark.parametrize(
    ("dialect", "name"),
    [
        (OPENAI, "a.b"),
        (OPENAI, "x" * 65),
        (ANTHROPIC, "a b"),
        (GEMINI, "1st"),
        (STANDARD, ""),
        (OPENAI, None),
    ],
)
def test_a_name_that_an_interface_does_not_take_is_refused(dialect, name):
    """The message says what the names of the interface are like."""
    with pytest.raises(InvalidInputError, match=r"name: found .*, expected a name that matches"):
        tool_definition(class_of(int), name, "Take it", dialect)
    if dialect is OPENAI:
        with pytest.raises(InvalidInputError, match=r"name: found .*, expected a name that matches"):
            answer_format(class_of(int), name, dialect)


# --- the command line -------------------------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """Return the TARGET of a class with a map."""
    source = "from attrs import define\n\n@define\nclass Shelf:\n    books: dict[str, int]\n"
    (tmp_path / "dialect_shelf.py").write_text(source, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield "dialect_shelf:Shelf"
    sys.modules.pop("dialect_shelf", None)


def test_the_command_line_prints_a_schema_in_a_dialect(shelf, capsys):
    """By the name of the dialect."""
    assert main(["schema", shelf, "--dialect", "OPENAI_STRICT"]) == 0

    printed = json.loads(capsys.readouterr().out)
    assert printed == json_schema(sys.modules["dialect_shelf"].Shelf, dialect=OPENAI_STRICT)


@pytest.mark.parametrize("name", ["openai_strict", "OpenAI-Strict"])
def test_the_command_line_takes_the_name_of_a_dialect_in_any_case(shelf, name, capsys):
    """Nobody remembers which."""
    assert main(["schema", shelf, "--dialect", name]) == 0

    assert "an array of entries" in capsys.readouterr().out


@pytest.mark.parametrize("options", [["--dialect", "none"], ["--dialect", "GEMINI", "--form", "llm"]])
def test_the_command_line_takes_one_form_that_it_knows(shelf, options, capsys):
    """A dialect is a form of JSON Schema, and there is one form at a time."""
    with pytest.raises(SystemExit):
        main(["schema", shelf, *options])
    assert "--dialect" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--jsonl"]])
def test_the_command_line_reads_replies_in_a_dialect(shelf, options, tmp_path, capsys):
    """One or many."""
    (tmp_path / "reply.txt").write_text('{"books": [{"key": "a", "value": 1}]}\n', "utf-8")

    assert main(["read", shelf, "reply.txt", *options, "--dialect", "OPENAI_STRICT"]) == 0
    assert main(["read", shelf, "reply.txt", *options]) == 1
    assert '"a":1' in capsys.readouterr().out.replace(" ", "")


# --- the documentation ------------------------------------------------------------------------------------


def test_the_tables_of_the_page_are_what_the_library_does(monkeypatch):
    """``python docs/dialect_table.py`` makes them anew."""
    path = Path(__file__).parents[1] / "docs" / "dialect_table.py"
    spec = importlib.util.spec_from_file_location("dialect_table", path)
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "dialect_table", script)  # where the names in its annotations are found
    spec.loader.exec_module(script)

    assert script.page() == path.with_name("dialects.md").read_text("utf-8")


def test_an_example_that_fits_two_alternatives_alike_is_written_once():
    """Both take it as it is."""
    cls = attrs.make_class("Either", {"it": attrs.field(type=int | float, metadata=ns.meta(examples=[1]))})

    assert "1" in json.dumps(ns.json_schema(cls, dialect=ns.dialects.OPENAI_STRICT))


def test_a_schema_is_the_caller_s_to_change():
    """Nothing in it belongs to the dialect."""
    cls = attrs.make_class("Free", {"m": attrs.field(type=dict[str, Any])})
    canonical = ns.json_schema(cls)

    ns.keywords.for_model(canonical, dialect=ns.dialects.OPENAI)["properties"]["m"]["properties"]["mine"] = {}

    assert ns.keywords.for_model(canonical, dialect=ns.dialects.OPENAI)["properties"]["m"]["properties"] == {}
