"""Instances as a model writes them in a dialect: the other way round from what reading undoes."""

from __future__ import annotations

import json
from typing import Any

from nucleo_schema import Artifact, value_to_tree
from nucleo_schema._declare import forms
from nucleo_schema._declare.analysis import analyze
from nucleo_schema._declare.classes import class_spec
from nucleo_schema.dialects import Dialect
from nucleo_schema.references import REF_FIELD

__all__ = ["written_in"]


def written_in(dialect: Dialect, value: Any, annotation: Any) -> Any:
    """Return the tree of JSON values that *value*, declared as *annotation*, is in *dialect*."""
    return _written(dialect, value, analyze(annotation))


def _written(dialect: Dialect, value: Any, form: forms.Form) -> Any:
    if isinstance(form, forms.NullableForm):
        form = form.inner
        if value is None and not isinstance(form, forms.AnyForm):
            return None
    if isinstance(form, forms.AnyForm):
        return json.dumps(value_to_tree(value)) if dialect.untyped == "text" else value_to_tree(value)
    if isinstance(value, Artifact):
        return {REF_FIELD: value.artifact_ref}
    if isinstance(form, forms.UnionForm):
        form = next((member for member in form.members if _is_of(value, member)), form)
    return _BY_FORM.get(type(form), lambda _dialect, value, _form: value_to_tree(value))(dialect, value, form)


def _is_of(value: Any, member: forms.Form) -> bool:
    kinds = {forms.MapForm: dict, forms.ArrayForm: (list, tuple, set, frozenset)}
    expected = member.cls if isinstance(member, forms.CompositeForm) else kinds.get(type(member), ())
    return isinstance(value, expected)


def _object(dialect: Dialect, value: Any, form: forms.CompositeForm) -> Any:
    canonical = value_to_tree(value)
    return {
        field.wire_name: _written(dialect, getattr(value, field.name), field.form)
        if field.wire_name in canonical
        else None
        for field in class_spec(form.annotation).fields
        if field.wire_name in canonical or dialect.all_required
    }


def _map(dialect: Dialect, value: Any, form: forms.MapForm) -> Any:
    names = value_to_tree(dict.fromkeys(value))
    members = {
        name: _written(dialect, item, form.value) for name, item in zip(names, value.values(), strict=True)
    }
    if dialect.maps == "objects":
        return members
    return [{"key": name, "value": item} for name, item in members.items()]


_BY_FORM: dict[type[Any], Any] = {
    forms.CompositeForm: _object,
    forms.MapForm: _map,
    forms.ArrayForm: lambda dialect, value, form: [_written(dialect, item, form.item) for item in value],
    forms.TupleForm: lambda dialect, value, form: [
        _written(dialect, item, place) for item, place in zip(value, form.items, strict=True)
    ],
}
