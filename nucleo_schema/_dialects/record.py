"""The record of a dialect, and those that are shipped: differences are data, not branches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import attrs
from attrs import field, frozen

from .._wording import found
from ..errors import InvalidInputError

__all__ = [
    "ANTHROPIC",
    "ANTHROPIC_STRICT",
    "DIALECTS",
    "GEMINI",
    "OPENAI",
    "OPENAI_STRICT",
    "PORTABLE",
    "STANDARD",
    "Api",
    "Dialect",
    "checked",
]

#: The programming interfaces whose objects for tools and answers are known.
Api = Literal["mcp", "chat", "responses", "messages", "gemini"]

#: Names that no consumer takes amiss, at any level.
_SAFE_NAMES = r"[A-Za-z_][A-Za-z0-9_.-]{0,63}"

#: The keywords that narrow a value down and that every local decoder takes, or passes over unharmed.
_REFINEMENTS = frozenset(
    {
        *("title", "examples", "format", "pattern", "minLength", "maxLength", "contentEncoding"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"),
    }
)
_FORMATS = frozenset({"date", "date-time", "time", "uuid"})
_STRICT_FORMATS = _FORMATS | {"duration", "email", "hostname", "ipv4", "ipv6"}
_SCALARS = frozenset({"string", "integer", "number", "boolean"})


def _check(holds: Callable[[Any], bool], expected: str) -> Any:
    """Return an attrs validator that refuses what does not hold."""

    def validate(_instance: Any, attribute: Any, value: Any) -> None:
        if not holds(value):
            msg = f"Dialect.{attribute.name}: found {found(value)}, expected {expected}"
            raise InvalidInputError(msg)

    return validate


def _one_of(*ways: str) -> Any:
    return _check(lambda value: isinstance(value, str) and value in ways, f"one of {', '.join(ways)}")


def _is_pattern(value: Any) -> bool:
    try:
        return value is None or (isinstance(value, str) and bool(re.compile(value)))
    except re.error:
        return False


def _is_node(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(keyword, str) for keyword in value)


_TEXT = _check(lambda value: isinstance(value, str) and bool(value), "text")
_FLAG = _check(lambda value: isinstance(value, bool), "True or False")
_TEXTS = _check(
    lambda value: isinstance(value, frozenset) and all(isinstance(item, str) for item in value),
    "a frozenset of text",
)
_LIMIT = _check(
    lambda value: value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0),
    "a whole number from 0, or None",
)


@frozen(kw_only=True, repr=False)
class Dialect:
    """
    What one reader of JSON Schema takes: so what becomes of a schema, and how answers to it are read.

    The defaults are those of ``PORTABLE``. A host derives its own with ``attrs.evolve``. A value that means
    nothing is an InvalidInputError.

    Attributes:
        name: The name in messages and on the command line.
        model_facing: Whether a schema is rewritten at all; otherwise it is the canonical one, as it is.
        maps: Maps are ``objects``, or arrays of ``entries``, objects with a key and a value.
        untyped: Untyped places are of all ``types`` by name, ``open`` without a type, or JSON ``text``.
        open_map: The node for a map whose values are untyped, where maps are objects.
        all_required: Whether every property is required, and null stands for one that is left out.
        recursion: References that come back are ``free``, only behind ``optional`` properties, or ``none``.
        property_ordering: Whether objects list their properties under ``propertyOrdering``.
        keywords: The keywords beside structure that may stay; the others are told in the description.
        formats: The values of ``format`` that may stay.
        lookaround: Whether a ``pattern`` may look around, or back at what it has matched.
        max_min_items: The largest ``minItems`` that may stay; None for any.
        enum_types: The types whose values may be listed under ``enum``.
        property_names: The pattern that names of properties match as a whole; None for any.
        max_depth: Objects within objects, the outermost counted; None, here and below, for no limit.
        max_properties: Properties in all.
        max_optional: Properties that are not required, in all.
        max_unions: Properties with alternatives, in all.
        max_enum_values: Values under ``enum``, in all.
        max_chars: Characters of names and values under ``enum``, in all.
        max_enum_chars: Characters of the values of an ``enum`` with more than 250.
        api: The interface whose objects ``tool_definition`` and ``answer_format`` make by default.
        strict: Whether those objects ask the provider to hold the model to the schema.
    """

    name: str = field(validator=_TEXT)
    model_facing: bool = field(default=True, validator=_FLAG)
    maps: Literal["objects", "entries"] = field(default="objects", validator=_one_of("objects", "entries"))
    untyped: Literal["types", "open", "text"] = field(
        default="types", validator=_one_of("types", "open", "text")
    )
    open_map: Mapping[str, Any] = field(
        factory=lambda: {"type": "object"},
        hash=False,
        validator=_check(_is_node, "a node of a schema, as a mapping"),
    )
    all_required: bool = field(default=False, validator=_FLAG)
    recursion: Literal["free", "optional", "none"] = field(
        default="free", validator=_one_of("free", "optional", "none")
    )
    property_ordering: bool = field(default=False, validator=_FLAG)
    keywords: frozenset[str] = field(default=_REFINEMENTS, validator=_TEXTS)
    formats: frozenset[str] = field(default=_FORMATS, validator=_TEXTS)
    lookaround: bool = field(default=True, validator=_FLAG)
    max_min_items: int | None = field(default=None, validator=_LIMIT)
    enum_types: frozenset[str] = field(default=_SCALARS, validator=_TEXTS)
    property_names: str | None = field(
        default=_SAFE_NAMES, validator=_check(_is_pattern, "a regular expression, or None")
    )
    max_depth: int | None = field(default=None, validator=_LIMIT)
    max_properties: int | None = field(default=None, validator=_LIMIT)
    max_optional: int | None = field(default=None, validator=_LIMIT)
    max_unions: int | None = field(default=None, validator=_LIMIT)
    max_enum_values: int | None = field(default=None, validator=_LIMIT)
    max_chars: int | None = field(default=None, validator=_LIMIT)
    max_enum_chars: int | None = field(default=None, validator=_LIMIT)
    api: Api = field(default="mcp", validator=_one_of(*get_args(Api)))
    strict: bool = field(default=False, validator=_FLAG)

    def __attrs_post_init__(self) -> None:
        """Refuse a dialect for programs that would have answers read as if they were a model's."""
        if not self.model_facing and self.rewrites_instances:
            msg = (
                f"Dialect.model_facing: found False for {self.name}, which changes answers, expected True: "
                "the canonical schema is that of the canonical form"
            )
            raise InvalidInputError(msg)

    @property
    def rewrites_instances(self) -> bool:
        """Whether an instance in its terms differs from the canonical one, so that reading undoes it."""
        return self.maps == "entries" or self.untyped == "text" or self.all_required

    def __repr__(self) -> str:
        """Return the name alone: the rest is long, and most of it is shared."""
        return f"Dialect(name={self.name!r})"


def checked(dialect: Any) -> Dialect:
    """
    Return *dialect*.

    Raises:
        InvalidInputError: If it is none.
    """
    if isinstance(dialect, Dialect):
        return dialect
    msg = f"dialect: found {found(dialect)}, expected a Dialect, such as dialects.PORTABLE"
    raise InvalidInputError(msg)


#: The canonical schema, with everything that the host is told; nothing is rewritten.
STANDARD = Dialect(name="STANDARD", model_facing=False)

#: What every local decoder and every client of MCP takes.
PORTABLE = Dialect(name="PORTABLE")

#: Functions and answers of OpenAI without ``strict``.
OPENAI = attrs.evolve(
    PORTABLE,
    name="OPENAI",
    untyped="open",  # with every type named, "array" among them would need items
    open_map={"type": "object", "properties": {}, "additionalProperties": True},
    api="chat",
)

#: Functions and answers of OpenAI with ``strict``.
OPENAI_STRICT = attrs.evolve(
    OPENAI,
    name="OPENAI_STRICT",
    maps="entries",
    untyped="text",
    all_required=True,
    keywords=_REFINEMENTS - {"examples", "contentEncoding"},
    formats=_STRICT_FORMATS,
    lookaround=False,
    max_depth=10,
    max_properties=5_000,
    max_enum_values=1_000,
    max_chars=120_000,
    max_enum_chars=15_000,
    strict=True,
)

#: Tools of Anthropic without ``strict``.
ANTHROPIC = attrs.evolve(PORTABLE, name="ANTHROPIC", api="messages")

#: Structured outputs and strict tools of Anthropic.
ANTHROPIC_STRICT = attrs.evolve(
    ANTHROPIC,
    name="ANTHROPIC_STRICT",
    maps="entries",
    untyped="text",
    recursion="none",
    keywords=frozenset({"title", "format", "pattern", "minItems"}),
    formats=_STRICT_FORMATS | {"uri"},
    lookaround=False,
    max_min_items=1,
    max_optional=24,
    max_unions=16,
    strict=True,
)

#: Functions and answers of Gemini, in the fields that take JSON Schema.
GEMINI = attrs.evolve(
    PORTABLE,
    name="GEMINI",
    untyped="open",
    recursion="optional",
    property_ordering=True,
    keywords=frozenset({"title", "format", "minimum", "maximum", "minItems", "maxItems"}),
    enum_types=frozenset({"string", "integer", "number"}),
    api="gemini",
)

#: The shipped dialects by their names.
DIALECTS: Mapping[str, Dialect] = {
    dialect.name: dialect
    for dialect in (STANDARD, PORTABLE, OPENAI, OPENAI_STRICT, ANTHROPIC, ANTHROPIC_STRICT, GEMINI)
}
