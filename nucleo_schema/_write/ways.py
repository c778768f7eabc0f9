"""The forms as code: for each the tests of usual values, and the expressions for their wire forms."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from .._declare.forms import (
    AnyForm,
    ArrayForm,
    CompositeForm,
    EnumForm,
    Form,
    LiteralForm,
    MapForm,
    NullableForm,
    ScalarForm,
    UnionForm,
)
from .annotated import WriterTools
from .leaves import find_leaf_writer
from .modes import WriteMode

__all__ = ["Code", "Way", "are_texts", "unless"]

#: What JSON has itself, by the tests for values that are written as they are.
_JSON_TESTS = {
    str: "type({0}) is str",
    int: "type({0}) is int",
    bool: "type({0}) is bool",
    float: "type({0}) is float and {0} - {0} == 0.0 or type({0}) is int",
    type(None): "{0} is None",
}
#: What orjson writes as we do, and on which condition.
_BY_ORJSON = {dt.date: "", uuid.UUID: "", dt.datetime: "{0}.tzinfo is None or {0}.tzinfo is utc"}


def are_texts(keys: Any) -> bool:
    """Return whether all *keys* are of the class str itself."""
    for key in keys:  # noqa: SIM110  all() with a generator takes twice as long
        if type(key) is not str:
            return False
    return True


@frozen
class Way:
    """
    How some values of a form are written.

    Attributes:
        test: The expression that tells whether a value is one of them.
        wire: The expression for the wire form: the value itself where it stays what it is.
        lines: What does the same in lines that leave alone what may stay.
    """

    test: str
    wire: str
    lines: tuple[str, ...] = ()


@frozen(eq=False)
class Code:
    """What the code of one writer is made for, and the names that it knows."""

    mode: WriteMode
    tools: WriterTools
    names: dict[str, Any]

    def name(self, text: str, value: Any) -> str:
        """Return the name for *value*, made of *text*, whose prefix keeps it apart from variables."""
        name = text = re.sub(r"\W", "_", text, flags=re.ASCII)
        number = 2
        while self.names.setdefault(name, value) is not value:
            name = f"{text}_{number}"
            number += 1
        return name

    def ways(self, form: Form, x: str) -> tuple[Way, ...]:
        """Return how the usual values ``x`` of a form are written; nothing where ``ready`` writes all."""
        ways = _WAYS.get(type(form))
        return () if ways is None else tuple(ways(self, form, x))

    def lines_for_items(self, ways: tuple[Way, ...], v: str, items: str, x: str) -> tuple[str, ...]:
        """Return the lines that see that ``v`` may stay what it is; none where some items may not."""
        if not (ways and self.mode.for_orjson and all(way.wire == x for way in ways)):
            return ()
        test = unless(" or ".join(way.test for way in ways))
        return (
            f"for {x} in {items}:",
            f"    if {test}:",
            f"        {v} = ready({v}, session)",
            "        break",
        )


def _wire(ways: tuple[Way, ...], x: str) -> str:
    """Return the expression for the wire form of any value ``x``."""
    return "".join(f"{way.wire} if {way.test} else " for way in ways) + f"ready({x}, session)"


def _scalar_ways(code: Code, form: Any, x: str) -> Iterator[Way]:
    kind = form.leaf.type
    if kind in _JSON_TESTS:
        yield Way(_JSON_TESTS[kind].format(x), x)
    elif form.leaf.shipped:
        test = f"type({x}) is {code.name(f'cls_{kind.__name__}', kind)}"
        by_orjson = _BY_ORJSON.get(kind) if code.mode.for_orjson else None
        if by_orjson == "":
            yield Way(test, x)
        else:
            wire = f"{code.name(f'wire_of_{kind.__name__}', find_leaf_writer(kind))}({x})"
            yield Way(test, f"({x} if {by_orjson.format(x)} else {wire})" if by_orjson else wire)


def _enum_ways(code: Code, form: Any, x: str) -> Iterator[Way]:
    members = list(form.cls)
    if all(type(m.value) is str and m.value is m._value_ for m in members):
        attribute = "_value_"  # what the property gives, many times faster
    elif all(not isinstance(m.value, str) and m.name is m._name_ for m in members):
        attribute = "_name_"
    else:
        return
    yield Way(f"type({x}) is {code.name(f'cls_{form.cls.__name__}', form.cls)}", f"{x}.{attribute}")


def _literal_ways(_code: Code, form: Any, x: str) -> Iterator[Way]:
    for kind in dict.fromkeys(map(type, form.values)):
        if kind in _JSON_TESTS:
            yield Way(_JSON_TESTS[kind].format(x), x)


def _any_ways(_code: Code, _form: Any, x: str) -> Iterator[Way]:
    yield Way(_JSON_TESTS[str].format(x), x)


def _composite_ways(code: Code, form: Any, x: str) -> Iterator[Way]:
    cls = form.cls
    if code.tools.host_hook(cls) is not None:  # for the class of a generic with arguments
        return
    writer_of = code.tools.writers_of(cls)

    def at_first(obj: Any, session: Any) -> Any:
        writer = code.names[name] = writer_of(cls, code.mode)
        return writer(obj, session)

    name = code.name(f"write_{cls.__name__}", at_first)
    yield Way(f"type({x}) is {code.name(f'cls_{cls.__name__}', cls)}", f"{name}({x}, session)")


def _array_ways(code: Code, form: Any, v: str) -> Iterator[Way]:
    if form.container is list or (form.container is tuple and code.tools.host_hook(tuple) is None):
        x = _inner(v)
        ways = code.ways(form.item, x)
        wire = f"[{_wire(ways, x)} for {x} in {v}]"
        yield Way(f"type({v}) is {form.container.__name__}", wire, code.lines_for_items(ways, v, v, x))


def _map_ways(code: Code, form: Any, v: str) -> Iterator[Way]:
    if form.container is dict and isinstance(form.key, ScalarForm) and form.key.leaf.type is str:
        x = _inner(v)
        ways = code.ways(form.value, x)
        wire = f"{{key: {_wire(ways, x)} for key, {x} in {v}.items()}}"
        lines = code.lines_for_items(ways, v, f"{v}.values()", x)
        yield Way(f"type({v}) is dict and are_texts({v})", wire, lines)


def _nullable_ways(code: Code, form: Any, x: str) -> Iterator[Way]:
    yield from code.ways(form.inner, x)
    yield Way(f"{x} is None", x)


def _union_ways(code: Code, form: Any, x: str) -> Iterator[Way]:
    for member in form.members:
        yield from code.ways(member, x)


_WAYS: dict[type[Any], Callable[[Code, Any, str], Iterator[Way]]] = {
    AnyForm: _any_ways,
    ScalarForm: _scalar_ways,
    EnumForm: _enum_ways,
    LiteralForm: _literal_ways,
    CompositeForm: _composite_ways,
    ArrayForm: _array_ways,
    MapForm: _map_ways,
    NullableForm: _nullable_ways,
    UnionForm: _union_ways,
}


def _inner(v: str) -> str:
    """Return the variable for what is inside the value of another one."""
    return "x" if v.startswith("v") else f"{v}x"


def unless(test: str) -> str:
    """Return the opposite of a test."""
    simple = re.fullmatch(r"(\S+) is (\w+)", test)
    return f"{simple[1]} is not {simple[2]}" if simple else f"not ({test})"
