"""Classes: the members that a composite declares, read once from attrs (or dataclass) fields."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import typing
from collections.abc import Callable, Iterator
from typing import Annotated, Any, NewType, get_args

import attrs
from attrs import frozen

from .._wording import qualified_name, type_name
from ..aliases import register_loaded
from ..errors import SchemaError
from .analysis import analyze
from .annotations import bindings_of, resolved
from .artifact import Artifact
from .forms import (
    AnyForm,
    Form,
    MalformedAnnotationError,
    NullableForm,
    UnsupportedAnnotationError,
    composite_class,
    is_null,
)
from .leaves import leaf_generation
from .metadata import FieldInfo, Int32, Int64, authored_description, field_info
from .naming import wire_name_of

__all__ = ["ABSENT", "ClassSpec", "FieldSpec", "class_spec", "forget_hash", "simple_name"]


class _Absent:
    """The type of ``ABSENT``: no value at all, which None would be."""


ABSENT: Any = _Absent()

#: attrs types the class ``Factory`` as a function.
_FACTORY_TYPE: type[Any] = type(attrs.Factory(list))


@frozen(eq=False, repr=False)
class FieldSpec:
    """
    One member of a composite, as every part of the library sees it.

    Attributes:
        name: The attribute's name.
        argument: The name of the constructor's argument for it; None when there is none.
        wire_name: The member's name in JSON.
        annotation: The resolved annotation.
        form: Its form; None where the annotation has none and only the host's hooks can tell.
        fault: Why the annotation has no form.
        info: What ``meta`` recorded.
        required: Whether the model must give it.
        nullable: Whether its type admits None.
        default: The default value, or ABSENT.
        factory: What makes the default, when it is made anew each time.
        takes_self: Whether the factory is given the unfinished instance.
        kw_only: Whether the constructor takes it by keyword only.
        converter: The attrs converter, if any.
        validators: The attrs validators, one by one.
    """

    name: str
    argument: str | None
    wire_name: str
    annotation: Any
    form: Form | None
    fault: str
    info: FieldInfo
    required: bool
    nullable: bool
    default: Any
    factory: Callable[..., Any] | None
    takes_self: bool
    kw_only: bool
    converter: Any
    validators: tuple[Callable[[Any, Any, Any], Any], ...]
    attribute: Any

    @property
    def optional(self) -> bool:
        """Whether its type is Optional, or None alone: absence then means None."""
        return isinstance(self.form, NullableForm) or is_null(self.form)

    @property
    def has_default(self) -> bool:
        """Whether the class can do without a value."""
        return self.default is not ABSENT or self.factory is not None


@frozen(eq=False, repr=False)
class ClassSpec:
    """
    A composite: its name, its description and its members.

    Attributes:
        annotation: The class, parametrized where it was.
        cls: The class itself.
        name: The simple name, with the arguments of a parametrized generic.
        description: The words of ``@described`` or the class's own docstring.
        fields: The members on the wire, in declaration order.
        hidden: The attributes that are off the wire.
        declared: Both, in declaration order.
        is_artifact: Whether it derives from ``Artifact``.
    """

    annotation: Any
    cls: type[Any]
    name: str
    description: str
    fields: tuple[FieldSpec, ...]
    hidden: tuple[FieldSpec, ...]
    declared: tuple[FieldSpec, ...]
    is_artifact: bool

    @property
    def by_wire_name(self) -> dict[str, FieldSpec]:
        """The members on the wire by their names there."""
        return {spec.wire_name: spec for spec in self.fields}


def simple_name(annotation: Any) -> str:
    """Return the simple name of a class; a parametrized generic is named with its arguments."""
    if not get_args(annotation):
        return type_name(annotation)
    parts = [_name_part(part) for part in _name_parts(annotation)]
    return "_".join(part for part in parts if part)


def _name_parts(annotation: Any) -> Iterator[str]:
    args, cls = get_args(annotation), composite_class(annotation)
    if typing.get_origin(annotation) is Annotated:
        widths = [name for name, width in (("Int32", Int32), ("Int64", Int64)) if annotation == width]
        yield from widths or _name_parts(args[0])
        return
    if isinstance(annotation, NewType):
        yield annotation.__name__
    elif args and cls is not None:
        yield cls.__name__
    elif args:
        yield type_name(typing.get_origin(annotation))
    else:
        yield type_name(annotation)
    for arg in args:
        yield from _name_parts(arg)


def _name_part(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")


def class_spec(annotation: Any) -> ClassSpec:
    """
    Return the record of a composite, made once for each class.

    Raises:
        SchemaError: If two of its fields travel under one name, or an annotation cannot be resolved.
    """
    return _class_spec(annotation, leaf_generation())


@functools.cache
def _class_spec(annotation: Any, _generation: int) -> ClassSpec:
    cls = composite_class(annotation)
    if cls is None:
        msg = f"found {type_name(annotation)}, expected an attrs class or a dataclass"
        raise SchemaError(msg)
    if get_args(annotation) and any(type(p).__name__ == "TypeVarTuple" for p in _parameters(cls)):
        msg = f"{qualified_name(cls)}: found a variadic generic with arguments, expected type variables only"
        raise SchemaError(msg)
    bindings = bindings_of(annotation)
    fields: list[FieldSpec] = []
    hidden: list[FieldSpec] = []
    declared: list[FieldSpec] = []
    for attribute in _attributes(cls):
        spec = _field_spec(cls, attribute, bindings)
        declared.append(spec)
        (fields if _is_on_wire(spec.info, attribute) else hidden).append(spec)
    _refuse_shared_names(cls, fields)
    if issubclass(cls, Artifact):
        register_loaded(cls)
    return ClassSpec(
        annotation,
        cls,
        simple_name(annotation),
        _class_description(cls),
        tuple(fields),
        tuple(hidden),
        tuple(declared),
        issubclass(cls, Artifact),
    )


def _parameters(cls: type[Any]) -> tuple[Any, ...]:
    return getattr(cls, "__parameters__", ())


def _attributes(cls: type[Any]) -> tuple[Any, ...]:
    return attrs.fields(cls) if attrs.has(cls) else dataclasses.fields(cls)


def _is_on_wire(info: FieldInfo, attribute: Any) -> bool:
    if info.ignore is not None:
        return not info.ignore
    return bool(attribute.init)


def _refuse_shared_names(cls: type[Any], fields: list[FieldSpec]) -> None:
    seen: dict[str, FieldSpec] = {}
    for spec in fields:
        other = seen.setdefault(spec.wire_name, spec)
        if other is not spec:
            msg = (
                f"{qualified_name(cls)}: fields {other.name} and {spec.name} both travel as "
                f"{spec.wire_name!r}. Give one another name with meta(name=...)."
            )
            raise SchemaError(msg)


def _class_description(cls: type[Any]) -> str:
    text = authored_description(cls)
    if text is None:
        text = cls.__dict__.get("__doc__")
        if text is not None and dataclasses.is_dataclass(cls) and text.startswith(f"{cls.__name__}("):
            text = None  # what the dataclass decorator wrote: the signature
    text = inspect.cleandoc(text).strip() if text else ""
    return text or f"Schema of {cls.__name__}"


def _field_spec(cls: type[Any], attribute: Any, bindings: dict[type[Any], dict[Any, Any]]) -> FieldSpec:
    info = field_info(attribute.metadata)
    annotation, form, fault = attribute.type, None, "it is off the wire"
    if _is_on_wire(info, attribute):
        annotation = resolved(cls, attribute, bindings)
        try:
            form, fault = _form_of(annotation)
        except MalformedAnnotationError as error:
            place = f"{qualified_name(cls)}.{attribute.name}"
            msg = f"{place}: found annotation {type_name(annotation)}, {error}"
            raise SchemaError(msg) from error
    default, factory, takes_self = _default(attribute)
    nullable = isinstance(form, NullableForm) or is_null(form)
    has_default = default is not ABSENT or factory is not None
    required = info.required if info.required is not None else not (has_default or nullable)
    return FieldSpec(
        name=attribute.name,
        argument=(getattr(attribute, "alias", None) or attribute.name) if attribute.init else None,
        wire_name=wire_name_of(attribute.name) if info.name is None else info.name,
        annotation=annotation,
        form=form,
        fault=fault,
        info=info,
        required=required,
        nullable=nullable or isinstance(form, AnyForm),
        default=default,
        factory=factory,
        takes_self=takes_self,
        kw_only=bool(attribute.kw_only),
        converter=getattr(attribute, "converter", None),
        validators=_validators(getattr(attribute, "validator", None)),
        attribute=attribute,
    )


def _form_of(annotation: Any) -> tuple[Form | None, str]:
    """Return the form of an annotation, or None and why it has none."""
    try:
        return analyze(annotation), ""
    except MalformedAnnotationError:
        raise
    except UnsupportedAnnotationError as error:
        return None, str(error)


def _default(attribute: Any) -> tuple[Any, Callable[..., Any] | None, bool]:
    default = attribute.default
    if default is attrs.NOTHING or default is dataclasses.MISSING:
        factory = getattr(attribute, "default_factory", dataclasses.MISSING)
        return ABSENT, None if factory is dataclasses.MISSING else factory, False
    if isinstance(default, _FACTORY_TYPE):
        return ABSENT, default.factory, default.takes_self
    return default, None, False


def _validators(validator: Any) -> tuple[Any, ...]:
    if validator is None:
        return ()
    return tuple(getattr(validator, "_validators", (validator,)))  # what attrs.validators.and_ joined


#: Where attrs keeps a hash that it computes once.
_CACHED_HASH = "_attrs_cached_hash"


def forget_hash(obj: Any) -> None:
    """Let attrs compute the hash of *obj*, which no constructor made, where its class keeps the hash."""
    cls: Any = type(obj)
    if _keeps_hash(cls):
        object.__setattr__(obj, _CACHED_HASH, None)


@functools.cache
def _keeps_hash(cls: Any) -> bool:
    codes = (getattr(base.__dict__.get("__hash__"), "__code__", None) for base in cls.__mro__)
    return any(_CACHED_HASH in code.co_names for code in codes if code is not None)
