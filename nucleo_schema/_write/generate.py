"""
Generated writers: the quick way of one composite and mode as a function of its own.

What is generated for ``class Order: number: str; kind: Kind; lines: list[Line]; tags: list[str]; note: str |
None = None`` reads::

    def write_Order(obj, session):
        v0 = obj.number
        if type(v0) is not str:
            if v0 is None:
                return careful(obj, session)
            v0 = ready(v0, session)
        v1 = obj.kind
        if type(v1) is cls_Kind:
            v1 = v1._value_
        else:
            if v1 is None:
                return careful(obj, session)
            v1 = ready(v1, session)
        v2 = obj.lines
        if type(v2) is list:
            v2 = [write_Line(x, session) if type(x) is cls_Line else ready(x, session) for x in v2]
        else:
            ...
        v3 = obj.tags
        if type(v3) is list:
            for x in v3:
                if type(x) is not str:
                    v3 = ready(v3, session)
                    break
        else:
            ...
        v4 = obj.note
        if not (type(v4) is str or v4 is None):
            v4 = ready(v4, session)
        out = {"number": v0, "kind": v1, "lines": v2, "tags": v3}
        if v4 is not None:
            out["note"] = v4
        return out

A value stays what it is only where its exact class says that orjson writes it as we do: left to itself, it
writes a member of any enumeration as its value, and knows no hooks of a host's for a class of their own. What
fails the tests goes through ``ready``, which looks at the value's class. Whatever goes wrong is raised as it
comes: the careful way then writes the same instance and tells where it was.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from typing import Any

from .._declare.classes import ClassSpec
from .._read.generate import compiled
from .._wording import qualified_name
from .annotated import WriterTools
from .members import Member
from .modes import WriteMode
from .ways import Code, Way, are_texts, unless

__all__ = ["generate_writer"]


def generate_writer(
    spec: ClassSpec,
    members: tuple[Member, ...],
    mode: WriteMode,
    tools: WriterTools,
    careful: Callable[[Any, Any], Any],
) -> Callable[[Any, Any], Any]:
    """
    Return the quick writer of a composite.

    Args:
        spec: The composite.
        members: How its members are written.
        mode: In which mode.
        tools: What is called.
        careful: What writes an instance that has None where the class does not expect it.
    """
    name = "write_" + re.sub(r"\W", "_", spec.name, flags=re.ASCII)
    names = {
        **_names(tools),
        "careful": careful,
        name: None,
    }  # its own name is taken: a part may be called so
    code = Code(mode, tools, names)
    lines = [f"def {name}(obj, session):"]
    for index, member in enumerate(members):
        lines += _member_lines(f"v{index}", member, code)
    lines += _tail(members)
    write: Callable[[Any, Any], Any]
    write = compiled(name, lines, code.names, f"write {qualified_name(spec.cls)} {mode.name}")
    return write


def _names(tools: WriterTools) -> dict[str, Any]:
    return {
        **{kind.__name__: kind for kind in (type, str, int, bool, float, list, tuple, dict)},
        "ready": tools.ready,
        "summary": tools.summary,
        "pre_summarized": tools.pre_summarized,
        "are_texts": are_texts,
        "utc": dt.timezone.utc,
    }


def _member_lines(v: str, member: Member, code: Code) -> Iterator[str]:
    """Yield the lines that put the wire form of one member into ``v``."""
    spec = member.field
    yield f"    {v} = obj.{spec.name}"
    if member.threshold_chars is not None:
        yield f"    if isinstance({v}, str) and len({v}) > {member.threshold_chars}:"
        yield f"        {v} = summary(obj, {code.name(f'field_{spec.name}', spec)}, {v}, session)"
    ways: tuple[Way, ...] = ()
    written = f"ready({v}, session)"
    if member.by_node:
        written = f"pre_summarized(obj, {code.name(f'field_{spec.name}', spec)}, {v}, session)"
    elif member.by_form is not None:
        written = f"{code.name(f'written_{spec.name}', member.by_form)}({v}, session)"
    elif spec.form is not None and not member.hooked:
        ways = code.ways(spec.form, v)
    changed = [way for way in ways if way.wire != v]
    for index, way in enumerate(changed):
        yield f"    {'elif' if index else 'if'} {way.test}:"
        yield from [f"        {line}" for line in way.lines or [f"{v} = {way.wire}"]]
    yield from _remaining_lines(v, member, ways, written)


def _remaining_lines(v: str, member: Member, ways: tuple[Way, ...], written: str) -> Iterator[str]:
    """Yield the lines for the values that stay what they are and for all others."""
    tests = dict.fromkeys(way.test for way in ways if way.wire == v)
    if _may_be_none(member):
        tests[f"{v} is None"] = None
    is_first = all(way.wire == v for way in ways)
    indent = "        "
    if tests:
        yield f"    {'if' if is_first else 'elif'} {unless(' or '.join(tests))}:"
    elif not is_first:
        yield "    else:"
    else:
        indent = "    "
    if not _may_be_none(member):
        yield f"{indent}if {v} is None:"
        yield f"{indent}    return careful(obj, session)"
    yield f"{indent}{v} = {written}"


def _may_be_none(member: Member) -> bool:
    spec = member.field
    return spec.nullable or spec.default is None or spec.info.required is False


def _tail(members: tuple[Member, ...]) -> Iterator[str]:
    """Yield the lines that put the members together, without those that are None."""
    left_out = [_may_be_none(member) and not member.written_as_null for member in members]
    length = max((index + 1 for index, optional in enumerate(left_out) if not optional), default=0)
    names = [repr(member.field.wire_name) for member in members]
    literal = ", ".join(f"{name}: v{index}" for index, name in enumerate(names[:length]))
    yield f"    out = {{{literal}}}"
    for index, name in enumerate(names):
        if left_out[index] and index < length:
            yield f"    if v{index} is None:"
            yield f"        del out[{name}]"
        elif left_out[index]:
            yield f"    if v{index} is not None:"
            yield f"        out[{name}] = v{index}"
    yield "    return out"
