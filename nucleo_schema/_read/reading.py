"""Reading with one converter: what the verbs share."""

from __future__ import annotations

from typing import Any

import cattrs
import orjson
from cattrs.errors import StructureHandlerNotFoundError

from .._declare.analysis import analyze
from .._declare.annotations import without_loose_notes
from .._declare.forms import (
    AnyForm,
    ArrayForm,
    CompositeForm,
    EnumForm,
    Form,
    MapForm,
    NullableForm,
    ScalarForm,
    TupleForm,
    UnionForm,
    UnsupportedAnnotationError,
)
from .._wording import cut, found, type_name
from ..errors import ExtractionError, MappingError, Problem, SchemaError
from .decoders import decode_strict
from .extract import ANY_KIND, find_answer
from .modes import PLAIN, NumberTextNeeded, ReadMode
from .reader import Reader
from .readers import StructureHook, reader_of
from .report import problems_of
from .syntax import Span, decode_whole

__all__ = ["REPLY", "read_answer", "read_json", "read_reply", "read_value"]

_JSON = ReadMode(loose=True, json_integers=True)
REPLY = ReadMode(echoes=True)


def read_reply(converter: cattrs.BaseConverter, raw: Any, target: Any, mode: ReadMode = REPLY) -> Any:
    """
    Return the answer in a model's reply as an instance of *target*.

    Raises:
        ExtractionError: If the reply holds no whole answer.
        MappingError: If the answer does not fit.
        SchemaError: If nothing can be read as *target*.
    """
    return read_answer(converter, raw, target, mode)[0]


def read_answer(
    converter: cattrs.BaseConverter, raw: Any, target: Any, mode: ReadMode = REPLY
) -> tuple[Any, Span]:
    """Return what ``read_reply`` does, and the span of the reply that was the answer."""
    reader = _reader(converter, target)
    if isinstance(raw, (bytes, bytearray)):
        raw = _reply_text(raw)
    if reader.kinds is None:
        reader.kinds = _kinds(target, entries=False)
    kinds = _kinds(target, entries=True) if mode.has_entries else reader.kinds
    span = find_answer(raw, kinds)
    return _read_span(reader, span, raw, target, mode), span


def _reply_text(raw: bytes | bytearray) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ExtractionError(f"the reply is not UTF-8: byte {error.start} cannot be decoded") from error


def read_json(converter: cattrs.BaseConverter, text: Any, target: Any) -> Any:
    """
    Return clean JSON text as an instance of *target*; what is nearly clean is repaired once.

    Raises:
        MappingError: If it is empty, is no JSON, or does not fit.
        SchemaError: If nothing can be read as *target*.
    """
    reader = _reader(converter, target)
    try:
        tree = orjson.loads(text)
    except (orjson.JSONDecodeError, TypeError):
        text = _json_text(text, target)
        return _read_span(reader, _whole_span(text, target), text, target, PLAIN)
    try:
        result = reader.quick(tree, _JSON)
        if result is not None or not reader.blank:
            return result
    except NumberTextNeeded:
        text = _json_text(text, target)
        return _read_tree(reader, _exact_span(text, target).value, target, PLAIN)
    except Exception:  # noqa: BLE001, S110  whatever it is, the careful way says it better
        pass
    try:
        return _read_tree(reader.careful_only(), tree, target, _JSON)
    except NumberTextNeeded:
        return _read_tree(reader, _exact_span(_json_text(text, target), target).value, target, PLAIN)


def read_value(converter: cattrs.BaseConverter, tree: Any, target: Any, mode: ReadMode = PLAIN) -> Any:
    """
    Return a tree of JSON values as an instance of *target*.

    Raises:
        MappingError: If it does not fit.
        SchemaError: If nothing can be read as *target*.
    """
    return _read_tree(_reader(converter, target), tree, target, mode)


def _reader(converter: cattrs.BaseConverter, target: Any) -> Reader:
    try:
        hook: Any = converter.get_structure_hook(target)
        if type(hook) is StructureHook and hook.annotation is target:
            return hook.reader
    except TypeError:  # it cannot be hashed
        target = without_loose_notes(target)
    except (StructureHandlerNotFoundError, RecursionError):
        pass  # the same again, below
    try:
        return reader_of(converter, target)
    except (StructureHandlerNotFoundError, TypeError, RecursionError) as error:
        expected = "a class or typing form that can be read"
        msg = f"target: found {type_name(target)}, expected {expected} ({_why(target, error)})"
        raise SchemaError(msg) from error


def _why(target: Any, error: Exception) -> str:
    """Return why nobody can read *target*, in words for whoever declared it."""
    is_own = isinstance(target, type) and target.__module__ != "builtins"
    if is_own and isinstance(error, StructureHandlerNotFoundError):
        return "decorate it with attrs.define, or register a hook for it"
    return cut(str(error), 300)


def _json_text(text: Any, target: Any) -> str:
    if isinstance(text, (bytes, bytearray, memoryview)):
        try:
            text = bytes(text).decode("utf-8")
        except UnicodeDecodeError as error:
            raise _unreadable(
                target, f"the text is not UTF-8: byte {error.start} cannot be decoded"
            ) from error
    if text is None or (isinstance(text, str) and not text.strip("\ufeff \t\r\n\v\f")):
        raise _unreadable(target, "JSON is empty or null")
    if not isinstance(text, str):
        raise _unreadable(target, f"found {found(text)}, expected JSON text")
    return text


def _unreadable(target: Any, message: str) -> MappingError:
    return MappingError(target, (Problem("", message),))


def _whole_span(text: str, target: Any) -> Span:
    decoded = decode_strict(text)
    if decoded is not None:
        return Span(0, len(text), "", decoded[0], loose=decoded[1])
    return _exact_span(text, target)


def _exact_span(text: str, target: Any) -> Span:
    span = decode_whole(text)
    fault = span if isinstance(span, str) else span.fault
    if isinstance(span, str) or fault:
        raise _unreadable(target, fault)
    return span


def _read_span(reader: Reader, span: Span, text: str, target: Any, mode: ReadMode) -> Any:
    """Read what was decoded; where a number's text matters and was lost, decode exactly and read again."""
    if span.fault:
        raise _unreadable(target, span.fault)
    if span.loose:
        try:
            loose = mode.loose_json if span.loose == "json" else mode.loose_lenient
            return _read_tree(reader, span.value, target, loose)
        except NumberTextNeeded:
            exact = _exact_span(text[span.start : span.end], target)
            return _read_tree(reader, exact.value, target, mode)
    return _read_tree(reader, span.value, target, mode)


def _read_tree(reader: Reader, tree: Any, target: Any, mode: ReadMode) -> Any:
    try:
        return reader.read(tree, mode)
    except SchemaError:
        raise
    except RecursionError:
        raise _unreadable(target, "nested too deeply to be read") from None
    except Exception as error:
        raise MappingError(target, problems_of(error)) from error


def _kinds(target: Any, *, entries: bool) -> frozenset[str]:
    """Return the opening brackets of what can fill *target*; with *entries* a map may be an array."""
    try:
        return _form_kinds(analyze(target), entries=entries) or ANY_KIND
    except UnsupportedAnnotationError:
        return ANY_KIND


def _form_kinds(form: Form, *, entries: bool) -> frozenset[str]:
    if isinstance(form, (CompositeForm, MapForm, EnumForm)):
        return ANY_KIND if entries and isinstance(form, MapForm) else frozenset("{")
    if isinstance(form, (ArrayForm, TupleForm)):
        return frozenset("[")
    if isinstance(form, NullableForm):
        return _form_kinds(form.inner, entries=entries)
    if isinstance(form, UnionForm):
        return frozenset().union(*(_form_kinds(member, entries=entries) for member in form.members))
    if isinstance(form, AnyForm) or (isinstance(form, ScalarForm) and not form.leaf.shipped):
        return ANY_KIND
    return frozenset()
