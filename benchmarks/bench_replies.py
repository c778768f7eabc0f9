"""Reading a model's raw replies: fenced, messy, echoing the schema, and one that is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import orjson

from .data import compact, echo_reply, fenced_reply, messy_reply, page_tree, refused_reply
from .peers import OURS, PAGE, Competitor
from .subjects import Competitors, Result, Subject, Target, UnequalResultsError, Work, installed

__all__ = ["CLEAN", "reply_subjects"]

#: What replies are measured against: our own ``parse`` of the same document as clean JSON.
CLEAN = "own clean parse"
_REPAIR = "json_repair + pydantic"


def reply_subjects(competitors: Competitors) -> Iterator[Subject]:
    """Yield the subjects of the replies, each a page of 50 citations."""
    tree = page_tree()
    yield _replying("reply, clean", compact(tree), competitors)
    yield _replying("reply, fenced with prose", fenced_reply(tree), competitors, Target(CLEAN, at_most=1.4))
    messy_targets = Target(_REPAIR, at_least=15.0), Target(CLEAN, at_most=5.0)
    yield _replying("reply, messy", messy_reply(tree), competitors, *messy_targets)
    yield _echo(tree, competitors)
    yield _refused(refused_reply(tree), competitors)


def _replying(name: str, reply: str, competitors: Competitors, *targets: Target) -> Subject:
    readers = {
        title: (competitor, partial(competitor.read_reply[PAGE], reply))
        for title, competitor in installed(competitors)
        if PAGE in competitor.read_reply
    }
    return _beside_clean(name, readers, competitors, targets)


def _echo(tree: dict[str, Any], competitors: Competitors) -> Subject:
    """Return the subject of a reply in the schema's own shape, which nobody else takes."""
    readers = {
        title: (competitor, partial(competitor.read_reply[PAGE], echo_reply(tree)))
        for title, competitor in installed(competitors)
        if title == OURS
    }
    return _beside_clean("reply, schema echo", readers, competitors, ())


def _beside_clean(
    name: str,
    readers: Mapping[str, tuple[Competitor, Work]],
    competitors: Competitors,
    targets: tuple[Target, ...],
) -> Subject:
    works: dict[str, Work] = {title: work for title, (_, work) in readers.items()}
    results: dict[str, Result] = {
        title: partial(_read_back, competitor, work) for title, (competitor, work) in readers.items()
    }
    ours = competitors.get(OURS)
    if ours is not None:
        works[CLEAN] = partial(ours.read[PAGE], compact(page_tree()))
        results[CLEAN] = partial(_read_back, ours, works[CLEAN])
    return Subject(name=name, works=works, targets=targets, results=results)


def _read_back(competitor: Competitor, work: Work) -> Any:
    return orjson.loads(competitor.write(work()))


def _refused(text: str, competitors: Competitors) -> Subject:
    """Return the subject of refusing a page for its one wrong value: the error with its whole message."""
    works: dict[str, Work] = {}
    for title, competitor in installed(competitors):
        read = competitor.read_reply.get(PAGE) if title == OURS else competitor.read.get(PAGE)
        if read is not None and competitor.refusal:
            works[title] = partial(_refusal, read, competitor.refusal, text)
    results: dict[str, Result] = {title: partial(_is_refused, work) for title, work in works.items()}
    return Subject(name="reply, refused for one wrong value", works=works, results=results)


def _refusal(read: Callable[[str], object], refusal: tuple[type[Exception], ...], text: str) -> str:
    try:
        read(text)
    except refusal as error:
        return str(error)
    raise UnequalResultsError("a reply with a wrong value was not refused")


def _is_refused(work: Work) -> bool:
    return bool(work())
