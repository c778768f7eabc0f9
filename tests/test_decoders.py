"""Compiled decoders: they read what is in the syntax to the same effect, and everything else is left to the scanner."""

import math

import pytest

from nucleo_schema._read.decoders import MAX_DEPTH, decode_strict
from nucleo_schema._read.syntax import decode_whole

SOUND = {
    '{"a": 1}': {"a": 1},
    "{a: 1}": {"a": 1},
    "{'a': 'b'}": {"a": "b"},
    "{\"a\": 'it\\'s'}": {"a": "it's"},
    '{"a": "say \\"hi\\"", b: 1,}': {"a": 'say "hi"', "b": 1},
    '{"a": "back\\\\", b: 1}': {"a": "back\\", "b": 1},
    "// c\n{a: 1}": {"a": 1},
    "/* c */{a:1}": {"a": 1},
    "{a: 1} // end": {"a": 1},
    "{a: 1 //\u2028}": {"a": 1},
    '{a: "http://x"}': {"a": "http://x"},
    "{a: 'x//y'}": {"a": "x//y"},
    "{a: '/* no */'}": {"a": "/* no */"},
    "{a: '*', /* ' */ b: 1}": {"a": "*", "b": 1},
    "{a: 1 /* x * y */, b: '1'}": {"a": 1, "b": "1"},
    "{a: 1 // it's\n}": {"a": 1},
    "{a: 1 /* it's */}": {"a": 1},
    "{a: 'x', // '\n b: 'y'}": {"a": "x", "b": "y"},
    "{a: 'x', b: 'y\u2028z'}": {"a": "x", "b": "y\u2028z"},
    '{a: "/", b: 2}': {"a": "/", "b": 2},
    '{"a": "\'", b: 2}': {"a": "'", "b": 2},
    '{a: "x\\\ny"}': {"a": "xy"},
    "{a: +1, b: 0x1F, c: .5, d: 5., e: 1e3, f: -Infinity}": {
        "a": 1,
        "b": 31,
        "c": 0.5,
        "d": 5.0,
        "e": 1000.0,
        "f": -math.inf,
    },
    "{é: 1}": {"é": 1},
    "{a: 'x 1_0 y'}": {"a": "x 1_0 y"},
    "{a: 1 /* 1_0 */}": {"a": 1},
    "{a: 1 // 1_0\n}": {"a": 1},
    "{a: '1_0', /* 1_0 */ b: '2_0'}": {"a": "1_0", "b": "2_0"},
    "{a: '1_0', b: 2 // * 1_0\n}": {"a": "1_0", "b": 2},
    "{a: 1, // it's\n b: 2 // it's 1_0\n}": {"a": 1, "b": 2},
    "{a: 'x', b: 2 // it's 'here' 1_0\n}": {"a": "x", "b": 2},
    "{a: '£' /* £ */}": {"a": "£"},
    "{a: '\\'1_0\\''}": {"a": "'1_0'"},
    "{a: '\\\\', b: 1}": {"a": "\\", "b": 1},
    "\ufeff{a: 1}": {"a": 1},
    "{a:\u00a01}": {"a": 1},
}


@pytest.mark.parametrize("text", SOUND)
def test_what_both_have_is_decoded_at_once(text):
    """It is what the scanner reads, many times faster."""
    decoded = decode_strict(text)

    assert decoded == (SOUND[text], "json" if text == '{"a": 1}' else "json5")
    assert decode_whole(text).value == SOUND[text]


LEFT = {
    "a comment that a string seems to cut": '{a: "x", /* "*/ b: 1}',
    "a line comment that a string seems to cut": '{a: "x", // "\n b: "y"}',
    "a quote in a comment": '{a: 1 /* " */}',
    "a quote in a line comment": '{a: 1 // "\n}',
    "a double quote in a string of single ones": "{a: '\"'}",
    "an underscore in a number": "{a: 1_0}",
    "a point too much": "{a: .1.}",
    "a negative zero with an exponent": "{a: -0e0}",
    "a zero with an exponent": "{a: 0e1}",
    "a pair of quotes in a comment": '{a: "x" /* "y" */}',
    "a pair of quotes in a line comment": '{a: "x" // "y"\n}',
    "a comment that ends in a string": '{a: "x" /* "*/", b: 1}',
    "a joining mark in a name": "{a‿b: 1}",
    "a combining accent in a name": "{a\u0301: 1}",
    "an escape in a name": "{\\u0061: 1}",
    "an escaped NUL": '{a: "\\\0"}',
    "half of a surrogate pair": '{"a": "\ud800", b: 1}',
    "more levels than are kept": "{a: " + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}",
    "what is no JSON": "{a: tea}",
    "what is cut": "{a: 'tea",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_is_not_clear_or_not_in_the_syntax_is_left_to_the_scanner(text):
    """Also where a decoder would take it: it is not asked what it makes of it."""
    assert decode_strict(text) is None


@pytest.mark.parametrize("digits", [4300, 5000])
def test_many_digits_are_no_reason_to_fail(digits):
    """However long a number is, it is read or left to the scanner."""
    decoded = decode_strict(f"{{a: {'9' * digits}}}")

    assert decoded is None or decoded[1] == "json5"


def test_nesting_that_is_kept_is_decoded():
    """Far beyond what anybody answers."""
    value, way = decode_strict("{a: " + "[" * 500 + "]" * 500 + "}")

    assert way == "json5"
    assert list(value) == ["a"]
