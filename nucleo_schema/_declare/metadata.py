"""The words of a declaration: what ``meta``, ``described`` and ``type_alias`` record on a class."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TypeVar

from attrs import field, frozen

from .._wording import found, type_name
from ..errors import SchemaError

__all__ = [
    "METADATA_KEY",
    "FieldInfo",
    "Int32",
    "Int64",
    "Summarizable",
    "SummarySize",
    "Width",
    "alias_generation",
    "authored_description",
    "described",
    "field_info",
    "meta",
    "own_type_alias",
    "type_alias",
]

#: The key of our record in an attrs (or dataclass) metadata mapping.
METADATA_KEY = "nucleo_schema"

_DESCRIPTION = "__nucleo_description__"
_TYPE_ALIAS = "__nucleo_type_alias__"
_ALIASES_DECLARED = [0]

C = TypeVar("C", bound=type[Any])


class SummarySize(enum.Enum):
    """How long a summary is to be; the truncating summarizer keeps about 200, 500 or 1200 characters."""

    BRIEF = "brief"
    SHORT = "short"
    PARAGRAPHS = "paragraphs"


def _is_length(_instance: object, _attribute: object, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        msg = f"Summarizable(threshold=...): found {found(value)}, expected a number of characters"
        raise SchemaError(msg)


@frozen
class Summarizable:
    """
    Declares that a field may be shown to a model as a summary.

    Attributes:
        hint: What the text is, for whoever summarizes it, like ``"web page content"``.
        size: How long the summary is to be.
        threshold: Texts longer than this many characters are summarized; shorter ones are kept.
        llm_safe: Whether the text may be handed to a language model for summarizing.
        pre_summarized: The value is a tree whose nodes were summarized when it was made; the summaries
            are found in the artifact's cache by JSON Pointer.
        static_summary: Fixed words that stand for any long value of this field.
    """

    hint: str = ""
    size: SummarySize = field(default=SummarySize.SHORT, kw_only=True, converter=SummarySize)
    threshold: int = field(default=8000, kw_only=True, validator=_is_length)
    llm_safe: bool = field(default=True, kw_only=True)
    pre_summarized: bool = field(default=False, kw_only=True)
    static_summary: str = field(default="", kw_only=True)


@frozen
class Width:
    """The inclusive bounds of an annotated integer."""

    minimum: int
    maximum: int
    label: str


#: An ``int`` of 32 bits: published with its bounds, and held to them on reading.
Int32 = Annotated[int, Width(-(2**31), 2**31 - 1, "integer")]
#: An ``int`` of 64 bits: published with its bounds, and held to them on reading.
Int64 = Annotated[int, Width(-(2**63), 2**63 - 1, "long")]


@frozen
class FieldInfo:
    """What ``meta`` recorded for one field; see there for the meaning of each part."""

    description: str | None = None
    required: bool | None = None
    examples: tuple[Any, ...] = ()
    summarizable: Summarizable | None = None
    context_ignore: bool = False
    name: str | None = None
    ignore: bool | None = None
    type_alias: str | None = None


_PLAIN = FieldInfo()


def meta(  # noqa: PLR0913  one keyword for each thing that can be declared
    description: str | None = None,
    *,
    required: bool | None = None,
    examples: Iterable[Any] = (),
    summarizable: Summarizable | None = None,
    context_ignore: bool = False,
    name: str | None = None,
    ignore: bool | None = None,
    type_alias: str | None = None,
) -> dict[str, Any]:
    """
    Return the ``metadata`` mapping of a field, for ``attrs.field`` or ``dataclasses.field``.

    It is a plain mapping, so type checkers keep understanding the class, and it merges with a host's
    own entries: ``metadata={**meta("The title"), "mine": 1}``.

    Args:
        description: What the field holds, for the model.
        required: Whether the model must give it. When left out, a field is required exactly when it has
            no default and its type does not admit None.
        examples: Values a model may take as a pattern, in wire form or as Python objects.
        summarizable: How a long value is shortened for a model.
        context_ignore: Keep the field out of the prompt form; it stays in schemas and other writing.
        name: The wire name, instead of the attribute's name in snake_case.
        ignore: True keeps the field off the wire and out of schemas; False puts an ``init=False`` field
            on the wire.
        type_alias: The artifact alias to publish where the field's type cannot tell it.

    Raises:
        SchemaError: If an argument is of an unusable kind, or the name is blank.
    """
    for label, value, kind in (
        ("description", description, str),
        ("name", name, str),
        ("type_alias", type_alias, str),
        ("summarizable", summarizable, Summarizable),
    ):
        if value is not None and not isinstance(value, kind):
            msg = f"meta({label}=...): found {found(value)}, expected {type_name(kind)} or None"
            raise SchemaError(msg)
    if name is not None and not name.strip():
        msg = f"meta(name=...): found {found(name)}, expected the name of a member"
        raise SchemaError(msg)
    for label, flag in (("required", required), ("context_ignore", context_ignore), ("ignore", ignore)):
        if flag is not None and not isinstance(flag, bool):
            msg = f"meta({label}=...): found {found(flag)}, expected True or False"
            raise SchemaError(msg)
    if isinstance(examples, (str, bytes, Mapping)) or not isinstance(examples, Iterable):
        msg = f"meta(examples=...): found {found(examples)}, expected a list of examples"
        raise SchemaError(msg)
    info = FieldInfo(
        description, required, tuple(examples), summarizable, context_ignore, name, ignore, type_alias
    )
    return {METADATA_KEY: info}


def field_info(metadata: Mapping[Any, Any]) -> FieldInfo:
    """Return what ``meta`` recorded in *metadata*, or the record of a field that says nothing."""
    info = metadata.get(METADATA_KEY)
    return info if isinstance(info, FieldInfo) else _PLAIN


def described(text: str) -> Callable[[C], C]:
    """
    Return a class decorator that gives a class its description; it is not inherited.

    Raises:
        SchemaError: If *text* is not a string.
    """
    if not isinstance(text, str):
        msg = f"@described(...): found {found(text)}, expected the description as a string"
        raise SchemaError(msg)
    return _class_note(_DESCRIPTION, text)


def type_alias(alias: str) -> Callable[[C], C]:
    """
    Return a class decorator that declares the type alias of an artifact class; it is not inherited.

    Colons separate IS-A levels and hyphens join words: ``link:cite`` is a kind of ``link``. The class is
    registered when its alias is first needed, or by ``aliases.register`` and ``aliases.init``.

    Raises:
        SchemaError: If *alias* is not of that form.
    """
    if not isinstance(alias, str) or not _is_alias(alias):
        msg = (
            f"@type_alias(...): found {found(alias)}, expected levels of letters, digits and hyphens "
            "joined by colons, like link:cite"
        )
        raise SchemaError(msg)
    note = _class_note(_TYPE_ALIAS, alias)

    def decorate(cls: C) -> C:
        cls = note(cls)
        _ALIASES_DECLARED[0] += 1
        return cls

    return decorate


def alias_generation() -> int:
    """Return a number that grows with each declared alias, for those who looked for the classes there are."""
    return _ALIASES_DECLARED[0]


def _is_alias(text: str) -> bool:
    levels = text.split(":")
    return text.isascii() and all(level.replace("-", "").replace("_", "").isalnum() for level in levels)


def _class_note(attribute: str, value: str) -> Callable[[C], C]:
    def decorate(cls: C) -> C:
        setattr(cls, attribute, value)
        return cls

    return decorate


def authored_description(cls: type[Any]) -> str | None:
    """Return the text of ``@described`` on *cls* itself, if there is one."""
    text = cls.__dict__.get(_DESCRIPTION)
    return text if isinstance(text, str) else None


def own_type_alias(cls: type[Any]) -> str | None:
    """Return the alias that *cls* itself declares, if it does."""
    alias = cls.__dict__.get(_TYPE_ALIAS)
    return alias if isinstance(alias, str) else None
