"""Analysis: from an annotation to its form, the closed set that everything else works on."""

from __future__ import annotations

import collections
import collections.abc
import enum
import functools
import types
import typing
from collections.abc import Callable, Hashable, Iterable
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import attrs

from .annotations import joined, substitute
from .forms import (
    AnyForm,
    ArrayForm,
    CompositeForm,
    EnumForm,
    Form,
    LiteralForm,
    MalformedAnnotationError,
    MapForm,
    NullableForm,
    ScalarForm,
    TupleForm,
    UnionForm,
    UnsupportedAnnotationError,
    composite_class,
    enum_wire_form,
)
from .leaves import find_leaf
from .metadata import Width

__all__ = ["analyze"]

_ARRAYS: dict[Any, type[Any]] = {
    list: list,
    set: set,
    frozenset: frozenset,
    collections.deque: collections.deque,
    collections.abc.Sequence: list,
    collections.abc.MutableSequence: list,
    collections.abc.Collection: list,
    collections.abc.Iterable: list,
    collections.abc.Set: frozenset,
    collections.abc.MutableSet: set,
}
_MAPS: dict[Any, type[Any]] = {
    dict: dict,
    collections.OrderedDict: collections.OrderedDict,
    collections.abc.Mapping: dict,
    collections.abc.MutableMapping: dict,
}
_SCALAR_LITERALS = (str, int, bool)
_NONE = type(None)
#: typing.TypeAliasType where it exists, and the backport that typing_extensions defines.
_ALIAS_TYPE_NAME = "TypeAliasType"


def analyze(annotation: Any, _aliases: tuple[Any, ...] = ()) -> Form:
    """
    Return the form of *annotation*, whose forward references are resolved.

    Composites are named, not entered.

    Raises:
        UnsupportedAnnotationError: If it has no JSON form.
    """
    if annotation is Any or annotation is object or isinstance(annotation, TypeVar):
        return AnyForm(annotation)
    if not isinstance(annotation, Hashable) or isinstance(annotation, (list, dict, str)):
        msg = "expected a type"
        raise UnsupportedAnnotationError(msg)
    for unwrap in _UNWRAPPERS:
        inner = unwrap(annotation)
        if inner is not None:
            return _unwrapped(annotation, inner, _aliases)
    origin, args = get_origin(annotation), get_args(annotation)
    special = _SPECIAL.get(origin) if origin is not None else None
    if special is not None:
        return special(annotation, args, _aliases)
    cls = composite_class(annotation)
    if cls is not None:
        return CompositeForm(cls if all(arg is Any for arg in args) else annotation, cls)
    return _container(annotation, origin or annotation, args, _aliases) or _plain_class(annotation)


def _new_type(annotation: Any) -> Any:
    return getattr(annotation, "__supertype__", None)


def _final(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is typing.Final else None


def _type_alias(annotation: Any) -> Any:
    """Return what a PEP 695 alias stands for, with its parameters bound."""
    alias = get_origin(annotation) or annotation
    if type(alias).__name__ != _ALIAS_TYPE_NAME:
        return None
    bindings = dict(zip(alias.__type_params__, get_args(annotation), strict=False))
    return substitute(alias.__value__, bindings)


_UNWRAPPERS = (_new_type, _final, _type_alias)


def _unwrapped(annotation: Any, inner: Any, aliases: tuple[Any, ...]) -> Form:
    if any(annotation == seen for seen in aliases):
        msg = "an alias that contains itself has no finite JSON form; declare a class"
        raise UnsupportedAnnotationError(msg)
    return _renamed(analyze(inner, (*aliases, annotation)), annotation)


def _renamed(form: Form, annotation: Any) -> Form:
    """Return *form* under the annotation that stands for it; a composite keeps that of its class."""
    return form if isinstance(form, CompositeForm) else attrs.evolve(form, annotation=annotation)


def _annotated(annotation: Any, args: tuple[Any, ...], aliases: tuple[Any, ...]) -> Form:
    form = analyze(args[0], aliases)
    widths = [note for note in args[1:] if isinstance(note, Width)]
    if widths and isinstance(form, ScalarForm) and form.leaf.type is int:
        return ScalarForm(annotation, form.leaf, widths[-1])
    return _renamed(form, annotation)


def _literal(annotation: Any, args: tuple[Any, ...], _aliases: tuple[Any, ...]) -> Form:
    values = tuple(value for value in args if value is not None)
    for value in values:
        if not isinstance(value, (*_SCALAR_LITERALS, enum.Enum)):
            msg = f"the literal {type(value).__name__} has no JSON form"
            raise UnsupportedAnnotationError(msg)
    if not values:
        return _leaf_form(_NONE, annotation)
    _refuse_shared_wire_forms(values)
    form = LiteralForm(annotation, values)
    if len(values) == len(args):
        return form
    return NullableForm(annotation, LiteralForm(Literal[values], values))


def _union(annotation: Any, args: tuple[Any, ...], aliases: tuple[Any, ...]) -> Form:
    forms = [analyze(arg, aliases) for arg in args if arg is not _NONE]
    nullable = len(forms) < len(args)
    members: list[Form] = []
    for form in forms:  # an alias may stand for a union of its own
        inner = form.inner if isinstance(form, NullableForm) else form
        nullable = nullable or inner is not form
        members += inner.members if isinstance(inner, UnionForm) else (inner,)
    members = list({_identity(member): member for member in reversed(members)}.values())[::-1]
    without_none = functools.reduce(joined, (member.annotation for member in members))
    any_member = next((member for member in members if isinstance(member, AnyForm)), None)
    inner = any_member or (members[0] if len(members) == 1 else UnionForm(without_none, tuple(members)))
    if nullable:
        return NullableForm(annotation, inner)
    return _renamed(inner, annotation)


def _identity(form: Form) -> Any:
    """Return what two members of a union share when they are one, spelled in two ways."""
    if isinstance(form, ScalarForm):
        return form.leaf.type, form.width
    return form.cls if isinstance(form, EnumForm) else form.annotation


_SPECIAL: dict[Any, Callable[[Any, tuple[Any, ...], tuple[Any, ...]], Form]] = {
    Annotated: _annotated,
    Literal: _literal,
    Union: _union,
    types.UnionType: _union,
}


def _container(annotation: Any, origin: Any, args: tuple[Any, ...], aliases: tuple[Any, ...]) -> Form | None:
    origin = _BARE_ALIASES.get(origin, origin)
    array, mapping = _ARRAYS.get(origin), _MAPS.get(origin)
    expected = 2 if mapping is not None else 1 if array is not None else len(args)
    if args and len(args) != expected:
        msg = f"found {len(args)} types inside, expected {expected}"
        raise MalformedAnnotationError(msg)
    if array is not None:
        return ArrayForm(annotation, analyze(args[0] if args else Any, aliases), array)
    if mapping is not None:
        key, value = args or (str, Any)
        return MapForm(annotation, _key_form(key, aliases), analyze(value, aliases), mapping)
    if origin is tuple:
        if args[1:] == (Ellipsis,) or (not args and annotation in _BARE_TUPLES):
            return ArrayForm(annotation, analyze(args[0] if args else Any, aliases), tuple)
        args = () if args == ((),) else args
        return TupleForm(annotation, tuple(analyze(arg, aliases) for arg in args))
    return None


_BARE_NAMES = (
    *("List", "Set", "FrozenSet", "Deque", "Sequence", "MutableSequence", "Collection", "Iterable"),
    *("AbstractSet", "MutableSet", "Dict", "OrderedDict", "Mapping", "MutableMapping", "Tuple"),
)
#: ``typing.List`` and its like without arguments, whose origin is the container.
_BARE_ALIASES: dict[Any, Any] = {
    getattr(typing, name): get_origin(getattr(typing, name)) for name in _BARE_NAMES
}
_BARE_TUPLES = (tuple, *(alias for alias, origin in _BARE_ALIASES.items() if origin is tuple))


def _key_form(key: Any, aliases: tuple[Any, ...]) -> Form:
    form = analyze(key, aliases)
    if isinstance(form, (ScalarForm, EnumForm, LiteralForm, AnyForm)):
        return form
    msg = "a key must be text, a number, a boolean, a date or an enumeration"
    raise UnsupportedAnnotationError(msg)


def _plain_class(annotation: Any) -> Form:
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        if issubclass(annotation, enum.Flag):
            msg = "flags have no single wire form; declare a list of an enumeration"
            raise UnsupportedAnnotationError(msg)
        if not len(annotation):
            msg = "the enumeration has no members"
            raise UnsupportedAnnotationError(msg)
        _refuse_shared_wire_forms(list(annotation))
        return EnumForm(annotation, annotation)
    return _leaf_form(_NONE if annotation is None else annotation, annotation)


def _refuse_shared_wire_forms(values: Iterable[Any]) -> None:
    """Refuse two choices that travel as one text: what is written would not read back equal."""
    seen: dict[tuple[type[Any], Any], Any] = {}
    for value in values:
        wire = enum_wire_form(value) if isinstance(value, enum.Enum) else value
        other = seen.setdefault((type(wire), wire), value)
        if other is not value and other != value:
            msg = f"its choices {other} and {value} both travel as {wire!r}"
            raise UnsupportedAnnotationError(msg)


def _leaf_form(cls: Any, annotation: Any) -> Form:
    leaf = find_leaf(cls)
    if leaf is not None:
        return ScalarForm(annotation, leaf)
    if typing.is_typeddict(cls):
        msg = "a TypedDict is not described; declare an attrs class"
        raise UnsupportedAnnotationError(msg)
    if isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields"):
        msg = "a NamedTuple is not described; declare an attrs class"
        raise UnsupportedAnnotationError(msg)
    msg = "expected a type with a JSON form; decorate it with attrs.define, or register a leaf for it"
    raise UnsupportedAnnotationError(msg)
