"""Summaries: who makes them, and the custody that makes each one once."""

from __future__ import annotations

import logging
import re
import threading
import unicodedata
from abc import abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Protocol, runtime_checkable

from .._declare.artifact import Artifact, SummarizedField
from .._declare.classes import FieldSpec
from .._declare.forms import NullableForm, ScalarForm
from .._declare.metadata import Summarizable, SummarySize
from .._forks import fork_safe, in_forked_children
from .._wording import cut, found, type_name
from ..errors import SerializationError

__all__ = [
    "DEFAULT_SUMMARIZER",
    "OncePerText",
    "Summarizer",
    "TruncatingSummarizer",
    "is_text",
    "pre_summarized",
    "summary_of",
    "warn_about_missing_hint",
]

_LOGGER = logging.getLogger("nucleo_schema.summaries")

#: About how many characters of a text each size keeps.
_BUDGETS_CHARS = {SummarySize.BRIEF: 200, SummarySize.SHORT: 500, SummarySize.PARAGRAPHS: 1200}
_ZERO_WIDTH_JOINER = "\u200d"
_REGIONAL_INDICATOR = re.compile("[\U0001f1e6-\U0001f1ff]")
_JAMO_TAIL = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff]")
_HANGUL = re.compile("[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff]")
#: The combining class of the sign that joins two consonants.
_VIRAMA = 9
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")


@runtime_checkable
class Summarizer(Protocol):
    """Shortens a text for a model."""

    @abstractmethod
    def summarize(self, text: str, annotation: Summarizable | None) -> str:
        """
        Return a summary of *text*.

        Args:
            text: The whole text.
            annotation: What its field declared, if it declared anything.
        """


class TruncatingSummarizer:
    """Summarizes by cutting: the length, then the declared static summary or the beginning of the text."""

    def summarize(self, text: str, annotation: Summarizable | None) -> str:
        """
        Return ``[SUMMARY: <length> chars]`` and the static summary, or the text cut at a word boundary.

        The cut leaves about 200, 500 or 1200 characters for BRIEF, SHORT or PARAGRAPHS and ends in
        ``...``; it never parts what a reader sees as one character.
        """
        header = f"[SUMMARY: {len(text)} chars] "
        if annotation is not None and annotation.static_summary:
            return header + annotation.static_summary
        budget = _BUDGETS_CHARS[annotation.size if annotation is not None else SummarySize.SHORT]
        return header + _truncated(text, budget)


class OncePerText:
    """Summarizes for one writing: what has to be written again, with care, is not paid for again."""

    def __init__(self, summarizer: Summarizer) -> None:
        """Ask *summarizer* once for each text."""
        self._summarizer = summarizer
        self._made: dict[tuple[str, Summarizable | None], str] = {}

    def summarize(self, text: str, annotation: Summarizable | None) -> str:
        """Return the summary of *text*, as it was made the first time."""
        key = (text, annotation)
        if key not in self._made:
            self._made[key] = self._summarizer.summarize(text, annotation)
        return self._made[key]


#: Who shortens where nobody else is named.
DEFAULT_SUMMARIZER = TruncatingSummarizer()


def _truncated(text: str, budget: int) -> str:
    if len(text) <= budget:
        return text
    end = budget
    if not text[end].isspace():
        space = max((match.start() for match in re.finditer(r"\s", text[:end])), default=0)
        end = space if space > budget // 2 else _grapheme_start(text, end)
    return f"{text[:end].rstrip()}..."


def _grapheme_start(text: str, index: int) -> int:
    """Return the nearest index at or before *index* that does not stand inside a grapheme."""
    while index > 0 and _joins(text, index):
        index -= 1
    return index


def _joins(text: str, index: int) -> bool:
    """Return whether the characters around *index* belong together (after Unicode Annex 29)."""
    before, char = text[index - 1], text[index]
    if _ZERO_WIDTH_JOINER in (before, char) or _SKIN_TONES.match(char):
        return True
    if unicodedata.category(char) in ("Mn", "Me", "Mc", "Cf") or (before == "\r" and char == "\n"):
        return True
    if "\ud800" <= before <= "\udbff" and "\udc00" <= char <= "\udfff":
        return True
    if _JAMO_TAIL.match(char) and _HANGUL.match(before):
        return True
    if unicodedata.combining(before) == _VIRAMA and unicodedata.category(char) == "Lo":
        return True
    return _parts_a_flag(text, index)


def _parts_a_flag(text: str, index: int) -> bool:
    """Return whether *index* stands between the two regional indicators of one flag."""
    start = index
    while start > 0 and _REGIONAL_INDICATOR.match(text[start - 1]):
        start -= 1
    return (index - start) % 2 == 1 and bool(_REGIONAL_INDICATOR.match(text[index]))


class _InFlight:
    """Locks for the summaries that are being made, each alive only while somebody needs it."""

    def __init__(self) -> None:
        self._guard = fork_safe(threading.Lock())
        self._locks: dict[tuple[int, str], tuple[Any, int]] = {}
        in_forked_children(self._locks.clear)  # nobody summarizes there yet

    @contextmanager
    def holding(self, artifact: Artifact, name: str) -> Generator[None, None, None]:
        """Let one thread at a time summarize *name* of *artifact*."""
        key = (id(artifact), name)
        with self._guard:
            lock, users = self._locks.get(key, (threading.RLock(), 0))
            self._locks[key] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, users = self._locks.pop(key)
                if users > 1:
                    self._locks[key] = (lock, users - 1)


_IN_FLIGHT = _InFlight()


def is_text(field: FieldSpec) -> bool:
    """Return whether a field is declared as ``str``: its text is summarized even where nodes are."""
    form = field.form.inner if isinstance(field.form, NullableForm) else field.form
    return isinstance(form, ScalarForm) and form.leaf.type is str


def summary_of(owner: Any, field: FieldSpec, text: str, summarizer: Summarizer) -> str:
    """
    Return the summary of *text*, the value of *field* in *owner*; an artifact caches it.

    Raises:
        SerializationError: If the summarizer fails; the message names class and field.
    """
    if not isinstance(owner, Artifact):
        return _made(owner, field, text, summarizer)
    note = field.info.summarizable
    names = (field.wire_name, "") if note is not None and note.pre_summarized else (field.wire_name,)
    with _IN_FLIGHT.holding(owner, field.wire_name):
        for cached in map(owner.cached_summary, names):
            if cached is not None and cached.full_text == text:
                return cached.summary
        summary = _made(owner, field, text, summarizer)
        owner.cache_summary(field.wire_name, SummarizedField(text, summary))
        return summary


def _made(owner: Any, field: FieldSpec, text: str, summarizer: Summarizer) -> str:
    place = f"{type(owner).__name__}.{field.name}"
    try:
        summary = summarizer.summarize(text, field.info.summarizable)
    except Exception as error:
        msg = f"{place}: the summarizer raised {type_name(type(error))}: {cut(str(error), 200)}"
        raise SerializationError(msg) from error
    if not isinstance(summary, str):
        msg = f"{place}: found {found(summary)} from the summarizer, expected text"
        raise SerializationError(msg)
    try:
        summary.encode()
    except UnicodeEncodeError as error:
        msg = f"{place}: found half of a surrogate pair from the summarizer, expected text"
        raise SerializationError(msg) from error
    return summary


def pre_summarized(artifact: Artifact, value: Any, pointer: str = "") -> Any:
    """
    Return a tree with the summaries that *artifact* caches under the JSON Pointers of its nodes.

    The summary of a text stands for it while the text is the one that was summarized; the summary of an
    object or an array is used as it is.
    """
    cached = artifact.cached_summary(pointer)
    if cached is not None and (not isinstance(value, str) or cached.full_text == value):
        return cached.summary
    if isinstance(value, dict):
        return {
            key: pre_summarized(artifact, item, f"{pointer}/{_escaped(str(key))}")
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [pre_summarized(artifact, item, f"{pointer}/{index}") for index, item in enumerate(value)]
    return value


def _escaped(step: str) -> str:
    """Return a member name as a step of a JSON Pointer (RFC 6901)."""
    return step.replace("~", "~0").replace("/", "~1")


_WARNED: set[str] = set()
_WARNED_LOCK = fork_safe(threading.Lock())


def warn_about_missing_hint(cls: type[Any], field: FieldSpec) -> None:
    """Log, once per process and class field, that a summarizable field does not say what its text is."""
    if field.info.summarizable is None or field.info.summarizable.hint:
        return
    place = f"{cls.__module__}.{cls.__qualname__}.{field.name}"
    with _WARNED_LOCK:
        if place in _WARNED:
            return
        _WARNED.add(place)
    _LOGGER.warning(
        "%s.%s is summarizable but has no hint that says what its text is", cls.__name__, field.name
    )
