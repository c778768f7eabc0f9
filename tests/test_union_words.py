"""What a union takes and refuses, and in which words: all that is told apart by more than the value's kind."""

import datetime as dt
from enum import Enum
from typing import Any, Literal

import pytest
from attrs import define

from nucleo_schema import (
    Artifact,
    CitationArtifact,
    CodeArtifact,
    LinkArtifact,
    MappingError,
    WebPageArtifact,
    parse,
)


class Level(Enum):
    LOW = 1
    HIGH = 2


@define
class Cat:
    kind: Literal["cat"]
    lives: int = 9


@define
class Dog:
    kind: Literal["dog"]
    tricks: list[str]


@define
class Point:
    x: int
    y: int


@define
class Circle:
    x: int
    y: int
    r: int


@define
class Named:
    name: str


@define
class Titled:
    title: str


LATE = "expected what tells them apart"


@pytest.mark.parametrize(
    ("target", "text", "problems"),
    [
        (Level | int, '"x"', ['found string "x", expected Level or int']),
        (
            Level | int,
            '"1"',
            ['found string "1", which could be Level or int, expected a value that fits one'],
        ),
        (Point | Circle, "[]", ["found array (0 items), expected Point or Circle"]),
        (
            list[int] | int,
            '["a", "b"]',
            ['[0]: found string "a", expected integer', '[1]: found string "b", expected integer'],
        ),
        (list[int] | Point, '["a"]', ['[0]: found string "a", expected integer']),
        (
            list[int] | Point,
            '{"x": "a"}',
            ['x: found string "a", expected integer', "y: missing, expected integer"],
        ),
        (dict[str, int] | list[int], '{"a": "x"}', ['a: found string "x", expected integer']),
        (dict[str, int] | Point, '{"x": "a", "q": 1}', ['x: found string "a", expected integer']),
        (Point | Circle, '{"x": "a", "y": 1}', ['x: found string "a", expected integer']),
        (
            Named | Titled,
            '{"name": "a", "title": "b"}',
            [f"found object (2 members) that fits Named and Titled alike, {LATE}"],
        ),
        (Cat | Dog, '{"Kind": "dog", "tricks": 1}', ["tricks: found integer 1, expected array"]),
        (Cat | Dog, '{"kind": "dog"}', ["tricks: missing, expected array"]),
        (
            Cat | Dog,
            '{"Kind": "cat", "lives": "x", "tricks": []}',
            ['lives: found string "x", expected integer'],
        ),
        (
            LinkArtifact | CodeArtifact,
            '"person~aaaaaa"',
            ['found string "person~aaaaaa", expected the reference of LinkArtifact, CodeArtifact'],
        ),
        (
            LinkArtifact,
            '{"artifact_ref": 5}',
            ["found integer 5, expected the reference of LinkArtifact as text"],
        ),
        (
            Artifact,
            '"nothing~aaaaaa"',
            ['found string "nothing~aaaaaa", expected the reference of a known kind of artifact'],
        ),
    ],
    ids=str,
)
def test_what_no_member_or_more_than_one_takes_is_refused(target, text, problems):
    """The problems are those of the nearest member, or name the members."""
    with pytest.raises(MappingError) as refused:
        parse(text, target)

    assert sorted(str(problem) for problem in refused.value.problems) == sorted(problems)


@pytest.mark.parametrize(
    ("target", "text", "value"),
    [
        (Point | Circle, '{"x": 1, "y": 2, "r": "3"}', Circle(1, 2, 3)),
        (Point | Circle, '{"x": 1, "y": 2}', Point(1, 2)),
        (Point | Circle, '"{\\"x\\": 1, \\"y\\": 2, \\"r\\": 3}"', Circle(1, 2, 3)),
        (Cat | Dog, '{"Kind": "cat", "tricks": []}', Cat("cat")),
        (int | dt.date | None, '" "', None),
        (int | str, "5", 5),
        (Literal["5"] | int, '"5"', "5"),
        (Literal["5"] | int, '" 6 "', 6),
        (bool | int, '"yes"', True),
        (LinkArtifact | CodeArtifact, '{"Artifact_Ref": "link~aaaaaa"}', LinkArtifact(artifact_ref="«artifact:link~aaaaaa»")),
        (LinkArtifact | Point, '{"@ref": "link~aaaaaa"}', LinkArtifact(artifact_ref="«artifact:link~aaaaaa»")),
        (LinkArtifact | Point, '"link~aaaaaa"', LinkArtifact(artifact_ref="«artifact:link~aaaaaa»")),
        (LinkArtifact | Point, '{"x": 1, "y": 2}', Point(1, 2)),
        (LinkArtifact | CitationArtifact, '"link:page~aaaaaa"', WebPageArtifact(artifact_ref="«artifact:link:page~aaaaaa»")),
    ],
    ids=str,
)  # fmt: skip
def test_the_one_member_that_fits_reads_the_value(target: Any, text: str, value: Any):
    """By what is exactly of its kind, a tag, a reference, or most of the members."""
    read = parse(text, target)

    assert (type(read), read) == (type(value), value)
