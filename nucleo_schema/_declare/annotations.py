"""Annotations as Python has them: names resolved, type variables bound, unhashable notes left out."""

from __future__ import annotations

import functools
import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ForwardRef, Generic, Literal, TypeVar, Union, get_args, get_origin

from .._wording import cut, qualified_name, type_name
from ..errors import SchemaError
from .artifact import Artifact

__all__ = ["bindings_of", "joined", "resolved", "substitute", "without_loose_notes"]


def resolved(cls: type[Any], attribute: Any, bindings: dict[type[Any], dict[Any, Any]]) -> Any:
    """Return the annotation of *attribute* with names and type variables resolved."""
    owner = _owner(cls, attribute)
    annotation = attribute.type
    if annotation is None:
        return type(None) if attribute.name in _own_annotations(owner) else Any
    global_names, local_names = _namespace_of(owner)
    try:
        if isinstance(annotation, str):
            annotation = eval(annotation, global_names, local_names)  # noqa: S307  the class author's code
        holder = types.SimpleNamespace(__annotations__={"it": _with_forward_references(annotation)})
        hints = typing.get_type_hints(holder, global_names, local_names, include_extras=True)
    except Exception as error:
        msg = (
            f"{qualified_name(cls)}.{attribute.name}: annotation {cut(type_name(annotation))!r} "
            f"cannot be resolved: {cut(str(error))}"
        )
        raise SchemaError(msg) from error
    return without_loose_notes(substitute(hints["it"], bindings.get(owner, {})))


def _own_annotations(cls: type[Any]) -> dict[str, Any]:
    return inspect.get_annotations(cls)


def _owner(cls: type[Any], attribute: Any) -> type[Any]:
    for base in cls.__mro__:
        if attribute.name in _own_annotations(base):
            return base
    return cls


def substitute(annotation: Any, bindings: Mapping[Any, Any]) -> Any:
    """Return *annotation* with its type variables replaced; one that nothing binds is Any, or an artifact."""
    if isinstance(annotation, TypeVar):
        return bindings.get(annotation, _unbound(annotation))
    parameters = getattr(annotation, "__parameters__", ())
    if not parameters or (isinstance(annotation, type) and not get_args(annotation)):
        return annotation
    generic: Any = annotation
    return generic[tuple(bindings.get(parameter, _unbound(parameter)) for parameter in parameters)]


def _with_forward_references(annotation: Any) -> Any:
    """Return *annotation* with the texts inside builtin generics made forward references, on every Python."""
    args = get_args(annotation)
    if not args or get_origin(annotation) in (Literal, Annotated):
        return annotation
    if isinstance(annotation, types.GenericAlias):
        converted = tuple(
            ForwardRef(arg) if isinstance(arg, str) else _with_forward_references(arg) for arg in args
        )
        generic: Any = types.GenericAlias
        return generic(annotation.__origin__, converted)
    if isinstance(annotation, types.UnionType):
        return functools.reduce(joined, map(_with_forward_references, args))
    return annotation


def without_loose_notes(annotation: Any) -> Any:
    """Return *annotation* without notes that cannot be hashed, since hooks are looked up by it."""
    origin: Any = get_origin(annotation)
    if origin is None or _is_hashable(annotation):
        return annotation
    args = tuple(map(without_loose_notes, get_args(annotation)))
    if origin is Annotated:
        base, *notes = args
        kept = [note for note in notes if _is_hashable(note)]
        return origin[(base, *kept)] if kept else base
    return origin[args]


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _unbound(variable: Any) -> Any:
    """Return what a type variable stands for that nothing binds: an artifact where its bound is one."""
    bound = getattr(variable, "__bound__", None)
    return bound if isinstance(bound, type) and issubclass(bound, Artifact) else Any


def joined(left: Any, right: Any) -> Any:
    return Union[left, right]  # noqa: UP007  the operator does not join forward references


def _generic_bases(cls: type[Any]) -> Iterator[Any]:
    """Yield the bases of *cls* as they were written, parametrized where they were."""
    yield from getattr(cls, "__dict__", {}).get("__orig_bases__", cls.__bases__)


def bindings_of(annotation: Any) -> dict[type[Any], dict[Any, Any]]:
    """Return, for each class in the ancestry of *annotation*, what its type variables stand for."""
    result: dict[type[Any], dict[Any, Any]] = {}
    _bind(annotation, {}, result)
    return result


def _bind(annotation: Any, outer: Mapping[Any, Any], result: dict[type[Any], dict[Any, Any]]) -> None:
    cls = get_origin(annotation) or annotation
    if cls is Generic or not isinstance(cls, type) or cls in result:
        return
    args = [substitute(arg, outer) for arg in get_args(annotation)]
    own = dict(zip(getattr(cls, "__parameters__", ()), args, strict=False))
    result[cls] = own
    for base in _generic_bases(cls):
        _bind(base, own, result)


def _namespace_of(owner: type[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    Return the fallback names and the names in which the annotations of *owner* were written.

    As ``typing.get_type_hints`` has it, a name of the module goes before a member of the class: a field
    may be called like its type.
    """
    module = sys.modules.get(owner.__module__)
    parameters = getattr(owner, "__type_params__", ())
    names = dict(vars(module)) if module else {}
    names.update((parameter.__name__, parameter) for parameter in parameters)
    return dict(vars(owner)), {**names, owner.__name__: owner}
