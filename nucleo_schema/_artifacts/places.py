"""Places: what each declares, whether an artifact fits there, and how a violation names it."""

from __future__ import annotations

import functools
from typing import Any, TypeAlias, get_args, get_origin

from .._declare.analysis import analyze
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
)
from .._declare.naming import wire_name_of
from .._wording import join_path, type_name
from .._write.leaves import find_leaf_writer, key_text
from ..errors import SchemaError
from ..references import REF_FIELD
from .graph import field_names
from .lists import ListArtifact

__all__ = [
    "ANYTHING",
    "UNNAMED",
    "Forms",
    "Place",
    "entry_forms",
    "expected",
    "fits",
    "forms_of",
    "item_forms",
    "key_step",
    "path_of",
    "places_in",
]

#: The forms that a place declares, any of which it may hold.
Forms: TypeAlias = tuple[Form, ...]
#: Forms of a place that declares nothing.
ANYTHING: Forms = (AnyForm(Any),)

#: A place: the place that it is in, and the step from there; None is the root.
Place: TypeAlias = Any


class _Unnamed:
    """The type of ``UNNAMED``: a step that the wire has no name for, such as the order of a set."""


UNNAMED = _Unnamed()


def forms_of(annotation: Any) -> Forms:
    """Return what a place with this annotation declares; anything where the annotation has no form."""
    try:
        return _alternatives(analyze(annotation))
    except UnsupportedAnnotationError:
        return ANYTHING


def _alternatives(form: Form | None) -> Forms:
    """Return the forms that *form* admits, null apart; anything where there is no telling."""
    if isinstance(form, NullableForm):
        return _alternatives(form.inner)
    if isinstance(form, UnionForm):
        return tuple(alternative for member in form.members for alternative in _alternatives(member))
    return ANYTHING if form is None or isinstance(form, AnyForm) else (form,)


def item_forms(forms: Forms, index: int) -> Forms:
    """Return what an item declares where a collection of *forms* stands."""
    found: list[Form] = []
    for form in forms:
        if isinstance(form, ArrayForm):
            found += _alternatives(form.item)
        elif isinstance(form, TupleForm) and index < len(form.items):
            found += _alternatives(form.items[index])
    return tuple(found) or ANYTHING


def entry_forms(forms: Forms) -> tuple[Forms, Forms]:
    """Return what a key and a value declare where a map of *forms* stands."""
    maps = [form for form in forms if isinstance(form, MapForm)]
    keys = tuple(key for form in maps for key in _alternatives(form.key))
    values = tuple(value for form in maps for value in _alternatives(form.value))
    return keys or ANYTHING, values or ANYTHING


def places_in(cls: Any, forms: Forms) -> tuple[tuple[str, str, Forms], ...]:
    """Return the fields of *cls* where *forms* are declared: name, wire name and forms of each."""
    parametrized = [
        form.annotation for form in forms if isinstance(form, CompositeForm) and get_args(form.annotation)
    ]
    return _places_of(cls, tuple(parametrized))


@functools.cache
def _places_of(cls: Any, parametrized: tuple[Any, ...]) -> tuple[tuple[str, str, Forms], ...]:
    own = _specs(cls)
    given = [_specs(annotation) for annotation in parametrized if issubclass(cls, get_origin(annotation))]
    places: list[tuple[str, str, Forms]] = []
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


def fits(artifact: Artifact, forms: Forms) -> bool:
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
    forms = item_forms(_alternatives(iterands[1]), 0) if iterands else ANYTHING
    return all(fits(iterand, forms) for iterand in artifact.iterands)


def expected(forms: Forms) -> str:
    """Return the words for what a place takes."""
    names = dict.fromkeys(type_name(form.cls) for form in forms if isinstance(form, CompositeForm))
    is_open = Artifact.__name__ in names or any(isinstance(form, AnyForm) for form in forms)
    kind = "an artifact" if is_open or not names else " or ".join(names)
    return f"the {REF_FIELD} of {kind} from the registry"


def key_step(name: Any) -> Any:
    """Return the step to the value under a key: its member name, where it has one."""
    if isinstance(name, str):
        return str.__str__(name)
    writer = find_leaf_writer(type(name))
    text = key_text(writer(name)) if writer is not None else None
    return UNNAMED if text is None else text


def path_of(place: Place) -> str:
    """Return the wire path of a place, like ``by_topic.crispr``."""
    steps = []
    while place is not None:
        place, step = place
        steps.append(step)
    path = ""
    for step in reversed(steps):
        path = f"{path}[*]" if step is UNNAMED else join_path(path, step)
    return path or "the answer"
