"""Extraction: which span of a reply is the answer, if any is."""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from .._wording import found
from ..errors import ExtractionError
from .syntax import Broken, Scan, Scanner, Span

__all__ = ["ANY_KIND", "JsonProseSplit", "extract_json", "extract_json_with_prose", "find_answer"]

#: The opening brackets of both kinds of answer.
ANY_KIND = frozenset("{[")

_KIND_NAMES = {"{": "object", "[": "array"}
_FENCE_BEFORE = re.compile(r"`{2,}[ \t]*\w*\s*\Z")
_FENCE_AFTER = re.compile(r"\A\s*`{2,}")
#: A fence's opening is at most this far before the span: backticks, a language and white space.
_FENCE_CHARS = 64


@frozen
class JsonProseSplit:
    """
    A reply, taken apart.

    Attributes:
        json: The text of the answer's span; empty when there is none.
        prose: The rest, trimmed and without the fence around the span.
    """

    json: str
    prose: str


def extract_json(raw: str) -> str:
    """
    Return the text of the last top-level JSON object or array in a model's reply.

    Raises:
        ExtractionError: If there is none, or the reply was cut or broke off in the middle of one.
    """
    span = find_answer(raw, ANY_KIND)
    return raw[span.start : span.end]


def extract_json_with_prose(raw: str | None) -> JsonProseSplit:
    """
    Return the JSON of a model's reply and the prose around it.

    It never raises: where ``extract_json`` would, all of the text is prose, and None is two empty strings.
    """
    if not isinstance(raw, str):
        return JsonProseSplit("", "")
    try:
        span = find_answer(raw, ANY_KIND)
    except ExtractionError:
        return JsonProseSplit("", raw.strip())
    before, after = raw[: span.start], raw[span.end :]
    fence = _FENCE_BEFORE.search(before, max(0, len(before) - _FENCE_CHARS))
    if fence:
        before, after = before[: fence.start()], _FENCE_AFTER.sub("", after, count=1)
    parts = (before.strip(), after.strip())
    return JsonProseSplit(raw[span.start : span.end], "\n".join(part for part in parts if part))


def find_answer(raw: Any, kinds: frozenset[str]) -> Span:
    """
    Return the span of *raw* that is its answer to a target which brackets of *kinds* can fill.

    Raises:
        ExtractionError: If there is no such span, or the reply was cut or broke off inside a later one.
    """
    if not isinstance(raw, str):
        raise ExtractionError(f"found {found(raw)}, expected the reply as text")
    if not raw or raw.isspace():
        raise ExtractionError("the reply is empty")
    scan = Scanner(raw).scan()
    _refuse_cut(scan, kinds)
    answer = next((span for span in reversed(scan.spans) if span.kind in kinds), None)
    _refuse_broken(raw, scan, kinds, answer)
    if answer is None:
        last = scan.spans[-1] if scan.spans else None
        besides = f", only the {_KIND_NAMES[last.kind]} at character {last.start}" if last else ""
        raise ExtractionError(f"found no JSON {_expected(kinds)} in {len(raw)} characters of text{besides}")
    return answer


def _expected(kinds: frozenset[str]) -> str:
    return " or ".join(_KIND_NAMES[kind] for kind in sorted(kinds, reverse=True))


def _refuse_cut(scan: Scan, kinds: frozenset[str]) -> None:
    for kind, start in scan.open:
        if kind in kinds:
            raise ExtractionError(
                f"the reply ends early, inside the {_KIND_NAMES[kind]} that begins at character {start}"
            )


def _refuse_broken(raw: str, scan: Scan, kinds: frozenset[str], answer: Span | None) -> None:
    """Refuse where a broken answer has no whole one after it: an earlier draft is not the answer."""
    for broken in scan.broken:
        if broken.kind in kinds and (answer is None or not _is_after(answer, broken)):
            near = found(raw[broken.end : broken.end + 20]).removeprefix("string ")
            raise ExtractionError(
                f"the {_KIND_NAMES[broken.kind]} that begins at character {broken.start} stops being "
                f"JSON at character {broken.end}, near {near}"
            )


def _is_after(span: Span, broken: Broken) -> bool:
    """Return whether *span* comes after *broken*, and not inside it where its closing bracket was found."""
    return span.start >= (broken.end if broken.closed is None else broken.closed)
