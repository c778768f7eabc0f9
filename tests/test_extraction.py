"""The answer is found in what the model wrote around it, or the reply is refused."""

import math
import re
from datetime import date
from enum import Enum
from typing import Annotated, Any, NewType

import pytest
from attrs import define

import nucleo_schema as ns


@define
class Point:
    x: int
    y: int = 0


@define
class Note:
    text: str


@define
class Bag:
    inner: Point | None = None
    items: list[int] | None = None


class Mood(Enum):
    GLAD = "glad"
    SAD = "sad"


Alias = NewType("Alias", Point)

#: What the reply is, and the span that is its answer.
SPANS = {
    "an object alone": ('{"a": 1}', '{"a": 1}'),
    "a list alone": ("[1, 2]", "[1, 2]"),
    "an empty object": ("so {} then", "{}"),
    "an empty list": ("so [] then", "[]"),
    "prose before": ('Sure, here it is: {"a": 1}', '{"a": 1}'),
    "prose after": ('{"a": 1} I hope this helps.', '{"a": 1}'),
    "a fence": ('```json\n{"a": 1}\n```', '{"a": 1}'),
    "a fence of tildes": ('~~~\n{"a": 1}\n~~~', '{"a": 1}'),
    "a fence with capitals": ('```JSON5\n{"a": 1}\n```\nBye', '{"a": 1}'),
    "a fence that never closes": ('```json\n{"a": 1}\n', '{"a": 1}'),
    "an inline fence": ('the answer is `{"a": 1}`.', '{"a": 1}'),
    "thinking before": ('<think>maybe {"a": 0}?</think>{"a": 1}', '{"a": 1}'),
    "a tag around": ('<answer>{"a": 1}</answer>', '{"a": 1}'),
    "the last of two objects": ('{"a": 1} and {"a": 2}', '{"a": 2}'),
    "the last of two lists": ("[1] and [2]", "[2]"),
    "a list after an object": ('{"a": 1} then [2]', "[2]"),
    "an object after a list": ('[2] then {"a": 1}', '{"a": 1}'),
    "two spans with nothing between": ('{"a": 1}{"a": 2}', '{"a": 2}'),
    "one object per line": ('{"a": 1}\n{"a": 2}\n{"a": 3}\n', '{"a": 3}'),
    "nested objects": ('x {"a": {"b": [1, {"c": 2}]}} y', '{"a": {"b": [1, {"c": 2}]}}'),
    "a bracket in a string": ('{"a": "}{]["}', '{"a": "}{]["}'),
    "an escaped quote in a string": (r'{"a": "\"}"} ok', r'{"a": "\"}"}'),
    "a backslash at the end of a string": (r'{"a": "c:\\"} ok', r'{"a": "c:\\"}'),
    "a bracket in a single-quoted string": ("{'a': '}'} ok", "{'a': '}'}"),
    "a bracket in a curly string": ("{“a”: “}”} ok", "{“a”: “}”}"),
    "a bracket in a line comment": ('{"a": 1 // }\n} ok', '{"a": 1 // }\n}'),
    "a bracket in a hash comment": ('{"a": 1 # }\n} ok', '{"a": 1 # }\n}'),
    "a bracket in a block comment": ('{"a": 1 /* } */} ok', '{"a": 1 /* } */}'),
    "a quote in a comment": ('{"a": 1 // don\'t "\n} ok', '{"a": 1 // don\'t "\n}'),
    "an address is no comment": ('{"a": "http://x/}"} ok', '{"a": "http://x/}"}'),
    "an apostrophe in prose": ("I don't know: {\"a\": 1}, it's all", '{"a": 1}'),
    "an odd quote in prose": ('5" pipes: {"a": 1} 6"', '{"a": 1}'),
    "a curly quote in prose": ('the “final: {"a": 1}', '{"a": 1}'),
    "a hash in prose": ('# Answer {"a": 1}', '{"a": 1}'),
    "slashes in prose": ('see http://x.example/ {"a": 1}', '{"a": 1}'),
    "a comment opener in prose": ('/* {"a": 1}', '{"a": 1}'),
    "a backslash in prose": ('\\ {"a": 1}', '{"a": 1}'),
    "a quoted span in prose": ('He wrote "{"a": 1}"', '{"a": 1}'),
    "a smiley brace before": ('{smile} {"a": 1}', '{"a": 1}'),
    "a smiley brace after": ('{"a": 1} {smile}', '{"a": 1}'),
    "a note before": ('[see note] {"a": 1}', '{"a": 1}'),
    "a note after": ('{"a": 1} [see note]', '{"a": 1}'),
    "a half-open interval": ('{"a": 1} for x in [0, 1)', None),
    "a span inside prose braces": ("{smile [1, 2] }", "[1, 2]"),
    "a span inside a prose bracket": ('[see {"a": 1}]', '{"a": 1}'),
    "a set in mathematics": ('{x | x > 0} {"a": 1}', '{"a": 1}'),
    "a template in prose": ('{{name}} {"a": 1}', '{"a": 1}'),
    "a closer without an opener": ('} ] {"a": 1} ] }', '{"a": 1}'),
    "unquoted names": ("{a: 1, b_c: [2]}", "{a: 1, b_c: [2]}"),
    "a trailing comma": ('{"a": [1, 2,],} ok', '{"a": [1, 2,],}'),
    "python words": ("{'a': True, 'b': None} ok", "{'a': True, 'b': None}"),
    "a byte order mark": ('\ufeff{"a": 1}', '{"a": 1}'),
    "NUL in prose": ('\x00{"a": 1}\x00', '{"a": 1}'),
}


@pytest.mark.parametrize(("raw", "span"), SPANS.values(), ids=SPANS)
def test_the_last_span_is_the_answer(raw, span):
    """Reasoning, fences and prose are dropped, and the span comes out as it was written."""
    if span is None:
        with pytest.raises(ns.ExtractionError):
            ns.extract_json(raw)
    else:
        assert ns.extract_json(raw) == span


NO_SPANS = {
    "nothing": "",
    "blanks": " \n\t ",
    "prose": "I am sorry, I cannot do that.",
    "only closers": "} ] }",
    "a smiley": ":-{ smile",
    "a note": "[see note]",
    "a template": "Hello {name}!",
    "a scalar": "42",
    "a string": '"{"',
    "an opener at the end": "so {",
}


@pytest.mark.parametrize("raw", NO_SPANS.values(), ids=NO_SPANS)
def test_a_reply_without_a_span_is_refused(raw):
    """No span: the error says so in the words of the contract."""
    with pytest.raises(ns.ExtractionError, match=r"^Failed to extract valid JSON from response: "):
        ns.extract_json(raw)
    with pytest.raises(ns.ExtractionError, match=r"^Failed to extract valid JSON from response: "):
        ns.parse_llm_response(raw, Any)


@pytest.mark.parametrize(
    "raw", [*NO_SPANS.values(), *(raw for raw, _ in SPANS.values()), "{", "[1, {", "\ud800"]
)
def test_splitting_off_the_prose_never_raises(raw):
    """Whatever the text is, there is a split."""
    split = ns.extract_json_with_prose(raw)

    assert isinstance(split.json, str)
    assert isinstance(split.prose, str)


@pytest.mark.parametrize("raw", NO_SPANS.values(), ids=NO_SPANS)
def test_no_span_means_all_prose(raw):
    """Where there is no span, all of it is prose."""
    split = ns.extract_json_with_prose(raw)

    assert split.json == ""
    assert split.prose == raw.strip()


def test_none_splits_into_two_empty_strings():
    """None is nothing at all."""
    assert ns.extract_json_with_prose(None) == ns.JsonProseSplit(json="", prose="")


def test_the_split_gives_the_span_and_the_prose_around_it():
    """What the model wrote before and after stays, trimmed, without the span."""
    split = ns.extract_json_with_prose('  Because of rain.\n{"a": 1}\nBye.  ')

    assert split.json == '{"a": 1}'
    assert split.prose.startswith("Because of rain.")
    assert split.prose.endswith("Bye.")
    assert '{"a": 1}' not in split.prose


def test_an_earlier_draft_stays_in_the_prose():
    """Only the answer is taken out."""
    split = ns.extract_json_with_prose('first {"a": 0} then {"a": 1}')

    assert split.json == '{"a": 1}'
    assert '{"a": 0}' in split.prose


BROKEN = {
    "cut in a value": '{"x": 1} final: {"x": 2, "y": ',
    "cut in a name": '{"x": 1} final: {"x',
    "cut in a string": '{"x": 1} final: {"x": "two',
    "cut after the opener": '{"x": 1} final: {',
    "cut in a nested object": '{"x": 1} final: {"x": {"x": 2}',
    "cut in a nested list": '{"x": 1} final: {"x": [1, 2]',
    "cut in a comment": '{"x": 1} final: {"x": 2 /* }',
    "cut in a line comment": '{"x": 1} final: {"x": 2 // }',
    "cut inside a list": '{"x": 1} final: {"x": 2, "z": [{"x": 3}, ',
    "the wrong closer": '{"x": 1} final: {"x": 2]',
    "the wrong inner closer": '{"x": 1} final: {"x": [2}}',
    "a missing comma": '{"x": 1} final: {"x": 2 "y": 3}',
    "a missing colon later": '{"x": 1} final: {"x": 2, "y" 3}',
    "an unescaped quote": '{"x": 1} final: {"x": "a "b" c"}',
    "prose inside": '{"x": 1} final: {"x": 2, and so on}',
    "an ellipsis inside": '{"x": 1} final: {"x": 2, ...}',
    "two commas": '{"x": 1} final: {"x": 2,, "y": 3}',
    "no value": '{"x": 1} final: {"x": }',
    "a bare word": '{"x": 1} final: {"x": two}',
    "an apostrophe in single quotes": "{'x': 1} final: {'x': 'it's'}",
}


@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN)
def test_a_broken_answer_is_never_replaced_by_an_earlier_draft(raw):
    """An answer that got as far as a first member and is broken is refused; taking the draft is a guess."""
    with pytest.raises((ns.ExtractionError, ns.MappingError)):
        ns.parse_llm_response(raw, Point)


BROKEN_LISTS = {
    "cut": "[1] final: [2, 3",
    "cut in an object": '[1] final: [2, {"a": 3}',
    "the wrong closer": "[1] final: [2, 3}",
    "a missing comma": "[1] final: [2, 3 4]",
    "prose inside": "[1] final: [2, and so on]",
    "an ellipsis": "[1] final: [2, 3, ...]",
}


@pytest.mark.parametrize("raw", BROKEN_LISTS.values(), ids=BROKEN_LISTS)
def test_a_broken_list_is_never_replaced_by_an_earlier_one(raw):
    """The same for a target that takes a list."""
    with pytest.raises((ns.ExtractionError, ns.MappingError)):
        ns.parse_llm_response(raw, list[int])


def test_a_broken_draft_before_the_answer_is_prose():
    """A broken span with one of its kind after it is no answer, only prose."""
    assert ns.parse_llm_response('{"x": 1, oops} better: {"x": 2}', Point) == Point(2)
    assert ns.parse_llm_response("[1, oops] better: [2]", list[int]) == [2]


def test_what_closed_inside_prose_stands():
    """An opener that is prose from its first word hides nothing."""
    assert ns.parse_llm_response('{the answer {"x": 1} }', Point) == Point(1)
    assert ns.parse_llm_response('[my answer: {"x": 1} ]', Point) == Point(1)
    assert ns.parse_llm_response("{the answer [1, 2] }", list[int]) == [1, 2]


@pytest.mark.parametrize("kind", ["{%s}", "[%s]", "(%s)"])
def test_prose_in_brackets_after_the_answer_is_prose(kind):
    """A remark in brackets of any kind does not take the answer's place."""
    assert ns.parse_llm_response('{"x": 1} ' + kind % "as I said before", Point) == Point(1)


OBJECT_TARGETS = {
    "a class": Point,
    "an optional class": Point | None,
    "an annotated class": Annotated[Point, "final"],
    "a new type": Alias,
    "a union of classes": Point | Note,
}


@pytest.mark.parametrize("target", OBJECT_TARGETS.values(), ids=OBJECT_TARGETS)
@pytest.mark.parametrize(
    "tail", [" see [1]", " [1, 2]", " [see note]", " []", ' ["x"]', " [0, 1)", " [1] [2, 3)", " [1, 2"]
)
def test_a_list_after_the_object_is_prose_for_a_class(target, tail):
    """Footnotes in square brackets do not take the place of the object, not even half ones."""
    assert ns.parse_llm_response('{"x": 1}' + tail, target) == Point(1)


def test_a_list_after_the_object_is_prose_for_a_map():
    """A dict is filled by an object only."""
    assert ns.parse_llm_response('{"x": 1} see [1]', dict[str, int]) == {"x": 1}


@pytest.mark.parametrize("target", [list[int], tuple[int, ...], set[int], frozenset[int]])
@pytest.mark.parametrize("tail", [' {"a": 1}', " {smile}", " {}", ' {"a": 1, oops}', ' {"a": 1'])
def test_an_object_after_the_list_is_prose_for_a_list(target, tail):
    """The mirror image: what only a list can fill passes over objects."""
    assert sorted(ns.parse_llm_response("[1, 2]" + tail, target)) == [1, 2]


def test_a_list_before_the_object_is_prose_for_a_class():
    """A list before it is passed over as well."""
    assert ns.parse_llm_response('As [1] says: {"x": 1}', Point) == Point(1)


@pytest.mark.parametrize("raw", ["[1, 2]", "so [1] and [2]", '[{"x": 1}, {"x"'])
def test_a_class_is_not_filled_by_a_list(raw):
    """Without an object there is no answer for a class."""
    with pytest.raises((ns.ExtractionError, ns.MappingError)):
        ns.parse_llm_response(raw, Point)


def test_nothing_inside_a_cut_list_is_the_answer():
    """The elements of a list that was cut are not the object that was asked for."""
    with pytest.raises((ns.ExtractionError, ns.MappingError)):
        ns.parse_llm_response('[{"x": 1}, {"x": 2}', Point)


def test_nothing_inside_a_cut_object_is_the_answer():
    """The members of an object that was cut are not the list that was asked for."""
    with pytest.raises((ns.ExtractionError, ns.MappingError)):
        ns.parse_llm_response('{"a": [1, 2], "b": [3]', list[int])


def test_a_member_of_the_answer_is_not_the_answer():
    """Only top-level spans count."""
    assert ns.parse_llm_response('{"inner": {"x": 5}, "items": [1]}', Bag) == Bag(Point(5), [1])


def test_a_date_is_read_from_an_array_in_prose():
    """A target of another kind takes the last span, whatever it is."""
    assert ns.parse_llm_response("the day is [2024, 12, 31]", date) == date(2024, 12, 31)


def test_an_enum_is_read_from_an_object_in_prose():
    """An object whose first textual member names the enum."""
    assert ns.parse_llm_response('so {"mood": "sad"}', Mood) is Mood.SAD


def test_untyped_data_takes_the_last_span_of_either_kind():
    """Any takes what comes last."""
    assert ns.parse_llm_response('{"a": 1} [2]', Any) == [2]
    assert ns.parse_llm_response('[2] {"a": 1}', Any) == {"a": 1}


# --- repair -------------------------------------------------------------------------------------------------

REPAIRED = {
    "a raw newline": ('{"text": "a\nb"}', "a\nb"),
    "a raw tab": ('{"text": "a\tb"}', "a\tb"),
    "a raw carriage return": ('{"text": "a\r\nb"}', "a\r\nb"),
    "a raw NUL": ('{"text": "a\x00b"}', "a\x00b"),
    "a raw escape character": ('{"text": "a\x1bb"}', "a\x1bb"),
    "a raw delete character": ('{"text": "a\x7fb"}', "a\x7fb"),
    "raw line separators": ('{"text": "a\u2028b\u2029c"}', "a\u2028b\u2029c"),
    "all control characters": (
        '{"text": "' + "".join(map(chr, range(32))) + '"}',
        "".join(map(chr, range(32))),
    ),
    "a raw newline in single quotes": ("{'text': 'a\nb'}", "a\nb"),
    "a raw newline in curly quotes": ("{“text”: “a\nb”}", "a\nb"),
    "curly quotes": ("{“text”: “a”}", "a"),
    "single curly quotes": ("{‘text’: ‘a’}", "a"),
    "low quotes": ("{„text“: „a“}", "a"),
    "low quotes closed high": ("{„text”: „a”}", "a"),
    "low single quotes": ("{‚text‘: ‚a‘}", "a"),
    "double primes": ("{″text″: ″a″}", "a"),
    "single primes": ("{′text′: ′a′}", "a"),
    "a straight quote in curly quotes": ('{"text": “he said "no" twice”}', 'he said "no" twice'),
    "an apostrophe in single curly quotes": ("{‘text’: ‘it's’}", "it's"),
    "curly quotes in straight quotes": ('{"text": "he said “no” twice"}', "he said “no” twice"),
    "curly quotes in single quotes": ("{'text': 'he said “no” twice'}", "he said “no” twice"),
    "a typographic apostrophe in a value": ('{"text": "it’s"}', "it’s"),
    "dashes in a value": ('{"text": "1–2 — 3…"}', "1–2 — 3…"),
    "a closing curly quote in a value": ('{"text": "5” pipe", }', "5” pipe"),
    "an opening curly quote in a value": ('{"text": "“x"}', "“x"),
    "curly quotes beside control characters": ('{"text": "“a”\n‘b’"}', "“a”\n‘b’"),
    "curly keys and a dash in the value": ("{“text”: “a — b”}", "a — b"),
    "a comment with curly quotes": ('{"text": "a" /* “ */}', "a"),
    "a line comment with an apostrophe": ("{\"text\": 'a' // don't\n}", "a"),
    "an escaped line end": ('{"text": "a\\\nb"}', None),
}


@pytest.mark.parametrize(("raw", "text"), REPAIRED.values(), ids=REPAIRED)
@pytest.mark.parametrize("read", [ns.parse, ns.parse_llm_response])
def test_a_value_is_repaired_outside_and_kept_inside(read, raw, text):
    """Control characters are escaped, typographic quotes read as quotes, and a value keeps its characters."""
    if text is None:
        try:
            assert read(raw, Note).text in {"ab", "a\nb"}
        except ns.MappingError:
            return
    else:
        assert read(raw, Note) == Note(text)


@pytest.mark.parametrize("read", [ns.parse, ns.parse_llm_response])
def test_typographic_dashes_outside_strings_become_ascii(read):
    """An en dash before a number is its sign."""
    assert read('{"x": –5}', Point) == Point(-5)


@pytest.mark.parametrize("raw", ['{"x": —5}', '{"x": …}', '{"x": 1, …}', '{"x": 1–2}'])
@pytest.mark.parametrize("read", [ns.parse, ns.parse_llm_response])
def test_what_becomes_no_json_is_refused(read, raw):
    """An em dash is two hyphens and an ellipsis is three points: no numbers."""
    with pytest.raises((ns.MappingError, ns.ExtractionError)):
        read(raw, Point)


# --- syntax -------------------------------------------------------------------------------------------------

LENIENT = {
    "line comment": ('{"x": 1 // one\n}', {"x": 1}),
    "line comment at the end": ('{"x": 1} // one', {"x": 1}),
    "block comment": ('{/* a */"x"/* b */:/* c */1/* d */}', {"x": 1}),
    "hash comment": ('{"x": 1 # one\n}', {"x": 1}),
    "hash comment with a carriage return": ('{"x": 1, # one\r\n"y": 2}', {"x": 1, "y": 2}),
    "trailing comma in an object": ('{"x": 1,}', {"x": 1}),
    "trailing comma in a list": ('{"x": [1,]}', {"x": [1]}),
    "single quotes": ("{'x': 'a'}", {"x": "a"}),
    "a double quote in single quotes": ("{'x': 'a\"b'}", {"x": 'a"b'}),
    "an escaped single quote": (r"{'x': 'a\'b'}", {"x": "a'b"}),
    "unquoted names": ("{x: 1, _y: 2, $z: 3, a1: 4}", {"x": 1, "_y": 2, "$z": 3, "a1": 4}),
    "unquoted names that are words": ("{true: 1, null: 2, None: 3}", {"true": 1, "null": 2, "None": 3}),
    "python words": ('{"x": True, "y": False, "z": None}', {"x": True, "y": False, "z": None}),
    "a plus": ('{"x": +1, "y": +1.5}', {"x": 1, "y": 1.5}),
    "a leading point": ('{"x": .5, "y": -.5, "z": +.5}', {"x": 0.5, "y": -0.5, "z": 0.5}),
    "an exponent": ('{"x": 1e3, "y": 1E-2}', {"x": 1000.0, "y": 0.01}),
    "an escape that JSON has not": (r'{"x": "\$5 \_ \-"}', {"x": "$5 _ -"}),
    "escapes that JSON has": (r'{"x": "\" \\ \/ \b \f \n \r \t \u00e9"}', {"x": '" \\ / \b \f \n \r \t é'}),
    "a surrogate pair": (r'{"x": "\ud83d\ude00"}', {"x": "😀"}),
    "infinities": ('{"x": Infinity, "y": -Infinity}', {"x": float("inf"), "y": float("-inf")}),
    "spaces of other kinds": ('{\u00a0"x":\u20031}', {"x": 1}),
    "an empty name": ('{"": 1}', {"": 1}),
    "a name that looks like a class attribute": (
        '{"__class__": 1, "__proto__": 2}',
        {"__class__": 1, "__proto__": 2},
    ),
    "a duplicate key": ('{"x": 1, "x": 2}', {"x": 2}),
    "a duplicate key in two spellings": (r'{"x": 1, "\u0078": 2, x: 3}', {"x": 3}),
}


@pytest.mark.parametrize(("raw", "tree"), LENIENT.values(), ids=LENIENT)
def test_lenient_syntax_is_read(raw, tree):
    """Every liberty of the accepted syntax reads as what it spells, on every path."""
    assert repr(ns.parse_llm_response(raw, Any)) == repr(tree)
    assert repr(ns.parse(raw, Any)) == repr(tree)
    assert repr(ns.read_tree(raw)) == repr(tree)


def test_not_a_number_is_read():
    """NaN is a word of the accepted syntax."""
    tree = ns.read_tree('{"x": NaN, "y": [NaN]}')

    assert tree["x"] != tree["x"]
    assert tree["y"][0] != tree["y"][0]


STRICT = {
    "a short escape": r'{"x": "\u00A"}',
    "a short escape at the end": r'{"x": "\u00',
    "an escape that is no hexadecimal": r'{"x": "\uZZZZ"}',
    "an escape with an underscore": r'{"x": "\u0_0a"}',
    "an escape with a sign": r'{"x": "\u+123"}',
    "an escape with full-width digits": '{"x": "\\u００４１"}',
    "a leading zero": '{"x": 010}',
    "a leading zero with a sign": '{"x": -010}',
    "two zeros": '{"x": 00}',
    "two signs": '{"x": --1}',
    "plus and minus": '{"x": +-1}',
    "a lone minus": '{"x": -}',
    "a lone point": '{"x": .}',
    "two points": '{"x": 1.2.3}',
    "an empty exponent": '{"x": 1e}',
    "an underscore in a number": '{"x": 1_000}',
    "a comma in a number": '{"x": 1,000}',
    "full-width digits": '{"x": １２}',
    "a unit after a number": '{"x": 12px}',
    "a bare word": '{"x": yes}',
    "a function": '{"x": Date()}',
    "undefined": '{"x": undefined}',
    "no value": '{"x":}',
    "no colon": '{"x" 1}',
    "no comma": '{"x": 1 "y": 2}',
    "two commas": '{"x": 1,, "y": 2}',
    "a comma alone": "{,}",
    "a comma alone in a list": '{"x": [,]}',
    "two commas in a list": '{"x": [1,,2]}',
    "text after the value": '{"x": 1} y',
    "two values": '{"x": 1}{"x": 2}',
    "a name that is a list": "{[1]: 2}",
    "a python tuple": '{"x": (1, 2)}',
    "a python set": '{"x": {1, 2}}',
    "a python bytes literal": '{"x": b"a"}',
    "an f-string": '{"x": f"a"}',
    "an open block comment": '{"x": 1} /* y',
    "mixed closers": '{"x": [1}]',
    "an open string": '{"x": "a}',
}


@pytest.mark.parametrize("raw", STRICT.values(), ids=STRICT)
def test_what_is_outside_the_syntax_is_refused(raw):
    """Where the text is not JSON in our lenient syntax, nothing is guessed."""
    with pytest.raises(ns.MappingError, match=r"^Failed to parse JSON"):
        ns.parse(raw, Any)
    with pytest.raises(ns.MappingError):
        ns.read_tree(raw)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "+Infinity", "True", "False", "None"])
def test_words_in_another_case_are_no_values(word):
    """Words are read as they are spelled in the contract, and not as names cut short."""
    ns.read_tree(f'{{"x": {word}}}')
    for raw in (f'{{"x": {word}x}}', f'{{"x": {word[:-1]}}}'):
        with pytest.raises(ns.MappingError):
            ns.read_tree(raw)


BLANK = {
    "nothing": "",
    "blanks": " \n\t",
    "a byte order mark": "\ufeff",
    "no bytes": b"",
    "blank bytes": b" \n",
}


@pytest.mark.parametrize("text", BLANK.values(), ids=BLANK)
def test_parse_refuses_blank_text(text):
    """Empty input is refused in the words of the contract."""
    with pytest.raises(ns.MappingError, match="JSON is empty or null"):
        ns.parse(text, Point)


def test_parse_refuses_none():
    """None is refused like empty text."""
    with pytest.raises(ns.MappingError, match="JSON is empty or null"):
        ns.parse(None, Point)
    with pytest.raises(ns.ExtractionError):
        ns.parse_llm_response(None, Point)


@pytest.mark.parametrize(
    "raw", [b'{"x": "\xff"}', b"\xff\xfe{", b'{"x": 1}\x80', b'{"x": "\xed\xa0\x80"}', b'{"x": "\xc0\x80"}']
)
def test_bytes_that_are_not_utf_8_are_refused(raw):
    """Nothing is replaced or dropped in bytes that are no text."""
    with pytest.raises(ns.MappingError):
        ns.parse(raw, dict[str, Any])


@pytest.mark.parametrize("raw", [b'{"x": 1}', b'\xef\xbb\xbf{"x": 1}', "{“x”: 1}".encode(), b"{x: 1,}"])
def test_bytes_are_read(raw):
    """Bytes of UTF-8 are text, with a byte order mark or without."""
    assert ns.parse(raw, Point) == Point(1)


def test_a_mapping_failure_names_the_target():
    """The message says what was to be read, and starts as the contract says."""
    with pytest.raises(ns.MappingError, match=r"^Failed to parse JSON to Point: "):
        ns.parse_llm_response('{"y": 1}', Point)
    with pytest.raises(ns.MappingError, match=r"^Failed to parse JSON to Point: "):
        ns.parse('{"y": 1}', Point)


def test_an_extraction_failure_is_short_for_a_long_reply():
    """Ten megabytes of prose do not come back in the message."""
    with pytest.raises(ns.ExtractionError) as caught:
        ns.extract_json("word " * 2_000_000)

    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    "raw", ['{"x": "\ud800"}', '{"x": "\udfff a"}', r'{"x": "\ud800"}', r'{"x": "\ude00\ud83d"}']
)
def test_a_lone_surrogate_is_data_or_an_error_of_ours(raw):
    """Half a character is kept or refused, and never replaced."""
    for read in (ns.parse, ns.parse_llm_response):
        try:
            value = read(raw, dict[str, str])["x"]
        except ns.NucleoError:
            continue
        assert re.search("[\ud800-\udfff]", value)
        assert "\ufffd" not in value


NESTERS = {
    "objects": lambda n: '{"a":' * n + "1" + "}" * n,
    "lists": lambda n: "[" * n + "1" + "]" * n,
    "both": lambda n: '[{"a":' * (n // 2) + "1" + "}]" * (n // 2),
    "messy objects": lambda n: "{a: " * n + "'x'" + ",}" * n,
    "messy lists": lambda n: "[" * n + "1" + ", # x\n]" * n,
    "curly objects": lambda n: "{“a”: " * n + "“x”" + "}" * n,
}


def _depth(tree):
    depth = 0
    while isinstance(tree, (dict, list)):
        tree = tree["a"] if isinstance(tree, dict) else tree[0]
        depth += 1
    return depth


@pytest.mark.parametrize("nest", NESTERS.values(), ids=NESTERS)
@pytest.mark.parametrize("depth", [2, 64, 128, 199, 200])
def test_two_hundred_levels_are_read_on_every_path(nest, depth):
    """Nesting of 200 levels is read, clean or messy, by every verb."""
    raw = nest(depth)

    for tree in (ns.read_tree(raw), ns.parse(raw, Any), ns.parse_llm_response("so: " + raw + " ok", Any)):
        assert _depth(tree) == depth // 2 * 2 if "[{" in raw else depth


@pytest.mark.parametrize("nest", NESTERS.values(), ids=NESTERS)
@pytest.mark.parametrize("depth", [202, 500, 1_000, 1_026, 20_000])
def test_deeper_nesting_is_read_or_an_error_of_ours(nest, depth):
    """Never a crash and never an error of the interpreter."""
    raw = nest(depth)

    for read in (
        ns.read_tree,
        lambda text: ns.parse(text, Any),
        lambda text: ns.parse_llm_response(text, Any),
    ):
        try:
            tree = read(raw)
        except ns.NucleoError:
            continue
        assert _depth(tree) == depth


NUMBERS = [
    "9" * 5_000,
    "-" + "9" * 5_000,
    "1" + "0" * 100_000,
    "1e999999",
    "-1e999999",
    "1e-999999",
    "0." + "1" * 5_000,
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:8])
@pytest.mark.parametrize("raw", ['{"x": %s}', "{x: %s,}", "{“x”: %s}"])
def test_a_huge_number_in_untyped_data_is_exact_or_an_error_of_ours(number, raw):
    """What a number is too large for is refused, and an integer of any size stays exact."""
    try:
        value = ns.parse(raw % number, Any)["x"]
    except ns.NucleoError as error:
        assert len(str(error)) < 1000
        return
    if isinstance(value, int):
        assert number.lstrip("-").isdigit()
        assert value % 10**20 == int(number[-20:]) if value > 0 else True


@pytest.mark.parametrize(
    "number", ["9007199254740993", "18446744073709551616", "-9223372036854775809", "1" + "0" * 400]
)
@pytest.mark.parametrize("raw", ['{"x": %s}', "{x: %s,}", '{"x": [{"y": %s}]}'])
def test_untyped_data_keeps_big_integers(number, raw):
    """An integer above 64 bits is not turned into a float."""
    assert number in repr(ns.parse(raw % number, Any))
    assert number in repr(ns.parse_llm_response(raw % number, Any))
    assert number in repr(ns.read_tree(raw % number))


CUT_IN_CURLY = {
    "a brace": '{"text": "Use the form {“a”}',
    "a bracket": '{"text": ["They said “yes”]}',
    "a nested object": '{"a": {"text": "the set {“a”}}',
    "a list": '["see [“b”]',
    "single quotes around": '{"text": "the set {‘a’, “b”}',
}


@pytest.mark.parametrize("raw", CUT_IN_CURLY.values(), ids=CUT_IN_CURLY)
def test_a_curly_quote_that_closes_another_ends_no_straight_string(raw):
    """A reply that was cut inside a string is refused, also where the string quotes something in curly quotes."""
    with pytest.raises(ns.ExtractionError):
        ns.parse_llm_response(raw, Any)
    with pytest.raises(ns.MappingError):
        ns.parse(raw, Any)


@pytest.mark.parametrize("number", ["1_000", "1_", ".e5", "0e", ".1.", "1.5_5", "0x1_0"])
@pytest.mark.parametrize("before", ['// 5" pipe\n', '// "\n', "// it's 5\" wide\n", '/* 5" */'])
def test_a_quote_in_a_comment_lets_no_number_through(number, before):
    """What is no number is refused, whatever a comment before it holds."""
    for raw in (f"[1, {before}{number}]", f"{{a: 1, {before} b: {number}}}", f"[{before}'a', {number}]"):
        with pytest.raises(ns.MappingError):
            ns.parse(raw, Any)
        with pytest.raises((ns.MappingError, ns.ExtractionError)):
            ns.parse_llm_response("so:\n" + raw + "\nok", Any)


@pytest.mark.parametrize("text", ['"abc\\', '"\\', '"a\\\\\\', "\u201ca\\", "'a\\", '"a', '"a\\"'])
def test_a_text_that_is_cut_inside_a_string_is_refused(text):
    """A backslash at the end closes nothing."""
    with pytest.raises(ns.MappingError, match="ends early"):
        ns.read_tree(text)


CUT_TOKENS = [
    *("t", "tr", "fal", "nul", "N", "Non", "Infin", "-I", "+Na"),
    *("-", "+", ".", "-.", "–", "1", "1.", "1e", "1.5e-", "0x", "/", "1 /"),
    *('"a', "'a", "“a", '"a\\', '"\\u1'),
]


@pytest.mark.parametrize("token", CUT_TOKENS)
@pytest.mark.parametrize(
    ("draft", "opener", "target"),
    [
        ("[true]", "[", list[Any]),
        ("[true]", "[[[", list[Any]),
        ('[{"a": 1}]', '[{"a": ', list[Any]),
        ('{"a": [1]}', '{"a": ', dict[str, Any]),
        ('{"a": [1]}', '{"a": [', dict[str, Any]),
    ],
)
def test_an_answer_that_is_cut_inside_its_first_value_is_not_its_draft(token, draft, opener, target):
    """Whatever it is cut inside of, what came before is another answer."""
    with pytest.raises(ns.ExtractionError, match="ends early"):
        ns.parse_llm_response(f"First: {draft}\nThen: {opener}{token}", target)


@pytest.mark.parametrize("rest", ["x", "tx", "-x", "1ex", "..", "e1", "/ 1", "Nope", "-N."])
def test_an_opener_before_what_no_value_begins_with_is_prose(rest):
    """Also where the text ends soon after it."""
    assert ns.parse_llm_response(f"First: [true]\nThen: [{rest}", list[Any]) == [True]


@pytest.mark.parametrize(
    ("raw", "target", "message"),
    [
        ("So: [1]", dict[str, int], "found no JSON object in 7 characters of text, only the array at character 4"),
        ('{"a": 1}!', list[int], "found no JSON array in 9 characters of text, only the object at character 0"),
        ("[1] or [2]", dict[str, int], "found no JSON object in 10 characters of text, only the array at character 7"),
        ("None.", dict[str, int], "found no JSON object in 5 characters of text"),
    ],
)  # fmt: skip
def test_json_of_the_other_kind_is_named_where_there_is_no_answer(raw, target, message):
    """A model that wrapped its answer is told that, and not that it gave none."""
    with pytest.raises(ns.ExtractionError) as caught:
        ns.parse_llm_response(raw, target)

    assert caught.value.reason == message


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("{“a”: -Infinity}", float("-inf")),
        ("{“a”: +Infinity}", float("inf")),
        ("{“a”: −Infinity}", float("-inf")),
        ("{“a”: “\\x41\\u0042”}", "AB"),
        ('{“a”: “he said “hi"}', "he said “hi"),
    ],
)
def test_what_only_the_scanner_reads_is_read(raw, value):
    """No compiled decoder takes curly quotes, so it is on its own there."""
    assert ns.read_tree(raw)["a"] == value


def test_a_number_that_is_none_is_read_by_the_scanner():
    """It is equal to nothing, not even to itself."""
    assert math.isnan(ns.read_tree("{“a”: -NaN}")["a"])


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("{“a”: +Infinityx}", 'no JSON at character 6, near "+Infinityx}"'),
        ("{“a”: Infinityx}", 'no JSON at character 6, near "Infinityx}"'),
        ("{“a”: +Inf", "the text ends early, at character 10"),
        ("{“a”: -N", "the text ends early, at character 8"),
        ("{“a”: −N", "the text ends early, at character 8"),
        ("{“a”: tru", "the text ends early, at character 9"),
        ("{“a”: +tru", 'no JSON at character 6, near "+tru"'),
        ("{“a”: “\\u00”, “b”: “\ud800”}", "an escape \\u without four hexadecimal digits"),
        ("{“a”: “\ud800”, “b”: “\\u00”}", "a string holds half of a surrogate pair"),
        ("{“a”: “\ud800”}", "a string holds half of a surrogate pair"),
    ],
)
def test_a_word_that_is_cut_and_one_that_is_none_are_told_apart(raw, message):
    """The first thing that is wrong is said, and where the text could not go on."""
    with pytest.raises(ns.MappingError) as caught:
        ns.read_tree(raw)

    assert [problem.message for problem in caught.value.problems] == [message]


@pytest.mark.parametrize(
    ("raw", "answer"),
    [
        ('see [ {"x": 1} and more ]', {"x": 1}),
        ('see [{"x": 1} {"x": 2} z]', {"x": 2}),
        ('{ {"x": 1} }', {"x": 1}),
        ('{"a": oops}{"x": 1}', {"x": 1}),
        ('[0, {"x": 1} and {"x": 2}', {"x": 2}),
    ],
)
def test_what_closed_inside_a_bracket_that_was_prose_stands(raw, answer):
    """And an answer may follow a broken draft without a gap."""
    assert ns.parse_llm_response(raw, dict[str, int]) == answer


@pytest.mark.parametrize("raw", ['{"a": oops { {"x": 1}}}', '{"a": {"x": 1} oops}', '{"a": oops {"x": 1}}'])
def test_what_stands_in_a_broken_answer_is_not_the_answer(raw):
    """It would be a part of what the model meant, or an earlier draft."""
    with pytest.raises(ns.ExtractionError, match="the object that begins at character 0 stops being JSON"):
        ns.parse_llm_response(raw, dict[str, Any])


def test_more_levels_than_the_scanner_keeps_are_named():
    """Of two faults the first is told."""
    for inside in ("“a”", "“\\u00”"):
        with pytest.raises(ns.MappingError, match="nested more than 1000 levels deep"):
            ns.read_tree("[" * 1001 + inside + "]" * 1001)
    with pytest.raises(ns.MappingError, match="four hexadecimal digits"):
        ns.read_tree("[“\\u00”, " + "[" * 1001 + "]" * 1002)


@pytest.mark.parametrize(
    ("raw", "span"),
    [
        ("{a: 1} // {a: 2}", "{a: 2}"),
        ("{a: 1} // not {a: 2} but {a: 3} yet", "{a: 3}"),
        ("[/*  */]//* o */]_", "[/*  */]"),
        ("{a: 1}\n// so much for {a}", "{a: 1}"),
        ("{a: 1 // {b}\n}", "{a: 1 // {b}\n}"),
        ('{a: "http://x", b: {c: 1}}', '{a: "http://x", b: {c: 1}}'),
        ("{a: 1, // one\n b: 2} // two }", "{a: 1, // one\n b: 2}"),
    ],
)
def test_a_comment_behind_the_answer_is_prose(raw, span):
    """Nothing but a bracket closes a span, and what two slashes in prose hide is not hidden."""
    assert ns.extract_json(raw) == span


def test_what_stands_is_whole():
    """Not what is inside it, however the bracket around it ends."""
    raw = 'see [ {"a": {"x": 1}, "b": {"x": 2}} and more ]'

    assert ns.parse_llm_response(raw, dict[str, Any]) == {"a": {"x": 1}, "b": {"x": 2}}


@pytest.mark.parametrize("raw", ["“a” // end", "“a” # end", "“a”", " “a” /* c */ "])
def test_a_text_may_end_in_a_comment(raw):
    """There is one value in it, and no more."""
    assert ns.read_tree(raw) == "a"


@pytest.mark.parametrize("raw", ["“a” /* open", "[“a”", "[“a” // end", "{“a”: “b” # end", "“a"])
def test_a_text_that_ends_inside_of_something_is_cut(raw):
    """A comment, a bracket or a string that is still open."""
    with pytest.raises(ns.MappingError, match=f"the text ends early, at character {len(raw)}"):
        ns.read_tree(raw)
