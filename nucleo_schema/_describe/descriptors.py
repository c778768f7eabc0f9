"""The records of a description: what the walk gives, and what both renderings take."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Mapping
from typing import Any, cast
from weakref import WeakKeyDictionary

from attrs import field, frozen

from .._dialects.record import STANDARD, Dialect, checked
from .._wording import found, listed
from ..errors import InvalidInputError
from ..keywords import TYPE_ALIAS, for_model
from .json_schema import render_json_schema
from .notation import render_notation
from .shapes import ChoiceShape, ObjectShape, ReferenceShape, Shape, by_reference, iter_shapes, label_of

__all__ = ["ClassDefinition", "FieldDescriptor"]


@frozen(eq=False)
class FieldDescriptor:
    """
    One member of a class, as both renderings see it.

    Attributes:
        name: The attribute's name in Python.
        wire_name: The member's name in JSON.
        prose: The authored description, or ``Field <wire_name>``.
        shape: What the member holds.
        required: Whether the model must give it.
    """

    name: str
    wire_name: str
    prose: str
    shape: Shape = field(repr=False)
    required: bool
    _examples: tuple[Any, ...] = field(default=(), alias="examples")
    _keywords: Mapping[str, Any] = field(factory=dict, alias="keywords")

    @property
    def examples(self) -> tuple[Any, ...]:
        """Values to take as a pattern, in wire form, for the member or for what it holds; a copy."""
        return copy.deepcopy(self._examples)

    @property
    def keywords(self) -> dict[str, Any]:
        """The ``x-nucleo-*`` keywords of the member; a copy."""
        return copy.deepcopy(dict(self._keywords))

    @property
    def description(self) -> str:
        """The prose with a ``(REQUIRED)`` token for a required field and an ``[Examples: ...]`` suffix."""
        token = " (REQUIRED)" if self.required else ""
        shown = ", ".join(_shown(example) for example in self._examples)
        return f"{self.prose}{token}{f' [Examples: {shown}]' if shown else ''}"

    @property
    def offered(self) -> Shape:
        """What a model is to write, which is an artifact wherever the member's keyword says so."""
        return by_reference(self.shape) if TYPE_ALIAS in self._keywords else self.shape

    @property
    def type_label(self) -> str:
        """The words for the type in the notation."""
        return label_of(self.offered)

    @property
    def enum_values(self) -> tuple[Any, ...] | None:
        """The values of the choice that the member is or holds, in wire form; None when there is none."""
        return next(
            (shape.values for shape in iter_shapes(self.shape) if isinstance(shape, ChoiceShape)), None
        )

    @property
    def definition(self) -> ClassDefinition | None:
        """The class that the member is or holds, described in full; None when there is none."""
        found = next((s.definition for s in iter_shapes(self.shape) if isinstance(s, ObjectShape)), None)
        return cast("ClassDefinition | None", found)

    @property
    def reference(self) -> str | None:
        """The name of the class that the member comes back to; None when it closes no cycle."""
        return next((s.name for s in iter_shapes(self.shape) if isinstance(s, ReferenceShape)), None)


def _shown(example: Any) -> str:
    return example if isinstance(example, str) else json.dumps(example, ensure_ascii=False)


@frozen(eq=False)
class ClassDefinition:
    """
    One class, as both renderings see it. It pickles as what describes its class anew.

    Attributes:
        cls: The class, parametrized where it was.
        name: The simple name.
        description: The words of ``@described`` or the docstring.
        fields: The members on the wire by their wire names, in declaration order.
        is_artifact: Whether the class is an artifact, which a model is offered by its reference alone.
        type_alias: The alias of an artifact class, ``artifact`` where it has none; None for other classes.
        definitions: The classes that references in this description name.
    """

    cls: Any = field(repr=False)
    name: str
    description: str
    fields: Mapping[str, FieldDescriptor] = field(repr=False)
    is_artifact: bool = False
    type_alias: str | None = None
    definitions: Mapping[str, ClassDefinition] = field(factory=dict, repr=False)

    def llm_schema(self) -> dict[str, Any]:
        """Return the description in the @-notation; the result is the caller's to change."""
        return _copied(self, "notation", lambda: render_notation(self))

    def json_schema(
        self, descriptions: Mapping[str, str] | None = None, *, dialect: Dialect = STANDARD
    ) -> dict[str, Any]:
        """
        Return the JSON Schema (draft 2020-12); the result is the caller's to change.

        Args:
            descriptions: Words that replace the descriptions of members of this class, by wire name.
            dialect: In whose terms it is. All but ``STANDARD`` are for models: artifacts are references.

        Raises:
            InvalidInputError: If a name is not that of a member.
            SchemaError: If the dialect cannot express the class; the message names the class and the field.
        """
        if checked(dialect).model_facing:
            return self._in(dialect, descriptions)
        if not descriptions:
            return _copied(self, "json schema", lambda: render_json_schema(self, {}))
        strangers = [name for name in descriptions if name not in self.fields]
        if strangers:
            members = f"members of {self.name}: {listed(self.fields)}"
            msg = f"descriptions: found {listed(strangers)}, expected {members}"
            raise InvalidInputError(msg)
        for name, text in descriptions.items():
            if not isinstance(text, str):
                msg = f"descriptions[{name!r}]: found {found(text)}, expected text"
                raise InvalidInputError(msg)
        return _copied(None, "", lambda: render_json_schema(self, descriptions))

    def _in(self, dialect: Dialect, descriptions: Mapping[str, str] | None) -> dict[str, Any]:
        def render() -> dict[str, Any]:
            return for_model(self.json_schema(descriptions), dialect=dialect)

        return render() if descriptions else _copied(self, dialect, render)

    def to_llm_schema(self) -> str:
        """Return the description in the @-notation, as JSON text indented by two spaces."""
        return _text(self.llm_schema())

    def to_json_schema(
        self, descriptions: Mapping[str, str] | None = None, *, dialect: Dialect = STANDARD
    ) -> str:
        """Return what ``json_schema`` does, as JSON text indented by two spaces."""
        return _text(self.json_schema(descriptions, dialect=dialect))


_RENDERED: WeakKeyDictionary[ClassDefinition, dict[str | Dialect, bytes]] = WeakKeyDictionary()


def _copied(
    owner: ClassDefinition | None, name: str | Dialect, render: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return a copy of a rendering, which is made once for each owner."""
    rendered = {} if owner is None else _RENDERED.setdefault(owner, {})
    if name not in rendered:
        rendered[name] = pickle.dumps(render(), pickle.HIGHEST_PROTOCOL)
    schema: dict[str, Any] = pickle.loads(rendered[name])  # noqa: S301  our own bytes
    return schema


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=2)
