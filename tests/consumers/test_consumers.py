"""What each dialect gives is taken by those who read it: validators, compilers of grammars, SDKs, MCP."""

import importlib.util
import json

import pytest

from nucleo_schema import SchemaError, answer_format, dialects, json_schema, keywords, tool_definition

from ..dialect_forms import written_in
from .classes import CASES

pytest.importorskip("anthropic", reason="needs tests/consumers/requirements.txt")
pytest.importorskip("google.genai", reason="needs tests/consumers/requirements.txt")
pytest.importorskip("jsonschema_rs", reason="needs tests/consumers/requirements.txt")
pytest.importorskip("llguidance", reason="needs tests/consumers/requirements.txt")
pytest.importorskip("lmformatenforcer", reason="needs tests/consumers/requirements.txt")
pytest.importorskip("mcp_types", reason="needs tests/consumers/requirements.txt")
pytest.importorskip("openai", reason="needs tests/consumers/requirements.txt")
pytest.importorskip("outlines_core", reason="needs tests/consumers/requirements.txt")
pytest.importorskip("tvm_ffi", reason="needs tests/consumers/requirements.txt")
if importlib.util.find_spec("xgrammar") is None:
    pytest.skip("needs tests/consumers/requirements-alone.txt", allow_module_level=True)

from anthropic.types import OutputConfigParam, ToolParam
from google.genai.types import FunctionDeclaration, GenerateContentConfig
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam, ResponseTextConfigParam
from openai.types.shared_params import ResponseFormatJSONSchema
from pydantic import ConfigDict, TypeAdapter, with_config

from .consumers import COMPILERS, SDK_CHECKS, VALIDATORS, listed_over_mcp

MODEL_FACING = [dialect for dialect in dialects.DIALECTS.values() if dialect.model_facing]
#: Whoever constrains a local model gets the portable dialect, or a strict one that a server passes on.
COMPILED = [dialects.PORTABLE, dialects.OPENAI_STRICT, dialects.ANTHROPIC_STRICT]
#: What a compiler does not take of a dialect: a format that the provider of the dialect takes.
NOT_COMPILED = {
    ("OPENAI_STRICT", "outlines-core", "scalars"): "duration",
    ("ANTHROPIC_STRICT", "outlines-core", "scalars"): "duration",
}
#: What compilers do not take of the canonical schema: wide integers, untyped places, other formats, mixed enums.
CANONICAL_REFUSALS = {
    "llguidance": {"order_answer", "search_result", "scalars"},
    "outlines-core": {"order_answer", "search_result", "untyped", "scalars"},
    "lm-format-enforcer": {"order_answer", "search_result", "untyped", "scalars"},
}


def expressed(dialect, case):
    """Return the schema of a class, and an instance as a model writes it; skip what cannot be expressed."""
    cls, instance = CASES[case]
    try:
        schema = json_schema(cls, dialect=dialect)
    except SchemaError as error:
        assert "recursion" in str(error)
        assert (dialect.name, case) in {
            ("ANTHROPIC_STRICT", "crawled_page"),
            ("ANTHROPIC_STRICT", "mutual recursion"),
        }
        pytest.skip(str(error))
    return schema, as_written(dialect, instance, cls)


def as_written(dialect, instance, cls):
    """Return an instance as a model writes it: times in UTC with a Z, which every grammar has."""
    return json.loads(json.dumps(written_in(dialect, instance, cls)).replace("+00:00", "Z"))


def hold_to(consumer, schema, instance):
    """Let a consumer take a schema and the instance, and refuse it without a member and with one more."""
    takes = consumer(schema)
    if takes is not None:
        first = schema["required"][0]
        assert takes(instance)
        assert not takes({name: value for name, value in instance.items() if name != first})
        if schema.get("additionalProperties") is False:
            assert not takes({**instance, "unheard_of": 1})


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("validator", VALIDATORS)
@pytest.mark.parametrize("dialect", MODEL_FACING, ids=lambda dialect: dialect.name)
def test_validators_take_every_dialect(dialect, validator, case):
    """The schema is one, the instance fills it, and another does not."""
    hold_to(VALIDATORS[validator], *expressed(dialect, case))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("dialect", COMPILED, ids=lambda dialect: dialect.name)
def test_compilers_of_grammars_take_what_is_for_them(dialect, compiler, case):
    """A local decoder can hold a model to the schema, and what it lets the model write is what is meant."""
    schema, instance = expressed(dialect, case)
    message = NOT_COMPILED.get((dialect.name, compiler, case))
    if message:
        with pytest.raises(ValueError, match=message):
            COMPILERS[compiler](schema)
    else:
        hold_to(COMPILERS[compiler], schema, instance)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    ("dialect", "check"),
    [
        (dialects.OPENAI_STRICT, "openai"),
        (dialects.ANTHROPIC_STRICT, "anthropic"),
        (dialects.GEMINI, "google-genai"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_helpers_of_an_sdk_find_nothing_to_change(dialect, check, case):
    """What the provider's own code would drop or rewrite is dropped or rewritten already."""
    SDK_CHECKS[check](expressed(dialect, case)[0])


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("consumer", {**VALIDATORS, **COMPILERS})
def test_the_canonical_schema_is_taken_as_measured(consumer, case):
    """Validators take it whole; what compilers refuse is known, and is why there is a portable dialect."""
    cls, instance = CASES[case]
    schema = keywords.for_model(json_schema(cls))
    consume = {**VALIDATORS, **COMPILERS}[consumer]
    if case in CANONICAL_REFUSALS.get(consumer, ()):
        with pytest.raises(Exception, match=r"."):  # each has errors of its own
            hold_to(consume, schema, as_written(dialects.STANDARD, instance, cls))
    else:
        hold_to(consume, schema, as_written(dialects.STANDARD, instance, cls))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dialect", [dialects.STANDARD, dialects.PORTABLE], ids=lambda dialect: dialect.name)
def test_a_tool_crosses_mcp_unchanged(dialect, case):
    """A client lists what the server lists."""
    tool = tool_definition(CASES[case][0], "take", "Take it", dialect)

    assert listed_over_mcp(tool) == tool


def strictly(form):
    """Return the type of an object that an interface takes, closed."""
    return TypeAdapter(with_config(ConfigDict(extra="forbid"))(form))


OBJECTS = [
    (tool_definition, dialects.OPENAI, "chat", ChatCompletionFunctionToolParam),
    (tool_definition, dialects.OPENAI_STRICT, "chat", ChatCompletionFunctionToolParam),
    (tool_definition, dialects.OPENAI, "responses", FunctionToolParam),
    (tool_definition, dialects.OPENAI_STRICT, "responses", FunctionToolParam),
    (tool_definition, dialects.ANTHROPIC, None, ToolParam),
    (tool_definition, dialects.ANTHROPIC_STRICT, None, ToolParam),
    (tool_definition, dialects.GEMINI, None, FunctionDeclaration),
    (answer_format, dialects.OPENAI, "chat", ResponseFormatJSONSchema),
    (answer_format, dialects.OPENAI_STRICT, "responses", ResponseTextConfigParam),
    (answer_format, dialects.ANTHROPIC_STRICT, None, OutputConfigParam),
    (answer_format, dialects.GEMINI, None, GenerateContentConfig),
]


@pytest.mark.parametrize(("make", "dialect", "api", "form"), OBJECTS)
def test_the_objects_of_an_interface_are_those_of_its_sdk(make, dialect, api, form):
    """Every member has a name and a type that the provider's SDK declares for it."""
    words = ("take", "Take it") if make is tool_definition else ("take",)
    made = make(CASES["order_answer"][0], *words, dialect, api=api)

    adapter = TypeAdapter(form) if hasattr(form, "model_validate") else strictly(form)
    adapter.validate_python(made)
