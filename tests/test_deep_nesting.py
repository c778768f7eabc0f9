"""Nesting of 200 levels is read on every path, whatever stack the caller left; what is deeper is an error of ours."""

import contextvars
import json
import threading
from typing import Any, Optional, Union

import pytest
from attrs import define, field

from nucleo_schema import MappingError, make_converter, parse, parse_llm_response
from nucleo_schema._read import stack
from nucleo_schema._read.stack import TooDeepError, on_fresh_stack
from nucleo_schema.dialects import OPENAI_STRICT


@define
class Node:
    child: Optional["Node"] = None
    count: int = 0


@define
class TextOrNode:
    child: Optional[Union["TextOrNode", str]] = None
    count: int = 0


@define
class Left:
    child: Union["Left", "Right", None] = None
    left: int = 0


@define
class Right:
    child: Union["Left", "Right", None] = None
    right: int = 0


@define
class ListOrText:
    child: list[Union["ListOrText", str]] = field(factory=list)
    count: int = 0


@define
class MapOfUnions:
    child: dict[str, Union["MapOfUnions", str]] = field(factory=dict)
    count: int = 0


FORMS = {
    "a class": (Node, "count", lambda value: value),
    "a union with text": (TextOrNode, "count", lambda value: value),
    "a union of classes": (Left, "left", lambda value: value),
    "a list of unions": (ListOrText, "count", lambda value: [value]),
    "a map of unions": (MapOfUnions, "count", lambda value: {"key": value}),
}


def nested(levels, innermost, member, wrap):
    """Return an object in which objects stand *levels* deep, *innermost* at the bottom."""
    value = innermost
    per_class = 1 if wrap(None) is None else 2
    for _ in range(levels // per_class - 1):
        value = {"child": wrap(value), member: 1}
    return value


def under(frames, function):
    """Return what *function* returns when so many frames of a host are on the stack."""
    return function() if frames == 0 else under(frames - 1, function)


@pytest.mark.parametrize("frames", [0, 400, 700])
@pytest.mark.parametrize("form", FORMS)
def test_two_hundred_levels_are_read(form, frames):
    """In replies and in clean JSON, under few and under many frames of a host."""
    cls, member, wrap = FORMS[form]
    text = json.dumps(nested(200, {member: 7}, member, wrap))

    read = under(frames, lambda: parse_llm_response(text, cls))

    assert under(frames, lambda: parse(text, cls)) == read
    while read.child:
        child = read.child
        read = child[0] if isinstance(child, list) else child["key"] if isinstance(child, dict) else child
    assert getattr(read, member) == 7


@pytest.mark.parametrize("frames", [0, 400, 700])
@pytest.mark.parametrize("form", ["a class", "a union with text", "a list of unions", "a map of unions"])
def test_a_problem_two_hundred_levels_down_is_named_with_its_path(form, frames):
    """The careful way goes as deep as the quick one."""
    cls, member, wrap = FORMS[form]
    text = json.dumps(nested(200, {member: "many"}, member, wrap))

    with pytest.raises(MappingError) as raised:
        under(frames, lambda: parse_llm_response(text, cls))

    (problem,) = raised.value.problems
    assert problem.path.startswith("child")
    assert problem.path.endswith(f".{member}")
    assert problem.message == 'found string "many", expected integer'


@pytest.mark.parametrize("frames", [0, 400, 700, 800])
@pytest.mark.parametrize("form", FORMS)
def test_two_hundred_levels_are_read_in_a_dialect(form, frames):
    """A union is tried as it was asked for first, and the stack may run out in that."""
    cls, member, wrap = FORMS[form]
    text = json.dumps(nested(200, {member: 7}, member, wrap))

    read = under(frames, lambda: parse_llm_response(text, cls, dialect=OPENAI_STRICT))

    assert isinstance(read, cls)
    assert read == parse(text, cls)


def test_a_converter_structures_two_hundred_levels_of_unions():
    """The hooks of cattrs go as deep as the verbs."""
    value = nested(200, {"count": 7}, "count", lambda inner: inner)

    read = under(600, lambda: make_converter().structure(value, TextOrNode))

    assert isinstance(read, TextOrNode)


@pytest.mark.parametrize("form", ["a union with text", "a union of classes"])
def test_a_tree_that_contains_itself_is_refused(form):
    """In bounded time, with the error that Python has for it."""
    cls, _, _ = FORMS[form]
    value = {}
    value["child"] = value

    with pytest.raises(RecursionError):
        make_converter().structure(value, cls)


def test_a_hook_that_recurs_without_end_is_refused():
    """In bounded time, with the error that Python has for it."""

    @define
    class Odd:
        pass

    def recur(value, _):
        return recur(value, _)

    converter = make_converter()
    converter.register_structure_hook(Odd, recur)

    with pytest.raises(RecursionError):
        converter.structure({"it": {}}, Union[dict[str, Odd], list[Odd]])


def test_a_validator_that_runs_out_of_stack_is_no_refusal():
    """A value is not refused for the stack that its caller left."""
    depths = []

    def descend(frames):
        return frames and descend(frames - 1)

    def check(*_):
        depths.append(threading.current_thread())
        descend(800)

    @define
    class Checked:
        value: Any = field(validator=check)

    assert under(500, lambda: parse('{"value": 1}', Checked)) == Checked(1)
    assert len(set(depths)) == 2


def test_reading_goes_on_with_the_context_variables_of_its_caller():
    """A host's hook sees the same request, locale and decimal context."""
    variable = contextvars.ContextVar("variable")
    variable.set("here")

    assert on_fresh_stack(lambda *_: variable.get(), None, None) == "here"


def test_what_is_raised_on_a_fresh_stack_is_raised_to_the_caller():
    """Whatever it is."""

    def fail(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        on_fresh_stack(fail, None, None)


def test_so_many_threads_may_wait_for_one_another_and_no_more():
    """There is an end to every nesting."""
    names = []

    def again(value, mode):
        names.append(threading.current_thread().name)
        return on_fresh_stack(again, value, mode)

    with pytest.raises(TooDeepError):
        on_fresh_stack(again, None, None)
    assert len(set(names)) == len(names) == 4


def test_where_no_thread_can_be_started_the_value_is_refused(monkeypatch):
    """With an error of ours."""

    class NoThread(threading.Thread):
        def start(self):
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(stack.threading, "Thread", NoThread)
    text = json.dumps(nested(200, {"count": 7}, "count", lambda inner: inner))

    with pytest.raises(MappingError, match="nested too deeply"):
        parse(text, TextOrNode)
