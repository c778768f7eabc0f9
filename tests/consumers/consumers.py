"""
What reads schemas, each as a function of one kind.

A consumer is a function from a schema to a function from an instance to whether it is taken, or to None
where instances are not its business. It raises whatever it raises when it does not take the schema.
"""

from __future__ import annotations

import asyncio
import copy
import importlib
import json
import re
import sys
from collections.abc import Callable
from typing import Any
from unittest import mock

import anthropic
import jsonschema
import jsonschema_rs
import llguidance
import lmformatenforcer
import mcp_types
import outlines_core
from google.genai import types as genai
from mcp.client.client import Client
from mcp.server.lowlevel import Server
from openai.lib import _pydantic as openai_strict

__all__ = ["COMPILERS", "SDK_CHECKS", "VALIDATORS", "listed_over_mcp"]

#: A pattern beyond this many characters is built and not tried: compiling it takes half a minute.
_MAX_PATTERN = 400_000

Takes = Callable[[Any], bool]
Consumer = Callable[[dict[str, Any]], Takes | None]


def _jsonschema(validator: Any) -> Consumer:
    def consume(schema: dict[str, Any]) -> Takes:
        validator.check_schema(schema)
        return validator(schema, format_checker=validator.FORMAT_CHECKER).is_valid

    return consume


def _jsonschema_rs(schema: dict[str, Any]) -> Takes:
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid


def _llguidance(schema: dict[str, Any]) -> Takes:
    grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
    tokenizer = llguidance.LLTokenizer("byte")
    failed, messages = llguidance.LLMatcher.validate_grammar_with_warnings(grammar, tokenizer)
    assert not failed, messages
    assert not messages

    def takes(instance: Any) -> bool:
        matcher = llguidance.LLMatcher(tokenizer, grammar, log_level=0)
        tokens = tokenizer.tokenize_str(json.dumps(instance, ensure_ascii=False, separators=(",", ":")))
        return matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting()

    return takes


def _outlines(schema: dict[str, Any]) -> Takes | None:
    regex = outlines_core.json_schema.build_regex_from_schema(json.dumps(schema))
    if len(regex) > _MAX_PATTERN:
        return None
    pattern = re.compile(regex)
    return lambda instance: pattern.fullmatch(json.dumps(instance, ensure_ascii=False)) is not None


def _lm_format_enforcer(schema: dict[str, Any]) -> Takes:
    config = lmformatenforcer.CharacterLevelParserConfig()
    config.alphabet += "~"  # it is in every reference
    start = lmformatenforcer.JsonSchemaParser(copy.deepcopy(schema), config)

    def takes(instance: Any) -> bool:
        parser = start
        for char in json.dumps(instance, ensure_ascii=False):
            if char not in parser.get_allowed_characters():
                return False
            parser = parser.add_character(char)
        return parser.can_end()

    return takes


def _load_xgrammar() -> Any:
    """
    Return xgrammar, whose compiler and matcher are C++, without what it imports for their masks.

    Torch is a gigabyte and transformers not small, and neither has a part in compiling or matching.
    """
    import tvm_ffi  # noqa: F401, PLC0415  it looks for torch itself, and does without

    others = {name: mock.MagicMock(name=name) for name in ("torch", "transformers")}
    for name in ("PreTrainedTokenizerBase", "PreTrainedTokenizerFast", "LogitsProcessor"):
        setattr(others["transformers"], name, type(name, (), {}))
    others["torch"].Tensor = type("Tensor", (), {})
    with mock.patch.dict(sys.modules, others):
        return importlib.import_module("xgrammar")


def _xgrammar(schema: dict[str, Any]) -> Takes:
    xgrammar = _load_xgrammar()
    end = 256
    vocabulary = [*(bytes([byte]) for byte in range(end)), "</s>"]
    tokens = xgrammar.TokenizerInfo(vocabulary, vocab_type=xgrammar.VocabType.RAW, stop_token_ids=[end])
    grammar = xgrammar.GrammarCompiler(tokens).compile_json_schema(json.dumps(schema))

    def takes(instance: Any) -> bool:
        matcher = xgrammar.GrammarMatcher(grammar)
        return matcher.accept_string(json.dumps(instance, ensure_ascii=False)) and matcher.accept_token(end)

    return takes


def _openai(schema: dict[str, Any]) -> None:
    """Let OpenAI's own helper close, require and unroll: a schema that is strict already stays as it is."""
    given = copy.deepcopy(schema)
    assert openai_strict._ensure_strict_json_schema(given, path=(), root=given) == schema


def _anthropic(schema: dict[str, Any]) -> None:
    """Let Anthropic's own transformation move what it does not know: the type beside an enum at most."""
    assert anthropic.transform_schema(copy.deepcopy(schema)) == _without_enum_types(schema)


def _without_enum_types(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_enum_types(item) for item in node]
    if not isinstance(node, dict):
        return node
    dropped = {"type"} if isinstance(node.get("enum"), list) else set()
    return {key: _without_enum_types(value) for key, value in node.items() if key not in dropped}


def _gemini(schema: dict[str, Any]) -> None:
    config = genai.GenerateContentConfig(
        response_mime_type="application/json", response_json_schema=copy.deepcopy(schema)
    )
    assert config.response_json_schema == schema


def listed_over_mcp(tool: dict[str, Any]) -> dict[str, Any]:
    """Return the tool that a client lists when a server lists *tool*; both run in this process."""

    async def listing(_context: Any, _params: Any) -> Any:
        return mcp_types.ListToolsResult(tools=[mcp_types.Tool.model_validate(tool)])

    async def listed() -> Any:
        async with Client(Server("shop", on_list_tools=listing)) as client:
            return (await client.list_tools()).tools[0]

    return asyncio.run(listed()).model_dump(by_alias=True, exclude_none=True)


VALIDATORS: dict[str, Consumer] = {
    "jsonschema draft 7": _jsonschema(jsonschema.Draft7Validator),
    "jsonschema 2020-12": _jsonschema(jsonschema.Draft202012Validator),
    "jsonschema-rs 2020-12": _jsonschema_rs,
}
COMPILERS: dict[str, Consumer] = {
    "llguidance": _llguidance,
    "outlines-core": _outlines,
    "lm-format-enforcer": _lm_format_enforcer,
    "xgrammar": _xgrammar,
}
SDK_CHECKS: dict[str, Consumer] = {"openai": _openai, "anthropic": _anthropic, "google-genai": _gemini}
