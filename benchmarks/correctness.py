"""
The command ``python -m benchmarks.correctness``: messy replies read right, refused, or read wrong.

Every reader reads the replies of ``tests/cases/replies.jsonl`` into the same declarations. A reply that holds
an answer counts as *read* when what came out is what its case states, and as *refused* when nothing did; one
that holds none counts as *rightly refused*. When anything else came out it counts as *wrong*: that is the one
that nobody notices. The cases were collected for this library, from its contract and from public reports on
others: they are inside its syntax by design, which the others never promised to read.
"""

from __future__ import annotations

import datetime as dt
import enum
import importlib.metadata
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

import nucleo_schema

CASES = Path(__file__).parents[1] / "tests" / "cases" / "replies.jsonl"

#: Where the contract of this library says otherwise than the case; tests/test_cases.py tells why.
OVERRULED = {"R149"}

#: Makes a function from a reply to plain data out of the declaration of a case.
ReaderFor = Callable[[Any], Callable[[str], Any]]

_numbers = iter(range(sys.maxsize))


def main() -> int:
    """Print one line for each reader that is installed."""
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    cases = [case for case in cases if case["id"] not in OVERRULED]
    print(
        f"{len(cases)} replies, of which {sum('value' in case['expect'] for case in cases)} hold an answer\n"
    )
    print(f"{'reader':48} {'read':>5} {'refused':>8} {'rightly refused':>16} {'wrong':>6}")
    for name, packages, reader_for in READERS:
        try:
            versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in packages)
        except importlib.metadata.PackageNotFoundError as missing:
            print(f"{name}: {missing} is not installed, left out (see benchmarks/requirements.txt)")
            continue
        counts = Counter(_outcome(reader_for, case) for case in cases)
        print(
            f"{name:48} {counts['read']:5} {counts['refused']:8} {counts['rightly refused']:16} "
            f"{counts['wrong']:6}   {versions}"
        )
    return 0


def _outcome(reader_for: ReaderFor, case: dict[str, Any]) -> str:
    expect = case["expect"]
    read = reader_for(case["type"])
    try:
        value = read(case["raw"])
    except Exception:  # noqa: BLE001  each reader has its own ways to refuse
        return "refused" if "value" in expect else "rightly refused"
    if "value" in expect and _tagged(value) == _tagged(expect["value"]):
        return "read"
    return "wrong"


def _tagged(value: Any) -> Any:
    """Return *value* with the kind of every scalar, so that 1 and true differ; 1 and 1.0 are one number."""
    if isinstance(value, dict):
        return {key: _tagged(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_tagged(item) for item in value]
    return [type(value) is bool, value]


def plain(value: Any) -> Any:
    """Return *value* as the cases spell it: attribute names, ISO dates, values of enums, None left out."""
    if attrs.has(type(value)):
        value = {a.name: getattr(value, a.name) for a in attrs.fields(type(value))}
        value = {name: member for name, member in value.items() if member is not None}
    elif hasattr(type(value), "model_fields"):
        value = {name: getattr(value, name) for name in type(value).model_fields}
        value = {name: member for name, member in value.items() if member is not None}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (dt.date, dt.datetime)):
        return value.isoformat()
    if isinstance(value, dict):
        return {plain(key): plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": str(value)}
    return value


# Declarations


def _target(declaration: Any, class_lines: Callable[[dict[str, Any]], list[str]]) -> Any:
    """Return the class or typing form that a case reads into, its classes made by *class_lines*."""
    if declaration == "any":
        return Any
    classes = [*declaration.get("also", []), *([declaration] if "class" in declaration else [])]
    lines = ["import datetime, enum, typing, attrs"]
    lines += ["from datetime import date", "from typing import *"]
    for cls in classes:
        lines += _enum_lines(cls) if "enum" in cls else class_lines(cls)
    name = f"correctness_{next(_numbers)}"
    module: Any = type(sys)(name)
    sys.modules[name] = module
    exec("\n".join(["from __future__ import annotations", *lines]), module.__dict__)  # noqa: S102  our own data
    return eval(declaration.get("class") or declaration["root"], module.__dict__)  # noqa: S307  our own data


def _enum_lines(cls: dict[str, Any]) -> list[str]:
    return [
        f"class {cls['enum']}(enum.Enum):",
        *(f"    {name} = {value!r}" for name, value in cls["values"].items()),
    ]


def _fields(cls: dict[str, Any]) -> Iterator[tuple[str, str, str | None]]:
    """Yield the name, the annotation and the source of the default, if any, of each field."""
    defaults = cls.get("defaults", {})
    for name, annotation in cls["fields"].items():
        optional = "None" if "None" in annotation.split(" | ") else None
        yield name, annotation, repr(defaults[name]) if name in defaults else optional


def _attrs_lines(cls: dict[str, Any]) -> list[str]:
    lines = ["@attrs.define(kw_only=True)", f"class {cls['class']}:"]
    for name, annotation, default in _fields(cls):
        lines.append(
            f"    {name}: {annotation}" + (f" = attrs.Factory(lambda: {default})" if default else "")
        )
    return lines


def _pydantic_lines(cls: dict[str, Any]) -> list[str]:
    lines = ["import pydantic", f"class {cls['class']}(pydantic.BaseModel):"]
    for name, annotation, default in _fields(cls):
        lines.append(f"    {name}: {annotation}" + (f" = {default}" if default else ""))
    return lines


# Readers


def attrs_target(declaration: Any) -> Any:
    """Return the attrs class or typing form that a case reads into."""
    return _target(declaration, _attrs_lines)


def _ours(declaration: Any) -> Callable[[str], Any]:
    target = attrs_target(declaration)
    return lambda raw: plain(nucleo_schema.parse_llm_response(raw, target))


def _adapter(declaration: Any) -> Any:
    import pydantic  # noqa: PLC0415  a peer

    return pydantic.TypeAdapter(_target(declaration, _pydantic_lines))


def _pydantic(declaration: Any) -> Callable[[str], Any]:
    adapter = _adapter(declaration)
    return lambda raw: plain(adapter.validate_json(raw))


def _json_repair(declaration: Any) -> Callable[[str], Any]:
    import json_repair  # noqa: PLC0415  a peer

    adapter = _adapter(declaration)
    return lambda raw: plain(adapter.validate_python(json_repair.loads(raw)))


def _langchain(declaration: Any) -> Callable[[str], Any]:
    from langchain_core.output_parsers import JsonOutputParser  # noqa: PLC0415  a peer

    adapter, parser = _adapter(declaration), JsonOutputParser()
    return lambda raw: plain(adapter.validate_python(parser.parse(raw)))


READERS: tuple[tuple[str, tuple[str, ...], ReaderFor], ...] = (
    ("nucleo_schema", (), _ours),
    ("json_repair, validated by pydantic", ("json-repair", "pydantic"), _json_repair),
    ("langchain's JSON parser, validated by pydantic", ("langchain-core", "pydantic"), _langchain),
    ("pydantic alone", ("pydantic",), _pydantic),
)


if __name__ == "__main__":
    raise SystemExit(main())
