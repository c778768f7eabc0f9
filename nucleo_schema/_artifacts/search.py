"""Searching text for text in any case, in time linear in both, with positions in the original."""

from __future__ import annotations

import array
import bisect
import itertools
from collections.abc import Iterator

__all__ = ["iter_matches"]


def iter_matches(text: str, query: str) -> Iterator[tuple[int, int]]:
    """
    Yield the start and the end of each place in *text* that is *query* in any case.

    Case is folded as Unicode has it, so that ``STRASSE`` finds ``Straße``: a match covers whole characters
    of *text*, whatever folding makes of them. Matches may overlap.
    """
    folded, needle = text.casefold(), query.casefold()
    if not needle:
        return
    if len(folded) == len(text):  # folding never shortens, so each character became one
        for start in _iter_starts(folded, needle):
            yield start, start + len(needle)
        return
    ends: array.array[int] | None = None
    for start in _iter_starts(folded, needle):
        if ends is None:
            ends = array.array("q", itertools.accumulate(len(char.casefold()) for char in text))
        first, last = bisect.bisect_right(ends, start), bisect.bisect_left(ends, start + len(needle))
        begins = (ends[first - 1] if first else 0) == start
        if begins and ends[last] == start + len(needle):
            yield first, last + 1


def _iter_starts(text: str, needle: str) -> Iterator[int]:
    """
    Yield every position of *needle* in *text*, overlapping ones too.

    ``str.find`` goes to the first occurrence, and from there the borders of the needle (Knuth, Morris and
    Pratt) lead on as long as one overlaps the next: no part of the text is looked at more than twice.
    """
    borders: list[int] | None = None
    start = text.find(needle)
    while start >= 0:
        yield start
        if borders is None:
            borders = _borders(needle)
        index = start + len(needle)
        matched = borders[-1]
        while matched and index < len(text):
            while matched and text[index] != needle[matched]:
                matched = borders[matched - 1]
            matched += text[index] == needle[matched]
            index += 1
            if matched == len(needle):
                yield index - matched
                matched = borders[-1]
        start = text.find(needle, index)


def _borders(needle: str) -> list[int]:
    """Return, for each prefix of *needle*, the length of the longest shorter one that it also ends in."""
    borders = [0]
    for char in needle[1:]:
        length = borders[-1]
        while length and needle[length] != char:
            length = borders[length - 1]
        borders.append(length + (needle[length] == char))
    return borders
