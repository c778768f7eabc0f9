"""Tags: the Literal member that tells the classes of a union apart."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from .._declare.classes import ClassSpec
from .._declare.forms import LiteralForm
from .._declare.naming import snake_case
from .._wording import listed
from .choices import choice_reader, wire_choices
from .mismatch import Mismatch
from .modes import ReadMode

__all__ = ["Tag", "TagMismatchError", "find_tag"]


class TagMismatchError(Mismatch):
    """A tag names no member; the path of the problem ends in the tag's wire name."""

    def __init__(self, wire_name: str, message: str) -> None:
        super().__init__(f"{wire_name}: {message}")
        self.wire_name = wire_name
        self.message = message


@frozen(eq=False)
class Tag:
    """
    What tells the classes of a union apart.

    Attributes:
        wire_name: The name of the member in JSON.
        form: Its values, in all classes.
        classes: The annotations of the class that each value names.
    """

    wire_name: str
    form: LiteralForm
    classes: dict[tuple[type[Any], Any], set[Any]]

    def named_by(self, value: dict[str, Any], mode: ReadMode) -> set[Any] | None:
        """
        Return the annotations of the class that *value* names; None when it has no tag.

        Raises:
            TagMismatchError: If its tag is that of no class.
        """
        given = value.get(self.wire_name)
        if given is None:
            spellings = [key for key in value if isinstance(key, str) and snake_case(key) == self.wire_name]
            given = value[spellings[0]] if len(spellings) == 1 else None
        if given is None:
            return None
        read, _ = choice_reader(self.form)
        try:
            return self.classes[_key_of(read(given, mode))]
        except Mismatch as error:
            raise TagMismatchError(self.wire_name, str(error)) from None

    def missing(self) -> TagMismatchError:
        """Return the problem of a value without a tag."""
        return TagMismatchError(self.wire_name, f"missing, expected one of {listed(wire_choices(self.form))}")


def find_tag(specs: list[ClassSpec]) -> Tag | None:
    """Return the Literal member that tells *specs* apart, if there is one."""
    if len(specs) < 2:  # noqa: PLR2004
        return None
    for name in specs[0].by_wire_name:
        tags = [_tags_of(spec, name) for spec in specs]
        classes: dict[tuple[type[Any], Any], set[Any]] = {}
        for spec, values in zip(specs, tags, strict=True):
            for value in values:
                classes.setdefault(_key_of(value), set()).add(spec.annotation)
        if all(tags) and all(len(annotations) == 1 for annotations in classes.values()):
            form = LiteralForm(None, tuple(value for values in tags for value in values))
            return Tag(name, form, classes)
    return None


def _tags_of(spec: ClassSpec, name: str) -> tuple[Any, ...]:
    """Return the values of the Literal member *name*; none when there is no such member."""
    field = spec.by_wire_name.get(name)
    return field.form.values if field is not None and isinstance(field.form, LiteralForm) else ()


def _key_of(value: Any) -> tuple[type[Any], Any]:
    return type(value), value
