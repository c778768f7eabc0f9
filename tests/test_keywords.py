"""Keywords: a schema for the host becomes a schema for the model."""

import copy
import json

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from nucleo_schema._schemas.text import MAX_NESTING
from nucleo_schema.errors import InvalidInputError
from nucleo_schema.keywords import (
    CONTEXT_IGNORE,
    PREFIX,
    SUMMARIZABLE,
    TYPE_ALIAS,
    for_model,
    strip_from,
)
from nucleo_schema.references import REF_FIELD

#: What stands in artifacts only, as a name or as a value.
HIDDEN = "HIDDEN"
BOTH = pytest.mark.parametrize("function", [strip_from, for_model])
MARK = {TYPE_ALIAS: "link:cite"}
LINK_REF = {"$ref": "#/$defs/Link"}
STRING = {"type": "string"}
NULL = {"type": "null"}


def link(**more):
    """Return an artifact with content to hide; it is marked only if *more* says so."""
    node = {
        "type": "object",
        "title": "Link",
        "description": "A link",
        "properties": {REF_FIELD: STRING, HIDDEN: {"type": "string", "examples": [HIDDEN]}},
        "required": [HIDDEN],
        "examples": [{HIDDEN: HIDDEN}],
    }
    return {**node, **more}


def reduced(**more):
    """Return what an artifact is offered as, with a title and a description of its own."""
    ref = {"type": "string", "description": "The reference of an artifact from the registry, copied exactly"}
    return {"type": "object", "properties": {REF_FIELD: ref}, "required": [REF_FIELD], **more}


LINK = reduced(title="Link", description="A link")


def with_property(node, **more):
    """Return an object schema with the one property ``p``."""
    return {"type": "object", "properties": {"p": node}, **more}


def offered(node, **more):
    """Return what becomes of *node* as a property of an object."""
    return for_model(with_property(node, **more))["properties"]["p"]


# --- strategies -----------------------------------------------------------------------------------------

names = st.sampled_from(["a", "items", "properties", "$ref", SUMMARIZABLE, "x-nucleo-foo", "type"])
keyword_names = st.sampled_from([SUMMARIZABLE, CONTEXT_IGNORE, f"{PREFIX}later"])
data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["x", PREFIX, SUMMARIZABLE]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=2),
    max_leaves=6,
)
DATA_KEYS = [
    "default",
    "const",
    "enum",
    "examples",
    "x-host",
    "X-NUCLEO-OTHER",
    "x-nucleo",
    "dependentRequired",
]


def nodes_over(inner):
    """Draw nodes with schemas of *inner* below them, data and keywords beside them."""
    several = st.lists(inner, max_size=2)
    named = st.dictionaries(names, inner, max_size=2)
    holders = {
        **dict.fromkeys(["items", "additionalProperties", "not", "contains", "if", "propertyNames"], inner),
        **dict.fromkeys(["anyOf", "oneOf", "allOf", "prefixItems"], several),
        **dict.fromkeys(["properties", "patternProperties", "dependentSchemas", "$defs"], named),
    }
    beside = st.dictionaries(st.sampled_from(DATA_KEYS), data, max_size=2)
    marks = st.dictionaries(keyword_names, data, max_size=2)
    shapes = st.sampled_from(sorted(holders)).flatmap(lambda key: holders[key].map(lambda held: {key: held}))
    return st.builds(lambda *parts: {k: v for part in parts for k, v in part.items()}, shapes, beside, marks)


schemas = nodes_over(st.recursive(st.booleans() | st.just({"type": "string"}), nodes_over, max_leaves=8))


def containers(inner):
    """Draw the ways of holding artifacts: the mark on them speaks of what they hold."""
    content = {"examples": [HIDDEN], "default": [HIDDEN]}
    return st.one_of(
        inner.map(lambda node: {"type": "array", "description": "d", "items": node, **content}),
        inner.map(lambda node: {"type": ["array", "null"], "prefixItems": [node, node], **content}),
        inner.map(lambda node: {"type": "object", "additionalProperties": node, **content}),
        inner.map(lambda node: {"type": "object", "patternProperties": {"^a": node}, **content}),
        inner.map(lambda node: {"anyOf": [node, NULL], **content}),
        inner.map(lambda node: {"oneOf": [node, link(**MARK)], "description": "d", **content}),
    )


bare = st.one_of(
    st.builds(link),
    st.just({"examples": [HIDDEN]}),
    st.just({"type": ["object", "null"], "properties": {HIDDEN: True}}),
    st.just({"$ref": "#/$defs/Link", "examples": [HIDDEN]}),
    st.just({"$ref": "#/$defs/Links", "description": "d", "examples": [HIDDEN]}),
)
marked = st.recursive(bare, containers, max_leaves=3).map(lambda node: {**node, **MARK})
places = st.one_of(
    marked,
    st.recursive(marked, containers, max_leaves=3),
    st.just({"$ref": "#/$defs/Node", "examples": [HIDDEN]}),
    st.just({"$ref": "#/$defs/Marked", "examples": [HIDDEN]}),
)


def composites(inner):
    """Draw plain objects with artifacts somewhere below, and examples that show their content."""
    members = st.dictionaries(names, inner, min_size=1, max_size=3)
    return members.map(lambda found: {"type": "object", "properties": found, "examples": [{HIDDEN: HIDDEN}]})


@st.composite
def hiding(draw):
    """Draw a schema in which the hidden word stands in artifacts, and in data that shows them, only."""
    root = draw(st.recursive(places, composites, max_leaves=4))
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node", "default": HIDDEN}}}
    node["properties"]["link"] = draw(marked)
    root["$defs"] = {
        "Link": link(properties={"next": {"$ref": "#/$defs/Link"}, HIDDEN: True}, **MARK),
        "Links": {"type": "array", "items": {"$ref": "#/$defs/Links"}, "examples": [HIDDEN], **MARK},
        "Marked": {**draw(marked), **MARK},
        "Node": node,
    }
    return root


# --- both functions -------------------------------------------------------------------------------------


def test_the_names_are_pinned():
    """Hosts in other languages read these very words."""
    assert (PREFIX, SUMMARIZABLE, CONTEXT_IGNORE, TYPE_ALIAS) == (
        "x-nucleo-",
        "x-nucleo-summarizable",
        "x-nucleo-context-ignore",
        "x-nucleo-type-alias",
    )


@BOTH
@pytest.mark.parametrize("nothing", [None, "", "  \n"])
def test_nothing_gives_nothing(function, nothing):
    """A tool without a schema passes through as it is."""
    assert function(nothing) == nothing


@BOTH
def test_text_gives_text_with_two_spaces_of_indent(function):
    """The form of the answer is the form of the question, and letters stay readable."""
    text = '{"description":"é","x-nucleo-context-ignore":true}'

    assert function(text) == '{\n  "description": "é"\n}'


@BOTH
def test_a_boolean_schema_stays(function):
    """The schemas true and false have no keywords."""
    assert (function("true"), function(False)) == ("true", False)  # noqa: FBT003


@BOTH
@pytest.mark.parametrize(
    "text", ["{", "hello", "{'a': 1}", '{"a": NaN}', '{"a": 1e999}', f'{{"a": {"1" * 5000}}}']
)
def test_text_that_is_not_json_is_refused(function, text):
    """The message shows the beginning of what was found."""
    with pytest.raises(InvalidInputError, match=r"^schema: found string .* does not read as JSON"):
        function(text)


@BOTH
def test_a_refusal_is_short(function):
    """Ten megabytes of something else are not repeated."""
    with pytest.raises(InvalidInputError) as caught:
        function("x" * 10_000_000)

    assert len(str(caught.value)) < 300


@BOTH
@pytest.mark.parametrize(
    ("schema", "kind"), [("[1]", r"array \(1 item\)"), ("3", "integer 3"), ([{}], "array"), (b"{}", "bytes")]
)
def test_a_root_of_another_kind_is_refused(function, schema, kind):
    """A schema is an object or a boolean."""
    with pytest.raises(InvalidInputError, match=rf"^schema: found {kind}.*expected an object"):
        function(schema)


@BOTH
def test_numbers_and_letters_survive_the_way_through_text(function):
    """Integers beyond 64 bits stay exact, and half a surrogate pair stays what it is."""
    text = '{"maximum": 123456789012345678901234567890, "minimum": 0.5, "title": "\\ud800"}'

    assert json.loads(function(text)) == json.loads(text)


def nested(levels):
    """Return an array schema whose items are array schemas, *levels* deep."""
    schema = {}
    for _ in range(levels):
        schema = {"items": schema, CONTEXT_IGNORE: True}
    return schema


@BOTH
@pytest.mark.parametrize("levels", [MAX_NESTING, 100_000])
def test_a_schema_nested_too_deeply_is_refused(function, levels):
    """There is an end to nesting, and it is an error of ours."""
    with pytest.raises(InvalidInputError, match="nested too deeply"):
        function(nested(levels))


@BOTH
def test_a_schema_within_itself_is_refused(function):
    """A dict that contains itself is no JSON; it is not followed for ever."""
    schema = {"items": {}, "not": {}}
    schema["items"] = schema["not"] = schema

    with pytest.raises(InvalidInputError, match="within itself"):
        function(schema)


@BOTH
def test_a_deep_dict_within_the_limit_is_walked_to_its_end(function):
    """Nesting as such is no trouble."""
    node = function(nested(MAX_NESTING - 1))
    for _ in range(MAX_NESTING - 1):
        assert CONTEXT_IGNORE not in node
        node = node["items"]

    assert node == {}


@BOTH
@pytest.mark.parametrize("levels", [100, 200, 300])
def test_text_nested_a_few_hundred_levels_is_rewritten(function, levels):
    """Texts deeper than orjson writes come through as well."""
    text = '{"items":' * levels + '{"x-nucleo-a":1}' + "}" * levels

    assert json.loads(function(text)) == json.loads(text.replace('"x-nucleo-a":1', ""))


@BOTH
@pytest.mark.parametrize("levels", [MAX_NESTING + 1, 100_000])
def test_text_nested_too_deeply_is_refused(function, levels):
    """Whether the reading or the writing gives up first, it is an error of ours."""
    with pytest.raises(InvalidInputError, match="nested too deeply"):
        function('{"items":' * levels + "{}" + "}" * levels)


@BOTH
@given(schema=schemas)
def test_the_input_is_never_changed(function, schema):
    """A new dict is returned; the caller's stays."""
    before = copy.deepcopy(schema)
    function(schema)

    assert schema == before


def iter_containers(value):
    """Yield every dict and list in a JSON value."""
    if isinstance(value, (dict, list)):
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from iter_containers(part)


@BOTH
@given(schema=schemas)
def test_nothing_that_can_change_is_shared_with_the_input(function, schema):
    """Whoever changes the result changes nothing else."""
    ours = {id(part) for part in iter_containers(schema)}

    assert not ours & {id(part) for part in iter_containers(function(schema))}


@BOTH
def test_a_part_used_twice_is_copied_twice(function):
    """Parts that the caller shares are independent in the result, and tuples are lists."""
    shared = {"type": "string"}
    result = function({"anyOf": (shared, shared)})

    assert result == {"anyOf": [shared, shared]}
    assert result["anyOf"][0] is not result["anyOf"][1]


@BOTH
@given(schema=schemas | hiding())
def test_doing_it_twice_changes_nothing(function, schema):
    """The result has nothing left to do."""
    once = function(schema)

    assert function(once) == once


@BOTH
@given(schema=schemas | hiding())
def test_text_and_dict_agree(function, schema):
    """The same schema gives the same result in either form."""
    assert json.loads(function(json.dumps(schema))) == function(schema)


# --- strip_from -----------------------------------------------------------------------------------------


def stripped(schema):
    """Return a schema without keywords: the plain, recursive statement of the rule."""
    if not isinstance(schema, dict):
        return schema
    result = {}
    for key, value in schema.items():
        if key in {"properties", "patternProperties", "dependentSchemas", "$defs"}:
            result[key] = {name: stripped(node) for name, node in value.items()}
        elif key in {"anyOf", "oneOf", "allOf", "prefixItems"}:
            result[key] = [stripped(node) for node in value]
        elif key in {"items", "additionalProperties", "not", "contains", "if", "propertyNames"}:
            result[key] = stripped(value)
        elif not key.startswith("x-nucleo-"):
            result[key] = value
    return result


@given(schema=schemas)
def test_keywords_leave_every_schema_and_data_stays(schema):
    """Every keyword at a schema's place is gone, and nothing else is."""
    assert strip_from(schema) == stripped(schema)


HOLDERS = [
    *[{key: {**MARK, "k": 1}} for key in ("items", "additionalItems", "unevaluatedItems", "contains")],
    *[{key: {**MARK, "k": 1}} for key in ("additionalProperties", "unevaluatedProperties", "propertyNames")],
    *[{key: {**MARK, "k": 1}} for key in ("not", "if", "then", "else", "contentSchema")],
    *[{key: [{**MARK, "k": 1}]} for key in ("items", "anyOf", "oneOf", "allOf", "prefixItems")],
    *[{key: {"n": {**MARK, "k": 1}}} for key in ("properties", "patternProperties", "dependentSchemas")],
    *[{key: {"n": {**MARK, "k": 1}}} for key in ("$defs", "definitions", "dependencies")],
]


@pytest.mark.parametrize("schema", HOLDERS, ids=json.dumps)
def test_keywords_are_removed_at_every_place_of_a_schema(schema):
    """Every applicator of the drafts is known."""
    assert TYPE_ALIAS not in json.dumps(strip_from(schema))


@pytest.mark.parametrize("key", ["enum", "const", "default", "examples", "x-host", "dependentRequired"])
def test_data_that_looks_like_keywords_stays(key):
    """What stands where data stands is no keyword."""
    schema = {key: [{SUMMARIZABLE: 1, "properties": {"a": {CONTEXT_IGNORE: True}}}]}

    assert strip_from(schema) == schema


@pytest.mark.parametrize(
    "key", ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"]
)
def test_a_name_that_looks_like_a_keyword_stays(key):
    """A property called x-nucleo-foo is a property."""
    assert strip_from({key: {"x-nucleo-foo": {**MARK, "type": "string"}}}) == {key: {"x-nucleo-foo": STRING}}


def test_names_are_matched_exactly():
    """Only the prefix as it is written makes a keyword."""
    schema = {"X-Nucleo-Summarizable": 1, "x-nucleo": 1, "x_nucleo_a": 1, " x-nucleo-a": 1, 7: 1}

    assert strip_from({**schema, "x-nucleo-a": 1}) == schema


@pytest.mark.parametrize("junk", [None, 7, "text", [], [None, [{**MARK}]], {"n": None}])
@pytest.mark.parametrize("key", ["properties", "items", "anyOf", "$defs", "additionalProperties", "not"])
def test_what_is_no_schema_is_carried_along(key, junk):
    """A value of the wrong kind is not ours to judge."""
    schema = {key: junk}

    assert strip_from({**schema, CONTEXT_IGNORE: True}) == schema


def test_stripping_leaves_artifacts_and_definitions_alone():
    """Only keywords go: the content of artifacts and unused definitions stay."""
    schema = with_property(link(**MARK), **{"$defs": {"Unused": link()}})

    assert strip_from(schema) == with_property(link(), **{"$defs": {"Unused": link()}})


# --- for_model: what is reduced -------------------------------------------------------------------------


def test_an_artifact_is_reduced_to_its_reference():
    """Title and description stay, everything else is content."""
    assert offered(link(**MARK)) == LINK


def test_a_root_that_is_an_artifact_is_the_reduced_root():
    """Nothing else is left of it, definitions included."""
    assert for_model(link(**MARK, **{"$defs": {"Link": link()}})) == LINK


def test_an_artifact_without_words_gets_none():
    """Title and description are kept, never invented; one that is no text is not kept."""
    assert offered({**MARK, "title": {HIDDEN: 1}}) == reduced()


ARRAYS = [
    ({"type": "array", "items": link()}, {"type": "array", "items": LINK}),
    ({"type": "array", "items": True}, {"type": "array", "items": reduced()}),
    ({"type": "array", "items": {}}, {"type": "array", "items": reduced()}),
    ({"type": "array"}, {"type": "array", "items": reduced()}),
    ({"type": "array", "items": "junk"}, {"type": "array", "items": reduced()}),
    ({"items": link()}, {"items": LINK}),
    ({"type": ["array", "null"], "items": link()}, {"type": ["array", "null"], "items": LINK}),
    ({"type": "array", "items": [link(), STRING]}, {"type": "array", "items": [LINK, STRING]}),
    (
        {"type": "array", "prefixItems": [link(), STRING], "items": False},
        {"type": "array", "prefixItems": [LINK, STRING], "items": False},
    ),
    ({"type": "array", "prefixItems": [link()]}, {"type": "array", "prefixItems": [LINK]}),
    ({"prefixItems": [link()]}, {"prefixItems": [LINK]}),
    (
        {"type": "array", "items": {"type": "array", "items": link()}},
        {"type": "array", "items": {"type": "array", "items": LINK}},
    ),
]
MAPS = [
    ({"type": "object", "additionalProperties": link()}, {"type": "object", "additionalProperties": LINK}),
    ({"type": "object", "additionalProperties": True}, {"type": "object", "additionalProperties": reduced()}),
    ({"additionalProperties": link()}, {"additionalProperties": LINK}),
    (
        {"type": "object", "properties": {}, "patternProperties": {"^a": link()}},
        {"type": "object", "patternProperties": {"^a": LINK}},
    ),
    (
        {"type": "object", "additionalProperties": {"type": "array", "items": link()}},
        {"type": "object", "additionalProperties": {"type": "array", "items": LINK}},
    ),
]
UNIONS = [
    ({"anyOf": [link(), NULL]}, {"anyOf": [LINK, NULL]}),
    ({"anyOf": [link(), link(title="Page")]}, {"anyOf": [LINK, {**LINK, "title": "Page"}]}),
    ({"oneOf": [link(), False, NULL]}, {"anyOf": [LINK, False, NULL]}),
    ({"allOf": [link()]}, {"allOf": [LINK]}),
    (
        {"anyOf": [{"type": "array", "items": link()}, NULL]},
        {"anyOf": [{"type": "array", "items": LINK}, NULL]},
    ),
]


@pytest.mark.parametrize(("node", "expected"), [*ARRAYS, *MAPS, *UNIONS])
def test_a_mark_on_a_holder_speaks_of_what_it_holds(node, expected):
    """An array is reduced in its items, a map in its values, a union in its alternatives."""
    assert offered({**node, **MARK}) == expected


@pytest.mark.parametrize(
    "node",
    [
        {},
        {"enum": [{HIDDEN: 1}]},
        {"type": "object"},
        {"type": "object", "additionalProperties": False},
        {"type": ["array", "object"], "items": link()},
        {"type": "unheard-of"},
        {"type": {"junk": True}},
        {"type": "object", "properties": {HIDDEN: True}, "additionalProperties": link()},
        {"properties": {HIDDEN: True}, "items": link(), "anyOf": [link()]},
        {"type": "object", "properties": {HIDDEN: True}, "anyOf": [{"required": [HIDDEN]}]},
        {"anyOf": []},
        {"anyOf": "junk"},
    ],
)
def test_any_other_marked_node_is_an_artifact(node):
    """What is neither scalar nor a holder is reduced, whatever it says."""
    assert offered({**node, **MARK}) == reduced()


def test_an_artifact_that_may_be_null_by_its_type_stays_nullable():
    """A list of types keeps its null."""
    assert offered({**link(), **MARK, "type": ["object", "null"]}) == {**LINK, "type": ["object", "null"]}


@pytest.mark.parametrize(
    "node",
    [
        {"type": "string", "enum": ["a"], "default": "a"},
        {"type": ["integer", "null"], "examples": [3]},
        {"type": "array", "items": STRING, "examples": [["a"]]},
        {"type": "object", "additionalProperties": {"type": "number"}, "default": {}},
        {"anyOf": [STRING, NULL], "examples": ["a"]},
    ],
)
def test_a_marked_scalar_stays_what_it_is(node):
    """Text and numbers hold no artifact's content, alone or in a list: only the keyword goes."""
    schema = with_property(node, examples=[{"p": "a"}])

    assert for_model(with_property({**node, **MARK}, examples=[{"p": "a"}])) == schema


def test_only_the_marked_alternatives_of_a_union_are_reduced():
    """A plain alternative stays whole, with its examples."""
    note = {"type": "object", "title": "Note", "properties": {"text": STRING}, "examples": [{"text": "a"}]}

    assert offered({"anyOf": [link(**MARK), note]}) == {"anyOf": [LINK, note]}


def test_exactly_one_becomes_any():
    """References look alike, so a oneOf over them could never be fulfilled."""
    assert offered({"oneOf": [link(**MARK), link(**MARK)]}) == {"anyOf": [LINK, LINK]}


def test_exactly_one_stays_beside_another_union():
    """There is no room for a second anyOf on one node."""
    node = {"anyOf": [STRING], "oneOf": [link(**MARK)]}

    assert offered(node) == {"anyOf": [STRING], "oneOf": [LINK]}


def test_a_mark_inside_a_plain_holder_is_found():
    """The keyword may stand on the items or the values themselves."""
    node = {"type": "array", "items": {"type": "object", "additionalProperties": link(**MARK)}}

    assert offered(node) == {"type": "array", "items": {"type": "object", "additionalProperties": LINK}}


def test_a_holder_keeps_its_words_and_bounds_and_loses_its_content():
    """Through nothing that stays on a marked array could content come back."""
    kept = {
        "type": "array",
        "title": "T",
        "description": "D",
        "minItems": 1,
        "maxItems": 3,
        "uniqueItems": True,
    }
    content = {
        "examples": [[HIDDEN]],
        "default": [HIDDEN],
        "enum": [[HIDDEN]],
        "const": [HIDDEN],
        "example": 1,
    }
    node = {**kept, **content, **MARK, "items": link(), "not": {"items": link()}, "x-host": HIDDEN}

    assert offered(node) == {**kept, "items": LINK}


@pytest.mark.parametrize("key", ["examples", "example", "default", "const", "enum"])
def test_what_surrounds_an_artifact_shows_none_of_its_content(key):
    """Data of every node above a reduced one goes, for it may show content; other nodes keep theirs."""
    plain = {"type": "object", "examples": ["stays"], "default": "stays"}
    schema = {"properties": {"a": with_property(link(**MARK)), "b": plain}, "type": "object"}
    shown = copy.deepcopy(schema)
    shown[key] = shown["properties"]["a"][key] = HIDDEN

    assert for_model(shown) == {"type": "object", "properties": {"a": with_property(LINK), "b": plain}}


def test_a_schema_without_artifacts_is_only_stripped():
    """Nothing is lost where nothing is reduced."""
    schema = with_property({"oneOf": [STRING, NULL], CONTEXT_IGNORE: True}, examples=[{"p": "a"}])

    assert for_model(schema) == strip_from(schema)


# --- for_model: references ------------------------------------------------------------------------------


def test_a_marked_reference_is_replaced_by_the_reduced_artifact():
    """The definition is gone, and its title and description stand in where the node has none."""
    node = {**LINK_REF, **MARK, "description": "Mine", "examples": [HIDDEN]}
    schema = with_property(node, **{"$defs": {"Link": link()}})

    assert for_model(schema) == with_property({**LINK, "description": "Mine"})


def test_a_reference_to_a_marked_definition_is_replaced():
    """The definition says that it is an artifact, so the node need not."""
    assert for_model(with_property(LINK_REF, **{"$defs": {"Link": link(**MARK)}})) == with_property(LINK)


def test_a_reference_to_what_a_marked_node_refers_to_is_replaced():
    """One mark is enough to know the definition for an artifact, even one inside another artifact."""
    page = link(title="Page", properties={"links": {"type": "array", "items": LINK_REF, **MARK}}, **MARK)
    schema = {"properties": {"page": page, "plain": LINK_REF}, "$defs": {"Link": link()}}

    assert for_model(schema) == {"properties": {"page": {**LINK, "title": "Page"}, "plain": LINK}}


def test_a_chain_of_references_to_an_artifact_is_replaced():
    """Definitions that only pass on are no way around."""
    definitions = {"A": {"$ref": "#/$defs/B"}, "B": LINK_REF, "Link": link(**MARK)}

    assert for_model(with_property({"$ref": "#/$defs/A"}, **{"$defs": definitions})) == with_property(LINK)


def test_a_marked_chain_of_references_is_replaced():
    """The mark goes along the chain to the definition at its end."""
    definitions = {"A": LINK_REF, "Link": link()}
    schema = with_property({"$ref": "#/$defs/A", **MARK}, **{"$defs": definitions})

    assert for_model(schema) == with_property(LINK)


def test_a_definition_that_holds_artifacts_stays_and_is_reduced():
    """A marked reference to an array keeps the reference; the items of the array are reduced."""
    links = {"type": "array", "items": LINK_REF, "examples": [HIDDEN]}
    node = {"$ref": "#/$defs/Links", "description": "D", "examples": [HIDDEN], **MARK}
    schema = with_property(node, **{"$defs": {"Links": links, "Link": link()}})

    assert for_model(schema) == with_property(
        {"$ref": "#/$defs/Links", "description": "D"},
        **{"$defs": {"Links": {"type": "array", "items": LINK}}},
    )


def test_a_marked_reference_to_a_scalar_stays():
    """A definition of text is no artifact."""
    schema = with_property({"$ref": "#/$defs/Mood", **MARK}, **{"$defs": {"Mood": {**STRING, "enum": ["a"]}}})

    assert for_model(schema) == strip_from(schema)


def test_a_recursive_class_with_an_artifact_keeps_its_definition():
    """The definition is reduced inside, and what refers to it shows no content either."""
    node = with_property({"$ref": "#/$defs/Node", "examples": [HIDDEN]}, examples=[HIDDEN])
    node["properties"]["link"] = link(**MARK)
    clean = {"type": "object", "properties": {"p": {"$ref": "#/$defs/Node"}, "link": LINK}}

    assert for_model({**node, "$defs": {"Node": node}}) == {**clean, "$defs": {"Node": clean}}


def test_a_recursive_artifact_ends_in_its_reference():
    """A page of pages is offered once, without definitions."""
    pages = {"type": "array", "items": {"$ref": "#/$defs/Page"}, **MARK}
    page = link(properties={"pages": pages, HIDDEN: True})
    schema = with_property({**page, **MARK}, **{"$defs": {"Page": page}})

    assert for_model(schema) == with_property(LINK)


def test_definitions_used_only_by_unused_definitions_are_gone():
    """What counts is the way from the root, not a mention somewhere."""
    definitions = {
        "Used": with_property({"$ref": "#/$defs/Deeper"}),
        "Deeper": STRING,
        "Lost": {"$ref": "#/$defs/LostToo"},
        "LostToo": {"$ref": "#/$defs/Lost"},
        "Any": True,
        "Junk": "junk",
    }
    schema = {"items": {"$ref": "#/$defs/Used"}, "not": {"$ref": "#/$defs/Any"}, "$defs": definitions}

    assert set(for_model(schema)["$defs"]) == {"Used", "Deeper", "Any"}


@pytest.mark.parametrize("key", ["$defs", "definitions"])
@pytest.mark.parametrize("entries", [{}, {"Unused": {}}, ["junk"], None])
def test_definitions_that_are_empty_are_gone(key, entries):
    """Nothing to define needs no place to define it."""
    assert for_model({"type": "string", key: entries}) == STRING


def test_definitions_below_the_root_are_treated_alike():
    """An artifact defined somewhere inside is neither shown nor kept."""
    node = {
        "type": "object",
        "$defs": {"Link": link()},
        "properties": {"q": {"$ref": "#/properties/p/$defs/Link"}},
    }
    node["properties"]["q"].update(MARK)

    assert offered(node) == {"type": "object", "properties": {"q": LINK}}


@pytest.mark.parametrize(
    ("name", "token"),
    [
        ("a/b", "a~1b"),
        ("a~b", "a~0b"),
        ("~1", "~01"),
        ("a b", "a%20b"),
        ("é", "%C3%A9"),
        ("Box<A>", "Box%3CA%3E"),
        ("a/b", "a%7E1b"),
        ("", ""),
    ],
)
def test_the_escapes_of_references_are_understood(name, token):
    """Names with slashes, tildes and percent-escapes are found, in keeping and in reducing."""
    schema = {"items": {"$ref": f"#/$defs/{token}"}, "$defs": {name: STRING}}

    assert for_model(schema) == schema
    assert for_model({**schema, "$defs": {name: link(**MARK)}}) == {"items": LINK}


def test_a_reference_into_a_definition_keeps_it():
    """A pointer may go on below the definition, through arrays as well."""
    schema = {"items": {"$ref": "#/$defs/A/anyOf/1"}, "$defs": {"A": {"anyOf": [STRING, NULL]}}}

    assert for_model(schema) == schema


DANGLING = [
    "#/$defs/Missing",
    "#/$defs/A/anyOf/7",
    "#/$defs/A/anyOf/x",
    "#/$defs/A/type/x",
    f"#/$defs/A/anyOf/{'9' * 5000}",
    "#anchor",
    "https://example.org/schema.json",
    "",
    "#/%ZZ",
    "#%",
    7,
    None,
    ["#/$defs/A"],
]


@pytest.mark.parametrize("ref", DANGLING)
def test_a_reference_that_leads_nowhere_stays(ref):
    """It is not ours to judge, and keeps no definition."""
    schema = with_property({"$ref": ref}, **{"$defs": {"A": {"type": "array", "anyOf": [STRING]}}})

    assert for_model(schema) == with_property({"$ref": ref})


@pytest.mark.parametrize("ref", [*DANGLING, "#", "#/properties/q"])
def test_a_marked_reference_to_no_definition_is_reduced_where_it_stands(ref):
    """What it leads to is not offered in its place."""
    schema = {"type": "object", "properties": {"p": {"$ref": ref, **MARK}, "q": STRING}}

    assert for_model(schema) == {"type": "object", "properties": {"p": reduced(), "q": STRING}}


def test_references_in_a_circle_end():
    """Definitions that only refer to each other describe nothing, marked or not."""
    definitions = {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A", "examples": [HIDDEN]}}
    schema = {"items": {"$ref": "#/$defs/A", **MARK, "default": HIDDEN}, "$defs": definitions}

    assert for_model(schema) == {
        "items": {"$ref": "#/$defs/A"},
        "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
    }


def test_a_root_that_refers_to_an_artifact_is_reduced():
    """The reference of the root is replaced like any other."""
    assert for_model({**LINK_REF, "$defs": {"Link": link(**MARK)}}) == LINK


def test_data_behind_a_reference_to_the_root_is_cleared_too():
    """A node that refers to what contains it shows no content of what lies below."""
    schema = with_property({"$ref": "#", "examples": [HIDDEN]}, items=link(**MARK))

    assert for_model(schema) == with_property({"$ref": "#"}, items=LINK)


def test_a_large_schema_is_walked_in_one_pass():
    """Many references to a long chain of marked definitions take no more than their number."""
    count = 10_000
    definitions = {f"D{n}": {"$ref": f"#/$defs/D{n + 1}", **MARK} for n in range(count)}
    definitions[f"D{count}"] = link()
    properties = {f"p{n}": {"$ref": f"#/$defs/D{n}"} for n in range(count)}
    result = for_model({"properties": properties, "$defs": definitions})

    assert result == {"properties": dict.fromkeys(properties, LINK)}


# --- for_model: laws ------------------------------------------------------------------------------------


@given(schema=hiding())
def test_no_path_of_the_result_offers_content(schema):
    """Wherever artifacts stand, and whatever shows them, nothing of them is left, nor a keyword."""
    result = for_model(schema)

    assert HIDDEN not in json.dumps(result)
    assert strip_from(result) == result


@given(schema=hiding())
def test_the_result_is_a_schema_whose_references_resolve(schema):
    """A validator takes it, no reference dangles, and every definition is used."""
    result = for_model(schema)
    names = result.get("$defs", {})
    refs = {part["$ref"] for part in iter_containers(result) if isinstance(part, dict) and _refers(part)}

    Draft202012Validator.check_schema(result)
    assert refs == {f"#/$defs/{name}" for name in names}


def _refers(part):
    return isinstance(part.get("$ref"), str)


def test_the_reduced_schema_takes_a_reference():
    """What the model is asked for is valid against what it was shown, and nothing less is."""
    validator = Draft202012Validator(for_model(with_property({"type": "array", "items": link(), **MARK})))

    assert validator.is_valid({"p": [{REF_FIELD: "«artifact:link:cite~a7f3b2»"}]})
    assert not validator.is_valid({"p": [{HIDDEN: "content"}]})


ORDER = {
    "type": "object",
    "title": "Order",
    "properties": {
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"title": {"type": "string", TYPE_ALIAS: "link:product"}},
            },
        },
        "raw": {"type": "object", "additionalProperties": True, CONTEXT_IGNORE: True},
    },
    "examples": [{"lines": [{"title": "a"}]}],
    SUMMARIZABLE: {"hint": "order"},
}


def test_a_realistic_schema_with_marked_text_keeps_its_examples():
    """A text field with an alias is no artifact, so what surrounds it has nothing to hide."""
    assert for_model(ORDER) == {
        "type": "object",
        "title": "Order",
        "properties": {
            "lines": {"type": "array", "items": {"type": "object", "properties": {"title": STRING}}},
            "raw": {"type": "object", "additionalProperties": True},
        },
        "examples": [{"lines": [{"title": "a"}]}],
    }
