"""A reply is read right or refused: noise that keeps the meaning, and noise that destroys it."""

from __future__ import annotations

import datetime as dt
import enum
import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import define
from hypothesis import HealthCheck, assume, given, settings, strategies as st

import nucleo_schema as ns

from .noise import date_forms, datetime_forms, places_of, rephrased, spoil
from .strategies import classes_with_instances, forms_with_values, messy

law = settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@law
@given(classes_with_instances(), st.data())
def test_a_reply_in_other_words_reads_as_the_instance(
    drawn: tuple[type[Any], Any], data: st.DataObject
) -> None:
    """Other forms of the values, echoes of the schema and careless syntax together keep the instance."""
    cls, instance = drawn
    tree = data.draw(rephrased(cls, json.loads(ns.write(instance))))
    reply = data.draw(messy(tree, footnotes=True)).text

    assert ns.parse_llm_response(reply, cls) == instance


@law
@given(classes_with_instances(), st.data())
def test_a_text_in_other_words_reads_as_the_instance(
    drawn: tuple[type[Any], Any], data: st.DataObject
) -> None:
    """So they do without prose; the schema is echoed in replies alone."""
    cls, instance = drawn
    tree = data.draw(rephrased(cls, json.loads(ns.write(instance)), echoes=False))
    text = data.draw(messy(tree, prose=False)).text

    assert ns.parse(text, cls) == instance
    assert ns.parse(text.encode(), cls) == instance


@law
@given(forms_with_values(), st.data())
def test_a_typing_form_in_other_words_reads_as_the_value(drawn: tuple[Any, Any], data: st.DataObject) -> None:
    """A target need not be a class."""
    form, value = drawn
    tree = data.draw(rephrased(form, json.loads(ns.write(value))))
    reply = data.draw(messy(tree)).text

    assert ns.parse_llm_response(reply, form) == value


@law
@given(classes_with_instances(), st.data())
def test_values_that_their_places_cannot_hold_are_refused_together(
    drawn: tuple[type[Any], Any], data: st.DataObject
) -> None:
    """Each is a problem at its own path, whatever else is said in other words; nothing else is a problem."""
    cls, instance = drawn
    tree = json.loads(ns.write(instance))
    places = places_of(cls, tree)
    assume(places)
    spoiled = data.draw(spoil(places))
    reply = data.draw(messy(data.draw(rephrased(cls, tree, keys=False)), footnotes=True)).text

    with pytest.raises(ns.MappingError) as caught:
        ns.parse_llm_response(reply, cls)

    assert sorted(problem.path for problem in caught.value.problems) == sorted(path for path, _ in spoiled)
    for path, value in spoiled:
        if isinstance(value, str) and value:
            [message] = [problem.message for problem in caught.value.problems if problem.path == path]
            assert f'"{value}"' in message


zones = (
    st.none()
    | st.just(dt.timezone.utc)
    | st.integers(-839, 839).map(lambda minutes: dt.timezone(dt.timedelta(minutes=minutes)))
)
clocks = st.sampled_from([dt.time(), dt.time(10, 15), dt.time(23, 59, 59)]) | st.times()
moments = st.builds(dt.datetime.combine, st.dates(), clocks, zones)


@settings(deadline=None, max_examples=300)
@given(moments)
def test_every_form_of_a_date_and_of_a_moment_is_read_as_it(moment: dt.datetime) -> None:
    """Numbers in any order that leaves no doubt, English months, arrays; an offset is kept, and none is added."""
    for form in date_forms(moment.date()):
        assert ns.convert(form, dt.date) == moment.date(), form
    for form in datetime_forms(json.loads(ns.write(moment))):
        read = ns.convert(form, dt.datetime)
        assert (read, read.utcoffset()) == (moment, moment.utcoffset()), form


# --- artifacts ----------------------------------------------------------------------------------------------


@define
class Verdict:
    best: ns.LinkArtifact | None
    cited: list[ns.CitationArtifact]
    by_topic: dict[str, ns.Artifact]
    pair: tuple[ns.PersonArtifact, ns.CodeArtifact]
    hits: ns.ListArtifact
    inner: Verdict | None = None


links = st.builds(ns.LinkArtifact, st.text(max_size=5))
citations = st.builds(ns.CitationArtifact, st.text(max_size=5), year=st.integers(1900, 2100))
people, pieces = (
    st.builds(ns.PersonArtifact, st.text(max_size=5)),
    st.builds(ns.CodeArtifact, st.text(max_size=5)),
)
verdicts = st.recursive(
    st.none(),
    lambda inner: st.builds(
        Verdict,
        st.none() | links | citations,
        st.lists(citations, max_size=2),
        st.dictionaries(st.sampled_from(["a", "b c", "Ä"]), links | people, max_size=2),
        st.tuples(people, pieces),
        st.builds(ns.ListArtifact, st.lists(links | citations, max_size=2)),
        inner,
    ),
    max_leaves=3,
).filter(bool)


def rewritten(tree: Any, draw: Callable[[st.SearchStrategy[Any]], Any]) -> Any:
    """Return *tree* with every reference in it in another form."""
    if isinstance(tree, list):
        return [rewritten(item, draw) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if tree.keys() != {"@ref"}:
        return {name: rewritten(value, draw) for name, value in tree.items()}
    reference = tree["@ref"]
    bare = reference.strip("«»")
    spellings = [
        reference,
        bare,
        bare.removeprefix("artifact:"),
        f" {reference}\n",
        f"`{bare}`",
        f"« {bare} »",
    ]
    spelling = draw(st.sampled_from(spellings))
    forms = [
        spelling,
        {"@ref": spelling},
        {"artifact_ref": spelling},
        {"artifact_ref": spelling, "title": "forged"},
    ]
    return draw(st.sampled_from(forms))


@law
@given(verdicts, st.data())
def test_references_out_of_a_prompt_come_back_as_the_objects_behind_them(
    verdict: Verdict, data: st.DataObject
) -> None:
    """However a model spells them, and whatever it writes beside them, the registry's own objects arrive."""
    registry = ns.ArtifactRegistry()
    tree = json.loads(ns.write_summarized_with_refs(verdict, registry))
    before = registry.to_snapshot()
    reply = data.draw(messy(rewritten(tree, data.draw), footnotes=True)).text
    violations: list[str] = []

    held = registry.held(ns.parse_llm_response(reply, Verdict), violations)

    assert not violations
    assert held == verdict
    assert held.hits is verdict.hits
    assert all(one is other for one, other in zip(held.pair, verdict.pair, strict=True))
    assert registry.held(held, violations) == held
    assert not violations
    assert registry.to_snapshot() == before


def test_spaces_that_are_part_of_a_wire_form_are_ignored_in_any_case() -> None:
    """They are around the word, whoever wrote them."""
    padded = enum.Enum("padded", {"A": " padded ", "B": "b"})  # type: ignore[misc]

    for text in (" padded ", "padded", " PADDED ", "Padded"):
        assert ns.parse(json.dumps(text), padded) is padded.A
