"""Formatters: the same artifact gives the same text, through the formatter nearest to its class."""

import threading

import pytest
from attrs import define

from nucleo_schema import Artifact, InvalidInputError, SerializationError, formatters, type_alias, write
from nucleo_schema._artifacts.lists import ListArtifact
from nucleo_schema._artifacts.shapes import CitationArtifact, LinkArtifact, WebPageArtifact


@type_alias("fmt-plain")
@define
class Plain(Artifact):
    """An artifact without a formatter."""

    text: str = ""


@pytest.fixture
def link_formatter():
    """Register a formatter of links for one test."""
    formatters.register(LinkArtifact, lambda link: f"the link {link.title}")
    yield
    formatters.unregister(LinkArtifact)


def test_an_artifact_without_formatter_is_its_json():
    """That is deterministic, if not pretty."""
    assert formatters.format(Plain("x")) == write(Plain("x"))


@pytest.mark.usefixtures("link_formatter")
def test_a_formatter_covers_the_subclasses():
    """The nearest one up the hierarchy is used."""
    assert formatters.format(CitationArtifact("T")) == "the link T"


@pytest.mark.usefixtures("link_formatter")
def test_the_nearest_formatter_wins():
    """One for the class itself goes before that of its base, and its removal brings that back."""
    formatters.register(WebPageArtifact, lambda page: f"the page {page.title}")
    first = formatters.format(WebPageArtifact("T"))
    formatters.unregister(WebPageArtifact)

    assert [first, formatters.format(WebPageArtifact("T"))] == ["the page T", "the link T"]


def test_finding_gives_none_where_there_is_none():
    """Unregistering what is not registered changes nothing."""
    formatters.unregister(Plain)

    assert formatters.find(Plain) is None


@pytest.mark.usefixtures("link_formatter")
def test_a_list_is_numbered_through_the_formatters_of_its_iterands():
    """The count and the kind come first."""
    listed = ListArtifact([CitationArtifact("A"), LinkArtifact("B")])

    assert formatters.format(listed) == "2 link:cite results\n1. the link A\n2. the link B"


@pytest.mark.parametrize(
    ("listed", "text"),
    [
        (ListArtifact(), "0 results"),
        (ListArtifact(iterand_type_alias="link"), "0 link results"),
        (ListArtifact([Plain("x")]), f"1 fmt-plain result\n1. {write(Plain('x'))}"),
    ],
)
def test_the_heading_of_a_list_counts(listed, text):
    """One result is no results."""
    assert formatters.format(listed) == text


def test_the_built_in_formatter_comes_back():
    """A host may replace it and take its own away again."""
    formatters.register(ListArtifact, lambda _: "a list")
    own = formatters.format(ListArtifact())
    formatters.unregister(ListArtifact)

    assert [own, formatters.format(ListArtifact())] == ["a list", "0 results"]


@pytest.mark.parametrize("cls", [str, "link", None])
def test_only_artifact_classes_have_formatters(cls):
    """Anything else is refused, naming the parameter."""
    with pytest.raises(InvalidInputError, match="cls: found"):
        formatters.register(cls, str)


def test_a_formatter_can_be_called():
    """Anything else is refused, naming the parameter."""
    with pytest.raises(InvalidInputError, match="formatter: found"):
        formatters.register(Plain, "text")


def test_only_artifacts_are_formatted():
    """Anything else is refused."""
    with pytest.raises(InvalidInputError, match="artifact: found"):
        formatters.format("text")


def test_a_formatter_gives_text():
    """Anything else is refused, naming the class."""
    formatters.register(Plain, lambda _: None)
    try:
        with pytest.raises(InvalidInputError, match="the formatter of Plain: found null"):
            formatters.format(Plain())
    finally:
        formatters.unregister(Plain)


def test_a_list_that_contains_itself_is_an_error_of_ours():
    """It is no crash."""
    listed = ListArtifact()
    listed.iterands.append(listed)

    with pytest.raises(SerializationError, match="contains itself"):
        formatters.format(listed)


def test_threads_may_register_at_once():
    """The registry is one for the process."""
    threads = [threading.Thread(target=formatters.register, args=(Plain, str)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert formatters.find(Plain) is str
    formatters.unregister(Plain)
