"""Typed use of the library: read by mypy and pyright in strict mode, run by nobody."""

from datetime import date
from enum import Enum
from typing import Any, assert_type

import attrs
from attrs import define, field

from nucleo_schema import (
    ClassDefinition,
    Dialect,
    Int32,
    JsonProseSplit,
    MappingError,
    Problem,
    ResponseContract,
    Summarizable,
    answer_format,
    convert,
    describe,
    described,
    extract_json_with_prose,
    json_schema,
    llm_schema,
    meta,
    parse,
    parse_llm_response,
    tool_definition,
    write,
)
from nucleo_schema.dialects import OPENAI_STRICT


class Status(Enum):
    """Where an order is."""

    PLACED = "placed"
    DELIVERED = "delivered"


@described("What the customer is told")
@define
class Answer:
    """A class with metadata on every field."""

    reply: str = field(metadata=meta("The reply", examples=["It arrives on Monday."]))
    status: Status = field(metadata={**meta("Where it is"), "mine": 1})
    stars: Int32 = field(default=0, metadata=meta(required=True))
    arrives_on: date | None = field(default=None, metadata=meta(summarizable=Summarizable("day")))
    items: list[str] = field(factory=list, metadata=meta(context_ignore=True))


def constructors_keep_their_types() -> None:
    """A class declared with ``meta`` is an attrs class like any other."""
    answer = Answer("Yes.", Status.PLACED, stars=3, arrives_on=date(2024, 5, 6))
    assert_type(answer, Answer)
    assert_type(answer.reply, str)
    assert_type(answer.status, Status)
    assert_type(answer.stars, int)
    assert_type(answer.arrives_on, date | None)
    assert_type(answer.items, list[str])
    Answer(1, Status.PLACED)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Answer()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def reading_gives_the_target(text: str, raw: bytes, value: object) -> None:
    """What is read is of the type that was asked for."""
    assert_type(parse(text, Answer), Answer)
    assert_type(parse(raw, Answer), Answer)
    assert_type(parse(text, list[Answer]), list[Answer])
    assert_type(parse(text, dict[str, int]), dict[str, int])
    assert_type(parse_llm_response(text, Answer), Answer)
    assert_type(parse_llm_response(text, list[Answer]), list[Answer])
    assert_type(convert(value, Answer), Answer)
    assert_type(extract_json_with_prose(text), JsonProseSplit)


def describing_gives_dicts(answer: Answer) -> None:
    """Schemas are plain data, and definitions are typed."""
    assert_type(describe(Answer), ClassDefinition)
    assert_type(json_schema(Answer), dict[str, Any])
    assert_type(llm_schema(Answer), dict[str, Any])
    assert_type(write(answer), str)


def a_contract_knows_its_class(raw: str) -> None:
    """``ResponseContract`` carries the class through."""
    contract = ResponseContract(Answer)
    assert_type(contract, ResponseContract[Answer])
    assert_type(contract.read(raw), Answer)
    assert_type(contract.instructions(legend=True), str)


def errors_are_data(error: MappingError) -> None:
    """The problems of a refusal have types too."""
    assert_type(error.problems, tuple[Problem, ...])
    assert_type(error.problems[0].path, str)


def dialects_are_values(raw: str, tree: object) -> None:
    """A schema in a dialect is a dict, and what is read in one is of the type that was asked for."""
    own = attrs.evolve(OPENAI_STRICT, name="OWN", max_depth=None)
    assert_type(own, Dialect)
    assert_type(json_schema(Answer, dialect=own), dict[str, Any])
    assert_type(parse_llm_response(raw, Answer, dialect=own), Answer)
    assert_type(convert(tree, Answer, dialect=own), Answer)
    assert_type(ResponseContract(Answer, dialect=own).read(raw), Answer)
    assert_type(tool_definition(Answer, "answer", "Answer", own), dict[str, Any])
    assert_type(answer_format(Answer, "answer", own, api="responses"), dict[str, Any])
    tool_definition(Answer, "answer", "Answer", "OPENAI")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
