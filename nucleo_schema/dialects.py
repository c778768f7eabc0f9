"""
Dialects: one class for every provider, and answers that read back whatever the provider asked for.

A dialect says what one reader of JSON Schema takes. ``json_schema(cls, dialect=OPENAI_STRICT)`` gives the
schema of a class in its terms, and ``parse_llm_response(raw, cls, dialect=OPENAI_STRICT)`` reads the answer:
maps that were written as entries, untyped data written as JSON text, null for what was left out. What a
dialect cannot express is a ``SchemaError`` that names the class and the field.

`tool_definition` and `answer_format` give the whole objects that the interfaces of the providers take.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from attrs import frozen

from ._describe.walk import describe
from ._dialects.record import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    DIALECTS,
    GEMINI,
    OPENAI,
    OPENAI_STRICT,
    PORTABLE,
    STANDARD,
    Api,
    Dialect,
    checked,
)
from ._wording import found, listed
from .errors import InvalidInputError

__all__ = [
    "ANTHROPIC",
    "ANTHROPIC_STRICT",
    "DIALECTS",
    "GEMINI",
    "OPENAI",
    "OPENAI_STRICT",
    "PORTABLE",
    "STANDARD",
    "Api",
    "Dialect",
    "answer_format",
    "tool_definition",
]

Object = dict[str, Any]


def tool_definition(
    cls: type[Any], name: str, description: str, dialect: Dialect = STANDARD, *, api: Api | None = None
) -> Object:
    """
    Return the object that a provider's interface takes for a tool whose arguments are *cls*.

    Args:
        cls: The class of the arguments.
        name: The tool's name.
        description: What the tool does, for the model.
        dialect: In whose terms the schema is.
        api: Whose object it is, that of the dialect when left out: ``mcp`` (a tool in a listing), OpenAI's
            ``chat`` (completions) or ``responses``, Anthropic's ``messages``, or ``gemini`` (a function
            declaration).

    Raises:
        InvalidInputError: If the interface does not take the name or the dialect, or there is none such, or
            if the description is no text.
        SchemaError: If the class cannot be described, or not in the dialect.
    """
    form = _form(checked(dialect), api)
    if form.is_for_models and not dialect.model_facing:
        _refuse_dialect(dialect, "one for models, such as PORTABLE")
    _check_name(name, form)
    if not isinstance(description, str):
        msg = f"description: found {found(description)}, expected text"
        raise InvalidInputError(msg)
    return form.tool(name, description, describe(cls).json_schema(dialect=dialect), dialect.strict)


def answer_format(cls: type[Any], name: str, dialect: Dialect, *, api: Api | None = None) -> Object:
    """
    Return the object with which a provider's interface is asked for an answer of *cls*.

    It goes, in ``chat``, under ``response_format``; in ``responses`` under ``text``; in ``messages`` under
    ``output_config``; and in ``gemini`` it is a part of the generation config.

    Args:
        cls: The class of the answer.
        name: The format's name, where the interface has one.
        dialect: In whose terms the schema is.
        api: Whose object it is, that of the dialect when left out.

    Raises:
        InvalidInputError: If the interface does not take the name or the dialect, or has no such object.
        SchemaError: If the class cannot be described, or not in the dialect.
    """
    form = _form(checked(dialect), api)
    if form.answer is None:
        expected = listed(key for key, other in _FORMS.items() if other.answer)
        msg = f"api: found {found(api or dialect.api)}, which has no object for answers, expected {expected}"
        raise InvalidInputError(msg)
    if not dialect.model_facing:
        _refuse_dialect(dialect, "one for models, such as PORTABLE")
    if form.answers_are_strict and not dialect.strict:
        _refuse_dialect(dialect, "a strict one, since every answer is held to it, such as ANTHROPIC_STRICT")
    _check_name(name, form)
    return form.answer(name, describe(cls).json_schema(dialect=dialect), dialect.strict)


def _refuse_dialect(dialect: Dialect, expected: str) -> NoReturn:
    msg = f"dialect: found {dialect.name}, expected {expected}"
    raise InvalidInputError(msg)


def _check_name(name: Any, form: _Form) -> None:
    if not isinstance(name, str) or not re.fullmatch(form.names, name):
        msg = f"name: found {found(name)}, expected a name that matches {form.names}"
        raise InvalidInputError(msg)


@frozen
class _Form:
    """
    The objects of one interface.

    Attributes:
        names: The pattern of the names that it takes.
        tool: Makes the object for a tool.
        answer: Makes the object that asks for an answer, if there is one.
        is_for_models: Whether a tool's schema goes to a model as it is.
        answers_are_strict: Whether the provider holds every answer to its schema.
    """

    names: str
    tool: Callable[[str, str, Object, bool], Object]
    answer: Callable[[str, Object, bool], Object] | None = None
    is_for_models: bool = True
    answers_are_strict: bool = False


def _form(dialect: Dialect, api: Any) -> _Form:
    form = _FORMS.get(dialect.api if api is None else api)
    if form is None:
        msg = f"api: found {found(api)}, expected one of {listed(_FORMS)}"
        raise InvalidInputError(msg)
    return form


def _function(name: str, description: str, schema: Object, strict: bool) -> Object:  # noqa: FBT001
    return {"name": name, "description": description, "strict": strict, "parameters": schema}


def _json_schema_format(name: str, schema: Object, strict: bool) -> Object:  # noqa: FBT001
    return {"name": name, "strict": strict, "schema": schema}


def _messages_tool(name: str, description: str, schema: Object, strict: bool) -> Object:  # noqa: FBT001
    tool: Object = {"name": name, "description": description, "input_schema": schema}
    return {**tool, "strict": True} if strict else tool


_FORMS: dict[Any, _Form] = {
    "mcp": _Form(
        r"[A-Za-z0-9_.-]{1,128}",
        lambda name, description, schema, _: {
            "name": name,
            "description": description,
            "inputSchema": schema,
        },
        is_for_models=False,  # a client reads what a host is told, and offers it to the model
    ),
    "chat": _Form(
        r"[A-Za-z0-9_-]{1,64}",
        lambda *parts: {"type": "function", "function": _function(*parts)},
        lambda *parts: {"type": "json_schema", "json_schema": _json_schema_format(*parts)},
    ),
    "responses": _Form(
        r"[A-Za-z0-9_-]{1,64}",
        lambda *parts: {"type": "function", **_function(*parts)},
        lambda *parts: {"format": {"type": "json_schema", **_json_schema_format(*parts)}},
    ),
    "messages": _Form(
        r"[A-Za-z0-9_-]{1,64}",
        _messages_tool,
        lambda _name, schema, _strict: {"format": {"type": "json_schema", "schema": schema}},
        answers_are_strict=True,
    ),
    "gemini": _Form(
        r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}",
        lambda name, description, schema, _: {
            "name": name,
            "description": description,
            "parametersJsonSchema": schema,
        },
        lambda _name, schema, _strict: {
            "responseMimeType": "application/json",
            "responseJsonSchema": schema,
        },
    ),
}
