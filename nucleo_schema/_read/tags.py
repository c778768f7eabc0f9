"""Tags: the Literal member that tells the classes of a union apart."""

from __future__ import annotations

from typing import Any

from .._declare.classes import ClassSpec
from .._declare.forms import LiteralForm
from .choices import choice_reader
from .mismatch import Mismatch

__all__ = ["TagMismatchError", "find_tag", "tag_key"]


class TagMismatchError(Mismatch):
    """A tag names no member; the path of the problem ends in the tag's wire name."""

    def __init__(self, wire_name: str, message: str, text: str) -> None:
        super().__init__(text)
        self.wire_name = wire_name
        self.message = message


def find_tag(specs: list[ClassSpec]) -> tuple[str, Any, dict[Any, set[Any]]] | None:
    """Return the wire name, reader and table of the Literal member that tells *specs* apart, if any does."""
    if len(specs) < 2:  # noqa: PLR2004
        return None
    for name in specs[0].by_wire_name:
        tags = [_tags_of(spec, name) for spec in specs]
        table: dict[Any, set[Any]] = {}
        for spec, values in zip(specs, tags, strict=True):
            for tag in values:
                table.setdefault(tag_key(tag), set()).add(spec.annotation)
        if all(tags) and all(len(annotations) == 1 for annotations in table.values()):
            reader, _ = choice_reader(LiteralForm(None, tuple(tag for values in tags for tag in values)))
            return name, reader, table
    return None


def _tags_of(spec: ClassSpec, name: str) -> tuple[Any, ...]:
    """Return the values of the Literal member *name*; none when there is no such member."""
    field = spec.by_wire_name.get(name)
    return field.form.values if field is not None and isinstance(field.form, LiteralForm) else ()


def tag_key(tag: Any) -> tuple[type[Any], Any]:
    return type(tag), tag
