"""Laws that hold for every class and every reply, tried on generated ones."""

from __future__ import annotations

import copy
import datetime as dt
import decimal
import json
import pathlib
import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, assume, example, given, settings, strategies as st
from jsonschema import Draft202012Validator

import nucleo_schema as ns
from nucleo_schema import keywords
from nucleo_schema._read.decoders import decode_strict
from nucleo_schema._read.modes import PLAIN
from nucleo_schema._read.scalars import read_untyped
from nucleo_schema._read.syntax import decode_whole

from .strategies import (
    classes,
    classes_with_instances,
    forms_with_values,
    hostile_texts,
    instances_of,
    json_values,
    messy,
    values_of,
)

REFUSALS = (ns.ExtractionError, ns.MappingError)

law = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])

containers = json_values().filter(lambda tree: isinstance(tree, (dict, list)))


# --- writing and reading ------------------------------------------------------------------------------------


@law
@given(classes_with_instances())
def test_what_is_written_reads_back_equal(drawn: tuple[type[Any], Any]) -> None:
    """Writing loses nothing, compact or not, and what was read is written the same again."""
    cls, instance = drawn

    for text in (ns.write(instance), ns.write_compact(instance)):
        read = ns.parse(text, cls)
        assert type(read) is cls
        assert read == instance
        assert ns.write_compact(read) == ns.write_compact(instance)
        assert ns.parse_llm_response(text, cls) == instance


@law
@given(forms_with_values())
def test_a_typing_form_reads_back_equal(drawn: tuple[Any, Any]) -> None:
    """A target need not be a class."""
    form, value = drawn

    read = ns.parse(ns.write(value), form)

    assert type(read) is type(value)
    assert read == value


@law
@given(json_values())
def test_untyped_data_reads_back_equal(tree: Any) -> None:
    """Untyped data survives whole: kinds of numbers, big integers, keys that look like notation."""
    for text in (ns.write(tree), ns.write_compact(tree)):
        assert json.loads(text) == tree
        assert repr(ns.parse(text, Any)) == repr(tree)
        assert repr(ns.read_tree(text)) == repr(tree)


@law
@given(classes_with_instances())
def test_converting_the_written_tree_gives_the_instance(drawn: tuple[type[Any], Any]) -> None:
    """``convert`` reads a tree as ``parse`` reads text, and the tree of an instance is what is written."""
    cls, instance = drawn
    tree = ns.value_to_tree(instance)

    assert tree == json.loads(ns.write(instance))
    assert ns.convert(tree, cls) == instance


@law
@given(classes_with_instances())
def test_the_converter_unstructures_to_what_is_written(drawn: tuple[type[Any], Any]) -> None:
    """A host that works with the converter sees the same wire form, and reads it back."""
    cls, instance = drawn
    data = ns.converter.unstructure(instance)

    assert json.loads(json.dumps(data)) == json.loads(ns.write(instance))
    assert ns.converter.structure(data, cls) == instance


# --- describing ---------------------------------------------------------------------------------------------


def nodes_of(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every node of a JSON Schema; a property is no keyword, whatever it is called."""
    yield schema
    below: list[Any] = [schema.get("items"), schema.get("additionalProperties")]
    below += schema.get("prefixItems", [])
    below += schema.get("anyOf", [])
    below += schema.get("properties", {}).values()
    below += schema.get("$defs", {}).values()
    for node in below:
        if isinstance(node, dict):
            yield from nodes_of(node)


@law
@given(classes())
def test_a_schema_is_valid_and_so_are_its_examples(cls: type[Any]) -> None:
    """The schema is valid under its metaschema, and an example against the node that it stands on."""
    schema = ns.json_schema(cls)

    Draft202012Validator.check_schema(schema)
    for node in nodes_of(schema):
        validator = Draft202012Validator({**node, "$defs": schema.get("$defs", {})})
        for shown in node.get("examples", ()):
            validator.validate(shown)


@law
@given(classes_with_instances(published=True))
def test_a_written_instance_satisfies_the_schema_of_its_class(drawn: tuple[type[Any], Any]) -> None:
    """What the model is told and what is written are one contract, before and after stripping."""
    cls, instance = drawn
    tree = json.loads(ns.write(instance))

    for schema in (ns.json_schema(cls), keywords.for_model(ns.json_schema(cls))):
        Draft202012Validator(schema).validate(tree)


@law
@given(classes())
def test_every_object_has_a_title_and_every_reference_a_definition(cls: type[Any]) -> None:
    """Composite nodes carry their name; definitions stand at the root, are referred to, and hold none."""
    schema = ns.json_schema(cls)
    nodes = list(nodes_of(schema))

    assert all(node["title"] for node in nodes if "properties" in node)
    assert not any("$defs" in node for node in nodes if node is not schema)
    referred = {node["$ref"].removeprefix("#/$defs/") for node in nodes if "$ref" in node}
    assert referred == set(schema.get("$defs", ()))


@law
@given(classes())
def test_the_renderings_are_described_alike_as_data_and_as_text(cls: type[Any]) -> None:
    """The text of a rendering is its data, the shortcuts are the methods, and both are repeatable."""
    definition = ns.describe(cls)

    assert definition.json_schema() == ns.json_schema(cls) == json.loads(definition.to_json_schema())
    assert definition.llm_schema() == ns.llm_schema(cls) == json.loads(definition.to_llm_schema())


def schema_members(node: dict[str, Any], path: str = "") -> Iterator[tuple[str, bool]]:
    """Yield the path of every member that a JSON Schema describes in place, and whether it is required."""
    for name, member in node.get("properties", {}).items():
        yield f"{path}/{name}", name in node.get("required", ())
        yield from schema_members(member, f"{path}/{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield from schema_members(node[key], path)
    for alternative in [*node.get("prefixItems", ()), *node.get("anyOf", ())]:
        yield from schema_members(alternative, path)


def notation_members(node: Any, path: str = "") -> Iterator[tuple[str, bool]]:
    """Yield the same of the notation."""
    if isinstance(node, list):
        for item in node:
            yield from notation_members(item, path)
    if not isinstance(node, dict):
        return
    for name, member in node.get("@fields", {}).items():
        if name == "<key>":
            yield from notation_members(member, path)
            continue
        yield f"{path}/{name}", bool(member.get("@required"))
        yield from notation_members(member, f"{path}/{name}")
    yield from notation_members(node.get("@any_of"), path)
    yield from notation_members(node.get("@items"), path)


@law
@given(classes())
def test_both_renderings_name_the_same_members(cls: type[Any]) -> None:
    """The notation and the JSON Schema agree on every member, and on which are required."""
    assert sorted(notation_members(ns.llm_schema(cls))) == sorted(schema_members(ns.json_schema(cls)))


@law
@given(classes())
def test_the_root_of_the_renderings_names_the_class_and_its_fields(cls: type[Any]) -> None:
    """Names, required flags and descriptions at the root are those of the descriptors."""
    definition = ns.describe(cls)
    schema, notation = ns.json_schema(cls), ns.llm_schema(cls)

    assert schema["title"] == notation["@type"] == definition.name == cls.__name__
    assert list(schema["properties"]) == list(notation["@fields"]) == list(definition.fields)
    required = [name for name, field in definition.fields.items() if field.required]
    assert schema.get("required", []) == required
    for name, field in definition.fields.items():
        assert field.wire_name == name
        assert schema["properties"][name]["description"] == notation["@fields"][name]["@description"]


def keywords_in(schema: dict[str, Any]) -> set[str]:
    """Return the x-nucleo keywords of a schema."""
    return {key for node in nodes_of(schema) for key in node if key.startswith(keywords.PREFIX)}


@law
@given(classes())
@pytest.mark.parametrize("reduce", [keywords.strip_from, keywords.for_model])
def test_a_stripped_schema_has_no_keyword_and_stripping_twice_changes_nothing(
    reduce: Any, cls: type[Any]
) -> None:
    """No keyword is left at any depth; a property stays whatever it is called; the input is untouched."""
    schema = ns.json_schema(cls)
    before = copy.deepcopy(schema)

    stripped = reduce(schema)

    assert schema == before
    assert keywords_in(stripped) == set()
    assert reduce(stripped) == stripped
    assert list(schema_members(stripped)) == list(schema_members(schema))
    assert json.loads(reduce(json.dumps(schema))) == stripped
    Draft202012Validator.check_schema(stripped)


# --- replies ------------------------------------------------------------------------------------------------


@law
@given(classes_with_instances(), st.data())
def test_a_messy_reply_reads_as_the_instance(drawn: tuple[type[Any], Any], data: st.DataObject) -> None:
    """Noise that keeps the meaning keeps the instance."""
    cls, instance = drawn
    reply = data.draw(messy(json.loads(ns.write(instance)), footnotes=True))

    assert ns.parse_llm_response(reply.text, cls) == instance


@law
@given(containers, st.data())
def test_messy_json_reads_as_what_it_spells(tree: Any, data: st.DataObject) -> None:
    """Untyped, the tree itself comes out; so it does of the span alone, by every way that reads text."""
    reply = data.draw(messy(tree))
    assert ns.parse_llm_response(reply.text, Any) == tree
    assert ns.read_tree(ns.extract_json(reply.text)) == tree

    span = data.draw(messy(tree, prose=False)).text
    assert ns.parse(span, Any) == tree
    assert ns.parse(span.encode(), Any) == tree


@law
@given(containers, st.data())
def test_the_span_and_the_prose_are_the_reply(tree: Any, data: st.DataObject) -> None:
    """Extraction with prose finds the same span, and nothing of it stays in the prose."""
    reply = data.draw(messy(tree)).text

    split = ns.extract_json_with_prose(reply)

    assert split.json == ns.extract_json(reply)
    assert split.json in reply
    assert len(split.prose) <= len(reply) - len(split.json)


@law
@given(classes(), st.data())
def test_a_list_is_read_out_of_prose_too(cls: type[Any], data: st.DataObject) -> None:
    """For a list, objects around it are prose."""
    value = data.draw(st.lists(instances_of(cls), max_size=2))
    reply = data.draw(messy(json.loads(ns.write(value)))).text

    assert ns.parse_llm_response(f"{reply}\nUse {{}} here.", list[cls]) == value  # type: ignore[valid-type]


prose = st.text(max_size=30).map(lambda text: re.sub(r"[\[\]{}]", "", text))


@law
@given(classes_with_instances(), prose, prose)
def test_prose_without_brackets_changes_nothing(
    drawn: tuple[type[Any], Any], before: str, after: str
) -> None:
    """Whatever stands around an answer without brackets of its own, the answer is the same."""
    cls, instance = drawn
    text = ns.write(instance)

    assert ns.extract_json(before + text + after) == text
    assert ns.parse_llm_response(before + text + after, cls) == instance


@law
@given(classes_with_instances(), st.data())
def test_a_cut_answer_is_refused(drawn: tuple[type[Any], Any], data: st.DataObject) -> None:
    """A proper beginning of what is written is refused, wherever it ends, by both readers."""
    cls, instance = drawn
    text = data.draw(st.sampled_from([ns.write, ns.write_compact]))(instance)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]

    with pytest.raises(REFUSALS):
        ns.parse_llm_response(cut, cls)
    with pytest.raises(ns.MappingError):
        ns.parse(cut, cls)


@law
@given(classes_with_instances(), st.data())
def test_a_draft_never_stands_in_for_a_cut_answer(drawn: tuple[type[Any], Any], data: st.DataObject) -> None:
    """A whole object of the right class before a cut answer is a draft, and no answer."""
    cls, instance = drawn
    draft, text = ns.write(data.draw(instances_of(cls))), ns.write(instance)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]

    with pytest.raises(ns.ExtractionError):
        ns.parse_llm_response(f"First try:\n{draft}\nThe final answer:\n{cut}", cls)


@law
@given(classes_with_instances(), st.data())
def test_a_cut_reply_is_refused_or_whole(drawn: tuple[type[Any], Any], data: st.DataObject) -> None:
    """A messy reply that is cut is refused, unless only what stands behind the answer is lost."""
    cls, instance = drawn
    reply = data.draw(messy(json.loads(ns.write(instance)), drafts=False)).text
    cut = reply[: data.draw(st.integers(0, len(reply) - 1))]

    try:
        read = ns.parse_llm_response(cut, cls)
    except REFUSALS:
        return
    assert read == instance


_OUTSIDE_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"|([\[\]{}])', re.DOTALL)


def last_closers(text: str) -> list[int]:
    """Return where brackets close after which no object opens any more: a later one would be the answer."""
    brackets = [(match.start(), match[1]) for match in _OUTSIDE_STRINGS.finditer(text) if match[1]]
    last_opener = max(at for at, bracket in brackets if bracket == "{")
    return [at for at, bracket in brackets if bracket in "]}" and at > last_opener]


@law
@given(classes_with_instances(), st.data())
def test_a_broken_bracket_is_refused(drawn: tuple[type[Any], Any], data: st.DataObject) -> None:
    """A closing bracket that is wrong or missing is not mended, and no inner object stands in."""
    cls, instance = drawn
    text = ns.write_compact(instance)
    at = data.draw(st.sampled_from(last_closers(text)))

    for replacement in ("", "]" if text[at] == "}" else "}"):
        with pytest.raises(REFUSALS):
            ns.parse_llm_response(text[:at] + replacement + text[at + 1 :], cls)
        with pytest.raises(ns.MappingError):
            ns.parse(text[:at] + replacement + text[at + 1 :], cls)


@law
@given(classes_with_instances(), st.data())
def test_a_draft_never_stands_in_for_a_broken_answer(
    drawn: tuple[type[Any], Any], data: st.DataObject
) -> None:
    """Nor does it for an answer that got as far as a member and then stops being JSON."""
    cls, instance = drawn
    draft, text = ns.write(data.draw(instances_of(cls))), ns.write_compact(instance)
    assume(text != "{}")
    at = data.draw(st.sampled_from(last_closers(text)))
    broken = text[:at] + ("]" if text[at] == "}" else "}") + text[at + 1 :]

    with pytest.raises(ns.ExtractionError):
        ns.parse_llm_response(f"First try:\n{draft}\nThe final answer:\n{broken}", cls)


def enum_places(
    schema: dict[str, Any], node: dict[str, Any], tree: Any, path: str
) -> Iterator[tuple[str, Any, Any]]:
    """Yield path, container and key of every enum in *tree* that stands in no union."""
    if "$ref" in node:
        node = schema["$defs"][node["$ref"].removeprefix("#/$defs/")]
    if isinstance(tree, dict):
        members = node.get("properties") or dict.fromkeys(tree, node.get("additionalProperties"))
        steps = [(f"{path}.{name}".lstrip("."), name) for name in tree if re.fullmatch(r"\w+", name)]
        below = [(step, name, members.get(name)) for step, name in steps]
    elif isinstance(tree, list):
        kinds = [*node.get("prefixItems", ()), *([node.get("items")] * len(tree))]
        below = [
            (f"{path}[{index}]", index, kind) for index, kind in zip(range(len(tree)), kinds, strict=False)
        ]
    else:
        return
    for step, key, member in below:
        if not isinstance(member, dict):
            continue
        if "enum" in member and tree[key] is not None:
            yield step, tree, key
        yield from enum_places(schema, member, tree[key], step)


@settings(law, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(classes_with_instances(), st.data())
def test_a_garbled_enum_is_refused_at_its_path(drawn: tuple[type[Any], Any], data: st.DataObject) -> None:
    """A word that is none of an enum's is a problem at that place, quoted, and the only one."""
    cls, instance = drawn
    tree = json.loads(ns.write(instance))
    schema = ns.json_schema(cls)
    places = list(enum_places(schema, schema, tree, ""))
    assume(places)
    path, holder, key = data.draw(st.sampled_from(places))
    holder[key] = "no such word"

    with pytest.raises(ns.MappingError) as caught:
        ns.parse_llm_response(json.dumps(tree), cls)

    assert [problem.path for problem in caught.value.problems] == [path]
    assert "no such word" in str(caught.value)


@law
@given(classes_with_instances(), st.data())
def test_a_missing_required_member_is_refused_at_its_name(
    drawn: tuple[type[Any], Any], data: st.DataObject
) -> None:
    """What the constructor cannot do without is a problem at its own path when it is absent."""
    cls, instance = drawn
    tree = json.loads(ns.write(instance))
    needed = [a.name for a in attrs.fields(cls) if a.default is attrs.NOTHING] if attrs.has(cls) else []
    needed = [
        name for name, field in ns.describe(cls).fields.items() if field.required and field.name in needed
    ]
    assume(needed)
    name = data.draw(st.sampled_from(needed))
    del tree[name]

    for read in (ns.parse, ns.parse_llm_response):
        with pytest.raises(ns.MappingError) as caught:
            read(json.dumps(tree), cls)
        assert name in [problem.path for problem in caught.value.problems]


def outcome_of(read: Callable[..., Any], *arguments: Any) -> tuple[Any, ns.NucleoError | None]:
    """Return what *read* gives, or its error, which must be one of ours and short."""
    try:
        return read(*arguments), None
    except ns.NucleoError as refusal:
        error = refusal
    assert len(str(error)) < 5000
    return None, error


@law
@given(json_values(), classes(), st.data())
def test_a_value_of_any_shape_is_read_or_refused(tree: Any, cls: type[Any], data: st.DataObject) -> None:
    """Any JSON for any class ends in an instance or in a mapping error that lists its problems."""
    names = list(ns.describe(cls).fields)
    if names and data.draw(st.booleans()):
        tree = data.draw(st.dictionaries(st.sampled_from(names), json_values(), max_size=5))

    value, error = outcome_of(ns.parse, json.dumps(tree), cls)

    if error is None:
        assert type(value) is cls
        assert ns.parse(ns.write(value), cls) == value
    else:
        assert isinstance(error, ns.MappingError)
        assert error.problems


@settings(law, max_examples=400)
@given(hostile_texts())
def test_a_hostile_text_is_read_or_refused(text: str) -> None:
    """No text ends in anything but a value or the library's own error."""
    span, error = outcome_of(ns.extract_json, text)

    assert ns.extract_json_with_prose(text).json == (span or "")
    assert (span is None) == isinstance(error, ns.ExtractionError)
    outcome_of(ns.parse_llm_response, text, Any)
    outcome_of(ns.parse, text, Any)
    outcome_of(ns.read_tree, text)


#: Tokens of JSON5, and what is nearly one: together they are a text that some decoder may take for another.
tokens = st.sampled_from(
    [
        *"{}[]:,'\"/*#\\_ab10.+-eE \n\ufeff\u00a0\u2028",
        *("//", "/*", "*/", '"a"', "'b'", "n:", "[1,", "{a:", "null", "true", "NaN", "-Infinity"),
        *("0x1F", "1_000", "1_0", ".5", "5.", ".1.", "0e", "1e5", "-0", "-0e0", "010", "1.10", "2e-7"),
    ]
)
wrapped = st.sampled_from(["{}", "[{}]", "[1,{}]", '{{"n":{}}}', "{{n:{}}}", "{{n:{},m:2}}"])


@settings(law, max_examples=1000)
@given(wrapped, st.lists(tokens, max_size=6))
@example("{{n:{}}}", ["\ufeff", "1_000"])
@example("[{}]", ["\ufeff", ".1."])
def test_a_text_reads_alike_whichever_decoder_takes_it(frame: str, parts: list[str]) -> None:
    """A compiled decoder takes nothing that the scanner refuses, and makes the same of what both take."""
    text = frame.format("".join(parts))
    decoded = decode_strict(text)
    if decoded is not None:
        exact = decode_whole(text)

        assert not isinstance(exact, str)
        assert repr(read_untyped(exact.value, PLAIN)) == repr(decoded[0])


@law
@given(st.binary(max_size=50))
def test_bytes_are_read_or_refused(raw: bytes) -> None:
    """Bytes need not be UTF-8, but then they are refused."""
    try:
        ns.parse(raw, Any)
    except ns.MappingError:
        return
    raw.decode()


@law
@given(classes_with_instances(), st.data())
def test_a_reply_in_the_shape_of_the_notation_reads_as_the_instance(
    drawn: tuple[type[Any], Any], data: st.DataObject
) -> None:
    """An answer wrapped in its class name, or with its members under ``@fields``, is unwrapped."""
    cls, instance = drawn
    tree = json.loads(ns.write(instance))
    names = {name.casefold().replace("_", "") for name in ns.describe(cls).fields}
    assume(cls.__name__.casefold().replace("_", "") not in names)
    shapes = [{cls.__name__: tree}, {"@type": cls.__name__, "@fields": tree}]
    echo = data.draw(st.sampled_from(shapes))

    assert ns.parse_llm_response(json.dumps(echo), cls) == instance


@law
@given(st.data())
def test_scalars_read_back_from_their_own_text(data: st.DataObject) -> None:
    """Every kind of value that travels as text is read from the text that it is written as."""
    kinds = [dt.date, dt.datetime, dt.time, dt.timedelta, uuid.UUID, decimal.Decimal]
    kind = data.draw(st.sampled_from([*kinds, bytes, pathlib.Path, str, int, float, bool]))
    value = data.draw(values_of(kind))

    assert ns.convert(ns.value_to_tree(value), kind) == value
    assert ns.parse(ns.write(value), kind) == value
    assert str(ns.convert(ns.value_to_tree(value), kind)) == str(value)
