"""
The command ``python -m benchmarks.comparison``: the measured rows of the table in the README.

Each library that is installed reads the same few replies into the same declaration. A reply counts as read
when what came out is what it says, as refused when nothing did, and as wrong when anything else came out.
"""

from __future__ import annotations

import importlib.metadata
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from .correctness import READERS, ReaderFor, attrs_target, plain

__all__ = ["main", "rows"]

_NOTE = {"class": "Note", "fields": {"title": "str", "stars": "int", "tags": "list[str]"}}
_WANTED = {"title": "Tea", "stars": 4, "tags": ["a", "b"]}
_JSON = json.dumps(_WANTED)
_DRAFT = json.dumps({"title": "Draft", "stars": 0, "tags": []})

#: Replies that hold one whole answer, with other text around it.
IN_PROSE = (
    f"```json\n{_JSON}\n```",
    f"Here it is:\n\n```\n{_JSON}\n```\nAnything else?",
    f"As source [1] says: {_JSON}",
    f"<think>First {_DRAFT}, then better.</think>\n{_JSON}",
    f"{_JSON}\nI left out {{the rest}}.",
)
#: Answers that are not quite JSON.
NOT_QUITE = (
    "{'title': 'Tea', 'stars': 4, 'tags': ['a', 'b']}",
    '{title: "Tea", stars: 4, tags: ["a", "b"]}',
    '{"title": "Tea", "stars": 4, "tags": ["a", "b",],}',
    '{"title": "Tea", // the drink\n "stars": 4, "tags": ["a", "b"]}',
    "{“title”: “Tea”, “stars”: 4, “tags”: [“a”, “b”]}",
    '{"title": "Tea", "stars": +4, "tags": ["a", "b"]}',
)
#: Replies that were cut: there is no whole answer in them.
CUT = (
    '{"title": "Tea", "stars": 4, "tags": ["a", "b"',
    '{"title": "Tea", "stars": 4, "tags": ["a", "b',
    '{"title": "Tea", "stars": 4, "tags": ["a"',
    f'{_DRAFT}\nBetter:\n{{"title": "Tea", "stars": 4, "tags": [',
)
#: Three values that no library takes.
WRONG = '{"title": ["x"], "stars": "many", "tags": 5}'


def main() -> int:
    """Print the rows, in Markdown."""
    print("\n".join(rows()))
    return 0


def rows() -> list[str]:
    """Return the rows of the table: its head, and one for each library that is installed."""
    head = ("", "answers found in prose", "not quite JSON", "replies that were cut", "problems told of three")
    result = [_row(head), _row(["---"] * len(head))]
    for name, packages, reader_for in LIBRARIES:
        try:
            versions = " with ".join(f"{package} {_version(package)}" for package in packages)
        except importlib.metadata.PackageNotFoundError:
            continue
        read = reader_for(_NOTE)
        told = _problems(read)
        cells = [_outcomes(read, replies) for replies in (IN_PROSE, NOT_QUITE, CUT)]
        result.append(_row([name or versions, *cells, str(told)]))
    return result


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _version(package: str) -> str:
    major, minor, *_ = importlib.metadata.version(package).split(".")
    return f"{major}.{minor}"


def _outcomes(read: Callable[[str], Any], replies: tuple[str, ...]) -> str:
    """Return the words for what became of the replies, such as ``4 read, 1 wrong``."""
    counts = Counter(_outcome(read, reply) for reply in replies)
    return ", ".join(f"{counts[word]} {word}" for word in ("read", "refused", "wrong") if counts[word])


def _outcome(read: Callable[[str], Any], reply: str) -> str:
    try:
        value = read(reply)
    except Exception:  # noqa: BLE001  each library has its own ways to refuse
        return "refused"
    return "read" if value == _WANTED and reply not in CUT else "wrong"


def _problems(read: Callable[[str], Any]) -> int:
    """Return how many of the wrong members the refusal names."""
    try:
        read(WRONG)
    except Exception as error:  # noqa: BLE001
        told = "".join(_texts(error))
        return sum(name in told for name in ("title", "stars", "tags"))
    return 0


def _texts(error: BaseException) -> list[str]:
    """Return what an error and those that it groups say."""
    inner = getattr(error, "exceptions", ())
    notes = map(str, getattr(error, "__notes__", ()))
    return [str(error), *notes, *(text for other in inner for text in _texts(other))]


def _msgspec(declaration: Any) -> Callable[[str], Any]:
    import msgspec  # noqa: PLC0415  a peer

    decoder = msgspec.json.Decoder(attrs_target(declaration))
    return lambda raw: plain(decoder.decode(raw))


def _cattrs(declaration: Any) -> Callable[[str], Any]:
    from cattrs.preconf.orjson import make_converter  # noqa: PLC0415  as whoever uses it does

    converter, target = make_converter(), attrs_target(declaration)
    return lambda raw: plain(converter.loads(raw, target))


_BY_NAME = {name: (packages, reader_for) for name, packages, reader_for in READERS}
#: What the row is called, "" for the packages with their versions; the packages; the reader.
LIBRARIES: tuple[tuple[str, tuple[str, ...], ReaderFor], ...] = (
    ("**nucleo-schema**", *_BY_NAME["nucleo_schema"]),
    ("", *_BY_NAME["pydantic alone"]),
    ("", *_BY_NAME["json_repair, validated by pydantic"]),
    ("", *_BY_NAME["langchain's JSON parser, validated by pydantic"]),
    ("", ("msgspec",), _msgspec),
    ("", ("cattrs",), _cattrs),
)


if __name__ == "__main__":
    raise SystemExit(main())
