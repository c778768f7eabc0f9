"""Answers: the contract with the model, its refusals, prompts, reasoning, and the errors of the library."""

# Both spellings of Optional and of unions are declared here on purpose, and test classes need no docstrings.

import collections
import copy
import datetime as dt
import decimal
import enum
import json
import pickle
import re
import uuid
from typing import Any, Generic, Literal, Optional, TypeVar, Union

import pytest
from attrs import Factory, define, field, frozen, make_class, validators
from cattrs.errors import ClassValidationError

import nucleo_schema
from nucleo_schema import (
    SCHEMA_NOTATION_LEGEND,
    AnalysisReasoning,
    Artifact,
    ArtifactNotFoundError,
    ArtifactRegistry,
    ArtifactResponse,
    ChainOfThoughtReasoning,
    ChainOfThoughtResponse,
    DuplicateAliasError,
    ExtractionError,
    Int32,
    InvalidInputError,
    MappingError,
    MissingTypeAliasError,
    NucleoError,
    Problem,
    Prompt,
    ReasonableResponse,
    Reasoning,
    ReferenceConflictError,
    ResponseContract,
    ResponseRefused,
    SchemaError,
    SerializationError,
    SimpleReasoning,
    StringReasonableResponse,
    ToolSelectionReasoning,
    aliases,
    convert,
    describe,
    described,
    json_schema,
    keywords,
    llm_schema,
    make_converter,
    meta,
    parse,
    parse_llm_response,
    read_tree,
    type_alias,
    write,
    write_compact,
)

T = TypeVar("T")
LONG = "0123456789" * 200_000


class Status(enum.Enum):
    NEW = "new"
    DONE = "done"


@define
class Line:
    """A line of an order."""

    number: str = field(metadata=meta("The number"))
    note: str | None = field(default=None, metadata=meta("A note", required=True))
    count: int = 0


@define
class Order:
    title: str = field(metadata=meta("The title"))
    status: Status = Status.NEW
    summary: str | None = field(default=None, metadata=meta("The summary", required=True))
    lines: list[Line] = field(factory=list)
    by_name: dict[str, Line] = field(factory=dict)
    pair: tuple[Line, int] | None = None
    any_line: Line | None = None
    day: dt.date | None = None


GOOD_LINE = Line("1", "n")


def refusal(raw, cls=Order):
    """Return the refusal of *raw*."""
    with pytest.raises(ResponseRefused) as caught:
        ResponseContract(cls).read(raw)
    return caught.value


def holder(annotation, **arguments):
    """Return a class whose one attribute, ``value``, has *annotation*."""
    return make_class("Holder", {"value": field(type=annotation, **arguments)})


# --- instructions ---------------------------------------------------------------------------------------


def test_the_instructions_end_in_the_notation():
    """What is appended to the prompt asks for one JSON object, and holds the notation whole."""
    text = ResponseContract(Order).instructions()

    assert "one JSON object" in text
    assert describe(Order).to_llm_schema() in text


def test_the_legend_is_given_on_request():
    """Without it by default, with it when asked for, by name or by place."""
    contract = ResponseContract(Order)

    assert SCHEMA_NOTATION_LEGEND not in contract.instructions()
    assert SCHEMA_NOTATION_LEGEND not in contract.instructions(legend=False)
    assert SCHEMA_NOTATION_LEGEND in contract.instructions(legend=True)


def test_the_legend_explains_the_keys_with_one_worked_example():
    """Every @ key that any notation uses, and a schema with its answer."""
    for key in ("@type", "@fields", "@required", "@description", "@examples", "@values", "@any_of"):
        assert key in SCHEMA_NOTATION_LEGEND
    assert len(SCHEMA_NOTATION_LEGEND) < 3000


def test_the_example_of_the_legend_is_json():
    """What stands there as JSON can be read."""
    start = SCHEMA_NOTATION_LEGEND.index('{"@type"')
    schema, _ = json.JSONDecoder().raw_decode(re.sub(r"\n\s*", " ", SCHEMA_NOTATION_LEGEND[start:]))
    answer_start = SCHEMA_NOTATION_LEGEND.rindex("\n  {") + 3
    answer, _ = json.JSONDecoder().raw_decode(re.sub(r"\n\s*", " ", SCHEMA_NOTATION_LEGEND[answer_start:]))

    assert set(answer) <= set(schema["@fields"])
    assert {name for name, node in schema["@fields"].items() if node.get("@required")} <= set(answer)


def test_the_instructions_echoed_as_an_answer_are_no_answer():
    """A model that repeats its instructions has not answered: the schema's own nodes are no values."""
    raw = ResponseContract(Order).instructions(legend=False)

    with pytest.raises(ResponseRefused):
        ResponseContract(Order).read(raw)


def test_the_instructions_of_a_class_with_braces_in_its_words_are_whole():
    """Words of the author are never a template."""
    cls = described("{braces} %s {0}")(holder(str, metadata=meta("{value} %d")))

    assert describe(cls).to_llm_schema() in ResponseContract(cls).instructions(legend=True)


# --- reading --------------------------------------------------------------------------------------------


def test_a_good_reply_is_an_instance():
    """Prose, a fence and curly quotes around it are no matter."""
    raw = 'I think:\n```json\n{“title”: "T", "summary": "S", lines: [{number: 1, note: \'n\'}],}\n```\nBye!'
    order = ResponseContract(Order).read(raw)

    assert order == Order("T", summary="S", lines=[Line("1", "n")])


@pytest.mark.parametrize("raw", ["", "   ", "No idea.", '{"title": "T"', '{"title" "T"}', None, b"\xff{}"])
def test_a_reply_without_an_answer_is_refused(raw):
    """Extraction failures are refusals with at least one violation."""
    error = refusal(raw)

    assert len(error.violations) >= 1
    assert all(isinstance(line, str) and line.strip() for line in error.violations)


def test_every_problem_is_one_violation():
    """All problems are reported at once, each named by its path."""
    error = refusal(
        '{"status": "lost", "lines": [{"number": {}}, {"number": "2", "count": 1.5}], "day": "03/04/2024"}'
    )
    text = "\n".join(error.violations)

    for path in ("title", "status", "lines[0].number", "lines[1].count", "day"):
        assert any(line.startswith(f"{path}: ") for line in error.violations), path
    assert "expected" in text
    assert len(error.violations) == len(set(error.violations))


@pytest.mark.parametrize(
    ("raw", "paths"),
    [
        ('{"title": " ", "summary": "S", "status": "lost"}', ["title", "status"]),
        ('{"title": "T", "status": "lost"}', ["summary", "status"]),
        ('{"status": "lost", "lines": [{"number": "1"}]}', ["title", "summary", "status", "lines[0].note"]),
    ],
)
def test_what_is_missing_is_reported_beside_what_does_not_fit(raw, paths):
    """All problems of a reply are reported at once: one correction turn is enough."""
    found = [line.split(":")[0] for line in refusal(raw).violations]

    assert sorted(found) == sorted(paths)


def test_thirty_problems_are_thirty_violations():
    """A reply with many faults has a violation for every one."""
    error = refusal(json.dumps({"value": ["x"] * 30}), holder(list[int]))

    assert [line.split(":")[0] for line in error.violations] == [f"value[{n}]" for n in range(30)]


def test_a_violation_repeats_the_path_in_wire_names():
    """Paths are for the model, so they use the names that it saw."""
    cls = make_class("Camel", {"orderLines": field(type=list[Line])})

    assert refusal('{"order_lines": [{"count": 1}]}', cls).violations[0].startswith("order_lines[0].number")


def test_a_missing_required_value_with_a_default_is_refused():
    """What validation reports is a refusal too."""
    error = refusal('{"title": "T"}')

    assert len(error.violations) == 1
    assert error.violations[0].startswith("summary")


@pytest.mark.parametrize("blank", ['""', '"   "', '"\\n\\t"', "null", '"\\u00a0"'])
def test_a_blank_required_text_is_refused(blank):
    """A required field that is None or a blank string is a violation."""
    for name in ("title", "summary"):
        raw = json.dumps({"title": "T", "summary": "S"}).replace(f'"{name[0].upper()}"', blank)
        assert any(line.startswith(name) for line in refusal(raw).violations)


@pytest.mark.parametrize(
    "raw", ['{"title": "T", "summary": "S"}', '{"title": "T", "summary": "S", "lines": []}']
)
def test_an_empty_collection_is_a_valid_nothing_found(raw):
    """Nothing found is an answer."""
    assert ResponseContract(Order).read(raw).lines == []


@pytest.mark.parametrize(
    ("annotation", "raw"),
    [
        (list[str], "[]"),
        (dict[str, int], "{}"),
        (set[str], "[]"),
        (tuple[str, ...], "[]"),
        (int, "0"),
        (float, "0.0"),
        (bool, "false"),
    ],
)
def test_an_empty_or_zero_value_of_a_required_field_is_valid(annotation, raw):
    """Only None and blank strings are missing."""
    cls = holder(annotation, metadata=meta(required=True))

    assert ResponseContract(cls).validation_errors(ResponseContract(cls).read(f'{{"value": {raw}}}')) == []


def test_every_list_given_is_read_even_with_required_true():
    """A list of blank strings holds strings: it is the field that is required, not its elements."""
    cls = holder(list[str], metadata=meta(required=True))

    assert ResponseContract(cls).read('{"value": ["", " "]}').value == ["", " "]


def test_the_refusal_of_a_class_whose_own_checks_fail_names_the_field():
    """The validators of attrs speak through the contract too."""
    cls = holder(int, validator=validators.ge(10))

    assert refusal('{"value": 3}', cls).violations[0].startswith("value")


def test_a_contract_reads_as_often_as_asked():
    """A contract has no memory."""
    contract = ResponseContract(Order)
    with pytest.raises(ResponseRefused):
        contract.read("nothing")

    assert contract.read('{"title": "T", "summary": "S"}') == contract.read('{"title": "T", "summary": "S"}')


@pytest.mark.parametrize("target", [int, list, None, "Order", Order("x"), lambda: 0])
def test_a_contract_is_about_a_class(target):
    """A target that cannot be described is refused when the contract is made."""
    with pytest.raises(NucleoError):
        ResponseContract(target)


def test_a_class_that_cannot_be_described_is_refused_early():
    """A wrong class is never mixed with wrong data."""
    with pytest.raises(SchemaError):
        ResponseContract(holder(complex))


def test_a_generic_class_with_arguments_has_a_contract():
    """A parametrized generic is described, read and validated."""

    @define
    class Box(Generic[T]):
        item: T
        note: str | None = field(default=None, metadata=meta("Note", required=True))

    contract = ResponseContract(Box[int])

    assert contract.read('{"item": "3", "note": "n"}') == Box(3, "n")
    assert "Box_int" in contract.instructions()
    with pytest.raises(ResponseRefused):
        contract.read('{"item": "x"}')
    assert len(contract.validation_errors(Box(3))) == 1


# --- correction -----------------------------------------------------------------------------------------


def test_the_correction_holds_every_violation():
    """The text of the correction turn lists what was wrong and asks for the whole answer again."""
    error = refusal('{"status": "lost", "day": "soon"}')
    text = error.correction()

    assert isinstance(text, str)
    assert all(line in text for line in error.violations)
    assert "JSON" in text


def test_the_violations_of_a_refusal_are_lines():
    """One line each, whatever was found."""
    for raw in (
        '{"title": ["a\\nb"]}',
        '{"title": "T", "summary": "S", "status": "a\\nb"}',
        "no\nanswer\nat all",
    ):
        assert all("\n" not in line for line in refusal(raw).violations)


def test_a_refusal_says_what_is_wrong():
    """The text of the error holds the violations."""
    error = refusal('{"status": "lost"}')

    assert all(line in str(error) for line in error.violations)


# --- validation_errors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "paths"),
    [
        (Order("T", summary="S"), []),
        (Order("T"), ["summary"]),
        (Order("", summary=" "), ["title", "summary"]),
        (Order(None, summary="S"), ["title"]),
        (Order("T", summary="S", lines=[Line("1")]), ["lines[0].note"]),
        (Order("T", summary="S", lines=[GOOD_LINE, Line("\t", "n")]), ["lines[1].number"]),
        (Order("T", summary="S", by_name={"a": Line("1")}), ["by_name.a.note"]),
        (Order("T", summary="S", pair=(Line("1"), 3)), ["pair[0].note"]),
        (Order("T", summary="S", any_line=Line("1", "")), ["any_line.note"]),
        (
            Order(None, lines=[Line(None, None), GOOD_LINE, Line("3", None)], any_line=Line("1")),
            ["title", "summary", "lines[0].number", "lines[0].note", "lines[2].note", "any_line.note"],
        ),
    ],
)
def test_what_is_required_and_missing_is_named_by_its_path(order, paths):
    """At every depth: fields, lists, dicts and tuples."""
    errors = ResponseContract(Order).validation_errors(order)

    assert len(errors) == len(paths)
    for path in paths:
        assert any(re.match(rf"{re.escape(path)}(?![\w.\[])", line) for line in errors), (path, errors)


def test_validation_goes_to_any_depth_of_containers():
    """Lists of dicts of lists, sets and unions."""

    @frozen
    class Leaf:
        text: str | None = field(default=None, metadata=meta("Text", required=True))

    @define
    class Deep:
        a: dict[str, list[Leaf]]
        b: list[list[Leaf]]
        c: set[Leaf]
        d: Leaf | Status | None
        e: dict[str, dict[str, Leaf]]
        f: list[Optional[Leaf]]

    leaf = Leaf()
    deep = Deep({"k": [leaf]}, [[Leaf("x"), leaf]], {leaf}, leaf, {"a": {"b": leaf}}, [None, leaf])
    errors = ResponseContract(Deep).validation_errors(deep)

    assert len(errors) == 6
    for path in ("a.k[0].text", "b[0][1].text", "d.text", "e.a.b.text", "f[1].text"):
        assert any(line.startswith(path) for line in errors), path


def test_validation_goes_into_every_collection_that_can_be_declared():
    """A deque holds instances as a list does."""
    for annotation, value in [
        (collections.deque[Line], collections.deque([Line("1")])),
        (tuple[Line, ...], (Line("1"),)),
        (collections.OrderedDict[str, Line], collections.OrderedDict(k=Line("1"))),
    ]:
        cls = holder(annotation)
        errors = ResponseContract(cls).validation_errors(cls(value))
        assert [line.split(":")[0].endswith(".note") for line in errors] == [True], annotation


def test_validation_goes_into_what_any_holds():
    """An instance of a composite is validated wherever it stands."""
    cls = holder(Any)

    assert len(ResponseContract(cls).validation_errors(cls([Line("1")]))) == 1


def test_validation_uses_the_class_of_the_instance():
    """A subclass in the place of its base answers for its own fields."""

    @define
    class Special(Line):
        extra: str | None = field(default=None, metadata=meta("Extra", required=True))

    errors = ResponseContract(Order).validation_errors(Order("T", summary="S", lines=[Special("1", "n")]))

    assert [line.split(":")[0] for line in errors] == ["lines[0].extra"]


def test_validation_of_a_cycle_ends():
    """An object that contains itself is validated once."""

    @define(eq=False)
    class Ring:
        name: str | None = field(default=None, metadata=meta("Name", required=True))
        next: "Ring | None" = None
        others: "list[Ring]" = Factory(list)

    ring = Ring()
    ring.next = ring
    ring.others.append(ring)
    assert len(ResponseContract(Ring).validation_errors(ring)) == 1

    loop = []
    loop.append(loop)
    assert ResponseContract(holder(Any)).validation_errors(holder(Any)(loop)) == []


def test_validation_of_a_deep_object_ends_in_an_answer_or_an_error_of_ours():
    """Depth is no traceback of the interpreter."""

    @define(eq=False)
    class Chain:
        name: str | None = field(default=None, metadata=meta("Name", required=True))
        next: "Chain | None" = None

    chain = None
    for _ in range(5000):
        chain = Chain(None, chain)
    try:
        assert len(ResponseContract(Chain).validation_errors(chain)) == 5000
    except NucleoError as error:
        assert len(str(error)) < 2000


def test_one_object_in_two_places_is_named_at_both():
    """Sharing is no cycle."""
    line = Line("1")
    errors = ResponseContract(Order).validation_errors(Order("T", summary="S", lines=[line, line]))

    assert [line.split(":")[0] for line in errors] == ["lines[0].note", "lines[1].note"]


def test_validation_leaves_optional_and_ignored_fields_alone():
    """What is not required may be None, and what is off the wire is none of the model's business."""
    cls = make_class(
        "Quiet",
        {
            "a": field(type=Optional[str], default=None),
            "b": field(type=str, default="", metadata=meta(required=False)),
            "c": field(type=Optional[str], default=None, metadata=meta(required=True, ignore=True)),
            "d": field(type=Optional[str], default=None, init=False, metadata=meta(required=True)),
        },
    )

    assert ResponseContract(cls).validation_errors(cls()) == []


def test_validation_names_fields_by_their_wire_names():
    """The paths are those of the schema."""
    cls = make_class(
        "Named",
        {
            "firstName": field(type=Optional[str], default=None, metadata=meta(required=True)),
            "_x": field(type=Optional[str], default=None, metadata=meta(required=True)),
            "y": field(type=Optional[str], default=None, metadata=meta(required=True, name="z-z")),
        },
    )
    errors = ResponseContract(cls).validation_errors(cls())

    assert [line.split(":")[0] for line in errors] == ["first_name", "x", "z-z"]


def test_required_is_one_rule_for_schema_reading_and_validation():
    """What the schema requires is what a reply cannot leave out."""
    for annotation in (str, Optional[str], int, Status, list[str], Line):
        for default in ({}, {"default": None}):
            for stated in (True, False, None):
                cls = holder(annotation, metadata=meta(required=stated), **default)
                required = "value" in json_schema(cls).get("required", [])
                try:
                    ResponseContract(cls).read("{}")
                except ResponseRefused as error:
                    assert required, (annotation, default, stated)
                    assert error.violations[0].startswith("value")
                else:
                    assert not required, (annotation, default, stated)


def test_a_schema_that_a_reply_satisfies_is_a_contract_that_it_keeps():
    """An object of empty collections is valid in the schema and for the contract."""
    cls = make_class("Found", {"a": field(type=list[str]), "b": field(type=dict[str, int])})

    assert ResponseContract(cls).read('{"a": [], "b": {}}') == cls([], {})


def test_validation_of_another_class_is_wrong_use():
    """An instance of something else is refused, or validated as what it is."""
    try:
        errors = ResponseContract(Order).validation_errors(Line("1"))
    except (NucleoError, TypeError):
        return
    assert len(errors) >= 1


def test_validation_never_enters_an_artifact():
    """An artifact's content is not the model's to write."""

    @type_alias("contract:doc")
    @define
    class Doc(Artifact):
        body: str | None = field(default=None, metadata=meta("Body", required=True))

    cls = make_class("Cites", {"doc": field(type=Doc), "docs": field(type=list[Doc])})
    doc = Doc(artifact_ref="«artifact:contract:doc~abc123»")

    assert ResponseContract(cls).validation_errors(cls(doc, [doc])) == []


def test_a_class_with_artifacts_is_not_read_without_a_registry():
    """Artifacts come from a registry, at any depth of the class."""

    @type_alias("contract:paper")
    @define
    class Paper(Artifact):
        body: str = ""

    inner = make_class("Inner", {"papers": field(type=list[Paper])})
    for annotation in (Paper, list[Paper], dict[str, list[Paper]], Optional[Paper], list[inner], Artifact):
        with pytest.raises(InvalidInputError):
            ResponseContract(holder(annotation)).read('{"value": null}')


@type_alias("contract:zone")
@define
class Zone(Artifact):
    """An artifact that an entry may name."""


@define
class Entry:
    """What stands under each key of a map."""

    name: str | None = field(default=None, metadata=meta("The name", required=True))
    zone: Zone | None = field(default=None, metadata=meta("The zone", required=True))


def test_all_violations_are_said_whatever_their_paths_look_like():
    """A key with a colon hides none, and an empty place that custody left is not named twice."""
    unknown = {"zone": "contract:zone~abc123"}
    raw = json.dumps({"value": {"a:b": unknown, "a:c": unknown, "a": {"name": "A"}}})

    with pytest.raises(ResponseRefused) as caught:
        ResponseContract(holder(dict[str, Entry])).read(raw, ArtifactRegistry())

    assert sorted(line.partition(": ")[0] for line in caught.value.violations) == [
        "value.a.zone",
        "value.a:b.name",
        "value.a:b.zone",
        "value.a:c.name",
        "value.a:c.zone",
    ]


@define
class Report:
    """An answer with plain members around its artifacts."""

    title: str
    zones: list[Zone]
    by_name: dict[str, Zone] = field(factory=dict)
    pages: int = 0
    other: Zone | None = None


def test_unknown_references_are_reported_with_what_does_not_fit():
    """In document order, each once: all problems of a reply come in one turn."""
    registry = ArtifactRegistry()
    key = registry.register(Zone())
    zones = [{"artifact_ref": key}, {"artifact_ref": "contract:zone~zzzzzz"}, {"artifact_ref": ""}]
    by_name = {"a b": "contract:zone~yyyyyy", "c": {"x": 1}, "d": {"artifact_ref": 5}}
    raw = json.dumps({"zones": zones, "by_name": by_name, "pages": "many", "other": {"artifact_ref": key}})

    with pytest.raises(ResponseRefused) as caught:
        ResponseContract(Report).read(raw, registry)

    expected = "expected the artifact_ref of Zone from the registry"
    assert caught.value.violations == (
        "title: missing, expected string",
        f"zones[1]: found a reference that names nothing in the registry, {expected}",
        f"zones[2]: found an artifact without a reference, {expected}",
        f"by_name.a b: found a reference that names nothing in the registry, {expected}",
        f"by_name.c: found an artifact without a reference, {expected}",
        "by_name.d: found integer 5, expected the reference of Zone as text",
        'pages: found string "many", expected integer',
    )


def test_what_stands_beside_no_reference_is_not_complained_of():
    """The model is told to name an artifact, and not to write a better one."""

    @type_alias("contract:dated")
    @define
    class Dated(Artifact):
        year: int = 0

    @define
    class Answer:
        dated: Dated
        title: str

    with pytest.raises(ResponseRefused) as caught:
        ResponseContract(Answer).read('{"dated": {"year": "soon"}}', ArtifactRegistry())

    assert [line.partition(":")[0] for line in caught.value.violations] == ["dated", "title"]


def test_a_misfit_of_one_union_member_stays_a_misfit_beside_unknown_references():
    """Another member, which would read without the reference, is not what was asked for."""

    @define
    class Named:
        zone: Zone
        n: int

    @define
    class Loose:
        n: int = 0

    @define
    class Answer:
        value: Named | Loose
        title: str

    with pytest.raises(ResponseRefused) as caught:
        ResponseContract(Answer).read(
            '{"value": {"zone": "contract:zone~zzzzzz", "n": 1}}', ArtifactRegistry()
        )

    assert caught.value.violations == ("title: missing, expected string",)


def test_a_problem_that_is_gone_when_the_references_are_looked_at_is_reported_all_the_same():
    """A validator may change its mind; what it said once stands beside the rest."""
    times = []

    def fickle(_instance, _attribute, _value):
        if times:
            times.pop()
            msg = "not now"
            raise ValueError(msg)

    @define
    class Answer:
        number: int = field(validator=fickle)
        zone: Zone | None = None
        title: str = ""

    contract = ResponseContract(Answer)

    times.append("beside another problem")
    with pytest.raises(ResponseRefused) as caught:
        contract.read('{"number": 1, "title": []}', ArtifactRegistry())
    assert sorted(line.partition(":")[0] for line in caught.value.violations) == ["number", "title"]
    times += ["quickly", "with care", "one by one"]
    with pytest.raises(ResponseRefused, match="number: not now"):
        contract.read('{"number": 1}', ArtifactRegistry())


def test_the_problems_of_an_instance_come_to_an_end():
    """An instance may hold one object in any number of places, and nobody reads so many lines."""
    cls = holder(list[Entry])

    errors = ResponseContract(cls).validation_errors(cls([Entry()] * 20_000))

    assert 10_000 <= len(errors) < 20_000


# --- reasoning ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reasoning", "text"),
    [
        (SimpleReasoning("Because."), "Because."),
        (ToolSelectionReasoning("It fits", "high"), "It fits (Confidence: high)"),
        (ToolSelectionReasoning("It fits"), "It fits"),
        (ToolSelectionReasoning(confidence="high"), "Confidence: high"),
        (ChainOfThoughtReasoning("Divide", ["one", "two"]), "Approach: Divide\nSteps: one → two"),
        (ChainOfThoughtReasoning("Divide", None), "Approach: Divide"),
        (ChainOfThoughtReasoning("Divide", []), "Approach: Divide"),
        (ChainOfThoughtReasoning(steps=["one"]), "Steps: one"),
        (ChainOfThoughtReasoning(steps=["one", "two", "three"]), "Steps: one → two → three"),
        (AnalysisReasoning("Close", "Old data"), "Relevance: Close\nCaveats: Old data"),
        (AnalysisReasoning("Close"), "Relevance: Close"),
        (AnalysisReasoning(caveats="Old data"), "Caveats: Old data"),
    ],
)
def test_reasoning_is_described_from_the_parts_that_are_filled(reasoning, text):
    """Empty parts are left out."""
    assert reasoning.user_friendly_description() == text
    assert isinstance(reasoning, Reasoning)


def test_simple_reasoning_without_a_thought_has_no_description():
    """The thought or None."""
    assert SimpleReasoning(None).user_friendly_description() is None


@pytest.mark.parametrize(
    "reasoning",
    [
        *(ToolSelectionReasoning(), ToolSelectionReasoning("", ""), ToolSelectionReasoning("  ", None)),
        *(ChainOfThoughtReasoning(), ChainOfThoughtReasoning("", []), ChainOfThoughtReasoning(" ", None)),
        *(AnalysisReasoning(), AnalysisReasoning("", ""), AnalysisReasoning(None, " ")),
    ],
)
def test_structured_reasoning_says_in_words_that_it_is_empty(reasoning):
    """Nothing filled in is said in words."""
    text = reasoning.user_friendly_description()

    assert text.startswith("No ")
    assert text.endswith("provided")


def test_an_empty_chain_of_thought_is_called_so():
    """The wording of the contract."""
    assert ChainOfThoughtReasoning().user_friendly_description() == "No chain of thought provided"


@pytest.mark.parametrize(
    ("cls", "members", "required"),
    [
        (SimpleReasoning, ["thought"], None),
        (ToolSelectionReasoning, ["rationale", "confidence"], ["rationale"]),
        (ChainOfThoughtReasoning, ["approach", "steps"], ["steps"]),
        (AnalysisReasoning, ["relevance_justification", "caveats"], ["relevance_justification"]),
    ],
)
def test_the_reasoning_shapes_are_described(cls, members, required):
    """Every field has words of its own, and what validation reports is required in the schema."""
    schema = json_schema(cls)

    assert list(schema["properties"]) == members
    assert all(not node["description"].startswith("Field ") for node in schema["properties"].values())
    assert not schema["description"].startswith("Schema of ")
    if required is not None:
        assert schema["required"] == required
        cls()  # they default to None, so that validation reports them
        assert len(ResponseContract(cls).validation_errors(cls())) == len(required)


def test_a_response_binds_its_reasoning():
    """Reasoning is a described field of the bound shape, not required."""

    @define
    class Answer(ReasonableResponse[AnalysisReasoning]):
        reply: str

    schema = json_schema(Answer)

    assert schema["properties"]["reasoning"]["title"] == "AnalysisReasoning"
    assert not schema["properties"]["reasoning"]["description"].startswith("Field ")
    assert schema["required"] == ["reply"]
    answer = ResponseContract(Answer).read('{"reply": "r", "reasoning": {"relevance_justification": "j"}}')
    assert answer == Answer("r", reasoning=AnalysisReasoning("j"))
    assert ResponseContract(Answer).read('{"reply": "r"}').reasoning is None


def test_a_response_reports_what_its_reasoning_misses():
    """Validation goes into the reasoning."""

    @define
    class Answer(ReasonableResponse[ChainOfThoughtReasoning]):
        reply: str

    assert (
        refusal('{"reply": "r", "reasoning": {"approach": "a"}}', Answer)
        .violations[0]
        .startswith("reasoning.steps")
    )


def test_the_bound_responses_are_bound():
    """StringReasonableResponse and ChainOfThoughtResponse need no arguments."""
    assert describe(ChainOfThoughtResponse).fields["reasoning"].type_label == "ChainOfThoughtReasoning"
    assert describe(StringReasonableResponse).fields["reasoning"].type_label == "SimpleReasoning"
    assert issubclass(ChainOfThoughtResponse, ReasonableResponse)
    assert issubclass(StringReasonableResponse, ReasonableResponse)


def test_reasoning_is_keyword_only():
    """A subclass may have mandatory fields, given by place."""

    @define
    class Answer(StringReasonableResponse):
        reply: str

    assert Answer("r").reply == "r"
    assert Answer("r", reasoning=SimpleReasoning("t")).reasoning.thought == "t"


# --- prompts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["text", {"a": [1, {"b": None}]}, [1, "two"], "", {}, []])
def test_a_prompt_travels_as_key_and_content(content):
    """Text or a structure, both ways."""
    prompt = Prompt("k", content)

    assert json.loads(write(prompt)) == {"key": "k", "content": content}
    assert json.loads(write_compact(prompt)) == {"key": "k", "content": content}
    assert parse(write(prompt), Prompt) == prompt
    assert convert({"key": "k", "content": content}, Prompt) == prompt


def test_absent_content_reads_as_none_and_is_written_as_null():
    """A prompt always has both members."""
    assert parse('{"key": "k"}', Prompt) == Prompt("k", None)
    assert parse('{"key": "k", "content": null}', Prompt) == Prompt("k", None)
    assert write_compact(Prompt("k", None)) == '{"key":"k","content":null}'
    assert write_compact(Prompt("k")) == '{"key":"k","content":null}'


@pytest.mark.parametrize(
    "text",
    [
        '{"content": "c"}',
        "{}",
        '{"key": null}',
        '{"key": 3}',
        '{"key": true}',
        '{"key": ["k"]}',
        '{"key": {}}',
    ],
)
def test_a_missing_or_non_text_key_is_refused(text):
    """A key is text: nothing is turned into one."""
    with pytest.raises(MappingError) as caught:
        parse(text, Prompt)
    assert [problem.path for problem in caught.value.problems] == ["key"]


def test_prompts_nest():
    """A prompt inside other data follows the same rules."""
    cls = holder(list[Prompt])

    assert parse(write(cls([Prompt("a"), Prompt("b", {"c": 1})])), cls) == cls(
        [Prompt("a"), Prompt("b", {"c": 1})]
    )
    assert '"content":null' in write_compact(cls([Prompt("a")]))
    with pytest.raises(MappingError) as caught:
        parse('{"value": [{"key": "a"}, {"content": 1}]}', cls)
    assert [problem.path for problem in caught.value.problems] == ["value[1].key"]


@pytest.mark.parametrize(
    "raw",
    [
        '{"Prompt": {"key": "k", "content": "c"}}',
        '{"@type": "Prompt", "@fields": {"key": "k", "content": "c"}}',
    ],
)
def test_echoes_of_the_schema_of_a_prompt_are_understood(raw):
    """A prompt is a composite like any other for a model's reply."""
    assert parse_llm_response(raw, Prompt) == Prompt("k", "c")


def test_a_subclass_of_prompt_loses_nothing():
    """An object is written by its own class, and read by it."""

    @define
    class Titled(Prompt):
        title: str = "untitled"

    titled = Titled("k", None, "T")

    assert write_compact(titled) == '{"key":"k","content":null,"title":"T"}'
    assert parse(write(titled), Titled) == titled
    assert list(describe(Titled).fields) == ["key", "content", "title"]


def test_a_prompt_is_read_as_any_composite_is():
    """Text that was encoded twice, names in another spelling and unknown members count as everywhere."""
    strict = make_converter(forbid_extra_keys=True)

    held = parse('{"value": "{\\"key\\": \\"k\\"}"}', holder(Prompt))

    assert held.value == Prompt("k")
    assert parse('{"Key": "k", "Content": [1]}', Prompt) == Prompt("k", [1])
    with pytest.raises(ClassValidationError) as caught:
        strict.structure({"key": 3, "title": "T"}, Prompt)
    assert len(caught.value.exceptions) == 2
    with pytest.raises(MappingError, match=r"found array \(1 item\), expected Prompt"):
        parse("[1]", Prompt)


def test_the_content_of_a_prompt_is_data():
    """Keys that look like notation are data."""
    content = {"@type": "x", "@fields": {"a": 1}, "n": 10**30}

    assert parse(write(Prompt("k", content)), Prompt).content == content


# --- errors ---------------------------------------------------------------------------------------------

MAPPING = MappingError(
    Order, (Problem("cited[1].year", "found string, expected integer"), Problem("", "root"))
)

ERRORS = [
    NucleoError("words"),
    ExtractionError("words"),
    MAPPING,
    SerializationError("words"),
    SchemaError("words"),
    DuplicateAliasError("a:b", Order, Line),
    MissingTypeAliasError((Order, Line)),
    ReferenceConflictError("words"),
    ArtifactNotFoundError("words"),
    InvalidInputError("words"),
    ResponseRefused(("a: missing", "b: missing")),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_is_ours_and_survives_pickling(error):
    """All derive from NucleoError; a copy has the same text and the same attributes."""
    assert isinstance(error, NucleoError)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)
        assert again.args == error.args
    assert str(copy.copy(error)) == str(error)
    assert str(copy.deepcopy(error)) == str(error)


def raised(function, *arguments):
    """Return the error of ours that *function* raises."""
    with pytest.raises(NucleoError) as caught:
        function(*arguments)
    return caught.value


RAISING = {
    "extraction": lambda: parse_llm_response("nothing here", Order),
    "mapping": lambda: parse('{"title": 3, "status": "x", "day": []}', Order),
    "syntax": lambda: parse("{", Order),
    "blank": lambda: parse("", Order),
    "typing form": lambda: parse('{"a": "x"}', dict[str, int]),
    "union": lambda: parse('"x"', Union[int, bool]),
    "schema": lambda: describe(holder(complex)),
    "serialization": lambda: write(holder(Any)(object())),
    "refused": lambda: ResponseContract(Order).read('{"status": "x"}'),
    "keywords": lambda: keywords.for_model("{"),
}


@pytest.mark.parametrize("name", sorted(RAISING))
def test_an_error_that_was_raised_survives_pickling(name):
    """Errors travel between processes whatever they carry."""
    error = raised(RAISING[name])
    again = pickle.loads(pickle.dumps(error))

    assert (type(again), str(again)) == (type(error), str(error))


@pytest.mark.parametrize("kind", [ExtractionError, MappingError])
def test_reading_errors_are_value_errors(kind):
    """Hosts that catch ValueError catch them."""
    assert issubclass(kind, ValueError)
    assert not issubclass(SchemaError, ValueError) or issubclass(SchemaError, NucleoError)


def test_a_mapping_error_has_its_target_and_its_problems():
    """Data first: target, and problems with path and message."""
    error = raised(parse, '{"status": "lost", "lines": [{"number": []}]}', Order)

    assert error.target is Order
    assert {problem.path for problem in error.problems} == {"title", "status", "lines[0].number"}
    assert all(problem.message for problem in error.problems)
    assert "Order" in str(error)
    for problem in error.problems:
        assert problem.path in str(error)
        assert problem.message in str(error)


def test_a_problem_at_the_root_has_no_path():
    """The root is the empty path."""
    assert [problem.path for problem in raised(parse, "[1]", Order).problems] == [""]
    assert [problem.path for problem in raised(parse, '"x"', int).problems] == [""]


def test_paths_use_members_and_places():
    """cited[1].year, and the members of maps by their keys."""
    cls = holder(dict[str, list[dict[str, Line]]])
    error = raised(parse, '{"value": {"crispr": [{}, {"k": {"number": 1, "count": "x"}}]}}', cls)

    assert [problem.path for problem in error.problems] == ["value.crispr[1].k.count"]


def test_refused_carries_its_violations():
    """Violations are what was given."""
    error = ResponseRefused(("a: missing", "b: missing"))

    assert list(error.violations) == ["a: missing", "b: missing"]
    assert "a: missing" in error.correction()
    assert "b: missing" in error.correction()


def test_missing_aliases_carry_their_classes():
    """Classes are the classes without an alias."""
    error = MissingTypeAliasError((Order, Line))

    assert list(error.classes) == [Order, Line]
    assert "Order" in str(error)
    assert "Line" in str(error)


def test_a_duplicate_alias_names_both_classes():
    """The first registration stands, and the refusal names both."""
    first = type_alias("contract:twice")(define(type("First", (Artifact,), {})))
    aliases.register(first)
    with pytest.raises(DuplicateAliasError) as caught:
        aliases.register(type_alias("contract:twice")(define(type("Second", (Artifact,), {}))))

    assert "First" in str(caught.value)
    assert "Second" in str(caught.value)
    assert aliases.resolve_alias("contract:twice") is first


def test_every_error_of_the_contract_is_exported():
    """The errors are found at the root and in their module."""
    for error in ERRORS:
        name = type(error).__name__
        assert getattr(nucleo_schema, name) is getattr(nucleo_schema.errors, name)
        assert name in nucleo_schema.__all__


# --- bounded messages -----------------------------------------------------------------------------------

LITERAL = Literal["a", "b"]


@pytest.mark.parametrize(
    "annotation",
    [
        *(
            int,
            Int32,
            float,
            bool,
            Status,
            LITERAL,
            dt.date,
            dt.datetime,
            dt.time,
            dt.timedelta,
            uuid.UUID,
            bytes,
        ),
        *(
            decimal.Decimal,
            list[int],
            dict[str, int],
            Line,
            Union[Line, Order],
            Union[int, bool],
            tuple[int, str],
        ),
        *(dict[int, int], Optional[int], list[Status], Prompt),
    ],
)
def test_a_long_value_is_cut_in_the_message(annotation):
    """Ten megabytes of text in any place give a short message."""
    error = raised(convert, {"value": LONG + "!"}, holder(annotation))

    assert len(str(error)) < 1500
    assert all(len(problem.message) < 1000 for problem in error.problems)
    assert "value" in str(error)


@pytest.mark.parametrize(
    "value",
    [
        [1] * 1_000_000,
        {str(n): n for n in range(200_000)},
        {"k": LONG},
        [LONG],
        10**5000,
        (1,) * 1_000_000,
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("annotation", [str, int, Status, dt.date, Line, bool])
def test_a_large_value_of_any_kind_is_cut_in_the_message(value, annotation):
    """Collections, bytes and huge integers are worded by their size."""
    try:
        read = convert({"value": value}, holder(annotation))
    except NucleoError as error:
        assert len(str(error)) < 2000
    else:
        assert type(value) is int
        assert annotation in (int, str)
        assert read.value == value or annotation is str


@pytest.mark.parametrize("annotation", [dict[str, int], dict[int, str], dict[Status, str], dict[str, Line]])
def test_a_long_key_is_cut_in_the_path(annotation):
    """A key is a value of the reply like any other."""
    error = raised(convert, {"value": {LONG: "x"}}, holder(annotation))

    assert len(str(error)) < 1500


def test_an_example_of_a_long_value_shows_its_beginning():
    """A message still names the value."""
    error = raised(convert, {"value": "x" * 50}, holder(int))
    assert "x" * 50 in str(error)

    error = raised(convert, {"value": "y" * 101}, holder(int))
    assert "y" * 101 not in str(error)
    assert "yyy" in str(error)


@pytest.mark.parametrize(
    "validator",
    [
        validators.in_(["a"]),
        validators.matches_re("a"),
        validators.max_len(3),
        validators.instance_of(int),
        lambda _self, _attribute, value: (_ for _ in ()).throw(ValueError(f"bad {value}")),
    ],
)
def test_what_a_validator_says_is_cut(validator):
    """Validators of attrs print the whole value, the message of a problem does not."""
    error = raised(convert, {"value": LONG}, holder(str, validator=validator))

    assert len(str(error)) < 2000
    assert [problem.path for problem in error.problems] == ["value"]


def test_what_a_converter_says_is_cut():
    """The same for converters of attrs."""
    error = raised(convert, {"value": LONG}, holder(str, converter=lambda value: int(value, 7)))

    assert len(str(error)) < 2000


@pytest.mark.parametrize(
    "raw",
    [
        LONG,
        "{" + LONG,
        '{"title": "' + LONG,
        "[" * 20_000,
        '{"title": ' + "[" * 20_000,
        LONG.encode() + b"\xff",
    ],
    ids=range(6),
)
def test_a_long_reply_without_an_answer_is_refused_in_few_words(raw):
    """Neither the text nor its prefix floods the message."""
    for function in (
        lambda r: parse_llm_response(r, Order),
        lambda r: parse(r, Order),
        ResponseContract(Order).read,
    ):
        error = raised(function, raw)
        assert len(str(error)) < 1500


def test_a_refusal_of_a_long_reply_has_a_short_correction():
    """The correction turn is a prompt, and prompts are short."""
    error = refusal(json.dumps({"title": [LONG], "status": LONG, "day": LONG}))

    assert len(error.correction()) < 3000
    assert all(len(line) < 1000 for line in error.violations)


def test_the_message_of_very_many_problems_is_bounded():
    """Tens of thousands of problems are data, and the sentence stays readable."""
    error = raised(convert, {"value": ["x"] * 30_000}, holder(list[int]))

    assert len(error.problems) >= 100
    assert len(str(error)) < 100_000


def test_the_correction_of_very_many_problems_is_bounded():
    """A correction turn of thousands of lines helps nobody."""
    error = refusal(json.dumps({"value": ["x"] * 20_000}), holder(list[int]))

    assert len(error.correction()) < 100_000


def test_a_long_target_is_cut():
    """A typing form is worded in few words, however many members it has."""
    target = Union[tuple(make_class(f"Class{n}", {"x": field(type=int)}) for n in range(500))]

    assert len(str(raised(convert, "x", target))) < 2000
    assert len(str(raised(convert, "x", Literal[tuple(f"word{n}" for n in range(5000))]))) < 2000


def test_a_value_whose_repr_fails_is_still_refused():
    """Hostile objects do not break the wording."""

    class Hostile:
        def __repr__(self):
            raise RuntimeError("no words")

        __str__ = __repr__

    assert "value" in str(raised(convert, {"value": Hostile()}, holder(int)))


def test_a_serialization_error_describes_fields_by_size():
    """Never the object itself."""
    cls = make_class("Big", {"text": field(type=str), "many": field(type=list[int]), "bad": field(type=Any)})
    message = str(raised(write, cls("t" * 10_000, list(range(100_000)), object())))

    assert "Big" in message
    assert "10000" in message.replace(",", "").replace("_", "")
    assert "100000" in message.replace(",", "").replace("_", "")
    assert "t" * 201 not in message
    assert len(message) < 2000


def test_a_serialization_error_never_calls_repr_on_a_collection():
    """The repr of a collection may be huge, or fail."""

    class Loud(list):
        def __repr__(self):
            raise AssertionError("repr was called")

    cls = make_class("Big", {"many": field(type=Any), "bad": field(type=Any)})

    assert "2" in str(raised(write, cls(Loud([1, 2]), object())))


@pytest.mark.parametrize("text", [LONG, "{" + LONG, '{"a": ' + LONG + "}"], ids=range(3))
def test_keywords_refuse_long_text_in_few_words(text):
    """for_model and strip_from included."""
    for function in (keywords.for_model, keywords.strip_from):
        try:
            function(text)
        except NucleoError as error:
            assert len(str(error)) < 1500


def test_read_tree_refuses_long_text_in_few_words():
    """The untyped reader too."""
    assert len(str(raised(read_tree, "{" + LONG))) < 1500


# --- pieces that must agree -----------------------------------------------------------------------------


def test_what_the_contract_shows_is_what_it_reads():
    """Names of the notation are names of the answer, in every class."""
    shown = llm_schema(Order)["@fields"]
    reply = {"title": "T", "summary": "S", "status": shown["status"]["@values"][1]}

    assert ResponseContract(Order).read(json.dumps(reply)).status is Status.DONE


def test_a_contract_can_be_shared_by_threads():
    """Reading and instructing from many threads at once."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    contract = ResponseContract(Order)
    with ThreadPoolExecutor(8) as pool:
        results = list(
            pool.map(lambda n: contract.read(f'{{"title": "{n}", "summary": "S"}}').title, range(200))
        )

    assert results == [str(n) for n in range(200)]


@pytest.mark.parametrize("refs", ["link~abc123", None, 5, {"link~abc123": 1}])
def test_no_references_are_made_of_what_is_no_list(refs):
    """A lone reference is not taken apart into letters."""
    response = ArtifactResponse()

    with pytest.raises(InvalidInputError, match="artifact_refs: found"):
        response.artifact_refs = refs
    assert response.artifact_refs == []


def test_a_tuple_of_references_becomes_a_list_of_keys():
    """What comes back is what is declared."""
    response = ArtifactResponse()
    response.artifact_refs = ("link~abc123", "«artifact:link~abc123»")

    assert response.artifact_refs == ["«artifact:link~abc123»"]
