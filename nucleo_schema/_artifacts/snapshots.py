"""Snapshots: the artifacts of a registry as JSON text, and back."""

from __future__ import annotations

import functools
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from .. import aliases
from .._converter import converter
from .._declare.artifact import Artifact
from .._declare.classes import class_spec
from .._declare.forms import AnyForm, CompositeForm
from .._read.reading import read_json, read_value
from .._verbs import value_to_tree, write_compact
from .._wording import found, join_path
from ..errors import MappingError, Problem
from ..references import REF_FIELD, extract_alias
from .graph import LEAVES, children, field_names, field_value, is_leaf_class, iter_artifacts
from .places import Forms, entry_forms, forms_of, item_forms, places_in

__all__ = ["read_snapshot", "write_snapshot"]

_LOGGER = logging.getLogger("nucleo_schema.artifacts")

#: The members of a snapshot: the top level, and what it holds in places where reading finds data only.
_TOP, _LOOSE = "artifacts", "reachable"


# Writing


def write_snapshot(top: Collection[Artifact], reachable: Mapping[str, Artifact]) -> str:
    """
    Return the artifacts of the top level, with what they hold, as the text of a snapshot.

    Args:
        top: The top level, in order.
        reachable: What is known by reference besides.

    Raises:
        SerializationError: If one of them cannot be written.
    """
    parts = [f'{{"{_TOP}":', *_listed(top)]
    if reachable:
        loose = list(_iter_loose(top, reachable))
        parts += [f',"{_LOOSE}":', *_listed(loose)] if loose else []
    return "".join([*parts, "}"])


def _listed(artifacts: Iterable[Artifact]) -> Iterator[str]:
    opening = "["
    for artifact in artifacts:
        yield opening
        yield write_compact(artifact)
        opening = ","
    yield "[]" if opening == "[" else "]"


def _iter_loose(top: Collection[Artifact], reachable: Mapping[str, Artifact]) -> Iterator[Artifact]:
    """Yield what *top* holds, and is not found in it when it is read: in untyped places or off the wire."""
    known = {reference for artifact in top for reference in _references_read(artifact)}
    if known.issuperset(reachable):
        return
    for artifact in iter_artifacts(list(top)):
        reference = artifact.artifact_ref or ""
        if reference in reachable and reference not in known:
            known.update(_references_read(artifact))
            yield reachable[reference]


def _references_read(root: Artifact) -> Iterator[str]:
    """Yield the references in *root* that stand where artifacts are declared, its own too."""
    waiting: list[tuple[Any, Forms]] = [(root, forms_of(type(root)))]
    seen: set[tuple[int, Forms]] = set()
    while waiting:
        obj, forms = waiting.pop()
        cls: Any = type(obj)
        if is_leaf_class(cls) or (id(obj), forms) in seen or not _is_read_as(cls, forms):
            continue
        seen.add((id(obj), forms))
        if isinstance(obj, Artifact) and obj.artifact_ref:
            yield obj.artifact_ref
        waiting += [part for part in _declared_parts(obj, forms) if type(part[0]) not in LEAVES]


@functools.cache
def _is_read_as(cls: Any, forms: Forms) -> bool:
    """Return whether what is written of a *cls*, in a place of *forms*, is read as an object like it."""
    if any(isinstance(form, AnyForm) for form in forms):
        return False
    classes = tuple(form.cls for form in forms if isinstance(form, CompositeForm))
    if issubclass(cls, Artifact):
        return issubclass(cls, classes)
    return cls in classes or not field_names(cls)


def _declared_parts(obj: Any, forms: Forms) -> Iterable[tuple[Any, Forms]]:
    """Return what *obj* holds on the wire, each part with what its place declares."""
    cls: Any = type(obj)
    if field_names(cls):
        return [(field_value(obj, name), inner) for name, inner in _places_on_wire(cls, forms)]
    if isinstance(obj, Mapping):
        inner = entry_forms(forms)[1]
        return [(value, inner) for value in obj.values()]
    return [(item, item_forms(forms, index)) for index, item in enumerate(obj)]


@functools.cache
def _places_on_wire(cls: Any, forms: Forms) -> tuple[tuple[str, Forms], ...]:
    on_wire = {field.name for field in class_spec(cls).fields}
    return tuple((name, inner) for name, _, inner in places_in(cls, forms) if name in on_wire)


# Reading


def read_snapshot(text: str | bytes, target: type[Any]) -> tuple[list[Artifact], list[Artifact]]:
    """
    Return the top level of a snapshot, and the artifacts that it holds in places where none is declared.

    One of an unknown kind is logged and skipped.

    Args:
        text: The snapshot.
        target: The class that errors say was to be read.

    Raises:
        MappingError: If the text is no snapshot, or an artifact in it does not fit its class.
    """
    try:
        tree = read_json(converter, text, dict[str, Any])
    except MappingError as error:
        raise MappingError(target, error.problems) from error
    top = list(_iter_read(tree.get(_TOP), _TOP, target))
    loose = list(_iter_read(tree.get(_LOOSE, []), _LOOSE, target))
    if loose:
        _put_in_place(loose, [*top, *loose])
    return top, loose


def _iter_read(entries: Any, tier: str, target: type[Any]) -> Iterator[Artifact]:
    if not isinstance(entries, list):
        raise _refused(target, tier, f"found {found(entries)}, expected array")
    for index in range(len(entries)):
        entry, entries[index] = entries[index], None  # what was read is let go
        place = join_path(tier, index)
        if not isinstance(entry, dict):
            raise _refused(target, place, f"found {found(entry)}, expected object")
        try:
            yield read_value(converter, entry, Artifact)
        except MappingError as error:
            unknown = _unknown_reference(entry)
            if unknown is None:
                raise _at(error, place, target) from error
            _LOGGER.warning(
                "skipped %s: no class is known for %s", found(entry.get(REF_FIELD)), found(unknown)
            )


def _refused(target: type[Any], path: str, message: str) -> MappingError:
    return MappingError(target, (Problem(path, message),))


def _at(error: MappingError, place: str, target: type[Any]) -> MappingError:
    """Return the error of one entry as one of the whole snapshot."""
    problems = [Problem(join_path(place, p.path) if p.path else place, p.message) for p in error.problems]
    return MappingError(target, tuple(problems))


def _put_in_place(loose: list[Artifact], roots: list[Artifact]) -> None:
    """Put each of *loose* where untyped data in *roots* is what was written of it, member by member."""
    written = {artifact.artifact_ref: (artifact, value_to_tree(artifact)) for artifact in loose}
    seen: set[int] = set()
    waiting: list[Any] = list(roots)
    while waiting:
        obj = waiting.pop()
        cls: Any = type(obj)
        if cls in LEAVES or is_leaf_class(cls) or id(obj) in seen:
            continue
        seen.add(id(obj))
        put = obj.__setitem__ if cls in (dict, list) else functools.partial(object.__setattr__, obj)
        for step, data in _untyped(obj):
            artifact, tree = written.get(data.get(REF_FIELD), (None, None))
            if tree == data:
                put(step, artifact)
        waiting += children(obj)


def _untyped(obj: Any) -> list[tuple[Any, dict[str, Any]]]:
    """Return the objects of untyped data that an object holds, and where; a tuple cannot be altered."""
    cls: Any = type(obj)
    if cls is dict:
        steps: Iterable[tuple[Any, Any]] = obj.items()
    elif cls is list:
        steps = enumerate(obj)
    else:
        steps = ((name, field_value(obj, name)) for name in field_names(cls))
    return [(step, part) for step, part in steps if type(part) is dict and type(part.get(REF_FIELD)) is str]


def _unknown_reference(entry: dict[str, Any]) -> str | None:
    """Return a reference in *entry* whose alias names no class and no ancestor; None if there is none."""
    waiting: list[Any] = [entry]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            reference = node.get(REF_FIELD)
            alias = extract_alias(reference) if isinstance(reference, str) else None
            if alias is not None and aliases.resolve_alias_with_fallback(alias) is None:
                return str(reference)
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return None
