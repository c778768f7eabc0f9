"""
Generated readers: the quick way of one composite as a function of its own.

What is generated for ``class Order: number: str; lines: list[Line]; note: str | None = None`` reads::

    def read_Order(data, mode):
        if type(data) is not dict:
            if isinstance(data, cls):
                return data
            data, mode = as_object(data, mode)
        if mode.echoes and (len(data) == 1 or "@fields" in data):
            data = without_echo(data)
        try:
            v0 = data["number"]
            v1 = data["lines"]
        except KeyError:
            return read_Order(completed(data), mode)
        get = data.get
        absent = 0
        if type(v0) is not str:
            if v0 is None:
                v0 = null_0()
            else:
                v0 = read_0(v0, mode)
        if type(v1) is list:
            v1 = [item_1(x, mode) for x in v1]
        elif v1 is None:
            ...
        v2 = get("note", ABSENT)
        ...
        if absent and len(data) + absent != 3:
            renamed = with_stand_ins(data)
            if renamed is not None:
                return read_Order(renamed, mode)
        instance = new(cls)
        instance.number = v0
        instance.lines = v1
        instance.note = v2
        return instance

That is all that the constructor of such a class does; one that does more is called. The tests that the types
settle are written out; a coercion is called only where they fail. Whatever goes wrong is raised as it comes:
the careful way then reads the same data again and finds all of it.
"""

from __future__ import annotations

import datetime as dt
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
from .reader import Read, Reader

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
    name = "read_" + re.sub(r"\W", "_", plan.spec.name, flags=re.ASCII)
    namespace: dict[str, Any] = {
        **{
            kind.__name__: kind for kind in (type, str, int, bool, float, list, dict)
        },  # found sooner than builtins
        "ABSENT": ABSENT,
        "cls": plan.spec.cls,
        "as_object": plan.as_object,
        "without_echo": plan.without_echo,
        "with_stand_ins": plan.with_stand_ins,
        "completed": plan.completed,
        "construct": _constructor(plan),
        "new": object.__new__,
        "init": plan.spec.cls.__init__,
    }
    lines = [f"def {name}(data, mode):", *_HEAD]
    if plan.closed:
        namespace["wire_names"], namespace["refuse_strangers"] = plan.wire_names, plan.refuse_strangers
        lines += ["    if not data.keys() <= wire_names:", "        refuse_strangers(data, mode)"]
    lines += _fetch_lines(plan, name)
    stores = _only_stores(plan)
    for index, field in enumerate(plan.fields):
        default = OMITTED if plan.own_init else _default_of(field, stores=stores)
        lines += _field_lines(index, field, namespace, default, inline=inline(field))
    lines += _settle_lines(plan, name)
    lines += _stored_lines(plan, namespace) if stores else _made_lines(plan)
    read: Read = compiled(name, lines, namespace, f"read {qualified_name(plan.spec.cls)}")
    return read


_HEAD = (
    "    if type(data) is not dict:",
    "        if isinstance(data, cls):",
    "            return data",
    "        data, mode = as_object(data, mode)",
    "    if mode.echoes and (len(data) == 1 or '@fields' in data):",
    "        data = without_echo(data)",
)


def _fetch_lines(plan: CompositePlan, name: str) -> Iterator[str]:
    """Yield the lines that fetch every member: those that are needed by subscript, in one try."""
    needed = [(index, field) for index, field in enumerate(plan.fields) if field.is_needed]
    if needed:
        yield "    try:"
        for index, field in needed:
            yield f"        v{index} = data[{field.spec.wire_name!r}]"
        yield "    except KeyError:"
        yield f"        return {name}(completed(data), mode)"
    if len(needed) < len(plan.fields):
        yield "    get = data.get"
        yield "    absent = 0"


def _constructor(plan: CompositePlan) -> Callable[..., Any]:
    names = [field.spec.name for field in plan.fields]

    def construct(*values: Any) -> Any:
        return plan.construct(dict(zip(names, values, strict=True)))

    return construct


def _field_lines(
    index: int, field: FieldPlan, namespace: dict[str, Any], default: Any, *, inline: bool
) -> Iterator[str]:
    """Yield the lines that read one member into ``v<index>``."""
    variable, read = f"v{index}", f"read_{index}"
    spec = field.spec
    field.reader.bind(namespace, read)
    needed = field.is_needed
    if not needed:
        yield f"    {variable} = get({spec.wire_name!r}, ABSENT)"
    branch = "if"
    indent = "    "
    settled = _settled_test(variable, spec.form) if inline else None
    if settled is not None:
        yield f"    {_unless(settled)}"
        indent = "        "
    elif inline:
        quick = list(_quick_lines(index, spec.form, namespace, field.reader))
        if quick:
            yield from quick
            branch = "elif"
    if not needed:
        yield f"{indent}{branch} {variable} is ABSENT:"
        yield f"{indent}    absent += 1"
        yield from _default_lines(index, field, default, namespace, indent)
        branch = "elif"
    yield f"{indent}{branch} {variable} is None:"
    yield f"{indent}    {_null_line(index, field, default, namespace)}"
    yield f"{indent}else:"
    yield f"{indent}    {variable} = {read}({variable}, mode)"
    if field.reader.blank:
        namespace[f"blank_{index}"] = _given(field.when_blank, default)
        yield f"{indent}    if {variable} is None:"
        yield f"{indent}        {variable} = blank_{index}()"


def _unless(test: str) -> str:
    simple = re.fullmatch(r"type\((\w+)\) is (\w+)", test)
    return f"if type({simple[1]}) is not {simple[2]}:" if simple else f"if not ({test}):"


def _default_lines(
    index: int, field: FieldPlan, default: Any, namespace: dict[str, Any], indent: str
) -> Iterator[str]:
    """Yield what an absent member becomes that is not needed."""
    if field.spec.has_default or field.spec.argument is None:
        namespace[f"default_{index}"] = default
        yield f"{indent}    v{index} = default_{index}{'()' if isinstance(default, _Made) else ''}"
    else:
        yield f"{indent}    v{index} = {field.when_absent()!r}"


@attrs.frozen
class _Made:
    """A default that is made anew each time."""

    factory: Callable[[], Any]

    def __call__(self) -> Any:
        return self.factory()


def _default_of(field: FieldPlan, *, stores: bool) -> Any:
    """Return what to pass, or to store, for a default: the constructors of attrs make those of factories."""
    spec = field.spec
    if spec.argument is None or not spec.has_default:
        return OMITTED
    if spec.factory is None:
        return spec.default
    is_made = stores or not isinstance(spec.attribute, attrs.Attribute)
    return _Made(spec.factory) if is_made else attrs.NOTHING


def _given(when: Callable[[], Any], default: Any) -> Callable[[], Any]:
    """Return *when* with the default itself in place of the mark that one is to be made."""

    def give() -> Any:
        value = when()
        if value is OMITTED:
            return default() if isinstance(default, _Made) else default
        return value

    return give


def _null_line(index: int, field: FieldPlan, default: Any, namespace: dict[str, Any]) -> str:
    if field.null_is_absent:
        namespace[f"absent_{index}"] = _given(field.when_absent, default)
        asked = "mode.has_texts and mode.dialect.all_required"
        return f"v{index} = absent_{index}() if {asked} else None"
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


def _quick_lines(index: int, form: Form | None, namespace: dict[str, Any], reader: Reader) -> Iterator[str]:
    """Yield an if and what it holds for values that need no call, for forms that have such values."""
    variable = f"v{index}"
    if isinstance(form, NullableForm):
        form = form.inner
    if isinstance(form, (EnumForm, LiteralForm)):
        namespace[f"exact_{index}"] = choice_reader(form)[1]
        yield f"    if type({variable}) is str:"
        yield "        try:"
        yield f"            {variable} = exact_{index}[{variable}]"
        yield "        except KeyError:"
        yield f"            {variable} = read_{index}({variable}, mode)"
    elif isinstance(form, ScalarForm) and form.leaf.type is dt.date:
        namespace["date_from_iso"] = dt.date.fromisoformat
        # Of ten characters the parser takes days alone, those of a week among them, and no weeks.
        yield f"    if type({variable}) is str and len({variable}) == 10:"
        yield "        try:"
        yield f"            {variable} = date_from_iso({variable})"
        yield "        except ValueError:"
        yield f"            {variable} = read_{index}({variable}, mode)"
    elif isinstance(form, ArrayForm) and form.container is list and isinstance(form.item, ScalarForm):
        test = _settled_test("x", form.item)
        if test is not None:
            yield f"    if type({variable}) is list:"
            yield f"        for x in {variable}:"
            yield f"            {_unless(test)}"
            yield f"                {variable} = read_{index}({variable}, mode)"
            yield "                break"
    elif reader.item is not None:
        reader.item.bind(namespace, f"item_{index}")
        yield f"    if type({variable}) is list:"
        yield f"        {variable} = [item_{index}(x, mode) for x in {variable}]"


def _settle_lines(plan: CompositePlan, name: str) -> Iterator[str]:
    """Yield the lines that look for what stands in for absent members."""
    variables = [f"v{index}" for index in range(len(plan.fields))]
    if not all(field.is_needed for field in plan.fields):
        yield f"    if absent and len(data) + absent != {len(variables)}:"
        yield "        renamed = with_stand_ins(data)"
        yield "        if renamed is not None:"
        yield f"            return {name}(renamed, mode)"


def _only_stores(plan: CompositePlan) -> bool:
    """
    Return whether the constructor is one that attrs made and that does nothing but store its arguments.

    What it refers to tells: hooks, converters, validators, a frozen class and a hash to keep all have names.
    """
    spec = plan.spec
    init: Any = spec.cls.__init__
    code = getattr(init, "__code__", None)
    if not (_is_made_plainly(spec.cls) and code and code.co_filename.startswith("<attrs generated")):
        return False
    if any(field.spec.argument is None for field in plan.fields):
        return False
    stored = {field.name for field in spec.declared}
    factories = {f"__attr_factory_{field.name}" for field in spec.declared if not field.takes_self}
    return stored <= {*code.co_names} <= {*stored, *factories, "NOTHING"}


def _stored_lines(plan: CompositePlan, namespace: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that do what the constructor does, without the call."""
    variables = {field.spec.name: f"v{index}" for index, field in enumerate(plan.fields)}
    yield "    instance = new(cls)"
    for spec in plan.spec.declared:
        value = variables.get(spec.name, f"hidden_{spec.name}")
        if spec.name not in variables:
            namespace[value] = spec.default if spec.factory is None else spec.factory
            value += "" if spec.factory is None else "()"
        yield f"    instance.{spec.name} = {value}"
    yield "    return instance"


def _made_lines(plan: CompositePlan) -> Iterator[str]:
    """Yield the lines that call the constructor."""
    variables = [f"v{index}" for index in range(len(plan.fields))]
    if plan.own_init or any(field.spec.argument is None for field in plan.fields):
        yield f"    return construct({', '.join(variables)})"
    elif _is_made_plainly(plan.spec.cls):
        yield "    instance = new(cls)"
        yield f"    init({', '.join(['instance', *_arguments(plan)])})"
        yield "    return instance"
    else:
        yield f"    return cls({', '.join(_arguments(plan))})"


def _is_made_plainly(cls: type[Any]) -> bool:
    """Return whether calling *cls* does no more than make an instance and call its constructor."""
    new: Any = cls.__new__
    return type(cls).__call__ is type.__call__ and new is object.__new__


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
