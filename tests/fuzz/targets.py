"""
What holds for every input whatever: one target per function that reads what strangers wrote.

A target takes bytes and raises what is wrong. It knows nothing of the fuzzer: the tests run the targets over
the seed corpus and over everything that was ever found.
"""

from __future__ import annotations

import contextlib
import copy
import datetime as dt
import decimal
import enum
import json
import logging
import sys
import uuid
from collections.abc import Callable, Iterator
from typing import Any, Literal

import attrs
from attrs import define, field, frozen

import nucleo_schema as ns
from nucleo_schema import keywords
from nucleo_schema._read import extract, reading
from nucleo_schema._read.modes import PLAIN
from nucleo_schema._read.syntax import Scanner

__all__ = ["TARGETS"]

REFUSALS = (ns.ExtractionError, ns.MappingError)

#: A message is for people, whatever the input was.
MAX_MESSAGE_CHARS = 5_000

#: Up to this many levels everything is read and written; beyond, it is that or an error of ours.
SURE_LEVELS = 200

#: What stands for an artifact's content.
HIDDEN = "hidden-content"


class Mood(enum.Enum):
    HAPPY = "happy"
    VERY_SAD = "very sad"


@frozen
class Point:
    x: int
    y: float = 0.0


@define
class Circle:
    kind: Literal["circle"]
    radius: decimal.Decimal


@define
class Square:
    kind: Literal["square"]
    side: ns.Int32 = 1


@define
class Email:
    address: str
    verified: bool = False


@define
class Phone:
    number: str
    country: str = "CH"


@ns.type_alias("fuzz-record")
@define
class Record(ns.Artifact):
    number: int
    title: str = field(default="", validator=attrs.validators.max_len(20))
    day: dt.date | None = None
    others: list[ns.Artifact] = field(factory=list)
    by_topic: dict[str, ns.LinkArtifact] = field(factory=dict)
    data: Any = None


@define
class Everything:
    """One member for each kind of place."""

    name: str = ""
    count: int = 0
    width: ns.Int32 = 0
    ratio: float = 0.0
    flag: bool = False
    mood: Mood = Mood.HAPPY
    tag: Literal["a", "b", 3] | None = None
    day: dt.date | None = None
    moment: dt.datetime | None = None
    clock: dt.time | None = None
    span: dt.timedelta | None = None
    price: decimal.Decimal | None = None
    key: uuid.UUID | None = None
    raw: bytes = b""
    lines: list[Point] = field(factory=list)
    pair: tuple[int, str] | None = None
    words: set[str] = field(factory=set)
    by_day: dict[dt.date, list[int]] = field(factory=dict)
    either: int | str | None = None
    number: int | float | None = None
    shape: Circle | Square | None = None
    contact: Email | Phone | None = None
    source: ns.LinkArtifact | None = None
    record: Record | None = None
    anything: Any = None
    first_name: str | None = None
    renamed: str = field(default="", metadata=ns.meta(name="the name"))
    again: Everything | None = None


#: What a reply is read as, by its first byte: "0" and so on.
FORMS = (Everything, Any, list[Point], dict[str, Everything], Circle | Square)


# --- what replies and texts have in common ------------------------------------------------------------------


def text_of(data: bytes) -> str:
    """Return any bytes as text: what is no UTF-8 becomes lone surrogates, which are hostile too."""
    return data.decode("utf-8", "surrogateescape")


class CarefulScanner(Scanner):
    """The scanner without its quick way."""

    def _quick_span(self) -> bool:
        return False


def refusing(_text: Any) -> Any:
    """Decode nothing, so that the scanner has to."""
    raise reading.orjson.JSONDecodeError("", "", 0)


@contextlib.contextmanager
def without_quick_ways() -> Iterator[None]:
    """Let everything that is read inside go through the scanner."""
    usual = extract.Scanner, reading.decode_strict, reading.orjson.loads
    extract.Scanner, reading.decode_strict, reading.orjson.loads = CarefulScanner, lambda _: None, refusing
    try:
        yield
    finally:
        extract.Scanner, reading.decode_strict, reading.orjson.loads = usual


def outcome_of(read: Callable[..., Any], *arguments: Any) -> tuple[Any, Exception | None]:
    """Return what *read* gives, or the refusal, which must be one of ours and short."""
    try:
        return read(*arguments), None
    except REFUSALS as refusal:
        error = refusal
    assert len(str(error)) < MAX_MESSAGE_CHARS, "a long message"
    if isinstance(error, ns.MappingError):
        assert error.problems, "a refusal without problems"
    return None, error


def refusal_of(error: Exception | None) -> Any:
    """Return what two refusals of one text have in common; numbers may be worded as they were decoded."""
    if isinstance(error, ns.MappingError):
        return [problem.path for problem in error.problems]
    return str(error)


def levels(value: Any) -> int:
    """Return how deep a tree or an object is nested, as far as that matters."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        item, level = waiting.pop()
        deepest = max(deepest, level)
        if level > SURE_LEVELS:
            break
        if isinstance(item, dict):
            waiting += [(below, level + 1) for below in item.values()]
        elif isinstance(item, (list, tuple)):
            waiting += [(below, level + 1) for below in item]
        elif attrs.has(type(item)):
            waiting += [(getattr(item, a.name), level + 1) for a in attrs.fields(type(item))]
    return deepest


def check_written(value: Any, form: Any) -> None:
    """Require that what was read is written, and reads back equal."""
    if levels(value) > SURE_LEVELS:
        return
    compact = ns.write_compact(value)
    for text in (ns.write(value), compact):
        again = ns.parse(text, form)
        assert ns.write_compact(again) == compact, "written differently after reading back"
        # NaN equals nothing, and in untyped data what is no finite number comes back as the text that it is.
        is_told_by_text = any(word in repr(value) for word in ("nan", "NaN", "inf"))
        assert again == value or '"NaN"' in compact or is_told_by_text, "not equal after reading back"
    if compact[0] in "{[":
        assert ns.write_compact(ns.parse_llm_response(compact, form)) == compact, "read otherwise as a reply"


def check_alike(one: tuple[Any, Exception | None], other: tuple[Any, Exception | None]) -> None:
    """Require two ways of reading to agree."""
    assert (one[1] is None) == (other[1] is None), f"one way reads, the other refuses: {one[1] or other[1]}"
    assert type(one[1]) is type(other[1]), "refused in two ways"
    assert refusal_of(one[1]) == refusal_of(other[1]), "refused at different places"
    assert same(one[0], other[0]), "two ways of reading differ"


def same(one: Any, other: Any) -> bool:
    """Return whether two values are alike, kinds of numbers and NaN included; sets are printed in any order."""
    return repr(one) == repr(other) or ns.write_compact(one) == ns.write_compact(other)


# --- targets ------------------------------------------------------------------------------------------------


def parse_llm_response(data: bytes) -> None:
    """A reply is read or refused, alike in every way of reading, and what was read survives."""
    form = FORMS[(data[0] - ord("0")) % len(FORMS)] if data else Any
    data = data[1:]
    text = text_of(data)
    reads = (ns.parse_llm_response, ns.parse)
    quick = [outcome_of(read, text, form) for read in reads]
    with without_quick_ways():
        careful = [outcome_of(read, text, form) for read in reads]
    as_bytes = [outcome_of(read, data, form) for read in reads]
    for read, one, other, from_bytes in zip(reads, quick, careful, as_bytes, strict=True):
        check_alike(one, other)
        if one[1] is None:
            check_written(one[0], form)
        if from_bytes[1] is None:
            assert same(from_bytes[0], read(data.decode(), form)), "bytes are read otherwise than text"
    check_careful(text, form)


def check_careful(text: str, form: Any) -> None:
    """Require that what is read the quick way is what is read the careful way."""
    tree, error = outcome_of(ns.read_tree, text)
    if error is not None or levels(tree) > SURE_LEVELS:
        return
    reader = reading._reader(ns.converter, form)
    try:
        quick = reader.quick(tree, PLAIN)
    except Exception:  # noqa: BLE001  the careful way says why
        return
    assert same(quick, reader.careful(tree, PLAIN)), "quick and careful readers differ"


def extract_json(data: bytes) -> None:
    """The answer is a span of the reply, the same by every way, and stays so when it stands alone."""
    text = text_of(data)
    span, error = outcome_of(ns.extract_json, text)
    split = ns.extract_json_with_prose(text)
    quick, careful = Scanner(text).scan(), CarefulScanner(text).scan()

    for name in ("spans", "broken"):
        assert [(s.start, s.end, s.kind) for s in getattr(quick, name)] == [
            (s.start, s.end, s.kind) for s in getattr(careful, name)
        ], f"the quick way finds other {name}"
    assert quick.open == careful.open, "the quick way leaves other brackets open"
    assert split.json == (span or ""), "extraction with prose finds another span"
    if error is not None:
        assert isinstance(error, ns.ExtractionError), "extraction maps nothing"
        assert split.prose == text.strip(), "without a span all is prose"
        return
    assert span is not None
    assert span in text
    assert span[0] + span[-1] in ("{}", "[]"), "a span in no brackets"
    assert len(split.prose) <= len(text) - len(span) + 1, "the span is in the prose too"
    assert ns.extract_json(span) == span, "a span that stands alone is another"
    value = outcome_of(ns.parse_llm_response, text, Any)
    check_alike(outcome_of(ns.read_tree, span), value)
    with without_quick_ways():
        check_alike(value, outcome_of(ns.parse_llm_response, text, Any))


_NAMED = ("$defs", "definitions", "properties", "patternProperties", "dependentSchemas")
_SINGLE = (
    *("items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties"),
    *("unevaluatedProperties", "propertyNames", "not", "if", "then", "else", "contentSchema"),
)
_LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")


def schemas_in(root: Any) -> Iterator[dict[str, Any]]:
    """Yield every place of a JSON Schema where a schema stands."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        yield node
        waiting += [node.get(key) for key in _SINGLE]
        for key in _NAMED:
            waiting += node[key].values() if isinstance(node.get(key), dict) else ()
        for key in _LISTS:
            waiting += node[key] if isinstance(node.get(key), list) else ()


def hide_content(root: dict[str, Any]) -> None:
    """Give every plain artifact of a schema a member and an example that nobody may see."""
    plain = {"type", "title", "description", "properties", "required", "examples", keywords.TYPE_ALIAS}
    for node in list(schemas_in(root)):
        if keywords.TYPE_ALIAS not in node or not plain >= node.keys():
            continue
        if node.get("type", "object") == "object" and isinstance(node.get("properties"), dict):
            node["properties"][HIDDEN] = {"type": "string"}
            node["examples"] = [{HIDDEN: HIDDEN}]


def for_model(data: bytes) -> None:
    """A schema is offered without keywords and content, the same as text and as dict, and once is enough."""
    text = text_of(data)
    results: list[Any] = []
    for function in (keywords.for_model, keywords.strip_from):
        try:
            once = function(text)
        except ns.InvalidInputError as error:
            assert len(str(error)) < MAX_MESSAGE_CHARS, "a long message"
            continue
        assert function(once) == once, "doing it twice changes something"
        results.append(once)
    assert len(results) in (0, 2), "one takes what the other refuses"
    if not text.strip() or not results:
        return
    assert keywords.strip_from(results[0]) == results[0], "a keyword is left"
    schema = json.loads(text)
    before = copy.deepcopy(schema)
    if levels(schema) > SURE_LEVELS or not isinstance(schema, dict):
        return
    assert json.dumps(keywords.for_model(schema)) == json.dumps(json.loads(results[0])), (
        "text and dict differ"
    )
    assert json.dumps(schema) == json.dumps(before), "the input was changed"
    for node in schemas_in(json.loads(results[0])):
        assert not [key for key in node if key.startswith(keywords.PREFIX)], "a keyword is left"
    if HIDDEN not in text:
        hide_content(schema)
        assert HIDDEN not in json.dumps(keywords.for_model(schema)), "content of an artifact is offered"


class Formatting(logging.Handler):
    """Words every record, as a host's handler would, and lets no failure pass."""

    def emit(self, record: logging.LogRecord) -> None:
        assert len(record.getMessage()) < MAX_MESSAGE_CHARS, "a long line in the log"


logging.getLogger("nucleo_schema").addHandler(Formatting())
logging.getLogger("nucleo_schema").propagate = False

for _name in ns.__all__:  # each is loaded when it is first asked for: no module is to come later
    getattr(ns, _name)
ns.references.new_id()  # loads what draws it


def from_snapshot(data: bytes) -> None:
    """A snapshot is restored or refused, only to registered classes, and is written the same again."""
    modules = set(sys.modules)
    for text in (text_of(data), data):
        try:
            registry = ns.ArtifactRegistry.from_snapshot(text)
        except (ns.MappingError, ns.ReferenceConflictError) as error:
            assert len(str(error)) < MAX_MESSAGE_CHARS, "a long message"
            continue
        everything = registry.artifacts_including_reachable
        for reference, artifact in everything.items():
            assert ns.aliases.get_alias(type(artifact)), "an object of a class that nobody registered"
            assert ns.references.normalize_to_key(reference) == reference == artifact.artifact_ref
            assert registry.get(reference) is artifact
        if max(map(levels, everything.values()), default=0) < SURE_LEVELS // 2:
            check_restored(registry)
    assert {name.partition(".")[0] for name in set(sys.modules) - modules} <= {"encodings"}, (
        "data brought a module in"
    )


def check_restored(registry: ns.ArtifactRegistry) -> None:
    """Require that a registry comes back from its own snapshot, and that its objects are held."""
    snapshot = registry.to_snapshot()
    again = ns.ArtifactRegistry.from_snapshot(snapshot)
    assert again.to_snapshot() == snapshot, "a restored registry is written differently"
    assert list(again.artifacts_including_reachable) == list(registry.artifacts_including_reachable)
    violations: list[str] = []
    everything = list(registry.artifacts_including_reachable.values())
    held = registry.held([*map(copy.copy, everything)], violations)
    assert not violations, "an artifact of the registry is not held"
    assert all(one is other for one, other in zip(held, everything, strict=True)), "another one is held"
    assert len(ns.write_summarized_with_refs(everything, registry)) >= 2 * len(everything)
    registry.render()


#: By the name of the function.
TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (parse_llm_response, extract_json, for_model, from_snapshot)
}
