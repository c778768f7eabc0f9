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
import types
from collections.abc import (
    Callable,
    Generator,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Set as AbstractSet,
)
from typing import Any, get_args, get_origin

import attrs

from .._declare.artifact import Artifact
from .._declare.classes import class_spec
from .._declare.forms import (
    AnyForm,
    ArrayForm,
    CompositeForm,
    Form,
    MapForm,
    NullableForm,
    TupleForm,
    UnionForm,
    UnsupportedAnnotationError,
    analyze,
)
from .._declare.naming import wire_name_of
from .._wording import join_path, type_name
from .._write.leaves import find_leaf_writer, key_text
from ..errors import SchemaError
from ..references import REF_FIELD
from .graph import LEAVES, field_names, field_value, is_leaf_class
from .lists import ListArtifact

__all__ = ["settle"]

#: The forms that a place declares, any of which it may hold.
_Forms = tuple[Form, ...]
_ANYTHING: _Forms = (AnyForm(Any),)

#: A place as the step that leads to it and the place that it is in; None is the root.
_Place = Any
_Request = tuple[Any, _Forms, _Place]
_Visit = Generator[_Request, Any, Any]


class _Refused:
    """The type of ``_REFUSED``: stands in the place of a refused artifact until its holder decides."""


_REFUSED: Any = _Refused()


class _Unnamed:
    """The type of ``_UNNAMED``: a step that the wire has no name for, such as the order of a set."""


_UNNAMED = _Unnamed()


def settle(
    find: Callable[[Any], Artifact | None], written: Any, violations: list[str], declared: Any = None
) -> Any:
    """
    Return *written* with every artifact in it replaced by the one that *find* gives for its reference.

    Args:
        find: Gives the artifact that is held under a reference in any spelling, or None.
        written: What a model wrote, as it was read.
        violations: Gets a line for each artifact that cannot be replaced. Its place is left empty: None,
            or no element at all in a set and no entry for a key.
        declared: The typing form that *written* was read as, which the class of a generic does not tell.
    """
    if declared is None:
        declared = type(written) if isinstance(written, Artifact) else Any
    custody = _Custody(find, violations)
    forms = _forms_of(declared)
    while True:
        result = custody.run(written, forms)
        if not custody.is_stale:
            return None if result is _REFUSED else result
        written = result


class _Custody:
    def __init__(self, find: Callable[[Any], Artifact | None], violations: list[str]) -> None:
        self.find = find
        self.violations = violations
        self.is_stale = False  # an object was handed out and rebuilt afterwards: it contains itself
        self._rebuilt: dict[int, Any] = {}
        self._copies: set[int] = set()  # frozen objects that are ours, and so may still be altered
        self._alive: list[Any] = []  # an id is its object's while that lives
        self._results: dict[tuple[int, _Forms], Any] = {}
        self._open: dict[tuple[int, _Forms], bool] = {}  # being visited, and whether someone asked for it

    def run(self, root: Any, forms: _Forms) -> Any:
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

    def _begin(self, obj: Any, forms: _Forms, place: _Place) -> tuple[_Visit | None, Any]:
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

    def _held(self, artifact: Artifact, forms: _Forms, place: _Place) -> Any:
        """Return the registry's own object for an artifact, or say why there is none."""
        if not artifact.artifact_ref:
            return self._refuse(place, "an artifact without a reference", forms)
        held = self.find(artifact.artifact_ref)
        if held is None:
            return self._refuse(place, "a reference that names nothing in the registry", forms)
        if not _fits(held, forms):
            return self._refuse(place, "a reference to another kind of artifact", forms)
        return held

    def _refuse(self, place: _Place, found: str, forms: _Forms) -> Any:
        self.violations.append(f"{_path(place)}: found {found}, expected {_expected(forms)}.")
        return _REFUSED

    # Composites

    def visit_composite(self, obj: Any, forms: _Forms, place: _Place) -> _Visit:
        """Visit an attrs instance or a dataclass; then its items, when it is a collection too."""
        key = (id(obj), forms)
        frozen = self._is_frozen(obj)
        if frozen:
            self._open[key] = False
        else:
            self._results[key] = obj
        for name, wire_name, inner in _places(type(obj), forms):
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
        return id(obj) not in self._copies and _is_frozen_class(cls)

    def _copy_of(self, obj: Any) -> Any:
        """Return the copy that stands for a frozen object, with all its state as it is."""
        copy = self._rebuilt.get(id(obj))
        if copy is None:
            copy = self._rebuilt[id(obj)] = _copied(obj)
            self._copies.add(id(copy))
        return copy

    # Collections

    def visit_sequence(self, obj: Any, forms: _Forms, place: _Place) -> _Visit:
        """Visit a list, a tuple or a deque."""
        key = (id(obj), forms)
        mutable = isinstance(obj, MutableSequence)
        self._enter(key, obj, mutable=mutable)
        given, items = list(obj), []
        for index, item in enumerate(given):
            if type(item) in LEAVES:
                items.append(item)
            else:
                items.append(_or_none((yield item, _item_forms(forms, index), (place, index))))
        if _same(items, given):
            return self._leave(key, obj, obj)
        if not mutable:
            return self._leave(key, obj, _new_tuple(obj, items))
        obj.clear()
        obj.extend(items)
        return self._leave(key, obj, obj)

    def visit_set(self, obj: Any, forms: _Forms, place: _Place) -> _Visit:
        """Visit a set; an element that was refused is left out."""
        key = (id(obj), forms)
        mutable = isinstance(obj, MutableSet)
        self._enter(key, obj, mutable=mutable)
        given, items = list(obj), []
        inner = _item_forms(forms, 0)
        for item in given:
            step = 0 if len(given) == 1 else _UNNAMED
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

    def visit_mapping(self, obj: Any, forms: _Forms, place: _Place) -> _Visit:
        """Visit a map; an entry whose key was refused is left out."""
        key = (id(obj), forms)
        mutable = isinstance(obj, MutableMapping)
        self._enter(key, obj, mutable=mutable)
        key_forms, value_forms = _entry_forms(forms)
        given, entries = list(obj.items()), []
        for name, value in given:
            settled_name = name if type(name) in LEAVES else (yield name, key_forms, (place, _UNNAMED))
            settled = _or_none((yield value, value_forms, (place, _key_step(name))))
            if self._can_be_hashed(settled_name, key_forms, (place, _UNNAMED)):
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

    def _can_be_hashed(self, settled: Any, forms: _Forms, place: _Place) -> bool:
        """Return whether what an element or a key became can stand there; if not, it is refused."""
        if settled is _REFUSED:
            return False
        try:
            hash(settled)
        except TypeError:
            self._refuse(place, "the reference of an artifact that no set or key can hold", forms)
            return False
        return True

    def _enter(self, key: tuple[int, _Forms], obj: Any, *, mutable: bool) -> None:
        if mutable:
            self._results[key] = obj
        else:
            self._open[key] = False

    def _leave(self, key: tuple[int, _Forms], obj: Any, result: Any) -> Any:
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

_Method = Callable[[_Custody, Any, _Forms, _Place], _Visit]


@functools.cache
def _visit_of(cls: Any) -> _Method:
    return (_Custody.visit_composite if field_names(cls) else None) or _collection_visit(cls)  # type: ignore[return-value]


def _collection_visit(cls: type[Any]) -> _Method | None:
    if issubclass(cls, Mapping):
        return _Custody.visit_mapping
    if issubclass(cls, AbstractSet):
        return _Custody.visit_set
    return _Custody.visit_sequence if issubclass(cls, (tuple, MutableSequence)) else None


@functools.cache
def _is_frozen_class(cls: Any) -> bool:
    if attrs.has(cls):
        return getattr(cls.__setattr__, "__name__", "") == "_frozen_setattrs"
    params = getattr(cls, "__dataclass_params__", None)
    return bool(params is not None and params.frozen)


# Copies

#: Where attrs keeps a hash that it computes once; what is rebuilt has another.
_CACHED_HASH = "_attrs_cached_hash"


def _copied(obj: Any) -> Any:
    """Return a copy of a composite with all its state, made without its constructor."""
    cls: Any = type(obj)
    copy = object.__new__(cls)
    for name, slot in _slots(cls).items():
        try:
            slot.__set__(copy, None if name == _CACHED_HASH else slot.__get__(obj))
        except AttributeError:  # noqa: PERF203  nothing was set there
            continue
    _copy_dict(obj, copy)
    return copy


def _copy_dict(obj: Any, copy: Any) -> None:
    state = getattr(obj, "__dict__", {})
    for name, value in state.items():
        object.__setattr__(copy, name, None if name == _CACHED_HASH else value)


@functools.cache
def _slots(cls: Any) -> dict[str, types.MemberDescriptorType]:
    return {
        name: member
        for base in cls.__mro__
        for name, member in base.__dict__.items()
        if isinstance(member, types.MemberDescriptorType)
    }


def _new_tuple(obj: Any, items: list[Any]) -> Any:
    """Return a tuple of the class of *obj*, a named one too."""
    copy = tuple.__new__(type(obj), items)
    _copy_dict(obj, copy)
    return copy


# What places declare


def _forms_of(annotation: Any) -> _Forms:
    try:
        return _alternatives(analyze(annotation))
    except UnsupportedAnnotationError:
        return _ANYTHING


def _alternatives(form: Form | None) -> _Forms:
    """Return the forms that *form* admits, null apart; anything where there is no telling."""
    if isinstance(form, NullableForm):
        return _alternatives(form.inner)
    if isinstance(form, UnionForm):
        return tuple(alternative for member in form.members for alternative in _alternatives(member))
    return (form,) if form is not None else _ANYTHING


def _item_forms(forms: _Forms, index: int) -> _Forms:
    """Return what an item declares where a collection of *forms* stands."""
    found: list[Form] = []
    for form in forms:
        if isinstance(form, ArrayForm):
            found += _alternatives(form.item)
        elif isinstance(form, TupleForm) and index < len(form.items):
            found += _alternatives(form.items[index])
    return tuple(found) or _ANYTHING


def _entry_forms(forms: _Forms) -> tuple[_Forms, _Forms]:
    """Return what a key and a value declare where a map of *forms* stands."""
    maps = [form for form in forms if isinstance(form, MapForm)]
    keys = tuple(key for form in maps for key in _alternatives(form.key))
    values = tuple(value for form in maps for value in _alternatives(form.value))
    return keys or _ANYTHING, values or _ANYTHING


def _places(cls: Any, forms: _Forms) -> tuple[tuple[str, str, _Forms], ...]:
    """Return the fields of *cls* where *forms* are declared: name, wire name and forms of each."""
    parametrized = [
        form.annotation for form in forms if isinstance(form, CompositeForm) and get_args(form.annotation)
    ]
    return _places_of(cls, tuple(parametrized))


@functools.cache
def _places_of(cls: Any, parametrized: tuple[Any, ...]) -> tuple[tuple[str, str, _Forms], ...]:
    own = _specs(cls)
    given = [_specs(annotation) for annotation in parametrized if issubclass(cls, get_origin(annotation))]
    places: list[tuple[str, str, _Forms]] = []
    for name in field_names(cls):
        wire_name, form = own.get(name, (wire_name_of(name), None))
        declared = [inner for specs in given if name in specs for inner in _alternatives(specs[name][1])]
        places.append((name, wire_name, tuple(declared) or _alternatives(form)))
    return tuple(places)


def _specs(annotation: Any) -> dict[str, tuple[str, Form | None]]:
    """Return the wire name and the form of each field of a composite, by attribute name."""
    try:
        spec = class_spec(annotation)
    except SchemaError:  # a class that cannot be described may still stand in untyped data
        return {}
    return {field.name: (field.wire_name, field.form) for field in (*spec.fields, *spec.hidden)}


def _fits(artifact: Artifact, forms: _Forms) -> bool:
    """Return whether *artifact* is what a place declares; one that declares no class takes any."""
    composites = [form for form in forms if isinstance(form, CompositeForm)]
    if not composites or any(isinstance(form, AnyForm) for form in forms):
        return True
    return any(isinstance(artifact, form.cls) and _fit_iterands(artifact, form) for form in composites)


def _fit_iterands(artifact: Artifact, form: CompositeForm) -> bool:
    """Return whether a list holds what the place says that it holds."""
    if not isinstance(artifact, ListArtifact) or not get_args(form.annotation):
        return True
    iterands = _specs(form.annotation).get("iterands")
    forms = _item_forms(_alternatives(iterands[1]), 0) if iterands else _ANYTHING
    return all(_fits(iterand, forms) for iterand in artifact.iterands)


# Words


def _expected(forms: _Forms) -> str:
    names = dict.fromkeys(type_name(form.cls) for form in forms if isinstance(form, CompositeForm))
    is_open = Artifact.__name__ in names or any(isinstance(form, AnyForm) for form in forms)
    kind = "an artifact" if is_open or not names else " or ".join(names)
    return f"the {REF_FIELD} of {kind} from the registry"


def _key_step(name: Any) -> Any:
    """Return the step to the value under a key: its member name, where it has one."""
    if isinstance(name, str):
        return str.__str__(name)
    writer = find_leaf_writer(type(name))
    text = key_text(writer(name)) if writer is not None else None
    return _UNNAMED if text is None else text


def _path(place: _Place) -> str:
    """Return the wire path of a place, like ``by_topic.crispr``."""
    steps = []
    while place is not None:
        place, step = place
        steps.append(step)
    path = ""
    for step in reversed(steps):
        path = f"{path}[*]" if step is _UNNAMED else join_path(path, step)
    return path or "the answer"
