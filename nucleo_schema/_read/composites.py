"""Composites: what generated readers share, and the careful way that finds everything wrong."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import attrs
from attrs import frozen
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError

from .._declare.classes import ABSENT, ClassSpec, FieldSpec, simple_name
from .._declare.forms import (
    AnyForm,
    ArrayForm,
    CompositeForm,
    EnumForm,
    Form,
    LiteralForm,
    MapForm,
    NullableForm,
    ScalarForm,
    TupleForm,
    UnionForm,
)
from .._declare.naming import snake_case
from .._wording import cut, found, listed, qualified_name, type_name
from ..errors import SchemaError
from .choices import wire_choices
from .containers import ENTRIES, as_object
from .mismatch import Mismatch
from .modes import PLAIN, ReadMode
from .reader import Reader, class_error, note_attribute

__all__ = [
    "OMITTED",
    "CompositePlan",
    "FieldPlan",
    "MissingError",
    "converted",
    "expected_of",
    "make_plan",
    "refusal",
    "refuse_empty",
    "without_echo",
]

_ZEROS: dict[Any, Any] = {int: 0, float: 0.0, bool: False}
#: The words for what stands in the place of a value.
_INSTEAD_NULL, _INSTEAD_BLANK = " (found null)", ' (found "")'
_FIELDS_ECHO = "@fields"
_REFERENCE_ECHO = "@ref"


@frozen(eq=False, repr=False)
class FieldPlan:
    """
    How one member is read.

    Attributes:
        spec: The member.
        reader: The reader of its values.
        when_absent: Gives what stands for an absent member, or raises.
        when_null: Gives what stands for null.
        when_blank: Gives what stands for an empty text that is no text, such as that of a number.
    """

    spec: FieldSpec
    reader: Reader
    when_absent: Callable[[], Any]
    when_null: Callable[[], Any]
    when_blank: Callable[[], Any]

    @property
    def is_needed(self) -> bool:
        """Whether an absent member is a problem."""
        spec = self.spec
        has_fallback = spec.has_default or spec.argument is None or spec.info.required is False
        return not (has_fallback or spec.optional)

    @property
    def null_is_absent(self) -> bool:
        """Whether null tells absence where every member is required: untyped null is a text there."""
        form = self.spec.form
        inner = form.inner if isinstance(form, NullableForm) else form
        return self.spec.has_default and isinstance(inner, AnyForm)

    def read(self, value: Any, mode: ReadMode) -> Any:
        """Return the attribute for *value*, which may be ABSENT, or raise all that is wrong with it."""
        if value is ABSENT:
            give, instead = self.when_absent, ""
        elif value is None:
            asked = self.null_is_absent and mode.has_texts and mode.dialect and mode.dialect.all_required
            give, instead = (self.when_absent if asked else self.when_null), _INSTEAD_NULL
        else:
            result = self.reader.careful(value, mode)
            if result is not None or not self.reader.blank:
                return result
            give, instead = self.when_blank, _INSTEAD_BLANK
        try:
            return give()
        except MissingError:
            raise _missing(self.spec, instead, mode) from None


@frozen(eq=False, repr=False)
class CompositePlan:
    """
    How instances of one composite are read.

    Attributes:
        spec: The class.
        fields: Its members, in declaration order.
        wire_names: Their wire names.
        own_init: Whether the class wrote its constructor itself, so that absent arguments are left out.
        closed: Whether a member that the class does not declare is a problem.
    """

    spec: ClassSpec
    fields: tuple[FieldPlan, ...]
    wire_names: frozenset[str]
    own_init: bool
    closed: bool = False

    # What generated readers call

    def as_object(self, value: Any, mode: ReadMode) -> tuple[dict[str, Any], ReadMode]:
        """Return *value* as a dict where it can stand for one, with the mode to read that in."""
        return as_object(value, self.spec.name, mode)

    def without_echo(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the instance that *data* encodes in the schema's own shape, or *data*."""
        return without_echo(data, self.spec.name, self.wire_names)

    def with_stand_ins(self, data: dict[str, Any]) -> dict[str, Any] | None:
        """
        Return *data* with the members that stand in for absent ones under their wire names.

        None when nothing stands in for anything.

        Raises:
            ClassValidationError: If two members would stand in for one.
        """
        stand_ins: dict[str, list[str]] = {}
        for key in data:
            if isinstance(key, str) and key not in self.wire_names:
                name = snake_case(key)
                if name in self.wire_names and name not in data:
                    stand_ins.setdefault(name, []).append(key)
        if not stand_ins:
            return None
        errors = [self._twofold(name, keys) for name, keys in stand_ins.items() if len(keys) > 1]
        if errors:
            raise self.group(errors)
        return {**data, **{name: data[keys[0]] for name, keys in stand_ins.items()}}

    def _twofold(self, name: str, keys: list[str]) -> Exception:
        error = Mismatch(f"found members {listed(keys)}, expected {name} once")
        return self.note(error, self.spec.by_wire_name[name])

    def completed(self, data: dict[str, Any]) -> dict[str, Any]:
        """
        Return *data* with what stands in for the absent members.

        Raises:
            Mismatch: If nothing does.
        """
        renamed = self.with_stand_ins(data)
        if renamed is None:
            needed = (plan.spec.wire_name for plan in self.fields if plan.is_needed)
            names = [name for name in needed if name not in data]
            raise Mismatch(f"missing {listed(names)} in {found(data)}")
        return renamed

    def refuse_strangers(self, data: dict[str, Any], mode: ReadMode) -> None:
        """Raise what cattrs raises when *data* has members that are no one's."""
        strangers = [key for key in data if not self._is_known(str(key), mode)]
        if strangers:
            msg = (
                f"found unknown members {listed(strangers)}, expected only {listed(sorted(self.wire_names))}"
            )
            raise ForbiddenExtraKeysError(msg, self.spec.cls, set(strangers))

    def _is_known(self, key: str, mode: ReadMode) -> bool:
        is_notation = mode.echoes and key.startswith("@")
        return is_notation or key in self.wire_names or snake_case(key) in self.wire_names

    # The careful way

    def careful(self, value: Any, mode: ReadMode) -> Any:
        """Return the instance, or raise everything that is wrong with it."""
        if isinstance(value, self.spec.cls):
            return value
        data, mode = (value, mode) if type(value) is dict else self.as_object(value, mode)
        if mode.echoes:
            data = self.without_echo(data)
        data = self.with_stand_ins(data) or data
        values: dict[str, Any] = {}
        errors: list[Exception] = []
        if self.closed:
            try:
                self.refuse_strangers(data, mode)
            except ForbiddenExtraKeysError as error:
                errors.append(error)
        for plan in self.fields:
            spec = plan.spec
            try:
                value = values[spec.name] = plan.read(data.get(spec.wire_name, ABSENT), mode)
                if mode.demanding and spec.required:
                    refuse_empty(spec, value, mode)
            except Exception as error:  # noqa: BLE001  a host's hook may raise anything
                errors.append(self.note(self._with_strangers(error, data), spec))
        return self._instance(values, errors)

    def _with_strangers(self, error: Exception, data: dict[str, Any]) -> Exception:
        """Name the unknown members beside a missing one: a model may have misspelled it."""
        if isinstance(error, MissingError):
            strangers = [key for key in data if key not in self.wire_names and not str(key).startswith("@")]
            if strangers:
                return MissingError(f"{error} (unknown members: {listed(strangers, most=5)})")
        return error

    def note(self, error: Exception, spec: FieldSpec) -> Exception:
        """Return *error* with the note of the attribute it belongs to."""
        return note_attribute(error, self.spec.cls, spec.name, spec.annotation)

    def group(self, errors: list[Exception]) -> Exception:
        """Return the group of *errors* that cattrs raises for a class."""
        return class_error(self.spec.name, errors, self.spec.cls)

    def _instance(self, values: dict[str, Any], errors: list[Exception]) -> Any:
        failure: Exception = Mismatch("")
        if not errors:
            try:
                return self.construct(values)
            except ClassValidationError:
                raise
            except Exception as error:  # noqa: BLE001  converters, validators and hooks raise anything
                failure = error
        found_errors = errors + self._refusals(values, complete=not errors)
        raise self.group(found_errors or [Mismatch(refusal(failure))])

    def construct(self, values: Mapping[str, Any]) -> Any:
        """Return an instance with *values* by attribute name; those that are OMITTED take their default."""
        arguments: dict[str, Any] = {}
        later: dict[str, Any] = {}
        open_fields: list[FieldSpec] = []
        for plan in self.fields:
            value = values[plan.spec.name]
            if value is not OMITTED:
                target = later if plan.spec.argument is None else arguments
                target[plan.spec.argument or plan.spec.name] = value
            elif plan.spec.argument is None and not plan.spec.has_default:
                open_fields.append(plan.spec)
        instance = self.spec.cls(**arguments)
        for name, value in later.items():
            object.__setattr__(instance, name, value)
        self._settle(instance, open_fields)
        return instance

    def _settle(self, instance: Any, specs: list[FieldSpec]) -> None:
        """Set those attributes that neither the value nor the class itself has set."""
        errors: list[Exception] = []
        for spec in specs:
            if hasattr(instance, spec.name):
                continue
            if spec.optional or spec.info.required is False:
                object.__setattr__(instance, spec.name, None if spec.optional else _zero_of(spec))
            else:
                errors.append(self.note(_missing(spec), spec))
        if errors:
            raise self.group(errors)

    def _refusals(self, values: dict[str, Any], *, complete: bool) -> list[Exception]:
        """Return what each converter and each validator has against *values*, not only the first."""
        bare = object.__new__(self.spec.cls)
        errors: list[Exception] = []
        specs = [plan.spec for plan in self.fields if plan.spec.name in values]
        for spec in specs:
            try:
                object.__setattr__(bare, spec.name, converted(spec, values[spec.name], bare))
            except Exception as error:  # noqa: BLE001, PERF203
                errors.append(self.note(Mismatch(refusal(error)), spec))
                complete = False
        for spec in specs:
            value = getattr(bare, spec.name, ABSENT)
            if value is ABSENT:
                continue
            for validator in () if attrs.validators.get_disabled() else spec.validators:
                try:
                    validator(bare, spec.attribute, value)
                except AttributeError as error:  # noqa: PERF203  it looks at a member that did not read
                    if complete:
                        errors.append(self.note(Mismatch(refusal(error)), spec))
                except Exception as error:  # noqa: BLE001
                    errors.append(self.note(Mismatch(refusal(error)), spec))
        return errors


def refuse_empty(spec: FieldSpec, value: Any, mode: ReadMode = PLAIN) -> None:
    """Raise the problem of a required member when its *value* is None, a blank text or left to a default."""
    if value is OMITTED:
        value = spec.default
    if value is None or value is ABSENT or (isinstance(value, str) and not value.strip()):
        what = "blank" if isinstance(value, str) else "missing"
        raise Mismatch(f"required but {what}, expected {expected_of(spec, mode)}")


def without_echo(data: Mapping[str, Any], name: str, wire_names: frozenset[str]) -> dict[str, Any]:
    """Return what stands in *data* under ``@fields``, or under the *name* of its type, or *data* itself."""
    result = dict(data) if type(data) is not dict else data
    for _ in range(2):  # the type's name around the schema's own shape, or the other way round
        if _FIELDS_ECHO in result and _FIELDS_ECHO not in wire_names:
            result, _ = as_object(result[_FIELDS_ECHO], f"object under {_FIELDS_ECHO}", PLAIN)
            continue
        inner = result.get(name) if len(result) == 1 else None
        if not isinstance(inner, Mapping) or name in wire_names or snake_case(name) in wire_names:
            break
        result = dict(inner)
    return result


class MissingError(Mismatch):
    """A required member is absent."""


def _missing(spec: FieldSpec, instead: str = "", mode: ReadMode = PLAIN) -> MissingError:
    """Return the problem of a member, with the words for what stands *instead* of its value."""
    return MissingError(f"missing, expected {expected_of(spec, mode)}{instead}")


class _Omitted:
    """The type of ``OMITTED``: let the constructor make the default."""


OMITTED: Any = _Omitted()


def converted(spec: FieldSpec, value: Any, bare: Any) -> Any:
    """Return *value*, or the default where it is OMITTED, as the attrs converter makes it for *bare*."""
    if value is OMITTED:
        value = _default_of(spec, bare)
    if spec.converter is None:
        return value
    if isinstance(spec.converter, attrs.Converter):
        return _full_converter(spec.converter, bare, spec.attribute, value)
    return spec.converter(value)


def _full_converter(converter: Any, bare: Any, attribute: Any, value: Any) -> Any:
    """Call an attrs converter that may take the instance and the attribute besides the value."""
    extra = [bare] if converter.takes_self else []
    if converter.takes_field:
        extra.append(attribute)
    return converter.converter(value, *extra)


def _default_of(spec: FieldSpec, bare: Any) -> Any:
    if spec.factory is None:
        return spec.default
    return spec.factory(bare) if spec.takes_self else spec.factory()


def refusal(error: Exception) -> str:
    """Return the bounded text of what a converter, validator or constructor raised."""
    if isinstance(error, RecursionError):
        raise error  # the stack ran out: nothing is wrong with the value yet
    text = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
    return cut(text or type(error).__name__, 200)


def expected_of(spec: FieldSpec, mode: ReadMode = PLAIN) -> str:
    """Return the word for what a member holds, for messages: for what it is where it was read."""
    form = spec.form.inner if isinstance(spec.form, NullableForm) else spec.form
    return type_name(spec.annotation) if form is None else _expected(form, mode)


def _expected(form: Form, mode: ReadMode) -> str:
    if isinstance(form, UnionForm):
        words = dict.fromkeys(_expected(member, mode) for member in form.members)
        return " or ".join(sorted(words, key=lambda word: word == ENTRIES))  # the longest comes last
    if mode.has_entries and isinstance(form, MapForm):
        return ENTRIES
    return "JSON text" if mode.has_texts and isinstance(form, AnyForm) else _EXPECTED[type(form)](form)


def _choices(form: Any) -> str:
    return f"one of {listed(wire_choices(form))}"


_EXPECTED: dict[type[Any], Callable[[Any], str]] = {
    AnyForm: lambda _form: "a value",
    ScalarForm: lambda form: "integer" if form.leaf.type is int else str(form.leaf.label),
    EnumForm: _choices,
    LiteralForm: _choices,
    ArrayForm: lambda _form: "array",
    TupleForm: lambda _form: "array",
    MapForm: lambda _form: "object",
    CompositeForm: lambda form: simple_name(form.annotation),
}


def make_plan(spec: ClassSpec, reader_for: Callable[[FieldSpec], Reader], *, closed: bool) -> CompositePlan:
    """
    Return the plan of a composite; one that is *closed* takes no members but those it declares.

    Raises:
        SchemaError: If the constructor needs an argument that is off the wire, or no field at all.
    """
    for hidden in spec.hidden:
        if hidden.argument is not None and not hidden.has_default:
            place = f"{type_name(spec.cls)}.{hidden.name}"
            msg = f"{place}: found a field off the wire without a default, expected one"
            raise SchemaError(msg)
    _refuse_strange_arguments(spec)
    fields = tuple(
        FieldPlan(field, reader_for(field), _when_absent(field), _when_null(field), _when_blank(field))
        for field in spec.fields
    )
    wire_names = frozenset(field.wire_name for field in spec.fields)
    return CompositePlan(spec, fields, wire_names, _writes_own_init(spec.cls), closed=closed)


def _refuse_strange_arguments(spec: ClassSpec) -> None:
    """Refuse a class whose constructor needs what is no field, such as an InitVar: no reply could fill it."""
    init: Any = spec.cls.__init__
    known = {field.argument for field in spec.declared}
    for parameter in [*inspect.signature(init).parameters.values()][1:]:
        is_variadic = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if parameter.default is parameter.empty and not is_variadic and parameter.name not in known:
            place = f"{qualified_name(spec.cls)}.__init__"
            msg = (
                f"{place}: found the argument {parameter.name}, which is no field, expected a default for it"
            )
            raise SchemaError(msg)


def _writes_own_init(cls: type[Any]) -> bool:
    if dataclasses.is_dataclass(cls) and not attrs.has(cls):
        parameters: Any = vars(cls).get("__dataclass_params__")
        return parameters is not None and not parameters.init
    return hasattr(cls, "__attrs_init__")


def _when_absent(spec: FieldSpec) -> Callable[[], Any]:
    return _without_value(spec, "", admits_none=spec.optional)


def _when_null(spec: FieldSpec) -> Callable[[], Any]:
    if spec.nullable:
        return lambda: None
    return _without_value(spec, _INSTEAD_NULL, admits_none=False)


def _when_blank(spec: FieldSpec) -> Callable[[], Any]:
    return _without_value(spec, _INSTEAD_BLANK, admits_none=spec.nullable)


def _zero_of(spec: FieldSpec) -> Any:
    return _ZEROS.get(spec.form.leaf.type) if isinstance(spec.form, ScalarForm) else None


def _without_value(spec: FieldSpec, instead: str, *, admits_none: bool) -> Callable[[], Any]:
    """Return what gives the value of a member that was not given."""
    if spec.has_default or spec.argument is None:
        return lambda: OMITTED
    if admits_none:
        return lambda: None
    if spec.info.required is False:
        zero = _zero_of(spec)
        return lambda: zero

    def raise_missing() -> Any:
        raise _missing(spec, instead)

    return raise_missing
