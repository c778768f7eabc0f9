"""Laws of dialects: what a model writes satisfies the schema it was given, and reads back as what it meant."""

from __future__ import annotations

import copy
import json
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, assume, event, given, note, settings, strategies as st
from jsonschema import Draft202012Validator

import nucleo_schema as ns
from nucleo_schema import (
    MappingError,
    SchemaError,
    convert,
    json_schema,
    keywords,
    parse_llm_response,
)
from nucleo_schema._declare import leaves
from nucleo_schema.dialects import ANTHROPIC_STRICT, DIALECTS, OPENAI_STRICT, PORTABLE, STANDARD

from .dialect_forms import written_in
from .dialect_shapes import ABSENT, mandatory, maybe, register_hooks, shapes, written_object
from .strategies import classes, classes_with_instances, forms_with_values

MODEL_FACING = [dialect for dialect in DIALECTS.values() if dialect is not STANDARD]
#: What hosts may derive: every way of writing instances, in other company.
DERIVED = [
    attrs.evolve(OPENAI_STRICT, name="TYPES", untyped="types"),
    attrs.evolve(OPENAI_STRICT, name="OPEN", untyped="open", maps="objects"),
    attrs.evolve(PORTABLE, name="TEXT", untyped="text"),
    attrs.evolve(PORTABLE, name="ENTRIES", maps="entries"),
    attrs.evolve(ANTHROPIC_STRICT, name="FREE", recursion="free", max_optional=None, max_unions=None),
]

law = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
every = pytest.mark.parametrize("dialect", MODEL_FACING, ids=lambda dialect: dialect.name)
derived_too = pytest.mark.parametrize("dialect", [*MODEL_FACING, *DERIVED], ids=lambda dialect: dialect.name)


@pytest.fixture(scope="module")
def _hooks_of_a_host():
    """Read some types as a host does, in this module only."""
    own = ns.make_converter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaves, "LEAVES", dict(leaves.LEAVES))
        patch.setattr("nucleo_schema._verbs.converter", own)
        register_hooks(own)
        yield


def naming_freely(dialect):
    """Return a dialect of a host's own, which takes any name; generated classes have the oddest ones."""
    return attrs.evolve(dialect, name=f"free {dialect.name}", property_names=None)


@every
@law
@given(drawn=classes_with_instances(published=True))
def test_an_instance_in_a_dialect_satisfies_its_schema_and_reads_back_equal(dialect, drawn):
    """The schema and the reading are one contract, wherever the dialect can express the class."""
    cls, instance = drawn
    dialect = naming_freely(dialect)
    try:
        schema = json_schema(cls, dialect=dialect)
    except SchemaError as error:
        assert any(
            word in str(error) for word in ("recursion", "a reference back", "optional", "alternatives")
        )
        return
    tree = written_in(dialect, instance, cls)

    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(tree)
    assert parse_llm_response(json.dumps(tree), cls, dialect=dialect) == instance
    assert convert(tree, cls, dialect=dialect) == instance


@every
@law
@given(drawn=forms_with_values())
def test_a_typing_form_in_a_dialect_reads_back_equal(dialect, drawn):
    """A target need not be a class."""
    form, value = drawn

    assert convert(written_in(dialect, value, form), form, dialect=dialect) == value


@law
@given(cls=classes())
def test_the_standard_dialect_is_the_canonical_schema(cls):
    """It is the default everywhere, and byte for byte what there was before."""
    canonical = ns.describe(cls).to_json_schema()

    assert ns.describe(cls).to_json_schema(dialect=STANDARD) == canonical
    assert json.dumps(json_schema(cls, dialect=STANDARD), ensure_ascii=False, indent=2) == canonical
    assert keywords.for_model(canonical, dialect=STANDARD) == keywords.for_model(canonical)


@every
@law
@given(cls=classes())
def test_a_finished_schema_gives_what_the_class_does(dialect, cls):
    """What arrived over the wire is rewritten like what is made here, and stays as it was itself."""
    canonical = json_schema(cls)
    before = copy.deepcopy(canonical)
    try:
        expected = json_schema(cls, dialect=dialect)
    except SchemaError as error:
        with pytest.raises(SchemaError) as caught:
            keywords.for_model(canonical, dialect=dialect)
        assert str(caught.value) == str(error)
    else:
        assert keywords.for_model(canonical, dialect=dialect) == expected
        assert json.loads(keywords.for_model(json.dumps(canonical), dialect=dialect)) == expected
    assert canonical == before


def _is_read_canonically(written, annotation):
    try:
        again = convert(written.canonical, annotation)
    except MappingError:
        return False
    return repr(again) == repr(written.value)


@derived_too
@pytest.mark.usefixtures("_hooks_of_a_host")
@law
@given(shape=shapes(3), data=st.data())
def test_whatever_a_dialect_changes_is_read_back_or_refused_beforehand(dialect, shape, data):
    """What cannot be told apart is refused with the schema; nothing is read as something else."""
    later = attrs.field(type=shape.annotation | None if shape.annotation is not Any else Any, default=None)
    cls = attrs.make_class("Holder", {"it": attrs.field(type=shape.annotation), "later": later})
    it = mandatory(data.draw, dialect, shape)
    later = maybe(data.draw, dialect, shape)
    if later.value is None:
        later = ABSENT
    written = written_object(cls, dialect, it=it, later=later)
    note(f"{shape.annotation}\n{written}")
    assume(_is_read_canonically(written, cls))
    try:
        schema = json_schema(cls, dialect=dialect)
    except SchemaError as error:
        event(f"refused: {str(error).partition(': ')[2][:40]}")
        assert any(
            words in str(error)
            for words in ("Declare two fields", "a reference back", "both named", "more than")
        )
        return
    event("told")

    Draft202012Validator(schema).validate(written.tree)
    assert repr(convert(written.tree, cls, dialect=dialect)) == repr(written.value)
    assert repr(parse_llm_response(json.dumps(written.tree), cls, dialect=dialect)) == repr(written.value)
