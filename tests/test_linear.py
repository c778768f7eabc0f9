"""Scanning takes work in proportion to the text, whatever the text is."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, Optional, Union

import attrs
import pytest
from attrs import define, field

import nucleo_schema as ns

from .hostile_texts import FAMILIES


@define
class Tree:
    """A class that hostile nesting can go into."""

    a: Tree | None = None
    b: str = ""
    children: list[Tree] = field(factory=list)


#: The ways that read text; the scanner is one for all, so not every size is tried with each of them.
WAYS: dict[str, Callable[[str], Any]] = {
    "extract_json": ns.extract_json,
    "extract_json_with_prose": ns.extract_json_with_prose,
    "parse_llm_response untyped": lambda text: ns.parse_llm_response(text, Any),
    "parse_llm_response of an object": lambda text: ns.parse_llm_response(text, Tree),
    "parse_llm_response of a list": lambda text: ns.parse_llm_response(text, list[Tree]),
    "parse untyped": lambda text: ns.parse(text, Any),
    "parse of an object": lambda text: ns.parse(text, Tree),
    "read_tree": ns.read_tree,
}
LARGE = {"extract_json_with_prose", "parse_llm_response of an object", "parse untyped"}
COUNTED = ("extract_json", "parse_llm_response of an object", "parse of an object")

every_family = pytest.mark.parametrize("family", FAMILIES)


@contextlib.contextmanager
def given_up_after(seconds: int) -> Iterator[None]:
    """Fail where the body hangs: what takes a second in proportion to the text takes hours without end."""

    def give_up(_signal: int, _frame: Any) -> None:
        pytest.fail(f"it hangs: {seconds} seconds of processor time")

    if not hasattr(signal, "setitimer"):  # not on every system
        yield
        return
    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("way", WAYS)
@every_family
def test_a_hostile_text_ends_in_a_value_or_in_an_error_of_ours(family: str, way: str) -> None:
    """A large text is read or refused in our own words, and few of them."""
    text = FAMILIES[family](40_000 if way in LARGE else 4_000)
    try:
        with given_up_after(60):
            WAYS[way](text)
    except ns.NucleoError as error:
        message = str(error)
    else:
        message = ""
    assert len(message) < 5000


def refused_or_read(way: str, text: str) -> None:
    """Read *text*; its value or its refusal does not matter."""
    with contextlib.suppress(ns.NucleoError):
        WAYS[way](text)


def work_of(action: Callable[[], Any]) -> int:
    """Return how many lines of Python are executed and built-in functions called by *action*."""
    count = 0

    def count_line(_frame: Any, _event: str, _argument: Any) -> Any:
        nonlocal count
        count += 1
        return count_line

    def count_call(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "c_call"

    tracer, profiler = sys.gettrace(), sys.getprofile()
    sys.settrace(count_line)
    sys.setprofile(count_call)
    try:
        action()
    finally:
        sys.settrace(tracer)
        sys.setprofile(profiler)
    return count


@pytest.mark.parametrize("way", COUNTED)
@every_family
def test_ten_times_the_text_is_at_most_twelve_times_the_work(family: str, way: str) -> None:
    """Work grows no faster than the text; where a short text has a quicker way, it is bounded."""
    small, large = FAMILIES[family](300), FAMILIES[family](3_000)
    refused_or_read(way, small)  # hooks are built by the first reading

    few = work_of(lambda: refused_or_read(way, small))
    many = work_of(lambda: refused_or_read(way, large))

    assert many <= max(12 * few + 1_000, 250 * len(large))


@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ('{"a": ', "}"), ("{a: ", "}"), ("/**/[//\n", "]")]
)
def test_nesting_of_200_levels_is_read_on_every_path(opening: str, closing: str) -> None:
    """Two hundred levels are no hostile text."""
    core = "null" if "a" in opening else ""
    text = opening * 200 + core + closing * 200

    for read in (lambda: ns.parse_llm_response(f"So: {text}", Any), lambda: ns.parse(text, Any)):
        depth, value = 0, read()
        while value not in (None, []):
            depth, value = depth + 1, value["a"] if isinstance(value, dict) else value[0]
        assert depth == (200 if core else 199)


def test_a_recursive_class_is_read_200_levels_deep() -> None:
    """Typed nesting goes as deep as untyped, and is written again."""
    text = '{"a":' * 199 + "{}" + "}" * 199

    for read in (ns.parse, ns.parse_llm_response):
        tree = read(text, Tree)
        assert ns.parse(ns.write(tree), Tree) == tree
        depth, node = 1, tree
        while node.a is not None:
            depth, node = depth + 1, node.a
        assert depth == 200


def chain(form: str, length: int) -> Any:
    """Return the first of *length* classes, each of which holds the next one as *form* says."""
    cls: Any = attrs.make_class("Last", {"n": attrs.field(type=int)})
    other = attrs.make_class("Other", {"text": attrs.field(type=str)})
    for number in range(length):
        annotation = eval(form, {"X": cls, "Other": other, "Union": Union, "Optional": Optional})  # noqa: S307
        cls = attrs.make_class(f"Class{number}", {"inner": attrs.field(type=annotation)})
    return cls


@pytest.mark.parametrize(
    "form",
    [
        "X",
        "list[X]",
        "dict[str, X]",
        "tuple[X, int]",
        "Union[X, Other]",
        "Optional[X]",
        "dict[str, dict[str, X]]",
    ],
)
@pytest.mark.parametrize("render", [ns.llm_schema, ns.json_schema])
def test_describing_costs_what_it_prints(render: Callable[[Any], Any], form: str) -> None:
    """Twice the depth is twice the work, and not the square of it."""
    render(chain(form, 2))
    shallow, deep = chain(form, 4), chain(form, 8)

    few, many = work_of(lambda: render(shallow)), work_of(lambda: render(deep))

    assert many <= 3 * few
