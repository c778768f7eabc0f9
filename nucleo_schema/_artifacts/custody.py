"""
Custody: what a model wrote, with the registry's own objects in the places of its artifacts.

The object is walked along its annotations, so that every place is checked against what it declares. One
visit is a generator that asks for what its parts become; a loop runs them, so no nesting is too deep.

Mutable objects are altered in place; tuples, frozensets and frozen classes are rebuilt where something in
them changed, and kept where nothing did. Attributes are set past validators, converters and hooks. Objects
that are neither attrs classes, dataclasses nor collections are not looked into.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import (
    Callable,
    Generator,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Set as AbstractSet,
)
from typing import Any

from .._declare.artifact import Artifact
from .._read.mismatch import Mismatch
from ..errors import Problem
from .copies import copied, is_frozen_class, tuple_like
from .graph import LEAVES, field_names, field_value, is_leaf_class
from .places import (
    UNNAMED,
    Forms,
    Place,
    entry_forms,
    expected,
    fits,
    forms_of,
    item_forms,
    key_step,
    path_of,
    places_in,
)

__all__ = ["settle", "taking"]

_Request = tuple[Any, Forms, Place]
_Visit = Generator[_Request, Any, Any]


class _Refused:
    """The type of ``_REFUSED``: stands in the place of a refused artifact until its holder decides."""


_REFUSED: Any = _Refused()


def settle(
    find: Callable[[Any], Artifact | None], written: Any, problems: list[Problem], declared: Any = None
) -> Any:
    """
    Return *written* with every artifact in it replaced by the one that *find* gives for its reference.

    Args:
        find: Gives the artifact that is held under a reference in any spelling, or None.
        written: What a model wrote, as it was read.
        problems: Gets one for each artifact that cannot be replaced. Its place is left empty: None,
            or no element at all in a set and no entry for a key.
        declared: The typing form that *written* was read as, which the class of a generic does not tell.
    """
    if declared is None:
        declared = type(written) if isinstance(written, Artifact) else Any
    custody = _Custody(find, problems)
    forms = forms_of(declared)
    while True:
        result = custody.run(written, forms)
        if not custody.is_stale:
            return None if result is _REFUSED else result
        written = result


def taking(find: Callable[[Any], Artifact | None]) -> Callable[[str | None, Any], Artifact]:
    """Return what reads a reference as the artifact that *find* gives, for a place with an annotation."""

    def take(reference: str | None, annotation: Any) -> Artifact:
        forms = forms_of(annotation)
        held = _looked_up(find, reference, forms)
        if isinstance(held, str):
            raise Mismatch(_refusal(held, forms))
        return held

    return take


def _looked_up(find: Callable[[Any], Artifact | None], reference: str | None, forms: Forms) -> Artifact | str:
    """Return the artifact for a reference in a place, or the words for what was found instead."""
    if not reference:
        return "an artifact without a reference"
    held = find(reference)
    if held is None:
        return "a reference that names nothing in the registry"
    return held if fits(held, forms) else "a reference to another kind of artifact"


def _refusal(what: str, forms: Forms) -> str:
    return f"found {what}, expected {expected(forms)}"


class _Custody:
    def __init__(self, find: Callable[[Any], Artifact | None], problems: list[Problem]) -> None:
        self.find = find
        self.problems = problems
        self.is_stale = False  # an object was handed out and rebuilt afterwards: it contains itself
        self._rebuilt: dict[int, Any] = {}
        self._copies: set[int] = set()  # frozen objects that are ours, and so may still be altered
        self._alive: list[Any] = []  # an id is its object's while that lives
        self._results: dict[tuple[int, Forms], Any] = {}
        self._open: dict[tuple[int, Forms], bool] = {}  # being visited, and whether someone asked for it

    def run(self, root: Any, forms: Forms) -> Any:
        """Return what *root* becomes."""
        self.is_stale = False
        self._results.clear()
        visit, result = self._begin(root, forms, None)
        visits = [visit] if visit else []
        while visits:
            try:
                request = visits[-1].send(None if visit else result)
            except StopIteration as end:
                visits.pop()
                visit, result = None, end.value
                continue
            visit, result = self._begin(*request)
            if visit:
                visits.append(visit)
        return result

    def _begin(self, obj: Any, forms: Forms, place: Place) -> tuple[_Visit | None, Any]:
        """Return the visit that tells what *obj* becomes, or that itself."""
        cls: Any = type(obj)
        if cls in LEAVES:
            return None, obj
        if isinstance(obj, Artifact):
            return None, self._held(obj, forms, place)
        if is_leaf_class(cls):
            return None, obj
        obj = self._rebuilt.get(id(obj), obj)
        key = (id(obj), forms)
        if key in self._results:
            return None, self._results[key]
        if key in self._open:
            self._open[key] = True
            return None, self._copy_of(obj) if self._is_frozen(obj) else obj
        self._alive.append(obj)
        return _visit_of(cls)(self, obj, forms, place), None

    # Artifacts

    def _held(self, artifact: Artifact, forms: Forms, place: Place) -> Any:
        """Return the registry's own object for an artifact, or say why there is none."""
        held = _looked_up(self.find, artifact.artifact_ref, forms)
        return self._refuse(place, held, forms) if isinstance(held, str) else held

    def _refuse(self, place: Place, found: str, forms: Forms) -> Any:
        self.problems.append(Problem(path_of(place), _refusal(found, forms)))
        return _REFUSED

    # Composites

    def visit_composite(self, obj: Any, forms: Forms, place: Place) -> _Visit:
        """Visit an attrs instance or a dataclass; then its items, when it is a collection too."""
        key = (id(obj), forms)
        frozen = self._is_frozen(obj)
        if frozen:
            self._open[key] = False
        else:
            self._results[key] = obj
        for name, wire_name, inner in places_in(type(obj), forms):
            value = field_value(obj, name)
            settled = _or_none((yield value, inner, (place, wire_name)))
            if settled is not value:
                object.__setattr__(self._copy_of(obj) if frozen else obj, name, settled)
        if frozen:
            del self._open[key]
            self._results[key] = obj = self._rebuilt.get(id(obj), obj)
        collection = _collection_visit(type(obj))
        return (yield from collection(self, obj, forms, place)) if collection else obj

    def _is_frozen(self, obj: Any) -> bool:
        cls: Any = type(obj)
        return id(obj) not in self._copies and is_frozen_class(cls)

    def _copy_of(self, obj: Any) -> Any:
        """Return the copy that stands for a frozen object, with all its state as it is."""
        copy = self._rebuilt.get(id(obj))
        if copy is None:
            copy = self._rebuilt[id(obj)] = copied(obj)
            self._copies.add(id(copy))
        return copy

    # Collections

    def visit_sequence(self, obj: Any, forms: Forms, place: Place) -> _Visit:
        """Visit a list, a tuple or a deque."""
        key = (id(obj), forms)
        mutable = isinstance(obj, MutableSequence)
        self._enter(key, obj, mutable=mutable)
        given, items = list(obj), []
        for index, item in enumerate(given):
            if type(item) in LEAVES:
                items.append(item)
            else:
                items.append(_or_none((yield item, item_forms(forms, index), (place, index))))
        if _same(items, given):
            return self._leave(key, obj, obj)
        if not mutable:
            return self._leave(key, obj, tuple_like(obj, items))
        obj.clear()
        obj.extend(items)
        return self._leave(key, obj, obj)

    def visit_set(self, obj: Any, forms: Forms, place: Place) -> _Visit:
        """Visit a set; an element that was refused is left out."""
        key = (id(obj), forms)
        mutable = isinstance(obj, MutableSet)
        self._enter(key, obj, mutable=mutable)
        given, items = list(obj), []
        inner = item_forms(forms, 0)
        for item in given:
            step = 0 if len(given) == 1 else UNNAMED
            settled = yield item, inner, (place, step)
            if self._can_be_hashed(settled, inner, (place, step)):
                items.append(settled)
        if _same(items, given) and all(
            item in obj for item in given
        ):  # in place, yet its hash may have changed
            return self._leave(key, obj, obj)
        if not mutable:
            return self._leave(key, obj, type(obj)(items))
        obj.clear()
        for item in items:
            obj.add(item)
        return self._leave(key, obj, obj)

    def visit_mapping(self, obj: Any, forms: Forms, place: Place) -> _Visit:
        """Visit a map; an entry whose key was refused is left out."""
        key = (id(obj), forms)
        mutable = isinstance(obj, MutableMapping)
        self._enter(key, obj, mutable=mutable)
        key_forms, value_forms = entry_forms(forms)
        given, entries = list(obj.items()), []
        for name, value in given:
            settled_name = name if type(name) in LEAVES else (yield name, key_forms, (place, UNNAMED))
            settled = _or_none((yield value, value_forms, (place, key_step(name))))
            if self._can_be_hashed(settled_name, key_forms, (place, UNNAMED)):
                entries.append((settled_name, settled))
        same_keys = _same([name for name, _ in entries], [name for name, _ in given]) and all(
            n in obj for n, _ in given
        )
        if same_keys and _same([value for _, value in entries], [value for _, value in given]):
            return self._leave(key, obj, obj)
        if not mutable:
            return self._leave(key, obj, type(obj)(dict(entries)))
        if not same_keys:
            obj.clear()
        for name, settled in entries:
            obj[name] = settled
        return self._leave(key, obj, obj)

    def _can_be_hashed(self, settled: Any, forms: Forms, place: Place) -> bool:
        """Return whether what an element or a key became can stand there; if not, it is refused."""
        if settled is _REFUSED:
            return False
        try:
            hash(settled)
        except TypeError:
            self._refuse(place, "the reference of an artifact that no set or key can hold", forms)
            return False
        return True

    def _enter(self, key: tuple[int, Forms], obj: Any, *, mutable: bool) -> None:
        if mutable:
            self._results[key] = obj
        else:
            self._open[key] = False

    def _leave(self, key: tuple[int, Forms], obj: Any, result: Any) -> Any:
        asked = self._open.pop(key, False)
        self._results[key] = result
        if result is not obj:
            self._alive.append(result)
            if asked:
                self._rebuilt[id(obj)] = result
                self.is_stale = True
        return result


def _same(new: list[Any], old: list[Any]) -> bool:
    return len(new) == len(old) and all(map(operator.is_, new, old))


def _or_none(settled: Any) -> Any:
    return None if settled is _REFUSED else settled


# Kinds of classes

_Method = Callable[[_Custody, Any, Forms, Place], _Visit]


@functools.cache
def _visit_of(cls: Any) -> _Method:
    return (_Custody.visit_composite if field_names(cls) else None) or _collection_visit(cls)  # type: ignore[return-value]


def _collection_visit(cls: type[Any]) -> _Method | None:
    if issubclass(cls, Mapping):
        return _Custody.visit_mapping
    if issubclass(cls, AbstractSet):
        return _Custody.visit_set
    return _Custody.visit_sequence if issubclass(cls, (tuple, MutableSequence)) else None
