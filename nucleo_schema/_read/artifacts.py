"""Artifacts in what a model wrote: read by their reference, never refused for what they lack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cattrs.errors import ForbiddenExtraKeysError

from .._declare.artifact import Artifact
from .._declare.classes import ABSENT, ClassSpec, forget_hash
from .._declare.naming import snake_case
from .._wording import found
from ..aliases import find_named
from ..references import REF_FIELD, extract_alias, is_reference, normalize_to_key
from .composites import OMITTED, CompositePlan, FieldPlan, MissingError, converted, refusal
from .containers import as_object
from .mismatch import Mismatch, mismatch
from .modes import ReadMode
from .reader import Reader

__all__ = ["artifact_reader"]

_SHOWN_FIELD = "@ref"


def artifact_reader(plan: CompositePlan, content: Reader, reader_of: Callable[[Any], Reader]) -> Reader:
    """
    Return the reader of a place declared as an artifact class.

    Args:
        plan: How the declared class itself is read.
        content: The reader of its content alone, as of any composite.
        reader_of: Returns the reader of another artifact class.
    """
    place = _Place(plan, content, reader_of)
    return Reader(place.quick, place.careful)


class _Place:
    def __init__(self, plan: CompositePlan, content: Reader, reader_of: Callable[[Any], Reader]) -> None:
        self.spec: ClassSpec = plan.spec
        self.plan = plan
        self.content = content
        self.reader_of = reader_of
        self.needed = [
            field for field in plan.fields if any(_is_lacking(field, data) for data in _nothing(field))
        ]

    def quick(self, value: Any, mode: ReadMode) -> Any:
        """Return the artifact, or raise at the first thing that is wrong."""
        return self._read(value, mode, careful=False)

    def careful(self, value: Any, mode: ReadMode) -> Any:
        """Return the artifact, or raise everything that is wrong."""
        return self._read(value, mode, careful=True)

    def _read(self, value: Any, mode: ReadMode, *, careful: bool) -> Any:
        if isinstance(value, self.spec.cls):
            return value
        if isinstance(value, str) and not value.lstrip().startswith("{"):
            value = self._from_text(value)
        if type(value) is not dict:
            value, mode = as_object(value, f"the reference of {self.spec.name}", mode)
        data: dict[str, Any] = value
        if mode.echoes:
            data = self.plan.without_echo(data)
        data = self._with_reference(data)
        reference = data.get(REF_FIELD)
        if mode.take is not None and (reference is None or isinstance(reference, str)):
            return mode.take(reference, self.spec.annotation)
        if reference is None:
            return self._from_content(data, mode, careful=careful)
        return self._from_reference(reference, data, mode, careful=careful)

    def _from_text(self, text: str) -> dict[str, Any]:
        if not is_reference(text):
            raise mismatch(text, f"the reference of {self.spec.name}, or an object with {REF_FIELD}")
        return {REF_FIELD: text}

    def _with_reference(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return *data* with its reference under its own name, however it was spelled."""
        if data.get(REF_FIELD) is None and _SHOWN_FIELD in data:
            data = {**data, REF_FIELD: data[_SHOWN_FIELD]}
            del data[_SHOWN_FIELD]
        if REF_FIELD in data:
            return data
        spelled = {key: data[key] for key in data if isinstance(key, str) and snake_case(key) == REF_FIELD}
        return {**data, **(self.plan.with_stand_ins(spelled) or {})}

    def _from_content(self, data: dict[str, Any], mode: ReadMode, *, careful: bool) -> Any:
        """Read an artifact that has no reference: as its class declares it."""
        if self.spec.cls is Artifact:
            raise mismatch(data, f"the reference of an artifact under {REF_FIELD}")
        return (self.content.careful if careful else self.content.quick)(data, mode)

    def _from_reference(self, reference: Any, data: dict[str, Any], mode: ReadMode, *, careful: bool) -> Any:
        if not isinstance(reference, str):
            raise mismatch(reference, f"the reference of {self.spec.name} as text")
        cls = self._named_class(reference)
        if cls is not None and cls is not self.spec.cls:
            reader = self.reader_of(cls)
            return (reader.careful if careful else reader.quick)(data, mode)
        key = normalize_to_key(reference)
        if mode.by_reference:
            return _bare(self.plan, {REF_FIELD: key})
        data = {**data, REF_FIELD: key}
        data = self.plan.with_stand_ins(data) or data
        if any(_is_lacking(field, data) for field in self.needed):
            return self._incomplete(data, mode)
        return (self.content.careful if careful else self.content.quick)(data, mode)

    def _named_class(self, reference: str) -> type[Any] | None:
        """Return the class that the alias names when it fits this place; None for the declared one."""
        named = find_named(extract_alias(reference) or "", self.spec.cls)
        if named is not None and issubclass(named, self.spec.cls):
            return named
        if self.spec.cls is Artifact:
            msg = f"found {found(reference)}, expected the reference of a known kind of artifact"
            raise Mismatch(msg)
        return None

    def _incomplete(self, data: dict[str, Any], mode: ReadMode) -> Any:
        """Return an artifact of what content there is, without running its validators."""
        values: dict[str, Any] = {}
        errors: list[Exception] = []
        if self.plan.closed:
            try:
                self.plan.refuse_strangers(data, mode)
            except ForbiddenExtraKeysError as error:
                errors.append(error)
        for field in self.plan.fields:
            if not _is_lacking(field, data):
                try:
                    values[field.spec.name] = field.read(data.get(field.spec.wire_name, ABSENT), mode)
                except Exception as error:  # noqa: BLE001  a host's hook may raise anything
                    errors.append(self.plan.note(error, field.spec))
        if errors:
            raise self.plan.group(errors)
        return _bare(self.plan, {name: value for name, value in values.items() if value is not OMITTED})


def _nothing(field: FieldPlan) -> list[dict[str, Any]]:
    """Return the ways in which a member may not be there."""
    return [{}, {field.spec.wire_name: None}, {field.spec.wire_name: ""}]


def _is_lacking(field: FieldPlan, data: dict[str, Any]) -> bool:
    """Return whether a member is not there that the class cannot do without."""
    value = data.get(field.spec.wire_name, ABSENT)
    if value is ABSENT:
        instead = field.when_absent
    elif value is None:
        instead = field.when_null
    elif field.reader.blank and isinstance(value, str) and not value.strip():
        instead = field.when_blank
    else:
        return False
    try:
        instead()
    except MissingError:
        return True
    return False


def _bare(plan: CompositePlan, values: dict[str, Any]) -> Any:
    """
    Return an artifact with *values*, and with its defaults or None elsewhere; no validator runs.

    Raises:
        ClassValidationError: If attrs converters refuse some of the values.
    """
    artifact = object.__new__(plan.spec.cls)
    errors: list[Exception] = []
    for spec in plan.spec.declared:
        value = None
        if spec.name in values or spec.has_default:
            try:
                value = converted(spec, values.get(spec.name, OMITTED), artifact)
            except Exception as error:  # noqa: BLE001  the host's code, and it may look at what is lacking
                problem = Mismatch(refusal(error))
                if spec.name in values:
                    errors.append(plan.note(problem, spec))
        object.__setattr__(artifact, spec.name, value)
    forget_hash(artifact)
    if errors:
        raise plan.group(errors)
    return artifact
