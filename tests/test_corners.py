"""What is rarely met: values already typed, hosts' odd hooks, wrong arguments, texts at the edge."""

import contextlib
import enum
import json
import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, NewType, Optional, TypedDict, Union
from uuid import UUID

import attrs
import pendulum
import pytest
import typing_extensions
from attrs import define, field
from cattrs.strategies import configure_tagged_union

import nucleo_schema as ns
from nucleo_schema import meta
from nucleo_schema._declare.classes import class_spec


class Mood(str, enum.Enum):
    CALM = "calm"


@define
class Point:
    x: int
    y: int = 0


@ns.type_alias("corners:note")
@define
class Note(ns.Artifact):
    title: str
    stars: int = 0


@ns.type_alias("corners:page")
@define
class Page(ns.Artifact):
    body: str = ""


NOTE = "«artifact:corners:note~abc123»"


# --- reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "target"),
    [
        (Decimal("1.5"), Decimal),
        (UUID(int=5), UUID),
        (b"ab", bytes),
        (Path("a"), Path),
        (PurePosixPath("a"), PurePosixPath),
        (Mood.CALM, Mood),
        (date(2024, 1, 2), date),
        (time(1, 2), time),
        (timedelta(1), timedelta),
        (pendulum.duration(days=1), pendulum.Duration),
        (Point(1), Point),
        (ns.Prompt("k"), ns.Prompt),
        (Note(title="t"), Note),
    ],
    ids=repr,
)
def test_a_value_that_is_typed_already_stays(value, target):
    """Structuring takes what it would give."""
    assert ns.converter.structure(value, target) == value
    assert ns.converter.structure([value], list[target]) == [value]


def test_a_member_of_another_enumeration_is_refused():
    """An enumeration takes its own members alone."""
    other = enum.Enum("Other", {"CALM": "calm"})

    with pytest.raises(Exception, match=r"CALM|calm"):
        ns.make_converter(detailed_validation=False).structure(other.CALM, Mood)


def test_a_typed_value_beside_a_wrong_one_stays():
    """The careful way takes instances as the quick one does."""
    with pytest.raises(ns.MappingError) as caught:
        ns.parse('[{"x": 1}, {"x": "no"}]', list[Point])
    assert [problem.path for problem in caught.value.problems] == ["[1].x"]
    with pytest.raises(Exception, match=r"list|structuring"):
        ns.converter.structure([Point(1), {"x": "no"}], list[Point])


def test_a_str_enum_is_no_text_for_the_converter():
    """Cattrs dispatches it to the hook of its base; it is read as the enumeration all the same."""
    assert ns.converter.structure("calm", Mood) is Mood.CALM


def test_a_subclass_of_text_needs_a_leaf_of_its_own():
    """Nobody has said how it is read."""

    class Sku(str):
        __slots__ = ()

    with pytest.raises(ns.SchemaError, match="Sku"):
        ns.parse('"a"', Sku)


def test_a_member_name_of_a_map_is_text():
    """A Python mapping may hold other keys; a map of text does not take them."""
    with pytest.raises(Exception, match=r"structuring|member name"):
        ns.converter.structure({1: 2}, dict[str, int])


@pytest.mark.parametrize("text", [5, ["x"], object()])
def test_what_is_no_text_is_no_json(text):
    """Another kind of argument is refused in words."""
    with pytest.raises(ns.MappingError, match="expected JSON text"):
        ns.parse(text, int)


def test_a_class_that_only_a_hook_reads_is_a_target():
    """Without a description, any span may be meant for it."""

    class Opaque:
        def __init__(self, value):
            self.value = value

    ns.converter.register_structure_hook(Opaque, lambda value, _: Opaque(value))

    assert ns.parse_llm_response("So [1, 2]", Opaque).value == [1, 2]


def test_notes_of_a_host_do_not_hide_the_place():
    """An exception may carry notes of its own."""

    class Picky:
        pass

    def refuse(_value, _type):
        error = ValueError("not today")
        error.__notes__ = ["a note of the host's"]
        raise error

    ns.converter.register_structure_hook(Picky, refuse)

    with pytest.raises(ns.MappingError) as caught:
        ns.parse("[1]", list[Picky])
    assert str(caught.value.problems[0]) == "[0]: not today"


def test_a_typed_dict_is_read_as_cattrs_reads_it():
    """Its problems are at the names of its keys."""

    class Shape(TypedDict):
        a: int

    with pytest.raises(ns.MappingError) as caught:
        ns.parse('{"a": "x"}', Shape)
    assert caught.value.problems[0].path == "a"


@pytest.mark.parametrize(
    "made", [pendulum.time(1, 2, 3), pendulum.duration(hours=5), pendulum.naive(2024, 1, 2)]
)
def test_pendulum_values_are_read_from_their_text(made):
    """A class that declares them gets them."""
    made_type = {"Time": pendulum.Time, "Duration": pendulum.Duration}.get(
        type(made).__name__, pendulum.DateTime
    )
    read = ns.parse(ns.write(made), made_type)

    assert read == made
    assert type(read) is made_type


def test_a_datetime_in_pendulum_keeps_its_offset():
    """Text with an offset is aware, and pendulum adds no zone to text without one."""
    aware = ns.parse('"2024-01-02T03:04:05+02:00"', pendulum.DateTime)

    assert aware.utcoffset() == timedelta(hours=2)
    assert ns.parse('"2024-01-02T03:04:05"', pendulum.DateTime).tzinfo is None
    assert ns.parse('"2024-01-02"', pendulum.Date) == pendulum.date(2024, 1, 2)
    assert ns.parse('{"d": ""}', make(Optional[pendulum.Date])).d is None


def make(annotation, **options):
    """Return a class with one member d of *annotation*."""
    return attrs.make_class("Holder", {"d": field(type=annotation, **options)})


def test_strings_that_never_close_are_cut_or_closed_by_another_quote():
    """A second curly string is read as the first was, without a new search."""
    assert ns.parse('{“a": 1, “b": 2}', dict[str, int]) == {"a": 1, "b": 2}


def test_what_closed_inside_a_broken_bracket_stands_once():
    """The outer of two nested spans is the one that stands."""
    assert ns.parse_llm_response("{see [[1]] oops", list[list[int]]) == [[1]]


def test_a_number_that_begins_with_a_sign_is_named_as_it_was_written():
    """The message shows the model's own text."""
    with pytest.raises(ns.MappingError, match=r"\+99999999999"):
        ns.parse("# so\n+99999999999", ns.Int32)


def test_an_empty_text_is_no_member_of_a_union_of_numbers_and_dates():
    """Null is not among the members."""
    with pytest.raises(ns.MappingError):
        ns.parse('{"d": ""}', make(Union[int, date]))


def test_an_artifact_beside_a_plain_class_goes_by_its_reference():
    """A reference names the artifact, content the class."""
    target = list[Union[Note, Point]]
    note, point = ns.parse(f'[{{"artifact_ref": "{NOTE}"}}, {{"x": 1}}]', target)

    assert (note.artifact_ref, note.has_reference) == (NOTE, True)
    assert point == Point(1)
    assert not Note(title="t").has_reference


def test_a_reference_that_is_no_text_is_refused():
    """A number names no artifact."""
    with pytest.raises(ns.MappingError, match="reference of Note"):
        ns.parse('{"artifact_ref": 5}', Note)


def test_content_beside_a_reference_is_held_to_its_types():
    """Missing content is none; wrong content is refused with its path."""
    with pytest.raises(ns.MappingError) as caught:
        ns.parse(f'{{"artifact_ref": "{NOTE}", "stars": "many"}}', Note)
    assert [problem.path for problem in caught.value.problems] == ["stars"]


def test_a_contract_passes_over_content_beside_a_reference():
    """The tool's own object counts, whatever the model wrote beside its reference; numbers do not disturb."""

    @define
    class Answer(ns.ArtifactResponse[ns.SimpleReasoning]):
        best: Note
        count: int = 0
        texts: list[str] = field(factory=list)

    registry = ns.ArtifactRegistry()
    reference = registry.register(Note(title="t", stars=3))
    raw = f'{{"best": {{"artifact_ref": "{reference}", "stars": "many"}}, "count": 2, "texts": ["{reference}"]}}'
    answer = ns.ResponseContract(Answer).read(raw, registry)

    assert answer.best is registry.get(reference)
    assert answer.artifact_refs == [reference]
    assert answer.artifacts == [answer.best]


def test_a_validator_that_looks_at_an_unread_member_says_nothing_of_it():
    """One problem, at the member that did not read."""

    @define
    class Range:
        low: int
        high: int = field(validator=lambda self, _, value: self.low <= value)
        name: str = field(default="a", validator=lambda *_: _fail("blank"))

    with pytest.raises(ns.MappingError) as caught:
        ns.parse('{"low": "x", "high": 3}', Range)
    assert [problem.path for problem in caught.value.problems] == ["low", "name"]


def _fail(text):
    raise ValueError(text)


def test_a_validator_that_fails_on_itself_is_reported():
    """With every member read, an AttributeError is the validator's own."""
    cls = make(int, validator=lambda self, *_: self.nothing)

    with pytest.raises(ns.MappingError, match="nothing"):
        ns.parse('{"d": 1}', cls)


@pytest.mark.parametrize(
    ("takes_self", "takes_field"), [(False, False), (True, False), (False, True), (True, True)]
)
def test_a_converter_that_takes_more_than_the_value_is_run_and_reported(takes_self, takes_field):
    """What it raises is a problem at its member, beside those of others."""

    def convert(value, *extra):
        assert len(extra) == takes_self + takes_field
        if value < 0:
            _fail("negative")
        return value + 1

    cls = attrs.make_class(
        "Holder",
        {
            "d": field(
                type=int, converter=attrs.Converter(convert, takes_self=takes_self, takes_field=takes_field)
            ),
            "e": field(type=int, default=1, converter=lambda value: value),
            "f": field(
                type=list, default=attrs.Factory(lambda _: [], takes_self=True), validator=lambda *_: None
            ),
        },
    )

    assert ns.parse('{"d": 1}', cls).d == 2
    with pytest.raises(ns.MappingError) as caught:
        ns.parse('{"d": -1}', cls)
    assert str(caught.value.problems[0]) == "d: negative"


def test_a_class_that_makes_its_instances_in_its_own_way_is_called():
    """A ``__new__`` of its own is not passed over."""
    made = []

    @attrs.define(slots=False, kw_only=True)
    class Counted:
        x: int

        def __new__(cls, **_arguments):
            made.append(cls)
            return super().__new__(cls)

    assert ns.parse('{"x": 1}', Counted) == Counted(x=1)
    assert len(made) == 2


# --- declaring and describing -------------------------------------------------------------------------------


def test_an_alias_that_contains_itself_is_refused():
    """It has no finite JSON form."""

    class TypeAliasType:
        __type_params__ = ()

        @property
        def __value__(self):
            return list[self]

    with pytest.raises(ns.SchemaError, match="alias that contains itself"):
        ns.describe(make(TypeAliasType()))


def test_an_alias_is_described_as_what_it_stands_for():
    """It is another name and no more."""
    names = typing_extensions.TypeAliasType("names", list[str])

    assert ns.describe(make(names)).fields["d"].type_label == "array of string"


def test_an_enumeration_without_members_is_refused():
    """Nothing could be answered."""
    with pytest.raises(ns.SchemaError, match="no members"):
        ns.describe(make(enum.Enum("Nothing", {})))


def test_notes_that_cannot_be_hashed_are_left_out():
    """A host's own note on an annotation does no harm."""
    assert ns.parse('{"d": 1}', make(Annotated[int, {"a": 1}])).d == 1
    assert ns.parse('{"d": 1}', make(Annotated[int, {"a": 1}, "kept"])).d == 1


def test_a_width_is_no_note_for_text():
    """Bounds hold for integers alone."""
    assert ns.describe(make(Annotated[str, ns.Int32.__metadata__[0]])).fields["d"].type_label == "string"


@pytest.mark.parametrize("threshold", [-1, 1.5, True, "8000"])
def test_a_threshold_is_a_number_of_characters(threshold):
    """Anything else is refused where it is written."""
    with pytest.raises(ns.SchemaError, match="threshold"):
        ns.Summarizable("hint", threshold=threshold)


@pytest.mark.parametrize(
    "wrong", [{"description": 5}, {"name": 5}, {"type_alias": 5}, {"summarizable": "short"}]
)
def test_an_argument_of_meta_of_another_kind_is_refused(wrong):
    """The message names it."""
    with pytest.raises(ns.SchemaError, match=next(iter(wrong))):
        meta(**wrong)


@pytest.mark.parametrize("alias", ["", "a b", "a::b", 5, "é"])
def test_an_alias_has_levels_of_words(alias):
    """Anything else is refused where it is written."""
    with pytest.raises(ns.SchemaError, match="type_alias"):
        ns.type_alias(alias)


def test_a_description_is_text():
    """Anything else is refused where it is written."""
    with pytest.raises(ns.SchemaError, match="described"):
        ns.described(5)


@pytest.mark.parametrize(
    ("cls", "label", "schema"),
    [("Text", "text", {}), (str, "text", {}), (Point, "", {}), (Point, 5, {}), (Point, "point", "x")],
)
def test_a_leaf_is_a_class_with_a_word_and_a_schema(cls, label, schema):
    """Wrong arguments are refused, and a type that has a form keeps it."""
    with pytest.raises(ns.SchemaError, match="register_leaf"):
        ns.register_leaf(cls, label, schema)


def test_a_leaf_may_publish_no_type():
    """Its examples are then taken as they are."""

    class Free:
        pass

    ns.register_leaf(Free, "free", {"description": "anything"})
    ns.converter.register_structure_hook(Free, lambda *_: Free())
    ns.converter.register_unstructure_hook(Free, lambda _: "free")

    assert ns.json_schema(make(Free, metadata=meta(examples=["x"])))["properties"]["d"]["examples"] == [
        "free"
    ]


def test_a_pendulum_class_is_described_as_its_base():
    """The format is the standard one."""
    assert ns.json_schema(make(pendulum.DateTime))["properties"]["d"]["format"] == "date-time"
    with pytest.raises(ns.SchemaError):
        ns.describe(make(pendulum.Interval))


def test_an_example_of_an_element_of_a_nullable_list_stands_on_the_items():
    """Null beside the list does not hide it."""
    node = ns.json_schema(make(Optional[list[int]], default=(), metadata=meta(examples=["3"])))["properties"][
        "d"
    ]

    assert node["anyOf"][0]["items"]["examples"] == [3]


def test_a_replaced_description_names_a_member():
    """A name that is none is refused, with the names there are."""
    with pytest.raises(ns.InvalidInputError, match="expected members of Point: x, y"):
        ns.json_schema(Point, {"z": "words"})


def test_a_schema_beyond_all_use_is_refused():
    """Classes that all hold one another are written out along every path."""
    names = [f"Wide{n}" for n in range(9)]
    module = sys.modules[__name__]
    for name in names:
        members = {other.lower(): field(type=f"list[{other}]", factory=list) for other in names}
        cls = attrs.make_class(name, members)
        cls.__module__ = __name__
        cls.__annotations__ = {other.lower(): f"list[{other}]" for other in names}
        setattr(module, name, cls)

    with pytest.raises(ns.SchemaError, match="more than 50000 members"):
        ns.describe(module.Wide0)


def test_reasoning_of_no_shape_has_nothing_to_say():
    """The base class describes nothing."""
    assert ns.Reasoning().user_friendly_description() is None


# --- writing ------------------------------------------------------------------------------------------------

UserId = NewType("UserId", int)


@define
class Holder:
    one: UserId
    many: list[UserId]
    named: dict[UserId, UserId]
    pair: tuple[UserId, str]
    maybe: Optional[UserId]
    some: set[UserId]


def test_a_hook_for_a_new_type_is_honoured_in_every_container():
    """What stands in an annotation has no class of its own to be found by."""
    converter = ns.make_converter()
    converter.register_unstructure_hook(UserId, lambda value: f"u{value}")
    converter.register_structure_hook(UserId, lambda text, _: UserId(int(text[1:])))
    holder = Holder(1, [2], {3: 4}, (5, "a"), 6, {7})
    tree = converter.unstructure(holder)

    assert tree == {
        "one": "u1",
        "many": ["u2"],
        "named": {"u3": "u4"},
        "pair": ["u5", "a"],
        "maybe": "u6",
        "some": ["u7"],
    }
    assert converter.structure(tree, Holder) == holder
    assert converter.unstructure([UserId(1)], list[UserId]) == ["u1"]
    assert converter.unstructure(None, Optional[UserId]) is None
    assert converter.unstructure([1], list[int]) == [1]


@define
class Created:
    number: str


@define
class Cancelled:
    number: str


def test_a_tagged_union_of_a_host_is_read_and_written_in_containers():
    """Members alike are told apart by the host's tag."""
    converter = ns.make_converter()
    configure_tagged_union(Union[Created, Cancelled], converter, tag_name="event")
    cls = make(list[Union[Created, Cancelled]])
    tree = converter.unstructure(cls([Cancelled("1")]))

    assert tree == {"d": [{"number": "1", "event": "Cancelled"}]}
    assert converter.structure(tree, cls) == cls([Cancelled("1")])


def test_an_error_without_words_is_worded_all_the_same():
    """A host's exception may fail to print."""

    class MuteError(Exception):
        def __str__(self):
            raise RuntimeError

    class Odd:
        pass

    def refuse(_):
        raise MuteError

    ns.converter.register_unstructure_hook(Odd, refuse)
    with pytest.raises(ns.SerializationError, match="MuteError: no text"):
        ns.write(Odd())


def test_a_wide_object_that_fails_is_described_in_part():
    """The message stays short, however many fields there are."""
    cls = attrs.make_class("Wide", {f"f{n}": field(type=Any, default=None) for n in range(60)})

    with pytest.raises(ns.SerializationError, match="and 20 more"):
        ns.write(cls(f0=object()))


@dataclass
class Record:
    value: Any


def test_a_dataclass_that_fails_is_described_too():
    """A dataclass is a composite."""
    with pytest.raises(ns.SerializationError, match=r"value: found .*Its fields: value"):
        ns.write(Record(object()))


def test_a_summarizer_gives_text():
    """Anything else is refused, naming class and field."""

    class Wrong:
        def summarize(self, text, annotation):
            return len(text) if annotation else 0

    cls = attrs.make_class(
        "Long", {"body": field(type=str, metadata=meta(summarizable=ns.Summarizable("x", threshold=1)))}
    )
    with pytest.raises(ns.SerializationError, match=r"Long\.body: found integer 3"):
        ns.write_summarized(cls("abc"), Wrong())


def test_a_cut_parts_no_pair_of_surrogates():
    """Two halves of one character stay together."""
    text = "\ud83d\ude00" * 400
    summary = ns.TruncatingSummarizer().summarize("x" + text, ns.Summarizable(size=ns.SummarySize.BRIEF))

    assert summary.count("\ud83d") == summary.count("\ude00")


def test_an_ordered_dict_keeps_its_kind():
    """A map is read into the container that is declared."""
    cls = make(OrderedDict[str, int])

    assert ns.parse('{"d": {"b": 1, "a": 2}}', cls).d == OrderedDict(b=1, a=2)


def test_dates_with_offsets_of_seconds_are_written_exactly():
    """The offset is not rounded to minutes."""
    moment = datetime(2024, 1, 1, tzinfo=timezone(timedelta(seconds=30)))

    assert ns.parse(ns.write(moment), datetime) == moment
    assert Literal is not None


# --- numbers and texts as they were written -----------------------------------------------------------------


def test_a_hexadecimal_integer_is_read_on_every_path():
    """JSON5 has them; text and decimals take them as they were written."""
    assert ns.read_tree("# so\n[0x1F, -0x10]") == [31, -16]
    assert ns.parse("# so\n0x1F", str) == "0x1F"
    assert ns.parse("# so\n0x1F", Decimal) == 31


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_float_that_is_no_number_has_its_word_as_text(value):
    """The words are those of JSON5."""
    assert ns.converter.structure(value, str) in {"NaN", "Infinity", "-Infinity"}


@pytest.mark.parametrize("text", ["1e99999999999999999999", "1e400", "-1e400", "9" * 5000])
def test_a_magnitude_beyond_a_number_is_refused_for_numbers(text):
    """Text keeps it as it was written."""
    assert ns.parse(text, str) == text
    for target in (int, float):
        if target is float and text.startswith("9"):
            continue
        with pytest.raises(ns.MappingError):
            ns.parse(text, target)
    with pytest.raises(ns.MappingError):
        ns.parse(f'"{text}"', int)


def test_an_integer_beyond_a_float_is_refused_for_one():
    """It does not become infinite."""
    with pytest.raises(ns.MappingError, match="64-bit float"):
        ns.convert(10**400, float)


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_text_for_a_decimal_is_null(text):
    """As for every number."""
    assert ns.parse(f'{{"d": "{text}"}}', make(Optional[Decimal])).d is None


@pytest.mark.parametrize("value", [True, [], {}])
def test_what_is_no_number_is_no_decimal(value):
    """A boolean is none either."""
    with pytest.raises(ns.MappingError, match="decimal"):
        ns.convert(value, Decimal)


def test_a_decimal_beyond_all_exponents_is_refused():
    """The text is well formed, and no decimal."""
    with pytest.raises(ns.MappingError, match="decimal"):
        ns.parse('"1e99999999999999999999"', Decimal)


def test_a_text_with_half_a_surrogate_pair_is_refused():
    """No encoding has it."""
    with pytest.raises(ns.MappingError, match="surrogate"):
        ns.parse('["\ud800"] // so', list[str])


def test_names_that_only_the_scanner_may_judge_are_left_to_it():
    """An escape in a name, or a sign that is no letter, is no syntax of ours."""
    for text in ("{\\u0061b: 1}", "{a\u0301: 1}", "{a: 1 /* ' */}"):
        try:
            ns.parse(text, dict[str, int])
        except ns.MappingError as error:
            assert error.problems


def test_an_unsigned_word_is_cut_or_is_none():
    """A single-quoted string that never closes ends the text."""
    with pytest.raises(ns.MappingError, match="ends early"):
        ns.parse("['a", list[str])
    with pytest.raises(ns.ExtractionError, match="ends early"):
        ns.parse_llm_response("['a", list[str])


def test_brackets_that_close_nothing_close_no_broken_answer():
    """A stray bracket of another kind is prose."""
    assert ns.parse_llm_response('{"x": oops ] {"x": 1}', Point) == Point(1)


def test_untyped_data_may_admit_null_beside_another_default():
    """Any admits everything."""
    assert "anyOf" not in ns.json_schema(make(Optional[Any], default=3))["properties"]["d"]


@pytest.mark.parametrize("target", [Optional[Point], Union[Point, list[int]], Any, int])
def test_any_target_takes_the_spans_that_can_fill_it(target):
    """An object in a reply is read for all of these, or refused in words."""
    try:
        assert ns.parse_llm_response('So {"x": 1}', target) in (Point(1), {"x": 1})
    except ns.MappingError:
        assert target is int


def test_nesting_beyond_the_interpreter_is_an_error_of_ours():
    """The careful way ends in words as well."""
    deep: Any = {"x": "no"}
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises((ns.MappingError, ns.SerializationError)):
        ns.convert(deep, list[Any])
    with pytest.raises(ns.MappingError, match="nested"):
        ns.parse("[" * 1000 + "]" * 1000, Any)


def test_extraction_takes_a_reply_apart():
    """The span is the answer, the rest is prose, and nothing raises."""
    split = ns.extract_json_with_prose('Before\n```json\n{"a": 1}\n```\nafter')

    assert split == ns.JsonProseSplit('{"a": 1}', "Before\nafter")
    assert ns.extract_json('x [1] {"a": 1}') == '{"a": 1}'
    assert ns.extract_json_with_prose(None) == ns.JsonProseSplit("", "")
    assert ns.extract_json_with_prose(" none ") == ns.JsonProseSplit("", "none")
    assert ns.extract_json_with_prose('a {"a": 1} b').prose == "a\nb"


def test_references_are_added_in_their_canonical_form():
    """Once each, however they are spelled."""
    answer = ns.ArtifactResponse[ns.SimpleReasoning]()
    assert not answer.has_artifact_refs
    answer.add_artifact_ref("corners:note~abc123")
    answer.add_artifact_ref(NOTE)

    assert answer.has_artifact_refs
    assert answer.artifact_refs == [NOTE]


@pytest.mark.parametrize("literal", [Literal[b"a"], Literal["a", b"b"]])
def test_a_literal_of_bytes_is_refused(literal):
    """It has no JSON form."""
    with pytest.raises(ns.SchemaError, match="literal bytes"):
        ns.describe(make(literal))


def test_a_hook_of_ours_writes_plain_values_too():
    """Asked for itself, it gives JSON data."""
    hook = ns.converter.get_unstructure_hook(list)

    assert hook([1, {2}]) == [1, [2]]
    assert ns.converter.get_unstructure_hook(str)("a") == "a"


def test_what_is_no_class_has_no_record_of_members():
    """The one place that reads members refuses what has none."""
    with pytest.raises(ns.SchemaError, match="expected an attrs class"):
        class_spec(int)


def test_a_literal_of_none_alone_is_null():
    """It takes nothing else."""
    assert ns.describe(make(Literal[None])).fields["d"].type_label == "null"
    with pytest.raises(ns.MappingError):
        ns.parse('{"d": 1}', make(Literal[None]))


@pytest.mark.parametrize("text", ["{}", '{"title": "mine"}', "[{}]"])
def test_content_without_a_reference_is_no_artifact_of_any_kind(text):
    """A place declared as Artifact takes references alone."""
    with pytest.raises(ns.MappingError, match="artifact_ref"):
        ns.parse(text, list[ns.Artifact] if text.startswith("[") else ns.Artifact)


# --- never wrong in silence ---------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [".e5", "0e", ".1.", "1_000", "1.5_5", "0x1_0"])
def test_a_quote_in_a_comment_lets_no_sloppy_number_through(number):
    """What is no number is refused, whatever stands before it."""
    with pytest.raises(ns.MappingError):
        ns.parse(f'[1, // 5" pipe\n{number}]', Any)


@pytest.mark.parametrize("text", ['{"text": "Use the form {“a”}', '["They said “yes”]'])
def test_a_quotation_inside_a_string_does_not_end_it(text):
    """A string that only a quotation closes was cut."""
    with pytest.raises(ns.MappingError, match="ends early"):
        ns.parse(text, Any)
    with pytest.raises(ns.ExtractionError, match="ends early"):
        ns.parse_llm_response(text, Any)


@pytest.mark.parametrize("inner", ["5", "null", '"words"', "[1]"])
def test_an_echo_that_holds_no_object_is_refused(inner):
    """Where it stands, it is the instance."""

    @define
    class Defaults:
        a: int = 0

    with pytest.raises(ns.MappingError, match="object under @fields"):
        ns.parse_llm_response(f'{{"@type": "Defaults", "@fields": {inner}}}', Defaults)
    assert ns.parse_llm_response('{"@fields": "{\\"a\\": 1}"}', Defaults) == Defaults(1)


def test_an_integer_beyond_64_bits_is_exact_in_a_union_of_numbers():
    """The decoder's float is not taken for the model's."""
    assert ns.parse("[18446744073709551616]", list[Union[int, float]]) == [18446744073709551616]
    assert ns.parse("[1.5, 2]", list[Union[int, float]]) == [1.5, 2]


def test_an_empty_text_is_null_in_a_union_of_numbers():
    """As it is for each of them."""
    assert ns.parse('{"d": ""}', make(Optional[Union[int, float]])).d is None
    with pytest.raises(ns.MappingError):
        ns.parse('{"d": ""}', make(Union[int, float]))
    assert ns.parse('{"d": ""}', make(Union[int, str])).d == ""


def test_a_target_may_carry_notes_that_cannot_be_hashed():
    """They say nothing to the reader."""
    assert ns.parse('{"x": 1}', Annotated[Point, ["final"]]) == Point(1)


def test_a_hook_for_a_kind_of_text_is_honoured_in_every_container():
    """A host that hides a secret has it hidden everywhere."""

    class Secret(str):
        __slots__ = ()

    ns.converter.register_unstructure_hook(Secret, lambda _: "***")
    secret = Secret("pw")

    for annotation, value in (
        (list[str], [secret]),
        (dict[str, str], {"a": secret}),
        (tuple[str, str], (secret, secret)),
        (Union[str, int], secret),
    ):
        assert "pw" not in ns.write(make(annotation)(value))


@define
class Looped:
    back: Optional["Backward"] = None
    bad: complex = 0j


@define
class Backward:
    loop: Optional[Looped] = None
    x: int = 0


def test_a_class_that_could_not_be_read_stays_so_for_those_that_hold_it():
    """A failed build leaves nothing half made behind."""
    for _ in range(2):
        with pytest.raises(ns.SchemaError, match=r"Looped\.bad"):
            ns.parse('{"back": {}}', Looped)
        with pytest.raises(ns.SchemaError, match=r"Looped\.bad"):
            ns.parse('{"loop": {"junk": 1}, "x": "1"}', Backward)


def test_threads_make_the_readers_of_a_cycle_together():
    """Whoever comes first or last, every member is an instance."""
    for _ in range(30):
        left, right = (
            attrs.make_class(name, {"x": field(type=int, default=0)}) for name in ("Left", "Right")
        )
        left = attrs.make_class(
            "Left", {"right": field(type="Optional[Right]", default=None), "x": field(type=int, default=0)}
        )
        right = attrs.make_class(
            "Right", {"left": field(type=Optional[left], default=None), "x": field(type=int, default=0)}
        )
        attrs.resolve_types(left, {"Right": right, "Optional": Optional})
        start = threading.Barrier(4)
        seen = []

        def read(cls, text, start=start, seen=seen):
            start.wait()
            seen.append(ns.parse(text, cls))

        jobs = [(left, '{"right": {"left": {"x": "1"}}}'), *[(right, '{"left": {"x": "1"}}')] * 3]
        threads = [threading.Thread(target=read, args=job) for job in jobs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert len(seen) == 4
        for item in seen:
            inner = item.right.left if isinstance(item, left) else item.left
            assert type(inner) is left
            assert inner.x == 1


@define
class Many:
    items: list[Union["Many", "More", "Most"]]
    n: int = 0


@define
class More:
    items: list[Union[Many, "More", "Most"]]
    s: int = 0


@define
class Most:
    items: list[Union[Many, More, "Most"]]
    t: int = 0


def test_texts_encoded_again_and_again_are_decoded_once_each():
    """The work grows with the text, and not with the number of ways to read it."""
    inner = "[]"
    for _ in range(9):
        inner = json.dumps({"items": inner, "s": 1})
        inner = json.dumps([inner]) if len(inner) < 400 else inner
    with contextlib.suppress(ns.MappingError):
        ns.parse(json.dumps({"items": inner, "n": 1}), Many)


def test_every_place_of_a_union_has_its_own_problem():
    """Equal values in two places are two problems."""
    with pytest.raises(ns.MappingError) as caught:
        ns.parse('{"items": [5, 5, "x", "x"], "n": 1}', Union[Many, More])

    assert [problem.path for problem in caught.value.problems] == [
        "items[0]",
        "items[1]",
        "items[2]",
        "items[3]",
    ]


class Padded(enum.Enum):
    WIDE = " Padded "


@pytest.mark.parametrize("text", [" Padded ", "Padded", "padded", " PADDED ", "  padded"])
def test_spaces_around_a_choice_are_no_matter_where_it_has_some_itself(text):
    """In any case."""
    assert ns.convert(text, Padded) is Padded.WIDE


@pytest.mark.parametrize("read", [ns.read_tree, lambda text: ns.parse_llm_response(text, Any)])
def test_a_nul_behind_an_escaped_line_end_stays(read):
    """Each way of reading text keeps each character."""
    assert read('["\\\r\x00x"]') == read('/* */["\\\r\x00x"]') == ["\x00x"]


@define
class Kept:
    note: Note | None = None


@pytest.mark.parametrize("read", [ns.parse, ns.parse_llm_response])
def test_an_artifact_in_a_text_encoded_twice_is_read(read):
    """As any composite."""
    text = json.dumps({"note": json.dumps({"artifact_ref": NOTE, "title": "t"})})

    assert read(text, Kept).note == Note("t", artifact_ref=NOTE)


def test_a_quotation_in_a_single_quoted_string_is_kept():
    """Beside a comment, where telling them apart takes a look at both."""
    assert ns.read_tree("{a: 'say \"hi\"', b: 1 // note\n}") == {"a": 'say "hi"', "b": 1}


class Unwritable:
    pass


@define
class Half:
    given: int | None = 5
    odd: Any = None


def test_what_cannot_be_written_beside_a_null_is_told():
    """The careful way goes through every member."""
    with pytest.raises(ns.SerializationError, match="Unwritable"):
        ns.write(Half(None, Unwritable()))


def test_a_leaf_without_a_hook_cannot_be_written():
    """The host has to say how."""
    ns.register_leaf(Unwritable, "thing", {"type": "string"})
    thing = attrs.make_class("Thing", {"it": attrs.field(type=Unwritable)})

    with pytest.raises(ns.SerializationError, match="Unwritable"):
        ns.write(thing(Unwritable()))
