"""From forms to readers, and from readers to the structure hooks of a converter."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Union, get_origin

import cattrs
from cattrs.errors import StructureHandlerNotFoundError

from .._building import LOCK, Epoch, made_once
from .._declare.analysis import analyze
from .._declare.classes import FieldSpec, class_spec
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
    UnsupportedAnnotationError,
)
from .._declare.leaves import SHIPPED_LEAVES
from .._forks import in_forked_children
from .._wording import qualified_name, type_name
from ..errors import SchemaError
from .artifacts import artifact_reader
from .choices import choice_reader
from .composites import make_plan
from .containers import array_reader, map_reader, tuple_reader
from .generate import generate_reader
from .modes import PLAIN, ReadMode
from .reader import Reader, filled
from .scalars import scalar_reader
from .unions import union_reader
from .untyped import foreign_reader, read_any

__all__ = ["StructureHook", "install_structure_hooks", "reader_of"]

#: Scalars whose empty text reads as null.
_BLANKABLE = frozenset(("integer", "long", "number", "date", "date-time", "decimal"))


class StructureHook:
    """
    One of our structure hooks, as cattrs calls it.

    Attributes:
        annotation: What it structures.
        reader: How; the readers around it call this and not the hook, and hand down their mode.
    """

    __slots__ = ("_converter", "annotation", "reader")

    def __init__(self, converter: cattrs.BaseConverter, annotation: Any, reader: Reader) -> None:
        self._converter = converter
        self.annotation = annotation
        self.reader = reader

    def __call__(self, value: Any, annotation: Any = None) -> Any:
        """Return *value* as an instance of the annotation, or raise what cattrs raises."""
        reader = self.reader
        if annotation is not self.annotation and annotation is not None and annotation != self.annotation:
            reader = _own_reader(self._converter, annotation)  # dispatched for a base class, such as str
        if not self._converter.detailed_validation:
            return filled(reader, reader.quick(value, PLAIN), value)
        return reader.read(value, PLAIN)


class _Builder:
    """The readers that are being made under the lock, by converter and annotation, so that cycles close."""

    def __init__(self) -> None:
        self.pending: dict[tuple[int, Any], Reader] = {}
        #: Whose readers are being made, the innermost last.
        self.converters: list[cattrs.BaseConverter] = []
        in_forked_children(self.give_up)

    def give_up(self) -> None:
        """Forget what a thread is making that is not in this process."""
        for converter in self.converters:
            _forget_hooks(converter)
        self.converters.clear()
        self.pending.clear()

    def unfilled(self, annotation: Any) -> Reader:
        """Return a reader to hand out before it is made: whoever reads with it waits until it is."""

        def wait() -> Reader:
            with LOCK:
                if reader.quick is quick:
                    msg = f"{type_name(annotation)}: its reader could not be made"
                    raise SchemaError(msg)
                return reader

        def quick(value: Any, mode: ReadMode) -> Any:
            return wait().quick(value, mode)

        def careful(value: Any, mode: ReadMode) -> Any:
            return wait().careful(value, mode)

        reader = Reader(quick, careful)
        return reader


_BUILDER = _Builder()


def install_structure_hooks(converter: cattrs.BaseConverter) -> None:
    """Register our structure hooks on *converter*; hooks that a host registers later go before them."""

    def factory(annotation: Any, converter: cattrs.BaseConverter) -> Any:
        hosts = _union_hooks(converter)
        if _is_in(annotation, hosts):
            return hosts[annotation]

        def make() -> StructureHook:
            return StructureHook(converter, annotation, _make_reader(converter, annotation))

        return made_once(converter.get_structure_hook, annotation, make)

    converter.register_structure_hook_factory(_is_ours, factory)
    for leaf in SHIPPED_LEAVES:  # cattrs or one of its preconfs dispatches some of them before any factory
        if not isinstance(converter.get_structure_hook(leaf.type), StructureHook):
            converter.register_structure_hook(leaf.type, factory(leaf.type, converter))


def _union_hooks(converter: Any) -> Mapping[Any, Any]:
    """Return the hooks that a host registered for unions, which cattrs keeps apart from all others."""
    registered: Mapping[Any, Any] = converter._union_struct_registry  # noqa: SLF001
    return registered


def _is_in(annotation: Any, registered: Mapping[Any, Any]) -> bool:
    """Return whether a host registered a hook for the union that *annotation* is."""
    return get_origin(annotation) in (Union, types.UnionType) and annotation in registered


def _is_ours(annotation: Any) -> bool:
    """Return whether we read *annotation* ourselves."""
    if annotation is Epoch:
        return True
    try:
        form = analyze(annotation)
    except (UnsupportedAnnotationError, SchemaError):
        return False
    return not isinstance(form, ScalarForm) or form.leaf.shipped


def reader_of(converter: cattrs.BaseConverter, annotation: Any) -> Reader:
    """
    Return the reader of *annotation*: ours, or one over the hook that a host registered.

    Raises:
        StructureHandlerNotFoundError: If nobody can read it.
        SchemaError: If a class in it cannot be read.
    """
    with LOCK:
        pending = _BUILDER.pending.get((id(converter), annotation))
        if pending is not None:
            return pending
        hook = converter.get_structure_hook(annotation)
    if isinstance(hook, StructureHook):
        if hook.annotation is annotation or hook.annotation == annotation:
            return hook.reader
        return _own_reader(converter, annotation)
    return foreign_reader(hook, annotation)


def _own_reader(converter: cattrs.BaseConverter, annotation: Any) -> Reader:
    """Return our own reader of an annotation that cattrs dispatches to the hook of a base class."""
    try:
        return _make_reader(converter, annotation)
    except UnsupportedAnnotationError as error:
        msg = f"Unsupported type: {type_name(annotation)}: {error}"
        raise StructureHandlerNotFoundError(msg, annotation) from error


def _make_reader(converter: cattrs.BaseConverter, annotation: Any) -> Reader:
    key = (id(converter), annotation)
    with LOCK:
        reader = _BUILDER.pending[key] = _BUILDER.unfilled(annotation)
        _BUILDER.converters.append(converter)
        try:
            made = _by_form(converter, analyze(annotation))
        except BaseException:
            _forget_hooks(converter)  # those made on the way hold this reader, which nobody will fill
            raise
        finally:
            del _BUILDER.pending[key]
            _BUILDER.converters.pop()
        reader.blank, reader.item = made.blank, made.item
        reader.fill(made.quick, made.careful)
    return reader


def _forget_hooks(converter: Any) -> None:
    converter._structure_func.dispatch.cache_clear()  # noqa: SLF001  what cattrs does when a hook is registered


def _by_form(converter: cattrs.BaseConverter, form: Form) -> Reader:
    if isinstance(form, AnyForm):
        return Reader(read_any, read_any)
    if isinstance(form, ScalarForm):
        read = scalar_reader(form)
        return Reader(read, read, blank=form.leaf.label in _BLANKABLE or form.width is not None)
    if isinstance(form, (EnumForm, LiteralForm)):
        read, _ = choice_reader(form)
        return Reader(read, read)
    if isinstance(form, CompositeForm):
        return _composite(converter, form)
    return _by_parts(converter, form)


def _by_parts(
    converter: cattrs.BaseConverter, form: ArrayForm | TupleForm | MapForm | NullableForm | UnionForm
) -> Reader:
    def part(inner: Form) -> Reader:
        return reader_of(converter, inner.annotation)

    if isinstance(form, NullableForm):
        return _nullable(part(form.inner))
    if isinstance(form, ArrayForm):
        return array_reader(form, part(form.item))
    if isinstance(form, TupleForm):
        return tuple_reader(form, [part(item) for item in form.items])
    if isinstance(form, MapForm):
        plain_keys = isinstance(form.key, AnyForm) or (
            isinstance(form.key, ScalarForm) and form.key.leaf.type is str
        )
        plain_keys = plain_keys and isinstance(
            converter.get_structure_hook(form.key.annotation), StructureHook
        )
        return map_reader(form, part(form.key), part(form.value), plain_keys=plain_keys)
    return union_reader(form, [part(member) for member in form.members])


def _nullable(inner: Reader) -> Reader:
    def quick(value: Any, mode: ReadMode) -> Any:
        return None if value is None else inner.quick(value, mode)

    def careful(value: Any, mode: ReadMode) -> Any:
        return None if value is None else inner.careful(value, mode)

    return Reader(quick, careful)


def _composite(converter: cattrs.BaseConverter, form: CompositeForm) -> Reader:
    spec = class_spec(form.annotation)
    ours: dict[str, bool] = {}

    prefers_converters = bool(getattr(converter, "_prefer_attrib_converters", False))

    def field_reader(field: FieldSpec) -> Reader:
        if prefers_converters and field.converter is not None:
            ours[field.name] = False
            return reader_of(converter, Any)
        try:
            reader = reader_of(converter, field.annotation)
        except (StructureHandlerNotFoundError, TypeError) as error:
            msg = (
                f"{qualified_name(spec.cls)}.{field.name}: found annotation {type_name(field.annotation)}, "
                f"{field.fault or error}"
            )
            raise SchemaError(msg) from error
        ours[field.name] = _is_own_hook(converter, field)
        return reader

    closed = bool(getattr(converter, "forbid_extra_keys", False))  # a cattrs.Converter has it
    plan = make_plan(spec, field_reader, closed=closed)
    quick = generate_reader(plan, inline=lambda field: ours[field.spec.name])
    reader = Reader(quick, plan.careful)
    if spec.is_artifact:
        return artifact_reader(plan, reader, lambda cls: reader_of(converter, cls))
    return reader


def _is_own_hook(converter: cattrs.BaseConverter, field: FieldSpec) -> bool:
    """Return whether the type tests of a field may be written out: nobody else reads any part of it."""
    form = field.form
    parts = [field.annotation]
    while isinstance(form, (NullableForm, ArrayForm)):
        form = form.inner if isinstance(form, NullableForm) else form.item
        parts.append(form.annotation)
    return form is not None and all(
        (id(converter), part) in _BUILDER.pending
        or isinstance(converter.get_structure_hook(part), StructureHook)
        for part in parts
    )
