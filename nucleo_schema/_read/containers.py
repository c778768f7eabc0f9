"""Arrays, tuples and maps: their readers, and what may stand for one."""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping, Set as AbstractSet
from contextvars import ContextVar
from typing import Any

from .._declare.forms import ArrayForm, MapForm, TupleForm
from .._wording import counted, found, listed
from .mismatch import Mismatch, mismatch
from .modes import PLAIN, ReadMode
from .reader import Reader, filled, iterable_error, note_index
from .syntax import decode_whole

__all__ = [
    "DECODED",
    "ENTRIES",
    "array_reader",
    "as_array",
    "as_object",
    "decoded_text",
    "map_reader",
    "tuple_reader",
]

_ARRAY_TYPES = (list, tuple, AbstractSet, collections.deque)


#: The words for a map where a dialect has it so.
ENTRIES = "array of entries, each with a key and a value"
#: What texts encoded twice hold, while a union tries its members: each is decoded once.
DECODED: ContextVar[dict[str, Any] | None] = ContextVar("nucleo_schema_decoded", default=None)


def as_object(value: Any, expected: str, mode: ReadMode) -> tuple[dict[str, Any], ReadMode]:
    """
    Return *value* as a dict, with the mode to read it in.

    A mapping stands for one, and text that is exactly the JSON of an object.

    Raises:
        Mismatch: If it is anything else.
    """
    if isinstance(value, Mapping):
        return dict(value), mode
    if isinstance(value, str) and not mode.asked:
        decoded = decoded_text(value, "{")
        if isinstance(decoded, dict):
            return decoded, mode.exact
    raise mismatch(value, expected)


def as_array(value: Any, expected: str, mode: ReadMode) -> tuple[list[Any], ReadMode]:
    """
    Return *value* as a list, with the mode to read it in.

    A collection stands for one, and text that is exactly the JSON of an array.

    Raises:
        Mismatch: If it is anything else.
    """
    if isinstance(value, _ARRAY_TYPES):
        return list(value), mode
    if isinstance(value, str) and not mode.asked:
        decoded = decoded_text(value, "[")
        if isinstance(decoded, list):
            return decoded, mode.exact
    raise mismatch(value, expected)


def decoded_text(text: str, opener: str) -> Any:
    """Return what a text encoded twice holds, when it begins with *opener*; None when it does not."""
    if text.lstrip()[:1] != opener:
        return None
    known = DECODED.get()
    if known is not None and text in known:
        return known[text]
    span = decode_whole(text)
    value = None if isinstance(span, str) or span.fault else span.value
    if known is not None:
        known[text] = value
    return value


def array_reader(form: ArrayForm, item: Reader) -> Reader:
    """Return the reader of any number of items."""
    container, annotation = form.container, form.annotation
    plain = container is list

    def quick(value: Any, mode: ReadMode) -> Any:
        if type(value) is not list:
            value, mode = as_array(value, "array", mode)
        read = item.quick
        if item.blank:
            items = [filled(item, read(element, mode), element) for element in value]
        else:
            items = [read(element, mode) for element in value]
        return items if plain else _collected(container, items)

    def careful(value: Any, mode: ReadMode) -> Any:
        read = item.careful
        items, errors = [], []
        elements, mode = as_array(value, "array", mode)
        for index, element in enumerate(elements):
            try:
                result = read(element, mode)
                items.append(filled(item, result, element))
            except Exception as error:  # noqa: BLE001, PERF203  a host's hook may raise anything
                errors.append(note_index(error, annotation, index, form.item.annotation))
        _raise_all(errors, annotation)
        return items if plain else _collected(container, items)

    return Reader(quick, careful, item=item if plain and not item.blank else None)


def _collected(container: Callable[[list[Any]], Any], items: list[Any]) -> Any:
    try:
        return container(items)
    except TypeError:
        msg = f"found {found(items)}, expected items that can stand in a set: they must be hashable"
        raise Mismatch(msg) from None


def _raise_all(errors: list[Exception], annotation: Any) -> None:
    if errors:
        raise iterable_error(annotation, errors)


def tuple_reader(form: TupleForm, items: list[Reader]) -> Reader:
    """Return the reader of as many items as there are places."""
    annotation = form.annotation

    expected = f"array of {counted(len(items), 'item')}"

    def places(value: Any, mode: ReadMode) -> tuple[list[Any], ReadMode]:
        elements, mode = as_array(value, expected, mode)
        if len(elements) != len(items):
            raise mismatch(value, expected)
        return elements, mode

    def quick(value: Any, mode: ReadMode) -> Any:
        elements, mode = places(value, mode)
        pairs = zip(items, elements, strict=True)
        return tuple([filled(item, item.quick(element, mode), element) for item, element in pairs])

    def careful(value: Any, mode: ReadMode) -> Any:
        results, errors = [], []
        elements, mode = places(value, mode)
        for index, (item, element) in enumerate(zip(items, elements, strict=True)):
            try:
                results.append(filled(item, item.careful(element, mode), element))
            except Exception as error:  # noqa: BLE001, PERF203
                errors.append(note_index(error, annotation, index, form.items[index].annotation))
        _raise_all(errors, annotation)
        return tuple(results)

    return Reader(quick, careful)


def map_reader(form: MapForm, key: Reader, value: Reader, *, plain_keys: bool) -> Reader:
    """Return the reader of a map; with *plain_keys* the member names are the keys."""
    entries = _Map(form, key, value, plain_keys=plain_keys)
    return Reader(entries.quick, entries.careful)


class _Map:
    def __init__(self, form: MapForm, key: Reader, value: Reader, *, plain_keys: bool) -> None:
        self.form = form
        self.key = key
        self.value = value
        self.plain_keys = plain_keys

    def quick(self, given: Any, mode: ReadMode) -> Any:
        """Return the map, or raise at the first thing that is wrong."""
        if mode.dialect is not None and mode.has_entries:
            given, mode = self._of_entries(given, mode)
        if type(given) is not dict:
            given, mode = as_object(given, "object", mode)
        read = self.value.quick
        if self.plain_keys and not self.value.blank:
            result = {_text_key(name): read(element, mode) for name, element in given.items()}
        else:
            result = {
                self._read_key(name, mode): filled(self.value, read(element, mode), element)
                for name, element in given.items()
            }
        return self._wrapped(result, given)

    def careful(self, given: Any, mode: ReadMode) -> Any:
        """Return the map, or raise everything that is wrong."""
        result: dict[Any, Any] = {}
        errors: list[Exception] = []
        are_entries = False
        if mode.has_entries:
            members, mode = self._of_entries(given, mode)
            are_entries, given = not isinstance(given, Mapping), members
        given, mode = as_object(given, "object", mode)
        for index, (name, element) in enumerate(given.items()):
            part = "key"
            try:
                key = self._read_key(name, mode)
                part = "value"
                result[key] = filled(self.value, self.value.careful(element, mode), element)
            except Exception as error:  # noqa: BLE001
                fault = self._noted(error, part, index) if are_entries else self._noted(error, name)
                errors.append(fault)
        _raise_all(errors, self.form.annotation)
        return self._wrapped(result, given)

    def _noted(self, error: Exception, *steps: Any) -> Exception:
        """Return *error* with the steps that lead to it from this map, the last one first."""
        inner = note_index(error, self.form.annotation, steps[0], self.form.value.annotation)
        for step in steps[1:]:
            group = iterable_error(self.form.annotation, [inner])
            inner = note_index(group, self.form.annotation, step, self.form.value.annotation)
        return inner

    def _of_entries(self, given: Any, mode: ReadMode) -> tuple[dict[Any, Any], ReadMode]:
        """Return the object that a dialect has written as an array of entries, and the mode for it."""
        if isinstance(given, str) and not mode.asked:
            texts = (decoded_text(given, opener) for opener in "[{")
            value = next((value for value in texts if value is not None), None)
            given, mode = (given, mode) if value is None else (value, mode.exact)
        if isinstance(given, Mapping) and given.keys() != _ENTRY and not mode.asked:
            return dict(given), mode  # the model kept to the object that the map is
        if not isinstance(given, _ARRAY_TYPES):
            is_entry = isinstance(given, Mapping) and given.keys() == _ENTRY
            msg = f"found {'one entry' if is_entry else found(given)}, expected {ENTRIES}"
            raise Mismatch(msg)
        members: dict[Any, Any] = {}
        errors: list[Exception] = []
        for index, element in enumerate(given):
            try:
                name, value = _entry(element, members)
                members[name] = value
            except Mismatch as error:  # noqa: PERF203
                errors.append(note_index(error, self.form.annotation, index, self.form.annotation))
        _raise_all(errors, self.form.annotation)
        return members, mode

    def _read_key(self, name: Any, mode: ReadMode) -> Any:
        return _text_key(name) if self.plain_keys else filled(self.key, self.key.careful(name, mode), name)

    def _wrapped(self, result: dict[Any, Any], given: Mapping[Any, Any]) -> Any:
        if len(result) != len(given):
            msg = f"found {found(given)} of which several read as the same key, expected different keys"
            raise Mismatch(msg)
        return result if self.form.container is dict else self.form.container(result)


_ENTRY = {"key", "value"}


def _entry(element: Any, members: Mapping[Any, Any]) -> tuple[Any, Any]:
    """Return the name and the value of one more member, written as an entry."""
    entry, _ = as_object(element, "entry with a key and a value", PLAIN)
    if entry.keys() != _ENTRY:
        strangers = listed(name for name in entry if name not in _ENTRY)
        is_whole = entry.keys() > _ENTRY
        what = f"an entry with {strangers} besides" if is_whole else found(element)
        msg = f"found {what}, expected entry with a key and a value"
        raise Mismatch(msg)
    if not isinstance(entry["key"], (str, int, float)):
        raise mismatch(entry["key"], "a key")
    if entry["key"] in members:
        msg = f"found the key {found(entry['key'])} once more, expected different keys"
        raise Mismatch(msg)
    return entry["key"], entry["value"]


def _text_key(name: Any) -> str:
    if isinstance(name, str):
        return name
    raise mismatch(name, "a member name")
