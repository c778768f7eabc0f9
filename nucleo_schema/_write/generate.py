"""
Generated writers: one function per composite and mode that gives an instance's members.

What is generated for ``class Order: number: str; lines: list[Line]; note: str | None = None`` reads::

    def write_Order(obj, session):
        out = {}
        v = obj.number
        if v is not None:
            out["number"] = v if type(v) is str else plain_member(v, session, "number")
        v = obj.lines
        if v is not None:
            out["lines"] = v
        v = obj.note
        if v is not None:
            out["note"] = v if type(v) is str else plain_member(v, session, "note")
        return out

Members that orjson writes as we would are handed over as they are, nested instances among them: orjson
asks for each one's members in turn, by its own class. The others go through ``plain_member``, which gives
JSON data for any value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from .._declare.classes import ClassSpec, FieldSpec
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
    TupleForm,
    UnionForm,
)
from .._read.generate import compiled
from .._wording import qualified_name
from .annotated import WriterTools, form_writer, iter_forms
from .modes import WriteMode

__all__ = ["generate_writer"]

_TESTED = {str: "type(v) is str", int: "type(v) is int", bool: "type(v) is bool"}
#: orjson writes these as we do, whatever the value.
_NATIVE = frozenset(("string", "integer", "long", "boolean", "null", "date", "uuid"))


def generate_writer(
    spec: ClassSpec, mode: WriteMode, tools: WriterTools
) -> Callable[[Any, Any], dict[str, Any]]:
    """Return the function that gives the members of an instance, as orjson is to write them."""
    name = "write_" + re.sub(r"\W", "_", spec.name)
    namespace: dict[str, Any] = {
        "plain_member": tools.plain_member,
        "summary": tools.summary,
        "pre_summarized": tools.pre_summarized,
    }
    lines = [f"def {name}(obj, session):", "    out = {}"]
    for index, field in enumerate(spec.fields):
        if not (mode.skip_context_ignored and field.info.context_ignore):
            lines += _field_lines(index, field, spec, mode, tools, namespace)
    lines.append("    return out")
    write: Callable[[Any, Any], dict[str, Any]]
    write = compiled(name, lines, namespace, f"write {qualified_name(spec.cls)} {mode.name}")
    return write


def _field_lines(  # noqa: PLR0913, PLR0917  internal: what one generated field depends on
    index: int,
    field: FieldSpec,
    spec: ClassSpec,
    mode: WriteMode,
    tools: WriterTools,
    namespace: dict[str, Any],
) -> Iterator[str]:
    member = f"out[{field.wire_name!r}]"
    yield f"    v = obj.{field.name}"
    yield "    if v is not None:"
    expression = _expression(index, field, tools, namespace)
    note = field.info.summarizable if mode.summarize else None
    if note is not None and note.pre_summarized and spec.is_artifact:
        namespace[f"field_{index}"] = field
        expression = f"pre_summarized(obj, field_{index}, v, session)"
    elif note is not None and not note.pre_summarized:
        namespace[f"field_{index}"] = field
        yield f"        if isinstance(v, str) and len(v) > {note.threshold}:"
        yield f"            v = summary(obj, field_{index}, v, session)"
    yield f"        {member} = {expression}"
    if _absence_differs(field):
        yield "    else:"
        yield f"        {member} = None"


def _absence_differs(field: FieldSpec) -> bool:
    """Return whether reading an absent member would give something other than None."""
    if not field.nullable:
        return False
    if field.has_default:
        return field.factory is not None or field.default is not None
    return not isinstance(field.form, NullableForm) and field.annotation is not type(None)


def _expression(index: int, field: FieldSpec, tools: WriterTools, namespace: dict[str, Any]) -> str:
    """Return the expression for the value ``v`` of a field."""
    plain = f"plain_member(v, session, {field.wire_name!r})"
    by_form = None if field.form is None else form_writer(field.form, tools)
    if by_form is not None:
        namespace[f"write_{index}"] = by_form
        return f"write_{index}(v, session)"
    form = field.form.inner if isinstance(field.form, NullableForm) else field.form
    if form is None or any(tools.host_hook(part.annotation) is not None for part in iter_forms(form)):
        return plain
    if isinstance(form, ScalarForm) and form.leaf.type in _TESTED:
        return f"v if {_TESTED[form.leaf.type]} else {plain}"
    if isinstance(form, ScalarForm) and form.leaf.type is float:
        return f"v if type(v) is float and v - v == 0.0 else {plain}"
    if isinstance(form, AnyForm):
        return f"v if type(v) is str else {plain}"
    return "v" if _is_native(form) else plain


def _is_native(form: Form) -> bool:
    """Return whether orjson writes every value of *form* as we do, asking us only for instances."""
    test = _NATIVE_TESTS.get(type(form))
    return test is not None and test(form)


def _all_parts_native(form: Form) -> bool:
    return all(_is_native(part) for part in iter_forms(form) if part is not form)


def _is_native_map(form: MapForm) -> bool:
    return isinstance(form.key, ScalarForm) and form.key.leaf.type is str and _is_native(form.value)


_NATIVE_TESTS: dict[type[Any], Callable[[Any], bool]] = {
    ScalarForm: lambda form: form.leaf.label in _NATIVE and form.leaf.shipped,
    EnumForm: lambda form: all(type(member.value) is str for member in form.cls),
    LiteralForm: lambda form: all(type(value) in (str, int, bool) for value in form.values),
    ArrayForm: lambda form: form.container in (list, tuple) and _is_native(form.item),
    MapForm: _is_native_map,
    NullableForm: _all_parts_native,
    TupleForm: _all_parts_native,
    UnionForm: _all_parts_native,
    CompositeForm: lambda _form: True,
}
