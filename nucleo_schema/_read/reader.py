"""The reader of one form: a quick way for good data, a careful one that finds all that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field
from cattrs.errors import AttributeValidationNote, IterableValidationNote

from .._wording import cut, type_name
from .modes import ReadMode

__all__ = ["Read", "Reader", "note_attribute", "note_index"]

Read = Callable[[Any, ReadMode], Any]


@define(eq=False)
class Reader:
    """
    How values of one form are read.

    The reader of a class that is still being made is handed to the classes inside it and filled in
    afterwards, so that cycles close.

    Attributes:
        quick: Returns the value, or raises anything at all at the first thing that is wrong.
        careful: Returns the same value, or raises what cattrs raises, with everything that is wrong.
        blank: Whether reading may give None for an empty text.
    """

    quick: Read
    careful: Read
    blank: bool = False
    _waiting: list[tuple[dict[str, Any], str]] = field(factory=list)

    def bind(self, namespace: dict[str, Any], name: str) -> None:
        """Make the quick way a global of generated code, now and when it is filled in."""
        namespace[name] = self.quick
        self._waiting.append((namespace, name))

    def fill(self, quick: Read, careful: Read) -> None:
        """Set both ways, for everyone who was handed this reader before."""
        self.quick, self.careful = quick, careful
        for namespace, name in self._waiting:
            namespace[name] = quick
        self._waiting.clear()


def note_attribute(error: Exception, cls: Any, name: str, annotation: Any) -> Exception:
    """Return *error* with cattrs' note of the attribute it belongs to."""
    text = f"Structuring class {type_name(cls)} @ attribute {name}"
    return _noted(error, AttributeValidationNote(text, name, annotation))


def note_index(error: Exception, where: Any, index: Any, annotation: Any) -> Exception:
    """Return *error* with cattrs' note of the element it belongs to."""
    text = f"Structuring {type_name(where)} @ index {cut(str(index))}"
    return _noted(error, IterableValidationNote(text, index, annotation))


def _noted(error: Exception, note: str) -> Exception:
    error.__notes__ = [*getattr(error, "__notes__", ()), note]
    return error
