"""Writing by annotation: for hooks that a host registered for a form and not for a class."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from .._declare.classes import FieldSpec
from .._declare.forms import ArrayForm, Form, MapForm, NullableForm, TupleForm, UnionForm
from .modes import WriteMode

__all__ = ["WriterTools", "form_writer", "iter_forms"]

_Write = Callable[[Any, Any], Any]
_SETS = (set, frozenset)
#: What JSON has itself is written without a look at the hooks for its class.
_JSON_CLASSES = (str, int, float, bool)


@frozen(eq=False, repr=False)
class WriterTools:
    """
    What generated writers call.

    Attributes:
        plain: Gives JSON data for any value, or an error that tells the path.
        ready: Gives what orjson or the caller is to have for any value, or any error at all.
        summary: Gives the summary of a long text.
        pre_summarized: Gives a tree with the summaries of its nodes.
        host_hook: Gives the hook that a host registered for an annotation; None where writing is ours.
        key: Gives the member name for a key of a map.
        stable: Puts the items of a set in a stable order.
        writers_of: Gives what makes the quick writers of a class whose hook is ours.
    """

    plain: _Write
    ready: _Write
    summary: Callable[[Any, FieldSpec, str, Any], str]
    pre_summarized: Callable[[Any, FieldSpec, Any, Any], Any]
    host_hook: Callable[[Any], Callable[[Any], Any] | None]
    key: Callable[[Any, Any], str]
    stable: Callable[[list[Any]], list[Any]]
    writers_of: Callable[[type[Any]], Callable[[type[Any], WriteMode], _Write]]


def iter_forms(form: Form) -> Iterator[Form]:
    """Yield *form* and all that it is made of, composites not entered."""
    yield form
    inner: tuple[Form, ...] = ()
    if isinstance(form, NullableForm):
        inner = (form.inner,)
    elif isinstance(form, ArrayForm):
        inner = (form.item,)
    elif isinstance(form, MapForm):
        inner = (form.key, form.value)
    elif isinstance(form, TupleForm):
        inner = form.items
    elif isinstance(form, UnionForm):
        inner = form.members
    for part in inner:
        yield from iter_forms(part)


def form_writer(form: Form, tools: WriterTools) -> _Write | None:
    """Return what writes values of *form*; None where no hook in it is for anything but a class."""
    if not any(_host_hook(part, tools) for part in iter_forms(form)):
        return None
    hook = _host_hook(form, tools)
    if hook is not None:
        own = hook
        return lambda value, session: tools.plain(own(value), session)
    if isinstance(form, NullableForm):
        inner = form_writer(form.inner, tools) or tools.plain
        return lambda value, session: None if value is None else inner(value, session)
    if isinstance(form, MapForm):
        return _map_writer(form, tools)
    if isinstance(form, TupleForm):
        places = [form_writer(item, tools) or tools.plain for item in form.items]
        return lambda value, session: [w(item, session) for w, item in zip(places, value, strict=True)]
    return _array_writer(form, tools) if isinstance(form, ArrayForm) else None


def _host_hook(form: Form, tools: WriterTools) -> Callable[[Any], Any] | None:
    """Return the host's hook for a form whose values do not lead to it: no class, or one that JSON has."""
    by_value = isinstance(form.annotation, type) and form.annotation not in _JSON_CLASSES
    return None if by_value else tools.host_hook(form.annotation)


def _map_writer(form: MapForm, tools: WriterTools) -> _Write:
    write_key = form_writer(form.key, tools) or tools.plain
    write_value = form_writer(form.value, tools) or tools.plain

    def write(value: Any, session: Any) -> Any:
        return {
            tools.key(write_key(key, session), session): write_value(item, session)
            for key, item in value.items()
        }

    return write


def _array_writer(form: ArrayForm, tools: WriterTools) -> _Write:
    write_item = form_writer(form.item, tools) or tools.plain
    ordered = tools.stable if form.container in _SETS else list

    def write(value: Any, session: Any) -> Any:
        return ordered([write_item(item, session) for item in value])

    return write
