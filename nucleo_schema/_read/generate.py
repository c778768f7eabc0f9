"""
Generated readers: the quick way of one composite as a function of its own.

What is generated for ``class Order: number: str; lines: list[Line]; note: str | None = None`` reads::

    def read_Order(data, mode):
        if type(data) is not dict:
            if isinstance(data, cls):
                return data
            data = as_object(data)
        if mode.echoes:
            data = without_echo(data)
        get = data.get
        absent = 0
        v0 = get("number", ABSENT)
        if type(v0) is not str:
            if v0 is ABSENT:
                absent += 1
            elif v0 is None:
                v0 = null_0()
            else:
                v0 = read_0(v0, mode)
        v1 = get("lines", ABSENT)
        if type(v1) is list:
            v1 = [read_Line_1(x1, mode) for x1 in v1]
        elif v1 is ABSENT:
            ...
        v2 = get("note", ABSENT)
        ...
        if absent and (len(data) + absent != 3 or v0 is ABSENT or v1 is ABSENT):
            renamed = with_stand_ins(data)
            if renamed is not None:
                return read_Order(renamed, mode)
            if v0 is ABSENT or v1 is ABSENT:
                raise missing(data, (v0, v1, v2))
        return cls(v0, v1, v2)

The tests that the types settle are written out; a coercion is called only where they fail. Whatever goes
wrong is raised as it comes: the careful way then reads the same data again and finds all of it.
"""

from __future__ import annotations

import itertools
import linecache
import re
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from .._declare.classes import ABSENT
from .._declare.forms import (
    ArrayForm,
    EnumForm,
    Form,
    LiteralForm,
    NullableForm,
    ScalarForm,
)
from .._wording import qualified_name
from .choices import choice_reader
from .composites import OMITTED, CompositePlan, FieldPlan
from .reader import Read

__all__ = ["compiled", "generate_reader"]

_COUNTER = itertools.count()
#: Leaves that need no more than their type: what JSON gives for them is what the class holds.
_SETTLED = (str, bool)


def generate_reader(plan: CompositePlan, *, inline: Callable[[FieldPlan], bool]) -> Read:
    """
    Return the quick reader of a composite.

    Args:
        plan: How its members are read.
        inline: Whether a member's reading is ours, so that its type tests may be written out.
    """
    name = "read_" + re.sub(r"\W", "_", plan.spec.name)
    namespace: dict[str, Any] = {
        "ABSENT": ABSENT,
        "cls": plan.spec.cls,
        "as_object": plan.as_object,
        "without_echo": plan.without_echo,
        "with_stand_ins": plan.with_stand_ins,
        "missing": plan.missing,
        "construct": _constructor(plan),
    }
    lines = [f"def {name}(data, mode):", *_HEAD]
    for index, field in enumerate(plan.fields):
        lines += _field_lines(index, field, namespace, inline=inline(field), own_init=plan.own_init)
    lines += _tail(plan, name)
    read: Read = compiled(name, lines, namespace, f"read {qualified_name(plan.spec.cls)}")
    return read


_HEAD = (
    "    if type(data) is not dict:",
    "        if isinstance(data, cls):",
    "            return data",
    "        data = as_object(data)",
    "    if mode.echoes:",
    "        data = without_echo(data)",
    "    get = data.get",
    "    absent = 0",
)


def _constructor(plan: CompositePlan) -> Callable[..., Any]:
    names = [field.spec.name for field in plan.fields]

    def construct(*values: Any) -> Any:
        return plan.construct(dict(zip(names, values, strict=True)))

    return construct


def _field_lines(
    index: int, field: FieldPlan, namespace: dict[str, Any], *, inline: bool, own_init: bool
) -> Iterator[str]:
    """Yield the lines that read one member into ``v<index>``."""
    variable, read = f"v{index}", f"read_{index}"
    spec = field.spec
    default = OMITTED if own_init else _default_of(field)
    field.reader.bind(namespace, read)
    yield f"    {variable} = get({spec.wire_name!r}, ABSENT)"
    branch = "if"
    settled = _settled_test(variable, spec.form) if inline else None
    quick = _quick_value(index, spec.form, namespace) if inline else None
    indent = "    "
    if settled is not None:
        yield f"    if not ({settled}):"
        indent = "        "
    elif quick is not None:
        test, value = quick
        yield f"    if {test}:"
        yield f"        {variable} = {value}"
        branch = "elif"
    yield f"{indent}{branch} {variable} is ABSENT:"
    yield f"{indent}    absent += 1"
    yield from _default_lines(index, field, default, namespace, indent)
    yield f"{indent}elif {variable} is None:"
    yield f"{indent}    {_null_line(index, field, default, namespace)}"
    yield f"{indent}else:"
    yield f"{indent}    {variable} = {read}({variable}, mode)"
    if field.reader.blank:
        namespace[f"blank_{index}"] = _given(field.when_blank, default)
        yield f"{indent}    if {variable} is None:"
        yield f"{indent}        {variable} = blank_{index}()"


def _default_lines(
    index: int, field: FieldPlan, default: Any, namespace: dict[str, Any], indent: str
) -> Iterator[str]:
    """Yield what an absent member becomes; one that is needed stays ABSENT."""
    if field.spec.has_default or field.spec.argument is None:
        namespace[f"default_{index}"] = default
        yield f"{indent}    v{index} = default_{index}{'()' if isinstance(default, _Made) else ''}"
    elif not _is_needed(field):
        yield f"{indent}    v{index} = {field.when_absent()!r}"


def _is_needed(field: FieldPlan) -> bool:
    """Return whether an absent member is a problem."""
    spec = field.spec
    has_fallback = spec.has_default or spec.argument is None or spec.info.required is False
    return not (has_fallback or isinstance(spec.form, NullableForm))


@attrs.frozen
class _Made:
    """A default that is made anew each time."""

    factory: Callable[[], Any]

    def __call__(self) -> Any:
        return self.factory()


def _default_of(field: FieldPlan) -> Any:
    """Return what to pass for a default: attrs makes those of factories itself."""
    spec = field.spec
    if spec.argument is None or not spec.has_default:
        return OMITTED
    if spec.factory is None:
        return spec.default
    return attrs.NOTHING if isinstance(spec.attribute, attrs.Attribute) else _Made(spec.factory)


def _given(when: Callable[[], Any], default: Any) -> Callable[[], Any]:
    """Return *when* with the default itself in place of the mark that one is to be made."""

    def give() -> Any:
        value = when()
        if value is OMITTED:
            return default() if isinstance(default, _Made) else default
        return value

    return give


def _null_line(index: int, field: FieldPlan, default: Any, namespace: dict[str, Any]) -> str:
    if field.spec.nullable:
        return "pass"
    namespace[f"null_{index}"] = _given(field.when_null, default)
    return f"v{index} = null_{index}()"


def _settled_test(variable: str, form: Form | None) -> str | None:
    """Return the test that settles a value as it is, for forms that have one."""
    if isinstance(form, NullableForm):
        inner = _settled_test(variable, form.inner)
        return inner and f"{variable} is None or {inner}"
    if not isinstance(form, ScalarForm):
        return None
    if form.leaf.type in _SETTLED:
        return f"type({variable}) is {form.leaf.type.__name__}"
    if form.leaf.type is int:
        bounds = form.width
        within = f" and {bounds.minimum} <= {variable} <= {bounds.maximum}" if bounds else ""
        return f"type({variable}) is int{within}"
    return f"type({variable}) is float" if form.leaf.type is float else None


def _quick_value(index: int, form: Form | None, namespace: dict[str, Any]) -> tuple[str, str] | None:
    """Return a test and the expression for values that pass it, for forms that have a short one."""
    variable = f"v{index}"
    if isinstance(form, NullableForm):
        form = form.inner
    if isinstance(form, (EnumForm, LiteralForm)):
        namespace[f"exact_{index}"] = choice_reader(form)[1]
        return f"type({variable}) is str and {variable} in exact_{index}", f"exact_{index}[{variable}]"
    if isinstance(form, ArrayForm) and form.container is list and isinstance(form.item, ScalarForm):
        item = f"x{index}"
        test = _settled_test(item, form.item)
        if test is not None:
            return (
                f"type({variable}) is list",
                f"{variable} if all([{test} for {item} in {variable}]) else read_{index}({variable}, mode)",
            )
    return None


def _tail(plan: CompositePlan, name: str) -> Iterator[str]:
    """Yield the lines that settle absent members and make the instance."""
    variables = [f"v{index}" for index in range(len(plan.fields))]
    needed = [f"v{index} is ABSENT" for index, field in enumerate(plan.fields) if _is_needed(field)]
    tests = " or ".join([f"len(data) + absent != {len(variables)}", *needed])
    yield f"    if absent and ({tests}):"
    yield "        renamed = with_stand_ins(data)"
    yield "        if renamed is not None:"
    yield f"            return {name}(renamed, mode)"
    if needed:
        yield f"        if {' or '.join(needed)}:"
        yield f"            raise missing(data, ({''.join(f'{v}, ' for v in variables)}))"
    if plan.own_init or any(field.spec.argument is None for field in plan.fields):
        yield f"    return construct({', '.join(variables)})"
    else:
        yield f"    return cls({', '.join(_arguments(plan))})"


def _arguments(plan: CompositePlan) -> Iterator[str]:
    """Yield the constructor's arguments: by position up to the first that is off the wire."""
    positional = {field.name for field in _leading(plan)}
    for index, field in enumerate(plan.fields):
        if field.spec.name in positional:
            yield f"v{index}"
    for index, field in enumerate(plan.fields):
        if field.spec.name not in positional:
            yield f"{field.spec.argument}=v{index}"


def _leading(plan: CompositePlan) -> Iterator[Any]:
    on_wire = {field.spec.name for field in plan.fields}
    fields = attrs.fields(plan.spec.cls) if attrs.has(plan.spec.cls) else ()
    for attribute in fields:
        if attribute.kw_only or not attribute.init:
            continue
        if attribute.name not in on_wire:
            return
        yield attribute


def compiled(name: str, lines: list[str], namespace: dict[str, Any], title: str) -> Any:
    """Return the function *name* that *lines* define; its source shows in tracebacks and inspect."""
    source = "\n".join(lines) + "\n"
    filename = f"<nucleo_schema {title}>"
    if filename in linecache.cache:
        filename = f"<nucleo_schema {title} {next(_COUNTER)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), namespace)  # noqa: S102  see the module's description
    return namespace[name]
