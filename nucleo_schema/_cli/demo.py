"""``nucleo-schema demo``: a class, its two schemas, and messy replies with what came of each."""

from __future__ import annotations

import inspect
import json
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from attrs import frozen

from .. import (
    ArtifactRegistry,
    ExtractionError,
    MappingError,
    ResponseContract,
    ResponseRefused,
    describe,
    parse_llm_response,
    write,
    write_compact,
)
from .console import paint
from .demo_classes import RECORDS, TARGETS, TOUR, DelayAnswer, OrderAnswer, OrderRecord, look_orders_up
from .reading import refusal_lines

__all__ = [
    "Case",
    "Outcome",
    "choice_case",
    "iter_cases",
    "iter_tour",
    "read_case",
    "read_choice",
    "run_demo",
]

WIDTH_CHARS = 110
#: A text of more lines is shown by its first and last ones, as many as the second number in all.
MAX_LINES, SHOWN_LINES = 14, 10

#: Control characters as a line can show them.
_ESCAPES = {code: json.dumps(chr(code))[1:-1] for code in range(32)}


@frozen
class Case:
    """
    One reply and what must come of it.

    Attributes:
        title: What is special about it.
        target: The name of its target in ``TARGETS``.
        raw: The reply as the model wrote it.
        expect: ``{"value": ...}``, or ``{"refused": [...]}``, the texts that the refusal holds, or
            ``{"own": [...]}``, the numbers of the tool's orders that the reply names.
    """

    title: str
    target: str
    raw: str
    expect: Mapping[str, Any]


@frozen
class Outcome:
    """
    What came of a reply.

    Attributes:
        text: The instance as pretty JSON, or the lines of the refusal.
        accepted: Whether it was read.
        as_expected: Whether this is what the case says.
    """

    text: str
    accepted: bool
    as_expected: bool


def run_demo() -> int:
    """Print the demo; return 0 when every reply came out as expected, otherwise 1."""
    _print_declaration()
    tour, collected = list(iter_tour()), list(iter_cases())
    outcomes: list[Outcome] = []
    _print_title("Raw replies of a model, and what comes of each")
    for number, case in enumerate(tour, start=1):
        outcomes.append(read_case(case))
        _print_reply(f"{number}. {case.title}", case, outcomes[-1])
    _print_title("Further replies, into other classes")
    for case in collected:
        outcomes.append(read_case(case))
        _print_in_short(case, outcomes[-1])
    outcomes.append(_show_choice())
    return _print_verdict(outcomes)


def iter_tour() -> Iterator[Case]:
    """Yield the replies of the tour, each a file of its own, in the order of their index."""
    replies = files(str(__package__)) / "replies"
    for entry in json.loads((replies / "index.json").read_text("utf-8")):
        raw = (replies / entry["file"]).read_text("utf-8")
        yield Case(entry["title"], entry["target"], raw, entry["expect"])


def iter_cases() -> Iterator[Case]:
    """Yield the collected replies, one a line of their file."""
    for line in (files(str(__package__)) / "replies" / "cases.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        yield Case(entry["note"], entry["target"], entry["raw"], entry["expect"])


def read_case(case: Case) -> Outcome:
    """Read the reply of *case* and compare what came of it with what it says."""
    try:
        instance = parse_llm_response(case.raw, TARGETS[case.target])
    except (ExtractionError, MappingError) as error:
        text = "\n".join(refusal_lines(error))
        parts = case.expect.get("refused")
        return Outcome(text, accepted=False, as_expected=parts is not None and all(p in text for p in parts))
    same = "value" in case.expect and json.loads(write_compact(instance)) == case.expect["value"]
    return Outcome(write(instance), accepted=True, as_expected=same)


def choice_case() -> Case:
    """Return the reply that names orders which a tool returned, and the numbers of those orders."""
    raw = (files(str(__package__)) / "replies" / "delayed_orders.txt").read_text("utf-8")
    return Case("The right references beside wrong words", "DelayAnswer", raw, {"own": ["A-1007", "A-1015"]})


def read_choice(case: Case, orders: list[OrderRecord], registry: ArtifactRegistry) -> Outcome:
    """Read a reply that names *orders* of *registry*; as expected are those very objects and no others."""
    try:
        answer = ResponseContract(DelayAnswer).read(case.raw, registry)
    except ResponseRefused as refused:
        return Outcome("\n".join(refused.violations), accepted=False, as_expected=False)
    own = [order.number for order in answer.delayed if any(order is one for one in orders)]
    lines = [f"reply: {answer.reply}"]
    lines += [f"{order}: the tool's own order {order.number}" for order in answer.delayed]
    return Outcome("\n".join(lines), accepted=True, as_expected=own == case.expect["own"])


def _show_choice() -> Outcome:
    orders, registry = look_orders_up(), ArtifactRegistry()
    for order in orders:
        registry.register(order)
    _print_title("Records of a tool: the model chooses them and writes none")
    print(textwrap.indent(_source(RECORDS), "    "))
    print("\n    The model is shown the registry:\n")
    for line in registry.render().splitlines():
        print(f"    | {line}")
    print()
    case = choice_case()
    outcome = read_choice(case, orders, registry)
    _print_reply(case.title, case, outcome)
    return outcome


def _source(classes: Iterable[type[Any]]) -> str:
    return "\n\n".join(inspect.getsource(cls).rstrip() for cls in classes)


def _print_declaration() -> None:
    _print_title("A class, declared once")
    print(textwrap.indent(_source(TOUR), "    "))
    definition = describe(OrderAnswer)
    _print_title("What the model is told: the notation for prompts")
    print(textwrap.indent(definition.to_llm_schema(), "    "))
    _print_title("The same class as JSON Schema")
    print(textwrap.indent(definition.to_json_schema(), "    "))


def _print_title(text: str) -> None:
    print(f"\n{paint(text, 'bold', sys.stdout)}\n{'=' * len(text)}\n")


def _print_reply(title: str, case: Case, outcome: Outcome) -> None:
    print(f"{paint(title, 'bold', sys.stdout)}\n")
    for line in _shortened(case.raw.strip("\n").splitlines()):
        print(f"    | {line}".rstrip())
    print(f"\n    {_verdict(outcome)}")
    lines = outcome.text.splitlines()
    for line in _shortened(lines) if outcome.accepted else _wrapped(lines):
        print(f"      {line}")
    print()


def _print_in_short(case: Case, outcome: Outcome) -> None:
    result = json.dumps(json.loads(outcome.text), ensure_ascii=False) if outcome.accepted else outcome.text
    print(f"{paint(case.title, 'bold', sys.stdout)} ({case.target})")
    print(f"    | {_cut(case.raw.translate(_ESCAPES))}")
    print(f"    {_verdict(outcome)} {_cut(' '.join(result.splitlines()))}\n")


def _print_verdict(outcomes: list[Outcome]) -> int:
    accepted = sum(outcome.accepted for outcome in outcomes)
    otherwise = sum(not outcome.as_expected for outcome in outcomes)
    ending = f"{otherwise} OTHERWISE THAN EXPECTED" if otherwise else "each as expected"
    print(f"{len(outcomes)} replies: {accepted} accepted, {len(outcomes) - accepted} refused, {ending}.")
    return 1 if otherwise else 0


def _verdict(outcome: Outcome) -> str:
    word, style = ("accepted:", "green") if outcome.accepted else ("refused:", "red")
    return paint(word if outcome.as_expected else f"{word} (NOT AS EXPECTED)", style, sys.stdout)


def _shortened(lines: Iterable[str]) -> list[str]:
    kept = [_cut(line) for line in lines]
    if len(kept) <= MAX_LINES:
        return kept
    head, tail = SHOWN_LINES - SHOWN_LINES // 3, SHOWN_LINES // 3
    return [*kept[:head], f"... {len(kept) - SHOWN_LINES} more lines", *kept[-tail:]]


def _wrapped(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from textwrap.wrap(line, WIDTH_CHARS, subsequent_indent="  ")


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH_CHARS else f"{line[: WIDTH_CHARS - 3]}..."
