"""Lists of artifacts: a digest for a model, whole everywhere else, and never shortened."""

import json
from typing import Any

import pytest
from attrs import define

from nucleo_schema import (
    Artifact,
    MappingError,
    json_schema,
    keywords,
    parse,
    type_alias,
    write,
    write_summarized,
    write_summarized_compact,
)
from nucleo_schema._artifacts.lists import ListArtifact
from nucleo_schema._artifacts.registry import ArtifactRegistry
from nucleo_schema._artifacts.shapes import CitationArtifact, CodeArtifact, LinkArtifact


@type_alias("list-unknown")
@define
class Local(Artifact):
    """An artifact class that registers when it is first used."""

    text: str = ""


@type_alias("list:cites")
@define
class Cites(ListArtifact[CitationArtifact]):
    """A list of citations with an alias of its own."""


def digest(obj):
    """Return what a model is shown, as data."""
    return json.loads(write_summarized(obj))


def test_a_digest_shows_the_reference_the_kind_the_count_and_the_first_three():
    """That is all, however long the list is and whatever else it records."""
    links = [LinkArtifact(f"Link {number}") for number in range(200)]
    listed = ListArtifact(links, "link", "link~bbbbbb", "search", "find links", artifact_ref="list~aaaaaa")

    assert digest(listed) == {
        "artifact_ref": "list~aaaaaa",
        "iterand_type": "link",
        "count": 200,
        "sample": [{"title": "Link 0"}, {"title": "Link 1"}, {"title": "Link 2"}],
    }


def test_the_kind_is_that_of_the_first_iterand_when_it_is_not_stated():
    """The list itself is left as it is."""
    listed = ListArtifact([CitationArtifact(), LinkArtifact()])

    assert digest(listed)["iterand_type"] == "link:cite"
    assert listed.iterand_type_alias is None


def test_an_empty_list_without_reference_is_a_count():
    """What is not known is left out."""
    assert digest(ListArtifact()) == {"count": 0, "sample": []}


def test_nested_lists_are_digests_too():
    """In a sample, and in any other object."""
    inner = ListArtifact([LinkArtifact(str(number)) for number in range(5)])

    assert digest([ListArtifact([inner])])[0]["sample"][0]["count"] == 5


def test_the_summarized_fields_of_a_sample_are_summarized():
    """A digest is no way around summaries."""
    listed = ListArtifact([CitationArtifact(abstract_text="word " * 3000)])

    assert digest(listed)["sample"][0]["abstract_text"].startswith("[SUMMARY: 15000 chars] word word")


def test_a_subclass_is_a_digest_too():
    """Its alias tells it from other lists."""
    registry = ArtifactRegistry()
    reference = registry.register(Cites([CitationArtifact()]))

    assert reference.startswith("«artifact:list:cites~")
    assert '"count":1' in write_summarized_compact(registry.get(reference))


def test_plain_writing_writes_the_whole_list():
    """Every iterand, and where the list came from."""
    listed = ListArtifact([LinkArtifact(str(number)) for number in range(5)], worker_tool_name="search")

    tree = json.loads(write(listed))

    assert len(tree["iterands"]) == 5
    assert tree["worker_tool_name"] == "search"


def test_each_iterand_is_of_the_class_that_its_reference_names():
    """An untyped list comes back as it was."""
    registry = ArtifactRegistry()
    listed = ListArtifact(
        [LinkArtifact("a"), CitationArtifact(year=2024), ListArtifact([CodeArtifact("python")])]
    )
    registry.register(listed)

    again = parse(write(listed), ListArtifact)

    assert again == listed
    assert [type(iterand) for iterand in again.iterands] == [LinkArtifact, CitationArtifact, ListArtifact]


def test_a_typed_list_needs_no_references():
    """Its iterands are of the class that it is bound to."""
    listed = ListArtifact([LinkArtifact("a")])

    assert parse(write(listed), ListArtifact[LinkArtifact]) == listed


@pytest.mark.parametrize("target", [ListArtifact, ListArtifact[LinkArtifact], ListArtifact[Any]])
@pytest.mark.parametrize("iterand", ['"nowhere~aaaaaa"', '{"artifact_ref": "nowhere~aaaaaa"}'])
def test_an_iterand_of_an_unknown_kind_fails_the_read(target, iterand):
    """The list is not shortened."""
    with pytest.raises(MappingError, match="iterands"):
        parse(f'{{"iterands": ["link~bbbbbb", {iterand}]}}', target)


def test_an_iterand_of_another_kind_fails_the_read():
    """A typed list does not pass it off as one of its own."""
    with pytest.raises(MappingError, match="names no known LinkArtifact"):
        parse('{"iterands": ["code~bbbbbb"]}', ListArtifact[LinkArtifact])


@pytest.mark.parametrize("iterands", [[5], ["link~aaaaaa"], "text", None, {}])
def test_only_artifacts_are_listed(iterands):
    """Anything else is refused when the list is made."""
    with pytest.raises(ValueError, match="expected a"):
        ListArtifact(iterands)


def test_a_class_that_nobody_registered_yet_can_be_listed():
    """Its own alias is known to it."""
    local = Local(artifact_ref="list-unknown~aaaaaa")

    assert ListArtifact([local, local]).iterands == [local, local]


def test_an_iterand_may_carry_the_alias_of_a_subclass():
    """A reader that lacks the class rebuilds its ancestor, and the reference stays."""
    link = LinkArtifact(artifact_ref="link:cite~aaaaaa")

    assert ListArtifact([link]).iterands == [link]


def test_a_model_is_offered_references_as_iterands():
    """An untyped list is a list of artifacts, and not of anything."""
    schema = json_schema(ListArtifact)

    assert schema["properties"]["iterands"][keywords.TYPE_ALIAS] == "artifact"
