"""
Counting calls instead of seconds: stable on any machine, for checks that must not depend on the weather.

Counted is every call of a Python or a C function in one warm run of each piece of our work. Comprehensions
are left out, which are functions on some versions of Python and not on others. A change of the code that
makes work for every value shows at once; what happens inside a C function does not show at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from attrs import frozen

from .bench_documents import document_subjects
from .bench_modes import mode_subjects
from .bench_replies import reply_subjects
from .bench_schemas import schema_subjects
from .peers import OURS, find_competitor
from .subjects import Work

__all__ = ["CallCount", "compare_calls", "count_calls", "update_expected_calls"]

_EXPECTED = Path(__file__).with_name("expected_calls.json")
#: By how much a count may differ: versions of Python and of what we build on differ a little.
_TOLERANCE = 0.1
_COMPREHENSIONS = frozenset(("<listcomp>", "<dictcomp>", "<setcomp>"))


@frozen
class CallCount:
    """The calls of one piece of work, and how many there should be; None when nobody has said."""

    name: str
    calls: int
    expected: int | None

    @property
    def fits(self) -> bool:
        """Whether the count is what is expected, within the tolerance. Fewer calls are news too."""
        return self.expected is not None and abs(self.calls - self.expected) <= _TOLERANCE * self.expected


def compare_calls() -> list[CallCount]:
    """Return the counts of all our work beside the expected ones."""
    expected: dict[str, int] = json.loads(_EXPECTED.read_text(encoding="utf-8")) if _EXPECTED.exists() else {}
    return [CallCount(name, count_calls(work), expected.get(name)) for name, work in _our_works()]


def update_expected_calls(counts: list[CallCount]) -> None:
    """Make *counts* the expected ones."""
    expected = {count.name: count.calls for count in counts}
    _EXPECTED.write_text(json.dumps(expected, indent=2) + "\n", encoding="utf-8")


def _our_works() -> Iterator[tuple[str, Work]]:
    competitors = {OURS: find_competitor(OURS)}
    for subjects in (document_subjects, reply_subjects):
        for subject in subjects(competitors):
            yield subject.name, subject.works[OURS]
    for subject in (*mode_subjects(), *schema_subjects(competitors)):
        yield subject.name, subject.works[OURS]


def count_calls(work: Work) -> int:
    """Return how many functions a warm call of *work* calls."""
    work()
    work()  # what is noticed in the first run may be settled in the second
    counter = _Counter()
    previous = sys.getprofile()
    sys.setprofile(counter)
    try:
        work()
    finally:
        sys.setprofile(previous)
    return counter.calls


class _Counter:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "c_call" or (event == "call" and frame.f_code.co_name not in _COMPREHENSIONS):
            self.calls += 1
