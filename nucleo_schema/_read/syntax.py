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

from attrs import define, frozen

from .._wording import found
from .decoders import MAX_DEPTH, decode_strict
from .tokens import CutError, StoppedError, Tokens, quote_pairs

__all__ = ["Broken", "Scan", "Scanner", "Span", "decode_whole"]

_CLOSER_OF = {"{": "}", "[": "]"}
_OPENER_OF = {"}": "{", "]": "["}
_BRACKET = re.compile(r"[\[\]{}]")

_LINE_BREAKS = "\n\r\u2028\u2029"

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


class Scanner(Tokens):
    """Reads one text; see the module's description."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.stack: list[_Frame] = []
        self.spans: list[Span] = []
        self.broken: list[Broken] = []
        #: Where the next brackets are, by kind; -1 for none, and -2 before they were looked for.
        self._next_openers = dict.fromkeys(_CLOSER_OF, -2)
        self._zones: list[tuple[str, Broken | None]] = []
        self._zone_counts = {"{": 0, "[": 0}
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
        except CutError:
            return
        except StoppedError:
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
                raise StoppedError
            frame.expects, frame.has_member = _VALUE, True
            self.pos += 1
            return None
        elif frame.opener == "{" and expects != _VALUE:
            if char != "}":
                frame.name, frame.expects = self.take_name(char), _COLON
                return None
        elif char != "]" or expects == _VALUE:
            self._value(char)
            return None
        return self._close(char)

    def _close(self, char: str) -> Span:
        frame = self.stack[-1]
        if char != _CLOSER_OF[frame.opener]:
            raise StoppedError
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

    def _value(self, char: str) -> None:
        if char in _CLOSER_OF:
            self._open()
            return
        self._store(self.string(char) if char in quote_pairs else self.scalar())

    # The quick way

    def _quick_span(self) -> bool:
        """
        Let a compiled decoder read the bracket at hand, where its end can be told without scanning.

        A slice that a strict decoder accepts as a whole, and that ends in the bracket which closes it, is one
        balanced span of the lenient syntax too, so the result is what the scanner would have found. The
        number of attempts is bounded, so that the time stays linear.
        """
        text, start = self.text, self.pos
        if self._attempts <= 0 or not _stands_alone(text, start):
            return False
        self._attempts -= 1
        closer = _CLOSER_OF[text[start]]
        fence = _fence_after(text, start)
        ends = {text.rfind(closer, start), text.rfind(closer, start, fence) if fence >= 0 else -1}
        for end in sorted(ends - {-1}):
            piece = text[start : end + 1]
            decoded = decode_strict(piece)
            if decoded is not None and not (decoded[1] == "json5" and _ends_in_comment(piece)):
                self.pos = end + 1
                self.spans.append(Span(start, end + 1, text[start], decoded[0], loose=decoded[1]))
                return True
        return False


def _ends_in_comment(piece: str) -> bool:
    """Return whether the last bracket of a whole JSON5 text stands in a line comment behind what it holds."""
    last_line = max(map(piece.rfind, _LINE_BREAKS)) + 1
    return piece.find("//", last_line) >= 0 and decode_strict(piece[:-1]) is not None


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


def decode_whole(text: str) -> Span | str:
    """Return the one value that is all of *text*, read with the lenient syntax, or what is wrong with it."""
    scanner = Scanner(text)
    holder = _Frame("[", -1, [], _VALUE)
    scanner.stack = [holder]
    try:
        while holder.expects != _COMMA or len(scanner.stack) > 1:
            scanner.step()
        scanner.skip()
    except StoppedError:
        pass
    except CutError:
        if holder.expects == _COMMA and len(scanner.stack) == 1 and scanner.pos >= len(text):
            return Span(0, len(text), "", holder.holds[0], fault=scanner.fault)
        return f"the text ends early, at character {len(text)}"
    near = found(text[scanner.pos : scanner.pos + 20]).removeprefix("string ")
    return f"no JSON at character {scanner.pos}, near {near}"
