"""Numbers that remember how they were written."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["MOST_HEX_DIGITS", "WrittenFloat", "WrittenInt", "number_from_text"]


#: ``0x`` and as many digits as stay below the 4,300 decimal ones that Python converts.
MOST_HEX_DIGITS = 3_500
_MOST_HEX_CHARS = MOST_HEX_DIGITS + 2


class WrittenInt(int):
    """An integer whose text is not what Python prints for it, like ``+5`` or ``-0``."""

    text: str


class WrittenFloat(float):
    """A number with a fraction or an exponent, or one too large for an integer, with its text."""

    text: str


def number_from_text(text: str) -> Any:
    """
    Return the number that *text* spells: an int, or a float that keeps the text.

    *text* matches the number syntax of the lenient reader. A magnitude that a float cannot hold gives
    infinity, and an integer of more digits than Python converts gives a float; both keep their text, so
    that the coercions decide.
    """
    digits = text.lstrip("+-")
    if digits.isdigit() and digits.isascii():
        try:
            value = int(text)
        except ValueError:  # more digits than sys.get_int_max_str_digits() allows
            return _written(WrittenFloat(float(text)), text)
        return value if text[0] != "+" and text != "-0" else _written(WrittenInt(value), text)
    if digits[:2] in ("0x", "0X"):
        if len(digits) > _MOST_HEX_CHARS:
            return _written(WrittenFloat(math.copysign(math.inf, -(text[0] == "-"))), text)
        return _written(WrittenInt(int(text, 16)), text)
    return _written(WrittenFloat(float(text)), text)


def _written(number: Any, text: str) -> Any:
    number.text = text
    return number
