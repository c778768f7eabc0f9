"""The one walk over a declaration: from classes to descriptors, keyed on the types on the path."""

from __future__ import annotations

import copyreg
import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from .._declare.classes import ClassSpec, FieldSpec, class_spec
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
    is_composite,
)
from .._declare.leaves import leaf_generation
from .._declare.metadata import Summarizable, own_type_alias
from .._dialects.record import STANDARD, Dialect
from .._read.choices import wire_choices
from .._schemas.names import CONTEXT_IGNORE, SUMMARIZABLE, TYPE_ALIAS
from .._wording import qualified_name, type_name
from ..errors import SchemaError
from .descriptors import ClassDefinition, FieldDescriptor
from .examples import place_examples
from .json_schema import definition_key
from .shapes import (
    AnyShape,
    ArrayShape,
    ChoiceShape,
    MapShape,
    NullableShape,
    ObjectShape,
    ReferenceShape,
    ScalarShape,
    Shape,
    TupleShape,
    UnionShape,
    alias_of,
)

__all__ = ["describe", "json_schema", "llm_schema"]

#: A description beyond this many members is refused: it would fit no prompt, and its making would not end.
MAX_FIELDS = 50_000
#: A generic class that comes back to itself with other arguments this often has no end.
_MAX_SPECIALIZATIONS = 8
#: The alias of ``Artifact`` itself, and of artifact classes that declare none.
ANY_ARTIFACT = "artifact"


def describe(cls: type[Any]) -> ClassDefinition:
    """
    Return the description of a class, made once.

    Raises:
        SchemaError: If *cls* is no attrs class or dataclass, or something in it cannot be described: an
            annotation without a JSON form, two members of one name, two classes of one name, an example
            that its field cannot read.
    """
    if not is_composite(cls):
        msg = f"describe: found {type_name(cls)}, expected an attrs class or a dataclass"
        raise SchemaError(msg)
    annotation: Any = cls
    try:
        return _described(annotation, leaf_generation())
    except RecursionError:
        msg = f"{qualified_name(cls)}: nested too deeply to be described"
        raise SchemaError(msg) from None


def _reduced(definition: ClassDefinition) -> tuple[Callable[[Any], ClassDefinition], tuple[Any]]:
    """Return what describes the class of a pickled definition anew, in whatever process."""
    return describe, (definition.cls,)


copyreg.pickle(ClassDefinition, _reduced)  # here, for definitions know nothing of the walk that makes them


@functools.cache
def _described(cls: Any, _generation: int) -> ClassDefinition:
    return _Walk().definition(cls)


def llm_schema(cls: type[Any]) -> dict[str, Any]:
    """
    Return the description of a class in the @-notation, for prompts.

    Raises:
        SchemaError: As ``describe``.
    """
    return describe(cls).llm_schema()


def json_schema(
    cls: type[Any], descriptions: Mapping[str, str] | None = None, *, dialect: Dialect = STANDARD
) -> dict[str, Any]:
    """
    Return the JSON Schema (draft 2020-12) of a class, for tool definitions.

    Args:
        cls: The class.
        descriptions: Words that replace the descriptions of its own members, by wire name.
        dialect: In whose terms it is. All but ``STANDARD`` are for models: artifacts are references.

    Raises:
        SchemaError: As ``describe``, and if the dialect cannot express the class.
        InvalidInputError: If a name in *descriptions* is not that of a member.
    """
    return describe(cls).json_schema(descriptions, dialect=dialect)


class _Walk:
    """One walk; it knows the path it is on and the names it has met."""

    def __init__(self) -> None:
        self.path: list[Any] = []
        self.named: dict[str, Any] = {}
        self.keys: dict[str, Any] = {}
        self.definitions: dict[str, ClassDefinition] = {}
        self.count = 0

    def definition(self, annotation: Any) -> ClassDefinition:
        """Return the description of a class in full."""
        spec = class_spec(annotation)
        self._claim_name(spec)
        self._refuse_endless(spec)
        self.path.append(spec.annotation)
        fields = {field.wire_name: self._field(spec, field) for field in spec.fields}
        self.path.pop()
        definition = ClassDefinition(
            spec.annotation,
            spec.name,
            spec.description,
            MappingProxyType(fields),
            spec.is_artifact,
            _artifact_alias(spec),
            MappingProxyType(self.definitions),
        )
        self.definitions.setdefault(spec.name, definition)
        return definition

    def _claim_name(self, spec: ClassSpec) -> None:
        other = self.named.setdefault(spec.name, spec.annotation)
        twin = self.keys.setdefault(definition_key(spec.name), spec.annotation)
        if other is spec.annotation or other == spec.annotation:
            other = twin
        if other is not spec.annotation and other != spec.annotation:
            msg = (
                f"{qualified_name(other)} and {qualified_name(spec.annotation)} are both named {spec.name!r} "
                "in one schema, expected different simple names. Rename one."
            )
            raise SchemaError(msg)

    def _refuse_endless(self, spec: ClassSpec) -> None:
        if sum(class_spec(annotation).cls is spec.cls for annotation in self.path) >= _MAX_SPECIALIZATIONS:
            name = qualified_name(spec.cls)
            msg = f"{name}: a generic class that holds ever new forms of itself has no finite schema"
            raise SchemaError(msg)

    def _field(self, spec: ClassSpec, field: FieldSpec) -> FieldDescriptor:
        self.count += 1
        if self.count > MAX_FIELDS:
            msg = f"{qualified_name(spec.cls)}: its schema has more than {MAX_FIELDS} members, expected fewer"
            raise SchemaError(msg)
        form = _shown_form(field)
        if form is None:
            msg = (
                f"{qualified_name(spec.cls)}.{field.name}: found annotation {type_name(field.annotation)}, "
                f"{field.fault}"
            )
            raise SchemaError(msg)
        shape = self._shape(form)
        place = f"{qualified_name(spec.cls)}.{field.name}"
        shape, examples = place_examples(place, form, shape, field.info.examples)
        return FieldDescriptor(
            name=field.name,
            wire_name=field.wire_name,
            prose=(field.info.description or "").strip() or f"Field {field.wire_name}",
            shape=shape,
            required=field.required,
            examples=examples,
            keywords=_keywords(field, shape),
        )

    def _shape(self, form: Form) -> Shape:
        if isinstance(form, AnyForm):
            return AnyShape()
        if isinstance(form, ScalarForm):
            return _scalar(form)
        if isinstance(form, (EnumForm, LiteralForm)):
            values = tuple(wire_choices(form))
            return ChoiceShape(values, _json_type(values))
        if isinstance(form, CompositeForm):
            return self._composite(form)
        return self._holder(form)

    def _holder(self, form: ArrayForm | TupleForm | MapForm | NullableForm | UnionForm) -> Shape:
        if isinstance(form, ArrayForm):
            return ArrayShape(self._shape(form.item))
        if isinstance(form, MapForm):
            return MapShape(self._shape(form.key), self._shape(form.value))
        if isinstance(form, TupleForm):
            return TupleShape(tuple(self._shape(item) for item in form.items))
        if isinstance(form, NullableForm):
            return NullableShape(self._shape(form.inner))
        return UnionShape(tuple(self._shape(member) for member in form.members))

    def _composite(self, form: CompositeForm) -> Shape:
        if any(annotation is form.annotation or annotation == form.annotation for annotation in self.path):
            spec = class_spec(form.annotation)
            return ReferenceShape(spec.name, _artifact_alias(spec))
        return ObjectShape(self.definition(form.annotation))


def _artifact_alias(spec: ClassSpec) -> str | None:
    return (own_type_alias(spec.cls) or ANY_ARTIFACT) if spec.is_artifact else None


def _shown_form(field: FieldSpec) -> Form | None:
    """Return the form to describe: null is named only where it means something other than absence."""
    form = field.form
    if isinstance(form, NullableForm) and not (
        field.has_default and (field.factory or field.default is not None)
    ):
        return form.inner
    return form


def _scalar(form: ScalarForm) -> ScalarShape:
    if form.width is None:
        return ScalarShape(form.leaf.label, form.leaf.json_schema)
    bounds = {"minimum": form.width.minimum, "maximum": form.width.maximum}
    return ScalarShape(form.width.label, {**form.leaf.json_schema, **bounds})


def _json_type(values: tuple[Any, ...]) -> str | None:
    kinds = {type(value) for value in values}
    return {str: "string", int: "integer", bool: "boolean"}.get(kinds.pop()) if len(kinds) == 1 else None


def _keywords(field: FieldSpec, shape: Shape) -> dict[str, Any]:
    keywords: dict[str, Any] = {}
    if field.info.summarizable is not None:
        keywords[SUMMARIZABLE] = _summarizable(field.info.summarizable)
    if field.info.context_ignore:
        keywords[CONTEXT_IGNORE] = True
    alias = field.info.type_alias or alias_of(shape)
    if alias is not None:
        keywords[TYPE_ALIAS] = alias
    return keywords


def _summarizable(declared: Summarizable) -> dict[str, Any]:
    return {
        "hint": declared.hint,
        "size": declared.size.name,
        "threshold": declared.threshold,
        "llmSafe": declared.llm_safe,
        "preSummarized": declared.pre_summarized,
        "staticSummary": declared.static_summary,
    }
