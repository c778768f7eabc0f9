"""Hostile input: patterns that a text could set against themselves, numbers, names and words that reach for more."""

from __future__ import annotations

import ast
import contextlib
import decimal
import gc
import importlib
import itertools
import json
import logging
import os
import pkgutil
import re
import subprocess
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from attrs import define, field

import nucleo_schema as ns
from nucleo_schema._read import dates, times

if sys.version_info >= (3, 11):
    from re import _parser as sre_parser  # type: ignore[attr-defined]
else:
    import sre_parse as sre_parser


# --- every regular expression -------------------------------------------------------------------------------

#: A pattern whose matches are all shorter than this looks at a fixed number of characters from where it is.
BOUNDED_CHARS = 100

#: Stands for the first character of a pattern, which is the quote that opens a string.
OPENER = "the opener"

#: How each other pattern is used, with the characters that it tells apart: texts repeat each word of a few
#: of them, after each of the beginnings. Behind them stands what makes a match fail in the end.
ATTACKS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "_read.tokens._SPACE": ("match", " \n\ufeffx", ("",)),
    "_read.tokens._NAME": ("match", "a1$-", ("",)),
    "_read.tokens._NUMBER": ("match", "019.eE-+x", ("", "0x", "1.", "1e")),
    "_read.tokens._PLAIN_STRING": ("match", "a\\'\"", (OPENER,)),
    "_read.tokens._STRING": ("match", "a\\\"'”“’‘″", (OPENER,)),
    "_read.tokens._RESCUE": ("match", 'a\\"”, ]', ("",)),
    "_read.decoders._ASIDE": ("sub", "a'/*\n\0", ("", "/*", "//", "'")),
    "_read.decoders._LINE_COMMENT": ("sub", "a/*\n\0", ("", "//")),
    "_read.decoders._SOUND_NUMBER": ("fullmatch", "019.eE-+x", ("", "0x", "1.", "1e")),
    "_read.scalars._NUMBER": ("fullmatch", "019.eE-+x", ("", "1.", "1e")),
    "_read.scalars._INTEGER": ("fullmatch", "01-+x", ("", "1")),
    "_read.extract._FENCE_AFTER": ("match", "` \nx", ("",)),
    "_declare.classes re.sub": ("sub", "a_ -", ("",)),
    "_read.generate re.fullmatch": ("fullmatch", "a) (", ("type(", "type(a) is ")),
    "_read.tokens._CUT_NUMBER": ("match", "019.eE-+x", ("", "0x", "1.", "1e")),
    "_read.choices._INTEGER": ("fullmatch", "01-x", ("", "1")),
    "_read.scalars._DECIMAL_NAN": ("fullmatch", "sNa01", ("", "NaN1")),
    "_write.ways re.fullmatch": ("fullmatch", "a) (", ("a is ",)),
    "references._ANY": ("fullmatch", "a\n", ("",)),
    "references._ALIAS": ("fullmatch", "a-:~", ("", "a:")),
    "_dialects.telling._NOT_REGULAR": ("findall", "[](?a^\\", ("", "[", "(?", "[^]")),
    "references._CANONICAL": (
        "fullmatch",
        "a :~\n",
        ("«artifact:", "«artifact:a", "«artifact:a:", "«artifact:a~"),
    ),
    "references._SPELLING": ("fullmatch", "a :~\n", ("", "artifact", "artifact:", "a ", "a~")),
    "references._MENTION": ("sub", "a «»:~\n", ("", "«artifact", "«artifact:a", "«artifact:a~")),
}

#: Patterns that only ever see texts of a bounded length, and why.
SHORT_TEXTS = {
    "_read.dates": "a text of more than 64 characters is refused before",
    "_read.times": "the same",
    "_read.durations": "the same",
    "_read.extract._FENCE_BEFORE": "the search begins at most 64 characters before the span",
    "_cli.lines._RESULT_START": "one repetition, of digits, at the start of a line",
    "_cli.targets._TARGET": "what the user types as the name of a class",
}


def iter_patterns(value: Any) -> Iterator[re.Pattern[str]]:
    """Yield the compiled patterns in a module's value."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from iter_patterns(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from iter_patterns(item)


def inline_patterns(module: types.ModuleType) -> Iterator[tuple[str, str]]:
    """Yield function and pattern of every call such as ``re.sub(r"...")`` in the source of a module."""
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            is_written_out = node.args and isinstance(
                node.args[0], ast.Constant
            )  # the others are a dialect's
            if (
                isinstance(owner, ast.Name)
                and owner.id == "re"
                and node.func.attr != "compile"
                and is_written_out
            ):
                yield node.func.attr, ast.literal_eval(node.args[0])


def all_patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Return every regular expression of the package under a name."""
    found: list[tuple[str, re.Pattern[str]]] = []
    for info in pkgutil.walk_packages(ns.__path__, "nucleo_schema."):
        if info.name.endswith("__main__"):
            continue
        module, short = importlib.import_module(info.name), info.name.removeprefix("nucleo_schema.")
        for name, value in vars(module).items():
            if getattr(sys.modules.get(getattr(value, "__module__", "")), name, None) is not value:
                found += [(f"{short}.{name}", pattern) for pattern in iter_patterns(value)]
        found += [(f"{short} re.{name}", re.compile(text)) for name, text in inline_patterns(module)]
    return found


def is_bounded(pattern: re.Pattern[str]) -> bool:
    """Return whether every match of *pattern* is short."""
    return sre_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG).getwidth()[1] < BOUNDED_CHARS


PATTERNS = all_patterns()
UNBOUNDED = [(name, pattern) for name, pattern in PATTERNS if not is_bounded(pattern)]


def test_every_regular_expression_is_accounted_for() -> None:
    """A pattern is short by itself, sees short texts only, or is attacked below."""
    names = {name for name, _ in UNBOUNDED if name.rpartition(".")[0] not in SHORT_TEXTS}

    assert names - SHORT_TEXTS.keys() == set(ATTACKS)
    assert len(PATTERNS) > len(UNBOUNDED) > len(ATTACKS)


def cost_of(action: Callable[[], Any]) -> float:
    """Return the processor time of *action* in seconds, without collections of all that the tests made."""
    gc.disable()
    try:
        start = time.process_time()
        action()
        return time.process_time() - start
    finally:
        gc.enable()


def grows_too_fast(run: Callable[[int], Any]) -> bool:
    """
    Return whether eight times the text takes far more than eight times the processor time, three times over.

    A match is one call of compiled code, however long it takes, so its time is all that can be measured.
    """
    for _ in range(3):
        small, large = cost_of(lambda: run(2_000)), cost_of(lambda: run(16_000))
        if large <= 24 * small + 0.03:
            return False
    return True


@pytest.mark.parametrize("name", ATTACKS)
def test_no_text_makes_a_regular_expression_start_over(name: str) -> None:
    """Eight times the text is about eight times the work, whatever the text repeats."""
    use, alphabet, beginnings = ATTACKS[name]
    sizes = (1, 2, 3) if len(alphabet) <= 6 else (1, 2)
    words = ["".join(word) for size in sizes for word in itertools.product(alphabet, repeat=size)]
    for pattern in [pattern for known, pattern in UNBOUNDED if known == name]:
        run = {"sub": lambda text, p=pattern: p.sub("", text)}.get(use) or getattr(pattern, use)
        starts = [pattern.pattern[0] if start == OPENER else start for start in beginnings]
        for beginning, word, end in itertools.product(starts, words, ("", "\0", "!")):

            def attack(size: int, run: Any = run, parts: Any = (beginning, word, end)) -> None:
                run(parts[0] + parts[1] * (size // len(parts[1])) + parts[2])

            assert not grows_too_fast(attack), (pattern.pattern, beginning, word, end)


def test_a_long_text_is_no_date_before_any_pattern_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The patterns of dates are never matched against more than 64 characters that were not fixed before."""
    monkeypatch.setattr(dates, "_SHAPES", (("no pattern", None, ()),))
    monkeypatch.setattr(times, "_ISO_TIME", "no pattern")

    assert times.normalized(f"2024-12-31T10:15:30.{'0' * 100}") == ""
    assert times.normalized(f" {' ' * 100}2024-12-31") == "2024-12-31"


# --- texts that made careless code start over ---------------------------------------------------------------


@define
class Holder:
    """A member for each kind of hostile value."""

    text: str = ""
    whole: int = 0
    width: ns.Int64 = 0
    number: float = 0.0
    exact: decimal.Decimal = decimal.Decimal(0)
    flag: bool = False
    choice: Literal[1, "a"] = 1
    by_number: dict[int, int] = field(factory=dict)
    data: Any = None
    link: ns.LinkArtifact | None = None
    artifact: ns.Artifact | None = None


def entry_of(alias: str) -> dict[str, str]:
    """Return an artifact under a reference with *alias*."""
    return {"artifact_ref": f"«artifact:{alias}~abc123»"}


def read(text: str) -> None:
    """Read *text* in every way; its values and its refusals do not matter here."""
    for way in (ns.parse_llm_response, ns.parse):
        with contextlib.suppress(ns.NucleoError):
            way(text, Holder)
    with contextlib.suppress(ns.NucleoError):
        ns.ArtifactRegistry.from_snapshot(text)


LARGE: dict[str, Callable[[int], str]] = {
    "slashes before a string in a comment": lambda n: '{"text": "a", ' + "/" * n + ' "x"\n"whole": 2}',
    "comment openers before a string in a comment": lambda n: (
        '{"text": "a", ' + "/*a" * (n // 3) + ' "x" */}'
    ),
    "quotes before a string in a comment": lambda n: '{"text": "a", //' + "'" * n + ' "x"\n}',
    "levels of an alias": lambda n: json.dumps({"artifact": entry_of("a:" * (n // 2) + "a")}),
    "levels of an alias below a known one": lambda n: json.dumps(
        {"link": entry_of("link" + ":a" * (n // 2))}
    ),
    "levels of an alias in a snapshot": lambda n: json.dumps(
        {"artifacts": [entry_of("a:" * (n // 2) + "a")]}
    ),
    "hexadecimal digits for a decimal": lambda n: '{"exact": 0x' + "f" * n + "}",
    "hexadecimal digits for an integer": lambda n: '{"whole": 0x' + "f" * n + "}",
    "digits for a decimal": lambda n: '{"exact": ' + "9" * n + "}",
    "digits for an integer in text": lambda n: '{"whole": "' + "9" * n + '"}',
    "digits for a key": lambda n: '{"by_number": {"' + "9" * n + '": 1}}',
    "digits after the point": lambda n: '{"whole": 1.' + "0" * n + "}",
    "one huge name": lambda n: '{"' + "aB" * (n // 2) + '": 1}',
    "many names that stand in for none": lambda n: json.dumps({f"aB{i}": 1 for i in range(n // 8)}),
    "one name again and again": lambda n: "{" + '"whole": 1,' * (n // 11) + "}",
    "many names that are no keys": lambda n: json.dumps({"by_number": {f"k{i}": 1 for i in range(n // 8)}}),
    "spaces around a word": lambda n: '{"flag": "' + " " * n + '!"}',
}


@pytest.mark.parametrize("family", LARGE)
def test_eight_times_the_text_is_about_eight_times_the_work(family: str) -> None:
    """Linear by every way of reading, also where compiled code does the work."""
    read(LARGE[family](100))
    logging.getLogger("nucleo_schema").setLevel(logging.ERROR)
    try:
        for scale in (1, 4):
            assert not grows_too_fast(lambda size, scale=scale: read(LARGE[family](scale * size)))
    finally:
        logging.getLogger("nucleo_schema").setLevel(logging.NOTSET)


# --- numbers ------------------------------------------------------------------------------------------------

DIGITS = "9" * 5_000  # more than Python converts


@pytest.mark.parametrize("spelled", ["1e999999", "-1e999999", DIGITS, f"-{DIGITS}", "1e99999999999999999999"])
@pytest.mark.parametrize("name", ["whole", "width", "number", "flag", "choice", "data"])
@pytest.mark.parametrize("way", [ns.parse, ns.parse_llm_response])
def test_a_number_beyond_its_place_is_refused_at_its_path(way: Any, name: str, spelled: str) -> None:
    """No infinity, no cut digits and no error of Python's: a problem in few words."""
    with pytest.raises(ns.MappingError) as caught:
        way(f'{{"{name}": {spelled}}}', Holder)

    assert [problem.path for problem in caught.value.problems] == [name]
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("spelled", ["1e999999", DIGITS, f"-{DIGITS}.10"])
def test_a_number_of_any_size_is_text_or_a_decimal_as_it_was_written(spelled: str) -> None:
    """These places lose nothing."""
    for text in (spelled, f'"{spelled}"'):
        assert ns.parse(f'{{"text": {text}}}', Holder).text == spelled
        assert ns.parse(f'{{"exact": {text}}}', Holder).exact == decimal.Decimal(spelled)
    value = ns.parse(f'{{"exact": {spelled}}}', Holder)
    assert ns.parse(ns.write(value), Holder) == value


@pytest.mark.parametrize("name", ["whole", "data", "exact"])
def test_a_hexadecimal_number_that_is_read_can_be_written(name: str) -> None:
    """Where its decimal digits are too many for Python, it is refused as they are."""
    for digits in (100, 5_000):
        try:
            value = ns.parse(f'{{"{name}": 0x{"f" * digits}}}', Holder)
        except ns.MappingError:
            assert digits > 100
            continue
        assert ns.parse(ns.write(value), Holder) == value


@pytest.mark.parametrize("key", [DIGITS, "1e999999", "0x10", "١", "1_0"])
def test_a_key_that_spells_no_integer_is_refused(key: str) -> None:
    """Keys are held to the same rules as values."""
    with pytest.raises(ns.MappingError):
        ns.parse(json.dumps({"by_number": {key: 1}}), Holder)


# --- characters ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["\ufeff", "\ufeff\ufeff", "\x00\ufeff"])
def test_marks_before_a_reply_are_prose(mark: str) -> None:
    """A byte order mark or NUL before or behind an answer says nothing."""
    text = f'{mark}{{"text": "a\x00b\ufeffc"}}{mark}'

    assert ns.parse_llm_response(text, Holder).text == "a\x00b\ufeffc"
    assert ns.parse_llm_response(text.encode(), Holder).text == "a\x00b\ufeffc"


@pytest.mark.parametrize("raw", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf"])
def test_bytes_that_are_no_utf_8_are_refused_wherever_they_stand(raw: bytes) -> None:
    """Overlong forms, halves of surrogate pairs and cut sequences too; nothing is replaced."""
    for text in (raw, b'{"text": "' + raw + b'"}', raw + b'{"text": "a"}', b'{"text": "a"}' + raw):
        with pytest.raises(ns.ExtractionError, match="not UTF-8"):
            ns.parse_llm_response(text, Holder)
        with pytest.raises(ns.MappingError, match="not UTF-8"):
            ns.parse(text, Holder)


def test_a_nul_behind_an_escaped_line_end_is_kept() -> None:
    """The escape takes the line end alone."""
    for text in ('["\\\r\x00x"]', '["\\\n\x00x"]', '["\\\r\n\x00x"]'):
        for way in (lambda t: ns.parse_llm_response(t, Any), lambda t: ns.parse_llm_response(f"So {t}", Any)):
            assert way(text) == ["\x00x"]
        assert ns.read_tree(text) == ["\x00x"]


@pytest.mark.parametrize(
    "text",
    [
        '{"whole": 1, "whole": 2}',
        "{whole: 1, 'whole': 2}",
        '{"whole": "junk", "whole": 2}',
        '{"whole": {"a": [1]}, "wh\\u006fle": 2}',
    ],
)
def test_the_last_of_equal_names_wins_on_every_way(text: str) -> None:
    """As in all readers of JSON, and what it replaces is not looked at."""
    for reply in (text, f"So: {text}", f"```json\n{text}\n```"):
        assert ns.parse_llm_response(reply, Holder) == Holder(whole=2)
    assert ns.parse(text, Holder) == Holder(whole=2)


# --- names that reach for more ------------------------------------------------------------------------------

ATTRIBUTES = (
    "__class__",
    "__init__",
    "__dict__",
    "__proto__",
    "__setattr__",
    "__attrs_attrs__",
    "self",
    "cls",
)


@pytest.mark.parametrize("name", ATTRIBUTES)
@pytest.mark.parametrize("cls", [Holder, ns.LinkArtifact])
def test_a_name_of_pythons_own_is_an_unknown_member(name: str, cls: type[Any]) -> None:
    """It reaches neither the class nor the instance, and its value goes nowhere."""
    before = dict(vars(cls))

    instance = ns.parse_llm_response(json.dumps({name: {"text": "x", "title": "x"}}), cls)

    assert instance == cls()
    assert type(instance) is cls
    assert dict(vars(cls)) == before


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_a_name_of_pythons_own_is_a_key_in_untyped_data(name: str) -> None:
    """Data is data."""
    value = ns.parse(json.dumps({"data": {name: {"a": 1}}, "by_number": {}}), Holder)

    assert value.data == {name: {"a": 1}}
    assert ns.parse(ns.write(value), Holder) == value


#: What an attacker would like an alias to be: modules, classes, attributes, paths.
ALIASES = (
    *("antigravity", "antigravity:fly", "os:system", "builtins:object", "nucleo_schema:Artifact", "Artifact"),
    *(
        "__class__",
        "link.__class__",
        "tests:strategies",
        "..:..:etc",
        "%s",
        "{0.__class__}",
        "LINK",
        "artifact",
    ),
)

#: Reads data with every alias in it, and prints what Python imports, compiles, runs or opens meanwhile.
WATCHED_SCRIPT = """
import contextlib, json, logging, sys
from attrs import define
import nucleo_schema as ns

@define
class Holder:
    artifact: ns.Artifact | None = None
    link: ns.LinkArtifact | None = None

def read(alias):
    entry = {"artifact_ref": f"«artifact:{alias}~abc123»", "title": "forged", "__class__": alias}
    for member in ("artifact", "link"):
        for value in (entry, entry["artifact_ref"]):
            with contextlib.suppress(ns.NucleoError):
                ns.parse_llm_response(json.dumps({member: value}), Holder)
    with contextlib.suppress(ns.NucleoError):
        ns.ArtifactRegistry.from_snapshot(json.dumps({"artifacts": [entry]}))

logging.disable()
read("link")  # what reading needs itself
read("nowhere")
events = []
watched = ("import", "compile", "exec", "open", "os.", "subprocess.", "socket.", "ctypes.", "pickle.")
sys.addaudithook(lambda event, arguments: event.startswith(watched) and events.append((event, arguments[:1])))
for alias in json.loads(sys.argv[1]):
    read(alias)
print(json.dumps([str(event) for event in events]))
"""


def test_nothing_is_imported_compiled_run_or_opened_because_of_data() -> None:
    """Python's own audit events tell, in a process that has read once before."""
    command = [sys.executable, "-c", WATCHED_SCRIPT, json.dumps(ALIASES)]
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1"}
    done = subprocess.run(command, env=settings, check=True, capture_output=True, text=True, encoding="utf-8")

    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_in_data_leads_to_registered_classes_only(alias: str) -> None:
    """What no class has declared is found nowhere else: neither in a module nor on a class."""
    entry = {**entry_of(alias), "title": "forged"}

    for value in (entry, entry["artifact_ref"]):
        with pytest.raises(ns.MappingError, match="artifact: found"):
            ns.parse_llm_response(json.dumps({"artifact": value}), Holder)
    with contextlib.suppress(ns.MappingError):
        assert len(ns.ArtifactRegistry.from_snapshot(json.dumps({"artifacts": [entry]}))) == 0
    assert ns.aliases.resolve_alias_with_fallback(alias) is None


def test_a_field_of_an_artifact_is_no_attribute() -> None:
    """The tools show what is on the wire, and nothing of the object."""
    registry = ns.ArtifactRegistry()
    reference = registry.register(ns.LinkArtifact("a"))

    for name in (*ATTRIBUTES, "_summaries", "cached_summary", "has_reference", "title.__class__"):
        with pytest.raises(ns.InvalidInputError, match="expected one of"):
            ns.artifact_tools.get_artifact_field(registry, reference, name)


# --- words that reach a log or a message --------------------------------------------------------------------

FORMATS = (
    "%s %d %n",
    "%(levelname)s",
    "{0.__class__.__init__.__globals__}",
    "${HOME}",
    "%",
    "{",
    "\r\nforged: line",
)


@pytest.mark.parametrize("words", FORMATS)
def test_a_format_in_data_is_words_in_a_log(words: str, caplog: pytest.LogCaptureFixture) -> None:
    """It is an argument of a record and never its format, whatever handler a host has."""
    snapshot = json.dumps(
        {
            "artifacts": [
                {**entry_of("nowhere"), "title": words, "more": {words: words}},
                {"artifact_ref": "link~eeeeee"},
            ]
        }
    )

    with caplog.at_level(logging.WARNING, logger="nucleo_schema"):
        registry = ns.ArtifactRegistry.from_snapshot(snapshot)
        registry.resolve([words, f"«artifact:{words}~abc123»", "link~zzzzzz"])

    assert list(registry.artifacts.values()) == [ns.LinkArtifact(artifact_ref="«artifact:link~eeeeee»")]
    assert len(caplog.records) >= 4
    for record in caplog.records:
        assert words not in str(record.msg).replace("%s", "")
        assert len(record.getMessage()) < 500
        assert "\n" not in record.getMessage()


@pytest.mark.parametrize("words", FORMATS)
def test_a_format_in_data_is_words_in_a_message(words: str) -> None:
    """A message quotes it on one line, and formats it no further."""
    for target, tree in (
        (Holder, {"whole": words}),
        (dict[str, int], {words: "x"}),
        (Holder, {"choice": words}),
    ):
        with pytest.raises(ns.MappingError) as caught:
            ns.parse(json.dumps(tree), target)
        message = str(caught.value)
        assert words.replace("\r\n", "\\r\\n") in message
        assert "\n" not in message
