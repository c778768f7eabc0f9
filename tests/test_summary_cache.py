"""Summaries of artifacts: each is made once, kept with its artifact, and used while it is true."""

import copy
import json
import pickle
import threading
from typing import Any

import pytest
from attrs import define, evolve, field

from nucleo_schema import (
    Artifact,
    SerializationError,
    Summarizable,
    SummarizedField,
    meta,
    type_alias,
    write,
    write_summarized,
)
from nucleo_schema._artifacts.registry import ArtifactRegistry

LONG = "word " * 2000


@type_alias("cache-page")
@define
class Page(Artifact):
    """An artifact with two long texts and a tree that is summarized when it is made."""

    body: str = field(default="", metadata=meta(summarizable=Summarizable("a page")))
    notes: str = field(default="", metadata=meta(summarizable=Summarizable("notes"), name="side_notes"))
    tree: Any = field(default=None, metadata=meta(summarizable=Summarizable("a tree", pre_summarized=True)))


class Counting:
    """Counts what it summarizes."""

    def __init__(self, delay=None):
        self.texts = []
        self.delay = delay

    def summarize(self, text, _annotation):
        """Return a short text."""
        self.texts.append(text)
        if self.delay:
            self.delay.wait(0.05)
        return f"summary {len(self.texts)}"


def shown(page, summarizer=None):
    """Return what a model is shown, as data."""
    return json.loads(write_summarized(page, summarizer))


def test_each_field_of_an_artifact_is_summarized_once():
    """Further writing uses what is kept, by the wire name."""
    page, counting = Page(LONG, LONG + "x"), Counting()

    first = shown(page, counting)
    second = shown(page, counting)

    assert first == second == {"body": "summary 1", "side_notes": "summary 2"}
    assert page.cached_summary("side_notes") == SummarizedField(LONG + "x", "summary 2")
    assert len(counting.texts) == 2


def test_a_changed_text_is_summarized_anew():
    """A summary stands for one text only."""
    page, counting = Page(LONG), Counting()
    shown(page, counting)
    page.body += "more"

    assert shown(page, counting)["body"] == "summary 2"


def test_a_summary_that_was_given_is_used():
    """A host may have made it before."""
    page, counting = Page(LONG), Counting()
    page.cache_summary("body", SummarizedField(LONG, "given"))

    assert shown(page, counting)["body"] == "given"
    assert counting.texts == []


def test_registering_and_rendering_share_the_summaries():
    """The section is written as often as there are turns."""
    registry, counting = ArtifactRegistry(), Counting()
    registry.register(Page(LONG))

    assert registry.render(counting) == registry.render(counting)
    assert len(counting.texts) == 1


def test_threads_that_write_one_artifact_agree():
    """The summarizer is called once for each field, however many ask at once."""
    page, counting = Page(LONG, LONG + "x"), Counting(threading.Event())
    texts = []
    threads = [
        threading.Thread(target=lambda: texts.append(write_summarized(page, counting))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(texts)) == 1
    assert len(texts) == 8
    assert sorted(counting.texts) == [LONG, LONG + "x"]


class Failing:
    """Fails on the second text."""

    def __init__(self):
        self.calls = 0

    def summarize(self, _text, _annotation):
        """Return a summary once."""
        self.calls += 1
        if self.calls > 1:
            msg = "no quota"
            raise RuntimeError(msg)
        return "made"


def test_a_failing_summarizer_is_named_with_its_field():
    """The error tells class and field, and its cause is what was raised."""
    with pytest.raises(
        SerializationError, match=r"Page\.notes: the summarizer raised RuntimeError: no quota"
    ) as caught:
        write_summarized(Page(LONG, LONG), Failing())

    assert isinstance(caught.value.__cause__, RuntimeError)


def test_nothing_is_half_cached_when_a_summarizer_fails():
    """What was made before stays, and the rest is made next time."""
    page = Page(LONG, LONG)
    with pytest.raises(SerializationError):
        write_summarized(page, Failing())

    assert page.cached_summary("body").summary == "made"
    assert page.cached_summary("side_notes") is None
    assert shown(page, Counting())["side_notes"] == "summary 1"


class Returning:
    """Returns the same thing for every text."""

    def __init__(self, summary):
        self.summary = summary

    def summarize(self, _text, _annotation):
        """Return it."""
        return self.summary


@pytest.mark.parametrize(
    ("summary", "words"), [("cut \ud83d", "half of a surrogate pair"), (None, "null"), (b"text", "bytes")]
)
def test_what_is_no_text_is_refused_and_not_cached(summary, words):
    """The error tells class and field, and a good summarizer is asked the next time."""
    page = Page(LONG)

    with pytest.raises(SerializationError, match=rf"Page\.body: found {words}.* from the summarizer"):
        write_summarized(page, Returning(summary))

    assert page.cached_summary("body") is None
    assert shown(page, Counting())["body"] == "summary 1"


@type_alias("cache-note")
@define
class Note(Artifact):
    """An artifact whose text may have been summarized when it was made."""

    text: str | None = field(
        default=None, metadata=meta(summarizable=Summarizable("a note", pre_summarized=True, threshold=5))
    )


def test_a_text_is_summarized_although_its_field_is_pre_summarized():
    """Nodes are looked for in structures; a text that is too long gives way to its summary, made once."""
    note, counting = Note("longer text"), Counting()

    assert [shown(note, counting) for _ in range(2)] == [{"text": "summary 1"}] * 2
    assert shown(Note("short"), counting) == {"text": "short"}
    assert len(counting.texts) == 1


@pytest.mark.parametrize("text", ["longer text", "short"])
def test_the_summary_that_a_pre_summarized_text_came_with_is_used(text):
    """It is cached under the JSON Pointer of the whole, and nobody is asked."""
    note, counting = Note(text), Counting()
    note.cache_summary("", SummarizedField(text, "given"))

    assert shown(note, counting) == {"text": "given"}
    assert counting.texts == []


TREE = {"rows": [{"text": "long text", "n": 1}, "other"], "a/b": {"c~d": "odd names"}, "": "empty"}


@pytest.mark.parametrize(
    ("pointer", "full_text", "expected"),
    [
        ("", "the tree", "SHORT"),
        ("/rows", "rows", {**TREE, "rows": "SHORT"}),
        ("/rows/0", "row", {**TREE, "rows": ["SHORT", "other"]}),
        ("/rows/0/text", "long text", {**TREE, "rows": [{"text": "SHORT", "n": 1}, "other"]}),
        ("/rows/1", "other", {**TREE, "rows": [TREE["rows"][0], "SHORT"]}),
        ("/a~1b", "node", {**TREE, "a/b": "SHORT"}),
        ("/a~1b/c~0d", "odd names", {**TREE, "a/b": {"c~d": "SHORT"}}),
        ("/", "empty", {**TREE, "": "SHORT"}),
        ("/nowhere", "nothing", TREE),
        ("/a/b", "node", TREE),
    ],
)
def test_a_pre_summarized_node_is_found_by_its_json_pointer(pointer, full_text, expected):
    """At the root, at an inner node, or at a leaf."""
    page = Page(tree=TREE)
    page.cache_summary(pointer, SummarizedField(full_text, "SHORT"))

    assert shown(page)["tree"] == expected


def test_the_summary_of_a_leaf_is_used_while_its_text_is_the_same():
    """A node that is no text is not compared."""
    page = Page(tree={"text": "changed", "node": [1]})
    page.cache_summary("/text", SummarizedField("as it was", "SHORT"))
    page.cache_summary("/node", SummarizedField("as it was", "NODE"))

    assert shown(page)["tree"] == {"text": "changed", "node": "NODE"}


def test_summaries_are_off_the_wire_and_take_no_part_in_equality():
    """They belong to how an artifact is shown, and not to what it is."""
    page = Page(LONG)
    shown(page, Counting())

    assert page == Page(LONG)
    assert "summary" not in write(page)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, evolve, lambda p: pickle.loads(pickle.dumps(p))]
)
def test_a_copy_caches_for_itself(copied):
    """What is summarized of a copy, whose texts may change, is not used for the original."""
    page = Page(tree={"rows": [1]})
    page.cache_summary("body", SummarizedField(LONG, "given"))

    other = copied(page)
    other.cache_summary("/rows", SummarizedField("rows", "those of the copy"))

    assert shown(page)["tree"] == {"rows": [1]}
    assert shown(other)["tree"] == {"rows": "those of the copy"}


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_a_copy_brings_the_summaries_along(copied):
    """They are as true of it."""
    page = Page(LONG)
    page.cache_summary("body", SummarizedField(LONG, "given"))

    assert shown(copied(page))["body"] == "given"
