"""
What is measured and what it must reach.

A subject is one piece of work that several competitors do. Before it is timed, all of them are asserted to
come to the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from .peers import OURS, Competitor

__all__ = [
    "Competitors",
    "Result",
    "Subject",
    "Target",
    "UnequalResultsError",
    "Work",
    "assert_equal_results",
    "installed",
    "normalized",
]

#: Those that are not installed are None.
Competitors = Mapping[str, Competitor | None]
Work = Callable[[], object]
Result = Callable[[], Any]


@frozen
class Target:
    """
    What a ratio must reach.

    Attributes:
        against: Whom it is measured against.
        at_least: How many times our cost theirs must be.
        at_most: How many times their cost ours may be.
    """

    against: str
    at_least: float | None = None
    at_most: float | None = None


@frozen(kw_only=True)
class Subject:
    """
    One piece of work.

    Attributes:
        name: What it is.
        works: Who does it, and how.
        targets: What must be reached.
        results: What each work comes to, as a JSON tree, made once and compared before timing.
    """

    name: str
    works: Mapping[str, Work]
    targets: tuple[Target, ...] = ()
    results: Mapping[str, Result] = {}


class UnequalResultsError(Exception):
    """Two competitors did not do the same work."""


def assert_equal_results(subject: Subject) -> None:
    """
    Compare what everyone comes to.

    Raises:
        UnequalResultsError: If two results differ.
    """
    results = {name: normalized(result()) for name, result in subject.results.items()}
    expected = results.get(OURS, next(iter(results.values()), None))
    for name, result in results.items():
        if result != expected:
            raise UnequalResultsError(f"{subject.name}: {name} comes to another result than {OURS}")


def normalized(tree: Any) -> Any:
    """Return a JSON tree without the members that are null: some competitors write them, some do not."""
    if isinstance(tree, dict):
        return {key: normalized(item) for key, item in tree.items() if item is not None}
    return [normalized(item) for item in tree] if isinstance(tree, list) else tree


def installed(competitors: Competitors) -> Iterator[tuple[str, Competitor]]:
    """Yield the competitors there are."""
    for name, competitor in competitors.items():
        if competitor is not None:
            yield name, competitor
