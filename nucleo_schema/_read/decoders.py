"""Compiled decoders: how a whole text is read in no time, where what they take is what the syntax has."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pyjson5

from .numbers import MOST_HEX_DIGITS

__all__ = ["MAX_DEPTH", "decode_strict"]

#: Nesting beyond this many levels is refused: nobody answers so, and recursive code must follow.
MAX_DEPTH = 1000

#: A single-quoted string or a comment, among text whose double-quoted strings were taken out.
_ASIDE = re.compile(r"'[^'\0]*['\0]?|//[^\n\r\u2028\u2029\0]*\0?|/\*[^*\0]*(?:\*(?!/)[^*\0]*)*(?:\*/|\0)?")
_LINE_COMMENT = re.compile(r"//[^\n\r\u2028\u2029\0]*\0?")
_LINE_BREAKS_AND_CUT = "\n\r\u2028\u2029\0"
#: What stands between words. Any other character stays in its word, which is then no sound number.
_PUNCTUATION = dict.fromkeys(map(ord, "{}[]:,\0\ufeff"), " ")
#: A number whose value pyjson5 gets right: it takes ``1_0``, ``0e`` and ``.1.`` too, and ``-0e0`` as 0.
_SOUND_NUMBER = re.compile(
    rf"(?![-+]?[0.]+[eE])[-+]?(?:0[xX][0-9a-fA-F]{{1,{MOST_HEX_DIGITS}}}|NaN|Infinity"
    r"|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
)
_NUMBER_STARTS = frozenset("-+.0123456789")


def decode_strict(text: str) -> tuple[Any, str] | None:
    """
    Return the value of a text that a compiled decoder reads as a whole, and which one did, or None.

    orjson takes strict JSON, and pyjson5 JSON5. What pyjson5 takes beyond that is left to the scanner.
    """
    try:
        return orjson.loads(text), "json"
    except ValueError:
        pass
    try:
        text.encode()  # half of a surrogate pair has no encoding; orjson's attempt left the bytes cached
    except UnicodeEncodeError:
        return None
    try:
        value = pyjson5.decode(text, MAX_DEPTH - 1)
    except (pyjson5.Json5DecoderException, RecursionError):
        return None
    return (value, "json5") if _is_sound(text) else None


def _is_sound(text: str) -> bool:
    """
    Return whether a text that pyjson5 accepts holds only what our own syntax has, to the same effect.

    False is always safe. The text outside strings and comments is all that matters; where a quote inside
    a comment or another string makes it hard to tell which that is, the answer is False.
    """
    if "\\" in text:
        if "\0" in text:  # pyjson5 takes a NUL behind an escaped carriage return for a part of it
            return False
        text = text.replace("\\\\", "").replace('\\"', "").replace("\\'", "")
    pieces = text.split('"')
    if len(pieces) % 2 == 0:  # a quote in a comment, or in another string
        return False
    outside = "\0".join(pieces[::2])
    if "'" in outside or "/" in outside:
        outside = _without_asides(outside)
        if "'" in outside or "/" in outside:
            return False
    if "\\" in outside or not (outside.isascii() or all(map(_is_plain, set(outside)))):
        return False
    words = set(outside.translate(_PUNCTUATION).split())
    return all(_SOUND_NUMBER.fullmatch(word) for word in words if word[0] in _NUMBER_STARTS)


def _without_asides(outside: str) -> str:
    """
    Return *outside* without single-quoted strings and comments, as far as it is clear which are which.

    Quotes in pairs that stand on one line are strings, or a comment to the end of the line holds both.
    Where a comment may end within a line, or a pair spans lines, the pattern looks at them in order.
    """
    pieces = outside.split("'")
    if len(pieces) % 2 and ("*" not in outside or "/*" not in outside):  # one character is found far faster
        inside = " ".join(pieces[1::2])
        if not any(char in inside for char in _LINE_BREAKS_AND_CUT):
            return _LINE_COMMENT.sub(_aside, " ".join(pieces[::2]))
    return _ASIDE.sub(_aside, outside)


def _aside(match: re.Match[str]) -> str:
    """Return what stands for a single-quoted string or a comment: a quote where a string inside cuts it."""
    return "'" if match.group().endswith("\0") else " "


def _is_plain(char: str) -> bool:
    return char.isascii() or char.isalnum() or char.isspace() or char == "\ufeff"
