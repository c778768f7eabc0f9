"""The registry: what is registered is found, in two tiers, and nothing that is held is ever replaced."""

import copy
import logging
import pickle
from typing import Any

import pytest
from attrs import define, field
from hypothesis import given, strategies as st

from nucleo_schema import (
    Artifact,
    InvalidInputError,
    MissingTypeAliasError,
    ReferenceConflictError,
    meta,
    parse_llm_response,
    references,
    type_alias,
    write_compact,
)
from nucleo_schema._artifacts import registry as registry_module
from nucleo_schema._artifacts.lists import ListArtifact
from nucleo_schema._artifacts.prompt_form import write_summarized_with_refs
from nucleo_schema._artifacts.registry import ArtifactRegistry
from nucleo_schema._artifacts.shapes import CitationArtifact, LinkArtifact

KEY = "«artifact:link:cite~a7f3b2»"


@type_alias("reg-box")
@define
class Box(Artifact):
    """An artifact that holds whatever it is given."""

    inside: Any = None


@define
class Unnamed(Artifact):
    """An artifact class without an alias."""


@pytest.fixture
def registry():
    """Return an empty registry."""
    return ArtifactRegistry()


# Registering


def test_registering_gives_a_reference(registry):
    """The reference is canonical, carries the alias, and is set on the artifact."""
    cite = CitationArtifact(doi="10.1/x")

    reference = registry.register(cite)

    assert reference == cite.artifact_ref == references.normalize_to_key(reference)
    assert references.extract_alias(reference) == "link:cite"


def test_a_reference_that_an_artifact_has_is_kept(registry):
    """It is brought into its canonical form, on the artifact too."""
    cite = CitationArtifact(artifact_ref="link:cite~A7F3B2")

    assert registry.register(cite) == KEY
    assert cite.artifact_ref == KEY


def test_a_reference_keeps_the_alias_that_it_carries(registry):
    """An artifact of an ancestor's class, as a reader rebuilds it, keeps its reference."""
    link = LinkArtifact(artifact_ref=KEY)

    assert registry.register(link) == KEY


@type_alias("reg-box:small")
@define
class SmallBox(Box):
    """A class below another one."""

    size: int = 0


@pytest.mark.parametrize("where", [lambda a: a, lambda a: Box([a])], ids=["top", "inside"])
@pytest.mark.parametrize("reference", ["person~aaaaaa", "reg-box~aaaaaa", "reg-box:unheard-of~aaaaaa"])
def test_a_reference_that_is_read_as_another_class_is_refused(registry, reference, where):
    """A snapshot would bring the artifact back as that, without its own fields."""
    small = SmallBox(size=3, artifact_ref=reference)

    with pytest.raises(
        InvalidInputError, match=r"SmallBox\.artifact_ref: found .*, which names \w+, expected"
    ):
        registry.register(where(small))

    assert small.artifact_ref == reference
    assert len(registry.artifacts_including_reachable) == 0


@pytest.mark.parametrize("reference", ["reg-box:small~aaaaaa", "reg-box:unheard-of~aaaaaa", "nowhere~aaaaaa"])
def test_a_reference_to_a_class_below_or_to_an_unknown_one_is_kept(registry, reference):
    """That is what a process has that lacks the class."""
    assert registry.register(Box(artifact_ref=reference)) == f"«artifact:{reference}»"


def test_a_blank_reference_is_none(registry):
    """An artifact with an empty text for a reference is given one."""
    assert registry.register(Box(artifact_ref="")).startswith("«artifact:reg-box~")


@pytest.mark.parametrize("reference", ["hello", "link", 5])
def test_text_that_is_no_reference_is_refused(registry, reference):
    """An artifact that carries one is not registered under another."""
    with pytest.raises(InvalidInputError, match=r"Box\.artifact_ref: found .*, expected a reference or None"):
        registry.register(Box(artifact_ref=reference))


@pytest.mark.parametrize("thing", [None, "text", {"artifact_ref": KEY}])
def test_only_artifacts_are_registered(registry, thing):
    """None and data are refused, naming the parameter."""
    with pytest.raises(InvalidInputError, match="artifact: found"):
        registry.register(thing)


@pytest.mark.parametrize("artifact", [Unnamed(), Box([{"deep": Unnamed()}]), Artifact()])
def test_a_class_without_an_alias_is_refused(registry, artifact):
    """The error names the class, wherever the artifact stands."""
    with pytest.raises(MissingTypeAliasError, match=r"Unnamed|Artifact"):
        registry.register(artifact)


def test_ensuring_a_reference_registers(registry):
    """The artifact is on the top level afterwards, and keeps its reference."""
    box = Box()

    reference = registry.ensure_reference(box)

    assert registry.artifacts[reference] is box
    assert registry.ensure_reference(box) == reference


def test_what_an_artifact_holds_is_reachable(registry):
    """It has a reference, is found under it, and is not on the top level."""
    inner = CitationArtifact()
    registry.register(Box({"deep": [inner]}))

    assert registry.get(inner.artifact_ref) is inner
    assert inner.artifact_ref in registry
    assert inner.artifact_ref not in registry.artifacts
    assert len(registry) == 1


def test_the_same_instance_is_not_walked_again(registry):
    """What is added to an artifact after it was registered is not indexed."""
    box = Box([])
    first = registry.register(box)
    late = CitationArtifact()
    box.inside.append(late)

    assert registry.register(box) == first
    assert late.artifact_ref is None


def test_a_reachable_artifact_comes_to_the_top_when_it_is_registered(registry):
    """It moves there, and counts once."""
    inner = CitationArtifact()
    registry.register(Box(inner))

    registry.register(inner)

    assert list(registry.artifacts.values())[-1] is inner
    assert len(registry.artifacts_including_reachable) == 2


def test_a_cycle_of_artifacts_is_registered(registry):
    """Two artifacts that hold each other both have references."""
    one, other = Box(), Box()
    one.inside, other.inside = other, one

    registry.register(one)

    assert registry.get(other.artifact_ref) is other


def test_indexing_does_not_put_on_the_top_level(registry):
    """An indexed artifact is found and not counted."""
    box = Box()

    reference = registry.index_reachable(box)

    assert registry.get(reference) is box
    assert len(registry) == 0


def test_a_result_is_indexed_with_everything_in_it(registry):
    """Any object graph will do, and its artifacts become reachable."""
    cites = [CitationArtifact(), CitationArtifact()]

    registry.index_reachable_from({"found": cites, "count": 2})

    assert list(registry.artifacts_including_reachable.values()) == cites


# Conflicts


def test_another_object_under_a_held_reference_is_refused(registry):
    """The error names the reference; what is held stays."""
    held = CitationArtifact(artifact_ref=KEY, doi="10.1/right")
    registry.register(held)

    with pytest.raises(ReferenceConflictError, match="a7f3b2"):
        registry.register(CitationArtifact(artifact_ref=KEY, doi="10.1/wrong"))

    assert registry.get(KEY) is held


def test_an_equal_object_is_accepted_and_the_held_one_stays(registry):
    """A copy that crossed a process boundary is no conflict."""
    held = CitationArtifact(artifact_ref=KEY, doi="10.1/x")
    registry.register(held)

    assert registry.register(copy.deepcopy(held)) == KEY
    assert registry.get(KEY) is held


def test_an_equal_object_may_spell_its_references_in_another_way(registry):
    """Those of the artifacts in it too; they are canonical afterwards."""

    def boxed(*refs):
        return Box(Box(artifact_ref=refs[0]), artifact_ref=refs[1])

    registry.register(boxed("reg-box~aaaaaa", "reg-box~bbbbbb"))
    again = boxed("artifact:reg-box~AAAAAA", "«reg-box~bbbbbb»")

    assert registry.register(again) == again.artifact_ref == "«artifact:reg-box~bbbbbb»"
    assert again.inside.artifact_ref == "«artifact:reg-box~aaaaaa»"


def test_two_different_objects_in_one_graph_may_not_share_a_reference(registry):
    """The conflict is found although neither is held yet."""
    with pytest.raises(ReferenceConflictError):
        registry.register(Box([LinkArtifact(artifact_ref=KEY, title=title) for title in "ab"]))


def test_objects_that_cannot_be_compared_are_different(registry):
    """Artifacts that contain themselves are in conflict, and comparing them does not crash."""

    def cyclic():
        box = Box(artifact_ref="reg-box~aaaaaa")
        box.inside = box
        return box

    registry.register(cyclic())

    with pytest.raises(ReferenceConflictError):
        registry.register(cyclic())


def test_a_comparison_that_fails_is_no_equality(registry):
    """Some values cannot be compared, and their artifacts are in conflict then."""

    class Incomparable:
        def __eq__(self, other):
            raise ValueError

        __hash__ = None

    registry.register(Box(Incomparable(), artifact_ref="reg-box~aaaaaa"))

    with pytest.raises(ReferenceConflictError):
        registry.register(Box(Incomparable(), artifact_ref="reg-box~aaaaaa"))


REFUSED = {
    "conflict": lambda: LinkArtifact(artifact_ref=KEY, title="other"),
    "no alias": Unnamed,
    "no reference": lambda: Box(artifact_ref="nonsense"),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_a_refusal_leaves_everything_as_it_was(registry, make):
    """Nothing is half registered, and no object is given a reference."""
    registry.register(LinkArtifact(artifact_ref=KEY, title="held"))
    before = dict(registry.artifacts_including_reachable)
    fresh, spelled = Box(), LinkArtifact(artifact_ref="link~BBBBBB")

    with pytest.raises((ReferenceConflictError, MissingTypeAliasError, InvalidInputError)):
        registry.register(Box([fresh, spelled, make()]))

    assert dict(registry.artifacts_including_reachable) == before
    assert fresh.artifact_ref is None
    assert spelled.artifact_ref == "link~BBBBBB"


# Minting


def hand_out(monkeypatch, *ids):
    """Let the library draw these ids, in this order."""
    monkeypatch.setattr(registry_module.references, "new_id", iter(ids).__next__)


def test_an_id_is_never_handed_out_twice(registry, monkeypatch):
    """An id that was drawn again is drawn once more, under any alias."""
    hand_out(monkeypatch, "aaaaaa", "aaaaaa", "bbbbbb")

    assert registry.register(Box()) == "«artifact:reg-box~aaaaaa»"
    assert registry.register(LinkArtifact()) == "«artifact:link~bbbbbb»"


def test_an_id_that_arrived_is_not_handed_out(registry, monkeypatch):
    """Also when it arrives in the graph that is being registered."""
    hand_out(monkeypatch, "aaaaaa", "bbbbbb")

    reference = registry.register(Box(Box(artifact_ref="reg-box~aaaaaa")))

    assert reference == "«artifact:reg-box~bbbbbb»"


def test_clearing_lets_go_of_the_artifacts_and_not_of_the_ids(registry, monkeypatch):
    """A reference never comes to mean something else."""
    hand_out(monkeypatch, "aaaaaa", "aaaaaa", "bbbbbb")
    first = registry.register(Box(Box(artifact_ref="reg-box~cccccc")))

    registry.clear()

    assert len(registry.artifacts_including_reachable) == 0
    assert registry.get(first) is None
    assert registry.register(Box()) == "«artifact:reg-box~bbbbbb»"


def test_a_filtered_registry_hands_out_ids_of_its_own(registry, monkeypatch):
    """What it mints can be handed back to the registry that it came from."""
    hand_out(monkeypatch, "aaaaaa", "aaaaaa", "bbbbbb", "bbbbbb", "cccccc")
    filtered = registry.filter([registry.register(Box())])

    assert filtered.register(Box()) == "«artifact:reg-box~bbbbbb»"
    assert registry.register(Box()) == "«artifact:reg-box~cccccc»"


@given(st.lists(st.integers(0, 3), max_size=30))
def test_every_artifact_has_a_reference_of_its_own(shape):
    """However artifacts are nested, each is found under its reference, and references are distinct."""
    stack, artifacts = [Box([])], []
    for ups in shape:
        box = Box([])
        stack[-1].inside.append(box)
        stack.append(box)
        artifacts.append(box)
        del stack[max(1, len(stack) - ups) :]
    registry = ArtifactRegistry()

    registry.register(stack[0])

    assert all(registry.get(box.artifact_ref) is box for box in artifacts)
    assert len(registry.artifacts_including_reachable) == len(artifacts) + 1


# Looking up


@pytest.mark.parametrize(
    "spelling", [KEY, "link:cite~a7f3b2", " «link:cite ~ A7F3B2» ", "artifact:link:cite~a7f3b2"]
)
def test_a_reference_is_found_in_any_spelling(registry, spelling):
    """Both ways of asking normalize what they are given."""
    cite = CitationArtifact(artifact_ref=KEY)
    registry.register(cite)

    assert registry.get(spelling) is cite
    assert spelling in registry


@pytest.mark.parametrize("ref", ["link:cite~zzzzzz", "", "nonsense", None, 7])
def test_what_names_nothing_gives_none(registry, ref):
    """An unknown reference, or something else, is not found and no error."""
    registry.register(CitationArtifact(artifact_ref=KEY))

    assert registry.get(ref) is None
    assert ref not in registry


def test_the_mappings_cannot_be_written_to(registry):
    """Both views refuse assignments."""
    registry.register(Box())

    for view in (registry.artifacts, registry.artifacts_including_reachable):
        with pytest.raises(TypeError):
            view[KEY] = Box()


def test_the_top_level_is_in_the_order_of_registration(registry):
    """Reachable artifacts come after it."""
    boxes = [Box(Box()), Box(), Box()]
    for box in boxes:
        registry.register(box)

    assert list(registry.artifacts.values()) == boxes
    assert list(registry.artifacts_including_reachable.values()) == [*boxes, boxes[0].inside]


def test_resolving_skips_and_logs_what_is_unknown(registry, caplog):
    """The artifacts come in the order of the references."""
    one, other = Box(1), Box(2)
    refs = [registry.register(one), "link~zzzzzz", registry.register(other)]

    with caplog.at_level(logging.WARNING, logger="nucleo_schema.artifacts"):
        assert registry.resolve(reversed(refs)) == [other, one]

    assert "link~zzzzzz" in caplog.text


@pytest.mark.parametrize("refs", [KEY, None, 3])
def test_a_list_of_references_is_expected(registry, refs):
    """One text would otherwise be taken for a list of characters."""
    for method in (registry.resolve, registry.filter):
        with pytest.raises(InvalidInputError, match="refs: found"):
            method(refs)


def test_the_representation_tells_the_sizes(registry):
    """It is short, whatever is held."""
    registry.register(Box(Box()))

    assert repr(registry) == "<ArtifactRegistry of 1 artifacts, 1 more reachable>"


def test_a_registry_pickles(registry):
    """It comes back with both tiers, and knows the ids that it handed out."""
    registry.register(Box(CitationArtifact(doi="10.1/x")))

    again = pickle.loads(pickle.dumps(registry))

    assert dict(again.artifacts_including_reachable) == dict(registry.artifacts_including_reachable)
    assert len(again) == 1


# Filtering


def test_filtering_keeps_the_objects_and_the_tiers(registry):
    """What is named is on the top level, what it holds is reachable, and the rest is gone."""
    inner, other = CitationArtifact(), Box()
    outer = Box(inner)
    registry.register(other)
    key = registry.register(outer)

    filtered = registry.filter([key])

    assert filtered.artifacts == {key: outer}
    assert filtered.get(inner.artifact_ref) is inner
    assert filtered.get(other.artifact_ref) is None


def test_a_reachable_artifact_that_is_named_comes_to_the_top(registry):
    """It is what the next agent is given."""
    inner = CitationArtifact()
    registry.register(Box(inner))

    assert registry.filter([inner.artifact_ref]).artifacts == {inner.artifact_ref: inner}


def test_filtering_goes_by_the_order_of_the_references(registry):
    """Each is taken once, in any spelling."""
    refs = [registry.register(Box(number)) for number in range(3)]

    filtered = registry.filter([refs[2], refs[0], refs[2].strip("«»")])

    assert list(filtered.artifacts) == [refs[2], refs[0]]


def test_filtering_skips_what_is_unknown(registry):
    """Nothing is made up for it."""
    assert len(registry.filter(["link~zzzzzz"])) == 0


def test_filtering_hands_on_the_held_object_and_not_its_equal(registry):
    """A copy inside another artifact gives way to what the registry holds."""
    held = CitationArtifact(artifact_ref=KEY, doi="10.1/x")
    registry.register(held)
    key = registry.register(Box(copy.deepcopy(held)))

    assert registry.filter([key]).get(KEY) is held


@define
class Handover:
    """What each agent of the relay answers."""

    note: str
    chosen: list[CitationArtifact] = field(factory=list, metadata=meta("The citations to hand on"))


def test_after_ten_agents_the_caller_holds_the_object_of_the_first_tool(registry):
    """Each agent sees the text form, alters what it can, and hands on by reference alone."""
    original = CitationArtifact(doi="10.1038/s41586-024-07386-0", authors=["Smith, J.", "Chen, L."])
    registry.register(LinkArtifact(title="left behind"))
    key = registry.register(original)
    current = registry
    for number in range(10):
        assert key in write_summarized_with_refs(list(current.artifacts.values()), current)
        reply = (
            f'{{"note": "hop {number}", "chosen": [{{"@ref": "{key}", "doi": "10.1038/wrong-{number}"}}]}}'
        )
        violations = []
        answer = current.held(parse_llm_response(reply, Handover), violations)
        assert violations == []
        current = current.filter([cite.artifact_ref for cite in answer.chosen])

    assert current.artifacts == {key: original}
    assert answer.chosen[0] is current.get(key) is original
    assert original.doi == "10.1038/s41586-024-07386-0"


# Rendering


def test_the_section_shows_the_top_level(registry):
    """A heading, then each reference with the JSON of its artifact."""
    registry.register(LinkArtifact("Home", "https://example.org", artifact_ref="link~aaaaaa"))
    registry.register(Box(Box(artifact_ref="reg-box~bbbbbb"), artifact_ref="reg-box~cccccc"))

    assert registry.render() == (
        "=== ARTIFACT REGISTRY ===\n"
        "--- «artifact:link~aaaaaa» ---\n"
        "{\n"
        '  "artifact_ref": "«artifact:link~aaaaaa»",\n'
        '  "title": "Home",\n'
        '  "url": "https://example.org"\n'
        "}\n"
        "--- «artifact:reg-box~cccccc» ---\n"
        "{\n"
        '  "artifact_ref": "«artifact:reg-box~cccccc»",\n'
        '  "inside": {\n'
        '    "artifact_ref": "«artifact:reg-box~bbbbbb»"\n'
        "  }\n"
        "}"
    )


def test_an_empty_section_is_its_heading(registry):
    """There is nothing to show."""
    assert registry.render() == "=== ARTIFACT REGISTRY ==="


def test_the_section_shortens_long_texts(registry):
    """The summarizer that is given makes the summaries."""

    class Short:
        def summarize(self, text, _annotation):
            return f"{len(text)} letters"

    registry.register(CitationArtifact(abstract_text="x" * 9000))

    assert "9000 letters" in registry.render(Short())


def test_a_long_list_contributes_one_digest(registry):
    """The section does not grow with the list."""
    registry.register(ListArtifact([LinkArtifact(f"Link {number}") for number in range(200)]))

    section = registry.render()

    assert section.count("Link ") == 3
    assert '"count": 200' in section


# In numbers


def test_registering_is_linear_in_the_graph(registry, monkeypatch):
    """A shared artifact is entered once, however many hold it."""
    shared = Box([Box() for _ in range(1000)])
    entered = []
    plain = registry_module._Plan.add
    monkeypatch.setattr(registry_module._Plan, "add", lambda *args: entered.append(args) or plain(*args))

    for _ in range(100):
        registry.register(Box(shared))

    assert len(entered) == 100 + 1001


def test_what_a_registry_holds_is_written_with_its_references(registry):
    """Inner references were given by registering the outer one."""
    inner = LinkArtifact()
    registry.register(Box(inner))

    assert inner.artifact_ref in write_compact(registry.artifacts_including_reachable[inner.artifact_ref])
