"""
Noise on what a model writes: other forms of the same values, and values that a place cannot hold.

Both are led by the annotations. A union or untyped data may read another form otherwise, and rightly so:
such places are left as they are.
"""

from __future__ import annotations

import calendar
import collections.abc
import datetime as dt
import decimal
import enum
import json
import pathlib
import random
import re
import types
import typing
import uuid
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union

from hypothesis import strategies as st

import nucleo_schema as ns

from .strategies import BITS, Scope, Written, arguments_of, hints_of, parameters_of

__all__ = ["Place", "date_forms", "datetime_forms", "places_of", "rephrased", "spoil"]

_MAX_EXACT_FLOAT = 2**53
_SCALARS = (
    *(str, int, float, bool, bytes, dt.date, dt.datetime, dt.time, dt.timedelta),
    *(uuid.UUID, decimal.Decimal, pathlib.Path),
)


class Kind(NamedTuple):
    """What a place holds, without the many ways of saying so."""

    name: str  # scalar, enum, literal, list, tuple, map, composite, or open for what is left as it is
    payload: Any
    scope: Scope
    width: int = 0  # of an integer, in bits
    nullable: bool = False


def kind_of(annotation: Any, scope: Scope) -> Kind:
    """Return the kind of a place declared with *annotation*."""
    for name, bits in BITS.items():
        if annotation == getattr(ns, name):
            return Kind("scalar", int, scope, width=bits)
    if isinstance(annotation, TypeVar):
        return kind_of(scope.bound.get(annotation, Any), scope)
    if hasattr(annotation, "__supertype__"):
        return kind_of(annotation.__supertype__, scope)
    if annotation in _SCALARS:
        return Kind("scalar", annotation, scope)
    if annotation is Any or annotation is object:
        return Kind("open", None, scope)
    return _kind_of_form(annotation, scope)


def _kind_of_form(annotation: Any, scope: Scope) -> Kind:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return kind_of(arguments[0], scope)
    if origin in (Union, types.UnionType):
        members = [argument for argument in arguments if argument is not type(None)]
        if len(members) > 1:
            return Kind("open", None, scope)
        return kind_of(members[0], scope)._replace(nullable=True)
    kinds: dict[Any, tuple[str, Any]] = {
        Literal: ("literal", arguments),
        tuple: ("list", arguments[0]) if arguments[-1:] == (...,) else ("tuple", arguments),
        **{container: ("list", arguments[0]) for container in (list, set, frozenset) if arguments},
        **dict.fromkeys((dict, collections.abc.Mapping), ("map", arguments)),
    }
    if origin in kinds:
        return Kind(*kinds[origin], scope)
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return Kind("enum", annotation, scope)
    return Kind("composite", annotation, scope.inside(arguments_of(annotation)))


def members_of(kind: Kind) -> Iterator[tuple[str, Kind, bool, Any]]:
    """Yield wire name, kind, whether there is a default, and the default of each member of a composite."""
    cls = typing.get_origin(kind.payload) or kind.payload
    hints = hints_of(cls, kind.scope)
    defaults = {parameter.attribute: parameter for parameter in parameters_of(cls)}
    for wire_name, info in ns.describe(kind.payload).fields.items():
        annotation, scope = hints[info.name]
        default = defaults[info.name]
        yield wire_name, kind_of(annotation, scope), default.has_default, default.default


# --- the same in other words --------------------------------------------------------------------------------


@st.composite
def rephrased(draw: Any, annotation: Any, tree: Any, *, echoes: bool = True, keys: bool = True) -> Any:
    """
    Return *tree*, what is written of a value declared with *annotation*, in other forms that mean the same.

    Args:
        draw: Given by Hypothesis.
        annotation: A class or typing form.
        tree: What is written, as JSON values. Values inside may be marked as spoiled: they come through.
        echoes: Whether the schema may be echoed, as only replies may.
        keys: Whether keys of maps are written in other forms too; they are part of the paths of problems.
    """
    rng = draw(st.randoms(use_true_random=False))
    return _Rephraser(rng, echoes=echoes, keys=keys).rephrase(
        kind_of(annotation, Scope({}, 0, published=False)), tree
    )


class _Rephraser:
    def __init__(self, rng: random.Random, *, echoes: bool, keys: bool) -> None:
        self.rng = rng
        self.echoes = echoes
        self.keys = keys

    def chance(self, of: int = 2) -> bool:
        """Return True once in *of* times."""
        return self.rng.randrange(of) == 0

    def rephrase(self, kind: Kind, tree: Any, *, root: bool = True) -> Any:
        """Return another form of *tree*."""
        if isinstance(tree, Spoiled):
            return tree.value
        if kind.name == "open" or tree is None:
            return tree
        again = getattr(self, f"_{kind.name}")(kind, tree)
        if (
            not root
            and isinstance(again, (dict, list))
            and kind.name not in ("scalar", "enum")
            and self.chance(8)
        ):
            return encoded(again)
        return again

    # Containers

    def _list(self, kind: Kind, tree: list[Any]) -> Any:
        item = kind_of(kind.payload, kind.scope)
        return [self.rephrase(item, element, root=False) for element in tree]

    def _tuple(self, kind: Kind, tree: list[Any]) -> Any:
        items = [kind_of(annotation, kind.scope) for annotation in kind.payload]
        return [self.rephrase(*pair, root=False) for pair in zip(items, tree, strict=True)]

    def _map(self, kind: Kind, tree: dict[str, Any]) -> Any:
        key, value = (kind_of(annotation, kind.scope) for annotation in kind.payload)
        return {self.key(key, name): self.rephrase(value, below, root=False) for name, below in tree.items()}

    def key(self, kind: Kind, name: str) -> str:
        """Return another form of a map's key, which is text."""
        if not self.keys:
            return name
        if kind.payload is int:
            name = name if self.chance() else self._integer_text(int(name))
        elif kind.payload in (dt.date, uuid.UUID) or kind.name == "enum":
            other = self.rephrase(kind, name)
            name = other if isinstance(other, str) else name
        return name

    def _composite(self, kind: Kind, tree: dict[str, Any]) -> Any:
        result: dict[str, Any] = {}
        members = list(members_of(kind))
        wire_names = {name for name, *_ in members}
        for name, member, has_default, default in members:
            if name not in tree:
                continue
            value = tree[name]
            if has_default and _is_written_as(default, value) and self.chance():
                if not member.nullable and self.chance():
                    result[name] = None  # null for what has a default
                continue
            result[self.stand_in(name, wire_names)] = self.rephrase(member, value, root=False)
        if self.chance(3):
            result["nobody's member"] = self.rng.choice([None, 1, {"a": []}])
        result = dict(self.rng.sample(list(result.items()), len(result)))
        return self.echo(kind, result, wire_names) if self.echoes else result

    def stand_in(self, name: str, wire_names: set[str]) -> str:
        """Return a name that stands in for *name*, in camelCase or PascalCase, where there is one."""
        if not re.fullmatch(r"[a-z]{2,}(_[a-z]{2,})*", name) or not self.chance(4):
            return name
        head, *words = name.split("_")
        camel = self.rng.choice([head, head.capitalize()]) + "".join(word.capitalize() for word in words)
        return name if camel in wire_names else camel

    def echo(self, kind: Kind, tree: dict[str, Any], wire_names: set[str]) -> Any:
        """Return *tree* in the schema's own shape, or beside a key of the notation, or under its class."""
        cls = kind.payload
        form = self.rng.randrange(8)
        if form == 0:
            return {"@type": "Whatever", "@fields": tree}
        if form == 1:
            return {"@description": "about it", **tree, "@required": True}
        folded = {name.casefold().replace("_", "") for name in wire_names}
        if form == 2 and isinstance(cls, type) and cls.__name__.casefold().replace("_", "") not in folded:
            return {cls.__name__: tree}
        return tree

    # Choices

    def _enum(self, kind: Kind, wire: str) -> Any:
        members = list(kind.payload)
        wires = {ns.value_to_tree(member): member for member in members}
        member = wires[wire]
        texts = [*wires.items(), *((member.name, member) for member in members)]  # the wire form comes first
        options: list[Any] = [wire]
        if next(found for text, found in texts if text == member.name) is member:
            options.append(member.name)
        if isinstance(member.value, (int, float)):
            options += [member.value]
        options += self._other_cases(member, texts, wire)
        if wire == wire.strip():
            options += [f" {wire}\n"]
        chosen = self.rng.choice(options)
        return {"value": chosen, "why": "so"} if isinstance(chosen, str) and self.chance(8) else chosen

    def _literal(self, kind: Kind, wire: Any) -> Any:
        values = [value for value in kind.payload if not isinstance(value, enum.Enum)]
        if not isinstance(wire, str) or len(values) < len(kind.payload):
            return wire
        if any(not isinstance(value, str) for value in values):  # "3" and 3 are told apart by their kind
            return wire
        return self.rng.choice([wire, f" {wire} ", *self._other_cases(wire, [(v, v) for v in values], wire)])

    def _other_cases(self, member: Any, texts: list[tuple[str, Any]], wire: str) -> list[str]:
        """Return *wire* in other cases, where only one member fits."""
        if wire != wire.strip():  # spaces around are ignored, and these are part of the word
            return []
        if any(found is not member for text, found in texts if text.casefold() == wire.casefold()):
            return []
        cases = [wire.upper(), wire.lower(), wire.swapcase()]
        return [text for text in cases if text.casefold() == wire.casefold()]

    # Scalars

    def _scalar(self, kind: Kind, tree: Any) -> Any:
        forms: dict[Any, Callable[[Any], Any]] = {
            int: self._integer,
            bool: self._boolean,
            float: self._float,
            decimal.Decimal: self._decimal,
            dt.date: lambda text: self.rng.choice(date_forms(dt.date.fromisoformat(text))),
            dt.datetime: lambda text: self.rng.choice(datetime_forms(text)),
        }
        form = forms.get(kind.payload)
        return tree if form is None or self.chance() else form(tree)

    def _integer(self, number: int) -> Any:
        if abs(number) <= _MAX_EXACT_FLOAT and self.chance():
            return self.rng.choice([float(number), Written(f"{number}.00")])
        return self._integer_text(number)

    def _integer_text(self, number: int) -> str:
        return f"{number}.0" if abs(number) <= _MAX_EXACT_FLOAT and self.chance() else str(number)

    def _boolean(self, value: bool) -> Any:  # noqa: FBT001  it is the value
        word = self.rng.choice(["Y", "YES", "T", "TRUE", "1"] if value else ["N", "NO", "F", "FALSE", "0"])
        word = self.rng.choice([word, word.lower(), word.capitalize()])
        return self.rng.choice([word, f" {word}\t", int(value)])

    def _float(self, value: float) -> Any:
        whole = isinstance(value, float) and value.is_integer() and abs(value) <= _MAX_EXACT_FLOAT
        return self.rng.choice([json.dumps(value), int(value) if whole else value])

    def _decimal(self, text: str) -> Any:
        return Written(text) if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?(E[+-]?\d+)?", text) else text


def _is_written_as(default: Any, written: Any) -> bool:
    try:
        tree = ns.value_to_tree(default)
    except ns.SerializationError:  # no default, or a factory
        return False
    return type(tree) is type(written) and tree == written and tree is not None


def encoded(tree: Any) -> str:
    """Return a tree as JSON text."""
    if isinstance(tree, dict):
        return f"{{{', '.join(f'{json.dumps(name)}: {encoded(value)}' for name, value in tree.items())}}}"
    if isinstance(tree, list):
        return f"[{', '.join(map(encoded, tree))}]"
    return tree.text if isinstance(tree, Written) else json.dumps(tree)


def date_forms(day: dt.date) -> list[Any]:
    """Return the forms of a date that are read without doubt."""
    y, m, d = day.year, day.month, day.day
    word = calendar.month_name[m]
    forms: list[Any] = [
        *(
            day.isoformat(),
            f"{day.isoformat()}T10:15:30",
            f" {day.isoformat()} ",
            [y, m, d],
            [y, m, d, 10, 15],
        ),
        *(f"{d:02}.{m:02}.{y:04}", f"{d}-{word[:3]}-{y:04} 10:15:30", f"{y:04}{m:02}{d:02}"),
        *(f"{word} {d}, {y:04}", f"{d} {word} {y:04}", f"{word[:3]} {d}, {y:04}"),
        *(f"{word.upper()} {d}, {y:04}", f"{calendar.day_name[day.weekday()]}, {d} {word} {y:04}"),
    ]
    if d > 12 or d == m:
        forms += [f"{m}/{d}/{y:04}", f"{d}/{m}/{y:04}", f"{m:02}/{d:02}/{y:04}"]
        forms += [f"{m:02}/{d:02}/{y % 100:02}"] if 2000 <= y <= 2099 else []
    return forms


def datetime_forms(text: str) -> list[Any]:
    """Return the forms of a moment that are read without doubt; *text* is how it is written."""
    moment = dt.datetime.fromisoformat(text.replace("Z", "+00:00"))
    forms: list[Any] = [text, text.replace("T", " "), f" {text}"]
    if moment.tzinfo is None:
        forms += _naive_forms(moment)
    elif not moment.microsecond:
        day, clock, zone = moment.date(), f"{moment:%H:%M:%S}", f"{moment:%z}"
        forms += [text.replace("Z", "+00:00"), text.replace("+00:00", "Z")]
        if len(zone) == len("+0000"):
            names = calendar.day_abbr[day.weekday()], calendar.month_abbr[day.month]
            forms += [f"{names[0]}, {day.day} {names[1]} {day.year:04} {clock} {zone}"]
        if not moment.utcoffset():
            forms += [f"{day.year:04}{moment:%m%d%H%M%S}.0Z"]
    return forms


def _naive_forms(moment: dt.datetime) -> list[Any]:
    day, clock = moment.date(), f"{moment:%H:%M:%S}"
    numbers = [day.year, day.month, day.day, moment.hour, moment.minute, moment.second]
    forms: list[Any] = [[*numbers, moment.microsecond * 1000]]
    if moment.microsecond:
        return forms
    forms += [numbers, f"{day.day}-{calendar.month_abbr[day.month]}-{day.year:04} {clock}"]
    forms += [f"{day} {clock.replace(':', '.')}", f"{day.day:02}.{day.month:02}.{day.year:04} {clock}"]
    if not moment.second:
        forms += [numbers[:5]]
    if not any(numbers[3:]):
        forms += [f"{calendar.month_name[day.month]} {day.day}, {day.year:04}", day.isoformat(), numbers[:3]]
    return forms


# --- what a place cannot hold -------------------------------------------------------------------------------


class Spoiled(NamedTuple):
    """A value in a tree that its place cannot hold."""

    value: Any


class Place(NamedTuple):
    """A value in a tree, at a place that holds one kind of thing and nothing else."""

    path: str
    holder: Any
    key: Any
    kind: Kind
    is_item: bool


_NO_DATES = (
    "2024-02-30",
    "03/04/2024",
    20241231,
    "now",
    "10:15",
    "P1D",
    "2024-01-01/2024-02-01",
    True,
    [2024],
    {},
)
_NO_NUMBERS = ("four", "1.2.3", "0x1F ", "1,5", [], {}, [4], True)

#: What no place of a kind holds.
_WRONG: dict[Any, tuple[Any, ...]] = {
    str: ([], {}, ["text"], {"text": "text"}),
    int: (*_NO_NUMBERS, 1.5, "1.5", "1e-1", 1e300),
    float: _NO_NUMBERS,
    decimal.Decimal: _NO_NUMBERS,
    bool: (2, -1, 1.0, "maybe", "", [], {}, [True]),
    dt.date: (*_NO_DATES, "Monday, 31 December 2024"),
    dt.datetime: (*_NO_DATES, "2024-12-31T25:00:00", "2024-12-31T10:15:30+99:00"),
    dt.time: ("25:00", 5, "noon", [10, 15]),
    dt.timedelta: ("P1Y", 5, "an hour", []),
    uuid.UUID: ("1234", 5, "00000000-0000-0000-0000-00000000000g", {}),
    bytes: ("*", 5, [1], "aGk"),
    pathlib.Path: (5, [], {}),
    "enum": ("no such word", "", [], {}, {"a": "no such word"}, 98765),
    "literal": ("no such word", [], {}, 98765),
    "list": (98765, "a, b", {}, {"0": 1}, True, "{}"),
    "tuple": (98765, "a, b", {}, True, [1, 2, 3, 4]),
    "map": (98765, "a: b", [], True, "[]"),
    "composite": (98765, "some text", [], [{}], True, "[]"),
}


def places_of(annotation: Any, tree: Any) -> list[Place]:
    """Return every place in *tree* whose annotation says what it holds, outside unions and untyped data."""
    return list(_places(kind_of(annotation, Scope({}, 0, published=False)), tree, ""))


def _places(kind: Kind, tree: Any, path: str) -> Iterator[Place]:
    if kind.name not in ("composite", "list", "tuple", "map") or tree is None:
        return
    for key, below in _below(kind, tree):
        if isinstance(key, str) and not re.fullmatch(r"\w+", key):
            continue  # its path is spelled in another way
        step = f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}".lstrip(".")
        if below.name != "open":
            yield Place(step, tree, key, below, kind.name in ("list", "map", "tuple"))
        yield from _places(below, tree[key], step)


def _below(kind: Kind, tree: Any) -> Iterator[tuple[Any, Kind]]:
    if kind.name == "composite":
        yield from ((name, member) for name, member, *_ in members_of(kind) if name in tree)
    elif kind.name == "map":
        yield from ((name, kind_of(kind.payload[1], kind.scope)) for name in tree)
    elif kind.name == "tuple":
        yield from ((index, kind_of(item, kind.scope)) for index, item in enumerate(kind.payload))
    else:
        yield from ((index, kind_of(kind.payload, kind.scope)) for index in range(len(tree)))


@st.composite
def spoil(draw: Any, places: list[Place]) -> list[tuple[str, Any]]:
    """Put values into up to three of *places* that they cannot hold; return their paths and the values."""
    chosen: list[Place] = []
    for place in draw(st.lists(st.sampled_from(places), min_size=1, max_size=3)):
        if not any(
            _is_within(place.path, other.path) or _is_within(other.path, place.path) for other in chosen
        ):
            chosen.append(place)
    return [(place.path, draw(_spoil_one(place))) for place in chosen]


@st.composite
def _spoil_one(draw: Any, place: Place) -> Any:
    kind = place.kind
    wrong = list(_WRONG[kind.payload if kind.name == "scalar" else kind.name])
    if kind.width:
        wrong += [2 ** (kind.width - 1), f"-{2**kind.width}"]
    if place.is_item and not kind.nullable:
        wrong.append(None)
    value = draw(st.sampled_from(wrong))
    place.holder[place.key] = Spoiled(value)
    return value


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith((f"{other}.", f"{other}["))
