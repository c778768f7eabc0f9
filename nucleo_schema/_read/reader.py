"""The reader of one form: a quick way for good data, a careful one that finds all that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field
from cattrs.errors import (
    AttributeValidationNote,
    ClassValidationError,
    IterableValidationError,
    IterableValidationNote,
)

from .._wording import cut, type_name
from ..errors import SchemaError
from .mismatch import mismatch
from .modes import ReadMode
from .stack import TooDeepError, on_fresh_stack

__all__ = ["Read", "Reader", "class_error", "filled", "iterable_error", "note_attribute", "note_index"]

#: cattrs' groups take the class besides what exception groups take, which type checkers do not see.
_CLASS_ERROR: Any = ClassValidationError
_ITERABLE_ERROR: Any = IterableValidationError

Read = Callable[[Any, ReadMode], Any]


@define(eq=False, repr=False)
class Reader:
    """
    How values of one form are read.

    The reader of a class that is still being made is handed to the classes inside it and filled in
    afterwards, so that cycles close.

    Attributes:
        quick: Returns the value, or raises anything at all at the first thing that is wrong.
        careful: Returns the same value, or raises what cattrs raises, with everything that is wrong.
        blank: Whether reading may give None for an empty text.
        item: The reader of the items, where the value is a plain list of what that reader gives.
        kinds: The opening brackets of what can fill the form, once somebody asked.
    """

    quick: Read
    careful: Read
    blank: bool = False
    item: Reader | None = None
    kinds: frozenset[str] | None = None
    _waiting: list[tuple[dict[str, Any], str]] = field(factory=list)

    def read(self, value: Any, mode: ReadMode) -> Any:
        """
        Return *value*, which nobody has read yet, in a place that cannot be null: quickly, else with care.

        Raises:
            Exception: What cattrs raises, with everything that is wrong.
            RecursionError: If it is nested too deeply.
        """
        try:
            return self._read(value, mode)
        except TooDeepError:
            raise
        except RecursionError:
            pass
        return on_fresh_stack(self._read, value, mode)

    def _read(self, value: Any, mode: ReadMode) -> Any:
        if self.quick is not self.careful:
            try:
                return filled(self, self.quick(value, mode), value)
            except RecursionError:
                raise
            except Exception:  # noqa: BLE001, S110  whatever it is, the careful way says it better
                pass
        return filled(self, self.careful(value, mode), value)

    def careful_only(self) -> Reader:
        """Return a reader for values that the quick way has failed on already."""
        return Reader(self.careful, self.careful, blank=self.blank)

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


def filled(reader: Reader, result: Any, value: Any) -> Any:
    """Return *result*, what *reader* made of *value* in a place that cannot be null."""
    if result is None and reader.blank:
        raise mismatch(value, "a value")
    return result


def class_error(name: str, errors: list[Exception], cls: Any) -> Exception:
    """Return the group of *errors* that cattrs raises for a class."""
    group: Exception = _CLASS_ERROR(f"While structuring {name}", errors, cls)
    return group


def iterable_error(annotation: Any, errors: list[Exception]) -> Exception:
    """Return the group of *errors* that cattrs raises for a collection."""
    group: Exception = _ITERABLE_ERROR(f"While structuring {type_name(annotation)}", errors, annotation)
    return group


def note_attribute(error: Exception, cls: Any, name: str, annotation: Any) -> Exception:
    """Return *error* with cattrs' note of the attribute it belongs to."""
    text = f"Structuring class {type_name(cls)} @ attribute {name}"
    return _noted(error, AttributeValidationNote(text, name, annotation))


def note_index(error: Exception, where: Any, index: Any, annotation: Any) -> Exception:
    """Return *error* with cattrs' note of the element it belongs to."""
    text = f"Structuring {type_name(where)} @ index {cut(str(index))}"
    return _noted(error, IterableValidationNote(text, index, annotation))


def _noted(error: Exception, note: str) -> Exception:
    if isinstance(error, (RecursionError, SchemaError)):
        raise error  # the stack ran out, or a class cannot be read: nothing is wrong with the value
    error.__notes__ = [*getattr(error, "__notes__", ()), note]
    return error
