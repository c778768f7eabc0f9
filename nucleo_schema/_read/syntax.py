"""
The lenient syntax: one scanner that recognizes it, builds its values and finds the spans of a reply.

The scanner is a pushdown automaton that moves forward only, so every input takes linear time. In prose it
looks for an opening bracket; from there it reads JSON in our lenient syntax. Where the text stops being
JSON, every bracket still open was prose after all, and the scanner goes on in prose at that very place.

Accepted beyond JSON: ``//``, ``/* */`` and ``#`` comments, trailing commas, single-quoted and curly-quoted
strings, raw control characters in strings, any backslash escape, unquoted names, NaN and the infinities,
Python's True, False and None, a leading ``+`` or ``.`` in a number, and what JSON5 has besides:
hexadecimal integers, a number that ends with its point, Unicode white space.
"""

from __future__ import annotations

import re
from typing import Any

import orjson
import pyjson5
from attrs import define, frozen

from .._wording import found
from .numbers import MOST_HEX_DIGITS, number_from_text

__all__ = ["Broken", "Scan", "Scanner", "Span", "decode_strict", "decode_whole", "quote_pairs"]

#: Nesting beyond this many levels is refused: nobody answers so, and recursive code must follow.
MAX_DEPTH = 1000

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
_CLOSER_OF = {"{": "}", "[": "]"}
_OPENER_OF = {"}": "{", "]": "["}
_BRACKET = re.compile(r"[\[\]{}]")

#: What the scanner expects next in the innermost bracket.
_FIRST, _NEXT, _COLON, _VALUE, _COMMA = range(5)


@define
class _Frame:
    """A bracket that is open."""

    opener: str
    start: int
    holds: Any
    expects: int = _FIRST
    name: Any = None
    has_member: bool = False


@frozen(eq=False)
class Span:
    """
    A balanced bracket span that is JSON.

    Attributes:
        start: Index of the opening bracket.
        end: Index after the closing one.
        kind: The opening bracket.
        value: The value; meaningless when there is a fault.
        loose: The decoder that dropped the text of its numbers: json, json5, or neither.
        fault: What is wrong inside a token, when something is.
    """

    start: int
    end: int
    kind: str
    value: Any
    loose: str = ""
    fault: str = ""


@define(eq=False)
class Broken:
    """
    An opener that got as far as a first member and then stopped being JSON.

    Attributes:
        start: Index of the opening bracket.
        end: Where it stopped being JSON.
        kind: The opening bracket.
        closed: Index after the bracket that closes it all the same, once that is found.
    """

    start: int
    end: int
    kind: str
    closed: int | None = None


@frozen(eq=False)
class Scan:
    """
    All that a text holds.

    Attributes:
        spans: The top-level spans, in order.
        broken: The broken answers, in order of where they broke.
        open: The brackets still open, outermost first, as (kind, index), where the text ends.
    """

    spans: list[Span]
    broken: list[Broken]
    open: list[tuple[str, int]]


class _StoppedError(Exception):
    """The text stops being JSON at the scanner's position."""


class _CutError(Exception):
    """The text ends inside a token."""


class Scanner:
    """Reads one text; see the module's description."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.stack: list[_Frame] = []
        self.spans: list[Span] = []
        self.broken: list[Broken] = []
        self.fault = ""
        #: Where the next brackets are, by kind; -1 for none, and -2 before they were looked for.
        self._next_openers = dict.fromkeys(_CLOSER_OF, -2)
        self._zones: list[tuple[str, Broken | None]] = []
        self._zone_counts = {"{": 0, "[": 0}
        self._never_again: set[str] = set()
        self._attempts = 4

    def scan(self) -> Scan:
        """Return the spans of a reply."""
        while self._find_opener():
            if not self._quick_span():
                self._read_bracket()
        return Scan(self.spans, self.broken, [(frame.opener, frame.start) for frame in self.stack])

    # Prose

    def _find_opener(self) -> bool:
        """Move to the next opening bracket; False when there is none or the reply was cut."""
        if self.stack:
            return False
        while self._zones:
            match = _BRACKET.search(self.text, self.pos)
            if match is None:
                return False
            self.pos = match.start()
            bracket = match.group()
            if bracket in _CLOSER_OF:
                return True
            self._close_zone(_OPENER_OF[bracket])
            self.pos += 1
        return self._find_first_opener()

    def _find_first_opener(self) -> bool:
        """Move to the next opening bracket where no closing one matters; False when there is none."""
        for opener, index in self._next_openers.items():
            if -1 != index < self.pos:
                self._next_openers[opener] = self.text.find(opener, self.pos)  # far faster than a pattern
        ahead = [index for index in self._next_openers.values() if index >= 0]
        self.pos = min(ahead, default=len(self.text))
        return bool(ahead)

    def _close_zone(self, opener: str) -> None:
        """Let a closing bracket in prose close the nearest broken bracket of its kind, and those inside."""
        if not self._zone_counts[opener]:
            return
        nearest = len(self._zones) - 1
        while self._zones[nearest][0] != opener:
            nearest -= 1
        for kind, broken in self._zones[nearest:]:
            self._zone_counts[kind] -= 1
            if broken is not None:
                broken.closed = self.pos + 1
        del self._zones[nearest:]

    def _give_up(self) -> None:
        """Declare every open bracket prose; what closed inside stands."""
        for frame in self.stack:
            broken = None
            if frame.has_member:
                broken = Broken(frame.start, self.pos, frame.opener)
                self.broken.append(broken)
            self._zones.append((frame.opener, broken))
            self._zone_counts[frame.opener] += 1
        self.stack.clear()

    # Brackets

    def _read_bracket(self) -> None:
        """Read from an opening bracket until it closes, stops being JSON, or the text ends."""
        start = self.pos
        standing: list[Span] = []
        closed: Span | None = None
        self.fault = ""
        try:
            self._open()
            while self.stack:
                closed = self.step()
                if closed is not None and self.stack:
                    standing.append(closed)
        except _CutError:
            return
        except _StoppedError:
            self.spans += outermost(standing)
            self._give_up()
            return
        value = closed.value if closed is not None else None
        self.spans.append(Span(start, self.pos, self.text[start], value, fault=self.fault))

    def _open(self) -> None:
        opener = self.text[self.pos]
        holds: Any = {} if opener == "{" else []
        if len(self.stack) >= MAX_DEPTH:
            self.fault = self.fault or f"nested more than {MAX_DEPTH} levels deep"
            holds = None
        self.stack.append(_Frame(opener, self.pos, holds))
        self.pos += 1

    def step(self) -> Span | None:
        """Read one token; return the span that it closed, if it closed one."""
        self.skip()
        frame = self.stack[-1]
        char = self.text[self.pos]
        expects = frame.expects
        if expects == _COMMA:
            if char == ",":
                frame.expects = _NEXT
                frame.has_member = True
                self.pos += 1
                return None
        elif expects == _COLON:
            if char != ":":
                raise _StoppedError
            frame.expects, frame.has_member = _VALUE, True
            self.pos += 1
            return None
        elif frame.opener == "{" and expects != _VALUE:
            if char != "}":
                frame.name, frame.expects = self._name(char), _COLON
                return None
        elif char != "]" or expects == _VALUE:
            self._value(char)
            return None
        return self._close(char)

    def _close(self, char: str) -> Span:
        frame = self.stack[-1]
        if char != _CLOSER_OF[frame.opener]:
            raise _StoppedError
        self.stack.pop()
        self.pos += 1
        if self.stack:
            self._store(frame.holds)
        return Span(frame.start, self.pos, frame.opener, frame.holds, fault=self.fault)

    def _store(self, value: Any) -> None:
        frame = self.stack[-1]
        if frame.holds is None:  # too deep to be kept
            pass
        elif frame.opener == "{":
            frame.holds[frame.name] = value
        else:
            frame.holds.append(value)
        frame.expects = _COMMA

    # Tokens

    def skip(self) -> None:
        """Move past white space and comments; the text may end there."""
        text = self.text
        while True:
            self.pos = _end_of(_SPACE, text, self.pos)
            if self.pos >= len(text):
                raise _CutError
            if text[self.pos] == "#" or text.startswith("//", self.pos):
                end = _LINE_END.search(text, self.pos)
                self.pos = end.start() if end else len(text)
            elif text.startswith("/*", self.pos):
                close = text.find("*/", self.pos + 2)
                if close < 0:
                    raise _CutError
                self.pos = close + 2
            elif text[self.pos] == "/" and self.pos + 1 == len(text):  # a comment that has just begun
                raise _CutError
            else:
                return

    def _name(self, char: str) -> str:
        if char in quote_pairs:
            return self._string(char)
        match = _NAME.match(self.text, self.pos)
        if match is None:
            raise _StoppedError
        self.pos = match.end()
        return match.group()

    def _value(self, char: str) -> None:
        if char in _CLOSER_OF:
            self._open()
            return
        self._store(self._string(char) if char in quote_pairs else self._scalar())

    def _scalar(self) -> Any:
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
            raise _CutError if _is_cut_scalar(text, pos) else _StoppedError
        self.pos = match.end()
        return _WORDS[match.group()]

    def _string(self, opener: str) -> str:
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
            raise _CutError
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
            raise _CutError
        self.pos = end + 1
        return self.text[start:end]

    # The quick way

    def _quick_span(self) -> bool:
        """
        Let a compiled decoder read the bracket at hand, where its end can be told without scanning.

        A slice that a strict decoder accepts as a whole is one balanced span of the lenient syntax too, so
        the result is what the scanner would have found. The number of attempts is bounded, so that the
        time stays linear.
        """
        text, start = self.text, self.pos
        if self._attempts <= 0 or not _stands_alone(text, start):
            return False
        self._attempts -= 1
        closer = _CLOSER_OF[text[start]]
        fence = _fence_after(text, start)
        ends = {text.rfind(closer, start), text.rfind(closer, start, fence) if fence >= 0 else -1}
        for end in sorted(ends - {-1}):
            decoded = decode_strict(text[start : end + 1])
            if decoded is not None:
                self.pos = end + 1
                self.spans.append(Span(start, end + 1, text[start], decoded[0], loose=decoded[1]))
                return True
        return False


def _fence_after(text: str, start: int) -> int:
    """Return the index of the first line break before a fence from *start* on, or -1."""
    mark = text.find("`", start)  # a search for one character is many times faster
    for _ in range(8):
        if mark <= start or text.startswith("\n```", mark - 1):
            return mark - 1 if mark > start else -1
        mark = text.find("`", mark + 1)
    return text.find("\n```", mark - 1) if mark > 0 else -1


def _stands_alone(text: str, start: int) -> bool:
    """Return whether the bracket at *start* opens a line or follows a fence, as answers do."""
    before = text[max(0, start - 12) : start].rstrip(" \t")
    return not before or before[-1] in "\n\r" or "```" in before


def outermost(spans: list[Span]) -> list[Span]:
    """Return those of *spans*, given in the order they closed, that stand in no other."""
    kept: list[Span] = []
    for span in spans:
        while kept and kept[-1].start > span.start:
            kept.pop()
        kept.append(span)
    return kept


def _end_of(pattern: re.Pattern[str], text: str, pos: int) -> int:
    """Return the end of the match at *pos* of a pattern that may match nothing."""
    match = pattern.match(text, pos)
    return pos if match is None else match.end()


def _ascii_sign(text: str) -> str:
    return f"-{text[1:]}" if text[0] in _DASHES else text


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


def _is_cut_scalar(text: str, pos: int) -> bool:
    """Return whether *text* ends in a word or number that begins at *pos* and goes on."""
    word = text[pos : pos + _LONGEST_WORD]
    if word and pos + len(word) == len(text):
        is_signed = word[0] in "-+" or word[0] in _DASHES
        words = ("NaN", "Infinity") if is_signed else _WORDS
        if any(known.startswith(word[is_signed:]) for known in words):
            return True
    return _CUT_NUMBER.match(text, pos) is not None


def _is_plain(char: str) -> bool:
    return char.isascii() or char.isalnum() or char.isspace() or char == "\ufeff"


def decode_whole(text: str) -> Span | str:
    """Return the one value that is all of *text*, read with the lenient syntax, or what is wrong with it."""
    scanner = Scanner(text)
    holder = _Frame("[", -1, [], _VALUE)
    scanner.stack = [holder]
    try:
        while holder.expects != _COMMA or len(scanner.stack) > 1:
            scanner.step()
        scanner.skip()
    except _StoppedError:
        pass
    except _CutError:
        if holder.expects == _COMMA and len(scanner.stack) == 1 and scanner.pos >= len(text):
            return Span(0, len(text), "", holder.holds[0], fault=scanner.fault)
        return f"the text ends early, at character {len(text)}"
    near = found(text[scanner.pos : scanner.pos + 20]).removeprefix("string ")
    return f"no JSON at character {scanner.pos}, near {near}"
