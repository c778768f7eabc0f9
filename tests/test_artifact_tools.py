"""Artifact tools: a window of one field, and a search, for a model that needs more than a summary."""

import datetime as dt
import enum

import pytest
from attrs import define, field
from hypothesis import given, strategies as st

from nucleo_schema import (
    Artifact,
    ArtifactNotFoundError,
    InvalidInputError,
    SerializationError,
    json_schema,
    meta,
    parse,
    type_alias,
    write,
)
from nucleo_schema._artifacts.registry import ArtifactRegistry
from nucleo_schema._artifacts.shapes import CitationArtifact, CodeArtifact, LinkArtifact
from nucleo_schema.artifact_tools import (
    ArtifactField,
    GetArtifactFieldInput,
    SearchArtifactContentInput,
    SearchResult,
    get_artifact_field,
    search_artifact_content,
)

KEY = "«artifact:link:cite~a7f3b2»"


class Mood(str, enum.Enum):
    """An enumeration whose members are texts."""

    GOOD = "good"


@type_alias("tool-page")
@define
class Page(Artifact):
    """An artifact with fields of several kinds."""

    body: str | None = None
    mood: Mood = Mood.GOOD
    day: dt.date = dt.date(2024, 12, 31)
    inner: LinkArtifact | None = None
    odd: object = None
    secret: str = field(default="hidden words", metadata=meta(ignore=True))


@pytest.fixture
def registry():
    """Return a registry with a citation, and a page that holds a link."""
    registry = ArtifactRegistry()
    cite = CitationArtifact(
        "Gene drives", abstract_text="abcdefghij", authors=["Smith, J."], artifact_ref=KEY
    )
    registry.register(cite)
    registry.register(Page("Body text", inner=LinkArtifact("Inner title"), artifact_ref="tool-page~bbbbbb"))
    return registry


# Fields


def test_a_field_is_given_whole(registry):
    """With its length, and nothing after the window."""
    assert get_artifact_field(registry, KEY, "abstract_text") == ArtifactField(
        "abstract_text", "abcdefghij", 10, truncated=False
    )


@pytest.mark.parametrize(
    ("offset", "max_chars", "content", "truncated"),
    [
        (0, 4, "abcd", True),
        (4, 4, "efgh", True),
        (8, 4, "ij", False),
        (0, 10, "abcdefghij", False),
        (99, 5, "", False),
    ],
)
def test_a_window_tells_whether_there_is_more(registry, offset, max_chars, content, truncated):
    """Its length is that of the whole."""
    window = get_artifact_field(registry, KEY, "abstract_text", offset, max_chars)

    assert window == ArtifactField("abstract_text", content, 10, truncated)


@given(st.text(max_size=50), st.integers(1, 9))
def test_windows_in_a_row_give_the_whole(text, max_chars):
    """A model that asks on until nothing is left has read everything."""
    registry, offset, parts = ArtifactRegistry(), 0, []
    key = registry.register(Page(text))
    while True:
        window = get_artifact_field(registry, key, "body", offset, max_chars)
        parts.append(window.content)
        if not window.truncated:
            break
        offset += max_chars

    assert "".join(parts) == text


@pytest.mark.parametrize("name", ["abstract_text", "abstractText", " AbstractText "])
def test_a_field_is_found_by_its_wire_name_or_camel_case(registry, name):
    """The answer gives the wire name."""
    assert get_artifact_field(registry, KEY, name).field_name == "abstract_text"


def test_inherited_fields_count(registry):
    """A citation has the title of a link."""
    assert get_artifact_field(registry, "link:cite~a7f3b2", "title").content == "Gene drives"


@pytest.mark.parametrize(
    ("name", "content"),
    [("mood", '"good"'), ("day", '"2024-12-31"'), ("inner", '{"artifact_ref":')],
)
def test_a_field_that_is_not_text_is_given_as_its_json(registry, name, content):
    """Its length is that of the JSON text."""
    window = get_artifact_field(registry, "tool-page~bbbbbb", name)

    assert window.content.startswith(content)
    assert window.length == len(window.content)


def test_a_list_is_given_as_its_json(registry):
    """The authors are a list of texts."""
    assert get_artifact_field(registry, KEY, "authors").content == '["Smith, J."]'


def test_a_null_field_has_no_content(registry):
    """None is not the text of anything."""
    assert get_artifact_field(registry, KEY, "doi") == ArtifactField("doi", None, 0, truncated=False)


def test_reachable_artifacts_are_read_too(registry):
    """They have references of their own."""
    inner = registry.get("tool-page~bbbbbb").inner

    assert get_artifact_field(registry, inner.artifact_ref, "title").content == "Inner title"


def test_reading_a_field_leaves_the_registry_as_it_is(registry):
    """A tool only reads."""
    before = dict(registry.artifacts_including_reachable)

    get_artifact_field(registry, KEY, "title")

    assert dict(registry.artifacts_including_reachable) == before


@pytest.mark.parametrize("ref", ["link~zzzzzz", "nonsense", None])
def test_an_unknown_reference_is_not_found(registry, ref):
    """Both tools say so."""
    with pytest.raises(ArtifactNotFoundError, match="artifact_ref: found"):
        get_artifact_field(registry, ref, "title")
    with pytest.raises(ArtifactNotFoundError, match="artifact_ref: found"):
        search_artifact_content(registry, "x", artifact_ref=ref or "")


@pytest.mark.parametrize("name", ["secret", "nothing", None])
def test_an_unknown_field_is_refused_with_those_there_are(registry, name):
    """A field that is off the wire is not offered."""
    with pytest.raises(
        InvalidInputError, match=r"expected one of artifact_ref, body, mood, day, inner, odd$"
    ):
        get_artifact_field(registry, "tool-page~bbbbbb", name)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"offset": -1}, "offset"),
        ({"max_chars": 0}, "max_chars"),
        ({"offset": True}, "offset"),
        ({"max_chars": "9"}, "max_chars"),
    ],
)
def test_a_number_out_of_range_is_refused_by_name(registry, arguments, name):
    """The message names the parameter."""
    with pytest.raises(InvalidInputError, match=f"^{name}: found"):
        get_artifact_field(registry, KEY, "title", **arguments)


def test_a_field_that_cannot_be_written_is_an_error(registry):
    """It is that of writing."""
    key = registry.register(Page(odd=object()))

    with pytest.raises(SerializationError):
        get_artifact_field(registry, key, "odd")


# Search


def found_in(result):
    """Return the reference, field and position of each match."""
    return [(match.artifact_ref, match.field_name, match.position) for match in result.matches]


def test_a_search_finds_text_in_any_case(registry):
    """A match tells where it is."""
    assert found_in(search_artifact_content(registry, "GENE")) == [(KEY, "title", 0)]


def test_reachable_artifacts_are_searched_too(registry):
    """They are found under references of their own."""
    [match] = search_artifact_content(registry, "inner").matches

    assert match.artifact_ref == registry.get("tool-page~bbbbbb").inner.artifact_ref


@pytest.mark.parametrize("query", ["a7f3b2", "hidden words", "Smith", "good"])
def test_only_text_fields_on_the_wire_are_searched(registry, query):
    """References, fields off the wire, lists and enumerations are no text."""
    assert search_artifact_content(registry, query) == SearchResult([], 0)


def test_a_snippet_shows_the_text_around_a_match():
    """As many characters on each side, where there are any."""
    registry = ArtifactRegistry()
    registry.register(Page("0123456789NEEDLE0123456789"))

    snippets = [
        search_artifact_content(registry, "needle", context_chars=n).matches[0].snippet for n in (0, 3, 99)
    ]

    assert snippets == ["NEEDLE", "789NEEDLE012", "0123456789NEEDLE0123456789"]


def test_a_snippet_fits_a_text_whose_case_folding_is_longer():
    """Positions are those of the original text."""
    registry = ArtifactRegistry()
    registry.register(Page("İİİ Straße!"))

    [match] = search_artifact_content(registry, "STRASSE", context_chars=1).matches

    assert (match.position, match.snippet) == (4, " Straße!")


def test_a_search_stops_at_the_number_of_results():
    """Matches may overlap, and the total is the number that is returned."""
    registry = ArtifactRegistry()
    registry.register(Page("aaaa"))

    result = search_artifact_content(registry, "aa", max_results=2)

    assert [match.position for match in result.matches] == [0, 1]
    assert result.total_matches == 2


def test_a_search_can_be_limited_to_one_artifact(registry):
    """The reference may be spelled in any way."""
    registry.register(LinkArtifact("Gene therapy"))

    assert found_in(search_artifact_content(registry, "gene", "link:cite~A7F3B2")) == [(KEY, "title", 0)]


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        *(("link", 2), ("LINK", 2), ("link:cite", 1), ("Citation", 1), ("artifact", 3), ("code", 1)),
        *(("lin", 1), ("cite", 0), ("link:ci", 0), ("nothing", 0)),
    ],
)
def test_a_search_can_be_limited_to_a_kind(kind, count):
    """By an alias with everything below it, or by part of a class name."""
    registry = ArtifactRegistry()
    for artifact in (LinkArtifact("x"), CitationArtifact("x"), CodeArtifact(content="x")):
        registry.register(artifact)

    assert search_artifact_content(registry, "x", artifact_type=kind).total_matches == count


def test_the_alias_in_a_reference_counts_too():
    """An artifact that was rebuilt as its ancestor is found by its own kind."""
    registry = ArtifactRegistry()
    registry.register(LinkArtifact("x", artifact_ref="link:cite:pubmed~aaaaaa"))

    assert search_artifact_content(registry, "x", artifact_type="link:cite").total_matches == 1


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"query": ""}, "query"),
        ({"query": None}, "query"),
        ({"max_results": 0}, "max_results"),
        ({"context_chars": -1}, "context_chars"),
    ],
)
def test_an_unusable_argument_is_refused_by_name(registry, arguments, name):
    """The message names the parameter."""
    with pytest.raises(InvalidInputError, match=f"^{name}: found"):
        search_artifact_content(registry, **{"query": "x", **arguments})


# Publication


def test_the_inputs_read_into_the_arguments_of_the_tools(registry):
    """A model's arguments go through parse, and every parameter has its member."""
    asked = parse('{"artifactRef": "link:cite~a7f3b2", "field_name": "title"}', GetArtifactFieldInput)
    window = get_artifact_field(
        registry, asked.artifact_ref, asked.field_name, offset=asked.offset, max_chars=asked.max_chars
    )
    searched = parse('{"query": "gene"}', SearchArtifactContentInput)

    assert window.content == "Gene drives"
    assert (searched.max_results, searched.context_chars) == (10, 200)


@pytest.mark.parametrize(
    ("cls", "required"),
    [(GetArtifactFieldInput, ["artifact_ref", "field_name"]), (SearchArtifactContentInput, ["query"])],
)
def test_the_inputs_can_be_published(cls, required):
    """Every member is described, and only what a tool cannot do without is required."""
    schema = json_schema(cls)

    assert schema["required"] == required
    assert not any(node["description"].startswith("Field ") for node in schema["properties"].values())


def test_the_results_can_be_written(registry):
    """They go back to the model as JSON."""
    result = search_artifact_content(registry, "gene")

    assert parse(write(result), SearchResult) == result
