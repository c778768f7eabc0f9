"""Ways of reading: one frozen value, handed down through every reader."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from .._dialects.record import Dialect

__all__ = ["PLAIN", "NumberTextNeeded", "ReadMode", "undoing"]


@frozen
class ReadMode:
    """
    What one way of reading does differently.

    Attributes:
        echoes: Whether a value in the schema's own shape, or under its type's name, is unwrapped.
        loose: Whether numbers came without their text, which can be had for the asking.
        json_integers: Whether the text of a loose integer other than 0 is what Python prints for it.
        by_reference: Whether what stands beside an artifact's reference is passed over.
        take: Gives the artifact for a reference, None where there is none, in a place with an annotation.
        demanding: Whether the careful way reports a required member that is None or blank, too.
        dialect: What the model was told to write otherwise, and is undone; None for the canonical form.
        asked: Whether nothing but the form of the dialect is read: no canonical form in its place, and no
            text that was encoded twice.
    """

    echoes: bool = False
    loose: bool = False
    json_integers: bool = False
    by_reference: bool = False
    take: Callable[[str | None, Any], Any] | None = None
    demanding: bool = False
    dialect: Dialect | None = None
    asked: bool = False

    @property
    def has_entries(self) -> bool:
        """Whether the model was told to write maps as arrays of entries."""
        return self.dialect is not None and self.dialect.maps == "entries"

    @property
    def has_texts(self) -> bool:
        """Whether the model was told to write untyped data as JSON text."""
        return self.dialect is not None and self.dialect.untyped == "text"

    @functools.cached_property
    def as_asked(self) -> ReadMode:
        """This mode for nothing but what the dialect asks for."""
        return evolve(self, asked=True)

    @functools.cached_property
    def exact(self) -> ReadMode:
        """This mode for values whose numbers have their text where it matters."""
        return evolve(self, loose=False, json_integers=False)

    @functools.cached_property
    def loose_json(self) -> ReadMode:
        """This mode for values that a decoder of plain JSON gave, which keeps no number's text."""
        return evolve(self, loose=True, json_integers=True)

    @functools.cached_property
    def loose_lenient(self) -> ReadMode:
        """This mode for values that a decoder of lenient syntax gave, which keeps no number's text."""
        return evolve(self, loose=True, json_integers=False)


#: Values that are all there is: Python objects, or a tree whose numbers kept their text.
PLAIN = ReadMode()


def undoing(mode: ReadMode, dialect: Dialect) -> ReadMode:
    """Return *mode* for the answers to a schema in *dialect*."""
    return evolve(mode, dialect=dialect) if dialect.rewrites_instances else mode


class NumberTextNeeded(BaseException):
    """A number's own text matters and the decoder dropped it: decode the text again with the scanner."""
