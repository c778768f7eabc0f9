"""
The words of the lenient syntax: white space and comments, names, strings, numbers and other scalars.

Each is read from where the reader stands, forward only, so every text takes linear time.
"""

from __future__ import annotations

import re
from typing import Any

from .numbers import number_from_text

__all__ = ["CutError", "StoppedError", "Tokens", "quote_pairs", "unescape"]

#: What closes a string, by what opened it. A straight quote closes on itself alone.
quote_pairs: dict[str, str] = {
    '"': '"',
    "'": "'",
    "\u201c": "\u201d",  # left, right double
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",  # low double: German closes on the left one
    "\u201f": "\u201d",
    "\u2018": "\u2019",  # left, right single
    "\u2019": "\u2019",
    "\u201a": "\u2018\u2019",  # low single
    "\u201b": "\u2019",
    "\u2033": "\u2033",  # double prime
    "\u2032": "\u2032",  # prime
}
_DOUBLE_CLOSERS = '"\u201d'

_SPACE = re.compile(r"[\s\ufeff]*")
_LINE_END = re.compile(r"[\n\r\u2028\u2029]")
_NAME = re.compile(r"(?:[^\W\d]|\$)[\w$\u200c\u200d]*")
#: An ASCII hyphen, or the dashes and the minus sign that typography puts in its place.
_DASHES = "\u2010\u2011\u2013\u2212"
_NUMBER = re.compile(
    rf"[-+{_DASHES}]?(?:0[xX][0-9a-fA-F]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    rf"(?![\w.$+\-{_DASHES}])"
)
#: A number without its end, at the end of a text.
_CUT_NUMBER = re.compile(
    rf"[-+{_DASHES}]?(?:0[xX]|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)[eE][-+]?|\.)\Z"
)
_SIGNED_WORD = re.compile(rf"[-+{_DASHES}](?:NaN|Infinity)(?![\w$])")
_PLAIN_STRING = {quote: re.compile(rf"{quote}([^{quote}\\]*){quote}") for quote in "\"'"}
_STRING = {
    opener: re.compile(rf"{opener}([^{closers}\\]*(?:\\.[^{closers}\\]*)*)[{closers}]", re.DOTALL)
    for opener, closers in quote_pairs.items()
}
_RESCUE = re.compile(
    rf"(?:[^\\{_DOUBLE_CLOSERS}]|\\.|[{_DOUBLE_CLOSERS}](?![\s\ufeff]*[,:\]}}]))*", re.DOTALL
)
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})"
    r"|x([0-9a-fA-F]{2})|(\r\n|.))",
    re.DOTALL,
)
_SHORT_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_CONTINUATIONS = ("\n", "\r\n", "\r", "\u2028", "\u2029")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
}
_LONGEST_WORD = len("+Infinity")


class StoppedError(Exception):
    """The text stops being JSON at the scanner's position."""


class CutError(Exception):
    """The text ends inside a token."""


class Tokens:
    """
    Reads one text word by word.

    Attributes:
        text: The text.
        pos: Where the reader stands.
        fault: What is wrong inside a word, when something is; the first thing only.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.fault = ""
        self._never_again: set[str] = set()

    def skip(self) -> None:
        """Move past white space and comments; the text may end there."""
        text = self.text
        while True:
            self.pos = _end_of(_SPACE, text, self.pos)
            if self.pos >= len(text):
                raise CutError
            if text[self.pos] == "#" or text.startswith("//", self.pos):
                end = _LINE_END.search(text, self.pos)
                self.pos = end.start() if end else len(text)
            elif text.startswith("/*", self.pos):
                close = text.find("*/", self.pos + 2)
                if close < 0:
                    raise CutError
                self.pos = close + 2
            elif text[self.pos] == "/" and self.pos + 1 == len(text):  # a comment that has just begun
                raise CutError
            else:
                return

    def take_name(self, char: str) -> str:
        if char in quote_pairs:
            return self.string(char)
        match = _NAME.match(self.text, self.pos)
        if match is None:
            raise StoppedError
        self.pos = match.end()
        return match.group()

    def scalar(self) -> Any:
        text, pos = self.text, self.pos
        match = _NUMBER.match(text, pos)
        if match is not None:
            self.pos = match.end()
            return number_from_text(_ascii_sign(match.group()))
        match = _SIGNED_WORD.match(text, pos)
        if match is not None:
            self.pos = match.end()
            return float(_ascii_sign(match.group()))
        match = _NAME.match(text, pos)
        if match is None or match.group() not in _WORDS:
            raise CutError if _is_cut_scalar(text, pos) else StoppedError
        self.pos = match.end()
        return _WORDS[match.group()]

    def string(self, opener: str) -> str:
        plain = _PLAIN_STRING.get(opener)
        match = plain.match(self.text, self.pos) if plain else None
        if match is not None:
            self.pos = match.end()
            return self._checked(match.group(1))
        raw = self._raw_string(opener)
        if "\\" in raw:
            try:
                raw = unescape(raw)
            except ValueError as error:
                self.fault = self.fault or str(error)
        return self._checked(raw)

    def _checked(self, string: str) -> str:
        if not string.isascii() and _SURROGATE.search(string):
            self.fault = self.fault or "a string holds half of a surrogate pair"
        return string

    def _raw_string(self, opener: str) -> str:
        """Return the string's text as written, escapes and all, and move past its closing quote."""
        if opener not in self._never_again:
            match = _STRING[opener].match(self.text, self.pos)
            if match is not None:
                self.pos = match.end()
                return match.group(1)
            self._never_again.add(opener)
        if opener in "'\u2018\u2019\u201a\u201b\u2032" or "rescue" in self._never_again:
            raise CutError
        return self._rescued_string()

    def _rescued_string(self) -> str:
        """
        Read a string whose own closing quote never comes.

        A model that opens with one kind of double quote at times closes with another: the string then
        ends at the first double quote of any kind that stands where a string can end.
        """
        start = self.pos + 1
        end = _end_of(_RESCUE, self.text, start)
        closer = self.text[end : end + 1]
        if closer in ("", "\\") or (closer == "\u201d" and "\u201c" in self.text[start:end]):
            self._never_again.add("rescue")  # the end of the text, or of a quotation inside the string
            raise CutError
        self.pos = end + 1
        return self.text[start:end]


def _end_of(pattern: re.Pattern[str], text: str, pos: int) -> int:
    """Return the end of the match at *pos* of a pattern that may match nothing."""
    match = pattern.match(text, pos)
    return pos if match is None else match.end()


def _ascii_sign(text: str) -> str:
    return f"-{text[1:]}" if text[0] in _DASHES else text


def _is_cut_scalar(text: str, pos: int) -> bool:
    """Return whether *text* ends in a word or number that begins at *pos* and goes on."""
    word = text[pos : pos + _LONGEST_WORD]
    if pos + len(word) == len(text):
        is_signed = word[0] in "-+" or word[0] in _DASHES
        words = ("NaN", "Infinity") if is_signed else _WORDS
        if any(known.startswith(word[is_signed:]) for known in words):
            return True
    return _CUT_NUMBER.match(text, pos) is not None


def unescape(raw: str) -> str:
    """
    Return a string's text with its escapes undone: those of JSON and JSON5, any other by its character.

    Raises:
        ValueError: If a Unicode escape is cut short.
    """
    return _ESCAPE.sub(_unescaped, raw)


def _unescaped(match: re.Match[str]) -> str:
    high, low, unit, byte, char = match.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    if unit is not None or byte is not None:
        return chr(int(unit or byte, 16))
    if char == "u":
        msg = "an escape \\u without four hexadecimal digits"
        raise ValueError(msg)
    return "" if char in _CONTINUATIONS else _SHORT_ESCAPES.get(char, char)
