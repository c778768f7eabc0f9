"""
Write the tables of ``dialects.md``: what each dialect makes of each construct, and how it is read back.

``python docs/dialect_table.py`` puts them between the marks of the page; everything in them comes from calls
of the library.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import attrs
from attrs import define, field

from nucleo_schema import (
    Artifact,
    Int64,
    SchemaError,
    convert,
    json_schema,
    keywords,
    meta,
    type_alias,
    value_to_tree,
)
from nucleo_schema._dialects.encoding import encoded
from nucleo_schema.dialects import DIALECTS, STANDARD, Dialect

PAGE = Path(__file__).with_name("dialects.md")
MARKS = "<!-- made by docs/dialect_table.py -->", "<!-- end -->"


@define
class Node:
    """A class that holds itself."""

    name: str
    next: Node | None = None


@define
class Ring:
    """A class that cannot do without itself."""

    next: list[Ring]


@define
class Line:
    """A class inside another."""

    sku: str
    count: int = 1


@define
class Card:
    """One of two."""

    kind: Literal["card"]
    digits: str


@define
class Transfer:
    """The other."""

    kind: Literal["transfer"]
    iban: str


@type_alias("table-page")
@define
class WebPage(Artifact):
    """An artifact."""

    url: str


def _optional(default: Any) -> Any:
    return field(default=default)


_REQUIRED: Any = field()
#: How a field is declared, its annotation, its definition, and values to write; dots for one left out.
CONSTRUCTS: tuple[tuple[str, Any, Any, tuple[Any, ...]], ...] = (
    ("`it: str`", str, _REQUIRED, ("tea",)),
    ("`it: int = 7`", int, _optional(7), (3, ...)),
    ("`it: int | None = None`", int | None, _optional(None), (3, ...)),
    ("`it: int | None = 7`, where null has a meaning", int | None, _optional(7), (3, None, ...)),
    ("`it: dict[str, int]`", dict[str, int], _REQUIRED, ({"a": 1},)),
    ("`it: dict[str, Any]`", dict[str, Any], _REQUIRED, ({"a": [1]},)),
    ("`it: Any`", Any, _REQUIRED, ({"a": [1]},)),
    ("`it: Any = 3`", Any, _optional(3), ("tea", ...)),
    ("`it: list[Any]`", list[Any], _REQUIRED, ([None, "a"],)),
    ("`it: tuple[bool, str]`", tuple[bool, str], _REQUIRED, ((True, "a"),)),
    ('`it: Literal["a", 2]`', Literal["a", 2], _REQUIRED, (2,)),
    ("`it: Literal[True]`", Literal[True], _REQUIRED, (True,)),
    ("`it: Line`, a class", Line, _REQUIRED, (Line("x", 2),)),
    ("`it: Card | Transfer`", Card | Transfer, _REQUIRED, (Card("card", "12"),)),
    ("`it: dict[str, int] | list[str]`", dict[str, int] | list[str], _REQUIRED, ({"a": 1},)),
    ("`it: WebPage`, an artifact", WebPage, _REQUIRED, (WebPage("u", artifact_ref="table-page~a1"),)),
    ("`it: Int64`", Int64, _REQUIRED, (2**62,)),
    ("`it: timedelta`", dt.timedelta, _REQUIRED, (dt.timedelta(hours=2),)),
    ("`it: bytes`", bytes, _REQUIRED, (b"x",)),
    ('an example: `meta("", examples=["A-1"])`', str, field(metadata=meta("", examples=["A-1"])), ("B-2",)),
    ("a class that holds itself, `next: Node \\| None = None`", Node, None, (Node("a", Node("b")),)),
    ("a class that requires itself, `next: list[Ring]`", Ring, None, (Ring([]),)),
    (
        "an odd name: `meta(name='with space')`",
        str,
        field(metadata=meta("", name="with space")),
        ("tea",),
    ),
)


def _json(tree: Any) -> str:
    return json.dumps(tree, ensure_ascii=False)


def _rows() -> Iterator[tuple[str, ...]]:
    """Yield a row for each construct and each thing that becomes of it."""
    for words, annotation, definition, values in CONSTRUCTS:
        groups: dict[tuple[str, ...], list[str]] = {}
        for dialect in DIALECTS.values():
            if dialect is not STANDARD:
                groups.setdefault(_fate(annotation, definition, values, dialect), []).append(dialect.name)
        for fate, names in groups.items():
            yield (words.replace(" | ", " \\| "), ", ".join(names), *fate)


def _fate(annotation: Any, definition: Any, values: tuple[Any, ...], dialect: Dialect) -> tuple[str, ...]:
    """Return the node of a construct, what a model writes for the values, and what they are read as."""
    cls = annotation
    if definition is not None:
        metadata, default = definition.metadata, definition._default  # noqa: SLF001  a field is made once
        cls = attrs.make_class("Holder", {"it": field(type=annotation, metadata=metadata, default=default)})
    name = "it" if definition is not None else "next"
    try:
        schema = json_schema(cls, dialect=dialect)["properties"]
    except SchemaError as error:
        message = str(error).partition(". ")[0].replace(dialect.name, "this dialect")
        return f"refused: {message}", "", ""
    instances = [_instance(cls, definition, value) for value in values]
    canonical = keywords.for_model(json_schema(cls))
    trees = [
        {} if value is ... else _as_model(value_to_tree(instance))
        for instance, value in zip(instances, values, strict=True)
    ]
    written = [encoded(tree, canonical, canonical, dialect) for tree in trees]
    read = [convert(tree, cls, dialect=dialect) for tree in written]
    if dialect.all_required and None in values:  # such a field cannot be left out
        written, read, instances = written[:-1], read[:-1], instances[:-1]
    if read != instances and annotation is not WebPage:
        message = f"{dialect}: {read} is not {instances}"
        raise AssertionError(message)
    node = schema[name]
    node["description"] = node["description"].removeprefix(f"Field {name}").strip()
    shown = [_json(tree[name]) if name in tree else "left out" for tree in written]
    texts = [repr(getattr(instance, name)) for instance in read]
    return (
        f"`{_json({key: value for key, value in node.items() if value != ''})}`",
        ", ".join(text if text == "left out" else f"`{text}`" for text in shown),
        ", ".join(f"`{text}`" for text in texts),
    )


def _instance(cls: Any, definition: Any, value: Any) -> Any:
    if definition is None:
        return value
    return cls() if value is ... else cls(value)


def _as_model(tree: Any) -> Any:
    """Return the tree of an instance with its artifact as a model writes one."""
    inner = tree.get("it")
    if isinstance(inner, dict) and "artifact_ref" in inner:
        return {"it": {"artifact_ref": inner["artifact_ref"]}}
    return tree


LIMITS = {
    "max_depth": "objects within objects",
    "max_properties": "properties in all",
    "max_optional": "properties that are not required, in all",
    "max_unions": "properties with alternatives, in all",
    "max_enum_values": "values of choices, in all",
    "max_chars": "characters of names and choices, in all",
    "max_enum_chars": "characters of one choice of more than 250 values",
    "property_names": "names of properties",
    "recursion": "recursion",
}


def _limits() -> Iterator[tuple[str, ...]]:
    """Yield a row for each dialect with limits of its own."""
    for dialect in DIALECTS.values():
        if dialect is not STANDARD:
            told = [
                f"{words}: `{getattr(dialect, attribute)}`"
                for attribute, words in LIMITS.items()
                if getattr(dialect, attribute) not in (None, "free")
            ]
            yield dialect.name, "; ".join(told)


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell or ' ' for cell in line)} |" for line in lines)


def tables() -> str:
    """Return the tables."""
    head = ("a field", "in the dialects", "becomes", "a model writes", "it is read as")
    return f"{_table(head, _rows())}\n\n{_table(('dialect', 'takes no more than'), _limits())}"


def page() -> str:
    """Return the page with its tables as they are to be."""
    opening, closing = MARKS
    pattern = f"{re.escape(opening)}.*{re.escape(closing)}"
    made = f"{opening}\n{tables()}\n{closing}"
    return re.sub(pattern, lambda _: made, PAGE.read_text("utf-8"), flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
